/* How the agents of a world look between its last two steps. */
#include "agent/pose.h"
#include "agent/steering.h"
#include "core/vec3.h"
#include "world/world.h"

#include <math.h>

void lwi_world_begin_poses(lw_world *world) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    const bool was_moved = agent->route.motion.is_external && !agent->link.active; /* before the step */
    if (!was_moved) lwi_agent_pose_begin(agent);
  }
}

void lwi_world_end_poses(lw_world *world, float dt) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) lwi_agent_pose_end(agent, dt);
}

static float between(const float *pair, float alpha) {
  return pair[0] + (pair[1] - pair[0]) * alpha;
}

lw_status lw_agent_pose(const lw_world *world, lw_agent_id id, float alpha, lw_pose *pose) {
  if (pose) *pose = (lw_pose){0};
  if (!world || !pose || !(alpha >= 0 && alpha <= 1)) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  const lwi_agent_past *past = &agent->past;
  const float turn = lwi_angle_between(past->heading, agent->heading);
  *pose = (lw_pose){
      .position = alpha < 1 ? lwi_lerp(past->point, agent->at.point, alpha) : agent->at.point,
      .navmesh = agent->navmesh,
      .heading = alpha < 1 ? lwi_angle_between(0, past->heading + turn * alpha) : agent->heading,
      .speed = between(past->speed, alpha),
      .turn_rate = between(past->turn_rate, alpha),
      .stance = lwi_agent_stance(agent, world->scene.meshes[agent->navmesh]),
      .pace = lwi_agent_pace(agent),
      .link = agent->link.active ? agent->link.kind : LW_LINK_NONE,
      .link_progress = agent->link.active ? lwi_traverse_progress(&agent->link) : 0,
  };
  return LW_OK;
}
