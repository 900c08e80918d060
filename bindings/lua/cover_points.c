/*
** Cover points: finding places to stand behind cover, and reserving one.
*/
#include "agent.h"

#include <math.h>
#include <string.h>

enum {
  LIMIT = 8, ///< Cover points in an answer by default.
  LIMIT_MAX = 256
};

static const lw_range weight_range = {0, 1e6, NULL, false};

// --- finding -------------------------------------------------------------------------------------------------

static void read_weights(lua_State *L, const lwl_at *at, int table, lw_cover_weights *weights) {
  static const char *const keys[] = {"protection", "flank", "cost", NULL};
  if (lwl_get(L, table, "weights") != LUA_TNIL) {
    const int index = lua_gettop(L);
    const lwl_at inside = {at->where, "weights."};
    if (!lua_istable(L, index)) lwl_raise_expected(L, at, "weights", "a table", index);
    lwl_check_keys(L, &inside, index, keys);
    lwl_opt_float(L, &inside, index, "protection", &weight_range, &weights->protection);
    lwl_opt_float(L, &inside, index, "flank", &weight_range, &weights->flank);
    lwl_opt_float(L, &inside, index, "cost", &weight_range, &weights->cost);
  }
  lua_pop(L, 1);
}

/// @param world  Stack index.
static void push_point(lua_State *L, int world, const lw_cover_point *point, const lw_profile *profile) {
  lua_createtable(L, 0, 8);
  lwl_set_vec3(L, "point", point->at.point);
  lwl_push_segment(L, world, &point->segment);
  lua_setfield(L, -2, "segment");
  lwl_set_string(L, "stance", lw_profile_get_stance(profile, point->stance)->name);
  lwl_set_number(L, "protection", (double)point->protection);
  lwl_set_number(L, "flank", (double)point->flank);
  lwl_set_number(L, "cost", (double)point->cost);
  lwl_set_number(L, "exposed", (double)point->exposed);
  lwl_set_number(L, "score", (double)point->score);
  luaL_setmetatable(L, LWL_COVER_POINT);
}

/// The reason for an empty answer: what the navmeshes lack, or that no cover is free.
static const char *explain_none(const lw_world *world, int navmesh) {
  bool segments = false, occluders = false;
  for (int i = 0; i < lw_world_navmesh_count(world); ++i) {
    const lw_navmesh_stats stats = lw_navmesh_get_stats(lw_world_navmesh_at(world, i));
    segments = segments || (stats.cover_segments > 0 && (navmesh < 0 || navmesh == i));
    occluders = occluders || stats.occluders > 0;
  }
  if (lw_obstacle_count(world) > 0) return "no free cover there that can be reached";
  if (!segments)
    return "the navmesh has no cover segments: it was baked with cover_segments = false or built from "
           "polygons, "
           "or there are no walls";
  if (!occluders) return "the navmesh has no occluders: it was baked with occluders = false, so nothing hides";
  return "no free cover there that can be reached";
}

static void read_limit(lua_State *L, const lwl_at *at, int *limit) {
  lua_Integer number;
  if (lwl_get(L, 2, "limit") != LUA_TNIL) {
    if (!lwl_to_integer(L, -1, 1, LIMIT_MAX, &number))
      lwl_raise_expected(L, at, "limit", lua_pushfstring(L, "a whole number from 1 to %d", LIMIT_MAX), -2);
    *limit = (int)number;
  }
  lua_pop(L, 1);
}

/// Answer the query, whose threats are set. The options at index 2 take precedence over its other fields.
static int find(lua_State *L, const lwl_at *at, lw_world *world, lw_cover_query *query) {
  lw_vec3 from;
  int limit = LIMIT, count = 0;
  lwl_opt_point(L, at, 2, "around", &query->around);
  lwl_opt_float(L, at, 2, "radius", &lwl_metres_positive, &query->radius);
  if (lwl_opt_point(L, at, 2, "from", &from)) query->from = &from;
  lwl_opt_snap(L, at, 2, &query->snap);
  lwl_opt_navmesh(L, at, 2, world, &query->navmesh);
  lwl_opt_bool(L, at, 2, "hard", &query->hard);
  lwl_opt_bool(L, at, 2, "watched", &query->watched);
  lwl_opt_float(L, at, 2, "max_cost", &lwl_not_negative, &query->max_cost);
  lwl_opt_float(L, at, 2, "visibility", &lwl_fraction, &query->visibility);
  read_weights(L, at, 2, &query->weights);
  read_limit(L, at, &limit);
  const char *stance = lwl_opt_stance(L, at, 2, query->profile);
  if (stance) query->stance = lw_profile_find_stance(query->profile, stance);
  lw_cover_point *points = lua_newuserdatauv(L, (size_t)limit * sizeof *points, 0);
  const lw_error error = {.status = lw_cover_find(world, NULL, query, points, limit, &count)};
  if (error.status == LW_NO_POINT) return lwl_fail(L, LW_NO_POINT, explain_none(world, query->navmesh));
  const lwl_place start = {query->from ? "from" : "around", query->from ? *query->from : query->around,
                           query->snap, query->profile};
  if (error.status == LW_NO_START) return lwl_fail_near(L, LW_NO_START, &start);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at->where, &error);
  if (luaL_testudata(L, 1, LWL_AGENT))
    lua_getiuservalue(L, 1, 1);
  else
    lua_pushvalue(L, 1);
  const int owner = lua_gettop(L);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_point(L, owner, &points[i], query->profile);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static void read_threats(lua_State *L, const lwl_at *at, lw_cover_query *query) {
  query->threats = lwl_read_threats(L, at, 2, &query->threat_count);
  if (query->threat_count < 1) lwl_raise_at(L, at, "threats", "is an empty list, expected at least one threat");
}

