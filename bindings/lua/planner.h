/// Paths that are asked for: options of queries, and their results.
#ifndef LWL_PLANNER_H
#define LWL_PLANNER_H

#include "lwl.h"

/// A query that was read.
typedef struct lwl_path_ask {
  lw_path_query query;
  int threats, profile; ///< Stack indices of what it borrows; nil: nothing.
  bool has_no_goal;     ///< The list of goals is empty.
} lwl_path_ask;
/// Read the query in the table at index 2, for the world at index 1. Leaves what it borrows on the stack.
/// @param more, last  Two more keys that the table may have. NULL: none.
lwl_path_ask lwl_read_path_query(lua_State *L, const lwl_at *at, const char *more, const char *last);
/// Push an empty path. It keeps what path:explain() needs alive, except for the world.
/// @param world_list  Index of its LWL_WORLD_WEAK. @param threats, profile  Indices of what its query borrows.
lwl_path *lwl_push_path(lua_State *L, int world_list, int threats, int profile);
/// Return what came of a search: the path on top of the stack, which is filled, or nil, message, code.
int lwl_path_result(lua_State *L, const char *where, lwl_path *self, lw_status status, lw_path *path);

/// lw_world_def.answered, with the lwl_world as `user`.
void lwl_run_answered(void *user, lw_world *world, lw_request_id request);
/// The world is gone: end its searches.
void lwl_cancel_searches(lwl_world *world);
/// Read `priority` of a request or a journey.
void lwl_opt_priority(lua_State *L, const lwl_at *at, int table, int *priority);
/// Read `search_work`, `threads` and `walk_ahead` of a world's definition.
void lwl_opt_planner(lua_State *L, const lwl_at *at, int table, lw_world_def *def);
void lwl_open_planner(lua_State *L);
extern const luaL_Reg lwl_planner_methods[];

#endif
