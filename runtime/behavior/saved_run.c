/* The state of a run in a file. */
#include "behavior/saved_run.h"

#include "behavior/values.h"

#include <math.h>

/* Flags of a branch. */
enum { WOKEN = 1, RESTARTS = 2 };

static int bit_words(const lw_tree *tree) {
  return (tree->watched_count + 63) / 64;
}

/* Does the node have words whose meaning is the same in every program? Those of leaves are their own. */
static int own_words(const lwi_tree_node *node) {
  return node->kind == LW_LEAF ? 0 : lwi_node_words(node);
}

void lwi_run_put(lwi_bytes *to, const lw_tree_run *run) {
  const lw_tree *tree = run->tree;
  for (int i = 0; i < tree->branch_count; ++i) {
    const lwi_run_branch *branch = &lwi_run_branches(run)[i];
    lwi_put_double(to, branch->wake);
    lwi_put_u32(to, (uint32_t)(branch->current + 1));
    lwi_put(to, (branch->woken ? WOKEN : 0U) | (branch->restarts ? RESTARTS : 0U), 1);
    lwi_put(to, (uint64_t)branch->ended, 1);
  }
  for (int i = 0; i < tree->node_count; ++i)
    for (int k = 0; k < own_words(&tree->nodes[i]); ++k) lwi_put_u64(to, lwi_run_word_of(run, i)[k].bits);
  for (int i = 0; i < bit_words(tree); ++i) lwi_put_u64(to, lwi_run_bits(run)[i]);
}

/* --- checking --------------------------------------------------------------------------------------------- */

static bool is_active(const lw_tree_run *run, int node) {
  const lwi_tree_node *of = &run->tree->nodes[node];
  const int current = lwi_run_branches(run)[of->branch].current;
  return current >= node && current < of->end;
}

/* May a branch rest in such a node? */
static bool may_run(lw_node_kind kind) {
  return kind == LW_LEAF || kind == LW_WAIT || kind == LW_DELAY || kind == LW_PARALLEL || kind == LW_REPEAT ||
         kind == LW_RETRY || kind == LW_UNTIL;
}

/* Is the branch of that root as it can be at the end of a tick? */
static bool is_branch(const lw_tree_run *run, int root) {
  const lwi_tree_node *nodes = run->tree->nodes;
  const lwi_run_branch *branch = &lwi_run_branches(run)[nodes[root].branch];
  const bool runs = branch->current >= 0;
  if (runs && !(nodes[branch->current].branch == nodes[root].branch && may_run(nodes[branch->current].kind)))
    return false;
  if (isnan(branch->wake)) return false;
  if (branch->restarts && !(runs && nodes[branch->current].kind == LW_LEAF)) return false;
  const int parallel = nodes[root].parent;
  if (parallel < 0) return branch->ended == 0;
  const bool is_in = lwi_run_branches(run)[nodes[parallel].branch].current == parallel;
  return is_in ? runs == (branch->ended == 0) && branch->ended <= 1 + (int)LW_SUCCESS
               : !runs && branch->ended == 0;
}

/* The word of a parallel counts how its children have ended. */
static bool is_count(const lw_tree_run *run, int parallel) {
  const lwi_tree_node *nodes = run->tree->nodes;
  uint64_t ends[2] = {0, 0};
  for (int child = parallel + 1; child < nodes[parallel].end; child = nodes[child].end) {
    const int ended = lwi_run_branches(run)[nodes[child].branch].ended;
    if (ended > 0) ends[ended - 1] += 1;
  }
  const uint64_t bits = lwi_run_word_of(run, parallel)->bits;
  const bool some_run = !is_active(run, parallel) || ends[0] + ends[1] < (uint64_t)nodes[parallel].child_count;
  return bits == (ends[LW_SUCCESS] | ends[LW_FAILURE] << 32) && some_run;
}

/* A timer that runs while its node is active, and only then. */
static bool is_timer(const lw_tree_run *run, int node) {
  const lwi_tree_node *of = &run->tree->nodes[node];
  const double time = lwi_run_word_of(run, node)->time;
  const bool ticks = is_active(run, node) && (of->kind != LW_UTILITY || of->numbers.seconds > 0);
  return ticks ? isfinite(time) : time >= (double)INFINITY;
}

static bool is_set_of_children(const lwi_tree_node *of, uint64_t bits) {
  return of->child_count >= 64 || bits >> of->child_count == 0;
}

