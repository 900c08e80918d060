/// Where an agent is put that can no longer stand where it is.
#ifndef LW_WORLD_PLACEMENT_H
#define LW_WORLD_PLACEMENT_H

#include "world/world.h"

/// A place is still where it was within this in xz, and this in height. [m]
#define LWI_SAME_PLACE 0.02f
#define LWI_SAME_HEIGHT 0.5f
/// How far an agent falls at most, and is moved that is too large for where it stands, or stood on what is no
/// longer part of the level. [m]
#define LWI_PUSH_MAX 4.0f

/// The same place on the navmesh as it is now.
/// @return false: it is cut away, or the agent may not enter it now.
bool lwi_agent_find_same_place(const lw_navmesh *mesh, const lwi_agent *agent, lw_location *at);
/// What the agent must keep from walls of the navmesh, as it is larger than the navmesh was baked for. [m]
float lwi_agent_keep(const lwi_nav *nav, const lwi_agent *agent);
/// The nearest place that it may stand at, in three dimensions: along the ground as it was baked, however far,
/// or below by more than its climb, where it falls. Where its own ground is no longer part of the level, all
/// ground near by counts. Ground more than its climb above it does only where it is walked up to.
/// @param is_on_ground  `at` is, and only too narrow. @return false: there is none.
bool lwi_agent_find_place(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent, bool is_on_ground,
                          lw_location *at);
/// How far beyond the snap box about its goal its path may end: by what it calls near enough, and where an
/// agent is the goal by what that one carries, if it is cut out. [m]
float lwi_agent_goal_reach(const lw_world *world, const lwi_agent *agent);

#endif
