/// Building a path along the corridor that a search found.
#ifndef LW_SEARCH_PATH_BUILD_H
#define LW_SEARCH_PATH_BUILD_H

#include "search/clearance_path.h"
#include "search/path.h"
#include "search/refinement.h"
#include "search/rounding.h"

/// What a piece of a path goes over, before the path is thinned.
typedef struct lwi_piece {
  uint32_t polygon; ///< Of a link, the one that it leaves.
  uint32_t link;    ///< LWI_NONE: none.
} lwi_piece;

/// A place inside a piece of a path where the ground changes slope.
typedef struct lwi_path_crease {
  int piece;
  lw_vec3 at;
} lwi_path_crease;

typedef struct lwi_path_creases {
  lwi_path_crease *items;
  int capacity;
} lwi_path_creases;

/// Memory that path searches work in. It is kept from path to path, so that a warm one allocates nothing.
typedef struct lwi_path_scratch {
  lwi_memory *memory;
  int capacity;             ///< In points, both ends of each link included.
  void *block;              ///< Holds the following arrays of [capacity].
  size_t size;              ///< Of the block.
  lwi_portal_ends *portals; ///< Portals and creases of the section that is being laid.
  float *prices, *costs;
  lw_vec3 *crossings, *best, *points;
  lwi_piece *pieces;        ///< The one that begins at each point.
  lwi_cost_record *records; ///< At a point that is kept: of the pieces up to the next such point.
  lwi_corner_point *corners;
  uint32_t *polygons; ///< Before each portal, and behind the last.
  int *ends;          ///< While a section is thinned: kept points, the next one last.
  bool *keep, *dirty;
  lwi_path_creases creases; ///< Of the section that is being laid, in order.
  float *seen_scratch;      ///< Holds `seen_now` and `seen`.
  int seen_capacity;
  float *seen_now; ///< [threat_count] What each threat sees of one piece. [m]
  /// [capacity][threat_count] What each threat sees from a kept point to the next. [m]
  float *seen;
  lwi_round_scratch rounding; ///< The arcs of the path that is being built.
  lwi_refinement refinement;  ///< Where prices differ.
  lwi_corridor best_corridor; ///< The cheapest one of a watched search so far.
  /// For agents larger than the mesh was baked for; NULL until one asks.
  lwi_clearance_scratch *clearance;
} lwi_path_scratch;

/// Grow to that number of points and threats; what the arrays hold stays. @return false: no memory.
bool lwi_path_scratch_reserve(lwi_path_scratch *scratch, int points, int threats);
void lwi_path_scratch_free(lwi_path_scratch *scratch);

/// Build the path along search->corridor, which may be empty. With query->clearance it must have been widened
/// by lwi_clearance_widen().
/// @param[out] path  Owned by the caller. @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_path_build(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                         const lw_allocator *allocator, lw_path **path);

/* --- between path_build.c and path_layout.c --------------------------------------------------------------- */

/// A path before it is thinned: it has a point at every portal, so that each piece lies in one polygon. It is
/// laid section by section, from one anchor to the next.
typedef struct path_trace {
  const lwi_search *search;
  const lwi_search_query *query;
  lwi_path_scratch *scratch;
  /// Portals and cuts from this section on, clear of walls; NULL: as searched.
  const lwi_clearance_portal *clear;
  int point_count;    ///< Of the sections before this one.
  uint64_t looks_end; ///< See lwi_smooth_path.
  bool reduced;       ///< It was not smoothed to the end.
  bool is_final;      ///< The section is laid for the path, and not to compare costs.
  double length, cost, exposed;
  bool failed; ///< Out of memory.

  /* This section. */
  lw_vec3 from, to;
  uint32_t from_polygon;
  int first_portal, end_portal; ///< Steps of the corridor.
  int section;                  ///< How many links come before it.
  int portal_count, corner_count;
  lw_vec3 *points; ///< [portal_count + 2] In the scratch, as the following.
  lwi_piece *pieces;
  lwi_cost_record *records;
  bool *keep;
} path_trace;

/// A point that the taut path is fixed to: the start, the end of a link, a turning point beside a danger or a
/// lane.
typedef struct path_anchor {
  lw_vec3 point;
  uint32_t polygon;
  int first_portal; ///< The step of the corridor behind it.
} path_anchor;

/// Lay the path along this section: its points on the portals, the polygons between them, and which of the
/// points to keep.
void lwi_trace_lay(path_trace *trace);
/// Give a path whose points are there the arcs of its sections. @return false: no memory.
bool lwi_path_take_arcs(lw_path *path, const lwi_round_scratch *rounding);
/// Keep the points where the area or the stance changes.
void lwi_trace_keep_changes(path_trace *trace);
/// Whether this section enters no danger and no lane.
bool lwi_trace_is_free_of_danger(const path_trace *trace);
/// Round the corners of this section; its arcs are added to the scratch's.
void lwi_trace_round(path_trace *trace);
/// Grow the scratch to that number of points in all. This section's arrays may move. @return false: no memory.
bool lwi_trace_grow(path_trace *trace, int points);

#endif
