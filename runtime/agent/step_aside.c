/* Agents that stand step aside for those that they have blocked for a while: to the side where there is space, else on ahead of
   them, with those that stand before them, until there is. */
#include "agent/crowd.h"
#include "agent/steering.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

/* Agents that stand step aside once they have blocked a walking agent for this time: by then it has searched for another
   path. [s] */
#define BARRED 3.0f
/* Two agents touch while the gap between them is no wider than this. [m] */
#define NEAR 0.15f
/* What an agent that steps to the side needs beyond the radii of both. [m] */
#define SPARE 0.3f
/* Lowest cosine between a direction and that of another agent which stands ahead in it, and which is in its path at all. */
#define AHEAD 0.5f
#define BESIDE -0.1f
/* The longest queue of agents, one behind the other, that is asked to move on. */
#define QUEUE_MAX 16

/* May it be asked to move? Not an agent whose own last journey failed: it has nowhere to go. */
static bool can_step(const lwi_crowd_body *body) {
  const lwi_agent *agent = body->agent;
  if (agent->move == LW_MOVE_FAILED) return false;
  return body->is_active && body->is_solid && agent->move != LW_MOVE_WALKING && !agent->cover.active &&
         !agent->route.motion.is_external && !lwi_is_vehicle(agent->profile);
}

/* The next agent that touches it in a direction. @param ahead  AHEAD or BESIDE. @param[in, out] i  The neighbour to go on
   with. @return NULL: there is no other. */
static lwi_crowd_body *next_in(lwi_crowd *crowd, const lwi_crowd_body *body, lwi_vec2 direction, float ahead,
                               int *i) {
  while (*i < body->count) {
    lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)*i]];
    const lwi_vec2 off = {other->at.x - body->at.x, other->at.z - body->at.z};
    const float far = sqrtf(lwi_dot2(off, off));
    *i += 1;
    if (far - body->radius - other->radius > NEAR) return NULL; /* the nearest come first */
    if (other->is_solid && lwi_dot2(off, direction) > ahead * far) return other;
  }
  return NULL;
}

static lwi_crowd_body *first_in(lwi_crowd *crowd, const lwi_crowd_body *body, lwi_vec2 direction) {
  int i = 0;
  return next_in(crowd, body, direction, AHEAD, &i);
}

static bool is_free(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_vec2 direction, float far) {
  const lw_navmesh *mesh = step->meshes[body->navmesh];
  return !first_in(step->crowd, body, direction) &&
         lwi_free_length(mesh, body->agent->at, direction, far, &body->agent->profile->prices.filter) >= far;
}

/* To the side, the nearer one first. @return false: there is no space on either. */
static bool find_side(const lwi_crowd_step *step, const lwi_crowd_body *body, const lwi_crowd_body *asking,
                      lwi_vec2 course, lwi_vec2 *direction) {
  const lwi_vec2 off = {body->at.x - asking->at.x, body->at.z - asking->at.z};
  const float across = lwi_det2(course, off), side = across < 0 ? -1 : 1; /* > 0: to the right */
  const float space = body->radius + asking->radius + SPARE - fabsf(across);
  const lwi_vec2 right = {-course.z, course.x};
  *direction = lwi_scale2(right, fminf(1, fmaxf(0, space / SPARE)) * side);
  if (space <= 0) return true;
  *direction = lwi_scale2(right, side);
  if (is_free(step, body, *direction, space)) return true;
  *direction = lwi_scale2(right, -side);
  return is_free(step, body, *direction, space + 2 * fabsf(across));
}

static void step_in(lwi_crowd_body *body, lwi_vec2 direction) {
  body->wish = lwi_scale2(direction, body->agent->profile->def.speed[LW_CALM]);
  body->is_awake = true;
}

/* Let one step aside for another one, which goes in that direction. */
static void ask(const lwi_crowd_step *step, lwi_crowd_body *body, const lwi_crowd_body *asking,
                lwi_vec2 course) {
  for (int i = 0; i < QUEUE_MAX && body && can_step(body) && lwi_crowd_pushes(asking, body); i++) {
    lwi_vec2 direction;
    if (find_side(step, body, asking, course, &direction)) {
      step_in(body, direction);
      return;
    }
    step_in(body, course);
    body = first_in(step->crowd, body, course);
  }
}

void lwi_crowd_step_aside(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->count; i++) {
    const lwi_crowd_body *body = &crowd->bodies[i];
    const lwi_motion *motion = &body->agent->route.motion;
    float *barred = &body->agent->route.remedy.barred;
    if (!body->is_awake || body->agent->move != LW_MOVE_WALKING) continue;
    if (!(motion->blocked > 0)) {
      *barred = fmaxf(0, *barred - step->dt);
      continue;
    }
    const lwi_vec2 course = lwi_unit2(lwi_vec2_of(motion->desired.x, motion->desired.z));
    if ((course.x == 0 && course.z == 0) || body->turns.waits) continue;
    int from = 0;
    const lwi_crowd_body *first = next_in(crowd, body, course, BESIDE, &from);
    if (first && first->agent->move != LW_MOVE_WALKING) *barred += step->dt;
    if (!(*barred > BARRED)) continue;
    int at = 0;
    for (lwi_crowd_body *other; (other = next_in(crowd, body, course, BESIDE, &at));)
      ask(step, other, body, course);
  }
}
