#include "behavior/tree.h"
#include "core/status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const kind_names[] = {
    [LW_SEQUENCE] = "sequence", [LW_SELECTOR] = "selector", [LW_WAIT] = "wait", [LW_LEAF] = "leaf"};

static bool is_composite(lw_node_kind kind) {
  return kind == LW_SEQUENCE || kind == LW_SELECTOR;
}

static const char *def_name(const lw_node_def *def) {
  if (def->name && def->name[0]) return def->name;
  return (unsigned)def->kind <= LW_LEAF ? kind_names[def->kind] : "?";
}

/// Say what is wrong with node `node`. `right` says what would be right.
static lw_status bad_node(const lw_tree_def *def, int node, const char *right, double got, lw_error *error) {
  return lwi_fail(error, LW_INVALID, "tree '%s', node %d '%s': %s, got %.9g", def->name, node,
                  def_name(&def->nodes[node]), right, got);
}

/// What can be said of a node by itself.
static lw_status check_node(const lw_tree_def *def, int i, lw_error *error) {
  const lw_node_def *node = &def->nodes[i];
  int count = node->child_count;
  if ((unsigned)node->kind > LW_LEAF)
    return bad_node(def, i, "the kind must be LW_SEQUENCE, LW_SELECTOR, LW_WAIT or LW_LEAF", (int)node->kind,
                    error);
  if (!is_composite(node->kind)) {
    if (count != 0) return bad_node(def, i, "a leaf or wait has no children", count, error);
  } else if (count < 1) {
    return bad_node(def, i, "a sequence or selector needs at least one child", count, error);
  } else if (count > def->node_count - 1 - i) {
    return lwi_fail(error, LW_INVALID, "tree '%s', node %d '%s': has %d children, but only %d nodes follow it",
                    def->name, i, def_name(node), count, def->node_count - 1 - i);
  }
  if (node->kind != LW_WAIT) return LW_OK;
  if (!isfinite(node->wait_min) || node->wait_min < 0.0f)
    return bad_node(def, i, "wait_min must be a finite number of seconds >= 0", (double)node->wait_min, error);
  if (!isfinite(node->wait_max) || node->wait_max < node->wait_min)
    return bad_node(def, i, "wait_max must be finite and >= wait_min", (double)node->wait_max, error);
  return LW_OK;
}

