/*
** Profiles as tables: checking, merging, and conversion to the C struct. The ranges are those of
** lw_profile_range().
*/
#include "profile_layers.h"
#include "senses.h"
#include "trailer.h"
#include "whiskers.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(lw_profile_def, field)
const lwl_profile_key lwl_profile_keys[] = {
    {"extends", LWL_EXTENDS, 0, 0},
    {"patch", LWL_PATCH, 0, 0},
    {"radius", LWL_NUMBER, AT(radius), 0},
    {"height", LWL_NUMBER, AT(height), 0},
    {"climb", LWL_NUMBER, AT(climb), 0},
    {"speed", LWL_NUMBERS, AT(speed), LWL_PACE},
    {"speed_factor", LWL_BY_AREA, AT(speed_factor), 0},
    {"turn_radius", LWL_NUMBER, AT(body.turn_radius), 0},
    {"wheelbase", LWL_NUMBER, AT(body.vehicle.wheelbase), 0},
    {"length", LWL_NUMBER, AT(body.vehicle.length), 0},
    {"width", LWL_NUMBER, AT(body.vehicle.width), 0},
    {"reverse_cost", LWL_NUMBER, AT(body.vehicle.reverse_cost), 0},
    {"trailer", LWL_TRAILER, 0, 0},
    {"acceleration", LWL_NUMBER, AT(body.acceleration), 0},
    {"deceleration", LWL_NUMBER, AT(body.deceleration), 0},
    {"lateral_acceleration", LWL_NUMBER, AT(body.lateral_acceleration), 0},
    {"turn_rate", LWL_NUMBER, AT(body.turn_rate), 0},
    {"caution", LWL_NUMBER, AT(body.caution), 0},
    {"priority", LWL_NUMBER, AT(body.priority), 0},
    {"mass", LWL_NUMBER, AT(body.mass), 0},
    {"avoidance", LWL_CHOICE, AT(body.avoidance), LWL_AVOIDANCE},
    {"whiskers", LWL_WHISKERS, 0, 0},
    {"stances", LWL_STANCES, 0, 0},
    {"senses", LWL_SENSES, 0, 0},
    {"wade_depth", LWL_NUMBER, AT(wade_depth), 0},
    {"can_swim", LWL_FLAG, AT(can_swim), 0},
    {"can_crouch", LWL_FLAG, AT(body.can_crouch), 0},
    {"can_open_doors", LWL_FLAG, AT(can_open_doors), 0},
    {"can_traverse", LWL_FLAGS, AT(can_traverse), LWL_LINK_TYPE},
    {"can_take", LWL_FLAGS, AT(can_take), LWL_LINK_KIND},
    {"resistance_factor", LWL_NUMBERS, AT(resistance_factor), LWL_LINK_TYPE},
    {"swim_resistance_factor", LWL_NUMBER, AT(swim_resistance_factor), 0},
    {"exposure_factor", LWL_NUMBER, AT(exposure_factor), 0},
    {"danger_cost", LWL_NUMBER, AT(danger_cost), 0},
    {"cover_bias", LWL_NUMBER, AT(cover_bias), 0},
    {"safety_bias", LWL_NUMBER, AT(safety_bias), 0},
    {"area_factor", LWL_BY_AREA, AT(area_factor), 0},
    {"avoid", LWL_AVOID, AT(avoid), 0},
    {NULL, LWL_PATCH, 0, 0},
};

