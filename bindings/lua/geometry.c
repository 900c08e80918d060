/*
** Geometry: levels in code and from files.
*/
#include "marks.h"
#include "pattern.h"
#include "sandbox.h"

#include <string.h>

static void destroy(void *object) {
  lw_geometry_destroy(object);
}

static lw_geometry *check_geometry(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_GEOMETRY, where)->object;
}

lw_geometry *lwl_check_open_geometry(lua_State *L, const char *where) {
  const lwl_box *box = lwl_check_box(L, 1, LWL_GEOMETRY, where);
  if (box->busy) lwl_raise(L, where, "the geometry is being baked");
  return box->object;
}

static lwl_box *push_geometry(lua_State *L, const char *where) {
  const lwl_state *state = lwl_get_state(L);
  lwl_box *box = lwl_new_box(L, LWL_GEOMETRY, sizeof *box, 0, destroy, state->shared_areas);
  lw_geometry *geometry = NULL;
  const lw_status status = lw_geometry_create(state->areas, NULL, &geometry);
  if (status != LW_OK) lwl_raise(L, where, "%s", lw_status_text(status));
  lwl_fill_box(box, geometry);
  return box;
}

int lwl_raise_unless_ok(lua_State *L, const char *where, lw_status status, const lw_error *error) {
  if (status != LW_OK) lwl_raise(L, where, "%s", error->text);
  return 0;
}

/*
** leeward.geometry() --> geometry
*/
static int geometry(lua_State *L) {
  push_geometry(L, "geometry");
  return 1;
}

// --- boxes and ramps -----------------------------------------------------------------------------------------

static void need_size(lua_State *L, const lwl_at *at, int table, lw_vec3 *size) {
  lwl_need_point(L, at, table, "size", size);
  if (size->x > 0 && size->y > 0 && size->z > 0) return;
  lwl_push_vec3(L, *size);
  lwl_raise_at(L, at, "size", "is %s, expected metres > 0 on every axis", luaL_tolstring(L, -1, NULL));
}

static _Noreturn void raise_min(lua_State *L, const lwl_at *at, lw_vec3 min, lw_vec3 max) {
  lwl_push_vec3(L, min);
  lwl_push_vec3(L, max);
  const char *low = luaL_tolstring(L, -2, NULL), *high = luaL_tolstring(L, -2, NULL);
  lwl_raise_at(L, at, "min", "is %s, expected less than %smax, %s, on every axis", low, at->prefix, high);
}

static void read_min_max(lua_State *L, const lwl_at *at, int table, lw_geometry_box *box) {
  lw_vec3 min, max;
  lwl_need_point(L, at, table, "min", &min);
  lwl_need_point(L, at, table, "max", &max);
  if (!(min.x < max.x && min.y < max.y && min.z < max.z)) raise_min(L, at, min, max);
  box->size = (lw_vec3){max.x - min.x, max.y - min.y, max.z - min.z};
  box->at = (lw_vec3){min.x + box->size.x / 2, min.y, min.z + box->size.z / 2};
}

static void read_at_size(lua_State *L, const lwl_at *at, int table, lw_geometry_box *box) {
  need_size(L, at, table, &box->size);
  if (lwl_opt_point(L, at, table, "center", &box->at)) {
    if (lwl_get(L, table, "at") != LUA_TNIL)
      lwl_raise(L, at->where, "%sat and %scenter are given, expected one of them", at->prefix, at->prefix);
    box->at.y -= box->size.y / 2;
  } else {
    lwl_need_point(L, at, table, "at", &box->at);
  }
  lwl_opt_float(L, at, table, "yaw", &lwl_finite, &box->yaw);
}

/// Read place and size of a box.
/// @param has_area  Its table may have `area` and `cover`, which the caller reads.
static void read_box(lua_State *L, const lwl_at *at, int table, bool has_area, lw_geometry_box *box) {
  static const char *const placed_keys[] = {"at", "center", "size", "yaw", "area", "cover", NULL};
  static const char *const corner_keys[] = {"min", "max", "area", "cover", NULL};
  static const char *const all_keys[] = {"at", "center", "size", "yaw", "min", "max", "area", "cover", NULL};
  static const char *const bare_keys[] = {"at", "center", "size", "yaw", "min", "max", NULL};
  const bool by_corners = lwl_get(L, table, "min") != LUA_TNIL || lwl_get(L, table, "max") != LUA_TNIL;
  lwl_check_keys(L, at, table, has_area ? all_keys : bare_keys);
  lwl_check_keys(L, at, table, by_corners ? corner_keys : placed_keys);
  (by_corners ? read_min_max : read_at_size)(L, at, table, box);
}

