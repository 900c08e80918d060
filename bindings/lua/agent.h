/// An agent's userdata, and the agent as methods meet it.
#ifndef LWL_AGENT_H
#define LWL_AGENT_H

#include "lwl.h"

/// The userdata. There is one for each living agent, kept in the world's table of agents.
typedef struct lwl_agent {
  lw_agent_id id; ///< First, for other modules.
  bool doomed;    ///< Despawned inside a step: gone when it ends.
} lwl_agent;

/// The agent at index 1, its world and its state. Pushes the world's userdata.
typedef struct lwl_self {
  lwl_agent *agent;
  lwl_world *box;
  lw_world *world;
  lw_agent_id id;
  int index; ///< Of the world's userdata.
  lw_agent_state state;
} lwl_self;
/// Raises when it is gone. @param where  The method's name.
lwl_self lwl_check_self(lua_State *L, const char *where);

#endif
