/*
** What a profile's table may say: checks it and makes a clean copy; fills the C struct from one.
*/
#include "profile_check.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lwl_range bias_range = {1, 1e9, false, "a number of at least 1"};

typedef enum key_kind { NUMBER, FLAG, NUMBERS, FLAGS, EXTENDS, STANCES, AREA_FACTOR, AVOID } key_kind;

static const char *const pace_names[] = {"calm", "normal", "fast", NULL};
static const char *const type_names[] = {"triangular", "road", "waypoint", "volume", NULL};
static const char *const kind_names[] = {"jump", "drop", "ladder", "teleport", "door", "waypoint", NULL};

typedef struct profile_key {
  const char *name;
  key_kind kind;
  size_t offset;            ///< In lw_profile_def.
  const lwl_range *range;   ///< Of numbers.
  const char *const *names; ///< Of NUMBERS and FLAGS, in the order of the C array.
} profile_key;

#define AT(field) offsetof(lw_profile_def, field)
static const profile_key profile_keys[] = {
    {"extends", EXTENDS, 0, NULL, NULL},
    {"radius", NUMBER, AT(radius), &lwl_not_negative, NULL},
    {"height", NUMBER, AT(height), &lwl_not_negative, NULL},
    {"climb", NUMBER, AT(climb), &lwl_not_negative, NULL},
    {"speed", NUMBERS, AT(speed), &lwl_positive, pace_names},
    {"turn_radius", NUMBER, AT(turn_radius), &lwl_not_negative, NULL},
    {"stances", STANCES, 0, NULL, NULL},
    {"can_swim", FLAG, AT(can_swim), NULL, NULL},
    {"can_open_doors", FLAG, AT(can_open_doors), NULL, NULL},
    {"can_traverse", FLAGS, AT(can_traverse), NULL, type_names},
    {"can_take", FLAGS, AT(can_take), NULL, kind_names},
    {"resistance_factor", NUMBERS, AT(resistance_factor), &lwl_not_negative, type_names},
    {"swim_resistance_factor", NUMBER, AT(swim_resistance_factor), &lwl_not_negative, NULL},
    {"exposure_factor", NUMBER, AT(exposure_factor), &lwl_not_negative, NULL},
    {"danger_cost", NUMBER, AT(danger_cost), &lwl_not_negative, NULL},
    {"cover_bias", NUMBER, AT(cover_bias), &bias_range, NULL},
    {"safety_bias", NUMBER, AT(safety_bias), &lwl_not_negative, NULL},
    {"area_factor", AREA_FACTOR, AT(area_factor), &lwl_not_negative, NULL},
    {"avoid", AVOID, AT(avoid), NULL, NULL},
};
enum { KEY_COUNT = sizeof profile_keys / sizeof *profile_keys };

static const char *const all_keys[] = {"extends",
                                       "radius",
                                       "height",
                                       "climb",
                                       "speed",
                                       "turn_radius",
                                       "stances",
                                       "can_swim",
                                       "can_open_doors",
                                       "can_traverse",
                                       "can_take",
                                       "resistance_factor",
                                       "swim_resistance_factor",
                                       "exposure_factor",
                                       "danger_cost",
                                       "cover_bias",
                                       "safety_bias",
                                       "area_factor",
                                       "avoid",
                                       NULL};

const char *const lwl_cost_keys[] = {"resistance_factor", "swim_resistance_factor",
                                     "exposure_factor",   "danger_cost",
                                     "cover_bias",        "safety_bias",
                                     "area_factor",       NULL};

// --- check and copy -------------------------------------------------------------------------------------------

static void copy_number(lua_State *L, const lwl_at *at, const char *key, const lwl_range *range, int index) {
  lua_pushnumber(L, lwl_check_number(L, at, key, index, range));
}

static void copy_flag(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (!lua_isboolean(L, index)) lwl_raise_expected(L, at, key, "true or false", index);
  lua_pushvalue(L, index);
}

static void need_table(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (!lua_istable(L, index)) lwl_raise_expected(L, at, key, "a table", index);
}

/// speed, can_traverse, can_take, resistance_factor: named numbers or flags.
static void copy_named(lua_State *L, const lwl_at *at, const profile_key *key, int index) {
  need_table(L, at, key->name, index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, key->name)};
  lwl_check_keys(L, &inside, index, key->names);
  lua_newtable(L);
  for (const char *const *name = key->names; *name; ++name) {
    if (lwl_get(L, index, *name) != LUA_TNIL) {
      if (key->kind == NUMBERS)
        copy_number(L, &inside, *name, key->range, lua_gettop(L));
      else
        copy_flag(L, &inside, *name, lua_gettop(L));
      lua_setfield(L, -3, *name);
    }
    lua_pop(L, 1);
  }
}

