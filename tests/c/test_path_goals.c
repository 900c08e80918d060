/* Paths to the cheapest of several goals, compared with one query for each goal. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "random_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126
#define GOALS_MAX 12

static const char *const AREAS[] = {"ground", "mud", "river"};

typedef struct counts {
  int found, no_path, no_goal, partial;
} counts;

/* The cheapest path by itself to one goal. @return Its goal, or -1 and why there is none. */
static int cheapest_alone(const lw_world *world, lw_path_query query, float *cost, lw_status *why) {
  const lw_vec3 *goals = query.goals;
  const int count = query.goal_count;
  int best = -1;
  *why = LW_NO_GOAL;
  query.goals = NULL;
  query.goal_count = 0;
  query.allow_partial = false;
  for (int i = 0; i < count; i++) {
    lw_path *path;
    query.to = goals[i];
    const lw_status status = lw_path_find(world, NULL, &query, &path);
    if (status == LW_NO_START) *why = status;
    if (status == LW_NO_PATH && *why != LW_NO_START) *why = status;
    if (status == LW_OK && (best < 0 || lw_path_cost(path) < *cost)) {
      *cost = lw_path_cost(path);
      best = i;
    }
    lw_path_destroy(path);
  }
  return best;
}

static void compare(const lw_world *world, const lw_path_query *query, counts *counted) {
  float cost = 0;
  lw_status why;
  lw_path *path;
  const int best = cheapest_alone(world, *query, &cost, &why);
  const lw_status status = lw_path_find(world, NULL, query, &path);
  if (best >= 0) {
    assert_int_equal(status, LW_OK);
    assert_float_equal(lw_path_cost(path), cost, 1e-6f * cost);
    assert_true(lw_path_goal(path) == best || lw_path_cost(path) == cost);
    counted->found += 1;
  } else if (query->allow_partial && status == LW_PARTIAL) {
    assert_true(lw_path_is_partial(path));
    counted->partial += 1;
  } else {
    if (!query->allow_partial) assert_int_equal(status, why);
    if (query->allow_partial) assert_in_set(status, ((LargestIntegralType[]){LW_NO_START, LW_NO_PATH}), 2);
    assert_null(path);
    counted->no_path += status == LW_NO_PATH;
    counted->no_goal += status == LW_NO_GOAL;
  }
  lw_path_destroy(path);
}

static lw_profile *make_profile(const lw_area_table *areas, lw_random *random, float radius) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = radius;
  def.area_factor[2] = 3 * lwi_random_unit(random);
  def.area_factor[3] = 8 * lwi_random_unit(random);
  def.cover_bias = 4;
  def.danger_cost = 20;
  if (random_pick(random, 3) == 0) def.avoid[3] = true;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return profile;
}

static lw_vec3 place_near(lw_random *random, int navmeshes) {
  lw_vec3 place = random_place(random, random_pick(random, navmeshes));
  if (random_pick(random, 6) == 0) place.z += 100; /* nowhere */
  return place;
}

static void ask(const lw_world *world, const lw_profile *profile, lw_random *random, int navmeshes,
                counts *counted) {
  lw_path_query query = lw_path_query_default();
  lw_vec3 goals[GOALS_MAX];
  query.snap = (lw_vec3){0.6f, 2, 0.6f};
  query.profile = profile;
  query.goals = goals;
  query.goal_count = 1 + random_pick(random, random_pick(random, 2) ? 2 : GOALS_MAX);
  query.allow_partial = random_pick(random, 2) == 0;
  query.from = random_place(random, random_pick(random, navmeshes));
  for (int i = 0; i < query.goal_count; i++) goals[i] = place_near(random, navmeshes);
  lw_threat threat = lw_threat_default();
  threat.at = random_place(random, 0);
  threat.at.y += 1.6f;
  if (random_pick(random, 4) == 0) {
    query.threats = &threat;
    query.threat_count = 1;
  }
  compare(world, &query, counted);
}

static void add_danger(lw_world *world, lw_random *random) {
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = random_place(random, 0);
  def.radius = 2;
  assert_int_equal(lw_danger_add(world, &def, &id, NULL), LW_OK);
}

