/*
** Areas: the area table of a Lua state, which scripts/areas.lua fills. The file also says which materials are
** which area, and what the area codes of gset files mean.
**
** The file in the first root counts. Where it says `patch = true` it states differences to the file in the
** roots behind it: areas that are new or change the numbers that they name, materials that are tried first,
** other codes.
*/
#include "pattern.h"

#include <string.h>

static const lw_range code_range = {0, LWL_CODES - 1, NULL, false};
static const lw_range speed_range = {0, LW_PROFILE_SPEED_MAX, NULL, true};
static const char *const file_area_keys[] = {"name",        "type",       "resistance", "exposure",
                                             "concealment", "deep_water", "unsafe",     "speed",
                                             "cover",       "color",      NULL};
/// Without `name`.
static const char *const *const area_keys = file_area_keys + 1;

/// Areas that a message lists.
#define LISTED_MAX 16

/// Push which file hides others, or "".
static const char *push_replacing_file(lua_State *L) {
  lwl_push_registry(L, LWL_REG_AREAS_FILE);
  if (!lua_isstring(L, -1)) return lua_pushstring(L, "");
  return lua_pushfstring(L, "; %s replaces the areas of other roots, as it does not say `patch = true`",
                         lua_tostring(L, -1));
}

/// Push "; known are A, B, ...". Nothing is listed where there is nothing.
static const char *push_area_list(lua_State *L, const lw_area_table *areas) {
  const int count = lw_area_table_count(areas), listed = count < LISTED_MAX ? count : LISTED_MAX;
  const char *names[LISTED_MAX + 2] = {NULL};
  if (count == 0) return lua_pushstring(L, "");
  for (int i = 0; i < listed; ++i) names[i] = lw_area_table_get(areas, (lw_area_id)(i + 1))->name;
  if (count > listed) names[listed] = "...";
  const char *list = lwl_push_names(L, names);
  return lua_pushfstring(L, "; known are %s%s", list, push_replacing_file(L));
}

/// Push which area may be meant, or which there are.
static const char *push_area_guess(lua_State *L, const char *name) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  lwl_guess guess = {NULL, 0};
  for (int id = 1; id <= lw_area_table_count(areas); ++id)
    lwl_guess_consider(&guess, name, lw_area_table_get(areas, (lw_area_id)id)->name);
  return guess.name ? lwl_push_guess(L, &guess) : push_area_list(L, areas);
}

void lwl_check_area_key(lua_State *L, const lwl_at *at, const char *name) {
  if (lw_area_table_find(lwl_get_state(L)->areas, name) == LW_AREA_NONE)
    lwl_raise(L, at->where, "unknown key '%s%s'%s", at->prefix, name, push_area_guess(L, name));
}

lw_area_id lwl_check_area(lua_State *L, const lwl_at *at, const char *key, int index) {
  const char *name = lwl_check_text(L, at, key, "the name of an area", index);
  const lw_area_id area = lw_area_table_find(lwl_get_state(L)->areas, name);
  if (area == LW_AREA_NONE)
    lwl_raise_at(L, at, key, "is '%s', expected the name of an area%s", name, push_area_guess(L, name));
  return area;
}

bool lwl_opt_area(lua_State *L, const lwl_at *at, int table, const char *key, lw_area_id *area) {
  const int type = lwl_get(L, table, key);
  if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1))
    *area = LW_AREA_NONE;
  else if (type != LUA_TNIL)
    *area = lwl_check_area(L, at, key, -1);
  lua_pop(L, 1);
  return type != LUA_TNIL;
}

void lwl_push_area_name(lua_State *L, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(lwl_get_state(L)->areas, area);
  if (def)
    lua_pushstring(L, def->name);
  else
    lua_pushnil(L);
}

void lwl_read_area(lua_State *L, const lwl_at *at, int table, lw_area_def *def) {
  int type = (int)def->type;
  lwl_opt_enum(L, at, table, "type", LWL_LINK_TYPE, &type);
  def->type = (lw_link_type)type;
  lwl_opt_float(L, at, table, "resistance", &lwl_not_negative, &def->resistance);
  lwl_opt_float(L, at, table, "exposure", &lwl_fraction, &def->exposure);
  lwl_opt_float(L, at, table, "concealment", &lwl_fraction, &def->concealment);
  lwl_opt_float(L, at, table, "deep_water", &lwl_fraction, &def->deep_water);
  lwl_opt_float(L, at, table, "unsafe", &lwl_fraction, &def->unsafe);
  lwl_opt_float(L, at, table, "speed", &speed_range, &def->speed);
  lwl_opt_cover(L, at, table, "cover", &def->cover);
  lwl_opt_color(L, at, table, &def->color);
}

