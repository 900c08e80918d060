/*
** Profiles: found by name, merged along `extends`, compiled once per version of the areas.
*/
#include "profile_check.h"

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

// --- by name --------------------------------------------------------------------------------------------------

/// Push { values, where } of the profile itself, without what it extends. @return false: there is none
static bool push_entry(lua_State *L, const char *name) {
  lwl_push_registry(L, LWL_REG_PROFILES);
  const int registry = lua_gettop(L);
  if (lua_getfield(L, registry, name) == LUA_TTABLE) return lua_replace(L, registry), true;
  lua_settop(L, registry);
  if (!lwl_is_file_name(name)) return lua_pop(L, 1), false;
  const char *file = lwl_find_file(L, lua_pushfstring(L, "scripts/profiles/%s.lua", name));
  if (!file) return lua_settop(L, registry - 1), false;
  lwl_run_data(L, file);
  const int table = lua_gettop(L);
  lwl_copy_profile(L, &(lwl_at){file, ""}, table, NULL);
  lua_createtable(L, 2, 0);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, file);
  lua_rawseti(L, -2, 2);
  lua_pushvalue(L, -1);
  lua_setfield(L, registry, name);
  lua_replace(L, registry);
  lua_settop(L, registry);
  return true;
}

/// Push a set of all names.
static void push_names(lua_State *L) {
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

static _Noreturn void raise_unknown(lua_State *L, const lwl_at *at, const char *key, const char *name) {
  lwl_guess guess = {NULL, 0};
  push_names(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lwl_guess_consider(&guess, name, lua_tostring(L, -2));
    lua_pop(L, 1);
  }
  lwl_raise(L, at->where, "'%s%s': there is no profile '%s'.%s", at->prefix, key, name,
            lwl_push_guess(L, &guess));
}

// --- extends --------------------------------------------------------------------------------------------------

/// Push what the entry { values, where } at index is with all that it extends.
static void push_resolved(lua_State *L, int entry, const char *name) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const int bottom = lua_gettop(L) + 1;
  lua_pushvalue(L, entry);
  lua_newtable(L); /* chain: values, the first in front */
  lua_newtable(L); /* names that were seen */
  const int current = bottom, chain = bottom + 1, seen = bottom + 2;
  if (name) lua_pushboolean(L, 1), lua_setfield(L, seen, name);
  const char *route = name ? name : "this";
  for (lua_Integer i = 1;; ++i) {
    lua_rawgeti(L, current, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, chain, i);
    lua_rawgeti(L, current, 2);
    const lwl_at at = {lua_tostring(L, -1), ""};
    if (lwl_get(L, -2, "extends") == LUA_TNIL) break;
    const char *base = lua_tostring(L, -1);
    route = lua_pushfstring(L, "%s > %s", route, base);
    lua_replace(L, seen + 1); /* keeps the route, drops the values */
    lua_settop(L, seen + 1);
    if (lua_getfield(L, seen, base) != LUA_TNIL)
      lwl_raise(L, at.where, "'extends' goes in a circle: %s", route);
    lua_pushboolean(L, 1);
    lua_setfield(L, seen, base);
    if (!push_entry(L, base)) raise_unknown(L, &at, "extends", base);
    lua_replace(L, current);
    lua_settop(L, seen + 1);
  }
  lwl_push_profile_defaults(L);
  const int merged = lua_gettop(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, chain); i >= 1; --i) {
    lua_rawgeti(L, chain, i);
    lwl_merge_profile(L, merged, -1);
    // Only its own `extends` is the profile's.
    if (i > 1) lua_pushnil(L), lua_setfield(L, merged, "extends");
    lua_settop(L, merged);
  }
  lua_replace(L, bottom);
  lua_settop(L, bottom);
}

// --- compiled -------------------------------------------------------------------------------------------------

/// Push the box of a profile compiled from the resolved table at index.
static profile_box *push_compiled(lua_State *L, const char *where, int resolved, const char *name) {
  const lwl_state *state = lwl_get_state(L);
  lw_profile_def def = lw_profile_def_default();
  def.name = name;
  lwl_fill_profile_def(L, resolved, &def);
  profile_box *box = (profile_box *)lwl_new_box(L, LWL_PROFILE, sizeof *box, 0, destroy, NULL);
  box->area_version = lw_area_table_version(state->areas);
  box->generation = state->profile_generation;
  lw_profile *profile = NULL;
  lw_error error = {0};
  if (lw_profile_create(&def, state->areas, &profile, &error) != LW_OK)
    lwl_raise(L, where, "profile '%s': %s", name, error.text);
  lwl_fill_box(&box->box, profile);
  return box;
}

