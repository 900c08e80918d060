#include "query/blockers.h"

/* Of a lane, a path pays for each metre. */
static float strength_of(lwi_timed_kind kind, const lwi_blocker *blocker) {
  return kind == LWI_DANGER ? blocker->price : blocker->price / (2 * blocker->radius);
}

static void clear(lwi_blocker_scratch *scratch) {
  for (int i = 0; i < scratch->count; i++) {
    lwi_outline_index_remove(&scratch->outlines, (uint32_t)i);
    lwi_rectangle_tree_remove(&scratch->tree, (uint32_t)i);
  }
  scratch->count = 0;
}

static bool add(lwi_blocker_scratch *scratch, lwi_memory *memory, lwi_timed_kind kind,
                const lwi_blocker *blocker) {
  const float height = 2; /* others are on another floor [m] */
  const uint32_t number = (uint32_t)scratch->count;
  lwi_timed_shape *shape = &scratch->shapes[number];
  *shape = (lwi_timed_shape){blocker->at, blocker->at, blocker->radius, height, strength_of(kind, blocker)};
  const lwi_timed_outline outline = lwi_timed_outline_make(kind, shape);
  if (!lwi_rectangle_tree_add(&scratch->tree, memory, number, lwi_timed_rectangle(shape))) return false;
  if (!lwi_outline_index_add(&scratch->outlines, number, &outline)) {
    lwi_rectangle_tree_remove(&scratch->tree, number);
    return false;
  }
  scratch->count += 1;
  return true;
}

bool lwi_blockers_begin(lwi_blocker_scratch *scratch, lwi_memory *memory, const lw_navmesh *mesh,
                        lwi_timed_kind kind, const lwi_blocker_list *list) {
  clear(scratch);
  scratch->timed.memory = scratch->outlines.memory = memory;
  scratch->outlines.mesh = mesh;
  for (int i = 0; i < list->count; i++)
    if (!add(scratch, memory, kind, &list->items[i])) {
      clear(scratch);
      return false;
    }
  scratch->costs = (lwi_timed_costs){.kind = kind,
                                     .outlines = &scratch->outlines,
                                     .regions = scratch->shapes,
                                     .tree = &scratch->tree,
                                     .scratch = &scratch->timed,
                                     .factor = 1};
  lwi_timed_scratch_begin(&scratch->timed, &scratch->outlines);
  return true;
}

void lwi_blockers_free(lwi_blocker_scratch *scratch, lwi_memory *memory) {
  lwi_rectangle_tree_free(&scratch->tree, memory);
  if (scratch->outlines.memory) lwi_outline_index_free(&scratch->outlines);
  lwi_timed_scratch_free(&scratch->timed);
}

void lwi_blockers_settle(lw_path *path, lwi_timed_kind kind) {
  bool has_paid = false;
  for (int i = 0; i < path->point_count; i++) {
    lwi_cost_record *record = &path->records[i];
    float *paid = kind == LWI_DANGER ? &record->danger : &record->lanes;
    has_paid |= *paid > 0;
    *paid = 0;
  }
  if (has_paid) path->cost = lwi_path_cost_sum(path);
}
