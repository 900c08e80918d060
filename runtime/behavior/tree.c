#include "behavior/tree.h"

#include "core/hash.h"
#include "core/sort.h"
#include "core/status.h"
#include "core/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *def_name(const lw_node_def *def) {
  return def->name && def->name[0] ? def->name : lwi_default_node_name(def->kind, def->status);
}

/* --- how nodes hang together ------------------------------------------------------------------------------ */

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

/* A tree whose nodes hang together, and its definition. */
typedef struct tree_maker {
  lw_tree *tree;
  const lw_tree_def *def;
  lw_error *error;
} tree_maker;

static lw_status refuse(const tree_maker *maker, int node, const char *message) {
  const char *source = maker->def->nodes[node].source;
  char path[160];
  if (!source)
    return lwi_fail(maker->error, LW_INVALID, "tree '%s', node %d '%s': %s", maker->tree->name, node,
                    maker->tree->nodes[node].name, message);
  lw_tree_node_path(maker->tree, node, path, sizeof path);
  return lwi_fail(maker->error, LW_INVALID, "%s: %s: %s", source, path, message);
}

static lw_status place_node(const tree_maker *maker, int i) {
  lw_tree *tree = maker->tree;
  lwi_tree_node *nodes = tree->nodes, *node = &nodes[i];
  const int parent = node->parent;
  node->routes.top = i;
  if (parent >= 0) {
    const bool is_of_parallel = nodes[parent].kind == LW_PARALLEL;
    node->branch = is_of_parallel ? tree->branch_count++ : nodes[parent].branch;
    node->routes.depth = nodes[parent].routes.depth + is_of_parallel;
    if (lwi_node_is_decorator(nodes[parent].kind)) node->routes.top = nodes[parent].routes.top;
  }
  if (node->kind != LW_PARALLEL || node->routes.depth < LWI_PARALLEL_DEPTH_MAX) return LW_OK;
  char message[64];
  snprintf(message, sizeof message, "more than %d parallels lie within each other", LWI_PARALLEL_DEPTH_MAX);
  return refuse(maker, i, message);
}

/* Is the node a condition without a child, decorators around it aside? */
static bool is_mere_test(const lwi_tree_node *nodes, int node) {
  while (lwi_node_is_decorator(nodes[node].kind) && nodes[node].child_count > 0) ++node;
  return nodes[node].kind == LW_CONDITION && nodes[node].child_count == 0;
}

/* Does nothing but tests come before a child of a sequence? */
static bool is_first_but_for_tests(const lwi_tree_node *nodes, int child) {
  for (int i = nodes[child].parent + 1; i < child; i = nodes[i].end)
    if (!is_mere_test(nodes, i)) return false;
  return true;
}

/* The child of a selector that begins with the node, alone or in sequences that begin with it. -1: there is none. */
static int find_entrance(const lw_tree *tree, int node) {
  const lwi_tree_node *nodes = tree->nodes;
  for (;;) {
    const int top = nodes[node].routes.top, parent = nodes[top].parent;
    if (parent < 0) return -1;
    if (nodes[parent].kind == LW_SELECTOR) return top;
    if (nodes[parent].kind != LW_SEQUENCE || !is_first_but_for_tests(nodes, top)) return -1;
    node = parent;
  }
}

