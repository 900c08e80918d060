/// The plan of a bake: settings checked and turned into voxels, and the grid of tiles.
#ifndef LW_BAKE_BAKE_PLAN_H
#define LW_BAKE_BAKE_PLAN_H

#include "leeward/bake.h"

typedef struct lwi_bake_plan {
  double cell, cell_height;            ///< [m]
  int height, climb, radius;           ///< Of the agent. [cells]
  int low;                             ///< The least headroom of ground. [cells]
  int min_region, merge_region;        ///< [cells]
  int max_edge_length;                 ///< [cells]
  float max_edge_error;                ///< [cells]
  float detail_distance, detail_error; ///< [m]
  double slope_cosine;
  lw_bake_list depths;                   ///< Of water, to cut along.
  float heights[LW_BAKE_LIMITS_MAX + 1]; ///< [height_count] Headrooms to cut along. [m]
  int height_count;
  lw_bake_list climbs; ///< Heights of steps to cut round.

  lw_box bounds;             ///< Only what is inside is baked. Within the geometry's own bounds.
  double corner_x, corner_z; ///< The grid's corner: bounds.min. [m]
  int cells_x, cells_z;      ///< Of the whole grid.
  int tile_cells;            ///< Along a tile's side.
  int columns, rows;         ///< Tiles along x and along z.
  int tile_first, tile_end;  ///< Range of tiles to bake, row by row.
} lwi_bake_plan;

/// Check the settings, round up what the voxel grid cannot represent, note that in `report`, and lay out the
/// grid.
/// @param report  Not NULL, zeroed. @return LW_OK; LW_INVALID; LW_EMPTY; LW_LIMIT; LW_NOT_FOUND.
lw_status lwi_bake_plan_make(const lw_bake_settings *settings, const lw_geometry *geometry, lwi_bake_plan *plan,
                             lw_bake_report *report, lw_error *error);
/// Add a note to the report, unless it has LW_BAKE_NOTES.
void lwi_bake_note(lw_bake_report *report, const char *format, ...) LW_PRINTF(2, 3);

#endif
