/// Permutations of a world, and the navmeshes that their tiles make.
#ifndef LW_WORLD_PERMUTATIONS_H
#define LW_WORLD_PERMUTATIONS_H

#include "core/hash_index.h"
#include "core/memory.h"
#include "leeward/permutation.h"

typedef struct lwi_link_name {
  char text[LW_LINK_NAME_MAX + 1];
} lwi_link_name;

/// The tiles of a state on one of the world's navmeshes.
typedef struct lwi_tile_group {
  int navmesh;
  lw_tile_change *tiles; ///< [count] By z, then x. Owned.
  int count;
  const lw_navmesh *compared; ///< With which `is_whole` was found out. NULL: not yet, or it is gone.
  bool is_whole;              ///< All tiles come from one navmesh that differs from that one in nothing else.
} lwi_tile_group;

/// A state of a permutation.
typedef struct lwi_permutation_state {
  char name[LW_PERMUTATION_NAME_MAX + 1];
  lw_obstacle_def *volumes; ///< [volume_count] Owned, with their points.
  int volume_count;
  lwi_link_name *barred; ///< [barred_count] Names of links that it bars. Owned.
  int barred_count;
  lwi_tile_group *groups; ///< [group_count] By navmesh.
  int group_count;
} lwi_permutation_state;

typedef struct lwi_permutation {
  char name[LW_PERMUTATION_NAME_MAX + 1];
  char state[LW_PERMUTATION_NAME_MAX + 1]; ///< That was set last.
  lwi_permutation_state *states;           ///< [state_count] Owned. 0: it is of a file, and not defined yet.
  int state_count;
  int initial;     ///< The state that it begins in.
  bool is_applied; ///< The state has taken effect.
  /// The state that has effect was defined again since lw_world_def.permuted was called for it.
  bool is_changed;
  bool is_new;                               ///< lw_world_def.permuted waits to be called...
  char applied[LW_PERMUTATION_NAME_MAX + 1]; ///< ...with this state, or was called with it last. Not saved.
  lwi_link_name *barred; ///< [barred_count] Names of links that it bars in that state. Owned.
  int barred_count;
  uint32_t first; ///< Slot of the obstacles of the state, the last volume first; LWI_NO_SLOT: none.
} lwi_permutation;

/// A permutation of a file; its obstacles are among those of the file, by its number there, from 1.
typedef struct lwi_saved_permutation {
  char name[LW_PERMUTATION_NAME_MAX + 1], state[LW_PERMUTATION_NAME_MAX + 1];
  bool is_applied;
  lwi_link_name *barred; ///< [barred_count]
  int barred_count;
} lwi_saved_permutation;

/// A navmesh with tiles of others.
typedef struct lwi_composition {
  const lw_navmesh *own; ///< Of which it is built. NULL: it is found no more, but still used.
  lw_tile_change *tiles; ///< [count] By z, then x. Owned.
  int count;
  lw_navmesh *navmesh; ///< Owned.
  uint64_t turn;       ///< When it was last found.
} lwi_composition;
/// Compositions kept beside those that are used.
#define LWI_COMPOSITIONS_KEPT 16

typedef struct lwi_permutations {
  lwi_permutation *items; ///< [count] In the order in which they were defined.
  int count, capacity;
  bool any_pending;   ///< Some is not is_applied.
  bool has_tiles;     ///< Some has ever had tiles.
  bool tiles_pending; ///< The tiles of the states may be others than those that the navmeshes have.
  const lwi_saved_permutation *loading; ///< [loading_count] States that count instead, while a file is loaded.
  int loading_count;
  lwi_composition *compositions; ///< [composition_count]
  int composition_count, composition_capacity;
  uint64_t composition_turn;
  /// By name, without items: links that there were before a navmesh was swapped. States may name them while
  /// their tiles are gone.
  lwi_hash_index known_links;
} lwi_permutations;

/* --- permutations.c --------------------------------------------------------------------------------------- */

/// States that were set have taken effect: say so.
void lwi_world_permuted(lw_world *world);
/// Put the permutations of a file into their states, after its obstacles; others begin again. @return false: no
/// memory.
bool lwi_world_permutations_restore(lw_world *world, const lwi_saved_permutation *saved, int count);
/// Log which of them were saved in a state that they no longer have. The log's listener may change the world.
void lwi_world_permutations_log_lost(lw_world *world, const lwi_saved_permutation *saved, int count);
void lwi_world_permutations_free(lw_world *world);
uint64_t lwi_world_permutations_hash(const lw_world *world, uint64_t hash);

/* --- permutation_tiles.c ---------------------------------------------------------------------------------- */

/// @return LW_OK; LW_INVALID.
lw_status lwi_tiles_check(const lw_world *world, const lw_permutation_def *def, lw_error *error);
/// Copy the tiles of a state that was checked. @return false: no memory, and what is there is to be freed.
bool lwi_tiles_copy(lw_world *world, const lw_permutation_state_def *from, lwi_permutation_state *to);
void lwi_tiles_free(lw_world *world, lwi_permutation_state *state);
bool lwi_tiles_are_same(const lwi_permutation_state *a, const lwi_permutation_state *b);
/// Can a navmesh be given in the place of one of the world's? @return LW_OK, LW_INVALID.
lw_status lwi_tiles_fit(const lw_world *world, int index, const lw_navmesh *navmesh, lw_error *error);
/// Some definition has other tiles, or a navmesh is another: forget what depends on it.
void lwi_tiles_forget(lw_world *world);
/// The navmesh that one becomes with the tiles of the states that are set.
/// @return LW_OK; LW_OUT_OF_MEMORY; else as lw_navmesh_replace_tiles().
lw_status lwi_tiles_compose(lw_world *world, int index, const lw_navmesh *own, const lw_navmesh **navmesh,
                            lw_error *error);
void lwi_compositions_free(lw_world *world);

#endif
