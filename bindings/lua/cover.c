/*
** What is seen: exposure, lines of sight, visibility, and the segments to take cover at.
*/
#include "agent.h"
#include "id.h"

#include <math.h>
#include <string.h>

#define FEW_INTERVALS 64

static const lw_range height_range = {-100, 100, "m", false};

bool lwl_opt_cover(lua_State *L, const lwl_at *at, int table, const char *key, lw_cover_kind *cover) {
  int kind;
  const bool given = lwl_opt_enum(L, at, table, key, LWL_COVER_KIND, &kind);
  if (given) *cover = (lw_cover_kind)(kind + 1);
  return given;
}

const char *lwl_opt_stance(lua_State *L, const lwl_at *at, int table, const lw_profile *profile) {
  lwl_get(L, table, "stance");
  const char *name = lwl_to_stance(L, at, lua_gettop(L), profile);
  lua_pop(L, 1);
  return name;
}

const char *lwl_to_stance(lua_State *L, const lwl_at *at, int index, const lw_profile *profile) {
  if (lua_isnil(L, index)) return NULL;
  const char *names[LW_STANCES_MAX + 1] = {NULL};
  const int count = profile ? lw_profile_get_def(profile)->stance_count : LW_CROUCH + 1;
  for (int i = 0; i < count; ++i) names[i] = lw_profile_get_stance(profile, i)->name;
  lwl_check_choice(L, at, "stance", index, names);
  return lua_tostring(L, index);
}

void lwl_read_stance(lua_State *L, const lwl_at *at, int table, const lw_profile *profile,
                     float heights[LW_BODY_HEIGHTS_MAX], int *count) {
  const char *name = lwl_opt_stance(L, at, table, profile);
  const lw_stance *stance =
      lw_profile_get_stance(profile, name ? lw_profile_find_stance(profile, name) : LW_STAND);
  *count = 2;
  heights[0] = stance->body[0];
  heights[1] = stance->body[1];
  if (lwl_get(L, table, "heights") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 1);
  if (name) lwl_raise(L, at->where, "stance and heights are given, expected one of them");
  const lua_Integer length = lwl_need_list(L, at, table, "heights", 1);
  if (length > LW_BODY_HEIGHTS_MAX)
    lwl_raise_at(L, at, "heights", "is a list of %I, expected at most %d", (LUAI_UACINT)length,
                 LW_BODY_HEIGHTS_MAX);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, -1, i);
    const char *key = lua_pushfstring(L, "heights[%I]", (LUAI_UACINT)i);
    heights[i - 1] = (float)lwl_check_number(L, at, key, -2, &height_range);
    lua_pop(L, 2);
  }
  *count = (int)length;
  lua_pop(L, 1);
}

lw_accuracy lwl_opt_accuracy(lua_State *L, const lwl_at *at, int table) {
  int accuracy = LW_ACCURACY_AUTO;
  lwl_opt_enum(L, at, table, "accuracy", LWL_ACCURACY, &accuracy);
  return (lw_accuracy)accuracy;
}

int lwl_fail_no_cover_map(lua_State *L) {
  return lwl_fail(L, LW_NOT_FOUND, "accuracy is 'map', and no navmesh of this world has a cover map");
}

static void push_intervals(lua_State *L, const lw_interval *intervals, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, (lua_Number)intervals[i].t0);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, (lua_Number)intervals[i].t1);
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, i + 1);
  }
}

static lw_status ask(lw_world *world, lw_exposure_query *query, lua_State *L, lw_exposure *exposure) {
  const lw_status status = lw_exposure_find(world, NULL, query, exposure);
  if (status != LW_OK || exposure->hidden_count <= query->hidden_capacity) return status;
  query->hidden_capacity = exposure->hidden_count;
  query->hidden = lua_newuserdatauv(L, (size_t)exposure->hidden_count * sizeof *query->hidden, 0);
  return lw_exposure_find(world, NULL, query, exposure);
}

