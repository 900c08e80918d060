/// @file cover.h
/// Exposure and cover: what threats see, and walls to hide behind.
///
/// Obstacles and volumes of permutations hide, too (lw_obstacle_def.cover): every answer about the level,
/// whichever accuracy gives it, is then clipped by them exactly, as they were when changes last took effect.
///
/// Exposure of a segment: each triangle of eye and segment is clipped by the level's occluders, and the union
/// of the hidden intervals is taken, so that shadows which overlap count once. A threat inside a wall sees what
/// lies on its own side of that wall's faces. A threat on the segment, above it or in line with it sees as far
/// as the first occluder, both ways; nothing within a millimetre of the eye or of the segment hides. A segment
/// of length 0 is a point, hidden or not. A navmesh without occluders hides nothing.
///
/// LW_ACCURACY_AUTO clips occluders, until the queries about the threat (counted in segments) reach
/// LW_BUSY_SEGMENTS; then it answers from a depth map. The queries of all workspaces are added up when the
/// next step begins, and only then are maps given to threats: between two steps all threads get the same
/// answers in any order, and a run repeats. While a threat moves less than 0.25 m, and sees the place where its
/// map was drawn, that map still answers, so what it sees past an edge may lag by that distance. The map is
/// drawn again once the threat has rested for 10 steps, or after 60 steps in any case. Queries from inside
/// lw_world_step() and from outside are counted apart and have maps of their own, so that looking at a world
/// never changes its run. lw_world_def.depth_maps limits the maps; further threats are answered exactly, until
/// some threat with a map was in no query for 60 steps.
///
/// LW_ACCURACY_FAST takes the map of a busy threat at that very place, or draws one there for the workspace, in
/// place of the one not used for longest. Its queries count like those of LW_ACCURACY_AUTO, and never change
/// what that answers in the same step. Of a query with more threats than depth_maps, the others are answered as
/// LW_ACCURACY_AUTO answers. More places than depth_maps in turn, query by query, have a map drawn for each:
/// LW_ACCURACY_AUTO is faster there. With depth_maps 0 both are exact.
///
/// LW_INVALID from lw_exposure_find(): world, query or exposure is NULL; the workspace is of another world; the
/// query was not filled by lw_exposure_query_default(); `from`, `to`, a height or a threat's `at` is not finite
/// or beyond LW_COORDINATE_MAX; `height_count`, `threat_count`, `hidden_capacity`, `accuracy` or another number
/// of a threat (lw_threat) is out of range; or `threats` is NULL with a count.
///
/// LW_INVALID from lw_cover_segment_find(): world, query or count is NULL, or `segments` with a capacity above
/// 0; `capacity` is below 0; the query was not filled by lw_cover_segment_query_default(); `around` or `radius`
/// is not finite, `radius` below 0; the profile has no such stance, or the world no such navmesh.
///
/// Threads: functions that take `const lw_world *` may run on any number of threads between steps, those with a
/// workspace each with its own; lw_world_set_visibility() needs the world alone. The others may run on any
/// thread.
#ifndef LEEWARD_COVER_H
#define LEEWARD_COVER_H

#include "leeward/geometry.h"
#include "leeward/id.h"
#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- exposure --- */

#define LW_THREAT_WEIGHT_MAX 1e6f   ///< Greatest `weight`: costs stay finite.
#define LW_HALF_ANGLE_MAX 3.141593f ///< Greatest `half_angle`: pi, rounded up.

/// A position from which an agent may be seen or shot. Start from lw_threat_default().
typedef struct lw_threat {
  lw_vec3 at;     ///< The eye. [m, within +-LW_COORDINATE_MAX]
  lw_vec3 facing; ///< Where it looks, of any length; if zero, `half_angle` must be pi. [default 0 0 0]
  /// The angle to all sides of `facing` within which it sees. [rad, 0..LW_HALF_ANGLE_MAX, default pi]
  float half_angle;
  /// Where its weight has fallen off, linearly, to 0. [m, > 0, default infinity: no fall-off]
  float range;
  float weight; ///< [0..LW_THREAT_WEIGHT_MAX, default 1]
} lw_threat;
/// @return The defaults of all fields.
LW_API lw_threat lw_threat_default(void);

