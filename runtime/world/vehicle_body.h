/// The body of an agent as vehicles see it: its rectangle and that of its trailer, or its disc.
#ifndef LW_WORLD_VEHICLE_BODY_H
#define LW_WORLD_VEHICLE_BODY_H

#include "agent/agent.h"
#include "search/body_area.h"

/// Kept to each side of others. [m]
#define LWI_VEHICLE_MARGIN 0.2f
/// The same where a drive is found past them: it is not driven to the centimetre. [m]
#define LWI_VEHICLE_PASSING 0.3f

typedef struct lwi_vehicle_body {
  int count;
  lwi_body_area parts[2]; ///< [count]
} lwi_vehicle_body;

/// @param at  Of a vehicle: the middle of its rear axle. @param heading, trailer_heading  [rad]
lwi_vehicle_body lwi_vehicle_body_at(const lw_profile *profile, lw_vec3 at, float heading,
                                     float trailer_heading);
lwi_vehicle_body lwi_vehicle_body_on(const lw_profile *profile, const lw_drive_point *point);
lwi_vehicle_body lwi_vehicle_body_now(const lwi_agent *agent);
/// Of a vehicle, or its trailer. [m]
float lwi_vehicle_width(const lw_profile *profile);
/// Is the ground beside a place, across a unit course, too narrow for bodies that are so wide together?
bool lwi_ground_is_narrower(const lw_navmesh *mesh, const lw_filter *filter, lw_vec3 at, lwi_vec2 course,
                            float wide);
/// The least gap between their parts: see lwi_body_area_gap(). [m]
float lwi_vehicle_body_gap(const lwi_vehicle_body *a, const lwi_vehicle_body *b);
/// Do vehicles mind that agent where they drive?
bool lwi_vehicle_minds(const lwi_agent *own, const lwi_agent *other);
/// Does it move, so that it does not stay where another one drives?
bool lwi_agent_gets_on(const lwi_agent *agent);

#endif
