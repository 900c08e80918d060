/*
** Marks of a geometry: areas, water, detail, and where there is cover or none.
*/
#include "marks.h"

// --- areas ---------------------------------------------------------------------------------------------------

typedef struct mark_form {
  const char *key;
  lw_mark_shape shape;
  const char *const *keys;
} mark_form;

/// Find the form that is given, and check that no key of another form is. @return NULL: none is given.
static const mark_form *check_forms(lua_State *L, const lwl_at *at, const mark_form *forms, size_t count) {
  const mark_form *found = NULL;
  for (size_t i = 0; i < count; ++i) {
    if (lwl_get(L, 2, forms[i].key) == LUA_TNIL) continue;
    if (found) lwl_raise(L, at->where, "%s and %s are given, expected one of them", found->key, forms[i].key);
    found = &forms[i];
  }
  if (found) lwl_check_keys(L, at, 2, found->keys);
  return found;
}

static const mark_form *check_form(lua_State *L, const lwl_at *at) {
  static const char *const box_keys[] = {"area", "box", NULL};
  static const char *const polygon_keys[] = {"area", "polygon", "bottom", "top", NULL};
  static const char *const path_keys[] = {"area", "path", "width", "bottom", "top", NULL};
  static const char *const all_keys[] = {"area", "box", "polygon", "path", "width", "bottom", "top", NULL};
  static const mark_form forms[] = {{"box", LW_MARK_BOX, box_keys},
                                    {"polygon", LW_MARK_POLYGON, polygon_keys},
                                    {"path", LW_MARK_PATH, path_keys}};
  lwl_check_keys(L, at, 2, all_keys);
  const mark_form *found = check_forms(L, at, forms, sizeof forms / sizeof *forms);
  if (!found) lwl_raise(L, at->where, "no shape is given, expected box, polygon or path");
  return found;
}

/// Read the shape that was given, and its heights.
static lw_mark_def read_shape(lua_State *L, const lwl_at *at, const mark_form *form) {
  lw_mark_def mark = lw_mark_def_default(form->shape);
  if (form->shape == LW_MARK_BOX) lwl_read_mark_box(L, at, 2, &mark);
  if (form->shape != LW_MARK_BOX)
    mark.points = lwl_need_points(L, at, form->key, form->shape == LW_MARK_PATH ? 2 : 3, &mark.point_count);
  if (form->shape == LW_MARK_PATH) lwl_need_float(L, at, 2, "width", &lwl_metres_positive, &mark.width);
  lwl_opt_float(L, at, 2, "bottom", &lwl_metres, &mark.bottom);
  lwl_opt_float(L, at, 2, "top", &lwl_metres, &mark.top);
  return mark;
}

/*
** geometry:mark_area{ area =, box = { at = or center =, size =, yaw = } or { min =, max = } }
** geometry:mark_area{ area =, polygon = { point, ... }, bottom =, top = }
** geometry:mark_area{ area =, path = { point, ... }, width =, bottom =, top = }
*/
static int mark_area(lua_State *L) {
  const lwl_at at = {"mark_area", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  const mark_form *form = check_form(L, &at);
  lw_area_id area = LW_AREA_NONE;
  if (!lwl_opt_area(L, &at, 2, "area", &area))
    lwl_raise_missing(L, &at, "area", "the name of an area or false");
  lw_mark_def mark = read_shape(L, &at, form);
  mark.area = area;
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_mark_area(self, &mark, &error), &error);
}

/*
** geometry:add_water{ polygon = { point, ... }, level =, bottom =, wade =, shallow =, deep = }
*/
static int add_water(lua_State *L) {
  static const char *const keys[] = {"polygon", "level", "bottom", "wade", "shallow", "deep", NULL};
  const lwl_at at = {"add_water", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_water_def water = lw_water_def_default();
  water.points = lwl_need_points(L, &at, "polygon", 3, &water.point_count);
  lwl_need_float(L, &at, 2, "level", &lwl_metres, &water.level);
  lwl_opt_float(L, &at, 2, "bottom", &lwl_metres, &water.bottom);
  lwl_opt_float(L, &at, 2, "wade", &lwl_metres_not_negative, &water.wade);
  if (lwl_get(L, 2, "shallow") != LUA_TNIL) water.shallow = lwl_check_area(L, &at, "shallow", -1);
  if (lwl_get(L, 2, "deep") != LUA_TNIL) water.deep = lwl_check_area(L, &at, "deep", -1);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_add_water(self, &water, &error), &error);
}

