/* Where two agents cannot walk side by side they go through in one direction at a time. Bottlenecks are found on the paths
   that lead over them: each agent looks along its own path, a few metres ahead, how wide the ground is on both sides. Those
   that have to wait do so beside the entry, where they do not bar others that come out. */
#include "agent/crowd.h"
#include "agent/steering.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

/* Samples of the path, and how many an agent takes in a step. [m] */
#define SAMPLE 0.3f
#define SAMPLES_A_STEP 2
#define SAMPLES_AT_FIRST 24 /* of a path */
/* Narrow places of a path that are further apart are two bottlenecks. [m] */
#define GAP 1.5f
/* How far ahead it looks, and how long a bottleneck can be. [m] */
#define LOOK_AHEAD 6.0f
#define LONG 40.0f
/* Points of two walls that are nearer than that are the corner where they meet. [m] */
#define SHARED 0.01f
/* A bottleneck extends so far beyond what is narrow, so that agents that wait leave space before it. [m] */
#define BEYOND 0.6f
/* Samples so near to a bottleneck, and not higher or lower than that, belong to it. [m] */
#define SAME 1.0f
#define SAME_HEIGHT 1.5f
/* Agents nearer than that want to go through; those in front of the entry have turns. [m] */
#define COMING 4.0f
#define RANKED 3.0f
/* An agent that is no further inside goes back if it is not its turn and others come out. [m] */
#define AT_ENTRY 0.3f
/* Behind its exit an agent is still in the way. [m] */
#define LEAVING 0.5f
/* As many go through in a turn while others wait. */
#define TURN 8
/* One that nobody was near for so long is forgotten. [s] */
#define FORGOTTEN 20.0
/* Where agents wait: so far back from the entry, and so far beside it, on the right. [m] */
#define WAIT_BACK 1.0f
#define WAIT_BESIDE 1.9f
#define WAIT_NEAR 0.3f
/* An agent that is further to the left of the line through a bottleneck waits on the left. [m] */
#define ON_LEFT 0.5f
/* An agent that is further from that line, on either side, does not bar others that come out. [m] */
#define ASIDE 1.4f

/* --- looking ahead ---------------------------------------------------------------------------------------- */

typedef struct path_place {
  lw_vec3 at, direction;
  bool is_there; /* else it is on a link, or behind the end */
} path_place;

/* The place of the agent's path with that remaining length. */
static path_place place_on_path(const lwi_agent *agent, float remaining) {
  const lwi_agent_route *route = &agent->route;
  lw_vec3 from = agent->at.point;
  for (int i = route->next_point; i < route->path->point_count; i++) {
    const lw_vec3 to = route->path->points[i];
    const float over = route->path->remaining[i], length = lwi_distance(from, to);
    if (lwi_path_link_at(route->path, i - 1)) return (path_place){.is_there = false};
    if (remaining >= over && length > 0) {
      const float t = fminf(1, fmaxf(0, 1 - (remaining - over) / length));
      lw_vec3 direction = lwi_sub(to, from);
      direction.y = 0;
      return (path_place){lwi_lerp(from, to, t), lwi_direction(direction), true};
    }
    from = to;
  }
  return (path_place){.is_there = false};
}

/* The point of a line from a to b that is nearest to the origin. */
static lwi_vec2 nearest_point(lwi_vec2 a, lwi_vec2 b) {
  const lwi_vec2 along = lwi_sub2(b, a);
  const float length2 = lwi_dot2(along, along), t = length2 > 0 ? -lwi_dot2(a, along) / length2 : 0;
  return lwi_add2(a, lwi_scale2(along, fminf(1, fmaxf(0, t))));
}

/* The nearest point of a wall, as seen from a place. */
static lwi_vec2 wall_point(const lwi_wall *wall, lw_vec3 from) {
  return nearest_point(lwi_vec2_of(wall->ax - from.x, wall->az - from.z),
                       lwi_vec2_of(wall->bx - from.x, wall->bz - from.z));
}

