/* Trees and blackboards in saved worlds: random trees go on as those that were not saved; leaves in C; changed trees. */
#include "core/random.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "temp_file.h"
#include "tree_model.h"
#include "tree_nodes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TREES = 3, AGENTS = 5, STEPS_AFTER = 150, SEEDS = 60 };
#define DT (1.0f / 16)

static const char *const rows[] = {"........", "........", "........"};
static char file[] = "/tmp/leeward_trees_XXXXXX";

static uint64_t first_seed(void) {
  const char *given = getenv("LEEWARD_TEST_SEED");
  return given ? strtoull(given, NULL, 10) : 1;
}

/* --- random trees --------------------------------------------------------------------------------------------- */

/* Keys of agents, teams and the world, and events, in place of those of the model. */
static const char *const keys[MODEL_KEYS] = {"k0", "team.k1", "event.k2", "world.k3"};

static void say(lw_world *world, lw_agent_id agent, uint64_t bits) {
  const lw_agent_id other = lw_agent_next(world, lw_agent_id_none());
  lw_value value = {.kind = bits & 3 ? LW_VALUE_NUMBER : LW_VALUE_NONE, .as.number = (double)(bits & 3)};
  if ((bits >> 8 & 15) == 0) value = (lw_value){.kind = LW_VALUE_AGENT, .as.agent = agent};
  if ((bits >> 8 & 15) == 1) value = (lw_value){.kind = LW_VALUE_STRING, .as.string = "text"};
  if ((bits >> 8 & 15) == 2) value = (lw_value){.kind = LW_VALUE_VEC3, .as.vec3 = {1, 2, 3}};
  switch (bits >> 2 & 7) {
  case 0:
  case 1: lw_agent_set_value(world, agent, "k0", &value); break;
  case 2: lw_agent_set_value(world, agent, "team.k1", &value); break;
  case 3: lw_world_set_value(world, "k3", &value); break;
  case 4: lw_agent_send(world, other, "k2", &value); break;
  case 5: lw_world_emit(world, "k2", &value); break;
  case 6: lw_team_set_value(world, "blue", "k1", &value); break;
  default: lw_agent_wake(world, other); break;
  }
}

/* What it does follows from the random numbers of its agent, which are saved. */
static lw_node_status random_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  int *calls = user;
  if (call->event >= LW_LEAF_SAVE) return LW_SUCCESS;
  *calls += 1;
  const uint64_t bits = lwi_random_bits(lw_agent_random_stream(world, agent));
  if ((bits >> 20 & 1) == 0) say(world, agent, bits >> 24);
  if (call->event == LW_LEAF_TEST) return bits & 1 ? LW_SUCCESS : LW_FAILURE;
  if (call->event == LW_LEAF_SCORE) call->score = (double)(bits & 7);
  if (bits >> 8 & 1) call->wake = lw_world_time(world) + (double)(bits >> 9 & 15) * (double)DT;
  static const lw_node_status answers[] = {LW_SUCCESS, LW_FAILURE, LW_RUNNING, LW_RUNNING};
  return answers[bits >> 4 & 3];
}

static lw_tree *random_tree(uint64_t seed) {
  static model m;
  lw_random random = lwi_random_make(seed, 0);
  lw_tree *tree;
  lw_error error;
  m = (model){.count = 0};
  model_grow(&m, &random, -1, 0, 1 + (int)(lwi_random_bits(&random) % MODEL_NODES));
  for (int i = 0; i < m.count; i++) {
    lw_node_def *node = &m.nodes[i];
    node->saves = node->kind == LW_LEAF;
    if (node->key_count > 0) node->keys = &keys[node->keys[0][1] - '0'];
    if (node->score) node->score = keys[node->score[1] - '0'];
  }
  const lw_tree_def def = {.name = "random", .nodes = m.nodes, .node_count = m.count};
  if (lw_tree_create(&def, &tree, &error) != LW_OK)
    fail_msg("seed %llu: %s", (unsigned long long)seed, error.text);
  return tree;
}

static lw_agent_id spawn(lw_world *world, const lw_profile *profile, const lw_tree *tree, const char *team) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = profile;
  def.tree = tree;
  def.team = team;
  def.at = (lw_vec3){3, 0, 3};
  assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK);
  return agent;
}

static lw_saved *save(const lw_world *world) {
  lw_saved *saved;
  lw_error error;
  if (lw_world_save(world, file, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_saved_open(file, NULL, &saved, &error) != LW_OK) fail_msg("%s", error.text);
  return saved;
}

/* Load it with these trees by turns. */
static void load(lw_world *world, const lw_saved *saved, const lw_profile *profile, lw_tree *const *trees,
                 int count) {
  lw_error error;
  if (lw_world_restore(world, saved, &error) != LW_OK) fail_msg("%s", error.text);
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    assert_int_equal(lw_saved_get_agent(saved, i, &from), LW_OK);
    const lw_agent_id agent = spawn(world, profile, trees[i % count], from.team);
    assert_int_equal(lw_agent_restore(world, agent, saved, i), LW_OK);
  }
  if (lw_world_restore_trees(world, saved, &error) != LW_OK) fail_msg("%s", error.text);
}

