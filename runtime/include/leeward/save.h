/// @file save.h
/// A world's state in a file: all that moves or is remembered, but not the navmeshes.
///
/// Kept: the clock, steps, the seed and random numbers; dangers, fire lanes, threats and how well teams are seen; agents with
/// profile and tree by name, team, pace, stance, the caller's number, where they are on their way and on which, also on a
/// link, what threats they know of and believe in, what cover they have reserved, their statistics (but for seconds); how
/// often which threats were asked about, so that what LW_ACCURACY_AUTO answers does not change.
/// A run that goes on from a file is the same as one that was never saved, bit for bit (lw_world_hash()), where the world was
/// made with the same lw_world_def and nobody has a tree. Begins anew: trees, at their roots; the way of an agent whose
/// profile or areas make other prices now, or that the caller puts elsewhere.
/// Ids of dangers, fire lanes and threats are those that they had; an id that this world has given since it was saved is
/// never given again. From a file of another world they may be ids that this one gave to others: let go of those before.
/// Agents have new ids: they come back in the order in which they were spawned.
/// Not kept, but the caller's: what lw_world_def says, what profiles, areas and trees are, blackboards.
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
  lw_vec3 at; ///< Where it is to be spawned: where it stood, or on a link, where that ends. [m]
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
/// A threat that is an agent's eye waits for its agent where it was; if that is not back by the next step, it goes.
/// @return LW_OK; LW_BAD_FILE: saved over other navmeshes, the world is as it was; LW_INVALID: called from inside a step;
///   LW_OUT_OF_MEMORY: the world has no dangers, lanes and threats any more, or not all of them.
LW_API lw_status lw_world_restore(lw_world *world, const lw_saved *saved, lw_error *error);
/// Give an agent that was spawned for number `index` of the file what else it had, and let it walk on: by the path that it
/// had, where it was spawned at `at` of lw_saved_agent, and with a profile that has the prices that it had; else by one that
/// is searched now.
/// @return LW_OK; LW_STALE; LW_NOT_FOUND: `index`; LW_OUT_OF_MEMORY; or why it has no path to its goal
///   (lw_agent_move_to()): then it is restored, and its move has failed.
LW_API lw_status lw_agent_restore(lw_world *world, lw_agent_id agent, const lw_saved *saved, int index);

#ifdef __cplusplus
}
#endif
#endif
