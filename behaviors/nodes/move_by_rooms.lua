--- Walks to a point far away, room by room.
--
--     MoveByRooms { to = "goal" }                       -- a key of the agent's blackboard
--     MoveByRooms { to = { 90, 0, 4 }, ahead = 2, pace = "fast" }
--
-- It plans which rooms to go through (world:plan_regions), searches a path to a place a few rooms ahead, and the next
-- one when the agent comes near that. So each search is short, and what changes on the way counts: a door that was
-- shut meanwhile, a bridge that fell. Without a plan it walks as MoveTo does. Succeeds and fails as MoveTo.

local behaviors = require "behaviors"
local steps = require "behaviors.steps"

--- World time between two looks at how far it is to the next place. [s]
local PAUSE = 0.25

--- A place nearer than that is where the agent is: on the door between two rooms it may be in either. [m]
local HERE = 2

--- Where to walk to now, and how far from there to go on; nil: it is the goal.
local function next_place(agent, options, state)
  local plan = agent:world():plan_regions { agent = agent, to = state.target }
  local at, number = agent:position(), math.ceil(options.ahead) + 1
  while plan and number <= #plan and at:distance(plan[number].at) < HERE do number = number + 1 end
  if not plan or number >= #plan then return state.target end
  local place, before = plan[number].at, plan[number - 1].at
  return place, math.max(1, math.min(place:distance(before), place:distance(at) / 2))
end

local function go(agent, options, state)
  local place, near = next_place(agent, options, state)
  state.near = near
  local ok, reason = steps.walk(agent, state, place, steps.journey(options, {
    within = not near and options.within or nil, pace = options.pace,
  }))
  if not ok then return "failure", reason end
  return "running", near and PAUSE or math.huge
end

--- What comes after a walk that has ended.
local function after(agent, options, state, arrived, reason)
  if arrived then
    if not state.near then return "success" end
    return go(agent, options, state)
  end
  -- Ground was cut away on the way to a place that is not the goal: by another plan, perhaps, it goes on.
  if state.near and agent:move_state() == "failed" and not state.is_failed then
    state.is_failed = true
    return go(agent, options, state)
  end
  return "failure", reason
end

local function answer(agent, options, state)
  local arrived, reason = steps.walked(agent, state)
  if arrived ~= nil then return after(agent, options, state, arrived, reason) end
  if not state.near then return "running", math.huge end -- until woken
  if agent:waits_for_path() or agent:remaining() > state.near then return "running", PAUSE end
  state.is_failed = nil
  return go(agent, options, state)
end

---@type fun(options: leeward.MoveByRoomsOptions): leeward.Node
local MoveByRooms = behaviors.leaf {
  name = "MoveByRooms",

  options = {
    within = 0.3, -- arrived at this distance, in xz [m, >= 0]
    ahead = 3,    -- how many rooms it searches its path ahead [> 0]
  },
  required = {
    to = "a point or a key of the blackboard",
  },
  optional = {
    -- For this walk, as in agent:move_to. Default: the agent's own.
    "pace",       -- "calm", "normal" or "fast"
    "quality",    -- "good", "fast" or "exact": of its paths
    "path_style", -- "taut" or "rounded": their shape
    "profile",    -- a name or a table: its paths are searched for it
    "cost",       -- numbers of the profile
    "avoid",      -- list of areas
    "can_take",   -- kinds of links
  },

  ports = { to = "in vec3" },

  check = function(options)
    return behaviors.check(options, steps.journey_rules {
      { "to", "point" }, { "within", ">= 0" }, { "ahead", "> 0", "a number" }, { "pace", "pace" },
    })
  end,

  start = function(agent, options, state)
    local to, reason = behaviors.point(agent, options.to, "a point")
    if reason then return "failure", reason end
    state.target = to
    local status, more = go(agent, options, state)
    if status == "failure" then return status, more end
    return answer(agent, options, state)
  end,

  tick = answer,
  save = true,

  stop = function(agent, _, state, how)
    if how == "aborted" then steps.end_walk(agent, state) end
  end,
}

return MoveByRooms
