/// Where two navmeshes differ in what blocks sight, however the same surface is cut into facets in each: a
/// floor with a hole far off, a wall whose tiles were taken out and put back.
#ifndef LW_BAKE_SIGHT_DIFFERENCE_H
#define LW_BAKE_SIGHT_DIFFERENCE_H

#include "core/memory.h"
#include "mesh/mesh.h"
#include "sight/occluder.h"

/// A square cell in xz over which what blocks sight differs.
typedef struct lwi_sight_cell {
  int x, z;   ///< The cell holds the places from corner + (x, z) * size on.
  lw_box box; ///< Bounds of what differs in it. [m]
} lwi_sight_cell;

/// Begin with zeros and `memory`.
typedef struct lwi_sight_difference {
  lwi_memory *memory;
  bool all; ///< The two cannot be compared: anything may differ, and there are no cells.
  int count, capacity;
  lwi_sight_cell *cells; ///< [count] By z, then x.
} lwi_sight_difference;

/// A surface differs where more of it than a millimetre along its edges blocks sight in one of them only.
/// @param corner  Of cell (0, 0). @param size  Of the cells. [m, > 0] @return false: out of memory.
bool lwi_sight_difference_find(lwi_sight_difference *difference, const lwi_occluders *before,
                               const lwi_occluders *now, lw_vec3 corner, float size);
/// Does it differ over that cell?
bool lwi_sight_difference_has(const lwi_sight_difference *difference, int x, int z);
void lwi_sight_difference_free(lwi_sight_difference *difference);

#endif
