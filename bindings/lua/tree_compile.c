/*
** Behaviour trees: descriptions in plain tables, checked and compiled for the C executor.
*/
#include "sandbox.h"
#include "tree.h"

#include <limits.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NODES = 1 << 16 };

static void destroy(void *object) {
  lw_tree_destroy(object);
}

// --- what is read --------------------------------------------------------------------------------------------

/// Where a description is compiled to. While it is only checked, there is no list of leaves.
typedef struct compiler {
  lw_node_def *nodes; ///< [capacity]
  int count, capacity;
  const char *where;  ///< For messages.
  const char *source; ///< Of the node that is read, or the one around it; NULL: it is not known.
  int leaves;         ///< Stack index of the list of leaves; 0: it is only checked.
  int anchors;        ///< Of the list that keeps the texts of nodes.
  int ports;          ///< Of the table of the ports of the subtree that is read; 0: none.
} compiler;

/// A node that is read.
typedef struct reader {
  compiler *into;
  const lwl_at *at;
  int node; ///< Stack index of its description.
  lw_node_def *def;
} reader;

static const char *const statuses[] = {"failure", "success", NULL};
static const char *const aborts[] = {"none", "self", "lower", "both", NULL};
static const char *const tests[] = {"set",     "unset", "equal",    "differs", "below",
                                    "at_most", "above", "at_least", "call",    NULL};
static const lw_range times_range = {0, INT32_MAX, NULL, false}, weight_range = {0, 1e6, NULL, true};

static lw_node_kind check_kind(lua_State *L, const lwl_at *at, int node) {
  lwl_get(L, node, "kind");
  const int kind = lwl_check_enum(L, at, "kind", -1, LWL_NODE_KIND);
  lua_pop(L, 1);
  return (lw_node_kind)kind;
}

/// Keep the text on top of the stack while the tree is compiled, and pop it.
static const char *keep_text(lua_State *L, const compiler *into) {
  const char *text = lua_tostring(L, -1);
  if (into->anchors == 0) return lua_pop(L, 1), text;
  lua_rawseti(L, into->anchors, (lua_Integer)lua_rawlen(L, into->anchors) + 1);
  return text;
}

/// Replace the key on top of the stack by what the ports of the subtree make of it.
static void map_key(lua_State *L, const compiler *into) {
  if (into->ports == 0) return;
  lua_pushvalue(L, -1);
  if (lua_rawget(L, into->ports) == LUA_TSTRING)
    lua_remove(L, -2);
  else
    lua_pop(L, 1);
}

const char *lwl_check_key(lua_State *L, const lwl_at *at, const char *field, int index) {
  const char *key = lwl_check_text(L, at, field, "a key of the blackboard", index);
  if (!*key || strlen(key) > LW_KEY_MAX) lwl_raise_expected(L, at, field, "a key of 1 to 127 bytes", index);
  return key;
}

/// Append { start, tick, stop, options, run, save, load } to the leaves, with the function on top of the stack as `tick`, which is
/// popped. @return Its number.
static uint32_t add_function(lua_State *L, const compiler *into) {
  if (into->leaves == 0) return lua_pop(L, 1), 0;
  lwl_guard_function(L);
  lua_createtable(L, LWL_LEAF_FIELDS, 0);
  for (int i = 1; i <= LWL_LEAF_FIELDS; ++i) {
    if (i == LWL_LEAF_TICK)
      lua_pushvalue(L, -2);
    else
      lua_pushboolean(L, 0);
    lua_rawseti(L, -2, i);
  }
  const lua_Integer number = (lua_Integer)lua_rawlen(L, into->leaves) + 1;
  lua_rawseti(L, into->leaves, number);
  lua_pop(L, 1);
  return (uint32_t)number;
}

static void read_times(lua_State *L, const reader *r) {
  lwl_opt_int(L, r->at, r->node, "times", &times_range, &r->def->count);
}

static void need_seconds(lua_State *L, const reader *r, const lw_range *range) {
  lwl_need_float(L, r->at, r->node, "seconds", range, &r->def->seconds);
}

