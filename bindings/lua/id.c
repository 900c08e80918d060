/*
** Ids of what lives in a world, in userdata that begin with the id; their first user value is the world.
*/
#include "lwl.h"

#include <string.h>

/// The members that ids of all kinds have.
typedef struct any_id {
  uint32_t slot;
  uint16_t generation, world;
} any_id;
_Static_assert(sizeof(any_id) == sizeof(lw_agent_id) && sizeof(any_id) == sizeof(lw_threat_id) &&
                   sizeof(any_id) == sizeof(lw_danger_id) && sizeof(any_id) == sizeof(lw_fire_lane_id),
               "ids of all kinds are alike");

void *lwl_push_id(lua_State *L, const char *type, int world) {
  void *id = lua_newuserdatauv(L, sizeof(any_id), 1);
  memset(id, 0, sizeof(any_id));
  lua_pushvalue(L, world);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, type);
  return id;
}

lw_world *lwl_check_id(lua_State *L, int index, const char *type, const char *where, void *id) {
  memcpy(id, lwl_check_userdata(L, index, type, where), sizeof(any_id));
  lua_getiuservalue(L, index, 1);
  lw_world *world = lwl_c_world(lwl_check_world(L, -1, where));
  lua_pop(L, 1);
  return world;
}

lua_Integer lwl_id_number(const void *id) {
  any_id of;
  memcpy(&of, id, sizeof of);
  return (lua_Integer)of.slot + 1;
}

lua_Integer lwl_id_key(const void *id) {
  any_id of;
  memcpy(&of, id, sizeof of);
  return ((lua_Integer)of.generation - 1) << 32 | ((lua_Integer)of.slot + 1);
}

int lwl_id_eq(lua_State *L) {
  bool equal = lua_getmetatable(L, 1) && lua_getmetatable(L, 2) && lua_rawequal(L, -1, -2) &&
               memcmp(lua_touserdata(L, 1), lua_touserdata(L, 2), sizeof(any_id)) == 0;
  if (equal) {
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, 2, 1);
    equal = lua_rawequal(L, -1, -2);
  }
  lua_pushboolean(L, equal);
  return 1;
}
