/*
** Queries about the ground of a world.
*/
#include "agent.h"

static const lw_range tolerance_range = {0, 1e6, "m", false};

/// The options that all queries share.
typedef struct ground_query {
  const lw_world *world;
  int navmesh; ///< Index, or LW_NAVMESH_FITTING.
  lw_vec3 snap;
  const lw_profile *profile;
  lw_filter filter;
} ground_query;

/// Read the world at index 1 and the options, which may be absent.
static ground_query read_query(lua_State *L, const lwl_at *at, int options, const char *const *keys) {
  ground_query asked = {.world = lwl_c_world(lwl_check_world(L, 1, at->where)),
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

/// Answer a status with which no place was found near `from`, or raise.
static int fail_near(lua_State *L, const char *where, lw_status status, const lwl_place *place) {
  if (status != LW_NO_START && status != LW_NO_GOAL) return answer_or_raise(L, where, status);
  return lwl_fail_near(L, status, place);
}

/// The same for the place of a query about the ground.
static int fail_start(lua_State *L, const char *where, lw_status status, const ground_query *asked,
                      lwl_place place) {
  place.snap = asked->snap;
  place.profile = asked->profile;
  return fail_near(L, where, status, &place);
}

/// Find the nearest place on the query's navmesh. Where that is LW_NAVMESH_FITTING, sets it to the one that
/// fits.
static lw_status find_place(ground_query *asked, lw_vec3 point, lw_vec3 snap, lw_location *at) {
  if (asked->navmesh < 0)
    return lw_world_find_navmesh(asked->world, point, snap, asked->profile, &asked->navmesh, at);
  return lw_navmesh_nearest(lw_world_navmesh_at(asked->world, asked->navmesh), point, snap, &asked->filter, at);
}

static const lw_navmesh *navmesh_of(const ground_query *asked) {
  return lw_world_navmesh_at(asked->world, asked->navmesh);
}

/// The navmesh whose ground is straight above or below the point. @return NULL: there is none within reach.
static const lw_navmesh *navmesh_at(ground_query *asked, lw_vec3 point, float reach) {
  lw_location at;
  if (asked->navmesh < 0 && lw_world_navmesh_count(asked->world) == 1) asked->navmesh = 0;
  if (asked->navmesh < 0) find_place(asked, point, (lw_vec3){1e-3f, reach, 1e-3f}, &at);
  return asked->navmesh < 0 ? NULL : navmesh_of(asked);
}

/*
** world:nearest_point(p [, { snap =, profile =, navmesh = }])
**   --> vec3, polygon id, navmesh's number | nil, message, code
*/
static int nearest_point(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"nearest_point", ""};
  ground_query asked = read_query(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  lw_location found;
  const lw_status status = find_place(&asked, point, asked.snap, &found);
  const lwl_place place = {"point", point, asked.snap, asked.profile};
  if (status == LW_NO_POINT) return lwl_fail_near(L, status, &place);
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
  ground_query asked = read_query(L, &at, 3, keys);
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
  ground_query asked = read_query(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  float height = 0;
  const lw_navmesh *navmesh = navmesh_at(&asked, point, 1e9f);
  const lw_status status = navmesh ? lw_navmesh_height(navmesh, point, &asked.filter, &height) : LW_NO_POINT;
  if (status != LW_OK) return answer_or_raise(L, at.where, status);
  lua_pushnumber(L, (lua_Number)height);
  return 1;
}

/// Find the start of a walk over the surface. @return LW_OK, LW_NO_START or LW_INVALID.
static lw_status snap_start(ground_query *asked, lw_vec3 from, lw_location *start) {
  const lw_status status = find_place(asked, from, asked->snap, start);
  return status == LW_NO_POINT ? LW_NO_START : status;
}

/// Cast a ray from the point at index 2 to the one at index 3.
static int answer_raycast(lua_State *L, ground_query *asked) {
  const lw_vec3 from = lwl_check_point(L, "raycast", "a", 2), to = lwl_check_point(L, "raycast", "b", 3);
  lw_location start;
  lw_raycast ray;
  lw_status status = snap_start(asked, from, &start);
  if (status == LW_OK) status = lw_navmesh_raycast(navmesh_of(asked), start, to, &asked->filter, &ray);
  if (status != LW_OK) return fail_start(L, "raycast", status, asked, (lwl_place){.field = "a", .at = from});
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
  ground_query asked = read_query(L, &(lwl_at){"raycast", ""}, 4, keys);
  return answer_raycast(L, &asked);
}

/*
** agent:raycast(a, b) --> as world:raycast, for the agent's profile, on the navmesh that it stands on
*/
static int agent_raycast(lua_State *L) {
  lua_settop(L, 3);
  const lwl_self me = lwl_check_self(L, "raycast");
  ground_query asked = {.world = me.world,
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
  ground_query asked = read_query(L, &at, 4, keys);
  const lw_vec3 from = lwl_check_point(L, at.where, "a", 2), to = lwl_check_point(L, at.where, "b", 3);
  lw_location start, end;
  lw_status status = snap_start(&asked, from, &start);
  if (status == LW_OK) status = lw_navmesh_move(navmesh_of(&asked), start, to, &asked.filter, &end);
  if (status != LW_OK) return fail_start(L, at.where, status, &asked, (lwl_place){.field = "a", .at = from});
  lwl_push_vec3(L, end.point);
  return 1;
}

/*
** world:distance_to_wall(p [, { max = 20, profile =, snap =, navmesh = }])
**   --> metres, point, normal | nil, message, code
*/
static int distance_to_wall(lua_State *L) {
  static const char *const keys[] = {"max", "snap", "profile", "navmesh", NULL};
  const lwl_at at = {"distance_to_wall", ""};
  ground_query asked = read_query(L, &at, 3, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  float max = 20;
  if (lua_istable(L, 3)) lwl_opt_float(L, &at, 3, "max", &lwl_metres_positive, &max);
  lw_location start;
  lw_wall wall;
  lw_status status = snap_start(&asked, point, &start);
  if (status == LW_OK)
    status = lw_navmesh_distance_to_wall(navmesh_of(&asked), start, max, &asked.filter, &wall);
  if (status != LW_OK)
    return fail_start(L, at.where, status, &asked, (lwl_place){.field = "point", .at = point});
  if (!wall.found) {
    lua_pushfstring(L, "no wall within %f m", (lua_Number)max);
    return lwl_fail(L, LW_NOT_FOUND, lua_tostring(L, -1));
  }
  lua_pushnumber(L, (lua_Number)wall.distance);
  lwl_push_vec3(L, wall.point);
  lwl_push_vec3(L, wall.normal);
  return 3;
}

/*
** world:polygons_around(p, radius [, { profile =, snap =, navmesh = }])
**   --> list of polygon ids, navmesh's number
**   | nil, message, code
*/
static int polygons_around(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"polygons_around", ""};
  ground_query asked = read_query(L, &at, 4, keys);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  const float radius = (float)lwl_check_number(L, &at, "radius", 3, &lwl_metres_not_negative);
  lw_location start;
  lw_status status = snap_start(&asked, point, &start);
  if (status != LW_OK)
    return fail_start(L, at.where, status, &asked, (lwl_place){.field = "point", .at = point});
  lw_poly_id few[512], *found = few;
  int count = 0, capacity = (int)(sizeof few / sizeof *few);
  status = lw_navmesh_polygons_around(navmesh_of(&asked), (lw_circle){start, radius}, &asked.filter, found,
                                      capacity, &count);
  if (status == LW_LIMIT) {
    capacity = lw_navmesh_get_stats(navmesh_of(&asked)).polygons;
    found = lua_newuserdatauv(L, (size_t)capacity * sizeof *found, 0);
    status = lw_navmesh_polygons_around(navmesh_of(&asked), (lw_circle){start, radius}, &asked.filter, found,
                                        capacity, &count);
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
**   --> m2, count of polygons (or their ids where `polygons` is true) | nil, message, code
*/
static int reachable_area(lua_State *L) {
  static const char *const keys[] = {"from",    "profile", "max_cost", "polygons", "snap",
                                     "navmesh", "cost",    "avoid",    NULL};
  const lwl_at at = {"reachable_area", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_reachable_area_query query = lw_reachable_area_query_default();
  bool list = false;
  lwl_need_point(L, &at, 2, "from", &query.from);
  lwl_opt_snap(L, &at, 2, &query.snap);
  lwl_opt_navmesh(L, &at, 2, world, &query.navmesh);
  lwl_opt_float(L, &at, 2, "max_cost", &lwl_not_negative, &query.max_cost);
  lwl_opt_bool(L, &at, 2, "polygons", &list);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (profile) query.profile = profile->object;
  lw_reachable_area result;
  lw_status status = lw_reachable_area_find(world, NULL, &query, &result);
  if (status == LW_OK && list && result.polygon_count > 0) {
    query.capacity = result.polygon_count;
    query.polygons = lua_newuserdatauv(L, (size_t)query.capacity * sizeof *query.polygons, 0);
    status = lw_reachable_area_find(world, NULL, &query, &result);
  }
  const lwl_place start = {"from", query.from, query.snap, query.profile};
  if (status != LW_OK) return fail_near(L, at.where, status, &start);
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
** world:path_exists(a, b [, profile | { profile =, snap =, navmesh = }]) --> boolean | nil, message, code
*/
static int path_exists(lua_State *L) {
  static const char *const keys[] = {"snap", "profile", "navmesh", NULL};
  const lwl_at at = {"path_exists", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_path_exists_query query = lw_path_exists_query_default();
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
  const lw_status status = lw_path_exists(world, NULL, &query, &answer);
  const bool at_goal = status == LW_NO_GOAL;
  const lwl_place end = {at_goal ? "b" : "a", at_goal ? query.to : query.from, query.snap, query.profile};
  if (status != LW_OK) return fail_near(L, at.where, status, &end);
  lua_pushboolean(L, answer);
  return 1;
}

// --- random points -------------------------------------------------------------------------------------------

/// Read the list of areas at table[key]. Pushes what holds it. @return NULL: there is none.
static const lw_area_id *read_areas(lua_State *L, const lwl_at *at, int table, const char *key, int *count) {
  *count = 0;
  if (lwl_get(L, table, key) == LUA_TNIL) return NULL;
  const int list = lua_gettop(L);
  if (!lua_istable(L, list)) lwl_raise_expected(L, at, key, "a list of names of areas", list);
  const lua_Integer length = lwl_check_list(L, at, key, list);
  lw_area_id *areas = lua_newuserdatauv(L, (size_t)(length + 1) * sizeof *areas, 0);
  for (lua_Integer i = 0; i < length; ++i) {
    lua_rawgeti(L, list, i + 1);
    areas[i] = lwl_check_area(L, at, key, -1);
    lua_pop(L, 1);
  }
  *count = (int)length;
  return areas;
}

/// Answer that no point is left to draw.
static int fail_random_point(lua_State *L, const lw_random_point_query *query) {
  const bool is_limited = query->only_count > 0 || query->avoid_count > 0;
  const char *name = query->profile ? lw_profile_get_def(query->profile)->name : NULL;
  const char *areas = is_limited ? " of these areas" : "";
  const char *around = query->anywhere ? "" : " within the radius";
  const char *away =
      query->min_distance > 0 ? lua_pushfstring(L, " at least %f m away", (lua_Number)query->min_distance) : "";
  const char *entered = name ? lua_pushfstring(L, " that '%s' may enter", name) : "";
  const char *reached = !query->is_connected ? "" : name ? " and reach" : " that can be reached";
  return lwl_fail(L, LW_NO_POINT,
                  lua_pushfstring(L, "no ground%s%s%s%s%s", areas, around, away, entered, reached));
}

/// Answer the query at index 2, whose fields take precedence over those of `query`. Draws from the stream of `agent`,
/// or from the world's without one.
static int answer_random_point(lua_State *L, lw_world *world, lw_agent_id agent, lw_random_point_query query) {
  static const char *const keys[] = {"around",       "radius",       "profile", "snap", "navmesh",
                                     "min_distance", "connected_to", "avoid",   "only", NULL};
  const lwl_at at = {"random_point", ""};
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  const bool has_around = lwl_opt_point(L, &at, 2, "around", &query.around);
  const bool has_radius = lwl_opt_float(L, &at, 2, "radius", &lwl_metres_positive, &query.radius);
  query.is_connected = lwl_opt_point(L, &at, 2, "connected_to", &query.connected_to);
  lwl_opt_float(L, &at, 2, "min_distance", &lwl_not_negative, &query.min_distance);
  if (query.anywhere && has_around != has_radius)
    lwl_raise(L, at.where,
              has_radius ? "radius is given without around, expected both or neither"
                         : "around is given without radius, expected both or neither");
  const bool is_agents = !lw_agent_id_is_none(agent);
  if (has_around) query.anywhere = false;
  if (is_agents && !has_around && !has_radius) { /* wherever it can get to */
    if (!query.is_connected) query.connected_to = query.around;
    query.anywhere = query.is_connected = true;
  }
  if (!query.anywhere && !has_radius)
    lwl_raise_missing(L, &at, "radius", lwl_push_range(L, &lwl_metres_positive));
  if (query.anywhere && query.min_distance > 0 && !query.is_connected)
    lwl_raise(L, at.where, "min_distance is given without a place, expected around or connected_to beside it");
  if (!query.anywhere && query.min_distance >= query.radius)
    lwl_raise(L, at.where, "min_distance is %f, expected less than radius, %f", (double)query.min_distance,
              (double)query.radius);
  lwl_opt_snap(L, &at, 2, &query.snap);
  lwl_opt_navmesh(L, &at, 2, world, &query.navmesh);
  query.avoid = read_areas(L, &at, 2, "avoid", &query.avoid_count);
  query.only = read_areas(L, &at, 2, "only", &query.only_count);
  if (query.only && query.only_count == 0)
    lwl_raise_at(L, &at, "only", "is empty, expected names of areas, or nil for all");
  if (lwl_get(L, 2, "profile") != LUA_TNIL) {
    lua_newtable(L); /* the areas to avoid are not the profile's */
    lua_insert(L, -2);
    lua_setfield(L, -2, "profile");
    const lwl_box *profile = lwl_push_profile(L, &at, -1);
    if (profile) query.profile = profile->object;
  }
  // Last: a finaliser that ran above may have despawned the agent, and its stream with it.
  query.random = is_agents ? lw_agent_random_stream(world, agent) : lw_world_random_stream(world);
  if (!query.random) lwl_raise(L, at.where, "agent %s is gone: it died or was despawned", LWL_ID_NAME(agent));
  lw_location found;
  const lw_status status = lw_random_point_find(world, NULL, &query, &found);
  const lwl_place from = {query.is_connected ? "connected_to" : "around",
                          query.is_connected ? query.connected_to : query.around, query.snap, query.profile};
  if (status == LW_NO_POINT) return fail_random_point(L, &query);
  if (status != LW_OK) return fail_near(L, at.where, status, &from);
  lwl_push_vec3(L, found.point);
  return 1;
}

/*
** world:random_point{ around =, radius =, min_distance =, connected_to =, avoid =, only =, profile =, snap =, navmesh = }
**   --> vec3 | nil, message, code
** world:random_point() --> a point anywhere on the navmesh
*/
static int random_point(lua_State *L) {
  const lwl_world *world = lwl_check_world(L, 1, "random_point");
  lw_random_point_query query = lw_random_point_query_default();
  query.anywhere = true;
  return answer_random_point(L, lwl_c_world(world), lw_agent_id_none(), query);
}

/*
** agent:random_point{ around = its position, radius =, profile = its own, navmesh = its own, and as World:random_point }
**   --> vec3 | nil, message, code
** agent:random_point() --> a point anywhere on its navmesh that it can get to
** On a link, its position is the end of the link.
*/
static int agent_random_point(lua_State *L) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "random_point");
  lw_random_point_query query = lw_random_point_query_default();
  query.around = me.state.footing;
  query.profile = me.state.profile;
  query.navmesh = me.state.footing_navmesh;
  return answer_random_point(L, me.world, me.id, query);
}

const luaL_Reg lwl_query_methods[] = {{"nearest_point", nearest_point},
                                      {"contains", contains},
                                      {"height_at", height_at},
                                      {"raycast", raycast},
                                      {"move_along", move_along},
                                      {"distance_to_wall", distance_to_wall},
                                      {"path_exists", path_exists},
                                      {"polygons_around", polygons_around},
                                      {"reachable_area", reachable_area},
                                      {"random_point", random_point},
                                      {NULL, NULL}};

const luaL_Reg lwl_query_agent_methods[] = {
    {"raycast", agent_raycast}, {"random_point", agent_random_point}, {NULL, NULL}};
