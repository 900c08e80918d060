/*
** Threats: read from tables, put into worlds, known to agents.
*/
#include "agent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const lw_range weight_range = {0, (double)LW_THREAT_WEIGHT_MAX, NULL, false};
static const lw_range angle_range = {0, (double)LW_HALF_ANGLE_MAX, "rad", false};
static const char *const number_keys[] = {"at", "facing", "half_angle", "range", "weight", NULL};
static const char *const definition_keys[] = {"at",    "facing",   "half_angle", "range", "weight",
                                              "agent", "known_to", "tolerance",  NULL};

// --- numbers -------------------------------------------------------------------------------------------------

static bool has_length(lw_vec3 v) {
  return v.x != 0 || v.y != 0 || v.z != 0;
}

/// Read what the table states over what `threat` has.
static void read_numbers(lua_State *L, const lwl_at *at, int table, lw_threat *threat) {
  lwl_opt_place(L, at, table, "at", &threat->at);
  if (lwl_opt_point(L, at, table, "facing", &threat->facing) && !has_length(threat->facing))
    lwl_raise_at(L, at, "facing", "is (0, 0, 0), expected a direction");
  lwl_opt_float(L, at, table, "half_angle", &angle_range, &threat->half_angle);
  if (threat->half_angle < 3.14159f && !has_length(threat->facing))
    lwl_raise_at(L, at, "half_angle", "is %f, expected pi without 'facing'", (lua_Number)threat->half_angle);
  lwl_opt_endless(L, at, table, "range", &lwl_metres_positive, &threat->range);
  lwl_opt_float(L, at, table, "weight", &weight_range, &threat->weight);
}

/// What the threat at index is now, which is a world's: its number, its world, and its state, in which known_to
/// is not to be read: the world may change.
typedef struct known_threat {
  lw_threat_id id;
  lw_world *world;
  lw_threat_state state;
  bool is_known; ///< To a team,
  char team[32]; ///< this one; "": all.
} known_threat;

static known_threat check_threat(lua_State *L, int index, const char *where) {
  known_threat me;
  me.world = lwl_check_id(L, index, LWL_THREAT, where, &me.id);
  if (lw_threat_get_state(me.world, me.id, &me.state) != LW_OK)
    lwl_raise(L, where, "threat %s is gone: it was removed", LWL_ID_NAME(me.id));
  me.is_known = me.state.known_to != NULL;
  snprintf(me.team, sizeof me.team, "%s", me.is_known ? me.state.known_to : "");
  me.state.known_to = NULL;
  return me;
}

/// The eye of the agent at index, which looks everywhere.
static lw_threat eye_of(lua_State *L, int index, const char *where) {
  const lwl_agent *agent = lua_touserdata(L, index);
  lw_threat threat = lw_threat_default();
  lw_agent_state state;
  lua_getiuservalue(L, index, LWL_AGENT_WORLD);
  const lw_world *world = lwl_c_world(lwl_check_world(L, lua_gettop(L), where));
  if (lw_agent_get_state(world, agent->id, &state) != LW_OK)
    lwl_raise(L, where, "agent %s is gone: it died or was despawned", LWL_ID_NAME(agent->id));
  threat.at = state.position;
  threat.at.y += lw_profile_get_stance(state.profile, state.stance)->eye;
  return threat;
}

static lw_threat read_threat(lua_State *L, const lwl_at *at, lua_Integer number, int index) {
  if (luaL_testudata(L, index, LWL_THREAT)) return check_threat(L, index, at->where).state.threat;
  if (luaL_testudata(L, index, LWL_AGENT)) return eye_of(L, index, at->where);
  lw_vec3 point;
  if (!lua_istable(L, index) || lwl_to_point(L, index, &point))
    lwl_raise_item(L, at, "threats", number, "a table with 'at'", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "threats[%I].", (LUAI_UACINT)number)};
  lw_threat threat = lw_threat_default();
  lwl_check_keys(L, &inside, index, number_keys);
  lwl_need_place(L, &inside, index, "at", &threat.at);
  read_numbers(L, &inside, index, &threat);
  return threat;
}

/// Read the list at index `list`; the threats stay on the stack, in a userdata.
static const lw_threat *read_list(lua_State *L, const lwl_at *at, int list, lua_Integer length) {
  lw_threat *threats = lua_newuserdatauv(L, (size_t)length * sizeof *threats + 1, 0);
  const int top = lua_gettop(L);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, list, i);
    threats[i - 1] = read_threat(L, at, i, top + 1);
    lua_settop(L, top);
  }
  return threats;
}

const lw_threat *lwl_read_threats(lua_State *L, const lwl_at *at, int table, int *count) {
  const lua_Integer length = lwl_need_list(L, at, table, "threats", 0);
  *count = (int)length;
  return read_list(L, at, lua_gettop(L), length);
}

