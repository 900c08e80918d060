/* Reachable ground: polygons around a place, and the area within a cost. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"
#include "query/disc_polygon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20240703

static lw_area_table *areas;

static int setup(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "mud"};
  areas = support_areas(names, 2);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static lw_world *make_world(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

#define SIDE 16
/* A random map: `holes` of a hundred squares are holes, the others ground, some of them mud. */
static lw_navmesh *random_map(lw_random *random, float holes, float mud, float size) {
  static char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) {
      float draw = lwi_random_unit(random);
      text[z][x] = draw < holes ? '#' : draw < holes + mud ? '2' : '1';
    }
    text[z][SIDE] = 0;
    rows[z] = text[z];
  }
  text[0][0] = '1';
  return support_grid(areas, rows, SIDE, size);
}

static lw_location random_place(const lw_navmesh *mesh, lw_random *random) {
  uint32_t index = (uint32_t)(lwi_random_unit(random) * (float)mesh->polygons.count);
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, 0), b = lwi_corner(&polygon, 2);
  lw_vec3 point = {a.x + (b.x - a.x) * lwi_random_unit(random), 0, a.z + (b.z - a.z) * lwi_random_unit(random)};
  point.y = lwi_polygon_height(mesh, index, point.x, point.z);
  return (lw_location){point, lwi_poly_id(mesh, index)};
}

/* --- polygons about a place --------------------------------------------------------------------------------------- */

static float distance_to_segment(lw_vec3 p, lw_vec3 a, lw_vec3 b) {
  float dx = b.x - a.x, dz = b.z - a.z, t = ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz);
  lw_vec3 nearest = lwi_lerp(a, b, fminf(1, fmaxf(0, t)));
  return lwi_distance_xz(nearest, p);
}

/* Of all polygons, those joined to the first by portals that the circle touches: repeated until nothing
   changes. */
static int expected_around(const lw_navmesh *mesh, lw_location from, float radius, const lw_filter *filter,
                           bool *expected) {
  int count = 1;
  memset(expected, 0, mesh->polygons.count * sizeof *expected);
  expected[lwi_poly_index(mesh, from.poly)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < mesh->polygons.count; p++)
      for (uint32_t k = mesh->graph.first_portal[p]; expected[p] && k < mesh->graph.end_portal[p]; k++) {
        uint32_t to = mesh->graph.portals[k].to;
        lw_vec3 left, right;
        lwi_portal_points(mesh, p, &mesh->graph.portals[k], &left, &right);
        if (expected[to] || !lw_filter_passes(filter, mesh->polygons.areas[to]) ||
            distance_to_segment(from.point, left, right) > radius)
          continue;
        expected[to] = changed = true;
        count += 1;
      }
  }
  return count;
}

static void polygons_around_a_place_agree_with_brute_force(void **state) {
  (void)state;
  static bool expected[SIDE * SIDE];
  static lw_poly_id found[SIDE * SIDE];
  lw_random random = lwi_random_make(SEED, 0);
  lw_filter dry = lw_filter_all();
  dry.areas[0] &= ~(1ULL << 2);
  int total = 0;
  for (int map = 0; map < 20; map++) {
    lw_navmesh *mesh = random_map(&random, 0.3f, 0.2f, 1.3f);
    for (int i = 0; i < 100; i++) {
      lw_location from = random_place(mesh, &random);
      float radius = 6 * lwi_random_unit(&random);
      const lw_filter *filter = i % 2 ? &dry : NULL;
      int count, wanted = expected_around(mesh, from, radius, filter, expected);
      assert_int_equal(
          lw_navmesh_polygons_around(mesh, (lw_circle){from, radius}, filter, found, SIDE * SIDE, &count),
          LW_OK);
      if (count != wanted)
        fail_msg("seed %d, map %d, query %d: %d polygons, expected %d", SEED, map, i, count, wanted);
      assert_true(found[0] == from.poly);
      for (int k = 0; k < count; k++) {
        bool *mark = &expected[lwi_poly_index(mesh, found[k])];
        assert_true(*mark);
        *mark = false; /* none twice */
      }
      total += count;
      int less;
      if (count == 1) continue;
      assert_int_equal(
          lw_navmesh_polygons_around(mesh, (lw_circle){from, radius}, filter, found, count - 1, &less),
          LW_LIMIT);
      assert_int_equal(less, count - 1);
    }
    lw_navmesh_destroy(mesh);
  }
  assert_true(total > 10000);
}

