/*
** What all files of the binding share.
*/
#include "lwl.h"

#include "core/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const lw_range lwl_finite = {-FLT_MAX, FLT_MAX, NULL, false};
const lw_range lwl_positive = {0, FLT_MAX, NULL, true};
const lw_range lwl_not_negative = {0, FLT_MAX, NULL, false};
const lw_range lwl_fraction = {0, 1, NULL, false};
const lw_range lwl_metres = {-FLT_MAX, FLT_MAX, "m", false};
const lw_range lwl_metres_positive = {0, FLT_MAX, "m", true};
const lw_range lwl_metres_not_negative = {0, FLT_MAX, "m", false};
const lw_range lwl_seconds_positive = {0, FLT_MAX, "s", true};
const lw_range lwl_seconds_not_negative = {0, FLT_MAX, "s", false};

// --- errors --------------------------------------------------------------------------------------------------

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
  lwl_push_shown(L, -1, LWL_MESSAGE_MAX);
  throw_top(L);
}

void lwl_raise_at(lua_State *L, const lwl_at *at, const char *key, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  lwl_raise(L, at->where, "%s%s %s", at->prefix, key, message);
}

void lwl_raise_expected(lua_State *L, const lwl_at *at, const char *key, const char *expected, int index) {
  lwl_raise_at(L, at, key, "is %s, expected %s", lwl_describe(L, index), expected);
}

void lwl_raise_missing(lua_State *L, const lwl_at *at, const char *key, const char *expected) {
  lwl_raise_at(L, at, key, "is nil, expected %s", expected);
}

void lwl_raise_item(lua_State *L, const lwl_at *at, const char *key, lua_Integer item, const char *expected,
                    int index) {
  const char *got = lwl_describe(L, index);
  lwl_raise_at(L, at, lua_pushfstring(L, "%s[%I]", key, (LUAI_UACINT)item), "is %s, expected %s", got,
               expected);
}

const char *lwl_push_range(lua_State *L, const lw_range *range) {
  char text[128];
  lw_range_text(range, text, sizeof text);
  return lua_pushstring(L, text);
}

int lwl_fail(lua_State *L, lw_status status, const char *message) {
  lua_pushstring(L, message ? message : lw_status_text(status));
  lua_pushnil(L);
  lwl_push_shown(L, -2, LWL_MESSAGE_MAX);
  lua_pushstring(L, lw_status_name(status));
  return 3;
}

int lwl_fail_for(lua_State *L, lw_status status, const lw_profile *profile) {
  if (!profile || status != LW_NO_PATH) return lwl_fail(L, status, NULL);
  const char *name = lw_profile_get_def(profile)->name;
  return lwl_fail(L, status, lua_pushfstring(L, "%s for '%s'", lw_status_text(status), name));
}

int lwl_fail_near(lua_State *L, lw_status status, const lwl_place *place) {
  const lw_vec3 at = place->at, snap = place->snap;
  char text[160];
  snprintf(text, sizeof text, " is (%g, %g, %g), expected a navmesh within (%g, %g, %g) m", (double)at.x,
           (double)at.y, (double)at.z, (double)snap.x, (double)snap.y, (double)snap.z);
  const char *name = place->profile ? lw_profile_get_def(place->profile)->name : NULL;
  const char *agent = name ? lua_pushfstring(L, " that '%s' may enter", name) : "";
  return lwl_fail(L, status, lua_pushfstring(L, "%s%s%s", place->field, text, agent));
}

