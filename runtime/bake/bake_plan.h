/// What is to be baked: settings checked and turned into voxels, and the grid of tiles.
#ifndef LW_BAKE_BAKE_PLAN_H
#define LW_BAKE_BAKE_PLAN_H

#include "leeward/bake.h"

typedef struct lwi_bake_plan {
  double cell, cell_height;            ///< [m]
  int height, climb, radius;           ///< Of the agent. [cells]
  int min_region, merge_region;        ///< [cells]
  int max_edge_length;                 ///< [cells]
  float max_edge_error;                ///< [cells]
  float detail_distance, detail_error; ///< [m]
  double slope_cosine;

  lw_box bounds;             ///< What is inside is baked; within the geometry's own bounds.
  double corner_x, corner_z; ///< The grid begins here: bounds.min. [m]
  int cells_x, cells_z;      ///< Of the whole grid.
  int tile_cells;            ///< Along a tile's side.
  int columns, rows;         ///< Tiles along x and along z.
  int tile_first, tile_end;  ///< Which are baked, row by row.
} lwi_bake_plan;

/// Check the settings, round up what the voxel grid cannot meet, note it in `report`, and lay out the grid.
/// @param report  Not NULL, zeroed.
lw_status lwi_bake_plan_make(const lw_bake_settings *settings, const lw_geometry *geometry, lwi_bake_plan *plan,
                             lw_bake_report *report, lw_error *error);
/// Add a note to the report if there is room.
void lwi_bake_note(lw_bake_report *report, const char *format, ...) LW_PRINTF(2, 3);

#endif