/*
** geometry:add_box{ at = or center =, size =, yaw =, area = }
** geometry:add_box{ min =, max =, area = }
*/
static int add_box(lua_State *L) {
  const lwl_at at = {"add_box", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  lw_geometry_box box = {.area = 1};
  read_box(L, &at, 2, true, &box);
  lwl_opt_area(L, &at, 2, "area", &box.area);
  lwl_opt_cover(L, &at, 2, "cover", &box.cover);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_add_box(self, &box, &error), &error);
}

/*
** geometry:add_ramp{ from =, to =, width =, thickness =, area = }
*/
static int add_ramp(lua_State *L) {
  static const char *const keys[] = {"from", "to", "width", "thickness", "area", "cover", NULL};
  const lwl_at at = {"add_ramp", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_geometry_ramp ramp = {.area = 1};
  lwl_need_point(L, &at, 2, "from", &ramp.from);
  lwl_need_point(L, &at, 2, "to", &ramp.to);
  lwl_need_float(L, &at, 2, "width", &lwl_metres_positive, &ramp.width);
  lwl_opt_float(L, &at, 2, "thickness", &lwl_metres_not_negative, &ramp.thickness);
  lwl_opt_area(L, &at, 2, "area", &ramp.area);
  lwl_opt_cover(L, &at, 2, "cover", &ramp.cover);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_add_ramp(self, &ramp, &error), &error);
}

// --- meshes --------------------------------------------------------------------------------------------------

lw_vec3 *lwl_need_points(lua_State *L, const lwl_at *at, const char *key, lua_Integer min, int *count) {
  const lua_Integer length = lwl_need_list(L, at, 2, key, min);
  const int list = lua_gettop(L);
  lw_vec3 *points = lua_newuserdatauv(L, (size_t)length * sizeof *points, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, list, i);
    if (!lwl_to_point(L, -1, &points[i - 1])) lwl_raise_item(L, at, key, i, "a point", -1);
    lua_pop(L, 1);
  }
  *count = (int)length;
  return points;
}

static int *read_indices(lua_State *L, const lwl_at *at, int vertex_count, int *triangle_count) {
  const lua_Integer length = lwl_need_list(L, at, 2, "indices", 3);
  if (length % 3 != 0)
    lwl_raise_at(L, at, "indices", "is a list of %I, expected three for each triangle", (LUAI_UACINT)length);
  const int list = lua_gettop(L);
  int *indices = lua_newuserdatauv(L, (size_t)length * sizeof *indices, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    int is_integer = 0;
    const bool is_number = lua_rawgeti(L, list, i) == LUA_TNUMBER;
    const lua_Integer index = is_number ? lua_tointegerx(L, -1, &is_integer) : 0;
    if (!is_integer || index < 1 || index > vertex_count)
      lwl_raise_item(L, at, "indices", i, lua_pushfstring(L, "a whole number from 1 to %d", vertex_count), -2);
    indices[i - 1] = (int)index - 1;
    lua_pop(L, 1);
  }
  *triangle_count = (int)(length / 3);
  return indices;
}

/// Push the list at key `each` with an element for each triangle, which stands for the key `one` of all
/// triangles.
/// @return Its index. 0: the key is absent.
static int push_per_triangle(lua_State *L, const lwl_at *at, const char *one, const char *each, int count) {
  if (lwl_get(L, 2, each) == LUA_TNIL) return 0;
  if (lwl_get(L, 2, one) != LUA_TNIL)
    lwl_raise(L, at->where, "%s and %s are given, expected one of them", one, each);
  const lua_Integer length = lwl_need_list(L, at, 2, each, 0);
  if (length != count)
    lwl_raise_at(L, at, each, "is a list of %I, expected one for each of %d triangles", (LUAI_UACINT)length,
                 count);
  return lua_gettop(L);
}

