/// The graph by which watched paths are searched: fixed points along the portals of a navmesh and inside its
/// large polygons, and what threats see of the straight lines between them. Points and arcs are built for one
/// polygon after another as searches come to it and stay for as long as the navmesh does not change; what is
/// seen is estimated once for as long as the threats stay. All follows from the navmesh and the threats alone.
#ifndef LW_SEARCH_WATCHED_GRAPH_H
#define LW_SEARCH_WATCHED_GRAPH_H

#include "search/corridor.h"
#include "search/cost_model.h"
#include "search/point_search.h"
#include "search/transition.h"

/// A point of a portal or of the lattice inside a polygon.
typedef struct lwi_watched_point {
  lw_vec3 at;
  uint32_t transition; ///< That it lies on.
  uint32_t members[2]; ///< Its place among the members of either region of the transition; LWI_NONE: not built.
  bool is_outside;     ///< Of the lattice, but outside the polygon.

  /* Of the search that runs. */
  uint32_t stamp;   ///< Of the search that wrote the following; older ones count as new.
  uint32_t parent;  ///< Point before it; LWI_NONE: the start.
  float g;          ///< Cost from the start. [metre-equivalents]
  float rest;       ///< Lower bound on the cost from here to the goal. [metre-equivalents]
  bool from_second; ///< It was reached through regions[1], and leads into regions[0].
  bool is_closed;
} lwi_watched_point;

/// A straight line within a region.
typedef struct lwi_watched_arc {
  uint32_t to;  ///< Point.
  float length; ///< [m]
  float seen;   ///< Weighted metres that threats see. Negative: not estimated yet. [m]
} lwi_watched_arc;

/// A portal in both directions, or a link, or the lattice of a region.
typedef struct lwi_watched_transition {
  lwi_transition of;
  uint32_t stamp;  ///< Of the search that wrote the following.
  bool is_open[2]; ///< May agents cross it into regions[1], into regions[0]?
  float left;      ///< Lower bound on the length from the middle of a portal to the goal; 0: none. [m]
} lwi_watched_transition;

/// A region whose points and arcs are built. Members: the points of its portals, then those of its lattice.
typedef struct lwi_watched_ground {
  uint32_t first_member, portal_members, member_count;
  uint32_t first_row;   ///< Of `rows`: where the arcs of each member begin, and behind the last where they end.
  uint32_t first_inner; ///< Point. The lattice's.
  int columns, rows;    ///< Of the lattice. 0: none.
  float x, z;           ///< Of its first point. [m]
  float step_x, step_z; ///< [m]
  uint32_t seen_stamp;  ///< The threats that `seen` of its arcs was estimated for.
  bool is_measured;     ///< `low` and `high` are known for these threats.
  float low, high;      ///< What a metre at a point of the lattice is seen, least and most. [m/m]
} lwi_watched_ground;

/// For how many items there is memory.
typedef struct lwi_watched_capacities {
  int ground, transition, point, member, row, arc, trail;
} lwi_watched_capacities;

/// Begin with zeros and `memory`.
typedef struct lwi_watched_graph {
  lwi_memory *memory;
  const lwi_portal *portals; ///< Of the graph that it was built of, with
  uint64_t version;          ///< the version of its navmesh.
  uint32_t region_count, crossing_count;
  uint32_t *ground_of;     ///< [region_count] 1 + the ground; 0: not built.
  uint32_t *transition_of; ///< [crossing_count] Of portals, then of links: 1 + the transition; 0: not built.
  lwi_watched_ground *grounds;
  lwi_watched_transition *transitions;
  lwi_watched_point *points;
  uint32_t *members; ///< Points.
  uint32_t *rows;    ///< Arcs.
  lwi_watched_arc *arcs;
  int ground_count, transition_count, point_count, member_count, row_count, arc_count;
  lwi_watched_capacities capacities;
  uint32_t seen_stamp;    ///< Of the threats.
  uint32_t samples_stamp; ///< Of the visibility samples that the last query had.
  uint32_t stamp;         ///< Of the search.
  lwi_heap open;
  uint32_t *trail;             ///< Of a path that is collected.
  struct lwi_watched_run *run; ///< Of the search that was begun last.
} lwi_watched_graph;

void lwi_watched_graph_free(lwi_watched_graph *watched);
/// Begin a search: what no longer holds is forgotten. @return false: no memory.
bool lwi_watched_graph_begin(lwi_watched_graph *watched, const lwi_graph *graph, const lwi_watch *watch);
/// A search goes on that has paused: what threats see may have changed meanwhile. Then nothing that was found
/// before counts, so that it does not matter what earlier searches found.
void lwi_watched_graph_go_on(lwi_watched_graph *watched, const lwi_watch *watch);
/// The ground of a region, built when it is first asked for. @return NULL: no memory.
lwi_watched_ground *lwi_watched_graph_ground(lwi_watched_graph *watched, const lwi_graph *graph,
                                             uint32_t region);
/// The point at the end of a link. @return LWI_NONE: no memory.
uint32_t lwi_watched_graph_link(lwi_watched_graph *watched, const lwi_graph *graph, uint32_t link);
/// Measure how much is seen over the lattice of a ground, for this set of threats.
void lwi_watched_graph_measure(lwi_watched_graph *watched, const lwi_watch *watch, uint32_t polygon,
                               lwi_watched_ground *ground);
/// Points of the lattice about a place. @param[out] next  [16] Points. @return How many.
int lwi_watched_graph_about(const lwi_watched_ground *ground, lw_vec3 at, uint32_t *next);

#endif
