/*
** What an agent is given instead: another tree, another profile, other costs.
*/
#include "agent.h"
#include "profile_layers.h"
#include "scripts.h"

/// The agent at index holds the tree of the box, nil for none, on top of the stack, which is popped. The one that it
/// runs stays held until it is aborted.
static void hold_tree(lua_State *L, int index, const lw_world *world) {
  lwl_agent *agent = lua_touserdata(L, index);
  lwl_hold *hold = agent->hold;
  const lwl_box *box = lua_touserdata(L, -1);
  lua_getiuservalue(L, index, LWL_AGENT_WORLD);
  ((lwl_world *)lua_touserdata(L, -1))->leaves_of = NULL; /* a new tree may have the address of one that goes */
  lua_pop(L, 1);
  lua_getiuservalue(L, index, LWL_AGENT_TREE);
  if (agent->tree == lw_agent_tree(world, agent->id)) {
    lua_setiuservalue(L, index, LWL_AGENT_OLD_TREE);
    lwl_release(hold->old_tree);
    hold->old_tree = hold->tree;
  } else { /* it was set, but has not begun */
    lua_pop(L, 1);
    lwl_release(hold->tree);
  }
  agent->tree = box ? box->object : NULL;
  hold->tree = box ? lwl_retain(box->shared) : NULL;
  lua_setiuservalue(L, index, LWL_AGENT_TREE);
}

/*
** agent:set_tree(name | tree | description | nil)
*/
static int set_tree(lua_State *L) {
  lua_settop(L, 2);
  lwl_check_self(L, "set_tree");
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    lwl_push_tree(L, "set_tree", 2);
    lua_replace(L, 2);
  }
  lwl_self me = lwl_check_self(L, "set_tree"); /* a tree's file is Lua: the world may be gone */
  if (!me.agent->hold || me.agent->pending_removal) return 0;
  const lwl_box *box = lua_touserdata(L, 2);
  lua_pushvalue(L, 2);
  hold_tree(L, 1, me.world);
  lwl_enter(me.box, L);
  const lw_status status = lw_agent_set_tree(me.world, me.id, box ? box->object : NULL);
  lwl_leave(me.box);
  lwl_forget_gone(L, me.box, me.index);
  if (status == LW_OUT_OF_MEMORY) lwl_raise(L, "set_tree", "%s", lw_status_text(status));
  return 0;
}

/// Merge the checked table of costs at index into `cost` of the recipe at index.
static void add_costs(lua_State *L, int recipe, int costs) {
  if (lwl_get(L, recipe, "cost") != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, recipe, "cost");
  }
  lwl_merge_profile(L, -1, costs);
  lua_pop(L, 1);
}

/// Check `cost` of the options at index, and merge it into the recipe.
static void add_asked_costs(lua_State *L, const lwl_at *at, int recipe, int options) {
  const int top = lua_gettop(L);
  if (lwl_get(L, options, "cost") != LUA_TNIL) {
    if (!lua_istable(L, -1)) lwl_raise_expected(L, at, "cost", "a table", -1);
    const lwl_at inside = {at->where, lua_pushfstring(L, "%scost.", at->prefix)};
    lwl_copy_profile(L, &inside, top + 1, lwl_cost_keys);
    add_costs(L, recipe, lua_gettop(L));
  }
  lua_settop(L, top);
}

void lwl_push_agent_recipe(lua_State *L, const lwl_at *at, int agent, int options) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lua_getiuservalue(L, agent, LWL_AGENT_RECIPE);
  lwl_push_recipe(L, -1);
  lua_remove(L, -2);
  const int recipe = lua_gettop(L);
  if (lua_getiuservalue(L, agent, LWL_AGENT_COST) == LUA_TTABLE) add_costs(L, recipe, recipe + 1);
  lua_settop(L, recipe);
  if (options == 0) return;
  add_asked_costs(L, at, recipe, options);
  static const char *const keys[] = {"avoid", "can_take", NULL};
  for (const char *const *key = keys; *key; ++key) {
    if (lwl_get(L, options, *key) != LUA_TNIL)
      lua_setfield(L, recipe, *key);
    else
      lua_pop(L, 1);
  }
}

/// Give the agent the profile that its recipe says: at once, or when the step ends.
static void adopt_recipe(lua_State *L, const lwl_self *me) {
  if (me->box->inside == 0) {
    lwl_adopt_profile(L, me->box, me->index, me->agent->hold);
  } else if (me->agent->hold) {
    me->agent->hold->has_new_profile = true;
    me->box->has_new_profiles = true;
  }
}

// --- another version of the tree -----------------------------------------------------------------------------

/// Has the leaf with that number, of the tree whose box is at index, a `run`?
static bool has_run(lua_State *L, int box, uint32_t leaf) {
  const int top = lua_gettop(L);
  lua_getiuservalue(L, box, 1);
  const bool has = lua_rawgeti(L, -1, leaf & LWL_LEAF_NUMBER) == LUA_TTABLE &&
                   lua_rawgeti(L, -1, LWL_LEAF_RUN) == LUA_TFUNCTION;
  lua_settop(L, top);
  return has;
}

