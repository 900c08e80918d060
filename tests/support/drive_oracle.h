/// Whether a vehicle can get from one pose to another, by brute force: all poses that can be reached by short
/// arcs and lines, in cells of position and heading, with its outline held point by point against the ground.
/// It shares no code with the runtime.
#ifndef LW_TESTS_DRIVE_ORACLE_H
#define LW_TESTS_DRIVE_ORACLE_H

#include <stdbool.h>

/// A trailer: lengths as in lw_trailer.
typedef struct drive_oracle_trailer {
  double length, width, joint, drawbar, wheelbase, max_angle; ///< A length of 0: there is none.
} drive_oracle_trailer;

/// A vehicle on ground, with the middle of its rear axle as its place.
typedef struct drive_oracle {
  double length, width, wheelbase, radius;
  double size; ///< The ground is a square from (0, 0) of that side. [m]
  bool (*is_free)(const void *ground, double x, double z);
  const void *ground;
  drive_oracle_trailer trailer;
} drive_oracle;

typedef struct drive_oracle_pose {
  double x, z, heading;
  double trailer; ///< Its heading. [rad]
} drive_oracle_pose;

/// Does it stand free there?
bool drive_oracle_stands(const drive_oracle *of, drive_oracle_pose at);
/// Where it is after that length, backwards if below 0, with its trailer: by small steps of its differential
/// equation. @param turn  1: left, -1: right, 0: straight on.
drive_oracle_pose drive_oracle_move(const drive_oracle *of, drive_oracle_pose from, int turn, double length);
/// Can it get there, but for the size of a cell?
bool drive_oracle_reaches(const drive_oracle *of, drive_oracle_pose from, drive_oracle_pose to);

#endif
