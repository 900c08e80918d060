/* When an agent's path is searched again: because its cost may have changed, or for another profile.

   What happens in the world is news, counted in `lw_world.news`. Threats and timed regions note which agents a
   piece of news concerns (by their teams, by the threats that they learned of, by where a region lies), and an
   agent notes which news it has heard: all that there was when its path was searched, or when it was last asked
   whether its path is stale. So news costs the same however many agents there are, and all agents are asked
   once in a step. */
#include "agent/driving.h"
#include "core/platform.h"
#include "world/driving.h"
#include "world/placement.h"
#include "world/remedies.h"

#include <math.h>
#include <string.h>

/* The work of one step, in nodes: where a thousand agents get another profile at once, or learn of a threat,
   the others wait for the next step and walk on. The effect of an edit should be seen soon, and nobody should walk into
   what was cut away; threats move all the time and should cost a step little. */
#define WORK_FOR_PROFILES 60000
#define WORK_FOR_BLOCKED 60000
#define WORK_FOR_THREATS 3000
/* Of the agents that are blocked or have another profile, those whose paths threats may see: where tiles are swapped, all
   that meant to cross them. The others walk on meanwhile, those that are blocked by a detour, which takes a hundredth of
   that work and counts for WORK_FOR_BLOCKED. */
#define WORK_FOR_WATCHED 12000
/* A search is never interrupted, and one with many threats takes far more work than a step should. The steps
   after it search for no alarmed agent: one step for each of these units of work, but LWI_REST_MAX steps at
   most. */
#define WORK_PAID_BACK 12000
/* The work of holding pieces of paths against dangers and fire lanes, in regions looked at: see
   lwi_timed_scratch.looks. */
#define LOOKS_A_WORK 256
/* The next search looks again, at its nodes, what threats see that have moved: a node then takes as long as
   NODES_A_NEW_LOOK, and THREATS_A_NODE threats as long as one more. Whether the looks are kept already does not count: it
   depends on what was asked before, and what a step does must not. */
#define NODES_A_NEW_LOOK 3
#define THREATS_A_NODE 4
#define WORK_MAX (1 << 30) /* Of one search. */

/* --- searching -------------------------------------------------------------------------------------------- */

lw_path_query lwi_agent_query(const lwi_agent *agent, lw_vec3 from, lw_vec3 goal) {
  lw_path_query query = lw_path_query_default();
  const lw_stance *stance = lw_profile_get_stance(agent->profile, agent->stance);
  query.from = from;
  query.to = goal;
  query.profile = lwi_agent_payer(agent);
  query.quality = agent->route.journey.quality;
  query.path_style = lwi_is_vehicle(agent->profile) ? LW_PATH_ROUNDED : agent->route.journey.path_style;
  query.heights[0] = stance->body[0];
  query.heights[1] = stance->body[1];
  query.height_count = 2;
  query.team = agent->team;
  return query;
}

/* How much a path may cost that was mended, beside what is left of one that was searched whole. */
#define MENDED_MAX 1.02f
/* How much a detour may cost, beside what is left of the path: it is searched again soon. */
#define DETOUR_MAX 1.1f

/* How a path is found. */
typedef enum search_kind {
  SEARCH_WHOLE,
  SEARCH_OR_MEND,
  SEARCH_DETOUR /* as if there were no threats, and quickly: until it is searched with them */
} search_kind;

/* A path that is found. */
typedef struct found_path {
  lw_path *path;
  float excess; /* lwi_agent_route.excess */
} found_path;

/* Polygons under which anything has changed get the id 0, as in a path that was saved and read. */
static void forget_changed(const lw_world *world, const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  for (int i = 0; i < path->corridor_count; i++)
    if (lwi_world_has_changed_under(world, agent, i)) path->corridor[i] = 0;
}

static bool mend_within(const lw_world *world, const lwi_path_run *run, const lwi_agent *agent, float limit,
                        found_path *found) {
  const lwi_nav *nav = &world->scene.navs[lwi_agent_footing_navmesh(agent)];
  const lwi_agent_route *route = &agent->route;
  const lw_location from = lwi_agent_footing(agent);
  const lwi_mend old = {route->path, route->next_point, from.poly, limit};
  if (!(limit > 0)) return false;
  forget_changed(world, agent);
  return lwi_path_run_mend(run, nav, from, &old, &found->path) == LW_OK;
}

