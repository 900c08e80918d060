/* Vehicles that come towards each other where both do not fit: one of them gives way. It stops before the narrow ground where
   it is beside the drive of the other one, or drives, mostly backwards, to a place beside that, and goes on once the other
   one has passed. */
#include "agent/driving.h"
#include "agent/walls.h"
#include "core/vec3.h"
#include "world/driving.h"
#include "world/vehicle_body.h"

#include <math.h>

/* Vehicles look for others so often, and so far along their drives. [steps, m] */
#define LOOK_STEPS 15
#define FAR 60.0f
/* Drives that are nearer to each other than the vehicles are wide meet; by this, that is. [m] */
#define MEETING 0.5f
/* They lead towards each other: the cosine between them is less. */
#define TOWARDS -0.5f
/* Narrow ground goes on where it is wider for no longer than that. [m] */
#define WIDER 4.0f
/* A drive ends on narrow ground that is no further from its end. [m] */
#define AT_END 3.0f
/* Two that are as near to it as each other, but for that. [m] */
#define AS_NEAR 1.0f
/* Where they may stand is looked for along the drive of the other one, so far and at these distances. [m] */
#define PLACES_FAR 80.0f
#define PLACES_APART 2.0f
/* If no drive leads to a place, the next one is further off by this. [m] */
#define NEXT_PLACE 6.0f
/* Beside it by this more than both need. [m] */
#define SPARE 0.2f
/* The other one has passed when its drive comes no nearer than that. [m] */
#define PASSED 1.5f
/* Another one that makes space for it is left alone at that distance. [m] */
#define SPACE 25.0f
/* Longer than that none waits for another one. [s] */
#define PATIENCE 60.0
/* One that stands where it still blocks the other one takes another place after that time. [s] */
#define BLOCKED 1.0

/* --- drives that meet --------------------------------------------------------------------------------------------- */

/* Two drives over narrow ground, in opposite directions. */
typedef struct drive_meeting {
  const lwi_agent *own, *other;
  const lw_navmesh *mesh;
  float wide;                   /* what both take beside each other [m] */
  lw_box ahead;                 /* what the other drive leads over, as seen from above */
  float begin, end;             /* of that ground, along the drive [m] */
  float other_begin, other_end; /* along the other one */
} drive_meeting;

static bool drives(const lwi_agent *agent) {
  const lwi_driving *driving = &agent->route.driving;
  return lwi_is_vehicle(agent->profile) && agent->move == LW_MOVE_WALKING && driving->drive &&
         driving->drive->count > 1 && agent->route.staleness != LWI_WAITING;
}

static lwi_vec2 course_at(const lw_drive_point *point) {
  return lwi_vec2_of((float)point->gear * cosf(point->heading), -(float)point->gear * sinf(point->heading));
}

static lw_box box_ahead(const lwi_driving *driving) {
  lw_box box = lwi_box_empty();
  for (int i = driving->piece; i < driving->drive->count; i++) {
    const lw_drive_point *point = &driving->drive->points[i];
    if (point->along - driving->along > FAR) break;
    box = lwi_box_add(box, point->at);
  }
  return box;
}

/* The point of the other drive that a point meets; -1: none. */
static int meets(const drive_meeting *of, const lw_drive_point *point) {
  const lwi_driving *driving = &of->other->route.driving;
  const float near = of->wide / 2 + MEETING;
  if (point->at.x < of->ahead.min.x - near || point->at.x > of->ahead.max.x + near ||
      point->at.z < of->ahead.min.z - near || point->at.z > of->ahead.max.z + near)
    return -1;
  const lwi_vec2 course = course_at(point);
  for (int i = driving->piece; i < driving->drive->count; i++) {
    const lw_drive_point *other = &driving->drive->points[i];
    if (other->along - driving->along > FAR) break;
    const float dx = other->at.x - point->at.x, dz = other->at.z - point->at.z;
    if (dx * dx + dz * dz < near * near && lwi_dot2(course, course_at(other)) < TOWARDS) return i;
  }
  return -1;
}

static bool is_narrow(const drive_meeting *of, const lw_drive_point *point) {
  return lwi_ground_is_narrower(of->mesh, &of->own->profile->prices.filter, point->at, course_at(point),
                                of->wide);
}

static void note_meeting(drive_meeting *of, float along, float other) {
  if (of->begin == INFINITY) of->begin = along;
  of->end = along;
  of->other_begin = fminf(of->other_begin, other);
  of->other_end = fmaxf(of->other_end, other);
}

