/* The cheapest of several goals. A lower bound on the cost of each takes no search: distances from landmarks, by length or at
   the profile's prices. Goals are searched for in the order of their bounds, so that mostly one or two are. */
#include "query/path_goals.h"

#include "core/sort.h"
#include "core/status.h"
#include "core/vec3.h"
#include "mesh/landmarks.h"
#include "query/path_query.h"

#include <math.h>
#include <stdlib.h>

/* Lower bounds hold but for rounding. */
#define BOUND 0.9999f
/* Those at the profile's prices are measured over points of portals. Paths that cross portals between them cost less than by
   way of them, on most grounds by a hundredth or two, and up to a metre at each end. */
#define BOUND_BY_PRICES 0.9f
#define LOSS_AT_ENDS 0.5f

typedef struct goals_run {
  const lwi_path_run *path;
  const lwi_nav *nav; /* of the start */
  lw_location from;
  bool crosses;         /* paths may lead over several navmeshes */
  lw_path_query single; /* the query for one goal */
  lwi_path_run one;     /* the run of that */
  lwi_goals_scratch *scratch;
  lw_status failure; /* why goals are passed over */
  int nodes;         /* expanded so far */
  bool is_cut_off;   /* a search ended by max_nodes */
} goals_run;

/* --- lower bounds ------------------------------------------------------------------------------------------------- */

/* By landmarks, over the ground as seen from above. [m] */
static float bound_by_landmarks(const lw_navmesh *mesh, const lwi_goal *goal) {
  const lwi_landmarks *landmarks = lwi_landmarks_of(mesh);
  if (landmarks->count == 0) return 0;
  const lwi_landmark_place from = lwi_landmark_place_of(
                               mesh, lwi_origin_of(mesh, lwi_poly_index(mesh, goal->from.poly)),
                               goal->from.point),
                           to = lwi_landmark_place_of(
                               mesh, lwi_origin_of(mesh, lwi_poly_index(mesh, goal->to.poly)), goal->to.point);
  return lwi_landmark_bound_between(landmarks, &from, &to);
}

/* By landmarks at the profile's prices. */
static float bound_by_prices(const goals_run *run, const lwi_goal *goal) {
  const lwi_path_run *path = run->path;
  const lw_navmesh *mesh = run->nav->mesh;
  if (path->is_cold || lwi_scene_is_uniform(path->scene, run->nav, path->prices) ||
      !lwi_scene_has_price_table(path->scene, run->nav, path->prices))
    return 0;
  const lwi_price_table *table = lwi_workspace_price_table(path->workspace, run->nav, path->prices);
  if (!table) return 0; /* the search says that there is no memory */
  const uint32_t from = lwi_origin_of(mesh, lwi_poly_index(mesh, goal->from.poly)),
                 to = lwi_origin_of(mesh, lwi_poly_index(mesh, goal->to.poly));
  const float at_ends = lwi_price_on(path->prices, mesh, lwi_poly_index(mesh, goal->from.poly)) +
                        lwi_price_on(path->prices, mesh, lwi_poly_index(mesh, goal->to.poly));
  if (at_ends == INFINITY) return 0; /* the agent stands where it may not */
  const lwi_price_row at_start = lwi_price_row_at(table, from, goal->from.point),
                      at_goal = lwi_price_row_at(table, to, goal->to.point);
  return BOUND_BY_PRICES * lwi_price_bound_between(table, at_start.from, &at_goal) - LOSS_AT_ENDS * at_ends;
}

/* On one navmesh. */
static float bound_within(const goals_run *run, const lwi_goal *goal) {
  const lwi_nav *nav = run->nav;
  if (!lwi_scene_has_landmarks(nav)) return 0;
  const float length =
      lwi_max(lwi_distance(goal->from.point, goal->to.point), bound_by_landmarks(nav->mesh, goal));
  const lwi_path_run *path = run->path;
  float price = path->prices->lowest;
  if (lwi_scene_is_uniform(path->scene, nav, path->prices))
    price = lwi_max(price, lwi_scene_one_price(path->scene, nav, path->prices));
  return BOUND * lwi_max(length * price, bound_by_prices(run, goal));
}

