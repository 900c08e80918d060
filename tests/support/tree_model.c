#include "tree_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { REACTIONS_MAX = 64 };

/* --- the script --------------------------------------------------------------------------------------------- */

static void model_notify(model *m, int key);

void model_set_key(script *s, int key, int value) {
  if (s->values[key] == value) return;
  s->values[key] = value;
  if (s->run) lw_tree_run_notify(s->run, model_keys[key]);
  if (s->model) model_notify(s->model, key);
}

float script_random(void *user) {
  return lwi_random_unit(&((script *)user)->random);
}

lw_value script_value(void *user, const lw_key *key) {
  const int value = ((script *)user)->values[key->name[1] - '0'];
  return (lw_value){.kind = value ? LW_VALUE_NUMBER : LW_VALUE_NONE, .as.number = value};
}

lw_node_status script_leaf(void *user, lw_leaf_call *call) {
  script *s = user;
  if (call->event == LW_LEAF_SAVE) {
    call->data = &call->node;
    call->size = sizeof call->node;
  }
  if (call->event == LW_LEAF_LOAD) assert_int_equal(*(const int *)call->data, call->node);
  if (call->event >= LW_LEAF_SAVE) return LW_SUCCESS;
  s->events += 1;
  const uint64_t end = call->event == LW_LEAF_STOP ? (uint64_t)call->end : 9;
  s->trace = lwi_mix(
      s->trace ^ ((uint64_t)call->event << 40 | end << 36 | (uint64_t)call->leaf << 16 | (uint64_t)call->node));
  const size_t length = strlen(s->log);
  snprintf(s->log + length, sizeof s->log - length, " %c%d", "STxcvu"[call->event], call -> node);
  if (call->event == LW_LEAF_START) assert_int_equal(s->started[call->node]++, 0);
  if (call->event == LW_LEAF_TICK) assert_int_equal(s->started[call->node], 1);
  if (call->event == LW_LEAF_STOP) assert_int_equal(s->started[call->node]--, 1);
  const uint64_t bits = lwi_random_bits(&s->random);
  if ((bits >> 40 & 3) == 0) model_set_key(s, (int)(bits >> 42 & 3), (int)(bits >> 44 & 3));
  if (call->event == LW_LEAF_STOP || call->event == LW_LEAF_SERVICE) return LW_RUNNING; /* ignored */
  if (call->event == LW_LEAF_TEST) return bits >> 48 & 1 ? LW_SUCCESS : LW_FAILURE;
  if (call->event == LW_LEAF_SCORE) {
    call->score = (double)(bits >> 48 & 7);
    if ((bits >> 51 & 7) == 0) call->score = (double)NAN;
    return LW_FAILURE;
  }
  if (bits % 8 == 0) {
    if (s->run) lw_tree_run_wake(s->run);
    if (s->model) model_wake(s->model);
  }
  if (bits >> 8 & 1) call->wake = s->now + (double)(bits >> 16 & 7);
  if ((bits >> 20 & 31) == 0) call->wake = (double)INFINITY;
  static const lw_node_status answers[] = {LW_SUCCESS, LW_FAILURE, LW_RUNNING, LW_RUNNING};
  return answers[bits >> 32 & 3];
}

/* --- the model: asking ---------------------------------------------------------------------------------------- */

static bool is_below(const model *m, int node, int above) {
  while (node > above) node = m->parents[node];
  return node == above;
}

static int active_child(const model *m, int node) {
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i))
    if (m->active[i]) return i;
  return -1;
}

static lw_abort scope_of(const model *m, int node) {
  const int composite = m->parents[model_top_of(m, node)];
  if (m->nodes[node].abort != LW_ABORT_NONE || composite < 0 || !m->nodes[composite].reactive)
    return m->nodes[node].abort;
  return m->nodes[composite].kind == LW_SELECTOR ? LW_ABORT_BOTH : LW_ABORT_SELF;
}

