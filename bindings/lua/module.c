/*
** Modules: how `require` finds behaviours and scripts.
*/
#include "scripts.h"

#include <string.h>

/// Whether `require` looks for the module along the roots. The program loads the modules below scripts.cli from
/// the folder of its main script, so that they are all of one version.
static bool is_along_roots(const char *name) {
  if (strncmp(name, "scripts.cli.", 12) == 0) return false;
  return strcmp(name, "behaviors") == 0 || strncmp(name, "behaviors.", 10) == 0 ||
         strncmp(name, "scripts.", 8) == 0;
}

static bool is_node(const char *name) {
  return strncmp(name, "behaviors.nodes.", 16) == 0;
}

/// Does package.path lead to the module?
static bool is_in_path(lua_State *L, const char *name) {
  const int top = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  bool found = false;
  if (lua_getfield(L, -1, "package") == LUA_TTABLE && lua_getfield(L, -1, "searchpath") == LUA_TFUNCTION) {
    lua_pushstring(L, name);
    lua_getfield(L, -3, "path");
    found = lua_pcall(L, 2, 1, 0) != LUA_OK || !lua_isnil(L, -1); /* wrong path: `require` says so */
  }
  lua_settop(L, top);
  return found;
}

/// Raise why there is no such node, the text on top of the stack, at the line that calls `require`: in one line, where Lua
/// would list all places that it knows.
static int raise_no_node(lua_State *L, const char *name) {
  lua_Debug frame = {.currentline = -1};
  for (int level = 0; lua_getstack(L, level, &frame); ++level)
    if (lua_getinfo(L, "Sl", &frame) && frame.currentline > 0) break;
  const char *why = lua_tostring(L, -1);
  if (frame.currentline > 0)
    lua_pushfstring(L, "%s:%d: there is no node '%s': %s", frame.short_src, frame.currentline, name, why);
  else
    lua_pushfstring(L, "there is no node '%s': %s", name, why);
  return lua_error(L);
}

/// Push that no root has the module, and which one in the same folder may be meant.
static void push_not_found(lua_State *L, const char *name, const char *relative) {
  lwl_guess guess = {NULL, 0};
  const char *last = strrchr(name, '.'), *slash = strrchr(relative, '/');
  if (last) {
    const char *folder = lua_pushlstring(L, relative, (size_t)(slash - relative));
    const char *parent = lua_pushlstring(L, name, (size_t)(last + 1 - name));
    lua_newtable(L);
    lwl_add_file_names(L, folder);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lwl_guess_consider(&guess, last + 1, lua_tostring(L, -2));
      lua_pop(L, 1);
    }
    if (guess.name) guess.name = lua_pushfstring(L, "%s%s", parent, guess.name);
  }
  const char *roots = lwl_push_roots(L), *hint = lwl_push_guess(L, &guess);
  lua_pushfstring(L, "no file '%s.lua' in %s%s", relative, roots, hint);
}

/// The loader of a module. Upvalues: its file, the text of that, its function. Arguments: the module's name, the file.
static int load_module(lua_State *L) {
  const char *name = luaL_checkstring(L, 1), *file = lua_tostring(L, lua_upvalueindex(1));
  const int arguments = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_insert(L, 2);
  lwl_run_script(L, name, file, arguments);
  if (lua_isnil(L, -1) && is_node(name)) /* else `require` gives true for it */
    lwl_raise(L, lwl_push_end_of_file(L, file), "the file of a node returns nothing, expected its constructor");
  return 1;
}

const char *lwl_find_module(lua_State *L, const char *name) {
  const char *relative = luaL_gsub(L, name, ".", "/");
  const char *in_folder = lua_pushfstring(L, "%s/init.lua", relative);
  return lwl_find_either(L, lua_pushfstring(L, "%s.lua", relative), in_folder);
}

/*
** package.searchers[2](name) --> loader, file | why the module is not found | nil
** Modules of behaviours and scripts are found along the roots, as trees and profiles are, whatever package.path
** has in front of them.
*/
static int search_module(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (!is_along_roots(name)) return 0;
  const char *file = lwl_find_module(L, name);
  if (!file) {
    push_not_found(L, name, luaL_gsub(L, name, ".", "/"));
    if (is_node(name) && !is_in_path(L, name)) return raise_no_node(L, name);
    return 1;
  }
  lua_pushstring(L, file);
  if (lwl_load_script(L, file) != LUA_OK)
    return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s", name, file, lua_tostring(L, -1));
  lua_pushcclosure(L, load_module, 3);
  lua_pushstring(L, file);
  return 2;
}

/// The searcher stands behind that of package.preload, unless it is there from an earlier `require "leeward"`.
void lwl_add_searcher(lua_State *L) {
  const int top = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "package") == LUA_TTABLE && lua_getfield(L, -1, "searchers") == LUA_TTABLE) {
    const int searchers = lua_gettop(L);
    bool is_there = false;
    const lua_Integer count = (lua_Integer)lua_rawlen(L, searchers);
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, searchers, i);
      is_there = is_there || lua_tocfunction(L, -1) == search_module;
      lua_pop(L, 1);
    }
    for (lua_Integer i = count; i >= 2 && !is_there; --i) {
      lua_rawgeti(L, searchers, i);
      lua_rawseti(L, searchers, i + 1);
    }
    lua_pushcfunction(L, search_module);
    if (!is_there) lua_rawseti(L, searchers, 2);
  }
  lua_settop(L, top);
}
