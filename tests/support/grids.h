/// The shared grid maps (LEEWARD_SHARED, default ../shared): as they are, and split for Detour.
#ifndef LW_TESTS_GRIDS_H
#define LW_TESTS_GRIDS_H

#include "leeward/navmesh.h"

#define GRID_COUNT 5
/// Small to large.
extern const char *const grid_names[GRID_COUNT];
/// All vertices of the maps lie on whole metres.
#define GRID_CELL 1

/// The map as convex polygons. @param[out] navmesh  The caller destroys it.
/// @return LW_NOT_FOUND: the folder or the file is missing; else what lw_navmesh_import() returns.
lw_status grid_navmesh(const char *name, const lw_area_table *areas, lw_navmesh **navmesh, lw_error *error);

/// Cut polygons of more than `max` corners into pieces of at most `max`. No vertex is added, and each piece has
/// an area. @param mesh  Built from polygons, without detail. @param max  At least 3.
/// @param[out] split  The caller destroys it.
lw_status grid_split(const lw_navmesh *mesh, int max, lw_navmesh **split, lw_error *error);

#endif
