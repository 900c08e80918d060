/*
** What the `run` of a leaf waits with. These functions yield, so that they are not registered as calls; they hold
** nothing of the world while they wait.
*/
#include "agent.h"

#include <math.h>

/// Raise unless the function runs in the coroutine of a leaf.
static void check_waiting(lua_State *L, const lwl_self *me, const char *where) {
  if (me->box->waiting != L)
    lwl_raise(L, where,
              "called outside of a leaf's 'run', expected a leaf { run = function(agent, options) ... end }");
}

static int wait_on(lua_State *L, int status, lua_KContext context);

static int sleep_for(lua_State *L, double seconds) {
  lua_settop(L, 2);
  lua_pushnumber(L, seconds);
  return lua_yieldk(L, 1, 0, wait_on);
}

/// The time at index 2 may not have come, where the agent was woken.
static int wait_on(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  const lwl_self me = lwl_check_self(L, "wait");
  const double left = lua_tonumber(L, 2) - lw_world_time(me.world);
  return left > 0 && left < (double)INFINITY ? sleep_for(L, left) : 0;
}

/*
** agent:wait([seconds])
** Without seconds: until the agent is woken.
*/
static int wait(lua_State *L) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "wait");
  check_waiting(L, &me, "wait");
  double seconds = (double)INFINITY;
  if (!lua_isnil(L, 2))
    seconds = lwl_check_number(L, &(lwl_at){"wait", ""}, "seconds", 2, &lwl_seconds_not_negative);
  lua_pushnumber(L, lw_world_time(me.world) + seconds);
  lua_replace(L, 2);
  return sleep_for(L, seconds);
}

static bool is_same(lw_vec3 a, lw_vec3 b) {
  return !(fabsf(a.x - b.x) > 0 || fabsf(a.y - b.y) > 0 || fabsf(a.z - b.z) > 0);
}

void lwl_end_walk(lwl_agent *agent, lw_world *world) {
  lw_agent_state state;
  const bool waits = agent->waits_for_walk;
  agent->waits_for_walk = false;
  if (waits && lw_agent_get_state(world, agent->id, &state) == LW_OK && state.move == LW_MOVE_WALKING &&
      is_same(state.goal, agent->walks_to))
    lw_agent_stop(world, agent->id);
}

/// Stack: agent, the goal of the move.
static int walk_on(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "move_to_and_wait");
  const lw_vec3 goal = lwl_check_point(L, "move_to_and_wait", "goal", 2);
  const bool same = is_same(goal, me.state.goal);
  lua_settop(L, 2);
  me.agent->waits_for_walk = false;
  if (me.state.move == LW_MOVE_IDLE) return lwl_fail(L, LW_NO_PATH, "the agent was stopped");
  if (!same) return lwl_fail(L, LW_NO_PATH, "the agent was sent somewhere else");
  if (me.state.move == LW_MOVE_FAILED) return lwl_fail(L, me.state.failure, NULL);
  if (me.state.move == LW_MOVE_ARRIVED) return lua_pushboolean(L, 1), 1;
  me.agent->waits_for_walk = true;
  me.agent->walks_to = goal;
  lua_pushnumber(L, (double)INFINITY);
  return lua_yieldk(L, 1, 0, walk_on);
}

/*
** agent:move_to_and_wait(p [, { within = }]) --> true | nil, message, code
*/
static int move_to_and_wait(lua_State *L) {
  lua_settop(L, 3);
  const lwl_self me = lwl_check_self(L, "move_to_and_wait");
  check_waiting(L, &me, "move_to_and_wait");
  const lw_vec3 goal = lwl_check_point(L, "move_to_and_wait", "goal", 2);
  lua_settop(L, 3);
  lua_getfield(L, 1, "move_to");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_call(L, 3, 3);
  if (!lua_toboolean(L, -3)) return 3;
  lwl_push_vec3(L, goal);
  lua_replace(L, 2);
  return walk_on(L, LUA_YIELD, 0);
}

const luaL_Reg lwl_waiting_agent_methods[] = {
    {"wait", wait}, {"move_to_and_wait", move_to_and_wait}, {NULL, NULL}};
