/// @file cover.h
/// Cover and exposure: what a threat can see.
#ifndef LEEWARD_COVER_H
#define LEEWARD_COVER_H

#include "leeward/geometry.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_world lw_world;

#define LW_THREAT_WEIGHT_MAX 1e6f ///< A path's price stays finite.

/// One who may see or shoot. Start from lw_threat_default().
typedef struct lw_threat {
  lw_vec3 at;       ///< The eye. [m, within +-LW_COORDINATE_MAX]
  lw_vec3 facing;   ///< Where it looks, of any length; zero: `half_angle` must be pi. [default 0 0 0]
  float half_angle; ///< How far to all sides of `facing` it sees. [rad, 0..pi, default pi]
  float range;  ///< Weighs less with distance, evenly down to 0 there. [m, > 0, default infinity: no fall-off]
  float weight; ///< [0..LW_THREAT_WEIGHT_MAX, default 1]
} lw_threat;
LW_API lw_threat lw_threat_default(void);

/// A part of a segment, in parameters 0..1 from its start.
typedef struct lw_interval {
  float t0, t1;
} lw_interval;

#define LW_BODY_HEIGHTS_MAX 4

/// How exactly it is found what a threat sees.
typedef enum lw_accuracy {
  LW_ACCURACY_AUTO, ///< Exactly, and for threats that are asked about often as LW_ACCURACY_FAST (see lw_exposure_find()).
  LW_ACCURACY_EXACT, ///< The level's occluders are clipped.
  /// From a depth map around the threat: a third of the time per segment, after about 0.4 ms to draw it. Off by 0.0035 of a
  /// path of many segments in the mean, 0.01 on the worst of nine levels; of a single segment of up to 12 m by 0.006 in the
  /// mean, 0.013 on the worst level and as much in rooms full of small things. What is narrower than 0.9 degrees from side
  /// to side, or 0.26 up and down about the eye's height, as seen from the threat, may be lost or too wide, the more so the
  /// further it is: 1 segment in 100 is off by 0.05 to 0.2, and one along a ledge may be wrong throughout.
  LW_ACCURACY_FAST,
  /// From the navmesh's cover map alone. A threat that is more than 3 m above the navmesh, or 0.8 m beside it, is answered from
  /// all occluders that are kept.
  LW_ACCURACY_MAP,
  LW_ACCURACY_COUNT
} lw_accuracy;
/// As many questions about segments as a depth map costs, in what it saves of each: the middle of nine levels.
#define LW_BUSY_SEGMENTS 400
/// @return "auto", "exact", "fast" or "map". Static storage.
LW_API const char *lw_accuracy_name(lw_accuracy accuracy);

/// What is seen of one who walks a straight segment. Start from lw_exposure_query_default().
typedef struct lw_exposure_query {
  lw_vec3 from, to; ///< Of the feet. Taken as they are: neither end is moved. [m, within +-LW_COORDINATE_MAX]
  /// A point is exposed if it is seen at any of these heights above the feet. [m, default 0.9 and 1.6: standing]
  float heights[LW_BODY_HEIGHTS_MAX];
  int height_count;         ///< [1..LW_BODY_HEIGHTS_MAX, default 2]
  const lw_threat *threats; ///< [threat_count] Borrowed for the call.
  int threat_count;         ///< [>= 0, default 0]
  lw_accuracy accuracy;     ///< [default LW_ACCURACY_AUTO]
  bool shots;               ///< Soft cover does not count: who could be shot? [default false]
  lw_interval *hidden; ///< Room for the parts that no threat sees, in order. NULL: not wanted. [default NULL]
  int hidden_capacity; ///< [default 0]
  float *
      exposed_to; ///< Room for what each threat sees, whatever the others do. [threat_count] NULL: not wanted. [m]
  uint32_t cookie; ///< Set by lw_exposure_query_default(). Do not set.
} lw_exposure_query;
LW_API lw_exposure_query lw_exposure_query_default(void);

typedef struct lw_exposure {
  float length;   ///< Of the segment, 3D. [m]
  float exposed;  ///< Seen by any threat. [m]
  float fraction; ///< The same of its length; of one without a length, 1 or 0. [0..1]
  /// Sum over the threats of weight x fall-off x exposed metres, the fall-off being that at the mean of the heights. [m]
  float weighted;
  int hidden_count; ///< Hidden parts, however many fitted.
} lw_exposure;