static void read_wait(lua_State *L, const reader *r) {
  lw_node_def *def = r->def;
  lwl_need_float(L, r->at, r->node, "min", &lwl_seconds_not_negative, &def->wait_min);
  def->wait_max = def->wait_min;
  if (lwl_opt_float(L, r->at, r->node, "max", &lwl_seconds_not_negative, &def->wait_max) &&
      def->wait_max < def->wait_min)
    lwl_raise_at(L, r->at, "max", "is %f, expected seconds >= min, which is %f", (lua_Number)def->wait_max,
                 (lua_Number)def->wait_min);
}

static int need_choice(lua_State *L, const reader *r, const char *key, const char *const *names) {
  lwl_get(L, r->node, key);
  const int choice = lwl_check_choice(L, r->at, key, -1, names);
  lua_pop(L, 1);
  return choice;
}

// --- leaves --------------------------------------------------------------------------------------------------

/// @return Whether the node has that function.
static bool check_function(lua_State *L, const reader *r, const char *key) {
  const int type = lwl_get(L, r->node, key);
  if (type != LUA_TNIL && type != LUA_TFUNCTION) lwl_raise_expected(L, r->at, key, "a function", -1);
  lua_pop(L, 1);
  return type == LUA_TFUNCTION;
}

/// In a subtree: push a copy of the options on top of the stack, in their place, whose keys of the blackboard are those
/// of the tree around it.
static void map_options(lua_State *L, const reader *r) {
  if (r->into->ports == 0 || lwl_get(L, r->node, "ports") != LUA_TTABLE) {
    if (r->into->ports != 0) lua_pop(L, 1);
    return;
  }
  const int ports = lua_gettop(L), options = ports - 1;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, options);) {
    lua_pushvalue(L, -2);
    const bool is_port = lua_rawget(L, ports) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_port && lua_type(L, -1) == LUA_TSTRING) map_key(L, r->into);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, ports + 1);
  }
  lua_replace(L, options);
  lua_settop(L, options);
}

static void push_options(lua_State *L, const reader *r) {
  if (lwl_get(L, r->node, "options") == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
  }
  map_options(L, r);
  lwl_protect_options(L, r->def->name ? r->def->name : "leaf");
}

/// How many arguments the function of that name may look at.
static int count_parameters(lua_State *L, const reader *r, const char *key) {
  if (lwl_get(L, r->node, key) != LUA_TFUNCTION) return lua_pop(L, 1), 0;
  lua_Debug info;
  lua_getinfo(L, ">u", &info);
  return info.isvararg ? UCHAR_MAX : info.nparams;
}

/// What the functions of the leaf need, for its number.
static uint32_t read_needs(lua_State *L, const reader *r) {
  const int start = count_parameters(L, r, "start"), tick = count_parameters(L, r, "tick");
  const int count = start > tick ? start : tick, top = lua_gettop(L);
  const bool is_stopped = lwl_get(L, r->node, "stop") != LUA_TNIL || lwl_get(L, r->node, "run") != LUA_TNIL;
  const bool is_saved = lwl_get(L, r->node, "save") != LUA_TNIL;
  lua_settop(L, top);
  r->def->without_stop = !is_stopped;
  if (is_stopped || is_saved || count > 2) return LWL_NEEDS_AGENT | LWL_NEEDS_OPTIONS | LWL_NEEDS_STATE;
  return (count > 0 ? LWL_NEEDS_AGENT : 0) | (count > 1 ? LWL_NEEDS_OPTIONS : 0);
}

