#include "search/path_search.h"

#include "search/corner_flips.h"
#include "search/link_cost.h"
#include "search/watched_search.h"

/* The passes of a path search. A fast search comes first, so that no path of good quality costs more than the fast one. */
typedef enum pass {
  PASS_FIRST,       /* the fast path */
  PASS_PRICED,      /* the fast path, where the first one met metres that cost more, or may miss short links */
  PASS_OVER_SLOPES, /* behind an exact path, which goes by lengths as seen from above: by those over the surface */
  PASS_CLOSELY,     /* of short paths: as the next, below the cost of the path that is found */
  PASS_WELL,        /* a search that takes longer */
  PASS_REFINEMENT,      /* near that path */
  PASS_WITHOUT_REGIONS, /* as if there were no dangers and fire lanes */
  /* Exposure is expensive to measure, so that paths are searched by estimates, and only the results are measured
     exactly. An estimate may err by much where a threat looks along a wall, and a path along the edge of a shadow may be
     exposed all along. So of all paths that are found the one counts whose exact cost is lowest; one of them is the path
     that would be cheapest without threats. */
  PASS_UNWATCHED,          /* the fast path as if there were no threats */
  PASS_ESTIMATED,          /* a cheaper one over fixed points, where estimates serve */
  PASS_WATCHED_FAST,       /* else: a cheaper one anywhere */
  PASS_WATCHED,            /* the same, by exact costs */
  PASS_WATCHED_REFINEMENT, /* near the cheapest corridor so far */
  PASS_UNWATCHED_WELL,     /* as the first one, by a search that takes longer */
  PASS_NONE
} pass;

/* A path along a corridor that was given costs no more than that beside its bound. */
#define CORRIDOR_MAX 1.01f
/* How far an estimate may be off where it decides what is searched for. */
#define ESTIMATE_SLACK 1.05f
/* Of short paths a metre more or less counts: there the search that crosses portals straight towards the goal may find a
   better one than that over fixed points. It takes few nodes. */
#define SHORT_CORRIDOR 8

/* --- the search of a pass ------------------------------------------------------------------------------------- */

/* Whether every metre costs the same and nothing else does: then corridors are compared by the length of their taut paths. */
static bool is_plain(const lwi_search_query *query) {
  return query->is_uniform && !query->clearance && query->cost_limit <= 0 &&
         !lwi_cost_varies(&query->cost_model);
}

/* The same but for some polygons, in which the path neither begins nor ends. */
static bool may_be_plain(const lwi_search_query *query) {
  if (!query->is_uniform_elsewhere) return false;
  const lwi_prices *prices = query->cost_model.prices;
  const uint32_t from = lwi_region_polygon(query->graph, query->from_region),
                 to = lwi_region_polygon(query->graph, query->to_region);
  lwi_search_query plain = *query;
  plain.is_uniform = true;
  return is_plain(&plain) && lwi_price_added(prices, query->graph->mesh, from) <= 0 &&
         lwi_price_added(prices, query->graph->mesh, to) <= 0;
}

/* Whether a search over points takes so long that agents walk another path until it ends. */
static bool walks_ahead(const lwi_search_query *query) {
  return query->is_sliced && query->point_graph && !query->price_table;
}

/* Whether fast and good paths run along the same corridor. */
static bool is_one_search(const lwi_search_query *query) {
  return is_plain(query) || (query->point_graph && !walks_ahead(query) && !lwi_cost_varies(&query->cost_model));
}

/* How to search by steps from portal to portal. */
static lwi_pass_search by_steps(const lwi_search_query *query) {
  const bool is_ahead = walks_ahead(query) && query->quality == LW_QUALITY_FAST;
  const bool by_points =
      query->point_graph && !is_ahead && !lwi_cost_varies(&query->cost_model) && !(query->cost_limit > 0);
  return by_points ? LWI_BY_POINTS : LWI_BY_NODES;
}

