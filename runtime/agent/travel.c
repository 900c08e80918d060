/* Agents with bodies on off-mesh links. Between links they move all at once (crowd.c); agents without bodies walk alone
   (lwi_agent_walk()). */
#include "agent/agent.h"
#include "agent/steering.h"
#include "core/vec3.h"

#include <math.h>

/* Go on along the link. @return What is left of the step once it has landed. [m] */
static float traverse(lwi_agent *agent, const lwi_link_host *host, float dt, float speed) {
  const lw_vec3 before = agent->at.point;
  const bool skips = agent->link.kind == LW_LINK_TELEPORT || agent->link.is_finished;
  float budget = speed * dt;
  const float all = budget;
  const bool over = lwi_traverse_go(&agent->link, &budget, &agent->at);
  agent->stats.walked += (double)(all - budget);
  if (over && agent->link.navmesh >= 0) agent->navmesh = agent->link.navmesh;
  const lw_vec3 moved = lwi_sub(agent->at.point, before);
  if (!skips) {
    agent->velocity = lwi_scale(moved, 1 / dt);
    if (hypotf(moved.x, moved.z) > 1e-3f * dt) agent->heading = atan2f(-moved.z, moved.x);
  }
  if (over && agent->move != LW_MOVE_WALKING) agent->velocity = lwi_vec3(0, 0, 0);
  if (over) host->leave(host->user, agent);
  return over ? budget : 0;
}

/* Landed, it walks on in the same step. */
static void walk_on(lwi_agent *agent, const lw_navmesh *mesh, float budget) {
  const lw_path *path = agent->route.path;
  const int next = agent->route.next_point;
  if (!(budget > 0) || agent->move != LW_MOVE_WALKING || agent->link.active || next >= path->point_count ||
      lwi_path_link_at(path, next - 1))
    return;
  const float whole = lwi_distance(agent->at.point, path->points[next]);
  const lw_vec3 to =
      whole > budget ? lwi_lerp(agent->at.point, path->points[next], budget / whole) : path->points[next];
  lw_location end;
  if (lw_navmesh_move(mesh, agent->at, to, &agent->profile->prices.filter, &end) != LW_OK) return;
  agent->stats.walked += (double)lwi_distance(agent->at.point, end.point);
  agent->at = end;
}

/* The link that the agent has come to. */
static const lwi_path_link *link_here(const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  if (agent->move != LW_MOVE_WALKING || agent->route.next_point >= path->point_count) return NULL;
  const lwi_path_link *link = lwi_path_link_at(path, agent->route.next_point - 1);
  return link;
}

bool lwi_agent_travel(lwi_agent *agent, const lw_navmesh *const *meshes, const lwi_link_host *host, float dt) {
  const float speed = lwi_agent_speed(agent, meshes[agent->navmesh]);
  const uint32_t version = agent->route.version;
  if (agent->link.active) {
    const float left = traverse(agent, host, dt, speed);
    if (agent->route.version == version) walk_on(agent, meshes[agent->navmesh], left);
    return true;
  }
  const lwi_path_link *link = link_here(agent);
  if (!link) return false;
  if (!host->enter(host->user, agent, link) || agent->route.version != version || !agent->link.active)
    return false;
  const float left = traverse(agent, host, dt, speed);
  if (agent->route.version == version) walk_on(agent, meshes[agent->navmesh], left);
  return true;
}
