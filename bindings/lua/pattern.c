/*
** Patterns: whether the pattern of a material rule is a Lua pattern that some name in lower case can match. string.find
** reports a mistake only when a match reaches it, so each item of the pattern is tried by itself.
*/
#include "lwl.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/// MAXCCALLS of lstrlib.c: how deep a match may recurse.
enum { DEPTH_MAX = 200 };

/// The length of the set [...] at `set`, also of a set without an end.
static size_t set_length(const char *set) {
  const char *p = set + 1 + (set[1] == '^');
  do {
    if (*p == '\0') return (size_t)(p - set);
    if (*p++ == '%' && *p != '\0') ++p;
  } while (*p != ']');
  return (size_t)(p - set) + 1;
}

/// The length of the item at `item` without its repetition, also of an item that is cut short.
static size_t item_length(const char *item) {
  if (*item == '[') return set_length(item);
  if (*item != '%' || item[1] == '\0') return 1;
  if (item[1] == 'f' && item[2] == '[') return 2 + set_length(item + 2);
  if (item[1] == 'b' && item[2] != '\0') return item[3] != '\0' ? 4 : 3;
  return 2;
}

/// Push what string.find(subject, pattern) returns first, or its error. @return Whether it raised none.
static bool find(lua_State *L, const char *subject, const char *pattern, size_t length) {
  lua_pushstring(L, subject);
  lua_getfield(L, -1, "find"); /* strings have their methods by metatable */
  lua_insert(L, -2);
  lua_pushlstring(L, pattern, length);
  return lua_pcall(L, 2, 1, 0) == LUA_OK;
}

/// Raise unless Lua accepts that part of the pattern. Pushes what string.find returns for it.
static void check_part(lua_State *L, const lwl_at *at, const char *pattern, const char *part, size_t length) {
  char lower[UCHAR_MAX + 1]; /* every character that a name in lower case may have */
  int end = 0;
  for (int c = 1; c <= UCHAR_MAX; ++c)
    if (!isupper(c)) lower[end++] = (char)c;
  lower[end] = '\0';
  if (!find(L, lower, part, length))
    lwl_raise_at(L, at, "pattern", "is '%s', expected a Lua pattern: %s", pattern, lua_tostring(L, -1));
}

/// Raise unless Lua accepts the item, and some name in lower case has what it asks for.
static void check_item(lua_State *L, const lwl_at *at, const char *pattern, const char *item, size_t length) {
  check_part(L, at, pattern, item, length);
  bool is_possible = lua_toboolean(L, -1);
  if (item[0] == '%' && item[1] == 'b')
    is_possible = !isupper((unsigned char)item[2]) && !isupper((unsigned char)item[3]);
  if (!is_possible)
    lwl_raise_at(L, at, "pattern", "is '%s', expected a pattern that a name in lower case can match", pattern);
  lua_pop(L, 1);
}

/// Whether `*`, `+`, `-` and `?` after the item repeat it. After others they stand for themselves.
static bool may_repeat(const char *item) {
  return item[0] != '%' || !(item[1] == 'b' || item[1] == 'f' || isdigit((unsigned char)item[1]));
}

/// Append a parenthesis, and after one that does not make a position capture an item, so that it stays what it is.
static void add_parenthesis(luaL_Buffer *captures, const char *p) {
  luaL_addchar(captures, *p);
  if (*p == '(' && p[1] != ')') luaL_addstring(captures, "a*");
}

/// Push the pattern's captures and references to them, without the other items, which it checks.
static void push_captures(lua_State *L, const lwl_at *at, const char *pattern) {
  int depth = 1;
  luaL_Buffer captures;
  luaL_buffinit(L, &captures);
  luaL_addchar(&captures, '^'); /* a pattern without special characters, such as ")", would be plain text */
  for (const char *p = pattern + (*pattern == '^'); *p != '\0' && strcmp(p, "$") != 0;) {
    const size_t length = item_length(p);
    const bool is_parenthesis = *p == '(' || *p == ')',
               is_reference = *p == '%' && isdigit((unsigned char)p[1]);
    const char repetition = !is_parenthesis && may_repeat(p) ? p[length] : '\0';
    const bool is_repeated = repetition != '\0' && strchr("*+-?", repetition);
    if (is_parenthesis)
      add_parenthesis(&captures, p);
    else if (is_reference)
      luaL_addlstring(&captures, p, length);
    else if (!is_repeated || repetition == '+')
      check_item(L, at, pattern, p, length);
    else
      check_part(L, at, pattern, p, length), lua_pop(L, 1);
    depth += is_parenthesis || is_repeated;
    p += length + is_repeated;
  }
  if (depth > DEPTH_MAX)
    lwl_raise_at(L, at, "pattern", "is '%s', expected a Lua pattern: pattern too complex", pattern);
  luaL_pushresult(&captures);
}

void lwl_check_pattern(lua_State *L, const lwl_at *at, const char *pattern) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  push_captures(L, at, pattern);
  check_part(L, at, pattern, lua_tostring(L, -1), lua_rawlen(L, -1));
  lua_settop(L, top);
}
