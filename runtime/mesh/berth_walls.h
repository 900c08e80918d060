/// The walls that agents of one berth keep from: where the mesh ends, and where what they may not enter begins.
#ifndef LW_MESH_BERTH_WALLS_H
#define LW_MESH_BERTH_WALLS_H

#include "mesh/berth.h"

/// Fills in barriers, first_barrier, near and first_near. @return false: no memory.
bool lwi_berth_walls(lwi_berth *berth, const lw_navmesh *mesh, const lw_filter *filter);

#endif
