#include "mesh/live_parts.h"

#include "core/status.h"

#include <string.h>

/* --- arrays ----------------------------------------------------------------------------------------------- */

static const size_t element_sizes[LWI_LIVE_ARRAYS] = {
    [LWI_LIVE_RANGES] = sizeof(lwi_ranges),
    [LWI_LIVE_AREAS] = sizeof(lw_area_id),
    [LWI_LIVE_OPENNESS] = sizeof(uint8_t),
    [LWI_LIVE_DEEP_WATERS] = sizeof(uint8_t),
    [LWI_LIVE_ISLANDS] = sizeof(uint32_t),
    [LWI_LIVE_FIRST_PORTALS] = sizeof(uint32_t),
    [LWI_LIVE_END_PORTALS] = sizeof(uint32_t),
    [LWI_LIVE_ORIGINS] = sizeof(uint32_t),
    [LWI_LIVE_GENERATIONS] = sizeof(uint16_t),
    [LWI_LIVE_FIRST_LINKS] = sizeof(uint32_t),
    [LWI_LIVE_END_LINKS] = sizeof(uint32_t),
    [LWI_LIVE_VISITS] = sizeof(uint32_t),
    [LWI_LIVE_GROUPS] = sizeof(uint32_t),
    [LWI_LIVE_EDGES] = sizeof(uint8_t),
    [LWI_LIVE_EDGE_ORIGINS] = sizeof(uint32_t),
    [LWI_LIVE_EDGE_PIECES] = sizeof(uint32_t),
    [LWI_LIVE_CORNERS] = 3 * sizeof(float),
    [LWI_LIVE_PORTALS] = sizeof(lwi_portal),
    [LWI_LIVE_INTERVALS] = sizeof(lwi_portal_interval),
    [LWI_LIVE_LINKS] = sizeof(lwi_link),
};

/* Corners are read past their end (LWI_SIMD_WIDTH). */
#define CORNERS_BEHIND (LWI_SIMD_WIDTH / 3 + 1)

/* Intervals are numbered by portals, behind those of the base. */
static uint32_t elements_for(const lwi_live *live, int array, uint32_t count) {
  if (array == LWI_LIVE_CORNERS) return count + CORNERS_BEHIND;
  return array == LWI_LIVE_INTERVALS ? live->base->graph.interval_count + count - live->base->graph.portal_count
                                     : count;
}

static void publish(lwi_live *live) {
  lw_navmesh *mesh = &live->mesh;
  const lwi_live_array *arrays = live->arrays;
  mesh->polygons.ranges = arrays[LWI_LIVE_RANGES].items;
  mesh->polygons.areas = arrays[LWI_LIVE_AREAS].items;
  mesh->polygons.openness = arrays[LWI_LIVE_OPENNESS].items;
  mesh->polygons.deep_waters = arrays[LWI_LIVE_DEEP_WATERS].items;
  mesh->polygons.corners = arrays[LWI_LIVE_CORNERS].items;
  mesh->polygons.edges = arrays[LWI_LIVE_EDGES].items;
  mesh->graph.islands = arrays[LWI_LIVE_ISLANDS].items;
  mesh->graph.first_portal = arrays[LWI_LIVE_FIRST_PORTALS].items;
  mesh->graph.end_portal = arrays[LWI_LIVE_END_PORTALS].items;
  mesh->graph.portals = arrays[LWI_LIVE_PORTALS].items;
  mesh->graph.intervals = arrays[LWI_LIVE_INTERVALS].items;
  mesh->live.origins = arrays[LWI_LIVE_ORIGINS].items;
  mesh->live.generations = arrays[LWI_LIVE_GENERATIONS].items;
  mesh->live.pieces = live->pieces;
  mesh->live.base_count = live->base->polygons.count;
  mesh->polygons.count = live->counts[LWI_LIVE_POLYGON];
  mesh->polygons.corner_count = live->counts[LWI_LIVE_CORNER];
  mesh->graph.portal_count = live->counts[LWI_LIVE_PORTAL];
  if (live->base->links.count == 0) return;
  mesh->links.items = arrays[LWI_LIVE_LINKS].items;
  mesh->links.first = arrays[LWI_LIVE_FIRST_LINKS].items;
  mesh->links.end = arrays[LWI_LIVE_END_LINKS].items;
  mesh->links.count = live->counts[LWI_LIVE_LINK];
}

