/// @file bake.h
/// Bake: geometry -> navmesh, by Recast in tiles.
///
/// Needs libleeward_bake.so, which is loaded at the first bake or import: from the folder of libleeward.so (or
/// of the program or module that it is linked into), else from the folder above it, else from the one above
/// that, else from where the system's loader looks (LD_LIBRARY_PATH, ...). A file that exists but cannot be
/// loaded ends the search; lw_error.text says why.
///
/// Tiles do not depend on each other, so any number of threads and any order give the same bytes. If several
/// tiles fail, the error of the first in order (row by row) is reported.
///
/// Threads: bakes may run together, also of one geometry, which must not change meanwhile. A bake starts
/// threads of its own (lw_bake_settings.threads); it never calls its allocator from two threads at a time.
#ifndef LEEWARD_BAKE_H
#define LEEWARD_BAKE_H

#include "leeward/cover.h"
#include "leeward/geometry.h"
#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A part of the grid of tiles, counted row by row (lw_bake_count_tiles()).
typedef struct lw_tile_range {
  int first; ///< The first tile. [>= 0]
  /// How many tiles; more than there are: up to the last one. [>= 0; 0, with first 0: the whole grid]
  int count;
} lw_tile_range;

/// How a bake reports its progress.
typedef struct lw_bake_progress {
  /// Called on the calling thread after every tile. Returning false cancels the bake once the tiles that are
  /// being baked are done. [NULL: not called]
  bool (*report)(void *user, int done, int total);
  void *user; ///< Handed to `report`.
} lw_bake_progress;

/// Off-mesh links to find along the navmesh's borders: where the agent's body is free of all triangles (but for
/// what it steps over, lower than agent_climb), no walk of three times their length joins their ends, and none
/// of their kind begins and ends within two metres. They keep no small islands.
typedef struct lw_auto_links {
  /// Drops lead one way, from a border to the ground below. The greatest height; the least is more than
  /// agent_climb. 0: none. [m, 0..100, default 0]
  float drop;
  /// Jumps lead over gaps. The greatest width between two edges of the ground, to within two cells. The far end
  /// is at most agent_climb higher, which leads both ways, or half this width lower. [m, 0..100, default 0]
  float jump;
} lw_auto_links;

/// Columns of voxels that a grid has at most when its cell_size is not given.
#define LW_BAKE_COLUMNS 64000000

#define LW_BAKE_LIMITS_MAX 8 ///< Limits of one kind that a bake cuts along, at most.

/// More headroom than this counts as any: lw_poly.headroom is infinite there. [m]
#define LW_BAKE_HEADROOM_MAX 12.7f

/// Steps that are higher than this count as of any height. [m]
#define LW_BAKE_STEP_MAX 2.5f

/// Limits of one kind, rising.
typedef struct lw_bake_list {
  float items[LW_BAKE_LIMITS_MAX]; ///< [count]
  int count;                       ///< [0..LW_BAKE_LIMITS_MAX]
} lw_bake_list;

/// Limits of agents. Polygons are cut along them, so that none reaches from ground that agents with such a
/// limit may enter to ground that they may not. Each makes more polygons, and paths slower to find.
typedef struct lw_bake_limits {
  /// Depths of water: lw_profile_def.wade_depth. [m, > 0, <= LW_WADE_DEPTH_MAX, default 0.4 0.9]
  lw_bake_list depths;
  /// Of ceilings: lw_profile_def.height, and lw_profile_stance_height() of lower stances. Without, polygons
  /// are not cut, and each has the least headroom over it. [m, > 0, <= LW_BAKE_HEADROOM_MAX, default none]
  lw_bake_list heights;
  /// Steps: lw_profile_def.climb. Cut round the strips of a cell or two beside steps that are higher; treads
  /// smaller than min_region_area belong to them. Steps not above the first are not measured, those above
  /// agent_climb are walls. None: voxels decide. [m, > 0, <= LW_BAKE_STEP_MAX, default 0.25 0.3 0.4]
  lw_bake_list climbs;
  /// Ground with less headroom than agent_height, down to this, is kept as well, for agents that are lower or
  /// crouch (lw_body.can_crouch), and cut from the other along agent_height. Rounded up to whole cells. 0:
  /// there is none. [m, 0..agent_height, default 0]
  float crouch_height;
} lw_bake_limits;

