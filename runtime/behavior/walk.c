/* How nodes are entered, end and are aborted. What is aborted ends before anything new begins. */
#include "behavior/run.h"

#include <math.h>

/* What a node that was entered, or a parent whose child has ended, does next. */
typedef struct next_step {
  lw_node_status status; ///< LW_RUNNING: `node` is entered, or runs; else it has ended so.
  bool runs;             ///< Something runs: this is all.
  int node;
} next_step;

static next_step go_to(int node) {
  return (next_step){LW_RUNNING, false, node};
}
static next_step end_with(int node, lw_node_status status) {
  return (next_step){status, false, node};
}
static next_step run_on(void) {
  return (next_step){LW_RUNNING, true, -1};
}

static void run_child(const lwi_walk *walk, int node, lw_node_status *ended);

static void note_timer(const lwi_walk *walk, int node, double time) {
  lwi_run_word_of(walk->run, node)->time = time;
  if (time < walk->run->timer) walk->run->timer = time;
}

/* --- leaving ---------------------------------------------------------------------------------------------- */

static void cool_down(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  const double end = walk->host->now + (double)of->numbers.seconds;
  if (of->routes.wakes < 0)
    lwi_run_word_of(walk->run, node)->time = end;
  else if (of->numbers.seconds > 0)
    note_timer(walk, node, end);
}

/* The node is no longer active, however it ends. */
static void leave(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  switch (of->kind) {
  case LW_TIMEOUT:
  case LW_SERVICE:
  case LW_UTILITY: lwi_run_word_of(walk->run, node)->time = (double)INFINITY; break;
  case LW_COOLDOWN: cool_down(walk, node); break;
  case LW_RANDOM:
  case LW_REPEAT:
  case LW_RETRY:
  case LW_PARALLEL: lwi_run_word_of(walk->run, node)->bits = 0; break;
  default: break;
  }
  if (of->kind == LW_UTILITY) lwi_run_word_of(walk->run, node)[1].bits = 0;
}

/* The node has ended. Where it has failed and nothing below it has begun, as a condition was false, a cooldown does not
   begin and a limit does not count. */
static void leave_ended(const lwi_walk *walk, int node, lw_node_status status) {
  const lwi_tree_node *of = &walk->nodes[node];
  const bool has_begun = walk->run->begun >= node && walk->run->begun < of->end;
  if (status == LW_FAILURE && !has_begun && of->kind == LW_COOLDOWN) return;
  if (status == LW_FAILURE && !has_begun && of->kind == LW_LIMITER) lwi_run_word_of(walk->run, node)->bits -= 1;
  leave(walk, node);
}

static void clear(lwi_run_branch *branch) {
  branch->current = -1;
  branch->wake = 0;
  branch->woken = false;
  branch->restarts = false;
}

/* Abort the children of a parallel that still run. */
static void abort_children(const lwi_walk *walk, int parallel) {
  for (int child = parallel + 1; child < walk->nodes[parallel].end; child = walk->nodes[child].end) {
    lwi_run_branch *branch = &walk->branches[walk->nodes[child].branch];
    branch->ended = 0;
    if (branch->current < 0) continue;
    lwi_walk_abort(walk, child);
    leave(walk, child);
    if (walk->run->marks) lwi_track_abort(walk, child);
    clear(branch);
  }
}

void lwi_walk_abort(const lwi_walk *walk, int node) {
  lwi_run_branch *branch = &walk->branches[walk->nodes[node].branch];
  const int current = branch->current;
  if (current < 0) return;
  if (walk->nodes[current].kind == LW_PARALLEL) abort_children(walk, current);
  if (walk->nodes[current].kind == LW_LEAF && !branch->restarts) lwi_walk_stop_leaf(walk, current);
  for (int i = current; i > node; i = walk->nodes[i].parent) {
    leave(walk, i);
    if (walk->run->marks) lwi_track_abort(walk, i);
  }
  clear(branch);
  branch->current = node; /* where it goes on, or is aborted further */
}

