/* Blackboards of agents, teams and the world, and events: what trees read, and which are notified of
   changes. */
#include "behavior/tree.h"
#include "behavior/values.h"
#include "core/hash.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const char of_team[] = "team.", of_world[] = "world.", of_event[] = "event.";
static const lw_value none = {.kind = LW_VALUE_NONE};

/* --- reading ---------------------------------------------------------------------------------------------- */

static const lwi_values *team_values(const lw_world *world, uint32_t team) {
  return (int)team < world->trees.team_capacity ? world->trees.teams[team] : NULL;
}

/* The ticks of trees that an event is for which comes now. */
static uint64_t round_of_event(const lw_world *world) {
  return world->trees.round + !world->trees.is_ticking;
}

/* Have the agent's conditions reacted to an event that came after its turn in those ticks? */
static bool has_reacted(const lwi_agent *agent, const lwi_value_entry *entry) {
  const lwi_tree_turn *turn = &agent->mind.turn;
  char key[sizeof of_event + LW_KEY_MAX + 1];
  if (turn->reacted != entry->round || turn->reacted_at <= entry->sent) return false;
  snprintf(key, sizeof key, "%s%s", of_event, entry->key);
  return lw_tree_reads(agent->tree, key);
}

/* What an event brought, in the ticks that it is for; in the next ones where it came after the agent's turn, and its
   conditions have not reacted. */
static lw_value get_event(const lw_world *world, const lwi_agent *agent, const lwi_values *events,
                          const lw_key *key) {
  const lwi_value_entry *entry = events ? lwi_values_find(events, key) : NULL;
  if (!entry) return none;
  const uint64_t round = round_of_event(world);
  if (entry->round == round) return entry->value;
  if (entry->round + 1 != round || agent->serial > entry->heard) return none;
  return has_reacted(agent, entry) ? none : entry->value;
}

lw_value lwi_agent_value(const lw_world *world, const lwi_agent *agent, const lw_key *key) {
  if (key->scope == LW_SCOPE_AGENT) return lwi_values_get(agent->mind.values, key);
  switch (key->scope) {
  case LW_SCOPE_TEAM: return lwi_values_get(team_values(world, agent->knowledge.team_number), key);
  case LW_SCOPE_WORLD: return lwi_values_get(&world->trees.values, key);
  case LW_SCOPE_AGENT:
  case LW_SCOPE_SENSE: return lwi_agent_sense(world, agent, key->name);
  case LW_SCOPE_EVENT: break;
  }
  const lw_value own = get_event(world, agent, agent->mind.events, key);
  return own.kind != LW_VALUE_NONE ? own : get_event(world, agent, &world->trees.events, key);
}

lw_value lw_agent_get_value(const lw_world *world, lw_agent_id id, const char *key) {
  const lwi_agent *agent = world && key ? lwi_world_agent(world, id) : NULL;
  if (!agent) return none;
  const lw_key read = lwi_key_read(key);
  return lwi_agent_value(world, agent, &read);
}

/* The team's number, if it has one. */
static bool find_team(const lw_world *world, const char *text, uint32_t *number) {
  *number = 0;
  if (!text || !text[0]) return true;
  for (int i = 0; i < world->threats.team_count; ++i) {
    if (strcmp(world->threats.teams[i]->text, text) != 0) continue;
    *number = (uint32_t)i + 1;
    return true;
  }
  return false;
}

lw_value lw_team_get_value(const lw_world *world, const char *team, const char *key) {
  uint32_t number;
  if (!world || !key || !find_team(world, team, &number)) return none;
  const lw_key name = {.name = key, .hash = lwi_key_hash(key)};
  return lwi_values_get(team_values(world, number), &name);
}

lw_value lw_world_get_value(const lw_world *world, const char *key) {
  if (!world || !key) return none;
  const lw_key name = {.name = key, .hash = lwi_key_hash(key)};
  return lwi_values_get(&world->trees.values, &name);
}

/* --- notifying ---------------------------------------------------------------------------------------------- */

void lwi_agent_notify(lw_world *world, lwi_agent *agent, const char *key) {
  if (agent->run && lw_tree_run_notify(agent->run, key)) lwi_agent_queue(world, agent);
}

/* Remember that a shared key has changed, until readers are notified. There is
   space. */
