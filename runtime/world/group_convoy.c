/* Groups of vehicles: convoys. The member at the head drives to the goal. Each other one drives to where that one was when it set
   out, goes on along its drive, and keeps the distance that it takes to brake behind the member before it. */
#include "agent/driving.h"
#include "agent/steering.h"
#include "core/vec3.h"
#include "search/trailer.h"
#include "world/driving.h"
#include "world/group_step.h"
#include "world/vehicle_body.h"

#include <math.h>

/* Two drives run into each other where they are no further apart, and turned by no more. [m, rad] */
#define JOINT 0.5f
#define JOINT_TURN 0.3f
/* Between the ends of two vehicles at least: they stop up to that far before each other. [m] */
#define BETWEEN 2.0f
/* A member has arrived so near to its place. [m] */
#define AT_PLACE 1.0f
/* Of its deceleration, as vehicles brake. */
#define BRAKING 0.9f
/* A member that comes no nearer for so long is not waited for. [m, s] */
#define NEARER 0.25f
/* It waits for the one before it when it may go no further. [m] */
#define HELD_UP 0.1f
#define PATIENCE 4.0

bool lwi_group_is_convoy(const lwi_group *group) {
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent) return lwi_is_vehicle(group->members[i].agent->profile);
  return false;
}

/* --- lengths ------------------------------------------------------------------------------------------------------ */

static float overhang_of(const lwi_agent *agent) {
  const lw_vehicle *vehicle = &agent->profile->def.body.vehicle;
  return (vehicle->length - vehicle->wheelbase) / 2;
}

/* From the middle of its rear axle back to its end, and on to its nose. [m] */
static float tail_of(const lwi_agent *agent) {
  const lw_trailer *trailer = lwi_trailer_of(agent->profile);
  return trailer ? lwi_trailer_reach(trailer) : overhang_of(agent);
}
static float nose_of(const lwi_agent *agent) {
  return agent->profile->def.body.vehicle.length - overhang_of(agent);
}

/* From the one before to it, where both stand. A member that has arrived may have driven
   there in either direction. [m] */
static float apart(const lwi_group *group, const lwi_agent *before, const lwi_agent *agent) {
  const lwi_driving *driving = &agent->route.driving;
  const float asked = group->spacing > 0 ? lwi_group_spacing(group) : 0;
  float forwards = tail_of(before) + nose_of(agent), backwards = nose_of(before) + tail_of(agent);
  if (driving->drive && driving->piece < driving->drive->count) {
    const bool is_backing = driving->drive->points[driving->piece].gear < 0;
    forwards = backwards = is_backing ? backwards : forwards;
  }
  return fmaxf(asked, fmaxf(forwards, backwards) + BETWEEN);
}

static float deceleration_of(const lwi_agent *agent) {
  return BRAKING * lwi_body_limit(agent->profile->def.body.deceleration);
}

/* --- one drive after another -------------------------------------------------------------------------------------- */

/* Where a pose lies on a drive. @param piece  To begin at. @return Its piece; -1: beside it. @param[out] along  [m] */
static int find_on(const lw_drive *drive, int piece, lw_vec3 at, float heading, float *along) {
  for (int i = piece; i + 1 < drive->count; i++) {
    const lw_drive_point *point = &drive->points[i];
    const float part = fminf(1, fmaxf(0, lwi_part_along_xz(point->at, point[1].at, at)));
    const lw_vec3 foot = lwi_lerp(point->at, point[1].at, part);
    if (lwi_distance_xz(foot, at) > JOINT ||
        fabsf(lwi_angle_between(heading, point->heading)) > JOINT_TURN + fabsf(point->curvature))
      continue;
    if (part >= 1 && i + 2 < drive->count) continue; /* on the next one */
    *along = point->along + part * (point[1].along - point->along);
    return i;
  }
  return -1;
}

