/// Checks on imported polygons: whether an outline is convex, and whether polygons overlap.
#ifndef LW_MESH_OUTLINE_H
#define LW_MESH_OUTLINE_H

#include "core/vec3.h"
#include "core/memory.h"

typedef struct lwi_outline {
  const lw_vec3 *vertices;
  const int *corners; ///< [count] Counter-clockwise seen from above.
  int count;          ///< >= 3
} lwi_outline;

typedef enum lwi_outline_fault {
  LWI_OUTLINE_CONVEX,
  LWI_OUTLINE_FLAT,      ///< It has no area seen from above.
  LWI_OUTLINE_CLOCKWISE, ///< It is wound clockwise seen from above.
  LWI_OUTLINE_POINT,     ///< The corner and the next are at one place seen from above.
  LWI_OUTLINE_CONCAVE,   ///< It turns right at the corner.
  LWI_OUTLINE_STAR       ///< It goes round more than once.
} lwi_outline_fault;

/// Straight corners are allowed. @param slack  How far a corner may stray from a convex outline. [m]
/// @param[out] corner  The corner at fault, from 0; 0 when there is no single one.
lwi_outline_fault lwi_outline_check(const lwi_outline *outline, double slack, int *corner);
/// Describe a fault, as the predicate of "polygon 3 ...".
void lwi_outline_describe(const lwi_outline *outline, lwi_outline_fault fault, int corner, char *text,
                          size_t size);

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

/// Find two polygons that overlap in xz by more than a sliver of 1 cm, and whose heights differ by at most
/// `climb` all over the common part: floors above each other, and a ramp that rises over a floor, do not
/// overlap.
/// @return false: no memory.
bool lwi_overlap_find(const lwi_outlines *outlines, float climb, lwi_memory *memory, lwi_overlap *overlap);

#endif
