/// @file tree.h
/// Behaviour trees: compiled once, shared by any number of agents; what runs is a flat block an agent.
#ifndef LEEWARD_TREE_H
#define LEEWARD_TREE_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lw_node_status { LW_FAILURE, LW_SUCCESS, LW_RUNNING } lw_node_status;

typedef enum lw_node_kind {
  LW_SEQUENCE, ///< Children in order until one fails. Remembers which one runs.
  LW_SELECTOR, ///< Children in order until one succeeds. Remembers which one runs.
  LW_WAIT,     ///< Sleeps for a time drawn uniformly from wait_min..wait_max, then succeeds.
  LW_LEAF      ///< The caller's.
} lw_node_kind;

/// A node; the nodes of a tree stand in depth-first order, children right after their parent.
typedef struct lw_node_def {
  lw_node_kind kind;
  const char *name;         ///< Shown in tree paths. Copied. NULL: the kind's name.
  int child_count;          ///< Sequence and selector: >= 1. Others: 0.
  float wait_min, wait_max; ///< Wait: 0 <= min <= max, simulation time. [s]
  uint32_t leaf;            ///< Leaf: the caller's number for it.
} lw_node_def;

typedef struct lw_tree_def {
  const char *name;              ///< Not NULL. Copied.
  const lw_node_def *nodes;      ///< [node_count] Borrowed for the call.
  int node_count;                ///< [>= 1]
  const lw_allocator *allocator; ///< Copied. NULL: the C library's.
} lw_tree_def;

/// Never changes once made.
typedef struct lw_tree lw_tree;

/// @param[out] tree  The caller frees it with lw_tree_destroy(), after every run of it.
/// @return LW_OK; LW_INVALID with the node named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_tree_create(const lw_tree_def *def, lw_tree **tree, lw_error *error);
LW_API void lw_tree_destroy(lw_tree *tree);
LW_API const char *lw_tree_name(const lw_tree *tree);
LW_API int lw_tree_node_count(const lw_tree *tree);

typedef enum lw_leaf_event {
  LW_LEAF_START, ///< Once, when the leaf is entered; its answer counts as its first tick's.
  LW_LEAF_TICK,  ///< While it is running.
  LW_LEAF_STOP   ///< Once for every START, after the last tick, whatever the end. The answer is ignored.
} lw_leaf_event;

typedef enum lw_leaf_end { LW_END_SUCCESS, LW_END_FAILURE, LW_END_ABORTED } lw_leaf_end;

typedef struct lw_leaf_call {
  lw_leaf_event event;
  uint32_t leaf;   ///< From lw_node_def.
  int node;        ///< Index of the node in its tree.
  lw_leaf_end end; ///< For LW_LEAF_STOP: how it ended.
  double wake; ///< Out, with LW_RUNNING: do not tick before this simulation time unless woken. Preset to now;
               ///< INFINITY sleeps until lw_tree_run_wake(). [s]
} lw_leaf_call;

/// Who runs a tree. The caller may pass it anew with every call.
typedef struct lw_tree_host {
  lw_node_status (*leaf)(void *user, lw_leaf_call *call); ///< Not NULL when the tree has leaves.
  float (*random)(void *user); ///< Uniform in 0..1 (1 excluded). NULL: waits take wait_min.
  void *user;                  ///< Handed to both.
  double now;                  ///< Simulation time. [s]
} lw_tree_host;

/// What runs: one agent's state of one tree.
typedef struct lw_tree_run lw_tree_run;

/// @param[out] run  Not started. The caller frees it with lw_tree_run_destroy() after lw_tree_run_abort().
LW_API lw_status lw_tree_run_create(const lw_tree *tree, const lw_allocator *allocator, lw_tree_run **run);
LW_API void lw_tree_run_destroy(lw_tree_run *run);
/// Advance. Does nothing and answers LW_RUNNING while asleep. A tree that has ended starts anew.
LW_API lw_node_status lw_tree_run_tick(lw_tree_run *run, const lw_tree_host *host);
/// Stop what runs (LW_LEAF_STOP with LW_END_ABORTED). Calling it twice does nothing more.
LW_API void lw_tree_run_abort(lw_tree_run *run, const lw_tree_host *host);
/// Let the next tick happen whatever the timer says.
LW_API void lw_tree_run_wake(lw_tree_run *run);
/// @return When the next tick has something to do; INFINITY: when woken; 0: at once. [s]
LW_API double lw_tree_run_wake_time(const lw_tree_run *run);
/// @return Index of the running leaf or wait; -1: none.
LW_API int lw_tree_run_current(const lw_tree_run *run);
/// Write the path to a node, such as "wander > sequence > MoveTo". @return Length that was needed.
LW_API int lw_tree_node_path(const lw_tree *tree, int node, char *text, size_t size);
/// @return A number over the run's state: equal states have equal numbers.
LW_API uint64_t lw_tree_run_hash(const lw_tree_run *run);

#ifdef __cplusplus
}
#endif
#endif
