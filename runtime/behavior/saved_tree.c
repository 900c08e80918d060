/* What the nodes of a tree are, in a file. */
#include "behavior/saved_run.h"

#include <math.h>

/* Flags of a node. */
enum { REACTIVE = 1, WITHOUT_STOP = 2, NATIVE = 4, SAVES = 8, SCORED = 16, ALL_FLAGS = 31 };

/* Bytes that a node takes at least. */
#define NODE_SIZE_MIN 65

/* --- writing ---------------------------------------------------------------------------------------------- */

static void put_node(lwi_bytes *to, const lwi_tree_node *node) {
  const lwi_node_numbers *numbers = &node->numbers;
  lwi_put_u32(to, (uint32_t)node->kind);
  lwi_put_u32(to, (uint32_t)node->child_count);
  lwi_put_u32(to, (uint32_t)numbers->count);
  lwi_put_u32(to, (uint32_t)numbers->failures);
  const float reals[] = {numbers->seconds, numbers->wait_min, numbers->wait_max, numbers->hysteresis,
                         numbers->weight};
  for (int i = 0; i < 5; ++i) lwi_put_float(to, reals[i]);
  lwi_put_u32(to, (uint32_t)node->status);
  lwi_put_u32(to, (uint32_t)node->test);
  lwi_put_u32(to, (uint32_t)node->abort);
  lwi_put_u32(to, (node->reactive ? REACTIVE : 0U) | (node->wants.without_stop ? WITHOUT_STOP : 0U) |
                      (node->native.tick ? NATIVE : 0U) | (node->wants.saves ? SAVES : 0U) |
                      (node->score_key ? SCORED : 0U));
  lwi_put_string(to, node->name);
  if (node->score_key) lwi_put_string(to, node->score_key);
  lwi_put_u32(to, (uint32_t)node->key_count);
  for (int i = 0; i < node->key_count; ++i) lwi_put_string(to, node->keys[i]);
  const lw_value other = {.kind = node->value.kind};
  const bool is_id = node->value.kind == LW_VALUE_AGENT || node->value.kind == LW_VALUE_OBJECT;
  lwi_value_put(to, is_id ? &other : &node->value); /* another one in another world */
}

