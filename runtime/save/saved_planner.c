/* What the planner of a world's file has: the agents that wait for their paths, and how far the search in progress is. It is
   searched again so far, from where its agent stands. */
#include "save/saved.h"

#include <string.h>

/* What the drive of a search keeps away from. */
static void put_blocks(lwi_bytes *to, const lwi_plan_resume *search) {
  lwi_put_u32(to, (uint32_t)search->block_count);
  for (int i = 0; i < search->block_count; i++) {
    lwi_put_vec3(to, search->blocks[i].at);
    lwi_put_float(to, search->blocks[i].radius);
  }
}

/* @return false: a number is out of range. */
static bool read_blocks(lwi_reader *from, lwi_plan_resume *search) {
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > LWI_DRIVE_BLOCKS) return false;
  search->block_count = (int)count;
  for (int i = 0; i < search->block_count; i++) {
    lwi_drive_block *block = &search->blocks[i];
    block->at = lwi_get_vec3(from);
    block->radius = lwi_get_float(from);
    if (!lwi_saved_is_place(block->at) || !lwi_saved_is_amount(block->radius)) return from->failed;
  }
  return true;
}

/* Those that a search leads its path past. */
static void put_blockers(lwi_bytes *to, const lwi_blocker_list *list) {
  lwi_put_u32(to, (uint32_t)list->count);
  for (int i = 0; i < list->count; i++) {
    lwi_put_vec3(to, list->items[i].at);
    lwi_put_float(to, list->items[i].radius);
    lwi_put_float(to, list->items[i].price);
  }
}

/* @return false: a number is out of range. */
static bool read_blockers(lwi_reader *from, lwi_blocker_list *list) {
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > LWI_BLOCKERS_MAX) return false;
  list->count = (int)count;
  for (int i = 0; i < list->count; i++) {
    lwi_blocker *item = &list->items[i];
    item->at = lwi_get_vec3(from);
    item->radius = lwi_get_float(from);
    item->price = lwi_get_float(from);
    if (!lwi_saved_is_place(item->at) || !(item->radius > 0 && item->radius <= LW_PROFILE_SIZE_MAX) ||
        !(item->price > 0) || !lwi_saved_is_amount(item->price))
      return from->failed;
  }
  return true;
}

/* How far the search in progress is, or that of the game that was loaded, if no step has taken it up yet.
   @param[out] agent  Whose it is; NULL: there is none. */
static lwi_plan_resume search_of(const lw_world *world, const lwi_agent **agent) {
  const lwi_planner *planner = &world->planner;
  lwi_plan_resume at = {.work = 0};
  if ((*agent = lwi_planner_agent(world))) {
    const lw_search *search = lwi_planner_search(planner);
    at.work = search->work;
    at.begins = search->begins;
    at.footing = planner->client.footing;
    at.navmesh = planner->client.navmesh;
    at.block_count = search->drive.is_asked ? search->drive.job.block_count : 0;
    memcpy(at.blocks, search->drive.job.blocks, sizeof at.blocks);
    if (search->from.blockers) at.blockers = search->blockers;
  } else if ((*agent = lwi_planner_resumed(world))) {
    at = planner->resume;
  }
  return at;
}

void lwi_saved_put_planner(lwi_bytes *to, const lw_world *world) {
  const lwi_planner *planner = &world->planner;
  const lwi_agent *begun, *outdated = lwi_planner_outdated(world);
  lwi_plan_resume search = search_of(world, &begun);
  uint32_t begins = outdated ? (uint32_t)planner->begins : 0;
  if (lwi_planner_agent(world) && lwi_sliced_search_is_outdated(lwi_planner_search(planner))) {
    outdated = begun;
    begins = (uint32_t)search.begins;
    begun = NULL;
    search = (lwi_plan_resume){.work = 0};
  }
  uint32_t count = 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) count += lwi_agent_waits(agent);
  lwi_put_u32(to, (uint32_t)world->def.search_work);
  lwi_put_u64(to, (uint64_t)planner->left);
  lwi_put_u32(to, lwi_planner_is_busy(planner));
  lwi_put_u64(to, begun ? begun->serial : 0);
  lwi_put_u64(to, search.work);
  lwi_put_u32(to, (uint32_t)search.begins);
  lwi_put_u32(to, (uint32_t)search.navmesh);
  lwi_put_vec3(to, search.footing.point);
  lwi_put_u64(to, lwi_poly_place(world->scene.meshes[search.navmesh], search.footing.poly));
  put_blocks(to, &search);
  put_blockers(to, &search.blockers);
  lwi_put_u64(to, outdated ? outdated->serial : 0);
  lwi_put_u32(to, begins);
  lwi_put_u32(to, count);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!lwi_agent_waits(agent)) continue;
    lwi_put_u64(to, agent->serial);
    lwi_put_u64(to, agent->route.waits_since);
    lwi_put_u32(to, (uint32_t)(agent->route.journey.priority + LW_PRIORITY_MAX));
    lwi_put_u32(to, (uint32_t)agent->route.ahead);
  }
}

