/// How deep the water over a polygon is: the one measure of what is too deep for an agent.
#ifndef LW_MESH_DEPTHS_H
#define LW_MESH_DEPTHS_H

#include "mesh/box_grid.h"
#include "mesh/mesh.h"
#include "mesh/shore.h"

/// Steps of a depth. [1/m]
#define LWI_DEPTH_STEPS 100

/// Where the waters over a polygon's surface are shallowest and deepest. [0.01 m] 255: or deeper.
typedef struct lwi_depth {
  uint8_t min, max;
} lwi_depth;
static inline lwi_depth lwi_depth_of(const lw_navmesh *mesh, uint32_t polygon) {
  const uint8_t *depth = mesh->polygons.depths + 2 * (size_t)polygon;
  return (lwi_depth){depth[0], depth[1]};
}
/// The part of a polygon that is too deep to wade, as if its ground fell evenly.
/// @param wade_depth  [m] @return [0..1]
static inline float lwi_deep_part(lwi_depth depth, float wade_depth) {
  const float wade = wade_depth * LWI_DEPTH_STEPS, min = (float)depth.min, max = (float)depth.max;
  if (lwi_can_wade(wade_depth, depth.max)) return 0;
  return wade <= min ? 1 : (max - wade) / (max - min);
}
/// A depth in whole steps, rounded down or up. @param depth  [m, >= 0]
uint8_t lwi_depth_byte(double depth, bool up);

/// A navmesh's waters by place. Any number of threads may read them.
typedef struct lwi_depths {
  const lw_navmesh *mesh;
  lwi_shore *shores; ///< [water_count]
  lw_box *boxes;     ///< [water_count] Bounds in xz.
  lwi_box_grid grid;
} lwi_depths;
/// @return false: no memory, and nothing is held.
bool lwi_depths_init(lwi_depths *depths, const lw_navmesh *mesh, lwi_memory *memory);
void lwi_depths_free(lwi_depths *depths, lwi_memory *memory);
/// The depth of the water on a place of the ground, of the last water that holds it. [m] 0: none does.
float lwi_depths_at(const lwi_depths *depths, lw_vec3 ground);
/// Measure the depth over a polygon's surface.
lwi_depth lwi_depths_find(const lwi_depths *depths, uint32_t polygon);
/// Measure all of them. @return false: no memory.
bool lwi_depths_make(lw_navmesh *mesh);

#endif
