/* The trees of agents: which are ticked when. An agent with a tree waits in one queue, so that those that are asleep
   cost nothing. All queues have space for all agents: a step allocates nothing for them. */
#include "behavior/run.h"
#include "world/world.h"

#include <math.h>

/* How often the conditions of one agent react in a step after its turn; what is left waits for the next step, so
   that agents which answer each other end. */
#define REACTIONS_MAX 8

/* --- queues ----------------------------------------------------------------------------------------------- */

static bool before(const lwi_agent *a, const lwi_agent *b) {
  if (a->mind.turn.key < b->mind.turn.key) return true;
  return !(b->mind.turn.key < a->mind.turn.key) && a->serial < b->serial;
}

static void put(lwi_turn_queue *queue, int at, lwi_agent *agent) {
  queue->items[at] = agent;
  agent->mind.turn.index = at;
}

static void sift(lwi_turn_queue *queue, int at, lwi_agent *agent) {
  for (; at > 0 && before(agent, queue->items[(at - 1) / 2]); at = (at - 1) / 2)
    put(queue, at, queue->items[(at - 1) / 2]);
  for (;;) {
    int child = 2 * at + 1;
    if (child >= queue->count) break;
    if (child + 1 < queue->count && before(queue->items[child + 1], queue->items[child])) child += 1;
    if (!before(queue->items[child], agent)) break;
    put(queue, at, queue->items[child]);
    at = child;
  }
  put(queue, at, agent);
}

/* Let a list in order, which is a heap, too, begin where heaps do. */
static void become_heap(lwi_turn_queue *queue) {
  const int first = queue->first;
  queue->is_sorted = false;
  queue->first = 0;
  for (int i = 0; first > 0 && i < queue->count; ++i) put(queue, i, queue->items[first + i]);
}

static void take_out(lwi_world_trees *trees, lwi_agent *agent) {
  if (agent->mind.turn.queue == LWI_TURN_NONE) return;
  lwi_turn_queue *queue = &trees->queues[agent->mind.turn.queue];
  if (queue->is_sorted) become_heap(queue);
  agent->mind.turn.queue = LWI_TURN_NONE;
  lwi_agent *last = queue->items[--queue->count];
  if (last != agent) sift(queue, agent->mind.turn.index, last);
}

static void move(lwi_world_trees *trees, lwi_agent *agent, lwi_turn_queue_kind kind, double key) {
  if (agent->mind.turn.queue == (int)kind && !(agent->mind.turn.key < key) && !(key < agent->mind.turn.key))
    return;
  take_out(trees, agent);
  lwi_turn_queue *queue = &trees->queues[kind];
  agent->mind.turn.queue = (int)kind;
  agent->mind.turn.key = key;
  if (queue->count == 0) queue->is_sorted = true;
  const int end = queue->first + queue->count;
  if (queue->is_sorted && end < queue->capacity && (end == 0 || before(queue->items[end - 1], agent))) {
    put(queue, end, agent);
    queue->count += 1;
    return;
  }
  if (queue->is_sorted) become_heap(queue);
  sift(queue, queue->count++, agent);
}

/* @return The first agent, which leaves the queue. NULL: it is empty. */
static lwi_agent *pop(lwi_world_trees *trees, lwi_turn_queue_kind kind) {
  lwi_turn_queue *queue = &trees->queues[kind];
  if (queue->count == 0) return NULL;
  lwi_agent *first = queue->items[queue->first];
  if (!queue->is_sorted) {
    take_out(trees, first);
    return first;
  }
  first->mind.turn.queue = LWI_TURN_NONE;
  queue->first += 1;
  queue->count -= 1;
  if (queue->count == 0) queue->first = 0;
  return first;
}

static bool reserve_queues(lw_world *world) {
  const int needed = world->agents.ids.count + 1;
  for (int kind = 1; kind < LWI_TURN_QUEUES; ++kind) {
    lwi_turn_queue *queue = &world->trees.queues[kind];
    if (!lwi_reserve(&world->memory, &queue->items, &queue->capacity, needed, sizeof(lwi_agent *)))
      return false;
  }
  return true;
}

/* --- readers of shared keys ------------------------------------------------------------------------------- */

