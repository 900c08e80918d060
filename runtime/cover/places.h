/// Places on a mesh to look from and at.
#ifndef LW_COVER_PLACES_H
#define LW_COVER_PLACES_H

#include "core/random.h"
#include "mesh/mesh.h"

/// A place on the polygon's surface. @param u, v  0..1; where they are uniform, so is the place.
lw_vec3 lwi_place_in(const lw_navmesh *mesh, uint32_t polygon, double u, double v);
static inline lw_vec3 lwi_draw_place(const lw_navmesh *mesh, uint32_t polygon, lwi_random *random) {
  double u = lwi_random_unit_double(random);
  return lwi_place_in(mesh, polygon, u, lwi_random_unit_double(random));
}
/// Draw a polygon by its area.
static inline uint32_t lwi_draw_polygon(const lw_navmesh *mesh, lwi_random *random) {
  uint32_t slot = (uint32_t)(lwi_random_unit_double(random) * mesh->polygon_count);
  const lwi_alias *alias = &mesh->aliases[slot];
  return lwi_random_unit(random) < alias->chance ? slot : alias->other;
}

#endif
