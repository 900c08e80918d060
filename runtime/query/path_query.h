/// Finding paths in a world: moving both ends onto navmeshes, knowing what is connected, and putting searches
/// together.
#ifndef LW_QUERY_PATH_QUERY_H
#define LW_QUERY_PATH_QUERY_H

#include "query/blockers.h"
#include "query/workspace.h"
#include "search/explain.h"
#include "search/mend.h"

/// One path query that is being answered.
typedef struct lwi_path_run {
  const lwi_scene *scene;
  lw_workspace *workspace;
  const lw_path_query *query;
  const lwi_prices *prices; ///< That the search uses.
  /// For the cost of the path found: then neither threats nor timed regions count while it is searched. NULL:
  /// `prices`.
  const lwi_prices *final_prices;
  uint32_t spared; ///< As in lwi_sight: what this agent carries does not hide its paths.
  /// Without a place within query->snap the goal may be farther off by this much, in xz. [m]
  float goal_reach;
  bool is_reaching;                 ///< There is none: `goal_reach` counts.
  const lwi_blocker_list *blockers; ///< Agents that stand in the way. NULL: none.
  bool is_cold;   ///< Tables of its prices are not used: in a step it would take too long to compute them.
  bool is_sliced; ///< lwi_nav_search_so_far() may be asked for before it ends.
} lwi_path_run;

/// Half size of the box about query->to in which the path may end. [m]
static inline lw_vec3 lwi_path_run_goal_snap(const lwi_path_run *run) {
  const lw_vec3 snap = run->query->snap;
  const float more = run->is_reaching ? run->goal_reach : 0;
  return (lw_vec3){snap.x + more, snap.y, snap.z + more};
}

/// Both ends of a search on one navmesh.
typedef struct lwi_path_ends {
  lw_location from, to;
  uint32_t from_region, to_region; ///< LWI_NONE: too near to a wall for a way out of the polygon.
} lwi_path_ends;

/// @return LW_OK, or why the query is invalid.
lw_status lwi_path_query_check(const lwi_scene *scene, const lw_path_query *query);
/// A run by the query's own prices. @param workspace  Not NULL.
/// @param limits  Nothing else may be entered or taken. NULL: the profile's own limits alone.
lwi_path_run lwi_path_run_of(const lwi_scene *scene, lw_workspace *workspace, const lw_path_query *query,
                             const lw_filter *limits);
/// lw_path_find() of a query that was checked.
lw_status lwi_path_run_find(const lwi_path_run *run, lw_path **path);
/// The same from a place on a navmesh. Its agent stands there, so `query->from` is that place.
lw_status lwi_path_run_find_from(const lwi_path_run *run, const lwi_nav *nav, lw_location from, lw_path **path);

/// Can a path on that navmesh, which it may not leave, become cheaper by no more than changes to the ground?
/// Dangers, fire lanes and threats come and go.
bool lwi_path_run_is_steady(const lwi_path_run *run, const lwi_nav *nav);
/// Mend a path to `query->to` of which a part was cut away, from a place on that navmesh. Only for a run that
/// is steady.
/// @return LW_OK; any other status: search it again.
lw_status lwi_path_run_mend(const lwi_path_run *run, const lwi_nav *nav, lw_location from, const lwi_mend *mend,
                            lw_path **path);

/// Lead a path to its end from a place in its corridor, on the navmesh that it is on.
/// @param[in, out] run  As of lwi_path_run_reach_ends(). @return LW_OK; any other status: search it.
lw_status lwi_path_run_rejoin(lwi_path_run *run, const lwi_nav *nav, lw_location from, const lwi_mend *mend,
                              lw_path **path);

/// A search on one navmesh that was begun. It stays where it is.
typedef struct lwi_nav_search {
  const lwi_path_run *run;
  const lwi_nav *nav;
  lwi_watch watch;
  lwi_timed_costs timed[LWI_TIMED_KINDS], on_links[LWI_TIMED_KINDS];
  const lwi_timed_costs *blockers; ///< NULL: nobody stands in the way.
  bool pays_timed;                 ///< For some dangers or fire lanes, which go on changing.
  lwi_path_search search;
} lwi_nav_search;

/// Begin one search on one navmesh. This is where every search is put together.
/// @param run  Borrowed until the search has ended. @param reach  Of that navmesh, for the run's prices.
/// @param max_nodes  [>= 1]
/// @return As lwi_path_search_begin().
lw_status lwi_nav_search_begin(lwi_nav_search *search, const lwi_path_run *run, const lwi_nav *nav,
                               const lwi_reach *reach, const lwi_path_ends *ends, int max_nodes);
