#include "search/path_search.h"
#include "search/link_cost.h"

#include "search/corner_flips.h"
#include "search/watched_search.h"

/* --- a corridor clear of walls ----------------------------------------------------------------------- */

static bool make_clearance_scratch(lwi_path_scratch *scratch) {
  if (!scratch->clearance) scratch->clearance = lwi_alloc_zero(scratch->memory, sizeof *scratch->clearance);
  if (!scratch->clearance) return false;
  scratch->clearance->memory = scratch->memory;
  return true;
}

/* Make the path along the corridor clear of walls, if the agent is larger than the mesh was baked for.
   @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status widen_corridor(const lwi_search *search, const lwi_search_query *query,
                                lwi_path_scratch *scratch) {
  return !query->clearance || lwi_clearance_widen(search, query, scratch->clearance) ? LW_OK : LW_OUT_OF_MEMORY;
}

/* Whether every metre costs the same and nothing else does: then corridors are compared by the length of their taut paths. */
static bool is_plain(const lwi_search_query *query) {
  return query->is_uniform && !query->clearance && query->cost_limit <= 0 &&
         !lwi_cost_varies(&query->cost_model);
}

/* Whether fast and good paths run along the same corridor. */
static bool is_one_search(const lwi_search_query *query) {
  return is_plain(query) || (query->price_table && !lwi_cost_varies(&query->cost_model));
}

/* Leave steps to the goal in search->corridor. */
static lw_status search_steps(lwi_search *search, const lwi_search_query *query) {
  const bool by_points = query->price_table && !lwi_cost_varies(&query->cost_model) && !(query->cost_limit > 0);
  return by_points ? lwi_point_search_run(search, query) : lwi_search_run(search, query);
}

static lw_status find_corridor(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch) {
  lw_status status = is_plain(query) ? lwi_taut_search_run(search, query) : LW_NO_PATH;
  if (status == LW_NO_PATH) status = search_steps(search, query);
  return status == LW_OK ? widen_corridor(search, query, scratch) : status;
}

/* Build the path along the corridor, and take it if it is cheaper than `path`, whose count of nodes stays. */
static lw_status build_if_cheaper(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                                  const lw_allocator *allocator, lw_path **path) {
  lw_path *other = NULL;
  const int nodes = (*path)->nodes;
  lw_status status = widen_corridor(search, query, scratch);
  if (status == LW_OK) status = lwi_path_build(search, query, scratch, allocator, &other);
  if (status != LW_OK) return status;
  *path = lwi_path_cheaper(*path, other);
  (*path)->nodes = nodes;
  return LW_OK;
}

/* Take the cheaper of the found path and that of another search, which gets the nodes that are left.
   @return LW_OK, also where there is no other path; LW_OUT_OF_NODES: the search did not end; LW_OUT_OF_MEMORY. */
static lw_status search_once_more(lwi_search *search, lwi_search_query *query, lwi_path_scratch *scratch,
                                  const lw_allocator *allocator, lw_path **path) {
  const int expanded = (*path)->nodes;
  query->max_nodes -= expanded;
  if (query->max_nodes < 1) return LW_OUT_OF_NODES;
  lw_status status = search_steps(search, query);
  const int nodes = expanded + search->expanded;
  if (status == LW_OK) status = build_if_cheaper(search, query, scratch, allocator, path);
  (*path)->nodes = nodes;
  return status == LW_NO_PATH ? LW_OK : status;
}

/* The path found so far is good enough if the search did not end. */
static lw_status unless_out_of_nodes(lw_status status) {
  return status == LW_OUT_OF_NODES ? LW_OK : status;
}

/* --- a path that threats watch ---------------------------------------------------------------------------- */

/* Exposure is expensive to measure, so that paths are searched by estimates, and only the results are measured
   exactly. An estimate may err by much where a threat looks along a wall, and a path along the edge of a shadow
   may be exposed all along. So of all paths that are found the one counts whose exact cost is lowest; one of
   them is the path that would be cheapest without threats. */

