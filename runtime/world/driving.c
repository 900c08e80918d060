/* Vehicles of a world: finding their drives, and driving them past others. */
#include "agent/driving.h"
#include "core/vec3.h"
#include "query/drive_query.h"
#include "world/driving.h"
#include "world/vehicle_body.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Poses to go on from, for one drive. */
#define POSES_MAX 12000
/* Of a search within one step, for a vehicle on its way. */
#define POSES_AT_ONCE 200
/* A vehicle that waits goes on for so far before it brakes. [m] */
#define LEAD 1.0f
/* What is ahead is looked for so far beyond the braking distance. [m] */
#define LOOK 6.0f
/* How far it is minded where other vehicles are going to be, and how far apart their poses are taken. [m] */
#define COURSE_MAX 20.0f
#define COURSE_STEP 2.0f
/* A step, or rubble, that is lower than this is driven over. [m] */
#define LOW 0.05f
/* Obstacles that are faster than this are seen when they are near. [m/s] */
#define HAZARD_SPEED 20.0f

/* --- finding drives ----------------------------------------------------------------------------------------------- */

/* What stands ahead of an agent that got stuck: the one that blocked it, and others that stand near that one. */
#define BLOCKS_MAX LWI_DRIVE_BLOCKS
#define BLOCKS_NEAR 10.0f /* [m] */
typedef struct block_list {
  const lwi_agent *own;
  lw_vec3 at;
  lwi_drive_block items[BLOCKS_MAX];
  uint64_t serials[BLOCKS_MAX]; /* in order: the oldest agents count where there are too many */
  int count;
} block_list;

static void insert_block(block_list *list, const lwi_drive_block *block, uint64_t serial) {
  int i = list->count < BLOCKS_MAX ? list->count++ : BLOCKS_MAX;
  for (; i > 0 && list->serials[i - 1] > serial; i--) {
    if (i == BLOCKS_MAX) continue;
    list->serials[i] = list->serials[i - 1];
    list->items[i] = list->items[i - 1];
  }
  if (i == BLOCKS_MAX) return;
  list->serials[i] = serial;
  list->items[i] = *block;
}

static void add_block(void *user, lwi_agent *other) {
  block_list *list = user;
  const lwi_body_area at = lwi_body_area_disc(list->at, BLOCKS_NEAR);
  if (!lwi_vehicle_minds(list->own, other) || lwi_agent_gets_on(other)) return;
  const lwi_vehicle_body body = lwi_vehicle_body_now(other);
  for (int i = 0; i < body.count; i++) {
    const lwi_drive_block block = {body.parts[i], LWI_VEHICLE_PASSING};
    if (lwi_body_area_gap(&body.parts[i], &at) < 0) insert_block(list, &block, other->serial);
  }
}

static void find_blocks(const lw_world *world, const lwi_agent *agent, block_list *list) {
  const lwi_driving *driving = &agent->route.driving;
  const bool waits = agent->route.staleness == LWI_WAITING;
  const lwi_agent *other = waits ? NULL : lwi_vehicle_blocker(world, agent);
  *list = (block_list){.own = agent};
  if (!other && !driving->is_blocked) return;
  list->at = other ? other->at.point : driving->blocked_at;
  lwi_world_visit_near(world, list->at, BLOCKS_NEAR + world->agents.crowd.vehicle_reach, add_block, list);
}

bool lwi_vehicle_is_led(const lwi_agent *agent) {
  return lwi_is_vehicle(agent->profile) && agent->route.staleness == LWI_WAITING && agent->route.driving.drive;
}

bool lwi_vehicle_start(const lw_world *world, const lwi_agent *agent, lw_location *at, float *heading) {
  const lw_navmesh *mesh = world->scene.meshes[lwi_agent_footing_navmesh(agent)];
  const lw_vec3 snap = {0.5f, 1, 0.5f};
  *at = lwi_agent_footing(agent);
  *heading = agent->heading;
  if (!lwi_vehicle_is_led(agent)) return true;
  const lw_drive *drive = agent->route.driving.drive;
  const lw_drive_point *last = &drive->points[drive->count - 1];
  *heading = last->heading;
  return lw_navmesh_nearest(mesh, last->at, snap, &agent->profile->prices.filter, at) == LW_OK;
}

