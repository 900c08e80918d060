/* Runs of trees: ticking them, and letting conditions and timers act. */
#include "behavior/run.h"

#include "core/hash.h"

#include <math.h>
#include <string.h>

/* Reactions and timers of one tick; what is left waits for the next one, so that conditions that switch each other
   end. */
#define REACTIONS_MAX 64

static size_t run_size(const lw_tree *tree) {
  const size_t bits = ((size_t)tree->watched_count + 63) / 64;
  return sizeof(lw_tree_run) + (size_t)tree->branch_count * sizeof(lwi_run_branch) +
         ((size_t)tree->word_count + bits) * sizeof(uint64_t);
}

static void clear_state(lw_tree_run *run) {
  const lw_tree *tree = run->tree;
  for (int i = 0; i < tree->branch_count; ++i) lwi_run_branches(run)[i] = (lwi_run_branch){.current = -1};
  for (int i = 0; i < tree->watched_count; ++i) {
    const lw_node_kind kind = tree->nodes[tree->watched[i]].kind;
    if (kind == LW_CONDITION) continue;
    lwi_run_word_of(run, tree->watched[i])->time = kind == LW_COOLDOWN ? LWI_COOL : (double)INFINITY;
  }
  run->timer = (double)INFINITY;
  run->called = run->aborts = -1;
}

lw_status lw_tree_run_create(const lw_tree *tree, const lw_allocator *allocator, lw_tree_run **run) {
  if (!run) return LW_INVALID;
  *run = NULL;
  if (!tree) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_tree_run *created = lwi_alloc_zero(&memory, run_size(tree));
  if (!created) return LW_OUT_OF_MEMORY;
  created->memory = memory;
  created->tree = tree;
  clear_state(created);
  *run = created;
  return LW_OK;
}

void lw_tree_run_destroy(lw_tree_run *run) {
  if (!run) return;
  lwi_memory memory = run->memory; /* the block holds the original */
  if (run->marks) lwi_free(&memory, run->marks, (size_t)run->tree->node_count * sizeof *run->marks);
  lwi_free(&memory, run, run_size(run->tree));
}

size_t lwi_tree_run_memory(const lw_tree_run *run) {
  return run ? run->memory.bytes : 0;
}

bool lwi_tree_run_is_calling(const lw_tree_run *run) {
  return run->calling;
}

bool lwi_tree_run_is_notified(const lw_tree_run *run) {
  return run->notified;
}

/* A host that cannot call leaves is refused before anything changes. */
static bool can_call(const lw_tree_run *run, const lw_tree_host *host) {
  return host && (host->leaf || !run->tree->needs_host);
}

/* --- timers ----------------------------------------------------------------------------------------------- */

void lwi_run_find_timer(lw_tree_run *run) {
  const lw_tree *tree = run->tree;
  run->timer = (double)INFINITY;
  if (!tree->has_timers) return;
  for (int i = 0; i < tree->watched_count; ++i) {
    const int node = tree->watched[i];
    if (tree->nodes[node].kind == LW_CONDITION) continue;
    const double time = lwi_run_word_of(run, node)->time;
    if (time > LWI_COOL) run->timer = fmin(run->timer, time);
  }
}

/* --- reacting --------------------------------------------------------------------------------------------- */

/* Abort what runs below a node for the sake of another one. */
static void abort_for(const lwi_walk *walk, int by, int node) {
  walk->run->aborts = by;
  lwi_walk_abort(walk, node);
  walk->run->aborts = -1;
}

static bool is_within(const lwi_walk *walk, int node) {
  const int current = walk->branches[walk->nodes[node].branch].current;
  return current >= node && current < walk->nodes[node].end;
}

/* How a condition without a child would end now, with the decorators above it. */
static lw_node_status guard_status(const lwi_walk *walk, int condition) {
  const int top = walk->nodes[condition].routes.top;
  lw_node_status status = lwi_walk_test(walk, condition) ? LW_SUCCESS : LW_FAILURE;
  for (int i = condition; i != top;) {
    i = walk->nodes[i].parent;
    if (walk->nodes[i].kind == LW_INVERTER) status = status == LW_SUCCESS ? LW_FAILURE : LW_SUCCESS;
    if (walk->nodes[i].kind == LW_FORCE) status = walk->nodes[i].status;
  }
  return status;
}

