/* What designers write into a geometry besides triangles: marked areas, water, cover and links, checked and
   brought to the forms that the bake reads. */
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/geometry.h"
#include "geometry/spline.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- marks ------------------------------------------------------------------------------------------------ */

#define STRAY 1e-3 /* corners may lie outside an edge of a convex polygon by this much: rounding [m] */
#define POINTS_MAX (INT_MAX / 64)
#define POLYGON_POINTS_MAX 4096 /* every side is compared with every point, or with every other side */
#define REACH_DEFAULT 2         /* of a path, up and down [m] */

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

static lw_status check_heights(const lw_mark_def *def, lw_error *error) {
  if (def->bottom < def->top) return LW_OK;
  return lwi_fail(error, LW_INVALID, "mark: bottom is %g, expected less than top %g", (double)def->bottom,
                  (double)def->top);
}

static bool same_place(lw_vec3 a, lw_vec3 b) {
  return a.x == b.x && a.z == b.z;
}

static lw_status check_point_of(const char *where, int index, lw_vec3 point, lw_error *error) {
  char field[32];
  snprintf(field, sizeof field, "point %d", index + 1);
  return lwi_check_point(where, field, point, error);
}

static lw_status check_points(const lw_mark_def *def, lw_error *error) {
  const bool is_path = def->shape == LW_MARK_PATH;
  const char *shape = is_path ? "path" : "polygon";
  const int min_count = is_path ? 2 : 3, max_count = is_path ? POINTS_MAX : POLYGON_POINTS_MAX;
  if (!def->points) return lwi_fail_null(error, "mark: points");
  if (def->point_count < min_count || def->point_count > max_count)
    return lwi_fail(error, def->point_count < min_count ? LW_INVALID : LW_LIMIT,
                    "mark: point_count of the %s is %d, expected %d to %d", shape, def->point_count, min_count,
                    max_count);
  for (int i = 0; i < def->point_count; ++i) {
    lw_status status = check_point_of("mark", i, def->points[i], error);
    if (status) return status;
    if (i == 0 || !same_place(def->points[i - 1], def->points[i])) continue;
    return lwi_fail(error, LW_INVALID,
                    "mark: points %d and %d of the %s are both at x %g, z %g, expected different places", i,
                    i + 1, shape, (double)def->points[i].x, (double)def->points[i].z);
  }
  return LW_OK;
}

/* How far p lies to the right of the line from a to b. [m] */
static double outside(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  return -lwi_turn(a, b, p) / hypot((double)b.x - a.x, (double)b.z - a.z);
}

static lw_status check_convex(const lw_vec3 *points, int count, lw_error *error) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k) {
      lw_vec3 a = points[i], b = points[(i + 1) % count];
      if (outside(a, b, points[k]) <= STRAY) continue;
      return lwi_fail(error, LW_INVALID,
                      "mark: the polygon is not convex, expected convex parts, each its own mark: (%g, %g) "
                      "lies outside its "
                      "edge from (%g, %g) to (%g, %g) (x, z)",
                      (double)points[k].x, (double)points[k].z, (double)a.x, (double)a.z, (double)b.x,
                      (double)b.z);
    }
  return LW_OK;
}

static double signed_area(const lw_vec3 *points, int count) {
  double area = 0;
  for (int i = 2; i < count; ++i) area += lwi_turn(points[0], points[i - 1], points[i]) / 2;
  return area;
}

/* The new mark's points are behind those of all others. */
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
  return lwi_fail(error, LW_INVALID, "mark: the polygon is a line, expected a polygon with an area");
}

static lw_status check_and_add_polygon(lwi_marks *marks, lwi_mark *mark, const lw_mark_def *def,
                                       lwi_memory *memory, lw_error *error) {
  lw_status status = check_points(def, error);
  if (status) return status;
  if ((status = check_heights(def, error))) return status;
  lw_vec3 first = def->points[0], last = def->points[def->point_count - 1];
  if (same_place(first, last))
    return lwi_fail(error, LW_INVALID,
                    "mark: the polygon's last point is its first again, (%g, %g) (x, z), expected another",
                    (double)first.x, (double)first.z);
  return add_polygon(marks, mark, def->points, def->point_count, memory, error);
}

