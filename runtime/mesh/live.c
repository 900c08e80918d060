#include "mesh/live_parts.h"

#include "core/status.h"

#include <string.h>

/* --- arrays ----------------------------------------------------------------------------------------------- */

static const size_t element_sizes[LWI_LIVE_ARRAYS] = {
    [LWI_LIVE_RANGES] = sizeof(lwi_ranges),
    [LWI_LIVE_AREAS] = sizeof(lw_area_id),
    [LWI_LIVE_OPENNESS] = sizeof(uint8_t),
    [LWI_LIVE_DEPTHS] = 2 * sizeof(uint8_t),
    [LWI_LIVE_HEADROOMS] = sizeof(uint8_t),
    [LWI_LIVE_STEPS] = sizeof(uint8_t),
    [LWI_LIVE_COSTS] = sizeof(float),
    [LWI_LIVE_ISLANDS] = sizeof(uint32_t),
    [LWI_LIVE_FIRST_PORTALS] = sizeof(uint32_t),
    [LWI_LIVE_END_PORTALS] = sizeof(uint32_t),
    [LWI_LIVE_ORIGINS] = sizeof(uint32_t),
    [LWI_LIVE_GENERATIONS] = sizeof(uint16_t),
    [LWI_LIVE_FIRST_LINKS] = sizeof(uint32_t),
    [LWI_LIVE_END_LINKS] = sizeof(uint32_t),
    [LWI_LIVE_EDGES] = sizeof(uint8_t),
    [LWI_LIVE_CORNERS] = 3 * sizeof(float),
    [LWI_LIVE_PORTALS] = sizeof(lwi_portal),
    [LWI_LIVE_INTERVALS] = sizeof(lwi_portal_interval),
    [LWI_LIVE_INTERVAL_STEPS] = sizeof(uint8_t),
    [LWI_LIVE_PORTAL_HEIGHTS] = sizeof(lwi_portal_heights),
    [LWI_LIVE_LINKS] = sizeof(lwi_link),
    [LWI_LIVE_LINK_IDS] = sizeof(lw_link_id),
    [LWI_LIVE_LINK_COSTS] = sizeof(float),
    [LWI_LIVE_PIECES] = sizeof(lwi_span),
    [LWI_LIVE_BLOCKS] = sizeof(uint32_t),
    [LWI_LIVE_SEEN] = sizeof(uint32_t),
    [LWI_LIVE_RIMS] = sizeof(lwi_rim_edge),
};

/* When they are full, arrays grow by this part. */
#define GROWN_BY 8
/* Corners are read past their end (LWI_SIMD_WIDTH). */
#define CORNERS_BEHIND (LWI_SIMD_WIDTH / 3 + 1)

/* Intervals are numbered by portals, behind those of the base. */
static uint32_t elements_for(const lwi_live *live, int array, uint32_t count) {
  const lwi_mesh_graph *base = &live->base->graph;
  switch (array) {
  case LWI_LIVE_CORNERS: return count + CORNERS_BEHIND;
  case LWI_LIVE_INTERVALS:
  case LWI_LIVE_INTERVAL_STEPS: return base->interval_count + count - base->portal_count;
  case LWI_LIVE_PORTAL_HEIGHTS: return count - base->portal_count;
  default: return count;
  }
}

