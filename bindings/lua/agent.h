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

extern const luaL_Reg lwl_around_world_methods[], lwl_mind_agent_methods[], lwl_waiting_agent_methods[],
    lwl_journey_agent_methods[], lwl_journey_functions[], lwl_history_agent_methods[],
    lwl_history_world_methods[], lwl_pose_agent_methods[], lwl_external_agent_methods[],
    lwl_group_world_methods[], lwl_group_agent_methods[];

/// Read the count of entries that agents keep at `history` (history.c).
void lwl_opt_history(lua_State *L, const lwl_at *at, int table, int *count);

/// Push what the profile of the agent at index is built from: what it was spawned with, and the costs that
/// agent:set_cost() set; over that `cost`, `avoid` and `can_take` of the options at index.
/// @param options  0: nothing over it. Raises where these are wrong.
void lwl_push_agent_recipe(lua_State *L, const lwl_at *at, int agent, int options);
/// Push the box of the profile that options of a move at index ask for: the one named there, or the agent's
/// own with all that it was spawned with and that agent:set_cost() set; over that, `cost`, `avoid` and
/// `can_take` of the options. @return NULL: they have none of these keys, or are nil; then nil is pushed.
const lwl_box *lwl_push_journey(lua_State *L, const lwl_at *at, int agent, int options);
/// Return nil, message, code for a move that failed.
int lwl_fail_move(lua_State *L, lw_status status, lw_vec3 goal, const lw_profile *profile);
/// Hold the profile that the agent's journey is for, in place of the one before. @param profile  NULL: its own.
void lwl_hold_journey(lwl_hold *hold, const lwl_box *profile);

/// A leaf is aborted: its move ends that it waits for, unless the agent was sent elsewhere since.
void lwl_end_walk(lwl_agent *agent, lw_world *world);
/// Set the field `remedies` of the table on top of the stack. @param counts  [LW_REMEDY_COUNT]
void lwl_set_remedies(lua_State *L, const int64_t *counts);

/// Raise, as "WHERE: ...", where world:spawn() would raise for that table.
void lwl_check_spawn(lua_State *L, const char *where, int world, int options);

/// The agent at index, of the world at stack index `world`. Raises if it is gone.
lw_agent_id lwl_check_agent(lua_State *L, const lwl_at *at, const char *key, int index, int world);
/// Read table[key], an agent of the world at stack index `world`. Raises if the agent is gone.
/// @return None: the key is absent.
lw_agent_id lwl_opt_agent(lua_State *L, const lwl_at *at, int table, const char *key, int world);

#endif
