/*
** Paths: finding one, and its points, costs and links.
*/
#include "goals.h"
#include "path.h"
#include "planner.h"
#include "regions.h"
#include "sandbox.h"

#include <limits.h>

static const lw_range nodes_range = {1, INT_MAX, NULL, false};

static void destroy(void *object) {
  lw_path_destroy(object);
}

static const lw_path *check_path(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_PATH, where)->object;
}

/*
** path:points() --> list of vec3
*/
static int points(lua_State *L) {
  int count = 0;
  const lw_vec3 *list = lw_path_points(check_path(L, "points"), &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_vec3(L, list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** path:arcs()
**   --> list of { first =, last =, centre =, radius =, from =, to =, is_reduced = }: the arcs of a rounded path, in order
*/
static int arcs(lua_State *L) {
  int count = 0;
  const lw_path_arc *list = lw_path_arcs(check_path(L, "arcs"), &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_createtable(L, 0, 7);
    lwl_set_integer(L, "first", list[i].first + 1);
    lwl_set_integer(L, "last", list[i].last + 1);
    lwl_set_vec3(L, "centre", list[i].centre);
    lwl_set_number(L, "radius", (double)list[i].radius);
    lwl_set_number(L, "from", (double)list[i].from);
    lwl_set_number(L, "to", (double)list[i].to);
    lwl_set_bool(L, "is_reduced", list[i].is_reduced);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** path:areas() --> list of names: the area of the piece that begins at each point but the last
*/
static int areas(lua_State *L) {
  const lw_path *path = check_path(L, "areas");
  int count = 0;
  lw_path_points(path, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i + 1 < count; ++i) {
    lwl_push_area_name(L, lw_path_area(path, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** path:stances() --> list of names: the stance in which the piece is walked that begins at each point but the last
*/
static int stances(lua_State *L) {
  const lw_path *path = check_path(L, "stances");
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, LWL_PATH_PROFILE);
  const lwl_box *profile = lua_touserdata(L, 2);
  int count = 0;
  lw_path_points(path, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i + 1 < count; ++i) {
    const int stance = lw_path_stance(path, i);
    lua_pushstring(L, lw_profile_get_stance(profile ? profile->object : NULL, stance)->name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

void lwl_push_path_world(lua_State *L) {
  lua_getiuservalue(L, 1, LWL_PATH_WORLD);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
}

void lwl_set_link(lua_State *L, int index, lw_link_id id) {
  const lwl_world *world = lua_touserdata(L, index);
  lw_link_info info;
  if (!world->box.object || lw_link_get(lwl_c_world(world), id, &info) != LW_OK) return;
  if (info.def.name) lwl_set_string(L, "name", info.def.name);
  lwl_push_link(L, index, id);
  lua_setfield(L, -2, "link");
}

/*
** path:links()
**   --> list of { index =, kind =, from =, to =, navmesh =, link =, name = }: the off-mesh links of the path, in order
** `navmesh` is the number of the navmesh that the link leads to; absent where that is the navmesh of its start. `link` is
** absent where it was removed since, `name` also where it has none.
*/
static int links(lua_State *L) {
  const lw_path *path = check_path(L, "links");
  lua_settop(L, 1);
  lwl_push_path_world(L);
  int count = 0;
  const lw_vec3 *list = lw_path_points(path, &count);
  lua_newtable(L);
  lua_Integer found = 0;
  for (int i = 0; i + 1 < count; ++i) {
    const lw_link_kind kind = lw_path_link(path, i);
    if (kind == LW_LINK_NONE) continue;
    lua_createtable(L, 0, 4);
    lwl_set_integer(L, "index", i + 1);
    lwl_set_string(L, "kind", lw_link_kind_name(kind));
    lwl_set_vec3(L, "from", list[i]);
    lwl_set_vec3(L, "to", list[i + 1]);
    const int end = lw_path_navmesh_at(path, i + 1);
    if (end != lw_path_navmesh_at(path, i)) lwl_set_integer(L, "navmesh", end + 1);
    if (!lua_isnil(L, 2)) lwl_set_link(L, 2, lw_path_link_id(path, i));
    lua_rawseti(L, -2, ++found);
  }
  return 1;
}

/*
** path:corridor() --> list of polygon ids, list of the numbers of their navmeshes
*/
static int corridor(lua_State *L) {
  int count = 0;
  const lw_path *path = check_path(L, "corridor");
  const lw_poly_id *list = lw_path_corridor(path, &count);
  lua_createtable(L, count, 0);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_pushinteger(L, (lua_Integer)list[i]);
    lua_rawseti(L, -3, i + 1);
    lua_pushinteger(L, lw_path_corridor_navmesh(path, i) + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

static int length(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_path_length(check_path(L, "length")));
  return 1;
}

static int cost(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_path_cost(check_path(L, "cost")));
  return 1;
}

/*
** path:exposed() --> metres of the path that any threat of the query sees
*/
static int exposed(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_path_exposed(check_path(L, "exposed")));
  return 1;
}

/*
** path:danger() --> the part of the cost for dangers that the path enters
*/
static int danger(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_path_danger(check_path(L, "danger")));
  return 1;
}

static int is_partial(lua_State *L) {
  lua_pushboolean(L, lw_path_is_partial(check_path(L, "is_partial")));
  return 1;
}

/*
** path:is_reduced() --> whether the search left detail out because of very many threats, dangers or fire lanes
*/
static int is_reduced(lua_State *L) {
  lua_pushboolean(L, lw_path_is_reduced(check_path(L, "is_reduced")));
  return 1;
}

/*
** path:goal() --> which of the query's goals the path leads to, from 1 on
*/
static int goal(lua_State *L) {
  lua_pushinteger(L, lw_path_goal(check_path(L, "goal")) + 1);
  return 1;
}

static int nodes(lua_State *L) {
  lua_pushinteger(L, lw_path_nodes(check_path(L, "nodes")));
  return 1;
}

/*
** path:navmesh([index = 1]) --> number, in the path's world, of the navmesh that the point lies on | nil
*/
static int navmesh(lua_State *L) {
  const lw_path *path = check_path(L, "navmesh");
  int count = 0;
  lua_Integer index = 1;
  if (!lua_isnoneornil(L, 2)) index = lwl_check_integer(L, &(lwl_at){"navmesh", ""}, "index", 2);
  lw_path_points(path, &count);
  if (index < 1 || index > count) return lua_pushnil(L), 1;
  lua_pushinteger(L, lw_path_navmesh_at(path, (int)index - 1) + 1);
  return 1;
}

/*
** #path --> number of points
*/
static int path_len(lua_State *L) {
  int count = 0;
  lw_path_points(check_path(L, "#path"), &count);
  lua_pushinteger(L, count);
  return 1;
}

static const luaL_Reg methods[] = {{"points", points},
                                   {"links", links},
                                   {"areas", areas},
                                   {"corridor", corridor},
                                   {"length", length},
                                   {"cost", cost},
                                   {"is_partial", is_partial},
                                   {"is_reduced", is_reduced},
                                   {"nodes", nodes},
                                   {"navmesh", navmesh},
                                   {"exposed", exposed},
                                   {"explain", lwl_explain_path},
                                   {"danger", danger},
                                   {"stances", stances},
                                   {"arcs", arcs},
                                   {"changes", lwl_path_changes},
                                   {"pieces", lwl_path_pieces},
                                   {"goal", goal},
                                   {"regions", lwl_path_regions},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {"__len", path_len}, {NULL, NULL}};

lwl_path *lwl_push_path(lua_State *L, int world_list, int threats, int profile) {
  lwl_path *path = (lwl_path *)lwl_new_box(L, LWL_PATH, sizeof *path, LWL_PATH_VALUES, destroy,
                                           lwl_get_state(L)->shared_areas);
  lua_pushvalue(L, world_list);
  lua_setiuservalue(L, -2, LWL_PATH_WORLD);
  lua_pushvalue(L, threats);
  lua_setiuservalue(L, -2, LWL_PATH_THREATS);
  lua_pushvalue(L, profile);
  lua_setiuservalue(L, -2, LWL_PATH_PROFILE);
  return path;
}

/// The visibility of the agent: the query's, or its team's current one. The path keeps it for path:explain(),
/// which has no team.
static float read_visibility(lua_State *L, const lwl_at *at, const lw_world *world) {
  const char *team = NULL;
  lwl_opt_string(L, at, 2, "team", &team);
  float visibility = lw_world_get_visibility(world, team);
  lwl_opt_float(L, at, 2, "visibility", &lwl_fraction, &visibility);
  return visibility;
}

lwl_path_ask lwl_read_path_query(lua_State *L, const lwl_at *at, const char *more, const char *last) {
  const char *const keys[] = {"from",    "to",       "profile",  "snap",       "allow_partial", "max_nodes",
                              "cost",    "avoid",    "can_take", "navmesh",    "threats",       "stance",
                              "heights", "accuracy", "team",     "visibility", "quality",       "path_style",
                              more,      last,       NULL};
  lwl_world *world = lwl_check_world(L, 1, at->where);
  lwl_check_table(L, at->where, 2);
  lwl_check_keys(L, at, 2, keys);
  lwl_path_ask ask = {.query = lw_path_query_default()};
  lw_path_query *query = &ask.query;
  int quality = (int)query->quality, style = (int)query->path_style;
  lwl_need_point(L, at, 2, "from", &query->from);
  lwl_goals goals = {.count = 0};
  ask.has_no_goal = !lwl_need_goals(L, at, 2, &goals);
  query->to = goals.first;
  query->goals = goals.list;
  query->goal_count = goals.count;
  lwl_opt_snap(L, at, 2, &query->snap);
  lwl_opt_int(L, at, 2, "max_nodes", &nodes_range, &query->max_nodes);
  lwl_opt_bool(L, at, 2, "allow_partial", &query->allow_partial);
  lwl_opt_enum(L, at, 2, "quality", LWL_QUALITY, &quality);
  lwl_opt_enum(L, at, 2, "path_style", LWL_PATH_STYLE, &style);
  query->quality = (lw_quality)quality;
  query->path_style = (lw_path_style)style;
  lwl_opt_navmesh(L, at, 2, lwl_c_world(world), &query->navmesh);
  query->accuracy = lwl_opt_accuracy(L, at, 2);
  if (lwl_get(L, 2, "threats") != LUA_TNIL) query->threats = lwl_read_threats(L, at, 2, &query->threat_count);
  ask.threats = lua_gettop(L);
  const lwl_box *profile = lwl_push_profile(L, at, 2);
  ask.profile = lua_gettop(L);
  if (profile) query->profile = profile->object;
  lwl_read_stance(L, at, 2, query->profile, query->heights, &query->height_count);
  query->visibility = read_visibility(L, at, lwl_c_world(world));
  return ask;
}

/// What a path has for each of its points, with polygons and prices, about.
enum { BYTES_OF_A_POINT = 200 };

int lwl_path_result(lua_State *L, const char *where, lwl_path *self, lw_status status, lw_path *path) {
  lw_path_query *query = &self->query;
  const int goals = query->goal_count;
  query->goals = NULL; /* path:explain() asks for a path to the one that this leads to: the list is not kept */
  query->goal_count = 0;
  if (path) {
    int count = 0;
    const lw_vec3 *points = lw_path_points(path, &count);
    if (goals > 0) query->to = points[count - 1];
    lwl_fill_box(&self->box, path);
    lwl_count_box(L, &self->box, (size_t)count * BYTES_OF_A_POINT);
  }
  if (status == LW_OK || status == LW_PARTIAL) return 1;
  if (status == LW_INVALID || status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", lw_status_text(status));
  if (status == LW_NOT_FOUND) return lwl_fail_no_cover_map(L);
  const bool at_goal = status == LW_NO_GOAL && goals == 0;
  const lwl_place end = {at_goal ? "to" : "from", at_goal ? query->to : query->from, query->snap,
                         query->profile};
  if (at_goal || status == LW_NO_START) return lwl_fail_near(L, status, &end);
  return lwl_fail_for(L, status, query->profile);
}

/*
** world:find_path(query) --> path | nil, message, code
*/
static int find_path(lua_State *L) {
  const lwl_at at = {"find_path", ""};
  const lwl_path_ask ask = lwl_read_path_query(L, &at, NULL, NULL);
  if (ask.has_no_goal) return lwl_fail_no_goals(L);
  const lw_path_query *query = &ask.query;
  lua_getiuservalue(L, 1, LWL_WORLD_WEAK);
  lwl_path *self = lwl_push_path(L, lua_gettop(L), ask.threats, ask.profile);
  lw_path *path = NULL;
  const lw_status status = lw_path_find(lwl_c_world(lwl_check_world(L, 1, at.where)), NULL, query, &path);
  self->query = *query;
  const lwl_goals goals = {query->to, query->goals, query->goal_count};
  if (status == LW_NO_GOAL) return lwl_fail_near_goals(L, &goals, query->snap, query->profile);
  return lwl_path_result(L, at.where, self, status, path);
}

const luaL_Reg lwl_path_methods[] = {{"find_path", find_path}, {NULL, NULL}};

void lwl_open_path(lua_State *L) {
  lwl_new_type(L, LWL_PATH, methods, meta, NULL);
}
