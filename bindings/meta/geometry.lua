---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Triangles with an area each, to bake a navmesh from. `area` is a name (default "ground"); false is solid ground that
--- nobody ever stands on.
---@class leeward.Geometry
local Geometry = {}

---@return leeward.Geometry  empty
function leeward.geometry() end

--- Read OBJ, glTF, FBX or what else Assimp knows. Materials become areas as scripts/areas.lua says.
---@param file string
---@return leeward.Geometry?
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE, EMPTY, INVALID (what is in the file) or NO_BAKE
function leeward.load_geometry(file) end

---@class leeward.Box
---@field at? leeward.Point  Middle of the bottom. [m]
---@field center? leeward.Point  Instead of `at`. [m]
---@field size? leeward.Point  Width, height, depth. [m, > 0]
---@field yaw? number  About y, counter-clockwise seen from above. [rad, default 0]
---@field min? leeward.Point  Instead of place and size. [m]
---@field max? leeward.Point  [m]
---@field area? string|false
---@field cover? "hard"|"soft"|"none"  What its faces do to a look: "soft" hides but stops no shot. [default: as its
--- area says: hard; the sides of an area that conceals (undergrowth) soft, its top hard, as ground is]

---@param box leeward.Box
function Geometry:add_box(box) end

---@class leeward.Ramp
---@field from leeward.Point  Middle of one end of the upper face. [m]
---@field to leeward.Point  Of the other end. [m]
---@field width number  [m, > 0]
---@field thickness? number  0: a wedge that reaches down to the lower end. [m, >= 0, default 0]
---@field area? string|false
---@field cover? "hard"|"soft"|"none"  What its faces do to a look: "soft" hides but stops no shot. [default: as its
--- area says: hard; the sides of an area that conceals (undergrowth) soft, its top hard, as ground is]

---@param ramp leeward.Ramp
function Geometry:add_ramp(ramp) end

---@class leeward.Mesh
---@field vertices leeward.Point[]  [m]
---@field indices integer[]  Three a triangle, from 1. Counter-clockwise corners face the open side.
---@field area? string|false  Of all triangles.
---@field cover? "hard"|"soft"|"none"  Of all triangles. [default: as their areas say]
---@field areas? (string|false)[]  One for each triangle, instead of `area`.
---@field covers? ("hard"|"soft"|"none"|false)[]  One for each triangle, instead of `cover`; false: as its area says.

--- Either all of it is added or, on an error, nothing.
---@param mesh leeward.Mesh
function Geometry:add_mesh(mesh) end

---@class leeward.MarkBox
---@field at? leeward.Point  Middle of the bottom. [m]
---@field center? leeward.Point  Instead of `at`. [m]
---@field size? leeward.Point  Width, height, depth; ground at the bottom and at the top is inside. [m, > 0]
---@field yaw? number  About y, counter-clockwise seen from above. [rad, default 0]
---@field min? leeward.Point  Instead of place and size. [m]
---@field max? leeward.Point  [m]

--- One of `box`, `polygon` and `path`.
---@class leeward.Mark
---@field area string|false  false: nobody walks there, and agents keep their radius away from it, as from a wall.
---@field box? leeward.MarkBox
---@field polygon? leeward.Point[]  Convex seen from above, in either winding; heights do not matter. [m]
---@field path? leeward.Point[]  The middle of a road or river: a smooth curve through these points (centripetal
--- Catmull-Rom) with square ends, or closed when the last point is the first again. [m]
---@field width? number  Of a path. [m, > 0]
---@field bottom? number  Polygon: lowest ground marked, default no limit. Path: relative to the curve, default -2. [m]
---@field top? number  Polygon: highest ground marked, default no limit. Path: relative to the curve, default 2. [m]

--- Give walkable ground another area when it is baked. Adds no triangles, changes nothing of what they hide, and never
--- makes unwalkable ground walkable.
--- Where marks overlap, the later one decides.
---@param mark leeward.Mark
function Geometry:mark_area(mark) end

