--- Walks to a point.
--
--     MoveTo { to = "goal" }                            -- a key of the agent's blackboard
--     MoveTo { to = { 4, 0, -2 }, pace = "fast", within = 1 }
--
-- Succeeds on arrival; fails with the reason when there is no path or the agent is stuck. The point is read once, when
-- the walk begins. Meanwhile the leaf sleeps and costs nothing: the agent wakes it on arrival or failure.

local behaviors = require "behaviors"

--- The leaf's status by the state of the agent's walk.
local function answer(agent, state)
  local goal = agent:goal()
  if goal and goal ~= state.goal then return "failure", "the agent was sent somewhere else" end

  local move, message = agent:move_state()
  if move == "walking" then return "running", math.huge end -- until woken
  if move == "arrived" then return "success" end
  if move == "failed" then return "failure", message end
  return "failure", "the agent was stopped"
end

---@type fun(options: leeward.MoveToOptions): leeward.Node
local MoveTo = behaviors.leaf {
  name = "MoveTo",

  options = {
    within = 0.3, -- arrived at this distance, in xz [m, >= 0]
  },
  required = {
    to = "a point or a key of the blackboard",
  },
  optional = {
    "pace", -- "calm", "normal" or "fast", for this walk. Default: the agent's own.
  },

  ports = { to = "in vec3" },

  check = function(options)
    return behaviors.check(options, { { "to", "point" }, { "within", ">= 0" }, { "pace", "pace" } })
  end,

  start = function(agent, options, state)
    local to, reason = behaviors.point(agent, options.to)
    if not to then return "failure", reason end

    if options.pace then
      state.pace_before = agent:pace()
      agent:set_pace(options.pace)
    end

    local ok, message = agent:move_to(to, { within = options.within })
    if not ok then return "failure", message end

    state.goal = agent:goal() -- to detect that other code sends the agent elsewhere
    return answer(agent, state)
  end,

  tick = function(agent, _, state)
    return answer(agent, state)
  end,

  -- Restore the pace in any case.
  stop = function(agent, _, state, how)
    if state.pace_before then agent:set_pace(state.pace_before) end
    if how == "aborted" then agent:stop() end
  end,
}

return MoveTo
