/*
** Tiles of permutations: baked from other geometry, and named in states.
*/
#include "permutation.h"
#include "profile_layers.h"
#include "tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TILES "tiles of leeward.bake_permutations, { source =, { x, z }, ... }, or a name of world:name_tiles"

// --- what a world borrows ------------------------------------------------------------------------------------

/// Have space for one more. A finaliser that runs here may destroy the world, which raises, or add some itself.
static lwl_world *reserve_source(lua_State *L, const char *where, int world) {
  for (;;) {
    lwl_world *self = lwl_check_world(L, world, where);
    if (self->source_count < self->source_capacity) return self;
    const int capacity = 2 * self->source_capacity + 8;
    lwl_shared **sources = lua_newuserdatauv(L, (size_t)capacity * sizeof *sources, 0);
    self = lwl_check_world(L, world, where);
    if (capacity > self->source_capacity) {
      if (self->source_count > 0) memcpy(sources, self->sources, (size_t)self->source_count * sizeof *sources);
      self->sources = sources;
      self->source_capacity = capacity;
      lua_setiuservalue(L, world, LWL_WORLD_SOURCES); /* the old one is freed later */
    } else {
      lua_pop(L, 1);
    }
  }
}

/// Keep a navmesh alive for the world at index, until lwl_drop_sources().
static void hold_source(lua_State *L, const char *where, int world, const lwl_box *box) {
  lwl_world *self = reserve_source(L, where, world);
  for (int i = 0; i < self->source_count; ++i)
    if (self->sources[i]->object == box->object) return;
  self->sources[self->source_count++] = lwl_retain(box->shared);
}

void lwl_drop_sources(lwl_world *world) {
  int kept = 0;
  for (int i = 0; i < world->source_count; ++i) {
    if (world->box.object && lw_world_uses_navmesh(world->box.object, world->sources[i]->object))
      world->sources[kept++] = world->sources[i];
    else
      lwl_release(world->sources[i]);
  }
  world->source_count = kept;
}

// --- states --------------------------------------------------------------------------------------------------

/// Tiles of one navmesh of the world.
typedef struct group {
  lwl_tile_list list;
  int navmesh;
} group;

