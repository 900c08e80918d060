/// A walk over the facets of a BVH that lie in some boxes.
#ifndef LW_SIGHT_OCCLUDER_WALK_H
#define LW_SIGHT_OCCLUDER_WALK_H

#include "sight/occluder.h"

/// Whether a walk over facets looks into a box. [m]
typedef bool lwi_occluder_filter(const void *user, const lw_box *box);
/// The facets of a BVH's leaves in some boxes. Begin with `occluders`, `filter` and `user`.
typedef struct lwi_occluder_walk {
  const lwi_occluders *occluders;
  lwi_occluder_filter *filter; ///< Of nodes and leaves, whose boxes may be a little larger than their facets.
  const void *user;
  bool is_open;
  int depth;
  uint32_t stack[LWI_OCCLUDER_STACK];
  lwi_occluder_cursor at;
} lwi_occluder_walk;
/// The next facet, in the order of the leaves.
/// @param[out] cursor  Where it is. @return false: there are no more.
bool lwi_occluder_walk_next(lwi_occluder_walk *walk, lwi_occluder_cursor *cursor, lwi_occluder_facet *facet);
/// A box in quanta, from the origin of the occluders.
typedef struct lwi_occluder_lattice_box {
  int32_t min[3], max[3];
} lwi_occluder_lattice_box;
lwi_occluder_lattice_box lwi_occluder_child_lattice(const lwi_occluder_node *node, int child);
/// Which box a child of a node has. [m]
lw_box lwi_occluder_child_box(const lwi_occluders *occluders, const lwi_occluder_node *node, int child);

#endif
