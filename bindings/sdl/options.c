/// The options of leeward_sdl's functions.
#include "options.h"

#include <stdarg.h>
#include <string.h>

/// Names of the bits of lw_draw_layer, in their order.
static const struct {
  const char *name;
  lw_draw_layer layer;
} layers[] = {
    {"areas", LW_DRAW_AREAS},       {"edges", LW_DRAW_EDGES},         {"borders", LW_DRAW_BORDERS},
    {"tiles", LW_DRAW_TILES},       {"paths", LW_DRAW_PATHS},         {"agents", LW_DRAW_AGENTS},
    {"labels", LW_DRAW_LABELS},     {"links", LW_DRAW_LINKS},         {"cover", LW_DRAW_COVER},
    {"dangers", LW_DRAW_DANGERS},   {"threats", LW_DRAW_THREATS},     {"exposure", LW_DRAW_EXPOSURE},
    {"openness", LW_DRAW_OPENNESS}, {"obstacles", LW_DRAW_OBSTACLES}, {"cover_map", LW_DRAW_COVER_MAP},
    {"regions", LW_DRAW_REGIONS},   {"whiskers", LW_DRAW_WHISKERS}};
enum { LAYER_COUNT = sizeof layers / sizeof *layers };

int options_fail(lua_State *L, const char *code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  lua_pushnil(L);
  lwl_push_shown(L, -2, LWL_MESSAGE_MAX);
  lua_pushstring(L, code);
  return 3;
}

void options_check_keys(lua_State *L, const lwl_at *at, const char *const *keys) {
  lwl_check_table(L, at->where, 1);
  lwl_check_keys(L, at, 1, keys);
}

const char *options_string(lua_State *L, const lwl_at *at, const char *key) {
  if (lwl_get(L, 1, key) == LUA_TNIL) return NULL;
  const char *text = lwl_to_text(L, -1);
  if (!text) lwl_raise_expected(L, at, key, "a string without zero bytes", -1);
  return text;
}

int options_int(lua_State *L, const lwl_at *at, const char *key, const lw_range *range, int fallback) {
  lua_Integer value = fallback;
  if (lwl_get(L, 1, key) != LUA_TNIL &&
      !lwl_to_integer(L, -1, (lua_Integer)range->min, (lua_Integer)range->max, &value))
    lwl_raise_expected(L, at, key, lwl_push_range(L, range), -2);
  lua_pop(L, 1);
  return (int)value;
}

const lwl_box *options_object(lua_State *L, const lwl_at *at, const char *key, const char *type) {
  if (lwl_get(L, 1, key) == LUA_TNIL) return NULL;
  const lwl_box *box = lwl_test_box(L, -1, type);
  const char *noun = strchr(type, '.') + 1;
  if (!box) lwl_raise_expected(L, at, key, lua_pushfstring(L, "a %s", noun), -2);
  if (!box->object) lwl_raise_at(L, at, key, "is a destroyed %s", noun);
  return box;
}

static uint32_t check_layers(lua_State *L, const lwl_at *at) {
  const char *names[LAYER_COUNT + 1] = {NULL};
  for (int i = 0; i < LAYER_COUNT; i++) names[i] = layers[i].name;
  uint32_t set = 0;
  if (lwl_get(L, 1, "layers") == LUA_TNIL) {
    lua_pop(L, 1);
    return LW_DRAW_ALL & ~(uint32_t)(LW_DRAW_TILES | LW_DRAW_OPENNESS | LW_DRAW_COVER_MAP | LW_DRAW_REGIONS |
                                     LW_DRAW_WHISKERS);
  }
  const lua_Integer count = lwl_check_list(L, at, "layers", lua_gettop(L));
  for (lua_Integer i = 1; i <= count; i++) {
    const char *key = lua_pushfstring(L, "layers[%I]", (LUAI_UACINT)i);
    lua_rawgeti(L, -2, i);
    set |= (uint32_t)layers[lwl_check_choice(L, at, key, -1, names)].layer;
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return set;
}

/// The agent at `selected`, of the chart's world. @return None: the key is absent.
static lw_agent_id check_selected(lua_State *L, const lwl_at *at) {
  if (lwl_get(L, 1, "selected") == LUA_TNIL) return lua_pop(L, 1), lw_agent_id_none();
  const lw_agent_id *agent = luaL_testudata(L, -1, LWL_AGENT); /* the id is its first field */
  if (!agent) lwl_raise_expected(L, at, "selected", "an agent", -1);
  lua_getiuservalue(L, -1, LWL_AGENT_WORLD);
  lwl_get(L, 1, "world");
  if (!lua_rawequal(L, -1, -2)) lwl_raise_expected(L, at, "selected", "an agent that lives in 'world'", -3);
  lua_pop(L, 3);
  return *agent;
}

void options_chart(lua_State *L, const lwl_at *at, chart *c) {
  luaL_checkstack(L, LUA_MINSTACK, at->where);
  c->layers = check_layers(L, at);
  const lwl_box *world = options_object(L, at, "world", LWL_WORLD);
  const lwl_box *navmesh = options_object(L, at, "navmesh", LWL_NAVMESH);
  const lwl_box *geometry = options_object(L, at, "geometry", LWL_GEOMETRY);
  if (world && navmesh) lwl_raise(L, at->where, "world and navmesh are given, expected one of them");
  if (!world && !navmesh) lwl_raise_missing(L, at, "world", "a world, or 'navmesh'");
  c->selected = check_selected(L, at);
  c->title = options_string(L, at, "title");
  // From here on Lua allocates nothing: a finaliser that it runs may destroy the world.
  if (world && !world->object) lwl_raise_at(L, at, "world", "is a destroyed world");
  c->world = world ? world->object : NULL;
  c->navmesh = world ? lw_world_navmesh(c->world) : navmesh->object;
  c->geometry = geometry ? geometry->object : NULL;
  c->ground = true;
  lw_agent_state state;
  if (lw_agent_id_is_none(c->selected) || lw_agent_get_state(c->world, c->selected, &state) == LW_OK) return;
  lwl_get(L, 1, "selected");
  lwl_raise_expected(L, at, "selected", "an agent that lives in 'world'", -1);
}
