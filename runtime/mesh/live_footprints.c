/* Footprints of a live navmesh: which ground each meets, and which of them a path crosses. */
#include "mesh/live_parts.h"
#include "mesh/region.h"

#include <string.h>

static bool comes_before(const lwi_live *live, uint32_t a, uint32_t b) {
  const uint64_t first = live->entries[a].order, second = live->entries[b].order;
  return first != second ? first < second : a < b;
}

/* Make space for one number more in a list. There are many lists, and most stay short. @return false: no memory. */
static bool reserve_one(lwi_memory *memory, uint32_t **items, int *capacity, int count) {
  if (count < *capacity) return true;
  const int grown = count + count / 2 + 2;
  uint32_t *more =
      lwi_resize(memory, *items, (size_t)*capacity * sizeof **items, (size_t)grown * sizeof **items);
  if (!more) return false;
  *items = more;
  *capacity = grown;
  return true;
}

static bool list_number(lwi_live *live, lwi_block *block, uint32_t number) {
  if (!reserve_one(live->memory, &block->numbers, &block->number_capacity, block->number_count)) return false;
  int at = block->number_count++;
  for (; at > 0 && comes_before(live, number, block->numbers[at - 1]); at--)
    block->numbers[at] = block->numbers[at - 1];
  block->numbers[at] = number;
  return true;
}

bool lwi_live_is_listed(const lwi_block *block, uint32_t number) {
  for (int i = 0; i < block->number_count; i++)
    if (block->numbers[i] == number) return true;
  return false;
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
  for (int i = 0; i < entry->ground_count; i++) {
    lwi_block *block = lwi_live_block(live, entry->grounds[i]);
    unlist_number(block, number);
    lwi_live_mark_dirty(live, block);
  }
  live->marks.cost_count -= entry->ground_count > 0 && entry->mark.cost > 0;
  entry->ground_count = 0;
  entry->is_used = false;
}

bool lwi_live_list(lwi_live *live, uint32_t number, uint32_t ground) {
  lwi_live_entry *entry = &live->entries[number];
  if (!reserve_one(live->memory, &entry->grounds, &entry->ground_capacity, entry->ground_count)) return false;
  lwi_block *block = lwi_live_block(live, ground);
  if (!block || !list_number(live, block, number)) return false;
  live->marks.cost_count += entry->ground_count == 0 && entry->mark.cost > 0;
  entry->grounds[entry->ground_count++] = ground;
  lwi_live_mark_dirty(live, block);
  return true;
}

static bool meet_polygon(lwi_live *live, uint32_t number, uint32_t polygon) {
  lwi_live_entry *entry = &live->entries[number];
  lwi_live_meeting meeting;
  if (live->seen[polygon] == live->stamp) return true;
  live->seen[polygon] = live->stamp;
  if (!lwi_live_meets(live, entry, polygon, &meeting)) return false;
  if (meeting.amount == LWI_CUT_NOTHING && !meeting.hangs) return true;
  entry->is_partial |= meeting.amount != LWI_CUT_ALL;
  entry->hangs |= meeting.hangs;
  entry->is_met |= meeting.is_met;
  if (meeting.hangs) {
    entry->gap = meeting.gap;
    entry->gap_of = polygon;
  }
  return lwi_live_list(live, number, polygon) && lwi_live_meet_squares(live, number, polygon);
}

void lwi_live_begin_round(lwi_live *live) {
  live->stamp += 1;
  if (live->stamp > 0) return;
  memset(live->seen, 0, live->counts[LWI_LIVE_GROUND] * sizeof *live->seen);
  live->stamp = 1;
}

/* The bounds of a shape, in 255ths of a cell: lwi_reference. */
typedef struct cell_bounds {
  double x0, z0, x1, z1;
} cell_bounds;

static cell_bounds bounds_in(const lwi_grid *grid, const lwi_cut_shape *shape, int x, int z) {
  return (cell_bounds){(lwi_grid_u(grid, shape->min_x) - x) * 255, (lwi_grid_v(grid, shape->min_z) - z) * 255,
                       (lwi_grid_u(grid, shape->max_x) - x) * 255, (lwi_grid_v(grid, shape->max_z) - z) * 255};
}

static bool may_meet(const lwi_reference *box, const cell_bounds *bounds) {
  return box->x0 <= bounds->x1 && box->x1 >= bounds->x0 && box->z0 <= bounds->z1 && box->z1 >= bounds->z0;
}

static bool meet_cell(lwi_live *live, uint32_t number, int x, int z) {
  const lwi_grid *grid = &live->base->grid;
  const size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
  const cell_bounds bounds = bounds_in(grid, &live->entries[number].shape, x, z);
  for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; i++)
    if (may_meet(&grid->references[i], &bounds) && !meet_polygon(live, number, grid->references[i].polygon))
      return false;
  return true;
}

static bool put_in(lwi_live *live, uint32_t number) {
  const lwi_cut_shape *shape = &live->entries[number].shape;
  lwi_cells cells;
  if (!lwi_grid_cells(&live->base->grid, (float)shape->min_x, (float)shape->min_z, (float)shape->max_x,
                      (float)shape->max_z, &cells))
    return true;
  lwi_live_begin_round(live);
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++)
      if (!meet_cell(live, number, x, z)) return false;
  return true;
}

