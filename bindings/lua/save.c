/*
** Saving and loading the state of a world.
*/
#include "agent.h"
#include "plain.h"
#include "profile_layers.h"
#include "sandbox.h"
#include "tiles.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

#define LWL_SAVED "leeward.saved"

static void destroy(void *object) {
  lw_saved_destroy(object);
}

static void set_name(lua_State *L, const char *key, const char *name) {
  if (*name) lwl_set_string(L, key, name);
}

/// Push the options to spawn a saved agent with.
static void push_options(lua_State *L, const lw_saved_agent *agent) {
  lua_createtable(L, 0, 7);
  set_name(L, "profile", agent->profile);
  set_name(L, "tree", agent->tree);
  set_name(L, "team", agent->team);
  lwl_set_string(L, "pace", lw_pace_name(agent->pace));
  lwl_set_vec3(L, "at", agent->at);
  lwl_set_integer(L, "navmesh", agent->navmesh + 1);
}

/// Is what the file names, and the options at index still ask for, not there? Then pushes the message.
static bool push_missing(lua_State *L, const lw_saved_agent *agent, int options, bool is_replaced) {
  const int bottom = lua_gettop(L);
  if (agent->has_unnamed_tree && !is_replaced) {
    lua_pushliteral(L, "its tree has no name");
    return true;
  }
  const int navmeshes = lwl_check_world(L, 1, "load")->navmesh_count;
  if (agent->navmesh >= navmeshes && lwl_get(L, options, "navmesh") == LUA_TNUMBER &&
      lua_tointeger(L, -1) == agent->navmesh + 1) {
    lua_pushfstring(L, "it was on navmesh %d, and this world has %d", agent->navmesh + 1, navmeshes);
    return true;
  }
  if (lwl_get(L, options, "profile") == LUA_TSTRING && strcmp(lua_tostring(L, -1), agent->profile) == 0 &&
      !lwl_push_layers(L, agent->profile)) {
    if (strcmp(agent->profile, LWL_UNNAMED_PROFILE) == 0)
      lua_pushliteral(L, "its profile was a table, which has no name");
    else
      lwl_push_no_profile(L, agent->profile);
    return true;
  }
  if (*agent->tree && lwl_get(L, options, "tree") == LUA_TSTRING &&
      strcmp(lua_tostring(L, -1), agent->tree) == 0 && !lwl_push_named_tree(L, agent->tree))
    return lwl_push_no_tree(L, agent->tree), true;
  lua_settop(L, bottom);
  return false;
}

/// Push the list of the options to spawn the file's agents with, which the function at index 3 may replace.
/// Raises for what world:spawn() raises for, before anything changes.
/// @return Whether all that the file names is there. Else the message is pushed instead.
static bool push_all_options(lua_State *L, const lw_saved *saved) {
  const int count = lw_saved_agent_count(saved);
  lua_createtable(L, count, 0);
  const int list = lua_gettop(L);
  for (int i = 0; i < count; ++i) {
    lw_saved_agent agent;
    lw_saved_get_agent(saved, i, &agent);
    push_options(L, &agent);
    bool is_replaced = false;
    if (!lua_isnil(L, 3)) {
      lua_pushvalue(L, 3);
      lua_pushvalue(L, list + 1);
      lua_call(L, 1, 1);
      if (lua_isnil(L, -1))
        lua_pop(L, 1);
      else if (!lua_istable(L, -1))
        lwl_raise(L, "load", "result of agent is %s, expected a table or nil", lwl_describe(L, -1));
      else
        is_replaced = true;
    }
    const int options = lua_gettop(L);
    lwl_check_world(L, 1, "load"); /* the function may have destroyed it */
    const char *where =
        lua_pushfstring(L, "load: agent %d (the option 'agent' may replace what it is spawned with)", i + 1);
    if (push_missing(L, &agent, options, is_replaced)) {
      lua_pushfstring(L, "%s: %s", where, lua_tostring(L, -1));
      return false;
    }
    lwl_check_spawn(L, where, 1, options);
    lua_pushvalue(L, options);
    lua_rawseti(L, list, i + 1);
    lua_settop(L, list);
  }
  return true;
}

