/// Whiskers: rays ahead of an agent, on which it sees what its path cannot know (hazards.h), so that it goes
/// round that, or waits until it has gone by.
#ifndef LW_AGENT_WHISKERS_H
#define LW_AGENT_WHISKERS_H

#include "agent/crowd.h"

/// Turn and slow the wishes of all agents that would run into a hazard. Without hazards nothing is looked at.
/// @return false: no memory, and some hazards were not seen.
bool lwi_crowd_whisk(const lwi_crowd_step *step);
/// A ray's turn from the direction in which the agent wants to go. @param number  From the right. [rad]
float lwi_whisker_turn(const lw_whiskers *whiskers, int number);

#endif
