/// @file world.h
/// The world: a navmesh, the agents on it, and time.
#ifndef LEEWARD_WORLD_H
#define LEEWARD_WORLD_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from lw_world_def_default().
typedef struct lw_world_def {
  const lw_navmesh *navmesh; ///< Not NULL. Borrowed; must outlive the world.
  uint64_t seed;             ///< Same seed, same run. [default 1]
  float stuck_seconds;       ///< A walking agent that makes no progress for so long searches anew, then fails.
                             ///< [s, > 0, default 2]
  /// Called for the leaves of agents' trees, inside lw_world_step(). [default NULL]
  lw_node_status (*leaf)(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call);
  void *user;             ///< Handed to `leaf`.
  lw_allocator allocator; ///< [default: the C library's]
  lw_logger logger;       ///< [default: standard error]
  uint32_t cookie;        ///< Set by lw_world_def_default(). Do not set.
} lw_world_def;

LW_API lw_world_def lw_world_def_default(void);
/// @param[out] world  The caller frees it with lw_world_destroy().
LW_API lw_status lw_world_create(const lw_world_def *def, lw_world **world, lw_error *error);
/// Aborts every tree first.
LW_API void lw_world_destroy(lw_world *world);

/// Advance everything by one step: trees that are awake, then movement. No allocation once warm, but for
/// paths.
/// @param dt  [s, > 0, <= 1]
/// @return LW_OK; LW_INVALID: dt, or called from inside a step.
LW_API lw_status lw_world_step(lw_world *world, float dt);
/// @return Simulation time. [s]
LW_API double lw_world_time(const lw_world *world);
/// @return Steps since the beginning.
LW_API uint64_t lw_world_steps(const lw_world *world);
/// @return A number over all that the next steps depend on; the same build, seed and calls give the same.
LW_API uint64_t lw_world_hash(const lw_world *world);
/// @return Bytes that the world holds; navmesh, profiles, trees and paths handed out are not the world's.
LW_API size_t lw_world_memory(const lw_world *world);
LW_API const lw_navmesh *lw_world_navmesh(const lw_world *world);
LW_API int lw_world_agent_count(const lw_world *world);
/// Uniform in 0..1 (1 excluded), from the world's stream.
LW_API float lw_world_random(lw_world *world);
/// Write to the world's logger.
LW_API void lw_world_log(const lw_world *world, lw_log_level level, const char *format, ...) LW_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