static lw_status start(lwi_path_search *run) {
  switch (run->by) {
  case LWI_BY_INTERVALS: return lwi_interval_search_run(run->search, &run->query);
  case LWI_BY_TAUT: return lwi_taut_search_run(run->search, &run->query);
  case LWI_BY_NODES: return lwi_search_run(run->search, &run->query);
  case LWI_BY_POINTS: return lwi_point_search_run(run->search, &run->query);
  case LWI_BY_ESTIMATES: return lwi_watched_search_run(run->search, &run->query);
  case LWI_BY_CORRIDOR: return LW_OK;
  default:
    return lwi_refine_corridor(&run->scratch->refinement, run->search, &run->query, run->query.cost_limit);
  }
}

static lw_status go_on(lwi_path_search *run) {
  switch (run->by) {
  case LWI_BY_INTERVALS: return lwi_interval_search_go_on(run->search);
  case LWI_BY_TAUT: return lwi_taut_search_go_on(run->search);
  case LWI_BY_NODES: return lwi_search_go_on(run->search);
  case LWI_BY_POINTS: return lwi_point_search_go_on(run->search);
  case LWI_BY_ESTIMATES: return lwi_watched_search_go_on(run->search);
  default: return lwi_refine_go_on(&run->scratch->refinement);
  }
}

/* A slower search is not tried twice. */
static void give_up_trial(lwi_path_search *run) {
  if (!run->is_trial || run->by != LWI_BY_TAUT || run->pass != PASS_FIRST) return;
  run->is_trial = run->asked.is_uniform = run->query.is_uniform = false;
}

/* Run the search of the pass until it ends or pauses. */
static lw_status search_on(lwi_path_search *run) {
  lw_status status = run->is_running ? go_on(run) : start(run);
  while (status == LW_NO_PATH && (run->by == LWI_BY_INTERVALS || run->by == LWI_BY_TAUT)) {
    give_up_trial(run);
    run->by = run->by == LWI_BY_INTERVALS ? LWI_BY_TAUT
                                          : by_steps(&run->query); /* they give up where it takes long */
    status = start(run);
  }
  run->is_running = status == LW_UNFINISHED;
  return status;
}

/* --- what passes make of a corridor --------------------------------------------------------------------------- */

/* Make the path along the corridor clear of walls, if the agent is larger than the mesh was baked for.
   @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status widen(const lwi_path_search *run, const lwi_search_query *query) {
  return !query->clearance || lwi_clearance_widen(run->search, query, run->scratch->clearance)
             ? LW_OK
             : LW_OUT_OF_MEMORY;
}

/* Build a path along the corridor as it is, and keep the better one. The count of nodes stays. */
static lw_status build_here(lwi_path_search *run, const lwi_search_query *query) {
  lw_path *found = NULL;
  const lw_status status = lwi_path_build(run->search, query, run->scratch, run->allocator, &found);
  if (status != LW_OK) return status;
  const int nodes = run->path ? run->path->nodes : found->nodes;
  run->path = !run->path               ? found
              : run->asked.final_model ? lwi_path_shorter(run->path, found) /* whatever that costs */
                                       : lwi_path_cheaper(run->path, found);
  run->path->nodes = nodes;
  return LW_OK;
}

static lw_status build(lwi_path_search *run, const lwi_search_query *query) {
  const lw_status status = widen(run, query);
  return status == LW_OK ? build_here(run, query) : status;
}

/* The exact cost of the path in the corridor as the search crosses it, or as it was cleared of walls.
   @return Negative: no memory. */
static float cost_of_corridor(const lwi_path_search *run) {
  const lwi_search_query *query = &run->asked;
  return query->clearance ? lwi_clearance_path_cost(run->search, query, run->scratch->clearance)
                          : lwi_search_corridor_cost(run->search, query);
}

static bool keep_corridor(const lwi_path_search *run) {
  return lwi_corridor_copy(&run->scratch->best_corridor, &run->search->corridor, run->scratch->memory);
}

