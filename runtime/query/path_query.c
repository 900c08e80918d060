/* Paths in a world: snap both ends to the navmesh, ask whether the goal can be reached, search. */
#include "query/path_query.h"

#include "core/status.h"
#include "core/vec3.h"
#include "leeward/query.h"
#include "query/path_goals.h"
#include "search/reach.h"

#include <math.h>

/* --- checking ------------------------------------------------------------------------------------------------------- */

static bool check_threats(const lw_path_query *query) {
  lw_exposure_query exposure = lw_exposure_query_default();
  exposure.threats = query->threats;
  exposure.threat_count = query->threat_count;
  exposure.height_count = query->height_count;
  exposure.accuracy = query->accuracy;
  if (query->height_count < 1 || query->height_count > LW_BODY_HEIGHTS_MAX) return false;
  for (int i = 0; i < query->height_count; i++) exposure.heights[i] = query->heights[i];
  return lwi_exposure_check(&exposure);
}

static bool check_goals(const lw_path_query *query) {
  if (query->goal_count < 0 || (query->goal_count > 0 && !query->goals)) return false;
  for (int i = 0; i < query->goal_count; i++)
    if (!lwi_finite(query->goals[i])) return false;
  return query->goal_count > 0 || lwi_finite(query->to);
}

lw_status lwi_path_query_check(const lwi_scene *scene, const lw_path_query *query) {
  if (query->cookie != LWI_COOKIE || !lwi_finite(query->from) || !check_goals(query) ||
      !lwi_is_snap(query->snap) || query->max_nodes < 1 || !lwi_scene_has(scene, query->navmesh) ||
      (int)query->quality < 0 || query->quality >= LW_QUALITY_COUNT || (int)query->path_style < 0 ||
      query->path_style >= LW_PATH_STYLE_COUNT || !check_threats(query) ||
      !(query->visibility == -1 || (query->visibility >= 0 && query->visibility <= 1)))
    return LW_INVALID;
  return lwi_scene_check_accuracy(scene, query->accuracy);
}

/* --- both ends ------------------------------------------------------------------------------------------------------ */

/* A run on one navmesh. */
typedef struct nav_run {
  const lwi_path_run *run;
  const lwi_nav *nav;
  const lwi_reach *reach;
  lwi_region_scratch *region;
  lwi_path_ends ends;
  bool partial; /* the path ends at the reachable place nearest to the goal */
} nav_run;

/* Let the reachable place nearest to the goal be the end. An agent that is shut in goes straight on. */
static lw_status end_nearest(nav_run *at, lw_vec3 goal) {
  lwi_path_ends *ends = &at->ends;
  at->partial = true;
  if (ends->from_region == LWI_NONE) {
    ends->to = lwi_placement_towards(at->reach, ends->from, goal);
    ends->from_region = ends->to_region = lwi_poly_index(at->nav->mesh, ends->from.poly);
    return LW_OK;
  }
  lw_status status = lwi_placement_nearest(at->reach, at->region, at->reach->labels[ends->from_region], goal,
                                           &ends->to, &ends->to_region);
  return status == LW_NO_POINT ? LW_NO_PATH : status;
}

static bool is_open(const nav_run *at) {
  const lwi_reach *reach = at->reach;
  const uint32_t from = at->ends.from_region, to = at->ends.to_region;
  return from != LWI_NONE && to != LWI_NONE && lwi_reaches(reach, reach->labels[from], reach->labels[to]);
}

/* Where either end is shut in, though not by much, let the path leave or end beside it.
   @param wanted  Both ends before they were moved. @return LW_OK; LW_NO_PATH; LW_OUT_OF_MEMORY. */
