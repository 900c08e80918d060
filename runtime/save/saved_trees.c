/* What the trees of agents run, in a world's file: each tree once, by what its nodes are, then the run of each agent. */
#include "core/status.h"
#include "core/text.h"
#include "save/saved.h"

#include <string.h>

/* --- leaves ----------------------------------------------------------------------------------------------- */

/* The leaves of one agent that say what they save. */
typedef struct asked {
  lwi_saved_leaves *to;
  uint64_t serial;
  bool failed; ///< There is no memory.
} asked;

static void put_leaf(void *user, const lwi_leaf_data *data) {
  asked *from = user;
  lwi_saved_leaves *to = from->to;
  if (!lwi_reserve(to->bytes.memory, &to->items, &to->capacity, to->count + 1, sizeof *to->items)) {
    from->failed = true;
    return;
  }
  to->items[to->count++] = (lwi_saved_leaf){from->serial, data->node, to->bytes.count, (int)data->size};
  lwi_put_block(&to->bytes, data->data, data->size);
  from->failed |= to->bytes.failed;
}

bool lwi_saved_ask_leaves(lw_world *world, lwi_saved_leaves *leaves) {
  bool good = true;
  for (lwi_agent *agent = NULL; good && !world->closing && (agent = lwi_next_agent(world, agent));) {
    asked from = {leaves, agent->serial, false};
    lwi_agent_save_leaves(world, agent, &(lwi_leaf_store){.put = put_leaf, .user = &from});
    good = !from.failed;
  }
  return good;
}

void lwi_saved_leaves_free(lwi_saved_leaves *leaves, lwi_memory *memory) {
  lwi_free(memory, leaves->items, (size_t)leaves->capacity * sizeof *leaves->items);
  lwi_free(memory, leaves->bytes.data, (size_t)leaves->bytes.capacity);
}

/* --- writing ---------------------------------------------------------------------------------------------- */

/* The trees that agents have, each once. */
typedef struct tree_list {
  const lw_tree **items; ///< [count]
  int count, capacity;
  lwi_hash_index index; ///< By address: the order is that of the agents.
} tree_list;

static uint64_t hash_of_tree(const lw_tree *tree) {
  return (uint64_t)(uintptr_t)tree * 0x9e3779b97f4a7c15u >> 16;
}

/* @return Its number, from 1; 0: there is no memory, or no tree. */
static uint32_t number_of_tree(const tree_list *trees, const lw_tree *tree) {
  uint32_t at = lwi_hash_index_first(&trees->index, hash_of_tree(tree));
  for (; tree && at != LWI_NO_ITEM; at = lwi_hash_index_next(&trees->index, at))
    if (trees->items[at] == tree) return at + 1;
  return 0;
}

static bool list_trees(tree_list *trees, lwi_memory *memory, const lw_world *world) {
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!agent->run || number_of_tree(trees, agent->tree) > 0) continue;
    if (!lwi_reserve(memory, &trees->items, &trees->capacity, trees->count + 1, sizeof *trees->items) ||
        !lwi_hash_index_add(&trees->index, memory, hash_of_tree(agent->tree), (uint32_t)trees->count))
      return false;
    trees->items[trees->count++] = agent->tree;
  }
  return true;
}

/* @param[in, out] leaf  Of `leaves`: the first one of this agent or a later one. */
static void put_leaves(lwi_bytes *to, const lwi_agent *agent, const lwi_saved_leaves *leaves, int *leaf) {
  while (*leaf < leaves->count && leaves->items[*leaf].serial < agent->serial) *leaf += 1;
  int end = *leaf;
  while (end < leaves->count && leaves->items[end].serial == agent->serial) end += 1;
  lwi_put_u32(to, (uint32_t)(end - *leaf));
  for (; *leaf < end; *leaf += 1) {
    const lwi_saved_leaf *item = &leaves->items[*leaf];
    lwi_put_u32(to, (uint32_t)item->node);
    lwi_put_u32(to, (uint32_t)item->size);
    if (item->size > 0) lwi_put_block(to, leaves->bytes.data + item->first, (size_t)item->size);
  }
}

static void put_mind(lwi_bytes *to, const lwi_agent *agent, uint32_t tree) {
  const lwi_tree_turn *turn = &agent->mind.turn;
  lwi_put_u64(to, turn->reacted);
  lwi_put_u32(to, (uint32_t)turn->reactions);
  lwi_put_u64(to, turn->reacted_at);
  lwi_put_u32(to, tree);
  if (tree > 0) lwi_run_put(to, agent->run);
}

