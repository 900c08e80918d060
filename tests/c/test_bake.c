#include "leeward/bake.h"

#include "core/clock.h"
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

#define GROUND 1
#define ROAD 2

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  if (lw_area_table_create(NULL, &areas)) return -1;
  lw_area_def def = lw_area_def_default();
  for (int i = 0; i < 2; ++i) {
    def.name = i == 0 ? "ground" : "road";
    if (lw_area_table_set(areas, &def, NULL, NULL)) return -1;
  }
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static lw_geometry *empty_geometry(void) {
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  return geometry;
}

/* A level rectangle of two triangles. */
static void add_floor(lw_geometry *geometry, lw_vec3 min, float width, float depth, lw_area_id area) {
  lw_vec3 corners[4] = {lwi_vec3(min.x, min.y, min.z + depth), lwi_vec3(min.x + width, min.y, min.z + depth),
                        lwi_vec3(min.x + width, min.y, min.z), min};
  int indices[6] = {0, 1, 2, 0, 2, 3};
  lw_geometry_mesh mesh = {corners, 4, indices, 2, area, NULL};
  lw_error error = {0};
  if (lw_geometry_add_mesh(geometry, &mesh, &error)) fail_msg("%s", error.text);
}

static lw_geometry *floor_of(float width, float depth) {
  lw_geometry *geometry = empty_geometry();
  add_floor(geometry, lwi_vec3(0, 0, 0), width, depth, GROUND);
  return geometry;
}

static lw_navmesh *bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_bake_report *report) {
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  if (lw_bake(geometry, settings, &navmesh, report, &error)) fail_msg("%s", error.text);
  if (lw_navmesh_validate(navmesh, &error)) fail_msg("%s", error.text);
  return navmesh;
}

/* Nothing is eroded, so that areas can be told to within cells. */
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
  assert_int_equal(lw_bake(geometry, settings, &navmesh, NULL, &error), status);
  assert_null(navmesh);
  assert_int_equal(error.status, status);
  if (!strstr(error.text, text)) fail_msg("'%s' is not in '%s'", text, error.text);
}

/* --- settings --- */

static void settings_off_the_grid_are_rounded_up_and_noted(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_height = 0.2f;
  settings.agent_climb = 0.75f;
  settings.agent_height = 1.8f;
  settings.agent_radius = 0.4f;
  settings.cell_size = 0.2f;
  settings.tile_size = 4;
  lw_bake_report report;
  lw_navmesh_destroy(bake(geometry, &settings, &report));
  assert_int_equal(report.notes, 1);
  assert_string_equal(report.note[0], "agent_climb 0.75 m is not a multiple of cell_height 0.2 m: 0.8 m used");
  assert_float_equal(report.used.agent_climb, 0.8f, 1e-6f);
  assert_float_equal(report.used.agent_height, 1.8f, 1e-6f);
  assert_int_equal(report.tiles, 9);
  lw_geometry_destroy(geometry);
}

static void a_climb_too_low_for_the_slope_is_noted(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_climb = 0.2f;
  settings.agent_radius = 0.6f;
  settings.agent_height = 1.8f;
  settings.tile_size = 30;
  lw_bake_report report;
  lw_navmesh_destroy(bake(geometry, &settings, &report));
  assert_int_equal(report.notes, 1);
  assert_string_equal(report.note[0],
                      "agent_climb 0.2 m at cell_size 0.3 m lets slopes up to 18 of agent_slope 45 "
                      "degrees pass");
  lw_geometry_destroy(geometry);
}

static void climb_eight_tenths_is_eight_cells_of_a_tenth(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_climb = 0.8f;
  settings.agent_height = 1.8f;
  settings.agent_radius = 0.6f;
  settings.tile_size = 30;
  lw_bake_report report;
  lw_navmesh_destroy(bake(geometry, &settings, &report));
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
      lw_geometry *geometry = empty_geometry();
      add_floor(geometry, lwi_vec3(0, bases[i], 0), 6, 6, GROUND);
      add_floor(geometry, lwi_vec3(6, bases[i] + (high ? 1.0f : 0.8f), 0), 6, 6, GROUND);
      lw_bake_settings settings = lw_bake_settings_default();
      settings.agent_climb = 0.8f;
      lw_navmesh *navmesh = bake(geometry, &settings, NULL);
      assert_int_equal(lw_navmesh_get_stats(navmesh).islands, high ? 2 : 1);
      lw_navmesh_destroy(navmesh);
      lw_geometry_destroy(geometry);
    }
}

