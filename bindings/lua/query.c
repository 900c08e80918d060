/*
** What a world is asked about its ground.
*/
#include "agent.h"

static const lwl_range tolerance_range = {0, 1e6, false, "a number of at least 0"};

/// What a question may narrow.
typedef struct question {
  const lw_world *world;
  int navmesh; ///< Index, or LW_NAVMESH_FITTING.
  lw_vec3 snap;
  const lw_profile *profile;
  lw_filter filter;
} question;

/// Check the world at index 1 and the options, which may be absent.
static question read_question(lua_State *L, const lwl_at *at, int options, const char *const *keys) {
  question asked = {.world = lwl_c_world(lwl_check_world(L, 1, at->where)),
                    .navmesh = LW_NAVMESH_FITTING,
                    .snap = lw_path_query_default().snap,
                    .filter = lw_filter_all()};
  if (lua_isnoneornil(L, options)) return asked;
  lwl_check_table(L, at->where, options);
  lwl_check_keys(L, at, options, keys);
  lwl_opt_snap(L, at, options, &asked.snap);
  lwl_opt_navmesh(L, at, options, asked.world, &asked.navmesh);
  const lwl_box *profile = lwl_push_profile(L, at, options);
  if (!profile) return asked;
  asked.profile = profile->object;
  asked.filter = lw_profile_filter(profile->object);
  return asked;
}

static int answer_or_raise(lua_State *L, const char *where, lw_status status) {
  const lw_error error = {.status = status};
  return lwl_fail_or_raise(L, where, &error);
}

/// The nearest place, on the navmesh named or on the one that fits: then its index is put into `asked`.
static lw_status find_place(question *asked, lw_vec3 point, lw_vec3 snap, lw_location *at) {
  if (asked->navmesh < 0)
    return lw_world_find_navmesh(asked->world, point, snap, asked->profile, &asked->navmesh, at);
  return lw_navmesh_nearest(lw_world_navmesh_at(asked->world, asked->navmesh), point, snap, &asked->filter, at);
}

static const lw_navmesh *navmesh_of(const question *asked) {
  return lw_world_navmesh_at(asked->world, asked->navmesh);
}

/// The navmesh to ask about what is straight above or below the point. @return NULL: there is nothing
static const lw_navmesh *navmesh_at(question *asked, lw_vec3 point, float reach) {
  lw_location at;
  if (asked->navmesh < 0 && lw_world_navmesh_count(asked->world) == 1) asked->navmesh = 0;
  if (asked->navmesh < 0) find_place(asked, point, (lw_vec3){1e-3f, reach, 1e-3f}, &at);
  return asked->navmesh < 0 ? NULL : navmesh_of(asked);
}

/*
** world:nearest_point(p [, { snap =, profile =, navmesh = }]) --> vec3, polygon id, navmesh's number | nil, message, code
*/
static int nearest_point(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"nearest_point", ""};
  question asked = read_question(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  lw_location found;
  const lw_status status = find_place(&asked, point, asked.snap, &found);
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lwl_push_vec3(L, found.point);
  lua_pushinteger(L, (lua_Integer)found.poly);
  lua_pushinteger(L, asked.navmesh + 1);
  return 3;
}

