/// @file bake.h
/// Bake: geometry -> navmesh, by Recast in tiles.
#ifndef LEEWARD_BAKE_H
#define LEEWARD_BAKE_H

#include "leeward/geometry.h"
#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Recast's settings in SI units. Start from lw_bake_settings_default().
typedef struct lw_bake_settings {
  float cell_size;         ///< Voxel width. [m, > 0, default 0.3]
  float cell_height;       ///< Voxel height. [m, > 0, default 0.1]
  float agent_radius;      ///< [m, >= 0, default 0.4] Rounded up to whole cells.
  float agent_height;      ///< [m, > 0, default 1.75] Rounded up to whole cells.
  float agent_climb;       ///< Highest step. [m, >= 0, default 0.4] Rounded up to whole cells.
  float agent_slope;       ///< Steepest walkable slope. [degrees, 0..90, default 45]
  float tile_size;         ///< Rounded up to whole cells. [m, > 0, default 32]
  float min_region_area;   ///< Smaller islands are left out, unless a link needs them. [m2, >= 0, default 2]
  float merge_region_area; ///< Regions smaller than this are merged with neighbours. [m2, >= 0, default 36]
  /// How far a border may stray from the voxels; at most 0.9 cells where a bent path is marked. [m, > 0, default 0.39]
  float max_edge_error;
  float max_edge_length; ///< Border edges are cut at this length; 0: never. [m, >= 0, default 12]
  float detail_distance; ///< Distance of height samples; 0: none. [m, >= 0, default 0.9]
  float detail_error;    ///< How far the surface may stray from the samples. [m, >= 0, default 0.1]
  /// How far around each polygon is looked for what hides it: rays from points spread over it, at half and nine tenths of
  /// agent_height, all round and from level to 45 degrees up; the mean of their free parts is lw_poly.exposure, in 16 steps.
  /// A roofed corridor comes near 0, open ground to 1, a yard in between. Soft cover hides too. 0: nothing is looked at, and
  /// all ground lies open, exposure 1. Does not need `occluders`. [m, >= 0, default 30]
  float exposure_range;
  float swim_depth; ///< Deeper water counts for lw_poly.deep_water. [m, >= 0, default 1.5]
  /// Keep, for each two polygons no further apart, whether someone over one surely sees nothing of someone over the other,
  /// surely all, or neither is sure, in about two bits: such questions are then answered without a look at the occluders, to
  /// the same answers. Eyes and bodies are meant that are 0.5 to 1.7 m above the ground. Takes some microseconds a pair,
  /// 0.03 to 2 seconds for levels of 60 to 1,300 polygons; of a part, it is made when all are merged. Needs `occluders` or
  /// `cover_map`. 0: not made. [m, >= 0, default 0; 60 suits most]
  float pair_range;
  lw_box bounds; ///< Only what lies inside is baked. min > max: the geometry's own bounds (default).
  /// Bake tiles by so many threads, to the same bytes. 0: one a processor, 1: only the calling one.
  /// [0..256, default 0]
  int threads;
  /// Bake only so many tiles, from this one on, counted row by row over the whole grid (lw_bake_count_tiles()): a part,
  /// to be joined with the others by lw_navmesh_merge(). What goes on behind its end has no neighbours there, and small
  /// islands stay until the parts are joined. A part may be empty. More than there are: up to the last.
  /// [tile_first >= 0, default 0; tile_count >= 0, default 0: all, and no part]
  int tile_first, tile_count;
  /// Keep what blocks sight, for lw_exposure_find(): the whole geometry's, also outside of `bounds`, to a millimetre. Where
  /// triangles are so large that this took many, a sky say, what is far from all that may be walked on is left out: 256 m at
  /// least are kept, and eyes further out are told what those hide. Where that is not enough the millimetre is given up, and
  /// the report's notes say how much. Of a part, only with the first tile. [default true]
  bool occluders;
  /// Find where agents may take cover, for lw_cover_find(): of a part, when all are merged. [default true]
  bool cover_segments;
  /// Make a cover map, for LW_ACCURACY_MAP: what is seen, but for a few per cent, from a third of the occluders' memory or
  /// less. Without `occluders` only those are kept that the map names. Takes about half a millisecond a polygon and thread; of a
  /// part, it is made when all are merged. [default false]
  bool cover_map;
  /// Called on the calling thread after every tile; returning false cancels, once tiles under way are done.
  /// [default NULL]
  bool (*progress)(void *user, int done, int total);
  void *user;                    ///< Handed to `progress`.
  const lw_allocator *allocator; ///< Copied. NULL: the C library's. Never called by two threads at a time.
  uint32_t cookie;               ///< Set by lw_bake_settings_default(). Do not set.
} lw_bake_settings;

