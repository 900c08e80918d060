/// The marks that touch one tile, in its frame.
#ifndef LW_BAKE_BAKE_MARKS_H
#define LW_BAKE_BAKE_MARKS_H

#include "core/memory.h"
#include "geometry/geometry.h"
#include "geometry/plugin.h"

typedef struct lwi_bake_marks {
  int count, point_count;
  const lwi_mark **from; ///< [count] The geometry's.
  lwi_tile_mark *marks;  ///< [count] Filled by lwi_bake_marks_place().
  float *points;         ///< [3 * point_count]
} lwi_bake_marks;

/// Find the marks that touch a rectangle.
/// @param box  The tile with its border; y is not looked at.
/// @return False: out of memory.
bool lwi_bake_marks_find(lwi_bake_marks *found, const lw_geometry *geometry, const lw_box *box,
                         lwi_memory *memory);
/// @param local  The job's area by the geometry's.
void lwi_bake_marks_place(lwi_bake_marks *found, const lw_geometry *geometry, const double origin[3],
                          const uint8_t *local);
void lwi_bake_marks_free(lwi_bake_marks *found, lwi_memory *memory);

#endif
