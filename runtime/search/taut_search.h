/// Search for a short path where every metre costs the same: A* over corridors. A node is a portal together
/// with the corridor to it, whose taut path is kept as a funnel (Lee and Preparata 1984; Demyen and Buro 2006).
/// So corridors are compared by the length of the path through them, and portals need no points. Of two
/// corridors to one portal the second counts if it is shorter to either end.
///
/// Polygons that hang on the rest by one portal are entered only towards a goal that lies there, regions with
/// one exit are passed without nodes (mesh/reduction.h), and distances from landmarks bound what is left
/// (mesh/landmarks.h).
#ifndef LW_SEARCH_TAUT_SEARCH_H
#define LW_SEARCH_TAUT_SEARCH_H

#include "core/vec3.h"
#include "search/band.h"
#include "search/uniform_search.h"

struct lwi_search;
struct lwi_search_query;

/// A place where paths turn, or the end of a portal.
typedef struct lwi_taut_corner {
  lw_vec3 at;
  float g;         ///< Length of the taut path to it. [m]
  uint32_t before; ///< The corner before it on that path; LWI_NONE: the start, or where a link ends.
  bool may_turn;   ///< Paths may turn there: it is a corner of a wall. Of lwi_taut_search_run() alone.
} lwi_taut_corner;

/// The taut paths through a portal. The corners before those of both ends lead to the apex.
typedef struct lwi_taut_funnel {
  uint32_t apex, left, right; ///< Corners; the last two are the ends of the portal.
} lwi_taut_funnel;

/// A portal that was reached. From its first one on there was but one way to it.
typedef struct lwi_taut_node {
  lwi_taut_funnel funnel;
  uint32_t parent;     ///< LWI_NONE: the start.
  uint32_t portal;     ///< Of the graph; or a link: LWI_UNIFORM_LINK plus its number.
  uint32_t from;       ///< The region before it.
  uint32_t first;      ///< The first portal behind its parent, or the link.
  uint32_t first_from; ///< The region before that.
  int passed;          ///< Portals from there to this one.
} lwi_taut_node;

/// Lengths of paths through one corridor to the ends of a portal. [m]
typedef struct lwi_taut_ends {
  float left, right;
} lwi_taut_ends;

/// The corridors to a portal by which its left end is nearest, and its right end.
typedef struct lwi_taut_entry {
  uint32_t stamp;
  lwi_taut_ends by_left, by_right;
} lwi_taut_entry;

/// What a search notes of a portal that obstacles have changed: taut_portals.h.
typedef struct lwi_taut_portal {
  uint32_t stamp;
  float rest;          ///< From its middle to the goal, by landmarks; NAN: not asked for yet. [m]
  lw_vec3 left, right; ///< Its ends.
} lwi_taut_portal;

/// One of many places that paths lead to.
typedef struct lwi_taut_target {
  lw_vec3 at;
  uint32_t region;
  uint32_t item; ///< The caller's.
  float length;  ///< Of the shortest path to it, at least. [m]
} lwi_taut_target;

/// Memory to search in, kept from search to search.
typedef struct lwi_taut_scratch {
  lwi_taut_node *nodes; ///< [node_count]
  int node_count, node_capacity;
  lwi_taut_corner *corners; ///< [corner_count]
  uint32_t corner_count;
  int corner_capacity;
  lwi_taut_entry *entries; ///< [entry_count] By portal, then by link.
  uint32_t entry_count;
  lwi_taut_portal *portals; ///< [portal_count] Those of the navmesh as it was baked are not written.
  uint32_t portal_count;
  lwi_uniform_scratch common;
  lwi_band band;
  lw_vec3 *line; ///< Of the path that the band is laid about.
  int line_count, line_capacity;
  struct lwi_taut_staged *staged; ///< Of lwi_taut_search_run(), which may have paused. Owned.
} lwi_taut_scratch;

void lwi_taut_scratch_free(lwi_taut_scratch *scratch, lwi_memory *memory);

/// Search for the corridor of a query that is uniform.
/// @return As lwi_search_run().
lw_status lwi_taut_search_run(struct lwi_search *search, const struct lwi_search_query *query);
/// Go on with what has paused.
lw_status lwi_taut_search_go_on(struct lwi_search *search);
/// Of a search that has paused: the corridor to the place that it has come to from where the least is left to
/// the goal, by bound. The search may go on.
/// @param[in, out] query  Of the search; it then ends at that place.
/// @return LW_OK; LW_NO_PATH: no place is nearer than the start; LW_OUT_OF_MEMORY.
lw_status lwi_taut_search_nearest(struct lwi_search *search, struct lwi_search_query *query);
/// Find how long paths from a query's start to each of many places are at least, by one search for all of them,
/// which ends with the query's `max_nodes`.
/// @param[in, out] targets  [count] Rising by region. @return false: no memory.
bool lwi_taut_search_bound(struct lwi_search *search, const struct lwi_search_query *query,
                           lwi_taut_target *targets, int count);

#endif
