/* Members of a group that walk on paths of their own: they were pushed away, cut off, or too far away when it set out. Nobody
   waits for them. They come back when they see their places, and else arrive by themselves, but not before the others. */
#include "core/vec3.h"
#include "world/group_step.h"

#include <math.h>

/* A member comes back when it is so near to its place and sees it. [m] */
#define REJOIN 6.0f
#define REJOIN_REST 2.0 /* but not earlier after it left [s] */
/* A member that is not further behind the frame than this does not get ahead of it. [m] */
#define AHEAD 1.0f

/* The last one of the file. */
static const lwi_group_member *tail_of(const lwi_group *group) {
  const lwi_group_member *tail = lwi_group_leader(group);
  for (int i = 0; i < group->count; i++)
    if (group->members[i].is_formed && group->members[i].place > tail->place) tail = &group->members[i];
  return tail;
}

void lwi_group_take_back(lwi_group_step *run) {
  lwi_group *group = run->group;
  const lwi_group_frame *frame = &group->frame;
  const lwi_agent *tail = tail_of(group)->agent;
  if (frame->remaining <= LWI_GROUP_AT_END || frame->link_done > 0 || tail->link.active)
    return; /* it goes by itself */
  const lw_location to = frame->is_file ? tail->at : frame->at;
  const int navmesh = frame->is_file ? tail->navmesh : frame->navmesh;
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    if (member->is_formed || !lwi_group_is_travelling(member) || member->agent->route.staleness != LWI_FRESH)
      continue;
    const bool near = lwi_distance_xz(member->agent->at.point, to.point) < REJOIN + run->extent;
    if (near && run->world->time - member->best_time > REJOIN_REST &&
        lwi_group_sees(run->world, member->agent, to, navmesh))
      group->is_reordered |= lwi_group_rejoin(run->world, group, member) && frame->is_file;
  }
}

void lwi_group_hold_back(const lwi_group_step *run) {
  const lwi_group_frame *frame = &run->group->frame;
  for (int i = 0; i < run->group->count; i++) {
    const lwi_group_member *member = &run->group->members[i];
    if (member->is_formed || !lwi_group_is_travelling(member) || frame->remaining <= LWI_GROUP_AT_END) continue;
    lwi_agent *agent = member->agent;
    const float lag = agent->route.remaining - frame->remaining;
    agent->route.station.haste = lag > LWI_GROUP_HURRY ? LW_GROUP_CATCH_UP - 1 : 0;
    if (lag > AHEAD || agent->route.staleness == LWI_WAITING) continue;
    agent->route.station.kind = LWI_STATION_TRAIL;
    agent->route.station.speed = fmaxf(0, frame->speed + LWI_GROUP_TRAIL_GAIN * lag);
  }
}

static bool is_beside_arrived(const lwi_group *group, const lwi_agent *agent) {
  for (int i = 0; i < group->count; i++) {
    const lwi_agent *other = group->members[i].agent;
    if (!other || other == agent || other->move != LW_MOVE_ARRIVED || other->navmesh != agent->navmesh)
      continue;
    if (lwi_distance(agent->at.point, other->at.point) < LWI_GROUP_BESIDE) return true;
  }
  return false;
}

void lwi_group_settle(lw_world *world, lwi_group *group) {
  for (int i = 0; i < group->count; i++) {
    const lwi_group_member *member = &group->members[i];
    if (member->is_formed || !lwi_group_is_travelling(member) ||
        member->agent->route.motion.blocked < LWI_GROUP_BLOCKED)
      continue;
    if (is_beside_arrived(group, member->agent)) lwi_agent_arrive(world, member->agent);
  }
}

void lwi_group_finish(lwi_group *group) {
  int arrived = 0;
  lw_status failure = LW_OK;
  for (int i = 0; i < group->count; i++) {
    const lwi_agent *agent = group->members[i].agent;
    if (!agent || agent->route.station.is_away) continue;
    if (lwi_group_is_travelling(&group->members[i])) return;
    arrived += agent->move == LW_MOVE_ARRIVED;
    if (agent->move == LW_MOVE_FAILED) failure = agent->failure;
  }
  lwi_group_search_again(group);
  for (int i = 0; i < group->count; i++) group->members[i].is_formed = group->members[i].has_arrived = false;
  group->move = arrived > 0 ? LW_MOVE_ARRIVED : failure != LW_OK ? LW_MOVE_FAILED : LW_MOVE_IDLE;
  group->failure = arrived > 0 ? LW_OK : failure;
}