static bool restore_corridor(const lwi_path_search *run) {
  return lwi_corridor_copy(&run->search->corridor, &run->scratch->best_corridor, run->search->memory);
}

/* Build what the first search found: where no other one follows, round the better side of corners. */
static lw_status build_first(lwi_path_search *run) {
  const lwi_search_query *asked = &run->asked;
  if (run->by != LWI_BY_POINTS || lwi_cost_varies(&asked->cost_model) || asked->quality == LW_QUALITY_FAST)
    return build(run, &run->query);
  bool changed = false;
  if (run->search->prices_differ && !asked->clearance &&
      !(keep_corridor(run) && lwi_flip_corners(run->search, asked, &changed)))
    return LW_OUT_OF_MEMORY;
  const lw_status status = build(run, asked);
  if (status != LW_OK || !changed) return status;
  return restore_corridor(run) ? build(run, &run->query)
                               : LW_OUT_OF_MEMORY; /* costs no more than a fast path */
}

/* --- any path ------------------------------------------------------------------------------------------------- */

static bool is_exact(const lwi_path_search *run) {
  return is_plain(&run->asked) && run->asked.quality == LW_QUALITY_EXACT && !run->is_trial;
}

/* Plain queries are searched once, but for exact paths up and down. */
static lw_status begin_first(lwi_path_search *run) {
  run->query.quality = LW_QUALITY_FAST;
  run->by = run->has_corridor       ? LWI_BY_CORRIDOR
            : is_exact(run)         ? LWI_BY_INTERVALS
            : is_plain(&run->query) ? LWI_BY_TAUT
                                    : by_steps(&run->query);
  return LW_OK;
}

bool lwi_path_search_takes_corridor(const lwi_path_search *run) {
  const lwi_search_query *asked = &run->asked;
  return run->pass == PASS_FIRST && !run->is_running && is_plain(asked) && !asked->cost_model.link_dangers &&
         !asked->cost_model.link_lanes && asked->quality != LW_QUALITY_EXACT;
}

/* May another path be cheaper than the shortest one? Over short links, or where metres in the corridor cost more. */
static bool meets_more(const lwi_path_search *run) {
  const lwi_search *search = run->search;
  bool more = run->is_trial && run->asked.has_short_links;
  for (int i = 0; i < search->corridor.count && run->is_trial && !more; i++)
    more = lwi_price_added(run->asked.cost_model.prices, search->graph.mesh, lwi_search_polygon(search, i)) > 0;
  return more;
}

/* The path that was found is one of several now. */
static lw_status end_trial(lwi_path_search *run) {
  run->is_trial = run->asked.is_uniform = false;
  run->query = run->asked;
  run->query.quality = LW_QUALITY_FAST;
  run->pass = PASS_PRICED;
  return build(run, &run->query);
}

/* A short path is searched once more, over portals. */
static void search_short_closely(lwi_path_search *run) {
  if (run->search->corridor.count <= SHORT_CORRIDOR) run->pass = PASS_CLOSELY;
}

static lw_status behind_first(lwi_path_search *run, lw_status status) {
  if (status != LW_OK || is_plain(&run->asked) || run->asked.quality == LW_QUALITY_FAST) return status;
  if (!is_one_search(&run->asked)) {
    run->pass = PASS_WELL;
    return LW_OK;
  }
  search_short_closely(run);
  return status;
}

/* Up and down hills another corridor may be much shorter: then it is searched. */
static void check_bound(lwi_path_search *run) {
  run->is_far |= run->has_corridor && run->path->cost > run->bound * CORRIDOR_MAX;
  if (run->has_corridor && run->is_far) run->pass = PASS_FIRST;
  run->has_corridor = false;
}

