/* Whether the nodes of a tree are valid, each by itself. */
#include "behavior/tree.h"
#include "behavior/values.h"
#include "core/status.h"

#include <math.h>
#include <string.h>

static const char *const kind_names[LW_NODE_KIND_COUNT] = {
    [LW_SEQUENCE] = "sequence", [LW_SELECTOR] = "selector",   [LW_WAIT] = "wait",
    [LW_LEAF] = "leaf",         [LW_PARALLEL] = "parallel",   [LW_RANDOM] = "random",
    [LW_UTILITY] = "utility",   [LW_INVERTER] = "inverter",   [LW_FORCE] = "force",
    [LW_REPEAT] = "repeat",     [LW_RETRY] = "retry",         [LW_UNTIL] = "until",
    [LW_TIMEOUT] = "timeout",   [LW_COOLDOWN] = "cooldown",   [LW_LIMITER] = "limit",
    [LW_DELAY] = "delay",       [LW_CONDITION] = "condition", [LW_SERVICE] = "every",
    [LW_SUBTREE] = "subtree"};

bool lwi_node_is_composite(lw_node_kind kind) {
  return kind == LW_SEQUENCE || kind == LW_SELECTOR || kind == LW_PARALLEL || kind == LW_RANDOM ||
         kind == LW_UTILITY;
}

bool lwi_node_is_decorator(lw_node_kind kind) {
  return kind >= LW_INVERTER && kind <= LW_SUBTREE;
}

const char *lw_node_kind_name(lw_node_kind kind) {
  return (unsigned)kind < LW_NODE_KIND_COUNT ? kind_names[kind] : "?";
}

const char *lwi_default_node_name(lw_node_kind kind, lw_node_status status) {
  switch (kind) {
  case LW_FORCE: return status == LW_SUCCESS ? "force_success" : "force_failure";
  case LW_UNTIL: return status == LW_SUCCESS ? "until_success" : "until_failure";
  case LW_REPEAT: return "repeated";
  default: return lw_node_kind_name(kind);
  }
}

/* A node of a definition that is checked. */
typedef struct checked_node {
  const lw_tree_def *def;
  const lw_node_def *node;
  int index;
  lw_error *error;
} checked_node;

static const char *name_of(const lw_node_def *node) {
  return node->name && node->name[0] ? node->name : lwi_default_node_name(node->kind, node->status);
}

/* A field that is out of range. */
static lw_status bad(const checked_node *at, const char *field, double value, const char *expected) {
  return lwi_fail(at->error, LW_INVALID, "tree '%s', node %d '%s': %s is %.9g, expected %s", at->def->name,
                  at->index, name_of(at->node), field, value, expected);
}

static lw_status check_children(const checked_node *at) {
  const int count = at->node->child_count;
  const lw_node_kind kind = at->node->kind;
  if (lwi_node_is_composite(kind)) {
    if (count < 1) return bad(at, "child_count", count, "at least 1 for a composite");
  } else if (kind == LW_CONDITION) {
    if (count != 0 && count != 1) return bad(at, "child_count", count, "0 or 1 for a condition");
  } else if (lwi_node_is_decorator(kind)) {
    if (count != 1) return bad(at, "child_count", count, "1 for a decorator");
  } else if (count != 0) {
    return bad(at, "child_count", count, "0 for a leaf or wait");
  }
  if ((kind == LW_RANDOM || kind == LW_UTILITY) && count > LW_DRAWN_CHILDREN_MAX)
    return bad(at, "child_count", count, "at most 64 for a random or utility");
  const int left = at->def->node_count - 1 - at->index;
  if (count <= left) return LW_OK;
  return lwi_fail(
      at->error, LW_INVALID,
      "tree '%s', node %d '%s': child_count is %d, expected at most %d, the number of nodes after it",
      at->def->name, at->index, name_of(at->node), count, left);
}

static bool is_amount(float value) {
  return isfinite(value) && value >= 0;
}

static lw_status check_times(const checked_node *at) {
  const lw_node_def *node = at->node;
  switch (node->kind) {
  case LW_WAIT:
  case LW_DELAY:
    if (!is_amount(node->wait_min))
      return bad(at, "wait_min", (double)node->wait_min, "a finite number of seconds >= 0");
    if (!isfinite(node->wait_max) || node->wait_max < node->wait_min)
      return bad(at, "wait_max", (double)node->wait_max, "a finite number of seconds >= wait_min");
    return LW_OK;
  case LW_TIMEOUT:
  case LW_SERVICE:
    if (!is_amount(node->seconds) || !(node->seconds > 0))
      return bad(at, "seconds", (double)node->seconds, "a finite number of seconds > 0");
    return LW_OK;
  case LW_COOLDOWN:
  case LW_UTILITY:
    if (!is_amount(node->seconds))
      return bad(at, "seconds", (double)node->seconds, "a finite number of seconds >= 0");
    return LW_OK;
  default: return LW_OK;
  }
}

