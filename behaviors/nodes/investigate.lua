--- Goes to a place and looks round there.
--
--     Investigate { at = "sense.noise_at" }
--     Investigate { at = "alarm", seconds = 6, pace = "fast" }
--
-- The place is read once. Succeeds when the agent has looked to all sides; fails with the reason when there is no
-- place, or no way there.

local behaviors = require "behaviors"
local steps = require "behaviors.steps"

--- How many times it turns.
local TURNS = 4

--- On the way, then turn by turn.
local function answer(agent, options, state)
  if state.turns then
    local left = steps.left(agent, state)
    if left then return "running", left end
    agent:set_heading(agent:heading() + 2 * math.pi / TURNS)
    state.turns = state.turns + 1
    if state.turns == TURNS then return "success" end
  else
    local arrived, reason = steps.walked(agent, state)
    if arrived == nil then return "running", math.huge end
    if not arrived then return "failure", reason end
    state.turns = 0
  end
  return steps.sleep(agent, state, options.seconds / TURNS)
end

---@type fun(options?: leeward.InvestigateOptions): leeward.Node
local Investigate = behaviors.leaf {
  name = "Investigate",

  options = {
    within = 1.5, -- how near it goes, in xz [m, >= 0]
    seconds = 4,  -- how long it looks round [s, >= 0]
  },
  optional = {
    "at",   -- a point, an agent, a threat or a key of the blackboard. Default: "sense.noise_at".
    "pace", -- "calm", "normal" or "fast". Default: the agent's own.
  },
  ports = { at = "in vec3|agent|threat" },

  check = function(options)
    return behaviors.check(options, {
      { "at", "place" }, { "within", ">= 0" }, { "seconds", ">= 0", "seconds" }, { "pace", "pace" },
    })
  end,

  start = function(agent, options, state)
    local place, reason = behaviors.place(agent, options.at or "sense.noise_at")
    if not place then return "failure", reason end
    steps.set_pace(agent, state, options.pace)
    local ok, message = steps.walk(agent, state, place, { within = options.within })
    if not ok then return "failure", message end
    return answer(agent, options, state)
  end,

  tick = answer,

  save = true,

  stop = steps.stop,
}

return Investigate
