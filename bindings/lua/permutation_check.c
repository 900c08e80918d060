/*
** Permutations as tables: states, and what they cut out, mark or put down.
*/
#include "permutation.h"
#include "profile_layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Keys that are not states.
static const char *const own_keys[] = {"default", "level", "patch", NULL};

static bool is_own(const char *key) {
  for (const char *const *own = own_keys; *own; ++own)
    if (strcmp(key, *own) == 0) return true;
  return false;
}

/// The lists of a state.
static const char *const lists[] = {"cut", "mark", "obstacles"};
enum { CUT, MARK, OBSTACLES, LISTS };

/// A state that is being read.
typedef struct reading {
  lw_obstacle_def *volumes;                  ///< [capacity]
  lw_vec3 (*points)[LW_OBSTACLE_POINTS_MAX]; ///< [capacity] Of their polygons.
  int count, capacity;
} reading;

// --- polygons ------------------------------------------------------------------------------------------------

/// Twice the area seen from above, positive or negative by the winding.
static double area_of(const lw_vec3 *corners, int count) {
  double area = 0;
  for (int i = 0; i < count; ++i) {
    const lw_vec3 a = corners[i], b = corners[(i + 1) % count];
    area += ((double)a.x - (double)corners[0].x) * ((double)b.z - (double)corners[0].z) -
            ((double)b.x - (double)corners[0].x) * ((double)a.z - (double)corners[0].z);
  }
  return area;
}

/// Whether the point is outside of the edge from `a` to `b` by more than 1 mm.
static bool is_outside(lw_vec3 a, lw_vec3 b, lw_vec3 point, bool turns) {
  const double x = (double)b.x - (double)a.x, z = (double)b.z - (double)a.z;
  const double aside = x * ((double)point.z - (double)a.z) - z * ((double)point.x - (double)a.x);
  return (turns ? aside : -aside) < -1e-3 * hypot(x, z);
}

/// Whether the outline has an area and all its corners are inside of each edge.
static bool is_convex(const lw_vec3 *corners, int count) {
  const double area = area_of(corners, count);
  if (fabs(area) < 1e-6) return false;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k)
      if (is_outside(corners[i], corners[(i + 1) % count], corners[k], area > 0)) return false;
  return true;
}

static void check_convex(lua_State *L, const lwl_at *at, const char *key, const lw_vec3 *corners, int count) {
  if (is_convex(corners, count)) return;
  lwl_raise_at(L, at, key, "is not convex or has no area, expected convex parts, each a volume of its own");
}

/// @param[out] corners  [LW_OBSTACLE_POINTS_MAX] @return How many.
static int read_corners(lua_State *L, const lwl_at *at, int table, lw_vec3 *corners) {
  const lua_Integer count = lwl_need_list(L, at, table, "polygon", 3);
  if (count > LW_OBSTACLE_POINTS_MAX)
    lwl_raise_at(L, at, "polygon", "is a list of %I, expected at most %d corners", (LUAI_UACINT)count,
                 LW_OBSTACLE_POINTS_MAX);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    if (!lwl_to_point(L, -1, &corners[i - 1])) lwl_raise_item(L, at, "polygon", i, "a point", -1);
    lua_pop(L, 1);
  }
  check_convex(L, at, "polygon", corners, (int)count);
  return (int)count;
}

/// Read `bottom` and `top`. Without them a polygon reaches half of LW_OBSTACLE_SIZE_MAX below and above its
/// first corner.
static void read_heights(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def) {
  const float size = LW_OBSTACLE_SIZE_MAX;
  float bottom = def->at.y - size / 2, top = def->at.y + size / 2;
  const bool has_bottom = lwl_opt_float(L, at, table, "bottom", &lwl_metres, &bottom),
             has_top = lwl_opt_float(L, at, table, "top", &lwl_metres, &top);
  if (has_bottom && !has_top) top = bottom + size;
  if (has_top && !has_bottom) bottom = top - size;
  def->at.y = bottom;
  def->height = top - bottom;
  if (def->height > 0 && def->height <= size) return;
  lwl_raise_at(L, at, "top", "is %f m above bottom, expected metres > 0 and <= %d", (lua_Number)def->height,
               (int)size);
}

