/*
** Navmeshes of a world that change as a whole: others in their place, tiles, and rebuilds in the background.
*/
#include "sandbox.h"
#include "tiles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// The index of the navmesh of the world that the value at index is, or is the number of.
static int check_old(lua_State *L, const lwl_at *at, const lw_world *world, int index) {
  const int count = lw_world_navmesh_count(world);
  const bool is_absent = lua_isnoneornil(L, index) || lua_istable(L, index); /* the report of a bake */
  if (is_absent && count == 1) return 0;
  const lwl_box *box = lwl_test_box(L, index, LWL_NAVMESH);
  if (box && box->object) {
    const int found = lw_world_navmesh_index(world, box->object);
    if (found < 0) lwl_raise_at(L, at, "old", "is not in this world, expected one of its navmeshes");
    return found;
  }
  lua_Integer number;
  if (lua_type(L, index) != LUA_TNUMBER || !lwl_to_integer(L, index, 1, count, &number))
    lwl_raise_expected(L, at, "old",
                       lua_pushfstring(L, "a navmesh of this world or its number, 1 to %d", count), index);
  return (int)number - 1;
}

/// Keep the navmesh at index alive for the world; 0: none.
static void hold_next(lua_State *L, lwl_world *self, int navmesh, int index) {
  lwl_release(self->held[navmesh].next);
  self->held[navmesh].next = index ? lwl_retain(lwl_test_box(L, index, LWL_NAVMESH)->shared) : NULL;
}

void lwl_settle_navmeshes(lua_State *L, lwl_world *self, int index) {
  const lw_world *world = self->box.object;
  for (int i = 0; world && i < self->navmesh_count; ++i) {
    lwl_shared *next = self->held[i].next;
    if (!next || lw_world_base_navmesh(world, i) != next->object) continue;
    lwl_release(self->held[i].navmesh);
    self->held[i].navmesh = next;
    self->held[i].next = NULL;
    lua_getiuservalue(L, index, LWL_WORLD_NAVMESHES);
    lua_rawgeti(L, -1, -1 - i);
    lua_rawseti(L, -2, i + 1);
    lua_pushboolean(L, 0); /* not nil: the field is used again without memory */
    lua_rawseti(L, -2, -1 - i);
    lua_pop(L, 1);
  }
}

void lwl_forget_waiting(lua_State *L, lwl_world *self, int index) {
  lwl_cancel_rebuilds(self);
  lua_pushnil(L);
  lua_setiuservalue(L, index, LWL_WORLD_REBUILDS);
  lua_getiuservalue(L, index, LWL_WORLD_NAVMESHES);
  for (int i = 0; i < self->navmesh_count; ++i) {
    if (!self->held[i].next) continue;
    lwl_release(self->held[i].next);
    self->held[i].next = NULL;
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, -1 - i);
  }
  lua_pop(L, 1);
}

/// The navmesh that waits to take a place, or has it.
static lwl_shared *newest(const lwl_world *self, int navmesh) {
  return self->held[navmesh].next ? self->held[navmesh].next : self->held[navmesh].navmesh;
}

/// Put the navmesh at index into the place of one of the world at index 1.
static lw_status put(lua_State *L, int navmesh, int index, lw_error *error) {
  lwl_world *self = lua_touserdata(L, 1);
  lw_world *world = lwl_c_world(self);
  const lw_navmesh *object = lwl_test_box(L, index, LWL_NAVMESH)->object;
  lua_getiuservalue(L, 1, LWL_WORLD_NAVMESHES);
  const int list = lua_gettop(L);
  lua_rawgeti(L, list, -1 - navmesh);
  lua_pushvalue(L, index);
  lua_rawseti(L, list, -1 - navmesh); /* first, so that a Lua memory error changes nothing */
  const lw_status status = lw_world_set_navmesh(world, navmesh, object, error);
  if (status == LW_OK)
    hold_next(L, self, navmesh, lw_world_base_navmesh(world, navmesh) == object ? 0 : index);
  else
    lua_rawseti(L, list, -1 - navmesh);
  lua_settop(L, list - 1);
  return status;
}