/// Read { source =, navmesh =, box = | { x, z }, ... } at index, and push what its tiles are kept in. The world's
/// navmesh and the source are on the stack meanwhile.
static group push_group(lua_State *L, const lwl_at *at, int world, int index) {
  static const char *const keys[] = {"source", "navmesh", "box", NULL};
  const int top = lua_gettop(L);
  group read = {.navmesh = 0};
  lw_box box;
  lwl_get(L, index, "source");
  const lwl_box *source = lwl_test_box(L, -1, LWL_NAVMESH);
  if (!lua_isnil(L, -1) && !(source && source->object))
    lwl_raise_expected(L, at, "source", "a navmesh, or nil to remove tiles", -1);
  const lw_world *of = lwl_c_world(lwl_check_world(L, world, at->where));
  if (!lwl_opt_navmesh(L, at, index, of, &read.navmesh) && lw_world_navmesh_count(of) > 1)
    lwl_raise_missing(L, at, "navmesh", "which of the world's navmeshes has these tiles");
  if (source) hold_source(L, at->where, world, source);
  lwl_settle_navmeshes(L, lwl_check_world(L, world, at->where), world);
  lua_getiuservalue(L, world, LWL_WORLD_NAVMESHES);
  lua_rawgeti(L, -1, read.navmesh + 1); /* stays on the stack */
  const lw_navmesh *base = lwl_test_box(L, -1, LWL_NAVMESH)->object, *from = source ? source->object : NULL;
  if (lwl_opt_bounds(L, at, index, "box", &box)) {
    lwl_check_keys(L, at, index, keys);
    lwl_push_tiles_in(L, &box, base, from, &read.list);
  } else {
    lwl_check_keys_and_list(L, at, index, keys, (lua_Integer)lua_rawlen(L, index));
    lwl_push_places(L, at, index, from, &read.list);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return read;
}

/// Is the table at index a list of such tables, for several navmeshes?
static bool is_list_of_groups(lua_State *L, int index) {
  const int top = lua_gettop(L);
  bool is_list = lua_rawgeti(L, index, 1) == LUA_TTABLE && lua_rawgeti(L, top + 1, 1) != LUA_TNUMBER &&
                 lwl_get(L, top + 1, "x") == LUA_TNIL;
  lua_settop(L, top);
  return is_list;
}

/// Replace the name at index by what the world calls so.
static void resolve_name(lua_State *L, const lwl_at *at, int world, int index) {
  const int top = lua_gettop(L);
  const char *name = lua_tostring(L, index);
  const bool has_names = lua_getiuservalue(L, world, LWL_WORLD_TILES) == LUA_TTABLE;
  if (has_names && lua_getfield(L, top + 1, name) == LUA_TTABLE) {
    lua_replace(L, index);
    lua_settop(L, top);
    return;
  }
  lwl_guess guess = {NULL, 0};
  if (has_names) {
    lua_settop(L, top + 1);
    lua_pushnil(L);
    while (lua_next(L, top + 1)) {
      lwl_guess_consider(&guess, name, lua_tostring(L, -2));
      lua_pop(L, 1);
    }
  }
  lwl_raise_at(L, at, "tiles", "is '%s', expected a name that world:name_tiles() has given%s",
               lwl_shown(L, name), lwl_push_guess(L, &guess));
}

void lwl_push_state_tiles(lua_State *L, const lwl_at *at, int state, int world, lw_permutation_state_def *def) {
  const int value = lua_gettop(L) + 1;
  def->tiles = NULL;
  def->tile_count = 0;
  const int type = lwl_get(L, state, "tiles");
  if (type != LUA_TNIL && type != LUA_TTABLE && type != LUA_TSTRING)
    lwl_raise_expected(L, at, "tiles", TILES, value);
  if (type == LUA_TNIL || !world) return;
  if (type == LUA_TSTRING) resolve_name(L, at, world, value);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%stiles.", at->prefix)};
  const bool is_list = is_list_of_groups(L, value);
  const lua_Integer count = is_list ? (lua_Integer)lua_rawlen(L, value) : 1;
  group groups[LW_NAVMESHES_MAX];
  size_t total = 0;
  if (count > LW_NAVMESHES_MAX)
    lwl_raise_at(L, at, "tiles", "is a list of %I, expected at most %d", (LUAI_UACINT)count, LW_NAVMESHES_MAX);
  luaL_checkstack(L, 2 * LW_NAVMESHES_MAX + LUA_MINSTACK, NULL);
  for (lua_Integer i = 0; i < count; ++i) {
    if (is_list && lua_rawgeti(L, value, i + 1) != LUA_TTABLE)
      lwl_raise_item(L, at, "tiles", i + 1, "a table", -1);
    groups[i] = push_group(L, &inside, world, is_list ? lua_gettop(L) : value);
    total += (size_t)groups[i].list.count;
  }
  lw_permutation_tile *tiles = lua_newuserdatauv(L, (total + 1) * sizeof *tiles, 0);
  for (lua_Integer i = 0; i < count; ++i)
    for (int k = 0; k < groups[i].list.count; ++k)
      tiles[def->tile_count++] = (lw_permutation_tile){groups[i].navmesh, groups[i].list.items[k]};
  def->tiles = tiles;
  lua_replace(L, value);
  lua_settop(L, value);
}

/*
** world:name_tiles(name, tiles)
** States of permutations may name them.
*/
static int name_tiles(lua_State *L) {
  const lwl_at at = {"name_tiles", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 3);
  lwl_check_text(L, &at, "name", "a name", 2);
  if (!lua_istable(L, 3))
    lwl_raise_expected(L, &at, "tiles", "tiles of leeward.bake_permutations, or { source =, { x, z }, ... }",
                       3);
  if (lua_getiuservalue(L, 1, LWL_WORLD_TILES) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, LWL_WORLD_TILES);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_rawset(L, -3);
  return 0;
}

// --- baking --------------------------------------------------------------------------------------------------

static bool is_navmesh(lua_State *L, int index) {
  const lwl_box *box = lwl_test_box(L, index, LWL_NAVMESH);
  return box && box->object;
}

static const lwl_box *test_geometry(lua_State *L, int index) {
  const lwl_box *box = lwl_test_box(L, index, LWL_GEOMETRY);
  return box && box->object ? box : NULL;
}

/// Widen the box by the geometry at index. A geometry without triangles has none.
static void add_bounds(lua_State *L, int index, lw_box *all) {
  const lwl_box *geometry = test_geometry(L, index);
  if (!geometry || lw_geometry_triangle_count(geometry->object) == 0) return;
  const lw_box box = lw_geometry_bounds(geometry->object);
  all->min =
      (lw_vec3){fminf(all->min.x, box.min.x), fminf(all->min.y, box.min.y), fminf(all->min.z, box.min.z)};
  all->max =
      (lw_vec3){fmaxf(all->max.x, box.max.x), fmaxf(all->max.y, box.max.y), fmaxf(all->max.z, box.max.z)};
}

enum { BASE = 1, STATES, SETTINGS, NAMES, BAKED, TILES_OUT, RESULTS };

/// Check the arguments, push the sorted names of the states and the settings with bounds that hold all geometry.
static void check_bake(lua_State *L, const lwl_at *at) {
  lw_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  lua_settop(L, SETTINGS);
  if (!is_navmesh(L, BASE) && !test_geometry(L, BASE))
    lwl_raise_expected(L, at, "geometry", "a geometry, or a navmesh", BASE);
  lwl_check_table(L, at->where, STATES);
  if (!lua_isnil(L, SETTINGS) && !lua_istable(L, SETTINGS))
    lwl_raise_expected(L, at, "settings", "a table", SETTINGS);
  add_bounds(L, BASE, &all);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, STATES)) {
    const char *name = lwl_to_text(L, -2);
    if (!name) lwl_raise(L, at->where, "states has the key %s, expected names", lwl_describe(L, -2));
    const lwl_at inside = {at->where, "states."};
    if (!is_navmesh(L, -1) && !test_geometry(L, -1))
      lwl_raise_expected(L, &inside, lwl_shown(L, name), "a geometry, or a navmesh", lua_gettop(L));
    add_bounds(L, lua_gettop(L), &all);
    lua_pushvalue(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, NAMES);
    lua_pop(L, 1);
  }
  lwl_push_sorted_keys(L, NAMES);
  lua_replace(L, NAMES);
  lua_newtable(L);
  for (lua_pushnil(L); lua_istable(L, SETTINGS) && lua_next(L, SETTINGS); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, BAKED);
  }
  lua_settop(L, BAKED);
  if (lwl_get(L, BAKED, "bounds") == LUA_TNIL && all.min.x <= all.max.x) {
    lua_createtable(L, 2, 0);
    lwl_push_vec3(L, all.min);
    lua_rawseti(L, -2, 1);
    lwl_push_vec3(L, all.max);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, BAKED, "bounds");
  }
  lua_settop(L, BAKED);
  lua_replace(L, SETTINGS);
}