/* The scope that a condition has by itself, or by a reactive parent. */
static lw_status scope_condition(const tree_maker *maker, int i) {
  const lw_tree *tree = maker->tree;
  lwi_tree_node *node = &tree->nodes[i];
  const int parent = tree->nodes[node->routes.top].parent;
  const lwi_tree_node *composite = parent >= 0 ? &tree->nodes[parent] : NULL;
  if (composite && composite->reactive && node->abort == LW_ABORT_NONE)
    node->abort = composite->kind == LW_SELECTOR ? LW_ABORT_BOTH : LW_ABORT_SELF;
  const bool of_self = node->abort == LW_ABORT_SELF || node->abort == LW_ABORT_BOTH;
  node->guards = of_self && node->child_count == 0 && composite && composite->kind == LW_SEQUENCE;
  if (node->abort == LW_ABORT_LOWER || node->abort == LW_ABORT_BOTH) {
    node->routes.entrance = find_entrance(tree, i);
    if (node->routes.entrance < 0) {
      char message[256];
      snprintf(
          message, sizeof message,
          "abort is '%s', expected it where a child of a selector begins: below the selector, or in a sequence "
          "there with nothing but conditions before it. Elsewhere a condition can abort 'self' alone",
          node->abort == LW_ABORT_LOWER ? "lower" : "both");
      return refuse(maker, i, message);
    }
  }
  if (node->test == LW_TEST_CALL && node->key_count == 0 && node->abort != LW_ABORT_NONE)
    return refuse(
        maker, i,
        "its test is called and it aborts, by itself or by the reactive node above it, expected 'reads', "
        "the keys on whose change it is tested again");
  return LW_OK;
}

/* --- lists ------------------------------------------------------------------------------------------------ */

int lwi_node_words(const lwi_tree_node *node) {
  switch (node->kind) {
  case LW_TIMEOUT:
  case LW_SERVICE:
  case LW_COOLDOWN:
  case LW_LIMITER:
  case LW_REPEAT:
  case LW_RETRY:
  case LW_RANDOM:
  case LW_PARALLEL: return 1;
  case LW_UTILITY: return 2;
  default: return node->native.tick && node->kind == LW_LEAF ? (int)((node->native.state_size + 7) / 8) : 0;
  }
}

int lwi_tree_next_test(const lw_tree *tree, int node, int condition) {
  const lwi_tree_node *nodes = tree->nodes, *of = &nodes[node];
  if (of->kind == LW_CONDITION && of->child_count == 0) {
    const lwi_tree_node *top = &nodes[of->routes.top], *parent = &nodes[top->parent];
    return parent->kind == LW_SEQUENCE && top->end < parent->end ? top->end : -1;
  }
  switch (of->kind) {
  case LW_SEQUENCE: return node + 1;
  case LW_SERVICE:
  case LW_DELAY:
  case LW_REPEAT:
  case LW_RETRY:
  case LW_UNTIL: return node < condition ? node + 1 : -1; /* behind it, they begin whatever is below */
  default: return lwi_node_is_decorator(of->kind) ? node + 1 : -1;
  }
}

/* Let the cooldowns on the way of a condition that takes over wake it. */
static void find_woken(lw_tree *tree, int condition) {
  for (int i = tree->nodes[condition].routes.entrance; i >= 0; i = lwi_tree_next_test(tree, i, condition))
    if (tree->nodes[i].kind == LW_COOLDOWN && tree->nodes[i].routes.wakes < 0)
      tree->nodes[i].routes.wakes = condition;
}

static bool is_timer(const lwi_tree_node *node) {
  return node->kind == LW_TIMEOUT || node->kind == LW_SERVICE || node->kind == LW_UTILITY ||
         node->routes.wakes >= 0;
}

static void add_key(lw_tree *tree, const char *name, int watched) {
  tree->keys[tree->key_count++] = (lwi_tree_key){lwi_key_hash(name), name, watched};
}

/* List what acts by itself, and what it reads. */
static void watch_node(lw_tree *tree, int i) {
  lwi_tree_node *node = &tree->nodes[i];
  node->watched = -1;
  const bool aborts = node->kind == LW_CONDITION && node->abort != LW_ABORT_NONE;
  if (!aborts && !is_timer(node)) return;
  tree->has_timers |= is_timer(node);
  node->watched = tree->watched_count;
  tree->watched[tree->watched_count++] = i;
  for (int k = 0; k < node->key_count; ++k) add_key(tree, node->keys[k], node->watched);
  if (node->kind != LW_UTILITY) return;
  for (int child = i + 1; child < node->end; child = tree->nodes[child].end)
    if (tree->nodes[child].score_key) add_key(tree, tree->nodes[child].score_key, node->watched);
}

