/*
** Agents: spawned into a world, told what to do.
*/
#include "agent.h"

#include <stdlib.h>
#include <string.h>

static const char *const pace_names[] = {"calm", "normal", "fast"};

// --- keeping --------------------------------------------------------------------------------------------------

bool lwl_push_agent(lua_State *L, int world, lw_agent_id agent) {
  world = lua_absindex(L, world);
  lua_getiuservalue(L, world, LWL_WORLD_AGENTS);
  const int type = lua_rawgeti(L, -1, (lua_Integer)agent);
  lua_remove(L, -2);
  return type == LUA_TUSERDATA;
}

static void release_hold(lwl_hold *hold) {
  lwl_release(hold->profile);
  lwl_release(hold->tree);
}

void lwl_release_holds(lwl_world *world) {
  for (int i = 0; i < world->hold_count; ++i) release_hold(&world->holds[i]);
  free(world->holds);
  world->holds = NULL;
  world->hold_count = world->hold_capacity = 0;
}

static void reserve_hold(lua_State *L, lwl_world *world) {
  if (world->hold_count < world->hold_capacity) return;
  const int capacity = world->hold_capacity + world->hold_capacity / 2 + 16;
  lwl_hold *holds = realloc(world->holds, (size_t)capacity * sizeof *holds);
  if (!holds) luaL_error(L, "not enough memory");
  world->holds = holds;
  world->hold_capacity = capacity;
}

/// Take an agent out of the world's table. Only sets what is there to nil, so that nothing is allocated.
static void forget(lua_State *L, int world, lw_agent_id id) {
  if (lwl_push_agent(L, world, id)) {
    lua_pushnil(L);
    lua_setiuservalue(L, -2, LWL_AGENT_TREE);
    lua_pushnil(L);
    lua_setiuservalue(L, -2, LWL_AGENT_STATES);
    lua_getiuservalue(L, world, LWL_WORLD_AGENTS);
    lua_pushnil(L);
    lua_rawseti(L, -2, (lua_Integer)id);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void lwl_forget_buried(lua_State *L, lwl_world *world, int index) {
  if (!world->buried || world->inside > 0) return;
  world->buried = false;
  int kept = 0;
  for (int i = 0; i < world->hold_count; ++i) {
    lw_agent_state state;
    if (lw_agent_get_state(lwl_c_world(world), world->holds[i].agent, &state) == LW_OK) {
      world->holds[kept++] = world->holds[i];
      continue;
    }
    forget(L, index, world->holds[i].agent);
    release_hold(&world->holds[i]);
  }
  world->hold_count = kept;
}

// --- spawning -------------------------------------------------------------------------------------------------

static bool opt_pace(lua_State *L, const char *where, int index, lw_pace *pace) {
  if (lua_isnil(L, index)) return false;
  const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  for (int i = 0; i < LW_PACE_COUNT; ++i)
    if (strcmp(name, pace_names[i]) == 0) return *pace = (lw_pace)i, true;
  lwl_raise_expected(L, &(lwl_at){where, ""}, "pace", "'calm', 'normal' or 'fast'", index);
}

static void opt_color(lua_State *L, const lwl_at *at, int options, uint32_t *color) {
  int value = (int)*color;
  if (lwl_opt_int(L, at, options, "color", 0, &value) && value > 0xffffff)
    lwl_raise(L, at->where, "'color' expected 0x000000 to 0xffffff, got %d", value);
  *color = (uint32_t)value;
}

/// Push the agent's userdata with all its values but its id.
static lwl_agent *push_userdata(lua_State *L, int blackboard, int tree) {
  lwl_agent *agent = lua_newuserdatauv(L, sizeof *agent, LWL_AGENT_VALUES);
  *agent = (lwl_agent){0, false};
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, LWL_AGENT_WORLD);
  if (lua_istable(L, blackboard))
    lua_pushvalue(L, blackboard);
  else
    lua_newtable(L);
  lua_setiuservalue(L, -2, LWL_AGENT_BLACKBOARD);
  lua_pushvalue(L, tree);
  lua_setiuservalue(L, -2, LWL_AGENT_TREE);
  lua_newtable(L);
  lua_setiuservalue(L, -2, LWL_AGENT_STATES);
  luaL_setmetatable(L, LWL_AGENT);
  return agent;
}

/// In protected mode: agents, id, userdata. Growing the table may run out of memory.
static int register_agent(lua_State *L) {
  lua_pushvalue(L, 3);
  lua_rawseti(L, 1, lua_tointeger(L, 2));
  return 0;
}

/*
** world:spawn{ profile =, at =, navmesh =, tree =, team =, pace =, stance =, color =, snap =, blackboard =, cost =, avoid = }
**   --> agent | nil, message, code
*/
static int spawn(lua_State *L) {
  static const char *const keys[] = {"profile", "at",    "tree",     "team",    "pace",   "snap",  "blackboard",
                                     "cost",    "avoid", "can_take", "navmesh", "stance", "color", NULL};
  const lwl_at at = {"spawn", ""};
  lwl_world *world = lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_agent_def def = lw_agent_def_default();
  lwl_need_point(L, &at, 2, "at", &def.at);
  lwl_opt_snap(L, &at, 2, &def.snap);
  lwl_opt_navmesh(L, &at, 2, lwl_c_world(world), &def.navmesh);
  lwl_opt_string(L, &at, 2, "team", &def.team);
  opt_color(L, &at, 2, &def.color);
  lwl_get(L, 2, "pace");
  opt_pace(L, at.where, 3, &def.pace);
  if (lwl_get(L, 2, "blackboard") != LUA_TNIL && !lua_istable(L, 4))
    lwl_raise_expected(L, &at, "blackboard", "a table", 4);
  lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (lwl_get(L, 2, "profile") == LUA_TNIL)
    lwl_raise_expected(L, &at, "profile", "the name of a profile or a table", -1);
  lua_pop(L, 1);
  def.stance = lwl_opt_stance(L, &at, 2, profile->object);
  lwl_box *tree = NULL;
  if (lwl_get(L, 2, "tree") != LUA_TNIL) {
    tree = lwl_push_tree(L, at.where, 6);
    lua_replace(L, 6);
  }
  lwl_agent *agent = push_userdata(L, 4, 6);
  lwl_push_recipe(L, 2);
  lua_setiuservalue(L, 7, LWL_AGENT_RECIPE);
  lua_getiuservalue(L, 1, LWL_WORLD_AGENTS);
  reserve_hold(L, world);
  // A tree's file is Lua: it may have destroyed the world.
  world = lwl_check_world(L, 1, at.where);
  if (world->closing) lwl_raise(L, at.where, "the world is being destroyed");
  def.profile = profile->object;
  if (tree) def.tree = tree->object;
  lw_error error = {0};
  lw_agent_id id = 0;
  error.status = lw_agent_spawn(lwl_c_world(world), &def, &id, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  agent->id = id;
  world->holds[world->hold_count++] =
      (lwl_hold){id, lwl_retain(profile->shared), tree ? lwl_retain(tree->shared) : NULL};
  lua_pushcfunction(L, register_agent);
  lua_pushvalue(L, 8);
  lua_pushinteger(L, (lua_Integer)id);
  lua_pushvalue(L, 7);
  if (lua_pcall(L, 3, 0, 0) != LUA_OK) {
    world->buried = true;
    lw_agent_despawn(lwl_c_world(world), id);
    lwl_forget_buried(L, world, 1);
    return lua_error(L);
  }
  lua_settop(L, 7);
  return 1;
}

/*
** world:agents() --> list in the order they were spawned
*/
static int agents(lua_State *L) {
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, "agents"));
  lua_newtable(L);
  lua_Integer count = 0;
  for (lw_agent_id id = lw_agent_next(world, 0); id; id = lw_agent_next(world, id)) {
    if (lwl_push_agent(L, 1, id))
      lua_rawseti(L, -2, ++count);
    else
      lua_pop(L, 1);
  }
  return 1;
}

