/*
** Inputs of trees: the keys that a tree expects from outside, kept beside it, and compared with the blackboard that an
** agent is spawned with.
*/
#include "tree.h"

void lwl_push_inputs(lua_State *L, int description) {
  lwl_get(L, description, "inputs");
  if (!lua_istable(L, -1)) return;
  const int inputs = lua_gettop(L);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, inputs);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, inputs + 1);
  }
  lua_replace(L, inputs);
}

void lwl_check_inputs(lua_State *L, const char *where, int tree, int values) {
  const int top = lua_gettop(L);
  const lwl_box *box = lua_touserdata(L, tree);
  if (!box || !lua_istable(L, values) || lua_getiuservalue(L, tree, LWL_TREE_INPUTS) != LUA_TTABLE) {
    lua_settop(L, top);
    return;
  }
  if (lwl_push_ports(L)) {
    const char *name = lw_tree_name(box->object);
    lua_getfield(L, -1, "check_values");
    lua_pushvalue(L, top + 1);
    lua_pushvalue(L, values);
    if (name && *name)
      lua_pushfstring(L, "the tree '%s'", name);
    else
      lua_pushliteral(L, "its tree");
    lua_call(L, 3, 1);
    if (lua_type(L, -1) == LUA_TSTRING) lwl_raise(L, where, "%s", lua_tostring(L, -1));
  }
  lua_settop(L, top);
}
