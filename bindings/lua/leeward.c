/*
** The module: `require "leeward"`.
*/
#include "drive.h"
#include "goals.h"
#include "lwl.h"
#include "planner.h"
#include "regions.h"
#include "tiles.h"

static const char state_key = 's';
static const char registry_keys[LWL_REG_COUNT];

static lwl_state *find_state(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  lwl_state *state = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return state;
}

lwl_state *lwl_get_state(lua_State *L) {
  lwl_state *state = find_state(L);
  if (!state || !state->areas) luaL_error(L, "leeward: the Lua state is closing");
  return state;
}

void lwl_push_registry(lua_State *L, lwl_registry which) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_keys[which]);
}

void lwl_set_registry(lua_State *L, lwl_registry which) {
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_keys[which]);
}

static void destroy_areas(void *object) {
  lw_area_table_destroy(object);
}

static int state_gc(lua_State *L) {
  lwl_state *state = lua_touserdata(L, 1);
  lwl_shared *areas = state->shared_areas;
  state->areas = NULL;
  state->shared_areas = NULL;
  lwl_release(areas);
  return 0;
}

/// Create the state: the module's first userdata, so that lua_close() finalises it last.
static void create_state(lua_State *L) {
  lwl_state *state = lua_newuserdatauv(L, sizeof *state, 0);
  *state = (lwl_state){0};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  for (int i = 0; i < LWL_REG_COUNT; ++i) {
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_keys[i]);
  }
}

static void create_areas(lua_State *L) {
  lwl_state *state = find_state(L);
  lwl_box *box = lwl_new_box(L, LWL_AREAS, sizeof *box, 0, destroy_areas, NULL);
  lw_area_table *areas = NULL;
  if (lw_area_table_create(NULL, &areas) != LW_OK) luaL_error(L, "not enough memory");
  lwl_fill_box(box, areas);
  state->areas = areas;
  state->shared_areas = lwl_retain(box->shared);
  lua_pop(L, 1);
}

/*
** leeward.suggest(word, words) --> the word of the list that the misspelt one most likely means | nil
*/
static int suggest(lua_State *L) {
  const lwl_at at = {"suggest", ""};
  lua_settop(L, 2);
  const char *word = lwl_check_text(L, &at, "word", "a string", 1);
  const lua_Integer count = lwl_check_list(L, &at, "words", 2);
  lwl_guess guess = {NULL, 0};
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, 2, i);
    const char *candidate = lwl_to_text(L, -1);
    if (!candidate) lwl_raise_item(L, &at, "words", i, lwl_push_expected_text(L, -1, "a string"), -2);
    lwl_guess_consider(&guess, word, candidate);
    lua_pop(L, 1);
  }
  lua_pushstring(L, guess.name);
  return 1;
}

/*
** leeward.shown(text [, bytes]) --> the text as one line without control characters
*/
static int shown(lua_State *L) {
  const lwl_at at = {"shown", ""};
  lua_settop(L, 2);
  if (lua_type(L, 1) != LUA_TSTRING) lwl_raise_expected(L, &at, "text", "a string", 1);
  lua_Integer bytes = LWL_SHOWN_MAX;
  if (!lua_isnil(L, 2) && !lwl_to_integer(L, 2, 8, INT32_MAX, &bytes))
    lwl_raise_expected(L, &at, "bytes", lua_pushfstring(L, "a whole number from 8 to %d", INT32_MAX), 2);
  lwl_push_shown(L, 1, (size_t)bytes);
  return 1;
}

static const luaL_Reg functions[] = {{"shown", shown}, {"suggest", suggest}, {NULL, NULL}};

static void open_types(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
  lwl_new_type(L, LWL_AREAS, none, meta, NULL);
  lwl_open_vec3(L);
  lwl_open_area(L);
  lwl_open_geometry(L);
  lwl_open_navmesh(L);
  lwl_open_import(L);
  lwl_open_bake(L);
  lwl_open_tiles(L);
  lwl_open_planner(L);
  lwl_open_permutation_tiles(L);
  lwl_open_profile(L);
  lwl_open_path(L);
  lwl_open_distance_field(L);
  lwl_open_drive(L);
  lwl_open_route_table(L);
  lwl_open_regions(L);
  lwl_open_region_plan(L);
  lwl_open_explain(L);
  lwl_open_tree(L);
  lwl_open_agent(L);
  lwl_open_blackboard(L);
  lwl_open_save(L);
  lwl_open_timed_region(L);
  lwl_open_group(L);
  lwl_open_threat(L);
  lwl_open_obstacle(L);
  lwl_open_link(L);
  lwl_open_permutation(L);
  lwl_open_cover_points(L);
  lwl_open_world(L);
  lwl_open_roots(L);
  lwl_open_reload(L);
  lwl_open_sandbox(L);
  lwl_set_functions(L, functions, NULL);
}

LW_API int luaopen_leeward(lua_State *L);

/*
** `require` passes the module's name and its file.
*/
int luaopen_leeward(lua_State *L) {
  luaL_checkversion(L);
  const char *file = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  lua_settop(L, 2);
  lua_newtable(L);
  lwl_open_calls(L);
  create_state(L);
  open_types(L);
  create_areas(L);
  lwl_find_roots(L, file);
  lwl_add_searcher(L);
  lwl_load_areas(L);
  lua_pushfstring(L, "%d.%d.%d", LW_VERSION_MAJOR, LW_VERSION_MINOR, LW_VERSION_PATCH);
  lua_setfield(L, -2, "version");
  return 1;
}
