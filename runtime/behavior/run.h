/// The state of one run of a tree: one block, and how its nodes are entered, ended and aborted.
#ifndef LW_BEHAVIOR_RUN_H
#define LW_BEHAVIOR_RUN_H

#include "behavior/tree.h"

#include <math.h>

/// What runs by itself: of the root, or a child of a parallel.
typedef struct lwi_run_branch {
  double wake;   ///< The node that runs is asleep until then. [s]
  int current;   ///< The leaf, wait, delay or parallel that runs, or a decorator that begins again; -1: none.
  bool woken;    ///< The leaf is awake, whatever `wake` says.
  bool fresh;    ///< It was entered in the tick that runs.
  bool restarts; ///< The run was loaded without the state of the leaf, which starts when it is ticked.
  int8_t ended;  ///< Of a child of a parallel that runs: 1 + its status. 0: it has not ended.
} lwi_run_branch;

/// The time of a cooldown that wakes a condition, before it has begun and after it has ended.
#define LWI_COOL (-(double)INFINITY)

/// A word of state: of a timer, a counter, or a set of children.
typedef union lwi_run_word {
  double time; ///< [s]
  uint64_t bits;
} lwi_run_word;

/// What a node did last.
typedef struct lwi_node_mark {
  double since; ///< [s]
  lw_node_outcome outcome;
  int32_t second; ///< Of that time.
} lwi_node_mark;

/// Followed by branches, words and a bit for each watched node that is to react.
struct lw_tree_run {
  lwi_memory memory;
  const lw_tree *tree;
  double timer;         ///< No timeout, service, utility or cooldown is due earlier. [s]
  int called;           ///< The node whose leaf is being called; -1: none.
  bool calling;         ///< A leaf may be called: the run ticks, reacts or is aborted.
  bool abort_requested; ///< By a leaf.
  bool notified;        ///< Some bit is set.
  int aborts;           ///< The node that aborts what runs; -1: the host does.
  int begun;            ///< What has begun last of the nodes that are no tests, or where the run went on.
  int32_t second;       ///< Of the time of the tick that runs, if it is tracked.
  lwi_node_mark *marks; ///< [node_count] Owned. NULL: it is not tracked.
};

static inline lwi_run_branch *lwi_run_branches(const lw_tree_run *run) {
  return (lwi_run_branch *)(void *)((char *)(uintptr_t)run + sizeof *run);
}
static inline lwi_run_word *lwi_run_words(const lw_tree_run *run) {
  return (lwi_run_word *)(void *)(lwi_run_branches(run) + run->tree->branch_count);
}
static inline uint64_t *lwi_run_bits(const lw_tree_run *run) {
  return (uint64_t *)(void *)(lwi_run_words(run) + run->tree->word_count);
}
static inline lwi_run_word *lwi_run_word_of(const lw_tree_run *run, int node) {
  return lwi_run_words(run) + run->tree->nodes[node].word;
}

/// What a leaf has saved.
typedef struct lwi_leaf_data {
  int node;
  const void *data;
  size_t size;
} lwi_leaf_data;

/// What leaves save, or have saved.
typedef struct lwi_leaf_store {
  /// Takes what the leaf of a node saves. Used by lwi_run_save() alone.
  void (*put)(void *user, const lwi_leaf_data *data);
  /// Finds what a node of this tree has saved. @return false: nothing. Used by lwi_run_load() alone.
  bool (*find)(void *user, int node, lwi_leaf_data *data);
  void *user;
} lwi_leaf_store;

/// A run and the host that it runs with now.
typedef struct lwi_walk {
  lw_tree_run *run;
  const lwi_tree_node *nodes;
  lwi_run_branch *branches;
  const lw_tree_host *host;
  const lwi_leaf_store *store; ///< While leaves save or load. Else NULL.
} lwi_walk;

