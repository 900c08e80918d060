#include "bake_scene.h"

#include "core/platform.h"
#include "core/random.h"
#include "core/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Nothing is eroded, so that areas are right to within cells. */
static lw_bake_settings no_radius(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0;
  settings.min_region_area = 0;
  return settings;
}

static bool stands(const lw_navmesh *navmesh, float x, float y, float z) {
  return lw_navmesh_contains(navmesh, lwi_vec3(x, y, z), 0.5f, NULL);
}

static void assert_bake_fails(const lw_geometry *geometry, const lw_bake_settings *settings, lw_status status,
                              const char *text) {
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_bake(geometry, settings, &navmesh, NULL, &error), status);
  assert_null(navmesh);
  assert_int_equal(error.status, status);
  if (!strstr(error.text, text)) fail_msg("'%s' is not in '%s'", text, error.text);
}

/* --- settings --- */

/* Bake a floor with settings of which one is noted. */
static lw_bake_report bake_noting(const lw_bake_settings *settings, const char *note) {
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_bake_report report;
  lw_navmesh_destroy(scene_bake(geometry, settings, &report));
  lw_geometry_destroy(geometry);
  assert_int_equal(report.notes, 1);
  assert_string_equal(report.note[0], note);
  return report;
}

static void bake_without_notes(const lw_bake_settings *settings) {
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_bake_report report;
  lw_navmesh_destroy(scene_bake(geometry, settings, &report));
  lw_geometry_destroy(geometry);
  if (report.notes > 0) fail_msg("%s", report.note[0]);
}

static void settings_off_the_grid_are_rounded_up_and_noted(void **state) {
  (void)state;
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_height = 0.2f;
  settings.agent_climb = 0.75f;
  settings.agent_height = 1.8f;
  settings.agent_radius = 0.4f;
  settings.cell_size = 0.2f;
  settings.tile_size = 4;
  const lw_bake_report report =
      bake_noting(&settings, "agent_climb 0.75 m is not a multiple of cell_height 0.2 m: 0.8 m used");
  assert_float_equal(report.used.agent_climb, 0.8f, 1e-6f);
  assert_float_equal(report.used.agent_height, 1.8f, 1e-6f);
  assert_int_equal(report.tiles, 9);
}

static void tiles_too_small_to_keep_any_ground_are_made_larger_and_noted(void **state) {
  (void)state;
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.3f;
  settings.agent_radius = 0.6f;
  settings.tile_size = 0.0001f;
  const lw_bake_report report =
      bake_noting(&settings, "tile_size 0.0001 m is less than 8 cells of cell_size 0.3 m: 2.4 m used");
  assert_int_equal(report.tiles, 25);
  assert_int_equal(report.tiles_empty, 9); /* the last row and column lie within agent_radius of the edge */
}

static void a_climb_too_low_for_the_slope_is_noted(void **state) {
  (void)state;
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.3f;
  settings.agent_climb = 0.2f;
  settings.agent_radius = 0.6f;
  settings.tile_size = 30;
  bake_noting(&settings,
              "agent_climb 0.2 m at cell_size 0.3 m lets slopes up to 18 of agent_slope 45 degrees pass; "
              "cell_size 0.1 m lets all");
  settings.cell_size = 0.1f;
  bake_without_notes(&settings);
  settings.cell_size = 0.2f;
  settings.agent_climb = 0.3f;
  settings.cell_height = 0.15f;
  bake_noting(&settings,
              "agent_climb 0.3 m at cell_size 0.2 m lets slopes up to 37 of agent_slope 45 degrees pass; "
              "cell_size 0.15 m or cell_height 0.1 m lets all");
  settings.cell_height = 0.1f;
  bake_without_notes(&settings);
  settings.agent_climb = settings.cell_height = 0.1f;
  bake_noting(&settings,
              "agent_climb 0.1 m at cell_size 0.2 m lets slopes up to 0 of agent_slope 45 degrees pass; "
              "cell_height 0.05 m with cell_size 0.05 m lets all");
  settings.cell_height = settings.cell_size = 0.05f;
  bake_without_notes(&settings);
  settings.agent_climb = 0;
  bake_noting(&settings,
              "agent_climb 0 m at cell_size 0.05 m lets slopes up to 0 of agent_slope 45 degrees pass; "
              "agent_climb 0.1 m lets all");
  settings.cell_size = 0.1f;
  settings.agent_climb = settings.cell_height = 0.15f;
  bake_noting(&settings,
              "agent_climb 0.15 m at cell_size 0.1 m lets slopes up to 0 of agent_slope 45 degrees pass; "
              "cell_height 0.05 m lets all");
}

