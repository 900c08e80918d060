/* Random behaviour trees do what an obvious recursive model of them does, event by event. */
#include "core/random.h"
#include "leeward/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MODEL_NODES = 40, MODEL_TREES = 2000, MODEL_TICKS = 60 };

typedef struct model {
  lw_node_def nodes[MODEL_NODES];
  int count;
  int at[MODEL_NODES];      ///< Of a composite: which child runs.
  bool active[MODEL_NODES]; ///< Of a leaf or wait: it runs.
  double wake;
} model;

/// What the leaves do is a function of seed and call number, so that both sides meet the same ones.
typedef struct script {
  lw_random random;
  int events;
  uint64_t trace; ///< Fingerprint of all events.
  double now;
  int started, stopped;
  lw_tree_run *run; ///< NULL on the model's side.
  bool woke;
} script;

static float script_random(void *user) {
  return lwi_random_unit(&((script *)user)->random);
}

static lw_node_status script_leaf(void *user, lw_leaf_call *call) {
  script *s = user;
  s->events += 1;
  uint64_t end = call->event == LW_LEAF_STOP ? (uint64_t)call->end : 9;
  s->trace = lwi_mix(
      s->trace ^ ((uint64_t)call->event << 40 | end << 36 | (uint64_t)call->leaf << 16 | (uint64_t)call->node));
  if (call->event == LW_LEAF_START) {
    assert_int_equal(s->started, s->stopped); /* Never two at once. */
    s->started += 1;
  }
  if (call->event == LW_LEAF_TICK) assert_int_equal(s->started, s->stopped + 1);
  if (call->event == LW_LEAF_STOP) {
    s->stopped += 1;
    assert_int_equal(s->started, s->stopped);
    return LW_RUNNING; /* Ignored. */
  }
  uint64_t bits = lwi_random_bits(&s->random);
  if (bits % 8 == 0) {
    s->woke = true;
    lw_tree_run_wake(s->run);
  }
  if (bits >> 8 & 1) call->wake = s->now + (double)(bits >> 16 & 7);
  if ((bits >> 20 & 31) == 0) call->wake = (double)INFINITY;
  static const lw_node_status answers[] = {LW_SUCCESS, LW_FAILURE, LW_RUNNING};
  return answers[(bits >> 32) % 3];
}

static int model_grow(model *m, lw_random *random, int depth, int scratch) {
  int node = m->count++;
  uint64_t bits = lwi_random_bits(random);
  lw_node_kind kind = depth < 6 && scratch > 1 && bits % 3 != 0 ? (lw_node_kind)(bits >> 8 & 1)
                      : bits >> 9 & 3                           ? LW_LEAF
                                                                : LW_WAIT;
  m->nodes[node] = (lw_node_def){.kind = kind, .leaf = (uint32_t)(bits >> 40 & 0xfff)};
  if (kind == LW_WAIT) {
    m->nodes[node].wait_min = (float)(bits >> 16 & 3);
    m->nodes[node].wait_max = m->nodes[node].wait_min + (float)(bits >> 20 & 3);
  }
  int used = 1;
  if (kind == LW_SEQUENCE || kind == LW_SELECTOR) {
    int wanted = 1 + (int)(bits >> 24 & 3);
    for (int i = 0; i < wanted && used < scratch; ++i) {
      used += model_grow(m, random, depth + 1, scratch - used);
      m->nodes[node].child_count += 1;
    }
  }
  return used;
}

static int model_span(const model *m, int node) {
  int next = node + 1;
  for (int i = 0; i < m->nodes[node].child_count; ++i) next += model_span(m, next);
  return next - node;
}

static int model_child(const model *m, int node, int index) {
  int child = node + 1;
  while (index-- > 0) child += model_span(m, child);
  return child;
}

static void model_stop(const model *m, script *s, int node, lw_leaf_end end) {
  script_leaf(s, &(lw_leaf_call){.event = LW_LEAF_STOP, .leaf = m->nodes[node].leaf, .node = node, .end = end});
}

static lw_node_status model_tick_wait(model *m, script *s, int node) {
  const lw_node_def *def = &m->nodes[node];
  if (m->active[node]) {
    m->active[node] = false;
    return LW_SUCCESS;
  }
  double span = (double)(def->wait_max - def->wait_min);
  double wait = (double)def->wait_min + (span > 0.0 ? span * (double)script_random(s) : 0.0);
  if (wait <= 0.0) return LW_SUCCESS;
  m->active[node] = true;
  m->wake = s->now + wait;
  return LW_RUNNING;
}

