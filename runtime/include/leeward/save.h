/// @file save.h
/// A world's state in a file: all that moves or is remembered, without the navmeshes.
///
/// Kept: the clock, steps, the seed and random numbers; dangers, fire lanes, threats and visibility of
/// teams; obstacles as they are and as they are cut, and the states of permutations, whose definitions are
/// the caller's; links that were added, disabled, priced or given a capacity; agents with profile and tree
/// by name, team, pace, stance, the caller's number, their place on their path or link, what holds for their
/// journeys (lw_move_options, the profile by its name), the threats that they know of and their own threats,
/// what they perceive, reserved cover, and statistics (except times); what their trees run, with timers and
/// counts, and what leaves save (lw_leaf_def.save, lw_node_def.saves); blackboards and events; and how often
/// which threats were in queries, so that LW_ACCURACY_AUTO answers the same. Not kept, as they are the
/// caller's: lw_world_def, profiles, areas, trees, and what objects of blackboards (LW_VALUE_OBJECT) are.
///
/// A run that continues from a file equals, bit for bit (lw_world_hash()), a run that was never saved, if the
/// world was created with the same lw_world_def and all leaves that run save. One that does not starts again at
/// itself. Where obstacles changed what threats see during a search that goes on after loading,
/// LW_ACCURACY_AUTO may take to a depth map some queries later. Where an agent's tree of the name of the
/// file's (or none) differs from that, its run goes on if all nodes that run are the same in both
/// (lw_tree_match()), else at its root, and the log says so. An agent searches its path again if its profile or
/// areas have other prices now, or if the caller spawns it elsewhere.
///
/// Ids of dangers, fire lanes, threats and obstacles stay those that they were; an id that this world has given
/// since then is not given again. In a file of another world they may equal ids that this world gave to others:
/// drop such ids first. Agents get new ids, in the order in which they were spawned.
///
/// Threads: lw_world_save(), lw_world_restore() and lw_agent_restore() need the world alone, the first one
/// although it takes it with `const`. What lw_saved_open() read never changes; any number of threads may read
/// it.
///
/// A world over other navmeshes takes a file if each tile that an agent of it stands on holds the same as then;
/// else the tile is named. Links that navmeshes were baked with, and those between navmeshes, are known by
/// their kind and name and by where they were asked to lead from and to, in any order; of equal ones the first
/// is the first. New ones are as nobody has changed them. What was set of those that are gone is gone: an agent
/// on such a link takes it to its end, and an agent that waits for it, or is to take it, searches its path
/// again, as do those whose paths lead over other tiles. Permutations with tiles (permutation.h) that are
/// defined before take the states of the file first.
#ifndef LEEWARD_SAVE_H
#define LEEWARD_SAVE_H

#include "leeward/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Write a world's state, little-endian and with a checksum, to a temporary file beside `file`, then rename it,
/// as lw_navmesh_save() does.
/// Leaves that are asked what they save may not spawn or despawn agents.
/// @return LW_OK; LW_FILE with the reason: the file is then as it was; LW_INVALID: such a leaf did, or the call
///   is from a step or a leaf; LW_PENDING: a navmesh or tiles of a permutation have not taken effect yet;
///   LW_OUT_OF_MEMORY; LW_STALE: a leaf that was to save destroyed the world.
LW_API lw_status lw_world_save(const lw_world *world, const char *file, lw_error *error);

/// The same, with data of the caller's own in the file.
/// @param data  [size] Copied. lw_saved_data() gives it back. NULL: none.
/// @param size  [bytes; below 2^31 with all else of the file]
/// @return As lw_world_save().
LW_API lw_status lw_world_save_with(const lw_world *world, const char *file, const void *data, size_t size,
                                    lw_error *error);

/// The content of a file, read and checked.
typedef struct lw_saved lw_saved;
/// Read a file.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] saved  The caller frees it with lw_saved_destroy(). NULL on an error.
/// @return LW_OK; LW_FILE: missing or unreadable; LW_BAD_FILE with what is wrong: damaged, truncated, of
///   another kind or version; LW_OUT_OF_MEMORY.
LW_API lw_status lw_saved_open(const char *file, const lw_allocator *allocator, lw_saved **saved,
                               lw_error *error);
