/* A step of all agents:

     steering.c     the velocity that each would have if it were alone
     turns.c        which agents go first where two cannot pass (bottleneck.c)
     flow.c         which side to take where many come the other way
     right_of_way.c which half of the ground between walls to keep to
     step_aside.c   those that stand make space
     whiskers.c     round what the path cannot know
     avoidance.c    the nearest velocity without a collision (orca.c)
     this file      which the body limits
     contact.c      and no two overlap in the end
     blocker.c      which agents block which
     late.c         whose moves fail

   What an agent does depends on the others' order, places and motion alone, so that it is the same after saving and
   loading. Agents at rest are neither steered nor moved until one that moves touches them. */
#include "agent/crowd.h"

#include "agent/steering.h"
#include "agent/walls.h"
#include "agent/whiskers.h"
#include "core/hash.h"
#include "core/vec3.h"

#include <math.h>

#define NO_BODY UINT32_MAX
/* Agents are avoided within this distance, ... [m] */
#define NEIGHBOR_REACH 5.0f
/* ... on the same floor: so far up or down, and by this factor of the distance more. [m] */
#define FLOOR_HEIGHT 1.0f
#define FLOOR_SLOPE 0.4f
/* The look at the flow is repeated after this number of steps, and takes effect within that time. [s] */
#define FLOW_STEPS 4
#define FLOW_TIME 0.35f
/* A body that is slower stands still. [m/s] */
#define STILL 1e-3f
/* An agent that makes less of its desired speed is blocked by others. */
#define BLOCKED_PART 0.3f
/* One that wants to be no faster than this hardly advances. [m/s] */
#define SLOW 0.05f
/* Others are in the way when they are so near. [m] */
#define BESIDE 0.5f
/* An agent that for so long cannot get nearer to its goal than to those that stand there has arrived, if it is not
   further away than this. [s, m] */
#define SETTLE 0.3f
#define SETTLE_NEAR 10.0f
/* The same where another one stands there that was not sent there, and is too heavy to be pushed. [s] */
#define SETTLE_IDLE 3.0f
/* An agent that has been held for that time weighs as much again each time that it passes once more, this number of times at
   most: else a stream of others might never let it in. [s] */
#define HELD_LONG 5.0f
#define WAITED_MAX 8.0f
/* --- the bodies ------------------------------------------------------------------------------------------- */

static float weight_of(const lwi_agent *agent) {
  const lw_body *body = &agent->profile->def.body;
  const float rank = 0.05f + body->priority;
  const float waited = fminf(WAITED_MAX, fmaxf(0, agent->route.motion.held - HELD_LONG) / HELD_LONG);
  return body->mass * rank * rank / lwi_pace_styles[lwi_agent_pace(agent)].share * (1 + waited);
}

/* Is the agent on the ground, where it can meet others? */
static bool is_on_ground(const lwi_agent *agent) {
  return !agent->link.active && !agent->route.motion.has_travelled && !agent->ground.is_parked &&
         !agent->ground.is_trapped && !agent->removal.pending;
}

static void fill_body(lwi_crowd_body *body, lwi_agent *agent) {
  const lw_profile_def *def = &agent->profile->def;
  *body = (lwi_crowd_body){.agent = agent,
                           .at = agent->at.point,
                           .velocity = {agent->velocity.x, agent->velocity.z},
                           .moved = {agent->at.point.x, agent->at.point.z},
                           .radius = def->radius,
                           .height = fmaxf(def->height, 0.1f),
                           .spacing = lwi_pace_styles[lwi_agent_pace(agent)].spacing,
                           .weight = weight_of(agent),
                           .turns = {.rank = INFINITY, .after = NO_BODY},
                           .push_speed = INFINITY,
                           .navmesh = (int16_t)agent->navmesh,
                           .avoidance = (uint8_t)def->body.avoidance};
  const bool is_here = agent->profile->has_body && is_on_ground(agent);
  body->is_awake = is_here && !agent->route.motion.is_resting && !lwi_is_vehicle(agent->profile);
  body->is_there = is_here && def->body.avoidance != LW_AVOID_NONE;
  body->is_solid = is_here && def->body.avoidance == LW_AVOID_FULL;
  body->is_filled = true;
}

