/// What agents try when others keep them from getting on.
#ifndef LW_WORLD_REMEDIES_H
#define LW_WORLD_REMEDIES_H

#include "agent/agent.h"
#include "query/blockers.h"

/// After an agent has moved in a step: try what helps if others keep it from getting on. Vehicles try nothing.
void lwi_agent_seek_remedy(lw_world *world, lwi_agent *agent);
/// List the agents that its path is to be searched past.
void lwi_agent_list_blockers(const lw_world *world, const lwi_agent *agent, lwi_blocker_list *list);

/// The agent that bars one that fails: that which blocks it, else the nearest one before it, or beside it.
/// @return None: nobody is near.
lw_agent_id lwi_agent_barred_by(const lw_world *world, const lwi_agent *agent);

#endif
