/*
** Sandboxes: scripts of strangers run with an environment of their own, a limit on instructions and one on memory.
**
** They run in the game's Lua state, so that their trees and nodes work on the same agents and worlds. While one runs,
** lwl_calls.sandbox says which; what differs meanwhile: the allocator counts and refuses (sandbox_memory.c), the methods
** of strings are those of the sandbox, and functions of the module that reach files or step worlds refuse. A function
** of a script never gets out as it is: what box:run() returns, and what a script hands to the module, is a guard()
** that enters the sandbox again.
*/
#include "sandbox.h"

#include "tree.h"

#include <string.h>

static const char sandboxes_key = 'b', strings_key = 'm', threads_key = 't';

// --- entering and leaving ------------------------------------------------------------------------------------

void lwl_push_weak_table(lua_State *L, const char *mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lwl_set_string(L, "__mode", mode);
  lua_setmetatable(L, -2);
}

/// Push a table of the registry. @param mode  Of a weak one.
static void push_table(lua_State *L, const char *key, const char *mode) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lwl_push_weak_table(L, mode);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

void lwl_push_sandbox(lua_State *L, const lwl_sandbox *sandbox) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &sandboxes_key);
  lua_rawgetp(L, -1, sandbox);
  lua_remove(L, -2);
}

/// The list at strings_key: the metatable of strings; where the game's own find their methods; "__index".
enum { STRING_META = 1, GAME_METHODS, INDEX_NAME };

/// Let strings find their methods where scripts of the sandbox may. NULL: where the game's do.
static void set_strings(lua_State *L, bool is_games_before, const lwl_sandbox *sandbox) {
  const int top = lua_gettop(L), list = top + 1, meta = top + 2, name = top + 3;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &strings_key);
  lua_rawgeti(L, list, STRING_META);
  lua_rawgeti(L, list, INDEX_NAME);
  if (is_games_before) {
    lua_pushvalue(L, name);
    lua_rawget(L, meta);
    lua_rawseti(L, list, GAME_METHODS);
  }
  if (sandbox) {
    lwl_push_sandbox(L, sandbox);
    lua_getiuservalue(L, -1, LWL_SANDBOX_STRINGS);
    lua_replace(L, -2);
  } else {
    lua_rawgeti(L, list, GAME_METHODS);
  }
  lua_rawset(L, meta);
  lua_settop(L, top);
}

bool lwl_push_games_method(lua_State *L, int name) {
  const int top = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &strings_key);
  if (lua_rawgeti(L, -1, GAME_METHODS) == LUA_TTABLE) {
    lua_pushvalue(L, name);
    if (lua_rawget(L, -2) != LUA_TNIL) {
      lua_replace(L, top + 1);
      lua_settop(L, top + 1);
      return true;
    }
  }
  lua_settop(L, top);
  return false;
}

void lwl_set_sandbox(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox) {
  lwl_sandbox *before = calls->sandbox;
  if (before == sandbox) return;
  calls->sandbox = NULL;
  set_strings(L, !before, sandbox);
  if (before) lwl_settle_sandbox(L, before);
  calls->sandbox = sandbox;
}

lwl_sandbox *lwl_sandbox_of_thread(lua_State *L, lua_State *thread) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &threads_key) != LUA_TTABLE) return lua_pop(L, 1), NULL;
  lua_pushthread(thread);
  lua_xmove(thread, L, 1);
  lua_rawget(L, -2);
  lwl_sandbox *sandbox = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return sandbox;
}

static void set_sandbox_of(lua_State *L, lua_State *thread, const lwl_sandbox *sandbox) {
  if (!sandbox && !lwl_sandbox_of_thread(L, thread)) return;
  push_table(L, &threads_key, "k");
  lua_pushthread(thread);
  lua_xmove(thread, L, 1);
  if (sandbox)
    lwl_push_sandbox(L, sandbox);
  else
    lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void lwl_begin_thread(lua_State *L, lwl_calls *calls, lua_State *thread, lwl_thread_run *before) {
  *before = (lwl_thread_run){
      calls, calls->sandbox, calls->waiting, !calls->budget && calls->has_sandboxes, {.counts = false}};
  lwl_sandbox *sandbox = lwl_sandbox_of_thread(L, thread);
  if (before->has_budget) lwl_begin_endless_budget(L, calls, &before->budget);
  if (sandbox) lwl_lower_budget(calls->budget, &sandbox->limits);
  calls->waiting = thread;
  lua_sethook(thread, lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L));
  lwl_set_sandbox(L, calls, sandbox);
}

