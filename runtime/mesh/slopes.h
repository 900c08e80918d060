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

/// Surfaces of polygons, as lwi_ranges.surface names them.
#define LWI_SURFACE_BENT 0  ///< It changes slope.
#define LWI_SURFACE_LEVEL 1 ///< All of it has the height of corner 0.
#define LWI_SURFACE_PLANE 2 ///< That of lwi_plane_of(), within LWI_IN_PLANE.
static inline uint32_t lwi_surface_of(const lw_navmesh *mesh, uint32_t origin) {
  return mesh->polygons.ranges[origin].surface;
}

static inline bool lwi_corners_are_level(const lwi_polygon *polygon) {
  const float *y = polygon->at + 2 * (size_t)polygon->count;
  unsigned differ = 0;
  for (uint32_t i = 1; i < polygon->count; i++) differ |= y[i] != y[0];
  return !differ;
}
/// Corners this near to a plane lie in it. [m]
#define LWI_IN_PLANE 1e-3f
/// The plane of a polygon's corners (Newell): its height is that of corner 0 plus `x` and `z` times how far a
/// place is from it.
typedef struct lwi_plane {
  float x, z;
} lwi_plane;
/// @return false: the polygon has no area.
static inline bool lwi_plane_of(const lwi_polygon *polygon, lwi_plane *plane) {
  const float *x = polygon->at, *z = x + polygon->count, *y = z + polygon->count;
  float nx = 0, ny = 0, nz = 0; /* the normal, from corner 0 where floats are precise */
  for (uint32_t i = 2; i < polygon->count; i++) {
    const float ax = x[i - 1] - x[0], ay = y[i - 1] - y[0], az = z[i - 1] - z[0];
    const float bx = x[i] - x[0], by = y[i] - y[0], bz = z[i] - z[0];
    nx += ay * bz - az * by;
    ny += az * bx - ax * bz;
    nz += ax * by - ay * bx;
  }
  if (!(ny > 0)) return false;
  *plane = (lwi_plane){-nx / ny, -nz / ny};
  return true;
}
/// Whether all corners lie in their plane.
bool lwi_corners_are_plane(const lwi_polygon *polygon);

/// @param polygon  Of the base.
static inline lwi_slopes lwi_slopes_of(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_mesh_detail *detail = &mesh->detail;
  lwi_slopes slopes = {.polygon = lwi_polygon_get(mesh, polygon)};
  slopes.count = slopes.polygon.count - 2;
  if (!detail->first_vertex) return slopes;
  const uint32_t first = detail->first_triangle[polygon], end = detail->first_triangle[polygon + 1];
  if (first == end) return slopes;
  slopes.extra = detail->vertices + detail->first_vertex[polygon];
  slopes.extra_count = detail->first_vertex[polygon + 1] - detail->first_vertex[polygon];
  slopes.triangles = detail->triangles + 3 * (size_t)first;
  slopes.count = end - first;
  if (detail->first_neighbour[polygon] < detail->first_neighbour[polygon + 1])
    slopes.neighbours = detail->neighbours + detail->first_neighbour[polygon];
  return slopes;
}
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
/// The slope that a place lies on, by a walk from slope to slope, from that which the place's cell names.
/// @param slopes  With neighbours. @param[out] is_on  Whether it lies on that slope; else it is beside the
///   polygon, and mostly beside this slope.
uint32_t lwi_slopes_find(const lwi_slopes *slopes, float x, float z, bool *is_on);
/// The same from any slope.
uint32_t lwi_slopes_find_from(const lwi_slopes *slopes, uint32_t slope, float x, float z, bool *is_on);

/// Cells over the bounds of a polygon, in rows along x: no more than it has slopes. Each names a slope near by,
/// in the fourth of the bytes of the slope of its number (lwi_mesh_detail.neighbours).
typedef struct lwi_slope_cells {
  lwi_frame frame;
  uint32_t side; ///< Cells along x, and along z.
} lwi_slope_cells;
lwi_slope_cells lwi_slope_cells_of(const lwi_slopes *slopes);
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
/// The lowest and the highest height of a plane over a rectangle. [m]
typedef struct lwi_incline_range {
  double low, high;
} lwi_incline_range;
static inline lwi_incline_range lwi_incline_over(const lwi_incline *of, lwi_point2 min, lwi_point2 max) {
  const lwi_point2 middle = {(min.x + max.x) / 2, (min.z + max.z) / 2};
  const double height = lwi_incline_height(of, middle),
               beside = (fabs(of->x) * (max.x - min.x) + fabs(of->z) * (max.z - min.z)) / 2;
  return (lwi_incline_range){height - beside, height + beside};
}

#endif
