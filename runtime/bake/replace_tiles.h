/// Navmeshes whose tiles come from several others of the same grid.
#ifndef LW_BAKE_REPLACE_TILES_H
#define LW_BAKE_REPLACE_TILES_H

#include "leeward/bake.h"
#include "mesh/mesh.h"

/// Which navmesh has what of a tile. NULL: there is nothing of it.
typedef struct lwi_replaced_tile {
  int x, z;                      ///< Place in the grid.
  const lw_navmesh *ground;      ///< Polygons, with heights, areas and openness.
  const lw_navmesh *sight;       ///< What blocks sight over the tile.
  const lw_navmesh *annotations; ///< Links that begin there, and water with its middle there.
} lwi_replaced_tile;

/// A navmesh with some tiles replaced.
typedef struct lwi_replaced {
  const lw_navmesh *base; ///< As it was baked, like all the others.
  lw_vec3 corner;         ///< Of tile (0, 0). [m]
  double size;            ///< Of a tile. [m]
  int count, source_count;
  lwi_replaced_tile *items;   ///< [count] In the order of the grid, each tile once.
  const lw_navmesh **sources; ///< [source_count] Each once, `base` last.
  bool is_whole;              ///< Nothing of the base is kept.
} lwi_replaced;
/// @return NULL: the tile stays that of `base`.
const lwi_replaced_tile *lwi_replaced_find(const lwi_replaced *replaced, int x, int z);

/// Has a navmesh a grid of tiles? @return LW_OK, LW_INVALID.
lw_status lwi_check_has_grid(const lw_navmesh *base, lw_error *error);
/// Can `base` take tiles of another navmesh? @return LW_OK, LW_INVALID.
lw_status lwi_check_same_grid(const lw_navmesh *base, const lw_navmesh *from, lw_error *error);
/// The columns and rows from the first to the last that has a tile; none: `low` is above `high`.
typedef struct lwi_tile_range {
  int low[2], high[2]; ///< x, z
} lwi_tile_range;
/// @param mesh  NULL: none.
lwi_tile_range lwi_tile_range_of(const lw_navmesh *mesh);
/// Can cover be found again when tiles change? @param name  Of the navmesh, for the message.
/// @return LW_OK, LW_INVALID.
lw_status lwi_check_sight(const lw_navmesh *mesh, const char *name, lw_error *error);
/// Where tile (0, 0) of a grid is, or would be. [m]
lw_vec3 lwi_grid_corner(const lw_navmesh *mesh);

/// Where a body of water counts as lying: the middle of its bounds. [m]
lw_vec3 lwi_water_middle(const lwi_annotations *from, const lwi_water *water);

/// Build the navmesh. All have been checked as above.
/// @param tiles  [count] In the order of the grid, each once.
/// @return As lw_navmesh_replace_tiles().
lw_status lwi_replace_tiles(const lw_navmesh *base, lwi_replaced_tile *tiles, int count,
                            const lw_allocator *allocator, lw_navmesh **result, lw_error *error);
/// The same, but computed from all tiles: tests compare the two.
lw_status lwi_replace_tiles_whole(const lw_navmesh *base, lwi_replaced_tile *tiles, int count,
                                  const lw_allocator *allocator, lw_navmesh **result, lw_error *error);
/// As lw_navmesh_replace_tiles(), but tiles may exist nowhere: those of a permutation's state, which may be
/// gone.
lw_status lwi_replace_tiles_of_states(const lw_navmesh *base, const lw_tile_change *changes, int count,
                                      const lw_allocator *allocator, lw_navmesh **result, lw_error *error);

#endif
