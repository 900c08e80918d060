/* Random points where the exact answer is known: circles and squares. */
#include "chi_square.h"
#include "core/random.h"
#include "grid_world.h"
#include "leeward/query.h"
#include "leeward/world.h"
#include "mesh/mesh.h"
#include "query/disc_polygon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define SEED 20240607
#define DRAWS 20000
#define CHANCE_MIN 1e-6

/* --- areas ---------------------------------------------------------------------------------------------------- */

#define CORNERS_MAX 8

/* The corners' numbers where they are, in the order in which a navmesh holds them. */
static lwi_polygon polygon_of(lw_vec3 *corners, uint32_t count) {
  float numbers[3 * CORNERS_MAX];
  for (uint32_t i = 0; i < count; i++) {
    numbers[i] = corners[i].x;
    numbers[count + i] = corners[i].z;
    numbers[2 * count + i] = corners[i].y;
  }
  memcpy(corners, numbers, 3 * (size_t)count * sizeof *numbers);
  return (lwi_polygon){&corners->x, count};
}

/* A square of side `2 * half` about the origin, counter-clockwise seen from above. */
static lwi_polygon square_of(lw_vec3 corners[4], float half) {
  corners[0] = (lw_vec3){-half, 0, -half};
  corners[1] = (lw_vec3){-half, 0, half};
  corners[2] = (lw_vec3){half, 0, half};
  corners[3] = (lw_vec3){half, 0, -half};
  return polygon_of(corners, 4);
}

static double area_at(float x, float z, double radius) {
  lw_vec3 corners[4];
  lwi_polygon square = square_of(corners, 1);
  assert_true(lwi_polygon_area2(&square) > 0);
  return lwi_disc_area(&square, (lw_vec3){x, 0, z}, radius);
}

static void assert_near(double value, double expected) {
  if (fabs(value - expected) > 1e-6) fail_msg("%.12g is not %.12g", value, expected);
}

static void a_disc_inside_a_square_counts_whole(void **state) {
  (void)state;
  assert_near(area_at(0, 0, 0.5), PI / 4);
  assert_near(area_at(0.25f, -0.5f, 0.25), PI / 16);
}

static void a_square_inside_a_disc_counts_whole(void **state) {
  (void)state;
  assert_near(area_at(0, 0, 3), 4);
  assert_near(area_at(2, 0, 5), 4);
}

static void a_disc_that_touches_edges_from_within_counts_whole(void **state) {
  (void)state;
  assert_near(area_at(0, 0, 1), PI);          /* all four */
  assert_near(area_at(0.5f, 0, 0.5), PI / 4); /* one */
}

static void a_disc_that_touches_from_outside_counts_nothing(void **state) {
  (void)state;
  assert_near(area_at(2, 0, 1), 0);
  assert_near(area_at(0, -3, 2), 0);
  assert_near(area_at(4, 5, 5), 0); /* the corner (1, 1) lies exactly on the rim */
}

static void corners_on_the_rim_are_exact(void **state) {
  (void)state;
  /* The corner (-1, -1) is 5 m away from (2, 3), and the disc holds the rest of the square. */
  assert_near(area_at(2, 3, 5), 4);
  /* All four corners on the rim. */
  assert_near(area_at(0, 0, sqrt(2)), 4);
}

static void a_disc_about_a_corner_or_an_edge_is_a_part_of_the_disc(void **state) {
  (void)state;
  assert_near(area_at(1, 1, 1), PI / 4);
  assert_near(area_at(-1, 1, 0.5), PI / 16);
  assert_near(area_at(1, 0, 1), PI / 2);
}

static void a_disc_across_one_edge_is_a_cap(void **state) {
  (void)state;
  /* The edge x = 1 is half a radius away from the centre. */
  double angle = acos(0.5), cap = angle - 0.5 * sin(2 * angle);
  assert_near(area_at(0.5f, 0, 1) - (PI - cap), 0);
  /* From outside the cap alone is left. */
  assert_near(area_at(1.25f, 0, 0.5) - cap / 4, 0);
}

static void a_disc_outside_has_no_area(void **state) {
  (void)state;
  assert_near(area_at(5, 0, 1), 0);
  assert_near(area_at(2, 2, 1), 0); /* nearer than a radius to both edges' lines, but not to the corner */
}

/* Corners in order on an ellipse, turned. */
static uint32_t random_polygon(lw_random *random, lw_vec3 corners[CORNERS_MAX]) {
  uint32_t count = 3 + (uint32_t)(lwi_random_unit(random) * (CORNERS_MAX - 2));
  double width = 0.2 + 3 * lwi_random_unit_double(random), turn = 2 * PI * lwi_random_unit_double(random),
         angle = 0;
  double steps[CORNERS_MAX], sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += steps[i] = 0.05 + lwi_random_unit_double(random);
  for (uint32_t i = 0; i < count; i++) {
    angle -= 2 * PI * steps[i] / sum; /* from x towards -z is counter-clockwise, and this is z = sin */
    double x = width * cos(angle), z = sin(angle);
    corners[i] = (lw_vec3){(float)(x * cos(turn) - z * sin(turn)), 0, (float)(x * sin(turn) + z * cos(turn))};
  }
  return count;
}