void lwi_walk_abort_all(const lwi_walk *walk) {
  if (walk->branches[0].current < 0) return;
  lwi_walk_abort(walk, 0);
  leave(walk, 0);
  if (walk->run->marks) lwi_track_abort(walk, 0);
  clear(&walk->branches[0]);
}

/* --- entering --------------------------------------------------------------------------------------------- */

static double draw_wait(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  double min = (double)of->numbers.wait_min, span = (double)of->numbers.wait_max - min;
  if (span <= 0.0 || !walk->host->random) return min; /* no draw: the random stream stays where it was */
  double unit = (double)walk->host->random(walk->host->user);
  if (!(unit > 0.0)) return min;
  return min + span * (unit < 1.0 ? unit : 1.0);
}

/* Something other than a leaf runs: it is not woken. */
static void rest(const lwi_walk *walk, int node, double wake) {
  lwi_run_branch *branch = &walk->branches[walk->nodes[node].branch];
  branch->current = node;
  branch->wake = wake;
  branch->woken = false;
}

/* Begin to sleep in a wait or delay. @return false: there is no time to sleep. */
static bool sleep_in(const lwi_walk *walk, int node) {
  const double duration = draw_wait(walk, node);
  if (duration <= 0.0) return false;
  rest(walk, node, walk->host->now + duration);
  return true;
}

/* What a parallel ends with by what its children have. @return LW_RUNNING: it does not end yet. */
static lw_node_status judge(const lwi_walk *walk, int parallel) {
  const lwi_tree_node *of = &walk->nodes[parallel];
  const uint64_t bits = lwi_run_word_of(walk->run, parallel)->bits;
  const int succeeded = (int)(uint32_t)bits, failed = (int)(bits >> 32);
  if (succeeded >= (of->numbers.count > 0 ? of->numbers.count : of->child_count)) return LW_SUCCESS;
  if (failed >= (of->numbers.failures > 0 ? of->numbers.failures : 1)) return LW_FAILURE;
  return succeeded + failed == of->child_count ? LW_FAILURE : LW_RUNNING;
}

/* A child of a parallel has ended. */
static lw_node_status count_end(const lwi_walk *walk, int child, lw_node_status status) {
  const int parallel = walk->nodes[child].parent;
  walk->branches[walk->nodes[child].branch].ended = (int8_t)(1 + (int)status);
  lwi_run_word_of(walk->run, parallel)->bits += status == LW_SUCCESS ? 1 : (uint64_t)1 << 32;
  return judge(walk, parallel);
}

/* End a parallel before its other children have. */
static next_step end_parallel(const lwi_walk *walk, int parallel, lw_node_status status) {
  walk->run->aborts = parallel;
  abort_children(walk, parallel);
  walk->run->aborts = -1;
  if (walk->run->abort_requested) return run_on();
  leave(walk, parallel);
  return end_with(parallel, status);
}

static next_step enter_parallel(const lwi_walk *walk, int parallel) {
  const lwi_tree_node *of = &walk->nodes[parallel];
  rest(walk, parallel, (double)INFINITY);
  lwi_run_word_of(walk->run, parallel)->bits = 0;
  for (int child = parallel + 1; child < of->end; child = walk->nodes[child].end)
    walk->branches[walk->nodes[child].branch].ended = 0;
  for (int child = parallel + 1; child < of->end; child = walk->nodes[child].end) {
    lw_node_status ended = LW_RUNNING;
    run_child(walk, child, &ended);
    if (walk->run->abort_requested) return run_on();
    if (ended == LW_RUNNING) continue;
    const lw_node_status verdict = count_end(walk, child, ended);
    if (verdict != LW_RUNNING) return end_parallel(walk, parallel, verdict);
  }
  return run_on();
}

static next_step enter_drawn(const lwi_walk *walk, int node) {
  leave(walk, node);
  const int child = lwi_walk_choose(walk, node);
  const lwi_tree_node *of = &walk->nodes[node];
  if (of->kind == LW_UTILITY && of->numbers.seconds > 0)
    note_timer(walk, node, walk->host->now + (double)of->numbers.seconds);
  if (child >= 0) return go_to(child);
  leave(walk, node);
  return end_with(node, LW_FAILURE);
}

