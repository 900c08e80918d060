/// A recursive model of behaviour trees, random trees (tree_grow.c), and leaves that do the same in both.
#ifndef LW_TESTS_TREE_MODEL_H
#define LW_TESTS_TREE_MODEL_H

#include "core/random.h"
#include "leeward/tree.h"

enum { MODEL_NODES = 40, MODEL_KEYS = 4 };

struct model;

/// What the leaves do is a function of seed and call number, so that both sides meet the same ones.
typedef struct script {
  lw_random random;
  int events;
  uint64_t trace; ///< Fingerprint of all events.
  double now;
  int values[MODEL_KEYS]; ///< 0: none.
  int started[MODEL_NODES];
  lw_tree_run *run;    ///< NULL on the model's side.
  struct model *model; ///< NULL on the run's side.
  char log[1 << 14];   ///< For the message when they part.
} script;

typedef struct model {
  lw_node_def nodes[MODEL_NODES];
  int parents[MODEL_NODES];
  int count;
  bool active[MODEL_NODES];
  bool woken[MODEL_NODES];
  bool dirty[MODEL_NODES];
  double wake[MODEL_NODES];      ///< Of a leaf, a wait, a delay, a decorator that begins again.
  double time[MODEL_NODES];      ///< Of a timeout, a cooldown, a service, a utility.
  int counts[MODEL_NODES];       ///< Rounds, beginnings.
  bool tried[MODEL_NODES];       ///< Of a child.
  int ended[MODEL_NODES];        ///< Of a child of a parallel: 1 + its status.
  int entered[MODEL_NODES];      ///< Of what runs: the tick in which it began.
  int begun;                     ///< How many leaves, waits, delays and further rounds have begun,
  int begun_before[MODEL_NODES]; ///< and before a node did.
  bool cools[MODEL_NODES];       ///< Of a cooldown that has begun, but has not been seen to end.
  int tick;
  script *script;
} model;

extern const char *const model_keys[MODEL_KEYS];
bool model_is_composite(lw_node_kind kind);
/// The next child after `child`; the first one after -1. @return -1: there is none.
int model_next_child(const model *m, int node, int child);
/// The highest decorator above a node below the next composite, or the node.
int model_top_of(const model *m, int node);
/// The child of a selector that begins with the node, but for mere tests before it. -1: there is none.
int model_entrance(const model *m, int node);
/// Add a random subtree of at most `scratch` nodes. @param parent  -1: the root. @return Its count of nodes.
int model_grow(model *m, lw_random *random, int parent, int depth, int scratch);

/// Set a key of the script, and notify its run or its model.
void model_set_key(script *s, int key, int value);
/// lw_tree_host.random, .value and .leaf, with the script as `user`.
float script_random(void *user);
lw_value script_value(void *user, const lw_key *key);
lw_node_status script_leaf(void *user, lw_leaf_call *call);

/// What lw_tree_run_tick(), lw_tree_run_react() and lw_tree_run_wake() do.
lw_node_status model_tick(model *m);
lw_node_status model_react(model *m);
void model_wake(model *m);
/// Abort a node and what runs below it.
void model_quit(model *m, int node);
/// Whether a node that watches a key is to react.
bool model_is_notified(const model *m);
/// Forget which keys have changed.
void model_forget(model *m);
/// lw_tree_run_current()
int model_current(const model *m);

#endif
