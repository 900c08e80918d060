/*
** Obstacles: what rests or moves on the navmeshes of a world, and is in the way there.
*/
#include "agent.h"
#include "id.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const lw_range size_range = {0, (double)LW_OBSTACLE_SIZE_MAX, "m", true},
                      speed_range = {0, FLT_MAX, "m/s", false},
                      cost_range = {0, (double)LW_OBSTACLE_COST_MAX, "metre-equivalents a metre", false},
                      yaw_range = {-(double)LW_OBSTACLE_YAW_MAX, (double)LW_OBSTACLE_YAW_MAX, "radians", false};

/// Keys that not all shapes have.
static const struct {
  const char *key;
  bool belongs[LW_OBSTACLE_SHAPE_COUNT];
  const char *owners;
} shape_keys[] = {
    {"size", {[LW_OBSTACLE_BOX] = true}, "a box"},
    {"radius", {[LW_OBSTACLE_CYLINDER] = true}, "a cylinder"},
    {"height", {[LW_OBSTACLE_CYLINDER] = true, [LW_OBSTACLE_POLYGON] = true}, "a cylinder or a polygon"},
    {"points", {[LW_OBSTACLE_POLYGON] = true}, "a polygon"}};

// --- adding -----------------------------------------------------------------------------------------------------

static bool is_given(lua_State *L, int table, const char *key) {
  const int type = lwl_get(L, table, key);
  lua_pop(L, 1);
  return type != LUA_TNIL;
}

/// Read the shape, which is that of the given keys where `shape` is absent. Raises at a key of another shape.
static lw_obstacle_shape read_shape(lua_State *L, const lwl_at *at, int table) {
  int shape = is_given(L, table, "points")   ? LW_OBSTACLE_POLYGON
              : is_given(L, table, "radius") ? LW_OBSTACLE_CYLINDER
                                             : LW_OBSTACLE_BOX;
  lwl_opt_enum(L, at, table, "shape", LWL_OBSTACLE_SHAPE, &shape);
  for (size_t i = 0; i < sizeof shape_keys / sizeof *shape_keys; ++i) {
    if (shape_keys[i].belongs[shape] || lwl_get(L, table, shape_keys[i].key) == LUA_TNIL) continue;
    lwl_raise_at(L, at, shape_keys[i].key, "is %s, expected nil for a %s: it belongs to %s",
                 lwl_describe(L, -1), lwl_enum_name(LWL_OBSTACLE_SHAPE, shape), shape_keys[i].owners);
  }
  return (lw_obstacle_shape)shape;
}

static void read_size(lua_State *L, const lwl_at *at, int table, lw_vec3 *size) {
  static const char *const keys[] = {"size[1]", "size[2]", "size[3]"};
  lwl_opt_point(L, at, table, "size", size);
  const double sides[] = {(double)size->x, (double)size->y, (double)size->z};
  for (int i = 0; i < 3; ++i) {
    char got[32];
    if (lw_range_holds(&size_range, sides[i])) continue;
    snprintf(got, sizeof got, "%g", sides[i]);
    lwl_raise_at(L, at, keys[i], "is %s, expected %s", got, lwl_push_range(L, &size_range));
  }
}

