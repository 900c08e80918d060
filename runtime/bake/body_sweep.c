#include "bake/body_sweep.h"

/* --- the triangles ---------------------------------------------------------------------------------------- */

static void corners_of(const lw_geometry *geometry, int triangle, lw_vec3 corners[3]) {
  const int *index = lw_geometry_indices(geometry) + 3 * (size_t)triangle;
  for (int k = 0; k < 3; k++) corners[k] = lw_geometry_vertices(geometry)[index[k]];
}

static lw_box box_of(const lw_geometry *geometry, int triangle) {
  lw_vec3 corners[3];
  lw_box box = lwi_box_empty();
  corners_of(geometry, triangle, corners);
  for (int k = 0; k < 3; k++) box = lwi_box_add(box, corners[k]);
  return box;
}

bool lwi_solid_space_init(lwi_solid_space *space, const lw_geometry *geometry, lw_box bounds,
                          lwi_memory *memory) {
  const int all = lw_geometry_triangle_count(geometry);
  *space = (lwi_solid_space){.geometry = geometry};
  for (int i = 0; i < all; i++) space->capacity += lwi_box_overlaps(box_of(geometry, i), bounds);
  if (space->capacity == 0) return true;
  space->triangles = lwi_alloc(memory, (size_t)space->capacity * sizeof *space->triangles);
  space->boxes = lwi_alloc(memory, (size_t)space->capacity * sizeof *space->boxes);
  if (!space->triangles || !space->boxes) return false;
  for (int i = 0; i < all; i++) {
    const lw_box box = box_of(geometry, i);
    if (!lwi_box_overlaps(box, bounds)) continue;
    space->triangles[space->count] = i;
    space->boxes[space->count++] = box;
  }
  return lwi_box_grid_make(&space->grid, space->boxes, space->count, memory);
}

void lwi_solid_space_free(lwi_solid_space *space, lwi_memory *memory) {
  lwi_free(memory, space->triangles, (size_t)space->capacity * sizeof *space->triangles);
  lwi_free(memory, space->boxes, (size_t)space->capacity * sizeof *space->boxes);
  lwi_box_grid_free(&space->grid, memory);
  *space = (lwi_solid_space){0};
}

bool lwi_solid_space_near(const lwi_solid_space *space, lw_box box, lwi_box_list *list) {
  return lwi_box_grid_list(&space->grid, space->boxes, box, list);
}

/* --- a triangle and a sweep ------------------------------------------------------------------------------- */

#define SLICE_CORNERS 5 /* of a triangle between two heights */

/* A triangle, or the part of it between two heights. */
typedef struct slice {
  int count;
  double x[SLICE_CORNERS + 1], y[SLICE_CORNERS + 1], z[SLICE_CORNERS + 1]; /* [count] */
} slice;

static void add_corner(slice *to, double x, double y, double z) {
  to->x[to->count] = x;
  to->y[to->count] = y;
  to->z[to->count++] = z;
}

/* Keep what is above `limit` (sign 1) or below it (sign -1). */
static void clip(const slice *from, double sign, double limit, slice *to) {
  to->count = 0;
  for (int i = 0; i < from->count; i++) {
    const int k = i + 1 < from->count ? i + 1 : 0;
    const double a = sign * (from->y[i] - limit), b = sign * (from->y[k] - limit);
    if (a >= 0) add_corner(to, from->x[i], from->y[i], from->z[i]);
    if ((a < 0) == (b < 0)) continue;
    const double t = a / (a - b);
    add_corner(to, from->x[i] + t * (from->x[k] - from->x[i]), limit,
               from->z[i] + t * (from->z[k] - from->z[i]));
  }
}

static double turn(lwi_point2 a, lwi_point2 b, lwi_point2 c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/* The squared distance of a point from segment ab. */
static double distance2(lwi_point2 a, lwi_point2 b, lwi_point2 at) {
  const double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((at.x - a.x) * dx + (at.z - a.z) * dz) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const double x = a.x + t * dx - at.x, z = a.z + t * dz - at.z;
  return x * x + z * z;
}

static bool cross(lwi_point2 a, lwi_point2 b, lwi_point2 c, lwi_point2 d) {
  return (turn(a, b, c) > 0) != (turn(a, b, d) > 0) && (turn(c, d, a) > 0) != (turn(c, d, b) > 0);
}

static lwi_point2 corner_of(const slice *part, int i) {
  return (lwi_point2){part->x[i], part->z[i]};
}

/* Is the point within the outline, which may go round either way, or be a line? */
static bool holds(const slice *part, lwi_point2 at) {
  int left = 0, right = 0;
  for (int i = 0; i < part->count; i++) {
    const double side = turn(corner_of(part, i), corner_of(part, i + 1 < part->count ? i + 1 : 0), at);
    left += side > 0;
    right += side < 0;
  }
  return (left == 0) != (right == 0);
}

/* Is the slice, seen from above, nearer to the segment than the radius? */
static bool is_within(const slice *part, const lwi_sweep *sweep) {
  const double limit = sweep->radius * sweep->radius;
  for (int i = 0; i < part->count; i++) {
    const lwi_point2 a = corner_of(part, i), b = corner_of(part, i + 1 < part->count ? i + 1 : 0);
    if (distance2(sweep->from, sweep->to, a) < limit || distance2(a, b, sweep->from) < limit ||
        distance2(a, b, sweep->to) < limit || cross(a, b, sweep->from, sweep->to))
      return true;
  }
  return part->count > 0 && holds(part, sweep->from);
}

static bool meets(const lw_box *box, const lwi_sweep *sweep) {
  const double low_x = fmin(sweep->from.x, sweep->to.x), high_x = fmax(sweep->from.x, sweep->to.x);
  const double low_z = fmin(sweep->from.z, sweep->to.z), high_z = fmax(sweep->from.z, sweep->to.z);
  return (double)box->max.y > sweep->low && (double)box->min.y < sweep->high &&
         (double)box->max.x > low_x - sweep->radius && (double)box->min.x < high_x + sweep->radius &&
         (double)box->max.z > low_z - sweep->radius && (double)box->min.z < high_z + sweep->radius;
}

static bool hits(const lwi_solid_space *space, int index, const lwi_sweep *sweep) {
  lw_vec3 corners[3];
  slice whole = {0}, upper, part;
  corners_of(space->geometry, space->triangles[index], corners);
  for (int k = 0; k < 3; k++)
    add_corner(&whole, (double)corners[k].x, (double)corners[k].y, (double)corners[k].z);
  clip(&whole, 1, sweep->low, &upper);
  clip(&upper, -1, sweep->high, &part);
  return is_within(&part, sweep);
}

bool lwi_sweep_is_free(const lwi_solid_space *space, const lwi_box_list *list, const lwi_sweep *sweep) {
  for (int i = 0; i < list->count; i++)
    if (meets(&space->boxes[list->items[i]], sweep) && hits(space, list->items[i], sweep)) return false;
  return true;
}
