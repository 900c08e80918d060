/* Paths over ground of many prices, on real levels and over triangles of which many are closed, against the cheapest path over
   points every 0.1 m of every portal. The benchmark runs more queries (bench_weighted). */
#include "core/random.h"
#include "dense_path.h"
#include "grid_mesh.h"
#include "sight_scene.h"
#include "mixed_ground.h"

#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261121u
#define QUERIES 25 /* a level */
#define TRIES 200

typedef struct totals {
  int count;
  double ours[MIXED_LEVELS * QUERIES], detour[MIXED_LEVELS * QUERIES]; /* above the best, as a part of it */
} totals;

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double mean(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += values[i] / count;
  return sum;
}

static double quantile(double *values, int count, double part) {
  qsort(values, (size_t)count, sizeof *values, order);
  return values[(int)(part * (count - 1))];
}

static void check(const char *level, int query, const mixed_result *result, totals *sums) {
  if (!(fabs(result->along - result->ours) <= 0.01 * result->ours + 0.05))
    fail_msg("%s, query %d: the path says it costs %g, its points %g", level, query, result->ours,
             result->along);
  if (!(result->best <= 1.02 * result->chords))
    fail_msg("%s, query %d: it costs %g, and the slow search finds nothing below %g", level, query,
             result->chords, result->best);
  if (!(result->chords >= 0.99 * result->best - 0.05))
    fail_msg("%s, query %d: %g is cheaper than the best there is, %g", level, query, result->chords,
             result->best);
  sums->ours[sums->count] = fmax(0, result->chords / result->best - 1);
  sums->detour[sums->count++] = result->detour < INFINITY ? fmax(0, result->detour / result->best - 1) : 0;
}

static void ask(const char *level, totals *sums) {
  mixed_ground ground;
  lw_error error = {0};
  mixed_kind kind = sums->count > 0 ? MIXED_POLYGONS : MIXED_MARKS;
  if (mixed_open(level, kind, SEED, &ground, &error) != LW_OK) fail_msg("%s: %s", level, error.text);
  int asked = 0;
  for (int i = 0; i < TRIES && asked < QUERIES; i++) {
    mixed_result result;
    if (!mixed_ask(&ground, ground.profiles[i % MIXED_PROFILES], &result)) continue;
    check(level, i, &result, sums);
    asked++;
  }
  assert_true(asked >= QUERIES / 2);
  mixed_close(&ground);
}

static void paths_cost_little_more_than_the_best_on_mixed_ground(void **state) {
  static totals sums;
  (void)state;
  for (int i = 0; i < MIXED_LEVELS; i++) {
    char text[512];
    if (!level_file(mixed_levels[i], text, sizeof text)) {
      level_missing(mixed_levels[i], text, sizeof text);
      printf("skipped: %s\n", text);
      skip();
    }
    ask(mixed_levels[i], &sums);
  }
  double ours = quantile(sums.ours, sums.count, 0.99), detour = quantile(sums.detour, sums.count, 0.99);
  printf("note: %d paths on %d levels of mixed ground (seed %u): cost above the dense optimum %.2f %% in the "
         "mean, %.1f %% in the worst hundredth; Detour's on the same prices %.1f %% and %.0f %%\n",
         sums.count, MIXED_LEVELS, SEED, 100 * mean(sums.ours, sums.count), 100 * ours,
         100 * mean(sums.detour, sums.count), 100 * detour);
  assert_true(mean(sums.ours, sums.count) <= 0.008);
  assert_true(ours <= 0.05);
}

#define HILLS "recast_undulating"
#define WALKS 125

/* Over wide polygons the surface is metres off the straight lines between their corners. */
static void nor_over_hills(void **state) {
  static double above[WALKS];
  mixed_ground ground;
  lw_error error = {0};
  int count = 0;
  (void)state;
  if (mixed_open(HILLS, MIXED_POLYGONS, SEED, &ground, &error) != LW_OK) skip();
  for (int i = 0; i < 10 * TRIES && count < WALKS; i++) {
    mixed_result result;
    if (!mixed_ask(&ground, ground.profiles[i % MIXED_PROFILES], &result)) continue;
    above[count++] = fmax(0, result.chords / result.best - 1);
  }
  assert_int_equal(count, WALKS);
  const double worst = quantile(above, count, 1);
  printf("note: %d paths over hills: %.2f %% above the best in the mean, %.1f %% in the worst\n", count,
         100 * mean(above, count), 100 * worst);
  assert_true(mean(above, count) <= 0.011);
  assert_true(worst <= 0.12);
  mixed_close(&ground);
}

