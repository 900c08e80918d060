/* Behaviour trees: what runs, and when. test_tree_model.c compares random trees with a model. */
#include "allocator.h"
#include "core/random.h"
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

/* --- a host that writes down what it is asked ----------------------------------------------------------------- */

enum { LEAF_MAX = 8 };

/// "S1" is START of leaf 1, "T1" a TICK, "+1" "-1" "x1" its STOP on success, failure, abort.
typedef struct recorder {
  lw_tree_host host;
  char trace[512];
  lw_node_status answers[LEAF_MAX]; ///< Of each leaf, until changed.
  double sleep[LEAF_MAX];           ///< With LW_RUNNING: how long. 0: not said.
  float unit;                       ///< What random() gives.
  int draws;
  lw_tree_run *run;
  int meddler;              ///< This leaf calls `meddle` in each of its calls; -1: none.
  lw_leaf_event meddles_in; ///< Which of them.
  void (*meddle)(struct recorder *recorder);
  lw_node_status meddled; ///< What it saw.
} recorder;

static lw_node_status record_leaf(void *user, lw_leaf_call *call) {
  recorder *r = user;
  static const char ends[] = "+-x";
  char mark = call->event == LW_LEAF_START ? 'S' : call->event == LW_LEAF_TICK ? 'T' : ends[call->end];
  size_t length = strlen(r->trace);
  snprintf(r->trace + length, sizeof r->trace - length, "%s%c%u", length ? " " : "", mark, call->leaf);
  assert_int_equal(call->node, lw_tree_run_current(r->run));
  assert_true(call->wake == r->host.now);
  if ((int)call->leaf == r->meddler && call->event == r->meddles_in) r->meddle(r);
  if (r->sleep[call->leaf] > 0.0) call->wake = r->host.now + r->sleep[call->leaf];
  return r->answers[call->leaf];
}

static float record_random(void *user) {
  recorder *r = user;
  r->draws += 1;
  return r->unit;
}

static lw_node_status tick(recorder *r) {
  return lw_tree_run_tick(r->run, &r->host);
}

/// Tick, and check what was asked meanwhile.
#define expect(r, status, expected)                                                                            \
  do {                                                                                                         \
    (r)->trace[0] = '\0';                                                                                      \
    assert_int_equal(tick(r), status);                                                                         \
    assert_string_equal((r)->trace, expected);                                                                 \
  } while (0)

static lw_tree *make_tree(const lw_node_def *nodes, int count) {
  lw_tree *tree;
  lw_error error = {0};
  lw_tree_def def = {.name = "test", .nodes = nodes, .node_count = count};
  if (lw_tree_create(&def, &tree, &error) != LW_OK) fail_msg("%s", error.text);
  return tree;
}

static void begin(recorder *r, const lw_tree *tree) {
  *r = (recorder){.meddler = -1, .unit = 0.5f};
  r->host = (lw_tree_host){.leaf = record_leaf, .random = record_random, .user = r};
  for (int i = 0; i < LEAF_MAX; ++i) r->answers[i] = LW_SUCCESS;
  assert_int_equal(lw_tree_run_create(tree, NULL, &r->run), LW_OK);
}

static void end(recorder *r, lw_tree *tree) {
  lw_tree_run_abort(r->run, &r->host);
  lw_tree_run_destroy(r->run);
  lw_tree_destroy(tree);
}

/* --- running -------------------------------------------------------------------------------------------------- */

static void refuses_a_host_that_cannot_call_leaves_and_a_clock_that_is_no_number(void **state) {
  (void)state;
  lw_node_def nodes[] = {leaf_node(0)};
  lw_tree *tree = make_tree(nodes, 1);
  recorder r;
  begin(&r, tree);
  lw_tree_host mute = r.host, timeless = r.host;
  mute.leaf = NULL;
  timeless.now = (double)NAN;
  r.answers[0] = LW_RUNNING;
  expect(&r, LW_RUNNING, "S0");
  uint64_t before = lw_tree_run_hash(r.run);
  assert_int_equal(lw_tree_run_tick(r.run, &mute), LW_FAILURE);
  assert_int_equal(lw_tree_run_tick(r.run, &timeless), LW_FAILURE);
  assert_int_equal(lw_tree_run_tick(r.run, NULL), LW_FAILURE);
  lw_tree_run_abort(r.run, &mute);
  lw_tree_run_abort(r.run, NULL);
  assert_true(lw_tree_run_hash(r.run) == before);
  expect(&r, LW_RUNNING, "T0");
  end(&r, tree);
}