void lwi_live_publish(lwi_live *live) {
  lw_navmesh *mesh = &live->mesh;
  const lwi_live_array *arrays = live->arrays;
  mesh->polygons.ranges = arrays[LWI_LIVE_RANGES].items;
  mesh->polygons.areas = arrays[LWI_LIVE_AREAS].items;
  mesh->polygons.openness = arrays[LWI_LIVE_OPENNESS].items;
  mesh->polygons.depths = arrays[LWI_LIVE_DEPTHS].items;
  mesh->polygons.headrooms = arrays[LWI_LIVE_HEADROOMS].items;
  mesh->polygons.steps = arrays[LWI_LIVE_STEPS].items;
  mesh->polygons.corners = arrays[LWI_LIVE_CORNERS].items;
  mesh->polygons.edges = arrays[LWI_LIVE_EDGES].items;
  mesh->graph.islands = arrays[LWI_LIVE_ISLANDS].items;
  mesh->graph.first_portal = arrays[LWI_LIVE_FIRST_PORTALS].items;
  mesh->graph.end_portal = arrays[LWI_LIVE_END_PORTALS].items;
  mesh->graph.portals = arrays[LWI_LIVE_PORTALS].items;
  mesh->graph.intervals = arrays[LWI_LIVE_INTERVALS].items;
  mesh->graph.interval_steps = arrays[LWI_LIVE_INTERVAL_STEPS].items;
  mesh->live.portal_heights = arrays[LWI_LIVE_PORTAL_HEIGHTS].items;
  mesh->live.first_interval = live->base->graph.interval_count;
  mesh->live.origins = arrays[LWI_LIVE_ORIGINS].items;
  mesh->live.generations = arrays[LWI_LIVE_GENERATIONS].items;
  mesh->live.pieces = live->pieces = arrays[LWI_LIVE_PIECES].items;
  live->block_of = arrays[LWI_LIVE_BLOCKS].items;
  live->seen = arrays[LWI_LIVE_SEEN].items;
  mesh->live.splits = live->splits.items;
  mesh->live.split_count = (uint32_t)live->splits.count;
  mesh->live.costs = live->marks.has_costs ? arrays[LWI_LIVE_COSTS].items : NULL;
  mesh->live.base_count = live->base->polygons.count;
  mesh->polygons.count = live->counts[LWI_LIVE_POLYGON];
  mesh->polygons.corner_count = live->counts[LWI_LIVE_CORNER];
  mesh->graph.portal_count = live->counts[LWI_LIVE_PORTAL];
  if (!lwi_live_has_links(live)) return;
  mesh->links.ids = arrays[LWI_LIVE_LINK_IDS].items;
  mesh->links.costs = arrays[LWI_LIVE_LINK_COSTS].items;
  mesh->links.items = arrays[LWI_LIVE_LINKS].items;
  mesh->links.first = arrays[LWI_LIVE_FIRST_LINKS].items;
  mesh->links.end = arrays[LWI_LIVE_END_LINKS].items;
  mesh->links.count = live->counts[LWI_LIVE_LINK];
}

/* Of each kind the first array, and that of the next kind. */
static const int arrays_of[LWI_LIVE_KINDS + 1] = {LWI_LIVE_RANGES, LWI_LIVE_EDGES,  LWI_LIVE_PORTALS,
                                                  LWI_LIVE_LINKS,  LWI_LIVE_PIECES, LWI_LIVE_RIMS,
                                                  LWI_LIVE_ARRAYS};

/* Space for pieces is added to that for the base, which is much more and does not grow. @return false: no memory. */
static bool grow(lwi_live *live, int number, uint32_t needed) {
  lwi_live_array *array = &live->arrays[number];
  if (needed <= (uint32_t)array->capacity) return true;
  const uint64_t grown = (uint64_t)needed + needed / GROWN_BY + 16;
  if (grown > INT32_MAX) return false;
  const size_t size = element_sizes[number];
  void *items = lwi_resize(live->memory, array->items, (size_t)array->capacity * size, (size_t)grown * size);
  if (!items) return false;
  *array = (lwi_live_array){items, (int)grown};
  return true;
}

static bool reserve(lwi_live *live, lwi_live_kind kind, uint32_t count) {
  bool done = true;
  for (int i = arrays_of[kind]; i < arrays_of[kind + 1] && done; i++)
    done = grow(live, i, elements_for(live, i, count));
  lwi_live_publish(live); /* some may have moved before memory ran out */
  return done;
}

static void clear_ground(lwi_live *live, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) {
    live->pieces[i] = (lwi_span){LWI_NONE, 0};
    live->block_of[i] = LWI_NONE;
    live->seen[i] = 0;
  }
}