/* Of each kind the first array, and that of the next kind. */
static const int arrays_of[LWI_LIVE_KINDS + 1] = {LWI_LIVE_RANGES, LWI_LIVE_EDGES, LWI_LIVE_PORTALS,
                                                  LWI_LIVE_LINKS, LWI_LIVE_ARRAYS};

static bool reserve(lwi_live *live, lwi_live_kind kind, uint32_t count) {
  bool done = true;
  for (int i = arrays_of[kind]; i < arrays_of[kind + 1] && done; i++) {
    lwi_live_array *array = &live->arrays[i];
    const uint32_t needed = elements_for(live, i, count);
    done = needed <= INT32_MAX &&
           lwi_reserve(live->memory, &array->items, &array->capacity, (int)needed, element_sizes[i]);
  }
  publish(live); /* some may have moved before memory ran out */
  return done;
}

/* Mark numbers as unused that no run has had yet: checks and copies go over all of them. */
static void fill_in(lwi_live *live, lwi_live_kind kind, uint32_t from) {
  if (kind == LWI_LIVE_POLYGON) {
    const uint32_t count = live->counts[kind] - from;
    memset((uint16_t *)live->arrays[LWI_LIVE_GENERATIONS].items + from, 0, count * sizeof(uint16_t));
    memset((lwi_ranges *)live->arrays[LWI_LIVE_RANGES].items + from, 0, count * sizeof(lwi_ranges));
    lwi_live_clear(live, (lwi_slot_run){from, count});
  }
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
  publish(live);
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
  const uint32_t counts[LWI_LIVE_KINDS] = {polygons + 1, corners, portals, links};
  for (int kind = 0; kind < LWI_LIVE_KINDS; kind++) {
    live->runs[kind].end = live->counts[kind] = counts[kind];
    if (!reserve(live, (lwi_live_kind)kind, counts[kind])) return false;
  }
  copy(live, LWI_LIVE_RANGES, base->polygons.ranges, polygons + 1);
  copy(live, LWI_LIVE_AREAS, base->polygons.areas, polygons);
  copy(live, LWI_LIVE_OPENNESS, base->polygons.openness, polygons);
  copy(live, LWI_LIVE_DEEP_WATERS, base->polygons.deep_waters, polygons);
  copy(live, LWI_LIVE_ISLANDS, base->graph.islands, polygons);
  copy(live, LWI_LIVE_FIRST_PORTALS, base->graph.first_portal, polygons);
  copy(live, LWI_LIVE_END_PORTALS, base->graph.end_portal, polygons);
  copy(live, LWI_LIVE_EDGES, base->polygons.edges, corners);
  memcpy(live->mesh.polygons.corners, base->polygons.corners,
         (3 * (size_t)corners + LWI_SIMD_WIDTH) * sizeof(float));
  copy(live, LWI_LIVE_PORTALS, base->graph.portals, portals);
  memset(live->arrays[LWI_LIVE_VISITS].items, 0, (polygons + 1) * sizeof(uint32_t));
  live->islands.next_label = base->graph.island_count;
  memset(live->mesh.live.generations, 0, (polygons + 1) * sizeof *live->mesh.live.generations);
  copy(live, LWI_LIVE_INTERVALS, base->graph.intervals, base->graph.interval_count);
  if (links > 0) {
    copy(live, LWI_LIVE_LINKS, base->links.items, links);
    copy(live, LWI_LIVE_FIRST_LINKS, base->links.first, polygons);
    copy(live, LWI_LIVE_END_LINKS, base->links.end, polygons);
  }
  for (uint32_t i = 0; i < polygons; i++) live->mesh.live.origins[i] = i;
  lwi_live_clear(live, (lwi_slot_run){polygons, 1});
  return true;
}