static next_step enter_leaf(const lwi_walk *walk, int node) {
  const lw_node_status status = lwi_walk_tick_leaf(walk, node);
  return status == LW_RUNNING ? run_on() : end_with(node, status);
}

static next_step enter_service(const lwi_walk *walk, int node) {
  note_timer(walk, node, walk->host->now + (double)walk->nodes[node].numbers.seconds);
  lwi_walk_serve(walk, node);
  return go_to(node + 1);
}

static next_step enter_limit(const lwi_walk *walk, int node) {
  lwi_run_word *begun = lwi_run_word_of(walk->run, node);
  if (begun->bits >= (uint64_t)walk->nodes[node].numbers.count) return end_with(node, LW_FAILURE);
  begun->bits += 1;
  return go_to(node + 1);
}

/* Enter a node other than a condition. */
static next_step enter(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  switch (of->kind) {
  case LW_LEAF: walk->run->begun = node; return enter_leaf(walk, node);
  case LW_WAIT: walk->run->begun = node; return sleep_in(walk, node) ? run_on() : end_with(node, LW_SUCCESS);
  case LW_DELAY: walk->run->begun = node; return sleep_in(walk, node) ? run_on() : go_to(node + 1);
  case LW_PARALLEL: return enter_parallel(walk, node);
  case LW_RANDOM:
  case LW_UTILITY: return enter_drawn(walk, node);
  case LW_TIMEOUT:
    note_timer(walk, node, walk->host->now + (double)of->numbers.seconds);
    return go_to(node + 1);
  case LW_COOLDOWN:
    if (walk->host->now < lwi_run_word_of(walk->run, node)->time) return end_with(node, LW_FAILURE);
    if (of->routes.wakes >= 0) lwi_run_word_of(walk->run, node)->time = LWI_COOL;
    return go_to(node + 1);
  case LW_LIMITER: return enter_limit(walk, node);
  case LW_SERVICE: return enter_service(walk, node);
  case LW_REPEAT:
  case LW_RETRY: lwi_run_word_of(walk->run, node)->bits = 0; return go_to(node + 1);
  default: return go_to(node + 1);
  }
}

/* --- ending ----------------------------------------------------------------------------------------------- */

/* The decorator begins again at the next step. */
static next_step begin_again(const lwi_walk *walk, int node) {
  walk->run->begun = node;
  rest(walk, node, walk->host->now);
  return run_on();
}

/* A child of a repeat, retry or until has ended. */
static next_step count_round(const lwi_walk *walk, int node, lw_node_status status) {
  const lwi_tree_node *of = &walk->nodes[node];
  if (of->kind == LW_UNTIL) return status == of->status ? end_with(node, LW_SUCCESS) : begin_again(walk, node);
  const lw_node_status goes_on = of->kind == LW_REPEAT ? LW_SUCCESS : LW_FAILURE;
  lwi_run_word *rounds = lwi_run_word_of(walk->run, node);
  rounds->bits += 1;
  const bool is_last = of->numbers.count > 0 && rounds->bits >= (uint64_t)of->numbers.count;
  return status != goes_on || is_last ? end_with(node, status) : begin_again(walk, node);
}

/* What the parent, no sequence, selector or inverter, does after a child has ended. */
static next_step after(const lwi_walk *walk, int child, lw_node_status status) {
  const int parent = walk->nodes[child].parent;
  const lwi_tree_node *of = &walk->nodes[parent];
  switch (of->kind) {
  case LW_RANDOM:
  case LW_UTILITY: {
    if (status == LW_SUCCESS) return end_with(parent, status);
    const int other = lwi_walk_choose(walk, parent);
    return other >= 0 ? go_to(other) : end_with(parent, LW_FAILURE);
  }
  case LW_FORCE: return end_with(parent, of->status);
  case LW_REPEAT:
  case LW_RETRY:
  case LW_UNTIL: return count_round(walk, parent, status);
  default: return end_with(parent, status);
  }
}

/* The run is to be aborted, and the node has ended or was not entered yet. */
static void stay_above(const lwi_walk *walk, int node) {
  lwi_run_branch *branch = &walk->branches[walk->nodes[node].branch];
  clear(branch);
  if (!lwi_walk_is_branch_root(walk, node)) branch->current = walk->nodes[node].parent;
}

