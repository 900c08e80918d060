/* Blackboards and events in a world's file. */
#include "save/saved.h"

#include <string.h>

/* Flags of a key. */
enum { PENDING = 1, EVENT = 2 };

/* What keys are. */
typedef enum key_kind { OWN_KEYS, SHARED_KEYS, OWN_EVENTS, SHARED_EVENTS } key_kind;
static bool are_events(key_kind kind) {
  return kind >= OWN_EVENTS;
}
static bool are_shared(key_kind kind) {
  return kind == SHARED_KEYS || kind == SHARED_EVENTS;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

/* An entry that readers are to be notified of is kept, also where the key has lost its value. */
static bool is_kept(const lw_world *world, const lwi_value_entry *entry, bool is_event) {
  if (entry->is_pending) return true;
  return is_event ? lwi_event_is_alive(world, entry) : entry->value.kind != LW_VALUE_NONE;
}

/* What is written, and the places in the file of the agents, by slot. */
typedef struct writing {
  lwi_bytes *to;
  const lw_world *world;
  uint32_t *places; /* [slots] */
  size_t slots;
} writing;

/* @return false: no memory. */
static bool find_places(writing *with) {
  const lw_world *world = with->world;
  uint32_t place = 0;
  with->slots = (size_t)world->agents.ids.slot_count;
  with->places = lwi_alloc_zero(with->to->memory, with->slots * sizeof *with->places);
  if (!with->places) return with->slots == 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    with->places[agent->id.slot] = place++;
  return true;
}

/* An id in the file: the place of an agent, in world 1; of an agent that is gone, what it was, in world 0. */
static lw_agent_id id_in_file(const writing *with, lw_agent_id id) {
  lw_agent_id in_file = lwi_gone_agent(with->world, id);
  in_file.world = 0;
  if (!lwi_world_agent(with->world, id)) return in_file;
  return (lw_agent_id){.slot = with->places[id.slot] & LWI_MAX_SLOTS, .generation = 1, .world = 1};
}

static void put_entry(const writing *with, const lwi_value_entry *entry, bool is_event) {
  lwi_bytes *to = with->to;
  lw_value value = entry->value;
  if (value.kind == LW_VALUE_AGENT) value.as.agent = id_in_file(with, value.as.agent);
  lwi_put(to, (entry->is_pending ? PENDING : 0U) | (is_event ? EVENT : 0U), 1);
  lwi_put_string(to, entry->key);
  lwi_value_put(to, &value);
  if (!is_event) return;
  lwi_put_u64(to, entry->round);
  lwi_put_u64(to, entry->sent);
  lwi_put_u64(to, entry->heard);
}

static void put_values(const writing *with, const lwi_values *values, bool as_events) {
  lwi_bytes *to = with->to;
  const lw_world *world = with->world;
  uint32_t count = 0;
  for (int i = 0; values && i < values->count; i++) count += is_kept(world, &values->entries[i], as_events);
  lwi_put_u32(to, count);
  for (int i = 0; count > 0 && i < values->count; i++)
    if (is_kept(world, &values->entries[i], as_events)) put_entry(with, &values->entries[i], as_events);
}

void lwi_saved_put_boards(lwi_bytes *to, const lw_world *world) {
  const lwi_world_trees *trees = &world->trees;
  uint32_t teams = 0;
  writing with = {.to = to, .world = world};
  to->failed |= !find_places(&with);
  put_values(&with, &trees->values, false);
  put_values(&with, &trees->events, true);
  for (int i = 0; i < trees->team_capacity; i++) teams += trees->teams[i] != NULL;
  lwi_put_u32(to, teams);
  for (int i = 0; i < trees->team_capacity; i++) {
    if (!trees->teams[i]) continue;
    lwi_put_text(to, i > 0 ? world->threats.teams[i - 1]->text : "");
    put_values(&with, trees->teams[i], false);
  }
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent)) && !to->failed;) {
    put_values(&with, agent->mind.values, false);
    put_values(&with, agent->mind.events, true);
  }
  lwi_free(to->memory, with.places, with.slots * sizeof *with.places);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

