/*
** Lines of files: the one that a file of a tree or node is at while it is loaded, and places of nodes. Where a file ends
** in `return behaviors.sequence { ... }`, a tail call, Lua itself no longer knows the caller; a line hook does.
*/
#include "tree.h"

#include <string.h>

static const char loading_key = 'l';

typedef struct loading {
  char source[LUA_IDSIZE]; ///< Of the file's chunk, as messages show it.
  int line;                ///< 0: none is loaded.
  int last;                ///< Of the file that was loaded last: where it returned. 0: that is not known.
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
    loading *at = current(L);
    lua_call(L, arguments, results);
    if (at) at->last = 0;
    return;
  }
  const loading outer = begin(L, lua_gettop(L) - arguments);
  lua_sethook(L, note_line, LUA_MASKLINE, 0);
  const int status = lua_pcall(L, arguments, results, 0);
  if (!hook) lua_sethook(L, NULL, 0, 0);
  loading *at = current(L);
  const int last = at->line;
  *at = outer;
  at->last = last;
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

const char *lwl_push_end_of_file(lua_State *L, const char *file) {
  const loading *at = current(L);
  return at && at->last > 0 ? lua_pushfstring(L, "%s:%d", file, at->last) : lua_pushstring(L, file);
}

// --- places --------------------------------------------------------------------------------------------------

/// @return The end of the "FILE:LINE" that the text begins with, behind which it ends or has ": ". NULL: none.
static const char *end_of_place(const char *text) {
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const size_t digits = strspn(colon + 1, "0123456789");
    const char *end = colon + 1 + digits;
    if (digits > 0 && (!*end || (end[0] == ':' && end[1] == ' '))) return end;
  }
  return NULL;
}

bool lwl_push_source(lua_State *L, int node) {
  node = lua_absindex(L, node);
  lwl_push_registry(L, LWL_REG_SOURCES);
  lua_pushvalue(L, node);
  const bool is_known = lua_rawget(L, -2) == LUA_TSTRING;
  lua_remove(L, -2);
  if (!is_known) lua_pop(L, 1);
  return is_known;
}

void lwl_set_source(lua_State *L, int node) {
  node = lua_absindex(L, node);
  lwl_push_registry(L, LWL_REG_SOURCES);
  lua_pushvalue(L, node);
  lua_rotate(L, -3, -1); /* registry, node, place */
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/// Is it a frame of C, or of a file whose chunk the set at index has?
static bool is_of_builder(lua_State *L, const lua_Debug *frame, int builders) {
  if (frame->what[0] == 'C') return true;
  lua_pushstring(L, frame->source);
  const bool is_it = lua_rawget(L, builders) != LUA_TNIL;
  lua_pop(L, 1);
  return is_it;
}

/// Push the "FILE:LINE" at which a script calls what builds a node. @return false: it is not known, and not pushed.
static bool push_caller(lua_State *L, int builders) {
  lua_Debug frame;
  bool is_tail_call = false, is_found = false;
  for (int level = 0; lua_getstack(L, level, &frame); ++level) {
    lua_getinfo(L, "St", &frame);
    if (is_of_builder(L, &frame, builders)) {
      if (frame.what[0] != 'C') is_tail_call = frame.istailcall;
      continue;
    }
    is_found = lua_getinfo(L, "l", &frame) && frame.currentline > 0;
    break;
  }
  const loading *at = is_tail_call ? current(L) : NULL; /* then the frame is that of the caller's caller */
  if (at && at->line > 0)
    lua_pushfstring(L, "%s:%d", at->source, at->line);
  else if (is_found)
    lua_pushfstring(L, "%s:%d", frame.short_src, frame.currentline);
  else
    return false;
  return true;
}

/*
** leeward.node_source(node [, builders]) --> "FILE:LINE" | nil
*/
int lwl_node_source(lua_State *L) {
  lwl_check_table(L, "node_source", 1);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) return lwl_push_source(L, 1) ? 1 : 0;
  if (!lua_istable(L, 2)) lwl_raise_expected(L, &(lwl_at){"node_source", ""}, "builders", "a set of chunks", 2);
  if (!push_caller(L, 2)) return 0;
  lua_pushvalue(L, 3);
  lwl_set_source(L, 1);
  return 1;
}

/// Is it the name of the file, which Lua shortens at its beginning?
static bool is_name_of(const char *file, const char *name, size_t length) {
  const size_t whole = strlen(file);
  if (whole == length && memcmp(file, name, length) == 0) return true;
  if (length < 3 || memcmp(name, "...", 3) != 0) return false;
  return whole >= length - 3 && memcmp(file + whole - (length - 3), name + 3, length - 3) == 0;
}

const char *lwl_push_place(lua_State *L, const char *where, const char *source) {
  const char *line = strrchr(source, ':');
  if (line && is_name_of(where, source, (size_t)(line - source)))
    return lua_pushfstring(L, "%s%s", where, line);
  return lua_pushfstring(L, "%s: %s", where, source);
}

void lwl_raise_invalid_tree(lua_State *L, const char *where, const char *text) {
  const char *end = end_of_place(text);
  if (end && *end == ':') {
    lua_pushlstring(L, text, (size_t)(end - text));
    where = lwl_push_place(L, where, lua_tostring(L, -1));
    text = end + 2;
  }
  lwl_raise(L, where, "%s", text);
}
