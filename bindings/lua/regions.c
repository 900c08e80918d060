/*
** Regions: rooms and districts of a navmesh.
*/
#include "regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const lw_range square_metres = {0, 1e9, "m2", false}, square_metres_positive = {0, 1e9, "m2", true};

static void destroy(void *object) {
  lw_regions_destroy(object);
}

static lw_regions *check_regions(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_REGIONS, where)->object;
}

// --- results -------------------------------------------------------------------------------------------------

void lwl_set_room_name(lua_State *L, const char *key, const lw_regions *regions, int room) {
  lw_room found;
  if (lw_regions_get_room(regions, room, &found) == LW_OK && *found.name) lwl_set_string(L, key, found.name);
}

static void set_district(lua_State *L, const lw_regions *regions, int number) {
  lw_district district;
  lw_regions_get_district(regions, number, &district);
  if (*district.name)
    lwl_set_string(L, "district", district.name);
  else
    lwl_set_integer(L, "district", number + 1);
}

/// Push the table of a room, with an empty list `doors`.
static void push_room(lua_State *L, const lw_regions *regions, int room) {
  lw_room found;
  lw_regions_get_room(regions, room, &found);
  lua_createtable(L, 0, 9);
  lwl_set_integer(L, "number", room + 1);
  lwl_set_room_name(L, "name", regions, room);
  set_district(L, regions, found.district);
  lwl_set_number(L, "area", (double)found.area);
  lwl_set_vec3(L, "middle", found.middle);
  lwl_set_vec3(L, "min", found.box.min);
  lwl_set_vec3(L, "max", found.box.max);
  lwl_set_integer(L, "polygons", found.polygon_count);
  lua_createtable(L, found.door_count, 0);
  lua_setfield(L, -2, "doors");
}

static void push_portals(lua_State *L, const lw_regions *regions, int door, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lw_door_portal portal;
    lw_regions_get_door_portal(regions, door, i, &portal);
    lua_createtable(L, 2, 0);
    lwl_push_vec3(L, portal.left);
    lua_rawseti(L, -2, 1);
    lwl_push_vec3(L, portal.right);
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, i + 1);
  }
}

/// Push the table of a door as seen from one of its rooms.
static void push_door(lua_State *L, const lw_regions *regions, int door, int room) {
  lw_room_door found;
  lw_regions_get_door(regions, door, &found);
  const int other = found.rooms[0] == room ? found.rooms[1] : found.rooms[0];
  lua_createtable(L, 0, 6);
  lwl_set_integer(L, "to", other + 1);
  lwl_set_room_name(L, "name", regions, other);
  lwl_set_vec3(L, "at", found.at);
  lwl_set_number(L, "width", (double)found.width);
  push_portals(L, regions, door, found.portal_count);
  lua_setfield(L, -2, "portals");
}

