#include "bake/near_walls.h"

#include "core/vec3.h"
#include "sight/occluder_walk.h"

#include <math.h>
#include <string.h>

/* Sizes of cells. Between these two a cell has about FACETS facets. [m] */
#define CELL_MIN 1.0f
#define CELL_MAX 4.0f
#define FACETS 8
/* Of a side: beyond this cells are larger. */
#define CELLS_MAX 1024
/* Facets come into cells that they are this near to. [m] */
#define BESIDE 0.1f

static size_t cells_of(const lwi_near_walls *near) {
  return (size_t)near->width * (size_t)near->height;
}

static void lay_grid(lwi_near_walls *near) {
  const lwi_occluders *of = near->occluders;
  lw_box box = lwi_box_empty();
  for (int i = 0; i < 4 && of->node_count > 0; i++) {
    if (of->nodes[0].children[i] == LWI_OCCLUDER_NONE) continue;
    const lw_box child = lwi_occluder_child_box(of, &of->nodes[0], i);
    box = lwi_box_add(lwi_box_add(box, child.min), child.max);
  }
  if (of->node_count == 0) box = (lw_box){of->origin, of->origin};
  const float x = box.max.x - box.min.x, z = box.max.z - box.min.z;
  const float cell = sqrtf(FACETS * x * z / (float)(of->facet_count + 1));
  near->cell = fmaxf(fminf(fmaxf(cell, CELL_MIN), CELL_MAX), fmaxf(x, z) / CELLS_MAX);
  near->min_x = box.min.x;
  near->min_z = box.min.z;
  near->width = (int)(x / near->cell) + 1;
  near->height = (int)(z / near->cell) + 1;
}

bool lwi_cell_list_open(lwi_cell_list *list, const lwi_near_walls *near) {
  const size_t size = cells_of(near) * sizeof *list->first;
  list->first = lwi_alloc(near->memory, size);
  if (list->first) memset(list->first, 0xff, size);
  return list->first != NULL;
}

static bool add_member(lwi_cell_list *list, const lwi_near_walls *near, int cell, int item) {
  if (!lwi_reserve(near->memory, &list->members, &list->capacity, list->count + 1, sizeof *list->members))
    return false;
  list->members[list->count] = (lwi_cell_member){item, list->first[cell]};
  list->first[cell] = list->count++;
  return true;
}

bool lwi_cell_list_add(lwi_cell_list *list, const lwi_near_walls *near, const lw_box *box, int item) {
  const lwi_near_range range = lwi_near_range_of(near, box);
  for (int cell = -1; (cell = lwi_near_next(near, &range, cell)) >= 0;)
    if (!add_member(list, near, cell, item)) return false;
  return true;
}

void lwi_cell_list_close(lwi_cell_list *list, const lwi_near_walls *near) {
  lwi_free(near->memory, list->first, list->first ? cells_of(near) * sizeof *list->first : 0);
  lwi_free(near->memory, list->members, (size_t)list->capacity * sizeof *list->members);
  *list = (lwi_cell_list){.first = NULL};
}

bool lwi_near_walls_open(lwi_near_walls *near, const lwi_occluders *occluders, lwi_memory *memory) {
  *near = (lwi_near_walls){.memory = memory, .occluders = occluders};
  lay_grid(near);
  const size_t leaves = occluders->leaf_count * sizeof *near->leaves;
  near->is_listed = lwi_alloc_zero(memory, cells_of(near));
  near->leaves = lwi_alloc(memory, leaves);
  if (near->leaves) memset(near->leaves, 0xff, leaves);
  return lwi_cell_list_open(&near->listed, near) && near->is_listed && (near->leaves || leaves == 0);
}

void lwi_near_walls_close(lwi_near_walls *near) {
  lwi_cell_list_close(&near->listed, near);
  lwi_free(near->memory, near->is_listed, near->is_listed ? cells_of(near) : 0);
  lwi_free(near->memory, near->leaves, near->leaves ? near->occluders->leaf_count * sizeof *near->leaves : 0);
  lwi_free(near->memory, near->facets, (size_t)near->facet_capacity * sizeof *near->facets);
}

static int cell_of(float at, float min, float cell, int count) {
  const float place = floorf((at - min) / cell);
  return place >= (float)count ? count - 1 : place > 0 ? (int)place : 0;
}

