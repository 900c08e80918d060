/*
** Text: the strings of scripts that C reads, and values as messages show them.
*/
#include "lwl.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *lwl_to_text(lua_State *L, int index) {
  size_t length = 0;
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
  return text && strlen(text) == length ? text : NULL;
}

const char *lwl_push_expected_text(lua_State *L, int index, const char *expected) {
  const bool is_cut = lua_type(L, index) == LUA_TSTRING && !lwl_to_text(L, index);
  return is_cut ? lua_pushfstring(L, "%s without zero bytes", expected) : lua_pushstring(L, expected);
}

const char *lwl_check_text(lua_State *L, const lwl_at *at, const char *key, const char *expected, int index) {
  index = lua_absindex(L, index);
  if (lua_isnone(L, index)) lua_settop(L, index); /* or what the message pushes would be taken for it */
  const char *text = lwl_to_text(L, index);
  if (!text) lwl_raise_expected(L, at, key, lwl_push_expected_text(L, index, expected), index);
  return text;
}

const char *lwl_push_shown(lua_State *L, int index, size_t bytes) {
  size_t length = 0;
  const char *text = lua_tolstring(L, index, &length);
  const size_t needed = lwi_text_show_bytes(NULL, 0, text, length),
               size = (needed < bytes ? needed : bytes) + 1;
  luaL_Buffer buffer;
  lwi_text_show_bytes(luaL_buffinitsize(L, &buffer, size), size, text, length);
  luaL_pushresultsize(&buffer, strlen(luaL_buffaddr(&buffer)));
  return lua_tostring(L, -1);
}

const char *lwl_shown(lua_State *L, const char *text) {
  lua_pushstring(L, text);
  lwl_push_shown(L, -1, LWL_SHOWN_MAX);
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

// --- values --------------------------------------------------------------------------------------------------

/// Push a table with x, y or z as {x = 1, y = nil, z = 0}. @return Whether it has one of them.
static bool describe_coordinates(lua_State *L, int index) {
  static const char *const names[] = {"x", "y", "z"};
  const int top = lua_gettop(L);
  const char *shown[3];
  bool has = false;
  for (int i = 0; i < 3; ++i) {
    const int type = lwl_get(L, index, names[i]);
    has = has || type != LUA_TNIL;
    shown[i] = type == LUA_TNUMBER ? lwl_describe(L, -1) : luaL_typename(L, -1);
  }
  if (!has) return lua_settop(L, top), false;
  lua_pushfstring(L, "{x = %s, y = %s, z = %s}", shown[0], shown[1], shown[2]);
  return true;
}

/// A short list of numbers and a table with x, y or z as they are written, for points; any other table is "a table".
static const char *describe_table(lua_State *L, int index) {
  const lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  if (length == 0 && describe_coordinates(L, index)) return lua_tostring(L, -1);
  bool is_short = length >= 1 && length <= 4;
  for (lua_Integer i = 1; i <= length && is_short; ++i) {
    is_short = lua_rawgeti(L, index, i) == LUA_TNUMBER;
    lua_pop(L, 1);
  }
  if (!is_short) return lua_pushstring(L, "a table");
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  luaL_addchar(&text, '{');
  for (lua_Integer i = 1; i <= length; ++i) {
    if (i > 1) luaL_addstring(&text, ", ");
    lua_rawgeti(L, index, i);
    luaL_addvalue(&text);
  }
  luaL_addchar(&text, '}');
  luaL_pushresult(&text);
  return lua_tostring(L, -1);
}

const char *lwl_describe(lua_State *L, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    if (isnan(lua_tonumber(L, index))) return lua_pushstring(L, "nan"); /* not "-nan" */
    // A copy, for lua_tostring would change the value in place.
    lua_pushvalue(L, index);
    return lua_tostring(L, -1);
  case LUA_TBOOLEAN: return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
  case LUA_TSTRING: return lua_pushfstring(L, "'%s'", lwl_push_shown(L, index, LWL_SHOWN_MAX));
  default:
    if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING)
      return lua_pushfstring(L, "a %s", lua_tostring(L, -1));
    if (lua_type(L, index) <= LUA_TNIL) return lua_pushstring(L, "nil");
    if (lua_istable(L, index)) return describe_table(L, index);
    return lua_pushfstring(L, "a %s", luaL_typename(L, index));
  }
}

lwl_id_text lwl_id_name(uint32_t slot, unsigned generation) {
  lwl_id_text name;
  const unsigned long number = (unsigned long)slot + 1;
  if (generation > 1)
    snprintf(name.text, sizeof name.text, "%lu.%u", number, generation);
  else
    snprintf(name.text, sizeof name.text, "%lu", number);
  return name;
}