/// Search until the nav's search is to pause, or to the end. @return As lwi_path_search_go_on().
lw_status lwi_nav_search_go_on(lwi_nav_search *search, lw_path **path);
/// lwi_path_search_so_far().
lw_status lwi_nav_search_so_far(lwi_nav_search *search, lw_path **path);
/// All of it. @return As lwi_path_search_go_on(), but it does not pause.
lw_status lwi_path_run_search(const lwi_path_run *run, const lwi_nav *nav, const lwi_reach *reach,
                              const lwi_path_ends *ends, int max_nodes, lw_path **path);

/// Both ends of a path on one navmesh, of which one can be reached from the other.
typedef struct lwi_path_start {
  const lwi_nav *nav;
  const lwi_reach *reach; ///< Valid until the workspace's next query.
  lwi_path_ends ends;
  bool is_partial; ///< It ends at the reachable place nearest to the goal.
} lwi_path_start;

/// May the path lead over several navmeshes? Then it is only found whole.
bool lwi_path_run_may_cross(const lwi_path_run *run);
/// Find the navmesh at the query's start, and the place there. @return LW_OK, LW_NO_START.
lw_status lwi_path_run_place_start(const lwi_path_run *run, const lwi_nav **nav, lw_location *from);
/// Find both ends on one navmesh. @return LW_OK, LW_NO_START, LW_NO_GOAL, LW_NO_PATH, LW_OUT_OF_MEMORY.
lw_status lwi_path_run_find_ends(const lwi_path_run *run, const lwi_nav *nav, lw_location from,
                                 lwi_path_start *start);
/// The same, with a goal that may be as far off as `goal_reach` where none is within query->snap.
/// @param[in,out] run  `is_reaching` is set where that is so.
lw_status lwi_path_run_reach_ends(lwi_path_run *run, const lwi_nav *nav, lw_location from,
                                  lwi_path_start *start);

/// The dangers and lanes that off-mesh links may meet. @param[out] costs  What `found` points into.
/// @param[out] found  NULL: none.
void lwi_path_run_timed_links(const lwi_path_run *run, const lwi_nav *nav, lwi_nav_scratch *scratch,
                              lwi_timed_costs costs[LWI_TIMED_KINDS],
                              const lwi_timed_costs *found[LWI_TIMED_KINDS]);
/// What threats, dangers and lanes cost on a link between navmeshes.
/// @param exposed_to  [threats] As for lwi_cost_on_link(). @return false: no memory.
bool lwi_inter_link_extras(const lwi_path_run *run, const lwi_inter_link *link, const lwi_edge *edge,
                           float *exposed_to, lwi_piece_cost *extras);
/// As lwi_path_run_watch(), without estimates, for links between navmeshes.
void lwi_path_run_watch_plain(const lwi_path_run *run, const lwi_nav *nav, lwi_watch *watch);

/// The cheapest path that may lead over several navmeshes; only where links join them.
lw_status lwi_inter_path_find(const lwi_path_run *run, const lwi_nav *nav, lw_location from, lw_path **path);
/// Is there such a path? @return As lw_path_exists().
lw_status lwi_inter_path_exists(const lwi_path_run *run, const lwi_nav *nav, lw_location from, bool *exists);

/// What threats see of paths on a navmesh, and what that costs, for the run's query. Valid until the
/// workspace's next query.
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_path_run_watch(const lwi_path_run *run, const lwi_nav *nav, lwi_nav_scratch *scratch,
                             lwi_watch *watch);

/// lw_exposure_find() of a query that is not checked yet. @param spared  As in lwi_sight.
lw_status lwi_exposure_of(lw_workspace *own, const lw_exposure_query *query, uint32_t spared,
                          lw_exposure *exposure);
/// lw_world_sees(). @param spared  As in lwi_sight.
bool lwi_scene_sees(const lwi_scene *scene, lw_vec3 eye, lw_vec3 target, bool shots, uint32_t spared);

/// How a path is explained beside the shortest one, searched in the world as it is now.
typedef struct lwi_explain_query {
  const lw_path_query *query; ///< As the path was searched. NULL: no comparison.
  const lw_filter *limits;    ///< As of lwi_path_run_of().
  const lw_location *lead;    ///< Where the path was led in from (lwi_path_lead_in()), or NULL.
} lwi_explain_query;

/// @param scene  NULL: no comparison, and no workspace is needed. @return As lw_path_explain().
lw_status lwi_path_explain(const lw_path *path, const lwi_scene *scene, lw_workspace *workspace,
                           const lwi_explain_query *asked, lw_explanation **explanation);

#endif