/* Does the line between two points, as seen from a sample of a path, lead past it within half the distance between samples? */
static bool is_between(lwi_vec2 a, lwi_vec2 b) {
  const lwi_vec2 nearest = nearest_point(a, b);
  return lwi_dot2(nearest, nearest) <= SAMPLE * SAMPLE / 4;
}

/* Do two walls face each other across the place between these points of theirs, nearer than that? Walls that meet at a corner
   share a point there, and those of a pillar face away from each other. */
static bool are_facing(const lwi_wall *a, const lwi_wall *b, lwi_vec2 on_a, lwi_vec2 on_b) {
  const lwi_vec2 across = lwi_sub2(on_b, on_a);
  if (lwi_dot2(across, across) < SHARED * SHARED || !is_between(on_a, on_b)) return false;
  return a->nx * across.x + a->nz * across.z > 0 && b->nx * across.x + b->nz * across.z < 0;
}

/* Is the ground at a place, between two walls that face each other, too narrow for two such agents?
   @param[out] across  From one wall to the other, where they are nearest. [m] */
static bool is_narrow(const lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 at, lwi_vec2 *across) {
  const float radius = agent->profile->def.radius,
              wide = 2 * radius + 2 * fmaxf(0, radius - mesh->agent.radius);
  const lw_vec3 snap = {0.2f, 1, 0.2f};
  lw_circle circle = {.radius = wide};
  lwi_wall walls[LWI_WALLS_MAX];
  lwi_vec2 points[LWI_WALLS_MAX];
  if (lw_navmesh_nearest(mesh, at, snap, &agent->profile->prices.filter, &circle.center) != LW_OK) return false;
  const int count = lwi_walls_about(mesh, circle, &agent->profile->prices.filter, walls);
  float width2 = wide * wide;
  for (int i = 0; i < count; i++) {
    points[i] = wall_point(&walls[i], circle.center.point);
    for (int k = 0; k < i; k++) {
      const lwi_vec2 between = lwi_sub2(points[k], points[i]);
      if (!(lwi_dot2(between, between) < width2) || !are_facing(&walls[i], &walls[k], points[i], points[k]))
        continue;
      width2 = lwi_dot2(between, between);
      *across = between;
    }
  }
  return width2 < wide * wide;
}

bool lwi_crowd_is_narrow(const lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 at) {
  lwi_vec2 across;
  return is_narrow(agent, mesh, at, &across);
}

/* The direction at right angles to the narrowest line, on the side to which the path leads. */
static lw_vec3 direction_through(lwi_vec2 across, lw_vec3 along) {
  const lwi_vec2 unit = lwi_unit2(lwi_vec2_of(-across.z, across.x));
  const float side = unit.x * along.x + unit.z * along.z < 0 ? -1.0f : 1.0f;
  return lwi_vec3(side * unit.x, 0, side * unit.z);
}

/* --- the list --------------------------------------------------------------------------------------------- */

static bool is_on(const lwi_bottleneck *at, int navmesh, lw_vec3 place) {
  if (at->navmesh != navmesh) return false;
  const lw_vec3 foot = lwi_nearest_on(at->from, at->to, place);
  return lwi_distance_xz(foot, place) < SAME && fabsf(foot.y - place.y) < SAME_HEIGHT;
}

/* @return Its index, or -1: the list is full. */
static int find_or_add(const lwi_crowd_step *step, int navmesh, const path_place *place) {
  lwi_crowd *crowd = step->crowd;
  int unused = -1;
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    if (is_on(&crowd->bottlenecks[i], navmesh, place->at)) return i;
    if (crowd->bottlenecks[i].navmesh < 0 && unused < 0) unused = i;
  }
  if (unused < 0 && crowd->bottleneck_count == crowd->bottleneck_capacity) return -1;
  if (unused < 0) unused = crowd->bottleneck_count++;
  const lw_vec3 half = lwi_scale(place->direction, SAMPLE + BEYOND);
  crowd->bottlenecks[unused] = (lwi_bottleneck){
      .from = lwi_sub(place->at, half), .to = lwi_add(place->at, half), .navmesh = navmesh, .used = step->now};
  return unused;
}

