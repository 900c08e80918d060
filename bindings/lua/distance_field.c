/*
** Distance fields: the cost to the nearest goal from everywhere, and where to go next.
*/
#include "goals.h"
#include "sandbox.h"

enum {
  FIELD_WORLD = 1, ///< The world's box.
  FIELD_PROFILE,   ///< Profile box or nil.
  FIELD_VALUES = FIELD_PROFILE
};

/// A field and what its messages name.
typedef struct lwl_field {
  lwl_box box;
  const lw_profile *profile;
  lw_vec3 snap;
} lwl_field;

static void destroy(void *object) {
  lw_distance_field_destroy(object);
}

/// A field with its world, which is not destroyed.
typedef struct field_self {
  lwl_field *own;
  lw_distance_field *field;
  const lw_world *world;
} field_self;

static field_self check_field(lua_State *L, const char *where) {
  field_self self = {.own = (lwl_field *)lwl_check_box(L, 1, LWL_FIELD, where)};
  self.field = self.own->box.object;
  lua_getiuservalue(L, 1, FIELD_WORLD);
  self.world = lwl_c_world(lwl_check_world(L, lua_gettop(L), where));
  return self;
}

static int fail(lua_State *L, const char *where, const field_self *self, lw_status status, lw_vec3 at) {
  const lwl_place place = {"at", at, self->own->snap, self->own->profile};
  if (status == LW_INVALID || status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", lw_status_text(status));
  return status == LW_NO_START ? lwl_fail_near(L, status, &place) : lwl_fail_for(L, status, self->own->profile);
}

/// Ask for the route from the point at index 2. @return How many values an answer "no" has; 0: there is a route.
static int ask(lua_State *L, const char *where, lw_field_route *route) {
  const lw_vec3 at = lwl_check_point(L, where, "at", 2);
  const field_self self = check_field(L, where);
  const lw_status status = lw_distance_field_get(self.field, self.world, NULL, at, route);
  return status == LW_OK ? 0 : fail(L, where, &self, status, at);
}

/*
** field:cost(at) --> number | nil, message, code
*/
static int cost(lua_State *L) {
  lw_field_route route;
  const int no = ask(L, "cost", &route);
  if (no) return no;
  lua_pushnumber(L, (lua_Number)route.cost);
  return 1;
}

/*
** field:next(at) --> vec3, cost | nil, message, code
*/
static int next(lua_State *L) {
  lw_field_route route;
  const int no = ask(L, "next", &route);
  if (no) return no;
  lwl_push_vec3(L, route.next);
  lua_pushnumber(L, (lua_Number)route.cost);
  return 2;
}

/*
** field:goal(at) --> which of the goals the route leads to, from 1 on | nil, message, code
*/
static int goal(lua_State *L) {
  lw_field_route route;
  const int no = ask(L, "goal", &route);
  if (no) return no;
  lua_pushinteger(L, route.goal + 1);
  return 1;
}

/*
** field:path(at) --> list of vec3 | nil, message, code
*/
static int path(lua_State *L) {
  const lw_vec3 at = lwl_check_point(L, "path", "at", 2);
  const field_self self = check_field(L, "path");
  lw_field_path path = {0};
  lw_status status = lw_distance_field_path(self.field, self.world, NULL, at, &path);
  if (status != LW_OK) return fail(L, "path", &self, status, at);
  path.points = lua_newuserdatauv(L, (size_t)path.count * sizeof *path.points, 0);
  path.capacity = path.count;
  status = lw_distance_field_path(self.field, self.world, NULL, at, &path);
  if (status != LW_OK) return fail(L, "path", &self, status, at);
  lua_createtable(L, path.count, 0);
  for (int i = 0; i < path.count; ++i) {
    lwl_push_vec3(L, path.points[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int is_stale(lua_State *L) {
  const field_self self = check_field(L, "is_stale");
  lua_pushboolean(L, lw_distance_field_is_stale(self.field, self.world));
  return 1;
}

/*
** field:refresh() --> true | nil, message, code
*/
static int refresh(lua_State *L) {
  const field_self self = check_field(L, "refresh");
  const lw_status status = lw_distance_field_refresh(self.field, self.world, NULL);
  if (status == LW_INVALID || status == LW_OUT_OF_MEMORY) lwl_raise(L, "refresh", "%s", lw_status_text(status));
  if (status != LW_OK) return lwl_fail(L, status, "no goal has a place any more");
  lua_pushboolean(L, true);
  return 1;
}

static int memory(lua_State *L) {
  const field_self self = check_field(L, "memory");
  lua_pushinteger(L, (lua_Integer)lw_distance_field_memory(self.field));
  return 1;
}

static const luaL_Reg methods[] = {
    {"cost", cost},         {"next", next},       {"goal", goal},     {"path", path},
    {"is_stale", is_stale}, {"refresh", refresh}, {"memory", memory}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};

/// Push an empty field of the world at index 1.
static lwl_field *push_field(lua_State *L, int profile) {
  lwl_field *field = (lwl_field *)lwl_new_box(L, LWL_FIELD, sizeof *field, FIELD_VALUES, destroy,
                                              lwl_get_state(L)->shared_areas);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, FIELD_WORLD);
  lua_pushvalue(L, profile);
  lua_setiuservalue(L, -2, FIELD_PROFILE);
  return field;
}

/*
** world:distance_field(query) --> field | nil, message, code
*/
static int distance_field(lua_State *L) {
  static const char *const keys[] = {"to",   "profile", "snap",     "navmesh",    "max_cost",
                                     "cost", "avoid",   "can_take", "visibility", NULL};
  const lwl_at at = {"distance_field", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_distance_field_def def = lw_distance_field_def_default();
  lwl_goals goals;
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  if (!lwl_need_goals(L, &at, 2, &goals)) return lwl_fail_no_goals(L);
  def.goals = goals.count ? goals.list : &goals.first;
  def.goal_count = goals.count ? goals.count : 1;
  lwl_opt_snap(L, &at, 2, &def.snap);
  lwl_opt_navmesh(L, &at, 2, world, &def.navmesh);
  lwl_opt_float(L, &at, 2, "max_cost", &lwl_not_negative, &def.max_cost);
  lwl_opt_float(L, &at, 2, "visibility", &lwl_fraction, &def.visibility);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  const int profile_index = lua_gettop(L);
  if (profile) def.profile = profile->object;
  lwl_field *self = push_field(L, profile_index);
  self->profile = def.profile;
  self->snap = def.snap;
  lw_distance_field *field = NULL;
  world = lwl_c_world(lwl_check_world(L, 1, at.where)); /* a finaliser may have destroyed it */
  const lw_status status = lw_distance_field_create(world, NULL, &def, &field);
  if (field) {
    lwl_fill_box(&self->box, field);
    lwl_count_box(L, &self->box, lw_distance_field_memory(field));
  }
  if (status == LW_OK) return 1;
  if (status == LW_NO_GOAL) return lwl_fail_near_goals(L, &goals, def.snap, def.profile);
  lwl_raise(L, at.where, "%s", lw_status_text(status));
}

const luaL_Reg lwl_distance_field_methods[] = {{"distance_field", distance_field}, {NULL, NULL}};

void lwl_open_distance_field(lua_State *L) {
  lwl_new_type(L, LWL_FIELD, methods, meta, NULL);
}
