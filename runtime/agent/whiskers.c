#include "agent/whiskers.h"

#include "agent/driving.h"
#include "agent/steering.h"
#include "core/vec3.h"
#include "search/trailer.h"

#include <math.h>

/* A turn to the shorter side of what is slow and ahead is as good as that. [s] */
#define SHORTER 0.1f
/* Agents faster than this are hazards... [m/s] */
#define FAST 5.0f
/* ...for those whose speed is less than theirs by this factor: avoidance looks ahead far enough for the others. */
#define FASTER 2.0f
/* A turn by a radian is as good as this time more without a collision. [s] */
#define TURN_PRICE 0.15f
/* Where no whisker is free and to wait would not help, agents look further round, in steps, up to there if they may stand
   where they are, else all round. [rad] */
#define WIDER 0.4f
#define WIDEST 1.7f
#define ALL_ROUND 3.1f
/* A hazard that is slower than an agent by this factor is gone round, as it will not have gone by soon. */
#define SLOWER 0.5f
/* An agent brakes that long before it could not halt any more. [s] */
#define LAST_CHANCE 0.1f
/* Kept from a hazard. [m] */
#define GAP 0.05f
/* Of the time: hazards straight on within that count also where the path turns before them. */
#define STRAIGHT 0.33f
/* A step, or rubble, that is lower than this is walked over. [m] */
#define LOW 0.05f

/* --- hazards among agents --------------------------------------------------------------------------------- */

static lwi_hazard hazard_of(const lwi_crowd_body *body) {
  return (lwi_hazard){.kind = LW_WHISKER_AGENT,
                      .agent = body->agent->id,
                      .navmesh = body->navmesh,
                      .at = body->at,
                      .reach = body->radius,
                      .low = body->at.y,
                      .high = body->at.y + body->height,
                      .velocity = body->velocity};
}

static lwi_vec2 direction_of(float heading) {
  return lwi_vec2_of(cosf(heading), -sinf(heading));
}

static lwi_vec2 flat(lw_vec3 at) {
  return lwi_vec2_of(at.x, at.z);
}

/* @param ends  Of a rectangle before and behind an axle. [m] @param[out] corners  [4] From one end of the front to the other. */
static void set_corners(lwi_vec2 axle, lwi_vec2 ahead, const float ends[2], float width, lwi_vec2 *corners) {
  const float half = width / 2, along[] = {ends[0], ends[1], ends[1], ends[0]},
              aside[] = {half, half, -half, -half};
  for (int i = 0; i < 4; i++)
    corners[i] = lwi_vec2_of(axle.x + ahead.x * along[i] - ahead.z * aside[i],
                             axle.z + ahead.z * along[i] + ahead.x * aside[i]);
}

static lwi_hazard vehicle_hazard(const lwi_crowd_body *body) {
  const lw_vehicle *vehicle = &body->agent->profile->def.body.vehicle;
  const float front = (vehicle->length + vehicle->wheelbase) / 2, ends[] = {front, front - vehicle->length};
  lwi_hazard hazard = hazard_of(body);
  lwi_vec2 corners[4];
  set_corners(flat(body->at), direction_of(body->agent->heading), ends, vehicle->width, corners);
  lwi_hazard_set_outline(&hazard, corners, 4);
  return hazard;
}

/* With its drawbar: nobody passes between it and the vehicle. It goes where its wheels roll. */
static lwi_hazard trailer_hazard(const lwi_crowd_body *body, const lw_trailer *trailer) {
  const float heading = lwi_agent_trailer_heading(body->agent);
  const lwi_vec2 ahead = direction_of(heading);
  const lw_vec3 joint = lwi_trailer_joint_at(trailer, body->at, body->agent->heading);
  const float ends[] = {lwi_trailer_front(trailer), lwi_trailer_back(trailer)};
  lwi_hazard hazard = hazard_of(body);
  lwi_vec2 corners[5];
  int count = 4;
  set_corners(flat(lwi_trailer_axle_at(trailer, joint, heading)), ahead, ends, trailer->width, corners);
  if (trailer->drawbar > 0) corners[count++] = flat(joint);
  hazard.velocity = lwi_scale2(ahead, lwi_dot2(ahead, body->velocity));
  lwi_hazard_set_outline(&hazard, corners, count);
  return hazard;
}

