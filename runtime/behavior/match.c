/* Two versions of a tree: which nodes are the same, and what of a run stays in the other version. */
#include "behavior/run.h"

#include "core/sort.h"

#include <string.h>

/* --- the same nodes --------------------------------------------------------------------------------------- */

/* A child of a node, in the order of what its id says beside the parent. */
typedef struct sibling {
  const lwi_tree_node *node;
  int index;
} sibling;

static int compare_ids(const sibling *a, const sibling *b) {
  if (a->node->kind != b->node->kind) return a->node->kind < b->node->kind ? -1 : 1;
  return strcmp(a->node->name, b->node->name);
}

static int compare_siblings(const void *a, const void *b) {
  const sibling *one = a, *other = b;
  const int order = compare_ids(one, other);
  return order != 0 ? order : (one->index > other->index) - (one->index < other->index);
}

static int list_children(const lw_tree *tree, int parent, sibling *list) {
  int count = 0;
  for (int child = parent + 1; child < tree->nodes[parent].end; child = tree->nodes[child].end)
    list[count++] = (sibling){&tree->nodes[child], child};
  lwi_sort(list, (size_t)count, sizeof *list, compare_siblings);
  return count;
}

/* Match the children of a node and of the same one in the other version. */
static void match_children(const lw_tree *from, const lw_tree *to, int parent, int *nodes, sibling *lists) {
  sibling *older = lists, *newer = lists + from->node_count;
  const int count = list_children(from, nodes[parent], older), wanted = list_children(to, parent, newer);
  for (int i = 0, k = 0; i < count && k < wanted;) {
    const int order = compare_ids(&older[i], &newer[k]);
    if (order == 0) nodes[newer[k].index] = older[i].index;
    if (order <= 0) ++i;
    if (order >= 0) ++k;
  }
}

lw_status lw_tree_match(const lw_tree *from, const lw_tree *to, int *nodes) {
  if (!from || !to || !nodes) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(&to->memory.allocator);
  const size_t size = ((size_t)from->node_count + (size_t)to->node_count) * sizeof(sibling);
  sibling *lists = lwi_alloc(&memory, size);
  if (!lists) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < to->node_count; ++i) nodes[i] = -1;
  const sibling roots[2] = {{&from->nodes[0], 0}, {&to->nodes[0], 0}};
  if (compare_ids(&roots[0], &roots[1]) == 0) nodes[0] = 0;
  for (int i = 0; i < to->node_count; ++i) /* parents come before their children */
    if (nodes[i] >= 0) match_children(from, to, i, nodes, lists);
  lwi_free(&memory, lists, size);
  return LW_OK;
}

/* --- runs ------------------------------------------------------------------------------------------------- */

/* Has the node the same children, in the same order? */
static bool has_same_children(const lw_tree *from, const lw_tree *to, int node, const int *nodes) {
  int child = node + 1, other = nodes[node] + 1;
  const int end = to->nodes[node].end, other_end = from->nodes[nodes[node]].end;
  for (; child < end && other < other_end; child = to->nodes[child].end, other = from->nodes[other].end)
    if (nodes[child] != other) return false;
  return child >= end && other >= other_end;
}

/* Does the state of the node mean the same in the other version? */
static bool keeps_state(const lw_tree *from, const lw_tree *to, int node, const int *nodes) {
  const lwi_tree_node *a = &from->nodes[nodes[node]], *b = &to->nodes[node];
  if (a->kind != b->kind) return false;
  if (a->kind == LW_PARALLEL || a->kind == LW_RANDOM || a->kind == LW_UTILITY)
    return has_same_children(from, to, node, nodes);
  const bool has_same_size = from->is_of_file || a->native.state_size == b->native.state_size;
  return !a->native.tick == !b->native.tick && has_same_size;
}

static bool is_active(const lw_tree_run *run, int node) {
  const lwi_tree_node *of = &run->tree->nodes[node];
  const int current = lwi_run_branches(run)[of->branch].current;
  return current >= node && current < of->end;
}

