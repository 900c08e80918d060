/*
** Where each value of a profile comes from.
*/
#include "profile_layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The deepest are stances.stand.eye.
enum { PARTS_MAX = 3 };

/// What rows are made from.
typedef struct account {
  int chain, resolved, rows; ///< Stack indices.
  const char *parts[PARTS_MAX];
  int count; ///< Of parts.
} account;

/// Push what the table at index has under the parts. @return its type
static int push_value(lua_State *L, const account *of, int table) {
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

/// Push the parts with points between them.
static const char *push_path(lua_State *L, const account *of) {
  lua_pushstring(L, of->parts[0]);
  for (int i = 1; i < of->count; ++i) {
    lua_pushfstring(L, "%s.%s", lua_tostring(L, -1), of->parts[i]);
    lua_remove(L, -2);
  }
  return lua_tostring(L, -1);
}

/// Set row.file and row.line, from a script's "file:line" or from a data file's lines.
static void set_source(lua_State *L, int layer, const char *path, int row) {
  const int top = lua_gettop(L);
  lua_rawgeti(L, layer, LWL_LAYER_WHERE);
  const char *file = lua_tostring(L, -1), *colon = NULL;
  int line = 0;
  if (lua_rawgeti(L, layer, LWL_LAYER_ORIGINS) != LUA_TTABLE) {
    line = lwl_data_line(L, file, path);
  } else if (lua_getfield(L, -1, path) == LUA_TSTRING) {
    file = lua_tostring(L, -1);
    colon = strrchr(file, ':');
    if (colon) line = atoi(colon + 1);
  }
  lua_pushlstring(L, file, colon ? (size_t)(colon - file) : strlen(file));
  lua_setfield(L, row, "file");
  if (line > 0) lua_pushinteger(L, line), lua_setfield(L, row, "line");
  lua_settop(L, top);
}

/// Set row.profile, .file and .line from the first layer that states the value; one that nobody states has none.
static void set_origin(lua_State *L, const account *of, const char *path, int row) {
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

/// Append { key, value, unit, profile, file, line } for the parts, if there is a value.
static void add_row(lua_State *L, const account *of, const char *unit) {
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

// --- keys -------------------------------------------------------------------------------------------------------

static account inside(const account *of, const char *part) {
  account deeper = *of;
  deeper.parts[deeper.count++] = part;
  return deeper;
}

static void add_part(lua_State *L, const account *of, const char *part, const char *unit) {
  const account deeper = inside(of, part);
  add_row(L, &deeper, unit);
}

static void add_by_area(lua_State *L, const account *of) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  for (int id = 1; id <= lw_area_table_count(areas); ++id)
    add_part(L, of, lw_area_table_get(areas, (lw_area_id)id)->name, NULL);
}

static void add_stances(lua_State *L, const account *of, const char *unit) {
  const int top = lua_gettop(L);
  push_value(L, of, of->resolved);
  lwl_push_sorted_keys(L, top + 1);
  for (lua_Integer i = 1; lua_rawgeti(L, top + 2, i) == LUA_TSTRING; ++i) {
    const account stance = inside(of, lua_tostring(L, -1));
    add_part(L, &stance, "eye", unit);
    add_part(L, &stance, "body", unit);
    add_part(L, &stance, "speed", NULL);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

static void add_key(lua_State *L, const account *all, const lwl_profile_key *key) {
  const account of = inside(all, key->name);
  switch (key->kind) {
  case LWL_EXTENDS:
  case LWL_PATCH: break; /* told by the rows' profiles and files */
  case LWL_NUMBERS:
  case LWL_FLAGS:
    for (int i = 0; key->names[i]; ++i) add_part(L, &of, key->names[i], key->unit);
    break;
  case LWL_BY_AREA: add_by_area(L, &of); break;
  case LWL_STANCES: add_stances(L, &of, key->unit); break;
  case LWL_NUMBER:
  case LWL_FLAG:
  case LWL_AVOID: add_row(L, &of, key->unit); break;
  }
}

// --- the whole --------------------------------------------------------------------------------------------------

/// Push the list of the names along `extends`, the profile's own first.
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

/// Push the list of what each area is for the profile: { name =, price =, speed = { calm =, normal =, fast = } }.
static void push_areas(lua_State *L, const lw_profile *profile) {
  static const char *const paces[] = {"calm", "normal", "fast"};
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
        lua_setfield(L, -2, paces[pace]);
      }
      lua_setfield(L, -2, "speed");
    }
    lua_rawseti(L, -2, id);
  }
}

int lwl_profile_info(lua_State *L) {
  const char *name = lwl_check_name(L, "profile_info", 1);
  lua_settop(L, 1);
  if (!lwl_push_layers(L, name)) return lwl_fail_no_profile(L, name);
  lwl_push_chain(L, 2, name);
  lwl_push_resolved(L, 3);
  lua_createtable(L, 0, 4);
  lua_newtable(L);
  const account all = {.chain = 3, .resolved = 4, .rows = 6};
  for (const lwl_profile_key *key = lwl_profile_keys; key->name; ++key) add_key(L, &all, key);
  lua_setfield(L, 5, "values");
  lua_pushvalue(L, 1);
  lua_setfield(L, 5, "name");
  push_lineage(L, 3);
  lua_setfield(L, 5, "lineage");
  const lwl_box *box = lwl_push_compiled(L, "profile_info", 4, name);
  push_areas(L, box->object);
  lua_setfield(L, 5, "areas");
  lua_settop(L, 5);
  return 1;
}
