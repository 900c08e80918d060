/* Parts of a bake, merged: the same bytes as a whole bake. */
#include "bake_scene.h"
#include "levels.h"

#include "mesh/mesh.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PARTS_MAX 7

/* Seven by five tiles of 10 m: two floors with empty tiles between, boxes, and slabs above of 4 m2 (dropped)
   and of 25 m2 (kept) over tiles' corners and over the ends of rows. */
static lw_geometry *level(void) {
  lw_geometry *geometry = scene_floor(scene_table, 32, 50);
  scene_add_floor(geometry, (lw_vec3){61, 0, 0}, 9, 50, SCENE_ROAD);
  for (int i = 0; i < 20; ++i) {
    lw_geometry_box box = {.at = {(float)(2 + i * 7 % 28), 0, (float)(2 + i * 11 % 46)},
                           .size = {1, 1, 2},
                           .yaw = (float)i,
                           .area = LW_AREA_NONE};
    assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  }
  lw_mark_def veto = lw_mark_def_default(LW_MARK_BOX);
  veto.at = (lw_vec3){16, 0, 20};
  veto.size = (lw_vec3){12, 2, 12};
  assert_int_equal(lw_geometry_forbid_cover(geometry, &veto, NULL), LW_OK);
  lw_cover_def hedge = lw_cover_def_default();
  hedge.from = (lw_vec3){62, 0, 5};
  hedge.to = (lw_vec3){62, 0, 35};
  assert_int_equal(lw_geometry_add_cover(geometry, &hedge, NULL), LW_OK);
  for (int z = 10; z <= 40; z += 10) {
    scene_add_floor(geometry, (lw_vec3){9, 5, (float)z - 1}, 2, 2, SCENE_ROAD);
    scene_add_floor(geometry, (lw_vec3){17.5f, 5, (float)z - 2.5f}, 5, 5, SCENE_ROAD);
  }
  return geometry;
}

static lw_bake_settings settings_for_level(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.agent_radius = 0;
  settings.tile_size = 10;
  settings.min_region_area = 10;
  return settings;
}

/* As another machine would hand it over. */
static lw_navmesh *through_a_file(lw_navmesh *navmesh, const lw_area_table *table) {
  lw_navmesh *loaded = navmesh_through_file(navmesh, table);
  lw_navmesh_destroy(navmesh);
  return loaded;
}

static lw_navmesh *bake_part(const lw_geometry *geometry, lw_bake_settings settings, int first, int count,
                             lw_bake_report *report) {
  settings.tiles.first = first;
  settings.tiles.count = count;
  return scene_bake(geometry, &settings, report);
}

static int count_tiles(const lw_geometry *geometry, const lw_bake_settings *settings) {
  int columns, rows;
  assert_int_equal(lw_bake_count_tiles(geometry, settings, &columns, &rows, NULL), LW_OK);
  return columns * rows;
}

/* Bake in `count` parts, join them last to first, and compare with `whole`. */
static void check_parts(const lw_geometry *geometry, const lw_bake_settings *settings, int count,
                        const lw_navmesh *whole) {
  int total = count_tiles(geometry, settings);
  lw_navmesh *parts[PARTS_MAX], *merged = NULL;
  for (int i = 0; i < count; ++i) {
    int first = total * i / count, end = total * (i + 1) / count;
    lw_bake_report report;
    lw_navmesh *part = bake_part(geometry, *settings, first, end - first, &report);
    assert_int_equal(report.tiles, end - first);
    assert_int_equal(report.tiles_total, total);
    assert_int_equal(report.islands_dropped, 0);
    parts[count - 1 - i] = through_a_file(part, lw_navmesh_area_table(whole));
  }
  lw_error error = {0};
  if (lw_navmesh_merge((const lw_navmesh *const *)parts, count, NULL, &merged, &error))
    fail_msg("%s", error.text);
  assert_int_equal(lw_navmesh_validate(merged, &error), LW_OK);
  assert_same_bytes(navmesh_bytes(merged), navmesh_bytes(whole));
  assert_int_equal(lw_navmesh_get_stats(merged).portals, lw_navmesh_get_stats(whole).portals);
  lw_navmesh_destroy(merged);
  for (int i = 0; i < count; ++i) lw_navmesh_destroy(parts[i]);
}