/* Mark numbers as unused that no run has had yet: checks and copies go over all of them. */
static void fill_in(lwi_live *live, lwi_live_kind kind, uint32_t from) {
  if (kind == LWI_LIVE_POLYGON) {
    const uint32_t count = live->counts[kind] - from;
    uint16_t *generations = (uint16_t *)live->arrays[LWI_LIVE_GENERATIONS].items + from;
    for (uint32_t i = 0; i < count; i++) generations[i] = live->mesh.live.first_generation;
    memset((lwi_ranges *)live->arrays[LWI_LIVE_RANGES].items + from, 0, count * sizeof(lwi_ranges));
    lwi_live_clear(live, (lwi_slot_run){from, count});
  }
  if (kind == LWI_LIVE_GROUND) clear_ground(live, from, live->counts[kind]);
  if (kind == LWI_LIVE_LINK) lwi_live_clear_links(live, (lwi_slot_run){from, live->counts[kind] - from});
}

lwi_slot_run lwi_live_take(lwi_live *live, lwi_live_kind kind, uint32_t count) {
  lwi_runs *runs = &live->runs[kind];
  lwi_slot_run run = lwi_runs_take(runs, live->memory, count);
  if (run.space == 0 || runs->end == live->counts[kind]) return run;
  if (!reserve(live, kind, runs->end)) {
    lwi_runs_give_back(runs, &run);
    return run;
  }
  const uint32_t known = live->counts[kind];
  live->counts[kind] = runs->end;
  lwi_live_publish(live);
  fill_in(live, kind, known);
  return run;
}

void lwi_live_give_back(lwi_live *live, lwi_live_kind kind, lwi_slot_run *run) {
  lwi_runs_give_back(&live->runs[kind], run);
}

static void copy(lwi_live *live, int array, const void *from, size_t count) {
  if (count > 0) memcpy(live->arrays[array].items, from, count * element_sizes[array]);
}

/* One polygon number behind those of the base stays unused: its range ends the corners of the last one. */
static bool copy_base(lwi_live *live) {
  const lw_navmesh *base = live->base;
  const uint32_t polygons = base->polygons.count, corners = base->polygons.corner_count,
                 portals = base->graph.portal_count, links = base->links.count;
  const uint32_t counts[LWI_LIVE_KINDS] = {polygons + 1, corners, portals, links, polygons, 0};
  for (int kind = 0; kind < LWI_LIVE_KINDS; kind++) {
    live->runs[kind].end = live->counts[kind] = counts[kind];
    if (!reserve(live, (lwi_live_kind)kind, counts[kind])) return false;
  }
  copy(live, LWI_LIVE_RANGES, base->polygons.ranges, polygons + 1);
  copy(live, LWI_LIVE_AREAS, base->polygons.areas, polygons);
  copy(live, LWI_LIVE_OPENNESS, base->polygons.openness, polygons);
  copy(live, LWI_LIVE_DEPTHS, base->polygons.depths, polygons);
  copy(live, LWI_LIVE_HEADROOMS, base->polygons.headrooms, polygons);
  copy(live, LWI_LIVE_STEPS, base->polygons.steps, polygons);
  copy(live, LWI_LIVE_ISLANDS, base->graph.islands, polygons);
  copy(live, LWI_LIVE_FIRST_PORTALS, base->graph.first_portal, polygons);
  copy(live, LWI_LIVE_END_PORTALS, base->graph.end_portal, polygons);
  copy(live, LWI_LIVE_EDGES, base->polygons.edges, corners);
  memcpy(live->mesh.polygons.corners, base->polygons.corners,
         (3 * (size_t)corners + LWI_SIMD_WIDTH) * sizeof(float));
  copy(live, LWI_LIVE_PORTALS, base->graph.portals, portals);
  live->islands.next_label = base->graph.island_count;
  memset(live->mesh.live.generations, 0, polygons * sizeof *live->mesh.live.generations);
  live->mesh.live.generations[polygons] = live->mesh.live.first_generation;
  copy(live, LWI_LIVE_INTERVALS, base->graph.intervals, base->graph.interval_count);
  copy(live, LWI_LIVE_INTERVAL_STEPS, base->graph.interval_steps, base->graph.interval_count);
  lwi_live_copy_links(live);
  clear_ground(live, 0, polygons);
  memset(live->arrays[LWI_LIVE_COSTS].items, 0, polygons * sizeof(float));
  for (uint32_t i = 0; i < polygons; i++) live->mesh.live.origins[i] = i;
  lwi_live_clear(live, (lwi_slot_run){polygons, 1});
  return true;
}

