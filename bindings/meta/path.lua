---@meta _
-- luacheck: ignore 241

--- A path. It stays valid after its world is destroyed.
---@class leeward.Path
---@operator len: integer
local Path = {}

---@class leeward.World
local World = {}

---@class leeward.PathQuery
---@field from leeward.Point  Moved onto the navmesh within `snap`, to a place with space for the profile's radius.
--- [m]
---@field to leeward.Point|leeward.Point[]  A list: to the cheapest of them (Path:goal); those
--- without a place or a path are passed over. [m]
---@field profile? string|leeward.Profile  Without: only length counts, and every area may be entered.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number, for the whole path. Default: see
--- World:navmesh, for `from`, and for `to` if links lead from navmesh to navmesh (World:links).
---@field allow_partial? boolean  Accept the reachable point nearest the goal. Of each polygon it is the one nearest
--- from above. Of several goals, none of which can be reached, the one nearest to `from` counts. An agent that is shut
--- in between the walls of one polygon goes straight towards the goal as far as it fits. [default false]
---@field quality? "good"|"fast"|"exact"  Effort where areas have different prices: "good" comes near the cheapest path,
--- "fast" searches about as long as on ground of one price. "exact" is the shortest path as seen from above where each
--- metre costs the same, or that of "good" if it costs less; as "good" elsewhere, past threats and dangers, and for
--- agents larger than the navmesh was baked for. [default "good"]
---@field path_style? "taut"|"rounded"  "rounded" turns along arcs of the profile's `turn_radius`, which lead round the
--- corners on the outer side through the same polygons, and are smaller where there is no space. [default "taut"]
---@field max_nodes? integer  Search nodes to expand before giving up with OUT_OF_NODES. [1..2147483647, default no
--- limit]
---@field cost? leeward.Costs  Replaces the profile's numbers for this request.
---@field avoid? string[]  Replaces the profile's list for this request.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags for this request.
---@field threats? leeward.AnyThreat[]  A piece costs (cover_bias - 1) x its weighted exposure to them more. The
--- search considers the 64 with the largest weights; the cost of the result includes all.
---@field stance? string  Of the profile: the agent's stance in sight of threats. [default "stand"]
---@field accuracy? leeward.Accuracy  Of the exposure to threats, in the search and in the result. [default "auto"]
---@field heights? number[]  Heights instead of a stance, at most four. [m]
---@field team? string  Whose visibility counts, see World:set_visibility.
---@field visibility? number  Replaces the visibility of the world and the team. [0..1]

--- Find the cheapest path. The same build, world and query give the same path.
---@param query leeward.PathQuery
---@return leeward.Path?
---@return string? message
---@return leeward.Code? code  NO_START, NO_GOAL, NO_PATH, OUT_OF_NODES; NOT_FOUND: "map" without a cover map
function World:find_path(query) end

---@return leeward.vec3[]  corners, where ground, area or stance changes between them, and both ends of off-mesh links;
--- of an arc both ends, and between them points on tangents of its circle, at most 0.02 m outside of it
function Path:points() end

--- An arc of a rounded path, or a corner that had no space for one. Directions are counter-clockwise from +x, seen from
--- above.
---@class leeward.PathArc
---@field first integer  Of the path's points: where it begins.
---@field last integer  Where it ends; equal to `first` where the path turns in place.
---@field centre leeward.vec3  Of its circle, at the height of its first point. [m]
---@field radius number  0: it turns in place. [m, 0..turn_radius]
---@field from number  The direction from the centre to the first point; where `radius` is 0, of the path before it.
--- [rad]
---@field to number  The direction to the last point, or of the path behind it; > `from`: a left turn. [rad]
---@field is_reduced boolean  There was no space for the profile's `turn_radius`.

---@return leeward.PathArc[]  the arcs of a rounded path, in order; none of a taut one, or where `turn_radius` is 0
function Path:arcs() end

---@class leeward.PathLink
---@field index integer  Of the path's point where it begins; it ends at the next point.
---@field kind leeward.LinkKind
---@field from leeward.vec3
---@field to leeward.vec3
---@field navmesh? integer  Number of the navmesh that it leads to; nil: the navmesh of its start.
---@field link? leeward.Link  nil: it was removed since, or the world was destroyed.
---@field name? string  The link's.

---@return leeward.PathLink[]  the off-mesh links of the path, in order
function Path:links() end

---@return number  over the surface, inside polygons too; links count with their own `length` [m]
function Path:length() end

---@return number  for the query's profile [metre-equivalents]
function Path:cost() end

---@return number  length that any threat of the query sees; 0 without threats [m]
function Path:exposed() end

---@return number  part of the cost for the dangers that the path enters [metre-equivalents]
function Path:danger() end

---@return boolean
function Path:is_partial() end

---@return boolean  very many threats, dangers or fire lanes limited the search; a cheaper path may exist
function Path:is_reduced() end

---@param index? integer  of a point [default 1]
---@return integer?  number, in the path's world, of the navmesh that the point lies on; nil: no such point
function Path:navmesh(index) end

---@return integer  which goal of the list `to` it leads to, from 1 on; 1 where `to` is one point
function Path:goal() end

---@return integer  count of search nodes expanded
function Path:nodes() end

---@return string[]  the area of the piece that begins at each point but the last
function Path:areas() end

---@return string[]  the stance of the piece that begins at each point but the last: "stand", or under a ceiling that is
--- too low for it a lower one of the profile (`can_crouch`)
function Path:stances() end

---@return integer[] ids  of the polygons in order
---@return integer[] navmeshes  numbers of their navmeshes
function Path:corridor() end
