/*
** The environment of scripts in a sandbox: what of Lua's libraries is there, and the functions whose work is not done in
** instructions of Lua, or that could get round a limit. Each of these counts its work (lwl_count_work()).
*/
#include "sandbox.h"
#include "scripts.h"

#include <math.h>
#include <string.h>

/// Upvalues of the functions here: the lwl_calls; what the function works with.
enum { CALLS = 1, OWN };

static const lwl_calls *calls_of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(CALLS));
}

// --- errors --------------------------------------------------------------------------------------------------

/// What is caught is only what is below the limits: they end the script itself.
static int end_call(lua_State *L, int status, lua_KContext first) {
  lwl_check_limits(L, calls_of(L));
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)first;
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/*
** pcall(f, ...)
*/
static int protect(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return end_call(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, end_call), 0);
}

/// Stack: f, handler, then what f answers, or its error.
static int end_handled_call(lua_State *L, int status, lua_KContext context) {
  (void)context;
  lwl_check_limits(L, calls_of(L));
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - 2;
  lua_pushvalue(L, 2);
  lua_insert(L, -2);
  lua_pcall(L, 1, 1, 0); /* an error of the handler is the answer */
  lwl_check_limits(L, calls_of(L));
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/*
** xpcall(f, handler, ...)
** Calls the handler after the error, not at its place: a handler of Lua's own runs inside of the hook that ends a
** script, where nothing would end it, and Lua 5.4.4 to 5.4.7 keep it when a coroutine is closed that waits in the
** call.
*/
static int protect_with(lua_State *L) {
  const int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2); /* f, handler, true, f, arguments */
  return end_handled_call(L, lua_pcallk(L, count - 2, LUA_MULTRET, 0, 0, end_handled_call), 0);
}

// --- tables --------------------------------------------------------------------------------------------------

/// Bytes that a sandbox holds, for which a search for the first key of a table counts as one instruction: it may go over
/// a large table that was emptied.
enum { BYTES_A_SEARCH = 1024 };

