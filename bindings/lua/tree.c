/*
** Behaviour trees: descriptions in plain tables, compiled for the C executor.
*/
#include "lwl.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_NODES = 1 << 16 };

static void destroy(void *object) {
  lw_tree_destroy(object);
}

static const char *const kind_names[] = {"sequence", "selector", "wait", "leaf"};

// --- checking -------------------------------------------------------------------------------------------------

static lw_node_kind check_kind(lua_State *L, const lwl_at *at, int node) {
  lwl_guess guess = {NULL, 0};
  if (lwl_get(L, node, "kind") != LUA_TSTRING)
    lwl_raise_expected(L, at, "kind", "sequence, selector, wait or leaf", -1);
  const char *name = lua_tostring(L, -1);
  for (int i = LW_SEQUENCE; i <= LW_LEAF; ++i) {
    if (strcmp(name, kind_names[i]) == 0) return lua_pop(L, 1), (lw_node_kind)i;
    lwl_guess_consider(&guess, name, kind_names[i]);
  }
  lwl_raise(L, at->where, "'%skind' expected sequence, selector, wait or leaf, got '%s'.%s", at->prefix, name,
            lwl_push_guess(L, &guess));
}

static void check_wait(lua_State *L, const lwl_at *at, int node) {
  static const char *const keys[] = {"kind", "name", "min", "max", NULL};
  lwl_check_keys(L, at, node, keys);
  float min = 0, max = 0;
  if (!lwl_opt_float(L, at, node, "min", &lwl_not_negative, &min)) {
    lua_pushnil(L);
    lwl_raise_expected(L, at, "min", lwl_not_negative.text, -1);
  }
  if (lwl_opt_float(L, at, node, "max", &lwl_not_negative, &max) && max < min) {
    lwl_get(L, node, "max");
    lwl_raise_expected(L, at, "max", "a number not below 'min'", -1);
  }
}

/// @return whether there is such a function
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
  if (!starts && !ticks)
    lwl_raise(L, at->where, "'%stick' expected a function: a leaf has 'start' or 'tick'", at->prefix);
  const int type = lwl_get(L, node, "options");
  if (type != LUA_TNIL && type != LUA_TTABLE) lwl_raise_expected(L, at, "options", "a table", -1);
  lua_pop(L, 1);
}

static int check_node(lua_State *L, const lwl_at *at, int node, int depth);

/// @return How many nodes it has, itself included.
static int check_children(lua_State *L, const lwl_at *at, int node, int depth) {
  static const char *const keys[] = {"kind", "name", NULL};
  const lua_Integer length = (lua_Integer)lua_rawlen(L, node);
  lwl_check_keys_and_list(L, at, node, keys, length);
  if (length == 0) lwl_raise(L, at->where, "'%s' has no children", at->prefix);
  int count = 1;
  for (lua_Integer i = 1; i <= length; ++i) {
    const lwl_at inside = {at->where, lua_pushfstring(L, "%s[%I]", at->prefix, (LUAI_UACINT)i)};
    lua_rawgeti(L, node, i);
    count += check_node(L, &inside, lua_gettop(L), depth + 1);
    if (count > MAX_NODES) lwl_raise(L, at->where, "the tree has more than %d nodes", MAX_NODES);
    lua_pop(L, 2);
  }
  return count;
}

static int check_node(lua_State *L, const lwl_at *at, int node, int depth) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (depth > MAX_DEPTH)
    lwl_raise(L, at->where, "the tree is deeper than %d nodes; does it contain itself?", MAX_DEPTH);
  if (!lua_istable(L, node)) {
    const char *got = lwl_describe(L, node);
    lwl_raise(L, at->where, "'%s' expected a node, got %s", at->prefix, got);
  }
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
    if (!*at->prefix)
      inside.prefix = kind_names[kind];
    else
      inside.prefix = at->prefix;
    count = check_children(L, &inside, node, depth);
    break;
  }
  lua_settop(L, top);
  return count;
}

// --- compiling ------------------------------------------------------------------------------------------------

/// What is being filled.
typedef struct compiler {
  lw_node_def *nodes;
  int count;
  int leaves; ///< Stack index of the list of leaves.
} compiler;

/// Append { start, tick, stop, options } to the leaves. @return its number
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
  lw_node_def *def = &into->nodes[into->count++];
  *def = (lw_node_def){.kind = check_kind(L, &at, node)};
  lwl_opt_string(L, &at, node, "name", &def->name);
  if (def->kind == LW_LEAF) {
    def->leaf = add_leaf(L, into, node);
    if (!def->name) def->name = kind_names[LW_LEAF];
  } else if (def->kind == LW_WAIT) {
    lwl_opt_float(L, &at, node, "min", &lwl_not_negative, &def->wait_min);
    def->wait_max = def->wait_min;
    lwl_opt_float(L, &at, node, "max", &lwl_not_negative, &def->wait_max);
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
  compiler into = {lua_newuserdatauv(L, (size_t)count * sizeof(lw_node_def), 0), 0, bottom + 1};
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

// --- by name --------------------------------------------------------------------------------------------------

static void keep(lua_State *L, const char *name) {
  lwl_push_registry(L, LWL_REG_TREES);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/// Run behaviors/trees/NAME.lua, an ordinary Lua file, and push what it returns. An error goes on as it is.
static void run_tree_file(lua_State *L, const char *file, const char *name) {
  if (luaL_loadfilex(L, file, "t") != LUA_OK) lua_error(L);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  if (!lua_istable(L, -1)) luaL_error(L, "%s: expected to return a tree, got %s", file, lwl_describe(L, -1));
}

/// Push the box of the tree of that name. @return NULL: there is none (then nothing is pushed)
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
  lwl_raise(L, where, "'tree': there is no tree '%s'.%s", name, lwl_push_guess(L, &guess));
}

lwl_box *lwl_push_tree(lua_State *L, const char *where, int index) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
  case LUA_TSTRING: {
    lwl_box *box = push_named(L, lua_tostring(L, index));
    if (!box) raise_unknown(L, where, lua_tostring(L, index));
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
    return lwl_fail(L, LW_NOT_FOUND,
                    lua_pushfstring(L, "there is no tree '%s'; looked for behaviors/trees/%s.lua in %s", name,
                                    name, roots));
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

static const luaL_Reg methods[] = {{"name", tree_name}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"tree", tree}, {NULL, NULL}};

void lwl_open_tree(lua_State *L) {
  lwl_new_type(L, LWL_TREE, methods, meta);
  luaL_setfuncs(L, functions, 0);
}