/* @return false: they do not meet, or only where there is space for both. */
static bool find_meeting(const lw_world *world, const lwi_agent *own, const lwi_agent *other,
                         drive_meeting *of) {
  const lwi_driving *driving = &own->route.driving;
  *of = (drive_meeting){.own = own,
                        .other = other,
                        .mesh = world->scene.meshes[own->navmesh],
                        .wide = lwi_vehicle_width(own->profile) + lwi_vehicle_width(other->profile) +
                                3 * LWI_VEHICLE_PASSING,
                        .ahead = box_ahead(&other->route.driving),
                        .begin = INFINITY,
                        .other_begin = INFINITY,
                        .other_end = -INFINITY};
  for (int i = driving->piece; i < driving->drive->count; i++) {
    const lw_drive_point *point = &driving->drive->points[i];
    if (point->along - driving->along > FAR || (of->begin < INFINITY && point->along - of->end > WIDER)) break;
    const int met = meets(of, point);
    if (met < 0 || !is_narrow(of, point)) continue;
    note_meeting(of, point->along, other->route.driving.drive->points[met].along);
  }
  return of->begin < INFINITY;
}

/* --- which one gives way ------------------------------------------------------------------------------------------ */

static float nose_of(const lwi_agent *agent) {
  const lw_vehicle *vehicle = &agent->profile->def.body.vehicle;
  return (vehicle->length + vehicle->wheelbase) / 2;
}

/* Along its drive, from its nose to the narrow ground. < 0: it is on that. [m] */
static float distance_to(const lwi_agent *agent, float begin) {
  return begin - agent->route.driving.along - nose_of(agent);
}

static bool ends_on(const lwi_agent *agent, float end) {
  return lw_drive_length(agent->route.driving.drive) - end < AT_END;
}

/* Of two vehicles, the one that rather makes space for the other one. */
static bool comes_last(const lwi_agent *a, const lwi_agent *b) {
  const float p = a->profile->def.body.priority, q = b->profile->def.body.priority;
  if (p != q) return p < q;
  const bool a_tows = lwi_trailer_of(a->profile) != NULL, b_tows = lwi_trailer_of(b->profile) != NULL;
  return a_tows != b_tows ? b_tows : a->serial > b->serial;
}

/* A vehicle that ends there lets the other one out; one on that ground comes first, and of two before it the nearer one. */
static bool yields(const drive_meeting *of) {
  const float own = distance_to(of->own, of->begin), other = distance_to(of->other, of->other_begin);
  const bool own_ends = ends_on(of->own, of->end), other_ends = ends_on(of->other, of->other_end);
  if (of->own->route.driving.yielding.refused == of->other->serial) return false;
  if (of->other->route.driving.yielding.refused == of->own->serial) return true;
  if (own_ends != other_ends) return own_ends;
  if ((own < 0) != (other < 0)) return own >= 0;
  const float a = of->own->profile->def.body.priority, b = of->other->profile->def.body.priority;
  if (own >= 0 && a == b && fabsf(own - other) > AS_NEAR) return own > other;
  return comes_last(of->own, of->other);
}

/* --- where it stands ---------------------------------------------------------------------------------------------- */

/* A look for a place beside the drive of another one. */
typedef struct place_search {
  const lw_world *world;
  const lwi_agent *own, *other;
  lwi_drive_body body;
  float far; /* from where the vehicle is now, along the other drive [m] */
  lwi_drive_pose pose;
  lw_vec3 passing; /* on the other drive [m] */
} place_search;

/* The point of its drive that the other vehicle is next to. */
static int nearest_point(const lwi_driving *driving, lw_vec3 at) {
  int nearest = driving->piece;
  for (int i = driving->piece; i < driving->drive->count; i++)
    if (lwi_distance_xz(driving->drive->points[i].at, at) <
        lwi_distance_xz(driving->drive->points[nearest].at, at))
      nearest = i;
  return nearest;
}

/* Is a body beside all that the other vehicle drives over, and beside that one itself? */
static bool is_beside(const lwi_vehicle_body *body, const lwi_agent *other) {
  const lwi_driving *driving = &other->route.driving;
  const lwi_vehicle_body now = lwi_vehicle_body_now(other);
  if (lwi_vehicle_body_gap(body, &now) < LWI_VEHICLE_PASSING) return false;
  for (int i = driving->piece; i < driving->drive->count; i++) {
    const lwi_vehicle_body then = lwi_vehicle_body_on(other->profile, &driving->drive->points[i]);
    if (lwi_vehicle_body_gap(body, &then) < LWI_VEHICLE_PASSING) return false;
  }
  return true;
}

