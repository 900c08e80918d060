/* Fire lanes by the C API: metres in one, ids, bad input and memory. */
#include "core/random.h"
#include "cost/timed_region.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SEED 11u
#define STEPS 4000

/* By its definition: the nearest point of the lane in xz. */
static bool is_inside(const lwi_timed_shape *lane, lw_vec3 feet) {
  double ux = (double)lane->to.x - lane->from.x, uz = (double)lane->to.z - lane->from.z, l2 = ux * ux + uz * uz;
  double x = (double)feet.x - lane->from.x, z = (double)feet.z - lane->from.z;
  double t = l2 > 0 ? fmin(1, fmax(0, (x * ux + z * uz) / l2)) : 0, r = (double)lane->radius;
  double y = (double)lane->from.y + t * ((double)lane->to.y - lane->from.y) - (double)feet.y;
  return hypot(x - t * ux, z - t * uz) <= r && y >= -r && y <= (double)LW_FIRE_LANE_BODY + r;
}

static void metres_in_a_fire_lane_agree_with_small_steps(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  int partly = 0;
  for (int i = 0; i < 400; i++) {
    float n[12];
    for (int k = 0; k < 12; k++) n[k] = lwi_random_unit(&random) * 10 - 5;
    const lwi_timed_shape lane = {
        {n[0], n[1], n[2]}, {n[3], i % 3 ? n[4] : n[1], i % 9 ? n[5] : n[2]}, 0.2f + fabsf(n[6]) / 2, 0, 1};
    lw_vec3 from = {n[7], n[8] / 2, n[9]}, to = {n[10], i % 2 ? from.y : n[6] / 2, i % 7 ? n[11] : n[9]};
    int inside = 0;
    for (int k = 0; k < STEPS; k++) inside += is_inside(&lane, lwi_lerp(from, to, ((float)k + 0.5f) / STEPS));
    double expected = (double)lwi_distance(from, to) * inside / STEPS;
    assert_float_equal(lwi_lane_metres(&lane, from, to), expected, 0.01);
    assert_float_equal(lwi_lane_metres(&lane, to, from), lwi_lane_metres(&lane, from, to), 1e-4);
    partly += inside > 0 && inside < STEPS;
  }
  assert_true(partly > 80);
  const lwi_timed_shape shot_down = {
      {0, 5, 0}, {0, 1, 0}, 1, 0, 1}; /* seen from above a disc; at its end, as high as it begins */
  assert_float_equal(lwi_lane_metres(&shot_down, lwi_vec3(0, 4, 0), lwi_vec3(0, 4, 0)), 0, 0);
  assert_float_equal(lwi_lane_metres(&shot_down, lwi_vec3(-4, 4, 0), lwi_vec3(4, 4, 0)), 2, 1e-5);
}

static int open_level(void **state) {
  static grid_world l;
  static const char *const rows[] = {"........", "........", "........"};
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 5;
  l = grid_world_open(rows, 3, 5, &profile, NULL);
  *state = &l;
  return 0;
}

static int close_level(void **state) {
  grid_world_close(*state);
  return 0;
}

static lw_fire_lane_def lane_at(float x) {
  lw_fire_lane_def def = lw_fire_lane_def_default();
  def.from = lwi_vec3(x, 1, -5);
  def.to = lwi_vec3(x, 1, 20);
  return def;
}

static float cost_across(const grid_world *l) {
  return grid_world_cost(l, lwi_vec3(1, 0, 7.5f), lwi_vec3(39, 0, 7.5f));
}

static void fire_lanes_are_added_and_removed(void **state) {
  grid_world *l = *state;
  lw_fire_lane_id ids[3];
  for (int i = 0; i < 3; i++) {
    lw_fire_lane_def def = lane_at(10 * (float)(i + 1));
    assert_int_equal(lw_fire_lane_add(l->world, &def, &ids[i], NULL), LW_OK);
    assert_float_equal(cost_across(l), 38 + 8 * (float)(i + 1), 0.01);
  }
  assert_int_equal(lw_fire_lane_count(l->world), 3);
  assert_int_equal(lw_fire_lane_remove(l->world, ids[1]), LW_OK);
  assert_int_equal(lw_fire_lane_remove(l->world, ids[1]), LW_STALE);
  lw_fire_lane_state lane;
  assert_int_equal(lw_fire_lane_get_state(l->world, ids[1], &lane), LW_STALE);
  assert_true(lw_fire_lane_id_equal(lw_fire_lane_next(l->world, lw_fire_lane_id_none()), ids[0]));
  assert_true(lw_fire_lane_id_equal(lw_fire_lane_next(l->world, ids[0]), ids[2]));
  assert_true(lw_fire_lane_id_is_none(lw_fire_lane_next(l->world, ids[2])));
  assert_float_equal(cost_across(l), 38 + 4 * 2 * 2, 0.01);
  assert_int_equal(lw_fire_lane_remove(l->world, ids[0]), LW_OK);
  assert_int_equal(lw_fire_lane_remove(l->world, ids[2]), LW_OK);
  assert_float_equal(cost_across(l), 38, 1e-4);
}

static void bad_fire_lanes_are_refused_with_the_field(void **state) {
  grid_world *l = *state;
  lw_fire_lane_def defs[6];
  const char *fields[] = {"to is (",     "radius is 0",   "seconds is 0",
                          "weight is 0", "weight is nan", "lw_fire_lane_def"};
  for (int i = 0; i < 6; i++) defs[i] = lane_at(10);
  defs[0].to.y = NAN;
  defs[1].radius = 0;
  defs[2].seconds = 0;
  defs[3].weight = 0;
  defs[4].weight = NAN;
  defs[5].cookie = 0;
  for (int i = 0; i < 6; i++) {
    lw_error error = {0};
    lw_fire_lane_id id = {.slot = 99};
    assert_int_equal(lw_fire_lane_add(l->world, &defs[i], &id, &error), LW_INVALID);
    assert_true(lw_fire_lane_id_is_none(id));
    if (!strstr(error.text, fields[i])) fail_msg("%s: %s", fields[i], error.text);
  }
  assert_int_equal(lw_fire_lane_count(l->world), 0);
}

static void running_out_of_memory_leaves_the_world_as_it_was(void **state) {
  grid_world *l = *state;
  lw_fire_lane_def def = lane_at(20);
  lw_fire_lane_id id;
  int failures = 0;
  for (;; failures++) {
    l->memory->left = failures;
    lw_status status = lw_fire_lane_add(l->world, &def, &id, NULL);
    l->memory->left = -1;
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    assert_int_equal(lw_fire_lane_count(l->world), 0);
    assert_float_equal(cost_across(l), 38, 1e-4);
  }
  assert_true(failures > 0);
  assert_float_equal(cost_across(l), 38 + 4 * 2, 0.01);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(metres_in_a_fire_lane_agree_with_small_steps),
      cmocka_unit_test_setup_teardown(fire_lanes_are_added_and_removed, open_level, close_level),
      cmocka_unit_test_setup_teardown(bad_fire_lanes_are_refused_with_the_field, open_level, close_level),
      cmocka_unit_test_setup_teardown(running_out_of_memory_leaves_the_world_as_it_was, open_level,
                                      close_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