/*
** next(table [, key])
*/
static int find_next(lua_State *L) {
  const lwl_calls *calls = calls_of(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  const lwl_sandbox *in = calls->sandbox;
  if (lua_isnil(L, 2) && in) lwl_count_work(L, calls, lwl_sandbox_bytes(in) / BYTES_A_SEARCH);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

static int end_pairs(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

/*
** pairs(value)
*/
static int begin_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") == LUA_TNIL) {
    lua_pushvalue(L, lua_upvalueindex(OWN));
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
  }
  lua_pushvalue(L, 1);
  lua_callk(L, 1, 3, 0, end_pairs);
  return end_pairs(L, LUA_OK, 0);
}

// --- scripts -------------------------------------------------------------------------------------------------

/*
** load(text [, name [, mode [, environment]]]) --> function | nil, message
*/
static int load_text(lua_State *L) {
  enum { TEXT = 1, NAME, MODE, ENVIRONMENT };
  size_t length;
  const char *text = luaL_checklstring(L, TEXT, &length), *name = luaL_optstring(L, NAME, text);
  const bool has_environment = !lua_isnone(L, ENVIRONMENT);
  lwl_count_loading(L, calls_of(L), length);
  if (luaL_loadbufferx(L, text, length, name, "t") != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushvalue(L, has_environment ? ENVIRONMENT : lua_upvalueindex(OWN));
  if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  return 1;
}

/// Upvalues of require() beside: the game's own, and what a script gets for some names.
enum { GAMES_REQUIRE = 2, MODULES };

static const char node_prefix[] = "behaviors.nodes.";
enum { NODE_LENGTH = sizeof node_prefix - 1 };

static bool is_node(const char *name) {
  return strncmp(name, node_prefix, NODE_LENGTH) == 0 &&
         strspn(name + NODE_LENGTH, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(name + NODE_LENGTH);
}

/*
** require(name): leeward, behaviors, behaviors.nodes.NAME
*/
static int require(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  if (lua_rawget(L, lua_upvalueindex(MODULES)) != LUA_TNIL) return 1;
  if (!is_node(name))
    return luaL_error(
        L, "a script in a sandbox cannot load module '%s', only leeward, behaviors and behaviors.nodes.NAME",
        lwl_shown(L, name));
  lwl_calls *calls = lua_touserdata(L, lua_upvalueindex(CALLS));
  lwl_sandbox *in = calls->sandbox;
  lua_pushvalue(L, lua_upvalueindex(GAMES_REQUIRE));
  lua_pushvalue(L, 1);
  lwl_set_sandbox(L, calls, NULL);
  const int status = lua_pcall(L, 1, 1, 0);
  lwl_set_sandbox(L, calls, in);
  if (status != LUA_OK && !lwl_find_module(L, name))
    return luaL_error(L, "there is no node '%s'", name + NODE_LENGTH);
  if (status != LUA_OK) return lua_error(L);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, -2);
  lua_rawset(L, lua_upvalueindex(MODULES));
  return 1;
}

enum { PRINTED_MAX = 1000, A_PRINT = 1000 };

/*
** print(...), a line of at most 1000 bytes, with spaces between values
*/
static int print(lua_State *L) {
  const int count = lua_gettop(L);
  lwl_count_work(L, calls_of(L), A_PRINT);
  lua_pushliteral(L, "");
  for (int i = 1; i <= count; ++i) {
    if (i > 1) lua_pushliteral(L, " ");
    luaL_tolstring(L, i, NULL);
    lua_concat(L, i > 1 ? 3 : 2);
  }
  lua_pushvalue(L, lua_upvalueindex(OWN));
  lwl_push_shown(L, -2, PRINTED_MAX);
  lua_call(L, 1, 0);
  return 0;
}

// --- coroutines ----------------------------------------------------------------------------------------------

/// Instructions that each resumption counts as: the first of a coroutine are not counted one by one.
enum { A_RESUMPTION = 100 };

/// The coroutine at index 1: one that a script created, never that of a leaf.
static lua_State *check_thread(lua_State *L) {
  lua_State *thread = lua_tothread(L, 1);
  if (!thread) luaL_typeerror(L, 1, "coroutine");
  lua_pushvalue(L, 1);
  luaL_argcheck(L, lua_rawget(L, lua_upvalueindex(OWN)) != LUA_TNIL, 1, "a coroutine of the sandbox expected");
  lua_pop(L, 1);
  return thread;
}

/*
** coroutine.create(f)
*/
static int create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, lua_upvalueindex(OWN));
  return 1;
}

/*
** coroutine.running() --> thread, false | nil, true: of the game's coroutines a script gets none
*/
static int running(lua_State *L) {
  lua_pushthread(L);
  lua_pushvalue(L, -1);
  const bool is_own = lua_rawget(L, lua_upvalueindex(OWN)) != LUA_TNIL;
  lua_pop(L, 1);
  if (!is_own) lua_pushnil(L);
  lua_pushboolean(L, !is_own);
  return 2;
}