const char *const lwl_named_profile_keys[] = {"patch",
                                              "extends",
                                              "radius",
                                              "height",
                                              "climb",
                                              "speed",
                                              "speed_factor",
                                              "turn_radius",
                                              "wheelbase",
                                              "length",
                                              "width",
                                              "reverse_cost",
                                              "trailer",
                                              "acceleration",
                                              "deceleration",
                                              "lateral_acceleration",
                                              "turn_rate",
                                              "caution",
                                              "priority",
                                              "mass",
                                              "avoidance",
                                              "whiskers",
                                              "stances",
                                              "senses",
                                              "wade_depth",
                                              "can_swim",
                                              "can_crouch",
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
/// Without `patch`, which changes a profile that has a name.
const char *const *const lwl_plain_profile_keys = lwl_named_profile_keys + 1;

const char *const lwl_cost_keys[] = {"resistance_factor", "swim_resistance_factor",
                                     "exposure_factor",   "danger_cost",
                                     "cover_bias",        "safety_bias",
                                     "area_factor",       NULL};

// --- check and copy ------------------------------------------------------------------------------------------

const char *lwl_profile_unit(const lwl_profile_key *key) {
  const lw_range *range = lw_profile_range(key->kind == LWL_STANCES ? "stances.eye" : key->name);
  return range ? range->unit : NULL;
}

static void copy_number(lua_State *L, const lwl_at *at, const char *key, const lw_range *range, int index) {
  lua_pushnumber(L, lwl_check_number(L, at, key, index, range));
}

static void copy_flag(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (!lua_isboolean(L, index)) lwl_raise_expected(L, at, key, "true or false", index);
  lua_pushvalue(L, index);
}

static void copy_choice(lua_State *L, const lwl_at *at, const lwl_profile_key *key, int index) {
  lua_pushstring(L, lwl_enum_name(key->of, lwl_check_enum(L, at, key->name, index, key->of)));
}

static void need_table(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (!lua_istable(L, index)) lwl_raise_expected(L, at, key, "a table", index);
}

/// speed, can_traverse, can_take, resistance_factor
static void copy_named(lua_State *L, const lwl_at *at, const lwl_profile_key *key, int index) {
  const char *names[LWL_ENUM_MAX];
  lwl_enum_names(key->of, names);
  need_table(L, at, key->name, index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, key->name)};
  lwl_check_keys(L, &inside, index, names);
  lua_newtable(L);
  for (const char *const *name = names; *name; ++name) {
    if (lwl_get(L, index, *name) != LUA_TNIL) {
      if (key->kind == LWL_NUMBERS)
        copy_number(L, &inside, *name, lw_profile_range(key->name), lua_gettop(L));
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
  if (lua_rawlen(L, index) != 2) lwl_raise_expected(L, at, "body", "two heights in metres", index);
  double heights[2] = {0, 0};
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; ++i) {
    lua_rawgeti(L, index, i + 1);
    const char *item = i == 0 ? "body[1]" : "body[2]";
    heights[i] = lwl_check_number(L, at, item, -1, lw_profile_range("stances.body"));
    lua_rawseti(L, -2, i + 1);
  }
  if (heights[0] > heights[1]) lwl_raise_expected(L, at, "body", "the lower height first", index);
}

static void copy_stance(lua_State *L, const lwl_at *at, const char *name, int index) {
  static const char *const keys[] = {"eye", "body", "speed", NULL};
  need_table(L, at, name, index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, name)};
  lwl_check_keys(L, &inside, index, keys);
  lua_newtable(L);
  const int copy = lua_gettop(L), value = copy + 1;
  for (const char *const *key = keys; *key; ++key) {
    if (lwl_get(L, index, *key) != LUA_TNIL) {
      if (strcmp(*key, "body") == 0)
        copy_body(L, &inside, value);
      else
        copy_number(L, &inside, *key, lw_profile_range(lua_pushfstring(L, "stances.%s", *key)), value);
      lua_setfield(L, copy, *key);
    }
    lua_settop(L, copy);
  }
}

/// Raise because of the key at index of the table at `key`.
static _Noreturn void raise_key(lua_State *L, const lwl_at *at, const char *key, const char *expected,
                                int index) {
  index = lua_absindex(L, index);
  const char *got = lwl_describe(L, index);
  lwl_raise_at(L, at, key, "has the key %s, expected %s", got, lwl_push_expected_text(L, index, expected));
}

static void copy_stances(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "stances", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%sstances.", at->prefix)};
  lua_newtable(L);
  const int copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const char *name = lwl_to_text(L, -2);
    if (!name) raise_key(L, at, "stances", "names of stances", -2);
    if (!*name || strlen(name) > sizeof((lw_stance *)NULL)->name - 1)
      lwl_raise_at(L, at, "stances", "has the key %s, expected 1 to 31 bytes", lwl_describe(L, -2));
    copy_stance(L, &inside, name, lua_gettop(L));
    lua_setfield(L, copy, name);
    lua_settop(L, copy + 1);
  }
}

