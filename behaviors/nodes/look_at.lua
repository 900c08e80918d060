--- Turns the agent towards something, and keeps looking there for a while.
--
--     LookAt { at = "sense.noise_at" }
--     LookAt { at = "leader", seconds = 3 }
--
-- Succeeds when it has looked there for so long. The agent stops walking: who walks looks ahead. Fails with the reason
-- when there is nothing to look at, or when other code sends the agent away.

local behaviors = require "behaviors"
local leeward = require "leeward"
local steps = require "behaviors.steps"

--- The turn that is left, from -pi to pi. [rad]
local function turn_to(agent, place)
  local to = leeward.vec3(place) - agent:position()
  if to.x == 0 and to.z == 0 then return 0 end
  local turn = math.atan(-to.z, to.x) - agent:heading()
  return (turn + math.pi) % (2 * math.pi) - math.pi
end

local function look(agent, options, state)
  local left = steps.left(agent, state)
  if left then return "running", left end
  local place, reason = behaviors.place(agent, options.at)
  if not place then return "failure", reason end
  if agent:move_state() == "walking" then return "failure", "the agent was sent somewhere else" end
  local now = agent:world():time()
  local turn, limit = turn_to(agent, place), options.rate * (now - state.before)
  state.before = now
  agent:set_heading(agent:heading() + math.max(-limit, math.min(limit, turn)))
  if math.abs(turn) <= limit then state.since = state.since or now end
  if state.since and now - state.since >= options.seconds then return "success" end
  return steps.sleep(agent, state, 1 / 60)
end

---@type fun(options: leeward.LookAtOptions): leeward.Node
local LookAt = behaviors.leaf {
  name = "LookAt",

  options = {
    seconds = 0, -- how long it looks there [s, >= 0]
    rate = 4,    -- how fast it turns [rad/s, > 0]
  },
  required = {
    at = "a threat, an agent, a point or a key of the blackboard",
  },
  ports = { at = "in vec3|agent|threat" },

  check = function(options)
    return behaviors.check(options, {
      { "at", "place" }, { "seconds", ">= 0", "seconds" }, { "rate", "> 0", "radians per second" },
    })
  end,

  start = function(agent, options, state)
    state.before = agent:world():time()
    agent:stop()
    return look(agent, options, state)
  end,

  tick = look,

  save = true,
}

return LookAt
