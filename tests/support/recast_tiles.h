/// What builds of Recast's tiles share.
#ifndef LW_TESTS_RECAST_TILES_H
#define LW_TESTS_RECAST_TILES_H

#include "recast_peer.h"

#include <Recast.h>

#include <vector>

struct RecastTriangles {
  std::vector<int> indices;
  std::vector<unsigned char> areas;
};

struct RecastGrid {
  int columns, rows, border;
  float tile, pad; // [m]
};

RecastGrid recast_grid(const recast_job &job);

/// Triangles by the tiles that they touch, their slopes judged.
std::vector<RecastTriangles> recast_sort(rcContext &context, const recast_job &job, const RecastGrid &grid);

/// Voxels of a tile that agents can walk on.
bool recast_voxels(rcContext &context, const recast_job &job, const RecastGrid &grid, int x, int z,
                   const RecastTriangles &triangles, rcHeightfield &field, rcCompactHeightfield &compact);

#endif
