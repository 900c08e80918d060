/// Sandboxes: scripts that cannot hurt the game, for the files that make their environment and call them.
#ifndef LWL_SANDBOX_H
#define LWL_SANDBOX_H

#include "budget.h"

#define LWL_SANDBOX "leeward.sandbox"

enum {
  LWL_SANDBOX_ENVIRONMENT = 1, ///< The globals of its scripts.
  LWL_SANDBOX_STRINGS,         ///< What `("x"):upper()` looks for its methods in while a script runs.
  LWL_SANDBOX_EXPORTS,         ///< function of a script -> what the game calls in its place. Weak keys.
  LWL_SANDBOX_OWNED,   ///< Metatables that its scripts have set, and their coroutines -> true. Weak keys.
  LWL_SANDBOX_WRITTEN, ///< Table of a blackboard -> { key that its scripts wrote -> userdata }. Weak keys.
  LWL_SANDBOX_THREADS, ///< A list of coroutines that have run its leaves and wait for others.
  LWL_SANDBOX_VALUES = LWL_SANDBOX_THREADS
};

typedef struct lwl_usage lwl_usage;

/// What a script asked for too much of.
typedef enum lwl_excess {
  LWL_NO_EXCESS,
  LWL_EXCESS_MEMORY, ///< More than is left when garbage has been collected.
  LWL_EXCESS_STRING, ///< A string longer than `string_max`.
  LWL_EXCESS_KEYS    ///< A table with more keys than LWL_TABLE_KEYS_MAX.
} lwl_excess;

typedef struct lwl_sandbox {
  lwl_calls *calls;
  int64_t memory;      ///< What its scripts may hold. [bytes]
  lwl_usage *usage;    ///< What they hold, garbage included.
  int64_t grown;       ///< By how much blocks of the game have grown since it was entered. [bytes]
  int64_t allocated;   ///< Since the collector last ran for it. [bytes]
  size_t string_max;   ///< The longest string that its scripts may make. [bytes]
  size_t longest;      ///< The longest one so far. [bytes]
  int metatables;      ///< That its scripts have set, but for those that were garbage when that was last known.
  int64_t written;     ///< Keys of blackboards that its scripts have written, and may have taken away again.
  int64_t written_max; ///< At which to look which of them are left.
  lwl_limits limits;   ///< Of one call from the game.
  bool is_short;       ///< The last allocation was refused; the collector has run meanwhile.
  lwl_excess excess;   ///< Of what the script that runs asked for too much first: it is ended.
  lw_random random;
} lwl_sandbox;

/// Metatables that scripts of a sandbox may have set: what a call of a table does grows with the square of
/// how many have `__call`, one after another.
#define LWL_METATABLES_MAX 4000

/// Keys that a table of theirs may have beside its list.
#define LWL_TABLE_KEYS_MAX 32768

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
/// The sandbox in which the coroutine has yielded. NULL: in none.
lwl_sandbox *lwl_sandbox_of_thread(lua_State *L, lua_State *thread);
void lwl_end_thread(lua_State *L, lua_State *thread, lwl_thread_run *before, bool has_yielded);

/// If the value at index is what the game calls in place of a sandbox's function: put that function there.
/// The caller enters the sandbox by lwl_enter_sandbox() and leaves it by lwl_set_sandbox().
/// @return Its sandbox; NULL: it is something else, or a debugger has set a hook, which guards let rest.
lwl_sandbox *lwl_open_guard(lua_State *L, int index);
/// The same, but only tell. @return NULL: it is something else.
lwl_sandbox *lwl_sandbox_of_guard(lua_State *L, int index);
void lwl_enter_sandbox(lua_State *L, lwl_sandbox *sandbox);
/// Push what to report where the sandbox asked for more memory than it may hold.
const char *lwl_push_over_memory(lua_State *L, const lwl_sandbox *sandbox);

/// Whether a finaliser runs, where Lua calls no hooks.
bool lwl_is_in_finaliser(lua_State *L);
/// Let the game's own code run. @return The sandbox that was left, for lwl_set_sandbox() after it. NULL: none.
lwl_sandbox *lwl_leave_sandbox(lua_State *L, lwl_calls *calls);
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
/// Begin to count for a new sandbox. Raises if there is no memory.
void lwl_open_usage(lua_State *L, lwl_sandbox *sandbox);
/// The sandbox is collected: what its scripts have left with the game goes on counting for nobody.
void lwl_close_usage(lwl_sandbox *sandbox);
/// lua_pcall() of a function of C that calls none of Lua: what it allocates counts as the sandbox's.
/// @param sandbox  NULL: as none's.
int lwl_pcall_for(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox, int arguments, int results);
/// Push a new coroutine that counts as the sandbox's. @param sandbox  NULL: as none's.
lua_State *lwl_new_thread(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox);
/// What its scripts hold, garbage included, and by how much blocks of the game have grown meanwhile. [bytes]
int64_t lwl_sandbox_bytes(const lwl_sandbox *sandbox);
/// If a script runs: count what the object in the box takes until it is freed. [bytes]
void lwl_count_box(lua_State *L, lwl_box *box, size_t bytes);
/// Scripts of the sandbox are about to write the value at index to the key at index of a blackboard, whose
/// table is at index: what the runtime keeps of both counts as the sandbox's.
/// @param sandbox  NULL: nothing happens.
void lwl_note_written(lua_State *L, lwl_sandbox *sandbox, int table, int key, int value);
/// The sandbox is left.
void lwl_settle_sandbox(lua_State *L, lwl_sandbox *sandbox);

/// Count, now and then, that a key of a table is looked at for a script: each may be compared with all others.
/// @param number  Of the key. [1..]
void lwl_count_key(lua_State *L, int number);
/// Count that a text of that length is compiled.
void lwl_count_loading(lua_State *L, const lwl_calls *calls, size_t length);

/// Make the environment for the scripts of the sandbox at index, and its other user values (sandbox_env.c).
void lwl_make_environment(lua_State *L, int sandbox);
/// Push a new table with what scripts may use of a library of Lua, and set it in the environment; of "_G": add
/// it to the environment (sandbox_library.c). @return The table's index.
int lwl_push_library(lua_State *L, lwl_calls *calls, int environment, const char *name);
/// The count of tables that reading a field of the value at index, and writing one, goes through at most:
/// they may have each other as `__index` and `__newindex`. At least 1.
int64_t lwl_depth_of_fields(lua_State *L, int index);
/// Add setmetatable, getmetatable and rawset to the environment (sandbox_metatable.c).
/// @param owned  Index of the table of metatables that scripts have set.
void lwl_add_metatable_functions(lua_State *L, lwl_calls *calls, int environment, int owned);
/// Add find, match, gmatch and gsub, which count their work, to the table on top of the stack
/// (sandbox_pattern.c).
void lwl_add_pattern_functions(lua_State *L, lwl_calls *calls);
/// Push the game's own method of strings by the name at index.
/// @return false: there is none, and nothing is pushed.
bool lwl_push_games_method(lua_State *L, int name);
/// Push a new table with weak keys, "k", or values, "v".
void lwl_push_weak_table(lua_State *L, const char *mode);
/// Push the userdata of a sandbox.
void lwl_push_sandbox(lua_State *L, const lwl_sandbox *sandbox);

#endif
