/*
** Timed regions of a world: dangers, and fire lanes of the agents' own side.
*/
#include "id.h"

#include <math.h>

static const lw_range radius_range = {0, LW_PROFILE_SIZE_MAX, "m", true},
                      value_range = {(double)LW_DANGER_MIN, (double)LW_DANGER_VALUE_MAX, NULL, false},
                      weight_range = {0, (double)LW_FIRE_LANE_WEIGHT_MAX, NULL, true};

void lwl_opt_endless(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                     float *value) {
  const bool endless = lwl_get(L, table, key) == LUA_TNUMBER && lua_tonumber(L, -1) == (lua_Number)INFINITY;
  lua_pop(L, 1);
  if (endless)
    *value = INFINITY;
  else
    lwl_opt_float(L, at, table, key, range, value);
}

// --- dangers -------------------------------------------------------------------------------------------------

static void read_danger(lua_State *L, const lwl_at *at, int table, lw_danger_def *def) {
  lwl_opt_float(L, at, table, "radius", &radius_range, &def->radius);
  lwl_opt_endless(L, at, table, "height", &lwl_metres_positive, &def->height);
  lwl_opt_float(L, at, table, "value", &value_range, &def->value);
  lwl_opt_endless(L, at, table, "half_life", &lwl_seconds_positive, &def->half_life);
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
  lw_danger_id *danger = lwl_new_id(L, &lwl_danger, 1);
  lw_error error = {0};
  error.status = lw_danger_add(world, &def, danger, &error);
  return error.status == LW_OK ? lwl_intern_new(L, &lwl_danger) : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:dangers() --> list in the order in which they were added
*/
static int dangers(lua_State *L) {
  return lwl_push_ids(L, &lwl_danger, "dangers");
}

const luaL_Reg lwl_danger_methods[] = {{"add_danger", add_danger}, {"dangers", dangers}, {NULL, NULL}};

/// Read the state of the danger at index 1. @return false: it was removed or has ended.
static bool get_state(lua_State *L, const char *where, lw_danger_state *state) {
  lw_danger_id id;
  const lw_world *world = lwl_check_id(L, 1, LWL_DANGER, where, &id);
  return lw_danger_get_state(world, id, state) == LW_OK;
}

/*
** danger:value() --> its current value; 0: it was removed or has ended
*/
static int value(lua_State *L) {
  lw_danger_state state = {0};
  get_state(L, "value", &state);
  lua_pushnumber(L, (lua_Number)state.value);
  return 1;
}

/*
** danger:at() --> vec3 | nil: it was removed or has ended
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
** danger:radius() --> metres | nil: it was removed or has ended
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
** danger:get() --> { at =, radius =, height =, value = the current one, half_life = }
**   | nil: it was removed or has ended
*/
static int get_danger(lua_State *L) {
  lw_danger_state state;
  if (!get_state(L, "get", &state)) return lua_pushnil(L), 1;
  lua_createtable(L, 0, 5);
  lwl_set_vec3(L, "at", state.def.at);
  lwl_set_number(L, "radius", (double)state.def.radius);
  lwl_set_number(L, "height", (double)state.def.height);
  lwl_set_number(L, "value", (double)state.value);
  lwl_set_number(L, "half_life", (double)state.def.half_life);
  return 1;
}

// --- fire lanes ----------------------------------------------------------------------------------------------

/*
** world:add_fire_lane{ from =, to =, radius =, seconds =, weight = } --> lane
*/
static int add_fire_lane(lua_State *L) {
  static const char *const keys[] = {"from", "to", "radius", "seconds", "weight", NULL};
  const lwl_at at = {"add_fire_lane", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lwl_need_place(L, &at, 2, "from", &def.from);
  lwl_need_place(L, &at, 2, "to", &def.to);
  lwl_opt_float(L, &at, 2, "radius", &radius_range, &def.radius);
  lwl_opt_endless(L, &at, 2, "seconds", &lwl_seconds_positive, &def.seconds);
  lwl_opt_float(L, &at, 2, "weight", &weight_range, &def.weight);
  lw_fire_lane_id *lane = lwl_new_id(L, &lwl_fire_lane, 1);
  lw_error error = {0};
  error.status = lw_fire_lane_add(world, &def, lane, &error);
  return error.status == LW_OK ? lwl_intern_new(L, &lwl_fire_lane) : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:fire_lanes() --> list in the order in which they were added
*/
static int fire_lanes(lua_State *L) {
  return lwl_push_ids(L, &lwl_fire_lane, "fire_lanes");
}

const luaL_Reg lwl_fire_lane_methods[] = {
    {"add_fire_lane", add_fire_lane}, {"fire_lanes", fire_lanes}, {NULL, NULL}};

/*
** lane:seconds() --> until it ends; 0: it was removed, or has ended
*/
static int seconds(lua_State *L) {
  lw_fire_lane_id id;
  lw_fire_lane_state state = {0};
  const lw_world *world = lwl_check_id(L, 1, LWL_FIRE_LANE, "seconds", &id);
  lw_fire_lane_get_state(world, id, &state);
  lua_pushnumber(L, (lua_Number)state.seconds);
  return 1;
}

/*
** lane:get() --> { from =, to =, radius =, seconds = until it ends, weight = } | nil: it was removed, or has ended
*/
static int get_lane(lua_State *L) {
  lw_fire_lane_id id;
  lw_fire_lane_state state;
  const lw_world *world = lwl_check_id(L, 1, LWL_FIRE_LANE, "get", &id);
  if (lw_fire_lane_get_state(world, id, &state) != LW_OK) return lua_pushnil(L), 1;
  lua_createtable(L, 0, 5);
  lwl_set_vec3(L, "from", state.def.from);
  lwl_set_vec3(L, "to", state.def.to);
  lwl_set_number(L, "radius", (double)state.def.radius);
  lwl_set_number(L, "seconds", (double)state.seconds);
  lwl_set_number(L, "weight", (double)state.def.weight);
  return 1;
}

// --- the types -----------------------------------------------------------------------------------------------

static const luaL_Reg danger_class[] = {
    {"value", value}, {"at", at}, {"radius", radius}, {"get", get_danger}, {NULL, NULL}};
static const luaL_Reg lane_class[] = {{"seconds", seconds}, {"get", get_lane}, {NULL, NULL}};

void lwl_open_timed_region(lua_State *L) {
  lwl_open_kind(L, &lwl_danger, danger_class);
  lwl_open_kind(L, &lwl_fire_lane, lane_class);
}
