/// Whether a vehicle can get from one pose to another, by brute force: all poses that can be reached by short
/// arcs and lines, in cells of position and heading, with its outline held point by point against the ground.
/// It shares no code with the runtime.
#ifndef LW_TESTS_DRIVE_ORACLE_H
#define LW_TESTS_DRIVE_ORACLE_H

#include <stdbool.h>

/// A vehicle on ground, with the middle of its rear axle as its place.
typedef struct drive_oracle {
  double length, width, wheelbase, radius;
  double size; ///< The ground is a square from (0, 0) of that side. [m]
  bool (*is_free)(const void *ground, double x, double z);
  const void *ground;
} drive_oracle;

typedef struct drive_oracle_pose {
  double x, z, heading;
} drive_oracle_pose;

/// Does it stand free there?
bool drive_oracle_stands(const drive_oracle *of, drive_oracle_pose at);
/// Can it get there, but for the size of a cell?
bool drive_oracle_reaches(const drive_oracle *of, drive_oracle_pose from, drive_oracle_pose to);

#endif