static bool aborts_itself(const model *m, int node) {
  const lw_abort scope = scope_of(m, node);
  return scope == LW_ABORT_SELF || scope == LW_ABORT_BOTH;
}

static bool takes_over(const model *m, int node) {
  const lw_abort scope = scope_of(m, node);
  return m->nodes[node].kind == LW_CONDITION && (scope == LW_ABORT_LOWER || scope == LW_ABORT_BOTH);
}

static bool guards(const model *m, int node) {
  const int composite = m->parents[model_top_of(m, node)];
  const bool in_sequence = composite >= 0 && m->nodes[composite].kind == LW_SEQUENCE;
  return m->nodes[node].child_count == 0 && in_sequence && aborts_itself(m, node);
}

/// Does it begin whatever is below it?
static bool begins(lw_node_kind kind) {
  return kind == LW_SERVICE || kind == LW_DELAY || kind == LW_REPEAT || kind == LW_RETRY || kind == LW_UNTIL;
}

/// The condition that is tested when a cooldown ends. -1: there is none.
static int woken_by(const model *m, int cooldown) {
  const int entrance = model_entrance(m, cooldown);
  for (int i = 0; i < m->count && entrance >= 0; ++i) {
    if (!takes_over(m, i) || model_entrance(m, i) != entrance) continue;
    bool is_reached = true;
    for (int k = i + 1; k < cooldown; ++k) is_reached = is_reached && !begins(m->nodes[k].kind);
    if (is_reached) return i;
  }
  return -1;
}

/* --- the model: calls ----------------------------------------------------------------------------------------- */

static lw_node_status call(model *m, int node, lw_leaf_event event, lw_leaf_call *with) {
  *with = (lw_leaf_call){.event = event, .leaf = m->nodes[node].leaf, .node = node, .wake = m->script->now};
  if (event == LW_LEAF_SCORE) with->leaf = m->nodes[node].score_leaf;
  return script_leaf(m->script, with);
}

static void stop(model *m, int node, lw_leaf_end end) {
  script_leaf(m->script,
              &(lw_leaf_call){.event = LW_LEAF_STOP, .leaf = m->nodes[node].leaf, .node = node, .end = end});
}

static bool test(model *m, int node) {
  const lw_node_def *def = &m->nodes[node];
  lw_leaf_call with;
  if (def->test == LW_TEST_CALL) return call(m, node, LW_LEAF_TEST, &with) == LW_SUCCESS;
  const int value = m->script->values[def->keys[0][1] - '0'], other = (int)def->value.as.number;
  switch (def->test) {
  case LW_TEST_SET: return value != 0;
  case LW_TEST_UNSET: return value == 0;
  case LW_TEST_EQUAL: return value == other;
  case LW_TEST_DIFFERS: return value != other;
  case LW_TEST_BELOW: return value && value < other;
  case LW_TEST_AT_MOST: return value && value <= other;
  case LW_TEST_ABOVE: return value > other;
  default: return value >= other;
  }
}

static double score(model *m, int child) {
  lw_leaf_call with;
  if (!m->nodes[child].score) return call(m, child, LW_LEAF_SCORE, &with), with.score;
  const int value = m->script->values[m->nodes[child].score[1] - '0'];
  return value ? value : (double)NAN;
}

void model_wake(model *m) {
  for (int i = 0; i < m->count; ++i)
    if (m->active[i] && m->nodes[i].kind == LW_LEAF) m->woken[i] = true;
}

static bool reads(const model *m, int node, int key) {
  const lw_node_def *def = &m->nodes[node];
  if (def->kind == LW_CONDITION)
    for (int i = 0; i < def->key_count; ++i)
      if (def->keys[i][1] - '0' == key) return true;
  if (def->kind == LW_UTILITY)
    for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i))
      if (m->nodes[i].score && m->nodes[i].score[1] - '0' == key) return true;
  return false;
}

static void model_notify(model *m, int key) {
  for (int i = 0; i < m->count; ++i)
    if (reads(m, i, key)) m->dirty[i] = true;
}

