/*
** Route tables, and costs between all of some places.
*/
#include "goals.h"
#include "sandbox.h"

#include <math.h>
#include <string.h>

enum {
  ROUTES_WORLD = 1, ///< The world's box.
  ROUTES_PROFILE,   ///< Profile box or nil.
  ROUTES_PLACES,    ///< Table: the key of each place in `places`, and its number.
  ROUTES_VALUES = ROUTES_PLACES
};

static void destroy(void *object) {
  lw_route_table_destroy(object);
}

// --- places --------------------------------------------------------------------------------------------------

/// Add the place at the top of the stack, and its key below it, to the points and to the table of numbers.
static void add_place(lua_State *L, const lwl_at *at, int numbers, lw_vec3 *points, int number) {
  const int key = lua_gettop(L) - 1;
  if (lua_type(L, key) != LUA_TSTRING && !lua_isinteger(L, key))
    lwl_raise_at(L, at, "places", "has the key %s, expected names, or a list", lwl_describe(L, key));
  if (!lwl_to_point(L, key + 1, &points[number])) {
    const char *name = lua_pushfstring(L, "places[%s]", lwl_describe(L, key));
    lwl_raise_expected(L, at, name, "a point", key + 1);
  }
  lua_pushvalue(L, key);
  lua_pushinteger(L, number);
  lua_rawset(L, numbers);
}

static int count_places(lua_State *L, const lwl_at *at, int places) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, places); lua_pop(L, 1)) ++count;
  if (count < 1 || count > LW_ROUTE_PLACES_MAX)
    lwl_raise_at(L, at, "places", "has %d places, expected 1 to %d", count, LW_ROUTE_PLACES_MAX);
  return count;
}

/// Read `places`: the points, and a table of numbers by key, stay on the stack.
/// @return The index of that table; the points lie below it.
static int read_places(lua_State *L, const lwl_at *at, lw_route_table_def *def) {
  if (lwl_get(L, 2, "places") != LUA_TTABLE)
    lwl_raise_expected(L, at, "places", "a table of points", lua_gettop(L));
  const int places = lua_gettop(L);
  def->place_count = count_places(L, at, places);
  lw_vec3 *points = lua_newuserdatauv(L, (size_t)def->place_count * sizeof *points, 0);
  lua_createtable(L, 0, def->place_count);
  const int numbers = lua_gettop(L);
  int number = 0;
  for (lua_pushnil(L); lua_next(L, places); lua_pop(L, 1)) {
    if (number == def->place_count)
      lwl_raise_at(L, at, "places", "was changed while it was read"); /* by a finaliser */
    add_place(L, at, numbers, points, number++);
  }
  if (number == 0) lwl_raise_at(L, at, "places", "was changed while it was read");
  def->place_count = number;
  def->places = points;
  return numbers;
}

/// Push the names of places for the definition: keys as text. They stay on the stack, below their list.
static void push_names(lua_State *L, const lwl_at *at, int numbers, lw_route_table_def *def) {
  const char **names = lua_newuserdatauv(L, (size_t)def->place_count * sizeof *names, 1);
  lua_createtable(L, def->place_count, 0);
  for (lua_pushnil(L); lua_next(L, numbers); lua_pop(L, 1)) {
    const lua_Integer number = lua_tointeger(L, -1);
    lua_pushvalue(L, -2);
    const char *name = lua_tostring(L, -1);
    if (!*name || strlen(name) >= LW_ROUTE_NAME_SIZE || strlen(name) != lua_rawlen(L, -1))
      lwl_raise_at(L, at, "places", "has the key %s, expected names of 1 to %d bytes", lwl_describe(L, -1),
                   LW_ROUTE_NAME_SIZE - 1);
    names[number] = name;
    lua_rawseti(L, -4, number + 1);
  }
  lua_setiuservalue(L, -2, 1);
  def->names = names;
}

