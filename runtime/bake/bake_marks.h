/// Marked areas in one tile: finding them, and moving the mesh's vertices onto their outlines.
#ifndef LW_BAKE_BAKE_MARKS_H
#define LW_BAKE_BAKE_MARKS_H

#include "core/memory.h"
#include "geometry/geometry.h"
#include "geometry/plugin.h"

typedef struct lwi_bake_marks {
  int count, point_count;
  const lwi_mark **from; ///< [count] In the geometry.
  lwi_tile_mark *marks;  ///< [count] Filled by lwi_bake_marks_place().
  float *points;         ///< [3 * point_count]
} lwi_bake_marks;

/// Find the marks that touch a rectangle. @param box  The tile with its border; y is ignored.
/// @return false: out of memory.
bool lwi_bake_marks_find(lwi_bake_marks *found, const lw_geometry *geometry, const lw_box *box,
                         lwi_memory *memory);
/// Move the marks into the tile's frame. @param local  The job's areas by the geometry's.
void lwi_bake_marks_place(lwi_bake_marks *found, const lw_geometry *geometry, const double origin[3],
                          const uint8_t *local);
void lwi_bake_marks_free(lwi_bake_marks *found, lwi_memory *memory);

/// Recast leaves the borders of marked areas on voxel corners, up to 0.7 cells beside the mark's outline. Move
/// vertices onto the outline where that is safe: those at walls and at the tile's border stay, so that neither
/// grows and tiles still meet, and polygons stay convex. @return false: out of memory.
bool lwi_bake_outline(const lwi_tile_job *job, lwi_tile_result *result, lwi_memory *memory);

#endif
