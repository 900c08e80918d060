/*
** Blackboards: proxies of tables whose writes the runtime learns of, so that conditions of trees react to them. Values
** stay in Lua; the runtime keeps numbers, strings, booleans, points and agents, and of all else a number.
*/
#include "agent.h"
#include "sandbox.h"
#include "tree.h"

#include <math.h>
#include <string.h>

#define LWL_BLACKBOARD "leeward.blackboard"

/// The userdata. User values: the table, and the agent or world that it belongs to.
typedef struct blackboard {
  bool of_agent;
} blackboard;
enum { TABLE = 1, OWNER };

// --- values --------------------------------------------------------------------------------------------------

lw_value lwl_to_value(lua_State *L, int index, uint64_t object) {
  lw_value value = {.kind = LW_VALUE_OBJECT, .as.object = object};
  const lwl_agent *agent;
  const lw_vec3 *point;
  switch (lua_type(L, index)) {
  case LUA_TNIL: value.kind = LW_VALUE_NONE; break;
  case LUA_TBOOLEAN:
    value.kind = LW_VALUE_BOOLEAN;
    value.as.boolean = lua_toboolean(L, index);
    break;
  case LUA_TNUMBER:
    if (isnan(lua_tonumber(L, index))) break;
    value.kind = LW_VALUE_NUMBER;
    value.as.number = lua_tonumber(L, index);
    break;
  case LUA_TSTRING:
    if (!lwl_to_text(L, index)) break; /* with zero bytes */
    value.kind = LW_VALUE_STRING;
    value.as.string = lua_tostring(L, index);
    break;
  case LUA_TUSERDATA:
    if ((agent = luaL_testudata(L, index, LWL_AGENT))) {
      value.kind = LW_VALUE_AGENT;
      value.as.agent = agent->id;
    } else if ((point = luaL_testudata(L, index, LWL_VEC3))) {
      lw_vec3 v;
      if (!lwl_to_point(L, index, &v)) break;
      value.kind = LW_VALUE_VEC3;
      value.as.vec3 = v;
    }
    break;
  default: break;
  }
  return value;
}

void lwl_push_value(lua_State *L, int world, const lw_value *value) {
  switch (value->kind) {
  case LW_VALUE_BOOLEAN: lua_pushboolean(L, value->as.boolean); return;
  case LW_VALUE_NUMBER:
    if (value->as.number == floor(value->as.number) && fabs(value->as.number) < 0x1p53)
      lua_pushinteger(L, (lua_Integer)value->as.number);
    else
      lua_pushnumber(L, value->as.number);
    return;
  case LW_VALUE_STRING: lua_pushstring(L, value->as.string); return;
  case LW_VALUE_VEC3: lwl_push_vec3(L, value->as.vec3); return;
  case LW_VALUE_AGENT: lwl_push_agent(L, world, value->as.agent); return;
  default: lua_pushnil(L);
  }
}

static bool begins_with(const char *key, const char *prefix) {
  return strncmp(key, prefix, strlen(prefix)) == 0;
}

// --- tables --------------------------------------------------------------------------------------------------

/// Where a key is kept.
typedef struct place {
  lwl_world *box;         ///< NULL: the world is gone.
  int world;              ///< Stack index of its userdata.
  const lwl_agent *agent; ///< NULL: of the world.
  const char *key;        ///< In C, as the agent has it; NULL: the runtime does not know such keys.
  const char *rest;       ///< In the table.
  int table;              ///< Stack index.
} place;

/// Push the table of the team (":" and its name) or the world ("") from the world at index.
static void push_shared(lua_State *L, int world, const char *name) {
  if (lua_getiuservalue(L, world, LWL_WORLD_BLACKBOARDS) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, world, LWL_WORLD_BLACKBOARDS);
  }
  if (lua_getfield(L, -1, name) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  lua_remove(L, -2);
}

static const char *team_name(lua_State *L, const place *at) {
  lw_agent_state state;
  const bool lives = at->box && lw_agent_get_state(lwl_c_world(at->box), at->agent->id, &state) == LW_OK;
  return lua_pushfstring(L, ":%s", lives ? state.team : "");
}

