/* Bounds at prices are computed by parts of the work of steps, and count from the same step on whatever else happens. Until
   then paths are searched without them. */
#include "mixed_ground.h"
#include "query/workspace.h"
#include "world/world.h"

#include "leeward/planner.h"
#include "leeward/save.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SEED 20261128u
#define DT (1.0f / 30)
#define WORK 500
#define STEPS_MAX 400

static mixed_ground ground;
static lw_path_query ask; /* over mixed ground */
static char file_name[] = "/tmp/leeward_plan_tables_XXXXXX";

static lw_world *make_world(int threads) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = ground.mesh;
  def.search_work = WORK;
  def.threads = threads;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void step(lw_world *world) {
  assert_int_equal(lw_world_step(world, DT), LW_OK);
}

static lw_planner_stats stats_of(const lw_world *world) {
  lw_planner_stats stats;
  assert_int_equal(lw_world_get_planner_stats(world, &stats), LW_OK);
  return stats;
}

static int open_ground(void **state) {
  lw_error error;
  (void)state;
  if (mixed_open("wz_highground", MIXED_POLYGONS, SEED, &ground, &error) != LW_OK) return -1;
  lw_location from, to;
  ask = lw_path_query_default();
  ask.profile = ground.profiles[0];
  while (!mixed_draw(&ground, ask.profile, &from, &to)) continue;
  ask.from = from.point;
  ask.to = to.point;
  const int file = mkstemp(file_name);
  return file >= 0 ? close(file) : -1;
}

static int close_ground(void **state) {
  (void)state;
  unlink(file_name);
  mixed_close(&ground);
  return 0;
}

/* --- requests --------------------------------------------------------------------------------------------- */

static lw_path *find(const lw_world *world) {
  lw_path *path;
  assert_int_equal(lw_path_find(world, NULL, &ask, &path), LW_OK);
  return path;
}

/* @param meanwhile  The same path is asked for between two steps, too. @param[out] used  Work, in all.
   @return The steps until the answer. */
static int wait_for_request(lw_world *world, bool meanwhile, int *used) {
  lw_request_id id;
  lw_path *path;
  int steps = 0;
  *used = 0;
  assert_int_equal(lw_path_request(world, &ask, 0, &id), LW_OK);
  do {
    if (meanwhile) lw_path_destroy(find(world));
    step(world);
    *used += stats_of(world).used;
    assert_true(++steps < STEPS_MAX);
  } while (stats_of(world).waiting_requests > 0);
  assert_int_equal(lw_path_request_take(world, id, &path), LW_OK);
  lw_path_destroy(path);
  return steps;
}

/* The work of a search with all bounds: before the first step they count at once. */
static int find_bounded_work(void) {
  lw_world *world = make_world(1);
  int used;
  wait_for_request(world, false, &used);
  lw_world_destroy(world);
  return used;
}

/* Ask again and again until no work but that of such a search is done. @return The steps up to then. */
static int steps_until_bounded(lw_world *world, bool meanwhile, int *asked) {
  const int bounded = find_bounded_work();
  int steps = 0, used;
  *asked = 0;
  do {
    steps += wait_for_request(world, meanwhile, &used);
    *asked += 1;
    assert_true(steps < STEPS_MAX);
  } while (used != bounded);
  return steps;
}

static void paths_are_found_while_they_are_computed(void **state) {
  lw_world *world = make_world(1);
  int used, asked;
  (void)state;
  step(world);
  const int first = wait_for_request(world, false, &used), after = steps_until_bounded(world, false, &asked),
            used_max = stats_of(world).used_max;
  print_message("note: %d steps for the first path; bounded after %d more paths in %d; %d work of one step\n",
                first, asked, after, used_max);
  assert_in_range(first, 1, 40);
  assert_in_range(after, 20, STEPS_MAX);
  assert_true(asked > 3);
  assert_in_range(used_max, WORK / 2, 2 * WORK);
  lw_world_destroy(world);
}

static void paths_without_them_are_nearly_as_good(void **state) {
  lw_world *world = make_world(1);
  lw_path *path, *bounded = find(world);
  lw_request_id id;
  (void)state;
  step(world);
  assert_int_equal(lw_path_request(world, &ask, 0, &id), LW_OK);
  while (lw_path_request_take(world, id, &path) == LW_UNFINISHED) step(world);
  assert_true(lw_path_cost(path) < 1.02f * lw_path_cost(bounded));
  lw_path_destroy(path);
  lw_path_destroy(bounded);
  lw_world_destroy(world);
}

