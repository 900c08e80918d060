/* Labels that keep up with a live navmesh: its journal says which ground changes touched. With clearance that is more
   than the ground, and the regions of all of it are new. */
#include "search/reach.h"

#include "mesh/live_journal.h"

#include <string.h>

void lwi_reach_scratch_free(lwi_reach_scratch *scratch) {
  lwi_memory *memory = scratch->relabel.memory;
  lwi_free(memory, scratch->grounds.items, (size_t)scratch->grounds.capacity * sizeof(uint32_t));
  lwi_free(memory, scratch->numbers.items, (size_t)scratch->numbers.capacity * sizeof(uint32_t));
  lwi_free(memory, scratch->is_new.items, (size_t)scratch->is_new.capacity * sizeof(uint32_t));
  lwi_relabel_free(&scratch->relabel);
}

/* Make space for a ground's number. */
static bool reserve_number(lwi_reach_scratch *scratch, uint32_t ground) {
  lwi_number_list *numbers = &scratch->numbers;
  const int known = numbers->capacity;
  if (!lwi_reserve(scratch->relabel.memory, &numbers->items, &numbers->capacity, (int)ground + 1,
                   sizeof *numbers->items))
    return false;
  if (numbers->capacity > known)
    memset(numbers->items + known, 0, (size_t)(numbers->capacity - known) * sizeof *numbers->items);
  return true;
}

/* @return LWI_NONE: it is not listed. */
static uint32_t number_of(const lwi_reach_scratch *scratch, uint32_t ground) {
  if (ground >= (uint32_t)scratch->numbers.capacity) return LWI_NONE;
  const uint32_t number = scratch->numbers.items[ground];
  const bool is_listed = number < (uint32_t)scratch->grounds.count && scratch->grounds.items[number] == ground;
  return is_listed ? number : LWI_NONE;
}

static bool list_ground(lwi_reach_scratch *scratch, const lwi_ground_touch *touch) {
  lwi_number_list *grounds = &scratch->grounds;
  if (!reserve_number(scratch, touch->ground)) return false;
  const uint32_t known = number_of(scratch, touch->ground);
  if (known != LWI_NONE) {
    scratch->is_new.items[known] |= touch->is_new;
    return true;
  }
  const int count = grounds->count + 1;
  lwi_memory *memory = scratch->relabel.memory;
  if (!lwi_reserve(memory, &grounds->items, &grounds->capacity, count, sizeof *grounds->items) ||
      !lwi_reserve(memory, &scratch->is_new.items, &scratch->is_new.capacity, count, sizeof(uint32_t)))
    return false;
  scratch->numbers.items[touch->ground] = (uint32_t)grounds->count;
  scratch->is_new.items[grounds->count] = touch->is_new;
  grounds->items[grounds->count++] = touch->ground;
  return true;
}

/* List what was touched since a version, with clusters. @param[out] has_links  Links may begin there. */
static bool list_touched(const lwi_live_journal *journal, uint64_t version, lwi_reach_scratch *scratch,
                         bool *has_links) {
  const int first = lwi_live_journal_since(journal, version);
  *has_links = false;
  scratch->grounds.count = 0;
  for (int i = first; i < journal->count; i++) {
    const lwi_ground_touch *touch = lwi_live_journal_at(journal, i);
    if (!list_ground(scratch, touch)) return false;
    *has_links |= touch->has_links;
  }
  if (!lwi_relabel_set_clusters(&scratch->relabel, scratch->grounds.count)) return false;
  for (int i = first; i < journal->count; i++) {
    const lwi_ground_touch *touch = lwi_live_journal_at(journal, i);
    lwi_relabel_join(&scratch->relabel, scratch->numbers.items[touch->leader],
                     scratch->numbers.items[touch->ground]);
  }
  return true;
}

static bool touch_grounds(const lw_navmesh *mesh, lwi_reach_scratch *scratch) {
  for (int i = 0; i < scratch->grounds.count; i++) {
    const lwi_span parts = lwi_ground_parts(mesh, scratch->grounds.items[i]);
    for (uint32_t k = parts.first; k < parts.first + parts.count; k++)
      if (!lwi_relabel_touch(&scratch->relabel, k, (uint32_t)i, scratch->is_new.items[i])) return false;
  }
  return true;
}

static bool list_polygon(const lw_navmesh *mesh, lwi_reach_scratch *scratch, uint32_t part) {
  return list_ground(scratch, &(lwi_ground_touch){.ground = lwi_origin_of(mesh, part)});
}

/* Do something with each region of the polygons that the clearance has updated, and of those beside them. */
typedef bool (*on_region)(const lwi_reach *reach, lwi_reach_scratch *scratch, uint32_t region, bool is_updated);

