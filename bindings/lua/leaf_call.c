/*
** How the world calls `start` and `tick` of leaves: most calls of a step. Tables that are looked up for each call lie on the
** stack of world:step(), and a function gets no more arguments than it has parameters.
*/
#include "agent.h"
#include "leaf.h"
#include "sandbox.h"

#include <string.h>

/// On the stack of world:step(), behind the table of agents.
enum { LEAVES = 1, HANDLER };
/// Behind the table of a leaf among the leaves.
enum { START = 1, TICK, OPTIONS };

void lwl_push_step_tables(lua_State *L, lwl_world *world) {
  lua_getiuservalue(L, 1, LWL_WORLD_AGENTS);
  world->agents_of = L;
  world->agents_index = lua_gettop(L);
  lua_pushnil(L);
  world->leaves_of = NULL;
  lua_pushcfunction(L, lwl_add_place);
  for (int i = 0; i < 3; ++i) {                                           /* Lua has short strings once */
    static const char *const words[] = {"failure", "success", "running"}; /* as in lw_node_status */
    lua_pushstring(L, words[i]);
    world->answers[i] = lua_topointer(L, -1);
  }
}

/// What a leaf answered, if that is plain. @return false: lwl_read_leaf_answer() is to look at it.
static bool read_plain(lua_State *L, lwl_leaf_run *run, int answer) {
  lwl_world *self = run->world;
  const void *text = lua_topointer(L, answer);
  if (text == self->answers[LW_SUCCESS]) return run->status = LW_SUCCESS, true;
  const int other = lua_type(L, answer + 1);
  if (text == self->answers[LW_FAILURE]) {
    size_t length = 0;
    const char *reason = other == LUA_TSTRING ? lua_tolstring(L, answer + 1, &length) : NULL;
    if (reason ? strlen(reason) != length : other != LUA_TNIL) return false;
    run->status = LW_FAILURE;
    lw_agent_note_failure(run->of, run->agent, run->call->node, reason);
    return true;
  }
  if (text != self->answers[LW_RUNNING]) return false;
  const lua_Integer tick = (run->call->leaf & LWL_LEAF_NUMBER) + TICK;
  if (lua_rawgeti(L, self->agents_index + LEAVES, tick) != LUA_TFUNCTION) return false;
  const double seconds = other == LUA_TNIL ? 0 : other == LUA_TNUMBER ? lua_tonumber(L, answer + 1) : -1;
  if (!(seconds >= 0)) return false;
  run->status = LW_RUNNING;
  run->call->wake += seconds;
  return true;
}

/// Let the leaves of the tree lie behind the table of agents.
/// @return false: the agent is unknown, or its tree is to be replaced by the one that its userdata has.
static bool bring_leaves(lua_State *L, const lwl_leaf_run *run) {
  lwl_world *self = run->world;
  const lw_tree *tree = run->call->tree;
  if (self->leaves_of == tree) return true;
  self->leaves_of = NULL;
  lua_rawgeti(L, self->agents_index, lwl_id_key(&run->agent));
  const lwl_agent *agent = lua_touserdata(L, -1);
  if (!agent || agent->tree != tree) return false;
  lua_getiuservalue(L, -1, LWL_AGENT_TREE);
  if (lua_getiuservalue(L, -1, LWL_TREE_LEAVES) != LUA_TTABLE) return false;
  lua_replace(L, self->agents_index + LEAVES);
  lua_pop(L, 2);
  self->leaves_of = tree;
  return true;
}

/// Push the function for the event and its arguments, where the stack has `top` values.
/// @return Their count; -1: there is no function, or it has no state yet.
static int push_call(lua_State *L, const lwl_leaf_run *run, int top) {
  const lwl_world *self = run->world;
  const lw_leaf_call *call = run->call;
  const int leaves = self->agents_index + LEAVES;
  const lua_Integer number = call->leaf & LWL_LEAF_NUMBER;
  if (lua_rawgeti(L, leaves, number + (call->event == LW_LEAF_START ? START : TICK)) != LUA_TFUNCTION)
    return -1;
  if (!(call->leaf & LWL_NEEDS_AGENT)) return 0;
  if (lua_rawgeti(L, self->agents_index, lwl_id_key(&run->agent)) != LUA_TUSERDATA) return -1;
  if (!(call->leaf & LWL_NEEDS_OPTIONS)) return 1;
  lua_rawgeti(L, leaves, number + OPTIONS);
  if (!(call->leaf & LWL_NEEDS_STATE)) return 2;
  lua_getiuservalue(L, top + 2, LWL_AGENT_STATES);
  if (lua_rawgeti(L, -1, call->node) != LUA_TTABLE) return -1;
  lua_replace(L, -2);
  return 3;
}

/// Read the answer at index, if read_plain() does not. @return false: the error is on top of the stack.
static bool read_answer(lua_State *L, lwl_leaf_run *run, int answer) {
  if (read_plain(L, run, answer)) return true;
  lua_settop(L, answer + 1);
  lua_pushcfunction(L, lwl_read_leaf_answer);
  lua_pushlightuserdata(L, run);
  lua_rawgeti(L, run->world->agents_index + LEAVES, run->call->leaf & LWL_LEAF_NUMBER);
  lua_pushvalue(L, answer);
  lua_pushvalue(L, answer + 1);
  return lua_pcall(L, 4, 0, 0) == LUA_OK;
}

/// Call the function, with that many arguments where the stack had `top` values, and read its answer. That of a sandbox is
/// called without its guard, in the budget of the leaf.
static void call_function(lua_State *L, lwl_leaf_run *run, int top, int arguments) {
  lwl_world *self = run->world;
  lwl_calls *calls = self->calls;
  lwl_sandbox *before = calls->sandbox, *sandbox = lwl_open_guard(L, top + 1);
  lwl_budget budget;
  run->budget = &budget;
  if (sandbox) lwl_enter_sandbox(L, sandbox);
  lwl_begin_budget(L, calls, &budget, &self->leaf_limits);
  budget.function = lwl_leaf_function_name(run->call);
  bool good = lua_pcall(L, arguments, 2, self->agents_index + HANDLER) == LUA_OK;
  if (sandbox) lwl_set_sandbox(L, calls, before);
  const char *overrun = lwl_end_budget(L, calls, &budget);
  self->L = L;
  if (sandbox && sandbox->excess) overrun = lwl_push_over_memory(L, sandbox);
  if (good && !overrun) good = read_answer(L, run, top + 1);
  if (!good || overrun) lwl_fail_leaf(L, run, overrun);
}

bool lwl_call_leaf_directly(lua_State *L, lwl_leaf_run *run) {
  const lwl_world *self = run->world;
  const lw_leaf_call *call = run->call;
  if (self->inside != 1 || self->agents_of != L) return false;
  if ((call->event != LW_LEAF_START || call->leaf & LWL_NEEDS_STATE) && call->event != LW_LEAF_TICK)
    return false;
  const int top = lua_gettop(L);
  const int arguments = bring_leaves(L, run) ? push_call(L, run, top) : -1;
  if (arguments >= 0) call_function(L, run, top, arguments);
  lua_settop(L, top);
  return arguments >= 0;
}