/* Mend the agent's path where it then costs hardly more than before: no ground has become cheaper since it was searched
   whole, so that a search would hardly find a cheaper one. (Searches are not exact: now and then one would.) Paths that are to
   be exact are searched. */
static bool mend(const lw_world *world, const lwi_agent_search *search, const lwi_agent *agent,
                 search_kind kind, found_path *found) {
  const lwi_agent_route *route = &agent->route;
  if (kind == SEARCH_WHOLE || !search->is_steady || agent->link.active || route->path->link_count > 0)
    return false;
  const float left = lwi_path_cost_from(route->path, route->next_point, lwi_agent_footing(agent).point);
  if (kind == SEARCH_DETOUR) return mend_within(world, &search->run, agent, DETOUR_MAX * left, found);
  if (route->journey.quality == LW_QUALITY_EXACT || !(route->excess < INFINITY)) return false;
  const float bound = left - route->excess;
  if (!mend_within(world, &search->run, agent, MENDED_MAX * bound, found)) return false;
  found->excess = found->path->link_count > 0 ? INFINITY : fmaxf(0, found->path->cost - bound);
  return true;
}

/* Where its journey may not enter where an agent stands, let the path begin on the nearest ground that it may. */
static lw_status move_start(const lwi_path_run *run, lw_path_query *query, const lwi_nav *nav,
                            lw_location *from) {
  const lw_filter *filter = &run->prices->filter;
  const uint32_t index = lwi_poly_index(nav->mesh, from->poly);
  if (index != LWI_NONE && lwi_passes(nav->mesh, filter, index)) return LW_OK;
  const lw_status status = lw_navmesh_nearest(nav->mesh, from->point, query->snap, filter, from);
  if (status == LW_OK) query->from = from->point;
  return status == LW_NO_POINT ? LW_NO_START : status;
}

lw_status lwi_agent_search_ask(const lw_world *world, lw_workspace *workspace, const lwi_agent *agent,
                               lwi_agent_search *search) {
  const lwi_nav *nav = &world->scene.navs[lwi_agent_footing_navmesh(agent)];
  const lwi_plan_need need = lwi_agent_plan_need(world, agent);
  search->footing = lwi_agent_footing(agent);
  search->query = lwi_agent_query(agent, search->footing.point, lwi_agent_destination(agent));
  search->query.profile = lwi_agent_driven_profile(world, agent);
  if (!lwi_world_fill_threats(world, workspace, agent, &search->query)) return LW_OUT_OF_MEMORY;
  search->from = (lwi_sliced_from){.nav = nav,
                                   .at = search->footing,
                                   .limits = lwi_agent_limits(agent),
                                   .spared = agent->id.slot + 1,
                                   .goal_reach = lwi_agent_goal_reach(world, agent),
                                   .blockers = &search->blockers,
                                   .is_cold = !lwi_plan_tables_are_ready(world, &need)};
  lwi_agent_list_blockers(world, agent, &search->blockers);
  search->run = lwi_sliced_run(&world->scene, workspace, &search->query, &search->from);
  search->is_steady = lwi_path_run_is_steady(&search->run, nav);
  return LW_OK;
}

void lwi_agent_search_note(const lw_world *world, lwi_agent *agent) {
  agent->route.visibility = lw_world_get_visibility(world, agent->team);
  lwi_agent_note_beliefs(agent);
}

lw_status lwi_agent_search_begin(lw_world *world, lwi_agent *agent, lwi_agent_search *search) {
  lwi_agent_search_note(world, agent);
  return lwi_agent_search_resume(world, agent, search);
}

lw_status lwi_agent_search_resume(lw_world *world, lwi_agent *agent, lwi_agent_search *search) {
  if (!lwi_world_find_footing(world, agent))
    return agent->ground.is_trapped || lwi_agent_lacks_landing(world, agent) ? LW_TRAPPED : LW_NO_START;
  return lwi_agent_search_ask(world, world->scene.own, agent, search);
}

lw_status lwi_agent_search_from(lwi_agent_search *search) {
  return move_start(&search->run, &search->query, search->from.nav, &search->from.at);
}

