/// Inside a search for taut paths: taut_search.c searches, taut_stages.c decides in which stages.
#ifndef LW_SEARCH_TAUT_RUN_H
#define LW_SEARCH_TAUT_RUN_H

#include "search/search.h"

/// Among obstacles a long search is led along the path over the navmesh as it was baked.
typedef enum lwi_taut_stage {
  LWI_TAUT_FIRST, ///< Until the search proves to be long.
  LWI_TAUT_BAKED, ///< The path over the navmesh as it was baked.
  LWI_TAUT_LAST
} lwi_taut_stage;

typedef struct lwi_taut_run {
  lwi_uniform_run common;
  lwi_taut_scratch *scratch;
  lw_vec3 to;
  float slack2;             ///< Of funnels. [m2]
  bool is_cut;              ///< The navmesh is not as it was baked.
  float more_weight;        ///< Of the bound on what is left, beyond 1.
  float better;             ///< A corridor counts if it is shorter than this part of the known one.
  bool knows_corners;       ///< Tables know all ends of portals that paths may turn at.
  const lwi_band *band;     ///< Portals outside of it come later. NULL: all are alike.
  float beside;             ///< By this much. [m]
  bool has_short_links;     ///< Which bounds on what is left have to count with.
  float best;               ///< The shortest path to the goal so far. [m]
  uint32_t last;            ///< Its last node.
  lwi_taut_target *targets; ///< [target_count] Rising by region. NULL: the goal alone.
  int target_count;
  int looked_at;    ///< Nodes that `nearest` is one of.
  uint32_t nearest; ///< From where the least is left to the goal; LWI_NONE: the start.
  float left;       ///< That is left from there, by bound. [m]
} lwi_taut_run;

/// A search in stages, which may have paused.
typedef struct lwi_taut_staged {
  lwi_taut_run run;
  lwi_taut_stage stage;
  const lwi_search_query *asked;
  lwi_search_query baked; ///< The same on the navmesh as it was baked, with
  lwi_graph baked_graph;  ///< its graph.
} lwi_taut_staged;

static inline bool lwi_taut_is_link(const lwi_taut_node *node) {
  return node->portal >= LWI_UNIFORM_LINK;
}

/// Get ready. @return false: no memory.
bool lwi_taut_begin(lwi_taut_run *run, lwi_search *search, const lwi_search_query *query);
/// Leave the start towards the goal of the query, which lies in another region. @return false: no memory.
bool lwi_taut_leave(lwi_taut_run *run);
/// Search until the path is found, `run->last`, or `nodes` nodes are expanded.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY; LW_UNFINISHED.
lw_status lwi_taut_search_on(lwi_taut_run *run, int nodes);
/// Leave the corridor to a node in search->corridor. @return LW_OK; LW_OUT_OF_MEMORY.
lw_status lwi_taut_collect(const lwi_taut_run *run, uint32_t last);

#endif
