/// Which polygons agents with one filter can walk between: labelled once a filter, then asked in O(1).
#ifndef LW_SEARCH_COMPONENTS_H
#define LW_SEARCH_COMPONENTS_H

#include "mesh/mesh.h"

#define LWI_COMPONENTS_KEPT 8

typedef struct lwi_component_set {
  lw_filter filter;
  uint32_t *labels; ///< [polygon_count] LWI_NONE where the filter does not pass. NULL: free.
  uint64_t used;    ///< When it was last asked for.
} lwi_component_set;

/// The labels of the filters asked for most lately.
typedef struct lwi_components {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  lwi_component_set sets[LWI_COMPONENTS_KEPT];
  uint64_t clock;
} lwi_components;

void lwi_components_init(lwi_components *components, lwi_memory *memory, const lw_navmesh *mesh);
void lwi_components_free(lwi_components *components);
/// @return [polygon_count] labels, valid until the next call; NULL: no memory.
const uint32_t *lwi_components_get(lwi_components *components, const lw_filter *filter);

#endif
