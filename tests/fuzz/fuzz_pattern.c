/* A pattern of a material rule is refused, or says of a text what string.find says. An input is a pattern, a form feed, and
   a text. Inputs are short, since string.find may go back as often as it likes. */
#include "fuzz.h"

#include "../../bindings/lua/pattern.h"

#include <lualib.h>

#include <string.h>

#define PATTERN_MAX 12
#define TEXT_MAX 24
#define STEPS 100000

static int find(lua_State *L) {
  const lwl_at at = {"pattern", ""};
  const char *pattern = lua_tostring(L, 1), *text = lua_tostring(L, 2);
  uint64_t rows[4096];
  int64_t steps = STEPS;
  if (lwl_match_rows_size(text) > sizeof rows) return 0;
  const lwl_pattern *compiled = lwl_push_pattern(L, &at, pattern);
  const bool found = lwl_match_pattern(compiled, text, rows, &steps);
  if (steps <= 0) fuzz_fail("'%s' takes more than %d steps on '%s'", pattern, STEPS, text);
  lua_getglobal(L, "string");
  lua_getfield(L, -1, "find");
  lua_pushstring(L, text);
  lua_pushstring(L, pattern);
  lua_call(L, 2, 1);
  if (lua_toboolean(L, -1) != found)
    fuzz_fail("'%s' in '%s': %d, string.find says otherwise", pattern, text, found);
  return 0;
}

void fuzz_input(const uint8_t *data, size_t size) {
  static lua_State *L;
  char pattern[PATTERN_MAX + 1] = {0}, text[TEXT_MAX + 1] = {0};
  const uint8_t *feed = memchr(data, '\f', size);
  if (!feed || feed - data > PATTERN_MAX || size - (size_t)(feed - data) - 1 > TEXT_MAX) return;
  if (!L) {
    if (!(L = luaL_newstate())) fuzz_fail("no Lua state");
    luaL_openlibs(L);
  }
  memcpy(pattern, data, (size_t)(feed - data));
  memcpy(text, feed + 1, size - (size_t)(feed - data) - 1);
  lua_pushcfunction(L, find);
  lua_pushstring(L, pattern);
  lua_pushstring(L, text);
  lua_pcall(L, 2, 0, 0);
  lua_settop(L, 0);
}