static void climb_eight_tenths_is_eight_cells_of_a_tenth(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_climb = 0.8f;
  settings.agent_height = 1.8f;
  settings.agent_radius = 0.6f;
  settings.tile_size = 30;
  lw_bake_report report;
  lw_navmesh_destroy(scene_bake(geometry, &settings, &report));
  assert_int_equal(report.notes, 0);
  assert_float_equal(report.used.agent_climb, 0.8f, 1e-6f);
  lw_geometry_destroy(geometry);
}

static void a_step_as_high_as_the_climb_is_taken_and_a_higher_one_is_not(void **state) {
  (void)state;
  /* Heights that lie on, between and just beside voxel planes. */
  const float bases[] = {0, 0.05f, 0.1f, 0.25f, 0.3f, 0.7f, -1.3f};
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; ++i)
    for (int high = 0; high < 2; ++high) {
      lw_geometry *geometry = scene_geometry(scene_table);
      scene_add_floor(geometry, lwi_vec3(0, bases[i], 0), 6, 6, SCENE_GROUND);
      scene_add_floor(geometry, lwi_vec3(6, bases[i] + (high ? 1.0f : 0.8f), 0), 6, 6, SCENE_GROUND);
      lw_bake_settings settings = lw_bake_settings_default();
      settings.agent_climb = 0.8f;
      lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
      assert_int_equal(lw_navmesh_get_stats(navmesh).islands, high ? 2 : 1);
      lw_navmesh_destroy(navmesh);
      lw_geometry_destroy(geometry);
    }
}

static void bad_settings_are_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = -1;
  assert_bake_fails(geometry, &settings, LW_INVALID, "cell_size is -1, expected a number >= 0 and <= 1e+06 m");
  settings = lw_bake_settings_default();
  settings.agent_slope = 91;
  assert_bake_fails(geometry, &settings, LW_INVALID,
                    "agent_slope is 91, expected a number >= 0 and <= 90 degrees");
  settings = lw_bake_settings_default();
  settings.agent_climb = NAN;
  assert_bake_fails(geometry, &settings, LW_INVALID, "agent_climb is ");
  settings = lw_bake_settings_default();
  settings.detail_error = INFINITY;
  assert_bake_fails(geometry, &settings, LW_INVALID, "detail_error is ");
  settings = lw_bake_settings_default();
  settings.bounds = (lw_box){{0, 0, 0}, {5, NAN, 5}};
  assert_bake_fails(geometry, &settings, LW_INVALID, "expected finite numbers");
  settings = lw_bake_settings_default();
  settings.agent_height = 40;
  assert_bake_fails(geometry, &settings, LW_LIMIT, "raise cell_height to 0.158 m or more");
  settings = lw_bake_settings_default();
  settings.tile_size = 2000;
  settings.cell_size = 0.3f;
  settings.agent_radius = 0.6f;
  assert_bake_fails(geometry, &settings, LW_LIMIT,
                    "tile_size is 2000 m, 6667 cells of cell_size 0.3 m, expected at most 2038: raise "
                    "cell_size to 0.982 m or more, or lower tile_size to 608 m or less");
  settings = lw_bake_settings_default();
  settings.cell_height = 3;
  assert_bake_fails(geometry, &settings, LW_INVALID,
                    "cell_height is 3 m, expected at most agent_height, 1.8 m");
  settings = lw_bake_settings_default();
  settings.cell_size = 1e-5f;
  settings.agent_radius = 0.3f;
  assert_bake_fails(geometry, &settings, LW_LIMIT, "or lower agent_radius to 0.00");
  settings.cookie = 0;
  assert_bake_fails(geometry, &settings, LW_INVALID, "lw_bake_settings_default()");
  lw_geometry_destroy(geometry);
}

/* What the bake of a floor chooses where no cell_size is given, and that it notes nothing. */
static float chosen_cell(float radius, float climb, float slope) {
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = radius;
  settings.agent_climb = climb;
  settings.agent_slope = slope;
  lw_bake_report report;
  lw_navmesh_destroy(scene_bake(geometry, &settings, &report));
  lw_geometry_destroy(geometry);
  if (report.notes > 0) fail_msg("radius %g, climb %g: %s", (double)radius, (double)climb, report.note[0]);
  assert_float_equal(report.used.agent_radius, radius, 1e-5f);
  return report.used.cell_size;
}

