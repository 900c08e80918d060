/*
** Metatables that scripts of a sandbox set: without finalisers, and without weak keys that keep their values.
**
** Lua's collector takes time that grows with the square of a chain of such values, and cannot be interrupted. So a table
** that is in use as a metatable is locked: a field that it gets later goes through new_field(), in the `__newindex` of a
** metatable of its own. Where a script gives it one, or where it has `__mode` already, a copy is used in its place that no
** script can reach.
*/
#include "sandbox.h"

#include <string.h>

/// Upvalues of the functions here: the lwl_calls; metatables that scripts have set -> true, with weak keys; metatable -> its
/// copy, all weak, so that a copy lives as long as a table has it; the metatable of those that have none else.
enum { CALLS = 1, OWNED, COPIES, LOCK };

/// Its address: of the metatable in its copy.
static const char original_key = 'o';

/// Instructions that a look for metatables that are garbage counts as: the collector runs for it. And that a new field of a
/// metatable does.
enum { A_COLLECTION = 50000, A_FIELD = 10 };

static const lwl_calls *calls_of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(CALLS));
}

static bool is_owned(lua_State *L, int table) {
  lua_pushvalue(L, table);
  const bool found = lua_rawget(L, lua_upvalueindex(OWNED)) != LUA_TNIL;
  lua_pop(L, 1);
  return found;
}

// --- how many ------------------------------------------------------------------------------------------------

/// How many metatables there are that scripts have set.
static int count_metatables(lua_State *L) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, lua_upvalueindex(OWNED)); lua_pop(L, 1)) count += lua_istable(L, -2);
  return count;
}

/// Note the metatable at index 2 as one that a script has set.
static void note_metatable(lua_State *L, const lwl_calls *calls) {
  lwl_sandbox *in = calls->sandbox;
  if (!in || is_owned(L, 2)) return;
  if (in->metatables >= LWL_METATABLES_MAX) {
    in->metatables = count_metatables(L);
    if (in->metatables > LWL_METATABLES_MAX / 4 * 3) {
      lwl_count_work(L, calls, A_COLLECTION);
      lua_gc(L, LUA_GCCOLLECT, 0);
      in->metatables = count_metatables(L);
    }
    if (in->metatables >= LWL_METATABLES_MAX)
      luaL_error(L, "a sandbox may set %d metatables; objects can share one", LWL_METATABLES_MAX);
  }
  in->metatables += 1;
  lua_pushvalue(L, 2);
  lua_pushboolean(L, 1);
  lua_rawset(L, lua_upvalueindex(OWNED));
}

// --- copies --------------------------------------------------------------------------------------------------

/// Whether the key at index names a metamethod, or a setting such as `__mode`.
static bool is_event(lua_State *L, int key) {
  if (lua_type(L, key) != LUA_TSTRING) return false;
  const char *name = lua_tostring(L, key);
  return name[0] == '_' && name[1] == '_';
}