/// What a bake does about cover.
typedef struct lw_bake_cover {
  bool segments; ///< Find cover segments. Parts get theirs when they are merged. [default true]
  /// Build a cover map, for LW_ACCURACY_MAP: an approximation in less memory. Without `occluders` only the
  /// occluders that the map names are kept. Parts get theirs when they are merged. [default false]
  bool map;
  lw_cover_map_criteria criteria; ///< What the cover map lists.
  /// Cut polygons that come this near to a cover segment as lw_geometry_mark_detail() does, on the ground this
  /// much above and below it. Needs `segments`; not with `tiles`; rebuilds bake all tiles. 0: none. [m, >= 0,
  /// default 0]
  float detail_near;
  /// Longest edge there. [m, LW_DETAIL_EDGE_MIN..LW_COORDINATE_MAX, default 2]
  float detail_edge;
} lw_bake_cover;

/// Polygons that marks for detail, or `detail_near`, may ask for, by their area. More is refused.
#define LW_BAKE_DETAIL_POLYGONS 1000000

/// Recast's settings in SI units, and what else to bake. Start from lw_bake_settings_default().
typedef struct lw_bake_settings {
  /// Width of a voxel. 0: half of agent_radius (of 0.4 m, if that is 0), or a third and so on up to an eighth
  /// where agent_climb would not let slopes of agent_slope pass; larger, with a note, where the grid would have
  /// more than LW_BAKE_COLUMNS columns of voxels. lw_bake_report.used has it. [m, >= 0, default 0]
  float cell_size;
  float cell_height; ///< Height of a voxel. [m, > 0, <= agent_height, default 0.1]
  /// Rounded up to whole cells. Borders come up to max_edge_error nearer to walls. [m, >= 0, default 0.4]
  float agent_radius;
  float agent_height;      ///< Headroom of ground. Rounded up to whole cells. [m, > 0, default 1.8]
  float agent_climb;       ///< Highest step, rounded up to whole cells. [m, >= 0, default 0.4]
  float agent_slope;       ///< Steepest walkable slope. [degrees, 0..90, default 45]
  float tile_size;         ///< Rounded up to whole cells, at least 8. [m, > 0, default 32]
  float min_region_area;   ///< Smaller islands are left out, unless a link needs them. [m2, >= 0, default 2]
  float merge_region_area; ///< Smaller regions are merged with their neighbours. [m2, >= 0, default 36]
  /// How far a border may be from the voxels; at most one cell in tiles that are cut along heights or climbs,
  /// 0.9 cells where a curved path is marked. 0: 1.3 cells. [m, >= 0, default 0]
  float max_edge_error;
  float max_edge_length; ///< Border edges are cut at this length; 0: never. [m, >= 0, default 12]
  float detail_distance; ///< Distance of height samples; 0: no samples. [m, >= 0, default 0.9]
  float detail_error;    ///< How far the surface may be from the samples. [m, >= 0, default 0.1]
  /// Range of the rays for lw_poly.openness: from points spread over each polygon, at half and nine tenths of
  /// agent_height, all round, from level to 45 degrees up; of waypoint edges, along them. Soft cover blocks
  /// them, too. Does not need `occluders`. 0: openness is 1 everywhere. [m, >= 0, default 30]
  float openness_range;
  lw_bake_limits limits; ///< Limits of agents to cut polygons along.
  /// Build the visibility table for polygons no further apart than this, which answers without occluders if it
  /// is sure. Needs `occluders` or `cover.map`. Parts get theirs when they are merged. 0: no table. [m, >= 0,
  /// default 0; 60 suits most levels]
  float visibility_table_range;
  lw_auto_links auto_links; ///< Off-mesh links to find. Not with `tiles`. [default none]
  /// Only what lies inside is baked. The grid of tiles begins at `min`, so that bakes of several geometries
  /// have one grid. [m, default min > max: the bounds of the geometry]
  lw_box bounds;
  int threads; ///< Threads that bake. 0: one for each processor; 1: the calling one. [0..256, default 0]
  /// Bake only these tiles: a part, which may be empty, for lw_navmesh_merge(). Polygons at its border have no
  /// neighbours there, and small islands stay, until the parts are merged. [default 0 0: all tiles, and no
  /// part]
  lw_tile_range tiles;
  /// Keep the occluders of the whole geometry, also outside of `bounds`, for lw_exposure_find(). If there are
  /// too many, far ones are left out or the tolerance of a millimetre is raised (lw_bake_report.note says so).
  /// Of a part, only with the first tile. [default true]
  bool occluders;
  lw_bake_cover cover;       ///< Cover segments, cover map, and finer ground near cover.
  lw_bake_progress progress; ///< [default not called]
  /// For the navmesh and all that the bake needs meanwhile, Recast's memory included: a program that uses the
  /// same library of Recast must not set its allocator (rcAllocSetCustom()) itself. Copied. NULL: the C
  /// library's. [default NULL]
  const lw_allocator *allocator;
  uint32_t cookie; ///< Set by lw_bake_settings_default(). Do not set.
} lw_bake_settings;