void lwl_end_thread(lua_State *L, lua_State *thread, lwl_thread_run *before, bool has_yielded) {
  lwl_calls *calls = before->calls;
  set_sandbox_of(L, thread, has_yielded ? calls->sandbox : NULL);
  lwl_set_sandbox(L, calls, before->sandbox);
  lua_sethook(thread, NULL, 0, 0);
  calls->waiting = before->waiting;
  if (before->has_budget) lwl_end_budget(L, calls, &before->budget);
}

bool lwl_is_in_finaliser(lua_State *L) {
  return lua_gc(L, LUA_GCISRUNNING) < 0; /* the collector has stopped itself meanwhile */
}

lwl_sandbox *lwl_leave_sandbox(lua_State *L, lwl_calls *calls) {
  lwl_sandbox *sandbox = calls->sandbox;
  if (sandbox) lwl_set_sandbox(L, calls, NULL);
  return sandbox;
}

void lwl_refuse_in_sandbox(lua_State *L, const char *where) {
  /* No script of a sandbox runs in a finaliser: it is the game's, in whatever it was that Lua collected garbage. */
  if (lwl_get_calls(L)->sandbox && !lwl_is_in_finaliser(L))
    lwl_raise(L, where, "a script in a sandbox may not do that");
}

const char *lwl_push_over_memory(lua_State *L, const lwl_sandbox *sandbox) {
  switch (sandbox->excess) {
  case LWL_EXCESS_STRING:
    return lua_pushfstring(L, "a string is longer than the sandbox allows, %d bytes: a 64th of its memory",
                           (int)sandbox->string_max);
  case LWL_EXCESS_KEYS:
    return lua_pushfstring(L, "a table has more keys than the sandbox allows, %d beside its list",
                           LWL_TABLE_KEYS_MAX);
  default: return lua_pushfstring(L, "the sandbox's memory, %d bytes, does not suffice", (int)sandbox->memory);
  }
}

void lwl_check_limits(lua_State *L, const lwl_calls *calls) {
  if (calls->sandbox && calls->sandbox->excess) luaL_error(L, "%s", lwl_push_over_memory(L, calls->sandbox));
  if (lwl_is_overrun(calls)) lwl_count_work(L, calls, 0);
}

// --- calls from the game ---------------------------------------------------------------------------------------

/// Instructions that a call into a sandbox counts as inside of a budget: neither that nor its own counts the last few.
enum { A_VISIT = 1000 };

/// A call from the game into a sandbox.
typedef struct visit {
  lwl_calls *calls;
  lwl_sandbox *before;
  bool has_budget; ///< Of its own.
  lwl_budget budget;
  int given;     ///< Instructions that this began with.
  lua_Hook hook; ///< Of a debugger, which rests meanwhile.
  int hook_mask, hook_count;
} visit;

void lwl_enter_sandbox(lua_State *L, lwl_sandbox *sandbox) {
  if (sandbox->calls->sandbox != sandbox) {
    sandbox->is_short = false;
    sandbox->excess = LWL_NO_EXCESS;
  }
  lwl_set_sandbox(L, sandbox->calls, sandbox);
}

static void enter(lua_State *L, lwl_sandbox *sandbox, visit *in, bool has_budget) {
  lwl_calls *calls = sandbox->calls;
  *in = (visit){.calls = calls, .before = calls->sandbox, .has_budget = has_budget};
  lwl_enter_sandbox(L, sandbox);
  if (!has_budget) return;
  if (!lwl_can_count(L)) {
    in->hook = lua_gethook(L);
    in->hook_mask = lua_gethookmask(L);
    in->hook_count = lua_gethookcount(L);
    lua_sethook(L, NULL, 0, 0);
  }
  lwl_begin_inner_budget(L, calls, &in->budget);
  in->given = in->budget.left;
}

static const char *leave(lua_State *L, visit *in) {
  lwl_set_sandbox(L, in->calls, in->before);
  if (!in->has_budget) return NULL;
  lwl_take_work(in->budget.outer, in->given - in->budget.left);
  const char *overrun = lwl_end_budget(L, in->calls, &in->budget);
  if (in->hook) lua_sethook(L, in->hook, in->hook_mask, in->hook_count);
  return overrun;
}

