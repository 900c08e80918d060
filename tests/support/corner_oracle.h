/// Shortest paths by a visibility graph: all ends of portals that see each other, then Dijkstra. It shares no
/// code with the searches of the library, and takes time with the square of the ends.
#ifndef LW_TESTS_CORNER_ORACLE_H
#define LW_TESTS_CORNER_ORACLE_H

#include "mesh/mesh.h"

typedef struct corner_oracle corner_oracle;

/// @param mesh  Baked or live. @param filter  NULL: all may be entered. Links cost their length.
/// @return The caller frees it with corner_oracle_destroy().
corner_oracle *corner_oracle_create(const lw_navmesh *mesh, const lw_filter *filter);
void corner_oracle_destroy(corner_oracle *oracle);
/// Length of the shortest path, or INFINITY. Both places lie on the surface.
/// @param flat  Lengths are those as seen from above; else of straight lines from corner to corner. [m]
double corner_oracle_length(corner_oracle *oracle, lw_location from, lw_location to, bool flat);

#endif
