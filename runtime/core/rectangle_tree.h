/// A tree of rectangles in xz about numbered items: which of them lie on a line, in a triangle or near a place,
/// without looking at the others. Items come and go in logarithmic time.
#ifndef LW_CORE_RECTANGLE_TREE_H
#define LW_CORE_RECTANGLE_TREE_H

#include "core/memory.h"
#include "core/vec3.h"

/// A rectangle in xz. [m]
typedef struct lwi_rectangle {
  float min_x, min_z, max_x, max_z;
} lwi_rectangle;
/// Rectangles that hold things exactly are larger than these by that much, against rounding [m], and by this
/// part of sizes and coordinates.
#define LWI_RECTANGLE_MARGIN 1e-3f
#define LWI_RECTANGLE_MARGIN_PART 1e-6f

typedef struct lwi_rectangle_tree_node {
  lwi_rectangle box;
  uint32_t parent;      ///< 0: it is the root. Of a free node: the next free one.
  uint32_t children[2]; ///< Both 0: a leaf.
  uint32_t item;        ///< Of a leaf.
  int height;           ///< Of a leaf 0.
} lwi_rectangle_tree_node;

/// A binary tree whose halves differ in height by one at most (AVL: Adelson-Velsky and Landis 1962). Begin with
/// zeros. Its shape depends on what came and went before; what it finds does not, but for the order.
typedef struct lwi_rectangle_tree {
  lwi_rectangle_tree_node *nodes; ///< [node_count] The first one is not used: 0 is no node.
  int node_count, node_capacity;
  uint32_t root, free;
  uint32_t *leaves; ///< By item.
  int leaf_capacity;
} lwi_rectangle_tree;

/// @param item  Its number; it is not in the tree. @return false: no memory, the tree is as it was.
bool lwi_rectangle_tree_add(lwi_rectangle_tree *tree, lwi_memory *memory, uint32_t item, lwi_rectangle box);
/// @param item  In the tree.
void lwi_rectangle_tree_remove(lwi_rectangle_tree *tree, uint32_t item);
/// Take all items out; the memory is kept.
void lwi_rectangle_tree_clear(lwi_rectangle_tree *tree);
void lwi_rectangle_tree_free(lwi_rectangle_tree *tree, lwi_memory *memory);
/// @return What is wrong with the tree, for tests; NULL: nothing.
const char *lwi_rectangle_tree_validate(const lwi_rectangle_tree *tree);

/// The tree is no higher: 1.44 times the logarithm of the number of items.
#define LWI_RECTANGLE_TREE_HEIGHT 48

/// A line on which the widths of a triangle and of a rectangle are compared.
typedef struct lwi_rectangle_axis {
  double x, z, low, high; ///< From where the walk begins.
} lwi_rectangle_axis;

/// A walk over the items whose rectangles a line, a triangle or a rectangle meets, and that lie no further than
/// `limit` from where the line begins. What is nearer comes earlier, roughly.
typedef struct lwi_rectangle_walk {
  const lwi_rectangle_tree *tree;
  lwi_rectangle box;
  int axis_count;
  lwi_rectangle_axis axes[3]; ///< [axis_count] Of a line one, of a triangle three.
  double x, z;                ///< Where the line or the triangle begins; or the place.
  float limit;                ///< The caller may lower it on the way. [m]
  int nodes;                  ///< Looked at so far.
  int depth;
  uint32_t stack[LWI_RECTANGLE_TREE_HEIGHT + 2]; ///< [depth]
} lwi_rectangle_walk;
lwi_rectangle_walk lwi_rectangle_walk_line(const lwi_rectangle_tree *tree, lw_vec3 from, lw_vec3 to);
lwi_rectangle_walk lwi_rectangle_walk_box(const lwi_rectangle_tree *tree, lwi_rectangle box);
/// The triangle may be a line, or a point. @param corners  [3]
lwi_rectangle_walk lwi_rectangle_walk_triangle(const lwi_rectangle_tree *tree, const lw_vec3 *corners);
/// All items, by their distance from a place.
lwi_rectangle_walk lwi_rectangle_walk_near(const lwi_rectangle_tree *tree, lw_vec3 at);
/// @return The next item; UINT32_MAX: there is none left.
uint32_t lwi_rectangle_walk_next(lwi_rectangle_walk *walk);

/// Does any rectangle in the tree meet this one? At most false positives: only the outermost is looked at.
static inline bool lwi_rectangle_tree_may_meet(const lwi_rectangle_tree *tree, const lwi_rectangle *box) {
  if (tree->root == 0) return false;
  const lwi_rectangle *all = &tree->nodes[tree->root].box;
  return all->min_x <= box->max_x && all->max_x >= box->min_x && all->min_z <= box->max_z &&
         all->max_z >= box->min_z;
}

#endif
