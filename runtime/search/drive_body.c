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

/* Arcs are wider by that factor with a trailer: a vehicle that turns as sharply as it can cannot steer against a trailer that it
   pushes out of line. */
#define ARCS_WIDER 1.1

static float positive(float number) {
  return number > 0 ? number : 0;
}

/* @param front, back  Ends of the body, before and behind its axle. [m] */
static lwi_drive_box box_of(const lw_navmesh *mesh, float front, float back, float width) {
  const float rounded = mesh->agent.radius, less = rounded + LWI_DRIVE_SLACK;
  lwi_drive_box box = {.side = positive(width / 2 - rounded - LWI_DRIVE_SLACK / 2),
                       .middle = (front - back) / 2,
                       .half_length = (front + back) / 2,
                       .half_width = width / 2};
  const float length = front + back, shrunk = fmaxf(0, length - 2 * less);
  box.front = front - (length - shrunk) / 2;
  box.back = shrunk - box.front;
  if (box.side > 0) box.lines = 2 * (int)ceilf(box.side / fmaxf(2 * rounded, POST));
  return box;
}

lwi_drive_body lwi_drive_body_of(const lw_navmesh *mesh, const lw_profile *profile, const lwi_prices *prices) {
  const lw_vehicle *vehicle = &profile->def.body.vehicle;
  const lw_trailer *trailer = lwi_trailer_of(profile);
  const float overhang = (vehicle->length - vehicle->wheelbase) / 2;
  lwi_drive_body body = {.mesh = mesh,
                         .prices = prices,
                         .box = box_of(mesh, vehicle->length - overhang, overhang, vehicle->width),
                         .radius = (double)profile->def.body.turn_radius * (trailer ? ARCS_WIDER : 1),
                         .trailer = trailer};
  body.box.front = positive(body.box.front);
  body.box.back = positive(body.box.back);
  if (!trailer) return body;
  body.trailer_box = box_of(mesh, lwi_trailer_front(trailer), -lwi_trailer_back(trailer), trailer->width);
  body.pushed_angle = lwi_trailer_pushed_angle(trailer, (double)profile->def.body.turn_radius);
  return body;
}

