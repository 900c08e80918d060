--- Patrol: walks round the points of the key `route`, or wanders without one. It goes to see what makes a noise, and
-- looks at an enemy as long as it sees one, and tells its team.

local behaviors = require "behaviors"
local Investigate = require "behaviors.nodes.investigate"
local LookAt = require "behaviors.nodes.look_at"
local Patrol = require "behaviors.nodes.patrol"
local RunSubtree = require "behaviors.nodes.run_subtree"
local Say = require "behaviors.nodes.say"

return behaviors.selector {
  behaviors.condition { name = "watch", key = "sense.enemy_seen", abort = "both",
    behaviors.sequence {
      Say { name = "contact", value = "sense.enemy_at" }, LookAt { at = "sense.enemy_at", seconds = 3 },
    },
  },
  behaviors.condition { name = "alert", event = "heard", abort = "lower", Investigate {} },
  behaviors.condition { name = "round", key = "route", Patrol { points = "route", wait = 2, pace = "calm" } },
  RunSubtree { tree = "wander" },
}
