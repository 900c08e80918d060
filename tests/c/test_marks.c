#include "bake_scene.h"

#include "bake/bake_marks.h"
#include "core/vec3.h"
#include "geometry/geometry.h"
#include "geometry/spline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265f

/* Nothing is eroded, and tiles are small enough for marks to cross their borders. */
static lw_bake_settings no_radius(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0;
  settings.tile_size = 24;
  return settings;
}

static void mark(lw_geometry *geometry, const lw_mark_def *def) {
  lw_error error = {0};
  if (lw_geometry_mark_area(geometry, def, &error)) fail_msg("%s", error.text);
}

static void mark_path(lw_geometry *geometry, const lw_vec3 *points, int count, float width, lw_area_id area) {
  lw_mark_def def = lw_mark_def_default(LW_MARK_PATH);
  def.area = area;
  def.points = points;
  def.point_count = count;
  def.width = width;
  mark(geometry, &def);
}

static void mark_box(lw_geometry *geometry, lw_vec3 at, lw_vec3 size, float yaw, lw_area_id area) {
  lw_mark_def def = lw_mark_def_default(LW_MARK_BOX);
  def.area = area;
  def.at = at;
  def.size = size;
  def.yaw = yaw;
  mark(geometry, &def);
}

/* LW_AREA_NONE: no navmesh. */
static lw_area_id area_at(const lw_navmesh *navmesh, lw_vec3 at) {
  lw_location location;
  lw_poly poly;
  if (lw_navmesh_nearest(navmesh, at, lwi_vec3(0.02f, 1, 0.02f), NULL, &location)) return LW_AREA_NONE;
  assert_int_equal(lw_navmesh_get_poly(navmesh, location.poly, &poly), LW_OK);
  return poly.area;
}

/* How much of the line across `at` is of the area, within `reach` to either side. */
static float width_at(const lw_navmesh *navmesh, lw_vec3 at, lw_vec3 across, float reach, lw_area_id area) {
  const float step = 0.03f;
  int inside = 0;
  for (float s = -reach; s < reach; s += step)
    inside += area_at(navmesh, lwi_add(at, lwi_scale(across, s))) == area;
  return (float)inside * step;
}

/* --- how accurate --- */

#define CELL 0.3f
#define WIDTH 6.0f

typedef struct spread {
  float worst;
  double sum;
  int count, beyond; /* beyond a cell */
} spread;

static void measure(spread *of, const lw_navmesh *navmesh, lw_vec3 at, lw_vec3 along) {
  lw_vec3 across = lwi_scale(lwi_vec3(along.z, 0, -along.x), 1 / lwi_length(along));
  float error = width_at(navmesh, at, across, WIDTH, SCENE_ROAD) - WIDTH;
  of->worst = fmaxf(of->worst, fabsf(error));
  of->beyond += fabsf(error) > CELL;
  of->sum += (double)error;
  of->count += 1;
}

static void say(const char *what, const spread *of) {
  printf(
      "note: %s of 6 m at cells of 0.3 m: %.3f m off in the mean, %.2f m at worst, beyond a cell at %d of %d\n",
      what, of->sum / of->count, (double)of->worst, of->beyond, of->count);
}