/* Midpoints of lines, each cut exactly. */
static double integrate(const lwi_polygon *polygon, lw_vec3 center, double radius) {
  const int lines = 20000;
  double thickness = 2 * radius / lines, area = 0;
  for (int line = 0; line < lines; line++) {
    double dz = -radius + (line + 0.5) * thickness, z = center.z + dz, chord = sqrt(radius * radius - dz * dz);
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < polygon->count; i++) {
      lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
      if ((a.z <= z) == (b.z <= z)) continue;
      double x = a.x + ((double)b.x - a.x) * (z - a.z) / ((double)b.z - a.z);
      low = fmin(low, x);
      high = fmax(high, x);
    }
    area += fmax(0, fmin(high, center.x + chord) - fmax(low, center.x - chord)) * thickness;
  }
  return area;
}

static void areas_of_random_polygons_and_discs_are_their_integrals(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  double worst = 0;
  int some = 0;
  for (int i = 0; i < 2000; i++) {
    lw_vec3 corners[CORNERS_MAX];
    lwi_polygon polygon = polygon_of(corners, random_polygon(&random, corners));
    assert_true(lwi_polygon_area2(&polygon) > 0);
    lw_vec3 center = {6 * lwi_random_unit(&random) - 3, 0, 4 * lwi_random_unit(&random) - 2};
    double radius = 0.05 + 3 * lwi_random_unit_double(&random);
    double area = lwi_disc_area(&polygon, center, radius), sum = integrate(&polygon, center, radius);
    worst = fmax(worst, fabs(area - sum));
    some += area > 0 && area < fmin(PI * radius * radius, lwi_polygon_area2(&polygon) / 2) - 1e-6;
    if (fabs(area - sum) > 1e-4)
      fail_msg("polygon %d (seed %d): area %.9g, by lines %.9g, radius %.9g about (%.9g, %.9g)", i, SEED, area,
               sum, radius, (double)center.x, (double)center.z);
  }
  printf("note: areas of 2000 polygons cut by discs differ from their integrals by %.2g m2 at most (seed %d)\n",
         worst, SEED);
  assert_in_range(some, 500, 2000); /* most are really cut */
}

/* --- samples -------------------------------------------------------------------------------------------------- */

/* A fine raster over the common part; each square that lies in it wholly must get its share. */
#define RASTER 16

static double cell_area(const lwi_polygon *polygon, lw_vec3 center, double radius, double x, double z,
                        double size) {
  const int fine = 64;
  int inside = 0;
  for (int i = 0; i < fine; i++)
    for (int k = 0; k < fine; k++) {
      lw_vec3 p = {(float)(x + (i + 0.5) * size / fine), 0, (float)(z + (k + 0.5) * size / fine)};
      double dx = (double)p.x - center.x, dz = (double)p.z - center.z;
      inside += dx * dx + dz * dz <= radius * radius && lwi_polygon_holds(polygon, p, 0);
    }
  return size * size * inside / (fine * fine);
}

static void assert_samples_are_uniform(const lwi_polygon *polygon, lw_vec3 center, double radius,
                                       uint64_t index) {
  lw_random random = lwi_random_make(SEED, index);
  double areas[RASTER * RASTER], size = 2 * radius / RASTER, chi2;
  int hits[RASTER * RASTER] = {0}, degrees;
  for (int i = 0; i < RASTER * RASTER; i++) {
    double x = center.x - radius + (i % RASTER) * size, z = center.z - radius + (double)(i / RASTER) * size;
    areas[i] = cell_area(polygon, center, radius, x, z, size);
  }
  for (int i = 0; i < DRAWS; i++) {
    lw_vec3 p = lwi_disc_sample(polygon, center, radius, &random);
    double dx = (double)p.x - center.x, dz = (double)p.z - center.z;
    assert_true(dx * dx + dz * dz <= radius * radius);
    assert_true(lwi_polygon_holds(polygon, p, 1e-6));
    int column = (int)((dx + radius) / size), row = (int)((dz + radius) / size);
    hits[(row < RASTER ? row : RASTER - 1) * RASTER + (column < RASTER ? column : RASTER - 1)]++;
  }
  /* The raster knows a square's part to a few percent at the rim alone, and rounds parts below that to
     nothing. */
  for (int i = 0; i < RASTER * RASTER; i++) areas[i] = fmax(areas[i], size * size * 1e-5);
  double chance = chi_square_test(hits, areas, RASTER * RASTER, &degrees, &chi2);
  if (chance < CHANCE_MIN)
    fail_msg("chi-square %.1f of %d degrees, chance %g, for radius %g about (%g, %g) (seed %d)", chi2, degrees,
             chance, radius, (double)center.x, (double)center.z, SEED);
}