/* Others that stand, or drive somewhere else. */
typedef struct body_test {
  const place_search *of;
  const lwi_vehicle_body *body;
  bool is_free;
} body_test;

static void test_other(void *user, lwi_agent *other) {
  body_test *test = user;
  if (!test->is_free || other == test->of->other || !lwi_vehicle_minds(test->of->own, other)) return;
  const lwi_vehicle_body now = lwi_vehicle_body_now(other);
  test->is_free = lwi_vehicle_body_gap(test->body, &now) >= LWI_VEHICLE_PASSING &&
                  (!drives(other) || is_beside(test->body, other));
}

static bool is_free(const place_search *of, const lwi_drive_pose *pose) {
  const lwi_vehicle_body body =
      lwi_vehicle_body_at(of->own->profile, pose->at.point, (float)pose->heading, (float)pose->heading);
  if (!is_beside(&body, of->other)) return false;
  body_test test = {of, &body, true};
  lwi_world_visit_near(of->world, pose->at.point, FAR, test_other, &test);
  return test.is_free;
}

/* Is there space for it beside a point of the other drive? @param right  [m] @param turn  From its heading there. [rad] */
static bool fits_there(place_search *of, const lw_drive_point *point, float right, float turn) {
  const lw_navmesh *mesh = of->body.mesh;
  const lw_filter *filter = &of->own->profile->prices.filter;
  const lw_vec3 to = {point->at.x + right * sinf(point->heading), point->at.y,
                      point->at.z + right * cosf(point->heading)};
  const lw_vec3 snap = {0.5f, 1, 0.5f};
  lw_location from;
  lw_raycast ray;
  if (lw_navmesh_nearest(mesh, point->at, snap, filter, &from) != LW_OK ||
      lw_navmesh_raycast(mesh, from, to, filter, &ray) != LW_OK || ray.hit)
    return false;
  const double heading = remainder((double)(point->heading + turn), LWI_TURN);
  of->pose = (lwi_drive_pose){ray.at, heading, heading};
  of->passing = point->at;
  return lwi_drive_body_fits(&of->body, &of->pose, 1) && is_free(of, &of->pose);
}

/* Beside it and nose to its drive, or to where it comes from. */
static bool find_beside(place_search *of, const lw_drive_point *point) {
  static const float more[] = {0, 1.5f, 3};
  const float half = (float)LWI_TURN / 4, back = point->gear < 0 ? 0 : 2 * half;
  const float own = lwi_vehicle_width(of->own->profile) / 2,
              other = lwi_vehicle_width(of->other->profile) / 2 + LWI_VEHICLE_PASSING + SPARE;
  for (int i = 0; i < 3; i++)
    for (int side = -1; side <= 1; side += 2) {
      if (fits_there(of, point, (float)side * (own + other + more[i]), back)) return true;
      if (fits_there(of, point, (float)side * (nose_of(of->own) + other + more[i]), (float)side * half))
        return true;
    }
  return false;
}

/* The point of the other drive that is as far from one of its points, further on or back. @return -1: there is none. */
static int point_from(const lwi_driving *driving, int from, float far) {
  const lw_drive_point *points = driving->drive->points;
  const float along = points[from].along + far;
  int i = from;
  while (i < driving->drive->count && points[i].along < along) i += 1;
  while (i >= driving->piece && points[i].along > along) i -= 1;
  return i < driving->drive->count && i >= driving->piece ? i : -1;
}

/* The nearest place, along the other drive, that is at least `far` off. */
static bool find_place(place_search *of) {
  const lwi_driving *driving = &of->other->route.driving;
  const int from = nearest_point(driving, of->own->at.point);
  for (; of->far < PLACES_FAR; of->far += PLACES_APART) {
    const int on = point_from(driving, from, of->far), back = point_from(driving, from, -of->far);
    if (on >= 0 && find_beside(of, &driving->drive->points[on])) return true;
    if (back >= 0 && back != on && find_beside(of, &driving->drive->points[back])) return true;
  }
  return false;
}