static float trailer_angle_at_end(const lw_drive *drive) {
  const lw_drive_point *last = &drive->points[drive->count - 1];
  return (float)lwi_trailer_angle((double)last->trailer_heading, (double)last->heading);
}

lwi_drive_job lwi_world_drive_job(lw_world *world, const lwi_agent *agent, lw_location from, float heading) {
  const lwi_journey *journey = &agent->route.journey;
  lwi_drive_job job = {.world = world,
                       .scene = &world->scene,
                       .workspace = world->scene.own,
                       .query = lw_drive_query_default(),
                       .prices = lwi_agent_driven_profile(world, agent)->prices,
                       .nav = &world->scene.navs[lwi_agent_footing_navmesh(agent)],
                       .from = from};
  lw_drive_query *query = &job.query;
  block_list others;
  query->from = from.point;
  query->to = lwi_agent_destination(agent);
  query->from_heading = heading;
  query->trailer_angle = lwi_vehicle_is_led(agent) ? trailer_angle_at_end(agent->route.driving.drive)
                                                   : agent->route.driving.trailer_angle;
  if (journey->has_heading) query->heading = journey->heading;
  const lwi_yielding *yielding = &agent->route.driving.yielding;
  if (yielding->kind == LWI_YIELD_MOVES || yielding->kind == LWI_YIELD_JOINS)
    query->heading = yielding->heading;
  query->within = agent->route.within;
  query->max_nodes = POSES_MAX;
  query->profile = journey->profile ? agent->profile : lwi_agent_driven_profile(world, agent);
  lwi_prices_limit(&job.prices, &agent->profile->prices.filter);
  find_blocks(world, agent, &others);
  memcpy(job.blocks, others.items, sizeof job.blocks);
  job.block_count = others.count;
  return job;
}

lw_status lwi_drive_job_outcome(const lwi_drive_job *job, lw_status status) {
  const bool is_blocked = job->block_count > 0 && (status == LW_NO_PATH || status == LW_OUT_OF_NODES);
  return is_blocked ? LW_STUCK : status;
}

lw_status lwi_world_find_drive(lw_world *world, const lwi_agent *agent, const lw_path *path, lw_drive **drive) {
  *drive = NULL;
  if (world->planner.left <= 0) return LW_UNFINISHED;
  lwi_drive_job job = lwi_world_drive_job(world, agent, lwi_agent_footing(agent), agent->heading);
  job.query.max_nodes = POSES_AT_ONCE;
  lw_status status = lwi_drive_job_begin(&job, path);
  if (status == LW_UNFINISHED) status = lwi_drive_job_step(&job, UINT64_MAX);
  *drive = lwi_drive_job_take(&job);
  world->planner.left -= (int64_t)job.work; /* others wait for the next step */
  return status == LW_OUT_OF_NODES ? LW_UNFINISHED : lwi_drive_job_outcome(&job, status);
}

/* --- waiting for drives ------------------------------------------------------------------------------------------- */

bool lwi_vehicle_must_stop(const lw_world *world, lwi_agent *agent) {
  lw_location at;
  float heading;
  lwi_driving *driving = &agent->route.driving;
  if (!lwi_is_vehicle(agent->profile)) return false;
  if (!lwi_vehicle_start(world, agent, &at, &heading))
    lwi_driving_begin(driving, NULL); /* its ground is gone */
  return driving->speed != 0 && !lwi_vehicle_is_led(agent);
}

