/// @file explain.h
/// Why a path leads where it does: the cost breakdown of each part of it, and what the shortest path would
/// cost.
///
/// Threads: lw_path_explain() and lw_agent_explain() may run on any number of threads between steps, each with
/// its own workspace. An explanation never changes; any number of threads may read it.
#ifndef LEEWARD_EXPLAIN_H
#define LEEWARD_EXPLAIN_H

#include "leeward/id.h"
#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A part of a path, or a whole path, and its cost breakdown. The terms were recorded when the path was found
/// and add up to its cost, whatever has changed in the world since.
typedef struct lw_path_segment {
  int first;                       ///< The point of the path at which it starts.
  int last;                        ///< The point of the path at which it ends.
  lw_area_id area;                 ///< As lw_path_area(). LW_AREA_NONE: a whole path.
  lw_link_type type;               ///< The area's; LW_WAYPOINT for a waypoint link.
  lw_link_kind link;               ///< LW_LINK_NONE: over the surface.
  int navmesh;                     ///< Index in the world of the navmesh that it begins on.
  int stance;                      ///< As lw_path_stance(). LW_STAND: a whole path.
  float length;                    ///< Over the surface; links count with lw_link.length. [m]
  float cost;                      ///< The sum of the terms. [metre-equivalents]
  float terms[LW_COST_TERM_COUNT]; ///< By lw_cost_term. [metre-equivalents, >= 0]
  float water;                     ///< Length to swim. [m]
  float low;                       ///< Length in a lower stance, under ceilings too low to stand. [m]
  float exposed;                   ///< Seen by any of the query's threats. [m]
  const float *exposed_to;         ///< [threat_count] Seen by each threat. Borrowed from the explanation. [m]
} lw_path_segment;

/// A path beside the shortest path for the same agent: one that may enter and take the same and is as large,
/// but pays for length only.
typedef struct lw_path_comparison {
  /// LW_OK; LW_EMPTY: no comparison was asked for; LW_INVALID: not the query of this path; or why no path was
  /// found now.
  lw_status status;
  /// How much longer the path is than the shortest one. Below 0 where the search for the shortest path, which
  /// finds nearly the shortest, found a longer one. [m]
  float longer;
  float saves;              ///< How much more the shortest path costs for this agent. [metre-equivalents]
  lw_path_segment shortest; ///< The shortest path as a whole, priced like any other path.
} lw_path_comparison;

/// What a path consists of and costs. It needs neither the path nor the world any more, only their area table.
typedef struct lw_explanation lw_explanation;

/// Explain a path. Its own costs are those recorded when it was found; the shortest path is searched now, with
/// the dangers, fire lanes and areas as they are now.
/// @param path  Not NULL. Its area table must still live.
/// @param world  The world that found it. NULL: do not compare.
/// @param query  The query that it was found by, with the same profile and threats. NULL: do not compare.
/// @param[out] explanation  The caller frees it with lw_explanation_destroy(). NULL on an error.
/// @return LW_OK, also if nothing can be compared (lw_path_comparison.status says why); LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_explain(const lw_path *path, const lw_world *world, lw_workspace *workspace,
                                 const lw_path_query *query, lw_explanation **explanation);
/// Explain the path that an agent walks, compared for the agent as it is now.
/// @param[out] explanation  The caller frees it with lw_explanation_destroy(). NULL on an error.
/// @return LW_OK; LW_EMPTY: it walks no path; LW_STALE: the agent; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_explain(const lw_world *world, lw_workspace *workspace, lw_agent_id agent,
                                  lw_explanation **explanation);
/// Free an explanation. @param explanation  NULL: nothing happens.
LW_API void lw_explanation_destroy(lw_explanation *explanation);

/// Read the parts in order: each an interval of one area and stance on one navmesh, or one off-mesh link.
/// @return [count] Borrowed from the explanation.
LW_API const lw_path_segment *lw_explanation_segments(const lw_explanation *explanation, int *count);
/// @return The whole path. Its cost is lw_path_cost() except for rounding. Borrowed from the explanation.
LW_API const lw_path_segment *lw_explanation_total(const lw_explanation *explanation);
/// @return The comparison with the shortest path. Borrowed from the explanation.
LW_API const lw_path_comparison *lw_explanation_comparison(const lw_explanation *explanation);
/// @return How many threats the path was searched with.
LW_API int lw_explanation_threat_count(const lw_explanation *explanation);

/// Write one sentence: "11.2 m longer, saves 38.0: 9.5 m of water, 4.0 exposed metres to threat 1" if there is
/// a shorter path, else its costs beyond its length.
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text.
LW_API int lw_explanation_sentence(const lw_explanation *explanation, char *text, size_t size);
/// Write a table of all parts, without columns that are 0 throughout, and the sentence last. Points and threats
/// count from 1.
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text.
LW_API int lw_explanation_table(const lw_explanation *explanation, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
