/*
** Senses of agents: tables of them, what agents perceive, and noises.
*/
#include "senses.h"

#include "agent.h"
#include "profile_check.h"

#include <float.h>

// --- tables --------------------------------------------------------------------------------------------------

typedef enum field_kind { NUMBER, FLAG } field_kind;

/// A field of the senses, or of a table within them.
typedef struct field {
  const char *key;
  const char *range; ///< Of lw_profile_range().
  size_t offset;     ///< In lw_senses.
  field_kind kind;
} field;

static const field sight_fields[] = {
    {"range", "senses.sight.range", offsetof(lw_senses, sight.range), NUMBER},
    {"half_angle", "senses.sight.half_angle", offsetof(lw_senses, sight.half_angle), NUMBER},
    {"notice", "senses.sight.notice", offsetof(lw_senses, sight.notice), NUMBER},
    {"friends", NULL, offsetof(lw_senses, sight.friends), FLAG},
    {NULL, NULL, 0, NUMBER}};
static const field hearing_fields[] = {
    {"range", "senses.hearing.range", offsetof(lw_senses, hearing.range), NUMBER}, {NULL, NULL, 0, NUMBER}};
static const field memory_fields[] = {{"memory", "senses.memory", offsetof(lw_senses, memory), NUMBER},
                                      {NULL, NULL, 0, NUMBER}};
static const char *const sight_keys[] = {"range", "half_angle", "notice", "friends", NULL},
                         *const hearing_keys[] = {"range", NULL},
                         *const senses_keys[] = {"sight", "hearing", "memory", NULL};

/// Copy the fields that the table at index has into the table on top of the stack.
static void copy_fields(lua_State *L, const lwl_at *at, const field *fields, int index) {
  for (; fields->key; ++fields) {
    if (lwl_get(L, index, fields->key) != LUA_TNIL) {
      if (fields->kind == NUMBER) {
        lua_pushnumber(L, lwl_check_number(L, at, fields->key, -1, lw_profile_range(fields->range)));
        lua_remove(L, -2);
      } else if (!lua_isboolean(L, -1)) {
        lwl_raise_expected(L, at, fields->key, "true or false", -1);
      }
      lua_setfield(L, -2, fields->key);
    } else {
      lua_pop(L, 1);
    }
  }
}

/// Copy the table at a key of the one at index into the table on top of the stack.
static void copy_part(lua_State *L, const lwl_at *at, const char *key, const field *fields,
                      const char *const *keys, int index) {
  if (lwl_get(L, index, key) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  const int part = lua_gettop(L);
  if (!lua_istable(L, part)) lwl_raise_expected(L, at, key, "a table", part);
  const lwl_at inside = {at->where, lua_pushfstring(L, "%s%s.", at->prefix, key)};
  lwl_check_keys(L, &inside, part, keys);
  lua_newtable(L);
  copy_fields(L, &inside, fields, part);
  lua_setfield(L, part - 1, key);
  lua_settop(L, part - 1);
}

void lwl_copy_senses(lua_State *L, const lwl_at *at, int index) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  index = lua_absindex(L, index);
  lwl_check_keys(L, at, index, senses_keys);
  lua_newtable(L);
  copy_part(L, at, "sight", sight_fields, sight_keys, index);
  copy_part(L, at, "hearing", hearing_fields, hearing_keys, index);
  copy_fields(L, at, memory_fields, index);
}

static void fill_fields(lua_State *L, const field *fields, int table, lw_senses *senses) {
  for (; fields->key; ++fields) {
    void *value = (char *)senses + fields->offset;
    if (lwl_get(L, table, fields->key) != LUA_TNIL) {
      if (fields->kind == NUMBER)
        *(float *)value = (float)lua_tonumber(L, -1);
      else
        *(bool *)value = lua_toboolean(L, -1);
    }
    lua_pop(L, 1);
  }
}

