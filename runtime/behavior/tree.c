#include "behavior/tree.h"

#include "core/hash.h"
#include "core/status.h"
#include "core/text.h"

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

/* One field of a node that is out of range. */
typedef struct bad_field {
  const char *name;
  double value;
  const char *expected;
} bad_field;

static lw_status bad_node(const lw_tree_def *def, int node, bad_field field, lw_error *error) {
  return lwi_fail(error, LW_INVALID, "tree '%s', node %d '%s': %s is %.9g, expected %s", def->name, node,
                  def_name(&def->nodes[node]), field.name, field.value, field.expected);
}

/* Check a node by itself. */
static lw_status check_node(const lw_tree_def *def, int i, lw_error *error) {
  const lw_node_def *node = &def->nodes[i];
  int count = node->child_count;
  if ((unsigned)node->kind > LW_LEAF)
    return bad_node(
        def, i, (bad_field){"kind", (int)node->kind, "LW_SEQUENCE, LW_SELECTOR, LW_WAIT or LW_LEAF"}, error);
  if (!is_composite(node->kind)) {
    if (count != 0) return bad_node(def, i, (bad_field){"child_count", count, "0 for a leaf or wait"}, error);
  } else if (count < 1) {
    return bad_node(def, i, (bad_field){"child_count", count, "at least 1 for a sequence or selector"}, error);
  } else if (count > def->node_count - 1 - i) {
    return lwi_fail(
        error, LW_INVALID,
        "tree '%s', node %d '%s': child_count is %d, expected at most %d, the number of nodes after it",
        def->name, i, def_name(node), count, def->node_count - 1 - i);
  }
  if (node->kind != LW_WAIT) return LW_OK;
  if (!isfinite(node->wait_min) || node->wait_min < 0.0f)
    return bad_node(def, i, (bad_field){"wait_min", (double)node->wait_min, "a finite number of seconds >= 0"},
                    error);
  if (!isfinite(node->wait_max) || node->wait_max < node->wait_min)
    return bad_node(def, i,
                    (bad_field){"wait_max", (double)node->wait_max, "a finite number of seconds >= wait_min"},
                    error);
  return LW_OK;
}