static next_step enter_below(const lwi_walk *walk, int above) {
  const int node = walk->nodes[above].routes.entry;
  const lwi_tree_node *of = &walk->nodes[node];
  if (of->kind != LW_CONDITION) return enter(walk, node);
  if (!lwi_walk_test(walk, node)) return end_with(node, LW_FAILURE);
  return of->child_count > 0 ? go_to(node + 1) : end_with(node, LW_SUCCESS);
}

/* Mark a node that has ended, and the sequences, selectors and inverters above it that have ended with it. */
static void track_ends(const lwi_walk *walk, int node, lw_node_status status) {
  for (;;) {
    const lwi_tree_node *child = &walk->nodes[node];
    lwi_track_end(walk, node, status);
    if (child->parent < 0) return;
    const lwi_tree_node *parent = &walk->nodes[child->parent];
    const bool is_list = parent->kind == LW_SEQUENCE || parent->kind == LW_SELECTOR;
    if (!is_list && parent->kind != LW_INVERTER) return;
    if (is_list && (status == LW_SUCCESS) == (parent->kind == LW_SEQUENCE) && child->end < parent->end) return;
    if (!is_list) status = status == LW_SUCCESS ? LW_FAILURE : LW_SUCCESS;
    node = child->parent;
  }
}

/* Go on in a branch until something runs or the branch ends. @param[in, out] ended  Its status; LW_RUNNING: it
   has not. */
static void go(const lwi_walk *walk, next_step step, lw_node_status *ended) {
  lwi_run_branch *branch = &walk->branches[walk->nodes[step.node].branch];
  branch->fresh = true;
  *ended = LW_RUNNING;
  while (!step.runs) {
    if (step.status == LW_RUNNING) {
      step = enter_below(walk, step.node);
    } else {
      if (walk->run->marks) track_ends(walk, step.node, step.status);
      const lwi_tree_jump end = walk->nodes[step.node].routes.ends[step.status];
      step = end_with(end.node, end.status);
      if (step.status == LW_RUNNING) continue;
      if (lwi_walk_is_branch_root(walk, step.node)) {
        *ended = step.status;
        clear(branch);
        return;
      }
      step = after(walk, step.node, step.status);
      if (!step.runs && step.status != LW_RUNNING) leave_ended(walk, step.node, step.status);
    }
    if (!walk->run->abort_requested) continue;
    if (!step.runs) stay_above(walk, step.node);
    return;
  }
  if (walk->run->marks && branch->current >= 0) lwi_track_running(walk, branch->current);
}

static void run_child(const lwi_walk *walk, int node, lw_node_status *ended) {
  clear(&walk->branches[walk->nodes[node].branch]);
  go(walk, go_to(node), ended);
}

/* The node that is the root of the branch. */
static int root_of(const lwi_walk *walk, int node) {
  while (!lwi_walk_is_branch_root(walk, node)) node = walk->nodes[node].parent;
  return node;
}

/* Go on, also in the branches above when one ends. */
static lw_node_status go_up(const lwi_walk *walk, next_step step) {
  for (;;) {
    const int node = step.node;
    lw_node_status ended;
    walk->run->begun =
        step.status == LW_RUNNING ? walk->nodes[node].parent : node; /* what is above runs already */
    go(walk, step, &ended);
    if (ended == LW_RUNNING || walk->run->abort_requested) return LW_RUNNING;
    const int root = root_of(walk, node);
    const int parallel = walk->nodes[root].parent;
    if (parallel < 0) return ended;
    const lw_node_status verdict = count_end(walk, root, ended);
    if (verdict == LW_RUNNING) return LW_RUNNING;
    step = end_parallel(walk, parallel, verdict);
    if (step.runs) return LW_RUNNING;
  }
}

lw_node_status lwi_walk_enter(const lwi_walk *walk, int node) {
  return go_up(walk, go_to(node));
}

lw_node_status lwi_walk_end(const lwi_walk *walk, int node, lw_node_status status) {
  leave(walk, node);
  return go_up(walk, end_with(node, status));
}
