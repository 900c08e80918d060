#include "agent/pose.h"

#include "agent/driving.h"
#include "agent/steering.h"
#include "core/vec3.h"

#include <math.h>

/* An agent that comes by this much farther than it moves in a step was put there: by a teleport, or since ground went.
   [m] */
#define JUMP 0.5f

void lwi_agent_pose_reset(lwi_agent *agent, const lwi_pose_clock *clock) {
  agent->past = (lwi_agent_past){.step = clock->step - 1,
                                 .is_new = true,
                                 .point = agent->at.point,
                                 .heading = agent->heading,
                                 .trailer_angle = agent->route.driving.trailer_angle,
                                 .walked = agent->stats.walked,
                                 .speed = lwi_length(agent->velocity)};
}

/* Over the ground, not as the crow flies, which would be less in each step that goes round a corner. */
static float speed_of(const lwi_agent *agent, float dt) {
  if (agent->past.is_new) return agent->past.speed;
  if (agent->profile->has_body && !agent->link.active) return lwi_length(agent->velocity);
  return dt > 0 ? (float)(agent->stats.walked - agent->past.walked) / dt : 0;
}

static float turn_rate_of(const lwi_agent *agent, float dt) {
  return dt > 0 ? lwi_angle_between(agent->past.heading, agent->heading) / dt : 0;
}

void lwi_agent_pose_begin(lwi_agent *agent, const lwi_pose_clock *clock) {
  if (agent->past.step == clock->step) return;
  const bool could_move = agent->past.step + 1 == clock->step; /* in the step before */
  agent->past = (lwi_agent_past){.step = clock->step,
                                 .point = agent->at.point,
                                 .heading = agent->heading,
                                 .trailer_angle = agent->route.driving.trailer_angle,
                                 .walked = agent->stats.walked,
                                 .speed = could_move ? speed_of(agent, clock->dt) : 0,
                                 .turn_rate = could_move ? turn_rate_of(agent, clock->dt) : 0};
}

static float between(float from, float to, float alpha) {
  return from + (to - from) * alpha;
}

void lwi_agent_pose_at(const lwi_agent *agent, const lwi_pose_clock *clock, float alpha, lw_pose *pose) {
  const lwi_agent_past *past = &agent->past;
  pose->position = agent->at.point;
  pose->heading = agent->heading;
  pose->trailer_heading = lwi_agent_trailer_heading(agent);
  if (past->step + 1 < clock->step) return; /* it has rested since */
  const float speed = speed_of(agent, clock->dt), turn = lwi_angle_between(past->heading, agent->heading);
  pose->speed = between(past->speed, speed, alpha);
  pose->turn_rate = between(past->turn_rate, turn_rate_of(agent, clock->dt), alpha);
  if (!(alpha < 1)) return;
  pose->heading = lwi_angle_between(0, past->heading + turn * alpha);
  pose->trailer_heading = pose->heading;
  if (lwi_trailer_of(agent->profile))
    pose->trailer_heading = lwi_angle_between(
        0, pose->heading + between(past->trailer_angle, agent->route.driving.trailer_angle, alpha));
  if (lwi_distance(past->point, agent->at.point) <= speed * clock->dt + JUMP)
    pose->position = lwi_lerp(past->point, agent->at.point, alpha);
}
