/// Vectors and boxes. Names with `xz` ignore heights.
#ifndef LW_CORE_VEC3_H
#define LW_CORE_VEC3_H

#include "leeward/base.h"

#include <float.h>
#include <math.h>

/// Of numbers that are not NaN. fminf() and fmaxf() would be calls.
static inline float lwi_min(float a, float b) {
  return a < b ? a : b;
}
static inline float lwi_max(float a, float b) {
  return a > b ? a : b;
}
static inline double lwi_smaller(double a, double b) {
  return a < b ? a : b;
}
static inline double lwi_larger(double a, double b) {
  return a > b ? a : b;
}

static inline lw_vec3 lwi_vec3(float x, float y, float z) {
  return (lw_vec3){x, y, z};
}
static inline lw_vec3 lwi_add(lw_vec3 a, lw_vec3 b) {
  return lwi_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline lw_vec3 lwi_sub(lw_vec3 a, lw_vec3 b) {
  return lwi_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline lw_vec3 lwi_scale(lw_vec3 a, float s) {
  return lwi_vec3(a.x * s, a.y * s, a.z * s);
}
static inline lw_vec3 lwi_lerp(lw_vec3 a, lw_vec3 b, float t) {
  return lwi_vec3(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t);
}
static inline float lwi_dot(lw_vec3 a, lw_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline lw_vec3 lwi_cross(lw_vec3 a, lw_vec3 b) {
  return lwi_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float lwi_length(lw_vec3 a) {
  return sqrtf(lwi_dot(a, a));
}
static inline float lwi_distance(lw_vec3 a, lw_vec3 b) {
  return lwi_length(lwi_sub(a, b));
}
static inline float lwi_distance_xz(lw_vec3 a, lw_vec3 b) {
  float dx = b.x - a.x, dz = b.z - a.z;
  return sqrtf(dx * dx + dz * dz);
}
/// The point of the line through a and b that is nearest to `at`, as t in a + t (b - a). Not clamped; 0 where a
/// equals b.
static inline float lwi_part_along(lw_vec3 a, lw_vec3 b, lw_vec3 at) {
  lw_vec3 ab = lwi_sub(b, a);
  float length2 = lwi_dot(ab, ab);
  return length2 > 0 ? lwi_dot(lwi_sub(at, a), ab) / length2 : 0;
}
/// The same, ignoring heights.
static inline float lwi_part_along_xz(lw_vec3 a, lw_vec3 b, lw_vec3 at) {
  float dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
  return length2 > 0 ? ((at.x - a.x) * dx + (at.z - a.z) * dz) / length2 : 0;
}
/// The point of the segment ab that is nearest to `at`, ignoring heights.
static inline lw_vec3 lwi_nearest_on(lw_vec3 a, lw_vec3 b, lw_vec3 at) {
  return lwi_lerp(a, b, lwi_min(1, lwi_max(0, lwi_part_along_xz(a, b, at))));
}
static inline bool lwi_finite(lw_vec3 a) {
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
/// Is it a legal coordinate: finite, and within +-LW_COORDINATE_MAX?
static inline bool lwi_is_place(lw_vec3 a) {
  return fabsf(a.x) <= LW_COORDINATE_MAX && fabsf(a.y) <= LW_COORDINATE_MAX && fabsf(a.z) <= LW_COORDINATE_MAX;
}
/// Is it half the size of a box to snap in: finite, and each above 0?
static inline bool lwi_is_snap(lw_vec3 half) {
  return lwi_finite(half) && half.x > 0 && half.y > 0 && half.z > 0;
}
/// The unit vector along `a`, without overflow or underflow. @return Zero where `a` is zero.
static inline lw_vec3 lwi_direction(lw_vec3 a) {
  const float largest = lwi_max(fabsf(a.x), lwi_max(fabsf(a.y), fabsf(a.z)));
  if (!(largest > 0)) return lwi_vec3(0, 0, 0);
  a = lwi_vec3(a.x / largest, a.y / largest, a.z / largest);
  return lwi_scale(a, 1 / lwi_length(a));
}
static inline bool lwi_equal(lw_vec3 a, lw_vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Twice the signed area of (a, b, c) in xz: > 0 where c is left of a -> b seen from above (counter-clockwise).
/// Differences first, then products in double: exact for the coordinates of any level.
static inline double lwi_turn(lw_vec3 a, lw_vec3 b, lw_vec3 c) {
  double abx = (double)b.x - a.x, abz = (double)b.z - a.z;
  double acx = (double)c.x - a.x, acz = (double)c.z - a.z;
  return abz * acx - abx * acz;
}

/// The distance in xz below which points count as equal: 0.1 mm, or far from the origin the spacing of floats.
/// [m]
static inline float lwi_rounding(lw_vec3 at) {
  return lwi_max(1e-4f, FLT_EPSILON * lwi_max(fabsf(at.x), fabsf(at.z)));
}

/// How far a point on a line between two others may be from it, as all three are rounded. [m]
static inline float lwi_line_rounding(lw_vec3 at) {
  return lwi_max(1e-4f, 2 * FLT_EPSILON * lwi_max(fabsf(at.x), fabsf(at.z)));
}

/// A place in xz. [m]
typedef struct lwi_point2 {
  double x, z;
} lwi_point2;
static inline lwi_point2 lwi_point2_of(lw_vec3 point) {
  return (lwi_point2){(double)point.x, (double)point.z};
}
static inline lwi_point2 lwi_point2_lerp(lwi_point2 a, lwi_point2 b, double t) {
  return (lwi_point2){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t};
}
static inline double lwi_point2_distance(lwi_point2 a, lwi_point2 b) {
  return sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
}
/// The square of their distance.
static inline double lwi_point2_apart2(lwi_point2 a, lwi_point2 b) {
  return (b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z);
}
/// As lwi_turn(): > 0 when c is left of a -> b.
static inline double lwi_point2_turn(lwi_point2 a, lwi_point2 b, lwi_point2 c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/// A box that holds nothing; adding a point gives that point.
static inline lw_box lwi_box_empty(void) {
  return (lw_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}
static inline lw_box lwi_box_add(lw_box box, lw_vec3 p) {
  box.min = lwi_vec3(lwi_min(p.x, box.min.x), lwi_min(p.y, box.min.y), lwi_min(p.z, box.min.z));
  box.max = lwi_vec3(lwi_max(p.x, box.max.x), lwi_max(p.y, box.max.y), lwi_max(p.z, box.max.z));
  return box;
}
static inline lw_box lwi_box_grow(lw_box box, float by) {
  const lw_vec3 all = lwi_vec3(by, by, by);
  return (lw_box){lwi_sub(box.min, all), lwi_add(box.max, all)};
}
/// The intersection; min > max where there is none.
static inline lw_box lwi_box_common(lw_box a, lw_box b) {
  return (lw_box){lwi_vec3(lwi_max(a.min.x, b.min.x), lwi_max(a.min.y, b.min.y), lwi_max(a.min.z, b.min.z)),
                  lwi_vec3(lwi_min(a.max.x, b.max.x), lwi_min(a.max.y, b.max.y), lwi_min(a.max.z, b.max.z))};
}
static inline bool lwi_box_overlaps(lw_box a, lw_box b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
         a.min.z <= b.max.z && b.min.z <= a.max.z;
}

#endif