/// How much of a segment the threats see: each triangle of eye and segment is cut by the level's occluders, and
/// what they hide is united, so that shadows which overlap count once.
///
/// A threat inside a wall sees what lies on its own side of that wall's faces. One on the segment, above it or in line with it
/// sees as far as the first occluder, both ways; nothing within a millimetre of the eye or of the segment hides. A segment
/// without a length is a point: hidden or not. A navmesh without occluders hides nothing.
///
/// LW_ACCURACY_AUTO answers from a depth map once a threat was asked about in LW_BUSY_SEGMENTS, but begins
/// with that only when the next step begins: all questions of one step are answered alike, and a run repeats. While it moves
/// less than 0.25 m, and sees the place where its map was drawn, that map answers still: what it sees past an edge may lag
/// behind by as much. Where it has stayed for 10 steps, or after 60 all the same, the map is drawn again. Questions
/// from inside lw_world_step() and from outside are counted apart and have maps of their own, so that looking at a world
/// never changes its run; from outside too, a map is taken only after the next step. lw_world_def.depth_maps says how
/// many maps there may be; threats that come when all are in use are answered exactly, until one was not asked about for
/// 60 steps. LW_ACCURACY_FAST makes a map at once, at the very place that is asked about, in place of the one not asked about for
/// longest (so for a threat that moves it draws one for every place: 0.4 ms); LW_ACCURACY_AUTO takes that, too, from the
/// next step on.
/// @return LW_OK; LW_INVALID: not finite, or out of range; LW_NOT_FOUND: LW_ACCURACY_MAP, but no navmesh has a cover map;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_exposure_find(lw_world *world, const lw_exposure_query *query, lw_exposure *exposure);

/// Is there nothing between the two points, which are within +-LW_COORDINATE_MAX? @param shots  Soft cover does not count.
LW_API bool lw_sees(const lw_world *world, lw_vec3 eye, lw_vec3 target, bool shots);

/// A stretch of wall that someone can stand at and have for cover. Of one who stands there and faces it, `a` is on the
/// left. Where the ground beside it is not level, the wall is taken to rise and sink with it. Stretches of less than 0.25 m,
/// the sides of a post, are none.
typedef struct lw_cover_segment {
  lw_vec3 a, b; ///< On the wall's face, at the height of the ground beside it. [m]
  /// Heights of the wall at `a`: it rises `top - a.y` above the ground. Where the ground is not level or the top not even, that
  /// is the least of all the segment, and `bottom` the highest; the ground strays from the line by up to 0.15 m. [m]
  float bottom, top;
  lw_vec3 normal;     ///< Level, of length 1, from the wall to where one stands.
  lw_cover_kind kind; ///< LW_COVER_HARD, or LW_COVER_SOFT: it hides, but stops no shot.
  bool low, high;     ///< It hides the body of one who crouches there; of one who stands.
  int navmesh;        ///< Whose it is.
  uint32_t index;     ///< Of that navmesh's segments; the same as long as the navmesh is.
} lw_cover_segment;

/// Which segments to tell. Start from lw_cover_query_default().
typedef struct lw_cover_query {
  lw_vec3 around; ///< [m]
  float radius;   ///< How far, in 3D, their feet may be. [m, >= 0, default 20]
  /// Whose stances count, and whose navmeshes are asked: those that fit. NULL: the profile `human`'s, and the smallest
  /// agents'. [default NULL]
  const lw_profile *profile;
  int stance;      ///< Only what hides one in this stance of the profile; -1: all. [default -1]
  int navmesh;     ///< Index, or LW_NAVMESH_FITTING. [default LW_NAVMESH_FITTING]
  uint32_t cookie; ///< Set by lw_cover_query_default(). Do not set.
} lw_cover_query;
LW_API lw_cover_query lw_cover_query_default(void);

/// Cover around a place, nearest first. A navmesh from polygons, or baked with `cover_segments = false`, has none.
/// @param[out] segments  Room for `capacity`; NULL if that is 0. Where there are more, the nearest.
/// @param[out] count  How many there are, however many fitted.
/// @return LW_OK; LW_INVALID: not finite, or out of range.
LW_API lw_status lw_cover_segments_around(const lw_world *world, const lw_cover_query *query,
                                          lw_cover_segment *segments, int capacity, int *count);

/// A stretch of cover that was asked for (lw_geometry_add_cover()).
typedef struct lw_added_cover {
  lw_cover_def def; ///< As it was asked for.
  bool
      refused; ///< There is no ground beside it. Of a part of a bake, that is judged when the parts are merged.
} lw_added_cover;
/// @return How many were asked for when the navmesh was baked, refused ones too.
LW_API int lw_navmesh_added_cover_count(const lw_navmesh *navmesh);
/// @param index  In the order in which they were asked for. [0..count - 1] @return LW_OK or LW_NOT_FOUND.
LW_API lw_status lw_navmesh_get_added_cover(const lw_navmesh *navmesh, int index, lw_added_cover *added);

/// How well one is seen, by night or in fog. It scales what it costs to be seen, both in the open (exposure_factor) and by
/// threats (cover_bias), for those who walk: a team's is how well that team's own agents are seen, not how well they see,
/// and counts times the world's. What threats see (lw_exposure_find(), lw_path_exposed()) is told unscaled. Agents under
/// way whose profile cares search anew at the next step when theirs has changed by 0.1 or more since they last did.
/// @param team  NULL or "": the world's, for everyone. Else up to 31 bytes; a team need not have agents yet.
/// @param visibility  [0..1, default 1]
/// @return LW_OK; LW_INVALID: out of range, or the name too long; LW_OUT_OF_MEMORY.
LW_API lw_status lw_world_set_visibility(lw_world *world, const char *team, float visibility);
/// @return The world's, for a team times its own. NULL or "": of those without a team. [0..1]
LW_API float lw_world_get_visibility(const lw_world *world, const char *team);

#ifdef __cplusplus
}
#endif
#endif
