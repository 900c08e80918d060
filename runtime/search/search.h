/// A* over portals and off-mesh links. A node is a portal as crossed in one direction, so that a polygon may be
/// entered from several sides at different costs; where the price of a metre changes, it is one of several
/// points of the portal. A link has one node: its far end.
#ifndef LW_SEARCH_SEARCH_H
#define LW_SEARCH_SEARCH_H

#include "leeward/path.h"
#include "core/hash_index.h"
#include "core/heap.h"
#include "search/corridor.h"
#include "search/cost_model.h"
#include "search/interval_search.h"
#include "search/point_search.h"
#include "search/price_tables.h"
#include "search/shortcuts.h"
#include "search/taut_search.h"
#include "search/watched_graph.h"

/* --- nodes ------------------------------------------------------------------------------------------------ */

/* Node 0 is the goal, the links follow, then point `which` of portal k is node
   1 + link_count + which * portal_count + k. A search on ground of one price uses the first point of each
   portal alone. Memory for the others is taken when a search first needs them. */

/// Points of a portal where prices differ: the first, the one nearest to the parent, and both ends.
#define LWI_POINTS 4
/// Points of a portal where exposure is measured: three more between the ends.
#define LWI_WATCHED_POINTS 7
/// Points of a portal where dangers lie ahead: two more, on the lines past the next danger on either side.
#define LWI_DANGER_POINTS 9

typedef struct lwi_node {
  /// Even stamp of the search that wrote it, plus 1 while it is closed; older ones count as new.
  uint32_t stamp;
  uint32_t parent; ///< Node before it; LWI_NONE: the start.
  float g;         ///< Cost from the start. [metre-equivalents]
  lw_vec3 point;   ///< Where the portal is crossed, or the link ends.
} lwi_node;

/// How a region was first entered. A later entry elsewhere that could have been reached cheaper through the
/// region itself cannot improve any node behind it (the triangle inequality within a convex polygon of one
/// price).
typedef struct lwi_entry {
  uint32_t stamp;
  float g;
  lw_vec3 point;
} lwi_entry;

/// Memory to search in, kept from search to search: a warm one allocates nothing.
typedef struct lwi_search {
  lwi_memory *memory;
  lwi_graph graph; ///< Of the last search.
  /// [node_count] Those of turning points stand behind all others, by the numbers of their places: of very many
  /// turning points a search comes to few.
  lwi_node *nodes;
  uint32_t node_count;
  lwi_hash_index numbers;               ///< Of places, by themselves.
  const lwi_outline_point *places;      ///< Nodes from `place_base` on: turning points round dangers.
  const lwi_outline_point *lane_places; ///< Nodes from `lane_base` on: turning points beside fire lanes.
  uint32_t place_base, lane_base;       ///< LWI_NONE: there are none.
  lwi_entry *entries;                   ///< [entry_count] By region.
  uint32_t entry_count;
  lwi_shortcuts shortcuts;
  lwi_taut_scratch taut;
  lwi_interval_scratch intervals;
  lwi_point_scratch points;
  lwi_watched_graph watched;
  uint32_t stamp; ///< Even.
  lwi_heap open;
  struct lwi_expansion *run; ///< Of lwi_search_run(), which may have paused. Owned.
  uint64_t spent;            ///< Work of all searches so far: nodes, and looks at what threats see.
  uint64_t pause_at;         ///< Where `spent` gets there, they pause; LWI_NO_PAUSE: they do not.
  lwi_corridor corridor;     ///< Of the last search.
  bool turned;               ///< The last search looked at turning points.
  bool prices_differ;        ///< The last search met prices that differ.
  int expanded;              ///< Nodes expanded by the last search.
  /// Searches and refinements left detail out because of many dangers or fire lanes. They set it alone;
  /// lwi_path_search() clears it.
  bool reduced;
} lwi_search;

#define LWI_NO_PAUSE UINT64_MAX
/// What a look from a threat at a piece of a path takes, in nodes.
#define LWI_WORK_A_LOOK 4
/// Is it time to pause?
static inline bool lwi_search_is_due(const lwi_search *search) {
  return search->spent >= search->pause_at;
}

/* --- a search --------------------------------------------------------------------------------------------- */

/// What to search for. Borrowed.
typedef struct lwi_search_query {
  const lwi_graph *graph;
  const struct lwi_clearance *clearance; ///< That the graph is of; NULL: the graph is the mesh's own.

  lw_vec3 from, to;                ///< On the surface.
  uint32_t from_region, to_region; ///< That they lie in.

  lwi_cost_model cost_model;       ///< Of the search and of the path.
  const lwi_prices *search_prices; ///< lwi_path_search() searches by these alone; NULL: by `cost_model`.
  /// Of the path that is built, set by lwi_path_search(); NULL: `cost_model`.
  const lwi_cost_model *final_model;

  bool is_uniform; ///< Every metre that agents may walk costs the same, and links no less than their length.
  /// Every metre would cost the same if polygons did not add to prices (lwi_price_added()), and links cost no
  /// less than their length, but for short ones.
  bool is_uniform_elsewhere;
  bool has_short_links; ///< Some links cost less than the straight line.
  bool is_open;         ///< All ground and portals that were baked may be entered. false: not known.
  /// No link is short or was added: landmarks bound lengths, and dead ends are dead ends. false: not known.
  bool has_landmarks;
  const struct lwi_point_graph *point_graph; ///< Paths may be searched over its points. NULL: they are not.
  const struct lwi_price_table *price_table; ///< For `cost_model.prices`, over those points. NULL: none.
  const struct lwi_price_links *price_links; ///< That the table knows of none of. NULL: there are none.
  /// All links that were added, where there is no table. NULL: too many, and paths over points are bounded by
  /// their length alone.
  const lwi_sweep_links *added_links;
  bool is_sliced; ///< lwi_path_search_so_far() may be asked for before it ends.
  int max_nodes;
  float cost_limit; ///< Paths that cost as much are not searched for; 0: no limit. [metre-equivalents]
  lw_quality quality;
  float turn_radius; ///< Paths are rounded by circles of it; 0: they are taut. [m]
} lwi_search_query;