/// area_factor, speed_factor
static void copy_by_area(lua_State *L, const lwl_at *at, const lwl_profile_key *key, int index) {
  need_table(L, at, key->name, index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, key->name)};
  lua_newtable(L);
  const int copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const char *name = lwl_to_text(L, -2);
    if (!name) raise_key(L, at, key->name, "names of areas", -2);
    lwl_check_area_key(L, &inside, name);
    lua_pushvalue(L, -2);
    copy_number(L, &inside, lua_tostring(L, -1), lw_profile_range(key->name), copy + 2);
    lua_rawset(L, copy);
    lua_pop(L, 1);
  }
}

static void copy_avoid(lua_State *L, const lwl_at *at, int index) {
  const char *expected = "a list of the names of areas";
  if (!lua_istable(L, index)) lwl_raise_expected(L, at, "avoid", expected, index);
  const lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  lua_Integer count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) ++count, lua_pop(L, 1);
  if (count != length) lwl_raise_expected(L, at, "avoid", expected, index);
  lua_createtable(L, (int)length, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    if (lua_rawgeti(L, index, i) != LUA_TSTRING) lwl_raise_item(L, at, "avoid", i, "the name of an area", -1);
    const char *key = lua_pushfstring(L, "avoid[%I]", (LUAI_UACINT)i);
    lwl_check_area(L, at, key, -2);
    lua_pop(L, 1);
    lua_rawseti(L, -2, i);
  }
}

static void copy_extends(lua_State *L, const lwl_at *at, int index) {
  lwl_check_text(L, at, "extends", "the name of a profile", index);
  lua_pushvalue(L, index);
}

static void copy_senses(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "senses", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%ssenses.", at->prefix)};
  lwl_copy_senses(L, &inside, index);
}

static void copy_whiskers(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "whiskers", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%swhiskers.", at->prefix)};
  lwl_copy_whiskers(L, &inside, index);
}

static void copy_trailer(lua_State *L, const lwl_at *at, int index) {
  need_table(L, at, "trailer", index);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%strailer.", at->prefix)};
  lwl_copy_trailer(L, &inside, index);
}

static void copy_value(lua_State *L, const lwl_at *at, const lwl_profile_key *key, int index) {
  switch (key->kind) {
  case LWL_NUMBER: copy_number(L, at, key->name, lw_profile_range(key->name), index); break;
  case LWL_PATCH:
  case LWL_FLAG: copy_flag(L, at, key->name, index); break;
  case LWL_CHOICE: copy_choice(L, at, key, index); break;
  case LWL_NUMBERS:
  case LWL_FLAGS: copy_named(L, at, key, index); break;
  case LWL_EXTENDS: copy_extends(L, at, index); break;
  case LWL_STANCES: copy_stances(L, at, index); break;
  case LWL_SENSES: copy_senses(L, at, index); break;
  case LWL_WHISKERS: copy_whiskers(L, at, index); break;
  case LWL_TRAILER: copy_trailer(L, at, index); break;
  case LWL_BY_AREA: copy_by_area(L, at, key, index); break;
  case LWL_AVOID: copy_avoid(L, at, index); break;
  }
}

void lwl_copy_profile(lua_State *L, const lwl_at *at, int table, const char *const *keys) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  table = lua_absindex(L, table);
  lwl_check_keys(L, at, table, keys);
  lua_newtable(L);
  const int copy = lua_gettop(L);
  for (int i = 0; lwl_profile_keys[i].name; ++i) {
    if (lwl_get(L, table, lwl_profile_keys[i].name) != LUA_TNIL) {
      copy_value(L, at, &lwl_profile_keys[i], copy + 1);
      lua_setfield(L, copy, lwl_profile_keys[i].name);
    }
    lua_settop(L, copy);
  }
}

// --- merge ---------------------------------------------------------------------------------------------------

void lwl_push_copy(lua_State *L, int index) {
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
    lwl_push_copy(L, -2);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
}

bool lwl_is_record(lua_State *L, int index) {
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
    if (lwl_is_record(L, value) && lwl_is_record(L, value + 1)) {
      lwl_merge_profile(L, value + 1, value);
    } else {
      lua_pushvalue(L, value - 1);
      lwl_push_copy(L, value);
      lua_rawset(L, base);
    }
    lua_settop(L, value - 1);
  }
}

// --- to and from C -------------------------------------------------------------------------------------------

static float *floats_of(lw_profile_def *def, const lwl_profile_key *key) {
  return (float *)(void *)((char *)def + key->offset);
}

