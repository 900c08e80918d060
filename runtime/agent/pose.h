/// How agents look between two steps.
#ifndef LW_AGENT_POSE_H
#define LW_AGENT_POSE_H

#include "agent/agent.h"

/// The steps of a world, for poses. Begin with `step` 1.
typedef struct lwi_pose_clock {
  uint64_t step; ///< The step that comes, or that it is in.
  float dt;      ///< Of the one before. [s] 0: this is the first one.
} lwi_pose_clock;

/// The agent was spawned, or put where it is.
void lwi_agent_pose_reset(lwi_agent *agent, const lwi_pose_clock *clock);
/// The agent may move or turn now: once for each step, before it does.
void lwi_agent_pose_begin(lwi_agent *agent, const lwi_pose_clock *clock);
/// Set position, heading, speed and turn rate. @param alpha  0: before the last step; 1: now. [0..1]
void lwi_agent_pose_at(const lwi_agent *agent, const lwi_pose_clock *clock, float alpha, lw_pose *pose);

#endif