static lw_status check_numbers(const checked_node *at) {
  const lw_node_def *node = at->node;
  const int children = node->child_count;
  switch (node->kind) {
  case LW_PARALLEL:
    if (node->count < 0 || node->count > children) return bad(at, "count", node->count, "0 to child_count");
    if (node->failures < 0 || node->failures > children)
      return bad(at, "failures", node->failures, "0 to child_count");
    break;
  case LW_REPEAT:
  case LW_RETRY:
  case LW_LIMITER:
    if (node->count < 0) return bad(at, "count", node->count, "at least 0");
    break;
  case LW_FORCE:
  case LW_UNTIL:
    if (node->status != LW_SUCCESS && node->status != LW_FAILURE)
      return bad(at, "status", (int)node->status, "LW_SUCCESS or LW_FAILURE");
    break;
  case LW_UTILITY:
    if (!is_amount(node->hysteresis))
      return bad(at, "hysteresis", (double)node->hysteresis, "a finite number >= 0");
    break;
  default: break;
  }
  if (!is_amount(node->weight)) return bad(at, "weight", (double)node->weight, "a finite number >= 0");
  return LW_OK;
}

static lw_status check_key(const checked_node *at, const char *key) {
  if (lwi_key_is_valid(key)) return LW_OK;
  return lwi_fail(at->error, LW_INVALID, "tree '%s', node %d '%s': a key is %s, expected 1 to %d bytes",
                  at->def->name, at->index, name_of(at->node),
                  !key   ? "NULL"
                  : *key ? "longer"
                         : "''",
                  LW_KEY_MAX);
}

static lw_status check_reads(const checked_node *at) {
  const lw_node_def *node = at->node;
  if (node->score) {
    lw_status status = check_key(at, node->score);
    if (status != LW_OK) return status;
  }
  if (node->kind != LW_CONDITION && node->kind != LW_UTILITY) return LW_OK;
  const int min = node->kind == LW_CONDITION && node->test != LW_TEST_CALL;
  if (node->key_count < min || node->key_count > LW_NODE_KEYS_MAX || (node->key_count > 0 && !node->keys))
    return bad(at, "key_count", node->key_count,
               min ? "1 to 64, and that many keys" : "0 to 64, and that many keys");
  for (int i = 0; i < node->key_count; ++i) {
    lw_status status = check_key(at, node->keys[i]);
    if (status != LW_OK) return status;
  }
  if (node->kind == LW_UTILITY) return LW_OK;
  if ((unsigned)node->test > LW_TEST_CALL) return bad(at, "test", (int)node->test, "a test");
  if ((unsigned)node->abort > LW_ABORT_BOTH) return bad(at, "abort", (int)node->abort, "a scope");
  if ((unsigned)node->value.kind > LW_VALUE_OBJECT)
    return bad(at, "value.kind", (int)node->value.kind, "a kind");
  if (node->value.kind == LW_VALUE_STRING && !node->value.as.string)
    return lwi_fail(at->error, LW_INVALID,
                    "tree '%s', node %d '%s': value.as.string is NULL, expected a string", at->def->name,
                    at->index, name_of(node));
  return LW_OK;
}

static lw_status check_native(const checked_node *at) {
  const lw_leaf_def *native = at->node->native;
  if (!native) return LW_OK;
  if (!native->tick)
    return lwi_fail(at->error, LW_INVALID, "tree '%s', node %d '%s': native->tick is NULL, expected a function",
                    at->def->name, at->index, name_of(at->node));
  if (!native->save != !native->load)
    return lwi_fail(at->error, LW_INVALID,
                    "tree '%s', node %d '%s': native->%s is NULL, expected both or none of save and load",
                    at->def->name, at->index, name_of(at->node), native->save ? "load" : "save");
  if (native->state_size > LWI_LEAF_STATE_MAX)
    return bad(at, "native->state_size", (double)native->state_size, "at most 65536 bytes");
  return LW_OK;
}

static lw_status check_node(const checked_node *at) {
  if ((unsigned)at->node->kind >= LW_NODE_KIND_COUNT)
    return bad(at, "kind", (int)at->node->kind, "a kind of node, LW_SEQUENCE to LW_SUBTREE");
  lw_status status = check_children(at);
  if (status == LW_OK) status = check_times(at);
  if (status == LW_OK) status = check_numbers(at);
  if (status == LW_OK) status = check_reads(at);
  return status == LW_OK ? check_native(at) : status;
}

lw_status lwi_tree_check(const lw_tree_def *def, lw_error *error) {
  lw_status status = lwi_check_name(&(lwi_name_place){"tree: ", "name", LWI_TREE_NAME_MAX}, def->name, error);
  if (status != LW_OK) return status;
  if (!def->nodes) return lwi_fail(error, LW_INVALID, "tree '%s': nodes is NULL, expected an array", def->name);
  if (def->node_count < 1)
    return lwi_fail(error, LW_INVALID, "tree '%s': node_count is %d, expected at least 1", def->name,
                    def->node_count);
  for (int i = 0; i < def->node_count && status == LW_OK; ++i)
    status = check_node(&(checked_node){def, &def->nodes[i], i, error});
  return status;
}
