/*
** What an agent is given instead: another tree, another profile, other costs.
*/
#include "agent.h"
#include "profile_layers.h"
#include "tree.h"

/// The agent at index 1 holds the tree of the box, nil for none, on top of the stack, which is popped. The one that it
/// runs stays held until it is aborted.
static void hold_tree(lua_State *L, const lwl_self *me) {
  lwl_hold *hold = me->agent->hold;
  const lwl_box *box = lua_touserdata(L, -1);
  lua_getiuservalue(L, 1, LWL_AGENT_TREE);
  if (me->agent->tree == lw_agent_tree(me->world, me->id)) {
    lua_setiuservalue(L, 1, LWL_AGENT_OLD_TREE);
    lwl_release(hold->old_tree);
    hold->old_tree = hold->tree;
  } else { /* it was set, but has not begun */
    lua_pop(L, 1);
    lwl_release(hold->tree);
  }
  me->agent->tree = box ? box->object : NULL;
  hold->tree = box ? lwl_retain(box->shared) : NULL;
  lua_setiuservalue(L, 1, LWL_AGENT_TREE);
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
  hold_tree(L, &me);
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
  if (me->box->inside > 0)
    me->box->has_new_profiles = true;
  else
    lwl_adopt_profile(L, me->box, me->index, me->agent->hold);
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
