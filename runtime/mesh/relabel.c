/* Touched regions form groups that are connected among themselves. Labels of a group are of one class: they become one.
   Whatever led through a cluster still does if all of it that has a label is in one group, which is so for nearly all
   clusters. Groups of the others may be connected outside of what is touched, or no longer be: flood fills from each of
   a class then advance in turn over the whole graph, until they have met, or all but one have nothing left to visit;
   those have labels of their own now. All clusters of a class are settled at once: of three parts in a row, the outer
   ones must not both keep the label. Where a class has several labels, flood fills of these advance in the same way, and
   the last flood that still runs gives its label to the others. */
#include "mesh/relabel.h"

#include "core/sort.h"

#include <string.h>

static bool passes(const lwi_relabel *work, uint32_t region) {
  return lwi_passes(work->graph.mesh, work->filter, lwi_region_polygon(&work->graph, region));
}

/* Whether no step of a portal is in the way. */
static bool climbs(const lwi_relabel *work, uint32_t portal) {
  return !work->filter || lwi_climbs_over(&work->graph, work->filter->climb, &work->graph.portals[portal]);
}

static uint32_t new_label(lwi_relabel *work) {
  work->has_new = true;
  return work->next_label++;
}

static void next_visit(lwi_relabel *work) {
  work->visit += 1;
  if (work->visit > 0) return;
  memset(work->visits, 0, (size_t)work->visit_capacity * sizeof *work->visits);
  work->visit = 1;
}

/* --- what is touched -------------------------------------------------------------------------------------- */

uint32_t lwi_relabel_cluster(lwi_relabel *work, uint32_t cluster) {
  uint32_t *clusters = work->clusters.items;
  while (clusters[cluster] != cluster) cluster = clusters[cluster] = clusters[clusters[cluster]];
  return cluster;
}

void lwi_relabel_join(lwi_relabel *work, uint32_t a, uint32_t b) {
  work->clusters.items[lwi_relabel_cluster(work, b)] = lwi_relabel_cluster(work, a);
}

bool lwi_relabel_set_clusters(lwi_relabel *work, int count) {
  lwi_number_list *clusters = &work->clusters;
  if (!lwi_reserve(work->memory, &clusters->items, &clusters->capacity, count, sizeof *clusters->items))
    return false;
  for (int i = 0; i < count; i++) clusters->items[i] = (uint32_t)i;
  clusters->count = count;
  return true;
}

bool lwi_relabel_begin(lwi_relabel *work, const lwi_graph *graph, const lw_filter *filter, uint32_t *labels) {
  const int count = (int)graph->region_count, known = work->visit_capacity;
  if (!lwi_reserve(work->memory, &work->visits, &work->visit_capacity, count, sizeof *work->visits))
    return false;
  memset(work->visits + known, 0, (size_t)(work->visit_capacity - known) * sizeof *work->visits);
  if (!lwi_reserve(work->memory, &work->groups, &work->group_capacity, count, sizeof *work->groups))
    return false;
  work->graph = *graph;
  work->filter = filter;
  work->labels = labels;
  work->has_new = work->has_spread = false;
  work->touched.count = 0;
  next_visit(work);
  return true;
}

bool lwi_relabel_touch(lwi_relabel *work, uint32_t region, uint32_t cluster, bool is_new) {
  const int count = work->touched.count + 1;
  if (work->visits[region] == work->visit) return true;
  if (is_new) work->labels[region] = LWI_NONE;
  if (!passes(work, region)) return true;
  if (!lwi_reserve(work->memory, &work->touched.items, &work->touched.capacity, count,
                   sizeof *work->touched.items) ||
      !lwi_reserve(work->memory, &work->cluster_of.items, &work->cluster_of.capacity, count,
                   sizeof *work->cluster_of.items))
    return false;
  work->cluster_of.items[work->touched.count] = lwi_relabel_cluster(work, cluster);
  work->touched.items[work->touched.count++] = region;
  work->visits[region] = work->visit;
  work->groups[region] = LWI_NONE;
  return true;
}

