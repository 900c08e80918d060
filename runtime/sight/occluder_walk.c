#include "sight/occluder_walk.h"

lwi_occluder_lattice_box lwi_occluder_child_lattice(const lwi_occluder_node *node, int child) {
  lwi_occluder_lattice_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = node->origin[axis] + node->min[axis][child] * node->step[axis];
    box.max[axis] = node->origin[axis] + node->max[axis][child] * node->step[axis];
  }
  return box;
}

lw_box lwi_occluder_child_box(const lwi_occluders *occluders, const lwi_occluder_node *node, int child) {
  const lwi_occluder_lattice_box box = lwi_occluder_child_lattice(node, child);
  const double quantum = (double)occluders->quantum;
  const lw_vec3 low = {(float)(box.min[0] * quantum), (float)(box.min[1] * quantum),
                       (float)(box.min[2] * quantum)},
                high = {(float)(box.max[0] * quantum), (float)(box.max[1] * quantum),
                        (float)(box.max[2] * quantum)};
  return (lw_box){lwi_add(low, occluders->origin), lwi_add(high, occluders->origin)};
}

/* Open the next leaf that the filter takes. @return false: there is none. */
static bool open_leaf(lwi_occluder_walk *walk) {
  const lwi_occluders *of = walk->occluders;
  if (of->node_count == 0) return walk->at.leaf < of->leaf_count;
  while (walk->depth > 0) {
    const uint32_t at = walk->stack[--walk->depth];
    if (at & LWI_OCCLUDER_BVH_LEAF) {
      walk->at = (lwi_occluder_cursor){at & ~LWI_OCCLUDER_BVH_LEAF, 0};
      return true;
    }
    const lwi_occluder_node *node = &of->nodes[at];
    for (int i = 4; i-- > 0;) { /* the first child is on top */
      if (node->children[i] == LWI_OCCLUDER_NONE) continue;
      const lw_box box = lwi_occluder_child_box(of, node, i);
      if (walk->filter(walk->user, &box)) walk->stack[walk->depth++] = node->children[i];
    }
  }
  return false;
}

bool lwi_occluder_walk_next(lwi_occluder_walk *walk, lwi_occluder_cursor *cursor, lwi_occluder_facet *facet) {
  if (!walk->is_open) {
    walk->is_open = true;
    walk->at = (lwi_occluder_cursor){0, 0};
    walk->depth = walk->occluders->node_count > 0;
    walk->stack[0] = 0;
    if (!open_leaf(walk)) return false;
  }
  const uint32_t leaf = walk->at.leaf;
  *cursor = walk->at;
  if (!lwi_occluders_next(walk->occluders, &walk->at, facet)) return false;
  if (walk->at.leaf != leaf && !open_leaf(walk)) walk->at.leaf = walk->occluders->leaf_count;
  return true;
}
