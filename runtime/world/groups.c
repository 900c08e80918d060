/* Groups: their members, and what they are ordered. How they travel is in group_path.c and group_step.c. */
#include "core/hash.h"
#include "core/status.h"
#include "cost/profile.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Of the largest radius, what is kept from centre to centre at least, and if nothing else is asked for. */
#define SPACING_MIN 2.5f
#define SPACING_DEFAULT 3.0f

const char *lw_formation_name(lw_formation formation) {
  static const char *const names[] = {"line", "column", "wedge", "file", "points"};
  return (unsigned)formation < LW_FORMATION_COUNT ? names[formation] : NULL;
}

lw_group_def lw_group_def_default(void) {
  return (lw_group_def){.formation = LW_FORMATION_LINE, .cookie = LWI_COOKIE};
}

lw_group_move lw_group_move_default(void) {
  return (lw_group_move){.within = 0.3f, .pace = LW_PACE_COUNT, .cookie = LWI_COOKIE};
}

static lwi_group *find_group(const lw_world *world, lw_group_id id) {
  const uint32_t slot = LWI_FIND(&world->agents.groups.ids, id);
  return slot == LWI_NO_SLOT ? NULL : &world->agents.groups.items[slot];
}

static lwi_group *group_of(const lw_world *world, const lwi_agent *agent) {
  const uint32_t group = agent->route.station.group;
  return group == 0 ? NULL : &world->agents.groups.items[group - 1];
}

static lw_group_id id_of(const lw_world *world, uint32_t slot) {
  return (lw_group_id)LWI_ID(&world->agents.groups.ids, slot);
}

/* --- what members have in common -------------------------------------------------------------------------- */

void lwi_group_search_again(lwi_group *group) {
  for (int i = 0; i < group->count; i++) {
    lwi_agent *agent = group->members[i].agent;
    if (agent && lwi_is_vehicle(agent->profile)) agent->route.version += agent->route.staleness == LWI_WAITING;
  }
}

static void forget_profile(lwi_group *group) {
  if (group->combined) lwi_group_search_again(group);
  lw_profile_destroy(group->combined);
  group->combined = NULL;
}

/* The one that all have. @return NULL: they differ. */
static const lw_profile *common_profile(const lwi_group *group) {
  const lw_profile *common = NULL;
  for (int i = 0; i < group->count; i++) {
    const lwi_agent *agent = group->members[i].agent;
    if (!agent) continue;
    if (common && agent->profile != common) return NULL;
    common = agent->profile;
  }
  return common;
}

static lw_profile *combine(const lw_world *world, const lwi_group *group) {
  const lw_profile *profiles[LW_GROUP_MEMBERS_MAX];
  int count = 0;
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent) profiles[count++] = group->members[i].agent->profile;
  lw_profile_def def;
  lw_profile *combined;
  if (lw_profile_combine(profiles, count, &def, NULL) != LW_OK) return NULL;
  def.allocator = &world->memory.allocator;
  return lw_profile_create(&def, world->scene.meshes[0]->areas, &combined, NULL) == LW_OK ? combined : NULL;
}

const lw_profile *lwi_group_profile(const lw_world *world, lwi_group *group) {
  const lw_profile *common = common_profile(group);
  if (common) return common;
  if (!group->combined) group->combined = combine(world, group);
  if (group->combined) return group->combined;
  for (int i = 0; i < group->count; i++) /* no memory */
    if (group->members[i].agent) return group->members[i].agent->profile;
  return NULL;
}

void lwi_group_note_profile(lw_world *world, const lwi_agent *agent) {
  lwi_group *group = group_of(world, agent);
  if (!group) return;
  lwi_group_search_again(group);
  forget_profile(group);
}

float lwi_group_spacing(const lwi_group *group) {
  float radius = 0;
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent) radius = fmaxf(radius, group->members[i].agent->profile->def.radius);
  const float asked = group->spacing > 0 ? group->spacing : SPACING_DEFAULT * radius;
  return fmaxf(asked, SPACING_MIN * radius);
}

static lwi_group_member *head_of_convoy(const lwi_group *group) {
  int order[LW_GROUP_MEMBERS_MAX];
  const int count = lwi_convoy_order(group, order);
  for (int i = 0; i < count; i++)
    if (group->members[order[i]].is_formed) return &group->members[order[i]];
  return NULL;
}