/// Append { start or tick, tick, stop, options, run, save, load } to the leaves.
/// @return Its number, with what is to be known of it.
static uint32_t add_leaf(lua_State *L, const reader *r) {
  static const char *const keys[] = {"start", "tick", "stop", "options", "run", "save", "load"};
  if (r->into->leaves == 0) return 0;
  const uint32_t needs = read_needs(L, r);
  lua_createtable(L, LWL_LEAF_FIELDS, 0);
  for (int i = 1; i <= LWL_LEAF_FIELDS; ++i) {
    if (i == LWL_LEAF_OPTIONS) {
      push_options(L, r);
    } else if (lwl_get(L, r->node, keys[i - 1]) == LUA_TNIL) {
      lua_pop(L, 1);
      lua_pushboolean(L, 0);
    } else if (lua_isfunction(L, -1)) {
      lwl_guard_function(L);
    }
    lua_rawseti(L, -2, i);
  }
  const bool has_start = lua_rawgeti(L, -1, LWL_LEAF_START) == LUA_TFUNCTION;
  lua_pop(L, 1);
  if (!has_start) {
    lua_rawgeti(L, -1, LWL_LEAF_TICK);
    lua_rawseti(L, -2, LWL_LEAF_START);
  }
  const lua_Integer number = (lua_Integer)lua_rawlen(L, r->into->leaves) + 1;
  lua_pushvalue(L, -1);
  lua_rawseti(L, r->into->leaves, number);
  for (int i = 0; i < 3; ++i) {
    static const int fields[] = {LWL_LEAF_START, LWL_LEAF_TICK, LWL_LEAF_OPTIONS};
    lua_rawgeti(L, -1, fields[i]);
    lua_rawseti(L, r->into->leaves, number + 1 + i);
  }
  lua_pop(L, 1);
  return (uint32_t)number | needs | (has_start ? LWL_HAS_START : 0);
}

static void check_table_at(lua_State *L, const reader *r, const char *key) {
  const int type = lwl_get(L, r->node, key);
  if (type != LUA_TNIL && type != LUA_TTABLE) lwl_raise_expected(L, r->at, key, "a table", -1);
  lua_pop(L, 1);
}

static void check_saving(lua_State *L, const reader *r, bool runs) {
  const int type = lwl_get(L, r->node, "save");
  const bool loads = check_function(L, r, "load");
  r->def->saves = type != LUA_TNIL;
  if (r->def->saves && type != LUA_TFUNCTION && !(type == LUA_TBOOLEAN && lua_toboolean(L, -1)))
    lwl_raise_expected(L, r->at, "save", "true or a function", -1);
  if (r->def->saves && runs)
    lwl_raise_at(L, r->at, "save",
                 "is given, expected none beside 'run': where a coroutine is cannot be saved");
  if (loads && !r->def->saves) lwl_raise_at(L, r->at, "load", "is given, expected 'save' beside it");
  lua_pop(L, 1);
}

static void read_leaf(lua_State *L, const reader *r) {
  const bool starts = check_function(L, r, "start"), ticks = check_function(L, r, "tick");
  const bool runs = check_function(L, r, "run");
  check_function(L, r, "stop");
  check_saving(L, r, runs);
  if (!starts && !ticks && !runs)
    lwl_raise_missing(L, r->at, "tick", "a function: a leaf needs 'start' or 'tick'");
  if (runs && (starts || ticks))
    lwl_raise_at(L, r->at, "run", "is given, expected no 'start' and no 'tick' beside it");
  check_table_at(L, r, "options");
  check_table_at(L, r, "ports");
  if (!r->def->name) r->def->name = lwl_enum_name(LWL_NODE_KIND, LW_LEAF);
  r->def->leaf = add_leaf(L, r);
}

// --- what reads the blackboard -------------------------------------------------------------------------------

/// The list of keys at `reads`.
static void read_keys(lua_State *L, const reader *r, const char **keys) {
  if (lwl_get(L, r->node, "reads") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  const lua_Integer count = lwl_check_list(L, r->at, "reads", -1);
  if (count > LW_NODE_KEYS_MAX)
    lwl_raise_at(L, r->at, "reads", "is a list of %I, expected at most 64 keys", count);
  const int list = lua_gettop(L);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, list, i);
    lwl_check_key(L, r->at, "reads", -1);
    map_key(L, r->into);
    keys[r->def->key_count++] = keep_text(L, r->into);
  }
  r->def->keys = keys;
  lua_settop(L, list - 1);
}

