/*
** What an agent is given instead: another tree, another profile.
*/
#include "agent.h"
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

/*
** agent:set_profile(name | table)
** At once; inside of a step, when that ends.
*/
static int set_profile(lua_State *L) {
  const lwl_at at = {"set_profile", ""};
  lua_settop(L, 2);
  lwl_check_self(L, at.where);
  lua_settop(L, 2);
  lua_getiuservalue(L, 1, LWL_AGENT_RECIPE);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 3);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, 4);
  }
  if (lua_isnil(L, 2)) lwl_raise_missing(L, &at, "profile", "the name of a profile or a table");
  lua_pushvalue(L, 2);
  lua_setfield(L, 4, "profile");
  lwl_push_profile(L, &at, 4); /* raises where it is wrong */
  lwl_self me = lwl_check_self(L, at.where);
  lwl_push_recipe(L, 4);
  lua_setiuservalue(L, 1, LWL_AGENT_RECIPE);
  if (me.box->inside > 0)
    me.box->has_new_profiles = true;
  else
    lwl_adopt_profile(L, me.box, me.index, me.agent->hold);
  return 0;
}

const luaL_Reg lwl_mind_agent_methods[] = {{"set_tree", set_tree}, {"set_profile", set_profile}, {NULL, NULL}};
