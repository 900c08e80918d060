/*
** leeward.vec3: an immutable point or direction. Its numbers have double precision; two are equal if they are
** the same in single precision, in which the runtime computes.
*/
#include "plain.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct vec3 {
  lua_Number x, y, z;
} vec3;

/// @return Whether the value is a finite number in the range of single precision.
static bool to_coordinate(lua_State *L, int index, lua_Number *number) {
  if (lua_type(L, index) != LUA_TNUMBER) return false;
  *number = lua_tonumber(L, index);
  return *number >= -FLT_MAX && *number <= FLT_MAX;
}

/// Read {x, y, z} or {x=, y=, z=}.
static bool table_to_vec3(lua_State *L, int index, vec3 *v) {
  static const char *const names[] = {"x", "y", "z"};
  lua_Number *const numbers[] = {&v->x, &v->y, &v->z};
  lwl_unwrap(L, index);
  const lua_Unsigned length = lua_rawlen(L, index);
  if (length != 0 && length != 3) return false;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    if (length == 3)
      lua_rawgeti(L, index, i + 1);
    else
      lwl_get(L, index, names[i]);
    good = to_coordinate(L, -1, numbers[i]) && good;
    lua_pop(L, 1);
  }
  return good;
}

static bool to_vec3(lua_State *L, int index, vec3 *v) {
  if (lua_istable(L, index)) return table_to_vec3(L, lua_absindex(L, index), v);
  const vec3 *other = luaL_testudata(L, index, LWL_VEC3);
  if (other) *v = *other;
  return other != NULL;
}

bool lwl_to_point(lua_State *L, int index, lw_vec3 *point) {
  vec3 v;
  if (!to_vec3(L, index, &v)) return false;
  *point = (lw_vec3){(float)v.x, (float)v.y, (float)v.z};
  return true;
}

lw_vec3 lwl_check_point(lua_State *L, const char *where, const char *name, int index) {
  lw_vec3 point;
  if (!lwl_to_point(L, index, &point)) lwl_raise_expected(L, &(lwl_at){where, ""}, name, "a point", index);
  return point;
}

lw_vec3 lwl_to_place(lua_State *L, const lwl_at *at, const char *name, int index) {
  lw_vec3 p;
  if (!lwl_to_point(L, index, &p)) lwl_raise_expected(L, at, name, "a point", index);
  if (!(fabsf(p.x) <= LW_COORDINATE_MAX && fabsf(p.y) <= LW_COORDINATE_MAX && fabsf(p.z) <= LW_COORDINATE_MAX))
    lwl_raise_expected(L, at, name, "coordinates within +-1000000 metres", index);
  return p;
}

static int push(lua_State *L, vec3 v) {
  const bool finite = fabs(v.x) <= FLT_MAX && fabs(v.y) <= FLT_MAX && fabs(v.z) <= FLT_MAX;
  if (!finite) lwl_raise(L, "vec3", "result is not finite, expected finite numbers");
  vec3 *result = lua_newuserdatauv(L, sizeof *result, 0);
  *result = v;
  luaL_setmetatable(L, LWL_VEC3);
  return 1;
}

bool lwl_push_exact_vec3(lua_State *L, const lua_Number *v) {
  const bool is_point = fabs(v[0]) <= FLT_MAX && fabs(v[1]) <= FLT_MAX && fabs(v[2]) <= FLT_MAX;
  return is_point && push(L, (vec3){v[0], v[1], v[2]});
}

void lwl_push_vec3(lua_State *L, lw_vec3 v) {
  vec3 *result = lua_newuserdatauv(L, sizeof *result, 0);
  /* + 0 turns -0 into 0 */
  *result = (vec3){(lua_Number)v.x + 0, (lua_Number)v.y + 0, (lua_Number)v.z + 0};
  luaL_setmetatable(L, LWL_VEC3);
}

static vec3 check(lua_State *L, const char *where, int index) {
  vec3 v = {0, 0, 0};
  if (!to_vec3(L, index, &v))
    lwl_raise(L, where, "argument %d is %s, expected a point", index, lwl_describe(L, index));
  return v;
}

static lua_Number check_factor(lua_State *L, int index) {
  lua_Number number = 0;
  if (!to_coordinate(L, index, &number))
    lwl_raise(L, "vec3", "factor is %s, expected a finite number", lwl_describe(L, index));
  return number;
}

