/// Inside a room graph.
#ifndef LW_QUERY_ROOM_GRAPH_H
#define LW_QUERY_ROOM_GRAPH_H

#include "leeward/room_graph.h"
#include "core/heap.h"
#include "query/regions.h"

/// Rooms with more doors and links than this have no costs of their own: straight distances at the price of
/// the room count, so that memory does not grow with the square of their number.
#define LWI_ROOM_ENDS_MAX 64

/// A door that is open, or a link.
typedef struct lwi_room_node {
  int door;          ///< -1: a link.
  lw_link_id link;   ///< None: a door.
  uint32_t rooms[2]; ///< Of a link: where it begins, where it ends.
  lw_vec3 at[2];     ///< Its middle, twice; of a link both ends.
  float price;       ///< Of a link. [metre-equivalents]
  /// [2] By side: where what it costs to go on from there begins. Of a link only side 1 counts.
  uint32_t first_cost[2];
  uint32_t first_piece, piece_count; ///< Of its pieces.
} lwi_room_node;

/// Where agents can cross a door, or an end of a link.
typedef struct lwi_room_piece {
  uint32_t regions[2]; ///< Of the reach. [0] in rooms[0]
  uint32_t parts[2];   ///< Parts of these rooms that are cut off from the rest of them.
  lw_vec3 left, right;
} lwi_room_piece;

/// A room of the graph: its nodes lie in a list.
typedef struct lwi_room_ends {
  uint32_t first, count; ///< Of `ends`.
  uint32_t region_count; ///< Of its ground.
  float price;           ///< Of a metre in the mean. [metre-equivalents]
} lwi_room_ends;

/// What was computed.
typedef struct lwi_room_costs {
  uint32_t room_count, region_count;
  uint32_t *rooms;        ///< [region_count] Of each region; LWI_NONE: agents cannot be there.
  uint32_t *locals;       ///< [region_count] Its number within its room.
  lwi_room_ends *by_room; ///< [room_count]
  lwi_room_node *nodes;   ///< [node_count]
  lwi_room_piece *pieces; ///< [piece_count]
  uint32_t *ends;         ///< [end_count] Nodes, by room.
  float *costs;           ///< [cost_count] From a node, on one of its sides, to all nodes of that room.
  int node_count, node_capacity, piece_count, piece_capacity, end_count, end_capacity, cost_count,
      cost_capacity;
  uint32_t largest; ///< Regions of a room at most.
  bool is_done;
} lwi_room_costs;

struct lw_room_graph {
  lwi_memory memory;
  const lwi_scene *scene;
  const lwi_nav *nav;
  const lw_profile *profile;
  lwi_prices prices; ///< It was computed by.
  const lw_regions *regions;
  uint64_t changes, set, version; ///< lwi_scene.changes, lwi_nav.regions_set, lw_regions.version
  lwi_room_costs costs;
};

/// How a region of a room is entered. The route there is straight from its last turn, or nearly.
typedef struct lwi_room_reach {
  float cost;          ///< Up to where it is entered. [metre-equivalents]
  lw_vec3 at;          ///< There.
  lw_vec3 turn;        ///< Where the route there turns last.
  lw_vec3 left, right; ///< What can be seen from there through all portals since lies between these two.
  float turn_cost;     ///< Up to the turn. [metre-equivalents]
  float price;         ///< Of a metre since, in the mean. [metre-equivalents]
  bool is_open;        ///< No portal lies between.
} lwi_room_reach;

/// What it costs to walk within one room.
typedef struct lwi_room_walk {
  lwi_memory *memory;
  const lw_room_graph *graph;
  const lwi_room_costs *costs;
  const lwi_reach *reach;
  uint32_t room;
  lwi_room_reach *found; ///< [largest] By local number.
  lwi_heap heap;
} lwi_room_walk;
/// @return false: no memory; free it all the same.
bool lwi_room_walk_init(lwi_room_walk *walk, lwi_memory *memory, const lw_room_graph *graph,
                        const lwi_room_costs *costs, const lwi_reach *reach);
void lwi_room_walk_free(lwi_room_walk *walk);
void lwi_room_walk_begin(lwi_room_walk *walk, uint32_t room);
/// @return false: no memory.
bool lwi_room_walk_from(lwi_room_walk *walk, uint32_t region, lw_vec3 at, float cost);
/// Walk to all regions of the room. @return false: no memory.
bool lwi_room_walk_run(lwi_room_walk *walk);
/// What it costs to get to a node, from the side of the walk's room. @param side  Which of its sides that is.
/// @return INFINITY: it cannot be reached.
float lwi_room_walk_to(const lwi_room_walk *walk, const lwi_room_node *node, int side);
/// The same to a place. @param region  INFINITY is returned where it is in another room.
float lwi_room_walk_at(const lwi_room_walk *walk, uint32_t region, lw_vec3 at);
/// The region of a place that agents can be in. @return LWI_NONE: there is none.
uint32_t lwi_room_region_at(const lwi_reach *reach, const lw_navmesh *mesh, lw_location at);

#endif
