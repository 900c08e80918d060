/*
** Navmeshes: from polygons, from files, and their contents.
*/
#include "lwl.h"
#include "sandbox.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>

static void destroy(void *object) {
  lw_navmesh_destroy(object);
}

lwl_box *lwl_push_empty_navmesh(lua_State *L) {
  return lwl_new_box(L, LWL_NAVMESH, sizeof(lwl_box), 0, destroy, lwl_get_state(L)->shared_areas);
}

static lw_navmesh *check_navmesh(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_NAVMESH, where)->object;
}

// --- from polygons -------------------------------------------------------------------------------------------

static void read_vertices(lua_State *L, const lwl_at *at, lw_navmesh_def *def) {
  const lua_Integer length = lwl_need_list(L, at, 1, "vertices", 3);
  const int list = lua_gettop(L);
  lw_vec3 *vertices = lua_newuserdatauv(L, (size_t)length * sizeof *vertices, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, list, i);
    if (!lwl_to_point(L, -1, &vertices[i - 1])) lwl_raise_item(L, at, "vertices", i, "a point", -1);
    lua_pop(L, 1);
  }
  def->vertices = vertices;
  def->vertex_count = (int)length;
}

/// Count and check the corners of every polygon of the list on top of the stack.
static int *read_corner_counts(lua_State *L, const lwl_at *at, lua_Integer polygons, size_t *total) {
  const int list = lua_gettop(L);
  int *counts = lua_newuserdatauv(L, (size_t)polygons * sizeof *counts, 0);
  *total = 0;
  for (lua_Integer i = 1; i <= polygons; ++i) {
    if (lua_rawgeti(L, list, i) != LUA_TTABLE)
      lwl_raise_item(L, at, "polygons", i, "a list of vertex numbers", -1);
    const lua_Unsigned corners = lua_rawlen(L, -1);
    if (corners < 3 || corners > 255)
      lwl_raise(L, at->where, "polygons[%I] is a list of %I, expected 3 to 255 vertices", (LUAI_UACINT)i,
                (LUAI_UACINT)corners);
    counts[i - 1] = (int)corners;
    *total += corners;
    lua_pop(L, 1);
  }
  return counts;
}

/// Read the vertex numbers of the polygon on top of the stack.
static void read_corners(lua_State *L, const lwl_at *at, lua_Integer polygon, const lw_navmesh_def *def,
                         int *corners) {
  for (int i = 0; i < def->corner_counts[polygon - 1]; ++i) {
    lua_Integer vertex;
    lua_rawgeti(L, -1, i + 1);
    if (!lwl_to_integer(L, -1, 1, def->vertex_count, &vertex)) {
      const char *got = lwl_describe(L, -1);
      lwl_raise(L, at->where, "polygons[%I][%d] is %s, expected a whole number from 1 to %d",
                (LUAI_UACINT)polygon, i + 1, got, def->vertex_count);
    }
    corners[i] = (int)vertex - 1;
    lua_pop(L, 1);
  }
}

static void read_polygons(lua_State *L, const lwl_at *at, lw_navmesh_def *def) {
  const lua_Integer polygons = lwl_need_list(L, at, 1, "polygons", 1);
  const int list = lua_gettop(L);
  size_t total = 0;
  int *counts = read_corner_counts(L, at, polygons, &total);
  int *corners = lua_newuserdatauv(L, total * sizeof *corners, 0);
  def->corner_counts = counts;
  def->corners = corners;
  def->polygon_count = (int)polygons;
  for (lua_Integer i = 1; i <= polygons; ++i) {
    // The list may have changed since its corners were counted.
    if (lua_rawgeti(L, list, i) != LUA_TTABLE)
      lwl_raise_item(L, at, "polygons", i, "a list of vertex numbers", -1);
    read_corners(L, at, i, def, corners);
    lua_pop(L, 1);
    corners += counts[i - 1];
  }
}

static void read_areas(lua_State *L, const lwl_at *at, lw_navmesh_def *def) {
  if (lwl_get(L, 1, "areas") == LUA_TNIL) return;
  const lua_Integer length = lwl_need_list(L, at, 1, "areas", 0);
  if (length != def->polygon_count)
    lwl_raise_at(L, at, "areas", "is a list of %I, expected one for each of %d polygons", (LUAI_UACINT)length,
                 def->polygon_count);
  const int list = lua_gettop(L);
  lw_area_id *areas = lua_newuserdatauv(L, (size_t)length, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    if (lua_rawgeti(L, list, i) != LUA_TSTRING) lwl_raise_item(L, at, "areas", i, "the name of an area", -1);
    areas[i - 1] = lwl_check_area(L, at, "areas", -1);
    lua_pop(L, 1);
  }
  def->poly_areas = areas;
}

