/*
** The regions of a world, and those that a path leads through.
*/
#include "path.h"
#include "regions.h"

/// Let the world at index have regions for a navmesh: those at index `box`.
static void set_regions_of(lua_State *L, int index, int navmesh, int box) {
  lwl_world *self = lua_touserdata(L, index);
  lwl_box *of = lua_touserdata(L, box);
  if (lua_getiuservalue(L, index, LWL_WORLD_REGIONS) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, index, LWL_WORLD_REGIONS);
  }
  lua_pushvalue(L, box);
  lua_rawseti(L, -2, navmesh + 1);
  lua_pop(L, 1);
  if (!self->box.object) return;
  lw_world_set_regions(lwl_c_world(self), navmesh, of->object);
  lwl_release(self->held[navmesh].regions);
  self->held[navmesh].regions = lwl_retain(of->shared);
}

const lw_regions *lwl_push_regions_of(lua_State *L, const char *where, int index, int navmesh) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, index, where));
  if (!lw_world_regions(world, navmesh)) {
    lwl_push_navmesh(L, index, navmesh);
    lwl_push_default_regions(L, where, lua_gettop(L));
    lwl_check_world(L, index, where); /* a finaliser may have destroyed it */
    set_regions_of(L, index, navmesh, lua_gettop(L));
    lua_pop(L, 2);
  }
  lua_getiuservalue(L, index, LWL_WORLD_REGIONS);
  lua_rawgeti(L, -1, navmesh + 1);
  lua_remove(L, -2);
  return lw_world_regions(lwl_c_world(lwl_check_world(L, index, where)), navmesh);
}

/// Let all navmeshes of the world at index have regions.
static void ensure_regions(lua_State *L, const char *where, int index) {
  const int count = lw_world_navmesh_count(lwl_c_world(lwl_check_world(L, index, where)));
  for (int i = 0; i < count; ++i) {
    lwl_push_regions_of(L, where, index, i);
    lua_pop(L, 1);
  }
}

/*
** world:set_regions(regions [, navmesh = 1])
*/
static int set_regions(lua_State *L) {
  const lwl_at at = {"set_regions", ""};
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lua_settop(L, 3);
  lwl_check_box(L, 2, LWL_REGIONS, at.where);
  const int count = lw_world_navmesh_count(world);
  lua_Integer navmesh = 1;
  if (!lua_isnil(L, 3) && !lwl_to_integer(L, 3, 1, count, &navmesh))
    lwl_raise_expected(L, &at, "navmesh", lua_pushfstring(L, "the number of a navmesh, 1 to %d", count), 3);
  set_regions_of(L, 1, (int)navmesh - 1, 2);
  return 0;
}

// --- the room graph ------------------------------------------------------------------------------------------

/// What the room graph is asked for.
typedef struct room_query {
  int navmesh;
  const lw_profile *profile; ///< NULL: none.
} room_query;

/// Add a link to the doors of its room. The list of rooms is on top.
static void add_link(lua_State *L, const lw_regions *regions, const lw_room_link *link) {
  lua_rawgeti(L, -1, link->rooms[0] + 1);
  lua_getfield(L, -1, "doors");
  lua_createtable(L, 0, 8);
  lwl_set_integer(L, "to", link->rooms[1] + 1);
  lwl_set_room_name(L, "name", regions, link->rooms[1]);
  lwl_set_string(L, "kind", lw_link_kind_name(link->kind));
  lwl_set_vec3(L, "at", link->from);
  lwl_set_vec3(L, "arrives", link->to);
  lwl_set_bool(L, "is_open", true);
  lwl_push_link(L, 1, link->id);
  lua_setfield(L, -2, "link");
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 2);
}

static void add_links(lua_State *L, const lw_world *world, const lw_regions *regions, const room_query *query) {
  int count = 0;
  lw_world_room_links(world, query->navmesh, query->profile, NULL, 0, &count);
  lw_room_link *links = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *links, 0);
  lua_insert(L, -2);
  world = lwl_c_world(lwl_check_world(L, 1, "regions"));
  const int capacity = count;
  lw_world_room_links(world, query->navmesh, query->profile, links, capacity, &count);
  for (int i = 0; i < count && i < capacity; ++i) add_link(L, regions, &links[i]);
}