static void samples_in_a_square_are_uniform(void **state) {
  (void)state;
  static const struct {
    lw_vec3 center;
    double radius;
  } discs[] = {
      {{0, 0, 0}, 0.5},     /* wholly inside */
      {{0, 0, 0}, 1},       /* touches all edges */
      {{0, 0, 0}, 1.2},     /* across all edges, no corner inside */
      {{0, 0, 0}, 1.5},     /* holds the square */
      {{0.5f, 0, 0}, 1},    /* across one edge */
      {{1, 0, 1}, 1},       /* about a corner */
      {{1.5f, 0, 0}, 1},    /* the centre outside */
      {{1.25f, 0, 0}, 0.5}, /* a cap alone */
      {{2, 0, 3}, 5},       /* a corner exactly on the rim */
  };
  lw_vec3 corners[4];
  lwi_polygon square = square_of(corners, 1);
  for (uint64_t i = 0; i < sizeof discs / sizeof *discs; i++)
    assert_samples_are_uniform(&square, discs[i].center, discs[i].radius, i);
}

static void samples_in_random_polygons_are_uniform(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1000);
  for (uint64_t i = 0; i < 30;) {
    lw_vec3 corners[CORNERS_MAX];
    lwi_polygon polygon = polygon_of(corners, random_polygon(&random, corners));
    lw_vec3 center = {4 * lwi_random_unit(&random) - 2, 0, 3 * lwi_random_unit(&random) - 1.5f};
    double radius = 0.2 + lwi_random_unit_double(&random);
    if (lwi_disc_area(&polygon, center, radius) < 0.05) continue;
    assert_samples_are_uniform(&polygon, center, radius, 2000 + i++);
  }
}

/* --- through a world ------------------------------------------------------------------------------------------ */

static grid_world open_scene(const char *const *rows, int count) {
  static const char *const names[] = {"ground", "road"};
  lw_area_table *areas = support_areas(names, 2);
  lw_world_def def = lw_world_def_default();
  def.seed = SEED;
  return grid_world_open_on(areas, support_grid(areas, rows, count, 1), NULL, &def);
}

static void a_disc_over_many_squares_is_uniform_in_radius_and_angle(void **state) {
  (void)state;
  static const char *const rows[] = {"......", "......", "......", "......", "......", "......"};
  grid_world scene = open_scene(rows, 6);
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(scene.world);
  query.around = (lw_vec3){3.1f, 0, 2.9f};
  query.radius = 2.5f;
  int radii[50] = {0}, angles[36] = {0}, degrees;
  double even[50], chi2;
  for (int i = 0; i < 50; i++) even[i] = 1;
  for (int i = 0; i < DRAWS; i++) {
    lw_location at;
    assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_OK);
    double dx = (double)at.point.x - query.around.x, dz = (double)at.point.z - query.around.z;
    double part = (dx * dx + dz * dz) / ((double)query.radius * query.radius); /* uniform in 0..1 */
    assert_true(part <= 1);
    radii[part < 1 ? (int)(part * 50) : 49]++;
    angles[(int)((atan2(dz, dx) / (2 * PI) + 0.5) * 35.999)]++;
  }
  assert_true(chi_square_test(radii, even, 50, &degrees, &chi2) > CHANCE_MIN);
  assert_true(chi_square_test(angles, even, 36, &degrees, &chi2) > CHANCE_MIN);
  grid_world_close(&scene);
}

static void what_cannot_be_reached_is_left_out(void **state) {
  (void)state;
  static const char *const rows[] = {"...#...", "...#...", "...#..."};
  grid_world scene = open_scene(rows, 3);
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(scene.world);
  query.around = (lw_vec3){2.5f, 0, 1.5f};
  query.radius = 4;
  for (int i = 0; i < 2000; i++) {
    lw_location at;
    assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_OK);
    assert_true(at.point.x <= 3);
  }
  grid_world_close(&scene);
}

static void what_is_reached_only_around_the_circle_counts(void **state) {
  (void)state;
  static const char *const rows[] = {"...#...", "...#...", "...#...", "...#...", "......."};
  grid_world scene = open_scene(rows, 5);
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(scene.world);
  query.around = (lw_vec3){2.5f, 0, 0.5f};
  query.radius = 2.5f; /* ends above the way round */
  int beyond = 0;
  for (int i = 0; i < 2000; i++) {
    lw_location at;
    assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_OK);
    beyond += at.point.x >= 4;
  }
  assert_in_range(beyond, 200, 1000);
  grid_world_close(&scene);
}