static void a_circle_about_many_polygons_takes_memory_from_the_navmesh_allocator(void **state) {
  (void)state;
  enum { LONG = 40 };
  char row[LONG + 1];
  const char *rows[LONG];
  memset(row, '1', LONG);
  row[LONG] = 0;
  for (int i = 0; i < LONG; i++) rows[i] = row;
  lw_navmesh *mesh = support_grid(areas, rows, LONG, 1);
  static lw_poly_id found[LONG * LONG];
  lw_location from;
  int count;
  assert_int_equal(lw_navmesh_nearest(mesh, lwi_vec3(20, 0, 20), lwi_vec3(1, 1, 1), NULL, &from), LW_OK);
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, 100}, NULL, found, LONG * LONG, &count),
                   LW_OK);
  assert_int_equal(count, LONG * LONG);
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, 100}, NULL, found, 600, &count),
                   LW_LIMIT);
  assert_int_equal(count, 600);
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, 0}, NULL, found, 600, &count), LW_OK);
  assert_true(count >= 1 && count <= 4);
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, NAN}, NULL, found, 600, &count),
                   LW_INVALID);
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, -1}, NULL, found, 600, &count),
                   LW_INVALID);
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, 1}, NULL, found, 0, &count), LW_INVALID);
  from.poly += 1ULL << 48;
  assert_int_equal(lw_navmesh_polygons_around(mesh, (lw_circle){from, 1}, NULL, found, 600, &count), LW_STALE);
  lw_navmesh_destroy(mesh);
}

/* --- ground within a cost ------------------------------------------------------------------------------------------- */

static lw_reachable_area reach(lw_world *world, lw_vec3 from, const lw_profile *profile, float max_cost) {
  lw_reachable_area_query query = lw_reachable_area_query_default();
  query.from = from;
  query.profile = profile;
  query.max_cost = max_cost;
  lw_reachable_area result;
  assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_OK);
  return result;
}

static lw_navmesh *one_polygon(lw_vec3 rise, float width, float depth) {
  const lw_vec3 vertices[] = {{0, 0, 0},
                              {width, width * rise.x, 0},
                              {width, width * rise.x + depth * rise.z, depth},
                              {0, depth * rise.z, depth}};
  const int corners[] = {0, 3, 2, 1}, counts[] = {4};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 4;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 1;
  lw_navmesh *mesh;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  return mesh;
}

