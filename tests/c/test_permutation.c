/* Permutations by the C API: states that come and go as a whole, what is told, and bad input. */
#include "obstacle_level.h"
#include "leeward/leeward.h"

#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What was told, one after another. */
static char told[512];

static void note(void *user, lw_world *world, const char *name, const char *state) {
  (void)user;
  if (strcmp(name, "lever") == 0 && strcmp(state, "down") == 0)
    assert_int_equal(lw_permutation_set(world, "bridge", "fallen", NULL), LW_OK);
  else
    assert_string_equal(lw_permutation_state(world, name), state);
  snprintf(told + strlen(told), sizeof told - strlen(told), "%s=%s;", name, state);
}

/* 40 x 15 m of open ground in squares of 5 m, for agents of 0.4 m. */
static int open_level(void **state) {
  static grid_world l;
  static const char *const rows[] = {"........", "........", "........"};
  lw_profile_def profile = lw_profile_def_default();
  lw_world_def world = lw_world_def_default();
  world.permuted = note;
  told[0] = 0;
  l = grid_world_open(rows, 3, 5, &profile, &world);
  *state = &l;
  return 0;
}

/* A bridge: rubble lies at x = 20 and 30, cleared there is nothing, fallen it is gone from 15 to 25. */
static void define_bridge(grid_world *l, int initial) {
  const lw_obstacle_def rubble[] = {obstacle_box(20, 7.5f, 2, 2), obstacle_box(30, 7.5f, 2, 2)},
                        gap = obstacle_box(20, 7.5f, 10, 16);
  const lw_permutation_state_def states[] = {{.name = "rubble", .volumes = rubble, .volume_count = 2},
                                             {.name = "cleared"},
                                             {.name = "fallen", .volumes = &gap, .volume_count = 1}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error = {.text = ""};
  def.name = "bridge";
  def.states = states;
  def.state_count = 3;
  def.initial = initial;
  if (lw_permutation_define(l->world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

static void set(grid_world *l, const char *state) {
  assert_int_equal(lw_permutation_set(l->world, "bridge", state, NULL), LW_OK);
}

static void a_state_takes_effect_as_a_whole_with_the_next_step(void **state) {
  grid_world *l = *state;
  define_bridge(l, 0);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f) && !lw_permutation_is_applied(l->world, "bridge"));
  obstacle_level_step(l, 1);
  assert_true(!obstacle_level_has_ground(l, 20, 7.5f) && !obstacle_level_has_ground(l, 30, 7.5f) &&
              lw_permutation_is_applied(l->world, "bridge"));
  set(l, "cleared");
  assert_string_equal(lw_permutation_state(l->world, "bridge"), "cleared");
  assert_true(!obstacle_level_has_ground(l, 20, 7.5f) && !lw_permutation_is_applied(l->world, "bridge"));
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f) && obstacle_level_has_ground(l, 30, 7.5f));
  set(l, "fallen");
  set(l, "rubble");
  set(l, "fallen"); /* the last one counts */
  assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
  assert_true(!obstacle_level_has_ground(l, 17, 1) && obstacle_level_has_ground(l, 30, 7.5f));
  assert_string_equal(told, "bridge=rubble;bridge=cleared;bridge=fallen;");
  obstacle_level_step(l, 1);
  set(l, "fallen"); /* as it is */
  obstacle_level_step(l, 1);
  assert_string_equal(told, "bridge=rubble;bridge=cleared;bridge=fallen;");
}

static void its_volumes_are_nobodys_obstacles(void **state) {
  grid_world *l = *state;
  define_bridge(l, 0);
  obstacle_level_step(l, 1);
  assert_int_equal(lw_obstacle_count(l->world), 0);
  assert_true(lw_obstacle_id_is_none(lw_obstacle_next(l->world, lw_obstacle_id_none())));
  const lw_obstacle_def def = obstacle_box(5, 5, 1, 1);
  lw_obstacle_id id;
  assert_int_equal(lw_obstacle_add(l->world, &def, &id, NULL), LW_OK);
  assert_int_equal(lw_obstacle_count(l->world), 1);
  assert_true(lw_obstacle_id_equal(lw_obstacle_next(l->world, lw_obstacle_id_none()), id));
  for (uint32_t slot = 0; slot < 3; slot++) { /* an id that was made up */
    const lw_obstacle_id guess = {slot & 0xffffffu, 1, id.world};
    lw_obstacle_state at;
    if (!lw_obstacle_id_equal(guess, id))
      assert_int_equal(lw_obstacle_get_state(l->world, guess, &at), LW_STALE);
  }
  set(l, "cleared");
  obstacle_level_step(l, 1);
  assert_int_equal(lw_obstacle_count(l->world), 1);
}

