/* Island labels of a live navmesh, updated where it changes: polygons that portals connect have equal labels.

   What was cut in this round, and what borders it, is touched; all else keeps its portals. Touched polygons form
   groups that are connected among themselves, and clusters: what was cut and lies together, and what borders it. Labels
   of a group are of one class: they become one. Whatever led through a cluster still does if all that borders it is in
   one group, which is so for nearly all clusters. Groups of the others may be connected outside of what is touched, or
   no longer be: flood fills from each of a class then advance in turn over the whole navmesh, until they have met, or
   all but one have nothing left to visit; those are islands of their own now. All clusters of a class are settled at
   once: of three parts in a row, the outer ones must not both keep the label. Where a class has several labels, flood
   fills of these advance in the same way, and the last flood that still runs gives its label to the others. So the work
   grows with what is touched, and with the smaller of the parts that separate or meet. */
#include "core/sort.h"
#include "mesh/live_parts.h"

#include <string.h>

static uint32_t *labels_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_ISLANDS].items;
}
static uint32_t *groups_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_GROUPS].items;
}
static uint32_t *visits_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_VISITS].items;
}

static uint32_t new_label(lwi_live *live) {
  live->islands.has_other_labels = true;
  return live->islands.next_label++;
}

static void next_visit(lwi_live *live) {
  live->islands.visit += 1;
  if (live->islands.visit > 0) return;
  memset(visits_of(live), 0, live->counts[LWI_LIVE_POLYGON] * sizeof(uint32_t));
  live->islands.visit = 1;
}

/* --- what is touched -------------------------------------------------------------------------------------- */

static uint32_t cluster_root(lwi_islands *islands, uint32_t cluster) {
  while (islands->clusters.items[cluster] != cluster)
    cluster = islands->clusters.items[cluster] = islands->clusters.items[islands->clusters.items[cluster]];
  return cluster;
}

void lwi_islands_cluster(lwi_islands *islands, uint32_t a, uint32_t b) {
  islands->clusters.items[cluster_root(islands, b)] = cluster_root(islands, a);
}

static bool touch(lwi_live *live, uint32_t polygon, uint32_t cluster, bool is_new) {
  lwi_islands *islands = &live->islands;
  const int count = islands->touched.count + 1;
  if (!lwi_reserve(live->memory, &islands->touched.items, &islands->touched.capacity, count,
                   sizeof *islands->touched.items) ||
      !lwi_reserve(live->memory, &islands->cluster_of.items, &islands->cluster_of.capacity, count,
                   sizeof *islands->cluster_of.items))
    return false;
  islands->cluster_of.items[islands->touched.count] = cluster;
  islands->touched.items[islands->touched.count++] = polygon;
  visits_of(live)[polygon] = live->islands.visit;
  groups_of(live)[polygon] = LWI_NONE;
  if (is_new) labels_of(live)[polygon] = LWI_NONE;
  return true;
}

static bool touch_all(lwi_live *live) {
  live->islands.touched.count = 0;
  next_visit(live);
  for (int i = 0; i < live->unlinked.count; i++) {
    const lwi_block *block = &live->blocks.items[live->block_of[live->unlinked.items[i]]];
    const lwi_span parts = lwi_block_parts(block);
    const uint32_t cluster = cluster_root(&live->islands, (uint32_t)i);
    for (uint32_t k = parts.first; k < parts.first + parts.count; k++)
      if (!touch(live, k, cluster, block->is_dirty)) return false;
  }
  return true;
}

