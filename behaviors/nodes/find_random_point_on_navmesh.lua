--- Draws a random point of the navmesh and writes it to the agent's blackboard.
--
--     FindRandomPointOnNavMesh { radius = 20, into = "goal" }
--     FindRandomPointOnNavMesh { radius = 8, around = "home", into = "goal" }
--     FindRandomPointOnNavMesh { radius = 30, only = { "grass" }, avoid = { "road" } }
--
-- The point is uniform by area over the ground inside the circle that the agent can reach from where it stands. Ends at
-- once: it succeeds, or fails with the reason when there is no such point.

local behaviors = require "behaviors"

--- What agent:random_point() is asked: one table for all starts, so that these leave Lua's collector nothing.
local query = {}

---@type fun(options?: leeward.FindRandomPointOnNavMeshOptions): leeward.Node
local FindRandomPointOnNavMesh = behaviors.leaf {
  name = "FindRandomPointOnNavMesh",

  options = {
    radius = 20,   -- of the circle, in xz [m, > 0]
    into = "goal", -- key of the blackboard to write
  },
  optional = {
    "around",       -- the centre of the circle: a key of the blackboard, or a point. Default: the agent's position.
    "connected_to", -- only ground that can be reached from there; the same. Default: the agent's position.
    "only",         -- names of areas: the point lies on these
    "avoid",        -- names of areas that may not be entered, beside those of the profile
  },

  ports = { into = "out vec3", around = "in vec3", connected_to = "in vec3" },

  check = function(options)
    return behaviors.check(options, { { "radius", "> 0" }, { "around", "point" }, { "connected_to", "point" } })
  end,

  start = function(agent, options)
    local reason
    query.radius, query.only, query.avoid = options.radius, options.only, options.avoid
    query.around, reason = behaviors.point(agent, options.around, "a point")
    if reason then return "failure", reason end
    query.connected_to, reason = behaviors.point(agent, options.connected_to, "a point")
    if reason then return "failure", reason end
    -- From the centre, the ground may be another island than the agent's.
    if query.around and not query.connected_to then query.connected_to = agent:position() end

    local point, message = agent:random_point(query)
    if not point then return "failure", message end

    agent.blackboard[options.into] = point
    return "success"
  end,
}

return FindRandomPointOnNavMesh
