/*
** scripts/areas.lua: the areas that there are, which materials are which, and what codes in gset files mean.
**
** The file in the first root counts. Where it says `patch = true` it states differences to that of the roots behind it:
** areas that are new or change the numbers that they name, materials that are tried first, codes that mean something else.
*/
#include "lwl.h"

#include <string.h>

// --- areas ------------------------------------------------------------------------------------------------------

/// @param table  areas[item]. @param seen  Set of the names in this file.
static void load_area(lua_State *L, const char *file, int table, lua_Integer item, int seen, bool patch) {
  static const char *const keys[] = {"name",   "type",  "resistance", "exposure", "concealment", "deep_water",
                                     "unsafe", "speed", "cover",      "color",    NULL};
  const lwl_at at = {file, lua_pushfstring(L, "areas[%I].", (LUAI_UACINT)item)};
  lwl_check_keys(L, &at, table, keys);
  lwl_get(L, table, "name");
  size_t length = 0;
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";
  if (length < 1 || length > 63 || strlen(name) != length)
    lwl_raise_expected(L, &at, "name", "a name of 1 to 63 bytes", -1);
  if (lwl_get(L, seen, name) != LUA_TNIL) lwl_raise_at(L, &at, "name", ": there are two areas '%s'", name);
  lua_pushboolean(L, 1);
  lua_setfield(L, seen, name);
  lw_area_def def = lw_area_def_default();
  if (patch) def = lwl_current_area(L, name);
  def.name = name;
  lwl_read_area(L, &at, table, &def);
  lwl_set_area(L, file, &def);
}

/// Once more what scripts have changed by leeward.area().
static void apply_changes(lua_State *L) {
  const int top = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_AREAS);
  lua_pushnil(L);
  while (lua_next(L, top + 1)) {
    const char *name = lua_tostring(L, -2);
    lw_area_def def = lwl_current_area(L, name);
    lwl_read_area(L, &(lwl_at){"area", ""}, top + 3, &def);
    lwl_set_area(L, "area", &def);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

// --- materials and codes ----------------------------------------------------------------------------------------

static void check_pattern(lua_State *L, const lwl_at *at, const char *pattern) {
  const int top = lua_gettop(L);
  lua_pushstring(L, "");
  lua_getfield(L, -1, "find"); /* strings have their methods by metatable */
  lua_insert(L, -2);
  lua_pushstring(L, pattern);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK)
    lwl_raise_at(L, at, "pattern", "is not a Lua pattern: %s", lua_tostring(L, -1));
  lua_settop(L, top);
}

/// Append { pattern, id or false, kind of cover } to the list at index `rules`; false: ignored.
static void load_material(lua_State *L, const char *file, int table, lua_Integer item, int rules) {
  static const char *const keys[] = {"pattern", "area", "cover", "ignored", NULL};
  const lwl_at at = {file, lua_pushfstring(L, "materials[%I].", (LUAI_UACINT)item)};
  lwl_check_keys(L, &at, table, keys);
  const char *pattern = NULL;
  bool ignored = false;
  lw_area_id id = LW_AREA_NONE;
  if (!lwl_opt_string(L, &at, table, "pattern", &pattern))
    lwl_raise_at(L, &at, "pattern", "expected a string, got nil");
  check_pattern(L, &at, pattern);
  lwl_opt_bool(L, &at, table, "ignored", &ignored);
  if (!lwl_opt_area(L, &at, table, "area", &id) && !ignored)
    lwl_raise_at(L, &at, "area", "expected the name of an area or false, got nil");
  lua_createtable(L, 2, 0);
  lua_pushstring(L, pattern);
  lua_rawseti(L, -2, 1);
  if (ignored)
    lua_pushboolean(L, 0);
  else
    lua_pushinteger(L, id);
  lua_rawseti(L, -2, 2);
  lw_cover_kind cover = LW_COVER_DEFAULT;
  lwl_opt_cover(L, &at, table, "cover", &cover);
  lua_pushinteger(L, cover);
  lua_rawseti(L, -2, 3);
  lua_rawseti(L, rules, (lua_Integer)lua_rawlen(L, rules) + 1);
}

/// What an area code of gset files means.
static void load_code(lua_State *L, const char *file, int table, lua_Integer item) {
  static const char *const keys[] = {"code", "area", "water", "link", NULL};
  const lwl_at at = {file, lua_pushfstring(L, "codes[%I].", (LUAI_UACINT)item)};
  lw_gset_rule rule = {LW_GSET_NOTHING, LW_AREA_NONE, LW_LINK_JUMP};
  int code = 0;
  bool water = false;
  lwl_check_keys(L, &at, table, keys);
  if (!lwl_opt_int(L, &at, table, "code", 0, &code) || code >= LWL_CODES)
    lwl_raise_at(L, &at, "code", "expected a whole number from 0 to %d", LWL_CODES - 1);
  if (lwl_opt_area(L, &at, table, "area", &rule.area)) rule.volume = LW_GSET_MARK;
  if (lwl_opt_bool(L, &at, table, "water", &water) && water) {
    if (rule.volume == LW_GSET_MARK) lwl_raise_at(L, &at, "water", "and 'area' exclude each other");
    rule.volume = LW_GSET_WATER;
  }
  if (lwl_get(L, table, "link") != LUA_TNIL) rule.link = lwl_check_link_kind(L, &at, "link", -1);
  lwl_get_state(L)->codes[code] = rule;
}

