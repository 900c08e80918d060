/// A navmesh whose tiles are all those of finished ones: most of them of one, its base. What follows from a
/// tile, or from neighbours that are both of the base, is copied. The same navmesh as one built from polygons,
/// but for how fine its grid is, and without landmarks.
#ifndef LW_MESH_KNOWN_H
#define LW_MESH_KNOWN_H

#include "mesh/mesh.h"

/// A tile of a finished navmesh, none of whose edges has LWI_BORDER_ANY.
typedef struct lwi_known_tile {
  const lw_navmesh *mesh;
  uint32_t index;
} lwi_known_tile;

/// Does a navmesh have tiles of that kind alone?
bool lwi_known_can_take(const lw_navmesh *mesh);

/// What is known. Begin with lwi_known_open(), end with lwi_known_close() in any case.
typedef struct lwi_known {
  lw_navmesh *mesh;            ///< That is built.
  const lwi_known_tile *tiles; ///< [mesh->tiles.count]
  const lw_navmesh *base;      ///< Most of them are its tiles.
  uint32_t *to;                ///< [base->tiles.count] Their numbers now; LWI_NONE: it is left out.
  uint8_t *is_mixed; ///< [mesh->tiles.count] Not of the base, or beside a tile that is not, or that it lost.
} lwi_known;
/// @return false: no memory.
bool lwi_known_open(lwi_known *known, lw_navmesh *mesh, const lwi_known_tile *tiles, uint32_t count);
void lwi_known_close(lwi_known *known);
/// The first tile at a place of the grid, or behind it.
uint32_t lwi_known_find_tile(const lw_navmesh *mesh, int x, int z);

/// Steps of building, in this order, in place of those of mesh.h and reduction.h. Each returns false when
/// memory runs out.
/// Tiles, polygons and detail. The arrays are allocated, but for boxes of detail triangles.
bool lwi_known_fill(const lwi_known *known);
bool lwi_known_link(const lwi_known *known);
bool lwi_known_grid(const lwi_known *known);
/// Dead ends and corners of walls: the reduction without landmarks.
bool lwi_known_reduction(const lwi_known *known);

/// How many different corners the tiles have, in all. @return false: no memory.
bool lwi_known_count_vertices(const lwi_known *known, uint32_t *count);

#endif
