/* Facets that only one of the two has are cut along the cells. Of each such piece the area is summed up that pieces in its
   plane have in common with it: those of its own side count as positive, those of the other as negative. The same surface,
   cut otherwise, sums up to nothing. */
#include "bake/sight_difference.h"

#include "bake/rebuild_known.h"
#include "core/sort.h"
#include "core/vec3.h"

#include <math.h>

/* A facet that the borders of a cell cut has one corner more at each of the four. */
#define CORNERS (LWI_OCCLUDER_CORNERS + 4)
/* What two such pieces have in common. */
#define COMMON (2 * CORNERS)
/* How far pieces may lie from each other's plane. [m] */
#define SAME_PLANE 0.005
/* How wide a strip along the edges of a piece may differ, since corners are rounded and left out... [m] */
#define EDGE 0.001
/* ...and besides. [m2] */
#define SPECK 1e-4

typedef struct dvec3 {
  double at[3];
} dvec3;

/* The part of a changed facet that lies over a cell. */
typedef struct piece {
  dvec3 corners[CORNERS]; /* [count] [m] */
  dvec3 normal, min, max;
  double area, around; /* [m2] [m] */
  int x, z;            /* of its cell */
  uint8_t count, kind;
  bool is_new; /* only the later one has it */
} piece;

typedef struct pieces {
  lwi_memory *memory;
  piece *items; /* [count] */
  int count, capacity;
} pieces;

