--- Finds a cover point, reserves it for the agent, runs there, and takes the stance that hides, until it leaves.
--
--     TakeCover { radius = 15 }                        -- from all threats that the agent knows
--     TakeCover { radius = 15, from = "enemy", into = "cover", hard = true }
--     TakeCover { peek = 4 }                           -- only where a Peek sees one of the threats
--
--     TakeCover { stay = true }                        -- until nothing threatens it
--
-- Succeeds when the agent is there and no threat sees it; the cover (a leeward.CoverPoint) is on its blackboard, for
-- Peek. When the cover no longer hides, on the way or on arrival, it chooses another one, up to `tries` times; with
-- `stay` also later, and it succeeds when it knows of no threat any more.
-- Fails with the reason when there is no free cover or no path, when all threats are gone, when the obstacle moves away
-- that was the cover, or when none of those that it tried hides. Other agents do not get a reserved point. It is
-- released when the leaf fails or is aborted, and later when the agent leaves it.

local behaviors = require "behaviors"
local lookout = require "behaviors.lookout"
local steps = require "behaviors.steps"

--- Cover points to check for `peek`: first few, then many.
local FEW, MANY = 8, 64

--- The threats of the list that still exist; none does: nil and the reason.
local function existing(list)
  local found, reason = behaviors.existing(list)
  if not found[1] then return nil, reason or "there is no threat to take cover from" end
  return found
end

--- The list of threats in the option `from`; nil: all that the agent knows.
local function threats_of(agent, from)
  local list, reason = behaviors.threats(agent, from)
  if not list then return nil, reason end
  return existing(list)
end

--- Whether the agent sees one of the threats when it looks out of the cover.
local function can_look_out(agent, cover, threats, reach)
  for _, who in ipairs(threats or agent:threats()) do
    if lookout.find(agent, cover, cover.point, behaviors.target(agent, who), reach) then return true end
  end
  return false
end

--- The covers that agent:find_cover() finds; nil and the reason.
local function covers_of(agent, query)
  local covers, message, code = agent:find_cover(query)
  if code == "NO_START" then message = "no navmesh near the start that the agent may enter" end
  return covers, message
end

--- The best cover; with `peek`, the best that it can look out from.
local function find_cover(agent, options, threats)
  local query = {
    radius = options.radius, threats = threats, hard = options.hard, watched = options.watched, limit = 1,
    cost = options.cost, avoid = options.avoid, can_take = options.can_take,
  }
  if not options.peek then
    local covers, message = covers_of(agent, query)
    return covers and covers[1], message
  end
  for _, limit in ipairs { FEW, MANY } do
    query.limit = limit
    local covers, message = covers_of(agent, query)
    if not covers then return nil, message end
    for _, cover in ipairs(covers) do
      if can_look_out(agent, cover, threats, options.peek) then return cover end
    end
    if #covers < limit then break end
  end
  return nil, "no free cover there to look out from"
end

--- World time between two looks whether the cover still hides. [s]
local PAUSE = 0.5

--- The threats to hide from now, nil for all that the agent knows of; false and the reason where none is left.
local function current_threats(agent, state)
  if not state.threats then
    if not agent:threats()[1] then return false, "there is no threat to take cover from" end
    return nil
  end
  local threats, reason = existing(state.threats)
  return threats or false, reason
end

--- Reserve the best cover, and run there. @return true; else nil and the reason.
local function choose(agent, options, state, threats)
  local cover, message = find_cover(agent, options, threats)
  if not cover then return nil, message end
  if state.cover then state.cover:release(agent) end
  state.cover = cover
  local ok
  ok, message = cover:reserve(agent, { leash = options.leash })
  if not ok then return nil, message end
  agent:set_stance "stand"
  ok, message = agent:move_to(cover.point, steps.journey(options, { within = 0.1 }))
  if not ok then return nil, message end
  agent.blackboard[options.into] = cover
  state.goal = agent:goal() -- to detect that other code sends the agent elsewhere
  state.is_there = false
  return true