lwi_group_member *lwi_group_leader(const lwi_group *group) {
  if (lwi_group_is_convoy(group)) return head_of_convoy(group);
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent && group->members[i].is_formed) return &group->members[i];
  return NULL;
}

/* --- members ---------------------------------------------------------------------------------------------- */

static int index_of(const lwi_group *group, const lwi_agent *agent) {
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent == agent) return i;
  return -1;
}

void lwi_agent_leave_formation(lwi_agent *agent) {
  lwi_station *station = &agent->route.station;
  *station = (lwi_station){.group = station->group, .is_away = station->group != 0};
}

void lwi_agent_leave_group(lw_world *world, lwi_agent *agent) {
  lwi_group *group = group_of(world, agent);
  agent->route.station = (lwi_station){0};
  if (!group) return;
  const int index = index_of(group, agent);
  if (index < 0) return;
  group->is_reordered = true;
  lwi_group_search_again(group);
  forget_profile(group);
  group->members[index] = (lwi_group_member){.agent = NULL};
  if (index_of(group, NULL) != index) return; /* those of a file are known by their indices */
  for (int i = index + 1; i < group->count; i++)
    if (!group->members[i].agent) return;
  group->count -= 1;
  memmove(&group->members[index], &group->members[index + 1],
          (size_t)(group->count - index) * sizeof *group->members);
}

/* There is space. */
static void join(lw_world *world, lwi_group *group, uint32_t slot, lwi_agent *agent) {
  lwi_agent_leave_group(world, agent);
  const int place = lwi_is_vehicle(agent->profile) ? lwi_convoy_next_place(group) : 0;
  group->members[group->count++] = (lwi_group_member){.agent = agent, .place = place, .best_lag = INFINITY};
  agent->route.station = (lwi_station){.group = slot + 1};
  group->is_reordered = true;
  lwi_group_search_again(group);
  forget_profile(group);
}

/* It walks with the group, and stops. */
static void halt_member(lw_world *world, const lwi_group *group, lwi_agent *agent) {
  const bool travels =
      group->move == LW_MOVE_WALKING && agent->move == LW_MOVE_WALKING && !agent->route.station.is_away;
  if (travels) lwi_agent_stop_walk(world, agent);
}

static void halt_all(lw_world *world, lwi_group *group) {
  for (int i = 0; i < group->count; i++) {
    if (group->members[i].agent) halt_member(world, group, group->members[i].agent);
    group->members[i].is_formed = false;
  }
}

/* --- creating --------------------------------------------------------------------------------------------- */

static lw_status check_points(lw_formation formation, float spacing, const lw_vec3 *points, int count,
                              lw_error *error) {
  if ((unsigned)formation >= LW_FORMATION_COUNT)
    return lwi_fail(error, LW_INVALID, "formation is %d, expected 0 to %d", (int)formation,
                    LW_FORMATION_COUNT - 1);
  if (!(spacing >= 0 && spacing <= LW_PROFILE_SIZE_MAX))
    return lwi_fail(error, LW_INVALID, "spacing is %g, expected 0 to %g", (double)spacing,
                    (double)LW_PROFILE_SIZE_MAX);
  const bool needs = formation == LW_FORMATION_POINTS;
  if (count < (needs ? 1 : 0) || count > (needs ? LW_GROUP_MEMBERS_MAX : 0))
    return lwi_fail(error, LW_INVALID, "point_count is %d, expected %s for the formation '%s'", count,
                    needs ? "1 to 64" : "0", lw_formation_name(formation));
  if (count > 0 && !points) return lwi_fail_null(error, "points");
  for (int i = 0; i < count; i++)
    if (!(fabsf(points[i].x) <= LW_PROFILE_SIZE_MAX && fabsf(points[i].z) <= LW_PROFILE_SIZE_MAX))
      return lwi_fail(error, LW_INVALID, "point %d is (%g, %g, %g), expected x and z within +-%g", i + 1,
                      (double)points[i].x, (double)points[i].y, (double)points[i].z,
                      (double)LW_PROFILE_SIZE_MAX);
  return LW_OK;
}

