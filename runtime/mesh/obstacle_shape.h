/// Obstacles' shapes: what is right in a definition, and the footprint that it has at a place.
#ifndef LW_MESH_OBSTACLE_SHAPE_H
#define LW_MESH_OBSTACLE_SHAPE_H

#include "core/memory.h"
#include "leeward/obstacle.h"
#include "mesh/footprint.h"

/// A place and a heading.
typedef struct lwi_pose {
  lw_vec3 at;
  float yaw; ///< [rad]
} lwi_pose;
/// A vector turned about y.
static inline lw_vec3 lwi_turned(lw_vec3 v, float yaw) {
  const float c = cosf(yaw), s = sinf(yaw);
  return (lw_vec3){v.x * c + v.z * s, v.y, v.z * c - v.x * s};
}

/// Are the numbers of a pose within what obstacles may have?
static inline bool lwi_pose_is_good(lwi_pose pose) {
  return fabsf(pose.at.x) <= LW_COORDINATE_MAX && fabsf(pose.at.y) <= LW_COORDINATE_MAX &&
         fabsf(pose.at.z) <= LW_COORDINATE_MAX && fabsf(pose.yaw) <= LW_OBSTACLE_YAW_MAX;
}
/// Check all of a definition but ids and whether there is such an area. @return LW_OK, or LW_INVALID with the
/// field named.
lw_status lwi_obstacle_check(const lw_obstacle_def *def, lw_error *error);
/// What it blocks. @return Never LW_COVER_DEFAULT.
lw_cover_kind lwi_obstacle_cover(const lw_obstacle_def *def);
/// Let a definition own a copy of the points that it borrows, if it is a polygon; else it has none.
/// @return false: no memory, and it has no points.
bool lwi_obstacle_own_points(lwi_memory *memory, lw_obstacle_def *def);
/// Free the points that a definition owns.
void lwi_obstacle_free_points(lwi_memory *memory, const lw_obstacle_def *def);
/// What an obstacle takes up. @param grow  [m, >= 0] @return Count 0: nothing, it is too narrow there for
/// floats.
lwi_footprint lwi_obstacle_footprint(const lw_obstacle_def *def, lwi_pose pose, double grow);
/// No corner is further from the place that its pose names. [m]
float lwi_obstacle_reach(const lw_obstacle_def *def);

#endif