lwi_drive_body lwi_drive_body_alone(const lwi_drive_body *body) {
  lwi_drive_body alone = *body;
  alone.trailer = NULL;
  return alone;
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

static lwi_body_area area_of(const lwi_drive_box *box, const body_placement *on) {
  return (lwi_body_area){
      .at = {on->at.x + box->middle * on->c, 0, on->at.z + box->middle * on->s},
      .c = on->c,
      .s = on->s,
      .length = box->half_length,
      .width = box->half_width,
  };
}

static bool is_blocked(const lwi_drive_body *body, const lwi_drive_box *box, const body_placement *on) {
  if (body->block_count == 0) return false;
  const lwi_body_area own = area_of(box, on);
  for (int i = 0; i < body->block_count; i++)
    if (lwi_body_area_gap(&own, &body->blocks[i].body) < body->blocks[i].gap) return true;
  return false;
}

/* The ends of its middle line. */
typedef struct box_ends {
  body_place ahead, behind;
} box_ends;

static bool sides_fit(const lwi_drive_body *body, const lwi_drive_box *box, const body_placement *on,
                      const box_ends *ends, float part) {
  const float c = on->c, s = on->s, back = box->back * part, side = box->side * part;
  const float length = box->front * part + back;
  body_place corner, behind;
  for (int i = 0; i <= box->lines; i++) {
    const float across = side * (2 * (float)i / (float)box->lines - 1);
    const float x = ends->ahead.x - s * across, z = ends->ahead.z + c * across;
    if (!goes(body, ends->ahead, x, z, &corner)) return false;
    if (!goes(body, corner, x - c * length, z - s * length, &behind)) return false;
    const bool is_end = i == 0;
    if (is_end &&
        !goes(body, behind, on->at.x - c * back + s * across, on->at.z - s * back - c * across, &corner))
      return false; /* the whole rear */
  }
  return true;
}

static bool box_fits(const lwi_drive_body *body, const lwi_drive_box *box, const body_placement *on,
                     float part) {
  const float front = box->front * part, back = box->back * part;
  box_ends ends = {.behind = on->at};
  if (is_blocked(body, box, on)) return false;
  if (part <= 0) return true;
  if (!goes(body, on->at, on->at.x + on->c * front, on->at.z + on->s * front, &ends.ahead)) return false;
  if (back != 0 && !goes(body, on->at, on->at.x - on->c * back, on->at.z - on->s * back, &ends.behind))
    return false;
  return box->side <= 0 || sides_fit(body, box, on, &ends, part);
}

static body_placement placement_of(uint32_t polygon, float x, float z, double heading) {
  return (body_placement){{polygon, x, z}, (float)cos(heading), (float)-sin(heading)};
}

/* It is reached over the joint, so that each floor counts for itself. */
static bool trailer_fits(const lwi_drive_body *body, const body_placement *vehicle, double heading,
                         float part) {
  const lw_trailer *trailer = body->trailer;
  const float back = trailer->joint;
  body_placement on = placement_of(LWI_NONE, 0, 0, heading);
  body_place joint;
  const float x = vehicle->at.x - vehicle->c * back, z = vehicle->at.z - vehicle->s * back;
  if (!goes(body, vehicle->at, x, z, &joint)) return part <= 0;
  if (!goes(body, joint, x - on.c * trailer->wheelbase, z - on.s * trailer->wheelbase, &on.at))
    return part <= 0;
  return box_fits(body, &body->trailer_box, &on, part);
}

/* @param trailer  Its heading. */
static bool placement_fits(const lwi_drive_body *body, const body_placement *on, double trailer, float part) {
  return box_fits(body, &body->box, on, part) && (!body->trailer || trailer_fits(body, on, trailer, part));
}

float lwi_drive_body_gap(const lwi_drive_body *body, const lwi_drive_pose *pose, const lwi_drive_block *block) {
  const body_placement on = placement_of(LWI_NONE, pose->at.point.x, pose->at.point.z, pose->heading);
  const lwi_body_area own = area_of(&body->box, &on);
  const float gap = lwi_body_area_gap(&own, &block->body);
  if (!body->trailer) return gap;
  const lwi_curve_pose axle = lwi_trailer_axle(body->trailer, lwi_drive_curve_pose(pose), pose->trailer);
  const body_placement behind = placement_of(LWI_NONE, (float)axle.x, (float)axle.z, axle.heading);
  const lwi_body_area trailer = area_of(&body->trailer_box, &behind);
  return fminf(gap, lwi_body_area_gap(&trailer, &block->body));
}

bool lwi_drive_body_fits(const lwi_drive_body *body, const lwi_drive_pose *pose, float part) {
  const lw_vec3 at = pose->at.point;
  const uint32_t polygon = lwi_poly_index(body->mesh, pose->at.poly);
  if (polygon == LWI_NONE) return false;
  const body_placement on = placement_of(polygon, at.x, at.z, pose->heading);
  return placement_fits(body, &on, pose->trailer, part);
}

int lwi_drive_steps(const lwi_drive_body *body, int turn, double length) {
  const double step = turn == 0 ? STEP_STRAIGHT : lwi_smaller(STEP_ARC, STEP_TURN * body->radius);
  return 1 + (int)(fabs(length) / step);
}

/* Turn the trailer as the vehicle goes on. @return false: further out of the vehicle's line than it can. */
static bool turn_trailer(const lwi_drive_body *body, lwi_curve_pose from, lwi_curve_pose to, bool is_pushed,
                         double *heading) {
  if (!body->trailer) return true;
  const double before = fabs(lwi_trailer_angle(*heading, from.heading));
  *heading = lwi_trailer_follow(body->trailer, *heading, from, to);
  const double after = fabs(lwi_trailer_angle(*heading, to.heading));
  return after <= (is_pushed ? body->pushed_angle : (double)body->trailer->max_angle) || after < before;
}

bool lwi_drive_along(const lwi_drive_body *body, const lwi_drive_start *start, int turn, double length,
                     lwi_drive_pose *pose, float *cost) {
  const int steps = lwi_drive_steps(body, turn, length);
  const lwi_curve_pose from = lwi_drive_curve_pose(pose);
  const float step = (float)fabs(length) / (float)steps;
  body_place at = {lwi_poly_index(body->mesh, pose->at.poly), pose->at.point.x, pose->at.point.z};
  if (at.polygon == LWI_NONE) return false;
  double trailer = pose->trailer;
  lwi_curve_pose to = from;
  for (int i = 1; i <= steps; i++) {
    const lwi_curve_pose before = to;
    to = lwi_curve_move(from, body->radius, turn, length * i / steps);
    if (!turn_trailer(body, before, to, length < 0, &trailer)) return false;
    if (!goes(body, at, (float)to.x, (float)to.z, &at)) return false;
    const body_placement on = placement_of(at.polygon, at.x, at.z, to.heading);
    const float part = lwi_distance_xz(lwi_vec3(at.x, 0, at.z), start->at) < start->reach ? start->part : 1;
    if (!placement_fits(body, &on, trailer, part)) return false;
    const float price = lwi_price_on(body->prices, body->mesh, at.polygon);
    if (!(price < INFINITY)) return false;
    *cost += price * step;
  }
  const lw_vec3 end = {at.x, lwi_polygon_height(body->mesh, at.polygon, at.x, at.z), at.z};
  *pose = (lwi_drive_pose){{end, lwi_poly_id(body->mesh, at.polygon)}, to.heading, trailer};
  return true;
}
