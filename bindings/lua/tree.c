/*
** Behaviour trees: descriptions in plain tables, compiled for the C executor, and the leaves that it calls in
** Lua. No Lua error leaves lwl_run_leaf().
*/
#include "lwl.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NODES = 1 << 16 };

static void destroy(void *object) {
  lw_tree_destroy(object);
}

// --- checking ------------------------------------------------------------------------------------------------

static lw_node_kind check_kind(lua_State *L, const lwl_at *at, int node) {
  lwl_get(L, node, "kind");
  const int kind = lwl_check_enum(L, at, "kind", -1, LWL_NODE_KIND);
  lua_pop(L, 1);
  return (lw_node_kind)kind;
}

static void check_wait(lua_State *L, const lwl_at *at, int node) {
  static const char *const keys[] = {"kind", "name", "min", "max", NULL};
  lwl_check_keys(L, at, node, keys);
  float min = 0, max = 0;
  lwl_need_float(L, at, node, "min", &lwl_seconds_not_negative, &min);
  if (lwl_opt_float(L, at, node, "max", &lwl_seconds_not_negative, &max) && max < min)
    lwl_raise_at(L, at, "max", "is %f, expected seconds >= min, which is %f", (lua_Number)max, (lua_Number)min);
}

/// @return Whether the node has that function.
static bool check_function(lua_State *L, const lwl_at *at, int node, const char *key) {
  const int type = lwl_get(L, node, key);
  if (type != LUA_TNIL && type != LUA_TFUNCTION) lwl_raise_expected(L, at, key, "a function", -1);
  lua_pop(L, 1);
  return type == LUA_TFUNCTION;
}

static void check_leaf(lua_State *L, const lwl_at *at, int node) {
  static const char *const keys[] = {"kind", "name", "options", "start", "tick", "stop", NULL};
  lwl_check_keys(L, at, node, keys);
  const bool starts = check_function(L, at, node, "start"), ticks = check_function(L, at, node, "tick");
  check_function(L, at, node, "stop");
  if (!starts && !ticks) lwl_raise_missing(L, at, "tick", "a function: a leaf needs 'start' or 'tick'");
  const int type = lwl_get(L, node, "options");
  if (type != LUA_TNIL && type != LUA_TTABLE) lwl_raise_expected(L, at, "options", "a table", -1);
  lua_pop(L, 1);
}

static int check_node(lua_State *L, const lwl_at *at, int node, int depth);

/// @return The count of nodes below and including this one.
static int check_children(lua_State *L, const lwl_at *at, int node, int depth) {
  static const char *const keys[] = {"kind", "name", NULL};
  const lua_Integer length = (lua_Integer)lua_rawlen(L, node);
  lwl_check_keys_and_list(L, at, node, keys, length);
  if (length == 0) lwl_raise(L, at->where, "%s has no children, expected at least one", at->prefix);
  int count = 1;
  for (lua_Integer i = 1; i <= length; ++i) {
    const lwl_at inside = {at->where, lua_pushfstring(L, "%s[%I]", at->prefix, (LUAI_UACINT)i)};
    lua_rawgeti(L, node, i);
    count += check_node(L, &inside, lua_gettop(L), depth + 1);
    if (count > MAX_NODES)
      lwl_raise(L, at->where, "the tree has %d nodes or more, expected at most %d", count, MAX_NODES);
    lua_pop(L, 2);
  }
  return count;
}

static int check_node(lua_State *L, const lwl_at *at, int node, int depth) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (depth > MAX_DEPTH)
    lwl_raise(L, at->where, "the tree is deeper than %d nodes, expected no node that contains itself",
              MAX_DEPTH);
  if (!lua_istable(L, node))
    lwl_raise(L, at->where, "%s is %s, expected a node", at->prefix, lwl_describe(L, node));
  const int top = lua_gettop(L);
  lwl_at inside = {at->where, *at->prefix ? lua_pushfstring(L, "%s.", at->prefix) : ""};
  const lw_node_kind kind = check_kind(L, &inside, node);
  const char *name = NULL;
  lwl_opt_string(L, &inside, node, "name", &name);
  int count = 1;
  switch (kind) {
  case LW_WAIT: check_wait(L, &inside, node); break;
  case LW_LEAF: check_leaf(L, &inside, node); break;
  case LW_SEQUENCE:
  case LW_SELECTOR:
    inside.prefix = *at->prefix ? at->prefix : lwl_enum_name(LWL_NODE_KIND, (int)kind);
    count = check_children(L, &inside, node, depth);
    break;
  }
  lua_settop(L, top);
  return count;
}

