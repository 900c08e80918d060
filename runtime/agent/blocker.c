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
/* An agent is barred that has been held for that time behind one that stands, and that it does not push aside. [s] */
#define BEHIND_IDLE 10.0f
/* The same for an agent that has backed off on its journey. [s] */
#define BEHIND_IDLE_AGAIN 3.0f
/* The same in a circle, or behind one that it may push: both may dissolve. [s] */
#define IN_CIRCLE 60.0f
/* An agent that has been held for longer is looked at for remedies (world/remedies.c), and again at this interval. [s] */
#define REMEDY_AFTER 1.5f
#define REMEDY_INTERVAL 1.0f
/* An agent that is blocked for so long passes its weight on to those before it, as priority inheritance does (Sha,
   Rajkumar and Lehoczky 1990): else a light agent that does not push would hold it up. [s] */
#define PASSED_ON 1.0f
/* Agents in a circle that go one way wait for their turn beside each other; after that time they are wedged. [s] */
#define WEDGED 6.0f
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
static void pass_on(const lwi_crowd *crowd, uint32_t own, float dt) {
  const float weight = crowd->bodies[own].weight;
  const lw_agent_id urging = crowd->bodies[own].agent->id;
  const bool is_first = crowd->bodies[own].agent->route.motion.blocked - dt <= PASSED_ON;
  uint32_t at = own;
  for (int i = 0; i < QUEUE_MAX && is_blocked(&crowd->bodies[at]); i++) {
    at = blocker_of(crowd, &crowd->bodies[at]);
    if (at == NO_BODY || !(crowd->bodies[at].weight < weight)) return;
    if (crowd->bodies[at].agent->move != LW_MOVE_WALKING || !crowd->bodies[at].is_awake) return;
    crowd->bodies[at].weight = weight;
    crowd->bodies[at].agent->route.motion.blocking.urged_by = urging;
    if (i == 0 && is_first) lwi_agent_count_remedy(crowd->bodies[own].agent, LW_REMEDY_PUSH);
  }
}

void lwi_crowd_pass_priority(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_awake) crowd->bodies[i].agent->route.motion.blocking.urged_by = lw_agent_id_none();
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_awake && is_blocked(&crowd->bodies[i])) pass_on(crowd, (uint32_t)i, step->dt);
}

/* Does the other one, which does not walk, stay where it is, too? One that was barred itself has nowhere to go. */
static bool stays(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  return !lwi_crowd_pushes(body, other) || other->agent->move == LW_MOVE_FAILED;
}

static void note_held(lwi_agent *agent, float dt) {
  lwi_motion *motion = &agent->route.motion;
  const float dx = agent->at.point.x - motion->held_at.x, dz = agent->at.point.z - motion->held_at.z;
  motion->held += dt;
  if (motion->blocked > 0 && dx * dx + dz * dz <= PLACE * PLACE) return;
  motion->held = 0;
  motion->held_at = lwi_vec2_of(agent->at.point.x, agent->at.point.z);
}

/* The end of the queue that an agent waits in: each waits for the next. */
typedef struct queue_end {
  float held;       /* for how long the agent and all before it have been held [s] */
  bool is_circle;   /* the last one waits for the agent itself, or for one that may yet be pushed aside */
  bool is_lightest; /* the agent is, of those in the circle */
  bool is_queue;    /* all in the circle go one way: they stand beside each other, and wait for their turn */
} queue_end;

static bool are_opposed(const lwi_crowd_body *a, const lwi_crowd_body *b) {
  const lw_vec3 u = a->agent->route.motion.desired, v = b->agent->route.motion.desired;
  return u.x * v.x + u.z * v.z < 0;
}

/* @return false: it does not wait for ever, for some of those before it have been held for less than `limit`. */
static bool find_end(const lwi_crowd *crowd, uint32_t own, float limit, queue_end *end) {
  float held = crowd->bodies[own].agent->route.motion.held;
  uint32_t last = own, at = crowd->bodies[own].blocker;
  bool is_lightest = true, is_queue = true;
  for (int i = 0; i < QUEUE_MAX && at != NO_BODY && held > limit; i++) {
    const lwi_crowd_body *body = &crowd->bodies[at];
    const bool is_end = body->agent->move != LW_MOVE_WALKING;
    if (is_end || at == own) {
      is_queue &= !is_end && !are_opposed(&crowd->bodies[last], body);
      *end = (queue_end){held, !is_end || !stays(&crowd->bodies[last], body), is_lightest && !is_end, is_queue};
      return true;
    }
    const lwi_crowd_body *self = &crowd->bodies[own];
    if (body->weight < self->weight || (body->weight == self->weight && at > own)) is_lightest = false;
    is_queue &= !are_opposed(&crowd->bodies[last], body);
    held = fminf(held, body->agent->route.motion.held);
    last = at;
    at = body->blocker;
  }
  return false;
}

/* Is it time to look for a remedy? A walk along the queue in each step would take long in a large crowd. */
static bool is_due(float held, float dt) {
  return held > REMEDY_AFTER && floorf(held / REMEDY_INTERVAL) > floorf((held - dt) / REMEDY_INTERVAL);
}

static void judge(const lwi_crowd *crowd, uint32_t own, float dt) {
  lwi_agent *agent = crowd->bodies[own].agent;
  lwi_blocking *blocking = &agent->route.motion.blocking;
  const bool is_due_now = is_due(agent->route.motion.held, dt);
  const float idle = agent->route.remedy.tried[LW_REMEDY_BACK_OFF] > 0 ? BEHIND_IDLE_AGAIN : BEHIND_IDLE;
  queue_end end;
  blocking->is_barred = false;
  blocking->held = 0;
  if (!find_end(crowd, own, is_due_now ? REMEDY_AFTER : idle, &end)) return;
  blocking->is_barred = end.held > (end.is_circle ? IN_CIRCLE : idle);
  if (!is_due_now || (end.is_queue && end.held < WEDGED)) return;
  blocking->held = end.held;
  blocking->is_circle = end.is_circle;
  blocking->is_wedged = end.is_queue;
  blocking->is_lightest = end.is_lightest;
}

void lwi_crowd_find_blockers(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    lwi_motion *motion = &body->agent->route.motion;
    if (body->is_active) note_held(body->agent, step->dt);
    const bool waits = body->is_active && motion->blocked > 0;
    body->blocker = waits ? blocker_of(crowd, body) : NO_BODY;
    const uint32_t by = body->blocker != NO_BODY ? body->blocker : waits ? body->turns.after : NO_BODY;
    if (body->is_active) motion->blocking.by = by == NO_BODY ? lw_agent_id_none() : crowd->bodies[by].agent->id;
  }
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_active) judge(crowd, (uint32_t)i, step->dt);
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