/* --- the model: running ----------------------------------------------------------------------------------------- */

static void leave(model *m, int node) {
  m->active[node] = m->woken[node] = false;
  if (m->nodes[node].kind != LW_COOLDOWN) return;
  m->time[node] = m->script->now + (double)m->nodes[node].seconds;
  m->cools[node] = m->nodes[node].seconds > 0;
}

static void stop_below(model *m, int node);

void model_quit(model *m, int node) {
  if (!m->active[node]) return;
  stop_below(m, node);
  if (m->nodes[node].kind == LW_LEAF) stop(m, node, LW_END_ABORTED);
  leave(m, node);
}

static void stop_below(model *m, int node) {
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) model_quit(m, i);
}

static lw_node_status enter(model *m, int node);
static lw_node_status after(model *m, int node, int child, lw_node_status status);

static lw_node_status end(model *m, int node, lw_node_status status) {
  leave(m, node);
  return status;
}

/// Around one child, a cooldown or a limit ends.
static lw_node_status end_counted(model *m, int node, lw_node_status status) {
  if (status == LW_SUCCESS || m->begun != m->begun_before[node]) return end(m, node, status);
  if (m->nodes[node].kind == LW_LIMITER) m->counts[node] -= 1;
  m->active[node] = false; /* nothing has begun below it: it was as good as not entered */
  return status;
}

static bool begin_sleep(model *m, int node) {
  m->begun += 1;
  const lw_node_def *def = &m->nodes[node];
  const double span = (double)(def->wait_max - def->wait_min);
  const double wait = (double)def->wait_min + (span > 0.0 ? span * (double)script_random(m->script) : 0.0);
  m->wake[node] = m->script->now + wait;
  return wait > 0.0;
}

static lw_node_status tick_leaf(model *m, int node, lw_leaf_event event) {
  lw_leaf_call with;
  m->begun += 1;
  m->woken[node] = false;
  const lw_node_status status = call(m, node, event, &with);
  m->wake[node] = with.wake > m->script->now ? with.wake : m->script->now;
  if (status == LW_RUNNING) return status;
  stop(m, node, status == LW_SUCCESS ? LW_END_SUCCESS : LW_END_FAILURE);
  return end(m, node, status);
}

static int choose(model *m, int node) {
  const bool is_random = m->nodes[node].kind == LW_RANDOM;
  float sum = 0, left = 0;
  int chosen = -1;
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i))
    if (!m->tried[i]) sum += m->nodes[i].weight > 0 ? m->nodes[i].weight : 1;
  if (is_random && sum > 0) left = script_random(m->script) * sum;
  double best = (double)-INFINITY;
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) {
    if (m->tried[i]) continue;
    if (is_random) {
      chosen = i;
      if ((left -= m->nodes[i].weight > 0 ? m->nodes[i].weight : 1) < 0) break;
    } else {
      const double its = score(m, i);
      if (its > best) best = its, chosen = i;
    }
  }
  if (chosen >= 0) m->tried[chosen] = true;
  return chosen;
}

static lw_node_status enter_chosen(model *m, int node) {
  const int child = choose(m, node);
  return child < 0 ? end(m, node, LW_FAILURE) : after(m, node, child, enter(m, child));
}

static lw_node_status judge(const model *m, int node) {
  int succeeded = 0, failed = 0;
  const lw_node_def *def = &m->nodes[node];
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) {
    succeeded += m->ended[i] == 1 + LW_SUCCESS;
    failed += m->ended[i] == 1 + LW_FAILURE;
  }
  if (succeeded >= (def->count ? def->count : def->child_count)) return LW_SUCCESS;
  if (failed >= (def->failures ? def->failures : 1)) return LW_FAILURE;
  return succeeded + failed == def->child_count ? LW_FAILURE : LW_RUNNING;
}

