/* Noises: they go along the navmeshes, and agents hear those that a short enough walk leads to. */
#include "core/status.h"
#include "core/vec3.h"
#include "query/workspace.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

lw_noise lw_noise_default(void) {
  return (lw_noise){.loudness = 20, .snap = {2, 4, 2}, .cookie = LWI_COOKIE};
}

static lw_status check(const lw_noise *noise, lw_error *error) {
  const lw_status status = lwi_check_cookie(noise->cookie, "lw_noise", error);
  const lw_vec3 at = noise->at, snap = noise->snap;
  if (status != LW_OK) return status;
  if (!lwi_is_place(at))
    return lwi_fail(error, LW_INVALID, "at is (%g, %g, %g), expected finite numbers", (double)at.x,
                    (double)at.y, (double)at.z);
  if (!lwi_is_snap(snap))
    return lwi_fail(error, LW_INVALID, "snap is (%g, %g, %g), expected numbers above 0", (double)snap.x,
                    (double)snap.y, (double)snap.z);
  if (!(noise->loudness > 0 && noise->loudness <= LW_PROFILE_SIZE_MAX))
    return lwi_fail(error, LW_INVALID, "loudness is %g, expected metres > 0 and <= %d", (double)noise->loudness,
                    LW_PROFILE_SIZE_MAX);
  return lwi_check_team("team", noise->team, error);
}

/* A noise on one of the navmeshes. */
typedef struct spreading {
  lw_world *world;
  const lw_noise *noise;
  uint32_t team; /* its number; 0: none */
  const lwi_nav *nav;
  int navmesh;
  const lw_filter *filter;
  const lwi_reach_field *field; /* NULL: it stays in one polygon */
  lw_location from;
  int heard;
  bool missed; /* there was no memory */
} spreading;

/* The length of the walk from the noise to the agent; infinity: it is longer than the noise is loud. */
static float walk_to(const spreading *of, const lwi_agent *agent) {
  const lw_navmesh *mesh = of->nav->mesh;
  lw_location at = lwi_agent_footing(agent);
  float length = INFINITY;
  if (at.poly == 0 && lw_navmesh_nearest(mesh, at.point, of->noise->snap, of->filter, &at) != LW_OK)
    return length;
  if (at.poly == of->from.poly) length = lwi_distance(at.point, of->from.point);
  const uint32_t polygon = lwi_poly_index(mesh, at.poly);
  if (!of->field || polygon == LWI_NONE) return length;
  for (uint32_t i = of->field->last[polygon]; i != LWI_NONE; i = of->field->entries[i].before) {
    const lwi_reach_field_entry *entry = &of->field->entries[i];
    length = lwi_min(length, entry->cost + lwi_distance(entry->point, at.point));
  }
  return length;
}

static void reach(void *user, lwi_agent *agent) {
  spreading *of = user;
  const float range = lwi_agent_senses(agent)->hearing.range;
  if (!(range > 0) || agent->removal.pending || lwi_agent_footing_navmesh(agent) != of->navmesh) return;
  if (of->team != 0 && agent->knowledge.team_number == of->team) return;
  const float distance = walk_to(of, agent);
  if (!(distance <= lwi_min(range, of->noise->loudness))) return;
  if (!lwi_agent_make_senses(of->world, agent)) {
    of->missed = true;
    return;
  }
  const lw_heard heard = {.at = of->noise->at, .loudness = of->noise->loudness, .distance = distance};
  lwi_agent_hear(of->world, agent, &heard);
  of->heard += 1;
}

/* Let it be heard on one navmesh. @return LW_OK; LW_NO_POINT: it is not there; LW_OUT_OF_MEMORY. */
static lw_status spread(spreading *of) {
  const lwi_scene *scene = &of->world->scene;
  lw_workspace *own = lwi_workspace_of(scene, NULL);
  const lw_noise *noise = of->noise;
  uint32_t region;
  lw_status status = lw_navmesh_nearest(of->nav->mesh, noise->at, noise->snap, of->filter, &of->from);
  if (status != LW_OK) return LW_NO_POINT;
  lwi_nav_scratch *scratch = own ? lwi_workspace_nav(own, of->nav) : NULL;
  const lwi_reach *reaches = scratch ? lwi_workspace_reach(own, of->nav, of->filter) : NULL;
  if (!reaches) return LW_OUT_OF_MEMORY;
  status = lwi_placement_start(reaches, &scratch->region, noise->at, noise->snap, &of->from, &region);
  if (status != LW_OK) return status;
  of->field = region == LWI_NONE ? NULL : &scratch->field;
  if (of->field)
    status = lwi_reach_field_run(&scratch->field, &reaches->graph, of->from.point, region, &scene->plain,
                                 noise->loudness);
  if (status == LW_OK) lwi_world_visit_near(of->world, of->from.point, noise->loudness, reach, of);
  return status;
}

lw_status lw_world_noise(lw_world *world, const lw_noise *noise, int *heard, lw_error *error) {
  if (heard) *heard = 0;
  if (!world) return lwi_fail_null(error, "world");
  if (!noise) return lwi_fail_null(error, "noise");
  lw_status status = check(noise, error);
  if (status != LW_OK) return status;
  spreading of = {.world = world, .noise = noise, .filter = &world->scene.plain.filter};
  if (!lwi_team_number(world, noise->team ? noise->team : "", &of.team))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  bool is_anywhere = false;
  for (of.navmesh = 0; of.navmesh < world->scene.nav_count; of.navmesh++) {
    of.nav = &world->scene.navs[of.navmesh];
    status = spread(&of);
    if (status != LW_OK && status != LW_NO_POINT) return lwi_fail_status(error, status);
    is_anywhere |= status == LW_OK;
  }
  if (of.missed) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (!is_anywhere)
    return lwi_fail(error, LW_NO_START, "no navmesh within (%g, %g, %g) m of (%g, %g, %g)",
                    (double)noise->snap.x, (double)noise->snap.y, (double)noise->snap.z, (double)noise->at.x,
                    (double)noise->at.y, (double)noise->at.z);
  if (heard) *heard = of.heard;
  return LW_OK;
}