/// Read a number for each polygon, or one for all. Metres > 0 may be infinite. @return NULL: the key is absent.
static const float *read_numbers(lua_State *L, const lwl_at *at, const char *key, const lw_range *range,
                                 int polygons) {
  const int type = lwl_get(L, 1, key), list = lua_gettop(L);
  if (type == LUA_TNIL) return NULL;
  if (type != LUA_TNUMBER && type != LUA_TTABLE)
    lwl_raise_expected(L, at, key,
                       range == &lwl_fraction ? "a number from 0 to 1, or one for each polygon"
                                              : "metres, or a list of them, one for each polygon",
                       list);
  if (type == LUA_TTABLE && lua_rawlen(L, list) != (lua_Unsigned)polygons)
    lwl_raise_at(L, at, key, "is a list of %I, expected one for each of %d polygons",
                 (LUAI_UACINT)lua_rawlen(L, list), polygons);
  float *parts = lua_newuserdatauv(L, (size_t)polygons * sizeof *parts, 0);
  for (int i = 1; i <= polygons; ++i) {
    const char *name = type == LUA_TTABLE ? lua_pushfstring(L, "%s[%d]", key, i) : key;
    if (type == LUA_TTABLE)
      lua_rawgeti(L, list, i);
    else
      lua_pushvalue(L, list);
    const bool endless = range == &lwl_metres_positive && lua_type(L, -1) == LUA_TNUMBER &&
                         lua_tonumber(L, -1) == (lua_Number)INFINITY;
    parts[i - 1] = endless ? INFINITY : (float)lwl_check_number(L, at, name, -1, range);
    lua_settop(L, list + 1);
  }
  return parts;
}

/// Read { metres or { least, most }, ... } or metres: the depth over each polygon. @return NULL: the key is absent.
static const float *read_depths(lua_State *L, const lwl_at *at, int polygons) {
  static const char *const expected = "a depth in metres, or one or { least, most } for each polygon";
  const int type = lwl_get(L, 1, "depth"), list = lua_gettop(L);
  if (type == LUA_TNIL) return NULL;
  if (type != LUA_TNUMBER && type != LUA_TTABLE) lwl_raise_expected(L, at, "depth", expected, list);
  if (type == LUA_TTABLE && lua_rawlen(L, list) != (lua_Unsigned)polygons)
    lwl_raise_at(L, at, "depth", "is a list of %I, expected one for each of %d polygons",
                 (LUAI_UACINT)lua_rawlen(L, list), polygons);
  float *depths = lua_newuserdatauv(L, 2 * (size_t)polygons * sizeof *depths, 0);
  for (int i = 1; i <= polygons; ++i) {
    const char *name = type == LUA_TTABLE ? lua_pushfstring(L, "depth[%d]", i) : "depth";
    if (type == LUA_TTABLE)
      lua_rawgeti(L, list, i);
    else
      lua_pushvalue(L, list);
    const int depth = lua_gettop(L);
    const bool is_range = lua_istable(L, depth);
    if (is_range && lua_rawlen(L, depth) != 2)
      lwl_raise_expected(L, at, name, "metres, or { least, most }", depth);
    for (int end = 0; end < 2; ++end) {
      if (is_range)
        lua_rawgeti(L, depth, end + 1);
      else
        lua_pushvalue(L, depth);
      depths[2 * (i - 1) + end] = (float)lwl_check_number(L, at, name, -1, &lwl_metres_not_negative);
    }
    lua_settop(L, list + 1);
  }
  return depths;
}

