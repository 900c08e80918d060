/*
** Fire lanes: along which one's own side shoots.
*/
#include "lwl.h"

#include <math.h>

static const lwl_range radius_range = {0, LW_PROFILE_SIZE_MAX, true, "a number above 0, at most 1000"};
static const lwl_range weight_range = {0, (double)LW_FIRE_LANE_WEIGHT_MAX, true,
                                       "a number above 0, at most 1e6"};

/// The userdata; its user value is the world.
static lw_fire_lane_id *push_lane(lua_State *L, int world, lw_fire_lane_id id) {
  lw_fire_lane_id *lane = lua_newuserdatauv(L, sizeof *lane, 1);
  *lane = id;
  lua_pushvalue(L, world);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, LWL_FIRE_LANE);
  return lane;
}

/// The lane at index 1. @return Its world.
static lw_world *check_lane(lua_State *L, const char *where, lw_fire_lane_id *id) {
  *id = *(const lw_fire_lane_id *)lwl_check_userdata(L, 1, LWL_FIRE_LANE, where);
  lua_getiuservalue(L, 1, 1);
  lw_world *world = lwl_c_world(lwl_check_world(L, -1, where));
  lua_pop(L, 1);
  return world;
}

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
  lwl_opt_endless(L, &at, 2, "seconds", &def.seconds);
  lwl_opt_float(L, &at, 2, "weight", &weight_range, &def.weight);
  lw_fire_lane_id *lane = push_lane(L, 1, 0);
  lw_error error = {0};
  error.status = lw_fire_lane_add(world, &def, lane, &error);
  return error.status == LW_OK ? 1 : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:fire_lanes() --> list in the order in which they were added
*/
static int fire_lanes(lua_State *L) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "fire_lanes"));
  lua_createtable(L, lw_fire_lane_count(world), 0);
  lua_Integer count = 0;
  for (lw_fire_lane_id id = lw_fire_lane_next(world, 0); id; id = lw_fire_lane_next(world, id)) {
    push_lane(L, 1, id);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

const luaL_Reg lwl_fire_lane_methods[] = {
    {"add_fire_lane", add_fire_lane}, {"fire_lanes", fire_lanes}, {NULL, NULL}};

/*
** lane:seconds() --> until it ends; 0: it was removed, or has ended
*/
static int seconds(lua_State *L) {
  lw_fire_lane_id id;
  lw_fire_lane_state state = {0};
  const lw_world *world = check_lane(L, "seconds", &id);
  lw_fire_lane_get_state(world, id, &state);
  lua_pushnumber(L, (lua_Number)state.seconds);
  return 1;
}

/*
** lane:remove() --> whether it was still there
*/
static int remove_lane(lua_State *L) {
  lw_fire_lane_id id;
  lw_world *world = check_lane(L, "remove", &id);
  lua_pushboolean(L, lw_fire_lane_remove(world, id) == LW_OK);
  return 1;
}

static int lane_eq(lua_State *L) {
  const lw_fire_lane_id *a = luaL_testudata(L, 1, LWL_FIRE_LANE), *b = luaL_testudata(L, 2, LWL_FIRE_LANE);
  bool equal = a && b && *a == *b;
  if (equal) {
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, 2, 1);
    equal = lua_rawequal(L, -1, -2);
  }
  lua_pushboolean(L, equal);
  return 1;
}

static int lane_tostring(lua_State *L) {
  lua_pushfstring(L, "fire lane %I",
                  (LUAI_UACINT) * (const lw_fire_lane_id *)luaL_checkudata(L, 1, LWL_FIRE_LANE));
  return 1;
}

static const luaL_Reg methods[] = {{"seconds", seconds}, {"remove", remove_lane}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__eq", lane_eq}, {"__tostring", lane_tostring}, {NULL, NULL}};

void lwl_open_fire_lane(lua_State *L) {
  lwl_new_type(L, LWL_FIRE_LANE, methods, meta);
}
