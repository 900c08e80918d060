/// What agents try that others bar.
#ifndef LW_WORLD_REMEDIES_H
#define LW_WORLD_REMEDIES_H

#include "agent/agent.h"
#include "query/blockers.h"

/// An agent with a body has moved, and others may bar it: try what helps. Not for vehicles.
void lwi_agent_seek_remedy(lw_world *world, lwi_agent *agent);
/// List those that its path is to be searched past.
void lwi_agent_list_blockers(const lw_world *world, const lwi_agent *agent, lwi_blocker_list *list);

#endif
