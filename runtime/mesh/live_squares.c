/* Wide polygons of a live navmesh: split along fixed lines, so that a footprint has what is in a few squares cut again,
   and not all of the polygon. */
#include "mesh/live_parts.h"

#include <string.h>

/* --- walking ---------------------------------------------------------------------------------------------- */

static int clamp_cell(double at, int count) {
  return at < 0 ? 0 : at >= count ? count - 1 : (int)at;
}

/* Strips of up to LWI_CUT_SLIVER belong to the square beside theirs. */
static lwi_part_walk cells_in(const lwi_split *split, double min_x, double min_z, double max_x, double max_z) {
  const double slack = 4 * LWI_CUT_SLIVER, size = (double)split->size;
  const double from_x = min_x - slack - (double)split->min_x, from_z = min_z - slack - (double)split->min_z;
  lwi_part_walk walk = {.split = split};
  walk.x0 = walk.x = clamp_cell(from_x / size, split->columns);
  walk.z = clamp_cell(from_z / size, split->rows);
  walk.x1 = clamp_cell((max_x + slack - (double)split->min_x) / size, split->columns);
  walk.z1 = clamp_cell((max_z + slack - (double)split->min_z) / size, split->rows);
  return walk;
}

lwi_part_walk lwi_parts_near(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 min, lw_vec3 max) {
  if (lwi_is_whole(mesh, polygon) || mesh->live.pieces[polygon].first != LWI_SPLIT)
    return lwi_parts_of(mesh, polygon);
  lwi_part_walk walk = cells_in(&mesh->live.splits[mesh->live.pieces[polygon].count], (double)min.x,
                                (double)min.z, (double)max.x, (double)max.z);
  walk.mesh = mesh;
  return walk;
}