/// Free what was read. @param saved  NULL: nothing happens.
LW_API void lw_saved_destroy(lw_saved *saved);

/// An agent as it was. Texts are borrowed from the lw_saved.
typedef struct lw_saved_agent {
  const char *profile; ///< The name of its profile.
  const char *tree;    ///< The name of its tree; "": no tree, or one without a name.
  const char *team;    ///< "": no team.
  const char *stance;  ///< The name of its stance.
  lw_vec3 at;          ///< Where to spawn it: where it stood, or where its link ends. [m]
  int navmesh;         ///< Index in the world of the navmesh of that place.
  lw_pace pace;        ///< How fast it walked.
  uint64_t user;       ///< The caller's own number.
  bool walking;        ///< Whether it followed a path.
  lw_vec3 goal;        ///< Where to, if `walking`. [m]
  /// Whether it had a tree without a name, which no file can hold: the caller has to know which.
  bool has_unnamed_tree;
  /// The name of the profile that its journey is for (lw_move_options.profile); "": its own.
  const char *journey;
} lw_saved_agent;
/// @return How many agents there are.
LW_API int lw_saved_agent_count(const lw_saved *saved);
/// Read an agent.
/// @param index  In the order in which they were spawned. [0..lw_saved_agent_count() - 1]
/// @param[out] agent  All zero on an error.
/// @return LW_OK; LW_NOT_FOUND: the index is out of range.
LW_API lw_status lw_saved_get_agent(const lw_saved *saved, int index, lw_saved_agent *agent);

/// Despawn a world's agents, drop navmeshes that wait, and give it the state of a file without agents. Then
/// spawn these in order, with profile, tree and place, hand each to lw_agent_restore(), and all to
/// lw_world_restore_trees(). An agent's eye waits for it until the next step, and is removed then.
/// @return LW_OK; LW_BAD_FILE: saved with other navmeshes (see the head of this header) or lw_world_def.links,
///   the world is as it was; LW_INVALID: called from inside a step or a leaf; LW_OUT_OF_MEMORY: some or all
///   dangers, fire lanes and threats are gone; LW_STALE: a leaf that was stopped destroyed the world.
LW_API lw_status lw_world_restore(lw_world *world, const lw_saved *saved, lw_error *error);
/// Give a newly spawned agent the rest of the state of an agent of the file, and let it walk on: by its old
/// path if it was spawned at lw_saved_agent.at with a profile of the same prices, else by a path that is
/// searched now.
/// @param index  As for lw_saved_get_agent().
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: the index is out of range; LW_OUT_OF_MEMORY; else as
///   lw_agent_move_to(): it is restored, but its move has failed.
LW_API lw_status lw_agent_restore(lw_world *world, lw_agent_id agent, const lw_saved *saved, int index);
/// The same for an agent whose journey is for another profile than its own.
/// @param journey  The one named lw_saved_agent.journey; ignored if that is "", or if it has the name of the
///   agent's own profile and other numbers than the journey had. Borrowed as in lw_move_options.
///   With other prices than then, its path is searched again. NULL: its path is searched again for its own.
/// @return As lw_agent_restore().
LW_API lw_status lw_agent_restore_journey(lw_world *world, lw_agent_id agent, const lw_saved *saved, int index,
                                          const lw_profile *journey);

/// Once all agents are restored: give the world, teams and agents the blackboards and events of the file, and
/// let trees go on (see the head of this header); without this call they begin at their roots. Values that are
/// agents become those that were restored; an agent that was gone, or was not restored, a stale id.
/// @return LW_OK; LW_INVALID: called from inside a step or a leaf; LW_OUT_OF_MEMORY: some agents have no
///   blackboard, or begin at their roots; LW_STALE: a leaf destroyed the world.
LW_API lw_status lw_world_restore_trees(lw_world *world, const lw_saved *saved, lw_error *error);
/// @param[out] size  Its length. NULL: not asked. [bytes]
/// @return What the caller gave to lw_world_save_with(), borrowed from `saved`. NULL: nothing.
LW_API const void *lw_saved_data(const lw_saved *saved, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
