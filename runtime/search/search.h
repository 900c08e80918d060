/// A* over portals and off-mesh links. A node is a portal as crossed in one direction, so that a polygon may be entered
/// from several sides, each with its own price; where the price changes, it is one of several points of the portal. Or it
/// is the far end of a link.
#ifndef LW_SEARCH_SEARCH_H
#define LW_SEARCH_SEARCH_H

#include "leeward/path.h"
#include "core/heap.h"
#include "search/charge.h"
#include "search/shortcuts.h"

/// Points at which a portal may be crossed where the price changes. Node 0 is the goal, the links come behind it, then
/// point `which` of portal k is node 1 + link_count + which * portal_count + k, so that where there is one price only the
/// first part of the nodes is touched.
#define LWI_POINTS 4
/// And where the way is watched: cover may begin anywhere.
#define LWI_WATCHED_POINTS 7
/// And where dangers lie ahead: where the ways to either side past the next one cross it.
#define LWI_DANGER_POINTS 9

typedef struct lwi_node {
  uint32_t stamp;  ///< The search that wrote it; older nodes count as new.
  uint32_t parent; ///< Node before it; LWI_NONE: the start.
  float g, f;      ///< Price so far, and with what is left at least. [metre-equivalents]
  lw_vec3 point;   ///< Where the portal is crossed, or the link ends.
  bool closed;
} lwi_node;

/// How a room was first entered. Who comes in later at another place, and could have come there cheaper through the
/// room itself, finds nothing new behind it (the triangle inequality within a convex polygon of one price).
typedef struct lwi_entry {
  uint32_t stamp;
  float g;
  lw_vec3 point;
} lwi_entry;

/// The node of a step to a spot within a room, at which a watched way turns.
#define LWI_SPOT (LWI_NONE - 1)

/// A step of the corridor: over a portal or a link, or to a place round a danger, or to a spot.
typedef struct lwi_step {
  uint32_t node, room; ///< `node`: see above; `room`: that it leads into.
  lw_vec3 point;       ///< Where the portal is crossed, or the link ends.
} lwi_step;

/// Room to search in, kept from search to search: no allocation once warm.
typedef struct lwi_search {
  lwi_memory *memory;
  lwi_graph graph;                   ///< Of the last search.
  lwi_node *nodes;                   ///< [node_count]
  uint32_t node_count;               ///< One point a portal, until a search first meets a change of price.
  const lwi_ring_place *places;      ///< Nodes from `place_base` on: places round dangers.
  const lwi_ring_place *lane_places; ///< Nodes from `lane_base` on: the same of fire lanes.
  uint32_t place_base, lane_base;    ///< LWI_NONE: there are none.
  lwi_entry *entries;                ///< [entry_count] By room.
  uint32_t entry_count;
  lwi_shortcuts shortcuts;
  uint32_t stamp;
  lwi_heap open;
  lwi_step *corridor; ///< [corridor_count] From start to goal.
  int corridor_count, corridor_capacity;
  bool uneven;         ///< It met prices that differ.
  int expanded;        ///< Nodes expanded by the last search.
  uint64_t lane_looks; ///< Fire lanes that pieces were held against, ever.
} lwi_search;

typedef struct lwi_search_query {
  const lwi_graph *graph;
  lw_vec3 from, to;            ///< On the surface.
  uint32_t from_room, to_room; ///< Where they are.
  const lwi_prices *prices;
  int max_nodes;
  float most; ///< Ways that cost no less are not looked for; 0: all are. [metre-equivalents]
  lw_quality quality;
  const struct lwi_berth *berth; ///< What the graph is of, or NULL.
  const lwi_watch *watch;        ///< Who sees the way, or NULL.
  const lwi_charges *account;    ///< That the path found is charged by; NULL: those that it is searched by.
  const lwi_dangers *dangers;    ///< Those that it may lead into, or NULL.
  const lwi_lanes *lanes;        ///< The same of fire lanes.
  int ban_count;
  const struct lwi_ban *bans; ///< [ban_count]
} lwi_search_query;
static inline lwi_charges lwi_query_charges(const lwi_search_query *query) {
  return (lwi_charges){.mesh = query->graph->mesh,
                       .prices = query->prices,
                       .watch = query->watch,
                       .dangers = query->dangers,
                       .lanes = query->lanes};
}
static inline lwi_charges lwi_query_account(const lwi_search_query *query) {
  return query->account ? *query->account : lwi_query_charges(query);
}
/// How many threats see the path.
static inline int lwi_query_threats(const lwi_search_query *query) {
  const lwi_watch *watch = query->account ? query->account->watch : query->watch;
  return watch ? watch->query.threat_count : 0;
}