bool lwi_live_list_squares(lwi_live *live, uint32_t split, const lwi_square *rectangle) {
  lwi_number_list *list = &live->join.across;
  lwi_part_walk walk = cells_in(&live->splits.items[split], rectangle->min_x, rectangle->min_z,
                                rectangle->max_x, rectangle->max_z);
  for (uint32_t square; lwi_next_square(&walk, &square);) {
    if (live->seen[square] == live->stamp) continue;
    live->seen[square] = live->stamp;
    if (!lwi_reserve(live->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
      return false;
    list->items[list->count++] = square;
  }
  return true;
}

/* --- making ----------------------------------------------------------------------------------------------- */

static bool is_wide(const lw_navmesh *base, uint32_t polygon) {
  const lwi_polygon whole = lwi_polygon_get(base, polygon);
  const lwi_frame frame = lwi_polygon_frame(&whole);
  return lwi_max(frame.size_x, frame.size_z) > LWI_WIDE;
}

/* The lines do not depend on the polygon, but for how far they are apart. */
static lwi_split cells_of(const lw_navmesh *base, uint32_t polygon) {
  const lwi_polygon whole = lwi_polygon_get(base, polygon);
  const lwi_frame frame = lwi_polygon_frame(&whole);
  lwi_split split = {.polygon = polygon, .first = LWI_NONE, .size = LWI_CELL};
  while (lwi_max(frame.size_x, frame.size_z) > split.size * (LWI_CELLS_MAX - 1)) split.size *= 2;
  split.min_x = floorf(frame.min_x / split.size) * split.size;
  split.min_z = floorf(frame.min_z / split.size) * split.size;
  split.columns = (int)((frame.min_x + frame.size_x - split.min_x) / split.size) + 1;
  split.rows = (int)((frame.min_z + frame.size_z - split.min_z) / split.size) + 1;
  return split;
}

typedef struct cell_range {
  int x0, z0, x1, z1; /* both ends included */
} cell_range;

/* The only piece of a list becomes a square. @return false: no memory. */
static bool add_square(lwi_live *live, lwi_split *split, const lwi_cut_corner *corners, int count,
                       cell_range cells) {
  if (!lwi_reserve(live->memory, &split->corners, &split->corner_capacity, split->corner_count + count,
                   sizeof *split->corners) ||
      !lwi_reserve(live->memory, &split->squares, &split->square_capacity, (int)split->count + 1,
                   sizeof *split->squares))
    return false;
  lwi_square square = {split->corner_count, count, INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < count; i++) {
    split->corners[split->corner_count++] = corners[i];
    square.min_x = lwi_smaller(square.min_x, (double)corners[i].x);
    square.min_z = lwi_smaller(square.min_z, (double)corners[i].z);
    square.max_x = lwi_larger(square.max_x, (double)corners[i].x);
    square.max_z = lwi_larger(square.max_z, (double)corners[i].z);
  }
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) split->at[z * split->columns + x] = split->count;
  split->squares[split->count++] = square;
  return true;
}

/* Take over the only piece of a list. @return false: no memory. */
static bool take_piece(lwi_live *live, lwi_cut_outline *outline, const lwi_cut_list *from) {
  const lwi_cut_piece piece = from->pieces[0];
  if (!lwi_reserve(live->memory, &outline->corners, &outline->capacity, piece.count, sizeof *outline->corners))
    return false;
  memcpy(outline->corners, from->corners + piece.first, (size_t)piece.count * sizeof *outline->corners);
  outline->count = piece.count;
  return true;
}

/* Split `strip`, that is in these rows. @return false: no memory. */
static bool split_row(lwi_live *live, lwi_split *split, int first_row, int last_row) {
  lwi_cut_outline *strip = &live->strip;
  cell_range cells = {0, first_row, 0, last_row};
  for (int x = 1; x < split->columns; x++) {
    const lwi_cut_side line = {{(double)split->min_x + x * (double)split->size, 0}, {0, 1}};
    bool is_split;
    if (!lwi_cut_halve(&live->cut, strip->corners, strip->count, &line, LWI_LINE_ORIGIN + (uint32_t)x,
                       &is_split))
      return false;
    if (!is_split) continue;
    const lwi_cut_list *done = &live->cut.next;
    cells.x1 = x - 1;
    if (!add_square(live, split, done->corners + done->pieces[0].first, done->pieces[0].count, cells) ||
        !take_piece(live, strip, &live->cut.rest))
      return false;
    cells.x0 = x;
  }
  cells.x1 = split->columns - 1;
  return add_square(live, split, strip->corners, strip->count, cells);
}

static bool copy_outline(lwi_live *live, lwi_cut_outline *to, const lwi_cut_outline *from) {
  if (!lwi_reserve(live->memory, &to->corners, &to->capacity, from->count, sizeof *to->corners)) return false;
  memcpy(to->corners, from->corners, (size_t)from->count * sizeof *to->corners);
  to->count = from->count;
  return true;
}

static bool split_polygon(lwi_live *live, lwi_split *split) {
  lwi_cut_outline *rest = &live->outline;
  int first_row = 0;
  split->at = lwi_alloc(live->memory, (size_t)split->rows * (size_t)split->columns * sizeof *split->at);
  if (!split->at || !lwi_live_take_outline(live, split->polygon)) return false;
  for (int z = 1; z < split->rows; z++) {
    const lwi_cut_side line = {{0, (double)split->min_z + z * (double)split->size}, {-1, 0}};
    bool is_split;
    if (!lwi_cut_halve(&live->cut, rest->corners, rest->count, &line,
                       LWI_LINE_ORIGIN + LWI_ROW_LINES + (uint32_t)z, &is_split))
      return false;
    if (!is_split) continue;
    if (!take_piece(live, &live->strip, &live->cut.next) || !take_piece(live, rest, &live->cut.rest) ||
        !split_row(live, split, first_row, z - 1))
      return false;
    first_row = z;
  }
  return copy_outline(live, &live->strip, rest) && split_row(live, split, first_row, split->rows - 1);
}

static void free_split(lwi_memory *memory, lwi_split *split) {
  lwi_free(memory, split->at, (size_t)split->rows * (size_t)split->columns * sizeof *split->at);
  lwi_free(memory, split->squares, (size_t)split->square_capacity * sizeof *split->squares);
  lwi_free(memory, split->corners, (size_t)split->corner_capacity * sizeof *split->corners);
  *split = (lwi_split){.first = LWI_NONE};
}

/* Number the squares, each with a block. @return false: no memory. */
static bool number_squares(lwi_live *live, uint32_t index) {
  lwi_split *split = &live->splits.items[index];
  const lwi_slot_run run = lwi_live_take(live, LWI_LIVE_GROUND, split->count);
  if (run.space == 0) return false;
  split->first = run.first;
  split->space = run.space;
  for (int i = 0; i < split->rows * split->columns; i++) split->at[i] += run.first;
  for (uint32_t i = 0; i < split->count; i++) {
    lwi_block *block = lwi_live_block(live, run.first + i);
    if (!block) return false;
    block->polygon = split->polygon;
    block->split = index;
  }
  return true;
}

/* Footprints of the polygon are no longer listed with its squares. */
static void unlist_squares(lwi_live *live, const lwi_block *block) {
  const lwi_split *split = &live->splits.items[block->split];
  for (int i = 0; i < block->number_count; i++) {
    lwi_live_entry *entry = &live->entries[block->numbers[i]];
    int kept = 0;
    for (int k = 0; k < entry->ground_count; k++)
      if (entry->grounds[k] - split->first >= split->count) entry->grounds[kept++] = entry->grounds[k];
    entry->ground_count = kept;
  }
}

void lwi_live_free_squares(lwi_live *live, lwi_block *block) {
  lwi_split *split = &live->splits.items[block->split];
  if (split->first != LWI_NONE) unlist_squares(live, block);
  for (uint32_t i = 0; i < split->count && split->first != LWI_NONE; i++) {
    const uint32_t number = live->block_of[split->first + i];
    if (number == LWI_NONE) continue;
    live->blocks.items[number].number_count = 0;
    live->blocks.items[number].is_dirty = false;
    lwi_live_free_block(live, &live->blocks.items[number]);
  }
  lwi_slot_run run = {split->first, split->first == LWI_NONE ? 0 : split->space};
  lwi_live_give_back(live, LWI_LIVE_GROUND, &run);
  free_split(live->memory, split);
  live->splits.free.items[live->splits.free.count++] = block->split;
  block->split = LWI_NONE;
}

static uint32_t take_split(lwi_live *live) {
  lwi_split_list *splits = &live->splits;
  if (splits->free.count > 0) return splits->free.items[--splits->free.count];
  if (!lwi_reserve(live->memory, &splits->free.items, &splits->free.capacity, splits->count + 1,
                   sizeof *splits->free.items) ||
      !lwi_reserve(live->memory, &splits->items, &splits->capacity, splits->count + 1, sizeof *splits->items))
    return LWI_NONE;
  live->mesh.live.splits = splits->items; /* they may have moved */
  splits->items[splits->count] = (lwi_split){.first = LWI_NONE};
  live->mesh.live.split_count = (uint32_t)splits->count + 1;
  return (uint32_t)splits->count++;
}

static bool make_squares(lwi_live *live, uint32_t polygon) {
  const uint32_t index = take_split(live);
  if (index == LWI_NONE) return false;
  lwi_split *split = &live->splits.items[index];
  *split = cells_of(live->base, polygon);
  lwi_block *block = lwi_live_block(live, polygon);
  block->split = index;
  if (split_polygon(live, split) && number_squares(live, index)) return true;
  lwi_live_free_squares(live, lwi_live_block(live, polygon));
  return false;
}

void lwi_live_free_splits(lwi_live *live) {
  for (int i = 0; i < live->splits.count; i++) free_split(live->memory, &live->splits.items[i]);
  lwi_free(live->memory, live->splits.items, (size_t)live->splits.capacity * sizeof *live->splits.items);
  lwi_free(live->memory, live->splits.free.items,
           (size_t)live->splits.free.capacity * sizeof *live->splits.free.items);
  lwi_free(live->memory, live->strip.corners, (size_t)live->strip.capacity * sizeof *live->strip.corners);
}

/* --- footprints ------------------------------------------------------------------------------------------- */

/* List a footprint with the squares of a polygon that it meets. @return false: no memory. */
static bool list_with_squares(lwi_live *live, uint32_t number, uint32_t index) {
  const lwi_split *split = &live->splits.items[index];
  const lwi_cut_shape *shape = &live->entries[number].shape;
  lwi_part_walk walk = cells_in(split, shape->min_x, shape->min_z, shape->max_x, shape->max_z);
  for (uint32_t ground; lwi_next_square(&walk, &ground);) {
    const lwi_square *square = &split->squares[ground - split->first];
    if (!lwi_live_is_listed(lwi_live_block(live, ground), number) &&
        lwi_cut_overlaps(split->corners + square->first, square->count, shape) &&
        !lwi_live_list(live, number, ground))
      return false;
  }
  return true;
}

/* Squares that are about to be freed are in no list. */
static void forget_dirty(lwi_live *live, uint32_t index) {
  const lwi_split *split = &live->splits.items[index];
  int kept = 0;
  for (int i = 0; i < live->dirty.count; i++)
    if (live->dirty.items[i] - split->first >= split->count) live->dirty.items[kept++] = live->dirty.items[i];
  live->dirty.count = kept;
}

bool lwi_live_meet_squares(lwi_live *live, uint32_t number, uint32_t polygon) {
  const lwi_block *block = lwi_live_block(live, polygon);
  if (block->split != LWI_NONE) return list_with_squares(live, number, block->split);
  if (block->number_count <= LWI_FEW_FOOTPRINTS || !is_wide(live->base, polygon)) return true;
  if (!make_squares(live, polygon)) return false;
  const uint32_t index = lwi_live_block(live, polygon)->split;
  bool done = true;
  for (int i = 0; i < lwi_live_block(live, polygon)->number_count && done; i++)
    done = list_with_squares(live, lwi_live_block(live, polygon)->numbers[i], index);
  if (done) return true;
  forget_dirty(live, index);
  lwi_live_free_squares(live, lwi_live_block(live, polygon));
  return false;
}

/* --- splitting -------------------------------------------------------------------------------------------- */

/* Put back a polygon that is split, with what its squares have. */
static void unsplit(lwi_live *live, lwi_block *block) {
  const lwi_split *split = &live->splits.items[block->split];
  for (uint32_t i = split->first; i < split->first + split->count; i++) {
    lwi_block *square = lwi_live_block(live, i);
    lwi_live_restore(live, square);
    lwi_live_restore_portals(live, square);
    lwi_live_restore_links(live, square);
  }
  lwi_live_restore(live, block);
}

bool lwi_live_split(lwi_live *live, lwi_block *block) {
  const bool was_split = lwi_live_is_split(live, block->polygon);
  if (block->number_count <= LWI_FEW_FOOTPRINTS) {
    if (was_split) unsplit(live, block);
    return true;
  }
  if (was_split) return false;
  const lwi_split *split = &live->splits.items[block->split];
  lwi_live_restore(live, block);
  lwi_live_hide(live, block, (lwi_span){LWI_SPLIT, block->split});
  for (uint32_t i = split->first; i < split->first + split->count; i++)
    lwi_live_mark_dirty(live, lwi_live_block(live, i));
  return true;
}
