/* How good the heights of a baked mesh are: against the triangles that it was baked from. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "levels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* Ground further away than this is another floor. [m] */
#define GAP 1.0
/* Points in each triangle of a polygon's fan. */
#define SAMPLES 10

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  lw_error error = {0};
  return level_areas(&areas, &error) == LW_OK ? 0 : -1;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

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
  double area, above_area; /* that the samples stand for, and those further off than allowed [m2] */
  int above;               /* samples further off than allowed... */
  int gaps; /* ...and among them, those where the level has a crack narrower than a cell: the ground is far below */
  int count;
  lw_vec3 where;
} deviation;

/* Random points in every polygon, against the triangles they were baked from. */
static deviation measure_heights(const lw_navmesh *navmesh, const lw_geometry *geometry, double allowed) {
  deviation result = {0};
  lw_random random = lwi_random_make(42, 0);
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    lw_vec3 c[16];
    int count = lw_navmesh_poly_corners(navmesh, id, c, 16);
    for (int s = 0; s < SAMPLES * (count - 2); ++s) {
      int k = 2 + s / SAMPLES;
      float u = lwi_random_unit(&random), v = lwi_random_unit(&random);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const double area = fabs(lwi_turn(c[0], c[k - 1], c[k])) / 2 / SAMPLES;
      lw_vec3 p =
          lwi_add(c[0], lwi_add(lwi_scale(lwi_sub(c[k - 1], c[0]), u), lwi_scale(lwi_sub(c[k], c[0]), v)));
      if (lw_navmesh_height(navmesh, p, NULL, &p.y)) continue;
      double off = distance_to_ground(geometry, p);
      if (!isfinite(off)) continue;
      result.count += 1;
      result.area += area;
      result.above += off > allowed;
      if (off > allowed) result.above_area += area;
      result.gaps += off > GAP;
      if (off > GAP) continue;
      result.mean += off;
      if (off > result.worst) result.worst = off, result.where = p;
    }
  }
  result.mean /= result.count > 0 ? result.count : 1;
  return result;
}

static void heights_on_a_slope_are_the_slopes_own(void **state) {
  (void)state;
  lw_geometry *geometry = scene_geometry(areas);
  lw_geometry_ramp ramp = {.from = {0, 0, 0}, .to = {30, 24, 11}, .width = 20, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 5;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
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
    lw_geometry *geometry = scene_geometry(areas);
    lw_vec3 at = far ? lwi_vec3(5000, 300, -7000) : lwi_vec3(0, 0, 0);
    scene_add_floor(geometry, at, 50, 50, SCENE_GROUND);
    for (int i = 0; i < 12; ++i) {
      lw_geometry_box box = {.at = lwi_add(at, lwi_vec3((float)(4 * i) + 2, 0, (float)((i * 13) % 40) + 4)),
                             .size = {2, 2, 3},
                             .area = LW_AREA_NONE};
      assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
    }
    lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
    stats[far] = lw_navmesh_get_stats(navmesh);
    assert_true(measure_heights(navmesh, geometry, 0.01).worst < 0.001);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
  assert_int_equal(stats[0].polygons, stats[1].polygons);
  assert_int_equal(stats[0].portals, stats[1].portals);
  assert_float_equal(stats[0].area, stats[1].area, 0.05f);
}

/* --- real levels ---------------------------------------------------------------------------------------------- */

/* Where the floor has steps the surface leads over them like a ramp, so a few heights are off by more than the
   settings say; `share` is the part of the ground on which they may be. Polygons are small where there are steps. */
typedef struct level_share {
  const char *name;
  double share;
} level_share;

static void heights_are_good_to_the_settings(void **state) {
  const level_share *level = *state;
  lw_geometry *geometry = NULL;
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  char missing[512];
  lw_status status = level_geometry(level->name, areas, &geometry, &error);
  if (status == LW_FILE) {
    level_missing(level->name, missing, sizeof missing);
    printf("skipped: %s\n", missing);
    skip();
  }
  if (status != LW_OK) fail_msg("%s", error.text);
  if (level_navmesh(level->name, areas, &navmesh, &error) != LW_OK) fail_msg("%s", error.text);
  lw_bake_settings settings = level_settings();
  deviation off = measure_heights(navmesh, geometry, (double)(settings.detail_error + settings.cell_height));
  printf("note: %s: %d heights off by %.3f m in the mean; %d, on %.4f of the ground, by more than %.2f m, "
         "worst %.2f m; %d "
         "over cracks\n",
         level->name, off.count, off.mean, off.above, off.above_area / off.area,
         (double)(settings.detail_error + settings.cell_height), off.worst, off.gaps);
  assert_true(off.count > 100);
  assert_true(off.mean < 0.06);
  assert_true(off.above_area <= level->share * off.area);
  assert_true(off.gaps <= 0.005 * off.count);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

int main(void) {
  static level_share shares[] = {
      {"recast_nav_test", 0.02}, {"recast_undulating", 0.03}, {"recast_dungeon", 0.02},
      {"fd1_e1m1", 0.03},        {"fd2_map01", 0.08},         {"oa_aggressor", 0.05},
      {"oa_kaos2", 0.03},        {"oa_wrackdm17", 0.03},      {"wz_highground", 0.005},
  };
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heights_on_a_slope_are_the_slopes_own),
      cmocka_unit_test(a_level_far_from_the_origin_bakes_as_at_the_origin),
      {"recast_nav_test_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL,
       &shares[0]},
      {"recast_undulating_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL,
       &shares[1]},
      {"recast_dungeon_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL,
       &shares[2]},
      {"fd1_e1m1_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL, &shares[3]},
      {"fd2_map01_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL, &shares[4]},
      {"oa_aggressor_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL,
       &shares[5]},
      {"oa_kaos2_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL, &shares[6]},
      {"oa_wrackdm17_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL,
       &shares[7]},
      {"wz_highground_has_heights_good_to_the_settings", heights_are_good_to_the_settings, NULL, NULL,
       &shares[8]},
  };
  return cmocka_run_group_tests_name("bake_heights", tests, make_areas, drop_areas);
}
