/// Facets of walls, and segments, by place: looked up cell by cell as they are asked for, so that distant ones
/// cost nothing.
#ifndef LW_BAKE_NEAR_WALLS_H
#define LW_BAKE_NEAR_WALLS_H

#include "bake/walls.h"
#include "core/memory.h"

/// A facet that was looked up.
typedef struct lwi_near_facet {
  lwi_occluder_facet facet;
  lwi_wall_facet wall;
  lw_box box;    ///< [m]
  bool is_wall;  ///< It may be part of a wall.
  bool is_taken; ///< For the caller.
} lwi_near_facet;

/// Items of cells, as lists.
typedef struct lwi_cell_list {
  int *first; ///< [cells] -1: none.
  struct lwi_cell_member *members;
  int count, capacity;
} lwi_cell_list;
typedef struct lwi_cell_member {
  int item, next;
} lwi_cell_member;

/// Begin with lwi_near_walls_open(), end with lwi_near_walls_close() in any case.
typedef struct lwi_near_walls {
  lwi_memory *memory;
  const lwi_occluders *occluders;
  float min_x, min_z, cell; ///< [m]
  int width, height;
  lwi_cell_list listed; ///< Facets of walls.
  uint8_t *is_listed;   ///< [cells]
  int *leaves;          ///< [leaf_count] The first of their facets; -1: none was looked up.
  lwi_near_facet *facets;
  int facet_count, facet_capacity;
} lwi_near_walls;

/// @return false: no memory.
bool lwi_near_walls_open(lwi_near_walls *near, const lwi_occluders *occluders, lwi_memory *memory);
void lwi_near_walls_close(lwi_near_walls *near);

/// A range of cells, both ends included, clamped to those that there are.
typedef struct lwi_near_range {
  int x0, z0, x1, z1;
} lwi_near_range;
lwi_near_range lwi_near_range_of(const lwi_near_walls *near, const lw_box *box);
/// The cell of a range that comes first, or after another one. @param cell  -1: the first. @return -1: none.
static inline int lwi_near_next(const lwi_near_walls *near, const lwi_near_range *range, int cell) {
  if (cell < 0) return range->z0 * near->width + range->x0;
  const int x = cell % near->width, z = cell / near->width;
  if (x < range->x1) return cell + 1;
  return z < range->z1 ? (z + 1) * near->width + range->x0 : -1;
}

/// Look up the facets of walls that come into cells. @return false: no memory.
bool lwi_near_walls_list(lwi_near_walls *near, const lwi_near_range *range);

/// A list of other items, by the cells under a box. Begin with zeros. @return false: no memory.
bool lwi_cell_list_open(lwi_cell_list *list, const lwi_near_walls *near);
bool lwi_cell_list_add(lwi_cell_list *list, const lwi_near_walls *near, const lw_box *box, int item);
void lwi_cell_list_close(lwi_cell_list *list, const lwi_near_walls *near);

#endif
