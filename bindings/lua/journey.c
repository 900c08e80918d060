/*
** Journeys of agents: where to, and what holds on the way.
*/
#include "agent.h"
#include "drive.h"
#include "planner.h"

/// The options of a move that describe its profile.
static const char *const profile_keys[] = {"profile", "cost", "avoid", "can_take", NULL};

static bool asks_for_profile(lua_State *L, int options) {
  bool asks = false;
  for (const char *const *key = profile_keys; *key; ++key) {
    asks |= lwl_get(L, options, *key) != LUA_TNIL;
    lua_pop(L, 1);
  }
  return asks;
}

const lwl_box *lwl_push_journey(lua_State *L, const lwl_at *at, int agent, int options) {
  if (lua_isnil(L, options) || !asks_for_profile(L, options)) return lua_pushnil(L), NULL;
  if (lwl_get(L, options, "profile") != LUA_TNIL) return lua_pop(L, 1), lwl_push_profile(L, at, options);
  lua_pop(L, 1);
  lwl_push_agent_recipe(L, at, agent, options);
  const int recipe = lua_gettop(L);
  const lwl_box *box = lwl_push_profile(L, at, recipe);
  lua_remove(L, recipe);
  return box;
}

/// Read all options at index but the profile. Leaves what they borrow on the stack.
static lw_move_options read_options(lua_State *L, const lwl_at *at, int index) {
  static const char *const keys[] = {"within",  "heading",  "pace", "quality", "path_style", "threats",
                                     "profile", "priority", "cost", "avoid",   "can_take",   NULL};
  lw_move_options options = lw_move_options_default();
  if (lua_isnil(L, index)) return options;
  int pace = (int)options.pace, quality = (int)options.quality, style = (int)options.path_style;
  lwl_check_table(L, at->where, index);
  lwl_check_keys(L, at, index, keys);
  lwl_opt_float(L, at, index, "within", &lwl_metres_not_negative, &options.within);
  lwl_opt_heading(L, at, index, "heading", &options.heading);
  lwl_opt_enum(L, at, index, "pace", LWL_PACE, &pace);
  lwl_opt_enum(L, at, index, "quality", LWL_QUALITY, &quality);
  lwl_opt_enum(L, at, index, "path_style", LWL_PATH_STYLE, &style);
  options.path_style = (lw_path_style)style;
  lwl_opt_priority(L, at, index, &options.priority);
  options.pace = (lw_pace)pace;
  options.quality = (lw_quality)quality;
  if (lwl_get(L, index, "threats") != LUA_TNIL)
    options.threats = lwl_read_threats(L, at, index, &options.threat_count);
  return options;
}

int lwl_fail_move(lua_State *L, lw_status status, lw_vec3 goal, const lw_profile *profile) {
  const lwl_place place = {"goal", goal, lw_path_query_default().snap, profile};
  if (status == LW_NO_GOAL) return lwl_fail_near(L, status, &place);
  return lwl_fail_for(L, status, profile);
}

void lwl_hold_journey(lwl_hold *hold, const lwl_box *profile) {
  lwl_shared *before = hold->journey;
  hold->journey = profile ? lwl_retain(profile->shared) : NULL;
  lwl_release(before);
}

/*
** agent:move_to(p [, { within =, heading =, pace =, quality =, path_style =, threats =, profile =, cost =, avoid =,
**   can_take =, priority = }])
**   --> true | nil, message, code
*/
static int move_to(lua_State *L) {
  const lwl_at at = {"move_to", ""};
  lua_settop(L, 3);
  lwl_check_self(L, at.where);
  lua_settop(L, 3);
  const lw_vec3 goal = lwl_check_point(L, at.where, "goal", 2);
  lw_move_options options = read_options(L, &at, 3);
  const lwl_box *profile = lwl_push_journey(L, &at, 1, 3);
  if (profile) lwl_push_recipe(L, 3);
  if (!profile) lua_pushnil(L);
  const int recipe = lua_gettop(L);
  lwl_self me = lwl_check_self(L, at.where); /* a finaliser or a profile's file may have destroyed the world */
  if (profile) options.profile = profile->object;
  const lw_status status = lw_agent_move_with(me.world, me.id, goal, &options);
  const lw_profile *payer = profile ? profile->object : me.state.profile;
  if (me.agent->hold) lwl_hold_journey(me.agent->hold, status == LW_OK ? profile : NULL);
  lua_pushvalue(L, recipe);
  lua_setiuservalue(L, 1, LWL_AGENT_JOURNEY);
  if (status == LW_INVALID) lwl_raise(L, at.where, "%s", lw_status_text(status));
  if (status != LW_OK) return lwl_fail_move(L, status, goal, payer);
  lua_pushboolean(L, 1);
  return 1;
}

/*
** leeward.check_move(options [, name]) --> nothing; raises, as NAME, where agent:move_to(goal, options) would
*/
static int check_move(lua_State *L) {
  lua_settop(L, 2);
  const lwl_at own = {"check_move", ""};
  const lwl_at at = {lua_isnil(L, 2) ? own.where : lwl_check_text(L, &own, "name", "a string", 2), ""};
  if (lua_isnil(L, 1)) return 0;
  read_options(L, &at, 1);
  lwl_push_profile(L, &at, 1);
  return 0;
}

static int stop(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "stop");
  lw_agent_stop(me.world, me.id);
  return 0;
}

const luaL_Reg lwl_journey_functions[] = {{"check_move", check_move}, {NULL, NULL}};
const luaL_Reg lwl_journey_agent_methods[] = {{"move_to", move_to}, {"stop", stop}, {NULL, NULL}};