static lw_status add_box(lwi_marks *marks, lwi_mark *mark, const lw_mark_def *def, lwi_memory *memory,
                         lw_error *error) {
  static const float sign_x[4] = {-1, 1, 1, -1}, sign_z[4] = {1, 1, -1, -1};
  lw_status status = lwi_check_point("mark", "at", def->at, error);
  if (status) return status;
  if ((status = lwi_check_length("mark", "size.x", def->size.x, false, error))) return status;
  if ((status = lwi_check_length("mark", "size.y", def->size.y, false, error))) return status;
  if ((status = lwi_check_length("mark", "size.z", def->size.z, false, error))) return status;
  if (!isfinite(def->yaw))
    return lwi_fail(error, LW_INVALID, "mark: yaw is %g, expected a finite number", (double)def->yaw);
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

typedef struct drawing {
  lwi_marks *marks;
  lwi_mark *mark;
  lwi_memory *memory;
  lw_status status;
} drawing;

static bool draw(void *user, lw_vec3 point) {
  drawing *d = user;
  const lwi_mark *mark = d->mark;
  /* A spline that goes straight up covers no ground. */
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
  lw_status status = check_points(def, error);
  if (status) return status;
  if ((status = lwi_check_length("mark", "width", def->width, false, error))) return status;
  if ((status = check_heights(def, error))) return status;
  int count = def->point_count;
  mark->is_path = true;
  mark->is_closed = count >= 4 && lwi_equal(def->points[0], def->points[count - 1]);
  mark->half_width = def->width / 2;
  drawing d = {marks, mark, memory, LW_OK};
  lwi_spline_walk(def->points, mark->is_closed ? count - 1 : count, mark->is_closed, draw, &d);
  if (d.status == LW_LIMIT)
    return lwi_fail(
        error, LW_LIMIT,
        "mark: the number of points of all marks is too large, expected at most %d: use shorter paths",
        POINTS_MAX);
  if (d.status) return lwi_fail_status(error, d.status);
  if (mark->is_closed) mark->point_count -= 1; /* the first point again */
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
  default:
    return lwi_fail(error, LW_INVALID, "mark: shape is %d, expected 0 to %d", (int)def->shape, LW_MARK_PATH);
  }
  if (status) return status;
  marks->point_count += mark->point_count;
  marks->count += 1;
  return LW_OK;
}

/* --- water ------------------------------------------------------------------------------------------------ */

/* Water is a mark that tells shallow ground from deep. */

#define WADE_DEFAULT 0.6f

lw_water_def lw_water_def_default(void) {
  return (lw_water_def){.bottom = -INFINITY, .wade = WADE_DEFAULT, .cookie = LWI_COOKIE};
}

static lw_status check_water_numbers(const lw_water_def *def, lw_error *error) {
  if (!(fabsf(def->level) <= LWI_COORDINATE_MAX))
    return lwi_fail(error, LW_INVALID, "water: level is %g, expected a number within +-%g m",
                    (double)def->level, (double)LWI_COORDINATE_MAX);
  if (!(def->bottom < def->level))
    return lwi_fail(error, LW_INVALID, "water: bottom is %g, expected less than level %g", (double)def->bottom,
                    (double)def->level);
  lw_status status = lwi_check_length("water", "wade", def->wade, true, error);
  if (status) return status;
  if (!def->points) return lwi_fail_null(error, "water: points");
  if (def->point_count < 3 || def->point_count > POLYGON_POINTS_MAX)
    return lwi_fail(error, def->point_count < 3 ? LW_INVALID : LW_LIMIT,
                    "water: point_count of the polygon is %d, expected 3 to %d", def->point_count,
                    POLYGON_POINTS_MAX);
  for (int i = 0; i < def->point_count && !status; ++i)
    status = check_point_of("water", i, def->points[i], error);
  return status;
}

static int side_of(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  double turn = lwi_turn(a, b, p);
  return (turn > 0) - (turn < 0);
}

static bool is_between(float a, float b, float x) {
  return fminf(a, b) <= x && x <= fmaxf(a, b);
}

static bool is_on(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  return side_of(a, b, p) == 0 && is_between(a.x, b.x, p.x) && is_between(a.z, b.z, p.z);
}

/* Do edges ab and cd have a point in common? */
static bool meet(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  if (side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0) return true;
  return is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b);
}

