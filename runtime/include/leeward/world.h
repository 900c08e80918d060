/// @file world.h
/// The world: its navmeshes, the agents on them, and time.
#ifndef LEEWARD_WORLD_H
#define LEEWARD_WORLD_H

#include "leeward/agent.h"
#include "leeward/danger.h"
#include "leeward/fire_lane.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Navmeshes in one world at most.
#define LW_NAVMESHES_MAX 64

/// Start from lw_world_def_default().
typedef struct lw_world_def {
  const lw_navmesh *navmesh; ///< Borrowed; must outlive the world. NULL: see `navmeshes`. [default NULL]
  /// Several navmeshes instead, each with its own bounds and agent size (lw_world_find_navmesh() says which one serves
  /// whom): borrowed like `navmesh`, the list itself only for the call. [navmesh_count, default NULL]
  const lw_navmesh *const *navmeshes;
  int navmesh_count; ///< [1..LW_NAVMESHES_MAX with `navmeshes`, else 0; default 0]
  /// Off-mesh links from one of the navmeshes to another (lw_world_get_link() says what became of each): copied.
  /// [link_count, default NULL]
  const lw_link_def *links;
  int link_count; ///< [>= 0, default 0]
  uint64_t seed;  ///< Same seed, same run. [default 1]
  /// Depth maps for threats that are asked about often (lw_exposure_find()): so many for questions from inside steps and as
  /// many for those from outside, and to look for watched paths by (lw_path_query.threats), where there are more while a path
  /// has more threats, up to 64, which are given back after 600 steps in which none had; 192 KB each, made when first
  /// needed. [0..32, 0: exposure is always exact, default 16]
  int depth_maps;
  float stuck_seconds; ///< A walking agent that makes no progress for so long searches anew, then fails.
                       ///< [s, > 0, default 2]
  /// What is added where an agent dies (lw_agent_kill()); its `at` does not matter. A value of 0: nothing. [default:
  /// lw_danger_def_default() with the value 0]
  lw_danger_def death_danger;
  /// Called for the leaves of agents' trees, inside lw_world_step(). [default NULL]
  lw_node_status (*leaf)(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call);
  void *user;             ///< Handed to `leaf`.
  lw_allocator allocator; ///< [default: the C library's]
  lw_logger logger;       ///< [default: standard error]
  uint32_t cookie;        ///< Set by lw_world_def_default(). Do not set.
} lw_world_def;

LW_API lw_world_def lw_world_def_default(void);
/// @param[out] world  The caller frees it with lw_world_destroy().
/// @return LW_OK; LW_INVALID with the field named: no navmesh, one given twice, several with different area tables,
///   a danger that lw_danger_add() would refuse, a link that is not finite or of no kind or area; LW_OUT_OF_MEMORY.
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
/// @return The first navmesh.
LW_API const lw_navmesh *lw_world_navmesh(const lw_world *world);
LW_API int lw_world_navmesh_count(const lw_world *world);
/// @param index  From 0, in the order in which they were given. @return NULL: out of range.
LW_API const lw_navmesh *lw_world_navmesh_at(const lw_world *world, int index);
/// @return The index of a navmesh of the world, or -1.
LW_API int lw_world_navmesh_index(const lw_world *world, const lw_navmesh *navmesh);

/// Which navmesh a query without a named one takes, and the nearest place on it that the profile may enter:
/// 1. of those whose bounds hold `point` in xz and come within snap.y of it in height, or if none does, of those whose
///    bounds come within `snap`,
/// 2. the one that fits the profile's size: it lacks the least of its height, then of its radius, then has the least
///    radius to spare, then the least height (sizes are those that navmeshes were baked for, lw_navmesh_get_agent(),
///    and compared by millimetres; a navmesh made from polygons has height 0, no profile has the size 0),
/// 3. of several of that size, the one with the nearest place; the first given when equally near.
/// So tanks keep to the tanks' navmesh where there is one, and elsewhere use the largest of the others.
/// @param snap  Half size of the snap box. [m, > 0]  @param profile  Borrowed for the call. NULL: size 0, and everything
///   may be entered.
/// @param[out] navmesh  Its index, also when there is no place on it; -1: no navmesh is there. May be NULL.
/// @param[out] at  May be NULL.
/// @return LW_OK; LW_NO_POINT: no navmesh is there, or none within `snap` that may be entered; LW_INVALID.
LW_API lw_status lw_world_find_navmesh(const lw_world *world, lw_vec3 point, lw_vec3 snap,
                                       const lw_profile *profile, int *navmesh, lw_location *at);

/// A link between two navmeshes of a world, joined or not.
typedef struct lw_world_link {
  lw_link link;     ///< `from` and `to` are places on these:
  int from_navmesh; ///< Index in the world; -1: nothing to walk on.
  int to_navmesh;   ///< The same of `to`.
  int asked_navmesh; ///< Which one was asked for it and refused it; -1: the world was asked (lw_world_def.links).
} lw_world_link;
/// @return How many links there are between the world's navmeshes: first lw_world_def.links in their order, refused ones too,
///   then those that navmeshes had refused with LW_LINK_NO_START or LW_LINK_NO_END, but whose missing end lies on another
///   navmesh of the world; one that several navmeshes of one level were asked for counts once.
LW_API int lw_world_link_count(const lw_world *world);
/// Each end is moved to the nearest place of all navmeshes, within the link's radius in 3D (to the first navmesh given when
/// equally near). Navmeshes do not change, so neither do these links.
/// @param index  [0..lw_world_link_count() - 1]
/// @return LW_OK or LW_NOT_FOUND. Why one was refused: lw_link_reason().
LW_API lw_status lw_world_get_link(const lw_world *world, int index, lw_world_link *link);
LW_API int lw_world_agent_count(const lw_world *world);
/// Uniform in 0..1 (1 excluded), from the world's stream.
LW_API float lw_world_random(lw_world *world);
/// Write to the world's logger.
LW_API void lw_world_log(const lw_world *world, lw_log_level level, const char *format, ...) LW_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
