/* Spatial lookup: a uniform grid in xz. A cell lists the polygons that reach into it, each with a box about the part that
   does, so that most can be passed over without a look at their corners. */
#include "mesh/mesh.h"

#include <float.h>
#include <string.h>

/* A few huge polygons among many small ones would fill every cell: then the cells grow. */
#define MAX_REFERENCES_PER_POLYGON 4
#define MAX_CELLS 4096 /* a side */
/* Ground in a cell, in polygons of mean area. */
#define CELL_POLYGONS 2.0f
/* Points this far outside a polygon still find it: more than any query lets pass. [m] */
#define PAD 2e-3f
/* Neighbours touch; only what overlaps by more than this is another floor. [m] */
#define OVERLAP_SLACK 5e-3
#define CLIP_ROOM (255 + 4)

bool lwi_grid_cells(const lwi_grid *grid, float min_x, float min_z, float max_x, float max_z, lwi_cells *out) {
  float x0 = floorf((min_x - grid->min_x) / grid->cell), z0 = floorf((min_z - grid->min_z) / grid->cell);
  float x1 = floorf((max_x - grid->min_x) / grid->cell), z1 = floorf((max_z - grid->min_z) / grid->cell);
  float right = (float)grid->width - 1, top = (float)grid->height - 1;
  if (!(x1 >= 0 && z1 >= 0 && x0 <= right && z0 <= top)) return false;
  *out = (lwi_cells){(int)fmaxf(0, x0), (int)fmaxf(0, z0), (int)fminf(right, x1), (int)fminf(top, z1)};
  return true;
}

/* --- what of a polygon lies in a cell ------------------------------------------------------------------------------ */

typedef struct clip_outline {
  int count;
  float x[CLIP_ROOM], z[CLIP_ROOM];
} clip_outline;

/* Keep what has sign * coordinate <= sign * limit (Sutherland and Hodgman 1974). `along`: which coordinate. */
static void clip(const clip_outline *from, bool along_x, float sign, float limit, clip_outline *to) {
  const float *at = along_x ? from->x : from->z;
  to->count = 0;
  for (int i = 0; i < from->count; i++) {
    int j = i + 1 < from->count ? i + 1 : 0;
    float a = sign * (at[i] - limit), b = sign * (at[j] - limit);
    if (a <= 0) {
      to->x[to->count] = from->x[i];
      to->z[to->count++] = from->z[i];
    }
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      float t = a / (a - b);
      to->x[to->count] = from->x[i] + (from->x[j] - from->x[i]) * t;
      to->z[to->count++] = from->z[i] + (from->z[j] - from->z[i]) * t;
    }
  }
}

static void clip_between(clip_outline *outline, bool along_x, float low, float high) {
  clip_outline half;
  clip(outline, along_x, -1, low, &half);
  clip(&half, along_x, 1, high, outline);
}

typedef struct grid_entry {
  uint32_t cell;
  lwi_reference reference;
} grid_entry;

typedef struct grid_work {
  lw_navmesh *mesh;
  float pad;
  grid_entry *entries;
  int count, capacity;
} grid_work;

static void find_heights(const lw_navmesh *mesh, uint32_t index, float *low, float *high) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  *low = INFINITY;
  *high = -INFINITY;
  for (uint32_t i = 0; i < polygon.count; i++) {
    *low = fminf(*low, lwi_corner(&polygon, i).y);
    *high = fmaxf(*high, lwi_corner(&polygon, i).y);
  }
  if (!mesh->first_detail_vertex) return;
  for (uint32_t i = mesh->first_detail_vertex[index]; i < mesh->first_detail_vertex[index + 1]; i++) {
    *low = fminf(*low, mesh->detail_vertices[i].y);
    *high = fmaxf(*high, mesh->detail_vertices[i].y);
  }
}

static uint8_t round_down(double part) {
  return (uint8_t)fmin(255, fmax(0, floor(part * 255)));
}
static uint8_t round_up(double part) {
  return (uint8_t)fmin(255, fmax(0, ceil(part * 255)));
}

