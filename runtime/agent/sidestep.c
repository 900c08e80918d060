/* Round agents that stand in the way: where one stands exactly between an agent and its goal, no velocity near the wish
   leads past, on neither side, so a side is chosen here. */
#include "agent/crowd.h"
#include "core/vec3.h"

#include <math.h>

/* Standing agents are gone round from this distance on, at that distance. [m] */
#define AHEAD 3.0f
#define CLEAR 0.08f
/* Two that walk towards each other pass like that after they blocked each other for so long. [s] */
#define FACED 0.5f
/* At most that number, one after the other, and not further round than that. [rad] */
#define PASSED_MAX 4
/* Where more stand there than that, an agent that has come no nearer to its goal for so long does not turn. [s] */
#define LATE 1.5f
/* Ground is looked at so far ahead. [m] */
#define LOOK 1.5f
#define TURN_MAX 1.7f

/* Does it stand, or have both been blocked by each other for a while? */
static bool is_to_pass(const lwi_crowd_body *body, const lwi_crowd_body *other, lwi_vec2 direction) {
  if (other->agent->move != LW_MOVE_WALKING) return true;
  return body->agent->route.motion.blocked > FACED && lwi_dot2(other->wish, direction) < 0;
}

/* The agent that is met first in that direction. */
static const lwi_crowd_body *first_ahead(const lwi_crowd *crowd, const lwi_crowd_body *body,
                                         lwi_vec2 direction) {
  const float reach = fminf(AHEAD, body->agent->route.remaining);
  for (int i = 0; i < body->count; i++) {
    const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)i]];
    const lwi_vec2 offset = {other->at.x - body->at.x, other->at.z - body->at.z};
    const float along = lwi_dot2(offset, direction), radius = body->radius + other->radius + CLEAR / 2;
    if (!is_to_pass(body, other, direction) || along <= 0 || along > reach) continue;
    if (fabsf(lwi_det2(direction, offset)) < radius) return other;
  }
  return NULL;
}

/* How far to turn to pass it on one side. @param side  -1: to the right of it, 1: to the left. */
static float turn_past(const lwi_crowd_body *body, const lwi_crowd_body *other, lwi_vec2 direction,
                       float side) {
  const lwi_vec2 offset = {other->at.x - body->at.x, other->at.z - body->at.z};
  const float far = sqrtf(lwi_dot2(offset, offset)), radius = body->radius + other->radius + CLEAR;
  /* Counter-clockwise seen from above is towards -z. */
  const float to_it = atan2f(-lwi_det2(direction, offset), lwi_dot2(direction, offset));
  return to_it + side * asinf(fminf(0.995f, radius / fmaxf(far, 1e-3f)));
}

/* Is the ground free in that direction, as far as the agent that is to be passed? */
static bool is_free(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_vec2 direction, float far) {
  const float length = fminf(LOOK, far);
  const lw_vec3 to = lwi_vec3(body->at.x + direction.x * length, body->at.y, body->at.z + direction.z * length);
  lw_raycast ray;
  return lw_navmesh_raycast(step->meshes[body->navmesh], body->agent->at, to,
                            &body->agent->profile->prices.filter, &ray) == LW_OK &&
         !ray.hit;
}

static void note_passing(lwi_agent *agent, bool was_passing) {
  agent->route.remedy.is_passing = true;
  if (!was_passing) lwi_agent_count_remedy(agent, LW_REMEDY_SIDESTEP);
}

/* Turns past one that stands. */
typedef struct past_other {
  lwi_vec2 wish;
  float right, left; /* [rad] */
} past_other;

/* The side with the smaller turn where the ground is free. @return 0: on neither. */
static float free_side(const lwi_crowd_step *step, const lwi_crowd_body *body, const lwi_crowd_body *other,
                       past_other past) {
  const float far = lwi_distance_xz(body->at, other->at), side = past.left < -past.right ? 1 : -1;
  const float near = side > 0 ? past.left : past.right, wide = side > 0 ? past.right : past.left;
  if (is_free(step, body, lwi_turn2(past.wish, near), far)) return side;
  return is_free(step, body, lwi_turn2(past.wish, wide), far) ? -side : 0;
}

void lwi_crowd_sidestep(const lwi_crowd_step *step, lwi_crowd_body *body) {
  const bool was_passing = body->agent->route.remedy.is_passing;
  body->agent->route.remedy.is_passing = false;
  const float speed = sqrtf(lwi_dot2(body->wish, body->wish));
  if (!(speed > 0) || body->turns.waits) return;
  const lwi_vec2 wish = lwi_scale2(body->wish, 1 / speed);
  float turn = 0, side = 0;
  bool none_walks = true;
  for (int i = 0;; i++) {
    const lwi_vec2 direction = lwi_turn2(wish, turn);
    const lwi_crowd_body *other = first_ahead(step->crowd, body, direction);
    if (!other) break;
    if (i == PASSED_MAX && none_walks && body->agent->route.motion.gain.no_nearer > LATE)
      return; /* it presses on */
    if (i == PASSED_MAX) break;
    none_walks &= other->agent->move != LW_MOVE_WALKING;
    const float right = turn_past(body, other, direction, -1), left = turn_past(body, other, direction, 1);
    if (other->agent->move ==
        LW_MOVE_WALKING) { /* each to its right; one beside a wall stays, and the other passes it */
      if (side == 0 && !is_free(step, body, lwi_turn2(wish, right), LOOK)) return;
      side = -1;
    } else if (side == 0) {
      side = free_side(step, body, other, (past_other){wish, right, left});
      if (side == 0) return; /* walls on both sides */
    }
    turn += side > 0 ? left : right;
    if (fabsf(turn) > TURN_MAX) return; /* the same: no path leads between them */
  }
  if (turn != 0) body->wish = lwi_scale2(lwi_turn2(wish, turn), speed);
  if (turn != 0 && body->agent->route.motion.blocked > FACED) note_passing(body->agent, was_passing);
}