--- A way between two places that no ground joins.
---@class leeward.Link
---@field kind "jump"|"drop"|"ladder"|"teleport"|"door"|"waypoint"
---@field from leeward.Point  Moved onto the navmesh within `radius`. [m]
---@field to leeward.Point  Moved the same way. [m]
---@field bidirectional? boolean  Also from `to` to `from`. [default false]
---@field radius? number  How far, in 3D, each end may be moved. [m, > 0, default 1]
---@field length? number  What it counts for in a path. [m, >= 0, default: the straight distance]
---@field area? string  Priced as this area, and for those who may enter it. [default: as the average of both ends]

--- Ends are moved to the nearest place on the navmesh when it is built. A link whose end has none within its radius is
--- left out; `navmesh:refused_links()` says why. An end keeps the island that it is on, however small.
--- If an end lies on another navmesh of a world, the link joins there (`world:links()`).
---@param link leeward.Link
function Geometry:add_link(link) end

---@class leeward.Water
---@field polygon leeward.Point[]  The outline from above; it may be concave, but must not touch or cross itself. [m]
---@field level number  Height of its surface. [m]
---@field bottom? number  Ground below this is under something else: a tunnel. [m, default: no limit]
---@field wade? number  Water deeper than this is deep. [m, >= 0, default 0.6]
---@field shallow? string  [default "shallow_water"]
---@field deep? string  [default "deep_water"]

--- Adds no triangles: ground below the level becomes shallow or deep water, by its depth. Waters and marks decide in
--- the order in which they were added. Depths are right within a cell height on level ground, and within what the
--- ground rises in a cell on slopes.
---@param water leeward.Water
function Geometry:add_water(water) end

--- One of `box` and `polygon`.
---@class leeward.NoCover
---@field box? leeward.MarkBox  May be that of the wall itself.
---@field polygon? leeward.Point[]  Convex seen from above, in either winding; heights do not matter. [m]
---@field bottom? number  Of a polygon. [m, default: no limit]
---@field top? number  Of a polygon. [m, default: no limit]

--- Nobody is to take cover at walls there: where what the wall hides of one who stands there, from the floor up to the
--- agents' height, has a height in common with the region. So cover on other storeys at the same wall stays. The walls
--- hide what they hide all the same, and cover that was added (`add_cover`) stays.
---@param where leeward.NoCover
function Geometry:no_cover(where) end

---@class leeward.AddedCover
---@field from leeward.Point  Along its face, at the height of the ground. [m]
---@field to leeward.Point  At least 0.25 m away in xz. [m]
---@field height? number  Of its top above the ground. [m, > bottom, default 1]
---@field bottom? number  Of what hides, above the ground. [m, >= 0, default 0]
---@field side? "left"|"right"|"both"  Where one stands, on the way from `from` to `to`. [default "both"]
---@field cover? "hard"|"soft"  [default "hard"]

--- A stretch of cover where the bake finds none: a hedge, a smashed car. It is found as cover as far as there is
--- ground beside it, within half a metre of its height, but hides nothing: for that there must be triangles. A side
--- without such ground is left out; where there is none on any side, `navmesh:refused_cover()` says so.
---@param cover leeward.AddedCover
function Geometry:add_cover(cover) end

--- Add the links and volumes of a file in RecastDemo's format (.gset); the level that it names is not read. What its
--- area codes mean stands in scripts/areas.lua. On an error nothing is added.
---@param file string
---@return integer? links
---@return integer|string volumes  or the message, with the line
---@return leeward.Code? code  FILE or BAD_FILE
function Geometry:load_gset(file) end

---@return leeward.vec3 min  [m] (0, 0, 0) while empty
---@return leeward.vec3 max
function Geometry:bounds() end

---@return {vertices: integer, triangles: integer, marks: integer, links: integer}  waters are marks
function Geometry:stats() end
