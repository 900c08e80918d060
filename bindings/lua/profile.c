/*
** Profiles: compiled by name or for one request, and where their values come from.
*/
#include "profile_layers.h"
#include "trailer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Kept in LWL_REG_COMPILED while it is up to date; agents hold their own count.
typedef struct profile_box {
  lwl_box box;
  uint32_t area_version, generation;
} profile_box;

static void destroy(void *object) {
  lw_profile_destroy(object);
}

// --- compiled ------------------------------------------------------------------------------------------------

lwl_box *lwl_push_compiled(lua_State *L, const char *where, int resolved, const char *name, bool is_brief) {
  const lwl_state *state = lwl_get_state(L);
  lw_profile_def def = lw_profile_def_default();
  def.name = name;
  def.is_brief = is_brief;
  lwl_fill_profile_def(L, resolved, &def);
  profile_box *box = (profile_box *)lwl_new_box(L, LWL_PROFILE, sizeof *box, 0, destroy, NULL);
  box->area_version = lw_area_table_version(state->areas);
  box->generation = state->profile_generation;
  lw_profile *profile = NULL;
  lw_error error = {0};
  if (lw_profile_create(&def, state->areas, &profile, &error) != LW_OK) lwl_raise(L, where, "%s", error.text);
  lwl_fill_box(&box->box, profile);
  return &box->box;
}

lwl_box *lwl_push_named_profile(lua_State *L, const lwl_at *at, const char *name) {
  const lwl_state *state = lwl_get_state(L);
  lwl_push_registry(L, LWL_REG_COMPILED);
  const int cache = lua_gettop(L);
  if (lua_getfield(L, cache, name) == LUA_TUSERDATA) {
    profile_box *box = lua_touserdata(L, -1);
    if (box->area_version == lw_area_table_version(state->areas) &&
        box->generation == state->profile_generation)
      return lua_replace(L, cache), &box->box;
  }
  if (!lwl_push_layers(L, name)) lwl_raise_no_profile(L, at, "profile", name);
  lwl_push_chain(L, -1, name);
  lwl_push_resolved(L, -1);
  lwl_box *box = lwl_push_compiled(L, at->where, lua_gettop(L), name, false);
  lua_pushvalue(L, -1);
  lua_setfield(L, cache, name);
  lua_replace(L, cache);
  lua_settop(L, cache);
  return box;
}

// --- for one request -----------------------------------------------------------------------------------------

/// Push the values of a request without a profile: the agent may enter everything.
static void push_everything(lua_State *L) {
  lua_newtable(L);
  lua_pushboolean(L, 1), lua_setfield(L, -2, "can_swim");
  lua_newtable(L);
  lua_pushboolean(L, 1), lua_setfield(L, -2, "volume");
  lua_setfield(L, -2, "can_traverse");
}

/// Is `extends` all that the checked table at index says?
static bool is_only_extends(lua_State *L, int table) {
  bool others = false;
  lua_pushnil(L);
  while (lua_next(L, table)) others |= strcmp(lua_tostring(L, -2), "extends") != 0, lua_pop(L, 1);
  return !others;
}

/// Push the name of the profile at options.profile, a value of that type, and its resolved table. A table that differs
/// from what it extends has no name: a saved game would take the other one for it. @return The name.
static const char *push_asked(lua_State *L, const lwl_at *at, int options, int type) {
  const char *name = LWL_UNNAMED_PROFILE;
  lwl_get(L, options, "profile");
  const int asked = lua_gettop(L), layers = asked + 1;
  if (type == LUA_TSTRING) {
    name = lua_tostring(L, asked);
    if (!lwl_push_layers(L, name)) lwl_raise_no_profile(L, at, "profile", name);
  } else {
    lua_newtable(L);
    if (type == LUA_TTABLE) {
      const lwl_at inside = {at->where, lua_pushfstring(L, "%sprofile.", at->prefix)};
      lwl_copy_profile(L, &inside, asked, lwl_plain_profile_keys);
      if (is_only_extends(L, lua_gettop(L))) lwl_opt_string(L, &inside, lua_gettop(L), "extends", &name);
    } else {
      push_everything(L);
    }
    lwl_push_layer(L, lua_gettop(L), at->where, 0, NULL);
    lua_rawseti(L, layers, 1);
    lua_settop(L, layers);
  }
  lwl_push_chain(L, layers, type == LUA_TSTRING ? name : NULL);
  lwl_push_resolved(L, -1);
  lua_pushstring(L, name);
  lua_replace(L, asked);
  lua_replace(L, layers);
  lua_settop(L, layers);
  return lua_tostring(L, asked);
}

