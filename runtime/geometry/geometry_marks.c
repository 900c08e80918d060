/* Marked areas: boxes, polygons and paths, checked and brought to the two forms that the bake knows. */
#include "geometry/geometry.h"

#include "core/status.h"
#include "core/vec3.h"
#include "geometry/spline.h"

#include <limits.h>

#define STRAY 1e-3 /* how far a corner may lie outside an edge that it should be inside of: rounding [m] */
#define POINTS_MAX (INT_MAX / 64)
#define REACH_DEFAULT 2 /* of a path, up and down [m] */

lw_mark_def lw_mark_def_default(lw_mark_shape shape) {
  bool path = shape == LW_MARK_PATH;
  return (lw_mark_def){.shape = shape,
                       .bottom = path ? -REACH_DEFAULT : -INFINITY,
                       .top = path ? REACH_DEFAULT : INFINITY,
                       .cookie = LWI_COOKIE};
}

void lwi_marks_free(lwi_marks *marks, lwi_memory *memory) {
  lwi_free(memory, marks->items, (size_t)marks->capacity * sizeof *marks->items);
  lwi_free(memory, marks->points, (size_t)marks->point_capacity * sizeof *marks->points);
  *marks = (lwi_marks){0};
}

void lwi_marks_cut(lwi_marks *marks, int count) {
  if (count >= marks->count) return;
  marks->point_count = marks->items[count].first_point;
  marks->count = count;
}

/* --- checks --- */

static bool is_near(lw_vec3 p) {
  return fabsf(p.x) <= LWI_COORDINATE_MAX && fabsf(p.y) <= LWI_COORDINATE_MAX &&
         fabsf(p.z) <= LWI_COORDINATE_MAX;
}

static lw_status check_point(const char *name, lw_vec3 p, lw_error *error) {
  if (is_near(p)) return LW_OK; /* NaN is not */
  return lwi_fail(error, LW_INVALID, "mark: %s must be finite and within %g m of the origin, got (%g, %g, %g)",
                  name, (double)LWI_COORDINATE_MAX, (double)p.x, (double)p.y, (double)p.z);
}

static lw_status check_length(const char *name, float length, lw_error *error) {
  if (length > 0 && length <= LWI_COORDINATE_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "mark: %s must be a number > 0 and <= %g m, got %g", name,
                  (double)LWI_COORDINATE_MAX, (double)length);
}

static lw_status check_heights(const lw_mark_def *def, lw_error *error) {
  if (def->bottom < def->top) return LW_OK;
  return lwi_fail(error, LW_INVALID, "mark: bottom must be below top, got %g and %g", (double)def->bottom,
                  (double)def->top);
}

static bool same_place(lw_vec3 a, lw_vec3 b) {
  return a.x == b.x && a.z == b.z;
}

static lw_status check_points(const lw_mark_def *def, const char *shape, int least, lw_error *error) {
  if (!def->points || def->point_count < least || def->point_count > POINTS_MAX)
    return lwi_fail(error, LW_INVALID, "mark: a %s needs %d points or more, got %d", shape, least,
                    def->point_count);
  for (int i = 0; i < def->point_count; ++i) {
    lw_status status = check_point("every point", def->points[i], error);
    if (status) return status;
    if (i == 0 || !same_place(def->points[i - 1], def->points[i])) continue;
    return lwi_fail(error, LW_INVALID, "mark: two neighbouring points of the %s are at x %g, z %g", shape,
                    (double)def->points[i].x, (double)def->points[i].z);
  }
  return LW_OK;
}

/* --- boxes and polygons --- */

/* How far p lies to the right of the way from a to b. [m] */
static double outside(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  return -lwi_turn(a, b, p) / hypot((double)b.x - a.x, (double)b.z - a.z);
}

static lw_status check_convex(const lw_vec3 *points, int count, lw_error *error) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k) {
      lw_vec3 a = points[i], b = points[(i + 1) % count];
      if (outside(a, b, points[k]) <= STRAY) continue;
      return lwi_fail(
          error, LW_INVALID,
          "mark: the polygon is not convex: (%g, %g) lies outside the side from (%g, %g) to (%g, %g) "
          "(x, z); mark it in convex parts",
          (double)points[k].x, (double)points[k].z, (double)a.x, (double)a.z, (double)b.x, (double)b.z);
    }
  return LW_OK;
}

static double signed_area(const lw_vec3 *points, int count) {
  double area = 0;
  for (int i = 2; i < count; ++i) area += lwi_turn(points[0], points[i - 1], points[i]) / 2;
  return area;
}

/* Points at the end of the list are the new mark's from here on. */
static bool add_point(lwi_marks *marks, lwi_mark *mark, lw_vec3 point, lwi_memory *memory) {
  int used = mark->first_point + mark->point_count;
  if (!lwi_reserve(memory, &marks->points, &marks->point_capacity, used + 1, sizeof point)) return false;
  marks->points[used] = point;
  mark->point_count += 1;
  mark->bounds = lwi_box_add(mark->bounds, point);
  return true;
}