LW_API lw_bake_settings lw_bake_settings_default(void);

#define LW_BAKE_NOTES 8
/// What a bake did.
typedef struct lw_bake_report {
  lw_bake_settings used;         ///< The settings as the voxel grid could meet them.
  int tiles, tiles_empty;        ///< Baked; without a polygon.
  int tiles_total;               ///< Of the whole grid: more than `tiles` for a part.
  int islands_dropped;           ///< Islands smaller than min_region_area, over all tiles, that were left out.
  double tile_seconds;           ///< How long the tiles took: ground, polygons, what joins them.
  double occluder_seconds;       ///< To find what blocks sight: by several threads, while others bake tiles.
  double exposure_seconds;       ///< To look how open the ground lies, and how much of it is in deep water.
  double cover_seconds;          ///< To find cover segments.
  double cover_map_seconds;      ///< To make the cover map.
  double pair_seconds;           ///< To make the table of pairs.
  int notes;                     ///< How many notes there are.
  char note[LW_BAKE_NOTES][160]; ///< Each setting that was rounded, with why.
} lw_bake_report;

/// Tiles do not depend on each other; when several fail, the first in order (row by row) is the one reported.
/// @param settings  NULL: the defaults.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(). Its area table is the geometry's.
/// @param[out] report  May be NULL.
/// @return LW_OK; LW_INVALID with the setting named; LW_EMPTY: no triangles, or nothing walkable; LW_LIMIT:
/// more
///   voxels or areas a tile than Recast can hold, with the setting to change; LW_NOT_FOUND: tile_first is beyond the
///   last tile; LW_CANCELLED; LW_NO_BAKE; LW_BAKE_FAILED with Recast's own words; LW_OUT_OF_MEMORY.
LW_API lw_status lw_bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_navmesh **navmesh,
                         lw_bake_report *report, lw_error *error);

/// Bake a navmesh's tiles anew where the geometry has changed: saved, the result has the same bytes as a whole bake of the
/// geometry as it is now. Tiles that a changed one may bring small islands back to are baked too. How open ground lies is only
/// looked at anew within exposure_range of what blocks sight and did not, or does no longer (where the navmesh has its
/// occluders, to compare). Occluders, cover segments and the cover map are made as a whole, by all threads: the tree over the
/// occluders, the walls that facets make together and the leaves that a map chooses depend on all there are.
/// @param navmesh  Of a whole bake, of merged parts or of a rebuild. Stays as it is.
/// @param geometry  As it is now: triangles, marks, links and waters.
/// @param settings  Those that the navmesh was baked with. The grid of tiles must not move: where the geometry may grow
///   towards lower x or z, give `bounds` from the first bake on. NULL: the defaults.
/// @param changed  Holds everything that came, went or changed since, in xz. [m]
/// @param[out] rebuilt  The caller frees it with lw_navmesh_destroy(). Ids of polygons in tiles that are what they were
///   are the same as in `navmesh`, those in changed tiles are stale; and where a tile became empty, or is no longer, those
///   in all tiles behind it.
/// @param[out] report  May be NULL. `tiles`: how many were baked.
/// @return LW_OK; LW_INVALID: the navmesh is a part, the settings are others as far as can be seen, the grid has moved, or
///   the box touches no tile; else as lw_bake().
LW_API lw_status lw_bake_rebuild(const lw_navmesh *navmesh, const lw_geometry *geometry,
                                 const lw_bake_settings *settings, lw_box changed, lw_navmesh **rebuilt,
                                 lw_bake_report *report, lw_error *error);

/// How many tiles a bake with these settings has, empty ones too. @param settings  NULL: the defaults.
/// @param[out] columns, rows  Along x and z. @return As lw_bake() for geometry and settings.
LW_API lw_status lw_bake_count_tiles(const lw_geometry *geometry, const lw_bake_settings *settings,
                                     int *columns, int *rows, lw_error *error);

#ifdef __cplusplus
}
#endif
#endif