/// Keys of a profile that options may have, beside `cost`.
static const char *const beside_keys[] = {"avoid", "can_take", NULL};

/// Merge `cost` and the keys beside it of the options into the resolved table at index.
static void merge_overrides(lua_State *L, const lwl_at *at, int options, int resolved) {
  if (lwl_get(L, options, "cost") != LUA_TNIL) {
    if (!lua_istable(L, -1)) lwl_raise_expected(L, at, "cost", "a table", -1);
    const lwl_at inside = {at->where, lua_pushfstring(L, "%scost.", at->prefix)};
    lwl_copy_profile(L, &inside, -2, lwl_cost_keys);
    lwl_merge_profile(L, resolved, -1);
  }
  lua_newtable(L);
  const int beside = lua_gettop(L);
  for (const char *const *key = beside_keys; *key; ++key) {
    lwl_get(L, options, *key);
    lua_setfield(L, beside, *key);
  }
  lwl_copy_profile(L, at, beside, beside_keys);
  lwl_merge_profile(L, resolved, -1);
  lua_settop(L, resolved);
}

lwl_box *lwl_push_profile(lua_State *L, const lwl_at *at, int options) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  options = lua_absindex(L, options);
  const int bottom = lua_gettop(L) + 1;
  const int type = lwl_get(L, options, "profile");
  if (type != LUA_TNIL && type != LUA_TSTRING && type != LUA_TTABLE)
    lwl_raise_expected(L, at, "profile", "the name of a profile or a table", -1);
  if (type == LUA_TSTRING) lwl_check_text(L, at, "profile", "the name of a profile", bottom);
  bool changed = lwl_get(L, options, "cost") != LUA_TNIL;
  for (const char *const *key = beside_keys; *key; ++key) changed |= lwl_get(L, options, *key) != LUA_TNIL;
  if (!changed && type == LUA_TNIL) {
    lua_settop(L, bottom); /* the nil */
    return NULL;
  }
  lwl_box *box;
  if (!changed && type == LUA_TSTRING) {
    box = lwl_push_named_profile(L, at, lua_tostring(L, bottom));
  } else {
    const char *name = push_asked(L, at, options, type);
    merge_overrides(L, at, options, lua_gettop(L));
    if (strlen(name) > 63) name = LWL_UNNAMED_PROFILE;
    box = lwl_push_compiled(L, at->where, lua_gettop(L), name, true);
  }
  lua_replace(L, bottom);
  lua_settop(L, bottom);
  return box;
}

void lwl_push_recipe(lua_State *L, int options) {
  static const char *const keys[] = {"profile", "cost", NULL};
  options = lua_absindex(L, options);
  lua_newtable(L);
  const char *const *const lists[] = {keys, beside_keys};
  for (int i = 0; i < 2; ++i) {
    for (const char *const *key = lists[i]; *key; ++key) {
      lwl_get(L, options, *key);
      lwl_push_copy(L, -1);
      lua_setfield(L, -3, *key);
      lua_pop(L, 1);
    }
  }
}

// --- functions -----------------------------------------------------------------------------------------------

/*
** leeward.profile(name) --> the resolved table | nil, message, code
** leeward.profile(name, table) --> the resolved table
*/
static int profile(lua_State *L) {
  const char *name = lwl_check_name(L, "profile", 1);
  if (!lua_isnoneornil(L, 2)) {
    lwl_check_table(L, "profile", 2);
    lwl_define_profile(L, name, 2);
    return 1;
  }
  if (!lwl_push_layers(L, name)) return lwl_fail_no_profile(L, name);
  lwl_push_chain(L, -1, name);
  lwl_push_resolved(L, -1);
  return 1;
}

