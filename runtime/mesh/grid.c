/* Lookup by place: a uniform grid in xz. A cell lists the polygons that reach into it, each with the box of its
   part there, so that most are ruled out before their corners are read. */
#include "mesh/grid.h"

#include "core/simd.h"
#include "core/sort.h"
#include "mesh/column.h"

#include <float.h>
#include <string.h>

/* A few huge polygons among many small ones would fill every cell, so the cells grow. */
#define MAX_REFERENCES_PER_POLYGON 4
#define MAX_CELLS 4096 /* a side */
/* Area of a cell, in mean polygon areas. */
#define CELL_POLYGONS 2.0f
/* Points this far outside of a polygon still find it; queries tolerate less. [m] */
#define PAD 2e-3f
/* Neighbours touch, so only polygons that overlap by more than this count as floors above each other. [m] */
#define OVERLAP_SLACK 5e-3
#define CLIP_CAPACITY (255 + 4)

bool lwi_grid_cells(const lwi_grid *grid, float min_x, float min_z, float max_x, float max_z, lwi_cells *out) {
  const float x0 = (min_x - grid->min_x) / grid->cell, z0 = (min_z - grid->min_z) / grid->cell,
              x1 = (max_x - grid->min_x) / grid->cell, z1 = (max_z - grid->min_z) / grid->cell;
  const float right = (float)grid->width, top = (float)grid->height;
  if (!(x1 >= 0 && z1 >= 0 && x0 < right && z0 < top)) return false;
  *out = (lwi_cells){(int)lwi_max(0, x0), (int)lwi_max(0, z0), (int)lwi_min(right - 1, x1),
                     (int)lwi_min(top - 1, z1)};
  return true;
}

/* --- polygons in cells ------------------------------------------------------------------------------------ */

typedef struct clip_outline {
  int count;
  float x[CLIP_CAPACITY], z[CLIP_CAPACITY];
} clip_outline;

/* Keep the part with sign * coordinate <= sign * limit (Sutherland and Hodgman 1974). */
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

void lwi_grid_heights(const lw_navmesh *mesh, uint32_t index, float heights[2]) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  heights[0] = INFINITY;
  heights[1] = -INFINITY;
  for (uint32_t i = 0; i < polygon.count; i++) {
    heights[0] = fminf(heights[0], lwi_corner(&polygon, i).y);
    heights[1] = fmaxf(heights[1], lwi_corner(&polygon, i).y);
  }
  if (!mesh->detail.first_vertex) return;
  for (uint32_t i = mesh->detail.first_vertex[index]; i < mesh->detail.first_vertex[index + 1]; i++) {
    heights[0] = fminf(heights[0], mesh->detail.vertices[i].y);
    heights[1] = fmaxf(heights[1], mesh->detail.vertices[i].y);
  }
}

static uint8_t round_down(double part) {
  return (uint8_t)fmin(255, fmax(0, floor(part * 255)));
}
static uint8_t round_up(double part) {
  return (uint8_t)fmin(255, fmax(0, ceil(part * 255)));
}

static bool add_entry(lwi_grid_work *work, uint32_t polygon, int x, int z, const clip_outline *part,
                      const float heights[2]) {
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
  work->entries[work->count++] =
      (lwi_grid_entry){(uint32_t)z * (uint32_t)grid->width + (uint32_t)x,
                       {.polygon = polygon,
                        .x0 = round_down(lwi_grid_u(grid, (double)x0 - pad) - x),
                        .z0 = round_down(lwi_grid_v(grid, (double)z0 - pad) - z),
                        .y0 = round_down(((double)heights[0] - grid->min_y) / grid->size_y),
                        .x1 = round_up(lwi_grid_u(grid, (double)x1 + pad) - x),
                        .z1 = round_up(lwi_grid_v(grid, (double)z1 + pad) - z),
                        .y1 = round_up(((double)heights[1] - grid->min_y) / grid->size_y)}};
  return true;
}

/* Clip the polygon to each row of cells, and the rest to each cell. */
bool lwi_grid_add_polygon(lwi_grid_work *work, uint32_t index) {
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
  float heights[2];
  lwi_grid_heights(work->mesh, index, heights);
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
      if (part.count > 0 && !add_entry(work, index, x, z, &part, heights)) return false;
    }
  }
  return true;
}

