/*
** What agents tell of themselves.
*/
#include "agent.h"

#include <string.h>

lwl_self lwl_check_self(lua_State *L, const char *where) {
  lwl_self me = {.agent = lwl_check_userdata(L, 1, LWL_AGENT, where)};
  lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
  me.index = lua_gettop(L);
  me.box = lwl_check_world(L, me.index, where);
  me.world = lwl_c_world(me.box);
  me.id = me.agent->id;
  if (lw_agent_get_state(me.world, me.id, &me.state) != LW_OK)
    lwl_raise(L, where, "the agent %d is gone: it died or was despawned", (int)lwl_agent_number(me.id));
  return me;
}

/*
** agent:stance() --> name
*/
static int stance(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "stance");
  lua_pushstring(L, lw_profile_get_stance(me.state.profile, me.state.stance)->name);
  return 1;
}

/*
** agent:eye([stance]) --> vec3
*/
static int eye(lua_State *L) {
  const lwl_at at = {"eye", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  const char *name = lwl_to_stance(L, &at, 2, me.state.profile);
  const int stance = name ? lw_profile_find_stance(me.state.profile, name) : me.state.stance;
  lw_vec3 point = me.state.position;
  point.y += lw_profile_get_stance(me.state.profile, stance)->eye;
  lwl_push_vec3(L, point);
  return 1;
}

/*
** agent:move_state() --> "idle" | "walking" | "arrived" | "failed", message, code
*/
static int move_state(lua_State *L) {
  static const char *const names[] = {"idle", "walking", "arrived", "failed"};
  const lwl_self me = lwl_check_self(L, "move_state");
  lua_pushstring(L, names[me.state.move]);
  if (me.state.move != LW_MOVE_FAILED) return 1;
  lwl_fail_for(L, me.state.failure, me.state.profile);
  lua_remove(L, -3); /* the nil of a "no" */
  return 3;
}

/*
** agent:goal() --> vec3 of the last move | nil
*/
static int goal(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "goal");
  if (me.state.move == LW_MOVE_IDLE)
    lua_pushnil(L);
  else
    lwl_push_vec3(L, me.state.goal);
  return 1;
}

static int remaining(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "remaining");
  lua_pushnumber(L, me.state.move == LW_MOVE_WALKING ? (lua_Number)me.state.remaining : 0);
  return 1;
}

/*
** agent:is_on_link() --> false | true, kind, progress 0..1
*/
static int is_on_link(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "is_on_link");
  const bool on_link = me.state.link != LW_LINK_NONE;
  lua_pushboolean(L, on_link);
  if (!on_link) return 1;
  lua_pushstring(L, lw_link_kind_name(me.state.link));
  lua_pushnumber(L, (lua_Number)me.state.link_progress);
  return 3;
}

/*
** agent:route() --> list of the points of the path that it walks | nil
*/
static int route(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "route");
  const lw_path *path = lw_agent_path(me.world, me.id);
  if (!path) return lua_pushnil(L), 1;
  int count = 0;
  lw_path_points(path, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    // Asked anew each time: a finaliser that Lua runs here may make the agent move elsewhere.
    path = lw_agent_path(me.world, me.id);
    int now = 0;
    const lw_vec3 *points = path ? lw_path_points(path, &now) : NULL;
    if (i >= now) break;
    lwl_push_vec3(L, points[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** agent:navmesh() --> the navmesh that it walks on, and its number in the world
*/
static int navmesh(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "navmesh");
  lwl_push_navmesh(L, me.index, me.state.navmesh);
  lua_pushinteger(L, me.state.navmesh + 1);
  return 2;
}

static int id(lua_State *L) {
  const lwl_agent *agent = lwl_check_userdata(L, 1, LWL_AGENT, "id");
  lua_pushinteger(L, (lua_Integer)agent->id);
  return 1;
}

static int position(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "position");
  lwl_push_vec3(L, me.state.position);
  return 1;
}

static int velocity(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "velocity");
  lwl_push_vec3(L, me.state.velocity);
  return 1;
}

static int heading(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "heading");
  lua_pushnumber(L, (lua_Number)me.state.heading);
  return 1;
}

static int profile(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "profile");
  lua_pushstring(L, lw_profile_get_def(me.state.profile)->name);
  return 1;
}

/*
** agent:team() --> name | nil
*/
static int team(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "team");
  lua_pushstring(L, me.state.team[0] ? me.state.team : NULL);
  return 1;
}

static int world(lua_State *L) {
  lwl_check_userdata(L, 1, LWL_AGENT, "world");
  lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
  return 1;
}

/*
** agent:why() --> what it does, and the last failure with its reason
*/
static int why(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "why");
  const int needed = lw_agent_why(me.world, me.id, NULL, 0);
  const size_t size = (size_t)(needed > 0 ? needed : 0) + 1;
  luaL_Buffer text;
  char *room = luaL_buffinitsize(L, &text, size);
  lw_agent_why(me.world, me.id, room, size);
  luaL_pushresultsize(&text, strlen(room));
  return 1;
}

static void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, int value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

/*
** agent:stats() --> { walked =, goals_reached =, replans =, searches =, stuck =, off_mesh =, search_seconds =,
**   search_worst = }
*/
static int stats(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "stats");
  lw_agent_stats numbers = {0};
  lw_agent_get_stats(me.world, me.id, &numbers);
  lua_createtable(L, 0, 8);
  set_number(L, "walked", numbers.walked);
  set_integer(L, "goals_reached", numbers.goals_reached);
  set_integer(L, "replans", numbers.replans);
  set_integer(L, "searches", numbers.searches);
  set_integer(L, "stuck", numbers.stuck);
  set_integer(L, "off_mesh", numbers.off_mesh);
  set_number(L, "search_seconds", numbers.search_seconds);
  set_number(L, "search_worst", numbers.search_worst);
  return 1;
}

const luaL_Reg lwl_agent_state_methods[] = {{"move_state", move_state},
                                            {"goal", goal},
                                            {"remaining", remaining},
                                            {"route", route},
                                            {"id", id},
                                            {"position", position},
                                            {"velocity", velocity},
                                            {"heading", heading},
                                            {"profile", profile},
                                            {"team", team},
                                            {"world", world},
                                            {"why", why},
                                            {"stats", stats},
                                            {"is_on_link", is_on_link},
                                            {"navmesh", navmesh},
                                            {"stance", stance},
                                            {"eye", eye},
                                            {NULL, NULL}};
