/*
** Drives: paths that a vehicle can drive, by themselves and of agents.
*/
#include "agent.h"
#include "drive.h"
#include "sandbox.h"

#include <math.h>

/// Headings beyond this have lost the precision of their angle. [rad]
static const lw_range heading_range = {-1000, 1000, "rad", false};
static const lw_range nodes_range = {1, 1e9, NULL, false};

static void destroy(void *object) {
  lw_drive_destroy(object);
}

static const lw_drive *check_drive(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_DRIVE, where)->object;
}

static void push_point(lua_State *L, const lw_drive_point *point) {
  lua_createtable(L, 0, 6);
  lwl_set_vec3(L, "at", point->at);
  lwl_set_number(L, "heading", (double)point->heading);
  lwl_set_number(L, "curvature", (double)point->curvature);
  lwl_set_number(L, "along", (double)point->along);
  lwl_set_integer(L, "gear", point->gear);
  lwl_set_number(L, "trailer_heading", (double)point->trailer_heading);
}

/*
** drive:points() --> list of { at =, heading =, curvature =, along =, gear =,
**   trailer_heading = }
*/
static int points(lua_State *L) {
  int count = 0;
  const lw_drive_point *list = lw_drive_points(check_drive(L, "points"), &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_point(L, &list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int length(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_drive_length(check_drive(L, "length")));
  return 1;
}

static int reversed(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_drive_reversed(check_drive(L, "reversed")));
  return 1;
}

static int cusps(lua_State *L) {
  lua_pushinteger(L, lw_drive_cusps(check_drive(L, "cusps")));
  return 1;
}

static int cost(lua_State *L) {
  lua_pushnumber(L, (lua_Number)lw_drive_cost(check_drive(L, "cost")));
  return 1;
}

static int nodes(lua_State *L) {
  lua_pushinteger(L, lw_drive_nodes(check_drive(L, "nodes")));
  return 1;
}

static int drive_len(lua_State *L) {
  int count = 0;
  lw_drive_points(check_drive(L, "#"), &count);
  lua_pushinteger(L, count);
  return 1;
}

static const luaL_Reg methods[] = {{"points", points}, {"length", length}, {"reversed", reversed},
                                   {"cusps", cusps},   {"cost", cost},     {"nodes", nodes},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {"__len", drive_len}, {NULL, NULL}};

void lwl_opt_heading(lua_State *L, const lwl_at *at, int table, const char *key, float *heading) {
  lwl_opt_float(L, at, table, key, &heading_range, heading);
}

static int fail(lua_State *L, const lw_drive_query *query, lw_status status) {
  const bool at_goal = status == LW_NO_GOAL;
  const lwl_place place = {at_goal ? "to" : "from", at_goal ? query->to : query->from, query->snap,
                           query->profile};
  if (at_goal && !isnan(query->heading)) {
    lua_pushfstring(
        L, "to is (%f, %f, %f), expected a navmesh within (%f, %f, %f) m where '%s' has space with heading %f",
        (lua_Number)query->to.x, (lua_Number)query->to.y, (lua_Number)query->to.z, (lua_Number)query->snap.x,
        (lua_Number)query->snap.y, (lua_Number)query->snap.z, lw_profile_get_def(query->profile)->name,
        (lua_Number)query->heading);
    return lwl_fail(L, status, lua_tostring(L, -1));
  }
  if (at_goal || status == LW_NO_START) return lwl_fail_near(L, status, &place);
  return lwl_fail_for(L, status, query->profile);
}

/*
** world:find_drive{ from =, from_heading =, to =, heading =, profile =, ... } --> drive | nil, message, code
*/
static int find_drive(lua_State *L) {
  static const char *const keys[] = {
      "from", "from_heading", "trailer_angle", "to",   "heading", "profile", "within",
      "snap", "navmesh",      "max_nodes",     "cost", "avoid",   NULL};
  const lwl_at at = {"find_drive", ""};
  lwl_world *world = lwl_check_world(L, 1, at.where);
  lw_drive_query query = lw_drive_query_default();
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lwl_need_point(L, &at, 2, "from", &query.from);
  lwl_need_point(L, &at, 2, "to", &query.to);
  lwl_opt_heading(L, &at, 2, "from_heading", &query.from_heading);
  lwl_opt_heading(L, &at, 2, "trailer_angle", &query.trailer_angle);
  lwl_opt_heading(L, &at, 2, "heading", &query.heading);
  lwl_opt_float(L, &at, 2, "within", &lwl_metres_not_negative, &query.within);
  lwl_opt_snap(L, &at, 2, &query.snap);
  lwl_opt_int(L, &at, 2, "max_nodes", &nodes_range, &query.max_nodes);
  lwl_opt_navmesh(L, &at, 2, lwl_c_world(world), &query.navmesh);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (profile) query.profile = profile->object;
  if (!profile) lwl_raise(L, at.where, "profile is missing, expected one of a vehicle, with a wheelbase");
  if (lw_profile_get_def(query.profile)->body.vehicle.wheelbase <= 0)
    lwl_raise(L, at.where, "profile '%s' has no wheelbase, expected a vehicle's",
              lw_profile_get_def(query.profile)->name);
  lwl_box *self = lwl_new_box(L, LWL_DRIVE, sizeof *self, 0, destroy, lwl_get_state(L)->shared_areas);
  lw_drive *drive = NULL;
  const lw_status status = lw_drive_find(lwl_c_world(lwl_check_world(L, 1, at.where)), NULL, &query, &drive);
  if (drive) {
    int count = 0;
    const lw_drive_point *points = lw_drive_points(drive, &count);
    lwl_fill_box(self, drive);
    lwl_count_box(L, self, 2 * (size_t)count * sizeof *points);
  }
  if (status == LW_OK) return 1;
  if (status == LW_INVALID || status == LW_OUT_OF_MEMORY) lwl_raise(L, at.where, "%s", lw_status_text(status));
  return fail(L, &query, status);
}

/*
** agent:drive() --> list as of drive:points() of the drive that the agent follows | nil
*/
static int agent_drive(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "drive");
  const lw_drive *drive = lw_agent_drive(me.world, me.id);
  if (!drive) return lua_pushnil(L), 1;
  int count = 0;
  lw_drive_points(drive, &count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    // Fetched for each point: a finaliser that Lua runs here may give the agent another drive.
    drive = lw_agent_drive(me.world, me.id);
    int now = 0;
    const lw_drive_point *list = lw_drive_points(drive, &now);
    if (i >= now) break;
    push_point(L, &list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_drive_methods[] = {{"find_drive", find_drive}, {NULL, NULL}};
const luaL_Reg lwl_drive_agent_methods[] = {{"drive", agent_drive}, {NULL, NULL}};

void lwl_open_drive(lua_State *L) {
  lwl_new_type(L, LWL_DRIVE, methods, meta, NULL);
}