lwi_near_range lwi_near_range_of(const lwi_near_walls *near, const lw_box *box) {
  return (lwi_near_range){cell_of(box->min.x, near->min_x, near->cell, near->width),
                          cell_of(box->min.z, near->min_z, near->cell, near->height),
                          cell_of(box->max.x, near->min_x, near->cell, near->width),
                          cell_of(box->max.z, near->min_z, near->cell, near->height)};
}

/* Look up all facets of a leaf. @return The first; -1: no memory. */
static int open_leaf(lwi_near_walls *near, uint32_t leaf) {
  lwi_occluder_cursor at = {leaf, 0};
  lwi_near_facet facet = {.is_taken = false};
  if (near->leaves[leaf] >= 0) return near->leaves[leaf];
  const int first = near->facet_count;
  while (at.leaf == leaf && lwi_occluders_next(near->occluders, &at, &facet.facet)) {
    if (!lwi_reserve(near->memory, &near->facets, &near->facet_capacity, near->facet_count + 1, sizeof facet))
      return -1;
    facet.is_wall = lwi_wall_facet_read(&facet.facet, &facet.wall);
    facet.box = (lw_box){lwi_add(facet.wall.box.min, near->occluders->origin),
                         lwi_add(facet.wall.box.max, near->occluders->origin)};
    near->facets[near->facet_count++] = facet;
  }
  near->leaves[leaf] = first;
  return first;
}

static bool overlaps(const lw_box *a, const lw_box *b) {
  return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static bool is_in_cell(const void *user, const lw_box *box) {
  return overlaps(user, box);
}

/* The outer cells reach out without end, as clamped ranges have it. */
static lw_box box_of_range(const lwi_near_walls *near, const lwi_near_range *range) {
  const float x0 = near->min_x + (float)range->x0 * near->cell,
              z0 = near->min_z + (float)range->z0 * near->cell,
              x1 = near->min_x + (float)(range->x1 + 1) * near->cell,
              z1 = near->min_z + (float)(range->z1 + 1) * near->cell;
  return (lw_box){{range->x0 > 0 ? x0 - BESIDE : -INFINITY, 0, range->z0 > 0 ? z0 - BESIDE : -INFINITY},
                  {range->x1 + 1 < near->width ? x1 + BESIDE : INFINITY, 0,
                   range->z1 + 1 < near->height ? z1 + BESIDE : INFINITY}};
}

static int clamp(int number, int low, int high) {
  return number < low ? low : number > high ? high : number;
}

/* List a facet in the cells of a range that were not listed before. */
static bool list_facet(lwi_near_walls *near, const lwi_near_range *range, int item) {
  const lw_box about = lwi_box_grow(near->facets[item].box, BESIDE);
  const lwi_near_range all = lwi_near_range_of(near, &about),
                       part = {clamp(all.x0, range->x0, range->x1 + 1), clamp(all.z0, range->z0, range->z1 + 1),
                               clamp(all.x1, range->x0 - 1, range->x1),
                               clamp(all.z1, range->z0 - 1, range->z1)};
  if (part.x0 > part.x1 || part.z0 > part.z1) return true;
  for (int cell = -1; (cell = lwi_near_next(near, &part, cell)) >= 0;)
    if (!near->is_listed[cell] && !add_member(&near->listed, near, cell, item)) return false;
  return true;
}

bool lwi_near_walls_list(lwi_near_walls *near, const lwi_near_range *range) {
  bool is_new = false;
  for (int cell = -1; (cell = lwi_near_next(near, range, cell)) >= 0;) is_new |= !near->is_listed[cell];
  if (!is_new) return true;
  const lw_box box = box_of_range(near, range);
  lwi_occluder_walk walk = {.occluders = near->occluders, .filter = is_in_cell, .user = &box};
  lwi_occluder_cursor cursor;
  lwi_occluder_facet facet;
  int item = 0;
  while (lwi_occluder_walk_next(&walk, &cursor, &facet)) {
    item = cursor.at == 0 ? open_leaf(near, cursor.leaf) : item + 1;
    if (item < 0 || (near->facets[item].is_wall && !list_facet(near, range, item))) return false;
  }
  for (int cell = -1; (cell = lwi_near_next(near, range, cell)) >= 0;) near->is_listed[cell] = 1;
  return true;
}
