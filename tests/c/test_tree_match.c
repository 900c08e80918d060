/* Two versions of a tree: which nodes are the same, and what of a run goes on in the other version. */
#include "behavior/run.h"
#include "tree_nodes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lw_node_def named(lw_node_def node, const char *name) {
  node.name = name;
  return node;
}

static lw_node_def decorator(lw_node_kind kind, int count, float seconds) {
  return (lw_node_def){.kind = kind, .child_count = 1, .count = count, .seconds = seconds};
}

static lw_tree *tree_of(const lw_node_def *nodes, int count) {
  const lw_tree_def def = {.name = "tree", .nodes = nodes, .node_count = count};
  lw_error error = {0};
  lw_tree *tree = NULL;
  if (lw_tree_create(&def, &tree, &error) != LW_OK) fail_msg("%s", error.text);
  return tree;
}
#define TREE(...)                                                                                              \
  tree_of((const lw_node_def[]){__VA_ARGS__},                                                                  \
          (int)(sizeof((const lw_node_def[]){__VA_ARGS__}) / sizeof(lw_node_def)))

static void assert_match(lw_tree *from, lw_tree *to, const int *expected) {
  int nodes[16];
  assert_int_equal(lw_tree_match(from, to, nodes), LW_OK);
  for (int i = 0; i < lw_tree_node_count(to); ++i)
    if (nodes[i] != expected[i]) fail_msg("node %d is %d, expected %d", i, nodes[i], expected[i]);
  lw_tree_destroy(from);
  lw_tree_destroy(to);
}
#define MATCH(from, to, ...) assert_match(from, to, (const int[]){__VA_ARGS__})

static void the_same_nodes_are_found(void **state) {
  (void)state;
  lw_node_def a = named(leaf_node(1), "a"), b = named(leaf_node(2), "b"), c = named(leaf_node(3), "c");
  MATCH(TREE(sequence_node(2), a, b), TREE(sequence_node(2), a, b), 0, 1, 2);
  MATCH(TREE(sequence_node(2), a, b), TREE(sequence_node(3), c, a, b), 0, -1, 1, 2);   /* one before */
  MATCH(TREE(sequence_node(2), a, b), TREE(sequence_node(2), b, a), 0, 2, 1);          /* in another order */
  MATCH(TREE(sequence_node(3), a, a, b), TREE(sequence_node(3), b, a, a), 0, 3, 1, 2); /* counted by name */
  MATCH(TREE(sequence_node(2), a, a), TREE(sequence_node(3), a, a, a), 0, 1, 2, -1);
  MATCH(TREE(sequence_node(2), a, b), TREE(selector_node(2), a, b), -1, -1, -1); /* another root */
  MATCH(TREE(sequence_node(1), named(sequence_node(1), "x"), a),
        TREE(sequence_node(1), named(sequence_node(1), "y"), a), 0, -1, -1); /* below another name */
  MATCH(TREE(sequence_node(2), wait_node(1, 1), wait_node(2, 2)), TREE(sequence_node(1), wait_node(3, 3)), 0,
        1);
  lw_tree *tree = TREE(a);
  int node;
  assert_int_equal(lw_tree_match(NULL, tree, &node), LW_INVALID);
  assert_int_equal(lw_tree_match(tree, NULL, &node), LW_INVALID);
  assert_int_equal(lw_tree_match(tree, tree, NULL), LW_INVALID);
  lw_tree_destroy(tree);
}

static void *resize_while_allowed(void *user, void *block, size_t old_size, size_t size) {
  (void)old_size;
  int *allowed = user;
  if (size == 0) return free(block), NULL;
  return *allowed > 0 ? realloc(block, size) : NULL;
}

static void memory_that_runs_out_is_said(void **state) {
  (void)state;
  int allowed = 1, nodes[1] = {7};
  const lw_allocator allocator = {resize_while_allowed, &allowed};
  const lw_node_def node = wait_node(1, 1);
  const lw_tree_def def = {.name = "tree", .nodes = &node, .node_count = 1, .allocator = &allocator};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  allowed = 0;
  assert_int_equal(lw_tree_match(tree, tree, nodes), LW_OUT_OF_MEMORY);
  assert_int_equal(nodes[0], 7);
  allowed = 1;
  assert_int_equal(lw_tree_match(tree, tree, nodes), LW_OK);
  assert_int_equal(nodes[0], 0);
  lw_tree_destroy(tree);
}

/* Leaves run until `end` has their bit, then they succeed. */
typedef struct script {
  unsigned end;
  char log[256];
} script;

