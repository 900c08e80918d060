/// A path while it is built along a corridor. Only path*.c know it.
#ifndef LW_SEARCH_PATH_TRACE_H
#define LW_SEARCH_PATH_TRACE_H

#include "search/berth_path.h"
#include "search/path.h"

/* The path before it is thinned: a point at every portal, so that each piece lies in one polygon. The string is pulled in
   stretches from link to link, whose ends are fixed. */
typedef struct path_trace {
  const lwi_search *search;
  const lwi_search_query *query;
  lwi_path_room *room;
  const lwi_berth_gate
      *cuts;       /* gates of the stretches from this one on, with cuts between them; NULL: as searched */
  int point_count; /* of the stretches before this one */
  double length, cost, exposed;
  bool failed; /* no memory to see by */

  /* This stretch. */
  lw_vec3 from, to;
  uint32_t from_poly;
  int first_gate, end_gate; /* in the corridor */
  int stretch;              /* which one, from link to link */
  int gate_count, corner_count;
  lw_vec3 *points; /* [gate_count + 2] of the room's, and so are the others */
  lwi_piece *pieces;
  lwi_tally *tallies;
  bool *keep;
} path_trace;

/* Where the string is held: at the start, behind a link, at a place round a danger. */
typedef struct path_hold {
  lw_vec3 point;
  uint32_t polygon;
  int first_gate; /* behind it, in the corridor */
} path_hold;

/// Lay the way along this stretch: its points on the gates, the polygons between them, and which of them to keep.
void lwi_trace_lay(path_trace *trace);
/// Make room for so many points in all. This stretch's arrays may move. @return false: no memory.
bool lwi_trace_grow(path_trace *trace, int points);

path_hold lwi_trace_start(const path_trace *trace);
/// Does the string end at step `i` of the corridor? @param[out] point  Where. @param[out] next  Where it begins anew.
bool lwi_trace_is_held(const path_trace *trace, int i, lw_vec3 *point, path_hold *next);
/// Pull the string from a hold to a point before step `end`, and charge it.
void lwi_trace_from(path_trace *trace, const path_hold *from, int end, lw_vec3 to);
/// Let go of places round dangers and lanes where that is cheaper, and move those beside lanes to where they are best.
void lwi_trace_settle(path_trace *trace, lwi_search *search);

/// A gate across a room for a way that turns at a spot in it. @param before  Where the way comes from. @param behind  Where it leads.
lwi_gate lwi_spot_gate(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 before, lw_vec3 at, lw_vec3 behind);

#endif