static void read_condition(lua_State *L, const reader *r, const char **keys) {
  lw_node_def *def = r->def;
  read_keys(L, r, keys);
  def->test = (lw_test)need_choice(L, r, "test", tests);
  if (lwl_get(L, r->node, "abort") != LUA_TNIL)
    def->abort = (lw_abort)lwl_check_choice(L, r->at, "abort", -1, aborts);
  lua_pop(L, 1);
  if (def->test == LW_TEST_CALL) {
    if (!check_function(L, r, "call")) lwl_raise_missing(L, r->at, "call", "a function");
    lwl_get(L, r->node, "call");
    def->leaf = add_function(L, r->into);
    return;
  }
  if (def->key_count == 0) lwl_raise_missing(L, r->at, "reads", "a list of keys");
  lwl_get(L, r->node, "value");
  def->value = lwl_to_value(L, -1, 0);
  if (def->test > LW_TEST_UNSET && (def->value.kind == LW_VALUE_NONE || def->value.kind == LW_VALUE_OBJECT))
    lwl_raise_expected(L, r->at, "value", "a number, string, boolean, point or agent", -1);
  if (def->value.kind == LW_VALUE_STRING)
    def->value.as.string = keep_text(L, r->into);
  else
    lua_pop(L, 1);
}

static void read_service(lua_State *L, const reader *r) {
  need_seconds(L, r, &lwl_seconds_positive);
  if (!check_function(L, r, "update")) lwl_raise_missing(L, r->at, "update", "a function");
  lwl_get(L, r->node, "update");
  r->def->leaf = add_function(L, r->into);
}

/// Whether the ports of a subtree are names by names.
static void check_ports(lua_State *L, const reader *r) {
  check_table_at(L, r, "ports");
  check_table_at(L, r, "inputs");
  if (lwl_get(L, r->node, "ports") != LUA_TNIL) {
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      const char *inner = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "ports";
      lwl_check_key(L, r->at, inner, -2);
      lwl_check_key(L, r->at, inner, -1);
    }
  }
  lua_pop(L, 1);
}

/// The score and weight of a child, by the lists of its parent.
static void read_child_numbers(lua_State *L, const reader *parent, int number, lw_node_def *child) {
  if (parent->def->kind == LW_RANDOM && lwl_get(L, parent->node, "weights") == LUA_TTABLE) {
    lua_rawgeti(L, -1, number);
    if (!lua_isnil(L, -1)) child->weight = (float)lwl_check_number(L, parent->at, "weights", -1, &weight_range);
    lua_pop(L, 1);
  }
  if (parent->def->kind == LW_RANDOM) lua_pop(L, 1);
  if (parent->def->kind != LW_UTILITY) return;
  lwl_get(L, parent->node, "scores");
  if (lua_istable(L, -1))
    lua_rawgeti(L, -1, number);
  else
    lua_pushnil(L);
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    child->score_leaf = add_function(L, parent->into);
  } else {
    if (lua_type(L, -1) != LUA_TSTRING)
      lwl_raise_item(L, parent->at, "scores", number, "a function or a key of the blackboard", -1);
    lwl_check_key(L, parent->at, "scores", -1);
    map_key(L, parent->into);
    child->score = keep_text(L, parent->into);
  }
  lua_pop(L, 1);
}

// --- nodes ---------------------------------------------------------------------------------------------------