/// Resume the coroutine with the arguments on top of the stack.
/// @return How many results are on top of the stack; -1: the error is.
static int resume_thread(lua_State *L, lua_State *thread, int arguments) {
  const lwl_calls *calls = calls_of(L);
  const bool is_dead = lua_status(thread) == LUA_OK && lua_gettop(thread) == 0;
  if (is_dead || !lua_checkstack(thread, arguments)) {
    lua_pushstring(L, is_dead ? "cannot resume dead coroutine" : "too many arguments to resume");
    return -1;
  }
  lwl_count_work(L, calls, A_RESUMPTION);
  lwl_count_thread(calls, thread);
  lua_xmove(L, thread, arguments);
  int results = 0;
  const int status = lua_resume(thread, L, arguments, &results);
  lwl_check_limits(L, calls);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(thread, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(thread, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(thread, L, results);
  return results;
}

/*
** coroutine.resume(thread, ...)
*/
static int resume(lua_State *L) {
  lua_State *thread = check_thread(L);
  const int results = resume_thread(L, thread, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  lua_insert(L, results < 0 ? -2 : -(results + 1));
  return results < 0 ? 2 : results + 1;
}

/// What coroutine.wrap() returns.
static int call_wrapped(lua_State *L) {
  lua_State *thread = lua_tothread(L, lua_upvalueindex(OWN));
  const int results = resume_thread(L, thread, lua_gettop(L));
  if (results >= 0) return results;
  const int state = lua_status(thread);
  if (state != LUA_OK && state != LUA_YIELD) lua_resetthread(thread);
  lwl_check_limits(L, calls_of(L));
  return lua_error(L);
}

/*
** coroutine.wrap(f)
*/
static int wrap(lua_State *L) {
  create(L);
  lua_pushlightuserdata(L, (void *)calls_of(L));
  lua_insert(L, -2);
  lua_pushcclosure(L, call_wrapped, OWN);
  return 1;
}

/*
** coroutine.close(thread)
*/
static int close_thread(lua_State *L) {
  lua_State *thread = check_thread(L);
  const int state = lua_status(thread);
  lua_Debug frame;
  if (thread == L || (state == LUA_OK && lua_getstack(thread, 0, &frame)))
    return luaL_error(L, "cannot close a running coroutine");
  lwl_count_work(L, calls_of(L), A_RESUMPTION);
  lwl_count_thread(calls_of(L), thread);
  const int status = lua_resetthread(thread);
  lwl_check_limits(L, calls_of(L));
  lua_pushboolean(L, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(thread, L, 1);
  return 2;
}

// --- the environment -----------------------------------------------------------------------------------------

static float draw(void *user) {
  return lw_random_unit(user);
}

/*
** math.random([m [, n]]), from the sandbox's own stream
*/
static int random(lua_State *L) {
  lua_settop(L, 2);
  lua_pushnil(L);
  lua_insert(L, 1); /* as a method's self */
  return lwl_random(L, "random", draw, lua_touserdata(L, lua_upvalueindex(OWN)));
}

/// Set a function with that upvalue, which is on top of the stack and popped, in the table at index.
static void set_function(lua_State *L, lwl_calls *calls, int table, const char *name, lua_CFunction function) {
  lua_pushlightuserdata(L, calls);
  lua_insert(L, -2);
  lua_pushcclosure(L, function, OWN);
  lua_setfield(L, table, name);
}

static void add_coroutines(lua_State *L, lwl_calls *calls, int environment, int owned) {
  static const luaL_Reg functions[] = {{"create", create},      {"resume", resume},   {"wrap", wrap},
                                       {"close", close_thread}, {"running", running}, {NULL, NULL}};
  const int table = lwl_push_library(L, calls, environment, "coroutine");
  for (const luaL_Reg *function = functions; function->name; ++function) {
    lua_pushvalue(L, owned);
    set_function(L, calls, table, function->name, function->func);
  }
  lua_pop(L, 1);
}

/// Push what a script gets of the module: vectors.
static void push_module(lua_State *L) {
  lua_newtable(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "leeward") == LUA_TTABLE) {
    lua_getfield(L, -1, "vec3");
    lua_setfield(L, -4, "vec3");
    lua_getfield(L, -1, "version");
    lua_setfield(L, -4, "version");
  }
  lua_pop(L, 2);
}

/// Push the modules that there are from the beginning.
static void push_modules(lua_State *L, int environment) {
  lua_newtable(L);
  push_module(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, environment, "leeward");
  lua_setfield(L, -2, "leeward");
  lua_getglobal(L, "require");
  lua_pushliteral(L, "behaviors");
  if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1)) {
    const int behaviors = lua_gettop(L);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, behaviors);) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, behaviors + 1);
    }
    lua_setfield(L, behaviors - 1, "behaviors");
  }
  lua_pop(L, 1);
}

static void add_scripts(lua_State *L, lwl_calls *calls, int environment) {
  lua_pushlightuserdata(L, calls);
  lua_getglobal(L, "require");
  push_modules(L, environment);
  lua_pushcclosure(L, require, MODULES);
  lua_setfield(L, environment, "require");
  lua_pushvalue(L, environment);
  set_function(L, calls, environment, "load", load_text);
  lua_getglobal(L, "print");
  set_function(L, calls, environment, "print", print);
  lua_pushvalue(L, environment);
  lua_setfield(L, environment, "_G");
  lua_pushliteral(L, LUA_VERSION);
  lua_setfield(L, environment, "_VERSION");
}

