/// How agents look between two steps.
#ifndef LW_AGENT_POSE_H
#define LW_AGENT_POSE_H

#include "agent/agent.h"

/// Begin where the agent is: it was spawned, or put there.
void lwi_agent_pose_reset(lwi_agent *agent);
/// A step begins.
void lwi_agent_pose_begin(lwi_agent *agent);
/// It has ended. @param dt  [s]
void lwi_agent_pose_end(lwi_agent *agent, float dt);

#endif
