---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Triangles with an area each, for baking. `area` is a name (default "ground"); false is solid ground that is never
--- walkable.
---@class leeward.Geometry
local Geometry = {}

---@return leeward.Geometry  empty
function leeward.geometry() end

--- How to read a level file, which may be hostile: a process of its own reads it, and only a glTF file has other
--- files opened for it, its buffers.
---@class leeward.Import
---@field allowed? string[]  Files, and folders with all below them, that the file may refer to beside its own folder
--- and what lies below that. Each must exist; relative names count from the working folder. [at most 256]
---@field memory? number  What the process may use, and all files in sum; a million triangles take about 600 MB.
--- [bytes, 64e6 to 1e12, default 900e6]
---@field seconds? integer  Processor time of the process, which also ends after four times that of real time. [s, 1 to
--- 86400, default 60]
---@field in_process? boolean  Read it in this process: for systems without child processes. A hostile file can then
--- crash this program. [default false]

--- Read a level file and its triangles: .obj, .gltf or .glb (glTF 2.0), .fbx, .dae, .ply, .stl, .off (faces of at
--- most 9 corners) or .3ds. A fourth number of a vertex in an OBJ divides its position, and an OBJ has at most 4096
--- materials. scripts/areas.lua maps them to areas.
---@param file string
---@param options? leeward.Import
---@return leeward.Geometry?
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE (also: its reader crashed), EMPTY, INVALID (wrong contents, `allowed`),
--- LIMIT (`memory`, `seconds`) or NO_BAKE (also: no leeward_import)
function leeward.load_geometry(file, options) end

