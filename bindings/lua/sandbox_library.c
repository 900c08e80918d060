/*
** What scripts in a sandbox may use of Lua's libraries. Functions whose work is not done in instructions of Lua count it:
** before each call, by what its arguments say.
*/
#include "sandbox.h"

#include <string.h>

typedef int64_t cost_function(lua_State *L);

/// A length that a script says, within bounds that sums of it stay in.
static int64_t length_between(lua_State *L, int first, int last, lua_Integer first_default,
                              lua_Integer last_default) {
  const lua_Integer from = luaL_optinteger(L, first, first_default),
                    to = luaL_optinteger(L, last, last_default);
  const int64_t bound = INT64_C(1) << 40;
  const int64_t low = from < -bound ? -bound : from > bound ? bound : from;
  const int64_t high = to < -bound ? -bound : to > bound ? bound : to;
  return high >= low ? high - low + 1 : 0;
}

int64_t lwl_depth_of_fields(lua_State *L, int index) {
  enum { DEPTH_MAX = 2000 }; /* of Lua */
  static const char *const names[] = {"__index", "__newindex"};
  int64_t sum = 1;
  for (int i = 0; i < 2; ++i) {
    lua_pushvalue(L, index);
    for (int depth = 0; depth < DEPTH_MAX && luaL_getmetafield(L, -1, names[i]) != LUA_TNIL; ++depth, ++sum)
      lua_remove(L, -2);
    lua_pop(L, 1);
  }
  return sum;
}

/// The length of the list at index 1, that no metamethod says.
static int64_t list_length(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
    luaL_error(L, "a script in a sandbox cannot do that with a table that has '__len'");
  return (int64_t)lua_rawlen(L, 1);
}

static int64_t cost_of_text(lua_State *L) {
  int64_t bytes = 0;
  for (int i = lua_gettop(L); i > 0; --i)
    if (lua_type(L, i) == LUA_TSTRING) bytes += (int64_t)lua_rawlen(L, i);
  return 1 + bytes / 16;
}

static int64_t cost_of_rep(lua_State *L) {
  return cost_of_text(L) + length_between(L, 4, 2, 1, 0);
}

/// Of as many fields of the list at index.
static int64_t cost_of_fields(lua_State *L, int index, int64_t count) {
  const int64_t depth = lwl_depth_of_fields(L, index);
  return count * depth + depth - 1; /* to find the depth, too */
}

static int64_t cost_of_concat(lua_State *L) {
  const int64_t length = list_length(L);
  return cost_of_fields(L, 1, length_between(L, 3, 4, 1, (lua_Integer)length));
}

static int64_t cost_of_insert(lua_State *L) {
  const int64_t length = list_length(L);
  return cost_of_fields(L, 1, lua_gettop(L) > 2 ? length_between(L, 2, 4, 1, (lua_Integer)length + 1) : 1);
}

static int64_t cost_of_remove(lua_State *L) {
  const int64_t length = list_length(L);
  return cost_of_fields(L, 1, lua_gettop(L) > 1 ? length_between(L, 2, 4, 1, (lua_Integer)length) : 1);
}

static int64_t cost_of_move(lua_State *L) {
  const int64_t count = length_between(L, 2, 3, 1, 0);
  return cost_of_fields(L, 1, count) + (lua_istable(L, 5) ? cost_of_fields(L, 5, count) : 0);
}

static int64_t cost_of_unpack(lua_State *L) {
  const lua_Integer length = lua_istable(L, 1) ? (lua_Integer)list_length(L) : 0;
  lua_settop(L, lua_gettop(L) < 3 ? lua_gettop(L) : 3);
  const int64_t count = length_between(L, 2, 3, 1, length);
  return count < 1000000 ? cost_of_fields(L, 1, count) : 1; /* unpack() refuses that */
}

/// Bytes of the longest string in the list at index 1.
static int64_t longest_in_list(lua_State *L, int64_t length) {
  size_t longest = 0;
  for (int64_t i = 1; i <= length; ++i) {
    if (lua_rawgeti(L, 1, i) == LUA_TSTRING && lua_rawlen(L, -1) > longest) longest = lua_rawlen(L, -1);
    lua_pop(L, 1);
  }
  return (int64_t)longest;
}

static int64_t cost_of_sort(lua_State *L) {
  const int64_t length = list_length(L);
  int64_t cost = length;
  for (int64_t left = length; left > 1; left /= 2) cost += length;
  lua_settop(L, 2);
  const bool is_in_c = lua_isnil(L, 2) || lua_iscfunction(L, 2); /* else instructions are counted */
  const int64_t bytes = is_in_c ? longest_in_list(L, length) : 0;
  return cost_of_fields(L, 1, cost) + cost * (bytes / 16);
}

