/// How vehicles find their drives, and drive.
#ifndef LW_WORLD_DRIVING_H
#define LW_WORLD_DRIVING_H

#include "query/drive_query.h"
#include "world/world.h"

/// A vehicle that waits for its drive goes on along what it was driving until it stands (its lead), and the
/// search begins at the end of that; else it stands.
bool lwi_vehicle_is_led(const lwi_agent *agent);
/// Where its next drive begins. @return false: the ground where its lead ends is gone.
bool lwi_vehicle_start(const lw_world *world, const lwi_agent *agent, lw_location *at, float *heading);
/// Does it still roll where no search can begin? A lead that ends nowhere is dropped.
bool lwi_vehicle_must_stop(const lw_world *world, lwi_agent *agent);
/// The lead of a vehicle, and where it is on it.
typedef struct lwi_vehicle_lead {
  lw_drive *drive; ///< NULL: it has none, or stands.
  int piece;
  float along; ///< [m]
} lwi_vehicle_lead;
/// Take from a vehicle on its way its drive, cut where it stands after it has braked.
/// @return Owned by the caller.
lwi_vehicle_lead lwi_vehicle_detach_lead(lwi_agent *agent);
/// Let it go on along its lead, which it takes over.
void lwi_vehicle_drive_lead(lwi_agent *agent, const lwi_vehicle_lead *lead);
/// What drive to find.
lwi_drive_job lwi_world_drive_job(lw_world *world, const lwi_agent *agent, lw_location from, float heading);
/// @param status  Of the job. @return LW_STUCK: every route is blocked; else that status.
lw_status lwi_drive_job_outcome(const lwi_drive_job *job, lw_status status);
/// Find the drive of a vehicle along its path at once, if that takes little.
/// @param path  Rounded.
/// @return As lw_drive_find(); LW_STUCK: every route is blocked; LW_UNFINISHED: it takes longer.
lw_status lwi_world_find_drive(lw_world *world, const lwi_agent *agent, const lw_path *path, lw_drive **drive);
/// No part of it is farther from the middle of its rear axle. [m]
float lwi_vehicle_reach(const lw_profile *profile);

/* --- yielding.c ----------------------------------------------------------------------------------------- */

/// Where an agent goes: its goal, or the place where it lets another one pass.
lw_vec3 lwi_agent_destination(const lwi_agent *agent);
/// Let a vehicle give way to one that comes towards it over narrow ground, and go on when that one has passed.
void lwi_vehicle_give_way(lw_world *world, lwi_agent *agent);
/// How far it may go before it stops for that. INFINITY: it does not. [m]
float lwi_vehicle_hold(const lwi_agent *agent);
/// Does another one drive to a place where it lets the agent pass, near by?
bool lwi_vehicle_makes_space(const lwi_agent *agent, const lwi_agent *other);
/// @return The one to which it gives way. NULL: none.
const lwi_agent *lwi_vehicle_lets_pass(const lw_world *world, const lwi_agent *agent);
/// Is it the one that waits, of two that block each other?
bool lwi_vehicle_is_let_pass(const lw_world *world, const lwi_agent *agent);
/// It goes round the vehicle that blocks it, which waits meanwhile.
void lwi_vehicle_note_detour(lw_world *world, lwi_agent *agent);
/// Its move is to fail. @return Whether it goes on instead: it makes space for the one that blocks it.
bool lwi_vehicle_gives_way_elsewhere(lw_world *world, lwi_agent *agent, lw_status status);

/// Note which agent blocks a vehicle. @param other  NULL: none.
static inline void lwi_vehicle_note_blocker(lwi_agent *agent, const lwi_agent *other) {
  agent->route.driving.blocker = other ? other->id : lw_agent_id_none();
  agent->route.driving.blocked_by = other ? other->serial : 0;
}
/// The agent that blocks a vehicle. @return NULL: none, or it is gone.
const lwi_agent *lwi_vehicle_blocker(const lw_world *world, const lwi_agent *agent);
/// Let a vehicle go on.
void lwi_world_drive(lw_world *world, lwi_agent *agent, float dt);

#endif
