/// Sweeps of a body through a level's triangles: is its path free? The body is an upright cylinder. What it
/// passes through along a level segment, or straight up and down, is the set of points within a radius of the
/// segment, seen from above, and between two heights; triangles are clipped between these, so the answer is
/// exact but for rounding.
#ifndef LW_BAKE_BODY_SWEEP_H
#define LW_BAKE_BODY_SWEEP_H

#include "mesh/box_grid.h"
#include "leeward/geometry.h"

/// The triangles near a navmesh. Created once, then only read.
typedef struct lwi_solid_space {
  const lw_geometry *geometry; ///< Borrowed.
  int count, capacity;
  int *triangles; ///< [count]
  lw_box *boxes;  ///< [count] Of the triangles. [m]
  lwi_box_grid grid;
} lwi_solid_space;

/// @param bounds  Triangles beyond are left out. @return false: no memory. Free it either way.
bool lwi_solid_space_init(lwi_solid_space *space, const lw_geometry *geometry, lw_box bounds,
                          lwi_memory *memory);
void lwi_solid_space_free(lwi_solid_space *space, lwi_memory *memory);

/// A part of a sweep.
typedef struct lwi_sweep {
  lwi_point2 from, to; ///< Of the cylinder's axis. [m]
  double radius;       ///< [m]
  double low, high;    ///< [m]
} lwi_sweep;
/// The triangles that a sweep or several may touch. @param list  Scratch of the calling thread.
/// @return false: no memory.
bool lwi_solid_space_near(const lwi_solid_space *space, lw_box box, lwi_box_list *list);
/// Does none of the listed triangles reach into the sweep? Touching its surface is free.
bool lwi_sweep_is_free(const lwi_solid_space *space, const lwi_box_list *list, const lwi_sweep *sweep);

#endif
