/* What the nodes of a run did last, for people that watch it: it changes nothing of what the run does. */
#include "behavior/run.h"

#include <math.h>

const char *lw_node_outcome_name(lw_node_outcome outcome) {
  static const char *const names[LW_NODE_OUTCOME_COUNT] = {"idle", "running", "succeeded", "failed", "aborted"};
  return (unsigned)outcome < LW_NODE_OUTCOME_COUNT ? names[outcome] : "?";
}

/* Since when they do is not known. */
static void mark_active(lw_tree_run *run) {
  for (int i = 0; i < run->tree->node_count; ++i)
    if (lw_tree_run_is_active(run, i))
      run->marks[i] = (lwi_node_mark){.since = (double)NAN, .outcome = LW_NODE_RUNNING};
}

lw_status lw_tree_run_track(lw_tree_run *run, bool tracks) {
  if (!run) return LW_INVALID;
  if (tracks == (run->marks != NULL)) return LW_OK;
  const size_t size = (size_t)run->tree->node_count * sizeof *run->marks;
  if (!tracks) {
    lwi_free(&run->memory, run->marks, size);
    run->marks = NULL;
    return LW_OK;
  }
  run->marks = lwi_alloc_zero(&run->memory, size);
  if (!run->marks) return LW_OUT_OF_MEMORY;
  mark_active(run);
  return LW_OK;
}

lw_status lw_tree_run_get_node(const lw_tree_run *run, int node, lw_node_state *state) {
  if (state) *state = (lw_node_state){LW_NODE_IDLE, (double)NAN};
  if (!run || !state) return LW_INVALID;
  if (node < 0 || node >= run->tree->node_count) return LW_NOT_FOUND;
  const bool runs = lw_tree_run_is_active(run, node);
  const lwi_node_mark *mark = run->marks ? &run->marks[node] : NULL;
  if (mark && mark->outcome != LW_NODE_IDLE && runs == (mark->outcome == LW_NODE_RUNNING))
    *state = (lw_node_state){mark->outcome, mark->since};
  else if (runs)
    state->outcome = LW_NODE_RUNNING;
  return LW_OK;
}

static void notify(const lwi_walk *walk, int node, lw_node_outcome outcome) {
  const lw_node_event event = {node, outcome, outcome == LW_NODE_ABORTED ? walk->run->aborts : -1};
  if (walk->host->noted) walk->host->noted(walk->host->user, &event);
}

static void mark(const lwi_walk *walk, int node, lw_node_outcome outcome) {
  walk->run->marks[node] = (lwi_node_mark){walk->host->now, outcome, walk->run->second};
}

static bool is_leaf(const lwi_walk *walk, int node) {
  return walk->nodes[node].kind == LW_LEAF || walk->nodes[node].kind == LW_WAIT;
}

void lwi_track_running(const lwi_walk *walk, int node) {
  const lwi_node_mark *marks = walk->run->marks;
  int first = node, last = node; /* from above downwards: those that did not run before */
  if (marks[node].outcome == LW_NODE_RUNNING) return;
  while (walk->nodes[first].parent >= 0 && marks[walk->nodes[first].parent].outcome != LW_NODE_RUNNING)
    first = walk->nodes[first].parent;
  for (int i = first; i <= last; ++i) {
    if (walk->nodes[i].end <= last) { /* not above it */
      i = walk->nodes[i].end - 1;
      continue;
    }
    mark(walk, i, LW_NODE_RUNNING);
    notify(walk, i, LW_NODE_RUNNING);
  }
}

void lwi_track_end_of_leaf(const lwi_walk *walk, int node, lw_node_outcome outcome) {
  const lwi_node_mark before = walk->run->marks[node];
  mark(walk, node, outcome);
  const bool is_alike = before.outcome == outcome && before.second == walk->run->second;
  if (!is_alike) notify(walk, node, outcome);
}

void lwi_track_begin(lw_tree_run *run, double now) {
  run->second = now > -INT32_MAX && now < INT32_MAX ? (int32_t)floor(now) : 0;
}

void lwi_track_abort(const lwi_walk *walk, int node) {
  const bool ran = walk->run->marks[node].outcome == LW_NODE_RUNNING;
  mark(walk, node, LW_NODE_ABORTED);
  if (ran || is_leaf(walk, node)) notify(walk, node, LW_NODE_ABORTED);
}

void lwi_track_take(lw_tree_run *run, const lw_tree_run *from, const int *nodes) {
  if (!run->marks) return;
  if (!from->marks) {
    mark_active(run);
    return;
  }
  for (int i = 0; i < run->tree->node_count; ++i)
    if (nodes[i] >= 0) run->marks[i] = from->marks[nodes[i]];
}
