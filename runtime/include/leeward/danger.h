/// @file danger.h
/// Dangers: places that a world remembers as dangerous, for a while.
///
/// Each time a path enters the ground of a danger, however finely the navmesh is cut there, it costs the
/// danger's value x lw_profile_def.danger_cost. Several dangers add up. A path that starts inside does not pay,
/// but pays when it leaves and comes back. An off-mesh link enters a danger if its line, the arc of
/// a jump, leads through it or ends in it, and does not start in it; of a teleport, only its ends count.
///
/// Where very many dangers overlap, a search stays within a limit on the work for them by trying fewer routes
/// round them: the path may cost more than the cheapest one, but always what its cost says, and with
/// LW_QUALITY_GOOD and no threats never more than the one that would be cheapest without dangers and lanes.
///
/// A walking agent searches again at the next step if a new danger lies on the rest of its path, or if a path
/// over a removed danger could be cheaper. If very many agents search again, some walk on for a few steps more.
/// While a danger decays, agents keep their paths. Inside lw_world_step() dangers are added and removed at its
/// end.
///
/// Threads: lw_danger_add() and lw_danger_remove() need the world alone. Functions that take `const lw_world *`
/// may run together, also with queries.
#ifndef LEEWARD_DANGER_H
#define LEEWARD_DANGER_H

#include "leeward/id.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_DANGER_MIN 0.01f      ///< Dangers that have decayed below this value are removed.
#define LW_DANGER_VALUE_MAX 1e6f ///< Greatest `value`: costs stay finite.

/// A danger is a level disc: the ground within `radius` of `at` in xz, and within `height` above or below it.
/// Start from lw_danger_def_default().
typedef struct lw_danger_def {
  lw_vec3 at;      ///< Anywhere, also off the navmesh. [m]
  float radius;    ///< [m, > 0, <= LW_PROFILE_SIZE_MAX, default 3]
  float height;    ///< Up and down from `at`: other floors stay safe. [m, > 0, also INFINITY, default 2]
  float value;     ///< At first. [LW_DANGER_MIN..LW_DANGER_VALUE_MAX, default 1]
  float half_life; ///< World time in which the value halves. [s, > 0, default infinity: it does not decay]
  uint32_t cookie; ///< Set by lw_danger_def_default(). Do not set.
} lw_danger_def;
/// @return The defaults of all fields.
LW_API lw_danger_def lw_danger_def_default(void);

/// Add a danger.
/// @param def  Copied.
/// @param[out] danger  All zero on an error.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_danger_add(lw_world *world, const lw_danger_def *def, lw_danger_id *danger,
                               lw_error *error);
/// Remove a danger.
/// @return LW_OK; LW_STALE: it has been removed, or has decayed.
LW_API lw_status lw_danger_remove(lw_world *world, lw_danger_id danger);

/// A danger as it is now.
typedef struct lw_danger_state {
  lw_danger_def def; ///< As it was added.
  double since;      ///< World time when it was added. [s]
  float value;       ///< What is left of def.value.
} lw_danger_state;
/// @param[out] state  All zero on an error.
/// @return LW_OK; LW_STALE: it has been removed, or has decayed.
LW_API lw_status lw_danger_get_state(const lw_world *world, lw_danger_id danger, lw_danger_state *state);
/// @return How many dangers there are.
LW_API int lw_danger_count(const lw_world *world);
/// Iterate over the dangers in the order in which they were added.
/// @param danger  All zero: begin.
/// @return The next danger; all zero after the last one, and for a stale id.
LW_API lw_danger_id lw_danger_next(const lw_world *world, lw_danger_id danger);

#ifdef __cplusplus
}
#endif
#endif
