/* Turns at bottlenecks: agents go through in one direction at a time, one after the other. Those of the other direction wait
   beside the entry, and those behind them where they are, so that others can come out between them. */
#include "agent/crowd.h"
#include "agent/steering.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

/* Agents nearer than that want to go through; those in front of the entry have turns. [m] */
#define COMING 4.0f
#define RANKED 3.0f
/* An agent that is no further inside goes back if it is not its turn and others come out. [m] */
#define AT_ENTRY 0.3f
/* As many go through in a turn while others wait, and one more for each metre by which it is longer than that: to empty a
   long one takes long. [m] */
#define TURN 8
#define SHORT 3.0f
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
/* Agents of one direction side by side would wedge each other at the entry: each follows the agent before it, until it is so far
   inside, and keeps this gap: its speed differs from the other's by what makes up for the gap within that time. [m, m, s] */
#define FOLLOWS_UNTIL 1.0f
#define FOLLOWING_GAP 0.05f
#define FOLLOWS_WITHIN 0.3f
/* An agent waits behind another waiting one if the gap between them is no wider, if it goes towards that agent, and if both go
   the same way: the cosines of these angles. [m] */
#define QUEUE_GAP 0.8f
#define QUEUE_BEHIND 0.6f
#define QUEUE_ALONG 0.3f
/* So far from its exit others make space for an agent that comes out. [m] */
#define COMES_OUT 4.0f

/* --- whose turn it is ------------------------------------------------------------------------------------- */

/* Does an agent walk by itself, where others avoid it? */
static bool takes_turns(const lwi_crowd_body *body) {
  return body->is_awake && body->agent->move == LW_MOVE_WALKING && body->is_there;
}

/* From an agent to the entry of the bottleneck that it comes to; less than 0: inside. [m] */
static float distance_of(const lwi_agent *agent) {
  return agent->route.remaining - agent->route.motion.narrow.entry;
}

static int side_of(const lwi_narrow *narrow) {
  return narrow->is_forward ? 0 : 1;
}

static void note_nearest(lwi_bottleneck *at, int side, float distance, uint32_t body) {
  if (distance >= at->nearest[side]) return;
  at->nearest[side] = distance;
  at->nearest_bodies[side] = body;
}

