/// What blocks sight in a navmesh whose tiles come from several.
#ifndef LW_BAKE_REPLACED_SIGHT_H
#define LW_BAKE_REPLACED_SIGHT_H

#include "bake/replace_tiles.h"
#include "sight/occluder.h"

/// Tiles that are looked at.
typedef struct lwi_tile_grid {
  lw_vec3 corner; ///< Of tile (0, 0). [m]
  double size;    ///< Of a tile. [m]
  int x0, z0, columns, rows;
} lwi_tile_grid;

/// How much blocks sight over a tile, however it is divided into facets.
typedef struct lwi_tile_sight {
  double area;    ///< By kind. [m2]
  double x, y, z; ///< First moments about the tile's corner. [m3]
} lwi_tile_sight;
/// @param wanted  [columns * rows] Others are left out.
/// @param[out] sights  [columns * rows] Zeroed before.
void lwi_tile_sights_measure(const lw_navmesh *mesh, const lwi_tile_grid *grid, const uint8_t *wanted,
                             lwi_tile_sight *sights);
/// Equal but for the rounding of facets that were cut?
bool lwi_tile_sights_are_same(const lwi_tile_grid *grid, const lwi_tile_sight *a, const lwi_tile_sight *b);

/// Take from each navmesh what of its occluders lies over its tiles, cut along their borders.
/// @param[out] occluders  The caller frees them. @return LW_OK, LW_LIMIT, LW_OUT_OF_MEMORY.
lw_status lwi_replaced_sight(const lwi_replaced *replaced, lwi_memory *memory, lwi_occluders *occluders);

#endif
