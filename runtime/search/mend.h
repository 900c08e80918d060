/// Mending a path of which a part was cut away: only the way round that part is searched, and the path is laid
/// through it and what is left of its corridor. So its points, cost and records are those of any path.
#ifndef LW_SEARCH_MEND_H
#define LW_SEARCH_MEND_H

#include "search/path_build.h"

/// The path to mend. Borrowed.
typedef struct lwi_mend {
  const lw_path *path; ///< On one navmesh, and without links.
  int next_point;      ///< Of its points: where the agent walks to. [1..point_count]
  lw_poly_id at;       ///< The polygon that the agent stands on.
  float limit;         ///< What the mended path may cost. [metre-equivalents]
} lwi_mend;

/// Mend a path as far as a search of few nodes can do that.
/// @param query  From the agent to the end of the path, without clearance, threats and timed regions.
/// @param[out] path  Owned by the caller, NULL but on LW_OK.
/// @return LW_OK; LW_NO_PATH: search it again; LW_OUT_OF_MEMORY.
lw_status lwi_path_mend(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                        const lwi_mend *mend, lw_path **path);

/// Lead a path to its end from a place in its corridor: along what is left of that.
/// @param query  From that place to the end of the path, without clearance.
/// @param mend  The path. @param[out] path  As of lwi_path_mend().
/// @return LW_OK; LW_NO_PATH: the place is not in the corridor, a part of that is gone, or it costs too much;
///   LW_OUT_OF_MEMORY.
lw_status lwi_path_rejoin(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                          const lwi_mend *mend, lw_path **path);

#endif
