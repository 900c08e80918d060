--- Looks at a threat from cover: stands up or steps out to where it sees the threat, looks, and goes back.
--
--     Peek { at = "enemy" }                             -- a key of the agent's blackboard
--     Peek { at = "enemy", seconds = 2, into = "seen" }
--
-- For an agent that is in its cover (see TakeCover, whose option `peek` finds cover to look out from). The agent only
-- stands up if it can look over the wall. Succeeds when the agent is back in its stance, and has written to its
-- blackboard the position of the threat if it saw it, else false. Fails with the reason when no position within reach
-- sees the threat, when the threat is gone (once back), or when other code sent the agent elsewhere (once there). The
-- agent keeps its cover however far it steps out.

local behaviors = require "behaviors"
local leeward = require "leeward"
local lookout = require "behaviors.lookout"

--- Added to the distance of stepping out, for the leash of the cover. [m]
local SLACK = 0.5

local function now(agent) return agent:world():time() end

--- Send the agent to a point and record it as the goal of this leaf.
local function go(agent, state, to)
  local ok, message = agent:move_to(to, { within = 0.1 })
  state.goal = agent:goal()
  return ok, message
end

local function begin_look(agent, options, state)
  local to = state.place - agent:position()
  agent:set_heading(math.atan(-to.z, to.x)) -- so that its senses see what it looks at
  state.phase, state.look_end = "look", now(agent) + options.seconds
  return "running", options.seconds
end

local function finish(state)
  if state.reason then return "failure", state.reason end
  return "success"
end

--- Send the agent back to its cover. With a reason, the leaf fails there.
local function go_back(agent, state, reason)
  state.phase, state.reason = "back", reason
  if not state.out then return finish(state) end
  local ok, message = go(agent, state, state.home)
  if not ok then return "failure", reason or message end
  return "running", math.huge
end

local function look(agent, options, state)
  local left = state.look_end - now(agent)
  if left > 0 then return "running", left end -- woken early
  local place, reason = behaviors.place(agent, options.at) -- the threat may have moved
  local sees = place and agent:world():sees(agent:eye(), behaviors.target(agent, options.at))
  agent.blackboard[options.into] = sees and place or false
  return go_back(agent, state, reason)
end

--- The phases in turn: out, look, back.
local function tick(agent, options, state)
  local move, message = agent:move_state()
  if move == "walking" then return "running", math.huge end -- until woken, also if other code sent it
  local goal = agent:goal()
  if goal ~= state.goal then
    state.redirected = true
    return "failure", goal and "the agent was sent somewhere else" or "the agent was stopped"
  end
  if state.phase == "look" then return look(agent, options, state) end
  if state.phase == "back" then
    if move == "failed" then return "failure", state.reason or message end
    return finish(state)
  end
  if move == "failed" then return go_back(agent, state, message) end
  return begin_look(agent, options, state)
end

--- Widen the leash of the cover, if the agent has reserved it, so that stepping out keeps it.
local function widen_leash(agent, cover, state)
  local kept, leash = agent:cover()
  local needed = state.out:distance(cover.point) + SLACK
  if kept ~= cover.point or leash >= needed then return end
  state.cover, state.leash = cover, leash
  cover:reserve(agent, { leash = needed })
end

--- Restore the leash, or release the cover if other code sent the agent beyond it.
local function restore_leash(agent, state)
  if not state.leash or agent:cover() ~= state.cover.point then return end
  local goal = state.redirected and agent:goal()
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
    seconds = 1,     -- time to look [s, >= 0]
    reach = 4,       -- largest distance to step out [m, > 0]
    cover = "cover", -- key of the blackboard: the cover that the agent is in
    into = "seen",   -- key of the blackboard to write
  },
  required = {
    at = "a threat, an agent, a point or a key of the blackboard",
  },

  ports = { at = "in vec3|agent|threat", cover = "in cover", into = "out vec3|boolean" },

  check = function(options)
    return behaviors.check(options, { { "at", "place" }, { "seconds", ">= 0", "seconds" }, { "reach", "> 0" } })
  end,

  start = function(agent, options, state)
    local cover, missing = behaviors.point(agent, options.cover)
    if not cover then return "failure", missing end
    if agent:move_state() == "walking" then return "failure", "the agent is on its way somewhere" end
    local home = agent:position()
    if home:distance(cover.point) > 1 then return "failure", "the agent is not in its cover" end
    local place, reason = behaviors.place(agent, options.at)
    if not place then return "failure", reason end
    local out = lookout.find(agent, cover, home, behaviors.target(agent, options.at), options.reach)
    if not out then return "failure", ("no position within %g m sees it"):format(options.reach) end

    state.place = leeward.vec3(place)
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
  save = true,

  -- Restore stance, pace and leash in any case, unless other code has changed them.
  stop = function(agent, _, state, how)
    local stands = agent:stance() == "stand" and agent:cover() -- without cover it stays so
    if state.stance_before and stands then agent:set_stance(state.stance_before) end
    if state.pace_before and agent:pace() == "fast" then agent:set_pace(state.pace_before) end
    restore_leash(agent, state)
    if how == "success" or not state.out or state.redirected or state.phase == "back" then return end
    if agent:is_alive() then agent:move_to(state.home, { within = 0.1 }) end
  end,
}

return Peek
