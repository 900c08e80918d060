#include "agent/driving.h"

#include "agent/steering.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "search/trailer.h"

#include <math.h>

/* A vehicle steers to a point so far ahead on its drive: for a time, and at least a distance, which for vehicles that turn
   sharply is a part of their radius. [s, m] */
#define LOOK_TIME 0.3f
#define LOOK_MIN 2.0f
#define LOOK_RADII 0.75f
/* Of its lateral acceleration and deceleration, so that it can still correct. */
#define LATERAL 0.8f
#define BRAKING 0.9f
/* A vehicle comes to where it stops no slower than this. [m/s] */
#define CREEP 0.3f
/* A vehicle so near to its stop stands. [m] */
#define STOPPED 1e-3f
/* Shorter pieces of a drive have no direction. [m] */
#define SHORT 0.01f
/* A vehicle keeps that distance from what blocks it. [m] */
#define GAP 0.5f

void lwi_driving_begin(lwi_driving *driving, lw_drive *drive) {
  lw_drive_destroy(driving->drive);
  driving->drive = drive;
  driving->number += 1;
  driving->piece = 0;
  driving->along = 0;
  driving->is_blocked = false;
  if (driving->yielding.kind == LWI_YIELD_HOLDS) driving->yielding.kind = LWI_YIELD_NONE;
}

bool lwi_driving_is_over(const lwi_driving *driving) {
  return driving->drive && driving->speed == 0 && driving->along >= lw_drive_length(driving->drive) - STOPPED;
}

float lwi_driving_remaining(const lwi_agent *agent) {
  const lwi_driving *driving = &agent->route.driving;
  return driving->drive ? lwi_max(0, lw_drive_length(driving->drive) - driving->along) : 0;
}

static float deceleration_of(const lwi_agent *agent) {
  return BRAKING * lwi_body_limit(agent->profile->def.body.deceleration);
}

float lwi_driving_braking(const lwi_agent *agent) {
  const float speed = agent->route.driving.speed;
  return speed * speed / (2 * deceleration_of(agent));
}

/* --- where it is on its drive ------------------------------------------------------------------------------------- */

static int gear_at(const lw_drive *drive, int piece) {
  return drive->points[piece < drive->count - 1 ? piece : drive->count - 2].gear;
}

/* The part of a piece that is behind the vehicle. Of a piece no longer than rounding, all. */
static float part_behind(const lw_drive *drive, int piece, lw_vec3 at) {
  if (drive->points[piece + 1].along - drive->points[piece].along < SHORT) return 1;
  return lwi_part_along_xz(drive->points[piece].at, drive->points[piece + 1].at, at);
}

/* Note which piece the vehicle is on. It passes no change of direction: there it stops first. */
static void find_piece(lwi_agent *agent) {
  lwi_driving *driving = &agent->route.driving;
  const lw_drive *drive = driving->drive;
  const int gear = gear_at(drive, driving->piece);
  int piece = driving->piece;
  while (piece + 2 < drive->count && gear_at(drive, piece + 1) == gear &&
         part_behind(drive, piece, agent->at.point) >= 1)
    piece += 1;
  const lw_drive_point *point = &drive->points[piece];
  const float part = fminf(1, fmaxf(0, part_behind(drive, piece, agent->at.point)));
  driving->piece = piece;
  driving->along = fmaxf(driving->along, point->along + part * (point[1].along - point->along));
}

/* --- how fast ----------------------------------------------------------------------------------------------------- */

static float turning_speed(const lwi_agent *agent, float curvature) {
  const lw_body *body = &agent->profile->def.body;
  const float lateral = LATERAL * lwi_body_limit(body->lateral_acceleration);
  return curvature == 0 ? INFINITY : sqrtf(lateral / fabsf(curvature));
}

static float braking_speed(const lwi_agent *agent, float then, float distance) {
  return sqrtf(then * then + 2 * deceleration_of(agent) * fmaxf(0, distance));
}

/* The point of the next stop: a change of direction, or the end. Beyond `within` any point does. */
static int next_stop(const lwi_driving *driving, float within) {
  const lw_drive *drive = driving->drive;
  const int gear = gear_at(drive, driving->piece);
  int i = driving->piece + 1;
  while (i < drive->count - 1 && drive->points[i].gear == gear &&
         drive->points[i].along - driving->along < within)
    i += 1;
  return i;
}

static float distance_to_stop(const lwi_driving *driving, float within) {
  return driving->drive->points[next_stop(driving, within)].along - driving->along;
}