/// Upvalues of call_counted().
enum { CALLS = 1, ORIGINAL, COST };

static int call_counted(lua_State *L) {
  const int count = lua_gettop(L);
  cost_function *const *cost = lua_touserdata(L, lua_upvalueindex(COST));
  lwl_count_work(L, lua_touserdata(L, lua_upvalueindex(CALLS)), (*cost)(L));
  lua_settop(L, count);
  lua_pushvalue(L, lua_upvalueindex(ORIGINAL));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

/// Functions of Lua's libraries that a script may call. `cost` NULL: as they are.
typedef struct allowed {
  const char *name;
  cost_function *cost;
} allowed;

static const allowed base_functions[] = {{"assert", NULL}, {"error", NULL},
                                         {"ipairs", NULL}, {"rawequal", NULL},
                                         {"rawget", NULL}, {"rawlen", NULL},
                                         {"select", NULL}, {"tonumber", cost_of_text},
                                         {"type", NULL},   {"tostring", cost_of_text},
                                         {NULL, NULL}},
                     math_functions[] = {{"abs", NULL},
                                         {"acos", NULL},
                                         {"asin", NULL},
                                         {"atan", NULL},
                                         {"ceil", NULL},
                                         {"cos", NULL},
                                         {"deg", NULL},
                                         {"exp", NULL},
                                         {"floor", NULL},
                                         {"fmod", NULL},
                                         {"log", NULL},
                                         {"max", NULL},
                                         {"min", NULL},
                                         {"modf", NULL},
                                         {"rad", NULL},
                                         {"sin", NULL},
                                         {"sqrt", NULL},
                                         {"tan", NULL},
                                         {"tointeger", cost_of_text},
                                         {"type", NULL},
                                         {"ult", NULL},
                                         {NULL, NULL}},
                     table_functions[] = {{"concat", cost_of_concat}, {"insert", cost_of_insert},
                                          {"move", cost_of_move},     {"pack", NULL},
                                          {"remove", cost_of_remove}, {"sort", cost_of_sort},
                                          {"unpack", cost_of_unpack}, {NULL, NULL}},
                     string_functions[] = {{"byte", cost_of_text},
                                           {"char", cost_of_text},
                                           {"format", cost_of_text},
                                           {"len", NULL},
                                           {"lower", cost_of_text},
                                           {"pack", cost_of_text},
                                           {"packsize", cost_of_text},
                                           {"rep", cost_of_rep},
                                           {"reverse", cost_of_text},
                                           {"sub", cost_of_text},
                                           {"unpack", cost_of_text},
                                           {"upper", cost_of_text},
                                           {NULL, NULL}},
                     utf8_functions[] = {{"char", cost_of_text},   {"codepoint", cost_of_text},
                                         {"codes", cost_of_text},  {"len", cost_of_text},
                                         {"offset", cost_of_text}, {NULL, NULL}},
                     coroutine_functions[] = {{"isyieldable", NULL},

                                              {"status", NULL},
                                              {"yield", NULL},
                                              {NULL, NULL}};

/// Add the functions of the library on top of the stack to the table at index.
static void add_allowed(lua_State *L, lwl_calls *calls, int table, const allowed *functions) {
  const int library = lua_gettop(L);
  for (; functions->name; ++functions) {
    if (lwl_get(L, library, functions->name) == LUA_TFUNCTION && functions->cost) {
      lua_pushlightuserdata(L, calls);
      lua_insert(L, -2);
      lua_pushlightuserdata(L, (void *)(uintptr_t)&functions->cost);
      lua_pushcclosure(L, call_counted, COST);
    }
    lua_setfield(L, table, functions->name);
  }
}

static const struct {
  const char *name;
  const allowed *functions;
} libraries[] = {{"_G", base_functions},       {"math", math_functions}, {"table", table_functions},
                 {"string", string_functions}, {"utf8", utf8_functions}, {"coroutine", coroutine_functions}};

int lwl_push_library(lua_State *L, lwl_calls *calls, int environment, const char *name) {
  const bool is_base = strcmp(name, "_G") == 0;
  if (is_base) {
    lua_pushvalue(L, environment);
  } else {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, environment, name);
  }
  const int table = lua_gettop(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  const bool is_there = lua_getfield(L, -1, name) == LUA_TTABLE;
  for (size_t i = 0; is_there && i < sizeof libraries / sizeof *libraries; ++i)
    if (strcmp(libraries[i].name, name) == 0) add_allowed(L, calls, table, libraries[i].functions);
  lua_settop(L, table);
  return table;
}