static bool add_entry(grid_work *work, uint32_t polygon, int x, int z, const clip_outline *part, float low,
                      float high) {
  const lwi_grid *grid = &work->mesh->grid;
  float x0 = INFINITY, z0 = INFINITY, x1 = -INFINITY, z1 = -INFINITY;
  for (int i = 0; i < part->count; i++) {
    x0 = fminf(x0, part->x[i]);
    z0 = fminf(z0, part->z[i]);
    x1 = fmaxf(x1, part->x[i]);
    z1 = fmaxf(z1, part->z[i]);
  }
  if (!lwi_reserve(&work->mesh->memory, &work->entries, &work->capacity, work->count + 1,
                   sizeof *work->entries))
    return false;
  const double pad = (double)work->pad;
  work->entries[work->count++] = (grid_entry){(uint32_t)z * (uint32_t)grid->width + (uint32_t)x,
                                              {.polygon = polygon,
                                               .x0 = round_down(lwi_grid_u(grid, (double)x0 - pad) - x),
                                               .z0 = round_down(lwi_grid_v(grid, (double)z0 - pad) - z),
                                               .y0 = round_down(((double)low - grid->min_y) / grid->size_y),
                                               .x1 = round_up(lwi_grid_u(grid, (double)x1 + pad) - x),
                                               .z1 = round_up(lwi_grid_v(grid, (double)z1 + pad) - z),
                                               .y1 = round_up(((double)high - grid->min_y) / grid->size_y)}};
  return true;
}

/* Row by row, then cell by cell, what is left of it. */
static bool add_polygon(grid_work *work, uint32_t index) {
  const lwi_grid *grid = &work->mesh->grid;
  const float pad = work->pad;
  lwi_polygon polygon = lwi_polygon_get(work->mesh, index);
  clip_outline whole = {.count = (int)polygon.count};
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 corner = lwi_corner(&polygon, i);
    whole.x[i] = corner.x;
    whole.z[i] = corner.z;
    box = lwi_box_add(box, corner);
  }
  float low, high;
  find_heights(work->mesh, index, &low, &high);
  lwi_cells range = {0, 0, 0, 0};
  lwi_grid_cells(grid, box.min.x - pad, box.min.z - pad, box.max.x + pad, box.max.z + pad, &range);
  for (int z = range.z0; z <= range.z1; z++) {
    clip_outline row = whole;
    clip_between(&row, false, grid->min_z + (float)z * grid->cell - pad,
                 grid->min_z + (float)(z + 1) * grid->cell + pad);
    for (int x = range.x0; x <= range.x1 && row.count > 0; x++) {
      clip_outline part = row;
      clip_between(&part, true, grid->min_x + (float)x * grid->cell - pad,
                   grid->min_x + (float)(x + 1) * grid->cell + pad);
      if (part.count > 0 && !add_entry(work, index, x, z, &part, low, high)) return false;
    }
  }
  return true;
}

/* --- floors -------------------------------------------------------------------------------------------------------- */

/* Do all corners of b lie beyond one edge of a? */
static bool parts_by_edge(const lwi_polygon *a, const lwi_polygon *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    lw_vec3 p = lwi_corner(a, i), q = lwi_corner(a, lwi_next_corner(a, i));
    double slack = OVERLAP_SLACK * (double)lwi_distance_xz(p, q);
    bool beyond = true;
    for (uint32_t k = 0; k < b->count && beyond; k++) beyond = lwi_turn(p, q, lwi_corner(b, k)) <= slack;
    if (beyond) return true;
  }
  return false;
}

static bool boxes_overlap(const lwi_reference *a, const lwi_reference *b) {
  return a->x0 < b->x1 && b->x0 < a->x1 && a->z0 < b->z1 && b->z0 < a->z1;
}

#define MOST_COUNTED 64

static bool are_floors(const lw_navmesh *mesh, const lwi_reference *a, const lwi_reference *b) {
  lwi_polygon p = lwi_polygon_get(mesh, a->polygon), q = lwi_polygon_get(mesh, b->polygon);
  return boxes_overlap(a, b) && !parts_by_edge(&p, &q) && !parts_by_edge(&q, &p);
}

/* Polygons that share a point overlap each other. So many never do when taking away, again and again, the polygon that
   overlaps the fewest, there always is one that overlaps fewer (Matula and Beck 1983).
   @param over  [count] Bit k of the i-th: polygons i and k overlap. */
static uint32_t most_at_a_point(uint64_t *over, uint32_t count) {
  uint64_t left = count < 64 ? (1ULL << count) - 1 : ~0ULL;
  uint32_t most = 0;
  while (left != 0) {
    uint32_t fewest = UINT32_MAX, which = 0;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t overlaps = (uint32_t)__builtin_popcountll(over[i] & left);
      if (!(left >> i & 1) || overlaps >= fewest) continue;
      fewest = overlaps;
      which = i;
    }
    if (fewest + 1 > most) most = fewest + 1;
    left &= ~(1ULL << which);
  }
  return most;
}