/* Where an agent comes to the end of a link, if it does by itself. */
static bool landing_hazard(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_hazard *hazard) {
  const lwi_agent *agent = body->agent;
  const lwi_traverse *link = &agent->link;
  if (!link->active || link->is_held || link->kind == LW_LINK_TELEPORT || body->avoidance == LW_AVOID_NONE)
    return false;
  *hazard = hazard_of(body);
  hazard->kind = LW_WHISKER_LINK;
  hazard->at = link->to.point;
  hazard->low = link->to.point.y;
  hazard->high = hazard->low + body->height;
  hazard->velocity = lwi_vec2_of(0, 0);
  hazard->navmesh = (int16_t)lwi_agent_footing_navmesh(agent);
  hazard->from = (link->straight - link->done) / lwi_agent_speed(agent, step->meshes[agent->navmesh]);
  return true;
}

static bool list_bodies(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  bool good = true;
  for (int i = 0; i < crowd->count && good; i++) {
    const lwi_crowd_body *body = &crowd->bodies[i];
    lwi_hazard hazard;
    if (body->is_there && lwi_is_vehicle(body->agent->profile))
      hazard = vehicle_hazard(body);
    else if (body->is_there && lwi_dot2(body->velocity, body->velocity) > FAST * FAST)
      hazard = hazard_of(body);
    else if (!landing_hazard(step, body, &hazard))
      continue;
    good = lwi_hazards_add(&crowd->hazards, step->memory, &hazard);
    const lw_trailer *trailer = body->is_there ? lwi_trailer_of(body->agent->profile) : NULL;
    if (!trailer || !good) continue;
    hazard = trailer_hazard(body, trailer);
    good = lwi_hazards_add(&crowd->hazards, step->memory, &hazard);
  }
  return good;
}

/* --- rays ------------------------------------------------------------------------------------------------- */

/* What an agent looks with. */
typedef struct look {
  const lwi_crowd_step *step;
  const lwi_crowd_body *body;
  lwi_vec2 at;
  lwi_vec2 wish;        /* unit */
  float speed, seconds; /* [m/s, s] */
  float shorter;        /* > 0: what is ahead, and slow, is gone round on the left; < 0: on the right */
} look;

typedef struct ray {
  float turn; /* to the left [rad] */
  lwi_vec2 velocity;
  bool is_cast;
  float wall;            /* when it comes to a wall [s] */
  float rise;            /* of the ground [m/s] */
  float free;            /* when it comes to a hazard; infinity: not within the time [s] */
  const lwi_hazard *hit; /* that one */
} ray;

float lwi_whisker_turn(const lw_whiskers *whiskers, int number) {
  const int half = whiskers->rays / 2;
  return half > 0 ? whiskers->spread * (float)(number - half) / (float)half : 0;
}

static void cast_at_walls(const look *from, ray *cast) {
  const lwi_crowd_body *body = from->body;
  const lw_vec3 to = {body->at.x + cast->velocity.x * from->seconds, body->at.y,
                      body->at.z + cast->velocity.z * from->seconds};
  lw_raycast wall;
  cast->is_cast = true;
  if (lw_navmesh_raycast(from->step->meshes[body->navmesh], body->agent->at, to,
                         &body->agent->profile->prices.filter, &wall) != LW_OK)
    return;
  if (wall.hit) cast->wall = wall.t * from->seconds;
  cast->rise = (wall.at.point.y - body->at.y) / fmaxf(wall.t * from->seconds, 1e-3f);
}

static bool concerns(const look *from, const lwi_hazard *hazard) {
  const lwi_crowd_body *body = from->body;
  if (lw_agent_id_equal(hazard->agent, body->agent->id)) return false;
  if (hazard->navmesh >= 0 && hazard->navmesh != body->navmesh) return false;
  const bool is_body = hazard->kind == LW_WHISKER_AGENT && hazard->side_count == 0;
  const float fast2 = lwi_dot2(hazard->velocity, hazard->velocity), limit = FASTER * from->speed;
  return !is_body || fast2 > limit * limit;
}

static void meet(const look *from, const lwi_hazard *hazard, ray *cast) {
  const lwi_crowd_body *body = from->body;
  const float time = lwi_hazard_meeting(hazard, from->at, cast->velocity, body->radius, from->seconds);
  if (!(time < from->seconds) || time > cast->free) return;
  if (cast->hit && time == cast->free && hazard->kind >= cast->hit->kind) return;
  if (!cast->is_cast) cast_at_walls(from, cast);
  const float feet = body->at.y + cast->rise * fminf(time, cast->wall);
  if (hazard->high <= feet + LOW || hazard->low >= feet + body->height) return;
  if (from->speed * (time - cast->wall) > body->radius) return; /* behind a wall */
  cast->free = time;
  cast->hit = hazard;
}

