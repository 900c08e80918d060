/* Bounds at prices are computed by parts of the work of steps, and count from the same step on whatever else happens. */
#include "mixed_ground.h"

#include "leeward/planner.h"
#include "leeward/save.h"

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
#define WORK 1000
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

/* @param meanwhile  The same path is asked for between two steps, too. @return The steps until the answer. */
static int wait_for_request(lw_world *world, bool meanwhile) {
  lw_request_id id;
  int steps = 0;
  assert_int_equal(lw_path_request(world, &ask, 0, &id), LW_OK);
  do {
    if (meanwhile && steps == 3) lw_path_destroy(find(world));
    step(world);
    steps += 1;
    assert_true(steps < STEPS_MAX);
  } while (stats_of(world).waiting_requests > 0);
  lw_path *path, *whole = find(world);
  assert_int_equal(lw_path_request_take(world, id, &path), LW_OK);
  assert_float_equal(lw_path_cost(path), lw_path_cost(whole), 0);
  lw_path_destroy(path);
  lw_path_destroy(whole);
  return steps;
}

static void no_step_computes_them_all_at_once(void **state) {
  lw_world *world = make_world(1);
  (void)state;
  step(world);
  const int first = wait_for_request(world, false), used_max = stats_of(world).used_max,
            second = wait_for_request(world, false);
  print_message("note: %d steps for the first path, then %d; %d work of one step\n", first, second, used_max);
  assert_in_range(first, 20, STEPS_MAX);
  assert_in_range(second, 1, 3);
  assert_in_range(used_max, WORK / 2, 2 * WORK);
  lw_world_destroy(world);
}

static void others_change_nothing_about_when_they_count(void **state) {
  int steps[6];
  (void)state;
  for (int i = 0; i < 6; i++) {
    lw_world *world = make_world(1 << i / 2);
    step(world);
    steps[i] = wait_for_request(world, i % 2 == 1);
    lw_world_destroy(world);
    assert_int_equal(steps[i], steps[0]);
  }
}

static void who_needs_none_does_not_wait_for_them(void **state) {
  lw_path_query plain = ask;
  lw_request_id slow, quick;
  lw_path *path;
  (void)state;
  plain.profile = NULL;
  for (int threads = 1; threads <= 2; threads++) {
    lw_world *world = make_world(threads);
    step(world);
    assert_int_equal(lw_path_request(world, &ask, 1, &slow), LW_OK);
    assert_int_equal(lw_path_request(world, &plain, 0, &quick), LW_OK);
    step(world);
    assert_int_equal(lw_path_request_take(world, quick, &path), LW_OK);
    lw_path_destroy(path);
    assert_int_equal(lw_path_request_take(world, slow, &path), LW_UNFINISHED);
    lw_world_destroy(world);
  }
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

/* A game that is saved when an agent has waited so long, and goes on twice: both run alike, to the end of its wait. */
static void save_in_the_middle(int after) {
  lw_world *world = make_world(1), *loaded = NULL;
  int waited = 0;
  step(world);
  const lw_agent_id id = spawn(world);
  assert_int_equal(lw_agent_move_to(world, id, ask.to, 0.5f), LW_OK);
  assert_true(waits(world, id));
  for (int i = 0; i < after; i++) step(world);
  assert_int_equal(lw_world_save(world, file_name, NULL), LW_OK);
  loaded = restore(2);
  assert_true(lw_world_hash(world) == lw_world_hash(loaded));
  for (int i = 0; i < 120; i++) {
    waited += waits(world, id);
    step(world);
    step(loaded);
    assert_true(lw_world_hash(world) == lw_world_hash(loaded));
  }
  assert_true(after > 120 || waited > 3);
  assert_false(waits(world, id));
  lw_world_destroy(loaded);
  lw_world_destroy(world);
}

static void a_saved_game_goes_on_computing_them(void **state) {
  (void)state;
  save_in_the_middle(0);
  save_in_the_middle(7);
  save_in_the_middle(60);
  save_in_the_middle(150);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_step_computes_them_all_at_once),
      cmocka_unit_test(others_change_nothing_about_when_they_count),
      cmocka_unit_test(who_needs_none_does_not_wait_for_them),
      cmocka_unit_test(agents_that_are_there_from_the_beginning_do_not_wait),
      cmocka_unit_test(a_saved_game_goes_on_computing_them),
  };
  return cmocka_run_group_tests_name("plan_tables", tests, open_ground, close_ground);
}
