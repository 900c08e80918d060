/// A compiled behaviour tree: nodes in one block, shared by all runs. Neither creating nor ticking a tree
/// recurses, but for parallels within each other.
#ifndef LW_BEHAVIOR_TREE_H
#define LW_BEHAVIOR_TREE_H

#include "core/memory.h"
#include "leeward/tree.h"

#define LWI_TREE_NAME_MAX 63         ///< [bytes]
#define LWI_PARALLEL_DEPTH_MAX 32    ///< Of parallels within each other.
#define LWI_LEAF_STATE_MAX 65536     ///< [bytes]
#define LWI_LEAF_DATA_MAX (1u << 30) ///< Of what a leaf saves. [bytes]

/// What the definition of a node counts and measures.
typedef struct lwi_node_numbers {
  int count, failures;
  float seconds, wait_min, wait_max, hysteresis, weight;
} lwi_node_numbers;

/// What a leaf wants to be called for.
typedef struct lwi_leaf_wants {
  bool without_stop; ///< It has no use for LW_LEAF_STOP.
  bool saves;        ///< It answers LW_LEAF_SAVE and LW_LEAF_LOAD.
} lwi_leaf_wants;

/// Where a run goes from a node that has ended, past sequences, selectors and inverters.
typedef struct lwi_tree_jump {
  int node;              ///< With LW_RUNNING: it is entered.
  lw_node_status status; ///< Else: it has ended so, below a parent of another kind or none.
} lwi_tree_jump;

/// What follows for a node from where it lies in the tree.
typedef struct lwi_tree_routes {
  int entry; ///< It, or the first node below it that does more when it is entered than enter its first child.
  lwi_tree_jump ends[2]; ///< By LW_FAILURE and LW_SUCCESS: where a run goes from it then.
  int depth;             ///< How many parallels it is in.
  int top;               ///< The highest decorator above it below the next composite, or itself.
  int entrance; ///< Condition that takes over from later children of a selector: the child that it begins. -1.
  int wakes;    ///< Cooldown that keeps a condition from it: that one, which reacts when it ends. -1.
} lwi_tree_routes;

typedef struct lwi_tree_node {
  lw_node_kind kind;
  int parent; ///< -1: the root.
  int end;    ///< Index after its last descendant: its next sibling, unless the parent ends there.
  lwi_tree_routes routes;
  /// What runs by itself, of the root or a child of a parallel: the number of the branch that the node is in,
  /// in the order of their roots.
  int branch;
  int word;    ///< First of its words in a run; -1: it has none.
  int watched; ///< Of lw_tree.watched; -1: it is not in it.
  int child_count;
  lwi_node_numbers numbers;
  lw_node_status status;
  lw_test test;
  lw_abort abort;
  /// A condition without a child in a sequence, which aborts itself: it watches while later children run.
  bool guards;
  bool reactive;
  uint32_t leaf, score_leaf;
  lw_leaf_def native; ///< `tick` NULL: none.
  lw_value value;
  lwi_leaf_wants wants;
  lw_key first;            ///< Condition: of its first key.
  lw_key score;            ///< `name` NULL: it is called.
  const char *score_key;   ///< All of it.
  const char *const *keys; ///< [key_count] In the tree's block.
  int key_count;
  const char *name; ///< In the tree's block, or static.
} lwi_tree_node;

/// A key that a watched node reads.
typedef struct lwi_tree_key {
  uint64_t hash;
  const char *name;
  int watched; ///< Which.
} lwi_tree_key;

/// One block: this, the nodes, the lists, the names.
struct lw_tree {
  lwi_memory memory;
  size_t size;      ///< Of the block.
  const char *name; ///< For messages, also where the tree has none.
  bool is_named;    ///< lw_tree_def.name was given.
  lwi_tree_node *nodes;
  int node_count;
  int *watched; ///< [watched_count] Nodes that act by themselves: conditions that abort, utilities, timers.
  int watched_count;
  lwi_tree_key *keys; ///< [key_count] Sorted by hash.
  int key_count;
  int branch_count;
  int word_count;  ///< Of 8 bytes, that a run has.
  bool needs_host; ///< It calls lw_tree_host.leaf.
  bool has_timers; ///< Some of `watched` are timeouts, services, utilities or cooldowns.
  bool is_of_file; ///< It was read from a saved world: its leaves have no functions and no state.
};

/// Is it a composite?
bool lwi_node_is_composite(lw_node_kind kind);
/// Words of state that a run has for it.
int lwi_node_words(const lwi_tree_node *node);
/// Is it a decorator, with one child (a condition may have none)?
bool lwi_node_is_decorator(lw_node_kind kind);
/// The name of a node without one of its own: that of the function in Lua that makes such nodes.
const char *lwi_default_node_name(lw_node_kind kind, lw_node_status status);
/// Check a definition by itself, but not how its nodes hang together. @return LW_OK, or LW_INVALID.
lw_status lwi_tree_check(const lw_tree_def *def, lw_error *error);

/// The nodes on which it depends whether a condition takes over, in order: first its entrance, last what begins
/// behind the tests. A run goes the same way if no test is false. @return The next one; -1: there is none.
int lwi_tree_next_test(const lw_tree *tree, int node, int condition);

/// Hash of the name of a key.
uint64_t lwi_key_hash(const char *name);
/// Take a key apart.
lw_key lwi_key_read(const char *key);
/// The same, but the hash.
lw_key lwi_key_split(const char *key);
/// @return The first of the keys with that hash; NULL: there is none.
const lwi_tree_key *lwi_tree_find_key(const lw_tree *tree, uint64_t hash);

/// @return Bytes that a run holds; 0 for NULL.
size_t lwi_tree_run_memory(const lw_tree_run *run);
/// Is a leaf of it being called?
bool lwi_tree_run_is_calling(const lw_tree_run *run);
/// Does the tree read keys of teams or the world, or events?
bool lwi_tree_reads_shared(const lw_tree *tree);
/// Does the run have conditions that are to react?
bool lwi_tree_run_is_notified(const lw_tree_run *run);

#endif