static void go_on_from(uint64_t seed, int *calls) {
  lw_tree *trees[TREES];
  lw_world_def def = lw_world_def_default();
  def.leaf = random_leaf;
  def.user = calls;
  def.seed = seed;
  const lw_profile_def human = lw_profile_def_default();
  grid_world w = grid_world_open(rows, 3, 4, &human, &def);
  for (int i = 0; i < TREES; i++) trees[i] = random_tree(seed * TREES + (uint64_t)i);
  lw_world *other;
  def.navmesh = w.mesh;
  def.seed = seed + 1000;
  assert_int_equal(lw_world_create(&def, &other, NULL), LW_OK);
  const lw_agent_id gone = spawn(w.world, w.profile, NULL, NULL);
  for (int i = 0; i < AGENTS; i++) spawn(w.world, w.profile, trees[i % TREES], i % 2 ? "red" : "blue");
  const lw_value dead = {.kind = LW_VALUE_AGENT, .as.agent = gone};
  assert_int_equal(lw_world_set_value(w.world, "dead", &dead), LW_OK);
  assert_int_equal(lw_agent_despawn(w.world, gone), LW_OK);
  lw_random fate = lwi_random_make(seed, 2);
  const int saved_at = (int)(lwi_random_bits(&fate) % 120);
  for (int i = 0; i < saved_at; i++) assert_int_equal(lw_world_step(w.world, DT), LW_OK);
  say(w.world, lw_agent_next(w.world, lw_agent_id_none()), lwi_random_bits(&fate)); /* between steps */
  lw_saved *saved = save(w.world);
  load(other, saved, w.profile, trees, TREES);
  lw_saved_destroy(saved);
  for (int i = 0; i < STEPS_AFTER; i++) {
    if (lw_world_hash(w.world) != lw_world_hash(other))
      fail_msg("seed %llu: saved after step %d, the worlds differ %d steps later", (unsigned long long)seed,
               saved_at, i);
    assert_int_equal(lw_world_step(w.world, DT), LW_OK);
    assert_int_equal(lw_world_step(other, DT), LW_OK);
  }
  lw_world_destroy(other);
  grid_world_close(&w);
  for (int i = 0; i < TREES; i++) lw_tree_destroy(trees[i]);
}

static void random_trees_go_on_bit_for_bit(void **state) {
  (void)state;
  const uint64_t first = first_seed();
  int calls = 0;
  for (uint64_t seed = first; seed < first + SEEDS; seed++) go_on_from(seed, &calls);
  print_message("note: seeds from %llu: %d worlds saved at random steps, %d leaf calls\n",
                (unsigned long long)first, SEEDS, calls);
  assert_true(calls > 100 * SEEDS);
}

/* --- leaves in C ---------------------------------------------------------------------------------------------- */

/* How often each function was called. */
typedef struct counts {
  int starts, ticks, stops, saves, loads;
  bool saves_nothing, loads_nothing;
} counts;

typedef struct leaf_state {
  int ticks;
} leaf_state;

static lw_node_status count_tick(lw_leaf_call *call) {
  counts *c = (counts *)(uintptr_t)call->options;
  leaf_state *s = call->state;
  *(call->event == LW_LEAF_START ? &c->starts : &c->ticks) += 1;
  s->ticks += 1;
  return s->ticks < 10 ? LW_RUNNING : LW_SUCCESS;
}

static void count_stop(lw_leaf_call *call) {
  ((counts *)(uintptr_t)call->options)->stops += 1;
}

static lw_node_status count_save(lw_leaf_call *call) {
  counts *c = (counts *)(uintptr_t)call->options;
  c->saves += 1;
  call->data = call->state;
  call->size = sizeof(leaf_state);
  return c->saves_nothing ? LW_FAILURE : LW_SUCCESS;
}

static lw_node_status count_load(lw_leaf_call *call) {
  counts *c = (counts *)(uintptr_t)call->options;
  c->loads += 1;
  assert_int_equal(call->size, sizeof(leaf_state));
  if (c->loads_nothing) return LW_FAILURE;
  memcpy(call->state, call->data, call->size);
  return LW_SUCCESS;
}