void lwi_live_clear(lwi_live *live, lwi_slot_run run) {
  lw_navmesh *mesh = &live->mesh;
  for (uint32_t i = run.first; i < run.first + run.space; i++) {
    mesh->live.origins[i] = LWI_NONE;
    mesh->polygons.areas[i] = LW_AREA_NONE;
    mesh->polygons.openness[i] = mesh->polygons.deep_waters[i] = 0;
    mesh->graph.islands[i] = LWI_NONE;
    mesh->graph.first_portal[i] = ((uint32_t *)live->arrays[LWI_LIVE_END_PORTALS].items)[i] = 0;
    ((uint32_t *)live->arrays[LWI_LIVE_FIRST_LINKS].items)[i] = 0;
    ((uint32_t *)live->arrays[LWI_LIVE_END_LINKS].items)[i] = 0;
    ((uint32_t *)live->arrays[LWI_LIVE_VISITS].items)[i] = 0;
  }
}

/* --- creating and destroying ------------------------------------------------------------------------------ */

static bool make_copies(lwi_live *live) {
  const size_t count = live->base->polygons.count;
  live->pieces = lwi_alloc(live->memory, count * sizeof *live->pieces);
  live->block_of = lwi_alloc(live->memory, count * sizeof *live->block_of);
  live->seen = lwi_alloc_zero(live->memory, count * sizeof *live->seen);
  if (!live->pieces || !live->block_of || !live->seen) return false;
  for (size_t i = 0; i < count; i++) {
    live->pieces[i] = (lwi_span){LWI_NONE, 0};
    live->block_of[i] = LWI_NONE;
  }
  return copy_base(live) && lwi_live_index_links(live);
}

static void free_copies(lwi_live *live) {
  lwi_memory *memory = live->memory;
  const size_t count = live->base->polygons.count;
  for (int i = 0; i < LWI_LIVE_ARRAYS; i++) {
    lwi_live_array *array = &live->arrays[i];
    lwi_free(memory, array->items, (size_t)array->capacity * element_sizes[i]);
    *array = (lwi_live_array){0};
  }
  lwi_free(memory, live->pieces, count * sizeof *live->pieces);
  lwi_free(memory, live->block_of, count * sizeof *live->block_of);
  lwi_free(memory, live->seen, count * sizeof *live->seen);
  lwi_live_free_links(live);
  live->pieces = NULL;
  live->block_of = live->seen = NULL;
}

/* Let queries read the base: there is no copy. */
static void show_base(lwi_live *live) {
  memcpy(&live->mesh, live->base, sizeof live->mesh);
  live->mesh.identity = 0;
}

/* Copy what cuts change, at the first of them. @return false: no memory, and nothing has changed. */
static bool start(lwi_live *live) {
  if (live->pieces) return true;
  if (live->base->polygons.count == 0 || make_copies(live)) return true;
  free_copies(live);
  show_base(live);
  return false;
}

lwi_live *lwi_live_create(lwi_memory *memory, const lw_navmesh *base) {
  lwi_live *live = lwi_alloc_zero(memory, sizeof *live);
  if (!live) return NULL;
  live->memory = live->cut.memory = memory;
  live->base = base;
  show_base(live);
  return live;
}

static void free_block(lwi_live *live, lwi_block *block) {
  lwi_free(live->memory, block->numbers, (size_t)block->number_capacity * sizeof *block->numbers);
}

