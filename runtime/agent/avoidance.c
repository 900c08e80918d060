/* The velocity of an agent among others: optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha 2011), with
   the walls beside it, and the effort of two shared by the order in which they go. */
#include "agent/crowd.h"
#include "agent/steering.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

/* For how long a velocity has to be without collision; of those that touch; with a wall. [s] */
#define HORIZON 0.4f
#define HORIZON_CONTACT 0.3f
#define HORIZON_WALL 0.05f
/* A wall counts for those in front of it, but for rounding. [m] */
#define BEHIND_WALL 1e-3f
/* Kept between two agents when they can. [m] */
#define MARGIN 0.02f
/* After being blocked for so long an agent pushes those that stand there, unless they are heavier by that factor. [s] */
#define STEP_ASIDE 1.0f
#define PUSHED 4.0f
/* Of the effort of two beside a bottleneck, of the agent that is nearer to it. */
#define SHARE_NEARER 0.2f
/* Of the effort of two that meet between walls, of the agent that has the right of way. */
#define SHARE_RIGHT_OF_WAY 0.15f
/* Of the effort of two, of the agent that comes out of a bottleneck. */
#define SHARE_COMING_OUT 0.15f
/* An agent that makes no more than that part of the speed that it wants to, for so long, is held up. [s] */
#define HELD_UP_PART 0.09f
#define HELD_UP 0.5f

float lwi_crowd_share(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  if (body->turns.comes_out != other->turns.comes_out)
    return body->turns.comes_out ? SHARE_COMING_OUT : 1 - SHARE_COMING_OUT;
  if (isfinite(body->turns.rank) && isfinite(other->turns.rank)) {
    if (body->turns.rank != other->turns.rank)
      return body->turns.rank < other->turns.rank ? SHARE_NEARER : 1 - SHARE_NEARER;
  }
  const int more = (int)body->agent->route.motion.right_of_way - (int)other->agent->route.motion.right_of_way;
  if (more != 0 && lwi_dot2(body->wish, other->wish) < 0)
    return more > 0 ? SHARE_RIGHT_OF_WAY : 1 - SHARE_RIGHT_OF_WAY;
  return other->weight / (body->weight + other->weight);
}

static float wall_extra(const lwi_crowd_step *step, const lwi_crowd_body *body) {
  return fmaxf(0, body->radius - step->meshes[body->navmesh]->agent.radius);
}

/* Walls whose nearest point lies between their ends. Those of corners would brake agents at every door. */
static int add_walls(const lwi_crowd_step *step, const lwi_crowd_body *body, float speed,
                     lwi_half_plane *planes) {
  const lwi_agent_walls *walls = &body->agent->route.motion.walls;
  const float extra = wall_extra(step, body);
  int count = 0;
  for (int i = 0; i < walls->count; i++) {
    const lwi_wall *wall = &walls->items[i];
    const float px = body->at.x - wall->ax, pz = body->at.z - wall->az, away = px * wall->nx + pz * wall->nz;
    const float limit = fmaxf(0, away - extra) / HORIZON_WALL;
    if (away < -BEHIND_WALL || limit >= speed || !lwi_wall_is_beside(wall, body->at.x, body->at.z)) continue;
    planes[count++] = lwi_orca_wall(lwi_vec2_of(wall->nx, wall->nz), limit);
  }
  return count;
}

/* What it evades is a wall that moves, whatever the others do; as far ahead as bodies need to brake. One that waits for it
   to pass is not pressed on by those behind it. */
static int add_hazard(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_half_plane *planes,
                      int count) {
  if (body->hazard == 0) return count;
  const lwi_whisker_view *view = &body->agent->route.motion.whiskers;
  if (!(view->slowed > 0))
    planes[count++] = lwi_orca_wall(lwi_scale2(lwi_turn2(view->direction, view->turn), -1), 0);
  const lwi_hazard *hazard = &step->crowd->hazards.items[body->hazard - 1];
  float distance;
  const lwi_hazard_side *side =
      lwi_hazard_side_before(hazard, lwi_vec2_of(body->at.x, body->at.z), body->radius, &distance);
  if (!side || distance <= -BEHIND_WALL) return count;
  const float limit = distance / HORIZON - lwi_dot2(side->normal, hazard->velocity);
  planes[count] = lwi_orca_wall(side->normal, limit);
  return count + 1;
}

bool lwi_crowd_pushes(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  return other->weight < PUSHED * body->weight && !other->agent->route.motion.is_external;
}

/* Does an agent want to go faster than it can? */
static bool is_held_up(const lwi_crowd_body *body) {
  return lwi_dot2(body->velocity, body->wish) <= HELD_UP_PART * lwi_dot2(body->wish, body->wish);
}

/* Does an agent go first, so that the other one is to move from where it wants to go? Agents that come out of a bottleneck do,
   and those that others hold up which are further from the entry. */
static bool goes_first(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  if (body->turns.comes_out != other->turns.comes_out) return body->turns.comes_out;
  return isfinite(body->turns.rank) && isfinite(other->turns.rank) && body->turns.rank < other->turns.rank &&
         !body->turns.waits && body->agent->route.motion.blocked > HELD_UP && is_held_up(body);
}

static int add_others(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_half_plane *planes,
                      int count) {
  const lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < body->count; i++) {
    const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)i]];
    const bool stays = other->agent->move != LW_MOVE_WALKING;
    if (stays && body->agent->route.motion.blocked > STEP_ASIDE && lwi_crowd_pushes(body, other)) continue;
    lwi_orca_other seen = {.offset = {other->at.x - body->at.x, other->at.z - body->at.z},
                           .relative = lwi_sub2(body->velocity, other->velocity),
                           .radius =
                               body->radius + other->radius + MARGIN + fmaxf(body->spacing, other->spacing)};
    /* Agents that stand wedged against each other have no velocity that would be avoided. */
    if (!stays && goes_first(other, body)) seen.relative = lwi_sub2(body->velocity, other->wish);
    const float distance = sqrtf(lwi_dot2(seen.offset, seen.offset));
    const bool touches = distance < body->radius + other->radius + LWI_CROWD_CONTACT;
    if (touches) seen.radius = body->radius + other->radius + MARGIN; /* too near for spacing */
    seen.horizon = touches ? HORIZON_CONTACT : HORIZON;
    seen.share = stays ? 1 : lwi_crowd_share(body, other);
    planes[count++] = lwi_orca_plane(&seen, body->velocity, step->dt);
  }
  return count;
}

lwi_vec2 lwi_crowd_avoid(const lwi_crowd_step *step, const lwi_crowd_body *body) {
  lwi_half_plane planes[LWI_ORCA_PLANES_MAX];
  const float speed = lwi_agent_speed(body->agent, step->meshes[body->navmesh]);
  lwi_orca_problem problem = {.planes = planes, .wish = body->wish, .speed = speed};
  problem.hard = add_hazard(step, body, planes, add_walls(step, body, speed, planes));
  problem.count = add_others(step, body, planes, problem.hard);
  return lwi_orca_solve(&problem);
}
