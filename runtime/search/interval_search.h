/// Search for the shortest path where every metre costs the same: A* over intervals of portals that are seen
/// from the place where a path turned last (Cui, Harabor and Grastien 2017). Unlike in taut_search.h no
/// corridor is left out that might be the shorter one; that takes more nodes.
///
/// Lengths are those as seen from above. Polygons that hang on the rest by one portal are entered only towards
/// a goal that lies there, and distances from landmarks bound what is left (mesh/reduction.h). Links are taken
/// from where they begin, and a path goes on from where they end.
#ifndef LW_SEARCH_INTERVAL_SEARCH_H
#define LW_SEARCH_INTERVAL_SEARCH_H

#include "mesh/intervals.h"
#include "search/uniform_search.h"

struct lwi_search;
struct lwi_search_query;

/// An interval of a portal that was reached, or the end of a link.
typedef struct lwi_interval_node {
  lwi_taut_interval at; ///< Of a link: its end, where left and right are the root.
  uint32_t parent;      ///< LWI_NONE: the start.
  uint32_t portal;      ///< Of the graph; or a link: LWI_UNIFORM_LINK plus its number.
  uint32_t from;        ///< The region before it.
  uint32_t before;      ///< The node before it of the same portal; LWI_NONE: none. Of a link it is not set.
} lwi_interval_node;

/// What is known of a portal.
typedef struct lwi_interval_entry {
  lwi_portal_entry met;
  uint32_t newest; ///< Node. LWI_NONE: none.
} lwi_interval_entry;

/// Memory to search in, kept from search to search.
typedef struct lwi_interval_scratch {
  lwi_interval_node *nodes; ///< [node_count]
  int node_count, node_capacity;
  lwi_interval_entry *entries; ///< [entry_count] By portal, then by link.
  uint32_t entry_count;
  lwi_uniform_scratch common;
  struct lwi_interval_run *run; ///< Which may have paused. Owned.
} lwi_interval_scratch;

void lwi_interval_scratch_free(lwi_interval_scratch *scratch, lwi_memory *memory);

/// Search for the corridor of a query that is uniform.
/// @return As lwi_search_run(); LW_NO_PATH also where it took far more nodes than any level does.
lw_status lwi_interval_search_run(struct lwi_search *search, const struct lwi_search_query *query);
/// Go on with what has paused.
lw_status lwi_interval_search_go_on(struct lwi_search *search);

#endif