static void a_box_is_as_wide_as_it_says_however_it_is_turned(void **state) {
  (void)state;
  spread widths = {0};
  for (int k = 0; k < 24; ++k) {
    lw_geometry *geometry = scene_floor(scene_table, 100, 100);
    float yaw = k == 12 ? PI / 4 : 0.1317f * (float)k;
    lw_vec3 middle = lwi_vec3(50.07f, 0, 49.93f), along = lwi_vec3(cosf(yaw), 0, -sinf(yaw));
    mark_box(geometry, lwi_vec3(middle.x, -1, middle.z), lwi_vec3(60, 2, WIDTH), yaw, SCENE_ROAD);
    lw_bake_settings settings = no_radius();
    lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
    for (float s = -29; s <= 29; s += 0.7f)
      measure(&widths, navmesh, lwi_add(middle, lwi_scale(along, s)), along);
    assert_int_equal(area_at(navmesh, lwi_add(middle, lwi_scale(along, 29.6f))), SCENE_ROAD);
    assert_int_equal(area_at(navmesh, lwi_add(middle, lwi_scale(along, 30.4f))), SCENE_GROUND);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
  say("boxes", &widths);
  assert_true(widths.worst <= CELL);
  assert_true(fabs(widths.sum / widths.count) < 0.02);
}

static int bend(lw_vec3 *points, lw_vec3 middle, float radius, float from) {
  int count = 0;
  for (float angle = 0; angle < 3; angle += 0.5f)
    points[count++] = lwi_add(middle, lwi_vec3(radius * cosf(from + angle), 0, radius * sinf(from + angle)));
  return count;
}

static void a_bent_road_is_as_wide_as_it_says(void **state) {
  (void)state;
  spread widths = {0};
  for (int k = 0; k < 20; ++k) {
    lw_geometry *geometry = scene_floor(scene_table, 100, 100);
    lw_vec3 points[8], middle = lwi_vec3(50, 0, 50);
    float radius = 15 + (float)k, from = 0.1317f * (float)k;
    mark_path(geometry, points, bend(points, middle, radius, from), WIDTH, SCENE_ROAD);
    lw_bake_settings settings = no_radius();
    lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
    for (float angle = 0.5f; angle < 2; angle += 0.02f) {
      lw_vec3 out = lwi_vec3(cosf(from + angle), 0, sinf(from + angle));
      measure(&widths, navmesh, lwi_add(middle, lwi_scale(out, radius)), lwi_vec3(-out.z, 0, out.x));
    }
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
  say("bends", &widths);
  assert_true(widths.beyond * 200 <= widths.count); /* one in 200 */
  assert_true(widths.worst <= 1.4f * CELL);
  assert_true(fabs(widths.sum / widths.count) < 0.02);
}

static void a_road_along_the_grid_is_as_wide_as_it_says_wherever_it_lies(void **state) {
  (void)state;
  for (int k = 0; k < 12; ++k) {
    lw_geometry *geometry = scene_floor(scene_table, 60, 30);
    lw_vec3 ends[2] = {{0, 0, 12 + 0.05f * (float)k}, {60, 0, 12 + 0.05f * (float)k}};
    mark_path(geometry, ends, 2, WIDTH, SCENE_ROAD);
    lw_bake_settings settings = no_radius();
    settings.tile_size = 9;
    lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
    for (float x = 0.5f; x < 59; x += 1.1f)
      assert_float_equal(width_at(navmesh, lwi_vec3(x, 0, ends[0].z), lwi_vec3(0, 0, 1), 5, SCENE_ROAD), WIDTH,
                         CELL + 0.03f);
    assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
}

static void a_road_over_hills_is_as_wide_as_it_says_and_on_the_ground(void **state) {
  (void)state;
  lw_geometry *geometry = scene_geometry(scene_table);
  lw_geometry_ramp up = {.from = {0, 0, 20}, .to = {30, 9, 20}, .width = 40, .area = SCENE_GROUND}, down = up;
  down.from.x = 60;
  assert_int_equal(lw_geometry_add_ramp(geometry, &up, NULL), LW_OK);
  assert_int_equal(lw_geometry_add_ramp(geometry, &down, NULL), LW_OK);
  lw_vec3 points[3] = {{5, 1.5f, 8}, {30, 9, 22}, {55, 1.5f, 30}};
  mark_path(geometry, points, 3, WIDTH, SCENE_ROAD);
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  spread widths = {0};
  for (int i = 2; i + 3 < marks->point_count; ++i) {
    lw_vec3 at = marks->points[i], along = lwi_sub(marks->points[i + 1], marks->points[i]);
    at.y = 9 - 0.3f * fabsf(at.x - 30);
    along.y = 0;
    measure(&widths, navmesh, at, along);
    lw_location found;
    assert_int_equal(lw_navmesh_nearest(navmesh, at, lwi_vec3(0.1f, 1, 0.1f), NULL, &found), LW_OK);
    assert_float_equal(found.point.y, at.y, 0.15f);
  }
  assert_true(widths.count > 5);
  assert_true(widths.worst <= CELL);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

/* --- what is marked --- */

static void later_marks_win_and_what_was_unwalkable_stays_so(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 20, 20);
  scene_add_floor(geometry, lwi_vec3(20, 0, 0), 10, 20, LW_AREA_NONE);
  mark_box(geometry, lwi_vec3(8, 0, 10), lwi_vec3(12, 1, 12), 0, LW_AREA_NONE);
  mark_box(geometry, lwi_vec3(20, 0, 10), lwi_vec3(26, 1, 4), 0,
           SCENE_ROAD); /* over the hole and the solid ground */
  mark_box(geometry, lwi_vec3(12, 0, 10), lwi_vec3(3, 1, 20), 0, SCENE_GROUND);
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(area_at(navmesh, lwi_vec3(4, 0, 10)), LW_AREA_NONE);
  assert_int_equal(area_at(navmesh, lwi_vec3(8, 0, 5)), LW_AREA_NONE);
  assert_int_equal(area_at(navmesh, lwi_vec3(9, 0, 10)), SCENE_ROAD);
  assert_int_equal(area_at(navmesh, lwi_vec3(12, 0, 10)), SCENE_GROUND);
  assert_int_equal(area_at(navmesh, lwi_vec3(17, 0, 10)), SCENE_ROAD);
  assert_int_equal(area_at(navmesh, lwi_vec3(17, 0, 5)), SCENE_GROUND);
  assert_int_equal(area_at(navmesh, lwi_vec3(24, 0, 10)), LW_AREA_NONE);
  assert_int_equal(area_at(navmesh, lwi_vec3(32, 0, 10)), LW_AREA_NONE); /* no ground at all */
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void agents_keep_their_radius_from_unwalkable_marks_but_not_from_areas(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 30, 30);
  mark_box(geometry, lwi_vec3(10, 0, 15), lwi_vec3(6, 1, 6), 0, LW_AREA_NONE);
  mark_box(geometry, lwi_vec3(20, 0, 15), lwi_vec3(6, 1, 6), 0, SCENE_ROAD);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0.9f;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(area_at(navmesh, lwi_vec3(10, 0, 11.6f)), LW_AREA_NONE);
  assert_int_equal(area_at(navmesh, lwi_vec3(10, 0, 10.6f)), SCENE_GROUND);
  assert_int_equal(area_at(navmesh, lwi_vec3(20, 0, 12.4f)), SCENE_ROAD);
  assert_int_equal(area_at(navmesh, lwi_vec3(20, 0, 11.6f)), SCENE_GROUND);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void only_the_floor_within_the_heights_is_marked(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 30, 30);
  scene_add_floor(geometry, lwi_vec3(0, 4, 0), 30, 30, SCENE_GROUND);
  mark_box(geometry, lwi_vec3(5, 0, 5), lwi_vec3(6, 3, 6), 0, SCENE_ROAD);
  mark_box(geometry, lwi_vec3(5, 4, 15), lwi_vec3(6, 3, 6), 0, SCENE_ROAD);
  lw_vec3 low[2] = {{15, 0, 0}, {15, 0, 30}}, high[2] = {{22, 4, 0}, {22, 4, 30}};
  mark_path(geometry, low, 2, 4, SCENE_ROAD);
  mark_path(geometry, high, 2, 4, SCENE_ROAD);
  lw_vec3 corners[3] = {{26, 9, 10}, {30, 0, 10}, {28, -7, 20}};
  lw_mark_def all = lw_mark_def_default(LW_MARK_POLYGON);
  all.area = SCENE_ROAD;
  all.points = corners;
  all.point_count = 3;
  mark(geometry, &all);
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  const struct {
    float x, z;
    lw_area_id below, above;
  } places[] = {{5, 5, SCENE_ROAD, SCENE_GROUND},
                {5, 15, SCENE_GROUND, SCENE_ROAD},
                {15, 20, SCENE_ROAD, SCENE_GROUND},
                {22, 20, SCENE_GROUND, SCENE_ROAD},
                {28, 12, SCENE_ROAD, SCENE_ROAD}}; /* a polygon without heights takes every floor */
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
    assert_int_equal(area_at(navmesh, lwi_vec3(places[i].x, 0, places[i].z)), places[i].below);
    assert_int_equal(area_at(navmesh, lwi_vec3(places[i].x, 4, places[i].z)), places[i].above);
  }
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_polygon_is_the_same_in_either_winding(void **state) {
  (void)state;
  double covered[2];
  for (int turned = 0; turned < 2; ++turned) {
    lw_geometry *geometry = scene_floor(scene_table, 30, 30);
    lw_vec3 corners[4] = {{5, 0, 5}, {5, 0, 25}, {20, 0, 25}, {25, 0, 5}};
    if (turned) corners[1] = (lw_vec3){25, 0, 5}, corners[3] = (lw_vec3){5, 0, 25};
    lw_mark_def def = lw_mark_def_default(LW_MARK_POLYGON);
    def.area = SCENE_ROAD;
    def.points = corners;
    def.point_count = 4;
    def.bottom = -1;
    def.top = 1;
    mark(geometry, &def);
    lw_bake_settings settings = no_radius();
    lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
    covered[turned] = 0;
    for (float x = 0.25f; x < 30; x += 0.5f)
      for (float z = 0.25f; z < 30; z += 0.5f)
        covered[turned] += 0.25 * (area_at(navmesh, lwi_vec3(x, 0, z)) == SCENE_ROAD);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
  assert_true(fabs(covered[0] - 350) < 5);
  assert_true(covered[0] == covered[1]);
}

static void a_path_mark_that_ends_where_it_begins_is_closed(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 40, 40);
  lw_vec3 points[13];
  for (int i = 0; i < 12; ++i)
    points[i] = lwi_vec3(20 + 12 * cosf(PI / 6 * (float)i), 0, 20 + 12 * sinf(PI / 6 * (float)i));
  points[12] = points[0];
  mark_path(geometry, points, 13, 4, SCENE_ROAD);
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  for (float angle = 0; angle < 2 * PI; angle += 0.02f) {
    lw_vec3 out = lwi_vec3(cosf(angle), 0, sinf(angle)), middle = lwi_vec3(20, 0, 20);
    assert_int_equal(area_at(navmesh, lwi_add(middle, lwi_scale(out, 13.3f))), SCENE_ROAD);
    assert_int_equal(area_at(navmesh, lwi_add(middle, lwi_scale(out, 10.5f))), SCENE_ROAD);
    assert_int_equal(area_at(navmesh, lwi_add(middle, lwi_scale(out, 8.8f))), SCENE_GROUND);
    assert_int_equal(area_at(navmesh, lwi_add(middle, lwi_scale(out, 15))), SCENE_GROUND);
  }
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_tile_beside_a_long_road_is_not_marked(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 100, 100);
  lw_vec3 points[3] = {{0, 0, 0}, {90, 0, 10}, {100, 0, 100}};
  mark_path(geometry, points, 3, 6, SCENE_ROAD);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bake_marks found;
  const lw_box beside = {{0, 0, 60}, {30, 0, 90}}, below = {{40, 0, 0}, {60, 0, 20}};
  assert_true(lwi_bake_marks_find(&found, geometry, &beside, &memory));
  assert_int_equal(found.count, 0);
  assert_true(lwi_bake_marks_find(&found, geometry, &below, &memory));
  assert_int_equal(found.count, 1);
  lwi_bake_marks_free(&found, &memory);
  assert_int_equal(memory.bytes, 0);
  lw_geometry_destroy(geometry);
}

static void marks_count_among_the_62_areas_of_a_tile(void **state) {
  (void)state;
  lw_area_table *table = scene_numbered_areas(63);
  lw_geometry *geometry = scene_geometry(table);
  for (int i = 0; i < 63; ++i) {
    lw_area_id id = (lw_area_id)(i + 1);
    if (i == 0)
      scene_add_floor(geometry, lwi_vec3(0, 0, 0), 70, 4, id);
    else
      mark_box(geometry, lwi_vec3((float)i + 0.5f, 0, 2), lwi_vec3(1, 1, 4), 0, id);
  }
  lw_bake_settings settings = no_radius();
  settings.tile_size = 100;
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_LIMIT);
  assert_non_null(strstr(error.text, "tile (0, 0) has more than 62 areas"));
  settings.tile_size = 16;
  navmesh = scene_bake(geometry, &settings, NULL);
  for (int i = 0; i < 63; ++i) assert_int_equal(area_at(navmesh, lwi_vec3((float)i + 0.5f, 0, 2)), i + 1);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

/* --- splines --- */

typedef struct line {
  lw_vec3 points[4096];
  int count;
} line;

static bool collect(void *user, lw_vec3 point) {
  line *into = user;
  assert_true(into->count < 4096);
  into->points[into->count++] = point;
  return true;
}

static float off_segment(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  lw_vec3 side = lwi_sub(b, a);
  float square = lwi_dot(side, side), t = square > 0 ? lwi_dot(lwi_sub(p, a), side) / square : 0;
  return lwi_distance(lwi_lerp(a, b, fminf(1, fmaxf(0, t))), p);
}

static float off_line(const line *of, lw_vec3 p) {
  float best = INFINITY;
  for (int i = 1; i < of->count; ++i) best = fminf(best, off_segment(of->points[i - 1], of->points[i], p));
  return best;
}

static void a_spline_passes_through_its_points_and_is_straight_where_they_are(void **state) {
  (void)state;
  static line straight, bent;
  const lw_vec3 on_a_line[] = {{0, 0, 0}, {10, 1, 5}, {30, 3, 15}};
  assert_true(lwi_spline_walk(on_a_line, 3, false, collect, &straight));
  assert_int_equal(straight.count, 3);
  const lw_vec3 around[] = {{0, 0, 0}, {20, 0, 0}, {21, 2, 20}, {60, 2, 20}, {60, 0, 19}};
  assert_true(lwi_spline_walk(around, 5, false, collect, &bent));
  for (int i = 0; i < 5; ++i) assert_float_equal(off_line(&bent, around[i]), 0, 1e-5f);
  assert_true(lwi_equal(bent.points[0], around[0]) && lwi_equal(bent.points[bent.count - 1], around[4]));
  assert_true(bent.count > 20);
}

/* A circle's spline is a smooth curve near the circle; cut finer, its points lie within the stated error. */
static void a_spline_is_cut_to_within_a_centimetre(void **state) {
  (void)state;
  static line whole, part;
  lw_vec3 points[32];
  for (int i = 0; i < 32; ++i)
    points[i] = lwi_vec3(20 * cosf(PI / 16 * (float)i), 0, 20 * sinf(PI / 16 * (float)i));
  assert_true(lwi_spline_walk(points, 32, true, collect, &whole));
  assert_true(lwi_equal(whole.points[0], whole.points[whole.count - 1]));
  for (float angle = 0; angle < 2 * PI; angle += 0.001f)
    assert_float_equal(off_line(&whole, lwi_vec3(20 * cosf(angle), 0, 20 * sinf(angle))), 0,
                       LWI_SPLINE_ERROR + 1e-3f);
  assert_true(whole.count < 300);
  assert_true(lwi_spline_walk(points, 5, false, collect, &part));
  assert_true(part.count < whole.count / 4);
}

/* --- what is refused --- */

static void assert_refused(lw_geometry *geometry, const lw_mark_def *def, const char *text) {
  lw_error error = {0};
  assert_int_equal(lw_geometry_mark_area(geometry, def, &error), LW_INVALID);
  assert_string_equal(error.text, text);
  assert_int_equal(lw_geometry_mark_count(geometry), 0);
}

static void bad_marks_are_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_vec3 points[4] = {{0, 0, 0}, {4, 0, 0}, {1, 0, 1}, {0, 0, 4}};
  lw_mark_def def = lw_mark_def_default(LW_MARK_POLYGON);
  def.area = SCENE_ROAD;
  def.points = points;
  def.point_count = 4;
  assert_refused(
      geometry, &def,
      "mark: the polygon is not convex, expected convex parts, each its own mark: (4, 0) lies outside its "
      "edge from (0, 4) to (1, 1) (x, z)");
  def.point_count = 2;
  assert_refused(geometry, &def, "mark: point_count of the polygon is 2, expected 3 to 4096");
  lw_error error = {0};
  def.point_count = 4097;
  assert_int_equal(lw_geometry_mark_area(geometry, &def, &error), LW_LIMIT);
  assert_string_equal(error.text, "mark: point_count of the polygon is 4097, expected 3 to 4096");
  def.point_count = 4;
  points[2] = (lw_vec3){4, 0, 4};
  def.bottom = 3;
  def.top = 1;
  assert_refused(geometry, &def, "mark: bottom is 3, expected less than top 1");
  def.top = NAN;
  assert_refused(geometry, &def, "mark: bottom is 3, expected less than top nan");
  def.top = 9;
  def.area = 77;
  assert_refused(geometry, &def, "mark: area is 77, expected 0 (none) to 2");
  def.area = SCENE_ROAD;
  def.cookie = 0;
  assert_refused(geometry, &def, "lw_mark_def is not filled, expected lw_mark_def_default() first");
  def = lw_mark_def_default(LW_MARK_PATH);
  def.area = SCENE_ROAD;
  def.points = points;
  def.point_count = 4;
  assert_refused(geometry, &def, "mark: width is 0, expected metres > 0, at most 1e+06");
  def.width = 2;
  points[1] = (lw_vec3){0, 5, 0};
  assert_refused(geometry, &def,
                 "mark: points 1 and 2 of the path are both at x 0, z 0, expected different places");
  points[1].x = INFINITY;
  assert_refused(geometry, &def, "mark: point 2 is (inf, 5, 0), expected finite numbers within +-1e+06 m");
  def = lw_mark_def_default(LW_MARK_BOX);
  def.area = SCENE_ROAD;
  def.size = (lw_vec3){1, 0, 1};
  assert_refused(geometry, &def, "mark: size.y is 0, expected metres > 0, at most 1e+06");
  lw_geometry_destroy(geometry);
}

static void polygons_that_wind_twice_or_are_flat_are_refused(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_vec3 star[5];
  for (int i = 0; i < 5; ++i) star[i] = lwi_vec3(cosf(4 * PI / 5 * (float)i), 0, sinf(4 * PI / 5 * (float)i));
  lw_vec3 flat[3] = {{0, 0, 0}, {1, 0, 1}, {2, 0, 2}}, ring[4] = {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {0, 0, 0}};
  lw_mark_def def = lw_mark_def_default(LW_MARK_POLYGON);
  lw_error error = {0};
  def.area = SCENE_ROAD;
  def.points = star;
  def.point_count = 5;
  assert_int_equal(lw_geometry_mark_area(geometry, &def, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "not convex"));
  def.points = flat;
  def.point_count = 3;
  assert_refused(geometry, &def, "mark: the polygon is a line, expected a polygon with an area");
  def.points = ring;
  def.point_count = 4;
  assert_refused(geometry, &def,
                 "mark: the polygon's last point is its first again, (0, 0) (x, z), expected another");
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_is_as_wide_as_it_says_however_it_is_turned),
      cmocka_unit_test(a_bent_road_is_as_wide_as_it_says),
      cmocka_unit_test(a_road_along_the_grid_is_as_wide_as_it_says_wherever_it_lies),
      cmocka_unit_test(a_road_over_hills_is_as_wide_as_it_says_and_on_the_ground),
      cmocka_unit_test(later_marks_win_and_what_was_unwalkable_stays_so),
      cmocka_unit_test(agents_keep_their_radius_from_unwalkable_marks_but_not_from_areas),
      cmocka_unit_test(only_the_floor_within_the_heights_is_marked),
      cmocka_unit_test(a_polygon_is_the_same_in_either_winding),
      cmocka_unit_test(a_path_mark_that_ends_where_it_begins_is_closed),
      cmocka_unit_test(a_tile_beside_a_long_road_is_not_marked),
      cmocka_unit_test(marks_count_among_the_62_areas_of_a_tile),
      cmocka_unit_test(a_spline_passes_through_its_points_and_is_straight_where_they_are),
      cmocka_unit_test(a_spline_is_cut_to_within_a_centimetre),
      cmocka_unit_test(bad_marks_are_refused_by_name),
      cmocka_unit_test(polygons_that_wind_twice_or_are_flat_are_refused),
  };
  return cmocka_run_group_tests_name("marks", tests, scene_open, scene_close);
}
