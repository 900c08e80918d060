/* Bodies of water: marks that tell shallow ground from deep. */
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/geometry.h"

#define POINTS_MAX 4096 /* every side is checked against every other */
#define WADE_DEFAULT 0.6f

lw_water_def lw_water_def_default(void) {
  return (lw_water_def){.bottom = -INFINITY, .wade = WADE_DEFAULT, .cookie = LWI_COOKIE};
}

/* --- checks --- */

static bool is_near(float x) {
  return fabsf(x) <= LWI_COORDINATE_MAX; /* NaN is not */
}

static lw_status check_numbers(const lw_water_def *def, lw_error *error) {
  if (!is_near(def->level))
    return lwi_fail(error, LW_INVALID, "water: level must be a number within +-%g m, got %g",
                    (double)LWI_COORDINATE_MAX, (double)def->level);
  if (!(def->bottom < def->level))
    return lwi_fail(error, LW_INVALID, "water: bottom must be below level, got %g and %g", (double)def->bottom,
                    (double)def->level);
  if (!(def->wade >= 0 && is_near(def->wade)))
    return lwi_fail(error, LW_INVALID, "water: wade must be a number >= 0, got %g", (double)def->wade);
  if (!def->points || def->point_count < 3)
    return lwi_fail(error, LW_INVALID, "water: the polygon needs 3 points or more, got %d", def->point_count);
  if (def->point_count > POINTS_MAX)
    return lwi_fail(error, LW_LIMIT, "water: the polygon has %d points, the most is %d", def->point_count,
                    POINTS_MAX);
  for (int i = 0; i < def->point_count; ++i) {
    lw_vec3 p = def->points[i];
    if (is_near(p.x) && is_near(p.y) && is_near(p.z)) continue;
    return lwi_fail(error, LW_INVALID,
                    "water: point %d must be finite and within %g m of the origin, got (%g, %g, %g)", i + 1,
                    (double)LWI_COORDINATE_MAX, (double)p.x, (double)p.y, (double)p.z);
  }
  return LW_OK;
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

/* Do two sides have a point in common? */
static bool meet(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  if (side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0) return true;
  return is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b);
}

static lw_status check_places(const lw_vec3 *points, int count, lw_error *error) {
  for (int i = 0; i < count; ++i) {
    lw_vec3 a = points[i], b = points[(i + 1) % count];
    if (a.x == b.x && a.z == b.z)
      return lwi_fail(error, LW_INVALID, "water: points %d and %d are at the same place, x %g, z %g", i + 1,
                      (i + 1) % count + 1, (double)a.x, (double)a.z);
  }
  return LW_OK;
}

static lw_status check_simple(const lw_vec3 *points, int count, lw_error *error) {
  for (int i = 0; i < count; ++i) {
    lw_vec3 a = points[i], b = points[(i + 1) % count], c = points[(i + 2) % count];
    if (is_on(a, b, c) || is_on(b, c, a))
      return lwi_fail(error, LW_INVALID, "water: the outline turns back on itself at point %d, x %g, z %g",
                      (i + 1) % count + 1, (double)b.x, (double)b.z);
    for (int k = i + 2; k < count; ++k) {
      if (k - i == count - 1) continue; /* the last side ends where the first begins */
      if (!meet(a, b, points[k], points[(k + 1) % count])) continue;
      return lwi_fail(
          error, LW_INVALID,
          "water: the outline meets itself: the side from point %d touches or crosses that from point %d",
          i + 1, k + 1);
    }
  }
  return LW_OK;
}

lw_status lwi_marks_add_water(lwi_marks *marks, const lw_water_def *def, lwi_memory *memory, lw_error *error) {
  lw_status status = check_numbers(def, error);
  if (status) return status;
  int count = def->point_count, points = marks->point_count + count;
  if ((status = check_places(def->points, count, error))) return status;
  if ((status = check_simple(def->points, count, error))) return status;
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