static void on_one_polygon_it_is_a_circle_cut_by_the_polygon(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  lw_navmesh *mesh = one_polygon(lwi_vec3(0, 0, 0), 20, 10);
  lw_world *world = make_world(mesh);
  lwi_polygon polygon = lwi_polygon_get(mesh, 0);
  for (int i = 0; i < 300; i++) {
    lw_vec3 at = {20 * lwi_random_unit(&random), 0, 10 * lwi_random_unit(&random)};
    float radius = 24 * lwi_random_unit(&random);
    double expected = lwi_disc_area(&polygon, at, (double)radius);
    assert_true(fabs(reach(world, at, NULL, radius).area - expected) < 0.003 * expected + 1e-3);
  }
  assert_float_equal(reach(world, lwi_vec3(10, 0, 5), NULL, 30).area, 200, 1e-6);
  assert_float_equal(reach(world, lwi_vec3(10, 0, 5), NULL, 0).area, 0, 1e-9);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

static void on_a_slope_metres_run_over_the_surface(void **state) {
  (void)state;
  lw_navmesh *mesh = one_polygon(lwi_vec3(0.75f, 0, 0.5f), 40, 40);
  lw_world *world = make_world(mesh);
  /* A circle on a plane: in xz its area shrinks with the plane's normal. */
  double shrink = 1 / sqrt(1 + 0.75 * 0.75 + 0.5 * 0.5);
  assert_true(fabs(reach(world, lwi_vec3(20, 25, 20), NULL, 8).area - 3.14159265 * 64 * shrink) < 0.5);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

static lw_profile *muddy(float factor) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "muddy";
  def.area_factor[2] = factor;
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return profile;
}

/* @return The part of random places that a path within the cost leads to. */
static double sampled_area(lw_world *world, const lw_navmesh *mesh, lw_location from, const lw_profile *profile,
                           float max_cost, lw_random *random, int samples) {
  int inside = 0;
  for (int i = 0; i < samples; i++) {
    lw_location to = random_place(mesh, random);
    lw_path_query query = lw_path_query_default();
    query.from = from.point;
    query.to = to.point;
    query.profile = profile;
    lw_path *path;
    if (lw_path_find(world, NULL, &query, &path) != LW_OK) continue;
    inside += lw_path_cost(path) <= max_cost;
    lw_path_destroy(path);
  }
  return mesh->area * inside / samples;
}

/* Random places are uniform over squares of one size, so the share of those that a path within the cost leads
   to is the share of the area. */
static void the_area_agrees_with_paths_within_the_cost(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  double worst[2] = {0}, sum[2] = {0}, wanted[2] = {0};
  const int samples = 2000;
  for (int map = 0; map < 30; map++) {
    int prices = map % 2;
    lw_navmesh *mesh = random_map(&random, 0.25f, prices ? 0.3f : 0, 2);
    lw_world *world = make_world(mesh);
    lw_profile *profile = muddy(prices ? 2 : 0);
    lw_location from = random_place(mesh, &random);
    float max_cost = 5 + 20 * lwi_random_unit(&random);
    double area = reach(world, from.point, profile, max_cost).area, whole = mesh->area;
    double expected = sampled_area(world, mesh, from, profile, max_cost, &random, samples);
    double p = expected / whole, sigma = whole * sqrt(fmax(p * (1 - p), 1.0 / samples) / samples);
    if (fabs(area - expected) > 4 * sigma + (prices ? 0.08 : 0.03) * expected)
      fail_msg("seed %d, map %d: %g m2, expected %g +- %g", SEED, map, area, expected, sigma);
    worst[prices] = fmax(worst[prices], fabs(area - expected) / whole);
    sum[prices] += area;
    wanted[prices] += expected;
    lw_profile_destroy(profile);
    lw_world_destroy(world);
    lw_navmesh_destroy(mesh);
  }
  for (int i = 0; i < 2; i++) {
    printf("note: reachable area, %s: %+.2f %% beside sampled paths in the sum of 15 maps\n",
           i ? "two prices" : "one price", 100 * (sum[i] / wanted[i] - 1));
    /* On two prices paths are not quite the cheapest themselves. */
    assert_true(sum[i] / wanted[i] > 0.98 && sum[i] / wanted[i] < (i ? 1.06 : 1.01));
  }
}

static void the_polygons_agree_with_paths_within_the_cost(void **state) {
  (void)state;
  static lw_poly_id list[SIDE * SIDE];
  lw_random random = lwi_random_make(SEED, 3);
  for (int map = 0; map < 10; map++) {
    lw_navmesh *mesh = random_map(&random, 0.3f, 0, 2);
    lw_world *world = make_world(mesh);
    lw_reachable_area_query query = lw_reachable_area_query_default();
    lw_reachable_area result;
    query.from = random_place(mesh, &random).point;
    query.max_cost = 3 + 15 * lwi_random_unit(&random);
    query.polygons = list;
    query.capacity = SIDE * SIDE;
    assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_OK);
    int at = 0;
    for (uint32_t p = 0; p < mesh->polygons.count; p++) {
      bool listed = at < result.polygon_count && list[at] == lwi_poly_id(mesh, p);
      at += listed;
      /* The distance into a convex polygon: to its middle, less the part inside. */
      lwi_polygon polygon = lwi_polygon_get(mesh, p);
      lw_path_query path_query = lw_path_query_default();
      path_query.from = query.from;
      path_query.to = lwi_lerp(lwi_corner(&polygon, 0), lwi_corner(&polygon, 2), 0.5f);
      lw_path *path;
      lw_status status = lw_path_find(world, NULL, &path_query, &path);
      if (status != LW_OK) {
        assert_false(listed);
        continue;
      }
      /* From the middle of a square of 2 m its border is 1 to 1.42 m away. */
      float cost = lw_path_cost(path);
      if (cost < query.max_cost) assert_true(listed);
      if (cost > query.max_cost * 1.02f + 1.42f) assert_false(listed);
      lw_path_destroy(path);
    }
    assert_int_equal(at, result.polygon_count);
    lw_world_destroy(world);
    lw_navmesh_destroy(mesh);
  }
}

static void without_a_limit_all_connected_ground_counts(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 4);
  for (int map = 0; map < 20; map++) {
    lw_navmesh *mesh = random_map(&random, 0.45f, 0.1f, 2);
    lw_world *world = make_world(mesh);
    lw_profile_def def = lw_profile_def_default();
    def.name = "dry";
    def.avoid[2] = true;
    lw_profile *dry;
    assert_int_equal(lw_profile_create(&def, areas, &dry, NULL), LW_OK);
    const lw_profile *profile = map % 2 ? dry : NULL;
    lw_location from = random_place(mesh, &random);
    lw_reachable_area_query query = lw_reachable_area_query_default();
    lw_reachable_area result, limited;
    query.from = from.point;
    query.profile = profile;
    lw_status status = lw_reachable_area_find(world, NULL, &query, &result);
    query.max_cost = 1e6f;
    assert_int_equal(lw_reachable_area_find(world, NULL, &query, &limited), status);
    if (status == LW_OK) {
      double area = 0;
      int count = 0;
      for (uint32_t p = 0; p < mesh->polygons.count; p++) {
        lwi_polygon polygon = lwi_polygon_get(mesh, p);
        lw_path_exists_query connected = lw_path_exists_query_default();
        bool answer;
        connected.from = from.point;
        connected.to = lwi_lerp(lwi_corner(&polygon, 0), lwi_corner(&polygon, 2), 0.5f);
        connected.profile = profile;
        connected.snap = lwi_vec3(0.01f, 1, 0.01f);
        if (lw_path_exists(world, NULL, &connected, &answer) != LW_OK || !answer) continue;
        area += 4;
        count += 1;
      }
      lw_filter all = lw_filter_all(), filter = profile ? lw_profile_filter(profile) : all;
      if (lw_filter_passes(&filter, mesh->polygons.areas[lwi_poly_index(mesh, from.poly)])) {
        assert_float_equal(result.area, area, 1e-3);
        assert_int_equal(result.polygon_count, count);
      }
      assert_float_equal(limited.area, result.area, 1e-3);
      assert_int_equal(limited.polygon_count, result.polygon_count);
    }
    lw_profile_destroy(dry);
    lw_world_destroy(world);
    lw_navmesh_destroy(mesh);
  }
}