static lw_node_status run_leaf(void *user, lw_leaf_call *call) {
  static const char *const events[] = {"start", "tick", "stop"};
  script *with = user;
  char line[32];
  if (call->event != LW_LEAF_TICK) {
    snprintf(line, sizeof line, "%s %u;", events[call->event], call->leaf);
    strcat(with->log, line);
  }
  call->wake = (double)INFINITY;
  return with->end >> call->leaf & 1 ? LW_SUCCESS : LW_RUNNING;
}

typedef struct bench {
  script script;
  lw_tree_host host;
  lw_tree *tree;
  lw_tree_run *run;
} bench;

static void tick(bench *on, double now) {
  on->host = (lw_tree_host){.leaf = run_leaf, .user = &on->script, .now = now};
  lw_tree_run_wake(on->run);
  (void)lw_tree_run_tick(on->run, &on->host);
}

static bench start(lw_tree *tree) {
  bench on = {.tree = tree};
  assert_int_equal(lw_tree_run_create(tree, NULL, &on.run), LW_OK);
  return on;
}

/* What a world does. @return Whether it goes on. */
static bool replace(bench *on, lw_tree *tree) {
  int nodes[16];
  lw_tree_run *run;
  on->host.user = &on->script;
  assert_int_equal(lw_tree_match(on->tree, tree, nodes), LW_OK);
  assert_int_equal(lw_tree_run_create(tree, NULL, &run), LW_OK);
  const bool goes_on = lwi_run_goes_on(on->run, tree, nodes);
  if (!goes_on) lw_tree_run_abort(on->run, &on->host);
  lwi_run_take(run, on->run, nodes);
  lw_tree_run_destroy(on->run);
  lw_tree_destroy(on->tree);
  on->tree = tree;
  on->run = run;
  return goes_on;
}

static void finish(bench *on) {
  on->host.user = &on->script;
  lw_tree_run_abort(on->run, &on->host);
  lw_tree_run_destroy(on->run);
  lw_tree_destroy(on->tree);
}

static void what_runs_goes_on(void **state) {
  (void)state;
  lw_node_def a = named(leaf_node(1), "a"), b = named(leaf_node(2), "b"), c = named(leaf_node(3), "c");
  bench on = start(TREE(sequence_node(2), a, b));
  on.script.end = 1u << 1;
  tick(&on, 0);
  assert_string_equal(on.script.log, "start 1;stop 1;start 2;");
  lw_node_def other = b;
  other.leaf = 4; /* other functions under the same name */
  assert_true(replace(&on, TREE(sequence_node(3), c, other, a)));
  assert_int_equal(lw_tree_run_current(on.run), 2);
  on.script.end = 1u << 4;
  tick(&on, 1);
  assert_string_equal(on.script.log, "start 1;stop 1;start 2;stop 4;start 1;");
  finish(&on);
}

static void what_is_gone_is_aborted(void **state) {
  (void)state;
  lw_node_def a = named(leaf_node(1), "a"), b = named(leaf_node(2), "b"), c = named(leaf_node(3), "c");
  bench on = start(TREE(sequence_node(2), a, b));
  on.script.end = 1u << 1;
  tick(&on, 0);
  assert_false(replace(&on, TREE(sequence_node(2), a, c)));
  assert_string_equal(on.script.log, "start 1;stop 1;start 2;stop 2;");
  assert_int_equal(lw_tree_run_current(on.run), -1);
  on.script.end = 0;
  tick(&on, 1);
  assert_string_equal(on.script.log, "start 1;stop 1;start 2;stop 2;start 1;");
  finish(&on);
}

static void timers_and_counts_stay(void **state) {
  (void)state;
  lw_node_def a = named(leaf_node(1), "a");
  bench on = start(TREE(selector_node(2), decorator(LW_COOLDOWN, 0, 10), a, wait_node(3, 3)));
  on.script.end = 1u << 1;
  tick(&on, 0); /* a has ended: it cools down until 10 */
  tick(&on, 1); /* waits until 4 */
  assert_true(lw_tree_run_wake_time(on.run) == 4.0);
  assert_true(replace(&on, TREE(selector_node(2), decorator(LW_COOLDOWN, 0, 10), a, wait_node(50, 50))));
  assert_true(lw_tree_run_wake_time(on.run) == 4.0);
  tick(&on, 4);
  tick(&on, 5); /* still cooling down */
  assert_true(lw_tree_run_wake_time(on.run) == 55.0);
  finish(&on);

  on = start(TREE(decorator(LW_LIMITER, 2, 0), a));
  on.script.end = 1u << 1;
  tick(&on, 0);
  assert_true(replace(&on, TREE(decorator(LW_LIMITER, 2, 0), a)));
  tick(&on, 1);
  tick(&on, 2); /* the limit is reached */
  assert_string_equal(on.script.log, "start 1;stop 1;start 1;stop 1;");
  assert_true(replace(&on, TREE(decorator(LW_LIMITER, 3, 0), a)));
  tick(&on, 3);
  tick(&on, 4);
  assert_string_equal(on.script.log, "start 1;stop 1;start 1;stop 1;start 1;stop 1;");
  finish(&on);
}