/* --- floors ----------------------------------------------------------------------------------------------- */

/* Do all corners of b lie outside of one edge of a? */
static bool is_separated_by(const lwi_polygon *a, const lwi_polygon *b) {
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

#define COUNTED_MAX 64

static bool are_floors(const lw_navmesh *mesh, const lwi_reference *a, const lwi_reference *b) {
  lwi_polygon p = lwi_polygon_get(mesh, a->polygon), q = lwi_polygon_get(mesh, b->polygon);
  return boxes_overlap(a, b) && !is_separated_by(&p, &q) && !is_separated_by(&q, &p);
}

/* Upper bound on how many polygons share a point: these overlap each other, so their number is at most 1 + the
   degeneracy of the graph of overlaps, found by removing the polygon with the fewest overlaps again and again
   (Matula and Beck 1983). @param over  [count] Bit k of element i: polygons i and k overlap. */
static uint32_t bound_floors(uint64_t *over, uint32_t count) {
  uint64_t left = count < 64 ? (1ULL << count) - 1 : ~0ULL;
  uint32_t bound = 0;
  while (left != 0) {
    uint32_t fewest = UINT32_MAX, which = 0;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t overlaps = (uint32_t)__builtin_popcountll(over[i] & left);
      if (!(left >> i & 1) || overlaps >= fewest) continue;
      fewest = overlaps;
      which = i;
    }
    if (fewest + 1 > bound) bound = fewest + 1;
    left &= ~(1ULL << which);
  }
  return bound;
}

uint8_t lwi_grid_count_floors(const lw_navmesh *mesh, const lwi_reference *references, uint32_t count) {
  uint64_t over[COUNTED_MAX] = {0};
  if (count > COUNTED_MAX) return (uint8_t)(count < 255 ? count : 255);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++) {
      if (!are_floors(mesh, &references[i], &references[k])) continue;
      over[i] |= 1ULL << k;
      over[k] |= 1ULL << i;
    }
  return (uint8_t)bound_floors(over, count);
}

/* --- building --------------------------------------------------------------------------------------------- */

static void size_grid(lw_navmesh *mesh, float cell) {
  lwi_grid *grid = &mesh->grid;
  grid->cell = cell;
  grid->min_x = mesh->bounds.min.x;
  grid->min_z = mesh->bounds.min.z;
  grid->width = (int)((mesh->bounds.max.x - grid->min_x) / cell) + 1;
  grid->height = (int)((mesh->bounds.max.z - grid->min_z) / cell) + 1;
}

static bool add_all(lwi_grid_work *work) {
  work->count = 0;
  for (uint32_t i = 0; i < work->mesh->polygons.count; i++)
    if (!lwi_grid_add_polygon(work, i)) return false;
  return true;
}

/* Within a cell, polygons are in order. */
static bool store(lwi_grid_work *work) {
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
        lwi_grid_count_floors(mesh, grid->references + grid->first[c], grid->first[c + 1] - grid->first[c]);
  return true;
}

static void find_height_range(lw_navmesh *mesh) {
  float low = INFINITY, high = -INFINITY, heights[2];
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    lwi_grid_heights(mesh, i, heights);
    low = fminf(low, heights[0]);
    high = fmaxf(high, heights[1]);
  }
  mesh->grid.min_y = low;
  mesh->grid.size_y = fmaxf(high - low, 1e-3f);
}

static bool empty_grid(lw_navmesh *mesh) {
  mesh->grid = (lwi_grid){.cell = 1, .size_y = 1};
  mesh->grid.first = lwi_alloc_zero(&mesh->memory, sizeof *mesh->grid.first);
  return mesh->grid.first != NULL;
}

/* By the area of the ground, but corridors leave most of their bounds empty: then by the bounds. */
float lwi_grid_cell_for(const lw_navmesh *mesh) {
  const float size_x = mesh->bounds.max.x - mesh->bounds.min.x,
              size_z = mesh->bounds.max.z - mesh->bounds.min.z,
              ground = (float)mesh->area / (float)mesh->polygons.count,
              cell = sqrtf(fmaxf(CELL_POLYGONS * ground, size_x * size_z / (2 * (float)mesh->polygons.count)));
  return fmaxf(cell, fmaxf(size_x, size_z) / MAX_CELLS);
}