/// The place of the key at index 2 of the blackboard at index 1.
static place find_place(lua_State *L) {
  const blackboard *board = luaL_checkudata(L, 1, LWL_BLACKBOARD);
  place at = {.agent = NULL};
  lua_getiuservalue(L, 1, OWNER);
  if (board->of_agent) {
    at.agent = lua_touserdata(L, -1);
    lua_getiuservalue(L, -1, LWL_AGENT_WORLD);
  }
  at.world = lua_gettop(L);
  at.box = lua_touserdata(L, at.world);
  if (at.box && !at.box->box.object) at.box = NULL;
  const char *key = lwl_to_text(L, 2);
  if (key && *key && strlen(key) <= LW_KEY_MAX) at.key = at.rest = key;
  const bool of_team = at.key && at.agent && strncmp(key, "team.", 5) == 0 && key[5];
  const bool of_world = at.key && at.agent && strncmp(key, "world.", 6) == 0 && key[6];
  if (of_team || of_world) {
    at.rest = key + (of_team ? 5 : 6);
    push_shared(L, at.world, of_team ? team_name(L, &at) : "");
  } else if (board->of_agent) {
    lua_getiuservalue(L, 1, TABLE);
  } else {
    push_shared(L, at.world, "");
  }
  at.table = lua_gettop(L);
  return at;
}

static lw_value get_in_c(const place *at) {
  if (!at->box || !at->key) return (lw_value){.kind = LW_VALUE_NONE};
  const lw_world *world = lwl_c_world(at->box);
  return at->agent ? lw_agent_get_value(world, at->agent->id, at->key) : lw_world_get_value(world, at->key);
}

/// Push what the event of that name brought: objects are kept with their numbers, in the table of the agent or the world.
static void push_event(lua_State *L, const place *at) {
  const lw_value value = get_in_c(at);
  if (value.kind != LW_VALUE_OBJECT) {
    lwl_push_value(L, at->world, &value);
    return;
  }
  push_shared(L, at->world, "");
  const int tables[] = {at->table, lua_gettop(L)};
  for (int i = 0; i < 2; ++i) {
    if (lua_getfield(L, tables[i], at->key) == LUA_TTABLE) {
      lua_rawgeti(L, -1, 1);
      const bool is_it = (uint64_t)lua_tointeger(L, -1) == value.as.object;
      lua_rawgeti(L, -2, 2);
      if (is_it) return;
    }
  }
  lua_pushnil(L);
}

static int index(lua_State *L) {
  lua_settop(L, 2);
  const place at = find_place(L);
  if (at.agent && at.key && begins_with(at.key, "event.")) {
    push_event(L, &at);
    return 1;
  }
  if (at.rest)
    lua_pushstring(L, at.rest);
  else
    lua_pushvalue(L, 2);
  if (lua_rawget(L, at.table) != LUA_TNIL) return 1;
  const lw_value value = get_in_c(&at);
  lwl_push_value(L, at.world, &value);
  return 1;
}

// --- writing -------------------------------------------------------------------------------------------------

static void set_in_c(lua_State *L, const place *at, const lw_value *value) {
  if (!at->box || !at->key) return;
  lw_world *world = lwl_c_world(at->box);
  const lw_status status = at->agent ? lw_agent_set_value(world, at->agent->id, at->key, value)
                                     : lw_world_set_value(world, at->key, value);
  if (status == LW_OUT_OF_MEMORY) lwl_raise(L, "blackboard", "%s", lw_status_text(status));
}

static uint64_t next_object(lwl_world *box) {
  return box ? ++box->objects : 0;
}

/// Raise where the runtime alone sets the key.
static void check_key(lua_State *L, const place *at) {
  if (!at->key) return;
  if (at->agent && begins_with(at->key, "event."))
    lwl_raise(L, "blackboard", "cannot set '%s', an event; agent:send() and world:emit() do",
              lwl_shown(L, at->key));
  if (at->agent && begins_with(at->key, "sense."))
    lwl_raise(L, "blackboard", "cannot set '%s', which the agent's senses do", lwl_shown(L, at->key));
  if (begins_with(at->key, at->agent ? "world.permutation." : "permutation."))
    lwl_raise(L, "blackboard", "cannot set '%s', a permutation's state; world:set_permutation() does",
              lwl_shown(L, at->key));
}

static int newindex(lua_State *L) {
  lua_settop(L, 3);
  const place at = find_place(L);
  check_key(L, &at);
  if (at.rest)
    lua_pushstring(L, at.rest);
  else
    lua_pushvalue(L, 2);
  const int key = lua_gettop(L);
  lua_pushvalue(L, key);
  lua_rawget(L, at.table);
  if (lua_rawequal(L, -1, 3) && !lua_isnil(L, 3)) return 0;
  const lw_value value = lwl_to_value(L, 3, next_object(at.box));
  if (at.box) lwl_note_written(L, at.box->calls->sandbox, at.table, key, 3);
  lua_pushvalue(L, key);
  lua_pushvalue(L, 3);
  lua_rawset(L, at.table);
  set_in_c(L, &at, &value);
  return 0;
}

