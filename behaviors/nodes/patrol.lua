--- Walks from point to point, round and round, until it is aborted.
--
--     Patrol { points = "route" }                             -- a key with a list of points
--     Patrol { points = { { 2, 0, 2 }, { 9, 0, 2 } }, wait = 3 }
--
-- It begins with the point that was next when it was aborted, or else with the nearest one. A point that cannot be
-- reached is left out. Fails with the reason when there are no points, or none that can be reached.

local behaviors = require "behaviors"
local leeward = require "leeward"
local steps = require "behaviors.steps"

--- The points; else nil and the reason.
local function points_of(agent, options)
  local points, reason = behaviors.point(agent, options.points)
  if reason then return nil, reason end
  if type(points) ~= "table" or #points == 0 then return nil, "there are no points to patrol between" end
  return table.move(points, 1, #points, 1, {}) -- other code may change what it has written
end

local function nearest(agent, points)
  local best, shortest = 1, math.huge
  for number, point in ipairs(points) do
    local distance = agent:position():distance(leeward.vec3(point))
    if distance < shortest then best, shortest = number, distance end
  end
  return best
end

--- The leaf's status by the walk to a point; nil and the reason: it cannot be reached.
local function answer(agent, options, state)
  local arrived, reason = steps.walked(agent, state)
  if arrived == nil then return "running", math.huge end
  if not arrived then return nil, reason end
  state.failed, state.rests = 0, true
  return steps.sleep(agent, state, options.wait)
end

--- Go to the point of that number, or the next one that can be reached.
local function go(agent, options, state, number, reason)
  local points = state.points
  while state.failed < #points do
    state.number = (number - 1) % #points + 1
    agent.blackboard[options.next] = state.number
    local ok, status, more
    ok, reason = steps.walk(agent, state, points[state.number])
    if ok then status, more = answer(agent, options, state) end
    if status then return status, more end
    reason, state.failed, number = more or reason, state.failed + 1, state.number + 1
  end
  return "failure", reason
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

  start = function(agent, options, state)
    local points, reason = points_of(agent, options)
    if not points then return "failure", reason end
    steps.set_pace(agent, state, options.pace)
    state.points, state.failed = points, 0
    local number = agent.blackboard[options.next]
    return go(agent, options, state, math.type(number) == "integer" and number or nearest(agent, points))
  end,

  tick = function(agent, options, state)
    local left = steps.left(agent, state)
    if left then return "running", left end
    local reason
    if state.rests then
      state.rests = nil
    else
      local status, more = answer(agent, options, state)
      if status then return status, more end
      reason, state.failed = more, state.failed + 1
    end
    return go(agent, options, state, state.number + 1, reason)
  end,

  save = true,

  stop = steps.stop,
}

return Patrol