void lwl_fill_senses(lua_State *L, int table, lw_senses *senses) {
  table = lua_absindex(L, table);
  if (lwl_get(L, table, "sight") == LUA_TTABLE) fill_fields(L, sight_fields, lua_gettop(L), senses);
  if (lwl_get(L, table, "hearing") == LUA_TTABLE) fill_fields(L, hearing_fields, lua_gettop(L), senses);
  lua_pop(L, 2);
  fill_fields(L, memory_fields, table, senses);
}

static void push_fields(lua_State *L, const field *fields, const lw_senses *senses) {
  for (; fields->key; ++fields) {
    const void *value = (const char *)senses + fields->offset;
    if (fields->kind == NUMBER)
      lwl_push_float(L, *(const float *)value);
    else
      lua_pushboolean(L, *(const bool *)value);
    lua_setfield(L, -2, fields->key);
  }
}

void lwl_push_senses(lua_State *L, const lw_senses *senses) {
  lua_createtable(L, 0, 3);
  lua_createtable(L, 0, 4);
  push_fields(L, sight_fields, senses);
  lua_setfield(L, -2, "sight");
  lua_createtable(L, 0, 1);
  push_fields(L, hearing_fields, senses);
  lua_setfield(L, -2, "hearing");
  push_fields(L, memory_fields, senses);
}

// --- agents --------------------------------------------------------------------------------------------------

/*
** agent:senses() --> { sight = { range =, half_angle =, notice =, friends = }, hearing = { range = }, memory = }
** agent:senses{ ... } sets them: absent keys are those of its profile
*/
static int senses(lua_State *L) {
  const lwl_at at = {"senses", ""};
  lw_senses values;
  lua_settop(L, 2);
  lwl_self me = lwl_check_self(L, at.where);
  if (lua_isnil(L, 2)) {
    lw_agent_get_senses(me.world, me.id, &values);
    lwl_push_senses(L, &values);
    return 1;
  }
  lwl_check_table(L, at.where, 2);
  lwl_copy_senses(L, &at, 2);
  const int copy = lua_gettop(L);
  me = lwl_check_self(L, at.where); /* the table may have run a finaliser */
  values = lw_profile_get_def(me.state.profile)->senses;
  lwl_fill_senses(L, copy, &values);
  lw_error error = {.text = ""};
  lua_pushnil(L);
  const bool is_plain = lua_next(L, copy) == 0; /* an empty table: those of the profile */
  if (lw_agent_set_senses(me.world, me.id, is_plain ? NULL : &values, &error) != LW_OK)
    lwl_raise(L, at.where, "%s", error.text);
  return 0;
}

/// Push the table of what the agent knows of another one, with that agent on top of the stack.
static void push_perceived(lua_State *L, const lw_perceived *known) {
  const int other = lua_gettop(L);
  lua_createtable(L, 0, 7);
  lua_pushvalue(L, other);
  lua_setfield(L, -2, "agent");
  lua_pushboolean(L, known->is_seen);
  lua_setfield(L, -2, "seen");
  lua_pushboolean(L, known->is_enemy);
  lua_setfield(L, -2, "enemy");
  lwl_push_vec3(L, known->at);
  lua_setfield(L, -2, "at");
  lwl_push_vec3(L, known->velocity);
  lua_setfield(L, -2, "velocity");
  lwl_set_number(L, "age", known->age);
  lwl_set_number(L, "noticed", known->noticed);
  lua_replace(L, other);
}

/*
** agent:perceived() --> list of { agent =, seen =, enemy =, at =, velocity =, age =, noticed = }
*/
static int perceived(lua_State *L) {
  lua_settop(L, 1);
  const lwl_self me = lwl_check_self(L, "perceived");
  const int count = lw_agent_get_perceived(me.world, me.id, NULL, 0);
  lw_perceived *list = lua_newuserdatauv(L, (size_t)(count > 0 ? count : 1) * sizeof *list, 0);
  const lwl_self now = lwl_check_self(L, "perceived"); /* a finaliser may have run */
  int known = lw_agent_get_perceived(now.world, now.id, list, count);
  if (known > count) known = count;
  lua_createtable(L, known, 0);
  const int result = lua_gettop(L);
  for (int i = 0, listed = 0; i < known; ++i) {
    if (lwl_push_agent(L, now.index, list[i].agent)) {
      push_perceived(L, &list[i]);
      lua_rawseti(L, result, ++listed);
    }
    lua_settop(L, result);
  }
  return 1;
}

