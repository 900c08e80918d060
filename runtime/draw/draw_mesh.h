/// Debug drawing that more than one file of this folder needs.
#ifndef LW_DRAW_DRAW_MESH_H
#define LW_DRAW_DRAW_MESH_H

#include "leeward/debug_draw.h"

/// Draw the links between the world's navmeshes, and those that were added. @param draw  Has a line function.
void lwi_debug_draw_world_links(const lw_world *world, const lw_debug_draw *draw);
/// Draw the cover at the sides of obstacles. @param draw  Has a line function.
void lwi_debug_draw_obstacle_cover(const lw_world *world, const lw_debug_draw *draw);
/// Draw what the cover map lists at an agent, if there is one.
void lwi_debug_draw_cover_map(const lw_world *world, lw_agent_id agent, const lw_debug_draw *draw);
/// Draw the rooms and doors of a world.
void lwi_debug_draw_regions(const lw_world *world, const lw_debug_draw *draw);
/// Draw the outlines of a world's obstacles.
void lwi_debug_draw_obstacles(const lw_world *world, const lw_debug_draw *draw);
/// Draw the whiskers of an agent. @param position  Where it is shown. [m]
void lwi_debug_draw_whiskers(const lw_world *world, lw_agent_id agent, lw_vec3 position,
                             const lw_debug_draw *draw);

#endif
