/* Random behaviour trees do what an obvious recursive model of them does, event by event. */
#include "behavior/saved_run.h"
#include "tree_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MODEL_TREES = 4000, MODEL_TICKS = 60 };

static void part(const script *ours, const script *theirs, uint64_t seed, int tick) {
  size_t same = 0;
  while (ours->log[same] && ours->log[same] == theirs->log[same]) ++same;
  const size_t from = same > 60 ? same - 60 : 0;
  fail_msg("seed %llu, tick %d: the run and its model part:\n run:   %.120s\n model: %.120s",
           (unsigned long long)seed, tick, ours->log + from, theirs->log + from);
}

static void compare(const script *ours, const script *theirs, uint64_t seed, int tick) {
  const model *m = theirs->model;
  bool same = ours->trace == theirs->trace && ours->random.counter == theirs->random.counter;
  same = same && lw_tree_run_current(ours->run) == model_current(m);
  for (int i = 0; i < m->count; ++i) same = same && lw_tree_run_is_active(ours->run, i) == m->active[i];
  if (!same) part(ours, theirs, seed, tick);
}

/* --- what is tracked -------------------------------------------------------------------------------------- */

/// Of a run that is tracked: what its host was notified of.
static struct {
  const model *of;
  bool runs[MODEL_NODES];
  int events, aborts;
} noted;

static bool has_begun(int node) {
  return noted.of->nodes[node].kind == LW_LEAF || noted.of->nodes[node].kind == LW_WAIT || noted.runs[node];
}

/// A node begins before it ends, a leaf or wait may end at once; parents begin before their children.
static void note(void *user, const lw_node_event *event) {
  (void)user;
  const int parent = noted.of->parents[event->node];
  noted.events += 1;
  noted.aborts += event->outcome == LW_NODE_ABORTED && event->by >= 0;
  if (event->outcome == LW_NODE_RUNNING) {
    assert_false(noted.runs[event->node]);
    assert_true(parent < 0 || noted.runs[parent]);
  } else {
    assert_true(has_begun(event->node));
  }
  noted.runs[event->node] = event->outcome == LW_NODE_RUNNING;
}

/// What nodes did last agrees with what runs, and was notified of.
static void compare_states(const lw_tree_run *run, const model *m) {
  for (int i = 0; i < m->count; ++i) {
    lw_node_state state;
    assert_int_equal(lw_tree_run_get_node(run, i, &state), LW_OK);
    assert_int_equal(state.outcome == LW_NODE_RUNNING, m->active[i]);
    if (run->marks) assert_int_equal(noted.runs[i], m->active[i]);
    if (!run->marks) assert_true(isnan(state.since));
  }
}

/// Put an equal tree and a run of it that takes the state over in the place of the run: nothing changes.
static void replace(const lw_tree_def *def, lw_tree **tree, lw_tree_run **run) {
  int nodes[MODEL_NODES];
  lw_tree *other;
  lw_tree_run *next;
  assert_int_equal(lw_tree_create(def, &other, NULL), LW_OK);
  assert_int_equal(lw_tree_match(*tree, other, nodes), LW_OK);
  for (int i = 0; i < def->node_count; ++i) assert_int_equal(nodes[i], i);
  assert_int_equal(lw_tree_run_create(other, NULL, &next), LW_OK);
  assert_int_equal(lw_tree_run_track(next, (*run)->marks != NULL), LW_OK);
  assert_true(lwi_run_goes_on(*run, other, nodes));
  lwi_run_take(next, *run, nodes);
  assert_true(lw_tree_run_hash(next) == lw_tree_run_hash(*run));
  assert_true(lw_tree_run_wake_time(next) == lw_tree_run_wake_time(*run));
  lw_tree_run_destroy(*run);
  lw_tree_destroy(*tree);
  *run = next;
  *tree = other;
}

static void put_leaf(void *user, const lwi_leaf_data *data) {
  unsigned char *saved = user;
  assert_int_equal(data->size, sizeof(int));
  assert_int_equal(*(const int *)data->data, data->node);
  assert_int_equal(saved[data->node], 0);
  saved[data->node] = 1;
}

static bool find_leaf(void *user, int node, lwi_leaf_data *data) {
  const unsigned char *saved = user;
  static int kept;
  kept = node;
  *data = (lwi_leaf_data){node, &kept, sizeof kept};
  return saved[node];
}

/// Put a run that was saved and loaded in the place of the run: nothing changes.
static void reload(const lw_tree *tree, lw_tree_run **run, const lw_tree_host *host) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bytes bytes = {.memory = &memory};
  lw_tree *of_file;
  lw_tree_run *from, *next;
  int nodes[MODEL_NODES];
  unsigned char saved[MODEL_NODES] = {0};
  const uint64_t hash = lw_tree_run_hash(*run);
  const lwi_leaf_store store = {put_leaf, find_leaf, saved};
  lwi_run_save(*run, host, &store);
  assert_true(lw_tree_run_hash(*run) == hash);
  lwi_tree_put(&bytes, tree);
  lwi_run_put(&bytes, *run);
  assert_false(bytes.failed);
  lwi_reader reader = {bytes.data, bytes.data + bytes.count, false};
  const char *wrong = lwi_tree_read(&reader, NULL, &of_file);
  if (wrong) fail_msg("%s", wrong);
  assert_true(lwi_tree_is_same(of_file, tree));
  assert_int_equal(lw_tree_run_create(of_file, NULL, &from), LW_OK);
  wrong = lwi_run_read(&reader, from);
  if (wrong) fail_msg("%s", wrong);
  assert_true(!reader.failed && reader.at == reader.end);
  assert_int_equal(lw_tree_match(of_file, tree, nodes), LW_OK);
  for (int i = 0; i < lw_tree_node_count(tree); ++i) assert_int_equal(nodes[i], i);
  assert_int_equal(lw_tree_run_create(tree, NULL, &next), LW_OK);
  assert_int_equal(lw_tree_run_track(next, (*run)->marks != NULL), LW_OK);
  assert_true(lwi_run_goes_on(from, tree, nodes));
  lwi_run_take(next, from, nodes);
  lw_tree_run_destroy(*run);
  *run = next;
  lwi_run_load(*run, host, &store);
  assert_true(lw_tree_run_hash(*run) == hash);
  lw_tree_run_destroy(from);
  lw_tree_destroy(of_file);
  lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
}

