--- Walks to a point.
--
--     MoveTo { to = "goal" }                            -- a key of the agent's blackboard
--     MoveTo { to = { 4, 0, -2 }, pace = "fast", within = 1 }
--     MoveTo { to = "goal", cost = { cover_bias = 10 }, avoid = { "road" } }   -- for this walk
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
    -- For this walk, as in agent:move_to. Default: the agent's own.
    "pace",     -- "calm", "normal" or "fast"
    "quality",  -- "good" or "fast": of its paths
    "profile",  -- a name or a table: its paths are searched for it
    "cost",     -- numbers of the profile
    "avoid",    -- list of areas
    "can_take", -- kinds of links
    "threats",  -- a threat, an agent or a list of them, or a key of the blackboard: instead of those it knows of
  },

  ports = { to = "in vec3", threats = "in agent|threat|list" },

  check = function(options)
    return behaviors.check(options, {
      { "to", "point" }, { "within", ">= 0" }, { "pace", "pace" }, { "threats", "threats" },
    })
  end,

  start = function(agent, options, state)
    local to, reason = behaviors.point(agent, options.to)
    if not to then return "failure", reason end

    local threats
    threats, reason = behaviors.threats(agent, options.threats)
    if reason then return "failure", reason end
    if threats then threats = behaviors.existing(threats) end

    local ok, message = agent:move_to(to, {
      within = options.within, pace = options.pace, quality = options.quality, profile = options.profile,
      cost = options.cost, avoid = options.avoid, can_take = options.can_take, threats = threats,
    })
    if not ok then return "failure", message end

    state.goal = agent:goal() -- to detect that other code sends the agent elsewhere
    return answer(agent, state)
  end,

  tick = function(agent, _, state)
    return answer(agent, state)
  end,

  stop = function(agent, _, _, how)
    if how == "aborted" then agent:stop() end
  end,
}

return MoveTo