/// Read what tables and costs have in common. @return As read_places(); the profile lies on top.
static int read_query(lua_State *L, const lwl_at *at, const lw_world *world, lw_route_table_def *def) {
  static const char *const keys[] = {"places", "profile",  "snap",       "navmesh", "cost",
                                     "avoid",  "can_take", "visibility", NULL};
  lwl_check_table(L, at->where, 2);
  lwl_check_keys(L, at, 2, keys);
  const int numbers = read_places(L, at, def);
  lwl_opt_snap(L, at, 2, &def->snap);
  lwl_opt_navmesh(L, at, 2, world, &def->navmesh);
  lwl_opt_float(L, at, 2, "visibility", &lwl_fraction, &def->visibility);
  const lwl_box *profile = lwl_push_profile(L, at, 2);
  if (profile) def->profile = profile->object;
  return numbers;
}

// --- costs ---------------------------------------------------------------------------------------------------

static void push_cost(lua_State *L, float cost) {
  if (cost < INFINITY)
    lua_pushnumber(L, (lua_Number)cost);
  else
    lua_pushboolean(L, false);
}

/*
** world:path_costs(query) --> table: by the key of each place, by the key of each place: number | false
*/
static int path_costs(lua_State *L) {
  const lwl_at at = {"path_costs", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_route_table_def def = lw_route_table_def_default();
  const int numbers = read_query(L, &at, world, &def);
  const int count = def.place_count;
  float *costs = lua_newuserdatauv(L, (size_t)count * (size_t)count * sizeof *costs, 0);
  world = lwl_c_world(lwl_check_world(L, 1, at.where)); /* a finaliser may have destroyed it */
  const lw_status status = lw_path_costs_find(world, NULL, &def, costs);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  lua_newtable(L);
  const int matrix = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, numbers); lua_pop(L, 1)) {
    const float *row = costs + (size_t)lua_tointeger(L, -1) * (size_t)count;
    lua_pushvalue(L, -2);
    lua_createtable(L, 0, count);
    for (lua_pushnil(L); lua_next(L, numbers);) {
      push_cost(L, row[lua_tointeger(L, -1)]);
      lua_replace(L, -2);
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, -4);
    }
    lua_rawset(L, matrix);
  }
  return 1;
}

// --- tables --------------------------------------------------------------------------------------------------

static const lw_route_table *check_table(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_ROUTES, where)->object;
}

/// The number of the place whose key is at index.
static int check_place(lua_State *L, const char *where, const char *name, int index) {
  const lwl_at at = {where, ""};
  lua_getiuservalue(L, 1, ROUTES_PLACES);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) != LUA_TNUMBER) {
    lwl_guess guess = {NULL, 0};
    const char *wanted = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    for (lua_pushnil(L); wanted && lua_next(L, -3); lua_pop(L, 1))
      if (lua_type(L, -2) == LUA_TSTRING) lwl_guess_consider(&guess, wanted, lua_tostring(L, -2));
    lwl_raise_at(L, &at, name, "is %s, expected a place of the table%s", lwl_describe(L, index),
                 lwl_push_guess(L, &guess));
  }
  const int number = (int)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return number;
}

/*
** table:cost(from, to) --> number | false
*/
static int cost(lua_State *L) {
  const lw_route_table *table = check_table(L, "cost");
  lua_settop(L, 3);
  const int from = check_place(L, "cost", "from", 2), to = check_place(L, "cost", "to", 3);
  push_cost(L, lw_route_table_cost(table, from, to));
  return 1;
}

/*
** table:next(from, to) --> vec3 | false
*/
static int next(lua_State *L) {
  const lw_route_table *table = check_table(L, "next");
  lua_settop(L, 3);
  const int from = check_place(L, "next", "from", 2), to = check_place(L, "next", "to", 3);
  lw_vec3 point;
  if (lw_route_table_next(table, from, to, &point))
    lwl_push_vec3(L, point);
  else
    lua_pushboolean(L, false);
  return 1;
}

static int is_stale(lua_State *L) {
  const lw_route_table *table = check_table(L, "is_stale");
  lua_getiuservalue(L, 1, ROUTES_WORLD);
  lua_pushboolean(L,
                  lw_route_table_is_stale(table, lwl_c_world(lwl_check_world(L, lua_gettop(L), "is_stale"))));
  return 1;
}