/* Does the node let a run in, if it is a test? */
static bool lets_in(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  switch (of->kind) {
  case LW_CONDITION:
    return of->child_count > 0 ? lwi_walk_test(walk, node) : guard_status(walk, node) == LW_SUCCESS;
  case LW_COOLDOWN: return walk->host->now >= lwi_run_word_of(walk->run, node)->time;
  case LW_LIMITER: return lwi_run_word_of(walk->run, node)->bits < (uint64_t)of->numbers.count;
  default: return true;
  }
}

/* Would something begin behind the entrance of the condition, or all tests there succeed? */
static bool opens(const lwi_walk *walk, int condition) {
  for (int i = walk->nodes[condition].routes.entrance; i >= 0;
       i = lwi_tree_next_test(walk->run->tree, i, condition))
    if (!lets_in(walk, i) || walk->run->abort_requested) return false;
  return true;
}

/* @return Whether the composite above a child of it is at a later one. */
static bool is_at_later_child(const lwi_walk *walk, int child) {
  const int composite = walk->nodes[child].parent;
  if (composite < 0 || walk->nodes[composite].kind == LW_PARALLEL) return false;
  return is_within(walk, composite) &&
         walk->branches[walk->nodes[child].branch].current >= walk->nodes[child].end;
}

/* Abort the later child that runs, and begin that one. */
static lw_node_status go_back(const lwi_walk *walk, int by, int child) {
  abort_for(walk, by, walk->nodes[child].parent);
  return walk->run->abort_requested ? LW_RUNNING : lwi_walk_enter(walk, child);
}

/* Let the condition take over from the later child of the selector above that runs, if it may. */
static lw_node_status take_over(const lwi_walk *walk, int by, int condition) {
  const int entrance = walk->nodes[condition].routes.entrance;
  return is_at_later_child(walk, entrance) && opens(walk, condition) ? go_back(walk, by, entrance) : LW_RUNNING;
}

/* A key that the condition reads has changed. */
static lw_node_status react_condition(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  if (is_within(walk, node)) {
    if (of->abort != LW_ABORT_SELF && of->abort != LW_ABORT_BOTH) return LW_RUNNING;
    if (lwi_walk_test(walk, node) || walk->run->abort_requested) return LW_RUNNING;
    abort_for(walk, node, node);
    return walk->run->abort_requested ? LW_RUNNING : lwi_walk_end(walk, node, LW_FAILURE);
  }
  if (of->guards && is_at_later_child(walk, of->routes.top)) {
    const bool holds = guard_status(walk, node) == LW_SUCCESS;
    return holds || walk->run->abort_requested ? LW_RUNNING : go_back(walk, node, of->routes.top);
  }
  return of->routes.entrance >= 0 ? take_over(walk, node, node) : LW_RUNNING;
}

/* The child of a utility that runs, and its number. */
static int running_child(const lwi_walk *walk, int node, int *number) {
  const int current = walk->branches[walk->nodes[node].branch].current;
  int child = node + 1;
  for (*number = 0; walk->nodes[child].end <= current; ++*number) child = walk->nodes[child].end;
  return child;
}

/* Score again the children that were not tried, and that which runs. */
static lw_node_status react_utility(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  if (!is_within(walk, node) || walk->branches[of->branch].current == node) return LW_RUNNING;
  lwi_run_word *words = lwi_run_word_of(walk->run, node);
  if (of->numbers.seconds > 0) words->time = walk->host->now + (double)of->numbers.seconds;
  int running, number = 0, best = -1, best_number = 0;
  const int child = running_child(walk, node, &running);
  const double now = lwi_walk_score(walk, child);
  double bound = isnan(now) ? (double)-INFINITY : now + (double)of->numbers.hysteresis;
  for (int other = node + 1; other < of->end; other = walk->nodes[other].end, ++number) {
    if (words[1].bits >> number & 1) continue;
    const double score = lwi_walk_score(walk, other);
    if (!(score > bound)) continue;
    bound = score;
    best = other;
    best_number = number;
  }
  if (best < 0 || walk->run->abort_requested) return LW_RUNNING;
  abort_for(walk, node, node);
  words[1].bits = words[1].bits & ~((uint64_t)1 << running);
  words[1].bits |= (uint64_t)1 << best_number;
  return walk->run->abort_requested ? LW_RUNNING : lwi_walk_enter(walk, best);
}