/// Give the agent whose userdata is on top of the stack the rest of its state. A journey for a profile that has no
/// name any more, or only the numbers of a script's table, goes on for the agent's own. Leaves values on the stack.
static void restore_agent(lua_State *L, const lw_saved *saved, int index, lw_agent_id id) {
  const int self = lua_gettop(L);
  const lwl_agent *agent = lua_touserdata(L, self);
  const lwl_box *journey = NULL;
  lw_saved_agent from;
  lw_saved_get_agent(saved, index, &from);
  if (*from.journey && lwl_push_layers(L, from.journey))
    journey = lwl_push_named_profile(L, &(lwl_at){"load", ""}, from.journey);
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, "load"));
  lw_agent_restore_journey(world, id, saved, index, journey ? journey->object : NULL);
  lw_agent_state state;
  if (!agent->hold || lw_agent_get_state(world, id, &state) != LW_OK || !state.journey) return;
  lwl_hold_journey(agent->hold, journey);
  lua_createtable(L, 0, 1);
  lwl_set_string(L, "profile", from.journey);
  lua_setiuservalue(L, self, LWL_AGENT_JOURNEY);
}

/// Call a method of the object on top of the stack with the value below it, and pop both. Pushes what it returns.
static void call_with(lua_State *L, const char *method) {
  lua_getfield(L, -1, method);
  lua_insert(L, -3);
  lua_insert(L, -2);
  lua_call(L, 2, 1);
}

/// Push an agent spawned by world:spawn() with the options on top of the stack, which are popped.
static void push_agent(lua_State *L) {
  lua_pushvalue(L, 1);
  call_with(L, "spawn");
}

/// Push an agent whose profile may not enter the ground on which it stands, as lw_agent_set_profile() left it: it is
/// spawned as one that may enter any. Pops the options to spawn it with. nil: there is no ground at all.
static void push_stranded(lua_State *L) {
  const int options = lua_gettop(L);
  lua_getfield(L, options, "profile");
  lua_createtable(L, 0, 4);
  lwl_set_number(L, "radius", 0);
  lwl_set_number(L, "height", 0.01);
  lwl_set_number(L, "climb", 10);
  lwl_set_bool(L, "can_swim", true);
  lua_setfield(L, options, "profile");
  lua_pushvalue(L, options);
  push_agent(L);
  if (luaL_testudata(L, -1, LWL_AGENT)) {
    lua_pushvalue(L, options + 1);
    lua_pushvalue(L, -2);
    call_with(L, "set_profile");
    lua_pop(L, 1);
  }
  lua_pushvalue(L, options + 1);
  lua_setfield(L, options, "profile");
  lua_replace(L, options);
  lua_settop(L, options);
}

/// Push the list of the agents, spawned by world:spawn() with the options at index; false for one that failed.
static void push_spawned(lua_State *L, const lw_saved *saved, int options) {
  const int count = lw_saved_agent_count(saved);
  lua_createtable(L, count, 0);
  const int list = lua_gettop(L);
  for (int i = 0; i < count; ++i) {
    lua_rawgeti(L, options, i + 1);
    push_agent(L);
    if (!luaL_testudata(L, -1, LWL_AGENT)) {
      lua_pop(L, 1);
      lua_rawgeti(L, options, i + 1);
      push_stranded(L);
    }
    const int agent = lua_gettop(L);
    const lw_agent_id *id = luaL_testudata(L, -1, LWL_AGENT);
    if (id)
      restore_agent(L, saved, i, *id);
    else
      lua_pushboolean(L, 0);
    if (id) lua_settop(L, agent);
    lua_rawseti(L, list, i + 1);
    lua_settop(L, list);
  }
}

/// Push the table that says at which place in the file agents are.
static void push_places(lua_State *L, const lw_world *world) {
  lua_Integer place = 0;
  lua_newtable(L);
  for (lw_agent_id id = lw_agent_next(world, lw_agent_id_none()); !lw_agent_id_is_none(id);
       id = lw_agent_next(world, id)) {
    lua_pushinteger(L, ++place);
    lua_rawseti(L, -2, lwl_id_key(&id));
  }
}

/// Let the leaves of the world at index 1 find the table on top of the stack while they save or load.
static void set_saving(lua_State *L) {
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, LWL_WORLD_SAVING);
}
static void unset_saving(lua_State *L) {
  lua_pushnil(L);
  lua_setiuservalue(L, 1, LWL_WORLD_SAVING);
}

