--- Finds a place behind cover, keeps it for the agent, runs there, and gets as low as it must.
--
--     TakeCover { radius = 15 }                        -- from all threats that the agent knows of
--     TakeCover { radius = 15, from = "enemy", into = "cover", hard = true }
--
-- Succeeds when the agent is there and nothing of it is seen; the place (a leeward.Cover) is on its blackboard, for
-- Peek. Fails with the reason when there is no free cover, no way, or when the place no longer hides on arrival: the
-- next try finds another place. Nobody else is sent to a place that is kept; it is let go when the leaf fails or is
-- aborted, and later when the agent leaves it.

local behaviors = require "behaviors"

local PACES = { calm = true, normal = true, fast = true }

--- From whom: nil (all that it knows of), or a list of one or more.
local function threats_of(agent, from)
  if type(from) == "string" then
    local value = agent.blackboard[from]
    if value == nil then return nil, ("the blackboard has no '%s'"):format(from) end
    from = value
  end
  local is_one = type(from) == "userdata" or (type(from) == "table" and from.at)
  return is_one and { from } or from
end

--- What the agent's run means for this leaf.
local function answer(agent, state)
  if agent:cover() ~= state.cover.point then return "failure", "the agent let go of its cover" end
  local goal = agent:goal()
  if goal and goal ~= state.goal then return "failure", "the agent was sent somewhere else" end

  local move, message = agent:move_state()
  if move == "walking" then return "running", math.huge end -- until woken
  if move == "failed" then return "failure", message end
  if move ~= "arrived" then return "failure", "the agent was told to stop" end

  agent:set_stance(state.cover.stance)
  if agent:is_seen(state.threats) then return "failure", "the cover no longer hides" end
  return "success"
end

---@type fun(options?: leeward.TakeCoverOptions): leeward.Node
local TakeCover = behaviors.leaf {
  name = "TakeCover",

  options = {
    radius = 20,     -- how far away at most, in the plane [m]
    into = "cover",  -- the blackboard's key to write
    hard = false,    -- only what stops shots, too
    watched = false, -- mind what the threats see of the way there
    leash = 3,       -- how far it may go from the place later and still keep it [m]
    pace = "fast",   -- of the way there
  },
  optional = {
    "from", -- a threat, an agent or a list: a key of the blackboard, or itself. Default: all that the agent knows of.
  },

  check = function(options)
    if options.radius <= 0 then return ("'radius' expected metres > 0, got %s"):format(options.radius) end
    if options.leash < 0 then return ("'leash' expected metres >= 0, got %s"):format(options.leash) end
    if not PACES[options.pace] then
      return ("'pace' expected 'calm', 'normal' or 'fast', got '%s'"):format(options.pace)
    end
  end,

  start = function(agent, options, state)
    local reason
    state.threats, reason = threats_of(agent, options.from)
    if reason then return "failure", reason end

    local places, message = agent:find_cover {
      radius = options.radius, threats = state.threats, hard = options.hard, watched = options.watched, limit = 1,
    }
    if not places then return "failure", message end

    state.cover = places[1]
    local ok
    ok, message = state.cover:reserve(agent, { leash = options.leash })
    if not ok then return "failure", message end

    state.pace_before = agent:pace()
    agent:set_pace(options.pace)
    agent:set_stance "stand"
    ok, message = agent:move_to(state.cover.point, { within = 0.1 })
    if not ok then return "failure", message end

    agent.blackboard[options.into] = state.cover
    state.goal = agent:goal() -- to notice when someone else sends the agent elsewhere
    return answer(agent, state)
  end,

  tick = function(agent, _, state)
    return answer(agent, state)
  end,

  stop = function(agent, options, state, how)
    if state.pace_before then agent:set_pace(state.pace_before) end
    if how == "success" then return end
    if state.cover then state.cover:release(agent) end
    agent.blackboard[options.into] = nil
    if how == "aborted" then agent:stop() end
  end,
}

return TakeCover
