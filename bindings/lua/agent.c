/*
** Agents: spawning, commands and state.
*/
#include "agent.h"
#include "drive.h"
#include "plain.h"
#include "senses.h"
#include "tree.h"
#include "whiskers.h"

#include <stdlib.h>
#include <string.h>

// --- self ----------------------------------------------------------------------------------------------------

lwl_self lwl_check_self(lua_State *L, const char *where) {
  lwl_self me = {.agent = lwl_check_userdata(L, 1, LWL_AGENT, where)};
  lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
  me.index = lua_gettop(L);
  me.box = lwl_check_world(L, me.index, where);
  me.world = lwl_c_world(me.box);
  me.id = me.agent->id;
  if (lw_agent_get_state(me.world, me.id, &me.state) != LW_OK)
    lwl_raise(L, where, "agent %s is gone: it died or was despawned", LWL_ID_NAME(me.id));
  lua_getiuservalue(L, 1, LWL_AGENT_PROFILE); /* an agent that goes no longer holds it */
  return me;
}

bool lwl_push_agent(lua_State *L, int world, lw_agent_id agent) {
  return lwl_push_known(L, LWL_WORLD_AGENTS, world, &agent);
}

lw_agent_id lwl_check_agent(lua_State *L, const lwl_at *at, const char *key, int index, int world) {
  lw_agent_state state;
  const lwl_agent *agent = luaL_testudata(L, index, LWL_AGENT);
  if (!agent) lwl_raise_expected(L, at, key, "an agent", index);
  lua_getiuservalue(L, index, LWL_AGENT_WORLD);
  const bool is_here = lua_rawequal(L, -1, world);
  lua_pop(L, 1);
  if (!is_here) lwl_raise_at(L, at, key, "is in another world, expected an agent of this one");
  if (lw_agent_get_state(lwl_c_world(lwl_check_world(L, world, at->where)), agent->id, &state) != LW_OK)
    lwl_raise_at(L, at, key, "is gone: it died or was despawned");
  return agent->id;
}

lw_agent_id lwl_opt_agent(lua_State *L, const lwl_at *at, int table, const char *key, int world) {
  lw_agent_id id = lw_agent_id_none();
  if (lwl_get(L, table, key) != LUA_TNIL) id = lwl_check_agent(L, at, key, lua_gettop(L), world);
  lua_pop(L, 1);
  return id;
}

// --- spawning ------------------------------------------------------------------------------------------------

/// Push the userdata of an agent that has no id yet.
static void push_userdata(lua_State *L, int tree) {
  lwl_agent *agent = lua_newuserdatauv(L, sizeof *agent, LWL_AGENT_VALUES);
  *agent = (lwl_agent){0};
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, LWL_AGENT_WORLD);
  lua_pushvalue(L, tree);
  lua_setiuservalue(L, -2, LWL_AGENT_TREE);
  lua_newtable(L);
  lua_setiuservalue(L, -2, LWL_AGENT_STATES);
  luaL_setmetatable(L, LWL_AGENT);
}

void lwl_push_gone_agent(lua_State *L, int world, lw_agent_id id) {
  lwl_agent *agent = lua_newuserdatauv(L, sizeof *agent, LWL_AGENT_VALUES);
  enum { NO_SLOT = 0xffffff }; /* no agent that lives ever has it */
  const uint64_t mixed = (((uint64_t)id.slot << 24 | id.generation) * 0x9e3779b97f4a7c15u) >> 40;
  if (id.slot != NO_SLOT) id.generation = mixed & NO_SLOT;
  id.slot = NO_SLOT;
  *agent = (lwl_agent){.id = id};
  lua_pushvalue(L, world);
  lua_setiuservalue(L, -2, LWL_AGENT_WORLD);
  luaL_setmetatable(L, LWL_AGENT);
  lua_pushnil(L);
  lwl_set_blackboard(L, -2, -1);
  lua_pop(L, 1);
}

