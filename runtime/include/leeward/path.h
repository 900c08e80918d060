/// @file path.h
/// Paths: the most appropriate way from A to B for one agent.
#ifndef LEEWARD_PATH_H
#define LEEWARD_PATH_H

#include "leeward/navmesh.h"
#include "leeward/cover.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_world lw_world;

/// In a query: of the world's navmeshes, the one that fits (lw_world_find_navmesh()).
#define LW_NAVMESH_FITTING (-1)

/// How closely to look for the cheapest way where the price of a metre differs from place to place.
typedef enum lw_quality {
  /// On levels of mixed ground 0.5 % dearer than the best way in the mean, 5 % in the worst hundredth (bench_weighted).
  LW_QUALITY_GOOD,
  LW_QUALITY_FAST, ///< One look, each portal crossed straight towards the goal, and the string pulled taut.
  LW_QUALITY_COUNT
} lw_quality;

/// What to search for. Start from lw_path_query_default().
typedef struct lw_path_query {
  lw_vec3 from;              ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 to;                ///< Moved the same way. [m]
  lw_vec3 snap;              ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const lw_profile *profile; ///< Borrowed for the call. NULL: length only, everything may be entered.
  /// Index in the world, for both ends and all between; or LW_NAVMESH_FITTING (default): the one that fits at `from`, and
  /// where links lead from one of the world's navmeshes to another (lw_world_get_link()), the one that fits at `to`.
  int navmesh;
  lw_quality quality; ///< [default LW_QUALITY_GOOD]
  /// Search budget: LW_OUT_OF_NODES when it is used up before a way is found. The closer look of LW_QUALITY_GOOD stays near the
  /// way and does not count. [>= 1, default: no limit]
  int max_nodes;
  bool allow_partial; ///< Accept the reachable point nearest the goal. [default false]
  /// Who may see the way. A piece costs (cover_bias - 1) x its weighted exposure (lw_exposure_find()), less the concealment
  /// of its area; off-mesh links are not looked at. The way may turn inside polygons, and where the ground under it bends it
  /// has a point. It is looked for by the depth maps of the 64 threats that weigh most (the nearest to the way of those that
  /// weigh the same), charged by `accuracy` for all, and costs no more than the way that would be cheapest unseen. Where
  /// lw_world_def.depth_maps is 0 every piece that is looked at is measured: that takes some 15 times as long, and the way
  /// turns at portals alone. [threat_count] Borrowed for the call. [default none]
  const lw_threat *threats;
  int threat_count; ///< [>= 0, default 0]
  /// At which one is seen, above the feet. [m, default 0.9 and 1.6: standing]
  float heights[LW_BODY_HEIGHTS_MAX];
  int height_count; ///< [1..LW_BODY_HEIGHTS_MAX, default 2]
  lw_accuracy
      accuracy; ///< Of what the threats see, in the search and in what the path says. [default LW_ACCURACY_AUTO]
  /// The team of who walks: how well it is seen scales what it costs to be seen (lw_world_set_visibility()). Borrowed for
  /// the call. [default NULL: none]
  const char *team;
  float visibility; ///< In place of the world's and the team's. [0..1, default -1: those]
  uint32_t cookie;  ///< Set by lw_path_query_default(). Do not set.
} lw_path_query;

LW_API lw_path_query lw_path_query_default(void);

/// A found path. It does not change, and it outlives the world that found it.
typedef struct lw_path lw_path;

/// Find the cheapest path. The same build, navmesh and query give the same path, bit for bit.
/// A* over portals and off-mesh links, then the funnel from link to link (Mononen's "simple stupid funnel"; Lee and Preparata 1984).
///
/// An agent whose radius r is larger than the radius R that the navmesh was made for keeps r - R from where the navmesh ends
/// and from what its profile may not enter, measured in xz as one walks (as lw_navmesh_distance_to_wall()): no point of the
/// path is nearer by more than 5 cm. It goes through every gap that it fits through and through no other; start and goal
/// are moved, within `snap`, to the nearest place straight over the surface where it has room. An off-mesh link is taken by
/// those who have room at both its ends. What such agents may pass is found for the whole navmesh when first asked for, once
/// for each set of areas and radius (some 3 us a polygon), and the eight sets asked for last are kept.
///
/// Links from navmesh to navmesh are taken where that is cheapest, also when both ends lie on one navmesh, unless the query
/// names one; max_nodes counts over all of them. Where the navmesh that fits at `to` cannot be reached, but that of the start
/// has a place as near to it (by its climb), the path goes there.
/// @param world  Not NULL. Leaves may call it inside lw_world_step().
/// @param query  Not NULL. Copied, so it may leave scope.
/// @param[out] path  A new path on LW_OK or LW_PARTIAL, else NULL. The caller frees it with lw_path_destroy().
/// @return LW_OK; LW_PARTIAL; LW_NO_START or LW_NO_GOAL: no navmesh within `snap`, or no room; LW_NO_PATH: not connected
///   for this profile; LW_OUT_OF_NODES; LW_NOT_FOUND: LW_ACCURACY_MAP, but no navmesh has a cover map; LW_INVALID;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_find(lw_world *world, const lw_path_query *query, lw_path **path);
LW_API void lw_path_destroy(lw_path *path);

/// @param[out] count  Number of points, >= 1.
/// @return The points to walk, on the surface: corners, where the ground or the area changes between them, and both ends
///   of off-mesh links. Borrowed from the path.
LW_API const lw_vec3 *lw_path_points(const lw_path *path, int *count);
/// @return The polygons in order. Borrowed from the path.
LW_API const lw_poly_id *lw_path_corridor(const lw_path *path, int *count);
/// @return The area of the piece that begins at point `index`; LW_AREA_NONE past the last piece. Of a link that has no
///   area of its own, that of the ground it leaves.
LW_API lw_area_id lw_path_area(const lw_path *path, int index);
/// @return By which kind of off-mesh link the piece goes that begins at point `index`, from the link's start to its end;
///   LW_LINK_NONE: over the surface.
LW_API lw_link_kind lw_path_link(const lw_path *path, int index);
/// @return What is left from point `index` to the end; links count what they are said to. 0 past the last point. [m]
LW_API float lw_path_remaining(const lw_path *path, int index);
/// @return Length over the surface; links count what they are said to. [m]
LW_API float lw_path_length(const lw_path *path);
/// @return Price for the profile that it was searched for. [metre-equivalents]
LW_API float lw_path_cost(const lw_path *path);
LW_API bool lw_path_is_partial(const lw_path *path);
/// @return Index in the world of the navmesh that it begins on.
LW_API int lw_path_navmesh(const lw_path *path);
/// @return Index in the world of the navmesh that point `index` lies on; -1 past the last point. Differs from that of the point
///   before only behind an off-mesh link.
LW_API int lw_path_navmesh_at(const lw_path *path, int index);
/// @return The same of the corridor's polygon `index`: polygon ids are those of one navmesh.
LW_API int lw_path_corridor_navmesh(const lw_path *path, int index);
/// @return Metres of it that a threat of the query sees; 0 without threats. Off-mesh links are not looked at. [m]
LW_API float lw_path_exposed(const lw_path *path);
/// @return What of its cost is for the dangers that it enters (lw_danger_add()). [metre-equivalents]
LW_API float lw_path_danger(const lw_path *path);
/// @return Search nodes expanded to find it, as max_nodes counts them.
LW_API int lw_path_nodes(const lw_path *path);

#ifdef __cplusplus
}
#endif
#endif