static lw_node_status time_out(const lwi_walk *walk, int node) {
  abort_for(walk, node, node);
  return walk->run->abort_requested ? LW_RUNNING : lwi_walk_end(walk, node, LW_FAILURE);
}

/* Let one watched node act, if it is to. @param[out] acted  Whether it was. */
static lw_node_status act(const lwi_walk *walk, int watched, bool *acted) {
  lw_tree_run *run = walk->run;
  const int node = run->tree->watched[watched];
  uint64_t *bits = &lwi_run_bits(run)[watched / 64], bit = (uint64_t)1 << watched % 64;
  const bool notified = *bits & bit;
  const lw_node_kind kind = walk->nodes[node].kind;
  *bits &= ~bit;
  *acted = notified;
  if (kind == LW_CONDITION) return notified ? react_condition(walk, node) : LW_RUNNING;
  double *time = &lwi_run_word_of(run, node)->time;
  *acted = notified || (*time <= walk->host->now && *time > LWI_COOL);
  if (!*acted) return LW_RUNNING;
  if (kind == LW_COOLDOWN) {
    *time = LWI_COOL;
    return take_over(walk, node, walk->nodes[node].routes.wakes);
  }
  if (kind == LW_UTILITY) return react_utility(walk, node);
  if (kind == LW_TIMEOUT) return time_out(walk, node);
  *time = walk->host->now + (double)walk->nodes[node].numbers.seconds;
  lwi_walk_serve(walk, node);
  return LW_RUNNING;
}

/* Let conditions and timers act, the first in the tree first, until none is left that is to.
   @return The root's status, if it has ended. */
static lw_node_status react(const lwi_walk *walk) {
  lw_tree_run *run = walk->run;
  lw_node_status status = LW_RUNNING;
  for (int left = REACTIONS_MAX; left > 0 && (run->notified || run->timer <= walk->host->now);) {
    bool any = false;
    run->notified = false;
    for (int i = 0; i < run->tree->watched_count && status == LW_RUNNING && !run->abort_requested; ++i) {
      bool acted;
      status = act(walk, i, &acted);
      any |= acted;
      left -= acted;
    }
    lwi_run_find_timer(run);
    if (!any || status != LW_RUNNING || run->abort_requested) break;
  }
  return status;
}

/* --- ticking ---------------------------------------------------------------------------------------------- */

/* The node that runs in a branch goes on. */
static lw_node_status resume(const lwi_walk *walk, int node) {
  lwi_run_branch *branch = &walk->branches[walk->nodes[node].branch];
  switch (walk->nodes[node].kind) {
  case LW_LEAF: {
    const lw_node_status status = lwi_walk_tick_leaf(walk, node);
    return status == LW_RUNNING ? LW_RUNNING : lwi_walk_end(walk, node, status);
  }
  case LW_WAIT: branch->current = -1; return lwi_walk_end(walk, node, LW_SUCCESS);
  case LW_PARALLEL: return LW_RUNNING;
  default: branch->current = -1; return lwi_walk_enter(walk, node + 1); /* a delay, or what begins again */
  }
}

static bool is_awake(const lwi_run_branch *branch, double now) {
  return branch->current >= 0 && (branch->woken || now >= branch->wake);
}

/* Go on in all branches that are awake and were not entered just now. */
static lw_node_status resume_branches(const lwi_walk *walk) {
  lw_node_status status = LW_RUNNING;
  for (int i = 0; i < walk->run->tree->branch_count && status == LW_RUNNING; ++i) {
    lwi_run_branch *branch = &walk->branches[i];
    if (branch->fresh || !is_awake(branch, walk->host->now)) continue;
    status = resume(walk, branch->current);
    if (walk->run->abort_requested) break;
  }
  return status;
}

/* The tree begins: all that it reads is read anyway. */
static void forget_notes(lw_tree_run *run) {
  uint64_t *bits = lwi_run_bits(run);
  for (int i = (run->tree->watched_count + 63) / 64 - 1; i >= 0; --i) bits[i] = 0;
  run->notified = false;
}

