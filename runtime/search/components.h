/// What agents with one filter can reach from where: found once a filter, then asked in O(1).
#ifndef LW_SEARCH_COMPONENTS_H
#define LW_SEARCH_COMPONENTS_H

#include "search/reach.h"

#define LWI_COMPONENTS_KEPT 8

typedef struct lwi_component_set {
  lw_filter filter;
  lwi_reach reach; ///< Labels NULL: free.
  uint64_t used;   ///< When it was last asked for.
} lwi_component_set;

/// The answers for the filters asked for most lately.
typedef struct lwi_components {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  lwi_component_set sets[LWI_COMPONENTS_KEPT];
  uint64_t clock;
  lwi_region_room region; ///< Room to find large agents' places in.
} lwi_components;

void lwi_components_init(lwi_components *components, lwi_memory *memory, const lw_navmesh *mesh);
void lwi_components_free(lwi_components *components);
/// @return Valid until the next call; NULL: no memory.
const lwi_reach *lwi_components_get(lwi_components *components, const lw_filter *filter);

#endif
