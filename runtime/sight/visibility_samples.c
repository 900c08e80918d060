#include "sight/visibility_samples.h"

#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* --- the set of threats ----------------------------------------------------------------------------------- */

static bool is_same_threat(const lw_threat *a, const lw_threat *b) {
  return lwi_equal(a->at, b->at) && lwi_equal(a->facing, b->facing) && a->half_angle == b->half_angle &&
         a->range == b->range && a->weight == b->weight;
}

static bool is_same(const lwi_visibility_samples *visibility, const lw_exposure_query *query) {
  if (visibility->query.threat_count != query->threat_count ||
      visibility->query.height_count != query->height_count)
    return false;
  for (int i = 0; i < query->height_count; i++)
    if (visibility->query.heights[i] != query->heights[i]) return false;
  for (int i = 0; i < query->threat_count; i++)
    if (!is_same_threat(&visibility->threats[i], &query->threats[i])) return false;
  return true;
}

/* Drop all samples. */
static void forget(lwi_visibility_samples *visibility) {
  visibility->stamp += 1;
  if (visibility->stamp > 0) return;
  memset(visibility->items, 0, visibility->finder.samples->count * sizeof *visibility->items);
  visibility->stamp = 1;
}

static void release_views(lwi_visibility_samples *visibility) {
  for (int i = 0; i < visibility->view_count; i++)
    lwi_threat_views_release(visibility->from, visibility->views[i]);
  visibility->view_count = 0;
}

/* The new views first, so that those of threats that stay are not freed in between. */
static bool acquire_views(lwi_visibility_samples *visibility, lwi_threat_views *views,
                          const lw_exposure_query *query) {
  lwi_threat_view *found[LWI_ESTIMATE_THREATS_MAX];
  int count = 0;
  for (; count < query->threat_count; count++) {
    found[count] = lwi_threat_views_acquire(views, visibility->finder.samples, query->threats[count].at, query);
    if (!found[count]) break;
  }
  release_views(visibility);
  visibility->from = views;
  visibility->view_count = count;
  memcpy(visibility->views, found, (size_t)count * sizeof *found);
  return count == query->threat_count;
}

bool lwi_visibility_samples_turn(lwi_visibility_samples *visibility, lwi_threat_views *views,
                                 const lwi_view_finder *finder, const lw_exposure_query *query) {
  if (!visibility->items) {
    lwi_visibility_sample *items = lwi_alloc_zero(visibility->memory, finder->samples->count * sizeof *items);
    if (!items) return false;
    *visibility = (lwi_visibility_samples){.memory = visibility->memory, .items = items};
  }
  const lwi_screens *screens = finder->sight.screens;
  const uint64_t version = screens ? screens->version : 0;
  const bool same = visibility->stamp > 0 && is_same(visibility, query) && visibility->version == version &&
                    visibility->spared == finder->sight.spared;
  visibility->finder = *finder;
  visibility->finder.sight.screens = NULL;
  visibility->screens = screens && screens->count > 0 ? screens : NULL;
  visibility->spared = finder->sight.spared;
  visibility->version = version;
  visibility->failed = false;
  if (same) return true;
  visibility->stamp += visibility->stamp == 0;
  if (!acquire_views(visibility, views, query)) {
    visibility->query.threat_count = -1; /* the same as none */
    return false;
  }
  visibility->query = *query;
  visibility->query.threats = visibility->threats;
  visibility->has_over = finder->sight.over != NULL;
  if (finder->sight.over)
    memcpy(visibility->over, finder->sight.over, (size_t)query->threat_count * sizeof *visibility->over);
  memcpy(visibility->threats, query->threats, (size_t)query->threat_count * sizeof *query->threats);
  forget(visibility);
  return true;
}

void lwi_visibility_samples_free(lwi_visibility_samples *visibility) {
  release_views(visibility);
  if (visibility->items)
    lwi_free(visibility->memory, visibility->items,
             visibility->finder.samples->count * sizeof *visibility->items);
  *visibility = (lwi_visibility_samples){.memory = visibility->memory};
}

/* --- looking ---------------------------------------------------------------------------------------------- */

/* Points around a sample at which screens are asked for. [m] */
#define LOOKS 5
static const lw_vec3 ASIDE[LOOKS] = {
    {0, 0, 0}, {0.35f, 0, 0.15f}, {-0.15f, 0, 0.35f}, {-0.35f, 0, -0.15f}, {0.15f, 0, -0.35f}};

static bool is_unscreened(const lwi_visibility_samples *visibility, lw_vec3 eye, lw_vec3 at) {
  for (int i = 0; i < visibility->query.height_count; i++)
    if (lwi_screens_see(visibility->screens, eye, lwi_add(at, lwi_vec3(0, visibility->query.heights[i], 0)),
                        true, visibility->spared))
      return true;
  return false;
}

/* The part of the points about a sample that no screen hides. */
static float unscreened(const lwi_visibility_samples *visibility, lw_vec3 eye, lw_vec3 at) {
  int seen = 0;
  if (!visibility->screens) return 1;
  for (int i = 0; i < LOOKS; i++) seen += is_unscreened(visibility, eye, lwi_add(at, ASIDE[i]));
  return (float)seen / LOOKS;
}

float lwi_visibility_samples_look(lwi_visibility_samples *visibility, uint32_t polygon, uint32_t sample) {
  const lw_vec3 at = lwi_samples_place(visibility->finder.samples, polygon, sample);
  lwi_visibility_sample *item = &visibility->items[sample];
  float sum = 0;
  for (int i = 0; i < visibility->query.threat_count; i++) {
    const lw_threat *threat = &visibility->threats[i];
    const float fall_off = lwi_threat_fall_off(threat, &visibility->query, at);
    if (!(fall_off > 0)) continue;
    const uint32_t *over = visibility->has_over ? &visibility->over[i] : NULL;
    const float part = lwi_threat_view_part(visibility->views[i], &visibility->finder, over, polygon, sample);
    visibility->failed = visibility->failed || part < 0;
    if (part > 0) sum += threat->weight * fall_off * part * unscreened(visibility, threat->at, at);
  }
  item->seen = sum;
  item->stamp = visibility->stamp;
  return sum;
}
