/// @file permutation.h
/// Permutations: named parts of the navmeshes that have several states, one of which is set: a bridge that lies
/// in rubble, is cleared, or has fallen; a door that is open or shut.
///
/// A state is a list of volumes, written as obstacles are: those that block are cut out of the navmeshes while
/// the state is set, grown by the radius that each navmesh was baked for; the others make the ground one of
/// their area. A state without volumes leaves the ground as it was baked. A state may also bar off-mesh links
/// by their names, those too that are added later, and take tiles from navmeshes that were baked from other
/// geometry: a wall that is there, or shot away. Several permutations do not disturb each other; where they
/// overlap, ground is there if none of them cuts it, and a link is used if none of them bars it and it is
/// enabled. A tile belongs to one permutation at most.
///
/// Tiles: what a world was given (lw_world_base_navmesh()) stays as it is; what it has is that navmesh with the
/// tiles of the states that are set, swapped as by lw_world_set_navmesh() (see world.h). Where one permutation
/// alone has tiles of it, all of a state from one navmesh that differs in nothing else, it has that navmesh, as
/// it was baked, and a change costs a swap. Else the navmesh is put together as by lw_navmesh_replace_tiles()
/// when it is first needed, inside the step, and the last 16 are kept.
///
/// A state that is set takes effect as a whole when the next step begins, or in lw_world_apply_changes(),
/// together with all obstacles; then lw_world_def.permuted is called, and agents are seen to as obstacle.h
/// says. A saved world keeps its states: the caller that loads it defines the permutations, in the same order,
/// before or after that, those with tiles before; those that the file does not name keep the state that they
/// are in.
///
/// Threads: functions that take `lw_world *` need the world alone. Functions that take `const lw_world *` may
/// run together, also with queries.
#ifndef LEEWARD_PERMUTATION_H
#define LEEWARD_PERMUTATION_H

#include "leeward/obstacle.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_PERMUTATIONS_MAX 1024        ///< Permutations of a world at most.
#define LW_PERMUTATION_NAME_MAX 63      ///< Bytes of a name at most.
#define LW_PERMUTATION_STATES_MAX 64    ///< States of one permutation at most.
#define LW_PERMUTATION_VOLUMES_MAX 4096 ///< Volumes of one state at most.
#define LW_PERMUTATION_LINKS_MAX 256    ///< Links that one state names at most.

/// What a state does to the off-mesh links of a name (link.h).
typedef struct lw_permutation_link {
  const char *name; ///< Not empty. The world must have such links when it is defined, or have had some.
  bool is_used;     ///< false: the permutation bars them. true: it does not, as if they were not named.
} lw_permutation_link;

/// A tile that a state has.
typedef struct lw_permutation_tile {
  int navmesh; ///< Index in the world. [0..lw_world_navmesh_count() - 1]
  /// `from` must outlive the definition (lw_world_uses_navmesh()).
  lw_tile_change tile;
} lw_permutation_tile;

/// A state of a permutation.
typedef struct lw_permutation_state_def {
  const char *name; ///< Not empty; no other state of the permutation has it.
  /// [volume_count] What is cut out or marked: shape, place, `blocks`, `area` and `cover` count; they are
  /// neither carried nor attached.
  const lw_obstacle_def *volumes;
  int volume_count;                 ///< [0..LW_PERMUTATION_VOLUMES_MAX]
  const lw_permutation_link *links; ///< [link_count] No name twice.
  int link_count;                   ///< [0..LW_PERMUTATION_LINKS_MAX]
  const lw_permutation_tile *tiles; ///< [tile_count] No tile twice, none of another permutation's.
  int tile_count;                   ///< [>= 0]
} lw_permutation_state_def;

/// A permutation to define. Start from lw_permutation_def_default().
typedef struct lw_permutation_def {
  const char *name;                       ///< Not empty.
  const lw_permutation_state_def *states; ///< [state_count]
  int state_count;                        ///< [1..LW_PERMUTATION_STATES_MAX]
  int initial;                            ///< The state that it begins in. [0..state_count - 1, default 0]
  uint32_t cookie;                        ///< Set by lw_permutation_def_default(). Do not set.
} lw_permutation_def;
/// @return The defaults of all fields.
LW_API lw_permutation_def lw_permutation_def_default(void);

/// Say what lw_permutation_define() would answer to a definition, and change nothing.
/// @return As lw_permutation_define().
LW_API lw_status lw_permutation_check(const lw_world *world, const lw_permutation_def *def, lw_error *error);

/// Define a permutation. If there is one of that name already, it gets the new states, and stays in the state
/// that it is in if the new states have one of that name.
/// @param def  Copied. A link may be missing, as its tile is gone, if the world had it before, or if the
///   permutation is of a file that was loaded and has no states yet; it is barred when it comes back.
/// @return LW_OK; LW_INVALID: a field is out of range, or tiles do not fit the navmesh, as `error` says;
///   LW_NOT_FOUND: there is no link of a name that a state has, named in `error`; LW_LIMIT: there are
///   LW_PERMUTATIONS_MAX; LW_OUT_OF_MEMORY: it is as it was.
LW_API lw_status lw_permutation_define(lw_world *world, const lw_permutation_def *def, lw_error *error);
/// Set the state of a permutation.
/// @return LW_OK; LW_NOT_FOUND: there is no such permutation, or it has no such state, which `error` says;
///   LW_OUT_OF_MEMORY: it is as it was.
LW_API lw_status lw_permutation_set(lw_world *world, const char *name, const char *state, lw_error *error);
/// @return The state that was set last. NULL: there is no such permutation. Borrowed until it is set or defined
///   again.
LW_API const char *lw_permutation_state(const lw_world *world, const char *name);
/// @return Whether the state that was set last has taken effect; false: there is no such permutation.
LW_API bool lw_permutation_is_applied(const lw_world *world, const char *name);
/// @return How many permutations are defined.
LW_API int lw_permutation_count(const lw_world *world);
/// @param index  In the order in which they were defined. [0..lw_permutation_count() - 1]
/// @return Its name; NULL: the index is out of range. Borrowed from the world.
LW_API const char *lw_permutation_name(const lw_world *world, int index);
/// @return How many states it has; 0: there is no such permutation.
LW_API int lw_permutation_state_count(const lw_world *world, const char *name);
/// @param index  [0..lw_permutation_state_count() - 1]
/// @return The name of one of its states; NULL: there is none. Borrowed until it is defined again.
LW_API const char *lw_permutation_state_name(const lw_world *world, const char *name, int index);

/// @return Whether the world has a navmesh, waits for it (lw_world_set_navmesh()), or some state of its
///   permutations has tiles of it: then it must not be destroyed.
LW_API bool lw_world_uses_navmesh(const lw_world *world, const lw_navmesh *navmesh);

#ifdef __cplusplus
}
#endif
#endif