// --- the files --------------------------------------------------------------------------------------------------

/// A list of the file that is being loaded. @param least  Elements; 0: it may be left out.
/// Pushes the list and returns its length.
static lua_Integer push_list(lua_State *L, const lwl_at *at, int data, const char *key, lua_Integer least) {
  if (least == 0 && lwl_get(L, data, key) == LUA_TNIL) return 0;
  if (least == 0) lua_pop(L, 1);
  return lwl_need_list(L, at, data, key, least);
}

/// Element `item` of the list on top of the stack is pushed. @return its index
static int push_item(lua_State *L, const lwl_at *at, const char *key, lua_Integer item) {
  lua_rawgeti(L, -1, item);
  if (!lua_istable(L, -1)) lwl_raise_item(L, at, key, item, "a table", -1);
  return lua_gettop(L);
}

/// @param data  Index of what the file returned. @param rules  Of the list that materials are appended to.
static void load_file(lua_State *L, const lwl_at *at, int data, int rules, bool patch) {
  lua_newtable(L);
  const int seen = lua_gettop(L), list = seen + 1;
  lua_Integer count = push_list(L, at, data, "areas", patch ? 0 : 1);
  for (lua_Integer i = 1; i <= count; ++i) {
    load_area(L, at->where, push_item(L, at, "areas", i), i, seen, patch);
    lua_settop(L, list);
  }
  lua_settop(L, seen);
  count = push_list(L, at, data, "materials", 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    load_material(L, at->where, push_item(L, at, "materials", i), i, rules);
    lua_settop(L, list);
  }
  lua_settop(L, seen);
  count = push_list(L, at, data, "codes", 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    load_code(L, at->where, push_item(L, at, "codes", i), i);
    lua_settop(L, list);
  }
  lua_settop(L, seen - 1);
}

/// Read the files up to the first that is no patch into the list `read`. @return how many
static lua_Integer read_files(lua_State *L, int files, int read) {
  static const char *const keys[] = {"patch", "areas", "materials", "codes", NULL};
  const lua_Integer count = (lua_Integer)lua_rawlen(L, files);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, files, i);
    const lwl_at at = {lua_tostring(L, -1), ""};
    lwl_run_data(L, at.where);
    bool patch = false;
    lwl_check_keys(L, &at, -1, keys);
    lwl_opt_bool(L, &at, -1, "patch", &patch);
    lua_rawseti(L, read, i);
    if (!patch) return i;
    if (i == count)
      lwl_raise_at(L, &at, "patch", ": no root behind this one has a scripts/areas.lua that it could change");
    lua_pop(L, 1);
  }
  return 0;
}

void lwl_load_areas(lua_State *L) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const int files = lua_gettop(L) + 1, read = files + 1, rules = files + 2, all = files + 3;
  lwl_push_files(L, "scripts/areas.lua");
  if (lua_rawlen(L, files) == 0)
    luaL_error(L, "leeward: cannot find scripts/areas.lua; looked in %s", lwl_push_roots(L));
  lua_newtable(L);
  const lua_Integer count = read_files(L, files, read);
  lua_settop(L, read);
  lua_newtable(L);
  lua_newtable(L);
  memset(lwl_get_state(L)->codes, 0, sizeof lwl_get_state(L)->codes);
  for (lua_Integer i = count; i >= 1; --i) {
    lua_rawgeti(L, files, i);
    const lwl_at at = {lua_tostring(L, -1), ""};
    lua_rawgeti(L, read, i);
    lua_newtable(L); /* its own materials, which go in front of the others */
    const int own = lua_gettop(L);
    load_file(L, &at, own - 1, own, i < count);
    lwl_accept_data(L, at.where);
    lua_rawseti(L, all, i);
    lua_settop(L, all);
  }
  apply_changes(L);
  for (lua_Integer i = 1, end = 0; i <= count; ++i) {
    lua_rawgeti(L, all, i);
    for (lua_Integer k = 1; lua_rawgeti(L, all + 1, k) != LUA_TNIL; ++k) lua_rawseti(L, rules, ++end);
    lua_settop(L, all);
  }
  lua_settop(L, rules);
  lwl_set_registry(L, LWL_REG_MATERIALS);
  lua_settop(L, files - 1);
}