lw_status lwi_agent_search_end(const lw_world *world, const lwi_agent *agent, const lwi_prices *prices,
                               lw_status status, lw_path **path) {
  /* An agent that is trapped on ground is too large for where it stands. */
  if (status == LW_NO_START && agent->ground.is_trapped) return LW_TRAPPED;
  if (status != LW_OK) return status;
  const lwi_nav *nav = &world->scene.navs[lwi_agent_footing_navmesh(agent)];
  if (lwi_path_lead_in(*path, lwi_agent_footing(agent), nav->mesh, prices)) return LW_OK;
  lw_path_destroy(*path);
  *path = NULL;
  return LW_OUT_OF_MEMORY;
}

void lwi_agent_note_search(lwi_agent *agent, double seconds) {
  agent->stats.searches += 1;
  agent->stats.search_seconds += seconds;
  agent->stats.search_worst = fmax(agent->stats.search_worst, seconds);
}

static void leave_threats_out(lwi_agent_search *search) {
  search->query.threat_count = 0;
  search->query.quality = LW_QUALITY_FAST;
  search->is_steady = lwi_path_run_is_steady(&search->run, search->from.nav);
}

/* Search for an agent from where it stands. Counts into its statistics. */
static lw_status find_path(lw_world *world, lwi_agent *agent, search_kind kind, found_path *found) {
  lwi_agent_search search;
  const float visibility_before = agent->route.visibility;
  const double began = lwi_clock();
  *found = (found_path){.path = NULL, .excess = INFINITY};
  lw_status status = lwi_agent_search_begin(world, agent, &search);
  if (status != LW_OK) return status;
  if (kind == SEARCH_DETOUR) leave_threats_out(&search);
  const bool is_same = kind == SEARCH_DETOUR || agent->route.visibility == visibility_before;
  const bool is_mended = is_same && mend(world, &search, agent, kind, found);
  if (!is_mended) status = lwi_agent_search_from(&search);
  if (!is_mended && status == LW_OK)
    status = lwi_path_run_find_from(&search.run, search.from.nav, search.from.at, &found->path);
  const bool is_best = !is_mended && kind != SEARCH_DETOUR && search.is_steady;
  if (status == LW_OK && is_best && found->path->link_count == 0) found->excess = 0;
  status = lwi_agent_search_end(world, agent, search.run.prices, status, &found->path);
  lwi_agent_note_search(agent, lwi_clock() - began);
  return status;
}

bool lwi_world_begin_as_step(lw_world *world) {
  const bool was_stepping = world->scene.stepping;
  world->scene.stepping = true;
  return was_stepping;
}

bool lwi_world_end_as_step(lw_world *world, bool was_stepping) {
  world->scene.stepping = was_stepping;
  return was_stepping || lwi_workspaces_count(&world->scene, true);
}

/* What an agent searches for between two steps counts as if it were in a step: else its path would depend on what others
   have asked meanwhile. */
static lw_status find_as_in_step(lw_world *world, lwi_agent *agent, search_kind kind, found_path *found) {
  const bool was_stepping = lwi_world_begin_as_step(world);
  const lw_status status = find_path(world, agent, kind, found);
  if (lwi_world_end_as_step(world, was_stepping) || status != LW_OK) return status;
  lw_path_destroy(found->path);
  found->path = NULL;
  return LW_OUT_OF_MEMORY;
}

/* Drive on from the lead, or begin the drive here. @return false: no memory. */
static bool take_drive(lwi_agent *agent, const lwi_vehicle_lead *lead, lw_drive *drive) {
  lwi_driving *driving = &agent->route.driving;
  bool is_joined = true;
  if (lead->drive) {
    is_joined = lwi_drive_append(lead->drive, drive);
    lw_drive_destroy(drive);
    lwi_vehicle_drive_lead(agent, lead);
  } else {
    lwi_driving_begin(driving, drive);
  }
  agent->route.remaining = agent->route.best_remaining = lwi_driving_remaining(agent);
  return is_joined;
}