void lwi_saved_put_trees(lwi_bytes *to, const lw_world *world, const lwi_saved_leaves *leaves) {
  tree_list trees = {.count = 0};
  int leaf = 0;
  to->failed |= !list_trees(&trees, to->memory, world);
  lwi_put_u64(to, world->trees.round);
  lwi_put_u64(to, world->trees.reactions);
  lwi_put_u32(to, (uint32_t)trees.count);
  for (int i = 0; i < trees.count; i++) lwi_tree_put(to, trees.items[i]);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent)) && !to->failed;) {
    put_mind(to, agent, agent->run ? number_of_tree(&trees, agent->tree) : 0);
    put_leaves(to, agent, leaves, &leaf);
  }
  lwi_hash_index_free(&trees.index, to->memory);
  lwi_free(to->memory, (void *)trees.items, (size_t)trees.capacity * sizeof *trees.items);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static const char *read_leaf(lw_saved *saved, lwi_reader *from, const lwi_saved_mind *mind) {
  lwi_saved_leaves *leaves = &saved->trees.leaves;
  const uint32_t node = lwi_get_u32(from), size = lwi_get_u32(from);
  const void *data = lwi_get_block(from, size);
  if (from->failed) return NULL;
  if (!mind->run || node >= (uint32_t)lw_tree_node_count(saved->trees.items[mind->tree]))
    return "a leaf is not in its tree";
  if (!lwi_reserve(&saved->memory, &leaves->items, &leaves->capacity, leaves->count + 1, sizeof *leaves->items))
    return "";
  leaves->items[leaves->count++] = (lwi_saved_leaf){0, (int)node, leaves->bytes.count, (int)size};
  leaves->bytes.memory = &saved->memory;
  lwi_put_block(&leaves->bytes, data, size);
  return leaves->bytes.failed ? "" : NULL;
}

static const char *read_run(lw_saved *saved, lwi_reader *from, lwi_saved_mind *mind) {
  const uint32_t tree = lwi_get_u32(from);
  if (tree > (uint32_t)saved->trees.count) return "a tree is unknown";
  mind->tree = (int)tree - 1;
  if (tree == 0) return NULL;
  const lw_tree *of = saved->trees.items[mind->tree];
  if (lw_tree_run_create(of, &saved->memory.allocator, &mind->run) != LW_OK) return "";
  return lwi_run_read(from, mind->run);
}

static const char *read_mind(lw_saved *saved, lwi_reader *from) {
  lwi_saved_trees *trees = &saved->trees;
  if (!lwi_reserve(&saved->memory, &trees->minds, &trees->mind_capacity, trees->mind_count + 1,
                   sizeof *trees->minds))
    return "";
  lwi_saved_mind *mind = &trees->minds[trees->mind_count++];
  *mind = (lwi_saved_mind){.tree = -1, .first_leaf = trees->leaves.count};
  mind->turn.reacted = lwi_get_u64(from);
  const uint32_t reactions = lwi_get_u32(from);
  mind->turn.reactions = (int)reactions;
  mind->turn.reacted_at = lwi_get_u64(from);
  if (from->failed) return NULL;
  if (mind->turn.reacted > trees->round || mind->turn.reacted_at > trees->reactions || reactions > UINT16_MAX)
    return "a number is out of range";
  const char *wrong = read_run(saved, from, mind);
  const uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_leaf(saved, from, mind);
  mind->leaf_count = trees->leaves.count - mind->first_leaf;
  return wrong;
}

static const char *read_tree(lw_saved *saved, lwi_reader *from) {
  lwi_saved_trees *trees = &saved->trees;
  lw_tree *tree;
  const char *wrong = lwi_tree_read(from, &saved->memory.allocator, &tree);
  if (wrong) return wrong;
  if (!lwi_reserve(&saved->memory, &trees->items, &trees->capacity, trees->count + 1, sizeof *trees->items)) {
    lw_tree_destroy(tree);
    return "";
  }
  trees->items[trees->count++] = tree;
  return NULL;
}

