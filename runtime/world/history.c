/* What happened to agents: the last entries of each, in a block of a size that is fixed when it is spawned. */
#include "world/history.h"

#include "behavior/tree.h"
#include "core/text.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- entries ---------------------------------------------------------------------------------------------- */

#define TEXTS_MIN 4

static int text_capacity(int capacity) {
  return capacity / 4 > TEXTS_MIN ? capacity / 4 : TEXTS_MIN;
}

static size_t history_size(int capacity) {
  return sizeof(lwi_history) + (size_t)capacity * sizeof(lwi_history_item) +
         (size_t)text_capacity(capacity) * sizeof(lwi_history_words);
}

static lwi_history_words *words_of(const lwi_history *history, uint32_t number) {
  lwi_history_words *first = (lwi_history_words *)(void *)((char *)(uintptr_t)history + sizeof *history +
                                                           (size_t)history->capacity * sizeof *history->items);
  return &first[number % (uint32_t)text_capacity(history->capacity)];
}

static lwi_history_item *item_at(const lwi_history *history, uint64_t number) {
  return (lwi_history_item *)(uintptr_t)&history->items[number % (uint64_t)history->capacity];
}

/* The number of the first item that is kept. */
static uint64_t first_of(const lwi_history *history) {
  const uint64_t capacity = (uint64_t)history->capacity;
  return history->count > capacity ? history->count - capacity : 0;
}

static lwi_history_item *push(lw_world *world, const lwi_agent *agent, lw_history_kind kind) {
  lwi_history *history = agent->mind.history;
  lwi_history_item *item = item_at(history, history->count++);
  *item = (lwi_history_item){
      .time = world->time, .number = ++world->agents.histories.count, .node = -1, .kind = (uint8_t)kind};
  return item;
}

/* Remember why, or by what. */
static void set_words(lwi_history *history, lwi_history_item *item, const char *text) {
  if (!text[0]) return;
  item->text = ++history->text_count;
  lwi_text_show(words_of(history, item->text)->text, sizeof words_of(history, item->text)->text, text);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

/* Only leaves, waits, and nodes with names of their own are of interest. */
static bool is_recorded(const lwi_tree_node *node) {
  return node->kind == LW_LEAF || node->kind == LW_WAIT ||
         strcmp(node->name, lwi_default_node_name(node->kind, node->status)) != 0;
}

static void copy_name(char to[LW_HISTORY_NAME_MAX + 1], const char *name) {
  size_t length = strlen(name);
  if (length > LW_HISTORY_NAME_MAX) {
    length = LW_HISTORY_NAME_MAX;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) length -= 1; /* whole characters */
  }
  memcpy(to, name, length);
  to[length] = 0;
}

/* "fight (sense.enemy)" */
static void describe_abort(const lw_tree *tree, int by, char *text, size_t size) {
  const lwi_tree_node *node = &tree->nodes[by];
  const bool has_key = node->kind == LW_CONDITION && node->key_count > 0;
  snprintf(text, size, "%.200s%s%.130s%s", node->name, has_key ? " (" : "", has_key ? node->keys[0] : "",
           has_key ? ")" : "");
}

/* A leaf may send its agent somewhere or take cover while it starts; that it has started is noted afterwards. Put the last
   entry, of the start, before all that was noted of the agent since its tree began to run, down to the node before. */
static void put_start_first(lwi_history *history) {
  for (uint64_t at = history->count - 1; at > history->turn && at > first_of(history); --at) {
    lwi_history_item *item = item_at(history, at), *before = item_at(history, at - 1);
    if (before->kind <= LW_HISTORY_ABORTED) return;
    const lwi_history_item later = *before;
    const uint64_t number = item->number;
    *before = *item;
    before->number = later.number;
    *item = later;
    item->number = number;
  }
}

