#include "mesh/outline.h"

#include "mesh/mesh.h"

#include <stdio.h>

#define PI 3.14159265358979
#define SMALLEST_AREA2 1e-9 /* [m2] */

static lw_vec3 corner_at(const lwi_outline *outline, int i) {
  return outline->vertices[outline->corners[i % outline->count]];
}

static double area2(const lwi_outline *outline) {
  double sum = 0;
  for (int i = 2; i < outline->count; i++)
    sum += lwi_turn(corner_at(outline, 0), corner_at(outline, i - 1), corner_at(outline, i));
  return sum;
}

/* Every corner must turn left, and all turns together must make one full turn. */
lwi_outline_fault lwi_outline_check(const lwi_outline *outline, double slack, int *corner) {
  double area = area2(outline), whole = 0;
  *corner = 0;
  if (fabs(area) < SMALLEST_AREA2) return LWI_OUTLINE_FLAT;
  for (int i = 0; i < outline->count; i++) {
    lw_vec3 a = corner_at(outline, i), b = corner_at(outline, i + 1), c = corner_at(outline, i + 2);
    double length = hypot((double)b.x - a.x, (double)b.z - a.z), turn = lwi_turn(a, b, c);
    *corner = i;
    if (length == 0) return LWI_OUTLINE_POINT;
    if (area < 0) continue;
    *corner = (i + 1) % outline->count;
    if (turn < -slack * length) return LWI_OUTLINE_CONCAVE;
    whole += atan2(turn, ((double)b.x - a.x) * ((double)c.x - b.x) + ((double)b.z - a.z) * ((double)c.z - b.z));
  }
  *corner = 0;
  if (area < 0) return LWI_OUTLINE_CLOCKWISE;
  return whole > 3 * PI ? LWI_OUTLINE_STAR : LWI_OUTLINE_CONVEX;
}

void lwi_outline_describe(const lwi_outline *outline, lwi_outline_fault fault, int corner, char *text,
                          size_t size) {
  lw_vec3 at = corner_at(outline, corner);
  switch (fault) {
  case LWI_OUTLINE_CONVEX: snprintf(text, size, "is convex"); break;
  case LWI_OUTLINE_FLAT:
    snprintf(text, size, "is degenerate, expected a convex polygon: it has no area seen from above");
    break;
  case LWI_OUTLINE_CLOCKWISE:
    snprintf(text, size, "is wound clockwise, expected counter-clockwise seen from above");
    break;
  case LWI_OUTLINE_STAR:
    snprintf(text, size, "is not simple, expected a convex polygon: its edges cross");
    break;
  case LWI_OUTLINE_POINT:
    snprintf(text, size,
             "is degenerate, expected a convex polygon: its corners %d and %d are one place seen from above",
             corner + 1, (corner + 1) % outline->count + 1);
    break;
  case LWI_OUTLINE_CONCAVE:
    snprintf(text, size, "is concave at its corner %d (%g, %g, %g), expected a convex polygon", corner + 1,
             (double)at.x, (double)at.y, (double)at.z);
    break;
  }
}

/* --- overlaps --------------------------------------------------------------------------------------------- */

/* Corners on a shared edge are rounded, so neighbours may overlap by less than this. [m] */
#define SLIVER 0.01
#define FLOAT_STEPS 4e-7 /* what large coordinates add to the sliver: a few steps of a float */
/* A few huge polygons among many small ones would fill every cell, so the cells grow. */
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
  lw_vec3 *clipped[2]; /* [clip_capacity] scratch to clip one polygon by another */
  int clip_capacity;
} overlap_work;

static int corner_count(const lwi_outlines *outlines, int polygon) {
  return outlines->first_corner[polygon + 1] - outlines->first_corner[polygon];
}

static lw_vec3 corner_of(const lwi_outlines *outlines, int polygon, int i) {
  return outlines->vertices[outlines->corners[outlines->first_corner[polygon] + i]];
}

static lw_vec3 next_corner(const lwi_outlines *outlines, int polygon, int i) {
  return corner_of(outlines, polygon, i + 1 < corner_count(outlines, polygon) ? i + 1 : 0);
}

/* --- one pair --------------------------------------------------------------------------------------------- */

static bool boxes_meet(const overlap_work *work, const lw_box *a, const lw_box *b) {
  double s = work->sliver;
  return (double)a->max.x - b->min.x > s && (double)b->max.x - a->min.x > s &&
         (double)a->max.z - b->min.z > s && (double)b->max.z - a->min.z > s &&
         (double)a->min.y - b->max.y <= work->climb && (double)b->min.y - a->max.y <= work->climb;
}

/* Does all of `b` lie outside of one edge of `a`, but for a sliver? Of convex polygons that do not overlap, one
   has such an edge (separating axes). */
static bool is_separated_by(const overlap_work *work, int a, int b) {
  const lwi_outlines *outlines = work->outlines;
  int edges = corner_count(outlines, a), corners = corner_count(outlines, b);
  for (int i = 0; i < edges; i++) {
    lw_vec3 from = corner_of(outlines, a, i), to = next_corner(outlines, a, i);
    double reach = work->sliver * hypot((double)to.x - from.x, (double)to.z - from.z);
    int k = 0;
    while (k < corners && lwi_turn(from, to, corner_of(outlines, b, k)) <= reach) k++;
    if (k == corners) return true;
  }
  return false;
}