/* Bodies of agents at rest are as they were. */
static void fill_bodies(lwi_crowd *crowd) {
  crowd->awake_count = 0;
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    lwi_agent *agent = body->agent;
    if (body->is_filled && agent->route.motion.is_resting && !body->is_awake && !agent->removal.pending)
      continue;
    fill_body(body, agent);
    crowd->widest = fmaxf(crowd->widest, body->radius);
    crowd->farthest = fmaxf(crowd->farthest, agent->profile->def.body.whiskers.seconds);
    crowd->awake_count += body->is_awake;
  }
}

void lwi_crowd_free(lwi_crowd *crowd, lwi_memory *memory) {
  lwi_free(memory, crowd->bodies, (size_t)crowd->capacity * sizeof *crowd->bodies);
  lwi_free(memory, crowd->cells, (size_t)crowd->cell_capacity * sizeof *crowd->cells);
  lwi_free(memory, crowd->neighbors, (size_t)crowd->neighbor_capacity * sizeof *crowd->neighbors);
  lwi_free(memory, crowd->active, (size_t)crowd->active_capacity * sizeof *crowd->active);
  lwi_free(memory, crowd->queue, (size_t)crowd->queue_capacity * sizeof *crowd->queue);
  lwi_free(memory, crowd->contacts, (size_t)crowd->contact_capacity * sizeof *crowd->contacts);
  lwi_free(memory, crowd->bottlenecks, (size_t)crowd->bottleneck_capacity * sizeof *crowd->bottlenecks);
  lwi_flow_free(&crowd->flow, memory);
  lwi_hazards_free(&crowd->hazards, memory);
  *crowd = (lwi_crowd){0};
}

bool lwi_crowd_reserve(lwi_crowd *crowd, lwi_memory *memory, int count) {
  if (!lwi_reserve(memory, &crowd->bodies, &crowd->capacity, count, sizeof *crowd->bodies) ||
      !lwi_reserve(memory, &crowd->queue, &crowd->queue_capacity, count, sizeof *crowd->queue) ||
      !lwi_reserve(memory, &crowd->neighbors, &crowd->neighbor_capacity, count * LWI_NEIGHBORS_MAX,
                   sizeof *crowd->neighbors) ||
      !lwi_reserve(memory, &crowd->active, &crowd->active_capacity, count, sizeof *crowd->active) ||
      !lwi_reserve(memory, &crowd->contacts, &crowd->contact_capacity, count * LWI_NEIGHBORS_MAX,
                   sizeof *crowd->contacts) ||
      !lwi_reserve(memory, &crowd->bottlenecks, &crowd->bottleneck_capacity, count,
                   sizeof *crowd->bottlenecks) ||
      !lwi_flow_reserve(&crowd->flow, memory, count))
    return false;
  int cells = crowd->cell_capacity ? crowd->cell_capacity : 64;
  while (cells < 2 * count) cells *= 2;
  if (cells == crowd->cell_capacity) return true;
  uint32_t *grown = lwi_resize(memory, crowd->cells, (size_t)crowd->cell_capacity * sizeof *grown,
                               (size_t)cells * sizeof *grown);
  if (!grown) return false;
  crowd->cells = grown;
  crowd->cell_capacity = cells;
  return true;
}

/* Field by field: structs have gaps. */
uint64_t lwi_motion_hash(uint64_t hash, const lwi_motion *motion) {
  const lwi_narrow *narrow = &motion->narrow;
  const float numbers[] = {motion->turn,           motion->turn_goal, motion->probed,    motion->blocked,
                           motion->held,           motion->held_at.x, motion->held_at.z, motion->gain.nearest,
                           motion->gain.no_nearer, motion->gain.late, narrow->entry,     narrow->exit};
  const uint32_t words[] = {(uint32_t)narrow->number, narrow->is_forward,
                            narrow->is_inside | (uint32_t)motion->is_external << 1 |
                                (uint32_t)(motion->right_of_way + 1) << 2 | (uint32_t)narrow->has_passed << 4};
  return lwi_hash(lwi_hash(hash, numbers, sizeof numbers), words, sizeof words);
}

