/* Paths: what is found, its cost, and the status when there is none. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "search/path_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20240817u

enum { GROUND = 1, ROAD = 2, WATER = 3 }; /* support_road_and_water() */

static grid_world make_scene(const char *const *rows, int row_count, const lw_profile_def *def) {
  lw_area_table *areas = support_road_and_water();
  return grid_world_open_on(areas, support_grid(areas, rows, row_count, 1), def, NULL);
}

static lw_path_query between(const grid_world *s, float x0, float z0, float x1, float z1) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.snap = (lw_vec3){0.5f, 1, 0.5f};
  query.profile = s->profile;
  return query;
}

static lw_path *find(const grid_world *s, float x0, float z0, float x1, float z1) {
  lw_path_query query = between(s, x0, z0, x1, z1);
  lw_path *path;
  assert_int_equal(lw_path_find(s->world, NULL, &query, &path), LW_OK);
  return path;
}

static void assert_near(float value, float expected) {
  if (fabsf(value - expected) > 1e-3f) fail_msg("%g, expected %g", (double)value, (double)expected);
}

static void open_ground_is_crossed_in_a_straight_line(void **state) {
  (void)state;
  static const char *const rows[] = {"........", "........", "........", "........", "........"};
  grid_world s = make_scene(rows, COUNT(rows), NULL);
  lw_path *path = find(&s, 0.3f, 0.4f, 7.7f, 4.6f);
  int count;
  lw_path_points(path, &count);
  assert_int_equal(count, 2);
  assert_near(lw_path_length(path), hypotf(7.4f, 4.2f));
  assert_near(lw_path_cost(path), lw_path_length(path));
  assert_false(lw_path_is_partial(path));
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void a_path_turns_at_the_corners_of_walls(void **state) {
  (void)state;
  static const char *const rows[] = {"...", ".#.", ".#.", ".#."};
  grid_world s = make_scene(rows, COUNT(rows), NULL);
  lw_path *path = find(&s, 0.5f, 3.5f, 2.5f, 3.5f);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_int_equal(count, 4);
  assert_near(points[1].x, 1);
  assert_near(points[1].z, 1);
  assert_near(points[2].x, 2);
  assert_near(points[2].z, 1);
  assert_near(lw_path_length(path), 2 * hypotf(0.5f, 2.5f) + 1);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void start_and_goal_in_one_polygon_make_one_piece(void **state) {
  (void)state;
  static const char *const rows[] = {".."};
  grid_world s = make_scene(rows, COUNT(rows), NULL);
  lw_path *path = find(&s, 0.2f, 0.2f, 0.8f, 0.2f);
  int count;
  lw_path_corridor(path, &count);
  assert_int_equal(count, 1);
  assert_near(lw_path_length(path), 0.6f);
  lw_path_destroy(path);
  path = find(&s, 0.2f, 0.2f, 0.2f, 0.2f); /* and going nowhere is a path of one point */
  lw_path_points(path, &count);
  assert_int_equal(count, 1);
  assert_near(lw_path_length(path), 0);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void a_path_that_cannot_be_found_names_the_reason(void **state) {
  (void)state;
  static const char *const rows[] = {"...#...", "...#..."};
  grid_world s = make_scene(rows, COUNT(rows), NULL);
  lw_path *path;
  lw_path_query query = between(&s, 0.5f, 0.5f, 6.5f, 0.5f);
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_NO_PATH);
  assert_null(path);
  query.from.z = 9;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_NO_START);
  query = between(&s, 0.5f, 0.5f, 0.5f, 9);
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_NO_GOAL);
  query.to.z = NAN;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_INVALID);
  query = between(&s, 0.5f, 0.5f, 2.5f, 1.5f);
  query.max_nodes = 1;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_OUT_OF_NODES);
  query.cookie = 0;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_INVALID);
  grid_world_close(&s);
}