static int guard(lua_State *L);

/// Push what the game may call in the place of the function at index, for the sandbox at that index.
static void push_guard(lua_State *L, int sandbox, int function) {
  function = lua_absindex(L, function);
  if (lua_tocfunction(L, function) == guard) {
    lua_pushvalue(L, function);
    return;
  }
  lua_getiuservalue(L, sandbox, LWL_SANDBOX_EXPORTS);
  lua_pushvalue(L, function);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushvalue(L, sandbox);
    lua_pushvalue(L, function);
    lua_pushcclosure(L, guard, 2);
    lua_pushvalue(L, function);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, -2);
}

void lwl_guard_function(lua_State *L) {
  const lwl_sandbox *sandbox = lwl_get_calls(L)->sandbox;
  if (!sandbox || lua_type(L, -1) != LUA_TFUNCTION) return;
  lwl_push_sandbox(L, sandbox);
  push_guard(L, lua_gettop(L), -2);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

enum { EXPORT_DEPTH = 100 };

void lwl_count_key(lua_State *L, int number) {
  enum { KEYS_AT_ONCE = 64, INSTRUCTIONS = 256 };
  const lwl_calls *calls = number % KEYS_AT_ONCE == 0 ? lwl_get_calls(L) : NULL;
  if (calls && calls->sandbox) lwl_count_work(L, calls, INSTRUCTIONS);
}

/// Push a copy of the value at index for the game: of tables, with functions that it may call.
/// @param copies  Index of table -> its copy.
static void push_export(lua_State *L, int sandbox, int value, int copies, int depth) {
  luaL_checkstack(L, 8, "a value is nested too deeply");
  value = lua_absindex(L, value);
  switch (lua_type(L, value)) {
  case LUA_TFUNCTION: push_guard(L, sandbox, value); return;
  case LUA_TTHREAD: luaL_error(L, "a coroutine cannot leave the sandbox");
  case LUA_TTABLE: break;
  default: lua_pushvalue(L, value); return;
  }
  if (depth >= EXPORT_DEPTH)
    luaL_error(L, "a table that leaves the sandbox is nested deeper than %d", EXPORT_DEPTH);
  lua_pushvalue(L, value);
  if (lua_rawget(L, copies) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  const int copy = lua_gettop(L);
  lua_pushvalue(L, value);
  lua_pushvalue(L, copy);
  lua_rawset(L, copies);
  if (lwl_push_source(L, value)) lwl_set_source(L, copy);
  int keys = 0;
  for (lua_pushnil(L); lua_next(L, value);) {
    lwl_count_key(L, ++keys);
    push_export(L, sandbox, -2, copies, depth + 1);
    push_export(L, sandbox, -2, copies, depth + 1);
    lua_rawset(L, copy);
    lua_pop(L, 1);
  }
}

/// In protected mode: copies for the game of all arguments but the first, the sandbox.
static int export_all(lua_State *L) {
  const int count = lua_gettop(L);
  lua_newtable(L);
  luaL_checkstack(L, count, "too many results");
  for (int i = 2; i <= count; ++i) push_export(L, 1, i, count + 1, 0);
  return count - 1;
}

/// Replace the values above `first - 1` by copies for the game. @return Whether that was possible; else the message is
/// on top of the stack.
static bool export_results(lua_State *L, int sandbox, int first) {
  bool is_plain = true;
  for (int i = first; i <= lua_gettop(L); ++i)
    is_plain &= lua_type(L, i) < LUA_TTABLE || lua_type(L, i) == LUA_TUSERDATA;
  if (is_plain) return true;
  lua_pushcfunction(L, export_all);
  lua_insert(L, first);
  lua_pushvalue(L, sandbox);
  lua_insert(L, first + 1);
  return lua_pcall(L, lua_gettop(L) - first, LUA_MULTRET, 0) == LUA_OK;
}

/// Stack of guard() during the call: what it is in, the message handler, what the function answers.
enum { GUARD_VISIT = 1, GUARD_HANDLER, GUARD_RESULTS };

static int end_guard(lua_State *L, int status, lua_KContext context) {
  visit *in = (visit *)context;
  bool good = status == LUA_OK || status == LUA_YIELD;
  if (!good && lua_type(L, -1) != LUA_TSTRING) { /* its text is the script's to say, within the limits */
    lua_pushcfunction(L, lwl_add_place);
    lua_insert(L, -2);
    lua_pcall(L, 1, 1, 0);
    if (lua_type(L, -1) != LUA_TSTRING) lua_pushliteral(L, "an error whose text raises another one");
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_replace(L, GUARD_HANDLER);
  good = good && export_results(L, GUARD_HANDLER, GUARD_RESULTS);
  const lwl_sandbox *sandbox = lua_touserdata(L, GUARD_HANDLER);
  const bool is_over = sandbox->excess != LWL_NO_EXCESS;
  const char *overrun = leave(L, in);
  if (overrun) lua_pushstring(L, overrun);
  if (is_over) lwl_push_over_memory(L, sandbox);
  if (!good || overrun || is_over) return lua_error(L);
  return lua_gettop(L) - GUARD_RESULTS + 1;
}

/// A guard that a finaliser has brought back is called after Lua has cleared the weak list of sandboxes: list it again.
static void list_again(lua_State *L, const lwl_sandbox *sandbox) {
  lwl_push_sandbox(L, sandbox);
  if (lua_isnil(L, -1)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &sandboxes_key);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_rawsetp(L, -2, sandbox);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/*
** Upvalues: the sandbox, the function. Calls it with the arguments, in the sandbox.
*/
static int guard(lua_State *L) {
  lwl_sandbox *sandbox = lua_touserdata(L, lua_upvalueindex(1));
  const int arguments = lua_gettop(L);
  const lwl_calls *calls = sandbox->calls;
  if (lwl_is_in_finaliser(L))
    return luaL_error(L, "a script in a sandbox cannot run in a finaliser, where Lua counts no instructions");
  luaL_checkstack(L, 8, NULL);
  list_again(L, sandbox);
  // In the coroutine of a leaf the budget is the leaf's: one of its own would last while the function waits.
  const bool may_wait = calls->waiting == L, has_budget = !may_wait && calls->sandbox != sandbox;
  if (has_budget) lwl_count_work(L, calls, A_VISIT);
  if (may_wait) lwl_lower_budget(calls->budget, &sandbox->limits);
  visit here, *in = &here;
  if (may_wait)
    in = lua_newuserdatauv(L, sizeof *in, 0); /* lives while the function waits */
  else
    lua_pushnil(L);
  lua_insert(L, GUARD_VISIT);
  lua_pushcfunction(L, lwl_add_place);
  lua_insert(L, GUARD_HANDLER);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, GUARD_RESULTS);
  enter(L, sandbox, in, has_budget);
  if (!may_wait) return end_guard(L, lua_pcall(L, arguments, LUA_MULTRET, GUARD_HANDLER), (lua_KContext)in);
  // Lua 5.4.4 to 5.4.7 keep the handler when a coroutine is closed that waits in the call.
  return end_guard(L, lua_pcallk(L, arguments, LUA_MULTRET, 0, (lua_KContext)in, end_guard), (lua_KContext)in);
}

bool lwl_is_guard(lua_CFunction function) {
  return function == guard;
}

static lwl_sandbox *sandbox_of_guard(lua_State *L, int index) {
  if (lua_tocfunction(L, index) != guard) return NULL;
  lua_getupvalue(L, index, 1);
  lwl_sandbox *sandbox = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return sandbox;
}

lwl_sandbox *lwl_sandbox_of_guard(lua_State *L, int index) {
  return sandbox_of_guard(L, index);
}

lwl_sandbox *lwl_open_guard(lua_State *L, int index) {
  lwl_sandbox *sandbox = sandbox_of_guard(L, index);
  if (!sandbox || !lwl_can_count(L)) return NULL;
  lua_getupvalue(L, index, 2);
  lua_replace(L, index);
  return sandbox;
}

// --- the module's functions ------------------------------------------------------------------------------------

void lwl_count_loading(lua_State *L, const lwl_calls *calls, size_t length) {
  // Lua's compiler takes time that grows with the square of some texts.
  lwl_count_work(L, calls, (int64_t)length * 4 + (int64_t)(length / 128 * (length / 128)));
}

/// The text of a script, in two pieces.
typedef struct script_text {
  const char *pieces[2];
  size_t lengths[2];
  int read;
} script_text;

static const char *read_piece(lua_State *L, void *user, size_t *size) {
  (void)L;
  script_text *text = user;
  if (text->read == 2) return NULL;
  *size = text->lengths[text->read];
  return text->pieces[text->read++];
}

/// Compile a script. In the scope of a variable to be closed, `return behaviors.sequence { ... }` is no tail call, after
/// which Lua would not know the line that builds the node.
static int load_script(lua_State *L, const lwl_calls *calls, const char *source, size_t length,
                       const char *name) {
  static const char scope[] = "local leeward_scope <close> = nil ";
  const bool is_binary = *source == LUA_SIGNATURE[0];
  script_text text = {{scope, source}, {sizeof scope - 1, length}, is_binary};
  lwl_count_loading(L, calls, length);
  return lua_load(L, read_piece, &text, name, "t");
}

/// In protected mode: compile and call a script. Arguments: sandbox, source, name.
static int run_script(lua_State *L) {
  const lwl_sandbox *sandbox = lua_touserdata(L, 1);
  size_t length;
  const char *source = lua_tolstring(L, 2, &length), *name = lua_tostring(L, 3);
  if (load_script(L, sandbox->calls, source, length, name) != LUA_OK) return lua_error(L);
  lua_getiuservalue(L, 1, LWL_SANDBOX_ENVIRONMENT);
  lua_setupvalue(L, -2, 1);
  lua_call(L, 0, LUA_MULTRET);
  return lua_gettop(L) - 3;
}

/*
** sandbox:run(source [, chunkname]) --> true, what the script returns ... | nil, message, code
*/
static int run(lua_State *L) {
  const lwl_at at = {"run", ""};
  enum { SOURCE = 2, NAME, HANDLER, RESULTS };
  lwl_sandbox *sandbox = lwl_check_userdata(L, 1, LWL_SANDBOX, at.where);
  lua_settop(L, NAME);
  if (lua_type(L, SOURCE) != LUA_TSTRING) lwl_raise_expected(L, &at, "source", "the text of a script", SOURCE);
  const char *name = lua_isnil(L, NAME) ? "sandbox" : lwl_check_text(L, &at, "chunkname", "a string", NAME);
  if (*name != '@' && *name != '=') name = lua_pushfstring(L, "@%s", name);
  lua_pushstring(L, name);
  lua_replace(L, NAME);
  lua_settop(L, NAME);
  lua_pushcfunction(L, lwl_add_place);
  lua_pushcfunction(L, run_script);
  for (int i = 1; i <= NAME; ++i) lua_pushvalue(L, i);
  visit in;
  enter(L, sandbox, &in, true);
  int status = lua_pcall(L, 3, LUA_MULTRET, HANDLER);
  if (status == LUA_OK && !export_results(L, 1, RESULTS)) status = LUA_ERRRUN;
  const bool is_over = sandbox->excess != LWL_NO_EXCESS;
  const char *overrun = leave(L, &in);
  if (is_over) return lwl_fail(L, LW_OUT_OF_MEMORY, lwl_push_over_memory(L, sandbox));
  if (overrun) return lwl_fail(L, LW_LIMIT, lua_pushstring(L, overrun));
  if (status != LUA_OK)
    return lwl_fail(L, status == LUA_ERRMEM ? LW_OUT_OF_MEMORY : LW_INVALID,
                    lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message");
  lua_pushboolean(L, 1);
  lua_replace(L, HANDLER);
  return lua_gettop(L) - HANDLER + 1;
}

/*
** sandbox:memory() --> bytes that its scripts hold, bytes that they may hold
*/
static int memory(lua_State *L) {
  const lwl_sandbox *sandbox = lwl_check_userdata(L, 1, LWL_SANDBOX, "memory");
  lua_pushinteger(L, (lua_Integer)lwl_sandbox_bytes(sandbox));
  lua_pushinteger(L, (lua_Integer)sandbox->memory);
  return 2;
}

static int collect(lua_State *L) {
  lwl_close_usage(lua_touserdata(L, 1));
  return 0;
}

/// Let set_strings() find the metatable of strings. @return false: there is none.
static bool keep_string_meta(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &strings_key) == LUA_TTABLE) return lua_pop(L, 1), true;
  lua_pop(L, 1);
  lua_pushliteral(L, "");
  if (!lua_getmetatable(L, -1)) return lua_pop(L, 1), false;
  lua_createtable(L, INDEX_NAME, 0);
  lua_insert(L, -2);
  lua_rawseti(L, -2, STRING_META);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, GAME_METHODS);
  lua_pushliteral(L, "__index");
  lua_rawseti(L, -2, INDEX_NAME);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &strings_key);
  lua_pop(L, 1);
  return true;
}