/*
** leeward.navmesh{ vertices = { point, ... }, polygons = { {1, 2, 3}, ... }, areas = { name, ... }, openness =,
**                  depth =, headroom =, step =, climb =, agent_radius =, links = { link, ... } }
*/
static int navmesh(lua_State *L) {
  static const char *const keys[] = {"vertices", "polygons", "areas",        "openness", "depth", "headroom",
                                     "step",     "climb",    "agent_radius", "links",    NULL};
  const lwl_at at = {"navmesh", ""};
  lwl_check_table(L, at.where, 1);
  lwl_check_keys(L, &at, 1, keys);
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = lwl_get_state(L)->areas;
  read_vertices(L, &at, &def);
  read_polygons(L, &at, &def);
  read_areas(L, &at, &def);
  def.openness = read_numbers(L, &at, "openness", &lwl_fraction, def.polygon_count);
  def.headrooms = read_numbers(L, &at, "headroom", &lwl_metres_positive, def.polygon_count);
  def.steps = read_numbers(L, &at, "step", &lwl_metres_not_negative, def.polygon_count);
  def.depths = read_depths(L, &at, def.polygon_count);
  lwl_opt_float(L, &at, 1, "climb", &lwl_metres_not_negative, &def.climb);
  lwl_opt_float(L, &at, 1, "agent_radius", &lwl_metres_not_negative, &def.agent_radius);
  def.links = lwl_opt_links(L, &at, 1, &def.link_count);
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_navmesh *result = NULL;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &result, &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  lwl_fill_box(box, result);
  lwl_count_navmesh(L, -1);
  return 1;
}

void lwl_count_navmesh(lua_State *L, int index) {
  const lwl_box *box = lwl_test_box(L, index, LWL_NAVMESH);
  const size_t kilobytes = box && box->object ? lw_navmesh_get_stats(box->object).bytes / 1024 : 0;
  if (kilobytes > 0 && lua_gc(L, LUA_GCISRUNNING) == 1)
    lua_gc(L, LUA_GCSTEP, kilobytes < INT_MAX / 1024 ? (int)kilobytes : INT_MAX / 1024);
}

// --- files ---------------------------------------------------------------------------------------------------

/*
** leeward.load_navmesh(file) --> navmesh | nil, message, code
*/
static int load_navmesh(lua_State *L) {
  const char *file = lwl_check_file(L, "load_navmesh", 1);
  lwl_box *box = lwl_push_empty_navmesh(L);
  lw_navmesh *result = NULL;
  lw_error error = {0};
  const lw_status status = lw_navmesh_load(file, lwl_get_state(L)->areas, NULL, &result, &error);
  if (status != LW_OK) return lwl_fail(L, status, error.text);
  lwl_fill_box(box, result);
  lwl_count_navmesh(L, -1);
  return 1;
}

/*
** navmesh:save(file) --> true | nil, message, code
*/
static int save(lua_State *L) {
  lwl_refuse_in_sandbox(L, "save");
  const lw_navmesh *self = check_navmesh(L, "save");
  lw_error error = {0};
  const lw_status status = lw_navmesh_save(self, lwl_check_file(L, "save", 2), &error);
  if (status != LW_OK) return lwl_fail(L, status, error.text);
  lua_pushboolean(L, 1);
  return 1;
}

// --- contents ------------------------------------------------------------------------------------------------

/*
** navmesh:validate() --> true | nil, message, code
*/
static int validate(lua_State *L) {
  lw_error error = {0};
  const lw_status status = lw_navmesh_validate(check_navmesh(L, "validate"), &error);
  if (status != LW_OK) return lwl_fail(L, status, error.text);
  lua_pushboolean(L, 1);
  return 1;
}

/*
** navmesh:stats() --> { polygons =, vertices =, tiles =, portals =, ... }
*/
static int stats(lua_State *L) {
  const lw_navmesh_stats numbers = lw_navmesh_get_stats(check_navmesh(L, "stats"));
  lua_createtable(L, 0, 13);
  lwl_set_integer(L, "polygons", numbers.polygons);
  lwl_set_integer(L, "vertices", numbers.vertices);
  lwl_set_integer(L, "tiles", numbers.tiles);
  lwl_set_integer(L, "portals", numbers.portals);
  lwl_set_integer(L, "offmesh_links", numbers.offmesh_links);
  lwl_set_integer(L, "offmesh_refused", numbers.offmesh_refused);
  lwl_set_integer(L, "islands", numbers.islands);
  lwl_set_integer(L, "cover_segments", numbers.cover_segments);
  lwl_set_integer(L, "cover_map_bytes", (lua_Integer)numbers.cover_map_bytes);
  lwl_set_number(L, "cover_map_loss", (double)numbers.cover_map_loss);
  lwl_set_integer(L, "visibility_table_bytes", (lua_Integer)numbers.visibility_table_bytes);
  lwl_set_number(L, "visibility_table_range", (double)numbers.visibility_table_range);
  lwl_set_number(L, "pairs_hidden", (double)numbers.pairs_hidden);
  lwl_set_number(L, "pairs_visible", (double)numbers.pairs_visible);
  lwl_set_integer(L, "occluders", numbers.occluders);
  lwl_set_integer(L, "bytes", (lua_Integer)numbers.bytes);
  lwl_set_number(L, "area", (double)numbers.area);
  lwl_set_number(L, "openness", (double)numbers.openness);
  lwl_set_number(L, "deep_water", (double)numbers.deep_water);
  return 1;
}

