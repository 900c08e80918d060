/*
** Behaviour trees by name: files along the roots, and what scripts define.
*/
#include "scripts.h"

// --- by name -------------------------------------------------------------------------------------------------

/// For a name and the roots.
#define LOOKED "looked for behaviors/trees/%s.lua in %s"

static void keep(lua_State *L, const char *name) {
  lwl_push_registry(L, LWL_REG_TREES);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

const char *lwl_find_tree(lua_State *L, const char *name) {
  if (!lwl_is_file_name(name)) return NULL;
  return lwl_find_file(L, lua_pushfstring(L, "behaviors/trees/%s.lua", name));
}

lwl_box *lwl_push_tree_of_file(lua_State *L, const char *file, const char *name) {
  const char *key = lua_pushfstring(L, LWL_TREE_KEY "%s", name);
  const int bottom = lua_gettop(L);
  if (lwl_load_script(L, file) != LUA_OK) lua_error(L);
  lua_pushstring(L, name);
  lwl_run_script(L, key, file, 1);
  if (!lua_istable(L, -1)) {
    const char *got = lwl_describe(L, -1);
    lwl_raise(L, lwl_push_end_of_file(L, file), "result is %s, expected a tree", got);
  }
  lwl_box *box = lwl_push_compiled_tree(L, file, lua_gettop(L), name);
  lwl_note_tree(L, key);
  lua_replace(L, bottom);
  lua_settop(L, bottom);
  return box;
}

lwl_box *lwl_newest_tree(lua_State *L) {
  const int box = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_NEWER_TREES);
  for (;;) {
    lua_pushvalue(L, box);
    if (lua_rawget(L, box + 1) != LUA_TUSERDATA) break;
    lua_replace(L, box);
  }
  lua_settop(L, box);
  return lua_touserdata(L, box);
}

lwl_box *lwl_push_named_tree(lua_State *L, const char *name) {
  const int bottom = lua_gettop(L) + 1;
  lwl_push_registry(L, LWL_REG_TREES);
  if (lua_getfield(L, bottom, name) == LUA_TUSERDATA) {
    lua_replace(L, bottom);
    return lua_touserdata(L, bottom);
  }
  const char *file = lwl_find_tree(L, name);
  if (!file) return lua_settop(L, bottom - 1), NULL;
  lwl_box *box = lwl_push_tree_of_file(L, file, name);
  keep(L, name);
  lua_replace(L, bottom);
  lua_settop(L, bottom);
  return box;
}

const char *lwl_push_no_tree(lua_State *L, const char *name) {
  const char *roots = lwl_push_roots(L);
  return lua_pushfstring(L, "there is no tree '%s'; " LOOKED, name, name, roots);
}

static _Noreturn void raise_unknown(lua_State *L, const char *where, const char *name) {
  lwl_guess guess = {NULL, 0};
  lua_newtable(L);
  const int set = lua_gettop(L);
  lwl_add_file_names(L, "behaviors/trees");
  lwl_push_registry(L, LWL_REG_TREES);
  for (int table = set; table <= set + 1; ++table) {
    lua_pushnil(L);
    while (lua_next(L, table)) {
      lwl_guess_consider(&guess, name, lua_tostring(L, -2));
      lua_pop(L, 1);
    }
  }
  const char *roots = lwl_push_roots(L), *hint = lwl_push_guess(L, &guess);
  lwl_raise(L, where, "tree is '%s', expected the name of a tree; " LOOKED "%s", name, name, roots, hint);
}

lwl_box *lwl_push_tree(lua_State *L, const char *where, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
  case LUA_TSTRING: {
    const char *name = lwl_check_text(L, &(lwl_at){where, ""}, "tree", "the name of a tree", index);
    lwl_box *box = lwl_push_named_tree(L, name);
    if (!box) raise_unknown(L, where, name);
    return box;
  }
  case LUA_TTABLE: {
    lwl_box *box = lwl_push_compiled_tree(L, lua_pushfstring(L, "%s: tree", where), index, NULL);
    lua_remove(L, -2);
    return box;
  }
  default: break;
  }
  lwl_box *box = lwl_test_box(L, index, LWL_TREE);
  if (!box) lwl_raise_expected(L, &(lwl_at){where, ""}, "tree", "a name, a tree or its description", index);
  lua_pushvalue(L, index);
  return lwl_newest_tree(L);
}

/*
** leeward.tree(name) --> tree | nil, message, code
** leeward.tree(name, description | tree) --> tree
*/
static int tree(lua_State *L) {
  const char *name = lwl_check_name(L, "tree", 1);
  if (lua_isnoneornil(L, 2)) {
    if (lwl_push_named_tree(L, name)) return 1;
    return lwl_fail(L, LW_NOT_FOUND, lwl_push_no_tree(L, name));
  }
  if (lwl_test_box(L, 2, LWL_TREE)) {
    lua_pushvalue(L, 2);
  } else {
    lwl_check_table(L, "tree", 2);
    lwl_push_compiled_tree(L, lua_pushfstring(L, "tree '%s'", name), 2, name);
  }
  keep(L, name);
  return 1;
}

static int tree_name(lua_State *L) {
  lua_pushstring(L, lw_tree_name(lwl_check_box(L, 1, LWL_TREE, "name")->object));
  return 1;
}

static const luaL_Reg methods[] = {{"name", tree_name}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {
    {"tree", tree}, {"loading", lwl_loading}, {"node_source", lwl_node_source}, {NULL, NULL}};

/// Let the keys of the table be weak.
static void weaken(lua_State *L, lwl_registry table) {
  lwl_push_registry(L, table);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

void lwl_open_tree(lua_State *L) {
  weaken(L, LWL_REG_NEWER_TREES);
  weaken(L, LWL_REG_SOURCES);
  lwl_new_type(L, LWL_TREE, methods, meta, NULL);
  lwl_set_functions(L, functions, NULL);
}
