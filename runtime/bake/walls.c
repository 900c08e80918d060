/* Upright facets are grouped by plane: from the largest on, facets that touch and lie in its plane join it.
   Facets of a wall may overlap, meet in T-junctions or face opposite directions; cover_segments.c resolves
   that. */
#include "bake/walls.h"

#include "core/vec3.h"
#include "mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

/* Facets that lean by more than 30 degrees hide too little of an agent. [sine] */
#define LEAN_MAX 0.5f
/* Smaller facets count as edges. [m2] */
#define AREA_MIN 1e-4f
/* How far apart facets of a wall may be, across its plane and within it. [m] */
#define PLANE_SLACK 0.02
#define TOUCH_SLACK 0.05f
/* The greatest angle between facets of a wall. [cosine] */
#define TURN_MIN 0.996f
#define CELL 4.0f
#define CELLS_MAX 256 /* along a side */

typedef struct wall_grid {
  float min_x, min_z, cell;
  int width, height, item_count;
  int *first, *end; /* [width * height + 1] a cell's range in `items`; `end` moves down as facets join walls */
  int *items;
} wall_grid;

static bool add_facet(lwi_walls *walls, const lwi_occluder_facet *facet) {
  lwi_wall_facet wall = {.count = facet->count, .kind = facet->kind, .box = lwi_box_empty()};
  lw_vec3 sum = {0, 0, 0};
  for (int i = 0; i < facet->count; i++) {
    wall.corners[i] = facet->corners[i];
    wall.box = lwi_box_add(wall.box, facet->corners[i]);
    if (i >= 2)
      sum = lwi_add(sum, lwi_cross(lwi_sub(facet->corners[i - 1], facet->corners[0]),
                                   lwi_sub(facet->corners[i], facet->corners[0])));
  }
  float length = lwi_length(sum);
  wall.area = length / 2;
  if (!(wall.area > AREA_MIN)) return true;
  wall.normal = lwi_scale(sum, 1 / length);
  if (fabsf(wall.normal.y) > LEAN_MAX) return true;
  if (!lwi_reserve(walls->memory, &walls->facets, &walls->facet_capacity, walls->facet_count + 1, sizeof wall))
    return false;
  walls->facets[walls->facet_count++] = wall;
  return true;
}

static bool read_facets(lwi_walls *walls, const lwi_occluders *occluders) {
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(occluders, &at, &facet))
    if (!add_facet(walls, &facet)) return false;
  return true;
}

/* --- by place --------------------------------------------------------------------------------------------- */

