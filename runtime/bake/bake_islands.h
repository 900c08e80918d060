/// What ground a bake keeps once its tiles are joined.
#ifndef LW_BAKE_BAKE_ISLANDS_H
#define LW_BAKE_BAKE_ISLANDS_H

#include "leeward/bake.h"
#include "core/memory.h"

/// Leave small islands out, find off-mesh links, then leave out what no seed leads to: `*mesh` may be replaced.
/// @param memory  For scratch.  @param[in,out] report  `used`; islands, links and notes are added.
/// @return LW_OK; LW_EMPTY: nothing is left; LW_OUT_OF_MEMORY. `*mesh` is destroyed and NULL unless LW_OK.
lw_status lwi_bake_islands(lw_navmesh **mesh, const lw_geometry *geometry, const lwi_memory *memory,
                           lw_bake_report *report, lw_error *error);

#endif
