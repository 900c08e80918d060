#include "mesh/overlap.h"

#include "core/vec3.h"

/* Corners on an edge between polygons are rounded: what overlaps by less is a neighbour. [m] */
#define SLIVER 0.01
#define FLOAT_STEPS 4e-7 /* and more where coordinates are large: a few of a float's steps */
/* Few huge polygons among many small ones would fill every cell: then the cells grow. */
#define MAX_REFERENCES_PER_POLYGON 16

/* Polygons by cell of a uniform grid. */
typedef struct overlap_work {
  const lwi_outlines *outlines;
  double climb, sliver;
  lwi_memory *memory;
  lw_box *boxes; /* [count] */
  lw_box bounds;
  float cell;
  int width, height;
  size_t *first; /* [width * height + 1] */
  int *members;
  size_t member_count;
  lw_vec3 *clipped[2]; /* [most] room to cut one polygon by another */
  int most;
} overlap_work;

typedef struct cell_range {
  int x0, z0, x1, z1;
} cell_range;

static int corner_count(const lwi_outlines *outlines, int polygon) {
  return outlines->first_corner[polygon + 1] - outlines->first_corner[polygon];
}

static lw_vec3 corner_at(const lwi_outlines *outlines, int polygon, int i) {
  return outlines->vertices[outlines->corners[outlines->first_corner[polygon] + i]];
}

static lw_vec3 next_corner(const lwi_outlines *outlines, int polygon, int i) {
  return corner_at(outlines, polygon, i + 1 < corner_count(outlines, polygon) ? i + 1 : 0);
}

/* --- one pair -------------------------------------------------------------------------------------------------- */

static bool boxes_meet(const overlap_work *work, const lw_box *a, const lw_box *b) {
  double s = work->sliver;
  return (double)a->max.x - b->min.x > s && (double)b->max.x - a->min.x > s &&
         (double)a->max.z - b->min.z > s && (double)b->max.z - a->min.z > s &&
         (double)a->min.y - b->max.y <= work->climb && (double)b->min.y - a->max.y <= work->climb;
}

/* Does an edge of `a` have all of `b` outside, but for a sliver? For convex polygons one does unless they overlap
   (separating axes). */
static bool is_parted_by(const overlap_work *work, int a, int b) {
  const lwi_outlines *outlines = work->outlines;
  int edges = corner_count(outlines, a), corners = corner_count(outlines, b);
  for (int i = 0; i < edges; i++) {
    lw_vec3 from = corner_at(outlines, a, i), to = next_corner(outlines, a, i);
    double reach = work->sliver * hypot((double)to.x - from.x, (double)to.z - from.z);
    int k = 0;
    while (k < corners && lwi_turn(from, to, corner_at(outlines, b, k)) <= reach) k++;
    if (k == corners) return true;
  }
  return false;
}

/* The height of a polygon at (x, z), from the triangle of a fan that holds the point best. */
static double height_at(const lwi_outlines *outlines, int polygon, lw_vec3 point) {
  lw_vec3 a = corner_at(outlines, polygon, 0);
  double best = -INFINITY, height = a.y;
  for (int i = 2; i < corner_count(outlines, polygon); i++) {
    lw_vec3 b = corner_at(outlines, polygon, i - 1), c = corner_at(outlines, polygon, i);
    double area = lwi_turn(a, b, c);
    if (!(area > 0)) continue;
    double v = lwi_turn(a, point, c) / area, w = lwi_turn(a, b, point) / area, u = 1 - v - w;
    double depth = fmin(u, fmin(v, w));
    if (depth <= best) continue;
    best = depth;
    height = u * a.y + v * b.y + w * c.y;
  }
  return height;
}