/* How far an estimate may be off where it decides what is searched for. */
#define ESTIMATE_SLACK 1.05f

typedef struct watched_search {
  lwi_search *search;
  const lwi_search_query *query;
  lwi_path_scratch *scratch;
  const lw_allocator *allocator;
  lw_path **path; /* the cheapest so far */
  int expanded;   /* nodes, by all searches */
} watched_search;

/* The exact cost of the path in the corridor as the search crosses it, or as it was cleared of walls.
   @return Negative: no memory. */
static float cost_of_corridor(const watched_search *run) {
  const lwi_search *search = run->search;
  const lwi_search_query *query = run->query;
  const lwi_cost_model *cost_model = &query->cost_model;
  if (query->clearance) return lwi_clearance_path_cost(search, query, run->scratch->clearance);
  lw_vec3 at = query->from;
  uint32_t region = query->from_region;
  float sum = 0;
  for (int i = 0; i <= search->corridor.count; i++) {
    bool is_last = i == search->corridor.count;
    const lwi_link *link = is_last ? NULL : lwi_search_link(search, i);
    lw_vec3 to = is_last ? query->to : link ? link->start : lwi_search_crossing(search, i);
    float cost = lwi_cost_over_ground(cost_model, lwi_region_polygon(&search->graph, region), at, to);
    if (cost < 0) return cost;
    sum += cost;
    const float over = link ? lwi_cost_of_link(cost_model, link) : 0;
    if (over < 0) return over;
    sum += over;
    if (is_last) break;
    at = search->corridor.steps[i].point;
    region = search->corridor.steps[i].region;
  }
  return sum;
}

static bool keep_corridor(const watched_search *run) {
  return lwi_corridor_copy(&run->scratch->best_corridor, &run->search->corridor, run->scratch->memory);
}

static bool restore_corridor(const watched_search *run) {
  return lwi_corridor_copy(&run->search->corridor, &run->scratch->best_corridor, run->search->memory);
}

/* Search for the path that would be cheapest without threats, and add the cost of its exposure. */
static lw_status find_unwatched(watched_search *run) {
  lwi_search_query query = *run->query;
  query.cost_model.watch = NULL;
  query.final_model = &run->query->cost_model;
  lw_status status = find_corridor(run->search, &query, run->scratch);
  run->expanded = run->search->expanded;
  if (status == LW_OK && !keep_corridor(run)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK) status = lwi_path_build(run->search, &query, run->scratch, run->allocator, run->path);
  return status;
}

static bool is_seen(const lw_path *path) {
  for (int i = 0; i < path->point_count; i++)
    if (path->records[i].seen > 0) return true;
  return false;
}

/* Search for a cheaper path anywhere, and keep its corridor. By estimates a slower search finds nothing
   better. */
static lw_status find_watched(watched_search *run) {
  lwi_search_query query = *run->query;
  query.cost_limit = (*run->path)->cost * ESTIMATE_SLACK;
  query.max_nodes -= run->expanded;
  if (lwi_cost_has_estimate(&query.cost_model)) query.quality = LW_QUALITY_FAST;
  if (query.max_nodes < 1) return LW_OK;
  lw_status status = find_corridor(run->search, &query, run->scratch);
  run->expanded += run->search->expanded;
  if (status == LW_NO_PATH || status == LW_OUT_OF_NODES) return LW_OK;
  if (status != LW_OK) return status;
  float cost = cost_of_corridor(run);
  if (cost < 0 || (cost < (*run->path)->cost && !keep_corridor(run))) return LW_OUT_OF_MEMORY;
  return LW_OK;
}

static lw_status build_watched(const watched_search *run) {
  return build_if_cheaper(run->search, run->query, run->scratch, run->allocator, run->path);
}

static lw_status refine_watched(const watched_search *run) {
  if (!restore_corridor(run)) return LW_OUT_OF_MEMORY;
  lw_status status = lwi_refine_corridor(&run->scratch->refinement, run->search, run->query,
                                         (*run->path)->cost * ESTIMATE_SLACK);
  if (status == LW_NO_PATH) return LW_OK;
  return status == LW_OK ? build_watched(run) : status;
}

