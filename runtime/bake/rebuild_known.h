/// What a rebuild knows already: polygons that are what they were, and see the same.
#ifndef LW_BAKE_REBUILD_KNOWN_H
#define LW_BAKE_REBUILD_KNOWN_H

#include "cover/changes.h"
#include "mesh/mesh.h"

/// Are two polygons the same, to the last bit? `same` is about their corners and areas; `as_high` about the surface over them.
bool lwi_rebuild_same(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q);
bool lwi_rebuild_as_high(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q);

/// @param reach  How far each polygon looks around. [m]
/// @param[out] known  [now->polygon_count] The polygon of `before` that is the same and sees the same; LWI_NONE: none.
/// @return false: no memory.
bool lwi_rebuild_known(const lw_navmesh *before, const lw_navmesh *now, const lwi_changes *changes, float reach,
                       lwi_memory *memory, uint32_t *known);

#endif