/* It leads on to another sample. */
static void extend(lwi_bottleneck *at, bool forward, lw_vec3 place) {
  const float t = lwi_part_along_xz(at->from, at->to, place);
  if (forward && t > 1) at->to = place;
  if (!forward && t < 0) at->from = place;
}

static void note_sample(const lwi_crowd_step *step, lwi_agent *agent, const path_place *place,
                        float remaining) {
  lwi_narrow *narrow = &agent->route.motion.narrow;
  if (narrow->number == 0) {
    const int number = find_or_add(step, agent->navmesh, place);
    if (number < 0) return;
    const lwi_bottleneck *at = &step->crowd->bottlenecks[number];
    const lw_vec3 axis = lwi_sub(at->to, at->from);
    *narrow = (lwi_narrow){.number = number + 1,
                           .is_forward = axis.x * place->direction.x + axis.z * place->direction.z >= 0,
                           .entry = remaining + SAMPLE};
  }
  narrow->exit = remaining - SAMPLE;
  extend(&step->crowd->bottlenecks[narrow->number - 1], narrow->is_forward,
         lwi_add(place->at, lwi_scale(place->direction, BEYOND)));
}

/* Look on along the path, up to the end of the next bottleneck. */
static void probe(const lwi_crowd_step *step, lwi_agent *agent) {
  lwi_motion *motion = &agent->route.motion;
  const float remaining = agent->route.remaining;
  if (motion->narrow.number != 0 && remaining < motion->narrow.exit - LEAVING)
    motion->narrow = (lwi_narrow){.exit = motion->narrow.exit};
  if (motion->narrow.number == 0 && remaining > motion->narrow.exit + SAMPLE) { /* pushed back */
    motion->probed = INFINITY;
    motion->narrow.exit = remaining;
  }
  const int samples = motion->probed <= remaining ? SAMPLES_A_STEP : SAMPLES_AT_FIRST;
  if (motion->probed > remaining) motion->probed = remaining + SAMPLE; /* from where it is */
  for (int i = 0; i < samples; i++) {
    const lwi_narrow *narrow = &motion->narrow;
    const float next = motion->probed - SAMPLE;
    const bool is_in = narrow->number != 0 && motion->probed >= narrow->exit - GAP;
    if (next <= 0 || remaining - next > (is_in ? LONG : LOOK_AHEAD)) return;
    if (narrow->number != 0 && !is_in) return; /* first through this one */
    path_place place = place_on_path(agent, next);
    lwi_vec2 across;
    motion->probed = next;
    if (!place.is_there || !is_narrow(agent, step->meshes[agent->navmesh], place.at, &across)) continue;
    place.direction = direction_through(across, place.direction);
    note_sample(step, agent, &place, next);
  }
}

/* --- turns ------------------------------------------------------------------------------------------------ */

static int side_of(const lwi_narrow *narrow) {
  return narrow->is_forward ? 0 : 1;
}

static void count_agent(const lwi_crowd_step *step, lwi_agent *agent) {
  lwi_narrow *narrow = &agent->route.motion.narrow;
  if (narrow->number == 0) return;
  lwi_bottleneck *at = &step->crowd->bottlenecks[narrow->number - 1];
  const float distance = agent->route.remaining - narrow->entry;
  const int side = side_of(narrow);
  at->used = step->now; /* it is not forgotten while an agent means it */
  if (distance > COMING || (distance > 0 && agent->route.remedy.retreat.is_on)) return;
  if (distance > 0) {
    at->coming[side] += 1;
    at->nearest[side] = fminf(at->nearest[side], distance);
    return;
  }
  at->inside[side] += 1;
  if (!narrow->is_inside) at->passed += 1;
  narrow->is_inside = true;
}

static void begin_turn(lwi_bottleneck *at, int turn) {
  at->turn = turn;
  at->passed = 0;
}

