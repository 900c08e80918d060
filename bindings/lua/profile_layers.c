/*
** Profiles by name, and the layers that define them.
**
** LWL_REG_PROFILES[name] = { script = layer, files = list of layers }, each set when it is first known. A layer
** with `patch = true` changes the profile that the name means without it: the one in files of that name in the
** roots behind its own or, if a script defined it, everything defined before. A layer without `patch` is the
** whole profile.
*/
#include "profile_layers.h"

#include <string.h>

// --- layers --------------------------------------------------------------------------------------------------

static void push_name(lua_State *L, const char *name) {
  if (name)
    lua_pushstring(L, name);
  else
    lua_pushboolean(L, 0);
}

void lwl_push_layer(lua_State *L, int values, const char *where, int origins, const char *name) {
  values = lua_absindex(L, values);
  lua_createtable(L, 4, 0);
  lua_pushvalue(L, values);
  lua_rawseti(L, -2, LWL_LAYER_VALUES);
  lua_pushstring(L, where);
  lua_rawseti(L, -2, LWL_LAYER_WHERE);
  if (origins)
    lua_pushvalue(L, origins);
  else
    lua_pushboolean(L, 0);
  lua_rawseti(L, -2, LWL_LAYER_ORIGINS);
  push_name(L, name);
  lua_rawseti(L, -2, LWL_LAYER_PROFILE);
}

/// Whether the layer at index is a patch.
static bool is_patch(lua_State *L, int layer) {
  lua_rawgeti(L, layer, LWL_LAYER_VALUES);
  lwl_get(L, -1, "patch");
  const bool patch = lua_toboolean(L, -1);
  lua_pop(L, 2);
  return patch;
}

/// Push the list of the layers in files: patches, then the profile that they change. Empty: no file has that
/// name.
static void push_file_layers(lua_State *L, const char *name) {
  lua_newtable(L);
  if (!lwl_is_file_name(name)) return;
  const int layers = lua_gettop(L);
  lwl_push_files(L, lua_pushfstring(L, "scripts/profiles/%s.lua", name));
  const int files = lua_gettop(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, files);
  bool patch = true;
  for (lua_Integer i = 1; i <= count && patch; ++i) {
    lua_rawgeti(L, files, i);
    const char *file = lua_tostring(L, -1);
    const lwl_at at = {file, ""};
    lwl_run_data(L, file);
    lwl_copy_profile(L, &at, lua_gettop(L), lwl_named_profile_keys);
    lwl_push_layer(L, lua_gettop(L), file, 0, name);
    patch = is_patch(L, lua_gettop(L));
    lua_rawseti(L, layers, i);
    if (patch && i == count)
      lwl_raise_at(L, &at, "patch", "is true, expected a scripts/profiles/%s.lua in a root behind this one",
                   name);
    lwl_accept_data(L, file);
    lua_settop(L, files);
  }
  lua_settop(L, layers);
}

/// Pop the value on top of the stack and keep it as a field of LWL_REG_PROFILES[name].
static void keep(lua_State *L, const char *name, const char *field) {
  const int value = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_PROFILES);
  if (lua_getfield(L, -1, name) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, value + 1, name);
  }
  lua_pushvalue(L, value);
  lua_setfield(L, -2, field);
  lua_settop(L, value - 1);
}

/// Push a field of LWL_REG_PROFILES[name]. @return Whether it is there.
static bool push_known(lua_State *L, const char *name, const char *field) {
  lwl_push_registry(L, LWL_REG_PROFILES);
  bool known = lua_getfield(L, -1, name) == LUA_TTABLE;
  if (known) {
    known = lwl_get(L, -1, field) == LUA_TTABLE;
    lua_remove(L, -2);
  }
  lua_remove(L, -2);
  return known;
}

/// Push the layers in files, which are read on first use.
static void push_files(lua_State *L, const char *name) {
  if (push_known(L, name, "files")) return;
  lua_pop(L, 1);
  push_file_layers(L, name);
  if (lua_rawlen(L, -1) == 0) return; /* not kept: the file may be written later */
  lua_pushvalue(L, -1);
  keep(L, name, "files");
}

bool lwl_push_layers(lua_State *L, const char *name) {
  if (strcmp(name, LWL_UNNAMED_PROFILE) == 0) return false;
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const int layers = lua_gettop(L) + 1, script = layers + 1;
  lua_newtable(L);
  const bool defined = push_known(L, name, "script");
  lua_Integer count = 0;
  if (defined) {
    lua_pushvalue(L, script);
    lua_rawseti(L, layers, ++count);
  }
  if (!defined || is_patch(L, script)) {
    push_files(L, name);
    const lua_Integer files = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 1; i <= files; ++i) {
      lua_rawgeti(L, script + 1, i);
      lua_rawseti(L, layers, ++count);
    }
  }
  lua_settop(L, layers);
  if (count == 0) lua_pop(L, 1);
  return count > 0;
}

void lwl_push_profile_names(lua_State *L) {
  lua_newtable(L);
  lwl_add_file_names(L, "scripts/profiles");
  lwl_push_registry(L, LWL_REG_PROFILES);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
}