/* The last place of its own drive before the narrow ground that is beside the other one's. @return < 0: there is none. [m] */
static float find_hold(const drive_meeting *of) {
  const lwi_driving *driving = &of->own->route.driving;
  const float from = driving->along + lwi_driving_braking(of->own);
  float hold = -1;
  for (int i = driving->piece; i < driving->drive->count; i++) {
    const lw_drive_point *point = &driving->drive->points[i];
    if (point->along > of->begin) break;
    if (point->along < from) continue;
    const lwi_vehicle_body body = lwi_vehicle_body_on(of->own->profile, point);
    if (is_beside(&body, of->other)) hold = point->along;
  }
  return hold;
}

/* --- yielding ----------------------------------------------------------------------------------------------------- */

lw_vec3 lwi_agent_destination(const lwi_agent *agent) {
  const lwi_yielding *yielding = &agent->route.driving.yielding;
  const bool is_elsewhere = yielding->kind == LWI_YIELD_MOVES || yielding->kind == LWI_YIELD_JOINS;
  return is_elsewhere ? yielding->place : agent->route.goal;
}

const lwi_agent *lwi_vehicle_blocker(const lw_world *world, const lwi_agent *agent) {
  const lwi_driving *driving = &agent->route.driving;
  if (driving->blocked_by == 0) return NULL;
  const lwi_agent *other = lwi_world_agent(world, driving->blocker);
  return other ? other : lwi_world_agent_of_serial(world, driving->blocked_by); /* it was loaded */
}

static lwi_agent *other_of(const lw_world *world, const lwi_agent *agent) {
  return lwi_world_agent_of_serial(world, agent->route.driving.yielding.to);
}

/* Wait for a drive past those that stand near the other one. @return false: no memory. */
static bool search_past(lw_world *world, lwi_agent *agent, const lwi_agent *other) {
  if (!lwi_planner_let_wait(world, agent, true)) return false;
  agent->route.driving.is_blocked = true;
  agent->route.driving.blocked_at = other->at.point;
  lwi_vehicle_note_blocker(agent, other);
  return true;
}

/* Set out for a place beside the drive of the other one. @return false: there is none. */
static bool move_aside(lw_world *world, lwi_agent *agent, const lwi_agent *other) {
  lwi_yielding *yielding = &agent->route.driving.yielding;
  const lw_navmesh *mesh = world->scene.meshes[agent->navmesh];
  place_search of = {.world = world,
                     .own = agent,
                     .other = other,
                     .body = lwi_drive_body_of(mesh, agent->profile, &agent->profile->prices),
                     .far = yielding->tried > 0 ? yielding->far + NEXT_PLACE : 0};
  if (yielding->tried >= LWI_YIELD_TRIES || !drives(other) || !find_place(&of)) return false;
  yielding->kind = LWI_YIELD_MOVES;
  yielding->far = of.far;
  yielding->to = other->serial;
  yielding->place = of.pose.at.point;
  yielding->heading = (float)of.pose.heading;
  yielding->passing = of.passing;
  yielding->until = world->time + PATIENCE;
  return search_past(world, agent, other);
}

static void hold_before(lwi_agent *agent, const lwi_agent *other, float hold, double until) {
  const lwi_driving *driving = &other->route.driving;
  lwi_yielding *yielding = &agent->route.driving.yielding;
  const lw_drive *drive = agent->route.driving.drive;
  int i = agent->route.driving.piece;
  while (i + 1 < drive->count && drive->points[i].along < hold) i += 1;
  yielding->kind = LWI_YIELD_HOLDS;
  yielding->to = other->serial;
  yielding->hold = hold;
  yielding->passing = driving->drive->points[nearest_point(driving, drive->points[i].at)].at;
  yielding->until = until;
}

/* It goes on to its goal, by a drive that is found now where it has left its own. */
static void end_yielding(lw_world *world, lwi_agent *agent) {
  lwi_yielding *yielding = &agent->route.driving.yielding;
  const bool has_left = yielding->kind == LWI_YIELD_MOVES || yielding->kind == LWI_YIELD_WAITS;
  yielding->kind = LWI_YIELD_NONE;
  yielding->tried = 0;
  agent->route.best_time = world->time;
  if (has_left && !lwi_planner_let_wait(world, agent, true)) lwi_agent_give_up(world, agent, LW_OUT_OF_MEMORY);
}