static void count_agent(const lwi_crowd_step *step, uint32_t number) {
  lwi_agent *agent = step->crowd->bodies[number].agent;
  lwi_narrow *narrow = &agent->route.motion.narrow;
  if (narrow->number == 0) return;
  lwi_bottleneck *at = &step->crowd->bottlenecks[narrow->number - 1];
  const float distance = distance_of(agent);
  const int side = side_of(narrow);
  at->used = step->now; /* it is not forgotten while an agent means it */
  if (distance > COMING || (distance > 0 && agent->route.remedy.retreat.is_on)) return;
  note_nearest(at, side, distance, number);
  if (distance > 0) {
    at->coming[side] += 1;
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

/* Have as many gone through as may while others wait? */
static bool is_turn_over(const lwi_bottleneck *at) {
  float length = 0;
  for (int i = 0; i + 1 < at->point_count; i++) length += lwi_distance(at->points[i], at->points[i + 1]);
  return (float)at->passed >= TURN + fmaxf(0, length - SHORT);
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
  if (at->inside[other] > 0 || (at->coming[other] > 0 && (at->coming[own] == 0 || is_turn_over(at))))
    begin_turn(at, -at->turn);
  else if (at->coming[own] == 0)
    begin_turn(at, 0);
}

/* --- those that wait -------------------------------------------------------------------------------------- */

/* Where an agent is that waits for its turn, and where it may do so. */
typedef struct waiting_place {
  lwi_vec2 axis, right, from_entry; /* through the bottleneck; the agent's place [m] */
} waiting_place;

/* From the agent to the place beside the entry, on one side. @return false: walls are between. */
static bool find_place(const lwi_crowd_step *step, const lwi_crowd_body *body, const waiting_place *at,
                       float side, lwi_vec2 *offset) {
  const lwi_vec2 place = lwi_sub2(lwi_scale2(at->right, side * WAIT_BESIDE), lwi_scale2(at->axis, WAIT_BACK));
  *offset = lwi_sub2(place, at->from_entry);
  const float far = sqrtf(lwi_dot2(*offset, *offset));
  return !(far > WAIT_NEAR) || lwi_free_length(step->meshes[body->navmesh], body->agent->at, lwi_unit2(*offset),
                                               far, &body->agent->profile->prices.filter) >= far - WAIT_NEAR;
}

/* Let an agent go beside the entry, and not press there. One on the left stays on that side: on its path to the other it would
   bar those that come out. One that bars nobody stands. Where walls are before its place it goes to the other side, if none
   are there. */
static void send_to_wait(const lwi_crowd_step *step, lwi_crowd_body *body, const lwi_bottleneck *at) {
  const bool forward = body->agent->route.motion.narrow.is_forward;
  const int last = at->point_count - 1;
  const lw_vec3 entry = at->points[forward ? 0 : last], end = at->points[forward ? 1 : last - 1];
  const lwi_vec2 axis = lwi_unit2(lwi_vec2_of(end.x - entry.x, end.z - entry.z));
  const waiting_place place = {
      .axis = axis, .right = {-axis.z, axis.x}, .from_entry = {body->at.x - entry.x, body->at.z - entry.z}};
  const float beside = lwi_dot2(place.from_entry, place.right), side = beside < -ON_LEFT ? -1 : 1;
  lwi_vec2 offset, other;
  body->turns.waits = true;
  body->wish = lwi_vec2_of(0, 0);
  if (fabsf(beside) > ASIDE) return;
  if (!find_place(step, body, &place, side, &offset) && find_place(step, body, &place, -side, &other))
    offset = other;
  const float distance = sqrtf(lwi_dot2(offset, offset));
  const float speed =
      fminf(lwi_agent_speed(body->agent, step->meshes[body->navmesh]), 2 * fmaxf(0, distance - WAIT_NEAR));
  if (distance > 0) body->wish = lwi_scale2(offset, speed / distance);
}

static void send(const lwi_crowd_step *step, lwi_crowd_body *body) {
  const lwi_narrow *narrow = &body->agent->route.motion.narrow;
  if (narrow->number == 0) return;
  const lwi_bottleneck *at = &step->crowd->bottlenecks[narrow->number - 1];
  const float distance = distance_of(body->agent);
  const int side = side_of(narrow);
  if (distance <= RANKED) body->turns.rank = fmaxf(distance, narrow->exit - narrow->entry);
  const int turn = narrow->is_forward ? 1 : -1;
  const bool is_turn = at->turn == turn, is_met = at->turn == -turn && at->inside[1 - side] > 0;
  if (distance > COMING || distance <= (is_met ? -AT_ENTRY : 0)) return;
  if (is_turn && (at->coming[1 - side] == 0 || !is_turn_over(at))) return;
  if (at->turn == 0) return;
  body->turns.after = at->nearest_bodies[1 - side];
  send_to_wait(step, body, at);
}

/* --- in file ---------------------------------------------------------------------------------------------- */

static bool goes_through(const lwi_crowd_body *body, const lwi_narrow *narrow) {
  const lwi_agent_route *route = &body->agent->route;
  return takes_turns(body) && !body->turns.waits && !route->remedy.retreat.is_on &&
         route->motion.narrow.number == narrow->number && route->motion.narrow.is_forward == narrow->is_forward;
}

/* The last of those about an agent that go through before it. NULL: there is none. */
static const lwi_crowd_body *before_in_file(const lwi_crowd *crowd, const lwi_crowd_body *body) {
  const float distance = distance_of(body->agent);
  const lwi_crowd_body *last = NULL;
  for (int i = 0; i < body->count; i++) {
    const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)i]];
    if (!goes_through(other, &body->agent->route.motion.narrow)) continue;
    const float before = distance_of(other->agent);
    if (before > distance || (before == distance && other > body)) continue;
    if (!last || before > distance_of(last->agent)) last = other;
  }
  return last;
}

/* Let an agent follow the one before it, if both are to go through. */
static void follow(const lwi_crowd_step *step, lwi_crowd_body *body) {
  if (body->agent->route.motion.narrow.number == 0 || body->turns.waits) return;
  const float distance = distance_of(body->agent);
  if (distance > COMING || distance < -FOLLOWS_UNTIL) return;
  const lwi_crowd_body *before = before_in_file(step->crowd, body);
  if (!before) return;
  const float gap = distance - distance_of(before->agent) - body->radius - before->radius - FOLLOWING_GAP;
  const float limit = fmaxf(0, sqrtf(lwi_dot2(before->velocity, before->velocity)) + gap / FOLLOWS_WITHIN);
  const float speed = sqrtf(lwi_dot2(body->wish, body->wish));
  if (speed <= limit) return;
  body->wish = lwi_scale2(body->wish, limit / speed);
  body->turns.follows = true;
  body->turns.after = (uint32_t)(before - step->crowd->bodies);
}

