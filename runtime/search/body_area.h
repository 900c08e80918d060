/// What a body covers as seen from above: a vehicle's or a trailer's rectangle, or the disc of another agent.
#ifndef LW_SEARCH_BODY_AREA_H
#define LW_SEARCH_BODY_AREA_H

#include "leeward/base.h"

typedef struct lwi_body_area {
  lw_vec3 at;          ///< Its middle. [m]
  float c, s;          ///< Its direction along x and z, unit.
  float length, width; ///< Half of those of the rectangle; both 0: it is a disc. [m]
  float radius;        ///< Of the disc; 0: it is a rectangle. [m]
} lwi_body_area;

/// A rectangle about an axle. @param heading  [rad] @param front, back  Its ends before and behind that. [m]
lwi_body_area lwi_body_area_about(lw_vec3 axle, float heading, float front, float back, float width);
lwi_body_area lwi_body_area_disc(lw_vec3 at, float radius);
/// How far two are apart, and at least so far where two rectangles are corner to corner; < 0: they overlap. [m]
float lwi_body_area_gap(const lwi_body_area *a, const lwi_body_area *b);

#endif
