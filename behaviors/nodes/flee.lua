--- Runs away from what threatens the agent, to the best of some places drawn at random.
--
--     Flee { from = "sense.enemy_at" }
--     Flee { distance = 30 }                 -- from all threats that the agent knows of
--
-- A place is the better the further it is from the nearest threat, and counts for more where none sees it. Succeeds
-- when the agent is there; fails with the reason when nothing threatens it, or when no place is better than where it
-- is.

local behaviors = require "behaviors"
local steps = require "behaviors.steps"

--- Places to draw.
local DRAWS = 16
--- What a place counts for that no threat sees. [m]
local HIDDEN = 8

--- Where what the option names is; nil and the reason.
local function threats_of(agent, from)
  local list = from == nil and agent:threats() or { from }
  local places = {}
  for _, who in ipairs(list) do
    local place, reason = behaviors.place(agent, who)
    if not place then return nil, reason end
    places[#places + 1] = place
  end
  if not places[1] then return nil, "there is no threat to flee from" end
  return places
end

local function worth(agent, at, threats)
  local nearest, world, is_hidden = math.huge, agent:world(), true
  local body = at + (agent:eye "stand" - agent:position())
  for _, threat in ipairs(threats) do
    nearest = math.min(nearest, at:distance(threat))
    is_hidden = is_hidden and not world:sees(threat, body)
  end
  return nearest + (is_hidden and HIDDEN or 0)
end

local function answer(agent, _, state)
  local arrived, reason = steps.walked(agent, state)
  if arrived == nil then return "running", math.huge end
  if not arrived then return "failure", reason end
  return "success"
end

---@type fun(options?: leeward.FleeOptions): leeward.Node
local Flee = behaviors.leaf {
  name = "Flee",

  options = {
    distance = 20, -- how far away the places lie at most, in xz [m, > 0]
    pace = "fast",
  },
  optional = {
    "from", -- a threat, an agent, a point or a key of the blackboard. Default: all threats that the agent knows of.
  },
  ports = { from = "in vec3|agent|threat" },

  check = function(options)
    return behaviors.check(options, { { "distance", "> 0" }, { "pace", "pace" }, { "from", "place" } })
  end,

  start = function(agent, options, state)
    local threats, reason = threats_of(agent, options.from)
    if not threats then return "failure", reason end
    local best, best_worth = nil, worth(agent, agent:position(), threats)
    for _ = 1, DRAWS do
      local point = agent:random_point { radius = options.distance }
      local value = point and worth(agent, point, threats) or 0
      if value > best_worth then best, best_worth = point, value end
    end
    if not best then return "failure", "no place near by is safer" end
    steps.set_pace(agent, state, options.pace)
    agent:set_stance "stand"
    local ok, message = steps.walk(agent, state, best)
    if not ok then return "failure", message end
    return answer(agent, options, state)
  end,

  tick = answer,

  save = true,

  stop = steps.stop,
}

return Flee
