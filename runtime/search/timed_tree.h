/// A tree of boxes in xz about the timed regions of one kind: which of them lie on a line or near a place,
/// without looking at the others. Regions come and go in logarithmic time.
#ifndef LW_SEARCH_TIMED_TREE_H
#define LW_SEARCH_TIMED_TREE_H

#include "core/memory.h"
#include "cost/timed_region.h"

/// A rectangle in xz. [m]
typedef struct lwi_rectangle {
  float min_x, min_z, max_x, max_z;
} lwi_rectangle;
/// Holds the region, and a little more than rounding can add.
lwi_rectangle lwi_timed_rectangle(const lwi_timed_shape *region);

typedef struct lwi_timed_tree_node {
  lwi_rectangle box;
  uint32_t parent;      ///< 0: it is the root. Of a free node: the next free one.
  uint32_t children[2]; ///< Both 0: a leaf.
  uint32_t region;      ///< Of a leaf.
  int height;           ///< Of a leaf 0.
} lwi_timed_tree_node;

/// A binary tree whose halves differ in height by one at most (AVL: Adelson-Velsky and Landis 1962). Begin with
/// zeros. Its shape depends on what came and went before; what it finds does not, but for the order.
typedef struct lwi_timed_tree {
  lwi_timed_tree_node *nodes; ///< [node_count] The first one is not used: 0 is no node.
  int node_count, node_capacity;
  uint32_t root, free;
  uint32_t *leaves; ///< By region.
  int leaf_capacity;
} lwi_timed_tree;

/// @param region  Its number; it is not in the tree. @return false: no memory, the tree is as it was.
bool lwi_timed_tree_add(lwi_timed_tree *tree, lwi_memory *memory, uint32_t region, lwi_rectangle box);
/// @param region  In the tree.
void lwi_timed_tree_remove(lwi_timed_tree *tree, uint32_t region);
/// Take all regions out; the memory is kept.
void lwi_timed_tree_clear(lwi_timed_tree *tree);
void lwi_timed_tree_free(lwi_timed_tree *tree, lwi_memory *memory);
/// @return What is wrong with the tree, for tests; NULL: nothing.
const char *lwi_timed_tree_validate(const lwi_timed_tree *tree);

/// The tree is no higher: 1.44 times the logarithm of the number of regions.
#define LWI_TIMED_TREE_HEIGHT 48

/// A walk over the regions whose boxes a line or a rectangle meets, and that lie no further than `limit` from
/// where the line begins. What is nearer comes earlier, roughly.
typedef struct lwi_timed_walk {
  const lwi_timed_tree *tree;
  lwi_rectangle box;
  bool is_line;
  double x, z, dx, dz; ///< Where the line begins, and from there to its end; or the place.
  float limit;         ///< The caller may lower it on the way. [m]
  int nodes;           ///< Looked at so far.
  int depth;
  uint32_t stack[LWI_TIMED_TREE_HEIGHT + 2]; ///< [depth]
} lwi_timed_walk;
lwi_timed_walk lwi_timed_walk_line(const lwi_timed_tree *tree, lw_vec3 from, lw_vec3 to);
lwi_timed_walk lwi_timed_walk_box(const lwi_timed_tree *tree, lwi_rectangle box);
/// All regions, by their distance from a place.
lwi_timed_walk lwi_timed_walk_near(const lwi_timed_tree *tree, lw_vec3 at);
/// @return The next region; LWI_NONE: there is none left.
uint32_t lwi_timed_walk_next(lwi_timed_walk *walk);

#endif