static void a_partial_path_ends_at_the_reachable_point_nearest_the_goal(void **state) {
  (void)state;
  static const char *const rows[] = {"...#...", "...#..."};
  grid_world s = make_scene(rows, COUNT(rows), NULL);
  lw_path *path;
  lw_path_query query = between(&s, 0.5f, 0.5f, 6.5f, 1.5f);
  query.allow_partial = true;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_PARTIAL);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_true(lw_path_is_partial(path));
  assert_near(points[count - 1].x, 3);
  assert_near(points[count - 1].z, 1.5f);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void connectivity_is_answered_without_a_search(void **state) {
  (void)state;
  static const char *const rows[] = {"..3.#..", "..3.#.."};
  lw_profile_def human = lw_profile_def_default();
  grid_world s = make_scene(rows, COUNT(rows), &human);
  lw_path_exists_query query = lw_path_exists_query_default();
  bool connected;
  query.snap = (lw_vec3){0.5f, 1, 0.5f};
  query.from = (lw_vec3){0.5f, 0, 0.5f};
  query.to = (lw_vec3){3.5f, 0, 0.5f};
  assert_int_equal(lw_path_exists(s.world, NULL, &query, &connected), LW_OK);
  assert_true(connected);
  query.profile = s.profile; /* cannot swim */
  assert_int_equal(lw_path_exists(s.world, NULL, &query, &connected), LW_OK);
  assert_false(connected);
  query.profile = NULL;
  query.to.x = 5.5f;
  assert_int_equal(lw_path_exists(s.world, NULL, &query, &connected), LW_OK);
  assert_false(connected);
  query.to.x = 50;
  assert_int_equal(lw_path_exists(s.world, NULL, &query, &connected), LW_NO_GOAL);
  grid_world_close(&s);
}

static lw_profile_def car_def(void) {
  lw_profile_def car = lw_profile_def_default();
  car.name = "car";
  car.resistance_factor[LW_TRIANGULAR] = 18; /* open ground of resistance 0.5 costs 1 + 18 * 0.5 = 10 a metre */
  return car;
}

/* A car crosses `across` metres of ground, or drives down the road, over and up again: 2 * down + across + 2 of
   it. */
static bool takes_the_road(int across, int down) {
  char text[64][64];
  const char *rows[64];
  for (int z = 0; z <= down; z++) {
    for (int x = 0; x < across + 2; x++)
      text[z][x] = x == 0 || x == across + 1 || z == down ? '2' : z == 0 ? '1' : '#';
    text[z][across + 2] = 0;
    rows[z] = text[z];
  }
  lw_profile_def car = car_def();
  grid_world s = make_scene(rows, down + 1, &car);
  lw_path *path = find(&s, 0.5f, 0.5f, (float)across + 1.5f, 0.5f);
  bool road = lw_path_length(path) > (float)across + 1.5f;
  lw_path_destroy(path);
  grid_world_close(&s);
  return road;
}

static void a_road_is_ten_times_as_attractive_as_open_ground(void **state) {
  (void)state;
  /* 4 m of ground cost 40. The road's shortest string is about 4 + 2 * down long. */
  assert_true(takes_the_road(4, 17));
  assert_false(takes_the_road(4, 20));
}