static lw_status check_water_places(const lw_vec3 *points, int count, lw_error *error) {
  for (int i = 0; i < count; ++i) {
    lw_vec3 a = points[i], b = points[(i + 1) % count];
    if (a.x == b.x && a.z == b.z)
      return lwi_fail(error, LW_INVALID,
                      "water: points %d and %d are both at x %g, z %g, expected different places", i + 1,
                      (i + 1) % count + 1, (double)a.x, (double)a.z);
  }
  return LW_OK;
}

/* A side of an outline. */
typedef struct side {
  float min_x, max_x;
  int number;
} side;

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->min_x != b->min_x) return a->min_x < b->min_x ? -1 : 1;
  return a->number - b->number;
}

static bool are_neighbours(int i, int k, int count) {
  return k - i == 1 || i - k == 1 || abs(k - i) == count - 1;
}

/* The first side that touches or crosses another but its neighbours, and the first such: each side is compared with
   those that begin before it ends. @param[out] at  Both; [0] is `count` if there are none.
   @return false: no memory. */
static bool find_crossing(const lw_vec3 *points, int count, lwi_memory *memory, int at[2]) {
  const size_t size = (size_t)count * sizeof(side);
  side *sides = lwi_alloc(memory, size);
  if (!sides) return false;
  for (int i = 0; i < count; ++i) {
    const float a = points[i].x, b = points[(i + 1) % count].x;
    sides[i] = (side){fminf(a, b), fmaxf(a, b), i};
  }
  qsort(sides, (size_t)count, sizeof *sides, compare_sides);
  at[0] = at[1] = count;
  for (int s = 0; s < count; ++s)
    for (int t = s + 1; t < count && sides[t].min_x <= sides[s].max_x; ++t) {
      const int i = sides[s].number < sides[t].number ? sides[s].number : sides[t].number;
      const int k = sides[s].number + sides[t].number - i;
      if (i > at[0] || (i == at[0] && k >= at[1]) || are_neighbours(i, k, count)) continue;
      if (!meet(points[i], points[i + 1], points[k], points[(k + 1) % count])) continue;
      at[0] = i;
      at[1] = k;
    }
  lwi_free(memory, sides, size);
  return true;
}

/* The first side that turns back on the one before it; `count`: none. */
static int find_turn_back(const lw_vec3 *points, int count) {
  for (int i = 0; i < count; ++i) {
    lw_vec3 a = points[i], b = points[(i + 1) % count], c = points[(i + 2) % count];
    if (is_on(a, b, c) || is_on(b, c, a)) return i;
  }
  return count;
}

