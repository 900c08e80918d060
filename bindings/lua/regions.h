/// Regions: what their files share.
#ifndef LWL_REGIONS_H
#define LWL_REGIONS_H

#include "lwl.h"

#define LWL_REGIONS "leeward.regions"
extern const luaL_Reg lwl_region_methods[];
void lwl_open_regions(lua_State *L);

/// Push the regions of a navmesh, divided by its defaults. @param index  Of the navmesh's box.
void lwl_push_default_regions(lua_State *L, const char *where, int index);
/// Push the table of a room with its doors. @param room  From 0.
/// @param open  By door, which are open now. NULL: the doors do not say.
void lwl_push_room(lua_State *L, const lw_regions *regions, int room, const bool *open);
/// Set a field of the table on top to the name of a room that has one.
void lwl_set_room_name(lua_State *L, const char *key, const lw_regions *regions, int room);
/// Read the list of rooms at index: their numbers, names, or points in them. They stay on the stack.
int *lwl_check_rooms(lua_State *L, const lwl_at *at, const lw_regions *regions, const char *key, int index,
                     int *count);
/// Push the regions of a navmesh of the world at index, which are created if there are none.
const lw_regions *lwl_push_regions_of(lua_State *L, const char *where, int index, int navmesh);
/// world:plan_regions(), of region_plan.c.
int lwl_plan_regions(lua_State *L);
void lwl_open_region_plan(lua_State *L);
/// path:regions(), of region_world.c.
int lwl_path_regions(lua_State *L);

#endif