/* Number the groups of touched polygons that portals connect. */
static bool group_touched(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  const lwi_mesh_graph *graph = &live->mesh.graph;
  uint32_t *groups = groups_of(live);
  const uint32_t *visits = visits_of(live);
  islands->group_count = 0;
  if (!lwi_reserve(live->memory, &live->islands.stack.items, &live->islands.stack.capacity,
                   islands->touched.count, sizeof *live->islands.stack.items))
    return false;
  for (int i = 0; i < islands->touched.count; i++) {
    if (groups[islands->touched.items[i]] != LWI_NONE) continue;
    const uint32_t group = (uint32_t)islands->group_count++;
    int depth = 0;
    live->islands.stack.items[depth++] = islands->touched.items[i];
    groups[islands->touched.items[i]] = group;
    while (depth > 0) {
      const uint32_t at = live->islands.stack.items[--depth];
      for (uint32_t k = graph->first_portal[at]; k < graph->end_portal[at]; k++) {
        const uint32_t to = graph->portals[k].to;
        if (visits[to] != live->islands.visit || groups[to] != LWI_NONE) continue;
        groups[to] = group;
        live->islands.stack.items[depth++] = to;
      }
    }
  }
  return true;
}

/* --- floods ----------------------------------------------------------------------------------------------- */

static bool add_flooded(lwi_live *live, uint32_t flood, uint32_t polygon) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->flooded.items, &islands->flooded.capacity,
                   islands->flooded.count + 1, sizeof *islands->flooded.items))
    return false;
  const uint32_t at = (uint32_t)islands->flooded.count++;
  islands->flooded.items[at] = (lwi_flooded){polygon, LWI_NONE};
  lwi_flood *of = &islands->floods.items[flood];
  if (of->last == LWI_NONE)
    of->first = of->next = at;
  else
    islands->flooded.items[of->last].next = at;
  if (of->next == LWI_NONE) of->next = at;
  of->last = at;
  visits_of(live)[polygon] = live->islands.visit;
  groups_of(live)[polygon] = flood;
  return true;
}

/* @param part  That its polygons have as touched ones: lwi_member.part. */
static bool begin_flood(lwi_live *live, uint32_t part) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->floods.items, &islands->floods.capacity, islands->floods.count + 1,
                   sizeof *islands->floods.items))
    return false;
  const uint32_t flood = (uint32_t)islands->floods.count++;
  islands->floods.items[flood] = (lwi_flood){
      .parent = flood, .part = part, .label = LWI_NONE, .first = LWI_NONE, .last = LWI_NONE, .next = LWI_NONE};
  return true;
}

static uint32_t flood_root(lwi_islands *islands, uint32_t flood) {
  while (islands->floods.items[flood].parent != flood)
    flood = islands->floods.items[flood].parent =
        islands->floods.items[islands->floods.items[flood].parent].parent;
  return flood;
}

/* Floods have met. */
static void unite(lwi_islands *islands, uint32_t own, uint32_t other) {
  if (own == other) return;
  islands->running_sets -= islands->floods.items[own].running > 0 && islands->floods.items[other].running > 0;
  islands->floods.items[own].running += islands->floods.items[other].running;
  islands->floods.items[other].parent = own;
}

/* A flood is at its end. */
static void end_flood(lwi_islands *islands, uint32_t flood) {
  lwi_flood *set = &islands->floods.items[flood_root(islands, flood)];
  set->running -= 1;
  islands->running_sets -= set->running == 0;
}

/* Let a flood leave one polygon. @param within_label  Only over polygons with the same label.
   @return false: no memory. */
static bool advance(lwi_live *live, uint32_t flood, bool within_label) {
  lwi_islands *islands = &live->islands;
  const lwi_mesh_graph *graph = &live->mesh.graph;
  const lwi_flooded at = islands->flooded.items[islands->floods.items[flood].next];
  const uint32_t label = labels_of(live)[at.polygon];
  for (uint32_t k = graph->first_portal[at.polygon]; k < graph->end_portal[at.polygon]; k++) {
    const uint32_t to = graph->portals[k].to;
    if (within_label && labels_of(live)[to] != label) continue;
    if (visits_of(live)[to] != live->islands.visit) {
      if (!add_flooded(live, flood, to)) return false;
      continue;
    }
    unite(islands, flood_root(islands, flood), flood_root(islands, groups_of(live)[to]));
  }
  islands->floods.items[flood].next = islands->flooded.items[islands->floods.items[flood].next].next;
  if (islands->floods.items[flood].next == LWI_NONE) end_flood(islands, flood);
  return true;
}

