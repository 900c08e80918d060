#include "world/vehicle_body.h"

#include "agent/driving.h"
#include "agent/walls.h"
#include "search/trailer.h"

#include <math.h>

/* Others that differ more in height are on another floor. [m] */
#define FLOOR_HEIGHT 2.0f
/* Others that move at least so fast do not stay in the vehicle's path. [m/s] */
#define GETS_ON 0.1f

lwi_vehicle_body lwi_vehicle_body_at(const lw_profile *profile, lw_vec3 at, float heading,
                                     float trailer_heading) {
  const lw_vehicle *vehicle = &profile->def.body.vehicle;
  const lw_trailer *trailer = lwi_trailer_of(profile);
  const float overhang = (vehicle->length - vehicle->wheelbase) / 2;
  if (!lwi_is_vehicle(profile)) return (lwi_vehicle_body){1, {lwi_body_area_disc(at, profile->def.radius)}};
  lwi_vehicle_body body = {
      1, {lwi_body_area_about(at, heading, vehicle->length - overhang, overhang, vehicle->width)}};
  if (!trailer) return body;
  const lw_vec3 axle =
      lwi_trailer_axle_at(trailer, lwi_trailer_joint_at(trailer, at, heading), trailer_heading);
  body.parts[body.count++] = lwi_body_area_about(axle, trailer_heading, lwi_trailer_front(trailer),
                                                 -lwi_trailer_back(trailer), trailer->width);
  return body;
}

lwi_vehicle_body lwi_vehicle_body_on(const lw_profile *profile, const lw_drive_point *point) {
  return lwi_vehicle_body_at(profile, point->at, point->heading, point->trailer_heading);
}

lwi_vehicle_body lwi_vehicle_body_now(const lwi_agent *agent) {
  return lwi_vehicle_body_at(agent->profile, agent->at.point, agent->heading, lwi_agent_trailer_heading(agent));
}

float lwi_vehicle_width(const lw_profile *profile) {
  const lw_trailer *trailer = lwi_trailer_of(profile);
  return fmaxf(profile->def.body.vehicle.width, trailer ? trailer->width : 0);
}

bool lwi_ground_is_narrower(const lw_navmesh *mesh, const lw_filter *filter, lw_vec3 at, lwi_vec2 course,
                            float wide) {
  const lw_vec3 snap = {0.5f, 1, 0.5f};
  const float far = wide - 2 * mesh->agent.radius;
  lw_location from;
  if (lw_navmesh_nearest(mesh, at, snap, filter, &from) != LW_OK) return false;
  const float right = lwi_free_length(mesh, from, lwi_vec2_of(-course.z, course.x), far, filter);
  if (right >= far) return false;
  return right + lwi_free_length(mesh, from, lwi_vec2_of(course.z, -course.x), far - right, filter) < far;
}

float lwi_vehicle_body_gap(const lwi_vehicle_body *a, const lwi_vehicle_body *b) {
  float gap = INFINITY;
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++) gap = fminf(gap, lwi_body_area_gap(&a->parts[i], &b->parts[k]));
  return gap;
}

bool lwi_vehicle_minds(const lwi_agent *own, const lwi_agent *other) {
  return other != own && other->navmesh == own->navmesh && !other->removal.pending && !other->link.active &&
         !other->ground.is_parked && other->profile->def.body.avoidance != LW_AVOID_NONE &&
         fabsf(other->at.point.y - own->at.point.y) < FLOOR_HEIGHT;
}

bool lwi_agent_gets_on(const lwi_agent *agent) {
  const lw_vec3 velocity = agent->velocity;
  return velocity.x * velocity.x + velocity.z * velocity.z > GETS_ON * GETS_ON;
}