/* On one navmesh and on several, with mud, links, dangers, threats, agents of two sizes. */
static void test_random_worlds(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  counts counted = {0};
  lw_area_table *areas = support_areas(AREAS, 3);
  for (int round = 0; round < 120; round++) {
    const int count = 1 + round % 3;
    lw_navmesh *meshes[3];
    for (int i = 0; i < count; i++) meshes[i] = random_mesh(&random, areas, i);
    lw_world *world;
    lw_world_def def = lw_world_def_default();
    def.navmesh = meshes[0];
    if (count > 1)
      world = random_world(&random, (const lw_navmesh *const *)meshes, count);
    else
      assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
    lw_profile *profile = make_profile(areas, &random, round % 4 == 0 ? 0.7f : 0.3f);
    if (round % 2) add_danger(world, &random);
    lw_world_step(world, 0.1f);
    for (int i = 0; i < 12; i++) ask(world, i % 3 ? profile : NULL, &random, count, &counted);
    lw_world_destroy(world);
    lw_profile_destroy(profile);
    for (int i = 0; i < count; i++) lw_navmesh_destroy(meshes[i]);
  }
  printf("note: %d found, %d not connected, %d without a goal, %d partial\n", counted.found, counted.no_path,
         counted.no_goal, counted.partial);
  assert_true(counted.found > 500 && counted.no_path > 20 && counted.no_goal > 5 && counted.partial > 20);
  lw_area_table_destroy(areas);
}

#define SIDE 60
static lw_navmesh *large_map(const lw_area_table *areas, lw_random *random) {
  static char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) text[z][x] = lwi_random_unit(random) < 0.25f ? '#' : '1';
    rows[z] = text[z];
  }
  return support_grid(areas, rows, SIDE, 2);
}

/* A hundred goals take a few searches: far fewer nodes than a hundred queries. */
static void test_nodes(void **state) {
  (void)state;
  enum { GOALS = 100, QUERIES = 40 };
  lw_random random = lwi_random_make(SEED, 2);
  lw_area_table *areas = support_areas(AREAS, 3);
  lw_navmesh *mesh = large_map(areas, &random);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  double together = 0, alone = 0;
  for (int q = 0; q < QUERIES; q++) {
    lw_path_query query = lw_path_query_default();
    lw_vec3 goals[GOALS];
    query.from = (lw_vec3){2 * SIDE * lwi_random_unit(&random), 0, 5};
    for (int i = 0; i < GOALS; i++) {
      goals[i] = (lw_vec3){2 * SIDE * lwi_random_unit(&random), 0, 0};
      goals[i].z = 60 + SIDE * lwi_random_unit(&random);
    }
    query.goals = goals;
    query.goal_count = GOALS;
    lw_path *path;
    if (lw_path_find(world, NULL, &query, &path) != LW_OK) continue;
    together += lw_path_nodes(path);
    lw_path_destroy(path);
    for (int i = 0; i < GOALS; i++) {
      lw_path_query one = lw_path_query_default();
      one.from = query.from;
      one.to = goals[i];
      if (lw_path_find(world, NULL, &one, &path) == LW_OK) alone += lw_path_nodes(path);
      lw_path_destroy(path);
    }
  }
  printf("note: %.0f nodes for a hundred goals, %.0f one by one\n", together / QUERIES, alone / QUERIES);
  assert_true(together > 0 && together < alone / 10);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
}

static void test_bad_input(void **state) {
  (void)state;
  static const char *const rows[] = {"....", "...."};
  const lw_vec3 goals[] = {{7, 0, 1}, {3, 0, 1}, {NAN, 0, 0}};
  lw_area_table *areas = support_areas(AREAS, 3);
  lw_navmesh *mesh = support_grid(areas, rows, 2, 2);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){NAN, 0, 0}; /* unused */
  query.goals = goals;
  query.goal_count = 2;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  assert_int_equal(lw_path_goal(path), 1);
  lw_explanation *explanation; /* beside the shortest path to the same goal */
  assert_int_equal(lw_path_explain(path, world, NULL, &query, &explanation), LW_OK);
  assert_int_equal(lw_explanation_comparison(explanation)->status, LW_OK);
  lw_explanation_destroy(explanation);
  lw_path_destroy(path);
  query.max_nodes = 1;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OUT_OF_NODES);
  query.max_nodes = 1000;
  lw_search *search; /* in slices, and by the planner, the same one */
  lw_request_id request;
  lw_path *whole;
  assert_int_equal(lw_path_find(world, NULL, &query, &whole), LW_OK);
  assert_int_equal(lw_search_begin(world, NULL, &query, &search), LW_OK);
  assert_int_equal(lw_search_finish(search, &path), LW_OK);
  assert_int_equal(lw_path_goal(path), lw_path_goal(whole));
  lw_path_destroy(path);
  assert_int_equal(lw_path_request(world, &query, 0, &request), LW_OK);
  assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  assert_int_equal(lw_path_request_take(world, request, &path), LW_OK);
  assert_int_equal(lw_path_goal(path), lw_path_goal(whole));
  lw_path_destroy(path);
  lw_path_destroy(whole);
  query.goal_count = 3;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_INVALID);
  query.goal_count = -1;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_INVALID);
  query.goal_count = 2;
  query.goals = NULL;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_INVALID);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_worlds),
      cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