static void without_a_cell_size_agents_keep_their_radius_and_nothing_is_noted(void **state) {
  (void)state;
  assert_float_equal(chosen_cell(0.4f, 0.4f, 45), 0.2f, 1e-6f);
  assert_float_equal(chosen_cell(0.35f, 0.4f, 45), 0.175f, 1e-6f);
  assert_float_equal(chosen_cell(0.6f, 0.4f, 45), 0.3f, 1e-6f);
  assert_float_equal(chosen_cell(0.9f, 0.4f, 45), 0.3f,
                     1e-6f); /* a third: half of it would be 0.45 > 0.4 - 0.1 */
  assert_float_equal(chosen_cell(0.4f, 0.2f, 45), 0.1f, 1e-6f); /* 0.2 - 0.1 is left for the slope of a cell */
  assert_float_equal(chosen_cell(0.4f, 0.2f, 30), 0.4f / 3, 1e-6f); /* 0.1 / tan 30 degrees = 0.173 */
  assert_float_equal(chosen_cell(0, 0.4f, 45), 0.2f, 1e-6f);
}

/* A floor of 40 x 20 km: of 64 million columns each is sqrt(40000 * 20000 / 64e6) = 3.54 m wide. */
static void a_level_of_too_many_voxels_gets_larger_ones_and_a_note(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 40000, 20000);
  lw_bake_settings settings = lw_bake_settings_default();
  lw_bake_report report;
  lw_navmesh *navmesh;
  settings.tiles = (lw_tile_range){0, 1};
  settings.tile_size = 500;
  settings.openness_range = 0;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, &report, NULL), LW_OK);
  assert_float_equal(report.used.cell_size, 3.5355f, 1e-3f);
  assert_string_equal(report.note[0],
                      "cell_size 3.53553 m used instead of 0.2 m, to keep the grid within 64 million columns");
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
  /* Of 1.6 km squared 0.2 m is just few enough; of 2 km 0.25 m would be, and the whole radius is taken. */
  geometry = scene_floor(scene_table, 2000, 2000);
  settings.tile_size = 32;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, &report, NULL), LW_OK);
  assert_float_equal(report.used.cell_size, 0.4f, 1e-6f);
  assert_float_equal(report.used.agent_radius, 0.4f, 1e-6f);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

/* Two floors of 10 x 8 m, and a passage between walls 1.2 m apart: three times the radius, wherever the voxels lie. */
static void the_defaults_pass_a_gap_of_three_times_the_radius(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 20, 8);
  const lw_geometry_box walls[] = {{.at = {10, 0, 1.65f}, .size = {1, 3, 3.3f}, .area = LW_AREA_NONE},
                                   {.at = {10, 0, 6.25f}, .size = {1, 3, 3.5f}, .area = LW_AREA_NONE}};
  for (int i = 0; i < 2; i++) assert_int_equal(lw_geometry_add_box(geometry, &walls[i], NULL), LW_OK);
  lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
  assert_true(stands(navmesh, 10, 0, 3.9f));
  assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

/* --- results --- */