/* All floods begin with a polygon. @return false: no memory. */
static bool list_running(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->running.items, &islands->running.capacity, islands->floods.count,
                   sizeof *islands->running.items))
    return false;
  islands->running.count = islands->running_sets = islands->floods.count;
  for (int i = 0; i < islands->floods.count; i++) {
    islands->running.items[i] = (uint32_t)i;
    islands->floods.items[i].running = 1;
  }
  return true;
}

/* Until all floods but one set are at their end. @param[out] last  The set that is not, or LWI_NONE. */
static bool race(lwi_live *live, bool within_label, uint32_t *last) {
  lwi_islands *islands = &live->islands;
  if (!list_running(live)) return false;
  while (islands->running_sets > 1) {
    int kept = 0;
    for (int i = 0; i < islands->running.count; i++) {
      const uint32_t flood = islands->running.items[i];
      if (!advance(live, flood, within_label)) return false;
      if (islands->floods.items[flood].next != LWI_NONE) islands->running.items[kept++] = flood;
    }
    islands->running.count = kept;
  }
  *last = islands->running.count > 0 ? flood_root(islands, islands->running.items[0]) : LWI_NONE;
  return true;
}

static void begin_race(lwi_live *live) {
  next_visit(live);
  live->islands.floods.count = live->islands.flooded.count = 0;
}

static void set_labels(lwi_live *live, uint32_t flood, uint32_t label) {
  const lwi_islands *islands = &live->islands;
  for (uint32_t i = islands->floods.items[flood].first; i != LWI_NONE; i = islands->flooded.items[i].next)
    labels_of(live)[islands->flooded.items[i].polygon] = label;
}

/* --- labels and groups ------------------------------------------------------------------------------------ */

static int compare_members(const void *left, const void *right) {
  const lwi_member *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  if (a->part != b->part) return a->part < b->part ? -1 : 1;
  return (a->polygon > b->polygon) - (a->polygon < b->polygon);
}

/* Labels that the members of a group have are one class. Only labels that have met another one are listed: all others
   are classes of their own. */
static int find_label(const lwi_islands *islands, uint32_t label) {
  int low = 0, high = islands->labels.count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (islands->labels.items[middle] < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low < islands->labels.count && islands->labels.items[low] == label ? low : -1;
}

static uint32_t class_root(lwi_islands *islands, uint32_t at) {
  uint32_t *classes = islands->classes.items;
  while (classes[at] != at) at = classes[at] = classes[classes[at]];
  return at;
}

/* @return One of its labels. */
static uint32_t class_of(lwi_islands *islands, uint32_t label) {
  const int at = islands->labels.count > 0 ? find_label(islands, label) : -1;
  return at < 0 ? label : islands->labels.items[class_root(islands, (uint32_t)at)];
}

static bool reserve_marks(lwi_live *live, int count) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->marks.items, &islands->marks.capacity, count,
                   sizeof *islands->marks.items))
    return false;
  for (int i = 0; i < count; i++) islands->marks.items[i] = LWI_NONE;
  return true;
}

static bool add_member(lwi_live *live, lwi_member member) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->members.items, &islands->members.capacity,
                   islands->members.count + 1, sizeof *islands->members.items))
    return false;
  islands->members.items[islands->members.count++] = member;
  return true;
}

/* List labels that have met in a group: `key` and `part` of members. */
static bool list_meetings(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  islands->members.count = 0;
  if (!reserve_marks(live, islands->group_count)) return false;
  for (int i = 0; i < islands->touched.count; i++) {
    const uint32_t label = labels_of(live)[islands->touched.items[i]];
    uint32_t *known = &islands->marks.items[islands->group_of.items[i]];
    if (label == LWI_NONE || *known == label) continue;
    if (*known != LWI_NONE && !add_member(live, (lwi_member){*known, label, 0})) return false;
    *known = label;
  }
  return true;
}

