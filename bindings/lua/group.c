/*
** Groups: agents that travel in formation.
*/
#include "agent.h"

static const lw_range spacing_range = {0, LW_PROFILE_SIZE_MAX, "m", false};

static lw_group_id check_group(lua_State *L, const char *where, lw_world **world) {
  lw_group_id id;
  *world = lwl_check_id(L, 1, LWL_GROUP, where, &id);
  return id;
}

/// The group at index 1. Raises if it was removed.
static lw_group_id check_alive(lua_State *L, const char *where, lw_world **world, lw_group_state *state) {
  const lw_group_id id = check_group(L, where, world);
  if (lw_group_get_state(*world, id, state) != LW_OK)
    lwl_raise(L, where, "group %s is gone: it was removed", LWL_ID_NAME(id));
  return id;
}

// --- formations ----------------------------------------------------------------------------------------------

static void read_points(lua_State *L, const lwl_at *at, int index, lw_group_def *def, lw_vec3 *points) {
  const lua_Integer length = lwl_check_list(L, at, "formation", index);
  if (length < 1 || length > LW_GROUP_MEMBERS_MAX)
    lwl_raise_at(L, at, "formation", "is a list of %I, expected 1 to %d points", (LUAI_UACINT)length,
                 LW_GROUP_MEMBERS_MAX);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, index, i);
    if (!lwl_to_point(L, -1, &points[i - 1])) lwl_raise_item(L, at, "formation", i, "a point", -1);
    lua_pop(L, 1);
  }
  def->formation = LW_FORMATION_POINTS;
  def->points = points;
  def->point_count = (int)length;
}

/// Read a formation: its name, or a list of points. nil: it stays.
static void read_formation(lua_State *L, const lwl_at *at, int index, lw_group_def *def, lw_vec3 *points) {
  static const char *const names[] = {"line", "column", "wedge", "file", NULL};
  if (lua_isnil(L, index)) return;
  if (lua_istable(L, index)) {
    read_points(L, at, index, def, points);
    return;
  }
  if (lua_type(L, index) != LUA_TSTRING)
    lwl_raise_expected(L, at, "formation", "'line', 'column', 'wedge', 'file' or a list of points", index);
  def->formation = (lw_formation)lwl_check_choice(L, at, "formation", index, names);
}

/*
** world:group{ agents =, formation =, spacing = } --> group
** `formation` is 'line', 'column', 'wedge', 'file' or a list of points.
*/
static int create_group(lua_State *L) {
  static const char *const keys[] = {"agents", "formation", "spacing", NULL};
  const lwl_at at = {"group", ""};
  lw_agent_id agents[LW_GROUP_MEMBERS_MAX];
  lw_vec3 points[LW_GROUP_MEMBERS_MAX];
  lw_group_def def = lw_group_def_default();
  lua_settop(L, 2);
  lwl_check_world(L, 1, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  const lua_Integer count = lwl_need_list(L, &at, 2, "agents", 1);
  const int list = lua_gettop(L);
  if (count > LW_GROUP_MEMBERS_MAX)
    lwl_raise_at(L, &at, "agents", "is a list of %I, expected at most %d", (LUAI_UACINT)count,
                 LW_GROUP_MEMBERS_MAX);
  lwl_get(L, 2, "formation");
  read_formation(L, &at, lua_gettop(L), &def, points);
  lwl_opt_float(L, &at, 2, "spacing", &spacing_range, &def.spacing);
  lw_group_id *group = lwl_new_id(L, &lwl_group, 1);
  const int object = lua_gettop(L);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, list, i);
    if (!luaL_testudata(L, -1, LWL_AGENT)) lwl_raise_item(L, &at, "agents", i, "an agent", -1);
    agents[i - 1] = lwl_check_agent(L, &at, "agent", lua_gettop(L), 1);
    lua_pop(L, 1);
  }
  def.agents = agents;
  def.agent_count = (int)count;
  lua_settop(L, object);
  lw_error error = {0};
  error.status = lw_group_create(lwl_c_world(lwl_check_world(L, 1, at.where)), &def, group, &error);
  return error.status == LW_OK ? lwl_intern_new(L, &lwl_group) : lwl_fail_or_raise(L, at.where, &error);
}