/// Enter a node, and go on from there until a leaf runs or the branch ends, in which case what follows in the
/// branches above is done, too. @return The root's status, if it has ended; else LW_RUNNING.
lw_node_status lwi_walk_enter(const lwi_walk *walk, int node);
/// The same after a node has ended with that status.
lw_node_status lwi_walk_end(const lwi_walk *walk, int node, lw_node_status status);
/// Abort what runs below a node in its branch, the innermost first.
void lwi_walk_abort(const lwi_walk *walk, int node);
/// Abort all.
void lwi_walk_abort_all(const lwi_walk *walk);
/// Call a leaf that runs. @return Its answer; LW_RUNNING: it runs on, or its run is to be aborted.
lw_node_status lwi_walk_tick_leaf(const lwi_walk *walk, int node);
/// Stop a leaf that is aborted.
void lwi_walk_stop_leaf(const lwi_walk *walk, int node);
/// Call a service.
void lwi_walk_serve(const lwi_walk *walk, int node);
/// Test a condition, by a call and by its key.
bool lwi_walk_ask(const lwi_walk *walk, int node);
bool lwi_walk_test_key(const lwi_walk *walk, const lwi_tree_node *of);
/// Let the leaf that runs save what it needs. @return false: nothing.
bool lwi_walk_save_leaf(const lwi_walk *walk, int node, lwi_leaf_data *data);
/// Let the leaf go on with what it has saved. @return false: it has to start again.
bool lwi_walk_load_leaf(const lwi_walk *walk, const lwi_leaf_data *data);
/// Test a condition.
static inline bool lwi_walk_test(const lwi_walk *walk, int node) {
  const lwi_tree_node *of = &walk->nodes[node];
  return of->test == LW_TEST_CALL ? lwi_walk_ask(walk, node) : lwi_walk_test_key(walk, of);
}
/// Is the node the root of its branch?
static inline bool lwi_walk_is_branch_root(const lwi_walk *walk, int node) {
  const int parent = walk->nodes[node].parent;
  return parent < 0 || walk->nodes[parent].kind == LW_PARALLEL;
}

/* --- track.c ---------------------------------------------------------------------------------------------- */

/// Mark all that runs in the branch of a node that has begun to run.
void lwi_track_running(const lwi_walk *walk, int node);
/// Mark a leaf that has ended, or a node that ran.
void lwi_track_end_of_leaf(const lwi_walk *walk, int node, lw_node_outcome outcome);
/// Mark a node that has ended.
static inline void lwi_track_end(const lwi_walk *walk, int node, lw_node_status status) {
  lwi_node_mark *mark = &walk->run->marks[node];
  const lw_node_kind kind = walk->nodes[node].kind;
  const lw_node_outcome outcome = status == LW_SUCCESS ? LW_NODE_SUCCEEDED : LW_NODE_FAILED;
  if (mark->outcome == LW_NODE_RUNNING || kind == LW_LEAF || kind == LW_WAIT) {
    lwi_track_end_of_leaf(walk, node, outcome);
    return;
  }
  mark->outcome = outcome;
  mark->since = walk->host->now;
}
/// A tick of a run that is tracked begins.
void lwi_track_begin(lw_tree_run *run, double now);
/// Mark a node that was aborted.
void lwi_track_abort(const lwi_walk *walk, int node);
/// Let a new run have the marks of one of another version of its tree. @param nodes  Of lw_tree_match().
void lwi_track_take(lw_tree_run *run, const lw_tree_run *from, const int *nodes);

/* ---------------------------------------------------------------------------------------------------------- */

/// Is it the same value in two versions of a tree?
/// @param of_file  One is of a file: agents and objects have other ids.
bool lwi_value_is_same(const lw_value *a, const lw_value *b, bool of_file);
/// When the first timeout, service or utility of the run is due.
void lwi_run_find_timer(lw_tree_run *run);
/// Can what runs go on in another version of its tree? @param nodes  Of lw_tree_match().
bool lwi_run_goes_on(const lw_tree_run *run, const lw_tree *to, const int *nodes);
/// Give a new run the state of one of another version of its tree, which goes on or is aborted.
/// @param nodes  Of lw_tree_match().
void lwi_run_take(lw_tree_run *run, const lw_tree_run *from, const int *nodes);

/// Of a run that does not go on: give a new one its cooldowns and limits.
void lwi_run_take_counts(lw_tree_run *run, const lw_tree_run *from, const int *nodes);
/// Let the leaves that run save what they need.
void lwi_run_save(lw_tree_run *run, const lw_tree_host *host, const lwi_leaf_store *store);
/// Let the leaves of a run that was given the state of another go on with what they have saved. The others
/// start again when the run is ticked.
void lwi_run_load(lw_tree_run *run, const lw_tree_host *host, const lwi_leaf_store *store);

/// Choose a child of a random or utility among those that were not tried, and mark it. @return -1: there is
/// none.
int lwi_walk_choose(const lwi_walk *walk, int node);
/// The score of a child. NaN: it has none.
double lwi_walk_score(const lwi_walk *walk, int child);

#endif
