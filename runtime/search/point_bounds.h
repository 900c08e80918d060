/// Lower bounds on what is left of a path over points (point_search.h): by a table of its prices; without one
/// by a sweep from the goal backwards, which comes before the search; or else by length alone.
#ifndef LW_SEARCH_POINT_BOUNDS_H
#define LW_SEARCH_POINT_BOUNDS_H

#include "search/price_links.h"
#include "search/search.h"

/// What a node of a search over points takes, in nodes of a search at one price.
#define LWI_POINT_WORK 3

typedef struct lwi_point_bounds {
  lwi_search *search;
  const lwi_search_query *query;
  lwi_price_goal goal;    ///< By query->price_table, where there is one.
  lwi_point_sweep *sweep; ///< In its place; NULL: none.
  bool is_sweeping;       ///< It has not ended: there are no bounds yet.
  uint64_t work_before;   ///< search->spent when it began.
  float weight;           ///< Of bounds (weighted A*, Pohl 1970).
} lwi_point_bounds;

/// @param query  Borrowed. @return false: no memory.
bool lwi_point_bounds_begin(lwi_point_bounds *bounds, lwi_search *search, const lwi_search_query *query);
/// Go on with the sweep. @return LW_OK: it has ended; LW_UNFINISHED: it has paused (search->pause_at);
/// LW_OUT_OF_NODES; LW_OUT_OF_MEMORY.
lw_status lwi_point_bounds_go_on(lwi_point_bounds *bounds);

/// From a point of the graph of points, and from a place in a region. [metre-equivalents]
float lwi_point_bound_at(const lwi_point_bounds *bounds, uint32_t point);
float lwi_point_bound_in(const lwi_point_bounds *bounds, uint32_t region, lw_vec3 at);

#endif