void lwi_live_clear(lwi_live *live, lwi_slot_run run) {
  lw_navmesh *mesh = &live->mesh;
  for (uint32_t i = run.first; i < run.first + run.space; i++) {
    mesh->live.origins[i] = mesh->graph.islands[i] = LWI_NONE;
    mesh->polygons.areas[i] = LW_AREA_NONE;
    ((float *)live->arrays[LWI_LIVE_COSTS].items)[i] = 0;
    mesh->polygons.openness[i] = mesh->polygons.depths[2 * i] = mesh->polygons.depths[2 * i + 1] = 0;
    mesh->polygons.headrooms[i] = mesh->polygons.steps[i] = 0;
    mesh->graph.first_portal[i] = ((uint32_t *)live->arrays[LWI_LIVE_END_PORTALS].items)[i] = 0;
    ((uint32_t *)live->arrays[LWI_LIVE_FIRST_LINKS].items)[i] = 0;
    ((uint32_t *)live->arrays[LWI_LIVE_END_LINKS].items)[i] = 0;
  }
}

/* --- creating and destroying ------------------------------------------------------------------------------ */

static void free_copies(lwi_live *live) {
  lwi_memory *memory = live->memory;
  for (int i = 0; i < LWI_LIVE_ARRAYS; i++) {
    lwi_live_array *array = &live->arrays[i];
    lwi_free(memory, array->items, (size_t)array->capacity * element_sizes[i]);
    *array = (lwi_live_array){0};
  }
  lwi_live_free_links(live);
  live->pieces = NULL;
  live->block_of = live->seen = NULL;
}

/* Let queries read the base: there is no copy. */
static void show_base(lwi_live *live) {
  const lwi_mesh_live before = live->mesh.live;
  memcpy(&live->mesh, live->base, sizeof live->mesh);
  live->mesh.live.version = before.version;
  live->mesh.live.tile_generations = before.tile_generations;
  live->mesh.live.first_generation = before.first_generation;
  live->mesh.identity = 0;
  live->mesh.live.base = live->base;
  live->mesh.live.journal = &live->islands.journal;
  live->mesh.live.lowered = live->marks.lowered;
  live->mesh.links.ids = live->links.ids;
  live->mesh.links.clearances = live->links.clearances;
  if (live->mesh.live.tile_generations) live->mesh.tiles.generations = live->mesh.live.tile_generations;
}

bool lwi_live_start(lwi_live *live) {
  if (live->pieces) return true;
  live->mesh.live.version += 1; /* there are other arrays now, and one number more */
  if (live->base->polygons.count == 0 || (copy_base(live) && lwi_live_index_links(live))) return true;
  free_copies(live);
  show_base(live);
  return false;
}

/* For what is further behind than changes of a quarter of the polygons, a rebuild is as fast. */
#define JOURNAL_MIN 256

lwi_live *lwi_live_create(lwi_memory *memory, const lw_navmesh *base) {
  lwi_live *live = lwi_alloc_zero(memory, sizeof *live);
  if (!live) return NULL;
  live->memory = live->cut.memory = memory;
  live->base = base;
  live->islands.relabel.memory = memory;
  live->islands.journal.limit = (int)(base->polygons.count / 4) + JOURNAL_MIN;
  show_base(live);
  return live;
}