static void bad_settings_are_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(10, 10);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0;
  assert_bake_fails(geometry, &settings, LW_INVALID, "cell_size must be a number > 0 and <= 1e+06 m, got 0");
  settings = lw_bake_settings_default();
  settings.agent_slope = 91;
  assert_bake_fails(geometry, &settings, LW_INVALID,
                    "agent_slope must be a number >= 0 and <= 90 degrees, got 91");
  settings = lw_bake_settings_default();
  settings.agent_climb = NAN;
  assert_bake_fails(geometry, &settings, LW_INVALID, "agent_climb must be a number >= 0");
  settings = lw_bake_settings_default();
  settings.detail_error = INFINITY;
  assert_bake_fails(geometry, &settings, LW_INVALID, "detail_error must be a number >= 0");
  settings = lw_bake_settings_default();
  settings.bounds = (lw_box){{0, 0, 0}, {5, NAN, 5}};
  assert_bake_fails(geometry, &settings, LW_INVALID, "bounds must be finite");
  settings = lw_bake_settings_default();
  settings.agent_height = 40;
  assert_bake_fails(geometry, &settings, LW_LIMIT, "raise cell_height to 0.158 m or more");
  settings = lw_bake_settings_default();
  settings.tile_size = 2000;
  assert_bake_fails(geometry, &settings, LW_LIMIT, "tile_size 2000 m is 6667 cells");
  settings.cookie = 0;
  assert_bake_fails(geometry, &settings, LW_INVALID, "lw_bake_settings_default()");
  lw_geometry_destroy(geometry);
}

/* --- what comes out --- */

