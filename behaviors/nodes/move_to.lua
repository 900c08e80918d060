--- Walks to a point.
--
--     MoveTo { to = "goal" }                            -- a key of the agent's blackboard
--     MoveTo { to = { 4, 0, -2 }, pace = "fast", within = 1 }
--     MoveTo { to = "goal", cost = { cover_bias = 10 }, avoid = { "road" } }   -- for this walk
--     MoveTo { to = "bay", heading = "bay_heading" } -- a vehicle parks there in that direction
--     MoveTo { to = "sense.enemy", within = 5 }         -- an agent: it goes where that is
--     MoveTo { to = "sense.enemy_at", track = true }    -- a key that changes: it goes where that leads
--
-- Succeeds on arrival; fails with the reason when there is no path, the agent is stuck, or the agent that it goes to is
-- gone. A point is read once, when the walk begins, unless the leaf is to `track` its key: then, and of an agent, the
-- leaf looks four times a second where the goal is. Else it sleeps and costs nothing: the agent wakes it on arrival or
-- failure.

local behaviors = require "behaviors"
local checks = require "behaviors.checks"
local leeward = require "leeward"
local steps = require "behaviors.steps"

--- World time between two looks at a goal that moves. [s]
local PAUSE = 0.25

--- Where to go now; else nil and the reason.
local function goal_of(agent, options)
  local to, reason = behaviors.point(agent, options.to, "a point or an agent")
  reason = reason or behaviors.gone(to)
  if reason then return nil, reason end
  return checks.is_agent(to) and to:position() or to
end

--- In which direction a vehicle is to stand at the goal; nil: any.
local function heading_of(agent, options)
  local heading = options.heading
  if type(heading) == "string" then heading = agent.blackboard[heading] end
  return type(heading) == "number" and heading or nil
end

--- What agent:move_to() is given: one table for all walks, so that these leave Lua's collector nothing.
local journey = {}

local function walk_to(agent, options, state, to)
  journey.within, journey.pace, journey.threats = options.within, options.pace, state.threats
  journey.heading = heading_of(agent, options)
  local ok, message = agent:move_to(to, steps.journey(options, journey))
  if not ok then return nil, message end
  state.goal = agent:goal() -- to detect that other code sends the agent elsewhere
  return true
end

--- A goal that has moved by more than near enough, or than a tenth of the way that is left, is searched again.
local function follow_goal(agent, options, state)
  local to, reason = goal_of(agent, options)
  if not to then return nil, reason end
  local moved = state.goal:distance(leeward.vec3(to))
  if moved <= math.max(options.within, agent:remaining() / 10) then return true end
  return walk_to(agent, options, state, to)
end

--- The leaf's status by the state of the agent's walk.
local function status(agent, state)
  local move, message = agent:move_state()
  if move == "walking" then return "running", state.tracks and PAUSE or math.huge end -- else until woken
  if move == "arrived" then return "success" end
  if move == "failed" then return "failure", message end
  return "failure", "the agent was stopped"
end

--- The same for a walk that has begun earlier.
local function answer(agent, options, state)
  local goal = agent:goal()
  if goal and goal ~= state.goal then return "failure", "the agent was sent somewhere else" end
  if goal and state.tracks then
    local ok, reason = follow_goal(agent, options, state)
    if not ok then return "failure", reason end
  end
  return status(agent, state)
end

---@type fun(options: leeward.MoveToOptions): leeward.Node
local MoveTo = behaviors.leaf {
  name = "MoveTo",

  options = {
    within = 0.3,  -- arrived at this distance, in xz [m, >= 0]
    track = false, -- go where the key leads while the agent walks
  },
  required = {
    to = "a point, an agent or a key of the blackboard",
  },
  optional = {
    "heading",  -- of a vehicle at the goal: radians, or a key of the blackboard that may have a number; default: any
    -- For this walk, as in agent:move_to. Default: the agent's own.
    "pace",     -- "calm", "normal" or "fast"
    "quality",  -- "good", "fast" or "exact": of its paths
    "path_style", -- "taut" or "rounded": their shape
    "profile",  -- a name or a table: its paths are searched for it
    "cost",     -- numbers of the profile
    "avoid",    -- list of areas
    "can_take", -- kinds of links
    "threats",  -- a threat, an agent or a list of them, or a key of the blackboard: instead of those it knows of
  },

  ports = { to = "in vec3|agent", threats = "in agent|threat|list" },

  check = function(options)
    local heading = options.heading
    if heading ~= nil and (type(heading) ~= "string" or heading == "") and not (type(heading) == "number"
      and math.abs(heading) <= 1000) then
      return ("heading is %s, expected radians from -1000 to 1000 or a key of the blackboard"):format(tostring(heading))
    end
    return behaviors.check(options, steps.journey_rules {
      { "to", "goal" }, { "within", ">= 0" }, { "pace", "pace" }, { "threats", "threats" },
    })
  end,

  start = function(agent, options, state)
    local to, reason = goal_of(agent, options)
    if not to then return "failure", reason end
    state.tracks = (options.track or checks.is_agent((behaviors.point(agent, options.to)))) or nil

    local threats
    threats, reason = behaviors.threats(agent, options.threats)
    if reason then return "failure", reason end
    if threats then threats = behaviors.existing(threats) end

    state.threats = threats
    local ok, message = walk_to(agent, options, state, to)
    if not ok then return "failure", message end
    return status(agent, state)
  end,

  tick = answer,
  save = true,

  stop = function(agent, _, _, how)
    if how == "aborted" then agent:stop() end
  end,
}

return MoveTo