void lwi_history_note_node(lw_world *world, const lwi_agent *agent, const lw_node_event *event) {
  static const lw_history_kind kinds[LW_NODE_OUTCOME_COUNT] = {[LW_NODE_RUNNING] = LW_HISTORY_STARTED,
                                                               [LW_NODE_SUCCEEDED] = LW_HISTORY_SUCCEEDED,
                                                               [LW_NODE_FAILED] = LW_HISTORY_FAILED,
                                                               [LW_NODE_ABORTED] = LW_HISTORY_ABORTED};
  const lwi_tree_node *node = &agent->tree->nodes[event->node];
  if (!is_recorded(node)) return;
  lwi_history *history = agent->mind.history;
  lwi_history_item *item = push(world, agent, kinds[event->outcome]);
  item->node = event->node;
  copy_name(item->of.name, node->name);
  char text[512];
  if (event->outcome == LW_NODE_FAILED && agent->mind.failed == 1 + event->node)
    set_words(history, item, agent->mind.reason);
  if (event->outcome == LW_NODE_ABORTED && event->by >= 0) {
    describe_abort(agent->tree, event->by, text, sizeof text);
    set_words(history, item, text);
  }
  if (event->outcome == LW_NODE_RUNNING) put_start_first(history);
}

void lwi_history_begin_turn(const lwi_agent *agent) {
  if (agent->mind.history) agent->mind.history->turn = agent->mind.history->count;
}

/* --- the rest --------------------------------------------------------------------------------------------- */

void lwi_history_note_place(lw_world *world, const lwi_agent *agent, lw_history_kind kind, lw_vec3 at) {
  if (agent->mind.history) push(world, agent, kind)->of.place.at = at;
}

void lwi_history_note_path(lw_world *world, const lwi_agent *agent) {
  if (!agent->mind.history) return;
  lwi_history_item *item = push(world, agent, LW_HISTORY_PATH_FOUND);
  item->of.place.at = agent->route.goal;
  item->of.place.length = agent->route.path->length;
}

void lwi_history_note_failed_move(lw_world *world, const lwi_agent *agent, lw_status status) {
  if (!agent->mind.history) return;
  lwi_history_item *item = push(world, agent, LW_HISTORY_MOVE_FAILED);
  item->of.place.at = agent->route.goal;
  item->status = (uint8_t)status;
}

void lwi_history_note_other(lw_world *world, const lwi_agent *agent, lw_history_kind kind, lw_agent_id other,
                            lw_vec3 at) {
  if (!agent->mind.history) return;
  lwi_history_item *item = push(world, agent, kind);
  item->of.place.at = at;
  item->of.place.other = other;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

bool lwi_agent_begin_history(lw_world *world, lwi_agent *agent) {
  if (world->def.history == 0) return true;
  agent->mind.history = lwi_alloc_zero(&world->memory, history_size(world->def.history));
  if (!agent->mind.history) return false;
  agent->mind.history->capacity = world->def.history;
  return true;
}

static void free_history(lw_world *world, lwi_history *history) {
  if (history) lwi_free(&world->memory, history, history_size(history->capacity));
}

void lwi_agent_end_history(lw_world *world, lwi_agent *agent) {
  if (!agent->mind.history) return;
  lwi_past *past = &world->agents.histories.past[world->agents.histories.past_count++ % LWI_PAST_MAX];
  free_history(world, past->history);
  *past = (lwi_past){agent->id, agent->mind.history};
  agent->mind.history = NULL;
}

void lwi_world_free_past(lw_world *world) {
  for (int i = 0; i < LWI_PAST_MAX; ++i) {
    free_history(world, world->agents.histories.past[i].history);
    world->agents.histories.past[i] = (lwi_past){.history = NULL};
  }
}

lw_status lwi_agent_create_run(lw_world *world, const lw_tree *tree, lw_tree_run **run) {
  const lw_status status = lw_tree_run_create(tree, &world->memory.allocator, run);
  if (status != LW_OK || world->def.history == 0 || lw_tree_run_track(*run, true) == LW_OK) return status;
  lw_tree_run_destroy(*run);
  *run = NULL;
  return LW_OUT_OF_MEMORY;
}

/* @return false: no memory. */
static bool restart(lw_world *world, lwi_agent *agent) {
  const bool tracks = world->def.history > 0;
  free_history(world, agent->mind.history);
  agent->mind.history = NULL;
  if (agent->run && lw_tree_run_track(agent->run, tracks) != LW_OK) return false;
  if (agent->mind.next.run && lw_tree_run_track(agent->mind.next.run, tracks) != LW_OK) return false;
  return lwi_agent_begin_history(world, agent);
}

lw_status lw_world_set_history(lw_world *world, int count) {
  if (!world || count < 0 || count > LW_HISTORY_MAX || lwi_world_is_busy(world)) return LW_INVALID;
  if (count == world->def.history) return LW_OK;
  world->def.history = count;
  lwi_world_free_past(world);
  bool good = true;
  for (lwi_agent *agent = NULL; good && (agent = lwi_next_agent(world, agent));) good = restart(world, agent);
  if (good) return LW_OK;
  world->def.history = 0;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) restart(world, agent);
  return LW_OUT_OF_MEMORY;
}