/* Number the groups of touched regions that portals connect. */
static bool group_touched(lwi_relabel *work) {
  const lwi_graph *graph = &work->graph;
  uint32_t *groups = work->groups;
  const uint32_t *visits = work->visits;
  work->group_count = 0;
  if (!lwi_reserve(work->memory, &work->stack.items, &work->stack.capacity, work->touched.count,
                   sizeof *work->stack.items))
    return false;
  for (int i = 0; i < work->touched.count; i++) {
    if (groups[work->touched.items[i]] != LWI_NONE) continue;
    const uint32_t group = (uint32_t)work->group_count++;
    int depth = 0;
    work->stack.items[depth++] = work->touched.items[i];
    groups[work->touched.items[i]] = group;
    while (depth > 0) {
      const uint32_t at = work->stack.items[--depth];
      for (uint32_t k = graph->first_portal[at]; k < graph->end_portal[at]; k++) {
        const uint32_t to = graph->portals[k].to;
        if (visits[to] != work->visit || groups[to] != LWI_NONE || !climbs(work, k)) continue;
        groups[to] = group;
        work->stack.items[depth++] = to;
      }
    }
  }
  return true;
}

/* --- floods ----------------------------------------------------------------------------------------------- */

static bool add_flooded(lwi_relabel *work, uint32_t flood, uint32_t region) {
  if (!lwi_reserve(work->memory, &work->flooded.items, &work->flooded.capacity, work->flooded.count + 1,
                   sizeof *work->flooded.items))
    return false;
  const uint32_t at = (uint32_t)work->flooded.count++;
  work->flooded.items[at] = (lwi_flooded){region, LWI_NONE};
  lwi_flood *of = &work->floods.items[flood];
  if (of->last == LWI_NONE)
    of->first = of->next = at;
  else
    work->flooded.items[of->last].next = at;
  if (of->next == LWI_NONE) of->next = at;
  of->last = at;
  work->visits[region] = work->visit;
  work->groups[region] = flood;
  return true;
}

/* @param part  That its regions have as touched ones: lwi_member.part. */
static bool begin_flood(lwi_relabel *work, uint32_t part) {
  if (!lwi_reserve(work->memory, &work->floods.items, &work->floods.capacity, work->floods.count + 1,
                   sizeof *work->floods.items))
    return false;
  const uint32_t flood = (uint32_t)work->floods.count++;
  work->floods.items[flood] = (lwi_flood){
      .parent = flood, .part = part, .label = LWI_NONE, .first = LWI_NONE, .last = LWI_NONE, .next = LWI_NONE};
  return true;
}

static uint32_t flood_root(lwi_relabel *work, uint32_t flood) {
  while (work->floods.items[flood].parent != flood)
    flood = work->floods.items[flood].parent = work->floods.items[work->floods.items[flood].parent].parent;
  return flood;
}

/* Floods have met. */
static void unite(lwi_relabel *work, uint32_t own, uint32_t other) {
  if (own == other) return;
  work->running_sets -= work->floods.items[own].running > 0 && work->floods.items[other].running > 0;
  work->floods.items[own].running += work->floods.items[other].running;
  work->floods.items[other].parent = own;
}

/* A flood is at its end. */
static void end_flood(lwi_relabel *work, uint32_t flood) {
  lwi_flood *set = &work->floods.items[flood_root(work, flood)];
  set->running -= 1;
  work->running_sets -= set->running == 0;
}

/* Let a flood leave one region. @param within_label  Only over regions with the same label.
   @return false: no memory. */
static bool advance(lwi_relabel *work, uint32_t flood, bool within_label) {
  const lwi_graph *graph = &work->graph;
  const lwi_flooded at = work->flooded.items[work->floods.items[flood].next];
  const uint32_t label = work->labels[at.region];
  for (uint32_t k = graph->first_portal[at.region]; k < graph->end_portal[at.region]; k++) {
    const uint32_t to = graph->portals[k].to;
    if (!climbs(work, k) || (within_label ? work->labels[to] != label : !passes(work, to))) continue;
    if (work->visits[to] != work->visit) {
      if (!add_flooded(work, flood, to)) return false;
      continue;
    }
    unite(work, flood_root(work, flood), flood_root(work, work->groups[to]));
  }
  work->floods.items[flood].next = work->flooded.items[work->floods.items[flood].next].next;
  if (work->floods.items[flood].next == LWI_NONE) end_flood(work, flood);
  return true;
}

