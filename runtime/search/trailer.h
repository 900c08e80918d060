/// How a trailer (lw_trailer) follows its vehicle.
#ifndef LW_SEARCH_TRAILER_H
#define LW_SEARCH_TRAILER_H

#include "leeward/profile.h"
#include "search/curves.h"

#include <math.h>

/// Where its body ends, from its axle: > 0 before, < 0 behind. [m]
static inline float lwi_trailer_front(const lw_trailer *trailer) {
  return trailer->wheelbase - trailer->drawbar;
}
static inline float lwi_trailer_back(const lw_trailer *trailer) {
  return lwi_trailer_front(trailer) - trailer->length;
}
/// A place so far along a direction; < 0: behind. @param heading  [rad]
static inline lw_vec3 lwi_place_along(lw_vec3 at, float heading, float distance) {
  return (lw_vec3){at.x + cosf(heading) * distance, at.y, at.z - sinf(heading) * distance};
}
/// The joint of a vehicle with its rear axle at a place, and the middle of its trailer's axle. @param heading
/// Of the vehicle. [rad]
static inline lw_vec3 lwi_trailer_joint_at(const lw_trailer *trailer, lw_vec3 at, float heading) {
  return lwi_place_along(at, heading, -trailer->joint);
}
static inline lw_vec3 lwi_trailer_axle_at(const lw_trailer *trailer, lw_vec3 joint, float trailer_heading) {
  return lwi_place_along(joint, trailer_heading, -trailer->wheelbase);
}
/// The farthest that it reaches from the vehicle's rear axle. [m]
float lwi_trailer_reach(const lw_trailer *trailer);
/// The middle of its axle, and its heading. @param heading  Of the trailer. [rad]
lwi_curve_pose lwi_trailer_axle(const lw_trailer *trailer, lwi_curve_pose vehicle, double heading);
/// Its heading after the vehicle has moved from one pose to another, on a curve so short that its joint went
/// nearly straight. Axle and joint keep their distance, and the axle does not slip sideways: a tractrix.
/// @param heading  Of the trailer before. [rad] @return [rad, -pi..pi]
double lwi_trailer_follow(const lw_trailer *trailer, double heading, lwi_curve_pose from, lwi_curve_pose to);
/// The largest angle at which a vehicle that pushes it can still straighten it, with some reserve. [rad]
/// @param radius  That the vehicle can turn in. [m]
double lwi_trailer_pushed_angle(const lw_trailer *trailer, double radius);
/// How far it is turned out of the vehicle's line; > 0: its front points to the left of that. [rad, -pi..pi]
static inline double lwi_trailer_angle(double heading, double vehicle) {
  return remainder(heading - vehicle, LWI_TURN);
}

#endif
