/// Cover into a navmesh that is otherwise done.
#ifndef LW_BAKE_BAKE_COVER_H
#define LW_BAKE_BAKE_COVER_H

#include "cover/lines.h"
#include "leeward/bake.h"
#include "mesh/mesh.h"

typedef struct lwi_cover_job {
  uint32_t keep;          ///< LWI_KEEP_*, or-ed together.
  float pair_range;       ///< Of the table of pairs. [m]
  const lwi_lines *lines; ///< Of the mesh's occluders.
  int threads;
} lwi_cover_job;

/// Find the mesh's cover by its occluders, and make its cover map and its table of pairs, to the same bytes by any number of threads; leave out the
/// occluders that are not to stay. Last of a bake.
/// @param report  Gets the times. NULL: not wanted.
lw_status lwi_bake_cover(lw_navmesh *mesh, const lwi_cover_job *job, lw_bake_report *report, lw_error *error);

#endif