static void read_points(lua_State *L, const lwl_at *at, int table, lw_vec3 *points, int *count) {
  const lua_Integer length = lwl_need_list(L, at, table, "points", 3);
  if (length > LW_OBSTACLE_POINTS_MAX)
    lwl_raise_at(L, at, "points", "is a list of %I, expected at most %d", (LUAI_UACINT)length,
                 LW_OBSTACLE_POINTS_MAX);
  for (lua_Integer i = 1; i <= length; ++i) {
    lw_vec3 *point = &points[i - 1];
    lua_rawgeti(L, -1, i);
    if (!lwl_to_point(L, -1, point)) lwl_raise_item(L, at, "points", i, "a point", -1);
    if (hypot(hypot((double)point->x, (double)point->y), (double)point->z) > (double)LW_OBSTACLE_SIZE_MAX)
      lwl_raise_item(L, at, "points", i, "a point within 1000 metres of (0, 0, 0), to which 'at' is added", -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  *count = (int)length;
}

/// @param points  [LW_OBSTACLE_POINTS_MAX] The definition borrows them.
static void read_form(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def, lw_vec3 *points) {
  def->shape = read_shape(L, at, table);
  lwl_opt_float(L, at, table, "yaw", &yaw_range, &def->yaw);
  if (def->shape == LW_OBSTACLE_BOX) read_size(L, at, table, &def->size);
  lwl_opt_float(L, at, table, "radius", &size_range, &def->radius);
  lwl_opt_float(L, at, table, "height", &size_range, &def->height);
  if (def->shape != LW_OBSTACLE_POLYGON) return;
  read_points(L, at, table, points, &def->point_count);
  def->points = points;
}

void lwl_read_mark(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def) {
  if (lwl_get(L, table, "area") != LUA_TNIL) def->area = lwl_check_area(L, at, "area", -1);
  lua_pop(L, 1);
  lwl_opt_float(L, at, table, "cost", &cost_range, &def->cost);
}

bool lwl_opt_obstacle_cover(lua_State *L, const lwl_at *at, int table, lw_cover_kind *cover) {
  const bool is_false = lwl_get(L, table, "cover") == LUA_TBOOLEAN && !lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (is_false) *cover = LW_COVER_NONE;
  return is_false || lwl_opt_cover(L, at, table, "cover", cover);
}

/// Read whether it is cut out, or what the ground becomes, and what it hides.
static void read_effect(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def) {
  const bool hides = lwl_opt_obstacle_cover(L, at, table, &def->cover) && def->cover != LW_COVER_NONE;
  const bool has_blocks = lwl_opt_bool(L, at, table, "blocks", &def->blocks);
  lwl_read_mark(L, at, table, def);
  const bool has_area = def->area != LW_AREA_NONE;
  if (has_area || def->cost > 0) {
    if (has_blocks && def->blocks)
      lwl_raise_at(L, at, "blocks", "is true, expected false or nil with '%s'", has_area ? "area" : "cost");
    def->blocks = false;
  } else if (!def->blocks && !hides) {
    lwl_raise_missing(L, at, "area", "the name of an area, a cost above 0, or a cover, as 'blocks' is false");
  }
}

void lwl_read_obstacle(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def, lw_vec3 *points) {
  read_form(L, at, table, def, points);
  read_effect(L, at, table, def);
}

/// Read `attached_to` of the definition at index 2, an obstacle of the world at index 1. @return None: the key is absent.
static lw_obstacle_id opt_obstacle(lua_State *L, const lwl_at *at) {
  lw_obstacle_id id = lw_obstacle_id_none();
  if (lwl_get(L, 2, "attached_to") != LUA_TNIL) {
    const void *found = luaL_testudata(L, -1, LWL_OBSTACLE);
    if (!found) lwl_raise_expected(L, at, "attached_to", "an obstacle", -1);
    memcpy(&id, found, sizeof id);
    lua_getiuservalue(L, -1, 1);
    if (!lua_rawequal(L, -1, 1))
      lwl_raise_at(L, at, "attached_to", "is in another world, expected an obstacle of this one");
    if (!lwl_obstacle.exists(lwl_c_world(lwl_check_world(L, 1, at->where)), &id))
      lwl_raise_at(L, at, "attached_to", "is gone: it was removed");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return id;
}

/// Read where it is, and how it moves. The world is at index 1, the definition at index 2.
static void read_motion(lua_State *L, const lwl_at *at, lw_obstacle_def *def) {
  def->carrier = lwl_opt_agent(L, at, 2, "carrier", 1);
  def->attached_to = opt_obstacle(L, at);
  const bool is_carried = !lw_agent_id_is_none(def->carrier);
  if (is_carried && !lw_obstacle_id_is_none(def->attached_to))
    lwl_raise(L, at->where, "carrier and attached_to are given, expected one of them");
  const bool has_place = lwl_opt_place(L, at, 2, "at", &def->at);
  if (!has_place && def->shape != LW_OBSTACLE_POLYGON && !is_carried)
    lwl_raise(L, at->where, "at is nil, expected a point, or a carrier");
  lwl_opt_float(L, at, 2, "min_move", &lwl_metres_not_negative, &def->min_move);
  lwl_opt_endless(L, at, 2, "max_speed", &speed_range, &def->max_speed);
}

/*
** world:add_obstacle{ shape = "box", at =, yaw =, size =, ... } --> obstacle
** world:add_obstacle{ shape = "cylinder", at =, yaw =, radius =, height =, ... } --> obstacle
** world:add_obstacle{ shape = "polygon", points =, at =, yaw =, height =, ... } --> obstacle
** All: blocks =, area =, cost =, cover =, min_move =, max_speed =, carrier =, attached_to =
*/
static int add_obstacle(lua_State *L) {
  static const char *const keys[] = {"shape",     "at",      "yaw",         "size", "radius", "height",
                                     "points",    "blocks",  "area",        "cost", "cover",  "min_move",
                                     "max_speed", "carrier", "attached_to", NULL};
  const lwl_at at = {"add_obstacle", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_vec3 points[LW_OBSTACLE_POINTS_MAX];
  lw_obstacle_def def = lw_obstacle_def_default();
  lwl_read_obstacle(L, &at, 2, &def, points);
  read_motion(L, &at, &def);
  lw_obstacle_id *id = lwl_new_id(L, &lwl_obstacle, 1);
  lw_error error = {0};
  error.status = lw_obstacle_add(lwl_c_world(lwl_check_world(L, 1, at.where)), &def, id, &error);
  return error.status == LW_OK ? lwl_intern_new(L, &lwl_obstacle) : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:obstacles() --> list in the order in which they were added
*/
static int obstacles(lua_State *L) {
  return lwl_push_ids(L, &lwl_obstacle, "obstacles");
}

const luaL_Reg lwl_obstacle_methods[] = {
    {"add_obstacle", add_obstacle}, {"obstacles", obstacles}, {NULL, NULL}};

// --- of an obstacle ------------------------------------------------------------------------------------------

/// Read the state of the obstacle at index 1, without a carrier that is gone.
/// @return false: it was removed.
static bool get_state(lua_State *L, const char *where, lw_obstacle_state *state) {
  lw_obstacle_id id;
  lw_agent_state carrier;
  const lw_world *world = lwl_check_id(L, 1, LWL_OBSTACLE, where, &id);
  if (lw_obstacle_get_state(world, id, state) != LW_OK) return false;
  if (lw_agent_get_state(world, state->def.carrier, &carrier) != LW_OK) state->def.carrier = lw_agent_id_none();
  return true;
}

/*
** obstacle:move(p [, yaw [, velocity]]) --> false: it was removed
** Without `yaw` it keeps its own; without `velocity` it is as fast as it moves from step to step.
*/
static int move(lua_State *L) {
  const lwl_at at = {"move", ""};
  lw_obstacle_id id;
  lw_obstacle_state state;
  lua_settop(L, 4);
  lwl_check_id(L, 1, LWL_OBSTACLE, at.where, &id);
  const lw_vec3 place = lwl_to_place(L, &at, "at", 2);
  const bool has_yaw = !lua_isnil(L, 3), has_velocity = !lua_isnil(L, 4);
  double yaw = has_yaw ? lwl_check_number(L, &at, "yaw", 3, &yaw_range) : 0;
  lw_vec3 velocity = {0, 0, 0};
  if (has_velocity) velocity = lwl_check_point(L, at.where, "velocity", 4);
  // Reading the points may have run a finaliser: the world is checked again.
  lw_world *world = lwl_check_id(L, 1, LWL_OBSTACLE, at.where, &id);
  if (!get_state(L, at.where, &state)) return lua_pushboolean(L, 0), 1;
  if (!lw_agent_id_is_none(state.def.carrier))
    lwl_raise(L, at.where, "the obstacle is carried by agent %s, and moves with it",
              LWL_ID_NAME(state.def.carrier));
  if (!has_yaw) yaw = (double)state.yaw;
  const lw_status status = lw_obstacle_move(world, id, place, (float)yaw, has_velocity ? &velocity : NULL);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  lua_pushboolean(L, 1);
  return 1;
}

/*
** obstacle:position() --> vec3 | nil: it was removed
*/
static int position(lua_State *L) {
  lw_obstacle_state state;
  if (get_state(L, "position", &state))
    lwl_push_vec3(L, state.at);
  else
    lua_pushnil(L);
  return 1;
}

/*
** obstacle:yaw() --> radians | nil: it was removed
*/
static int yaw(lua_State *L) {
  lw_obstacle_state state;
  if (get_state(L, "yaw", &state))
    lua_pushnumber(L, (lua_Number)state.yaw);
  else
    lua_pushnil(L);
  return 1;
}

/*
** obstacle:velocity() --> vec3 | nil: it was removed
*/
static int velocity(lua_State *L) {
  lw_obstacle_state state;
  if (get_state(L, "velocity", &state))
    lwl_push_vec3(L, state.velocity);
  else
    lua_pushnil(L);
  return 1;
}

/*
** obstacle:is_cut() --> boolean; false also if it was removed
*/
static int is_cut(lua_State *L) {
  lw_obstacle_state state;
  lua_pushboolean(L, get_state(L, "is_cut", &state) && state.is_cut);
  return 1;
}

static void push_points(lua_State *L, const lw_vec3 *points, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_vec3(L, points[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/*
** obstacle:outline() --> list of its corners where it is now, height | nil: it was removed
*/
static int outline(lua_State *L) {
  lw_obstacle_id id;
  lw_vec3 corners[LW_OBSTACLE_POINTS_MAX];
  float height = 0;
  const lw_world *world = lwl_check_id(L, 1, LWL_OBSTACLE, "outline", &id);
  const int count = lw_obstacle_outline(world, id, corners, &height);
  if (count == 0) return lua_pushnil(L), 1;
  push_points(L, corners, count);
  lua_pushnumber(L, (lua_Number)height);
  return 2;
}

/// Set the fields of the shape. @param points  Its own, or of a copy: a finaliser may remove the obstacle.
static void set_shape(lua_State *L, const lw_obstacle_def *def, const lw_vec3 *points) {
  lwl_set_string(L, "shape", lwl_enum_name(LWL_OBSTACLE_SHAPE, (int)def->shape));
  if (def->shape == LW_OBSTACLE_BOX) lwl_set_vec3(L, "size", def->size);
  if (def->shape == LW_OBSTACLE_CYLINDER) lwl_set_number(L, "radius", (double)def->radius);
  if (def->shape != LW_OBSTACLE_BOX) lwl_set_number(L, "height", (double)def->height);
  if (def->shape != LW_OBSTACLE_POLYGON) return;
  push_points(L, points, def->point_count);
  lua_setfield(L, -2, "points");
}

/// Set `carrier` and `attached_to`. @param world  Stack index.
static void set_holders(lua_State *L, int world, const lw_obstacle_def *def) {
  if (!lw_agent_id_is_none(def->carrier)) {
    lwl_push_agent(L, world, def->carrier);
    lua_setfield(L, -2, "carrier");
  }
  if (!lw_obstacle_id_is_none(def->attached_to)) {
    lwl_push_id(L, &lwl_obstacle, world, &def->attached_to);
    lua_setfield(L, -2, "attached_to");
  }
}

/*
** obstacle:get() --> what adds another one like it where it is now | nil: it was removed
*/
static int get(lua_State *L) {
  lw_obstacle_state state;
  lw_vec3 points[LW_OBSTACLE_POINTS_MAX];
  lua_settop(L, 1);
  if (!get_state(L, "get", &state)) return lua_pushnil(L), 1;
  const lw_obstacle_def *def = &state.def;
  for (int i = 0; i < def->point_count; ++i) points[i] = def->points[i];
  lua_getiuservalue(L, 1, 1);
  lua_createtable(L, 0, 13);
  set_shape(L, def, points);
  lwl_set_vec3(L, "at", state.at);
  // A carried one counts its yaw from where its carrier looks.
  lwl_set_number(L, "yaw", (double)(lw_agent_id_is_none(def->carrier) ? state.yaw : def->yaw));
  lwl_set_bool(L, "blocks", def->blocks);
  lwl_push_area_name(L, def->area);
  lua_setfield(L, -2, "area");
  if (!def->blocks) lwl_set_number(L, "cost", (double)def->cost);
  lwl_set_string(L, "cover", lw_cover_kind_name(def->cover));
  lwl_set_number(L, "min_move", (double)def->min_move);
  lwl_set_number(L, "max_speed", (double)def->max_speed);
  set_holders(L, 2, def);
  return 1;
}

static const luaL_Reg methods[] = {
    {"move", move},     {"position", position}, {"yaw", yaw}, {"velocity", velocity},
    {"is_cut", is_cut}, {"outline", outline},   {"get", get}, {NULL, NULL}};

void lwl_open_obstacle(lua_State *L) {
  lwl_open_kind(L, &lwl_obstacle, methods);
}