/// Read an area for each triangle. @return NULL: the key is absent.
static lw_area_id *read_areas(lua_State *L, const lwl_at *at, int count) {
  const int list = push_per_triangle(L, at, "area", "areas", count);
  if (list == 0) return NULL;
  lw_area_id *areas = lua_newuserdatauv(L, (size_t)count, 0);
  for (int i = 1; i <= count; ++i) {
    const int type = lua_rawgeti(L, list, i);
    const bool is_solid = type == LUA_TBOOLEAN && !lua_toboolean(L, -1);
    if (!is_solid && type != LUA_TSTRING) lwl_raise_item(L, at, "areas", i, "the name of an area or false", -1);
    areas[i - 1] = is_solid ? LW_AREA_NONE : lwl_check_area(L, at, "areas", -1);
    lua_pop(L, 1);
  }
  return areas;
}

/// Read a kind of cover for each triangle; false is the default of its area. @return NULL: the key is absent.
static uint8_t *read_covers(lua_State *L, const lwl_at *at, int count) {
  const int list = push_per_triangle(L, at, "cover", "covers", count);
  if (list == 0) return NULL;
  const char *names[LWL_ENUM_MAX];
  lwl_enum_names(LWL_COVER_KIND, names);
  uint8_t *covers = lua_newuserdatauv(L, (size_t)count, 0);
  for (int i = 1; i <= count; ++i) {
    const bool is_default = lua_rawgeti(L, list, i) == LUA_TBOOLEAN && !lua_toboolean(L, -1);
    const int kind = lwl_find_choice(L, -1, names);
    if (kind < 0 && !is_default) lwl_raise_item(L, at, "covers", i, "'hard', 'soft', 'none' or false", -1);
    covers[i - 1] = (uint8_t)(kind + 1);
    lua_pop(L, 1);
  }
  return covers;
}

/*
** geometry:add_mesh{ vertices = { point, ... }, indices = { 1, 2, 3, ... }, area = or areas =,
**   cover = or covers = }
*/
static int add_mesh(lua_State *L) {
  static const char *const keys[] = {"vertices", "indices", "area", "areas", "cover", "covers", NULL};
  const lwl_at at = {"add_mesh", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_geometry_mesh mesh = {.area = 1};
  mesh.vertices = lwl_need_points(L, &at, "vertices", 3, &mesh.vertex_count);
  mesh.indices = read_indices(L, &at, mesh.vertex_count, &mesh.triangle_count);
  mesh.areas = read_areas(L, &at, mesh.triangle_count);
  lwl_opt_area(L, &at, 2, "area", &mesh.area);
  lwl_opt_cover(L, &at, 2, "cover", &mesh.cover);
  mesh.covers = read_covers(L, &at, mesh.triangle_count);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_add_mesh(self, &mesh, &error), &error);
}

void lwl_read_mark_box(lua_State *L, const lwl_at *at, int table, lw_mark_def *mark) {
  const lwl_at inside = {at->where, lua_pushfstring(L, "%sbox.", at->prefix)};
  lw_geometry_box box = {0};
  if (lwl_get(L, table, "box") != LUA_TTABLE) lwl_raise_expected(L, at, "box", "a table", -1);
  read_box(L, &inside, lua_gettop(L), false, &box);
  mark->at = box.at;
  mark->size = box.size;
  mark->yaw = box.yaw;
}

/*
** geometry:bounds() --> min, max
*/
static int bounds(lua_State *L) {
  const lw_box box = lw_geometry_bounds(check_geometry(L, "bounds"));
  lwl_push_vec3(L, box.min);
  lwl_push_vec3(L, box.max);
  return 2;
}

/*
** geometry:stats() --> { vertices =, triangles =, marks =, links = }
*/
static int stats(lua_State *L) {
  const lw_geometry *self = check_geometry(L, "stats");
  lua_createtable(L, 0, 4);
  lwl_set_integer(L, "vertices", lw_geometry_vertex_count(self));
  lwl_set_integer(L, "triangles", lw_geometry_triangle_count(self));
  lwl_set_integer(L, "marks", lw_geometry_mark_count(self));
  lwl_set_integer(L, "links", lw_geometry_link_count(self));
  lwl_set_integer(L, "seeds", lw_geometry_seed_count(self));
  return 1;
}

// --- files ---------------------------------------------------------------------------------------------------

/// Steps of matching for all materials of a level: half a second. A thousand materials take about five million.
#define MATCH_STEPS_MAX 100000000

