/* Obstacles by the C API: the rules of motion, what they are attached to and carried by, and what becomes of agents. */
#include "core/random.h"
#include "obstacle_level.h"
#include "leeward/leeward.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* --- rules of motion ---------------------------------------------------------------------------------------- */

static void a_fast_one_is_taken_out_until_it_is_slow_again(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  obstacle_level_step(l, 1);
  obstacle_move(l, id, 11, 7.5f, 0, 6);
  obstacle_level_step(l, 1);
  assert_true(!obstacle_is_cut(l, id) && obstacle_level_has_ground(l, 10, 7.5f) &&
              obstacle_level_has_ground(l, 11, 7.5f));
  obstacle_move(l, id, 12, 7.5f, 0, 5.6f);
  obstacle_level_step(l, 1);
  assert_false(obstacle_is_cut(l, id));
  obstacle_move(l, id, 13, 7.5f, 0, 5.5f);
  obstacle_level_step(l, 1);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 13, 7.5f));
}

static void a_slow_one_is_cut_again_after_each_metre_and_where_it_rests(void **state) {
  grid_world *l = *state;
  lw_obstacle_state at;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  obstacle_level_step(l, 1);
  obstacle_move(l, id, 10.9f, 7.5f, 0, 1);
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 11.5f, 7.5f));
  obstacle_move(l, id, 11.1f, 7.5f, 0, 1);
  obstacle_level_step(l, 1);
  assert_false(obstacle_level_has_ground(l, 11.5f, 7.5f));
  obstacle_move(l, id, 11.6f, 7.5f, 0, 0); /* at rest */
  obstacle_level_step(l, 1);
  lw_obstacle_get_state(l->world, id, &at);
  assert_float_equal(at.cut_at.x, 11.6f, 1e-6f);
  obstacle_move(l, id, 11.6f, 7.5f, 0.2f, 1); /* turned */
  obstacle_level_step(l, 1);
  lw_obstacle_get_state(l->world, id, &at);
  assert_float_equal(at.cut_yaw, 0.2f, 1e-6f);
}

static void move_on(grid_world *l, lw_obstacle_id id, float x) {
  assert_int_equal(lw_obstacle_move(l->world, id, lwi_vec3(x, 0, 7.5f), 0, NULL), LW_OK);
}

static void without_a_velocity_it_is_that_since_it_was_moved_before(void **state) {
  grid_world *l = *state;
  lw_obstacle_state at;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  obstacle_level_step(l, 1);
  for (int i = 1; i <= 20; i++) {
    move_on(l, id, 10 + 0.2f * (float)i); /* 12 m/s */
    obstacle_level_step(l, 1);
    assert_false(obstacle_is_cut(l, id));
  }
  lw_obstacle_get_state(l->world, id, &at);
  assert_float_equal(at.velocity.x, 12, 0.01f);
  obstacle_level_step(l, 10);
  assert_false(obstacle_is_cut(l, id));
  obstacle_level_step(l, 6); /* a quarter of a second: it rests */
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 14, 7.5f));
  lw_obstacle_get_state(l->world, id, &at);
  assert_float_equal(at.velocity.x, 0, 0);
}

/* The bodies of a game may move at another rate than the world steps. */
static void moved_in_every_third_step_it_is_as_fast_as_it_is(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  obstacle_level_step(l, 1);
  for (int i = 1; i <= 90; i++) {
    if (i % 3 == 0) move_on(l, id, 10 + 4 * (float)i / 60); /* 4 m/s */
    obstacle_level_step(l, 1);
    assert_true(obstacle_is_cut(l, id));
  }
}

static void put_elsewhere_after_a_rest_it_is_cut_there_at_once(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  move_on(l, id, 20); /* before the first step */
  obstacle_level_step(l, 1);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 20, 7.5f) &&
              obstacle_level_has_ground(l, 10, 7.5f));
  obstacle_level_step(l, 600);
  move_on(l, id, 30);
  obstacle_level_step(l, 1);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 30, 7.5f) &&
              obstacle_level_has_ground(l, 20, 7.5f));
}

static void put_elsewhere_in_a_moment_it_is_cut_there_at_once(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  obstacle_level_step(l, 1);
  move_on(l, id, 30);
  obstacle_level_step(l, 1);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 30, 7.5f) &&
              obstacle_level_has_ground(l, 10, 7.5f));
}

