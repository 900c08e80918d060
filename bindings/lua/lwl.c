#include "lwl.h"

#include <float.h>
#include <math.h>
#include <string.h>

const lwl_range lwl_finite = {-FLT_MAX, FLT_MAX, false, "a finite number"};
const lwl_range lwl_positive = {0, FLT_MAX, true, "a number above 0"};
const lwl_range lwl_not_negative = {0, FLT_MAX, false, "a number of at least 0"};
const lwl_range lwl_unit = {0, 1, false, "a number from 0 to 1"};

// --- errors ---------------------------------------------------------------------------------------------------

static _Noreturn void throw_top(lua_State *L) {
  lua_error(L);
  __builtin_unreachable();
}

void lwl_raise(lua_State *L, const char *where, const char *format, ...) {
  luaL_where(L, 1);
  lua_pushfstring(L, "%s: ", where);
  va_list arguments;
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  lua_concat(L, 3);
  throw_top(L);
}

/// Push `where`, with the line of the key if it is a data file.
static const char *push_place(lua_State *L, const char *where, const char *key) {
  const int line = lwl_data_line(L, where, key);
  return line > 0 ? lua_pushfstring(L, "%s:%d", where, line) : lua_pushstring(L, where);
}

void lwl_raise_at(lua_State *L, const lwl_at *at, const char *key, const char *format, ...) {
  const char *full = lua_pushfstring(L, "%s%s", at->prefix, key);
  const char *place = push_place(L, at->where, full);
  va_list arguments;
  va_start(arguments, format);
  const char *message = lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  if (*full == '\0') lwl_raise(L, place, "%s", message);
  lwl_raise(L, place, "'%s'%s%s", full, *message == ':' ? "" : " ", message);
}

void lwl_raise_expected(lua_State *L, const lwl_at *at, const char *key, const char *expected, int index) {
  lwl_raise_at(L, at, key, "expected %s, got %s", expected, lwl_describe(L, index));
}

void lwl_raise_item(lua_State *L, const lwl_at *at, const char *key, lua_Integer item, const char *expected,
                    int index) {
  const char *got = lwl_describe(L, index);
  lwl_raise_at(L, at, lua_pushfstring(L, "%s[%I]", key, (LUAI_UACINT)item), "expected %s, got %s", expected,
               got);
}

/// A short list of numbers as it is written, for points; any other table is "a table".
static const char *describe_table(lua_State *L, int index) {
  const lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  if (length < 1 || length > 4) return lua_pushstring(L, "a table");
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  luaL_addchar(&text, '{');
  for (lua_Integer i = 1; i <= length; ++i) {
    if (i > 1) luaL_addstring(&text, ", ");
    lua_rawgeti(L, index, i);
    if (lua_type(L, -1) != LUA_TNUMBER) lua_pushstring(L, luaL_typename(L, -1)), lua_remove(L, -2);
    luaL_addvalue(&text);
  }
  luaL_addchar(&text, '}');
  luaL_pushresult(&text);
  return lua_tostring(L, -1);
}

const char *lwl_describe(lua_State *L, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    if (isnan(lua_tonumber(L, index))) return lua_pushstring(L, "nan"); /* not "-nan" */
    // A copy, for lua_tostring would change the value in place.
    lua_pushvalue(L, index);
    return lua_tostring(L, -1);
  case LUA_TBOOLEAN: return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
  case LUA_TSTRING: {
    const char *text = lua_tostring(L, index);
    if (strlen(text) <= 60) return lua_pushfstring(L, "'%s'", text);
    lua_pushlstring(L, text, 57);
    return lua_pushfstring(L, "'%s...'", lua_tostring(L, -1));
  }
  default:
    if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING)
      return lua_pushfstring(L, "a %s", lua_tostring(L, -1));
    if (lua_type(L, index) <= LUA_TNIL) return lua_pushstring(L, "nil");
    if (lua_istable(L, index)) return describe_table(L, index);
    return lua_pushfstring(L, "a %s", luaL_typename(L, index));
  }
}

