/* What agents keep of what happened to them. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "temp_file.h"
#include "tree_nodes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOVE, FAIL };

typedef struct scene {
  grid_world grid;
  lw_tree *tree;
} scene;

static const lw_vec3 home = {3, 0, 3}, away = {11, 0, 3};

/* MOVE walks to `away`; FAIL fails each time. */
static lw_node_status leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  lw_agent_state state;
  (void)user;
  if (call->event == LW_LEAF_STOP) return LW_SUCCESS;
  if (call->leaf == FAIL) {
    lw_agent_note_failure(world, agent, call->node, "no luck");
    return LW_FAILURE;
  }
  if (call->event == LW_LEAF_START) {
    call->wake = (double)INFINITY;
    return lw_agent_move_to(world, agent, away, 0.3f) == LW_OK ? LW_RUNNING : LW_FAILURE;
  }
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  return state.move == LW_MOVE_ARRIVED ? LW_SUCCESS : LW_RUNNING;
}

/* While there is an alarm it waits; else it walks. */
static lw_tree *create_tree(void) {
  static const char *const keys[] = {"alarm"};
  lw_tree *tree;
  lw_node_def nodes[5] = {
      selector_node(3), {.kind = LW_CONDITION}, wait_node(9, 9), leaf_node(FAIL), leaf_node(MOVE)};
  nodes[1] = (lw_node_def){.kind = LW_CONDITION,
                           .name = "alarmed",
                           .child_count = 1,
                           .keys = keys,
                           .key_count = 1,
                           .test = LW_TEST_SET,
                           .abort = LW_ABORT_BOTH};
  nodes[3].name = "Try";
  nodes[4].name = "WalkThereByTheShortestWayThereIs";
  const lw_tree_def def = {.name = "tree", .nodes = nodes, .node_count = 5};
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  return tree;
}

static int open_scene(void **state) {
  static const char *const rows[] = {"......", "......", "......"};
  static scene s;
  const lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  def.leaf = leaf;
  s.tree = create_tree();
  s.grid = grid_world_open(rows, 3, 2, &profile, &def);
  *state = &s;
  return 0;
}

static int close_scene(void **state) {
  scene *s = *state;
  grid_world_close(&s->grid); /* which finds memory that was not freed */
  lw_tree_destroy(s->tree);
  return 0;
}

static lw_agent_id spawn(const scene *s) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = s->grid.profile;
  def.at = home;
  def.tree = s->tree;
  assert_int_equal(lw_agent_spawn(s->grid.world, &def, &agent, NULL), LW_OK);
  return agent;
}

static void step(const scene *s, int count) {
  for (int i = 0; i < count; ++i) assert_int_equal(lw_world_step(s->grid.world, 1.0f / 60), LW_OK);
}

static void set_alarm(const scene *s, lw_agent_id agent, bool is_on) {
  const lw_value value = {.kind = LW_VALUE_BOOLEAN, .as.boolean = is_on};
  assert_int_equal(lw_agent_set_value(s->grid.world, agent, "alarm", &value), LW_OK);
}

/* All entries of the agent, a line each. */
static const char *told(const scene *s, lw_agent_id agent, double seconds) {
  static char text[4096];
  lw_history_entry entries[32];
  const int count = lw_agent_get_history(s->grid.world, agent, seconds, entries, 32);
  size_t length = 0;
  text[0] = 0;
  for (int i = 0; i < count && i < 32; ++i) {
    char line[256];
    lw_history_text(&entries[i], line, sizeof line);
    length += (size_t)snprintf(text + length, sizeof text - length, "%.2f %s\n", entries[i].time, line);
  }
  return text;
}

static void nodes_paths_and_aborts_are_told_in_order(void **state) {
  scene *s = *state;
  const lw_agent_id agent = spawn(s);
  step(s, 60);
  set_alarm(s, agent, true);
  step(s, 1);
  assert_string_equal(told(s, agent, 100), "0.00 Try fails: no luck\n"
                                           "0.00 WalkThereByTheShortestWayTh starts\n"
                                           "0.00 path to (11.0, 0.0, 3.0) found, 8.0 m\n"
                                           "1.00 WalkThereByTheShortestWayTh is aborted by alarmed (alarm)\n"
                                           "1.00 alarmed starts\n"
                                           "1.00 wait starts\n");
  assert_string_equal(told(s, agent, 0.5), strstr(told(s, agent, 100), "1.00 Walk"));
}

