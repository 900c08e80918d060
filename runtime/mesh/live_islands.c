/* Island labels of a live navmesh, updated where it changes: polygons that portals connect have equal labels.

   What was cut in this round, and what borders it, is touched; all else keeps its portals. Touched polygons form
   groups that are connected among themselves, in most rounds one group with one label, and nothing is left to do.
   Where a label is left in several groups, they may be connected outside of what is touched, or no longer be: flood
   fills from each of them then advance in turn over the whole navmesh, until they have met, or all but one have
   nothing left to visit; those are islands of their own now. Where a group has several labels, flood fills of these
   advance in the same way, and the last flood that still runs gives its label to the others. So the work grows with
   what is touched, and with the smaller of the parts that separate or meet. */
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

static bool touch(lwi_live *live, uint32_t polygon, bool is_new) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->touched, &islands->touched_capacity, islands->touched_count + 1,
                   sizeof *islands->touched))
    return false;
  islands->touched[islands->touched_count++] = polygon;
  visits_of(live)[polygon] = live->islands.visit;
  groups_of(live)[polygon] = LWI_NONE;
  if (is_new) labels_of(live)[polygon] = LWI_NONE;
  return true;
}

static bool touch_all(lwi_live *live) {
  live->islands.touched_count = 0;
  next_visit(live);
  for (int i = 0; i < live->unlinked.count; i++) {
    const lwi_block *block = &live->blocks.items[live->block_of[live->unlinked.items[i]]];
    const lwi_span parts = lwi_block_parts(block);
    for (uint32_t k = parts.first; k < parts.first + parts.count; k++)
      if (!touch(live, k, block->is_dirty)) return false;
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
  if (!lwi_reserve(live->memory, &live->islands.stack, &live->islands.stack_capacity, islands->touched_count,
                   sizeof *live->islands.stack) ||
      !lwi_reserve(live->memory, &islands->groups, &islands->group_capacity, islands->touched_count,
                   sizeof *islands->groups))
    return false;
  for (int i = 0; i < islands->touched_count; i++) {
    if (groups[islands->touched[i]] != LWI_NONE) continue;
    const uint32_t group = (uint32_t)islands->group_count++;
    islands->groups[group] = group;
    int depth = 0;
    live->islands.stack[depth++] = islands->touched[i];
    groups[islands->touched[i]] = group;
    while (depth > 0) {
      const uint32_t at = live->islands.stack[--depth];
      for (uint32_t k = graph->first_portal[at]; k < graph->end_portal[at]; k++) {
        const uint32_t to = graph->portals[k].to;
        if (visits[to] != live->islands.visit || groups[to] != LWI_NONE) continue;
        groups[to] = group;
        live->islands.stack[depth++] = to;
      }
    }
  }
  return true;
}

static uint32_t root_of(lwi_islands *islands, uint32_t group) {
  while (islands->groups[group] != group)
    group = islands->groups[group] = islands->groups[islands->groups[group]];
  return group;
}

/* --- floods ----------------------------------------------------------------------------------------------- */

static bool add_flooded(lwi_live *live, uint32_t flood, uint32_t polygon) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->flooded, &islands->flooded_capacity, islands->flooded_count + 1,
                   sizeof *islands->flooded))
    return false;
  const uint32_t at = (uint32_t)islands->flooded_count++;
  islands->flooded[at] = (lwi_flooded){polygon, LWI_NONE};
  lwi_flood *of = &islands->floods[flood];
  if (of->last == LWI_NONE)
    of->first = of->next = at;
  else
    islands->flooded[of->last].next = at;
  if (of->next == LWI_NONE) of->next = at;
  of->last = at;
  visits_of(live)[polygon] = live->islands.visit;
  groups_of(live)[polygon] = flood;
  return true;
}

/* @param part  That its polygons have as touched ones: lwi_member.part. */
static bool begin_flood(lwi_live *live, uint32_t part) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->floods, &islands->flood_capacity, islands->flood_count + 1,
                   sizeof *islands->floods))
    return false;
  const uint32_t flood = (uint32_t)islands->flood_count++;
  islands->floods[flood] = (lwi_flood){
      .parent = flood, .part = part, .label = LWI_NONE, .first = LWI_NONE, .last = LWI_NONE, .next = LWI_NONE};
  return true;
}