static void a_flat_floor_loses_the_radius_at_its_edges(void **state) {
  (void)state;
  const float side = 30;
  lw_geometry *geometry = floor_of(side, side);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 9;
  lw_bake_report report;
  lw_navmesh *navmesh = bake(geometry, &settings, &report);
  /* Recast takes the cell at a ledge too. */
  float lost = 2 * (report.used.agent_radius + settings.cell_size);
  lw_navmesh_stats stats = lw_navmesh_get_stats(navmesh);
  float most = (side - lost + 2 * settings.cell_size) * (side - lost + 2 * settings.cell_size);
  float least = (side - lost - 2 * settings.cell_size) * (side - lost - 2 * settings.cell_size);
  assert_in_range((int)stats.area, (int)least, (int)most);
  assert_int_equal(stats.islands, 1);
  assert_int_equal(stats.tiles, 16);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_box_on_the_floor_leaves_a_hole(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(20, 20);
  lw_geometry_box box = {.at = {10, 0, 10}, .size = {3, 3, 3}, .yaw = 0.3f, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  lw_navmesh *navmesh = bake(geometry, NULL, NULL);
  assert_false(stands(navmesh, 10, 0, 10));
  assert_false(stands(navmesh, 10, 3, 10)); /* never walkable, on top neither */
  assert_false(stands(navmesh, 12, 0, 10));
  assert_true(stands(navmesh, 14, 0, 10));
  assert_true(stands(navmesh, 10, 0, 6));
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
    lw_geometry *geometry = floor_of(10, 6);
    float rise = 8 * tanf(ramps[i].degrees * 3.14159265f / 180);
    lw_geometry_ramp ramp = {{10, 0, 3}, {18, rise, 3}, 6, 0, GROUND};
    assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
    lw_navmesh *navmesh = bake(geometry, NULL, NULL);
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
  lw_geometry *geometry = empty_geometry();
  add_floor(geometry, lwi_vec3(0, 0, 0), 10, 20, GROUND);
  add_floor(geometry, lwi_vec3(10, 0, 0), 10, 20, LW_AREA_NONE);
  add_floor(geometry, lwi_vec3(2, 0.25f, 2), 4, 4, LW_AREA_NONE);
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = bake(geometry, &settings, NULL);
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
  lw_geometry *geometry = floor_of(10, 10);
  lw_vec3 corners[3] = {{0, 5, 0}, {10, 5, 0}, {10, 5, 10}};
  int indices[3] = {0, 1, 2};
  lw_geometry_mesh mesh = {corners, 3, indices, 1, GROUND, NULL};
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  lw_navmesh *navmesh = bake(geometry, NULL, NULL);
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
  lw_geometry *geometry = empty_geometry();
  add_floor(geometry, lwi_vec3(0, 0, 0), 60, 6, GROUND);
  add_floor(geometry, lwi_vec3(0, 0, 6), 60, 6, ROAD);
  lw_bake_settings settings = no_radius();
  settings.tile_size = 7;
  lw_navmesh *navmesh = bake(geometry, &settings, NULL);
  for (float x = 1; x < 59; x += 3) {
    assert_int_equal(area_at(navmesh, lwi_vec3(x, 0, 3)), GROUND);
    assert_int_equal(area_at(navmesh, lwi_vec3(x, 0, 9)), ROAD);
  }
  assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void more_than_62_areas_in_a_tile_are_refused_and_fit_in_smaller_tiles(void **state) {
  (void)state;
  lw_area_table *table = NULL;
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_area_table_create(NULL, &table), LW_OK);
  assert_int_equal(lw_geometry_create(table, NULL, &geometry), LW_OK);
  for (int i = 0; i < 63; ++i) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    lw_area_def def = lw_area_def_default();
    def.name = name;
    lw_area_id id;
    assert_int_equal(lw_area_table_set(table, &def, &id, NULL), LW_OK);
    add_floor(geometry, lwi_vec3((float)i, 0, 0), 1, 4, id);
  }
  lw_bake_settings settings = no_radius();
  settings.tile_size = 100;
  assert_bake_fails(geometry, &settings, LW_LIMIT, "tile (0, 0) has more than 62 areas");
  settings.tile_size = 16;
  lw_navmesh *navmesh = bake(geometry, &settings, NULL);
  assert_int_equal(area_at(navmesh, lwi_vec3(62.5f, 0, 2)), 63);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

static void only_what_lies_in_the_bounds_is_baked(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(40, 40);
  add_floor(geometry, lwi_vec3(0, 6, 0), 40, 40, GROUND);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.bounds = (lw_box){{10, -1, 10}, {30.1f, 2, 20}};
  settings.tile_size = 6;
  lw_bake_report report;
  lw_navmesh *navmesh = bake(geometry, &settings, &report);
  lw_box box = lw_navmesh_bounds(navmesh);
  assert_true(box.min.x >= 10 && box.min.z >= 10 && box.max.x <= 30.1f && box.max.z <= 20);
  assert_float_equal(lw_navmesh_get_stats(navmesh).area, 20.1f * 9.9f, 0.5f); /* the ground goes on outside */
  assert_true(stands(navmesh, 20, 0, 15));
  assert_false(stands(navmesh, 20, 6, 15));
  lw_navmesh_destroy(navmesh);
  settings.bounds.min.x = 50;
  settings.bounds.max.x = 60;
  assert_bake_fails(geometry, &settings, LW_EMPTY, "bounds 50..60 along x lie outside the geometry");
  lw_geometry_destroy(geometry);
}

static void a_tile_too_high_for_its_voxels_names_cell_height(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(10, 10);
  add_floor(geometry, lwi_vec3(0, 900, 0), 10, 10, GROUND);
  lw_bake_settings settings = lw_bake_settings_default();
  assert_bake_fails(geometry, &settings, LW_LIMIT, "raise cell_height to 0.11 m or narrow bounds");
  settings.cell_height = 0.11f;
  lw_navmesh *navmesh = bake(geometry, &settings, NULL);
  assert_true(stands(navmesh, 5, 900, 5));
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void nothing_to_walk_on_is_said(void **state) {
  (void)state;
  lw_geometry *geometry = empty_geometry();
  assert_bake_fails(geometry, NULL, LW_EMPTY, "the geometry has no triangles");
  add_floor(geometry, lwi_vec3(0, 0, 0), 10, 10, LW_AREA_NONE);
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

static void progress_is_told_tile_by_tile_and_may_cancel(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(20, 20);
  lw_bake_settings settings = lw_bake_settings_default();
  watch seen = {0};
  settings.tile_size = 6;
  settings.progress = watch_progress;
  settings.user = &seen;
  lw_navmesh_destroy(bake(geometry, &settings, NULL));
  assert_int_equal(seen.calls, 16);
  assert_int_equal(seen.total, 16);
  seen = (watch){.stop_at = 5};
  assert_bake_fails(geometry, &settings, LW_CANCELLED, "the bake was cancelled after tile 5 of 16");
  assert_int_equal(seen.calls, 5);
  lw_geometry_destroy(geometry);
}

typedef struct failing {
  int calls_left;
  size_t held;
} failing;

static void *failing_resize(void *user, void *block, size_t old_size, size_t size) {
  failing *state = user;
  if (size > 0 && state->calls_left-- <= 0) return NULL;
  state->held += size - (block ? old_size : 0);
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  lw_geometry *geometry = floor_of(12, 12);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 7;
  int calls = 0;
  for (bool done = false; !done; ++calls) {
    failing memory = {.calls_left = calls};
    lw_allocator allocator = {failing_resize, &memory};
    settings.allocator = &allocator;
    lw_navmesh *navmesh = NULL;
    lw_status status = lw_bake(geometry, &settings, &navmesh, NULL, NULL);
    done = status == LW_OK;
    if (!done) assert_int_equal(status, LW_OUT_OF_MEMORY);
    lw_navmesh_destroy(navmesh);
    assert_int_equal(memory.held, 0);
  }
  assert_true(calls > 20);
  lw_geometry_destroy(geometry);
}

/* --- heights --- */

static bool triangle_height(const lw_vec3 t[3], double x, double z, double *height) {
  double abx = (double)t[1].x - t[0].x, abz = (double)t[1].z - t[0].z;
  double acx = (double)t[2].x - t[0].x, acz = (double)t[2].z - t[0].z;
  double area = abz * acx - abx * acz, px = x - t[0].x, pz = z - t[0].z;
  if (area <= 0) return false;
  double u = (pz * acx - px * acz) / area, v = (abz * px - abx * pz) / area;
  if (u < -1e-6 || v < -1e-6 || u + v > 1 + 1e-6) return false;
  *height = t[0].y + u * ((double)t[1].y - t[0].y) + v * ((double)t[2].y - t[0].y);
  return true;
}

/* How far `y` is from the nearest ground at (x, z), by looking at every triangle. */
static double distance_to_ground(const lw_geometry *geometry, lw_vec3 p) {
  const int *indices = lw_geometry_indices(geometry);
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  double best = INFINITY;
  for (int i = 0; i < lw_geometry_triangle_count(geometry); ++i) {
    lw_vec3 t[3] = {vertices[indices[3 * i]], vertices[indices[3 * i + 1]], vertices[indices[3 * i + 2]]};
    double height;
    if (triangle_height(t, p.x, p.z, &height)) best = fmin(best, fabs(height - p.y));
  }
  return best;
}

typedef struct deviation {
  double mean, worst;
  int above; /* samples further off than allowed */
  int count;
  lw_vec3 where;
} deviation;

/* Random points, one in every `1/share` polygons' triangles, against the triangles they were baked from. */
static deviation measure_heights(const lw_navmesh *navmesh, const lw_geometry *geometry, double allowed) {
  deviation result = {0};
  lwi_random random = lwi_random_make(42, 0);
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    lw_vec3 c[16];
    int count = lw_navmesh_poly_corners(navmesh, id, c, 16);
    for (int k = 2; k < count; ++k) {
      float u = lwi_random_unit(&random), v = lwi_random_unit(&random);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      lw_vec3 p =
          lwi_add(c[0], lwi_add(lwi_scale(lwi_sub(c[k - 1], c[0]), u), lwi_scale(lwi_sub(c[k], c[0]), v)));
      if (lw_navmesh_height(navmesh, p, NULL, &p.y)) continue;
      double off = distance_to_ground(geometry, p);
      if (!isfinite(off)) continue;
      result.mean += off;
      result.count += 1;
      result.above += off > allowed;
      if (off > result.worst) result.worst = off, result.where = p;
    }
  }
  result.mean /= result.count > 0 ? result.count : 1;
  return result;
}

static void heights_on_a_slope_are_the_slopes_own(void **state) {
  (void)state;
  lw_geometry *geometry = empty_geometry();
  lw_geometry_ramp ramp = {{0, 0, 0}, {30, 24, 11}, 20, 0, GROUND};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 5;
  lw_navmesh *navmesh = bake(geometry, &settings, NULL);
  deviation off = measure_heights(navmesh, geometry, 0.01);
  print_message("slope: %d heights, mean %.4f m, worst %.4f m\n", off.count, off.mean, off.worst);
  assert_true(off.count > 20);
  assert_true(off.worst < 0.01);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_level_far_from_the_origin_bakes_as_at_the_origin(void **state) {
  (void)state;
  lw_navmesh_stats stats[2];
  for (int far = 0; far < 2; ++far) {
    lw_geometry *geometry = empty_geometry();
    lw_vec3 at = far ? lwi_vec3(5000, 300, -7000) : lwi_vec3(0, 0, 0);
    add_floor(geometry, at, 50, 50, GROUND);
    for (int i = 0; i < 12; ++i) {
      lw_geometry_box box = {.at = lwi_add(at, lwi_vec3((float)(4 * i) + 2, 0, (float)((i * 13) % 40) + 4)),
                             .size = {2, 2, 3},
                             .area = LW_AREA_NONE};
      assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
    }
    lw_navmesh *navmesh = bake(geometry, NULL, NULL);
    stats[far] = lw_navmesh_get_stats(navmesh);
    assert_true(measure_heights(navmesh, geometry, 0.01).worst < 0.001);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
  assert_int_equal(stats[0].polygons, stats[1].polygons);
  assert_int_equal(stats[0].portals, stats[1].portals);
  assert_float_equal(stats[0].area, stats[1].area, 0.05f);
}

/* --- real levels --- */

static lw_material_rule level_rule(void *user, const char *name) {
  (void)user;
  static const char *const never[] = {"ceiling", "wall", "sky", "block_line", "solid_inclip", "terrain_cliff"};
  if (strncmp(name, "liquid_", 7) == 0) return (lw_material_rule){.ignored = true};
  for (size_t i = 0; i < sizeof never / sizeof never[0]; ++i)
    if (strcmp(name, never[i]) == 0) return (lw_material_rule){.area = LW_AREA_NONE};
  return (lw_material_rule){.area = strcmp(name, "terrain_road") == 0 ? ROAD : GROUND};
}

/* NULL, and the test is skipped, where the levels are not there. */
static lw_geometry *load_level(const char *name) {
  const char *folder = getenv("LEEWARD_SHARED");
  char file[512];
  snprintf(file, sizeof file, "%s/levels/%s.obj", folder ? folder : "../shared", name);
  lw_geometry *geometry = empty_geometry();
  lw_geometry_import import = {.rule = level_rule};
  lw_error error = {0};
  lw_status status = lw_geometry_load(geometry, file, &import, &error);
  if (status == LW_OK) return geometry;
  lw_geometry_destroy(geometry);
  if (status != LW_FILE) fail_msg("%s", error.text);
  print_message("skipped: %s (set LEEWARD_SHARED)\n", error.text);
  skip();
  return NULL;
}

static lw_bake_settings level_settings(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_climb = 0.8f;
  return settings;
}

/* Where the floor has steps the surface leads over them like a ramp, so a few heights are off by more than the
   settings say; `share` is how many may be. */
static void bake_level(const char *name, double share) {
  lw_geometry *geometry = load_level(name);
  if (!geometry) return;
  lw_bake_settings settings = level_settings();
  lw_bake_report report;
  double began = lwi_clock();
  lw_navmesh *navmesh = bake(geometry, &settings, &report);
  double seconds = lwi_clock() - began;
  lw_navmesh_stats stats = lw_navmesh_get_stats(navmesh);
  deviation off = measure_heights(navmesh, geometry, (double)(settings.detail_error + settings.cell_height));
  print_message(
      "%-18s %5d polygons %6d portals %4d islands %7.0f m2 %3d/%3d tiles %6.3f s; heights: mean %.3f, "
      "worst %.3f m at %.2f %.2f %.2f, %d of %d off\n",
      name, stats.polygons, stats.portals, stats.islands, (double)stats.area, report.tiles - report.tiles_empty,
      report.tiles, seconds, off.mean, off.worst, (double)off.where.x, (double)off.where.y, (double)off.where.z,
      off.above, off.count);
  for (int i = 0; i < report.notes; ++i) print_message("  %s\n", report.note[i]);
  assert_true(stats.polygons > 50);
  assert_true(off.mean < 0.06);
  assert_true(off.above <= share * off.count);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

#define LEVEL_TEST(name, share)                                                                                \
  static void name##_bakes(void **state) {                                                                     \
    (void)state;                                                                                               \
    bake_level(#name, share);                                                                                  \
  }
LEVEL_TEST(recast_nav_test, 0.02)
LEVEL_TEST(recast_undulating, 0.01)
LEVEL_TEST(recast_dungeon, 0.02)
LEVEL_TEST(fd1_e1m1, 0.03)
LEVEL_TEST(fd2_map01, 0.08)
LEVEL_TEST(oa_aggressor, 0.05)
LEVEL_TEST(oa_kaos2, 0.03)
LEVEL_TEST(oa_wrackdm17, 0.03)
LEVEL_TEST(wz_highground, 0.005)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settings_off_the_grid_are_rounded_up_and_noted),
      cmocka_unit_test(a_climb_too_low_for_the_slope_is_noted),
      cmocka_unit_test(climb_eight_tenths_is_eight_cells_of_a_tenth),
      cmocka_unit_test(a_step_as_high_as_the_climb_is_taken_and_a_higher_one_is_not),
      cmocka_unit_test(bad_settings_are_refused_by_name),
      cmocka_unit_test(a_flat_floor_loses_the_radius_at_its_edges),
      cmocka_unit_test(a_box_on_the_floor_leaves_a_hole),
      cmocka_unit_test(a_ramp_is_walkable_up_to_the_slope),
      cmocka_unit_test(ground_that_is_never_walkable_stays_so),
      cmocka_unit_test(a_face_that_looks_down_is_a_ceiling),
      cmocka_unit_test(areas_come_through_in_every_tile),
      cmocka_unit_test(more_than_62_areas_in_a_tile_are_refused_and_fit_in_smaller_tiles),
      cmocka_unit_test(only_what_lies_in_the_bounds_is_baked),
      cmocka_unit_test(a_tile_too_high_for_its_voxels_names_cell_height),
      cmocka_unit_test(nothing_to_walk_on_is_said),
      cmocka_unit_test(progress_is_told_tile_by_tile_and_may_cancel),
      cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
      cmocka_unit_test(heights_on_a_slope_are_the_slopes_own),
      cmocka_unit_test(a_level_far_from_the_origin_bakes_as_at_the_origin),
      cmocka_unit_test(recast_nav_test_bakes),
      cmocka_unit_test(recast_undulating_bakes),
      cmocka_unit_test(recast_dungeon_bakes),
      cmocka_unit_test(fd1_e1m1_bakes),
      cmocka_unit_test(fd2_map01_bakes),
      cmocka_unit_test(oa_aggressor_bakes),
      cmocka_unit_test(oa_kaos2_bakes),
      cmocka_unit_test(oa_wrackdm17_bakes),
      cmocka_unit_test(wz_highground_bakes),
  };
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