/// body = { low, high }
static void copy_body(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "body", index);
  if (lua_rawlen(L, index) != 2) lwl_raise(L, at->where, "'%sbody' expected two heights", at->prefix);
  double heights[2] = {0, 0};
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; ++i) {
    lua_rawgeti(L, index, i + 1);
    if (!lwl_to_number(L, -1, &lwl_not_negative, &heights[i]))
      lwl_raise_item(L, at, "body", i + 1, lwl_not_negative.text, -1);
    lua_rawseti(L, -2, i + 1);
  }
  if (heights[0] > heights[1]) lwl_raise(L, at->where, "'%sbody' expected the lower height first", at->prefix);
}

static void copy_stance(lua_State *L, const lwl_at *at, const char *name, int index) {
  static const char *const keys[] = {"eye", "body", "speed", NULL};
  need_table(L, at, name, index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, name)};
  lwl_check_keys(L, &inside, index, keys);
  lua_newtable(L);
  for (const char *const *key = keys; *key; ++key) {
    if (lwl_get(L, index, *key) != LUA_TNIL) {
      const int value = lua_gettop(L);
      if (strcmp(*key, "body") == 0)
        copy_body(L, &inside, value);
      else
        copy_number(L, &inside, *key, &lwl_positive, value);
      lua_setfield(L, value - 1, *key);
    }
    lua_pop(L, 1);
  }
}

static void copy_stances(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "stances", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%sstances.", at->prefix)};
  lua_newtable(L);
  const int copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      lwl_raise(L, at->where, "'%sstances' expected names as keys, got %s", at->prefix, lwl_describe(L, -2));
    const char *name = lua_tostring(L, -2);
    copy_stance(L, &inside, name, lua_gettop(L));
    lua_setfield(L, copy, name);
    lua_settop(L, copy + 1);
  }
}

static void copy_area_factor(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "area_factor", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%sarea_factor.", at->prefix)};
  lua_newtable(L);
  const int copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lwl_check_area(L, at, "area_factor", -2);
    lua_pushvalue(L, -2);
    copy_number(L, &inside, lua_tostring(L, -1), &lwl_not_negative, copy + 2);
    lua_rawset(L, copy);
    lua_pop(L, 1);
  }
}

static void copy_avoid(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "avoid", index);
  const lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  lua_Integer count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) ++count, lua_pop(L, 1);
  if (count != length) lwl_raise(L, at->where, "'%savoid' expected a list of areas' names", at->prefix);
  lua_createtable(L, (int)length, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    if (lua_rawgeti(L, index, i) != LUA_TSTRING) lwl_raise_item(L, at, "avoid", i, "the name of an area", -1);
    lwl_check_area(L, at, "avoid", -1);
    lua_rawseti(L, -2, i);
  }
}

static void copy_extends(lua_State *L, const lwl_at *at, int index) {
  if (lua_type(L, index) != LUA_TSTRING) lwl_raise_expected(L, at, "extends", "the name of a profile", index);
  lua_pushvalue(L, index);
}

static void copy_value(lua_State *L, const lwl_at *at, const profile_key *key, int index) {
  switch (key->kind) {
  case NUMBER: copy_number(L, at, key->name, key->range, index); break;
  case FLAG: copy_flag(L, at, key->name, index); break;
  case NUMBERS:
  case FLAGS: copy_named(L, at, key, index); break;
  case EXTENDS: copy_extends(L, at, index); break;
  case STANCES: copy_stances(L, at, index); break;
  case AREA_FACTOR: copy_area_factor(L, at, index); break;
  case AVOID: copy_avoid(L, at, index); break;
  }
}

void lwl_copy_profile(lua_State *L, const lwl_at *at, int table, const char *const *keys) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  table = lua_absindex(L, table);
  lwl_check_keys(L, at, table, keys ? keys : all_keys);
  lua_newtable(L);
  const int copy = lua_gettop(L);
  for (int i = 0; i < KEY_COUNT; ++i) {
    if (lwl_get(L, table, profile_keys[i].name) != LUA_TNIL) {
      copy_value(L, at, &profile_keys[i], copy + 1);
      lua_setfield(L, copy, profile_keys[i].name);
    }
    lua_settop(L, copy);
  }
}

// --- merge ----------------------------------------------------------------------------------------------------

