/// Velocities without collision: optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha
/// 2011), in xz.
#ifndef LW_AGENT_ORCA_H
#define LW_AGENT_ORCA_H

#include <math.h>
#include <stdbool.h>

/// A vector in xz.
typedef struct lwi_vec2 {
  float x, z;
} lwi_vec2;

static inline lwi_vec2 lwi_vec2_of(float x, float z) {
  return (lwi_vec2){x, z};
}
static inline lwi_vec2 lwi_add2(lwi_vec2 a, lwi_vec2 b) {
  return lwi_vec2_of(a.x + b.x, a.z + b.z);
}
static inline lwi_vec2 lwi_sub2(lwi_vec2 a, lwi_vec2 b) {
  return lwi_vec2_of(a.x - b.x, a.z - b.z);
}
static inline lwi_vec2 lwi_scale2(lwi_vec2 a, float s) {
  return lwi_vec2_of(a.x * s, a.z * s);
}
static inline float lwi_dot2(lwi_vec2 a, lwi_vec2 b) {
  return a.x * b.x + a.z * b.z;
}
/// > 0 where b is to the left of a, x to the right and z up.
static inline float lwi_det2(lwi_vec2 a, lwi_vec2 b) {
  return a.x * b.z - a.z * b.x;
}

/// @return Of unit length; a vector without length as it is.
static inline lwi_vec2 lwi_unit2(lwi_vec2 a) {
  const float length = sqrtf(lwi_dot2(a, a));
  return length > 0 ? lwi_scale2(a, 1 / length) : a;
}
/// Turned to the left, as seen from above, where z points down. @param turn  [rad]
static inline lwi_vec2 lwi_turn2(lwi_vec2 a, float turn) {
  const float c = cosf(turn), s = sinf(turn);
  return lwi_vec2_of(a.x * c + a.z * s, a.z * c - a.x * s);
}

/// A half-plane of velocities: those on the line, and to the left of its direction.
typedef struct lwi_half_plane {
  lwi_vec2 point, direction;
} lwi_half_plane;

/// Another agent, as one sees it.
typedef struct lwi_orca_other {
  lwi_vec2 offset;   ///< From here to it. [m]
  lwi_vec2 relative; ///< The velocity here less its velocity. [m/s]
  float radius;      ///< Sum of both. [m]
  float horizon;     ///< For how long there must be no collision. [s]
  float share;       ///< Part of the effort that is taken here. [0..1]
} lwi_orca_other;

/// The velocities that avoid the other. @param velocity  The one here. @param dt  A step. [s]
lwi_half_plane lwi_orca_plane(const lwi_orca_other *other, lwi_vec2 velocity, float dt);
/// Velocities that lead towards a wall not faster than that. @param normal  Unit, away from the wall.
lwi_half_plane lwi_orca_wall(lwi_vec2 normal, float speed);

/// What to solve: the velocity nearest to `wish` in all half-planes, and not faster than `speed`.
typedef struct lwi_orca_problem {
  const lwi_half_plane *planes; ///< [count] The first `hard` hold in any case.
  int count, hard;
  lwi_vec2 wish;
  float speed;
} lwi_orca_problem;
#define LWI_ORCA_PLANES_MAX 32
/// @return Where there is no such velocity, the one that violates the others least.
lwi_vec2 lwi_orca_solve(const lwi_orca_problem *problem);

#endif
