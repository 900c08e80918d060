/// The walls near an agent: borders of the navmesh that it cannot cross.
#ifndef LW_AGENT_WALLS_H
#define LW_AGENT_WALLS_H

#include "agent/agent.h"

/// Collect the walls that a circle touches, the nearest first. @return How many.
int lwi_walls_about(const lw_navmesh *mesh, lw_circle circle, const lw_filter *filter,
                    lwi_wall walls[LWI_WALLS_MAX]);
/// Collect the walls about the agent, if it has left the cell of those that it knows.
void lwi_agent_see_walls(lwi_agent *agent, const lw_navmesh *mesh);
/// @return How far the ground leads straight in a unit direction, `far` at most; 0 where `from` is stale. [m]
float lwi_free_length(const lw_navmesh *mesh, lw_location from, lwi_vec2 direction, float far,
                      const lw_filter *filter);

#endif
