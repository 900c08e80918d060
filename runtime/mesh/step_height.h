/// How high steps in polygons and portals are: the one measure of what is too high for an agent to step up or
/// down.
#ifndef LW_MESH_STEP_HEIGHT_H
#define LW_MESH_STEP_HEIGHT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LWI_STEP_PARTS 100  ///< Parts of a step's height. [1/m]
#define LWI_STEP_SLACK 1e-4 ///< What floats round off a height. [m]
#define LWI_STEP_WALL 255   ///< This height, or more.

/// A height in whole parts, rounded up. @param height  [m, >= 0]
static inline uint8_t lwi_step_byte(double height) {
  const double parts = ceil((height - LWI_STEP_SLACK) * LWI_STEP_PARTS);
  return (uint8_t)(parts <= 0 ? 0 : parts >= LWI_STEP_WALL ? LWI_STEP_WALL : parts);
}

/// Differences in height of two edges that meet, up to this one, are rounding and no step. [m]
#define LWI_STEP_ROUNDING 0.01

/// May agents that climb so high pass a step? @param climb  [m]
static inline bool lwi_can_climb(float climb, uint8_t step) {
  return step == LWI_STEP_WALL ? climb == INFINITY : (float)step <= climb * LWI_STEP_PARTS + 1e-2f;
}

#endif