lw_status lwi_agent_take_path(lw_world *world, lwi_agent *agent, lw_path *path, lw_drive *drive, float excess) {
  lwi_vehicle_lead lead = {.drive = NULL};
  if (drive && lwi_vehicle_is_led(agent)) lead = lwi_vehicle_detach_lead(agent);
  agent->route.remedy.is_searching = false;
  lwi_agent_follow(agent, path, world->time);
  if (drive && !take_drive(agent, &lead, drive)) return LW_OUT_OF_MEMORY;
  agent->route.excess = excess;
  lwi_history_note_path(world, agent);
  return lwi_agent_note_corridor(world, agent) ? LW_OK : LW_OUT_OF_MEMORY;
}

/* The planner finds it in slices. */
static lw_status wait_for_drive(lw_world *world, lwi_agent *agent) {
  const lwi_agent *other = lwi_vehicle_blocker(world, agent);
  const lw_vec3 at = other ? other->at.point : agent->at.point;
  if (!lwi_planner_let_wait(world, agent, true)) return LW_OUT_OF_MEMORY;
  agent->route.driving.is_blocked = other != NULL;
  agent->route.driving.blocked_at = at;
  return LW_OK;
}

static lw_status search_path(lw_world *world, lwi_agent *agent, search_kind kind) {
  found_path found = {0};
  lw_drive *drive = NULL;
  if (lwi_vehicle_must_stop(world, agent) && !agent->route.driving.drive) return wait_for_drive(world, agent);
  lw_status status = find_as_in_step(world, agent, kind, &found);
  if (status == LW_OK && lwi_is_vehicle(agent->profile))
    status = lwi_world_find_drive(world, agent, found.path, &drive);
  if (status == LW_OK)
    status = lwi_agent_take_path(world, agent, found.path, drive, found.excess);
  else
    lw_path_destroy(found.path);
  if (status == LW_UNFINISHED) return wait_for_drive(world, agent);
  if (status == LW_OK) agent->knowledge.heard = world->news;
  return status;
}

lw_status lwi_world_search_path(lw_world *world, lwi_agent *agent) {
  return search_path(world, agent, SEARCH_WHOLE);
}

/* Regions that all searches in the world's own workspace have looked at. */
static uint64_t region_looks(const lw_world *world) {
  uint64_t sum = 0;
  for (int i = 0; i < world->scene.nav_count; i++)
    for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) sum += world->scene.own->navs[i].timed[kind].looks;
  return sum;
}

/* The work of the nodes of a path that was searched again. */
static int work_of_nodes(const lw_world *world, const lwi_agent *agent, lwi_staleness why) {
  const int nodes = agent->route.path->nodes;
  if (why != LWI_ALARMED) return nodes;
  const int64_t work =
      nodes * (NODES_A_NEW_LOOK + (int64_t)lwi_agent_minded_threats(world, agent) / THREATS_A_NODE);
  return work < WORK_MAX ? (int)work : WORK_MAX;
}

/* @return The work that it took. That of a drive counts for the planner, too. */
static int search_again(lw_world *world, lwi_agent *agent, search_kind kind) {
  const lwi_staleness why = agent->route.staleness;
  uint64_t looks = world->scene.own->exposure.looks, at_regions = region_looks(world);
  const int64_t left = world->planner.left;
  agent->stats.replans += 1;
  lw_status status = search_path(world, agent, kind);
  uint64_t counted = LWI_WORK_A_SEARCH + LWI_WORK_A_LOOK * (world->scene.own->exposure.looks - looks);
  counted += (region_looks(world) - at_regions) / LOOKS_A_WORK + (uint64_t)(left - world->planner.left);
  const int work = counted < WORK_MAX ? (int)counted : WORK_MAX;
  if (status == LW_OK) return work + work_of_nodes(world, agent, why);
  lwi_agent_give_up(world, agent, status);
  return work;
}

/* --- news ------------------------------------------------------------------------------------------------- */

lwi_staleness lwi_world_staleness(const lw_world *world, const lwi_agent *agent) {
  if (agent->route.staleness != LWI_FRESH || agent->move != LW_MOVE_WALKING ||
      agent->knowledge.heard == world->news)
    return agent->route.staleness;
  return lwi_world_is_alarmed(world, agent) || lwi_world_has_dimmed(world, agent) ||
                 lwi_world_regions_concern(world, agent)
             ? LWI_ALARMED
             : LWI_FRESH;
}

/* Those that wait for the planner are not searched for here. */
static bool is_stale(lwi_staleness why) {
  return why != LWI_FRESH && why != LWI_WAITING;
}