void lwl_set_area(lua_State *L, const char *where, const lw_area_def *def) {
  lw_error error = {0};
  if (lw_area_table_set(lwl_get_state(L)->areas, def, NULL, &error) != LW_OK)
    lwl_raise(L, where, "%s", error.text);
}

lw_area_def lwl_current_area(lua_State *L, const char *name) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  const lw_area_def *known = lw_area_table_get(areas, lw_area_table_find(areas, name));
  lw_area_def def = lw_area_def_default();
  if (known) {
    const uint32_t cookie = def.cookie;
    def = *known;
    def.cookie = cookie;
  }
  def.name = name;
  return def;
}

static void push_area(lua_State *L, const lw_area_def *area) {
  lua_createtable(L, 0, 10);
  lwl_set_string(L, "name", area->name);
  lwl_set_string(L, "type", lw_link_type_name(area->type));
  lwl_set_number(L, "resistance", (double)area->resistance);
  lwl_set_number(L, "exposure", (double)area->exposure);
  lwl_set_number(L, "concealment", (double)area->concealment);
  lwl_set_number(L, "deep_water", (double)area->deep_water);
  lwl_set_number(L, "unsafe", (double)area->unsafe);
  lwl_set_number(L, "speed", (double)area->speed);
  if (area->cover != LW_COVER_DEFAULT) lwl_set_string(L, "cover", lw_cover_kind_name(area->cover));
  lwl_set_integer(L, "color", (lua_Integer)area->color);
}

/// Record the keys of the table at index 2: a reload of scripts/areas.lua must not undo them.
static void keep_change(lua_State *L, const char *name) {
  const int top = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_AREAS);
  if (lua_getfield(L, -1, name) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, top + 1, name);
  }
  for (const char *const *key = area_keys; *key; ++key)
    if (lwl_get(L, 2, *key) != LUA_TNIL)
      lua_setfield(L, top + 2, *key);
    else
      lua_pop(L, 1);
  lua_settop(L, top);
}

// --- areas in the file ---------------------------------------------------------------------------------------

/// @param table  areas[item]. @param seen  Set of the names so far in this file.
static void load_area(lua_State *L, const char *file, int table, lua_Integer item, int seen, bool patch) {
  const lwl_at at = {file, lua_pushfstring(L, "areas[%I].", (LUAI_UACINT)item)};
  lwl_check_keys(L, &at, table, file_area_keys);
  lwl_get(L, table, "name");
  const char *name = lwl_check_text(L, &at, "name", "1 to 63 bytes", -1);
  if (!*name || strlen(name) > 63) lwl_raise_expected(L, &at, "name", "1 to 63 bytes", -1);
  if (lwl_get(L, seen, name) != LUA_TNIL)
    lwl_raise_at(L, &at, "name", "is '%s', expected a name that no other area has", name);
  lua_pushboolean(L, 1);
  lua_setfield(L, seen, name);
  lw_area_def def = lw_area_def_default();
  if (patch) def = lwl_current_area(L, name);
  def.name = name;
  lwl_read_area(L, &at, table, &def);
  lwl_set_area(L, file, &def);
}

/// Apply what scripts have changed by leeward.area() again.
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

// --- materials and codes -------------------------------------------------------------------------------------

/// Append a rule as in LWL_REG_MATERIALS to the list at index `rules`.
static void load_material(lua_State *L, const char *file, int table, lua_Integer item, int rules) {
  static const char *const keys[] = {"pattern", "area", "cover", "ignored", NULL};
  const lwl_at at = {file, lua_pushfstring(L, "materials[%I].", (LUAI_UACINT)item)};
  lwl_check_keys(L, &at, table, keys);
  const char *pattern = NULL;
  bool ignored = false;
  lw_area_id id = LW_AREA_NONE;
  if (!lwl_opt_string(L, &at, table, "pattern", &pattern)) lwl_raise_missing(L, &at, "pattern", "a string");
  lwl_opt_bool(L, &at, table, "ignored", &ignored);
  const bool has_area = lwl_opt_area(L, &at, table, "area", &id);
  if (has_area && ignored)
    lwl_raise(L, at.where, "%sarea and %signored are given, expected one of them", at.prefix, at.prefix);
  if (!has_area && !ignored) lwl_raise_missing(L, &at, "area", "the name of an area or false");
  lua_createtable(L, 4, 0);
  lwl_push_pattern(L, &at, pattern);
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
  lua_pushfstring(L, "%s: %spattern", file, at.prefix);
  lua_rawseti(L, -2, 4);
  lua_rawseti(L, rules, (lua_Integer)lua_rawlen(L, rules) + 1);
}