/// The agent at index 2, of the same world.
static lw_agent_id check_other(lua_State *L, const lwl_self *me, const char *where) {
  const lwl_agent *other = luaL_testudata(L, 2, LWL_AGENT);
  if (!other) lwl_raise_expected(L, &(lwl_at){where, ""}, "other", "an agent", 2);
  lua_getiuservalue(L, 2, LWL_AGENT_WORLD);
  if (!lua_rawequal(L, -1, me->index))
    lwl_raise(L, where, "other is in another world, expected an agent of this one");
  lua_pop(L, 1);
  return other->id;
}

/*
** agent:perceives(other) --> { agent =, seen =, ... } | nil: it has not noticed that one, or has forgotten it
*/
static int perceives(lua_State *L) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "perceives");
  lw_perceived known;
  if (lw_agent_find_perceived(me.world, me.id, check_other(L, &me, "perceives"), &known) != LW_OK)
    return lua_pushnil(L), 1;
  lua_pushvalue(L, 2);
  push_perceived(L, &known);
  return 1;
}

/*
** agent:forget([other])
*/
static int forget(lua_State *L) {
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, "forget");
  lw_agent_id other = lw_agent_id_none();
  if (!lua_isnil(L, 2)) other = check_other(L, &me, "forget");
  lw_agent_forget(me.world, me.id, other);
  return 0;
}

/*
** agent:heard() --> { at =, loudness =, distance =, age = } | nil: it has heard no noise, or forgotten it
*/
static int heard(lua_State *L) {
  lua_settop(L, 1);
  const lwl_self me = lwl_check_self(L, "heard");
  lw_heard noise;
  if (lw_agent_get_heard(me.world, me.id, &noise) != LW_OK) return lua_pushnil(L), 1;
  lua_createtable(L, 0, 4);
  lwl_push_vec3(L, noise.at);
  lua_setfield(L, -2, "at");
  lwl_set_number(L, "loudness", (lua_Number)noise.loudness);
  lwl_set_number(L, "distance", (lua_Number)noise.distance);
  lwl_set_number(L, "age", noise.age);
  return 1;
}

static const lw_range radians = {-FLT_MAX, FLT_MAX, "rad", false};

/*
** agent:set_heading(radians)
*/
static int set_heading(lua_State *L) {
  const lwl_at at = {"set_heading", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  const double heading = lwl_check_number(L, &at, "heading", 2, &radians);
  lw_agent_set_heading(me.world, me.id, (float)heading);
  return 0;
}

const luaL_Reg lwl_senses_agent_methods[] = {
    {"senses", senses}, {"perceived", perceived}, {"perceives", perceives},
    {"forget", forget}, {"heard", heard},         {"set_heading", set_heading},
    {NULL, NULL}};

// --- noises --------------------------------------------------------------------------------------------------

/*
** world:noise{ at =, loudness =, team =, snap = } --> how many agents heard it | nil, message, code
*/
static int noise(lua_State *L) {
  static const char *const keys[] = {"at", "loudness", "team", "snap", NULL};
  const lwl_at at = {"noise", ""};
  lua_settop(L, 2);
  lwl_check_world(L, 1, at.where);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_noise query = lw_noise_default();
  lwl_need_place(L, &at, 2, "at", &query.at);
  lwl_opt_float(L, &at, 2, "loudness", &lwl_metres_positive, &query.loudness);
  lwl_opt_string(L, &at, 2, "team", &query.team);
  lwl_opt_snap(L, &at, 2, &query.snap);
  lw_error error = {.text = ""};
  int count = 0;
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  error.status = lw_world_noise(world, &query, &count, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lua_pushinteger(L, count);
  return 1;
}

const luaL_Reg lwl_senses_world_methods[] = {{"noise", noise}, {NULL, NULL}};
