/// Searching for the best places behind cover.
#ifndef LW_QUERY_COVER_SEARCH_H
#define LW_QUERY_COVER_SEARCH_H

#include "query/cover_points.h"
#include "query/workspace.h"

/// Where the places found go.
typedef struct lwi_cover_results {
  lw_cover_point *points; ///< [capacity]
  int capacity;           ///< [>= 1]
  int *count;             ///< Set to 0 before.
} lwi_cover_results;

lw_status lwi_cover_search_check(const lwi_scene *scene, const lw_cover_query *query);
/// lw_cover_find() of a query that was checked.
/// @param taken  [taken_count] Places that other agents have.
lw_status lwi_cover_search(lw_workspace *workspace, const lw_cover_query *query, const lwi_cover_taken *taken,
                           int taken_count, const lwi_cover_results *results);

/// Some segments beside a navmesh, at the sides of a screen of that number.
typedef struct lwi_segment_part {
  int navmesh;
  uint32_t screen;
  int first; ///< The first of these to copy.
} lwi_segment_part;
/// @param[out] segments  [capacity] Copies. @return How many.
int lwi_cover_segments_copy(const lwi_scene *scene, const lwi_segment_part *part, lwi_cover_segment *segments,
                            int capacity);

/// Where to look for segments, and for which agent.
typedef struct lwi_segment_search {
  const lw_cover_segment_query *query;
  uint32_t spared; ///< As in lwi_sight: what this agent carries offers it no cover.
} lwi_segment_search;
/// lw_cover_segment_find() of a query that was checked.
lw_status lwi_cover_segment_find(const lwi_scene *scene, const lwi_segment_search *search,
                                 lw_cover_segment *segments, int capacity, int *count);

#endif
