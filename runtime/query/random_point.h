/// Random points on the navmesh, uniform by area in xz.
#ifndef LW_QUERY_RANDOM_POINT_H
#define LW_QUERY_RANDOM_POINT_H

#include "core/random.h"
#include "search/reach.h"

/// Polygons that a circle touches, with the running sum of what is inside it. Kept from call to call.
typedef struct lwi_random_scratch {
  lwi_memory *memory;
  uint32_t *polygons;
  double *sums;
  uint32_t *seen; ///< [polygon_count] Stamps.
  uint32_t stamp;
  int count, capacity, sums_capacity;
} lwi_random_scratch;

void lwi_random_scratch_free(lwi_random_scratch *scratch, const lw_navmesh *mesh);

/// Which ground counts.
typedef struct lwi_random_ground {
  const lw_filter *filter; ///< NULL: all.
  const lw_filter *only;   ///< Its areas. NULL: all that `filter` lets pass.
  const lwi_reach *reach;  ///< NULL: it does not matter from where it can be reached.
  uint32_t label;          ///< Of the region that it must be reached from.
  lw_vec3 from;            ///< It is not nearer to this than `min_distance` in xz. [m]
  float min_distance;      ///< [m, >= 0]
} lwi_random_ground;
/// Over all ground that counts. @return LW_OK, LW_NO_POINT.
lw_status lwi_random_anywhere(const lw_navmesh *mesh, const lwi_random_ground *ground, lw_random *random,
                              lw_location *location);
typedef struct lwi_random_circle {
  lw_vec3 center;
  float radius; ///< In xz. [m]
  lwi_random_ground ground;
} lwi_random_circle;
/// Over all ground that counts inside the circle. @return LW_OK, LW_NO_POINT, LW_OUT_OF_MEMORY.
lw_status lwi_random_in_circle(const lw_navmesh *mesh, const lwi_random_circle *circle, lw_random *random,
                               lwi_random_scratch *scratch, lw_location *location);

#endif
