/*
** Trailers of vehicles: tables of profiles.
*/
#include "trailer.h"

#include "profile_check.h"

const char *const lwl_trailer_keys[] = {"length", "width", "joint", "drawbar", "wheelbase", "max_angle", NULL};

/// The number of a key, in the order of the keys.
static float *number_at(lw_trailer *trailer, int key) {
  float *const numbers[] = {&trailer->length,  &trailer->width,     &trailer->joint,
                            &trailer->drawbar, &trailer->wheelbase, &trailer->max_angle};
  return numbers[key];
}

void lwl_copy_trailer(lua_State *L, const lwl_at *at, int index) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  index = lua_absindex(L, index);
  lwl_check_keys(L, at, index, lwl_trailer_keys);
  lua_newtable(L);
  const int copy = lua_gettop(L);
  for (const char *const *key = lwl_trailer_keys; *key; ++key) {
    if (lwl_get(L, index, *key) != LUA_TNIL) {
      const lw_range *range = lw_profile_range(lua_pushfstring(L, "trailer.%s", *key));
      lua_pushnumber(L, lwl_check_number(L, at, *key, copy + 1, range));
      lua_setfield(L, copy, *key);
    }
    lua_settop(L, copy);
  }
}

void lwl_fill_trailer(lua_State *L, int table, lw_trailer *trailer) {
  table = lua_absindex(L, table);
  for (int i = 0; lwl_trailer_keys[i]; ++i) {
    if (lwl_get(L, table, lwl_trailer_keys[i]) != LUA_TNIL) *number_at(trailer, i) = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

void lwl_push_trailer(lua_State *L, const lw_trailer *trailer) {
  lw_trailer copy = *trailer;
  lua_createtable(L, 0, 6);
  for (int i = 0; lwl_trailer_keys[i]; ++i) {
    lwl_push_float(L, *number_at(&copy, i));
    lua_setfield(L, -2, lwl_trailer_keys[i]);
  }
}