uint64_t lwi_remedy_hash(uint64_t hash, const lwi_remedy *remedy) {
  const lwi_remedy none = {.place_count = 0};
  if (remedy->place_count == 0 && remedy->barred == 0 &&
      memcmp(remedy->tried, none.tried, sizeof none.tried) == 0)
    return hash;
  const int words[] = {remedy->place_count, remedy->is_searching, remedy->retreat.is_on};
  hash = lwi_hash(lwi_hash(hash, words, sizeof words), remedy->tried, sizeof remedy->tried);
  hash = lwi_hash(hash, remedy->places, (size_t)remedy->place_count * sizeof *remedy->places);
  hash = lwi_hash(hash, &remedy->barred, sizeof remedy->barred);
  if (!remedy->retreat.is_on) return hash;
  hash = lwi_hash(hash, &remedy->retreat.to, sizeof remedy->retreat.to);
  return lwi_hash(hash, &remedy->retreat.until, sizeof remedy->retreat.until);
}

uint64_t lwi_crowd_hash(uint64_t hash, const lwi_crowd *crowd) {
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    const lwi_bottleneck *at = &crowd->bottlenecks[i];
    const int32_t words[] = {at->navmesh, at->turn, at->passed};
    hash = lwi_hash(lwi_hash(hash, words, sizeof words), &at->used, sizeof at->used);
  }
  return hash;
}

/* --- neighbours ------------------------------------------------------------------------------------------- */