static void a_profile_without_resistance_factor_ignores_the_road(void **state) {
  (void)state;
  static const char *const rows[] = {"2111112", "2#####2", "2#####2", "2222222"};
  lw_profile_def soldier = lw_profile_def_default();
  grid_world s = make_scene(rows, COUNT(rows), &soldier);
  lw_path *path = find(&s, 0.5f, 0.5f, 6.5f, 0.5f);
  assert_near(lw_path_length(path), 6);
  assert_near(lw_path_cost(path), 6);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void a_path_along_a_border_runs_on_its_cheaper_side(void **state) {
  (void)state;
  static const char *const rows[] = {"112", "111", "112", "112", "112", "111", "112"};
  lw_profile_def car = car_def();
  grid_world s = make_scene(rows, COUNT(rows), &car);
  lw_path *path = find(&s, 1.9f, 1.5f, 1.9f, 5.5f); /* beside three squares of road */
  float across = hypotf(0.1f, 0.5f);
  assert_near(lw_path_cost(path), 3 + 2 * 10 * across);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void pieces_pay_their_own_areas_price(void **state) {
  (void)state;
  static const char *const rows[] = {"1122"};
  lw_profile_def car = car_def();
  grid_world s = make_scene(rows, COUNT(rows), &car);
  lw_path *path = find(&s, 0.5f, 0.5f, 3.5f, 0.5f);
  assert_near(lw_path_length(path), 3);
  assert_near(lw_path_cost(path), 1.5f * 10 + 1.5f);
  int count;
  lw_path_points(path, &count);
  assert_int_equal(count, 3); /* the change of area is a point */
  assert_int_equal(lw_path_area(path, 0), GROUND);
  assert_int_equal(lw_path_area(path, 1), ROAD);
  assert_int_equal(lw_path_area(path, 2), LW_AREA_NONE);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void a_profile_that_cannot_swim_never_enters_deep_water(void **state) {
  (void)state;
  static const char *const rows[] = {"1313", "1#11"};
  lw_profile_def human = lw_profile_def_default();
  grid_world s = make_scene(rows, COUNT(rows), &human);
  lw_path *path;
  lw_path_query query = between(&s, 0.5f, 0.5f, 3.5f, 0.5f);
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_NO_PATH);
  grid_world_close(&s);
  human.can_swim = true;
  human.swim_resistance_factor = 3;
  s = make_scene(rows, COUNT(rows), &human);
  path = find(&s, 0.5f, 0.5f, 2.5f, 0.5f);
  assert_near(lw_path_cost(path), 1 + 4); /* a swum metre costs four */
  lw_path_destroy(path);
  grid_world_close(&s);
}

static lw_vec3 at(float x, float z) {
  return (lw_vec3){x, 0, z};
}

static void a_portal_seen_end_on_is_crossed_at_its_near_end(void **state) {
  (void)state;
  /* Round the corner (19, 15), then along x = 19 to a goal that is the end of the next portal. */
  const lwi_portal_ends portals[] = {{at(23, 10), at(19, 15)}, {at(19, 31), at(19, 18)}};
  lwi_corner_point corners[COUNT(portals) + 2];
  int count = lwi_funnel(at(1, 10), at(19, 18), portals, COUNT(portals), corners);
  assert_int_equal(count, 3);
  assert_near(corners[1].point.x, 19);
  assert_near(corners[1].point.z, 15);
}

static void a_portal_under_the_start_constrains_nothing(void **state) {
  (void)state;
  const lwi_portal_ends portals[] = {
      {at(10, 172), at(10, 179)}, {at(21, 184), at(10, 182)}, {at(19, 187), at(10, 182)}};
  lwi_corner_point corners[COUNT(portals) + 2];
  assert_int_equal(lwi_funnel(at(10, 176), at(17, 188), portals, COUNT(portals), corners), 2);
}

/* --- against a slow and obvious search: Dijkstra over points every twentieth of each portal --------------------------- */

#define SIDE 12
#define PER_EDGE 21

typedef struct oracle {
  const lw_navmesh *mesh;
  double *metres;  /* [polygon_count] */
  lw_vec3 *points; /* [portal_count * PER_EDGE] */
  double *cost;
  bool *done;
} oracle;

/* What a metre costs there, by the formula. */
static double metre(const lw_navmesh *mesh, const lw_profile_def *of, uint32_t polygon) {
  const lw_area_def *area = lw_area_table_get(mesh->areas, mesh->polygons.areas[polygon]);
  const double open = mesh->polygons.openness[polygon] / 255.0,
               least = mesh->polygons.depths[2 * polygon] / 100.0,
               most = mesh->polygons.depths[2 * polygon + 1] / 100.0, wade = (double)of->wade_depth;
  double deep = (double)area->deep_water; /* where no depth is known */
  if (most > 0) deep = most <= wade + 1e-4 ? 0 : wade <= least ? 1 : (most - wade) / (most - least);
  if (deep > 0 && !of->can_swim) return INFINITY;
  return 1 + (double)of->resistance_factor[area->type] * (double)area->resistance +
         (double)of->exposure_factor * (double)area->exposure * open +
         (double)of->swim_resistance_factor * deep;
}

static double oracle_cost(oracle *o, lw_vec3 from, uint32_t from_poly, lw_vec3 to, uint32_t to_poly) {
  const lw_navmesh *mesh = o->mesh;
  uint32_t total = mesh->graph.portal_count * PER_EDGE;
  double best = from_poly == to_poly ? (double)lwi_distance(from, to) * o->metres[from_poly] : INFINITY;
  for (uint32_t i = 0; i < total; i++) {
    o->cost[i] = INFINITY;
    o->done[i] = false;
  }
  uint32_t at_poly = from_poly;
  lw_vec3 at = from;
  double so_far = 0;
  for (;;) {
    double price = o->metres[at_poly];
    if (at_poly == to_poly) best = fmin(best, so_far + (double)lwi_distance(at, to) * price);
    for (uint32_t k = mesh->graph.first_portal[at_poly]; k < mesh->graph.end_portal[at_poly]; k++) {
      if (!isfinite(o->metres[mesh->graph.portals[k].to])) continue;
      for (uint32_t i = k * PER_EDGE; i < (k + 1) * PER_EDGE; i++)
        o->cost[i] = fmin(o->cost[i], so_far + (double)lwi_distance(at, o->points[i]) * price);
    }
    uint32_t next = LWI_NONE;
    for (uint32_t i = 0; i < total; i++)
      if (!o->done[i] && isfinite(o->cost[i]) && (next == LWI_NONE || o->cost[i] < o->cost[next])) next = i;
    if (next == LWI_NONE || o->cost[next] >= best) return best;
    o->done[next] = true;
    so_far = o->cost[next];
    at = o->points[next];
    at_poly = mesh->graph.portals[next / PER_EDGE].to;
  }
}

static void make_oracle(oracle *o, const lw_navmesh *mesh, const lw_profile_def *profile) {
  uint32_t total = mesh->graph.portal_count * PER_EDGE;
  *o = (oracle){mesh, malloc(mesh->polygons.count * sizeof *o->metres), malloc(total * sizeof *o->points),
                malloc(total * sizeof *o->cost), malloc(total)};
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    o->metres[p] = metre(mesh, profile, p);
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      lw_vec3 left, right;
      lwi_portal_points(mesh, p, &mesh->graph.portals[k], &left, &right);
      for (uint32_t i = 0; i < PER_EDGE; i++)
        o->points[k * PER_EDGE + i] = lwi_lerp(right, left, (float)i / (PER_EDGE - 1));
    }
  }
}