static bool for_each_region(const lwi_reach *reach, lwi_reach_scratch *scratch, on_region call) {
  const lwi_graph *graph = &reach->graph;
  int count;
  const uint32_t *updated = lwi_clearance_updated(reach->clearance, &count);
  for (int i = 0; i < count; i++)
    for (uint32_t region = updated[i]; region != LWI_NONE; region = lwi_next_region(graph, region)) {
      if (!call(reach, scratch, region, true)) return false;
      for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
        const uint32_t to = graph->portals[k].to;
        if (!lwi_clearance_is_updated(reach->clearance, lwi_region_polygon(graph, to)) &&
            !call(reach, scratch, to, false))
          return false;
      }
    }
  return true;
}

static bool list_region(const lwi_reach *reach, lwi_reach_scratch *scratch, uint32_t region, bool is_updated) {
  (void)is_updated;
  return list_polygon(reach->graph.mesh, scratch, lwi_region_polygon(&reach->graph, region));
}

static bool touch_region(const lwi_reach *reach, lwi_reach_scratch *scratch, uint32_t region, bool is_updated) {
  const uint32_t origin = lwi_origin_of(reach->graph.mesh, lwi_region_polygon(&reach->graph, region));
  return lwi_relabel_touch(&scratch->relabel, region, scratch->numbers.items[origin], is_updated);
}

/* Clusters for clearance are polygons of the base that lie together. */
static bool cluster_polygons(const lwi_reach *reach, lwi_reach_scratch *scratch) {
  const lw_navmesh *mesh = reach->graph.mesh, *base = lwi_base_of(mesh);
  const int count = scratch->grounds.count;
  for (int i = 0; i < count; i++) {
    const uint32_t polygon = lwi_ground_polygon(mesh, scratch->grounds.items[i]);
    if (polygon != LWI_NONE && !list_polygon(mesh, scratch, polygon)) return false;
  }
  if (!for_each_region(reach, scratch, list_region) ||
      !lwi_relabel_set_clusters(&scratch->relabel, scratch->grounds.count))
    return false;
  for (int i = 0; i < scratch->grounds.count; i++) {
    const uint32_t polygon = scratch->grounds.items[i];
    if (polygon >= base->polygons.count) continue;
    for (uint32_t k = base->graph.first_portal[polygon]; k < base->graph.end_portal[polygon]; k++) {
      const uint32_t to = base->graph.portals[k].to, other = number_of(scratch, to);
      if (other != LWI_NONE) lwi_relabel_join(&scratch->relabel, (uint32_t)i, other);
    }
  }
  return true;
}

static bool update_clearance(lwi_reach *reach, lwi_reach_scratch *scratch, bool *has_links) {
  const lwi_changed_grounds changed = {scratch->grounds.items, scratch->is_new.items, scratch->grounds.count};
  bool moved;
  if (!lwi_clearance_update(reach->clearance, &reach->filter, &changed, &moved)) return false;
  *has_links |= moved;
  reach->graph = reach->clearance->graph;
  return cluster_polygons(reach, scratch);
}

static bool update_labels(lwi_reach *reach, lwi_memory *memory, lwi_reach_scratch *scratch) {
  lwi_relabel *relabel = &scratch->relabel;
  const lw_navmesh *mesh = reach->graph.mesh;
  bool has_links;
  reach->graph = lwi_graph_of(mesh);
  if (!list_touched(mesh->live.journal, reach->version, scratch, &has_links) ||
      (reach->clearance && !update_clearance(reach, scratch, &has_links)) ||
      !lwi_reach_reserve_labels(reach, memory) ||
      !lwi_relabel_begin(relabel, &reach->graph, &reach->filter, reach->labels))
    return false;
  relabel->next_label = reach->next_label;
  if (!(reach->clearance ? for_each_region(reach, scratch, touch_region) : touch_grounds(mesh, scratch)) ||
      !lwi_relabel_run(relabel))
    return false;
  reach->next_label = relabel->next_label;
  reach->version = mesh->live.version;
  return !(has_links || relabel->has_spread) || lwi_reach_join_by_links(reach, memory);
}

bool lwi_reach_update(lwi_reach *reach, lwi_memory *memory, lwi_reach_scratch *scratch) {
  const lw_navmesh *mesh = reach->graph.mesh;
  if (reach->version == mesh->live.version) return true;
  if ((!reach->clearance || lwi_clearance_fits(reach->clearance)) && reach->next_label < LWI_NONE / 2 &&
      lwi_live_journal_knows(mesh->live.journal, reach->version)) {
    if (update_labels(reach, memory, scratch)) return true;
    lwi_reach_free(reach, memory);
    return false;
  }
  const lw_filter filter = reach->filter;
  lwi_reach_free(reach, memory);
  return lwi_reach_make(reach, memory, mesh, &filter);
}