// --- compiling -----------------------------------------------------------------------------------------------

typedef struct compiler {
  lw_node_def *nodes; ///< [capacity]
  int count, capacity;
  int leaves; ///< Stack index of the list of leaves, and of that which keeps the names of nodes.
  int names;
} compiler;

/// Append { start, tick, stop, options } to the leaves. @return Its number.
static uint32_t add_leaf(lua_State *L, const compiler *into, int node) {
  static const char *const keys[] = {"start", "tick", "stop", "options"};
  lua_createtable(L, 4, 0);
  for (int i = LWL_LEAF_START; i <= LWL_LEAF_OPTIONS; ++i) {
    if (lwl_get(L, node, keys[i - 1]) == LUA_TNIL) {
      lua_pop(L, 1);
      if (i == LWL_LEAF_OPTIONS)
        lua_newtable(L);
      else
        lua_pushboolean(L, 0);
    }
    lua_rawseti(L, -2, i);
  }
  const lua_Integer number = (lua_Integer)lua_rawlen(L, into->leaves) + 1;
  lua_rawseti(L, into->leaves, number);
  return (uint32_t)number;
}

static void compile_node(lua_State *L, compiler *into, int node) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  const lwl_at at = {"tree", ""};
  // A finaliser may have changed the description since it was checked.
  if (into->count == into->capacity || !lua_istable(L, node))
    lwl_raise(L, at.where, "the description changed while it was read");
  lw_node_def *def = &into->nodes[into->count++];
  *def = (lw_node_def){.kind = check_kind(L, &at, node)};
  if (lwl_get(L, node, "name") != LUA_TNIL) def->name = lwl_check_text(L, &at, "name", "a string", -1);
  lua_rawseti(L, into->names, into->count);
  if (def->kind == LW_LEAF) {
    def->leaf = add_leaf(L, into, node);
    if (!def->name) def->name = lwl_enum_name(LWL_NODE_KIND, LW_LEAF);
  } else if (def->kind == LW_WAIT) {
    lwl_opt_float(L, &at, node, "min", &lwl_seconds_not_negative, &def->wait_min);
    def->wait_max = def->wait_min;
    lwl_opt_float(L, &at, node, "max", &lwl_seconds_not_negative, &def->wait_max);
  } else {
    def->child_count = (int)lua_rawlen(L, node);
    for (int i = 1; i <= def->child_count; ++i) {
      lua_rawgeti(L, node, i);
      compile_node(L, into, lua_gettop(L));
      lua_pop(L, 1);
    }
  }
}

/// Push the box of the description at index.
static lwl_box *push_compiled(lua_State *L, const char *where, int description, const char *name) {
  const int bottom = lua_gettop(L) + 1;
  description = lua_absindex(L, description);
  const int count = check_node(L, &(lwl_at){where, ""}, description, 1);
  lwl_box *box = lwl_new_box(L, LWL_TREE, sizeof *box, 1, destroy, NULL);
  lua_newtable(L);
  compiler into = {.capacity = count, .leaves = bottom + 1, .names = bottom + 3};
  into.nodes = lua_newuserdatauv(L, (size_t)count * sizeof(lw_node_def), 0);
  lua_newtable(L);
  compile_node(L, &into, description);
  const lw_tree_def def = {.name = name, .nodes = into.nodes, .node_count = into.count};
  lw_tree *tree = NULL;
  lw_error error = {0};
  if (lw_tree_create(&def, &tree, &error) != LW_OK) lwl_raise(L, where, "%s", error.text);
  lwl_fill_box(box, tree);
  lua_settop(L, bottom + 1);
  lua_setiuservalue(L, bottom, 1);
  return box;
}

// --- by name -------------------------------------------------------------------------------------------------

/// For a name and the roots.
#define LOOKED "looked for behaviors/trees/%s.lua in %s"

