/* What the trees of 10,000 agents that wander cost a step: the tree that ships, its leaves in Lua, on a level. The steps'
   other parts, paths among them, are not counted, but what the leaves ask of the world is, and Lua's collector. */
#include "bench_support.h"

#include <lauxlib.h>
#include <lualib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WARM = 120, STEPS = 1200, GARBAGE_STEPS = 120, SCENE = 1, NAME, COUNT, STEP };

extern int luaopen_leeward(lua_State *L);

/* Seconds that the trees of the last step took. */
static double tree_seconds;
void __real_lwi_world_tick_trees(lw_world *world);
void __wrap_lwi_world_tick_trees(lw_world *world);
void __wrap_lwi_world_tick_trees(lw_world *world) {
  const double begin = bench_clock();
  __real_lwi_world_tick_trees(world);
  tree_seconds = bench_clock() - begin;
}

static void check(lua_State *L, int status) {
  if (status == LUA_OK) return;
  fprintf(stderr, "%s\n", lua_tostring(L, -1));
  exit(1);
}

static double step(lua_State *L) {
  lua_pushvalue(L, STEP);
  check(L, lua_pcall(L, 0, 0, 0));
  return tree_seconds * 1e3;
}

/* KiB that a step leaves to Lua's collector. */
static double garbage(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT);
  lua_gc(L, LUA_GCSTOP);
  const int before = lua_gc(L, LUA_GCCOUNT);
  for (int i = 0; i < GARBAGE_STEPS; i++) step(L);
  const int after = lua_gc(L, LUA_GCCOUNT);
  lua_gc(L, LUA_GCRESTART);
  return (double)(after - before) / GARBAGE_STEPS;
}

static void measure(lua_State *L, const char *how) {
  static double times[STEPS];
  for (int i = 0; i < WARM; i++) step(L);
  for (int i = 0; i < STEPS; i++) times[i] = step(L);
  const double mean = bench_mean(times, STEPS);
  printf("  %-26s mean %.2f ms, median %.2f ms, p99 %.2f ms, worst %.2f ms\n", how, mean,
         bench_quantile(times, STEPS, 0.5), bench_quantile(times, STEPS, 0.99),
         bench_quantile(times, STEPS, 1));
}

int main(void) {
  bench_head("wander");
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "leeward", luaopen_leeward, 0);
  lua_settop(L, 0);
  check(L, luaL_loadfile(L, "tests/bench/wander_scene.lua"));
  lua_pushvalue(L, SCENE);
  check(L, lua_pcall(L, 0, 3, 0));
  printf("%s: %lld agents that wander, the trees of a step at 60 Hz:\n", lua_tostring(L, NAME),
         (long long)lua_tointeger(L, COUNT));
  printf("  the first one, in which all begin: %.2f ms\n", step(L));
  measure(L, "as Lua comes");
  lua_gc(L, LUA_GCINC, 0, 4, 8); /* as the program `leeward` does */
  measure(L, "collecting in small steps");
  lua_gc(L, LUA_GCGEN, 0, 0);
  measure(L, "generational");
  lua_gc(L, LUA_GCINC, 0, 100, 13);
  printf("  %.1f KiB a step for Lua's collector\n", garbage(L));
  lua_close(L);
  return 0;
}