static const char *const *keys_of(lw_node_kind kind) {
  static const char *const
      composite[] = {"kind", "name", "reactive", NULL},
      *const parallel[] = {"kind", "name", "succeed", "fail", NULL},
      *const random[] = {"kind", "name", "weights", NULL}, *const utility[] = {"kind",  "name",       "scores",
                                                                               "every", "hysteresis", "reads",
                                                                               NULL},
      *const wait[] = {"kind", "name", "min", "max", NULL}, *const leaf[] = {"kind",  "name",  "options",
                                                                             "ports", "start", "tick",
                                                                             "stop",  "run",   "save",
                                                                             "load",  NULL},
      *const plain[] = {"kind", "name", NULL}, *const status[] = {"kind", "name", "status", NULL},
      *const times[] = {"kind", "name", "times", NULL}, *const seconds[] = {"kind", "name", "seconds", NULL},
      *const condition[] = {"kind", "name", "reads", "test", "call", "value", "abort", NULL},
      *const every[] = {"kind", "name", "seconds", "update", "writes", NULL},
      *const subtree[] = {"kind", "name", "ports", "inputs", NULL};
  switch (kind) {
  case LW_SEQUENCE:
  case LW_SELECTOR: return composite;
  case LW_PARALLEL: return parallel;
  case LW_RANDOM: return random;
  case LW_UTILITY: return utility;
  case LW_WAIT:
  case LW_DELAY: return wait;
  case LW_LEAF: return leaf;
  case LW_INVERTER: return plain;
  case LW_FORCE:
  case LW_UNTIL: return status;
  case LW_REPEAT:
  case LW_RETRY:
  case LW_LIMITER: return times;
  case LW_TIMEOUT:
  case LW_COOLDOWN: return seconds;
  case LW_CONDITION: return condition;
  case LW_SERVICE: return every;
  case LW_SUBTREE: return subtree;
  }
  return plain;
}

/// Read all that a node says but its children.
static void read_node(lua_State *L, const reader *r, const char **keys) {
  lw_node_def *def = r->def;
  const int top = lua_gettop(L);
  const char *name = NULL;
  if (lwl_opt_string(L, r->at, r->node, "name", &name)) {
    lua_pushstring(L, name);
    def->name = keep_text(L, r->into);
  }
  switch (def->kind) {
  case LW_SEQUENCE:
  case LW_SELECTOR: lwl_opt_bool(L, r->at, r->node, "reactive", &def->reactive); break;
  case LW_PARALLEL:
    lwl_opt_int(L, r->at, r->node, "succeed", &times_range, &def->count);
    lwl_opt_int(L, r->at, r->node, "fail", &times_range, &def->failures);
    break;
  case LW_RANDOM: check_table_at(L, r, "weights"); break;
  case LW_UTILITY:
    lwl_opt_float(L, r->at, r->node, "every", &lwl_seconds_positive, &def->seconds);
    lwl_opt_float(L, r->at, r->node, "hysteresis", &lwl_not_negative, &def->hysteresis);
    read_keys(L, r, keys);
    break;
  case LW_WAIT:
  case LW_DELAY: read_wait(L, r); break;
  case LW_LEAF: read_leaf(L, r); break;
  case LW_FORCE:
  case LW_UNTIL: def->status = (lw_node_status)need_choice(L, r, "status", statuses); break;
  case LW_REPEAT:
  case LW_RETRY:
  case LW_LIMITER: read_times(L, r); break;
  case LW_TIMEOUT: need_seconds(L, r, &lwl_seconds_positive); break;
  case LW_COOLDOWN: need_seconds(L, r, &lwl_seconds_not_negative); break;
  case LW_CONDITION: read_condition(L, r, keys); break;
  case LW_SERVICE: read_service(L, r); break;
  case LW_SUBTREE: check_ports(L, r); break;
  case LW_INVERTER: break;
  }
  lua_settop(L, top);
}

/// The ports of a subtree within a subtree: those inside, by those of the tree around both. Pushes a table.
static void push_ports(lua_State *L, const reader *r) {
  lua_newtable(L);
  const int ports = lua_gettop(L);
  if (lwl_get(L, r->node, "ports") == LUA_TNIL) {
    lua_pop(L, 1);
    if (r->into->ports == 0) return;
    lua_pushvalue(L, r->into->ports); /* a group within the subtree: its keys are mapped as before */
    lua_replace(L, ports);
    return;
  }
  for (lua_pushnil(L); lua_next(L, -2);) {
    map_key(L, r->into);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, ports);
  }
  lua_pop(L, 1);
}