/// Not to be gone: from one node to the next.
typedef struct lwi_ban {
  uint32_t from, to; ///< The first points of their portals. `from` LWI_NONE: the start.
} lwi_ban;

/// The link or the portal that a node other than the goal belongs to; the other is NULL.
static inline const lwi_link *lwi_node_link(const lwi_graph *graph, uint32_t node) {
  return node <= graph->mesh->link_count ? &graph->mesh->links[node - 1] : NULL;
}
static inline const lwi_portal *lwi_node_portal(const lwi_graph *graph, uint32_t node) {
  if (node <= graph->mesh->link_count) return NULL;
  uint32_t k = node - 1 - graph->mesh->link_count;
  while (k >= graph->portal_count) k -= graph->portal_count;
  return &graph->portals[k];
}
/// The node of the first point of the same portal.
static inline uint32_t lwi_node_first(const lwi_graph *graph, uint32_t node) {
  if (node == LWI_NONE || node <= graph->mesh->link_count) return node;
  return 1 + graph->mesh->link_count + (uint32_t)(lwi_node_portal(graph, node) - graph->portals);
}
/// The room that it leads into.
static inline uint32_t lwi_node_room(const lwi_graph *graph, uint32_t node) {
  return node <= graph->mesh->link_count ? lwi_graph_link_rooms(graph, node - 1).to
                                         : lwi_node_portal(graph, node)->to;
}
/// The place round a danger or a lane that a node is; NULL: it is none.
static inline const lwi_ring_place *lwi_node_place(const lwi_search *search, uint32_t node) {
  if (node < search->place_base || node == LWI_SPOT) return NULL;
  return node < search->lane_base ? &search->places[node - search->place_base]
                                  : &search->lane_places[node - search->lane_base];
}
static inline uint32_t lwi_search_room(const lwi_search *search, uint32_t node) {
  const lwi_ring_place *place = lwi_node_place(search, node);
  if (!place) return lwi_node_room(&search->graph, node);
  return place->portal == LWI_NONE ? place->polygon : search->graph.portals[place->portal].to;
}
static inline bool lwi_search_is_spot(const lwi_search *search, int i) {
  return search->corridor[i].node == LWI_SPOT;
}
/// The same of the corridor's node `i`, the polygon that it leads into, and where the search crossed the portal.
static inline const lwi_ring_place *lwi_search_place(const lwi_search *search, int i) {
  return lwi_node_place(search, search->corridor[i].node);
}
static inline const lwi_portal *lwi_search_portal(const lwi_search *search, int i) {
  const lwi_ring_place *place = lwi_search_place(search, i);
  if (lwi_search_is_spot(search, i)) return NULL;
  if (place) return place->portal == LWI_NONE ? NULL : &search->graph.portals[place->portal];
  return lwi_node_portal(&search->graph, search->corridor[i].node);
}
static inline const lwi_link *lwi_search_link(const lwi_search *search, int i) {
  return lwi_node_link(&search->graph, search->corridor[i].node);
}
static inline uint32_t lwi_search_polygon(const lwi_search *search, int i) {
  return lwi_room_polygon(&search->graph, search->corridor[i].room);
}
static inline lw_vec3 lwi_search_crossing(const lwi_search *search, int i) {
  return search->corridor[i].point;
}

/// What the way that was found costs, as the search knows it. [metre-equivalents]
static inline float lwi_search_price(const lwi_search *search) {
  return search->nodes[0].g;
}

bool lwi_search_init(lwi_search *search, lwi_memory *memory, const lw_navmesh *mesh);
void lwi_search_free(lwi_search *search);
/// Leaves the steps of the cheapest way in search->corridor.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY.
lw_status lwi_search_run(lwi_search *search, const lwi_search_query *query);

#endif
