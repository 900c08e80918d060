/// Cover into a navmesh that is otherwise done.
#ifndef LW_BAKE_BAKE_COVER_H
#define LW_BAKE_BAKE_COVER_H

#include "leeward/bake.h"
#include "mesh/mesh.h"

/// Find the mesh's cover by its occluders, and make its cover map; leave out the occluders that are not to stay. Last of a
/// bake.
/// @param keep  LWI_KEEP_*, or-ed together. @param report  Gets the times. NULL: not wanted.
lw_status lwi_bake_cover(lw_navmesh *mesh, uint32_t keep, lw_bake_report *report, lw_error *error);

#endif