/* The speed that all that comes within braking distance allows. */
static float drive_speed(const lwi_agent *agent, float speed, float ahead) {
  const lwi_driving *driving = &agent->route.driving;
  const lw_drive *drive = driving->drive;
  const float look = speed * speed / (2 * deceleration_of(agent)) + 2 * LOOK_MIN;
  const float stop = distance_to_stop(driving, look);
  speed = fminf(speed, turning_speed(agent, drive->points[driving->piece].curvature));
  for (int i = driving->piece + 1; i < drive->count - 1; i++) {
    const float away = drive->points[i].along - driving->along;
    if (away > look || away >= stop) break;
    speed = fminf(speed, braking_speed(agent, turning_speed(agent, drive->points[i].curvature), away));
  }
  const float free = ahead == LWI_DRIVE_FREE ? INFINITY : braking_speed(agent, 0, ahead - GAP);
  return fminf(fminf(speed, free), fmaxf(CREEP, braking_speed(agent, 0, stop)));
}

/* Change the speed as far as the vehicle can in a step. */
static float limit_speed(const lwi_agent *agent, float from, float to, float dt) {
  const lw_body *body = &agent->profile->def.body;
  const float faster =
      lwi_body_limit(body->acceleration) * lwi_pace_styles[lwi_agent_pace(agent)].acceleration * dt;
  const float slower = lwi_body_limit(body->deceleration) * dt;
  const bool brakes = from * to < 0 || fabsf(to) < fabsf(from);
  const float limit = brakes ? slower : faster, change = fminf(limit, fmaxf(-limit, to - from));
  return brakes && from * (from + change) < 0 ? 0 : from + change;
}

/* --- where to ----------------------------------------------------------------------------------------------------- */

static lwi_curve_pose pose_of(lw_vec3 at, float heading) {
  return (lwi_curve_pose){(double)at.x, (double)at.z, (double)heading};
}

static lwi_curve_pose go(lwi_curve_pose from, float curvature, float length) {
  const int turn = curvature > 1e-6f ? 1 : curvature < -1e-6f ? -1 : 0;
  return lwi_curve_move(from, turn == 0 ? 1 : 1 / fabs((double)curvature), turn, (double)length);
}

/* The pose so far along the drive, on from a piece; behind a change of direction and the end, straight on. */
static lwi_curve_pose pose_at(const lwi_driving *driving, float along) {
  const lw_drive *drive = driving->drive;
  const int gear = gear_at(drive, driving->piece);
  int i = driving->piece;
  while (i < drive->count - 1 && drive->points[i].gear == gear && drive->points[i + 1].along < along) i += 1;
  const lw_drive_point *point = &drive->points[i];
  const bool is_behind = i == drive->count - 1 || point->gear != gear;
  return go(pose_of(point->at, point->heading), is_behind ? 0 : point->curvature,
            (float)gear * (along - point->along));
}

/* The curvature of the arc from a pose through a place. */
static float pursuit(lwi_curve_pose from, lwi_curve_pose to) {
  const double dx = to.x - from.x, dz = to.z - from.z, far2 = dx * dx + dz * dz;
  const double left = -(dx * sin(from.heading) + dz * cos(from.heading));
  return far2 > 0 ? (float)(2 * left / far2) : 0;
}

/* --- backing with a trailer --------------------------------------------------------------------------------------- */

/* A trailer that is pushed turns further and further out of the vehicle's line unless that steers against it. So its axle is
   what follows the drive: where it is to go says how far it is to be out of line, and the vehicle steers for that. */

/* How soon it comes to be as it is to be: over this part of its wheelbase. */
#define TRAILER_SOON 0.35f
/* The angle is changed by this at most, for the place. [rad] */
#define TRAILER_CORRECTION 0.35f
/* A vehicle whose steering moves the axle by less, against its wheelbase, cannot steer for it. */
#define TRAILER_LEVER 0.1f

/* The trailer's axle so far along the drive; behind its end, straight on. */
static lwi_curve_pose trailer_at(const lwi_driving *driving, const lw_trailer *trailer, float along) {
  const lw_drive *drive = driving->drive;
  const int stop = next_stop(driving, INFINITY);
  const float end = drive->points[stop].along, on = fminf(along, end);
  int piece = driving->piece;
  while (piece + 1 < stop && drive->points[piece + 1].along < on) piece += 1;
  const double heading = (double)lwi_drive_trailer_at(drive, piece, on);
  const lwi_curve_pose axle = lwi_trailer_axle(trailer, pose_at(driving, on), heading);
  return lwi_curve_move(axle, 1, 0, -(double)(along - on));
}