static void free_block(lwi_live *live, lwi_block *block) {
  lwi_free(live->memory, block->numbers, (size_t)block->number_capacity * sizeof *block->numbers);
}

static void free_entry(lwi_live *live, lwi_live_entry *entry) {
  lwi_free(live->memory, entry->sides, (size_t)entry->side_capacity * sizeof *entry->sides);
  lwi_free(live->memory, entry->grounds, (size_t)entry->ground_capacity * sizeof *entry->grounds);
}

static void free_within(lwi_live *live) {
  lwi_portal_list *within = &live->join.within;
  lwi_back_list *back = &live->join.back;
  lwi_free(live->memory, within->items, (size_t)within->capacity * sizeof *within->items);
  lwi_free(live->memory, back->items, (size_t)back->capacity * sizeof *back->items);
  *within = (lwi_portal_list){0};
  *back = (lwi_back_list){0};
}

void lwi_live_destroy(lwi_live *live) {
  if (!live) return;
  lwi_memory *memory = live->memory;
  for (int i = 0; i < live->blocks.count; i++) free_block(live, &live->blocks.items[i]);
  for (int i = 0; i < live->entry_capacity; i++) free_entry(live, &live->entries[i]);
  free_copies(live);
  lwi_live_forget_links(live);
  lwi_free(memory, live->blocks.items, (size_t)live->blocks.capacity * sizeof *live->blocks.items);
  lwi_free(memory, live->blocks.free.items,
           (size_t)live->blocks.free.capacity * sizeof *live->blocks.free.items);
  lwi_free(memory, live->dirty.items, (size_t)live->dirty.capacity * sizeof *live->dirty.items);
  lwi_free(memory, live->relinked.items, (size_t)live->relinked.capacity * sizeof *live->relinked.items);
  lwi_free(memory, live->unlinked.items, (size_t)live->unlinked.capacity * sizeof *live->unlinked.items);
  lwi_free(memory, live->changed.items, (size_t)live->changed.capacity * sizeof *live->changed.items);
  lwi_free(memory, live->entries, (size_t)live->entry_capacity * sizeof *live->entries);
  lwi_live_free_splits(live);
  lwi_free(memory, live->outline.corners, (size_t)live->outline.capacity * sizeof *live->outline.corners);
  lwi_free(memory, live->join.slopes.items,
           (size_t)live->join.slopes.capacity * sizeof *live->join.slopes.items);
  lwi_free(memory, live->join.heights, (size_t)live->join.height_capacity * sizeof *live->join.heights);
  lwi_free(memory, live->join.across.items,
           (size_t)live->join.across.capacity * sizeof *live->join.across.items);
  lwi_free(memory, live->join.portals.items,
           (size_t)live->join.portals.capacity * sizeof *live->join.portals.items);
  lwi_free(memory, live->join.order, (size_t)live->join.order_capacity * sizeof *live->join.order);
  free_within(live);
  lwi_free(memory, live->join.edges.items, (size_t)live->join.edges.capacity * sizeof *live->join.edges.items);
  lwi_free(memory, live->join.rim.items, (size_t)live->join.rim.capacity * sizeof *live->join.rim.items);
  lwi_cut_free(&live->cut);
  lwi_relabel_free(&live->islands.relabel);
  lwi_live_journal_free(&live->islands.journal, memory);
  for (int i = 0; i < LWI_LIVE_KINDS; i++) lwi_runs_free(&live->runs[i], memory);
  lwi_free(memory, live->mesh.live.tile_generations,
           live->base->tiles.count * sizeof *live->mesh.live.tile_generations);
  lwi_free(memory, live, sizeof *live);
}

const lw_navmesh *lwi_live_mesh(const lwi_live *live) {
  return &live->mesh;
}

/* --- blocks ----------------------------------------------------------------------------------------------- */

