/* Finding cover: candidates behind the walls around, examined in the order of the best score that each may still have. */
#include "query/cover_search.h"

#include "core/status.h"
#include "query/path_query.h"
#include "search/reach.h"
#include "sight/visibility_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of places nearer to each other than this only the best is returned. [m] */
#define APART 1.0f
/* From a wall to an agent that stands at it, beside the agent's radius: the navmesh ends about there. [m] */
#define GAP 0.1f
/* Segments whose ends are nearer to each other than this are as good as one, [m] */
#define SAME_SEGMENT 0.02f
/* and are compared with that number of segments before. */
#define RECENT 16
/* Rounding of one path's cost, computed twice. */
#define SAME_COST 1.00001f
/* When searches for single paths have expanded that number of nodes, one search bounds the lengths of all others... */
#define SINGLE_NODES 1000
/* ...and expands no more than this. */
#define BOUND_NODES 16384
/* Searches miss the shortest path by less than this part. */
#define NEARLY 0.995f

lw_cover_query lw_cover_query_default(void) {
  return (lw_cover_query){.radius = 20,
                          .snap = {2, 4, 2},
                          .stance = -1,
                          .max_cost = INFINITY,
                          .visibility = -1,
                          .weights = {1, 0.5f, 0.5f},
                          .navmesh = LW_NAVMESH_FITTING,
                          .cookie = LWI_COOKIE};
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

static bool is_weight(float weight) {
  return weight >= 0 && isfinite(weight);
}

static bool check_query(const lwi_scene *scene, const lw_cover_query *query) {
  lw_exposure_query exposure = lw_exposure_query_default();
  const lw_profile *profile = query->profile;
  int stances = profile ? profile->def.stance_count : LW_CROUCH + 1;
  const lw_vec3 *from = query->from ? query->from : &query->around;
  exposure.threats = query->threats;
  exposure.threat_count = query->threat_count;
  return query->cookie == LWI_COOKIE && lwi_finite(query->around) && lwi_finite(*from) && query->radius > 0 &&
         isfinite(query->radius) && lwi_is_snap(query->snap) && query->threat_count >= 1 &&
         lwi_exposure_check(&exposure) && query->stance >= -1 && query->stance < stances &&
         query->max_cost >= 0 &&
         (query->visibility == -1 || (query->visibility >= 0 && query->visibility <= 1)) &&
         is_weight(query->weights.protection) && is_weight(query->weights.flank) &&
         is_weight(query->weights.cost) && lwi_scene_has(scene, query->navmesh);
}

static lw_vec3 start_of(const lw_cover_query *query) {
  return query->from ? *query->from : query->around;
}

/* Where the agent comes from, and what it can reach from there. */
static lw_status begin(lw_workspace *workspace, const lwi_nav *nav, lw_location at, lwi_cover_seeker *seeker) {
  const lw_cover_query *query = seeker->query;
  const lwi_prices *prices = query->profile ? &query->profile->prices : &workspace->scene->plain;
  lwi_nav_scratch *scratch = lwi_workspace_nav(workspace, nav);
  uint32_t region;
  if (!scratch || !seeker->reach) return LW_OUT_OF_MEMORY;
  seeker->filter = &prices->filter;
  seeker->lowest_price = nav->short_links > 0 ? 0 : prices->lowest;
  seeker->work = &scratch->region;
  lw_status status =
      lwi_placement_start(seeker->reach, seeker->work, start_of(query), query->snap, &at, &region);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (region == LWI_NONE) return LW_NO_POINT;
  seeker->region = region;
  seeker->label = seeker->reach->labels[region];
  seeker->from = at.point;
  float baked_radius = lw_navmesh_get_agent(nav->mesh).radius;
  seeker->radius = query->profile ? query->profile->def.radius : baked_radius;
  seeker->standoff = fmaxf(seeker->radius, baked_radius) + GAP;
  return LW_OK;
}

static lw_status make_scratch(lw_workspace *workspace, lwi_cover_seeker *seeker) {
  lwi_cover_scratch *scratch = &workspace->cover;
  if (!lwi_reserve(&workspace->memory, &scratch->judged, &scratch->judged_capacity, seeker->query->threat_count,
                   sizeof *scratch->judged))
    return LW_OUT_OF_MEMORY;
  seeker->judged = scratch->judged;
  return LW_OK;
}

/* The walls around, nearest first. @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status find_segments(lw_workspace *workspace, const lwi_cover_seeker *seeker, int navmesh,
                               int *count) {
  lwi_cover_scratch *scratch = &workspace->cover;
  lw_cover_segment_query query = lw_cover_segment_query_default();
  query.around = seeker->query->around;
  query.radius = seeker->query->radius + seeker->standoff;
  query.profile = seeker->query->profile;
  query.navmesh = navmesh;
  const lwi_segment_search search = {&query, seeker->sight.spared};
  lw_status status =
      lwi_cover_segment_find(workspace->scene, &search, scratch->segments, scratch->segment_capacity, count);
  if (status != LW_OK || *count <= scratch->segment_capacity) return status;
  if (!lwi_reserve(&workspace->memory, &scratch->segments, &scratch->segment_capacity, *count,
                   sizeof *scratch->segments))
    return LW_OUT_OF_MEMORY;
  return lwi_cover_segment_find(workspace->scene, &search, scratch->segments, scratch->segment_capacity, count);
}

/* The segments that were looked at last: those of obstacles at one place come one after another. */
typedef struct recent_segments {
  const lw_cover_segment *items[RECENT]; /* [count, or all] */
  int count;
} recent_segments;

static bool is_same_segment(const lw_cover_segment *a, const lw_cover_segment *b) {
  return a->kind == b->kind && lwi_distance(a->a, b->a) < SAME_SEGMENT &&
         lwi_distance(a->b, b->b) < SAME_SEGMENT && fabsf(a->bottom - b->bottom) < SAME_SEGMENT &&
         fabsf(a->top - b->top) < SAME_SEGMENT;
}

/* Is there one like it, so that its places are the same? Else it is noted. */
static bool is_repeated(recent_segments *recent, const lw_cover_segment *segment) {
  for (int i = 0; i < RECENT && i < recent->count; i++)
    if (is_same_segment(recent->items[i], segment)) return true;
  recent->items[recent->count++ % RECENT] = segment;
  return false;
}

static lw_status gather(lw_workspace *workspace, const lwi_cover_seeker *seeker, int navmesh) {
  lwi_cover_scratch *scratch = &workspace->cover;
  recent_segments recent = {.count = 0};
  int segments = 0;
  scratch->count = 0;
  lw_status status = find_segments(workspace, seeker, navmesh, &segments);
  for (int i = 0; i < segments && status == LW_OK; i++)
    if (!is_repeated(&recent, &scratch->segments[i]) &&
        !lwi_cover_gather(seeker, &scratch->segments[i], scratch))
      status = LW_OUT_OF_MEMORY;
  return status;
}

/* --- the path there ----------------------------------------------------------------------------------------------- */

/* As the agent that walks it would search it. */
static lw_path_query query_to(const lwi_cover_seeker *seeker, const lw_cover_point *point) {
  lw_path_query query = lw_path_query_default();
  query.from = seeker->from;
  query.to = point->at.point;
  query.profile = seeker->query->profile;
  query.navmesh = point->navmesh;
  query.team = seeker->query->team;
  query.visibility = seeker->query->visibility;
  return query;
}

static void add_threats(const lwi_cover_seeker *seeker, lw_path_query *query) {
  const lw_stance *stance = lw_profile_get_stance(query->profile, LW_STAND);
  query->heights[0] = stance->body[0];
  query->heights[1] = stance->body[1];
  query->height_count = 2;
  query->threats = seeker->query->threats;
  query->threat_count = seeker->query->threat_count;
}

/* @return LW_OK; LW_NO_POINT: no path, or it costs too much; LW_OUT_OF_MEMORY. */
static lw_status price_path(lw_workspace *workspace, const lwi_cover_seeker *seeker, const lw_path_query *query,
                            lwi_cover_candidate *candidate) {
  lw_path *path = NULL;
  lwi_path_run run = lwi_path_run_of(workspace->scene, workspace, query, NULL);
  run.spared = seeker->sight.spared;
  lw_status status = lwi_path_run_find(&run, &path);
  if (status != LW_OK) return status == LW_OUT_OF_MEMORY ? status : LW_NO_POINT;
  candidate->point.cost = candidate->lower_bound = path->cost;
  candidate->point.exposed = path->exposed;
  lw_path_destroy(path);
  return candidate->lower_bound <= seeker->query->max_cost ? LW_OK : LW_NO_POINT;
}

/* The cost under threats of the path that is the cheapest without them: an upper bound on what a search with threats finds.
   @param[out] cost  Infinity: there is no path. @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status price_seen(lw_workspace *workspace, const lwi_cover_seeker *seeker, const lw_path_query *query,
                            float *cost, float *exposed) {
  lwi_path_run run = lwi_path_run_of(workspace->scene, workspace, query, NULL);
  run.spared = seeker->sight.spared;
  run.final_prices = run.prices;
  lw_path *path = NULL;
  lw_status status = lwi_path_run_find(&run, &path);
  *cost = status == LW_OK ? path->cost : INFINITY;
  *exposed = status == LW_OK ? path->exposed : 0;
  lw_path_destroy(path);
  return status == LW_OUT_OF_MEMORY ? status : LW_OK;
}

/* Does no threat see the path, so that it costs the same as without threats? Then all is known. */
static lw_status try_unseen(lw_workspace *workspace, const lwi_cover_seeker *seeker,
                            lwi_cover_candidate *candidate) {
  lw_path_query query = query_to(seeker, &candidate->point);
  float cost;
  add_threats(seeker, &query);
  lw_status status = price_seen(workspace, seeker, &query, &cost, &candidate->point.exposed);
  if (cost > candidate->lower_bound * SAME_COST) return status;
  candidate->known = LWI_CANDIDATE_PRICED;
  candidate->point.cost = candidate->lower_bound = cost;
  return status;
}

/* The path to a place costs no less than the path to a priced place, less the cost to go on from the one to the other. */
static lw_status compare_with(lw_workspace *workspace, const lwi_cover_seeker *seeker,
                              const lw_cover_point *priced, lwi_cover_candidate *candidate) {
  float away = lwi_distance(priced->at.point, candidate->point.at.point), cost, exposed;
  if (priced->cost - away * seeker->lowest_price <= candidate->lower_bound) return LW_OK;
  lw_path_query query = query_to(seeker, priced);
  query.from = candidate->point.at.point;
  add_threats(seeker, &query);
  lw_status status = price_seen(workspace, seeker, &query, &cost, &exposed);
  candidate->lower_bound = fmaxf(candidate->lower_bound, priced->cost - cost);
  return status;
}

/* Raise the bound by all that is known without a search under threats. */
static lw_status raise_bound(lw_workspace *workspace, const lwi_cover_seeker *seeker,
                             lwi_cover_candidate *candidate) {
  const lwi_cover_scratch *scratch = &workspace->cover;
  lw_status status = candidate->compared == 0 ? try_unseen(workspace, seeker, candidate) : LW_OK;
  int first = candidate->compared > 0 ? candidate->compared - 1 : 0;
  for (int i = first; i < scratch->priced_count && status == LW_OK && candidate->known != LWI_CANDIDATE_PRICED;
       i++)
    status = compare_with(workspace, seeker, &scratch->priced[i], candidate);
  candidate->compared = scratch->priced_count + 1;
  if (status != LW_OK) return status;
  return candidate->lower_bound <= seeker->query->max_cost ? LW_OK : LW_NO_POINT;
}

/* By a search under threats. */
static lw_status price_watched(lw_workspace *workspace, const lwi_cover_seeker *seeker,
                               lwi_cover_candidate *candidate) {
  lwi_cover_scratch *scratch = &workspace->cover;
  lw_path_query query = query_to(seeker, &candidate->point);
  add_threats(seeker, &query);
  candidate->known = LWI_CANDIDATE_PRICED;
  lw_status status = price_path(workspace, seeker, &query, candidate);
  if (status != LW_OK) return status;
  if (!lwi_reserve(&workspace->memory, &scratch->priced, &scratch->priced_capacity, scratch->priced_count + 1,
                   sizeof *scratch->priced))
    return LW_OUT_OF_MEMORY;
  scratch->priced[scratch->priced_count++] = candidate->point;
  return LW_OK;
}

static lw_status price_unseen(lw_workspace *workspace, const lwi_cover_seeker *seeker,
                              lwi_cover_candidate *candidate) {
  lw_path_query query = query_to(seeker, &candidate->point);
  candidate->known = seeker->query->watched ? LWI_CANDIDATE_REACHED : LWI_CANDIDATE_PRICED;
  const lw_status status = price_path(workspace, seeker, &query, candidate);
  const lwi_nav_scratch *scratch = lwi_workspace_nav(workspace, &workspace->scene->navs[query.navmesh]);
  if (scratch && workspace->cover.expanded >= 0) workspace->cover.expanded += scratch->search.expanded;
  return status;
}

/* --- all paths together ----------------------------------------------------------------------------------- */

static int compare_targets(const void *a, const void *b) {
  const lwi_taut_target *left = a, *right = b;
  if (left->region != right->region) return left->region < right->region ? -1 : 1;
  return left->item < right->item ? -1 : left->item > right->item;
}

/* The places of which the path is not known, by their regions. @return How many; -1: no memory. */
static int list_targets(lw_workspace *workspace, const lw_navmesh *mesh) {
  lwi_cover_scratch *scratch = &workspace->cover;
  int count = 0;
  if (!lwi_reserve(&workspace->memory, &scratch->targets, &scratch->target_capacity, scratch->count,
                   sizeof *scratch->targets))
    return -1;
  for (int i = 0; i < scratch->count; i++) {
    const lwi_cover_candidate *candidate = &scratch->candidates[i];
    if (candidate->known >= LWI_CANDIDATE_REACHED) continue;
    const lw_location *at = &candidate->point.at;
    scratch->targets[count++] = (lwi_taut_target){at->point, lwi_poly_index(mesh, at->poly), (uint32_t)i, 0};
  }
  if (count > 1) qsort(scratch->targets, (size_t)count, sizeof *scratch->targets, compare_targets);
  return count;
}

static void raise_bounds(const lwi_cover_seeker *seeker, lwi_cover_scratch *scratch, int count) {
  for (int i = 0; i < count; i++) {
    lwi_cover_candidate *candidate = &scratch->candidates[scratch->targets[i].item];
    const float cost = scratch->targets[i].length * seeker->lowest_price * NEARLY;
    candidate->lower_bound = fmaxf(candidate->lower_bound, cost);
    candidate->best_score = lwi_cover_score(seeker->query, &candidate->point, candidate->lower_bound);
  }
}

/* Places behind many walls are further than they look, so that there would be a search for each of them: one search tells
   how far they are at least. Agents that need space are not bounded. @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status bound_paths(lw_workspace *workspace, const lwi_nav *nav, const lwi_cover_seeker *seeker) {
  const lw_profile *profile = seeker->query->profile;
  lwi_cover_scratch *scratch = &workspace->cover;
  lwi_nav_scratch *nav_scratch = lwi_workspace_nav(workspace, nav);
  scratch->expanded = -1;
  if (seeker->reach->clearance || !(seeker->lowest_price > 0)) return LW_OK;
  const int count = list_targets(workspace, nav->mesh);
  if (count < 0 || !nav_scratch) return LW_OUT_OF_MEMORY;
  const lwi_search_query search = {
      .graph = &seeker->reach->graph,
      .from = seeker->from,
      .from_region = seeker->region,
      .cost_model = {.mesh = nav->mesh, .prices = profile ? &profile->prices : &workspace->scene->plain},
      .has_landmarks = lwi_scene_has_landmarks(nav),
      .max_nodes = BOUND_NODES};
  if (!lwi_taut_search_bound(&nav_scratch->search, &search, scratch->targets, count)) return LW_OUT_OF_MEMORY;
  raise_bounds(seeker, scratch, count);
  return LW_OK;
}

static lw_status judge(const lwi_cover_seeker *seeker, lwi_cover_candidate *candidate) {
  candidate->known = LWI_CANDIDATE_JUDGED;
  return lwi_cover_protect(seeker, &candidate->point) ? LW_OK : LW_OUT_OF_MEMORY;
}

/* Find out one thing more about a candidate, what is cheap to find out first.
   @return LW_OK; LW_NO_POINT: no path, or it costs too much; LW_OUT_OF_MEMORY. */
static lw_status examine(lw_workspace *workspace, const lwi_cover_seeker *seeker,
                         lwi_cover_candidate *candidate) {
  lw_status status;
  if (candidate->known == LWI_CANDIDATE_FOUND)
    status = judge(seeker, candidate);
  else if (candidate->known == LWI_CANDIDATE_JUDGED)
    status = price_unseen(workspace, seeker, candidate);
  else if (candidate->compared <= workspace->cover.priced_count)
    status = raise_bound(workspace, seeker, candidate);
  else
    status = price_watched(workspace, seeker, candidate);
  candidate->best_score = candidate->point.score =
      lwi_cover_score(seeker->query, &candidate->point, candidate->lower_bound);
  return status;
}

/* Is one of the better places so near that this one is left out? */
static bool is_beside_better(const lw_cover_point *points, int count, const lw_cover_point *point) {
  for (int i = 0; i < count; i++)
    if (lwi_distance(points[i].at.point, point->at.point) < APART) return true;
  return false;
}

/* Behind those that are no worse. Except for the error of a bound that is the end. */
static void insert(lw_cover_point *points, int count, const lw_cover_point *point) {
  for (; count > 0 && points[count - 1].score < point->score; count--) points[count] = points[count - 1];
  points[count] = *point;
}

/* @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status open_candidate(lw_workspace *workspace, uint32_t candidate) {
  lwi_cover_scratch *scratch = &workspace->cover;
  bool good =
      lwi_heap_push(&scratch->open, &workspace->memory, -scratch->candidates[candidate].best_score, candidate);
  return good ? LW_OK : LW_OUT_OF_MEMORY;
}

/* Examine the candidate with the best possible score until all is known of it: then it is the best. */
static lw_status choose(lw_workspace *workspace, const lwi_nav *nav, const lwi_cover_seeker *seeker,
                        const lwi_cover_results *results) {
  lwi_cover_scratch *scratch = &workspace->cover;
  lw_cover_point *points = results->points;
  const int capacity = results->capacity;
  int *count = results->count;
  lwi_heap_entry best;
  lw_status status = LW_OK;
  scratch->open.count = scratch->priced_count = scratch->expanded = 0;
  for (int i = 0; i < scratch->count && status == LW_OK; i++) status = open_candidate(workspace, (uint32_t)i);
  while (status == LW_OK && *count < capacity && lwi_heap_pop(&scratch->open, &best)) {
    lwi_cover_candidate *candidate = &scratch->candidates[best.item];
    if (is_beside_better(points, *count, &candidate->point)) continue;
    if (best.key < -candidate->best_score) { /* by now it is known to be worse */
      status = open_candidate(workspace, best.item);
      continue;
    }
    if (candidate->known == LWI_CANDIDATE_PRICED) {
      insert(points, (*count)++, &candidate->point);
      continue;
    }
    status = examine(workspace, seeker, candidate);
    if (scratch->expanded >= SINGLE_NODES && status != LW_OUT_OF_MEMORY &&
        bound_paths(workspace, nav, seeker) != LW_OK)
      status = LW_OUT_OF_MEMORY;
    if (status == LW_OK)
      status = open_candidate(workspace, best.item);
    else if (status == LW_NO_POINT)
      status = LW_OK;
  }
  if (status != LW_OK) return status;
  return *count > 0 ? LW_OK : LW_NO_POINT;
}

lw_status lwi_cover_search_check(const lwi_scene *scene, const lw_cover_query *query) {
  return check_query(scene, query) ? LW_OK : LW_INVALID;
}

static lw_status search(lw_workspace *workspace, const lwi_nav *nav, lw_location at, lwi_cover_seeker *seeker,
                        const lwi_cover_results *results) {
  const lw_cover_query *query = seeker->query;
  lw_status status = begin(workspace, nav, at, seeker);
  if (status != LW_OK) return status;
  seeker->sight.ground = nav->mesh;
  if (lwi_visibility_table_pay(nav->mesh))
    seeker->sight.over = lwi_sight_over(nav->mesh, query->threats, query->threat_count, seeker->over);
  lwi_cover_stances(seeker);
  status = make_scratch(workspace, seeker);
  if (status == LW_OK) status = gather(workspace, seeker, lwi_scene_index(workspace->scene, nav));
  return status == LW_OK ? choose(workspace, nav, seeker, results) : status;
}

lw_status lwi_cover_search(lw_workspace *workspace, const lw_cover_query *query, const lwi_cover_taken *taken,
                           int taken_count, const lwi_cover_results *results) {
  const lwi_scene *scene = workspace->scene;
  const lwi_place_query place = {query->navmesh, start_of(query), query->snap, query->profile};
  const lwi_nav *nav;
  lw_location at;
  if (lwi_scene_place(scene, &place, &nav, &at) != LW_OK) return LW_NO_START;
  const lwi_prices *prices = query->profile ? &query->profile->prices : &scene->plain;
  lwi_cover_seeker seeker = {
      .query = query,
      .sight = lwi_workspace_sight(workspace),
      .memory = &workspace->memory,
      .scratch = &workspace->exposure,
      .reach = lwi_components_acquire(&nav->shared->components, &prices->filter),
      .taken = taken,
      .taken_count = taken_count,
  };
  seeker.sight.cache = NULL; /* always exactly */
  if (!lw_agent_id_is_none(query->agent)) seeker.sight.spared = query->agent.slot + 1;
  lw_status status = search(workspace, nav, at, &seeker, results);
  lwi_components_release(&nav->shared->components, seeker.reach);
  return status;
}
