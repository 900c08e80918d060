/*
** Areas: the state's one table, filled from scripts/areas.lua.
*/
#include "lwl.h"

#include <string.h>

static const lwl_range speed_range = {0, 1000, true, "a number above 0"};
static const char *const area_keys[] = {"type",   "resistance", "exposure", "concealment", "deep_water",
                                        "unsafe", "speed",      "color",    NULL};

static void raise_unknown_area(lua_State *L, const lwl_at *at, const char *key, const char *name) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  lwl_guess guess = {NULL, 0};
  for (int id = 1; id <= lw_area_table_count(areas); ++id)
    lwl_guess_consider(&guess, name, lw_area_table_get(areas, (lw_area_id)id)->name);
  lwl_raise(L, at->where, "'%s%s': there is no area '%s'.%s", at->prefix, key, name, lwl_push_guess(L, &guess));
}

lw_area_id lwl_check_area(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (lua_type(L, index) != LUA_TSTRING) lwl_raise_expected(L, at, key, "the name of an area", index);
  const char *name = lua_tostring(L, index);
  const lw_area_id area = lw_area_table_find(lwl_get_state(L)->areas, name);
  if (area == LW_AREA_NONE) raise_unknown_area(L, at, key, name);
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

static void opt_link_type(lua_State *L, const lwl_at *at, int table, lw_link_type *type) {
  const char *name = NULL;
  if (!lwl_opt_string(L, at, table, "type", &name)) return;
  lwl_guess guess = {NULL, 0};
  for (int i = 0; i < LW_LINK_TYPE_COUNT; ++i) {
    const char *candidate = lw_link_type_name((lw_link_type)i);
    if (strcmp(name, candidate) == 0) {
      *type = (lw_link_type)i;
      return;
    }
    lwl_guess_consider(&guess, name, candidate);
  }
  lwl_raise(L, at->where, "'%stype' expected triangular, road, waypoint or volume, got '%s'.%s", at->prefix,
            name, lwl_push_guess(L, &guess));
}

/// Read an area's numbers over those that `def` has.
static void read_area(lua_State *L, const lwl_at *at, int table, lw_area_def *def) {
  int color = (int)def->color;
  opt_link_type(L, at, table, &def->type);
  lwl_opt_float(L, at, table, "resistance", &lwl_not_negative, &def->resistance);
  lwl_opt_float(L, at, table, "exposure", &lwl_unit, &def->exposure);
  lwl_opt_float(L, at, table, "concealment", &lwl_unit, &def->concealment);
  lwl_opt_float(L, at, table, "deep_water", &lwl_unit, &def->deep_water);
  lwl_opt_float(L, at, table, "unsafe", &lwl_unit, &def->unsafe);
  lwl_opt_float(L, at, table, "speed", &speed_range, &def->speed);
  if (lwl_opt_int(L, at, table, "color", 0, &color) && color > 0xffffff)
    lwl_raise(L, at->where, "'%scolor' expected 0x000000 to 0xffffff, got %d", at->prefix, color);
  def->color = (uint32_t)color;
}

static void set_area(lua_State *L, const char *where, const lw_area_def *def) {
  lw_error error = {0};
  if (lw_area_table_set(lwl_get_state(L)->areas, def, NULL, &error) != LW_OK)
    lwl_raise(L, where, "%s", error.text);
}

/// What the area is now, or the default of a new one. The name belongs to the caller.
static lw_area_def current_area(const lw_area_table *areas, const char *name) {
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
  lua_createtable(L, 0, 9);
  lua_pushstring(L, area->name), lua_setfield(L, -2, "name");
  lua_pushstring(L, lw_link_type_name(area->type)), lua_setfield(L, -2, "type");
  lua_pushnumber(L, (lua_Number)area->resistance), lua_setfield(L, -2, "resistance");
  lua_pushnumber(L, (lua_Number)area->exposure), lua_setfield(L, -2, "exposure");
  lua_pushnumber(L, (lua_Number)area->concealment), lua_setfield(L, -2, "concealment");
  lua_pushnumber(L, (lua_Number)area->deep_water), lua_setfield(L, -2, "deep_water");
  lua_pushnumber(L, (lua_Number)area->unsafe), lua_setfield(L, -2, "unsafe");
  lua_pushnumber(L, (lua_Number)area->speed), lua_setfield(L, -2, "speed");
  lua_pushinteger(L, (lua_Integer)area->color), lua_setfield(L, -2, "color");
}

/*
** leeward.area(name) --> table | nil
** leeward.area(name, table) --> table
** Defines the area, or changes the numbers that the table names.
*/
static int area(lua_State *L) {
  const char *name = lwl_check_name(L, "area", 1);
  const lw_area_table *areas = lwl_get_state(L)->areas;
  if (!lua_isnoneornil(L, 2)) {
    const lwl_at at = {"area", ""};
    lwl_check_table(L, "area", 2);
    lwl_check_keys(L, &at, 2, area_keys);
    lw_area_def def = current_area(areas, name);
    read_area(L, &at, 2, &def);
    set_area(L, "area", &def);
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

// --- scripts/areas.lua ----------------------------------------------------------------------------------------

static void load_area(lua_State *L, const char *file, int table, lua_Integer item) {
  static const char *const keys[] = {"name",       "type",   "resistance", "exposure", "concealment",
                                     "deep_water", "unsafe", "speed",      "color",    NULL};
  const lwl_at at = {file, lua_pushfstring(L, "areas[%I].", (LUAI_UACINT)item)};
  lwl_check_keys(L, &at, table, keys);
  lw_area_def def = lw_area_def_default();
  lwl_opt_string(L, &at, table, "name", &def.name);
  if (!def.name) lwl_raise(L, file, "'%sname' expected a string, got nil", at.prefix);
  if (lw_area_table_find(lwl_get_state(L)->areas, def.name) != LW_AREA_NONE)
    lwl_raise(L, file, "'%sname': there are two areas '%s'", at.prefix, def.name);
  read_area(L, &at, table, &def);
  set_area(L, file, &def);
}

static void check_pattern(lua_State *L, const lwl_at *at, const char *pattern) {
  const int top = lua_gettop(L);
  lua_pushstring(L, "");
  lua_getfield(L, -1, "find"); /* strings have their methods by metatable */
  lua_insert(L, -2);
  lua_pushstring(L, pattern);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK)
    lwl_raise(L, at->where, "'%spattern' is not a Lua pattern: %s", at->prefix, lua_tostring(L, -1));
  lua_settop(L, top);
}

/// Append { pattern, id or false } to the list at index `rules`; false: ignored.
static void load_material(lua_State *L, const char *file, int table, lua_Integer item, int rules) {
  static const char *const keys[] = {"pattern", "area", "ignored", NULL};
  const lwl_at at = {file, lua_pushfstring(L, "materials[%I].", (LUAI_UACINT)item)};
  lwl_check_keys(L, &at, table, keys);
  const char *pattern = NULL;
  bool ignored = false;
  lw_area_id id = LW_AREA_NONE;
  if (!lwl_opt_string(L, &at, table, "pattern", &pattern))
    lwl_raise(L, file, "'%spattern' expected a string, got nil", at.prefix);
  check_pattern(L, &at, pattern);
  lwl_opt_bool(L, &at, table, "ignored", &ignored);
  if (!lwl_opt_area(L, &at, table, "area", &id) && !ignored)
    lwl_raise(L, file, "'%sarea' expected the name of an area or false, got nil", at.prefix);
  lua_createtable(L, 2, 0);
  lua_pushstring(L, pattern);
  lua_rawseti(L, -2, 1);
  if (ignored)
    lua_pushboolean(L, 0);
  else
    lua_pushinteger(L, id);
  lua_rawseti(L, -2, 2);
  lua_rawseti(L, rules, item);
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
    lwl_raise(L, file, "'%scode' expected a whole number from 0 to %d", at.prefix, LWL_CODES - 1);
  if (lwl_opt_area(L, &at, table, "area", &rule.area)) rule.volume = LW_GSET_MARK;
  if (lwl_opt_bool(L, &at, table, "water", &water) && water) {
    if (rule.volume == LW_GSET_MARK)
      lwl_raise(L, file, "takes '%sarea' or '%swater', not both", at.prefix, at.prefix);
    rule.volume = LW_GSET_WATER;
  }
  if (lwl_get(L, table, "link") != LUA_TNIL) rule.link = lwl_check_link_kind(L, &at, "link", -1);
  lwl_get_state(L)->codes[code] = rule;
}

void lwl_load_areas(lua_State *L) {
  static const char *const keys[] = {"areas", "materials", "codes", NULL};
  const int top = lua_gettop(L);
  const char *file = lwl_find_file(L, "scripts/areas.lua");
  if (!file) luaL_error(L, "leeward: cannot find scripts/areas.lua; looked in %s", lwl_push_roots(L));
  const lwl_at at = {file, ""};
  lwl_run_data(L, file);
  const int data = lua_gettop(L);
  lwl_check_keys(L, &at, data, keys);
  const lua_Integer area_count = lwl_need_list(L, &at, data, "areas", 1);
  for (lua_Integer i = 1; i <= area_count; ++i) {
    lua_rawgeti(L, data + 1, i);
    if (!lua_istable(L, -1)) lwl_raise_item(L, &at, "areas", i, "a table", -1);
    load_area(L, file, lua_gettop(L), i);
    lua_settop(L, data + 1);
  }
  if (lwl_get(L, data, "materials") != LUA_TNIL) {
    lua_pop(L, 1);
    const lua_Integer material_count = lwl_need_list(L, &at, data, "materials", 0);
    lwl_push_registry(L, LWL_REG_MATERIALS);
    const int rules = lua_gettop(L);
    for (lua_Integer i = 1; i <= material_count; ++i) {
      lua_rawgeti(L, rules - 1, i);
      if (!lua_istable(L, -1)) lwl_raise_item(L, &at, "materials", i, "a table", -1);
      load_material(L, file, lua_gettop(L), i, rules);
      lua_settop(L, rules);
    }
  }
  lua_settop(L, data);
  if (lwl_get(L, data, "codes") != LUA_TNIL) {
    lua_pop(L, 1);
    const lua_Integer code_count = lwl_need_list(L, &at, data, "codes", 0);
    for (lua_Integer i = 1; i <= code_count; ++i) {
      lua_rawgeti(L, data + 1, i);
      if (!lua_istable(L, -1)) lwl_raise_item(L, &at, "codes", i, "a table", -1);
      load_code(L, file, lua_gettop(L), i);
      lua_settop(L, data + 1);
    }
  }
  lua_settop(L, top);
}

static const luaL_Reg functions[] = {{"area", area}, {"areas", areas_list}, {NULL, NULL}};

void lwl_open_area(lua_State *L) {
  luaL_setfuncs(L, functions, 0);
}
