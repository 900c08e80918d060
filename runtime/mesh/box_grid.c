#include "mesh/box_grid.h"

/* Cells that a box may be in, on average: fewer and larger cells where it would be in more. */
#define CELLS_A_BOX 8
/* Cells along a side. */
#define SIDE_MAX 4096

static int along(float at, float min, float cell, int count) {
  const float index = (at - min) / cell;
  return !(index > 0) ? 0 : index >= (float)count ? count - 1 : (int)index;
}

lwi_box_cells lwi_box_grid_cells(const lwi_box_grid *grid, const lw_box *box) {
  return (lwi_box_cells){along(box->min.x, grid->min_x, grid->cell, grid->width),
                         along(box->min.z, grid->min_z, grid->cell, grid->height),
                         along(box->max.x, grid->min_x, grid->cell, grid->width),
                         along(box->max.z, grid->min_z, grid->cell, grid->height)};
}

/* Count the boxes of each cell, or put them into `items` from the back: ends become beginnings. @return Items. */
static int64_t spread(lwi_box_grid *grid, const lw_box *boxes, int count, bool put) {
  int64_t items = 0;
  for (int i = count - 1; i >= 0; i--) {
    const lwi_box_cells in = lwi_box_grid_cells(grid, &boxes[i]);
    items += (int64_t)(in.x1 - in.x0 + 1) * (in.z1 - in.z0 + 1);
    for (int z = in.z0; grid->first && z <= in.z1; z++)
      for (int x = in.x0; x <= in.x1; x++) {
        int *slot = &grid->first[z * grid->width + x];
        if (put)
          grid->items[--*slot] = i;
        else
          *slot += 1;
      }
  }
  return items;
}

/* As fine as there are boxes, unless these are large. */
static void size_cells(lwi_box_grid *grid, const lw_box *boxes, int count) {
  lw_box all = lwi_box_empty();
  for (int i = 0; i < count; i++) all = lwi_box_add(lwi_box_add(all, boxes[i].min), boxes[i].max);
  const float x = all.max.x - all.min.x, z = all.max.z - all.min.z;
  grid->min_x = all.min.x;
  grid->min_z = all.min.z;
  grid->cell = fmaxf(fmaxf(sqrtf(x * z / (float)count), fmaxf(x, z) / (SIDE_MAX - 1)), 1e-3f);
  for (;; grid->cell *= 2) {
    grid->width = (int)(x / grid->cell) + 1;
    grid->height = (int)(z / grid->cell) + 1;
    if ((grid->width == 1 && grid->height == 1) ||
        spread(grid, boxes, count, false) <= (int64_t)CELLS_A_BOX * count)
      return;
  }
}

bool lwi_box_grid_make(lwi_box_grid *grid, const lw_box *boxes, int count, lwi_memory *memory) {
  *grid = (lwi_box_grid){0};
  if (count == 0) return true;
  size_cells(grid, boxes, count);
  const size_t all = (size_t)grid->width * (size_t)grid->height;
  grid->item_count = (int)spread(grid, boxes, count, false);
  grid->first = lwi_alloc_zero(memory, (all + 1) * sizeof *grid->first);
  grid->items = lwi_alloc(memory, (size_t)grid->item_count * sizeof *grid->items);
  if (!grid->first || !grid->items) {
    lwi_box_grid_free(grid, memory);
    return false;
  }
  spread(grid, boxes, count, false);
  for (size_t i = 1; i <= all; i++) grid->first[i] += grid->first[i - 1];
  spread(grid, boxes, count, true);
  return true;
}

void lwi_box_grid_free(lwi_box_grid *grid, lwi_memory *memory) {
  lwi_free(memory, grid->first, ((size_t)grid->width * (size_t)grid->height + 1) * sizeof *grid->first);
  lwi_free(memory, grid->items, (size_t)grid->item_count * sizeof *grid->items);
  *grid = (lwi_box_grid){0};
}

const int *lwi_box_grid_at(const lwi_box_grid *grid, float x, float z, int *count) {
  *count = 0;
  if (grid->width == 0) return NULL;
  const int cell = along(z, grid->min_z, grid->cell, grid->height) * grid->width +
                   along(x, grid->min_x, grid->cell, grid->width);
  *count = grid->first[cell + 1] - grid->first[cell];
  return grid->items + grid->first[cell];
}

static bool meet(const lw_box *a, const lw_box *b) {
  return a->min.x <= b->max.x && a->max.x >= b->min.x && a->min.z <= b->max.z && a->max.z >= b->min.z;
}

bool lwi_box_grid_each(const lwi_box_grid *grid, const lw_box *boxes, lw_box box,
                       bool (*visit)(void *user, int index), void *user) {
  if (grid->width == 0) return false;
  const lwi_box_cells in = lwi_box_grid_cells(grid, &box);
  for (int z = in.z0; z <= in.z1; z++)
    for (int x = in.x0; x <= in.x1; x++) {
      const int cell = z * grid->width + x;
      for (int i = grid->first[cell]; i < grid->first[cell + 1]; i++)
        if (meet(&boxes[grid->items[i]], &box) && visit(user, grid->items[i])) return true;
    }
  return false;
}

static bool is_one(void *user, int index) {
  (void)user, (void)index;
  return true;
}

bool lwi_box_grid_meets(const lwi_box_grid *grid, const lw_box *boxes, lw_box box) {
  return lwi_box_grid_each(grid, boxes, box, is_one, NULL);
}

/* A box in several of the cells is looked at in the first that it shares with the range. */
static bool is_first(lwi_box_cells range, lwi_box_cells own, int x, int z) {
  return x == (own.x0 > range.x0 ? own.x0 : range.x0) && z == (own.z0 > range.z0 ? own.z0 : range.z0);
}

static bool list_cells(const lwi_box_grid *grid, const lw_box *boxes, const lw_box *box, lwi_box_cells range,
                       lwi_box_list *list) {
  for (int z = range.z0; z <= range.z1; z++)
    for (int x = range.x0; x <= range.x1; x++) {
      const int cell = z * grid->width + x, first = grid->first[cell], end = grid->first[cell + 1];
      if (!lwi_reserve(list->memory, &list->items, &list->capacity, list->count + end - first,
                       sizeof *list->items))
        return false;
      for (int i = first; i < end; i++) {
        const int index = grid->items[i];
        if (lwi_box_overlaps(boxes[index], *box) &&
            is_first(range, lwi_box_grid_cells(grid, &boxes[index]), x, z))
          list->items[list->count++] = index;
      }
    }
  return true;
}

bool lwi_box_grid_list(const lwi_box_grid *grid, const lw_box *boxes, lw_box box, lwi_box_list *list) {
  list->count = 0;
  return grid->width == 0 || list_cells(grid, boxes, &box, lwi_box_grid_cells(grid, &box), list);
}

void lwi_box_list_free(lwi_box_list *list) {
  lwi_free(list->memory, list->items, (size_t)list->capacity * sizeof *list->items);
  *list = (lwi_box_list){.memory = list->memory};
}
