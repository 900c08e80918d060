/* Making behaviour trees: bad definitions, names and paths. */
#include "leeward/tree.h"
#include "tree_nodes.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void names_the_tree_and_the_path_to_a_node(void **state) {
  (void)state;
  char name[] = "MoveTo";
  lw_node_def nodes[] = {selector_node(2),
                         {.kind = LW_SEQUENCE, .name = "roam", .child_count = 2},
                         {.kind = LW_LEAF, .name = name},
                         wait_node(0, 1),
                         wait_node(1, 2)};
  lw_tree_def def = {.name = "wander", .nodes = nodes, .node_count = COUNT(nodes)};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  name[0] = '?'; /* It was copied. */
  assert_string_equal(lw_tree_name(tree), "wander");
  assert_int_equal(lw_tree_node_count(tree), 5);
  static const char expected[] = "wander > selector > roam > MoveTo";
  char text[64];
  assert_int_equal(lw_tree_node_path(tree, 2, text, sizeof text), COUNT(expected) - 1);
  assert_string_equal(text, expected);
  lw_tree_node_path(tree, 4, text, sizeof text);
  assert_string_equal(text, "wander > selector > wait");
  for (int size = 1; size < COUNT(expected) + 3; ++size) {
    memset(text, '#', sizeof text);
    assert_int_equal(lw_tree_node_path(tree, 2, text, (size_t)size), COUNT(expected) - 1);
    int kept = size - 1 < COUNT(expected) - 1 ? size - 1 : COUNT(expected) - 1;
    assert_int_equal(strlen(text), kept);
    assert_memory_equal(text, expected, (size_t)kept);
    assert_int_equal(text[kept + 1], '#');
  }
  assert_int_equal(lw_tree_node_path(tree, 2, NULL, 0), COUNT(expected) - 1);
  assert_int_equal(lw_tree_node_path(tree, 5, text, sizeof text), 0);
  assert_int_equal(lw_tree_node_path(tree, -1, text, sizeof text), 0);
  assert_string_equal(text, "");
  lw_tree_destroy(tree);
}

static void refuses_bad_definitions_and_names_the_node(void **state) {
  (void)state;
  const float nan = (float)NAN, inf = (float)INFINITY;
  const struct {
    lw_node_def nodes[4];
    int count;
    const char *text;
  } cases[] = {
      {{leaf_node(0)}, 0, "tree 'bad': node_count is 0, expected at least 1"},
      {{leaf_node(0)}, -3, "tree 'bad': node_count is -3, expected at least 1"},
      {{{.kind = (lw_node_kind)19, .name = "odd"}},
       1,
       "tree 'bad', node 0 'odd': kind is 19, expected a kind of node, LW_SEQUENCE to LW_SUBTREE"},
      {{{.kind = (lw_node_kind)-1}},
       1,
       "tree 'bad', node 0 '?': kind is -1, expected a kind of node, LW_SEQUENCE to LW_SUBTREE"},
      {{sequence_node(1), selector_node(0)},
       2,
       "tree 'bad', node 1 'selector': child_count is 0, expected at least 1 for a composite"},
      {{sequence_node(-2), leaf_node(0)},
       2,
       "tree 'bad', node 0 'sequence': child_count is -2, expected at least 1 for a composite"},
      {{{.kind = LW_LEAF, .name = "Shout", .child_count = 1}, leaf_node(0)},
       2,
       "tree 'bad', node 0 'Shout': child_count is 1, expected 0 for a leaf or wait"},
      {{sequence_node(2), leaf_node(0)},
       2,
       "tree 'bad', node 0 'sequence': child_count is 2, expected at most 1, the number of nodes after it"},
      {{sequence_node(3), selector_node(2), leaf_node(0), leaf_node(0)},
       4,
       "tree 'bad', node 0 'sequence': child_count is 3, expected 1, as no more nodes follow"},
      {{leaf_node(0), {.kind = LW_LEAF, .name = "Late"}},
       2,
       "tree 'bad': node_count is 2, expected 1: the root ends before node 1 'Late'"},
      {{sequence_node(1), selector_node(1), leaf_node(0), leaf_node(0)},
       4,
       "tree 'bad': node_count is 4, expected 3: the root ends before node 3 'leaf'"},
      {{wait_node(-1, 1)},
       1,
       "tree 'bad', node 0 'wait': wait_min is -1, expected a finite number of seconds >= 0"},
      {{wait_node(nan, 1)},
       1,
       "tree 'bad', node 0 'wait': wait_min is nan, expected a finite number of seconds >= 0"},
      {{wait_node(2, 1)},
       1,
       "tree 'bad', node 0 'wait': wait_max is 1, expected a finite number of seconds >= wait_min"},
      {{wait_node(2, nan)},
       1,
       "tree 'bad', node 0 'wait': wait_max is nan, expected a finite number of seconds >= wait_min"},
      {{wait_node(2, inf)},
       1,
       "tree 'bad', node 0 'wait': wait_max is inf, expected a finite number of seconds >= wait_min"},
  };
  for (int i = 0; i < COUNT(cases); ++i) {
    lw_tree_def def = {.name = "bad", .nodes = cases[i].nodes, .node_count = cases[i].count};
    lw_tree *tree = (lw_tree *)(void *)&def;
    lw_error error = {0};
    assert_int_equal(lw_tree_create(&def, &tree, &error), LW_INVALID);
    assert_int_equal(error.status, LW_INVALID);
    assert_string_equal(error.text, cases[i].text);
    assert_null(tree);
    assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_INVALID);
  }
}