lwi_vehicle_lead lwi_vehicle_detach_lead(lwi_agent *agent) {
  lwi_driving *driving = &agent->route.driving;
  const lwi_vehicle_lead lead = {driving->drive, driving->piece, driving->along};
  const bool was_led = lwi_vehicle_is_led(agent);
  if (!lwi_is_vehicle(agent->profile) || !lead.drive || (!was_led && driving->speed == 0))
    return (lwi_vehicle_lead){.drive = NULL};
  driving->drive = NULL;
  if (!was_led) lwi_drive_cut(lead.drive, lead.along + lwi_driving_braking(agent) + LEAD);
  return lead;
}

void lwi_vehicle_drive_lead(lwi_agent *agent, const lwi_vehicle_lead *lead) {
  lwi_driving *driving = &agent->route.driving;
  lwi_driving_begin(driving, lead->drive);
  driving->piece = lead->piece;
  driving->along = lead->along;
}

/* --- what is ahead ------------------------------------------------------------------------------------------- */

/* What is ahead of a vehicle. */
typedef struct view_ahead {
  const lwi_agent *own;
  lwi_vehicle_body now; /* of that */
  float look;           /* [m] */
  float reach;          /* others that do not drive are looked for so far off [m] */
  float ahead;          /* how far it may go [m] */
  const lwi_agent *blocker;
  bool is_hazard; /* an obstacle is nearer than that one */
} view_ahead;

/* Too near, and nearer than it is now. */
static bool comes_nearer(const lwi_vehicle_body *now, const lwi_vehicle_body *then,
                         const lwi_body_area *other) {
  for (int i = 0; i < now->count; i++) {
    const float gap = fminf(LWI_VEHICLE_MARGIN, lwi_body_area_gap(&now->parts[i], other) - 0.01f);
    if (lwi_body_area_gap(&then->parts[i], other) < gap) return true;
  }
  return false;
}

/* How far it may go before it comes too near to the other one. An agent as near as that already, and not ahead, does not count. */
static float free_length(const view_ahead *view, const lwi_body_area *other) {
  const lwi_agent *own = view->own;
  const lwi_driving *driving = &own->route.driving;
  const lw_drive *drive = driving->drive;
  for (int i = driving->piece + 1; i < drive->count; i++) {
    const lw_drive_point *point = &drive->points[i];
    const float away = point->along - driving->along;
    const lwi_vehicle_body then = lwi_vehicle_body_on(own->profile, point);
    if (comes_nearer(&view->now, &then, other)) return fmaxf(0, away - (point->along - point[-1].along));
    if (away > view->look) break;
  }
  return INFINITY;
}

static float free_before(const view_ahead *view, const lwi_vehicle_body *other) {
  float free = INFINITY;
  for (int i = 0; i < other->count; i++) free = fminf(free, free_length(view, &other->parts[i]));
  return free;
}

/* Of two vehicles whose drives meet. */
static bool gives_way(const lwi_agent *own, const lwi_agent *other) {
  const float a = own->profile->def.body.priority, b = other->profile->def.body.priority;
  return a != b ? a < b : own->serial > other->serial;
}

/* The same before the ground that a vehicle drives over until it stands, however soon it brakes, and some beyond for one that it
   gives way to. The other one stops where it would come beside this one. */
static float free_before_course(const view_ahead *view, const lwi_agent *other) {
  const lwi_driving *driving = &other->route.driving;
  if (!lwi_is_vehicle(other->profile) || !driving->drive || driving->speed == 0) return INFINITY;
  const float beyond = gives_way(view->own, other) ? LOOK : 0;
  const float until = driving->along + fminf(COURSE_MAX, lwi_driving_braking(other) + beyond);
  float free = INFINITY, next = driving->along;
  for (int i = driving->piece + 1; i < driving->drive->count; i++) {
    const lw_drive_point *point = &driving->drive->points[i];
    if (point->along < next && point->along < until) continue;
    const lwi_vehicle_body then = lwi_vehicle_body_on(other->profile, point);
    if (lwi_vehicle_body_gap(&view->now, &then) < LWI_VEHICLE_MARGIN) break;
    free = fminf(free, free_before(view, &then));
    next = point->along + COURSE_STEP;
    if (point->along >= until) break;
  }
  return free;
}

