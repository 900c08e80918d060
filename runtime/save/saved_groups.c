/* The groups of a world's file. Members are known by their serial numbers; the path of a group is that of its members. */
#include "save/saved.h"

/* Flags of a member, and of a group. */
enum { FORMED = 1, ARRIVED = 2, PLACED = 4, AWAY = 8, MEMBER_FLAGS = 15 };
enum { IN_FILE = 1, REORDERED = 2, GROUP_FLAGS = 3 };

#define POINTS_MAX (1u << 24) /* of a path */

/* --- writing ---------------------------------------------------------------------------------------------- */

static void put_frame(lwi_bytes *to, const lw_world *world, const lwi_group_frame *frame) {
  const float numbers[] = {frame->link_done, frame->remaining,  frame->heading,     frame->turn,
                           frame->speed,     frame->lag,        frame->wide_for,    frame->fit.shift,
                           frame->fit.scale, frame->narrow_end, frame->narrow_until};
  lwi_put_vec3(to, frame->at.point);
  lwi_put_u64(to, lwi_poly_place(world->scene.meshes[frame->navmesh], frame->at.poly));
  lwi_put_u32(to, (uint32_t)frame->navmesh);
  lwi_put_u32(to, (uint32_t)frame->next_point);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lwi_put_float(to, numbers[i]);
}

static void put_member(lwi_bytes *to, const lwi_group_member *member) {
  const lwi_agent *agent = member->agent;
  lwi_put_u64(to, agent ? agent->serial : 0);
  lwi_put_u32(to, (member->is_formed ? FORMED : 0u) | (member->has_arrived ? ARRIVED : 0u) |
                      (member->has_place ? PLACED : 0u) | (agent && agent->route.station.is_away ? AWAY : 0u));
  lwi_put_u32(to, (uint32_t)member->place);
  lwi_put_u64(to, member->lead);
  lwi_put_u32(to, member->lead_drive);
  lwi_put_float(to, member->best_lag);
  lwi_put_double(to, member->best_time);
}

static void put_group(lwi_bytes *to, const lw_world *world, const lwi_group *group) {
  const int words[] = {
      (int)group->formation,       (int)group->move,   (int)group->failure, (int)group->options.pace,
      (int)group->options.quality, group->point_count, group->count};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) lwi_put_u32(to, (uint32_t)words[i]);
  lwi_put_u32(to, (group->frame.is_file ? IN_FILE : 0u) | (group->is_reordered ? REORDERED : 0u));
  lwi_put_float(to, group->spacing);
  lwi_put_float(to, group->options.within);
  lwi_put_vec3(to, group->goal);
  for (int i = 0; i < group->point_count; i++) lwi_put_vec3(to, group->points[i]);
  put_frame(to, world, &group->frame);
  for (int i = 0; i < group->count; i++) put_member(to, &group->members[i]);
}

void lwi_saved_put_groups(lwi_bytes *to, const lw_world *world) {
  const lwi_groups *groups = &world->agents.groups;
  lwi_saved_put_ids(to, &groups->ids);
  for (uint32_t i = groups->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&groups->ids, i))
    put_group(to, world, &groups->items[i]);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static bool is_amount_or_none(float amount) {
  return lwi_saved_is_amount(amount) || amount == INFINITY;
}

static bool read_frame(lwi_reader *from, lwi_group_frame *frame) {
  frame->at.point = lwi_get_vec3(from);
  frame->at.poly = lwi_get_u64(from);
  const uint32_t navmesh = lwi_get_u32(from), next = lwi_get_u32(from);
  float n[11];
  bool good = navmesh < LW_NAVMESHES_MAX && next <= POINTS_MAX && lwi_saved_is_place(frame->at.point);
  for (int i = 0; i < 11; i++) n[i] = lwi_get_float(from);
  for (int i = 0; i < 9; i++) good &= i == 1 || fabsf(n[i]) <= 1e7f;
  frame->navmesh = good ? (int)navmesh : 0;
  frame->next_point = good ? (int)next : 0;
  frame->link_done = n[0];
  frame->remaining = n[1];
  frame->heading = n[2];
  frame->turn = n[3];
  frame->speed = n[4];
  frame->lag = n[5];
  frame->wide_for = n[6];
  frame->fit = (lwi_formation_fit){.shift = n[7], .scale = n[8]};
  frame->narrow_end = n[9];
  frame->narrow_until = n[10];
  /* What remains of the path is as for agents. Narrow ground that is near the goal may end behind it. */
  return good && n[0] >= 0 && lwi_saved_is_amount(n[1]) && fabsf(n[2]) <= 10 && n[4] >= 0 && n[8] >= 0 &&
         n[8] <= 1 && is_amount_or_none(fabsf(n[9])) && is_amount_or_none(fabsf(n[10]));
}