/* All floods begin with a region. @return false: no memory. */
static bool list_running(lwi_relabel *work) {
  if (!lwi_reserve(work->memory, &work->running.items, &work->running.capacity, work->floods.count,
                   sizeof *work->running.items))
    return false;
  work->running.count = work->running_sets = work->floods.count;
  for (int i = 0; i < work->floods.count; i++) {
    work->running.items[i] = (uint32_t)i;
    work->floods.items[i].running = 1;
  }
  return true;
}

/* Until all floods but one set are at their end. @param[out] last  The set that is not, or LWI_NONE. */
static bool race(lwi_relabel *work, bool within_label, uint32_t *last) {
  if (!list_running(work)) return false;
  while (work->running_sets > 1) {
    int kept = 0;
    for (int i = 0; i < work->running.count; i++) {
      const uint32_t flood = work->running.items[i];
      if (!advance(work, flood, within_label)) return false;
      if (work->floods.items[flood].next != LWI_NONE) work->running.items[kept++] = flood;
    }
    work->running.count = kept;
  }
  *last = work->running.count > 0 ? flood_root(work, work->running.items[0]) : LWI_NONE;
  return true;
}

static void begin_race(lwi_relabel *work) {
  next_visit(work);
  work->floods.count = work->flooded.count = 0;
}

static void set_labels(lwi_relabel *work, uint32_t flood, uint32_t label) {
  work->has_spread = true;
  for (uint32_t i = work->floods.items[flood].first; i != LWI_NONE; i = work->flooded.items[i].next)
    work->labels[work->flooded.items[i].region] = label;
}

/* --- labels and groups ------------------------------------------------------------------------------------ */

static int compare_members(const void *left, const void *right) {
  const lwi_member *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  if (a->part != b->part) return a->part < b->part ? -1 : 1;
  return (a->region > b->region) - (a->region < b->region);
}

/* Labels that the members of a group have are one class. Only labels that have met another one are listed: all others
   are classes of their own. */