static int compare_keys(const void *a, const void *b) {
  const lwi_tree_key *one = a, *other = b;
  if (one->hash != other->hash) return one->hash < other->hash ? -1 : 1;
  return (one->watched > other->watched) - (one->watched < other->watched);
}

/* Does the host's function have to be there for it? */
static bool needs_host(const lw_tree *tree, const lwi_tree_node *node) {
  const lwi_tree_node *parent = node->parent >= 0 ? &tree->nodes[node->parent] : NULL;
  if (parent && parent->kind == LW_UTILITY && !node->score.name) return true;
  if (node->native.tick) return false;
  return node->kind == LW_LEAF || node->kind == LW_SERVICE ||
         (node->kind == LW_CONDITION && node->test == LW_TEST_CALL);
}

/* Where a run goes from each node that ends: parents first, as what ends with its parent goes where that does. */
static void find_routes(lw_tree *tree) {
  lwi_tree_node *nodes = tree->nodes;
  for (int i = tree->node_count - 1; i >= 0; --i) {
    const lw_node_kind kind = nodes[i].kind;
    const bool is_plain = kind == LW_SEQUENCE || kind == LW_SELECTOR || kind == LW_INVERTER ||
                          kind == LW_FORCE || kind == LW_UNTIL || kind == LW_SUBTREE;
    nodes[i].routes.entry = is_plain ? nodes[i + 1].routes.entry : i;
  }
  for (int i = 0; i < tree->node_count; ++i) {
    lwi_tree_node *node = &nodes[i];
    const lwi_tree_node *parent = node->parent >= 0 ? &nodes[node->parent] : NULL;
    for (int status = LW_FAILURE; status <= (int)LW_SUCCESS; ++status) {
      lwi_tree_jump *end = &node->routes.ends[status];
      *end = (lwi_tree_jump){i, (lw_node_status)status};
      if (!parent) continue;
      const bool is_list = parent->kind == LW_SEQUENCE || parent->kind == LW_SELECTOR;
      const bool goes_on = (status == (int)LW_SUCCESS) == (parent->kind == LW_SEQUENCE);
      if (is_list && goes_on && node->end < parent->end)
        *end = (lwi_tree_jump){nodes[node->end].routes.entry, LW_RUNNING};
      else if (is_list || parent->kind == LW_INVERTER)
        *end = parent->routes.ends[is_list ? status : 1 - status];
    }
  }
}

/* What follows from how the nodes hang together. */
static lw_status finish_nodes(const tree_maker *maker) {
  lw_tree *tree = maker->tree;
  tree->branch_count = 1;
  lw_status status = LW_OK;
  for (int i = 0; i < tree->node_count && status == LW_OK; ++i) {
    lwi_tree_node *node = &tree->nodes[i];
    status = place_node(maker, i);
    node->routes.entrance = node->routes.wakes = -1;
    if (status == LW_OK && node->kind == LW_CONDITION) status = scope_condition(maker, i);
  }
  for (int i = 0; i < tree->node_count && status == LW_OK; ++i)
    if (tree->nodes[i].routes.entrance >= 0) find_woken(tree, i);
  for (int i = 0; i < tree->node_count && status == LW_OK; ++i) {
    lwi_tree_node *node = &tree->nodes[i];
    watch_node(tree, i);
    const int words = lwi_node_words(node);
    node->word = words > 0 ? tree->word_count : -1;
    tree->word_count += words;
    tree->needs_host |= needs_host(tree, node);
  }
  if (status == LW_OK) find_routes(tree);
  lwi_sort(tree->keys, (size_t)tree->key_count, sizeof *tree->keys, compare_keys);
  return status;
}

/* --- the block -------------------------------------------------------------------------------------------- */

/* Sizes of the parts of a block. */
typedef struct block_parts {
  size_t key_entries, key_pointers, text;
} block_parts;

static size_t text_size(const char *text) {
  return text ? strlen(text) + 1 : 0;
}