static void several_do_not_disturb_each_other(void **state) {
  grid_world *l = *state;
  define_bridge(l, 2);
  const lw_obstacle_def leaf = obstacle_box(20, 7.5f, 2, 2);
  const lw_permutation_state_def states[] = {{.name = "open"},
                                             {.name = "shut", .volumes = &leaf, .volume_count = 1}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "gate";
  def.states = states;
  def.state_count = 2;
  def.initial = 1;
  assert_int_equal(lw_permutation_define(l->world, &def, NULL), LW_OK);
  obstacle_level_step(l, 1);
  set(l, "cleared");
  obstacle_level_step(l, 1);
  assert_true(!obstacle_level_has_ground(l, 20, 7.5f) &&
              obstacle_level_has_ground(l, 17, 1)); /* the gate is still shut */
  assert_int_equal(lw_permutation_set(l->world, "gate", "open", NULL), LW_OK);
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f));
  assert_int_equal(lw_permutation_count(l->world), 2);
  assert_string_equal(lw_permutation_name(l->world, 1), "gate");
  assert_int_equal(lw_permutation_state_count(l->world, "gate"), 2);
  assert_string_equal(lw_permutation_state_name(l->world, "gate", 1), "shut");
  assert_null(lw_permutation_state_name(l->world, "gate", 2));
  assert_null(lw_permutation_name(l->world, 2));
}

static void what_is_set_when_one_takes_effect_does_so_a_step_later(void **state) {
  grid_world *l = *state;
  const lw_permutation_state_def levers[] = {{.name = "up"}, {.name = "down"}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "lever";
  def.states = levers;
  def.state_count = 2;
  assert_int_equal(lw_permutation_define(l->world, &def, NULL), LW_OK);
  define_bridge(l, 1);
  obstacle_level_step(l, 1);
  told[0] = 0;
  assert_int_equal(lw_permutation_set(l->world, "lever", "down", NULL), LW_OK);
  obstacle_level_step(l, 1);
  assert_string_equal(told, "lever=down;");
  assert_true(obstacle_level_has_ground(l, 17, 1) && !lw_permutation_is_applied(l->world, "bridge"));
  obstacle_level_step(l, 1);
  assert_string_equal(told, "lever=down;bridge=fallen;");
  assert_false(obstacle_level_has_ground(l, 17, 1));
}

static void defined_again_it_stays_in_its_state(void **state) {
  grid_world *l = *state;
  define_bridge(l, 0);
  set(l, "fallen");
  obstacle_level_step(l, 1);
  const uint64_t version = lw_world_hash(l->world);
  define_bridge(l, 0); /* the same */
  assert_true(lw_world_hash(l->world) == version);
  const lw_obstacle_def gap = obstacle_box(30, 7.5f, 4, 16);
  const lw_permutation_state_def states[] = {{.name = "whole"},
                                             {.name = "fallen", .volumes = &gap, .volume_count = 1}},
                                 other[] = {{.name = "new"}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "bridge";
  def.states = states;
  def.state_count = 2;
  assert_int_equal(lw_permutation_define(l->world, &def, NULL), LW_OK);
  assert_string_equal(lw_permutation_state(l->world, "bridge"), "fallen");
  assert_false(lw_permutation_is_applied(l->world, "bridge"));
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f) && !obstacle_level_has_ground(l, 30, 7.5f));
  def.states = other;
  def.state_count = 1;
  assert_int_equal(lw_permutation_define(l->world, &def, NULL), LW_OK);
  assert_string_equal(lw_permutation_state(l->world, "bridge"), "new");
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 30, 7.5f));
}