static void parallels_go_on_with_the_same_children(void **state) {
  (void)state;
  lw_node_def a = named(leaf_node(1), "a"), b = named(leaf_node(2), "b"), c = named(leaf_node(3), "c");
  lw_node_def two = {.kind = LW_PARALLEL, .child_count = 2}, three = {.kind = LW_PARALLEL, .child_count = 3};
  bench on = start(TREE(two, a, b));
  on.script.end = 1u << 1;
  tick(&on, 0);
  assert_true(replace(&on, TREE(two, a, b))); /* a has ended, b runs */
  on.script.end = 1u << 2;
  tick(&on, 1);
  assert_string_equal(on.script.log, "start 1;stop 1;start 2;stop 2;");
  on.script.end = 0;
  tick(&on, 2);
  on.script.log[0] = 0;
  assert_false(replace(&on, TREE(three, a, b, c)));
  assert_string_equal(on.script.log, "stop 1;stop 2;");
  finish(&on);
}

static lw_node_status count_ticks(lw_leaf_call *call) {
  int *ticks = call->state;
  ++*ticks;
  return *ticks == 3 ? LW_SUCCESS : LW_RUNNING;
}

static void native_leaves_keep_memory_of_the_same_size(void **state) {
  (void)state;
  const lw_leaf_def small = {.tick = count_ticks, .state_size = sizeof(int)};
  const lw_leaf_def large = {.tick = count_ticks, .state_size = 40};
  const lw_node_def leaf = {.kind = LW_LEAF, .native = &small}, other = {.kind = LW_LEAF, .native = &large};
  bench on = start(TREE(sequence_node(1), leaf));
  tick(&on, 0);
  tick(&on, 1);
  assert_true(replace(&on, TREE(sequence_node(1), leaf)));
  on.host.now = 2;
  lw_tree_run_wake(on.run);
  assert_int_equal(lw_tree_run_tick(on.run, &on.host), LW_SUCCESS);
  tick(&on, 3);
  assert_false(replace(&on, TREE(sequence_node(1), other)));
  finish(&on);
}

static lw_value no_value(void *user, const lw_key *key) {
  (void)key;
  return ((script *)user)->end ? (lw_value){.kind = LW_VALUE_BOOLEAN, .as.boolean = true} : (lw_value){0};
}

static void new_conditions_are_tested(void **state) {
  (void)state;
  static const char *const keys[] = {"enemy"};
  const lw_node_def watch = {
      .kind = LW_CONDITION, .child_count = 1, .keys = keys, .key_count = 1, .abort = LW_ABORT_LOWER};
  lw_node_def a = named(leaf_node(8), "a"), b = named(leaf_node(9), "b");
  bench on = start(TREE(selector_node(1), a));
  tick(&on, 0);
  on.script.end = 1; /* the key has a value now */
  assert_true(replace(&on, TREE(selector_node(2), watch, b, a)));
  on.host.value = no_value;
  on.host.now = 1;
  (void)lw_tree_run_tick(on.run, &on.host);
  assert_string_equal(on.script.log, "start 8;stop 8;start 9;");
  on.script.log[0] = 0;
  assert_true(replace(&on, TREE(selector_node(2), watch, b, a)));
  on.host.now = 2;
  (void)lw_tree_run_tick(on.run, &on.host);
  assert_string_equal(on.script.log, "");
  finish(&on);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_nodes_are_found),
      cmocka_unit_test(memory_that_runs_out_is_said),
      cmocka_unit_test(what_runs_goes_on),
      cmocka_unit_test(what_is_gone_is_aborted),
      cmocka_unit_test(timers_and_counts_stay),
      cmocka_unit_test(parallels_go_on_with_the_same_children),
      cmocka_unit_test(native_leaves_keep_memory_of_the_same_size),
      cmocka_unit_test(new_conditions_are_tested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
