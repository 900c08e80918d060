--- Draws a random point of the navmesh and writes it to the agent's blackboard.
--
--     FindRandomPointOnNavMesh { radius = 20, into = "goal" }
--     FindRandomPointOnNavMesh { radius = 8, around = "home", into = "goal" }
--
-- The point is uniform by area over the ground inside the circle that the agent's profile can reach. The leaf ends at
-- once: it succeeds, or fails with the reason when there is no such point.

local behaviors = require "behaviors"

---@type fun(options?: leeward.FindRandomPointOnNavMeshOptions): leeward.Node
local FindRandomPointOnNavMesh = behaviors.leaf {
  name = "FindRandomPointOnNavMesh",

  options = {
    radius = 20,   -- of the circle, in xz [m, > 0]
    into = "goal", -- key of the blackboard to write
  },
  optional = {
    "around", -- the centre of the circle: a key of the blackboard, or a point. Default: the agent's position.
  },

  ports = { into = "out vec3", around = "in vec3" },

  check = function(options)
    return behaviors.check(options, { { "radius", "> 0" }, { "around", "point" } })
  end,

  start = function(agent, options)
    local around, reason
    if options.around ~= nil then
      around, reason = behaviors.point(agent, options.around)
      if not around then return "failure", reason end
    end

    local point, message = agent:random_point { around = around, radius = options.radius }
    if not point then return "failure", message end

    agent.blackboard[options.into] = point
    return "success"
  end,
}

return FindRandomPointOnNavMesh
