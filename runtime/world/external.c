/* Agents whose bodies the game moves. */
#include "core/status.h"
#include "core/vec3.h"
#include "world/world.h"

#include <math.h>

/* Where the game says that the agent is may be so far from the ground that it walked to in that direction: it lies on a
   slope or a step, or the body was pushed over an edge by a little. [m] */
#define BESIDE 0.1f
/* Ground is looked for within its radius and so far, and up and down. [m] */
#define SNAP 0.5f
#define SNAP_HEIGHT 2.0f

static bool is_at(const lwi_agent *agent, const lw_location *at, lw_vec3 position) {
  return lwi_distance_xz(at->point, position) <= BESIDE &&
         fabsf(at->point.y - position.y) <= fmaxf(SNAP, agent->profile->def.climb);
}

/* @return Whether there is ground where it is. */
static bool put(lw_world *world, lwi_agent *agent, lw_vec3 position) {
  const lw_navmesh *mesh = world->scene.meshes[agent->navmesh];
  const lw_filter *filter = &agent->profile->prices.filter;
  const float reach = agent->profile->def.radius + SNAP;
  const lw_vec3 before = agent->at.point;
  lw_location end, near_by;
  if (lw_navmesh_move(mesh, agent->at, position, filter, &end) != LW_OK) end = agent->at;
  bool found = is_at(agent, &end, position);
  if (!found &&
      lw_navmesh_nearest(mesh, position, lwi_vec3(reach, SNAP_HEIGHT, reach), filter, &near_by) == LW_OK) {
    found = true;
    end = near_by;
  }
  agent->at = end;
  lwi_agent_note_place(world, agent);
  if (agent->move == LW_MOVE_WALKING) agent->stats.walked += (double)lwi_distance(before, end.point);
  return found;
}

lw_status lw_agent_set_external(lw_world *world, lw_agent_id id, lw_vec3 position, lw_vec3 velocity) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  const bool may_be = agent->profile->has_body && !lwi_is_vehicle(agent->profile);
  if (!lwi_is_place(position) || !(lwi_length(velocity) <= LW_PROFILE_SPEED_MAX) || !may_be) return LW_INVALID;
  lwi_motion *motion = &agent->route.motion;
  if (!motion->is_external) motion->chosen = lwi_vec3(0, 0, 0);
  motion->is_external = true;
  if (agent->ground.is_parked || agent->ground.is_trapped) return LW_NOT_FOUND;
  if (agent->link.active) return LW_OK;
  lwi_agent_pose_begin(agent, &world->agents.poses);
  agent->velocity = velocity;
  motion->is_resting = false;
  return put(world, agent, position) ? LW_OK : LW_NOT_FOUND;
}

lw_status lw_agent_end_external(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  agent->route.motion.is_external = agent->route.motion.is_resting = false;
  return LW_OK;
}

bool lw_agent_is_external(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  return agent && agent->profile->has_body && agent->route.motion.is_external;
}

lw_vec3 lw_agent_desired_velocity(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  if (!agent || !agent->profile->has_body || agent->link.active || agent->route.motion.has_travelled)
    return lwi_vec3(0, 0, 0);
  return agent->route.motion.chosen;
}