static lw_status open_ends(nav_run *at, const lwi_path_ends *wanted) {
  const lwi_reach *reach = at->reach;
  lwi_path_ends *ends = &at->ends;
  lw_status status = LW_NO_POINT;
  if (ends->to_region != LWI_NONE)
    status = lwi_placement_leave(reach, at->region, reach->labels[ends->to_region], wanted->from, &ends->from,
                                 &ends->from_region);
  else if (ends->from_region == LWI_NONE) /* both */
    status = lwi_placement_leave(reach, at->region, LWI_NONE, wanted->from, &ends->from, &ends->from_region);
  if (status == LW_OUT_OF_MEMORY) return status;
  if (is_open(at)) return LW_OK;
  if (ends->from_region == LWI_NONE) return LW_NO_PATH;
  status = lwi_placement_come(reach, at->region, reach->labels[ends->from_region], wanted->to, &ends->to,
                              &ends->to_region);
  return status == LW_NO_POINT ? LW_NO_PATH : status;
}

/* Move start and goal to where the agent can stand, and see whether the goal can be reached from the start.
   @param has_goal  false: there is no navmesh at the goal. */
static lw_status find_ends(nav_run *at, bool has_goal) {
  const lw_path_query *query = at->run->query;
  const lwi_reach *reach = at->reach;
  lwi_path_ends *ends = &at->ends;
  const lwi_path_ends wanted = *ends;
  lw_status status =
      lwi_placement_find(reach, at->region, query->from, query->snap, &ends->from, &ends->from_region);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (!has_goal) return end_nearest(at, query->to);
  status = lwi_placement_find(reach, at->region, query->to, lwi_path_run_goal_snap(at->run), &ends->to,
                              &ends->to_region);
  if (status == LW_NO_POINT && query->allow_partial) return end_nearest(at, query->to);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_GOAL : status;
  if ((ends->from_region == LWI_NONE || ends->to_region == LWI_NONE) &&
      lwi_placement_straight(reach, ends->from, ends->to)) { /* both between the same walls */
    ends->from_region = ends->to_region = lwi_poly_index(at->nav->mesh, ends->from.poly);
    return LW_OK;
  }
  if (is_open(at)) return LW_OK;
  status = open_ends(at, &wanted);
  if (status != LW_NO_PATH) return status;
  return query->allow_partial ? end_nearest(at, ends->to.point) : LW_NO_PATH;
}

/* @return LW_OK; LW_OUT_OF_MEMORY. */
static lw_status begin_nav(nav_run *at, const lwi_path_run *run, const lwi_nav *nav, lw_location from) {
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, nav);
  if (!scratch) return LW_OUT_OF_MEMORY;
  *at = (nav_run){.run = run, .nav = nav, .region = &scratch->region, .ends = {.from = from, .to = from}};
  at->reach = lwi_workspace_reach(run->workspace, nav, &run->prices->filter);
  return at->reach ? LW_OK : LW_OUT_OF_MEMORY;
}

/* The circle that a path's corners are rounded by; 0: none. [m] */
static float turn_radius_of(const lw_path_query *query) {
  const bool is_rounded = query->path_style == LW_PATH_ROUNDED && query->profile;
  return is_rounded ? query->profile->def.body.turn_radius : 0;
}

/* --- searching ------------------------------------------------------------------------------------------------------ */

/* @return NULL: they are too many. */
static const lwi_sweep_links *added_links(lwi_nav_scratch *scratch, const lwi_nav *nav) {
  lwi_sweep_links *links = &scratch->added_links;
  const lwi_link *link;
  links->count = 0;
  for (uint32_t number = 0; nav->added_links > 0 && (link = lwi_live_next_added(nav->live, &number));) {
    if (links->count == LWI_SWEEP_LINKS_MAX) return NULL;
    links->items[links->count++] = link;
  }
  return links;
}

/* Let paths be searched over points, where metres differ in price: by the table of the run's prices, or where there is none,
   which takes longer, without. @return LW_OK; LW_OUT_OF_MEMORY. */