static bool is_node(const lw_tree_run *run, int node) {
  const lwi_tree_node *of = &run->tree->nodes[node];
  const lwi_run_word *words = of->word >= 0 ? lwi_run_word_of(run, node) : NULL;
  switch (of->kind) {
  case LW_TIMEOUT:
  case LW_SERVICE: return is_timer(run, node);
  case LW_UTILITY: return is_timer(run, node) && is_set_of_children(of, words[1].bits);
  case LW_COOLDOWN: return isfinite(words->time) || (of->routes.wakes >= 0 && words->time <= LWI_COOL);
  case LW_RANDOM: return is_set_of_children(of, words->bits);
  case LW_PARALLEL: return is_count(run, node);
  default: return true;
  }
}

static bool is_run(const lw_tree_run *run) {
  const lw_tree *tree = run->tree;
  for (int i = 0; i < tree->node_count; ++i) {
    const int parent = tree->nodes[i].parent;
    const bool is_root = parent < 0 || tree->nodes[parent].kind == LW_PARALLEL;
    if (is_root && !is_branch(run, i)) return false;
  }
  for (int i = 0; i < tree->node_count; ++i)
    if (!is_node(run, i)) return false;
  const int rest = tree->watched_count % 64;
  return rest == 0 || lwi_run_bits(run)[bit_words(tree) - 1] >> rest == 0;
}

const char *lwi_run_read(lwi_reader *from, lw_tree_run *run) {
  static const char wrong[] = "what a node runs with is out of range";
  const lw_tree *tree = run->tree;
  for (int i = 0; i < tree->branch_count && !from->failed; ++i) {
    lwi_run_branch *branch = &lwi_run_branches(run)[i];
    branch->wake = lwi_get_double(from);
    const uint32_t current = lwi_get_u32(from), flags = (uint32_t)lwi_get(from, 1),
                   ended = (uint32_t)lwi_get(from, 1);
    if (current > (uint32_t)tree->node_count || flags > (WOKEN | RESTARTS) || ended > 1 + (uint32_t)LW_SUCCESS)
      return wrong;
    branch->current = (int)current - 1;
    branch->woken = flags & WOKEN;
    branch->restarts = flags & RESTARTS;
    branch->ended = (int8_t)ended;
  }
  for (int i = 0; i < tree->node_count; ++i)
    for (int k = 0; k < own_words(&tree->nodes[i]); ++k) lwi_run_word_of(run, i)[k].bits = lwi_get_u64(from);
  for (int i = 0; i < bit_words(tree); ++i) {
    lwi_run_bits(run)[i] = lwi_get_u64(from);
    run->notified |= lwi_run_bits(run)[i] != 0;
  }
  if (from->failed) return NULL; /* the caller says that it is cut short */
  if (!is_run(run)) return wrong;
  lwi_run_find_timer(run);
  return NULL;
}

/* --- values ----------------------------------------------------------------------------------------------- */

void lwi_value_put(lwi_bytes *to, const lw_value *value) {
  lwi_put_u32(to, (uint32_t)value->kind);
  switch (value->kind) {
  case LW_VALUE_NONE: break;
  case LW_VALUE_BOOLEAN: lwi_put(to, value->as.boolean, 1); break;
  case LW_VALUE_NUMBER: lwi_put_double(to, value->as.number); break;
  case LW_VALUE_STRING: lwi_put_string(to, value->as.string); break;
  case LW_VALUE_VEC3: lwi_put_vec3(to, value->as.vec3); break;
  case LW_VALUE_AGENT:
    lwi_put(to, value->as.agent.slot, 3);
    lwi_put(to, value->as.agent.generation, 3);
    lwi_put(to, value->as.agent.world, 2);
    break;
  case LW_VALUE_OBJECT: lwi_put_u64(to, value->as.object); break;
  }
}

bool lwi_value_read(lwi_reader *from, lw_value *value) {
  const uint32_t kind = lwi_get_u32(from);
  *value = (lw_value){.kind = LW_VALUE_NONE};
  if (kind > LW_VALUE_OBJECT) return false;
  value->kind = (lw_value_kind)kind;
  switch (value->kind) {
  case LW_VALUE_NONE: break;
  case LW_VALUE_BOOLEAN: value->as.boolean = lwi_get(from, 1) != 0; break;
  case LW_VALUE_NUMBER: value->as.number = lwi_get_double(from); break;
  case LW_VALUE_STRING: value->as.string = lwi_get_string(from); break;
  case LW_VALUE_VEC3: value->as.vec3 = lwi_get_vec3(from); break;
  case LW_VALUE_AGENT:
    value->as.agent.slot = lwi_get(from, 3) & 0xffffff;
    value->as.agent.generation = lwi_get(from, 3) & 0xffffff;
    value->as.agent.world = lwi_get(from, 2) & 0xffff;
    break;
  case LW_VALUE_OBJECT: value->as.object = lwi_get_u64(from); break;
  }
  return lwi_value_is_valid(value);
}
