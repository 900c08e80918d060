/// Sandboxes: scripts that cannot hurt the game, for the files that make their environment and call them.
#ifndef LWL_SANDBOX_H
#define LWL_SANDBOX_H

#include "budget.h"

#define LWL_SANDBOX "leeward.sandbox"

enum {
  LWL_SANDBOX_ENVIRONMENT = 1, ///< The globals of its scripts.
  LWL_SANDBOX_STRINGS,         ///< What `("x"):upper()` looks for its methods in while a script runs.
  LWL_SANDBOX_EXPORTS,         ///< function of a script -> what the game calls in its place. Weak keys.
  LWL_SANDBOX_OWNED,    ///< Metatables that its scripts have set, and their coroutines -> true. Weak keys.
  LWL_SANDBOX_BUILTINS, ///< What is not its own -> true: what it was given, and all that those lead to.
  LWL_SANDBOX_WRITTEN,  ///< Table of the game -> { key that its scripts have written -> true }. Weak keys.
  LWL_SANDBOX_FOUND,    ///< A list that a measurement uses.
  LWL_SANDBOX_VALUES = LWL_SANDBOX_FOUND
};

typedef struct lwl_sandbox {
  lwl_calls *calls;
  int64_t memory;    ///< What its scripts may hold. [bytes]
  int64_t held;      ///< What they hold, garbage included, without `used`. [bytes]
  int64_t allocated; ///< Since it was last known what is held without garbage. [bytes]
  int64_t used;      ///< Allocated less freed since it was entered; may be below 0. [bytes]
  size_t string_max; ///< The longest string that its scripts may make. [bytes]
  size_t longest;    ///< The longest one so far. [bytes]
  int metatables;    ///< That its scripts have set, but for those that were garbage when that was last known.
  lwl_limits limits; ///< Of one call from the game.
  bool is_short;     ///< The last allocation was refused; the collector has run meanwhile.
  bool is_over;      ///< It asked for more memory than it may hold: the script that runs is ended.
  lw_random random;
} lwl_sandbox;

/// Metatables that scripts of a sandbox may have set: what a call of a table does grows with the square of
/// how many have `__call`, one after another.
#define LWL_METATABLES_MAX 4000

/// Instructions after which to look at the clock again: fewer, where one may take long for what the scripts
/// hold. Their number repeats as the scripts do.
static inline int lwl_sandbox_slice(const lwl_sandbox *sandbox, int slice) {
  enum { LONG_STRING = 8192, MANY_METATABLES = 1000, SHORTEST = 10 };
  if (sandbox->longest <= LONG_STRING && sandbox->metatables <= MANY_METATABLES) return slice;
  if (sandbox->longest > LONG_STRING) slice = (int)((size_t)slice * LONG_STRING / sandbox->longest);
  if (sandbox->metatables > MANY_METATABLES) slice = slice * MANY_METATABLES / sandbox->metatables / 4;
  return slice < SHORTEST ? SHORTEST : slice;
}

/// While a script runs: all that Lua allocates counts as that sandbox's. NULL: none, the game's own scripts
/// run. Allocates nothing that can fail, but for a measurement of what the sandbox before holds.
void lwl_set_sandbox(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox);

/// What is as it was when the coroutine of a leaf has run.
typedef struct lwl_thread_run {
  lwl_calls *calls;
  lwl_sandbox *sandbox;
  lua_State *waiting;
  bool has_budget;
  lwl_budget budget; ///< Where the world of the leaf has no limits.
} lwl_thread_run;
/// The coroutine of a leaf is about to run, or to be closed: in the sandbox that it has yielded in, under the
/// same budget.
/// @param[out] before  For lwl_end_thread().
void lwl_begin_thread(lua_State *L, lwl_calls *calls, lua_State *thread, lwl_thread_run *before);
void lwl_end_thread(lua_State *L, lua_State *thread, lwl_thread_run *before, bool has_yielded);

/// If the value at index is what the game calls in place of a sandbox's function: put that function there.
/// The caller enters the sandbox by lwl_enter_sandbox() and leaves it by lwl_set_sandbox().
/// @return Its sandbox; NULL: it is something else, or a debugger has set a hook, which guards let rest.
lwl_sandbox *lwl_open_guard(lua_State *L, int index);
/// The same, but only tell. @return NULL: it is something else.
const lwl_sandbox *lwl_sandbox_of_guard(lua_State *L, int index);
void lwl_enter_sandbox(lua_State *L, lwl_sandbox *sandbox);
/// Push what to report where the sandbox asked for more memory than it may hold.
const char *lwl_push_over_memory(lua_State *L, const lwl_sandbox *sandbox);

/// Raise "WHERE: a script in a sandbox cannot do that" if one runs.
void lwl_refuse_in_sandbox(lua_State *L, const char *where);
/// If a script in a sandbox runs: put in the place of its function on top of the stack one that the game can
/// call, which enters the sandbox. Leaves other values as they are.
void lwl_guard_function(lua_State *L);
/// Is it the function of C that such a guard is?
bool lwl_is_guard(lua_CFunction function);
/// End the script if it is over a limit: what it catches errors with calls this.
void lwl_check_limits(lua_State *L, const lwl_calls *calls);

/// Count what is allocated in this state from now on (sandbox_memory.c).
void lwl_count_memory(lua_State *L, const lwl_calls *calls);
/// Note that scripts of the sandbox have written the key at index of a table of the game at index, of a
/// blackboard or of states of leaves, so that what is there counts as the sandbox's.
/// @param sandbox  NULL: nothing happens.
void lwl_note_written(lua_State *L, const lwl_sandbox *sandbox, int table, int key);
/// Let the sandbox hold `bytes` more, of the runtime. @param sandbox  NULL: nothing happens.
void lwl_take_memory(lwl_sandbox *sandbox, int64_t bytes);
/// Measure what the sandbox at index can reach and the game did not give it, and what it has written into
/// blackboards and states of leaves. Raises nothing.
void lwl_measure_sandbox(lua_State *L, int index);
/// The sandbox is left: what it used is held.
void lwl_settle_sandbox(lua_State *L, lwl_sandbox *sandbox);

/// luaL_loadbufferx() of text, which counts.
int lwl_load_counted(lua_State *L, const lwl_calls *calls, const char *source, size_t length, const char *name);

/// Make the environment for the scripts of the sandbox at index, and its other user values (sandbox_env.c).
void lwl_make_environment(lua_State *L, int sandbox);
/// Push a new table with what scripts may use of a library of Lua, and set it in the environment; of "_G": add
/// it to the environment (sandbox_library.c). @return The table's index.
int lwl_push_library(lua_State *L, lwl_calls *calls, int environment, const char *name);
/// The count of tables that reading a field of the value at index, and writing one, goes through at most:
/// they may have each other as `__index` and `__newindex`. At least 1.
int64_t lwl_depth_of_fields(lua_State *L, int index);
/// Add find, match, gmatch and gsub, which count their work, to the table on top of the stack
/// (sandbox_pattern.c).
void lwl_add_pattern_functions(lua_State *L, lwl_calls *calls);
/// Push the userdata of a sandbox.
void lwl_push_sandbox(lua_State *L, const lwl_sandbox *sandbox);

#endif