/// Push the compiled profile of that name, made anew if the areas or profiles have changed.
static lwl_box *push_named(lua_State *L, const lwl_at *at, const char *name) {
  const lwl_state *state = lwl_get_state(L);
  lwl_push_registry(L, LWL_REG_COMPILED);
  const int cache = lua_gettop(L);
  if (lua_getfield(L, cache, name) == LUA_TUSERDATA) {
    profile_box *box = lua_touserdata(L, -1);
    if (box->area_version == lw_area_table_version(state->areas) &&
        box->generation == state->profile_generation)
      return lua_replace(L, cache), &box->box;
  }
  if (!push_entry(L, name)) raise_unknown(L, at, "profile", name);
  push_resolved(L, lua_gettop(L), name);
  profile_box *box = push_compiled(L, at->where, lua_gettop(L), name);
  lua_pushvalue(L, -1);
  lua_setfield(L, cache, name);
  lua_replace(L, cache);
  lua_settop(L, cache);
  return &box->box;
}

/// Push { values, where } for what `options` says in place; no profile at all enters everything.
static const char *push_inline_entry(lua_State *L, const lwl_at *at, int options, int type) {
  const char *name = "custom";
  if (type == LUA_TSTRING) {
    lwl_get(L, options, "profile");
    name = lua_tostring(L, -1);
    lua_pop(L, 1);
    if (!push_entry(L, name)) raise_unknown(L, at, "profile", name);
    return name;
  }
  lua_createtable(L, 2, 0);
  const int entry = lua_gettop(L);
  if (type == LUA_TTABLE) {
    lwl_get(L, options, "profile");
    const lwl_at inside = {at->where, lua_pushfstring(L, "%sprofile.", at->prefix)};
    lwl_copy_profile(L, &inside, entry + 1, NULL);
    lwl_opt_string(L, &inside, lua_gettop(L), "extends", &name);
  } else {
    lua_newtable(L);
    lua_pushboolean(L, 1), lua_setfield(L, -2, "can_swim");
    lua_newtable(L);
    lua_pushboolean(L, 1), lua_setfield(L, -2, "volume");
    lua_setfield(L, -2, "can_traverse");
  }
  lua_rawseti(L, entry, 1);
  lua_pushstring(L, at->where);
  lua_rawseti(L, entry, 2);
  lua_settop(L, entry);
  return name;
}

/// Keys that options may have beside `cost`, as a profile has them.
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
  bool changed = lwl_get(L, options, "cost") != LUA_TNIL;
  for (const char *const *key = beside_keys; *key; ++key) changed |= lwl_get(L, options, *key) != LUA_TNIL;
  if (!changed && type == LUA_TNIL) {
    lua_settop(L, bottom); /* the nil */
    return NULL;
  }
  lwl_box *box;
  if (!changed && type == LUA_TSTRING) {
    box = push_named(L, at, lua_tostring(L, bottom));
  } else {
    const char *name = push_inline_entry(L, at, options, type);
    push_resolved(L, lua_gettop(L), type == LUA_TSTRING ? name : NULL);
    merge_overrides(L, at, options, lua_gettop(L));
    if (strlen(name) > 63) name = "custom";
    box = &push_compiled(L, at->where, lua_gettop(L), name)->box;
  }
  lua_replace(L, bottom);
  lua_settop(L, bottom);
  return box;
}

// --- functions ------------------------------------------------------------------------------------------------

static void define(lua_State *L, const char *name) {
  lwl_check_table(L, "profile", 2);
  const char *where = lua_pushfstring(L, "profile '%s'", name);
  lwl_copy_profile(L, &(lwl_at){where, ""}, 2, NULL);
  lua_createtable(L, 2, 0);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, where);
  lua_rawseti(L, -2, 2);
  const int entry = lua_gettop(L);
  push_resolved(L, entry, name); /* raises before anything is kept */
  lwl_push_registry(L, LWL_REG_PROFILES);
  lua_pushvalue(L, entry);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  ++lwl_get_state(L)->profile_generation;
}

/*
** leeward.profile(name) --> the resolved table | nil, message, code
** leeward.profile(name, table) --> the resolved table
*/
static int profile(lua_State *L) {
  const char *name = lwl_check_name(L, "profile", 1);
  if (!lua_isnoneornil(L, 2)) return define(L, name), 1;
  if (!push_entry(L, name)) {
    const char *roots = lwl_push_roots(L);
    return lwl_fail(L, LW_NOT_FOUND,
                    lua_pushfstring(L, "there is no profile '%s'; looked for scripts/profiles/%s.lua in %s",
                                    name, name, roots));
  }
  push_resolved(L, lua_gettop(L), name);
  return 1;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
** leeward.profiles() --> sorted list of names
*/
static int profiles(lua_State *L) {
  push_names(L);
  const int set = lua_gettop(L);
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, set)) ++count, lua_pop(L, 1);
  const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
  size_t filled = 0;
  lua_pushnil(L);
  while (lua_next(L, set)) names[filled++] = lua_tostring(L, -2), lua_pop(L, 1);
  qsort(names, filled, sizeof *names, compare_names);
  lua_createtable(L, (int)filled, 0);
  for (size_t i = 0; i < filled; ++i) {
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static const luaL_Reg methods[] = {{NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"profile", profile}, {"profiles", profiles}, {NULL, NULL}};

void lwl_open_profile(lua_State *L) {
  lwl_new_type(L, LWL_PROFILE, methods, meta);
  luaL_setfuncs(L, functions, 0);
}