static lw_status check_agents(const lw_world *world, const lw_group_def *def, lw_error *error) {
  if (def->agent_count < 1 || def->agent_count > LW_GROUP_MEMBERS_MAX)
    return lwi_fail(error, LW_INVALID, "agent_count is %d, expected 1 to %d", def->agent_count,
                    LW_GROUP_MEMBERS_MAX);
  if (!def->agents) return lwi_fail_null(error, "agents");
  for (int i = 0; i < def->agent_count; i++) {
    const lwi_agent *agent = lwi_world_agent(world, def->agents[i]);
    if (!agent || agent->removal.pending)
      return lwi_fail(error, LW_STALE, "agent %d of %d is gone", i + 1, def->agent_count);
    const lwi_agent *first = lwi_world_agent(world, def->agents[0]);
    if (lwi_is_vehicle(agent->profile) != lwi_is_vehicle(first->profile))
      return lwi_fail(error, LW_INVALID,
                      "agent %d of %d is %s vehicle, and agent 1 is %s, by the wheelbase of its profile '%s': "
                      "expected vehicles alone, or none",
                      i + 1, def->agent_count, lwi_is_vehicle(agent->profile) ? "a" : "no",
                      lwi_is_vehicle(first->profile) ? "one" : "none", first->profile->def.name);
    for (int k = 0; k < i; k++)
      if (lw_agent_id_equal(def->agents[i], def->agents[k]))
        return lwi_fail(error, LW_INVALID, "agent %d of %d is agent %d again, expected another", i + 1,
                        def->agent_count, k + 1);
  }
  return LW_OK;
}

static void set_points(lw_world *world, lwi_group *group, const lw_vec3 *points, int count, lw_vec3 *own) {
  lwi_free(&world->memory, group->points, (size_t)group->point_count * sizeof *group->points);
  group->points = own;
  group->point_count = count;
  if (count > 0) memcpy(own, points, (size_t)count * sizeof *points);
}

/* @return false: no memory. */
static bool make_points(lw_world *world, int count, lw_vec3 **points) {
  *points = count > 0 ? lwi_alloc(&world->memory, (size_t)count * sizeof **points) : NULL;
  return count == 0 || *points;
}

/* @return A slot with an empty group; LWI_NO_SLOT: no memory. */
static uint32_t add_group(lw_world *world) {
  lwi_groups *groups = &world->agents.groups;
  if (!lwi_reserve(&world->memory, &groups->items, &groups->capacity, groups->ids.slot_count + 1,
                   sizeof *groups->items))
    return LWI_NO_SLOT;
  const uint32_t slot = lwi_id_pool_add(&groups->ids, &world->memory);
  if (slot != LWI_NO_SLOT) groups->items[slot] = (lwi_group){.options = lw_group_move_default()};
  return slot;
}

static void free_group(lw_world *world, lwi_group *group) {
  forget_profile(group);
  lwi_free(&world->memory, group->points, (size_t)group->point_count * sizeof *group->points);
  lwi_free(&world->memory, group->members, (size_t)group->capacity * sizeof *group->members);
  *group = (lwi_group){0};
}

