/*
** How agents look between two steps.
*/
#include "agent.h"

/*
** agent:pose([alpha]) --> { position =, heading =, speed =, turn_rate =, stance =, pace =, link =, link_progress = ,
**   trailer_heading = }
*/
static int pose(lua_State *L) {
  const lwl_at at = {"pose", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  const double alpha = lua_isnil(L, 2) ? 1 : lwl_check_number(L, &at, "alpha", 2, &lwl_fraction);
  lw_pose pose = {0};
  lw_agent_pose(me.world, me.id, (float)alpha, &pose);
  lua_createtable(L, 0, 8);
  lwl_set_vec3(L, "position", pose.position);
  lwl_set_number(L, "heading", (double)pose.heading);
  lwl_set_number(L, "speed", (double)pose.speed);
  lwl_set_number(L, "turn_rate", (double)pose.turn_rate);
  if (lw_profile_get_def(me.state.profile)->body.trailer.length > 0)
    lwl_set_number(L, "trailer_heading", (double)pose.trailer_heading);
  lua_pushstring(L, lw_profile_get_stance(me.state.profile, pose.stance)->name);
  lua_setfield(L, -2, "stance");
  lua_pushstring(L, lw_pace_name(pose.pace));
  lua_setfield(L, -2, "pace");
  if (pose.link == LW_LINK_NONE) return 1;
  lua_pushstring(L, lw_link_kind_name(pose.link));
  lua_setfield(L, -2, "link");
  lwl_set_number(L, "link_progress", (double)pose.link_progress);
  return 1;
}

const luaL_Reg lwl_pose_agent_methods[] = {{"pose", pose}, {NULL, NULL}};