int lwl_fail_or_raise(lua_State *L, const char *where, const lw_error *error) {
  const char *text = error->text[0] ? error->text : lw_status_text(error->status);
  if (error->status == LW_INVALID || error->status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", text);
  return lwl_fail(L, error->status, text);
}

// --- suggestions ---------------------------------------------------------------------------------------------

void lwl_guess_consider(lwl_guess *guess, const char *wanted, const char *candidate) {
  const int distance = lwi_text_distance(wanted, candidate);
  const int limit = 1 + (int)strlen(wanted) / 4;
  if (distance > limit || distance >= (int)strlen(candidate)) return;
  if (guess->name && distance >= guess->distance) return;
  *guess = (lwl_guess){candidate, distance};
}

const char *lwl_push_guess(lua_State *L, const lwl_guess *guess) {
  if (!guess->name) return lua_pushstring(L, "");
  return lua_pushfstring(L, ". Did you mean '%s'?", guess->name);
}

const char *lwl_push_names(lua_State *L, const char *const *names) {
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (int i = 0; names[i]; ++i) {
    if (i > 0) luaL_addstring(&list, ", ");
    luaL_addstring(&list, names[i]);
  }
  luaL_pushresult(&list);
  return lua_tostring(L, -1);
}

// --- options -------------------------------------------------------------------------------------------------

const char lwl_proxied_key = 'p';

void lwl_unwrap(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return;
  if (lua_rawgetp(L, -1, &lwl_proxied_key) == LUA_TTABLE) {
    lua_replace(L, index < 0 ? index - 2 : index);
    lua_pop(L, 1);
  } else {
    lua_pop(L, 2);
  }
}

void lwl_check_table(lua_State *L, const char *where, int index) {
  lwl_unwrap(L, index);
  if (lua_istable(L, index)) return;
  lwl_raise(L, where, "options is %s, expected a table", lwl_describe(L, index));
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
  if (guess.name) lwl_raise(L, at->where, "unknown key '%s%s'%s", at->prefix, key, lwl_push_guess(L, &guess));
  lwl_raise(L, at->where, "unknown key '%s%s'. Known keys: %s", at->prefix, key, lwl_push_names(L, keys));
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
  lwl_unwrap(L, table);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    const char *key = lwl_to_text(L, -1);
    if (key ? is_listed(key, keys) : is_element(L, -1, length)) continue;
    if (lua_type(L, -1) == LUA_TSTRING)
      key = lwl_push_shown(L, -1, LWL_SHOWN_MAX);
    else
      key = lua_pushfstring(L, "[%s]", lwl_describe(L, -1));
    raise_unknown_key(L, at, key, keys);
  }
}

int lwl_get(lua_State *L, int table, const char *key) {
  table = lua_absindex(L, table);
  lwl_unwrap(L, table);
  lua_pushstring(L, key);
  const int type = lua_rawget(L, table);
  if (type == LUA_TTABLE) lwl_unwrap(L, -1);
  return type;
}

bool lwl_to_number(lua_State *L, int index, const lw_range *range, double *number) {
  if (lua_type(L, index) != LUA_TNUMBER || !lw_range_holds(range, lua_tonumber(L, index))) return false;
  // A number above `min` may be `min` in single precision.
  if (range->above && (float)lua_tonumber(L, index) <= (float)range->min) return false;
  *number = lua_tonumber(L, index);
  return true;
}

double lwl_check_number(lua_State *L, const lwl_at *at, const char *key, int index, const lw_range *range) {
  double number = 0;
  if (lwl_to_number(L, index, range, &number)) return number;
  const lua_Number given = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  const char *got = lwl_describe(L, index); /* before pushing: the index may be above the top of the stack */
  const char *expected = lwl_push_range(L, range);
  // Ranges without end are written without the greatest float, unless it is what the number exceeds.
  if (isfinite(given) && given > range->max && range->max >= (double)FLT_MAX)
    expected = lua_pushfstring(L, "%s and <= %f", expected, (lua_Number)FLT_MAX);
  lwl_raise_at(L, at, key, "is %s, expected %s", got, expected);
}

bool lwl_opt_float(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                   float *value) {
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given) *value = (float)lwl_check_number(L, at, key, -1, range);
  lua_pop(L, 1);
  return given;
}

void lwl_need_float(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                    float *value) {
  if (!lwl_opt_float(L, at, table, key, range, value)) lwl_raise_missing(L, at, key, lwl_push_range(L, range));
}

