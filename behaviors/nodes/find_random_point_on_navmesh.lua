--- Draws a point of the navmesh and writes it on the agent's blackboard.
--
--     FindRandomPointOnNavMesh { radius = 20, into = "goal" }
--     FindRandomPointOnNavMesh { radius = 8, around = "home", into = "goal" }
--
-- The point is inside the circle, and the agent's profile can reach it; every square metre is as likely as any other.
-- Ends at once: succeeds, or fails with the reason when there is no such point.

local behaviors = require "behaviors"

---@type fun(options?: leeward.FindRandomPointOnNavMeshOptions): leeward.Node
local FindRandomPointOnNavMesh = behaviors.leaf {
  name = "FindRandomPointOnNavMesh",

  options = {
    radius = 20,   -- how far away at most, in the plane [m]
    into = "goal", -- the blackboard's key to write
  },
  optional = {
    "around", -- the middle of the circle: a key of the blackboard, or a point. Default: where the agent stands.
  },

  check = function(options)
    if options.radius <= 0 then return ("'radius' expected metres > 0, got %s"):format(options.radius) end
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