/// Do at random what a world does to a run: tick, wake, set keys, let it react, abort.
static void run_beside_model(model *m, uint64_t seed, int *events, int *kinds) {
  static script ours, theirs;
  lw_tree *tree;
  lw_error error;
  for (int i = 0; i < m->count; ++i) m->nodes[i].saves = m->nodes[i].kind == LW_LEAF;
  lw_tree_def def = {.name = "random", .nodes = m->nodes, .node_count = m->count};
  if (lw_tree_create(&def, &tree, &error) != LW_OK)
    fail_msg("seed %llu: %s", (unsigned long long)seed, error.text);
  ours = theirs = (script){.random = lwi_random_make(seed, 1)};
  theirs.model = m;
  m->script = &theirs;
  lw_random fate = lwi_random_make(seed, 2);
  assert_int_equal(lw_tree_run_create(tree, NULL, &ours.run), LW_OK);
  assert_int_equal(lw_tree_run_track(ours.run, seed % 2 == 0), LW_OK);
  memset(noted.runs, 0, sizeof noted.runs);
  noted.of = m;
  lw_tree_host host = {
      .leaf = script_leaf, .random = script_random, .value = script_value, .noted = note, .user = &ours};
  for (int i = 0; i < MODEL_TICKS; ++i) {
    const uint64_t bits = lwi_random_bits(&fate);
    host.now = ours.now = theirs.now = i * 0.5;
    if ((bits >> 16 & 3) == 0) replace(&def, &tree, &ours.run);
    if ((bits >> 18 & 3) == 0) reload(tree, &ours.run, &host);
    if ((bits & 7) == 0) {
      lw_tree_run_wake(ours.run);
      model_wake(m);
    }
    if ((bits >> 8 & 1) == 0) {
      model_set_key(&ours, (int)(bits >> 9 & 3), (int)(bits >> 11 & 3));
      model_set_key(&theirs, (int)(bits >> 9 & 3), (int)(bits >> 11 & 3));
    }
    if (!m->active[0]) model_forget(m); /* nothing that runs has read the keys */
    if ((bits >> 3 & 31) == 0) {
      lw_tree_run_abort(ours.run, &host);
      model_quit(m, 0);
      model_forget(m);
      compare(&ours, &theirs, seed, i);
    }
    if ((bits >> 13 & 7) == 0 && m->active[0] && model_is_notified(m)) {
      lw_node_status expected = model_react(m);
      if (expected != LW_RUNNING) model_forget(m);
      m->tick += 1;
      (void)lw_tree_run_react(ours.run, &host);
      compare(&ours, &theirs, seed, i);
    }
    const lw_node_status expected = model_tick(m), status = lw_tree_run_tick(ours.run, &host);
    if (status != expected) part(&ours, &theirs, seed, i);
    compare(&ours, &theirs, seed, i);
    compare_states(ours.run, m);
    for (int node = 0; node < m->count; ++node) kinds[m->nodes[node].kind] += m->active[node];
  }
  lw_tree_run_abort(ours.run, &host);
  for (int i = 0; i < m->count; ++i) assert_int_equal(ours.started[i], 0);
  for (int i = 0; i < m->count; ++i) assert_false(noted.runs[i]);
  *events += ours.events;
  lw_tree_run_destroy(ours.run);
  lw_tree_destroy(tree);
}

static void random_trees_agree_with_a_recursive_model(void **state) {
  (void)state;
  const char *given = getenv("LEEWARD_TEST_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 20240601;
  int events = 0, nodes = 0, trees = 0, kinds[LW_NODE_KIND_COUNT] = {0};
  for (int i = 0; i < MODEL_TREES; ++i) {
    lw_random random = lwi_random_make(seed + (uint64_t)i, 0);
    static model m;
    m = (model){.count = 0};
    model_grow(&m, &random, -1, 0, 1 + (int)(lwi_random_bits(&random) % MODEL_NODES));
    nodes += m.count;
    trees += 1;
    run_beside_model(&m, seed + (uint64_t)i, &events, kinds);
  }
  print_message("note: seed %llu: %d trees of %d nodes, %d leaf calls\n", (unsigned long long)seed, trees,
                nodes, events);
  assert_true(events > 20 * trees); /* Else it compared nothing. */
  assert_true(noted.events > 10 * trees && noted.aborts > trees);
  for (int kind = 0; kind < LW_NODE_KIND_COUNT; ++kind) assert_true(kinds[kind] > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_trees_agree_with_a_recursive_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
