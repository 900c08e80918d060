/// @file world.h
/// The world: its navmeshes, the agents on them, and time.
///
/// Which navmesh fits (LW_NAVMESH_FITTING, lw_world_find_navmesh()): 1. of the navmeshes whose bounds hold the
/// point in xz and come within snap.y of it in height, or, if there are none such, whose bounds come within
/// `snap`, 2. the one that fits the profile's size: it lacks the least of its height, then of its radius, then
/// has the least radius to spare, then the least height (sizes are those that navmeshes were baked for,
/// lw_navmesh_get_agent(), compared by millimetres; a navmesh from polygons has height 0, no profile means size
/// 0), 3. of several of that size, the one with the nearest place; the first given if equally near. So tanks
/// keep to the tanks' navmesh where there is one, and elsewhere use the largest of the others.
///
/// Swapping navmeshes (lw_world_set_navmesh()): a world takes one that was rebuilt, or baked from a changed
/// level. Tiles are compared by content, and what is on equal ones stays: agents and their paths, polygon ids
/// where the tile keeps its place in the list, dangers. Obstacles and permutations are cut out of the new
/// navmesh. An agent whose ground is gone is put aside, falls or is trapped as by an obstacle (obstacle.h); its
/// path is searched again if what is left of it leads over such tiles, or could be a tenth cheaper. Links that
/// both navmeshes were baked with (equal kind, ends, direction and name) keep their ids and what was set;
/// others become stale, or are new. Links that were added are placed again, or wait unused for ground. Reserved
/// cover that vanished is nobody's. Pointers from lw_world_navmesh() stay valid. While a navmesh waits to be
/// replaced the world is not saved.
///
/// Threads: functions that take `const lw_world *` read the world and may run on any number of threads between
/// steps, also beside queries; those with an lw_workspace each with its own. Exceptions: lw_world_memory(),
/// lw_world_hash() and lw_world_log() (see there). Functions that take `lw_world *` need the world alone.
/// Different worlds do not disturb each other, also if they share navmeshes, profiles and trees.
///
/// A leaf may destroy its world, also a leaf that stops, and so may a logger inside a leaf. The world is then
/// freed when the outermost call that runs leaves returns: lw_world_step(), lw_agent_despawn(),
/// lw_agent_kill(), lw_world_restore() or lw_world_destroy(). Until then the world may be read, another
/// lw_world_destroy() does nothing, nothing more of the step is done, and lw_world_step(), lw_world_save(),
/// lw_world_restore() and lw_agent_spawn() return LW_INVALID. A world is not destroyed while another thread
/// uses it, nor in callbacks of lw_world_debug_draw() or of the allocator.
#ifndef LEEWARD_WORLD_H
#define LEEWARD_WORLD_H

