/// @file fire_lane.h
/// Fire lanes: along which one's own side shoots, for a while. Whoever has a choice keeps out of them.
#ifndef LEEWARD_FIRE_LANE_H
#define LEEWARD_FIRE_LANE_H

#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_world lw_world;

/// 0 is none; an id of a lane that has ended is detected.
typedef uint64_t lw_fire_lane_id;

/// How tall one is who stands in a lane. [m]
#define LW_FIRE_LANE_BODY 1.8f
#define LW_FIRE_LANE_WEIGHT_MAX 1e6f ///< A path's price stays finite.

/// Shots between two points. One is in the lane whose feet are within `radius` of it in xz, where it passes no more than
/// `radius` below the feet or above the head (LW_FIRE_LANE_BODY). Start from lw_fire_lane_def_default().
typedef struct lw_fire_lane_def {
  lw_vec3 from, to; ///< The muzzle, and what is shot at. [m]
  float radius;     ///< [m, > 0, <= LW_PROFILE_SIZE_MAX, default 1]
  float seconds;    ///< Until it ends, by the world's clock. [s, > 0, default infinity: it stays]
  float weight;     ///< [> 0, <= LW_FIRE_LANE_WEIGHT_MAX, default 1]
  uint32_t cookie;  ///< Set by lw_fire_lane_def_default(). Do not set.
} lw_fire_lane_def;
LW_API lw_fire_lane_def lw_fire_lane_def_default(void);

/// A metre in a lane costs like a metre that a threat sees: lw_profile_def.cover_bias - 1, times the lane's weight, on top
/// of what it costs anyway. Nothing hides one, and what is between does not stop it; several lanes add. Off-mesh links are
/// not looked at.
///
/// Agents on their way search anew at the next step where what they still have to walk leads through a new lane, and their
/// cover_bias is above 1. When a lane ends they keep to their paths.
/// Inside lw_world_step() lanes come and go at its end.
/// @param[out] lane  0 on failure.
/// @return LW_OK; LW_INVALID with the field named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_fire_lane_add(lw_world *world, const lw_fire_lane_def *def, lw_fire_lane_id *lane,
                                  lw_error *error);
/// @return LW_OK; LW_STALE: it was removed, or has ended.
LW_API lw_status lw_fire_lane_remove(lw_world *world, lw_fire_lane_id lane);

typedef struct lw_fire_lane_state {
  lw_fire_lane_def def;
  double since;  ///< When it was added, by the world's clock. [s]
  float seconds; ///< That are left. [s]
} lw_fire_lane_state;
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_fire_lane_get_state(const lw_world *world, lw_fire_lane_id lane, lw_fire_lane_state *state);
LW_API int lw_fire_lane_count(const lw_world *world);
/// Lanes one after the other in the order they were added: pass 0 to begin; 0 comes back at the end.
LW_API lw_fire_lane_id lw_fire_lane_next(const lw_world *world, lw_fire_lane_id lane);

#ifdef __cplusplus
}
#endif
#endif
