/*
** Import: navmeshes of other programs.
*/
#include "lwl.h"
#include "tiles.h"

/// Read settings.areas[number] = name, where the number is one of Detour's areas.
static void read_areas(lua_State *L, const lwl_at *at, lw_import_settings *settings) {
  if (lwl_get(L, 2, "areas") == LUA_TNIL) return;
  if (!lua_istable(L, -1)) lwl_raise_expected(L, at, "areas", "a table of names by Detour's area number", -1);
  const int list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) {
    const lua_Integer number = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : -1;
    if (number < 0 || number >= LW_IMPORT_AREAS)
      lwl_raise_at(L, at, "areas", "has the key %s, expected 0 to %d", lwl_describe(L, -2),
                   LW_IMPORT_AREAS - 1);
    if (lua_type(L, -1) != LUA_TSTRING) lwl_raise_item(L, at, "areas", number, "the name of an area", -1);
    settings->areas[number] = lwl_check_area(L, at, "areas", -1);
  }
}

/*
** leeward.import_navmesh(file [, { areas = { [number] = name } }]) --> navmesh | nil, message, code
*/
static int import_navmesh(lua_State *L) {
  static const char *const keys[] = {"areas", NULL};
  const lwl_at at = {"import_navmesh", ""};
  const char *file = lwl_check_file(L, at.where, 1);
  lw_import_settings settings = lw_import_settings_default();
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    lwl_check_table(L, at.where, 2);
    lwl_check_keys(L, &at, 2, keys);
    read_areas(L, &at, &settings);
  }
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_navmesh *result = NULL;
  lw_error error = {0};
  error.status = lw_navmesh_import(file, lwl_get_state(L)->areas, &settings, &result, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lwl_fill_box(box, result);
  lwl_count_navmesh(L, -1);
  return 1;
}

static const luaL_Reg functions[] = {{"import_navmesh", import_navmesh}, {NULL, NULL}};

void lwl_open_import(lua_State *L) {
  lwl_set_functions(L, functions, NULL);
}
