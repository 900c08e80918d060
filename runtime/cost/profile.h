/// A profile compiled: what a search needs of it, by area.
#ifndef LW_COST_PROFILE_H
#define LW_COST_PROFILE_H

#include "leeward/profile.h"
#include "core/memory.h"
#include "cost/terms.h"
#include "mesh/mesh.h"

/// Prices by area, what A* and the path's account read.
typedef struct lwi_prices {
  float per_metre[LW_AREA_MAX + 1]; ///< [>= 1] INFINITY where the agent may not go.
  lw_filter filter;                 ///< Where per_metre is finite.
  float lowest;                     ///< Of all that may be entered. [>= 1]
  const lwi_terms *terms; ///< [LW_AREA_MAX + 1] That per_metre is the sum of; NULL: of the length alone.
} lwi_prices;

struct lw_profile {
  lwi_memory memory;
  lw_profile_def def;
  char name[64];
  lwi_prices prices;
  lwi_terms terms[LW_AREA_MAX + 1];    ///< Of a metre on each area.
  float speed_factor[LW_AREA_MAX + 1]; ///< Of the area, on the agent's speed. [> 0]
};

/// @return What a metre on that polygon costs; infinity: not to be entered. [metre-equivalents]
static inline float lwi_price_on(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  return prices->per_metre[mesh->poly_areas[polygon]];
}
/// The same of a room.
static inline float lwi_price_in(const lwi_prices *prices, const lwi_graph *graph, uint32_t room) {
  return lwi_price_on(prices, graph->mesh, lwi_room_polygon(graph, room));
}

/// Prices of one who cares for length alone and may go anywhere.
void lwi_prices_plain(lwi_prices *prices);

#endif
