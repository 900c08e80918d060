--- Looks at a threat from cover: gets up, or steps out to where it can see it, looks, and goes back.
--
--     Peek { at = "enemy" }                             -- a key of the agent's blackboard
--     Peek { at = "enemy", seconds = 2, into = "seen" }
--
-- For an agent that is in its cover (see TakeCover). Where it need not step out to look over the wall it only gets up.
-- Succeeds when it is back, as low as it was, and has written on its blackboard whether it saw the threat's place while
-- it was out: the place itself, or false. Fails with the reason when there is nowhere near to see it from.

local behaviors = require "behaviors"

--- From place to place that it tries. [m]
local STEP = 0.25

--- The place of a threat, an agent, or a point that an option names.
local function place_of(agent, what)
  if type(what) == "string" then
    local value = agent.blackboard[what]
    if value == nil then return nil, ("the blackboard has no '%s'"):format(what) end
    what = value
  end
  local kind = getmetatable(what)
  if kind == "leeward.agent" then return what:eye() end
  if kind == "leeward.threat" then return what:get().at end
  return type(what) == "table" and what.at or what
end

--- Where it would look from, standing there.
local function eye_at(agent, point)
  local eye = agent:eye() - agent:position()
  return point + eye
end

--- The nearest place along the wall, to either side, from which it sees the place; nil: none.
local function find_place(agent, cover, place, reach)
  local world, from = agent:world(), cover.point
  local along = (cover.segment.b - cover.segment.a)
  along = along / along:length()
  for distance = STEP, reach, STEP do
    for side = -1, 1, 2 do
      local hit, to = world:raycast(from, from + along * (side * distance))
      if hit == false and world:sees(eye_at(agent, to), place) then return to end
    end
  end
end

local function seen_from_here(agent, place) return agent:world():sees(agent:eye(), place) end

--- One after the other: out, look, back.
local function answer(agent, options, state)
  local move, message = agent:move_state()
  if move == "walking" then return "running", math.huge end -- until woken
  if move == "failed" then return "failure", message end

  if state.phase == "out" then
    state.phase = "look"
    return "running", options.seconds
  end
  if state.phase == "look" then
    local place = place_of(agent, options.at) or state.place -- it may have moved
    agent.blackboard[options.into] = seen_from_here(agent, place) and place or false
    state.phase = "back"
    if state.out then
      local ok
      ok, message = agent:move_to(state.home, { within = 0.1 })
      if not ok then return "failure", message end
      return answer(agent, options, state)
    end
  end
  return "success"
end

---@type fun(options: leeward.PeekOptions): leeward.Node
local Peek = behaviors.leaf {
  name = "Peek",

  options = {
    seconds = 1,     -- how long it looks [s]
    reach = 2.5,     -- how far it steps out at most: not beyond the leash of its cover [m]
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
    if agent:position():distance(cover.point) > 1 then return "failure", "the agent is not in its cover" end
    local reason
    state.place, reason = place_of(agent, options.at)
    if not state.place then return "failure", reason end

    state.home, state.stance_before, state.pace_before = agent:position(), agent:stance(), agent:pace()
    agent:set_stance "stand"
    state.phase = "out"
    if seen_from_here(agent, state.place) then return answer(agent, options, state) end

    state.out = find_place(agent, cover, state.place, options.reach)
    if not state.out then return "failure", "there is nowhere near to see it from" end
    agent:set_pace "fast"
    local ok
    ok, reason = agent:move_to(state.out, { within = 0.1 })
    if not ok then return "failure", reason end
    return answer(agent, options, state)
  end,

  tick = answer,

  -- Whatever the end, leave the agent as it was found.
  stop = function(agent, _, state, how)
    if state.stance_before then agent:set_stance(state.stance_before) end
    if state.pace_before then agent:set_pace(state.pace_before) end
    if how == "aborted" then agent:stop() end
  end,
}

return Peek