static void read_polygon(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def, lw_vec3 *points) {
  def->shape = LW_OBSTACLE_POLYGON;
  def->point_count = read_corners(L, at, table, points);
  def->points = points;
  def->at = points[0];
  for (int i = def->point_count - 1; i >= 0; --i) {
    points[i] = (lw_vec3){points[i].x - points[0].x, 0, points[i].z - points[0].z};
    if (fabsf(points[i].x) > LW_OBSTACLE_SIZE_MAX || fabsf(points[i].z) > LW_OBSTACLE_SIZE_MAX)
      lwl_raise_at(L, at, "polygon", "is too wide, expected corners within %d metres of each other",
                   (int)LW_OBSTACLE_SIZE_MAX);
  }
  read_heights(L, at, table, def);
}

// --- volumes -------------------------------------------------------------------------------------------------

static void read_box(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def) {
  lw_mark_def mark = lw_mark_def_default(LW_MARK_BOX);
  lwl_read_mark_box(L, at, table, &mark);
  def->at = mark.at;
  def->size = mark.size;
  def->yaw = mark.yaw;
  if (fmaxf(fmaxf(def->size.x, def->size.y), def->size.z) <= LW_OBSTACLE_SIZE_MAX) return;
  lwl_push_vec3(L, def->size);
  lwl_raise_at(L, at, "box", "is %s m large, expected at most %d on every axis", luaL_tolstring(L, -1, NULL),
               (int)LW_OBSTACLE_SIZE_MAX);
}

/// Read a volume as geometry:mark_area() takes it, but for its area.
static void read_volume(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def, lw_vec3 *points) {
  const bool has_box = lwl_get(L, table, "box") != LUA_TNIL,
             has_polygon = lwl_get(L, table, "polygon") != LUA_TNIL;
  if (has_box == has_polygon)
    lwl_raise(L, at->where, "%sbox and %spolygon are %s, expected one of them", at->prefix, at->prefix,
              has_box ? "given" : "nil");
  if (has_polygon) {
    read_polygon(L, at, table, def, points);
    return;
  }
  static const char *const heights[] = {"bottom", "top"};
  for (int i = 0; i < 2; ++i)
    if (lwl_get(L, table, heights[i]) != LUA_TNIL)
      lwl_raise_at(L, at, heights[i], "is %s, expected nil for a box: it belongs to a polygon",
                   lwl_describe(L, -1));
  read_box(L, at, table, def);
}

/// Read what an obstacle is, as world:add_obstacle() takes it, but for how it moves.
static void read_resting(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def, lw_vec3 *points) {
  static const char *const keys[] = {"shape",  "at",     "yaw",  "size", "radius", "height",
                                     "points", "blocks", "area", "cost", "cover",  NULL};
  lwl_check_keys(L, at, table, keys);
  lwl_read_obstacle(L, at, table, def, points);
  if (def->shape == LW_OBSTACLE_POLYGON) {
    lwl_opt_place(L, at, table, "at", &def->at);
    check_convex(L, at, "points", points, def->point_count);
  } else {
    lwl_need_place(L, at, table, "at", &def->at);
  }
}

/// Read an element of a list. @param index  Of its table.
static void read_element(lua_State *L, const lwl_at *at, int list, int index, reading *into) {
  static const char *const cut_keys[] = {"box", "polygon", "bottom", "top", "cover", NULL},
                           *const mark_keys[] = {"box",  "polygon", "bottom", "top",
                                                 "area", "cost",    "cover",  NULL};
  if (into->count == into->capacity) lwl_raise(L, at->where, "the definition changed while it was read");
  lw_obstacle_def *def = &into->volumes[into->count];
  lw_vec3 *points = into->points[into->count];
  *def = lw_obstacle_def_default();
  if (list == OBSTACLES) {
    read_resting(L, at, index, def, points);
  } else {
    lwl_check_keys(L, at, index, list == CUT ? cut_keys : mark_keys);
    read_volume(L, at, index, def, points);
    // Without a top it is no heap to hide behind, but all ground of an outline.
    if (def->shape == LW_OBSTACLE_POLYGON && lwl_get(L, index, "top") == LUA_TNIL) def->cover = LW_COVER_NONE;
    lwl_opt_obstacle_cover(L, at, index, &def->cover);
    if (list == MARK) {
      def->blocks = false;
      lwl_read_mark(L, at, index, def);
      if (def->area == LW_AREA_NONE && !(def->cost > 0))
        lwl_raise_missing(L, at, "area", "the name of an area, or a cost above 0");
    }
  }
  ++into->count;
}