/// Push a copy of the value at index, tables and all.
static void push_deep_copy(lua_State *L, int index) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  index = lua_absindex(L, index);
  if (!lua_istable(L, index)) {
    lua_pushvalue(L, index);
    return;
  }
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    push_deep_copy(L, -2);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
}

/// A table that is not a list: those take each other's place as a whole (avoid, body).
static bool is_record(lua_State *L, int index) {
  return lua_istable(L, index) && lua_rawlen(L, index) == 0;
}

void lwl_merge_profile(lua_State *L, int base, int over) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  base = lua_absindex(L, base);
  over = lua_absindex(L, over);
  lua_pushnil(L);
  while (lua_next(L, over)) {
    const int value = lua_gettop(L);
    lua_pushvalue(L, value - 1);
    lua_rawget(L, base);
    if (is_record(L, value) && is_record(L, value + 1)) {
      lwl_merge_profile(L, value + 1, value);
    } else {
      lua_pushvalue(L, value - 1);
      push_deep_copy(L, value);
      lua_rawset(L, base);
    }
    lua_settop(L, value - 1);
  }
}

// --- to and from C --------------------------------------------------------------------------------------------

static float *floats_of(lw_profile_def *def, const profile_key *key) {
  return (float *)(void *)((char *)def + key->offset);
}

static bool *flags_of(lw_profile_def *def, const profile_key *key) {
  return (bool *)(void *)((char *)def + key->offset);
}

/// The shortest number that is this float: 0.4, not 0.4000000059604645.
static void push_float(lua_State *L, float value) {
  char text[32];
  for (int digits = 6; digits <= 9; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    if (strtof(text, NULL) == value) break;
  }
  lua_pushnumber(L, strtod(text, NULL));
}

static void push_default(lua_State *L, lw_profile_def *def, const profile_key *key) {
  switch (key->kind) {
  case NUMBER: push_float(L, *floats_of(def, key)); break;
  case FLAG: lua_pushboolean(L, *flags_of(def, key)); break;
  case NUMBERS:
  case FLAGS:
    lua_newtable(L);
    for (int i = 0; key->names[i]; ++i) {
      if (key->kind == NUMBERS)
        push_float(L, floats_of(def, key)[i]);
      else
        lua_pushboolean(L, flags_of(def, key)[i]);
      lua_setfield(L, -2, key->names[i]);
    }
    break;
  case EXTENDS: lua_pushnil(L); break;
  case STANCES:
  case AREA_FACTOR:
  case AVOID: lua_newtable(L); break;
  }
}

void lwl_push_profile_defaults(lua_State *L) {
  lw_profile_def def = lw_profile_def_default();
  lua_createtable(L, 0, KEY_COUNT);
  for (int i = 0; i < KEY_COUNT; ++i) {
    push_default(L, &def, &profile_keys[i]);
    lua_setfield(L, -2, profile_keys[i].name);
  }
}

/// The value on top of the stack has been checked, so that it is only read here.
static void fill_value(lua_State *L, lw_profile_def *def, const profile_key *key) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  const int value = lua_gettop(L);
  switch (key->kind) {
  case NUMBER: *floats_of(def, key) = (float)lua_tonumber(L, value); break;
  case FLAG: *flags_of(def, key) = lua_toboolean(L, value); break;
  case NUMBERS:
  case FLAGS:
    for (int i = 0; key->names[i]; ++i) {
      lwl_get(L, value, key->names[i]);
      if (key->kind == NUMBERS)
        floats_of(def, key)[i] = (float)lua_tonumber(L, -1);
      else
        flags_of(def, key)[i] = lua_toboolean(L, -1);
    }
    break;
  case AREA_FACTOR:
    lua_pushnil(L);
    while (lua_next(L, value)) {
      floats_of(def, key)[lw_area_table_find(areas, lua_tostring(L, -2))] = (float)lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    break;
  case AVOID:
    for (lua_Integer i = 1; lua_rawgeti(L, value, i) == LUA_TSTRING; ++i) {
      flags_of(def, key)[lw_area_table_find(areas, lua_tostring(L, -1))] = true;
      lua_pop(L, 1);
    }
    break;
  case EXTENDS:
  case STANCES: break;
  }
  lua_settop(L, value);
}

void lwl_fill_profile_def(lua_State *L, int table, lw_profile_def *def) {
  table = lua_absindex(L, table);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  for (int i = 0; i < KEY_COUNT; ++i) {
    if (lwl_get(L, table, profile_keys[i].name) != LUA_TNIL) fill_value(L, def, &profile_keys[i]);
    lua_pop(L, 1);
  }
}
