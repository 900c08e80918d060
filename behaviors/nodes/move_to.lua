--- Walks to a place.
--
--     MoveTo { to = "goal" }                            -- a key of the agent's blackboard
--     MoveTo { to = { 4, 0, -2 }, pace = "fast", within = 1 }
--
-- Succeeds on arrival; fails with the reason when there is no way or the agent is stuck. The place is read once, when
-- the walk begins. On the way the leaf sleeps and costs nothing: the agent wakes it on arrival or failure.

local behaviors = require "behaviors"

local PACES = { calm = true, normal = true, fast = true }

--- What the agent's walk means for this leaf.
local function answer(agent, state)
  local goal = agent:goal()
  if goal and goal ~= state.goal then return "failure", "the agent was sent somewhere else" end

  local move, message = agent:move_state()
  if move == "walking" then return "running", math.huge end -- until woken
  if move == "arrived" then return "success" end
  if move == "failed" then return "failure", message end
  return "failure", "the agent was told to stop"
end

---@type fun(options: leeward.MoveToOptions): leeward.Node
local MoveTo = behaviors.leaf {
  name = "MoveTo",

  options = {
    within = 0.3, -- near enough, in the plane [m]
  },
  required = {
    "to", -- where: a key of the blackboard, or a point
  },
  optional = {
    "pace", -- "calm", "normal" or "fast" for this walk. Default: the agent's own.
  },

  check = function(options)
    if options.within < 0 then return ("'within' expected metres >= 0, got %s"):format(options.within) end
    if options.pace ~= nil and not PACES[options.pace] then
      return ("'pace' expected 'calm', 'normal' or 'fast', got '%s'"):format(options.pace)
    end
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

    state.goal = agent:goal() -- to notice when someone else sends the agent elsewhere
    return answer(agent, state)
  end,

  tick = function(agent, _, state)
    return answer(agent, state)
  end,

  -- Whatever the end, leave the agent as it was found.
  stop = function(agent, _, state, how)
    if state.pace_before then agent:set_pace(state.pace_before) end
    if how == "aborted" then agent:stop() end
  end,
}

return MoveTo