lwi_grid_work lwi_grid_begin(lw_navmesh *mesh) {
  const float far = fmaxf(fmaxf(fabsf(mesh->bounds.min.x), fabsf(mesh->bounds.max.x)),
                          fmaxf(fabsf(mesh->bounds.min.z), fabsf(mesh->bounds.max.z)));
  return (lwi_grid_work){.mesh = mesh, .pad = PAD + 2 * FLT_EPSILON * far};
}

static int compare_entries(const void *left, const void *right) {
  const lwi_grid_entry *a = left, *b = right;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  return (a->reference.polygon > b->reference.polygon) - (a->reference.polygon < b->reference.polygon);
}

void lwi_grid_sort(lwi_grid_work *work) {
  if (work->count > 1) lwi_sort(work->entries, (size_t)work->count, sizeof *work->entries, compare_entries);
}

bool lwi_graph_grid(lw_navmesh *mesh) {
  if (mesh->polygons.count == 0) return empty_grid(mesh);
  lwi_grid_work work = lwi_grid_begin(mesh);
  find_height_range(mesh);
  size_grid(mesh, lwi_grid_cell_for(mesh));
  bool done = add_all(&work);
  while (done && mesh->grid.width * mesh->grid.height > 1 &&
         (uint64_t)work.count > (uint64_t)MAX_REFERENCES_PER_POLYGON * mesh->polygons.count) {
    size_grid(mesh, mesh->grid.cell * 1.5f);
    done = add_all(&work);
  }
  done = done && store(&work);
  lwi_free(&mesh->memory, work.entries, (size_t)work.capacity * sizeof *work.entries);
  return done;
}

/* --- lookup ----------------------------------------------------------------------------------------------- */

/* Points outside of a polygon by no more than this are over it: rounding at shared edges. [m] */
#define EDGE_SLACK 1e-3

/* Capacity of the queue of candidates. */
#define CANDIDATES_MAX 64

typedef struct nearest_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 point, half;
  lwi_float4 at;    /* the point: x and z in 255ths of a cell, y in 255ths of the navmesh's height */
  lwi_float4 unit2; /* squared units of `at` [m2] */
  float half_y;     /* [255ths] */
  float corner2;    /* to a corner of the box [m2] */
  float distance2;  /* to the nearest so far [m2] */
  uint32_t polygon;
  lw_vec3 found;
  int candidate_count;
  float bounds2[CANDIDATES_MAX]; /* lower bounds on the squared distances of the candidates */
  uint32_t candidates[CANDIDATES_MAX];
} nearest_search;

/* Cut an interval of a line down to where -half <= origin + slope * t <= half. */
static void cut_line(float origin, float slope, float half, float t[2]) {
  if (slope == 0 && fabsf(origin) <= half) return;
  const float a = (-half - origin) / slope, b = (half - origin) / slope; /* infinite where it never meets */
  t[0] = fmaxf(t[0], fminf(a, b));
  t[1] = fminf(t[1], fmaxf(a, b));
}

/* The nearest place of the part of a polygon in the box, in xz, where the nearest of all of it lies outside: it is on
   an edge, for the point is in the box. @return false: there is no such part. */
static bool closest_in_box(const nearest_search *search, const lwi_polygon *polygon, lw_vec3 *closest) {
  const lw_vec3 point = search->point, half = search->half;
  float best = INFINITY;
  for (uint32_t i = 0; i < polygon->count; i++) {
    const lw_vec3 a = lwi_sub(lwi_corner(polygon, i), point),
                  b = lwi_sub(lwi_corner(polygon, lwi_next_corner(polygon, i)), point);
    const float dx = b.x - a.x, dz = b.z - a.z, foot = -(a.x * dx + a.z * dz) / (dx * dx + dz * dz);
    float in_box[2] = {0, 1};
    cut_line(a.x, dx, half.x, in_box);
    cut_line(a.z, dz, half.z, in_box);
    if (!(in_box[0] <= in_box[1])) continue;
    const float t = fminf(in_box[1], fmaxf(in_box[0], foot)), x = a.x + t * dx, z = a.z + t * dz;
    if (x * x + z * z >= best) continue;
    best = x * x + z * z;
    *closest = lwi_vec3(point.x + x, point.y, point.z + z);
  }
  return best < INFINITY;
}

