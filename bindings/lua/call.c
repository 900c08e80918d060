/*
** Calls of the module's functions, and worlds that are destroyed inside one.
**
** A function may hold pointers into a world while it pushes what it answers. Lua may run a finaliser at any
** such push, and that may destroy the world, as may a leaf or any other function of a script that the call
** runs. So every function and method is registered inside call() below, and world:destroy() only marks the
** world: every use raises from then on, and the C world is freed when the outermost call returns. No function
** has to take care of that itself.
*/
#include "budget.h"

#include <string.h>

static const char calls_key = 'c', worlds_key = 'w';

void lwl_open_calls(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &calls_key) == LUA_TNIL) {
    lwl_calls *calls = lua_newuserdatauv(L, sizeof *calls, 0);
    *calls = (lwl_calls){0};
    lua_newtable(L); /* world as light userdata -> its userdata; weak */
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &worlds_key);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &calls_key); /* last: then both are there */
  }
  lua_pop(L, 1);
}

lwl_calls *lwl_get_calls(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &calls_key);
  lwl_calls *calls = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return calls;
}

int lwl_register_world(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &worlds_key);
  lua_insert(L, -2);
  lua_rawsetp(L, -2, lua_touserdata(L, -1));
  lua_pop(L, 1);
  return 0;
}

bool lwl_push_world(lua_State *L, const lwl_world *world) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &worlds_key);
  const int type = lua_rawgetp(L, -1, world);
  lua_remove(L, -2);
  return type == LUA_TUSERDATA;
}

/// Upvalues of call().
enum { FUNCTION = 1, CALLS, OWN = LWL_OWN, COST };

/// Instructions that a call counts as in a sandbox: about what it takes on a large level, or with many agents.
enum { A_CALL = 50, A_LIST = 500, A_SEARCH = 5000, A_TABLE = 100000 };

static const char *const lists[] = {"agents", "dangers", "threats", "obstacles", "memory",
                                    "noise",  "stats",   "tiles",   NULL},
                         *const searches[] = {"find_path",      "path_exists",   "reachable_area",
                                              "random_point",   "find_cover",    "cover_segments",
                                              "exposure",       "search",        "request_path",
                                              "finish",         "step",          "explain",
                                              "sees",           "nearest_point", "polygons_around",
                                              "move_to",        "spawn",         "agents_around",
                                              "distance_field", "find_drive",    "plan_regions",
                                              "check_move",     "hash",          "history",
                                              "permutation",    "why",           NULL},
                         *const tables[] = {"route_table", "path_costs", "polygons", "differing_tiles", NULL};

static bool is_among(const char *const *names, const char *name) {
  while (*names && strcmp(*names, name) != 0) ++names;
  return *names;
}

static int cost_of(const char *name) {
  if (is_among(tables, name)) return A_TABLE;
  if (is_among(searches, name)) return A_SEARCH;
  return is_among(lists, name) ? A_LIST : A_CALL;
}

static int call(lua_State *L) {
  lwl_calls *calls = lua_touserdata(L, lua_upvalueindex(CALLS));
  if (calls->sandbox) lwl_count_work(L, calls, lua_tointeger(L, lua_upvalueindex(COST)));
  const int outer = calls->count;
  calls->count = outer + 1;
  const int results = lua_tocfunction(L, lua_upvalueindex(FUNCTION))(L);
  calls->count = outer;
  if (calls->first_pending) lwl_close_pending(L, calls);
  return results;
}

lua_CFunction lwl_to_function(lua_State *L, int index) {
  const lua_CFunction function = lua_tocfunction(L, index);
  if (function != call) return function;
  lua_getupvalue(L, index, FUNCTION);
  const lua_CFunction inside = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return inside;
}

bool lwl_is_inside_call(lua_State *L, lwl_calls *calls) {
  if (calls->count == 0) return false;
  // A call that ended with an error was not counted down: count those on the stack. Only that of the main
  // thread shows all of them.
  const bool is_main = lua_pushthread(L);
  lua_pop(L, 1);
  if (!is_main) return true;
  calls->count = 0;
  lua_Debug frame;
  for (int level = 1; lua_getstack(L, level, &frame); ++level) {
    lua_getinfo(L, "f", &frame);
    if (lua_tocfunction(L, -1) == call) ++calls->count;
    lua_pop(L, 1);
  }
  return calls->count > 0;
}

void lwl_set_functions(lua_State *L, const luaL_Reg *functions, void *own) {
  lwl_calls *calls = lwl_get_calls(L);
  for (; functions->name; ++functions) {
    lua_pushcfunction(L, functions->func);
    lua_pushlightuserdata(L, calls);
    lua_pushlightuserdata(L, own);
    lua_pushinteger(L, cost_of(functions->name));
    lua_pushcclosure(L, call, COST);
    lua_setfield(L, -2, functions->name);
  }
}

void lwl_add_methods(lua_State *L, const char *type, const luaL_Reg *methods) {
  luaL_getmetatable(L, type);
  lua_getfield(L, -1, "__index");
  lwl_set_functions(L, methods, NULL);
  lua_pop(L, 2);
}

void lwl_new_type(lua_State *L, const char *type, const luaL_Reg *methods, const luaL_Reg *meta, void *own) {
  luaL_newmetatable(L, type);
  lwl_set_functions(L, meta, own);
  lua_newtable(L);
  lwl_set_functions(L, methods, own);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
