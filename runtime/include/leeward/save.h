/// @file save.h
/// A world's state in a file: all that moves or is remembered, but not the navmeshes.
///
/// Kept: the clock, steps and random numbers; dangers, fire lanes and how well teams are seen; agents with profile and tree by name, team, pace,
/// stance, place, heading, random numbers, the caller's number, and where they were going.
/// Begins anew: trees at their roots; paths, which are searched when an agent is restored; depth maps, and how often threats
/// were asked about. One that was on an off-mesh link stands where that ends. Not kept: threats and what agents know of them, reserved cover, statistics, agents' ids.
#ifndef LEEWARD_SAVE_H
#define LEEWARD_SAVE_H

#include "leeward/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Write a world's state: little-endian, checksummed, in one rename.
/// @return LW_OK; LW_FILE with the reason; LW_INVALID: called from inside a step; LW_OUT_OF_MEMORY.
LW_API lw_status lw_world_save(const lw_world *world, const char *file, lw_error *error);

/// What a file says, read and checked.
typedef struct lw_saved lw_saved;
/// @param[out] saved  The caller frees it with lw_saved_destroy(). NULL on an error.
/// @return LW_OK; LW_FILE: it cannot be read; LW_BAD_FILE with what is wrong: damaged, cut short, of another kind or
///   version; LW_OUT_OF_MEMORY.
LW_API lw_status lw_saved_open(const char *file, const lw_allocator *allocator, lw_saved **saved,
                               lw_error *error);
LW_API void lw_saved_destroy(lw_saved *saved);

/// An agent as it was. Texts are borrowed from what was read.
typedef struct lw_saved_agent {
  const char *profile; ///< Its name.
  const char *tree;    ///< Its name; "": none.
  const char *team;    ///< "": none.
  const char *stance;
  lw_vec3 at; ///< Where it stood; on a link, where that ends. [m]
  int navmesh;
  lw_pace pace;
  uint64_t user;
  bool walking; ///< Then:
  lw_vec3 goal; ///< [m]
} lw_saved_agent;
LW_API int lw_saved_agent_count(const lw_saved *saved);
/// @param index  From 0, in the order they were spawned. @return LW_OK or LW_NOT_FOUND.
LW_API lw_status lw_saved_get_agent(const lw_saved *saved, int index, lw_saved_agent *agent);

/// Give a world the state of a file, all but its agents: those that it has are despawned. Then spawn those of the file in
/// their order, each with the profile and tree of its names and where it stood, and hand each to lw_agent_restore(): the
/// runtime does not know what the names stand for.
/// @return LW_OK; LW_BAD_FILE: saved over other navmeshes, the world is as it was; LW_INVALID: called from inside a step;
///   LW_OUT_OF_MEMORY: the world has no dangers and lanes any more, or not all of them.
LW_API lw_status lw_world_restore(lw_world *world, const lw_saved *saved, lw_error *error);
/// Give an agent that was spawned for number `index` of the file what else it had, and let it walk on.
/// @return LW_OK; LW_STALE; LW_NOT_FOUND: `index`; or why it has no path to its goal (lw_agent_move_to()): then it is
///   restored, and its move has failed.
LW_API lw_status lw_agent_restore(lw_world *world, lw_agent_id agent, const lw_saved *saved, int index);

#ifdef __cplusplus
}
#endif
#endif
