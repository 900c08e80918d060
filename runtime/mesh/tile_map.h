/// Which tiles two navmeshes have in common: found by content, not by name or version.
#ifndef LW_MESH_TILE_MAP_H
#define LW_MESH_TILE_MAP_H

#include "mesh/mesh.h"

/// The tiles of two baked navmeshes. Tiles are equal that have the same place in the grid, and the same
/// polygons, areas and heights, to the bit.
typedef struct lwi_tile_map {
  const lw_navmesh *before, *now;
  uint32_t *to;      ///< [tiles of `before`] The equal tile of `now`; LWI_NONE: it is gone, or another one.
  uint32_t *from;    ///< [tiles of `now`] The equal tile of `before`.
  uint32_t *instead; ///< [tiles of `now`] The tile of `before` at the same place, equal or not; LWI_NONE: none.
} lwi_tile_map;

/// @return false: no memory, and nothing is held.
bool lwi_tile_map_make(lwi_tile_map *map, const lw_navmesh *before, const lw_navmesh *now, lwi_memory *memory);
void lwi_tile_map_free(lwi_tile_map *map, lwi_memory *memory);
/// The polygon of `now` that a polygon of `before` is. @return LWI_NONE: its tile has changed.
uint32_t lwi_tile_map_polygon(const lwi_tile_map *map, uint32_t polygon);
/// Are openness and deep water of two equal tiles the same, too?
bool lwi_tile_is_as_open(const lw_navmesh *a, const lwi_tile *tile, const lw_navmesh *b, const lwi_tile *other);
/// A hash of what tiles are compared by, but for areas, which are numbered by a table.
uint64_t lwi_tile_hash(const lw_navmesh *mesh, const lwi_tile *tile);

#endif
