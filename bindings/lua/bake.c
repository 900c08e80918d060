/*
** Bake: settings in, navmesh and report out.
*/
#include "lwl.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

/// A setting that is a number.
typedef struct setting {
  const char *key;
  size_t offset;
  const lwl_range *range;
} setting;

static const lwl_range slope_range = {0, 90, false, "a number from 0 to 90"};

#define SETTING(name, range) #name, offsetof(lw_bake_settings, name), range
static const setting settings[] = {{SETTING(cell_size, &lwl_positive)},
                                   {SETTING(cell_height, &lwl_positive)},
                                   {SETTING(agent_radius, &lwl_not_negative)},
                                   {SETTING(agent_height, &lwl_positive)},
                                   {SETTING(agent_climb, &lwl_not_negative)},
                                   {SETTING(agent_slope, &slope_range)},
                                   {SETTING(tile_size, &lwl_positive)},
                                   {SETTING(min_region_area, &lwl_not_negative)},
                                   {SETTING(merge_region_area, &lwl_not_negative)},
                                   {SETTING(max_edge_error, &lwl_positive)},
                                   {SETTING(max_edge_length, &lwl_not_negative)},
                                   {SETTING(detail_distance, &lwl_not_negative)},
                                   {SETTING(detail_error, &lwl_not_negative)},
                                   {SETTING(exposure_range, &lwl_not_negative)},
                                   {SETTING(swim_depth, &lwl_not_negative)},
                                   {SETTING(pair_range, &lwl_not_negative)}};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

static const char *const keys[] = {"cell_size",
                                   "cell_height",
                                   "agent_radius",
                                   "agent_height",
                                   "agent_climb",
                                   "agent_slope",
                                   "tile_size",
                                   "min_region_area",
                                   "merge_region_area",
                                   "max_edge_error",
                                   "max_edge_length",
                                   "detail_distance",
                                   "detail_error",
                                   "exposure_range",
                                   "swim_depth",
                                   "pair_range",
                                   "bounds",
                                   "threads",
                                   "tiles",
                                   "occluders",
                                   "cover_segments",
                                   "cover_map",
                                   "links",
                                   "progress",
                                   NULL};

/// Of a rebuild: the box says which tiles, and the geometry has its links.
static const char *const rebuild_keys[] = {"cell_size",
                                           "cell_height",
                                           "agent_radius",
                                           "agent_height",
                                           "agent_climb",
                                           "agent_slope",
                                           "tile_size",
                                           "min_region_area",
                                           "merge_region_area",
                                           "max_edge_error",
                                           "max_edge_length",
                                           "detail_distance",
                                           "detail_error",
                                           "exposure_range",
                                           "swim_depth",
                                           "pair_range",
                                           "bounds",
                                           "threads",
                                           "occluders",
                                           "cover_segments",
                                           "cover_map",
                                           "progress",
                                           "box",
                                           NULL};

static float *number_of(lw_bake_settings *values, const setting *which) {
  return (float *)(void *)((char *)values + which->offset);
}

typedef struct progress_call {
  lua_State *L;
  int function, error; ///< Stack indices; the error's slot is filled when one was raised.
  bool raised;
} progress_call;

static bool progress(void *user, int done, int total) {
  progress_call *call = user;
  lua_State *L = call->L;
  if (call->raised) return false;
  lua_pushvalue(L, call->function);
  lua_pushinteger(L, done);
  lua_pushinteger(L, total);
  bool go_on = true;
  if (lua_pcall(L, 2, 1, 0) == LUA_OK) {
    go_on = !(lua_isboolean(L, -1) && !lua_toboolean(L, -1));
  } else {
    call->raised = true;
    lua_pushvalue(L, -1);
    lua_replace(L, call->error);
    go_on = false;
  }
  lua_pop(L, 1);
  return go_on;
}

static void push_bounds(lua_State *L, const lw_box *box) {
  lua_createtable(L, 2, 0);
  lwl_push_vec3(L, box->min);
  lua_rawseti(L, -2, 1);
  lwl_push_vec3(L, box->max);
  lua_rawseti(L, -2, 2);
}