/// A child of a parallel has answered.
static lw_node_status note_end(model *m, int node, int child, lw_node_status status) {
  if (status == LW_RUNNING) return LW_RUNNING;
  m->ended[child] = 1 + (int)status;
  const lw_node_status verdict = judge(m, node);
  if (verdict == LW_RUNNING) return LW_RUNNING;
  stop_below(m, node);
  return end(m, node, verdict);
}

static lw_node_status enter_parallel(model *m, int node) {
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) m->ended[i] = 0;
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) {
    const lw_node_status status = note_end(m, node, i, enter(m, i));
    if (status != LW_RUNNING) return status;
  }
  return LW_RUNNING;
}

static lw_node_status enter_child(model *m, int node) {
  const int child = model_next_child(m, node, -1);
  return after(m, node, child, enter(m, child));
}

static lw_node_status enter(model *m, int node) {
  const lw_node_def *def = &m->nodes[node];
  lw_leaf_call with;
  m->active[node] = true;
  m->entered[node] = m->tick;
  m->begun_before[node] = m->begun;
  switch (def->kind) {
  case LW_LEAF: return tick_leaf(m, node, LW_LEAF_START);
  case LW_WAIT: return begin_sleep(m, node) ? LW_RUNNING : end(m, node, LW_SUCCESS);
  case LW_DELAY: return begin_sleep(m, node) ? LW_RUNNING : enter_child(m, node);
  case LW_PARALLEL: return enter_parallel(m, node);
  case LW_RANDOM:
  case LW_UTILITY:
    for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) m->tried[i] = false;
    m->time[node] = def->seconds > 0 ? m->script->now + (double)def->seconds : (double)INFINITY;
    return enter_chosen(m, node);
  case LW_COOLDOWN:
    if (m->script->now >= m->time[node]) {
      m->cools[node] = false;
      return enter_child(m, node);
    }
    m->active[node] = false; /* it was not let in: it does not cool down again */
    return LW_FAILURE;
  case LW_LIMITER:
    if (m->counts[node] >= def->count) return end(m, node, LW_FAILURE);
    m->counts[node] += 1;
    return enter_child(m, node);
  case LW_CONDITION:
    if (!test(m, node)) return end(m, node, LW_FAILURE);
    return def->child_count ? enter_child(m, node) : end(m, node, LW_SUCCESS);
  case LW_SERVICE:
    m->time[node] = m->script->now + (double)def->seconds;
    call(m, node, LW_LEAF_SERVICE, &with);
    return enter_child(m, node);
  case LW_TIMEOUT: m->time[node] = m->script->now + (double)def->seconds; return enter_child(m, node);
  case LW_REPEAT:
  case LW_RETRY: m->counts[node] = 0; return enter_child(m, node);
  default: return enter_child(m, node);
  }
}

static lw_node_status begin_again(model *m, int node) {
  m->wake[node] = m->script->now;
  m->entered[node] = m->tick;
  m->begun += 1;
  return LW_RUNNING;
}

/// What a node with one running child does after it.
static lw_node_status after(model *m, int node, int child, lw_node_status status) {
  const lw_node_def *def = &m->nodes[node];
  if (status == LW_RUNNING) return status;
  switch (def->kind) {
  case LW_SEQUENCE:
  case LW_SELECTOR: {
    const lw_node_status goes_on = def->kind == LW_SEQUENCE ? LW_SUCCESS : LW_FAILURE;
    const int next = model_next_child(m, node, child);
    return status == goes_on && next >= 0 ? after(m, node, next, enter(m, next)) : end(m, node, status);
  }
  case LW_RANDOM:
  case LW_UTILITY: return status == LW_SUCCESS ? end(m, node, status) : enter_chosen(m, node);
  case LW_INVERTER: return end(m, node, status == LW_SUCCESS ? LW_FAILURE : LW_SUCCESS);
  case LW_FORCE: return end(m, node, def->status);
  case LW_REPEAT:
    if (status == LW_FAILURE || ++m->counts[node] == def->count) return end(m, node, status);
    return begin_again(m, node);
  case LW_RETRY:
    if (status == LW_SUCCESS || ++m->counts[node] == def->count) return end(m, node, status);
    return begin_again(m, node);
  case LW_UNTIL: return status == def->status ? end(m, node, LW_SUCCESS) : begin_again(m, node);
  case LW_COOLDOWN:
  case LW_LIMITER: return end_counted(m, node, status);
  default: return end(m, node, status);
  }
}

