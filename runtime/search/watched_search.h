/// Search for the path that is cheapest by estimates of what threats see.
#ifndef LW_SEARCH_WATCHED_SEARCH_H
#define LW_SEARCH_WATCHED_SEARCH_H

#include "search/search.h"

/// Whether it serves: there are estimates, and nothing else varies within polygons.
static inline bool lwi_watched_search_serves(const lwi_search_query *query) {
  const lwi_cost_model *cost_model = &query->cost_model;
  return lwi_cost_has_estimate(cost_model) && !query->clearance && !cost_model->dangers && !cost_model->lanes;
}
/// Free what searches keep.
void lwi_watched_search_free(lwi_watched_graph *watched);
/// Leave the steps of a path in search->corridor, as lwi_search_run() does. Paths that cost query->cost_limit
/// are not searched for.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY; LW_UNFINISHED: it has paused.
lw_status lwi_watched_search_run(lwi_search *search, const lwi_search_query *query);
/// Go on with a search that has paused. @return As lwi_watched_search_run().
lw_status lwi_watched_search_go_on(lwi_search *search);

#endif