/// A leaf that has become a coroutine, or is one no more, is another node: its state is of another kind.
static void part_leaves(lua_State *L, int older, int newer, int *nodes) {
  const lw_tree *from = ((lwl_box *)lua_touserdata(L, older))->object;
  const lw_tree *to = ((lwl_box *)lua_touserdata(L, newer))->object;
  lw_node_info a, b;
  for (int i = 0; lw_tree_get_node(to, i, &b) == LW_OK; ++i) {
    if (nodes[i] < 0 || b.kind != LW_LEAF || lw_tree_get_node(from, nodes[i], &a) != LW_OK) continue;
    if (has_run(L, older, a.leaf) != has_run(L, newer, b.leaf)) nodes[i] = -1;
  }
}

/// Let the states of leaves lie in the table at index, with space for them, at the numbers that their nodes have now.
static void move_states(lua_State *L, int agent, int states, const int *nodes, int count) {
  lua_getiuservalue(L, agent, LWL_AGENT_STATES);
  for (int i = 0; i < count; ++i) {
    if (nodes[i] < 0) continue;
    lua_rawgeti(L, -1, nodes[i]);
    lua_rawseti(L, states, i);
  }
  lua_pushvalue(L, states);
  lua_setiuservalue(L, agent, LWL_AGENT_STATES);
  lua_pop(L, 1);
}

void lwl_adopt_tree(lua_State *L, lwl_world *world, int index, lwl_hold *hold) {
  const lw_agent_id id = hold->agent;
  if (!lwl_push_agent(L, index, id)) return;
  const int agent = lua_gettop(L), older = agent + 1, newer = agent + 2;
  if (lua_getiuservalue(L, agent, LWL_AGENT_TREE) != LUA_TUSERDATA) return;
  lua_pushvalue(L, older);
  const lwl_box *box = lwl_newest_tree(L);
  if (lua_rawequal(L, older, newer)) return;
  const lw_tree *tree = box->object;
  const int count = lw_tree_node_count(tree);
  int *nodes = lua_newuserdatauv(L, (size_t)count * sizeof *nodes, 0);
  lua_createtable(L, count, 1);
  const int states = lua_gettop(L);
  if (!world->box.object) return; /* a finaliser destroyed it; none runs from here on, but in leaves */
  lw_status status = lw_tree_match(lw_agent_tree(lwl_c_world(world), id), tree, nodes);
  if (status == LW_OK) {
    part_leaves(L, older, newer, nodes);
    lua_pushvalue(L, newer);
    hold_tree(L, agent, lwl_c_world(world));
    status = lw_agent_replace_tree(lwl_c_world(world), id, tree, nodes);
  }
  if (!world->box.object) return; /* a leaf that was stopped destroyed it */
  if (status == LW_OK) {
    if (lw_agent_tree(lwl_c_world(world), id) == tree) move_states(L, agent, states, nodes, count);
    return;
  }
  lw_world_log(lwl_c_world(world), LW_LOG_ERROR, "agent %s keeps its tree: %s", LWL_ID_NAME(id),
               lw_status_text(status));
  if (lua_getiuservalue(L, agent, LWL_AGENT_TREE) && !lua_rawequal(L, -1, older)) {
    lua_pushvalue(L, older);
    hold_tree(L, agent, lwl_c_world(world));
  }
}

/*
** agent:set_profile(name | table)
** At once; inside of a step, when that ends.
*/
static int set_profile(lua_State *L) {
  const lwl_at at = {"set_profile", ""};
  lua_settop(L, 2);
  lwl_check_self(L, at.where);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) lwl_raise_missing(L, &at, "profile", "the name of a profile or a table");
  lwl_push_agent_recipe(L, &at, 1, 0);
  lua_pushvalue(L, 2);
  lua_setfield(L, 3, "profile");
  lwl_push_profile(L, &at, 3); /* raises where it is wrong */
  lua_getiuservalue(L, 1, LWL_AGENT_RECIPE);
  lwl_push_recipe(L, -1);
  lwl_push_copy(L, 2);
  lua_setfield(L, -2, "profile");
  lwl_self me = lwl_check_self(L, at.where);
  lua_pushvalue(L, 6);
  lua_setiuservalue(L, 1, LWL_AGENT_RECIPE);
  adopt_recipe(L, &me);
  return 0;
}

/*
** agent:set_cost(costs | nil)
** At once; inside of a step, when that ends.
*/
static int set_cost(lua_State *L) {
  const lwl_at at = {"set_cost", ""};
  lua_settop(L, 2);
  lwl_check_self(L, at.where);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_pushnil(L);
  } else {
    lwl_check_table(L, at.where, 2);
    lwl_copy_profile(L, &at, 2, lwl_cost_keys);
  }
  const lwl_self me = lwl_check_self(L, at.where);
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, 1, LWL_AGENT_COST);
  adopt_recipe(L, &me);
  return 0;
}

const luaL_Reg lwl_mind_agent_methods[] = {
    {"set_tree", set_tree}, {"set_profile", set_profile}, {"set_cost", set_cost}, {NULL, NULL}};