static uint32_t *cell_at(const lwi_crowd *crowd, int32_t x, int32_t z) {
  return &crowd->cells[((uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u) &
                       (uint32_t)(crowd->cell_capacity - 1)];
}

static int32_t cell_of(float at) {
  return (int32_t)floorf(at / LWI_CROWD_CELL);
}

static void sort_into_cells(lwi_crowd *crowd) {
  for (int i = 0; i < crowd->cell_capacity; i++) crowd->cells[i] = NO_BODY;
  for (int i = crowd->count - 1; i >= 0; i--) {
    lwi_crowd_body *body = &crowd->bodies[i];
    if (!body->is_there) continue;
    uint32_t *cell = cell_at(crowd, cell_of(body->at.x), cell_of(body->at.z));
    body->next_in_cell = *cell;
    *cell = (uint32_t)i;
  }
}

bool lwi_crowd_share_floor(const lwi_crowd_body *a, const lwi_crowd_body *b, float distance) {
  return a->navmesh == b->navmesh && fabsf(a->at.y - b->at.y) <= FLOOR_HEIGHT + FLOOR_SLOPE * distance;
}

typedef struct near_body {
  float gap; /* between the surfaces [m] */
  uint32_t number;
} near_body;

/* Keep the nearest; of two that are equally near the one that was spawned first. */
static int keep_near(near_body *list, int count, near_body found) {
  int at = count < LWI_NEIGHBORS_MAX ? count : LWI_NEIGHBORS_MAX - 1;
  if (count == LWI_NEIGHBORS_MAX &&
      (list[at].gap < found.gap || (list[at].gap == found.gap && list[at].number < found.number)))
    return count;
  while (at > 0 && (list[at - 1].gap > found.gap ||
                    (list[at - 1].gap == found.gap && list[at - 1].number > found.number))) {
    list[at] = list[at - 1];
    at--;
  }
  list[at] = found;
  return count < LWI_NEIGHBORS_MAX ? count + 1 : count;
}

typedef struct near_list {
  near_body items[LWI_NEIGHBORS_MAX];
  int count;
  float reach; /* between the surfaces [m] */
} near_list;

static void search_cell(const lwi_crowd *crowd, uint32_t own, int32_t x, int32_t z, near_list *list) {
  const lwi_crowd_body *body = &crowd->bodies[own];
  for (uint32_t i = *cell_at(crowd, x, z); i != NO_BODY; i = crowd->bodies[i].next_in_cell) {
    const lwi_crowd_body *other = &crowd->bodies[i];
    if (i == own || cell_of(other->at.x) != x || cell_of(other->at.z) != z) continue; /* equal hash */
    const float distance = lwi_distance_xz(body->at, other->at), gap = distance - body->radius - other->radius;
    if (gap > list->reach || !lwi_crowd_share_floor(body, other, distance)) continue;
    list->count = keep_near(list->items, list->count, (near_body){gap, i});
  }
}

static void find_neighbors(lwi_crowd *crowd, uint32_t own) {
  lwi_crowd_body *body = &crowd->bodies[own];
  const bool walks = body->agent->move == LW_MOVE_WALKING;
  near_list list = {.reach = walks ? fmaxf(0.5f, NEIGHBOR_REACH - 2 * body->radius) : 0.5f};
  const float reach = list.reach + body->radius + crowd->widest;
  const int32_t x0 = cell_of(body->at.x - reach), x1 = cell_of(body->at.x + reach);
  const int32_t z0 = cell_of(body->at.z - reach), z1 = cell_of(body->at.z + reach);
  for (int32_t z = z0; z <= z1; z++)
    for (int32_t x = x0; x <= x1; x++) search_cell(crowd, own, x, z, &list);
  body->first = own * LWI_NEIGHBORS_MAX;
  body->count = (uint8_t)list.count;
  for (int i = 0; i < list.count; i++) crowd->neighbors[body->first + (uint32_t)i] = list.items[i].number;
}

/* The agents that move, and those that they may touch, and so on. */
static void find_active(lwi_crowd *crowd) {
  crowd->active_count = 0;
  for (int i = 0; i < crowd->count; i++) {
    crowd->bodies[i].is_active = crowd->bodies[i].is_awake;
    if (crowd->bodies[i].is_active) crowd->active[crowd->active_count++] = (uint32_t)i;
  }
  for (int i = 0; i < crowd->active_count; i++) {
    const uint32_t own = crowd->active[i];
    find_neighbors(crowd, own);
    const lwi_crowd_body *body = &crowd->bodies[own];
    for (int k = 0; k < body->count; k++) {
      const uint32_t number = crowd->neighbors[body->first + (uint32_t)k];
      lwi_crowd_body *other = &crowd->bodies[number];
      if (other->is_active ||
          lwi_distance_xz(body->at, other->at) - body->radius - other->radius > 2 * LWI_CROWD_CONTACT)
        continue;
      other->is_active = true;
      crowd->active[crowd->active_count++] = number;
    }
  }
}

/* --- velocities ------------------------------------------------------------------------------------------- */

/* No faster than that. */
static lwi_vec2 limit_speed(lwi_vec2 velocity, float speed) {
  const float own = sqrtf(lwi_dot2(velocity, velocity));
  return own > speed ? lwi_scale2(velocity, speed / own) : velocity;
}

/* Change the velocity as far as the body can in a step. To turn gains no speed that it could not gain straight on. */
static lwi_vec2 limit_change(const lwi_agent *agent, lwi_vec2 from, lwi_vec2 to, float dt) {
  const lw_body *body = &agent->profile->def.body;
  const lwi_pace_style *style = &lwi_pace_styles[lwi_agent_pace(agent)];
  const float speed = sqrtf(lwi_dot2(from, from)), wanted = sqrtf(lwi_dot2(to, to)),
              forward = lwi_body_limit(body->acceleration) * style->acceleration * dt;
  const lwi_vec2 change = lwi_sub2(to, from);
  if (speed < forward) {
    const float length = sqrtf(lwi_dot2(change, change)), brake = lwi_body_limit(body->deceleration) * dt,
                limit = wanted > speed ? forward : fmaxf(forward, brake);
    return length <= limit ? to : lwi_add2(from, lwi_scale2(change, limit / length));
  }
  const lwi_vec2 along = lwi_scale2(from, 1 / speed), across = {-along.z, along.x};
  const float side = lwi_body_limit(body->lateral_acceleration) * style->lateral * dt;
  const float a = fminf(forward, fmaxf(-lwi_body_limit(body->deceleration) * dt, lwi_dot2(change, along)));
  const float b = fminf(side, fmaxf(-side, lwi_dot2(change, across)));
  const lwi_vec2 changed = lwi_add2(from, lwi_add2(lwi_scale2(along, a), lwi_scale2(across, b)));
  return limit_speed(changed, fmaxf(speed, fminf(wanted, speed + forward)));
}

static lwi_vec2 place_after(const lwi_crowd_body *body, float dt) {
  return lwi_add2(lwi_vec2_of(body->at.x, body->at.z), lwi_scale2(body->next, dt));
}

static void choose_velocity(const lwi_crowd_step *step, lwi_crowd_body *body) {
  lwi_agent *agent = body->agent;
  const bool avoids = agent->move == LW_MOVE_WALKING && body->avoidance != LW_AVOID_NONE;
  if (avoids) lwi_crowd_sidestep(step, body);
  const lwi_vec2 velocity = avoids ? lwi_crowd_avoid(step, body) : body->wish;
  body->next = limit_change(agent, body->velocity, velocity, step->dt);
  if (agent->move != LW_MOVE_WALKING && lwi_dot2(body->next, body->next) < STILL * STILL)
    body->next = lwi_vec2_of(0, 0);
  const lwi_vec2 at = {body->at.x, body->at.z}, aim = {agent->route.motion.aim_x, agent->route.motion.aim_z};
  body->moved = place_after(body, step->dt);
  const lwi_vec2 left = lwi_sub2(aim, at);
  /* Where a link begins it goes on along that, without braking. */
  if (agent->route.motion.stops_at_aim &&
      lwi_dot2(left, left) <= step->dt * step->dt * lwi_dot2(body->next, body->next) &&
      lwi_dot2(left, body->next) > 0)
    body->moved = aim;
}

/* --- the flow --------------------------------------------------------------------------------------------- */

static void fill_flow(lwi_crowd *crowd) {
  lwi_flow_clear(&crowd->flow);
  for (int i = 0; i < crowd->count; i++) {
    const lwi_crowd_body *body = &crowd->bodies[i];
    if (body->is_awake && body->is_there && (body->wish.x != 0 || body->wish.z != 0))
      lwi_flow_add(&crowd->flow, body->at, lwi_unit2(body->wish));
  }
}

/* Choose how far an agent turns from its wish: to the right between walls, and past those that come from opposite. */
static void look_at_flow(const lwi_crowd_step *step, const lwi_crowd_body *body) {
  lwi_motion *motion = &body->agent->route.motion;
  const lwi_vec2 wish = lwi_unit2(body->wish);
  lwi_vec2 direction = wish;
  motion->turn_goal = 0;
  motion->right_of_way = LWI_NO_RIGHT_OF_WAY;
  if (wish.x == 0 && wish.z == 0) return;
  motion->right_of_way = lwi_crowd_keep_right(step, body, &direction);
  /* Counter-clockwise seen from above is towards -z. */
  motion->turn_goal = -atan2f(lwi_det2(wish, direction), lwi_dot2(wish, direction));
  if (fabsf(motion->turn_goal) < LWI_GIVES_WAY)
    motion->turn_goal +=
        lwi_flow_choose(&step->crowd->flow, body->at, wish, direction, body->agent->route.remaining);
}

/* Turn the wishes of those that would go against others. */
static void follow_flow(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  fill_flow(crowd);
  for (int i = 0; i < crowd->count; i++) {
    lwi_crowd_body *body = &crowd->bodies[i];
    lwi_motion *motion = &body->agent->route.motion;
    if (!body->is_awake || body->agent->move != LW_MOVE_WALKING || body->avoidance == LW_AVOID_NONE) continue;
    if (((uint64_t)i + step->steps) % FLOW_STEPS == 0) look_at_flow(step, body);
    motion->turn += (motion->turn_goal - motion->turn) * fminf(1, step->dt / FLOW_TIME);
    if (fabsf(motion->turn) < 1e-3f || body->turns.waits) continue;
    body->wish = lwi_turn2(body->wish, motion->turn);
  }
}

/* --- a step ----------------------------------------------------------------------------------------------- */

static void steer(const lwi_crowd_step *step) {
  for (int i = 0; i < step->crowd->count; i++) {
    lwi_crowd_body *body = &step->crowd->bodies[i];
    if (!body->is_awake) continue;
    const lw_navmesh *mesh = step->meshes[body->navmesh];
    lwi_agent_see_walls(body->agent, mesh);
    lwi_agent_steer(body->agent, mesh, step->dt);
    if (body->agent->route.remedy.retreat.is_on) lwi_agent_steer_back(body->agent, mesh);
    body->wish = lwi_vec2_of(body->agent->route.motion.desired.x, body->agent->route.motion.desired.z);
  }
}

static void turn_heading(lwi_agent *agent, float dt) {
  const float speed = hypotf(agent->velocity.x, agent->velocity.z);
  if (!(speed > 0.05f)) return;
  const float limit = lwi_body_limit(agent->profile->def.body.turn_rate) * dt;
  const float turn = lwi_angle_between(agent->heading, atan2f(-agent->velocity.z, agent->velocity.x));
  agent->heading = lwi_angle_between(0, agent->heading + fminf(limit, fmaxf(-limit, turn)));
}

/* Is another one near enough to be in the way? The nearest neighbour comes first. */
static bool is_beside_other(const lwi_crowd *crowd, const lwi_crowd_body *body) {
  if (body->count == 0) return false;
  const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first]];
  return lwi_distance_xz(body->at, other->at) < body->radius + other->radius + BESIDE;
}

