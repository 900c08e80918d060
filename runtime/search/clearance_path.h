/// Paths for agents larger than the mesh was baked for. The taut path through a corridor is clear of walls at
/// every portal of the clearance graph; between two portals it may still cut a corner. There the polygon is cut
/// in two, and the clear part of the cut is one more portal, until the agent's disc, swept along the path,
/// touches no wall. A piece that cuts do not clear is led round the walls (clearance_route.h). Where costs vary
/// within polygons, the path as searched is cleared in the same manner, and the cheaper of the two is taken.
#ifndef LW_SEARCH_CLEARANCE_PATH_H
#define LW_SEARCH_CLEARANCE_PATH_H

#include "mesh/clearance.h"
#include "search/clearance_cut.h"
#include "search/clearance_route.h"
#include "search/search.h"
#include "search/taut_path.h"

/// A portal of a corridor, or a cut between two.
typedef struct lwi_clearance_portal {
  lwi_portal_ends clear; ///< Its part that is clear of walls.
  lwi_portal_ends whole; ///< From outline to outline.
  lw_vec3 crossing;      ///< Where the search crossed it, or a guess; in the end, where the path does.
  uint32_t polygon;      ///< Behind it.
} lwi_clearance_portal;

/// Scratch, kept from path to path, with the results of lwi_clearance_widen().
typedef struct lwi_clearance_scratch {
  lwi_memory *memory;
  /// [portal_count] Of all sections of the corridor from link to link, one after the other.
  lwi_clearance_portal *portals;
  int *counts; ///< [section_count] Portals of each.
  int portal_count, section_count;

  int portal_capacity, count_capacity;
  lwi_clearance_portal *before, *after; ///< The section so far, and with more cuts.
  int before_capacity, after_capacity;
  void *taut; ///< Arrays for lwi_taut_path().
  size_t taut_size;
  lwi_cut_scratch cut;
  lwi_route_scratch route;
} lwi_clearance_scratch;

void lwi_clearance_scratch_free(lwi_clearance_scratch *scratch);

/// Make the path along search->corridor clear of walls. @return false: no memory.
bool lwi_clearance_widen(const lwi_search *search, const lwi_search_query *query,
                         lwi_clearance_scratch *scratch);

/// The cost of the path that lwi_clearance_widen() left, by query->cost_model. @return Negative: no memory.
float lwi_clearance_path_cost(const lwi_search *search, const lwi_search_query *query,
                              const lwi_clearance_scratch *scratch);

#endif
