/// @file tree.h
/// Behaviour trees: compiled once, shared by any number of agents; the state of an agent's run is one flat
/// block.
///
/// Threads: a tree never changes, so any number of threads may use it at once. A run is used by one thread at a
/// time; runs of one tree may be ticked together if their hosts may be called from several threads at once.
#ifndef LEEWARD_TREE_H
#define LEEWARD_TREE_H

#include "leeward/blackboard.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- trees --- */

/// What a node answers to a tick.
typedef enum lw_node_status { LW_FAILURE, LW_SUCCESS, LW_RUNNING } lw_node_status;

/// The kinds of nodes of a tree. A composite has at least one child, a decorator one, a condition one or none.
typedef enum lw_node_kind {
  LW_SEQUENCE, ///< Composite: its children in order until one fails; continues with the running child.
  LW_SELECTOR, ///< Composite: its children in order until one succeeds; continues with the running child.
  LW_WAIT,     ///< Sleeps for a time drawn uniformly from wait_min..wait_max, then succeeds.
  LW_LEAF,     ///< Calls `native`, or lw_tree_host.leaf.
  /// Composite: all its children at once. It succeeds when `count` of them have succeeded, fails when
  /// `failures` have failed or all have ended, and aborts those that still run.
  LW_PARALLEL,
  LW_RANDOM,   ///< Composite: a child drawn by `weight`; when it fails, another one of the rest.
  LW_UTILITY,  ///< Composite: the child with the highest score; when it fails, the best of the rest.
  LW_INVERTER, ///< Success becomes failure, and failure success.
  LW_FORCE,    ///< Ends with `status`, however the child ends.
  LW_REPEAT,   ///< The child `count` times; fails when it fails. It begins again at the next step.
  LW_RETRY,    ///< The child until it succeeds, at most `count` times. It begins again at the next step.
  LW_UNTIL,    ///< The child until it ends with `status`, then succeeds. It begins again at the next step.
  LW_TIMEOUT,  ///< Aborts the child after `seconds`, and fails.
  /// Fails for `seconds` after the child has ended, or was aborted. It counts only if a leaf, wait or delay has
  /// begun in it, or it succeeded. A condition that it kept from LW_ABORT_LOWER is tested when it ends.
  LW_COOLDOWN,
  /// Lets the child begin `count` times while the agent runs the tree, then fails. The same counts.
  LW_LIMITER,
  LW_DELAY, ///< Sleeps as LW_WAIT, then runs the child.
  /// Fails if its test is false, else runs the child, or succeeds without one. While the tree is elsewhere it
  /// is tested again when a key changes that it reads: see lw_abort.
  LW_CONDITION,
  /// Calls lw_tree_host.leaf (LW_LEAF_SERVICE) before the child begins and every `seconds` while it runs.
  LW_SERVICE,
  LW_SUBTREE ///< Its child: a tree within the tree, by its name.
} lw_node_kind;
#define LW_NODE_KIND_COUNT (LW_SUBTREE + 1)
/// @return "sequence", "selector", ...; "?" for no kind. Static.
LW_API const char *lw_node_kind_name(lw_node_kind kind);

#define LW_NODE_KEYS_MAX 64      ///< Keys that a node reads.
#define LW_DRAWN_CHILDREN_MAX 64 ///< Children of a random or utility.

/// What a condition aborts when a key has changed that it reads. What is aborted ends before anything new
/// begins, in the same step.
typedef enum lw_abort {
  LW_ABORT_NONE, ///< Nothing: it is tested only when it is entered.
  /// Its own child, when the test has become false; the condition then fails. Without a child in a sequence:
  /// the later child that runs, when the condition would now fail.
  LW_ABORT_SELF,
  /// The later child of a selector that runs, when all tests are true by which an earlier child begins. It is
  /// one of them: below the selector, or in a sequence there behind nothing but conditions without a child.
  /// Decorators may stand between.
  LW_ABORT_LOWER,
  LW_ABORT_BOTH ///< Both.
} lw_abort;

/// How a condition tests the value of its first key.
typedef enum lw_test {
  LW_TEST_SET,      ///< It has a value other than false.
  LW_TEST_UNSET,    ///< It has none, or false.
  LW_TEST_EQUAL,    ///< It is `value`.
  LW_TEST_DIFFERS,  ///< It is not.
  LW_TEST_BELOW,    ///< Both are numbers, and it is less.
  LW_TEST_AT_MOST,  ///< Not more.
  LW_TEST_ABOVE,    ///< More.
  LW_TEST_AT_LEAST, ///< Not less.
  LW_TEST_CALL      ///< A leaf's call with LW_LEAF_TEST answers LW_SUCCESS.
} lw_test;