/* @return The number of the agent in the file, from 0; -1: there is none. */
static int find_agent(const lw_saved *saved, uint64_t serial) {
  int low = 0, high = saved->agent_count - 1;
  while (low <= high) {
    const int middle = low + (high - low) / 2;
    if (saved->agents[middle].serial == serial) return middle;
    if (saved->agents[middle].serial < serial)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

static const char *read_member(lw_saved *saved, lwi_reader *from, uint32_t slot, int index,
                               lwi_group_member *member) {
  const uint64_t serial = lwi_get_u64(from);
  const uint32_t flags = lwi_get_u32(from), place = lwi_get_u32(from);
  const uint64_t lead = lwi_get_u64(from);
  const uint32_t lead_drive = lwi_get_u32(from);
  const float best_lag = lwi_get_float(from);
  const double best_time = lwi_get_double(from);
  if (from->failed) return NULL;
  if (flags > MEMBER_FLAGS || place >= LW_GROUP_MEMBERS_MAX || !is_amount_or_none(best_lag) ||
      !(best_time >= 0 && best_time <= LWI_SAVED_TIME_MAX))
    return "a number of a member is out of range";
  *member = (lwi_group_member){.is_formed = flags & FORMED,
                               .has_arrived = flags & ARRIVED,
                               .has_place = flags & PLACED,
                               .place = (int)place,
                               .lead = lead,
                               .lead_drive = lead_drive,
                               .best_lag = best_lag,
                               .best_time = best_time};
  if (serial == 0) return NULL;
  const int number = find_agent(saved, serial);
  if (number < 0) return "a member is unknown";
  lwi_saved_membership *of = &saved->run.groups.of[number];
  if (of->group != 0) return "an agent is a member twice";
  *of = (lwi_saved_membership){slot + 1, index, flags & AWAY};
  return NULL;
}

/* @return What is wrong; "": no memory. */
static const char *read_head(lwi_reader *from, lwi_group *group, uint32_t *points, uint32_t *members) {
  const uint32_t formation = lwi_get_u32(from), move = lwi_get_u32(from), failure = lwi_get_u32(from),
                 pace = lwi_get_u32(from), quality = lwi_get_u32(from);
  *points = lwi_get_u32(from);
  *members = lwi_get_u32(from);
  const uint32_t flags = lwi_get_u32(from);
  *group = (lwi_group){.spacing = lwi_get_float(from), .options = lw_group_move_default()};
  group->options.within = lwi_get_float(from);
  group->goal = lwi_get_vec3(from);
  if (from->failed) return NULL;
  if (formation >= LW_FORMATION_COUNT || move > LW_MOVE_FAILED || failure >= LW_STATUS_COUNT ||
      pace > LW_PACE_COUNT || quality >= LW_QUALITY_COUNT || *points > LW_GROUP_MEMBERS_MAX ||
      *members > LW_GROUP_MEMBERS_MAX || flags > GROUP_FLAGS ||
      !(group->spacing >= 0 && group->spacing <= LW_PROFILE_SIZE_MAX) ||
      !(group->options.within > 0 && isfinite(group->options.within)) || !lwi_finite(group->goal))
    return "a number is out of range";
  group->formation = (lw_formation)formation;
  group->move = (lw_move_state)move;
  group->failure = (lw_status)failure;
  group->options.pace = (lw_pace)pace;
  group->options.quality = (lw_quality)quality;
  group->frame.is_file = flags & IN_FILE;
  group->is_reordered = flags & REORDERED;
  return NULL;
}

static const char *read_points(lw_saved *saved, lwi_reader *from, lwi_group *group, uint32_t count) {
  if (count == 0) return NULL;
  group->points = lwi_alloc(&saved->memory, count * sizeof *group->points);
  if (!group->points) return "";
  group->point_count = (int)count;
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    group->points[i] = lwi_get_vec3(from);
    good &=
        fabsf(group->points[i].x) <= LW_PROFILE_SIZE_MAX && fabsf(group->points[i].z) <= LW_PROFILE_SIZE_MAX;
  }
  return good ? NULL : "a place of a formation is out of range";
}

static const char *read_group(lw_saved *saved, lwi_reader *from, uint32_t slot) {
  lwi_group *group = &saved->run.groups.items[slot];
  uint32_t points, members;
  const char *wrong = read_head(from, group, &points, &members);
  if (wrong || from->failed) return wrong;
  wrong = read_points(saved, from, group, points);
  if (wrong || from->failed) return wrong;
  const bool is_file = group->frame.is_file;
  if (!read_frame(from, &group->frame)) return "a number of a frame is out of range";
  group->frame.is_file = is_file;
  if (!lwi_reserve(&saved->memory, &group->members, &group->capacity, (int)members, sizeof *group->members))
    return "";
  for (uint32_t i = 0; i < members && !wrong && !from->failed; i++) {
    group->count = (int)i + 1;
    wrong = read_member(saved, from, slot, (int)i, &group->members[i]);
  }
  return wrong;
}

const char *lwi_saved_read_groups(lw_saved *saved, lwi_reader *from) {
  lwi_saved_groups *groups = &saved->run.groups;
  const char *wrong = lwi_saved_read_ids(saved, from, &groups->ids);
  if (wrong || from->failed) return wrong;
  if (!lwi_reserve(&saved->memory, &groups->items, &groups->capacity, groups->ids.slot_count,
                   sizeof *groups->items) ||
      !lwi_reserve(&saved->memory, &groups->of, &groups->of_capacity, saved->agent_count, sizeof *groups->of))
    return "";
  for (int i = 0; i < groups->ids.slot_count; i++) groups->items[i] = (lwi_group){.count = 0};
  for (int i = 0; i < saved->agent_count; i++) groups->of[i] = (lwi_saved_membership){0, 0, false};
  groups->is_there = true;
  for (int i = 0; i < groups->ids.count && !wrong && !from->failed; i++)
    wrong = read_group(saved, from, groups->ids.order[i]);
  return wrong;
}

void lwi_saved_groups_free(lw_saved *saved) {
  lwi_saved_groups *groups = &saved->run.groups;
  for (int i = 0; groups->is_there && i < groups->ids.slot_count; i++) {
    lwi_group *group = &groups->items[i];
    lwi_free(&saved->memory, group->points, (size_t)group->point_count * sizeof *group->points);
    lwi_free(&saved->memory, group->members, (size_t)group->capacity * sizeof *group->members);
  }
  lwi_saved_free_ids(saved, &groups->ids);
  lwi_free(&saved->memory, groups->items, (size_t)groups->capacity * sizeof *groups->items);
  lwi_free(&saved->memory, groups->of, (size_t)groups->of_capacity * sizeof *groups->of);
}

/* --- giving them to a world ------------------------------------------------------------------------------- */

bool lwi_saved_restore_groups(lw_world *world, const lw_saved *saved) {
  const lwi_saved_groups *groups = &saved->run.groups;
  const lwi_groups_state state = {.states = groups->ids.states,
                                  .items = groups->items,
                                  .slot_count = groups->is_there ? groups->ids.slot_count : 0,
                                  .order = groups->ids.order,
                                  .count = groups->is_there ? groups->ids.count : 0};
  if (!lwi_world_groups_restore(world, &state)) return false;
  for (int i = 0; i < state.count; i++) {
    lwi_group_frame *frame = &world->agents.groups.items[state.order[i]].frame;
    if (frame->navmesh >= world->scene.nav_count) frame->navmesh = 0;
    const uint64_t place = lwi_saved_place(world, saved, frame->navmesh, frame->at.poly);
    const bool is_known = place != LWI_NO_PLACE;
    frame->at.poly = is_known ? lwi_poly_at_place(world->scene.meshes[frame->navmesh], place) : 0;
  }
  return true;
}

void lwi_saved_restore_member(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index,
                              bool keeps_path) {
  if (!saved->run.groups.is_there) return;
  const lwi_saved_membership *of = &saved->run.groups.of[index];
  if (of->group == 0) return;
  agent->route.station.is_away = of->is_away;
  lwi_group_restore_member(world, agent, of->group - 1, of->index, keeps_path);
}