typedef struct material_import {
  lua_State *L;
  int64_t steps;     ///< Left.
  int64_t max;       ///< Steps that one match of a pattern took at most.
  lua_Integer worst; ///< The rule of that pattern.
  int status; ///< Of Lua. Not LUA_OK: the error is on top of the stack, and no more materials are looked at.
} material_import;

typedef struct match {
  const char *name;
  lw_material_rule rule;
  material_import *context;
} match;

/// Push name:lower().
static const char *push_lower(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  lua_getfield(L, -1, "lower");
  lua_insert(L, -2);
  lua_call(L, 1, 1);
  return lua_tostring(L, -1);
}

/// Take what the rule on top of the stack says.
static void take_rule(lua_State *L, lw_material_rule *to) {
  const int rule = lua_gettop(L);
  lua_rawgeti(L, rule, 2);
  to->ignored = lua_isboolean(L, -1);
  to->area = (lw_area_id)lua_tointeger(L, -1);
  lua_rawgeti(L, rule, 3);
  to->cover = (lw_cover_kind)lua_tointeger(L, -1);
}

/// Whether the pattern of a rule matches a name. Raises when that takes the last steps.
static bool match_rule(lua_State *L, int rules, lua_Integer rule, const char *name, uint64_t *rows,
                       material_import *context) {
  const int64_t before = context->steps;
  const int top = lua_gettop(L);
  lua_rawgeti(L, rules, rule);
  lua_rawgeti(L, -1, 1);
  const bool found = lwl_match_pattern(lua_touserdata(L, -1), name, rows, &context->steps);
  lua_settop(L, top);
  if (before - context->steps > context->max) context->max = before - context->steps, context->worst = rule;
  if (context->steps > 0) return found;
  lua_rawgeti(L, rules, context->worst);
  lua_rawgeti(L, -1, 4);
  lwl_raise(L, lua_tostring(L, -1),
            "the level's materials take more than %d steps, for one this takes up to %I", MATCH_STEPS_MAX,
            (LUAI_UACINT)context->max);
}

/// In protected mode: the area of exactly that name, else the first rule whose pattern matches the lower-case
/// name.
static int match_material(lua_State *L) {
  match *result = lua_touserdata(L, 1);
  result->rule.area = lw_area_table_find(lwl_get_state(L)->areas, result->name);
  if (result->rule.area != LW_AREA_NONE) return 0;
  result->rule.area = 1;
  const char *name = push_lower(L, result->name);
  uint64_t *rows = lua_newuserdatauv(L, lwl_match_rows_size(name), 0);
  lwl_push_registry(L, LWL_REG_MATERIALS);
  const int rules = lua_gettop(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, rules);
  for (lua_Integer i = 1; i <= count; ++i) {
    if (!match_rule(L, rules, i, name, rows, result->context)) continue;
    lua_rawgeti(L, rules, i);
    take_rule(L, &result->rule);
    break;
  }
  return 0;
}

static lw_material_rule material_rule(void *user, const char *name) {
  material_import *context = user;
  match result = {name, {.area = 1}, context};
  lua_State *L = context->L;
  if (context->status != LUA_OK) return result.rule;
  lua_pushcfunction(L, match_material);
  lua_pushlightuserdata(L, &result);
  context->status = lua_pcall(L, 1, 0, 0);
  return result.rule;
}

/// Read the list at `allowed`. The array and its texts stay on the stack.
static void opt_allowed(lua_State *L, const lwl_at *at, lw_geometry_import *import) {
  if (lwl_get(L, 2, "allowed") == LUA_TNIL) return;
  const int list = lua_gettop(L);
  const lua_Integer count = lwl_check_list(L, at, "allowed", list);
  if (count > LW_IMPORT_ALLOWED_LIMIT)
    lwl_raise(L, at->where, "allowed has %I elements, expected at most %d", (LUAI_UACINT)count,
              LW_IMPORT_ALLOWED_LIMIT);
  luaL_checkstack(L, (int)count + LUA_MINSTACK, NULL);
  const char **allowed = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *allowed, 0);
  for (int i = 0; i < count; ++i) {
    lua_rawgeti(L, list, i + 1);
    const int value = lua_gettop(L);
    allowed[i] =
        lwl_check_text(L, at, lua_pushfstring(L, "allowed[%d]", i + 1), "the name of a file or folder", value);
    lua_settop(L, value);
  }
  import->allowed = allowed;
  import->allowed_count = (int)count;
}