/// A part of a segment.
typedef struct lw_interval {
  float t0; ///< Where it starts. [0..1 of the segment]
  float t1; ///< Where it ends. [0..1 of the segment]
} lw_interval;

#define LW_BODY_HEIGHTS_MAX 4 ///< Heights of a query at most.
#define LW_BUSY_SEGMENTS 400  ///< Queries about segments after which LW_ACCURACY_AUTO uses a depth map.

/// How exactly to compute what a threat sees.
typedef enum lw_accuracy {
  /// Exactly, and from a depth map for threats with many queries (see the head of this header).
  LW_ACCURACY_AUTO,
  LW_ACCURACY_EXACT, ///< Clip the level's occluders.
  /// From a depth map about the threat. What is narrower, seen from the threat, than a cell of the map (about a
  /// degree) may be lost or too wide; a segment along a ledge may be wrong throughout.
  LW_ACCURACY_FAST,
  /// From the navmesh's cover map alone. A threat more than 3 m above the navmesh, or 0.8 m beside it, is
  /// answered from all occluders that the navmesh keeps.
  LW_ACCURACY_MAP,
  LW_ACCURACY_COUNT
} lw_accuracy;
/// @return "auto", "exact", "fast" or "map". Static storage.
LW_API const char *lw_accuracy_name(lw_accuracy accuracy);

/// What threats see of an agent that walks a straight segment. Start from lw_exposure_query_default().
typedef struct lw_exposure_query {
  lw_vec3 from; ///< Of the feet; not moved onto the navmesh. [m, within +-LW_COORDINATE_MAX]
  lw_vec3 to;   ///< Of the feet; not moved onto the navmesh. [m, within +-LW_COORDINATE_MAX]
  /// A point is exposed if it is seen at any of these heights above the feet. [height_count] [m, default 0.9
  /// 1.6: standing]
  float heights[LW_BODY_HEIGHTS_MAX];
  int height_count;         ///< [1..LW_BODY_HEIGHTS_MAX, default 2]
  const lw_threat *threats; ///< [threat_count] Borrowed for the call. [default NULL]
  int threat_count;         ///< [>= 0, default 0]
  lw_accuracy accuracy;     ///< [default LW_ACCURACY_AUTO]
  bool shots;               ///< What could be shot rather than seen: soft cover does not hide. [default false]
  /// [hidden_capacity] Out: parts that no threat sees, in order. NULL: not wanted. [default NULL]
  lw_interval *hidden;
  int hidden_capacity; ///< [>= 0, default 0]
  /// [threat_count] Out: metres that each threat sees. NULL: not wanted. [m, default NULL]
  float *exposed_to;
  uint32_t cookie; ///< Set by lw_exposure_query_default(). Do not set.
} lw_exposure_query;
/// @return The defaults of all fields.
LW_API lw_exposure_query lw_exposure_query_default(void);

/// How much of a segment threats see.
typedef struct lw_exposure {
  float length;   ///< Of the segment, in 3D. [m]
  float exposed;  ///< Seen by any threat. [m]
  float fraction; ///< exposed / length; for a segment of length 0, 1 or 0. [0..1]
  /// Sum over the threats of weight x fall-off x exposed metres; the fall-off is that at the mean of the
  /// heights. [m]
  float weighted;
  int hidden_count; ///< Hidden parts, also if fewer fit.
} lw_exposure;

/// Compute how much of a segment the threats see; the head of this header says how.
/// @param[out] exposure  All zero on an error.
/// @return LW_OK; LW_INVALID: the head of this header says why; LW_NOT_FOUND: LW_ACCURACY_MAP, but no navmesh
///   has a cover map; LW_OUT_OF_MEMORY.
LW_API lw_status lw_exposure_find(const lw_world *world, lw_workspace *workspace,
                                  const lw_exposure_query *query, lw_exposure *exposure);