static void drop_oracle(oracle *o) {
  free(o->metres);
  free(o->points);
  free(o->cost);
  free(o->done);
}

static void random_rows(lw_random *random, char text[SIDE][SIDE + 1]) {
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) {
      float pick = lwi_random_unit(random);
      text[z][x] = pick < 0.25f ? '#' : pick < 0.75f ? '1' : pick < 0.95f ? '2' : '3';
    }
    text[z][SIDE] = 0;
  }
}

typedef struct excess {
  double sum, worst;
  int count, found;
} excess;

static void compare(const grid_world *s, oracle *o, lw_random *random, excess *result) {
  lw_path_query query = between(s, lwi_random_unit(random) * SIDE, lwi_random_unit(random) * SIDE,
                                lwi_random_unit(random) * SIDE, lwi_random_unit(random) * SIDE);
  lw_location from, to;
  const lw_filter *filter = &s->profile->prices.filter;
  if (lw_navmesh_nearest(s->mesh, query.from, query.snap, filter, &from) != LW_OK ||
      lw_navmesh_nearest(s->mesh, query.to, query.snap, filter, &to) != LW_OK)
    return;
  double expected = oracle_cost(o, from.point, lwi_poly_index(s->mesh, from.poly), to.point,
                                lwi_poly_index(s->mesh, to.poly));
  lw_path *path;
  lw_status status = lw_path_find(s->world, NULL, &query, &path);
  assert_int_equal(status, isfinite(expected) ? LW_OK : LW_NO_PATH);
  result->count += 1;
  if (!path) return;
  result->found += 1;
  double over = expected > 0 ? (double)lw_path_cost(path) / expected - 1 : 0;
  /* Nothing is cheaper than the optimum, but for the oracle's own steps of 5 cm. */
  if (over < -0.02) fail_msg("cost %g, but the optimum is %g", (double)lw_path_cost(path), expected);
  result->sum += over;
  result->worst = fmax(result->worst, over);
  lw_path_destroy(path);
}

