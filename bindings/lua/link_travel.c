/*
** What agents do with off-mesh links: what listens to it, and how a script holds an agent there.
*/
#include "agent.h"
#include "id.h"
#include "sandbox.h"

#include <string.h>

// --- listeners -----------------------------------------------------------------------------------------------

/*
** world:on_link(f)
** Adds f(agent, event, link, kind), called when an agent begins a link and when it is at its end. "wait" from the
** beginning holds the agent until agent:finish_link(). nil: removes all.
*/
static int on_link(lua_State *L) {
  const lwl_at at = {"on_link", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_setiuservalue(L, 1, LWL_WORLD_LINK_LISTENERS);
    return 0;
  }
  if (!lua_isfunction(L, 2)) lwl_raise_expected(L, &at, "f", "a function or nil", 2);
  if (lua_getiuservalue(L, 1, LWL_WORLD_LINK_LISTENERS) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, LWL_WORLD_LINK_LISTENERS);
  }
  lua_pushvalue(L, 2);
  lwl_guard_function(L);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  return 0;
}

/// What a listener is called for.
typedef struct link_call {
  lw_agent_id agent;
  const lw_link_step *step;
  bool waits; ///< A listener has said so.
} link_call;

static const char *event_of(const link_call *call) {
  return call->step->event == LW_LINK_BEGIN ? "begin" : "end";
}

/// In protected mode: call the listener. Arguments: call, listener, world.
static int call_listener(lua_State *L) {
  link_call *call = lua_touserdata(L, 1);
  lua_settop(L, 3);
  if (!lwl_push_agent(L, 3, call->agent)) return 0; /* no script has its handle */
  lua_pushvalue(L, 2);
  lua_insert(L, 4);
  lua_pushstring(L, event_of(call));
  lwl_push_link(L, 3, call->step->link);
  lua_pushstring(L, lw_link_kind_name(call->step->kind));
  lua_call(L, 4, 1);
  const char *answer = lwl_to_text(L, -1);
  if (answer && strcmp(answer, "wait") == 0 && call->step->event == LW_LINK_BEGIN)
    call->waits = true;
  else if (!lua_isnil(L, -1))
    lwl_raise(L, "on_link", "the listener returned %s, expected %s", lwl_describe(L, -1),
              call->step->event == LW_LINK_BEGIN ? "'wait' or nil" : "nil at the end of a link");
  return 0;
}

/// Call the listener on top of the stack, and log its error. Allocates nothing in Lua itself.
static void run_listener(lua_State *L, lwl_world *self, lw_world *world, link_call *call, int index) {
  char line[LWL_ERROR_LINE];
  lua_pushlightuserdata(L, call);
  lua_insert(L, -2);
  lua_pushvalue(L, index);
  if (lwl_call_listener(L, self, call_listener, 3, "the listener to links", line)) return;
  lw_world_log(world, LW_LOG_ERROR, "on_link, agent %s, '%s': %s", LWL_ID_NAME(call->agent), event_of(call),
               line);
}

bool lwl_run_linked(void *user, lw_world *world, lw_agent_id agent, const lw_link_step *step) {
  lwl_world *self = user;
  lua_State *L = self->L;
  link_call call = {agent, step, false};
  const int top = lua_gettop(L), index = top + 1, list = top + 2;
  if (self->pending || !lua_checkstack(L, LUA_MINSTACK)) return false;
  if (lwl_push_world(L, self) && lua_getiuservalue(L, index, LWL_WORLD_LINK_LISTENERS) == LUA_TTABLE) {
    // Without those that listeners add.
    const lua_Integer count = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer i = 1; i <= count && !self->pending; ++i) {
      lua_settop(L, list);
      lua_getiuservalue(L, index, LWL_WORLD_LINK_LISTENERS);
      if (!lua_rawequal(L, -1, list)) break; /* a listener has removed all */
      lua_rawgeti(L, list, i);
      run_listener(L, self, world, &call, index);
    }
  }
  lua_settop(L, top);
  return call.waits;
}

const luaL_Reg lwl_link_travel_methods[] = {{"on_link", on_link}, {NULL, NULL}};

// --- agents --------------------------------------------------------------------------------------------------

/*
** agent:finish_link() --> false: it is on no link
** It is at the end of the link that it is on, in the next step.
*/
static int finish_link(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "finish_link");
  lua_pushboolean(L, lw_agent_finish_link(me.world, me.id) == LW_OK);
  return 1;
}

/*
** agent:waits_for_link() --> the link that it waits for as others are on it | nil
*/
static int waits_for_link(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "waits_for_link");
  lwl_push_link(L, me.index, me.state.waits_for);
  return 1;
}

const luaL_Reg lwl_link_agent_methods[] = {
    {"finish_link", finish_link}, {"waits_for_link", waits_for_link}, {NULL, NULL}};
