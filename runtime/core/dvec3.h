/// Vectors in doubles.
#ifndef LW_CORE_DVEC3_H
#define LW_CORE_DVEC3_H

#include "core/vec3.h"

/// A point or a direction in doubles. [m]
typedef struct lwi_dvec3 {
  double x, y, z;
} lwi_dvec3;
static inline lwi_dvec3 lwi_dvec3_sub(lwi_dvec3 a, lwi_dvec3 b) {
  return (lwi_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline double lwi_dvec3_dot(lwi_dvec3 a, lwi_dvec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double lwi_dvec3_length(lwi_dvec3 a) {
  return sqrt(lwi_dvec3_dot(a, a));
}
static inline lwi_dvec3 lwi_dvec3_cross(lwi_dvec3 a, lwi_dvec3 b) {
  return (lwi_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline lwi_dvec3 lwi_dvec3_of(lw_vec3 a) {
  return (lwi_dvec3){(double)a.x, (double)a.y, (double)a.z};
}
/// The vector from one point to another.
static inline lwi_dvec3 lwi_dvec3_between(lw_vec3 from, lw_vec3 to) {
  return (lwi_dvec3){(double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z};
}

#endif