static void a_flat_floor_loses_the_radius_at_its_edges(void **state) {
  (void)state;
  const float side = 30;
  lw_geometry *geometry = scene_floor(scene_table, side, side);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 9;
  settings.cell_size = 0.2f;
  lw_bake_report report;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, &report);
  /* Recast takes the cell at a ledge too. */
  float lost = 2 * (report.used.agent_radius + settings.cell_size);
  lw_navmesh_stats stats = lw_navmesh_get_stats(navmesh);
  float max = (side - lost + 2 * settings.cell_size) * (side - lost + 2 * settings.cell_size);
  float min = (side - lost - 2 * settings.cell_size) * (side - lost - 2 * settings.cell_size);
  assert_in_range((int)stats.area, (int)min, (int)max);
  assert_int_equal(stats.islands, 1);
  assert_int_equal(stats.tiles, 16);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_box_on_the_floor_leaves_a_hole(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 20, 20);
  lw_geometry_box box = {.at = {10, 0, 10}, .size = {3, 3, 3}, .yaw = 0.3f, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
  assert_false(stands(navmesh, 10, 0, 10));
  assert_false(stands(navmesh, 10, 3, 10)); /* never walkable, on top neither */
  assert_false(stands(navmesh, 12, 0, 10));
  assert_true(stands(navmesh, 14, 0, 10));
  assert_true(stands(navmesh, 10, 0, 6));
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

/* A slab of 4 m2 over the corner where four tiles meet, and one of 25 m2: Recast keeps pieces at tiles'
   borders. */
static void islands_smaller_than_asked_for_are_left_out_across_tiles(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 40, 40);
  scene_add_floor(geometry, lwi_vec3(19, 5, 19), 2, 2, SCENE_ROAD);
  scene_add_floor(geometry, lwi_vec3(4, 5, 17.5f), 5, 5, SCENE_ROAD);
  lw_bake_settings settings = no_radius();
  settings.tile_size = 20;
  settings.cell_size = 0.25f;
  lw_bake_report report;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, &report);
  assert_int_equal(report.islands_dropped, 0);
  assert_true(stands(navmesh, 20, 5, 20));
  int polygons = lw_navmesh_get_stats(navmesh).polygons;
  lw_navmesh_destroy(navmesh);
  settings.min_region_area = 10;
  navmesh = scene_bake(geometry, &settings, &report);
  assert_int_equal(report.islands_dropped, 1);
  assert_false(stands(navmesh, 20, 5, 20));
  assert_true(stands(navmesh, 6, 5, 20));
  assert_true(stands(navmesh, 20, 0, 30));
  assert_true(lw_navmesh_get_stats(navmesh).polygons < polygons);
  assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 2);
  lw_navmesh_destroy(navmesh);
  settings.min_region_area = 5000;
  assert_bake_fails(geometry, &settings, LW_EMPTY, "nothing to walk on");
  lw_geometry_destroy(geometry);
}

/* Bake one square with these corners, which nothing can walk on, and expect the end of the message. */
static void assert_unwalkable_square(const lw_vec3 corners[4], lw_area_id area, const char *end) {
  const int indices[] = {0, 1, 2, 0, 2, 3};
  const lw_geometry_mesh mesh = {
      .vertices = corners, .vertex_count = 4, .indices = indices, .triangle_count = 2, .area = area};
  lw_geometry *geometry = scene_geometry(scene_table);
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  const lw_bake_settings settings = lw_bake_settings_default();
  assert_bake_fails(geometry, &settings, LW_EMPTY, end);
  lw_geometry_destroy(geometry);
}

static void a_level_turned_wrongly_is_named(void **state) {
  (void)state;
  const lw_vec3 reversed[] = {{0, 0, 0}, {9, 0, 0}, {9, 0, 9}, {0, 0, 9}};
  const lw_vec3 z_up[] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}};
  assert_unwalkable_square(reversed, SCENE_GROUND, " m: 2 face down (is the winding reversed?)");
  assert_unwalkable_square(z_up, SCENE_GROUND, " m: 2 stand upright (is the file Z-up?)");
  assert_unwalkable_square(z_up, LW_AREA_NONE, "nothing to walk on: none of the 2 triangles");
  lw_geometry *geometry = scene_geometry(scene_table);
  const lw_geometry_box box = {.size = {0.2f, 0.2f, 0.2f}, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  const lw_bake_settings settings = lw_bake_settings_default();
  assert_bake_fails(geometry, &settings, LW_EMPTY, " m: 2 face down, 8 stand upright");
  lw_geometry_destroy(geometry);
}