static void free_entry(lwi_live *live, lwi_live_entry *entry) {
  lwi_free(live->memory, entry->sides, (size_t)entry->side_capacity * sizeof *entry->sides);
  lwi_free(live->memory, entry->polygons, (size_t)entry->polygon_capacity * sizeof *entry->polygons);
}

void lwi_live_destroy(lwi_live *live) {
  if (!live) return;
  lwi_memory *memory = live->memory;
  for (int i = 0; i < live->blocks.count; i++) free_block(live, &live->blocks.items[i]);
  for (int i = 0; i < live->entry_capacity; i++) free_entry(live, &live->entries[i]);
  free_copies(live);
  lwi_free(memory, live->blocks.items, (size_t)live->blocks.capacity * sizeof *live->blocks.items);
  lwi_free(memory, live->blocks.free.items,
           (size_t)live->blocks.free.capacity * sizeof *live->blocks.free.items);
  lwi_free(memory, live->dirty.items, (size_t)live->dirty.capacity * sizeof *live->dirty.items);
  lwi_free(memory, live->unlinked.items, (size_t)live->unlinked.capacity * sizeof *live->unlinked.items);
  lwi_free(memory, live->changed.items, (size_t)live->changed.capacity * sizeof *live->changed.items);
  lwi_free(memory, live->entries, (size_t)live->entry_capacity * sizeof *live->entries);
  lwi_free(memory, live->outline, (size_t)live->outline_capacity * sizeof *live->outline);
  lwi_free(memory, live->join.portals, (size_t)live->join.portal_capacity * sizeof *live->join.portals);
  lwi_free(memory, live->join.side_edges, (size_t)live->join.side_capacity * sizeof *live->join.side_edges);
  lwi_cut_free(&live->cut);
  lwi_islands_free(&live->islands, memory);
  for (int i = 0; i < LWI_LIVE_KINDS; i++) lwi_runs_free(&live->runs[i], memory);
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
         lwi_reserve(memory, &live->unlinked.items, &live->unlinked.capacity, count,
                     sizeof *live->unlinked.items) &&
         lwi_reserve(memory, &live->changed.items, &live->changed.capacity, count, sizeof *live->changed.items);
}

lwi_block *lwi_live_block(lwi_live *live, uint32_t polygon) {
  uint32_t *number = &live->block_of[polygon];
  if (*number != LWI_NONE) return &live->blocks.items[*number];
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
  live->blocks.items[*number].polygon = polygon;
  return &live->blocks.items[*number];
}

/* Free the block's number if the polygon is again as in the base. */
static void drop_block(lwi_live *live, lwi_block *block) {
  if (block->is_cut || block->number_count > 0 || block->portals.space > 0) return;
  const uint32_t number = live->block_of[block->polygon];
  live->block_of[block->polygon] = LWI_NONE;
  live->blocks.free.items[live->blocks.free.count++] = number;
}

static void mark_dirty(lwi_live *live, lwi_block *block) {
  if (block->is_dirty) return;
  block->is_dirty = true;
  live->dirty.items[live->dirty.count++] = block->polygon;
}

bool lwi_live_unlink(lwi_live *live, uint32_t polygon) {
  lwi_block *block = lwi_live_block(live, polygon);
  if (!block) return false;
  if (block->is_unlinked) return true;
  block->is_unlinked = true;
  live->unlinked.items[live->unlinked.count++] = polygon;
  return true;
}

/* --- footprints ------------------------------------------------------------------------------------------- */

static bool list_number(lwi_live *live, lwi_block *block, uint32_t number) {
  if (!lwi_reserve(live->memory, &block->numbers, &block->number_capacity, block->number_count + 1,
                   sizeof *block->numbers))
    return false;
  int at = block->number_count++;
  for (; at > 0 && block->numbers[at - 1] > number; at--) block->numbers[at] = block->numbers[at - 1];
  block->numbers[at] = number;
  return true;
}