static bool has_passed(const lwi_agent *other, lw_vec3 at) {
  const lwi_driving *driving = &other->route.driving;
  if (!drives(other)) return other->move != LW_MOVE_WALKING;
  for (int i = driving->piece; i < driving->drive->count; i++)
    if (lwi_distance_xz(driving->drive->points[i].at, at) < PASSED) return false;
  return lwi_distance_xz(other->at.point, at) > lwi_vehicle_reach(other->profile);
}

/* It stands where the other one does not get past it, or is not past it in time. */
static void take_another_place(lw_world *world, lwi_agent *agent, const lwi_agent *other) {
  lwi_yielding *yielding = &agent->route.driving.yielding;
  yielding->tried += 1;
  if (world->time < yielding->until && move_aside(world, agent, other)) return;
  yielding->refused = other->serial;
  end_yielding(world, agent);
}

static bool is_over(const lwi_agent *agent, const lwi_agent *other) {
  const lwi_yielding *yielding = &agent->route.driving.yielding;
  if (!other || !lwi_vehicle_minds(agent, other) || other->move != LW_MOVE_WALKING) return true;
  if (yielding->kind == LWI_YIELD_MOVES) return false;
  if (yielding->kind == LWI_YIELD_PASSES)
    return drives(agent) && nearest_point(&agent->route.driving, other->at.point) <= agent->route.driving.piece;
  return has_passed(other, yielding->passing);
}

static void wait_for_other(lw_world *world, lwi_agent *agent) {
  const lwi_yielding *yielding = &agent->route.driving.yielding;
  const lwi_agent *other = other_of(world, agent);
  if (yielding->kind == LWI_YIELD_JOINS) return;
  if (is_over(agent, other)) {
    end_yielding(world, agent);
    return;
  }
  if (yielding->kind != LWI_YIELD_HOLDS && yielding->kind != LWI_YIELD_WAITS) return;
  const bool is_in_its_path =
      other->route.driving.blocked_by == agent->serial && world->time - other->route.best_time > BLOCKED;
  agent->route.best_time = world->time;
  lwi_vehicle_note_blocker(agent, other);
  if (is_in_its_path || world->time >= yielding->until) take_another_place(world, agent, other);
}

typedef struct meeting_search {
  const lw_world *world;
  lwi_agent *own;
  drive_meeting first;
} meeting_search;

static void look_at(void *user, lwi_agent *other) {
  meeting_search *search = user;
  const lwi_yielding *yielding = &other->route.driving.yielding;
  drive_meeting of;
  if (!drives(other) || !lwi_vehicle_minds(search->own, other)) return;
  if (yielding->kind != LWI_YIELD_NONE && yielding->to == search->own->serial) return;
  if (!find_meeting(search->world, search->own, other, &of) || !yields(&of)) return;
  const drive_meeting *first = &search->first;
  if (of.begin < first->begin || (of.begin == first->begin && other->serial < first->other->serial))
    search->first = of;
}

static void look_for_others(lw_world *world, lwi_agent *agent) {
  meeting_search search = {.world = world, .own = agent, .first = {.begin = INFINITY}};
  if (agent->profile->def.body.avoidance == LW_AVOID_NONE) return;
  lwi_world_visit_near(world, agent->at.point, 2 * FAR, look_at, &search);
  const lwi_agent *other = search.first.other;
  if (!other) return;
  const float hold = distance_to(agent, search.first.begin) < 0 ? -1 : find_hold(&search.first);
  if (hold >= 0)
    hold_before(agent, other, hold, world->time + PATIENCE);
  else if (!move_aside(world, agent, other))
    agent->route.driving.yielding.refused = other->serial;
}

void lwi_vehicle_give_way(lw_world *world, lwi_agent *agent) {
  if (agent->move != LW_MOVE_WALKING) return;
  if (agent->route.driving.yielding.kind != LWI_YIELD_NONE) wait_for_other(world, agent);
  const bool is_due = (world->steps + agent->serial) % LOOK_STEPS == 0;
  if (is_due && agent->route.driving.yielding.kind == LWI_YIELD_NONE && drives(agent) &&
      world->agents.crowd.vehicle_count > 1)
    look_for_others(world, agent);
}

const lwi_agent *lwi_vehicle_lets_pass(const lw_world *world, const lwi_agent *agent) {
  const lwi_yielding *yielding = &agent->route.driving.yielding;
  const bool lets_pass = agent->move == LW_MOVE_WALKING && yielding->kind != LWI_YIELD_NONE &&
                         yielding->kind != LWI_YIELD_PASSES && yielding->kind != LWI_YIELD_JOINS;
  return lets_pass ? other_of(world, agent) : NULL;
}