static void read_import(lua_State *L, lw_geometry_import *import) {
  static const char *const keys[] = {"allowed", "memory", "seconds", "in_process", NULL};
  static const lw_range memory = {(double)LW_IMPORT_MEMORY_MIN, (double)LW_IMPORT_MEMORY_LIMIT, "bytes", false};
  static const lw_range seconds = {1, LW_IMPORT_SECONDS_LIMIT, "s", false};
  const lwl_at at = {"load_geometry", ""};
  if (lua_isnoneornil(L, 2)) return;
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  if (lwl_get(L, 2, "memory") != LUA_TNIL)
    import->memory = (uint64_t)lwl_check_number(L, &at, "memory", -1, &memory);
  lwl_opt_int(L, &at, 2, "seconds", &seconds, &import->seconds);
  lwl_opt_bool(L, &at, 2, "in_process", &import->in_process);
  opt_allowed(L, &at, import);
}

/*
** leeward.load_geometry(file [, { allowed =, memory =, seconds =, in_process = }]) --> geometry | nil, message, code
*/
static int load_geometry(lua_State *L) {
  const char *file = lwl_check_file(L, "load_geometry", 1);
  material_import context = {.L = L, .steps = MATCH_STEPS_MAX};
  lw_geometry_import import = {.rule = material_rule, .user = &context};
  read_import(L, &import);
  lwl_box *box = push_geometry(L, "load_geometry");
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lw_error error = {0};
  const lw_status status = lw_geometry_load(box->object, file, &import, &error);
  if (status == LW_OUT_OF_MEMORY || context.status == LUA_ERRMEM)
    lwl_raise(L, "load_geometry", "%s", lw_status_text(LW_OUT_OF_MEMORY));
  if (context.status != LUA_OK) return lwl_fail(L, LW_LIMIT, lua_tostring(L, -1));
  return status == LW_OK ? 1 : lwl_fail(L, status, error.text);
}

static lw_gset_rule gset_rule(void *user, int code) {
  const lwl_state *state = user;
  return code < LWL_CODES ? state->codes[code] : (lw_gset_rule){LW_GSET_UNKNOWN, LW_AREA_NONE, LW_LINK_JUMP};
}

lw_status lwl_load_gset(lua_State *L, lw_geometry *geometry, const char *file, lw_error *error) {
  const lw_gset_options options = {gset_rule, lwl_get_state(L)};
  return lw_geometry_load_gset(geometry, file, &options, error);
}

/*
** geometry:load_gset(file) --> links, volumes, seeds | nil, message, code
*/
static int load_gset(lua_State *L) {
  lw_geometry *self = lwl_check_open_geometry(L, "load_gset");
  lwl_refuse_in_sandbox(L, "load_gset");
  const char *file = lwl_check_file(L, "load_gset", 2);
  const int links = lw_geometry_link_count(self), marks = lw_geometry_mark_count(self),
            seeds = lw_geometry_seed_count(self);
  lw_error error = {0};
  const lw_status status = lwl_load_gset(L, self, file, &error);
  if (status != LW_OK) return lwl_fail(L, status, error.text);
  lua_pushinteger(L, lw_geometry_link_count(self) - links);
  lua_pushinteger(L, lw_geometry_mark_count(self) - marks);
  lua_pushinteger(L, lw_geometry_seed_count(self) - seeds);
  return 3;
}

/*
** geometry:add_seed(point)
*/
static int add_seed(lua_State *L) {
  lw_geometry *self = lwl_check_open_geometry(L, "add_seed");
  const lw_vec3 at = lwl_check_point(L, "add_seed", "point", 2);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, "add_seed", lw_geometry_add_seed(self, at, &error), &error);
}

static const luaL_Reg methods[] = {
    {"add_box", add_box},   {"add_ramp", add_ramp}, {"add_mesh", add_mesh}, {"load_gset", load_gset},
    {"add_seed", add_seed}, {"bounds", bounds},     {"stats", stats},       {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"geometry", geometry}, {"load_geometry", load_geometry}, {NULL, NULL}};

void lwl_open_geometry(lua_State *L) {
  lwl_new_type(L, LWL_GEOMETRY, methods, meta, NULL);
  lwl_add_methods(L, LWL_GEOMETRY, lwl_mark_methods);
  lwl_add_methods(L, LWL_GEOMETRY, lwl_link_geometry_methods);
  lwl_set_functions(L, functions, NULL);
}