static void unlist_number(lwi_block *block, uint32_t number) {
  int at = 0;
  while (block->numbers[at] != number) at++;
  block->number_count -= 1;
  memmove(block->numbers + at, block->numbers + at + 1,
          (size_t)(block->number_count - at) * sizeof *block->numbers);
}

static void take_out(lwi_live *live, uint32_t number) {
  lwi_live_entry *entry = &live->entries[number];
  for (int i = 0; i < entry->polygon_count; i++) {
    lwi_block *block = &live->blocks.items[live->block_of[entry->polygons[i]]];
    unlist_number(block, number);
    mark_dirty(live, block);
  }
  entry->polygon_count = 0;
  entry->is_used = false;
}

static bool meet_polygon(lwi_live *live, uint32_t number, uint32_t polygon) {
  lwi_live_entry *entry = &live->entries[number];
  bool meets;
  if (live->seen[polygon] == live->stamp) return true;
  live->seen[polygon] = live->stamp;
  if (!lwi_live_meets(live, entry, polygon, &meets)) return false;
  if (!meets) return true;
  if (!lwi_reserve(live->memory, &entry->polygons, &entry->polygon_capacity, entry->polygon_count + 1,
                   sizeof *entry->polygons))
    return false;
  lwi_block *block = lwi_live_block(live, polygon);
  if (!block || !list_number(live, block, number)) return false;
  entry->polygons[entry->polygon_count++] = polygon;
  mark_dirty(live, block);
  return true;
}

static void begin_round(lwi_live *live) {
  live->stamp += 1;
  if (live->stamp > 0) return;
  memset(live->seen, 0, live->base->polygons.count * sizeof *live->seen);
  live->stamp = 1;
}

static bool put_in(lwi_live *live, uint32_t number) {
  const lwi_cut_shape *shape = &live->entries[number].shape;
  const lwi_grid *grid = &live->base->grid;
  lwi_cells cells;
  if (!lwi_grid_cells(grid, (float)shape->min_x, (float)shape->min_z, (float)shape->max_x, (float)shape->max_z,
                      &cells))
    return true;
  begin_round(live);
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) {
      const size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
      for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; i++)
        if (!meet_polygon(live, number, grid->references[i].polygon)) return false;
    }
  return true;
}

static bool make_entry(lwi_live *live, uint32_t number, const lwi_footprint *footprint) {
  const int known = live->entry_capacity;
  if (!lwi_reserve(live->memory, &live->entries, &live->entry_capacity, (int)number + 1, sizeof *live->entries))
    return false;
  for (int i = known; i < live->entry_capacity; i++) live->entries[i] = (lwi_live_entry){0};
  lwi_live_entry *entry = &live->entries[number];
  if (entry->side_capacity < footprint->count) {
    const size_t size = (size_t)footprint->count * sizeof *entry->sides;
    lwi_cut_side *sides = lwi_alloc(live->memory, size);
    if (!sides) return false;
    lwi_free(live->memory, entry->sides, (size_t)entry->side_capacity * sizeof *entry->sides);
    entry->sides = sides;
    entry->side_capacity = footprint->count;
  }
  memcpy(entry->sides, footprint->sides, (size_t)footprint->count * sizeof *entry->sides);
  entry->shape = lwi_cut_shape_of(entry->sides, footprint->count);
  entry->low = footprint->low;
  entry->high = footprint->high;
  entry->is_used = true;
  return true;
}

bool lwi_live_set(lwi_live *live, uint32_t number, const lwi_footprint *footprint) {
  if (number < (uint32_t)live->entry_capacity && live->entries[number].is_used) take_out(live, number);
  if (!footprint) return true;
  if (!start(live) || !make_entry(live, number, footprint)) return false;
  if (put_in(live, number)) return true;
  take_out(live, number);
  return false;
}

/* --- applying --------------------------------------------------------------------------------------------- */

