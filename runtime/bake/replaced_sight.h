/// What blocks sight in a navmesh whose tiles come from several.
#ifndef LW_BAKE_REPLACED_SIGHT_H
#define LW_BAKE_REPLACED_SIGHT_H

#include "leeward/bake.h"
#include "sight/occluder.h"

/// Which tiles come from which navmesh.
typedef struct lwi_replaced {
  const lw_navmesh *base;
  lw_vec3 corner; ///< Of tile (0, 0). [m]
  double size;    ///< Of a tile. [m]
  int count, source_count;
  lw_tile_change *items;      ///< [count] In the order of the grid.
  const lw_navmesh **sources; ///< [source_count] Each once, `base` last.
} lwi_replaced;
/// @return NULL: the tile stays that of `base`.
const lw_tile_change *lwi_replaced_find(const lwi_replaced *replaced, int x, int z);
/// The navmesh whose tile is at a place. @return NULL: none.
const lw_navmesh *lwi_replaced_at(const lwi_replaced *replaced, lw_vec3 at);

/// Has a navmesh a grid of tiles? @return LW_OK, LW_INVALID.
lw_status lwi_check_has_grid(const lw_navmesh *base, lw_error *error);
/// Can `base` take tiles of another navmesh? @return LW_OK, LW_INVALID.
lw_status lwi_check_same_grid(const lw_navmesh *base, const lw_navmesh *from, lw_error *error);

/// Take from each navmesh what of its occluders lies over its tiles, cut along their borders.
/// @param[out] occluders  The caller frees them. @return LW_OK, LW_LIMIT, LW_OUT_OF_MEMORY.
lw_status lwi_replaced_sight(const lwi_replaced *replaced, lwi_memory *memory, lwi_occluders *occluders);

#endif
