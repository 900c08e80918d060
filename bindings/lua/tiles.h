/// Navmeshes of a world that change as a whole.
#ifndef LWL_TILES_H
#define LWL_TILES_H

#include "lwl.h"

/// Release navmeshes of the world at index that others have replaced. Allocates nothing.
void lwl_settle_navmeshes(lua_State *L, lwl_world *world, int index);
/// Apply rebuilds of the world at index whose step has come: waits for those that are not done.
void lwl_apply_rebuilds(lua_State *L, lwl_world *world, int index);
/// The world was given the state of a file: forget navmeshes that wait to take their places, and rebuilds.
/// Allocates nothing.
void lwl_forget_waiting(lua_State *L, lwl_world *world, int index);
/// The world is gone: let its rebuilds end.
void lwl_cancel_rebuilds(lwl_world *world);

/// Tiles to change, in a userdata on the stack.
typedef struct lwl_tile_list {
  lw_tile_change *items;
  int count;
} lwl_tile_list;
/// Read the list { { x, z }, ... } at index, whose other keys are checked, and push its places.
/// @param from  May be NULL.
void lwl_push_places(lua_State *L, const lwl_at *at, int index, const lw_navmesh *from, lwl_tile_list *list);
/// Push the tiles of both navmeshes that a box touches. @param from  May be NULL.
void lwl_push_tiles_in(lua_State *L, const lw_box *box, const lw_navmesh *base, const lw_navmesh *from,
                       lwl_tile_list *list);

/// Let the collector know of the memory of a new navmesh at index, which Lua does not count: else scripts that
/// replace navmeshes again and again keep all that are dead. Runs finalisers: call it before returning.
void lwl_count_navmesh(lua_State *L, int index);
void lwl_open_tiles(lua_State *L);
/// Tiles of permutations (permutation_tiles.c).
void lwl_open_permutation_tiles(lua_State *L);
extern const luaL_Reg lwl_permutation_tiles_methods[];
/// leeward.bake() (bake.c)
int lwl_bake(lua_State *L);
/// Read what world:rebuild() has in common with leeward.rebuild() from the table at index 2 (bake.c).
lw_bake_settings lwl_read_rebuild(lua_State *L, const lwl_at *at, lw_box *box);

#endif
