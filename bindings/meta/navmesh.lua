---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Tiles of convex polygons. Immutable, so that any number of worlds may share it.
---@class leeward.Navmesh
local Navmesh = {}

---@class leeward.NavmeshDefinition
---@field vertices leeward.Point[]  [m] Equal positions are welded.
---@field polygons integer[][]  Numbers of vertices from 1; convex, either winding, 3..255 corners.
---@field areas? string[]  One for each polygon. Default: all "ground".
---@field openness? number[]|number  Openness of each polygon, or one number for all. [0..1, default 1]
---@field depth? (number|number[])[]|number  Depth of the water over each polygon, or least and most, or one depth for
--- all. Kept in steps of 0.01 m, up to 2.54 m. [m, >= 0, default 0]
---@field headroom? number[]|number  Headroom over each polygon, or one for all. Kept in steps of 0.05 m, rounded down,
--- up to 12.7 m. [m, > 0, default math.huge: unknown, which limits nobody]
---@field step? number[]|number  Highest step within each polygon, or one for all. Kept in steps of 0.01 m, rounded up.
--- [m, >= 0, default 0]
---@field agent_radius? number  Distance of the polygons from walls. Agents with a larger radius keep the difference
--- from their borders. [m, >= 0, default 0.4]
---@field climb? number  Largest difference in height, where they are nearest, of edges that overlap and connect. How
--- far they are apart, rounded up to 0.01 m, is a step that agents of a lower `climb` do not cross; up to 0.01 m is
--- rounding. Where it changes along them it counts by parts, one for each 0.1 m. [m, >= 0, default 0.4]
---@field links? leeward.LinkDefinition[]  Off-mesh links; see Navmesh:refused_links for those that cannot be joined.

--- A navmesh from polygons. A concave or degenerate polygon raises.
---@param definition leeward.NavmeshDefinition
---@return leeward.Navmesh
function leeward.navmesh(definition) end

--- Read a navmesh file.
---@param file string
---@return leeward.Navmesh?
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE (foreign, truncated, altered) or NOT_FOUND (an area)
function leeward.load_navmesh(file) end

--- Write a navmesh file: to a temporary file that is then renamed, so that a crash or a full disk leaves the old file.
--- A symbolic link stays, and what it leads to is written; a device or a folder is refused.
---@param file string
---@return true?
---@return string? message
---@return leeward.Code? code  FILE
function Navmesh:save(file) end

--- Check every invariant.
---@return true?
---@return string? message  the first broken one
---@return leeward.Code? code
function Navmesh:validate() end

---@class leeward.NavmeshStats
---@field polygons integer
---@field vertices integer
---@field tiles integer
---@field portals integer  Directed: a shared edge counts twice.
---@field offmesh_links integer  Joined ones; a bidirectional link counts once.
---@field offmesh_refused integer
---@field islands integer  Parts without a portal between them.
---@field cover_segments integer
---@field cover_map_bytes integer  Of the cover map, without the occluders that it refers to; 0: no cover map.
---@field visibility_table_bytes integer  Of the visibility table (`visibility_table_range` of the bake); 0: no table.
---@field visibility_table_range number  Largest distance in the visibility table. [m]
---@field pairs_hidden number  Share of pairs of places within that distance whose polygons surely do not see each
--- other. [0..1]
---@field pairs_visible number  Share of pairs whose polygons surely see each other. [0..1]
---@field cover_map_loss number  Mean error of `accuracy = "map"`, as a part of a segment. [0..1]
---@field occluders integer  Convex polygons that block sight.
---@field bytes integer  Memory held.
---@field area number  In xz. [m2]
---@field openness number  Mean openness of the ground. [0..1]
---@field deep_water number  Part of the ground under water deeper than 0.9 m, as deep as a `human` wades. [0..1]

---@return leeward.NavmeshStats
function Navmesh:stats() end

---@return leeward.vec3 min  [m]
---@return leeward.vec3 max
function Navmesh:bounds() end

--- The agent size of the bake; for a navmesh built from polygons, as its definition says, with height 0.
---@return {radius: number, height: number, climb: number}  [m]
function Navmesh:agent() end

---@class leeward.Polygon
---@field id integer
---@field area string
---@field island integer
---@field corners leeward.vec3[]  counter-clockwise seen from above
---@field area_m2 number  In xz. [m2]
---@field openness number  Openness, from 0 (nothing sees it) to 1 (open ground), from the bake (`openness_range`) or
--- the definition, without its area's `exposure`. [0..1, in 255ths]
---@field depth number[]  Least and most depth of the water over it; 0 and 0: none. 2.55 stands for all that is deeper
--- than 2.54. [m]
---@field headroom number  The least height from its surface to a ceiling, measured by voxels: up to two cell_heights of
--- the bake less than there is, 0.2 m by default, and never more; rounded down to 0.05 m. math.huge: 12.75 or more, or
--- unknown. [m]
---@field step number  Highest step within it: only agents with such a `climb` enter it. 0: none above the first of the
--- bake's `climbs`. Rounded up to 0.01 m; 2.55 stands for all that are higher than 2.54. [m]

---@return leeward.Polygon[]
function Navmesh:polygons() end

---@class leeward.JoinedLink
---@field index integer  Number of the link in the definition or geometry, from 1.
---@field kind string
---@field from leeward.vec3  On the mesh. [m]
---@field to leeward.vec3  On the mesh. [m]
---@field bidirectional boolean
---@field radius number  [m]
---@field length number  Length for the cost of a path. [m]
---@field area? string
---@field name? string
---@field capacity? integer  If one was given.

--- The joined off-mesh links.
---@return leeward.JoinedLink[]
function Navmesh:links() end

---@class leeward.RefusedLink
---@field index integer  Number of the link in the definition or geometry, from 1.
---@field reason string  Which end, and the distance to the nearest navmesh.
---@field kind string
---@field from leeward.vec3  As given. [m]
---@field to leeward.vec3  As given. [m]
---@field bidirectional boolean
---@field radius number  [m]
---@field area? string
---@field name? string
---@field capacity? integer  If one was given.

--- The refused off-mesh links. In a part of a bake, those are all links; they are joined when the parts are merged.
---@return leeward.RefusedLink[]
function Navmesh:refused_links() end

--- The depth of the water on the floor nearest in height to the point, for any area; 0 where the floor is dry.
---@param point leeward.Point
---@return number? depth  [m]
---@return string? message
---@return leeward.Code? code  NO_POINT
function Navmesh:water_depth(point) end