bool lwl_to_integer(lua_State *L, int index, lua_Integer min, lua_Integer max, lua_Integer *value) {
  int is_integer = 0;
  *value = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &is_integer) : 0;
  return is_integer && *value >= min && *value <= max;
}

lua_Integer lwl_check_integer(lua_State *L, const lwl_at *at, const char *key, int index) {
  lua_Integer value;
  if (!lwl_to_integer(L, index, LUA_MININTEGER, LUA_MAXINTEGER, &value))
    lwl_raise_expected(L, at, key, "a whole number", index);
  return value;
}

bool lwl_opt_int(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                 int *value) {
  const lua_Integer min = (lua_Integer)range->min, max = (lua_Integer)range->max;
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given) {
    lua_Integer number;
    if (!lwl_to_integer(L, -1, min, max, &number)) {
      const char *format = "a whole number from %I to %I";
      lwl_raise_expected(L, at, key, lua_pushfstring(L, format, (LUAI_UACINT)min, (LUAI_UACINT)max), -2);
    }
    *value = (int)number;
  }
  lua_pop(L, 1);
  return given;
}

bool lwl_opt_color(lua_State *L, const lwl_at *at, int table, uint32_t *color) {
  lua_Integer value = 0;
  const bool given = lwl_get(L, table, "color") != LUA_TNIL;
  if (given) {
    if (!lwl_to_integer(L, -1, 0, 0xffffff, &value))
      lwl_raise_expected(L, at, "color", "a whole number from 0x000000 to 0xffffff", -1);
    *color = (uint32_t)value;
  }
  lua_pop(L, 1);
  return given;
}

void lwl_opt_seed(lua_State *L, const lwl_at *at, int table, uint64_t *seed) {
  if (lwl_get(L, table, "seed") != LUA_TNIL) *seed = (uint64_t)lwl_check_integer(L, at, "seed", -1);
  lua_pop(L, 1);
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
    *value = lwl_check_text(L, at, key, "a string", -1);
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
  if (!lwl_opt_point(L, at, table, key, value)) lwl_raise_missing(L, at, key, "a point");
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
    lwl_raise_at(L, at, "snap", "is %s, expected half sizes in metres > 0", luaL_tolstring(L, -1, NULL));
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
    lwl_raise_at(L, at, key, "is an empty box, expected min below max on every axis");
  lua_settop(L, bounds - 1);
  return true;
}

lua_Integer lwl_check_list(lua_State *L, const lwl_at *at, const char *key, int index) {
  lwl_unwrap(L, index);
  if (!lua_istable(L, index)) lwl_raise_expected(L, at, key, "a list", index);
  const lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  if (length > 0) return length;
  // A single element in place of the list would be taken for an empty list.
  lua_pushvalue(L, index);
  lua_pushnil(L);
  if (lua_next(L, -2)) {
    lua_pop(L, 1);
    lwl_raise_at(L, at, key, "is a table with the key %s, expected a list; write { x } for one element x",
                 lwl_describe(L, -1));
  }
  lua_pop(L, 1);
  return 0;
}

lua_Integer lwl_need_list(lua_State *L, const lwl_at *at, int table, const char *key, lua_Integer min) {
  lwl_get(L, table, key);
  const lua_Integer length = lwl_check_list(L, at, key, lua_gettop(L));
  if (length < min)
    lwl_raise_at(L, at, key, "is a list of %I, expected at least %I", (LUAI_UACINT)length, (LUAI_UACINT)min);
  if (length > INT32_MAX / 4)
    lwl_raise_at(L, at, key, "is a list of %I, expected at most %I", (LUAI_UACINT)length,
                 (LUAI_UACINT)(INT32_MAX / 4));
  return length;
}

const char *lwl_check_file(lua_State *L, const char *where, int index) {
  const char *name = lwl_check_text(L, &(lwl_at){where, ""}, "file", "a file name", index);
  if (!*name) lwl_raise(L, where, "file is %s, expected a file name", lwl_describe(L, index));
  return name;
}

