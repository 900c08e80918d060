/*
** Ids of what lives in a world, in userdata that begin with the id; their first user value is the world. While
** a userdata is referenced, its world finds it by the id, so that an id has one userdata.
*/
#include "id.h"

#include "sandbox.h"

#include <string.h>

/// The members that ids of all kinds have.
typedef struct any_id {
  uint64_t slot : 24, generation : 24, world : 16;
} any_id;
_Static_assert(sizeof(any_id) == sizeof(lw_agent_id) && sizeof(any_id) == sizeof(lw_threat_id) &&
                   sizeof(any_id) == sizeof(lw_danger_id) && sizeof(any_id) == sizeof(lw_fire_lane_id) &&
                   sizeof(any_id) == sizeof(lw_obstacle_id) && sizeof(any_id) == sizeof(lw_link_id) &&
                   sizeof(any_id) == sizeof(lw_group_id),
               "ids of all kinds are alike");

/// Define lwl_NAME from lw_NAME_next(), `get` and lw_NAME_remove().
#define DEFINE_KIND(name, state_type, get, metatable, words, table)                                            \
  static bool next_##name(const lw_world *world, void *id) {                                                   \
    lw_##name##_id at;                                                                                         \
    memcpy(&at, id, sizeof at);                                                                                \
    at = lw_##name##_next(world, at);                                                                          \
    memcpy(id, &at, sizeof at);                                                                                \
    return !lw_##name##_id_is_none(at);                                                                        \
  }                                                                                                            \
  static bool exists_##name(const lw_world *world, const void *id) {                                           \
    lw_##name##_id at;                                                                                         \
    state_type state;                                                                                          \
    memcpy(&at, id, sizeof at);                                                                                \
    return get(world, at, &state) == LW_OK;                                                                    \
  }                                                                                                            \
  static bool remove_##name(lw_world *world, const void *id) {                                                 \
    lw_##name##_id at;                                                                                         \
    memcpy(&at, id, sizeof at);                                                                                \
    return lw_##name##_remove(world, at) == LW_OK;                                                             \
  }                                                                                                            \
  const lwl_kind lwl_##name = {metatable, words, table, next_##name, exists_##name, remove_##name};

DEFINE_KIND(threat, lw_threat_state, lw_threat_get_state, LWL_THREAT, "threat", LWL_WORLD_THREATS)
DEFINE_KIND(danger, lw_danger_state, lw_danger_get_state, LWL_DANGER, "danger", LWL_WORLD_DANGERS)
DEFINE_KIND(fire_lane, lw_fire_lane_state, lw_fire_lane_get_state, LWL_FIRE_LANE, "fire lane",
            LWL_WORLD_FIRE_LANES)
DEFINE_KIND(obstacle, lw_obstacle_state, lw_obstacle_get_state, LWL_OBSTACLE, "obstacle", LWL_WORLD_OBSTACLES)
DEFINE_KIND(link, lw_link_info, lw_link_get, LWL_LINK, "link", LWL_WORLD_LINKS)
DEFINE_KIND(group, lw_group_state, lw_group_get_state, LWL_GROUP, "group", LWL_WORLD_GROUPS)

// --- one userdata for an id ----------------------------------------------------------------------------------

lua_Integer lwl_id_key(const void *id) {
  any_id of;
  memcpy(&of, id, sizeof of);
  return ((lua_Integer)of.generation - 1) * ((lua_Integer)1 << 32) + (lua_Integer)of.slot + 1;
}

bool lwl_push_known(lua_State *L, int objects, int world, const void *id) {
  world = lua_absindex(L, world);
  lua_getiuservalue(L, world, objects);
  const int type = lua_rawgeti(L, -1, lwl_id_key(id));
  lua_remove(L, -2);
  return type == LUA_TUSERDATA;
}

void *lwl_new_id(lua_State *L, const lwl_kind *kind, int world) {
  world = lua_absindex(L, world);
  void *id = lua_newuserdatauv(L, sizeof(any_id), 1);
  memset(id, 0, sizeof(any_id));
  lua_pushvalue(L, world);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, kind->type);
  return id;
}

/// Objects, userdata: register it. Growing the table may run out of memory.
static int intern(lua_State *L) {
  lua_rawseti(L, 1, lwl_id_key(lua_touserdata(L, 2)));
  return 0;
}

bool lwl_intern(lua_State *L, int objects, int world) {
  const int object = lua_gettop(L);
  world = lua_absindex(L, world);
  lua_pushcfunction(L, intern);
  lua_getiuservalue(L, world, objects);
  lua_pushvalue(L, object);
  // The table of all ids is the world's, also where this makes it grow.
  return lwl_pcall_for(L, lwl_get_calls(L), NULL, 2, 0) == LUA_OK;
}

int lwl_intern_new(lua_State *L, const lwl_kind *kind) {
  if (lwl_intern(L, kind->objects, 1)) return 1;
  const lwl_world *world = lua_touserdata(L, 1);
  if (world->box.object)
    kind->remove(lwl_c_world(world), lua_touserdata(L, -2)); /* no finaliser destroyed it */
  return lua_error(L);
}

