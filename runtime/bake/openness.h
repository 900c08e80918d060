/// The openness of polygons, and the depth of the water over each.
#ifndef LW_BAKE_OPENNESS_H
#define LW_BAKE_OPENNESS_H

#include "bake/sight_lines.h"
#include "core/random.h"
#include "mesh/mesh.h"

typedef struct lwi_openness_def {
  const lwi_sight_lines *lines; ///< Of the whole level's occluders.
  float range;                  ///< Length of the rays. [m] 0: no rays, all ground is open.
  int threads;
  /// [polygon_count] Polygons of another mesh with equal surroundings, LWI_NONE: none. NULL: none at all.
  const uint32_t *known;
  const uint8_t *openness; ///< That mesh's openness.
} lwi_openness_def;

/// Fill the navmesh's `openness` and `depths`, and the openness of waypoint edges. They depend on each
/// polygon or edge, the occluders and the waters alone: parts of a bake find what the whole finds, with any
/// number of threads. @return false: out of memory.
bool lwi_bake_openness(lw_navmesh *mesh, const lwi_openness_def *what, lwi_memory *memory);

/// A point on the polygon's surface. @param u, v  0..1; uniform u and v give uniform points.
lw_vec3 lwi_place_in(const lw_navmesh *mesh, uint32_t polygon, double u, double v);
/// A uniform random point on the polygon.
static inline lw_vec3 lwi_draw_place(const lw_navmesh *mesh, uint32_t polygon, lw_random *random) {
  double u = lwi_random_unit_double(random);
  return lwi_place_in(mesh, polygon, u, lwi_random_unit_double(random));
}
/// Draw a polygon with a probability proportional to its area.
static inline uint32_t lwi_draw_polygon(const lw_navmesh *mesh, lw_random *random) {
  uint32_t slot = (uint32_t)(lwi_random_unit_double(random) * mesh->polygons.count);
  const lwi_alias *alias = &mesh->polygons.aliases[slot];
  return lwi_random_unit(random) < alias->chance ? slot : alias->other;
}

#endif