static bool *flags_of(lw_profile_def *def, const lwl_profile_key *key) {
  return (bool *)(void *)((char *)def + key->offset);
}

static int *choice_of(lw_profile_def *def, const lwl_profile_key *key) {
  _Static_assert(sizeof(lw_avoidance) == sizeof(int), "choices are enumerations");
  return (int *)(void *)((char *)def + key->offset);
}

/// { dirt = 2 }: the areas whose numbers differ from the default.
static void push_by_area(lua_State *L, const float *numbers, const float *defaults) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  lua_newtable(L);
  for (int id = 1; id <= lw_area_table_count(areas); ++id) {
    if (numbers[id] == defaults[id]) continue;
    lwl_push_float(L, numbers[id]);
    lua_setfield(L, -2, lw_area_table_get(areas, (lw_area_id)id)->name);
  }
}

static void push_avoid(lua_State *L, const bool *avoid) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  lua_newtable(L);
  for (int id = 1, count = 0; id <= lw_area_table_count(areas); ++id) {
    if (!avoid[id]) continue;
    lua_pushstring(L, lw_area_table_get(areas, (lw_area_id)id)->name);
    lua_rawseti(L, -2, ++count);
  }
}

/// The value of a name that was checked.
static int find_choice(const char *name, lwl_enum of) {
  int value = 0;
  while (lwl_enum_name(of, value) && strcmp(lwl_enum_name(of, value), name) != 0) ++value;
  return value;
}

void lwl_push_float(lua_State *L, float value) {
  char text[32];
  for (int digits = 6; digits <= 9; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    if (strtof(text, NULL) == value) break;
  }
  lua_pushnumber(L, strtod(text, NULL));
}

static void push_stances(lua_State *L, const lw_profile_def *def) {
  lua_createtable(L, 0, def->stance_count);
  for (int i = 0; i < def->stance_count; ++i) {
    const lw_stance *stance = &def->stances[i];
    lua_createtable(L, 0, 3);
    lwl_push_float(L, stance->eye);
    lua_setfield(L, -2, "eye");
    lua_createtable(L, 2, 0);
    for (int k = 0; k < 2; ++k) lwl_push_float(L, stance->body[k]), lua_rawseti(L, -2, k + 1);
    lua_setfield(L, -2, "body");
    lwl_push_float(L, stance->speed);
    lua_setfield(L, -2, "speed");
    lua_setfield(L, -2, stance->name);
  }
}

static void push_value(lua_State *L, lw_profile_def *def, lw_profile_def *defaults,
                       const lwl_profile_key *key) {
  switch (key->kind) {
  case LWL_NUMBER: lwl_push_float(L, *floats_of(def, key)); break;
  case LWL_FLAG: lua_pushboolean(L, *flags_of(def, key)); break;
  case LWL_CHOICE: lua_pushstring(L, lwl_enum_name(key->of, *choice_of(def, key))); break;
  case LWL_NUMBERS:
  case LWL_FLAGS:
    lua_newtable(L);
    for (int i = 0; lwl_enum_name(key->of, i); ++i) {
      if (key->kind == LWL_NUMBERS)
        lwl_push_float(L, floats_of(def, key)[i]);
      else
        lua_pushboolean(L, flags_of(def, key)[i]);
      lua_setfield(L, -2, lwl_enum_name(key->of, i));
    }
    break;
  case LWL_PATCH:
  case LWL_EXTENDS: lua_pushnil(L); break;
  case LWL_STANCES: push_stances(L, def); break;
  case LWL_SENSES: lwl_push_senses(L, &def->senses); break;
  case LWL_WHISKERS: lwl_push_whiskers(L, &def->body.whiskers); break;
  case LWL_TRAILER: lwl_push_trailer(L, &def->body.trailer); break;
  case LWL_BY_AREA: push_by_area(L, floats_of(def, key), floats_of(defaults, key)); break;
  case LWL_AVOID: push_avoid(L, flags_of(def, key)); break;
  }
}

void lwl_push_profile_def(lua_State *L, const lw_profile_def *from) {
  lw_profile_def def = *from, defaults = lw_profile_def_default();
  lua_newtable(L);
  for (int i = 0; lwl_profile_keys[i].name; ++i) {
    push_value(L, &def, &defaults, &lwl_profile_keys[i]);
    lua_setfield(L, -2, lwl_profile_keys[i].name);
  }
}