static void add_base(lua_State *L, lwl_calls *calls, int environment) {
  lwl_push_library(L, calls, environment, "_G");
  lua_pop(L, 1);
  lua_pushnil(L);
  set_function(L, calls, environment, "pcall", protect);
  lua_pushnil(L);
  set_function(L, calls, environment, "xpcall", protect_with);
  lua_pushnil(L);
  set_function(L, calls, environment, "next", find_next);
  lua_getfield(L, environment, "next");
  set_function(L, calls, environment, "pairs", begin_pairs);
}

/*
** What strings have no method for: that of the script's own table, unless the game has one of that name.
*/
static int find_method(lua_State *L) {
  lua_settop(L, 2);
  const lwl_calls *calls = calls_of(L);
  if (!calls->sandbox || lwl_push_games_method(L, 2)) return 0;
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(OWN));
  return 1;
}

/// Push what strings find their methods in while a script runs: the functions of the table on top of the stack, the
/// script's `string`, as they are now. The game's code may run meanwhile, and is to find no others in their places.
static void push_methods(lua_State *L, lwl_calls *calls) {
  const int strings = lua_gettop(L);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, strings);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, strings + 1);
  }
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, strings);
  set_function(L, calls, strings + 2, "__index", find_method);
  lua_setmetatable(L, strings + 1);
}

void lwl_make_environment(lua_State *L, int sandbox) {
  lwl_sandbox *of = lua_touserdata(L, sandbox);
  sandbox = lua_absindex(L, sandbox);
  const int top = lua_gettop(L), environment = top + 1, owned = top + 2;
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lua_newtable(L);
  lwl_push_weak_table(L, "k");
  add_base(L, of->calls, environment);
  lwl_add_metatable_functions(L, of->calls, environment, owned);
  lwl_push_library(L, of->calls, environment, "math");
  lua_pushlightuserdata(L, &of->random);
  set_function(L, of->calls, lua_gettop(L) - 1, "random", random);
  lua_pushnumber(L, (lua_Number)3.141592653589793);
  lua_setfield(L, -2, "pi");
  lua_pushnumber(L, (lua_Number)INFINITY);
  lua_setfield(L, -2, "huge");
  lua_pushinteger(L, LUA_MAXINTEGER);
  lua_setfield(L, -2, "maxinteger");
  lua_pushinteger(L, LUA_MININTEGER);
  lua_setfield(L, -2, "mininteger");
  lwl_push_library(L, of->calls, environment, "table");
  lwl_push_library(L, of->calls, environment, "utf8");
  static const char character[] = "[\0-\x7F\xC2-\xFD][\x80-\xBF]*";
  lua_pushlstring(L, character, sizeof character - 1);
  lua_setfield(L, -2, "charpattern");
  lua_settop(L, owned);
  add_coroutines(L, of->calls, environment, owned);
  lwl_push_library(L, of->calls, environment, "string");
  lwl_add_pattern_functions(L, of->calls);
  push_methods(L, of->calls);
  lua_setiuservalue(L, sandbox, LWL_SANDBOX_STRINGS);
  lua_settop(L, owned);
  add_scripts(L, of->calls, environment);
  lua_settop(L, owned);
  lua_setiuservalue(L, sandbox, LWL_SANDBOX_OWNED);
  lua_setiuservalue(L, sandbox, LWL_SANDBOX_ENVIRONMENT);
  lwl_push_weak_table(L, "k");
  lua_setiuservalue(L, sandbox, LWL_SANDBOX_EXPORTS);
  lwl_push_weak_table(L, "k");
  lua_setiuservalue(L, sandbox, LWL_SANDBOX_WRITTEN);
  lua_newtable(L);
  lua_setiuservalue(L, sandbox, LWL_SANDBOX_THREADS);
}