static void refuses_what_is_missing(void **state) {
  (void)state;
  lw_tree *tree;
  lw_tree_run *run;
  lw_error error;
  lw_node_def leaf = leaf_node(0);
  assert_int_equal(lw_tree_create(NULL, &tree, &error), LW_INVALID);
  char name[65];
  memset(name, 'n', sizeof name);
  name[64] = 0;
  assert_int_equal(lw_tree_create(&(lw_tree_def){.name = name, .nodes = &leaf, .node_count = 1}, &tree, &error),
                   LW_INVALID);
  assert_string_equal(error.text, "tree: name is 'nnnnnnnnnnnnnnnnnnnn...', expected 1 to 63 bytes");
  assert_int_equal(lw_tree_create(&(lw_tree_def){.name = "", .nodes = &leaf, .node_count = 1}, &tree, &error),
                   LW_INVALID);
  name[63] = 0;
  assert_int_equal(lw_tree_create(&(lw_tree_def){.name = name, .nodes = &leaf, .node_count = 1}, &tree, &error),
                   LW_OK);
  lw_tree_destroy(tree);
  assert_int_equal(lw_tree_create(&(lw_tree_def){.name = "x", .node_count = 1}, &tree, &error), LW_INVALID);
  assert_string_equal(error.text, "tree 'x': nodes is NULL, expected an array");
  assert_int_equal(lw_tree_create(&(lw_tree_def){.name = "x", .nodes = &leaf, .node_count = 1}, NULL, NULL),
                   LW_INVALID);
  assert_int_equal(lw_tree_run_create(NULL, NULL, &run), LW_INVALID);
  assert_null(run);
  lw_tree_destroy(NULL);
  lw_tree_run_destroy(NULL);
}

static void a_tree_may_have_no_name(void **state) {
  (void)state;
  lw_tree *tree;
  lw_error error;
  lw_node_def wrong = {.kind = LW_WAIT, .name = "rest", .wait_min = 2, .wait_max = 1};
  assert_int_equal(lw_tree_create(&(lw_tree_def){.nodes = &wrong, .node_count = 1}, &tree, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "tree 'tree', node 0 'rest': "));
  const lw_node_def wait = {.kind = LW_WAIT, .name = "rest", .wait_min = 1, .wait_max = 1};
  assert_int_equal(lw_tree_create(&(lw_tree_def){.nodes = &wait, .node_count = 1}, &tree, &error), LW_OK);
  assert_string_equal(lw_tree_name(tree), "");
  char path[32];
  lw_tree_node_path(tree, 0, path, sizeof path);
  assert_string_equal(path, "tree > rest");
  lw_tree_destroy(tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_the_tree_and_the_path_to_a_node),
      cmocka_unit_test(refuses_bad_definitions_and_names_the_node),
      cmocka_unit_test(refuses_what_is_missing),
      cmocka_unit_test(a_tree_may_have_no_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
