---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Recast's settings in SI units.
---@class leeward.BakeSettings
---@field cell_size? number  Voxel width. [m, > 0] Default: half of agent_radius, or down to an eighth where agent_climb
--- would not let slopes of agent_slope pass; larger, with a note, in levels of more than 64 million columns of voxels.
---@field cell_height? number  Voxel height. [m, > 0, <= agent_height, default 0.1]
---@field agent_radius? number  [m, >= 0, default 0.4] Rounded up to whole cells.
---@field agent_height? number  Headroom of ground. [m, > 0, default 1.8] Rounded up to whole cells.
---@field crouch_height? number  Ground with less headroom, down to this, is kept as well, for agents that are lower or
--- crouch (`can_crouch`). 0: there is none. [m, 0..agent_height, default 0] Rounded up to whole cells.
---@field agent_climb? number  Highest step. [m, >= 0, default 0.4] Rounded up to whole cells.
---@field agent_slope? number  Steepest slope. [degrees, 0..90, default 45]
---@field tile_size? number  [m, > 0, default 32] Rounded up to whole cells, at least 8.
---@field min_region_area? number  Smaller islands are left out, unless a link needs them. [m2, >= 0, default 2]
---@field merge_region_area? number  Smaller regions join their neighbours. [m2, >= 0, default 36]
---@field max_edge_error? number  Largest distance of a border from the voxels (at most 0.9 cells along a marked
--- curve). [m, > 0, default 0.39]
---@field max_edge_length? number  Longer border edges are cut; 0: never. [m, >= 0, default 12]
---@field detail_distance? number  Between height samples; 0: none. [m, >= 0, default 0.9]
---@field detail_error? number  Largest distance of the surface from the samples. [m, >= 0, default 0.1]
---@field openness_range? number  Length of the rays that measure the openness of each polygon (`openness`, see
--- leeward.Polygon). 0: not measured, 1 everywhere. [m, >= 0, default 30]
---@field depths? number[]  Polygons under water are cut along these depths, so that agents with such a `wade_depth`
--- have all ground that they may enter. Up to eight, rising. [m, > 0, <= 2.5, default 0.4 0.9]
---@field heights? number[]  Polygons under ceilings are cut along these headrooms, so that agents with such a `height`,
--- or one of their stances, have all ground that they may enter: { 3 } for trucks. Up to eight, rising. Each makes more
--- polygons, and paths slower to find; without, each has the least headroom over it. [m, > 0, <= 12.7, default none]
---@field climbs? number[]  Polygons are cut round steps that are higher than these, so that agents with such a `climb`
--- have all ground that they may enter, but for a strip of a cell or two on both sides of each step. Lower steps than
--- the first are not measured: they bar nobody. Up to eight, rising. [m, > 0, <= 2.5, default 0.15 0.25 0.3 0.4]
---@field visibility_table_range? number  Bake a visibility table: for every two polygons up to this distance apart,
--- whether eyes and bodies 0.5 to 1.7 m above them surely do not see each other, surely do, or neither is sure.
--- Searches with threats are faster with it and give the same answers. Needs `occluders` or `cover_map`.
--- 0: no table; 60 suits most levels. [m, >= 0, default 0]
---@field auto_links? leeward.AutoLinks  Find off-mesh links: drops from ledges and jumps over gaps. Not with `tiles`.
--- Default: none.
---@field bounds? leeward.Point[]|{min: leeward.Point, max: leeward.Point}  Bake only what is inside. The grid
--- of tiles begins at `min`: bakes of several geometries with the same one have one grid. Default: everything.
---@field threads? integer  Threads that bake tiles; the result does not depend on them. [0..256, 0: one per processor
--- (default)]
---@field occluders? boolean  Keep what blocks sight, for world:exposure: of the whole level, also outside of
--- `bounds`, exact to a millimetre. With very large triangles (a sky), occluders far from all walkable ground, at
--- least 256 m, are left out, and if that is not enough, they are less exact; `report.notes` lists this. [default
--- true]
---@field cover_segments? boolean  Find where agents may take cover, for world:cover_segments. [default true]
---@field cover_map? boolean  Bake a cover map, for `accuracy = "map"`: approximate exposure with a small part of the
--- occluders' memory. Without `occluders`, only those that the map refers to are kept. [default false]
---@field tiles? integer[]  The first and the last tile to bake, counted from 1, row by row over the grid: a part for
--- `merge_navmeshes`, which drops small islands. A last beyond the grid means its last tile. Default: all.
---@field links? string  A gset file whose links, volumes and seeds are added to the geometry for this bake.
---@field seeds? leeward.Point[]  Places where agents begin, added to those of `geometry:add_seed` for this bake: ground
--- that nobody can reach from any of them is left out. Not for parts (`tiles`), which keep it, with a note. [m]
---@field progress? fun(done: integer, total: integer): boolean?  After each tile; false cancels.

