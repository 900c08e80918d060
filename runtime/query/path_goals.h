/// Paths to the cheapest of several goals.
#ifndef LW_QUERY_PATH_GOALS_H
#define LW_QUERY_PATH_GOALS_H

#include "core/memory.h"
#include "leeward/path.h"

struct lwi_path_run;

/// A goal that can be reached.
typedef struct lwi_goal {
  float bound;          ///< No path to it costs less. [metre-equivalents]
  int index;            ///< Of the query's.
  lw_location from, to; ///< Where a path on one navmesh begins and ends; unused where it may lead over several.
  uint32_t from_region, to_region;
} lwi_goal;

/// Kept from query to query.
typedef struct lwi_goals_scratch {
  lwi_goal *goals; ///< [count]
  int count, capacity;
} lwi_goals_scratch;

/// lw_path_find() of a query with goals that was checked. They are searched for by rising lower bound, until
/// that of the next is not below the cost of the best path.
lw_status lwi_path_goals_find(const struct lwi_path_run *run, lw_path **path);

#endif