/// Stack of spawn().
enum { WORLD = 1, OPTIONS, TEAM, BLACKBOARD, PROFILE, STANCE, TREE, AGENT };

/// Read the options, and push those values that the definition borrows, which are nil where they are absent.
static lw_agent_def read_definition(lua_State *L, const lwl_at *at, const lw_world *world) {
  static const char *const keys[] = {"profile", "at",    "tree",     "team",    "pace",   "snap",  "blackboard",
                                     "cost",    "avoid", "can_take", "navmesh", "stance", "color", NULL};
  lwl_check_table(L, at->where, OPTIONS);
  lwl_check_keys(L, at, OPTIONS, keys);
  lw_agent_def def = lw_agent_def_default();
  int pace = (int)def.pace;
  lwl_need_point(L, at, OPTIONS, "at", &def.at);
  lwl_opt_snap(L, at, OPTIONS, &def.snap);
  lwl_opt_navmesh(L, at, OPTIONS, world, &def.navmesh);
  if (lwl_get(L, OPTIONS, "team") != LUA_TNIL) {
    def.team = lwl_check_text(L, at, "team", "a string", TEAM);
    if (strlen(def.team) > LW_TEAM_NAME_MAX) lwl_raise_expected(L, at, "team", "at most 31 bytes", TEAM);
  }
  lwl_opt_color(L, at, OPTIONS, &def.color);
  lwl_opt_enum(L, at, OPTIONS, "pace", LWL_PACE, &pace);
  def.pace = (lw_pace)pace;
  if (lwl_get(L, OPTIONS, "blackboard") != LUA_TNIL && !lua_istable(L, BLACKBOARD))
    lwl_raise_expected(L, at, "blackboard", "a table", BLACKBOARD);
  if (lwl_get(L, OPTIONS, "profile") == LUA_TNIL)
    lwl_raise_missing(L, at, "profile", "the name of a profile or a table");
  lua_pop(L, 1);
  const lwl_box *profile = lwl_push_profile(L, at, OPTIONS);
  def.profile = profile->object;
  lwl_get(L, OPTIONS, "stance");
  def.stance = lwl_to_stance(L, at, STANCE, def.profile);
  if (lwl_get(L, OPTIONS, "tree") != LUA_TNIL) {
    def.tree = lwl_push_tree(L, at->where, TREE)->object;
    lua_replace(L, TREE);
    lwl_check_inputs(L, at->where, TREE, BLACKBOARD);
  }
  return def;
}

/// check(world, options): raise for what spawn() raises for. The first upvalue is the name for messages.
static int check_definition(lua_State *L) {
  const lwl_at at = {lua_tostring(L, lua_upvalueindex(1)), ""};
  lua_settop(L, OPTIONS);
  read_definition(L, &at, lwl_c_world(lwl_check_world(L, WORLD, at.where)));
  return 0;
}

void lwl_check_spawn(lua_State *L, const char *where, int world, int options) {
  world = lua_absindex(L, world);
  options = lua_absindex(L, options);
  lua_pushstring(L, where);
  lua_pushcclosure(L, check_definition, 1);
  lua_pushvalue(L, world);
  lua_pushvalue(L, options);
  lua_call(L, 2, 0);
}

/// Spawn the agent of the userdata on the stack, and put it into the table of agents.
static int spawn_agent(lua_State *L, lwl_world *world, const lw_agent_def *def, lwl_shared *profile,
                       lwl_shared *tree) {
  lwl_hold *hold = calloc(1, sizeof *hold);
  if (!hold) lwl_raise(L, "spawn", "not enough memory");
  lw_error error = {0};
  lw_world *spawned_in = lwl_c_world(world);
  error.status = lw_agent_spawn(spawned_in, def, &hold->agent, &error);
  if (error.status != LW_OK) {
    free(hold);
    return lwl_fail_or_raise(L, "spawn", &error);
  }
  const lw_agent_id id = hold->agent;
  lwl_agent *agent = lua_touserdata(L, AGENT);
  agent->id = id;
  agent->hold = hold;
  agent->tree = def->tree;
  hold->profile = lwl_retain(profile);
  if (tree) hold->tree = lwl_retain(tree);
  lwl_add_hold(world, hold);
  if (lwl_intern(L, LWL_WORLD_AGENTS, WORLD)) return lwl_set_blackboard(L, AGENT, BLACKBOARD), 1;
  lwl_note_gone(world, hold);
  lwl_enter(world, L);
  lw_agent_despawn(spawned_in, id);
  lwl_leave(world);
  lwl_forget_gone(L, world, 1);
  return lua_error(L);
}