/* The heading of a trailer that is towed along the rest of a drive. */
static void lay_trailer(const lwi_agent *agent, lw_drive *drive, int from) {
  const lw_trailer *trailer = lwi_trailer_of(agent->profile);
  for (int i = from; i < drive->count; i++) {
    lw_drive_point *point = &drive->points[i], *before = &drive->points[i > 0 ? i - 1 : 0];
    const lwi_curve_pose to = {(double)point->at.x, (double)point->at.z, (double)point->heading};
    const lwi_curve_pose start = {(double)before->at.x, (double)before->at.z, (double)before->heading};
    point->trailer_heading =
        trailer ? (float)lwi_trailer_follow(trailer, (double)before->trailer_heading, start, to)
                : point->heading;
  }
}

/* Let the drive of a member lead on along that of the leader. @return Whether they meet. */
static bool splice(lwi_agent *agent, const lwi_agent *leader) {
  lwi_driving *driving = &agent->route.driving;
  lw_drive *own = driving->drive;
  const lw_drive *lead = leader->route.driving.drive;
  const lw_drive_point *end = &own->points[own->count - 1];
  float from, cut;
  int piece = find_on(lead, 0, end->at, end->heading, &from);
  if (piece < 0) { /* the leader has found another drive: that begins where it is */
    if (find_on(own, driving->piece, leader->at.point, leader->heading, &cut) < 0 || cut < driving->along)
      return false;
    lwi_drive_cut(own, cut);
    piece = leader->route.driving.piece;
    from = leader->route.driving.along;
  }
  const int count = own->count;
  if (!lwi_drive_append_from(own, lead, piece, from)) return false;
  lay_trailer(agent, own, count);
  return true;
}

/* --- members ------------------------------------------------------------------------------------------------------ */

static bool is_driving(const lwi_agent *agent) {
  return agent->route.driving.drive && agent->route.driving.drive->count > 1 &&
         agent->route.staleness != LWI_WAITING;
}

/* It drives elsewhere for a while, to let another one pass. */
static bool is_aside(const lwi_agent *agent) {
  const lwi_yield_kind kind = agent->route.driving.yielding.kind;
  return kind == LWI_YIELD_MOVES || kind == LWI_YIELD_WAITS;
}

static bool has_place(const lwi_group_member *member) {
  return lwi_group_is_travelling(member) ||
         (member->has_arrived && member->agent && !member->agent->removal.pending &&
          member->agent->move == LW_MOVE_ARRIVED && !member->agent->route.station.is_away);
}

/* Drive to where the leader is. @return false: no memory. */
static bool join(lw_world *world, lwi_agent *agent, const lwi_agent *leader) {
  lwi_yielding *yielding = &agent->route.driving.yielding;
  yielding->kind = LWI_YIELD_JOINS;
  yielding->to = leader->serial;
  yielding->place = leader->at.point;
  yielding->heading = leader->heading;
  return lwi_planner_let_wait(world, agent, true);
}

static void note_formed(lwi_group_member *member, const lwi_agent *leader) {
  lwi_yielding *yielding = &member->agent->route.driving.yielding;
  if (yielding->kind == LWI_YIELD_JOINS) yielding->kind = LWI_YIELD_NONE;
  member->is_formed = true;
  member->version = member->agent->route.version;
  member->lead = leader->serial;
  member->lead_drive = leader->route.driving.number;
}

