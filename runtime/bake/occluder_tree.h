/// Building the BVH over occluders.
#ifndef LW_BAKE_OCCLUDER_TREE_H
#define LW_BAKE_OCCLUDER_TREE_H

#include "bake/facets.h"

/// Build the BVH. @param[out] occluders  Free them with lwi_occluders_free(). @return LW_OK; LW_OUT_OF_MEMORY;
/// LW_LIMIT: too many blocks.
lw_status lwi_occluders_build(const lwi_occluder_source *source, lwi_memory *memory, lwi_occluders *occluders);

#endif
