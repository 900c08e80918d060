#include "search/drive_body.h"

#include "core/vec3.h"
#include "mesh/walk.h"

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

/* A place on the surface, without its height. */
typedef struct body_place {
  uint32_t polygon;
  float x, z; /* [m] */
} body_place;

static bool goes(const lwi_drive_body *body, body_place from, float x, float z, body_place *end) {
  *end = (body_place){from.polygon, x, z};
  return lwi_walk_straight(body->mesh, &end->polygon, lwi_vec3(from.x, 0, from.z), lwi_vec3(x, 0, z),
                           &body->prices->filter);
}

/* Where it stands: the middle of its rear axle, and its direction along x and z. */
typedef struct body_placement {
  body_place at;
  float c, s;
} body_placement;

static bool is_near_block(const lwi_drive_body *body, const lwi_drive_block *block, const body_placement *on) {
  const float dx = block->at.x - on->at.x, dz = block->at.z - on->at.z;
  const float along = fminf(body->ends[1], fmaxf(body->ends[0], dx * on->c + dz * on->s));
  const float x = dx - along * on->c, z = dz - along * on->s;
  return x * x + z * z < block->radius * block->radius;
}

static bool is_blocked(const lwi_drive_body *body, const body_placement *on) {
  for (int i = 0; i < body->block_count; i++)
    if (is_near_block(body, &body->blocks[i], on)) return true;
  return false;
}

static bool sides_fit(const lwi_drive_body *body, const body_placement *on, body_place ahead, body_place behind,
                      float part) {
  const float c = on->c, s = on->s, back = body->back * part, side = body->side * part;
  const float length = body->front * part + back;
  body_place corner;
  for (int i = 0; i <= body->lines; i++) {
    const float across = side * (2 * (float)i / (float)body->lines - 1);
    const float x = ahead.x - s * across, z = ahead.z + c * across;
    if (!goes(body, ahead, x, z, &corner)) return false;
    if (!goes(body, corner, x - c * length, z - s * length, &behind)) return false;
    const bool is_end = i == 0;
    if (is_end &&
        !goes(body, behind, on->at.x - c * back + s * across, on->at.z - s * back - c * across, &corner))
      return false; /* the whole rear */
  }
  return true;
}

static bool placement_fits(const lwi_drive_body *body, const body_placement *on, float part) {
  const float front = body->front * part, back = body->back * part;
  body_place ahead, behind = on->at;
  if (is_blocked(body, on)) return false;
  if (part <= 0) return true;
  if (!goes(body, on->at, on->at.x + on->c * front, on->at.z + on->s * front, &ahead)) return false;
  if (back > 0 && !goes(body, on->at, on->at.x - on->c * back, on->at.z - on->s * back, &behind)) return false;
  return body->side <= 0 || sides_fit(body, on, ahead, behind, part);
}

static body_placement placement_of(uint32_t polygon, float x, float z, double heading) {
  return (body_placement){{polygon, x, z}, (float)cos(heading), (float)-sin(heading)};
}

bool lwi_drive_body_fits(const lwi_drive_body *body, const lwi_drive_pose *pose, float part) {
  const lw_vec3 at = pose->at.point;
  const uint32_t polygon = lwi_poly_index(body->mesh, pose->at.poly);
  if (polygon == LWI_NONE) return false;
  const body_placement on = placement_of(polygon, at.x, at.z, pose->heading);
  return placement_fits(body, &on, part);
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
  body_place at = {lwi_poly_index(body->mesh, pose->at.poly), pose->at.point.x, pose->at.point.z};
  if (at.polygon == LWI_NONE) return false;
  lwi_curve_pose to = from;
  for (int i = 1; i <= steps; i++) {
    to = lwi_curve_move(from, body->radius, turn, length * i / steps);
    if (!goes(body, at, (float)to.x, (float)to.z, &at)) return false;
    const body_placement on = placement_of(at.polygon, at.x, at.z, to.heading);
    const float part = lwi_distance_xz(lwi_vec3(at.x, 0, at.z), start->at) < start->reach ? start->part : 1;
    if (!placement_fits(body, &on, part)) return false;
    const float price = lwi_price_on(body->prices, body->mesh, at.polygon);
    if (!(price < INFINITY)) return false;
    *cost += price * step;
  }
  const lw_vec3 end = {at.x, lwi_polygon_height(body->mesh, at.polygon, at.x, at.z), at.z};
  *pose = (lwi_drive_pose){{end, lwi_poly_id(body->mesh, at.polygon)}, to.heading};
  return true;
}
