/// Columns of a wall, cut where its facets end, and the heights between which the wall is solid in each.
#ifndef LW_BAKE_WALL_COLUMNS_H
#define LW_BAKE_WALL_COLUMNS_H

#include "bake/walls.h"

/// Heights between which a wall is solid in one column. [m]
typedef struct lwi_wall_span {
  int column;
  float low, high;
} lwi_wall_span;

struct lwi_wall_candidate;
struct lwi_wall_part;

/// The columns of one wall, and memory for the next. Begin with zeros and `memory`.
typedef struct lwi_wall_columns {
  lwi_memory *memory;
  double *cuts;         ///< [cut_count] Column i lies between cuts i and i + 1, coordinates along the wall. [m]
  lwi_wall_span *spans; ///< [span_count] By column, then by height; those of one column are apart.
  int cut_count, cut_capacity, span_count, span_capacity;
  struct lwi_wall_candidate *candidates;
  struct lwi_wall_part *parts;
  int candidate_count, candidate_capacity, part_count, part_capacity;
} lwi_wall_columns;

/// @return false: out of memory.
bool lwi_wall_columns_make(lwi_wall_columns *columns, const lwi_walls *walls, const lwi_wall_plane *wall);
void lwi_wall_columns_free(lwi_wall_columns *columns);

/// The coordinate along the wall, to the right of an agent facing it from the side of its normal. [m]
static inline double lwi_wall_along(const lwi_wall_plane *wall, lw_vec3 point) {
  return wall->hz * (double)point.x - wall->hx * (double)point.z;
}
/// The centre of a column. [m]
static inline double lwi_wall_middle(const lwi_wall_columns *columns, int column) {
  return (columns->cuts[column] + columns->cuts[column + 1]) / 2;
}

#endif