int lwl_fail(lua_State *L, lw_status status, const char *message) {
  lua_pushnil(L);
  lua_pushstring(L, message ? message : lw_status_text(status));
  lua_pushstring(L, lw_status_name(status));
  return 3;
}

int lwl_fail_for(lua_State *L, lw_status status, const lw_profile *profile) {
  if (!profile || status != LW_NO_PATH) return lwl_fail(L, status, NULL);
  const char *name = lw_profile_get_def(profile)->name;
  return lwl_fail(L, status, lua_pushfstring(L, "%s for '%s'", lw_status_text(status), name));
}

int lwl_fail_or_raise(lua_State *L, const char *where, const lw_error *error) {
  const char *text = error->text[0] ? error->text : lw_status_text(error->status);
  if (error->status == LW_INVALID || error->status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", text);
  return lwl_fail(L, error->status, text);
}

// --- suggestions ----------------------------------------------------------------------------------------------

#define WORD_MAX 64

static int min_int(int a, int b) {
  return a < b ? a : b;
}

/// Insertions, deletions, changes and swaps of neighbours from one word to the other.
static int edit_distance(const char *a, const char *b) {
  int rows[3][WORD_MAX + 1];
  const int a_length = (int)strlen(a), b_length = (int)strlen(b);
  if (a_length > WORD_MAX || b_length > WORD_MAX) return WORD_MAX;
  for (int j = 0; j <= b_length; ++j) rows[0][j] = j;
  for (int i = 1; i <= a_length; ++i) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *above_that = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= b_length; ++j) {
      const int change = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = min_int(change, min_int(above[j], row[j - 1]) + 1);
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = min_int(row[j], above_that[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

void lwl_guess_consider(lwl_guess *guess, const char *wanted, const char *candidate) {
  const int distance = edit_distance(wanted, candidate);
  const int limit = 1 + (int)strlen(wanted) / 4;
  if (distance > limit || distance >= (int)strlen(candidate)) return;
  if (guess->name && distance >= guess->distance) return;
  *guess = (lwl_guess){candidate, distance};
}

const char *lwl_push_guess(lua_State *L, const lwl_guess *guess) {
  if (!guess->name) return lua_pushstring(L, "");
  return lua_pushfstring(L, " Did you mean '%s'?", guess->name);
}

// --- options --------------------------------------------------------------------------------------------------

void lwl_check_table(lua_State *L, const char *where, int index) {
  if (lua_istable(L, index)) return;
  lwl_raise(L, where, "expected a table, got %s", lwl_describe(L, index));
}

static bool is_listed(const char *key, const char *const *keys) {
  for (; *keys; ++keys)
    if (strcmp(key, *keys) == 0) return true;
  return false;
}

static _Noreturn void raise_unknown_key(lua_State *L, const lwl_at *at, const char *key,
                                        const char *const *keys) {
  lwl_guess guess = {NULL, 0};
  for (const char *const *candidate = keys; *candidate; ++candidate)
    lwl_guess_consider(&guess, key, *candidate);
  const char *full = lua_pushfstring(L, "%s%s", at->prefix, key), *place = push_place(L, at->where, full);
  if (guess.name) lwl_raise(L, place, "unknown key '%s'.%s", full, lwl_push_guess(L, &guess));
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (int i = 0; keys[i]; ++i) {
    if (i > 0) luaL_addstring(&list, ", ");
    luaL_addstring(&list, keys[i]);
  }
  luaL_pushresult(&list);
  lwl_raise(L, place, "unknown key '%s'. Known keys: %s", full, lua_tostring(L, -1));
}

void lwl_check_keys(lua_State *L, const lwl_at *at, int table, const char *const *keys) {
  lwl_check_keys_and_list(L, at, table, keys, 0);
}

static bool is_element(lua_State *L, int index, lua_Integer length) {
  if (!lua_isinteger(L, index)) return false;
  const lua_Integer i = lua_tointeger(L, index);
  return i >= 1 && i <= length;
}

void lwl_check_keys_and_list(lua_State *L, const lwl_at *at, int table, const char *const *keys,
                             lua_Integer length) {
  table = lua_absindex(L, table);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (key ? is_listed(key, keys) : is_element(L, -1, length)) continue;
    if (!key) key = lua_pushfstring(L, "[%s]", lwl_describe(L, -1));
    raise_unknown_key(L, at, key, keys);
  }
}

int lwl_get(lua_State *L, int table, const char *key) {
  table = lua_absindex(L, table);
  lua_pushstring(L, key);
  return lua_rawget(L, table);
}

bool lwl_to_number(lua_State *L, int index, const lwl_range *range, double *number) {
  if (lua_type(L, index) != LUA_TNUMBER) return false;
  const double value = lua_tonumber(L, index);
  // Also false for NaN.
  if (!(value >= range->min && value <= range->max)) return false;
  if (range->above && value <= range->min) return false;
  *number = value;
  return true;
}

double lwl_check_number(lua_State *L, const lwl_at *at, const char *key, int index, const lwl_range *range) {
  double number = 0;
  if (!lwl_to_number(L, index, range, &number)) lwl_raise_expected(L, at, key, range->text, index);
  return number;
}

bool lwl_opt_float(lua_State *L, const lwl_at *at, int table, const char *key, const lwl_range *range,
                   float *value) {
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given) {
    *value = (float)lwl_check_number(L, at, key, -1, range);
    // Too small for single precision: it would be 0 where 0 is wrong.
    if (range->above && *value <= (float)range->min) lwl_raise_expected(L, at, key, range->text, -1);
  }
  lua_pop(L, 1);
  return given;
}

bool lwl_opt_int(lua_State *L, const lwl_at *at, int table, const char *key, int min, int *value) {
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given) {
    int is_integer = 0;
    const lua_Integer number = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &is_integer) : 0;
    if (!is_integer || number < min || number > INT32_MAX)
      lwl_raise_expected(L, at, key, lua_pushfstring(L, "a whole number of at least %d", min), -2);
    *value = (int)number;
  }
  lua_pop(L, 1);
  return given;
}