static int find_label(const lwi_relabel *work, uint32_t label) {
  int low = 0, high = work->classes_of.count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (work->classes_of.items[middle] < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low < work->classes_of.count && work->classes_of.items[low] == label ? low : -1;
}

static uint32_t class_root(lwi_relabel *work, uint32_t at) {
  uint32_t *classes = work->classes.items;
  while (classes[at] != at) at = classes[at] = classes[classes[at]];
  return at;
}

/* @return One of its labels. */
static uint32_t class_of(lwi_relabel *work, uint32_t label) {
  const int at = work->classes_of.count > 0 ? find_label(work, label) : -1;
  return at < 0 ? label : work->classes_of.items[class_root(work, (uint32_t)at)];
}

static bool reserve_marks(lwi_relabel *work, int count) {
  if (!lwi_reserve(work->memory, &work->marks.items, &work->marks.capacity, count, sizeof *work->marks.items))
    return false;
  for (int i = 0; i < count; i++) work->marks.items[i] = LWI_NONE;
  return true;
}

static bool add_member(lwi_relabel *work, lwi_member member) {
  if (!lwi_reserve(work->memory, &work->members.items, &work->members.capacity, work->members.count + 1,
                   sizeof *work->members.items))
    return false;
  work->members.items[work->members.count++] = member;
  return true;
}

/* List labels that have met in a group: `key` and `part` of members. */
static bool list_meetings(lwi_relabel *work) {
  work->members.count = 0;
  if (!reserve_marks(work, work->group_count)) return false;
  for (int i = 0; i < work->touched.count; i++) {
    const uint32_t label = work->labels[work->touched.items[i]];
    uint32_t *known = &work->marks.items[work->group_of.items[i]];
    if (label == LWI_NONE || *known == label) continue;
    if (*known != LWI_NONE && !add_member(work, (lwi_member){*known, label, 0})) return false;
    *known = label;
  }
  return true;
}

static int compare_labels(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool find_classes(lwi_relabel *work) {
  lwi_number_list *labels = &work->classes_of, *classes = &work->classes;
  labels->count = 0;
  if (!list_meetings(work)) return false;
  const int count = 2 * work->members.count;
  if (!lwi_reserve(work->memory, &labels->items, &labels->capacity, count, sizeof *labels->items) ||
      !lwi_reserve(work->memory, &classes->items, &classes->capacity, count, sizeof *classes->items))
    return false;
  for (int i = 0; i < count; i++)
    labels->items[i] = i % 2 ? work->members.items[i / 2].part : work->members.items[i / 2].key;
  lwi_sort(labels->items, (size_t)count, sizeof *labels->items, compare_labels);
  for (int i = 0; i < count; i++)
    if (i == 0 || labels->items[i] != labels->items[i - 1]) labels->items[labels->count++] = labels->items[i];
  for (int i = 0; i < labels->count; i++) classes->items[i] = (uint32_t)i;
  for (int i = 0; i < work->members.count; i++) {
    const uint32_t a = class_root(work, (uint32_t)find_label(work, work->members.items[i].key)),
                   b = class_root(work, (uint32_t)find_label(work, work->members.items[i].part));
    classes->items[a > b ? a : b] = a < b ? a : b;
  }
  return true;
}

/* Of clusters: members are in several groups. */
#define SEVERAL (LWI_NONE - 1)

static bool mark_clusters(lwi_relabel *work) {
  if (!reserve_marks(work, work->clusters.count)) return false;
  for (int i = 0; i < work->touched.count; i++) {
    if (work->labels[work->touched.items[i]] == LWI_NONE) continue;
    uint32_t *known = &work->marks.items[work->cluster_of.items[i]];
    const uint32_t group = work->group_of.items[i];
    *known = *known == LWI_NONE || *known == group ? group : SEVERAL;
  }
  return true;
}

/* List touched regions that have a label, by their class and group: those of clusters with several groups. */
static bool list_by_group(lwi_relabel *work) {
  work->members.count = 0;
  if (!mark_clusters(work)) return false;
  for (int i = 0; i < work->touched.count; i++) {
    const uint32_t region = work->touched.items[i], label = work->labels[region];
    if (label == LWI_NONE || work->marks.items[work->cluster_of.items[i]] != SEVERAL) continue;
    if (!add_member(work, (lwi_member){class_of(work, label), work->group_of.items[i], region})) return false;
  }
  return true;
}

/* List touched regions with a label that has met another one, by their class and label. */
static bool list_by_label(lwi_relabel *work) {
  work->members.count = 0;
  for (int i = 0; i < work->touched.count && work->classes_of.count > 0; i++) {
    const uint32_t region = work->touched.items[i], label = work->labels[region];
    if (label == LWI_NONE || find_label(work, label) < 0) continue;
    if (!add_member(work, (lwi_member){class_of(work, label), label, region})) return false;
  }
  return true;
}

/* One flood for each part of the members `first` to before `end`. */
static bool begin_floods(lwi_relabel *work, int first, int end) {
  begin_race(work);
  for (int i = first; i < end; i++) {
    const lwi_member member = work->members.items[i];
    if ((i == first || member.part != work->members.items[i - 1].part) && !begin_flood(work, member.part))
      return false;
    if (!add_flooded(work, (uint32_t)work->floods.count - 1, member.region)) return false;
  }
  return true;
}

/* Settle a class that stands in several groups: each set of floods that is separate from the one that keeps its labels
   gets a new one. */
static bool split_class(lwi_relabel *work, int first, int end) {
  uint32_t last;
  if (!begin_floods(work, first, end) || !race(work, false, &last)) return false;
  /* Of those at their end, one may keep the labels if no flood is left. */
  const uint32_t kept = flood_root(work, last == LWI_NONE ? 0 : last);
  for (int i = 0; i < work->floods.count; i++) {
    const uint32_t root = flood_root(work, (uint32_t)i);
    if (root == kept) continue;
    uint32_t *label = &work->floods.items[root].label;
    if (*label == LWI_NONE) *label = new_label(work);
    set_labels(work, (uint32_t)i, *label);
  }
  return true;
}

/* Settle a class that has several labels: all get the label of the flood that still runs. */
static bool merge_labels(lwi_relabel *work, int first, int end) {
  uint32_t last;
  if (!begin_floods(work, first, end) || !race(work, true, &last)) return false;
  const uint32_t kept = work->floods.items[last == LWI_NONE ? 0 : last].part;
  work->has_new = true;
  for (int i = 0; i < work->floods.count; i++)
    if (work->floods.items[i].part != kept) set_labels(work, (uint32_t)i, kept);
  return true;
}

/* Call `settle` with the members of each class that have several parts. */
static bool for_each_class(lwi_relabel *work, bool (*settle)(lwi_relabel *work, int first, int end)) {
  lwi_sort(work->members.items, (size_t)work->members.count, sizeof *work->members.items, compare_members);
  for (int first = 0, end; first < work->members.count; first = end) {
    const lwi_member *members = work->members.items;
    for (end = first + 1; end < work->members.count && members[end].key == members[first].key;) end++;
    if (members[end - 1].part != members[first].part && !settle(work, first, end)) return false;
  }
  return true;
}

/* What is new has the label of its group, or a new one. */
static void label_new(lwi_relabel *work) {
  uint32_t *of_group = work->stack.items;
  for (int i = 0; i < work->group_count; i++) of_group[i] = LWI_NONE;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < work->touched.count; i++) {
      uint32_t *label = &work->labels[work->touched.items[i]], *known = &of_group[work->group_of.items[i]];
      if (pass == 1 && *known == LWI_NONE) *known = new_label(work);
      if (pass == 0 && *label != LWI_NONE) *known = *label;
      if (pass == 1 && *label == LWI_NONE) *label = *known;
    }
}

/* Floods reuse what says the group of a region. */
static bool keep_groups(lwi_relabel *work) {
  if (!lwi_reserve(work->memory, &work->group_of.items, &work->group_of.capacity, work->touched.count,
                   sizeof *work->group_of.items))
    return false;
  for (int i = 0; i < work->touched.count; i++) work->group_of.items[i] = work->groups[work->touched.items[i]];
  return true;
}

bool lwi_relabel_run(lwi_relabel *work) {
  if (!group_touched(work) || !keep_groups(work) || !find_classes(work) || !list_by_group(work) ||
      !for_each_class(work, split_class) || !list_by_label(work) || !for_each_class(work, merge_labels))
    return false;
  label_new(work);
  return true;
}

static void free_numbers(lwi_memory *memory, lwi_number_list *list) {
  lwi_free(memory, list->items, (size_t)list->capacity * sizeof *list->items);
}

void lwi_relabel_free(lwi_relabel *work) {
  lwi_memory *memory = work->memory;
  free_numbers(memory, &work->touched);
  free_numbers(memory, &work->group_of);
  free_numbers(memory, &work->cluster_of);
  free_numbers(memory, &work->clusters);
  free_numbers(memory, &work->marks);
  free_numbers(memory, &work->classes_of);
  free_numbers(memory, &work->classes);
  free_numbers(memory, &work->running);
  free_numbers(memory, &work->stack);
  lwi_free(memory, work->visits, (size_t)work->visit_capacity * sizeof *work->visits);
  lwi_free(memory, work->groups, (size_t)work->group_capacity * sizeof *work->groups);
  lwi_free(memory, work->members.items, (size_t)work->members.capacity * sizeof *work->members.items);
  lwi_free(memory, work->floods.items, (size_t)work->floods.capacity * sizeof *work->floods.items);
  lwi_free(memory, work->flooded.items, (size_t)work->flooded.capacity * sizeof *work->flooded.items);
  *work = (lwi_relabel){.memory = memory};
}