static void push_numbers(lua_State *L, const lw_threat *threat) {
  lua_createtable(L, 0, 5);
  lwl_push_vec3(L, threat->at);
  lua_setfield(L, -2, "at");
  if (has_length(threat->facing)) {
    lwl_push_vec3(L, threat->facing);
    lua_setfield(L, -2, "facing");
  }
  lwl_set_number(L, "half_angle", (double)threat->half_angle);
  lwl_set_number(L, "range", (double)threat->range);
  lwl_set_number(L, "weight", (double)threat->weight);
}

// --- of a world ----------------------------------------------------------------------------------------------

/// Read `known_to`, and leave it on the stack.
static const char *opt_known_to(lua_State *L, const lwl_at *at, int table) {
  const char *team = NULL;
  const int type = lwl_get(L, table, "known_to");
  if (type == LUA_TSTRING && lua_rawlen(L, -1) > 0)
    team = lwl_check_text(L, at, "known_to", "a team's name", -1);
  else if (type == LUA_TBOOLEAN)
    team = lua_toboolean(L, -1) ? "" : NULL;
  else if (type != LUA_TNIL)
    lwl_raise_expected(L, at, "known_to", "a team's name, or true for all", -1);
  return team;
}

static bool is_given(lua_State *L, int table, const char *key) {
  const int type = lwl_get(L, table, key);
  lua_pop(L, 1);
  return type != LUA_TNIL;
}

/// Whether the definition of an agent's eye has `at` and `facing`, as what threat:get() returns: they are ignored.
/// Raises if it has one of them.
static bool has_place(lua_State *L, const lwl_at *at, int table) {
  const bool has_at = is_given(L, table, "at"), has_facing = is_given(L, table, "facing");
  if (has_at != has_facing)
    lwl_raise(L, at->where,
              "agent and %s are given, expected one of them, or at and facing as threat:get() has them",
              has_at ? "at" : "facing");
  return has_at;
}