/// Is the line between two points free of occluders? Always exact.
/// @param shots  What could be shot rather than seen: soft cover does not hide.
/// @return false also for points that are not within +-LW_COORDINATE_MAX.
LW_API bool lw_world_sees(const lw_world *world, lw_vec3 eye, lw_vec3 target, bool shots);

/* --- cover segments --- */

/// A part of a wall that an agent can use as cover, at least LW_COVER_LENGTH_MIN long. For an agent beside the
/// wall that faces it, `a` is on the left. Where the ground beside it is not level, the wall is taken to rise
/// and fall with it.
typedef struct lw_cover_segment {
  lw_vec3 a; ///< On the wall's face, at the height of the ground beside it. [m]
  lw_vec3 b; ///< The other end. [m]
  /// Height at `a` of the lower edge of what hides: the highest along the segment, relative to the ground line.
  /// [m]
  float bottom;
  /// Height at `a` of the upper edge of what hides: the lowest along the segment, relative to the ground line.
  /// The ground is up to 0.15 m off that line. [m]
  float top;
  lw_vec3 normal;     ///< Level, of length 1, from the wall towards the agent.
  lw_cover_kind kind; ///< LW_COVER_HARD, or LW_COVER_SOFT: it hides, but stops no shots.
  bool low;           ///< It hides the body of an agent that crouches there.
  bool high;          ///< It hides the body of an agent that stands there.
  int navmesh;        ///< Index of its navmesh in the world.
  uint32_t index;     ///< Among that navmesh's segments, or those of what offers it.
  /// The obstacle that offers it along its side. It is stale once that is removed. None: see `offered_by`.
  lw_obstacle_id obstacle;
  /// 0: the level offers it. Else an obstacle or, without `obstacle`, a volume of a permutation, each with
  /// another number.
  uint32_t offered_by;
} lw_cover_segment;

/// Where to find cover segments. Start from lw_cover_segment_query_default().
typedef struct lw_cover_segment_query {
  lw_vec3 around; ///< [m]
  float radius;   ///< Greatest distance, in 3D, of the foot of a segment. [m, >= 0, default 20]
  /// Whose stances count, and whose navmeshes are searched: those that fit. Borrowed for the call. NULL: the
  /// profile `human`'s stances, and the navmeshes for the smallest agents. [default NULL]
  const lw_profile *profile;
  int stance;      ///< Only segments that hide this stance of the profile; -1: all. [default -1]
  int navmesh;     ///< Index in the world, or LW_NAVMESH_FITTING. [default LW_NAVMESH_FITTING]
  uint32_t cookie; ///< Set by lw_cover_segment_query_default(). Do not set.
} lw_cover_segment_query;
/// @return The defaults of all fields.
LW_API lw_cover_segment_query lw_cover_segment_query_default(void);

/// Find cover segments around a place, nearest first: those of navmeshes, and those along the sides of
/// obstacles that rest and are cut (obstacle.h). A navmesh from polygons, or baked without `cover_segments`,
/// has no segments of its own. For each obstacle near by the ground beside it is looked up.
/// @param[out] segments  [capacity] The nearest. NULL if `capacity` is 0.
/// @param[out] count  How many there are, also if fewer fit; 0 on an error.
/// @return LW_OK; LW_INVALID: the head of this header says why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_cover_segment_find(const lw_world *world, const lw_cover_segment_query *query,
                                       lw_cover_segment *segments, int capacity, int *count);

/// Cover that was added to the geometry (lw_geometry_add_cover()).
typedef struct lw_added_cover {
  lw_cover_def def; ///< As it was asked for.
  bool refused;     ///< There is no ground beside it. For a part of a bake, decided when the parts are merged.
} lw_added_cover;
/// @return How many were asked for when the navmesh was baked, refused ones too.
LW_API int lw_navmesh_added_cover_count(const lw_navmesh *navmesh);
/// Read added cover.
/// @param index  In the order in which it was added. [0..lw_navmesh_added_cover_count() - 1]
/// @param[out] added  All zero on an error.
/// @return LW_OK; LW_NOT_FOUND: the index is out of range.
LW_API lw_status lw_navmesh_get_added_cover(const lw_navmesh *navmesh, int index, lw_added_cover *added);

