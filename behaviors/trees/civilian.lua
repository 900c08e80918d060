--- Civilian: wanders, runs from enemies that it sees and from noises, and hides for a while.

local behaviors = require "behaviors"
local Flee = require "behaviors.nodes.flee"
local IsInDanger = require "behaviors.nodes.is_in_danger"
local RunSubtree = require "behaviors.nodes.run_subtree"

return behaviors.selector {
  behaviors.condition { name = "panic", key = "sense.enemy", abort = "both",
    behaviors.selector {
      behaviors.sequence { IsInDanger {}, Flee { distance = 25 } },
      behaviors.sequence { behaviors.inverter { IsInDanger {} }, behaviors.wait(1, 3) },
      behaviors.wait(0.5),
    },
  },
  behaviors.condition { name = "fright", event = "heard", abort = "lower",
    behaviors.sequence { Flee { from = "sense.noise_at", distance = 25 }, behaviors.wait(2, 4) },
  },
  RunSubtree { tree = "wander" },
}
