/// @file path.h
/// Paths: the cheapest route from A to B for one agent.
///
/// A* over portals and off-mesh links, then the funnel from link to link (Mononen's "simple stupid funnel"; Lee
/// and Preparata 1984). LW_QUALITY_GOOD refines the crossing points of the corridor where the cost of a metre
/// differs from place to place, and never costs more than LW_QUALITY_FAST: where the two may differ it begins
/// with the fast path. The same build, world and query give the same path, bit for bit. Among obstacles
/// A* is weighted (Pohl 1970): what is left counts up to a twentieth more, and paths may be longer by as much.
///
/// LW_QUALITY_EXACT is for ground on which every metre that may be entered costs the same: the path is the
/// shortest as seen from above (Polyanya: Cui, Harabor and Grastien 2017), over off-mesh links of the navmesh,
/// too, that count for no less than their straight line, and on each of several navmeshes. Over hills and ramps
/// it is the cheaper of that and the one of LW_QUALITY_GOOD: it never costs more. Among obstacles, round ground
/// that may not be entered and beside links, one path in a hundred may be longer than it could be. It finds
/// just what LW_QUALITY_GOOD finds where metres cost differently (areas, marks with a cost, openness, depths,
/// low ceilings), past threats, dangers and fire lanes, for agents larger than the navmesh was baked for,
/// beside links shorter than their straight line and links added to the world, and where a search would take
/// far more nodes than any level does.
///
/// Where the cost of a metre differs, the first search with such prices computes bounds for the whole navmesh,
/// which takes far longer than a search; they are kept (lw_world_def.cache_bytes) and make all searches faster.
/// There are none for profiles that are brief (lw_profile_def), beside added links or obstacles that mark
/// ground, and above 20,000 polygons.
///
/// Size: an agent whose radius r is larger than the radius R that the navmesh was baked for keeps r - R from
/// where the navmesh ends and from what its profile may not enter, measured in xz over the surface
/// (lw_navmesh_distance_to_wall()): no point of the path is nearer by more than 5 cm. It passes every gap that
/// it fits through and no other. Start and goal are moved, within `snap`, to the nearest place where it fits:
/// straight over the surface, else over the surface in the snap box, else anywhere in that box. It takes
/// off-mesh links that have such places at both ends. What such agents may pass is computed for the whole
/// navmesh at the first query for a set of areas and a radius, kept (lw_world_def.cache_bytes), and later
/// computed again only near what has changed.
///
/// Several navmeshes: links from navmesh to navmesh are taken where that is cheapest, also if both ends lie on
/// one navmesh, unless the query names a navmesh; max_nodes counts over all of them. If the navmesh that fits
/// at `to` cannot be reached, but that of the start has a place as near to `to` (by its climb), the path leads
/// there.
///
/// Ground: length and cost follow the surface, also inside polygons; the path has a point where it would pass
/// more than 0.1 m above or below it. At other places it does by some centimetres, 0.13 m at most where that
/// was measured.
///
/// Threats: a piece costs (cover_bias - 1) x its weighted exposure (lw_exposure_find()), less the concealment
/// of its area; off-mesh links pay, too. The path may turn inside polygons. The search estimates exposure by
/// what the 64 threats with the greatest weight (of equal weight, the nearest) see of lines over the ground,
/// which is kept for threats that rest (lw_world_def.cache_bytes), and then prices the path by `accuracy` for
/// all; it costs no more than the path that would be cheapest unseen. With
/// lw_world_def.depth_maps 0 every piece is measured instead, which is much slower, and paths turn at portals
/// alone. Each piece of a path is priced for all threats in range; among hundreds, or over thousands of
/// polygons, a path is smoothed less, and lw_path_is_reduced() is true.
///
/// Several goals: they are searched for one after the other, by rising lower bound on what they cost (distances
/// from landmarks), until no other can be cheaper. So the path costs no more than that to any one goal alone,
/// and mostly takes one or two searches. (Where the cost of a metre differs, bounds are measured by points of
/// portals, and lowered by a tenth and by a metre, for they may be too high by some hundredths.)
///
/// Dangers and fire lanes: the path leads round them, between them or through them, whatever costs least. Its
/// cost is exact for all of them. What a search does for them is limited, in work that is counted: beyond that
/// it begins again with no points to turn at and fewer to cross portals at, and lw_path_is_reduced() is true.
/// With LW_QUALITY_GOOD and no threats, and unless max_nodes ends the search, such a path costs no more than
/// the one that would be cheapest without them.
///
/// Shape: a taut path turns at corners. A path with LW_PATH_ROUNDED turns along arcs of the circle that the
/// profile's `turn_radius` gives, which lead round the corners on the outer side, through the same polygons: it
/// keeps the agent's radius from walls, and enters no other ground. Corners that are close together share a
/// circle. Where there is no space, within these polygons or without a rise in cost beyond what is longer, the
/// circle is smaller, down to the corner itself (lw_path_arc.is_reduced). Both ends of off-mesh links stay as
/// they are, as do points where the path turns beside a danger or a fire lane. The direction at the start is
/// free. Polygons are searched for as for a taut path; length, cost and all else are those of the arcs' points.
///
/// LW_INVALID from lw_path_find(): world, query or path is NULL; the workspace is of another world; the query
/// was not filled by lw_path_query_default(); `from`, a goal or `snap` is not finite, or `snap` not above 0;
/// `goal_count` is below 0, or `goals` NULL where it is above; `max_nodes` is below 1; the world has no such
/// navmesh; `quality`, `path_style`, `accuracy`, `heights`, `height_count`, `threat_count` or a threat's number
/// (lw_threat) is out of range; or `visibility` is neither -1 nor 0..1.
///
/// Threads: lw_path_find() may run on any number of threads between steps, each with its own workspace. A path
/// never changes and does not need the world any more; any number of threads may read it.
#ifndef LEEWARD_PATH_H
#define LEEWARD_PATH_H

