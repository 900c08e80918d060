/// Building the grid of a navmesh, all of it or a part.
#ifndef LW_MESH_GRID_H
#define LW_MESH_GRID_H

#include "mesh/mesh.h"

/// A polygon in a cell.
typedef struct lwi_grid_entry {
  uint32_t cell;
  lwi_reference reference;
} lwi_grid_entry;

/// Entries that were found. Begin with lwi_grid_begin(); the caller frees them.
typedef struct lwi_grid_work {
  lw_navmesh *mesh;
  float pad; ///< Polygons are found this far outside of them. [m]
  lwi_grid_entry *entries;
  int count, capacity;
} lwi_grid_work;
lwi_grid_work lwi_grid_begin(lw_navmesh *mesh);
/// Find the cells that a polygon reaches into. The cells of the grid are laid. @return false: no memory.
bool lwi_grid_add_polygon(lwi_grid_work *work, uint32_t index);
/// Order the entries by cell, then by polygon.
void lwi_grid_sort(lwi_grid_work *work);

/// How large cells should be for a navmesh, whose bounds and area are known. [m]
float lwi_grid_cell_for(const lw_navmesh *mesh);
/// The lowest and the highest place of a polygon. [m]
void lwi_grid_heights(const lw_navmesh *mesh, uint32_t index, float heights[2]);
/// An upper bound on how many of a cell's polygons share a point.
uint8_t lwi_grid_count_floors(const lw_navmesh *mesh, const lwi_reference *references, uint32_t count);

#endif