bool lwi_world_any_stale(const lw_world *world) {
  bool any = world->planner.any_stale;
  const lwi_agent *agent = NULL;
  while (!any && world->settled != world->news && (agent = lwi_next_agent(world, agent)))
    any = is_stale(lwi_world_staleness(world, agent));
  return any;
}

static void settle_agent(lw_world *world, lwi_agent *agent) {
  agent->route.staleness = lwi_world_staleness(world, agent);
  agent->knowledge.heard = world->news;
  world->planner.any_stale |= is_stale(agent->route.staleness);
}

void lwi_world_settle(lw_world *world) {
  if (world->settled == world->news) return;
  lwi_planner_hear(world);
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) settle_agent(world, agent);
  world->settled = world->news;
  lwi_world_regions_forget(world);
}

/* --- in a step -------------------------------------------------------------------------------------------- */

/* Wait after a step that did that work for alarmed agents. */
static void rest(lw_world *world, int work) {
  int steps = work / WORK_PAID_BACK;
  world->planner.stale_until = world->steps + (uint64_t)(steps < LWI_REST_MAX ? steps : LWI_REST_MAX);
}

/* Work that is left for one step. */
typedef struct work_left {
  int by_reason[LWI_STALENESS_COUNT];
  int watched; /* of agents that mind threats, but those that are alarmed */
} work_left;

/* Lead an agent round what blocks it until its path is searched as it should be. @return The work that it took. */
static int take_detour(lw_world *world, lwi_agent *agent) {
  const int work = search_again(world, agent, SEARCH_DETOUR);
  if (agent->move == LW_MOVE_WALKING) lwi_agent_doubt_path(agent, LWI_STALE);
  return work;
}

/* @return false: it waits for another step. */
static bool take_turn(lw_world *world, lwi_agent *agent, work_left *left) {
  const lwi_staleness why = agent->route.staleness;
  if (left->by_reason[why] <= 0 || agent->ground.is_parked || lwi_agent_lacks_landing(world, agent))
    return false;
  const lwi_plan_need need = lwi_agent_plan_need(world, agent);
  lwi_plan_tables_want(world, &need, agent->serial, true);
  const bool is_watched = why != LWI_ALARMED && lwi_agent_payer(agent)->def.cover_bias > 1 &&
                          lwi_agent_minded_threats(world, agent) > 0;
  if (is_watched && left->watched <= 0) {
    if (why == LWI_BLOCKED) left->by_reason[why] -= take_detour(world, agent);
    return false;
  }
  const int work = search_again(world, agent, why == LWI_BLOCKED ? SEARCH_OR_MEND : SEARCH_WHOLE);
  left->by_reason[why] -= work;
  if (!is_watched) return true;
  left->watched -= work;
  left->by_reason[LWI_ALARMED] -= work;
  return true;
}

void lwi_world_search_stale(lw_world *world) {
  lwi_world_settle(world);
  lwi_world_reconsider(world);
  if (!world->planner.any_stale) return;
  const bool rests = world->steps < world->planner.stale_until;
  work_left left = {.by_reason = {[LWI_ALARMED] = rests ? 0 : WORK_FOR_THREATS,
                                  [LWI_STALE] = WORK_FOR_PROFILES,
                                  [LWI_BLOCKED] = WORK_FOR_BLOCKED},
                    .watched = WORK_FOR_WATCHED};
  lwi_agent *agent = lwi_world_agent(world, world->planner.stale_turn);
  world->planner.any_stale = false;
  world->planner.stale_turn = lw_agent_id_none();
  for (int i = world->agents.ids.count; i > 0; i--, agent = lwi_next_agent(world, agent)) {
    if (!agent) agent = lwi_next_agent(world, NULL);
    const lwi_staleness why = agent->route.staleness;
    if (!is_stale(why) || agent->removal.pending) continue;
    if (take_turn(world, agent, &left)) continue;
    if (!world->planner.any_stale) world->planner.stale_turn = agent->id;
    world->planner.any_stale = true;
  }
  if (!rests) rest(world, WORK_FOR_THREATS - left.by_reason[LWI_ALARMED]);
}

/* --- another profile -------------------------------------------------------------------------------------- */

/* Does the agent know of threats, and has changed what they see of it or what that costs it?
   @param body  What they saw of it. */