static void a_leaf_that_fails_in_each_step_is_told_once_a_second(void **state) {
  scene *s = *state;
  lw_tree *tree;
  const lw_node_def node = {.kind = LW_LEAF, .name = "Try", .leaf = FAIL};
  const lw_tree_def def = {.name = "tries", .nodes = &node, .node_count = 1};
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  const lw_agent_id agent = spawn(s);
  assert_int_equal(lw_agent_set_tree(s->grid.world, agent, tree), LW_OK);
  step(s, 150);
  assert_string_equal(told(s, agent, 100),
                      "0.00 Try fails: no luck\n1.00 Try fails: no luck\n2.00 Try fails: no luck\n");
  assert_int_equal(lw_agent_set_tree(s->grid.world, agent, NULL), LW_OK);
  lw_tree_destroy(tree); /* what was told of it stays */
  assert_non_null(strstr(told(s, agent, 100), "Try fails: no luck"));
}

static void the_ring_keeps_the_newest_entries(void **state) {
  scene *s = *state;
  assert_int_equal(lw_world_set_history(s->grid.world, 3), LW_OK);
  const lw_agent_id agent = spawn(s);
  for (int i = 0; i < 20; ++i) {
    set_alarm(s, agent, i % 2 == 0);
    step(s, 1);
  }
  lw_history_entry last[3], newest;
  assert_int_equal(lw_agent_get_history(s->grid.world, agent, (double)INFINITY, last, 3), 3);
  assert_true(last[0].number < last[1].number && last[1].number < last[2].number);
  assert_true(last[0].time <= last[1].time && last[1].time <= last[2].time);
  assert_int_equal(lw_agent_get_history(s->grid.world, agent, (double)INFINITY, &newest, 1), 3);
  assert_memory_equal(&newest, &last[2], sizeof newest);
}

static void the_world_tells_of_all_agents_in_the_order_in_which_it_happened(void **state) {
  enum { AGENTS = 5, MOST = 200 };
  static lw_history_entry all[MOST], some[7];
  scene *s = *state;
  lw_agent_id agents[AGENTS];
  for (int i = 0; i < AGENTS; ++i) agents[i] = spawn(s);
  step(s, 30);
  for (int i = 0; i < AGENTS; ++i) set_alarm(s, agents[i], true);
  step(s, 1);
  const int count = lw_world_get_history(s->grid.world, 100, all, MOST);
  int sum = 0;
  for (int i = 0; i < AGENTS; ++i) sum += lw_agent_get_history(s->grid.world, agents[i], 100, NULL, 0);
  assert_int_equal(count, sum);
  assert_int_equal(count, 6 * AGENTS);
  for (int i = 1; i < count; ++i)
    assert_true(all[i - 1].number < all[i].number && all[i - 1].time <= all[i].time);
  assert_int_equal(lw_world_get_history(s->grid.world, 100, some, 7), count);
  assert_memory_equal(some, all + count - 7, sizeof some);
}

static void what_happened_to_an_agent_that_is_gone_is_kept_for_a_while(void **state) {
  scene *s = *state;
  const lw_agent_id agent = spawn(s);
  step(s, 1);
  assert_int_equal(lw_agent_despawn(s->grid.world, agent), LW_OK);
  assert_non_null(strstr(told(s, agent, 100), "WalkThereByTheShortestWayTh is aborted\n"));
  for (int i = 0; i < 16; ++i) lw_agent_despawn(s->grid.world, spawn(s));
  assert_string_equal(told(s, agent, 100), "");
}

/* The same run with a history of that many entries. @return The world's hash. */
static uint64_t run_with(int history, size_t *growth) {
  static const char *const rows[] = {"......", "......", "......"};
  const lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  def.leaf = leaf;
  def.history = history;
  scene s = {.tree = create_tree()};
  s.grid = grid_world_open(rows, 3, 2, &profile, &def);
  const lw_agent_id agent = spawn(&s);
  step(&s, 2);
  set_alarm(&s, agent, true);
  step(&s, 1);
  const size_t before = lw_world_memory(s.grid.world);
  for (int i = 0; i < 100; ++i) {
    set_alarm(&s, agent, i % 2 == 0);
    step(&s, 1);
  }
  set_alarm(&s, agent, true);
  step(&s, 1);
  *growth = lw_world_memory(s.grid.world) - before;
  const uint64_t hash = lw_world_hash(s.grid.world);
  grid_world_close(&s.grid);
  lw_tree_destroy(s.tree);
  return hash;
}

static void it_changes_nothing_of_the_run_and_takes_its_memory_before(void **state) {
  size_t without, with;
  (void)state;
  assert_true(run_with(0, &without) == run_with(64, &with));
  assert_int_equal(without, with);
}

static void its_memory_is_the_worlds_and_goes_when_it_is_switched_off(void **state) {
  scene *s = *state;
  const lw_agent_id agent = spawn(s);
  step(s, 3);
  const size_t on = lw_world_memory(s->grid.world);
  assert_int_equal(lw_world_set_history(s->grid.world, 0), LW_OK);
  const size_t off = lw_world_memory(s->grid.world);
  assert_true(on - off > 32 * 50 && on - off < 32 * 120);
  step(s, 3);
  assert_int_equal(lw_agent_get_history(s->grid.world, agent, 100, NULL, 0), 0);
  assert_int_equal(lw_world_set_history(s->grid.world, 32), LW_OK);
  assert_int_equal(lw_world_memory(s->grid.world), on);
  set_alarm(s, agent, true);
  step(s, 1);
  assert_non_null(strstr(told(s, agent, 100), "alarmed starts"));
}

