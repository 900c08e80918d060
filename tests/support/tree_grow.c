#include "tree_model.h"

const char *const model_keys[MODEL_KEYS] = {"k0", "k1", "k2", "k3"};

/* --- how nodes lie -------------------------------------------------------------------------------------------- */

bool model_is_composite(lw_node_kind kind) {
  return kind == LW_SEQUENCE || kind == LW_SELECTOR || (kind >= LW_PARALLEL && kind <= LW_UTILITY);
}

int model_next_child(const model *m, int node, int child) {
  for (int i = (child < 0 ? node : child) + 1; i < m->count; ++i)
    if (m->parents[i] == node) return i;
  return -1;
}

int model_top_of(const model *m, int node) {
  while (m->parents[node] >= 0 && !model_is_composite(m->nodes[m->parents[node]].kind)) node = m->parents[node];
  return node;
}

/// Is it a condition without a child, decorators around it aside?
static bool is_mere_test(const model *m, int node) {
  if (m->nodes[node].kind == LW_CONDITION && m->nodes[node].child_count == 0) return true;
  return m->nodes[node].kind >= LW_INVERTER && is_mere_test(m, node + 1);
}

int model_entrance(const model *m, int node) {
  const int top = model_top_of(m, node), composite = m->parents[top];
  if (composite < 0 || m->nodes[composite].kind > LW_SELECTOR) return -1;
  if (m->nodes[composite].kind == LW_SELECTOR) return top;
  for (int i = model_next_child(m, composite, -1); i >= 0 && i < top; i = model_next_child(m, composite, i))
    if (!is_mere_test(m, i)) return -1;
  return model_entrance(m, composite);
}

/* --- random trees ------------------------------------------------------------------------------------------- */

static lw_node_kind draw_kind(uint64_t bits, int depth, int scratch) {
  if (depth >= 7 || scratch <= 1) return bits >> 9 & 3 ? LW_LEAF : LW_WAIT;
  switch (bits % 10) {
  case 0:
  case 1:
  case 2: return (lw_node_kind)(bits >> 8 & 1);
  case 3:
  case 4:
  case 5: return LW_CONDITION;
  case 6: return (lw_node_kind)(LW_PARALLEL + bits / 16 % 3);
  case 7: return (lw_node_kind)(LW_INVERTER + bits / 16 % (LW_CONDITION - LW_INVERTER));
  case 8: return bits >> 8 & 1 ? LW_SERVICE : LW_SUBTREE;
  default: return bits >> 9 & 3 ? LW_LEAF : LW_WAIT;
  }
}

static void fill_condition(model *m, int node, uint64_t bits) {
  lw_node_def *def = &m->nodes[node];
  def->keys = &model_keys[bits & 1];
  def->key_count = 1 + (int)(bits >> 1 & 1);
  def->test = (lw_test)(bits >> 2 & 7);
  if (def->test == LW_TEST_AT_LEAST && bits >> 5 & 1) def->test = LW_TEST_CALL;
  def->value = (lw_value){.kind = LW_VALUE_NUMBER, .as.number = (double)(1 + (bits >> 6 & 1))};
  def->abort = model_entrance(m, node) >= 0 ? (lw_abort)(bits >> 8 & 3) : (lw_abort)(bits >> 8 & 1);
}

static void fill_node(model *m, int node, uint64_t bits, int children) {
  lw_node_def *def = &m->nodes[node];
  def->wait_min = (float)(bits & 3);
  def->wait_max = def->wait_min + (float)(bits >> 2 & 3);
  def->reactive = bits >> 4 & 1;
  def->status = bits >> 5 & 1 ? LW_SUCCESS : LW_FAILURE;
  def->seconds = (float)(1 + (bits >> 6 & 3)) * 0.5f;
  def->hysteresis = (float)(bits >> 8 & 1);
  def->count = (int)(bits >> 9 & 3);
  if (def->kind == LW_PARALLEL) {
    def->count = def->count > children ? children : def->count;
    def->failures = (int)(bits >> 11 & 3);
    if (def->failures > children) def->failures = children;
  }
  if (def->kind == LW_UTILITY && bits >> 13 & 1) def->seconds = 0;
}

int model_grow(model *m, lw_random *random, int parent, int depth, int scratch) {
  const int node = m->count++;
  const uint64_t bits = lwi_random_bits(random), more = lwi_random_bits(random);
  const lw_node_kind kind = draw_kind(bits, depth, scratch);
  m->nodes[node] = (lw_node_def){.kind = kind, .leaf = (uint32_t)(bits >> 40 & 0xfff)};
  m->parents[node] = parent;
  m->nodes[node].weight = (float)(more >> 40 & 3);
  if (more >> 42 & 1) m->nodes[node].score = model_keys[more >> 43 & 3];
  m->nodes[node].score_leaf = (uint32_t)node;
  if (kind == LW_SEQUENCE || kind == LW_SELECTOR)
    m->nodes[node].reactive = more >> 4 & 1; /* read by children */
  int wanted = model_is_composite(kind) ? 1 + (int)(bits >> 24 & 3) : kind >= LW_INVERTER;
  if (kind == LW_CONDITION && bits >> 26 & 1) wanted = 0;
  if (kind == LW_CONDITION) fill_condition(m, node, more);
  int used = 1;
  for (int i = 0; i < wanted && used < scratch; ++i) {
    used += model_grow(m, random, node, depth + 1, scratch - used);
    m->nodes[node].child_count += 1;
  }
  if (kind != LW_CONDITION) fill_node(m, node, more, m->nodes[node].child_count);
  return used;
}
