/// The surface of a polygon: slopes, which are triangles over which its height is linear.
#ifndef LW_MESH_SLOPES_H
#define LW_MESH_SLOPES_H

#include "mesh/mesh.h"

/// Counter-clockwise seen from above.
typedef struct lwi_slope {
  lw_vec3 at[3]; ///< [m]
} lwi_slope;

/// Those of a polygon: its detail triangles, or a fan about corner 0.
typedef struct lwi_slopes {
  lwi_polygon polygon;
  const lw_vec3 *extra; ///< [extra_count] Vertices behind the corners.
  uint32_t extra_count;
  const uint8_t *triangles; ///< [3 * count] NULL: a fan.
  uint32_t count;
  const uint8_t *neighbours; ///< [4 * count] NULL: not known. See lwi_mesh_detail.
} lwi_slopes;

static inline bool lwi_corners_are_level(const lwi_polygon *polygon) {
  const float *y = polygon->at + 2 * (size_t)polygon->count;
  unsigned differ = 0;
  for (uint32_t i = 1; i < polygon->count; i++) differ |= y[i] != y[0];
  return !differ;
}
/// @param mesh  As it was baked.
lwi_slopes lwi_slopes_of(const lw_navmesh *mesh, uint32_t polygon);
static inline uint32_t lwi_slopes_vertex_count(const lwi_slopes *slopes) {
  return slopes->polygon.count + slopes->extra_count;
}
static inline lw_vec3 lwi_slopes_vertex(const lwi_slopes *slopes, uint32_t v) {
  const uint32_t corners = slopes->polygon.count;
  return v < corners ? lwi_corner(&slopes->polygon, v) : slopes->extra[v - corners];
}
/// Numbers of a slope's vertices. @param[out] to  [3]
static inline void lwi_slopes_vertices(const lwi_slopes *slopes, uint32_t i, uint32_t *to) {
  const uint8_t *v = slopes->triangles ? slopes->triangles + 3 * (size_t)i : NULL;
  to[0] = v ? v[0] : 0;
  to[1] = v ? v[1] : i + 1;
  to[2] = v ? v[2] : i + 2;
}
lwi_slope lwi_slopes_get(const lwi_slopes *slopes, uint32_t i);
/// The slope that a place lies on, by a walk from slope to slope.
/// @param slopes  With neighbours. @param[out] is_on  Whether it lies on that slope; else it is beside the
///   polygon, and mostly beside this slope.
uint32_t lwi_slopes_find(const lwi_slopes *slopes, float x, float z, bool *is_on);
/// Heights of the lowest and the highest vertex. [m]
void lwi_slopes_heights(const lwi_slopes *slopes, float *low, float *high);

/// The plane of a slope: its height is `at.y` plus `x` and `z` times how far a place is from `at`.
typedef struct lwi_incline {
  lw_vec3 at; ///< [m]
  double x, z;
} lwi_incline;
/// @return false: the slope has no area.
static inline bool lwi_incline_of(const lwi_slope *slope, lwi_incline *to) {
  const lw_vec3 a = slope->at[0], b = slope->at[1], c = slope->at[2];
  const double bx = (double)b.x - (double)a.x, by = (double)b.y - (double)a.y, bz = (double)b.z - (double)a.z,
               cx = (double)c.x - (double)a.x, cy = (double)c.y - (double)a.y, cz = (double)c.z - (double)a.z;
  const double area2 = bz * cx - bx * cz;
  if (!(area2 > 1e-9)) return false;
  *to = (lwi_incline){a, (bz * cy - by * cz) / area2, (by * cx - bx * cy) / area2};
  return true;
}
static inline double lwi_incline_height(const lwi_incline *of, lwi_point2 at) {
  return (double)of->at.y + of->x * (at.x - (double)of->at.x) + of->z * (at.z - (double)of->at.z);
}

#endif
