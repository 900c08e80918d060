/*
** Goals in option tables.
*/
#include "goals.h"

#include <stdio.h>

/// Is the value at index a list of points? { 1, 2, 3 } is one point.
static bool is_list(lua_State *L, int index) {
  if (!lua_istable(L, index) || lwl_to_point(L, index, &(lw_vec3){0})) return false;
  const int type = lua_rawgeti(L, index, 1);
  lua_pop(L, 1);
  return type == LUA_TTABLE || type == LUA_TUSERDATA;
}

/// Is the value at index {}? One with a metatable may be anything, such as another library's vector.
static bool is_empty(lua_State *L, int index) {
  if (!lua_istable(L, index)) return false;
  if (lua_getmetatable(L, index)) return lua_pop(L, 1), false;
  lua_pushnil(L);
  if (!lua_next(L, index)) return true;
  lua_pop(L, 2);
  return false;
}

int lwl_fail_no_goals(lua_State *L) {
  return lwl_fail(L, LW_NO_GOAL, "to is an empty list, expected a point or a list of points");
}

bool lwl_need_goals(lua_State *L, const lwl_at *at, int table, lwl_goals *goals) {
  *goals = (lwl_goals){.count = 0};
  lwl_get(L, table, "to");
  const int value = lua_gettop(L);
  if (is_empty(L, value)) return false;
  if (!is_list(L, value)) {
    lua_pop(L, 1);
    lwl_need_point(L, at, table, "to", &goals->first);
    return true;
  }
  lua_pop(L, 1);
  const lua_Integer length = lwl_need_list(L, at, table, "to", 1);
  lw_vec3 *list = lua_newuserdatauv(L, (size_t)length * sizeof *list, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, value, i);
    if (!lwl_to_point(L, -1, &list[i - 1])) lwl_raise_item(L, at, "to", i, "a point", -1);
    lua_pop(L, 1);
  }
  lua_replace(L, value);
  *goals = (lwl_goals){list[0], list, (int)length};
  return true;
}

int lwl_fail_near_goals(lua_State *L, const lwl_goals *goals, lw_vec3 snap, const lw_profile *profile) {
  if (goals->count <= 1) {
    const lwl_place place = {"to", goals->first, snap, profile};
    return lwl_fail_near(L, LW_NO_GOAL, &place);
  }
  char text[160];
  snprintf(text, sizeof text, "to is a list of %d points, expected one with a navmesh within (%g, %g, %g) m",
           goals->count, (double)snap.x, (double)snap.y, (double)snap.z);
  const char *name = profile ? lw_profile_get_def(profile)->name : NULL;
  const char *agent = name ? lua_pushfstring(L, " that '%s' may enter", name) : "";
  return lwl_fail(L, LW_NO_GOAL, lua_pushfstring(L, "%s%s", text, agent));
}