const char *lwi_saved_read_trees(lw_saved *saved, lwi_reader *from) {
  lwi_saved_trees *trees = &saved->trees;
  const char *wrong = NULL;
  trees->is_there = true;
  trees->round = lwi_get_u64(from);
  trees->reactions = lwi_get_u64(from);
  const uint32_t count = lwi_get_u32(from);
  if (trees->round > LWI_SAVED_COUNT_MAX || trees->reactions > LWI_SAVED_COUNT_MAX)
    return "a count is out of range";
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_tree(saved, from);
  while (trees->mind_count < saved->agent_count && !from->failed && !wrong) wrong = read_mind(saved, from);
  return from->failed && (!wrong || *wrong) ? NULL : wrong; /* the caller says that they are cut short */
}

void lwi_saved_trees_free(lw_saved *saved) {
  lwi_saved_trees *trees = &saved->trees;
  for (int i = 0; i < trees->mind_count; i++) {
    lw_tree_run_destroy(trees->minds[i].run);
    lwi_values_free(&trees->minds[i].values, &saved->memory);
    lwi_values_free(&trees->minds[i].events, &saved->memory);
  }
  for (int i = 0; i < trees->count; i++) lw_tree_destroy(trees->items[i]);
  lwi_free(&saved->memory, trees->minds, (size_t)trees->mind_capacity * sizeof *trees->minds);
  lwi_free(&saved->memory, (void *)trees->items, (size_t)trees->capacity * sizeof *trees->items);
  lwi_saved_leaves_free(&trees->leaves, &saved->memory);
}

/* --- giving it to a world --------------------------------------------------------------------------------- */

/* A tree of the file, and what agents run in its place. */
typedef struct place_of_tree {
  const lw_tree *tree; ///< That `nodes` are for. NULL: none yet.
  int *nodes;          ///< [capacity] Of lw_tree_match().
  int capacity;
  bool differs;            ///< From some of them.
  int going_on, restarted; ///< Agents whose trees differ.
} place_of_tree;

/* A world that is given what a file has. */
typedef struct restoring {
  lw_world *world;
  const lw_saved *saved;
  lwi_agent **agents;   ///< [saved->agent_count] By place in the file. NULL: it was not restored.
  place_of_tree *trees; ///< [saved->trees.count]
} restoring;

/* Fill `agents`. @return false: no memory. */
static bool find_agents(const restoring *to) {
  lwi_memory *memory = &to->world->memory;
  lwi_hash_index index = {.count = 0};
  bool good = true;
  for (int i = 0; i < to->saved->agent_count && good; i++)
    good = lwi_hash_index_add(&index, memory, to->saved->agents[i].serial, (uint32_t)i);
  for (lwi_agent *agent = NULL; good && (agent = lwi_next_agent(to->world, agent));) {
    const uint32_t at = lwi_hash_index_find(&index, agent->serial);
    if (at != LWI_NO_ITEM) to->agents[at] = agent;
  }
  lwi_hash_index_free(&index, memory);
  return good;
}

/* Find which nodes of the tree are those of the file. @return false: no memory. */
static bool match(const restoring *to, const lw_tree *of_file, const lw_tree *tree, place_of_tree *place) {
  if (place->tree == tree) return true;
  place->tree = NULL;
  if (!lwi_reserve(&to->world->memory, &place->nodes, &place->capacity, tree->node_count, sizeof *place->nodes))
    return false;
  place->differs = !lwi_tree_is_same(of_file, tree);
  for (int i = 0; i < tree->node_count; i++) place->nodes[i] = i;
  if (place->differs && lw_tree_match(of_file, tree, place->nodes) != LW_OK) return false;
  place->tree = tree;
  return true;
}

/* @return false: no memory. */
static bool take_run(const restoring *to, lwi_agent *agent, const lwi_saved_mind *from) {
  const lwi_tree_turn *turn = &from->turn;
  agent->mind.turn.reacted = turn->reacted;
  agent->mind.turn.reactions = turn->reactions;
  agent->mind.turn.reacted_at = turn->reacted_at;
  if (from->tree < 0 || !agent->run) return true;
  const lw_tree *of_file = to->saved->trees.items[from->tree];
  place_of_tree *place = &to->trees[from->tree];
  if (strcmp(lw_tree_name(of_file), lw_tree_name(agent->tree)) != 0) return true; /* it was given another one */
  bool goes_on;
  lwi_agent_abort_tree(to->world, agent);
  if (!match(to, of_file, agent->tree, place) ||
      !lwi_agent_take_run(to->world, agent, from->run, place->nodes, &goes_on))
    return false;
  if (place->differs) *(goes_on ? &place->going_on : &place->restarted) += 1;
  return true;
}