int lw_world_get_history_size(const lw_world *world) {
  return world ? world->def.history : 0;
}

/* --- reading ---------------------------------------------------------------------------------------------- */

/* The first one at that time or later; of a number, or later. Both grow from one to the next. */
static uint64_t find_first(const lwi_history *history, double time, uint64_t number) {
  uint64_t low = first_of(history), high = history->count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const lwi_history_item *item = item_at(history, middle);
    if (item->time < time || item->number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_node(const lwi_history_item *item) {
  return item->kind <= LW_HISTORY_ABORTED;
}

static void fill(lw_agent_id agent, const lwi_history *history, const lwi_history_item *item,
                 lw_history_entry *entry) {
  *entry = (lw_history_entry){.number = item->number,
                              .time = item->time,
                              .agent = agent,
                              .kind = (lw_history_kind)item->kind,
                              .node = item->node,
                              .status = (lw_status)item->status};
  if (is_node(item)) {
    memcpy(entry->name, item->of.name, sizeof entry->name);
  } else {
    entry->at = item->of.place.at;
    entry->length = item->of.place.length;
    entry->other = item->of.place.other;
  }
  const uint32_t kept = (uint32_t)text_capacity(history->capacity);
  if (item->text > 0 && history->text_count - item->text < kept)
    memcpy(entry->text, words_of(history, item->text)->text, sizeof entry->text);
}

static bool is_span(double seconds) {
  return seconds >= 0; /* not NaN */
}

/* Of an agent that lives, or was one of the last that went. */
static const lwi_history *history_of(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (agent) return agent->mind.history;
  for (int i = 0; i < LWI_PAST_MAX; ++i)
    if (world->agents.histories.past[i].history && lw_agent_id_equal(world->agents.histories.past[i].agent, id))
      return world->agents.histories.past[i].history;
  return NULL;
}

int lw_agent_get_history(const lw_world *world, lw_agent_id id, double seconds, lw_history_entry *entries,
                         int capacity) {
  const lwi_history *history = world && is_span(seconds) ? history_of(world, id) : NULL;
  if (!history) return 0;
  const uint64_t first = find_first(history, world->time - seconds, 0);
  const uint64_t found = history->count - first, space = entries && capacity > 0 ? (uint64_t)capacity : 0;
  const uint64_t given = found < space ? found : space;
  for (uint64_t i = 0; i < given; ++i)
    fill(id, history, item_at(history, history->count - given + i), &entries[i]);
  return (int)found;
}

/* What is read of all agents. */
typedef struct span {
  double time;     /* from that on, */
  uint64_t number; /* and that */
  lw_history_entry *entries;
  size_t count;
} span;

/* Count the entries of a history that are in the span, and read them where there is space for them. */
static void take(span *to, lw_agent_id agent, const lwi_history *history) {
  if (!history) return;
  const uint64_t first = find_first(history, to->time, to->number);
  if (to->entries)
    for (uint64_t i = first; i < history->count; ++i)
      fill(agent, history, item_at(history, i), &to->entries[to->count + (size_t)(i - first)]);
  to->count += (size_t)(history->count - first);
}

static size_t take_all(const lw_world *world, double time, uint64_t number, lw_history_entry *entries) {
  span to = {time, number, entries, 0};
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    take(&to, agent->id, agent->mind.history);
  for (int i = 0; i < LWI_PAST_MAX; ++i)
    take(&to, world->agents.histories.past[i].agent, world->agents.histories.past[i].history);
  return to.count;
}

static int compare_entries(const void *a, const void *b) {
  const uint64_t one = ((const lw_history_entry *)a)->number, other = ((const lw_history_entry *)b)->number;
  return (one > other) - (one < other);
}

int lw_world_get_history(const lw_world *world, double seconds, lw_history_entry *entries, int capacity) {
  if (!world || !is_span(seconds)) return 0;
  const double time = world->time - seconds;
  const size_t found = take_all(world, time, 0, NULL), space = entries && capacity > 0 ? (size_t)capacity : 0;
  uint64_t low = 0,
           high = world->agents.histories.count + 1; /* the least number from which on they have space */
  while (low < high && found > space) {
    const uint64_t middle = low + (high - low) / 2;
    if (take_all(world, time, middle, NULL) > space)
      low = middle + 1;
    else
      high = middle;
  }
  const size_t given = space > 0 ? take_all(world, time, low, entries) : 0;
  if (given > 0) qsort(entries, given, sizeof *entries, compare_entries);
  return found < INT32_MAX ? (int)found : INT32_MAX;
}

/* --- as text ---------------------------------------------------------------------------------------------- */

const char *lw_history_kind_name(lw_history_kind kind) {
  static const char *const names[LW_HISTORY_KIND_COUNT] = {
      "started", "succeeded", "failed", "aborted", "path_found",  "move_failed",
      "arrived", "seen",      "lost",   "heard",   "cover_taken", "cover_left"};
  return (unsigned)kind < LW_HISTORY_KIND_COUNT ? names[kind] : "?";
}

static int print_node(const lw_history_entry *entry, char *text, size_t size) {
  static const char *const verbs[] = {"starts", "succeeds", "fails", "is aborted"};
  const bool is_abort = entry->kind == LW_HISTORY_ABORTED;
  char name[4 * LW_HISTORY_NAME_MAX + 1];
  lwi_text_show(name, sizeof name, entry->name);
  return snprintf(text, size, "%s %s%s%.95s", name, verbs[entry->kind],
                  !entry->text[0] ? ""
                  : is_abort      ? " by "
                                  : ": ",
                  entry->text);
}

void lwi_agent_name(lw_agent_id id, char *text, size_t size) {
  const unsigned slot = id.slot + 1u, generation = id.generation;
  if (generation > 1)
    snprintf(text, size, "agent %u.%u", slot, generation);
  else
    snprintf(text, size, "agent %u", slot);
}

int lw_history_text(const lw_history_entry *entry, char *text, size_t size) {
  if (!text) size = 0;
  if (size > 0) text[0] = 0;
  if (!entry || (unsigned)entry->kind >= LW_HISTORY_KIND_COUNT) return 0;
  if (entry->kind <= LW_HISTORY_ABORTED) return print_node(entry, text, size);
  char place[64], other[40] = "";
  snprintf(place, sizeof place, "(%.1f, %.1f, %.1f)", (double)entry->at.x, (double)entry->at.y,
           (double)entry->at.z);
  lwi_agent_name(entry->other, other, sizeof other);
  switch (entry->kind) {
  case LW_HISTORY_PATH_FOUND:
    return snprintf(text, size, "path to %s found, %.1f m", place, (double)entry->length);
  case LW_HISTORY_MOVE_FAILED:
    return snprintf(text, size, "cannot get to %s: %s", place, lw_status_text(entry->status));
  case LW_HISTORY_ARRIVED: return snprintf(text, size, "arrives at %s", place);
  case LW_HISTORY_SEEN: return snprintf(text, size, "sees %s at %s", other, place);
  case LW_HISTORY_LOST: return snprintf(text, size, "loses %s, last seen at %s", other, place);
  case LW_HISTORY_HEARD: return snprintf(text, size, "hears a noise at %s", place);
  case LW_HISTORY_COVER_TAKEN: return snprintf(text, size, "takes the cover at %s", place);
  case LW_HISTORY_COVER_LEFT: return snprintf(text, size, "leaves the cover at %s", place);
  default: return 0;
  }
}