static void others_change_nothing_about_when_they_count(void **state) {
  int steps[6], asked;
  (void)state;
  for (int i = 0; i < 6; i++) {
    lw_world *world = make_world(1 << i / 2);
    step(world);
    steps[i] = steps_until_bounded(world, i % 2 == 1, &asked);
    lw_world_destroy(world);
    assert_int_equal(steps[i], steps[0]);
  }
}

/* --- in steps --------------------------------------------------------------------------------------------- */

/* As a leaf asks: in a step. @return Was the path searched by bounds? */
static bool find_in_step(lw_world *world) {
  const int nav = 0;
  world->scene.stepping = true;
  lw_path_destroy(find(world));
  world->scene.stepping = false;
  const lwi_point_scratch *points = &world->scene.own->navs[nav].search.points;
  return points->sweep.work == 0;
}

/* A leaf asks in each step until bounds count. @param meanwhile  They are computed at once between the steps, too.
   @return The steps up to then. */
static int steps_until_leaf_is_bounded(lw_world *world, bool meanwhile) {
  for (int steps = 1; steps < STEPS_MAX; steps++) {
    lw_workspace *own = world->scene.own;
    if (meanwhile) lw_path_destroy(find(world));
    step(world);
    own->navs[0].search.points.sweep.work = 0;
    if (find_in_step(world)) return steps;
  }
  return STEPS_MAX;
}

static void leaves_do_not_wait_for_them(void **state) {
  int steps[4];
  (void)state;
  for (int i = 0; i < 4; i++) {
    lw_world *world = make_world(1 + i / 2);
    step(world);
    steps[i] = steps_until_leaf_is_bounded(world, i % 2 == 1);
    lw_world_destroy(world);
    assert_in_range(steps[i], 20, STEPS_MAX - 1);
    assert_int_equal(steps[i], steps[0]);
  }
  print_message("note: a leaf that asks for a path in each step is bounded after %d\n", steps[0]);
}

#define PAIRS 60