/* The planned curvature, and what brings the trailer to the angle at which its axle comes back to the drive. */
static float steer_trailer(const lwi_agent *agent, const lw_trailer *trailer, float look, float own) {
  const lwi_driving *driving = &agent->route.driving;
  const lwi_curve_pose vehicle = pose_of(agent->at.point, agent->heading);
  const double heading = (double)lwi_agent_trailer_heading(agent);
  const lwi_curve_pose now = lwi_trailer_axle(trailer, vehicle, heading);
  const lwi_curve_pose on = trailer_at(driving, trailer, driving->along);
  const lwi_curve_pose to = trailer_at(driving, trailer, driving->along + look);
  const float planned = (float)lwi_trailer_angle(pose_at(driving, driving->along).heading, on.heading);
  const float angle = (float)lwi_trailer_angle(vehicle.heading, heading);
  const float turn = trailer->wheelbase * (pursuit(now, to) - pursuit(on, to));
  const float wanted = planned + fminf(TRAILER_CORRECTION, fmaxf(-TRAILER_CORRECTION, turn));
  const float change = sinf(angle) - sinf(planned) + (angle - wanted) / TRAILER_SOON;
  const float lever = trailer->wheelbase + trailer->joint * cosf(angle);
  return fabsf(lever) < TRAILER_LEVER * trailer->wheelbase ? own : own + change / lever;
}

/* The drive's own curvature, and by how much more the arc to a point ahead on it turns than it would if the vehicle were on
   the drive: on it, nothing is corrected. */
static float steer_vehicle(const lwi_agent *agent, float look, float own) {
  const lwi_driving *driving = &agent->route.driving;
  const lwi_curve_pose to = pose_at(driving, driving->along + look), on = pose_at(driving, driving->along);
  return own + pursuit(pose_of(agent->at.point, agent->heading), to) - pursuit(on, to);
}

