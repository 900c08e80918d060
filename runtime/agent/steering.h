/// Where an agent would go if it were alone, and how fast.
#ifndef LW_AGENT_STEERING_H
#define LW_AGENT_STEERING_H

#include "agent/agent.h"

#include <math.h>

/// What differs by pace.
typedef struct lwi_pace_style {
  float acceleration, lateral; ///< Factors of the profile's.
  float caution;               ///< Added to the profile's.
  float spacing;               ///< Distance kept to others besides the radii. [m]
  float share;                 ///< Of the effort to avoid others, beside theirs.
} lwi_pace_style;
extern const lwi_pace_style lwi_pace_styles[LW_PACE_COUNT];

/// A limit of lw_body; 0 there means no limit. Finite, so that its products with 0 are 0.
static inline float lwi_body_limit(float limit) {
  return limit > 0 ? limit : 1e6f;
}

/// Its speed where it is. [m/s]
float lwi_agent_speed(const lwi_agent *agent, const lw_navmesh *mesh);
/// The speed from which it can brake to `then` within the distance. [m/s]
float lwi_agent_braking_speed(const lwi_agent *agent, float then, float distance);
/// Go on to the path's next points as far as the agent is past those before.
void lwi_agent_pass_points(lwi_agent *agent, const lw_navmesh *mesh);
/// Find the velocity that the agent would have if it were alone: along its path, slower before turns and goal.
/// Sets `motion.desired`, and passes the points of the path that are behind the agent.
void lwi_agent_steer(lwi_agent *agent, const lw_navmesh *mesh, float dt);

/// The turn from one heading to another. [-pi..pi]
static inline float lwi_angle_between(float from, float to) {
  const float whole = 6.2831853f;
  float turn = to - from;
  /* A heading that numbers of a damaged saved game lead to may be so large that the loops would not end. */
  if (!(fabsf(turn) < 8 * whole)) turn = remainderf(turn, whole);
  while (turn > whole / 2) turn -= whole;
  while (turn < -whole / 2) turn += whole;
  return turn;
}

/// Is the wall's nearest point between its ends, and not at one of them, where an agent may go round it?
static inline bool lwi_wall_is_beside(const lwi_wall *wall, float x, float z) {
  const float ends = 0.03f; /* [m] */
  const float length = (wall->bx - wall->ax) * -wall->nz + (wall->bz - wall->az) * wall->nx;
  const float along = (x - wall->ax) * -wall->nz + (z - wall->az) * wall->nx;
  return along > ends && along < length - ends;
}

/// Distance of a place from a wall in xz. [m]
static inline float lwi_wall_distance(const lwi_wall *wall, float x, float z) {
  const float dx = wall->bx - wall->ax, dz = wall->bz - wall->az, length2 = dx * dx + dz * dz;
  float t = length2 > 0 ? ((x - wall->ax) * dx + (z - wall->az) * dz) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const float ex = x - wall->ax - t * dx, ez = z - wall->az - t * dz;
  return sqrtf(ex * ex + ez * ez);
}

#endif
