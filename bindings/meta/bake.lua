---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Recast's settings in SI units.
---@class leeward.BakeSettings
---@field cell_size? number  Voxel width. [m, > 0, default 0.3]
---@field cell_height? number  Voxel height. [m, > 0, default 0.1]
---@field agent_radius? number  [m, >= 0, default 0.4] Rounded up to whole cells.
---@field agent_height? number  [m, > 0, default 1.75] Rounded up to whole cells.
---@field agent_climb? number  Highest step. [m, >= 0, default 0.4] Rounded up to whole cells.
---@field agent_slope? number  Steepest slope. [degrees, 0..90, default 45]
---@field tile_size? number  [m, > 0, default 32] Rounded up to whole cells.
---@field min_region_area? number  Smaller islands are left out, unless a link needs them. [m2, >= 0, default 2]
---@field merge_region_area? number  Smaller regions join their neighbours. [m2, >= 0, default 36]
---@field max_edge_error? number  How far a border may stray from the voxels (0.9 cells at most where a bent path is
--- marked). [m, > 0, default 0.39]
---@field max_edge_length? number  Longer border edges are cut; 0: never. [m, >= 0, default 12]
---@field detail_distance? number  Between height samples; 0: none. [m, >= 0, default 1.8]
---@field detail_error? number  How far the surface may stray from them. [m, >= 0, default 0.1]
---@field exposure_range? number  How far around each polygon is looked for what hides it, for its `exposure` (see
--- leeward.Polygon); 0: nothing is looked at, and all ground lies open, exposure 1. [m, >= 0, default 30]
---@field swim_depth? number  Deeper water counts for a polygon's `deep_water`. [m, >= 0, default 1.5]
---@field pair_range? number  Keep for each two polygons no further apart whether someone over one surely sees nothing
--- of someone over the other, surely all, or neither is sure, in about two bits: then threats that look at paths cost
--- less, to the same answers. Meant are eyes and bodies 0.5 to 1.7 m above the ground. Takes 0.03 to 2 s for 60 to
--- 1,300 polygons. Needs `occluders` or `cover_map`. 0: not made; 60 suits most. [m, >= 0, default 0]
---@field bounds? leeward.Point[]|{min: leeward.Point, max: leeward.Point}  Only what is inside. Default: everything.
---@field threads? integer  That many bake tiles, to the same bytes. [0..256, 0: one a processor (default)]
---@field occluders? boolean  Keep what blocks sight, for world:exposure: the whole level's, also outside of `bounds`,
--- to a millimetre. Where triangles are very large (a sky), what is far from all that may be walked on is left out,
--- beyond 256 m at the nearest; where that is not enough, the millimetre is given up. `report.notes` says so. [default
--- true]
---@field cover_segments? boolean  Find where agents may take cover, for world:cover_segments. [default true]
---@field cover_map? boolean  Make a cover map, for `accuracy = "map"`: what is seen, but for a few per cent, from a
--- small part of the occluders' memory. Without `occluders` only those are kept that the map names. Takes about
--- half a millisecond a polygon and thread. [default false]
---@field tiles? integer[]  Only those from the first to the last, counted from 1, row by row over the grid: a part
--- for `merge_navmeshes`. Small islands stay until then. A last beyond the last there is means that one. Default: all.
---@field links? string  A gset file whose links and volumes count for this bake as if they were in the geometry.
---@field progress? fun(done: integer, total: integer): boolean?  After each tile; false cancels.

---@class leeward.BakeReport
---@field notes string[]  each setting that was rounded, with why
---@field tiles integer
---@field tiles_total integer  of the whole grid
---@field tiles_empty integer
---@field islands_dropped integer  smaller than min_region_area over all tiles, and left out
---@field tile_seconds number  that the tiles took: ground, polygons, what joins them
---@field occluder_seconds number  that finding what blocks sight took: with several threads, while others bake tiles
---@field exposure_seconds number  that looking how open the ground lies took, and how much of it is in deep water
---@field cover_seconds number  that finding cover segments took
---@field cover_map_seconds number  that making the cover map took
---@field pair_seconds number  that making the table of pairs took
---@field used leeward.BakeSettings  the settings as the voxel grid could meet them

--- An error in `progress` is raised after the bake has been cancelled.
---@param geometry leeward.Geometry
---@param settings? leeward.BakeSettings
---@return leeward.Navmesh?
---@return leeward.BakeReport|string report  or the message
---@return leeward.Code? code  EMPTY, LIMIT, NOT_FOUND (the first of `tiles`), CANCELLED, NO_BAKE or BAKE_FAILED
function leeward.bake(geometry, settings) end

---@class leeward.RebuildSettings: leeward.BakeSettings
---@field box leeward.Point[]|{min: leeward.Point, max: leeward.Point}  Holds everything that came, went or changed. [m]

--- Bake a navmesh's tiles anew where the geometry has changed: saved, the result has the same bytes as a whole bake of
--- the geometry as it is now. The settings are those of the first bake (without `tiles`, `links`); where the geometry
--- may grow towards lower x or z, both need the same `bounds`. Ids of polygons in tiles that are what they were stay.
---@param navmesh leeward.Navmesh  stays as it is
---@param geometry leeward.Geometry  as it is now
---@param settings leeward.RebuildSettings
---@return leeward.Navmesh?
---@return leeward.BakeReport|string report  `tiles`: how many were baked; or the message
---@return leeward.Code? code  as for leeward.bake
function leeward.rebuild(navmesh, geometry, settings) end

--- How many tiles a bake with these settings has, empty ones too.
---@param geometry leeward.Geometry
---@param settings? leeward.BakeSettings
---@return integer? count
---@return integer|string columns  along x, or the message
---@return integer|leeward.Code rows  along z, or the code: EMPTY or LIMIT
function leeward.count_tiles(geometry, settings) end

--- Join the parts of a bake, in any order: saved, the result has the same bytes as if all had been baked at once.
---@param parts leeward.Navmesh[]
---@return leeward.Navmesh?
---@return string? message  Parts and tiles count from 1.
---@return leeward.Code? code  INVALID (parts of different bakes, tiles in two parts or none) or EMPTY
function leeward.merge_navmeshes(parts) end