bool lwl_opt_bool(lua_State *L, const lwl_at *at, int table, const char *key, bool *value) {
  const int type = lwl_get(L, table, key);
  if (type != LUA_TNIL) {
    if (type != LUA_TBOOLEAN) lwl_raise_expected(L, at, key, "true or false", -1);
    *value = lua_toboolean(L, -1);
  }
  lua_pop(L, 1);
  return type != LUA_TNIL;
}

bool lwl_opt_string(lua_State *L, const lwl_at *at, int table, const char *key, const char **value) {
  const int type = lwl_get(L, table, key);
  if (type != LUA_TNIL) {
    if (type != LUA_TSTRING) lwl_raise_expected(L, at, key, "a string", -1);
    *value = lua_tostring(L, -1);
  }
  lua_pop(L, 1);
  return type != LUA_TNIL;
}

bool lwl_opt_point(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value) {
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given && !lwl_to_point(L, -1, value)) lwl_raise_expected(L, at, key, "a point", -1);
  lua_pop(L, 1);
  return given;
}

void lwl_need_point(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value) {
  if (lwl_opt_point(L, at, table, key, value)) return;
  lua_pushnil(L);
  lwl_raise_expected(L, at, key, "a point", -1);
}

bool lwl_opt_place(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value) {
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given) *value = lwl_to_place(L, at, key, lua_gettop(L));
  lua_pop(L, 1);
  return given;
}

void lwl_need_place(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value) {
  if (!lwl_opt_place(L, at, table, key, value)) lwl_need_point(L, at, table, key, value);
}