/* @param speed  0: the agent stands there. */
static ray cast_ray(const look *from, float turn, float speed) {
  const lwi_crowd_body *body = from->body;
  const float c = cosf(turn), s = sinf(turn);
  ray cast = {.turn = turn,
              .velocity = lwi_scale2(
                  lwi_vec2_of(from->wish.x * c + from->wish.z * s, from->wish.z * c - from->wish.x * s), speed),
              .wall = INFINITY,
              .free = INFINITY};
  const float x = from->at.x, z = from->at.z, to_x = x + cast.velocity.x * from->seconds,
              to_z = z + cast.velocity.z * from->seconds, reach = body->radius;
  const lwi_rectangle box = {fminf(x, to_x) - reach, fminf(z, to_z) - reach, fmaxf(x, to_x) + reach,
                             fmaxf(z, to_z) + reach};
  const lwi_hazards *hazards = &from->step->crowd->hazards;
  if (!lwi_rectangle_tree_may_meet(&hazards->tree, &box)) return cast;
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(&hazards->tree, box);
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;)
    if (concerns(from, &hazards->items[i])) meet(from, &hazards->items[i], &cast);
  return cast;
}

/* --- what to do ------------------------------------------------------------------------------------------- */

static float value_of(const look *from, const ray *cast) {
  const float side = cast->turn * from->shorter > 0 ? SHORTER : 0;
  return fminf(from->seconds, fminf(cast->free, cast->wall)) - TURN_PRICE * fabsf(cast->turn) + side;
}

static void keep_better(const look *from, ray *best, const ray *other) {
  if (value_of(from, other) > value_of(from, best)) *best = *other;
}

/* Where it comes to stand if it brakes now, or after that time. [s] */
static ray cast_halt(const look *from, float after) {
  const lwi_vec2 velocity = from->body->velocity;
  const float brakes = lwi_body_limit(from->body->agent->profile->def.body.deceleration),
              seconds = after + sqrtf(lwi_dot2(velocity, velocity)) / (2 * brakes);
  look there = *from;
  there.at = lwi_add2(from->at, lwi_scale2(velocity, seconds));
  return cast_ray(&there, 0, 0);
}

static ray cast_side(const look *from, float turn) {
  ray cast = cast_ray(from, turn, from->speed);
  if (!cast.is_cast) cast_at_walls(from, &cast);
  return cast;
}

/* Look further round than the whiskers, to both sides, until a direction is free. */
static void look_wider(const look *from, float begin, float end, ray *best) {
  for (float turn = begin + WIDER; turn <= end && best->free < from->seconds; turn += WIDER) {
    const ray right = cast_side(from, -turn), left = cast_side(from, turn);
    keep_better(from, best, &right);
    keep_better(from, best, &left);
  }
}

static void note(const look *from, const ray *cast, int number, lwi_whisker_view *view) {
  const bool is_hit = cast->free <= cast->wall;
  view->free[number] = fminf(from->seconds, fminf(cast->free, cast->wall));
  view->hits[number] = LW_WHISKER_FREE;
  if (cast->hit && is_hit) view->hits[number] = (uint8_t)cast->hit->kind;
  if (!is_hit && cast->wall < from->seconds) view->hits[number] = LW_WHISKER_WALL;
}

/* How long it goes on straight, as its path does. */
static float straight_time(const look *from) {
  const lwi_motion *motion = &from->body->agent->route.motion;
  const float dx = motion->aim_x - from->body->at.x, dz = motion->aim_z - from->body->at.z;
  return fminf(from->seconds, fmaxf(STRAIGHT * from->seconds, sqrtf(dx * dx + dz * dz) / from->speed));
}

/* What is ahead, and how to meet it. */
typedef struct threat_ahead {
  const ray *ahead;
  ray halt;     /* where the agent would halt */
  bool is_slow; /* it will not have gone by soon */
  bool is_safe; /* it does not come there */
  bool is_last; /* but it will where the agent halts soon: it brakes now, or too late */
} threat_ahead;

static threat_ahead judge(const look *from, const ray *ahead) {
  const lwi_vec2 comes = ahead->hit->velocity;
  threat_ahead threat = {.ahead = ahead, .halt = cast_halt(from, 0)};
  threat.is_slow = lwi_dot2(comes, comes) < SLOWER * SLOWER * from->speed * from->speed;
  threat.is_safe = !(threat.halt.free < from->seconds);
  threat.is_last = threat.is_safe && cast_halt(from, LAST_CHANCE).free < from->seconds;
  return threat;
}

