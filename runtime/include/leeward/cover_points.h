/// @file cover_points.h
/// Cover points: the best places behind cover, and reserving one for an agent.
///
/// Every cover point lies on the navmesh within the circle, at a cover segment, where the agent fits; can be
/// reached for no more than max_cost; is neither reserved by another agent nor nearer than a body's width to
/// such a place; and is hidden from every threat in its stance (lw_exposure_find() with LW_ACCURACY_EXACT). Of
/// places less than a metre apart only the best is given. Segments are sampled every half metre and at their
/// ends.
///
/// Paths are searched only for places that may be among the best. The cost of a `watched` path, which is a long
/// search, is bounded first: it is no less than the cost unseen, equal to it if the cheapest unseen path is
/// seen by no threat, and no less than that to a near place less the cost from here to there. So the result may
/// miss a place that is better than the last one given, but by no more than lw_path_find() is above the
/// cheapest path to its neighbour.
///
/// LW_INVALID from lw_cover_find(): world, query, points or count is NULL, or `capacity` below 1; the workspace
/// is of another world; the query was not filled by lw_cover_query_default(); `around`, `from` or `snap` is not
/// finite, or `snap` or `radius` not above 0; `threat_count` is below 1, or a threat's number out of range
/// (lw_threat); the profile has no such stance, or the world no such navmesh; `max_cost` or a weight is below 0
/// or not a number; or `visibility` is neither -1 nor 0..1.
///
/// Threads: lw_cover_find() may run on any number of threads between steps, each with its own workspace;
/// lw_agent_get_cover() may, too. The other functions with agents need the world alone.
#ifndef LEEWARD_COVER_POINTS_H
#define LEEWARD_COVER_POINTS_H

#include "leeward/id.h"
#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How far an agent may go from the place that it has reserved and still keep it: enough to step out and look.
/// [m]
#define LW_COVER_LEASH 3.0f

/// The weights of a place's score: protection x its weight + flank / (pi / 2) x its weight - cost / radius x
/// its weight.
typedef struct lw_cover_weights {
  float protection; ///< [>= 0, default 1]
  float flank;      ///< [>= 0, default 0.5]
  float cost;       ///< [>= 0, default 0.5]
} lw_cover_weights;

/// Where to find cover, and from which threats. Start from lw_cover_query_default().
typedef struct lw_cover_query {
  lw_vec3 around; ///< Centre of the circle to search. [m]
  float radius;   ///< Of the circle, in xz. [m, > 0, default 20]
  /// Where the agent starts, moved onto the navmesh within `snap`. Borrowed for the call. [m, default NULL:
  /// `around`]
  const lw_vec3 *from;
  lw_vec3 snap; ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// The agent's: size, stances, costs. Borrowed for the call. [default NULL: `human`]
  const lw_profile *profile;
  const lw_threat *threats; ///< [threat_count] Threats to hide from, all of them. Borrowed for the call.
  int threat_count;         ///< [>= 1]
  /// Only in this stance of the profile; -1: in the tallest stance that there is headroom for and is hidden.
  /// [default -1]
  int stance;
  bool hard; ///< Only behind cover that stops shots, too. [default false]
  /// The path there costs what the threats see of a standing agent. Slower. [default false]
  bool watched;
  float max_cost;           ///< What the path there may cost. [metre-equivalents, >= 0, default infinity]
  lw_agent_id agent;        ///< What this agent has reserved is free for it. [default all zero: no agent]
  const char *team;         ///< As lw_path_query.team. Borrowed for the call. [default NULL: that of `agent`]
  float visibility;         ///< As lw_path_query.visibility. [0..1, default -1]
  lw_cover_weights weights; ///< [default see there]
  /// Index in the world, or LW_NAVMESH_FITTING at `around`. [default LW_NAVMESH_FITTING]
  int navmesh;
  uint32_t cookie; ///< Set by lw_cover_query_default(). Do not set.
} lw_cover_query;
/// @return The defaults of all fields.
LW_API lw_cover_query lw_cover_query_default(void);

/// A place behind cover.
typedef struct lw_cover_point {
  lw_location at;           ///< Where it is.
  int navmesh;              ///< Index in the world.
  lw_cover_segment segment; ///< The cover.
  int stance;               ///< Of the profile: in this stance no threat sees any part of the body.
  /// Half the part of the agent's disc (its middle and four points of its rim) out of sight, and half the part
  /// out of fire. Threats count as if they looked all round; if all are out of their range, as if they had no
  /// range. [0..1]
  float protection;
  /// The angle that the nearest threat must go round the agent until it sees past an end of the cover. [rad,
  /// 0..pi / 2]
  float flank;
  float cost; ///< Of the path there. [metre-equivalents]
  /// Metres of the path there that the threats see, standing; 0 unless the query was `watched`. [m]
  float exposed;
  float score; ///< By lw_cover_weights.
} lw_cover_point;

/// Find the best cover points, best first; the head of this header says which.
/// @param[out] points  [capacity, >= 1]
/// @param[out] count  How many were found, at most `capacity`; 0 on an error.
/// @return LW_OK; LW_NO_START: no navmesh within `snap`; LW_NO_POINT: no cover point; LW_STALE: `agent`;
///   LW_INVALID: the head of this header says why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_cover_find(const lw_world *world, lw_workspace *workspace, const lw_cover_query *query,
                               lw_cover_point *points, int capacity, int *count);

/// Reserve a place for an agent, in place of an earlier one: others do not find it and cannot reserve it. It is
/// released when the agent is removed, goes farther than the leash from it after it was there, or gets a goal
/// (lw_agent_move_to()) farther away; and when the obstacle at its side goes (lw_agent_lost_cover()).
/// @param at  [m]
/// @param leash  Such as LW_COVER_LEASH. INFINITY: until it is released. [m, >= 0]
/// @return LW_OK; LW_TAKEN: another agent has this place, or one nearer than a body's width; LW_NO_POINT: no
///   navmesh that the agent may enter within 2 m of it along x and z and 4 m along y; LW_STALE: the agent;
///   LW_INVALID: `at` is not finite, or `leash` below 0 or not a number; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_reserve_cover(lw_world *world, lw_agent_id agent, lw_vec3 at, float leash);
/// Release what an agent has reserved, if anything.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_release_cover(lw_world *world, lw_agent_id agent);
/// Set a stance for as long as the agent keeps what it has reserved: whenever that is released, it
/// takes the stance again that it had, unless another one was set meanwhile.
/// @param stance  The name of a stance. Not NULL.
/// @return LW_OK; LW_EMPTY: it has reserved nothing; LW_NOT_FOUND: the profile has no stance of that name;
///   LW_STALE: the agent.
LW_API lw_status lw_agent_set_cover_stance(lw_world *world, lw_agent_id agent, const char *stance);
/// Read what an agent has reserved.
/// @param[out] at  All zero on an error. [m]
/// @param[out] leash  0 on an error. NULL: not wanted. [m]
/// @return LW_OK; LW_EMPTY: it has reserved nothing; LW_STALE: the agent.
LW_API lw_status lw_agent_get_cover(const lw_world *world, lw_agent_id agent, lw_vec3 *at, float *leash);
/// Did the agent lose the place that it reserved last because the obstacle that offered this cover moved away
/// or was removed? Its tree is woken then. Holds until it reserves or releases a place.
/// @return false also for a stale id.
LW_API bool lw_agent_lost_cover(const lw_world *world, lw_agent_id agent);

#ifdef __cplusplus
}
#endif
#endif
