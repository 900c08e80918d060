/// @file cover_points.h
/// Finding cover: the best places to stand behind it, and keeping one for oneself.
#ifndef LEEWARD_COVER_POINTS_H
#define LEEWARD_COVER_POINTS_H

#include "leeward/threat.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How far one may go from the place that one has reserved, and still keep it, unless another leash was asked for: enough to
/// step out and look. [m]
#define LW_COVER_LEASH 3.0f

/// What counts in a place: score = protection x its weight + flank / (pi / 2) x its weight - cost / radius x its weight.
typedef struct lw_cover_weights {
  float protection; ///< [>= 0, default 1]
  float flank;      ///< [>= 0, default 0.5]
  float cost;       ///< [>= 0, default 0.5]
} lw_cover_weights;

/// Where to look for cover, and from whom. Start from lw_cover_point_query_default().
typedef struct lw_cover_point_query {
  lw_vec3 around; ///< Centre of the circle to look in. [m]
  float radius;   ///< Of the circle, in xz. [m, > 0, default 20]
  const lw_vec3 *
      from; ///< From where one comes, moved onto the navmesh within `snap`. Borrowed for the call. NULL: `around`. [m]
  lw_vec3 snap; ///< Half size of the snap box. [m, > 0, default 2 4 2]
  const lw_profile
      *profile; ///< Who is to stand there: size, stances, prices. Borrowed for the call. NULL: human.
  const lw_threat *threats; ///< From whom to hide: all of them. [threat_count] Borrowed for the call.
  int threat_count;         ///< [>= 1]
  int stance;               ///< Only in this stance of the profile; -1: in the tallest that hides. [default -1]
  bool hard;                ///< Only behind what stops shots, too. [default false]
  /// The way there costs what lw_path_find() with the threats says, to one who stands. Slower. [default false]
  bool watched;
  float max_cost;    ///< What the way there may cost. [metre-equivalents, >= 0, default infinity]
  lw_agent_id agent; ///< What this one has reserved is free for it. [default 0: nobody]
  /// The team of who walks there, and how well it is seen, as in lw_path_query: they scale what the way costs. Borrowed for
  /// the call. [default NULL: that of `agent`; -1]
  const char *team;
  float visibility;
  lw_cover_weights weights;
  int navmesh;     ///< Index in the world, or LW_NAVMESH_FITTING (default): the one that fits at `around`.
  uint32_t cookie; ///< Set by lw_cover_point_query_default(). Do not set.
} lw_cover_point_query;
LW_API lw_cover_point_query lw_cover_point_query_default(void);

/// A place to stand at, behind cover.
typedef struct lw_cover_point {
  lw_location at;
  int navmesh;              ///< Index in the world.
  lw_cover_segment segment; ///< What one stands behind.
  int stance; ///< Of the profile: in this one nothing of one's body is seen there by any of the threats.
  /// How much of the ground that one's disc covers is out of sight in that stance, too, in half, and out of fire in the other
  /// half (what is soft stops no shot): of the middle and four points of its rim. Threats count as if they looked all round,
  /// for they may turn; and where all are out of their range, as if they had none: so the places behind a wall are better
  /// than those before it. [0..1]
  float protection;
  float
      flank; ///< How far the threat nearest to it would have to go round one until it looks past an end of the wall.
             ///< [rad, 0..pi / 2]
  float cost;    ///< Of the way there. [metre-equivalents]
  float exposed; ///< How much of that way the threats see, standing. [m; 0 unless the query was `watched`]
  float score;   ///< By lw_cover_weights.
} lw_cover_point;

/// The best places, best first. Every one of them lies on the navmesh within the circle, at an lw_cover_segment, with room for
/// the agent; can be reached for no more than max_cost; is neither reserved by another agent nor nearer than a body's width
/// to a place that is; and is hidden from every threat in its stance, by lw_exposure_find() with LW_ACCURACY_EXACT. Of places
/// less than a metre apart only the best is told. Segments are looked at every half metre and at their ends.
///
/// What ways cost is searched for those places alone that may be among the best. Watched ways are long searches, so more is
/// known without one: a way costs no less than if nobody looked, and just that where the best such way is seen by nobody; and
/// no less than the way to a place near by, less what it costs to go on there. So a place may be missed that is better than
/// the last one told by no more than lw_path_find() is above the cheapest way to its neighbour.
/// @param[out] points  Room for `capacity` [>= 1]. @param[out] count  How many were found; no more than fit are looked for.
/// @return LW_OK; LW_NO_START: no navmesh within `snap`; LW_NO_POINT: no cover there; LW_STALE: `agent`; LW_INVALID;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_cover_point_find(lw_world *world, const lw_cover_point_query *query, lw_cover_point *points,
                                     int capacity, int *count);

/// Keep a place for an agent, in the place of one that it had: others are not told of it, and cannot reserve it. It is let
/// go when the agent goes, when it has been there and gets farther away than the leash, and when it is sent
/// (lw_agent_move_to()) to a goal farther from it than that.
/// @param at  [m] @param leash  [m, >= 0] LW_COVER_LEASH; INFINITY: it keeps the place until it lets go of it.
/// @return LW_OK; LW_TAKEN: another agent has this place, or one nearer than a body's width; LW_NO_POINT: no navmesh that it
///   may enter within 2 m of it along x and z and 4 m along y; LW_STALE; LW_INVALID.
LW_API lw_status lw_agent_reserve_cover(lw_world *world, lw_agent_id agent, lw_vec3 at, float leash);
/// Let it go, if there is any. @return LW_OK or LW_STALE.
LW_API lw_status lw_agent_release_cover(lw_world *world, lw_agent_id agent);
/// @param[out] at  What the agent has reserved. @param[out] leash  NULL: not wanted. [m]
/// @return LW_OK; LW_EMPTY: nothing; LW_STALE.
LW_API lw_status lw_agent_get_cover(const lw_world *world, lw_agent_id agent, lw_vec3 *at, float *leash);

#ifdef __cplusplus
}
#endif
#endif