static void keep(lua_State *L, const char *name) {
  lwl_push_registry(L, LWL_REG_TREES);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/// Run behaviors/trees/NAME.lua, an ordinary Lua file, and push what it returns. Its errors are raised
/// unchanged.
static void run_tree_file(lua_State *L, const char *file, const char *name) {
  if (luaL_loadfilex(L, file, "t") != LUA_OK) lua_error(L);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  if (!lua_istable(L, -1)) lwl_raise(L, file, "result is %s, expected a tree", lwl_describe(L, -1));
}

/// Push the box of the tree of that name. @return NULL: there is no such tree; nothing is pushed.
static lwl_box *push_named(lua_State *L, const char *name) {
  const int bottom = lua_gettop(L) + 1;
  lwl_push_registry(L, LWL_REG_TREES);
  if (lua_getfield(L, bottom, name) == LUA_TUSERDATA) {
    lua_replace(L, bottom);
    return lua_touserdata(L, bottom);
  }
  const char *file =
      lwl_is_file_name(name) ? lwl_find_file(L, lua_pushfstring(L, "behaviors/trees/%s.lua", name)) : NULL;
  if (!file) return lua_settop(L, bottom - 1), NULL;
  run_tree_file(L, file, name);
  lwl_box *box = push_compiled(L, file, lua_gettop(L), name);
  keep(L, name);
  lua_replace(L, bottom);
  lua_settop(L, bottom);
  return box;
}

static _Noreturn void raise_unknown(lua_State *L, const char *where, const char *name) {
  lwl_guess guess = {NULL, 0};
  lua_newtable(L);
  const int set = lua_gettop(L);
  lwl_add_file_names(L, "behaviors/trees");
  lwl_push_registry(L, LWL_REG_TREES);
  for (int table = set; table <= set + 1; ++table) {
    lua_pushnil(L);
    while (lua_next(L, table)) {
      lwl_guess_consider(&guess, name, lua_tostring(L, -2));
      lua_pop(L, 1);
    }
  }
  const char *roots = lwl_push_roots(L), *hint = lwl_push_guess(L, &guess);
  lwl_raise(L, where, "tree is '%s', expected the name of a tree; " LOOKED "%s", name, name, roots, hint);
}

lwl_box *lwl_push_tree(lua_State *L, const char *where, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
  case LUA_TSTRING: {
    const char *name = lwl_check_text(L, &(lwl_at){where, ""}, "tree", "the name of a tree", index);
    lwl_box *box = push_named(L, name);
    if (!box) raise_unknown(L, where, name);
    return box;
  }
  case LUA_TTABLE: {
    lwl_box *box = push_compiled(L, lua_pushfstring(L, "%s: tree", where), index, "tree");
    lua_remove(L, -2);
    return box;
  }
  default: break;
  }
  lwl_box *box = lwl_test_box(L, index, LWL_TREE);
  if (!box) lwl_raise_expected(L, &(lwl_at){where, ""}, "tree", "a name, a tree or its description", index);
  lua_pushvalue(L, index);
  return box;
}

/*
** leeward.tree(name) --> tree | nil, message, code
** leeward.tree(name, description) --> tree
*/
static int tree(lua_State *L) {
  const char *name = lwl_check_name(L, "tree", 1);
  if (lua_isnoneornil(L, 2)) {
    if (push_named(L, name)) return 1;
    const char *roots = lwl_push_roots(L);
    return lwl_fail(L, LW_NOT_FOUND, lua_pushfstring(L, "there is no tree '%s'; " LOOKED, name, name, roots));
  }
  lwl_check_table(L, "tree", 2);
  push_compiled(L, lua_pushfstring(L, "tree '%s'", name), 2, name);
  keep(L, name);
  return 1;
}

static int tree_name(lua_State *L) {
  lua_pushstring(L, lw_tree_name(lwl_check_box(L, 1, LWL_TREE, "name")->object));
  return 1;
}

// --- leaves --------------------------------------------------------------------------------------------------

typedef struct leaf_run {
  lwl_world *world;
  lw_world *of; ///< The C world.
  lw_agent_id agent;
  lw_leaf_call *call;
  lw_node_status status;
  lwl_budget *budget;
} leaf_run;

