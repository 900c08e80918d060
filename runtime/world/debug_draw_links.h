/// Debug drawing of off-mesh links, of one navmesh and between several.
#ifndef LW_WORLD_DEBUG_DRAW_LINKS_H
#define LW_WORLD_DEBUG_DRAW_LINKS_H

#include "leeward/debug_draw.h"

/// @param draw  Has a line function.
void lwi_debug_draw_links(const lw_navmesh *navmesh, const lw_debug_draw *draw);
/// Those between the world's navmeshes.
void lwi_debug_draw_world_links(const lw_world *world, const lw_debug_draw *draw);

#endif
