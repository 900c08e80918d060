#include "search/drive_body.h"

#include "core/vec3.h"

#include <math.h>

/* Poses are checked so far apart, along straight lines and arcs. [m] */
#define STEP_STRAIGHT 1.0
#define STEP_ARC 0.5
/* Turned by no more than this. [rad] */
#define STEP_TURN 0.15
/* Lines along a body are as far apart as what stands on a navmesh without radius may be wide. [m] */
#define POST 0.3f

static float positive(float number) {
  return number > 0 ? number : 0;
}

lwi_drive_body lwi_drive_body_of(const lw_navmesh *mesh, const lw_profile *profile, const lwi_prices *prices) {
  const lw_vehicle *vehicle = &profile->def.body.vehicle;
  const float overhang = (vehicle->length - vehicle->wheelbase) / 2;
  const float rounded = mesh->agent.radius, less = rounded + LWI_DRIVE_SLACK;
  lwi_drive_body body = {.mesh = mesh,
                         .prices = prices,
                         .front = positive(vehicle->length - overhang - less),
                         .back = positive(overhang - less),
                         .side = positive(vehicle->width / 2 - rounded - LWI_DRIVE_SLACK / 2),
                         .radius = (double)profile->def.body.turn_radius};
  body.ends[0] = -overhang;
  body.ends[1] = vehicle->length - overhang;
  if (body.side > 0) body.lines = 2 * (int)ceilf(body.side / fmaxf(2 * rounded, POST));
  return body;
}

static bool goes(const lwi_drive_body *body, lw_location from, float x, float z, lw_location *end) {
  lw_raycast ray;
  const lw_vec3 to = {x, from.point.y, z};
  if (lw_navmesh_raycast(body->mesh, from, to, &body->prices->filter, &ray) != LW_OK || ray.hit) return false;
  *end = ray.at;
  return true;
}

static bool is_near_block(const lwi_drive_body *body, const lwi_drive_block *block, lw_vec3 at, float c,
                          float s) {
  const float dx = block->at.x - at.x, dz = block->at.z - at.z;
  const float along = fminf(body->ends[1], fmaxf(body->ends[0], dx * c + dz * s));
  const float x = dx - along * c, z = dz - along * s;
  return x * x + z * z < block->radius * block->radius;
}

static bool is_blocked(const lwi_drive_body *body, lw_vec3 at, float c, float s) {
  for (int i = 0; i < body->block_count; i++)
    if (is_near_block(body, &body->blocks[i], at, c, s)) return true;
  return false;
}

bool lwi_drive_body_fits(const lwi_drive_body *body, const lwi_drive_pose *pose, float part) {
  const float c = (float)cos(pose->heading), s = (float)-sin(pose->heading); /* along x and z */
  const lw_vec3 at = pose->at.point;
  const float front = body->front * part, back = body->back * part, side = body->side * part;
  lw_location ahead, behind, corner;
  if (is_blocked(body, at, c, s)) return false;
  if (part <= 0) return true;
  if (!goes(body, pose->at, at.x + c * front, at.z + s * front, &ahead)) return false;
  if (back > 0 && !goes(body, pose->at, at.x - c * back, at.z - s * back, &behind)) return false;
  if (side <= 0) return true;
  const float length = front + back;
  for (int i = 0; i <= body->lines; i++) {
    const float across = side * (2 * (float)i / (float)body->lines - 1);
    const float x = ahead.point.x - s * across, z = ahead.point.z + c * across;
    if (!goes(body, ahead, x, z, &corner)) return false;
    if (!goes(body, corner, x - c * length, z - s * length, &behind)) return false;
    const bool is_end = i == 0;
    if (is_end && !goes(body, behind, at.x - c * back + s * across, at.z - s * back - c * across, &corner))
      return false; /* the whole rear */
  }
  return true;
}

int lwi_drive_steps(const lwi_drive_body *body, int turn, double length) {
  const double step = turn == 0 ? STEP_STRAIGHT : lwi_smaller(STEP_ARC, STEP_TURN * body->radius);
  return 1 + (int)(fabs(length) / step);
}

bool lwi_drive_along(const lwi_drive_body *body, const lwi_drive_start *start, int turn, double length,
                     lwi_drive_pose *pose, float *cost) {
  const int steps = lwi_drive_steps(body, turn, length);
  const lwi_curve_pose from = lwi_drive_curve_pose(pose);
  const float step = (float)fabs(length) / (float)steps;
  for (int i = 1; i <= steps; i++) {
    const lwi_curve_pose to = lwi_curve_move(from, body->radius, turn, length * i / steps);
    lw_location at;
    if (!goes(body, pose->at, (float)to.x, (float)to.z, &at)) return false;
    const lwi_drive_pose next = {at, to.heading};
    const float part = lwi_distance_xz(at.point, start->at) < start->reach ? start->part : 1;
    if (!lwi_drive_body_fits(body, &next, part)) return false;
    const uint32_t polygon = lwi_poly_index(body->mesh, at.poly);
    const float price = polygon == LWI_NONE ? INFINITY : lwi_price_on(body->prices, body->mesh, polygon);
    if (!(price < INFINITY)) return false;
    *cost += price * step;
    *pose = next;
  }
  return true;
}
