/// One tile: its triangles in, its part of the navmesh out. Depends on its arguments alone, so that tiles may be baked
/// in any order and side by side.
#ifndef LW_BAKE_BAKE_TILE_H
#define LW_BAKE_BAKE_TILE_H

#include "bake/bake_plan.h"
#include "core/memory.h"
#include "geometry/plugin.h"

typedef struct lwi_baked_tile {
  int x, z;
  lw_box bounds;
  lwi_tile_result result;       ///< Areas are the geometry's again. No polygons: the tile is empty.
  lw_vec3 *vertices;            ///< [result.vertex_count] In the level's frame.
  lw_vec3 *detail;              ///< [result.detail_vertex_count]
  int vertex_room, detail_room; ///< As allocated.
} lwi_baked_tile;

/// @param triangles  Those that may touch the tile and its border.
/// @return LW_OK; LW_LIMIT; LW_BAKE_FAILED; LW_OUT_OF_MEMORY.
lw_status lwi_bake_tile(const lwi_bake_plan *plan, const lw_geometry *geometry, const lwi_plugin *plugin, int x,
                        int z, const int *triangles, int triangle_count, lwi_memory *memory,
                        lwi_baked_tile *tile, lw_error *error);
void lwi_baked_tile_free(const lwi_plugin *plugin, lwi_baked_tile *tile, lwi_memory *memory);

#endif