/*
** world:spawn{ profile =, at =, navmesh =, tree =, team =, pace =, stance =, color =, snap =, blackboard =,
**   cost =, avoid = }
**   --> agent | nil, message, code
*/
static int spawn(lua_State *L) {
  const lwl_at at = {"spawn", ""};
  lwl_world *world = lwl_check_world(L, WORLD, at.where);
  lua_settop(L, OPTIONS);
  const lw_agent_def def = read_definition(L, &at, lwl_c_world(world));
  push_userdata(L, TREE);
  lwl_push_recipe(L, OPTIONS);
  lua_setiuservalue(L, AGENT, LWL_AGENT_RECIPE);
  lua_pushvalue(L, PROFILE);
  lua_setiuservalue(L, AGENT, LWL_AGENT_PROFILE);
  // A tree's file is Lua: it may have destroyed the world.
  world = lwl_check_world(L, WORLD, at.where);
  const lwl_box *profile = lua_touserdata(L, PROFILE), *tree = lua_touserdata(L, TREE);
  return spawn_agent(L, world, &def, profile->shared, tree ? tree->shared : NULL);
}

static bool next_agent(const lw_world *world, void *id) {
  lw_agent_id *at = id;
  *at = lw_agent_next(world, *at);
  return !lw_agent_id_is_none(*at);
}

/*
** world:agents() --> list in the order they were spawned
*/
static int agents(lua_State *L) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "agents"));
  int count, listed = 0;
  const lw_agent_id *ids = lwl_push_id_array(L, world, next_agent, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    if (lwl_push_agent(L, 1, ids[i]))
      lua_rawseti(L, -2, ++listed);
    else
      lua_pop(L, 1);
  }
  return 1;
}

const luaL_Reg lwl_agent_world_methods[] = {{"spawn", spawn}, {"agents", agents}, {NULL, NULL}};

/// Despawn the agent at index 1 by the function `end`.
static int end_agent(lua_State *L, const char *where, lw_status (*end)(lw_world *world, lw_agent_id agent)) {
  lwl_self me = lwl_check_self(L, where);
  lwl_note_gone(me.box, me.agent->hold);
  me.agent->pending_removal = true;
  lwl_enter(me.box, L);
  const lw_status status = end(me.world, me.id);
  lwl_leave(me.box);
  lwl_forget_gone(L, me.box, me.index);
  if (status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", lw_status_text(status));
  return 0;
}

/*
** agent:despawn()
** Inside a step the agent is removed when the step ends.
*/
static int despawn(lua_State *L) {
  return end_agent(L, "despawn", lw_agent_despawn);
}

/*
** agent:kill()
** Despawns the agent and adds the world's death_danger where it stands.
*/
static int kill(lua_State *L) {
  return end_agent(L, "kill", lw_agent_kill);
}

/*
** agent:is_alive() --> boolean
*/
static int is_alive(lua_State *L) {
  const lwl_agent *agent = luaL_checkudata(L, 1, LWL_AGENT);
  lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
  const lwl_world *world = luaL_checkudata(L, -1, LWL_WORLD);
  lw_agent_state state;
  lua_pushboolean(L, world->box.object && !agent->pending_removal &&
                         lw_agent_get_state(lwl_c_world(world), agent->id, &state) == LW_OK);
  return 1;
}

// --- moving --------------------------------------------------------------------------------------------------

/*
** agent:pace() --> "calm" | "normal" | "fast"
*/
static int pace(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "pace");
  lua_pushstring(L, lw_pace_name(me.state.pace));
  return 1;
}