/*
** world:contains(p [, { tolerance =, profile =, navmesh = }]) --> boolean
*/
static int contains(lua_State *L) {
  static const char *const keys[] = {"tolerance", "profile", "navmesh", NULL};
  const lwl_at at = {"contains", ""};
  question asked = read_question(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  float tolerance = 0.5f;
  if (lua_istable(L, 3)) lwl_opt_float(L, &at, 3, "tolerance", &tolerance_range, &tolerance);
  const lw_navmesh *navmesh = navmesh_at(&asked, point, tolerance + 1e-3f);
  lua_pushboolean(L, navmesh && lw_navmesh_contains(navmesh, point, tolerance, &asked.filter));
  return 1;
}

/*
** world:height_at(p [, { profile =, navmesh = }]) --> number | nil, message, code
*/
static int height_at(lua_State *L) {
  static const char *const keys[] = {"profile", "navmesh", NULL};
  const lwl_at at = {"height_at", ""};
  question asked = read_question(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  float height = 0;
  const lw_navmesh *navmesh = navmesh_at(&asked, point, 1e9f);
  const lw_status status = navmesh ? lw_navmesh_height(navmesh, point, &asked.filter, &height) : LW_NO_POINT;
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lua_pushnumber(L, (lua_Number)height);
  return 1;
}

/// Where a walk over the surface begins. @return LW_OK, LW_NO_START, LW_INVALID
static lw_status snap_start(question *asked, lw_vec3 from, lw_location *start) {
  const lw_status status = find_place(asked, from, asked->snap, start);
  return status == LW_NO_POINT ? LW_NO_START : status;
}

/// Cast from the point at index 2 to that at index 3.
static int answer_raycast(lua_State *L, question *asked) {
  const lw_vec3 from = lwl_check_point(L, "raycast", "a", 2), to = lwl_check_point(L, "raycast", "b", 3);
  lw_location start;
  lw_raycast ray;
  lw_status status = snap_start(asked, from, &start);
  if (status == LW_OK) status = lw_navmesh_raycast(navmesh_of(asked), start, to, &asked->filter, &ray);
  if (status != LW_OK) return answer_or_raise(L, "raycast", status);
  lua_pushboolean(L, ray.hit);
  lwl_push_vec3(L, ray.at.point);
  lwl_push_vec3(L, ray.normal);
  lua_pushnumber(L, (lua_Number)ray.t);
  return 4;
}

/*
** world:raycast(a, b [, { profile =, snap =, navmesh = }]) --> hit, point, normal, t | nil, message, code
** Without a hit the normal is (0, 0, 0) and t is 1.
*/
static int raycast(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  question asked = read_question(L, &(lwl_at){"raycast", ""}, 4, keys);
  return answer_raycast(L, &asked);
}

/*
** agent:raycast(a, b) --> as world:raycast, for its own profile, on the navmesh that it walks on
*/
static int agent_raycast(lua_State *L) {
  lua_settop(L, 3);
  const lwl_self me = lwl_check_self(L, "raycast");
  question asked = {.world = me.world,
                    .navmesh = me.state.footing_navmesh,
                    .snap = lw_path_query_default().snap,
                    .profile = me.state.profile,
                    .filter = lw_profile_filter(me.state.profile)};
  return answer_raycast(L, &asked);
}

/*
** world:move_along(a, b [, { profile =, snap =, navmesh = }]) --> vec3 | nil, message, code
*/
static int move_along(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"move_along", ""};
  question asked = read_question(L, &at, 4, keys);
  const lw_vec3 from = lwl_check_point(L, at.where, "a", 2), to = lwl_check_point(L, at.where, "b", 3);
  lw_location start, end;
  lw_status status = snap_start(&asked, from, &start);
  if (status == LW_OK) status = lw_navmesh_move(navmesh_of(&asked), start, to, &asked.filter, &end);
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lwl_push_vec3(L, end.point);
  return 1;
}

/*
** world:distance_to_wall(p [, { max = 20, profile =, snap =, navmesh = }]) --> metres, point, normal | nil, message, code
*/
static int distance_to_wall(lua_State *L) {
  static const char *const keys[] = {"max", "snap", "profile", "navmesh", NULL};
  const lwl_at at = {"distance_to_wall", ""};
  question asked = read_question(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  float most = 20;
  if (lua_istable(L, 3)) lwl_opt_float(L, &at, 3, "max", &lwl_positive, &most);
  lw_location start;
  lw_wall wall;
  lw_status status = snap_start(&asked, point, &start);
  if (status == LW_OK)
    status = lw_navmesh_distance_to_wall(navmesh_of(&asked), start, most, &asked.filter, &wall);
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  if (!wall.found) {
    lua_pushfstring(L, "no wall within %f m", (lua_Number)most);
    return lwl_fail(L, LW_NOT_FOUND, lua_tostring(L, -1));
  }
  lua_pushnumber(L, (lua_Number)wall.distance);
  lwl_push_vec3(L, wall.point);
  lwl_push_vec3(L, wall.normal);
  return 3;
}

/*
** world:polygons_around(p, radius [, { profile =, snap =, navmesh = }]) --> list of polygon ids, navmesh's number
**   | nil, message, code
*/
static int polygons_around(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"polygons_around", ""};
  question asked = read_question(L, &at, 4, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  const float radius = (float)lwl_check_number(L, &at, "radius", 3, &lwl_not_negative);
  lw_location start;
  lw_status status = snap_start(&asked, point, &start);
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lw_poly_id few[512], *found = few;
  int count = 0, capacity = (int)(sizeof few / sizeof *few);
  status =
      lw_navmesh_polygons_around(navmesh_of(&asked), start, radius, &asked.filter, found, capacity, &count);
  if (status == LW_LIMIT) {
    capacity = lw_navmesh_get_stats(navmesh_of(&asked)).polygons;
    found = lua_newuserdatauv(L, (size_t)capacity * sizeof *found, 0);
    status =
        lw_navmesh_polygons_around(navmesh_of(&asked), start, radius, &asked.filter, found, capacity, &count);
  }
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_pushinteger(L, (lua_Integer)found[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushinteger(L, asked.navmesh + 1);
  return 2;
}

/*
** world:reachable_area{ from =, profile =, max_cost =, polygons = false, snap =, navmesh =, cost =, avoid = }
**   --> m2, polygons: how many or, if asked for, their ids | nil, message, code
*/
static int reachable_area(lua_State *L) {
  static const char *const keys[] = {"from",    "profile", "max_cost", "polygons", "snap",
                                     "navmesh", "cost",    "avoid",    NULL};
  const lwl_at at = {"reachable_area", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_reachable_query query = lw_reachable_query_default();
  bool list = false;
  lwl_need_point(L, &at, 2, "from", &query.from);
  lwl_opt_snap(L, &at, 2, &query.snap);
  lwl_opt_navmesh(L, &at, 2, world, &query.navmesh);
  lwl_opt_float(L, &at, 2, "max_cost", &lwl_not_negative, &query.max_cost);
  lwl_opt_bool(L, &at, 2, "polygons", &list);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (profile) query.profile = profile->object;
  lw_reachable result;
  lw_status status = lw_reachable_area(world, &query, &result);
  if (status == LW_OK && list && result.polygon_count > 0) {
    query.capacity = result.polygon_count;
    query.polygons = lua_newuserdatauv(L, (size_t)query.capacity * sizeof *query.polygons, 0);
    status = lw_reachable_area(world, &query, &result);
  }
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lua_pushnumber(L, result.area);
  if (!list) return lua_pushinteger(L, result.polygon_count), 2;
  lua_createtable(L, result.polygon_count, 0);
  for (int i = 0; i < result.polygon_count; ++i) {
    lua_pushinteger(L, (lua_Integer)query.polygons[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

/*
** world:connected(a, b [, profile | { profile =, snap =, navmesh = }]) --> boolean | nil, message, code
*/
static int connected(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"connected", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_connected_query query = lw_connected_query_default();
  query.from = lwl_check_point(L, at.where, "a", 2);
  query.to = lwl_check_point(L, at.where, "b", 3);
  lua_settop(L, 4);
  if (lua_type(L, 4) == LUA_TSTRING) { /* a profile's name stands for { profile = name } */
    lua_createtable(L, 0, 1);
    lua_insert(L, 4);
    lua_setfield(L, 4, "profile");
  }
  if (!lua_isnil(L, 4)) {
    lwl_check_table(L, at.where, 4);
    lwl_check_keys(L, &at, 4, keys);
    lwl_opt_snap(L, &at, 4, &query.snap);
    lwl_opt_navmesh(L, &at, 4, world, &query.navmesh);
    const lwl_box *profile = lwl_push_profile(L, &at, 4);
    if (profile) query.profile = profile->object;
  }
  bool answer;
  const lw_status status = lw_connected(world, &query, &answer);
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lua_pushboolean(L, answer);
  return 1;
}

// --- random points --------------------------------------------------------------------------------------------

int lwl_random_point(lua_State *L, const char *where, lw_world *world, lw_random_point_query query,
                     int options) {
  static const char *const keys[] = {"around", "radius", "profile", "snap", "navmesh", NULL};
  const lwl_at at = {where, ""};
  lwl_check_table(L, where, options);
  lwl_check_keys(L, &at, options, keys);
  if (lwl_opt_point(L, &at, options, "around", &query.around)) query.anywhere = false;
  const bool has_radius = lwl_opt_float(L, &at, options, "radius", &lwl_positive, &query.radius);
  if (query.anywhere == has_radius) {
    lua_pushnil(L);
    if (has_radius) lwl_raise_expected(L, &at, "around", "a point", -1);
    lwl_raise_expected(L, &at, "radius", lwl_positive.text, -1);
  }
  lwl_opt_snap(L, &at, options, &query.snap);
  lwl_opt_navmesh(L, &at, options, world, &query.navmesh);
  const lwl_box *profile = lwl_push_profile(L, &at, options);
  if (profile) query.profile = profile->object;
  lw_location found;
  const lw_status status = lw_random_point_find(world, &query, &found);
  if (status != LW_OK) return answer_or_raise(L, where, status);
  lwl_push_vec3(L, found.point);
  return 1;
}

/*
** world:random_point{ around =, radius =, profile =, snap =, navmesh = } --> vec3 | nil, message, code
** world:random_point{ profile =, navmesh = } --> a point of the whole navmesh
*/
static int random_point(lua_State *L) {
  const lwl_world *world = lwl_check_world(L, 1, "random_point");
  lw_random_point_query query = lw_random_point_query_default();
  query.anywhere = true;
  return lwl_random_point(L, "random_point", lwl_c_world(world), query, 2);
}

const luaL_Reg lwl_query_methods[] = {{"nearest_point", nearest_point},
                                      {"contains", contains},
                                      {"height_at", height_at},
                                      {"raycast", raycast},
                                      {"move_along", move_along},
                                      {"distance_to_wall", distance_to_wall},
                                      {"connected", connected},
                                      {"polygons_around", polygons_around},
                                      {"reachable_area", reachable_area},
                                      {"random_point", random_point},
                                      {NULL, NULL}};

const luaL_Reg lwl_query_agent_methods[] = {{"raycast", agent_raycast}, {NULL, NULL}};
