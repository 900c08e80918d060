---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Tiles of convex polygons. It never changes, so that any number of worlds may use it.
---@class leeward.Navmesh
local Navmesh = {}

---@class leeward.NavmeshDefinition
---@field vertices leeward.Point[]  [m] Equal positions are welded.
---@field polygons integer[][]  Numbers of vertices from 1; convex, either winding, 3..255 corners.
---@field areas? string[]  One for each polygon. Default: all "ground".
---@field exposure? number[]|number  How open each polygon lies, or one for all. [0..1, default 1]
---@field deep_water? number[]|number  The part of each that lies under deep water, or one for all. [0..1, default 0]
---@field agent_radius? number  What the polygons already keep from walls. Agents no larger find them as they
--- are, larger ones keep off their borders. [m, >= 0, default 0.4]
---@field climb? number  By how much edges that overlap may differ in height. [m, >= 0, default 0.4]
---@field links? leeward.Link[]  Off-mesh links; those that cannot be joined are refused.

--- From polygons made elsewhere; a concave or degenerate one raises.
---@param definition leeward.NavmeshDefinition
---@return leeward.Navmesh
function leeward.navmesh(definition) end

---@param file string
---@return leeward.Navmesh?
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE (foreign, truncated, altered) or NOT_FOUND (an area)
function leeward.load_navmesh(file) end

--- Written beside the file and then renamed, so that a crash leaves the old file or the new.
---@param file string
---@return true?
---@return string? message
---@return leeward.Code? code  FILE
function Navmesh:save(file) end

--- Check every invariant.
---@return true?
---@return string? message  the first that does not hold
---@return leeward.Code? code
function Navmesh:validate() end

---@class leeward.NavmeshStats
---@field polygons integer
---@field vertices integer
---@field tiles integer
---@field portals integer  Directed: a shared edge counts twice.
---@field offmesh_links integer  That have joined; a bidirectional one counts once.
---@field offmesh_refused integer
---@field islands integer  Parts that no portal joins.
---@field cover_segments integer  Stretches of wall to take cover at.
---@field cover_map_bytes integer  Of the cover map, without the occluders that it names; 0: there is none.
---@field pair_bytes integer  Of the table of pairs of polygons (`pair_range` of the bake); 0: there is none.
---@field pair_range number  How far apart pairs are that it knows. [m]
---@field pairs_hidden number  Of two places that are no further apart: how likely their polygons surely see nothing of
--- one another. [0..1]
---@field pairs_visible number  And how likely surely all. [0..1]
---@field cover_map_loss number  What `accuracy = "map"` loses: off by so much of the way in the mean. [0..1]
---@field occluders integer  Convex polygons that block sight.
---@field bytes integer  Memory held.
---@field area number  In xz. [m2]
---@field exposure number  Mean of the polygons' over the ground. [0..1]
---@field deep_water number  The part of the ground that lies under deep water. [0..1]

---@return leeward.NavmeshStats
function Navmesh:stats() end

---@return leeward.vec3 min  [m]
---@return leeward.vec3 max
function Navmesh:bounds() end

--- For whom it was baked; of one made from polygons, what was said of it, and height 0.
---@return {radius: number, height: number, climb: number}  [m]
function Navmesh:agent() end

---@class leeward.Polygon
---@field id integer
---@field area string
---@field island integer
---@field corners leeward.vec3[]  counter-clockwise seen from above
---@field area_m2 number  In xz. [m2]
---@field exposure number  How open it lies, from 0 (nothing sees it) to 1 (open ground), as the bake found
--- (`exposure_range`) or its maker said; its area's own exposure comes on top. [0..1, in 255ths]
---@field deep_water number  The part of it under deep water (`swim_depth`). [0..1, in 255ths]

---@return leeward.Polygon[]
function Navmesh:polygons() end

---@class leeward.JoinedLink
---@field index integer  As it was asked for, from 1.
---@field kind string
---@field from leeward.vec3  On the mesh. [m]
---@field to leeward.vec3  On the mesh. [m]
---@field bidirectional boolean
---@field radius number  [m]
---@field length number  What it counts for in a path. [m]
---@field area? string

--- The off-mesh links that have joined.
---@return leeward.JoinedLink[]
function Navmesh:links() end

---@class leeward.RefusedLink
---@field index integer  As it was asked for, from 1.
---@field reason string  Which end, and how far the nearest navmesh is.
---@field kind string
---@field from leeward.vec3  As it was asked for. [m]
---@field to leeward.vec3  As it was asked for. [m]
---@field bidirectional boolean
---@field radius number  [m]
---@field area? string

--- The off-mesh links that have not. In a part of a bake that is all of them: they are joined when parts are merged.
---@return leeward.RefusedLink[]
function Navmesh:refused_links() end

--- How deep the water is on the floor nearest in height to the point, whatever the area there; 0 where it is dry.
---@param point leeward.Point
---@return number? depth  [m]
---@return string? message
---@return leeward.Code? code  NO_POINT
function Navmesh:water_depth(point) end