static lw_node_status tick(const lwi_walk *walk) {
  for (int i = 0; i < walk->run->tree->branch_count; ++i) walk->branches[i].fresh = false;
  if (walk->branches[0].current < 0) {
    forget_notes(walk->run);
    lw_node_status status = lwi_walk_enter(walk, 0);
    return status == LW_RUNNING && !walk->run->abort_requested ? react(walk) : status;
  }
  lw_node_status status = react(walk);
  if (status == LW_RUNNING && !walk->run->abort_requested) status = resume_branches(walk);
  return status == LW_RUNNING && !walk->run->abort_requested ? react(walk) : status;
}

static lwi_walk walk_of(lw_tree_run *run, const lw_tree_host *host) {
  return (lwi_walk){run, run->tree->nodes, lwi_run_branches(run), host, NULL};
}

/* Do what `step` does, and abort all if a leaf has asked for that. */
static lw_node_status advance_walk(const lwi_walk *walk, lw_node_status (*step)(const lwi_walk *walk)) {
  lw_tree_run *run = walk->run;
  run->calling = true;
  if (run->marks) lwi_track_begin(run, walk->host->now);
  lw_node_status status = step(walk);
  if (run->abort_requested) {
    lwi_walk_abort_all(walk);
    status = LW_FAILURE;
  }
  if (status != LW_RUNNING) forget_notes(run);
  lwi_run_find_timer(run);
  run->calling = false;
  run->abort_requested = false;
  return status;
}

static lw_node_status advance(lw_tree_run *run, const lw_tree_host *host,
                              lw_node_status (*step)(const lwi_walk *walk)) {
  const lwi_walk walk = walk_of(run, host);
  return advance_walk(&walk, step);
}

static bool is_due(const lw_tree_run *run, double now) {
  if (lwi_run_branches(run)[0].current < 0) return true;
  return lw_tree_run_wake_time(run) <= now;
}

lw_node_status lw_tree_run_tick(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host) || !isfinite(host->now)) return LW_FAILURE;
  if (run->calling || !is_due(run, host->now)) return LW_RUNNING;
  return advance(run, host, tick);
}

lw_node_status lw_tree_run_react(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host) || !isfinite(host->now)) return LW_FAILURE;
  if (run->calling || lwi_run_branches(run)[0].current < 0 || !run->notified) return LW_RUNNING;
  return advance(run, host, react);
}

static lw_node_status stop(const lwi_walk *walk) {
  lwi_walk_abort_all(walk);
  return LW_FAILURE;
}

void lw_tree_run_abort(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host)) return;
  if (run->calling)
    run->abort_requested = true; /* done when the leaf returns */
  else
    advance(run, host, stop);
}

/* --- saving ------------------------------------------------------------------------------------------------- */

/* The leaf that runs in a branch; -1: none. */
static int leaf_of(const lwi_walk *walk, const lwi_run_branch *branch) {
  return branch->current >= 0 && walk->nodes[branch->current].kind == LW_LEAF ? branch->current : -1;
}

static lw_node_status save(const lwi_walk *walk) {
  for (int i = 0; i < walk->run->tree->branch_count && !walk->run->abort_requested; ++i) {
    const lwi_run_branch *branch = &walk->branches[i];
    const int leaf = leaf_of(walk, branch);
    lwi_leaf_data data;
    if (leaf < 0 || branch->restarts || !walk->nodes[leaf].wants.saves) continue;
    if (lwi_walk_save_leaf(walk, leaf, &data)) walk->store->put(walk->store->user, &data);
  }
  return LW_RUNNING;
}

static lw_node_status load(const lwi_walk *walk) {
  for (int i = 0; i < walk->run->tree->branch_count && !walk->run->abort_requested; ++i) {
    lwi_run_branch *branch = &walk->branches[i];
    const int leaf = leaf_of(walk, branch);
    lwi_leaf_data data = {.node = leaf};
    if (leaf < 0) continue;
    const bool has_data =
        !branch->restarts && walk->nodes[leaf].wants.saves && walk->store->find(walk->store->user, leaf, &data);
    if (has_data && lwi_walk_load_leaf(walk, &data)) continue;
    branch->restarts = branch->woken = true;
  }
  return LW_RUNNING;
}