/* @return false: it makes no sense. */
static bool read_waiting(const lw_saved *saved, lwi_reader *from, lwi_saved_waiting *waiting) {
  waiting->serial = lwi_get_u64(from);
  waiting->since = lwi_get_u64(from);
  const uint32_t priority = lwi_get_u32(from);
  waiting->priority = (int)priority - LW_PRIORITY_MAX;
  const uint32_t ahead = lwi_get_u32(from);
  waiting->ahead = (lwi_ahead)ahead;
  return waiting->serial <= saved->clock.spawned && waiting->since <= saved->clock.steps &&
         priority <= 2 * LW_PRIORITY_MAX && ahead < LWI_AHEAD_COUNT;
}

const char *lwi_saved_read_planner(lw_saved *saved, lwi_reader *from) {
  static const char wrong[] = "a number of the planner is out of range";
  lwi_saved_plan *plan = &saved->run.plan;
  const uint32_t search_work = lwi_get_u32(from);
  plan->search_work = (int)search_work;
  plan->left = (int64_t)lwi_get_u64(from);
  const uint32_t is_busy = lwi_get_u32(from);
  plan->is_busy = is_busy == 1;
  plan->searching = lwi_get_u64(from);
  plan->search.work = lwi_get_u64(from);
  const uint32_t begins = lwi_get_u32(from), navmesh = lwi_get_u32(from);
  plan->search.begins = (int)begins;
  plan->search.navmesh = (int)navmesh;
  plan->search.footing.point = lwi_get_vec3(from);
  plan->search.footing.poly = lwi_get_u64(from);
  plan->is_there = true;
  if (search_work < 1 || search_work > INT32_MAX || plan->left > INT32_MAX ||
      plan->left < -(int64_t)INT32_MAX || is_busy > 1 || plan->searching > saved->clock.spawned ||
      plan->search.work > INT32_MAX || begins > LWI_SEARCH_BEGINS || (plan->search.work > 0 && begins == 0) ||
      navmesh >= LW_NAVMESHES_MAX || !lwi_saved_is_place(plan->search.footing.point))
    return wrong;
  if (!read_blocks(from, &plan->search) || !read_blockers(from, &plan->search.blockers))
    return from->failed ? NULL : wrong;
  plan->outdated = lwi_get_u64(from);
  const uint32_t outdated_begins = lwi_get_u32(from);
  plan->begins = (int)outdated_begins;
  if (plan->outdated > saved->clock.spawned || outdated_begins > LWI_SEARCH_BEGINS) return wrong;
  const uint32_t count = lwi_get_u32(from);
  uint64_t last = 0;
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    if (!lwi_reserve(&saved->memory, &plan->items, &plan->capacity, (int)i + 1, sizeof *plan->items)) return "";
    if (!read_waiting(saved, from, &plan->items[i]) || plan->items[i].serial <= last) return wrong;
    last = plan->items[i].serial;
    plan->count = (int)i + 1;
  }
  return NULL;
}

void lwi_saved_plan_free(lw_saved *saved) {
  lwi_free(&saved->memory, saved->run.plan.items,
           (size_t)saved->run.plan.capacity * sizeof *saved->run.plan.items);
}

void lwi_saved_restore_plan(lw_world *world, const lw_saved *saved) {
  const lwi_saved_plan *plan = &saved->run.plan;
  if (plan->is_there) world->def.search_work = plan->search_work;
  lwi_planner_reset(world, plan->is_there ? plan->left : world->def.search_work, plan->is_busy);
}

/* Those that wait, by binary search: they are in the order of their serials. */
static const lwi_saved_waiting *find(const lwi_saved_plan *plan, uint64_t serial) {
  int low = 0, high = plan->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (plan->items[middle].serial < serial)
      low = middle + 1;
    else
      high = middle;
  }
  return low < plan->count && plan->items[low].serial == serial ? &plan->items[low] : NULL;
}

/* How far the search was. Where the ground on which it began is another one, it begins again. */
static lwi_plan_resume find_search(const lw_world *world, const lw_saved *saved) {
  lwi_plan_resume search = saved->run.plan.search;
  if (search.work == 0) return search;
  lw_poly_id poly = 0;
  if (search.navmesh < world->scene.nav_count) {
    const uint64_t place = lwi_saved_place(world, saved, search.navmesh, search.footing.poly);
    poly = lwi_poly_at_place(world->scene.meshes[search.navmesh], place);
  }
  search.footing.poly = poly;
  if (poly == 0) search.work = 0;
  return search;
}

void lwi_saved_restore_waiting(lw_world *world, lwi_agent *agent, const lw_saved *saved) {
  const lwi_saved_plan *plan = &saved->run.plan;
  const lwi_saved_waiting *waiting = find(plan, agent->serial);
  if (!lwi_agent_waits(agent)) return;
  agent->route.waits_since = waiting ? waiting->since : world->steps;
  agent->route.journey.priority = waiting ? waiting->priority : 0;
  agent->route.ahead = waiting ? waiting->ahead : LWI_AHEAD_NONE;
  world->planner.any_waiting = true;
  if (waiting && plan->outdated == agent->serial) lwi_planner_note_outdated(world, agent, plan->begins);
  if (!waiting || plan->searching != agent->serial) return;
  const lwi_plan_resume search = find_search(world, saved);
  if (search.work > 0)
    lwi_planner_resume(world, agent, &search);
  else
    lwi_planner_note_outdated(world, agent, search.begins);
}
