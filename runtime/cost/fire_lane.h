/// A fire lane: how many metres of a straight piece lie in it.
#ifndef LW_COST_FIRE_LANE_H
#define LW_COST_FIRE_LANE_H

#include "leeward/fire_lane.h"
#include "core/vec3.h"

typedef struct lwi_lane {
  lw_vec3 from, to;
  float radius;
  float weight; ///< 0: it does not count yet.
} lwi_lane;

/// @return Metres of the way of feet from one place straight to another that lie in the lane, exactly. [m]
float lwi_lane_metres(const lwi_lane *lane, lw_vec3 from, lw_vec3 to);
/// @return LW_OK, or LW_INVALID with the field named.
lw_status lwi_lane_check(const lw_fire_lane_def *def, lw_error *error);

#endif