static lw_status end_first(lwi_path_search *run, lw_status status) {
  if (status == LW_OK && meets_more(run)) return end_trial(run);
  if (status == LW_OK) status = build_first(run);
  if (status == LW_OK) check_bound(run);
  if (run->pass == PASS_FIRST) return status;
  if (status == LW_OK && is_exact(run) && lwi_path_is_sloped(run->path)) {
    run->pass = PASS_OVER_SLOPES;
    if (!keep_corridor(run)) return LW_OUT_OF_MEMORY;
  }
  return behind_first(run, status);
}

/* Another search, which gets the nodes that are left. */
static lw_status search_once_more(lwi_path_search *run) {
  run->query.max_nodes -= run->path->nodes;
  run->by = by_steps(&run->query);
  return run->query.max_nodes < 1 ? LW_OUT_OF_NODES : LW_OK;
}

/* Take the cheaper of the path and what such a search found.
   @return LW_OK, also where there is no other path; LW_OUT_OF_NODES: the search did not end; LW_OUT_OF_MEMORY. */
static lw_status take_cheaper(lwi_path_search *run, lw_status status) {
  run->path->nodes += run->search->expanded;
  if (status == LW_OK) status = run->by == LWI_BY_POINTS ? build_first(run) : build(run, &run->query);
  return status == LW_NO_PATH ? LW_OK : status;
}

/* The path found so far is good enough if the search did not end. */
static lw_status unless_out_of_nodes(lw_status status) {
  return status == LW_OUT_OF_NODES ? LW_OK : status;
}

/* The path is good enough if this search did not end. */
static lw_status end_optional(lwi_path_search *run, lw_status status) {
  return unless_out_of_nodes(take_cheaper(run, status));
}

static lw_status begin_priced(lwi_path_search *run) {
  run->query.quality = LW_QUALITY_FAST;
  return search_once_more(run);
}

static lw_status end_priced(lwi_path_search *run, lw_status status) {
  return status == LW_OUT_OF_NODES ? LW_OK : behind_first(run, take_cheaper(run, status));
}

static lw_status begin_over_slopes(lwi_path_search *run) {
  run->query.quality = LW_QUALITY_FAST;
  run->query.max_nodes -= run->path->nodes;
  run->by = LWI_BY_TAUT;
  return run->query.max_nodes < 1 ? LW_OUT_OF_NODES : LW_OK;
}

/* Is the corridor the one that was kept? */
static bool is_kept_corridor(const lwi_path_search *run) {
  const lwi_corridor *a = &run->search->corridor, *b = &run->scratch->best_corridor;
  bool same = a->count == b->count;
  for (int i = 0; i < a->count && same; i++) same = a->steps[i].node == b->steps[i].node;
  return same;
}

static lw_status end_over_slopes(lwi_path_search *run, lw_status status) {
  if (status == LW_OK && meets_more(run)) {
    run->search->expanded += run->path->nodes;
    lw_path_destroy(run->path);
    run->path = NULL;
    return end_trial(run);
  }
  if (status != LW_OK || !is_kept_corridor(run)) return end_optional(run, status);
  run->path->nodes += run->search->expanded;
  return LW_OK;
}

static lw_status begin_closely(lwi_path_search *run) {
  run->query.cost_limit = run->path->cost;
  return search_once_more(run);
}

static lw_status begin_well(lwi_path_search *run) {
  run->pieces = lwi_cost_pieces(&run->query.cost_model);
  return search_once_more(run);
}

/* Sliced or not, it is the path over points that counts. */
static void forget_path_ahead(lwi_path_search *run) {
  run->search->expanded += run->path->nodes;
  lw_path_destroy(run->path);
  run->path = NULL;
}

static lw_status end_well(lwi_path_search *run, lw_status status) {
  if (status == LW_OK && run->by == LWI_BY_POINTS) {
    forget_path_ahead(run);
    run->query.quality = LW_QUALITY_FAST; /* as in the first pass */
    status = build_first(run);
    if (status == LW_OK) search_short_closely(run);
    return status;
  }
  status = take_cheaper(run, status);
  if (status != LW_OK) return status;
  if (run->by != LWI_BY_POINTS && run->search->prices_differ && !run->query.final_model)
    run->pass = PASS_REFINEMENT;
  return LW_OK;
}