static lw_status add_points(const lwi_path_run *run, const lwi_nav *nav, lwi_search_query *asked) {
  if (asked->is_uniform || run->final_prices || !lwi_price_tables_serve(nav->base)) return LW_OK;
  if (!run->is_cold && lwi_scene_has_price_table(run->scene, nav, run->prices)) {
    asked->price_table = lwi_workspace_price_table(run->workspace, nav, run->prices);
    asked->point_graph = asked->price_table ? asked->price_table->graph : NULL;
    asked->price_links = asked->price_table ? lwi_workspace_price_links(run->workspace, nav) : NULL;
  } else if (lwi_scene_prices_differ(run->scene, nav, run->prices)) {
    asked->point_graph = lwi_price_tables_graph(&nav->shared->price_tables, nav->base);
    asked->added_links = added_links(lwi_workspace_nav(run->workspace, nav), nav);
  } else {
    return LW_OK;
  }
  return asked->point_graph ? LW_OK : LW_OUT_OF_MEMORY;
}

/* Let the search pay for dangers and fire lanes. */
static void add_timed_costs(lwi_nav_search *search, lwi_nav_scratch *scratch, lwi_cost_model *cost_model) {
  const lwi_path_run *run = search->run;
  const lwi_timed_costs *on_links[LWI_TIMED_KINDS], *found[LWI_TIMED_KINDS];
  lwi_path_run_timed_links(run, search->nav, scratch, search->on_links, on_links);
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    const bool pays = lwi_scene_timed_costs(run->scene, (lwi_timed_kind)kind, search->nav, run->query->profile,
                                            &scratch->timed[kind], &search->timed[kind]);
    found[kind] = pays ? &search->timed[kind] : NULL;
    search->pays_timed |= pays || on_links[kind];
  }
  cost_model->dangers = found[LWI_DANGER];
  cost_model->lanes = found[LWI_FIRE_LANE];
  cost_model->link_dangers = on_links[LWI_DANGER];
  cost_model->link_lanes = on_links[LWI_FIRE_LANE];
}

/* Agents that stand in the way are searched past as dangers, or as fire lanes where the agent pays for dangers.
   @return false: no memory. */
static bool add_blockers(lwi_nav_search *search, lwi_nav_scratch *scratch, lwi_cost_model *cost_model) {
  const lwi_blocker_list *list = search->run->blockers;
  search->blockers = NULL;
  if (!list || list->count == 0) return true;
  const bool pays_dangers = cost_model->dangers || cost_model->link_dangers;
  if (pays_dangers && (cost_model->lanes || cost_model->link_lanes)) return true; /* no kind is left */
  const lwi_timed_kind kind = pays_dangers ? LWI_FIRE_LANE : LWI_DANGER;
  if (!lwi_blockers_begin(&scratch->blockers, &search->run->workspace->memory, search->nav->mesh, kind, list))
    return false;
  search->blockers = &scratch->blockers.costs;
  if (lwi_outline_index_is_empty(&scratch->blockers.outlines)) return true; /* of another navmesh */
  *(kind == LWI_DANGER ? &cost_model->dangers : &cost_model->lanes) = search->blockers;
  return true;
}