void lwl_push_room(lua_State *L, const lw_regions *regions, int room, const bool *open) {
  push_room(L, regions, room);
  lua_getfield(L, -1, "doors");
  for (int i = 0, door; (door = lw_regions_room_door(regions, room, i)) >= 0; ++i) {
    push_door(L, regions, door, room);
    if (open) lwl_set_bool(L, "is_open", open[door]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pop(L, 1);
}

// --- arguments -----------------------------------------------------------------------------------------------

/// The room that the name at index is of. Raises with a suggestion.
static int find_named(lua_State *L, const lwl_at *at, const lw_regions *regions, const char *key, int index) {
  const char *name = lwl_check_text(L, at, key, "the name of a room", index);
  const int room = lw_regions_find_room(regions, name);
  if (room >= 0) return room;
  lwl_guess guess = {NULL, 0};
  lw_room other;
  for (int i = 0; lw_regions_get_room(regions, i, &other) == LW_OK; ++i)
    if (*other.name) lwl_guess_consider(&guess, name, other.name);
  lwl_raise_at(L, at, key, "is %s, expected the name of a room%s", lwl_describe(L, index),
               lwl_push_guess(L, &guess));
}

/// The room that a value names: its number, its name, or a point in it.
static int check_room(lua_State *L, const lwl_at *at, const lw_regions *regions, const char *key, int index) {
  lua_Integer number;
  lw_vec3 point;
  const int count = lw_regions_room_count(regions);
  if (lua_type(L, index) == LUA_TSTRING) return find_named(L, at, regions, key, index);
  if (lua_type(L, index) == LUA_TNUMBER && lwl_to_integer(L, index, 1, count, &number)) return (int)number - 1;
  if (lua_type(L, index) == LUA_TNUMBER || !lwl_to_point(L, index, &point))
    lwl_raise_expected(L, at, key,
                       lua_pushfstring(L, "a room: its name, its number, 1 to %d, or a point in it", count),
                       index);
  const int room = lw_regions_room_at(regions, point, lw_path_query_default().snap);
  if (room < 0) lwl_raise_at(L, at, key, "is %s, where no ground is near", lwl_describe(L, index));
  return room;
}

int *lwl_check_rooms(lua_State *L, const lwl_at *at, const lw_regions *regions, const char *key, int index,
                     int *count) {
  const lua_Integer length = lwl_check_list(L, at, key, index);
  int *rooms = lua_newuserdatauv(L, (size_t)(length + 1) * sizeof *rooms, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    const char *name = lua_pushfstring(L, "%s[%I]", key, (LUAI_UACINT)i);
    lua_rawgeti(L, index, i);
    rooms[i - 1] = check_room(L, at, regions, name, lua_gettop(L));
    lua_pop(L, 2);
  }
  *count = (int)length;
  return rooms;
}

static int *need_rooms(lua_State *L, const lwl_at *at, const lw_regions *regions, int index, int *count) {
  int *rooms = lwl_check_rooms(L, at, regions, "rooms", index, count);
  if (*count == 0) lwl_raise_at(L, at, "rooms", "is empty, expected a list of rooms");
  return rooms;
}

static void read_box(lua_State *L, const lwl_at *at, lw_region_volume *volume) {
  lw_mark_def mark = lw_mark_def_default(LW_MARK_BOX);
  lwl_read_mark_box(L, at, 2, &mark);
  lw_vec3 *corners = lua_newuserdatauv(L, 4 * sizeof *corners, 0);
  const float c = cosf(mark.yaw), s = sinf(mark.yaw);
  for (int i = 0; i < 4; ++i) {
    const float x = (i == 1 || i == 2 ? 0.5f : -0.5f) * mark.size.x, z = (i >= 2 ? 0.5f : -0.5f) * mark.size.z;
    corners[i] = (lw_vec3){mark.at.x + c * x + s * z, mark.at.y, mark.at.z - s * x + c * z};
  }
  *volume = (lw_region_volume){corners, 4, mark.at.y, mark.at.y + mark.size.y};
}

/// Read the volume at index 2; its points stay on the stack.
static void read_volume(lua_State *L, const lwl_at *at, lw_region_volume *volume) {
  static const char *const keys[] = {"box", "polygon", "bottom", "top", NULL};
  static const char *const box_keys[] = {"box", NULL}, *const polygon_keys[] = {"polygon", "bottom", "top",
                                                                                NULL};
  lwl_check_keys(L, at, 2, keys);
  const bool has_box = lwl_get(L, 2, "box") != LUA_TNIL, has_polygon = lwl_get(L, 2, "polygon") != LUA_TNIL;
  if (has_box == has_polygon)
    lwl_raise(L, at->where, "%s, expected a room, a point, or a table with box or polygon",
              has_box ? "box and polygon are given" : "no shape is given");
  lwl_check_keys(L, at, 2, has_box ? box_keys : polygon_keys);
  if (has_box) {
    read_box(L, at, volume);
    return;
  }
  *volume = (lw_region_volume){.bottom = -INFINITY, .top = INFINITY};
  volume->outline = lwl_need_points(L, at, "polygon", 3, &volume->count);
  lwl_opt_float(L, at, 2, "bottom", &lwl_metres, &volume->bottom);
  lwl_opt_float(L, at, 2, "top", &lwl_metres, &volume->top);
}

static int push_number(lua_State *L, const char *where, lw_status status, const lw_error *error, int room) {
  if (status != LW_OK) lwl_raise(L, where, "%s", error->text);
  lua_pushinteger(L, room + 1);
  return 1;
}

// --- reading -------------------------------------------------------------------------------------------------

/*
** #regions --> number of rooms
*/
static int regions_len(lua_State *L) {
  lua_pushinteger(L, lw_regions_room_count(check_regions(L, "#regions")));
  return 1;
}

/*
** regions:rooms() --> list of rooms
*/
static int rooms(lua_State *L) {
  const lw_regions *regions = check_regions(L, "rooms");
  const int count = lw_regions_room_count(regions);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_room(L, regions, i, NULL);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** regions:room(name | number | point) --> room
*/
static int room(lua_State *L) {
  const lwl_at at = {"room", ""};
  const lw_regions *regions = check_regions(L, at.where);
  lua_settop(L, 2);
  lwl_push_room(L, regions, check_room(L, &at, regions, "room", 2), NULL);
  return 1;
}

/*
** regions:at(point [, snap]) --> number, name | nil
*/
static int at_point(lua_State *L) {
  const lwl_at at = {"at", ""};
  const lw_regions *regions = check_regions(L, at.where);
  lua_settop(L, 3);
  const lw_vec3 point = lwl_check_point(L, at.where, "point", 2);
  lw_vec3 snap = lw_path_query_default().snap;
  if (!lua_isnil(L, 3)) snap = lwl_check_point(L, at.where, "snap", 3);
  if (!(snap.x > 0 && snap.y > 0 && snap.z > 0)) lwl_raise_expected(L, &at, "snap", "half sizes > 0", 3);
  const int found = lw_regions_room_at(regions, point, snap);
  if (found < 0) return lua_pushnil(L), 1;
  lw_room room;
  lw_regions_get_room(regions, found, &room);
  lua_pushinteger(L, found + 1);
  if (!*room.name) return 1;
  lua_pushstring(L, room.name);
  return 2;
}

static void push_district(lua_State *L, int number, const lw_district *district) {
  lua_createtable(L, 0, 4);
  lwl_set_integer(L, "number", number + 1);
  if (*district->name) lwl_set_string(L, "name", district->name);
  lwl_set_number(L, "area", (double)district->area);
  lua_createtable(L, district->room_count, 0);
  lua_setfield(L, -2, "rooms");
}

/*
** regions:districts() --> list of { number =, name =, area =, rooms = { number, ... } }
*/
static int districts(lua_State *L) {
  const lw_regions *regions = check_regions(L, "districts");
  lw_district district;
  lw_room room;
  lua_createtable(L, lw_regions_district_count(regions), 0);
  for (int i = 0; lw_regions_get_district(regions, i, &district) == LW_OK; ++i) {
    push_district(L, i, &district);
    lua_rawseti(L, -2, i + 1);
  }
  for (int i = 0; lw_regions_get_room(regions, i, &room) == LW_OK; ++i) {
    lua_rawgeti(L, -1, room.district + 1);
    lua_getfield(L, -1, "rooms");
    lua_pushinteger(L, i + 1);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 2);
  }
  return 1;
}

static int bytes(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)lw_regions_memory(check_regions(L, "bytes")));
  return 1;
}