/* @return The entry of a key, also of one without a value. NULL: no memory. */
static lwi_value_entry *set(lw_saved *saved, lwi_values *values, const char *key, const lw_value *value) {
  const lw_value some = {.kind = LW_VALUE_BOOLEAN};
  const lw_key name = {.name = key, .hash = lwi_key_hash(key)};
  int changed;
  if (value->kind == LW_VALUE_NONE && !lwi_values_set(values, &saved->memory, key, &some, &changed))
    return NULL;
  if (!lwi_values_set(values, &saved->memory, key, value, &changed)) return NULL;
  return lwi_values_find(values, &name);
}

static bool is_value(const lw_saved *saved, const lw_value *value) {
  const lw_agent_id *id = &value->as.agent;
  if (value->kind != LW_VALUE_AGENT) return true;
  return id->world == 0 || (id->world == 1 && id->generation == 1 && id->slot < (uint32_t)saved->agent_count);
}

static const char *read_entry(lw_saved *saved, lwi_reader *from, lwi_values *values, key_kind kind) {
  static const char wrong[] = "a key or its value is out of range";
  const lwi_saved_trees *trees = &saved->trees;
  lw_value value;
  const uint64_t flags = lwi_get(from, 1);
  const char *key = lwi_get_string(from);
  if (!lwi_value_read(from, &value) || !is_value(saved, &value)) return wrong;
  if (from->failed) return NULL;
  if (flags > (PENDING | EVENT) || !(flags & EVENT) == are_events(kind) || !lwi_key_is_valid(key)) return wrong;
  if (flags & PENDING ? !are_shared(kind) : value.kind == LW_VALUE_NONE) return wrong;
  lwi_value_entry *entry = set(saved, values, key, &value);
  if (!entry) return "";
  values->pending += (flags & PENDING) && !entry->is_pending;
  entry->is_pending = flags & PENDING;
  if (!are_events(kind)) return NULL;
  entry->round = lwi_get_u64(from);
  entry->sent = lwi_get_u64(from);
  entry->heard = lwi_get_u64(from);
  return entry->round <= trees->round + 1 && entry->sent <= trees->reactions &&
                 entry->heard <= saved->clock.spawned
             ? NULL
             : wrong;
}

static const char *read_values(lw_saved *saved, lwi_reader *from, lwi_values *values, key_kind kind) {
  const uint32_t count = lwi_get_u32(from);
  const char *wrong = NULL;
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_entry(saved, from, values, kind);
  return wrong;
}

static const char *read_team(lw_saved *saved, lwi_reader *from) {
  lwi_saved_boards *boards = &saved->boards;
  char name[256];
  lwi_get_text(from, name);
  if (strlen(name) > LW_TEAM_NAME_MAX) return "the name of a team is too long";
  if (!lwi_reserve(&saved->memory, &boards->teams, &boards->team_capacity, boards->team_count + 1,
                   sizeof *boards->teams))
    return "";
  lwi_saved_team *team = &boards->teams[boards->team_count++];
  *team = (lwi_saved_team){.values = {0}};
  memcpy(team->name, name, strlen(name) + 1);
  return read_values(saved, from, &team->values, SHARED_KEYS);
}

const char *lwi_saved_read_boards(lw_saved *saved, lwi_reader *from) {
  lwi_saved_boards *boards = &saved->boards;
  if (!saved->trees.is_there) return "there are no trees";
  boards->is_there = true;
  const char *wrong = read_values(saved, from, &boards->values, SHARED_KEYS);
  if (!wrong) wrong = read_values(saved, from, &boards->events, SHARED_EVENTS);
  const uint32_t teams = lwi_get_u32(from);
  for (uint32_t i = 0; i < teams && !from->failed && !wrong; i++) wrong = read_team(saved, from);
  for (int i = 0; i < saved->trees.mind_count && !from->failed && !wrong; i++) {
    lwi_saved_mind *mind = &saved->trees.minds[i];
    wrong = read_values(saved, from, &mind->values, OWN_KEYS);
    if (!wrong) wrong = read_values(saved, from, &mind->events, OWN_EVENTS);
  }
  return from->failed && (!wrong || *wrong) ? NULL : wrong; /* the caller says that they are cut short */
}