static void look_at(void *user, lwi_agent *other) {
  view_ahead *view = user;
  if (!lwi_vehicle_minds(view->own, other)) return;
  if (lwi_vehicle_makes_space(view->own, other)) {
    view->ahead = 0;
    view->blocker = other;
    return;
  }
  const float away = lwi_distance_xz(view->own->at.point, other->at.point);
  if (!lwi_is_vehicle(other->profile) && away > view->reach) return;
  const lwi_vehicle_body body = lwi_vehicle_body_now(other);
  const float free = fminf(free_before(view, &body), free_before_course(view, other));
  if (free > view->ahead || (free == view->ahead && (!view->blocker || view->blocker->serial < other->serial)))
    return;
  view->ahead = free;
  view->blocker = other;
}

/* The times at which it is looked at where an obstacle will be: parts of those that whiskers look ahead. */
#define TIMES 4

/* An obstacle that is not cut out where it is: its outline now and as it moves on. */
static void look_at_hazard(view_ahead *view, const lwi_hazard *hazard) {
  const lwi_agent *own = view->own;
  const lw_profile_def *def = &own->profile->def;
  const float y = own->at.point.y;
  if (lw_agent_id_equal(hazard->agent, own->id) || hazard->high <= y + LOW || hazard->low >= y + def->height)
    return;
  for (int time = 0; time < TIMES; time++) {
    const float seconds = def->body.whiskers.seconds * (float)time / (TIMES - 1);
    const lwi_vec2 moved = lwi_scale2(hazard->velocity, seconds);
    for (int i = 0; i < hazard->side_count; i++) {
      const lwi_vec2 a = lwi_add2(moved, hazard->sides[i].corner),
                     b = lwi_add2(moved, hazard->sides[i + 1 < hazard->side_count ? i + 1 : 0].corner);
      const lwi_vec2 side = lwi_sub2(b, a), middle = lwi_scale2(lwi_add2(a, b), 0.5f);
      const lwi_body_area line = lwi_body_area_about(
          lwi_vec3(hazard->at.x + middle.x, y, hazard->at.z + middle.z), atan2f(-side.z, side.x),
          sqrtf(lwi_dot2(side, side)) / 2, sqrtf(lwi_dot2(side, side)) / 2, 0);
      const float free = free_length(view, &line);
      if (free >= view->ahead) continue;
      view->ahead = free;
      view->blocker = NULL;
      view->is_hazard = true;
    }
  }
}

static void look_at_hazards(const lw_world *world, view_ahead *view, float radius) {
  const lwi_hazards *hazards = &world->agents.crowd.hazards;
  const lw_vec3 at = view->own->at.point;
  const lw_whiskers *whiskers = &view->own->profile->def.body.whiskers;
  if (hazards->count == 0 || whiskers->rays == 0) return;
  const float reach = radius + whiskers->seconds * HAZARD_SPEED;
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(
      &hazards->tree, (lwi_rectangle){at.x - reach, at.z - reach, at.x + reach, at.z + reach});
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;)
    look_at_hazard(view, &hazards->items[i]);
}

float lwi_vehicle_reach(const lw_profile *profile) {
  const lw_trailer *trailer = lwi_trailer_of(profile);
  return fmaxf(profile->def.body.vehicle.length, trailer ? lwi_trailer_reach(trailer) : 0);
}

