/// Cover into a navmesh that is otherwise done.
#ifndef LW_BAKE_BAKE_COVER_H
#define LW_BAKE_BAKE_COVER_H

#include "mesh/mesh.h"

/// Find the mesh's cover by its occluders; leave the occluders out if they are not to stay. Last of a bake.
/// @param keep  LWI_KEEP_*, or-ed together. @param[out] seconds  How long it took. NULL: not wanted.
lw_status lwi_bake_cover(lw_navmesh *mesh, uint32_t keep, double *seconds, lw_error *error);

#endif
