/*
** Bake: from geometry and settings to a navmesh and a report.
*/
#include "tiles.h"

#include "core/platform.h"

#include <float.h>
#include <limits.h>
#include <stddef.h>

static const lw_range slope_range = {0, 90, "degrees", false}, area_range = {0, FLT_MAX, "m2", false};
static const lw_range threads_range = {0, LWI_THREADS_MAX, NULL, false};
static const lw_range link_range = {0, 100, "metres", false};
static const lw_range edge_range = {0.1, (double)LW_COORDINATE_MAX, "metres", false};

/// The settings that are numbers: X(name in lw_bake_settings and in scripts, range).
#define NUMBERS(X)                                                                                             \
  X(cell_size, &lwl_metres_positive)                                                                           \
  X(cell_height, &lwl_metres_positive)                                                                         \
  X(agent_radius, &lwl_metres_not_negative)                                                                    \
  X(agent_height, &lwl_metres_positive)                                                                        \
  X(agent_climb, &lwl_metres_not_negative)                                                                     \
  X(agent_slope, &slope_range)                                                                                 \
  X(tile_size, &lwl_metres_positive)                                                                           \
  X(min_region_area, &area_range)                                                                              \
  X(merge_region_area, &area_range)                                                                            \
  X(max_edge_error, &lwl_metres_positive)                                                                      \
  X(max_edge_length, &lwl_metres_not_negative)                                                                 \
  X(detail_distance, &lwl_metres_not_negative)                                                                 \
  X(detail_error, &lwl_metres_not_negative)                                                                    \
  X(openness_range, &lwl_metres_not_negative)                                                                  \
  X(visibility_table_range, &lwl_metres_not_negative)

static const struct number {
  const char *key;
  size_t offset;
  const lw_range *range;
} numbers[] = {
#define X(name, range) {#name, offsetof(lw_bake_settings, name), range},
    NUMBERS(X)
#undef X
        {"crouch_height", offsetof(lw_bake_settings, limits.crouch_height), &lwl_metres_not_negative},
};
enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers };

/// A list of limits to cut along.
typedef struct limits_key {
  const char *key;
  size_t offset; ///< In lw_bake_settings.
  double max;    ///< [m]
} limits_key;
static const limits_key limits[] = {
    {"depths", offsetof(lw_bake_settings, limits.depths), (double)LW_WADE_DEPTH_MAX},
    {"heights", offsetof(lw_bake_settings, limits.heights), (double)LW_BAKE_HEADROOM_MAX},
    {"climbs", offsetof(lw_bake_settings, limits.climbs), (double)LW_BAKE_STEP_MAX},
};
enum { LIMITS_COUNT = sizeof limits / sizeof *limits };

static lw_bake_list *limits_of(lw_bake_settings *settings, const limits_key *of) {
  return (lw_bake_list *)(void *)((char *)settings + of->offset);
}

#define X(name, range) #name,
#define SHARED_KEYS                                                                                            \
  NUMBERS(X)                                                                                                   \
  "crouch_height", "auto_links", "depths", "heights", "climbs", "bounds", "threads", "occluders",              \
      "cover_segments", "cover_map", "detail_near_cover", "detail_edge"
static const char *const keys[] = {SHARED_KEYS, "progress", "tiles", "links", "seeds", NULL};
/// The box names the tiles, and the geometry has its links and seeds.
static const char *const rebuild_keys[] = {SHARED_KEYS, "progress", "box", NULL};
/// No Lua runs in the background.
static const char *const job_keys[] = {SHARED_KEYS, "box", "geometry", "navmesh", "at", NULL};
#undef X

static const char *const link_keys[] = {"drop", "jump", NULL};

