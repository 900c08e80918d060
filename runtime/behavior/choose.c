/* What leaves and conditions answer, and which child a random or utility chooses. */
#include "behavior/run.h"

#include <math.h>
#include <string.h>

/* --- calls ------------------------------------------------------------------------------------------------ */

static lw_leaf_call call_of(const lwi_walk *walk, int node, lw_leaf_event event) {
  const lwi_tree_node *of = &walk->nodes[node];
  return (lw_leaf_call){.event = event,
                        .leaf = of->leaf,
                        .node = node,
                        .tree = walk->run->tree,
                        .wake = walk->host->now,
                        .state = of->word >= 0 && of->kind == LW_LEAF ? lwi_run_word_of(walk->run, node) : NULL,
                        .options = of->native.options,
                        .world = walk->host->world,
                        .agent = walk->host->agent};
}

static lw_node_status call_native(const lw_leaf_def *native, lw_leaf_call *with) {
  switch (with->event) {
  case LW_LEAF_SAVE: return native->save(with);
  case LW_LEAF_LOAD: return native->load(with);
  case LW_LEAF_STOP:
    if (native->stop) native->stop(with);
    return LW_FAILURE;
  default: return native->tick(with);
  }
}

static lw_node_status call(const lwi_walk *walk, int node, lw_leaf_call *with) {
  const lwi_tree_node *of = &walk->nodes[node];
  const int outer = walk->run->called;
  lw_node_status status = LW_FAILURE;
  walk->run->called = node;
  if (!of->native.tick || with->event == LW_LEAF_SCORE) {
    if (walk->host->leaf) status = walk->host->leaf(walk->host->user, with);
  } else {
    status = call_native(&of->native, with);
  }
  walk->run->called = outer;
  return status;
}

static void stop_leaf(const lwi_walk *walk, int node, lw_leaf_end end) {
  lw_leaf_call with = call_of(walk, node, LW_LEAF_STOP);
  with.end = end;
  if (!walk->nodes[node].wants.without_stop) call(walk, node, &with);
  if (with.state) memset(with.state, 0, walk->nodes[node].native.state_size); /* equal runs have equal hashes */
}

lw_node_status lwi_walk_tick_leaf(const lwi_walk *walk, int node) {
  lwi_run_branch *branch = &walk->branches[walk->nodes[node].branch];
  const bool starts = branch->current != node || branch->restarts;
  lw_leaf_call with = call_of(walk, node, starts ? LW_LEAF_START : LW_LEAF_TICK);
  if (starts && with.state) memset(with.state, 0, walk->nodes[node].native.state_size);
  branch->current = node;
  branch->restarts = false;
  branch->woken =
      false; /* before the call, so that a leaf that is woken while it decides to sleep stays awake */
  const lw_node_status status = call(walk, node, &with);
  if (walk->run->abort_requested) return LW_RUNNING; /* the caller aborts all */
  if (status == LW_RUNNING) {
    branch->wake = with.wake > walk->host->now ? with.wake : walk->host->now; /* NaN: now */
    return LW_RUNNING;
  }
  stop_leaf(walk, node, status == LW_SUCCESS ? LW_END_SUCCESS : LW_END_FAILURE);
  branch->current = -1;
  return status == LW_SUCCESS ? LW_SUCCESS : LW_FAILURE;
}

void lwi_walk_stop_leaf(const lwi_walk *walk, int node) {
  stop_leaf(walk, node, LW_END_ABORTED);
}

bool lwi_walk_save_leaf(const lwi_walk *walk, int node, lwi_leaf_data *data) {
  lw_leaf_call with = call_of(walk, node, LW_LEAF_SAVE);
  if (call(walk, node, &with) != LW_SUCCESS) return false;
  *data = (lwi_leaf_data){node, with.data, with.data ? with.size : 0};
  return data->size <= LWI_LEAF_DATA_MAX;
}

bool lwi_walk_load_leaf(const lwi_walk *walk, const lwi_leaf_data *data) {
  lw_leaf_call with = call_of(walk, data->node, LW_LEAF_LOAD);
  with.data = data->size > 0 ? data->data : NULL;
  with.size = data->size;
  return call(walk, data->node, &with) == LW_SUCCESS;
}