static void random_mazes_agree_with_a_plain_search(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  excess plain = {0}, weighted = {0};
  for (int round = 0; round < 40; round++) {
    char text[SIDE][SIDE + 1];
    const char *rows[SIDE];
    random_rows(&random, text);
    for (int z = 0; z < SIDE; z++) rows[z] = text[z];
    lw_profile_def def = round % 2 ? car_def() : lw_profile_def_default();
    def.resistance_factor[LW_TRIANGULAR] = round % 2 ? 4.0f : 0.0f;
    grid_world s = make_scene(rows, SIDE, &def);
    oracle o;
    make_oracle(&o, s.mesh, &def);
    for (int i = 0; i < 15; i++) compare(&s, &o, &random, round % 2 ? &weighted : &plain);
    drop_oracle(&o);
    grid_world_close(&s);
  }
  assert_true(plain.found > 100 && weighted.found > 100 && plain.found < plain.count);
  printf("note: seed %u: cost above the optimum, one price: mean %.2f %%, worst %.1f %%; two prices: mean %.2f "
         "%%, "
         "worst %.1f %%\n",
         SEED, 100 * plain.sum / plain.found, 100 * plain.worst, 100 * weighted.sum / weighted.found,
         100 * weighted.worst);
  assert_true(plain.sum / plain.found < 0.01);
  assert_true(weighted.sum / weighted.found < 0.005 && weighted.worst < 0.08);
}

/* Every square as open and as deep as chance has it: nearly every border has another price behind it. */
static void random_openness_agrees_with_a_plain_search(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  excess result = {0};
  for (int round = 0; round < 16; round++) {
    char text[SIDE][SIDE + 1];
    const char *rows[SIDE];
    random_rows(&random, text);
    for (int z = 0; z < SIDE; z++) rows[z] = text[z];
    lw_profile_def def = lw_profile_def_default();
    def.exposure_factor = 4;
    def.swim_resistance_factor = 3;
    def.can_swim = round % 2;
    lw_area_table *areas = support_road_and_water();
    lw_navmesh *mesh = support_grid(areas, rows, SIDE, 1);
    for (uint32_t p = 0; p < mesh->polygons.count; p++) {
      mesh->polygons.openness[p] = (uint8_t)(lwi_random_bits(&random) % 16 * 17);
      const uint64_t most = lwi_random_unit(&random) < 0.25f ? lwi_random_bits(&random) % 120 : 0;
      mesh->polygons.depths[2 * p] = (uint8_t)(most > 0 ? lwi_random_bits(&random) % most : 0);
      mesh->polygons.depths[2 * p + 1] = (uint8_t)most;
    }
    grid_world s = grid_world_open_on(areas, mesh, &def, NULL);
    oracle o;
    make_oracle(&o, s.mesh, &def);
    for (int i = 0; i < 15; i++) compare(&s, &o, &random, &result);
    drop_oracle(&o);
    grid_world_close(&s);
  }
  printf("note: seed %u: cost above the optimum where every square is as open as chance has it: mean %.2f %%, "
         "worst "
         "%.1f %%\n",
         SEED, 100 * result.sum / result.found, 100 * result.worst);
  assert_true(result.found > 100);
  assert_true(result.sum / result.found < 0.01 && result.worst < 0.12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_ground_is_crossed_in_a_straight_line),
      cmocka_unit_test(a_path_turns_at_the_corners_of_walls),
      cmocka_unit_test(start_and_goal_in_one_polygon_make_one_piece),
      cmocka_unit_test(a_path_that_cannot_be_found_names_the_reason),
      cmocka_unit_test(a_partial_path_ends_at_the_reachable_point_nearest_the_goal),
      cmocka_unit_test(connectivity_is_answered_without_a_search),
      cmocka_unit_test(a_road_is_ten_times_as_attractive_as_open_ground),
      cmocka_unit_test(a_profile_without_resistance_factor_ignores_the_road),
      cmocka_unit_test(a_path_along_a_border_runs_on_its_cheaper_side),
      cmocka_unit_test(pieces_pay_their_own_areas_price),
      cmocka_unit_test(a_profile_that_cannot_swim_never_enters_deep_water),
      cmocka_unit_test(a_portal_seen_end_on_is_crossed_at_its_near_end),
      cmocka_unit_test(a_portal_under_the_start_constrains_nothing),
      cmocka_unit_test(random_mazes_agree_with_a_plain_search),
      cmocka_unit_test(random_openness_agrees_with_a_plain_search),
  };
  return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
