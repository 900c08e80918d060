/// Of many fire lanes in one polygon those that matter to one who stands there: what a way through all of them costs is dear
/// to ask, and to turn at one that is far away something nearer is passed first.
#ifndef LW_SEARCH_NEAR_LANES_H
#define LW_SEARCH_NEAR_LANES_H

#include "search/rings.h"

/// Rings of lanes to turn at, at most.
#define LWI_NEAR_LANES 8
/// Lanes that ways to these may lead through, at most.
#define LWI_CROSSED_LANES 256

typedef struct lwi_near_lanes {
  int count;
  uint32_t rings[LWI_NEAR_LANES];
  float away[LWI_NEAR_LANES]; ///< From the place. [m]
  lwi_lanes crossed;          ///< Of all lanes only those that straight ways to their places may lead through.
  uint32_t numbers[LWI_CROSSED_LANES]; ///< Theirs.
} lwi_near_lanes;

/// The nearest of all in the polygon to one who stands at a place. @return How many there are.
int lwi_near_lanes_find(lwi_near_lanes *near, const lwi_lanes *lanes, uint32_t polygon, lw_vec3 from);
/// @return What to charge ways from the place to theirs by: `crossed`, or `lanes` where there are too many.
const lwi_lanes *lwi_near_lanes_crossed(lwi_near_lanes *near, const lwi_lanes *lanes, uint32_t polygon,
                                        lw_vec3 from);

#endif
