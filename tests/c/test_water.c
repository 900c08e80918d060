/* Water by its level: what is under it, how deep. */
#include "bake_scene.h"

#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "mesh/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GROUND = 1, ROAD, SHALLOW, DEEP };

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "road", "shallow_water", "deep_water"};
  areas = support_areas(names, 4);
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static lw_bake_settings fine(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.2f;
  settings.agent_radius = 0;
  settings.tile_size = 12;
  settings.min_region_area = 0;
  settings.merge_region_area = 0;
  return settings;
}

static void add_water(lw_geometry *geometry, const lw_vec3 *points, int count, float level, float bottom) {
  lw_water_def def = lw_water_def_default();
  lw_error error = {0};
  def.points = points;
  def.point_count = count;
  def.level = level;
  def.bottom = bottom;
  if (lw_geometry_add_water(geometry, &def, &error)) fail_msg("%s", error.text);
}

/* LW_AREA_NONE: no navmesh. */
static lw_area_id area_at(const lw_navmesh *mesh, lw_vec3 at) {
  lw_location location;
  lw_poly poly;
  if (lw_navmesh_nearest(mesh, at, lwi_vec3(0.02f, 0.5f, 0.02f), NULL, &location)) return LW_AREA_NONE;
  assert_int_equal(lw_navmesh_get_poly(mesh, location.poly, &poly), LW_OK);
  return poly.area;
}

/* Rolling ground, 30 x 30 m. */
static float hill(float x, float z) {
  return 0.9f * sinf(x / 4) * cosf(z / 5);
}

static void add_hills(lw_geometry *geometry) {
  enum { SIDE = 60 };
  static lw_vec3 vertices[(SIDE + 1) * (SIDE + 1)];
  static int indices[6 * SIDE * SIDE];
  for (int z = 0; z <= SIDE; z++)
    for (int x = 0; x <= SIDE; x++) {
      float at_x = 0.5f * (float)x, at_z = 0.5f * (float)z;
      vertices[z * (SIDE + 1) + x] = lwi_vec3(at_x, hill(at_x, at_z), at_z);
    }
  int *to = indices;
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++) {
      int a = z * (SIDE + 1) + x, b = a + SIDE + 1;
      const int quad[6] = {a, b, b + 1, a, b + 1, a + 1};
      memcpy(to, quad, sizeof quad);
      to += 6;
    }
  lw_geometry_mesh mesh = {.vertices = vertices,
                           .vertex_count = (SIDE + 1) * (SIDE + 1),
                           .indices = indices,
                           .triangle_count = 2 * SIDE * SIDE,
                           .area = GROUND};
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
}

/* An outline like a C, in either winding. */
static const lw_vec3 bay[] = {{2, 0, 2},   {28, 0, 2},  {28, 0, 10}, {12, 0, 12},
                              {12, 0, 20}, {28, 0, 22}, {28, 0, 28}, {2, 0, 28}};

static bool in_bay(float x, float z) {
  if (x < 2 || x > 28 || z < 2 || z > 28) return false;
  if (x < 12) return true;
  float slope = (x - 12) / 16;
  return z < 12 - 2 * slope || z > 20 + 2 * slope;
}

static bool near_outline(float x, float z, float within) {
  for (int i = 0; i < 16; i++) {
    float angle = (float)i * 0.3927f;
    if (in_bay(x + within * cosf(angle), z + within * sinf(angle)) != in_bay(x, z)) return true;
  }
  return false;
}

