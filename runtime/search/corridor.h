/// The steps of a found path over the nodes of the search graph, before it is laid out as points.
#ifndef LW_SEARCH_CORRIDOR_H
#define LW_SEARCH_CORRIDOR_H

#include "core/memory.h"
#include "mesh/mesh.h"

/// Node of a step to a point inside a region, which is no node of the graph.
#define LWI_NODE_INNER (LWI_NONE - 1)

/// A step of a corridor: over a portal or a link, to a turning point, or to a point inside the region.
typedef struct lwi_step {
  uint32_t node, region; ///< The node, and the region that it leads into.
  lw_vec3 point;         ///< Where the portal is crossed, or the link ends.
} lwi_step;

typedef struct lwi_corridor {
  lwi_step *steps; ///< [count] From start to goal.
  int count, capacity;
} lwi_corridor;
/// Make `to` a copy. @return false: no memory.
bool lwi_corridor_copy(lwi_corridor *to, const lwi_corridor *from, lwi_memory *memory);
void lwi_corridor_free(lwi_corridor *corridor, lwi_memory *memory);

#endif