lw_status lwi_nav_search_begin(lwi_nav_search *search, const lwi_path_run *run, const lwi_nav *nav,
                               const lwi_reach *reach, const lwi_path_ends *ends, int max_nodes) {
  const lw_path_query *query = run->query;
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, nav);
  search->run = run;
  search->nav = nav;
  search->pays_timed = false;
  search->blockers = NULL;
  if (!scratch) return LW_OUT_OF_MEMORY;
  const lwi_watch *watched = query->threat_count > 0 ? &search->watch : NULL;
  lw_status status = watched ? lwi_path_run_watch(run, nav, scratch, &search->watch) : LW_OK;
  if (status != LW_OK) return status;
  const bool is_uniform = lwi_scene_is_uniform(run->scene, nav, run->prices);
  lwi_search_query asked = {
      .graph = &reach->graph,
      .from = ends->from.point,
      .to = ends->to.point,
      .from_region = ends->from_region,
      .to_region = ends->to_region,
      .cost_model = {.mesh = nav->mesh,
                     .prices = run->final_prices ? run->final_prices : run->prices,
                     .watch = watched},
      .search_prices = run->final_prices ? run->prices : NULL,
      .is_uniform = is_uniform,
      .is_uniform_elsewhere = !is_uniform && lwi_scene_is_uniform_elsewhere(run->scene, nav, run->prices),
      .is_open = reach->is_open,
      .has_landmarks = lwi_scene_has_landmarks(nav),
      .has_short_links = nav->short_links > 0,
      .is_sliced = run->is_sliced,
      .max_nodes = max_nodes,
      .quality = query->quality,
      .clearance = reach->clearance,
      .turn_radius = turn_radius_of(query),
  };
  status = add_points(run, nav, &asked);
  if (status != LW_OK) return status;
  add_timed_costs(search, scratch, &asked.cost_model);
  if (!add_blockers(search, scratch, &asked.cost_model)) return LW_OUT_OF_MEMORY;
  return lwi_path_search_begin(&search->search, &scratch->search, &asked, &run->workspace->path,
                               &run->scene->allocator);
}

lw_status lwi_nav_search_go_on(lwi_nav_search *search, lw_path **path) {
  lw_status status = lwi_path_search_go_on(&search->search, path);
  const bool is_watched = search->run->query->threat_count > 0 && search->watch.visibility;
  if (status == LW_OK && is_watched && search->watch.visibility->failed) {
    lw_path_destroy(*path);
    *path = NULL;
    status = LW_OUT_OF_MEMORY;
  }
  if (status == LW_OK) (*path)->navmesh = lwi_scene_index(search->run->scene, search->nav);
  if (status == LW_OK && search->blockers) lwi_blockers_settle(*path, search->blockers->kind);
  return status;
}

lw_status lwi_nav_search_so_far(lwi_nav_search *search, lw_path **path) {
  const lw_status status = lwi_path_search_so_far(&search->search, path);
  if (status == LW_OK) (*path)->navmesh = lwi_scene_index(search->run->scene, search->nav);
  return status;
}

lw_status lwi_path_run_search(const lwi_path_run *run, const lwi_nav *nav, const lwi_reach *reach,
                              const lwi_path_ends *ends, int max_nodes, lw_path **path) {
  lwi_nav_search search;
  const lw_status status = lwi_nav_search_begin(&search, run, nav, reach, ends, max_nodes);
  return status == LW_OK ? lwi_nav_search_go_on(&search, path) : status;
}

void lwi_path_run_timed_links(const lwi_path_run *run, const lwi_nav *nav, lwi_nav_scratch *scratch,
                              lwi_timed_costs costs[LWI_TIMED_KINDS],
                              const lwi_timed_costs *found[LWI_TIMED_KINDS]) {
  const bool has_links = nav->mesh->links.count > 0 || run->scene->links.count > 0;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    const bool pays =
        has_links && lwi_scene_timed_anywhere(run->scene, (lwi_timed_kind)kind, nav, run->query->profile,
                                              &scratch->timed[kind], &costs[kind]);
    found[kind] = pays ? &costs[kind] : NULL;
  }
}

bool lwi_path_run_may_cross(const lwi_path_run *run) {
  return run->scene->links.count > 0 && run->query->navmesh == LW_NAVMESH_FITTING;
}

lw_status lwi_path_run_place_start(const lwi_path_run *run, const lwi_nav **nav, lw_location *from) {
  const lw_path_query *query = run->query;
  const lwi_place_query place = {query->navmesh, query->from, query->snap, query->profile};
  return lwi_scene_place(run->scene, &place, nav, from) == LW_OK ? LW_OK : LW_NO_START;
}

static lw_status place_goal(const lwi_path_run *run, const lwi_nav *nav, lw_location *to) {
  return lw_navmesh_nearest(nav->mesh, run->query->to, lwi_path_run_goal_snap(run), &run->prices->filter, to);
}