/*
** world:groups() --> list in the order in which they were created
*/
static int groups(lua_State *L) {
  return lwl_push_ids(L, &lwl_group, "groups");
}

const luaL_Reg lwl_group_world_methods[] = {{"group", create_group}, {"groups", groups}, {NULL, NULL}};

/*
** agent:group() --> group | nil: it is in none
*/
static int group_of(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "group");
  const lw_group_id id = lw_group_of(me.world, me.id);
  if (lw_group_id_is_none(id)) return lua_pushnil(L), 1;
  lwl_push_id(L, &lwl_group, me.index, &id);
  return 1;
}

const luaL_Reg lwl_group_agent_methods[] = {{"group", group_of}, {NULL, NULL}};

/*
** group:set_formation(formation [, spacing])
*/
static int set_formation(lua_State *L) {
  const lwl_at at = {"set_formation", ""};
  lw_vec3 points[LW_GROUP_MEMBERS_MAX];
  lw_group_def def = lw_group_def_default();
  lw_group_state state;
  lw_world *world;
  lua_settop(L, 3);
  check_alive(L, at.where, &world, &state);
  if (lua_isnil(L, 2))
    lwl_raise_expected(L, &at, "formation", "'line', 'column', 'wedge', 'file' or a list of points", 2);
  read_formation(L, &at, 2, &def, points);
  if (!lua_isnil(L, 3)) def.spacing = (float)lwl_check_number(L, &at, "spacing", 3, &spacing_range);
  const lw_group_id id = check_alive(L, at.where, &world, &state);
  const lw_status status =
      lw_group_set_formation(world, id, def.formation, def.spacing, def.points, def.point_count);
  if (status == LW_INVALID)
    lwl_raise_at(L, &at, "formation", "has a point farther than 1000 m from the leader");
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  return 0;
}

// --- orders --------------------------------------------------------------------------------------------------

static lw_group_move read_move(lua_State *L, const lwl_at *at, int index) {
  static const char *const keys[] = {"within", "pace", "quality", NULL};
  lw_group_move move = lw_group_move_default();
  if (lua_isnil(L, index)) return move;
  int pace = (int)move.pace, quality = (int)move.quality;
  lwl_check_table(L, at->where, index);
  lwl_check_keys(L, at, index, keys);
  lwl_opt_float(L, at, index, "within", &lwl_metres_positive, &move.within);
  lwl_opt_enum(L, at, index, "pace", LWL_PACE, &pace);
  lwl_opt_enum(L, at, index, "quality", LWL_QUALITY, &quality);
  move.pace = (lw_pace)pace;
  move.quality = (lw_quality)quality;
  return move;
}

/*
** group:move_to(goal [, { within =, pace =, quality = }]) --> true | nil, message, code
*/
static int move_to(lua_State *L) {
  const lwl_at at = {"move_to", ""};
  lw_group_state state;
  lw_world *world;
  lua_settop(L, 3);
  check_alive(L, at.where, &world, &state);
  const lw_vec3 goal = lwl_check_point(L, at.where, "goal", 2);
  const lw_group_move move = read_move(L, &at, 3);
  const lw_group_id id = check_alive(L, at.where, &world, &state);
  const lw_status status = lw_group_move_to(world, id, goal, &move);
  if (status == LW_INVALID) lwl_raise(L, at.where, "%s", lw_status_text(status));
  if (status != LW_OK) return lwl_fail_move(L, status, goal, NULL);
  lua_pushboolean(L, 1);
  return 1;
}

/*
** group:stop()
*/
static int stop(lua_State *L) {
  lw_group_state state;
  lw_world *world;
  const lw_group_id id = check_alive(L, "stop", &world, &state);
  lw_group_stop(world, id);
  return 0;
}

/// The group at index 1 and the agent at index 2.
static lw_group_id check_both(lua_State *L, const char *where, lw_world **world, lw_agent_id *agent) {
  lw_group_state state;
  lua_settop(L, 2);
  const lw_group_id id = check_alive(L, where, world, &state);
  lua_getiuservalue(L, 1, 1);
  *agent = lwl_check_agent(L, &(lwl_at){where, ""}, "agent", 2, 3);
  return id;
}