void lwi_tree_put(lwi_bytes *to, const lw_tree *tree) {
  lwi_put_u32(to, tree->is_named);
  lwi_put_string(to, tree->name);
  lwi_put_u32(to, (uint32_t)tree->node_count);
  for (int i = 0; i < tree->node_count; ++i) put_node(to, &tree->nodes[i]);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static lw_node_status no_function(lw_leaf_call *call) {
  (void)call;
  return LW_FAILURE;
}
static const lw_leaf_def no_leaf = {.tick = no_function},
                         no_saving_leaf = {.tick = no_function, .save = no_function, .load = no_function};

/* The definition of a tree that is being read. */
typedef struct definition {
  lwi_memory *memory;
  lw_node_def *nodes; /* [count] */
  int *first_keys;    /* [count] In `keys`. */
  const char **keys;  /* [key_count] Borrowed from what is read. */
  int count, key_count, key_capacity;
} definition;

/* @return false: no memory. */
static bool read_node(lwi_reader *from, definition *into, int i) {
  lw_node_def *node = &into->nodes[i];
  node->kind = (lw_node_kind)lwi_get_u32(from);
  node->child_count = (int)lwi_get_u32(from);
  node->count = (int)lwi_get_u32(from);
  node->failures = (int)lwi_get_u32(from);
  float *const reals[] = {&node->seconds, &node->wait_min, &node->wait_max, &node->hysteresis, &node->weight};
  for (int k = 0; k < 5; ++k) *reals[k] = lwi_get_float(from);
  node->status = (lw_node_status)lwi_get_u32(from);
  node->test = (lw_test)lwi_get_u32(from);
  node->abort = (lw_abort)lwi_get_u32(from);
  const uint32_t flags = lwi_get_u32(from);
  node->reactive = flags & REACTIVE;
  node->without_stop = flags & WITHOUT_STOP;
  node->saves = flags & SAVES;
  if (flags & NATIVE) node->native = node->saves ? &no_saving_leaf : &no_leaf;
  node->name = lwi_get_string(from);
  if (flags & SCORED) node->score = lwi_get_string(from);
  const uint32_t keys = lwi_get_u32(from);
  if (keys > LW_NODE_KEYS_MAX || flags > ALL_FLAGS) from->failed = true;
  if (from->failed) return true;
  if (!lwi_reserve(into->memory, &into->keys, &into->key_capacity, into->key_count + (int)keys,
                   sizeof *into->keys))
    return false;
  into->first_keys[i] = into->key_count;
  node->key_count = (int)keys;
  for (uint32_t k = 0; k < keys; ++k) into->keys[into->key_count++] = lwi_get_string(from);
  if (!lwi_value_read(from, &node->value)) from->failed = true;
  return true;
}

static const char *create(definition *from, const char *name, bool is_named, lw_tree **tree) {
  for (int i = 0; i < from->count; ++i)
    if (from->nodes[i].key_count > 0) from->nodes[i].keys = from->keys + from->first_keys[i];
  const lw_tree_def def = {.name = is_named ? name : NULL,
                           .nodes = from->nodes,
                           .node_count = from->count,
                           .allocator = &from->memory->allocator};
  const lw_status status = lw_tree_create(&def, tree, NULL);
  if (status == LW_OUT_OF_MEMORY) return "";
  if (status != LW_OK) return "a node is not valid";
  (*tree)->is_of_file = true;
  return NULL;
}

const char *lwi_tree_read(lwi_reader *from, const lw_allocator *allocator, lw_tree **tree) {
  lwi_memory memory = lwi_memory_make(allocator);
  const char *wrong = NULL;
  *tree = NULL;
  const uint32_t is_named = lwi_get_u32(from);
  const char *name = lwi_get_string(from);
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || is_named > 1 || count < 1 || count > (size_t)(from->end - from->at) / NODE_SIZE_MIN)
    return "the count of nodes is out of range";
  definition into = {.memory = &memory, .count = (int)count};
  into.nodes = lwi_alloc_zero(&memory, count * sizeof *into.nodes);
  into.first_keys = lwi_alloc_zero(&memory, count * sizeof *into.first_keys);
  if (!into.nodes || !into.first_keys) wrong = "";
  for (int i = 0; i < into.count && !wrong && !from->failed; ++i)
    if (!read_node(from, &into, i)) wrong = "";
  if (!wrong && from->failed) wrong = "a node is not valid";
  if (!wrong) wrong = create(&into, name, is_named == 1, tree);
  lwi_free(&memory, into.nodes, count * sizeof *into.nodes);
  lwi_free(&memory, into.first_keys, count * sizeof *into.first_keys);
  lwi_free(&memory, (void *)into.keys, (size_t)into.key_capacity * sizeof *into.keys);
  return wrong;
}

/* --- comparing -------------------------------------------------------------------------------------------- */

static bool is_equal(float a, float b) {
  return !(a < b) && !(a > b);
}

static bool has_same_numbers(const lwi_node_numbers *a, const lwi_node_numbers *b) {
  return a->count == b->count && a->failures == b->failures && is_equal(a->seconds, b->seconds) &&
         is_equal(a->wait_min, b->wait_min) && is_equal(a->wait_max, b->wait_max) &&
         is_equal(a->hysteresis, b->hysteresis) && is_equal(a->weight, b->weight);
}

static bool is_same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_node(const lwi_tree_node *a, const lwi_tree_node *b) {
  if (a->kind != b->kind || a->child_count != b->child_count || a->status != b->status || a->test != b->test ||
      a->abort != b->abort || a->reactive != b->reactive || a->wants.without_stop != b->wants.without_stop ||
      a->wants.saves != b->wants.saves || a->key_count != b->key_count || !a->native.tick != !b->native.tick)
    return false;
  if (!has_same_numbers(&a->numbers, &b->numbers) || strcmp(a->name, b->name) != 0 ||
      !is_same_text(a->score_key, b->score_key))
    return false;
  for (int i = 0; i < a->key_count; ++i)
    if (strcmp(a->keys[i], b->keys[i]) != 0) return false;
  return lwi_value_is_same(&a->value, &b->value, true);
}

bool lwi_tree_is_same(const lw_tree *of_file, const lw_tree *tree) {
  if (of_file->node_count != tree->node_count) return false;
  for (int i = 0; i < tree->node_count; ++i)
    if (!is_same_node(&of_file->nodes[i], &tree->nodes[i])) return false;
  return true;
}
