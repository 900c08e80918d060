/// The ground of a danger: a flat cylinder, and who enters it.
#ifndef LW_COST_DANGER_H
#define LW_COST_DANGER_H

#include "leeward/danger.h"
#include "core/vec3.h"

/// Open: what lies on its border is outside.
typedef struct lwi_disc {
  lw_vec3 at;
  float radius, height; ///< `height` up and down from `at`. [m, > 0]
  float value;          ///< What is left of it now.
} lwi_disc;

static inline bool lwi_disc_holds(const lwi_disc *disc, lw_vec3 point) {
  double x = (double)point.x - disc->at.x, y = (double)point.y - disc->at.y, z = (double)point.z - disc->at.z;
  return x * x + z * z < (double)disc->radius * disc->radius && fabs(y) < disc->height;
}
/// Does who walks straight from one place to another enter the disc on the way? Who stands inside does not. So a way that is
/// cut anywhere enters as often as in one piece.
bool lwi_disc_enters(const lwi_disc *disc, lw_vec3 from, lw_vec3 to);
/// The value that is left after some time. [s] @return 0: forgotten
float lwi_danger_left(const lw_danger_def *def, double seconds);
/// @return LW_OK, or LW_INVALID with the field named.
lw_status lwi_danger_check(const lw_danger_def *def, lw_error *error);

#endif