lw_status lwi_path_run_find_ends(const lwi_path_run *run, const lwi_nav *nav, lw_location from,
                                 lwi_path_start *start) {
  nav_run at;
  lw_location to;
  const bool has_goal = place_goal(run, nav, &to) == LW_OK;
  if (!has_goal && !run->query->allow_partial) return LW_NO_GOAL;
  lw_status status = begin_nav(&at, run, nav, from);
  if (status != LW_OK) return status;
  if (has_goal) at.ends.to = to;
  status = find_ends(&at, has_goal);
  *start = (lwi_path_start){nav, at.reach, at.ends, at.partial};
  return status;
}

lw_status lwi_path_run_reach_ends(lwi_path_run *run, const lwi_nav *nav, lw_location from,
                                  lwi_path_start *start) {
  const lw_status status = lwi_path_run_find_ends(run, nav, from, start);
  if (status != LW_NO_GOAL || !(run->goal_reach > 0)) return status;
  run->is_reaching = true;
  return lwi_path_run_find_ends(run, nav, from, start);
}

static lw_status find_within(const lwi_path_run *run, const lwi_nav *nav, lw_location from, lw_path **path) {
  lwi_path_start start;
  if (lwi_path_run_may_cross(run)) return lwi_inter_path_find(run, nav, from, path);
  lw_status status = lwi_path_run_find_ends(run, nav, from, &start);
  if (status == LW_OK)
    status = lwi_path_run_search(run, nav, start.reach, &start.ends, run->query->max_nodes, path);
  if (status != LW_OK) return status;
  (*path)->partial = start.is_partial;
  return start.is_partial ? LW_PARTIAL : LW_OK;
}

lw_status lwi_path_run_find(const lwi_path_run *run, lw_path **path) {
  if (run->query->goal_count > 0) return lwi_path_goals_find(run, path);
  const lwi_nav *nav;
  lw_location from;
  const lw_status status = lwi_path_run_place_start(run, &nav, &from);
  return status == LW_OK ? find_within(run, nav, from, path) : status;
}

lw_status lwi_path_run_find_from(const lwi_path_run *run, const lwi_nav *nav, lw_location from,
                                 lw_path **path) {
  const lw_status status = find_within(run, nav, from, path);
  if (status != LW_NO_GOAL || !(run->goal_reach > 0)) return status;
  lwi_path_run farther = *run;
  farther.is_reaching = true;
  return find_within(&farther, nav, from, path);
}

/* --- mending -------------------------------------------------------------------------------------------------------- */

/* A path that was searched to nearly the same place ends there. [m] */
#define SAME_END 1e-3f

bool lwi_path_run_is_steady(const lwi_path_run *run, const lwi_nav *nav) {
  if (run->query->threat_count > 0 || lwi_path_run_may_cross(run)) return false;
  if (run->blockers && run->blockers->count > 0) return false; /* they may go */
  const bool has_links = nav->mesh->links.count > 0;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++)
    if (!lwi_outline_index_is_empty(&nav->outlines[kind]) ||
        (has_links && run->scene->timed[kind].ids.count > 0))
      return false;
  return true;
}

static lw_status mend_within(const nav_run *at, const lwi_mend *mend, lw_path **path) {
  const lwi_path_run *run = at->run;
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, at->nav);
  if (!scratch) return LW_OUT_OF_MEMORY;
  const lwi_search_query search = {.graph = &at->reach->graph,
                                   .from = at->ends.from.point,
                                   .to = at->ends.to.point,
                                   .from_region = at->ends.from_region,
                                   .to_region = at->ends.to_region,
                                   .cost_model = {.mesh = at->nav->mesh, .prices = run->prices},
                                   .max_nodes = run->query->max_nodes,
                                   .quality = run->query->quality,
                                   .turn_radius = turn_radius_of(run->query)};
  lw_status status = lwi_path_mend(&scratch->search, &search, &run->workspace->path, mend, path);
  if (status == LW_OK) (*path)->navmesh = lwi_scene_index(run->scene, at->nav);
  return status;
}