/* A limit over a sequence of a wait, the leaf and a wait, in a selector with another wait. */
static lw_tree *counting_tree(const counts *c, bool saves) {
  const lw_leaf_def leaf = {.tick = count_tick,
                            .stop = count_stop,
                            .state_size = sizeof(leaf_state),
                            .options = c,
                            .save = saves ? count_save : NULL,
                            .load = saves ? count_load : NULL};
  lw_node_def nodes[] = {
      selector_node(2),      {.kind = LW_LIMITER, .child_count = 1, .count = 1},  sequence_node(3),
      wait_node(0.2f, 0.2f), {.kind = LW_LEAF, .name = "Count", .native = &leaf}, wait_node(0.5f, 1),
      wait_node(100, 100)};
  const lw_tree_def def = {.name = "counting", .nodes = nodes, .node_count = 7};
  lw_tree *tree;
  lw_error error;
  if (lw_tree_create(&def, &tree, &error) != LW_OK) fail_msg("%s", error.text);
  return tree;
}

/* Save a world whose leaf has been ticked some times, and load it in another one. */
static void save_counting(counts *c, bool saves, bool goes_on) {
  const lw_profile_def human = lw_profile_def_default();
  grid_world a = grid_world_open(rows, 3, 4, &human, NULL);
  lw_world *other;
  lw_world_def def = lw_world_def_default();
  def.navmesh = a.mesh;
  assert_int_equal(lw_world_create(&def, &other, NULL), LW_OK);
  lw_tree *tree = counting_tree(c, saves);
  spawn(a.world, a.profile, tree, NULL);
  for (int i = 0; i < 8; i++) assert_int_equal(lw_world_step(a.world, DT), LW_OK);
  const counts before = *c;
  assert_true(c->starts == 1 && c->ticks > 1 && c->ticks < 8 && c->stops == 0);
  lw_saved *saved = save(a.world);
  load(other, saved, a.profile, &tree, 1);
  lw_saved_destroy(saved);
  assert_true(c->starts == 1 && c->ticks == before.ticks && c->stops == 0);
  assert_true((lw_world_hash(a.world) == lw_world_hash(other)) == goes_on);
  assert_int_equal(lw_world_step(other, DT), LW_OK);
  assert_int_equal(c->starts, goes_on ? 1 : 2);
  for (int i = 0; i < 200; i++) assert_int_equal(lw_world_step(other, DT), LW_OK);
  assert_int_equal(c->ticks + c->starts, goes_on ? 10 : 10 + before.ticks + before.starts);
  assert_int_equal(c->stops, 1); /* and the limit counts on: it does not begin again */
  lw_world_destroy(other);
  grid_world_close(&a);
  lw_tree_destroy(tree);
}

static void a_leaf_in_c_goes_on_with_its_state(void **state) {
  (void)state;
  counts c = {.starts = 0};
  save_counting(&c, true, true);
  assert_true(c.saves == 1 && c.loads == 1);
}

static void a_leaf_that_saves_nothing_starts_again_at_itself(void **state) {
  (void)state;
  counts without = {.starts = 0}, saves_nothing = {.saves_nothing = true},
         loads_nothing = {.loads_nothing = true};
  save_counting(&without, false, false);
  save_counting(&saves_nothing, true, false);
  assert_true(saves_nothing.saves == 1 && saves_nothing.loads == 0);
  save_counting(&loads_nothing, true, false);
  assert_int_equal(loads_nothing.loads, 1);
}

static void save_and_load_are_given_together(void **state) {
  (void)state;
  const lw_leaf_def leaf = {.tick = count_tick, .save = count_save};
  const lw_node_def node = {.kind = LW_LEAF, .name = "Count", .native = &leaf};
  lw_tree *tree;
  lw_error error;
  assert_int_equal(lw_tree_create(&(lw_tree_def){"t", &node, 1, NULL}, &tree, &error), LW_INVALID);
  assert_string_equal(error.text,
                      "tree 't', node 0 'Count': native->load is NULL, expected both or none of save and load");
}

static void data_of_the_caller_come_back(void **state) {
  (void)state;
  const lw_profile_def human = lw_profile_def_default();
  grid_world w = grid_world_open(rows, 3, 4, &human, NULL);
  lw_saved *saved;
  size_t size = 7;
  assert_int_equal(lw_world_save_with(w.world, file, "quest\0two", 9, NULL), LW_OK);
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  assert_memory_equal(lw_saved_data(saved, &size), "quest\0two", 9);
  assert_int_equal(size, 9);
  lw_saved_destroy(saved);
  saved = save(w.world);
  assert_null(lw_saved_data(saved, &size));
  assert_int_equal(size, 0);
  lw_saved_destroy(saved);
  grid_world_close(&w);
}

static int open_file(void **state) {
  (void)state;
  temp_file_make(file);
  return 0;
}

static int close_file(void **state) {
  (void)state;
  return remove(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees_go_on_bit_for_bit),
      cmocka_unit_test(a_leaf_in_c_goes_on_with_its_state),
      cmocka_unit_test(a_leaf_that_saves_nothing_starts_again_at_itself),
      cmocka_unit_test(save_and_load_are_given_together),
      cmocka_unit_test(data_of_the_caller_come_back),
  };
  return cmocka_run_group_tests(tests, open_file, close_file);
}
