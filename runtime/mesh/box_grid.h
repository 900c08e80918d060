/// Finds boxes by place, seen from above: which may hold a point, or meet another box. It is created once, then
/// only read.
#ifndef LW_MESH_BOX_GRID_H
#define LW_MESH_BOX_GRID_H

#include "core/memory.h"
#include "core/vec3.h"

typedef struct lwi_box_grid {
  float min_x, min_z, cell; ///< [m]
  int width, height;        ///< [cells] 0: there are no boxes.
  int item_count;
  int *first; ///< [width * height + 1]
  int *items; ///< [item_count] Indices of boxes by cell, in each in their order.
} lwi_box_grid;

/// The cells that a box is in, both ends included.
typedef struct lwi_box_cells {
  int x0, z0, x1, z1;
} lwi_box_cells;
lwi_box_cells lwi_box_grid_cells(const lwi_box_grid *grid, const lw_box *box);

/// @param boxes  [count] Borrowed for the call. @return false: no memory, and nothing is held.
bool lwi_box_grid_make(lwi_box_grid *grid, const lw_box *boxes, int count, lwi_memory *memory);
void lwi_box_grid_free(lwi_box_grid *grid, lwi_memory *memory);

/// The boxes that may hold a point. @return [*count] Their indices, in order.
const int *lwi_box_grid_at(const lwi_box_grid *grid, float x, float z, int *count);
/// Call `visit` for the boxes that meet this one in xz, some of them several times, until it returns true.
/// @param boxes  As the grid was made of them. @return Whether it did.
bool lwi_box_grid_each(const lwi_box_grid *grid, const lw_box *boxes, lw_box box,
                       bool (*visit)(void *user, int index), void *user);
/// Is there a box that meets this one in xz? @param boxes  As the grid was made of them.
bool lwi_box_grid_meets(const lwi_box_grid *grid, const lw_box *boxes, lw_box box);

/// A list that is filled again and again. Begin with zeros and `memory`.
typedef struct lwi_box_list {
  lwi_memory *memory;
  int *items; ///< [count] Indices of boxes.
  int count, capacity;
} lwi_box_list;
/// List the boxes that meet this one in space, each once. @param boxes  As the grid was made of them.
/// @return false: no memory.
bool lwi_box_grid_list(const lwi_box_grid *grid, const lw_box *boxes, lw_box box, lwi_box_list *list);
void lwi_box_list_free(lwi_box_list *list);

#endif