/* The polygon's height at (x, z), from the triangle of its fan in which the point lies deepest. */
static double height_at(const lwi_outlines *outlines, int polygon, lw_vec3 point) {
  lw_vec3 a = corner_of(outlines, polygon, 0);
  double best = -INFINITY, height = a.y;
  for (int i = 2; i < corner_count(outlines, polygon); i++) {
    lw_vec3 b = corner_of(outlines, polygon, i - 1), c = corner_of(outlines, polygon, i);
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

/* Keep the part left of from -> to (Sutherland and Hodgman 1974), but at most `capacity` corners. */
static int clip(const lw_vec3 *in, int count, lw_vec3 from, lw_vec3 to, lw_vec3 *out, int capacity) {
  int kept = 0;
  for (int i = 0; i < count && kept + 2 <= capacity; i++) {
    lw_vec3 a = in[i], b = in[i + 1 < count ? i + 1 : 0];
    double side_a = lwi_turn(from, to, a), side_b = lwi_turn(from, to, b);
    if (side_a >= 0) out[kept++] = a;
    if (side_a * side_b < 0) out[kept++] = lwi_lerp(a, b, (float)(side_a / (side_a - side_b)));
  }
  return kept;
}

/* The common part of two polygons. @return The number of its corners, 0: rounding left nothing. */
static int intersect(overlap_work *work, int a, int b, const lw_vec3 **common) {
  const lwi_outlines *outlines = work->outlines;
  int count = corner_count(outlines, a), from = 0;
  for (int i = 0; i < count; i++) work->clipped[0][i] = corner_of(outlines, a, i);
  for (int i = 0; i < corner_count(outlines, b) && count > 0; i++) {
    count = clip(work->clipped[from], count, corner_of(outlines, b, i), next_corner(outlines, b, i),
                 work->clipped[1 - from], work->clip_capacity);
    from = 1 - from;
  }
  *common = work->clipped[from];
  return count;
}

static bool overlaps(overlap_work *work, int a, int b, lw_vec3 *at) {
  const lwi_outlines *outlines = work->outlines;
  if (!boxes_meet(work, &work->boxes[a], &work->boxes[b]) || is_separated_by(work, a, b) ||
      is_separated_by(work, b, a))
    return false;
  const lw_vec3 *common;
  int count = intersect(work, a, b, &common);
  *at = lwi_vec3(0, 0, 0);
  for (int i = 0; i < count; i++) {
    double apart = height_at(outlines, a, common[i]) - height_at(outlines, b, common[i]);
    if (fabs(apart) > work->climb) return false;
    *at = lwi_add(*at, lwi_scale(common[i], 1 / (float)count));
  }
  at->y = (float)height_at(outlines, a, *at);
  return count > 0;
}

/* --- the grid --------------------------------------------------------------------------------------------- */

static lwi_cells cells_of(const overlap_work *work, int polygon) {
  const lw_box *box = &work->boxes[polygon];
  return (lwi_cells){
      lwi_cell_of(box->min.x, work->bounds.min.x, work->cell, work->width),
      lwi_cell_of(box->min.z, work->bounds.min.z, work->cell, work->height),
      lwi_cell_of(box->max.x, work->bounds.min.x, work->cell, work->width),
      lwi_cell_of(box->max.z, work->bounds.min.z, work->cell, work->height),
  };
}

static size_t count_members(const overlap_work *work) {
  size_t total = 0;
  for (int p = 0; p < work->outlines->count; p++) {
    lwi_cells cells = cells_of(work, p);
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
    if (corners > work->clip_capacity) work->clip_capacity = corners;
    for (int i = 0; i < corners; i++) work->boxes[p] = lwi_box_add(work->boxes[p], corner_of(outlines, p, i));
    work->bounds = lwi_box_add(lwi_box_add(work->bounds, work->boxes[p].min), work->boxes[p].max);
  }
  const lw_box *all = &work->bounds;
  float far = fmaxf(fmaxf(fabsf(all->min.x), fabsf(all->max.x)), fmaxf(fabsf(all->min.z), fabsf(all->max.z)));
  work->sliver = SLIVER + FLOAT_STEPS * (double)far;
  work->clip_capacity =
      2 * work->clip_capacity + 2; /* each clip adds a corner, or two where rounding left a dent */
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

/* Sort polygons by cell, by counting; within a cell they stay in order. */
static void fill_cells(overlap_work *work) {
  size_t cells = (size_t)work->width * (size_t)work->height;
  for (int pass = 0; pass < 2; pass++) {
    for (int p = work->outlines->count - 1; p >= 0; p--) {
      lwi_cells range = cells_of(work, p);
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

static void search_cell(overlap_work *work, int x, int z, lwi_overlap *overlap) {
  size_t c = (size_t)z * (size_t)work->width + (size_t)x;
  for (size_t i = work->first[c]; i < work->first[c + 1]; i++)
    for (size_t j = i + 1; j < work->first[c + 1]; j++) {
      int a = work->members[i], b = work->members[j];
      if (!lwi_cells_first_shared(cells_of(work, a), cells_of(work, b), x, z) ||
          !overlaps(work, a, b, &overlap->at))
        continue;
      overlap->found = true;
      overlap->first = a;
      overlap->second = b;
      return;
    }
}

static bool search(overlap_work *work, lwi_overlap *overlap) {
  size_t cells = (size_t)work->width * (size_t)work->height;
  size_t first_size = (cells + 1) * sizeof *work->first,
         clip_size = (size_t)work->clip_capacity * sizeof(lw_vec3);
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