static void a_velocity_ends_when_it_is_not_moved_again(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id id = obstacle_add_box(l, 10, 7.5f, 2, 2);
  obstacle_level_step(l, 1);
  obstacle_move(l, id, 12, 7.5f, 0, 12);
  obstacle_level_step(l, 5);
  assert_false(obstacle_is_cut(l, id));
  obstacle_level_step(l, 15);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 12, 7.5f));
}

static void what_meets_no_ground_is_not_cut(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id beside = obstacle_add_box(l, 200, 7.5f, 2, 2);
  lw_obstacle_def def = obstacle_box(20, 7.5f, 2, 2);
  def.at.y = 50;
  const lw_obstacle_id above = obstacle_add(l, &def);
  obstacle_level_step(l, 1);
  assert_true(!obstacle_is_cut(l, beside) && !obstacle_is_cut(l, above));
}

/* --- together ----------------------------------------------------------------------------------------------- */

static void a_trailer_goes_where_its_truck_goes(void **state) {
  grid_world *l = *state;
  lw_obstacle_state at;
  const lw_obstacle_id truck = obstacle_add_box(l, 10, 7, 4, 2);
  lw_obstacle_def def = obstacle_box(6, 7, 3, 2);
  def.attached_to = truck;
  const lw_obstacle_id trailer = obstacle_add(l, &def);
  obstacle_level_step(l, 1);
  assert_true(obstacle_is_cut(l, trailer));
  obstacle_move(l, truck, 20, 7, 1.5707963f, 0); /* it looks along -z */
  obstacle_level_step(l, 1);
  lw_obstacle_get_state(l->world, trailer, &at);
  assert_float_equal(at.at.x, 20, 1e-4f);
  assert_float_equal(at.at.z, 11, 1e-4f);
  assert_true(!obstacle_level_has_ground(l, 20, 11) && obstacle_level_has_ground(l, 6, 7));
  obstacle_move(l, truck, 21, 7, 1.5707963f, 7); /* too fast, both of them */
  obstacle_level_step(l, 1);
  assert_true(!obstacle_is_cut(l, truck) && !obstacle_is_cut(l, trailer));
  obstacle_move(l, truck, 21, 7, 1.5707963f, 0);
  obstacle_move(l, trailer, 24, 11, 0, 0); /* it turns in, and keeps that place from now on */
  obstacle_move(l, truck, 16, 7, 1.5707963f, 0);
  obstacle_level_step(l, 1);
  lw_obstacle_get_state(l->world, trailer, &at);
  assert_float_equal(at.at.x, 19, 1e-4f);
  assert_int_equal(lw_obstacle_remove(l->world, truck), LW_OK);
  assert_int_equal(lw_obstacle_get_state(l->world, trailer, &at), LW_STALE);
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 19, 11));
  assert_int_equal(lw_obstacle_count(l->world), 0);
}