#define SIDE 12   /* squares, of two triangles each */
#define SIZE 0.6F /* of a square: few portals have points between their ends [m] */
#define MESHES 100
#define PAIRS 60 /* on each */

/* Ground, road, or deep water that the profile does not enter; 0: a hole. */
static lw_area_id draw_area(lw_random *random) {
  static const lw_area_id areas[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3};
  return areas[(int)(lw_random_unit(random) * (float)(sizeof areas))];
}

/* The corners of a square's triangles, whose diagonal is drawn. */
static void cut_square(int first, lw_random *random, int corners[6]) {
  const int below = first + SIDE + 1;
  const int one[] = {first, below, below + 1, first, below + 1, first + 1};
  const int other[] = {first, below, first + 1, below, below + 1, first + 1};
  memcpy(corners, lw_random_unit(random) < 0.5F ? one : other, sizeof one);
}

static lw_navmesh *draw_triangles(const lw_area_table *table, lw_random *random) {
  static lw_vec3 vertices[(SIDE + 1) * (SIDE + 1)];
  static int corners[6 * SIDE * SIDE], counts[2 * SIDE * SIDE];
  static lw_area_id areas[2 * SIDE * SIDE];
  int count = 0;
  for (int i = 0; i < (SIDE + 1) * (SIDE + 1); i++)
    vertices[i] = (lw_vec3){(float)(i % (SIDE + 1)) * SIZE, 0, (float)(i / (SIDE + 1)) * SIZE};
  for (int i = 0; i < SIDE * SIDE; i++) {
    int of[6];
    cut_square(i / SIDE * (SIDE + 1) + i % SIDE, random, of);
    for (int k = 0; k < 2; k++) {
      areas[count] = draw_area(random);
      if (areas[count] == 0) continue;
      counts[count] = 3;
      memcpy(corners + 3 * (size_t)count++, of + 3 * k, 3 * sizeof *of);
    }
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = table;
  def.vertices = vertices;
  def.vertex_count = (SIDE + 1) * (SIDE + 1);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = count;
  def.poly_areas = areas;
  lw_navmesh *mesh;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  return mesh;
}

static bool draw_place(const lw_navmesh *mesh, const lw_profile *profile, lw_random *random, lw_location *at) {
  const lw_vec3 from = {lw_random_unit(random) * SIDE * SIZE, 0, lw_random_unit(random) * SIDE * SIZE};
  const lw_vec3 half = {0.01F, 1, 0.01F};
  return lw_navmesh_nearest(mesh, from, half, NULL, at) == LW_OK &&
         lwi_price_on(&profile->prices, mesh, lwi_poly_index(mesh, at->poly)) < INFINITY;
}

/* @return How many paths there were. */
static int ask_triangles(lw_world *world, const lw_navmesh *mesh, const lw_profile *profile,
                         lw_random *random) {
  dense_graph *dense = dense_make(mesh, 0.1F);
  int count = 0;
  for (int i = 0; i < PAIRS; i++) {
    lw_location from, to;
    if (!draw_place(mesh, profile, random, &from) || !draw_place(mesh, profile, random, &to)) continue;
    lw_path_query query = lw_path_query_default();
    query.from = from.point;
    query.to = to.point;
    query.profile = profile;
    lw_path *path;
    const lw_status status = lw_path_find(world, NULL, &query, &path);
    const double best = dense_cost(dense, &profile->prices, from, to, INFINITY);
    if ((status == LW_OK) != (best < INFINITY))
      fail_msg("from (%g, %g) to (%g, %g): %s, and the slow search %g", (double)from.point.x,
               (double)from.point.z, (double)to.point.x, (double)to.point.z, lw_status_name(status), best);
    if (status != LW_OK) continue;
    const double cost = (double)lw_path_cost(path);
    if (!(cost >= best * 0.99 - 0.05) || !(cost <= best * 1.05 + 0.05))
      fail_msg("from (%g, %g) to (%g, %g): %g, and the slow search %g", (double)from.point.x,
               (double)from.point.z, (double)to.point.x, (double)to.point.z, cost, best);
    lw_path_destroy(path);
    count++;
  }
  dense_free(dense);
  return count;
}

static void paths_pass_corners_at_which_open_and_closed_ground_meet(void **state) {
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 3);
  lw_area_table *areas = support_road_and_water();
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  int count = 0;
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  def.name = "walker";
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  for (int i = 0; i < MESHES; i++) {
    lw_navmesh *mesh = draw_triangles(areas, &random);
    lw_world_def world_def = lw_world_def_default();
    lw_world *world;
    world_def.navmesh = mesh;
    assert_int_equal(lw_world_create(&world_def, &world, NULL), LW_OK);
    count += ask_triangles(world, mesh, profile, &random);
    lw_world_destroy(world);
    lw_navmesh_destroy(mesh);
  }
  printf("note: %d paths among triangles\n", count);
  assert_true(count >= MESHES);
  lw_profile_destroy(profile);
  lw_area_table_destroy(areas);
}

