/// The shortest route through one convex polygon between walls, for pieces of a path that cuts do not clear.
#ifndef LW_SEARCH_CLEARANCE_ROUTE_H
#define LW_SEARCH_CLEARANCE_ROUTE_H

#include "mesh/clearance.h"

/// A place to turn at.
typedef struct lwi_route_node {
  lwi_point2 at;
  lwi_point2 outward; ///< Unit vector from the centre of the disc that routes turn about here; 0: none.
  double g;           ///< From the start. [m]
  double f;           ///< Of a route over it, at least. [m]
  int parent;
  bool closed;
} lwi_route_node;

/// Scratch, kept from route to route. Begin with zeros and `memory`.
typedef struct lwi_route_scratch {
  lwi_memory *memory;
  lwi_route_node *nodes;
  lwi_point2 *corners, *centers, *points;
  int node_capacity, corner_capacity, center_capacity, point_capacity;
  int point_count; ///< Of the last route.
} lwi_route_scratch;
void lwi_route_scratch_free(lwi_route_scratch *scratch);

/// Find the route from one clear point of a region to another: scratch->points, both ends left out. It keeps
/// `keep` from walls but for `slack`, or for the least multiple 2, 4, 8, ... of it by which there is one: twice
/// only where coordinates are rounded by more. Where hundreds of walls take too long, it is straight.
/// @param slack  [m, > 0] @return false: no memory.
bool lwi_clearance_route(const lwi_clearance *clearance, lwi_route_scratch *scratch, uint32_t polygon,
                         lwi_point2 from, lwi_point2 to, double slack);

#endif