#include "leeward/cover.h"
#include "leeward/navmesh.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How much to refine a path where the cost of a metre differs from place to place.
typedef enum lw_quality {
  LW_QUALITY_GOOD, ///< Refine the crossing points of the corridor and of its neighbours.
  LW_QUALITY_FAST, ///< One search, which crosses each portal straight towards the goal, and the funnel.
  /// The shortest path as seen from above where every metre costs the same; elsewhere as LW_QUALITY_GOOD.
  LW_QUALITY_EXACT,
  LW_QUALITY_COUNT
} lw_quality;

/// The shape of a path.
typedef enum lw_path_style {
  LW_PATH_TAUT,    ///< Straight lines and corners: the shortest for what it costs.
  LW_PATH_ROUNDED, ///< Straight lines and arcs that an agent of the profile's `turn_radius` can drive.
  LW_PATH_STYLE_COUNT
} lw_path_style;

/// What to search for. Start from lw_path_query_default().
typedef struct lw_path_query {
  /// Moved onto the navmesh within `snap`, to the nearest place with space for the profile's radius. Where that
  /// is shut in, to one from where a path leads to the goal, if it is hardly farther (0.5 m) and the line there
  /// is no narrower. [m]
  lw_vec3 from;
  lw_vec3 to; ///< Moved the same way. Unused where there are `goals`. [m]
  /// [goal_count] The path leads to the cheapest of these instead; which, says lw_path_goal(). Those without a
  /// place or a path are passed over. Borrowed. [m, default NULL]
  const lw_vec3 *goals;
  int goal_count; ///< [>= 0, default 0: `to` is the goal]
  lw_vec3 snap;   ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// Borrowed for the call. NULL: length only, all areas may be entered. [default NULL]
  const lw_profile *profile;
  /// Index in the world, for the whole path; or LW_NAVMESH_FITTING: at `from` the navmesh that fits there, and,
  /// if links lead from navmesh to navmesh (lw_world_get_link()), at `to` the navmesh that fits there. [default
  /// LW_NAVMESH_FITTING]
  int navmesh;
  lw_quality quality;       ///< [default LW_QUALITY_GOOD]
  lw_path_style path_style; ///< [default LW_PATH_TAUT]
  /// Search nodes to expand before giving up with LW_OUT_OF_NODES, or with the cheapest path to any of `goals`
  /// so far; refinement does not count. [>= 1, default no limit]
  int max_nodes;
  /// Accept the reachable point nearest to the goal, of each polygon the one nearest from above; if none of
  /// several can be reached, nearest to that which lies nearest to `from`. An agent that is shut in between the
  /// walls of one polygon goes straight towards the goal as far as it fits. [default false]
  bool allow_partial;
  /// [threat_count] Threats that may see the path. Borrowed for the call. [default NULL]
  const lw_threat *threats;
  int threat_count; ///< [>= 0, default 0]
  /// Heights above the feet at which the agent is seen. [height_count] [m, default 0.9 1.6: standing]
  float heights[LW_BODY_HEIGHTS_MAX];
  int height_count;     ///< [1..LW_BODY_HEIGHTS_MAX, default 2]
  lw_accuracy accuracy; ///< Of what the threats see. [default LW_ACCURACY_AUTO]
  /// The agent's team, whose visibility counts (lw_world_set_visibility()). Borrowed for the call. [default
  /// NULL: no team]
  const char *team;
  float visibility; ///< Replaces the visibility of world and team. [0..1, default -1: does not replace it]
  uint32_t cookie;  ///< Set by lw_path_query_default(). Do not set.
} lw_path_query;

/// @return The defaults of all fields.
LW_API lw_path_query lw_path_query_default(void);

/// A path that was found. It never changes, and may outlive the world.
typedef struct lw_path lw_path;