static void without_height_samples_corners_keep_their_heights(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 20, 12);
  lw_geometry_ramp ramp = {.from = {8, 0, 6}, .to = {16, 2, 6}, .width = 6, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.detail_distance = 0;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  float height = -1;
  assert_int_equal(lw_navmesh_height(navmesh, (lw_vec3){12, 1, 6}, NULL, &height), LW_OK);
  assert_true(fabsf(height - 1) < 0.15f);
  assert_int_equal(lw_navmesh_height(navmesh, (lw_vec3){3, 0, 6}, NULL, &height), LW_OK);
  assert_true(fabsf(height) < 0.4f);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_ramp_is_walkable_up_to_the_slope(void **state) {
  (void)state;
  const struct {
    float degrees;
    bool walkable;
  } ramps[] = {{40, true}, {44.9f, true}, {45, true}, {50, false}};
  for (size_t i = 0; i < sizeof ramps / sizeof ramps[0]; ++i) {
    lw_geometry *geometry = scene_floor(scene_table, 10, 6);
    float rise = 8 * tanf(ramps[i].degrees * 3.14159265f / 180);
    lw_geometry_ramp ramp = {.from = {10, 0, 3}, .to = {18, rise, 3}, .width = 6, .area = SCENE_GROUND};
    assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
    lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
    assert_true(stands(navmesh, 5, 0, 3));
    assert_int_equal(stands(navmesh, 14, rise / 2, 3), ramps[i].walkable);
    assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
}

static void ground_that_is_never_walkable_stays_so(void **state) {
  (void)state;
  /* Level with the floor beside it, and a plate over the floor, lower than a step. */
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, lwi_vec3(0, 0, 0), 10, 20, SCENE_GROUND);
  scene_add_floor(geometry, lwi_vec3(10, 0, 0), 10, 20, LW_AREA_NONE);
  scene_add_floor(geometry, lwi_vec3(2, 0.25f, 2), 4, 4, LW_AREA_NONE);
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  assert_true(stands(navmesh, 5, 0, 15));
  assert_true(stands(navmesh, 9, 0, 15));
  assert_false(stands(navmesh, 10.5f, 0, 15));
  assert_false(stands(navmesh, 15, 0, 15));
  assert_false(stands(navmesh, 4, 0.25f, 4));
  assert_true(stands(navmesh, 4, 0, 7));
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_face_that_looks_down_is_a_ceiling(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_vec3 corners[3] = {{0, 5, 0}, {10, 5, 0}, {10, 5, 10}};
  int indices[3] = {0, 1, 2};
  lw_geometry_mesh mesh = {
      .vertices = corners, .vertex_count = 3, .indices = indices, .triangle_count = 1, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
  assert_false(stands(navmesh, 7, 5, 4));
  assert_true(stands(navmesh, 7, 0, 4));
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static lw_area_id area_at(const lw_navmesh *navmesh, lw_vec3 at) {
  lw_location location;
  lw_poly poly;
  assert_int_equal(lw_navmesh_nearest(navmesh, at, lwi_vec3(0.1f, 1, 0.1f), NULL, &location), LW_OK);
  assert_int_equal(lw_navmesh_get_poly(navmesh, location.poly, &poly), LW_OK);
  return poly.area;
}

static void areas_come_through_in_every_tile(void **state) {
  (void)state;
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, lwi_vec3(0, 0, 0), 60, 6, SCENE_GROUND);
  scene_add_floor(geometry, lwi_vec3(0, 0, 6), 60, 6, SCENE_ROAD);
  lw_bake_settings settings = no_radius();
  settings.tile_size = 7;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  for (float x = 1; x < 59; x += 3) {
    assert_int_equal(area_at(navmesh, lwi_vec3(x, 0, 3)), SCENE_GROUND);
    assert_int_equal(area_at(navmesh, lwi_vec3(x, 0, 9)), SCENE_ROAD);
  }
  assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void more_than_62_areas_in_a_tile_are_refused_and_fit_in_smaller_tiles(void **state) {
  (void)state;
  lw_area_table *table = scene_numbered_areas(63);
  lw_geometry *geometry = scene_geometry(table);
  for (int i = 0; i < 63; ++i) {
    lw_area_id id = (lw_area_id)(i + 1);
    scene_add_floor(geometry, lwi_vec3((float)i, 0, 0), 1, 4, id);
  }
  lw_bake_settings settings = no_radius();
  settings.tile_size = 100;
  assert_bake_fails(geometry, &settings, LW_LIMIT, "tile (0, 0) has more than 62 areas");
  settings.tile_size = 16;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(area_at(navmesh, lwi_vec3(62.5f, 0, 2)), 63);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

static void only_what_lies_in_the_bounds_is_baked(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 40, 40);
  scene_add_floor(geometry, lwi_vec3(0, 6, 0), 40, 40, SCENE_GROUND);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.bounds = (lw_box){{10, -1, 10}, {30.1f, 2, 20}};
  settings.cell_size = 0.3f;
  settings.tile_size = 6;
  lw_bake_report report;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, &report);
  lw_box box = lw_navmesh_bounds(navmesh);
  assert_true(box.min.x >= 10 && box.min.z >= 10 && box.max.x <= 30.1f && box.max.z <= 20);
  assert_float_equal(lw_navmesh_get_stats(navmesh).area, 20.1f * 9.9f, 0.5f); /* the ground goes on outside */
  assert_true(stands(navmesh, 20, 0, 15));
  assert_false(stands(navmesh, 20, 6, 15));
  lw_navmesh_destroy(navmesh);
  settings.bounds.min.x = 50;
  settings.bounds.max.x = 60;
  assert_bake_fails(geometry, &settings, LW_EMPTY, "bounds along x is 50..60, expected a part of the geometry");
  lw_geometry_destroy(geometry);
}

static void a_tile_too_high_for_its_voxels_names_cell_height(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  scene_add_floor(geometry, lwi_vec3(0, 900, 0), 10, 10, SCENE_GROUND);
  lw_bake_settings settings = lw_bake_settings_default();
  assert_bake_fails(geometry, &settings, LW_LIMIT, "raise cell_height to 0.11 m or narrow bounds");
  settings.cell_height = 0.11f;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  assert_true(stands(navmesh, 5, 900, 5));
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_level_without_walkable_ground_is_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = scene_geometry(scene_table);
  assert_bake_fails(geometry, NULL, LW_EMPTY, "geometry is empty, expected at least one triangle");
  scene_add_floor(geometry, lwi_vec3(0, 0, 0), 10, 10, LW_AREA_NONE);
  assert_bake_fails(geometry, NULL, LW_EMPTY, "none of the 2 triangles is of a walkable area");
  lw_geometry_destroy(geometry);
}

typedef struct watch {
  int calls, last, total, stop_at;
} watch;

static bool watch_progress(void *user, int done, int total) {
  watch *seen = user;
  assert_int_equal(done, seen->last + 1);
  seen->calls += 1;
  seen->last = done;
  seen->total = total;
  return done != seen->stop_at;
}

static void progress_is_reported_tile_by_tile_and_may_cancel(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 20, 20);
  lw_bake_settings settings = lw_bake_settings_default();
  watch seen = {0};
  settings.tile_size = 6;
  settings.progress.report = watch_progress;
  settings.progress.user = &seen;
  lw_navmesh_destroy(scene_bake(geometry, &settings, NULL));
  assert_int_equal(seen.calls, 16);
  assert_int_equal(seen.total, 16);
  seen = (watch){.stop_at = 5};
  assert_bake_fails(geometry, &settings, LW_CANCELLED, "the bake was cancelled after tile 5 of 16");
  assert_int_equal(seen.calls, 5);
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settings_off_the_grid_are_rounded_up_and_noted),
      cmocka_unit_test(tiles_too_small_to_keep_any_ground_are_made_larger_and_noted),
      cmocka_unit_test(a_climb_too_low_for_the_slope_is_noted),
      cmocka_unit_test(climb_eight_tenths_is_eight_cells_of_a_tenth),
      cmocka_unit_test(a_step_as_high_as_the_climb_is_taken_and_a_higher_one_is_not),
      cmocka_unit_test(bad_settings_are_refused_by_name),
      cmocka_unit_test(without_a_cell_size_agents_keep_their_radius_and_nothing_is_noted),
      cmocka_unit_test(a_level_of_too_many_voxels_gets_larger_ones_and_a_note),
      cmocka_unit_test(the_defaults_pass_a_gap_of_three_times_the_radius),
      cmocka_unit_test(a_flat_floor_loses_the_radius_at_its_edges),
      cmocka_unit_test(a_box_on_the_floor_leaves_a_hole),
      cmocka_unit_test(islands_smaller_than_asked_for_are_left_out_across_tiles),
      cmocka_unit_test(a_level_turned_wrongly_is_named),
      cmocka_unit_test(without_height_samples_corners_keep_their_heights),
      cmocka_unit_test(a_ramp_is_walkable_up_to_the_slope),
      cmocka_unit_test(ground_that_is_never_walkable_stays_so),
      cmocka_unit_test(a_face_that_looks_down_is_a_ceiling),
      cmocka_unit_test(areas_come_through_in_every_tile),
      cmocka_unit_test(more_than_62_areas_in_a_tile_are_refused_and_fit_in_smaller_tiles),
      cmocka_unit_test(only_what_lies_in_the_bounds_is_baked),
      cmocka_unit_test(a_tile_too_high_for_its_voxels_names_cell_height),
      cmocka_unit_test(a_level_without_walkable_ground_is_refused_by_name),
      cmocka_unit_test(progress_is_reported_tile_by_tile_and_may_cancel),
  };
  return cmocka_run_group_tests_name("bake", tests, scene_open, scene_close);
}