static void push_guess(lua_State *L, const char *name) {
  lwl_guess guess = {NULL, 0};
  lwl_push_profile_names(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    // A name that only a patch has is no suggestion for itself.
    if (strcmp(name, lua_tostring(L, -2)) != 0) lwl_guess_consider(&guess, name, lua_tostring(L, -2));
    lua_pop(L, 1);
  }
  lwl_push_guess(L, &guess);
  lua_remove(L, -2);
}

void lwl_raise_no_profile(lua_State *L, const lwl_at *at, const char *key, const char *name) {
  push_guess(L, name);
  lwl_raise_at(L, at, key, "is '%s', expected the name of a profile%s", name, lua_tostring(L, -1));
}

const char *lwl_push_no_profile(lua_State *L, const char *name) {
  if (strcmp(name, LWL_UNNAMED_PROFILE) == 0)
    return lua_pushliteral(L, "'" LWL_UNNAMED_PROFILE "' is what profiles are called that are given as tables");
  const char *roots = lwl_push_roots(L);
  push_guess(L, name);
  return lua_pushfstring(L, "there is no profile '%s'; looked for scripts/profiles/%s.lua in %s%s", name, name,
                         roots, lua_tostring(L, -1));
}

int lwl_fail_no_profile(lua_State *L, const char *name) {
  return lwl_fail(L, LW_NOT_FOUND, lwl_push_no_profile(L, name));
}

// --- extends -------------------------------------------------------------------------------------------------

/// Profiles that extend one another, the first included. Each is merged again for each that extends it, so a
/// reload of all profiles costs their number times this. Those that ship are three.
enum { EXTENDS_MAX = 32 };

/// Append the layers in the list at index to the chain. Pushes the name of the profile that they extend, or
/// nil.
/// @param[out] where  The layer that names it.
static void append_layers(lua_State *L, int chain, int layers, const char **where) {
  const lua_Integer count = (lua_Integer)lua_rawlen(L, layers);
  lua_Integer end = (lua_Integer)lua_rawlen(L, chain);
  lua_pushnil(L);
  const int base = lua_gettop(L);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, layers, i);
    lua_rawgeti(L, base + 1, LWL_LAYER_VALUES);
    if (lwl_get(L, base + 2, "extends") == LUA_TSTRING && lua_isnil(L, base)) {
      lua_replace(L, base);
      lua_rawgeti(L, base + 1, LWL_LAYER_WHERE);
      *where = lua_tostring(L, -1); /* the layer keeps it alive */
    }
    lua_settop(L, base + 1);
    lua_rawseti(L, chain, ++end);
  }
}

void lwl_push_chain(lua_State *L, int layers, const char *name) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const int chain = lua_gettop(L) + 1, seen = chain + 1, current = chain + 2, route = chain + 3,
            base = chain + 4;
  layers = lua_absindex(L, layers);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushvalue(L, layers);
  lua_pushstring(L, name ? name : "this");
  if (name) lua_pushboolean(L, 1), lua_setfield(L, seen, name);
  for (int profiles = 1;; ++profiles) {
    const char *where = "";
    append_layers(L, chain, current, &where);
    if (lua_isnil(L, base)) break;
    const lwl_at at = {where, ""};
    const char *next = lua_tostring(L, base);
    lua_pushfstring(L, "%s > %s", lua_tostring(L, route), next);
    lua_replace(L, route);
    if (lua_getfield(L, seen, next) != LUA_TNIL)
      lwl_raise_at(L, &at, "extends", "is '%s', expected no circle: %s", next, lua_tostring(L, route));
    if (profiles == EXTENDS_MAX)
      lwl_raise_at(L, &at, "extends",
                   "is '%s', expected at most %d profiles that extend one another, from '%s' on",
                   lwl_shown(L, next), EXTENDS_MAX, name ? lwl_shown(L, name) : "this");
    lua_pushboolean(L, 1);
    lua_setfield(L, seen, next);
    if (!lwl_push_layers(L, next)) lwl_raise_no_profile(L, &at, "extends", next);
    lua_replace(L, current);
    lua_settop(L, route);
  }
  lua_settop(L, chain);
}

/// Raise that it comes from the layer at that index if the merged table has more stances than a profile holds.
static void check_stance_count(lua_State *L, int merged, int layer) {
  int count = 0;
  lwl_get(L, merged, "stances");
  lua_pushnil(L);
  while (lua_next(L, -2)) ++count, lua_pop(L, 1);
  if (count > LW_STANCES_MAX) {
    lua_rawgeti(L, layer, LWL_LAYER_WHERE);
    lwl_raise_at(L, &(lwl_at){lua_tostring(L, -1), ""}, "stances",
                 "is a set of %d, those that it extends included, expected at most %d", count, LW_STANCES_MAX);
  }
  lua_pop(L, 1);
}