/*
** world:add_threat{ at = or agent =, facing =, half_angle =, range =, weight =, known_to =, tolerance = }
**   --> threat
*/
static int add_threat(lua_State *L) {
  const lwl_at at = {"add_threat", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, definition_keys);
  lw_threat_def def = lw_threat_def_default();
  def.agent = lwl_opt_agent(L, &at, 2, "agent", 1);
  const bool is_eye = !lw_agent_id_is_none(def.agent);
  if (!is_eye && !lwl_opt_place(L, &at, 2, "at", &def.threat.at))
    lwl_raise(L, at.where, "at and agent are nil, expected one of them");
  if (is_eye) has_place(L, &at, 2);
  if (is_eye) def.threat.facing = (lw_vec3){1, 0, 0};
  read_numbers(L, &at, 2, &def.threat);
  lwl_opt_float(L, &at, 2, "tolerance", &lwl_metres_not_negative, &def.tolerance);
  def.known_to = opt_known_to(L, &at, 2);
  lw_threat_id *id = lwl_new_id(L, &lwl_threat, 1);
  lw_error error = {0};
  error.status = lw_threat_add(lwl_c_world(lwl_check_world(L, 1, at.where)), &def, id, &error);
  return error.status == LW_OK ? lwl_intern_new(L, &lwl_threat) : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:threats() --> list
*/
static int threats(lua_State *L) {
  return lwl_push_ids(L, &lwl_threat, "threats");
}

const luaL_Reg lwl_threat_world_methods[] = {{"add_threat", add_threat}, {"threats", threats}, {NULL, NULL}};

/// Set the numbers of the threat at index 1. Its world is checked again: reading them may have run a finaliser.
static int set_numbers(lua_State *L, const char *where, const known_threat *me) {
  lw_threat_id id;
  lw_world *world = lwl_check_id(L, 1, LWL_THREAT, where, &id);
  const lw_status status = lw_threat_set(world, id, &me->state.threat);
  if (status != LW_OK) lwl_raise(L, where, "%s", lw_status_text(status));
  return 0;
}

static void need_no_agent(lua_State *L, const char *where, const known_threat *me) {
  if (!lw_agent_id_is_none(me->state.agent))
    lwl_raise(L, where, "the threat is the eye of agent %s, and moves with it", LWL_ID_NAME(me->state.agent));
}

/*
** threat:move(at [, facing])
*/
static int move(lua_State *L) {
  lua_settop(L, 3);
  known_threat me = check_threat(L, 1, "move");
  need_no_agent(L, "move", &me);
  me.state.threat.at = lwl_to_place(L, &(lwl_at){"move", ""}, "at", 2);
  if (!lua_isnil(L, 3)) {
    me.state.threat.facing = lwl_check_point(L, "move", "facing", 3);
    if (!has_length(me.state.threat.facing)) lwl_raise(L, "move", "facing is (0, 0, 0), expected a direction");
  }
  return set_numbers(L, "move", &me);
}

/// Push what a threat is known to, as scripts write it.
static void push_known_to(lua_State *L, const char *team) {
  if (!team)
    lua_pushnil(L);
  else if (*team)
    lua_pushstring(L, team);
  else
    lua_pushboolean(L, 1);
}

static const char *push_agent_name(lua_State *L, lw_agent_id agent) {
  return lw_agent_id_is_none(agent) ? "nil" : lua_pushfstring(L, "agent %s", LWL_ID_NAME(agent));
}

/// Raise if the table at index 2 has another agent, team or tolerance than the threat, whose world is at index 3.
static void check_constants(lua_State *L, const lwl_at *at, const known_threat *me) {
  static const char *const format = "is %s, expected %s: it cannot change";
  const lw_agent_id agent = lwl_opt_agent(L, at, 2, "agent", 3);
  if (is_given(L, 2, "agent") && !lw_agent_id_equal(agent, me->state.agent)) {
    const char *got = push_agent_name(L, agent);
    lwl_raise_at(L, at, "agent", format, got, push_agent_name(L, me->state.agent));
  }
  const char *team = opt_known_to(L, at, 2), *own = me->is_known ? me->team : NULL;
  if (is_given(L, 2, "known_to") && (team ? !own || strcmp(team, own) != 0 : own != NULL)) {
    push_known_to(L, own);
    const char *got = lwl_describe(L, 4);
    lwl_raise_at(L, at, "known_to", format, got, lwl_describe(L, 5));
  }
  float tolerance = me->state.tolerance;
  lwl_opt_float(L, at, 2, "tolerance", &lwl_metres_not_negative, &tolerance);
  if (tolerance < me->state.tolerance || tolerance > me->state.tolerance) {
    lua_pushfstring(L, "%f", (lua_Number)tolerance);
    lua_pushfstring(L, "%f", (lua_Number)me->state.tolerance);
    lwl_raise_at(L, at, "tolerance", format, lua_tostring(L, -2), lua_tostring(L, -1));
  }
}

/*
** threat:set{ at =, facing =, half_angle =, range =, weight = }
** The table may be what threat:get() returned: it may have the agent, known_to and tolerance that the threat has.
*/
static int set(lua_State *L) {
  const lwl_at at = {"set", ""};
  lua_settop(L, 2);
  known_threat me = check_threat(L, 1, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, definition_keys);
  lua_getiuservalue(L, 1, 1);
  check_constants(L, &at, &me);
  const bool is_state = is_given(L, 2, "agent") && has_place(L, &at, 2);
  if (!is_state && (is_given(L, 2, "at") || is_given(L, 2, "facing"))) need_no_agent(L, at.where, &me);
  read_numbers(L, &at, 2, &me.state.threat);
  return set_numbers(L, at.where, &me);
}

/*
** threat:get() --> { at =, facing =, half_angle =, range =, weight =, agent =, known_to =, tolerance = }
*/
static int get(lua_State *L) {
  lua_settop(L, 1);
  const known_threat me = check_threat(L, 1, "get");
  push_numbers(L, &me.state.threat);
  lua_pushnumber(L, (lua_Number)me.state.tolerance);
  lua_setfield(L, -2, "tolerance");
  push_known_to(L, me.is_known ? me.team : NULL);
  lua_setfield(L, -2, "known_to");
  if (!lw_agent_id_is_none(me.state.agent)) {
    lua_getiuservalue(L, 1, 1);
    lwl_push_agent(L, -1, me.state.agent);
    lua_remove(L, -2);
    lua_setfield(L, -2, "agent");
  }
  return 1;
}

// --- of an agent ---------------------------------------------------------------------------------------------

/// The agent at index 1 and the threat at index 2, which are of one world.
static lwl_self check_pair(lua_State *L, const char *where, lw_threat_id *threat) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, where);
  if (!luaL_testudata(L, 2, LWL_THREAT))
    lwl_raise_expected(L, &(lwl_at){where, ""}, "threat", "a threat of the world", 2);
  const known_threat known = check_threat(L, 2, where);
  if (known.world != me.world)
    lwl_raise(L, where, "threat is in another world, expected a threat of the agent's world");
  *threat = known.id;
  return me;
}

/*
** agent:learn_threat(threat)
*/
static int learn(lua_State *L) {
  lw_threat_id threat;
  const lwl_self me = check_pair(L, "learn_threat", &threat);
  if (lw_agent_learn_threat(me.world, me.id, threat) != LW_OK)
    lwl_raise(L, "learn_threat", "not enough memory");
  return 0;
}

