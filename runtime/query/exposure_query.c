/* What threats see in a world: of a segment, and of the paths that a search compares. */
#include "core/status.h"
#include "core/vec3.h"
#include "query/path_query.h"
#include "sight/visibility_table.h"

#include <math.h>
#include <string.h>

/* --- for searches ------------------------------------------------------------------------------------------------- */

/* Distance of a threat from the straight line between the query's ends. */
static float beside(const lw_path_query *query, lw_vec3 at) {
  float t = lwi_part_along(query->from, query->to, at);
  return lwi_distance(at, lwi_lerp(query->from, query->to, fminf(1, fmaxf(0, t))));
}

static bool counts_for_more(const lw_path_query *query, const lw_threat *a, const lw_threat *b) {
  return a->weight != b->weight ? a->weight > b->weight : beside(query, a->at) < beside(query, b->at);
}

static int find_lightest(const lw_path_query *query, const lw_threat *threats, int count) {
  int lightest = 0;
  for (int i = 1; i < count; i++)
    if (counts_for_more(query, &threats[lightest], &threats[i])) lightest = i;
  return lightest;
}

/* The threats that a search estimates by: the heaviest, then those nearest to the straight line. Threats of weight 0 do not
   count. They stay in their order: as long as they are the same, the samples of what they see are kept.
   @param[out] threats  [LWI_ESTIMATE_THREATS_MAX] @return How many. */
static int choose_threats(const lw_path_query *query, lw_threat *threats) {
  int count = 0;
  for (int i = 0; i < query->threat_count; i++) {
    const lw_threat *threat = &query->threats[i];
    if (threat->weight == 0) continue;
    if (count == LWI_ESTIMATE_THREATS_MAX) {
      int lightest = find_lightest(query, threats, count);
      if (!counts_for_more(query, threat, &threats[lightest])) continue;
      memmove(threats + lightest, threats + lightest + 1, (size_t)(--count - lightest) * sizeof *threats);
    }
    threats[count++] = *threat;
  }
  return count;
}

/* Let the search estimate by samples what is seen. @return LW_OK, also where all is to be exact; LW_OUT_OF_MEMORY. */
static lw_status add_estimates(const lwi_path_run *run, const lwi_nav *nav, lwi_nav_scratch *scratch,
                               lwi_watch *watch) {
  lw_workspace *workspace = run->workspace;
  if (run->scene->sight.bare || run->scene->sight.map_limit == 0) return LW_OK;
  lw_threat threats[LWI_ESTIMATE_THREATS_MAX];
  uint32_t over[LWI_SIGHT_OVER];
  lw_exposure_query rough = watch->query;
  lwi_view_finder finder = {
      .sight = watch->sight, .memory = &workspace->memory, .scratch = &workspace->exposure};
  rough.threats = threats;
  rough.threat_count = choose_threats(run->query, threats);
  finder.sight.cache = NULL;
  finder.sight.over = lwi_sight_over(nav->mesh, threats, rough.threat_count, over);
  finder.samples = lwi_shared_samples(nav->shared, nav->base);
  if (!finder.samples ||
      !lwi_visibility_samples_turn(&scratch->visibility, &nav->shared->threat_views, &finder, &rough))
    return LW_OUT_OF_MEMORY;
  watch->visibility = &scratch->visibility;
  return LW_OK;
}

/* Of a weighted exposed metre. [metre-equivalents] */
static float factor_of(const lwi_path_run *run) {
  const lw_path_query *query = run->query;
  if (!query->profile) return 0;
  const float visibility =
      query->visibility >= 0 ? query->visibility : lwi_scene_visibility(run->scene, query->team);
  return (query->profile->def.cover_bias - 1) * visibility;
}

