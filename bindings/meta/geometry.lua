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

---@return leeward.vec3 min  [m] (0, 0, 0) while empty
---@return leeward.vec3 max
function Geometry:bounds() end

---@return {vertices: integer, triangles: integer}
function Geometry:stats() end
