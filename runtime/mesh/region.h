/// A convex piece of ground, and the walls whose surroundings reach into it: where a disc can be within it, and from which
/// part of its outline to which other it can be moved. All in xz.
///
/// A disc of radius `keep` is clear of a wall when its centre is outside the capsule about the wall. Within the convex
/// piece each capsule is convex, so two of them join exactly when they meet on the outline or inside, and the free parts
/// of the outline are separated exactly by chains of joined capsules that touch the outline on both sides of them.
#ifndef LW_MESH_REGION_H
#define LW_MESH_REGION_H

#include "core/memory.h"
#include "core/vec3.h"

typedef struct lwi_spot {
  double x, z; ///< [m]
} lwi_spot;

/// A piece of wall.
typedef struct lwi_barrier {
  float ax, az, bx, bz; ///< [m]
} lwi_barrier;

/// Part of an edge of the outline, or of any line from one spot to another.
typedef struct lwi_opening {
  uint32_t edge;
  double t0, t1; ///< Of the edge. [0..1]
} lwi_opening;

/// Which walls, and how far to keep from them.
typedef struct lwi_barriers {
  const lwi_barrier *all;
  const uint32_t *near; ///< [count] Of all.
  uint32_t count;
  double keep; ///< [m, > 0]
} lwi_barriers;

/// Room to work in, kept from call to call.
typedef struct lwi_region_room {
  lwi_memory *memory;
  struct lwi_cover *covers;
  uint32_t *parents;
  lwi_opening *openings; ///< What lwi_region_free() found.
  int cover_capacity, parent_capacity, opening_capacity, opening_count;
} lwi_region_room;

void lwi_region_room_free(lwi_region_room *room);

/// The parts of `line` between t0 and t1 where the disc is clear of every wall: appended to room->openings, with `edge`.
/// @return false: no memory.
bool lwi_region_free(lwi_region_room *room, const lwi_barriers *barriers, const lwi_spot line[2], uint32_t edge,
                     double t0, double t1);
/// Labels of free openings of the outline: equal when the disc can be moved from one to the other within the piece.
/// @param corners  [count] Counter-clockwise seen from above.
/// @param openings  [opening_count] Apart from each other, by edge, then t0.
/// @param[out] labels  [opening_count] Each the index of a opening.
/// @return false: no memory.
bool lwi_region_join(lwi_region_room *room, const lwi_barriers *barriers, const lwi_spot *corners,
                     uint32_t count, const lwi_opening *openings, uint32_t opening_count, uint32_t *labels);

/// Where the line from a point within the outline along `direction` leaves it. @return As edge + part of the edge.
double lwi_outline_exit(const lwi_spot *corners, uint32_t count, lwi_spot point, lwi_spot direction,
                        lwi_spot *where);

/// Distance from a to b to a piece of wall. [m]
double lwi_barrier_distance(const lwi_barrier *barrier, lwi_spot a, lwi_spot b);
/// Where the way from a to b comes nearest to a wall: `at` on the way, `wall` on the wall.
void lwi_region_nearest(const lwi_barriers *barriers, lwi_spot a, lwi_spot b, lwi_spot *at, lwi_spot *wall);
/// Is the disc clear of every wall all along from a to b, but for `slack` metres?
bool lwi_region_clear(const lwi_barriers *barriers, lwi_spot a, lwi_spot b, double slack);

static inline lwi_spot lwi_spot_of(lw_vec3 point) {
  return (lwi_spot){point.x, point.z};
}
static inline lwi_spot lwi_spot_between(lwi_spot a, lwi_spot b, double t) {
  return (lwi_spot){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t};
}
static inline double lwi_spot_distance(lwi_spot a, lwi_spot b) {
  return sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
}
/// As lwi_turn(): > 0 when c is left of a -> b.
static inline double lwi_spot_turn(lwi_spot a, lwi_spot b, lwi_spot c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

#endif