static int along(float at, float min, float cell, int count) {
  int index = (int)((at - min) / cell);
  return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static lwi_cells cells_of(const wall_grid *grid, const lw_box *box) {
  return (lwi_cells){along(box->min.x - TOUCH_SLACK, grid->min_x, grid->cell, grid->width),
                     along(box->min.z - TOUCH_SLACK, grid->min_z, grid->cell, grid->height),
                     along(box->max.x + TOUCH_SLACK, grid->min_x, grid->cell, grid->width),
                     along(box->max.z + TOUCH_SLACK, grid->min_z, grid->cell, grid->height)};
}

/* Count the facets of each cell, or put them into `items` from the back: ends become beginnings. */
static int spread(const lwi_walls *walls, wall_grid *grid, bool put) {
  int total = 0;
  for (int f = walls->facet_count - 1; f >= 0; f--) {
    lwi_cells cells = cells_of(grid, &walls->facets[f].box);
    for (int z = cells.z0; z <= cells.z1; z++)
      for (int x = cells.x0; x <= cells.x1; x++) {
        int *slot = &grid->first[z * grid->width + x];
        total++;
        if (put)
          grid->items[--*slot] = f;
        else
          *slot += 1;
      }
  }
  return total;
}

static bool make_grid(lwi_walls *walls, wall_grid *grid) {
  lw_box box = lwi_box_empty();
  for (int f = 0; f < walls->facet_count; f++)
    box = lwi_box_add(lwi_box_add(box, walls->facets[f].box.min), walls->facets[f].box.max);
  float width = box.max.x - box.min.x, height = box.max.z - box.min.z;
  grid->cell = fmaxf(CELL, fmaxf(width, height) / CELLS_MAX);
  grid->min_x = box.min.x;
  grid->min_z = box.min.z;
  grid->width = (int)(width / grid->cell) + 1;
  grid->height = (int)(height / grid->cell) + 1;
  int cells = grid->width * grid->height;
  grid->first = lwi_alloc_zero(walls->memory, ((size_t)cells + 1) * sizeof(int));
  if (!grid->first) return false;
  grid->item_count = spread(walls, grid, false);
  for (int i = 1; i <= cells; i++) grid->first[i] += grid->first[i - 1];
  grid->items = lwi_alloc(walls->memory, (size_t)grid->item_count * sizeof(int));
  if (!grid->items) return false;
  grid->end = lwi_alloc(walls->memory, ((size_t)cells + 1) * sizeof(int));
  if (!grid->end) return false;
  memcpy(grid->end, grid->first, ((size_t)cells + 1) * sizeof(int));
  spread(walls, grid, true);
  return true;
}

static void free_grid(wall_grid *grid, lwi_memory *memory) {
  const size_t cells = ((size_t)grid->width * (size_t)grid->height + 1) * sizeof(int);
  lwi_free(memory, grid->first, cells);
  lwi_free(memory, grid->end, cells);
  lwi_free(memory, grid->items, (size_t)grid->item_count * sizeof(int));
}

/* --- by plane --------------------------------------------------------------------------------------------- */

static bool touch(const lw_box *a, const lw_box *b) {
  const float slack = TOUCH_SLACK;
  return a->min.x <= b->max.x + slack && b->min.x <= a->max.x + slack && a->min.y <= b->max.y + slack &&
         b->min.y <= a->max.y + slack && a->min.z <= b->max.z + slack && b->min.z <= a->max.z + slack;
}

static bool in_plane(const lwi_wall_facet *seed, const lwi_wall_facet *facet) {
  if (fabsf(lwi_dot(seed->normal, facet->normal)) < TURN_MIN) return false;
  for (int i = 0; i < facet->count; i++)
    if (fabs((double)lwi_dot(seed->normal, lwi_sub(facet->corners[i], seed->corners[0]))) > PLANE_SLACK)
      return false;
  return true;
}

/* Queue the facets of a cell that join the wall next to facet `from`. Facets that have a wall leave the
   cell. @return The queue's end. */
static int flood_cell(lwi_walls *walls, wall_grid *grid, int cell, int seed, const lwi_wall_facet *from,
                      int end) {
  for (int k = grid->first[cell]; k < grid->end[cell]; k++) {
    lwi_wall_facet *to = &walls->facets[grid->items[k]];
    if (to->taken) {
      grid->items[k--] = grid->items[--grid->end[cell]];
      continue;
    }
    if (to->kind != from->kind || !touch(&from->box, &to->box) || !in_plane(&walls->facets[seed], to)) continue;
    to->taken = true;
    walls->order[end++] = grid->items[k];
  }
  return end;
}

/* Collect a wall: `order` from `first` on is the queue. @return Its end. */
static int flood(lwi_walls *walls, wall_grid *grid, int seed, int first) {
  int end = first;
  walls->order[end++] = seed;
  walls->facets[seed].taken = true;
  for (int i = first; i < end; i++) {
    const lwi_wall_facet *from = &walls->facets[walls->order[i]];
    lwi_cells cells = cells_of(grid, &from->box);
    for (int z = cells.z0; z <= cells.z1; z++)
      for (int x = cells.x0; x <= cells.x1; x++)
        end = flood_cell(walls, grid, z * grid->width + x, seed, from, end);
  }
  return end;
}

static bool add_wall(lwi_walls *walls, int seed, int first, int end) {
  const lwi_wall_facet *facet = &walls->facets[seed];
  double nx = (double)facet->normal.x, ny = (double)facet->normal.y, nz = (double)facet->normal.z;
  double level = sqrt(nx * nx + nz * nz);
  double offset = nx * facet->corners[0].x + ny * facet->corners[0].y + nz * facet->corners[0].z;
  if (!lwi_reserve(walls->memory, &walls->walls, &walls->wall_capacity, walls->wall_count + 1,
                   sizeof *walls->walls))
    return false;
  walls->walls[walls->wall_count++] = (lwi_wall_plane){.hx = nx / level,
                                                       .hz = nz / level,
                                                       .place = offset / level,
                                                       .lean = -ny / level,
                                                       .first_facet = first,
                                                       .end = end,
                                                       .kind = facet->kind};
  return true;
}

/* The largest first. The order does not depend on how the occluders are grouped, so distant changes do not
   affect it. */
static int compare_seeds(const void *left, const void *right) {
  const lwi_wall_facet *a = *(const lwi_wall_facet *const *)left, *b = *(const lwi_wall_facet *const *)right;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  if (a->count != b->count) return a->count - b->count;
  for (int i = 0; i < a->count; i++) {
    const lw_vec3 p = a->corners[i], q = b->corners[i];
    if (p.x != q.x) return p.x < q.x ? -1 : 1;
    if (p.y != q.y) return p.y < q.y ? -1 : 1;
    if (p.z != q.z) return p.z < q.z ? -1 : 1;
  }
  return a->kind - b->kind;
}

static bool group(lwi_walls *walls, wall_grid *grid, const lwi_wall_facet **seeds) {
  int first = 0;
  for (int f = 0; f < walls->facet_count; f++) seeds[f] = &walls->facets[f];
  qsort(seeds, (size_t)walls->facet_count, sizeof *seeds, compare_seeds);
  for (int i = 0; i < walls->facet_count; i++) {
    const int seed = (int)(seeds[i] - walls->facets);
    if (walls->facets[seed].taken) continue;
    int end = flood(walls, grid, seed, first);
    if (!add_wall(walls, seed, first, end)) return false;
    first = end;
  }
  return true;
}

bool lwi_walls_find(lwi_walls *walls, const lwi_occluders *occluders, lwi_memory *memory) {
  *walls = (lwi_walls){.memory = memory};
  if (!read_facets(walls, occluders)) return false;
  if (walls->facet_count == 0) return true;
  size_t count = (size_t)walls->facet_count;
  wall_grid grid = {0};
  const lwi_wall_facet **seeds = lwi_alloc(memory, count * sizeof *seeds);
  walls->order = lwi_alloc(memory, count * sizeof *walls->order);
  bool done = seeds && walls->order && make_grid(walls, &grid) && group(walls, &grid, seeds);
  free_grid(&grid, memory);
  lwi_free(memory, seeds, count * sizeof *seeds);
  return done;
}

void lwi_walls_free(lwi_walls *walls) {
  lwi_free(walls->memory, walls->order, (size_t)walls->facet_count * sizeof *walls->order);
  lwi_free(walls->memory, walls->facets, (size_t)walls->facet_capacity * sizeof *walls->facets);
  lwi_free(walls->memory, walls->walls, (size_t)walls->wall_capacity * sizeof *walls->walls);
}