static lw_status check_def(const lw_tree_def *def, lw_error *error) {
  lw_status status = lwi_check_name(&(lwi_name_place){"tree: ", "name", LWI_TREE_NAME_MAX}, def->name, error);
  if (status != LW_OK) return status;
  if (!def->nodes) return lwi_fail(error, LW_INVALID, "tree '%s': nodes is NULL, expected an array", def->name);
  if (def->node_count < 1)
    return lwi_fail(error, LW_INVALID, "tree '%s': node_count is %d, expected at least 1", def->name,
                    def->node_count);
  for (int i = 0; i < def->node_count; ++i) {
    status = check_node(def, i, error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* Close `node`, which ends before `end`, and every parent whose last child it was.
   @return The parent that is still open; -1: none. */
static int close_nodes(lwi_tree_node *nodes, int node, int end) {
  nodes[node].end = end;
  int parent = nodes[node].parent;
  while (parent >= 0 && --nodes[parent].end == 0) {
    nodes[parent].end = end;
    parent = nodes[parent].parent;
  }
  return parent;
}

/* Set every node's parent and end. While a node is open, its `end` counts the children that are still to
   come. */
static lw_status link_nodes(const lw_tree_def *def, lwi_tree_node *nodes, lw_error *error) {
  int open = -1;
  for (int i = 0; i < def->node_count; ++i) {
    if (i > 0 && open < 0)
      return lwi_fail(error, LW_INVALID,
                      "tree '%s': node_count is %d, expected %d: the root ends before node %d '%s'", def->name,
                      def->node_count, i, i, def_name(&def->nodes[i]));
    nodes[i].parent = open;
    nodes[i].end = def->nodes[i].child_count;
    open = nodes[i].end > 0 ? i : close_nodes(nodes, i, i + 1);
  }
  if (open < 0) return LW_OK;
  const int count = def->nodes[open].child_count;
  return lwi_fail(error, LW_INVALID,
                  "tree '%s', node %d '%s': child_count is %d, expected %d, as no more nodes follow", def->name,
                  open, def_name(&def->nodes[open]), count, count - nodes[open].end);
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
  if (!tree) return lwi_fail_null(error, "tree");
  *tree = NULL;
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = check_def(def, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(def->allocator);
  size_t size = block_size(def);
  lw_tree *created = lwi_alloc_zero(&memory, size);
  if (!created) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  created->memory = memory;
  created->size = size;
  fill_tree(created, def);
  status = link_nodes(def, created->nodes, error);
  if (status != LW_OK) {
    lw_tree_destroy(created);
    return status;
  }
  *tree = created;
  return LW_OK;
}

void lw_tree_destroy(lw_tree *tree) {
  if (!tree) return;
  lwi_memory memory = tree->memory; /* the block holds the original */
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

/* --- paths of nodes --------------------------------------------------------------------------------------- */

#define ARROW " > "
#define SHOWN_SIZE 128 /* of a name in a path, as lwi_text_show_bytes() writes it */

static size_t shown_length(const char *name) {
  char shown[SHOWN_SIZE];
  lwi_text_show(shown, sizeof shown, name);
  return strlen(shown);
}

/* Write `piece` so that it ends before `end`, as far as it fits into the first `size` bytes. @return Where it
   begins. */
static size_t write_before(char *text, size_t size, size_t end, const char *piece) {
  char shown[SHOWN_SIZE];
  lwi_text_show(shown, sizeof shown, piece);
  size_t length = strlen(shown), begin = end - length;
  if (begin < size) memcpy(text + begin, shown, length < size - begin ? length : size - begin);
  return begin;
}

int lw_tree_node_path(const lw_tree *tree, int node, char *text, size_t size) {
  if (size > 0 && text) text[0] = '\0';
  if (!tree || node < 0 || node >= tree->node_count) return 0;
  size_t length = shown_length(tree->name);
  for (int i = node; i >= 0; i = tree->nodes[i].parent)
    length += strlen(ARROW) + shown_length(tree->nodes[i].name);
  if (text && size > 0) {
    size_t space = size - 1, at = length;
    for (int i = node; i >= 0; i = tree->nodes[i].parent) {
      at = write_before(text, space, at, tree->nodes[i].name);
      at = write_before(text, space, at, ARROW);
    }
    write_before(text, space, at, tree->name);
    text[length < space ? length : space] = '\0';
  }
  return length < INT_MAX ? (int)length : INT_MAX;
}

/* --- running a tree --------------------------------------------------------------------------------------- */

/* Sequences and selectors run one child at a time, so that the running leaf or wait is the whole state. */
struct lw_tree_run {
  lwi_memory memory;
  const lw_tree *tree;
  int current;          ///< The running leaf or wait; -1: none.
  double wake;          ///< While it runs: asleep until then. [s]
  bool woken;           ///< Awake, whatever `wake` says.
  bool calling;         ///< A leaf is being called.
  bool abort_requested; ///< By that leaf.
};

lw_status lw_tree_run_create(const lw_tree *tree, const lw_allocator *allocator, lw_tree_run **run) {
  if (!run) return LW_INVALID;
  *run = NULL;
  if (!tree) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_tree_run *created = lwi_alloc_zero(&memory, sizeof *created);
  if (!created) return LW_OUT_OF_MEMORY;
  created->memory = memory;
  created->tree = tree;
  created->current = -1;
  *run = created;
  return LW_OK;
}

void lw_tree_run_destroy(lw_tree_run *run) {
  if (!run) return;
  lwi_memory memory = run->memory; /* the block holds the original */
  lwi_free(&memory, run, sizeof *run);
}

size_t lwi_tree_run_memory(const lw_tree_run *run) {
  return run ? run->memory.bytes : 0;
}

/* A host that cannot call leaves is refused before anything changes. */
static bool can_call(const lw_tree_run *run, const lw_tree_host *host) {
  return host && (host->leaf || !run->tree->has_leaves);
}

static void clear_current(lw_tree_run *run) {
  run->current = -1;
  run->wake = 0.0;
  run->woken = false;
}

static void stop_leaf(lw_tree_run *run, const lw_tree_host *host, lw_leaf_end end) {
  lw_leaf_call call = {.event = LW_LEAF_STOP,
                       .leaf = run->tree->nodes[run->current].leaf,
                       .node = run->current,
                       .end = end,
                       .wake = host->now};
  host->leaf(host->user, &call);
}

/* START or TICK, and STOP when the leaf ends. */
static lw_node_status call_leaf(lw_tree_run *run, const lw_tree_host *host, lw_leaf_event event) {
  lw_leaf_call call = {
      .event = event, .leaf = run->tree->nodes[run->current].leaf, .node = run->current, .wake = host->now};
  run->woken = false; /* before the call, so that a leaf that is woken while it decides to sleep stays awake */
  lw_node_status status = host->leaf(host->user, &call);
  if (run->abort_requested) {
    stop_leaf(run, host, LW_END_ABORTED);
    return LW_FAILURE;
  }
  if (status == LW_RUNNING) {
    run->wake = call.wake > host->now ? call.wake : host->now; /* NaN: now */
    return LW_RUNNING;
  }
  stop_leaf(run, host, status == LW_SUCCESS ? LW_END_SUCCESS : LW_END_FAILURE);
  return status == LW_SUCCESS ? LW_SUCCESS : LW_FAILURE;
}

static double draw_wait(const lwi_tree_node *node, const lw_tree_host *host) {
  double min = (double)node->wait_min, span = (double)node->wait_max - min;
  if (span <= 0.0 || !host->random) return min; /* no draw: the random stream stays where it was */
  double unit = (double)host->random(host->user);
  if (!(unit > 0.0)) return min;
  return min + span * (unit < 1.0 ? unit : 1.0);
}

static lw_node_status enter(lw_tree_run *run, const lw_tree_host *host, int node) {
  clear_current(run);
  run->current = node;
  const lwi_tree_node *entered = &run->tree->nodes[node];
  if (entered->kind == LW_LEAF) return call_leaf(run, host, LW_LEAF_START);
  double duration = draw_wait(entered, host);
  if (duration <= 0.0) return LW_SUCCESS;
  run->wake = host->now + duration;
  return LW_RUNNING;
}

static lw_node_status resume(lw_tree_run *run, const lw_tree_host *host) {
  if (run->tree->nodes[run->current].kind == LW_LEAF) return call_leaf(run, host, LW_LEAF_TICK);
  return LW_SUCCESS; /* a wait ends when its time is up, and cannot be woken before */
}

/* Go on until a leaf or wait runs or the root ends. Node indices only grow, so that this ends. */
static lw_node_status advance(lw_tree_run *run, const lw_tree_host *host) {
  int node = run->current;
  lw_node_status status = node < 0 ? enter(run, host, node = lwi_tree_first(run->tree, 0)) : resume(run, host);
  while (status != LW_RUNNING) {
    if (run->abort_requested) return LW_FAILURE;
    node = lwi_tree_next(run->tree, node, status);
    if (node < 0) return status;
    status = enter(run, host, node);
  }
  return status;
}

lw_node_status lw_tree_run_tick(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host) || !isfinite(host->now)) return LW_FAILURE;
  if (run->calling) return LW_RUNNING;
  if (run->current >= 0 && !run->woken && host->now < run->wake) return LW_RUNNING;
  run->calling = true;
  lw_node_status status = advance(run, host);
  run->calling = false;
  run->abort_requested = false;
  if (status != LW_RUNNING) clear_current(run);
  return status;
}

void lw_tree_run_abort(lw_tree_run *run, const lw_tree_host *host) {
  if (!run || !can_call(run, host)) return;
  if (run->calling) {
    run->abort_requested = true; /* done when the leaf returns */
    return;
  }
  if (run->current < 0) return;
  run->calling = true;
  if (run->tree->nodes[run->current].kind == LW_LEAF) stop_leaf(run, host, LW_END_ABORTED);
  run->calling = false;
  run->abort_requested = false;
  clear_current(run);
}

void lw_tree_run_wake(lw_tree_run *run) {
  if (!run || run->current < 0) return;
  if (run->tree->nodes[run->current].kind == LW_LEAF) run->woken = true;
}

double lw_tree_run_wake_time(const lw_tree_run *run) {
  return run && run->current >= 0 && !run->woken ? run->wake : 0.0;
}

int lw_tree_run_current(const lw_tree_run *run) {
  return run ? run->current : -1;
}

uint64_t lw_tree_run_hash(const lw_tree_run *run) {
  if (!run) return LWI_HASH_SEED;
  double wake = run->wake + 0.0; /* -0 becomes 0 */
  int words[2] = {run->current, run->woken};
  return lwi_hash(lwi_hash(LWI_HASH_SEED, words, sizeof words), &wake, sizeof wake);
}
