/* The path of a group: it is searched once, and all members that see its beginning get copies of it. The others walk on paths
   of their own until they see their places. */
#include "core/platform.h"
#include "search/path.h"
#include "world/group_step.h"
#include "world/world.h"

#include <math.h>

/* On the way to a heading the frame looks so far ahead along its path. [m] */
#define LOOK_AHEAD 2.5f
/* Members that are further from the beginning of the path walk on paths of their own. [m] */
#define JOIN_MAX 40.0f

/* --- searching -------------------------------------------------------------------------------------------- */

/* The first member, which the search is counted for, and which threats are looked up for. */
static lwi_agent *payer_of(const lwi_group *group) {
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent && !group->members[i].agent->removal.pending) return group->members[i].agent;
  return NULL;
}

/* As paths of agents in a step: what it looks at counts then. */
static lw_status run_query(lw_world *world, const lw_path_query *query, lw_location from, int navmesh,
                           lw_path **path) {
  const bool was_stepping = lwi_world_begin_as_step(world);
  const lwi_plan_need need = {.profile = query->profile,
                              .visibility = lwi_scene_visibility(&world->scene, query->team),
                              .navmesh = navmesh};
  lwi_path_run run = lwi_path_run_of(&world->scene, world->scene.own, query, NULL);
  lwi_plan_tables_want(world, &need, 0, was_stepping);
  run.is_cold = !lwi_plan_tables_are_ready(world, &need);
  const lw_status status = lwi_path_run_find_from(&run, &world->scene.navs[navmesh], from, path);
  if (lwi_world_end_as_step(world, was_stepping) || status != LW_OK) return status;
  lw_path_destroy(*path);
  *path = NULL;
  return LW_OUT_OF_MEMORY;
}

/* Where not all may stand, the path begins on the nearest ground that they may enter. */
static lw_status move_start(const lw_navmesh *mesh, const lw_filter *filter, lw_location *from) {
  const uint32_t index = lwi_poly_index(mesh, from->poly);
  if (index != LWI_NONE && lwi_passes(mesh, filter, index)) return LW_OK;
  const lw_status status = lw_navmesh_nearest(mesh, from->point, lw_path_query_default().snap, filter, from);
  return status == LW_NO_POINT ? LW_NO_START : status;
}

lw_status lwi_group_find_path(lw_world *world, lwi_group *group, lw_location *from, int navmesh,
                              lw_path **path) {
  lwi_agent *payer = payer_of(group);
  const double began = lwi_clock();
  const lw_profile *profile = lwi_group_profile(world, group);
  *path = NULL;
  const lw_status placed = move_start(world->scene.meshes[navmesh], &profile->prices.filter, from);
  if (placed != LW_OK) return placed;
  lw_path_query query = lwi_agent_query(payer, from->point, group->goal);
  query.profile = profile;
  query.quality = group->options.quality;
  query.path_style = LW_PATH_TAUT;
  if (!lwi_world_fill_threats(world, world->scene.own, payer, &query)) return LW_OUT_OF_MEMORY;
  const lw_status status = run_query(world, &query, *from, navmesh, path);
  lwi_agent_note_search(payer, lwi_clock() - began);
  world->planner.left -= LWI_WORK_A_SEARCH + (*path ? (*path)->nodes : 0);
  return status;
}

/* --- members ---------------------------------------------------------------------------------------------- */

bool lwi_group_sees(const lw_world *world, const lwi_agent *agent, lw_location to, int navmesh) {
  lw_raycast ray;
  if (agent->navmesh != navmesh || agent->link.active) return false;
  if (lwi_distance_xz(agent->at.point, to.point) > JOIN_MAX) return false;
  if (lw_navmesh_raycast(world->scene.meshes[navmesh], agent->at, to.point, &agent->profile->prices.filter,
                         &ray) != LW_OK ||
      ray.hit)
    return false;
  return ray.at.poly == to.poly || fabsf(ray.at.point.y - to.point.y) < 0.5f; /* [m] on the same floor */
}

static bool can_walk(const lwi_agent *agent) {
  return !agent->ground.is_parked && !agent->ground.is_trapped && !agent->removal.pending;
}

/* Let it follow a copy of the path. @return false: no memory, and it goes on as it did. */
static bool give_path(lw_world *world, lwi_group_member *member, const lw_path *path) {
  lwi_agent *agent = member->agent;
  lw_path *copy = lwi_path_copy(path, &world->memory.allocator);
  if (!copy) return false;
  if (lwi_agent_take_path(world, agent, copy, NULL, INFINITY) != LW_OK) return false;
  agent->route.visibility = lw_world_get_visibility(world, agent->team);
  agent->knowledge.heard = world->news;
  lwi_agent_note_beliefs(agent);
  agent->route.remaining = lwi_agent_remaining(agent);
  member->is_formed = true;
  member->has_arrived = false;
  member->version = agent->route.version;
  member->best_lag = INFINITY;
  return true;
}