static uint32_t flood_root(lwi_islands *islands, uint32_t flood) {
  while (islands->floods[flood].parent != flood)
    flood = islands->floods[flood].parent = islands->floods[islands->floods[flood].parent].parent;
  return flood;
}

/* Let a flood leave one polygon. @param within_label  Only over polygons with the same label.
   @return false: no memory. */
static bool advance(lwi_live *live, uint32_t flood, bool within_label) {
  lwi_islands *islands = &live->islands;
  const lwi_mesh_graph *graph = &live->mesh.graph;
  const lwi_flooded at = islands->flooded[islands->floods[flood].next];
  const uint32_t label = labels_of(live)[at.polygon];
  for (uint32_t k = graph->first_portal[at.polygon]; k < graph->end_portal[at.polygon]; k++) {
    const uint32_t to = graph->portals[k].to;
    if (within_label && labels_of(live)[to] != label) continue;
    if (visits_of(live)[to] != live->islands.visit) {
      if (!add_flooded(live, flood, to)) return false;
      continue;
    }
    const uint32_t own = flood_root(islands, flood), other = flood_root(islands, groups_of(live)[to]);
    if (own != other) islands->floods[other].parent = own;
  }
  islands->floods[flood].next = islands->flooded[islands->floods[flood].next].next;
  return true;
}

/* How many parts of the floods, as far as they have met, are not at their end. @param[out] part  Such a one. */
static int count_running(lwi_islands *islands, uint32_t *part) {
  int count = 0;
  for (int i = 0; i < islands->flood_count; i++) islands->floods[i].runs = false;
  for (int i = 0; i < islands->flood_count; i++)
    if (islands->floods[i].next != LWI_NONE) islands->floods[flood_root(islands, (uint32_t)i)].runs = true;
  for (int i = 0; i < islands->flood_count; i++) {
    if (!islands->floods[i].runs) continue;
    *part = (uint32_t)i;
    count += 1;
  }
  return count;
}

/* Until all floods but one part are at their end. @param[out] last  The part that is not, or LWI_NONE. */
static bool race(lwi_live *live, bool within_label, uint32_t *last) {
  lwi_islands *islands = &live->islands;
  for (;;) {
    *last = LWI_NONE;
    if (count_running(islands, last) <= 1) return true;
    for (int i = 0; i < islands->flood_count; i++)
      if (islands->floods[i].next != LWI_NONE && !advance(live, (uint32_t)i, within_label)) return false;
  }
}

static void begin_race(lwi_live *live) {
  next_visit(live);
  live->islands.flood_count = live->islands.flooded_count = 0;
}

static void set_labels(lwi_live *live, uint32_t flood, uint32_t label) {
  const lwi_islands *islands = &live->islands;
  for (uint32_t i = islands->floods[flood].first; i != LWI_NONE; i = islands->flooded[i].next)
    labels_of(live)[islands->flooded[i].polygon] = label;
}

/* --- labels and groups ------------------------------------------------------------------------------------ */

static int compare_members(const void *left, const void *right) {
  const lwi_member *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  if (a->part != b->part) return a->part < b->part ? -1 : 1;
  return (a->polygon > b->polygon) - (a->polygon < b->polygon);
}

/* List touched polygons that have a label, sorted by label and group, or by group and label. */
static bool list_members(lwi_live *live, bool by_group) {
  lwi_islands *islands = &live->islands;
  islands->member_count = 0;
  if (!lwi_reserve(live->memory, &islands->members, &islands->member_capacity, islands->touched_count,
                   sizeof *islands->members))
    return false;
  for (int i = 0; i < islands->touched_count; i++) {
    const uint32_t polygon = islands->touched[i], label = labels_of(live)[polygon],
                   group = root_of(islands, islands->group_of[i]);
    if (label == LWI_NONE) continue;
    islands->members[islands->member_count++] =
        by_group ? (lwi_member){group, label, polygon} : (lwi_member){label, group, polygon};
  }
  lwi_sort(islands->members, (size_t)islands->member_count, sizeof *islands->members, compare_members);
  return true;
}

/* One flood for each part of the members `first` to before `end`. */
static bool begin_floods(lwi_live *live, int first, int end) {
  lwi_islands *islands = &live->islands;
  begin_race(live);
  for (int i = first; i < end; i++) {
    const lwi_member member = islands->members[i];
    if ((i == first || member.part != islands->members[i - 1].part) && !begin_flood(live, member.part))
      return false;
    if (!add_flooded(live, (uint32_t)islands->flood_count - 1, member.polygon)) return false;
  }
  return true;
}