lw_status lw_group_create(lw_world *world, const lw_group_def *def, lw_group_id *id, lw_error *error) {
  if (!id) return lwi_fail_null(error, "group");
  *id = lw_group_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = lwi_check_cookie(def->cookie, "lw_group_def", error);
  if (status == LW_OK)
    status = check_points(def->formation, def->spacing, def->points, def->point_count, error);
  if (status == LW_OK) status = check_agents(world, def, error);
  if (status != LW_OK) return status;
  lw_vec3 *points;
  if (!make_points(world, def->point_count, &points)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  const uint32_t slot = add_group(world);
  lwi_group *group = slot == LWI_NO_SLOT ? NULL : &world->agents.groups.items[slot];
  if (!group || !lwi_reserve(&world->memory, &group->members, &group->capacity, def->agent_count,
                             sizeof *group->members)) {
    lwi_free(&world->memory, points, (size_t)def->point_count * sizeof *points);
    if (group) lwi_id_pool_remove(&world->agents.groups.ids, slot);
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  group->formation = def->formation;
  group->spacing = def->spacing;
  set_points(world, group, def->points, def->point_count, points);
  for (int i = 0; i < def->agent_count; i++) join(world, group, slot, lwi_world_agent(world, def->agents[i]));
  *id = id_of(world, slot);
  return LW_OK;
}

lw_status lw_group_remove(lw_world *world, lw_group_id id) {
  if (!world) return LW_INVALID;
  lwi_group *group = find_group(world, id);
  if (!group) return LW_STALE;
  halt_all(world, group);
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent) group->members[i].agent->route.station = (lwi_station){0};
  free_group(world, group);
  lwi_id_pool_remove(&world->agents.groups.ids, (uint32_t)id.slot);
  return LW_OK;
}

/* Groups are of vehicles alone, or of others. */
static bool suits(const lwi_group *group, const lwi_agent *agent) {
  bool is_empty = true;
  for (int i = 0; i < group->count; i++) is_empty &= !group->members[i].agent;
  return is_empty || lwi_group_is_convoy(group) == lwi_is_vehicle(agent->profile);
}

lw_status lw_group_add_agent(lw_world *world, lw_group_id id, lw_agent_id agent_id) {
  if (!world) return LW_INVALID;
  lwi_group *group = find_group(world, id);
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  if (!group || !agent || agent->removal.pending) return LW_STALE;
  if (!suits(group, agent)) return LW_INVALID;
  if (group_of(world, agent) != group) {
    if (group->count >= LW_GROUP_MEMBERS_MAX) return LW_LIMIT;
    if (!lwi_reserve(&world->memory, &group->members, &group->capacity, group->count + 1,
                     sizeof *group->members))
      return LW_OUT_OF_MEMORY;
    join(world, group, (uint32_t)id.slot, agent);
  } else if (!agent->route.station.is_away && agent->move == LW_MOVE_WALKING) {
    return LW_OK;
  }
  agent->route.station.is_away = false;
  lwi_group_search_again(group);
  if (group->move != LW_MOVE_WALKING) return LW_OK;
  const lw_move_options options = lwi_group_options(group);
  if (lwi_agent_begin_journey(world, agent, group->goal, &options)) lwi_agent_walk_alone(world, agent);
  return LW_OK;
}

lw_status lw_group_dismiss(lw_world *world, lw_group_id id, lw_agent_id agent_id) {
  if (!world) return LW_INVALID;
  lwi_group *group = find_group(world, id);
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  if (!group || !agent) return LW_STALE;
  if (group_of(world, agent) != group) return LW_NOT_FOUND;
  halt_member(world, group, agent);
  lwi_agent_leave_group(world, agent);
  return LW_OK;
}

lw_status lw_group_set_formation(lw_world *world, lw_group_id id, lw_formation formation, float spacing,
                                 const lw_vec3 *points, int count) {
  if (!world) return LW_INVALID;
  lwi_group *group = find_group(world, id);
  if (!group) return LW_STALE;
  lw_vec3 *own;
  const lw_status status = check_points(formation, spacing, points, count, NULL);
  if (status != LW_OK) return status;
  if (!make_points(world, count, &own)) return LW_OUT_OF_MEMORY;
  set_points(world, group, points, count, own);
  group->formation = formation;
  group->spacing = spacing;
  group->is_reordered = true;
  return LW_OK;
}

/* --- orders ----------------------------------------------------------------------------------------------- */

lw_move_options lwi_group_options(const lwi_group *group) {
  lw_move_options options = lw_move_options_default();
  options.within = group->options.within;
  options.pace = group->options.pace;
  options.quality = group->options.quality;
  return options;
}

static bool check_move(const lw_group_move *move) {
  return move->cookie == LWI_COOKIE && move->within > 0 && isfinite(move->within) &&
         (unsigned)move->pace <= LW_PACE_COUNT && (unsigned)move->quality < LW_QUALITY_COUNT;
}

/* Those of a file that were not restored are no members any more. @return The first one; NULL: there is none. */
static lwi_agent *gather(lwi_group *group) {
  int count = 0;
  for (int i = 0; i < group->count; i++) {
    lwi_agent *agent = group->members[i].agent;
    if (!agent) continue;
    group->members[count++] = group->members[i];
    if (!agent->removal.pending) agent->route.station.is_away = false;
  }
  group->count = count;
  for (int i = 0; i < group->count; i++)
    if (!group->members[i].agent->removal.pending) return group->members[i].agent;
  return NULL;
}

lw_status lw_group_move_to(lw_world *world, lw_group_id id, lw_vec3 goal, const lw_group_move *move) {
  const lw_group_move plain = lw_group_move_default();
  if (!world) return LW_INVALID;
  lwi_group *group = find_group(world, id);
  if (!group) return LW_STALE;
  if (!move) move = &plain;
  if (!lwi_finite(goal) || !check_move(move)) return LW_INVALID;
  lwi_agent *first = gather(group);
  if (!first) return LW_EMPTY;
  halt_all(world, group);
  group->goal = goal;
  group->options = *move;
  lwi_world_find_footing(world, first);
  group->move = LW_MOVE_WALKING;
  lw_status status = lwi_group_is_convoy(group) ? lwi_group_set_out_convoy(world, group)
                                                : lwi_group_set_out(world, group, lwi_agent_footing(first),
                                                                    lwi_agent_footing_navmesh(first));
  if (status == LW_NO_START && first->ground.is_trapped) status = LW_TRAPPED;
  group->move = status == LW_OK ? LW_MOVE_WALKING : LW_MOVE_FAILED;
  group->failure = status;
  return status;
}

lw_status lw_group_stop(lw_world *world, lw_group_id id) {
  if (!world) return LW_INVALID;
  lwi_group *group = find_group(world, id);
  if (!group) return LW_STALE;
  halt_all(world, group);
  group->move = LW_MOVE_IDLE;
  group->failure = LW_OK;
  return LW_OK;
}

/* --- what can be seen of it ------------------------------------------------------------------------------- */

lw_status lw_group_get_state(const lw_world *world, lw_group_id id, lw_group_state *state) {
  if (state) *state = (lw_group_state){0};
  if (!world || !state) return LW_INVALID;
  const lwi_group *group = find_group(world, id);
  if (!group) return LW_STALE;
  const lwi_group_member *leader = lwi_group_leader(group);
  *state = (lw_group_state){
      .formation = group->formation,
      .spacing = lwi_group_spacing(group),
      .leader = leader ? leader->agent->id : lw_agent_id_none(),
      .move = group->move,
      .failure = group->failure,
      .is_file = group->move == LW_MOVE_WALKING && group->frame.is_file,
      .goal = group->goal,
      .frame = group->frame.at.point,
      .heading = group->frame.heading,
      .remaining = group->move == LW_MOVE_WALKING ? group->frame.remaining : 0,
  };
  for (int i = 0; i < group->count; i++) {
    state->agent_count += group->members[i].agent != NULL;
    state->formed_count += group->members[i].agent && group->members[i].is_formed;
  }
  return LW_OK;
}

int lw_group_members(const lw_world *world, lw_group_id id, lw_agent_id *agents, int capacity) {
  const lwi_group *group = world && (agents || capacity <= 0) ? find_group(world, id) : NULL;
  if (!group) return -1;
  int count = 0;
  for (int i = 0; i < group->count; i++) {
    if (!group->members[i].agent) continue;
    if (count < capacity) agents[count] = group->members[i].agent->id;
    count += 1;
  }
  return count;
}

lw_group_id lw_group_of(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  return agent && agent->route.station.group ? id_of(world, agent->route.station.group - 1)
                                             : lw_group_id_none();
}

lw_status lw_group_place(const lw_world *world, lw_agent_id id, lw_vec3 *at) {
  if (at) *at = (lw_vec3){0, 0, 0};
  if (!world || !at) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  const lwi_station *station = &agent->route.station;
  if (station->kind != LWI_STATION_PLACE) return LW_NOT_FOUND;
  *at = station->at;
  return LW_OK;
}

int lw_group_count(const lw_world *world) {
  return world ? world->agents.groups.ids.count : 0;
}

lw_group_id lw_group_next(const lw_world *world, lw_group_id id) {
  if (!world) return lw_group_id_none();
  const lwi_id_pool *ids = &world->agents.groups.ids;
  const bool begins = lw_group_id_is_none(id);
  const uint32_t slot = begins ? LWI_NO_SLOT : LWI_FIND(ids, id);
  if (!begins && slot == LWI_NO_SLOT) return lw_group_id_none();
  const uint32_t next = begins ? ids->first : lwi_id_pool_next(ids, slot);
  return next == LWI_NO_SLOT ? lw_group_id_none() : id_of(world, next);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

size_t lwi_groups_memory(const lw_world *world) {
  const lwi_groups *groups = &world->agents.groups;
  size_t bytes = 0;
  for (uint32_t i = groups->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&groups->ids, i))
    if (groups->items[i].combined) bytes += groups->items[i].combined->memory.bytes;
  return bytes;
}

static void free_items(lw_world *world) {
  lwi_groups *groups = &world->agents.groups;
  for (uint32_t i = groups->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&groups->ids, i))
    free_group(world, &groups->items[i]);
}

