/// @file fire_lane.h
/// Fire lanes: lines along which an agent's own side shoots, for a while. Agents that have a choice keep out of
/// them.
///
/// A metre in a fire lane costs like a metre that a threat sees: lw_profile_def.cover_bias - 1, times the
/// lane's weight, on top of its other costs. Nothing hides an agent from a lane, and nothing stops the shots;
/// several lanes add up. Off-mesh links pay as the ground does, but for teleports.
///
/// Where very many lanes cross, a search stays within a limit on the work for them by trying fewer routes round
/// them: the path may cost more than the cheapest one, but always what its cost says, and with LW_QUALITY_GOOD
/// and no threats never more than the one that would be cheapest without dangers and lanes.
///
/// A walking agent with a cover_bias above 1 searches again at the next step if the rest of its path leads
/// through a new lane. When a lane ends, agents keep their paths. Inside lw_world_step() lanes are added and
/// removed at its end.
///
/// Threads: lw_fire_lane_add() and lw_fire_lane_remove() need the world alone. Functions that take `const
/// lw_world *` may run together, also with queries.
#ifndef LEEWARD_FIRE_LANE_H
#define LEEWARD_FIRE_LANE_H

#include "leeward/id.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_FIRE_LANE_BODY 1.8f       ///< Height of an agent in a lane. [m]
#define LW_FIRE_LANE_WEIGHT_MAX 1e6f ///< Greatest `weight`: costs stay finite.

/// Shots between two points. An agent is in the lane if its feet are within `radius` of the line in xz, and the
/// line passes no more than `radius` below its feet or above its head (LW_FIRE_LANE_BODY). Start from
/// lw_fire_lane_def_default().
typedef struct lw_fire_lane_def {
  lw_vec3 from;    ///< The muzzle. [m]
  lw_vec3 to;      ///< The target. [m]
  float radius;    ///< [m, > 0, <= LW_PROFILE_SIZE_MAX, default 1]
  float seconds;   ///< World time until it ends. [s, > 0, default infinity: it does not end]
  float weight;    ///< Multiplies its cost. [> 0, <= LW_FIRE_LANE_WEIGHT_MAX, default 1]
  uint32_t cookie; ///< Set by lw_fire_lane_def_default(). Do not set.
} lw_fire_lane_def;
/// @return The defaults of all fields.
LW_API lw_fire_lane_def lw_fire_lane_def_default(void);

/// Add a fire lane.
/// @param def  Copied.
/// @param[out] lane  All zero on an error.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_fire_lane_add(lw_world *world, const lw_fire_lane_def *def, lw_fire_lane_id *lane,
                                  lw_error *error);
/// Remove a fire lane.
/// @return LW_OK; LW_STALE: it has been removed, or has ended.
LW_API lw_status lw_fire_lane_remove(lw_world *world, lw_fire_lane_id lane);

/// A fire lane as it is now.
typedef struct lw_fire_lane_state {
  lw_fire_lane_def def; ///< As it was added.
  double since;         ///< World time when it was added. [s]
  float seconds;        ///< World time that is left. [s]
} lw_fire_lane_state;
/// @param[out] state  All zero on an error.
/// @return LW_OK; LW_STALE: it has been removed, or has ended.
LW_API lw_status lw_fire_lane_get_state(const lw_world *world, lw_fire_lane_id lane, lw_fire_lane_state *state);
/// @return How many fire lanes there are.
LW_API int lw_fire_lane_count(const lw_world *world);
/// Iterate over the fire lanes in the order in which they were added.
/// @param lane  All zero: begin.
/// @return The next lane; all zero after the last one, and for a stale id.
LW_API lw_fire_lane_id lw_fire_lane_next(const lw_world *world, lw_fire_lane_id lane);

#ifdef __cplusplus
}
#endif
#endif