/// Push the box of the profile at index `item`, the `number`th of the list.
static const lw_profile *push_member(lua_State *L, const lwl_at *at, int item, lua_Integer number) {
  const int top = lua_gettop(L);
  const char *key = lua_pushfstring(L, "profiles[%I]", (LUAI_UACINT)number);
  if (!lua_istable(L, item) && lua_type(L, item) != LUA_TSTRING)
    lwl_raise_expected(L, at, key, "the name of a profile or a table", item);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s: ", key)};
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, item);
  lua_setfield(L, -2, "profile");
  const lwl_box *box = lwl_push_profile(L, &inside, -1);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return box->object;
}

/*
** leeward.combined_profile{ name | table, ... } --> table of the profile of a group that goes together
*/
static int combined_profile(lua_State *L) {
  const lwl_at at = {"combined_profile", ""};
  lua_settop(L, 1);
  if (!lua_istable(L, 1)) lwl_raise_expected(L, &at, "profiles", "a list of profiles", 1);
  const lua_Integer count = lwl_check_list(L, &at, "profiles", 1);
  if (count == 0) lwl_raise(L, at.where, "the list is empty, expected profiles");
  const lw_profile **profiles = lua_newuserdatauv(L, (size_t)count * sizeof *profiles, 0);
  lua_createtable(L, (int)count, 0); /* keeps them */
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, 1, i);
    profiles[i - 1] = push_member(L, &at, lua_gettop(L), i);
    lua_rawseti(L, 3, i);
    lua_settop(L, 3);
  }
  lw_profile_def def;
  lw_error error = {0};
  if (lw_profile_combine(profiles, (int)count, &def, &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  lwl_push_profile_def(L, &def);
  return 1;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void lwl_push_sorted_keys(lua_State *L, int set) {
  set = lua_absindex(L, set);
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, set)) ++count, lua_pop(L, 1);
  const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
  const int buffer = lua_gettop(L);
  size_t filled = 0;
  lua_pushnil(L);
  while (lua_next(L, set)) names[filled++] = lua_tostring(L, -2), lua_pop(L, 1);
  qsort(names, filled, sizeof *names, compare_names);
  lua_createtable(L, (int)filled, 0);
  for (size_t i = 0; i < filled; ++i) {
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_remove(L, buffer);
}

/*
** leeward.profiles() --> sorted list of names
*/
static int profiles(lua_State *L) {
  lwl_push_profile_names(L);
  lwl_push_sorted_keys(L, -1);
  return 1;
}

// --- where values come from ----------------------------------------------------------------------------------

enum { PARTS_MAX = 3 }; ///< As in stances.stand.eye.

/// A key of a profile, to append rows for to a list.
typedef struct key_path {
  int chain, resolved, rows; ///< Stack indices.
  const char *parts[PARTS_MAX];
  int count; ///< Of parts.
} key_path;

/// Push the value of the key in the table at index. @return Its type.
static int push_value(lua_State *L, const key_path *of, int table) {
  lua_pushvalue(L, table);
  for (int i = 0; i < of->count; ++i) {
    if (lua_istable(L, -1))
      lwl_get(L, -1, of->parts[i]);
    else
      lua_pushnil(L);
    lua_remove(L, -2);
  }
  return lua_type(L, -1);
}

/// Push the key as text, such as "speed.calm".
static const char *push_path(lua_State *L, const key_path *of) {
  lua_pushstring(L, of->parts[0]);
  for (int i = 1; i < of->count; ++i) {
    lua_pushfstring(L, "%s.%s", lua_tostring(L, -1), of->parts[i]);
    lua_remove(L, -2);
  }
  return lua_tostring(L, -1);
}

/// Set row.file, and row.line where the layer is a script's.
static void set_source(lua_State *L, int layer, const char *path, int row) {
  const int top = lua_gettop(L);
  lua_rawgeti(L, layer, LWL_LAYER_WHERE);
  const char *file = lua_tostring(L, -1), *colon = NULL;
  int line = 0;
  if (lua_rawgeti(L, layer, LWL_LAYER_ORIGINS) == LUA_TTABLE && lua_getfield(L, -1, path) == LUA_TSTRING) {
    file = lua_tostring(L, -1);
    colon = strrchr(file, ':');
    if (colon) line = atoi(colon + 1);
  }
  lua_pushlstring(L, file, colon ? (size_t)(colon - file) : strlen(file));
  lua_setfield(L, row, "file");
  if (line > 0) lua_pushinteger(L, line), lua_setfield(L, row, "line");
  lua_settop(L, top);
}

/// Set row.profile, .file and .line from the first layer that has the key; no layer has it: a default.
static void set_origin(lua_State *L, const key_path *of, const char *path, int row) {
  const int layer = lua_gettop(L) + 1;
  for (lua_Integer i = 1; lua_rawgeti(L, of->chain, i) == LUA_TTABLE; ++i) {
    lua_rawgeti(L, layer, LWL_LAYER_VALUES);
    if (push_value(L, of, layer + 1) != LUA_TNIL) {
      lua_rawgeti(L, layer, LWL_LAYER_PROFILE);
      lua_setfield(L, row, "profile");
      set_source(L, layer, path, row);
      break;
    }
    lua_settop(L, layer - 1);
  }
  lua_settop(L, layer - 1);
}

/// Append { key, value, unit, profile, file, line } for the key, if it has a value.
static void add_row(lua_State *L, const key_path *of, const char *unit) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  const int value = lua_gettop(L) + 1, row = value + 1;
  if (push_value(L, of, of->resolved) != LUA_TNIL) {
    lua_createtable(L, 0, 6);
    const char *path = push_path(L, of);
    lua_pushvalue(L, -1);
    lua_setfield(L, row, "key");
    lwl_push_copy(L, value);
    lua_setfield(L, row, "value");
    if (unit) lua_pushstring(L, unit), lua_setfield(L, row, "unit");
    set_origin(L, of, path, row);
    lua_settop(L, row);
    lua_rawseti(L, of->rows, (lua_Integer)lua_rawlen(L, of->rows) + 1);
  }
  lua_settop(L, value - 1);
}