static void a_sequence_runs_on_in_the_same_tick_and_stops_at_the_first_failure(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(3), leaf_node(1), leaf_node(2), leaf_node(3)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  expect(&r, LW_SUCCESS, "S1 +1 S2 +2 S3 +3");
  r.answers[2] = LW_FAILURE;
  expect(&r, LW_FAILURE, "S1 +1 S2 -2");
  r.answers[2] = (lw_node_status)77; /* No status at all is no success. */
  expect(&r, LW_FAILURE, "S1 +1 S2 -2");
  end(&r, tree);
}

static void a_selector_runs_on_in_the_same_tick_and_stops_at_the_first_success(void **state) {
  (void)state;
  lw_node_def nodes[] = {selector_node(3), leaf_node(1), leaf_node(2), leaf_node(3)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  r.answers[1] = LW_FAILURE;
  expect(&r, LW_SUCCESS, "S1 -1 S2 +2");
  r.answers[2] = r.answers[3] = LW_FAILURE;
  expect(&r, LW_FAILURE, "S1 -1 S2 -2 S3 -3");
  end(&r, tree);
}

static void remembers_the_child_that_runs(void **state) {
  (void)state;
  lw_node_def nodes[] = {selector_node(2), sequence_node(2), leaf_node(1), leaf_node(2),
                         sequence_node(2), leaf_node(3),     leaf_node(4)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  r.answers[2] = LW_RUNNING;
  expect(&r, LW_RUNNING, "S1 +1 S2");
  assert_int_equal(lw_tree_run_current(r.run), 3);
  expect(&r, LW_RUNNING, "T2");
  r.answers[2] = LW_FAILURE;
  r.answers[4] = LW_RUNNING;
  expect(&r, LW_RUNNING, "T2 -2 S3 +3 S4"); /* The old one is stopped before the new one starts. */
  r.answers[4] = LW_SUCCESS;
  expect(&r, LW_SUCCESS, "T4 +4");
  assert_int_equal(lw_tree_run_current(r.run), -1);
  end(&r, tree);
}

static void a_tree_that_ended_starts_again_at_the_next_tick_only(void **state) {
  (void)state;
  lw_node_def nodes[] = {leaf_node(1)};
  lw_tree *tree = make_tree(nodes, 1);
  recorder r;
  begin(&r, tree);
  for (int i = 0; i < 3; ++i) {
    expect(&r, LW_SUCCESS, "S1 +1");
    assert_true(lw_tree_run_wake_time(r.run) == 0.0);
  }
  end(&r, tree);
}

static void sleeping_calls_no_leaf(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(2), leaf_node(1), leaf_node(2)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  r.answers[1] = LW_RUNNING;
  r.sleep[1] = 2.0;
  r.host.now = 10.0;
  expect(&r, LW_RUNNING, "S1");
  assert_true(lw_tree_run_wake_time(r.run) == 12.0);
  for (r.host.now = 10.0; r.host.now < 12.0; r.host.now += 0.125) expect(&r, LW_RUNNING, "");
  expect(&r, LW_RUNNING, "T1");
  assert_true(lw_tree_run_wake_time(r.run) == 14.0);
  r.host.now = 13.0;
  expect(&r, LW_RUNNING, "");
  lw_tree_run_wake(r.run);
  assert_true(lw_tree_run_wake_time(r.run) == 0.0);
  expect(&r, LW_RUNNING, "T1"); /* Woken once is one tick. */
  expect(&r, LW_RUNNING, "");
  r.sleep[1] = (double)INFINITY;
  lw_tree_run_wake(r.run);
  expect(&r, LW_RUNNING, "T1");
  assert_true(isinf(lw_tree_run_wake_time(r.run)));
  r.host.now = 1e12;
  expect(&r, LW_RUNNING, "");
  r.answers[1] = LW_SUCCESS;
  lw_tree_run_wake(r.run);
  expect(&r, LW_SUCCESS, "T1 +1 S2 +2");
  lw_tree_run_wake(r.run); /* Nothing runs: nothing to wake. */
  assert_true(lw_tree_run_wake_time(r.run) == 0.0);
  end(&r, tree);
}

static lw_node_status sleep_nowhere(void *user, lw_leaf_call *call) {
  (void)user;
  call->wake = call->event == LW_LEAF_START ? (double)NAN : -5.0;
  return LW_RUNNING;
}

static void a_wake_time_that_is_past_or_no_number_is_now(void **state) {
  (void)state;
  lw_node_def nodes[] = {leaf_node(1)};
  lw_tree *tree = make_tree(nodes, 1);
  recorder r;
  begin(&r, tree);
  lw_tree_host host = {.leaf = sleep_nowhere, .now = 3.0};
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(lw_tree_run_tick(r.run, &host), LW_RUNNING);
    assert_true(lw_tree_run_wake_time(r.run) == 3.0);
  }
  end(&r, tree);
}

static void a_wait_draws_its_time_and_cannot_be_woken(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(2), wait_node(1, 3), leaf_node(1)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  r.unit = 0.25f;
  r.host.now = 100.0;
  expect(&r, LW_RUNNING, "");
  assert_int_equal(r.draws, 1);
  assert_int_equal(lw_tree_run_current(r.run), 1);
  assert_true(lw_tree_run_wake_time(r.run) == 101.5);
  lw_tree_run_wake(r.run);
  assert_true(lw_tree_run_wake_time(r.run) == 101.5);
  r.host.now = 101.4375;
  expect(&r, LW_RUNNING, "");
  r.host.now = 101.5;
  expect(&r, LW_SUCCESS, "S1 +1");
  assert_int_equal(r.draws, 1);
  static const float odd[] = {-1.0f, (float)NAN, 7.0f};
  static const double odd_wait[] = {1.0, 1.0, 3.0};
  for (int i = 0; i < COUNT(odd); ++i) { /* A host's bad number stays within the wait's bounds. */
    r.unit = odd[i];
    expect(&r, LW_RUNNING, "");
    assert_true(lw_tree_run_wake_time(r.run) == r.host.now + odd_wait[i]);
    lw_tree_run_abort(r.run, &r.host);
  }
  r.host.random = NULL;
  expect(&r, LW_RUNNING, "");
  assert_true(lw_tree_run_wake_time(r.run) == r.host.now + 1.0);
  end(&r, tree);
}

static void a_fixed_wait_draws_nothing_and_one_of_zero_ends_at_once(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(3), wait_node(0, 0), leaf_node(1), wait_node(2, 2)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  expect(&r, LW_RUNNING, "S1 +1");
  assert_true(lw_tree_run_wake_time(r.run) == 2.0);
  assert_int_equal(r.draws, 0);
  end(&r, tree);
}

static void waits_are_uniform_between_min_and_max(void **state) {
  (void)state;
  enum { BINS = 10, DRAWS = 20000 };
  lw_node_def nodes[] = {wait_node(1, 3)};
  lw_tree *tree = make_tree(nodes, 1);
  recorder r;
  begin(&r, tree);
  lw_random random = lwi_random_make(11, 0);
  int bins[BINS] = {0};
  for (int i = 0; i < DRAWS; ++i) {
    r.unit = lwi_random_unit(&random);
    assert_int_equal(tick(&r), LW_RUNNING);
    double wait = lw_tree_run_wake_time(r.run);
    assert_true(wait >= 1.0 && wait < 3.0);
    bins[(int)((wait - 1.0) / 2.0 * BINS)] += 1;
    lw_tree_run_abort(r.run, &r.host);
  }
  double chi = 0.0, expected = (double)DRAWS / BINS;
  for (int i = 0; i < BINS; ++i) chi += (bins[i] - expected) * (bins[i] - expected) / expected;
  assert_true(chi < 27.88); /* 9 degrees of freedom, p = 0.001; the stream is fixed, so is the outcome. */
  end(&r, tree);
}

static void abort_stops_what_runs_once(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(3), leaf_node(1), leaf_node(2), wait_node(1, 1)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  lw_tree_run_abort(r.run, &r.host); /* Nothing has started. */
  assert_string_equal(r.trace, "");
  r.answers[2] = LW_RUNNING;
  r.sleep[2] = (double)INFINITY;
  expect(&r, LW_RUNNING, "S1 +1 S2");
  r.trace[0] = '\0';
  lw_tree_run_abort(r.run, &r.host);
  lw_tree_run_abort(r.run, &r.host);
  assert_string_equal(r.trace, "x2");
  assert_int_equal(lw_tree_run_current(r.run), -1);
  r.answers[2] = LW_SUCCESS;
  expect(&r, LW_RUNNING, "S1 +1 S2 +2"); /* From the beginning; waits now. */
  r.trace[0] = '\0';
  lw_tree_run_abort(r.run, &r.host);
  assert_string_equal(r.trace, "");
  assert_int_equal(lw_tree_run_current(r.run), -1);
  end(&r, tree);
}

static void abort_goes_through_even_when_the_clock_is_broken(void **state) {
  (void)state;
  lw_node_def nodes[] = {leaf_node(1)};
  lw_tree *tree = make_tree(nodes, 1);
  recorder r;
  begin(&r, tree);
  r.answers[1] = LW_RUNNING;
  expect(&r, LW_RUNNING, "S1");
  r.host.now = (double)INFINITY;
  lw_tree_run_abort(r.run, &r.host);
  assert_string_equal(r.trace, "S1 x1");
  end(&r, tree);
}

/* --- leaves that meddle with their own run ---------------------------------------------------------------------- */

static void meddle_wake(recorder *r) {
  lw_tree_run_wake(r->run);
}
static void meddle_tick(recorder *r) {
  r->meddled = tick(r);
}
static void meddle_abort(recorder *r) {
  lw_tree_run_abort(r->run, &r->host);
}

static void a_leaf_that_is_woken_while_it_decides_to_sleep_does_not_miss_it(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(2), leaf_node(1), leaf_node(2)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  r.meddler = 1;
  r.meddle = meddle_wake;
  r.answers[1] = LW_RUNNING;
  r.sleep[1] = r.sleep[2] = (double)INFINITY;
  expect(&r, LW_RUNNING, "S1");
  assert_true(lw_tree_run_wake_time(r.run) == 0.0);
  expect(&r, LW_RUNNING, "T1");
  expect(&r, LW_RUNNING, "");
  r.meddles_in = LW_LEAF_STOP; /* Its wake is its own: the leaf that follows sleeps. */
  r.answers[1] = LW_SUCCESS;
  r.answers[2] = LW_RUNNING;
  lw_tree_run_wake(r.run);
  expect(&r, LW_RUNNING, "T1 +1 S2");
  expect(&r, LW_RUNNING, "");
  end(&r, tree);
}

static void a_tick_from_inside_a_leaf_is_refused_without_damage(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(2), leaf_node(1), leaf_node(2)};
  static const lw_leaf_event events[] = {LW_LEAF_START, LW_LEAF_TICK, LW_LEAF_STOP};
  for (int i = 0; i < COUNT(events); ++i) {
    lw_tree *tree = make_tree(nodes, COUNT(nodes));
    recorder r;
    begin(&r, tree);
    r.meddler = 1;
    r.meddle = meddle_tick;
    r.meddles_in = events[i];
    r.answers[1] = LW_RUNNING;
    expect(&r, LW_RUNNING, "S1");
    r.answers[1] = LW_SUCCESS;
    expect(&r, LW_SUCCESS, "T1 +1 S2 +2");
    assert_int_equal(r.meddled, LW_RUNNING);
    expect(&r, LW_SUCCESS, "S1 +1 S2 +2");
    end(&r, tree);
  }
}

