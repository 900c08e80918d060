/// The ground beside a wall: where one stands who has that wall for cover.
#ifndef LW_COVER_BESIDE_H
#define LW_COVER_BESIDE_H

#include "cover/occluder.h"
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

typedef struct lwi_beside {
  const lwi_occluders *occluders;
  const lw_navmesh *mesh;
} lwi_beside;

/// Walls that are lower above the ground than this, or hang higher, are no cover for anyone; nor is what is solid over less.
/// [m]
#define LWI_COVER_TOP_LEAST 0.5f
#define LWI_COVER_BOTTOM_MOST 0.95f
#define LWI_COVER_SOLID_LEAST 0.38f
/// Does a wall from `low` to `high` hide some of one who stands on that ground?
static inline bool lwi_is_cover(float low, float high, float ground) {
  return high >= ground + LWI_COVER_TOP_LEAST && low <= ground + LWI_COVER_BOTTOM_MOST &&
         high - (low > ground ? low : ground) >= LWI_COVER_SOLID_LEAST;
}

/// Heights of the ground that one may stand on next to the place with the wall for cover, in rising order.
/// @return How many.
int lwi_beside_find(const lwi_beside *of, const lwi_wall_place *place, float floors[LWI_FLOORS]);

#endif
