/// Polygons about a place, in the order in which a circle about it comes to them as it grows: over portals, so
/// that what is behind a wall comes only once the circle reaches round it.
#ifndef LW_MESH_OUTWARDS_H
#define LW_MESH_OUTWARDS_H

#include "core/heap.h"
#include "mesh/mesh.h"

/// A walk, and scratch that is kept from walk to walk. Begin with zeros and `memory`.
typedef struct lwi_outwards {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  lw_vec3 from;
  lwi_heap open;    ///< Polygons by the radius at which the circle comes to them. Some have been passed.
  uint32_t *passed; ///< [capacity] The last walk that passed the polygon.
  int capacity;
  uint32_t walk; ///< This one's number.
} lwi_outwards;

/// Begin at a place on the navmesh, in its polygon. @return false: no memory.
bool lwi_outwards_begin(lwi_outwards *walk, const lw_navmesh *mesh, lw_location from);
/// @param[out] radius  Of the circle. [m] @return The next polygon; LWI_NONE: there is none, or no memory.
uint32_t lwi_outwards_next(lwi_outwards *walk, float *radius);
void lwi_outwards_free(lwi_outwards *walk);

#endif
