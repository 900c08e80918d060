/// @file room_graph.h
/// Plans by rooms: which rooms an agent goes through, before it knows each turn (regions.h).
///
/// A room graph knows what it costs a profile to walk from each door of a room to each other one, as the world
/// is. It is computed once for a profile, and then gives plans without a search over polygons, but for those of
/// the rooms at both ends. A plan is coarse: within a room costs are estimates, and threats, dangers and fire
/// lanes do not count. The agent searches its path to a place a few rooms ahead, and the next one when it comes
/// near that.
///
/// LW_INVALID: a pointer is NULL; the world has no such navmesh; the query was not filled by
/// lw_room_plan_query_default(); a place or `snap` is not finite, `snap` not above 0, or a count is below 0.
///
/// Threads: graphs are created, refreshed and asked as queries are: on any number of threads between steps.
/// While a graph is refreshed nothing else may ask it.
#ifndef LEEWARD_ROOM_GRAPH_H
#define LEEWARD_ROOM_GRAPH_H

#include "leeward/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_room_graph lw_room_graph;

/// Compute the costs between the doors of each room.
/// @param navmesh  Index in the world of a navmesh with regions; both must outlive the graph.
/// @param profile  It must outlive the graph. NULL: length only, all areas may be entered.
/// @param[out] graph  The caller frees it with lw_room_graph_destroy(). NULL unless LW_OK.
/// @return LW_OK; LW_NOT_FOUND: the navmesh has no regions; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_room_graph_create(const lw_world *world, int navmesh, const lw_profile *profile,
                                      lw_room_graph **graph);
/// Free a graph. @param graph  NULL: nothing happens.
LW_API void lw_room_graph_destroy(lw_room_graph *graph);
/// @return Whether navmeshes, links or the regions have changed since it was computed. NULL: false.
LW_API bool lw_room_graph_is_stale(const lw_room_graph *graph);
/// Compute it again if it is stale. @return LW_OK; LW_NOT_FOUND: the navmesh has no regions any more;
///   LW_INVALID; LW_OUT_OF_MEMORY: it stays stale.
LW_API lw_status lw_room_graph_refresh(lw_room_graph *graph);
/// @return Bytes that it holds. NULL: 0.
LW_API size_t lw_room_graph_memory(const lw_room_graph *graph);

/// What to plan. Start from lw_room_plan_query_default().
typedef struct lw_room_plan_query {
  lw_vec3 from;     ///< Moved onto the graph's navmesh within `snap`. [m]
  lw_vec3 to;       ///< Moved in the same manner. [m]
  lw_vec3 snap;     ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const int *avoid; ///< [avoid_count] Rooms not to go through; it may begin and end there. Borrowed.
  int avoid_count;  ///< [>= 0, default 0]
  uint32_t cookie;  ///< Set by lw_room_plan_query_default(). Do not set.
} lw_room_plan_query;
/// @return The defaults of all fields.
LW_API lw_room_plan_query lw_room_plan_query_default(void);

/// A room of a plan.
typedef struct lw_room_step {
  int room;        ///< Its number.
  int door;        ///< By which it is entered; -1: by a link, or the plan begins there.
  lw_link_id link; ///< By which it is entered; none: by a door, or the plan begins there.
  lw_vec3 at;      ///< Where it is entered, about: on a portal of the door, or where the link ends. [m]
  float cost;      ///< Up to there, about. [metre-equivalents]
} lw_room_step;
/// Find the cheapest route through rooms: doors that are shut now, and links that cannot be used, are left out.
/// Where obstacles cut a room into parts it may lead through each of them, by doors of that part alone, which
/// lw_world_open_doors() does not count, and come to one room, or through one door, several times.
/// @param[out] steps  [capacity] From the room of `from` to that of `to`. May be NULL if `capacity` is 0.
/// @param[out] count  How many there are, also above `capacity`; 0 on an error.
/// @param[out] cost  Up to the goal, about. May be NULL. [metre-equivalents]
/// @return LW_OK; LW_STALE: refresh the graph first; LW_NO_START, LW_NO_GOAL: no ground near by; LW_NO_PATH;
///   LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_room_plan_find(const lw_room_graph *graph, const lw_room_plan_query *query,
                                   lw_room_step *steps, int capacity, int *count, float *cost);

#ifdef __cplusplus
}
#endif
#endif
