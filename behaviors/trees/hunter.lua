--- Hunter: goes after an enemy that it sees, searches for it when it has lost it, goes to noises and to where others of
-- its team have seen somebody, and wanders otherwise.

local behaviors = require "behaviors"
local Investigate = require "behaviors.nodes.investigate"
local LookAt = require "behaviors.nodes.look_at"
local MoveTo = require "behaviors.nodes.move_to"
local RunSubtree = require "behaviors.nodes.run_subtree"
local Search = require "behaviors.nodes.search"

return behaviors.selector {
  behaviors.condition { name = "chase", key = "sense.enemy_seen", abort = "both",
    behaviors.sequence {
      MoveTo { to = "sense.enemy", within = 4, pace = "fast" }, LookAt { at = "sense.enemy_at", seconds = 1 },
    },
  },
  behaviors.condition { name = "search", key = "sense.enemy", abort = "lower",
    behaviors.sequence { Search { pace = "fast" }, behaviors.wait(0.5) },
  },
  behaviors.condition { name = "help", event = "contact", abort = "lower",
    Investigate { at = "event.contact", pace = "fast" },
  },
  behaviors.condition { name = "alert", key = "sense.noise_at", abort = "lower", Investigate { pace = "normal" } },
  RunSubtree { tree = "wander" },
}