// --- cover ---------------------------------------------------------------------------------------------------

/// Read a box or a polygon between two heights. @param max_edge  It is read, too. NULL: there is no such key.
static lw_mark_def read_region(lua_State *L, const lwl_at *at, float *max_edge) {
  static const char *const all_keys[] = {"max_edge", "box", "polygon", "bottom", "top", NULL};
  static const char *const box_keys[] = {"max_edge", "box", NULL};
  static const char *const polygon_keys[] = {"max_edge", "polygon", "bottom", "top", NULL};
  static const mark_form forms[] = {{"box", LW_MARK_BOX, box_keys}, {"polygon", LW_MARK_POLYGON, polygon_keys}};
  lwl_check_table(L, at->where, 2);
  lwl_check_keys(L, at, 2, max_edge ? all_keys : all_keys + 1);
  const mark_form *form = check_forms(L, at, forms, sizeof forms / sizeof *forms);
  if (!form) lwl_raise(L, at->where, "no shape is given, expected box or polygon");
  if (max_edge) lwl_need_float(L, at, 2, "max_edge", &lwl_metres_positive, max_edge);
  return read_shape(L, at, form);
}

/*
** geometry:mark_detail{ max_edge =, as for forbid_cover }
*/
static int mark_detail(lua_State *L) {
  const lwl_at at = {"mark_detail", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  float max_edge = 0;
  const lw_mark_def where = read_region(L, &at, &max_edge);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_mark_detail(self, &where, max_edge, &error), &error);
}

/*
** geometry:forbid_cover{ box = { at = or center =, size =, yaw = } or { min =, max = } }
** geometry:forbid_cover{ polygon = { point, ... }, bottom =, top = }
*/
static int forbid_cover(lua_State *L) {
  const lwl_at at = {"forbid_cover", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  const lw_mark_def where = read_region(L, &at, NULL);
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_forbid_cover(self, &where, &error), &error);
}

/*
** geometry:add_cover{ from =, to =, height =, bottom =, side =, cover = }
*/
static int add_cover(lua_State *L) {
  static const char *const keys[] = {"from", "to", "height", "bottom", "side", "cover", NULL};
  const lwl_at at = {"add_cover", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  static const char *const kinds[] = {"hard", "soft", NULL};
  lw_cover_def cover = lw_cover_def_default();
  int side = (int)cover.side;
  lwl_need_point(L, &at, 2, "from", &cover.from);
  lwl_need_point(L, &at, 2, "to", &cover.to);
  lwl_opt_float(L, &at, 2, "height", &lwl_metres_positive, &cover.height);
  lwl_opt_float(L, &at, 2, "bottom", &lwl_metres_not_negative, &cover.bottom);
  lwl_opt_enum(L, &at, 2, "side", LWL_COVER_SIDE, &side);
  cover.side = (lw_cover_side)side;
  if (lwl_get(L, 2, "cover") != LUA_TNIL)
    cover.kind = lwl_check_choice(L, &at, "cover", -1, kinds) == 0 ? LW_COVER_HARD : LW_COVER_SOFT;
  lw_error error = {0};
  return lwl_raise_unless_ok(L, at.where, lw_geometry_add_cover(self, &cover, &error), &error);
}

const luaL_Reg lwl_mark_methods[] = {{"mark_area", mark_area},     {"add_water", add_water},
                                     {"mark_detail", mark_detail}, {"forbid_cover", forbid_cover},
                                     {"add_cover", add_cover},     {NULL, NULL}};
