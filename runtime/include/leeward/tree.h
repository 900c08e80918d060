/// @file tree.h
/// Behaviour trees: compiled once, shared by any number of agents; the state of an agent's run is one flat
/// block.
///
/// Threads: a tree never changes, so any number of threads may use it at once. A run is used by one thread at a
/// time; runs of one tree may be ticked together if their hosts may be called from several threads at once.
#ifndef LEEWARD_TREE_H
#define LEEWARD_TREE_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- trees --- */

/// What a node answers to a tick.
typedef enum lw_node_status { LW_FAILURE, LW_SUCCESS, LW_RUNNING } lw_node_status;

/// The kinds of nodes of a tree.
typedef enum lw_node_kind {
  LW_SEQUENCE, ///< Its children in order until one fails; continues with the running child.
  LW_SELECTOR, ///< Its children in order until one succeeds; continues with the running child.
  LW_WAIT,     ///< Sleeps for a time drawn uniformly from wait_min..wait_max, then succeeds.
  LW_LEAF      ///< Calls lw_tree_host.leaf.
} lw_node_kind;

/// A node. The nodes of a tree are in depth-first order, children right after their parent.
typedef struct lw_node_def {
  lw_node_kind kind; ///< The kind of node.
  const char *name;  ///< Shown in tree paths. Copied. NULL: the kind's name.
  int child_count;   ///< [sequence and selector >= 1, others 0]
  float wait_min;    ///< Wait: the shortest world time. [s, 0..wait_max]
  float wait_max;    ///< Wait: the longest world time. [s, >= wait_min]
  uint32_t leaf;     ///< Leaf: the caller's number for it.
} lw_node_def;

/// A tree to compile. All is borrowed for the call.
typedef struct lw_tree_def {
  const char *name;              ///< Saved games know the tree by it. Not NULL. Copied. [1..63 bytes]
  const lw_node_def *nodes;      ///< [node_count]
  int node_count;                ///< [>= 1]
  const lw_allocator *allocator; ///< Copied. NULL: the C library's.
} lw_tree_def;

/// Compile a tree.
/// @param[out] tree  The caller frees it with lw_tree_destroy(), after every run of it. NULL on an error.
/// @return LW_OK; LW_INVALID: the name or a node is invalid, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_tree_create(const lw_tree_def *def, lw_tree **tree, lw_error *error);
/// Free a tree, once, after every run of it and the worlds whose agents run it; else undefined.
/// @param tree  NULL: nothing happens.
LW_API void lw_tree_destroy(lw_tree *tree);
/// @return The tree's name. Borrowed from the tree.
LW_API const char *lw_tree_name(const lw_tree *tree);
/// @return How many nodes the tree has.
LW_API int lw_tree_node_count(const lw_tree *tree);
/// Write the path to a node, such as "wander > sequence > MoveTo". Control characters and bytes that are not
/// UTF-8 are written as `\n` or `\x1B`; a name of more than 127 bytes is cut in its middle.
/// @param node  Index of the node. [0..lw_tree_node_count() - 1]
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text.
LW_API int lw_tree_node_path(const lw_tree *tree, int node, char *text, size_t size);

/* --- leaves --- */

/// Why a leaf is called.
typedef enum lw_leaf_event {
  LW_LEAF_START, ///< Once, when it is entered; its answer counts like that of its first tick.
  LW_LEAF_TICK,  ///< While it is running.
  LW_LEAF_STOP   ///< Once for every START, after the last tick, however it ends. The answer is ignored.
} lw_leaf_event;

/// How a leaf ended.
typedef enum lw_leaf_end { LW_END_SUCCESS, LW_END_FAILURE, LW_END_ABORTED } lw_leaf_end;

/// One call of a leaf.
typedef struct lw_leaf_call {
  lw_leaf_event event; ///< Why it is called.
  uint32_t leaf;       ///< From lw_node_def.
  int node;            ///< Index of the node in its tree.
  lw_leaf_end end;     ///< For LW_LEAF_STOP: how it ended.
  /// Out, with LW_RUNNING: do not tick before this world time unless woken; INFINITY: sleep until
  /// lw_tree_run_wake(). Preset to now. [s]
  double wake;
} lw_leaf_call;

/// The caller of a tree. It may differ from call to call.
typedef struct lw_tree_host {
  /// Runs a leaf. Not NULL if the tree has leaves.
  lw_node_status (*leaf)(void *user, lw_leaf_call *call);
  /// Draws a number, uniform in 0..1, 1 excluded. NULL: waits take wait_min.
  float (*random)(void *user);
  void *user; ///< Handed to `leaf` and `random`.
  double now; ///< World time (lw_world_time()), or the clock of the caller. [s]
} lw_tree_host;

/* --- runs --- */

/// Create a run, not started.
/// @param tree  Borrowed while the run lives.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] run  The caller frees it with lw_tree_run_destroy(), after lw_tree_run_abort(). NULL on an
///   error.
/// @return LW_OK; LW_OUT_OF_MEMORY.
LW_API lw_status lw_tree_run_create(const lw_tree *tree, const lw_allocator *allocator, lw_tree_run **run);
/// Free a run without calling its leaves. @param run  NULL: nothing happens.
LW_API void lw_tree_run_destroy(lw_tree_run *run);
/// Advance a run. A tree that has ended starts again.
/// @return The status of the root; LW_RUNNING, with nothing done, while asleep.
LW_API lw_node_status lw_tree_run_tick(lw_tree_run *run, const lw_tree_host *host);
/// Stop the running node (LW_LEAF_STOP with LW_END_ABORTED). A second call does nothing.
LW_API void lw_tree_run_abort(lw_tree_run *run, const lw_tree_host *host);
/// Let the next tick happen whatever the timer says.
LW_API void lw_tree_run_wake(lw_tree_run *run);
/// @return The world time at which the next tick has work; INFINITY: when woken; 0: at once. [s]
LW_API double lw_tree_run_wake_time(const lw_tree_run *run);
/// @return Index of the running leaf or wait; -1: no node runs.
LW_API int lw_tree_run_current(const lw_tree_run *run);
/// @return A hash of the run's state: equal states have equal hashes.
LW_API uint64_t lw_tree_run_hash(const lw_tree_run *run);

#ifdef __cplusplus
}
#endif
#endif