/* Length of a path over short links at least. [m] */
static float bound_over_links(const lwi_scene *scene, lw_vec3 from, lw_vec3 to) {
  float before = INFINITY, link = INFINITY, behind = INFINITY;
  for (int i = 0; i < scene->short_count; i++) {
    before = lwi_min(before, lwi_scene_distance(scene, from, scene->shorts[i].start));
    link = lwi_min(link, scene->shorts[i].length);
    behind = lwi_min(behind, lwi_scene_distance(scene, scene->shorts[i].end, to));
  }
  return before + link + behind;
}

/* Over several navmeshes. Both ends may yet be moved for the agent's radius, and to another navmesh. */
static float bound_across(const goals_run *run, lw_location to) {
  const lwi_scene *scene = run->path->scene;
  const lw_path_query *query = &run->single;
  const bool is_large = run->path->prices->filter.radius > run->nav->mesh->agent.radius;
  const float loss = (is_large ? 4.0f : 2.0f) * lwi_length(query->snap) + run->nav->mesh->agent.climb;
  const float length = lwi_min(lwi_scene_distance(scene, run->from.point, to.point),
                               bound_over_links(scene, run->from.point, to.point));
  return BOUND * lwi_max(0, length - loss) * run->path->prices->lowest;
}

/* --- goals that can be reached ------------------------------------------------------------------------------------ */

static lw_status place_across(const goals_run *run, lwi_goal *goal) {
  const lw_path_query *query = &run->single;
  const lwi_place_query place = {LW_NAVMESH_FITTING, query->to, query->snap, query->profile};
  const lwi_nav *nav;
  if (lwi_scene_place(run->path->scene, &place, &nav, &goal->to) != LW_OK) return LW_NO_GOAL;
  goal->bound = bound_across(run, goal->to);
  return LW_OK;
}

static lw_status place_within(const goals_run *run, lwi_goal *goal) {
  lwi_path_start start;
  const lw_status status = lwi_path_run_find_ends(&run->one, run->nav, run->from, &start);
  if (status != LW_OK) return status;
  const lwi_path_ends ends = start.ends;
  goal->from = ends.from;
  goal->to = ends.to;
  goal->from_region = ends.from_region;
  goal->to_region = ends.to_region;
  goal->bound = bound_within(run, goal);
  return LW_OK;
}

/* @return LW_OK; LW_NO_START; LW_OUT_OF_MEMORY. */
static lw_status list_goals(goals_run *run) {
  const lw_path_query *query = run->path->query;
  lwi_goals_scratch *scratch = run->scratch;
  scratch->count = 0;
  if (!lwi_reserve(&run->path->workspace->memory, &scratch->goals, &scratch->capacity, query->goal_count,
                   sizeof *scratch->goals))
    return LW_OUT_OF_MEMORY;
  for (int i = 0; i < query->goal_count; i++) {
    lwi_goal goal = {.index = i};
    run->single.to = query->goals[i];
    const lw_status status = run->crosses ? place_across(run, &goal) : place_within(run, &goal);
    if (status == LW_NO_START || status == LW_OUT_OF_MEMORY) return status;
    if (status == LW_OK) scratch->goals[scratch->count++] = goal;
    if (status == LW_NO_PATH) run->failure = LW_NO_PATH;
  }
  return LW_OK;
}

static int compare_goals(const void *a, const void *b) {
  const lwi_goal *left = a, *right = b;
  if (left->bound != right->bound) return left->bound < right->bound ? -1 : 1;
  return left->index - right->index;
}

/* --- searching ---------------------------------------------------------------------------------------------------- */