typedef struct lw_leaf_def lw_leaf_def;

/// A node. The nodes of a tree are in depth-first order, children right after their parent. Zero is a good
/// start.
typedef struct lw_node_def {
  lw_node_kind kind; ///< The kind of node.
  const char *name;  ///< Shown in tree paths. Copied. NULL: the kind's, or as "force_success".
  /// Where it was written, such as "guard.lua:12", for errors. Borrowed for the call. NULL: that is not known.
  const char *source;
  int child_count; ///< [composites >= 1, decorators 1, conditions 0..1, others 0]
  float wait_min;  ///< Wait, delay: the shortest world time. [s, 0..wait_max]
  float wait_max;  ///< Wait, delay: the longest world time. [s, >= wait_min]
  uint32_t leaf;   ///< Leaf, service, condition (LW_TEST_CALL): the caller's number for it.
  /// Leaf, service, condition (LW_TEST_CALL): what is called in place of lw_tree_host.leaf. The table is
  /// copied.
  /// [default NULL]
  const lw_leaf_def *native;
  bool without_stop; ///< Leaf: it does not want LW_LEAF_STOP. [default false]
  /// Leaf that is not native: lw_tree_host.leaf answers LW_LEAF_SAVE and LW_LEAF_LOAD for it. Else it starts
  /// again where a saved run goes on. [default false]
  bool saves;
  bool reactive; ///< Sequence, selector: see lw_tree_create(). [default false]
  int count;     ///< Parallel: 0 is all. [0..child_count] Repeat, retry: 0 is for ever. [>= 0] Limit: [>= 0]
  int failures;  ///< Parallel: 0 is 1. [0..child_count]
  lw_node_status status; ///< Force, until: LW_SUCCESS or LW_FAILURE.
  float seconds; ///< Timeout, service: [s, > 0] Cooldown: [s, >= 0] Utility: scores again after it; 0: never.
  float hysteresis;    ///< Utility: how much higher another child's score must be to take over. [>= 0]
  float weight;        ///< Child of a random: 0 is 1. [>= 0]
  const char *score;   ///< Child of a utility: the key of its score. Copied. NULL: called with LW_LEAF_SCORE.
  uint32_t score_leaf; ///< Child of a utility without `score`: the caller's number for it.
  /// Condition: what it reads. Copied. [key_count] Of a utility, what lets it score again beside its `score`
  /// keys.
  const char *const *keys;
  int key_count;  ///< [condition >= 1, but 0 for LW_TEST_CALL that aborts nothing; 0..64]
  lw_test test;   ///< Condition.
  lw_value value; ///< Condition: what the first key is compared with. Copied.
  lw_abort abort; ///< Condition.
} lw_node_def;

/// A tree to compile. All is borrowed for the call.
typedef struct lw_tree_def {
  /// Saved games know the tree by it. Copied. [1..63 bytes] NULL: it has none, and saved games leave it out.
  const char *name;
  const lw_node_def *nodes;      ///< [node_count]
  int node_count;                ///< [>= 1]
  const lw_allocator *allocator; ///< Copied. NULL: the C library's.
} lw_tree_def;

/// Compile a tree. A reactive selector gives its conditions LW_ABORT_BOTH unless they have a scope, a reactive
/// sequence LW_ABORT_SELF. Decorators may stand between.
/// @param[out] tree  The caller frees it with lw_tree_destroy(), after every run of it. NULL on an error.
/// @return LW_OK; LW_INVALID: the name or a node is invalid, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_tree_create(const lw_tree_def *def, lw_tree **tree, lw_error *error);
/// Free a tree, once, after every run of it and the worlds whose agents run it; else undefined.
/// @param tree  NULL: nothing happens.
LW_API void lw_tree_destroy(lw_tree *tree);
/// @return The tree's name; "" if it has none. Borrowed from the tree.
LW_API const char *lw_tree_name(const lw_tree *tree);
/// @return How many nodes the tree has.
LW_API int lw_tree_node_count(const lw_tree *tree);
/// A node of a tree, for tools.
typedef struct lw_node_info {
  lw_node_kind kind;
  const char *name; ///< Borrowed from the tree.
  int parent;       ///< -1: it is the root.
  int end;          ///< Index after its last descendant.
  uint32_t leaf;    ///< lw_node_def.leaf.
  const char *key;  ///< Condition: the first key that it reads. Borrowed from the tree. NULL: none.
} lw_node_info;
/// @param node  Index of the node. [0..lw_tree_node_count() - 1]
/// @param[out] info  All zero on an error.
/// @return LW_OK; LW_NOT_FOUND: there is no such node; LW_INVALID: NULL.
LW_API lw_status lw_tree_get_node(const lw_tree *tree, int node, lw_node_info *info);
/// @return Whether a condition or utility of the tree reads that key.
LW_API bool lw_tree_reads(const lw_tree *tree, const char *key);
/// Write the path to a node, such as "wander > sequence > MoveTo". Nodes without a name have that of their kind
/// or of its function in Lua: "force_success", "repeated". Control characters and bytes that are not UTF-8 are
/// written as `\n` or `\x1B`; a name of more than 127 bytes is cut in its middle.
/// @param node  Index of the node. [0..lw_tree_node_count() - 1]
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text.
LW_API int lw_tree_node_path(const lw_tree *tree, int node, char *text, size_t size);

