/// @file query.h
/// Questions that need a search to answer.
#ifndef LEEWARD_QUERY_H
#define LEEWARD_QUERY_H

#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from lw_random_point_query_default().
typedef struct lw_random_point_query {
  bool
      anywhere; ///< Over the whole navmesh; `around` and `radius` are ignored. Without a named one, over all that have
                ///< the size that fits the profile (lw_world_find_navmesh()). [default false]
  lw_vec3 around; ///< Centre of the circle, moved onto the navmesh within `snap` to say from where. [m]
  float radius;   ///< Of the circle about `around` itself, in xz. [m, > 0]
  lw_vec3 snap;   ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const lw_profile *profile; ///< Borrowed for the call. NULL: everything may be entered.
  int navmesh;     ///< Index in the world, or LW_NAVMESH_FITTING (default): the one that fits at `around`.
  uint64_t agent;  ///< An lw_agent_id whose random numbers to use; 0: the world's.
  uint32_t cookie; ///< Set by lw_random_point_query_default(). Do not set.
} lw_random_point_query;

LW_API lw_random_point_query lw_random_point_query_default(void);

/// A point uniform by area (in xz) over all that is inside the circle and reachable from its centre, by any
/// path, also one that leaves the circle. Never outside the circle, and always on the navmesh of its centre: what only links
/// to other navmeshes lead to does not count.
/// Of an agent larger than the navmesh was made for, over where it has room (LW_NO_POINT also when 1,000 draws find none).
/// @param world  Not NULL. Draws from the random numbers of the world or of `query.agent`.
/// @return LW_OK; LW_NO_START: no navmesh within `snap` of the centre; LW_NO_POINT: nothing reachable inside;
///   LW_STALE: `query.agent`; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_random_point_find(lw_world *world, const lw_random_point_query *query,
                                      lw_location *location);

/// Start from lw_connected_query_default().
typedef struct lw_connected_query {
  lw_vec3 from, to;          ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 snap;              ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const lw_profile *profile; ///< Borrowed for the call. NULL: everything may be entered.
  int navmesh;               ///< As in lw_path_query. [default LW_NAVMESH_FITTING]
  uint32_t cookie;           ///< Set by lw_connected_query_default(). Do not set.
} lw_connected_query;

LW_API lw_connected_query lw_connected_query_default(void);

/// Is there any path from one place to the other? Off-mesh links count in the direction that they lead. Answered from
/// what is found once for each set of areas and links that may be used, so without a search; where links lead from navmesh to navmesh, from that and those
/// links.
/// @return LW_OK with the answer in `connected`; LW_NO_START; LW_NO_GOAL; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_connected(lw_world *world, const lw_connected_query *query, bool *connected);

/// Start from lw_reachable_query_default().
typedef struct lw_reachable_query {
  lw_vec3 from;              ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 snap;              ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const lw_profile *profile; ///< Borrowed for the call. NULL: length only, everything may be entered.
  int navmesh;    ///< Index in the world, or LW_NAVMESH_FITTING (default): the one that fits at `from`.
  float max_cost; ///< What a path may cost, metres for one without a profile. [metre-equivalents, >= 0; default
                  ///< infinity: at all]
  lw_poly_id *polygons; ///< Room for `capacity`, or NULL. [default NULL]
  int capacity;         ///< [>= 0, default 0]
  uint32_t cookie;      ///< Set by lw_reachable_query_default(). Do not set.
} lw_reachable_query;

LW_API lw_reachable_query lw_reachable_query_default(void);

typedef struct lw_reachable {
  double area;       ///< In xz. [m2]
  int polygon_count; ///< That are reached in part or whole, however many fitted.
  int navmesh;       ///< Index in the world.
} lw_reachable;

/// How much ground can be reached from a place, and which polygons: one way, links included. Without `max_cost` from the
/// labels that lw_connected() uses. With it, ways cross portals at points half a metre apart or less, and of polygons reached in
/// part the part counts: on ground of one price the area is right within about 1 %, never too large by more than
/// rounding; `polygons` then has those of which some point is reached. Agents that are larger than the navmesh was made for
/// do not pass where it is too narrow; of polygons that they reach the ground along the walls counts too. All of it is on the navmesh of its beginning: what only
/// links to other navmeshes lead to does not count.
/// @param[out] result  And in query.polygons, if that is not NULL, the first `capacity` polygons in the navmesh's order.
/// @return LW_OK; LW_NO_START: no navmesh within `snap`; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_reachable_area(lw_world *world, const lw_reachable_query *query, lw_reachable *result);

#ifdef __cplusplus
}
#endif
#endif
