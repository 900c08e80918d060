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

/// Over all that passes the filter. @return LW_OK, LW_NO_POINT.
lw_status lwi_random_anywhere(const lw_navmesh *mesh, const lw_filter *filter, lw_random *random,
                              lw_location *location);
/// A circle, and what must be reachable from its centre.
typedef struct lwi_random_circle {
  lw_vec3 center;
  float radius; ///< In xz. [m]
  const lwi_reach *reach;
  uint32_t label; ///< Of the region that everything must be reached from.
} lwi_random_circle;
/// Over all that is inside the circle and can be reached. @return LW_OK, LW_NO_POINT, LW_OUT_OF_MEMORY.
lw_status lwi_random_in_circle(const lw_navmesh *mesh, const lwi_random_circle *circle, lw_random *random,
                               lwi_random_scratch *scratch, lw_location *location);

#endif
