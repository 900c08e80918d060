/// The outline of a water, found by place: whether it holds a point, and which of its edges are near.
#ifndef LW_MESH_SHORE_H
#define LW_MESH_SHORE_H

#include "mesh/box_grid.h"

/// An edge of an outline.
typedef struct lwi_shore_edge {
  lw_vec3 a, b;
} lwi_shore_edge;

/// Is the edge crossed by a line from a point towards greater x? It is an odd number of edges from within.
static inline bool lwi_shore_edge_is_right_of(lwi_shore_edge edge, lw_vec3 p) {
  const lw_vec3 a = edge.a, b = edge.b;
  if ((a.z > p.z) == (b.z > p.z)) return false;
  const double t = ((double)p.z - (double)a.z) / ((double)b.z - (double)a.z);
  return (double)p.x < (double)a.x + t * ((double)b.x - (double)a.x);
}

/// A simple polygon seen from above. It is created once, then only read.
typedef struct lwi_shore {
  const lw_vec3 *points; ///< [count] Borrowed.
  int count;
  lw_box box;     ///< Bounds.
  lw_box *boxes;  ///< [count] Bounds of edges: edge i begins at point i.
  uint8_t *above; ///< [cells of the grid] Whether an odd number of edges pass its right side at greater z.
  lwi_box_grid grid;
} lwi_shore;

static inline lwi_shore_edge lwi_shore_edge_of(const lw_vec3 *points, int count, int index) {
  return (lwi_shore_edge){points[index], points[index + 1 < count ? index + 1 : 0]};
}
/// @return false: no memory, and nothing is held.
bool lwi_shore_make(lwi_shore *shore, const lw_vec3 *points, int count, lwi_memory *memory);
void lwi_shore_free(lwi_shore *shore, lwi_memory *memory);
/// Does the outline hold a point? The answer is that of counting all edges to its right.
bool lwi_shore_holds(const lwi_shore *shore, lw_vec3 p);

#endif