const luaL_Reg lwl_agent_world_methods[] = {{"spawn", spawn}, {"agents", agents}, {NULL, NULL}};

static int bury(lua_State *L, const char *where, lw_status (*end)(lw_world *world, lw_agent_id agent)) {
  lwl_self me = lwl_check_self(L, where);
  me.box->buried = true;
  ++me.box->inside;
  me.agent->doomed = true;
  const lw_status status = end(me.world, me.id);
  --me.box->inside;
  lwl_forget_buried(L, me.box, me.index);
  if (status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", lw_status_text(status));
  return 0;
}

/*
** agent:despawn()
** Inside a step the agent is gone at its end.
*/
static int despawn(lua_State *L) {
  return bury(L, "despawn", lw_agent_despawn);
}

/*
** agent:kill()
** The same, and the world's death_danger is added where it stands.
*/
static int kill(lua_State *L) {
  return bury(L, "kill", lw_agent_kill);
}

/*
** agent:is_alive() --> boolean
*/
static int is_alive(lua_State *L) {
  const lwl_agent *agent = luaL_checkudata(L, 1, LWL_AGENT);
  lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
  const lwl_world *world = luaL_checkudata(L, -1, LWL_WORLD);
  lw_agent_state state;
  lua_pushboolean(L, world->box.object && !agent->doomed &&
                         lw_agent_get_state(lwl_c_world(world), agent->id, &state) == LW_OK);
  return 1;
}

// --- moving ---------------------------------------------------------------------------------------------------

/*
** agent:move_to(p [, { within = }]) --> true | nil, message, code
*/
static int move_to(lua_State *L) {
  static const char *const keys[] = {"within", NULL};
  const lwl_at at = {"move_to", ""};
  lua_settop(L, 3);
  lwl_self me = lwl_check_self(L, at.where);
  const lw_vec3 goal = lwl_check_point(L, at.where, "goal", 2);
  float within = 0.3f;
  if (!lua_isnil(L, 3)) {
    lwl_check_table(L, at.where, 3);
    lwl_check_keys(L, &at, 3, keys);
    lwl_opt_float(L, &at, 3, "within", &lwl_not_negative, &within);
  }
  const lw_status status = lw_agent_move_to(me.world, me.id, goal, within);
  if (status != LW_OK) return lwl_fail_for(L, status, me.state.profile);
  lua_pushboolean(L, 1);
  return 1;
}

static int stop(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "stop");
  lw_agent_stop(me.world, me.id);
  return 0;
}