/*
** navmesh:bounds() --> min, max
*/
static int bounds(lua_State *L) {
  const lw_box box = lw_navmesh_bounds(check_navmesh(L, "bounds"));
  lwl_push_vec3(L, box.min);
  lwl_push_vec3(L, box.max);
  return 2;
}

/*
** navmesh:agent() --> { radius =, height =, climb = }
*/
static int agent(lua_State *L) {
  const lw_navmesh_agent size = lw_navmesh_get_agent(check_navmesh(L, "agent"));
  lua_createtable(L, 0, 3);
  lwl_set_number(L, "radius", (double)size.radius);
  lwl_set_number(L, "height", (double)size.height);
  lwl_set_number(L, "climb", (double)size.climb);
  return 1;
}

static void push_polygon(lua_State *L, const lw_navmesh *self, lw_poly_id id, const lw_poly *poly) {
  lw_vec3 corners[255];
  const int capacity = (int)(sizeof corners / sizeof *corners);
  int count = lw_navmesh_poly_corners(self, id, corners, capacity);
  if (count > capacity) count = capacity;
  lua_createtable(L, 0, 8);
  lwl_set_integer(L, "id", (lua_Integer)id);
  lwl_push_area_name(L, poly->area);
  lua_setfield(L, -2, "area");
  lwl_set_integer(L, "island", poly->island);
  lwl_set_number(L, "area_m2", (double)poly->area_m2);
  lwl_set_number(L, "openness", (double)poly->openness);
  lwl_set_number(L, "step", (double)poly->step);
  lua_createtable(L, 2, 0);
  for (int end = 0; end < 2; ++end) {
    lua_pushnumber(L, (lua_Number)poly->depth[end]);
    lua_rawseti(L, -2, end + 1);
  }
  lua_setfield(L, -2, "depth");
  lwl_set_number(L, "headroom", (double)poly->headroom);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_vec3(L, corners[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "corners");
}

/*
** navmesh:polygons() --> list of { id =, area =, island =, corners =, area_m2 =, openness =, depth = { least, most },
**   headroom =, step = }
*/
static int polygons(lua_State *L) {
  const lw_navmesh *self = check_navmesh(L, "polygons");
  lua_newtable(L);
  lua_Integer count = 0;
  for (lw_poly_id id = lw_navmesh_next_poly(self, 0); id; id = lw_navmesh_next_poly(self, id)) {
    lw_poly poly;
    if (lw_navmesh_get_poly(self, id, &poly) != LW_OK) continue;
    push_polygon(L, self, id, &poly);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/*
** navmesh:water_depth(point) --> metres | nil, message, code
*/
static int water_depth(lua_State *L) {
  const lw_navmesh *self = check_navmesh(L, "water_depth");
  float depth;
  const lw_status status = lw_navmesh_water_depth(self, lwl_check_point(L, "water_depth", "point", 2), &depth);
  if (status != LW_OK) return lwl_fail(L, status, NULL);
  lua_pushnumber(L, (lua_Number)depth);
  return 1;
}

static const luaL_Reg methods[] = {
    {"water_depth", water_depth}, {"save", save},         {"validate", validate}, {"stats", stats},
    {"bounds", bounds},           {"polygons", polygons}, {"agent", agent},       {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"navmesh", navmesh}, {"load_navmesh", load_navmesh}, {NULL, NULL}};

void lwl_open_navmesh(lua_State *L) {
  lwl_new_type(L, LWL_NAVMESH, methods, meta, NULL);
  lwl_add_methods(L, LWL_NAVMESH, lwl_link_navmesh_methods);
  lwl_add_methods(L, LWL_NAVMESH, lwl_cover_navmesh_methods);
  lwl_set_functions(L, functions, NULL);
}
