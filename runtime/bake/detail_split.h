/// Cutting the polygons of a tile smaller where rules ask for it: exactly, along fixed lines, so that ground,
/// heights and what is connected stay as they are.
///
/// Lines are multiples of half the greatest edge that is asked for, from the level's origin, so that tiles are
/// cut alike on both sides of a border. A line passes through a corner that it comes close to: no sliver is cut
/// off. Where one polygon is cut, its neighbours in the tile get a corner, too.
#ifndef LW_BAKE_DETAIL_SPLIT_H
#define LW_BAKE_DETAIL_SPLIT_H

#include "bake/detail_rules.h"
#include "mesh/build.h"

/// A tile that was cut.
typedef struct lwi_detail_tile {
  bool is_cut;            ///< false: there is nothing to cut, and the source is empty.
  lwi_tile_source source; ///< Without openness and depths.
  lwi_memory *memory;
  lw_vec3 *vertices, *detail_vertices;
  uint8_t *detail_triangles;
  int vertex_capacity, detail_vertex_count, detail_vertex_capacity;
  int detail_triangle_count, detail_triangle_capacity; ///< The capacity is in bytes.
  void *block;                                         ///< Of the other arrays.
  size_t block_size;
} lwi_detail_tile;

/// @param[out] tile  Free it with lwi_detail_tile_free(), also on failure. @return false: no memory.
bool lwi_detail_split(const lwi_tile_source *from, const lwi_detail_rules *rules, lwi_memory *memory,
                      lwi_detail_tile *tile);
void lwi_detail_tile_free(lwi_detail_tile *tile);

#endif