/*
** agent:set_pace("calm" | "normal" | "fast")
*/
static int set_pace(lua_State *L) {
  const lwl_at at = {"set_pace", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  lw_agent_set_pace(me.world, me.id, (lw_pace)lwl_check_enum(L, &at, "pace", 2, LWL_PACE));
  return 0;
}

/*
** agent:set_stance(name)
*/
static int set_stance(lua_State *L) {
  const lwl_at at = {"set_stance", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  const char *name = lwl_to_stance(L, &at, 2, me.state.profile);
  if (!name) lwl_raise_missing(L, &at, "stance", "the name of a stance");
  lw_agent_set_stance(me.world, me.id, name);
  return 0;
}

// --- random numbers ------------------------------------------------------------------------------------------

static float draw(void *user) {
  const lwl_self *me = user;
  return lw_random_unit(lw_agent_random_stream(me->world, me->id));
}

/*
** agent:random([m [, n]]) --> as math.random, from the agent's own stream
*/
static int agent_random(lua_State *L) {
  lua_settop(L, 3);
  lwl_self me = lwl_check_self(L, "random");
  return lwl_random(L, "random", draw, &me);
}

// --- state ---------------------------------------------------------------------------------------------------

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
  const bool failed = me.state.move == LW_MOVE_FAILED;
  const int results = failed ? lwl_fail_move(L, me.state.failure, me.state.goal, me.state.profile) : 1;
  lua_pushstring(L, names[me.state.move]);
  if (failed) lua_replace(L, -4); /* the nil */
  return results;
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
** agent:waits_for_path() --> whether it was sent and the planner has not yet searched its path
*/
static int waits_for_path(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "waits_for_path");
  lua_pushboolean(L, me.state.waits_for_path);
  return 1;
}

/*
** agent:is_on_link() --> false | true, kind, progress 0..1, link or nil if that was removed
*/
static int is_on_link(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "is_on_link");
  const bool on_link = me.state.link != LW_LINK_NONE;
  lua_pushboolean(L, on_link);
  if (!on_link) return 1;
  lua_pushstring(L, lw_link_kind_name(me.state.link));
  lua_pushnumber(L, (lua_Number)me.state.link_progress);
  lwl_push_link(L, me.index, me.state.link_id);
  return 4;
}

/*
** agent:route() --> list of the points of the path that the agent follows | nil
*/
static int route(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "route");
  const lw_path *path = lw_agent_path(me.world, me.id);
  if (!path) return lua_pushnil(L), 1;
  int count = 0;
  lw_path_points(path, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    // Fetched for each point: a finaliser that Lua runs here may give the agent another path.
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
** agent:navmesh() --> the navmesh that it walks on, its number in the world
*/
static int navmesh(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "navmesh");
  lwl_push_navmesh(L, me.index, me.state.navmesh);
  lua_pushinteger(L, me.state.navmesh + 1);
  return 2;
}