/* Lists of blocks have space for all of them, so that marking one never fails. */
static bool reserve_lists(lwi_live *live, int count) {
  lwi_memory *memory = live->memory;
  return lwi_reserve(memory, &live->blocks.free.items, &live->blocks.free.capacity, count,
                     sizeof *live->blocks.free.items) &&
         lwi_reserve(memory, &live->dirty.items, &live->dirty.capacity, count, sizeof *live->dirty.items) &&
         lwi_reserve(memory, &live->relinked.items, &live->relinked.capacity, count,
                     sizeof *live->relinked.items) &&
         lwi_reserve(memory, &live->unlinked.items, &live->unlinked.capacity, count,
                     sizeof *live->unlinked.items) &&
         lwi_reserve(memory, &live->islands.relabel.clusters.items, &live->islands.relabel.clusters.capacity,
                     count, sizeof *live->islands.relabel.clusters.items) &&
         lwi_reserve(memory, &live->changed.items, &live->changed.capacity, count, sizeof *live->changed.items);
}

lwi_block *lwi_live_make_block(lwi_live *live, uint32_t ground) {
  uint32_t *number = &live->block_of[ground];
  if (live->blocks.free.count > 0) {
    *number = live->blocks.free.items[--live->blocks.free.count];
  } else {
    if (!lwi_reserve(live->memory, &live->blocks.items, &live->blocks.capacity, live->blocks.count + 1,
                     sizeof *live->blocks.items) ||
        !reserve_lists(live, live->blocks.count + 1))
      return NULL;
    *number = (uint32_t)live->blocks.count++;
    live->blocks.items[*number] = (lwi_block){0};
  }
  lwi_block *block = &live->blocks.items[*number];
  block->ground = block->polygon = ground;
  block->split = LWI_NONE;
  return block;
}

void lwi_live_free_block(lwi_live *live, lwi_block *block) {
  const uint32_t number = live->block_of[block->ground];
  live->block_of[block->ground] = LWI_NONE;
  live->blocks.free.items[live->blocks.free.count++] = number;
}

/* Free squares that are not needed, and the block's number if the polygon is again as in the base. */
static void drop_block(lwi_live *live, lwi_block *block) {
  if (lwi_is_square(block)) return;
  if (block->split != LWI_NONE && !lwi_live_is_split(live, block->polygon)) lwi_live_free_squares(live, block);
  if (block->is_cut || block->number_count > 0 || block->portals.space > 0 || block->link_changes > 0) return;
  lwi_live_free_block(live, block);
}

void lwi_live_relink(lwi_live *live, lwi_block *block) {
  if (block->is_relinked) return;
  block->is_relinked = true;
  live->relinked.items[live->relinked.count++] = block->polygon;
}

void lwi_live_mark_dirty(lwi_live *live, lwi_block *block) {
  if (block->is_dirty) return;
  block->is_dirty = true;
  live->dirty.items[live->dirty.count++] = block->ground;
}

bool lwi_live_unlink(lwi_live *live, uint32_t ground) {
  lwi_block *block = lwi_live_block(live, ground);
  if (!block) return false;
  if (block->is_unlinked) return true;
  block->is_unlinked = true;
  block->unlinked_at = (uint32_t)live->unlinked.count;
  block->first_back = LWI_NONE;
  live->islands.relabel.clusters.items[block->unlinked_at] = block->unlinked_at;
  live->unlinked.items[live->unlinked.count++] = ground;
  return true;
}

/* --- applying --------------------------------------------------------------------------------------------- */

static bool unlink_across(lwi_live *live, uint32_t ground) {
  for (int i = 0; i < live->join.across.count; i++) {
    if (!lwi_live_unlink(live, live->join.across.items[i])) return false;
    lwi_relabel_join(&live->islands.relabel, lwi_live_block(live, ground)->unlinked_at,
                     lwi_live_block(live, live->join.across.items[i])->unlinked_at);
  }
  return true;
}