/*
** world:save(file) --> true | nil, message, code
*/
static int save(lua_State *L) {
  lwl_refuse_in_sandbox(L, "save");
  lwl_world *self = lwl_check_world(L, 1, "save");
  const char *file = lwl_check_file(L, "save", 2);
  if (self->inside > 0) lwl_raise(L, "save", "called from inside a step or a leaf");
  lua_settop(L, 2);
  push_places(L, lwl_c_world(self));
  set_saving(L);
  size_t size;
  const void *boards = lwl_push_packed_boards(L, 1, 3, &size);
  lw_error error = {0};
  self = lwl_check_world(L, 1, "save"); /* a finaliser may have destroyed it */
  lwl_enter(self, L);
  error.status = lw_world_save_with(lwl_c_world(self), file, boards, size, &error);
  lwl_leave(self);
  lwl_forget_gone(L, self, 1);
  unset_saving(L);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, "save", &error);
  lua_pushboolean(L, 1);
  return 1;
}

/// What the script has given to agents beside the file counts over that. @param options  Of the list of them.
static void give_again(lua_State *L, int agents, int options) {
  const int top = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, agents); ++i) {
    lua_settop(L, top);
    lua_rawgeti(L, agents, i);
    lua_rawgeti(L, options, i);
    if (!lua_isuserdata(L, top + 1) || lwl_get(L, top + 2, "blackboard") != LUA_TTABLE) continue;
    lua_getiuservalue(L, top + 1, LWL_AGENT_BLACKBOARD);
    for (lua_pushnil(L); lua_next(L, top + 3);) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_settable(L, top + 4);
    }
  }
  lua_settop(L, top);
}

/// Blackboards, and where trees were. @param agents  Of the list of the agents that were spawned.
static lw_status restore_trees(lua_State *L, const lw_saved *saved, int agents, lw_error *error) {
  const int top = lua_gettop(L), lost = top + 1;
  size_t size;
  const void *boards = lw_saved_data(saved, &size);
  lua_pushvalue(L, agents);
  set_saving(L);
  lua_settop(L, top);
  if (boards && !lwl_unpack_boards(L, 1, agents, boards, size)) {
    snprintf(error->text, sizeof error->text, "the file is damaged: its blackboards cannot be read");
    lua_settop(L, top);
    unset_saving(L);
    return LW_BAD_FILE;
  }
  lwl_world *self = lwl_check_world(L, 1, "load");
  lwl_enter(self, L);
  const lw_status status = lw_world_restore_trees(lwl_c_world(self), saved, error);
  lwl_leave(self);
  lwl_forget_gone(L, self, 1);
  unset_saving(L);
  if (!self->box.object) return status;
  if (boards) lwl_drop_lost(L, 1, lost);
  give_again(L, agents, agents - 1);
  lua_settop(L, top);
  return status;
}

/*
** world:load(file [, { agent = function(options) }]) --> list of agents | nil, message, code
*/
static int load(lua_State *L) {
  lwl_refuse_in_sandbox(L, "load");
  static const char *const keys[] = {"agent", NULL};
  const lwl_at at = {"load", ""};
  lwl_world *self = lwl_check_world(L, 1, at.where);
  const char *file = lwl_check_file(L, at.where, 2);
  if (self->inside > 0) lwl_raise(L, at.where, "called from inside a step or a leaf");
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) {
    lwl_check_table(L, at.where, 3);
    lwl_check_keys(L, &at, 3, keys);
    const int type = lwl_get(L, 3, "agent");
    if (type != LUA_TNIL && type != LUA_TFUNCTION) lwl_raise_expected(L, &at, "agent", "a function", -1);
    lua_replace(L, 3);
  }
  lwl_box *box = lwl_new_box(L, LWL_SAVED, sizeof *box, 0, destroy, NULL);
  lw_saved *saved = NULL;
  lw_error error = {0};
  error.status = lw_saved_open(file, NULL, &saved, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lwl_fill_box(box, saved);
  if (!push_all_options(L, saved)) return lwl_fail(L, LW_NOT_FOUND, lua_tostring(L, -1));
  self = lwl_check_world(L, 1, at.where); /* the function may have destroyed it */
  for (lwl_hold *hold = self->first_hold; hold; hold = hold->next) lwl_note_gone(self, hold);
  lwl_enter(self, L);
  error.status = lw_world_restore(lwl_c_world(self), saved, &error);
  lwl_leave(self);
  lwl_forget_gone(L, self, 1);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lwl_forget_waiting(L, self, 1);
  push_spawned(L, saved, 5);
  error.status = restore_trees(L, saved, lua_gettop(L), &error);
  lwl_empty_box(box);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  return 1;
}

const luaL_Reg lwl_save_methods[] = {{"save", save}, {"load", load}, {NULL, NULL}};

void lwl_open_save(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}}, meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
  lwl_new_type(L, LWL_SAVED, none, meta, NULL);
}
