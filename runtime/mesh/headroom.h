/// How much headroom there is over a polygon: the one measure of what is too low for an agent.
#ifndef LW_MESH_HEADROOM_H
#define LW_MESH_HEADROOM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LWI_HEADROOM_STEPS 20 ///< Steps of a headroom. [1/m]
#define LWI_HEADROOM_OPEN 255 ///< This headroom, or more; or nobody has measured it.

/// Headroom in whole steps, rounded down. @param headroom  [m, >= 0]
static inline uint8_t lwi_headroom_byte(double headroom) {
  const double steps = floor(headroom * LWI_HEADROOM_STEPS + 1e-2); /* of a step: what floats round off */
  return (uint8_t)(steps >= LWI_HEADROOM_OPEN ? LWI_HEADROOM_OPEN : steps);
}

/// That headroom. INFINITY: LWI_HEADROOM_OPEN. [m]
static inline float lwi_headroom_of(uint8_t headroom) {
  return headroom == LWI_HEADROOM_OPEN ? INFINITY : (float)headroom / LWI_HEADROOM_STEPS;
}

/// May an agent of that height stand under that headroom?
/// @param height  [m] @param kept  The height that the navmesh was baked for: it may lie between two steps, and
///   ground that was kept for it is as high. [m]
static inline bool lwi_has_headroom(uint8_t headroom, float height, float kept) {
  if (headroom == LWI_HEADROOM_OPEN || height * LWI_HEADROOM_STEPS <= (float)headroom + 1e-2f) return true;
  return height <= kept && floorf(kept * LWI_HEADROOM_STEPS + 1e-2f) <= (float)headroom;
}

/// Have obstacles lowered headroom to one of [min, limit)? @param lowered  lwi_mesh_live.lowered; NULL: no.
static inline bool lwi_is_lowered(const uint32_t *lowered, uint8_t min, uint8_t limit) {
  for (unsigned i = min; lowered && i < limit; i++)
    if (lowered[i] > 0) return true;
  return false;
}

#endif