static void what_an_agent_carries_blocks_others_while_it_rests(void **state) {
  grid_world *l = *state;
  const lw_agent_id driver = obstacle_level_spawn(l, 20, 7.5f), other = obstacle_level_spawn(l, 2, 7.5f);
  lw_obstacle_def def = lw_obstacle_def_default();
  def.size = lwi_vec3(3, 2, 14.9f); /* all across but for a gap too narrow to see */
  def.carrier = driver;
  const lw_obstacle_id id = obstacle_add(l, &def);
  obstacle_level_step(l, 1);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 20, 7.5f));
  assert_float_equal(obstacle_level_agent(l, driver).position.x, 20, 1e-6f);
  assert_true(obstacle_level_has_ground(l, obstacle_level_agent(l, driver).footing.x,
                                        obstacle_level_agent(l, driver).footing.z)); /* to ask from */
  /* It gets away to either side, and when it has arrived, is in the way there. */
  assert_int_equal(lw_agent_move_to(l->world, driver, lwi_vec3(30, 0, 7.5f), 0.1f), LW_OK);
  obstacle_level_step(l, 2);
  assert_false(obstacle_is_cut(l, id));
  assert_true(obstacle_level_agent(l, driver).position.x > 20);
  obstacle_level_step(l, 60 * 4);
  assert_int_equal(obstacle_level_agent(l, driver).move, LW_MOVE_ARRIVED);
  assert_true(obstacle_is_cut(l, id) && obstacle_level_has_ground(l, 20, 7.5f) &&
              !obstacle_level_has_ground(l, 30, 7.5f));
  assert_int_equal(lw_agent_move_to(l->world, driver, lwi_vec3(10, 0, 7.5f), 0.1f), LW_OK);
  obstacle_level_step(l, 60 * 6);
  assert_int_equal(obstacle_level_agent(l, driver).move, LW_MOVE_ARRIVED);
  lw_agent_stats stats;
  lw_agent_get_stats(l->world, driver, &stats);
  assert_int_equal(stats.off_mesh, 0);
  /* When it is gone, its wreck stays. */
  assert_int_equal(lw_agent_despawn(l->world, driver), LW_OK);
  obstacle_level_step(l, 2);
  assert_true(obstacle_is_cut(l, id) && !obstacle_level_has_ground(l, 10, 7.5f));
  assert_int_equal(lw_obstacle_move(l->world, id, lwi_vec3(25, 0, 7.5f), 0, NULL), LW_OK);
  obstacle_level_step(l, 2);
  assert_true(obstacle_level_has_ground(l, 10, 7.5f) && !obstacle_level_has_ground(l, 25, 7.5f));
  assert_true(obstacle_level_agent(l, other).position.x < 3);
}

/* --- agents ------------------------------------------------------------------------------------------------- */

static void who_walks_there_searches_again_in_the_same_step(void **state) {
  grid_world *l = *state;
  const lw_agent_id id = obstacle_level_spawn(l, 1, 7.5f);
  assert_int_equal(lw_agent_move_to(l->world, id, lwi_vec3(39, 0, 7.5f), 0.1f), LW_OK);
  obstacle_level_step(l, 30);
  obstacle_add_box(l, 3, 1, 1, 1); /* beside it */
  obstacle_level_step(l, 1);
  lw_agent_stats stats;
  lw_agent_get_stats(l->world, id, &stats);
  assert_int_equal(stats.replans, 0);
  obstacle_add_box(l, 20, 7.5f, 3, 8);
  obstacle_level_step(l, 1);
  lw_agent_get_stats(l->world, id, &stats);
  assert_int_equal(stats.replans, 1);
  obstacle_level_step(l, 60 * 12);
  assert_int_equal(obstacle_level_agent(l, id).move, LW_MOVE_ARRIVED);
  lw_agent_get_stats(l->world, id, &stats);
  assert_true(stats.off_mesh == 0 && stats.stuck == 0);
}

static void who_has_no_way_left_is_told(void **state) {
  grid_world *l = *state;
  const lw_agent_id id = obstacle_level_spawn(l, 1, 7.5f);
  assert_int_equal(lw_agent_move_to(l->world, id, lwi_vec3(39, 0, 7.5f), 0.1f), LW_OK);
  obstacle_add_box(l, 20, 7.5f, 3, 20);
  obstacle_level_step(l, 2);
  assert_int_equal(obstacle_level_agent(l, id).move, LW_MOVE_FAILED);
  assert_int_equal(obstacle_level_agent(l, id).failure, LW_NO_PATH);
}

static void who_goes_round_comes_back_when_the_way_is_free(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id wall = obstacle_add_box(l, 20, 5, 1, 18); /* leaves a gap at z = 14..15 */
  obstacle_level_step(l, 1);
  const lw_agent_id id = obstacle_level_spawn(l, 18, 1);
  assert_int_equal(lw_agent_move_to(l->world, id, lwi_vec3(22, 0, 1), 0.1f), LW_OK);
  obstacle_level_step(l, 6);
  assert_true(obstacle_level_agent(l, id).remaining > 20);
  assert_int_equal(lw_obstacle_remove(l->world, wall), LW_OK);
  obstacle_level_step(l, 60 * 2 + 2);
  assert_true(obstacle_level_agent(l, id).remaining < 12);
}

