/*
** Permutations in files: scripts/permutations/NAME.lua along the roots. A file with `patch = true` changes, key by
** key, what the next file of that name says; the first one without is the last that counts.
*/
#include "permutation.h"
#include "profile_layers.h"

#include <string.h>

#define FOLDER "scripts/permutations"

// --- a file --------------------------------------------------------------------------------------------------

/// Whether `level` of the table at index is the name, or has it in its list.
static bool is_of_level(lua_State *L, int table, const char *name) {
  const int top = lua_gettop(L);
  bool found = false;
  if (lwl_get(L, table, "level") == LUA_TSTRING) {
    found = strcmp(lua_tostring(L, -1), name) == 0;
  } else if (lua_istable(L, -1)) {
    for (lua_Integer i = 1; !found && lua_rawgeti(L, top + 1, i) == LUA_TSTRING; ++i)
      found = strcmp(lua_tostring(L, -1), name) == 0;
  }
  lua_settop(L, top);
  return found;
}

static void check_level(lua_State *L, const lwl_at *at, int table) {
  static const char expected[] = "the name of a level or a list of names";
  const int top = lua_gettop(L);
  if (lwl_get(L, table, "level") == LUA_TTABLE) {
    const lua_Integer count = lwl_check_list(L, at, "level", top + 1);
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, top + 1, i);
      if (!lwl_to_text(L, -1)) lwl_raise_item(L, at, "level", i, "the name of a level", -1);
      lua_pop(L, 1);
    }
  } else if (!lua_isnil(L, -1)) {
    lwl_check_text(L, at, "level", expected, -1);
  }
  lua_settop(L, top);
}

/// Run the file, check what it returns, and push it. @return Whether it is a patch.
static bool push_layer(lua_State *L, const char *file) {
  const lwl_at at = {file, ""};
  const char *initial = NULL;
  bool patch = false;
  lw_permutation_def def = lw_permutation_def_default();
  lwl_run_data(L, file);
  const int values = lua_gettop(L);
  lwl_push_states(L, &at, values, 0, &def);
  lwl_opt_bool(L, &at, values, "patch", &patch);
  lwl_opt_string(L, &at, values, "default", &initial);
  check_level(L, &at, values);
  lua_settop(L, values);
  return patch;
}

// --- what a name means ---------------------------------------------------------------------------------------

/// Set LWL_FILED_WHERE to the file of the first layer that has a default, else to that of the last.
static void set_where(lua_State *L, int filed, int files) {
  const lua_Integer last = (lua_Integer)lua_rawlen(L, filed) - LWL_FILED_LAYERS + 1;
  lua_Integer found = last;
  for (lua_Integer i = last; i >= 1; --i) {
    lua_rawgeti(L, filed, LWL_FILED_LAYERS - 1 + i);
    if (lwl_get(L, -1, "default") != LUA_TNIL) found = i;
    lua_pop(L, 2);
  }
  lua_rawgeti(L, files, found);
  lua_rawseti(L, filed, LWL_FILED_WHERE);
}

/// Set LWL_FILED_RESULT to the merged layers. Raises if the result has no such default.
static void set_result(lua_State *L, int filed) {
  lua_newtable(L);
  const int merged = lua_gettop(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, filed); i >= LWL_FILED_LAYERS; --i) {
    lua_rawgeti(L, filed, i);
    lwl_merge_profile(L, merged, -1);
    lua_settop(L, merged);
  }
  lua_pushnil(L);
  lua_setfield(L, merged, "patch");
  lua_rawgeti(L, filed, LWL_FILED_WHERE);
  const lwl_at at = {lua_tostring(L, -1), ""};
  lw_permutation_def def = lw_permutation_def_default();
  lwl_push_states(L, &at, merged, 0, &def);
  lwl_find_default(L, &at, merged, &def);
  lua_settop(L, merged);
  lua_rawseti(L, filed, LWL_FILED_RESULT);
}

/// Push what the files say. @return false: there is none; nothing is pushed.
static bool push_read(lua_State *L, const char *name) {
  const int filed = lua_gettop(L) + 1, files = filed + 1;
  if (!lwl_is_file_name(name)) return false;
  lua_createtable(L, LWL_FILED_LAYERS, 0);
  for (int i = LWL_FILED_WHERE; i < LWL_FILED_LAYERS; ++i) lua_pushboolean(L, 0), lua_rawseti(L, filed, i);
  lwl_push_files(L, lua_pushfstring(L, FOLDER "/%s.lua", name));
  lua_replace(L, files);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, files);
  bool patch = true;
  for (lua_Integer i = 1; i <= count && patch; ++i) {
    lua_rawgeti(L, files, i);
    const char *file = lua_tostring(L, -1); /* the list keeps it alive */
    patch = push_layer(L, file);
    lua_rawseti(L, filed, LWL_FILED_LAYERS - 1 + i);
    if (patch && i == count)
      lwl_raise_at(L, &(lwl_at){file, ""}, "patch",
                   "is true, expected a " FOLDER "/%s.lua in a root behind this one", name);
    lua_settop(L, files);
  }
  if (count > 0) {
    lua_pushvalue(L, files);
    lua_rawseti(L, filed, LWL_FILED_FILES);
    set_where(L, filed, files);
    set_result(L, filed);
    const lua_Integer read = (lua_Integer)lua_rawlen(L, filed) - LWL_FILED_LAYERS + 1;
    for (lua_Integer i = 1; i <= read; ++i) lua_rawgeti(L, files, i), lwl_accept_data(L, lua_tostring(L, -1));
  }
  lua_settop(L, count > 0 ? filed : filed - 1);
  return count > 0;
}