static bool minds_threats(const lw_world *world, const lwi_agent *agent, const lw_profile *before,
                          const lw_stance *body) {
  const lw_stance *now = lw_profile_get_stance(agent->profile, agent->stance);
  const bool is_own = agent->route.journey.profile == NULL;
  bool same = (!is_own || before->def.cover_bias == agent->profile->def.cover_bias) &&
              body->body[0] == now->body[0] && body->body[1] == now->body[1];
  return !same && lwi_agent_minded_threats(world, agent) > 0;
}

/* Do dangers or fire lanes cost something else? */
static bool minds_regions(const lw_world *world, const lw_profile *before, const lw_profile *after) {
  return (before->def.danger_cost != after->def.danger_cost && lw_danger_count(world) > 0) ||
         (before->def.cover_bias != after->def.cover_bias && lw_fire_lane_count(world) > 0);
}

/* Is the path, the cheapest for `before`, the cheapest for `after`? It is if nothing has become cheaper or
   passable, and nothing that it leads over more expensive. */
static bool stays_best(const lw_world *world, const lwi_agent *agent, const lw_profile *before,
                       const lw_profile *after) {
  const lw_navmesh *mesh = world->scene.meshes[agent->navmesh];
  const lwi_prices *old = &before->prices, *new = &after->prices;
  if (lwi_path_crosses(agent->route.path) || minds_regions(world, before, after)) return false;
  if (before->prices.filter.links != after->prices.filter.links || before->def.radius != after->def.radius)
    return false;
  if (new->filter.climb > old->filter.climb) return false;
  if (new->filter.climb < old->filter.climb && mesh->graph.highest_step > 0) return false;
  if (new->filter.wade_depth > old->filter.wade_depth || new->wade_depth > old->wade_depth) return false;
  for (uint8_t headroom = 0; headroom < LWI_HEADROOM_OPEN; headroom++)
    if (lwi_price_of_low(new, headroom, 0) < lwi_price_of_low(old, headroom, 0)) return false;
  for (int id = 1; id <= LW_AREA_MAX; id++)
    if (new->per_metre[id] < old->per_metre[id] || new->in_water[id] < old->in_water[id] ||
        new->exposure[id] < old->exposure[id] || new->waypoint[id] < old->waypoint[id] ||
        new->more_between[id] < old->more_between[id])
      return false;
  if (new->swim < old->swim || agent->route.path->link_count > 0) return false;
  for (int i = 0; i < agent->route.path->corridor_count; i++) {
    uint32_t index = lwi_poly_index(mesh, agent->route.path->corridor[i]);
    if (index == LWI_NONE || lwi_world_has_changed_under(world, agent, i) ||
        lwi_price_on(new, mesh, index) > lwi_price_on(old, mesh, index))
      return false;
  }
  return true;
}

bool lwi_agent_has_footing(const lw_world *world, const lwi_agent *agent) {
  const lw_navmesh *mesh = world->scene.meshes[lwi_agent_footing_navmesh(agent)];
  const uint32_t index = lwi_poly_index(mesh, lwi_agent_footing(agent).poly);
  return index != LWI_NONE && lwi_passes(mesh, &agent->profile->prices.filter, index);
}

bool lwi_world_find_footing(const lw_world *world, lwi_agent *agent) {
  const lw_navmesh *mesh = world->scene.meshes[lwi_agent_footing_navmesh(agent)];
  const lw_filter *filter = &agent->profile->prices.filter;
  lw_location at = lwi_agent_footing(agent);
  if (lwi_agent_has_footing(world, agent)) return true;
  if (agent->link.active) return false;     /* it lands first */
  if (agent->ground.is_parked) return true; /* its own obstacle is taken out when it is to walk */
  if (lw_navmesh_nearest(mesh, at.point, lw_path_query_default().snap, filter, &at) != LW_OK) return false;
  agent->at = at;
  agent->ground.is_trapped = agent->route.motion.is_resting = false;
  return true;
}

/* Does another profile mean another drive? */
static bool drives_otherwise(const lw_profile *before, const lw_profile *after) {
  const lw_body *a = &before->def.body, *b = &after->def.body;
  return memcmp(&a->vehicle, &b->vehicle, sizeof a->vehicle) != 0 ||
         memcmp(&a->trailer, &b->trailer, sizeof a->trailer) != 0 ||
         (lwi_is_vehicle(after) && a->turn_radius != b->turn_radius);
}

