/// Debug drawing of a navmesh's cover.
#ifndef LW_WORLD_DEBUG_DRAW_COVER_H
#define LW_WORLD_DEBUG_DRAW_COVER_H

#include "leeward/debug_draw.h"

/// @param draw  Has a line function.
void lwi_debug_draw_cover(const lw_navmesh *navmesh, const lw_debug_draw *draw);

#endif
