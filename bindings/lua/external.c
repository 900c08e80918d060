/*
** How bodies move: by the game, and not, where others are in the way.
*/
#include "agent.h"

static lw_vec3 check_velocity(lua_State *L, const lwl_at *at, int index) {
  const lw_vec3 velocity = lwl_check_point(L, at->where, "velocity", index);
  const double x = (double)velocity.x, y = (double)velocity.y, z = (double)velocity.z;
  if (!(x * x + y * y + z * z <= (double)LW_PROFILE_SPEED_MAX * LW_PROFILE_SPEED_MAX))
    lwl_raise_expected(L, at, "velocity", "at most 1000 m/s", index);
  return velocity;
}

/*
** agent:set_external(position, velocity) --> true | nil, message, code
** agent:set_external(nil) --> true
*/
static int set_external(lua_State *L) {
  const lwl_at at = {"set_external", ""};
  lua_settop(L, 3);
  const lwl_self me = lwl_check_self(L, at.where);
  lua_pushboolean(L, true);
  if (lua_isnil(L, 2)) {
    if (!lua_isnil(L, 3)) lwl_raise_expected(L, &at, "position", "a point where there is a velocity", 2);
    lw_agent_end_external(me.world, me.id);
    return 1;
  }
  const lw_vec3 position = lwl_to_place(L, &at, "position", 2);
  const lw_vec3 velocity = check_velocity(L, &at, 3);
  const lw_status status = lw_agent_set_external(me.world, me.id, position, velocity);
  if (status == LW_OK) return 1;
  const lw_profile_def *def = lw_profile_get_def(me.state.profile);
  if (status == LW_INVALID && def->body.vehicle.wheelbase > 0)
    lwl_raise(L, at.where, "the profile '%s' has a wheelbase: vehicles drive by themselves", def->name);
  if (status == LW_INVALID)
    lwl_raise(L, at.where, "the profile '%s' has no body, expected one with avoidance or acceleration",
              def->name);
  return lwl_fail(L, status, "set_external: no ground near the position");
}

static int is_external(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "is_external");
  lua_pushboolean(L, lw_agent_is_external(me.world, me.id));
  return 1;
}

/*
** agent:desired_velocity() --> vec3
*/
static int desired_velocity(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "desired_velocity");
  lwl_push_vec3(L, lw_agent_desired_velocity(me.world, me.id));
  return 1;
}

/*
** agent:blocked_by() --> agent, seconds | nil
*/
static int blocked_by(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "blocked_by");
  float seconds;
  const lw_agent_id blocker = lw_agent_blocker(me.world, me.id, &seconds);
  if (lw_agent_id_is_none(blocker) || !lwl_push_agent(L, me.index, blocker)) return lua_pushnil(L), 1;
  lua_pushnumber(L, (lua_Number)seconds);
  return 2;
}

const luaL_Reg lwl_external_agent_methods[] = {{"set_external", set_external},
                                               {"is_external", is_external},
                                               {"desired_velocity", desired_velocity},
                                               {"blocked_by", blocked_by},
                                               {NULL, NULL}};
