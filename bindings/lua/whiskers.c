/*
** Whiskers: tables of profiles, and what an agent sees on them.
*/
#include "whiskers.h"

#include "agent.h"
#include "profile_check.h"

// --- tables --------------------------------------------------------------------------------------------------

static void copy_rays(lua_State *L, const lwl_at *at, int index) {
  lua_Integer rays;
  if (!lwl_to_integer(L, index, 0, LW_WHISKERS_MAX, &rays) || (rays != 0 && rays % 2 == 0))
    lwl_raise_expected(L, at, "rays", "0, 1, 3, 5 or 7", index);
  lua_pushinteger(L, rays);
}

void lwl_copy_whiskers(lua_State *L, const lwl_at *at, int index) {
  static const char *const keys[] = {"rays", "seconds", "spread", NULL};
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  index = lua_absindex(L, index);
  lwl_check_keys(L, at, index, keys);
  lua_newtable(L);
  const int copy = lua_gettop(L);
  for (const char *const *key = keys; *key; ++key) {
    if (lwl_get(L, index, *key) != LUA_TNIL) {
      if (key == keys)
        copy_rays(L, at, copy + 1);
      else
        lua_pushnumber(L, lwl_check_number(L, at, *key, copy + 1,
                                           lw_profile_range(lua_pushfstring(L, "whiskers.%s", *key))));
      lua_setfield(L, copy, *key);
    }
    lua_settop(L, copy);
  }
}

void lwl_fill_whiskers(lua_State *L, int table, lw_whiskers *whiskers) {
  table = lua_absindex(L, table);
  if (lwl_get(L, table, "rays") != LUA_TNIL) whiskers->rays = (int)lua_tointeger(L, -1);
  if (lwl_get(L, table, "seconds") != LUA_TNIL) whiskers->seconds = (float)lua_tonumber(L, -1);
  if (lwl_get(L, table, "spread") != LUA_TNIL) whiskers->spread = (float)lua_tonumber(L, -1);
  lua_pop(L, 3);
}

void lwl_push_whiskers(lua_State *L, const lw_whiskers *whiskers) {
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, whiskers->rays);
  lua_setfield(L, -2, "rays");
  lwl_push_float(L, whiskers->seconds);
  lua_setfield(L, -2, "seconds");
  lwl_push_float(L, whiskers->spread);
  lua_setfield(L, -2, "spread");
}

// --- agents --------------------------------------------------------------------------------------------------

/*
** agent:whiskers() --> list of { from =, to =, seconds =, hit = }
*/
static int whiskers(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "whiskers");
  lw_whisker rays[LW_WHISKERS_MAX];
  const int count = lw_agent_whiskers(me.world, me.id, rays);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_createtable(L, 0, 4);
    lwl_set_vec3(L, "from", rays[i].from);
    lwl_set_vec3(L, "to", rays[i].to);
    lwl_set_number(L, "seconds", (double)rays[i].seconds);
    lua_pushstring(L, lw_whisker_hit_name(rays[i].hit));
    lua_setfield(L, -2, "hit");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_whiskers_agent_methods[] = {{"whiskers", whiskers}, {NULL, NULL}};