void lwi_walk_serve(const lwi_walk *walk, int node) {
  lw_leaf_call with = call_of(walk, node, LW_LEAF_SERVICE);
  call(walk, node, &with);
}

/* --- conditions ------------------------------------------------------------------------------------------- */

static lw_value read(const lwi_walk *walk, const lw_key *key) {
  return walk->host->value ? walk->host->value(walk->host->user, key) : (lw_value){.kind = LW_VALUE_NONE};
}

static bool is_set(const lw_value *value) {
  return value->kind != LW_VALUE_NONE && (value->kind != LW_VALUE_BOOLEAN || value->as.boolean);
}

/* Does the value of its key pass the test of the condition, which needs more than that it is set? */
static bool compare(const lw_value *value, const lwi_tree_node *of) {
  const bool numbers = value->kind == LW_VALUE_NUMBER && of->value.kind == LW_VALUE_NUMBER;
  const double difference = numbers ? value->as.number - of->value.as.number : 0;
  switch (of->test) {
  case LW_TEST_EQUAL: return lw_value_equal(value, &of->value);
  case LW_TEST_DIFFERS: return !lw_value_equal(value, &of->value);
  case LW_TEST_BELOW: return numbers && difference < 0;
  case LW_TEST_AT_MOST: return numbers && difference <= 0;
  case LW_TEST_ABOVE: return numbers && difference > 0;
  case LW_TEST_AT_LEAST: return numbers && difference >= 0;
  default: return false;
  }
}

bool lwi_walk_ask(const lwi_walk *walk, int node) {
  lw_leaf_call with = call_of(walk, node, LW_LEAF_TEST);
  return call(walk, node, &with) == LW_SUCCESS;
}

bool lwi_walk_test_key(const lwi_walk *walk, const lwi_tree_node *of) {
  const lw_value value = read(walk, &of->first);
  if (of->test == LW_TEST_SET) return is_set(&value);
  if (of->test == LW_TEST_UNSET) return !is_set(&value);
  return compare(&value, of);
}

/* --- choosing --------------------------------------------------------------------------------------------- */

double lwi_walk_score(const lwi_walk *walk, int child) {
  const lwi_tree_node *of = &walk->nodes[child];
  if (of->score.name) {
    const lw_value value = read(walk, &of->score);
    return value.kind == LW_VALUE_NUMBER ? value.as.number : (double)NAN;
  }
  lw_leaf_call with = call_of(walk, child, LW_LEAF_SCORE);
  with.leaf = of->score_leaf;
  with.state = NULL;
  call(walk, child, &with);
  return with.score;
}

/* The sum of the weights of the children that were not tried. */
static float sum_weights(const lwi_walk *walk, int node, uint64_t tried) {
  float sum = 0;
  int number = 0;
  for (int child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end, ++number)
    if (!(tried >> number & 1)) sum += walk->nodes[child].numbers.weight;
  return sum;
}

static int choose_random(const lwi_walk *walk, int node) {
  lwi_run_word *word = lwi_run_word_of(walk->run, node);
  const float sum = sum_weights(walk, node, word->bits);
  if (!(sum > 0)) return -1;
  const float unit = walk->host->random ? walk->host->random(walk->host->user) : 0;
  float left = unit > 0 ? unit * sum : 0;
  int number = 0, chosen = -1, last = -1;
  for (int child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end, ++number) {
    if (word->bits >> number & 1) continue;
    chosen = child;
    last = number;
    left -= walk->nodes[child].numbers.weight;
    if (left < 0) break;
  }
  word->bits |= (uint64_t)1 << last;
  return chosen;
}

static int choose_best(const lwi_walk *walk, int node) {
  lwi_run_word *tried = lwi_run_word_of(walk->run, node) + 1;
  double best = (double)-INFINITY;
  int number = 0, chosen = -1, which = 0;
  for (int child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end, ++number) {
    if (tried->bits >> number & 1) continue;
    const double score = lwi_walk_score(walk, child);
    if (!(score > best)) continue;
    best = score;
    chosen = child;
    which = number;
  }
  if (chosen >= 0) tried->bits |= (uint64_t)1 << which;
  return chosen;
}

int lwi_walk_choose(const lwi_walk *walk, int node) {
  return walk->nodes[node].kind == LW_RANDOM ? choose_random(walk, node) : choose_best(walk, node);
}
