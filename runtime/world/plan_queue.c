/* What waits for its turn in a step. Few of many have it in one step, so that they are not sorted: a heap gives them one by
   one (Williams 1964). */
#include "world/world.h"

/* Of lwi_plan_entry.order: behind the serials of all agents. */
#define FIRST_REQUEST (UINT64_MAX / 2)

/* --- listing ---------------------------------------------------------------------------------------------- */

static bool add_entry(lw_world *world, const lwi_plan_entry *entry) {
  lwi_planner *planner = &world->planner;
  lwi_plan_queue *queue = &planner->queue;
  if (!lwi_reserve(&world->memory, &queue->entries, &queue->capacity, queue->count + 1, sizeof *queue->entries))
    return false;
  queue->entries[queue->count++] = *entry;
  return true;
}

static int64_t key_of(uint64_t since, int priority) {
  return (int64_t)since - (int64_t)priority * LW_PLANNER_AGING;
}

static bool list_agents(lw_world *world) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!lwi_agent_waits(agent)) continue;
    const lwi_plan_entry entry = {.key = key_of(agent->route.waits_since, agent->route.journey.priority),
                                  .order = agent->serial,
                                  .agent = agent};
    if (!add_entry(world, &entry)) return false;
  }
  return true;
}

static bool list_requests(lw_world *world) {
  const lwi_planner *planner = &world->planner;
  uint64_t order = FIRST_REQUEST;
  for (uint32_t slot = planner->ids.first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(&planner->ids, slot)) {
    const lwi_path_request *request = &planner->requests[slot];
    if (request->status != LW_UNFINISHED || request->is_follower) continue;
    const lwi_plan_entry entry = {
        .key = key_of(request->since, request->priority), .order = order++, .request = slot};
    if (!add_entry(world, &entry)) return false;
  }
  return true;
}

/* --- the heap --------------------------------------------------------------------------------------------- */

static bool is_before(const lwi_plan_entry *a, const lwi_plan_entry *b) {
  return a->key != b->key ? a->key < b->key : a->order < b->order;
}

/* The heap begins at the end of the list: what leaves it comes to lie in front of it, in order. */
static lwi_plan_entry *node(const lwi_plan_queue *queue, int i) {
  return &queue->entries[queue->count - 1 - i];
}

static void swap(lwi_plan_entry *a, lwi_plan_entry *b) {
  const lwi_plan_entry before = *a;
  *a = *b;
  *b = before;
}

/* @param size  Nodes of the heap. */
static void sift_down(const lwi_plan_queue *queue, int size, int i) {
  for (int child; (child = 2 * i + 1) < size; i = child) {
    if (child + 1 < size && is_before(node(queue, child + 1), node(queue, child))) child += 1;
    if (!is_before(node(queue, child), node(queue, i))) return;
    swap(node(queue, child), node(queue, i));
  }
}

bool lwi_plan_queue_fill(lw_world *world) {
  lwi_plan_queue *queue = &world->planner.queue;
  queue->count = queue->ordered = 0;
  if (!list_agents(world) || !list_requests(world)) return false;
  for (int i = queue->count / 2 - 1; i >= 0; i--) sift_down(queue, queue->count, i);
  return true;
}

void lwi_plan_queue_order(lwi_plan_queue *queue, int count) {
  for (; queue->ordered < count && queue->ordered < queue->count; queue->ordered++) {
    swap(&queue->entries[queue->ordered], node(queue, 0));
    sift_down(queue, queue->count - queue->ordered - 1, 0);
  }
}