/* As far as it can steer at its speed. */
static float steer(const lwi_agent *agent, float speed) {
  const lwi_driving *driving = &agent->route.driving;
  const lw_body *body = &agent->profile->def.body;
  const float nearest = fminf(LOOK_MIN, LOOK_RADII * body->turn_radius);
  const float look = fmaxf(nearest, LOOK_TIME * fabsf(speed));
  const float own = driving->drive->points[driving->piece].curvature;
  const lw_trailer *trailer = speed < 0 ? lwi_trailer_of(agent->profile) : NULL;
  const float wanted = trailer ? steer_trailer(agent, trailer, look, own) : steer_vehicle(agent, look, own);
  const float limit =
      fminf(1 / body->turn_radius, lwi_body_limit(body->lateral_acceleration) / fmaxf(1e-3f, speed * speed));
  return fminf(limit, fmaxf(-limit, wanted));
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

float lwi_agent_trailer_heading(const lwi_agent *agent) {
  const float angle = lwi_trailer_of(agent->profile) ? agent->route.driving.trailer_angle : 0;
  return lwi_angle_between(0, agent->heading + angle);
}

/* The trailer follows, no further out of line than it can be. */
static void tow_trailer(lwi_agent *agent, lwi_curve_pose from) {
  const lw_trailer *trailer = lwi_trailer_of(agent->profile);
  if (!trailer) return;
  const lwi_curve_pose to = pose_of(agent->at.point, agent->heading);
  const double before = from.heading + (double)agent->route.driving.trailer_angle;
  const float angle = (float)lwi_trailer_angle(lwi_trailer_follow(trailer, before, from, to), to.heading);
  agent->route.driving.trailer_angle = fminf(trailer->max_angle, fmaxf(-trailer->max_angle, angle));
}

/* Go so far along an arc; sliding along the navmesh's border where it would leave that. */
static void move(lwi_agent *agent, const lw_navmesh *mesh, float distance, float dt) {
  const lwi_driving *driving = &agent->route.driving;
  const lw_vec3 before = agent->at.point;
  const lwi_curve_pose from = pose_of(before, agent->heading), to = go(from, driving->curvature, distance);
  const lw_vec3 target = {(float)to.x, before.y, (float)to.z};
  lw_location end;
  if (lw_navmesh_move(mesh, agent->at, target, &agent->profile->prices.filter, &end) == LW_OK) agent->at = end;
  agent->heading = lwi_angle_between(0, (float)to.heading);
  tow_trailer(agent, from);
  const lw_vec3 moved = lwi_sub(agent->at.point, before);
  agent->velocity = lwi_scale(moved, 1 / dt);
  agent->stats.walked += (double)lwi_length(moved);
}

static void brake(lwi_agent *agent, const lw_navmesh *mesh, float dt) {
  lwi_driving *driving = &agent->route.driving;
  driving->speed = limit_speed(agent, driving->speed, 0, dt);
  agent->velocity = lwi_vec3(0, 0, 0);
  if (driving->speed != 0) move(agent, mesh, driving->speed * dt, dt);
}

/* The vehicle stands at its next stop: from there it goes on in the other direction. */
static void change_direction(lwi_driving *driving) {
  const lw_drive *drive = driving->drive;
  const int i = next_stop(driving, INFINITY);
  driving->along = fmaxf(driving->along, drive->points[i].along);
  if (i < drive->count - 1) driving->piece = i;
  driving->speed = 0;
}

void lwi_agent_drive(lwi_agent *agent, const lw_navmesh *mesh, float ahead, float dt) {
  lwi_driving *driving = &agent->route.driving;
  const bool drives = agent->move == LW_MOVE_WALKING && driving->drive && driving->drive->count > 1;
  if (!drives || lwi_driving_is_over(driving)) {
    brake(agent, mesh, dt);
    return;
  }
  find_piece(agent);
  const float gear = (float)gear_at(driving->drive, driving->piece);
  if (driving->speed * gear < 0) { /* it still rolls in the other direction */
    brake(agent, mesh, dt);
    return;
  }
  const lw_profile_def *def = &agent->profile->def;
  float speed = lwi_agent_speed(agent, mesh);
  if (gear < 0) speed = fminf(speed, def->speed[LW_CALM]);
  if (agent->route.station.kind != LWI_STATION_NONE) speed = fminf(speed, agent->route.station.speed);
  speed = drive_speed(agent, speed, ahead);
  driving->speed = limit_speed(agent, driving->speed, gear * speed, dt);
  driving->curvature = steer(agent, driving->speed);
  const float stop = distance_to_stop(driving, INFINITY), step = fabsf(driving->speed) * dt;
  move(agent, mesh, gear * fminf(step, stop), dt);
  if (step >= stop - STOPPED)
    change_direction(driving);
  else
    find_piece(agent);
}

static uint64_t hash_yielding(uint64_t hash, const lwi_yielding *yielding) {
  if (yielding->kind == LWI_YIELD_NONE && yielding->refused == 0) return hash;
  const uint64_t words[] = {(uint64_t)yielding->kind, yielding->to, yielding->refused,
                            (uint64_t)yielding->tried};
  const float numbers[] = {yielding->hold, yielding->far, yielding->heading};
  hash = lwi_hash(lwi_hash(hash, words, sizeof words), numbers, sizeof numbers);
  hash = lwi_hash(lwi_hash(hash, &yielding->place, sizeof yielding->place), &yielding->passing,
                  sizeof yielding->passing);
  return lwi_hash(hash, &yielding->until, sizeof yielding->until);
}

uint64_t lwi_driving_hash(uint64_t hash, const lwi_driving *driving) {
  hash = hash_yielding(hash, &driving->yielding);
  const float numbers[] = {driving->speed, driving->curvature, driving->along};
  if (driving->trailer_angle != 0)
    hash = lwi_hash(hash, &driving->trailer_angle, sizeof driving->trailer_angle);
  if (!driving->drive && driving->speed == 0 && !driving->is_blocked) return hash;
  if (driving->is_blocked) hash = lwi_hash(hash, &driving->blocked_at, sizeof driving->blocked_at);
  hash = lwi_hash(lwi_hash(hash, numbers, sizeof numbers), &driving->piece, sizeof driving->piece);
  for (int i = 0; driving->drive && i < driving->drive->count; i++) {
    const lw_drive_point *point = &driving->drive->points[i];
    const float place[] = {point->at.x,      point->at.y,  point->at.z,       point->heading,
                           point->curvature, point->along, (float)point->gear};
    hash = lwi_hash(hash, place, sizeof place);
    if (point->trailer_heading != point->heading)
      hash = lwi_hash(hash, &point->trailer_heading, sizeof point->trailer_heading);
  }
  return hash;
}
