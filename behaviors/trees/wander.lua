--- Wander: walk to a place nearby, look around for a moment, walk on.
--
-- The selector's second child is the way out: an agent that finds no place to go, or cannot get there, waits a moment
-- and tries again. Without it a failing tree would start anew at every step.

local behaviors = require "behaviors"
local FindRandomPointOnNavMesh = require "behaviors.nodes.find_random_point_on_navmesh"
local MoveTo = require "behaviors.nodes.move_to"

return behaviors.selector {
  behaviors.sequence {
    name = "roam",
    FindRandomPointOnNavMesh { radius = 20, into = "goal" },
    MoveTo { to = "goal" },
    behaviors.wait(0.5, 2),
  },
  behaviors.wait(0.5, 2),
}