/// Stack of call_leaf().
enum { RUN = 1, WORLD, AGENT, TREE, LEAVES, LEAF, STATES, STATE };

/// Raise at the line where the leaf's function, on top of the stack, is defined.
static _Noreturn void raise_in_function(lua_State *L, const char *message) {
  lua_Debug info;
  lua_getinfo(L, ">S", &info);
  luaL_error(L, "%s:%d: %s", info.short_src, info.linedefined, message);
  __builtin_unreachable();
}

/// Record "LEAF: reason", or the leaf alone, for lw_agent_why(). Allocates nothing in Lua.
/// @param reason  NULL: the leaf gave none.
static void set_reason(const leaf_run *run, const char *reason) {
  lw_world *world = run->of;
  char path[1024], text[512];
  const int length = lw_tree_node_path(lw_agent_tree(world, run->agent), run->call->node, path, sizeof path);
  const char *name = length > 0 && length < (int)sizeof path ? path : "a leaf";
  for (const char *next; (next = strstr(name, " > "));) name = next + 3;
  snprintf(text, sizeof text, "%.200s%s%.250s", name, reason ? ": " : "", reason ? reason : "");
  lw_agent_set_reason(world, run->agent, text);
}

static void read_running(lua_State *L, leaf_run *run, int seconds, int function) {
  run->status = LW_RUNNING;
  lua_rawgeti(L, LEAF, LWL_LEAF_TICK);
  if (!lua_isfunction(L, -1)) {
    lua_pushvalue(L, function);
    raise_in_function(L, "returned 'running', but the leaf has no 'tick'");
  }
  if (lua_isnil(L, seconds)) return;
  const double sleep = lua_type(L, seconds) == LUA_TNUMBER ? lua_tonumber(L, seconds) : -1;
  if (!(sleep >= 0)) {
    const char *got = lwl_describe(L, seconds);
    const char *message = lua_pushfstring(L, "returned 'running', %s, expected seconds to sleep >= 0", got);
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
  run->call->wake += sleep;
}

/// Read "success" | "failure", reason | "running", seconds.
static void read_answer(lua_State *L, leaf_run *run, int answer, int function) {
  const char *text = lwl_to_text(L, answer);
  if (!text) text = "";
  if (strcmp(text, "success") == 0) {
    run->status = LW_SUCCESS;
  } else if (strcmp(text, "failure") == 0) {
    run->status = LW_FAILURE;
    const bool is_text = lua_type(L, answer + 1) == LUA_TSTRING;
    set_reason(run, is_text ? lwl_push_shown(L, answer + 1, LWL_MESSAGE_MAX) : NULL);
  } else if (strcmp(text, "running") == 0) {
    read_running(L, run, answer + 1, function);
  } else {
    const char *got = lwl_describe(L, answer);
    const char *message = lua_pushfstring(L, "returned %s, expected 'success', 'failure' or 'running'", got);
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
}

/// Push this activation's state, which START creates and STOP removes.
static void push_state(lua_State *L, const lw_leaf_call *call) {
  if (call->event == LW_LEAF_START) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, STATES, call->node);
    return;
  }
  lua_rawgeti(L, STATES, call->node);
  if (call->event != LW_LEAF_STOP) return;
  lua_pushnil(L);
  lua_rawseti(L, STATES, call->node);
}

/// Push what the leaf has for the event, or a value that is no function. @return Its name, for messages.
static const char *push_function(lua_State *L, lw_leaf_event event) {
  if (event == LW_LEAF_STOP) return lua_rawgeti(L, LEAF, LWL_LEAF_STOP), "the leaf's stop";
  if (event == LW_LEAF_START) {
    if (lua_rawgeti(L, LEAF, LWL_LEAF_START) == LUA_TFUNCTION) return "the leaf's start";
    lua_pop(L, 1);
  }
  return lua_rawgeti(L, LEAF, LWL_LEAF_TICK), "the leaf's tick";
}

