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

/// lw_cover_segment_find() of a query that was checked.
lw_status lwi_cover_segment_find(const lwi_scene *scene, const lw_cover_segment_query *query,
                                 lw_cover_segment *segments, int capacity, int *count);

#endif