lw_status lwi_path_run_mend(const lwi_path_run *run, const lwi_nav *nav, lw_location from, const lwi_mend *mend,
                            lw_path **path) {
  nav_run at;
  *path = NULL;
  lw_status status = begin_nav(&at, run, nav, from);
  if (status != LW_OK) return status;
  if (at.reach->clearance || place_goal(run, nav, &at.ends.to) != LW_OK) return LW_NO_PATH;
  status = find_ends(&at, true);
  if (status != LW_OK) return status;
  const lw_path *old = mend->path;
  if (lwi_distance(old->points[old->point_count - 1], at.ends.to.point) > SAME_END) return LW_NO_PATH;
  return mend_within(&at, mend, path);
}

lw_status lwi_path_run_rejoin(lwi_path_run *run, const lwi_nav *nav, lw_location from, const lwi_mend *mend,
                              lw_path **path) {
  lwi_path_start start;
  lwi_nav_search search;
  *path = NULL;
  if (mend->path->link_count > 0 || mend->path->navmesh != lwi_scene_index(run->scene, nav)) return LW_NO_PATH;
  lw_status status = lwi_path_run_reach_ends(run, nav, from, &start);
  if (status == LW_OK && (start.reach->clearance || start.is_partial)) status = LW_NO_PATH;
  if (status == LW_OK)
    status = lwi_nav_search_begin(&search, run, nav, start.reach, &start.ends, run->query->max_nodes);
  if (status == LW_OK)
    status = lwi_path_rejoin(search.search.search, &search.search.asked, &run->workspace->path, mend, path);
  if (status == LW_OK) (*path)->navmesh = lwi_scene_index(run->scene, nav);
  return status;
}

lwi_path_run lwi_path_run_of(const lwi_scene *scene, lw_workspace *workspace, const lw_path_query *query,
                             const lw_filter *limits) {
  lwi_prices *scratch = &workspace->prices;
  const float visibility =
      query->visibility >= 0 ? query->visibility : lwi_scene_visibility(scene, query->team);
  const lwi_prices *prices = lwi_scene_prices(scene, query->profile, visibility, scratch);
  if (limits) {
    if (prices != scratch) *scratch = *prices;
    lwi_prices_limit(scratch, limits);
    prices = scratch;
  }
  return (lwi_path_run){.scene = scene, .workspace = workspace, .query = query, .prices = prices};
}

lw_status lw_path_find(const lw_world *world, lw_workspace *workspace, const lw_path_query *query,
                       lw_path **path) {
  if (!path) return LW_INVALID;
  *path = NULL;
  if (!world || !query) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  lw_workspace *own = lwi_workspace_of(scene, workspace);
  if (!own) return LW_INVALID;
  lw_status status = lwi_path_query_check(scene, query);
  if (status != LW_OK) return status;
  lwi_path_run run = lwi_path_run_of(scene, own, query, NULL);
  run.is_cold =
      scene->stepping && !scene->may_use_tables((lw_world *)world, query); /* a step is one thread's */
  return lwi_path_run_find(&run, path);
}

/* --- connected? ----------------------------------------------------------------------------------------------------- */

lw_path_exists_query lw_path_exists_query_default(void) {
  return (lw_path_exists_query){.snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .cookie = LWI_COOKIE};
}

static lw_status check_on(const lwi_path_run *run, const lwi_nav *nav, lw_location from, bool *connected) {
  lwi_path_start start;
  const lw_status status = lwi_path_run_find_ends(run, nav, from, &start);
  *connected = status == LW_OK;
  return status == LW_NO_PATH ? LW_OK : status;
}