static void parts_join_to_the_bytes_of_a_whole_bake(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_bake_settings settings = settings_for_level();
  assert_int_equal(count_tiles(geometry, &settings), 35);
  lw_bake_report report;
  lw_navmesh *whole = scene_bake(geometry, &settings, &report);
  assert_int_equal(report.tiles, 35);
  assert_int_equal(report.tiles_total, 35);
  assert_true(report.tiles_empty >= 2 * 5);
  assert_int_equal(report.islands_dropped, 4);
  const int counts[] = {1, 2, 3, 7};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    check_parts(geometry, &settings, counts[i], whole);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(geometry);
}

static void parts_of_a_shared_level_join_too(void **state) {
  (void)state;
  char file[4096], text[512];
  if (!level_file("wz_highground", file, sizeof file)) {
    level_missing("wz_highground", text, sizeof text);
    print_message("%s\n", text);
    skip();
  }
  lw_area_table *table = NULL;
  lw_geometry *geometry = NULL;
  assert_int_equal(level_areas(&table, NULL), LW_OK);
  assert_int_equal(level_geometry("wz_highground", table, &geometry, NULL), LW_OK);
  lw_bake_settings settings = level_settings();
  settings.min_region_area = 100; /* so that there are islands to leave out */
  lw_bake_report report;
  lw_navmesh *whole = scene_bake(geometry, &settings, &report);
  print_message("wz_highground: %d tiles, %d islands left out\n", report.tiles, report.islands_dropped);
  check_parts(geometry, &settings, 3, whole);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

static void a_part_keeps_what_may_go_on_in_another(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_bake_settings settings = settings_for_level();
  lw_bake_report report;
  lw_navmesh *part = bake_part(geometry, settings, 7, 1, &report); /* (0, 1): quarters of slabs of 4 m2 */
  lw_location location;
  assert_int_equal(
      lw_navmesh_nearest(part, (lw_vec3){9.5f, 5, 10.5f}, (lw_vec3){0.3f, 0.5f, 0.3f}, NULL, &location), LW_OK);
  assert_int_equal(lw_navmesh_get_stats(part).tiles, 1);
  lw_navmesh_destroy(part);
  lw_geometry_destroy(geometry);
}

static void a_part_may_be_empty_but_not_all(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_bake_settings settings = settings_for_level();
  lw_bake_report report;
  lw_navmesh *part = through_a_file(bake_part(geometry, settings, 4, 2, &report), scene_table); /* the gap */
  assert_int_equal(report.tiles_empty, 2);
  assert_int_equal(lw_navmesh_get_stats(part).polygons, 0);
  lw_navmesh_destroy(part);
  lw_geometry_destroy(geometry);

  geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, (lw_vec3){0, 0, 0}, 10, 10, LW_AREA_NONE);
  part = bake_part(geometry, settings, 0, 1, &report);
  lw_navmesh *merged = NULL;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)&part, 1, NULL, &merged, &error), LW_EMPTY);
  assert_string_equal(error.text, "nothing to walk on: every part is empty");
  lw_navmesh_destroy(part);
  lw_geometry_destroy(geometry);

  geometry = scene_floor(scene_table, 20, 10);
  settings.min_region_area = 5000;
  part = bake_part(geometry, settings, 0, 2, &report);
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)&part, 1, NULL, &merged, &error), LW_EMPTY);
  assert_non_null(strstr(error.text, "smaller than min_region_area 5000 m2"));
  assert_null(merged);
  lw_navmesh_destroy(part);
  lw_geometry_destroy(geometry);
}

static void assert_no_merge(lw_navmesh *a, lw_navmesh *b, const char *text) {
  const lw_navmesh *parts[2] = {a, b};
  lw_navmesh *merged = a;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_merge(parts, 2, NULL, &merged, &error), LW_INVALID);
  assert_null(merged);
  if (!strstr(error.text, text)) fail_msg("'%s' is not in '%s'", text, error.text);
}

