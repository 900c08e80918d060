/// A brute-force search for the cheapest path: Dijkstra over points set closely on every portal.
#ifndef LW_TESTS_DENSE_PATH_H
#define LW_TESTS_DENSE_PATH_H

#include "cost/profile.h"

typedef struct dense_graph dense_graph;

/// @param mesh  Borrowed. Links are not looked at. @param spacing  Of points along a portal, at most. [m]
/// @return The caller frees it with dense_free().
dense_graph *dense_make(const lw_navmesh *mesh, float spacing);
void dense_free(dense_graph *graph);
/// The cost of the cheapest path that goes straight from point to point within polygons, along a portal at the
/// lower of both prices. @param at_most  Paths that cost more do not matter. @return INFINITY: there is none.
double dense_cost(dense_graph *graph, const lwi_prices *prices, lw_location from, lw_location to,
                  double at_most);

#endif