static lw_node_status model_tick_leaf(model *m, script *s, int node) {
  lw_leaf_call call = {.event = m->active[node] ? LW_LEAF_TICK : LW_LEAF_START,
                       .leaf = m->nodes[node].leaf,
                       .node = node,
                       .wake = s->now};
  s->woke = false;
  lw_node_status status = script_leaf(s, &call);
  m->active[node] = status == LW_RUNNING;
  m->wake = s->woke ? s->now : call.wake;
  if (status != LW_RUNNING) model_stop(m, s, node, status == LW_SUCCESS ? LW_END_SUCCESS : LW_END_FAILURE);
  return status;
}

static lw_node_status model_tick(model *m, script *s, int node) {
  const lw_node_def *def = &m->nodes[node];
  if (def->kind == LW_LEAF) return model_tick_leaf(m, s, node);
  if (def->kind == LW_WAIT) return model_tick_wait(m, s, node);
  lw_node_status go_on = def->kind == LW_SEQUENCE ? LW_SUCCESS : LW_FAILURE;
  for (; m->at[node] < def->child_count; ++m->at[node]) {
    lw_node_status status = model_tick(m, s, model_child(m, node, m->at[node]));
    if (status == go_on) continue;
    if (status != LW_RUNNING) m->at[node] = 0;
    return status;
  }
  m->at[node] = 0;
  return go_on;
}

static void model_abort(model *m, script *s) {
  for (int i = 0; i < m->count; ++i) {
    if (m->active[i] && m->nodes[i].kind == LW_LEAF) model_stop(m, s, i, LW_END_ABORTED);
    m->active[i] = false;
    m->at[i] = 0;
  }
  m->wake = 0.0;
}

static int model_current(const model *m) {
  for (int i = 0; i < m->count; ++i)
    if (m->active[i]) return i;
  return -1;
}

/// Do at random what a world does to a run: tick, wake, abort.
static void run_beside_model(model *m, uint64_t seed, int *events) {
  lw_tree *tree;
  lw_tree_def def = {.name = "random", .nodes = m->nodes, .node_count = m->count};
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  script ours = {.random = lwi_random_make(seed, 1)}, theirs = ours;
  lw_random fate = lwi_random_make(seed, 2);
  assert_int_equal(lw_tree_run_create(tree, NULL, &ours.run), LW_OK);
  lw_tree_host host = {.leaf = script_leaf, .random = script_random, .user = &ours};
  for (int i = 0; i < MODEL_TICKS; ++i) {
    uint64_t bits = lwi_random_bits(&fate);
    host.now = ours.now = theirs.now = i * 0.5;
    int current = model_current(m);
    if ((bits & 7) == 0) {
      lw_tree_run_wake(ours.run);
      if (current >= 0 && m->nodes[current].kind == LW_LEAF) m->wake = 0.0;
    }
    if ((bits >> 3 & 31) == 0) {
      lw_tree_run_abort(ours.run, &host);
      model_abort(m, &theirs);
      current = -1;
    }
    lw_node_status expected = LW_RUNNING;
    if (current < 0 || m->wake <= theirs.now) expected = model_tick(m, &theirs, 0);
    lw_node_status status = lw_tree_run_tick(ours.run, &host);
    if (status != expected || ours.trace != theirs.trace || lw_tree_run_current(ours.run) != model_current(m))
      fail_msg("seed %llu, tick %d: the run and its model part", (unsigned long long)seed, i);
    assert_true(ours.random.counter == theirs.random.counter);
  }
  lw_tree_run_abort(ours.run, &host);
  assert_int_equal(ours.started, ours.stopped);
  *events += ours.events;
  lw_tree_run_destroy(ours.run);
  lw_tree_destroy(tree);
}

static void random_trees_agree_with_a_recursive_model(void **state) {
  (void)state;
  const char *given = getenv("LEEWARD_TEST_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 20240601;
  int events = 0, nodes = 0;
  for (int i = 0; i < MODEL_TREES; ++i) {
    lw_random random = lwi_random_make(seed + (uint64_t)i, 0);
    model m = {0};
    model_grow(&m, &random, 0, 1 + (int)(lwi_random_bits(&random) % MODEL_NODES));
    nodes += m.count;
    run_beside_model(&m, seed + (uint64_t)i, &events);
  }
  print_message("note: seed %llu: %d trees of %d nodes, %d leaf calls\n", (unsigned long long)seed, MODEL_TREES,
                nodes, events);
  assert_true(events > 20 * MODEL_TREES); /* Else it compared nothing. */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_trees_agree_with_a_recursive_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
