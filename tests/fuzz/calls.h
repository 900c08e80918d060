/// Sequences of calls of the C API from bytes: what an input says, and what the calls work on.
#ifndef LW_TESTS_CALLS_H
#define LW_TESTS_CALLS_H

#include "fuzz.h"
#include "level.h"

#define CALLS_WORLDS 2
#define CALLS_KEPT 8 ///< Ids, paths and workspaces that later calls use.

/// All that one input works on. Ids stay listed after what they name is gone, so that calls get stale ones.
typedef struct calls {
  const uint8_t *at, *end; ///< What is left of the input.
  int depth;               ///< Leaves that run: calls come from inside of a step.
  bool profile_set;        ///< Some agent may stand where its profile may not.
  bool has_tiles;          ///< Some permutation has tiles of other navmeshes.
  lw_world *worlds[CALLS_WORLDS];
  lw_workspace *workspaces[CALLS_WORLDS];
  lw_agent_id agents[CALLS_KEPT];
  lw_threat_id threats[CALLS_KEPT];
  lw_danger_id dangers[CALLS_KEPT];
  lw_fire_lane_id lanes[CALLS_KEPT];
  lw_obstacle_id obstacles[CALLS_KEPT];
  lw_link_id links[CALLS_KEPT];
  lw_request_id requests[CALLS_KEPT];
  lw_group_id groups[CALLS_KEPT];
  lw_path *paths[CALLS_KEPT];
} calls;

/// One call. `world` may be NULL.
typedef void calls_run(calls *c, lw_world *world);
/// Calls that change a world, and those that ask.
extern calls_run *const calls_changes[], *const calls_queries[];
extern const uint32_t calls_change_count, calls_query_count;
/// Of groups.
void calls_change_group(calls *c, lw_world *world);
void calls_read_group(calls *c, lw_world *world);

/* --- arguments; 0 when the input is used up ------------------------------------------------------------------------ */

uint8_t calls_byte(calls *c);
/// @return A whole number from 0 to count - 1.
uint32_t calls_below(calls *c, uint32_t count);
bool calls_flag(calls *c);
/// Mostly from 0 to `most`, sometimes below, far above, infinite or not a number.
float calls_number(calls *c, float most);
/// Mostly on the level or beside it.
lw_vec3 calls_place(calls *c);
/// Mostly from -1 to count, sometimes far outside.
int calls_index(calls *c, int count);
/// Mostly of the level, sometimes NULL.
const lw_profile *calls_profile(calls *c);
/// Sometimes NULL, empty, or too long.
const char *calls_name(calls *c);
lw_threat calls_threat(calls *c);
/// Of the world, of another one, or NULL.
lw_workspace *calls_workspace(calls *c, const lw_world *world);
/// Live ids, stale ones, those of another world, and no id.
lw_agent_id calls_agent(calls *c);

/* --- checks ---------------------------------------------------------------------------------------------------------- */

/// A status that there is not, or a result that an error does not clear, ends the program.
void calls_check(const char *function, lw_status status, const void *result, size_t size);

#endif