/*
** group:add(agent) --> true | nil, message, code: it has 64 members
*/
static int add(lua_State *L) {
  lw_world *world;
  lw_agent_id agent;
  const lw_group_id id = check_both(L, "add", &world, &agent);
  const lw_status status = lw_group_add_agent(world, id, agent);
  if (status == LW_LIMIT)
    return lwl_fail(L, status, lua_pushfstring(L, "it has %d members", LW_GROUP_MEMBERS_MAX));
  if (status == LW_INVALID)
    lwl_raise(L, "add", "groups are of vehicles, whose profiles have a wheelbase, or of others");
  if (status != LW_OK) lwl_raise(L, "add", "%s", lw_status_text(status));
  lua_pushboolean(L, 1);
  return 1;
}

/*
** group:dismiss(agent) --> false: it is no member
*/
static int dismiss(lua_State *L) {
  lw_world *world;
  lw_agent_id agent;
  const lw_group_id id = check_both(L, "dismiss", &world, &agent);
  lua_pushboolean(L, lw_group_dismiss(world, id, agent) == LW_OK);
  return 1;
}

// --- what it is ----------------------------------------------------------------------------------------------

/*
** group:members() --> list in the order in which they were added; {}: it was removed
*/
static int members(lua_State *L) {
  lw_world *world;
  lw_agent_id agents[LW_GROUP_MEMBERS_MAX];
  const lw_group_id id = check_group(L, "members", &world);
  const int count = lw_group_members(world, id, agents, LW_GROUP_MEMBERS_MAX);
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, 1);
  lua_createtable(L, count > 0 ? count : 0, 0);
  for (int i = 0, listed = 0; i < count; ++i)
    if (lwl_push_agent(L, 2, agents[i]))
      lua_rawseti(L, 3, ++listed);
    else
      lua_pop(L, 1);
  return 1;
}

/*
** group:leader() --> agent | nil: nobody travels with it, or it was removed
*/
static int leader(lua_State *L) {
  lw_world *world;
  lw_group_state state;
  const lw_group_id id = check_group(L, "leader", &world);
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, 1);
  lw_group_get_state(world, id, &state);
  lwl_push_agent(L, 2, state.leader);
  return 1;
}

/*
** group:place(agent) --> vec3 | nil: it walks in a file, alone, or not at all
*/
static int place(lua_State *L) {
  lw_world *world;
  lw_agent_id agent;
  lw_vec3 at;
  const lw_group_id id = check_both(L, "place", &world, &agent);
  if (lw_group_id_equal(lw_group_of(world, agent), id) && lw_group_place(world, agent, &at) == LW_OK)
    lwl_push_vec3(L, at);
  else
    lua_pushnil(L);
  return 1;
}

/*
** group:get() --> { formation =, spacing =, members =, formed =, move =, failure =, is_file =, goal =, at =,
**   heading =, remaining = } | nil: it was removed
*/
static int get(lua_State *L) {
  static const char *const moves[] = {"idle", "walking", "arrived", "failed"};
  lw_world *world;
  lw_group_state state;
  const lw_group_id id = check_group(L, "get", &world);
  if (lw_group_get_state(world, id, &state) != LW_OK) return lua_pushnil(L), 1;
  lua_createtable(L, 0, 11);
  lwl_set_string(L, "formation", lw_formation_name(state.formation));
  lwl_set_integer(L, "members", state.agent_count);
  lwl_set_integer(L, "formed", state.formed_count);
  lwl_set_string(L, "move", moves[state.move]);
  if (state.move == LW_MOVE_FAILED) lwl_set_string(L, "failure", lw_status_name(state.failure));
  lwl_set_bool(L, "is_file", state.is_file);
  lwl_set_number(L, "spacing", (double)state.spacing);
  lwl_set_number(L, "heading", (double)state.heading);
  lwl_set_number(L, "remaining", (double)state.remaining);
  lwl_set_vec3(L, "goal", state.goal);
  lwl_set_vec3(L, "at", state.frame);
  return 1;
}

static const luaL_Reg group_class[] = {{"set_formation", set_formation},
                                       {"move_to", move_to},
                                       {"stop", stop},
                                       {"add", add},
                                       {"dismiss", dismiss},
                                       {"members", members},
                                       {"leader", leader},
                                       {"place", place},
                                       {"get", get},
                                       {NULL, NULL}};

void lwl_open_group(lua_State *L) {
  lwl_open_kind(L, &lwl_group, group_class);
}