bool lwi_run_goes_on(const lw_tree_run *run, const lw_tree *to, const int *nodes) {
  int running = 0;
  for (int i = 0; i < run->tree->branch_count; ++i) running += lwi_run_branches(run)[i].current >= 0;
  for (int i = 0; i < to->node_count; ++i) {
    if (nodes[i] < 0 || !is_active(run, nodes[i])) continue;
    if (!keeps_state(run->tree, to, i, nodes)) return false;
    running -= lwi_run_branches(run)[run->tree->nodes[nodes[i]].branch].current == nodes[i];
  }
  return running == 0;
}

static bool is_branch_root(const lw_tree *tree, int node) {
  const int parent = tree->nodes[node].parent;
  return parent < 0 || tree->nodes[parent].kind == LW_PARALLEL;
}

static void take_branch(lw_tree_run *run, const lw_tree_run *from, int node, int older) {
  const lwi_run_branch *of = &lwi_run_branches(from)[from->tree->nodes[older].branch];
  lwi_run_branch *branch = &lwi_run_branches(run)[run->tree->nodes[node].branch];
  if (is_branch_root(run->tree, node)) branch->ended = of->ended;
  if (of->current != older) return;
  branch->wake = of->wake;
  branch->woken = of->woken;
  branch->restarts = of->restarts;
  branch->current = node;
}

bool lwi_value_is_same(const lw_value *a, const lw_value *b, bool of_file) {
  const bool is_id = a->kind == LW_VALUE_AGENT || a->kind == LW_VALUE_OBJECT; /* another one in another world */
  return of_file && is_id ? a->kind == b->kind : lw_value_equal(a, b);
}

/* Is it the same test of the same keys? */
static bool is_same_test(const lwi_tree_node *a, const lwi_tree_node *b, bool of_file) {
  const bool is_same_function = of_file ? !a->native.tick == !b->native.tick : a->native.tick == b->native.tick;
  if (a->test != b->test || !is_same_function || a->key_count != b->key_count) return false;
  if (a->abort != b->abort || !lwi_value_is_same(&a->value, &b->value, of_file)) return false;
  for (int k = 0; k < a->key_count; ++k)
    if (strcmp(a->keys[k], b->keys[k]) != 0) return false;
  return true;
}

/* Let a condition react that was notified, is new or tests something else now. */
static void take_note(lw_tree_run *run, const lw_tree_run *from, int node, int older) {
  const lwi_tree_node *of = &run->tree->nodes[node];
  const int before = older >= 0 ? from->tree->nodes[older].watched : -1;
  if (of->watched < 0 || lwi_run_branches(run)[0].current < 0) return;
  bool notified = before >= 0 && lwi_run_bits(from)[before / 64] >> before % 64 & 1;
  if (of->kind == LW_CONDITION && !notified)
    notified = before < 0 || !is_same_test(of, &from->tree->nodes[older], from->tree->is_of_file);
  if (!notified) return;
  lwi_run_bits(run)[of->watched / 64] |= (uint64_t)1 << of->watched % 64;
  run->notified = true;
}

void lwi_run_take(lw_tree_run *run, const lw_tree_run *from, const int *nodes) {
  const lw_tree *to = run->tree;
  for (int i = 0; i < to->node_count; ++i) {
    const int older = nodes[i];
    if (older < 0) continue;
    take_branch(run, from, i, older);
    const int words = lwi_node_words(&to->nodes[i]);
    if (words == 0 || words != lwi_node_words(&from->tree->nodes[older])) continue;
    if (keeps_state(from->tree, to, i, nodes))
      memcpy(lwi_run_word_of(run, i), lwi_run_word_of(from, older), (size_t)words * sizeof(lwi_run_word));
  }
  for (int i = 0; i < to->node_count; ++i) take_note(run, from, i, nodes[i]);
  lwi_track_take(run, from, nodes);
  lwi_run_find_timer(run);
}

void lwi_run_take_counts(lw_tree_run *run, const lw_tree_run *from, const int *nodes) {
  for (int i = 0; i < run->tree->node_count; ++i) {
    const lw_node_kind kind = run->tree->nodes[i].kind;
    if (nodes[i] >= 0 && (kind == LW_COOLDOWN || kind == LW_LIMITER))
      *lwi_run_word_of(run, i) = *lwi_run_word_of(from, nodes[i]);
  }
}