const char *lwl_check_name(lua_State *L, const char *where, int index) {
  const lwl_at at = {where, ""};
  const char *name = lwl_check_text(L, &at, "name", "1 to 63 bytes", index);
  const size_t length = strlen(name);
  if (length < 1 || length > 63) lwl_raise_expected(L, &at, "name", "1 to 63 bytes", index);
  return name;
}

// --- enumerations --------------------------------------------------------------------------------------------

const char *lwl_enum_name(lwl_enum of, int value) {
  static const char *const qualities[] = {"good", "fast", "exact"}, *const styles[] = {"taut", "rounded"},
                           *const sides[] = {"left", "right", "both"},
                           *const shapes[] = {"box", "cylinder", "polygon"};
  switch (of) {
  case LWL_PACE: return value < LW_PACE_COUNT ? lw_pace_name((lw_pace)value) : NULL;
  case LWL_LINK_TYPE: return value < LW_LINK_TYPE_COUNT ? lw_link_type_name((lw_link_type)value) : NULL;
  case LWL_LINK_KIND: return value < LW_LINK_KIND_COUNT ? lw_link_kind_name((lw_link_kind)value) : NULL;
  case LWL_ACCURACY: return value < LW_ACCURACY_COUNT ? lw_accuracy_name((lw_accuracy)value) : NULL;
  case LWL_COVER_KIND: // LW_COVER_DEFAULT has no name in scripts.
    return value + 1 < LW_COVER_KIND_COUNT ? lw_cover_kind_name((lw_cover_kind)(value + 1)) : NULL;
  case LWL_PATH_STYLE: return value < LW_PATH_STYLE_COUNT ? styles[value] : NULL;
  case LWL_QUALITY: return value < LW_QUALITY_COUNT ? qualities[value] : NULL;
  case LWL_COVER_SIDE: return value <= LW_COVER_BOTH_SIDES ? sides[value] : NULL;
  case LWL_NODE_KIND: return value < LW_NODE_KIND_COUNT ? lw_node_kind_name((lw_node_kind)value) : NULL;
  case LWL_OBSTACLE_SHAPE: return value < LW_OBSTACLE_SHAPE_COUNT ? shapes[value] : NULL;
  case LWL_AVOIDANCE: return value < LW_AVOIDANCE_COUNT ? lw_avoidance_name((lw_avoidance)value) : NULL;
  }
  return NULL;
}

void lwl_enum_names(lwl_enum of, const char *names[LWL_ENUM_MAX]) {
  int count = 0;
  while ((names[count] = lwl_enum_name(of, count))) ++count;
}

const char *lwl_push_choices(lua_State *L, const char *const *names) {
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (int i = 0; names[i]; ++i) {
    if (i > 0)
      luaL_addstring(&text, names[i + 1] ? ", '" : " or '");
    else
      luaL_addchar(&text, '\'');
    luaL_addstring(&text, names[i]);
    luaL_addchar(&text, '\'');
  }
  luaL_pushresult(&text);
  return lua_tostring(L, -1);
}

int lwl_find_choice(lua_State *L, int index, const char *const *names) {
  const char *name = lwl_to_text(L, index);
  for (int i = 0; name && names[i]; ++i)
    if (strcmp(name, names[i]) == 0) return i;
  return -1;
}

int lwl_check_choice(lua_State *L, const lwl_at *at, const char *key, int index, const char *const *names) {
  index = lua_absindex(L, index);
  const int found = lwl_find_choice(L, index, names);
  if (found >= 0) return found;
  const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  lwl_guess guess = {NULL, 0};
  for (int i = 0; names[i]; ++i) lwl_guess_consider(&guess, name, names[i]);
  // The message lists all names: only a near one is worth a suggestion.
  if (guess.distance > 1) guess.name = NULL;
  const char *got = lwl_describe(L, index), *choices = lwl_push_choices(L, names);
  lwl_raise_at(L, at, key, "is %s, expected %s%s", got, choices, lwl_push_guess(L, &guess));
}