/// Find which nodes of two versions of a tree are the same: those with the same id, which is their kind, name,
/// place among siblings of that kind and name, and the id of their parent.
/// @param from  The older version. @param to  The newer one.
/// @param[out] nodes  [lw_tree_node_count(to)] By node of `to`: the same node of `from`. -1: there is none.
/// @return LW_OK; LW_INVALID: NULL; LW_OUT_OF_MEMORY.
LW_API lw_status lw_tree_match(const lw_tree *from, const lw_tree *to, int *nodes);

/* --- leaves --- */

/// Why a leaf is called.
typedef enum lw_leaf_event {
  LW_LEAF_START,   ///< Once, when it is entered; its answer counts like that of its first tick.
  LW_LEAF_TICK,    ///< While it is running.
  LW_LEAF_STOP,    ///< Once for every START, after the last tick, however it ends. The answer is ignored.
  LW_LEAF_TEST,    ///< Of a condition: LW_SUCCESS is true.
  LW_LEAF_SERVICE, ///< Of a service. The answer is ignored.
  LW_LEAF_SCORE,   ///< Of a child of a utility: `score` is to be set. The answer is ignored.
  LW_LEAF_SAVE,    ///< Of a leaf that runs and saves: see lw_leaf_call.data. It must change nothing.
  LW_LEAF_LOAD     ///< In place of START: see lw_leaf_call.data. LW_SUCCESS: it goes on; else it starts again.
} lw_leaf_event;

/// How a leaf ended.
typedef enum lw_leaf_end { LW_END_SUCCESS, LW_END_FAILURE, LW_END_ABORTED } lw_leaf_end;

/// One call of a leaf.
typedef struct lw_leaf_call {
  lw_leaf_event event; ///< Why it is called.
  uint32_t leaf;       ///< lw_node_def.leaf, or `score_leaf`.
  int node;            ///< Index of the node in its tree,
  const lw_tree *tree; ///< and that.
  lw_leaf_end end;     ///< For LW_LEAF_STOP: how it ended.
  /// Out, with LW_RUNNING: do not tick before this world time unless woken; INFINITY: sleep until
  /// lw_tree_run_wake(). Preset to now. [s]
  double wake;
  double score; ///< Out, for LW_LEAF_SCORE. Preset to 0; NaN: never.
  /// LW_LEAF_SAVE: out, with LW_SUCCESS, what it needs to go on, copied when the call returns. LW_LEAF_LOAD:
  /// that, borrowed for the call. NULL if `size` is 0.
  const void *data;
  size_t size;         ///< Of `data`. [bytes, 0..2^30, preset to 0]
  void *state;         ///< Of a native leaf with `state_size`: its own memory. Else NULL.
  const void *options; ///< lw_leaf_def.options.
  lw_world *world;     ///< lw_tree_host.world.
  lw_agent_id agent;   ///< lw_tree_host.agent.
} lw_leaf_call;

/// A leaf in C: a table of functions.
struct lw_leaf_def {
  /// Answers LW_LEAF_START, LW_LEAF_TICK and, of conditions and services, LW_LEAF_TEST and LW_LEAF_SERVICE.
  lw_node_status (*tick)(lw_leaf_call *call);
  void (*stop)(lw_leaf_call *call); ///< Answers LW_LEAF_STOP. NULL: nothing is to be done.
  size_t state_size;                ///< Bytes that each run has for this node; zero at START. [0..65536]
  const void *options;              ///< Handed to it. Borrowed while the tree lives.
  /// Answers LW_LEAF_SAVE. NULL: it starts again where a saved run goes on. With `load` only. [default NULL]
  lw_node_status (*save)(lw_leaf_call *call);
  lw_node_status (*load)(lw_leaf_call *call); ///< Answers LW_LEAF_LOAD: fills `state`, which is zero.
};

