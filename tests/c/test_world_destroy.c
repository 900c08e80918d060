/* A world that is destroyed while one of its calls is in progress goes when the outermost one returns. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const rows[] = {"..........", "..........", NULL};
enum { ROW_COUNT = 2, AGENTS = 5 };

/* When the world is destroyed. */
typedef enum moment { IN_START, IN_TICK, IN_STOP, IN_LOG } moment;

typedef struct scene {
  grid_world grid;
  lw_tree *tree;
  moment when;
  int starts, ticks, stops;
} scene;

static void destroy(scene *s, lw_world *world) {
  lw_world_destroy(world);
  lw_world_destroy(world); /* inside a leaf it may */
  s->grid.world = NULL;
}

static lw_node_status leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  scene *s = user;
  if (call->event == LW_LEAF_START) s->starts += 1;
  if (call->event == LW_LEAF_TICK) s->ticks += 1;
  if (call->event == LW_LEAF_STOP) s->stops += 1;
  if (s->when == IN_LOG) lw_world_log(world, LW_LOG_ERROR, "a leaf says so");
  const moment now = call->event == LW_LEAF_START ? IN_START : call->event == LW_LEAF_TICK ? IN_TICK : IN_STOP;
  if (now == s->when) destroy(s, world);
  /* Until the outermost call returns, the leaf may ask the world, but nothing new begins in it. */
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  assert_int_equal(lw_world_step(world, 0.1f), LW_INVALID);
  if (s->grid.world) return LW_RUNNING;
  lw_agent_def def = lw_agent_def_default();
  def.profile = s->grid.profile;
  lw_agent_id spawned;
  lw_error error;
  assert_int_equal(lw_agent_spawn(world, &def, &spawned, &error), LW_INVALID);
  assert_string_equal(error.text, "the world is being destroyed");
  return LW_RUNNING;
}

static void write_log(void *user, lw_log_level level, const char *message) {
  scene *s = user;
  (void)level;
  assert_string_equal(message, "a leaf says so");
  lw_world *world = s->grid.world;
  s->grid.world = NULL;
  lw_world_destroy(world);
}

static void open_scene(scene *s, moment when) {
  *s = (scene){.when = when};
  const lw_node_def node = {.kind = LW_LEAF, .name = "Leaf"};
  const lw_tree_def tree = {.name = "tree", .nodes = &node, .node_count = 1};
  assert_int_equal(lw_tree_create(&tree, &s->tree, NULL), LW_OK);
  lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  def.leaf = leaf;
  def.user = s;
  def.logger = (lw_logger){write_log, s};
  s->grid = grid_world_open(rows, ROW_COUNT, 2, &profile, &def);
}

static lw_agent_id spawn(scene *s) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = s->grid.profile;
  def.at = (lw_vec3){1, 0, 1};
  def.tree = s->tree;
  assert_int_equal(lw_agent_spawn(s->grid.world, &def, &agent, NULL), LW_OK);
  return agent;
}

static void close_scene(scene *s) {
  assert_null(s->grid.world);
  grid_world_close(&s->grid);
  lw_tree_destroy(s->tree);
}

static void in_a_step(moment when, int steps, int ticks) {
  scene s;
  open_scene(&s, when);
  for (int i = 0; i < AGENTS; i++) spawn(&s);
  for (int i = 1; i < steps; i++) assert_int_equal(lw_world_step(s.grid.world, 0.1f), LW_OK);
  assert_int_equal(lw_world_step(s.grid.world, 0.1f), LW_STALE);
  assert_int_equal(s.ticks, ticks);
  assert_int_equal(s.stops, s.starts); /* whatever ran was stopped */
  close_scene(&s);
}

static void in_the_start_of_a_leaf_no_other_tree_is_ticked(void **state) {
  (void)state;
  in_a_step(IN_START, 1, 0);
}

static void in_a_tick(void **state) {
  (void)state;
  in_a_step(IN_TICK, 2, 1);
}

static void in_a_logger_inside_a_leaf(void **state) {
  (void)state;
  in_a_step(IN_LOG, 1, 0);
}

static void in_a_logger_outside_of_calls_it_goes_at_once(void **state) {
  (void)state;
  scene s;
  open_scene(&s, IN_LOG);
  lw_world_log(s.grid.world, LW_LOG_ERROR, "a leaf says so");
  close_scene(&s);
}

static void in_a_leaf_that_stops_as_its_agent_is_removed(void **state) {
  (void)state;
  lw_status (*const ends[])(lw_world *, lw_agent_id) = {lw_agent_despawn, lw_agent_kill};
  for (int i = 0; i < 2; i++) {
    scene s;
    open_scene(&s, IN_STOP);
    const lw_agent_id first = spawn(&s);
    for (int k = 1; k < AGENTS; k++) spawn(&s);
    assert_int_equal(lw_world_step(s.grid.world, 0.1f), LW_OK);
    assert_int_equal(ends[i](s.grid.world, first), LW_OK);
    assert_int_equal(s.stops, AGENTS);
    close_scene(&s);
  }
}

static void in_a_leaf_that_stops_as_the_world_is_destroyed(void **state) {
  (void)state;
  scene s;
  open_scene(&s, IN_STOP);
  for (int i = 0; i < AGENTS; i++) spawn(&s);
  assert_int_equal(lw_world_step(s.grid.world, 0.1f), LW_OK);
  lw_world_destroy(s.grid.world);
  assert_int_equal(s.stops, AGENTS);
  close_scene(&s);
}

static void in_a_leaf_that_stops_as_a_file_is_restored(void **state) {
  (void)state;
  scene s;
  open_scene(&s, IN_STOP);
  char name[] = "/tmp/leeward_destroy_XXXXXX";
  temp_file_make(name);
  for (int i = 0; i < AGENTS; i++) spawn(&s);
  assert_int_equal(lw_world_step(s.grid.world, 0.1f), LW_OK);
  assert_int_equal(lw_world_save(s.grid.world, name, NULL), LW_OK);
  lw_saved *saved;
  assert_int_equal(lw_saved_open(name, NULL, &saved, NULL), LW_OK);
  lw_error error;
  assert_int_equal(lw_world_restore(s.grid.world, saved, &error), LW_STALE);
  assert_string_equal(error.text, "a leaf destroyed the world");
  assert_int_equal(s.stops, AGENTS);
  lw_saved_destroy(saved);
  unlink(name);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_the_start_of_a_leaf_no_other_tree_is_ticked),
      cmocka_unit_test(in_a_tick),
      cmocka_unit_test(in_a_logger_inside_a_leaf),
      cmocka_unit_test(in_a_logger_outside_of_calls_it_goes_at_once),
      cmocka_unit_test(in_a_leaf_that_stops_as_its_agent_is_removed),
      cmocka_unit_test(in_a_leaf_that_stops_as_the_world_is_destroyed),
      cmocka_unit_test(in_a_leaf_that_stops_as_a_file_is_restored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