/* --- bad input ---------------------------------------------------------------------------------------------- */

static void assert_refused(grid_world *l, const lw_permutation_def *def, const char *part) {
  lw_error error = {.text = ""};
  assert_int_equal(lw_permutation_define(l->world, def, &error), LW_INVALID);
  if (!strstr(error.text, part)) fail_msg("'%s', expected '%s'", error.text, part);
}

static void bad_definitions_are_refused_by_name(void **state) {
  grid_world *l = *state;
  lw_obstacle_def volumes[2] = {obstacle_box(0, 0, 1, 1), obstacle_box(0, 0, 0, 1)};
  lw_permutation_state_def states[2] = {{.name = "a", .volumes = volumes, .volume_count = 1}, {.name = "a"}};
  lw_permutation_def def = lw_permutation_def_default();
  assert_refused(l, &def, "name is empty");
  def.name = "0123456789012345678901234567890123456789012345678901234567890123";
  assert_refused(l, &def, "name has 64 bytes");
  def.name = "door";
  assert_refused(l, &def, "state_count is 0");
  def.states = states;
  def.state_count = 2;
  assert_refused(l, &def, "two states are called 'a'");
  states[1].name = "";
  assert_refused(l, &def, "name of a state is empty");
  states[1].name = "b";
  states[1].volume_count = 1;
  assert_refused(l, &def, "state 'b': volume_count is 1");
  states[0].volume_count = 2;
  assert_refused(l, &def, "state 'a': volume 2: size.x is 0");
  states[0].volume_count = 1;
  states[1].volume_count = 0;
  volumes[0].blocks = false;
  assert_refused(l, &def, "state 'a': volume 1: area is 0");
  volumes[0].blocks = true;
  def.initial = 2;
  assert_refused(l, &def, "initial is 2");
  def.cookie = 0;
  assert_refused(l, &def, "lw_permutation_def");
  assert_int_equal(lw_permutation_count(l->world), 0);
}

static void what_is_not_there_is_not_found(void **state) {
  grid_world *l = *state;
  lw_error error = {.text = ""};
  assert_int_equal(lw_permutation_set(l->world, "bridge", "fallen", &error), LW_NOT_FOUND);
  assert_non_null(strstr(error.text, "no permutation 'bridge'"));
  define_bridge(l, 0);
  assert_int_equal(lw_permutation_set(l->world, "bridge", "sunk", &error), LW_NOT_FOUND);
  assert_non_null(strstr(error.text, "'bridge' has no state 'sunk'"));
  assert_null(lw_permutation_state(l->world, "door"));
  assert_int_equal(lw_permutation_state_count(l->world, "door"), 0);
  assert_false(lw_permutation_is_applied(l->world, "door"));
}

static void without_memory_it_is_as_it_was(void **state) {
  grid_world *l = *state;
  define_bridge(l, 0);
  obstacle_level_step(l, 1);
  for (int left = 0;; left++) {
    l->memory->left = left;
    const lw_status status = lw_permutation_set(l->world, "bridge", "fallen", NULL);
    l->memory->left = -1;
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    assert_string_equal(lw_permutation_state(l->world, "bridge"), "rubble");
    obstacle_level_step(l, 1);
    assert_true(!obstacle_level_has_ground(l, 30, 7.5f) && obstacle_level_has_ground(l, 17, 1));
  }
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 30, 7.5f) && !obstacle_level_has_ground(l, 17, 1));
}

int main(void) {
#define ON_LEVEL(name) cmocka_unit_test_setup_teardown(name, open_level, obstacle_level_close)
  const struct CMUnitTest tests[] = {
      ON_LEVEL(a_state_takes_effect_as_a_whole_with_the_next_step),
      ON_LEVEL(its_volumes_are_nobodys_obstacles),
      ON_LEVEL(several_do_not_disturb_each_other),
      ON_LEVEL(what_is_set_when_one_takes_effect_does_so_a_step_later),
      ON_LEVEL(defined_again_it_stays_in_its_state),
      ON_LEVEL(bad_definitions_are_refused_by_name),
      ON_LEVEL(what_is_not_there_is_not_found),
      ON_LEVEL(without_memory_it_is_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
