/*
** Dangers: places that a world remembers.
*/
#include "lwl.h"

#include <math.h>

static const lwl_range value_range = {(double)LW_DANGER_LEAST, (double)LW_DANGER_VALUE_MAX, false,
                                      "a number of at least 0.01, at most 1e6"};
static const lwl_range radius_range = {0, LW_PROFILE_SIZE_MAX, true, "a number above 0, at most 1000"};

void lwl_opt_endless(lua_State *L, const lwl_at *at, int table, const char *key, float *value) {
  const bool endless = lwl_get(L, table, key) == LUA_TNUMBER && lua_tonumber(L, -1) == (lua_Number)INFINITY;
  lua_pop(L, 1);
  if (endless)
    *value = INFINITY;
  else
    lwl_opt_float(L, at, table, key, &lwl_positive, value);
}

static void read_danger(lua_State *L, const lwl_at *at, int table, lw_danger_def *def) {
  lwl_opt_float(L, at, table, "radius", &radius_range, &def->radius);
  lwl_opt_endless(L, at, table, "height", &def->height);
  lwl_opt_float(L, at, table, "value", &value_range, &def->value);
  lwl_opt_endless(L, at, table, "half_life", &def->half_life);
}

void lwl_opt_death_danger(lua_State *L, const lwl_at *at, int table, lw_danger_def *def) {
  static const char *const keys[] = {"radius", "height", "value", "half_life", NULL};
  const int type = lwl_get(L, table, "death_danger");
  if (type != LUA_TNIL) {
    const lwl_at inside = {at->where, "death_danger."};
    if (type != LUA_TTABLE) lwl_raise_expected(L, at, "death_danger", "a table", -1);
    lwl_check_keys(L, &inside, lua_gettop(L), keys);
    def->value = 1;
    read_danger(L, &inside, lua_gettop(L), def);
  }
  lua_pop(L, 1);
}

/// The userdata; its user value is the world.
static void push_danger(lua_State *L, int world, lw_danger_id id) {
  lw_danger_id *danger = lua_newuserdatauv(L, sizeof *danger, 1);
  *danger = id;
  lua_pushvalue(L, world);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, LWL_DANGER);
}

/// The danger at index 1. @return Its world.
static lw_world *check_danger(lua_State *L, const char *where, lw_danger_id *id) {
  *id = *(const lw_danger_id *)lwl_check_userdata(L, 1, LWL_DANGER, where);
  lua_getiuservalue(L, 1, 1);
  lw_world *world = lwl_c_world(lwl_check_world(L, -1, where));
  lua_pop(L, 1);
  return world;
}

/// What it is, or was when it is forgotten: then false.
static bool get_state(lua_State *L, const char *where, lw_danger_state *state) {
  lw_danger_id id;
  const lw_world *world = check_danger(L, where, &id);
  return lw_danger_get_state(world, id, state) == LW_OK;
}

/*
** world:add_danger{ at =, radius =, height =, value =, half_life = } --> danger
*/
static int add_danger(lua_State *L) {
  static const char *const keys[] = {"at", "radius", "height", "value", "half_life", NULL};
  const lwl_at at = {"add_danger", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_danger_def def = lw_danger_def_default();
  lwl_need_place(L, &at, 2, "at", &def.at);
  read_danger(L, &at, 2, &def);
  push_danger(L, 1, 0);
  lw_danger_id *danger = lua_touserdata(L, -1);
  lw_error error = {0};
  error.status = lw_danger_add(world, &def, danger, &error);
  return error.status == LW_OK ? 1 : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:dangers() --> list in the order in which they were added
*/
static int dangers(lua_State *L) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "dangers"));
  lua_createtable(L, lw_danger_count(world), 0);
  lua_Integer count = 0;
  for (lw_danger_id id = lw_danger_next(world, 0); id; id = lw_danger_next(world, id)) {
    push_danger(L, 1, id);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

const luaL_Reg lwl_danger_methods[] = {{"add_danger", add_danger}, {"dangers", dangers}, {NULL, NULL}};

/*
** danger:value() --> what is left of it; 0: it was removed, or forgotten
*/
static int value(lua_State *L) {
  lw_danger_state state = {0};
  get_state(L, "value", &state);
  lua_pushnumber(L, (lua_Number)state.value);
  return 1;
}

/*
** danger:at() --> vec3, or nil when it is gone
*/
static int at(lua_State *L) {
  lw_danger_state state;
  if (get_state(L, "at", &state))
    lwl_push_vec3(L, state.def.at);
  else
    lua_pushnil(L);
  return 1;
}

/*
** danger:radius() --> metres, or nil when it is gone
*/
static int radius(lua_State *L) {
  lw_danger_state state;
  if (get_state(L, "radius", &state))
    lua_pushnumber(L, (lua_Number)state.def.radius);
  else
    lua_pushnil(L);
  return 1;
}

/*
** danger:remove() --> whether it was still there
*/
static int remove_danger(lua_State *L) {
  lw_danger_id id;
  lw_world *world = check_danger(L, "remove", &id);
  lua_pushboolean(L, lw_danger_remove(world, id) == LW_OK);
  return 1;
}

static int danger_eq(lua_State *L) {
  const lw_danger_id *a = luaL_testudata(L, 1, LWL_DANGER), *b = luaL_testudata(L, 2, LWL_DANGER);
  bool equal = a && b && *a == *b;
  if (equal) {
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, 2, 1);
    equal = lua_rawequal(L, -1, -2);
  }
  lua_pushboolean(L, equal);
  return 1;
}

static int danger_tostring(lua_State *L) {
  lua_pushfstring(L, "danger %I", (LUAI_UACINT) * (const lw_danger_id *)luaL_checkudata(L, 1, LWL_DANGER));
  return 1;
}

static const luaL_Reg methods[] = {
    {"value", value}, {"at", at}, {"radius", radius}, {"remove", remove_danger}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__eq", danger_eq}, {"__tostring", danger_tostring}, {NULL, NULL}};

void lwl_open_danger(lua_State *L) {
  lwl_new_type(L, LWL_DANGER, methods, meta);
}