/// Push the copy of the metatable at index, which a script can neither reach nor change. Its `__newindex` is that of
/// the lock, so that it serves for tables that are metatables themselves.
static void push_copy(lua_State *L, int metatable) {
  metatable = lua_absindex(L, metatable);
  lua_pushvalue(L, metatable);
  if (lua_rawget(L, lua_upvalueindex(COPIES)) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  const int copy = lua_gettop(L);
  int keys = 0;
  for (lua_pushnil(L); lua_next(L, metatable); lua_settop(L, copy + 1)) {
    lwl_count_key(L, ++keys);
    if (!is_event(L, copy + 1)) continue;
    lua_pushvalue(L, copy + 1);
    lua_insert(L, -2);
    lua_rawset(L, copy);
  }
  lwl_get(L, lua_upvalueindex(LOCK), "__newindex");
  lua_setfield(L, copy, "__newindex");
  lua_pushvalue(L, metatable);
  lua_rawsetp(L, copy, &original_key);
  lua_pushvalue(L, metatable);
  lua_pushvalue(L, copy);
  lua_rawset(L, lua_upvalueindex(COPIES));
}

/// Replace the metatable on top of the stack by the one that it is a copy of. @return false: it is no copy.
static bool replace_by_original(lua_State *L) {
  if (lua_rawgetp(L, -1, &original_key) == LUA_TTABLE) {
    lua_remove(L, -2);
    return true;
  }
  lua_pop(L, 1);
  return false;
}

// --- new fields of metatables ----------------------------------------------------------------------------------

/// Raise where a script sets `__mode` in a table that is in use as a metatable.
static void check_field(lua_State *L, int table, int key) {
  if (!calls_of(L)->sandbox || lua_type(L, key) != LUA_TSTRING || strcmp(lua_tostring(L, key), "__mode") != 0)
    return;
  if (is_owned(L, table))
    luaL_error(L, "a script in a sandbox has to set '__mode' before it calls setmetatable()");
}

/// Set the field, and that of the table's copy.
static void set_field(lua_State *L, int table, int key, int value) {
  lua_pushvalue(L, key);
  lua_pushvalue(L, value);
  lua_rawset(L, table);
  if (!is_event(L, key) || strcmp(lua_tostring(L, key), "__newindex") == 0) return;
  lua_pushvalue(L, table);
  if (lua_rawget(L, lua_upvalueindex(COPIES)) == LUA_TTABLE) {
    lua_pushvalue(L, key);
    lua_pushvalue(L, value);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

static int end_field(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 0;
}

/*
** __newindex(table, key, value): first that of the script's own, if the table has one
*/
static int new_field(lua_State *L) {
  enum { TABLE = 1, KEY, VALUE };
  lua_settop(L, VALUE);
  if (lua_isnil(L, KEY)) return luaL_error(L, "table index is nil");
  if (calls_of(L)->sandbox) lwl_count_work(L, calls_of(L), A_FIELD);
  check_field(L, TABLE, KEY);
  const bool has_own = lua_getmetatable(L, TABLE) && replace_by_original(L) &&
                       lwl_get(L, lua_gettop(L), "__newindex") != LUA_TNIL;
  if (!has_own) {
    set_field(L, TABLE, KEY, VALUE);
  } else if (lua_isfunction(L, -1)) {
    for (int i = TABLE; i <= VALUE; ++i) lua_pushvalue(L, i);
    lua_callk(L, VALUE, 0, 0, end_field);
  } else {
    lua_pushvalue(L, KEY);
    lua_pushvalue(L, VALUE);
    lua_settable(L, -3);
  }
  return 0;
}

/*
** rawset(table, key, value)
*/
static int raw_set(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  check_field(L, 1, 2);
  if (lua_getmetatable(L, 1) && lua_rawgetp(L, -1, &lwl_proxied_key) == LUA_TTABLE)
    return luaL_error(L, "a leaf's options can only be read");
  set_field(L, 1, 2, 3);
  lua_settop(L, 1);
  return 1;
}

// --- metatables ------------------------------------------------------------------------------------------------

/// Raise unless scripts may set the metatable at index. @return Whether it says `__mode`.
static bool check_metatable(lua_State *L, int metatable) {
  if (lwl_get(L, metatable, "__gc") != LUA_TNIL) luaL_error(L, "a script in a sandbox may not set '__gc'");
  const bool has_mode = lwl_get(L, metatable, "__mode") != LUA_TNIL;
  const char *mode = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  if (strchr(mode, 'k') && !strchr(mode, 'v'))
    luaL_error(L, "a script in a sandbox may not set '__mode' to '%s', expected 'v' or 'kv'",
               lwl_shown(L, mode));
  lua_pop(L, 2);
  return has_mode;
}

/// Let new fields of the metatable at index go through new_field().
static void lock_metatable(lua_State *L, int metatable) {
  if (!lua_getmetatable(L, metatable)) {
    lua_pushvalue(L, lua_upvalueindex(LOCK));
  } else if (!lua_rawequal(L, -1, lua_upvalueindex(LOCK)) && !replace_by_original(L)) {
    push_copy(L, -1);
    lua_remove(L, -2);
  } else {
    lua_pop(L, 1);
    return;
  }
  lua_setmetatable(L, metatable);
}

/*
** setmetatable(table, metatable), without finalisers: they would run outside of all limits
*/
static int set_metatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  lua_settop(L, 2);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  bool needs_copy = false;
  if (lua_istable(L, 2)) {
    needs_copy = check_metatable(L, 2);
    note_metatable(L, calls_of(L));
    lock_metatable(L, 2);
  }
  if (is_owned(L, 1)) {
    needs_copy = lua_istable(L, 2);
    if (!needs_copy) {
      lua_pushvalue(L, lua_upvalueindex(LOCK));
      lua_replace(L, 2);
    }
  }
  lua_settop(L, 2);
  if (needs_copy) push_copy(L, 2);
  lua_setmetatable(L, 1);
  lua_settop(L, 1);
  return 1;
}

/*
** getmetatable(value): one that a script has set, or what `__metatable` says
*/
static int get_metatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return 1;
  if (!lua_getmetatable(L, 1)) return lua_pushnil(L), 1;
  replace_by_original(L);
  if (!is_owned(L, -1)) lua_pushnil(L);
  return 1;
}

/// Push a function with the first upvalues, which begin at index.
static void push_function(lua_State *L, int upvalues, int count, lua_CFunction function) {
  for (int i = 0; i < count; ++i) lua_pushvalue(L, upvalues + i);
  lua_pushcclosure(L, function, count);
}

void lwl_add_metatable_functions(lua_State *L, lwl_calls *calls, int environment, int owned) {
  const int upvalues = lua_gettop(L) + 1;
  lua_pushlightuserdata(L, calls);
  lua_pushvalue(L, owned);
  lwl_push_weak_table(L, "kv");
  lua_createtable(L, 0, 1);
  push_function(L, upvalues, COPIES, new_field);
  lua_setfield(L, -2, "__newindex");
  push_function(L, upvalues, LOCK, set_metatable);
  lua_setfield(L, environment, "setmetatable");
  push_function(L, upvalues, OWNED, get_metatable);
  lua_setfield(L, environment, "getmetatable");
  push_function(L, upvalues, COPIES, raw_set);
  lua_setfield(L, environment, "rawset");
  lua_settop(L, upvalues - 1);
}
