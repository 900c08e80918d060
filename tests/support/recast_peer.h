/// Recast alone, in tiles: the cost of a bake that keeps only polygons in Recast's own arrays. For benchmarks.
#ifndef LW_TESTS_RECAST_PEER_H
#define LW_TESTS_RECAST_PEER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct recast_job {
  const float *vertices; ///< [3 * vertex_count]
  int vertex_count;
  const int *triangles;       ///< [3 * triangle_count]
  const unsigned char *areas; ///< [triangle_count] 0: never walkable.
  int triangle_count;
  float min[3], max[3];
  float cell, cell_height, slope;                                                   ///< [m, m, degrees]
  int height, climb, radius, tile_cells, min_region, merge_region, max_edge_length; ///< [cells]
  float max_edge_error;                                                             ///< [cells]
  float detail_distance, detail_error;                                              ///< [m]
} recast_job;

/// Build every tile as Recast's Sample_TileMesh does, and drop it. @return false: Recast failed.
/// @param[out] polygons  Of all tiles.
bool recast_bake(const recast_job *job, int *polygons);

#ifdef __cplusplus
}
#endif
#endif
