/* Backing off: an agent walks away from one that blocks it, and waits there, so that the other one can come out. */
#include "agent/crowd.h"
#include "agent/steering.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

/* How far it walks at most, and how long that and waiting take. [m, s] */
#define FAR 4.0f
#define SECONDS 4.0
/* Directions that it looks in. */
#define DIRECTIONS 16
/* To walk less than that does not help. [m] */
#define SHORT 0.3f
/* Nearer than that to its place it stands. [m] */
#define THERE 0.1f

void lwi_agent_count_remedy(lwi_agent *agent, lw_remedy remedy) {
  agent->route.remedy.tried[remedy] += 1;
  agent->stats.remedies[remedy] += 1;
}

bool lwi_agent_back_off(lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 blocker, double now) {
  lwi_retreat *retreat = &agent->route.remedy.retreat;
  const lw_vec3 at = agent->at.point;
  lw_vec3 ahead = lwi_sub(blocker, at);
  ahead.y = 0;
  ahead = lwi_direction(ahead);
  float best = 0;
  for (int i = 0; i < DIRECTIONS; i++) {
    const float turn = (float)i * (6.2831853f / DIRECTIONS);
    const lwi_vec2 direction = {cosf(turn), sinf(turn)};
    const float away = -(direction.x * ahead.x + direction.z * ahead.z);
    const float length =
        away > 0 ? lwi_free_length(mesh, agent->at, direction, FAR, &agent->profile->prices.filter) : 0;
    if (!(length * away > best) || length < SHORT) continue;
    best = length * away;
    retreat->to = lwi_vec3(at.x + direction.x * length, at.y, at.z + direction.z * length);
  }
  if (!(best > 0)) return false;
  retreat->is_on = true;
  retreat->until = now + SECONDS;
  return true;
}

void lwi_agent_steer_back(lwi_agent *agent, const lw_navmesh *mesh) {
  lwi_motion *motion = &agent->route.motion;
  const lw_vec3 to = agent->route.remedy.retreat.to, at = agent->at.point;
  const float dx = to.x - at.x, dz = to.z - at.z, distance = sqrtf(dx * dx + dz * dz);
  const float speed = fminf(lwi_agent_speed(agent, mesh), 2 * fmaxf(0, distance - THERE));
  motion->stops_at_aim = false;
  motion->desired =
      distance > THERE ? lwi_vec3(dx / distance * speed, 0, dz / distance * speed) : lwi_vec3(0, 0, 0);
}