static void list_reader(lw_world *world, lwi_agent *agent) {
  lwi_tree_turn *turn = &agent->mind.turn;
  const bool reads = agent->tree && lwi_tree_reads_shared(agent->tree);
  if (reads == turn->reads_shared) return;
  lwi_agent **first = &world->trees.readers;
  turn->reads_shared = reads;
  if (reads) {
    turn->previous_reader = NULL;
    turn->next_reader = *first;
    if (*first) (*first)->mind.turn.previous_reader = agent;
    *first = agent;
    return;
  }
  *(turn->previous_reader ? &turn->previous_reader->mind.turn.next_reader : first) = turn->next_reader;
  if (turn->next_reader) turn->next_reader->mind.turn.previous_reader = turn->previous_reader;
}

bool lwi_agent_begin_turns(lw_world *world, lwi_agent *agent) {
  if (!reserve_queues(world)) return false;
  list_reader(world, agent);
  return true;
}

void lwi_agent_end_turns(lw_world *world, lwi_agent *agent) {
  take_out(&world->trees, agent);
  agent->tree = NULL;
  list_reader(world, agent);
}

/* --- the host --------------------------------------------------------------------------------------------- */

/* What a tree runs in. */
typedef struct tree_user {
  lw_world *world;
  lwi_agent *agent;
} tree_user;

static float draw(void *user) {
  return lwi_random_unit(&((tree_user *)user)->agent->random);
}

static lw_node_status call_leaf(void *user, lw_leaf_call *call) {
  tree_user *in = user;
  const lw_world_def *def = &in->world->def;
  return def->leaf ? def->leaf(def->user, in->world, in->agent->id, call) : LW_FAILURE;
}

static lw_value read_value(void *user, const lw_key *key) {
  const tree_user *in = user;
  return lwi_agent_value(in->world, in->agent, key);
}

static void note_node(void *user, const lw_node_event *event) {
  const tree_user *in = user;
  lwi_history_note_node(in->world, in->agent, event);
}

static lw_tree_host host_of(tree_user *user) {
  lwi_history_begin_turn(user->agent);
  return (lw_tree_host){.leaf = call_leaf,
                        .random = draw,
                        .value = read_value,
                        .noted = user->agent->mind.history ? note_node : NULL,
                        .user = user,
                        .now = user->world->time,
                        .world = user->world,
                        .agent = user->agent->id};
}

/* --- another tree ----------------------------------------------------------------------------------------- */

void lwi_agent_abort_tree(lw_world *world, lwi_agent *agent) {
  if (!agent->run) return;
  tree_user user = {world, agent};
  const lw_tree_host host = host_of(&user);
  lw_tree_run_abort(agent->run, &host);
}

/* Abort the tree of an agent that stays until that is done, whatever its leaves do. */
static void abort_for_next(lw_world *world, lwi_agent *agent) {
  const bool outer = world->agents.flushing;
  world->agents.flushing = true;
  lwi_agent_abort_tree(world, agent);
  world->agents.flushing = outer;
}

/* Put the tree that waits in the place of the one that ran, which has been aborted. */
static void adopt_next(lw_world *world, lwi_agent *agent) {
  lw_tree_run_destroy(agent->run);
  agent->run = agent->mind.next.run;
  agent->tree = agent->mind.next.tree;
  agent->mind.next = (lwi_next_tree){.is_pending = false};
  list_reader(world, agent);
  lwi_agent_queue(world, agent);
}

static void adopt_tree(lw_world *world, lwi_agent *agent) {
  agent->mind.reason[0] = 0; /* the failure of another tree */
  agent->mind.failed = 0;
  adopt_next(world, agent);
}

lw_status lw_agent_set_tree(lw_world *world, lw_agent_id id, const lw_tree *tree) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->removal.pending) return LW_STALE;
  lw_tree_run *run = NULL;
  if (tree && lwi_agent_create_run(world, tree, &run) != LW_OK) return LW_OUT_OF_MEMORY;
  lw_tree_run_destroy(agent->mind.next.run);
  agent->mind.next = (lwi_next_tree){true, tree, run};
  const bool is_calling = agent->run && lwi_tree_run_is_calling(agent->run);
  lwi_world_enter(world); /* a leaf that is stopped may destroy the world */
  abort_for_next(world, agent);
  if (!is_calling && agent->mind.next.is_pending) adopt_tree(world, agent);
  if (!lwi_world_is_busy(world)) lwi_world_flush_removed(world);
  lwi_world_leave(world);
  return LW_OK;
}

static bool are_nodes(const lw_tree *from, const lw_tree *to, const int *nodes) {
  for (int i = 0; i < to->node_count; ++i)
    if (nodes[i] < -1 || nodes[i] >= from->node_count) return false;
  return true;
}