static void compile_node(lua_State *L, compiler *into, const lwl_at *at, int node, int depth,
                         lw_node_def *preset);

static void compile_children(lua_State *L, const reader *r, int depth) {
  compiler *into = r->into;
  const int outer = into->ports, top = lua_gettop(L);
  // The list of definitions may not move, but the reader's own is read before its children are appended.
  if (r->def->kind == LW_SUBTREE) {
    push_ports(L, r);
    into->ports = lua_gettop(L);
  }
  for (int i = 1; i <= r->def->child_count; ++i) {
    const lwl_at inside = {r->at->where, lua_pushfstring(L, "%s[%d]", r->at->prefix, i)};
    lw_node_def preset = {.kind = LW_SEQUENCE};
    read_child_numbers(L, r, i, &preset);
    lua_settop(L, top + 1 + (r->def->kind == LW_SUBTREE));
    lua_rawgeti(L, r->node, i);
    compile_node(L, into, &inside, lua_gettop(L), depth + 1, &preset);
    lua_settop(L, top + (r->def->kind == LW_SUBTREE));
  }
  into->ports = outer;
  lua_settop(L, top);
}

static bool is_composite(lw_node_kind kind) {
  return kind == LW_SEQUENCE || kind == LW_SELECTOR || (kind >= LW_PARALLEL && kind <= LW_UTILITY);
}

/// Raise unless the node has as many children as its kind wants.
static void check_child_count(lua_State *L, const reader *r) {
  const int count = r->def->child_count;
  if (is_composite(r->def->kind)) {
    if (count == 0) lwl_raise(L, r->at->where, "%s has no children, expected at least one", r->at->prefix);
    const bool is_drawn = r->def->kind == LW_RANDOM || r->def->kind == LW_UTILITY;
    if (is_drawn && count > LW_DRAWN_CHILDREN_MAX)
      lwl_raise(L, r->at->where, "%s has %d children, expected at most 64", r->at->prefix, count);
  } else if (r->def->kind == LW_CONDITION) {
    if (count > 1) lwl_raise(L, r->at->where, "%s has %d children, expected at most one", r->at->prefix, count);
  } else if (count != 1) {
    lwl_raise(L, r->at->where, "%s has %d children, expected one", r->at->prefix, count);
  }
  if (r->def->count > count && r->def->kind == LW_PARALLEL)
    lwl_raise_at(L, r->at, "succeed", "is %d, expected at most %d, the number of children", r->def->count,
                 count);
  if (r->def->failures > count)
    lwl_raise_at(L, r->at, "fail", "is %d, expected at most %d, the number of children", r->def->failures,
                 count);
}

/// The array for the keys of a node, which lives as long as the anchors.
static const char **new_keys(lua_State *L, const compiler *into, lw_node_kind kind) {
  static const char *none[1];
  if (kind != LW_CONDITION && kind != LW_UTILITY) return none;
  const char **keys = lua_newuserdatauv(L, LW_NODE_KEYS_MAX * sizeof *keys, 0);
  if (into->anchors != 0) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, into->anchors, (lua_Integer)lua_rawlen(L, into->anchors) + 1);
  }
  return keys;
}

/// Push and return where the node at index was written, or the one around it. As a text for messages, it begins with the
/// compiler's own, and has a file once.
static const char *push_place(lua_State *L, compiler *into, const char *around, int node) {
  if (!lwl_push_source(L, node)) return around;
  into->source = keep_text(L, into);
  return lwl_push_place(L, into->where, into->source);
}

