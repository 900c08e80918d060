/// Straight lines over the surface, for callers that need no heights.
#ifndef LW_MESH_WALK_H
#define LW_MESH_WALK_H

#include "mesh/mesh.h"

/// Go straight from a place in a polygon to another place, as lw_navmesh_raycast() goes.
/// @param[in, out] index  Of the polygon where it is; that of `to`. @return false: it does not get there.
bool lwi_walk_straight(const lw_navmesh *mesh, uint32_t *index, lw_vec3 from, lw_vec3 to,
                       const lw_filter *filter);

#endif
