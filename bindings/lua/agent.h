/// Agents, for the files with methods of agents.
#ifndef LWL_AGENT_H
#define LWL_AGENT_H

#include "id.h"

/// The userdata. Each living agent has one, in its world's table of agents.
typedef struct lwl_agent {
  lw_agent_id id;       ///< First: see id.c.
  lwl_hold *hold;       ///< NULL: the agent is gone.
  const lw_tree *tree;  ///< That of LWL_AGENT_TREE. NULL: none.
  bool pending_removal; ///< Despawned inside a step, removed when that ends.
  bool waits_for_walk;  ///< A leaf waits in move_to_and_wait(),
  lw_vec3 walks_to;     ///< for this move.
} lwl_agent;

/// The agent that a method is called for.
typedef struct lwl_self {
  lwl_agent *agent;
  lwl_world *box;
  lw_world *world;
  lw_agent_id id;
  int index; ///< Of the world's userdata.
  lw_agent_state state;
} lwl_self;
/// The agent at index 1. Pushes its world's userdata and its profile's, which state.profile stays valid with.
/// Raises if the agent is gone.
/// @param where  The method's name.
lwl_self lwl_check_self(lua_State *L, const char *where);

extern const luaL_Reg lwl_around_world_methods[], lwl_mind_agent_methods[], lwl_waiting_agent_methods[];

/// A leaf is aborted: its move ends that it waits for, unless the agent was sent elsewhere since.
void lwl_end_walk(lwl_agent *agent, lw_world *world);

/// Raise, as "WHERE: ...", where world:spawn() would raise for that table.
void lwl_check_spawn(lua_State *L, const char *where, int world, int options);

#endif
