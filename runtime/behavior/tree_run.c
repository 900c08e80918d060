#include "behavior/tree.h"
#include "core/hash.h"

#include <math.h>

/* Sequences and selectors run one child at a time and remember which, so the one running leaf or wait is all
   that there is to remember. */
struct lw_tree_run {
  lwi_memory memory;
  const lw_tree *tree;
  int current;      ///< The running leaf or wait; -1: none.
  double wake;      ///< While something runs: asleep until then. [s]
  bool woken;       ///< Not asleep, whatever `wake` says.
  bool inside;      ///< A leaf is being called.
  bool abort_asked; ///< By that leaf.
};

lw_status lw_tree_run_create(const lw_tree *tree, const lw_allocator *allocator, lw_tree_run **run) {
  if (!run) return LW_INVALID;
  *run = NULL;
  if (!tree) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_tree_run *made = lwi_alloc_zero(&memory, sizeof *made);
  if (!made) return LW_OUT_OF_MEMORY;
  made->memory = memory;
  made->tree = tree;
  made->current = -1;
  *run = made;
  return LW_OK;
}

void lw_tree_run_destroy(lw_tree_run *run) {
  if (!run) return;
  lwi_memory memory = run->memory; /* The block holds its own. */
  lwi_free(&memory, run, sizeof *run);
}

/// A host that cannot call leaves is turned away before anything has changed.
static bool can_call(const lw_tree_run *run, const lw_tree_host *host) {
  return host && (host->leaf || !run->tree->has_leaves);
}

static void forget(lw_tree_run *run) {
  run->current = -1;
  run->wake = 0.0;
  run->woken = false;
}

static void stop_leaf(lw_tree_run *run, const lw_tree_host *host, lw_leaf_end end) {
  lw_leaf_call call = {.event = LW_LEAF_STOP,
                       .leaf = run->tree->nodes[run->current].leaf,
                       .node = run->current,
                       .end = end,
                       .wake = host->now};
  host->leaf(host->user, &call);
}

/// START or TICK, and STOP if that was the end.
static lw_node_status call_leaf(lw_tree_run *run, const lw_tree_host *host, lw_leaf_event event) {
  lw_leaf_call call = {
      .event = event, .leaf = run->tree->nodes[run->current].leaf, .node = run->current, .wake = host->now};
  run->woken = false; /* Before the call: a leaf that is woken while it decides to sleep shall not miss it. */
  lw_node_status status = host->leaf(host->user, &call);
  if (run->abort_asked) {
    stop_leaf(run, host, LW_END_ABORTED);
    return LW_FAILURE;
  }
  if (status == LW_RUNNING) {
    run->wake = call.wake > host->now ? call.wake : host->now; /* NaN: now. */
    return LW_RUNNING;
  }
  stop_leaf(run, host, status == LW_SUCCESS ? LW_END_SUCCESS : LW_END_FAILURE);
  return status == LW_SUCCESS ? LW_SUCCESS : LW_FAILURE;
}

static double draw_wait(const lwi_tree_node *node, const lw_tree_host *host) {
  double min = (double)node->wait_min, span = (double)node->wait_max - min;
  if (span <= 0.0 || !host->random) return min; /* Nothing to draw: the stream stays where it was. */
  double unit = (double)host->random(host->user);
  if (!(unit > 0.0)) return min;
  return min + span * (unit < 1.0 ? unit : 1.0);
}

static lw_node_status enter(lw_tree_run *run, const lw_tree_host *host, int node) {
  forget(run);
  run->current = node;
  const lwi_tree_node *entered = &run->tree->nodes[node];
  if (entered->kind == LW_LEAF) return call_leaf(run, host, LW_LEAF_START);
  double duration = draw_wait(entered, host);
  if (duration <= 0.0) return LW_SUCCESS;
  run->wake = host->now + duration;
  return LW_RUNNING;
}

static lw_node_status resume(lw_tree_run *run, const lw_tree_host *host) {
  if (run->tree->nodes[run->current].kind == LW_LEAF) return call_leaf(run, host, LW_LEAF_TICK);
  return LW_SUCCESS; /* A wait sleeps to its end and cannot be woken before. */
}

/// Until something runs or the root ends. Indices only grow on the way, so it ends.
static lw_node_status advance(lw_tree_run *run, const lw_tree_host *host) {
  int node = run->current;
  lw_node_status status = node < 0 ? enter(run, host, node = lwi_tree_first(run->tree, 0)) : resume(run, host);
  while (status != LW_RUNNING) {
    if (run->abort_asked) return LW_FAILURE;
    node = lwi_tree_next(run->tree, node, status);
    if (node < 0) return status;
    status = enter(run, host, node);
  }
  return status;
}

lw_node_status lw_tree_run_tick(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host) || !isfinite(host->now)) return LW_FAILURE;
  if (run->inside) return LW_RUNNING;
  if (run->current >= 0 && !run->woken && host->now < run->wake) return LW_RUNNING;
  run->inside = true;
  lw_node_status status = advance(run, host);
  run->inside = false;
  run->abort_asked = false;
  if (status != LW_RUNNING) forget(run);
  return status;
}

void lw_tree_run_abort(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host)) return;
  if (run->inside) {
    run->abort_asked = true; /* Done as soon as the leaf that asks for it returns. */
    return;
  }
  if (run->current < 0) return;
  run->inside = true;
  if (run->tree->nodes[run->current].kind == LW_LEAF) stop_leaf(run, host, LW_END_ABORTED);
  run->inside = false;
  run->abort_asked = false;
  forget(run);
}

void lw_tree_run_wake(lw_tree_run *run) {
  if (!run || run->current < 0) return;
  if (run->tree->nodes[run->current].kind == LW_LEAF) run->woken = true;
}

double lw_tree_run_wake_time(const lw_tree_run *run) {
  return run && run->current >= 0 && !run->woken ? run->wake : 0.0;
}

int lw_tree_run_current(const lw_tree_run *run) {
  return run ? run->current : -1;
}

uint64_t lw_tree_run_hash(const lw_tree_run *run) {
  if (!run) return LWI_HASH_SEED;
  double wake = run->wake + 0.0; /* -0 is 0. */
  int words[2] = {run->current, run->woken};
  return lwi_hash(lwi_hash(LWI_HASH_SEED, words, sizeof words), &wake, sizeof wake);
}
