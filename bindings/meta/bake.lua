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
---@field min_region_area? number  Smaller islands are left out. [m2, >= 0, default 2]
---@field merge_region_area? number  Smaller regions join their neighbours. [m2, >= 0, default 36]
---@field max_edge_error? number  How far a border may stray from the voxels (0.9 cells at most where a bent path is
--- marked). [m, > 0, default 0.39]
---@field max_edge_length? number  Longer border edges are cut; 0: never. [m, >= 0, default 12]
---@field detail_distance? number  Between height samples; 0: none. [m, >= 0, default 1.8]
---@field detail_error? number  How far the surface may stray from them. [m, >= 0, default 0.1]
---@field bounds? leeward.Point[]|{min: leeward.Point, max: leeward.Point}  Only what is inside. Default: everything.
---@field threads? integer  That many bake tiles, to the same bytes. [0..256, 0: one a processor (default)]
---@field progress? fun(done: integer, total: integer): boolean?  After each tile; false cancels.

---@class leeward.BakeReport
---@field notes string[]  each setting that was rounded, with why
---@field tiles integer
---@field tiles_empty integer
---@field islands_dropped integer  smaller than min_region_area over all tiles, and left out
---@field used leeward.BakeSettings  the settings as the voxel grid could meet them

--- An error in `progress` is raised after the bake has been cancelled.
---@param geometry leeward.Geometry
---@param settings? leeward.BakeSettings
---@return leeward.Navmesh?
---@return leeward.BakeReport|string report  or the message
---@return leeward.Code? code  EMPTY, LIMIT, CANCELLED, NO_BAKE or BAKE_FAILED
function leeward.bake(geometry, settings) end