/*
** world:regions([{ profile =, navmesh = }]) --> list of rooms, regions
*/
static int world_regions(lua_State *L) {
  static const char *const keys[] = {"profile", "navmesh", "cost", "avoid", "can_take", NULL};
  const lwl_at at = {"regions", ""};
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lua_settop(L, 2);
  room_query query = {0, NULL};
  if (!lua_isnil(L, 2)) {
    lwl_check_table(L, at.where, 2);
    lwl_check_keys(L, &at, 2, keys);
    lwl_opt_navmesh(L, &at, 2, world, &query.navmesh);
    const lwl_box *profile = lwl_push_profile(L, &at, 2);
    if (profile) query.profile = profile->object;
  }
  const lw_regions *regions = lwl_push_regions_of(L, at.where, 1, query.navmesh);
  const int box = lua_gettop(L), count = lw_regions_room_count(regions);
  bool *open = lua_newuserdatauv(L, (size_t)lw_regions_door_count(regions) + 1, 0);
  world = lwl_c_world(lwl_check_world(L, 1, at.where));
  const lw_status status = lw_world_open_doors(world, query.navmesh, query.profile, open);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_room(L, regions, i, open);
    lua_rawseti(L, -2, i + 1);
  }
  add_links(L, world, regions, &query);
  lua_pushvalue(L, box);
  return 2;
}

/*
** world:region_at(point [, { profile =, snap = }]) --> number, name | false, navmesh's number | nil, message, code
*/
static int region_at(lua_State *L) {
  static const char *const keys[] = {"profile", "snap", "cost", "avoid", "can_take", NULL};
  const lwl_at at = {"region_at", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 3);
  lwl_place place = {"point", lwl_check_point(L, at.where, "point", 2), lw_path_query_default().snap, NULL};
  if (!lua_isnil(L, 3)) {
    lwl_check_table(L, at.where, 3);
    lwl_check_keys(L, &at, 3, keys);
    lwl_opt_snap(L, &at, 3, &place.snap);
    const lwl_box *profile = lwl_push_profile(L, &at, 3);
    if (profile) place.profile = profile->object;
  }
  ensure_regions(L, at.where, 1);
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_world_room found;
  const lw_status status = lw_world_room_at(world, place.at, place.snap, place.profile, &found);
  if (status == LW_NO_POINT) return lwl_fail_near(L, LW_NO_START, &place);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  lw_room room;
  lw_regions_get_room(lw_world_regions(world, found.navmesh), found.room, &room);
  lua_pushinteger(L, found.room + 1);
  if (*room.name)
    lua_pushstring(L, room.name);
  else
    lua_pushboolean(L, false);
  lua_pushinteger(L, found.navmesh + 1);
  return 3;
}

// --- paths ---------------------------------------------------------------------------------------------------

static void push_visit(lua_State *L, const lw_world *world, const lw_room_visit *visit) {
  lua_createtable(L, 0, 4);
  lwl_set_integer(L, "room", visit->in.room + 1);
  lwl_set_room_name(L, "name", lw_world_regions(world, visit->in.navmesh), visit->in.room);
  lwl_set_integer(L, "navmesh", visit->in.navmesh + 1);
  lwl_set_vec3(L, "at", visit->at);
}

/*
** path:regions() --> list of { room =, name =, navmesh =, at = }, in the path's order | nil, message, code
*/
int lwl_path_regions(lua_State *L) {
  const char *where = "regions";
  lwl_check_box(L, 1, LWL_PATH, where);
  lua_settop(L, 1);
  lwl_push_path_world(L);
  const lwl_box *world = lwl_test_box(L, 2, LWL_WORLD);
  if (!world || !world->object) return lwl_fail(L, LW_STALE, "the path's world was destroyed");
  ensure_regions(L, where, 2);
  const lw_path *path = lwl_check_box(L, 1, LWL_PATH, where)->object;
  int count = 0;
  lw_status status = lw_path_rooms(path, world->object, NULL, 0, &count);
  const int capacity = count;
  lw_room_visit *visits = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *visits, 0);
  const lw_world *of = lwl_c_world(lwl_check_world(L, 2, where));
  if (status == LW_OK) status = lw_path_rooms(path, of, visits, capacity, &count);
  if (status != LW_OK) lwl_raise(L, where, "%s", lw_status_text(status));
  lua_createtable(L, count, 0);
  for (int i = 0; i < count && i < capacity; ++i) {
    push_visit(L, of, &visits[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_region_methods[] = {{"regions", world_regions},
                                       {"region_at", region_at},
                                       {"set_regions", set_regions},
                                       {"plan_regions", lwl_plan_regions},
                                       {NULL, NULL}};