/// What happens at a node that is active: it fails, or begins that child instead of what runs below it.
typedef struct change {
  int node;  ///< -1: nothing: all that is awake goes on.
  int child; ///< -1: it fails.
} change;

static bool is_awake(const model *m, int node) {
  return m->entered[node] != m->tick && (m->woken[node] || m->script->now >= m->wake[node]);
}

static lw_node_status advance(model *m, int node, change what) {
  if (what.node == node) {
    stop_below(m, node);
    if (what.child < 0) return end(m, node, LW_FAILURE);
    return after(m, node, what.child, enter(m, what.child));
  }
  const lw_node_kind kind = m->nodes[node].kind;
  const bool goes_on = what.node < 0;
  if (kind == LW_LEAF) return goes_on && is_awake(m, node) ? tick_leaf(m, node, LW_LEAF_TICK) : LW_RUNNING;
  if (kind == LW_WAIT) return goes_on && is_awake(m, node) ? end(m, node, LW_SUCCESS) : LW_RUNNING;
  if (kind == LW_PARALLEL) {
    for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) {
      if (!m->active[i] || (!goes_on && !is_below(m, what.node, i))) continue;
      const lw_node_status status = note_end(m, node, i, advance(m, i, what));
      if (status != LW_RUNNING) return status;
    }
    return LW_RUNNING;
  }
  const int child = active_child(m, node);
  if (child >= 0) return after(m, node, child, advance(m, child, what));
  return goes_on && is_awake(m, node) ? enter_child(m, node) : LW_RUNNING;
}

/* --- the model: reacting ---------------------------------------------------------------------------------------- */

static bool guard_holds(model *m, int node) {
  const int top = model_top_of(m, node);
  bool holds = test(m, node);
  while (node != top) {
    node = m->parents[node];
    if (m->nodes[node].kind == LW_INVERTER) holds = !holds;
    if (m->nodes[node].kind == LW_FORCE) holds = m->nodes[node].status == LW_SUCCESS;
  }
  return holds;
}

/// What would come of entering a node: LW_FAILURE: a test is false; LW_SUCCESS: it is a test alone; LW_RUNNING: it may
/// begin something.
static lw_node_status foresee(model *m, int node, int condition) {
  const lw_node_def *def = &m->nodes[node];
  const lw_node_kind kind = def->kind;
  if (kind == LW_CONDITION && def->child_count == 0) return guard_holds(m, node) ? LW_SUCCESS : LW_FAILURE;
  if (kind == LW_CONDITION && !test(m, node)) return LW_FAILURE;
  if (kind == LW_COOLDOWN && m->script->now < m->time[node]) return LW_FAILURE;
  if (kind == LW_LIMITER && m->counts[node] >= def->count) return LW_FAILURE;
  if (kind == LW_SEQUENCE) {
    for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) {
      const lw_node_status status = foresee(m, i, condition);
      if (status != LW_SUCCESS) return status;
    }
    return LW_RUNNING;
  }
  if (kind < LW_INVERTER || (begins(kind) && node > condition)) return LW_RUNNING;
  return foresee(m, node + 1, condition);
}

/// A condition takes over from a later child, if it may.
static change change_to(model *m, int condition) {
  const int entrance = model_entrance(m, condition), selector = m->parents[entrance];
  if (!m->active[selector] || active_child(m, selector) <= entrance) return (change){-2, -1};
  return foresee(m, entrance, condition) == LW_FAILURE ? (change){-2, -1} : (change){selector, entrance};
}