/*
** world:set_navmesh(navmesh [, old])
** `old` is the navmesh that it replaces, or its number; it must be given where the world has several.
*/
static int set_navmesh(lua_State *L) {
  lwl_refuse_in_sandbox(L, "set_navmesh");
  const lwl_at at = {"set_navmesh", ""};
  lwl_world *self = lwl_check_world(L, 1, at.where);
  const lwl_box *box = lwl_test_box(L, 2, LWL_NAVMESH);
  if (!box || !box->object) lwl_raise_expected(L, &at, "navmesh", "a navmesh", 2);
  lua_settop(L, 3);
  const int navmesh = check_old(L, &at, lwl_c_world(self), 3);
  lwl_settle_navmeshes(L, self, 1); /* a leaf calls this after the last one took effect */
  lw_error error = {0};
  if (put(L, navmesh, 2, &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  return 0;
}

// --- tiles ---------------------------------------------------------------------------------------------------

void lwl_push_places(lua_State *L, const lwl_at *at, int index, const lw_navmesh *from, lwl_tile_list *list) {
  const lua_Integer count = (lua_Integer)lua_rawlen(L, index);
  if (count > INT_MAX / 2) lwl_raise_at(L, at, "parts", "is a list of %I", (LUAI_UACINT)count);
  list->items = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *list->items, 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_Integer place[2] = {0, 0};
    lua_rawgeti(L, index, i);
    const int item = lua_gettop(L);
    bool good = lua_istable(L, item);
    for (int k = 0; k < 2 && good; ++k) {
      if (lwl_get(L, item, k == 0 ? "x" : "z") == LUA_TNIL) lua_rawgeti(L, item, k + 1);
      good = lwl_to_integer(L, -1, INT_MIN / 2, INT_MAX / 2, &place[k]);
      lua_settop(L, item);
    }
    if (!good) lwl_raise_item(L, at, "parts", i, "a place in the grid of tiles, { x, z }", item);
    list->items[list->count++] = (lw_tile_change){(int)place[0], (int)place[1], from};
    lua_settop(L, item - 1);
  }
}

static bool touches(const lw_box *box, const lw_navmesh_tile *tile) {
  return tile->bounds.min.x < box->max.x && tile->bounds.max.x > box->min.x &&
         tile->bounds.min.z < box->max.z && tile->bounds.max.z > box->min.z;
}

static int compare_places(const void *left, const void *right) {
  const lw_tile_change *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

void lwl_push_tiles_in(lua_State *L, const lw_box *box, const lw_navmesh *base, const lw_navmesh *from,
                       lwl_tile_list *list) {
  const lw_navmesh *const meshes[] = {base, from};
  size_t space = 1;
  for (int i = 0; i < 2; ++i) space += (size_t)lw_navmesh_get_stats(meshes[i]).tiles;
  list->items = lua_newuserdatauv(L, space * sizeof *list->items, 0);
  lw_navmesh_tile tile;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; lw_navmesh_get_tile(meshes[i], k, &tile) == LW_OK; ++k)
      if (touches(box, &tile)) list->items[list->count++] = (lw_tile_change){tile.x, tile.z, from};
  qsort(list->items, (size_t)list->count, sizeof *list->items, compare_places);
  int kept = 0;
  for (int i = 0; i < list->count; ++i)
    if (i == 0 || compare_places(&list->items[i], &list->items[i - 1]) != 0)
      list->items[kept++] = list->items[i];
  list->count = kept;
}

/// Raise unless the table at index is a list of places and nothing else.
static void check_places(lua_State *L, const lwl_at *at, int index) {
  static const char *const keys[] = {"box", NULL};
  lwl_check_keys_and_list(L, at, index, keys, lwl_check_list(L, at, "parts", index));
}

/// Read the source at index and the tiles at index + 1, and push the navmesh. @return false: nil, message, code.
static bool push_replaced(lua_State *L, const lwl_at *at, const lw_navmesh *base, int index) {
  static const char *const keys[] = {"box", NULL};
  const lwl_box *source = lwl_test_box(L, index, LWL_NAVMESH);
  lwl_tile_list list = {NULL, 0};
  lw_box box;
  if (!lua_isnil(L, index) && !(source && source->object))
    lwl_raise_expected(L, at, "navmesh", "a navmesh, or nil to remove tiles", index);
  if (!lua_istable(L, index + 1))
    lwl_raise_expected(L, at, "parts", "a list of tiles, or { box = }", index + 1);
  const lw_navmesh *from = source ? source->object : NULL;
  const bool has_box = lwl_opt_bounds(L, at, index + 1, "box", &box);
  if (has_box) {
    lwl_check_keys(L, at, index + 1, keys);
    lwl_push_tiles_in(L, &box, base, from, &list);
  } else {
    check_places(L, at, index + 1);
    lwl_push_places(L, at, index + 1, from, &list);
  }
  lwl_box *result = lwl_push_empty_navmesh(L);
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  error.status = lw_navmesh_replace_tiles(base, list.items, list.count, NULL, &navmesh, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at->where, &error), false;
  lwl_fill_box(result, navmesh);
  return true;
}

/*
** leeward.replace_tiles(navmesh, source | nil, { { x, z }, ... } | { box = }) --> navmesh | nil, message, code
*/
static int replace_tiles(lua_State *L) {
  const lwl_at at = {"replace_tiles", ""};
  const lwl_box *base = lwl_check_box(L, 1, LWL_NAVMESH, at.where);
  lua_settop(L, 3);
  if (!push_replaced(L, &at, base->object, 2)) return 3;
  lwl_count_navmesh(L, -1);
  return 1;
}

/*
** leeward.merge_changes(before, changed, now) --> navmesh | nil, message, code
*/
static int merge_changes(lua_State *L) {
  static const char *const names[] = {"before", "changed", "now"};
  const lwl_at at = {"merge_changes", ""};
  const lw_navmesh *sides[3];
  for (int i = 0; i < 3; ++i) {
    const lwl_box *box = lwl_test_box(L, i + 1, LWL_NAVMESH);
    if (!box || !box->object) lwl_raise_expected(L, &at, names[i], "a navmesh", i + 1);
    sides[i] = box->object;
  }
  lua_settop(L, 3);
  lwl_box *result = lwl_push_empty_navmesh(L);
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  error.status = lw_navmesh_merge_changes(sides[0], sides[1], sides[2], NULL, &navmesh, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lwl_fill_box(result, navmesh);
  lwl_count_navmesh(L, -1);
  return 1;
}

/*
** world:set_tiles(source | nil, { { x, z }, ... } | { box = } [, old]) --> navmesh | nil, message, code
** What leeward.replace_tiles() makes of the world's navmesh takes its place.
*/
static int set_tiles(lua_State *L) {
  const lwl_at at = {"set_tiles", ""};
  lwl_world *self = lwl_check_world(L, 1, at.where);
  lw_world *world = lwl_c_world(self);
  lua_settop(L, 4);
  const int navmesh = check_old(L, &at, world, 4);
  lwl_settle_navmeshes(L, self, 1);
  if (!push_replaced(L, &at, newest(self, navmesh)->object, 2)) return 3;
  lw_error error = {0};
  if (put(L, navmesh, lua_gettop(L), &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  lwl_count_navmesh(L, -1);
  return 1;
}

/*
** navmesh:tiles() --> list of { x =, z =, bounds =, polygons = }
*/
static int tiles(lua_State *L) {
  const lw_navmesh *navmesh = lwl_check_box(L, 1, LWL_NAVMESH, "tiles")->object;
  lw_navmesh_tile tile;
  lua_createtable(L, lw_navmesh_get_stats(navmesh).tiles, 0);
  for (int i = 0; lw_navmesh_get_tile(navmesh, i, &tile) == LW_OK; ++i) {
    lua_createtable(L, 0, 4);
    lwl_set_integer(L, "x", tile.x);
    lwl_set_integer(L, "z", tile.z);
    lwl_set_integer(L, "polygons", tile.polygon_count);
    lua_createtable(L, 2, 0);
    lwl_push_vec3(L, tile.bounds.min);
    lua_rawseti(L, -2, 1);
    lwl_push_vec3(L, tile.bounds.max);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, "bounds");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// --- rebuilds in the background ------------------------------------------------------------------------------

#define LWL_REBUILD "leeward.rebuildjob"
enum { LWL_REBUILD_WORLD = 1, LWL_REBUILD_GEOMETRY, LWL_REBUILD_VALUES = LWL_REBUILD_GEOMETRY };

/// A rebuild of one of a world's navmeshes.
typedef struct lwl_rebuild {
  lwl_box box;
  lwl_box *geometry;  ///< Busy until the thread has ended. NULL: it has.
  lwl_shared *level;  ///< What the thread borrows. NULL: it has ended.
  lwl_shared *before; ///< The navmesh that is rebuilt. NULL: it is applied, or never will be.
  int navmesh;        ///< Index in the world.
  lwl_world *world;   ///< That has it in its list. NULL: none has.
  struct lwl_rebuild *next;
  lua_Integer at; ///< Step. -1: when apply() is called.
  enum { WAITS, APPLIED, REFUSED, CANCELLED } end;
  char why[sizeof((lw_error *)0)->text]; ///< It was refused.
} lwl_rebuild;

/// The thread has ended: let go of what only it needed.
static void end_thread(lwl_rebuild *rebuild) {
  if (rebuild->geometry) --rebuild->geometry->busy;
  lwl_release(rebuild->level);
  rebuild->geometry = NULL;
  rebuild->level = NULL;
}

/// The thread has ended, and the rebuild will not be applied any more.
static void end_rebuild(lwl_rebuild *rebuild) {
  end_thread(rebuild);
  lwl_release(rebuild->before);
  rebuild->before = NULL;
}

static bool is_rebuilt(lwl_rebuild *rebuild) {
  const bool is_done = lw_rebuild_job_is_done(rebuild->box.object);
  if (is_done) rebuild->world ? end_thread(rebuild) : end_rebuild(rebuild);
  return is_done;
}

/// Take it out of its world's list.
static void unlist(lwl_rebuild *rebuild) {
  if (!rebuild->world) return;
  lwl_rebuild **link = &rebuild->world->unfinished.rebuilds;
  while (*link != rebuild) link = &(*link)->next;
  *link = rebuild->next;
  rebuild->world = NULL;
  rebuild->next = NULL;
}

static void destroy_job(void *object) {
  lw_rebuild_job_destroy(object);
}

static int rebuild_gc(lua_State *L) {
  lwl_rebuild *rebuild = lua_touserdata(L, 1);
  unlist(rebuild);
  if (rebuild->box.shared) lwl_empty_box(&rebuild->box); /* waits for its end */
  end_rebuild(rebuild);
  return 0;
}

void lwl_cancel_rebuilds(lwl_world *world) {
  while (world->unfinished.rebuilds) {
    world->unfinished.rebuilds->end = CANCELLED;
    lw_rebuild_job_cancel(world->unfinished.rebuilds->box.object);
    unlist(world->unfinished.rebuilds);
  }
}

static lwl_rebuild *check_rebuild(lua_State *L, const char *where) {
  return (lwl_rebuild *)lwl_check_box(L, 1, LWL_REBUILD, where);
}

/// Keep the handle at index alive until it is applied.
static void hold_rebuild(lua_State *L, int world, int index) {
  if (lua_getiuservalue(L, world, LWL_WORLD_REBUILDS) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, world, LWL_WORLD_REBUILDS);
  }
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/// Hold the handle at index no more.
static void drop_rebuild(lua_State *L, int world, int index) {
  if (lua_getiuservalue(L, world, LWL_WORLD_REBUILDS) == LUA_TTABLE) {
    lua_pushvalue(L, index);
    lua_pushnil(L);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

/*
** world:rebuild{ geometry =, box =, navmesh =, at =, the bake's settings } --> handle | nil, message, code
*/
static int rebuild(lua_State *L) {
  lwl_refuse_in_sandbox(L, "rebuild");
  const lwl_at at = {"rebuild", ""};
  lwl_world *self = lwl_check_world(L, 1, at.where);
  lw_world *world = lwl_c_world(self);
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lw_rebuild_def def = lw_rebuild_def_default();
  lw_bake_settings settings = lwl_read_rebuild(L, &at, &def.changed);
  if (lwl_get(L, 2, "threads") == LUA_TNIL) settings.threads = 1; /* the game has the others */
  int navmesh = 0, step = -1;
  lua_settop(L, 2);
  if (!lwl_opt_navmesh(L, &at, 2, world, &navmesh) && lw_world_navmesh_count(world) > 1)
    lwl_raise_missing(L, &at, "navmesh", "which of the world's navmeshes to rebuild");
  lwl_opt_int(L, &at, 2, "at", &(lw_range){0, INT_MAX, "steps", false}, &step);
  if (step >= 0 && (lua_Integer)step < (lua_Integer)lw_world_steps(world))
    lwl_raise_at(L, &at, "at", "is %d, expected %I or more, for the world is at that step", step,
                 (LUAI_UACINT)lw_world_steps(world));
  lwl_get(L, 2, "geometry"); /* at 3 */
  lwl_box *geometry = lwl_test_box(L, 3, LWL_GEOMETRY);
  if (!geometry || !geometry->object) lwl_raise_expected(L, &at, "geometry", "a geometry", 3);
  lwl_settle_navmeshes(L, self, 1);
  lwl_shared *before = newest(self, navmesh);
  def.navmesh = before->object;
  def.geometry = geometry->object;
  def.settings = &settings;
  lwl_rebuild *handle =
      (lwl_rebuild *)lwl_new_box(L, LWL_REBUILD, sizeof *handle, LWL_REBUILD_VALUES, destroy_job, NULL);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, 4, LWL_REBUILD_WORLD);
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, 4, LWL_REBUILD_GEOMETRY);
  hold_rebuild(L, 1, 4);
  lw_rebuild_job *job = NULL;
  lw_error error = {0};
  error.status = lw_rebuild_job_start(&def, &job, &error);
  if (error.status != LW_OK) {
    drop_rebuild(L, 1, 4);
    return lwl_fail_or_raise(L, at.where, &error);
  }
  lwl_fill_box(&handle->box, job);
  handle->geometry = geometry;
  ++geometry->busy;
  handle->level = lwl_retain(geometry->shared);
  handle->before = lwl_retain(before);
  handle->navmesh = navmesh;
  handle->at = step;
  handle->world = self;
  handle->next = self->unfinished.rebuilds;
  self->unfinished.rebuilds = handle;
  return 1;
}

/// Put what the rebuild changed onto the navmesh that the world has now, or waits for, if that is another one than it
/// began from. @param[in,out] navmesh  NULL on an error.
static lw_status merge_rebuild(const lwl_rebuild *handle, const lw_navmesh *now, lw_navmesh **navmesh,
                               lw_error *error) {
  lw_navmesh *rebuilt = *navmesh;
  if (now == handle->before->object) return LW_OK;
  const lw_status status = lw_navmesh_merge_changes(handle->before->object, rebuilt, now, NULL, navmesh, error);
  lw_navmesh_destroy(rebuilt);
  return status == LW_INVALID ? LW_STALE : status; /* the world was given a navmesh that it does not fit */
}

/// Take the navmesh of the handle at index, and let the world at index 1 have it. Pushes it.
static lw_status apply_rebuild(lua_State *L, lwl_rebuild *handle, int index, lw_error *error) {
  lwl_world *self = handle->world;
  lw_navmesh *navmesh = NULL;
  lwl_box *box = lwl_push_empty_navmesh(L);
  const int result = lua_gettop(L);
  drop_rebuild(L, 1, index);
  lwl_settle_navmeshes(L, self, 1);
  unlist(handle);
  lw_status status = lw_rebuild_job_take(handle->box.object, &navmesh, NULL, error);
  if (status == LW_OK) status = merge_rebuild(handle, newest(self, handle->navmesh)->object, &navmesh, error);
  end_rebuild(handle);
  if (navmesh) lwl_fill_box(box, navmesh);
  handle->end = status == LW_STALE ? REFUSED : APPLIED;
  if (status == LW_STALE) memcpy(handle->why, error->text, sizeof handle->why);
  if (status == LW_OK) status = put(L, handle->navmesh, result, error);
  error->status = status;
  return status;
}

/// The next rebuild whose step has come: of several the one that was begun first. NULL: there is none.
static lwl_rebuild *find_due(const lwl_world *world) {
  const lua_Integer steps = (lua_Integer)lw_world_steps(lwl_c_world(world));
  lwl_rebuild *due = NULL;
  for (lwl_rebuild *rebuild = world->unfinished.rebuilds; rebuild; rebuild = rebuild->next)
    if (rebuild->at >= 0 && rebuild->at <= steps) due = rebuild;
  return due;
}

/// Push the handle of a rebuild of the world at index.
static bool push_handle(lua_State *L, int index, const lwl_rebuild *rebuild) {
  lua_getiuservalue(L, index, LWL_WORLD_REBUILDS);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_touserdata(L, -2) != rebuild) continue;
    lua_pop(L, 1);
    lua_remove(L, -2);
    return true;
  }
  lua_pop(L, 1);
  return false;
}

void lwl_apply_rebuilds(lua_State *L, lwl_world *world, int index) {
  const int top = lua_gettop(L);
  for (lwl_rebuild *due; (due = find_due(world));) {
    lw_error error = {0};
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (!push_handle(L, index, due)) break;
    if (apply_rebuild(L, due, lua_gettop(L), &error) != LW_OK)
      lw_world_log(lwl_c_world(world), LW_LOG_ERROR, "rebuild: %s", error.text);
    lwl_count_navmesh(L, -1);
    lua_settop(L, top);
    if (!world->box.object) break; /* a finaliser destroyed it */
  }
}

/*
** handle:is_done() --> boolean
*/
static int job_is_done(lua_State *L) {
  lua_pushboolean(L, is_rebuilt(check_rebuild(L, "is_done")));
  return 1;
}

/*
** handle:progress() --> tiles done, tiles in all
*/
static int job_progress(lua_State *L) {
  int done, total;
  lw_rebuild_job_progress(check_rebuild(L, "progress")->box.object, &done, &total);
  lua_pushinteger(L, done);
  lua_pushinteger(L, total);
  return 2;
}

/*
** handle:wait() --> true | nil, message, code
*/
static int job_wait(lua_State *L) {
  lwl_rebuild *handle = check_rebuild(L, "wait");
  lw_error error = {0};
  if (handle->end == REFUSED) return lwl_fail(L, LW_STALE, handle->why);
  error.status = lw_rebuild_job_wait(handle->box.object, &error);
  end_thread(handle);
  if (error.status != LW_OK) return lwl_fail(L, error.status, error.text);
  lua_pushboolean(L, 1);
  return 1;
}

/*
** handle:apply() --> navmesh | nil, message, code
** Waits for its end. The navmesh takes the place of the one that was rebuilt when the next step begins.
*/
static int job_apply(lua_State *L) {
  lwl_rebuild *handle = check_rebuild(L, "apply");
  lua_settop(L, 1);
  lw_error error = {0};
  if (!handle->world) {
    const char *const reasons[] = {"its world is gone", "the rebuild was applied", handle->why,
                                   "the rebuild was cancelled"};
    return lwl_fail(L, LW_STALE, reasons[handle->end]);
  }
  lua_getiuservalue(L, 1, LWL_REBUILD_WORLD);
  lua_insert(L, 1);
  if (apply_rebuild(L, handle, 2, &error) != LW_OK) return lwl_fail(L, error.status, error.text);
  lwl_count_navmesh(L, -1);
  return 1;
}

/*
** handle:cancel()
** It is not applied, and ends soon. Does not wait.
*/
static int job_cancel(lua_State *L) {
  lwl_rebuild *handle = check_rebuild(L, "cancel");
  lw_rebuild_job_cancel(handle->box.object);
  if (!handle->world) return 0;
  handle->end = CANCELLED;
  unlist(handle);
  lua_getiuservalue(L, 1, LWL_REBUILD_WORLD);
  drop_rebuild(L, lua_gettop(L), 1);
  return 0;
}

const luaL_Reg lwl_tiles_methods[] = {
    {"set_navmesh", set_navmesh}, {"set_tiles", set_tiles}, {"rebuild", rebuild}, {NULL, NULL}};

void lwl_open_tiles(lua_State *L) {
  static const luaL_Reg methods[] = {{"is_done", job_is_done}, {"progress", job_progress}, {"wait", job_wait},
                                     {"apply", job_apply},     {"cancel", job_cancel},     {NULL, NULL}},
                        meta[] = {{"__gc", rebuild_gc}, {NULL, NULL}},
                        functions[] = {{"replace_tiles", replace_tiles},
                                       {"merge_changes", merge_changes},
                                       {NULL, NULL}},
                        navmesh_methods[] = {{"tiles", tiles}, {NULL, NULL}};
  lwl_new_type(L, LWL_REBUILD, methods, meta, NULL);
  lwl_add_methods(L, LWL_NAVMESH, navmesh_methods);
  lwl_set_functions(L, functions, NULL);
}