/// Read the meaning of an area code of gset files.
static void load_code(lua_State *L, const char *file, int table, lua_Integer item) {
  static const char *const keys[] = {"code", "area", "water", "link", NULL};
  const lwl_at at = {file, lua_pushfstring(L, "codes[%I].", (LUAI_UACINT)item)};
  lw_gset_rule rule = {LW_GSET_NOTHING, LW_AREA_NONE, LW_LINK_JUMP};
  int code = 0, link = (int)rule.link;
  bool water = false;
  lwl_check_keys(L, &at, table, keys);
  if (!lwl_opt_int(L, &at, table, "code", &code_range, &code))
    lwl_raise_missing(L, &at, "code", lua_pushfstring(L, "a whole number from 0 to %d", LWL_CODES - 1));
  if (lwl_opt_area(L, &at, table, "area", &rule.area)) rule.volume = LW_GSET_MARK;
  if (lwl_opt_bool(L, &at, table, "water", &water) && water) {
    if (rule.volume == LW_GSET_MARK) lwl_raise_at(L, &at, "water", "is true, expected it or 'area', not both");
    rule.volume = LW_GSET_WATER;
  }
  lwl_opt_enum(L, &at, table, "link", LWL_LINK_KIND, &link);
  rule.link = (lw_link_kind)link;
  lwl_get_state(L)->codes[code] = rule;
}

// --- the files -----------------------------------------------------------------------------------------------

/// Push a list of the file. @param min  Elements it needs; 0: the key may be absent. @return Its length.
static lua_Integer push_list(lua_State *L, const lwl_at *at, int data, const char *key, lua_Integer min) {
  if (min == 0 && lwl_get(L, data, key) == LUA_TNIL) return 0;
  if (min == 0) lua_pop(L, 1);
  return lwl_need_list(L, at, data, key, min);
}

/// Push element `item` of the list on top of the stack. @return Its index.
static int push_item(lua_State *L, const lwl_at *at, const char *key, lua_Integer item) {
  lua_rawgeti(L, -1, item);
  if (!lua_istable(L, -1)) lwl_raise_item(L, at, key, item, "a table", -1);
  return lua_gettop(L);
}

/// @param data  Index of what the file returned. @param rules  Index of the list to append materials to.
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

/// @param file  NULL: none.
static void keep_replacing_file(lua_State *L, const char *file) {
  if (file)
    lua_pushstring(L, file);
  else
    lua_pushboolean(L, 0);
  lwl_set_registry(L, LWL_REG_AREAS_FILE);
}

/// Read the files up to the first that is no patch into the list at `read`. @return How many.
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
    if (!patch) {
      keep_replacing_file(L, i < count ? at.where : NULL);
      return i;
    }
    if (i == count)
      lwl_raise_at(L, &at, "patch", "is true, expected a scripts/areas.lua in a root behind this one");
    lua_pop(L, 1);
  }
  return 0;
}

void lwl_load_areas(lua_State *L) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const int files = lua_gettop(L) + 1, read = files + 1, rules = files + 2, all = files + 3;
  lwl_push_files(L, "scripts/areas.lua");
  if (lua_rawlen(L, files) == 0)
    lwl_raise(L, "leeward", "cannot find scripts/areas.lua; looked in %s", lwl_push_roots(L));
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
    lua_newtable(L); /* the file's own materials, which are tried before those of files behind it */
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

// --- functions -----------------------------------------------------------------------------------------------

/*
** leeward.area(name) --> table | nil
** leeward.area(name, table) --> table
** With a table: defines the area, or changes the numbers that the table names.
*/
static int area(lua_State *L) {
  const char *name = lwl_check_name(L, "area", 1);
  const lw_area_table *areas = lwl_get_state(L)->areas;
  if (!lua_isnoneornil(L, 2)) {
    const lwl_at at = {"area", ""};
    lwl_check_table(L, "area", 2);
    lwl_check_keys(L, &at, 2, area_keys);
    lw_area_def def = lwl_current_area(L, name);
    lwl_read_area(L, &at, 2, &def);
    lwl_set_area(L, "area", &def);
    keep_change(L, name);
  }
  const lw_area_def *def = lw_area_table_get(areas, lw_area_table_find(areas, name));
  if (def)
    push_area(L, def);
  else
    lua_pushnil(L);
  return 1;
}

/*
** leeward.areas() --> list of names, in the order of their ids
*/
static int areas_list(lua_State *L) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  const int count = lw_area_table_count(areas);
  lua_createtable(L, count, 0);
  for (int id = 1; id <= count; ++id) {
    lua_pushstring(L, lw_area_table_get(areas, (lw_area_id)id)->name);
    lua_rawseti(L, -2, id);
  }
  return 1;
}

static const luaL_Reg functions[] = {{"area", area}, {"areas", areas_list}, {NULL, NULL}};

void lwl_open_area(lua_State *L) {
  lwl_set_functions(L, functions, NULL);
}