/// In protected mode: call the leaf's function.
static int call_leaf(lua_State *L) {
  static const char *const ends[] = {"success", "failure", "aborted"};
  leaf_run *run = lua_touserdata(L, RUN);
  const lw_leaf_call *call = run->call;
  if (!lwl_push_agent(L, WORLD, run->agent)) return luaL_error(L, "the agent is unknown");
  lua_getiuservalue(L, AGENT, LWL_AGENT_TREE);
  lua_getiuservalue(L, TREE, 1);
  lua_rawgeti(L, LEAVES, call->leaf);
  lua_getiuservalue(L, AGENT, LWL_AGENT_STATES);
  push_state(L, call);
  run->budget->function = push_function(L, call->event);
  const int function = STATE + 1;
  if (!lua_isfunction(L, function) || lua_isnil(L, STATE)) return 0; /* nothing to stop, or it never began */
  lua_pushvalue(L, function);
  lua_pushvalue(L, AGENT);
  lua_rawgeti(L, LEAF, LWL_LEAF_OPTIONS);
  lua_pushvalue(L, STATE);
  if (call->event == LW_LEAF_STOP) {
    lua_pushstring(L, ends[call->end]);
    lua_call(L, 4, 0);
  } else {
    lua_call(L, 3, 2);
    read_answer(L, run, function + 1, function);
  }
  return 0;
}

int lwl_add_place(lua_State *L) {
  const bool is_text = lua_type(L, 1) == LUA_TSTRING;
  luaL_tolstring(L, 1, NULL);
  const char *message = lwl_push_shown(L, -1, LWL_MESSAGE_MAX);
  lua_Debug info;
  for (int level = 1; lua_getstack(L, level, &info); ++level) {
    lua_getinfo(L, "Sl", &info);
    if (info.currentline <= 0) continue;
    if (strncmp(message, info.short_src, strlen(info.short_src)) == 0) break;
    if (is_text && strstr(message, ".lua:")) break; /* the message has a place already */
    lua_pushfstring(L, "%s:%d: %s", info.short_src, info.currentline, message);
    return 1;
  }
  lua_pushstring(L, message);
  return 1;
}

/// Let the leaf fail, and log the error on top of the stack with the agent and the node. Allocates nothing in
/// Lua. @param message  Instead of that error. NULL: none.
static void fail(lua_State *L, leaf_run *run, const char *message) {
  lw_world *world = run->of;
  run->status = LW_FAILURE;
  if (!message) message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
  char line[512], path[256] = "";
  lwi_text_show(line, sizeof line, message);
  const lw_tree *tree = lw_agent_tree(world, run->agent);
  if (tree) lw_tree_node_path(tree, run->call->node, path, sizeof path);
  set_reason(run, line);
  lw_world_log(world, LW_LOG_ERROR, "%s, agent %s: %s", path, LWL_ID_NAME(run->agent), line);
}

/// Call the leaf in protected mode and report its error.
static void run_leaf(lua_State *L, leaf_run *run) {
  lwl_world *self = run->world;
  const int top = lua_gettop(L);
  lua_pushcfunction(L, lwl_add_place);
  lua_pushcfunction(L, call_leaf);
  lua_pushlightuserdata(L, run);
  if (lwl_push_world(L, self)) {
    lwl_budget budget;
    run->budget = &budget;
    lwl_begin_budget(L, self->calls, &budget, self->leaf_instructions);
    const bool good = lua_pcall(L, 2, 0, top + 1) == LUA_OK;
    const char *overrun = lwl_end_budget(L, self->calls, &budget);
    self->L = L;
    if (!good || overrun) fail(L, run, overrun);
  }
  lua_settop(L, top);
}

lw_node_status lwl_run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  lwl_world *self = user;
  lua_State *L = self->L;
  leaf_run run = {.world = self, .of = world, .agent = agent, .call = call, .status = LW_FAILURE};
  if (!lua_checkstack(L, LUA_MINSTACK)) return LW_FAILURE;
  if (!self->pending) return run_leaf(L, &run), run.status;
  // The world was destroyed: what runs is stopped, and nothing begins.
  if (call->event != LW_LEAF_STOP) return LW_RUNNING;
  self->box.object = world;
  run_leaf(L, &run);
  self->box.object = NULL;
  return run.status;
}

static const luaL_Reg methods[] = {{"name", tree_name}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"tree", tree}, {NULL, NULL}};

void lwl_open_tree(lua_State *L) {
  lwl_new_type(L, LWL_TREE, methods, meta, NULL);
  lwl_set_functions(L, functions, NULL);
}
