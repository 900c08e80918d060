/// Calls of leaves in Lua, for the two files that make them.
#ifndef LWL_LEAF_H
#define LWL_LEAF_H

#include "tree.h"

typedef struct lwl_leaf_run {
  lwl_world *world;
  lw_world *of; ///< The C world.
  lw_agent_id agent;
  lw_leaf_call *call;
  lw_node_status status;
  lwl_budget *budget;
} lwl_leaf_run;

/// What the function of the leaf for the event is called, for messages.
static inline const char *lwl_leaf_function_name(const lw_leaf_call *call) {
  if (call->event == LW_LEAF_STOP) return "the leaf's stop";
  return call->event == LW_LEAF_START && call->leaf & LWL_HAS_START ? "the leaf's start" : "the leaf's tick";
}

/// Push what the leaf at index has for the event, or a value that is no function.
static inline int lwl_push_leaf_function(lua_State *L, int leaf, lw_leaf_event event) {
  static const int fields[] = {
      [LW_LEAF_START] = LWL_LEAF_START, [LW_LEAF_TICK] = LWL_LEAF_TICK, [LW_LEAF_STOP] = LWL_LEAF_STOP};
  return lua_rawgeti(L, leaf, fields[event]);
}

/// Let the leaf fail, and log the error on top of the stack with the agent and the node.
/// @param message  Instead of that error. NULL: none.
void lwl_fail_leaf(lua_State *L, lwl_leaf_run *run, const char *message);
/// A function of Lua: read what a leaf answered. Arguments: the run as light userdata, the leaf, its two
/// answers.
int lwl_read_leaf_answer(lua_State *L);

/// In a step, call `start` or `tick` of a leaf without a function of C around it (leaf_call.c).
/// @return false: that needs a new table, or more than a function; nothing is done.
bool lwl_call_leaf_directly(lua_State *L, lwl_leaf_run *run);

#endif
