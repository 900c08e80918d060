/// Samples: points about LWI_CANDIDATE_SPACING apart on every polygon of a navmesh, by which searches estimate
/// what threats see.
#ifndef LW_SIGHT_SAMPLES_H
#define LW_SIGHT_SAMPLES_H

#include "mesh/mesh.h"

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

#endif
