/// A compiled behaviour tree. Nodes keep no state: one leaf or wait runs, and parents and ends of nodes give
/// its successor. So neither creating nor ticking a tree recurses, however deep it is.
#ifndef LW_BEHAVIOR_TREE_H
#define LW_BEHAVIOR_TREE_H

#include "core/memory.h"
#include "leeward/tree.h"

#define LWI_TREE_NAME_MAX 63 ///< [bytes]

typedef struct lwi_tree_node {
  lw_node_kind kind;
  int parent;       ///< -1: the root.
  int end;          ///< Index after its last descendant: its next sibling, unless the parent ends there.
  uint32_t leaf;    ///< Leaf: the caller's number.
  float wait_min;   ///< Wait. [s]
  float wait_max;   ///< Wait. [s]
  const char *name; ///< In the tree's block, or static.
} lwi_tree_node;

/// One block: this, the nodes, the names.
struct lw_tree {
  lwi_memory memory;
  size_t size; ///< Of the block.
  const char *name;
  lwi_tree_node *nodes;
  int node_count;
  bool has_leaves;
};

/// @return The leaf or wait that is entered first when `node` is entered.
int lwi_tree_first(const lw_tree *tree, int node);
/// @param status  How the leaf or wait `node` ended: LW_SUCCESS or LW_FAILURE.
/// @return The leaf or wait to enter next; -1: the root ends with the same status.
int lwi_tree_next(const lw_tree *tree, int node, lw_node_status status);

/// @return Bytes that a run holds; 0 for NULL.
size_t lwi_tree_run_memory(const lw_tree_run *run);

#endif
