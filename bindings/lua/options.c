/*
** Options of leaves, which all agents share that run the tree: proxies that cannot be written, nor the plain tables in
** them. `pairs`, `ipairs`, `#` and the functions of `table` see what they hold; functions of this module read the table
** itself. What has a metatable, and all that is no table, is handed out as it is.
*/
#include "tree.h"

/// Upvalues of the metamethods: the table; the proxies of tables in it, false where it has none; the leaf; and the path
/// from the options to it, "" for these.
enum { TABLE = 1, WITHIN, LEAF, PATH, UPVALUES = PATH };

static void push_proxy(lua_State *L, int table, int leaf, const char *path);

/// Push the path to the key at index of the table with that path.
static const char *push_path(lua_State *L, const char *path, int key) {
  const int top = lua_gettop(L);
  const char *text = luaL_tolstring(L, key, NULL);
  if (lua_type(L, key) == LUA_TSTRING)
    lua_pushfstring(L, "%s%s%s", path, *path ? "." : "", lwl_shown(L, text));
  else
    lua_pushfstring(L, "%s[%s]", path, text);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return lua_tostring(L, -1);
}

/// Is the value at index a table without a metatable?
static bool is_plain(lua_State *L, int index) {
  if (!lua_istable(L, index)) return false;
  const bool has_metatable = lua_getmetatable(L, index);
  if (has_metatable) lua_pop(L, 1);
  return !has_metatable;
}

/// Put the proxy of the plain table on top of the stack, which has the key at index, in its place.
static void replace_by_proxy(lua_State *L, int key) {
  if (!lua_toboolean(L, lua_upvalueindex(WITHIN)) || !is_plain(L, -1)) return;
  const int value = lua_gettop(L);
  lua_pushvalue(L, value);
  if (lua_rawget(L, lua_upvalueindex(WITHIN)) != LUA_TTABLE) {
    const char *path = push_path(L, lua_tostring(L, lua_upvalueindex(PATH)), key);
    push_proxy(L, value, lua_upvalueindex(LEAF), path);
    lua_pushvalue(L, value);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(WITHIN));
  }
  lua_replace(L, value);
  lua_settop(L, value);
}

static int index_option(lua_State *L) {
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(TABLE));
  replace_by_proxy(L, 2);
  return 1;
}

static int refuse_option(lua_State *L) {
  const char *path = lua_tostring(L, lua_upvalueindex(PATH));
  return luaL_error(
      L,
      "the options of '%s' are read-only: they are shared by all agents that run the tree, and %s "
      "belongs into the state or the blackboard",
      lua_tostring(L, lua_upvalueindex(LEAF)),
      *path ? lua_pushfstring(L, "'%s'", push_path(L, path, 2)) : lwl_describe(L, 2));
}

static int next_option(lua_State *L) {
  lua_settop(L, 2);
  if (!lua_next(L, lua_upvalueindex(TABLE))) return lua_pushnil(L), 1;
  replace_by_proxy(L, 2);
  return 2;
}

static int pairs_of_options(lua_State *L) {
  for (int i = 1; i <= UPVALUES; ++i) lua_pushvalue(L, lua_upvalueindex(i));
  lua_pushcclosure(L, next_option, UPVALUES);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int count_options(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, lua_upvalueindex(TABLE)));
  return 1;
}

static bool has_plain_tables(lua_State *L, int table) {
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (!is_plain(L, -1)) continue;
    lua_pop(L, 2);
    return true;
  }
  return false;
}

/// Set the metamethod on top of the stack with the upvalues from `first` on.
static void set_metamethod(lua_State *L, int metatable, int first, const luaL_Reg *method) {
  for (int i = 0; i < UPVALUES; ++i) lua_pushvalue(L, first + i);
  lua_pushcclosure(L, method->func, UPVALUES);
  lua_setfield(L, metatable, method->name);
}

/// Push the proxy of the table at index. @param leaf  Index of its name.
static void push_proxy(lua_State *L, int table, int leaf, const char *path) {
  static const luaL_Reg methods[] = {
      {"__newindex", refuse_option}, {"__pairs", pairs_of_options}, {"__len", count_options}};
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lua_newtable(L);
  const int proxy = lua_gettop(L), metatable = proxy + 1, first = proxy + 2;
  lua_createtable(L, 0, 6);
  lua_pushvalue(L, table);
  const bool is_deep = has_plain_tables(L, first);
  if (is_deep) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  } else {
    lua_pushboolean(L, 0);
  }
  lua_pushvalue(L, leaf);
  lua_pushstring(L, path);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
    set_metamethod(L, metatable, first, &methods[i]);
  if (is_deep) {
    set_metamethod(L, metatable, first, &(luaL_Reg){"__index", index_option});
  } else {
    lua_pushvalue(L, first);
    lua_setfield(L, metatable, "__index");
  }
  lua_pushliteral(L, "options");
  lua_setfield(L, metatable, "__metatable");
  lua_pushvalue(L, first);
  lua_rawsetp(L, metatable, &lwl_proxied_key);
  lua_settop(L, metatable);
  lua_setmetatable(L, proxy);
}

/// Push a copy of the options at index with proxies in the place of plain tables, so that to read one takes no call.
static void push_with_proxies(lua_State *L, int options, int leaf) {
  lua_newtable(L);
  const int copy = lua_gettop(L), key = copy + 1, value = copy + 2;
  for (lua_pushnil(L); lua_next(L, options); lua_settop(L, key)) {
    const char *path = is_plain(L, value) ? push_path(L, "", key) : NULL;
    lua_pushvalue(L, key);
    if (path)
      push_proxy(L, value, leaf, path);
    else
      lua_pushvalue(L, value);
    lua_rawset(L, copy);
  }
}

void lwl_protect_options(lua_State *L, const char *leaf) {
  const int options = lua_gettop(L), name = options + 1, proxy = options + 3;
  lua_pushstring(L, leaf);
  push_with_proxies(L, options, name);
  push_proxy(L, proxy - 1, name, "");
  lua_getmetatable(L, proxy);
  lua_pushvalue(L, options);
  lua_rawsetp(L, -2, &lwl_proxied_key);
  lua_settop(L, proxy);
  lua_replace(L, options);
  lua_settop(L, options);
}
