--- Follows an agent, at a distance, until it is gone.
--
--     Follow { target = "leader", within = 3 }
--     Follow { target = "leader", pace = "fast", avoid = { "road" } }   -- for these walks
--
-- Runs as long as the target lives, and walks after it whenever it is further away than `within`. Fails with the reason
-- when the target is gone or there is no path to it. A Timeout or a condition above it ends it otherwise.

local behaviors = require "behaviors"
local checks = require "behaviors.checks"
local leeward = require "leeward"
local steps = require "behaviors.steps"

--- World time between two looks at where the target is. [s]
local PAUSE = 0.25

--- The agent to follow; else nil and the reason.
local function target_of(agent, options)
  local target, reason = behaviors.point(agent, options.target, "an agent")
  if reason then return nil, reason end
  if not checks.is_agent(target) then
    return nil, ("the blackboard has %s for '%s', expected an agent"):format(checks.shown(target),
      leeward.shown(options.target))
  end
  reason = behaviors.gone(target)
  if reason then return nil, reason end
  return target
end

local function follow(agent, options, state)
  local left = steps.left(agent, state)
  if left then return "running", left end
  local target, reason = target_of(agent, options)
  if not target then return "failure", reason end
  if agent:position():distance(target:position()) > options.within then
    local ok, message = agent:move_to(target:position(), steps.journey(options, {
      within = options.within * 0.8, pace = options.pace,
    }))
    if not ok then return "failure", message end
  end
  return steps.sleep(agent, state, PAUSE)
end

---@type fun(options: leeward.FollowOptions): leeward.Node
local Follow = behaviors.leaf {
  name = "Follow",

  options = {
    within = 2, -- distance at which the agent stays, in xz [m, > 0]
  },
  required = {
    target = "an agent or a key of the blackboard",
  },
  optional = {
    -- For its walks, as in agent:move_to. Default: the agent's own.
    "pace",     -- "calm", "normal" or "fast"
    "quality",  -- "good", "fast" or "exact": of its paths
    "path_style", -- "taut" or "rounded": their shape
    "profile",  -- a name or a table: its paths are searched for it
    "cost",     -- numbers of the profile
    "avoid",    -- list of areas
    "can_take", -- kinds of links
  },
  ports = { target = "in agent" },

  check = function(options)
    return behaviors.check(options, steps.journey_rules {
      { "target", "agent" }, { "within", "> 0" }, { "pace", "pace" },
    })
  end,

  start = follow,

  tick = follow,

  save = true,

  stop = function(agent)
    if agent:is_alive() then agent:stop() end
  end,
}

return Follow
