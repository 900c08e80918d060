/// The search for a path on one navmesh: where every caller enters. It consists of passes, each one search or
/// refinement and what is made of its corridor; between two nodes of a pass it may pause.
#ifndef LW_SEARCH_PATH_SEARCH_H
#define LW_SEARCH_PATH_SEARCH_H

#include "search/path_build.h"

/// The search of a pass.
typedef enum lwi_pass_search {
  LWI_BY_INTERVALS,
  LWI_BY_TAUT,
  LWI_BY_NODES,
  LWI_BY_POINTS,
  LWI_BY_ESTIMATES,
  LWI_BY_REFINEMENT,
  LWI_BY_CORRIDOR ///< That is known already.
} lwi_pass_search;

/// A path search that was begun. It stays where it is: it points into itself.
typedef struct lwi_path_search {
  lwi_search *search;
  lwi_path_scratch *scratch;
  const lw_allocator *allocator;
  lwi_search_query asked;     ///< What is searched for.
  lwi_cost_model final_model; ///< Of the path, where it is searched by other prices.
  lwi_search_query query;     ///< Of the pass that runs.
  int pass;                   ///< Which.
  lwi_pass_search by;
  bool is_running;   ///< The search of the pass has paused.
  bool has_corridor; ///< The first pass takes the corridor, graph and flags that `search` has.
  float bound;       ///< Of that: no path costs less. [metre-equivalents]
  bool is_far;       ///< The path along it costs more than a little beyond that bound: it is searched, too.
  bool is_trial;     ///< `asked` says that all metres cost the same, until a path meets one that costs more.
  lw_path *path;     ///< The cheapest so far. Owned; NULL: none.
  int expanded;      ///< Nodes, by all passes of a watched search.
  uint64_t pieces;   ///< lwi_cost_pieces() before the pass.
} lwi_path_search;

/// Begin to search for a path. It searches nothing yet.
/// @param search  Grows to what query->graph needs. @param scratch  Likewise. Neither may serve anything else
///   until the search has ended.
/// @param query  With `cost_model`, and `search_prices` or NULL; `final_model` is set here. What it points to
///   stays until the search has ended.
/// @return LW_OK; LW_OUT_OF_MEMORY: there is nothing to cancel.
lw_status lwi_path_search_begin(lwi_path_search *run, lwi_search *search, const lwi_search_query *query,
                                lwi_path_scratch *scratch, const lw_allocator *allocator);
/// Does the search go by the lengths of corridors alone, so that one found otherwise may take its place?
bool lwi_path_search_takes_corridor(const lwi_path_search *run);
/// Search until search->pause_at, and build the path along the corridor that was found. With query->clearance
/// it is led clear of the walls: where the graph of the clearance connects both ends, there is a path.
/// @param[out] path  Owned by the caller; NULL but on LW_OK. Its `navmesh` and `partial` are for the caller to
///   set. Its `nodes` are those of all searches, which together expand at most query->max_nodes.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY; LW_UNFINISHED: it has paused.
lw_status lwi_path_search_go_on(lwi_path_search *run, lw_path **path);
/// Of a search that has paused: the path to the place nearest to the goal that it has come to so far, or the
/// best path to the goal so far. The search may go on.
/// @param[out] path  As of lwi_path_search_go_on().
/// @return LW_OK; LW_NO_PATH: there is none yet, or threats or walls may speak against walking it;
///   LW_OUT_OF_MEMORY.
lw_status lwi_path_search_so_far(lwi_path_search *run, lw_path **path);
/// Give up a search that has paused.
void lwi_path_search_cancel(lwi_path_search *run);

#endif
