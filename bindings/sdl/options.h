/// The options of leeward_sdl's functions. Everything that is wrong raises at the caller's line.
#ifndef LEEWARD_SDL_OPTIONS_H
#define LEEWARD_SDL_OPTIONS_H

#include "lwl.h"

#include "chart.h"

/// Raise unless the table at index 1 has only keys of the NULL-terminated list.
void options_check_keys(lua_State *L, const lwl_at *at, const char *const *keys);
/// Push the string at `key` of the table at index 1. @return NULL: the key is absent; then nil is pushed.
const char *options_string(lua_State *L, const lwl_at *at, const char *key);
/// Read the whole number at `key` of the table at index 1. @return `fallback`: the key is absent.
int options_int(lua_State *L, const lwl_at *at, const char *key, const lw_range *range, int fallback);
/// Push the value at `key` of the table at index 1, a box of that type. @return NULL: the key is absent.
const lwl_box *options_object(lua_State *L, const lwl_at *at, const char *key, const char *type);
/// Set what the chart borrows: world or navmesh, geometry, title, layers, selected. Pushes what must stay
/// alive. What is borrowed of a world is
/// valid until Lua allocates: a finaliser may destroy the world.
void options_chart(lua_State *L, const lwl_at *at, chart *c);

/// Return nil, message, code.
int options_fail(lua_State *L, const char *code, const char *format, ...);

#endif
