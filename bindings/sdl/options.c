/// Arguments from Lua, checked.
#include "options.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const struct {
  const char *name;
  lw_draw_layer layer;
} layer_names[] = {{"areas", LW_DRAW_AREAS},      {"edges", LW_DRAW_EDGES},     {"borders", LW_DRAW_BORDERS},
                   {"tiles", LW_DRAW_TILES},      {"paths", LW_DRAW_PATHS},     {"agents", LW_DRAW_AGENTS},
                   {"labels", LW_DRAW_LABELS},    {"links", LW_DRAW_LINKS},     {"cover", LW_DRAW_COVER},
                   {"dangers", LW_DRAW_DANGERS},  {"threats", LW_DRAW_THREATS}, {"exposure", LW_DRAW_EXPOSURE},
                   {"openness", LW_DRAW_OPENNESS}};
#define LAYER_COUNT ((int)(sizeof layer_names / sizeof *layer_names))

int options_fail(lua_State *L, const char *code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lua_pushnil(L);
  lua_pushvfstring(L, format, arguments);
  lua_pushstring(L, code);
  va_end(arguments);
  return 3;
}

/// Levenshtein's distance, or 99 for long words.
static int distance(const char *a, const char *b) {
  int row[32], rows = (int)strlen(a), columns = (int)strlen(b);
  if (rows > 30 || columns > 30) return 99;
  for (int j = 0; j <= columns; j++) row[j] = j;
  for (int i = 1; i <= rows; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= columns; j++) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[columns];
}

/// A better guess than the one so far?
static void consider(const char *wanted, const char *candidate, const char **guess, int *least) {
  int d = distance(wanted, candidate);
  if (d >= *least || 2 * d >= (int)strlen(candidate) + 1) return;
  *guess = candidate;
  *least = d;
}

static void raise_unknown(lua_State *L, const char *where, const char *what, const char *name,
                          const char *guess) {
  lua_pushfstring(L, "%s: unknown %s '%s'.", where, what, name);
  if (guess) lua_pushfstring(L, "%s Did you mean '%s'?", lua_tostring(L, -1), guess);
  luaL_error(L, "%s", lua_tostring(L, -1));
}

static void raise_expected(lua_State *L, const char *where, const char *key, const char *expected, int index) {
  const char *got = luaL_typename(L, index);
  if (lua_isnumber(L, index) || lua_type(L, index) == LUA_TSTRING) got = luaL_tolstring(L, index, NULL);
  luaL_error(L, "%s: '%s' expected %s, got %s", where, key, expected, got);
}

static int get(lua_State *L, int index, const char *key) {
  lua_pushstring(L, key);
  return lua_rawget(L, index);
}

void options_check_keys(lua_State *L, const char *where, int index, const char *const *keys) {
  if (!lua_istable(L, index)) {
    luaL_error(L, "%s: expected a table of options, got %s", where, luaL_typename(L, index));
  }
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) {
      luaL_error(L, "%s: unknown key %s", where, luaL_tolstring(L, -2, NULL));
    }
    const char *name = lua_tostring(L, -2), *guess = NULL;
    bool known = false;
    int least = 4;
    for (int i = 0; keys[i]; i++) {
      known = known || strcmp(name, keys[i]) == 0;
      consider(name, keys[i], &guess, &least);
    }
    if (!known) raise_unknown(L, where, "key", name, guess);
  }
}

const char *options_string(lua_State *L, const char *where, int index, const char *key) {
  int type = get(L, index, key);
  if (type == LUA_TNIL) return NULL;
  if (type != LUA_TSTRING) raise_expected(L, where, key, "a string", -1);
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  if (strlen(text) != length) luaL_error(L, "%s: '%s' expected a string without zero bytes", where, key);
  return text;
}

int options_int(lua_State *L, const char *where, int index, const char *key, int min, int max, int fallback) {
  if (get(L, index, key) == LUA_TNIL) {
    lua_pop(L, 1);
    return fallback;
  }
  int is_integer = 0;
  lua_Integer value = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &is_integer) : 0;
  if (!is_integer || value < min || value > max) {
    raise_expected(L, where, key, lua_pushfstring(L, "an integer in %d..%d", min, max), -2);
  }
  lua_pop(L, 1);
  return (int)value;
}

