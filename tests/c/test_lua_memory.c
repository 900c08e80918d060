/* Lua's memory comes to its end at every allocation, in every function of the Lua module: each call ends with "not
   enough memory" or succeeds, the world goes on, and nothing is left when the state is closed. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

extern int luaopen_leeward(lua_State *L);

/* The memory of one Lua state. */
typedef struct lua_memory {
  long left; /* Allocations until there is no memory; < 0: no end. */
  bool failed;
  size_t bytes; /* Held now. */
} lua_memory;

static void *allocate(void *user, void *block, size_t old_size, size_t size) {
  lua_memory *memory = user;
  const size_t held = block ? old_size : 0; /* else it is a type */
  if (size == 0) {
    free(block);
    memory->bytes -= held;
    return NULL;
  }
  if (size > held && memory->left == 0) {
    memory->failed = true;
    return NULL;
  }
  if (size > held && memory->left > 0) memory->left -= 1;
  void *result = realloc(block, size);
  assert_non_null(result);
  memory->bytes += size - held;
  return result;
}

static lua_State *open_state(lua_memory *memory) {
  *memory = (lua_memory){.left = -1};
  lua_State *L = lua_newstate(allocate, memory);
  assert_non_null(L);
  luaL_openlibs(L);
  return L;
}

static int require_leeward(lua_State *L) {
  luaL_requiref(L, "leeward", luaopen_leeward, 0);
  return 1;
}

static void assert_closed(lua_State *L, const lua_memory *memory) {
  lua_close(L);
  assert_int_equal(memory->bytes, 0);
}

static void require_says_that_there_is_no_memory(void **state) {
  (void)state;
  int tries = 0;
  bool good = false;
  for (long left = 0; !good; left += 1 + left / 16) {
    lua_memory memory;
    lua_State *L = open_state(&memory);
    lua_pushcfunction(L, require_leeward);
    memory.left = left;
    good = lua_pcall(L, 0, 1, 0) == LUA_OK;
    memory.left = -1;
    if (!good) assert_non_null(strstr(lua_tostring(L, -1), "not enough memory"));
    tries += 1;
    assert_closed(L, &memory);
  }
  assert_true(tries > 50);
}

/* fail_after(count) */
static int fail_after(lua_State *L) {
  lua_memory *memory = lua_touserdata(L, lua_upvalueindex(1));
  memory->failed = false;
  memory->left = (long)lua_tointeger(L, 1);
  return 0;
}

/* succeed() --> whether an allocation has failed since fail_after() */
static int succeed(lua_State *L) {
  lua_memory *memory = lua_touserdata(L, lua_upvalueindex(1));
  memory->left = -1;
  lua_pushboolean(L, memory->failed);
  return 1;
}

static void every_function_ends_and_the_world_goes_on(void **state) {
  (void)state;
  static const luaL_Reg functions[] = {{"fail_after", fail_after}, {"succeed", succeed}, {NULL, NULL}};
  lua_memory memory;
  lua_State *L = open_state(&memory);
  require_leeward(L);
  assert_int_equal(luaL_dostring(L, "package.path = 'tests/support/?.lua;' .. package.path"), LUA_OK);
  assert_int_equal(luaL_loadfile(L, "tests/support/failing_memory.lua"), LUA_OK);
  luaL_newlibtable(L, functions);
  lua_pushlightuserdata(L, &memory);
  luaL_setfuncs(L, functions, 1);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
  printf("note: %lld calls in which Lua's memory came to its end\n", (long long)lua_tointeger(L, -1));
  assert_true(lua_tointeger(L, -1) > 500);
  assert_closed(L, &memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(require_says_that_there_is_no_memory),
      cmocka_unit_test(every_function_ends_and_the_world_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
