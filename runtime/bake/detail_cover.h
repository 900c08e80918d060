/// Cutting ground near cover smaller, once all tiles are joined and before cover is found for good.
#ifndef LW_BAKE_DETAIL_COVER_H
#define LW_BAKE_DETAIL_COVER_H

#include "bake/sight_lines.h"
#include "leeward/bake.h"

/// Find cover segments, and build the navmesh again with smaller polygons near them, as
/// lw_bake_cover.detail_near asks. The same bytes for any number of threads.
/// @param[in,out] mesh  With occluders, without cover. Replaced; destroyed and NULL on an error.
/// @param lines  Of its occluders. @return LW_OK; LW_LIMIT; LW_OUT_OF_MEMORY.
lw_status lwi_detail_near_cover(lw_navmesh **mesh, const lw_bake_settings *used, const lwi_sight_lines *lines,
                                lw_error *error);

#endif
