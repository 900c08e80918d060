/// Occluders of which some facets are taken away and others added: the BVH is copied and changed there,
/// in place of building it again over all facets.
#ifndef LW_BAKE_OCCLUDER_PATCH_H
#define LW_BAKE_OCCLUDER_PATCH_H

#include "sight/occluder_walk.h"

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

#endif
