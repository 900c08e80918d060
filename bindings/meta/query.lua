---@meta _
-- luacheck: ignore 241
---@class leeward.World
local World = {}

---@class leeward.GroundQuery
---@field profile? string|leeward.Profile  Only what it may enter counts. None: everything.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: the one that fits, see World:navmesh.

---@param point leeward.Point
---@param options? leeward.GroundQuery
---@return leeward.vec3?
---@return integer|string polygon  its id, or the message
---@return integer|leeward.Code navmesh  its number; or NO_POINT
function World:nearest_point(point, options) end

--- Is the point over the navmesh, and no further above or below than the tolerance?
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

--- Walk straight over the surface until the navmesh ends or what may not be entered begins.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point
---@param options? leeward.GroundQuery
---@return boolean? hit  nil: no navmesh at `a`
---@return leeward.vec3|string point  where it ended, or the message
---@return leeward.vec3|leeward.Code normal  of the edge that it hit; (0, 0, 0) without a hit
---@return number t  0..1 along the segment in xz; 1 without a hit
function World:raycast(a, b, options) end

--- Walk towards `b` and slide along what is in the way.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point
---@param options? leeward.GroundQuery
---@return leeward.vec3?
---@return string? message
---@return leeward.Code? code  NO_START
function World:move_along(a, b, options) end

---@class leeward.WallQuery: leeward.GroundQuery
---@field max? number  How far to look. [m, > 0, default 20]

--- The nearest edge that leads nowhere, or to where the profile may not go, as one walks: walls of other floors, and
--- those behind a wall, do not count.
---@param point leeward.Point  moved onto the navmesh
---@param options? leeward.WallQuery
---@return number? distance  in xz [m]
---@return leeward.vec3|string point  of the wall, or the message
---@return leeward.vec3|leeward.Code normal  away from the wall; or NO_START, NOT_FOUND: none within `max`
function World:distance_to_wall(point, options) end

--- The polygons that a circle covers in part or whole, in xz, as far as one can walk from its centre without leaving
--- it: other floors and what lies behind a wall do not count.
---@param point leeward.Point  centre, moved onto the navmesh
---@param radius number  [m, >= 0]
---@param options? leeward.GroundQuery
---@return integer[]? polygons  the centre's own first, then in steps outwards
---@return integer|string navmesh  its number, or the message
---@return leeward.Code? code  NO_START
function World:polygons_around(point, radius, options) end

---@class leeward.ReachableQuery: leeward.GroundQuery
---@field from leeward.Point  Moved onto the navmesh within `snap`. [m]
---@field max_cost? number  What a path may cost: metres without a profile. Default: at all. [metre-equivalents, >= 0]
---@field polygons? boolean  Give the polygons' ids. [default false]
---@field cost? leeward.Costs  Over the profile's, for this request.
---@field avoid? string[]  Instead of the profile's, for this request.

--- How much ground can be reached from a place, one way, on the navmesh of that place. With `max_cost`, of polygons
--- reached in part the part counts.
---@param query leeward.ReachableQuery
---@return number? area  In xz. [m2]
---@return integer|integer[]|string polygons  how many are reached in part or whole, or their ids; or the message
---@return leeward.Code? code  NO_START
function World:reachable_area(query) end

--- Is there any path from a to b? Off-mesh links count in the direction that they lead. Answered without a search.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point  moved onto the navmesh
---@param options? string|leeward.GroundQuery  a profile's name, or options
---@return boolean?
---@return string? message
---@return leeward.Code? code  NO_START or NO_GOAL
function World:connected(a, b, options) end

---@class leeward.RandomPointQuery: leeward.GroundQuery
---@field around? leeward.Point  Centre of the circle. Without it: anywhere on the navmesh named, or on all that have
---the size that fits the profile. [m]
---@field radius? number  In xz; needed with `around`. [m, > 0]

--- A point uniform by area over what is inside the circle and reachable from its centre. Never outside the circle,
--- nor on another navmesh than that of the centre.
---@param query leeward.RandomPointQuery
---@return leeward.vec3?
---@return string? message
---@return leeward.Code? code  NO_START or NO_POINT
function World:random_point(query) end
