/// Paths that keep off walls. The string through a corridor's passages is clear of walls at every passage; between two of
/// them it may still cut a corner. There the polygon is cut in two, between the passages, and what of the cut is clear of
/// walls is one more gate, until the string, swept with the disc, is clear everywhere. Where it matters where in a polygon the
/// way runs, the way as the search found it is made clear in the same manner, and the cheaper of the two is taken.
#ifndef LW_SEARCH_BERTH_PATH_H
#define LW_SEARCH_BERTH_PATH_H

#include "search/path.h"

/// A gate of a corridor, or a cut between two.
typedef struct lwi_berth_gate {
  lwi_gate clear;   ///< What of it is clear of walls: the gate.
  lwi_gate whole;   ///< From outline to outline.
  lw_vec3 crossing; ///< Where the search crossed it, or a guess; in the end, where the way does.
  uint32_t polygon; ///< Behind it.
  int step;         ///< Of the corridor: the node that the gate is, or that comes next.
} lwi_berth_gate;

/// Searches for one path that found a way that was too narrow after all, at most.
#define LWI_BANS_MAX 16

/// Room to work in, kept from path to path, and what came of it.
typedef struct lwi_berth_room {
  lwi_memory *memory;
  lwi_berth_gate
      *gates;  ///< [gate_count] Of all stretches of the corridor from link to link, one after the other.
  int *counts; ///< [stretch_count] Gates of each.
  int gate_count, stretch_count;
  lwi_ban rejected; ///< On LW_NO_PATH: the way that is too narrow after all.
  int ban_count;
  lwi_ban bans[LWI_BANS_MAX]; ///< [ban_count] Ways that were too narrow, of this path's searches.

  int gate_capacity, count_capacity;
  lwi_berth_gate *before, *after; /* the stretch so far, and with more cuts */
  int before_capacity, after_capacity;
  void *string; /* arrays for lwi_pull() */
  size_t string_size;
  lwi_spot *corners, *slab;
  int corner_capacity, slab_capacity;
  uint32_t *labels;
  lwi_opening *openings, *cut;
  int label_capacity, opening_capacity, cut_capacity;
  lwi_region_room region;
} lwi_berth_room;

void lwi_berth_room_free(lwi_berth_room *room);

/// @return LW_OK; LW_NO_PATH: the disc does not fit after all, with what to ban in `rejected`; LW_OUT_OF_MEMORY.
lw_status lwi_berth_widen(const lwi_berth *berth, const lwi_search *search, const lwi_search_query *query,
                          lwi_berth_room *room);

/// What the way that lwi_berth_widen() left costs. @return A negative number: no memory.
float lwi_berth_charge(const lwi_search *search, const lwi_search_query *query, const lwi_berth_room *room,
                       const lwi_charges *charges);

#endif