double options_seconds(lua_State *L, const char *where, int index, const char *key) {
  double value = INFINITY;
  if (get(L, index, key) != LUA_TNIL) {
    value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    if (!(value >= 0) || !isfinite(value)) raise_expected(L, where, key, "a number, at least 0", -1);
  }
  lua_pop(L, 1);
  return value;
}

const options_box *options_object(lua_State *L, const char *where, int index, const char *key,
                                  const char *type) {
  if (get(L, index, key) == LUA_TNIL) return NULL;
  const options_box *box = luaL_testudata(L, -1, type);
  const char *noun = strchr(type, '.') + 1;
  if (!box) raise_expected(L, where, key, lua_pushfstring(L, "a %s", noun), -2);
  if (!box->object) luaL_error(L, "%s: '%s' is a %s that was destroyed", where, key, noun);
  return box;
}

static uint32_t check_layer(lua_State *L, const char *where) {
  if (lua_type(L, -1) != LUA_TSTRING) raise_expected(L, where, "layers", "names of layers", -1);
  const char *name = lua_tostring(L, -1), *guess = NULL;
  int least = 4;
  for (int i = 0; i < LAYER_COUNT; i++) {
    if (strcmp(name, layer_names[i].name) == 0) return (uint32_t)layer_names[i].layer;
    consider(name, layer_names[i].name, &guess, &least);
  }
  raise_unknown(L, where, "layer", name, guess);
  return 0;
}

static uint32_t check_layers(lua_State *L, const char *where, int index) {
  uint32_t layers = 0;
  int type = get(L, index, "layers");
  if (type == LUA_TNIL) layers = LW_DRAW_ALL & ~(uint32_t)(LW_DRAW_TILES | LW_DRAW_OPENNESS);
  if (type != LUA_TNIL && type != LUA_TTABLE) raise_expected(L, where, "layers", "a list of names", -1);
  for (lua_Integer i = 1; type == LUA_TTABLE && i <= (lua_Integer)lua_rawlen(L, -1); i++) {
    lua_rawgeti(L, -1, i);
    layers |= check_layer(L, where);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return layers;
}

/// The agent at `selected`, of the world given. @return 0: absent.
static lw_agent_id check_selected(lua_State *L, const char *where, int index, const chart *c) {
  lw_agent_state state;
  lua_getfield(L, index, "selected");
  if (lua_isnil(L, -1)) return lua_pop(L, 1), 0;
  const lw_agent_id *agent = luaL_testudata(L, -1, "leeward.agent"); /* the id comes first */
  if (!agent) raise_expected(L, where, "selected", "an agent", -1);
  lua_getiuservalue(L, -1, 1);
  lua_getfield(L, index, "world");
  if (!lua_rawequal(L, -1, -2) || lw_agent_get_state(c->world, *agent, &state) != LW_OK)
    luaL_error(L, "%s: 'selected' expected an agent that lives in 'world'", where);
  lua_pop(L, 3);
  return *agent;
}

void options_chart(lua_State *L, const char *where, int index, chart *c) {
  luaL_checkstack(L, 16, where);
  c->layers = check_layers(L, where, index);
  const options_box *world = options_object(L, where, index, "world", "leeward.world");
  const options_box *navmesh = options_object(L, where, index, "navmesh", "leeward.navmesh");
  const options_box *geometry = options_object(L, where, index, "geometry", "leeward.geometry");
  if (!world == !navmesh) luaL_error(L, "%s: expected either 'world' or 'navmesh'", where);
  c->world = world ? world->object : NULL;
  c->navmesh = world ? lw_world_navmesh(c->world) : navmesh->object;
  c->geometry = geometry ? geometry->object : NULL;
  c->ground = true;
  c->selected = check_selected(L, where, index, c);
  c->title = options_string(L, where, index, "title");
}