static dvec3 less(dvec3 a, dvec3 b) {
  return (dvec3){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
}

static double dot(dvec3 a, dvec3 b) {
  return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static dvec3 cross(dvec3 a, dvec3 b) {
  return (dvec3){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                  a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

/* --- pieces ----------------------------------------------------------------------------------------------- */

/* Keep what lies on one side of a border. @param axis  0 or 2. @param sign  1: above it; -1: below. */
static void clip(piece *of, int axis, double border, double sign) {
  const piece whole = *of;
  of->count = 0;
  for (int i = 0; i < whole.count; i++) {
    const dvec3 a = whole.corners[i], b = whole.corners[i + 1 < whole.count ? i + 1 : 0];
    const double at = sign * (a.at[axis] - border), next = sign * (b.at[axis] - border);
    if (at >= 0 && of->count < CORNERS) of->corners[of->count++] = a;
    if (!((at > 0 && next < 0) || (at < 0 && next > 0)) || of->count == CORNERS) continue;
    dvec3 *crossing = &of->corners[of->count++];
    for (int k = 0; k < 3; k++) crossing->at[k] = a.at[k] + (b.at[k] - a.at[k]) * (at / (at - next));
    crossing->at[axis] = border;
  }
}

/* @return false: nothing is left of it. */
static bool measure(piece *of) {
  dvec3 normal = {{0, 0, 0}};
  of->min = of->max = of->corners[0];
  of->around = 0;
  for (int i = 0; i < of->count; i++) {
    const dvec3 at = of->corners[i], side = less(of->corners[i + 1 < of->count ? i + 1 : 0], at);
    of->around += sqrt(dot(side, side));
    for (int k = 0; k < 3; k++) {
      of->min.at[k] = fmin(of->min.at[k], at.at[k]);
      of->max.at[k] = fmax(of->max.at[k], at.at[k]);
    }
    if (i < 2) continue;
    const dvec3 half = cross(less(of->corners[i - 1], of->corners[0]), less(of->corners[i], of->corners[0]));
    for (int k = 0; k < 3; k++) normal.at[k] += half.at[k];
  }
  const double length = sqrt(dot(normal, normal));
  of->area = length / 2;
  for (int k = 0; k < 3; k++) of->normal.at[k] = normal.at[k] / length;
  return of->count >= 3 && of->area > SPECK / 100;
}

/* Cells in which it may have a part. */
typedef struct cell_grid {
  lw_vec3 corner;
  double size;
} cell_grid;

static int cell_at(const cell_grid *grid, int axis, double at) {
  const double corner = axis == 0 ? (double)grid->corner.x : (double)grid->corner.z;
  return (int)floor((at - corner) / grid->size);
}

static bool add_part(pieces *to, const cell_grid *grid, const piece *row, int x) {
  const double low = (double)grid->corner.x + x * grid->size;
  piece part = *row;
  part.x = x;
  clip(&part, 0, low, 1);
  clip(&part, 0, low + grid->size, -1);
  if (part.count < 3 || !measure(&part)) return true;
  if (!lwi_reserve(to->memory, &to->items, &to->capacity, to->count + 1, sizeof part)) return false;
  to->items[to->count++] = part;
  return true;
}

/* @return false: no memory. */
static bool add_facet(pieces *to, const cell_grid *grid, const lwi_changed_facet *changed, lw_vec3 origin) {
  const lwi_occluder_facet *facet = &changed->facet;
  piece whole = {.count = facet->count, .kind = facet->kind, .is_new = changed->is_new};
  for (int i = 0; i < facet->count; i++) {
    const lw_vec3 at = facet->corners[i];
    whole.corners[i] = (dvec3){{(double)at.x + origin.x, (double)at.y + origin.y, (double)at.z + origin.z}};
  }
  if (whole.count < 3 || !measure(&whole)) return true;
  const int end_z = cell_at(grid, 2, whole.max.at[2]);
  for (int z = cell_at(grid, 2, whole.min.at[2]); z <= end_z; z++) {
    const double low = (double)grid->corner.z + z * grid->size;
    piece row = whole;
    row.z = z;
    clip(&row, 2, low, 1);
    clip(&row, 2, low + grid->size, -1);
    if (row.count < 3 || !measure(&row)) continue;
    const int end_x = cell_at(grid, 0, row.max.at[0]);
    for (int x = cell_at(grid, 0, row.min.at[0]); x <= end_x; x++)
      if (!add_part(to, grid, &row, x)) return false;
  }
  return true;
}

/* By cell, then by their least x. */
static int compare_pieces(const void *left, const void *right) {
  const piece *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->min.at[0] > b->min.at[0]) - (a->min.at[0] < b->min.at[0]);
}

/* --- what they have in common ----------------------------------------------------------------------------- */

static bool meet(const piece *a, const piece *b) {
  for (int k = 0; k < 3; k++)
    if (a->min.at[k] > b->max.at[k] + SAME_PLANE || b->min.at[k] > a->max.at[k] + SAME_PLANE) return false;
  return true;
}

/* Does it lie in the plane of a piece? */
static bool is_in_plane(const piece *of, const piece *other) {
  if (of->kind != other->kind) return false;
  for (int i = 0; i < other->count; i++)
    if (fabs(dot(of->normal, less(other->corners[i], of->corners[0]))) > SAME_PLANE) return false;
  return true;
}

/* Seen along an axis. */
typedef struct flat {
  double u[COMMON], v[COMMON]; /* [count] */
  int count;
} flat;

static flat flatten(const piece *of, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  flat result = {.count = of->count};
  for (int i = 0; i < of->count; i++) {
    result.u[i] = of->corners[i].at[u];
    result.v[i] = of->corners[i].at[v];
  }
  return result;
}

/* Keep what is to the left of the line from corner `i` of `by`, or to its right. */
static void keep_side(flat *of, const flat *by, int i, double sign) {
  const int k = i + 1 < by->count ? i + 1 : 0;
  const double du = by->u[k] - by->u[i], dv = by->v[k] - by->v[i];
  const flat whole = *of;
  of->count = 0;
  for (int n = 0; n < whole.count; n++) {
    const int next = n + 1 < whole.count ? n + 1 : 0;
    const double here = sign * (du * (whole.v[n] - by->v[i]) - dv * (whole.u[n] - by->u[i])),
                 there = sign * (du * (whole.v[next] - by->v[i]) - dv * (whole.u[next] - by->u[i]));
    if (here >= 0 && of->count < COMMON) {
      of->u[of->count] = whole.u[n];
      of->v[of->count++] = whole.v[n];
    }
    if (!((here > 0 && there < 0) || (here < 0 && there > 0)) || of->count == COMMON) continue;
    const double t = here / (here - there);
    of->u[of->count] = whole.u[n] + (whole.u[next] - whole.u[n]) * t;
    of->v[of->count++] = whole.v[n] + (whole.v[next] - whole.v[n]) * t;
  }
}

static double area_of(const flat *of) {
  double twice = 0;
  for (int i = 2; i < of->count; i++)
    twice +=
        (of->u[i - 1] - of->u[0]) * (of->v[i] - of->v[0]) - (of->u[i] - of->u[0]) * (of->v[i - 1] - of->v[0]);
  return fabs(twice) / 2;
}

/* How much of a piece another one in its plane covers. [m2] */
static double common_area(const piece *of, const piece *other) {
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(of->normal.at[k]) > fabs(of->normal.at[axis])) axis = k;
  const double along = of->normal.at[axis];
  const flat by = flatten(of, axis);
  flat part = flatten(other, axis);
  for (int i = 0; i < by.count && part.count > 0; i++) keep_side(&part, &by, i, along > 0 ? 1 : -1);
  return area_of(&part) / fabs(along);
}

/* Does a piece of a cell block sight that nothing of the other side does? @param cell  [count] By their least x. */
static bool differs(const piece *cell, int count, double width, int of) {
  const piece *own = &cell[of];
  int from = of;
  double sum = own->area;
  while (from > 0 && cell[from - 1].min.at[0] >= own->min.at[0] - width) from--;
  for (int i = from; i < count && cell[i].min.at[0] <= own->max.at[0] + SAME_PLANE; i++) {
    if (i == of || !meet(own, &cell[i]) || !is_in_plane(own, &cell[i])) continue;
    const double common = common_area(own, &cell[i]);
    sum += own->is_new == cell[i].is_new ? common : -common;
  }
  return fabs(sum) > EDGE * own->around + SPECK;
}

static lw_box box_of(const piece *of) {
  return (lw_box){{(float)of->min.at[0], (float)of->min.at[1], (float)of->min.at[2]},
                  {(float)of->max.at[0], (float)of->max.at[1], (float)of->max.at[2]}};
}

/* @return false: no memory. */
static bool compare_cell(lwi_sight_difference *difference, const piece *cell, int count) {
  double width = 0;
  lw_box box = lwi_box_empty();
  bool any = false;
  for (int i = 0; i < count; i++) width = fmax(width, cell[i].max.at[0] - cell[i].min.at[0]);
  for (int i = 0; i < count; i++) {
    if (!differs(cell, count, width + SAME_PLANE, i)) continue;
    const lw_box own = box_of(&cell[i]);
    box = lwi_box_add(lwi_box_add(box, own.min), own.max);
    any = true;
  }
  if (!any) return true;
  if (!lwi_reserve(difference->memory, &difference->cells, &difference->capacity, difference->count + 1,
                   sizeof *difference->cells))
    return false;
  difference->cells[difference->count++] = (lwi_sight_cell){cell->x, cell->z, box};
  return true;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static bool compare_all(lwi_sight_difference *difference, const lwi_changes *changes, lw_vec3 origin,
                        const cell_grid *grid) {
  pieces all = {.memory = difference->memory};
  bool good = true;
  for (int i = 0; i < changes->facet_count && good; i++)
    good = add_facet(&all, grid, &changes->facets[i], origin);
  if (good && all.count > 0) lwi_sort(all.items, (size_t)all.count, sizeof *all.items, compare_pieces);
  for (int i = 0, end; i < all.count && good; i = end) {
    const piece *first = &all.items[i];
    for (end = i + 1; end < all.count && all.items[end].x == first->x && all.items[end].z == first->z;) end++;
    good = compare_cell(difference, first, end - i);
  }
  lwi_free(all.memory, all.items, (size_t)all.capacity * sizeof *all.items);
  return good;
}

bool lwi_sight_difference_find(lwi_sight_difference *difference, const lwi_occluders *before,
                               const lwi_occluders *now, lw_vec3 corner, float size) {
  lwi_changes changes = {.memory = difference->memory, .keeps_facets = true};
  const cell_grid grid = {corner, (double)size};
  difference->count = 0;
  bool good = lwi_changes_find(&changes, before, now);
  difference->all = changes.all;
  if (good && !changes.all) good = compare_all(difference, &changes, now->origin, &grid);
  lwi_changes_free(&changes);
  return good;
}

bool lwi_sight_difference_has(const lwi_sight_difference *difference, int x, int z) {
  int low = 0, high = difference->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const lwi_sight_cell *at = &difference->cells[middle];
    if (at->z < z || (at->z == z && at->x < x))
      low = middle + 1;
    else
      high = middle;
  }
  return low < difference->count && difference->cells[low].x == x && difference->cells[low].z == z;
}

void lwi_sight_difference_free(lwi_sight_difference *difference) {
  lwi_free(difference->memory, difference->cells, (size_t)difference->capacity * sizeof *difference->cells);
  *difference = (lwi_sight_difference){.memory = difference->memory};
}
