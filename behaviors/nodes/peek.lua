--- Looks at a threat from cover: gets up, or steps out to where it can see it, looks, and goes back.
--
--     Peek { at = "enemy" }                             -- a key of the agent's blackboard
--     Peek { at = "enemy", seconds = 2, into = "seen" }
--
-- For an agent that is in its cover (see TakeCover, whose `peek` finds places to look out from). Where it need not step
-- out to look over the wall it only gets up. Succeeds when it is back, as low as it was, and has written on its
-- blackboard whether it saw the threat's place while it was out: the place itself, or false. Fails with the reason when
-- there is nowhere near to see it from, when the threat is gone (once back), or when the agent was sent somewhere else
-- meanwhile (once there: it does not overrule that). However far it steps out, it keeps its cover.

local behaviors = require "behaviors"
local lookout = require "behaviors.lookout"

--- How much farther than it steps out it may go without losing its cover. [m]
local SLACK = 0.5

local function now(agent) return agent:world():time() end

--- Send it there, and remember that it was this leaf that did.
local function go(agent, state, to)
  local ok, message = agent:move_to(to, { within = 0.1 })
  state.goal = agent:goal()
  return ok, message
end

local function begin_look(agent, options, state)
  state.phase, state.till = "look", now(agent) + options.seconds
  return "running", options.seconds
end

local function finish(state)
  if state.reason then return "failure", state.reason end
  return "success"
end

--- Back to where it came from; if there is a reason the leaf fails there.
local function go_back(agent, state, reason)
  state.phase, state.reason = "back", reason
  if not state.out then return finish(state) end
  local ok, message = go(agent, state, state.home)
  if not ok then return "failure", reason or message end
  return "running", math.huge
end

local function look(agent, options, state)
  local left = state.till - now(agent)
  if left > 0 then return "running", left end -- it was woken
  local place, reason = behaviors.place(agent, options.at) -- it may have moved
  local sees = place and agent:world():sees(agent:eye(), place)
  agent.blackboard[options.into] = sees and place or false
  return go_back(agent, state, reason)
end

--- One after the other: out, look, back.
local function tick(agent, options, state)
  local move, message = agent:move_state()
  if move == "walking" then return "running", math.huge end -- until woken, also where somebody else sent it
  local goal = agent:goal()
  if goal ~= state.goal then
    state.ordered = true
    return "failure", goal and "the agent was sent somewhere else" or "the agent was told to stop"
  end
  if state.phase == "look" then return look(agent, options, state) end
  if state.phase == "back" then
    if move == "failed" then return "failure", state.reason or message end
    return finish(state)
  end
  if move == "failed" then return go_back(agent, state, message) end
  return begin_look(agent, options, state)
end

--- Let it go so far without losing its cover, if it has it.
local function widen_leash(agent, cover, state)
  local kept, leash = agent:cover()
  local needed = state.out:distance(cover.point) + SLACK
  if kept ~= cover.point or leash >= needed then return end
  state.cover, state.leash = cover, leash
  cover:reserve(agent, { leash = needed })
end

--- As it was. One who was sent too far away for that meanwhile lets go.
local function restore_leash(agent, state)
  if not state.leash or agent:cover() ~= state.cover.point then return end
  local goal = state.ordered and agent:goal()
  if goal and goal:distance(state.cover.point) > state.leash then
    state.cover:release(agent)
  else
    state.cover:reserve(agent, { leash = state.leash })
  end
end

---@type fun(options: leeward.PeekOptions): leeward.Node
local Peek = behaviors.leaf {
  name = "Peek",

  options = {
    seconds = 1,     -- how long it looks [s]
    reach = 4,       -- how far it steps out at most [m]
    cover = "cover", -- the blackboard's key of the cover that it is in
    into = "seen",   -- the blackboard's key to write
  },
  required = {
    "at", -- a threat, an agent or a point: a key of the blackboard, or itself
  },

  check = function(options)
    if options.seconds < 0 then return ("'seconds' expected at least 0, got %s"):format(options.seconds) end
    if options.reach <= 0 then return ("'reach' expected metres > 0, got %s"):format(options.reach) end
  end,

  start = function(agent, options, state)
    local cover = agent.blackboard[options.cover]
    if not cover then return "failure", ("the blackboard has no '%s'"):format(options.cover) end
    if agent:move_state() == "walking" then return "failure", "the agent is on its way somewhere" end
    local home = agent:position()
    if home:distance(cover.point) > 1 then return "failure", "the agent is not in its cover" end
    local place, reason = behaviors.place(agent, options.at)
    if not place then return "failure", reason end
    local out = lookout.find(agent, cover, home, place, options.reach)
    if not out then return "failure", ("there is nowhere within %g m to see it from"):format(options.reach) end

    state.goal, state.stance_before = agent:goal(), agent:stance()
    agent:set_stance "stand"
    if out == home then return begin_look(agent, options, state) end

    state.phase, state.home, state.out, state.pace_before = "out", home, out, agent:pace()
    agent:set_pace "fast"
    widen_leash(agent, cover, state)
    local ok
    ok, reason = go(agent, state, out)
    if not ok then return "failure", reason end
    return tick(agent, options, state)
  end,

  tick = tick,

  -- Whatever the end, leave the agent as it was found, but for what others told it meanwhile.
  stop = function(agent, _, state, how)
    if state.stance_before and agent:stance() == "stand" then agent:set_stance(state.stance_before) end
    if state.pace_before and agent:pace() == "fast" then agent:set_pace(state.pace_before) end
    restore_leash(agent, state)
    if how == "success" or not state.out or state.ordered or state.phase == "back" then return end
    if agent:is_alive() then agent:move_to(state.home, { within = 0.1 }) end
  end,
}

return Peek