/* Does the other agent stand and stay on the goal of this one, which has tried to get there for a while? */
static bool is_on_goal(const lwi_crowd_body *body, const lwi_crowd_body *other) {
  const lwi_agent *agent = body->agent;
  const float radius = body->radius + other->radius;
  return agent->route.motion.blocked > SETTLE_IDLE && other->agent->move != LW_MOVE_WALKING &&
         agent->route.remaining < radius + 2 * BESIDE &&
         lwi_distance_xz(agent->route.goal, other->at) < radius && !lwi_crowd_pushes(body, other);
}

/* Does an agent beside it stand where both were to go? */
static bool goal_is_taken(const lwi_crowd *crowd, const lwi_crowd_body *body) {
  for (int i = 0; i < body->count; i++) {
    const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)i]];
    const float radius = body->radius + other->radius;
    if (lwi_distance_xz(body->at, other->at) >= radius + BESIDE) continue;
    if (other->agent->move == LW_MOVE_ARRIVED &&
        lwi_distance(body->agent->route.goal, other->agent->route.goal) < radius)
      return true;
    if (is_on_goal(body, other)) return true;
  }
  return false;
}

/* Do others keep the agent from getting on, and for how long? */
static void note_blocked(const lwi_crowd *crowd, const lwi_crowd_body *body, lw_vec3 moved, float dt) {
  lwi_agent *agent = body->agent;
  const lw_vec3 desired = agent->route.motion.desired;
  const float speed2 = desired.x * desired.x + desired.z * desired.z;
  const float got = (moved.x * desired.x + moved.z * desired.z) / dt;
  const bool is_blocked = agent->move == LW_MOVE_WALKING &&
                          (body->turns.waits || (speed2 > 0 && got < BLOCKED_PART * speed2 &&
                                                 (body->turns.follows || is_beside_other(crowd, body))));
  agent->route.motion.is_advancing = speed2 > SLOW * SLOW && got >= BLOCKED_PART * speed2;
  agent->route.motion.blocked =
      is_blocked ? agent->route.motion.blocked + dt : fmaxf(0, agent->route.motion.blocked - 2 * dt);
  if (agent->move != LW_MOVE_WALKING) agent->route.motion.blocked = 0;
  agent->route.motion.is_crowded_out = agent->route.motion.blocked > SETTLE &&
                                       agent->route.remaining < SETTLE_NEAR && goal_is_taken(crowd, body);
}