static bool make_entry(lwi_live *live, uint32_t number, const lwi_footprint *footprint) {
  const int known = live->entry_capacity;
  if (!lwi_reserve(live->memory, &live->entries, &live->entry_capacity, (int)number + 1, sizeof *live->entries))
    return false;
  for (int i = known; i < live->entry_capacity; i++) live->entries[i] = (lwi_live_entry){0};
  lwi_live_entry *entry = &live->entries[number];
  live->join.slopes_near = NULL; /* its shape may have been another one */
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
  entry->is_partial = entry->hangs = entry->is_met = false;
  entry->gap_of = LWI_NONE;
  entry->mark = footprint->mark;
  entry->order = footprint->order;
  entry->is_used = true;
  entry->version = live->mesh.live.version + 1;
  return true;
}

bool lwi_live_set(lwi_live *live, uint32_t number, const lwi_footprint *footprint) {
  if (number < (uint32_t)live->entry_capacity && live->entries[number].is_used) take_out(live, number);
  if (!footprint) return true;
  if (!lwi_live_start(live) || !make_entry(live, number, footprint)) return false;
  if (put_in(live, number)) return true;
  take_out(live, number);
  return false;
}

bool lwi_live_meets_any(const lwi_live *live, uint32_t number) {
  return number < (uint32_t)live->entry_capacity && live->entries[number].is_used &&
         live->entries[number].is_met;
}

static bool line_crosses(const lwi_live *live, uint32_t polygon, const lwi_ground_path *line,
                         const lwi_live_entry *entry) {
  lwi_point2 from = lwi_point2_of(line->from);
  for (int i = 0; i < line->count; i++) {
    const lwi_point2 to = lwi_point2_of(line->points[i]);
    double t0, t1;
    if (lwi_shape_crosses(&entry->shape, from, to, &t0, &t1) &&
        (!entry->is_partial || lwi_live_meets_between(live, entry, polygon, lwi_point2_lerp(from, to, t0),
                                                      lwi_point2_lerp(from, to, t1), line->height)))
      return true;
    from = to;
  }
  return false;
}

bool lwi_live_crosses(const lwi_live *live, uint32_t polygon, const lwi_ground_path *line) {
  if (!live->pieces || live->block_of[polygon] == LWI_NONE) return false;
  const lwi_block *block = &live->blocks.items[live->block_of[polygon]];
  for (int i = 0; i < block->number_count; i++) {
    const lwi_live_entry *entry = &live->entries[block->numbers[i]];
    if ((line->all || entry->version == live->mesh.live.version) && line_crosses(live, polygon, line, entry))
      return true;
  }
  return false;
}

static bool contains(const lwi_cut_shape *shape, lwi_point2 at) {
  for (int i = 0; i < shape->count; i++) {
    const lwi_cut_side *side = &shape->sides[i];
    if (side->direction.z * (at.x - side->corner.x) - side->direction.x * (at.z - side->corner.z) <= 0)
      return false;
  }
  return true;
}

/* From a point of a path to the next one. */
static bool piece_comes_near(const lwi_live_entry *entry, double keep, lw_vec3 from, lw_vec3 to, float height) {
  const double slack_y = 1;
  const lwi_cut_shape *shape = &entry->shape;
  const lwi_point2 a = lwi_point2_of(from), b = lwi_point2_of(to);
  if (fmax(a.x, b.x) <= shape->min_x - keep || fmin(a.x, b.x) >= shape->max_x + keep ||
      fmax(a.z, b.z) <= shape->min_z - keep || fmin(a.z, b.z) >= shape->max_z + keep)
    return false;
  if (fmax((double)from.y, (double)to.y) < (double)entry->low - (double)height - slack_y ||
      fmin((double)from.y, (double)to.y) > (double)entry->high + slack_y)
    return false;
  if (contains(shape, a) || contains(shape, b)) return true;
  for (int i = 0; i < shape->count; i++) {
    const lwi_point2 p = shape->sides[i].corner, q = shape->sides[(i + 1) % shape->count].corner;
    const lwi_barrier side = {(float)p.x, (float)p.z, (float)q.x, (float)q.z};
    if (lwi_barrier_distance(&side, a, b) < keep) return true;
  }
  return false;
}

bool lwi_live_comes_near(const lwi_live *live, uint32_t number, double keep, const lwi_ground_path *line) {
  if (number >= (uint32_t)live->entry_capacity) return false;
  const lwi_live_entry *entry = &live->entries[number];
  if (!entry->is_used || lwi_cut_is_marked(entry->mark)) return false;
  const float height = lwi_max(live->base->agent.height, line->height);
  lw_vec3 from = line->from;
  if (line->count == 0) return piece_comes_near(entry, keep, from, from, height);
  for (int i = 0; i < line->count; from = line->points[i++])
    if (piece_comes_near(entry, keep, from, line->points[i], height)) return true;
  return false;
}

uint32_t lwi_live_next_cut_at(const lwi_live *live, uint32_t polygon, lw_vec3 at, float height, int *i) {
  if (!live->pieces || live->block_of[polygon] == LWI_NONE) return LWI_NONE;
  const lwi_block *block = &live->blocks.items[live->block_of[polygon]];
  while (*i < block->number_count) {
    const uint32_t number = block->numbers[(*i)++];
    const lwi_live_entry *entry = &live->entries[number];
    const lwi_point2 place = lwi_point2_of(at);
    if (!lwi_cut_is_marked(entry->mark) && contains(&entry->shape, place) &&
        (!entry->is_partial || lwi_live_meets_between(live, entry, polygon, place, place, height)))
      return number;
  }
  return LWI_NONE;
}
