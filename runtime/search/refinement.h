/// A second search near a found path: A* over fixed points along every portal of the regions that it leads
/// through and of their neighbours. The first search knows few points of a portal, chosen by where the goal is;
/// where prices differ, the cheapest path may lead anywhere.
#ifndef LW_SEARCH_REFINEMENT_H
#define LW_SEARCH_REFINEMENT_H

#include "search/lattice.h"
#include "search/search.h"
#include "search/transition.h"

/// The lattice of a region, and where its points begin.
typedef struct lwi_inner_region {
  lwi_lattice lattice;
  uint32_t first; ///< Index of its first point; points outside the polygon are closed.
} lwi_inner_region;

typedef struct lwi_refinement_point {
  lw_vec3 at;
  float g;             ///< Cost from the start. [metre-equivalents]
  uint32_t parent;     ///< Point before it; LWI_NONE: the start.
  uint32_t transition; ///< That it lies on.
  bool from_second;    ///< It was reached through regions[1], and leads into regions[0].
  bool closed;
} lwi_refinement_point;

/// Scratch, kept from search to search: a warm one allocates nothing. Begin with zeros and `memory`. An arc is
/// a portal or a link: arc i is portal i, then the links follow.
typedef struct lwi_refinement {
  lwi_memory *memory;
  uint32_t stamp; ///< Of this search; smaller stamps are old.
  uint32_t region_count, arc_count;
  uint32_t *layers;        ///< [region_count] Stamp plus how many portals off the path; old: not in the search.
  uint32_t *known;         ///< [arc_count] The stamp, once its transition exists.
  uint32_t *transition_of; ///< [arc_count]
  uint32_t *looked_in;     ///< [region_count] The stamp, once `inside_of` is known.
  uint32_t *inside_of;     ///< [region_count] Index into `insides`; LWI_NONE: no lattice.
  lwi_inner_region *insides; ///< [inside_count]
  int inside_count, inside_capacity;
  uint32_t *queue; ///< Regions in the order in which they were added.
  int queue_capacity;
  lwi_transition *transitions; ///< [transition_count]
  int transition_count, transition_capacity;
  lwi_refinement_point *points; ///< [point_count] The first is the goal.
  int point_count, point_capacity;
  lwi_heap open;
  struct lwi_refinement_run *run; ///< Of lwi_refine_corridor(), which may have paused. Owned.
} lwi_refinement;

void lwi_refinement_free(lwi_refinement *refinement);

/// Replace search->corridor by a cheaper one near it. @param cost_limit  The cost of the path in it.
/// @param query  Borrowed until the search has ended.
/// @return LW_OK; LW_NO_PATH: none is cheaper; LW_OUT_OF_MEMORY; LW_UNFINISHED: it has paused
///   (search->pause_at).
lw_status lwi_refine_corridor(lwi_refinement *refinement, lwi_search *search, const lwi_search_query *query,
                              float cost_limit);
/// Go on with what has paused.
lw_status lwi_refine_go_on(lwi_refinement *refinement);

#endif
