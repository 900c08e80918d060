#include "search/uniform_search.h"

#include "mesh/intervals.h"
#include "search/search.h"

#include <string.h>

void lwi_uniform_scratch_free(lwi_uniform_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->marks, scratch->mark_count * sizeof *scratch->marks);
  lwi_heap_free(&scratch->open, memory);
  *scratch = (lwi_uniform_scratch){0};
}

/* Let there be an entry for each portal and link, and a mark for each polygon, all older than this search. */
static bool begin_stamp(lwi_uniform_run *run, const lwi_uniform_entries *entries) {
  lwi_uniform_scratch *scratch = run->scratch;
  void *marks = scratch->marks;
  const bool grown = lwi_grow_zeroed(run->memory, entries->items, entries->count,
                                     run->graph->portal_count + run->graph->mesh->links.count, entries->size) &&
                     lwi_grow_zeroed(run->memory, &marks, &scratch->mark_count, lwi_base_count(run->mesh),
                                     sizeof *scratch->marks);
  scratch->marks = marks;
  scratch->stamp += 1;
  if (!grown || scratch->stamp > 0) return grown;
  memset(*entries->items, 0, *entries->count * entries->size);
  memset(scratch->marks, 0, scratch->mark_count * sizeof *scratch->marks);
  scratch->stamp = 1;
  return true;
}

bool lwi_uniform_begin(lwi_uniform_run *run, struct lwi_search *search, const struct lwi_search_query *query,
                       const lwi_uniform_entries *entries) {
  const lw_navmesh *mesh = query->graph->mesh;
  const lwi_prices *prices = query->cost_model.prices;
  *run = (lwi_uniform_run){.search = search,
                           .scratch = entries->scratch,
                           .memory = search->memory,
                           .query = query,
                           .mesh = mesh,
                           .graph = &search->graph,
                           .prices = prices,
                           .tables = lwi_reduction_of(mesh),
                           .has_dead_ends = query->has_landmarks,
                           .base_portals = lwi_base_of(mesh)->graph.portal_count,
                           .price = lwi_price_in(prices, query->graph, query->from_region)};
  search->graph = *query->graph;
  search->corridor.count = 0;
  search->prices_differ = search->turned = false;
  search->place_base = search->lane_base = LWI_NONE;
  search->expanded = 1;
  run->scratch->open.count = 0;
  run->scratch->next.item = LWI_NONE;
  return begin_stamp(run, entries);
}

void lwi_uniform_mark_goal(lwi_uniform_run *run, uint32_t region) {
  lwi_uniform_scratch *scratch = run->scratch;
  uint32_t at = lwi_origin_of(run->mesh, region);
  for (; at != LWI_NONE && scratch->marks[at] != scratch->stamp; at = run->tables->parents[at])
    scratch->marks[at] = scratch->stamp;
}

void lwi_uniform_set_goal(lwi_uniform_run *run, uint32_t region, lw_vec3 at) {
  lwi_uniform_mark_goal(run, region);
  if (run->query->has_landmarks) run->goal = lwi_landmark_goal_of(run->mesh, region, at);
}

bool lwi_uniform_take(lwi_uniform_run *run, lwi_heap_entry *entry) {
  lwi_uniform_scratch *scratch = run->scratch;
  const lwi_heap_entry next = scratch->next;
  if (next.item == LWI_NONE) return lwi_heap_pop(&scratch->open, entry);
  scratch->next.item = LWI_NONE;
  if (scratch->open.count == 0 || next.key <= scratch->open.entries[0].key) {
    *entry = next;
    return true;
  }
  if (!lwi_heap_push(&scratch->open, run->memory, next.key, next.item)) run->failed = true;
  return !run->failed && lwi_heap_pop(&scratch->open, entry);
}
