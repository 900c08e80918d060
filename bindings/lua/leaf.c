/*
** Leaves: the executor calls, Lua answers. No Lua error leaves this file.
*/
#include "lwl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct leaf_run {
  lwl_world *world;
  lw_agent_id agent;
  lw_leaf_call *call;
  lw_node_status status;
} leaf_run;

/// Stack of call_leaf().
enum { RUN = 1, WORLD, AGENT, TREE, LEAVES, LEAF, STATES, STATE };

/// Raise with the place where the leaf's function, on top of the stack, is written.
static _Noreturn void raise_in_function(lua_State *L, const char *message) {
  lua_Debug info;
  lua_getinfo(L, ">S", &info);
  luaL_error(L, "%s:%d: %s", info.short_src, info.linedefined, message);
  __builtin_unreachable();
}

static void read_running(lua_State *L, leaf_run *run, int seconds, int function) {
  run->status = LW_RUNNING;
  lua_rawgeti(L, LEAF, LWL_LEAF_TICK);
  if (!lua_isfunction(L, -1)) {
    lua_pushvalue(L, function);
    raise_in_function(L, "returned 'running', but the leaf has no 'tick'");
  }
  if (lua_isnil(L, seconds)) return;
  const double sleep = lua_type(L, seconds) == LUA_TNUMBER ? lua_tonumber(L, seconds) : -1;
  if (!(sleep >= 0)) {
    const char *got = lwl_describe(L, seconds);
    const char *message =
        lua_pushfstring(L, "returned 'running', %s: expected seconds to sleep, at least 0", got);
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
  run->call->wake += sleep;
}

/// Understand "success" | "failure", reason | "running", seconds.
static void read_answer(lua_State *L, leaf_run *run, int answer, int function) {
  const char *text = lua_type(L, answer) == LUA_TSTRING ? lua_tostring(L, answer) : "";
  if (strcmp(text, "success") == 0) {
    run->status = LW_SUCCESS;
  } else if (strcmp(text, "failure") == 0) {
    run->status = LW_FAILURE;
    if (lua_type(L, answer + 1) == LUA_TSTRING)
      lw_agent_set_reason(lwl_c_world(run->world), run->agent, lua_tostring(L, answer + 1));
  } else if (strcmp(text, "running") == 0) {
    read_running(L, run, answer + 1, function);
  } else {
    const char *got = lwl_describe(L, answer);
    const char *message = lua_pushfstring(L, "returned %s: expected 'success', 'failure' or 'running'", got);
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
}

/// Push this activation's state; START makes it, STOP drops it.
static void push_state(lua_State *L, const lw_leaf_call *call) {
  if (call->event == LW_LEAF_START) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, STATES, call->node);
    return;
  }
  lua_rawgeti(L, STATES, call->node);
  if (call->event != LW_LEAF_STOP) return;
  lua_pushnil(L);
  lua_rawseti(L, STATES, call->node);
}

static void push_function(lua_State *L, lw_leaf_event event) {
  lua_rawgeti(L, LEAF,
              event == LW_LEAF_START  ? LWL_LEAF_START
              : event == LW_LEAF_TICK ? LWL_LEAF_TICK
                                      : LWL_LEAF_STOP);
  if (event != LW_LEAF_START || lua_isfunction(L, -1)) return;
  lua_pop(L, 1);
  lua_rawgeti(L, LEAF, LWL_LEAF_TICK);
}

/// In protected mode: call the leaf's function.
static int call_leaf(lua_State *L) {
  static const char *const ends[] = {"success", "failure", "aborted"};
  leaf_run *run = lua_touserdata(L, RUN);
  const lw_leaf_call *call = run->call;
  if (!lwl_push_agent(L, WORLD, run->agent)) return luaL_error(L, "the agent is unknown");
  lua_getiuservalue(L, AGENT, LWL_AGENT_TREE);
  lua_getiuservalue(L, TREE, 1);
  lua_rawgeti(L, LEAVES, call->leaf);
  lua_getiuservalue(L, AGENT, LWL_AGENT_STATES);
  push_state(L, call);
  push_function(L, call->event);
  const int function = STATE + 1;
  if (!lua_isfunction(L, function)) return 0; /* nothing to stop */
  lua_pushvalue(L, function);
  lua_pushvalue(L, AGENT);
  lua_rawgeti(L, LEAF, LWL_LEAF_OPTIONS);
  lua_pushvalue(L, STATE);
  if (call->event == LW_LEAF_STOP) {
    lua_pushstring(L, ends[call->end]);
    lua_call(L, 4, 0);
  } else {
    lua_call(L, 3, 2);
    lwl_enter(run->world, L, WORLD);
    read_answer(L, run, function + 1, function);
  }
  return 0;
}

/// Message handler: text that begins with file:line, whatever was raised.
static int add_place(lua_State *L) {
  const bool is_text = lua_type(L, 1) == LUA_TSTRING;
  const char *message = is_text ? lua_tostring(L, 1) : luaL_tolstring(L, 1, NULL);
  lua_Debug info;
  for (int level = 1; lua_getstack(L, level, &info); ++level) {
    lua_getinfo(L, "Sl", &info);
    if (info.currentline <= 0) continue;
    if (strncmp(message, info.short_src, strlen(info.short_src)) == 0) break;
    if (is_text && strstr(message, ".lua:")) break; /* raised elsewhere: it has a place */
    lua_pushfstring(L, "%s:%d: %s", info.short_src, info.currentline, message);
    return 1;
  }
  lua_pushstring(L, message);
  return 1;
}

/// Say which agent failed where. Allocates nothing in Lua.
static void report(lua_State *L, leaf_run *run) {
  lw_world *world = lwl_c_world(run->world);
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
  char line[512], path[256] = "";
  snprintf(line, sizeof line, "%s", message);
  for (char *c = line; *c; ++c)
    if (*c == '\n' || *c == '\r') *c = ' ';
  const lw_tree *tree = lw_agent_tree(world, run->agent);
  if (tree) lw_tree_node_path(tree, run->call->node, path, sizeof path);
  lw_agent_set_reason(world, run->agent, line);
  lw_world_log(world, LW_LOG_ERROR, "%s, agent %u: %s", path, lwl_agent_number(run->agent), line);
}

lw_node_status lwl_run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  (void)world;
  lwl_world *self = user;
  lua_State *L = self->L;
  const int index = self->self;
  leaf_run run = {self, agent, call, LW_FAILURE};
  if (!lua_checkstack(L, LUA_MINSTACK)) return LW_FAILURE;
  const int top = lua_gettop(L);
  lua_pushcfunction(L, add_place);
  lua_pushcfunction(L, call_leaf);
  lua_pushlightuserdata(L, &run);
  lua_pushvalue(L, index);
  const int status = lua_pcall(L, 2, 0, top + 1);
  lwl_enter(self, L, index);
  if (status != LUA_OK) {
    run.status = LW_FAILURE;
    report(L, &run);
  }
  lua_settop(L, top);
  return run.status;
}