static lw_status add_polygon(lwi_marks *marks, lwi_mark *mark, const lw_vec3 *points, int count,
                             lwi_memory *memory, lw_error *error) {
  double area = signed_area(points, count);
  for (int i = 0; i < count; ++i)
    if (!add_point(marks, mark, points[area > 0 ? i : count - 1 - i], memory))
      return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = check_convex(marks->points + mark->first_point, count, error);
  if (status) return status;
  if (fabs(area) > STRAY * STRAY) return LW_OK;
  return lwi_fail(error, LW_INVALID, "mark: the polygon's points lie on one line");
}

static lw_status check_and_add_polygon(lwi_marks *marks, lwi_mark *mark, const lw_mark_def *def,
                                       lwi_memory *memory, lw_error *error) {
  lw_status status = check_points(def, "polygon", 3, error);
  if (status) return status;
  if ((status = check_heights(def, error))) return status;
  lw_vec3 first = def->points[0], last = def->points[def->point_count - 1];
  if (same_place(first, last))
    return lwi_fail(error, LW_INVALID, "mark: the polygon's last point repeats its first, at x %g, z %g",
                    (double)first.x, (double)first.z);
  return add_polygon(marks, mark, def->points, def->point_count, memory, error);
}

static lw_status add_box(lwi_marks *marks, lwi_mark *mark, const lw_mark_def *def, lwi_memory *memory,
                         lw_error *error) {
  static const float sign_x[4] = {-1, 1, 1, -1}, sign_z[4] = {1, 1, -1, -1};
  lw_status status = check_point("at", def->at, error);
  if (status) return status;
  if ((status = check_length("size.x", def->size.x, error))) return status;
  if ((status = check_length("size.y", def->size.y, error))) return status;
  if ((status = check_length("size.z", def->size.z, error))) return status;
  if (!isfinite(def->yaw)) return lwi_fail(error, LW_INVALID, "mark: yaw is not finite: %g", (double)def->yaw);
  mark->bottom = def->at.y;
  mark->top = def->at.y + def->size.y;
  float cosine = cosf(def->yaw), sine = sinf(def->yaw);
  lw_vec3 corners[4];
  for (int i = 0; i < 4; ++i) {
    float x = sign_x[i] * def->size.x / 2, z = sign_z[i] * def->size.z / 2;
    corners[i] = lwi_add(def->at, lwi_vec3(x * cosine + z * sine, 0, z * cosine - x * sine));
  }
  return add_polygon(marks, mark, corners, 4, memory, error);
}

/* --- paths --- */

typedef struct drawing {
  lwi_marks *marks;
  lwi_mark *mark;
  lwi_memory *memory;
  lw_status status;
} drawing;

static bool draw(void *user, lw_vec3 point) {
  drawing *d = user;
  const lwi_mark *mark = d->mark;
  /* Where the spline climbs upright there is nothing to mark. */
  if (mark->point_count > 0 && same_place(d->marks->points[mark->first_point + mark->point_count - 1], point))
    return true;
  if (mark->first_point + mark->point_count >= POINTS_MAX)
    d->status = LW_LIMIT;
  else if (!add_point(d->marks, d->mark, point, d->memory))
    d->status = LW_OUT_OF_MEMORY;
  return d->status == LW_OK;
}

static lw_status add_path(lwi_marks *marks, lwi_mark *mark, const lw_mark_def *def, lwi_memory *memory,
                          lw_error *error) {
  lw_status status = check_points(def, "path", 2, error);
  if (status) return status;
  if ((status = check_length("width", def->width, error))) return status;
  if ((status = check_heights(def, error))) return status;
  int count = def->point_count;
  mark->is_path = true;
  mark->is_closed = count >= 4 && lwi_equal(def->points[0], def->points[count - 1]);
  mark->half_width = def->width / 2;
  drawing d = {marks, mark, memory, LW_OK};
  lwi_spline_walk(def->points, mark->is_closed ? count - 1 : count, mark->is_closed, draw, &d);
  if (d.status == LW_LIMIT)
    return lwi_fail(error, LW_LIMIT, "mark: the paths are more than %d straight pieces: use shorter ones",
                    POINTS_MAX);
  if (d.status) return lwi_fail_status(error, d.status);
  if (mark->is_closed) mark->point_count -= 1; /* its first point again */
  float half = mark->half_width;
  mark->bounds.min = lwi_sub(mark->bounds.min, lwi_vec3(half, 0, half));
  mark->bounds.max = lwi_add(mark->bounds.max, lwi_vec3(half, 0, half));
  return LW_OK;
}

lw_status lwi_marks_add(lwi_marks *marks, const lw_mark_def *def, lwi_memory *memory, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_mark_def", error);
  if (status) return status;
  if (!lwi_reserve(memory, &marks->items, &marks->capacity, marks->count + 1, sizeof *marks->items))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_mark *mark = &marks->items[marks->count];
  *mark = (lwi_mark){.area = def->area,
                     .bottom = def->bottom,
                     .top = def->top,
                     .first_point = marks->point_count,
                     .bounds = lwi_box_empty()};
  switch (def->shape) {
  case LW_MARK_BOX: status = add_box(marks, mark, def, memory, error); break;
  case LW_MARK_POLYGON: status = check_and_add_polygon(marks, mark, def, memory, error); break;
  case LW_MARK_PATH: status = add_path(marks, mark, def, memory, error); break;
  default: return lwi_fail(error, LW_INVALID, "mark: there is no shape %d", (int)def->shape);
  }
  if (status) return status;
  marks->point_count += mark->point_count;
  marks->count += 1;
  return LW_OK;
}
