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

/// A facet that went or came.
typedef struct lwi_facet_change {
  lwi_occluder_facet facet;
  lw_vec3 origin; ///< Of its occluders. [m]
} lwi_facet_change;
/// In which facets the occluders differ from those of the base. Begin with zeros.
typedef struct lwi_facet_changes {
  lwi_facet_change *items; ///< [count]
  int count, capacity;
  bool all; ///< It is not known.
} lwi_facet_changes;
void lwi_sight_changes_free(lwi_facet_changes *changes, lwi_memory *memory);

/// Take from each navmesh what of its occluders lies over its tiles, cut along their borders.
/// @param[out] occluders  The caller frees them.
/// @param[out] changes  Zeroed before. The caller frees it, whatever comes.
/// @return LW_OK, LW_LIMIT, LW_OUT_OF_MEMORY.
lw_status lwi_replaced_sight(const lwi_replaced *replaced, lwi_memory *memory, lwi_occluders *occluders,
                             lwi_facet_changes *changes);

#endif