/* Settle a label that stands in several groups: groups whose floods have met become one, and each set of floods that is
   separate from the one that keeps the label gets a new one. */
static bool split_label(lwi_live *live, int first, int end) {
  lwi_islands *islands = &live->islands;
  uint32_t last;
  if (!begin_floods(live, first, end) || !race(live, false, &last)) return false;
  /* Of those at their end, one may keep the label if no flood is left. */
  const uint32_t kept = flood_root(islands, last == LWI_NONE ? 0 : last);
  for (int i = 0; i < islands->flood_count; i++) {
    const uint32_t root = flood_root(islands, (uint32_t)i);
    islands->groups[root_of(islands, islands->floods[i].part)] = root_of(islands, islands->floods[root].part);
    if (root == kept) continue;
    uint32_t *label = &islands->floods[root].label;
    if (*label == LWI_NONE) *label = new_label(live);
    set_labels(live, (uint32_t)i, *label);
  }
  return true;
}

/* Settle a group that has several labels: all get the label of the flood that still runs. */
static bool merge_labels(lwi_live *live, int first, int end) {
  lwi_islands *islands = &live->islands;
  uint32_t last;
  if (!begin_floods(live, first, end) || !race(live, true, &last)) return false;
  const uint32_t kept = islands->floods[last == LWI_NONE ? 0 : last].part;
  live->islands.has_other_labels = true;
  for (int i = 0; i < islands->flood_count; i++)
    if (islands->floods[i].part != kept) set_labels(live, (uint32_t)i, kept);
  return true;
}

/* Call `settle` with the members of each label that stands in several groups, or of each group with several labels. */
static bool for_each_mixed(lwi_live *live, bool by_group, bool (*settle)(lwi_live *live, int first, int end)) {
  lwi_islands *islands = &live->islands;
  if (!list_members(live, by_group)) return false;
  for (int first = 0, end; first < islands->member_count; first = end) {
    const lwi_member *members = islands->members;
    for (end = first + 1; end < islands->member_count && members[end].key == members[first].key;) end++;
    if (members[end - 1].part != members[first].part && !settle(live, first, end)) return false;
  }
  return true;
}

/* What is new has the label of its group, or a new one. */
static void label_new(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  uint32_t *of_group = live->islands.stack;
  for (int i = 0; i < islands->group_count; i++) of_group[i] = LWI_NONE;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < islands->touched_count; i++) {
      uint32_t *label = &labels_of(live)[islands->touched[i]],
               *known = &of_group[root_of(islands, islands->group_of[i])];
      if (pass == 1 && *known == LWI_NONE) *known = new_label(live);
      if (pass == 0 && *label != LWI_NONE) *known = *label;
      if (pass == 1 && *label == LWI_NONE) *label = *known;
    }
}

/* Floods reuse what says the group of a polygon. */
static bool keep_groups(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  if (!lwi_reserve(live->memory, &islands->group_of, &islands->group_of_capacity, islands->touched_count,
                   sizeof *islands->group_of))
    return false;
  for (int i = 0; i < islands->touched_count; i++) islands->group_of[i] = groups_of(live)[islands->touched[i]];
  return true;
}

bool lwi_live_label(lwi_live *live) {
  if (!touch_all(live) || !group_touched(live) || !keep_groups(live) ||
      !for_each_mixed(live, false, split_label) || !for_each_mixed(live, true, merge_labels))
    return false;
  label_new(live);
  return true;
}

void lwi_islands_free(lwi_islands *islands, lwi_memory *memory) {
  lwi_free(memory, islands->touched, (size_t)islands->touched_capacity * sizeof *islands->touched);
  lwi_free(memory, islands->groups, (size_t)islands->group_capacity * sizeof *islands->groups);
  lwi_free(memory, islands->group_of, (size_t)islands->group_of_capacity * sizeof *islands->group_of);
  lwi_free(memory, islands->members, (size_t)islands->member_capacity * sizeof *islands->members);
  lwi_free(memory, islands->floods, (size_t)islands->flood_capacity * sizeof *islands->floods);
  lwi_free(memory, islands->flooded, (size_t)islands->flooded_capacity * sizeof *islands->flooded);
  lwi_free(memory, islands->stack, (size_t)islands->stack_capacity * sizeof *islands->stack);
  *islands = (lwi_islands){0};
}
