/// How far an agent gets from a place for so much: Dijkstra over points of portals, and the ground that they cover.
#ifndef LW_QUERY_FLOOD_H
#define LW_QUERY_FLOOD_H

#include "core/heap.h"
#include "cost/profile.h"
#include "mesh/mesh.h"

/// A place at which a room is entered, and what it cost to come there.
typedef struct lwi_flood_entry {
  uint32_t room, polygon;
  float cost; ///< [metre-equivalents]
  lw_vec3 point;
  uint32_t before; ///< The room's entry before it; LWI_NONE: its first.
  uint32_t
      root; ///< The entry from which the way here runs straight; LWI_NONE: the start itself, or a link's end.
} lwi_flood_entry;

/// A point of a portal, or the end of a link.
typedef struct lwi_flood_node {
  uint64_t key; ///< Which.
  float cost;   ///< The least found so far.
  uint32_t room, came_from, root;
  lw_vec3 point;
} lwi_flood_node;

/// Room to work in, kept from call to call.
typedef struct lwi_flood {
  lwi_memory *memory;
  lwi_heap open;         ///< Of nodes.
  lwi_flood_node *nodes; ///< [node_count]
  int node_count, node_capacity;
  uint32_t *slots; ///< [slot_count] Open addressing by key: node + 1, 0: free. A power of two.
  uint32_t slot_count;
  lwi_flood_entry *entries; ///< [entry_count]
  int entry_count, entry_capacity;
  uint32_t *last; ///< [room_capacity] Of each room: its last entry, or LWI_NONE.
  uint32_t room_capacity;
  uint32_t *rooms; ///< [reached_count] That were entered, in that order.
  int reached_count, reached_capacity;
} lwi_flood;

void lwi_flood_free(lwi_flood *flood);
/// Leaves every entry that costs no more than `max_cost` in flood->entries, the cheapest first.
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_flood_run(lwi_flood *flood, const lwi_graph *graph, lw_vec3 from, uint32_t from_room,
                        const lwi_prices *prices, float max_cost);

/// Circles on one polygon that count, at most: the cheapest. More hardly ever add anything.
#define LWI_FLOOD_CIRCLES 256

/// A circle on a polygon: what can be reached of it from one entry.
typedef struct lwi_flood_circle {
  lw_vec3 center;
  double radius; ///< Over the surface. [m]
} lwi_flood_circle;
/// The area in xz of the polygon that the circles cover together. Distances run over the polygon's mean plane.
/// @param circles  [count <= LWI_FLOOD_CIRCLES]
double lwi_covered_area(const lwi_polygon *polygon, const lwi_flood_circle *circles, int count);

#endif