void lwi_saved_boards_free(lw_saved *saved) {
  lwi_saved_boards *boards = &saved->boards;
  lwi_values_free(&boards->values, &saved->memory);
  lwi_values_free(&boards->events, &saved->memory);
  for (int i = 0; i < boards->team_count; i++) lwi_values_free(&boards->teams[i].values, &saved->memory);
  lwi_free(&saved->memory, boards->teams, (size_t)boards->team_capacity * sizeof *boards->teams);
}

/* --- giving them to a world ------------------------------------------------------------------------------- */

/* A world that is given what a file has. */
typedef struct restoring {
  lw_world *world;
  const lw_saved *saved;
  lwi_agent *const *agents;
} restoring;

/* The agent that an id of the file names now; a stale id where there is none. */
static lw_agent_id agent_of(const restoring *to, lw_agent_id in_file) {
  const lwi_agent *agent = in_file.world == 1 ? to->agents[in_file.slot] : NULL;
  return agent ? agent->id : lwi_gone_agent(to->world, in_file);
}

/* Let the values be those of the file. @param team  NULL: of an agent or the world. @return false: no memory. */
static bool take(const restoring *to, lwi_values *values, const lwi_values *from, const char *team) {
  lwi_memory *memory = &to->world->memory;
  lwi_values_free(values, memory);
  for (int i = 0; i < from->count; i++) {
    const lwi_value_entry *was = &from->entries[i];
    const lw_value some = {.kind = LW_VALUE_BOOLEAN};
    lw_value value = was->value;
    int changed;
    if (value.kind == LW_VALUE_AGENT) value.as.agent = agent_of(to, value.as.agent);
    if (value.kind == LW_VALUE_NONE && !lwi_values_set(values, memory, was->key, &some, &changed)) return false;
    if (!lwi_values_set(values, memory, was->key, &value, &changed)) return false;
    lwi_value_entry *entry = &values->entries[values->count - 1];
    entry->round = was->round;
    entry->sent = was->sent;
    entry->heard = was->heard;
    if (was->is_pending && !lwi_world_list_change(to->world, values, values->count - 1, team)) return false;
  }
  return true;
}

static bool take_own(const restoring *to, lwi_values **values, const lwi_values *from) {
  if (!*values && from->count == 0) return true;
  if (!*values) *values = lwi_alloc_zero(&to->world->memory, sizeof **values);
  return *values && take(to, *values, from, NULL);
}

static bool take_shared(const restoring *to) {
  lwi_world_trees *trees = &to->world->trees;
  const lwi_saved_boards *from = &to->saved->boards;
  trees->changed_count = 0; /* of the run that is left */
  for (int i = 0; i < trees->team_capacity; i++)
    if (trees->teams[i]) lwi_values_free(trees->teams[i], &to->world->memory);
  bool good = take(to, &trees->values, &from->values, NULL);
  good = good && take(to, &trees->events, &from->events, NULL);
  for (int i = 0; i < from->team_count && good; i++) {
    lwi_values *values = lwi_world_team_values(to->world, from->teams[i].name);
    good = values && take(to, values, &from->teams[i].values, from->teams[i].name);
  }
  return good;
}

bool lwi_saved_restore_boards(lw_world *world, const lw_saved *saved, lwi_agent *const *agents) {
  const restoring to = {world, saved, agents};
  if (!saved->boards.is_there) return true;
  bool good = take_shared(&to);
  for (int i = 0; i < saved->trees.mind_count && good; i++) {
    if (!agents[i]) continue;
    good = take_own(&to, &agents[i]->mind.values, &saved->trees.minds[i].values) &&
           take_own(&to, &agents[i]->mind.events, &saved->trees.minds[i].events);
  }
  return good;
}