/* The fast search: by what is cheapest without threats, and by estimates of what they see. */
static lw_status search_watched_fast(watched_search *run) {
  lw_status status = find_unwatched(run);
  if (status != LW_OK || (!is_seen(*run->path) && !run->search->prices_differ)) return status;
  status = find_watched(run);
  if (status != LW_OK) return status;
  return restore_corridor(run) ? build_watched(run) : LW_OUT_OF_MEMORY;
}

/* Take the cheaper of the found path and that of a longer search without threats. */
static lw_status search_well_unwatched(watched_search *run) {
  lwi_search_query query = *run->query;
  query.cost_model.watch = NULL;
  query.final_model = &run->query->cost_model;
  if (is_one_search(&query)) return LW_OK;
  (*run->path)->nodes = run->expanded;
  lw_status status = search_once_more(run->search, &query, run->scratch, run->allocator, run->path);
  run->expanded = (*run->path)->nodes;
  return unless_out_of_nodes(status);
}

/* Take the cheaper of the found path and that along the corridor that is cheapest by estimates. */
static lw_status search_estimates(watched_search *run) {
  lwi_search_query query = *run->query;
  query.cost_limit = (*run->path)->cost * ESTIMATE_SLACK;
  query.max_nodes -= run->expanded;
  if (query.max_nodes < 1) return LW_OK;
  const lw_status status = lwi_watched_search_run(run->search, &query);
  run->expanded += run->search->expanded;
  if (status == LW_NO_PATH || status == LW_OUT_OF_NODES) return LW_OK;
  return status == LW_OK ? build_watched(run) : status;
}

/* By what is cheapest without threats, and by estimates of what they see. */
static lw_status search_by_estimates(watched_search *run) {
  const lw_status status = find_unwatched(run);
  return status == LW_OK && is_seen(*run->path) ? search_estimates(run) : status;
}

/* A fast search comes first, so that no path of good quality costs more than the fast one. */
static lw_status search_watched(watched_search *run) {
  const lwi_search_query *asked = run->query;
  const bool serves = lwi_watched_search_serves(asked);
  lwi_search_query fast = *asked;
  fast.quality = LW_QUALITY_FAST;
  run->query = &fast;
  lw_status status = serves ? search_by_estimates(run) : search_watched_fast(run);
  run->query = asked;
  if (status != LW_OK || asked->quality == LW_QUALITY_FAST) return status;
  if (!serves && is_seen(*run->path)) {
    if (!lwi_cost_has_estimate(&asked->cost_model)) status = find_watched(run);
    if (status == LW_OK) status = refine_watched(run);
    if (status != LW_OK) return status;
  }
  return search_well_unwatched(run);
}

/* --- any path --------------------------------------------------------------------------------------------- */

/* Take the cheaper of the found path and what the refinement finds near it. */
static lw_status refine(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                        const lw_allocator *allocator, lw_path **path) {
  lw_status status = lwi_refine_corridor(&scratch->refinement, search, query, (*path)->cost);
  if (status == LW_NO_PATH) return LW_OK;
  return status == LW_OK ? build_if_cheaper(search, query, scratch, allocator, path) : status;
}

/* A search that is led round dangers and fire lanes, all the more one that they limited, may miss the path that would be
   cheapest without them. */
static lw_status search_without_regions(lwi_search *search, const lwi_search_query *asked,
                                        lwi_path_scratch *scratch, const lw_allocator *allocator,
                                        lw_path **path) {
  lwi_search_query without = *asked;
  without.cost_model.dangers = without.cost_model.lanes = NULL;
  without.final_model = &asked->cost_model;
  return unless_out_of_nodes(search_once_more(search, &without, scratch, allocator, path));
}