static void a_saved_game_is_without_it(void **state) {
  scene *s = *state;
  char file[] = "/tmp/leeward_history_XXXXXX";
  lw_saved *saved;
  temp_file_make(file);
  lw_agent_id agent = spawn(s);
  step(s, 3);
  assert_int_equal(lw_world_save(s->grid.world, file, NULL), LW_OK);
  lw_agent_despawn(s->grid.world, agent);
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(s->grid.world, saved, NULL), LW_OK);
  agent = spawn(s);
  assert_int_equal(lw_agent_get_history(s->grid.world, agent, 100, NULL, 0), 0);
  lw_saved_destroy(saved);
  unlink(file);
}

static void bad_input_is_refused(void **state) {
  scene *s = *state;
  lw_world *world = s->grid.world;
  const lw_agent_id agent = spawn(s);
  step(s, 1);
  assert_int_equal(lw_world_set_history(NULL, 1), LW_INVALID);
  assert_int_equal(lw_world_set_history(world, -1), LW_INVALID);
  assert_int_equal(lw_world_set_history(world, LW_HISTORY_MAX + 1), LW_INVALID);
  assert_int_equal(lw_world_get_history_size(world), 32);
  assert_int_equal(lw_world_get_history_size(NULL), 0);
  assert_int_equal(lw_agent_get_history(world, agent, -1, NULL, 0), 0);
  assert_int_equal(lw_agent_get_history(world, agent, (double)NAN, NULL, 0), 0);
  assert_int_equal(lw_agent_get_history(world, lw_agent_id_none(), 1, NULL, 0), 0);
  assert_int_equal(lw_agent_get_history(world, agent, 1, NULL, 5), 3);
  assert_int_equal(lw_world_get_history(world, (double)NAN, NULL, 0), 0);
  assert_int_equal(lw_history_text(NULL, NULL, 0), 0);
  const lw_history_entry unknown = {.kind = (lw_history_kind)99};
  assert_int_equal(lw_history_text(&unknown, NULL, 0), 0);
  assert_string_equal(lw_history_kind_name((lw_history_kind)99), "?");
  lw_world_def def = lw_world_def_default();
  lw_error error;
  lw_world *other;
  def.navmesh = s->grid.mesh;
  def.history = -1;
  assert_int_equal(lw_world_create(&def, &other, &error), LW_INVALID);
  assert_string_equal(error.text, "history is -1, expected 0 to 4096");
}

static void why_in_detail_has_nodes_failures_and_keys(void **state) {
  scene *s = *state;
  const lw_agent_id agent = spawn(s);
  char text[2048];
  set_alarm(s, agent, false);
  step(s, 30);
  const int length = lw_agent_why_in_detail(s->grid.world, agent, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_non_null(strstr(text,
                         "\ntree:\n  selector: running for 0.50 s\n    alarmed (alarm): failed 0.50 s ago\n"
                         "    Try: failed 0.50 s ago\n"
                         "    WalkThereByTheShortestWayThereIs: running for 0.50 s\n"
                         "last failures:\n  0.50 s ago: Try fails: no luck\n"
                         "blackboard:\n  alarm = false"));
  char line[2048];
  assert_true(lw_agent_why(s->grid.world, agent, line, sizeof line) < length);
  assert_memory_equal(line, text, strlen(line));
  for (size_t size = 0; size < 40; ++size) { /* cut to fit */
    char small[40];
    memset(small, 'x', sizeof small);
    assert_int_equal(lw_agent_why_in_detail(s->grid.world, agent, small, size), length);
    if (size > 0) assert_int_equal(strlen(small), size - 1);
  }
  assert_int_equal(lw_agent_why_in_detail(s->grid.world, lw_agent_id_none(), text, sizeof text), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)
  const struct CMUnitTest tests[] = {
      TEST(nodes_paths_and_aborts_are_told_in_order),
      TEST(a_leaf_that_fails_in_each_step_is_told_once_a_second),
      TEST(the_ring_keeps_the_newest_entries),
      TEST(the_world_tells_of_all_agents_in_the_order_in_which_it_happened),
      TEST(what_happened_to_an_agent_that_is_gone_is_kept_for_a_while),
      cmocka_unit_test(it_changes_nothing_of_the_run_and_takes_its_memory_before),
      TEST(its_memory_is_the_worlds_and_goes_when_it_is_switched_off),
      TEST(a_saved_game_is_without_it),
      TEST(bad_input_is_refused),
      TEST(why_in_detail_has_nodes_failures_and_keys),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, NULL);
}