/*
** world:find_cover{ around =, radius =, from =, profile =, threats =, stance =, hard =, watched =, max_cost =,
**                   agent =, weights = { protection =, flank =, cost = }, limit =, snap =, navmesh =, cost =,
**                   avoid =, can_take =,
**                   team =, visibility = }
**
**   --> { { point =, segment =, stance =, protection =, flank =, cost =, exposed =, score = }, ... }
**     | nil, message, code
*/
static int find_cover(lua_State *L) {
  static const char *const keys[] = {"around",  "radius",   "from",    "profile",    "threats",
                                     "stance",  "hard",     "watched", "limit",      "agent",
                                     "weights", "max_cost", "snap",    "navmesh",    "cost",
                                     "avoid",   "can_take", "team",    "visibility", NULL};
  const lwl_at at = {"find_cover", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_cover_query query = lw_cover_query_default();
  lwl_need_point(L, &at, 2, "around", &query.around);
  read_threats(L, &at, &query);
  query.agent = lwl_opt_agent(L, &at, 2, "agent", 1);
  lwl_opt_string(L, &at, 2, "team", &query.team);
  lua_pushstring(L, query.team); /* the options may lose it */
  query.team = lua_tostring(L, -1);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (profile) query.profile = profile->object;
  return find(L, &at, world, &query);
}

const luaL_Reg lwl_cover_point_methods[] = {{"find_cover", find_cover}, {NULL, NULL}};

/*
** agent:find_cover{ radius =, around = its position, threats = those that it knows, ... }
**   --> as world:find_cover
** From the agent's position, for its profile with `cost`, `avoid` and `can_take`. The cover that it has reserved counts
** as free.
*/
static int agent_find_cover(lua_State *L) {
  static const char *const keys[] = {"around", "radius",  "threats",  "stance", "hard",    "watched",
                                     "limit",  "weights", "max_cost", "snap",   "navmesh", "visibility",
                                     "cost",   "avoid",   "can_take", NULL};
  const lwl_at at = {"find_cover", ""};
  lua_settop(L, 2);
  lwl_check_self(L, at.where);
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  const lwl_box *profile = lwl_push_journey(L, &at, 1, 2);
  const lwl_self me =
      lwl_check_self(L, at.where); /* a finaliser or a profile's file may have destroyed the world */
  lw_cover_query query = lw_cover_query_default();
  query.around = me.state.footing;
  query.from = &me.state.footing;
  query.profile = profile ? profile->object : me.state.profile;
  query.agent = me.id;
  query.navmesh = me.state.footing_navmesh;
  if (lwl_get(L, 2, "threats") != LUA_TNIL) {
    read_threats(L, &at, &query);
  } else {
    query.threat_count = lw_agent_get_threats(me.world, me.id, NULL, 0);
    lw_threat *known = lua_newuserdatauv(L, (size_t)query.threat_count * sizeof *known + 1, 0);
    const int now = lw_agent_get_threats(me.world, me.id, known, query.threat_count);
    if (now < query.threat_count) query.threat_count = now; /* a finaliser removed some */
    query.threats = known;
    if (query.threat_count < 1)
      return lwl_fail(L, LW_NO_POINT, "the agent knows of no threat to take cover from");
  }
  return find(L, &at, me.world, &query);
}

// --- reserving -----------------------------------------------------------------------------------------------

/// Read the leash from the options at index 3, which may be absent.
static float opt_leash(lua_State *L, const char *where) {
  static const char *const keys[] = {"leash", NULL};
  const lwl_at at = {where, ""};
  float leash = LW_COVER_LEASH;
  if (lua_isnil(L, 3)) return leash;
  lwl_check_table(L, where, 3);
  lwl_check_keys(L, &at, 3, keys);
  const bool endless = lwl_get(L, 3, "leash") == LUA_TNUMBER && lua_tonumber(L, -1) == (lua_Number)INFINITY;
  lua_pop(L, 1);
  if (endless) return INFINITY;
  lwl_opt_float(L, &at, 3, "leash", &lwl_metres_not_negative, &leash);
  return leash;
}

/// Reserve a point for an agent.
static int reserve_for(lua_State *L, const char *where, const lwl_self *me, lw_vec3 at, float leash) {
  const lw_error error = {.status = lw_agent_reserve_cover(me->world, me->id, at, leash)};
  const lwl_place place = {"point", at, lw_path_query_default().snap, me->state.profile};
  if (error.status == LW_NO_POINT) return lwl_fail_near(L, LW_NO_POINT, &place);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, where, &error);
  lua_pushboolean(L, 1);
  return 1;
}