static lw_status check_def(const lw_tree_def *def, lw_error *error) {
  if (!def) return lwi_fail(error, LW_INVALID, "lw_tree_create: the definition is NULL");
  if (!def->name) return lwi_fail(error, LW_INVALID, "lw_tree_create: the tree has no name");
  if (!def->nodes || def->node_count < 1)
    return lwi_fail(error, LW_INVALID, "tree '%s': needs at least one node", def->name);
  for (int i = 0; i < def->node_count; ++i) {
    lw_status status = check_node(def, i, error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/// Close `node`, which ends before `end`, and every parent whose last child that was.
/// @return The parent that still waits for children; -1: none.
static int close_nodes(lwi_tree_node *nodes, int node, int end) {
  nodes[node].end = end;
  int parent = nodes[node].parent;
  while (parent >= 0 && --nodes[parent].end == 0) {
    nodes[parent].end = end;
    parent = nodes[parent].parent;
  }
  return parent;
}

/// Find every node's parent and end. While a node is open, its `end` counts the children still to come.
static lw_status link_nodes(const lw_tree_def *def, lwi_tree_node *nodes, lw_error *error) {
  int open = -1;
  for (int i = 0; i < def->node_count; ++i) {
    if (i > 0 && open < 0)
      return lwi_fail(error, LW_INVALID, "tree '%s', node %d '%s': the root and all below it end before it",
                      def->name, i, def_name(&def->nodes[i]));
    nodes[i].parent = open;
    nodes[i].end = def->nodes[i].child_count;
    open = nodes[i].end > 0 ? i : close_nodes(nodes, i, i + 1);
  }
  if (open < 0) return LW_OK;
  return lwi_fail(error, LW_INVALID, "tree '%s', node %d '%s': has %d children, but %d of them are missing",
                  def->name, open, def_name(&def->nodes[open]), def->nodes[open].child_count, nodes[open].end);
}

static size_t name_size(const char *name) {
  return name && name[0] ? strlen(name) + 1 : 0;
}

static const char *copy_name(char **text, const char *name) {
  size_t size = strlen(name) + 1;
  char *copy = memcpy(*text, name, size);
  *text += size;
  return copy;
}

static size_t block_size(const lw_tree_def *def) {
  size_t size = sizeof(lw_tree) + (size_t)def->node_count * sizeof(lwi_tree_node) + strlen(def->name) + 1;
  for (int i = 0; i < def->node_count; ++i) size += name_size(def->nodes[i].name);
  return size;
}

static void fill_tree(lw_tree *tree, const lw_tree_def *def) {
  tree->nodes = (lwi_tree_node *)(void *)(tree + 1);
  tree->node_count = def->node_count;
  char *text = (char *)(tree->nodes + def->node_count);
  tree->name = copy_name(&text, def->name);
  for (int i = 0; i < def->node_count; ++i) {
    const lw_node_def *from = &def->nodes[i];
    lwi_tree_node *node = &tree->nodes[i];
    node->kind = from->kind;
    node->leaf = from->leaf;
    node->wait_min = from->wait_min;
    node->wait_max = from->wait_max;
    node->name = name_size(from->name) > 0 ? copy_name(&text, from->name) : kind_names[from->kind];
    if (from->kind == LW_LEAF) tree->has_leaves = true;
  }
}

lw_status lw_tree_create(const lw_tree_def *def, lw_tree **tree, lw_error *error) {
  if (!tree) return lwi_fail(error, LW_INVALID, "lw_tree_create: there is nowhere to put the tree");
  *tree = NULL;
  lw_status status = check_def(def, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(def->allocator);
  size_t size = block_size(def);
  lw_tree *made = lwi_alloc_zero(&memory, size);
  if (!made) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  made->memory = memory;
  made->size = size;
  fill_tree(made, def);
  status = link_nodes(def, made->nodes, error);
  if (status != LW_OK) {
    lw_tree_destroy(made);
    return status;
  }
  *tree = made;
  return LW_OK;
}

void lw_tree_destroy(lw_tree *tree) {
  if (!tree) return;
  lwi_memory memory = tree->memory; /* The block holds its own. */
  lwi_free(&memory, tree, tree->size);
}

const char *lw_tree_name(const lw_tree *tree) {
  return tree ? tree->name : "";
}

int lw_tree_node_count(const lw_tree *tree) {
  return tree ? tree->node_count : 0;
}

int lwi_tree_first(const lw_tree *tree, int node) {
  while (is_composite(tree->nodes[node].kind)) ++node;
  return node;
}

int lwi_tree_next(const lw_tree *tree, int node, lw_node_status status) {
  const lwi_tree_node *nodes = tree->nodes;
  for (int parent = nodes[node].parent; parent >= 0; node = parent, parent = nodes[node].parent) {
    bool goes_on = (status == LW_SUCCESS) == (nodes[parent].kind == LW_SEQUENCE);
    if (goes_on && nodes[node].end < nodes[parent].end) return lwi_tree_first(tree, nodes[node].end);
  }
  return -1;
}

/* --- tree paths ---------------------------------------------------------------------------------------------- */

#define ARROW " > "

/// Write `piece` so that it ends before `end`, as far as it fits into the first `size` bytes.
/// @return Where it begins.
static size_t write_before(char *text, size_t size, size_t end, const char *piece) {
  size_t length = strlen(piece), begin = end - length;
  if (begin < size) memcpy(text + begin, piece, length < size - begin ? length : size - begin);
  return begin;
}

int lw_tree_node_path(const lw_tree *tree, int node, char *text, size_t size) {
  if (size > 0 && text) text[0] = '\0';
  if (!tree || node < 0 || node >= tree->node_count) return 0;
  size_t length = strlen(tree->name);
  for (int i = node; i >= 0; i = tree->nodes[i].parent) length += strlen(ARROW) + strlen(tree->nodes[i].name);
  if (text && size > 0) {
    size_t room = size - 1, at = length;
    for (int i = node; i >= 0; i = tree->nodes[i].parent) {
      at = write_before(text, room, at, tree->nodes[i].name);
      at = write_before(text, room, at, ARROW);
    }
    write_before(text, room, at, tree->name);
    text[length < room ? length : room] = '\0';
  }
  return length < INT_MAX ? (int)length : INT_MAX;
}