/*
** leeward.vec3(x, y, z) or leeward.vec3(point) --> vec3
*/
static int new_vec3(lua_State *L) {
  if (lua_gettop(L) == 1) return push(L, check(L, "vec3", 1));
  static const char *const names[] = {"x", "y", "z"};
  lua_Number numbers[3];
  for (int i = 0; i < 3; ++i)
    if (!to_coordinate(L, i + 1, &numbers[i])) {
      if (lua_isnone(L, i + 1)) lua_settop(L, i + 1);
      lwl_raise_expected(L, &(lwl_at){"vec3", ""}, names[i], "a finite number", i + 1);
    }
  return push(L, (vec3){numbers[0], numbers[1], numbers[2]});
}

static int vec3_add(lua_State *L) {
  const vec3 a = check(L, "vec3", 1), b = check(L, "vec3", 2);
  return push(L, (vec3){a.x + b.x, a.y + b.y, a.z + b.z});
}

static int vec3_sub(lua_State *L) {
  const vec3 a = check(L, "vec3", 1), b = check(L, "vec3", 2);
  return push(L, (vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

static int vec3_mul(lua_State *L) {
  const int point = lua_isnumber(L, 1) ? 2 : 1;
  const vec3 v = check(L, "vec3", point);
  const lua_Number k = check_factor(L, 3 - point);
  return push(L, (vec3){v.x * k, v.y * k, v.z * k});
}

static int vec3_div(lua_State *L) {
  const vec3 v = check(L, "vec3", 1);
  const lua_Number k = check_factor(L, 2);
  return push(L, (vec3){v.x / k, v.y / k, v.z / k});
}

static int vec3_unm(lua_State *L) {
  const vec3 v = check(L, "vec3", 1);
  return push(L, (vec3){-v.x, -v.y, -v.z});
}

static int vec3_eq(lua_State *L) {
  lw_vec3 a, b;
  const bool equal = lwl_to_point(L, 1, &a) && lwl_to_point(L, 2, &b) && a.x == b.x && a.y == b.y && a.z == b.z;
  lua_pushboolean(L, equal);
  return 1;
}

static int vec3_tostring(lua_State *L) {
  const vec3 *v = luaL_checkudata(L, 1, LWL_VEC3);
  char text[128];
  snprintf(text, sizeof text, "(%.7g, %.7g, %.7g)", v->x, v->y, v->z);
  lua_pushstring(L, text);
  return 1;
}

/*
** v.x v.y v.z, v[1] v[2] v[3], methods (upvalue 1)
*/
static int vec3_index(lua_State *L) {
  const vec3 *v = luaL_checkudata(L, 1, LWL_VEC3);
  const lua_Number numbers[] = {v->x, v->y, v->z};
  const char *key = lwl_to_text(L, 2);
  if (key) {
    if (key[0] >= 'x' && key[0] <= 'z' && key[1] == '\0') return lua_pushnumber(L, numbers[key[0] - 'x']), 1;
  } else if (lua_isinteger(L, 2)) {
    const lua_Integer i = lua_tointeger(L, 2);
    if (i >= 1 && i <= 3) return lua_pushnumber(L, numbers[i - 1]), 1;
    return 0;
  }
  lua_settop(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

static int vec3_newindex(lua_State *L) {
  lwl_raise(L, "vec3", "a vec3 is immutable; create a new one");
}

static int vec3_length(lua_State *L) {
  const vec3 v = check(L, "length", 1);
  lua_pushnumber(L, sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  return 1;
}

static int vec3_distance(lua_State *L) {
  const vec3 a = check(L, "distance", 1), b = check(L, "distance", 2);
  const lua_Number x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  lua_pushnumber(L, sqrt(x * x + y * y + z * z));
  return 1;
}

static int vec3_unpack(lua_State *L) {
  const vec3 v = check(L, "unpack", 1);
  lua_pushnumber(L, v.x);
  lua_pushnumber(L, v.y);
  lua_pushnumber(L, v.z);
  return 3;
}

static const luaL_Reg methods[] = {
    {"length", vec3_length}, {"distance", vec3_distance}, {"unpack", vec3_unpack}, {NULL, NULL}};

static const luaL_Reg meta[] = {
    {"__add", vec3_add},           {"__sub", vec3_sub},           {"__mul", vec3_mul},
    {"__div", vec3_div},           {"__unm", vec3_unm},           {"__eq", vec3_eq},
    {"__tostring", vec3_tostring}, {"__newindex", vec3_newindex}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"vec3", new_vec3}, {NULL, NULL}};

void lwl_open_vec3(lua_State *L) {
  luaL_newmetatable(L, LWL_VEC3);
  luaL_setfuncs(L, meta, 0);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, vec3_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, LWL_VEC3);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
  luaL_setfuncs(L, functions, 0);
}
