/// A compiled tree and how to find the way in it. No node keeps state: what runs is one leaf or wait, and
/// parents and spans say where to go from it. So neither a tick nor making a tree recurses, however deep.
#ifndef LW_BEHAVIOR_TREE_H
#define LW_BEHAVIOR_TREE_H

#include "core/memory.h"
#include "leeward/tree.h"

typedef struct lwi_tree_node {
  lw_node_kind kind;
  int parent;       ///< -1: the root.
  int end;          ///< Index after its last descendant: the next sibling, if the parent reaches so far.
  uint32_t leaf;    ///< Leaf: the caller's number.
  float wait_min;   ///< Wait. [s]
  float wait_max;   ///< Wait. [s]
  const char *name; ///< Within the tree's block, or static.
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

/// @return The leaf or wait that is entered first when `node` is.
int lwi_tree_first(const lw_tree *tree, int node);
/// @param status  How the leaf or wait `node` ended: LW_SUCCESS or LW_FAILURE.
/// @return The leaf or wait that comes next; -1: the root ends, with the same status.
int lwi_tree_next(const lw_tree *tree, int node, lw_node_status status);

#endif
