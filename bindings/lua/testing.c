/*
** What `require "leeward.testing"` and `require "leeward.processes"` find in this module: the tests' Lua module, which is
** scripts/testing/init.lua along the roots, and the copies of this process that it lets scenes run in.
*/
#include "lwl.h"

#include "core/platform.h"

#include <stdio.h>
#include <stdlib.h>

LW_API int luaopen_leeward_testing(lua_State *L);
LW_API int luaopen_leeward_processes(lua_State *L);

static void require(lua_State *L, const char *name) {
  lua_getglobal(L, "require");
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

int luaopen_leeward_testing(lua_State *L) {
  require(L, "leeward"); /* finds the roots */
  require(L, "scripts.testing");
  return 1;
}

/// In a copy of the process: call the function at index 2 with the number.
static void work(void *user, int number) {
  lua_State *L = user;
  lua_pushvalue(L, 2);
  lua_pushinteger(L, number + 1);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return;
  fprintf(stderr, "leeward: %s\n", luaL_tolstring(L, -1, NULL));
  fflush(NULL);
  lwi_process_exit(EXIT_FAILURE);
}

/*
** processes.run(count, f) --> list: whether f returned in each copy | nil, message
*/
static int run(lua_State *L) {
  const lua_Integer count = luaL_checkinteger(L, 1);
  luaL_argcheck(L, count >= 1 && count <= 256, 1, "expected 1 to 256");
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  bool *done = lua_newuserdatauv(L, (size_t)count * sizeof *done, 0);
  const char *reason = lwi_process_copies((int)count, work, L, done);
  if (reason) {
    lua_pushnil(L);
    lua_pushstring(L, reason);
    return 2;
  }
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_pushboolean(L, done[i - 1]);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

/*
** processes.count() --> how many processors this process may use
*/
static int count_processors(lua_State *L) {
  lua_pushinteger(L, lwi_processor_count());
  return 1;
}

int luaopen_leeward_processes(lua_State *L) {
  static const luaL_Reg functions[] = {{"count", count_processors}, {"run", run}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
