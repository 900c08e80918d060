/// Debug drawing of threats, and of what they see.
#ifndef LW_WORLD_DEBUG_DRAW_EXPOSURE_H
#define LW_WORLD_DEBUG_DRAW_EXPOSURE_H

#include "leeward/debug_draw.h"

/// What the world's threats see of its navmeshes. @param draw  Has a triangle function.
void lwi_debug_draw_exposure(const lw_world *world, const lw_debug_draw *draw);
void lwi_debug_draw_threats(const lw_world *world, const lw_debug_draw *draw);

#endif
