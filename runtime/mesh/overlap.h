/// Polygons that lie on each other.
#ifndef LW_MESH_OVERLAP_H
#define LW_MESH_OVERLAP_H

#include "core/memory.h"

/// Convex polygons, counter-clockwise seen from above.
typedef struct lwi_outlines {
  const lw_vec3 *vertices;
  const int *first_corner; ///< [count + 1]
  const int *corners;
  int count; ///< >= 1
} lwi_outlines;

typedef struct lwi_overlap {
  bool found;
  int first, second; ///< first < second
  lw_vec3 at;        ///< The middle of the common part.
} lwi_overlap;

/// Find two polygons whose insides share more than a sliver of 1 cm and whose heights there are everywhere within
/// `climb` of each other: floors above each other, and a ramp that rises over a floor, do not overlap.
/// @return false: no memory.
bool lwi_overlap_find(const lwi_outlines *outlines, float climb, lwi_memory *memory, lwi_overlap *overlap);

#endif
