/* Numbers of files in a program whose locale has a decimal comma. */
#include "hostile_level.h"

#include "core/platform.h"
#include "geometry/geometry.h"
#include "leeward/import.h"
#include "leeward/navmesh.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Build a locale from the system's descriptions into the test's folder, and set it. @return Whether it has a comma. */
static bool set_comma(void) {
  char command[400];
  snprintf(command, sizeof command,
           "localedef --no-archive -i de_DE -f UTF-8 '%s/leeward_comma' >/dev/null 2>&1 && test -d "
           "'%s/leeward_comma'",
           hostile_root, hostile_root);
  if (system(command) != 0 || setenv("LOCPATH", hostile_root, 1) != 0) return false;
  return setlocale(LC_ALL, "leeward_comma") && strcmp(localeconv()->decimal_point, ",") == 0;
}

static int set_up(void **state) {
  if (hostile_set_up(state)) return -1;
  if (!set_comma()) print_message("no locale with a comma: localedef cannot build one here\n");
  return 0;
}

static int tear_down(void **state) {
  setlocale(LC_ALL, "C");
  return hostile_tear_down(state);
}

static void skip_without_comma(void) {
  if (strcmp(localeconv()->decimal_point, ",") != 0) skip();
}

static void numbers_have_a_decimal_point(void **state) {
  (void)state;
  char *end;
  skip_without_comma();
  assert_true(strtod("1,5", NULL) == 1.5);
  assert_true(lwi_number_read("-1.5e1x", &end) == -15 && *end == 'x');
  assert_true(lwi_number_read("1,5", &end) == 1 && *end == ',');
  assert_true(lwi_number_read("0.1", NULL) == 0.1);
  assert_true(strtod("1,5", NULL) == 1.5); /* as before */
}

static void geometry_sets_are_read(void **state) {
  (void)state;
  static const char text[] = "c 1.5 2 3  4 5.25 6  0.5 1 8 8\n";
  lw_area_table *areas;
  lw_geometry *geometry;
  lw_error error = {0};
  skip_without_comma();
  hostile_write("level.gset", text, sizeof text - 1);
  assert_int_equal(lw_area_table_create(NULL, &areas), LW_OK);
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  if (lw_geometry_load_gset(geometry, hostile_path("level.gset"), NULL, &error)) fail_msg("%s", error.text);
  const lwi_links *links = lwi_geometry_links(geometry);
  assert_int_equal(links->count, 1);
  assert_true(links->items[0].from.x == 1.5f && links->items[0].to.y == 5.25f &&
              links->items[0].radius == 0.5f);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(areas);
}

static void meshes_of_polyanya_are_read(void **state) {
  (void)state;
  static const char text[] = "mesh\n2\n3 1\n0 0 2 0 -1\n1.5 0 2 0 -1\n0 2.25 2 0 -1\n3 0 1 2 -1 -1 -1\n";
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_error error = {0};
  skip_without_comma();
  hostile_write("level.mesh", text, sizeof text - 1);
  assert_int_equal(lw_area_table_create(NULL, &areas), LW_OK);
  lw_area_def ground = lw_area_def_default();
  ground.name = "ground";
  assert_int_equal(lw_area_table_set(areas, &ground, NULL, NULL), LW_OK);
  if (lw_navmesh_import(hostile_path("level.mesh"), areas, NULL, &mesh, &error)) fail_msg("%s", error.text);
  const lw_box bounds = lw_navmesh_bounds(mesh);
  assert_true(bounds.max.x == 1.5f && bounds.max.z == 2.25f);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
}

static void levels_are_read(void **state) {
  (void)state;
  static const float corners[9] = {0, 0, 0.5f, 1.5f, 0, 1, 1, 0, 0};
  static const char obj[] = "v 0 0 0.5\nv 1.5 0 1e0\nv 1 0 0\nf 1 2 3\n";
  static const char off[] = "OFF\n3 1 0\n0 0 0.5\n1.5 0 1e0\n1 0 0\n3 0 1 2\n";
  static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                            "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                            "end_header\n0 0 0.5\n1.5 0 1e0\n1 0 0\n3 0 1 2\n";
  static const char stl[] = "solid x\nfacet normal 0.5 1.0 0\nouter loop\nvertex 0 0 0.5\nvertex 1.5 0 1e0\n"
                            "vertex 1 0 0\nendloop\nendfacet\nendsolid x\n";
  skip_without_comma();
  hostile_write_level("level.obj", obj, sizeof obj - 1);
  hostile_expect_triangles(corners, 1);
  hostile_write_level("level.off", off, sizeof off - 1);
  hostile_expect_triangles(corners, 1);
  hostile_write_level("level.ply", ply, sizeof ply - 1);
  hostile_expect_triangles(corners, 1);
  hostile_write_level("level.stl", stl, sizeof stl - 1);
  hostile_expect_triangles(corners, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_have_a_decimal_point),
      cmocka_unit_test(geometry_sets_are_read),
      cmocka_unit_test(meshes_of_polyanya_are_read),
      cmocka_unit_test(levels_are_read),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