static void compile_node(lua_State *L, compiler *into, const lwl_at *at, int node, int depth,
                         lw_node_def *preset) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (depth > MAX_DEPTH)
    lwl_raise(L, at->where, "the tree is deeper than %d nodes, expected no node that contains itself",
              MAX_DEPTH);
  if (!lua_istable(L, node))
    lwl_raise(L, at->where, "%s is %s, expected a node", at->prefix, lwl_describe(L, node));
  if (into->count >= MAX_NODES)
    lwl_raise(L, at->where, "the tree has %d nodes or more, expected at most %d", into->count + 1, MAX_NODES);
  // A finaliser may have changed the description since it was counted.
  if (into->leaves != 0 && into->count == into->capacity)
    lwl_raise(L, at->where, "the description changed while it was read");
  const int top = lua_gettop(L);
  const char *outer = into->source, *where = push_place(L, into, at->where, node);
  lwl_at inside = {where, *at->prefix ? lua_pushfstring(L, "%s.", at->prefix) : ""};
  preset->kind = check_kind(L, &inside, node);
  lw_node_def *def = into->leaves != 0 ? &into->nodes[into->count] : preset;
  *def = *preset;
  def->source = into->source;
  into->count += 1;
  const reader own = {into, &inside, node, def};
  const bool has_children = def->kind != LW_LEAF && def->kind != LW_WAIT;
  if (has_children) {
    def->child_count = (int)lua_rawlen(L, node);
    lwl_check_keys_and_list(L, &inside, node, keys_of(def->kind), def->child_count);
  } else {
    lwl_check_keys(L, &inside, node, keys_of(def->kind));
  }
  read_node(L, &own, new_keys(L, into, def->kind));
  if (has_children) {
    const lwl_at named = {where, *at->prefix ? at->prefix : lwl_enum_name(LWL_NODE_KIND, (int)def->kind)};
    const reader parent = {into, &named, node, def};
    check_child_count(L, &parent);
    compile_children(L, &parent, depth);
  }
  into->source = outer;
  lua_settop(L, top);
}

bool lwl_push_ports(lua_State *L) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "behaviors.ports");
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) return true;
  lua_pop(L, 1);
  return false;
}

/// Check what the nodes read and write, by the module behaviors.ports, if some node says.
static void check_wiring(lua_State *L, const char *where, int description, const char *name) {
  if (!lwl_push_ports(L)) return;
  lua_getfield(L, -1, "check");
  lua_pushvalue(L, description);
  lua_pushstring(L, name ? name : "tree");
  lua_call(L, 2, 2);
  if (lua_type(L, -2) == LUA_TSTRING) {
    const char *source = lwl_to_text(L, -1), *message = lua_tostring(L, -2);
    lwl_raise(L, source ? lwl_push_place(L, where, source) : where, "%s", message);
  }
  lua_pop(L, 3);
}

lwl_box *lwl_push_compiled_tree(lua_State *L, const char *where, int description, const char *name) {
  const int bottom = lua_gettop(L) + 1;
  description = lua_absindex(L, description);
  const lwl_at at = {where, ""};
  compiler counted = {.where = where};
  lw_node_def preset = {.kind = LW_SEQUENCE};
  compile_node(L, &counted, &at, description, 1, &preset);
  check_wiring(L, where, description, name);
  lwl_box *box = lwl_new_box(L, LWL_TREE, sizeof *box, LWL_TREE_VALUES, destroy, NULL);
  lua_newtable(L);
  compiler into = {.capacity = counted.count, .where = where, .leaves = bottom + 1, .anchors = bottom + 3};
  into.nodes = lua_newuserdatauv(L, (size_t)into.capacity * sizeof(lw_node_def), 0);
  lua_newtable(L);
  preset = (lw_node_def){.kind = LW_SEQUENCE};
  compile_node(L, &into, &at, description, 1, &preset);
  const lw_tree_def def = {.name = name, .nodes = into.nodes, .node_count = into.count};
  lw_tree *tree = NULL;
  lw_error error = {0};
  if (lw_tree_create(&def, &tree, &error) != LW_OK) lwl_raise_invalid_tree(L, where, error.text);
  lwl_fill_box(box, tree);
  lua_settop(L, bottom + 1);
  lua_setiuservalue(L, bottom, LWL_TREE_LEAVES);
  lwl_push_inputs(L, description);
  lua_setiuservalue(L, bottom, LWL_TREE_INPUTS);
  return box;
}