static int compare_labels(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool find_classes(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  lwi_number_list *labels = &islands->labels, *classes = &islands->classes;
  labels->count = 0;
  if (!list_meetings(live)) return false;
  const int count = 2 * islands->members.count;
  if (!lwi_reserve(live->memory, &labels->items, &labels->capacity, count, sizeof *labels->items) ||
      !lwi_reserve(live->memory, &classes->items, &classes->capacity, count, sizeof *classes->items))
    return false;
  for (int i = 0; i < count; i++)
    labels->items[i] = i % 2 ? islands->members.items[i / 2].part : islands->members.items[i / 2].key;
  lwi_sort(labels->items, (size_t)count, sizeof *labels->items, compare_labels);
  for (int i = 0; i < count; i++)
    if (i == 0 || labels->items[i] != labels->items[i - 1]) labels->items[labels->count++] = labels->items[i];
  for (int i = 0; i < labels->count; i++) classes->items[i] = (uint32_t)i;
  for (int i = 0; i < islands->members.count; i++) {
    const uint32_t a = class_root(islands, (uint32_t)find_label(islands, islands->members.items[i].key)),
                   b = class_root(islands, (uint32_t)find_label(islands, islands->members.items[i].part));
    classes->items[a > b ? a : b] = a < b ? a : b;
  }
  return true;
}

/* Of clusters: members are in several groups. */
#define SEVERAL (LWI_NONE - 1)

static bool mark_clusters(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  if (!reserve_marks(live, live->unlinked.count)) return false;
  for (int i = 0; i < islands->touched.count; i++) {
    if (labels_of(live)[islands->touched.items[i]] == LWI_NONE) continue;
    uint32_t *known = &islands->marks.items[islands->cluster_of.items[i]];
    const uint32_t group = islands->group_of.items[i];
    *known = *known == LWI_NONE || *known == group ? group : SEVERAL;
  }
  return true;
}

/* List touched polygons that have a label, by their class and group: those of clusters with several groups. */
static bool list_by_group(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  islands->members.count = 0;
  if (!mark_clusters(live)) return false;
  for (int i = 0; i < islands->touched.count; i++) {
    const uint32_t polygon = islands->touched.items[i], label = labels_of(live)[polygon];
    if (label == LWI_NONE || islands->marks.items[islands->cluster_of.items[i]] != SEVERAL) continue;
    if (!add_member(live, (lwi_member){class_of(islands, label), islands->group_of.items[i], polygon}))
      return false;
  }
  return true;
}

/* List touched polygons with a label that has met another one, by their class and label. */
static bool list_by_label(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  islands->members.count = 0;
  for (int i = 0; i < islands->touched.count && islands->labels.count > 0; i++) {
    const uint32_t polygon = islands->touched.items[i], label = labels_of(live)[polygon];
    if (label == LWI_NONE || find_label(islands, label) < 0) continue;
    if (!add_member(live, (lwi_member){class_of(islands, label), label, polygon})) return false;
  }
  return true;
}

/* One flood for each part of the members `first` to before `end`. */
static bool begin_floods(lwi_live *live, int first, int end) {
  lwi_islands *islands = &live->islands;
  begin_race(live);
  for (int i = first; i < end; i++) {
    const lwi_member member = islands->members.items[i];
    if ((i == first || member.part != islands->members.items[i - 1].part) && !begin_flood(live, member.part))
      return false;
    if (!add_flooded(live, (uint32_t)islands->floods.count - 1, member.polygon)) return false;
  }
  return true;
}

/* Settle a class that stands in several groups: each set of floods that is separate from the one that keeps its labels
   gets a new one. */
static bool split_class(lwi_live *live, int first, int end) {
  lwi_islands *islands = &live->islands;
  uint32_t last;
  if (!begin_floods(live, first, end) || !race(live, false, &last)) return false;
  /* Of those at their end, one may keep the labels if no flood is left. */
  const uint32_t kept = flood_root(islands, last == LWI_NONE ? 0 : last);
  for (int i = 0; i < islands->floods.count; i++) {
    const uint32_t root = flood_root(islands, (uint32_t)i);
    if (root == kept) continue;
    uint32_t *label = &islands->floods.items[root].label;
    if (*label == LWI_NONE) *label = new_label(live);
    set_labels(live, (uint32_t)i, *label);
  }
  return true;
}

/* Settle a class that has several labels: all get the label of the flood that still runs. */
static bool merge_labels(lwi_live *live, int first, int end) {
  lwi_islands *islands = &live->islands;
  uint32_t last;
  if (!begin_floods(live, first, end) || !race(live, true, &last)) return false;
  const uint32_t kept = islands->floods.items[last == LWI_NONE ? 0 : last].part;
  live->islands.has_other_labels = true;
  for (int i = 0; i < islands->floods.count; i++)
    if (islands->floods.items[i].part != kept) set_labels(live, (uint32_t)i, kept);
  return true;
}

/* Call `settle` with the members of each class that have several parts. */
static bool for_each_class(lwi_live *live, bool (*settle)(lwi_live *live, int first, int end)) {
  lwi_islands *islands = &live->islands;
  lwi_sort(islands->members.items, (size_t)islands->members.count, sizeof *islands->members.items,
           compare_members);
  for (int first = 0, end; first < islands->members.count; first = end) {
    const lwi_member *members = islands->members.items;
    for (end = first + 1; end < islands->members.count && members[end].key == members[first].key;) end++;
    if (members[end - 1].part != members[first].part && !settle(live, first, end)) return false;
  }
  return true;
}

/* What is new has the label of its group, or a new one. */
static void label_new(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  uint32_t *of_group = live->islands.stack.items;
  for (int i = 0; i < islands->group_count; i++) of_group[i] = LWI_NONE;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < islands->touched.count; i++) {
      uint32_t *label = &labels_of(live)[islands->touched.items[i]],
               *known = &of_group[islands->group_of.items[i]];
      if (pass == 1 && *known == LWI_NONE) *known = new_label(live);
      if (pass == 0 && *label != LWI_NONE) *known = *label;
      if (pass == 1 && *label == LWI_NONE) *label = *known;
    }
}