void lwi_path_run_watch_plain(const lwi_path_run *run, const lwi_nav *nav, lwi_watch *watch) {
  const lw_path_query *query = run->query;
  *watch = (lwi_watch){.mesh = nav->mesh,
                       .sight = lwi_workspace_sight(run->workspace),
                       .query = lw_exposure_query_default(),
                       .factor = factor_of(run),
                       .memory = &run->workspace->memory,
                       .scratch = &run->workspace->exposure};
  /* Samples of what is seen are shared by agents that the same screens hide. */
  watch->sight.spared = lwi_screens_are_carried(&run->scene->sight.screens, run->spared) ? run->spared : 0;
  watch->query.threats = query->threats;
  watch->query.accuracy = query->accuracy;
  watch->query.threat_count = query->threat_count;
  watch->query.height_count = query->height_count;
  for (int i = 0; i < query->height_count; i++) watch->query.heights[i] = query->heights[i];
  for (int i = 0; i < query->threat_count; i++) watch->worst += watch->factor * query->threats[i].weight;
}

lw_status lwi_path_run_watch(const lwi_path_run *run, const lwi_nav *nav, lwi_nav_scratch *scratch,
                             lwi_watch *watch) {
  const lw_path_query *query = run->query;
  lwi_path_run_watch_plain(run, nav, watch);
  watch->sight.ground = nav->mesh;
  watch->sight.over = lwi_sight_over(nav->mesh, query->threats, query->threat_count, scratch->threats_over);
  return watch->factor > 0 ? add_estimates(run, nav, scratch, watch) : LW_OK;
}

/* --- of a segment ------------------------------------------------------------------------------------------------- */

/* Longer segments are seldom over one polygon. [m] */
#define TABLE_LENGTH 6.0f

/* Use the visibility table for a segment that is over one polygon. */
static void use_table(const lwi_scene *scene, lw_workspace *workspace, const lw_exposure_query *query,
                      lwi_sight *sight) {
  const lw_navmesh *mesh = scene->nav_count == 1 ? scene->meshes[0] : NULL;
  if (!mesh || !lwi_visibility_table_pay(mesh) || lwi_distance(query->from, query->to) > TABLE_LENGTH) return;
  sight->polygon = lwi_visibility_table_over(mesh, lwi_add(query->from, lwi_vec3(0, LWI_VISIBILITY_MIDDLE, 0)));
  if (sight->polygon == LWI_NONE || !lwi_visibility_table_hold(mesh, sight->polygon, query->to, query->to,
                                                               LWI_VISIBILITY_MIDDLE, LWI_VISIBILITY_MIDDLE))
    return;
  sight->ground = mesh;
  sight->over = lwi_sight_over(mesh, query->threats, query->threat_count, workspace->threats_over);
}

lw_status lw_exposure_find(const lw_world *world, lw_workspace *workspace, const lw_exposure_query *query,
                           lw_exposure *exposure) {
  if (exposure) *exposure = (lw_exposure){0};
  if (!world || !query || !exposure) return LW_INVALID;
  lw_workspace *own = lwi_workspace_of(lwi_scene_of(world), workspace);
  return own ? lwi_exposure_of(own, query, 0, exposure) : LW_INVALID;
}

lw_status lwi_exposure_of(lw_workspace *own, const lw_exposure_query *query, uint32_t spared,
                          lw_exposure *exposure) {
  const lwi_scene *scene = own->scene;
  if (!lwi_exposure_check(query)) return LW_INVALID;
  lw_status status = lwi_scene_check_accuracy(scene, query->accuracy);
  if (status != LW_OK) return status;
  lwi_sight sight = lwi_workspace_sight(own);
  sight.spared = spared;
  use_table(scene, own, query, &sight);
  status = lwi_exposure_find(&sight, query, &own->memory, &own->exposure, exposure);
  if (status != LW_OK) *exposure = (lw_exposure){0};
  return status;
}

bool lwi_scene_sees(const lwi_scene *scene, lw_vec3 eye, lw_vec3 target, bool shots, uint32_t spared) {
  const lwi_scene_sight *sight = &scene->sight;
  if (!lwi_is_place(eye) || !lwi_is_place(target)) return false;
  return lwi_sets_see(sight->sets, sight->count, eye, target, !shots) &&
         lwi_screens_see(&sight->screens, eye, target, !shots, spared);
}

bool lw_world_sees(const lw_world *world, lw_vec3 eye, lw_vec3 target, bool shots) {
  return world && lwi_scene_sees(lwi_scene_of(world), eye, target, shots, 0);
}
