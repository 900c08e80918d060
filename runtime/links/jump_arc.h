/// The arc of a jump and of a drop: how agents take it, and what the bake checks to be free.
#ifndef LW_LINKS_JUMP_ARC_H
#define LW_LINKS_JUMP_ARC_H

#include "core/vec3.h"

/// How high a level jump rises: a part of its width, up to a limit. [m]
#define LWI_JUMP_RISE 0.25f
#define LWI_JUMP_RISE_MAX 1.0f
#define LWI_JUMP_PARTS 16 ///< Of the arc, each of which is checked as a straight one.

/// Height above the straight line half way. It grows with the difference in height of the ends, so that a jump
/// comes down from above onto the higher one. [m]
static inline float lwi_jump_rise(lw_vec3 from, lw_vec3 to) {
  return fminf(LWI_JUMP_RISE_MAX, LWI_JUMP_RISE * lwi_distance_xz(from, to)) + fabsf(to.y - from.y) / 4;
}
/// The feet on a parabola. @param t  [0..1] @param rise  lwi_jump_rise(from, to).
static inline lw_vec3 lwi_jump_point(lw_vec3 from, lw_vec3 to, float rise, float t) {
  lw_vec3 at = lwi_lerp(from, to, t);
  at.y += 4 * rise * t * (1 - t);
  return at;
}

/// The feet on a drop: straight out over the edge, then straight down, so that they do not cut the edge.
/// @param t  [0..1]
static inline lw_vec3 lwi_drop_point(lw_vec3 from, lw_vec3 to, float t) {
  const float out = lwi_distance_xz(from, to), down = fabsf(to.y - from.y), done = t * (out + down);
  if (done >= out) return lwi_vec3(to.x, from.y + (down > 0 ? (done - out) / down : 1) * (to.y - from.y), to.z);
  return lwi_vec3(from.x + done / out * (to.x - from.x), from.y, from.z + done / out * (to.z - from.z));
}

#endif
