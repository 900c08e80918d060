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

---@param box leeward.Box
function Geometry:add_box(box) end

---@class leeward.Ramp
---@field from leeward.Point  Middle of one end of the upper face. [m]
---@field to leeward.Point  Of the other end. [m]
---@field width number  [m, > 0]
---@field thickness? number  0: a wedge that reaches down to the lower end. [m, >= 0, default 0]
---@field area? string|false

---@param ramp leeward.Ramp
function Geometry:add_ramp(ramp) end

---@class leeward.Mesh
---@field vertices leeward.Point[]  [m]
---@field indices integer[]  Three a triangle, from 1. Counter-clockwise corners face the open side.
---@field area? string|false  Of all triangles.
---@field areas? (string|false)[]  One for each triangle, instead of `area`.

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

--- Give walkable ground another area when it is baked. Adds no triangles and never makes unwalkable ground walkable.
--- Where marks overlap, the later one decides.
---@param mark leeward.Mark
function Geometry:mark_area(mark) end

---@return leeward.vec3 min  [m] (0, 0, 0) while empty
---@return leeward.vec3 max
function Geometry:bounds() end

---@return {vertices: integer, triangles: integer, marks: integer}
function Geometry:stats() end