lw_status lw_agent_replace_tree(lw_world *world, lw_agent_id id, const lw_tree *tree, const int *nodes) {
  if (!world || !tree || !nodes || lwi_world_is_busy(world)) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->removal.pending) return LW_STALE;
  if (!agent->run || lwi_tree_run_is_calling(agent->run)) return LW_INVALID;
  if (!are_nodes(agent->tree, tree, nodes)) return LW_INVALID;
  lw_tree_run *run = NULL;
  if (lwi_agent_create_run(world, tree, &run) != LW_OK) return LW_OUT_OF_MEMORY;
  agent->mind.next = (lwi_next_tree){true, tree, run};
  lwi_world_enter(world); /* a leaf that is stopped may destroy the world, or set another tree */
  if (!lwi_run_goes_on(agent->run, tree, nodes)) abort_for_next(world, agent);
  if (agent->mind.next.is_pending && agent->mind.next.run == run) {
    lwi_run_take(run, agent->run, nodes);
    lwi_agent_settle_reason(agent);
    adopt_next(world, agent);
  } else if (agent->mind.next.is_pending) {
    adopt_tree(world, agent);
  }
  lwi_world_flush_removed(world);
  lwi_world_leave(world);
  return LW_OK;
}

/* --- saved worlds --------------------------------------------------------------------------------------------- */

/* Run leaves of an agent that stays until that is done, whatever they do. */
static void with_leaves(lw_world *world, lwi_agent *agent, const lwi_leaf_store *store,
                        void (*act)(lw_tree_run *run, const lw_tree_host *host, const lwi_leaf_store *store)) {
  tree_user user = {world, agent};
  const lw_tree_host host = host_of(&user);
  const bool outer = world->agents.flushing;
  world->agents.flushing = true;
  act(agent->run, &host, store);
  if (agent->mind.next.is_pending)
    adopt_tree(world, agent);
  else
    lwi_agent_queue(world, agent);
  world->agents.flushing = outer;
}

void lwi_agent_save_leaves(lw_world *world, lwi_agent *agent, const lwi_leaf_store *store) {
  if (agent->run && !agent->removal.pending) with_leaves(world, agent, store, lwi_run_save);
}

void lwi_agent_load_leaves(lw_world *world, lwi_agent *agent, const lwi_leaf_store *store) {
  if (agent->run && !agent->removal.pending) with_leaves(world, agent, store, lwi_run_load);
}

bool lwi_agent_take_run(lw_world *world, lwi_agent *agent, const lw_tree_run *from, const int *nodes,
                        bool *goes_on) {
  lw_tree_run *run = NULL;
  if (lwi_agent_create_run(world, agent->tree, &run) != LW_OK) return false;
  *goes_on = lwi_run_goes_on(from, agent->tree, nodes);
  (*goes_on ? lwi_run_take : lwi_run_take_counts)(run, from, nodes);
  lw_tree_run_destroy(agent->run);
  agent->run = run;
  lwi_agent_queue(world, agent);
  return true;
}

const lw_tree_run *lw_agent_run(const lw_world *world, lw_agent_id id) {
  if (!world) return NULL;
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? agent->run : NULL;
}

void lwi_agent_free_tree(lw_world *world, lwi_agent *agent) {
  lwi_agent_end_turns(world, agent);
  lw_tree_run_destroy(agent->run);
  lw_tree_run_destroy(agent->mind.next.run);
  lwi_agent_free_values(world, agent);
}

/* --- turns ------------------------------------------------------------------------------------------------ */

bool lwi_agent_has_turn(const lw_world *world, const lwi_agent *agent) {
  const lwi_world_trees *trees = &world->trees;
  return trees->is_ticking && agent->serial > trees->turn && agent->serial <= trees->last;
}

/* Which queue an agent that is awake belongs to. */
static lwi_turn_queue_kind queue_of_awake(const lw_world *world, const lwi_agent *agent) {
  const lwi_world_trees *trees = &world->trees;
  if (!trees->is_ticking) return LWI_TURN_NEXT;
  if (lwi_agent_has_turn(world, agent)) return LWI_TURN_NOW;
  const bool is_spent = agent->mind.turn.reacted == trees->round && agent->mind.turn.reactions >= REACTIONS_MAX;
  return lwi_tree_run_is_notified(agent->run) && !is_spent ? LWI_TURN_REACTS : LWI_TURN_NEXT;
}

