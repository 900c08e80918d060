--- Hunter: goes after an enemy to where it saw it last, searches for it there when it no longer sees it, goes to
-- noises and to where others of its team have seen somebody, and wanders otherwise.

local behaviors = require "behaviors"
local Investigate = require "behaviors.nodes.investigate"
local LookAt = require "behaviors.nodes.look_at"
local MoveTo = require "behaviors.nodes.move_to"
local RunSubtree = require "behaviors.nodes.run_subtree"
local Search = require "behaviors.nodes.search"

return behaviors.selector {
  behaviors.condition { name = "chase", key = "sense.enemy", abort = "both",
    behaviors.sequence {
      MoveTo { to = "sense.enemy_at", track = true, within = 4, pace = "fast" },
      behaviors.selector {
        behaviors.sequence {
          behaviors.condition { key = "sense.enemy_seen" }, LookAt { at = "sense.enemy_at", seconds = 1 },
        },
        Search { pace = "fast" },
        behaviors.wait(0.5),
      },
    },
  },
  behaviors.condition { name = "help", event = "contact", abort = "lower",
    Investigate { at = "event.contact", pace = "fast" },
  },
  behaviors.condition { name = "alert", event = "heard", abort = "lower", Investigate { pace = "normal" } },
  RunSubtree { tree = "wander" },
}
