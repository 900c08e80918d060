/// Portals in a search for taut paths. Of those that obstacles have changed, the search notes their ends and
/// what is left from them, which take long: many corridors lead through each.
#ifndef LW_SEARCH_TAUT_PORTALS_H
#define LW_SEARCH_TAUT_PORTALS_H

#include "search/taut_run.h"

#include <string.h>

/// Let there be space for notes. @return false: no memory.
static inline bool lwi_taut_reserve_portals(const lwi_taut_run *run) {
  lwi_taut_scratch *scratch = run->scratch;
  void *items = scratch->portals;
  const bool good = lwi_grow_zeroed(run->common.memory, &items, &scratch->portal_count,
                                    run->common.graph->portal_count, sizeof *scratch->portals);
  scratch->portals = items;
  if (good && scratch->common.stamp == 1) /* stamps of before may come again */
    memset(scratch->portals, 0, scratch->portal_count * sizeof *scratch->portals);
  return good;
}

/// The ends of a portal. @param region  That it leads out of.
static inline void lwi_taut_ends_of(const lwi_taut_run *run, uint32_t region, uint32_t k, lw_vec3 *left,
                                    lw_vec3 *right) {
  const lwi_graph *graph = run->common.graph;
  if (k < run->common.base_portals) {
    lwi_search_portal_ends(graph, region, &graph->portals[k], left, right);
    return;
  }
  lwi_taut_portal *portal = &run->scratch->portals[k];
  if (portal->stamp != run->scratch->common.stamp) {
    portal->stamp = run->scratch->common.stamp;
    portal->rest = NAN;
    lwi_search_portal_ends(graph, region, &graph->portals[k], &portal->left, &portal->right);
  }
  *left = portal->left;
  *right = portal->right;
}

/// Lower bound on the length of paths from the middle of a portal to the goal, by landmarks. [m]
/// @param k  Its ends have been asked for. @param region  Behind it.
static inline float lwi_taut_rest(const lwi_taut_run *run, uint32_t k, uint32_t region, lw_vec3 middle) {
  if (k < run->common.base_portals) return lwi_landmark_left(&run->common.goal, k, region, middle);
  lwi_taut_portal *portal = &run->scratch->portals[k];
  if (isnan(portal->rest)) portal->rest = lwi_landmark_left(&run->common.goal, k, region, middle);
  return portal->rest;
}

#endif