/// Find the cheapest path; the head of this header says how. Leaves may call it inside lw_world_step().
/// @param world  Not NULL.
/// @param query  Not NULL. Borrowed for the call.
/// @param[out] path  The caller frees it with lw_path_destroy(). NULL unless LW_OK or LW_PARTIAL.
/// @return LW_OK; LW_PARTIAL: the goal cannot be reached, but allow_partial is set; LW_NO_START, LW_NO_GOAL: no
///   place within `snap` to stand; LW_NO_PATH; LW_OUT_OF_NODES; LW_NOT_FOUND: LW_ACCURACY_MAP without a cover
///   map; LW_INVALID: the head of this header says why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_find(const lw_world *world, lw_workspace *workspace, const lw_path_query *query,
                              lw_path **path);
/// Free a path. @param path  NULL: nothing happens.
LW_API void lw_path_destroy(lw_path *path);

/// Read the points to walk, on the surface: corners, points where the ground, the area or the stance changes,
/// and both ends of links. Of an arc both ends, and between them points on tangents of its circle, farther from
/// the centre by LW_PATH_ARC_SLACK at most: the lines between them lie outside of the arc, and touch it.
/// @param[out] count  How many there are. [>= 1]
/// @return [count] Borrowed from the path. [m]
LW_API const lw_vec3 *lw_path_points(const lw_path *path, int *count);
/// How far the points of an arc may lie outside its circle. [m]
#define LW_PATH_ARC_SLACK 0.02f
/// An arc of a rounded path.
typedef struct lw_path_arc {
  int first, last; ///< Points where it begins and ends; equal where the path turns in place.
  lw_vec3 centre;  ///< Of its circle, at the height of the first point. [m]
  float radius;    ///< At most the profile's `turn_radius`. 0: there was no space, it turns in place. [m]
  /// The directions from the centre to the first and to the last point, counter-clockwise from +x seen from
  /// above; to > from: a left turn. Where the radius is 0, those of the path before and behind. [rad]
  float from, to;
  bool is_reduced; ///< `radius` is less than the profile's `turn_radius`.
} lw_path_arc;
/// Read the arcs in order, and the corners that had no space for one. A taut path has none; corners that turn
/// by less than a degree do not count.
/// @param[out] count  How many there are. [>= 0]
/// @return [count] Borrowed from the path; NULL: none.
LW_API const lw_path_arc *lw_path_arcs(const lw_path *path, int *count);
/// Read the polygons in order.
/// @param[out] count  How many there are. [>= 1]
/// @return [count] Borrowed from the path.
LW_API const lw_poly_id *lw_path_corridor(const lw_path *path, int *count);
/// @return The area of the piece that begins at point `index`; for a link without an area, that of the ground
///   where it starts; LW_AREA_NONE after the last piece.
LW_API lw_area_id lw_path_area(const lw_path *path, int index);
/// @return In which stance of the query's profile the piece that begins at point `index` is walked: LW_STAND,
///   or a lower one under a ceiling that is too low to stand (lw_body.can_crouch). LW_STAND after the last one.
LW_API int lw_path_stance(const lw_path *path, int index);
/// @return The kind of the off-mesh link that begins at point `index`; LW_LINK_NONE: the piece leads over the
///   surface.
LW_API lw_link_kind lw_path_link(const lw_path *path, int index);
/// @return The id of that link in the world that found the path, which may have been removed since (link.h);
///   none: the piece leads over the surface.
LW_API lw_link_id lw_path_link_id(const lw_path *path, int index);
/// @return The length from point `index` to the end, links with lw_link.length; 0 after the last point. [m]
LW_API float lw_path_remaining(const lw_path *path, int index);
/// @return The length over the surface, links with lw_link.length. [m]
LW_API float lw_path_length(const lw_path *path);
/// @return The cost for the profile of the query. [metre-equivalents]
LW_API float lw_path_cost(const lw_path *path);
/// @return Whether it ends at the nearest point that can be reached instead of the goal.
LW_API bool lw_path_is_partial(const lw_path *path);
/// @return Index of the query's goal that it leads to; 0 where the query has `to` alone.
LW_API int lw_path_goal(const lw_path *path);
/// @return Whether the search left detail out because of very many threats, dangers or fire lanes, as the head
///   of this header says. Its cost is exact all the same; a closer search might have found a cheaper path.
LW_API bool lw_path_is_reduced(const lw_path *path);
/// @return Index in the world of the navmesh that it begins on.
LW_API int lw_path_navmesh(const lw_path *path);
/// @return Index in the world of the navmesh that point `index` lies on, which changes behind off-mesh links
///   only; -1 after the last point.
LW_API int lw_path_navmesh_at(const lw_path *path, int index);
/// @return Index in the world of the navmesh that polygon `index` of the corridor belongs to; -1 after the last
///   polygon.
LW_API int lw_path_corridor_navmesh(const lw_path *path, int index);
/// @return Metres that any threat of the query sees, also of off-mesh links; 0 without threats. [m]
LW_API float lw_path_exposed(const lw_path *path);
/// @return The part of its cost for dangers that it enters (lw_danger_add()). [metre-equivalents]
LW_API float lw_path_danger(const lw_path *path);
/// @return Search nodes expanded to find it, as max_nodes counts them.
LW_API int lw_path_nodes(const lw_path *path);

#ifdef __cplusplus
}
#endif
#endif