static view_ahead look_ahead(const lw_world *world, const lwi_agent *agent) {
  view_ahead view = {.own = agent, .ahead = LWI_DRIVE_FREE};
  const lw_profile_def *def = &agent->profile->def;
  if (!agent->route.driving.drive || agent->move != LW_MOVE_WALKING || def->body.avoidance == LW_AVOID_NONE)
    return view;
  view.now = lwi_vehicle_body_now(agent);
  view.look = lwi_driving_braking(agent) + LOOK;
  const float radius = view.look + lwi_vehicle_reach(agent->profile) + world->agents.crowd.vehicle_reach;
  view.reach = radius;
  lwi_world_visit_near(world, agent->at.point, radius + COURSE_MAX, look_at, &view);
  look_at_hazards(world, &view, radius);
  return view;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

/* Has ground been cut away that it is going to drive over? */
static bool is_cut_off(const lwi_agent *agent, const lw_navmesh *mesh) {
  const lwi_driving *driving = &agent->route.driving;
  const lwi_drive_body body = lwi_drive_body_of(mesh, agent->profile, &agent->profile->prices);
  lw_raycast ray = {.at = agent->at};
  for (int i = driving->piece + 1; i < driving->drive->count; i++) {
    const lw_drive_point *point = &driving->drive->points[i];
    if (lw_navmesh_raycast(mesh, ray.at, point->at, &agent->profile->prices.filter, &ray) != LW_OK || ray.hit)
      return true;
    if (lwi_distance_xz(point->at, agent->at.point) < agent->profile->def.body.vehicle.length) continue;
    const lwi_drive_pose pose = {ray.at, (double)point->heading, (double)point->trailer_heading};
    if (!lwi_drive_body_fits(&body, &pose, 1)) return true;
  }
  return false;
}

static void check_ground(lw_world *world, lwi_agent *agent, const lw_navmesh *mesh) {
  lwi_driving *driving = &agent->route.driving;
  const uint64_t version = mesh->live.version + 1;
  if (!driving->drive || driving->checked == version) return;
  const bool is_first = driving->checked == 0; /* as it was found */
  driving->checked = version;
  if (is_first || !is_cut_off(agent, mesh)) return;
  lwi_agent_doubt_path(agent, LWI_BLOCKED);
  world->planner.any_stale = true;
}

void lwi_world_drive(lw_world *world, lwi_agent *agent, float dt) {
  lwi_motion *motion = &agent->route.motion;
  lwi_driving *driving = &agent->route.driving;
  const lw_navmesh *mesh = world->scene.meshes[agent->navmesh];
  motion->before = agent->at.point;
  motion->heading_before = agent->heading;
  motion->has_travelled = motion->is_off_path = motion->is_advancing = motion->is_crowded_out = false;
  if (agent->move == LW_MOVE_WALKING && agent->route.staleness != LWI_WAITING)
    lwi_vehicle_note_blocker(agent, NULL);
  else if (driving->blocked_by != 0 && lw_agent_id_is_none(driving->blocker)) /* it was loaded */
    lwi_vehicle_note_blocker(agent, lwi_world_agent_of_serial(world, driving->blocked_by));
  if (agent->ground.is_parked || agent->ground.is_trapped) {
    if (agent->ground.is_parked && agent->move == LW_MOVE_WALKING) agent->route.best_time = world->time;
    agent->velocity = lwi_vec3(0, 0, 0);
    driving->speed = 0;
    return;
  }
  check_ground(world, agent, mesh);
  lwi_vehicle_give_way(world, agent);
  const view_ahead view = look_ahead(world, agent);
  lwi_agent_drive(agent, mesh, fminf(view.ahead, lwi_vehicle_hold(agent)), dt);
  if (view.is_hazard && !view.blocker) agent->route.best_time = world->time; /* it moves on, or is cut out */
  if (!view.blocker) {
    const lwi_agent *before = lwi_world_agent(world, agent->route.station.behind);
    if (before) lwi_vehicle_note_blocker(agent, before);
    return;
  }
  lwi_vehicle_note_blocker(agent, view.blocker);
  if (lwi_agent_gets_on(view.blocker) || lwi_vehicle_makes_space(agent, view.blocker))
    agent->route.best_time = world->time;
}