/* Floods reuse what says the group of a polygon. */
static bool keep_groups(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->group_of.items, &islands->group_of.capacity, islands->touched.count,
                   sizeof *islands->group_of.items))
    return false;
  for (int i = 0; i < islands->touched.count; i++)
    islands->group_of.items[i] = groups_of(live)[islands->touched.items[i]];
  return true;
}

bool lwi_live_label(lwi_live *live) {
  if (!touch_all(live) || !group_touched(live) || !keep_groups(live) || !find_classes(live) ||
      !list_by_group(live) || !for_each_class(live, split_class) || !list_by_label(live) ||
      !for_each_class(live, merge_labels))
    return false;
  label_new(live);
  return true;
}

void lwi_islands_free(lwi_islands *islands, lwi_memory *memory) {
  lwi_free(memory, islands->touched.items, (size_t)islands->touched.capacity * sizeof *islands->touched.items);
  lwi_free(memory, islands->labels.items, (size_t)islands->labels.capacity * sizeof *islands->labels.items);
  lwi_free(memory, islands->classes.items, (size_t)islands->classes.capacity * sizeof *islands->classes.items);
  lwi_free(memory, islands->group_of.items,
           (size_t)islands->group_of.capacity * sizeof *islands->group_of.items);
  lwi_free(memory, islands->members.items, (size_t)islands->members.capacity * sizeof *islands->members.items);
  lwi_free(memory, islands->cluster_of.items,
           (size_t)islands->cluster_of.capacity * sizeof *islands->cluster_of.items);
  lwi_free(memory, islands->clusters.items,
           (size_t)islands->clusters.capacity * sizeof *islands->clusters.items);
  lwi_free(memory, islands->marks.items, (size_t)islands->marks.capacity * sizeof *islands->marks.items);
  lwi_free(memory, islands->running.items, (size_t)islands->running.capacity * sizeof *islands->running.items);
  lwi_free(memory, islands->floods.items, (size_t)islands->floods.capacity * sizeof *islands->floods.items);
  lwi_free(memory, islands->flooded.items, (size_t)islands->flooded.capacity * sizeof *islands->flooded.items);
  lwi_free(memory, islands->stack.items, (size_t)islands->stack.capacity * sizeof *islands->stack.items);
  *islands = (lwi_islands){0};
}
