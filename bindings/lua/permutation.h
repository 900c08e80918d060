/// Permutations as tables: checking, conversion to the C structs, and the files that define them.
#ifndef LWL_PERMUTATION_H
#define LWL_PERMUTATION_H

#include "lwl.h"

// --- tables (permutation_check.c) ----------------------------------------------------------------------------

/// Check the states of the table at index, and push the arrays that `def` borrows.
/// @param at  Without prefix. @param world  Index of the world that they are for. 0: tiles are not read.
/// @param def  Its states are set.
void lwl_push_states(lua_State *L, const lwl_at *at, int table, int world, lw_permutation_def *def);
/// The number from 0 of the state that the table at index begins in. Raises unless the table names one of those
/// in `def`, or there is only one.
int lwl_find_default(lua_State *L, const lwl_at *at, int table, const lw_permutation_def *def);

// --- tiles (permutation_tiles.c) -----------------------------------------------------------------------------

/// Read the tiles of the state at index, and push what they are kept in, or nil.
void lwl_push_state_tiles(lua_State *L, const lwl_at *at, int state, int world, lw_permutation_state_def *def);
/// Release the navmeshes that the world has for permutations, and needs no more.
void lwl_drop_sources(lwl_world *world);

// --- files (permutation_files.c) -----------------------------------------------------------------------------

/// Fields of what the files of a name say.
enum {
  LWL_FILED_WHERE = 1, ///< The file that has the default, for messages.
  LWL_FILED_RESULT,    ///< The merged table.
  LWL_FILED_USED,      ///< The worlds that have had it, weak keys; false: none ever.
  LWL_FILED_FILES,     ///< The file of each layer.
  LWL_FILED_LAYERS     ///< The first file's table, which patches the next one, and so on.
};
/// Push what scripts/permutations/NAME.lua along the roots say, read on first use. Raises if a file is wrong.
/// @return false: there is no such file; nothing is pushed.
bool lwl_push_filed(lua_State *L, const char *name);
/// Return nil, message, code: there is no such file.
int lwl_fail_no_permutation(lua_State *L, const char *name);
/// Read all names of the table at index, as LWL_REG_PERMUTATIONS was, again. Raises where a file is wrong, or
/// one that a world uses is gone.
void lwl_read_permutations(lua_State *L, int old);
/// Whether a data file is one of permutations.
bool lwl_is_permutation_file(const char *file);

// --- worlds (permutation.c) ----------------------------------------------------------------------------------

/// In protected mode: raise if a world cannot take what files now say of its permutations.
int lwl_check_permutations(lua_State *L);
/// Define the permutations of the world at index again that were reloaded since its last step.
void lwl_adopt_permutations(lua_State *L, lwl_world *world, int index);
/// lw_world_def.permuted, with the lwl_world as `user`.
void lwl_run_permuted(void *user, lw_world *world, const char *name, const char *state);

#endif