static change change_of_condition(model *m, int node) {
  const change none = {-2, -1};
  const int top = model_top_of(m, node), composite = m->parents[top];
  if (m->active[node]) return !aborts_itself(m, node) || test(m, node) ? none : (change){node, -1};
  if (guards(m, node) && m->active[composite] && active_child(m, composite) > top)
    return guard_holds(m, node) ? none : (change){composite, top};
  return takes_over(m, node) ? change_to(m, node) : none;
}

static change change_of_utility(model *m, int node) {
  const int running = active_child(m, node);
  if (m->nodes[node].seconds > 0) m->time[node] = m->script->now + (double)m->nodes[node].seconds;
  const double now = score(m, running);
  double best = isnan(now) ? (double)-INFINITY : now + (double)m->nodes[node].hysteresis;
  int chosen = -1;
  for (int i = model_next_child(m, node, -1); i >= 0; i = model_next_child(m, node, i)) {
    if (m->tried[i]) continue;
    const double its = score(m, i);
    if (its > best) best = its, chosen = i;
  }
  if (chosen < 0) return (change){-2, -1};
  m->tried[running] = false;
  m->tried[chosen] = true;
  return (change){node, chosen};
}

/// Let one node act. @return Whether it was to.
static bool act(model *m, int node, lw_node_status *status) {
  const lw_node_kind kind = m->nodes[node].kind;
  const bool dirty = m->dirty[node], timed = kind == LW_TIMEOUT || kind == LW_SERVICE || kind == LW_UTILITY;
  const bool cooled = m->cools[node] && woken_by(m, node) >= 0 && m->time[node] <= m->script->now;
  const bool due = (timed && m->active[node] && m->time[node] <= m->script->now) || cooled;
  change what = {-2, -1};
  lw_leaf_call with;
  m->dirty[node] = false;
  if (!dirty && !due) return false;
  if (cooled) {
    m->cools[node] = false;
    what = change_to(m, woken_by(m, node));
  }
  if (kind == LW_CONDITION) what = change_of_condition(m, node);
  if (kind == LW_UTILITY && m->active[node]) what = change_of_utility(m, node);
  if (kind == LW_TIMEOUT) what = (change){node, -1};
  if (kind == LW_SERVICE) {
    m->time[node] = m->script->now + (double)m->nodes[node].seconds;
    call(m, node, LW_LEAF_SERVICE, &with);
  }
  if (what.node >= 0) *status = advance(m, 0, what);
  return true;
}

static bool watches(const model *m, int node) {
  return m->nodes[node].kind != LW_CONDITION || scope_of(m, node) != LW_ABORT_NONE;
}

lw_node_status model_react(model *m) {
  lw_node_status status = LW_RUNNING;
  int left = REACTIONS_MAX;
  for (bool any = true; any && left > 0 && status == LW_RUNNING;) {
    any = false;
    for (int i = 0; i < m->count && status == LW_RUNNING; ++i) {
      if (!watches(m, i)) m->dirty[i] = false;
      if (!act(m, i, &status)) continue;
      any = true;
      left -= 1;
    }
  }
  return status;
}

bool model_is_notified(const model *m) {
  for (int i = 0; i < m->count; ++i)
    if (m->dirty[i] && watches(m, i)) return true;
  return false;
}

void model_forget(model *m) {
  memset(m->dirty, 0, sizeof m->dirty);
}

lw_node_status model_tick(model *m) {
  lw_node_status status = LW_RUNNING;
  m->tick += 1;
  if (!m->active[0]) {
    model_forget(m);
    status = enter(m, 0);
  } else {
    status = model_react(m);
    if (status == LW_RUNNING) status = advance(m, 0, (change){-1, -1});
  }
  if (status == LW_RUNNING) status = model_react(m);
  if (status != LW_RUNNING) model_forget(m);
  return status;
}

int model_current(const model *m) {
  for (int i = 0; i < m->count; ++i) {
    if (!m->active[i]) continue;
    const lw_node_kind kind = m->nodes[i].kind;
    if (kind != LW_PARALLEL && (m->nodes[i].child_count == 0 || active_child(m, i) < 0)) return i;
  }
  return -1;
}
