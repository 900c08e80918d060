/// @file danger.h
/// Dangers: places that a world remembers as dangerous, for a while. A comrade died here.
#ifndef LEEWARD_DANGER_H
#define LEEWARD_DANGER_H

#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_world lw_world;

/// 0 is none; an id of a danger that is gone is detected.
typedef uint64_t lw_danger_id;

/// Dangers that have decayed below this are forgotten.
#define LW_DANGER_LEAST 0.01f
#define LW_DANGER_VALUE_MAX 1e6f ///< Of `value`; a path's price stays finite.

/// A danger is a level disc: whoever steps onto ground within `radius` of `at` in xz, and within `height` above or below
/// it, enters it. Start from lw_danger_def_default().
typedef struct lw_danger_def {
  lw_vec3 at;   ///< Need not be on a navmesh. [m]
  float radius; ///< [m, > 0, <= LW_PROFILE_SIZE_MAX, default 3]
  float height; ///< Up and down from `at`, so that the floors above and below stay safe. [m, > 0, default 2]
  float value;  ///< At first. [LW_DANGER_LEAST..LW_DANGER_VALUE_MAX, default 1]
  float
      half_life; ///< Time in which the value halves, by the world's clock. [s, > 0, default infinity: it stays]
  uint32_t cookie; ///< Set by lw_danger_def_default(). Do not set.
} lw_danger_def;
LW_API lw_danger_def lw_danger_def_default(void);

/// What a path pays for dangers: value x lw_profile_def.danger_cost for each danger, each time that it enters its ground,
/// however finely the navmesh is cut there. Several add. A path that begins inside is not charged for being there, one that
/// leaves and comes back is. An off-mesh link enters a danger that it ends in and does not begin in.
///
/// Agents on their way search anew at the next step where a new danger lies on what they still have to walk, or where the
/// way over one that is gone could be cheaper; where very many search anew, some walk on for a few steps more. As a danger
/// decays they keep to their paths.
/// Inside lw_world_step() dangers come and go at its end.
/// @param[out] danger  0 on failure.
/// @return LW_OK; LW_INVALID with the field named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_danger_add(lw_world *world, const lw_danger_def *def, lw_danger_id *danger,
                               lw_error *error);
/// @return LW_OK; LW_STALE: it was removed, or forgotten.
LW_API lw_status lw_danger_remove(lw_world *world, lw_danger_id danger);

typedef struct lw_danger_state {
  lw_danger_def def;
  double since; ///< When it was added, by the world's clock. [s]
  float value;  ///< What is left of it.
} lw_danger_state;
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_danger_get_state(const lw_world *world, lw_danger_id danger, lw_danger_state *state);
LW_API int lw_danger_count(const lw_world *world);
/// Dangers one after the other in the order they were added: pass 0 to begin; 0 comes back at the end.
LW_API lw_danger_id lw_danger_next(const lw_world *world, lw_danger_id danger);

#ifdef __cplusplus
}
#endif
#endif