/* Does it drive along the leader's drive, as that is now? One to which no drive led there drives to the goal by itself. */
static bool follow_leader(lw_world *world, lwi_group_member *member, const lwi_agent *leader) {
  lwi_agent *agent = member->agent;
  const bool is_alone = agent->route.driving.yielding.refused == leader->serial;
  if (!is_driving(agent) || !is_driving(leader) || is_aside(leader) || is_aside(agent))
    return lwi_group_follows(member) && is_driving(agent);
  if (lwi_group_follows(member) && member->lead == leader->serial &&
      member->lead_drive == leader->route.driving.number)
    return true;
  if (is_alone || splice(agent, leader)) {
    note_formed(member, leader);
    return true;
  }
  member->is_formed = false;
  if (agent->route.driving.yielding.kind == LWI_YIELD_NONE && agent->route.driving.speed == 0 &&
      !join(world, agent, leader))
    lwi_agent_give_up(world, agent, LW_OUT_OF_MEMORY);
  return false;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

/* What a convoy is in a step. */
typedef struct convoy_step {
  lw_world *world;
  lwi_group *group;
  int order[LW_GROUP_MEMBERS_MAX], count; /* members, from the head on */
  lwi_group_member *leader;
  float speed; /* of the slowest [m/s] */
  float lag;   /* of the member that is furthest behind its place [m] */
} convoy_step;

static void begin(convoy_step *run) {
  run->speed = INFINITY;
  run->count = lwi_convoy_order(run->group, run->order);
  for (int i = 0; i < run->count; i++) {
    lwi_group_member *member = &run->group->members[run->order[i]];
    member->has_arrived = member->agent->move == LW_MOVE_ARRIVED;
    member->has_place = has_place(member);
    member->is_formed = lwi_group_follows(member);
    if (member->agent->route.station.is_away) continue;
    member->agent->route.station.kind = LWI_STATION_NONE;
    member->agent->route.station.haste = 0;
    member->agent->route.station.behind = lw_agent_id_none();
    if (!member->has_place) continue;
    if (!run->leader) run->leader = member;
    if (lwi_group_is_travelling(member))
      run->speed =
          fminf(run->speed, lwi_agent_speed(member->agent, run->world->scene.meshes[member->agent->navmesh]));
  }
}

/* Is it nearer to its place than before, or was a moment ago? */
static bool gets_nearer(const convoy_step *run, lwi_group_member *member, float lag) {
  if (lag <= 0 || lag < member->best_lag - NEARER) {
    member->best_lag = lag <= 0 ? INFINITY : lag;
    member->best_time = run->world->time;
  }
  return run->world->time - member->best_time < PATIENCE;
}

/* @param back  Of its place, from the goal. @param before  What is left to the one before it; NULL: that has arrived. [m] */
static void send(convoy_step *run, lwi_group_member *member, const lwi_agent *before, float distance,
                 float back) {
  lwi_agent *agent = member->agent;
  lwi_station *station = &agent->route.station;
  const lwi_driving *driving = &before->route.driving;
  const float left = lwi_driving_remaining(agent);
  const float to_before = left - lwi_driving_remaining(before);
  float free = left - back;
  if (before->move == LW_MOVE_WALKING && to_before > 0) free = fminf(free, to_before - distance);
  if (free < HELD_UP) station->behind = before->id;
  const float lag = free - driving->speed * driving->speed / (2 * deceleration_of(agent));
  station->kind = LWI_STATION_TRAIL;
  station->speed = sqrtf(2 * deceleration_of(agent) * fmaxf(0, free));
  station->haste = lag > LWI_GROUP_HURRY ? LW_GROUP_CATCH_UP - 1 : 0;
  if (gets_nearer(run, member, lag)) run->lag = fmaxf(run->lag, lag);
  if (before->move == LW_MOVE_WALKING || agent->route.driving.speed != 0 || left - back > AT_PLACE) return;
  member->has_arrived = true;
  lwi_agent_arrive(run->world, agent);
}

/* Until it is behind the leader it drives there, or stands. */
static void send_to_leader(lwi_agent *agent) {
  lwi_station *station = &agent->route.station;
  const bool is_held = agent->route.driving.yielding.kind == LWI_YIELD_NONE;
  station->kind = LWI_STATION_TRAIL;
  station->speed = is_held ? 0 : INFINITY;
}

static void send_followers(convoy_step *run) {
  const lwi_agent *leader = run->leader->agent, *before = leader;
  float back = 0;
  for (int i = 0; i < run->count; i++) {
    lwi_group_member *member = &run->group->members[run->order[i]];
    if (!member->has_place || member == run->leader) continue;
    const float distance = apart(run->group, before, member->agent);
    back += distance;
    if (lwi_group_is_travelling(member)) {
      if (leader->move == LW_MOVE_WALKING ? follow_leader(run->world, member, leader)
                                          : is_driving(member->agent))
        send(run, member, before, distance, back);
      else if (lwi_group_is_travelling(member))
        send_to_leader(member->agent);
    }
    before = member->agent;
  }
}

/* As fast as the slowest, and slower while one of them is behind. */
static void send_leader(const convoy_step *run) {
  lwi_group_member *member = run->leader;
  lwi_agent *agent = member->agent;
  lwi_group_frame *frame = &run->group->frame;
  frame->at = agent->at;
  frame->navmesh = agent->navmesh;
  frame->heading = agent->heading;
  frame->is_file = true;
  frame->lag = run->lag;
  frame->speed = fabsf(agent->route.driving.speed);
  member->has_arrived = agent->move == LW_MOVE_ARRIVED;
  if (member->has_arrived) return;
  frame->remaining = agent->route.staleness == LWI_WAITING ? lwi_distance_xz(agent->at.point, run->group->goal)
                                                           : lwi_driving_remaining(agent);
  member->is_formed = true;
  member->version = agent->route.version;
  const float waits = fminf(1, fmaxf(0, (LW_GROUP_LAG - run->lag) / (LW_GROUP_LAG / 2)));
  agent->route.station.kind = LWI_STATION_LEADS;
  agent->route.station.speed = run->speed * waits;
}

void lwi_group_step_convoy(lw_world *world, lwi_group *group) {
  convoy_step run = {.world = world, .group = group};
  begin(&run);
  if (run.leader) {
    send_followers(&run);
    send_leader(&run);
  }
  lwi_group_finish(group);
}

/* --- setting out -------------------------------------------------------------------------------------------------- */

static const lwi_agent *nearest_other(const lwi_group *group, const lwi_agent *agent) {
  const lwi_agent *nearest = NULL;
  for (int i = 0; i < group->count; i++) {
    const lwi_agent *other = group->members[i].agent;
    if (!lwi_vehicle_minds(agent, other)) continue;
    if (!nearest ||
        lwi_distance(other->at.point, agent->at.point) < lwi_distance(nearest->at.point, agent->at.point))
      nearest = other;
  }
  return nearest;
}

lw_status lwi_group_set_out_convoy(lw_world *world, lwi_group *group) {
  const lw_move_options options = lwi_group_options(group);
  lwi_agent *leader = lwi_convoy_line_up(world, group);
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    *member = (lwi_group_member){
        .agent = member->agent, .place = member->place, .best_lag = INFINITY, .best_time = world->time};
    if (member->agent->removal.pending) continue;
    if (!lwi_agent_begin_journey(world, member->agent, group->goal, &options)) return LW_OUT_OF_MEMORY;
  }
  lwi_vehicle_note_blocker(leader,
                           nearest_other(group, leader)); /* its drive leads past those that stand there */
  const lw_status status = lwi_agent_walk_alone(world, leader);
  if (status != LW_OK) return status;
  group->frame = (lwi_group_frame){.at = leader->at, .navmesh = leader->navmesh, .fit = {.scale = 1}};
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    member->is_formed = member->agent == leader;
    member->version = member->agent->route.version;
    if (!member->is_formed && !member->agent->removal.pending && !join(world, member->agent, leader))
      return LW_OUT_OF_MEMORY;
  }
  return LW_OK;
}

const lw_profile *lwi_agent_driven_profile(const lw_world *world, const lwi_agent *agent) {
  const lwi_station *station = &agent->route.station;
  const bool is_alone = station->group == 0 || station->is_away || !lwi_is_vehicle(agent->profile);
  if (is_alone || agent->route.journey.profile) return lwi_agent_payer(agent);
  lwi_group *group = &world->agents.groups.items[station->group - 1];
  return group->move == LW_MOVE_WALKING ? lwi_group_profile(world, group) : agent->profile;
}