/* Areas at random points against the formula; points near a border between two areas are left out. */
static void ground_below_the_level_is_shallow_or_deep(void **state) {
  (void)state;
  const float level = 0.3f, wade = 0.6f;
  lw_geometry *geometry = scene_geometry(areas);
  add_hills(geometry);
  add_water(geometry, bay, 8, level, -INFINITY);
  lw_bake_settings settings = fine();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_random random = lwi_random_make(5, 0);
  int seen[5] = {0}, wrong = 0;
  for (int i = 0; i < 20000; i++) {
    float x = 0.5f + 29 * lwi_random_unit(&random), z = 0.5f + 29 * lwi_random_unit(&random), y = hill(x, z);
    float depth = in_bay(x, z) ? level - y : -1;
    if (near_outline(x, z, 0.5f) || fabsf(depth) < 0.2f || fabsf(depth - wade) < 0.2f) continue;
    lw_area_id expected = depth < 0 ? GROUND : depth < wade ? SHALLOW : DEEP;
    lw_area_id area = area_at(mesh, lwi_vec3(x, y, z));
    seen[expected]++;
    wrong += area != expected;
    float answer;
    assert_int_equal(lw_navmesh_water_depth(mesh, lwi_vec3(x, y, z), &answer), LW_OK);
    assert_true(fabsf(answer - fmaxf(0, depth)) < 0.2f);
  }
  printf("note: of %d points on dry ground, %d in the shallows and %d in the deep, %d are of the wrong area\n",
         seen[GROUND], seen[SHALLOW], seen[DEEP], wrong);
  assert_true(seen[GROUND] > 1000 && seen[SHALLOW] > 500 && seen[DEEP] > 500);
  assert_int_equal(wrong, 0);
  assert_int_equal(lw_navmesh_water_count(mesh), 1);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static const lw_vec3 square[] = {{4, 0, 4}, {4, 0, 16}, {16, 0, 16}, {16, 0, 4}};

static void a_water_surface_is_no_floor_and_a_bridge_stays_dry(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(areas, 20, 20);
  scene_add_floor(geometry, (lw_vec3){9, 3.2f, 0}, 2, 20, ROAD);
  add_water(geometry, square, 4, 1.2f, -INFINITY);
  lw_bake_settings settings = fine();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  float height;
  assert_int_equal(lw_navmesh_height(mesh, (lw_vec3){6, 1.2f, 6}, NULL, &height), LW_OK);
  assert_true(fabsf(height) < 0.01f);
  assert_int_equal(area_at(mesh, (lw_vec3){6, 0, 6}), DEEP);
  assert_int_equal(area_at(mesh, (lw_vec3){10, 0, 6}), DEEP); /* below the bridge */
  assert_int_equal(area_at(mesh, (lw_vec3){10, 3.2f, 6}), ROAD);
  float depth;
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){10, 0, 6}, &depth), LW_OK);
  assert_true(fabsf(depth - 1.2f) < 0.01f);
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){10, 3, 6}, &depth), LW_OK);
  assert_true(depth == 0);
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){40, 3, 6}, &depth), LW_NO_POINT);
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){NAN, 3, 6}, &depth), LW_INVALID);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void ground_below_the_bottom_is_dry(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(areas, 20, 20);
  scene_add_floor(geometry, (lw_vec3){0, -4, 0}, 20, 20, ROAD);
  add_water(geometry, square, 4, 0.4f, -1);
  lw_bake_settings settings = fine();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(area_at(mesh, (lw_vec3){6, 0, 6}), SHALLOW);
  assert_int_equal(area_at(mesh, (lw_vec3){6, -4, 6}), ROAD);
  float depth;
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){6, -4, 6}, &depth), LW_OK);
  assert_true(depth == 0);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void marks_and_waters_added_later_decide(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(areas, 20, 20);
  lw_mark_def ford = lw_mark_def_default(LW_MARK_BOX), before = ford;
  ford.area = before.area = ROAD;
  ford.at = (lw_vec3){8, -1, 10}, ford.size = (lw_vec3){2, 2, 20};
  before.at = (lw_vec3){13, -1, 10}, before.size = (lw_vec3){2, 2, 20};
  assert_int_equal(lw_geometry_mark_area(geometry, &before, NULL), LW_OK);
  add_water(geometry, square, 4, 0.4f, -INFINITY);
  assert_int_equal(lw_geometry_mark_area(geometry, &ford, NULL), LW_OK);
  add_water(geometry, square, 3, 1.4f, -INFINITY); /* half of it deeper */
  assert_int_equal(lw_geometry_mark_count(geometry), 4);
  lw_bake_settings settings = fine();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(area_at(mesh, (lw_vec3){13, 0, 5}), SHALLOW);
  assert_int_equal(area_at(mesh, (lw_vec3){8, 0, 5}), ROAD);
  assert_int_equal(area_at(mesh, (lw_vec3){8, 0, 15}), DEEP);
  float depth;
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){13, 0, 5}, &depth), LW_OK);
  assert_true(fabsf(depth - 0.4f) < 0.01f);
  assert_int_equal(lw_navmesh_water_depth(mesh, (lw_vec3){8, 0, 15}, &depth), LW_OK);
  assert_true(fabsf(depth - 1.4f) < 0.01f);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void refuses(lw_water_def def, const char *text) {
  lw_geometry *geometry = scene_geometry(areas);
  lw_error error = {0};
  assert_int_equal(lw_geometry_add_water(geometry, &def, &error), LW_INVALID);
  assert_string_equal(error.text, text);
  assert_int_equal(lw_geometry_mark_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

static void bad_water_is_named(void **state) {
  (void)state;
  lw_water_def good = lw_water_def_default();
  good.points = square, good.point_count = 4, good.level = 1;
  lw_water_def bad = good;
  bad.level = NAN;
  refuses(bad, "water: level is nan, expected a number within +-1e+06 m");
  bad = good, bad.bottom = 1;
  refuses(bad, "water: bottom is 1, expected less than level 1");
  bad = good, bad.wade = -1;
  refuses(bad, "water: wade is -1, expected metres >= 0, at most 1e+06");
  bad = good, bad.point_count = 2;
  refuses(bad, "water: the polygon has 2 points, expected 3 or more");
  bad = good, bad.shallow = 7;
  refuses(bad, "water: shallow is 7, expected an area from 1 to 4");
  const lw_vec3 cross[] = {{0, 0, 0}, {4, 0, 4}, {4, 0, 0}, {0, 0, 4}};
  bad = good, bad.points = cross;
  refuses(bad, "water: the outline crosses itself: the edge from point 1 touches or crosses that from point 3, "
               "expected a simple polygon");
  const lw_vec3 touch[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {2, 0, 0}, {0, 0, 4}};
  bad.points = touch, bad.point_count = 5;
  refuses(bad, "water: the outline crosses itself: the edge from point 1 touches or crosses that from point 3, "
               "expected a simple polygon");
  const lw_vec3 twice[] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {0, 0, 4}};
  bad.points = twice, bad.point_count = 4;
  refuses(bad, "water: points 2 and 3 are both at x 4, z 0, expected different places");
  const lw_vec3 line[] = {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}};
  bad.points = line, bad.point_count = 3;
  refuses(bad, "water: the outline turns back on itself at point 2, x 4, z 0, expected a simple polygon");
  const lw_vec3 far[] = {{0, 0, 0}, {4, 0, 0}, {2, 0, INFINITY}};
  bad.points = far;
  refuses(bad, "water: point 3 is (2, 0, inf), expected finite numbers within +-1e+06 m");
  lw_error error = {0};
  lw_area_table *table = scene_areas(); /* of ground and road alone */
  lw_geometry *geometry = scene_geometry(table);
  assert_int_equal(lw_geometry_add_water(geometry, &good, &error), LW_INVALID);
  assert_string_equal(error.text,
                      "water: shallow is 0, expected an area, for there is none named 'shallow_water'");
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ground_below_the_level_is_shallow_or_deep),
      cmocka_unit_test(a_water_surface_is_no_floor_and_a_bridge_stays_dry),
      cmocka_unit_test(ground_below_the_bottom_is_dry),
      cmocka_unit_test(marks_and_waters_added_later_decide),
      cmocka_unit_test(bad_water_is_named),
  };
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
