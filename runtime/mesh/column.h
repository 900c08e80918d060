/// A vertical line in the grid of a navmesh: which polygons' boxes it passes through.
#ifndef LW_MESH_COLUMN_H
#define LW_MESH_COLUMN_H

#include "mesh/mesh.h"

/// A vertical line in the grid.
typedef struct lwi_column {
  uint32_t first, end; ///< Its cell's references.
  uint8_t x, z;        ///< Place in the cell. [255ths]
  uint8_t floors;      ///< lwi_grid.floors of the cell.
} lwi_column;
/// @return false: the line is outside of the grid. Lines up to 2 mm beside a polygon still find it.
static inline bool lwi_grid_column(const lwi_grid *grid, float x, float z, lwi_column *column) {
  double u = lwi_grid_u(grid, x), v = lwi_grid_v(grid, z);
  const double beside = 0.01; /* cells: border cells also hold places this far beside the grid */
  if (!(u >= -beside && v >= -beside && u < grid->width + beside && v < grid->height + beside)) return false;
  int cx = u < 0 ? 0 : u >= grid->width ? grid->width - 1 : (int)u;
  int cz = v < 0 ? 0 : v >= grid->height ? grid->height - 1 : (int)v;
  size_t cell = (size_t)cz * (size_t)grid->width + (size_t)cx;
  double part_x = (u - cx) * 255, part_z = (v - cz) * 255;
  column->first = grid->first[cell];
  column->end = grid->first[cell + 1];
  column->x = part_x <= 0 ? 0 : part_x >= 255 ? 255 : (uint8_t)part_x;
  column->z = part_z <= 0 ? 0 : part_z >= 255 ? 255 : (uint8_t)part_z;
  column->floors = grid->floors[cell];
  return true;
}
/// Does the line pass through the box of the polygon's part in the cell?
static inline bool lwi_column_meets(const lwi_column *column, const lwi_reference *box) {
  return (box->x0 <= column->x) & (column->x <= box->x1) & (box->z0 <= column->z) & (column->z <= box->z1);
}

#endif