static lw_status begin_refinement(lwi_path_search *run) {
  run->query.cost_limit = run->path->cost;
  run->by = LWI_BY_REFINEMENT;
  return LW_OK;
}

/* A search that is led round dangers and fire lanes, all the more one that they limited, may miss the path that would be
   cheapest without them. */
static lw_status end_refinement(lwi_path_search *run, lw_status status) {
  if (status == LW_OK) status = build(run, &run->asked);
  if (status == LW_NO_PATH) status = LW_OK;
  const bool met_regions = lwi_cost_pieces(&run->query.cost_model) > run->pieces;
  if (status == LW_OK && (run->search->reduced || met_regions)) run->pass = PASS_WITHOUT_REGIONS;
  return status;
}

static lw_status begin_without_regions(lwi_path_search *run) {
  run->query.cost_model.dangers = run->query.cost_model.lanes = NULL;
  run->query.final_model = &run->asked.cost_model;
  return search_once_more(run);
}

/* --- a path that threats watch -------------------------------------------------------------------------------- */

/* As if there were no threats, and the cost of exposure is added to the path. */
static void leave_threats_out(lwi_path_search *run) {
  run->query.cost_model.watch = NULL;
  run->query.final_model = &run->asked.cost_model;
}

static lw_status begin_unwatched(lwi_path_search *run) {
  leave_threats_out(run);
  return begin_first(run);
}

/* What follows the fast path. */
static int behind_fast(const lwi_path_search *run) {
  if (run->asked.quality == LW_QUALITY_FAST) return PASS_NONE;
  if (!lwi_path_is_seen(run->path)) return PASS_UNWATCHED_WELL;
  return lwi_cost_has_estimate(&run->asked.cost_model) ? PASS_WATCHED_REFINEMENT : PASS_WATCHED;
}

static int behind_estimated(const lwi_path_search *run) {
  return run->asked.quality == LW_QUALITY_FAST ? PASS_NONE : PASS_UNWATCHED_WELL;
}

static lw_status end_unwatched(lwi_path_search *run, lw_status status) {
  if (status == LW_OK) status = widen(run, &run->query);
  if (status == LW_OK && !keep_corridor(run)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK) status = build_here(run, &run->query);
  if (status != LW_OK) return status;
  run->expanded = run->search->expanded;
  if (lwi_watched_search_serves(&run->asked)) {
    run->pass = lwi_path_is_seen(run->path) ? (int)PASS_ESTIMATED : behind_estimated(run);
    return LW_OK;
  }
  const bool may_be_cheaper = lwi_path_is_seen(run->path) || run->search->prices_differ;
  run->pass = may_be_cheaper ? (int)PASS_WATCHED_FAST : behind_fast(run);
  return LW_OK;
}

static lw_status begin_estimated(lwi_path_search *run) {
  run->query.cost_limit = run->path->cost * ESTIMATE_SLACK;
  run->query.max_nodes -= run->expanded;
  run->by = LWI_BY_ESTIMATES;
  return run->query.max_nodes < 1 ? LW_OUT_OF_NODES : LW_OK;
}

static lw_status end_estimated(lwi_path_search *run, lw_status status) {
  run->expanded += run->search->expanded;
  run->pass = behind_estimated(run);
  if (status == LW_NO_PATH || status == LW_OUT_OF_NODES) return LW_OK;
  run->query = run->asked;
  run->query.quality = LW_QUALITY_FAST;
  return status == LW_OK ? build(run, &run->query) : status;
}

/* By estimates a slower search finds nothing better. */
static lw_status begin_watched(lwi_path_search *run) {
  run->query.cost_limit = run->path->cost * ESTIMATE_SLACK;
  run->query.max_nodes -= run->expanded;
  const bool is_fast = run->pass == PASS_WATCHED_FAST || lwi_cost_has_estimate(&run->query.cost_model);
  if (is_fast) run->query.quality = LW_QUALITY_FAST;
  run->by = by_steps(&run->query);
  return run->query.max_nodes < 1 ? LW_OUT_OF_NODES : LW_OK;
}

