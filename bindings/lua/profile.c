/*
** Profiles: compiled once per version of the areas, or for one request.
*/
#include "profile_layers.h"

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

// --- compiled -------------------------------------------------------------------------------------------------

lwl_box *lwl_push_compiled(lua_State *L, const char *where, int resolved, const char *name) {
  const lwl_state *state = lwl_get_state(L);
  lw_profile_def def = lw_profile_def_default();
  def.name = name;
  lwl_fill_profile_def(L, resolved, &def);
  profile_box *box = (profile_box *)lwl_new_box(L, LWL_PROFILE, sizeof *box, 0, destroy, NULL);
  box->area_version = lw_area_table_version(state->areas);
  box->generation = state->profile_generation;
  lw_profile *profile = NULL;
  lw_error error = {0};
  if (lw_profile_create(&def, state->areas, &profile, &error) != LW_OK) lwl_raise(L, where, "%s", error.text);
  lwl_fill_box(&box->box, profile);
  return &box->box;
}

lwl_box *lwl_push_named_profile(lua_State *L, const lwl_at *at, const char *name) {
  const lwl_state *state = lwl_get_state(L);
  lwl_push_registry(L, LWL_REG_COMPILED);
  const int cache = lua_gettop(L);
  if (lua_getfield(L, cache, name) == LUA_TUSERDATA) {
    profile_box *box = lua_touserdata(L, -1);
    if (box->area_version == lw_area_table_version(state->areas) &&
        box->generation == state->profile_generation)
      return lua_replace(L, cache), &box->box;
  }
  if (!lwl_push_layers(L, name)) lwl_raise_no_profile(L, at, "profile", name);
  lwl_push_chain(L, -1, name);
  lwl_push_resolved(L, -1);
  lwl_box *box = lwl_push_compiled(L, at->where, lua_gettop(L), name);
  lua_pushvalue(L, -1);
  lua_setfield(L, cache, name);
  lua_replace(L, cache);
  lua_settop(L, cache);
  return box;
}

// --- in place ---------------------------------------------------------------------------------------------------

/// Push the values of one who says nothing: it enters everything.
static void push_everything(lua_State *L) {
  lua_newtable(L);
  lua_pushboolean(L, 1), lua_setfield(L, -2, "can_swim");
  lua_newtable(L);
  lua_pushboolean(L, 1), lua_setfield(L, -2, "volume");
  lua_setfield(L, -2, "can_traverse");
}

/// Push the resolved table of the profile that `options` name or state, as `type` says. @return its name
static const char *push_asked(lua_State *L, const lwl_at *at, int options, int type) {
  const char *name = "custom";
  lwl_get(L, options, "profile");
  const int asked = lua_gettop(L), layers = asked + 1;
  if (type == LUA_TSTRING) {
    name = lua_tostring(L, asked);
    if (!lwl_push_layers(L, name)) lwl_raise_no_profile(L, at, "profile", name);
  } else {
    lua_newtable(L);
    if (type == LUA_TTABLE) {
      const lwl_at inside = {at->where, lua_pushfstring(L, "%sprofile.", at->prefix)};
      lwl_copy_profile(L, &inside, asked, lwl_plain_profile_keys);
      lwl_opt_string(L, &inside, lua_gettop(L), "extends", &name);
    } else {
      push_everything(L);
    }
    lwl_push_layer(L, lua_gettop(L), at->where, 0, NULL);
    lua_rawseti(L, layers, 1);
    lua_settop(L, layers);
  }
  lwl_push_chain(L, layers, type == LUA_TSTRING ? name : NULL);
  lwl_push_resolved(L, -1);
  lua_replace(L, asked);
  lua_settop(L, asked);
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
    box = lwl_push_named_profile(L, at, lua_tostring(L, bottom));
  } else {
    const char *name = push_asked(L, at, options, type);
    merge_overrides(L, at, options, lua_gettop(L));
    if (strlen(name) > 63) name = "custom";
    box = lwl_push_compiled(L, at->where, lua_gettop(L), name);
  }
  lua_replace(L, bottom);
  lua_settop(L, bottom);
  return box;
}

void lwl_push_recipe(lua_State *L, int options) {
  static const char *const keys[] = {"profile", "cost", NULL};
  options = lua_absindex(L, options);
  lua_newtable(L);
  const char *const *const lists[] = {keys, beside_keys};
  for (int i = 0; i < 2; ++i) {
    for (const char *const *key = lists[i]; *key; ++key) {
      lwl_get(L, options, *key);
      lwl_push_copy(L, -1);
      lua_setfield(L, -3, *key);
      lua_pop(L, 1);
    }
  }
}

// --- functions ------------------------------------------------------------------------------------------------

/*
** leeward.profile(name) --> the resolved table | nil, message, code
** leeward.profile(name, table) --> the resolved table
*/
static int profile(lua_State *L) {
  const char *name = lwl_check_name(L, "profile", 1);
  if (!lua_isnoneornil(L, 2)) {
    lwl_check_table(L, "profile", 2);
    lwl_define_profile(L, name, 2);
    return 1;
  }
  if (!lwl_push_layers(L, name)) return lwl_fail_no_profile(L, name);
  lwl_push_chain(L, -1, name);
  lwl_push_resolved(L, -1);
  return 1;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void lwl_push_sorted_keys(lua_State *L, int set) {
  set = lua_absindex(L, set);
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, set)) ++count, lua_pop(L, 1);
  const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
  const int room = lua_gettop(L);
  size_t filled = 0;
  lua_pushnil(L);
  while (lua_next(L, set)) names[filled++] = lua_tostring(L, -2), lua_pop(L, 1);
  qsort(names, filled, sizeof *names, compare_names);
  lua_createtable(L, (int)filled, 0);
  for (size_t i = 0; i < filled; ++i) {
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_remove(L, room);
}

/*
** leeward.profiles() --> sorted list of names
*/
static int profiles(lua_State *L) {
  lwl_push_profile_names(L);
  lwl_push_sorted_keys(L, -1);
  return 1;
}

/*
** leeward.profile_info(name) --> { name =, lineage =, values =, areas = } | nil, message, code
*/
static const luaL_Reg methods[] = {{NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {
    {"profile", profile}, {"profiles", profiles}, {"profile_info", lwl_profile_info}, {NULL, NULL}};

void lwl_open_profile(lua_State *L) {
  lwl_new_type(L, LWL_PROFILE, methods, meta);
  luaL_setfuncs(L, functions, 0);
}
