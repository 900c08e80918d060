/// Walls: groups of upright facets in one plane.
#ifndef LW_BAKE_WALLS_H
#define LW_BAKE_WALLS_H

#include "sight/occluder.h"

/// A wall's plane, relative to the occluders' origin.
typedef struct lwi_wall_plane {
  double hx, hz;        ///< Horizontal unit normal of one of its two faces.
  double place, lean;   ///< At height y the wall is at place + lean * y along (hx, hz). [m]
  int first_facet, end; ///< Range in `order`.
  uint8_t kind;         ///< lw_cover_kind
} lwi_wall_plane;

typedef struct lwi_wall_facet {
  lw_vec3 corners[LWI_OCCLUDER_CORNERS]; ///< Relative to the occluders' origin. [m]
  lw_vec3 normal;                        ///< Of length 1.
  lw_box box;
  float area; ///< [m2]
  uint8_t count, kind;
  bool taken;
} lwi_wall_facet;

typedef struct lwi_walls {
  lwi_memory *memory;
  int facet_count, facet_capacity, wall_count, wall_capacity;
  lwi_wall_facet *facets;
  int *order; ///< [facet_count] Facets, wall by wall.
  lwi_wall_plane *walls;
} lwi_walls;

/// Find all walls. @return false: out of memory. Free them either way.
bool lwi_walls_find(lwi_walls *walls, const lwi_occluders *occluders, lwi_memory *memory);
/// Find the walls of some facets. With every facet that may share a wall with one of these among them, the
/// walls are those of all facets.
bool lwi_walls_find_some(lwi_walls *walls, const lwi_occluder_facet *facets, int count, lwi_memory *memory);
void lwi_walls_free(lwi_walls *walls);

/// Read a facet. @return false: it is no part of a wall.
bool lwi_wall_facet_read(const lwi_occluder_facet *facet, lwi_wall_facet *wall);
/// May two facets of walls be next to each other in one wall?
bool lwi_facets_may_share_wall(const lwi_wall_facet *a, const lwi_wall_facet *b);
/// The order of walls, by the first facet of each: the largest first. It does not depend on how the occluders
/// are grouped, so distant changes do not affect it.
int lwi_wall_seeds_compare(const lwi_wall_facet *a, const lwi_wall_facet *b);
static inline const lwi_wall_facet *lwi_wall_seed(const lwi_walls *walls, int wall) {
  return &walls->facets[walls->order[walls->walls[wall].first_facet]];
}

#endif