static void parts_that_do_not_fit_are_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_bake_settings settings = settings_for_level(), other;
  lw_navmesh *front = bake_part(geometry, settings, 0, 20, NULL),
             *back = bake_part(geometry, settings, 20, 15, NULL);
  assert_no_merge(front, front, "tile 1 is in part 1 and in part 2, expected in one");
  assert_no_merge(front, NULL, "part 2 is NULL, expected a navmesh");

  lw_navmesh *wrong = bake_part(geometry, settings, 19, 16, NULL);
  assert_no_merge(wrong, front, "tile 20 is in part 2 and in part 1, expected in one");
  lw_navmesh_destroy(wrong);
  wrong = bake_part(geometry, settings, 21, 100, NULL); /* up to the last */
  assert_no_merge(front, wrong, "tile 21 of 35 is in no part, expected in one");
  lw_navmesh_destroy(wrong);
  wrong = bake_part(geometry, settings, 20, 13, NULL);
  assert_no_merge(front, wrong, "tiles 34 to 35 of 35 are in no part, expected each in one");
  lw_navmesh_destroy(wrong);
  wrong = scene_bake(geometry, &settings, NULL);
  assert_no_merge(front, wrong, "part 2 is a whole navmesh, expected a part of a bake");
  lw_navmesh_destroy(wrong);

  other = settings, other.agent_radius = 0.5f;
  wrong = bake_part(geometry, other, 20, 15, NULL);
  assert_no_merge(
      front, wrong,
      "part 2 is for agents of radius 0.5, height 1.8, climb 0.4 m, expected 0, 1.8, 0.4 m as in part 1");
  lw_navmesh_destroy(wrong);
  other = settings, other.tile_size = 9;
  wrong = bake_part(geometry, other, 20, 15, NULL);
  assert_no_merge(front, wrong, "part 2: tile_size is 9 m, expected 10 m as in part 1");
  lw_navmesh_destroy(wrong);
  other = settings, other.min_region_area = 3;
  wrong = bake_part(geometry, other, 20, 15, NULL);
  assert_no_merge(front, wrong, "part 2: min_region_area is 3 m2, expected 10 m2 as in part 1");
  lw_navmesh_destroy(wrong);
  other = settings, other.detail_error = 0.2f;
  wrong = bake_part(geometry, other, 20, 15, NULL);
  assert_no_merge(front, wrong,
                  "part 2 is of another level than part 1 or baked with other settings, expected the same");
  lw_navmesh_destroy(wrong);
  lw_area_table *table = scene_areas();
  wrong = through_a_file(bake_part(geometry, settings, 20, 15, NULL), table);
  assert_no_merge(front, wrong, "part 2: its area table is not that of part 1, expected the same");
  lw_navmesh_destroy(wrong);
  lw_area_table_destroy(table);

  scene_add_floor(geometry, (lw_vec3){1, 9, 1}, 1, 1, SCENE_GROUND);
  wrong = bake_part(geometry, settings, 20, 15, NULL);
  assert_no_merge(front, wrong,
                  "part 2 is of another level than part 1 or baked with other settings, expected the same");
  lw_navmesh_destroy(wrong);
  back->tiles.items[0].z = 0; /* as no bake would */
  assert_no_merge(front, back, "tile (6, 0) is behind tile (3, 2), expected the order of the grid");
  lw_navmesh_destroy(front);
  lw_navmesh_destroy(back);
  lw_geometry_destroy(geometry);
}

static void tiles_that_there_are_not_are_refused(void **state) {
  (void)state;
  const struct {
    int first, count;
    lw_status status;
    const char *text;
  } cases[] = {{35, 1, LW_NOT_FOUND, "tiles: the first is tile 36, expected 1 to 35 (7 x 5)"},
               {-1, 2, LW_INVALID, "tiles.first is -1, expected 0 or more"},
               {0, -1, LW_INVALID, "tiles.count is -1, expected 0 or more"},
               {3, 0, LW_INVALID, "tiles.count is 0, expected 1 or more, as tiles.first is 3"}};
  lw_geometry *geometry = level();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    lw_bake_settings settings = settings_for_level();
    settings.tiles.first = cases[i].first;
    settings.tiles.count = cases[i].count;
    lw_navmesh *navmesh = NULL;
    lw_error error = {0};
    assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), cases[i].status);
    assert_null(navmesh);
    if (!strstr(error.text, cases[i].text)) fail_msg("'%s' is not in '%s'", cases[i].text, error.text);
  }
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_join_to_the_bytes_of_a_whole_bake),
      cmocka_unit_test(parts_of_a_shared_level_join_too),
      cmocka_unit_test(a_part_keeps_what_may_go_on_in_another),
      cmocka_unit_test(a_part_may_be_empty_but_not_all),
      cmocka_unit_test(parts_that_do_not_fit_are_refused_by_name),
      cmocka_unit_test(tiles_that_there_are_not_are_refused),
  };
  return cmocka_run_group_tests_name("merge", tests, scene_open, scene_close);
}
