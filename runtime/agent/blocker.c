/* Which agents block which. A queue gets on in the end, so that those in it wait. Where it ends at one that stands,
   or in a circle, nobody in it ever would: after a while they are barred, and count as stuck. */
#include "agent/crowd.h"
#include "core/vec3.h"

#include <math.h>

#define NO_BODY UINT32_MAX
/* Others are in the way when they are so near. [m] */
#define NEAR 0.5f
/* An agent that is no further than that from where it was is held there. [m] */
#define PLACE 0.5f
/* Held for that time behind one that stands, and that it does not push aside, an agent is barred; in a circle, or behind one
   that it may push, after this time: both may dissolve. [s] */
#define BEHIND_IDLE 10.0f
#define IN_CIRCLE 60.0f
/* An agent that is blocked for so long passes its weight on to those before it, as priority inheritance does (Sha,
   Rajkumar and Lehoczky 1990): else a light agent that does not push would hold it up. [s] */
#define PASSED_ON 1.0f
/* Longer queues are taken to end at one that walks. */
#define QUEUE_MAX 256

/* The nearest of those that stand in the direction in which it wants to go, or where it waits for its turn, of all. */
static uint32_t blocker_of(const lwi_crowd *crowd, const lwi_crowd_body *body) {
  const lw_vec3 desired = body->agent->route.motion.desired, at = body->agent->at.point;
  uint32_t nearest = NO_BODY;
  float gap = NEAR;
  for (int i = 0; i < body->count; i++) {
    const uint32_t number = crowd->neighbors[body->first + (uint32_t)i];
    const lwi_crowd_body *other = &crowd->bodies[number];
    const lw_vec3 there = other->agent->at.point;
    const float along = (there.x - at.x) * desired.x + (there.z - at.z) * desired.z;
    const float far = lwi_distance_xz(there, at) - body->radius - other->radius;
    if (!(along > 0) || !(far < gap)) continue;
    nearest = number;
    gap = far;
  }
  return nearest;
}

static bool is_blocked(const lwi_crowd_body *body) {
  return body->agent->move == LW_MOVE_WALKING && body->agent->route.motion.blocked > PASSED_ON;
}

/* Pass the weight of a body on along the queue before it. It ends at an agent that stands: that is to be pushed. */
static void pass_on(const lwi_crowd *crowd, uint32_t own) {
  const float weight = crowd->bodies[own].weight;
  const lw_agent_id urging = crowd->bodies[own].agent->id;
  uint32_t at = own;
  for (int i = 0; i < QUEUE_MAX && is_blocked(&crowd->bodies[at]); i++) {
    at = blocker_of(crowd, &crowd->bodies[at]);
    if (at == NO_BODY || !(crowd->bodies[at].weight < weight)) return;
    if (crowd->bodies[at].agent->move != LW_MOVE_WALKING || !crowd->bodies[at].is_awake) return;
    crowd->bodies[at].weight = weight;
    crowd->bodies[at].agent->route.motion.blocking.urged_by = urging;
  }
}

void lwi_crowd_pass_priority(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_awake) crowd->bodies[i].agent->route.motion.blocking.urged_by = lw_agent_id_none();
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_awake && is_blocked(&crowd->bodies[i])) pass_on(crowd, (uint32_t)i);
}

/* Does the other one, which does not walk, stay where it is, too? One that was barred itself has nowhere to go. */
static bool stays(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  return !lwi_crowd_pushes(body, other) || other->agent->move == LW_MOVE_FAILED;
}

static void note_held(lwi_agent *agent, float dt) {
  lwi_motion *motion = &agent->route.motion;
  const float dx = agent->at.point.x - motion->held_x, dz = agent->at.point.z - motion->held_z;
  motion->held += dt;
  if (motion->blocked > 0 && dx * dx + dz * dz <= PLACE * PLACE) return;
  motion->held = 0;
  motion->held_x = agent->at.point.x;
  motion->held_z = agent->at.point.z;
}

/* Would it wait for ever? Not while some of those that it waits for come on. */
static bool is_barred(const lwi_crowd *crowd, uint32_t own) {
  float held = crowd->bodies[own].agent->route.motion.held;
  uint32_t last = own, at = crowd->bodies[own].blocker;
  for (int i = 0; i < QUEUE_MAX && at != NO_BODY && held > BEHIND_IDLE; i++) {
    const lwi_crowd_body *body = &crowd->bodies[at];
    if (body->agent->move != LW_MOVE_WALKING) return stays(&crowd->bodies[last], body) || held > IN_CIRCLE;
    if (at == own) return held > IN_CIRCLE;
    held = fminf(held, body->agent->route.motion.held);
    last = at;
    at = body->blocker;
  }
  return false;
}

void lwi_crowd_find_blockers(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    lwi_motion *motion = &body->agent->route.motion;
    if (body->is_active) note_held(body->agent, step->dt);
    const bool waits = body->is_active && motion->blocked > 0;
    body->blocker = waits ? blocker_of(crowd, body) : NO_BODY;
    if (body->is_active)
      motion->blocking.by =
          body->blocker == NO_BODY ? lw_agent_id_none() : crowd->bodies[body->blocker].agent->id;
  }
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_active)
      crowd->bodies[i].agent->route.motion.blocking.is_barred = is_barred(crowd, (uint32_t)i);
}

lw_agent_id lwi_agent_blocker(const lwi_agent *agent, float *seconds) {
  const lwi_motion *motion = &agent->route.motion;
  *seconds = agent->move == LW_MOVE_WALKING ? motion->blocked : 0;
  if (!agent->profile->has_body) return lw_agent_id_none();
  if (lwi_is_vehicle(agent->profile)) {
    const bool is_held = agent->move == LW_MOVE_WALKING || agent->failure == LW_STUCK;
    return is_held ? agent->route.driving.blocker : lw_agent_id_none();
  }
  if (agent->move == LW_MOVE_FAILED) return motion->blocking.barred_by;
  return motion->blocked > 0 ? motion->blocking.by : lw_agent_id_none();
}
