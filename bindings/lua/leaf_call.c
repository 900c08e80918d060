/*
** The short way to `start` and `tick` of leaves: most calls of a step. Tables that are looked up for each call lie on the
** stack of world:step(), and a function gets no more arguments than it has parameters.
*/
#include "agent.h"
#include "leaf.h"

#include <string.h>

/// On the stack of world:step(), behind the table of agents.
enum { LEAVES = 1, HANDLER };

void lwl_push_step_tables(lua_State *L, lwl_world *world) {
  lua_getiuservalue(L, 1, LWL_WORLD_AGENTS);
  world->agents_of = L;
  world->agents_index = lua_gettop(L);
  lua_pushnil(L);
  world->leaves_of = NULL;
  lua_pushcfunction(L, lwl_add_place);
}

/// What a leaf answered, if that is plain. @return false: lwl_read_leaf_answer() is to look at it.
static bool read_plain(lua_State *L, lwl_leaf_run *run, int answer, int leaf) {
  size_t length = 0, reason_length = 0;
  const char *text = lua_type(L, answer) == LUA_TSTRING ? lua_tolstring(L, answer, &length) : "";
  if (length != 7) return false; /* as all three have */
  if (memcmp(text, "success", 7) == 0) return run->status = LW_SUCCESS, true;
  const int other = lua_type(L, answer + 1);
  if (memcmp(text, "failure", 7) == 0) {
    const char *reason = other == LUA_TSTRING ? lua_tolstring(L, answer + 1, &reason_length) : NULL;
    if (reason && strlen(reason) != reason_length) return false;
    run->status = LW_FAILURE;
    lw_agent_note_failure(run->of, run->agent, run->call->node, reason);
    return true;
  }
  if (memcmp(text, "running", 7) != 0 || lua_rawgeti(L, leaf, LWL_LEAF_TICK) != LUA_TFUNCTION) return false;
  const double seconds = other == LUA_TNIL ? 0 : other == LUA_TNUMBER ? lua_tonumber(L, answer + 1) : -1;
  if (!(seconds >= 0)) return false;
  run->status = LW_RUNNING;
  run->call->wake += seconds;
  return true;
}

/// Push the leaf that is to be called.
/// @return false: the agent is unknown, or its tree is to be replaced by the one that its userdata has.
static bool push_leaf(lua_State *L, const lwl_leaf_run *run) {
  lwl_world *self = run->world;
  const lw_tree *tree = lw_agent_tree(run->of, run->agent);
  const int leaves = self->agents_index + LEAVES;
  if (self->leaves_of != tree) {
    self->leaves_of = NULL;
    lua_rawgeti(L, self->agents_index, lwl_id_key(&run->agent));
    const lwl_agent *agent = lua_touserdata(L, -1);
    if (!agent || agent->tree != tree) return false;
    lua_getiuservalue(L, -1, LWL_AGENT_TREE);
    if (lua_getiuservalue(L, -1, 1) != LUA_TTABLE) return false;
    lua_replace(L, leaves);
    lua_pop(L, 2);
    self->leaves_of = tree;
  }
  return lua_rawgeti(L, leaves, run->call->leaf & LWL_LEAF_NUMBER) == LUA_TTABLE;
}

/// Push the function for the event and its arguments, behind the leaf at index.
/// @return Their count; -1: there is no function, or it has no state yet.
static int push_call(lua_State *L, const lwl_leaf_run *run, int leaf) {
  const lw_leaf_call *call = run->call;
  if (lwl_push_leaf_function(L, leaf, call->event) != LUA_TFUNCTION) return -1;
  if (!(call->leaf & LWL_NEEDS_AGENT)) return 0;
  if (lua_rawgeti(L, run->world->agents_index, lwl_id_key(&run->agent)) != LUA_TUSERDATA) return -1;
  if (!(call->leaf & LWL_NEEDS_OPTIONS)) return 1;
  lua_rawgeti(L, leaf, LWL_LEAF_OPTIONS);
  if (!(call->leaf & LWL_NEEDS_STATE)) return 2;
  lua_getiuservalue(L, leaf + 2, LWL_AGENT_STATES);
  if (lua_rawgeti(L, -1, call->node) != LUA_TTABLE) return -1;
  lua_replace(L, -2);
  return 3;
}

/// Call the function, with that many arguments above the leaf at index, and read its answer.
static void call_function(lua_State *L, lwl_leaf_run *run, int leaf, int arguments) {
  lwl_world *self = run->world;
  lwl_budget budget;
  run->budget = &budget;
  lwl_begin_budget(L, self->calls, &budget, self->leaf_instructions);
  budget.function = lwl_leaf_function_name(run->call);
  bool good = lua_pcall(L, arguments, 2, self->agents_index + HANDLER) == LUA_OK;
  const char *overrun = lwl_end_budget(L, self->calls, &budget);
  self->L = L;
  if (good && !overrun && !read_plain(L, run, leaf + 1, leaf)) {
    lua_settop(L, leaf + 2);
    lua_pushcfunction(L, lwl_read_leaf_answer);
    lua_pushlightuserdata(L, run);
    lua_pushvalue(L, leaf);
    lua_pushvalue(L, leaf + 1);
    lua_pushvalue(L, leaf + 2);
    good = lua_pcall(L, 4, 0, 0) == LUA_OK;
  }
  if (!good || overrun) lwl_fail_leaf(L, run, overrun);
}

bool lwl_call_leaf_directly(lua_State *L, lwl_leaf_run *run) {
  const lwl_world *self = run->world;
  const lw_leaf_call *call = run->call;
  if (self->inside != 1 || self->agents_of != L) return false;
  if ((call->event != LW_LEAF_START || call->leaf & LWL_NEEDS_STATE) && call->event != LW_LEAF_TICK)
    return false;
  const int top = lua_gettop(L);
  const int arguments = push_leaf(L, run) ? push_call(L, run, top + 1) : -1;
  if (arguments >= 0) call_function(L, run, top + 1, arguments);
  lua_settop(L, top);
  return arguments >= 0;
}
