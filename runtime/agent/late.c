/* Agents that come no nearer to their goals for too long, so that their moves fail. What counts is the remaining length of the
   path, whatever the agent tries meanwhile. One that waits behind others which get on has longer. */
#include "agent/crowd.h"
#include "core/vec3.h"

#include <math.h>

/* An agent that has come no nearer to its goal than that for so long is behind its time. [m, s] */
#define GAIN 1.0f
#define NO_GAIN 9.0f
/* Of an agent that is pushed back, no more than that counts as lost. [m] */
#define PUSHED_BACK 4.0f
/* Of the distance that it walks in that time, if it is slow. */
#define GAIN_PART 0.25f
/* From then on it fails after so long: if all about it stay where they are; if others about it walk; and if one before it
   gets on, or waits for its turn. [s] */
#define HEMMED_IN 3.5f
#define AMONG_OTHERS 5.0f
#define IN_QUEUE 41.0f
/* The last two are for agents of this speed; slower ones take longer to pass each other. [m/s] */
#define BRISK 3.5f
/* Of agents beside each other that are to fail, the lightest one does first; the others after that time. [s] */
#define REST 1.0f
/* Others count as before an agent, or about it, when they are so near. [m] */
#define NEAR 1.5f

/* Does it wait for something else than others that bar it? */
static bool is_excused(const lwi_agent *agent) {
  const lwi_agent_route *route = &agent->route;
  return agent->move != LW_MOVE_WALKING || route->station.kind != LWI_STATION_NONE || agent->link.active ||
         !lw_link_id_is_none(route->wait.link) || route->motion.whiskers.is_evading ||
         (route->staleness == LWI_WAITING && !route->remedy.is_searching);
}

static float speed_of(const lwi_agent *agent) {
  return agent->profile->def.speed[lwi_agent_pace(agent)];
}

static void note_gain(lwi_agent *agent, float dt) {
  lwi_motion *motion = &agent->route.motion;
  const float gain = fminf(GAIN, GAIN_PART * NO_GAIN * speed_of(agent));
  motion->gain.no_nearer += dt;
  motion->gain.nearest = fmaxf(motion->gain.nearest, agent->route.remaining - PUSHED_BACK);
  if (motion->gain.nearest - agent->route.remaining < gain && !is_excused(agent)) return;
  motion->gain.nearest = agent->route.remaining;
  motion->gain.no_nearer = motion->gain.late = 0;
}

static bool is_behind_time(const lwi_crowd_body *body) {
  return body->is_active && body->agent->route.motion.gain.no_nearer >= NO_GAIN;
}

/* Is it held up by the order in which agents go through a bottleneck? */
static bool is_in_turn(const lwi_crowd_body *body) {
  return body->turns.waits || body->turns.follows;
}

static bool walks(const lwi_crowd_body *body) {
  return body->is_active && body->agent->move == LW_MOVE_WALKING;
}

static bool is_near(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  return lwi_distance_xz(body->agent->at.point, other->agent->at.point) - body->radius - other->radius < NEAR;
}

/* Does one stand in the direction in which another one wants to go? */
static bool is_before(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  const lw_vec3 desired = body->agent->route.motion.desired, at = body->agent->at.point,
                there = other->agent->at.point;
  return (there.x - at.x) * desired.x + (there.z - at.z) * desired.z > 0 && is_near(body, other);
}

/* Those that are behind their time wait where one before them gets on, or waits for its turn, or one before that, and so on. */
static void find_queues(lwi_crowd *crowd) {
  int count = 0;
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    body->gets_on = walks(body) && (is_in_turn(body) || !is_behind_time(body));
    if (body->gets_on) crowd->active[count++] = (uint32_t)i;
  }
  for (int i = 0; i < count; i++) {
    const lwi_crowd_body *body = &crowd->bodies[crowd->active[i]];
    for (int k = 0; k < body->count; k++) {
      const uint32_t number = crowd->neighbors[body->first + (uint32_t)k];
      lwi_crowd_body *other = &crowd->bodies[number];
      if (other->gets_on || !is_behind_time(other) || !is_before(other, body)) continue;
      other->gets_on = true;
      crowd->active[count++] = number;
    }
  }
}

/* Are others near it, of which none walks, or may be pushed aside? */
static bool is_hemmed_in(const lwi_crowd *crowd, const lwi_crowd_body *body) {
  bool any = false;
  for (int i = 0; i < body->count; i++) {
    const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)i]];
    if (!is_near(body, other)) continue;
    if (walks(other) || (lwi_crowd_pushes(body, other) && other->agent->move != LW_MOVE_FAILED)) return false;
    any = true;
  }
  return any;
}

/* What it has left until it fails. [s] */
static float time_left(const lwi_crowd *crowd, const lwi_crowd_body *body) {
  const lwi_motion *motion = &body->agent->route.motion;
  const float slowness = fmaxf(1, BRISK / speed_of(body->agent));
  const float whole = slowness * (NO_GAIN + IN_QUEUE) - motion->gain.no_nearer;
  if (body->gets_on) return whole;
  const float late = is_hemmed_in(crowd, body) ? HEMMED_IN : slowness * (NO_GAIN + AMONG_OTHERS) - NO_GAIN;
  return fminf(whole, late - motion->gain.late);
}

static bool is_lightest(const lwi_crowd *crowd, uint32_t own) {
  const lwi_crowd_body *body = &crowd->bodies[own];
  for (int i = 0; i < body->count; i++) {
    const uint32_t number = crowd->neighbors[body->first + (uint32_t)i];
    const lwi_crowd_body *other = &crowd->bodies[number];
    if (!is_behind_time(other) || !is_near(body, other) || time_left(crowd, other) > 0) continue;
    if (other->weight < body->weight || (other->weight == body->weight && number > own)) return false;
  }
  return true;
}

static void judge(lwi_crowd *crowd, uint32_t own, float dt) {
  const lwi_crowd_body *body = &crowd->bodies[own];
  lwi_motion *motion = &body->agent->route.motion;
  const bool is_late = is_behind_time(body);
  if (!is_late || body->gets_on) motion->gain.late = 0;
  if (is_late && !body->gets_on && !motion->is_advancing) motion->gain.late += dt;
  const float left = is_late ? time_left(crowd, body) : INFINITY;
  motion->blocking.is_late = left <= 0 && (left <= -REST || is_lightest(crowd, own));
}

void lwi_crowd_find_late(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  bool any = false;
  for (int i = 0; i < crowd->count; i++) {
    if (!crowd->bodies[i].is_active) continue;
    note_gain(crowd->bodies[i].agent, step->dt);
    crowd->bodies[i].agent->route.motion.blocking.is_late = false;
    any |= is_behind_time(&crowd->bodies[i]);
  }
  if (!any) return;
  find_queues(crowd);
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_active) judge(crowd, (uint32_t)i, step->dt);
}
