--- Walks from point to point, round and round, until it is aborted.
--
--     Patrol { points = "route" }                             -- a key with a list of points
--     Patrol { points = { { 2, 0, 2 }, { 9, 0, 2 } }, wait = 3 }
--
-- It begins with the point that was next when it was aborted, or else with the nearest one. A point that cannot be
-- reached is left out. Fails with the reason when there are no points, or none that can be reached.

local behaviors = require "behaviors"
local leeward = require "leeward"

--- The points; else nil and the reason.
local function points_of(agent, options)
  local points, reason = behaviors.point(agent, options.points)
  if reason then return nil, reason end
  if type(points) ~= "table" or #points == 0 then return nil, "there are no points to patrol between" end
  return points
end

local function nearest(agent, points)
  local best, shortest = 1, math.huge
  for number, point in ipairs(points) do
    local distance = agent:position():distance(leeward.vec3(point))
    if distance < shortest then best, shortest = number, distance end
  end
  return best
end

---@type fun(options: leeward.PatrolOptions): leeward.Node
local Patrol = behaviors.leaf {
  name = "Patrol",

  options = {
    wait = 0,              -- at each point [s, >= 0]
    next = "patrol_next",  -- key of the blackboard: the number of the point to go to, kept from one start to the next
  },
  required = {
    points = "a list of points or a key of the blackboard",
  },
  optional = {
    "pace", -- "calm", "normal" or "fast". Default: the agent's own.
  },
  ports = { points = "in list", next = "inout number" },

  check = function(options)
    return behaviors.check(options, { { "wait", ">= 0", "seconds" }, { "pace", "pace" } })
  end,

  run = function(agent, options)
    local points, reason = points_of(agent, options)
    if not points then return "failure", reason end
    local _ <close> = behaviors.at_pace(agent, options.pace)
    local blackboard, failed = agent.blackboard, 0
    local number = blackboard[options.next] or nearest(agent, points)
    while failed < #points do
      number = (number - 1) % #points + 1
      blackboard[options.next] = number
      local ok, message = agent:move_to_and_wait(points[number])
      failed = ok and 0 or failed + 1
      number, reason = number + 1, message
      if ok then agent:wait(options.wait) end
    end
    return "failure", reason
  end,
}

return Patrol