// --- changing ------------------------------------------------------------------------------------------------

/*
** regions:name(name, room | point | { box = } | { polygon =, bottom =, top = }) --> number of the room
*/
static int name_room(lua_State *L) {
  const lwl_at at = {"name", ""};
  lw_regions *regions = check_regions(L, at.where);
  lua_settop(L, 3);
  const char *name = lwl_check_name(L, at.where, 2);
  lua_rotate(L, 2, 1); /* the place, then the name */
  lw_error error = {0};
  lw_vec3 point;
  int room = -1;
  if (lua_type(L, 2) == LUA_TTABLE && !lwl_to_point(L, 2, &point)) {
    lw_region_volume volume;
    read_volume(L, &at, &volume);
    const lw_status status = lw_regions_carve_room(regions, &volume, name, &room, &error);
    return push_number(L, at.where, status, &error, room);
  }
  room = check_room(L, &at, regions, "room", 2);
  const lw_status status = lw_regions_name_room(regions, room, name, &error);
  return push_number(L, at.where, status, &error, room);
}

/*
** regions:merge(rooms [, name]) --> number of the room
*/
static int merge(lua_State *L) {
  const lwl_at at = {"merge", ""};
  lw_regions *regions = check_regions(L, at.where);
  lua_settop(L, 3);
  const char *name = lua_isnil(L, 3) ? NULL : lwl_check_name(L, at.where, 3);
  int count = 0, room = -1;
  const int *list = need_rooms(L, &at, regions, 2, &count);
  lw_error error = {0};
  const int owner = lw_regions_find_room(regions, name);
  bool is_inside = owner < 0;
  for (int i = 0; i < count; ++i) is_inside |= list[i] == owner;
  if (!is_inside) lwl_raise_at(L, &at, "name", "is %s, which room %d has", lwl_describe(L, 3), owner + 1);
  lw_status status = lw_regions_merge_rooms(regions, list, count, &room, &error);
  if (status == LW_OK && name) status = lw_regions_name_room(regions, room, name, &error);
  return push_number(L, at.where, status, &error, room);
}

