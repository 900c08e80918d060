#include "agent/pose.h"

#include "agent/steering.h"
#include "core/vec3.h"

#include <math.h>

/* An agent that comes by this much farther than it moves in a step was put there: by a teleport, or since ground went.
   [m] */
#define JUMP 0.5f

void lwi_agent_pose_reset(lwi_agent *agent) {
  const float speed = lwi_length(agent->velocity);
  agent->past = (lwi_agent_past){.point = agent->at.point,
                                 .heading = agent->heading,
                                 .walked = agent->stats.walked,
                                 .speed = {speed, speed}};
}

void lwi_agent_pose_begin(lwi_agent *agent) {
  lwi_agent_past *past = &agent->past;
  past->point = agent->at.point;
  past->heading = agent->heading;
  past->walked = agent->stats.walked;
  past->speed[0] = past->speed[1];
  past->turn_rate[0] = past->turn_rate[1];
}

/* Over the ground, not as the crow flies, which would be less in each step that goes round a corner. */
static float speed_of(const lwi_agent *agent, float dt) {
  if (agent->profile->has_body && !agent->link.active) return lwi_length(agent->velocity);
  return (float)(agent->stats.walked - agent->past.walked) / dt;
}

void lwi_agent_pose_end(lwi_agent *agent, float dt) {
  lwi_agent_past *past = &agent->past;
  past->speed[1] = speed_of(agent, dt);
  past->turn_rate[1] = lwi_angle_between(past->heading, agent->heading) / dt;
  if (lwi_distance(past->point, agent->at.point) > past->speed[1] * dt + JUMP) past->point = agent->at.point;
}
