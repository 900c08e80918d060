/// Spots: places about a metre apart on every polygon of a navmesh, for what is worth knowing once of each.
#ifndef LW_COVER_SPOTS_H
#define LW_COVER_SPOTS_H

#include "mesh/mesh.h"

/// From one spot to the next, more on very large navmeshes. [m]
#define LWI_SPOT_SPACING 0.7f

/// The spots of one polygon: the middles of cells over the rectangle about it, of those outside it the nearest place inside.
typedef struct lwi_spot_grid {
  uint32_t first;         ///< Number of its first spot.
  uint16_t columns, rows; ///< Along x, along z. [>= 1]
  float x, z;             ///< Where the rectangle begins. [m]
  float per_metre[2];     ///< Columns, rows. [1/m]
} lwi_spot_grid;

/// Begin with lwi_spots_make().
typedef struct lwi_spots {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  uint32_t count;
  lwi_spot_grid *grids; ///< [mesh->polygon_count]
} lwi_spots;

/// @param mesh  Borrowed. @return false: no memory.
bool lwi_spots_make(lwi_spots *spots, const lw_navmesh *mesh, lwi_memory *memory);
void lwi_spots_free(lwi_spots *spots);
/// On the surface. @param spot  One of that polygon's.
lw_vec3 lwi_spots_place(const lwi_spots *spots, uint32_t polygon, uint32_t spot);

static inline int lwi_spot_step(float way, float per_metre, int count) {
  int step = (int)(way * per_metre);
  return step < 0 ? 0 : step < count ? step : count - 1;
}
/// The spot of a polygon whose cell a place lies in.
static inline uint32_t lwi_spots_at(const lwi_spots *spots, uint32_t polygon, lw_vec3 at) {
  const lwi_spot_grid *grid = &spots->grids[polygon];
  int column = lwi_spot_step(at.x - grid->x, grid->per_metre[0], grid->columns);
  int row = lwi_spot_step(at.z - grid->z, grid->per_metre[1], grid->rows);
  return grid->first + (uint32_t)(row * grid->columns + column);
}

#endif
