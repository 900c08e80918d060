/// How vehicles find their drives, and drive.
#ifndef LW_WORLD_DRIVING_H
#define LW_WORLD_DRIVING_H

#include "world/world.h"

/// Find the drive of a vehicle along its path.
/// @param path  Rounded.
/// @return As lw_drive_find(); LW_STUCK: every route is blocked.
lw_status lwi_world_find_drive(lw_world *world, const lwi_agent *agent, const lw_path *path, lw_drive **drive);
/// Let a vehicle go on.
void lwi_world_drive(lw_world *world, lwi_agent *agent, float dt);

#endif