static void what_a_profile_may_not_enter_is_left_out(void **state) {
  (void)state;
  static const char *const rows[] = {"..2..", "..2..", "....."};
  grid_world scene = open_scene(rows, 3);
  lw_profile_def def = lw_profile_def_default();
  def.name = "walker";
  def.avoid[2] = true;
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, scene.areas, &profile, NULL), LW_OK);
  for (int anywhere = 0; anywhere < 2; anywhere++) {
    lw_random_point_query query = lw_random_point_query_default();
    query.random = lw_world_random_stream(scene.world);
    query.anywhere = anywhere;
    query.around = (lw_vec3){1.5f, 0, 0.5f};
    query.radius = 3;
    query.profile = profile;
    for (int i = 0; i < 2000; i++) {
      lw_location at;
      lw_poly poly;
      assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_OK);
      assert_int_equal(lw_navmesh_get_poly(scene.mesh, at.poly, &poly), LW_OK);
      assert_int_equal(poly.area, 1);
    }
  }
  lw_profile_destroy(profile);
  grid_world_close(&scene);
}

static void a_circle_beside_the_mesh_gives_no_point(void **state) {
  (void)state;
  static const char *const rows[] = {"..", ".."};
  grid_world scene = open_scene(rows, 2);
  lw_location at;
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(scene.world);
  query.around = (lw_vec3){3, 0, 1}; /* within the snap box, but a metre off */
  query.radius = 0.5f;
  assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_NO_POINT);
  query.radius = 1; /* touches the edge, so it has no area in common */
  assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_NO_POINT);
  query.radius = 1.5f;
  assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_OK);
  query.around.x = 9;
  assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_NO_START);
  grid_world_close(&scene);
}

static void invalid_queries_are_refused(void **state) {
  (void)state;
  static const char *const rows[] = {"."};
  grid_world scene = open_scene(rows, 1);
  const lw_random_point_query good = {.around = {0.5f, 0, 0.5f}, .radius = 1};
  const lw_area_id unknown[] = {LW_AREA_MAX};
  lw_location at;
  for (int i = 0; i < 14; i++) {
    lw_random_point_query query = lw_random_point_query_default();
    query.random = lw_world_random_stream(scene.world);
    query.around = good.around;
    query.radius = good.radius;
    assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_OK);
    if (i == 0) query.radius = 0;
    if (i == 1) query.radius = NAN;
    if (i == 2) query.radius = INFINITY;
    if (i == 3) query.around.y = NAN;
    if (i == 4) query.snap.x = 0;
    if (i == 5) query.cookie = 0;
    if (i == 6) query.min_distance = -1;
    if (i == 7) query.min_distance = query.radius;
    if (i == 8) query.min_distance = NAN;
    if (i == 9) query.anywhere = true, query.min_distance = 0.5f; /* from where? */
    if (i == 10) query.is_connected = true, query.connected_to.x = INFINITY;
    if (i == 11) query.only = unknown, query.only_count = 1;
    if (i == 12) query.avoid_count = 1; /* of none */
    if (i == 13) query.only = unknown, query.only_count = -1;
    assert_int_equal(lw_random_point_find(scene.world, NULL, &query, &at), LW_INVALID);
  }
  grid_world_close(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_disc_inside_a_square_counts_whole),
      cmocka_unit_test(a_square_inside_a_disc_counts_whole),
      cmocka_unit_test(a_disc_that_touches_edges_from_within_counts_whole),
      cmocka_unit_test(a_disc_that_touches_from_outside_counts_nothing),
      cmocka_unit_test(corners_on_the_rim_are_exact),
      cmocka_unit_test(a_disc_about_a_corner_or_an_edge_is_a_part_of_the_disc),
      cmocka_unit_test(a_disc_across_one_edge_is_a_cap),
      cmocka_unit_test(a_disc_outside_has_no_area),
      cmocka_unit_test(areas_of_random_polygons_and_discs_are_their_integrals),
      cmocka_unit_test(samples_in_a_square_are_uniform),
      cmocka_unit_test(samples_in_random_polygons_are_uniform),
      cmocka_unit_test(a_disc_over_many_squares_is_uniform_in_radius_and_angle),
      cmocka_unit_test(what_cannot_be_reached_is_left_out),
      cmocka_unit_test(what_is_reached_only_around_the_circle_counts),
      cmocka_unit_test(what_a_profile_may_not_enter_is_left_out),
      cmocka_unit_test(a_circle_beside_the_mesh_gives_no_point),
      cmocka_unit_test(invalid_queries_are_refused),
  };
  return cmocka_run_group_tests_name("random points", tests, NULL, NULL);
}
