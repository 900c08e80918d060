/// Samples: points about LWI_CANDIDATE_SPACING apart on every polygon of a navmesh. Visibility samples: how
/// much of a body at each of them one set of threats sees, found once for as long as the threats stay. A search
/// estimates by them.
#ifndef LW_SIGHT_VISIBILITY_SAMPLES_H
#define LW_SIGHT_VISIBILITY_SAMPLES_H

#include "mesh/mesh.h"
#include "sight/exposure.h"
#include "sight/depth_cache.h"

/// The distance between samples; larger on very large navmeshes. [m]
#define LWI_CANDIDATE_SPACING 0.7f

/// The samples of one polygon: the centres of cells over its bounding rectangle; for centres outside the
/// polygon, the nearest point inside.
typedef struct lwi_sample_grid {
  uint32_t first;         ///< Number of its first sample.
  uint16_t columns, rows; ///< Along x, along z. [>= 1]
  float x, z;             ///< The rectangle's corner. [m]
  float per_metre[2];     ///< Columns, rows. [1/m]
} lwi_sample_grid;

/// Begin with lwi_samples_make().
typedef struct lwi_samples {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  uint32_t count;
  lwi_sample_grid *grids; ///< [mesh->polygon_count]
} lwi_samples;

/// @param mesh  Borrowed. @return false: out of memory.
bool lwi_samples_make(lwi_samples *samples, const lw_navmesh *mesh, lwi_memory *memory);
void lwi_samples_free(lwi_samples *samples);
/// A sample's point on the surface. @param sample  One of the polygon's.
lw_vec3 lwi_samples_place(const lwi_samples *samples, uint32_t polygon, uint32_t sample);

/// The column or row of an offset, clamped.
static inline int lwi_sample_step(float offset, float per_metre, int count) {
  int step = (int)(offset * per_metre);
  return step < 0 ? 0 : step < count ? step : count - 1;
}
/// The sample of a polygon in whose cell a point lies.
static inline uint32_t lwi_samples_at(const lwi_samples *samples, uint32_t polygon, lw_vec3 at) {
  const lwi_sample_grid *grid = &samples->grids[polygon];
  int column = lwi_sample_step(at.x - grid->x, grid->per_metre[0], grid->columns);
  int row = lwi_sample_step(at.z - grid->z, grid->per_metre[1], grid->rows);
  return grid->first + (uint32_t)(row * grid->columns + column);
}

typedef struct lwi_visibility_sample {
  uint32_t stamp; ///< The set of threats that it was found for; any other value: not found yet.
  float seen;     ///< Sum of weight x fall-off over the threats that see any height of a body there.
} lwi_visibility_sample;

/// Begin with zeros and `memory`.
typedef struct lwi_visibility_samples {
  lwi_memory *memory;
  const lwi_samples *samples;
  lwi_sight sight; ///< With the threats' maps.
  lw_exposure_query query;
  lw_threat threats[LWI_SEARCH_MAPS_MAX];
  lwi_depth_map *maps[LWI_SEARCH_MAPS_MAX];
  uint32_t over[LWI_SIGHT_OVER];
  uint32_t stamp;
  uint64_t screens;             ///< The lwi_screens.version that the samples were found with.
  lwi_visibility_sample *items; ///< [samples->count]
} lwi_visibility_samples;

/// Set the threats. Samples stay if threats, heights and screens are the same as before.
/// @param query  Its threats [0..LWI_SEARCH_MAPS_MAX] and heights. @param sight  With a map for each threat.
/// @return false: out of memory.
bool lwi_visibility_samples_turn(lwi_visibility_samples *visibility, const lwi_samples *samples,
                                 const lwi_sight *sight, const lw_exposure_query *query);
void lwi_visibility_samples_free(lwi_visibility_samples *visibility);
/// Find a sample that has not been found yet.
float lwi_visibility_samples_look(lwi_visibility_samples *visibility, uint32_t polygon, uint32_t sample);
/// How much of a body at about that point the threats see.
static inline float lwi_visibility_samples_at(lwi_visibility_samples *visibility, uint32_t polygon,
                                              lw_vec3 at) {
  uint32_t sample = lwi_samples_at(visibility->samples, polygon, at);
  const lwi_visibility_sample *item = &visibility->items[sample];
  return item->stamp == visibility->stamp ? item->seen
                                          : lwi_visibility_samples_look(visibility, polygon, sample);
}

#endif