void lwi_world_groups_free(lw_world *world) {
  lwi_groups *groups = &world->agents.groups;
  free_items(world);
  lwi_id_pool_free(&groups->ids, &world->memory);
  lwi_free(&world->memory, groups->items, (size_t)groups->capacity * sizeof *groups->items);
  groups->items = NULL;
  groups->capacity = 0;
}

static uint64_t hash_group(uint64_t hash, const lwi_group *group) {
  const lwi_group_frame *frame = &group->frame;
  const uint32_t words[] = {(uint32_t)group->formation, (uint32_t)group->move, (uint32_t)group->count,
                            frame->is_file, (uint32_t)frame->next_point};
  const float numbers[] = {frame->at.point.x, frame->at.point.z, frame->link_done, frame->remaining,
                           frame->heading,    frame->speed,      frame->lag,       frame->narrow_until,
                           frame->narrow_end, frame->wide_for,   frame->fit.shift, frame->fit.scale,
                           group->spacing};
  hash = lwi_hash(hash, words, sizeof words);
  if (group->move == LW_MOVE_WALKING) hash = lwi_hash(hash, numbers, sizeof numbers);
  for (int i = 0; i < group->count; i++) {
    const lwi_group_member *member = &group->members[i];
    const uint64_t facts[] = {member->agent ? member->agent->serial : 0, member->is_formed,
                              (uint64_t)member->place, member->agent && member->agent->route.station.is_away};
    const uint64_t lead[] = {member->lead, member->lead_drive};
    hash = lwi_hash(hash, facts, sizeof facts);
    if (member->lead != 0) hash = lwi_hash(hash, lead, sizeof lead);
    hash = lwi_hash(hash, &member->best_lag, sizeof member->best_lag);
  }
  return hash;
}