/// What a node does, or did last.
typedef enum lw_node_outcome {
  LW_NODE_IDLE,      ///< It has not run, as far as is known.
  LW_NODE_RUNNING,   ///< It or a descendant of it runs.
  LW_NODE_SUCCEEDED, ///< It succeeded; of a condition without a child: its test was true.
  LW_NODE_FAILED,    ///< It failed; of a condition: or its test was false.
  LW_NODE_ABORTED    ///< It ran, and was aborted.
} lw_node_outcome;
#define LW_NODE_OUTCOME_COUNT (LW_NODE_ABORTED + 1)
/// @return "idle", "running", "succeeded", "failed", "aborted"; "?" for none of them. Static.
LW_API const char *lw_node_outcome_name(lw_node_outcome outcome);

/// That something happened to a node of a run that is tracked.
typedef struct lw_node_event {
  int node; ///< Index of the node.
  /// LW_NODE_RUNNING: it runs on after it has begun. A leaf that ends at once, and ends as it did within the
  /// same second before, has no event; nor has another node that ends at once.
  lw_node_outcome outcome;
  /// LW_NODE_ABORTED: the condition, cooldown, utility, timeout or parallel that aborted it. -1: its host did.
  int by;
} lw_node_event;

/// The caller of a tree. It may differ from call to call.
typedef struct lw_tree_host {
  /// Runs a leaf. Not NULL if the tree has leaves, services, tests or scores that are not native.
  lw_node_status (*leaf)(void *user, lw_leaf_call *call);
  /// Draws a number, uniform in 0..1, 1 excluded. NULL: waits take wait_min.
  float (*random)(void *user);
  /// Reads a key. The value is borrowed until the next call. NULL: no key has a value.
  lw_value (*value)(void *user, const lw_key *key);
  /// Hears what happens to the nodes of a run that is tracked (lw_tree_run_track()). It does not change the run
  /// nor its world. [default NULL]
  void (*noted)(void *user, const lw_node_event *event);
  void *user;        ///< Handed to these functions.
  double now;        ///< World time (lw_world_time()), or the clock of the caller. [s]
  lw_world *world;   ///< For lw_leaf_call. [default NULL]
  lw_agent_id agent; ///< For lw_leaf_call. [default none]
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
/// Note that the value of a key has changed: conditions that read it react when the run next ticks, or in
/// lw_tree_run_react(). @return Whether some node of the tree reads the key.
LW_API bool lw_tree_run_notify(lw_tree_run *run, const char *key);
/// Let conditions react to changed keys, without ticking the leaves that run.
/// @return As lw_tree_run_tick().
LW_API lw_node_status lw_tree_run_react(lw_tree_run *run, const lw_tree_host *host);
/// Stop the running nodes (LW_LEAF_STOP with LW_END_ABORTED). A second call does nothing.
LW_API void lw_tree_run_abort(lw_tree_run *run, const lw_tree_host *host);
/// Let the leaves that run be ticked next whatever their timers say; waits go on.
LW_API void lw_tree_run_wake(lw_tree_run *run);
/// @return The world time at which the next tick has work; INFINITY: when woken; 0: at once. [s]
LW_API double lw_tree_run_wake_time(const lw_tree_run *run);
/// @return Whether the node or a descendant of it runs.
LW_API bool lw_tree_run_is_active(const lw_tree_run *run, int node);
/// Let a run remember from now on what each node did last, and notify its host of that; or no longer. It does
/// the same either way, and has the same hash.
/// @return LW_OK; LW_OUT_OF_MEMORY; LW_INVALID: NULL.
LW_API lw_status lw_tree_run_track(lw_tree_run *run, bool tracks);
/// What a node of a run did last.
typedef struct lw_node_state {
  lw_node_outcome outcome; ///< Of a run that is not tracked: LW_NODE_RUNNING or LW_NODE_IDLE.
  double since;            ///< World time when that began. NaN: it is not known, or the node is idle. [s]
} lw_node_state;
/// @param node  Index of the node. [0..lw_tree_node_count() - 1]
/// @param[out] state  Idle on an error.
/// @return LW_OK; LW_NOT_FOUND: its tree has no such node; LW_INVALID: NULL.
LW_API lw_status lw_tree_run_get_node(const lw_tree_run *run, int node, lw_node_state *state);
/// @return Index of the running leaf or wait, the first of several; -1: no node runs.
LW_API int lw_tree_run_current(const lw_tree_run *run);
/// @return A hash of the run's state: equal states have equal hashes.
LW_API uint64_t lw_tree_run_hash(const lw_tree_run *run);

#ifdef __cplusplus
}
#endif
#endif
