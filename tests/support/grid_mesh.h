/// Small meshes for tests: a grid of unit squares, each an area or a hole.
#ifndef LW_TESTS_GRID_MESH_H
#define LW_TESTS_GRID_MESH_H

#include "leeward/navmesh.h"

/// A one-way link between two places.
typedef struct support_link {
  lw_link_kind kind;
  lw_vec3 from, to;
  float length; ///< Below 0: the straight distance. [m]
  lw_area_id area;
} support_link;

/// An area table from names; each gets the default numbers.
lw_area_table *support_areas(const char *const *names, int count);
/// Area 1 is ground, 2 a road without resistance, 3 deep water. The caller destroys it.
lw_area_table *support_road_and_water(void);

/// Rows of text, one character a square of `size` metres: ' ' and '#' are holes, '.' is area 1, '1'..'9' that
/// area. The first row lies at z = 0, the first column at x = 0. Every square is one polygon. Fails the test on
/// an error.
lw_navmesh *support_grid(const lw_area_table *areas, const char *const *rows, int row_count, float size);
/// The same with links, all of which must join.
lw_navmesh *support_grid_links(const lw_area_table *areas, const char *const *rows, int row_count, float size,
                               const support_link *links, int link_count);

#endif