/// Write as many ids as there is space for. @return How many there are.
static int read_ids(const lw_world *world, lwl_next_id *next, any_id *ids, int capacity) {
  int count = 0;
  for (any_id id = {0}; next(world, &id); ++count)
    if (count < capacity) ids[count] = id;
  return count;
}

const void *lwl_push_id_array(lua_State *L, const lw_world *world, lwl_next_id *next, int *count) {
  *count = read_ids(world, next, NULL, 0);
  for (;;) {
    any_id *ids = lua_newuserdatauv(L, (size_t)*count * sizeof *ids + 1, 0);
    const int now = read_ids(world, next, ids, *count);
    const bool fits = now <= *count;
    *count = now;
    if (fits) return ids;
    lua_pop(L, 1); /* a finaliser has added some */
  }
}

void lwl_push_id(lua_State *L, const lwl_kind *kind, int world, const void *id) {
  world = lua_absindex(L, world);
  if (lwl_push_known(L, kind->objects, world, id)) return;
  lua_pop(L, 1);
  memcpy(lwl_new_id(L, kind, world), id, sizeof(any_id));
  if (!lwl_intern(L, kind->objects, world)) lua_error(L);
}

int lwl_push_ids(lua_State *L, const lwl_kind *kind, const char *where) {
  int count, listed = 0;
  const lwl_world *world = lwl_check_world(L, 1, where);
  lua_settop(L, 1);
  const any_id *ids = lwl_push_id_array(L, lwl_c_world(world), kind->next, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    // A finaliser may have removed it, or destroyed the world.
    if (!kind->exists(lwl_c_world(lwl_check_world(L, 1, where)), &ids[i])) continue;
    lwl_push_id(L, kind, 1, &ids[i]);
    lua_rawseti(L, 3, ++listed);
  }
  return 1;
}

lw_world *lwl_check_id(lua_State *L, int index, const char *type, const char *where, void *id) {
  memcpy(id, lwl_check_userdata(L, index, type, where), sizeof(any_id));
  lua_getiuservalue(L, index, 1);
  lw_world *world = lwl_c_world(lwl_check_world(L, -1, where));
  lua_pop(L, 1);
  return world;
}

// --- what all kinds have -------------------------------------------------------------------------------------

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

/// The kind of the type that a function belongs to: its upvalue.
static const lwl_kind *kind_of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(LWL_OWN));
}

/*
** object:id() --> integer that no other of its kind in the world ever has
*/
static int object_id(lua_State *L) {
  lua_pushinteger(L, lwl_id_key(lwl_check_userdata(L, 1, kind_of(L)->type, "id")));
  return 1;
}

/*
** object:world() --> world
*/
static int object_world(lua_State *L) {
  lwl_check_userdata(L, 1, kind_of(L)->type, "world");
  lua_getiuservalue(L, 1, 1);
  return 1;
}

/*
** object:exists() --> boolean; false also if the world was destroyed
*/
static int object_exists(lua_State *L) {
  const lwl_kind *kind = kind_of(L);
  const void *id = lwl_check_userdata(L, 1, kind->type, "exists");
  lua_getiuservalue(L, 1, 1);
  const lwl_world *world = luaL_checkudata(L, -1, LWL_WORLD);
  lua_pushboolean(L, world->box.object && kind->exists(lwl_c_world(world), id));
  return 1;
}

/*
** object:remove() --> false: it had been removed or had ended before
*/
static int object_remove(lua_State *L) {
  any_id id;
  const lwl_kind *kind = kind_of(L);
  lw_world *world = lwl_check_id(L, 1, kind->type, "remove", &id);
  lua_pushboolean(L, kind->remove(world, &id));
  return 1;
}

static int object_tostring(lua_State *L) {
  any_id id;
  const lwl_kind *kind = kind_of(L);
  memcpy(&id, luaL_checkudata(L, 1, kind->type), sizeof id);
  lua_pushfstring(L, "%s %s", kind->noun, LWL_ID_NAME(id));
  return 1;
}

static int object_newindex(lua_State *L) {
  lwl_raise(L, kind_of(L)->noun, "cannot set %s; store a script's values in a table, by the %s as key",
            lwl_describe(L, 2), kind_of(L)->noun);
}

void lwl_open_kind(lua_State *L, const lwl_kind *kind, const luaL_Reg *methods) {
  static const luaL_Reg shared[] = {{"id", object_id},
                                    {"world", object_world},
                                    {"exists", object_exists},
                                    {"remove", object_remove},
                                    {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__eq", lwl_id_eq}, {"__tostring", object_tostring}, {"__newindex", object_newindex}, {NULL, NULL}};
  lwl_new_type(L, kind->type, methods, meta, (void *)kind);
  luaL_getmetatable(L, kind->type);
  lua_getfield(L, -1, "__index");
  lwl_set_functions(L, shared, (void *)kind);
  lua_pop(L, 2);
}