/*
** agent:forget_threat(threat)
*/
static int forget(lua_State *L) {
  lw_threat_id threat;
  const lwl_self me = check_pair(L, "forget_threat", &threat);
  lw_agent_forget_threat(me.world, me.id, threat);
  return 0;
}

/*
** agent:knows_threat(threat) --> boolean
*/
static int knows(lua_State *L) {
  lw_threat_id threat;
  const lwl_self me = check_pair(L, "knows_threat", &threat);
  lua_pushboolean(L, lw_agent_knows_threat(me.world, me.id, threat));
  return 1;
}

/*
** agent:set_threats{ threat, { at =, ... }, agent, ... }
** What they are now: copies.
*/
static int set_threats(lua_State *L) {
  const lwl_at at = {"set_threats", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  lwl_check_table(L, at.where, 2);
  const lua_Integer length = (lua_Integer)lua_rawlen(L, 2);
  static const char *const none[] = {NULL};
  lwl_check_keys_and_list(L, &at, 2, none, length);
  const lw_threat *list = read_list(L, &at, 2, length);
  const lw_status status = lw_agent_set_threats(me.world, me.id, list, (int)length);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  return 0;
}

/*
** agent:threats()
**   --> list of { at =, facing =, half_angle =, range =, weight = }: all that it knows of, as they are now
*/
static int agent_threats(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "threats");
  const int count = lw_agent_get_threats(me.world, me.id, NULL, 0);
  lw_threat *list = lua_newuserdatauv(L, (size_t)count * sizeof *list + 1, 0);
  const int now = lw_agent_get_threats(me.world, me.id, list, count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count && i < now; ++i) {
    push_numbers(L, &list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/// Whether threats see the agent as it would be at another place, or in another stance: the options at index 3.
/// @param list  NULL: those that it knows of.
static lw_status is_seen_at(lua_State *L, const lwl_self *me, const lw_threat *list, int count, bool *seen) {
  static const char *const keys[] = {"at", "stance", NULL};
  const lwl_at at = {"is_seen", ""};
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure exposure;
  lwl_check_table(L, at.where, 3);
  lwl_check_keys(L, &at, 3, keys);
  query.from = me->state.position;
  lwl_opt_point(L, &at, 3, "at", &query.from);
  lwl_get(L, 3, "stance");
  const char *name = lwl_to_stance(L, &at, lua_gettop(L), me->state.profile);
  const int stance = name ? lw_profile_find_stance(me->state.profile, name) : me->state.stance;
  const lw_stance *body = lw_profile_get_stance(me->state.profile, stance);
  query.to = query.from;
  query.heights[0] = body->body[0], query.heights[1] = body->body[1];
  query.height_count = 2;
  query.accuracy = LW_ACCURACY_EXACT;
  if (!list) {
    count = lw_agent_get_threats(me->world, me->id, NULL, 0);
    lw_threat *known = lua_newuserdatauv(L, (size_t)(count > 0 ? count : 1) * sizeof *known, 0);
    const lwl_self now = lwl_check_self(L, at.where); /* a finaliser may have run */
    const int found = lw_agent_get_threats(now.world, now.id, known, count);
    count = found < count ? found : count;
    list = known;
  }
  query.threats = list;
  query.threat_count = count;
  const lw_status status = lw_exposure_find(me->world, NULL, &query, &exposure);
  *seen = status == LW_OK && exposure.fraction > 0;
  return status;
}

/*
** agent:is_seen([threats = those that it knows of [, { at =, stance = }]]) --> boolean
*/
static int is_seen(lua_State *L) {
  const lwl_at at = {"is_seen", ""};
  lua_settop(L, 3);
  const lwl_self me = lwl_check_self(L, at.where);
  const lw_threat *list = NULL;
  lua_Integer length = 0;
  bool seen = false;
  if (!lua_isnil(L, 2)) {
    length = lwl_check_list(L, &at, "threats", 2);
    list = read_list(L, &at, 2, length);
  }
  const lw_error error = {.status = lua_isnil(L, 3)
                                        ? lw_agent_is_seen(me.world, NULL, me.id, list, (int)length, &seen)
                                        : is_seen_at(L, &me, list, (int)length, &seen)};
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lua_pushboolean(L, seen);
  return 1;
}

const luaL_Reg lwl_threat_agent_methods[] = {{"is_seen", is_seen},
                                             {"learn_threat", learn},
                                             {"forget_threat", forget},
                                             {"knows_threat", knows},
                                             {"set_threats", set_threats},
                                             {"threats", agent_threats},
                                             {NULL, NULL}};

// --- the type ------------------------------------------------------------------------------------------------

static const luaL_Reg methods[] = {{"move", move}, {"set", set}, {"get", get}, {NULL, NULL}};

void lwl_open_threat(lua_State *L) {
  lwl_open_kind(L, &lwl_threat, methods);
}
