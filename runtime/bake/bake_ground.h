/// The real ground under a tile. Recast's heights are tops of voxels: too high by up to a cell height, and on slopes
/// by as much as the ground rises within a cell or two. Every vertex of the mesh is put back on the triangles.
#ifndef LW_BAKE_BAKE_GROUND_H
#define LW_BAKE_BAKE_GROUND_H

#include "core/memory.h"

typedef struct lwi_ground {
  const float *vertices; ///< [9 * triangle_count] Three corners a triangle; borrowed.
  float min_x, min_z, bin_size;
  int bins_x, bins_z;
  int *first; ///< [bins_x * bins_z + 1]
  int *items; ///< Triangles by bin.
  int item_count;
} lwi_ground;

/// @param areas  A triangle's area in the job; triangles that face down or are blocked are left out.
/// @return False: out of memory.
bool lwi_ground_make(lwi_ground *ground, const float *vertices, const uint8_t *areas, int triangle_count,
                     const float min[3], const float max[3], lwi_memory *memory);
void lwi_ground_free(lwi_ground *ground, lwi_memory *memory);

/// Find the ground at (x, z) nearest to `guess` within guess - down .. guess + up.
/// @return False: there is none.
bool lwi_ground_height(const lwi_ground *ground, float x, float z, float guess, float down, float up,
                       float *height);

#endif
