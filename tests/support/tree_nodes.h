/* Short constructors of tree nodes. */
#ifndef SUPPORT_TREE_NODES_H
#define SUPPORT_TREE_NODES_H

#include "leeward/tree.h"

static inline lw_node_def leaf_node(unsigned leaf) {
  return (lw_node_def){.kind = LW_LEAF, .leaf = leaf};
}
static inline lw_node_def wait_node(float min, float max) {
  return (lw_node_def){.kind = LW_WAIT, .wait_min = min, .wait_max = max};
}
static inline lw_node_def sequence_node(int children) {
  return (lw_node_def){.kind = LW_SEQUENCE, .child_count = children};
}
static inline lw_node_def selector_node(int children) {
  return (lw_node_def){.kind = LW_SELECTOR, .child_count = children};
}

#endif
