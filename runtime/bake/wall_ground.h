/// The ground beside a wall, from which an agent can use the wall as cover.
#ifndef LW_BAKE_WALL_GROUND_H
#define LW_BAKE_WALL_GROUND_H

#include "bake/sight_lines.h"
#include "cover/cover_run.h"
#include "mesh/mesh.h"

/// A point on the face of a wall, in the level's frame.
typedef struct lwi_wall_place {
  double x, z;     ///< The wall's position at height 0. [m]
  double hx, hz;   ///< Level unit vector away from the face.
  double lean;     ///< How far the wall leans along (hx, hz) per metre of height.
  bool soft;       ///< Soft cover in front hides it.
  float low, high; ///< Between these heights the wall is solid. [m]
} lwi_wall_place;

/// Lookup of polygons near walls. Begin with zeros and the first five.
typedef struct lwi_beside {
  lwi_memory *memory;
  const lwi_sight_lines *lines;
  const lw_navmesh *mesh;
  lw_box *boxes;  ///< [mesh->polygon_count] lwi_beside_boxes(); those that `has` names, if it is not NULL.
  uint8_t *has;   ///< [mesh->polygon_count] 0: the box is found when it is needed. For one thread at a time.
  uint32_t *near; ///< [count] Polygons in rising order: results do not depend on how they were looked up.
  int count, capacity;
} lwi_beside;

/// The bounds of each polygon. @param boxes  [mesh->polygon_count]
void lwi_beside_boxes(const lw_navmesh *mesh, lw_box *boxes);
/// How far from a facet of a wall ground and occluders matter for its segments, at most, in xz. [m]
float lwi_beside_range(const lw_navmesh *mesh);
/// Grow a box in xz by the area in which polygons beside a wall point may lie.
lw_box lwi_beside_reach(const lwi_beside *of, const lwi_wall_place *place, lw_box box);
/// Look up the polygons in a box. The queries below are for wall points whose reach lies in it. @return false:
/// out of memory.
bool lwi_beside_gather(lwi_beside *of, const lw_box *box);
void lwi_beside_free(lwi_beside *of);

/// Is there ground of about that height beside an upright wall point? What lies between does not matter: cover
/// that designers add need not be a wall. After lwi_beside_gather().
bool lwi_beside_is_ground(const lwi_beside *of, const lwi_wall_place *place, float height);

/// Find the ground beside a wall point from which the wall is cover. After lwi_beside_gather().
/// @param[out] floors  Heights, rising. @return How many.
int lwi_beside_find(const lwi_beside *of, const lwi_wall_place *place, float floors[LWI_FLOORS]);

#endif
