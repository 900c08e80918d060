--- Whether the agent is in danger where it stands now.
--
--     IsInDanger {}                  -- in a danger, in a fire lane, or seen by a threat that it knows of
--     IsInDanger { seen = false }    -- being seen does not count
--
-- Ends at once: it succeeds, or fails.

local behaviors = require "behaviors"
local leeward = require "leeward"

local function is_near(a, b, distance)
  local x, z = a.x - b.x, a.z - b.z
  return x * x + z * z <= distance * distance
end

local function is_in_a_danger(agent, limit)
  local at = agent:position()
  for _, danger in ipairs(agent:world():dangers()) do
    if danger:value() >= limit and is_near(at, danger:at(), danger:radius()) then return true end
  end
  return false
end

--- The nearest point of the lane.
local function is_in_a_lane(agent)
  local at = agent:position()
  for _, lane in ipairs(agent:world():fire_lanes()) do
    local own = lane:get()
    local from, to = leeward.vec3(own.from), leeward.vec3(own.to)
    local along, t = to - from, 0
    local length = along.x * along.x + along.z * along.z
    if length > 0 then t = ((at.x - from.x) * along.x + (at.z - from.z) * along.z) / length end
    local nearest = from + along * math.max(0, math.min(1, t))
    if is_near(at, nearest, own.radius) then return true end
  end
  return false
end

---@type fun(options?: leeward.IsInDangerOptions): leeward.Node
local IsInDanger = behaviors.leaf {
  name = "IsInDanger",

  options = {
    seen = true, -- being seen by a threat that it knows of counts
    value = 0.1, -- the value from which a danger counts [> 0]
  },

  check = function(options) return behaviors.check(options, { { "value", "> 0", "a number" } }) end,

  start = function(agent, options)
    if options.seen and agent:is_seen() then return "success" end
    if is_in_a_danger(agent, options.value) or is_in_a_lane(agent) then return "success" end
    return "failure", "nothing endangers it"
  end,
}

return IsInDanger