static uint8_t count_floors(const lw_navmesh *mesh, const lwi_reference *references, uint32_t count) {
  uint64_t over[MOST_COUNTED] = {0};
  if (count > MOST_COUNTED) return (uint8_t)(count < 255 ? count : 255);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++) {
      if (!are_floors(mesh, &references[i], &references[k])) continue;
      over[i] |= 1ULL << k;
      over[k] |= 1ULL << i;
    }
  return (uint8_t)most_at_a_point(over, count);
}

/* --- building ------------------------------------------------------------------------------------------------------ */

static void size_grid(lw_navmesh *mesh, float cell) {
  lwi_grid *grid = &mesh->grid;
  grid->cell = cell;
  grid->min_x = mesh->bounds.min.x;
  grid->min_z = mesh->bounds.min.z;
  grid->width = (int)((mesh->bounds.max.x - grid->min_x) / cell) + 1;
  grid->height = (int)((mesh->bounds.max.z - grid->min_z) / cell) + 1;
}

static bool add_all(grid_work *work) {
  work->count = 0;
  for (uint32_t i = 0; i < work->mesh->polygon_count; i++)
    if (!add_polygon(work, i)) return false;
  return true;
}

/* Each cell lists its polygons in order. */
static bool store(grid_work *work) {
  lw_navmesh *mesh = work->mesh;
  lwi_grid *grid = &mesh->grid;
  size_t cells = (size_t)grid->width * (size_t)grid->height;
  grid->reference_count = (uint32_t)work->count;
  grid->first = lwi_alloc_zero(&mesh->memory, (cells + 1) * sizeof *grid->first);
  grid->floors = lwi_alloc(&mesh->memory, cells);
  grid->references = lwi_alloc(&mesh->memory, grid->reference_count * sizeof *grid->references);
  if (!grid->first || !grid->floors || !grid->references) return false;
  for (int i = 0; i < work->count; i++) grid->first[work->entries[i].cell] += 1;
  for (size_t c = 1; c <= cells; c++) grid->first[c] += grid->first[c - 1];
  for (int i = work->count; i-- > 0;)
    grid->references[--grid->first[work->entries[i].cell]] = work->entries[i].reference;
  for (size_t c = 0; c < cells; c++)
    grid->floors[c] =
        count_floors(mesh, grid->references + grid->first[c], grid->first[c + 1] - grid->first[c]);
  return true;
}

static void find_height_range(lw_navmesh *mesh) {
  float low = INFINITY, high = -INFINITY, y0, y1;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    find_heights(mesh, i, &y0, &y1);
    low = fminf(low, y0);
    high = fmaxf(high, y1);
  }
  mesh->grid.min_y = low;
  mesh->grid.size_y = fmaxf(high - low, 1e-3f);
}

static bool empty_grid(lw_navmesh *mesh) {
  mesh->grid = (lwi_grid){.cell = 1, .size_y = 1};
  mesh->grid.first = lwi_alloc_zero(&mesh->memory, sizeof *mesh->grid.first);
  return mesh->grid.first != NULL;
}

bool lwi_graph_grid(lw_navmesh *mesh) {
  if (mesh->polygon_count == 0) return empty_grid(mesh);
  float size_x = mesh->bounds.max.x - mesh->bounds.min.x, size_z = mesh->bounds.max.z - mesh->bounds.min.z;
  /* A few polygons a cell where there is ground; corridors leave most cells of their bounds empty. */
  float ground = (float)mesh->area / (float)mesh->polygon_count;
  float cell = sqrtf(fmaxf(CELL_POLYGONS * ground, size_x * size_z / (2 * (float)mesh->polygon_count)));
  float far = fmaxf(fmaxf(fabsf(mesh->bounds.min.x), fabsf(mesh->bounds.max.x)),
                    fmaxf(fabsf(mesh->bounds.min.z), fabsf(mesh->bounds.max.z)));
  grid_work work = {.mesh = mesh, .pad = PAD + 2 * FLT_EPSILON * far};
  find_height_range(mesh);
  size_grid(mesh, fmaxf(cell, fmaxf(size_x, size_z) / MAX_CELLS));
  bool done = add_all(&work);
  while (done && mesh->grid.width * mesh->grid.height > 1 &&
         (uint64_t)work.count > (uint64_t)MAX_REFERENCES_PER_POLYGON * mesh->polygon_count) {
    size_grid(mesh, mesh->grid.cell * 1.5f);
    done = add_all(&work);
  }
  done = done && store(&work);
  lwi_free(&mesh->memory, work.entries, (size_t)work.capacity * sizeof *work.entries);
  return done;
}