static bool has_keys(const lw_node_def *node) {
  return node->kind == LW_CONDITION || node->kind == LW_UTILITY;
}

static block_parts measure(const lw_tree_def *def) {
  block_parts parts = {.text = text_size(def->name)};
  for (int i = 0; i < def->node_count; ++i) {
    const lw_node_def *node = &def->nodes[i];
    parts.text += text_size(node->name) + text_size(node->score);
    if (node->value.kind == LW_VALUE_STRING && node->kind == LW_CONDITION)
      parts.text += text_size(node->value.as.string);
    if (node->score) parts.key_entries += 1;
    if (!has_keys(node)) continue;
    parts.key_entries += (size_t)node->key_count;
    parts.key_pointers += (size_t)node->key_count;
    for (int k = 0; k < node->key_count; ++k) parts.text += text_size(node->keys[k]);
  }
  return parts;
}

static const char *copy_text(char **text, const char *from) {
  size_t size = strlen(from) + 1;
  char *copy = memcpy(*text, from, size);
  *text += size;
  return copy;
}

/* Where the next pointers and texts of a block go. */
typedef struct block_cursor {
  const char **pointers;
  char *text;
} block_cursor;

static void fill_node(lwi_tree_node *node, const lw_node_def *from, block_cursor *to) {
  *node = (lwi_tree_node){.kind = from->kind,
                          .child_count = from->child_count,
                          .numbers = {from->count, from->failures, from->seconds, from->wait_min,
                                      from->wait_max, from->hysteresis, from->weight > 0 ? from->weight : 1},
                          .status = from->status,
                          .test = from->test,
                          .abort = from->kind == LW_CONDITION ? from->abort : LW_ABORT_NONE,
                          .reactive = from->reactive,
                          .wants.without_stop = from->without_stop,
                          .leaf = from->leaf,
                          .score_leaf = from->score_leaf};
  if (from->native) node->native = *from->native;
  node->wants.saves = from->kind == LW_LEAF && (from->native ? from->native->save != NULL : from->saves);
  const bool named = from->name && from->name[0];
  node->name = named ? copy_text(&to->text, from->name) : lwi_default_node_name(from->kind, from->status);
  if (from->score) {
    node->score_key = copy_text(&to->text, from->score);
    node->score = lwi_key_read(node->score_key);
  }
  if (from->kind == LW_CONDITION) node->value = from->value;
  if (node->value.kind == LW_VALUE_STRING) node->value.as.string = copy_text(&to->text, from->value.as.string);
  if (!has_keys(from)) return;
  node->keys = to->pointers;
  node->key_count = from->key_count;
  for (int k = 0; k < from->key_count; ++k) *to->pointers++ = copy_text(&to->text, from->keys[k]);
  if (from->key_count > 0) node->first = lwi_key_read(node->keys[0]);
}

/* In messages, of a tree that has no name. */
#define LABEL_WITHOUT_NAME "tree"

static lw_tree *create_block(const lw_tree_def *def, bool is_named) {
  lwi_memory memory = lwi_memory_make(def->allocator);
  const block_parts parts = measure(def);
  const size_t count = (size_t)def->node_count;
  const size_t size = sizeof(lw_tree) + count * sizeof(lwi_tree_node) +
                      parts.key_entries * sizeof(lwi_tree_key) + parts.key_pointers * sizeof(char *) +
                      count * sizeof(int) + parts.text;
  lw_tree *tree = lwi_alloc_zero(&memory, size);
  if (!tree) return NULL;
  tree->memory = memory;
  tree->size = size;
  tree->nodes = (lwi_tree_node *)(void *)(tree + 1);
  tree->node_count = def->node_count;
  tree->keys = (lwi_tree_key *)(void *)(tree->nodes + count);
  block_cursor cursor = {.pointers = (const char **)(void *)(tree->keys + parts.key_entries)};
  tree->watched = (int *)(void *)(cursor.pointers + parts.key_pointers);
  cursor.text = (char *)(tree->watched + count);
  tree->name = copy_text(&cursor.text, def->name);
  tree->is_named = is_named;
  for (int i = 0; i < def->node_count; ++i) fill_node(&tree->nodes[i], &def->nodes[i], &cursor);
  return tree;
}