static void keep(lua_State *L, const char *name) {
  lwl_push_registry(L, LWL_REG_PERMUTATIONS);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

bool lwl_push_filed(lua_State *L, const char *name) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  lwl_push_registry(L, LWL_REG_PERMUTATIONS);
  const bool known = lua_getfield(L, -1, name) == LUA_TTABLE;
  lua_remove(L, -2);
  if (known) return true;
  lua_pop(L, 1);
  if (!push_read(L, name)) return false; /* not kept: the file may be written later */
  keep(L, name);
  return true;
}

/// Push the set of the names of all files.
static void push_file_names(lua_State *L) {
  lua_newtable(L);
  lwl_add_file_names(L, FOLDER);
}

int lwl_fail_no_permutation(lua_State *L, const char *name) {
  lwl_guess guess = {NULL, 0};
  const char *roots = lwl_push_roots(L);
  push_file_names(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lwl_guess_consider(&guess, name, lua_tostring(L, -2));
    lua_pop(L, 1);
  }
  const char *shown = lwl_shown(L, name), *hint = lwl_push_guess(L, &guess);
  return lwl_fail(L, LW_NOT_FOUND,
                  lua_pushfstring(L, "there is no permutation '%s'; looked for " FOLDER "/%s.lua in %s%s",
                                  shown, shown, roots, hint));
}

// --- reloading -----------------------------------------------------------------------------------------------

bool lwl_is_permutation_file(const char *file) {
  const char *name = strrchr(file, '/');
  const size_t folder = name ? (size_t)(name - file) : 0, length = sizeof FOLDER - 1;
  return folder > length && strncmp(name - length, FOLDER, length) == 0 && file[folder - length - 1] == '/';
}

/// Whether the lists at index `a` and `b` have the same layers.
static bool is_same(lua_State *L, int a, int b) {
  const lua_Integer count = (lua_Integer)lua_rawlen(L, a);
  bool same = count == (lua_Integer)lua_rawlen(L, b);
  for (lua_Integer i = LWL_FILED_LAYERS; same && i <= count; ++i) {
    lua_rawgeti(L, a, i);
    lua_rawgeti(L, b, i);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  return same;
}

/// Whether the table at index, LWL_FILED_USED, has a world that still exists.
static bool is_used(lua_State *L, int used) {
  const int top = lua_gettop(L);
  bool found = false;
  if (!lua_istable(L, used)) return false;
  lua_pushnil(L);
  while (!found && lua_next(L, used)) {
    const lwl_world *world = luaL_testudata(L, -2, LWL_WORLD);
    found = world && lwl_c_world(world);
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return found;
}

/// Read a name again. @param old  Index of what it meant.
static void read_again(lua_State *L, const char *name, int old) {
  const int used = lua_gettop(L) + 1, now = used + 1;
  lua_rawgeti(L, old, LWL_FILED_USED);
  if (!push_read(L, name)) {
    if (!is_used(L, used)) return;
    const char *roots = lwl_push_roots(L);
    lwl_raise(L, lua_pushfstring(L, "permutation '%s'", name),
              "file is removed; looked for " FOLDER "/%s.lua in %s", name, roots);
  }
  lua_pushvalue(L, used);
  lua_rawseti(L, now, LWL_FILED_USED);
  // The same table shows worlds that nothing has changed.
  if (is_same(L, now, old)) lua_pushvalue(L, old);
  keep(L, name);
}

void lwl_read_permutations(lua_State *L, int old) {
  old = lua_absindex(L, old);
  lwl_push_sorted_keys(L, old);
  const int names = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, names, i) == LUA_TSTRING; ++i) {
    const char *name = lua_tostring(L, -1);
    lua_getfield(L, old, name);
    read_again(L, name, names + 2);
    lua_settop(L, names);
  }
  lua_settop(L, names - 1);
}

// --- functions -----------------------------------------------------------------------------------------------

/*
** leeward.permutations([level]) --> { [name] = definition }
*/
static int permutations(lua_State *L) {
  const lwl_at at = {"permutations", ""};
  lua_settop(L, 1);
  const char *level = lua_isnil(L, 1) ? NULL : lwl_check_text(L, &at, "level", "the name of a level", 1);
  lua_newtable(L);
  push_file_names(L);
  lwl_push_sorted_keys(L, 3);
  for (lua_Integer i = 1; lua_rawgeti(L, 4, i) == LUA_TSTRING; ++i) {
    const char *name = lua_tostring(L, 5);
    if (lwl_push_filed(L, name)) {
      lua_rawgeti(L, 6, LWL_FILED_RESULT);
      if (!level || is_of_level(L, 7, level)) {
        lwl_push_copy(L, 7);
        lua_setfield(L, 2, name);
      }
    }
    lua_settop(L, 4);
  }
  lua_settop(L, 2);
  return 1;
}

static const luaL_Reg functions[] = {{"permutations", permutations}, {NULL, NULL}};

void lwl_open_permutation(lua_State *L) {
  lwl_set_functions(L, functions, NULL);
}
