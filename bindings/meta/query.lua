---@meta _
-- luacheck: ignore 241
---@class leeward.World
local World = {}

---@class leeward.GroundQuery
---@field profile? string|leeward.Profile  Restricts the query to ground that it may enter. Without: all ground.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: see World:navmesh.

--- The point of the navmesh nearest to a point, within the snap box: of what each polygon has in the box, in xz, the
--- nearest in xz, if its height is in the box, too.
---@param point leeward.Point
---@param options? leeward.GroundQuery
---@return leeward.vec3?
---@return integer|string polygon  its id, or the message
---@return integer|leeward.Code navmesh  its number; or NO_POINT
function World:nearest_point(point, options) end

--- Whether the navmesh is above or below the point, within the tolerance in height.
---@param point leeward.Point
---@param options? {tolerance: number?, profile: (string|leeward.Profile)?, navmesh: (leeward.Navmesh|integer)?}
---  tolerance [m, >= 0, default 0.5]
---@return boolean
function World:contains(point, options) end

--- The height of the floor nearest in height above or below the point.
---@param point leeward.Point
---@param options? {profile: (string|leeward.Profile)?, navmesh: (leeward.Navmesh|integer)?}
---@return number?  [m]
---@return string? message
---@return leeward.Code? code  NO_POINT
function World:height_at(point, options) end

--- Cast a ray over the surface, up to the end of the navmesh or of the ground that the profile may enter.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point
---@param options? leeward.GroundQuery
---@return boolean? hit  nil: no navmesh at `a`
---@return leeward.vec3|string point  the end of the ray, or the message
---@return leeward.vec3|leeward.Code normal  of the edge at the hit; (0, 0, 0) without a hit
---@return number t  0..1 along the segment in xz; 1 without a hit
function World:raycast(a, b, options) end

--- Move over the surface towards `b`, sliding along walls.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point
---@param options? leeward.GroundQuery
---@return leeward.vec3?
---@return string? message
---@return leeward.Code? code  NO_START
function World:move_along(a, b, options) end

---@class leeward.WallQuery: leeward.GroundQuery
---@field max? number  Largest distance. [m, > 0, default 20]

--- The nearest wall: an edge without a neighbour, with one that the profile may not enter, or with a step that it does
--- not climb. Only walls that can be reached over the surface within the distance count, not those of other floors or
--- behind a wall.
---@param point leeward.Point  moved onto the navmesh
---@param options? leeward.WallQuery
---@return number? distance  in xz [m]
---@return leeward.vec3|string point  of the wall, or the message
---@return leeward.vec3|leeward.Code normal  pointing away from the wall; or NO_START, NOT_FOUND (none within `max`)
function World:distance_to_wall(point, options) end

--- The polygons that overlap a circle in xz and are connected to its centre inside the circle: not those of other
--- floors or behind a wall.
---@param point leeward.Point  centre, moved onto the navmesh
---@param radius number  [m, >= 0]
---@param options? leeward.GroundQuery
---@return integer[]? polygons  that of the centre first, then by the count of portals from it
---@return integer|string navmesh  its number, or the message
---@return leeward.Code? code  NO_START
function World:polygons_around(point, radius, options) end

---@class leeward.ReachableQuery: leeward.GroundQuery
---@field from leeward.Point  Moved onto the navmesh within `snap`. [m]
---@field max_cost? number  Largest cost of a path, in metres without a profile. Default: no limit.
--- [metre-equivalents, >= 0]
---@field polygons? boolean  Return the polygons' ids. [default false]
---@field cost? leeward.Costs  Replaces the profile's numbers for this request.
---@field avoid? string[]  Replaces the profile's list for this request.

--- The ground that can be reached from a point on its navmesh, without the need to return. With `max_cost`, polygons
--- reached in part count in part.
---@param query leeward.ReachableQuery
---@return number? area  In xz. [m2]
---@return integer|integer[]|string polygons  the count of polygons reached in part or whole, or their ids; or the
--- message
---@return leeward.Code? code  NO_START
function World:reachable_area(query) end

--- Whether there is any path from a to b, with off-mesh links in their directions. Answered without a search.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point  moved onto the navmesh
---@param options? string|leeward.GroundQuery  a profile's name, or options
---@return boolean?
---@return string? message
---@return leeward.Code? code  NO_START or NO_GOAL
function World:path_exists(a, b, options) end

---@class leeward.RandomPointQuery: leeward.GroundQuery
---@field around? leeward.Point  Centre of the circle. Without: anywhere on `navmesh`, or on all navmeshes of the
--- size that fits the profile. [m]
---@field radius? number  Of the circle in xz. Required with `around`. [m, > 0]
---@field min_distance? number  At least so far from `around`, or else from `connected_to`, in xz. [m, >= 0, < radius,
--- default 0]
---@field connected_to? leeward.Point  Only ground that can be reached from here: no roofs, no islands. [default: from
--- `around`; without both, all ground] [m]
---@field avoid? string[]  Areas that may not be entered, beside those of the profile.
---@field only? string[]  Areas to draw from: others are walked over, but no point lies there. [default: all]

--- A random point, uniform by area over the ground inside the circle that is reachable from its centre, on the
--- navmesh of the centre; without a circle, over all ground.
---@param query? leeward.RandomPointQuery
---@return leeward.vec3?
---@return string? message
---@return leeward.Code? code  NO_START or NO_POINT
function World:random_point(query) end
