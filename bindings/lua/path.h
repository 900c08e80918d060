/*
** Paths: what their files share.
*/
#ifndef LWL_PATH_H
#define LWL_PATH_H

#include "lwl.h"

/// path:explain()
int lwl_explain_path(lua_State *L);
/// path:changes() and path:pieces(), of path_changes.c.
int lwl_path_changes(lua_State *L);
int lwl_path_pieces(lua_State *L);
/// Push the world of the path at index 1; nil: it was collected.
void lwl_push_path_world(lua_State *L);
/// Set `link` and `name` of the table on top where the world at index still has the link.
void lwl_set_link(lua_State *L, int index, lw_link_id id);

#endif
