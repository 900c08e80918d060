/// What an agent can reach from a place within a cost: Dijkstra over points on portals.
#ifndef LW_QUERY_REACH_FIELD_H
#define LW_QUERY_REACH_FIELD_H

#include "core/heap.h"
#include "cost/profile.h"
#include "mesh/mesh.h"

/// A place at which a region is entered, and the cost of the path there.
typedef struct lwi_reach_field_entry {
  uint32_t region, polygon;
  float cost; ///< [metre-equivalents]
  lw_vec3 point;
  uint32_t before; ///< The region's entry before it; LWI_NONE: its first.
  /// The entry from which the path here is straight; LWI_NONE: the start itself, or a link's end.
  uint32_t root;
} lwi_reach_field_entry;

/// A point of a portal, or the end of a link.
typedef struct lwi_reach_field_node {
  uint64_t key; ///< Which.
  float cost;   ///< The lowest so far. [metre-equivalents]
  uint32_t region, came_from, root;
  lw_vec3 point;
} lwi_reach_field_node;

/// Scratch, kept from call to call.
typedef struct lwi_reach_field {
  lwi_memory *memory;
  lwi_heap open;               ///< Of nodes.
  lwi_reach_field_node *nodes; ///< [node_count]
  int node_count, node_capacity;
  uint32_t *slots; ///< [slot_count] Open addressing by key: node + 1, 0: free. A power of two.
  uint32_t slot_count;
  lwi_reach_field_entry *entries; ///< [entry_count]
  int entry_count, entry_capacity;
  uint32_t *last; ///< [region_capacity] The last entry of each region, or LWI_NONE.
  uint32_t region_capacity;
  uint32_t *regions; ///< [reached_count] In the order in which they were entered.
  int reached_count, reached_capacity;
} lwi_reach_field;

void lwi_reach_field_free(lwi_reach_field *field);
/// Leaves every entry that costs no more than `max_cost` in field->entries, the cheapest first.
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_reach_field_run(lwi_reach_field *field, const lwi_graph *graph, lw_vec3 from,
                              uint32_t from_region, const lwi_prices *prices, float max_cost);

#endif