/// Push the navmesh of the geometry at index, and the report: each geometry is baked once. @return false: nil,
/// message, code.
static bool push_baked(lua_State *L, int index, const char *state) {
  const int top = lua_gettop(L);
  if (is_navmesh(L, index)) {
    lua_pushvalue(L, index);
    lua_pushnil(L);
    return true;
  }
  lua_pushvalue(L, index);
  if (lua_rawget(L, BAKED) == LUA_TNIL) {
    lua_settop(L, top);
    lua_pushcfunction(L, lwl_bake);
    lua_pushvalue(L, index);
    lua_pushvalue(L, SETTINGS);
    lua_call(L, 2, 3);
    if (lua_isnil(L, top + 1)) {
      if (!state) return false;
      lua_pushfstring(L, "state '%s': %s", lwl_shown(L, state), lua_tostring(L, top + 2));
      lua_replace(L, top + 2);
      lua_settop(L, top + 3);
      return false;
    }
    lua_settop(L, top + 2);
    lua_pushvalue(L, index);
    lua_pushvalue(L, top + 1);
    lua_rawset(L, BAKED);
    return true;
  }
  lua_pushnil(L);
  return true;
}

static int compare_places(const void *left, const void *right) {
  const lw_tile_change *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

/// Add the tiles in which two navmeshes differ.
static int add_differing(lua_State *L, const char *where, const lw_navmesh *base, const lw_navmesh *other,
                         lw_tile_change *tiles, int capacity) {
  lw_error error = {0};
  int count = 0;
  error.status = lw_navmesh_differing_tiles(base, other, tiles, capacity, &count, &error);
  if (error.status == LW_OUT_OF_MEMORY) luaL_error(L, "%s: %s", where, error.text);
  if (error.status != LW_OK) lwl_raise(L, where, "%s", error.text);
  return count;
}

static void push_place(lua_State *L, const lw_tile_change *tile) {
  lua_createtable(L, 0, 2);
  lwl_set_integer(L, "x", tile->x);
  lwl_set_integer(L, "z", tile->z);
}

static const lw_navmesh *navmesh_at(lua_State *L, int index) {
  return lwl_test_box(L, index, LWL_NAVMESH)->object;
}

/// Push the tiles in which any state differs from the navmesh at index. @param[out] places  Of those.
static int push_differing(lua_State *L, const char *where, int base, lw_tile_change **places) {
  const lua_Integer states = (lua_Integer)lua_rawlen(L, NAMES);
  const size_t own = (size_t)lw_navmesh_get_stats(navmesh_at(L, base)).tiles;
  size_t space = 1;
  int count = 0, kept = 0;
  for (lua_Integer i = 1; i <= states; ++i) {
    lua_rawgeti(L, TILES_OUT, i);
    space += own + (size_t)lw_navmesh_get_stats(navmesh_at(L, -1)).tiles;
    lua_pop(L, 1);
  }
  lw_tile_change *all = lua_newuserdatauv(L, space * sizeof *all, 0);
  for (lua_Integer i = 1; i <= states; ++i) {
    lua_rawgeti(L, TILES_OUT, i);
    count += add_differing(L, where, navmesh_at(L, base), navmesh_at(L, -1), all + count, (int)space - count);
    lua_pop(L, 1);
  }
  qsort(all, (size_t)count, sizeof *all, compare_places);
  for (int i = 0; i < count; ++i)
    if (i == 0 || compare_places(&all[i], &all[i - 1]) != 0) all[kept++] = all[i];
  *places = all;
  return kept;
}

/*
** leeward.bake_permutations(geometry, { [state] = geometry }, settings)
**   --> navmesh, { [state] = { source =, { x =, z = }, ... } }, report | nil, message, code
*/
static int bake_permutations(lua_State *L) {
  const lwl_at at = {"bake_permutations", ""};
  check_bake(L, &at);
  lua_newtable(L); /* BAKED: geometry -> navmesh */
  lua_newtable(L); /* TILES_OUT: navmeshes in the order of the names */
  const lua_Integer states = (lua_Integer)lua_rawlen(L, NAMES);
  if (!push_baked(L, BASE, NULL)) return 3; /* navmesh, report */
  const int base = TILES_OUT + 1, report = base + 1, top = report;
  for (lua_Integer i = 1; i <= states; ++i) {
    lua_rawgeti(L, NAMES, i);
    lua_pushvalue(L, -1);
    lua_gettable(L, STATES);
    if (!push_baked(L, top + 2, lua_tostring(L, top + 1))) return 3;
    lua_pop(L, 1);
    lua_rawseti(L, TILES_OUT, i);
    lua_settop(L, top);
  }
  lw_tile_change *places;
  const int count = push_differing(L, at.where, base, &places);
  lua_pushvalue(L, base);
  lua_createtable(L, 0, (int)states);
  for (lua_Integer i = 1; i <= states; ++i) {
    lua_rawgeti(L, NAMES, i);
    lua_createtable(L, count, 1);
    lua_rawgeti(L, TILES_OUT, i);
    lua_setfield(L, -2, "source");
    for (int k = 0; k < count; ++k) {
      push_place(L, &places[k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawset(L, -3);
  }
  lua_pushvalue(L, report);
  return 3;
}

/*
** navmesh:differing_tiles(other) --> list of { x =, z = }
*/
static int differing_tiles(lua_State *L) {
  const lwl_at at = {"differing_tiles", ""};
  const lw_navmesh *base = lwl_check_box(L, 1, LWL_NAVMESH, at.where)->object;
  lua_settop(L, 2);
  if (!is_navmesh(L, 2)) lwl_raise_expected(L, &at, "other", "a navmesh", 2);
  const lw_navmesh *other = navmesh_at(L, 2);
  const int space = lw_navmesh_get_stats(base).tiles + lw_navmesh_get_stats(other).tiles;
  lw_tile_change *tiles = lua_newuserdatauv(L, ((size_t)space + 1) * sizeof *tiles, 0);
  const int count = add_differing(L, at.where, base, other, tiles, space);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_place(L, &tiles[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_permutation_tiles_methods[] = {{"name_tiles", name_tiles}, {NULL, NULL}};

void lwl_open_permutation_tiles(lua_State *L) {
  static const luaL_Reg functions[] = {{"bake_permutations", bake_permutations}, {NULL, NULL}},
                        navmesh_methods[] = {{"differing_tiles", differing_tiles}, {NULL, NULL}};
  lwl_add_methods(L, LWL_NAVMESH, navmesh_methods);
  lwl_set_functions(L, functions, NULL);
}
