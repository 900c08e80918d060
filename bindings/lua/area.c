/*
** Areas: the state's one table, filled from scripts/areas.lua.
*/
#include "lwl.h"

#include <string.h>

static const lwl_range speed_range = {0, 1000, true, "a number above 0"};
static const char *const area_keys[] = {"type",   "resistance", "exposure", "concealment", "deep_water",
                                        "unsafe", "speed",      "cover",    "color",       NULL};

static void raise_unknown_area(lua_State *L, const lwl_at *at, const char *key, const char *name) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  lwl_guess guess = {NULL, 0};
  for (int id = 1; id <= lw_area_table_count(areas); ++id)
    lwl_guess_consider(&guess, name, lw_area_table_get(areas, (lw_area_id)id)->name);
  lwl_raise_at(L, at, key, ": there is no area '%s'.%s", name, lwl_push_guess(L, &guess));
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
  lwl_raise_at(L, at, "type", "expected triangular, road, waypoint or volume, got '%s'.%s", name,
               lwl_push_guess(L, &guess));
}

void lwl_read_area(lua_State *L, const lwl_at *at, int table, lw_area_def *def) {
  int color = (int)def->color;
  opt_link_type(L, at, table, &def->type);
  lwl_opt_float(L, at, table, "resistance", &lwl_not_negative, &def->resistance);
  lwl_opt_float(L, at, table, "exposure", &lwl_unit, &def->exposure);
  lwl_opt_float(L, at, table, "concealment", &lwl_unit, &def->concealment);
  lwl_opt_float(L, at, table, "deep_water", &lwl_unit, &def->deep_water);
  lwl_opt_float(L, at, table, "unsafe", &lwl_unit, &def->unsafe);
  lwl_opt_float(L, at, table, "speed", &speed_range, &def->speed);
  lwl_opt_cover(L, at, table, "cover", &def->cover);
  if (lwl_opt_int(L, at, table, "color", 0, &color) && color > 0xffffff)
    lwl_raise_at(L, at, "color", "expected 0x000000 to 0xffffff, got %d", color);
  def->color = (uint32_t)color;
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
  lua_pushstring(L, area->name), lua_setfield(L, -2, "name");
  lua_pushstring(L, lw_link_type_name(area->type)), lua_setfield(L, -2, "type");
  lua_pushnumber(L, (lua_Number)area->resistance), lua_setfield(L, -2, "resistance");
  lua_pushnumber(L, (lua_Number)area->exposure), lua_setfield(L, -2, "exposure");
  lua_pushnumber(L, (lua_Number)area->concealment), lua_setfield(L, -2, "concealment");
  lua_pushnumber(L, (lua_Number)area->deep_water), lua_setfield(L, -2, "deep_water");
  lua_pushnumber(L, (lua_Number)area->unsafe), lua_setfield(L, -2, "unsafe");
  lua_pushnumber(L, (lua_Number)area->speed), lua_setfield(L, -2, "speed");
  if (area->cover != LW_COVER_DEFAULT)
    lua_pushstring(L, lw_cover_kind_name(area->cover)), lua_setfield(L, -2, "cover");
  lua_pushinteger(L, (lua_Integer)area->color), lua_setfield(L, -2, "color");
}

/// Remember what the table at index 2 changes, for a reload of scripts/areas.lua must not undo it.
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
  luaL_setfuncs(L, functions, 0);
}
