/*
** Plans by rooms.
*/
#include "agent.h"
#include "regions.h"

#include <math.h>

#define LWL_ROOM_GRAPH "leeward.roomgraph"
#define LWL_WEAK_KEYS "leeward.roomgraphs"

static void destroy(void *object) {
  lw_room_graph_destroy(object);
}

/// Push the table of the room graphs of the world at index 1, by profile.
static void push_graphs(lua_State *L, int navmesh) {
  lua_getiuservalue(L, 1, LWL_WORLD_REGIONS);
  if (lua_rawgeti(L, -1, -1 - navmesh) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    luaL_setmetatable(L, LWL_WEAK_KEYS);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, -1 - navmesh);
  }
  lua_remove(L, -2);
}

/// Push the room graph for the profile at index `key`, up to date. @param profile  NULL: none.
static lw_room_graph *push_graph(lua_State *L, const char *where, int navmesh, const lw_profile *profile,
                                 int key) {
  push_graphs(L, navmesh);
  const int graphs = lua_gettop(L);
  lua_pushvalue(L, key);
  lua_rawget(L, graphs);
  lwl_box *box = lwl_test_box(L, -1, LWL_ROOM_GRAPH);
  const bool is_new = !box || !box->object;
  if (is_new) {
    lua_pop(L, 1);
    box = lwl_new_box(L, LWL_ROOM_GRAPH, sizeof *box, 1, destroy, NULL);
    lua_pushvalue(L, key);
    lua_setiuservalue(L, -2, 1); /* the profile */
  }
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, where)); /* a finaliser may have destroyed it */
  lw_room_graph *graph = box->object;
  const lw_status status =
      is_new ? lw_room_graph_create(world, navmesh, profile, &graph) : lw_room_graph_refresh(graph);
  if (status != LW_OK) lwl_raise(L, where, "%s", lw_status_text(status));
  if (is_new) {
    lwl_fill_box(box, graph);
    lua_pushvalue(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, graphs);
  }
  lua_remove(L, graphs);
  return graph;
}

static void push_step(lua_State *L, const lw_regions *regions, const lw_room_step *step) {
  lua_createtable(L, 0, 5);
  lwl_set_integer(L, "room", step->room + 1);
  lwl_set_room_name(L, "name", regions, step->room);
  lwl_set_vec3(L, "at", step->at);
  lwl_set_number(L, "cost", (double)step->cost);
  if (lw_link_id_is_none(step->link)) return;
  lwl_push_link(L, 1, step->link);
  lua_setfield(L, -2, "link");
}

static int push_plan(lua_State *L, const lw_room_graph *graph, const lw_regions *regions,
                     const lw_room_plan_query *query, const lw_profile *profile) {
  enum { FEW = 64 };
  lw_room_step few[FEW], *steps = few;
  float cost = INFINITY;
  int count = 0;
  lw_status status = lw_room_plan_find(graph, query, steps, FEW, &count, &cost);
  if (status == LW_OK && count > FEW) {
    const int capacity = count;
    steps = lua_newuserdatauv(L, (size_t)capacity * sizeof *steps, 0);
    lwl_check_world(L, 1, "plan_regions"); /* a finaliser may have destroyed it */
    status = lw_room_plan_find(graph, query, steps, capacity, &count, &cost);
    if (count > capacity) count = capacity;
  }
  if (status == LW_INVALID || status == LW_OUT_OF_MEMORY || status == LW_STALE)
    lwl_raise(L, "plan_regions", "%s", lw_status_text(status));
  const lwl_place end = {"to", query->to, query->snap, profile};
  if (status == LW_NO_GOAL) return lwl_fail_near(L, status, &end);
  if (status != LW_OK) return lwl_fail_for(L, status, profile);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_step(L, regions, &steps[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushnumber(L, (lua_Number)cost);
  return 2;
}

/// Push the box of the profile of the table at index 2, or of the agent; "none": there is no such key.
static const lwl_box *push_profile(lua_State *L, const lwl_at *at, lw_agent_id agent) {
  lua_newtable(L); /* `avoid` in that of index 2 are rooms */
  const bool has_own = lwl_get(L, 2, "profile") != LUA_TNIL;
  lua_setfield(L, -2, "profile");
  if (has_own) return lwl_push_profile(L, at, lua_gettop(L));
  if (lw_agent_id_is_none(agent) || !lwl_push_agent(L, 1, agent)) {
    lua_pushliteral(L, "none");
    return NULL;
  }
  lua_getiuservalue(L, -1, LWL_AGENT_PROFILE);
  return lwl_test_box(L, -1, LWL_PROFILE);
}

/*
** world:plan_regions{ from =, to =, agent =, profile =, avoid = { room, ... }, snap =, navmesh = }
**   --> list of { room =, name =, at =, cost =, link = }, cost | nil, message, code
*/
int lwl_plan_regions(lua_State *L) {
  static const char *const keys[] = {"from", "to", "agent", "profile", "avoid", "snap", "navmesh", NULL};
  const lwl_at at = {"plan_regions", ""};
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_room_plan_query query = lw_room_plan_query_default();
  int navmesh = 0;
  const lw_agent_id agent = lwl_opt_agent(L, &at, 2, "agent", 1);
  lw_agent_state state = {.navmesh = 0};
  if (lw_agent_get_state(world, agent, &state) == LW_OK) {
    query.from = state.position;
    navmesh = state.navmesh;
    lwl_opt_point(L, &at, 2, "from", &query.from);
  } else {
    lwl_need_point(L, &at, 2, "from", &query.from);
  }
  lwl_need_point(L, &at, 2, "to", &query.to);
  lwl_opt_snap(L, &at, 2, &query.snap);
  lwl_opt_navmesh(L, &at, 2, world, &navmesh);
  const lw_regions *regions = lwl_push_regions_of(L, at.where, 1, navmesh);
  if (lwl_get(L, 2, "avoid") != LUA_TNIL)
    query.avoid = lwl_check_rooms(L, &at, regions, "avoid", lua_gettop(L), &query.avoid_count);
  const lwl_box *profile = push_profile(L, &at, agent);
  const int key = lua_gettop(L);
  const lw_room_graph *graph = push_graph(L, at.where, navmesh, profile ? profile->object : NULL, key);
  return push_plan(L, graph, regions, &query, profile ? profile->object : NULL);
}

void lwl_open_region_plan(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
  lwl_new_type(L, LWL_ROOM_GRAPH, none, meta, NULL);
  luaL_newmetatable(L, LWL_WEAK_KEYS);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_pop(L, 1);
}
