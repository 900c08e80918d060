/// Baking one tile. The result depends on the arguments alone, so tiles may be baked in any order and in
/// parallel.
#ifndef LW_BAKE_BAKE_TILE_H
#define LW_BAKE_BAKE_TILE_H

#include "bake/bake_plan.h"
#include "bake/detail_split.h"
#include "core/memory.h"
#include "geometry/plugin.h"

typedef struct lwi_baked_tile {
  int x, z;
  lw_box bounds;
  lwi_tile_result result;             ///< Areas are the geometry's. No polygons: the tile is empty.
  lw_vec3 *vertices;                  ///< [result.vertex_count] In the level's frame.
  lw_vec3 *detail;                    ///< [result.detail_vertex_count]
  int vertex_scratch, detail_scratch; ///< As allocated.
  lwi_detail_tile fine;               ///< Instead of all that, where marks for detail cut it.
} lwi_baked_tile;

/// What to bake. Borrowed for the call.
typedef struct lwi_bake_tile_def {
  const lwi_bake_plan *plan;
  const lw_geometry *geometry;
  const lwi_plugin *plugin;
  lwi_memory *memory;
  const lwi_detail_rules *rules; ///< Of the geometry's marks.
  int x, z;                      ///< The tile's column and row.
  const int *triangles;          ///< [triangle_count] All that may touch the tile and its border, ascending.
  int triangle_count;
} lwi_bake_tile_def;

/// @return What of it becomes a part of the navmesh. It points into the tile.
lwi_tile_source lwi_baked_tile_source(const lwi_baked_tile *tile);
/// @param[out] tile  The caller frees it with lwi_baked_tile_free(). Nothing to free on failure.
/// @return LW_OK; LW_LIMIT; LW_BAKE_FAILED; LW_OUT_OF_MEMORY.
lw_status lwi_bake_tile(const lwi_bake_tile_def *def, lwi_baked_tile *tile, lw_error *error);
void lwi_baked_tile_free(lwi_baked_tile *tile, lwi_memory *memory);

#endif
