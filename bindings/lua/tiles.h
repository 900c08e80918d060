/// Navmeshes of a world that change as a whole.
#ifndef LWL_TILES_H
#define LWL_TILES_H

#include "lwl.h"

/// Release navmeshes of the world at index that others have replaced. Allocates nothing.
void lwl_settle_navmeshes(lua_State *L, lwl_world *world, int index);
/// Apply rebuilds of the world at index whose step has come: waits for those that are not done.
void lwl_apply_rebuilds(lua_State *L, lwl_world *world, int index);
/// The world is gone: let its rebuilds end.
void lwl_cancel_rebuilds(lwl_world *world);

/// Read what world:rebuild() has in common with leeward.rebuild() from the table at index 2 (bake.c).
lw_bake_settings lwl_read_rebuild(lua_State *L, const lwl_at *at, lw_box *box);

#endif
