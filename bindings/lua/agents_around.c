/*
** The agents near a point.
*/
#include "agent.h"

#include <string.h>

/*
** world:agents_around{ at =, radius =, team =, profile =, except = } --> list in the order they were spawned
*/
static int agents_around(lua_State *L) {
  static const char *const keys[] = {"at", "radius", "team", "profile", "except", NULL};
  const lwl_at at = {"agents_around", ""};
  lua_settop(L, 2);
  lwl_world *self = lwl_check_world(L, 1, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_agents_query query = lw_agents_query_default();
  lwl_need_place(L, &at, 2, "at", &query.at);
  lwl_opt_float(L, &at, 2, "radius", &lwl_metres_not_negative, &query.radius);
  lwl_opt_string(L, &at, 2, "team", &query.team);
  const char *profile = NULL;
  lwl_opt_string(L, &at, 2, "profile", &profile);
  query.except = lwl_opt_agent(L, &at, 2, "except", 1);
  const lw_world *world = lwl_c_world(self);
  int count = lw_agents_around(world, &query, NULL, 0);
  if (count < 0) count = 0; /* a distance beyond what floats hold finds nothing */
  lw_agent_id *ids = lua_newuserdatauv(L, (size_t)(count > 0 ? count : 1) * sizeof *ids, 0);
  const int found = lw_agents_around(world, &query, ids, count);
  if (found < count) count = found < 0 ? 0 : found; /* a finaliser may have despawned some */
  lua_createtable(L, count, 0);
  for (int i = 0, listed = 0; i < count; ++i) {
    lw_agent_state state;
    if (!self->box.object || lw_agent_get_state(lwl_c_world(self), ids[i], &state) != LW_OK) continue;
    if (profile && strcmp(lw_profile_get_def(state.profile)->name, profile) != 0) continue;
    if (lwl_push_agent(L, 1, ids[i]))
      lua_rawseti(L, -2, ++listed);
    else
      lua_pop(L, 1);
  }
  return 1;
}

const luaL_Reg lwl_around_world_methods[] = {{"agents_around", agents_around}, {NULL, NULL}};