void lwi_run_save(lw_tree_run *run, const lw_tree_host *host, const lwi_leaf_store *store) {
  if (!can_call(run, host) || lwi_run_branches(run)[0].current < 0) return;
  lwi_walk walk = walk_of(run, host);
  walk.store = store;
  advance_walk(&walk, save);
}

void lwi_run_load(lw_tree_run *run, const lw_tree_host *host, const lwi_leaf_store *store) {
  if (!can_call(run, host) || lwi_run_branches(run)[0].current < 0) return;
  lwi_walk walk = walk_of(run, host);
  walk.store = store;
  advance_walk(&walk, load);
}

/* --- waking ------------------------------------------------------------------------------------------------- */

void lw_tree_run_wake(lw_tree_run *run) {
  if (!run) return;
  for (int i = 0; i < run->tree->branch_count; ++i) {
    lwi_run_branch *branch = &lwi_run_branches(run)[i];
    if (branch->current >= 0 && run->tree->nodes[branch->current].kind == LW_LEAF) branch->woken = true;
  }
}

bool lw_tree_run_notify(lw_tree_run *run, const char *key) {
  if (!run || !key) return false;
  const lw_tree *tree = run->tree;
  const uint64_t hash = lwi_key_hash(key);
  const lwi_tree_key *at = lwi_tree_find_key(tree, hash), *end = tree->keys + tree->key_count;
  bool reads = false;
  for (; at && at < end && at->hash == hash; ++at) {
    if (strcmp(at->name, key) != 0) continue;
    reads = true;
    if (lwi_run_branches(run)[0].current < 0 && !run->calling) continue; /* nothing runs: the root tests all */
    lwi_run_bits(run)[at->watched / 64] |= (uint64_t)1 << at->watched % 64;
    run->notified = true;
  }
  return reads;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

double lw_tree_run_wake_time(const lw_tree_run *run) {
  if (!run || lwi_run_branches(run)[0].current < 0 || run->notified) return 0.0;
  double wake = run->timer;
  for (int i = 0; i < run->tree->branch_count; ++i) {
    const lwi_run_branch *branch = &lwi_run_branches(run)[i];
    if (branch->current < 0) continue;
    if (branch->woken) return 0.0;
    wake = fmin(wake, branch->wake);
  }
  return wake;
}

bool lw_tree_run_is_active(const lw_tree_run *run, int node) {
  if (!run || node < 0 || node >= run->tree->node_count) return false;
  const lwi_tree_node *of = &run->tree->nodes[node];
  const int current = lwi_run_branches(run)[of->branch].current;
  return current >= node && current < of->end;
}

int lw_tree_run_current(const lw_tree_run *run) {
  if (!run) return -1;
  if (run->called >= 0) return run->called;
  int first = -1;
  for (int i = 0; i < run->tree->branch_count; ++i) {
    const int current = lwi_run_branches(run)[i].current;
    if (current < 0 || run->tree->nodes[current].kind == LW_PARALLEL) continue;
    if (first < 0 || current < first) first = current;
  }
  return first;
}

/* -0 becomes 0. */
static uint64_t hash_branch(uint64_t hash, const lwi_run_branch *branch) {
  const double wake = branch->wake + 0.0;
  const int words[2] = {branch->current, branch->woken};
  hash = lwi_hash(lwi_hash(hash, words, sizeof words), &wake, sizeof wake);
  return branch->restarts ? lwi_hash(hash, &branch->restarts, sizeof branch->restarts) : hash;
}

uint64_t lw_tree_run_hash(const lw_tree_run *run) {
  if (!run) return LWI_HASH_SEED;
  const lw_tree *tree = run->tree;
  uint64_t hash = LWI_HASH_SEED;
  for (int i = 0; i < tree->branch_count; ++i) {
    const lwi_run_branch *branch = &lwi_run_branches(run)[i];
    hash = hash_branch(hash, branch);
    if (branch->ended) hash = lwi_hash(hash, &branch->ended, sizeof branch->ended);
  }
  const size_t bits = ((size_t)tree->watched_count + 63) / 64;
  const size_t words = (size_t)tree->word_count + bits;
  if (words > 0) hash = lwi_hash(hash, lwi_run_words(run), words * sizeof(uint64_t));
  return hash;
}