static int bytes(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)lw_route_table_memory(check_table(L, "bytes")));
  return 1;
}

/*
** #table --> number of places
*/
static int table_len(lua_State *L) {
  lua_pushinteger(L, lw_route_table_count(check_table(L, "#table")));
  return 1;
}

/// Push an empty table of the world at index 1. @param profile, numbers  Stack indices; profile 0: none.
static lwl_box *push_table(lua_State *L, int profile, int numbers) {
  lwl_box *box =
      lwl_new_box(L, LWL_ROUTES, sizeof *box, ROUTES_VALUES, destroy, lwl_get_state(L)->shared_areas);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, ROUTES_WORLD);
  if (profile) {
    lua_pushvalue(L, profile);
    lua_setiuservalue(L, -2, ROUTES_PROFILE);
  }
  lua_pushvalue(L, numbers);
  lua_setiuservalue(L, -2, ROUTES_PLACES);
  return box;
}

/*
** world:route_table(query) --> table
*/
static int route_table(lua_State *L) {
  const lwl_at at = {"route_table", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_route_table_def def = lw_route_table_def_default();
  const int numbers = read_query(L, &at, world, &def), profile = lua_gettop(L);
  push_names(L, &at, numbers, &def);
  lwl_box *box = push_table(L, profile, numbers);
  lw_route_table *table = NULL;
  world = lwl_c_world(lwl_check_world(L, 1, at.where)); /* a finaliser may have destroyed it */
  const lw_status status = lw_route_table_create(world, NULL, &def, &table);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  lwl_fill_box(box, table);
  lwl_count_box(L, box, lw_route_table_memory(table));
  return 1;
}

/*
** table:save(file) --> true | nil, message, code
*/
static int save(lua_State *L) {
  lwl_refuse_in_sandbox(L, "save");
  const lw_route_table *table = check_table(L, "save");
  const char *file = lwl_check_file(L, "save", 2);
  lua_getiuservalue(L, 1, ROUTES_WORLD);
  lwl_check_world(L, lua_gettop(L), "save"); /* the file names its navmeshes */
  lw_error error = {0};
  const lw_status status = lw_route_table_save(table, file, &error);
  if (status != LW_OK) return lwl_fail_or_raise(L, "save", &error);
  lua_pushboolean(L, true);
  return 1;
}

/*
** world:load_routes(file) --> table | nil, message, code
*/
static int load_routes(lua_State *L) {
  lwl_refuse_in_sandbox(L, "load_routes");
  lwl_check_world(L, 1, "load_routes");
  const char *file = lwl_check_file(L, "load_routes", 2);
  lua_newtable(L);
  const int numbers = lua_gettop(L);
  lwl_box *box = push_table(L, 0, numbers);
  lw_route_table *table = NULL;
  lw_error error = {0};
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "load_routes"));
  const lw_status status = lw_route_table_load(world, file, &table, &error);
  if (status != LW_OK) return lwl_fail_or_raise(L, "load_routes", &error);
  lwl_fill_box(box, table);
  for (int i = 0; i < lw_route_table_count(table); ++i) {
    const char *name = lw_route_table_name(table, i);
    if (!*name)
      lua_pushinteger(L, i + 1);
    else if (lua_stringtonumber(L, name) == 0 || !lua_isinteger(L, -1)) {
      lua_settop(L, numbers + 1);
      lua_pushstring(L, name);
    }
    lua_pushinteger(L, i);
    lua_rawset(L, numbers);
  }
  return 1;
}

static const luaL_Reg methods[] = {{"cost", cost},   {"next", next}, {"is_stale", is_stale},
                                   {"bytes", bytes}, {"save", save}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {"__len", table_len}, {NULL, NULL}};

const luaL_Reg lwl_route_table_methods[] = {
    {"route_table", route_table}, {"path_costs", path_costs}, {"load_routes", load_routes}, {NULL, NULL}};

void lwl_open_route_table(lua_State *L) {
  lwl_new_type(L, LWL_ROUTES, methods, meta, NULL);
}
