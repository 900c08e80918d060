/// Debug drawing of dangers. Only debug_draw*.c know it.
#ifndef LW_WORLD_DEBUG_DRAW_DANGERS_H
#define LW_WORLD_DEBUG_DRAW_DANGERS_H

#include "leeward/debug_draw.h"

void lwi_debug_draw_dangers(const lw_world *world, const lw_debug_draw *draw);

#endif
