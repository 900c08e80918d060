--- Goes to a place and looks round there.
--
--     Investigate { at = "sense.noise_at" }
--     Investigate { at = "alarm", seconds = 6, pace = "fast" }
--
-- The place is read once. Succeeds when the agent has looked to all sides; fails with the reason when there is no
-- place, or no way there.

local behaviors = require "behaviors"

--- How many times it turns.
local TURNS = 4

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

  run = function(agent, options)
    local place, reason = behaviors.place(agent, options.at or "sense.noise_at")
    if not place then return "failure", reason end
    local _ <close> = behaviors.at_pace(agent, options.pace)
    local ok, message = agent:move_to_and_wait(place, { within = options.within })
    if not ok then return "failure", message end
    for _ = 1, TURNS do
      agent:wait(options.seconds / TURNS)
      agent:set_heading(agent:heading() + 2 * math.pi / TURNS)
    end
  end,
}

return Investigate