/* A polygon that is cut, or was, and its neighbours get new portals. */
static bool unlink_around(lwi_live *live, uint32_t polygon) {
  const lw_navmesh *base = live->base;
  if (!lwi_live_unlink(live, polygon)) return false;
  for (uint32_t k = base->graph.first_portal[polygon]; k < base->graph.end_portal[polygon]; k++)
    if (!lwi_live_unlink(live, base->graph.portals[k].to)) return false;
  return lwi_live_unlink_links_to(live, polygon);
}

static bool cut_all(lwi_live *live) {
  for (int i = 0; i < live->dirty.count; i++) {
    const uint32_t polygon = live->dirty.items[i];
    if (!lwi_live_cut(live, lwi_live_block(live, polygon)) || !unlink_around(live, polygon)) return false;
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

/* Put back the labels of the base: nothing is cut now. */
static void restore_labels(lwi_live *live) {
  if (!live->islands.has_other_labels) return;
  live->islands.has_other_labels = false;
  copy(live, LWI_LIVE_ISLANDS, live->base->graph.islands, live->base->polygons.count);
  live->islands.next_label = live->base->graph.island_count;
}

/* After a round that succeeded: unmark what it did, and free blocks of polygons that are again as in the base. */
static void settle(lwi_live *live) {
  live->changed.count = live->unlinked.count;
  memcpy(live->changed.items, live->unlinked.items, (size_t)live->unlinked.count * sizeof *live->changed.items);
  for (int i = 0; i < live->dirty.count; i++) {
    lwi_block *block = &live->blocks.items[live->block_of[live->dirty.items[i]]];
    block->is_dirty = false;
  }
  for (int i = 0; i < live->unlinked.count; i++) {
    lwi_block *block = &live->blocks.items[live->block_of[live->unlinked.items[i]]];
    block->is_unlinked = false;
    drop_block(live, block);
  }
  live->dirty.count = live->unlinked.count = 0;
  if (live->blocks.free.count == live->blocks.count) restore_labels(live);
}

/* After a round that ran out of memory: the base again, with all footprints still to be cut. */
static void uncut_all(lwi_live *live) {
  for (int i = 0; i < live->blocks.count; i++) {
    lwi_block *block = &live->blocks.items[i];
    if (live->block_of[block->polygon] != (uint32_t)i) continue;
    lwi_live_restore(live, block);
    lwi_live_restore_portals(live, block);
    lwi_live_restore_links(live, block);
  }
  copy(live, LWI_LIVE_LINKS, live->base->links.items, live->base->links.count);
  for (int i = 0; i < live->unlinked.count; i++)
    live->blocks.items[live->block_of[live->unlinked.items[i]]].is_unlinked = false;
  live->unlinked.count = 0;
  for (int i = 0; i < live->blocks.count; i++) {
    lwi_block *block = &live->blocks.items[i];
    if (live->block_of[block->polygon] != (uint32_t)i) continue;
    if (block->number_count > 0)
      mark_dirty(live, block);
    else if (!block->is_dirty)
      drop_block(live, block);
  }
  live->islands.has_other_labels = true; /* some may be missing */
  restore_labels(live);
}

const uint32_t *lwi_live_changed(const lwi_live *live, int *count) {
  *count = live->changed.count;
  return live->changed.items;
}

bool lwi_live_apply(lwi_live *live) {
  live->changed.count = 0;
  if (live->dirty.count == 0) return true;
  live->mesh.live.version += 1;
  if (cut_all(live) && join_all(live) && lwi_live_label(live)) {
    settle(live);
    return true;
  }
  uncut_all(live);
  return false;
}

lwi_live_counts lwi_live_count(const lwi_live *live) {
  lwi_live_counts counts = {0, 0};
  for (int i = 0; i < live->blocks.count; i++) {
    const lwi_block *block = &live->blocks.items[i];
    if (!block->is_cut) continue;
    counts.cut_polygons += 1;
    counts.pieces += (int)block->piece_count;
  }
  return counts;
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
