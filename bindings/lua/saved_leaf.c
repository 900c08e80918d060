/*
** What leaves in Lua save of their state, and how they go on with it.
*/
#include "agent.h"
#include "plain.h"
#include "tree.h"

#include "core/text.h"

/// A call of lwl_run_saved_leaf().
typedef struct saved_call {
  lwl_world *self;
  lw_world *world;
  lw_agent_id agent;
  lw_leaf_call *call;
  lw_node_status status;
} saved_call;

/// Stack of lwl_answer_saved().
enum { CALL = 1, WORLD, AGENT, LEAF, STATES };

/// What the last leaf has saved stays until the next one does.
static const char packed_key = 'p';

static void save_leaf(lua_State *L, saved_call *run) {
  if (lua_rawgeti(L, LEAF, LWL_LEAF_SAVE) == LUA_TFUNCTION) {
    lua_pushvalue(L, AGENT);
    lua_rawgeti(L, LEAF, LWL_LEAF_OPTIONS);
    lua_rawgeti(L, STATES, run->call->node);
    lua_call(L, 3, 1);
    if (lua_isnil(L, -1)) return; /* it starts again */
  } else {
    lua_rawgeti(L, STATES, run->call->node);
  }
  const int value = lua_gettop(L);
  lua_getiuservalue(L, WORLD, LWL_WORLD_SAVING);
  lwl_packer packer = lwl_begin_pack(L, WORLD, value + 1);
  if (!lwl_pack(L, &packer, value))
    luaL_error(
        L,
        "what it saves: %s, expected plain data: numbers, strings, booleans, points, agents, threats, covers "
        "and tables of these",
        packer.wrong);
  run->call->data = lwl_packed(L, &packer);
  run->call->size = packer.size;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &packed_key);
  run->status = LW_SUCCESS;
}

static void load_leaf(lua_State *L, saved_call *run) {
  const unsigned char *data = run->call->data;
  lua_getiuservalue(L, WORLD, LWL_WORLD_SAVING);
  lwl_unpacker from = {.at = data, .end = data + run->call->size, .world = WORLD, .agents = lua_gettop(L)};
  if (!data || !lwl_unpack(L, &from)) luaL_error(L, "what it has saved is damaged");
  const int value = lua_gettop(L);
  if (lua_rawgeti(L, LEAF, LWL_LEAF_LOAD) != LUA_TFUNCTION) {
    if (!lua_istable(L, value)) luaL_error(L, "it has saved %s, but has no 'load'", lwl_describe(L, value));
    lua_pushvalue(L, value);
    lua_rawseti(L, STATES, run->call->node);
  } else {
    lua_newtable(L);
    const int state = lua_gettop(L);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, AGENT);
    lua_rawgeti(L, LEAF, LWL_LEAF_OPTIONS);
    lua_pushvalue(L, state);
    lua_pushvalue(L, value);
    lua_call(L, 4, 1);
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) return;
    lua_pushvalue(L, state);
    lua_rawseti(L, STATES, run->call->node);
  }
  run->status = LW_SUCCESS;
}

/// In protected mode: call, world.
int lwl_answer_saved(lua_State *L) {
  saved_call *run = lua_touserdata(L, CALL);
  if (!lwl_push_agent(L, WORLD, run->agent)) return 0;
  lua_getiuservalue(L, AGENT, LWL_AGENT_TREE);
  lua_getiuservalue(L, -1, 1);
  lua_rawgeti(L, -1, run->call->leaf & LWL_LEAF_NUMBER);
  lua_replace(L, LEAF);
  lua_settop(L, LEAF);
  lua_getiuservalue(L, AGENT, LWL_AGENT_STATES);
  if (run->call->event == LW_LEAF_SAVE)
    save_leaf(L, run);
  else
    load_leaf(L, run);
  return 0;
}

/// Log the error on top of the stack, with the agent and the node. @param message  Instead of that. NULL: none.
static void report(lua_State *L, const saved_call *run, const char *message) {
  char line[512], path[256] = "";
  if (!message) message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
  lwi_text_show(line, sizeof line, message);
  lw_tree_node_path(lw_agent_tree(run->world, run->agent), run->call->node, path, sizeof path);
  lw_world_log(run->world, LW_LOG_ERROR, "%s, agent %s, %s: %s; the leaf starts again in the loaded world",
               path, LWL_ID_NAME(run->agent), run->call->event == LW_LEAF_SAVE ? "save" : "load", line);
}

lw_node_status lwl_run_saved_leaf(lwl_world *self, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  lua_State *L = self->L;
  if (self->pending) return LW_FAILURE; /* the world was destroyed */
  saved_call run = {self, world, agent, call, LW_FAILURE};
  const int top = lua_gettop(L);
  lua_pushcfunction(L, lwl_add_place);
  lua_pushcfunction(L, lwl_answer_saved);
  lua_pushlightuserdata(L, &run);
  if (lwl_push_world(L, self)) {
    lwl_budget budget;
    lwl_begin_budget(L, self->calls, &budget, &self->leaf_limits);
    budget.function = call->event == LW_LEAF_SAVE ? "the leaf's save" : "the leaf's load";
    const bool good = lua_pcall(L, 2, 0, top + 1) == LUA_OK;
    const char *overrun = lwl_end_budget(L, self->calls, &budget);
    self->L = L;
    if (!good || overrun) {
      run.status = LW_FAILURE;
      report(L, &run, overrun);
    }
  }
  lua_settop(L, top);
  return run.status;
}