/* Ground that is cut, or was, and what borders on it get new portals. */
static bool unlink_around(lwi_live *live, uint32_t ground) {
  if (!lwi_live_unlink(live, ground)) return false;
  const lwi_span portals = lwi_live_base_portals(live, lwi_live_block(live, ground));
  for (uint32_t k = portals.first; k < portals.first + portals.count; k++)
    if (!lwi_live_list_across(live, lwi_live_block(live, ground), &live->base->graph.portals[k]) ||
        !unlink_across(live, ground))
      return false;
  const lwi_block *block = lwi_live_block(live, ground);
  if (lwi_is_square(block) && (!lwi_live_list_beside(live, block) || !unlink_across(live, ground)))
    return false;
  return lwi_live_unlink_links_to(live, ground);
}

/* @param[out] changed  false: only squares of it. @return false: no memory. */
static bool cut(lwi_live *live, lwi_block *block, bool *changed) {
  *changed = true;
  if (lwi_is_square(block)) {
    *changed = lwi_live_is_split(live, block->polygon);
    return !*changed || lwi_live_cut(live, block);
  }
  if (block->split != LWI_NONE) *changed = lwi_live_split(live, block);
  return lwi_live_is_split(live, block->polygon) || lwi_live_cut(live, block);
}

/* Squares become dirty where their polygon is split, which they then come after. */
static bool cut_all(lwi_live *live) {
  for (int i = 0; i < live->dirty.count; i++) {
    const uint32_t ground = live->dirty.items[i];
    bool changed;
    if (!cut(live, lwi_live_block(live, ground), &changed)) return false;
    if (changed && !unlink_around(live, ground)) return false;
  }
  return true;
}

static bool join_all(lwi_live *live) {
  for (int i = 0; i < live->unlinked.count; i++) {
    lwi_block *block = lwi_live_block(live, live->unlinked.items[i]);
    if (!lwi_live_join(live, block) || !lwi_live_join_links(live, block)) return false;
  }
  return true;
}

/* The links that leave a polygon have changed. */
static bool relink(lwi_live *live, uint32_t polygon) {
  const lwi_block *block = lwi_live_block(live, polygon);
  lwi_span grounds = {polygon, 1};
  if (lwi_live_is_split(live, polygon)) {
    const lwi_split *split = &live->splits.items[block->split];
    grounds = (lwi_span){split->first, split->count};
  }
  for (uint32_t i = grounds.first; i < grounds.first + grounds.count; i++) {
    lwi_block *ground = lwi_live_block(live, i);
    if (!ground->is_unlinked && !lwi_live_join_links(live, ground)) return false;
  }
  return true;
}

static bool relink_all(lwi_live *live) {
  for (int i = 0; i < live->relinked.count; i++)
    if (!relink(live, live->relinked.items[i])) return false;
  return true;
}

/* Put back the labels of the base: nothing is cut now. */
static void restore_labels(lwi_live *live) {
  if (!live->islands.has_other_labels) return;
  live->islands.has_other_labels = false;
  copy(live, LWI_LIVE_ISLANDS, live->base->graph.islands, live->base->polygons.count);
  live->islands.next_label = live->base->graph.island_count;
}

static void add_changed(lwi_live *live, const lwi_number_list *grounds) {
  for (int i = 0; i < grounds->count; i++) {
    const uint32_t polygon = lwi_live_block(live, grounds->items[i])->polygon;
    if (live->seen[polygon] != live->stamp) live->changed.items[live->changed.count++] = polygon;
    live->seen[polygon] = live->stamp;
  }
}

static void list_changed(lwi_live *live) {
  live->changed.count = 0;
  lwi_live_begin_round(live);
  add_changed(live, &live->unlinked);
  add_changed(live, &live->relinked);
}

/* Squares go with their polygon, of which they come before or after. */
static void drop_blocks(lwi_live *live, const lwi_number_list *grounds) {
  for (int i = 0; i < grounds->count; i++) {
    const uint32_t number = live->block_of[grounds->items[i]];
    if (number != LWI_NONE) drop_block(live, &live->blocks.items[number]);
  }
}

