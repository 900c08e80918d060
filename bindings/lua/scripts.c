/*
** Scripts: the files of trees and modules that were run, each with its text and the modules that it needs, so that a
** reload finds those that were edited, and all that is built on them.
**
**   LWL_REG_SCRIPTS: key -> { file =, text =, needs = { [module] = true }, tree = the tree's box }
**
** The key of a module is its name, that of a tree "tree NAME".
*/
#include "scripts.h"

#include "sandbox.h"

#include "core/platform.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1 << 24 }; /* [bytes] */

static const char running_key = 's';

void lwl_push_script_text(lua_State *L, const char *file) {
  FILE *opened;
  uint64_t size = 0;
  size_t count = 0;
  bool good = lwi_file_open(file, &opened, &size) == NULL;
  if (good) lwi_file_close(opened);
  if (!good || size > TEXT_MAX) {
    lua_pushnil(L);
    return;
  }
  void *text = lua_newuserdatauv(L, (size_t)size + 1, 0); /* while no file is open: it may raise */
  good = lwi_file_open(file, &opened, &size) == NULL;
  if (good) {
    good = lwi_file_get(opened, text, lua_rawlen(L, -1) - 1, &count) == NULL;
    lwi_file_close(opened);
  }
  if (good)
    lua_pushlstring(L, text, count);
  else
    lua_pushnil(L);
  lua_remove(L, -2);
}

/// require(name): notes that the script that runs needs the module. Upvalue: the function that it stands for.
static int note_require(lua_State *L) {
  const int arguments = lua_gettop(L);
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawgetp(L, LUA_REGISTRYINDEX, &running_key) == LUA_TTABLE) {
    lua_getfield(L, -1, "needs");
    lua_pushvalue(L, 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  lua_settop(L, arguments);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, arguments, LUA_MULTRET);
  return lua_gettop(L);
}

/// Put note_require() in the place of the global `require`. @return Whether it was another function.
static bool replace_require(lua_State *L) {
  lua_getglobal(L, "require");
  if (!lua_isfunction(L, -1) || lua_tocfunction(L, -1) == note_require) return lua_pop(L, 1), false;
  lua_pushcclosure(L, note_require, 1);
  lua_setglobal(L, "require");
  return true;
}

static void restore_require(lua_State *L) {
  lua_getglobal(L, "require");
  if (lua_tocfunction(L, -1) == note_require && lua_getupvalue(L, -1, 1)) lua_setglobal(L, "require");
  lua_pop(L, 1);
}

int lwl_load_script(lua_State *L, const char *file) {
  lwl_push_script_text(L, file);
  size_t length = 0;
  const char *text = lua_tolstring(L, -1, &length);
  if (!text) return lua_pushfstring(L, "cannot read %s", file), LUA_ERRFILE;
  const char *end = text + length;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3;
  if (text < end && *text == '#') /* a line for the shell; lines keep their numbers */
    while (text < end && *text != '\n') ++text;
  const int status = luaL_loadbufferx(L, text, (size_t)(end - text), lua_pushfstring(L, "@%s", file), "t");
  lua_remove(L, -2);
  return status;
}

/// Push a new record of the file with the text at index, and let it be the one that runs. @return Stack index of the
/// record that ran.
static int begin(lua_State *L, const char *file, int text) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &running_key);
  lua_createtable(L, 0, 4);
  lua_pushstring(L, file);
  lua_setfield(L, -2, "file");
  lua_pushvalue(L, text);
  lua_setfield(L, -2, "text");
  lua_newtable(L);
  lua_setfield(L, -2, "needs");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
  return lua_gettop(L) - 1;
}

/// In protected mode: call the chunk with the other arguments. Arguments: chunk, ...
static int call_chunk(lua_State *L) {
  lwl_call_file(L, lua_gettop(L) - 1, 1);
  return 1;
}

void lwl_run_script(lua_State *L, const char *key, const char *file, int arguments) {
  const int chunk = lua_gettop(L) - arguments, text = chunk - 1;
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  const int outer = begin(L, file, text), record = outer + 1;
  const bool replaced = replace_require(L);
  lua_pushcfunction(L, call_chunk);
  for (int i = 0; i <= arguments; ++i) lua_pushvalue(L, chunk + i);
  lwl_calls *calls = lwl_get_calls(L);
  lwl_sandbox *sandbox = lwl_leave_sandbox(L, calls);
  const bool good = lua_pcall(L, arguments + 1, 1, 0) == LUA_OK;
  if (sandbox) lwl_set_sandbox(L, calls, sandbox);
  if (replaced) restore_require(L);
  lua_pushvalue(L, outer);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
  if (!good) lua_error(L);
  lwl_push_registry(L, LWL_REG_SCRIPTS);
  lua_pushvalue(L, record);
  lua_setfield(L, -2, key);
  lua_pop(L, 1);
  lua_replace(L, text);
  lua_settop(L, text);
}

void lwl_note_tree(lua_State *L, const char *key) {
  const int box = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_SCRIPTS);
  if (lua_getfield(L, -1, key) == LUA_TTABLE) {
    lua_pushvalue(L, box);
    lua_setfield(L, -2, "tree");
  }
  lua_settop(L, box);
}
