/// @file query.h
/// Queries that need a search: random points, and what can be reached.
///
/// LW_INVALID from each of them: world, query or the result is NULL; the workspace is of another world; the
/// query was not filled by its lw_X_query_default(); the world has no such navmesh; a place or `snap` is not
/// finite, or `snap` not above 0. From lw_random_point_find() also: `random` is NULL, `radius` not above 0 or
/// not finite, `min_distance` below 0, not finite, not below `radius`, or from no place, or an area unknown;
/// `anywhere` does without `around` and `radius`. From lw_reachable_area_find() also:
/// `max_cost` is below 0 or not a number, or `capacity` below 0.
///
/// Threads: all functions of this header may run on any number of threads between steps, each with its own
/// workspace. lw_random_point_find() changes the stream that it draws from: one thread at a time.
#ifndef LEEWARD_QUERY_H
#define LEEWARD_QUERY_H

#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where to draw a random point. Start from lw_random_point_query_default().
typedef struct lw_random_point_query {
  /// Draw over the whole navmesh and ignore `around` and `radius`; with LW_NAVMESH_FITTING, over all navmeshes
  /// of the size that fits the profile. [default false]
  bool anywhere;
  lw_vec3 around; ///< Centre of the circle; the agent starts at the nearest place within `snap`. [m]
  float radius;   ///< Of the circle about `around`, in xz. [m, > 0]
  lw_vec3 snap;   ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// At least so far from `around`, or with `anywhere` from `connected_to`, in xz. [m, >= 0, < radius,
  /// default 0]
  float min_distance;
  bool is_connected;         ///< Only ground that can be reached from `connected_to`. [default false]
  lw_vec3 connected_to;      ///< Instead of from `around`; moved onto the navmesh within `snap`. [m]
  const lw_profile *profile; ///< Borrowed for the call. NULL: all areas may be entered. [default NULL]
  /// [avoid_count] Areas that may not be entered either. Borrowed for the call.
  const lw_area_id *avoid;
  int avoid_count; ///< [>= 0, default 0]
  /// [only_count] Areas to draw from: others are walked over, but no point lies there. Borrowed for the call.
  const lw_area_id *only;
  int only_count; ///< 0: all areas. [>= 0, default 0]
  /// Index in the world, or LW_NAVMESH_FITTING at `around` or `connected_to`. [default LW_NAVMESH_FITTING]
  int navmesh;
  /// Stream to draw from: lw_world_random_stream(), lw_agent_random_stream(), or the caller's own. Borrowed for
  /// the call. Not NULL. [default NULL]
  lw_random *random;
  uint32_t cookie; ///< Set by lw_random_point_query_default(). Do not set.
} lw_random_point_query;

/// @return The defaults of all fields.
LW_API lw_random_point_query lw_random_point_query_default(void);

/// Draw a point, uniform by area in xz, from all ground inside the circle that can be reached from its centre,
/// or from `connected_to`, by any path, also one that leaves the circle. Ground behind links to other navmeshes
/// does not count. For agents larger than the navmesh was baked for, from the ground where they fit.
/// @param[out] location  All zero on an error.
/// @return LW_OK; LW_NO_START: no navmesh within `snap` of the centre, or of `connected_to`; LW_NO_POINT: there
///   is no such ground, or 1,000 draws found no point where the agent fits, or 10,000 none that is far enough
///   away; LW_INVALID: the head of this header says why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_random_point_find(const lw_world *world, lw_workspace *workspace,
                                      const lw_random_point_query *query, lw_location *location);

/// Between which places to look for a path. Start from lw_path_exists_query_default().
typedef struct lw_path_exists_query {
  lw_vec3 from;              ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 to;                ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 snap;              ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const lw_profile *profile; ///< Borrowed for the call. NULL: all areas may be entered. [default NULL]
  int navmesh;               ///< As lw_path_query.navmesh. [default LW_NAVMESH_FITTING]
  uint32_t cookie;           ///< Set by lw_path_exists_query_default(). Do not set.
} lw_path_exists_query;

/// @return The defaults of all fields.
LW_API lw_path_exists_query lw_path_exists_query_default(void);

/// Is there any path from one place to the other? Off-mesh links count in the direction in which they lead.
/// Answered without a search, from labels that are computed once for each set of areas and links, and from the
/// links between navmeshes.
/// @param[out] exists  false on an error.
/// @return LW_OK; LW_NO_START, LW_NO_GOAL: no navmesh within `snap` that the agent may enter and fits on;
///   LW_INVALID: the head of this header says why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_exists(const lw_world *world, lw_workspace *workspace,
                                const lw_path_exists_query *query, bool *exists);

/// From where to measure what can be reached. Start from lw_reachable_area_query_default().
typedef struct lw_reachable_area_query {
  lw_vec3 from; ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 snap; ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// Borrowed for the call. NULL: length only, all areas may be entered. [default NULL]
  const lw_profile *profile;
  /// Index in the world, or LW_NAVMESH_FITTING at `from`. [default LW_NAVMESH_FITTING]
  int navmesh;
  float max_cost; ///< What a path may cost. [metre-equivalents, >= 0, default infinity]
  /// [capacity] Out: the first polygons, in the navmesh's order. NULL: not wanted. [default NULL]
  lw_poly_id *polygons;
  int capacity;    ///< [>= 0, default 0]
  uint32_t cookie; ///< Set by lw_reachable_area_query_default(). Do not set.
} lw_reachable_area_query;

/// @return The defaults of all fields.
LW_API lw_reachable_area_query lw_reachable_area_query_default(void);

/// What can be reached from a place.
typedef struct lw_reachable_area {
  double area;       ///< In xz. [m2]
  int polygon_count; ///< Polygons reached in part or whole, also if fewer fit.
  int navmesh;       ///< Index in the world.
} lw_reachable_area;

/// Measure the ground of this navmesh that can be reached from a place. With `max_cost` paths cross portals at
/// points at most half a metre apart, and of polygons reached in part the part counts. For agents larger than
/// the navmesh was baked for, the ground along the walls counts, too.
/// @param[out] result  On an error all 0 and `navmesh` -1.
/// @return LW_OK; LW_NO_START: no navmesh within `snap`; LW_INVALID: the head of this header says
///   why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_reachable_area_find(const lw_world *world, lw_workspace *workspace,
                                        const lw_reachable_area_query *query, lw_reachable_area *result);

#ifdef __cplusplus
}
#endif
#endif