static key_path inside(const key_path *of, const char *part) {
  key_path deeper = *of;
  deeper.parts[deeper.count++] = part;
  return deeper;
}

static void add_part(lua_State *L, const key_path *of, const char *part, const char *unit) {
  const key_path deeper = inside(of, part);
  add_row(L, &deeper, unit);
}

static void add_by_area(lua_State *L, const key_path *of) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  for (int id = 1; id <= lw_area_table_count(areas); ++id)
    add_part(L, of, lw_area_table_get(areas, (lw_area_id)id)->name, NULL);
}

static void add_stances(lua_State *L, const key_path *of, const char *unit) {
  const int top = lua_gettop(L);
  push_value(L, of, of->resolved);
  lwl_push_sorted_keys(L, top + 1);
  for (lua_Integer i = 1; lua_rawgeti(L, top + 2, i) == LUA_TSTRING; ++i) {
    const key_path stance = inside(of, lua_tostring(L, -1));
    add_part(L, &stance, "eye", unit);
    add_part(L, &stance, "body", unit);
    add_part(L, &stance, "speed", NULL);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

static void add_senses(lua_State *L, const key_path *of) {
  static const char *const numbers[] = {"range", "half_angle", "notice", NULL};
  const key_path sight = inside(of, "sight"), hearing = inside(of, "hearing");
  for (int i = 0; numbers[i]; ++i) {
    const lw_range *range = lw_profile_range(lua_pushfstring(L, "senses.sight.%s", numbers[i]));
    lua_pop(L, 1);
    add_part(L, &sight, numbers[i], range->unit);
  }
  add_part(L, &sight, "friends", NULL);
  add_part(L, &hearing, "range", lw_profile_range("senses.hearing.range")->unit);
  add_part(L, of, "memory", lw_profile_range("senses.memory")->unit);
}

static void add_whiskers(lua_State *L, const key_path *of) {
  add_part(L, of, "rays", NULL);
  add_part(L, of, "seconds", lw_profile_range("whiskers.seconds")->unit);
  add_part(L, of, "spread", lw_profile_range("whiskers.spread")->unit);
}

static void add_trailer(lua_State *L, const key_path *of) {
  for (const char *const *key = lwl_trailer_keys; *key; ++key) {
    const lw_range *range = lw_profile_range(lua_pushfstring(L, "trailer.%s", *key));
    lua_pop(L, 1);
    add_part(L, of, *key, range->unit);
  }
}

static void add_key(lua_State *L, const key_path *all, const lwl_profile_key *key) {
  const key_path of = inside(all, key->name);
  const char *unit = lwl_profile_unit(key);
  switch (key->kind) {
  case LWL_EXTENDS:
  case LWL_PATCH: break; /* the rows' profiles and files show them */
  case LWL_NUMBERS:
  case LWL_FLAGS:
    for (int i = 0; lwl_enum_name(key->of, i); ++i) add_part(L, &of, lwl_enum_name(key->of, i), unit);
    break;
  case LWL_BY_AREA: add_by_area(L, &of); break;
  case LWL_STANCES: add_stances(L, &of, unit); break;
  case LWL_SENSES: add_senses(L, &of); break;
  case LWL_WHISKERS: add_whiskers(L, &of); break;
  case LWL_TRAILER: add_trailer(L, &of); break;
  case LWL_NUMBER:
  case LWL_FLAG:
  case LWL_CHOICE:
  case LWL_AVOID: add_row(L, &of, unit); break;
  }
}

/// Push the list of the names along `extends`, beginning with the profile's own.
static void push_lineage(lua_State *L, int chain) {
  lua_newtable(L);
  const int names = lua_gettop(L);
  lua_Integer count = 0;
  for (lua_Integer i = 1; lua_rawgeti(L, chain, i) == LUA_TTABLE; ++i) {
    lua_rawgeti(L, -1, LWL_LAYER_PROFILE);
    lua_rawgeti(L, names, count);
    const bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (!same) lua_rawseti(L, names, ++count);
    lua_settop(L, names);
  }
  lua_settop(L, names);
}

/// Push the list of { name =, price =, speed = { calm =, normal =, fast = } } for every area; without price and
/// speed where the profile may not enter it.
static void push_areas(lua_State *L, const lw_profile *profile) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  const int count = lw_area_table_count(areas);
  lua_createtable(L, count, 0);
  for (int id = 1; id <= count; ++id) {
    const float price = lw_profile_price(profile, (lw_area_id)id);
    lua_createtable(L, 0, 3);
    lua_pushstring(L, lw_area_table_get(areas, (lw_area_id)id)->name);
    lua_setfield(L, -2, "name");
    if (isfinite(price)) {
      lwl_push_float(L, price);
      lua_setfield(L, -2, "price");
      lua_createtable(L, 0, LW_PACE_COUNT);
      for (int pace = 0; pace < LW_PACE_COUNT; ++pace) {
        lwl_push_float(L, lw_profile_speed(profile, (lw_area_id)id, (lw_pace)pace));
        lua_setfield(L, -2, lw_pace_name((lw_pace)pace));
      }
      lua_setfield(L, -2, "speed");
    }
    lua_rawseti(L, -2, id);
  }
}

/*
** leeward.profile_info(name) --> { name =, lineage =, values =, areas = } | nil, message, code
*/
static int profile_info(lua_State *L) {
  const char *name = lwl_check_name(L, "profile_info", 1);
  lua_settop(L, 1);
  if (!lwl_push_layers(L, name)) return lwl_fail_no_profile(L, name);
  lwl_push_chain(L, 2, name);
  lwl_push_resolved(L, 3);
  lua_createtable(L, 0, 4);
  lua_newtable(L);
  const key_path all = {.chain = 3, .resolved = 4, .rows = 6};
  for (const lwl_profile_key *key = lwl_profile_keys; key->name; ++key) add_key(L, &all, key);
  lua_setfield(L, 5, "values");
  lua_pushvalue(L, 1);
  lua_setfield(L, 5, "name");
  push_lineage(L, 3);
  lua_setfield(L, 5, "lineage");
  const lwl_box *box = lwl_push_compiled(L, "profile_info", 4, name, true);
  push_areas(L, box->object);
  lua_setfield(L, 5, "areas");
  lua_settop(L, 5);
  return 1;
}

static const luaL_Reg methods[] = {{NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"profile", profile},
                                     {"profiles", profiles},
                                     {"combined_profile", combined_profile},
                                     {"profile_info", profile_info},
                                     {NULL, NULL}};

void lwl_open_profile(lua_State *L) {
  lwl_new_type(L, LWL_PROFILE, methods, meta, NULL);
  lwl_set_functions(L, functions, NULL);
}