static void an_abort_from_inside_a_leaf_takes_effect_when_the_leaf_returns(void **state) {
  (void)state;
  lw_node_def nodes[] = {selector_node(2), leaf_node(1), leaf_node(2)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder r;
  begin(&r, tree);
  r.meddler = 1;
  r.meddle = meddle_abort;
  for (int answer = LW_FAILURE; answer <= LW_RUNNING; ++answer) {
    r.answers[1] = (lw_node_status)answer;
    r.meddles_in = LW_LEAF_START;
    expect(&r, LW_FAILURE, "S1 x1");
    assert_int_equal(lw_tree_run_current(r.run), -1);
  }
  r.meddles_in = LW_LEAF_STOP;
  r.answers[1] = LW_FAILURE;
  expect(&r, LW_FAILURE, "S1 -1"); /* Stopped already; but the tree does not go on to leaf 2. */
  r.answers[1] = LW_RUNNING;
  expect(&r, LW_RUNNING, "S1");
  lw_tree_run_abort(r.run, &r.host); /* Its STOP asks again: once is enough. */
  assert_string_equal(r.trace, "S1 x1");
  r.meddler = -1;
  r.answers[1] = LW_FAILURE;
  expect(&r, LW_SUCCESS, "S1 -1 S2 +2");
  end(&r, tree);
}

static lw_node_status tick_another(void *user, lw_leaf_call *call) {
  if (call->event == LW_LEAF_STOP) return LW_SUCCESS;
  return tick(user);
}

static void a_leaf_may_tick_another_run_of_the_same_tree(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(2), leaf_node(1), leaf_node(2)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder inner;
  begin(&inner, tree);
  lw_tree_run *outer;
  assert_int_equal(lw_tree_run_create(tree, NULL, &outer), LW_OK);
  lw_tree_host host = {.leaf = tick_another, .user = &inner};
  assert_int_equal(lw_tree_run_tick(outer, &host), LW_SUCCESS);
  assert_string_equal(inner.trace, "S1 +1 S2 +2 S1 +1 S2 +2");
  lw_tree_run_destroy(outer);
  end(&inner, tree);
}

/* --- size ----------------------------------------------------------------------------------------------------- */

static void depth_costs_no_stack(void **state) {
  (void)state;
  enum { DEPTH = 1000000 };
  lw_node_def *nodes = calloc(DEPTH + 1, sizeof *nodes);
  assert_non_null(nodes);
  for (int i = 0; i < DEPTH; ++i) nodes[i] = sequence_node(1);
  nodes[DEPTH] = leaf_node(1);
  lw_tree *tree = make_tree(nodes, DEPTH + 1);
  recorder r;
  begin(&r, tree);
  expect(&r, LW_SUCCESS, "S1 +1");
  char text[40];
  assert_int_equal(lw_tree_node_path(tree, DEPTH, text, sizeof text), 4 + 11 * DEPTH + 7);
  assert_string_equal(text, "test > sequence > sequence > sequence >");
  end(&r, tree);
  free(nodes);
}

/* --- memory --------------------------------------------------------------------------------------------------- */

static void every_allocation_may_fail_and_nothing_leaks(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(2), {.kind = LW_LEAF, .name = "MoveTo"}, wait_node(1, 2)};
  int failures = 0;
  for (int fail_at = 0;; ++fail_at) {
    support_memory memory = {.left = fail_at};
    lw_allocator allocator = support_allocator(&memory);
    lw_tree_def def = {.name = "t", .nodes = nodes, .node_count = COUNT(nodes), .allocator = &allocator};
    lw_tree *tree;
    lw_tree_run *run = NULL;
    lw_error error = {0};
    lw_status status = lw_tree_create(&def, &tree, &error);
    if (status != LW_OK) assert_int_equal(error.status, LW_OUT_OF_MEMORY);
    if (status == LW_OK) status = lw_tree_run_create(tree, &allocator, &run);
    long before = memory.calls;
    lw_tree_host host = {.leaf = record_leaf};
    recorder r = {.meddler = -1, .answers = {LW_SUCCESS}, .run = run};
    host.user = &r;
    if (status == LW_OK) assert_int_equal(lw_tree_run_tick(run, &host), LW_RUNNING);
    assert_int_equal(memory.calls, before); /* A tick allocates nothing. */
    lw_tree_run_destroy(run);
    lw_tree_destroy(tree);
    assert_int_equal(memory.bytes, 0);
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    failures += 1;
  }
  assert_int_equal(failures, 2); /* One block a tree, one a run. */

  support_memory memory = {.left = -1};
  lw_allocator allocator = support_allocator(&memory);
  lw_node_def bad[] = {leaf_node(0), leaf_node(1)};
  lw_tree *tree;
  lw_tree_def def = {.name = "t", .nodes = bad, .node_count = 2, .allocator = &allocator};
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_INVALID);
  assert_int_equal(memory.bytes, 0);
}