/// @return The defaults of all fields.
LW_API lw_bake_settings lw_bake_settings_default(void);

#define LW_BAKE_NOTES 8 ///< Notes in a report at most.

/// What a bake did.
typedef struct lw_bake_report {
  lw_bake_settings used; ///< The settings as rounded to the voxel grid.
  int tiles;             ///< Tiles baked.
  int tiles_empty;       ///< Tiles without a polygon.
  int tiles_total;       ///< Tiles of the whole grid: for a part, more than `tiles`.
  /// Islands left out because they were smaller than min_region_area, over all tiles.
  int islands_dropped;
  int islands_unreachable;         ///< Islands left out because no seed of the geometry leads to them.
  int auto_links;                  ///< Off-mesh links found. One that leads in both directions counts once.
  double tile_seconds;             ///< Wall-clock time for the tiles and joining them. [s]
  double occluder_seconds;         ///< Wall-clock time for the occluders, while other threads bake tiles. [s]
  double openness_seconds;         ///< Wall-clock time for openness and the deep parts of polygons. [s]
  double cover_seconds;            ///< Wall-clock time for cover segments. [s]
  double cover_map_seconds;        ///< Wall-clock time for the cover map. [s]
  double visibility_table_seconds; ///< Wall-clock time for the visibility table. [s]
  double auto_link_seconds;        ///< Wall-clock time for finding links. [s]
  int notes;                       ///< How many notes there are. [0..LW_BAKE_NOTES]
  char note[LW_BAKE_NOTES][160];   ///< [notes] Each setting that was changed, and why.
} lw_bake_report;

/// Bake a geometry.
/// @param settings  Borrowed for the call. NULL: the defaults.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(). Its area table is the geometry's. NULL
///   on an error.
/// @param[out] report  As far as the bake came. May be NULL.
/// @return LW_OK; LW_INVALID: a setting is out of range, named in `error`; LW_EMPTY: nothing to walk on;
///   LW_LIMIT: a tile has more than Recast can hold, or more than LW_BAKE_DETAIL_POLYGONS are wanted;
///   LW_NOT_FOUND: no tile tiles.first; LW_CANCELLED; LW_NO_BAKE; LW_BAKE_FAILED; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_bake(const lw_geometry *geometry, const lw_bake_settings *settings,
                                 lw_navmesh **navmesh, lw_bake_report *report, lw_error *error);

