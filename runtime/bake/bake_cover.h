/// Cover of a navmesh that is otherwise complete: the last step of a bake.
#ifndef LW_BAKE_BAKE_COVER_H
#define LW_BAKE_BAKE_COVER_H

#include "bake/cover_patch.h"
#include "bake/sight_lines.h"
#include "leeward/bake.h"
#include "mesh/mesh.h"

/// What of occluders and cover a bake keeps.
#define LWI_KEEP_OCCLUDERS 1u
#define LWI_KEEP_COVER 2u
#define LWI_KEEP_MAP 4u
#define LWI_KEEP_VISIBILITY_TABLE 8u

typedef struct lwi_cover_job {
  uint32_t keep;                ///< LWI_KEEP_*, or-ed together.
  float visibility_table_range; ///< Range of the visibility table. [m]
  const lwi_sight_lines *lines; ///< Of the mesh's occluders. Not needed for cover segments that are known.
  int threads;
  const lwi_cover_patch *patch; ///< What is known of cover segments. NULL: nothing.
} lwi_cover_job;

/// Find cover segments by the mesh's occluders, make the cover map and the visibility table, and remove
/// occluders that are not kept. The same bytes for any number of threads.
/// @param report  Receives the times. NULL: not wanted. @return LW_OK or LW_OUT_OF_MEMORY.
lw_status lwi_bake_cover(lw_navmesh *mesh, const lwi_cover_job *job, lw_bake_report *report, lw_error *error);

#endif