---@class leeward.Box
---@field at? leeward.Point  Middle of the bottom. [m]
---@field center? leeward.Point  Instead of `at`. [m]
---@field size? leeward.Point  Width, height, depth. [m, > 0]
---@field yaw? number  About y, counter-clockwise seen from above. [rad, default 0]
---@field min? leeward.Point  Instead of place and size. [m]
---@field max? leeward.Point  [m]
---@field area? string|false
---@field cover? "hard"|"soft"|"none"  Kind of cover of its faces, see leeward.Area. [default: the area's]

--- Add a box. Its inside is solid: nothing in it is walkable, only its top, if `area` is.
---@param box leeward.Box
function Geometry:add_box(box) end

---@class leeward.Ramp
---@field from leeward.Point  Middle of one end of the upper face. [m]
---@field to leeward.Point  Of the other end. [m]
---@field width number  [m, > 0]
---@field thickness? number  0: a wedge that reaches down to the lower end. [m, >= 0, default 0]
---@field area? string|false
---@field cover? "hard"|"soft"|"none"  Kind of cover of its faces, see leeward.Area. [default: the area's]

--- Add a ramp. Its inside is solid, as that of a box.
---@param ramp leeward.Ramp
function Geometry:add_ramp(ramp) end

---@class leeward.Mesh
---@field vertices leeward.Point[]  [m]
---@field indices integer[]  Three for each triangle, from 1. Counter-clockwise corners face the open side.
---@field area? string|false  Of all triangles.
---@field cover? "hard"|"soft"|"none"  Kind of cover of all triangles. [default: their areas']
---@field areas? (string|false)[]  One for each triangle, instead of `area`.
---@field covers? ("hard"|"soft"|"none"|false)[]  One for each triangle, instead of `cover`; false: the area's
--- default.

--- Add triangles. On an error, nothing is added.
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
---@field area string|false  false: not walkable, and agents keep their radius away from it, as from a wall.
---@field box? leeward.MarkBox
---@field polygon? leeward.Point[]  Convex seen from above, in either winding; heights do not matter. [m]
---@field path? leeward.Point[]  The middle of a road or river: a smooth curve through these points (centripetal
--- Catmull-Rom) with square ends, or closed when the last point is the first again. [m]
---@field width? number  Of a path. [m, > 0]
---@field bottom? number  Polygon: lowest ground marked, default no limit. Path: relative to the curve, default -2.
--- [m]
---@field top? number  Polygon: highest ground marked, default no limit. Path: relative to the curve, default 2. [m]

--- Change the area of walkable ground at the bake. A mark adds no triangles, does not affect sight, and never turns
--- unwalkable ground into walkable ground. Where marks overlap, the later one takes precedence.
---@param mark leeward.Mark
function Geometry:mark_area(mark) end

--- An off-mesh link: a connection between two places without ground between them. It pays for openness, threats,
--- dangers and fire lanes along its line, a jump's arc, as the ground does; a teleport, which has no line, for none of
--- these but dangers where it ends.
---@class leeward.LinkDefinition
---@field kind "jump"|"drop"|"ladder"|"teleport"|"door"|"waypoint"
---@field from leeward.Point  Moved onto the navmesh within `radius`. [m]
---@field to leeward.Point  Moved the same way. [m]
---@field bidirectional? boolean  Also from `to` to `from`. [default false]
---@field radius? number  Largest distance in 3D by which each end may be moved. [m, > 0, default 1]
---@field length? number  Length for the cost of a path. [m, >= 0, default: the straight distance]
---@field area? string  Determines its price and which agents may use it. [default: the average of both ends]
---@field name? string  For World:link, and the states of permutations; several links may have one. [1..63 bytes]
---@field capacity? integer  Agents on it at a time, at most; 0: any number. [0..255, default 1 for a ladder, else 0]

--- Add an off-mesh link. The bake moves its ends to the nearest points on the navmesh. A link with an end that has
--- no such point within the radius is refused (`navmesh:refused_links()`), unless that end lies on another navmesh
--- of a world (`world:links()`). Islands with an end of a link are kept, however small.
---@param link leeward.LinkDefinition
function Geometry:add_link(link) end

---@class leeward.Water
---@field polygon leeward.Point[]  The outline from above; it may be concave, but must not touch or cross itself. [m]
---@field level number  Height of its surface. [m]
---@field bottom? number  Ground below this stays dry, such as a tunnel. [m, default: no limit]
---@field wade? number  Ground under deeper water gets the area `deep`, which has other prices. How deep an agent
--- may go in is its profile's `wade_depth`. [m, >= 0, default 0.6]
---@field shallow? string  [default "shallow_water"]
---@field deep? string  [default "deep_water"]

--- Add a body of water: ground below its level becomes shallow or deep water, by its depth. It adds no triangles.
--- Waters and marks apply in the order in which they were added. Depths are exact to a cell height on level ground,
--- and to the rise within a cell on slopes.
---@param water leeward.Water
function Geometry:add_water(water) end

--- One of `box` and `polygon`.
---@class leeward.Detail
---@field max_edge number  Longest edge of polygons there, seen from above, give or take 5 %. [m, >= 0.1]
---@field box? leeward.MarkBox
---@field polygon? leeward.Point[]  Convex seen from above, in either winding; heights do not matter. [m]
---@field bottom? number  Of a polygon. [m, default: no limit]
---@field top? number  Of a polygon. [m, default: no limit]

--- Cut polygons smaller where ground matters more: all that overlap the mark. Ground, heights, areas and what is
--- connected stay as they are. Where marks overlap, the least `max_edge` counts.
---@param detail leeward.Detail
function Geometry:mark_detail(detail) end

--- One of `box` and `polygon`.
---@class leeward.NoCover
---@field box? leeward.MarkBox  May be the box of the wall itself.
---@field polygon? leeward.Point[]  Convex seen from above, in either winding; heights do not matter. [m]
---@field bottom? number  Of a polygon. [m, default: no limit]
---@field top? number  Of a polygon. [m, default: no limit]

--- Remove cover at walls inside the region: where the hidden part of a standing agent, from the floor to the agents'
--- height, overlaps the region in height, so that cover on other storeys at the same wall stays. The walls still
--- block sight, and cover from `add_cover` stays.
---@param where leeward.NoCover
function Geometry:forbid_cover(where) end

---@class leeward.AddedCover
---@field from leeward.Point  Along its face, at the height of the ground. [m]
---@field to leeward.Point  At least 0.25 m away in xz. [m]
---@field height? number  Of its top above the ground. [m, > bottom, default 1]
---@field bottom? number  Of its lower edge above the ground. [m, >= 0, default 0]
---@field side? "left"|"right"|"both"  The agents' side, seen from `from` towards `to`. [default "both"]
---@field cover? "hard"|"soft"  [default "hard"]

--- Add a cover segment where the bake finds none, such as at a hedge. It needs ground beside it, within half a metre
--- of its height; a side without such ground is left out, and cover without any is refused
--- (`navmesh:refused_cover()`). It does not block sight, which needs triangles.
---@param cover leeward.AddedCover
function Geometry:add_cover(cover) end

--- Add a seed: a place where agents begin. With seeds, a bake leaves out ground that nobody can reach from any of them
--- over ground and links of any kind in their direction, whatever the agent's profile: roofs, ledges, the far side of a
--- wall. Seeds more than 2 m from the ground do not count, which the report notes.
---@param point leeward.Point  [m]
function Geometry:add_seed(point) end

--- Add the links and volumes of a file in RecastDemo's format (.gset), without the level that it names, and its seeds,
--- lines `p X Y Z`, which RecastDemo skips. scripts/areas.lua defines its area codes. On an error, nothing is added.
---@param file string
---@return integer? links
---@return integer|string volumes  or the message, with the line
---@return integer|leeward.Code? seeds  or the code, FILE or BAD_FILE
function Geometry:load_gset(file) end

---@return leeward.vec3 min  (0, 0, 0) while empty [m]
---@return leeward.vec3 max
function Geometry:bounds() end

---@return {vertices: integer, triangles: integer, marks: integer, links: integer, seeds: integer}  waters are marks
function Geometry:stats() end