/* Keep what is left of from -> to (Sutherland and Hodgman 1974), but no more corners than there is room for. */
static int clip(const lw_vec3 *in, int count, lw_vec3 from, lw_vec3 to, lw_vec3 *out, int room) {
  int kept = 0;
  for (int i = 0; i < count && kept + 2 <= room; i++) {
    lw_vec3 a = in[i], b = in[i + 1 < count ? i + 1 : 0];
    double side_a = lwi_turn(from, to, a), side_b = lwi_turn(from, to, b);
    if (side_a >= 0) out[kept++] = a;
    if (side_a * side_b < 0) out[kept++] = lwi_lerp(a, b, (float)(side_a / (side_a - side_b)));
  }
  return kept;
}

/* The common part. @return Its corners, or 0: rounding left nothing. */
static int cut(overlap_work *work, int a, int b, const lw_vec3 **common) {
  const lwi_outlines *outlines = work->outlines;
  int count = corner_count(outlines, a), from = 0;
  for (int i = 0; i < count; i++) work->clipped[0][i] = corner_at(outlines, a, i);
  for (int i = 0; i < corner_count(outlines, b) && count > 0; i++) {
    count = clip(work->clipped[from], count, corner_at(outlines, b, i), next_corner(outlines, b, i),
                 work->clipped[1 - from], work->most);
    from = 1 - from;
  }
  *common = work->clipped[from];
  return count;
}

static bool overlaps(overlap_work *work, int a, int b, lw_vec3 *at) {
  const lwi_outlines *outlines = work->outlines;
  if (!boxes_meet(work, &work->boxes[a], &work->boxes[b]) || is_parted_by(work, a, b) ||
      is_parted_by(work, b, a))
    return false;
  const lw_vec3 *common;
  int count = cut(work, a, b, &common);
  *at = lwi_vec3(0, 0, 0);
  for (int i = 0; i < count; i++) {
    double apart = height_at(outlines, a, common[i]) - height_at(outlines, b, common[i]);
    if (fabs(apart) > work->climb) return false;
    *at = lwi_add(*at, lwi_scale(common[i], 1 / (float)count));
  }
  at->y = (float)height_at(outlines, a, *at);
  return count > 0;
}

/* --- the grid -------------------------------------------------------------------------------------------------- */

