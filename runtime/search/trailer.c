#include "search/trailer.h"

/* Shorter moves of a joint turn nothing. [m] */
#define STILL 1e-9
/* Of how fast a vehicle can straighten the trailer that it pushes. */
#define RESERVE 0.85

float lwi_trailer_reach(const lw_trailer *trailer) {
  const float behind = fmaxf(fabsf(trailer->drawbar), trailer->drawbar + trailer->length);
  return fabsf(trailer->joint) + behind + trailer->width / 2;
}

/* The joint by which a vehicle tows it. */
static lwi_curve_pose joint_of(const lw_trailer *trailer, lwi_curve_pose vehicle) {
  return lwi_curve_move(vehicle, 1, 0, -(double)trailer->joint);
}

lwi_curve_pose lwi_trailer_axle(const lw_trailer *trailer, lwi_curve_pose vehicle, double heading) {
  lwi_curve_pose joint = joint_of(trailer, vehicle);
  joint.heading = heading;
  return lwi_curve_move(joint, 1, 0, -(double)trailer->wheelbase);
}

double lwi_trailer_pushed_angle(const lw_trailer *trailer, double radius) {
  /* With the angle a, and per metre back, the trailer turns by sin(a) / wheelbase out of line, and the vehicle that steers as
     far as it can by (1 + joint * cos(a) / wheelbase) / radius back into it. */
  const double joint = RESERVE * (double)trailer->joint, wheelbase = RESERVE * (double)trailer->wheelbase;
  const double part = wheelbase / hypot(radius, joint);
  const double angle = atan2(joint, radius) + asin(part < 1 ? part : 1);
  return angle < (double)trailer->max_angle ? angle : (double)trailer->max_angle;
}

double lwi_trailer_follow(const lw_trailer *trailer, double heading, lwi_curve_pose from, lwi_curve_pose to) {
  const lwi_curve_pose before = joint_of(trailer, from), after = joint_of(trailer, to);
  const double dx = after.x - before.x, dz = after.z - before.z, length = hypot(dx, dz);
  if (length < STILL) return remainder(heading, LWI_TURN);
  const double course = atan2(-dz, dx), half = remainder(heading - course, LWI_TURN) / 2;
  const double turned = 2 * atan(tan(half) * exp(-length / (double)trailer->wheelbase));
  return remainder(course + turned, LWI_TURN);
}
