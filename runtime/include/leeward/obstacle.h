/// @file obstacle.h
/// Obstacles: what rests or moves on the navmeshes of a world, and is in the way there.
///
/// An obstacle is a convex outline with a height: a crate, a parked car, a door that is shut. While it is
/// slow it is cut out of the navmeshes: its outline, grown by the radius that a navmesh was baked for, is no
/// ground there, wherever its heights meet the surface, or leave less than 0.4 m above it (the agent's height
/// of the bake, if that is less: a navmesh made of polygons has none). Where it hangs higher, the ground
/// stays, with less headroom (lw_poly.headroom): agents that fit below it, or have a stance that does, pass,
/// others do not, and queries without a profile pass. All of this is place by place, so that a box at the
/// foot of a ramp closes only that part of it, and a beam over it bars the taller the further up. Where the
/// surface is not level, heights count to 5 cm, and up to 0.25 m of headroom counts as not there (0.5 m
/// from 2 m of it on, 1 m from 4 m on). Corners of the grown outline are mitred, and cut off square where the
/// outline turns by more than a right angle. Where the outline runs so close beside the edge of a polygon, on
/// either side, that the strip between them is narrower than 2.5 mm in the mean (5 mm at the wide end of one
/// that ends in a point), the edge takes its place. With `blocks` false the ground stays, and its area
/// becomes lw_obstacle_def.area, or a metre of it costs lw_obstacle_def.cost more, or both: what one may walk
/// through at a price. Such outlines are not grown; where several overlap, the area of the latest one counts,
/// and the costs of all. Outlines that cross split a polygon, or 16 m of a wide one, into 1024 pieces more;
/// there the earlier ones count over whole pieces, by the share that they cover.
///
/// Obstacles are added, moved and removed at any time, also inside lw_world_step(). All of it takes effect
/// together when the next step begins, or in lw_world_apply_changes(): until then queries see the navmeshes as
/// they were. Ids of polygons that were cut, or put back, go stale.
///
/// An obstacle that moves is cut again once it has moved by `min_move` or has turned by 0.1 rad. Above
/// `max_speed` it is taken out, until it is slower again. When it has not been moved for a quarter of a second
/// it rests, and is cut where it is. An attached obstacle moves with that which it is attached to, and both are
/// cut and taken out together: a truck and its trailer. A carried obstacle is where its agent is, and is cut
/// out only while that agent rests: it never blocks its own carrier, and lw_agent_state.footing is the ground
/// beside it meanwhile.
///
/// An obstacle with cover (lw_obstacle_def.cover) hides what is behind it: its outline, from its bottom to its
/// top, blocks sight, and shots if the cover is hard, cut out or not, moving or at rest. It does where it was
/// when changes last took effect, in every answer about what is seen, and exactly in each, also where a depth
/// map or a cover map answers for the level. It hides nothing from an eye inside of it, so that no agent is
/// blinded by what it sits in, and hides from all other eyes what is inside of it; but what an agent carries
/// never hides that agent (lw_agent_is_seen()), its paths and its cover. While it rests it also offers cover
/// along its sides (lw_cover_segment.obstacle), cut out or not: one may stand behind smoke or a hedge that one
/// may walk through. Agents that mind threats and whose path it begins
/// or ceases to hide, somewhere, search again in the steps that come: once it has moved by `min_move`, but at
/// least 1 m, or has turned by 0.1 rad, and when it rests.
///
/// Agents whose path leads through what was cut, or nearer to it than their own radius, search again in that
/// step, or one soon after it if there are very many: a step does a fixed amount of that work, or one whole
/// search, and those that wait walk on up to where ground was cut away. Where paths that threats may see are to
/// wait for a later step, they are searched in that step as if there were no threats, a detour on which the
/// agent walks until its turn comes; until then its path's cost counts no exposure. Agents whose path could be
/// a tenth cheaper where ground came back, or got another price, search again within two seconds, spread over
/// the steps, or soon after where there are tens of thousands.
///
/// An agent that stands where ground is cut out is moved to the nearest place that it may stand at, in three
/// dimensions; where there is none its move fails with LW_TRAPPED. What counts is ground that it can get to
/// along the ground as it was baked, however far off that is, and ground below, less than 4 m away: it falls.
/// Ground above it by more than its profile's climb counts only where the ground rises on the way to it, by no
/// more than 45 degrees. An agent that is too large for where it stands now is moved less than 4 m, or trapped.
/// Permutations, links and swapped navmeshes move agents by the same rule; where a swapped navmesh has nothing
/// that its ground was part of, all ground counts that is not above and is less than 4 m away.
///
/// Threads: functions that take `lw_world *` need the world alone. Functions that take `const lw_world *` may
/// run together, also with queries.
#ifndef LEEWARD_OBSTACLE_H
#define LEEWARD_OBSTACLE_H

