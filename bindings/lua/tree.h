/// Trees, for the files that compile and run them.
#ifndef LWL_TREE_H
#define LWL_TREE_H

#include "budget.h"

// --- trees (tree.c) ------------------------------------------------------------------------------------------

/// Fields of a leaf in the list that is a tree's user value: functions or false, and the options. Tests of
/// conditions, services and scores of utilities have `tick` alone.
enum {
  LWL_LEAF_START = 1,
  LWL_LEAF_TICK,
  LWL_LEAF_STOP,
  LWL_LEAF_OPTIONS,
  LWL_LEAF_RUN,
  LWL_LEAF_SAVE, ///< Or true: the state is saved as it is.
  LWL_LEAF_LOAD,
  LWL_LEAF_FIELDS = LWL_LEAF_LOAD
};
/// In the number of a leaf: its functions may look at their third argument, or it has `stop` or `run`;
#define LWL_NEEDS_STATE 0x80000000u
/// may look at their second one, and at the first.
#define LWL_NEEDS_OPTIONS 0x20000000u
#define LWL_NEEDS_AGENT 0x10000000u
/// In the number of a leaf: it has `start`; else its field is `tick`.
#define LWL_HAS_START 0x40000000u
/// Where its table lies among the leaves; behind that lie what START calls, `tick` and the options.
#define LWL_LEAF_NUMBER 0x0fffffffu

/// User values of a tree's box: the list of its leaves; the types of its inputs by their keys, or nil.
enum { LWL_TREE_LEAVES = 1, LWL_TREE_INPUTS, LWL_TREE_VALUES = LWL_TREE_INPUTS };

/// Push the box of the tree at index: a name, a tree or a description.
lwl_box *lwl_push_tree(lua_State *L, const char *where, int index);
/// Push the box of the tree of that name. @return NULL: there is no such tree; nothing is pushed.
lwl_box *lwl_push_named_tree(lua_State *L, const char *name);
/// Push and return the message that there is no tree of that name.
const char *lwl_push_no_tree(lua_State *L, const char *name);
/// Message handler: turns any error into text that begins with file:line.
int lwl_add_place(lua_State *L);
/// Is it world:step() or world:run(), which call leaves?
bool lwl_is_step(lua_CFunction function);
/// Push what calls of leaves look up in the step of the world at index 1 that begins (leaf_call.c).
void lwl_push_step_tables(lua_State *L, lwl_world *world);
enum { LWL_STEP_TABLES = 6 }; ///< That many values.
/// lw_world_def.leaf, with the lwl_world as `user`.
lw_node_status lwl_run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call);

// --- blackboards (blackboard.c) ------------------------------------------------------------------------------

/// Give the agent at index a blackboard with the values of the table at index; nil: an empty one.
void lwl_set_blackboard(lua_State *L, int agent, int values);
/// Push the table that holds the values of the agent at index, and give it another one, of which the runtime
/// knows.
void lwl_push_board_table(lua_State *L, int agent);
void lwl_set_board_table(lua_State *L, int agent, int table);
extern const luaL_Reg lwl_blackboard_world_methods[], lwl_blackboard_agent_methods[];

// --- compiling (tree_compile.c, loading.c) -----

/// Push the box of the description at index, compiled.
lwl_box *lwl_push_compiled_tree(lua_State *L, const char *where, int description, const char *name);
/// Put a proxy that cannot be written, nor the plain tables in it, in the place of the table on top of the
/// stack (options.c).
void lwl_protect_options(lua_State *L, const char *leaf);
/// lua_call() of a chunk that was loaded from a file, noting the line that it is at (loading.c).
void lwl_call_file(lua_State *L, int arguments, int results);
/// leeward.loading()
int lwl_loading(lua_State *L);
/// leeward.node_source()
int lwl_node_source(lua_State *L);
/// Push the "FILE:LINE" where the node at index was built. @return false: it is not known, and not pushed.
bool lwl_push_source(lua_State *L, int node);
/// Note the "FILE:LINE" on top of the stack, which is popped, as where the node at index was built.
void lwl_set_source(lua_State *L, int node);
/// Push and return the file with the line at which it returned when it was called last.
const char *lwl_push_end_of_file(lua_State *L, const char *file);
/// Push and return a place for a message: `where`, which may be a file, and the "FILE:LINE" of a node.
const char *lwl_push_place(lua_State *L, const char *where, const char *source);
/// Raise the error of lw_tree_create(), which begins with the source of a node, if it is about one.
_Noreturn void lwl_raise_invalid_tree(lua_State *L, const char *where, const char *text);

/// Push the module behaviors.ports. @return false: there are no shipped behaviours, and nothing is pushed.
bool lwl_push_ports(lua_State *L);

// --- inputs (tree_inputs.c) ----------------------------------------------------------------------------------

/// Push a copy of the inputs that the description at index declares; nil: none.
void lwl_push_inputs(lua_State *L, int description);
/// Raise if a value of the table at index is of another type than the tree at index declares for its key.
/// Either may be nil.
void lwl_check_inputs(lua_State *L, const char *where, int tree, int values);

/// The value at index, as blackboards keep it in C. What is no plain value is an object with that number.
lw_value lwl_to_value(lua_State *L, int index, uint64_t object);
/// Push a value of C; nil for one of no kind that scripts see. @param world  Stack index of the world's
/// userdata.
void lwl_push_value(lua_State *L, int world, const lw_value *value);
/// The key at index: text of 1 to LW_KEY_MAX bytes.
const char *lwl_check_key(lua_State *L, const lwl_at *at, const char *field, int index);

#endif