bool lwl_opt_snap(lua_State *L, const lwl_at *at, int table, lw_vec3 *value) {
  lw_vec3 half;
  if (!lwl_opt_point(L, at, table, "snap", &half)) return false;
  if (!(half.x > 0 && half.y > 0 && half.z > 0)) {
    lwl_push_vec3(L, half);
    lwl_raise(L, at->where, "'%ssnap' expected half sizes above 0, got %s", at->prefix,
              luaL_tolstring(L, -1, NULL));
  }
  *value = half;
  return true;
}

bool lwl_opt_bounds(lua_State *L, const lwl_at *at, int table, const char *key, lw_box *value) {
  static const char *const keys[] = {"min", "max", NULL};
  const int type = lwl_get(L, table, key);
  if (type == LUA_TNIL) return lua_pop(L, 1), false;
  if (type != LUA_TTABLE) lwl_raise_expected(L, at, key, "two points", -1);
  const int bounds = lua_gettop(L);
  if (lua_rawlen(L, bounds) == 0) {
    const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, key)};
    lwl_check_keys(L, &inside, bounds, keys);
    lwl_need_point(L, &inside, bounds, "min", &value->min);
    lwl_need_point(L, &inside, bounds, "max", &value->max);
  } else {
    lw_vec3 *ends[2] = {&value->min, &value->max};
    for (int i = 0; i < 2; ++i) {
      lua_rawgeti(L, bounds, i + 1);
      if (!lwl_to_point(L, -1, ends[i])) lwl_raise_item(L, at, key, i + 1, "a point", -1);
    }
  }
  if (!(value->min.x < value->max.x && value->min.y < value->max.y && value->min.z < value->max.z))
    lwl_raise(L, at->where, "'%s%s' expected min below max on every axis", at->prefix, key);
  lua_settop(L, bounds - 1);
  return true;
}

lua_Integer lwl_check_list(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (!lua_istable(L, index)) lwl_raise_expected(L, at, key, "a list", index);
  const lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  if (length > 0) return length;
  // One of what the list is to hold would pass for none.
  lua_pushvalue(L, index);
  lua_pushnil(L);
  if (lua_next(L, -2)) {
    lua_pop(L, 1);
    lwl_raise(L, at->where, "'%s%s' expected a list, got a table with the key %s; of one, write { { ... } }",
              at->prefix, key, lwl_describe(L, -1));
  }
  lua_pop(L, 1);
  return 0;
}

lua_Integer lwl_need_list(lua_State *L, const lwl_at *at, int table, const char *key, lua_Integer min) {
  lwl_get(L, table, key);
  const lua_Integer length = lwl_check_list(L, at, key, lua_gettop(L));
  if (length < min)
    lwl_raise(L, at->where, "'%s%s' expected a list of at least %I, got %I", at->prefix, key, (LUAI_UACINT)min,
              (LUAI_UACINT)length);
  if (length > INT32_MAX / 4)
    lwl_raise(L, at->where, "'%s%s' is too long: %I elements", at->prefix, key, (LUAI_UACINT)length);
  return length;
}

const char *lwl_check_file(lua_State *L, const char *where, int index) {
  if (lua_type(L, index) != LUA_TSTRING)
    lwl_raise(L, where, "expected a file name, got %s", lwl_describe(L, index));
  size_t length = 0;
  const char *name = lua_tolstring(L, index, &length);
  if (length == 0 || strlen(name) != length)
    lwl_raise(L, where, "expected a file name, got %s", lwl_describe(L, index));
  return name;
}

const char *lwl_check_name(lua_State *L, const char *where, int index) {
  size_t length = 0;
  const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
  if (!name || length < 1 || length > 63 || strlen(name) != length)
    lwl_raise(L, where, "expected a name of 1 to 63 bytes, got %s", lwl_describe(L, index));
  return name;
}