#include "leeward/area.h"
#include "leeward/id.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_OBSTACLE_POINTS_MAX 16 ///< Corners of an outline at most.
#define LW_OBSTACLE_YAW_MAX 1e4f  ///< Greatest yaw, to either side. [rad]
#define LW_OBSTACLE_SIZE_MAX                                                                                   \
  1000.0f ///< Greatest width, radius and height, and distance of points from `at`. [m]

#define LW_OBSTACLE_COST_MAX 1e4f ///< Greatest cost of a metre. [metre-equivalents]

/// What an obstacle's outline is.
typedef enum lw_obstacle_shape {
  LW_OBSTACLE_BOX,      ///< `size`, turned by `yaw`.
  LW_OBSTACLE_CYLINDER, ///< `radius` and `height`. Cut out as a polygon of 12 sides about it.
  LW_OBSTACLE_POLYGON,  ///< `points` and `height`, turned by `yaw`.
  LW_OBSTACLE_SHAPE_COUNT
} lw_obstacle_shape;

/// An obstacle to add. Start from lw_obstacle_def_default().
typedef struct lw_obstacle_def {
  lw_obstacle_shape shape; ///< [default LW_OBSTACLE_BOX]
  /// The middle of its bottom; of a polygon: what its points start from. [m, within +-LW_COORDINATE_MAX]
  lw_vec3 at;
  /// About y, counter-clockwise seen from above. [rad, up to LW_OBSTACLE_YAW_MAX, default 0]
  float yaw;
  lw_vec3 size; ///< Of a box: whole. [m, > 0, <= LW_OBSTACLE_SIZE_MAX, default 1 1 1]
  float radius; ///< Of a cylinder. [m, > 0, <= LW_OBSTACLE_SIZE_MAX, default 0.5]
  float height; ///< Of a cylinder or a polygon. [m, > 0, <= LW_OBSTACLE_SIZE_MAX, default 2]
  /// Of a polygon: its corners, convex, either way round, added to `at` after they are turned by `yaw`, up to
  /// LW_OBSTACLE_SIZE_MAX in x and in z. Its bottom is at the lowest of them. Copied. [point_count, default
  /// NULL]
  const lw_vec3 *points;
  int point_count; ///< [3..LW_OBSTACLE_POINTS_MAX for a polygon, else 0; default 0]
  bool blocks;     ///< Is it cut out? false: the ground has another `area` or `cost`. [default true]
  /// What the ground becomes. Only without `blocks`, and needed then if `cost` is 0 and it hides nothing.
  /// [default LW_AREA_NONE: as it is]
  lw_area_id area;
  /// What a metre through it costs more, for all that have a profile. Only without `blocks`. An off-mesh link
  /// that begins or ends in it costs what it did: what it leads over is not ground.
  /// [metre-equivalents, 0..LW_OBSTACLE_COST_MAX, default 0]
  float cost;
  float min_move;  ///< How far it moves before it is cut again. [m, >= 0, default 1]
  float max_speed; ///< Above it, it is taken out. [m/s, >= 0, also INFINITY, default 5.56]
  /// The agent that carries it: its middle is where the agent is, `yaw` counts from where the agent looks.
  /// When that agent is gone the obstacle rests where it was, and may be moved. Not with `attached_to`.
  /// [default none]
  lw_agent_id carrier;
  /// The obstacle that it moves with, which is not attached itself. [default none]
  lw_obstacle_id attached_to;
  /// What it blocks, from its bottom to its top. LW_COVER_DEFAULT: LW_COVER_HARD if it `blocks`, else
  /// LW_COVER_NONE; it is that once it is added. [default LW_COVER_DEFAULT]
  lw_cover_kind cover;
  uint64_t user;   ///< The caller's own number. [default 0]
  uint32_t cookie; ///< Set by lw_obstacle_def_default(). Do not set.
} lw_obstacle_def;
/// @return The defaults of all fields.
LW_API lw_obstacle_def lw_obstacle_def_default(void);