/// What to bake again. All is borrowed for the call. Start from lw_rebuild_def_default().
typedef struct lw_rebuild_def {
  /// Of a whole bake, of merged parts or of a rebuild. It stays as it is. Not NULL.
  const lw_navmesh *navmesh;
  const lw_geometry *geometry; ///< The geometry as it is now. Not NULL.
  /// The settings that the navmesh was baked with. The grid of tiles must not move: if the geometry may grow
  /// towards lower x or z, set `bounds` from the first bake on. [default NULL: the default settings]
  const lw_bake_settings *settings;
  lw_box changed;  ///< Holds, in xz, all that was added, removed or changed since then. [m, default empty]
  uint32_t cookie; ///< Set by lw_rebuild_def_default(). Do not set.
} lw_rebuild_def;
/// @return The defaults of all fields.
LW_API lw_rebuild_def lw_rebuild_def_default(void);

/// Bake the tiles of a navmesh in which the geometry has changed, and those to which small islands may come
/// back, also beside them: all from `geometry`, which has to be whole there, since what it lacks is gone. A
/// saved result has the bytes of a whole bake. Cover and, near changed occluders, openness are computed again.
/// @param[out] rebuilt  The caller frees it with lw_navmesh_destroy(). Polygon ids in unchanged tiles stay
///   valid, those in changed tiles become stale, and also those in later tiles if a tile became empty or was
///   empty. NULL on an error.
/// @param[out] report  As far as it came. May be NULL. `tiles`: how many were baked.
/// @return As lw_navmesh_bake(); LW_INVALID also if the navmesh is a part, the settings differ as far as can be
///   seen, the grid has moved, or the box touches no tile.
LW_API lw_status lw_navmesh_rebuild(const lw_rebuild_def *def, lw_navmesh **rebuilt, lw_bake_report *report,
                                    lw_error *error);

/* --- in the background --- */

/// A rebuild that runs on a thread of its own.
typedef struct lw_rebuild_job lw_rebuild_job;

/// Begin to rebuild on another thread, which begins further ones as settings.threads says.
/// @param def  Copied with its settings; `progress` is not called. Its navmesh and geometry are borrowed and
///   must not change until lw_rebuild_job_is_done(), nor may their areas. An allocator must be safe to call
///   from that thread.
/// @param[out] job  The caller frees it with lw_rebuild_job_destroy(). NULL on an error.
/// @return LW_OK, also where the bake of a tile will fail; LW_INVALID, LW_EMPTY, LW_LIMIT: as
///   lw_navmesh_rebuild(), found out before anything is baked; LW_OUT_OF_MEMORY.
LW_API lw_status lw_rebuild_job_start(const lw_rebuild_def *def, lw_rebuild_job **job, lw_error *error);
/// Any thread may ask, as about its progress.
/// @return Whether it has ended, so that lw_rebuild_job_wait() does not wait.
LW_API bool lw_rebuild_job_is_done(const lw_rebuild_job *job);
/// @param[out] done, total  Tiles; 0 before the first one is baked. Some work follows the last one. May be
///   NULL.
LW_API void lw_rebuild_job_progress(const lw_rebuild_job *job, int *done, int *total);
/// Let it end after the tile that it bakes, with LW_CANCELLED; what follows the last tile is not stopped. Does
/// not wait.
LW_API void lw_rebuild_job_cancel(lw_rebuild_job *job);
/// Wait for its end. One thread at a time may wait, take or destroy.
/// @return As lw_navmesh_rebuild().
LW_API lw_status lw_rebuild_job_wait(lw_rebuild_job *job, lw_error *error);
/// Wait for its end, and take the navmesh.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(). NULL on an error.
/// @param[out] report  May be NULL.
/// @return As lw_navmesh_rebuild(); LW_EMPTY: it was taken before.
LW_API lw_status lw_rebuild_job_take(lw_rebuild_job *job, lw_navmesh **navmesh, lw_bake_report *report,
                                     lw_error *error);