--- What links to find at the navmesh's borders. The body of an agent (`agent_radius`, `agent_height`) must be free
--- all along, but for what is lower than `agent_climb` above its feet: of a drop, straight out over the edge, then
--- down; of a jump, along the parabola that agents take. A link is left out where a walk of at most three times its
--- length joins its ends, or another of its kind begins and ends within two metres.
---@class leeward.AutoLinks
---@field drop? number  The greatest height of a drop, one way down; at least more than `agent_climb`. 0: none.
--- [m, 0..100, default 0]
---@field jump? number  The greatest width of a gap between two edges of the ground, to within two cells. The other side
--- is at most `agent_climb` higher, or half of this lower; it leads both ways if neither side is more than
--- `agent_climb` higher. 0: none. [m, 0..100, default 0]

---@class leeward.BakeReport
---@field notes string[]  each setting that was rounded, with the reason
---@field tiles integer
---@field tiles_total integer  of the whole grid
---@field tiles_empty integer
---@field islands_dropped integer  left out, smaller than min_region_area over all tiles
---@field islands_unreachable integer  left out, because no seed leads to them
---@field auto_links integer  links found for `auto_links`; one that leads both ways counts once
---@field auto_link_seconds number  time for finding them
---@field tile_seconds number  time for the tiles: ground, polygons, portals
---@field occluder_seconds number  time for occluders, with several threads in parallel to the tiles
---@field openness_seconds number  time for the openness and the deep water of polygons
---@field cover_seconds number  time for cover segments
---@field cover_map_seconds number  time for the cover map
---@field visibility_table_seconds number  time for the visibility table
---@field used leeward.BakeSettings  the settings after rounding to the voxel grid

--- Bake a navmesh. An error in `progress` cancels the bake and is raised again.
---@param geometry leeward.Geometry
---@param settings? leeward.BakeSettings
---@return leeward.Navmesh?
---@return leeward.BakeReport|string report  or the message
---@return leeward.Code? code  EMPTY, LIMIT, NOT_FOUND (the first of `tiles`), CANCELLED, NO_BAKE or BAKE_FAILED
function leeward.bake(geometry, settings) end

---@class leeward.RebuildSettings: leeward.BakeSettings
---@field box leeward.Point[]|{min: leeward.Point, max: leeward.Point}  Contains everything that was added, removed
--- or changed. [m]

--- Bake the tiles of a navmesh again where the geometry has changed, and tiles beside them that this may reach: all
--- from the geometry given, which has to be whole there, too, since what it lacks there is gone. Saved, the result has
--- the same bytes as a whole bake of the changed geometry. The settings are those of the first bake, without `tiles`,
--- `links` and `seeds`; if the geometry may grow towards lower x or z, both bakes need the same `bounds`. Polygons of
--- unchanged tiles keep their ids. A geometry with seeds has all its tiles baked again: the change may open a way to
--- ground that had been left out.
---@param navmesh leeward.Navmesh  not changed
---@param geometry leeward.Geometry  the changed geometry
---@param settings leeward.RebuildSettings
---@return leeward.Navmesh?
---@return leeward.BakeReport|string report  `tiles` is the count of tiles baked again; or the message
---@return leeward.Code? code  as for leeward.bake
function leeward.rebuild(navmesh, geometry, settings) end

--- The count of tiles of a bake with these settings, empty ones included.
---@param geometry leeward.Geometry
---@param settings? leeward.BakeSettings
---@return integer? count
---@return integer|string columns  along x, or the message
---@return integer|leeward.Code rows  along z, or the code: EMPTY or LIMIT
function leeward.count_tiles(geometry, settings) end

--- Join the parts of a bake, in any order. Saved, the result has the same bytes as a whole bake.
---@param parts leeward.Navmesh[]
---@return leeward.Navmesh?
---@return string? message  Parts and tiles count from 1.
---@return leeward.Code? code  INVALID (parts of different bakes, tiles in two parts or none) or EMPTY
function leeward.merge_navmeshes(parts) end