static float cost_in_step(lw_world *world, lw_path_query query, lw_quality quality) {
  lw_path *path;
  query.quality = quality;
  world->scene.stepping = true;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  world->scene.stepping = false;
  const float cost = lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

static void without_them_good_paths_cost_no_more_than_fast_ones(void **state) {
  lw_world *world = make_world(1);
  (void)state;
  step(world);
  for (int i = 0; i < PAIRS; i++) {
    lw_location from, to;
    lw_path_query query = ask;
    while (!mixed_draw(&ground, ask.profile, &from, &to)) continue;
    query.from = from.point;
    query.to = to.point;
    const float good = cost_in_step(world, query, LW_QUALITY_GOOD),
                fast = cost_in_step(world, query, LW_QUALITY_FAST);
    assert_true(good <= fast * 1.00001f);
  }
  lw_world_destroy(world);
}

/* --- agents ----------------------------------------------------------------------------------------------- */

static lw_agent_id spawn_at(lw_world *world, lw_vec3 at) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = ask.profile;
  def.at = at;
  assert_int_equal(lw_agent_spawn(world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_agent_id spawn(lw_world *world) {
  return spawn_at(world, ask.from);
}

static bool waits(const lw_world *world, lw_agent_id id) {
  lw_agent_state agent;
  assert_int_equal(lw_agent_get_state(world, id, &agent), LW_OK);
  assert_int_equal(agent.move, LW_MOVE_WALKING);
  return agent.waits_for_path;
}

static void agents_that_are_there_from_the_beginning_do_not_wait(void **state) {
  lw_world *world = make_world(1);
  (void)state;
  const lw_agent_id id = spawn(world);
  lw_world_set_search_work(world, 1000000);
  step(world);
  assert_int_equal(lw_agent_move_to(world, id, ask.to, 0.5f), LW_OK);
  assert_false(waits(world, id));
  lw_world_destroy(world);
}

static lw_world *restore(int threads) {
  lw_world *world = make_world(threads);
  lw_saved *saved;
  assert_int_equal(lw_saved_open(file_name, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(world, saved, NULL), LW_OK);
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent agent;
    assert_int_equal(lw_saved_get_agent(saved, i, &agent), LW_OK);
    assert_int_equal(lw_agent_restore(world, spawn_at(world, agent.at), saved, i), LW_OK);
  }
  lw_saved_destroy(saved);
  return world;
}

static void agents_set_out_at_once(void **state) {
  lw_world *world = make_world(1);
  lw_agent_state agent;
  (void)state;
  step(world);
  const lw_agent_id id = spawn(world);
  assert_int_equal(lw_agent_move_to(world, id, ask.to, 0.5f), LW_OK);
  for (int i = 0; i < 3; i++) step(world);
  assert_int_equal(lw_agent_get_state(world, id, &agent), LW_OK);
  assert_true(agent.waits_for_path);
  assert_true(hypotf(agent.velocity.x, agent.velocity.z) > 1);
  lw_world_destroy(world);
}

static void one_that_asked_once_has_them_computed(void **state) {
  int used, steps = 0;
  (void)state;
  lw_world *world = make_world(1);
  step(world);
  const lw_agent_id id = spawn(world);
  assert_int_equal(lw_agent_move_to(world, id, ask.to, 0.5f), LW_OK);
  do {
    step(world);
    assert_true(++steps < STEPS_MAX);
  } while (stats_of(world).used > 0);
  wait_for_request(world, false, &used);
  assert_int_equal(used, find_bounded_work());
  lw_world_destroy(world);
}

/* A game that is saved so many steps after an agent was sent, and goes on twice: both run alike. */
static void save_in_the_middle(int after) {
  lw_world *world = make_world(1), *loaded = NULL;
  int working = 0;
  step(world);
  const lw_agent_id id = spawn(world);
  assert_int_equal(lw_agent_move_to(world, id, ask.to, 0.5f), LW_OK);
  for (int i = 0; i < after; i++) step(world);
  assert_true(after > 5 || waits(world, id)); /* then its search is saved, too */
  assert_int_equal(lw_world_save(world, file_name, NULL), LW_OK);
  loaded = restore(2);
  assert_true(lw_world_hash(world) == lw_world_hash(loaded));
  for (int i = 0; i < 120; i++) {
    step(world);
    step(loaded);
    working += stats_of(world).used > 0;
    assert_int_equal(stats_of(world).used, stats_of(loaded).used);
    assert_true(lw_world_hash(world) == lw_world_hash(loaded));
  }
  assert_true(after > 60 || working > 10);
  lw_world_destroy(loaded);
  lw_world_destroy(world);
}

static void a_saved_game_goes_on_computing_them(void **state) {
  (void)state;
  save_in_the_middle(0);
  save_in_the_middle(1);
  save_in_the_middle(2);
  save_in_the_middle(20);
  save_in_the_middle(60);
  save_in_the_middle(150);
}

static void a_saved_game_bounds_paths_of_leaves_from_the_same_step_on(void **state) {
  lw_world *world = make_world(1);
  (void)state;
  step(world);
  for (int i = 0; i < 60; i++) {
    step(world);
    assert_false(find_in_step(world));
  }
  assert_int_equal(lw_world_save(world, file_name, NULL), LW_OK);
  lw_world *loaded = restore(2);
  assert_true(lw_world_hash(world) == lw_world_hash(loaded));
  assert_int_equal(steps_until_leaf_is_bounded(world, false), steps_until_leaf_is_bounded(loaded, true));
  lw_world_destroy(loaded);
  lw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_found_while_they_are_computed),
      cmocka_unit_test(paths_without_them_are_nearly_as_good),
      cmocka_unit_test(others_change_nothing_about_when_they_count),
      cmocka_unit_test(leaves_do_not_wait_for_them),
      cmocka_unit_test(without_them_good_paths_cost_no_more_than_fast_ones),
      cmocka_unit_test(agents_that_are_there_from_the_beginning_do_not_wait),
      cmocka_unit_test(agents_set_out_at_once),
      cmocka_unit_test(one_that_asked_once_has_them_computed),
      cmocka_unit_test(a_saved_game_goes_on_computing_them),
      cmocka_unit_test(a_saved_game_bounds_paths_of_leaves_from_the_same_step_on),
  };
  return cmocka_run_group_tests_name("plan_tables", tests, open_ground, close_ground);
}