/* @param index  Of a polygon that is there. */
static void try_part(nearest_search *search, uint32_t index) {
  if (index == search->polygon || !lwi_passes(search->mesh, search->filter, index)) return;
  lwi_polygon polygon = lwi_polygon_get(search->mesh, index);
  lw_vec3 closest, point = search->point;
  lwi_polygon_closest(&polygon, point, &closest);
  float dx = closest.x - point.x, dz = closest.z - point.z, flat2 = dx * dx + dz * dz;
  if (flat2 >= search->distance2) return;
  if (fabsf(dx) > search->half.x || fabsf(dz) > search->half.z) {
    if (flat2 > search->corner2 || !closest_in_box(search, &polygon, &closest)) return;
    dx = closest.x - point.x;
    dz = closest.z - point.z;
    flat2 = dx * dx + dz * dz;
  }
  closest.y = lwi_polygon_height(search->mesh, index, closest.x, closest.z);
  float dy = closest.y - point.y, distance2 = flat2 + dy * dy;
  if (fabsf(dy) > search->half.y || distance2 >= search->distance2) return;
  search->distance2 = distance2;
  search->polygon = index;
  search->found = closest;
}

/* The grid of a live navmesh is that of its base. */
static void try_polygon(nearest_search *search, uint32_t polygon) {
  lwi_part_walk walk = lwi_parts_near(search->mesh, polygon, lwi_sub(search->point, search->half),
                                      lwi_add(search->point, search->half));
  for (uint32_t i; lwi_next_part(&walk, &i);) try_part(search, i);
}

/* Try candidates that may still be nearer, in the order of their bounds. */
static void try_candidates(nearest_search *search) {
  for (;;) {
    int next = -1;
    float lowest = search->distance2;
    for (int i = 0; i < search->candidate_count; i++) {
      next = search->bounds2[i] < lowest ? i : next;
      lowest = search->bounds2[i] < lowest ? search->bounds2[i] : lowest;
    }
    if (next < 0) break;
    search->bounds2[next] = INFINITY;
    try_polygon(search, search->candidates[next]);
  }
  search->candidate_count = 0;
}

/* Queue the polygons of a cell whose boxes may be nearer than the nearest so far. */
static void queue_cell(nearest_search *search, int x, int z) {
  const lwi_grid *grid = &search->mesh->grid;
  size_t c = (size_t)z * (size_t)grid->width + (size_t)x;
  lwi_float4 at = lwi_sub4(search->at, lwi_make4(255 * (float)x, 255 * (float)z, 0, 0));
  for (uint32_t i = grid->first[c]; i < grid->first[c + 1]; i++) {
    const lwi_reference *box = &grid->references[i];
    lwi_float4 gap = lwi_max4(lwi_sub4(lwi_load_bytes4(&box->x0), at), lwi_sub4(at, lwi_load_bytes4(&box->x1)));
    gap = lwi_max4(gap, lwi_splat4(0));
    float bound2 = lwi_sum4(lwi_mul4(lwi_mul4(gap, gap), search->unit2)) * 0.9999f; /* less than any rounding */
    if (search->candidate_count == CANDIDATES_MAX) try_candidates(search);
    search->bounds2[search->candidate_count] = bound2;
    search->candidates[search->candidate_count] = box->polygon;
    search->candidate_count += (bound2 < search->distance2) & (lwi_get4(gap, 2) <= search->half_y);
  }
}

static int clamp(float value, int count) {
  return value < 0 ? 0 : value >= (float)count ? count - 1 : (int)value;
}

/* Squared distance from the point to a cell. [255ths of a cell, squared] */
static float cell_gap2(const nearest_search *search, int x, int z) {
  float u = lwi_get4(search->at, 0) - 255 * (float)x, v = lwi_get4(search->at, 1) - 255 * (float)z;
  float dx = u < 0 ? -u : u > 255 ? u - 255 : 0, dz = v < 0 ? -v : v > 255 ? v - 255 : 0;
  return dx * dx + dz * dz;
}