static float *number_of(lw_bake_settings *settings, int which) {
  return (float *)(void *)((char *)settings + numbers[which].offset);
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

static void push_limits(lua_State *L, lw_bake_settings *settings, const limits_key *of) {
  const lw_bake_list *from = limits_of(settings, of);
  lua_createtable(L, from->count, 0);
  for (int i = 0; i < from->count; ++i) {
    lua_pushnumber(L, (lua_Number)from->items[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, of->key);
}

/// The criteria of a cover map that are numbers of any kind: X(name, range).
#define CRITERIA(X)                                                                                            \
  X(direction, &weight_range)                                                                                  \
  X(distance, &weight_range)                                                                                   \
  X(occlusion, &weight_range)                                                                                  \
  X(target, &part_range)

/// Read settings.cover_map = true, or { direction =, distance =, occlusion =, target =, cap = }.
static void read_cover_map(lua_State *L, const lwl_at *at, lw_bake_cover *cover) {
#define X(name, range) #name,
  static const char *const map_keys[] = {CRITERIA(X) "cap", NULL};
#undef X
  static const lw_range weight_range = {0, LW_COVER_MAP_WEIGHT_MAX, NULL, false},
                        part_range = {0, 1, NULL, false};
  static const lw_range cap_range = {1, LW_COVER_MAP_CAP, NULL, false};
  const lwl_at inside = {at->where, "cover_map."};
  const int type = lwl_get(L, 2, "cover_map"), table = lua_gettop(L);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TTABLE)
    lwl_raise_expected(L, at, "cover_map", "true, false or a table of criteria", table);
  cover->map = type == LUA_TTABLE || lua_toboolean(L, table);
  if (type == LUA_TTABLE) {
    lwl_check_keys(L, &inside, table, map_keys);
#define X(name, range) lwl_opt_float(L, &inside, table, #name, range, &cover->criteria.name);
    CRITERIA(X)
#undef X
    lwl_opt_int(L, &inside, table, "cap", &cap_range, &cover->criteria.cap);
  }
  lua_settop(L, table - 1);
}

static void push_criteria(lua_State *L, const lw_cover_map_criteria *by) {
  lua_createtable(L, 0, 5);
#define X(name, range) lwl_set_number(L, #name, (double)by->name);
  CRITERIA(X)
#undef X
  lwl_set_integer(L, "cap", by->cap);
}

static void push_report(lua_State *L, lw_bake_report *report) {
  lua_createtable(L, 0, 16);
  lwl_set_integer(L, "tiles", report->tiles);
  lwl_set_integer(L, "tiles_total", report->tiles_total);
  lwl_set_integer(L, "tiles_empty", report->tiles_empty);
  lwl_set_integer(L, "islands_dropped", report->islands_dropped);
  lwl_set_integer(L, "islands_unreachable", report->islands_unreachable);
  lwl_set_number(L, "tile_seconds", report->tile_seconds);
  lwl_set_number(L, "occluder_seconds", report->occluder_seconds);
  lwl_set_number(L, "openness_seconds", report->openness_seconds);
  lwl_set_number(L, "cover_seconds", report->cover_seconds);
  lwl_set_number(L, "cover_map_seconds", report->cover_map_seconds);
  lwl_set_number(L, "visibility_table_seconds", report->visibility_table_seconds);
  lwl_set_integer(L, "auto_links", report->auto_links);
  lwl_set_number(L, "auto_link_seconds", report->auto_link_seconds);
  lua_createtable(L, report->notes, 0);
  for (int i = 0; i < report->notes && i < LW_BAKE_NOTES; ++i) {
    lua_pushstring(L, report->note[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "notes");
  lua_createtable(L, 0, NUMBER_COUNT + LIMITS_COUNT + 3);
  for (int i = 0; i < NUMBER_COUNT; ++i)
    lwl_set_number(L, numbers[i].key, (double)*number_of(&report->used, i));
  lua_createtable(L, 0, 2);
  lwl_set_number(L, "drop", (double)report->used.auto_links.drop);
  lwl_set_number(L, "jump", (double)report->used.auto_links.jump);
  lua_setfield(L, -2, "auto_links");
  for (int i = 0; i < LIMITS_COUNT; ++i) push_limits(L, &report->used, &limits[i]);
  lwl_set_number(L, "detail_near_cover", (double)report->used.cover.detail_near);
  lwl_set_number(L, "detail_edge", (double)report->used.cover.detail_edge);
  if (report->used.cover.map) {
    push_criteria(L, &report->used.cover.criteria);
    lua_setfield(L, -2, "cover_map");
  }
  lwl_set_integer(L, "threads", report->used.threads);
  push_bounds(L, &report->used.bounds);
  lua_setfield(L, -2, "bounds");
  lua_setfield(L, -2, "used");
}

/// Read settings.auto_links = { drop = metres, jump = metres }.
static void read_auto_links(lua_State *L, const lwl_at *at, lw_bake_settings *settings) {
  const lwl_at inside = {at->where, "auto_links."};
  const int type = lwl_get(L, 2, "auto_links"), table = lua_gettop(L);
  if (type != LUA_TNIL) {
    if (type != LUA_TTABLE)
      lwl_raise_expected(L, at, "auto_links", "a table of drop and jump, in metres", table);
    lwl_check_keys(L, &inside, table, link_keys);
    lwl_opt_float(L, &inside, table, "drop", &link_range, &settings->auto_links.drop);
    lwl_opt_float(L, &inside, table, "jump", &link_range, &settings->auto_links.jump);
  }
  lua_settop(L, table - 1);
}

/// Read settings[key] = { metres, ... }, rising.
static void read_limits(lua_State *L, const lwl_at *at, lw_bake_settings *settings, const limits_key *of) {
  const int type = lwl_get(L, 2, of->key), list = lua_gettop(L);
  lw_bake_list *to = limits_of(settings, of);
  if (type != LUA_TNIL) {
    const lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(L, list) : 0;
    if (type != LUA_TTABLE || count > LW_BAKE_LIMITS_MAX)
      lwl_raise_expected(L, at, of->key,
                         lua_pushfstring(L, "a list of up to %d %s, rising", LW_BAKE_LIMITS_MAX, of->key),
                         list);
    to->count = (int)count;
    for (int i = 0; i < to->count; ++i) {
      lw_range range = {i > 0 ? (double)to->items[i - 1] : 0, of->max, "m", true};
      lua_rawgeti(L, list, i + 1);
      to->items[i] = (float)lwl_check_number(L, at, lua_pushfstring(L, "%s[%d]", of->key, i + 1), -2, &range);
      lua_settop(L, list);
    }
  }
  lua_settop(L, list - 1);
}

/// Read settings.tiles = { first, last }, counted from 1.
static void read_tiles(lua_State *L, const lwl_at *at, lw_bake_settings *settings) {
  const char *expected = "the first and the last tile, whole numbers >= 1";
  const int type = lwl_get(L, 2, "tiles"), list = lua_gettop(L);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (type != LUA_TTABLE || lua_rawlen(L, list) != 2) lwl_raise_expected(L, at, "tiles", expected, list);
  lua_Integer ends[2];
  for (int i = 0; i < 2; ++i) {
    const lua_Integer min = i == 0 ? 1 : ends[0];
    lua_rawgeti(L, list, i + 1);
    if (!lwl_to_integer(L, -1, min, INT_MAX, &ends[i]))
      lwl_raise_item(L, at, "tiles", i + 1,
                     lua_pushfstring(L, "a whole number from %I to %d", (LUAI_UACINT)min, INT_MAX), -2);
  }
  settings->tiles.first = (int)ends[0] - 1;
  settings->tiles.count = (int)(ends[1] - ends[0]) + 1;
  lua_settop(L, list - 1);
}

/// Push the file name at settings.links, or nil. @return NULL: the key is absent.
static const char *push_links(lua_State *L, const lwl_at *at) {
  if (!lua_istable(L, 2)) return lua_pushnil(L), NULL;
  const int type = lwl_get(L, 2, "links");
  return type == LUA_TNIL ? NULL : lwl_check_text(L, at, "links", "the name of a gset file", -1);
}

/// Push the points at settings.seeds. @return NULL: the key is absent.
static const lw_vec3 *push_seeds(lua_State *L, const lwl_at *at, int *count) {
  if (!lua_istable(L, 2) || lwl_get(L, 2, "seeds") == LUA_TNIL) return NULL;
  return lwl_need_points(L, at, "seeds", 1, count);
}

/// Read the settings at index 2, and push `progress` or nil. @param known  The keys that they may have.
static lw_bake_settings read_settings(lua_State *L, const char *where, const char *const *known) {
  const lwl_at at = {where, ""};
  lw_bake_settings settings = lw_bake_settings_default();
  if (lua_isnoneornil(L, 2)) return lua_pushnil(L), settings;
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, known);
  for (int i = 0; i < NUMBER_COUNT; ++i)
    lwl_opt_float(L, &at, 2, numbers[i].key, numbers[i].range, number_of(&settings, i));
  read_auto_links(L, &at, &settings);
  for (int i = 0; i < LIMITS_COUNT; ++i) read_limits(L, &at, &settings, &limits[i]);
  lwl_opt_bounds(L, &at, 2, "bounds", &settings.bounds);
  lwl_opt_int(L, &at, 2, "threads", &threads_range, &settings.threads);
  lwl_opt_bool(L, &at, 2, "occluders", &settings.occluders);
  lwl_opt_bool(L, &at, 2, "cover_segments", &settings.cover.segments);
  read_cover_map(L, &at, &settings.cover);
  lwl_opt_float(L, &at, 2, "detail_near_cover", &lwl_metres_not_negative, &settings.cover.detail_near);
  lwl_opt_float(L, &at, 2, "detail_edge", &edge_range, &settings.cover.detail_edge);
  read_tiles(L, &at, &settings);
  push_links(L, &at);
  lua_pop(L, 1);
  const int type = lwl_get(L, 2, "progress");
  if (type != LUA_TNIL && type != LUA_TFUNCTION) lwl_raise_expected(L, &at, "progress", "a function", -1);
  return settings;
}

lw_bake_settings lwl_read_rebuild(lua_State *L, const lwl_at *at, lw_box *box) {
  lwl_check_keys(L, at, 2, job_keys);
  if (!lwl_opt_bounds(L, at, 2, "box", box)) lwl_raise_missing(L, at, "box", "two points");
  const lw_bake_settings settings = read_settings(L, at->where, job_keys);
  lua_pop(L, 1);
  return settings;
}

/// A call of lw_navmesh_bake() or lw_navmesh_rebuild(); what it does not own is on the stack.
typedef struct bake_call {
  const char *where;
  lwl_box *geometry;
  const lw_navmesh *navmesh; ///< To rebuild. NULL: bake.
  lw_bake_settings settings;
  lwl_shared *before;   ///< That of `navmesh`. NULL: bake.
  lw_box box;           ///< Of a rebuild.
  const char *links;    ///< A gset file for this bake alone. NULL: none.
  const lw_vec3 *seeds; ///< [seed_count] For this bake alone.
  int seed_count;
} bake_call;

/// Add what is for one bake alone.
static lw_status add_own(lua_State *L, const bake_call *call, lw_error *error) {
  lw_geometry *geometry = call->geometry->object;
  lw_status status = call->links ? lwl_load_gset(L, geometry, call->links, error) : LW_OK;
  for (int i = 0; i < call->seed_count && status == LW_OK; ++i)
    status = lw_geometry_add_seed(geometry, call->seeds[i], error);
  return status;
}

static lw_status run_bake(lua_State *L, const bake_call *call, lw_navmesh **navmesh, lw_bake_report *report,
                          lw_error *error) {
  lw_geometry *geometry = call->geometry->object;
  const bool has_own = call->links || call->seed_count > 0;
  if (has_own && call->geometry->busy) lwl_raise(L, call->where, "the geometry is being baked");
  const int marks = lw_geometry_mark_count(geometry), links = lw_geometry_link_count(geometry),
            seeds = lw_geometry_seed_count(geometry);
  lw_status status = add_own(L, call, error);
  if (status != LW_OK) {
    lw_geometry_forget(geometry, marks, links, seeds);
    return status;
  }
  lw_rebuild_def rebuild = lw_rebuild_def_default();
  rebuild.navmesh = call->navmesh;
  rebuild.geometry = geometry;
  rebuild.settings = &call->settings;
  rebuild.changed = call->box;
  // A progress function may close the state with os.exit(), while other threads bake.
  lwl_shared *level = lwl_retain(call->geometry->shared), *before = lwl_retain(call->before);
  ++call->geometry->busy;
  status = call->navmesh ? lw_navmesh_rebuild(&rebuild, navmesh, report, error)
                         : lw_navmesh_bake(geometry, &call->settings, navmesh, report, error);
  --call->geometry->busy;
  lwl_release(before);
  if (has_own) lw_geometry_forget(geometry, marks, links, seeds);
  lwl_release(level);
  return status;
}

/// Bake with the function `progress` or nil on top of the stack, and push navmesh and report.
static int answer_bake(lua_State *L, bake_call *call) {
  const int function = lua_gettop(L), error_slot = function + 1;
  lua_pushnil(L);
  progress_call progress_of = {L, function, error_slot, false};
  if (lua_isfunction(L, function)) {
    call->settings.progress.report = progress;
    call->settings.progress.user = &progress_of;
  }
  lwl_box *box = lwl_push_empty_navmesh(L);
  // Not in memory of the Lua state: threads that bake still write to it after os.exit() has closed the state.
  lw_bake_report report = {0};
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  error.status = run_bake(L, call, &navmesh, &report, &error);
  if (navmesh) lwl_fill_box(box, navmesh);
  if (progress_of.raised) {
    lua_settop(L, error_slot);
    return lua_error(L);
  }
  if (error.status != LW_OK) return lwl_fail_or_raise(L, call->where, &error);
  lua_pushvalue(L, error_slot + 1);
  push_report(L, &report);
  lwl_count_navmesh(L, -2);
  return 2;
}

/*
** leeward.bake(geometry [, settings]) --> navmesh, report | nil, message, code
*/
int lwl_bake(lua_State *L) {
  const lwl_at at = {"bake", ""};
  bake_call call = {.where = at.where, .geometry = lwl_check_box(L, 1, LWL_GEOMETRY, at.where)};
  lua_settop(L, 2);
  call.settings = read_settings(L, at.where, keys);
  const int progress = lua_gettop(L);
  call.links = push_links(L, &at);
  call.seeds = push_seeds(L, &at, &call.seed_count);
  lua_rotate(L, progress, -1); /* to the top */
  return answer_bake(L, &call);
}

/*
** leeward.rebuild(navmesh, geometry, { box = { min, max }, the bake's settings })
**   --> navmesh, report | nil, message, code
*/
static int rebuild(lua_State *L) {
  const lwl_at at = {"rebuild", ""};
  const lwl_box *navmesh = lwl_check_box(L, 1, LWL_NAVMESH, at.where);
  bake_call call = {.where = at.where, .navmesh = navmesh->object, .before = navmesh->shared};
  call.geometry = lwl_check_box(L, 2, LWL_GEOMETRY, at.where);
  lua_settop(L, 3);
  lwl_check_table(L, at.where, 3);
  lua_rotate(L, 1, -1); /* geometry, settings, navmesh */
  lwl_check_keys(L, &at, 2, rebuild_keys);
  if (!lwl_opt_bounds(L, &at, 2, "box", &call.box)) lwl_raise_missing(L, &at, "box", "two points");
  call.settings = read_settings(L, at.where, rebuild_keys);
  return answer_bake(L, &call);
}

/*
** leeward.count_tiles(geometry [, settings]) --> columns * rows, columns, rows | nil, message, code
*/
static int count_tiles(lua_State *L) {
  const lwl_box *geometry = lwl_check_box(L, 1, LWL_GEOMETRY, "count_tiles");
  lua_settop(L, 2);
  const lw_bake_settings settings = read_settings(L, "count_tiles", keys);
  int columns, rows;
  lw_error error = {0};
  error.status = lw_bake_count_tiles(geometry->object, &settings, &columns, &rows, &error);
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
  if (count < 1 || count > INT_MAX)
    lwl_raise(L, at.where, "parts is a list of %I, expected at least one navmesh", (LUAI_UACINT)count);
  lua_settop(L, 1);
  const lw_navmesh **parts = lua_newuserdatauv(L, (size_t)count * sizeof *parts, 0);
  lua_createtable(L, (int)count, 0); /* keeps them: the list may lose some */
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, 1, i);
    const lwl_box *part = lwl_test_box(L, -1, LWL_NAVMESH);
    if (!part || !part->object) lwl_raise_item(L, &at, "parts", i, "a navmesh", -1);
    parts[i - 1] = part->object;
    lua_rawseti(L, 3, i);
  }
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_navmesh *result = NULL;
  lw_error error = {0};
  const lw_status status = lw_navmesh_merge(parts, (int)count, NULL, &result, &error);
  if (status != LW_OK) return lwl_fail(L, status, error.text);
  lwl_fill_box(box, result);
  lwl_count_navmesh(L, -1);
  return 1;
}

static const luaL_Reg functions[] = {{"bake", lwl_bake},
                                     {"rebuild", rebuild},
                                     {"count_tiles", count_tiles},
                                     {"merge_navmeshes", merge_navmeshes},
                                     {NULL, NULL}};

void lwl_open_bake(lua_State *L) {
  lwl_set_functions(L, functions, NULL);
}