static void links_lead_one_way_and_cost_their_length(void **state) {
  (void)state;
  static const char *const rows[] = {"11#11"};
  const support_link jump = {LW_LINK_JUMP, {6, 0, 2}, {14, 0, 2}, 2, LW_AREA_NONE};
  lw_navmesh *mesh = support_grid_links(areas, rows, 1, 4, &jump, 1);
  lw_world *world = make_world(mesh);
  double expected = 32; /* all of the left; 10 - 4 - 2 m are left behind the jump */
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, i);
    if (lwi_corner(&polygon, 0).x > 10) expected += lwi_disc_area(&polygon, lwi_vec3(14, 0, 2), 4);
  }
  double got = reach(world, lwi_vec3(2, 0, 2), NULL, 10).area;
  if (fabs(got - expected) > 0.1) fail_msg("%g m2, expected %g", got, expected);
  assert_true(reach(world, lwi_vec3(2, 0, 2), NULL, 5.9f).area <= 32);
  assert_true(fabs(reach(world, lwi_vec3(14, 0, 2), NULL, 100).area - 32) < 1e-3); /* and not back */
  assert_true(fabs(reach(world, lwi_vec3(14, 0, 2), NULL, INFINITY).area - 32) < 1e-3);
  assert_true(fabs(reach(world, lwi_vec3(2, 0, 2), NULL, INFINITY).area - 64) < 1e-3);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

static void it_repeats_and_holds_no_more_memory_once_warm(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 5);
  lw_navmesh *mesh = random_map(&random, 0.2f, 0.2f, 2);
  lw_world *world = make_world(mesh);
  lw_profile *profile = muddy(1);
  lw_location from = random_place(mesh, &random);
  double first = reach(world, from.point, profile, 18).area;
  size_t bytes = lw_world_memory(world);
  for (int i = 0; i < 20; i++) {
    reach(world, random_place(mesh, &random).point, profile, 3);
    assert_true(reach(world, from.point, profile, 18).area == first);
  }
  assert_int_equal(lw_world_memory(world), bytes);
  lw_profile_destroy(profile);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

static void invalid_queries_are_refused(void **state) {
  (void)state;
  lw_navmesh *mesh = one_polygon(lwi_vec3(0, 0, 0), 20, 10);
  lw_world *world = make_world(mesh);
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area result;
  query.from = lwi_vec3(90, 0, 5);
  assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_NO_START);
  query.from.x = NAN;
  assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_INVALID);
  query.from = lwi_vec3(9, 0, 5);
  query.max_cost = -1;
  assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_INVALID);
  query.max_cost = NAN;
  assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_INVALID);
  query.max_cost = 1;
  query.navmesh = 1;
  assert_int_equal(lw_reachable_area_find(world, NULL, &query, &result), LW_INVALID);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polygons_around_a_place_agree_with_brute_force),
      cmocka_unit_test(a_circle_about_many_polygons_takes_memory_from_the_navmesh_allocator),
      cmocka_unit_test(on_one_polygon_it_is_a_circle_cut_by_the_polygon),
      cmocka_unit_test(on_a_slope_metres_run_over_the_surface),
      cmocka_unit_test(the_area_agrees_with_paths_within_the_cost),
      cmocka_unit_test(the_polygons_agree_with_paths_within_the_cost),
      cmocka_unit_test(without_a_limit_all_connected_ground_counts),
      cmocka_unit_test(links_lead_one_way_and_cost_their_length),
      cmocka_unit_test(it_repeats_and_holds_no_more_memory_once_warm),
      cmocka_unit_test(invalid_queries_are_refused),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
