/// Islands that are smaller than asked for. Recast drops small regions within a tile, but keeps those that touch the
/// tile's border, because they may go on behind it: that is known only when the tiles are joined.
#ifndef LW_BAKE_ISLANDS_H
#define LW_BAKE_ISLANDS_H

#include "bake/bake_tile.h"
#include "leeward/navmesh.h"

/// @param[out] drop  [polygons of the navmesh] Set where the polygon's island is smaller than `min_area`.
/// @param[out] islands  How many islands that are. @return false: no memory.
bool lwi_islands_find(const lw_navmesh *navmesh, float min_area, lwi_memory *memory, bool *drop, int *islands);
/// Take polygons out of a baked tile, and the vertices that only they had. @param drop  [polygons of the tile]
/// @return false: no memory, and nothing has changed.
bool lwi_baked_tile_drop(lwi_baked_tile *tile, const bool *drop, lwi_memory *memory);

#endif