static void list_change(lwi_world_trees *trees, lwi_changed_key changed) {
  lwi_value_entry *entry = &changed.values->entries[changed.entry];
  if (entry->is_pending) return;
  entry->is_pending = true;
  changed.values->pending += 1;
  trees->changed[trees->changed_count++] = changed;
}

void lwi_world_notify_changes(lw_world *world) {
  lwi_world_trees *trees = &world->trees;
  for (int i = 0; i < trees->changed_count; ++i) {
    const lwi_changed_key *changed = &trees->changed[i];
    lwi_value_entry *entry = &changed->values->entries[changed->entry];
    char key[sizeof of_event + LW_KEY_MAX + 1];
    snprintf(key, sizeof key, "%s%s", changed->prefix, entry->key);
    entry->sent = trees->reactions; /* reactions before this one were to other keys */
    for (lwi_agent *agent = trees->readers; agent; agent = agent->mind.turn.next_reader)
      if (changed->team == UINT32_MAX || changed->team == agent->knowledge.team_number)
        lwi_agent_notify(world, agent, key);
    entry->is_pending = false;
    changed->values->pending -= 1;
  }
  trees->changed_count = 0;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

static lw_status check(const char *key, const lw_value *value) {
  return lwi_key_is_valid(key) && lwi_value_is_valid(value) ? LW_OK : LW_INVALID;
}

static lwi_values *values_at(lw_world *world, lwi_values **values) {
  if (!*values) *values = lwi_alloc_zero(&world->memory, sizeof **values);
  return *values;
}

/* @return false: no memory to list one more change. */
static bool reserve_change(lw_world *world) {
  lwi_world_trees *trees = &world->trees;
  return lwi_reserve(&world->memory, &trees->changed, &trees->changed_capacity, trees->changed_count + 1,
                     sizeof *trees->changed);
}

/* Set a key that several agents may read. */
static lw_status set_shared(lw_world *world, lwi_changed_key at, const char *key, const lw_value *value) {
  lwi_world_trees *trees = &world->trees;
  if (!reserve_change(world) || !lwi_values_set(at.values, &world->memory, key, value, &at.entry))
    return LW_OUT_OF_MEMORY;
  if (at.entry >= 0) list_change(trees, at);
  return LW_OK;
}

static lwi_values *values_of_team(lw_world *world, uint32_t team) {
  lwi_world_trees *trees = &world->trees;
  const int had = trees->team_capacity;
  if (!lwi_reserve(&world->memory, &trees->teams, &trees->team_capacity, (int)team + 1, sizeof *trees->teams))
    return NULL;
  for (int i = had; i < trees->team_capacity; ++i) trees->teams[i] = NULL;
  return values_at(world, &trees->teams[team]);
}

static lw_status set_of_team(lw_world *world, uint32_t team, const char *key, const lw_value *value) {
  lwi_values *values = values_of_team(world, team);
  if (!values) return LW_OUT_OF_MEMORY;
  return set_shared(world, (lwi_changed_key){values, -1, team, of_team}, key, value);
}

lw_status lw_world_set_value(lw_world *world, const char *key, const lw_value *value) {
  if (!value) value = &none;
  if (!world || check(key, value) != LW_OK) return LW_INVALID;
  return set_shared(world, (lwi_changed_key){&world->trees.values, -1, UINT32_MAX, of_world}, key, value);
}

lw_status lw_team_set_value(lw_world *world, const char *team, const char *key, const lw_value *value) {
  if (!value) value = &none;
  uint32_t number;
  if (!world || check(key, value) != LW_OK || (team && strlen(team) > LW_TEAM_NAME_MAX)) return LW_INVALID;
  if (!lwi_team_number(world, team ? team : "", &number)) return LW_OUT_OF_MEMORY;
  return set_of_team(world, number, key, value);
}

/* Set a key that the agent alone reads. @param key  As its tree reads it. @param rest  As it is kept. */
static lw_status set_own(lw_world *world, lwi_agent *agent, lwi_values **values, const char *key,
                         const char *rest, const lw_value *value) {
  int changed;
  if (!values_at(world, values) || !lwi_values_set(*values, &world->memory, rest, value, &changed))
    return LW_OUT_OF_MEMORY;
  if (changed >= 0) lwi_agent_notify(world, agent, key);
  return LW_OK;
}

lw_status lw_agent_set_value(lw_world *world, lw_agent_id id, const char *key, const lw_value *value) {
  if (!value) value = &none;
  if (!world || check(key, value) != LW_OK) return LW_INVALID;
  const lw_key read = lwi_key_split(key);
  if (read.scope == LW_SCOPE_EVENT || read.scope == LW_SCOPE_SENSE || !*read.name) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (read.scope == LW_SCOPE_TEAM) return set_of_team(world, agent->knowledge.team_number, read.name, value);
  if (read.scope == LW_SCOPE_WORLD) return lw_world_set_value(world, read.name, value);
  return set_own(world, agent, &agent->mind.values, key, key, value);
}

/* --- events ----------------------------------------------------------------------------------------------- */

static const lw_value yes = {.kind = LW_VALUE_BOOLEAN, .as = {.boolean = true}};

/* Store an event that comes now. @param heard  Agents up to this serial number have had their turn.
   @return Its entry; NULL: no memory. */
static lwi_value_entry *store_event(lw_world *world, lwi_values *events, uint64_t heard, const char *name,
                                    const lw_value *value) {
  int changed;
  if (!lwi_values_set(events, &world->memory, name, value, &changed)) return NULL;
  const lw_key key = {.name = name, .hash = lwi_key_hash(name)};
  lwi_value_entry *entry = lwi_values_find(events, &key);
  entry->round = round_of_event(world);
  entry->heard = heard;
  entry->sent = world->trees.reactions;
  return entry;
}

lw_status lw_agent_send(lw_world *world, lw_agent_id id, const char *name, const lw_value *value) {
  if (!value || value->kind == LW_VALUE_NONE) value = &yes;
  if (!world || check(name, value) != LW_OK) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  char key[sizeof of_event + LW_KEY_MAX + 1];
  snprintf(key, sizeof key, "%s%s", of_event, name);
  if (!values_at(world, &agent->mind.events)) return LW_OUT_OF_MEMORY;
  const bool reacts = agent->run && lwi_tree_run_is_calling(agent->run) && lw_tree_reads(agent->tree, key);
  const bool is_late = world->trees.is_ticking && !lwi_agent_has_turn(world, agent) && !reacts;
  lwi_values_forget(agent->mind.events, &world->memory, round_of_event(world));
  if (!lwi_events_have_space(agent->mind.events, name, value)) return LW_LIMIT;
  if (!store_event(world, agent->mind.events, is_late ? agent->serial : 0, name, value))
    return LW_OUT_OF_MEMORY;
  lwi_agent_notify(world, agent, key); /* also where the same event came before */
  return LW_OK;
}

lw_status lw_world_emit(lw_world *world, const char *name, const lw_value *value) {
  if (!value || value->kind == LW_VALUE_NONE) value = &yes;
  if (!world || check(name, value) != LW_OK) return LW_INVALID;
  lwi_world_trees *trees = &world->trees;
  if (!lwi_events_have_space(&trees->events, name, value)) return LW_LIMIT;
  if (!reserve_change(world)) return LW_OUT_OF_MEMORY;
  /* Agents that leaves spawn now hear the events of the next step. */
  const uint64_t heard = !trees->is_ticking ? 0 : trees->turn < trees->last ? trees->turn : trees->last;
  const lwi_value_entry *entry = store_event(world, &trees->events, heard, name, value);
  if (!entry) return LW_OUT_OF_MEMORY;
  list_change(trees,
              (lwi_changed_key){&trees->events, (int)(entry - trees->events.entries), UINT32_MAX, of_event});
  return LW_OK;
}

/* --- saved worlds --------------------------------------------------------------------------------------------- */

lwi_values *lwi_world_team_values(lw_world *world, const char *team) {
  uint32_t number;
  return lwi_team_number(world, team, &number) ? values_of_team(world, number) : NULL;
}

bool lwi_world_list_change(lw_world *world, lwi_values *values, int entry, const char *team) {
  uint32_t number = UINT32_MAX;
  const char *prefix = values == &world->trees.events ? of_event : team ? of_team : of_world;
  if ((team && !find_team(world, team, &number)) || !reserve_change(world)) return false;
  list_change(&world->trees, (lwi_changed_key){values, entry, number, prefix});
  return true;
}

bool lwi_event_is_alive(const lw_world *world, const lwi_value_entry *entry) {
  return entry->value.kind != LW_VALUE_NONE && entry->round + (entry->heard > 0) >= round_of_event(world);
}

/* --- hashes --------------------------------------------------------------------------------------------------- */

lw_agent_id lwi_gone_agent(const lw_world *world, lw_agent_id id) {
  lw_agent_id gone = {.slot = LWI_MAX_SLOTS, .generation = id.generation, .world = world->agents.ids.world};
  if (id.generation == 0) return lw_agent_id_none();
  if (id.slot != LWI_MAX_SLOTS) {
    const uint64_t mixed = lwi_mix((uint64_t)id.slot << 24 | (uint64_t)id.generation) & LWI_MAX_GENERATION;
    gone.generation = (mixed ? mixed : 1) & LWI_MAX_GENERATION;
  }
  return gone;
}

/* Ids of agents differ between a world and one that was loaded; serial numbers do not. */
static uint64_t hash_agent_id(uint64_t hash, const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  const uint64_t words[] = {agent ? agent->serial : 0, agent ? 0 : lwi_gone_agent(world, id).generation};
  return lwi_hash(hash, words, sizeof words);
}

static uint64_t hash_entry(const lw_world *world, const lwi_value_entry *entry) {
  const lw_value *value = &entry->value;
  if (value->kind == LW_VALUE_AGENT) return hash_agent_id(entry->hash, world, value->as.agent);
  return lwi_value_hash(value, entry->hash);
}

/* Whatever the order in which they were set. */
static uint64_t sum_values(const lw_world *world, const lwi_values *values) {
  uint64_t sum = 0;
  for (int i = 0; values && i < values->count; ++i)
    if (values->entries[i].value.kind != LW_VALUE_NONE) sum += hash_entry(world, &values->entries[i]);
  return sum;
}

static uint64_t sum_events(const lw_world *world, const lwi_values *events) {
  uint64_t sum = 0;
  for (int i = 0; events && i < events->count; ++i) {
    const lwi_value_entry *entry = &events->entries[i];
    const uint64_t words[] = {round_of_event(world) - entry->round, entry->heard};
    if (lwi_event_is_alive(world, entry)) sum += lwi_hash(hash_entry(world, entry), words, sizeof words);
  }
  return sum;
}

static uint64_t hash_sums(uint64_t hash, uint64_t values, uint64_t events) {
  const uint64_t sums[] = {values, events};
  return values | events ? lwi_hash(hash, sums, sizeof sums) : hash;
}

uint64_t lwi_agent_values_hash(const lw_world *world, const lwi_agent *agent, uint64_t hash) {
  return hash_sums(hash, sum_values(world, agent->mind.values), sum_events(world, agent->mind.events));
}

uint64_t lwi_world_values_hash(const lw_world *world, uint64_t hash) {
  const lwi_world_trees *trees = &world->trees;
  uint64_t teams = 0;
  for (int i = 0; i < trees->team_capacity; ++i) {
    const char *name = i > 0 && i <= world->threats.team_count ? world->threats.teams[i - 1]->text : "";
    const uint64_t sum = sum_values(world, trees->teams[i]);
    if (sum) teams += lwi_hash(lwi_key_hash(name), &sum, sizeof sum);
  }
  hash = hash_sums(hash, sum_values(world, &trees->values), sum_events(world, &trees->events));
  return teams ? lwi_hash(hash, &teams, sizeof teams) : hash;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

static void free_values(lw_world *world, lwi_values **values) {
  if (!*values) return;
  lwi_values_free(*values, &world->memory);
  lwi_free(&world->memory, *values, sizeof **values);
  *values = NULL;
}

void lwi_agent_free_values(lw_world *world, lwi_agent *agent) {
  free_values(world, &agent->mind.values);
  free_values(world, &agent->mind.events);
}

void lwi_world_free_values(lw_world *world) {
  lwi_world_trees *trees = &world->trees;
  lwi_values_free(&trees->values, &world->memory);
  lwi_values_free(&trees->events, &world->memory);
  for (int i = 0; i < trees->team_capacity; ++i) free_values(world, &trees->teams[i]);
  lwi_free(&world->memory, trees->teams, (size_t)trees->team_capacity * sizeof *trees->teams);
  lwi_free(&world->memory, trees->changed, (size_t)trees->changed_capacity * sizeof *trees->changed);
}