uint64_t lwi_world_groups_hash(const lw_world *world, uint64_t hash) {
  const lwi_groups *groups = &world->agents.groups;
  for (uint32_t i = groups->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&groups->ids, i))
    hash = hash_group(hash, &groups->items[i]);
  return hash;
}

/* @return false: no memory. */
static bool copy_group(lw_world *world, lwi_group *group, const lwi_group *from) {
  lw_vec3 *points;
  *group = *from;
  group->points = NULL;
  group->members = NULL;
  group->point_count = group->count = group->capacity = 0;
  if (!make_points(world, from->point_count, &points)) return false;
  set_points(world, group, from->points, from->point_count, points);
  if (!lwi_reserve(&world->memory, &group->members, &group->capacity, from->count, sizeof *group->members))
    return false;
  group->count = from->count;
  if (group->count > 0) memcpy(group->members, from->members, (size_t)group->count * sizeof *group->members);
  return true;
}

bool lwi_world_groups_restore(lw_world *world, const lwi_groups_state *from) {
  lwi_groups *groups = &world->agents.groups;
  free_items(world);
  if (!lwi_reserve(&world->memory, &groups->items, &groups->capacity, from->slot_count,
                   sizeof *groups->items) ||
      !lwi_id_pool_restore(&groups->ids, &world->memory, from->states, from->slot_count, from->order,
                           from->count))
    return false;
  bool good = true;
  for (int i = 0; i < from->count; i++)
    good = copy_group(world, &groups->items[from->order[i]], &from->items[from->order[i]]) && good;
  return good;
}

void lwi_group_restore_member(lw_world *world, lwi_agent *agent, uint32_t slot, int index, bool keeps_path) {
  lwi_groups *groups = &world->agents.groups;
  const bool is_away = agent->route.station.is_away;
  if (slot >= (uint32_t)groups->ids.slot_count || groups->ids.slots[slot].generation == 0) return;
  lwi_group *group = &groups->items[slot];
  if (index >= group->count || agent->route.station.group != 0 || !suits(group, agent)) return;
  if (group->members[index].agent) return;
  lwi_group_member *member = &group->members[index];
  agent->route.station = (lwi_station){.group = slot + 1, .is_away = is_away};
  member->agent = agent;
  member->version = agent->route.version;
  member->is_formed = member->is_formed && keeps_path;
  forget_profile(group);
}