/* Scratch stays that has space for no more than this many portals, beyond four times the lesser count of the last two
   rounds. */
#define FEW_PORTALS 256

/* Filling a level with obstacles takes much scratch, which later rounds do not need: few obstacles move then. */
static void trim_scratch(lwi_live *live) {
  lwi_join_scratch *join = &live->join;
  const int now = join->within.count, often = now < join->within_before ? now : join->within_before;
  join->within_before = now;
  if (join->within.capacity > 4 * often + FEW_PORTALS) free_within(live);
}

/* After a round that succeeded: unmark what it did, and free blocks of polygons that are again as in the base. */
static void settle(lwi_live *live) {
  list_changed(live);
  lwi_live_note_changes(live);
  for (int i = 0; i < live->dirty.count; i++) lwi_live_block(live, live->dirty.items[i])->is_dirty = false;
  for (int i = 0; i < live->unlinked.count; i++)
    lwi_live_block(live, live->unlinked.items[i])->is_unlinked = false;
  for (int i = 0; i < live->relinked.count; i++)
    lwi_live_block(live, live->relinked.items[i])->is_relinked = false;
  drop_blocks(live, &live->unlinked);
  drop_blocks(live, &live->relinked);
  trim_scratch(live);
  live->dirty.count = live->unlinked.count = live->relinked.count = 0;
  if (live->blocks.free.count == live->blocks.count) restore_labels(live);
}

/* After a round that ran out of memory: the base again, with all footprints still to be cut. */
static void uncut_all(lwi_live *live) {
  for (int i = 0; i < live->blocks.count; i++) {
    lwi_block *block = &live->blocks.items[i];
    if (live->block_of[block->ground] != (uint32_t)i) continue;
    lwi_live_restore(live, block);
    lwi_live_restore_portals(live, block);
    lwi_live_restore_links(live, block);
  }
  lwi_live_copy_links(live);
  for (int i = 0; i < live->unlinked.count; i++)
    lwi_live_block(live, live->unlinked.items[i])->is_unlinked = false;
  live->unlinked.count = 0;
  for (int i = 0; i < live->blocks.count; i++) {
    lwi_block *block = &live->blocks.items[i];
    if (live->block_of[block->ground] != (uint32_t)i) continue;
    if (block->number_count > 0) lwi_live_mark_dirty(live, block);
    if (block->link_changes > 0) lwi_live_relink(live, block);
    if (!block->is_dirty && !block->is_relinked) drop_block(live, block);
  }
  live->islands.has_other_labels = true; /* some may be missing */
  lwi_live_journal_forget(&live->islands.journal, live->mesh.live.version);
  restore_labels(live);
}

const uint32_t *lwi_live_changed(const lwi_live *live, int *count) {
  *count = live->changed.count;
  return live->changed.items;
}

bool lwi_live_apply(lwi_live *live) {
  live->changed.count = 0;
  if (live->dirty.count == 0 && live->relinked.count == 0) return true;
  live->mesh.live.version += 1;
  live->join.within.count = live->join.back.count = 0;
  live->marks.has_costs = live->marks.cost_count > 0;
  lwi_live_publish(live);
  if (cut_all(live) && join_all(live) && relink_all(live) && lwi_live_label(live) &&
      lwi_live_journal_reserve(&live->islands.journal, live->memory,
                               live->unlinked.count + live->relinked.count)) {
    settle(live);
    return true;
  }
  uncut_all(live);
  return false;
}

/* --- checking --------------------------------------------------------------------------------------------- */

lw_status lwi_live_check(const lwi_live *live, lw_error *error) {
  for (uint32_t i = 0; i < live->mesh.polygons.count; i++) {
    if (!lwi_is_there(&live->mesh, i)) continue;
    lw_status status = lwi_polygon_check(&live->mesh, i, error);
    if (status) return status;
  }
  return LW_OK;
}
