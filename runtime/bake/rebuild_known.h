/// What a rebuild may keep: occluders that changed between two navmeshes, and polygons that did not and are too
/// far from changed occluders to see a difference.
#ifndef LW_BAKE_REBUILD_KNOWN_H
#define LW_BAKE_REBUILD_KNOWN_H

#include "core/memory.h"
#include "mesh/mesh.h"
#include "sight/occluder.h"

/// A facet that only one of two navmeshes has.
typedef struct lwi_changed_facet {
  lwi_occluder_facet facet;
  bool is_new; ///< The later one has it.
} lwi_changed_facet;

/// Changed occluders. Begin with zeros and `memory`.
typedef struct lwi_changes {
  lwi_memory *memory;
  bool all; ///< The two cannot be compared: anything may have changed.
  int count, capacity;
  lw_box *boxes;     ///< [count] Bounds of facets that only one of the two has. [m]
  bool keeps_facets; ///< List these facets, too.
  int facet_count, facet_capacity;
  lwi_changed_facet *facets; ///< [facet_count]
} lwi_changes;

/// Compare facet by facet, however the BVHs group them. @return false: out of memory.
bool lwi_changes_find(lwi_changes *changes, const lwi_occluders *before, const lwi_occluders *now);
/// Did an occluder change within `reach` of the box? [m]
bool lwi_changes_near(const lwi_changes *changes, const lw_box *box, float reach);
void lwi_changes_free(lwi_changes *changes);

/// Are the corners and areas of two polygons equal, to the bit?
bool lwi_rebuild_same(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q);
/// Are their surfaces (detail heights) equal, to the bit?
bool lwi_rebuild_as_high(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q);

/// Find the polygons whose surroundings are unchanged. @param reach  How far openness looks. [m]
/// @param[out] known  [now->polygon_count] The equal polygon of `before`; LWI_NONE: none, or an occluder
/// changed near it.
/// @return false: out of memory.
bool lwi_rebuild_known(const lw_navmesh *before, const lw_navmesh *now, const lwi_changes *changes, float reach,
                       lwi_memory *memory, uint32_t *known);

#endif
