/// How a vehicle follows its drive: pure pursuit (Coulter 1992) of a point ahead on it, at a speed from which
/// it can brake before turns, changes of direction, the goal, and whatever blocks it.
#ifndef LW_AGENT_DRIVING_H
#define LW_AGENT_DRIVING_H

#include "agent/agent.h"
#include "search/drive.h"

/// Nothing is ahead.
#define LWI_DRIVE_FREE INFINITY

/// Own a drive from now on, and begin it. @param drive  NULL: none, and it brakes.
void lwi_driving_begin(lwi_driving *driving, lw_drive *drive);
/// How far it goes on before it stands, if it brakes now. [m]
float lwi_driving_braking(const lwi_agent *agent);
/// Drive for a step.
/// @param ahead  How far it may go, for what is ahead. [m]
void lwi_agent_drive(lwi_agent *agent, const lw_navmesh *mesh, float ahead, float dt);
/// The rest of its drive. [m]
float lwi_driving_remaining(const lwi_agent *agent);
/// Is it at the end of its drive, and stands?
bool lwi_driving_is_over(const lwi_driving *driving);
/// The heading of its trailer; of the vehicle itself, if it has none. [rad]
float lwi_agent_trailer_heading(const lwi_agent *agent);
uint64_t lwi_driving_hash(uint64_t hash, const lwi_driving *driving);

#endif