// --- states --------------------------------------------------------------------------------------------------

/// Raise for keys that a state does not have. Pushes its lists, or nil. @return Their elements.
static lua_Integer push_lists(lua_State *L, const lwl_at *at, int state) {
  static const char *const keys[] = {"cut", "mark", "obstacles", "links", "tiles", NULL};
  lua_Integer count = 0;
  lwl_check_keys(L, at, state, keys);
  for (int i = 0; i < LISTS; ++i) {
    if (lwl_get(L, state, lists[i]) == LUA_TNIL) continue;
    count += lwl_check_list(L, at, lists[i], lua_gettop(L));
    if (count > LW_PERMUTATION_VOLUMES_MAX)
      lwl_raise_at(L, at, lists[i], "is a list of %I, expected at most %d volumes in a state",
                   (LUAI_UACINT)lua_rawlen(L, -1), LW_PERMUTATION_VOLUMES_MAX);
  }
  return count;
}

/// Read the list at stack index `index`.
static void read_list(lua_State *L, const lwl_at *at, int list, int index, reading *into) {
  const int top = lua_gettop(L);
  const lua_Integer count = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    if (!lua_istable(L, -1)) lwl_raise_item(L, at, lists[list], i, "a table", -1);
    const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s[%I].", at->prefix, lists[list], (LUAI_UACINT)i)};
    read_element(L, &inside, list, top + 1, into);
    lua_settop(L, top);
  }
}

/// Read the table at `links` of the state at index. Pushes what it is read to, and the list of its names.
static void push_links(lua_State *L, const lwl_at *at, int state, lw_permutation_state_def *def) {
  lw_permutation_link *links = NULL;
  const lwl_at inside = {at->where, lua_pushfstring(L, "%slinks.", at->prefix)};
  const int top = lua_gettop(L), names = top + 1, table = top + 2;
  int count = 0;
  lua_newtable(L);
  if (lwl_get(L, state, "links") != LUA_TNIL) {
    if (!lua_istable(L, table))
      lwl_raise_expected(L, at, "links", "a table from names of links to true or false", table);
    lua_pushnil(L);
    while (lua_next(L, table)) {
      const char *name = lwl_to_text(L, -2);
      if (!name) lwl_raise_at(L, at, "links", "has the key %s, expected names of links", lwl_describe(L, -2));
      const int value = lua_gettop(L);
      if (!lua_isboolean(L, value)) lwl_raise_expected(L, &inside, lwl_shown(L, name), "true or false", value);
      if (++count > LW_PERMUTATION_LINKS_MAX)
        lwl_raise_at(L, at, "links", "has more than %d links, expected at most that many",
                     LW_PERMUTATION_LINKS_MAX);
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, names);
    }
    lwl_push_sorted_keys(L, names);
    lua_replace(L, table);
    links = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *links, 0);
    for (int i = 0; i < count; ++i) {
      lua_rawgeti(L, table, i + 1);
      const char *name = lua_tostring(L, -1); /* the list keeps it alive */
      lua_pushvalue(L, -1);
      lua_rawget(L, names);
      links[i] = (lw_permutation_link){name, lua_toboolean(L, -1)};
      lua_pop(L, 2);
    }
  } else {
    lua_pushnil(L);
  }
  def->links = links;
  def->link_count = count;
  lua_replace(L, top);
  lua_settop(L, table);
  lua_replace(L, names);
  lua_settop(L, names);
}

/// What push_state() pushes.
enum { STATE_VALUES = 5 };