void lwl_push_resolved(lua_State *L, int chain) {
  chain = lua_absindex(L, chain);
  const lw_profile_def defaults = lw_profile_def_default();
  lwl_push_profile_def(L, &defaults);
  const int merged = lua_gettop(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, chain); i >= 1; --i) {
    lua_rawgeti(L, chain, i);
    lua_rawgeti(L, -1, LWL_LAYER_VALUES);
    lwl_merge_profile(L, merged, -1);
    check_stance_count(L, merged, merged + 1);
    lua_settop(L, merged);
  }
  // The result has the `extends` of the first profile in the chain, if that has any.
  lua_pushnil(L), lua_setfield(L, merged, "patch");
  lua_pushnil(L), lua_setfield(L, merged, "extends");
  lua_rawgeti(L, chain, 1);
  lua_rawgeti(L, -1, LWL_LAYER_PROFILE);
  const int own = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, chain, i) == LUA_TTABLE; ++i) {
    lua_rawgeti(L, own + 1, LWL_LAYER_PROFILE);
    if (!lua_rawequal(L, own, -1)) break;
    lua_rawgeti(L, own + 1, LWL_LAYER_VALUES);
    if (lwl_get(L, -1, "extends") == LUA_TSTRING) {
      lua_setfield(L, merged, "extends");
      break;
    }
    lua_settop(L, own);
  }
  lua_settop(L, merged);
}

// --- what scripts define -------------------------------------------------------------------------------------

/// Set origins[path] to the string at index `origin` for every key in the table at index `values`.
static void note_origins(lua_State *L, int values, const char *prefix, int origins, int origin) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lua_pushnil(L);
  while (lua_next(L, values)) {
    const int value = lua_gettop(L);
    lua_pushvalue(L, value - 1);
    const char *path = lua_pushfstring(L, "%s%s", prefix, lua_tostring(L, -1));
    if (lwl_is_record(L, value)) note_origins(L, value, lua_pushfstring(L, "%s.", path), origins, origin);
    lua_pushvalue(L, origin);
    lua_setfield(L, origins, path);
    lua_settop(L, value - 1);
  }
}

/// Push "script.lua:12" of the caller, or `where` if the caller is not Lua.
static void push_caller(lua_State *L, const char *where) {
  lua_Debug caller;
  if (lua_getstack(L, 1, &caller) && lua_getinfo(L, "Sl", &caller) && caller.currentline > 0) {
    const char *source = *caller.source == '@' ? caller.source + 1 : caller.short_src;
    lua_pushfstring(L, "%s:%d", source, caller.currentline);
  } else {
    lua_pushstring(L, where);
  }
}

/// Merge the patch in the values and origins at index into the earlier layer of scripts, if there is one.
static void merge_earlier(lua_State *L, const char *name, int values, int origins) {
  const int top = lua_gettop(L);
  if (push_known(L, name, "script")) {
    const int fields[2] = {LWL_LAYER_VALUES, LWL_LAYER_ORIGINS}, over[2] = {values, origins};
    for (int i = 0; i < 2; ++i) {
      lua_rawgeti(L, top + 1, fields[i]);
      lwl_push_copy(L, -1);
      lwl_merge_profile(L, -1, over[i]);
      lua_replace(L, over[i]);
      lua_settop(L, top + 1);
    }
    lua_pushboolean(L, is_patch(L, top + 1));
    lua_setfield(L, values, "patch");
  }
  lua_settop(L, top);
}

void lwl_define_profile(lua_State *L, const char *name, int table) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const char *where = lua_pushfstring(L, "profile '%s'", name);
  const lwl_at at = {where, ""};
  const int values = lua_gettop(L) + 1, origins = values + 1, layer = values + 2, layers = values + 3;
  if (strcmp(name, LWL_UNNAMED_PROFILE) == 0)
    lwl_raise(L, "profile", "name is '%s', expected another one: %s", name, lwl_push_no_profile(L, name));
  lwl_copy_profile(L, &at, table, lwl_named_profile_keys);
  const bool patch = lwl_get(L, values, "patch") == LUA_TBOOLEAN && lua_toboolean(L, -1);
  lua_settop(L, values);
  lua_newtable(L);
  push_caller(L, where);
  note_origins(L, values, "", origins, origins + 1);
  lua_settop(L, origins);
  if (patch) merge_earlier(L, name, values, origins);
  lwl_push_layer(L, values, where, origins, name);
  lua_newtable(L);
  lua_pushvalue(L, layer);
  lua_rawseti(L, layers, 1);
  if (is_patch(L, layer)) {
    push_files(L, name);
    const lua_Integer files = (lua_Integer)lua_rawlen(L, -1);
    if (files == 0) {
      push_guess(L, name);
      lwl_raise_at(L, &at, "patch", "is true, expected a profile '%s' that it can change%s", name,
                   lua_tostring(L, -1));
    }
    for (lua_Integer i = 1; i <= files; ++i) {
      lua_rawgeti(L, layers + 1, i);
      lua_rawseti(L, layers, i + 1);
    }
    lua_settop(L, layers);
  }
  lwl_push_chain(L, layers, name);
  lwl_push_resolved(L, -1);
  lua_pushvalue(L, layer);
  keep(L, name, "script");
  ++lwl_get_state(L)->profile_generation;
}
