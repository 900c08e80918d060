/* Long searches among obstacles, on wide ground between walls: they are led along the path that there was before the
   obstacles, and look at little of the ground beside it. */
#include "grid_world.h"
#include "obstacle_level.h"

#include "core/random.h"
#include "leeward/path.h"
#include "leeward/planner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SIZE 200
#define SQUARES 20
/* One box for 40 square metres. */
#define BOXES (SIZE * SIZE / 40)
#define PAIRS 40
/* For each metre of a path. Searches that look at all ground beside it take half as many again. */
#define NODES_A_METRE 5.5
/* How much longer than the exact one a path may be: each, and all together. */
#define MAX_EXCESS 0.05f
#define MEAN_EXCESS 0.006

/* Walls between which paths turn often: bounds on what is left are far off there. */
static int open_field(void **state) {
  static char rows[SQUARES][SQUARES + 1];
  const char *all[SQUARES];
  static grid_world field;
  for (int z = 0; z < SQUARES; z++) {
    for (int x = 0; x < SQUARES; x++) rows[z][x] = z % 4 == 2 && (x + 3 * z) % 12 > 2 ? '#' : '1';
    all[z] = rows[z];
  }
  field = grid_world_open(all, SQUARES, (float)SIZE / SQUARES, NULL, NULL);
  *state = &field;
  lw_random random = lwi_random_make(20261127, 0);
  for (int i = 0; i < BOXES; i++) {
    lw_obstacle_def def =
        obstacle_box(SIZE * lwi_random_unit(&random), SIZE * lwi_random_unit(&random), 1.5f, 1.5f);
    def.yaw = 6.3f * lwi_random_unit(&random);
    obstacle_add(&field, &def);
  }
  return lw_world_apply_changes(field.world) == LW_OK ? 0 : -1;
}

static int close_field(void **state) {
  grid_world_close(*state);
  return 0;
}

static lw_path *find(const grid_world *field, lw_path_query query, lw_quality quality) {
  lw_path *path;
  query.quality = quality;
  assert_int_equal(lw_path_find(field->world, NULL, &query, &path), LW_OK);
  return path;
}

/* Two places between which there is a path. */
static lw_path_query draw(const grid_world *field, lw_random *random) {
  lw_path_query query = lw_path_query_default();
  lw_path *path = NULL;
  query.max_nodes = 1 << 20;
  while (!path) {
    query.from = (lw_vec3){SIZE * lwi_random_unit(random), 0, SIZE * lwi_random_unit(random)};
    query.to = (lw_vec3){SIZE * lwi_random_unit(random), 0, SIZE * lwi_random_unit(random)};
    lw_path_find(field->world, NULL, &query, &path);
  }
  lw_path_destroy(path);
  return query;
}

static void nodes_grow_with_the_length_of_the_path(void **state) {
  const grid_world *field = *state;
  lw_random random = lwi_random_make(7, 0);
  double length = 0, nodes = 0, exact_length = 0;
  for (int i = 0; i < PAIRS; i++) {
    const lw_path_query query = draw(field, &random);
    lw_path *path = find(field, query, LW_QUALITY_GOOD), *exact = find(field, query, LW_QUALITY_EXACT);
    assert_true(lw_path_length(path) <= lw_path_length(exact) * (1 + MAX_EXCESS));
    length += (double)lw_path_length(path);
    exact_length += (double)lw_path_length(exact);
    nodes += lw_path_nodes(path);
    lw_path_destroy(path);
    lw_path_destroy(exact);
  }
  printf("note: %.2f nodes a metre, %.3f %% longer than exact paths\n", nodes / length,
         100 * (length / exact_length - 1));
  assert_true(nodes <= NODES_A_METRE * length);
  assert_true(length <= exact_length * (1 + MEAN_EXCESS));
}

static void slices_find_what_whole_searches_find(void **state) {
  const grid_world *field = *state;
  lw_random random = lwi_random_make(8, 0);
  for (int i = 0; i < PAIRS / 4; i++) {
    const lw_path_query query = draw(field, &random);
    lw_path *whole = find(field, query, LW_QUALITY_GOOD), *sliced;
    lw_search *search;
    assert_int_equal(lw_search_begin(field->world, NULL, &query, &search), LW_OK);
    while (lw_search_step(search, 1 + i) == LW_UNFINISHED) {
    }
    assert_int_equal(lw_search_finish(search, &sliced), LW_OK);
    assert_true(lw_path_cost(whole) == lw_path_cost(sliced));
    assert_int_equal(lw_path_nodes(whole), lw_path_nodes(sliced));
    lw_path_destroy(whole);
    lw_path_destroy(sliced);
  }
}

static void nodes_count_over_all_stages(void **state) {
  const grid_world *field = *state;
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){SIZE - 1, 0, SIZE - 1};
  path = find(field, query, LW_QUALITY_GOOD);
  const int nodes = lw_path_nodes(path);
  lw_path_destroy(path);
  query.max_nodes = nodes;
  assert_int_equal(lw_path_find(field->world, NULL, &query, &path), LW_OK);
  lw_path_destroy(path);
  for (query.max_nodes = 1; query.max_nodes < nodes; query.max_nodes = 2 * query.max_nodes + 1)
    assert_int_equal(lw_path_find(field->world, NULL, &query, &path), LW_OUT_OF_NODES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_grow_with_the_length_of_the_path),
                                     cmocka_unit_test(slices_find_what_whole_searches_find),
                                     cmocka_unit_test(nodes_count_over_all_stages)};
  return cmocka_run_group_tests_name("long_searches", tests, open_field, close_field);
}