end

local function is_hidden(agent, state, threats)
  return not agent:is_seen(threats, { at = state.cover.point, stance = state.cover.stance })
end

--- The status of the agent that is behind its cover, or on its way there; nil: it needs another one.
local function settle(agent, options, state, move)
  local threats, reason = current_threats(agent, state)
  if threats == false then
    if options.stay and state.is_there then return "success" end
    return "failure", reason
  end
  if not is_hidden(agent, state, threats) then return nil, threats end
  if move == "walking" then return "running", PAUSE end
  agent:set_cover_stance(state.cover.stance)
  state.is_there = true
  if options.stay then return "running", PAUSE end
  return "success"
end

--- The leaf's status by the state of the agent's run.
local function answer(agent, options, state)
  if agent:lost_cover() then
    return "failure", "the cover is gone: what offered it moved or was removed, or something stands there"
  end
  if agent:cover() ~= state.cover.point then return "failure", "the agent has released its cover" end
  local goal = agent:goal()
  if goal and goal ~= state.goal then return "failure", "the agent was sent somewhere else" end

  local move, message = agent:move_state()
  if move == "failed" then return "failure", message end
  if move ~= "arrived" and move ~= "walking" then return "failure", "the agent was stopped" end

  local status, more = settle(agent, options, state, move)
  if status then return status, more end
  if state.left < 1 then return "failure", "the cover no longer hides" end
  state.left = state.left - 1
  local ok
  ok, message = choose(agent, options, state, more)
  if not ok then return "failure", message end
  return "running", PAUSE
end

---@type fun(options?: leeward.TakeCoverOptions): leeward.Node
local TakeCover = behaviors.leaf {
  name = "TakeCover",

  options = {
    radius = 20,     -- of the circle about the agent, in xz [m, > 0]
    into = "cover",  -- key of the blackboard to write
    hard = false,    -- only hard cover, which stops shots
    watched = false, -- let the exposure of the path there count
    leash = 3,       -- distance from the point beyond which the agent releases it later [m, >= 0]
    pace = "fast",   -- of the run there
    tries = 3,       -- how often it chooses another cover that no longer hides [>= 0]
    stay = false,    -- stay there while it knows of a threat
  },
  optional = {
    "peek", -- only cover where standing up or stepping out this far shows one of the threats [m, >= 0]
    "from", -- a threat, an agent or a list of them, or a key of the blackboard. Default: all that the agent knows.
    -- For the run there, as in agent:move_to. Default: the agent's own.
    "quality",  -- "good", "fast" or "exact": of its paths
    "path_style", -- "taut" or "rounded": their shape
    "profile",  -- a name or a table: its paths are searched for it
    "cost",     -- numbers of the profile, for the choice, too, as the next ones
    "avoid",    -- list of areas
    "can_take", -- kinds of links
  },

  ports = { from = "in agent|threat|list", into = "out cover" },

  check = function(options)
    return behaviors.check(options, steps.journey_rules {
      { "radius", "> 0" }, { "leash", ">= 0" }, { "peek", ">= 0" }, { "pace", "pace" }, { "from", "threats" },
      { "tries", ">= 0", "a number" },
    })
  end,

  start = function(agent, options, state)
    local reason
    state.threats, reason = threats_of(agent, options.from)
    if reason then return "failure", reason end

    state.left, state.pace_before = options.tries, agent:pace()
    agent:set_pace(options.pace)
    local ok
    ok, reason = choose(agent, options, state, state.threats)
    if not ok then return "failure", reason end
    return answer(agent, options, state)
  end,

  tick = answer,
  save = true,

  stop = function(agent, options, state, how)
    if state.pace_before then agent:set_pace(state.pace_before) end
    if how == "success" then return end
    if state.cover then state.cover:release(agent) end
    agent.blackboard[options.into] = nil
    if how == "aborted" then agent:stop() end
  end,
}

return TakeCover