float lwi_vehicle_hold(const lwi_agent *agent) {
  const lwi_driving *driving = &agent->route.driving;
  if (driving->yielding.kind == LWI_YIELD_WAITS) return 0;
  return driving->yielding.kind == LWI_YIELD_HOLDS ? fmaxf(0, driving->yielding.hold - driving->along)
                                                   : INFINITY;
}

bool lwi_vehicle_makes_space(const lwi_agent *agent, const lwi_agent *other) {
  const lwi_yielding *yielding = &other->route.driving.yielding;
  return lwi_is_vehicle(other->profile) && other->move == LW_MOVE_WALKING &&
         (yielding->kind == LWI_YIELD_MOVES || yielding->kind == LWI_YIELD_PASSES) &&
         yielding->to == agent->serial && lwi_distance_xz(agent->at.point, other->at.point) < SPACE;
}

/* --- where neither gets on ---------------------------------------------------------------------------------------- */

/* Longer queues are taken to get on. */
#define QUEUE_MAX 32

/* The vehicle on its journey that blocks one. */
static const lwi_agent *blocking_vehicle(const lw_world *world, const lwi_agent *agent) {
  const lwi_agent *other = lwi_vehicle_blocker(world, agent);
  return other && lwi_is_vehicle(other->profile) && other->move == LW_MOVE_WALKING ? other : NULL;
}

static bool has_refused(const lwi_agent *agent) {
  return agent->route.driving.yielding.refused != 0;
}

/* Of a circle of vehicles, the one that makes space is the first of those that have not tried. */
static bool makes_space_before(const lwi_agent *a, const lwi_agent *b) {
  return has_refused(a) != has_refused(b) ? has_refused(b) : comes_last(a, b);
}

/* Each waits for the next: in a queue those before it get on, or give up, and of a circle one makes space. */
bool lwi_vehicle_is_let_pass(const lw_world *world, const lwi_agent *agent) {
  const lwi_agent *at = lwi_is_vehicle(agent->profile) ? blocking_vehicle(world, agent) : NULL;
  bool is_first = true, all_refused = has_refused(agent);
  for (int i = 0; at && i < QUEUE_MAX; i++) {
    if (at == agent) return !is_first && !all_refused;
    is_first &= makes_space_before(agent, at);
    all_refused &= has_refused(at);
    const lwi_agent *next = blocking_vehicle(world, at);
    if (!next) return true;
    at = next;
  }
  return at != NULL;
}

void lwi_vehicle_note_detour(lw_world *world, lwi_agent *agent) {
  const lwi_agent *other = lwi_is_vehicle(agent->profile) ? blocking_vehicle(world, agent) : NULL;
  lwi_yielding *yielding = &agent->route.driving.yielding;
  if (!other || yielding->kind != LWI_YIELD_NONE) return;
  yielding->kind = LWI_YIELD_PASSES;
  yielding->to = other->serial;
  yielding->until = world->time + PATIENCE;
}

bool lwi_vehicle_gives_way_elsewhere(lw_world *world, lwi_agent *agent, lw_status status) {
  lwi_yielding *yielding = &agent->route.driving.yielding;
  if (!lwi_is_vehicle(agent->profile) || status == LW_OUT_OF_MEMORY || agent->move != LW_MOVE_WALKING)
    return false;
  if (yielding->kind == LWI_YIELD_JOINS) { /* it drives to the goal by itself */
    yielding->kind = LWI_YIELD_NONE;
    yielding->refused = yielding->to;
    return lwi_planner_let_wait(world, agent, true);
  }
  if (yielding->kind != LWI_YIELD_MOVES) {
    const lwi_agent *other = status == LW_STUCK ? blocking_vehicle(world, agent) : NULL;
    if (!other || yielding->refused == other->serial || !drives(other)) return false;
    if (move_aside(world, agent, other)) return true;
    yielding->refused = other->serial;
    return false;
  }
  const lwi_agent *other = other_of(world, agent);
  yielding->tried += 1;
  if (other && move_aside(world, agent, other)) return true;
  yielding->kind = LWI_YIELD_NONE;
  yielding->tried = 0;
  yielding->refused = yielding->to;
  return other && search_past(world, agent, other);
}