/* The same on a journey for another profile, of which these two are only the limits. */
static bool keeps_limits(const lw_profile *before, const lw_profile *after) {
  const lw_filter *a = &before->prices.filter, *b = &after->prices.filter;
  return memcmp(a->areas, b->areas, sizeof a->areas) == 0 && a->links == b->links && a->radius == b->radius &&
         a->wade_depth == b->wade_depth && a->height == b->height && a->climb == b->climb;
}

/* Let a walking agent search again if its path is stale already, or may be no longer the cheapest. */
static void doubt_path(lw_world *world, lwi_agent *agent, bool stays) {
  if (stays && !agent->route.staleness) return;
  lwi_agent_doubt_path(agent, LWI_STALE);
  world->planner.any_stale = true;
}

/* The motion of a body counts for that body. */
static void change_body(lw_world *world, lwi_agent *agent, const lw_profile *before) {
  agent->route.motion.is_resting = false;
  agent->route.motion.walls.poly = 0; /* other ground may be a wall for it */
  for (int i = 0; i < 2; i++) agent->route.motion.corners[i].mesh = NULL;
  if (lwi_is_vehicle(agent->profile))
    agent->route.motion.is_external = false;
  else
    agent->route.driving.speed = agent->route.driving.trailer_angle = 0;
  if (lwi_is_vehicle(agent->profile) || lwi_is_vehicle(before)) world->agents.crowd.is_stale = true;
  if (agent->profile->has_body == before->has_body) return;
  world->agents.crowd.is_stale = true;
  agent->route.motion = (lwi_motion){.probed = INFINITY};
  if (!agent->profile->has_body && agent->move != LW_MOVE_WALKING && !agent->link.active)
    agent->velocity = lwi_vec3(0, 0, 0); /* nothing brakes it any more */
}

lw_status lw_agent_set_profile(lw_world *world, lw_agent_id id, const lw_profile *profile) {
  if (!world || !profile) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (lwi_world_is_busy(world)) return LW_INVALID;
  settle_agent(world, agent); /* by the profile that it had when the news came */
  const lw_profile *before = agent->profile;
  agent->profile = profile;
  change_body(world, agent, before);
  if (lwi_is_vehicle(profile) != lwi_is_vehicle(before)) lwi_agent_leave_group(world, agent);
  world->agents.senses.is_stale = true;
  lwi_group_note_profile(world, agent);
  agent->route.excess = INFINITY;                                /* known by the prices before */
  agent->route.version += agent->route.staleness == LWI_WAITING; /* a search in progress is by these, too */
  const lw_stance *body = lw_profile_get_stance(before, agent->stance);
  lwi_agent_translate_stances(agent, before);
  lwi_world_find_footing(world, agent);
  lwi_agent_widen_cover(world, agent);
  lwi_agent_prepare_prices(world, agent);
  if (agent->move != LW_MOVE_WALKING) return LW_OK;
  const bool stays =
      agent->route.journey.profile ? keeps_limits(before, profile) : stays_best(world, agent, before, profile);
  doubt_path(world, agent,
             stays && !drives_otherwise(before, profile) && !minds_threats(world, agent, before, body));
  return LW_OK;
}

lw_status lw_agent_set_journey_profile(lw_world *world, lw_agent_id id, const lw_profile *profile) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (lwi_world_is_busy(world)) return LW_INVALID;
  if (agent->move != LW_MOVE_WALKING) return LW_NOT_FOUND;
  settle_agent(world, agent); /* by the profile that it had when the news came */
  const lw_profile *before = lwi_agent_payer(agent);
  agent->route.journey.profile = profile;
  agent->route.excess = INFINITY;
  agent->route.version += agent->route.staleness == LWI_WAITING; /* as in lw_agent_set_profile() */
  const lw_profile *after = lwi_agent_payer(agent);
  const bool is_watched =
      before->def.cover_bias != after->def.cover_bias && lwi_agent_minded_threats(world, agent) > 0;
  doubt_path(world, agent, !is_watched && stays_best(world, agent, before, after));
  return LW_OK;
}
