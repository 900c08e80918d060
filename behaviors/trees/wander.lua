--- Wander: walk to a point nearby, wait, and repeat.
--
-- The selector's second child handles failure: an agent that finds no point, or cannot reach it, waits and tries again.
-- Without it, a failing tree would start again at every step.

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