/* No faster than it can brake before the hazard, unless it is hit where it stands, too. */
static float speed_on(const look *from, const ray *cast, const threat_ahead *threat) {
  if (!(cast->free < from->seconds) || threat->halt.free <= cast->free) return from->speed;
  if (threat->is_last) return 0;
  const float gap = fmaxf(0, from->speed * cast->free - GAP);
  return fminf(fminf(from->speed, gap / from->step->dt), lwi_agent_braking_speed(from->body->agent, 0, gap));
}

/* Would it run along before something that crosses, to be overtaken by it? */
static bool runs_along(const look *from, const threat_ahead *threat, float turn) {
  const float to_left = -lwi_det2(from->wish, threat->ahead->hit->velocity);
  return !threat->is_slow && threat->is_safe && to_left * turn > 0;
}

/* How far it is to the left end of a hazard, and to the right one, across its wish. [m] */
static void widen_by(const look *from, const lwi_hazard *hazard, float ends[2]) {
  const lwi_vec2 middle = lwi_vec2_of(hazard->at.x, hazard->at.z);
  for (int i = 0; i < hazard->side_count; i++) {
    const float left = -lwi_det2(from->wish, lwi_sub2(lwi_add2(middle, hazard->sides[i].corner), from->at));
    ends[0] = fmaxf(ends[0], left);
    ends[1] = fmaxf(ends[1], -left);
  }
}

/* On which side it is shorter round a hazard, and round what belongs to the same agent: vehicle and trailer. */
static float shorter_side(const look *from, const lwi_hazard *hit) {
  const lwi_hazards *hazards = &from->step->crowd->hazards;
  const int index = (int)(hit - hazards->items);
  float ends[2] = {0, 0};
  widen_by(from, hit, ends);
  for (int i = index - 1; i <= index + 1 && !lw_agent_id_is_none(hit->agent); i += 2)
    if (i >= 0 && i < hazards->count && lw_agent_id_equal(hazards->items[i].agent, hit->agent))
      widen_by(from, &hazards->items[i], ends);
  return ends[1] - ends[0];
}

/* Something is ahead: turn and slow its wish. */
static void evade(look *from, const ray *ahead, lwi_crowd_body *body) {
  const lw_whiskers *whiskers = &body->agent->profile->def.body.whiskers;
  const threat_ahead threat = judge(from, ahead);
  if (threat.is_slow) from->shorter = shorter_side(from, ahead->hit);
  lwi_whisker_view *view = &body->agent->route.motion.whiskers;
  ray best = *ahead;
  *view = (lwi_whisker_view){.is_evading = true,
                             .count = (uint8_t)whiskers->rays,
                             .direction = from->wish,
                             .speed = from->speed,
                             .met = ahead->hit->kind};
  for (int i = 0; i < whiskers->rays; i++) {
    const float turn = lwi_whisker_turn(whiskers, i);
    const ray side = turn == 0 ? *ahead : cast_side(from, turn);
    note(from, &side, i, view);
    if (!runs_along(from, &threat, turn)) keep_better(from, &best, &side);
  }
  if (threat.is_slow || !threat.is_safe)
    look_wider(from, whiskers->spread, threat.is_safe ? WIDEST : ALL_ROUND, &best);
  const float speed = speed_on(from, &best, &threat);
  body->wish = lwi_scale2(best.velocity, speed / from->speed);
  body->hazard = 1 + (uint32_t)(ahead->hit - from->step->crowd->hazards.items);
  view->turn = best.turn;
  view->slowed = speed / from->speed;
}

static void look_ahead(const lwi_crowd_step *step, lwi_crowd_body *body) {
  const lw_whiskers *whiskers = &body->agent->profile->def.body.whiskers;
  const float speed = sqrtf(lwi_dot2(body->wish, body->wish));
  if (whiskers->rays == 0 || body->turns.waits || !(speed > 0)) return;
  look from = {.step = step,
               .body = body,
               .at = lwi_vec2_of(body->at.x, body->at.z),
               .wish = lwi_scale2(body->wish, 1 / speed),
               .speed = speed,
               .seconds = whiskers->seconds};
  ray ahead = cast_ray(&from, 0, speed);
  ahead.wall = INFINITY; /* its path turns before that */
  if (ahead.free < straight_time(&from)) evade(&from, &ahead, body);
}

bool lwi_crowd_whisk(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  lwi_hazards *hazards = &crowd->hazards;
  const bool is_listed = list_bodies(step) && lwi_hazards_index(hazards, step->memory, crowd->farthest);
  if (hazards->count == 0) return is_listed;
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    if (body->is_awake && body->agent->move == LW_MOVE_WALKING && body->avoidance != LW_AVOID_NONE)
      look_ahead(step, body);
  }
  return is_listed;
}