static bool is_event(lua_State *L, int key) {
  return lua_type(L, key) == LUA_TSTRING && begins_with(lua_tostring(L, key), "event.");
}

/// As next(), but for the values of events.
static int next_key(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  while (lua_next(L, 1)) {
    if (!is_event(L, 2)) return 2;
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  return 1;
}

static int pairs(lua_State *L) {
  const blackboard *board = luaL_checkudata(L, 1, LWL_BLACKBOARD);
  lua_pushcfunction(L, next_key);
  if (board->of_agent) {
    lua_getiuservalue(L, 1, TABLE);
  } else {
    lua_getiuservalue(L, 1, OWNER);
    push_shared(L, lua_gettop(L), "");
  }
  lua_pushnil(L);
  if (!board->of_agent) lua_remove(L, -3);
  return 3;
}

// --- blackboards of agents and the world -----------------------------------------------------------------------

static void push_board(lua_State *L, int owner, bool of_agent) {
  owner = lua_absindex(L, owner);
  blackboard *board = lua_newuserdatauv(L, sizeof *board, OWNER);
  board->of_agent = of_agent;
  lua_newtable(L);
  lua_setiuservalue(L, -2, TABLE);
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, -2, OWNER);
  luaL_setmetatable(L, LWL_BLACKBOARD);
}

void lwl_set_blackboard(lua_State *L, int agent, int values) {
  agent = lua_absindex(L, agent);
  values = lua_absindex(L, values);
  const int top = lua_gettop(L);
  if (lua_getiuservalue(L, agent, LWL_AGENT_BLACKBOARD) == LUA_TUSERDATA) {
    lua_getiuservalue(L, -1, TABLE); /* what it had is gone */
    for (lua_pushnil(L); lua_next(L, -2);) {
      lua_pop(L, 1);
      if (is_event(L, lua_gettop(L))) continue;
      lua_pushvalue(L, -1);
      lua_pushnil(L);
      lua_settable(L, top + 1); /* a field that is there is cleared: the traversal goes on */
    }
  }
  push_board(L, agent, true);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, agent, LWL_AGENT_BLACKBOARD);
  const int board = lua_gettop(L);
  if (lua_istable(L, values)) {
    int keys = 0;
    for (lua_pushnil(L); lua_next(L, values);) {
      lwl_count_key(L, ++keys);
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_settable(L, board);
    }
  }
  lua_settop(L, top);
}

void lwl_push_board_table(lua_State *L, int agent) {
  lua_getiuservalue(L, agent, LWL_AGENT_BLACKBOARD);
  lua_getiuservalue(L, -1, TABLE);
  lua_remove(L, -2);
}

void lwl_set_board_table(lua_State *L, int agent, int table) {
  lua_getiuservalue(L, agent, LWL_AGENT_BLACKBOARD);
  lua_pushvalue(L, table);
  lua_setiuservalue(L, -2, TABLE);
  lua_pop(L, 1);
}

/*
** world:blackboard() --> blackboard
*/
static int world_blackboard(lua_State *L) {
  lwl_check_world(L, 1, "blackboard");
  push_board(L, 1, false);
  return 1;
}

// --- events --------------------------------------------------------------------------------------------------

/// The name at index 2 of an event.
static const char *check_event(lua_State *L, const char *where) {
  const lwl_at at = {where, ""};
  const char *name = lwl_check_text(L, &at, "name", "the name of an event", 2);
  if (!*name || strlen(name) > LW_KEY_MAX)
    lwl_raise_expected(L, &at, "name", "the name of an event, 1 to 127 bytes", 2);
  return name;
}

/// Values of events that a table gets before old ones are removed from it.
enum { EVENTS_KEPT = 256 };
/// Where a table counts them: no event has an empty name.
static const char count_of_events[] = "event.";

/// Remove the values of events of more than a step ago from the table at index: nothing reads them any more.
static void forget_events(lua_State *L, int table, lua_Integer steps) {
  for (lua_pushnil(L); lua_next(L, table);) {
    const bool is_kept = is_event(L, lua_gettop(L) - 1) && lua_istable(L, -1);
    const bool is_old = is_kept && lua_rawgeti(L, -1, 3) == LUA_TNUMBER && lua_tointeger(L, -1) + 1 < steps;
    lua_settop(L, lua_gettop(L) - (is_kept ? 2 : 1));
    if (!is_old) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, table); /* a field that is there: the traversal goes on */
  }
}

