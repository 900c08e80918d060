--- Driver: parks at the key `bay`, in the direction of `bay_heading` if its profile has a wheelbase, and stays there
-- while these keys are set. Else it drives round the points of the key `route` without a stop, or to random points far
-- away, and waits a moment at each. It minds nobody.

local behaviors = require "behaviors"
local FindRandomPointOnNavMesh = require "behaviors.nodes.find_random_point_on_navmesh"
local MoveTo = require "behaviors.nodes.move_to"
local Patrol = require "behaviors.nodes.patrol"

return behaviors.selector {
  behaviors.condition {
    name = "bay", key = "bay", abort = "both",
    behaviors.selector {
      behaviors.sequence { name = "park", MoveTo { to = "bay", heading = "bay_heading" }, behaviors.wait(1e6) },
      behaviors.wait(3, 5), -- there was no route
    },
  },
  behaviors.condition { name = "route", key = "route", Patrol { points = "route" } },
  behaviors.sequence {
    name = "trip", FindRandomPointOnNavMesh { radius = 80 }, MoveTo { to = "goal", within = 2 }, behaviors.wait(1, 4),
  },
  behaviors.wait(1, 3),
}