static int cell_of(float value, float origin, float cell, int count) {
  int i = (int)floorf((value - origin) / cell);
  return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static cell_range cells_of(const overlap_work *work, int polygon) {
  const lw_box *box = &work->boxes[polygon];
  return (cell_range){
      cell_of(box->min.x, work->bounds.min.x, work->cell, work->width),
      cell_of(box->min.z, work->bounds.min.z, work->cell, work->height),
      cell_of(box->max.x, work->bounds.min.x, work->cell, work->width),
      cell_of(box->max.z, work->bounds.min.z, work->cell, work->height),
  };
}

static size_t count_members(const overlap_work *work) {
  size_t total = 0;
  for (int p = 0; p < work->outlines->count; p++) {
    cell_range cells = cells_of(work, p);
    total += (size_t)(cells.x1 - cells.x0 + 1) * (size_t)(cells.z1 - cells.z0 + 1);
  }
  return total;
}

static void measure(overlap_work *work) {
  const lwi_outlines *outlines = work->outlines;
  work->bounds = lwi_box_empty();
  for (int p = 0; p < outlines->count; p++) {
    work->boxes[p] = lwi_box_empty();
    int corners = corner_count(outlines, p);
    if (corners > work->most) work->most = corners;
    for (int i = 0; i < corners; i++) work->boxes[p] = lwi_box_add(work->boxes[p], corner_at(outlines, p, i));
    work->bounds = lwi_box_add(lwi_box_add(work->bounds, work->boxes[p].min), work->boxes[p].max);
  }
  const lw_box *all = &work->bounds;
  float far = fmaxf(fmaxf(fabsf(all->min.x), fabsf(all->max.x)), fmaxf(fabsf(all->min.z), fabsf(all->max.z)));
  work->sliver = SLIVER + FLOAT_STEPS * (double)far;
  work->most = 2 * work->most + 2; /* a cut adds a corner at most, or two more where rounding left a dent */
}

static void size_cells(overlap_work *work) {
  float size_x = work->bounds.max.x - work->bounds.min.x, size_z = work->bounds.max.z - work->bounds.min.z;
  float cell = sqrtf(size_x * size_z / (float)work->outlines->count);
  work->cell = fmaxf(cell, fmaxf(size_x, size_z) / 4096);
  for (;; work->cell *= 2) {
    work->width = (int)(size_x / work->cell) + 1;
    work->height = (int)(size_z / work->cell) + 1;
    work->member_count = count_members(work);
    if (work->member_count <= (size_t)MAX_REFERENCES_PER_POLYGON * (size_t)work->outlines->count) return;
    if (work->width == 1 && work->height == 1) return;
  }
}

/* A counting sort; `members` of a cell come in order. */
static void fill_cells(overlap_work *work) {
  size_t cells = (size_t)work->width * (size_t)work->height;
  for (int pass = 0; pass < 2; pass++) {
    for (int p = work->outlines->count - 1; p >= 0; p--) {
      cell_range range = cells_of(work, p);
      for (int z = range.z0; z <= range.z1; z++)
        for (int x = range.x0; x <= range.x1; x++) {
          size_t *slot = &work->first[(size_t)z * (size_t)work->width + (size_t)x];
          if (pass == 0)
            *slot += 1;
          else
            work->members[--*slot] = p;
        }
    }
    for (size_t c = 1; c <= cells && pass == 0; c++) work->first[c] += work->first[c - 1];
  }
}

/* A pair is looked at in the first cell that both have. */
static bool is_first_shared(const overlap_work *work, int a, int b, int x, int z) {
  cell_range p = cells_of(work, a), q = cells_of(work, b);
  return x == (p.x0 > q.x0 ? p.x0 : q.x0) && z == (p.z0 > q.z0 ? p.z0 : q.z0);
}

static void search_cell(overlap_work *work, int x, int z, lwi_overlap *overlap) {
  size_t c = (size_t)z * (size_t)work->width + (size_t)x;
  for (size_t i = work->first[c]; i < work->first[c + 1]; i++)
    for (size_t j = i + 1; j < work->first[c + 1]; j++) {
      int a = work->members[i], b = work->members[j];
      if (!is_first_shared(work, a, b, x, z) || !overlaps(work, a, b, &overlap->at)) continue;
      overlap->found = true;
      overlap->first = a;
      overlap->second = b;
      return;
    }
}

static bool search(overlap_work *work, lwi_overlap *overlap) {
  size_t cells = (size_t)work->width * (size_t)work->height;
  size_t first_size = (cells + 1) * sizeof *work->first, clip_size = (size_t)work->most * sizeof(lw_vec3);
  work->first = lwi_alloc_zero(work->memory, first_size);
  work->members = lwi_alloc(work->memory, work->member_count * sizeof *work->members);
  for (int i = 0; i < 2; i++) work->clipped[i] = lwi_alloc(work->memory, clip_size);
  bool done = work->first && work->members && work->clipped[0] && work->clipped[1];
  if (done) {
    fill_cells(work);
    for (int z = 0; z < work->height && !overlap->found; z++)
      for (int x = 0; x < work->width && !overlap->found; x++) search_cell(work, x, z, overlap);
  }
  for (int i = 0; i < 2; i++) lwi_free(work->memory, work->clipped[i], clip_size);
  lwi_free(work->memory, work->members, work->member_count * sizeof *work->members);
  lwi_free(work->memory, work->first, first_size);
  return done;
}

bool lwi_overlap_find(const lwi_outlines *outlines, float climb, lwi_memory *memory, lwi_overlap *overlap) {
  *overlap = (lwi_overlap){.found = false};
  if (outlines->count < 2) return true;
  overlap_work work = {.outlines = outlines, .climb = (double)climb + 1e-4, .memory = memory};
  size_t size = (size_t)outlines->count * sizeof *work.boxes;
  work.boxes = lwi_alloc(memory, size);
  if (!work.boxes) return false;
  measure(&work);
  size_cells(&work);
  bool done = search(&work, overlap);
  lwi_free(memory, work.boxes, size);
  return done;
}
