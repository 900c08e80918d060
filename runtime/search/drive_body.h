/// A vehicle's body on a navmesh, and how far it can be driven along a curve.
///
/// A navmesh keeps the radius that it was baked for from all walls. So a body with rounded corners of that
/// radius stands free where the rectangle without them, shrunk by the radius on all sides, lies on the navmesh.
/// Lines over that rectangle are followed over the surface, so that each floor counts for itself.
#ifndef LW_SEARCH_DRIVE_BODY_H
#define LW_SEARCH_DRIVE_BODY_H

#include "cost/profile.h"
#include "leeward/drive.h"
#include "search/body_area.h"
#include "search/trailer.h"

/// How far a body may extend past the navmesh ahead and behind. [m]
#define LWI_DRIVE_SLACK LW_DRIVE_SLACK

/// A body that stands there, and that it keeps away from.
typedef struct lwi_drive_block {
  lwi_body_area body;
  float gap; ///< That is kept to it. [m]
} lwi_drive_block;

/// A rectangle about an axle.
typedef struct lwi_drive_box {
  float front, back; ///< Ends of the shrunk rectangle, before and behind the axle. [m]
  float side;        ///< Half of its width. [m] 0: it is a line.
  int lines;         ///< That it is checked along, besides its middle.
  /// Of the whole rectangle: its middle, before the axle, and half of its length and width. [m]
  float middle, half_length, half_width;
} lwi_drive_box;

typedef struct lwi_drive_body {
  const lw_navmesh *mesh;
  const lwi_prices *prices;      ///< Say where it may drive, and what that costs.
  lwi_drive_box box;             ///< About its rear axle.
  double radius;                 ///< That it can turn in. [m]
  const lw_trailer *trailer;     ///< NULL: none. Borrowed.
  lwi_drive_box trailer_box;     ///< About that one's axle.
  double pushed_angle;           ///< That it may turn out of line while the vehicle backs. [rad]
  const lwi_drive_block *blocks; ///< [block_count] Borrowed.
  int block_count;
} lwi_drive_body;

/// A place on the surface and a heading.
typedef struct lwi_drive_pose {
  lw_location at;
  double heading; ///< [rad]
  double trailer; ///< Heading of the trailer, if there is one. [rad]
} lwi_drive_pose;

lwi_drive_body lwi_drive_body_of(const lw_navmesh *mesh, const lw_profile *profile, const lwi_prices *prices);
/// Not its trailer.
lwi_drive_body lwi_drive_body_alone(const lwi_drive_body *body);
/// How far it is from a block: see lwi_body_area_gap(). [m]
float lwi_drive_body_gap(const lwi_drive_body *body, const lwi_drive_pose *pose, const lwi_drive_block *block);
/// Does it stand on the navmesh, or that part of its length and width? @param part  [0..1]
bool lwi_drive_body_fits(const lwi_drive_body *body, const lwi_drive_pose *pose, float part);

static inline lwi_curve_pose lwi_drive_curve_pose(const lwi_drive_pose *pose) {
  return (lwi_curve_pose){(double)pose->at.point.x, (double)pose->at.point.z, pose->heading};
}

/// Steps that a piece of a curve is checked and priced by. [>= 1]
int lwi_drive_steps(const lwi_drive_body *body, int turn, double length);
/// Where the body may stand on ground where its whole length does not fit: it began there.
typedef struct lwi_drive_start {
  lw_vec3 at;
  float reach; ///< [m]
  float part;  ///< Of the body that fits. [0..1]
} lwi_drive_start;
/// Drive a piece of a curve.
/// @param[in, out] pose  The end; as it was where it does not fit. @param[out] cost  Of its metres, either way.
/// @return Whether it fits everywhere.
bool lwi_drive_along(const lwi_drive_body *body, const lwi_drive_start *start, int turn, double length,
                     lwi_drive_pose *pose, float *cost);

#endif