/// The table at index gets one more value of an event.
static void count_event(lua_State *L, int table, lua_Integer steps) {
  lua_getfield(L, table, count_of_events);
  const lua_Integer count = lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (count >= EVENTS_KEPT) forget_events(L, table, steps);
  lua_pushinteger(L, count < EVENTS_KEPT ? count + 1 : 1);
  lua_setfield(L, table, count_of_events);
}

/// Bytes of an event's text that count as an instruction in a sandbox: it is copied.
enum { BYTES_COUNTED = 16 };

/// The value at index 3. One that C does not know is kept in the table at index, with its number.
static lw_value keep_event(lua_State *L, lwl_world *box, int table, const char *name) {
  if (lua_isnil(L, 3)) return (lw_value){.kind = LW_VALUE_NONE};
  const lw_value value = lwl_to_value(L, 3, next_object(box));
  if (box->calls->sandbox && value.kind == LW_VALUE_STRING)
    lwl_count_work(L, box->calls, (int64_t)lua_rawlen(L, 3) / BYTES_COUNTED);
  lua_pushfstring(L, "event.%s", name);
  if (value.kind == LW_VALUE_OBJECT) {
    const lua_Integer steps = (lua_Integer)lw_world_steps(lwl_c_world(box));
    count_event(L, table, steps);
    lua_createtable(L, 3, 0);
    lua_pushinteger(L, (lua_Integer)value.as.object);
    lua_rawseti(L, -2, 1);
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, 2);
    lua_pushinteger(L, steps);
    lua_rawseti(L, -2, 3);
  } else {
    lua_pushnil(L);
  }
  lua_rawset(L, table);
  return value;
}

/// Raise where an event could not be sent. @param to  "agent 3".
static void check_sent(lua_State *L, const char *where, lw_status status, const char *to) {
  if (status == LW_OUT_OF_MEMORY) lwl_raise(L, where, "%s", lw_status_text(status));
  if (status == LW_LIMIT)
    lwl_raise(L, where, "%s would have more than %d events at once, or %d bytes of their text", to,
              LW_EVENTS_MAX, LW_EVENT_BYTES_MAX);
}

/*
** agent:send(name [, value])
*/
static int send(lua_State *L) {
  lua_settop(L, 3);
  lwl_self me = lwl_check_self(L, "send");
  const char *name = check_event(L, "send");
  lua_getiuservalue(L, 1, LWL_AGENT_BLACKBOARD);
  lua_getiuservalue(L, -1, TABLE);
  const lw_value value = keep_event(L, me.box, lua_gettop(L), name);
  const lw_status status = lw_agent_send(me.world, me.id, name, &value);
  if (status != LW_OK) check_sent(L, "send", status, lua_pushfstring(L, "agent %s", LWL_ID_NAME(me.id)));
  return 0;
}

/*
** agent:wake()
*/
static int wake(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "wake");
  lw_agent_wake(me.world, me.id);
  return 0;
}

/*
** world:emit(name [, value])
*/
static int emit(lua_State *L) {
  lua_settop(L, 3);
  lwl_world *box = lwl_check_world(L, 1, "emit");
  const char *name = check_event(L, "emit");
  push_shared(L, 1, "");
  const lw_value value = keep_event(L, box, lua_gettop(L), name);
  check_sent(L, "emit", lw_world_emit(lwl_c_world(box), name, &value), "the world");
  return 0;
}

const luaL_Reg lwl_blackboard_world_methods[] = {
    {"blackboard", world_blackboard}, {"emit", emit}, {NULL, NULL}};
const luaL_Reg lwl_blackboard_agent_methods[] = {{"send", send}, {"wake", wake}, {NULL, NULL}};

void lwl_open_blackboard(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}},
                        meta[] = {{"__newindex", newindex}, {"__pairs", pairs}, {NULL, NULL}},
                        reads[] = {{"__index", index}, {NULL, NULL}};
  lwl_new_type(L, LWL_BLACKBOARD, none, meta, NULL);
  luaL_getmetatable(L, LWL_BLACKBOARD);
  lwl_set_functions(L, reads, NULL);
  lua_pop(L, 1);
}
