--- Finds a place behind cover, keeps it for the agent, runs there, and gets as low as it must.
--
--     TakeCover { radius = 15 }                        -- from all threats that the agent knows of
--     TakeCover { radius = 15, from = "enemy", into = "cover", hard = true }
--     TakeCover { peek = 4 }                           -- only where a Peek finds something to see
--
-- Succeeds when the agent is there and nothing of it is seen; the place (a leeward.Cover) is on its blackboard, for
-- Peek. Fails with the reason when there is no free cover, no way, when whom it was told to hide from is gone, or when
-- the place no longer hides on arrival: the next try finds another place. Nobody else is sent to a place that is kept;
-- it is let go when the leaf fails or is aborted, and later when the agent leaves it.

local behaviors = require "behaviors"
local lookout = require "behaviors.lookout"

local PACES = { calm = true, normal = true, fast = true }

--- How many places are looked at for one to look out from: the best, then many.
local FEW, MANY = 8, 64

--- Those of the list who are still there; nil and the reason where nobody is.
local function still_there(list)
  local there, reason = {}, "there is nobody to take cover from"
  for _, who in ipairs(list) do
    local gone = behaviors.gone(who)
    if gone then reason = gone else there[#there + 1] = who end
  end
  if not there[1] then return nil, reason end
  return there
end

--- From whom: nil (all that it knows of), or a list of one or more.
local function threats_of(agent, from)
  if from == nil then return nil end
  local value, reason = behaviors.point(agent, from)
  if reason then return nil, reason end
  local is_one = type(value) == "userdata" or (type(value) == "table" and value.at)
  return still_there(is_one and { value } or value)
end

--- Can it see one of those whom it hides from when it looks out of there?
local function can_look_out(agent, cover, threats, reach)
  for _, who in ipairs(threats or agent:threats()) do
    if lookout.find(agent, cover, cover.point, behaviors.place(agent, who), reach) then return true end
  end
  return false
end

--- The best place; with `peek` the best to look out from.
local function find_place(agent, options, threats)
  local query = {
    radius = options.radius, threats = threats, hard = options.hard, watched = options.watched, limit = 1,
  }
  if not options.peek then
    local places, message = agent:find_cover(query)
    return places and places[1], message
  end
  for _, limit in ipairs { FEW, MANY } do
    query.limit = limit
    local places, message = agent:find_cover(query)
    if not places then return nil, message end
    for _, cover in ipairs(places) do
      if can_look_out(agent, cover, threats, options.peek) then return cover end
    end
    if #places < limit then break end
  end
  return nil, "no free cover there to look out from"
end

--- Is it out of everybody's sight, as it wanted?
local function check_hidden(agent, state)
  local threats, reason
  if state.threats then
    threats, reason = still_there(state.threats)
    if not threats then return "failure", reason end
  end
  if agent:is_seen(threats) then return "failure", "the cover no longer hides" end
  return "success"
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
  return check_hidden(agent, state)
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
    "peek", -- only where it can see one of those from whom it hides by getting up or stepping out so far at most [m]
    "from", -- a threat, an agent or a list: a key of the blackboard, or itself. Default: all that the agent knows of.
  },

  check = function(options)
    if options.radius <= 0 then return ("'radius' expected metres > 0, got %s"):format(options.radius) end
    if options.leash < 0 then return ("'leash' expected metres >= 0, got %s"):format(options.leash) end
    if options.peek ~= nil and not (type(options.peek) == "number" and options.peek >= 0) then
      return ("'peek' expected metres >= 0, got %s"):format(options.peek)
    end
    if not PACES[options.pace] then
      return ("'pace' expected 'calm', 'normal' or 'fast', got '%s'"):format(options.pace)
    end
  end,

  start = function(agent, options, state)
    local reason
    state.threats, reason = threats_of(agent, options.from)
    if reason then return "failure", reason end

    local cover, message = find_place(agent, options, state.threats)
    if not cover then return "failure", message end

    state.cover = cover
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