/*
** agent:reserve_cover(point [, { leash = }]) --> true | nil, message, code
*/
static int reserve_cover(lua_State *L) {
  lua_settop(L, 3);
  const float leash = opt_leash(L, "reserve_cover");
  const lw_vec3 at = lwl_check_point(L, "reserve_cover", "point", 2);
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "reserve_cover");
  return reserve_for(L, "reserve_cover", &me, at, leash);
}

static int release_cover(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "release_cover");
  lw_agent_release_cover(me.world, me.id);
  return 0;
}

/*
** agent:set_cover_stance(name) --> true | nil, message, code
*/
static int set_cover_stance(lua_State *L) {
  const lwl_at at = {"set_cover_stance", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  const char *name = lwl_to_stance(L, &at, 2, me.state.profile);
  if (!name) lwl_raise_missing(L, &at, "stance", "the name of a stance");
  const lw_status status = lw_agent_set_cover_stance(me.world, me.id, name);
  if (status == LW_EMPTY) return lwl_fail(L, status, "the agent has reserved no cover");
  lua_pushboolean(L, 1);
  return 1;
}

/*
** agent:cover() --> the reserved point, leash | nil
*/
static int cover(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "cover");
  lw_vec3 at;
  float leash;
  if (lw_agent_get_cover(me.world, me.id, &at, &leash) != LW_OK) {
    lua_pushnil(L);
    return 1;
  }
  lwl_push_vec3(L, at);
  lua_pushnumber(L, (lua_Number)leash);
  return 2;
}

/*
** agent:lost_cover() --> whether the obstacle whose side was its reserved cover moved away or was removed
*/
static int lost_cover(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "lost_cover");
  lua_pushboolean(L, lw_agent_lost_cover(me.world, me.id));
  return 1;
}

const luaL_Reg lwl_cover_agent_methods[] = {{"find_cover", agent_find_cover},
                                            {"reserve_cover", reserve_cover},
                                            {"release_cover", release_cover},
                                            {"cover", cover},
                                            {"lost_cover", lost_cover},
                                            {"set_cover_stance", set_cover_stance},
                                            {NULL, NULL}};

/// The point of the cover at index 1, which is removed, so that the agent behind it comes to index 1.
static lw_vec3 check_cover(lua_State *L, const char *where) {
  lw_vec3 point;
  lwl_check_table(L, where, 1);
  lwl_need_point(L, &(lwl_at){where, "cover."}, 1, "point", &point);
  if (!luaL_testudata(L, 2, LWL_AGENT)) lwl_raise_expected(L, &(lwl_at){where, ""}, "agent", "an agent", 2);
  lua_remove(L, 1);
  return point;
}

/*
** cover:reserve(agent [, { leash = }]) --> true | nil, message, code
*/
static int reserve(lua_State *L) {
  lua_settop(L, 3);
  const float leash = opt_leash(L, "reserve");
  lua_settop(L, 2);
  const lw_vec3 at = check_cover(L, "reserve");
  const lwl_self me = lwl_check_self(L, "reserve");
  return reserve_for(L, "reserve", &me, at, leash);
}

/*
** cover:release(agent)
** Does nothing if the agent has reserved another point or none.
*/
static int release(lua_State *L) {
  lua_settop(L, 2);
  const lw_vec3 point = check_cover(L, "release");
  const lwl_self me = lwl_check_self(L, "release");
  lw_vec3 at;
  if (lw_agent_get_cover(me.world, me.id, &at, NULL) == LW_OK && at.x == point.x && at.y == point.y &&
      at.z == point.z)
    lw_agent_release_cover(me.world, me.id);
  return 0;
}

static const luaL_Reg methods[] = {{"reserve", reserve}, {"release", release}, {NULL, NULL}};
static const luaL_Reg meta[] = {{NULL, NULL}};

void lwl_open_cover_points(lua_State *L) {
  lwl_new_type(L, LWL_COVER_POINT, methods, meta, NULL);
}