/* What the leaves of an agent have saved, by the nodes of its tree. */
typedef struct found {
  const lwi_saved_leaves *from;
  const lwi_saved_mind *mind;
  const place_of_tree *place;
  int next; ///< Behind the leaf that was found last: they come in the same order, but where the trees differ.
} found;

static bool find_leaf(void *user, int node, lwi_leaf_data *data) {
  found *in = user;
  const int count = in->mind->leaf_count;
  for (int i = 0; i < count; i++) {
    const int at = (in->next + i) % count;
    const lwi_saved_leaf *item = &in->from->items[in->mind->first_leaf + at];
    if (item->node != in->place->nodes[node]) continue;
    in->next = at + 1;
    *data = (lwi_leaf_data){node, in->from->bytes.data + item->first, (size_t)item->size};
    return true;
  }
  return false;
}

/* The agent may have another tree by now, if a leaf of one before has given it that. */
static bool has_taken_run(const restoring *to, const lwi_agent *agent, const lwi_saved_mind *from) {
  return from->tree >= 0 && agent->run && agent->tree == to->trees[from->tree].tree;
}

static void load_leaves(const restoring *to, const lwi_saved_mind *from, lwi_agent *agent) {
  if (!has_taken_run(to, agent, from)) return;
  found in = {&to->saved->trees.leaves, from, &to->trees[from->tree], 0};
  lwi_agent_load_leaves(to->world, agent, &(lwi_leaf_store){.find = find_leaf, .user = &in});
}

/* Say which trees are others than when the world was saved. */
static void report(const restoring *to) {
  for (int i = 0; i < to->saved->trees.count; i++) {
    const place_of_tree *place = &to->trees[i];
    char name[LWI_TREE_NAME_MAX * 4 + 1];
    if (place->going_on + place->restarted == 0) continue;
    lwi_text_show(name, sizeof name, to->saved->trees.items[i]->name);
    lw_world_log(
        to->world, LW_LOG_WARNING,
        "load: the tree '%s' is not what it was when the world was saved: %d agents go on where they were, "
        "%d begin at its root",
        name, place->going_on, place->restarted);
  }
}

static bool restore_all(const restoring *to) {
  const lwi_saved_trees *from = &to->saved->trees;
  if (!find_agents(to)) return false;
  to->world->trees.round = from->round;
  to->world->trees.reactions = from->reactions;
  bool good = lwi_saved_restore_boards(to->world, to->saved, to->agents);
  for (int i = 0; i < from->mind_count && !to->world->closing; i++) {
    if (!to->agents[i]) continue;
    good = take_run(to, to->agents[i], &from->minds[i]) && good;
    load_leaves(to, &from->minds[i], to->agents[i]);
  }
  if (!to->world->closing) report(to);
  return good;
}

lw_status lw_world_restore_trees(lw_world *world, const lw_saved *saved, lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  if (!saved) return lwi_fail_null(error, "saved");
  if (lwi_world_is_busy(world))
    return lwi_fail(error, LW_INVALID, "world is inside a step or a leaf, expected a call between steps");
  lwi_planner_take_up(world); /* all agents are there, and nothing that its search looked at has changed yet */
  if (!saved->trees.is_there) return LW_OK;
  lwi_memory *memory = &world->memory;
  const size_t agents_size = (size_t)saved->agent_count * sizeof(lwi_agent *),
               trees_size = (size_t)saved->trees.count * sizeof(place_of_tree);
  restoring to = {world, saved, lwi_alloc_zero(memory, agents_size), lwi_alloc_zero(memory, trees_size)};
  const bool outer = world->agents.flushing;
  lwi_world_enter(world);
  world->agents.flushing = true; /* agents that leaves despawn stay until all are restored */
  const bool good = (to.agents || agents_size == 0) && (to.trees || trees_size == 0) && restore_all(&to);
  world->agents.flushing = outer;
  for (int i = 0; to.trees && i < saved->trees.count; i++)
    lwi_free(memory, to.trees[i].nodes, (size_t)to.trees[i].capacity * sizeof *to.trees[i].nodes);
  lwi_free(memory, (void *)to.agents, agents_size);
  lwi_free(memory, to.trees, trees_size);
  lwi_world_flush_removed(world);
  if (!lwi_world_leave(world)) return lwi_fail(error, LW_STALE, "a leaf destroyed the world");
  return good ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}
