/// Borders of marked areas, finer than voxels: Recast leaves them on the voxels' corners, up to 0.7 cells beside the
/// mark's own outline. Where that is safe, vertices are moved onto it.
#ifndef LW_BAKE_BAKE_OUTLINE_H
#define LW_BAKE_BAKE_OUTLINE_H

#include "core/memory.h"
#include "geometry/plugin.h"

/// Vertices at walls and at the tile's border stay, so that neither grows and tiles still meet; polygons stay convex.
/// @return False: out of memory.
bool lwi_bake_outline(const lwi_tile_job *job, lwi_tile_result *result, lwi_memory *memory);

#endif