static inline const lwi_cost_model *lwi_query_final_model(const lwi_search_query *query) {
  return query->final_model ? query->final_model : &query->cost_model;
}
/// How many threats the path's exposure is noted for.
static inline int lwi_query_threats(const lwi_search_query *query) {
  const lwi_watch *watch = lwi_query_final_model(query)->watch;
  return watch ? watch->query.threat_count : 0;
}

/// @param mesh  Memory is allocated for searches on it. Searches on larger meshes may follow: it grows.
/// @return false: no memory. It is to be freed all the same.
bool lwi_search_init(lwi_search *search, lwi_memory *memory, const lw_navmesh *mesh);
void lwi_search_free(lwi_search *search);
/// Grow to what a query needs at first; to `count` nodes; to `points` of each portal. @return false: no memory.
bool lwi_search_reserve(lwi_search *search, const lwi_search_query *query);
bool lwi_search_grow(lwi_search *search, uint32_t count);
bool lwi_search_add_points(lwi_search *search, uint32_t points);
/// Leave the steps of the cheapest path in search->corridor. Ignores `search_prices` and `final_model`.
/// @param query  Borrowed until the search has ended.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY; LW_UNFINISHED: it has paused
///   (search->pause_at).
lw_status lwi_search_run(lwi_search *search, const lwi_search_query *query);
/// Go on with what has paused. @return As lwi_search_run().
lw_status lwi_search_go_on(lwi_search *search);

/* --- what a node is --------------------------------------------------------------------------------------- */

/// The link or the portal of a node that is neither the goal nor a turning point; the other is NULL.
static inline const lwi_link *lwi_node_link(const lwi_graph *graph, uint32_t node) {
  return node <= graph->mesh->links.count ? &graph->mesh->links.items[node - 1] : NULL;
}
static inline const lwi_portal *lwi_node_portal(const lwi_graph *graph, uint32_t node) {
  if (node <= graph->mesh->links.count) return NULL;
  uint32_t k = node - 1 - graph->mesh->links.count;
  while (k >= graph->portal_count) k -= graph->portal_count;
  return &graph->portals[k];
}
/// The region that such a node leads into.
static inline uint32_t lwi_node_region(const lwi_graph *graph, uint32_t node) {
  return node <= graph->mesh->links.count ? lwi_graph_link_regions(graph, node - 1).to
                                          : lwi_node_portal(graph, node)->to;
}
/// The turning point of a node; NULL: it is a portal, a link or the goal.
static inline const lwi_outline_point *lwi_node_place(const lwi_search *search, uint32_t node) {
  if (node < search->place_base || node == LWI_NODE_INNER) return NULL;
  return node < search->lane_base ? &search->places[node - search->place_base]
                                  : &search->lane_places[node - search->lane_base];
}
/// The region that any node but the goal leads into.
static inline uint32_t lwi_search_region(const lwi_search *search, uint32_t node) {
  const lwi_outline_point *place = lwi_node_place(search, node);
  if (!place) return lwi_node_region(&search->graph, node);
  return place->portal == LWI_NONE ? place->polygon : search->graph.portals[place->portal].to;
}

/* --- what step `i` of the corridor is --------------------------------------------------------------------- */

static inline bool lwi_search_is_inner(const lwi_search *search, int i) {
  return search->corridor.steps[i].node == LWI_NODE_INNER;
}
/// Its turning point; NULL: none.
static inline const lwi_outline_point *lwi_search_place(const lwi_search *search, int i) {
  return lwi_node_place(search, search->corridor.steps[i].node);
}
/// Its portal; NULL: it is a link or lies within a polygon.
static inline const lwi_portal *lwi_search_portal(const lwi_search *search, int i) {
  const uint32_t node = search->corridor.steps[i].node;
  if (node == LWI_NODE_INNER) return NULL;
  const lwi_outline_point *place = lwi_node_place(search, node);
  if (!place) return lwi_node_portal(&search->graph, node);
  return place->portal == LWI_NONE ? NULL : &search->graph.portals[place->portal];
}
/// Its link; NULL: none.
static inline const lwi_link *lwi_search_link(const lwi_search *search, int i) {
  return lwi_node_link(&search->graph, search->corridor.steps[i].node);
}
/// Ends of a portal of polygon `index`, as lwi_portal_span(). Most portals are whole edges, which take no call.
static inline void lwi_search_portal_ends(const lwi_graph *graph, uint32_t index, const lwi_portal *portal,
                                          lw_vec3 *left, lw_vec3 *right) {
  if (portal->interval != 0) {
    lwi_portal_span(graph->mesh, graph->intervals, index, portal, left, right);
    return;
  }
  const lwi_polygon polygon = lwi_polygon_get(graph->mesh, index);
  *right = lwi_corner(&polygon, portal->edge);
  *left = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
}
/// The polygon that it leads into.
static inline uint32_t lwi_search_polygon(const lwi_search *search, int i) {
  return lwi_region_polygon(&search->graph, search->corridor.steps[i].region);
}
/// The exact cost of the path in the corridor as the search crosses it. @return Negative: no memory.
float lwi_search_corridor_cost(const lwi_search *search, const lwi_search_query *query);
/// Where the search crossed the portal.
static inline lw_vec3 lwi_search_crossing(const lwi_search *search, int i) {
  return search->corridor.steps[i].point;
}

#endif