int lwl_check_enum(lua_State *L, const lwl_at *at, const char *key, int index, lwl_enum of) {
  const char *names[LWL_ENUM_MAX];
  lwl_enum_names(of, names);
  return lwl_check_choice(L, at, key, index, names);
}

bool lwl_opt_enum(lua_State *L, const lwl_at *at, int table, const char *key, lwl_enum of, int *value) {
  const bool given = lwl_get(L, table, key) != LUA_TNIL;
  if (given) *value = lwl_check_enum(L, at, key, -1, of);
  lua_pop(L, 1);
  return given;
}

// --- fields of results ---------------------------------------------------------------------------------------

void lwl_set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

void lwl_set_integer(lua_State *L, const char *key, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

void lwl_set_bool(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

void lwl_set_string(lua_State *L, const char *key, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

void lwl_set_vec3(lua_State *L, const char *key, lw_vec3 value) {
  lwl_push_vec3(L, value);
  lua_setfield(L, -2, key);
}

// --- boxes ---------------------------------------------------------------------------------------------------

lwl_shared *lwl_retain(lwl_shared *shared) {
  if (shared) ++shared->count;
  return shared;
}

void lwl_release(lwl_shared *shared) {
  while (shared && --shared->count == 0) {
    lwl_shared *base = shared->base;
    if (shared->object) shared->destroy(shared->object);
    free(shared);
    shared = base;
  }
}

lwl_box *lwl_new_box(lua_State *L, const char *type, size_t size, int user_values, void (*destroy)(void *),
                     lwl_shared *base) {
  lwl_box *box = lua_newuserdatauv(L, size, user_values);
  memset(box, 0, size);
  luaL_setmetatable(L, type); /* from here on the collector frees it */
  box->shared = malloc(sizeof *box->shared);
  if (!box->shared) luaL_error(L, "not enough memory");
  *box->shared = (lwl_shared){.destroy = destroy, .base = lwl_retain(base), .count = 1};
  return box;
}

void lwl_fill_box(lwl_box *box, void *object) {
  box->object = object;
  box->shared->object = object;
}

void lwl_empty_box(lwl_box *box) {
  lwl_shared *shared = box->shared;
  box->object = NULL;
  box->shared = NULL;
  lwl_release(shared);
}

/// Whether the type has a method of that name. An agent's methods are an upvalue of its __index.
static bool is_method(lua_State *L, const char *type, const char *name) {
  const int top = lua_gettop(L);
  luaL_getmetatable(L, type);
  if (lua_getfield(L, -1, "__index") == LUA_TFUNCTION) lua_getupvalue(L, -1, 1);
  const bool found = lua_istable(L, -1) && lua_getfield(L, -1, name) != LUA_TNIL;
  lua_settop(L, top);
  return found;
}

void *lwl_check_userdata(lua_State *L, int index, const char *type, const char *where) {
  void *found = luaL_testudata(L, index, type);
  if (found) return found;
  const char *name = type + sizeof "leeward." - 1, *article = strchr("aeiou", *name) ? "an" : "a";
  const char *got = lwl_describe(L, index);
  if (index == 1 && is_method(L, type, where))
    lwl_raise(L, where, "self is %s, expected %s %s; call it with a colon, %s:%s(...)", got, article, name,
              name, where);
  lwl_raise(L, where, "argument %d is %s, expected %s %s", index, got, article, name);
}

lwl_box *lwl_check_box(lua_State *L, int index, const char *type, const char *where) {
  lwl_box *box = lwl_check_userdata(L, index, type, where);
  if (!box->object) lwl_raise(L, where, "the %s was destroyed", type + sizeof "leeward." - 1);
  return box;
}

lwl_box *lwl_test_box(lua_State *L, int index, const char *type) {
  return luaL_testudata(L, index, type);
}

int lwl_box_gc(lua_State *L) {
  lwl_empty_box(lua_touserdata(L, 1));
  return 0;
}
