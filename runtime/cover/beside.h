/// The ground beside a wall: where one stands who has that wall for cover.
#ifndef LW_COVER_BESIDE_H
#define LW_COVER_BESIDE_H

#include "cover/lines.h"
#include "mesh/mesh.h"

/// A place on a face of a wall. All in the level's frame.
typedef struct lwi_wall_place {
  double x, z;     ///< Where the wall is at height 0. [m]
  double hx, hz;   ///< Level, of length 1, away from the face.
  double lean;     ///< The wall goes so far along (hx, hz) a metre of height.
  bool soft;       ///< What is soft before it hides it.
  float low, high; ///< From where to where it is solid there. [m]
} lwi_wall_place;

#define LWI_FLOORS 8

/// Where to look, and what of the mesh comes near the places that are looked at. Begin with zeros and the first four.
typedef struct lwi_beside {
  lwi_memory *memory;
  const lwi_lines *lines;
  const lw_navmesh *mesh;
  const lw_box *boxes; ///< [mesh->polygon_count] lwi_beside_boxes()
  uint32_t *near;      ///< [count] Polygons in rising order, so that nothing depends on how they are looked up.
  int count, capacity;
} lwi_beside;

/// A box about each polygon. @param boxes  [mesh->polygon_count]
void lwi_beside_boxes(const lw_navmesh *mesh, lw_box *boxes);
/// Where polygons may lie that one can stand on next to a place: a box in xz, united with what `box` is.
lw_box lwi_beside_reach(const lwi_beside *of, const lwi_wall_place *place, lw_box box);
/// Look up the polygons in the box; then ask for places whose reach lies in it. @return false: no memory.
bool lwi_beside_gather(lwi_beside *of, const lw_box *box);
void lwi_beside_free(lwi_beside *of);

/// Walls that are lower above the ground than this, or hang higher, are no cover for anyone; nor is what is solid over less.
/// The first is a little more than half a metre, so that steps of half a metre are not cover here and there, as their heights
/// are rounded. [m]
#define LWI_COVER_TOP_LEAST 0.51f
#define LWI_COVER_BOTTOM_MOST 0.95f
#define LWI_COVER_SOLID_LEAST 0.38f
/// Does a wall from `low` to `high` hide some of one who stands on that ground?
static inline bool lwi_is_cover(float low, float high, float ground) {
  return high >= ground + LWI_COVER_TOP_LEAST && low <= ground + LWI_COVER_BOTTOM_MOST &&
         high - (low > ground ? low : ground) >= LWI_COVER_SOLID_LEAST;
}

/// May one stand next to the place, on ground of about that height? Whatever is between: what designers say is cover there
/// need not be any wall. After lwi_beside_gather() of a place that is upright.
bool lwi_beside_is_ground(const lwi_beside *of, const lwi_wall_place *place, float height);

/// Heights of the ground that one may stand on next to the place with the wall for cover, in rising order. After
/// lwi_beside_gather().
/// @return How many.
int lwi_beside_find(const lwi_beside *of, const lwi_wall_place *place, float floors[LWI_FLOORS]);

#endif