/* --- cover map --- */

#define LW_COVER_MAP_CAP 64          ///< Greatest `cap`.
#define LW_COVER_MAP_WEIGHT_MAX 1000 ///< Greatest weight.

/// Which occluders a cover map lists for a polygon. One after another the group (of up to four occluders side
/// by side) is chosen whose score is the greatest, until `target` or `cap` is reached. The score is the sum of
/// three terms, each a weight times a part of 1. One weight at least is above 0.
typedef struct lw_cover_map_criteria {
  /// Weight of new directions: which part of 16 directions the group lies in, but no chosen one. [0..1000,
  /// default 0]
  float direction;
  /// Weight of what is near: 1 / (1 + d / 10 m) for a group at distance d. [0..1000, default 0]
  float distance;
  /// Weight of what it hides: which part of all that is hidden from there it hides, but no chosen one.
  /// [0..1000, default 1]
  float occlusion;
  float target; ///< The part of what is hidden from there that the map is to hide. [0..1, default 0.99]
  int cap;      ///< Groups of a polygon at most. [1..LW_COVER_MAP_CAP, default LW_COVER_MAP_CAP]
} lw_cover_map_criteria;

/// An occluder that a cover map lists, seen from a place: a side of something, or the top of it, which hides
/// what is behind and below. What lies flat has its `bottom` at its `height`: the nearest wall is the first
/// segment with a lower bottom.
typedef struct lw_cover_map_segment {
  lw_vec3 a; ///< Its left end, seen from the place, at its lower edge. [m]
  lw_vec3 b; ///< Its right end, at its lower edge. [m]
  /// Where its nearest point in xz is, like lw_agent_state.heading: 0 along +x, pi/2 along -z. 0 if the place
  /// is below or above it. [rad, -pi..pi]
  float bearing;
  float distance;     ///< How far that point is, in xz. [m]
  float bottom;       ///< Its lowest corner, above the ground at the place. [m]
  float height;       ///< Its highest corner, above the ground at the place. [m]
  lw_cover_kind kind; ///< LW_COVER_HARD, or LW_COVER_SOFT: it hides, but stops no shots.
} lw_cover_map_segment;

/// Tell what the cover map lists for the polygon at a place, nearest first.
/// @param navmesh  Of a bake with lw_bake_cover.map.
/// @param at  Moved to the highest surface at most 0.3 m above it and 3 m below it, or 0.8 m beside it. [m]
/// @param[out] segments  [capacity] The nearest. NULL if `capacity` is 0.
/// @param[out] count  How many there are, also if fewer fit; 0 on an error.
/// @return LW_OK; LW_INVALID: a pointer is NULL, `capacity` is below 0, or `at` is not within
///   +-LW_COORDINATE_MAX; LW_NOT_FOUND: there is no cover map, or no navmesh at the place.
LW_API lw_status lw_navmesh_cover_map(const lw_navmesh *navmesh, lw_vec3 at, lw_cover_map_segment *segments,
                                      int capacity, int *count);

/* --- visibility --- */

/// Set how well agents of a team are seen, by night or in fog: a factor on what exposure_factor and cover_bias
/// cost them, not on lw_exposure_find() and lw_path_exposed(). A team's counts times the world's. Walking
/// agents whose profile cares search again after a change of 0.1 or more.
/// @param team  NULL or "": the world's, for all agents. A team need not have agents yet. [up to 31 bytes]
/// @param visibility  [0..1, default 1]
/// @return LW_OK; LW_INVALID: `visibility` is not 0..1, or the name is too long; LW_OUT_OF_MEMORY.
LW_API lw_status lw_world_set_visibility(lw_world *world, const char *team, float visibility);
/// @param team  NULL or "": agents without a team.
/// @return How well agents of the team are seen: the world's visibility times the team's. [0..1]
LW_API float lw_world_get_visibility(const lw_world *world, const char *team);

#ifdef __cplusplus
}
#endif
#endif