static int id(lua_State *L) {
  const lwl_agent *agent = lwl_check_userdata(L, 1, LWL_AGENT, "id");
  lua_pushinteger(L, lwl_id_key(&agent->id));
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

void lwl_set_remedies(lua_State *L, const int64_t *counts) {
  lua_createtable(L, 0, LW_REMEDY_COUNT);
  for (int i = 0; i < LW_REMEDY_COUNT; i++)
    lwl_set_integer(L, lw_remedy_name((lw_remedy)i), (lua_Integer)counts[i]);
  lua_setfield(L, -2, "remedies");
}

/*
** agent:stats() --> { walked =, goals_reached =, replans =, searches =, stuck =, off_mesh =, search_seconds =,
**   search_worst =, remedies = {...} }
*/
static int stats(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "stats");
  lw_agent_stats numbers = {0};
  lw_agent_get_stats(me.world, me.id, &numbers);
  lua_createtable(L, 0, 9);
  lwl_set_number(L, "walked", numbers.walked);
  lwl_set_integer(L, "goals_reached", numbers.goals_reached);
  lwl_set_integer(L, "replans", numbers.replans);
  lwl_set_integer(L, "searches", numbers.searches);
  lwl_set_integer(L, "stuck", numbers.stuck);
  lwl_set_integer(L, "off_mesh", numbers.off_mesh);
  lwl_set_number(L, "search_seconds", numbers.search_seconds);
  lwl_set_number(L, "search_worst", numbers.search_worst);
  lwl_set_remedies(L, numbers.remedies);
  return 1;
}

// --- the type ------------------------------------------------------------------------------------------------

static int agent_tostring(lua_State *L) {
  const lwl_agent *agent = luaL_checkudata(L, 1, LWL_AGENT);
  lua_pushfstring(L, "agent %s", LWL_ID_NAME(agent->id));
  return 1;
}

/*
** agent.blackboard, methods (upvalue 1)
*/
static int agent_index(lua_State *L) {
  luaL_checkudata(L, 1, LWL_AGENT);
  const char *key = lwl_to_text(L, 2);
  if (key && strcmp(key, "blackboard") == 0) {
    lua_getiuservalue(L, 1, LWL_AGENT_BLACKBOARD);
    return 1;
  }
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

static int agent_newindex(lua_State *L) {
  luaL_checkudata(L, 1, LWL_AGENT);
  const char *key = lwl_to_text(L, 2);
  if (!key || strcmp(key, "blackboard") != 0)
    lwl_raise(L, "agent", "cannot set %s; store a script's values in agent.blackboard", lwl_describe(L, 2));
  if (!lua_istable(L, 3)) lwl_raise_expected(L, &(lwl_at){"agent", ""}, "blackboard", "a table", 3);
  lwl_set_blackboard(L, 1, 3);
  return 0;
}

static const luaL_Reg methods[] = {{"despawn", despawn},
                                   {"is_alive", is_alive},
                                   {"set_pace", set_pace},
                                   {"pace", pace},
                                   {"random", agent_random},
                                   {"set_stance", set_stance},
                                   {"kill", kill},
                                   {"move_state", move_state},
                                   {"goal", goal},
                                   {"remaining", remaining},
                                   {"waits_for_path", waits_for_path},
                                   {"route", route},
                                   {"id", id},
                                   {"position", position},
                                   {"velocity", velocity},
                                   {"heading", heading},
                                   {"profile", profile},
                                   {"team", team},
                                   {"world", world},
                                   {"stats", stats},
                                   {"is_on_link", is_on_link},
                                   {"navmesh", navmesh},
                                   {"stance", stance},
                                   {"eye", eye},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {
    {"__eq", lwl_id_eq}, {"__tostring", agent_tostring}, {"__newindex", agent_newindex}, {NULL, NULL}};

void lwl_open_agent(lua_State *L) {
  lwl_set_functions(L, lwl_journey_functions, NULL);
  lwl_new_type(L, LWL_AGENT, methods, meta, NULL);
  lwl_add_methods(L, LWL_AGENT, lwl_explain_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_threat_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_cover_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_query_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_link_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_blackboard_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_mind_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_journey_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_drive_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_senses_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_history_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_group_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_pose_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_whiskers_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_external_agent_methods);
  luaL_getmetatable(L, LWL_AGENT);
  lua_getfield(L, -1, "__index");
  luaL_setfuncs(L, lwl_waiting_agent_methods, 0);
  lua_pop(L, 2);
  luaL_getmetatable(L, LWL_AGENT);
  lua_getfield(L, -1, "__index");
  lua_pushcclosure(L, agent_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
