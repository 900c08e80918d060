/*
** What happened to agents, what the nodes of their trees do, and why.
*/
#include "agent.h"

#include <math.h>
#include <string.h>

static const lw_range count_range = {0, LW_HISTORY_MAX, NULL, false}, asked_range = {0, INT32_MAX, NULL, false};

// --- entries -------------------------------------------------------------------------------------------------

/// Set the table's field to the agent of that id, unless it is gone.
static void set_agent(lua_State *L, const char *key, int world, lw_agent_id id) {
  if (lw_agent_id_is_none(id)) return;
  if (lwl_push_agent(L, world, id))
    lua_setfield(L, -2, key);
  else
    lua_pop(L, 1);
}

static void push_entry(lua_State *L, int world, const lw_history_entry *entry) {
  char text[512];
  lw_history_text(entry, text, sizeof text);
  lua_createtable(L, 0, 8);
  lwl_set_integer(L, "number", (lua_Integer)entry->number);
  lwl_set_number(L, "time", entry->time);
  lwl_set_string(L, "kind", lw_history_kind_name(entry->kind));
  lwl_set_string(L, "text", text);
  set_agent(L, "agent", world, entry->agent);
  set_agent(L, "other", world, entry->other);
  if (entry->kind == LW_HISTORY_PATH_FOUND) lwl_set_number(L, "length", (double)entry->length);
  if (entry->kind == LW_HISTORY_MOVE_FAILED) lwl_set_string(L, "code", lw_status_name(entry->status));
  if (entry->kind > LW_HISTORY_ABORTED) {
    lwl_set_vec3(L, "at", entry->at);
    return;
  }
  lwl_set_string(L, "node", entry->name);
  if (!entry->text[0]) return;
  if (entry->kind == LW_HISTORY_ABORTED) lwl_set_string(L, "by", entry->text);
  if (entry->kind == LW_HISTORY_FAILED) lwl_set_string(L, "reason", entry->text);
}

/// Whose entries are read, and which.
typedef struct asked {
  const lw_world *world;
  lw_agent_id agent; ///< None: of all.
  float seconds;
  int count;
} asked;

/// Read the options at index 2.
static void read_options(lua_State *L, const lwl_at *at, asked *to) {
  static const char *const keys[] = {"seconds", "count", NULL};
  to->seconds = INFINITY;
  to->count = INT32_MAX;
  if (lua_isnoneornil(L, 2)) return;
  lwl_check_table(L, at->where, 2);
  lwl_check_keys(L, at, 2, keys);
  lwl_opt_endless(L, at, 2, "seconds", &lwl_seconds_not_negative, &to->seconds);
  lwl_opt_int(L, at, 2, "count", &asked_range, &to->count);
}

static int read_entries(const asked *of, lw_history_entry *entries, int capacity) {
  const double seconds = (double)of->seconds;
  return lw_agent_id_is_none(of->agent)
             ? lw_world_get_history(of->world, seconds, entries, capacity)
             : lw_agent_get_history(of->world, of->agent, seconds, entries, capacity);
}