lw_status lw_tree_create(const lw_tree_def *asked, lw_tree **tree, lw_error *error) {
  if (!tree) return lwi_fail_null(error, "tree");
  *tree = NULL;
  if (!asked) return lwi_fail_null(error, "def");
  lw_tree_def def = *asked;
  if (!def.name) def.name = LABEL_WITHOUT_NAME;
  lw_status status = lwi_tree_check(&def, error);
  if (status != LW_OK) return status;
  lw_tree *created = create_block(&def, asked->name != NULL);
  if (!created) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  status = link_nodes(&def, created->nodes, error);
  if (status == LW_OK) status = finish_nodes(&(tree_maker){created, &def, error});
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

/* --- asking ----------------------------------------------------------------------------------------------- */

const char *lw_tree_name(const lw_tree *tree) {
  return tree && tree->is_named ? tree->name : "";
}

int lw_tree_node_count(const lw_tree *tree) {
  return tree ? tree->node_count : 0;
}

lw_status lw_tree_get_node(const lw_tree *tree, int node, lw_node_info *info) {
  if (info) *info = (lw_node_info){.kind = LW_SEQUENCE};
  if (!tree || !info) return LW_INVALID;
  if (node < 0 || node >= tree->node_count) return LW_NOT_FOUND;
  const lwi_tree_node *from = &tree->nodes[node];
  const bool has_key = from->kind == LW_CONDITION && from->key_count > 0;
  *info = (lw_node_info){from->kind, from->name, from->parent,
                         from->end,  from->leaf, has_key ? from->keys[0] : NULL};
  return LW_OK;
}

uint64_t lwi_key_hash(const char *name) {
  return lwi_hash(LWI_HASH_SEED, name, strlen(name));
}

lw_key lwi_key_split(const char *key) {
  static const struct {
    const char *prefix;
    size_t length;
    lw_scope scope;
  } scopes[] = {{"team.", 5, LW_SCOPE_TEAM},
                {"world.", 6, LW_SCOPE_WORLD},
                {"event.", 6, LW_SCOPE_EVENT},
                {"sense.", 6, LW_SCOPE_SENSE}};
  for (size_t i = 0; i < sizeof scopes / sizeof *scopes; ++i)
    if (strncmp(key, scopes[i].prefix, scopes[i].length) == 0)
      return (lw_key){.scope = scopes[i].scope, .name = key + scopes[i].length};
  return (lw_key){.scope = LW_SCOPE_AGENT, .name = key};
}

lw_key lwi_key_read(const char *key) {
  lw_key read = lwi_key_split(key);
  read.hash = lwi_key_hash(read.name);
  return read;
}

const lwi_tree_key *lwi_tree_find_key(const lw_tree *tree, uint64_t hash) {
  int low = 0, high = tree->key_count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (tree->keys[middle].hash < hash)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tree->key_count && tree->keys[low].hash == hash ? &tree->keys[low] : NULL;
}

bool lwi_tree_reads_shared(const lw_tree *tree) {
  for (int i = 0; i < tree->key_count; ++i) {
    const lw_scope scope = lwi_key_split(tree->keys[i].name).scope;
    if (scope != LW_SCOPE_AGENT && scope != LW_SCOPE_SENSE) return true;
  }
  return false;
}

bool lw_tree_reads(const lw_tree *tree, const char *key) {
  if (!tree || !key) return false;
  const uint64_t hash = lwi_key_hash(key);
  const lwi_tree_key *end = tree->keys + tree->key_count;
  for (const lwi_tree_key *at = lwi_tree_find_key(tree, hash); at && at < end && at->hash == hash; ++at)
    if (strcmp(at->name, key) == 0) return true;
  return false;
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