/* The point's own cell first, which nearly always has the nearest polygon, then cells that are near enough. */
static void search_cells(nearest_search *search, const lwi_cells *range) {
  int cx = clamp(lwi_get4(search->at, 0) / 255, search->mesh->grid.width);
  int cz = clamp(lwi_get4(search->at, 1) / 255, search->mesh->grid.height);
  queue_cell(search, cx, cz);
  try_candidates(search);
  for (int z = range->z0; z <= range->z1; z++)
    for (int x = range->x0; x <= range->x1; x++) {
      if ((x == cx && z == cz) ||
          cell_gap2(search, x, z) * lwi_get4(search->unit2, 0) * 0.9999f >= search->distance2)
        continue;
      queue_cell(search, x, z);
    }
  try_candidates(search);
}

lw_status lw_navmesh_nearest(const lw_navmesh *mesh, lw_vec3 point, lw_vec3 snap, const lw_filter *filter,
                             lw_location *location) {
  if (location) *location = (lw_location){.point = point};
  if (!mesh || !location) return LW_INVALID;
  if (!lwi_finite(point) || !(snap.x > 0 && snap.y > 0 && snap.z > 0)) return LW_INVALID;
  const lwi_grid *grid = &mesh->grid;
  lwi_cells range;
  if (!lwi_grid_cells(grid, point.x - snap.x, point.z - snap.z, point.x + snap.x, point.z + snap.z, &range))
    return LW_NO_POINT;
  const float unit = grid->cell / 255, unit_y = grid->size_y / 255;
  nearest_search search;
  search.mesh = mesh;
  search.filter = filter;
  search.point = point;
  search.half = snap;
  search.at = lwi_make4((point.x - grid->min_x) / unit, (point.z - grid->min_z) / unit,
                        (point.y - grid->min_y) / unit_y, 0);
  search.unit2 = lwi_make4(unit * unit, unit * unit, unit_y * unit_y, 0);
  search.half_y = snap.y / unit_y;
  search.corner2 = snap.x * snap.x + snap.z * snap.z;
  search.distance2 = INFINITY;
  search.polygon = LWI_NONE;
  search.candidate_count = 0;
  search_cells(&search, &range);
  if (search.polygon == LWI_NONE) return LW_NO_POINT;
  *location = (lw_location){search.found, lwi_poly_id(mesh, search.polygon)};
  return LW_OK;
}

uint32_t lwi_part_at(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 point, double slack) {
  lwi_part_walk walk = lwi_parts_near(mesh, polygon, point, point);
  for (uint32_t i; lwi_next_part(&walk, &i);) {
    const lwi_polygon part = lwi_polygon_get(mesh, i);
    if (lwi_polygon_holds(&part, point, slack)) return i;
  }
  return LWI_NONE;
}

/* The polygon over or under `point` whose surface is nearest in height. */
static uint32_t polygon_at(const lw_navmesh *mesh, lw_vec3 point, const lw_filter *filter, float *height) {
  uint32_t best = LWI_NONE;
  lwi_column column;
  if (!lwi_finite(point) || !lwi_grid_column(&mesh->grid, point.x, point.z, &column)) return best;
  for (uint32_t i = column.first; i < column.end; i++) {
    const lwi_reference *reference = &mesh->grid.references[i];
    if (!lwi_column_meets(&column, reference)) continue;
    uint32_t index = lwi_part_at(mesh, reference->polygon, point, EDGE_SLACK);
    if (index == LWI_NONE || !lwi_passes(mesh, filter, index)) continue;
    float y = lwi_polygon_height(mesh, index, point.x, point.z);
    if (best != LWI_NONE && fabsf(y - point.y) >= fabsf(*height - point.y)) continue;
    best = index;
    *height = y;
  }
  return best;
}

bool lw_navmesh_contains(const lw_navmesh *mesh, lw_vec3 point, float tolerance, const lw_filter *filter) {
  float height;
  return mesh && polygon_at(mesh, point, filter, &height) != LWI_NONE && fabsf(height - point.y) <= tolerance;
}

lw_status lw_navmesh_height(const lw_navmesh *mesh, lw_vec3 point, const lw_filter *filter, float *height) {
  if (height) *height = 0;
  if (!mesh || !height || !lwi_finite(point)) return LW_INVALID;
  return polygon_at(mesh, point, filter, height) == LWI_NONE ? LW_NO_POINT : LW_OK;
}