#include "leeward/agent.h"
#include "leeward/danger.h"
#include "leeward/fire_lane.h"
#include "leeward/history.h"
#include "leeward/jobs.h"
#include "leeward/permutation.h"
#include "leeward/tree.h"
#include "leeward/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world to create. Start from lw_world_def_default().
typedef struct lw_world_def {
  const lw_navmesh *navmesh; ///< Borrowed; must outlive the world. NULL: see `navmeshes`. [default NULL]
  /// Several navmeshes instead, each with its own bounds and agent size, in any order. Borrowed like `navmesh`;
  /// the list itself for the call. [navmesh_count, default NULL]
  const lw_navmesh *const *navmeshes;
  int navmesh_count; ///< [1..LW_NAVMESHES_MAX with `navmeshes`, else 0; default 0]
  /// Off-mesh links between navmeshes (lw_world_get_link() says what became of each). Copied. [link_count,
  /// default NULL]
  const lw_link_def *links;
  int link_count; ///< [>= 0, default 0]
  uint64_t seed;  ///< The same seed gives the same run. [default 1]
  /// Depth maps for threats with many queries (LW_ACCURACY_AUTO), inside steps and outside each; and for each
  /// workspace, for LW_ACCURACY_FAST. Drawn when first needed. [0..32, 0: always exact, also in path searches,
  /// default 16]
  int depth_maps;
  /// Bytes for results that are kept for each set of areas, links and sizes of profiles: which regions are
  /// connected, and what radius fits where; as many for bounds at prices, and for what threats see of the
  /// ground, a byte a sample. What was used last is always kept. [default 64 MB]
  size_t cache_bytes;
  /// A walking agent without progress for this time searches again, then fails. [s, > 0, default 2]
  float stuck_seconds;
  /// Lines of sight that agents look along in a step by their senses, besides those of the last one that looks
  /// and of those that are about to be noticed. [>= 1, default 4000]
  int sight_budget;
  /// Work for paths in a step, in the units of planner.h. [>= 1, default 10000]
  int search_work;
  /// Agents whose search takes several steps walk meanwhile towards their goal, as far as it has come: see
  /// planner.h. [default true]
  bool walk_ahead;
  /// Threads that search in a step, with the one that steps: see jobs.h. With `jobs` as many tasks at
  /// once, and no threads are started. [1..LW_THREADS_MAX, 1: its own alone, default 1]
  int threads;
  lw_job_system jobs; ///< In place of threads of its own. Copied. [default none]
  /// Entries that each agent keeps of what happened to it: see lw_world_set_history().
  /// [0..LW_HISTORY_MAX, default 32]
  int history;
  /// What is added where an agent dies (lw_agent_kill()); its `at` is ignored. Value 0: no danger. [default
  /// lw_danger_def_default() with value 0]
  lw_danger_def death_danger;
  /// Called for the leaves of agents' trees, inside lw_world_step(), on its thread. [default NULL]
  lw_node_status (*leaf)(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call);
  /// Called when a state of a permutation has taken effect that differs from that of the last call by name or
  /// definition, also from a saved game: as lw_world_step() begins or in lw_world_apply_changes(), on its
  /// thread. As a leaf it may change the world. The names are good for the call. [default NULL]
  void (*permuted)(void *user, lw_world *world, const char *name, const char *state);
  /// Called when an agent begins an off-mesh link, and when it is at its end, inside lw_world_step(), on its
  /// thread; as a leaf it may change the world. Not called for the end if the agent is removed before.
  /// @return Of a beginning: whether the agent stays there until lw_agent_finish_link(). [default NULL]
  bool (*linked)(void *user, lw_world *world, lw_agent_id agent, const lw_link_step *step);
  /// Called for each request that was answered in a step (lw_path_request()), in the order of the answers, as
  /// that lw_world_step() ends, on its thread; as a leaf it may change the world, and it may take the path.
  /// [default NULL]
  void (*answered)(void *user, lw_world *world, lw_request_id request);
  void *user; ///< Handed to `leaf`, `permuted`, `linked` and `answered`. [default NULL]
  /// Called by whichever thread queries or steps the world: if several do, as with `threads` or `jobs`, it must
  /// be safe to call from several threads.
  /// [default the C library's]
  lw_allocator allocator;
  lw_logger logger; ///< Called by whichever thread logs. [default standard error]
  uint32_t cookie;  ///< Set by lw_world_def_default(). Do not set.
} lw_world_def;

/// @return The defaults of all fields.
LW_API lw_world_def lw_world_def_default(void);
/// Create a world.
/// @param[out] world  The caller frees it with lw_world_destroy(). NULL on an error.
/// @return LW_OK; LW_OUT_OF_MEMORY; LW_INVALID with the field named: out of range, no navmesh, a navmesh given
///   twice, several with different area tables, a danger that lw_danger_add() would refuse, a link that is
///   not finite or of no such kind or area, or `jobs` without `finish` or with 1 of `threads`.
LW_API lw_status lw_world_create(const lw_world_def *def, lw_world **world, lw_error *error);
/// Abort every tree, then free the world, after its workspaces. Inside a leaf: see the head of this header.
/// @param world  NULL: nothing happens.
LW_API void lw_world_destroy(lw_world *world);

/* --- time --- */

/// Advance the world by one step: searches that are due, trees that are awake, then movement. Once warm, only
/// paths allocate.
/// @param dt  [s, > 0, <= 1]
/// @return LW_OK; LW_INVALID: dt, or called from inside a step or a leaf; LW_OUT_OF_MEMORY: for depth maps,
///   counts of queries or what agents see, and the step may not have happened (lw_world_steps() tells);
///   LW_STALE: a leaf destroyed the world, which is freed.
LW_API lw_status lw_world_step(lw_world *world, float dt);
/// Cut obstacles out of the navmeshes, or put ground back, as the next step would do when it begins: to ask or
/// draw without stepping. Costs what has changed.
/// @return LW_OK; LW_INVALID: called from inside a step or a leaf; LW_OUT_OF_MEMORY: the navmeshes are as they
///   were, or as they were baked, and the next call tries again; LW_STALE: lw_world_def.permuted destroyed the
///   world, which is freed.
LW_API lw_status lw_world_apply_changes(lw_world *world);
/// @return World time: the sum of all steps, of equal ones a multiple: 600 steps of 1/60 s are exactly 10. [s]
LW_API double lw_world_time(const lw_world *world);
/// @return Steps so far.
LW_API uint64_t lw_world_steps(const lw_world *world);
/// @return The number that ids of what lives in the world have as their `world`, for references that a
///    caller saves by slot and generation. [1..65535; 0: NULL]
LW_API uint32_t lw_world_number(const lw_world *world);
/// Compute a hash of all that the next steps depend on, but for what is the caller's: navmeshes as they are
/// baked, profiles, trees, blackboards.
/// @return The same build, seed and calls give the same hash.
LW_API uint64_t lw_world_hash(const lw_world *world);
/// Not while other threads query or step the world.
/// @return Bytes that the world and its workspaces hold, without navmeshes, profiles, trees, and paths given to
///   the caller.
LW_API size_t lw_world_memory(const lw_world *world);

