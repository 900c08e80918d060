/// Goals in option tables: one point, or a list of them.
#ifndef LWL_GOALS_H
#define LWL_GOALS_H

#include "lwl.h"

#define LWL_FIELD "leeward.distancefield"
extern const luaL_Reg lwl_distance_field_methods[];
void lwl_open_distance_field(lua_State *L);

#define LWL_ROUTES "leeward.routetable"
extern const luaL_Reg lwl_route_table_methods[];
void lwl_open_route_table(lua_State *L);

/// What an option `to` named.
typedef struct lwl_goals {
  lw_vec3 first;
  const lw_vec3 *list; ///< [count] On the stack, for a list.
  int count;           ///< 0: one point was given, which is `first`.
} lwl_goals;

/// Read `to` of the table at index: a point, or a list of points, for which a value stays on the stack.
/// @return false: the list is empty.
bool lwl_need_goals(lua_State *L, const lwl_at *at, int table, lwl_goals *goals);
/// Return nil, that the list of goals is empty, NO_GOAL.
int lwl_fail_no_goals(lua_State *L);
/// As lwl_fail_near(), for goals none of which is near a navmesh.
/// @param snap  Half size of the box. @param profile  May be NULL.
int lwl_fail_near_goals(lua_State *L, const lwl_goals *goals, lw_vec3 snap, const lw_profile *profile);

#endif
