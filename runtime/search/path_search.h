/// The search for a path on one navmesh: where every caller enters.
#ifndef LW_SEARCH_PATH_SEARCH_H
#define LW_SEARCH_PATH_SEARCH_H

#include "search/path_build.h"

/// Search, and build the path along the corridor that was found. With query->clearance it is led clear of the
/// walls: where the graph of the clearance connects both ends, there is a path.
/// @param search  Grows to what query->graph needs. @param scratch  Likewise. Neither may serve two calls at
///   once.
/// @param query  With `cost_model`, and `search_prices` or NULL; `final_model` is set here.
/// @param[out] path  Owned by the caller; NULL but on LW_OK. Its `navmesh` and `partial` are for the caller to
///   set.
///   Its `nodes` are those of all searches, which together expand at most query->max_nodes.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY.
lw_status lwi_path_search(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                          const lw_allocator *allocator, lw_path **path);

#endif