/* --- hash ----------------------------------------------------------------------------------------------------- */

static void equal_runs_have_equal_hashes_and_unequal_ones_do_not(void **state) {
  (void)state;
  lw_node_def nodes[] = {sequence_node(3), leaf_node(1), wait_node(1, 2), leaf_node(2)};
  lw_tree *tree = make_tree(nodes, COUNT(nodes));
  recorder a, b;
  begin(&a, tree);
  begin(&b, tree);
  uint64_t idle = lw_tree_run_hash(a.run);
  assert_true(idle == lw_tree_run_hash(b.run));
  a.answers[1] = b.answers[1] = LW_RUNNING;
  tick(&a);
  assert_true(idle != lw_tree_run_hash(a.run));
  tick(&b);
  assert_true(lw_tree_run_hash(a.run) == lw_tree_run_hash(b.run));
  lw_tree_run_wake(a.run);
  assert_true(lw_tree_run_hash(a.run) != lw_tree_run_hash(b.run));
  a.answers[1] = b.answers[1] = LW_SUCCESS;
  b.unit = 0.75f;
  tick(&a);
  tick(&b);
  assert_int_equal(lw_tree_run_current(a.run), lw_tree_run_current(b.run));
  assert_true(lw_tree_run_hash(a.run) != lw_tree_run_hash(b.run)); /* They wait for different times. */
  a.host.now = b.host.now = 10.0;
  tick(&a);
  tick(&b);
  assert_true(idle == lw_tree_run_hash(a.run)); /* Ended is as never started. */
  assert_true(idle == lw_tree_run_hash(b.run));
  lw_tree_run_abort(b.run, &b.host);
  lw_tree_run_destroy(b.run);
  end(&a, tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_a_host_that_cannot_call_leaves_and_a_clock_that_is_no_number),
      cmocka_unit_test(a_sequence_runs_on_in_the_same_tick_and_stops_at_the_first_failure),
      cmocka_unit_test(a_selector_runs_on_in_the_same_tick_and_stops_at_the_first_success),
      cmocka_unit_test(remembers_the_child_that_runs),
      cmocka_unit_test(a_tree_that_ended_starts_again_at_the_next_tick_only),
      cmocka_unit_test(sleeping_calls_no_leaf),
      cmocka_unit_test(a_wake_time_that_is_past_or_no_number_is_now),
      cmocka_unit_test(a_wait_draws_its_time_and_cannot_be_woken),
      cmocka_unit_test(a_fixed_wait_draws_nothing_and_one_of_zero_ends_at_once),
      cmocka_unit_test(waits_are_uniform_between_min_and_max),
      cmocka_unit_test(abort_stops_what_runs_once),
      cmocka_unit_test(abort_goes_through_even_when_the_clock_is_broken),
      cmocka_unit_test(a_leaf_that_is_woken_while_it_decides_to_sleep_does_not_miss_it),
      cmocka_unit_test(a_tick_from_inside_a_leaf_is_refused_without_damage),
      cmocka_unit_test(an_abort_from_inside_a_leaf_takes_effect_when_the_leaf_returns),
      cmocka_unit_test(a_leaf_may_tick_another_run_of_the_same_tree),
      cmocka_unit_test(depth_costs_no_stack),
      cmocka_unit_test(every_allocation_may_fail_and_nothing_leaks),
      cmocka_unit_test(equal_runs_have_equal_hashes_and_unequal_ones_do_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