/* --- behind those that wait ------------------------------------------------------------------------------- */

/* Has an agent come out of a bottleneck just now? */
static bool comes_out(const lwi_agent *agent) {
  const lwi_narrow *narrow = &agent->route.motion.narrow;
  const float beyond = narrow->exit - agent->route.remaining;
  return narrow->has_passed && beyond > 0 && beyond < COMES_OUT;
}

/* May an agent go on if those before it wait? */
static bool is_free_to_go(const lwi_crowd_body *body, const lwi_crowd_body *before) {
  const lwi_narrow *narrow = &body->agent->route.motion.narrow;
  if (!takes_turns(body) || body->turns.waits || body->turns.comes_out || narrow->is_inside) return true;
  const bool is_same = narrow->number != 0 && narrow->number == before->agent->route.motion.narrow.number;
  return is_same && distance_of(body->agent) <= COMING; /* it is its turn */
}

/* Does an agent's path lead elsewhere than through the bottleneck that another one waits for? Where that is near, it has seen
   it on its own path. */
static bool leads_elsewhere(const lwi_crowd_body *body, const lwi_crowd_body *before) {
  const lwi_narrow *narrow = &before->agent->route.motion.narrow;
  return narrow->number != 0 && distance_of(before->agent) < COMING &&
         body->agent->route.motion.narrow.number != narrow->number;
}

static bool queues_behind(const lwi_crowd_body *body, const lwi_crowd_body *before) {
  const lw_vec3 own = body->agent->route.motion.desired, other = before->agent->route.motion.desired;
  const lwi_vec2 wish = lwi_unit2(lwi_vec2_of(own.x, own.z)), course = lwi_unit2(lwi_vec2_of(other.x, other.z));
  const lwi_vec2 off = lwi_unit2(lwi_vec2_of(before->at.x - body->at.x, before->at.z - body->at.z));
  return lwi_dot2(wish, off) > QUEUE_BEHIND && lwi_dot2(wish, course) > QUEUE_ALONG &&
         !leads_elsewhere(body, before);
}

/* Those behind agents that wait do so, too, and those behind them: others could not come out through a crowd that presses on. */
static void hold_queues(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  int count = 0;
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].turns.waits) crowd->queue[count++] = (uint32_t)i;
  for (int i = 0; i < count; i++) {
    const lwi_crowd_body *before = &crowd->bodies[crowd->queue[i]];
    for (int k = 0; k < before->count; k++) {
      const uint32_t number = crowd->neighbors[before->first + (uint32_t)k];
      lwi_crowd_body *body = &crowd->bodies[number];
      if (lwi_distance_xz(body->at, before->at) - body->radius - before->radius > QUEUE_GAP) break;
      if (is_free_to_go(body, before) || !queues_behind(body, before)) continue;
      body->turns.waits = true;
      body->turns.after = crowd->queue[i];
      body->wish = lwi_vec2_of(0, 0);
      crowd->queue[count++] = number;
    }
  }
}

/* --- a step ----------------------------------------------------------------------------------------------- */

static void count_all(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    lwi_bottleneck *at = &crowd->bottlenecks[i];
    at->inside[0] = at->inside[1] = at->coming[0] = at->coming[1] = 0;
    at->nearest[0] = at->nearest[1] = INFINITY;
    at->nearest_bodies[0] = at->nearest_bodies[1] = UINT32_MAX;
  }
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    if (!takes_turns(body)) continue;
    lwi_crowd_look_ahead(step, body->agent);
    count_agent(step, (uint32_t)i);
    body->turns.comes_out = comes_out(body->agent);
  }
}

void lwi_crowd_yield(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  count_all(step);
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    lwi_bottleneck *at = &crowd->bottlenecks[i];
    if (at->navmesh < 0) continue;
    choose_turn(at);
    if (step->now - at->used > FORGOTTEN) at->navmesh = -1;
  }
  for (int i = 0; i < crowd->count; i++)
    if (takes_turns(&crowd->bodies[i])) send(step, &crowd->bodies[i]);
  for (int i = 0; i < crowd->count; i++)
    if (takes_turns(&crowd->bodies[i])) follow(step, &crowd->bodies[i]);
  hold_queues(step);
}