void lwi_agent_queue(lw_world *world, lwi_agent *agent) {
  if (!agent->run || agent->removal.pending) {
    take_out(&world->trees, agent);
    return;
  }
  const double wake = lw_tree_run_wake_time(agent->run);
  if (wake <= world->time)
    move(&world->trees, agent, queue_of_awake(world, agent), 0);
  else if (wake < (double)INFINITY)
    move(&world->trees, agent, LWI_TURN_ASLEEP, wake);
  else
    take_out(&world->trees, agent);
}

void lwi_agent_wake(lw_world *world, lwi_agent *agent) {
  if (!agent->run) return;
  lw_tree_run_wake(agent->run);
  lwi_agent_queue(world, agent);
}

lw_status lw_agent_wake(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  lwi_agent_wake(world, agent);
  return LW_OK;
}

/* Let a tree be ticked, or its conditions react. */
static void run_tree(lw_world *world, lwi_agent *agent, bool ticks) {
  tree_user user = {world, agent};
  const lw_tree_host host = host_of(&user);
  if (ticks)
    lw_tree_run_tick(agent->run, &host);
  else
    lw_tree_run_react(agent->run, &host);
  if (agent->mind.next.is_pending)
    adopt_tree(world, agent);
  else
    lwi_agent_queue(world, agent);
}

static void react(lw_world *world, lwi_agent *agent) {
  lwi_tree_turn *turn = &agent->mind.turn;
  if (turn->reacted != world->trees.round) turn->reactions = 0;
  turn->reacted = world->trees.round;
  turn->reactions += 1;
  turn->reacted_at = ++world->trees.reactions;
  run_tree(world, agent, false);
}

/* All that wait for the next step have their turn now. */
static void swap_queues(lwi_world_trees *trees) {
  const lwi_turn_queue now = trees->queues[LWI_TURN_NOW];
  trees->queues[LWI_TURN_NOW] = trees->queues[LWI_TURN_NEXT];
  trees->queues[LWI_TURN_NEXT] = now;
  for (int i = 0; i < trees->queues[LWI_TURN_NOW].count; ++i)
    trees->queues[LWI_TURN_NOW].items[trees->queues[LWI_TURN_NOW].first + i]->mind.turn.queue = LWI_TURN_NOW;
}

/* Those whose time has come, and those that were woken since the last step. */
static void gather(lw_world *world) {
  lwi_world_trees *trees = &world->trees;
  const lwi_turn_queue *asleep = &trees->queues[LWI_TURN_ASLEEP];
  if (trees->queues[LWI_TURN_NOW].count == 0) {
    swap_queues(trees);
  } else {
    for (lwi_agent *agent; (agent = pop(trees, LWI_TURN_NEXT));) move(trees, agent, LWI_TURN_NOW, 0);
  }
  while (asleep->count > 0 && asleep->items[asleep->first]->mind.turn.key <= world->time)
    move(trees, pop(trees, LWI_TURN_ASLEEP), LWI_TURN_NOW, 0);
}

void lwi_world_tick_trees(lw_world *world) {
  lwi_world_trees *trees = &world->trees;
  const lwi_agent *last = lwi_last_agent(world); /* those that leaves spawn now wait for the next step */
  lwi_world_notify_changes(world);
  gather(world);
  trees->round += 1;
  trees->turn = 0;
  trees->last = last ? last->serial : 0;
  trees->is_ticking = true;
  for (lwi_agent *agent; !world->closing && (agent = pop(trees, LWI_TURN_NOW));) {
    trees->turn = agent->serial;
    if (!agent->removal.pending) run_tree(world, agent, true);
  }
  trees->turn = UINT64_MAX;
  if (!world->closing) lwi_world_notify_changes(world);
  for (lwi_agent *agent; !world->closing && (agent = pop(trees, LWI_TURN_REACTS));) {
    if (!agent->removal.pending) react(world, agent);
    if (trees->queues[LWI_TURN_REACTS].count == 0) lwi_world_notify_changes(world);
  }
  trees->is_ticking = false;
  if (trees->events.pending == 0) lwi_values_forget(&trees->events, &world->memory, trees->round + 1);
}

void lwi_world_trees_free(lw_world *world) {
  lwi_world_free_values(world);
  for (int kind = 1; kind < LWI_TURN_QUEUES; ++kind) {
    lwi_turn_queue *queue = &world->trees.queues[kind];
    lwi_free(&world->memory, queue->items, (size_t)queue->capacity * sizeof(lwi_agent *));
  }
}
