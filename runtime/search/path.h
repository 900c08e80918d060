/// A path: built from the corridor that a search found.
#ifndef LW_SEARCH_PATH_H
#define LW_SEARCH_PATH_H

#include "leeward/path.h"
#include "search/search.h"

struct lw_path {
  lwi_memory memory;
  bool partial;
  int nodes;
  float length, cost;
  int point_count, point_capacity;
  lw_vec3 *points;   ///< [point_count]
  lw_area_id *areas; ///< [point_count] Of the piece that begins at the point; the last is LW_AREA_NONE.
  float *remaining;  ///< [point_count] From the point to the end. [m]
  int corridor_count;
  lw_poly_id *corridor; ///< [corridor_count]
};

/// A corner of the taut string: a point, and the portal that it lies on.
typedef struct lwi_corner_point {
  lw_vec3 point;
  int portal; ///< Index into the corridor's portals; -1: the start; the count: the goal.
} lwi_corner_point;

typedef struct lwi_gate {
  lw_vec3 left, right; ///< As one who walks sees them.
} lwi_gate;

/// Pull the string taut through the gates. @param corners  Room for gate_count + 2. @return Corners written.
int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_gate *gates, int gate_count, lwi_corner_point *corners);

/// Build the path along search->corridor, which may be empty.
/// @return LW_OK or LW_OUT_OF_MEMORY.
lw_status lwi_path_build(const lwi_search *search, const lwi_search_query *query, const lw_allocator *allocator,
                         lw_path **path);

#endif