/* --- navmeshes --- */

/// @return The world's version of the first navmesh: as it was given while nothing has changed it. Valid as
///   long as the world.
LW_API const lw_navmesh *lw_world_navmesh(const lw_world *world);
/// @return How many navmeshes there are. [1..LW_NAVMESHES_MAX]
LW_API int lw_world_navmesh_count(const lw_world *world);
/// @param index  In the order in which they were given. [0..lw_world_navmesh_count() - 1]
/// @return The world's version of it; NULL: the index is out of range. Valid as long as the world.
LW_API const lw_navmesh *lw_world_navmesh_at(const lw_world *world, int index);
/// @return The index of a navmesh that was given, or of the world's version of it; or -1.
LW_API int lw_world_navmesh_index(const lw_world *world, const lw_navmesh *navmesh);

/// Put another navmesh in the place of one of the world's: see the head of this header. It takes effect when
/// changes are applied: when the next step begins, or in lw_world_apply_changes(). The last one set counts.
/// @param index  Of the navmesh to replace. [0..lw_world_navmesh_count() - 1]
/// @param navmesh  Borrowed; must outlive the world, or what replaces it in turn. The one that it replaces may
///   be destroyed once lw_world_base_navmesh() returns another one.
/// @return LW_OK; LW_INVALID with what is wrong: `index`, a part of a bake, a world's version of a navmesh, one
///   that the world has at another index, another area table, or another size of agents or tiles.
LW_API lw_status lw_world_set_navmesh(lw_world *world, int index, const lw_navmesh *navmesh, lw_error *error);
/// @param index  [0..lw_world_navmesh_count() - 1]
/// @return The navmesh as it was given, by lw_world_def or by lw_world_set_navmesh() once that has taken
///   effect. NULL: the index is out of range. Borrowed from the caller.
LW_API const lw_navmesh *lw_world_base_navmesh(const lw_world *world, int index);

/// Find the navmesh that fits, as the head of this header says, and the nearest place on it that the profile
/// may enter.
/// @param snap  Half size of the snap box. [m, > 0]
/// @param profile  Borrowed for the call. NULL: size 0, all areas may be entered.
/// @param[out] navmesh  Its index, also if there is no place on it; -1: no navmesh there. May be NULL.
/// @param[out] at  On an error `point`, with `poly` 0. May be NULL.
/// @return LW_OK; LW_NO_POINT: no navmesh there, or no place within `snap` that may be entered; LW_INVALID:
///   `point` is not finite, or `snap` not above 0.
LW_API lw_status lw_world_find_navmesh(const lw_world *world, lw_vec3 point, lw_vec3 snap,
                                       const lw_profile *profile, int *navmesh, lw_location *at);

/// Count the links between the world's navmeshes: first lw_world_def.links in their order, refused ones too;
/// then those that navmeshes refused with LW_LINK_NO_START or LW_LINK_NO_END but whose missing end lies on
/// another navmesh. A link that several navmeshes of one level were asked for counts once.
/// @return How many there are.
LW_API int lw_world_link_count(const lw_world *world);
/// Read a link between navmeshes. Each end was moved to the nearest place of all navmeshes, within the link's
/// radius in 3D (the first navmesh given if equally near). lw_link_get() says whether those that joined are
/// used, lw_link_reason() why one was refused.
/// @param index  [0..lw_world_link_count() - 1]
/// @param[out] link  On an error all zero, with navmeshes -1 and `def` as from lw_link_def_default().
/// @return LW_OK; LW_NOT_FOUND: the index is out of range.
LW_API lw_status lw_world_get_link(const lw_world *world, int index, lw_world_link *link);

/* --- other --- */

/// @return How many agents there are, without those that were despawned inside this step.
LW_API int lw_world_agent_count(const lw_world *world);
/// @return The world's own stream of random numbers. Borrowed from the world; for one thread at a time.
LW_API lw_random *lw_world_random_stream(lw_world *world);
/// Write to the world's logger, formatted like printf(). From several threads only if the logger is
/// safe to call from several threads.
LW_API void lw_world_log(const lw_world *world, lw_log_level level, const char *format, ...) LW_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