/*
** world:exposure{ from =, to =, threats = { { at =, facing =, half_angle =, range =, weight = }, ... },
**                 profile =, stance = or heights =, shots =, accuracy = }
**   --> metres, fraction, { { t0, t1 }, ... }, weighted metres | nil, message, code
*/
static int exposure(lua_State *L) {
  static const char *const keys[] = {"from",    "to",    "threats",  "profile", "stance",
                                     "heights", "shots", "accuracy", NULL};
  const lwl_at at = {"exposure", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_exposure_query query = lw_exposure_query_default();
  lw_interval few[FEW_INTERVALS];
  query.hidden = few;
  query.hidden_capacity = FEW_INTERVALS;
  lwl_need_place(L, &at, 2, "from", &query.from);
  lwl_need_place(L, &at, 2, "to", &query.to);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  lwl_read_stance(L, &at, 2, profile ? profile->object : NULL, query.heights, &query.height_count);
  lwl_opt_bool(L, &at, 2, "shots", &query.shots);
  query.accuracy = lwl_opt_accuracy(L, &at, 2);
  query.threats = lwl_read_threats(L, &at, 2, &query.threat_count);
  lw_exposure seen;
  const lw_status status = ask(world, &query, L, &seen);
  const lw_error error = {.status = status};
  if (status == LW_NOT_FOUND) return lwl_fail_no_cover_map(L);
  if (status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lua_pushnumber(L, (lua_Number)seen.exposed);
  lua_pushnumber(L, (lua_Number)seen.fraction);
  push_intervals(L, query.hidden, seen.hidden_count);
  lua_pushnumber(L, (lua_Number)seen.weighted);
  return 4;
}

/// The agent of this world at index. @return false: the value is no agent.
static bool to_agent(lua_State *L, const lwl_at *at, const lw_world *world, const char *name, int index,
                     lw_agent_state *state) {
  const lwl_agent *agent = luaL_testudata(L, index, LWL_AGENT);
  if (agent && lw_agent_get_state(world, agent->id, state) != LW_OK)
    lwl_raise_at(L, at, name, "is gone, or in another world, expected an agent of this one");
  return agent;
}

/// Whether the eye at index 2 sees the target at index 3: points, or agents, of which any height of the body counts.
static bool sees_any(lua_State *L, const lwl_at *at, const lw_world *world, bool shots) {
  lw_agent_state from, to;
  lw_vec3 eye;
  if (to_agent(L, at, world, "eye", 2, &from)) {
    eye = from.position;
    eye.y += lw_profile_get_stance(from.profile, from.stance)->eye;
  } else {
    eye = lwl_to_place(L, at, "eye", 2);
  }
  const lwl_agent *target = to_agent(L, at, world, "target", 3, &to) ? lua_touserdata(L, 3) : NULL;
  if (target) return lw_agent_is_seen_from(world, target->id, eye, shots);
  return lw_world_sees(world, eye, lwl_to_place(L, at, "target", 3), shots);
}

/*
** world:sees(eye, target [, { shots = }]) --> boolean
*/
static int sees(lua_State *L) {
  static const char *const keys[] = {"shots", NULL};
  const lwl_at at = {"sees", ""};
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  bool shots = false;
  if (!lua_isnoneornil(L, 4)) {
    lwl_check_table(L, at.where, 4);
    lwl_check_keys(L, &at, 4, keys);
    lwl_opt_bool(L, &at, 4, "shots", &shots);
  }
  lua_pushboolean(L, sees_any(L, &at, world, shots));
  return 1;
}

// --- segments ------------------------------------------------------------------------------------------------

#define FEW_SEGMENTS 64

void lwl_push_segment(lua_State *L, int world, const lw_cover_segment *segment) {
  lua_createtable(L, 0, 10);
  lwl_set_vec3(L, "a", segment->a);
  lwl_set_vec3(L, "b", segment->b);
  lwl_set_vec3(L, "normal", segment->normal);
  lwl_set_number(L, "bottom", (double)segment->bottom);
  lwl_set_number(L, "top", (double)segment->top);
  lwl_set_string(L, "kind", lw_cover_kind_name(segment->kind));
  lwl_set_bool(L, "low", segment->low);
  lwl_set_bool(L, "high", segment->high);
  lwl_set_integer(L, "navmesh", segment->navmesh + 1);
  if (lw_obstacle_id_is_none(segment->obstacle)) return;
  lwl_push_id(L, &lwl_obstacle, world, &segment->obstacle);
  lua_setfield(L, -2, "obstacle");
}

/*
** world:cover_segments{ around =, radius =, stance =, profile =, navmesh = }
**   --> list of { a =, b =, bottom =, top =, normal =, kind =, low =, high =, navmesh =, obstacle = },
**       nearest first
*/
static int cover_segments(lua_State *L) {
  static const char *const keys[] = {"around", "radius", "stance", "profile", "navmesh", NULL};
  const lwl_at at = {"cover_segments", ""};
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_cover_segment_query query = lw_cover_segment_query_default();
  lw_cover_segment few[FEW_SEGMENTS], *segments = few;
  int count = 0;
  lwl_need_point(L, &at, 2, "around", &query.around);
  lwl_opt_float(L, &at, 2, "radius", &lwl_metres_not_negative, &query.radius);
  lwl_opt_navmesh(L, &at, 2, world, &query.navmesh);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (profile) query.profile = profile->object;
  const char *stance = lwl_opt_stance(L, &at, 2, query.profile);
  if (stance) query.stance = lw_profile_find_stance(query.profile, stance);
  lw_error error = {.status = lw_cover_segment_find(world, &query, segments, FEW_SEGMENTS, &count)};
  if (error.status == LW_OK && count > FEW_SEGMENTS) {
    segments = lua_newuserdatauv(L, (size_t)count * sizeof *segments, 0);
    error.status = lw_cover_segment_find(world, &query, segments, count, &count);
  }
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_segment(L, 1, &segments[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// --- visibility ----------------------------------------------------------------------------------------------

/// Read `team`, a name of at most 31 bytes. @return NULL: the key is absent.
static const char *opt_team(lua_State *L, const lwl_at *at, int table) {
  const char *team = NULL;
  lwl_opt_string(L, at, table, "team", &team);
  if (team && strlen(team) > LW_TEAM_NAME_MAX)
    lwl_raise_at(L, at, "team", "is '%s', expected at most %d bytes", team, LW_TEAM_NAME_MAX);
  return team;
}

/*
** world:set_visibility(visibility)
** world:set_visibility{ visibility =, team = }
*/
static int set_visibility(lua_State *L) {
  static const char *const keys[] = {"visibility", "team", NULL};
  const lwl_at at = {"set_visibility", ""};
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  const char *team = NULL;
  float visibility = 1;
  if (lua_istable(L, 2)) {
    lwl_check_keys(L, &at, 2, keys);
    team = opt_team(L, &at, 2);
    lwl_need_float(L, &at, 2, "visibility", &lwl_fraction, &visibility);
  } else {
    visibility = (float)lwl_check_number(L, &at, "visibility", 2, &lwl_fraction);
  }
  const lw_status status = lw_world_set_visibility(world, team, visibility);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  return 0;
}

/*
** world:visibility([team]) --> 0..1
*/
static int visibility(lua_State *L) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "visibility"));
  const char *team = NULL;
  if (!lua_isnoneornil(L, 2)) {
    team = lwl_check_text(L, &(lwl_at){"visibility", ""}, "team", "a name", 2);
  }
  lua_pushnumber(L, (lua_Number)lw_world_get_visibility(world, team));
  return 1;
}

// --- cover of geometry:add_cover -----------------------------------------------------------------------------

static void push_refused(lua_State *L, int index, const lw_cover_def *def) {
  lua_createtable(L, 0, 8);
  lwl_set_vec3(L, "from", def->from);
  lwl_set_vec3(L, "to", def->to);
  lwl_set_integer(L, "index", index + 1);
  lwl_set_string(L, "reason", "there is no ground beside it");
  lwl_set_number(L, "height", (double)def->height);
  lwl_set_number(L, "bottom", (double)def->bottom);
  lwl_set_string(L, "side", lwl_enum_name(LWL_COVER_SIDE, (int)def->side));
  lwl_set_string(L, "cover", lw_cover_kind_name(def->kind));
}

/*
** navmesh:refused_cover() --> list of { index =, reason =, from =, to =, height =, bottom =, side =, cover = }
*/
static int refused_cover(lua_State *L) {
  const lw_navmesh *navmesh = lwl_check_box(L, 1, LWL_NAVMESH, "refused_cover")->object;
  lua_Integer count = 0;
  lua_newtable(L);
  for (int i = 0; i < lw_navmesh_added_cover_count(navmesh); ++i) {
    lw_added_cover added;
    if (lw_navmesh_get_added_cover(navmesh, i, &added) != LW_OK || !added.refused) continue;
    push_refused(L, i, &added.def);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

// --- cover map -----------------------------------------------------------------------------------------------

static void push_map_segment(lua_State *L, const lw_cover_map_segment *segment) {
  lua_createtable(L, 0, 7);
  lwl_set_vec3(L, "a", segment->a);
  lwl_set_vec3(L, "b", segment->b);
  lwl_set_number(L, "bearing", (double)segment->bearing);
  lwl_set_number(L, "distance", (double)segment->distance);
  lwl_set_number(L, "bottom", (double)segment->bottom);
  lwl_set_number(L, "height", (double)segment->height);
  lwl_set_string(L, "kind", lw_cover_kind_name(segment->kind));
}

static int fail_cover_map(lua_State *L, const lw_navmesh *navmesh, lw_vec3 at) {
  if (lw_navmesh_get_stats(navmesh).cover_map_bytes == 0)
    return lwl_fail(L, LW_NOT_FOUND, "the navmesh has no cover map: bake it with cover_map");
  return lwl_fail(
      L, LW_NOT_FOUND,
      lua_pushfstring(L, "there is no ground at (%f, %f, %f)", (double)at.x, (double)at.y, (double)at.z));
}

/*
** navmesh:cover_map(point) --> list of { bearing =, distance =, height =, bottom =, a =, b =, kind = }, nearest first
**   | nil, message, code
*/
static int cover_map(lua_State *L) {
  const lw_navmesh *navmesh = lwl_check_box(L, 1, LWL_NAVMESH, "cover_map")->object;
  const lw_vec3 at = lwl_check_point(L, "cover_map", "point", 2);
  int count = 0;
  lw_status status = lw_navmesh_cover_map(navmesh, at, NULL, 0, &count);
  if (status == LW_NOT_FOUND) return fail_cover_map(L, navmesh, at);
  lw_cover_map_segment *segments = lua_newuserdatauv(L, (size_t)count * sizeof *segments, 0);
  if (status == LW_OK) status = lw_navmesh_cover_map(navmesh, at, segments, count, &count);
  const lw_error error = {.status = status};
  if (status != LW_OK) return lwl_fail_or_raise(L, "cover_map", &error);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_map_segment(L, &segments[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_cover_navmesh_methods[] = {
    {"refused_cover", refused_cover}, {"cover_map", cover_map}, {NULL, NULL}};
const luaL_Reg lwl_cover_methods[] = {
    {"cover_segments", cover_segments}, {"exposure", exposure},     {"sees", sees},
    {"set_visibility", set_visibility}, {"visibility", visibility}, {NULL, NULL}};
