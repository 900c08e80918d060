--- Driver: drives round the points of the key `route` without a stop, or to random points far away, and waits a
-- moment at each. It minds nobody.

local behaviors = require "behaviors"
local FindRandomPointOnNavMesh = require "behaviors.nodes.find_random_point_on_navmesh"
local MoveTo = require "behaviors.nodes.move_to"
local Patrol = require "behaviors.nodes.patrol"

return behaviors.selector {
  behaviors.condition { name = "route", key = "route", Patrol { points = "route" } },
  behaviors.sequence {
    name = "trip", FindRandomPointOnNavMesh { radius = 80 }, MoveTo { to = "goal", within = 2 }, behaviors.wait(1, 4),
  },
  behaviors.wait(1, 3),
}
