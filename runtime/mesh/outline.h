/// A polygon's outline: what may be wrong with it.
#ifndef LW_MESH_OUTLINE_H
#define LW_MESH_OUTLINE_H

#include "core/vec3.h"

typedef struct lwi_outline {
  const lw_vec3 *vertices;
  const int *corners; ///< [count] Counter-clockwise seen from above.
  int count;          ///< >= 3
} lwi_outline;

typedef enum lwi_outline_fault {
  LWI_OUTLINE_FINE,
  LWI_OUTLINE_FLAT,      ///< No area seen from above.
  LWI_OUTLINE_CLOCKWISE, ///< The wrong way round.
  LWI_OUTLINE_POINT,     ///< A corner and the next are one place seen from above.
  LWI_OUTLINE_CONCAVE,   ///< It turns right at the corner.
  LWI_OUTLINE_STAR       ///< It goes round more than once.
} lwi_outline_fault;

/// Straight corners are fine. @param slack  How far a corner may stray from a convex outline. [m]
/// @param[out] corner  Which, from 0; 0 when it is no single one.
lwi_outline_fault lwi_outline_check(const lwi_outline *outline, double slack, int *corner);
/// Say it, to follow "polygon 3 ".
void lwi_outline_describe(const lwi_outline *outline, lwi_outline_fault fault, int corner, char *text,
                          size_t size);

#endif