lw_status lw_path_exists(const lw_world *world, lw_workspace *workspace, const lw_path_exists_query *query,
                         bool *connected) {
  if (!connected) return LW_INVALID;
  *connected = false;
  if (!world || !query) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  lw_workspace *own = lwi_workspace_of(scene, workspace);
  if (!own || query->cookie != LWI_COOKIE || !lwi_finite(query->from) || !lwi_finite(query->to) ||
      !lwi_is_snap(query->snap) || !lwi_scene_has(scene, query->navmesh))
    return LW_INVALID;
  lw_path_query ends = lw_path_query_default();
  ends.from = query->from;
  ends.to = query->to;
  ends.snap = query->snap;
  ends.profile = query->profile;
  ends.navmesh = query->navmesh;
  const lwi_path_run run = {.scene = scene,
                            .workspace = own,
                            .query = &ends,
                            .prices = query->profile ? &query->profile->prices : &scene->plain};
  const lwi_nav *nav;
  lw_location from;
  lw_status status = lwi_path_run_place_start(&run, &nav, &from);
  if (status != LW_OK) return status;
  return lwi_path_run_may_cross(&run) ? lwi_inter_path_exists(&run, nav, from, connected)
                                      : check_on(&run, nav, from, connected);
}

/* --- explaining beside the shortest path ---------------------------------------------------------------------------- */

/* Areas, links and size as for the agent, but every metre costs one. */
static void make_plain(const lwi_prices *own, lwi_prices *plain) {
  lwi_prices_plain(plain);
  lwi_prices_limit(plain, &own->filter);
  plain->by_length = true;
}

static lw_status find_plain(lwi_path_run run, const lw_location *lead, lw_path **path) {
  const lwi_prices *own = run.prices;
  lwi_prices plain;
  make_plain(own, &plain);
  run.prices = &plain;
  run.final_prices = own;
  *path = NULL;
  lw_status status = lwi_path_run_find(&run, path);
  if (status == LW_PARTIAL) status = LW_OK;
  if (status != LW_OK || !lead) return status;
  const lw_navmesh *mesh = run.scene->meshes[(*path)->navmesh];
  return lwi_path_lead_in(*path, *lead, mesh, own) ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status compare(const lwi_scene *scene, lw_workspace *workspace, const lw_path *path,
                         const lwi_explain_query *asked, lw_path **plain) {
  if (asked->query->threat_count != path->threat_count) return LW_INVALID;
  lw_status status = lwi_path_query_check(scene, asked->query);
  if (status != LW_OK) return status;
  lw_path_query query = *asked->query;
  if (query.goal_count > 0) {
    if (path->goal >= query.goal_count) return LW_INVALID;
    query.to = query.goals[path->goal];
    query.goal_count = 0;
  }
  return find_plain(lwi_path_run_of(scene, workspace, &query, asked->limits), asked->lead, plain);
}

lw_status lwi_path_explain(const lw_path *path, const lwi_scene *scene, lw_workspace *workspace,
                           const lwi_explain_query *asked, lw_explanation **explanation) {
  lw_explanation *e = lwi_explain(path, &path->memory.allocator);
  *explanation = e;
  if (!e) return LW_OUT_OF_MEMORY;
  if (!scene || !asked->query) return LW_OK;
  lw_path *plain = NULL;
  lw_status status = compare(scene, workspace, path, asked, &plain);
  if (status == LW_OK && !lwi_explain_beside(e, plain)) status = LW_OUT_OF_MEMORY;
  if (status != LW_OK) e->comparison.status = status;
  lw_path_destroy(plain);
  return LW_OK;
}

lw_status lw_path_explain(const lw_path *path, const lw_world *world, lw_workspace *workspace,
                          const lw_path_query *query, lw_explanation **explanation) {
  if (!explanation) return LW_INVALID;
  *explanation = NULL;
  if (!path) return LW_INVALID;
  const lwi_scene *scene = world ? lwi_scene_of(world) : NULL;
  const lwi_explain_query asked = {.query = query};
  lw_workspace *own = scene ? lwi_workspace_of(scene, workspace) : NULL;
  return scene && !own ? LW_INVALID : lwi_path_explain(path, scene, own, &asked, explanation);
}