/*
** agent:pace() --> "calm" | "normal" | "fast"
*/
static int pace(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "pace");
  lua_pushstring(L, pace_names[me.state.pace]);
  return 1;
}

/*
** agent:set_pace("calm" | "normal" | "fast")
*/
static int set_pace(lua_State *L) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "set_pace");
  lw_pace pace = LW_NORMAL;
  if (!opt_pace(L, "set_pace", 2, &pace))
    lwl_raise_expected(L, &(lwl_at){"set_pace", ""}, "pace", "'calm', 'normal' or 'fast'", 2);
  lw_agent_set_pace(me.world, me.id, pace);
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
  if (!name) lwl_raise_expected(L, &at, "stance", "the name of a stance", 2);
  lw_agent_set_stance(me.world, me.id, name);
  return 0;
}

// --- its random numbers ---------------------------------------------------------------------------------------

static float draw(void *user) {
  const lwl_self *me = user;
  return lw_agent_random(me->world, me->id);
}

/*
** agent:random([m [, n]]) --> as math.random, from the agent's own stream
*/
static int agent_random(lua_State *L) {
  lua_settop(L, 3);
  lwl_self me = lwl_check_self(L, "random");
  return lwl_random(L, "random", draw, &me);
}

/*
** agent:random_point{ around = its position, radius =, profile = its own, navmesh = its own, snap = }
**   --> vec3 | nil, message, code
** On a link its position is where that ends.
*/
static int random_point(lua_State *L) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "random_point");
  lw_random_point_query query = lw_random_point_query_default();
  query.around = me.state.footing;
  query.profile = me.state.profile;
  query.agent = me.id;
  query.navmesh = me.state.footing_navmesh;
  return lwl_random_point(L, "random_point", me.world, query, 2);
}

// --- the type -------------------------------------------------------------------------------------------------

static int agent_eq(lua_State *L) {
  const lwl_agent *a = luaL_testudata(L, 1, LWL_AGENT), *b = luaL_testudata(L, 2, LWL_AGENT);
  bool equal = a && b && a->id == b->id;
  if (equal) {
    lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
    lua_getiuservalue(L, 2, LWL_AGENT_WORLD);
    equal = lua_rawequal(L, -1, -2);
  }
  lua_pushboolean(L, equal);
  return 1;
}

static int agent_tostring(lua_State *L) {
  const lwl_agent *agent = luaL_checkudata(L, 1, LWL_AGENT);
  lua_pushfstring(L, "agent %d", (int)lwl_agent_number(agent->id));
  return 1;
}

/*
** agent.blackboard, methods (upvalue 1)
*/
static int agent_index(lua_State *L) {
  luaL_checkudata(L, 1, LWL_AGENT);
  if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "blackboard") == 0) {
    lua_getiuservalue(L, 1, LWL_AGENT_BLACKBOARD);
    return 1;
  }
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

static int agent_newindex(lua_State *L) {
  luaL_checkudata(L, 1, LWL_AGENT);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "blackboard") != 0)
    lwl_raise(L, "agent", "cannot set %s; what scripts remember goes into agent.blackboard",
              lwl_describe(L, 2));
  if (!lua_istable(L, 3)) lwl_raise_expected(L, &(lwl_at){"agent", ""}, "blackboard", "a table", 3);
  lua_settop(L, 3);
  lua_setiuservalue(L, 1, LWL_AGENT_BLACKBOARD);
  return 0;
}

static const luaL_Reg methods[] = {{"despawn", despawn},
                                   {"is_alive", is_alive},
                                   {"move_to", move_to},
                                   {"stop", stop},
                                   {"set_pace", set_pace},
                                   {"pace", pace},
                                   {"random", agent_random},
                                   {"random_point", random_point},
                                   {"set_stance", set_stance},
                                   {"kill", kill},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {
    {"__eq", agent_eq}, {"__tostring", agent_tostring}, {"__newindex", agent_newindex}, {NULL, NULL}};

void lwl_open_agent(lua_State *L) {
  lwl_new_type(L, LWL_AGENT, methods, meta);
  lwl_add_methods(L, LWL_AGENT, lwl_agent_state_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_explain_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_threat_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_cover_agent_methods);
  lwl_add_methods(L, LWL_AGENT, lwl_query_agent_methods);
  luaL_getmetatable(L, LWL_AGENT);
  lua_getfield(L, -1, "__index");
  lua_pushcclosure(L, agent_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