/* Keep the corridor that was found if it is cheaper than the path. */
static lw_status keep_if_cheaper(lwi_path_search *run, lw_status status) {
  run->expanded += run->search->expanded;
  if (status == LW_NO_PATH || status == LW_OUT_OF_NODES) return LW_OK;
  if (status == LW_OK) status = widen(run, &run->query);
  if (status != LW_OK) return status;
  const float cost = cost_of_corridor(run);
  return cost < 0 || (cost < run->path->cost && !keep_corridor(run)) ? LW_OUT_OF_MEMORY : LW_OK;
}

static lw_status end_watched_fast(lwi_path_search *run, lw_status status) {
  status = keep_if_cheaper(run, status);
  if (status != LW_OK) return status;
  if (!restore_corridor(run)) return LW_OUT_OF_MEMORY;
  run->query = run->asked;
  run->query.quality = LW_QUALITY_FAST;
  status = build(run, &run->query);
  run->pass = behind_fast(run);
  return status;
}

static lw_status end_watched(lwi_path_search *run, lw_status status) {
  run->pass = PASS_WATCHED_REFINEMENT;
  return keep_if_cheaper(run, status);
}

static lw_status begin_watched_refinement(lwi_path_search *run) {
  run->query.cost_limit = run->path->cost * ESTIMATE_SLACK;
  run->by = LWI_BY_REFINEMENT;
  return restore_corridor(run) ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status end_watched_refinement(lwi_path_search *run, lw_status status) {
  if (status == LW_OK) status = build(run, &run->asked);
  run->pass = PASS_UNWATCHED_WELL;
  return status == LW_NO_PATH ? LW_OK : status;
}

static lw_status begin_unwatched_well(lwi_path_search *run) {
  leave_threats_out(run);
  run->path->nodes = run->expanded;
  return search_once_more(run);
}

static lw_status end_unwatched_well(lwi_path_search *run, lw_status status) {
  status = unless_out_of_nodes(take_cheaper(run, status));
  run->expanded = run->path->nodes;
  return status;
}

/* --- the passes ----------------------------------------------------------------------------------------------- */

typedef struct pass_calls {
  /* Fill `query` beyond `asked`, and `by`. @return LW_OK; LW_OUT_OF_NODES: nothing is left to search with. */
  lw_status (*begin)(lwi_path_search *run);
  /* Take the result, and name the pass that follows. @param status  Of the search, or of `begin`. */
  lw_status (*end)(lwi_path_search *run, lw_status status);
} pass_calls;

static const pass_calls passes[] = {
    [PASS_FIRST] = {begin_first, end_first},
    [PASS_PRICED] = {begin_priced, end_priced},
    [PASS_OVER_SLOPES] = {begin_over_slopes, end_over_slopes},
    [PASS_CLOSELY] = {begin_closely, take_cheaper},
    [PASS_WELL] = {begin_well, end_well},
    [PASS_REFINEMENT] = {begin_refinement, end_refinement},
    [PASS_WITHOUT_REGIONS] = {begin_without_regions, end_optional},
    [PASS_UNWATCHED] = {begin_unwatched, end_unwatched},
    [PASS_ESTIMATED] = {begin_estimated, end_estimated},
    [PASS_WATCHED_FAST] = {begin_watched, end_watched_fast},
    [PASS_WATCHED] = {begin_watched, end_watched},
    [PASS_WATCHED_REFINEMENT] = {begin_watched_refinement, end_watched_refinement},
    [PASS_UNWATCHED_WELL] = {begin_unwatched_well, end_unwatched_well},
};

/* Whether the pass would find the same path again. */
static bool is_needless(const lwi_path_search *run) {
  if (run->pass != PASS_UNWATCHED_WELL) return false;
  lwi_search_query query = run->asked;
  query.cost_model.watch = NULL;
  return is_one_search(&query);
}

/* Run a pass until it ends or pauses. */
static lw_status run_pass(lwi_path_search *run) {
  const pass_calls *calls = &passes[run->pass];
  lw_status status = LW_OK;
  if (!run->is_running) {
    run->query = run->asked;
    status = calls->begin(run);
    run->search->expanded = 0;
  }
  if (status == LW_OK) status = search_on(run);
  if (status == LW_UNFINISHED) return status;
  run->pass = PASS_NONE;
  return calls->end(run, status);
}

static bool make_clearance_scratch(lwi_path_scratch *scratch) {
  if (!scratch->clearance) scratch->clearance = lwi_alloc_zero(scratch->memory, sizeof *scratch->clearance);
  if (!scratch->clearance) return false;
  scratch->clearance->memory = scratch->memory;
  return true;
}

static bool is_watched(const lwi_search_query *query) {
  return query->cost_model.watch && query->cost_model.watch->factor > 0;
}

lw_status lwi_path_search_begin(lwi_path_search *run, lwi_search *search, const lwi_search_query *query,
                                lwi_path_scratch *scratch, const lw_allocator *allocator) {
  *run = (lwi_path_search){.search = search, .scratch = scratch, .allocator = allocator, .asked = *query};
  search->reduced = false;
  scratch->refinement.memory = scratch->memory;
  if (query->clearance && !make_clearance_scratch(scratch)) return LW_OUT_OF_MEMORY;
  if (query->search_prices) {
    run->final_model = query->cost_model;
    run->asked.cost_model = (lwi_cost_model){.mesh = query->cost_model.mesh, .prices = query->search_prices};
    run->asked.final_model = &run->final_model;
  }
  run->pass = is_watched(&run->asked) ? PASS_UNWATCHED : PASS_FIRST;
  run->is_trial = run->pass == PASS_FIRST && may_be_plain(&run->asked);
  run->asked.is_uniform |= run->is_trial;
  const bool may_walk_ahead = run->pass == PASS_FIRST && !query->clearance && !run->is_trial;
  run->asked.is_sliced &= may_walk_ahead && query->quality != LW_QUALITY_FAST;
  return LW_OK;
}

lw_status lwi_path_search_go_on(lwi_path_search *run, lw_path **path) {
  lw_status status = LW_OK;
  *path = NULL;
  while (status == LW_OK && run->pass != PASS_NONE) {
    if (is_needless(run)) break;
    status = run_pass(run);
  }
  if (status == LW_UNFINISHED) return status;
  if (status != LW_OK) {
    lwi_path_search_cancel(run);
    return status;
  }
  if (is_watched(&run->asked)) run->path->nodes = run->expanded;
  run->path->reduced = run->search->reduced;
  *path = run->path;
  run->path = NULL;
  return LW_OK;
}

lw_status lwi_path_search_so_far(lwi_path_search *run, lw_path **path) {
  *path = NULL;
  if (run->asked.clearance || is_watched(&run->asked)) return LW_NO_PATH;
  if (run->path) {
    *path = lwi_path_copy(run->path, run->allocator);
    return *path ? LW_OK : LW_OUT_OF_MEMORY;
  }
  if (!run->is_running || run->by != LWI_BY_TAUT) return LW_NO_PATH;
  lwi_search *search = run->search;
  lwi_search_query query = run->query;
  const bool reduced = search->reduced;
  query.is_uniform = query.is_uniform && !run->is_trial;
  lw_status status = lwi_taut_search_nearest(search, &query);
  if (status == LW_OK) status = lwi_path_build(search, &query, run->scratch, run->allocator, path);
  search->reduced = reduced; /* that of the search, which goes on */
  return status;
}

void lwi_path_search_cancel(lwi_path_search *run) {
  lw_path_destroy(run->path);
  run->path = NULL;
}
