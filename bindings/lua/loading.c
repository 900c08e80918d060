/*
** The line that a file of a tree or node is at while it is loaded. Where it ends in `return behaviors.sequence { ... }`,
** a tail call, Lua itself no longer knows the caller; a line hook does.
*/
#include "tree.h"

#include <string.h>

static const char loading_key = 'l';

typedef struct loading {
  char source[LUA_IDSIZE]; ///< Of the file's chunk, as messages show it.
  int line;                ///< 0: none is loaded.
} loading;

static loading *current(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &loading_key);
  loading *at = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return at;
}

static void note_line(lua_State *L, lua_Debug *frame) {
  loading *at = current(L);
  if (!at) return;
  lua_getinfo(L, "S", frame);
  if (frame->what[0] == 'm' && strcmp(frame->short_src, at->source) == 0) at->line = frame->currentline;
}

/// With the chunk below its arguments: note the file.
static loading begin(lua_State *L, int chunk) {
  loading *at = current(L);
  if (!at) {
    at = lua_newuserdatauv(L, sizeof *at, 0);
    *at = (loading){.line = 0};
    lua_rawsetp(L, LUA_REGISTRYINDEX, &loading_key);
  }
  const loading outer = *at;
  lua_Debug info;
  lua_pushvalue(L, chunk);
  lua_getinfo(L, ">S", &info);
  strcpy(at->source, info.short_src);
  at->line = info.linedefined;
  return outer;
}

void lwl_call_file(lua_State *L, int arguments, int results) {
  const lua_Hook hook = lua_gethook(L);
  if (hook && hook != note_line) { /* of a debugger, or a budget: it stays */
    lua_call(L, arguments, results);
    return;
  }
  const loading outer = begin(L, lua_gettop(L) - arguments);
  lua_sethook(L, note_line, LUA_MASKLINE, 0);
  const int status = lua_pcall(L, arguments, results, 0);
  if (!hook) lua_sethook(L, NULL, 0, 0);
  *current(L) = outer;
  if (status != LUA_OK) lua_error(L);
}

/*
** leeward.loading() --> "FILE:LINE" of the tree or node file that is being loaded | nil
*/
int lwl_loading(lua_State *L) {
  const loading *at = current(L);
  if (!at || at->line <= 0) return lua_pushnil(L), 1;
  lua_pushfstring(L, "%s:%d", at->source, at->line);
  return 1;
}