static void choose_turn(lwi_bottleneck *at) {
  const int own = at->turn > 0 ? 0 : 1, other = 1 - own;
  if (at->turn == 0) {
    const bool any = at->coming[0] + at->coming[1] + at->inside[0] + at->inside[1] > 0;
    if (at->inside[0] > 0 || at->inside[1] > 0)
      begin_turn(at, at->inside[0] >= at->inside[1] ? 1 : -1);
    else if (any)
      begin_turn(at, at->nearest[0] <= at->nearest[1] ? 1 : -1);
    return;
  }
  if (at->inside[own] > 0) return;
  if (at->inside[other] > 0 || (at->coming[other] > 0 && (at->passed >= TURN || at->coming[own] == 0)))
    begin_turn(at, -at->turn);
  else if (at->coming[own] == 0)
    begin_turn(at, 0);
}

/* Let an agent go beside the entry, and not press there. One on the left stays on that side: on its path to the other it would
   bar those that come out. One that bars nobody stands. */
static void send_to_wait(const lwi_crowd_step *step, lwi_crowd_body *body, const lwi_bottleneck *at) {
  lwi_motion *motion = &body->agent->route.motion;
  const lw_vec3 entry = motion->narrow.is_forward ? at->from : at->to,
                end = motion->narrow.is_forward ? at->to : at->from;
  const lwi_vec2 axis = lwi_unit2(lwi_vec2_of(end.x - entry.x, end.z - entry.z)), right = {-axis.z, axis.x};
  const lwi_vec2 from_entry = lwi_vec2_of(body->at.x - entry.x, body->at.z - entry.z);
  const float beside = lwi_dot2(from_entry, right), side = beside < -ON_LEFT ? -WAIT_BESIDE : WAIT_BESIDE;
  body->waits = true;
  body->wish = lwi_vec2_of(0, 0);
  if (fabsf(beside) > ASIDE) return;
  const lwi_vec2 place = lwi_sub2(lwi_scale2(right, side), lwi_scale2(axis, WAIT_BACK)),
                 offset = lwi_sub2(place, from_entry);
  const float distance = sqrtf(lwi_dot2(offset, offset));
  const float speed =
      fminf(lwi_agent_speed(body->agent, step->meshes[body->navmesh]), 2 * fmaxf(0, distance - WAIT_NEAR));
  if (distance > 0) body->wish = lwi_scale2(offset, speed / distance);
}

static void send(const lwi_crowd_step *step, lwi_crowd_body *body) {
  const lwi_narrow *narrow = &body->agent->route.motion.narrow;
  if (narrow->number == 0) return;
  const lwi_bottleneck *at = &step->crowd->bottlenecks[narrow->number - 1];
  const float distance = body->agent->route.remaining - narrow->entry;
  const int side = side_of(narrow);
  if (distance <= RANKED) body->rank = fmaxf(distance, narrow->exit - narrow->entry);
  const int turn = narrow->is_forward ? 1 : -1;
  const bool is_turn = at->turn == turn, is_met = at->turn == -turn && at->inside[1 - side] > 0;
  if (distance > COMING || distance <= (is_met ? -AT_ENTRY : 0)) return;
  if (is_turn && (at->passed < TURN || at->coming[1 - side] == 0)) return;
  if (at->turn != 0) send_to_wait(step, body, at);
}

void lwi_crowd_yield(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    lwi_bottleneck *at = &crowd->bottlenecks[i];
    at->inside[0] = at->inside[1] = at->coming[0] = at->coming[1] = 0;
    at->nearest[0] = at->nearest[1] = INFINITY;
  }
  for (int i = 0; i < crowd->count; i++) {
    const lwi_crowd_body *body = &crowd->bodies[i];
    if (!body->is_awake || body->agent->move != LW_MOVE_WALKING || !body->is_there) continue;
    probe(step, body->agent);
    count_agent(step, body->agent);
  }
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    lwi_bottleneck *at = &crowd->bottlenecks[i];
    if (at->navmesh < 0) continue;
    choose_turn(at);
    if (step->now - at->used > FORGOTTEN) at->navmesh = -1;
  }
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    if (body->is_awake && body->agent->move == LW_MOVE_WALKING && body->is_there) send(step, body);
  }
}