/// Cancel it, wait for its end, and free it. @param job  NULL: nothing happens.
LW_API void lw_rebuild_job_destroy(lw_rebuild_job *job);

/* --- tiles --- */

/// Add, replace and remove tiles, for streaming and editing: nothing is baked. Openness, links that begin there
/// and water come with the tiles; occluders are cut along their borders, and cover is found again near them.
/// There are no landmarks, which shorten long searches, until all is baked again.
/// @param changes  [count] Each tile once.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] result  The caller frees it with lw_navmesh_destroy(). Polygon ids stay valid in tiles that are
///   the same and keep their place in the list. NULL on an error.
/// @return LW_OK; LW_INVALID: a part of a bake, a navmesh without tiles, a tile given twice or in neither
///   navmesh, other areas, sizes of agents or tiles, or another grid, or cover but no occluders; LW_EMPTY: no
///   tile is left; LW_LIMIT; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_replace_tiles(const lw_navmesh *navmesh, const lw_tile_change *changes, int count,
                                          const lw_allocator *allocator, lw_navmesh **result, lw_error *error);

/// Put what changed from one navmesh to another onto a third: a rebuild onto the navmesh that a world has by
/// then. Of each tile polygons, what blocks sight, and links and water are merged each by themselves: those of
/// `changed` where they differ from `before`, else of `now`. Costs what lw_navmesh_replace_tiles() does.
/// @param before  What `changed` was built from.
/// @param changed  Of lw_navmesh_rebuild() or lw_navmesh_replace_tiles().
/// @param now  What to change. Where it differs from `before`, too, what blocks sight, links and water are of
///   the navmesh that changed the polygons, and if neither did of `now`; openness has both differences.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] result  The caller frees it with lw_navmesh_destroy(). Polygon ids of `now` stay valid in tiles
///   that are the same and keep their place in the list. NULL on an error.
/// @return LW_OK; LW_STALE: both have changed the polygons of a tile, to different ones: `error` names it;
///   LW_INVALID: as lw_navmesh_replace_tiles(); LW_EMPTY: no tile is left; LW_LIMIT; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_merge_changes(const lw_navmesh *before, const lw_navmesh *changed,
                                          const lw_navmesh *now, const lw_allocator *allocator,
                                          lw_navmesh **result, lw_error *error);

/// Find the tiles that two navmeshes do not have in common: one of them has none there, or polygons, areas,
/// heights, openness or what blocks sight over it differ. The same surface in other facets is the same, unless
/// more of it is missing than a millimetre along its edges, or it is more than 5 mm off its plane.
/// @param[out] tiles  [capacity] By z, then x, each `from` `other`. May be NULL if `capacity` is 0.
/// @param[out] count  How many there are, also above `capacity`. 0 on an error.
/// @return LW_OK; LW_INVALID: navmeshes of other areas, sizes of agents or tiles, or another grid, or without
///   tiles, or a part of a bake; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_differing_tiles(const lw_navmesh *navmesh, const lw_navmesh *other,
                                            lw_tile_change *tiles, int capacity, int *count, lw_error *error);

/// Count the tiles of a bake with these settings, empty ones too.
/// @param settings  NULL: the defaults. `tiles` is ignored.
/// @param[out] columns  Along x. 0 on an error.
/// @param[out] rows  Along z. 0 on an error.
/// @return LW_OK; LW_INVALID, LW_EMPTY, LW_LIMIT: as lw_navmesh_bake().
LW_API lw_status lw_bake_count_tiles(const lw_geometry *geometry, const lw_bake_settings *settings,
                                     int *columns, int *rows, lw_error *error);

#ifdef __cplusplus
}
#endif
#endif