/* A road that is 0.5 m wide at one place leads south between two corners, v and w (the first two vertices). West of it and
   east, behind closed triangles, other ground ends at v and at w, and is nearer to the start. */
static void a_path_leads_between_two_corners_that_closed_ground_parts(void **state) {
  static const lw_vec3 vertices[] = {{0, 0, 0},        {0.5F, 0, 0},      {0.25F, 0, 0.4F}, {0.25F, 0, -0.4F},
                                     {-0.4F, 0, 0.3F}, {-0.4F, 0, -0.3F}, {0.9F, 0, 0.3F},  {0.9F, 0, -0.3F},
                                     {0.6F, 0, 0.4F},  {0.6F, 0, -0.4F},  {-3, 0, 0.3F},    {-3, 0, -0.3F},
                                     {-3, 0, 5},       {-0.4F, 0, 5},     {0.25F, 0, 5},    {0.6F, 0, 5},
                                     {-3, 0, 6},       {-0.4F, 0, 6},     {0.25F, 0, 6},    {0.6F, 0, 6},
                                     {-3, 0, -2.5F},   {-0.4F, 0, -2.5F}, {0.9F, 0, -2.5F}, {3, 0, -2.5F},
                                     {-3, 0, -3},      {-0.4F, 0, -3},    {0.9F, 0, -3},    {3, 0, -3},
                                     {3, 0, 0.3F},     {3, 0, -0.3F},     {0.25F, 0, -2},   {0.6F, 0, -2}};
  static const int corners[] = {2,  1,  0, 0,  1,  3,  4,  2,  0,  5,  4,  0,  3,  5,  0,  2,  8,
                                1,  8,  6, 1,  1,  6,  7,  1,  7,  9,  1,  9,  3,  4,  5,  11, 10,
                                12, 13, 4, 10, 16, 17, 13, 12, 17, 18, 14, 13, 18, 19, 15, 14, 14,
                                15, 8,  2, 11, 5,  21, 20, 20, 21, 25, 24, 21, 22, 26, 25, 22, 23,
                                27, 26, 7, 29, 23, 22, 28, 29, 7,  6,  3,  9,  31, 30};
  static const int counts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
  static const lw_area_id kinds[] = {1, 1, 3, 1, 3, 1, 3, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
  lw_area_table *areas = support_road_and_water();
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_profile_def walker = lw_profile_def_default();
  lw_world_def world_def = lw_world_def_default();
  lw_navmesh *mesh;
  lw_profile *profile;
  lw_world *world;
  lw_path *path;
  (void)state;
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = sizeof vertices / sizeof *vertices;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = sizeof counts / sizeof *counts;
  def.poly_areas = kinds;
  walker.name = "walker";
  walker.resistance_factor[LW_TRIANGULAR] = 1;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  assert_int_equal(lw_profile_create(&walker, areas, &profile, NULL), LW_OK);
  world_def.navmesh = mesh;
  assert_int_equal(lw_world_create(&world_def, &world, NULL), LW_OK);
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){-2, 0, 0};
  query.to = (lw_vec3){0.4F, 0, -1.5F};
  query.snap = (lw_vec3){0.01F, 1, 0.01F};
  query.profile = profile;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  assert_float_equal(lw_path_length(path), 12.5F, 0.5F);
  lw_path_destroy(path);
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_pass_corners_at_which_open_and_closed_ground_meet),
      cmocka_unit_test(a_path_leads_between_two_corners_that_closed_ground_parts),
      cmocka_unit_test(paths_cost_little_more_than_the_best_on_mixed_ground), cmocka_unit_test(nor_over_hills)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
