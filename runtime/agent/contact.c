/* Whatever velocities were chosen, no two solid agents overlap: their places at the end of the step are moved apart, a few
   times over all that touch, each time by the part of the overlap that its weight says (position-based dynamics, Mueller,
   Heidelberger, Hennix and Ratcliff 2007). */
#include "agent/crowd.h"
#include "agent/steering.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

#define ITERATIONS 8
/* Two that may come nearer than their radii within a step are held against each other. [m] */
#define REACH 0.15f
/* Two that overlap by more before a step were put there. [m] */
#define PUT_INSIDE 0.05f
/* One that stands where it is resists more than one that walks. */
#define RESTING_WEIGHT 4.0f

static bool is_listed(const lwi_crowd *crowd, uint32_t own, uint32_t other) {
  const lwi_crowd_body *body = &crowd->bodies[own];
  for (int i = 0; i < body->count; i++)
    if (crowd->neighbors[body->first + (uint32_t)i] == other) return true;
  return false;
}

static bool may_touch(const lwi_crowd_body *a, const lwi_crowd_body *b) {
  const float reach = a->radius + b->radius + REACH;
  const float dx = a->at.x - b->at.x, dz = a->at.z - b->at.z;
  return a->is_solid && b->is_solid && dx * dx + dz * dz < reach * reach &&
         fabsf(a->at.y - b->at.y) < fminf(a->height, b->height);
}

/* Each pair once: by its first, unless only the second has it among its neighbours. */
static void list_contacts(lwi_crowd *crowd) {
  crowd->contact_count = 0;
  for (int i = 0; i < crowd->count; i++) {
    const lwi_crowd_body *body = &crowd->bodies[i];
    if (!body->is_active || !body->is_solid) continue;
    for (int k = 0; k < body->count; k++) {
      const uint32_t own = (uint32_t)i, other = crowd->neighbors[body->first + (uint32_t)k];
      if (!may_touch(body, &crowd->bodies[other])) continue;
      if (other < own && crowd->bodies[other].is_active && is_listed(crowd, other, own)) continue;
      crowd->contacts[crowd->contact_count++] = (lwi_contact){own, other};
    }
  }
}

static float contact_share(const lwi_crowd_body *a, const lwi_crowd_body *b) {
  const bool drives_a = lwi_is_vehicle(a->agent->profile), drives_b = lwi_is_vehicle(b->agent->profile);
  if (drives_a || drives_b) return drives_a ? 0 : 1; /* vehicles are not pushed */
  const bool external_a = a->agent->route.motion.is_external, external_b = b->agent->route.motion.is_external;
  if (external_a != external_b) return external_b; /* the game moves the other one */
  const bool walks_a = a->agent->move == LW_MOVE_WALKING, walks_b = b->agent->move == LW_MOVE_WALKING;
  if (walks_a == walks_b) return lwi_crowd_share(a, b);
  const float weight_a = a->weight * (walks_a ? 1 : RESTING_WEIGHT),
              weight_b = b->weight * (walks_b ? 1 : RESTING_WEIGHT);
  return weight_b / (weight_a + weight_b);
}

/* What it moves on with after a push: the push itself gives it no speed. */
static float speed_of(const lwi_crowd_body *body) {
  if (body->push_speed < INFINITY) return body->push_speed;
  const bool steers = !body->agent->route.motion.is_external && !lwi_is_vehicle(body->agent->profile);
  const lwi_vec2 velocity = steers ? body->next : body->velocity;
  return sqrtf(lwi_dot2(velocity, velocity));
}

