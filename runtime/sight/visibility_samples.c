#include "sight/visibility_samples.h"

#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* --- samples ------------------------------------------------------------------------------------------------------- */

/* The most samples of a navmesh; if there would be more, they lie further apart. */
#define SAMPLES_MAX (1u << 21)
#define STEPS_MAX 4096

static uint16_t steps_over(float length, float spacing) {
  float steps = roundf(length / spacing);
  return steps < 1 ? 1 : steps < STEPS_MAX ? (uint16_t)steps : STEPS_MAX;
}

static lwi_sample_grid grid_over(const lw_navmesh *mesh, uint32_t index, float spacing) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  lwi_sample_grid grid = {.columns = steps_over(frame.size_x, spacing),
                          .rows = steps_over(frame.size_z, spacing),
                          .x = frame.min_x,
                          .z = frame.min_z};
  if (frame.size_x > 0) grid.per_metre[0] = grid.columns / frame.size_x;
  if (frame.size_z > 0) grid.per_metre[1] = grid.rows / frame.size_z;
  return grid;
}

/* @return Whether there are few enough. */
static bool lay_out(lwi_samples *samples, float spacing) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < samples->mesh->polygons.count; i++) {
    lwi_sample_grid *grid = &samples->grids[i];
    *grid = grid_over(samples->mesh, i, spacing);
    grid->first = (uint32_t)count;
    count += (uint64_t)grid->columns * grid->rows;
    if (count > SAMPLES_MAX && count > samples->mesh->polygons.count) return false;
  }
  samples->count = (uint32_t)count;
  return true;
}

bool lwi_samples_make(lwi_samples *samples, const lw_navmesh *mesh, lwi_memory *memory) {
  *samples = (lwi_samples){.memory = memory, .mesh = mesh};
  samples->grids = lwi_alloc(memory, mesh->polygons.count * sizeof *samples->grids);
  if (!samples->grids) return false;
  for (float spacing = LWI_CANDIDATE_SPACING; !lay_out(samples, spacing);) spacing *= 2;
  return true;
}

void lwi_samples_free(lwi_samples *samples) {
  if (samples->grids)
    lwi_free(samples->memory, samples->grids, samples->mesh->polygons.count * sizeof *samples->grids);
  *samples = (lwi_samples){0};
}

lw_vec3 lwi_samples_place(const lwi_samples *samples, uint32_t index, uint32_t sample) {
  const lwi_sample_grid *grid = &samples->grids[index];
  const lwi_polygon polygon = lwi_polygon_get(samples->mesh, index);
  uint32_t row = (sample - grid->first) / grid->columns, column = (sample - grid->first) % grid->columns;
  lw_vec3 at = lwi_corner(&polygon, 0), place;
  if (grid->per_metre[0] > 0) at.x = grid->x + ((float)column + 0.5f) / grid->per_metre[0];
  if (grid->per_metre[1] > 0) at.z = grid->z + ((float)row + 0.5f) / grid->per_metre[1];
  lwi_polygon_closest(&polygon, at, &place);
  place.y = lwi_polygon_height(samples->mesh, index, place.x, place.z);
  return place;
}

/* --- visibility ---------------------------------------------------------------------------------------------------- */

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
  memset(visibility->items, 0, visibility->samples->count * sizeof *visibility->items);
  visibility->stamp = 1;
}

bool lwi_visibility_samples_turn(lwi_visibility_samples *visibility, const lwi_samples *samples,
                                 const lwi_sight *sight, const lw_exposure_query *query) {
  if (!visibility->items) {
    lwi_visibility_sample *items = lwi_alloc_zero(visibility->memory, samples->count * sizeof *items);
    if (!items) return false;
    *visibility = (lwi_visibility_samples){.memory = visibility->memory, .samples = samples, .items = items};
  }
  const uint64_t screens = sight->screens ? sight->screens->version : 0;
  bool same = visibility->stamp > 0 && is_same(visibility, query) && visibility->screens == screens &&
              visibility->sight.spared == sight->spared;
  visibility->screens = screens;
  visibility->query = *query;
  visibility->query.threats = visibility->threats;
  visibility->sight = *sight;
  visibility->sight.maps = visibility->maps;
  memcpy(visibility->maps, sight->maps, (size_t)query->threat_count * sizeof *sight->maps);
  if (sight->over) {
    memcpy(visibility->over, sight->over, (size_t)query->threat_count * sizeof *sight->over);
    visibility->sight.over = visibility->over;
  }
  if (same) return true;
  memcpy(visibility->threats, query->threats, (size_t)query->threat_count * sizeof *query->threats);
  forget(visibility);
  return true;
}

void lwi_visibility_samples_free(lwi_visibility_samples *visibility) {
  if (visibility->items)
    lwi_free(visibility->memory, visibility->items, visibility->samples->count * sizeof *visibility->items);
  *visibility = (lwi_visibility_samples){.memory = visibility->memory};
}

/* Points around a sample that are tested, so that a path along the very edge of a shadow does not count as
   hidden. [m] */
#define LOOKS 5
static const lw_vec3 ASIDE[LOOKS] = {
    {0, 0, 0}, {0.35f, 0, 0.15f}, {-0.15f, 0, 0.35f}, {-0.35f, 0, -0.15f}, {0.15f, 0, -0.35f}};

float lwi_visibility_samples_look(lwi_visibility_samples *visibility, uint32_t polygon, uint32_t sample) {
  lwi_visibility_sample *item = &visibility->items[sample];
  item->seen = lwi_exposure_about(&visibility->sight, &visibility->query,
                                  lwi_samples_place(visibility->samples, polygon, sample), ASIDE, LOOKS);
  item->stamp = visibility->stamp;
  return item->seen;
}