/* The game has moved it before the step, and goes on to. */
static void be_moved(const lwi_crowd_step *step, const lwi_crowd_body *body) {
  lwi_agent *agent = body->agent;
  if (agent->move == LW_MOVE_WALKING) lwi_agent_pass_points(agent, step->meshes[body->navmesh]);
  note_blocked(step->crowd, body, lwi_scale(agent->velocity, step->dt), step->dt);
  turn_heading(agent, step->dt);
}

/* The velocity that it chose and what kept it from getting there, or pushed it, so that no more is rounded than that: far
   from the origin a place is rounded to a millimetre. The speed at which it was pushed out of another one does not count. */
static lw_vec3 velocity_of(const lwi_crowd_body *body, lw_vec3 from, lw_vec3 end, float dt) {
  const lwi_vec2 off = lwi_sub2(lwi_vec2_of(end.x, end.z), place_after(body, dt));
  const lwi_vec2 velocity = limit_speed(lwi_add2(body->next, lwi_scale2(off, 1 / dt)), body->push_speed);
  return lwi_vec3(velocity.x, (end.y - from.y) / dt, velocity.z);
}

static void apply(const lwi_crowd_step *step, lwi_crowd_body *body) {
  lwi_agent *agent = body->agent;
  lwi_agent_pose_begin(agent, step->poses);   /* one that rested is pushed */
  if (lwi_is_vehicle(agent->profile)) return; /* it drives by itself */
  agent->route.motion.chosen = lwi_vec3(body->next.x, 0, body->next.z);
  if (agent->route.motion.is_external) {
    be_moved(step, body);
    return;
  }
  const lw_vec3 to = lwi_vec3(body->moved.x, agent->at.point.y, body->moved.z), from = agent->at.point;
  lw_location end = agent->at;
  if ((to.x != from.x || to.z != from.z) && lw_navmesh_move(step->meshes[body->navmesh], agent->at, to,
                                                            &agent->profile->prices.filter, &end) != LW_OK)
    end = agent->at;
  const lw_vec3 moved = lwi_sub(end.point, from);
  agent->at = end;
  agent->velocity = velocity_of(body, from, end.point, step->dt);
  if (agent->move == LW_MOVE_WALKING) {
    agent->stats.walked += (double)lwi_length(moved);
    lwi_agent_pass_points(agent, step->meshes[body->navmesh]);
  }
  if (moved.x != 0 || moved.z != 0) agent->route.motion.is_resting = false;
  note_blocked(step->crowd, body, moved, step->dt);
  turn_heading(agent, step->dt);
}

bool lwi_crowd_move(const lwi_crowd_step *step) {
  lwi_crowd *crowd = step->crowd;
  fill_bodies(crowd);
  if (crowd->awake_count == 0) return true;
  steer(step);
  sort_into_cells(crowd);
  find_active(crowd);
  lwi_crowd_yield(step);
  follow_flow(step);
  const bool seen = lwi_crowd_whisk(step);
  lwi_crowd_pass_priority(step);
  lwi_crowd_step_aside(step);
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_awake) choose_velocity(step, &crowd->bodies[i]);
  lwi_crowd_separate(step);
  for (int i = 0; i < crowd->count; i++)
    if (crowd->bodies[i].is_active) apply(step, &crowd->bodies[i]);
  lwi_crowd_find_blockers(step);
  lwi_crowd_find_late(step);
  return seen;
}