static void separate(lwi_crowd_body *a, lwi_crowd_body *b) {
  lwi_vec2 offset = lwi_sub2(b->moved, a->moved);
  const float radius = a->radius + b->radius, far2 = lwi_dot2(offset, offset);
  if (far2 >= radius * radius) return;
  const float far = sqrtf(far2);
  /* In the same place: apart along x, the one that was spawned first towards -x. */
  offset = far > 1e-5f ? lwi_scale2(offset, 1 / far) : lwi_vec2_of(1, 0);
  const float overlap = radius - far, share = contact_share(a, b);
  a->moved = lwi_sub2(a->moved, lwi_scale2(offset, overlap * share));
  b->moved = lwi_add2(b->moved, lwi_scale2(offset, overlap * (1 - share)));
  if (a->push_speed < INFINITY || b->push_speed < INFINITY)
    a->push_speed = b->push_speed = fmaxf(speed_of(a), speed_of(b));
}

/* Back from behind the walls. */
static void keep_inside(const lwi_crowd_step *step, lwi_crowd_body *body) {
  const lwi_agent_walls *walls = &body->agent->route.motion.walls;
  const float extra = fmaxf(0, body->radius - step->meshes[body->navmesh]->agent.radius);
  for (int i = 0; i < walls->count; i++) {
    const lwi_wall *wall = &walls->items[i];
    /* It began on the ground's side. */
    const float before = (body->at.x - wall->ax) * wall->nx + (body->at.z - wall->az) * wall->nz;
    const float px = body->moved.x - wall->ax, pz = body->moved.z - wall->az;
    if (before < -1e-3f || !lwi_wall_is_beside(wall, body->moved.x, body->moved.z)) continue;
    const float missing = fminf(extra, before) - (px * wall->nx + pz * wall->nz);
    if (missing > 0) body->moved = lwi_add2(body->moved, lwi_vec2_of(wall->nx * missing, wall->nz * missing));
  }
}

/* Nobody is pushed into what it evades, or deeper into it. */
static void keep_off_hazard(const lwi_crowd_step *step, lwi_crowd_body *body) {
  if (body->hazard == 0) return;
  const lwi_hazard *hazard = &step->crowd->hazards.items[body->hazard - 1];
  float before, after;
  lwi_hazard_side_before(hazard, lwi_vec2_of(body->at.x, body->at.z), body->radius, &before);
  const lwi_hazard_side *side = lwi_hazard_side_before(hazard, body->moved, body->radius, &after);
  const float missing = fminf(0, before) - after;
  if (side && missing > 0) body->moved = lwi_add2(body->moved, lwi_scale2(side->normal, missing));
}

/* Agents that were put into each other are apart after the step, but not flung apart. */
static void note_put_inside(lwi_crowd *crowd) {
  for (int i = 0; i < crowd->contact_count; i++) {
    lwi_crowd_body *a = &crowd->bodies[crowd->contacts[i].a], *b = &crowd->bodies[crowd->contacts[i].b];
    a->push_speed = b->push_speed = INFINITY;
  }
  for (int i = 0; i < crowd->contact_count; i++) {
    lwi_crowd_body *a = &crowd->bodies[crowd->contacts[i].a], *b = &crowd->bodies[crowd->contacts[i].b];
    if (lwi_distance_xz(a->at, b->at) < a->radius + b->radius - PUT_INSIDE)
      a->push_speed = b->push_speed = fmaxf(speed_of(a), speed_of(b));
  }
}

void lwi_crowd_separate(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < crowd->active_count; i++) {
    lwi_agent *agent = crowd->bodies[crowd->active[i]].agent;
    lwi_agent_see_walls(agent, step->meshes[agent->navmesh]);
  }
  list_contacts(crowd);
  note_put_inside(crowd);
  for (int round = 0; round < ITERATIONS && crowd->contact_count > 0; round++) {
    for (int i = 0; i < crowd->contact_count; i++)
      separate(&crowd->bodies[crowd->contacts[i].a], &crowd->bodies[crowd->contacts[i].b]);
    for (int i = 0; i < crowd->active_count; i++) {
      lwi_crowd_body *body = &crowd->bodies[crowd->active[i]];
      keep_off_hazard(step, body);
      keep_inside(step, body);
    }
  }
}
