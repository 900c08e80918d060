/* What a leaf may do when it is stopped because its agent is removed, outside of a step and inside one. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "temp_file.h"
#include "tree_nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct scene {
  grid_world grid;
  lw_tree *tree;
  char file[32];
  lw_danger_id old, added; /* removed and added when a leaf is stopped */
  lw_agent_id other;       /* despawned then, if any */
  bool despawns;           /* the leaf despawns its agent at its first tick */
  bool busy;               /* the leaf tries what is refused inside a leaf */
  int stops, agents_left;
} scene;

static const lw_vec3 place = {3, 0, 3};

static lw_danger_id add_danger(lw_world *world, float value) {
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = place;
  def.value = value;
  assert_int_equal(lw_danger_add(world, &def, &id, NULL), LW_OK);
  return id;
}

static void try_what_is_refused(const scene *s, lw_world *world, lw_agent_id agent) {
  lw_saved *saved;
  assert_int_equal(lw_world_step(world, 0.1f), LW_INVALID);
  assert_int_equal(lw_world_save(world, s->file, NULL), LW_INVALID);
  assert_int_equal(lw_agent_set_profile(world, agent, s->grid.profile), LW_INVALID);
  assert_int_equal(lw_saved_open(s->file, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(world, saved, NULL), LW_INVALID);
  lw_saved_destroy(saved);
}

static lw_node_status leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  scene *s = user;
  if (s->busy) try_what_is_refused(s, world, agent);
  if (call->event == LW_LEAF_STOP) {
    s->stops += 1;
    if (!lw_danger_id_is_none(s->old)) {
      assert_int_equal(lw_danger_remove(world, s->old), LW_OK);
      s->old = lw_danger_id_none();
      s->added = add_danger(world, 7);
    }
    if (!lw_agent_id_is_none(s->other)) assert_int_equal(lw_agent_despawn(world, s->other), LW_OK);
    s->other = lw_agent_id_none();
    s->agents_left = lw_world_agent_count(world);
    return LW_SUCCESS;
  }
  if (s->despawns) {
    lw_agent_state now;
    const int count = lw_world_agent_count(world);
    assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
    assert_int_equal(lw_world_agent_count(world), count - 1);
    assert_int_equal(lw_agent_get_state(world, agent, &now), LW_OK);
    assert_int_equal(lw_agent_despawn(world, agent), LW_STALE);
  }
  return LW_RUNNING;
}

static int open_scene(void **state) {
  static const char *const rows[] = {"......", "......", "......"};
  static scene s;
  s = (scene){.file = "/tmp/leeward_stop_XXXXXX"};
  temp_file_make(s.file);
  const lw_node_def node = leaf_node(0);
  const lw_tree_def tree = {.name = "tree", .nodes = &node, .node_count = 1};
  assert_int_equal(lw_tree_create(&tree, &s.tree, NULL), LW_OK);
  const lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  def.leaf = leaf;
  def.user = &s;
  s.grid = grid_world_open(rows, 3, 2, &profile, &def);
  assert_int_equal(lw_world_save(s.grid.world, s.file, NULL), LW_OK);
  *state = &s;
  return 0;
}

static int close_scene(void **state) {
  scene *s = *state;
  s->busy = false;
  grid_world_close(&s->grid);
  lw_tree_destroy(s->tree);
  unlink(s->file);
  return 0;
}

/* An agent whose leaf runs. */
static lw_agent_id spawn(const scene *s) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = s->grid.profile;
  def.at = place;
  def.tree = s->tree;
  assert_int_equal(lw_agent_spawn(s->grid.world, &def, &agent, NULL), LW_OK);
  return agent;
}

/* The danger of before is gone and the new one counts, here and in what a save gives back. */
static void check_dangers(const scene *s, lw_danger_id old) {
  lw_danger_state now;
  lw_saved *saved;
  assert_int_equal(lw_danger_get_state(s->grid.world, old, &now), LW_STALE);
  for (int saves = 0; saves < 2; saves++) {
    assert_int_equal(lw_danger_count(s->grid.world), 1);
    assert_int_equal(lw_danger_get_state(s->grid.world, s->added, &now), LW_OK);
    assert_true(now.value > 6.9f);
    assert_int_equal(lw_world_save(s->grid.world, s->file, NULL), LW_OK);
    assert_int_equal(lw_saved_open(s->file, NULL, &saved, NULL), LW_OK);
    assert_int_equal(lw_world_restore(s->grid.world, saved, NULL), LW_OK);
    lw_saved_destroy(saved);
  }
}

static void what_it_does_to_dangers_holds_at_once_outside_of_a_step(void **state) {
  scene *s = *state;
  const lw_danger_id old = s->old = add_danger(s->grid.world, 5);
  const lw_agent_id agent = spawn(s);
  assert_int_equal(lw_world_step(s->grid.world, 0.001f), LW_OK);
  assert_int_equal(lw_agent_despawn(s->grid.world, agent), LW_OK);
  assert_int_equal(s->stops, 1);
  check_dangers(s, old);
}

static void what_it_does_to_dangers_inside_a_step_holds_when_that_ends(void **state) {
  scene *s = *state;
  const lw_danger_id old = s->old = add_danger(s->grid.world, 5);
  spawn(s);
  s->despawns = true;
  assert_int_equal(lw_world_step(s->grid.world, 0.001f), LW_OK);
  assert_int_equal(s->stops, 1);
  check_dangers(s, old);
}

static void agents_that_it_despawns_go_and_no_longer_count(void **state) {
  scene *s = *state;
  const lw_agent_id agent = spawn(s);
  const lw_agent_id other = s->other = spawn(s);
  spawn(s);
  assert_int_equal(lw_world_step(s->grid.world, 0.1f), LW_OK);
  assert_int_equal(lw_world_agent_count(s->grid.world), 3);
  assert_int_equal(lw_agent_despawn(s->grid.world, agent), LW_OK);
  assert_int_equal(s->stops, 2);
  assert_int_equal(s->agents_left, 1);
  assert_int_equal(lw_world_agent_count(s->grid.world), 1);
  assert_int_equal(lw_agent_despawn(s->grid.world, other), LW_STALE);
}

static void it_can_neither_step_save_restore_nor_change_profiles(void **state) {
  scene *s = *state;
  const lw_agent_id agent = spawn(s);
  s->busy = true;
  assert_int_equal(lw_world_step(s->grid.world, 0.1f), LW_OK);
  assert_int_equal(lw_agent_despawn(s->grid.world, agent), LW_OK);
  assert_int_equal(s->stops, 1);
  assert_int_equal(lw_world_step(s->grid.world, 0.1f), LW_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_it_does_to_dangers_holds_at_once_outside_of_a_step, open_scene,
                                      close_scene),
      cmocka_unit_test_setup_teardown(what_it_does_to_dangers_inside_a_step_holds_when_that_ends, open_scene,
                                      close_scene),
      cmocka_unit_test_setup_teardown(agents_that_it_despawns_go_and_no_longer_count, open_scene, close_scene),
      cmocka_unit_test_setup_teardown(it_can_neither_step_save_restore_nor_change_profiles, open_scene,
                                      close_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