/* Take the cheaper of the fast path and what a search that takes longer finds, which gets the nodes that are left. */
static lw_status search_well(lwi_search *search, const lwi_search_query *asked, lwi_path_scratch *scratch,
                             const lw_allocator *allocator, lw_path **path) {
  lwi_search_query query = *asked;
  const uint64_t pieces = lwi_cost_pieces(&query.cost_model);
  lw_status status = search_once_more(search, &query, scratch, allocator, path);
  if (status != LW_OK || !search->prices_differ || query.final_model) return status;
  status = refine(search, &query, scratch, allocator, path);
  const bool met_regions = lwi_cost_pieces(&query.cost_model) > pieces;
  if (status != LW_OK || (!search->reduced && !met_regions)) return status;
  return search_without_regions(search, asked, scratch, allocator, path);
}

/* Take the cheaper of the path and one round the better side of corners, that crosses portals at better points. */
static lw_status refine_crossings(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                                  const lw_allocator *allocator, lw_path **path) {
  lw_path *other = NULL;
  const int nodes = (*path)->nodes;
  if (!search->prices_differ) return LW_OK;
  if (!query->clearance && !lwi_flip_corners(search, query)) return LW_OUT_OF_MEMORY;
  lw_status status = lwi_path_build(search, query, scratch, allocator, &other);
  if (status != LW_OK) return status;
  *path = lwi_path_cheaper(*path, other);
  (*path)->nodes = nodes;
  return LW_OK;
}

/* Of short paths a metre more or less counts: there the search that crosses portals straight towards the goal may find a
   better one than that over fixed points. It takes few nodes. */
#define SHORT_CORRIDOR 8

/* What good paths have beside the fast ones where both run along one corridor. */
static lw_status search_closely(lwi_search *search, const lwi_search_query *asked, lwi_path_scratch *scratch,
                                const lw_allocator *allocator, lw_path **path) {
  lwi_search_query query = *asked;
  lw_status status = refine_crossings(search, &query, scratch, allocator, path);
  if (status != LW_OK || search->corridor.count > SHORT_CORRIDOR) return status;
  query.cost_limit = (*path)->cost;
  return search_once_more(search, &query, scratch, allocator, path);
}

/* A fast search comes first, so that no path of good quality costs more than the fast one. */
static lw_status search_unwatched(lwi_search *search, const lwi_search_query *asked, lwi_path_scratch *scratch,
                                  const lw_allocator *allocator, lw_path **path) {
  lwi_search_query fast = *asked;
  fast.quality = LW_QUALITY_FAST;
  lw_status status = find_corridor(search, &fast, scratch);
  if (status == LW_OK) status = lwi_path_build(search, &fast, scratch, allocator, path);
  if (status != LW_OK || is_plain(asked) || asked->quality == LW_QUALITY_FAST) return status;
  if (is_one_search(asked)) return search_closely(search, asked, scratch, allocator, path);
  return search_well(search, asked, scratch, allocator, path);
}

lw_status lwi_path_search(lwi_search *search, const lwi_search_query *asked, lwi_path_scratch *scratch,
                          const lw_allocator *allocator, lw_path **path) {
  lwi_search_query query = *asked;
  *path = NULL;
  search->reduced = false;
  scratch->refinement.memory = scratch->memory;
  if (query.clearance && !make_clearance_scratch(scratch)) return LW_OUT_OF_MEMORY;
  if (asked->search_prices) {
    query.cost_model = (lwi_cost_model){.mesh = asked->cost_model.mesh, .prices = asked->search_prices};
    query.final_model = &asked->cost_model;
  }
  lw_status status;
  if (query.cost_model.watch && query.cost_model.watch->factor > 0) {
    watched_search run = {
        .search = search, .query = &query, .scratch = scratch, .allocator = allocator, .path = path};
    status = search_watched(&run);
    if (*path) (*path)->nodes = run.expanded;
  } else {
    status = search_unwatched(search, &query, scratch, allocator, path);
  }
  if (status == LW_OK) (*path)->reduced = search->reduced;
  if (status == LW_OK) return LW_OK;
  lw_path_destroy(*path);
  *path = NULL;
  return status;
}
