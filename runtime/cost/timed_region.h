/// Timed regions: the shapes and definitions of dangers and fire lanes, how long they last, and what of a
/// straight piece of a path lies in them.
#ifndef LW_COST_TIMED_REGION_H
#define LW_COST_TIMED_REGION_H

#include "leeward/danger.h"
#include "leeward/fire_lane.h"
#include "core/rectangle_tree.h"
#include "core/vec3.h"

typedef enum lwi_timed_kind {
  LWI_DANGER,    ///< A disc: a path pays once on entering it.
  LWI_FIRE_LANE, ///< A lane: a path pays for each metre within it.
  LWI_TIMED_KINDS
} lwi_timed_kind;

typedef struct lwi_timed_shape {
  lw_vec3 from, to; ///< The ends of a lane; both the center of a disc.
  float radius;
  float height;   ///< Of a disc, up and down from its center. [m, > 0]
  float strength; ///< A danger's value or a lane's weight, now; 0: it does not count yet.
} lwi_timed_shape;

static inline lwi_timed_shape lwi_danger_region(const lw_danger_def *def) {
  return (lwi_timed_shape){def->at, def->at, def->radius, def->height, def->value};
}
static inline lwi_timed_shape lwi_fire_lane_region(const lw_fire_lane_def *def) {
  return (lwi_timed_shape){def->from, def->to, def->radius, 0, def->weight};
}

/// Holds the region, and a little more than rounding can add.
lwi_rectangle lwi_timed_rectangle(const lwi_timed_shape *region);

/// @return LW_OK, or LW_INVALID with the field named.
lw_status lwi_danger_check(const lw_danger_def *def, lw_error *error);
lw_status lwi_fire_lane_check(const lw_fire_lane_def *def, lw_error *error);

/// The strength that is left. @param seconds  A danger's half-life, or how long a lane lasts. [s]
/// @return 0: the region is over.
float lwi_timed_left(lwi_timed_kind kind, float strength, float seconds, double elapsed);

/// Is the point in the disc? A disc is open: its border is outside.
static inline bool lwi_disc_holds(const lwi_timed_shape *disc, lw_vec3 point) {
  lw_vec3 at = disc->from;
  double x = (double)point.x - at.x, y = (double)point.y - at.y, z = (double)point.z - at.z;
  return x * x + z * z < (double)disc->radius * disc->radius && fabs(y) < disc->height;
}
/// Does a straight piece enter the disc? A piece that begins inside does not, so that a path that is cut
/// anywhere enters as often as in one piece.
bool lwi_disc_enters(const lwi_timed_shape *disc, lw_vec3 from, lw_vec3 to);
/// How much of a straight piece, which feet walk, lies in the lane: exactly. [m]
float lwi_lane_metres(const lwi_timed_shape *lane, lw_vec3 from, lw_vec3 to);

#endif