static void who_stands_where_ground_goes_is_moved(void **state) {
  grid_world *l = *state;
  const lw_agent_id id = obstacle_level_spawn(l, 20, 7.5f);
  obstacle_add_box(l, 20.5f, 7.5f, 3, 3);
  obstacle_level_step(l, 1);
  const lw_agent_state now = obstacle_level_agent(l, id);
  assert_float_equal(now.position.x, 18.6f, 0.02f);
  assert_float_equal(now.position.z, 7.5f, 0.02f);
  assert_true(lw_navmesh_contains(lw_world_navmesh(l->world), now.position, 0.1f, NULL));
  assert_int_equal(now.move, LW_MOVE_IDLE);
}

static void who_stands_under_something_wide_is_moved_to_its_side(void **state) {
  grid_world *l = *state;
  const lw_agent_id id = obstacle_level_spawn(l, 12, 7.5f), other = obstacle_level_spawn(l, 27, 7.5f);
  obstacle_add_box(l, 20, 7.5f, 30, 30);
  obstacle_level_step(l, 1);
  assert_float_equal(obstacle_level_agent(l, id).position.x, 4.6f, 0.02f);
  assert_float_equal(obstacle_level_agent(l, id).position.z, 7.5f, 0.02f);
  assert_float_equal(obstacle_level_agent(l, other).position.x, 35.4f, 0.02f);
  assert_int_equal(obstacle_level_agent(l, other).move, LW_MOVE_IDLE);
}

static void who_has_no_ground_left_is_trapped(void **state) {
  grid_world *l = *state;
  const lw_agent_id id = obstacle_level_spawn(l, 20, 7.5f), walker = obstacle_level_spawn(l, 22, 7.5f);
  assert_int_equal(lw_agent_move_to(l->world, walker, lwi_vec3(39, 0, 7.5f), 0.1f), LW_OK);
  const lw_obstacle_id slab = obstacle_add_box(l, 20, 7.5f, 42, 30);
  obstacle_level_step(l, 3);
  assert_int_equal(obstacle_level_agent(l, id).failure, LW_TRAPPED);
  assert_int_equal(obstacle_level_agent(l, walker).failure, LW_TRAPPED);
  assert_int_equal(lw_agent_move_to(l->world, id, lwi_vec3(2, 0, 2), 0.1f), LW_TRAPPED);
  char why[512];
  lw_agent_why(l->world, id, why, sizeof why);
  assert_non_null(strstr(why, "cut away"));
  lw_agent_stats stats;
  lw_agent_get_stats(l->world, id, &stats);
  assert_int_equal(stats.off_mesh, 0);
  assert_int_equal(lw_obstacle_remove(l->world, slab), LW_OK);
  obstacle_level_step(l, 1);
  assert_int_equal(obstacle_level_agent(l, id).move, LW_MOVE_IDLE); /* it is so no longer */
  assert_int_equal(lw_agent_move_to(l->world, id, lwi_vec3(2, 0, 2), 0.1f), LW_OK);
}

int main(void) {
#define ON_LEVEL(name) cmocka_unit_test_setup_teardown(name, obstacle_level_open, obstacle_level_close)
  const struct CMUnitTest tests[] = {
      ON_LEVEL(a_fast_one_is_taken_out_until_it_is_slow_again),
      ON_LEVEL(a_slow_one_is_cut_again_after_each_metre_and_where_it_rests),
      ON_LEVEL(without_a_velocity_it_is_that_since_it_was_moved_before),
      ON_LEVEL(moved_in_every_third_step_it_is_as_fast_as_it_is),
      ON_LEVEL(put_elsewhere_after_a_rest_it_is_cut_there_at_once),
      ON_LEVEL(put_elsewhere_in_a_moment_it_is_cut_there_at_once),
      ON_LEVEL(a_velocity_ends_when_it_is_not_moved_again),
      ON_LEVEL(what_meets_no_ground_is_not_cut),
      ON_LEVEL(a_trailer_goes_where_its_truck_goes),
      ON_LEVEL(what_an_agent_carries_blocks_others_while_it_rests),
      ON_LEVEL(who_walks_there_searches_again_in_the_same_step),
      ON_LEVEL(who_has_no_way_left_is_told),
      ON_LEVEL(who_goes_round_comes_back_when_the_way_is_free),
      ON_LEVEL(who_stands_where_ground_goes_is_moved),
      ON_LEVEL(who_stands_under_something_wide_is_moved_to_its_side),
      ON_LEVEL(who_has_no_ground_left_is_trapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