static void read_globals(lua_State *L, const lwl_at *at, int environment) {
  if (lwl_get(L, 1, "globals") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (!lua_istable(L, -1)) lwl_raise_expected(L, at, "globals", "a table by names", -1);
  const int globals = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, globals); lua_settop(L, globals + 1)) {
    if (!lwl_to_text(L, globals + 1))
      lwl_raise_at(L, at, "globals", "has a key that is %s, expected names", lwl_describe(L, globals + 1));
    lua_pushvalue(L, globals + 1);
    lua_pushvalue(L, globals + 2);
    lua_rawset(L, environment);
  }
  lua_settop(L, globals - 1);
}

/// The shortest that the longest string may be, and the memory from which on it is as long: a comparison of two is one
/// instruction. [bytes]
enum { SHORTEST_MAX = 4096, STRING_MEMORY = 64 << 20 };

/*
** leeward.sandbox{ memory =, instructions =, seconds =, seed =, globals = } --> sandbox
*/
static int sandbox(lua_State *L) {
  static const char *const keys[] = {"memory", "instructions", "seconds", "seed", "globals", NULL};
  static const lw_range memories = {.min = 65536, .max = INT32_MAX, .unit = "bytes"};
  static const lw_range counts = {.min = 1000, .max = INT32_MAX};
  const lwl_at at = {"sandbox", ""};
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) {
    lua_newtable(L);
    lua_replace(L, 1);
  }
  lwl_check_table(L, at.where, 1);
  lwl_check_keys(L, &at, 1, keys);
  lwl_refuse_in_sandbox(L, at.where);
  lwl_calls *calls = lwl_get_calls(L);
  if (!keep_string_meta(L)) lwl_raise(L, at.where, "strings have no metatable in this state");
  int bytes = 16 << 20, instructions = 1000000;
  float seconds = 1;
  uint64_t seed = 0;
  lwl_opt_int(L, &at, 1, "memory", &memories, &bytes);
  lwl_opt_int(L, &at, 1, "instructions", &counts, &instructions);
  lwl_opt_float(L, &at, 1, "seconds", &lwl_seconds_not_negative, &seconds);
  lwl_opt_seed(L, &at, 1, &seed);
  lwl_sandbox *created = lua_newuserdatauv(L, sizeof *created, LWL_SANDBOX_VALUES);
  const size_t string_max = (size_t)(bytes < STRING_MEMORY ? bytes : STRING_MEMORY) / 64;
  *created = (lwl_sandbox){.calls = calls,
                           .memory = bytes,
                           .limits = {instructions, (double)seconds},
                           .string_max = string_max < SHORTEST_MAX ? SHORTEST_MAX : string_max,
                           .random = lw_random_create(seed, 0)};
  lwl_count_memory(L, calls);
  lwl_open_usage(L, created);
  luaL_setmetatable(L, LWL_SANDBOX);
  push_table(L, &sandboxes_key, "v");
  lua_pushvalue(L, 2);
  lua_rawsetp(L, -2, created);
  lua_settop(L, 2);
  lwl_make_environment(L, 2);
  lua_getiuservalue(L, 2, LWL_SANDBOX_ENVIRONMENT);
  read_globals(L, &at, 3);
  calls->has_sandboxes = true;
  lua_settop(L, 2);
  return 1;
}

void lwl_open_sandbox(lua_State *L) {
  static const luaL_Reg methods[] = {{"run", run}, {"memory", memory}, {NULL, NULL}},
                        meta[] = {{"__gc", collect}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"sandbox", sandbox}, {NULL, NULL}};
  lwl_new_type(L, LWL_SANDBOX, methods, meta, NULL);
  lwl_set_functions(L, functions, NULL);
}