/// Read the state at index. Pushes its volumes, their points, its links, their names, and its tiles.
static void push_state(lua_State *L, const lwl_at *at, int state, int world, lw_permutation_state_def *def) {
  const int bottom = lua_gettop(L) + 1;
  reading into = {.capacity = (int)push_lists(L, at, state)};
  // One more than are read: the size of a userdata is not 0.
  into.volumes = lua_newuserdatauv(L, ((size_t)into.capacity + 1) * sizeof *into.volumes, 0);
  into.points = lua_newuserdatauv(L, ((size_t)into.capacity + 1) * sizeof *into.points, 0);
  for (int i = 0; i < LISTS; ++i) read_list(L, at, i, bottom + i, &into);
  def->volumes = into.volumes;
  def->volume_count = into.count;
  push_links(L, at, state, def);
  lwl_push_state_tiles(L, at, state, world, def);
  lua_rotate(L, bottom, STATE_VALUES);
  lua_settop(L, bottom + STATE_VALUES - 1);
}

/// Raise that the value at index is no state.
static _Noreturn void raise_no_state(lua_State *L, const lwl_at *at, const char *key, int value) {
  const char *expected = "a table, as it is a state";
  lwl_guess guess = {NULL, 0};
  for (const char *const *own = own_keys; *own; ++own) lwl_guess_consider(&guess, key, *own);
  const char *got = lwl_describe(L, value);
  lwl_raise_at(L, at, lwl_shown(L, key), "is %s, expected %s%s", got, expected, lwl_push_guess(L, &guess));
}

/// Push the list of the names of the states, sorted. @return How many.
static int push_names(lua_State *L, const lwl_at *at, int table) {
  lua_newtable(L);
  const int names = lua_gettop(L);
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    const char *key = lwl_to_text(L, -2);
    if (!key || !*key || strlen(key) > LW_PERMUTATION_NAME_MAX)
      lwl_raise(L, at->where, "has the key %s, expected names of states, of 1 to %d bytes", lwl_describe(L, -2),
                LW_PERMUTATION_NAME_MAX);
    if (!is_own(key)) {
      if (!lua_istable(L, -1)) raise_no_state(L, at, key, lua_gettop(L));
      if (++count > LW_PERMUTATION_STATES_MAX)
        lwl_raise(L, at->where, "there are more than %d states, expected at most that many",
                  LW_PERMUTATION_STATES_MAX);
      lua_pushvalue(L, -2);
      lua_pushboolean(L, 1);
      lua_rawset(L, names);
    }
    lua_pop(L, 1);
  }
  lwl_push_sorted_keys(L, names);
  lua_replace(L, names);
  return count;
}

void lwl_push_states(lua_State *L, const lwl_at *at, int table, int world, lw_permutation_def *def) {
  table = lua_absindex(L, table);
  const int bottom = lua_gettop(L) + 1, count = push_names(L, at, table);
  luaL_checkstack(L, STATE_VALUES * LW_PERMUTATION_STATES_MAX + LUA_MINSTACK, NULL);
  lw_permutation_state_def *states = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *states, 0);
  for (int i = 0; i < count; ++i) {
    const int top = lua_gettop(L), name = top + 1, state = top + 2;
    lua_rawgeti(L, bottom, i + 1);
    states[i].name = lua_tostring(L, name); /* the list keeps it alive */
    if (lwl_get(L, table, states[i].name) != LUA_TTABLE)
      lwl_raise(L, at->where, "the definition changed while it was read");
    const lwl_at inside = {at->where, lua_pushfstring(L, "%s.", lwl_shown(L, states[i].name))};
    push_state(L, &inside, state, world, &states[i]);
    // What it is read to stays.
    lua_rotate(L, name, STATE_VALUES);
    lua_settop(L, top + STATE_VALUES);
  }
  def->states = states;
  def->state_count = count;
}

int lwl_find_default(lua_State *L, const lwl_at *at, int table, const lw_permutation_def *def) {
  const char *names[LW_PERMUTATION_STATES_MAX + 1] = {NULL};
  if (def->state_count == 0) lwl_raise(L, at->where, "there is no state, expected at least one");
  for (int i = 0; i < def->state_count; ++i) names[i] = def->states[i].name;
  if (lwl_get(L, table, "default") == LUA_TNIL && def->state_count == 1) return lua_pop(L, 1), 0;
  const int found = lwl_check_choice(L, at, "default", -1, names);
  lua_pop(L, 1);
  return found;
}