static void push_report(lua_State *L, lw_bake_report *report) {
  lua_createtable(L, 0, 13);
  lua_pushinteger(L, report->tiles);
  lua_setfield(L, -2, "tiles");
  lua_pushinteger(L, report->tiles_total);
  lua_setfield(L, -2, "tiles_total");
  lua_pushinteger(L, report->tiles_empty);
  lua_setfield(L, -2, "tiles_empty");
  lua_pushinteger(L, report->islands_dropped);
  lua_setfield(L, -2, "islands_dropped");
  lua_pushnumber(L, report->tile_seconds);
  lua_setfield(L, -2, "tile_seconds");
  lua_pushnumber(L, report->occluder_seconds);
  lua_setfield(L, -2, "occluder_seconds");
  lua_pushnumber(L, report->exposure_seconds);
  lua_setfield(L, -2, "exposure_seconds");
  lua_pushnumber(L, report->cover_seconds);
  lua_setfield(L, -2, "cover_seconds");
  lua_pushnumber(L, report->cover_map_seconds);
  lua_setfield(L, -2, "cover_map_seconds");
  lua_pushnumber(L, report->pair_seconds);
  lua_setfield(L, -2, "pair_seconds");
  lua_createtable(L, report->notes, 0);
  for (int i = 0; i < report->notes && i < LW_BAKE_NOTES; ++i) {
    lua_pushstring(L, report->note[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "notes");
  lua_createtable(L, 0, SETTING_COUNT + 2);
  for (int i = 0; i < SETTING_COUNT; ++i) {
    lua_pushnumber(L, (lua_Number)*number_of(&report->used, &settings[i]));
    lua_setfield(L, -2, settings[i].key);
  }
  lua_pushinteger(L, report->used.threads);
  lua_setfield(L, -2, "threads");
  push_bounds(L, &report->used.bounds);
  lua_setfield(L, -2, "bounds");
  lua_setfield(L, -2, "used");
}

/// Read settings.tiles = { first, last }, counted from 1.
static void read_tiles(lua_State *L, const lwl_at *at, lw_bake_settings *values) {
  const char *expected = "the first and the last tile, whole numbers from 1 on";
  const int type = lwl_get(L, 2, "tiles"), list = lua_gettop(L);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (type != LUA_TTABLE || lua_rawlen(L, list) != 2) lwl_raise_expected(L, at, "tiles", expected, list);
  lua_Integer ends[2];
  for (int i = 0; i < 2; ++i) {
    int is_integer = 0;
    const bool is_number = lua_rawgeti(L, list, i + 1) == LUA_TNUMBER;
    ends[i] = is_number ? lua_tointegerx(L, -1, &is_integer) : 0;
    if (!is_integer || ends[i] < (i == 0 ? 1 : ends[0]) || ends[i] > INT_MAX)
      lwl_raise_item(L, at, "tiles", i + 1, i == 0 ? "a whole number from 1 on" : "one no less than the first",
                     -1);
  }
  values->tile_first = (int)ends[0] - 1;
  values->tile_count = (int)(ends[1] - ends[0]) + 1;
  lua_settop(L, list - 1);
}

/// Check settings.links, a file's name. @return NULL: there is none. The string belongs to the table.
static const char *read_links(lua_State *L, const lwl_at *at) {
  const char *file = NULL;
  if (!lua_istable(L, 2)) return NULL;
  const int type = lwl_get(L, 2, "links");
  if (type == LUA_TSTRING) file = lua_tostring(L, -1);
  if (type != LUA_TNIL && (!file || strlen(file) != lua_rawlen(L, -1)))
    lwl_raise_expected(L, at, "links", "the name of a gset file", -1);
  lua_pop(L, 1);
  return file;
}

/// Read the settings at index 2; leaves `progress` or nil on the stack.
static lw_bake_settings read_settings(lua_State *L, const char *where, const char *const *known) {
  const lwl_at at = {where, ""};
  lw_bake_settings values = lw_bake_settings_default();
  if (lua_isnoneornil(L, 2)) return lua_pushnil(L), values;
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, known);
  for (int i = 0; i < SETTING_COUNT; ++i)
    lwl_opt_float(L, &at, 2, settings[i].key, settings[i].range, number_of(&values, &settings[i]));
  lwl_opt_bounds(L, &at, 2, "bounds", &values.bounds);
  lwl_opt_int(L, &at, 2, "threads", 0, &values.threads);
  lwl_opt_bool(L, &at, 2, "occluders", &values.occluders);
  lwl_opt_bool(L, &at, 2, "cover_segments", &values.cover_segments);
  lwl_opt_bool(L, &at, 2, "cover_map", &values.cover_map);
  read_tiles(L, &at, &values);
  read_links(L, &at);
  const int type = lwl_get(L, 2, "progress");
  if (type != LUA_TNIL && type != LUA_TFUNCTION) lwl_raise_expected(L, &at, "progress", "a function", -1);
  return values;
}

/// What the file adds is there for this bake alone. @param file  NULL: none.
static lw_status bake_with_links(lua_State *L, lwl_box *geometry, const char *file,
                                 const lw_bake_settings *values, lw_navmesh **navmesh, lw_bake_report *report,
                                 lw_error *error) {
  if (file && geometry->busy) lwl_raise(L, "bake", "the geometry is being baked");
  const int marks = lw_geometry_mark_count(geometry->object), links = lw_geometry_link_count(geometry->object);
  lw_status status = file ? lwl_load_gset(L, geometry->object, file, error) : LW_OK;
  if (status != LW_OK) return status;
  ++geometry->busy;
  status = lw_bake(geometry->object, values, navmesh, report, error);
  --geometry->busy;
  if (file) lw_geometry_forget(geometry->object, marks, links);
  return status;
}

/*
** leeward.bake(geometry [, settings]) --> navmesh, report | nil, message, code
*/
static int bake(lua_State *L) {
  const lwl_at at = {"bake", ""};
  lwl_box *geometry = lwl_check_box(L, 1, LWL_GEOMETRY, at.where);
  lua_settop(L, 2);
  lw_bake_settings values = read_settings(L, at.where, keys);
  lua_pushnil(L);
  progress_call call = {L, 3, 4, false};
  if (lua_isfunction(L, 3)) {
    values.progress = progress;
    values.user = &call;
  }
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_bake_report *report = lua_newuserdatauv(L, sizeof *report, 0);
  memset(report, 0, sizeof *report);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  error.status = bake_with_links(L, geometry, read_links(L, &at), &values, &navmesh, report, &error);
  if (navmesh) lwl_fill_box(box, navmesh);
  if (call.raised) {
    lua_settop(L, 4);
    return lua_error(L);
  }
  if (error.status != LW_OK) return lwl_fail_or_raise(L, "bake", &error);
  lua_pushvalue(L, 5);
  push_report(L, report);
  return 2;
}

/*
** leeward.rebuild(navmesh, geometry, { box = { min, max }, the bake's settings }) --> navmesh, report | nil, message, code
*/
static int rebuild(lua_State *L) {
  const lwl_at at = {"rebuild", ""};
  const lwl_box *navmesh = lwl_check_box(L, 1, LWL_NAVMESH, at.where);
  lwl_box *geometry = lwl_check_box(L, 2, LWL_GEOMETRY, at.where);
  lua_settop(L, 3);
  lwl_check_table(L, at.where, 3);
  lua_rotate(L, 1, -1); /* geometry, settings, navmesh */
  lwl_check_keys(L, &at, 2, rebuild_keys);
  lw_box changed;
  if (!lwl_opt_bounds(L, &at, 2, "box", &changed)) {
    lua_pushnil(L);
    lwl_raise_expected(L, &at, "box", "two points", -1);
  }
  lw_bake_settings values = read_settings(L, at.where, rebuild_keys);
  lua_pushnil(L);
  progress_call call = {L, 4, 5, false};
  if (lua_isfunction(L, 4)) {
    values.progress = progress;
    values.user = &call;
  }
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_bake_report *report = lua_newuserdatauv(L, sizeof *report, 0);
  memset(report, 0, sizeof *report);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lw_navmesh *made = NULL;
  lw_error error = {0};
  ++geometry->busy;
  error.status = lw_bake_rebuild(navmesh->object, geometry->object, &values, changed, &made, report, &error);
  --geometry->busy;
  if (made) lwl_fill_box(box, made);
  if (call.raised) {
    lua_settop(L, 5);
    return lua_error(L);
  }
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lua_pushvalue(L, 6);
  push_report(L, report);
  return 2;
}

/*
** leeward.count_tiles(geometry [, settings]) --> columns * rows, columns, rows | nil, message, code
*/
static int count_tiles(lua_State *L) {
  const lwl_box *geometry = lwl_check_box(L, 1, LWL_GEOMETRY, "count_tiles");
  lua_settop(L, 2);
  const lw_bake_settings values = read_settings(L, "count_tiles", keys);
  int columns, rows;
  lw_error error = {0};
  error.status = lw_bake_count_tiles(geometry->object, &values, &columns, &rows, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, "count_tiles", &error);
  lua_pushinteger(L, (lua_Integer)columns * rows);
  lua_pushinteger(L, columns);
  lua_pushinteger(L, rows);
  return 3;
}

/*
** leeward.merge_navmeshes{ part, ... } --> navmesh | nil, message, code
*/
static int merge_navmeshes(lua_State *L) {
  const lwl_at at = {"merge_navmeshes", ""};
  lwl_check_table(L, at.where, 1);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
  if (count < 1 || count > INT_MAX) lwl_raise(L, at.where, "expected a list of at least one navmesh");
  lua_settop(L, 1);
  const lw_navmesh **parts = lua_newuserdatauv(L, (size_t)count * sizeof *parts, 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, 1, i);
    const lwl_box *part = lwl_test_box(L, -1, LWL_NAVMESH);
    if (!part || !part->object) lwl_raise_item(L, &at, "parts", i, "a navmesh", -1);
    parts[i - 1] = part->object;
    lua_pop(L, 1);
  }
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_navmesh *result = NULL;
  lw_error error = {0};
  const lw_status status = lw_navmesh_merge(parts, (int)count, NULL, &result, &error);
  if (status != LW_OK) return lwl_fail(L, status, error.text);
  lwl_fill_box(box, result);
  return 1;
}

static const luaL_Reg functions[] = {{"bake", bake},
                                     {"rebuild", rebuild},
                                     {"count_tiles", count_tiles},
                                     {"merge_navmeshes", merge_navmeshes},
                                     {NULL, NULL}};

void lwl_open_bake(lua_State *L) {
  luaL_setfuncs(L, functions, 0);
}
