/// Leaving ground out of a finished navmesh: small islands, and what nobody can reach.
#ifndef LW_MESH_ISLANDS_DROP_H
#define LW_MESH_ISLANDS_DROP_H

#include "geometry/geometry.h"
#include "mesh/mesh.h"

/// Leave out islands smaller than `min_area`, except those that off-mesh links need: `*mesh` is then replaced.
/// @param min_area  [m2]  @param[out] islands  How many were left out.
/// @return LW_OK; LW_EMPTY: all islands are smaller; LW_OUT_OF_MEMORY. `*mesh` is destroyed and NULL unless
///   LW_OK.
lw_status lwi_islands_drop(lw_navmesh **mesh, float min_area, int *islands, lw_error *error);

/// The polygon of the ground nearest to a seed. @return false: there is none within LW_SEED_DISTANCE.
bool lwi_seed_polygon(const lw_navmesh *mesh, lw_vec3 seed, uint32_t *polygon);
/// Leave out islands to which no ground and no link leads from a seed: `*mesh` is then replaced.
/// @param seeds  None: nothing is left out.  @param found  The first of the requests that the bake found: those
///   that begin on such islands are left out, too.  @param[out] islands  How many were left out.
/// @return LW_OK; LW_EMPTY: no seed has ground; LW_OUT_OF_MEMORY. `*mesh` is destroyed and NULL unless LW_OK.
lw_status lwi_unreachable_drop(lw_navmesh **mesh, const lwi_seeds *seeds, uint32_t found, int *islands,
                               lw_error *error);

#endif