static lw_status search_goal(goals_run *run, const lwi_goal *goal, lw_path **path) {
  const lw_path_query *query = run->path->query;
  run->single.to = query->goals[goal->index];
  run->single.max_nodes = query->max_nodes - run->nodes;
  if (run->single.max_nodes < 1) return LW_OUT_OF_NODES;
  if (run->crosses) return lwi_inter_path_find(&run->one, run->nav, run->from, path);
  const lwi_path_ends ends = {goal->from, goal->to, goal->from_region, goal->to_region};
  const lwi_reach *reach = lwi_workspace_reach(run->path->workspace, run->nav, &run->path->prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  return lwi_path_run_search(&run->one, run->nav, reach, &ends, run->single.max_nodes, path);
}

/* Keep the cheaper of two paths; of equally cheap ones, that to the earlier goal. */
static lw_path *cheaper(lw_path *best, lw_path *other) {
  const bool is_other =
      !best || other->cost < best->cost || (other->cost == best->cost && other->goal < best->goal);
  lw_path_destroy(is_other ? best : other);
  return is_other ? other : best;
}

static lw_status search_goals(goals_run *run, lw_path **best) {
  const lwi_goals_scratch *scratch = run->scratch;
  for (int i = 0; i < scratch->count && !run->is_cut_off; i++) {
    const lwi_goal *goal = &scratch->goals[i];
    lw_path *path = NULL;
    if (*best && goal->bound > (*best)->cost) break;
    const lw_status status = search_goal(run, goal, &path);
    if (status == LW_OUT_OF_MEMORY || status == LW_NO_START) return status;
    if (status == LW_OUT_OF_NODES) run->is_cut_off = true;
    if (status == LW_NO_PATH) run->failure = LW_NO_PATH;
    if (!path) continue;
    run->nodes += path->nodes;
    path->goal = goal->index;
    *best = cheaper(*best, path);
  }
  if (*best) (*best)->nodes = run->nodes;
  return LW_OK;
}

/* None can be reached: go near that goal which is nearest to the start. */
static lw_status find_partial(goals_run *run, lw_path **path) {
  const lw_path_query *query = run->path->query;
  int nearest = 0;
  for (int i = 1; i < query->goal_count; i++)
    if (lwi_distance(query->goals[i], query->from) < lwi_distance(query->goals[nearest], query->from))
      nearest = i;
  run->single.to = query->goals[nearest];
  run->single.max_nodes = query->max_nodes;
  run->single.allow_partial = true;
  const lw_status status = lwi_path_run_find(&run->one, path);
  if (*path) (*path)->goal = nearest;
  return status;
}

static lw_status find(goals_run *run, lw_path **path) {
  const lw_path_query *query = run->path->query;
  const lwi_place_query place = {query->navmesh, query->from, query->snap, query->profile};
  if (lwi_scene_place(run->path->scene, &place, &run->nav, &run->from) != LW_OK) return LW_NO_START;
  run->crosses = lwi_path_run_may_cross(run->path);
  lw_status status = list_goals(run);
  if (status != LW_OK) return status;
  lwi_sort(run->scratch->goals, (size_t)run->scratch->count, sizeof *run->scratch->goals, compare_goals);
  status = search_goals(run, path);
  if (status != LW_OK || *path) return status;
  if (run->is_cut_off) return LW_OUT_OF_NODES;
  if (run->crosses && run->scratch->count == 0) /* no goal has a place: has the start? */
    run->failure = lwi_inter_path_find(&run->one, run->nav, run->from, path);
  if (run->failure == LW_NO_START || run->failure == LW_OUT_OF_MEMORY) return run->failure;
  return query->allow_partial ? find_partial(run, path) : run->failure;
}

lw_status lwi_path_goals_find(const lwi_path_run *path_run, lw_path **path) {
  goals_run run = {.path = path_run,
                   .single = *path_run->query,
                   .one = *path_run,
                   .scratch = &path_run->workspace->goals,
                   .failure = LW_NO_GOAL};
  run.single.goals = NULL;
  run.single.goal_count = 0;
  run.single.allow_partial = false;
  run.one.query = &run.single;
  const lw_status status = find(&run, path);
  if (status == LW_OK || status == LW_PARTIAL) return status;
  lw_path_destroy(*path);
  *path = NULL;
  return status;
}
