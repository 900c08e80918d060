/// Arguments from Lua, checked. Everything that is wrong raises at the caller's line.
#ifndef LEEWARD_SDL_OPTIONS_H
#define LEEWARD_SDL_OPTIONS_H

#include <lauxlib.h>
#include <lua.h>

#include "chart.h"

/// The table at `index` holds no key but those of the NULL-terminated list.
void options_check_keys(lua_State *L, const char *where, int index, const char *const *keys);
/// @return The string, borrowed from the table; NULL: absent. It is pushed either way.
const char *options_string(lua_State *L, const char *where, int index, const char *key);
/// @return `fallback` when absent.
int options_int(lua_State *L, const char *where, int index, const char *key, int min, int max, int fallback);
double options_seconds(lua_State *L, const char *where, int index, const char *key);
/// Set what the chart borrows: world or navmesh, geometry, title, layers. Pushes what must stay alive.
void options_chart(lua_State *L, const char *where, int index, chart *c);

/// The first member of all userdata of the module leeward: NULL once destroyed.
typedef struct options_box {
  void *object;
} options_box;
/// Push table[key] of that type. @return NULL: absent.
const options_box *options_object(lua_State *L, const char *where, int index, const char *key,
                                  const char *type);

/// Return nil, message, code.
int options_fail(lua_State *L, const char *code, const char *format, ...);

#endif
