/// Occluders of which some facets are taken away and others added: the BVH is copied and changed there,
/// in place of building it again over all facets.
#ifndef LW_BAKE_OCCLUDER_PATCH_H
#define LW_BAKE_OCCLUDER_PATCH_H

#include "sight/occluder.h"

/// What changes.
typedef struct lwi_occluder_patch {
  const lwi_occluders *base;       ///< With nodes, or empty.
  const lwi_occluder_cursor *gone; ///< [gone_count] Its facets that go, in their order.
  int gone_count;
  const lwi_occluders *added; ///< On the same lattice. May be empty.
} lwi_occluder_patch;

/// @param[out] result  The caller frees it.
/// @return LW_OK; LW_LIMIT: it is better to build the BVH again, or the patched one would be too large;
///   LW_OUT_OF_MEMORY.
lw_status lwi_occluders_patch(const lwi_occluder_patch *patch, lwi_memory *memory, lwi_occluders *result);

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
/// Which box a child of a node has. [m]
lw_box lwi_occluder_child_box(const lwi_occluders *occluders, const lwi_occluder_node *node, int child);

#endif