static void send_member(lw_world *world, const lwi_group *group, lwi_group_member *member, const lw_path *path,
                        lw_location start) {
  lwi_agent *agent = member->agent;
  const lw_move_options options = lwi_group_options(group);
  member->is_formed = member->has_arrived = false;
  if (!lwi_agent_begin_journey(world, agent, group->goal, &options)) {
    lwi_agent_fail_move(world, agent, LW_OUT_OF_MEMORY);
    return;
  }
  const bool starts_here = lwi_equal(lwi_agent_footing(agent).point, start.point);
  if (can_walk(agent) && (starts_here || lwi_group_sees(world, agent, start, path->navmesh)) &&
      give_path(world, member, path))
    return;
  lwi_agent_walk_alone(world, agent);
}

static void reset_frame(lwi_group *group, const lw_path *path, lw_location from, int navmesh) {
  lwi_group_frame *frame = &group->frame;
  frame->at = from;
  frame->navmesh = navmesh;
  frame->next_point = 1;
  frame->link_done = 0;
  frame->remaining = path->length;
  frame->narrow_until = frame->narrow_end = INFINITY;
}

lw_status lwi_group_set_out(lw_world *world, lwi_group *group, lw_location from, int navmesh) {
  lw_path *path;
  const lw_status status = lwi_group_find_path(world, group, &from, navmesh, &path);
  if (status != LW_OK) return status;
  group->frame = (lwi_group_frame){.fit = {.scale = 1}};
  reset_frame(group, path, from, navmesh);
  for (int i = 0; i < group->count; i++)
    if (!group->members[i].agent->removal.pending) {
      send_member(world, group, &group->members[i], path, from);
      group->members[i].has_place = group->members[i].agent->move == LW_MOVE_WALKING;
    }
  lw_path_destroy(path);
  lwi_group_begin_frame(world, group);
  return LW_OK;
}

/* --- searching again -------------------------------------------------------------------------------------- */

static bool is_stale(const lw_world *world, const lwi_agent *agent) {
  const lwi_staleness why = lwi_world_staleness(world, agent);
  return why == LWI_ALARMED || why == LWI_STALE || why == LWI_BLOCKED;
}

/* One search for all that follow the path. Where there is none, each searches by itself. */
static void search_again(lw_world *world, lwi_group *group) {
  lw_path *path;
  lwi_group_frame *frame = &group->frame;
  if (lwi_group_find_path(world, group, &frame->at, frame->navmesh, &path) != LW_OK) return;
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    if (!lwi_group_follows(member)) continue;
    member->agent->stats.replans += 1;
    if (!lwi_group_sees(world, member->agent, frame->at, frame->navmesh) || !give_path(world, member, path))
      lwi_agent_doubt_path(member->agent, LWI_BLOCKED); /* it walks alone for a while */
  }
  world->planner.any_stale = true;
  reset_frame(group, path, frame->at, frame->navmesh);
  lw_path_destroy(path);
  lwi_group_begin_frame(world, group);
}

void lwi_world_groups_search(lw_world *world) {
  const lwi_groups *groups = &world->agents.groups;
  for (uint32_t i = groups->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&groups->ids, i)) {
    lwi_group *group = &groups->items[i];
    const lwi_group_member *leader = lwi_group_leader(group);
    if (group->move != LW_MOVE_WALKING || !leader || lwi_group_is_convoy(group) || group->frame.link_done > 0)
      continue;
    lwi_agent *agent = leader->agent;
    const bool follows = agent->route.version == leader->version && agent->move == LW_MOVE_WALKING;
    if (follows && !agent->removal.pending && is_stale(world, agent)) search_again(world, group);
  }
}

bool lwi_group_rejoin(lw_world *world, lwi_group *group, lwi_group_member *member) {
  const lwi_group_member *leader = lwi_group_leader(group);
  lwi_agent *agent = member->agent;
  const float left = agent->route.remaining;
  if (!leader || !give_path(world, member, leader->agent->route.path)) return false;
  const lw_path *path = agent->route.path;
  int next = 1;
  while (next + 1 < path->point_count && path->remaining[next] >= left) next += 1;
  agent->route.next_point = next;
  agent->route.remaining = lwi_agent_remaining(agent);
  return true;
}

/* --- along it --------------------------------------------------------------------------------------------- */

/* From the frame on. @return false: it is on a link, or the path ends before. */
static bool place_at(const lwi_group_frame *frame, const lw_path *path, float remaining, lw_vec3 *at) {
  lw_vec3 from = frame->at.point;
  for (int i = frame->next_point; i < path->point_count; i++) {
    const lw_vec3 to = path->points[i];
    const float over = path->remaining[i], length = lwi_distance(from, to);
    if (remaining >= over && length > 0) {
      *at = lwi_lerp(from, to, fminf(1, fmaxf(0, 1 - (remaining - over) / length)));
      return lwi_path_link_at(path, i - 1) == NULL;
    }
    from = to;
  }
  *at = from;
  return true;
}

bool lwi_group_path_place(const lwi_group *group, const lw_path *path, float remaining, lw_vec3 *at,
                          float *heading) {
  lw_vec3 ahead;
  *heading = group->frame.heading;
  const bool is_ground = place_at(&group->frame, path, fmaxf(0, remaining), at);
  place_at(&group->frame, path, fmaxf(0, remaining - LOOK_AHEAD), &ahead);
  const float dx = ahead.x - at->x, dz = ahead.z - at->z;
  if (dx * dx + dz * dz > 0.04f) *heading = atan2f(-dz, dx); /* [m2] */
  return is_ground;
}