/// Read the keys of a stance; absent keys leave its fields unchanged.
static void fill_stance(lua_State *L, int table, lw_stance *stance) {
  if (lwl_get(L, table, "eye") != LUA_TNIL) stance->eye = (float)lua_tonumber(L, -1);
  if (lwl_get(L, table, "speed") != LUA_TNIL) stance->speed = (float)lua_tonumber(L, -1);
  if (lwl_get(L, table, "body") != LUA_TNIL) {
    for (int i = 0; i < 2; ++i) {
      lua_rawgeti(L, -1, i + 1);
      stance->body[i] = (float)lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 3);
}

/// `stand` and `crouch`, then the others sorted by name; keys that those lack are as in `stand`. A resolved
/// table has at most LW_STANCES_MAX.
static void fill_stances(lua_State *L, int table, lw_profile_def *def) {
  static const char *const first[] = {"stand", "crouch"};
  const int value = table + 1;
  for (int i = 0; i < 2; ++i) {
    if (lwl_get(L, table, first[i]) == LUA_TTABLE) fill_stance(L, value, &def->stances[i]);
    lua_settop(L, table);
  }
  lwl_push_sorted_keys(L, table);
  for (lua_Integer i = 1; lua_rawgeti(L, value, i) == LUA_TSTRING; ++i) {
    const char *name = lua_tostring(L, -1);
    if (strcmp(name, first[0]) != 0 && strcmp(name, first[1]) != 0) {
      lw_stance *stance = &def->stances[def->stance_count++];
      *stance = def->stances[LW_STAND];
      snprintf(stance->name, sizeof stance->name, "%s", name);
      lwl_get(L, table, name);
      fill_stance(L, lua_gettop(L), stance);
    }
    lua_settop(L, value);
  }
  lua_settop(L, table);
}

/// Write the checked value on top of the stack into the struct.
static void fill_value(lua_State *L, lw_profile_def *def, const lwl_profile_key *key) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  const int value = lua_gettop(L);
  switch (key->kind) {
  case LWL_NUMBER: *floats_of(def, key) = (float)lua_tonumber(L, value); break;
  case LWL_FLAG: *flags_of(def, key) = lua_toboolean(L, value); break;
  case LWL_CHOICE: *choice_of(def, key) = find_choice(lua_tostring(L, value), key->of); break;
  case LWL_NUMBERS:
  case LWL_FLAGS:
    for (int i = 0; lwl_enum_name(key->of, i); ++i) {
      lwl_get(L, value, lwl_enum_name(key->of, i));
      if (key->kind == LWL_NUMBERS)
        floats_of(def, key)[i] = (float)lua_tonumber(L, -1);
      else
        flags_of(def, key)[i] = lua_toboolean(L, -1);
    }
    break;
  case LWL_BY_AREA:
    lua_pushnil(L);
    while (lua_next(L, value)) {
      floats_of(def, key)[lw_area_table_find(areas, lua_tostring(L, -2))] = (float)lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    break;
  case LWL_AVOID:
    for (lua_Integer i = 1; lua_rawgeti(L, value, i) == LUA_TSTRING; ++i) {
      flags_of(def, key)[lw_area_table_find(areas, lua_tostring(L, -1))] = true;
      lua_pop(L, 1);
    }
    break;
  case LWL_STANCES: fill_stances(L, value, def); break;
  case LWL_SENSES: lwl_fill_senses(L, value, &def->senses); break;
  case LWL_WHISKERS: lwl_fill_whiskers(L, value, &def->body.whiskers); break;
  case LWL_TRAILER: lwl_fill_trailer(L, value, &def->body.trailer); break;
  case LWL_PATCH:
  case LWL_EXTENDS: break;
  }
  lua_settop(L, value);
}

void lwl_fill_profile_def(lua_State *L, int table, lw_profile_def *def) {
  table = lua_absindex(L, table);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  for (int i = 0; lwl_profile_keys[i].name; ++i) {
    if (lwl_get(L, table, lwl_profile_keys[i].name) != LUA_TNIL) fill_value(L, def, &lwl_profile_keys[i]);
    lua_pop(L, 1);
  }
}