/*
** regions:district(name, rooms)
*/
static int district(lua_State *L) {
  const lwl_at at = {"district", ""};
  lw_regions *regions = check_regions(L, at.where);
  lua_settop(L, 3);
  const char *name = lwl_check_name(L, at.where, 2);
  int count = 0;
  const int *list = need_rooms(L, &at, regions, 3, &count);
  lw_error error = {0};
  if (lw_regions_set_district(regions, list, count, name, &error) != LW_OK)
    lwl_raise(L, at.where, "%s", error.text);
  return 0;
}

// --- creating ------------------------------------------------------------------------------------------------

static lw_regions *push_regions(lua_State *L, const char *where, int index, const lw_regions_def *def) {
  lwl_box *navmesh = lwl_check_box(L, index, LWL_NAVMESH, where);
  lwl_box *box = lwl_new_box(L, LWL_REGIONS, sizeof *box, 0, destroy, navmesh->shared);
  lw_regions *regions = NULL;
  lw_error error = {0};
  navmesh = lwl_check_box(L, index, LWL_NAVMESH, where); /* a finaliser may have destroyed it */
  if (lw_regions_create(navmesh->object, def, &regions, &error) != LW_OK) lwl_raise(L, where, "%s", error.text);
  lwl_fill_box(box, regions);
  return regions;
}

void lwl_push_default_regions(lua_State *L, const char *where, int index) {
  push_regions(L, where, index, NULL);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Push the keys of the table at index, in their order, so that what follows does not depend on that of the table.
static const char **push_names(lua_State *L, const lwl_at *at, const char *key, int table, int *count) {
  int capacity = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) ++capacity;
  const char **names = lua_newuserdatauv(L, (size_t)(capacity + 1) * sizeof *names, 0);
  *count = 0;
  for (lua_pushnil(L); *count < capacity && lua_next(L, table); lua_pop(L, 1)) {
    const char *name = lwl_to_text(L, -2);
    if (!name) lwl_raise_at(L, at, key, "has the key %s, expected names", lwl_describe(L, -2));
    names[(*count)++] = name;
  }
  qsort(names, (size_t)*count, sizeof *names, compare_names);
  return names;
}

/// Call a method of the regions on top of the stack for each pair of a table of the options.
static void apply_table(lua_State *L, const lwl_at *at, const char *key, lua_CFunction method) {
  const int self = lua_gettop(L), table = self + 1;
  if (lwl_get(L, 2, key) != LUA_TNIL) {
    const char *expected = method == district ? "lists of rooms by name" : "points or volumes by name";
    if (lua_type(L, table) != LUA_TTABLE) lwl_raise_expected(L, at, key, expected, table);
    int count = 0;
    const char **names = push_names(L, at, key, table, &count);
    for (int i = 0; i < count; ++i) {
      lua_pushcfunction(L, method);
      lua_pushvalue(L, self);
      lua_pushstring(L, names[i]);
      lua_pushvalue(L, -1);
      lua_rawget(L, table);
      lua_call(L, 3, 0);
    }
    for (int i = 0; i < count && method == name_room; ++i)
      if (lw_regions_find_room(((lwl_box *)lua_touserdata(L, self))->object, names[i]) < 0)
        lwl_raise_at(L, at, key, "has '%s' and another name for one room, expected one name for each",
                     names[i]);
  }
  lua_settop(L, self);
}

/*
** leeward.regions(navmesh [, { door_width =, min_area =, max_area =, district_area =, names =, districts = }]) --> regions
*/
static int regions(lua_State *L) {
  static const char *const keys[] = {"door_width", "min_area",  "max_area", "district_area",
                                     "names",      "districts", NULL};
  const lwl_at at = {"regions", ""};
  lua_settop(L, 2);
  lw_regions_def def = lw_regions_def_default();
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lwl_opt_float(L, &at, 2, "door_width", &lwl_metres_positive, &def.door_width);
  lwl_opt_float(L, &at, 2, "min_area", &square_metres, &def.min_area);
  lwl_opt_float(L, &at, 2, "max_area", &square_metres_positive, &def.max_area);
  lwl_opt_float(L, &at, 2, "district_area", &square_metres_positive, &def.district_area);
  push_regions(L, at.where, 1, &def);
  apply_table(L, &at, "names", name_room);
  apply_table(L, &at, "districts", district);
  return 1;
}

static const luaL_Reg methods[] = {{"rooms", rooms},         {"room", room},         {"at", at_point},
                                   {"districts", districts}, {"bytes", bytes},       {"name", name_room},
                                   {"merge", merge},         {"district", district}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {"__len", regions_len}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"regions", regions}, {NULL, NULL}};

void lwl_open_regions(lua_State *L) {
  lwl_new_type(L, LWL_REGIONS, methods, meta, NULL);
  lwl_set_functions(L, functions, NULL);
}