/// Add an obstacle. It may lie anywhere, also off the navmeshes.
/// @param def  Copied.
/// @param[out] obstacle  All zero on an error.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_STALE: the carrier, or what it is
///   attached to; LW_OUT_OF_MEMORY.
LW_API lw_status lw_obstacle_add(lw_world *world, const lw_obstacle_def *def, lw_obstacle_id *obstacle,
                                 lw_error *error);
/// Move an obstacle, and with it those that are attached to it. An attached obstacle moves alone, and from then
/// on keeps this place beside the other one.
/// @param yaw  [rad]
/// @param velocity  Of the obstacle, until it is moved again or rests. [m/s] NULL: that since it was moved
///   before.
/// @return LW_OK; LW_INVALID: a number is not finite or out of range, or it is carried; LW_STALE: the obstacle.
LW_API lw_status lw_obstacle_move(lw_world *world, lw_obstacle_id obstacle, lw_vec3 at, float yaw,
                                  const lw_vec3 *velocity);
/// Remove an obstacle, and those that are attached to it. Their ids are stale at once; the ground comes back
/// when changes take effect.
/// @return LW_OK; LW_STALE: it has been removed.
LW_API lw_status lw_obstacle_remove(lw_world *world, lw_obstacle_id obstacle);

/// An obstacle as it is now.
typedef struct lw_obstacle_state {
  /// As it was added, with the carrier that it has now. `points` are borrowed while the obstacle is there.
  lw_obstacle_def def;
  lw_vec3 at;       ///< Where it is. [m]
  float yaw;        ///< [rad]
  lw_vec3 velocity; ///< [m/s]
  bool is_cut;    ///< It is cut out of the navmeshes, bars those of the bake's height, or has marked them, ...
  lw_vec3 cut_at; ///< ...as it was here. [m]
  float cut_yaw;  ///< [rad]
} lw_obstacle_state;
/// @param[out] state  All zero on an error.
/// @return LW_OK; LW_STALE: it has been removed.
LW_API lw_status lw_obstacle_get_state(const lw_world *world, lw_obstacle_id obstacle,
                                       lw_obstacle_state *state);
/// @return How many obstacles there are.
LW_API int lw_obstacle_count(const lw_world *world);
/// Iterate over the obstacles in the order in which they were added.
/// @param obstacle  All zero: begin.
/// @return The next obstacle; all zero after the last one, and for a stale id.
LW_API lw_obstacle_id lw_obstacle_next(const lw_world *world, lw_obstacle_id obstacle);
/// The outline of an obstacle where it is now, not grown.
/// @param[out] corners  [LW_OBSTACLE_POINTS_MAX] Counter-clockwise seen from above, at its bottom. [m]
/// @param[out] height  [m]
/// @return How many corners; 0: it has been removed, or is too narrow for floats there.
LW_API int lw_obstacle_outline(const lw_world *world, lw_obstacle_id obstacle, lw_vec3 *corners, float *height);

#ifdef __cplusplus
}
#endif
#endif