static lw_status check_simple(const lw_vec3 *points, int count, lwi_memory *memory, lw_error *error) {
  const int turn = find_turn_back(points, count);
  int crossing[2];
  if (!find_crossing(points, count, memory, crossing)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (turn < count && turn <= crossing[0]) {
    const int corner = (turn + 1) % count;
    return lwi_fail(error, LW_INVALID,
                    "water: the outline is not simple, expected a simple polygon: it turns back on itself at "
                    "point %d, x %g, "
                    "z %g",
                    corner + 1, (double)points[corner].x, (double)points[corner].z);
  }
  if (crossing[0] == count) return LW_OK;
  return lwi_fail(error, LW_INVALID,
                  "water: the outline is not simple, expected a simple polygon: the edge from point %d "
                  "touches or crosses "
                  "that from point %d",
                  crossing[0] + 1, crossing[1] + 1);
}

lw_status lwi_marks_add_water(lwi_marks *marks, const lw_water_def *def, lwi_memory *memory, lw_error *error) {
  lw_status status = check_water_numbers(def, error);
  if (status) return status;
  int count = def->point_count, points = marks->point_count + count;
  if ((status = check_water_places(def->points, count, error))) return status;
  if ((status = check_simple(def->points, count, memory, error))) return status;
  if (!lwi_reserve(memory, &marks->items, &marks->capacity, marks->count + 1, sizeof *marks->items) ||
      !lwi_reserve(memory, &marks->points, &marks->point_capacity, points, sizeof *marks->points))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_mark *mark = &marks->items[marks->count];
  *mark = (lwi_mark){.area = def->shallow,
                     .is_water = true,
                     .deep_area = def->deep,
                     .wade = def->wade,
                     .bottom = def->bottom,
                     .top = def->level,
                     .first_point = marks->point_count,
                     .point_count = count,
                     .bounds = lwi_box_empty()};
  for (int i = 0; i < count; ++i) {
    marks->points[mark->first_point + i] = def->points[i];
    mark->bounds = lwi_box_add(mark->bounds, def->points[i]);
  }
  marks->point_count = points;
  marks->count += 1;
  return LW_OK;
}

/* --- cover ------------------------------------------------------------------------------------------------ */

#define COVER_HEIGHT_DEFAULT 1.0f

lw_cover_def lw_cover_def_default(void) {
  return (lw_cover_def){
      .height = COVER_HEIGHT_DEFAULT, .side = LW_COVER_BOTH_SIDES, .kind = LW_COVER_HARD, .cookie = LWI_COOKIE};
}

lw_status lwi_cover_check(const lw_cover_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_cover_def", error);
  if (status) return status;
  if ((status = lwi_check_point("cover", "from", def->from, error))) return status;
  if ((status = lwi_check_point("cover", "to", def->to, error))) return status;
  if (!(lwi_distance_xz(def->from, def->to) >= LW_COVER_LENGTH_MIN))
    return lwi_fail(error, LW_INVALID, "cover: from and to are %g m apart in xz, expected %g m or more",
                    (double)lwi_distance_xz(def->from, def->to), (double)LW_COVER_LENGTH_MIN);
  if ((status = lwi_check_length("cover", "bottom", def->bottom, true, error))) return status;
  if (!(def->height > def->bottom && def->height <= LWI_COORDINATE_MAX))
    return lwi_fail(error, LW_INVALID, "cover: height is %g, expected metres > bottom %g, at most %g",
                    (double)def->height, (double)def->bottom, (double)LWI_COORDINATE_MAX);
  if ((unsigned)def->side > LW_COVER_BOTH_SIDES)
    return lwi_fail(error, LW_INVALID, "cover: side is %d, expected 0 to %d", (int)def->side,
                    LW_COVER_BOTH_SIDES);
  if (def->kind == LW_COVER_HARD || def->kind == LW_COVER_SOFT) return LW_OK;
  return lwi_fail(error, LW_INVALID, "cover: kind is %s (%d), expected hard or soft",
                  lw_cover_kind_name(def->kind), (int)def->kind);
}

/* --- links ------------------------------------------------------------------------------------------------ */

const char *lw_link_kind_name(lw_link_kind kind) {
  static const char *const names[LW_LINK_KIND_COUNT] = {"jump",     "drop", "ladder",
                                                        "teleport", "door", "waypoint"};
  return (unsigned)kind < LW_LINK_KIND_COUNT ? names[kind] : "none";
}

lw_link_def lw_link_def_default(void) {
  return (lw_link_def){.radius = 1, .length = -1, .capacity = -1, .cookie = LWI_COOKIE};
}

lw_status lwi_link_check(const lw_link_def *def, const lw_area_table *areas, const char *name,
                         lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_link_def", error);
  if (status) return status;
  if ((unsigned)def->kind >= LW_LINK_KIND_COUNT)
    return lwi_fail(error, LW_INVALID, "%s: kind is %d, expected 0 to %d", name, (int)def->kind,
                    LW_LINK_KIND_COUNT - 1);
  if ((status = lwi_check_point(name, "from", def->from, error))) return status;
  if ((status = lwi_check_point(name, "to", def->to, error))) return status;
  if ((status = lwi_check_length(name, "radius", def->radius, false, error))) return status;
  if (!(def->length == -1 || (def->length >= 0 && def->length <= LWI_COORDINATE_MAX)))
    return lwi_fail(error, LW_INVALID, "%s: length is %g, expected -1 (the straight distance) or 0 to %g m",
                    name, (double)def->length, (double)LWI_COORDINATE_MAX);
  if (def->area != LW_AREA_NONE && !lw_area_table_get(areas, def->area))
    return lwi_fail(error, LW_INVALID, "%s: area is %d, expected 0 (none) to %d", name, def->area,
                    lw_area_table_count(areas));
  const size_t length = def->name ? strlen(def->name) : 1;
  if (length < 1 || length > LW_LINK_NAME_MAX)
    return lwi_fail(error, LW_INVALID, "%s: name has %s bytes, expected 1 to %d", name,
                    length < 1 ? "no" : "too many", LW_LINK_NAME_MAX);
  if (def->capacity < -1 || def->capacity > LW_LINK_CAPACITY_MAX)
    return lwi_fail(error, LW_INVALID, "%s: capacity is %d, expected -1 (by its kind) to %d", name,
                    def->capacity, LW_LINK_CAPACITY_MAX);
  return LW_OK;
}