static int push_entries(lua_State *L, const lwl_at *at, int world, const asked *of) {
  if (lw_world_get_history_size(of->world) == 0)
    lwl_raise(L, at->where, "agents of this world keep no history: its 'history' is 0");
  int found = read_entries(of, NULL, 0);
  if (found > of->count) found = of->count;
  lw_history_entry *entries = lua_newuserdatauv(L, ((size_t)found + 1) * sizeof *entries, 0);
  const int now = read_entries(of, entries, found); /* a finaliser may have changed something */
  if (now < found) found = now;
  lua_createtable(L, found, 0);
  for (int i = 0; i < found; ++i) {
    push_entry(L, world, &entries[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/*
** agent:history([{ seconds =, count = }]) --> list of what happened to it, the oldest first
*/
static int agent_history(lua_State *L) {
  const lwl_at at = {"history", ""};
  lua_settop(L, 2);
  const lwl_agent *agent = lwl_check_userdata(L, 1, LWL_AGENT, at.where); /* it may be gone */
  lua_getiuservalue(L, 1, LWL_AGENT_WORLD);
  const int world = lua_gettop(L);
  asked of = {.world = lwl_c_world(lwl_check_world(L, world, at.where)), .agent = agent->id};
  read_options(L, &at, &of);
  return push_entries(L, &at, world, &of);
}

/*
** world:history([{ seconds =, count = }]) --> list of what happened to all agents
*/
static int world_history(lua_State *L) {
  const lwl_at at = {"history", ""};
  lua_settop(L, 2);
  asked of = {.world = lwl_c_world(lwl_check_world(L, 1, at.where)), .agent = lw_agent_id_none()};
  read_options(L, &at, &of);
  return push_entries(L, &at, 1, &of);
}

/*
** world:set_history(count)
*/
static int set_history(lua_State *L) {
  const lwl_at at = {"set_history", ""};
  lua_settop(L, 2);
  lwl_world *self = lwl_check_world(L, 1, at.where);
  if (self->inside > 0) lwl_raise(L, at.where, "called from inside a step or a leaf");
  lua_Integer count;
  if (!lwl_to_integer(L, 2, 0, LW_HISTORY_MAX, &count))
    lwl_raise_expected(L, &at, "count", "a whole number 0 to 4096", 2);
  const lw_status status = lw_world_set_history(lwl_c_world(self), (int)count);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  return 0;
}

void lwl_opt_history(lua_State *L, const lwl_at *at, int table, int *count) {
  lwl_opt_int(L, at, table, "history", &count_range, count);
}

// --- now -----------------------------------------------------------------------------------------------------

static void push_node(lua_State *L, const lw_node_info *info, const lw_node_state *state) {
  lua_createtable(L, 0, 6);
  lwl_set_string(L, "name", info->name);
  lwl_set_string(L, "kind", lw_node_kind_name(info->kind));
  lwl_set_string(L, "outcome", lw_node_outcome_name(state->outcome));
  if (info->parent >= 0) lwl_set_integer(L, "parent", info->parent + 1);
  if (info->key) lwl_set_string(L, "key", info->key);
  if (!isnan(state->since)) lwl_set_number(L, "since", state->since);
}

/*
** agent:nodes() --> list of the nodes of its tree, in depth-first order, with what each did last
*/
static int nodes(lua_State *L) {
  const lwl_self me = lwl_check_self(L, "nodes");
  lua_newtable(L);
  const int list = lua_gettop(L);
  for (int i = 0;; ++i) {
    // Asked for each node: a finaliser that Lua runs here may give the agent another tree.
    lw_node_info info;
    lw_node_state state;
    if (lw_tree_get_node(lw_agent_tree(me.world, me.id), i, &info) != LW_OK ||
        lw_tree_run_get_node(lw_agent_run(me.world, me.id), i, &state) != LW_OK)
      return 1;
    push_node(L, &info, &state);
    lua_rawseti(L, list, i + 1);
  }
}

/*
** agent:why([{ details = true }]) --> what the agent does, and its last failure: the leaf and the reason
*/
static int why(lua_State *L) {
  static const char *const keys[] = {"details", NULL};
  const lwl_at at = {"why", ""};
  lua_settop(L, 2);
  const lwl_self me = lwl_check_self(L, at.where);
  bool details = false;
  if (!lua_isnil(L, 2)) {
    lwl_check_table(L, at.where, 2);
    lwl_check_keys(L, &at, 2, keys);
    lwl_opt_bool(L, &at, 2, "details", &details);
  }
  int (*const write)(const lw_world *, lw_agent_id, char *, size_t) =
      details ? lw_agent_why_in_detail : lw_agent_why;
  const int needed = write(me.world, me.id, NULL, 0);
  const size_t size = (size_t)(needed > 0 ? needed : 0) + 1;
  luaL_Buffer text;
  char *buffer = luaL_buffinitsize(L, &text, size);
  write(me.world, me.id, buffer, size);
  luaL_pushresultsize(&text, strlen(buffer));
  return 1;
}

const luaL_Reg lwl_history_world_methods[] = {
    {"history", world_history}, {"set_history", set_history}, {NULL, NULL}};
const luaL_Reg lwl_history_agent_methods[] = {
    {"history", agent_history}, {"nodes", nodes}, {"why", why}, {NULL, NULL}};
