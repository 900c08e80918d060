/* The threats in a world, and who knows of them. */
#include "core/hash.h"
#include "core/status.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Turned by more than this is another threat: the cosine of 10 degrees. */
#define TURNED 0.984807753f

lw_threat_def lw_threat_def_default(void) {
  return (lw_threat_def){.threat = lw_threat_default(), .tolerance = 1, .cookie = LWI_COOKIE};
}

/* --- ids: how many there were above, slot + 1 below --------------------------------------------------------------- */

static lw_threat_id id_of(const lw_world *world, int slot) {
  return (uint64_t)world->threats.slots[slot].generation << 32 | (uint32_t)(slot + 1);
}

static lwi_threat *threat_of(const lw_world *world, lw_threat_id id) {
  uint32_t slot = (uint32_t)id - 1; /* 0 wraps and is out of range */
  if (slot >= (uint32_t)world->threats.count) return NULL;
  lwi_threat *threat = &world->threats.slots[slot];
  return threat->used && threat->generation == id >> 32 ? threat : NULL;
}

/* @return The slot, or -1: no memory. */
static int take_slot(lw_world *world) {
  lwi_threats *all = &world->threats;
  if (all->made == UINT32_MAX) return -1;
  for (int i = 0; i < all->count; i++)
    if (!all->slots[i].used) return i;
  if (!lwi_reserve(&world->memory, &all->slots, &all->capacity, all->count + 1, sizeof *all->slots)) return -1;
  all->slots[all->count] = (lwi_threat){0};
  return all->count++;
}

/* --- who knows ---------------------------------------------------------------------------------------------------- */

static int find_learnt(const lwi_agent *agent, lw_threat_id id) {
  for (int i = 0; i < agent->learnt_count; i++)
    if (agent->learnt[i] == id) return i;
  return -1;
}

static bool knows(const lwi_agent *agent, const lwi_threat *threat, lw_threat_id id) {
  if (threat->public && (threat->team[0] == 0 || strcmp(threat->team, agent->team) == 0)) return true;
  return find_learnt(agent, id) >= 0;
}

/* What changed is worth another search for those who walk and care. */
static void alarm(lw_world *world, lwi_agent *agent) {
  if (agent->move != LW_MOVE_WALKING || agent->stale != LWI_FRESH || !(agent->profile->def.cover_bias > 1))
    return;
  agent->stale = LWI_ALARMED;
  world->any_stale = true;
}

static void alarm_all(lw_world *world, const lwi_threat *threat, lw_threat_id id) {
  world->threats.version += 1;
  for (int i = 0; i < world->agent_count; i++)
    if (knows(world->agents[i], threat, id)) alarm(world, world->agents[i]);
}

/* --- what they are ------------------------------------------------------------------------------------------------ */

static bool has_turned(const lw_threat *a, const lw_threat *b) {
  if (a->half_angle != b->half_angle) return true;
  if (!(a->half_angle < 3.14159f)) return false;
  return !lwi_equal(a->facing, b->facing) &&
         !(lwi_dot(lwi_direction(a->facing), lwi_direction(b->facing)) >= TURNED);
}

/* Is what was `a` worth another search? */
static bool is_another(const lw_threat *a, const lw_threat *b, float tolerance) {
  return lwi_distance(a->at, b->at) > tolerance || a->range != b->range || a->weight != b->weight ||
         has_turned(a, b);
}

static void announce(lw_world *world, lwi_threat *threat) {
  lw_threat_id id = id_of(world, (int)(threat - world->threats.slots));
  threat->told = threat->now;
  alarm_all(world, threat, id);
}

static void notice(lw_world *world, lwi_threat *threat) {
  if (is_another(&threat->told, &threat->now, threat->tolerance)) announce(world, threat);
}

static void look_from(lwi_threat *threat, const lwi_agent *agent) {
  threat->now.at = agent->at.point;
  threat->now.at.y += lw_profile_get_stance(agent->profile, agent->stance)->eye;
  threat->now.facing = lwi_vec3(cosf(agent->heading), 0, -sinf(agent->heading));
}

void lwi_world_move_eyes(lw_world *world) {
  for (int i = 0; i < world->threats.count; i++) {
    lwi_threat *threat = &world->threats.slots[i];
    if (threat->awaits) lw_threat_remove(world, id_of(world, i)); /* its agent did not come back */
    if (!threat->used || !threat->agent) continue;
    const lwi_agent *agent = lwi_world_agent(world, threat->agent);
    if (!agent) continue;
    look_from(threat, agent);
    notice(world, threat);
  }
}

static lw_status check_numbers(const lw_threat *threat, bool is_eye, lw_error *error) {
  lw_threat numbers = *threat;
  if (is_eye) numbers.at = lwi_vec3(0, 0, 0), numbers.facing = lwi_vec3(1, 0, 0);
  return lwi_threat_numbers(&numbers, error);
}

bool lwi_threat_check(const lw_threat *threat, bool is_eye) {
  return check_numbers(threat, is_eye, NULL) == LW_OK;
}

static lw_status check_def(const lw_world *world, const lw_threat_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_threat_def", error);
  if (status != LW_OK) return status;
  if (def->agent && !lwi_world_agent(world, def->agent))
    return lwi_fail(error, LW_STALE, "agent: there is no such agent any more");
  status = check_numbers(&def->threat, def->agent != 0, error);
  if (status != LW_OK) return status;
  if (!(def->tolerance >= 0 && isfinite(def->tolerance)))
    return lwi_fail(error, LW_INVALID, "tolerance is %g: expected a number of at least 0",
                    (double)def->tolerance);
  if (def->known_to && strlen(def->known_to) > 31)
    return lwi_fail(error, LW_INVALID, "known_to '%s': expected at most 31 bytes", def->known_to);
  return LW_OK;
}

lw_status lw_threat_add(lw_world *world, const lw_threat_def *def, lw_threat_id *id, lw_error *error) {
  *id = 0;
  lw_status status = check_def(world, def, error);
  if (status != LW_OK) return status;
  int slot = take_slot(world);
  if (slot < 0) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_threat *threat = &world->threats.slots[slot];
  *threat = (lwi_threat){.used = true,
                         .generation = ++world->threats.made,
                         .now = def->threat,
                         .agent = def->agent,
                         .public = def->known_to != NULL,
                         .tolerance = def->tolerance};
  if (def->known_to) strcpy(threat->team, def->known_to);
  if (def->agent) look_from(threat, lwi_world_agent(world, def->agent));
  world->threats.used += 1;
  announce(world, threat);
  *id = id_of(world, slot);
  return LW_OK;
}

lw_status lw_threat_set(lw_world *world, lw_threat_id id, const lw_threat *numbers) {
  lwi_threat *threat = threat_of(world, id);
  if (!threat) return LW_STALE;
  if (!lwi_threat_check(numbers, threat->agent != 0)) return LW_INVALID;
  threat->now = *numbers;
  if (threat->agent) look_from(threat, lwi_world_agent(world, threat->agent));
  notice(world, threat);
  return LW_OK;
}

lw_status lw_threat_remove(lw_world *world, lw_threat_id id) {
  lwi_threat *threat = threat_of(world, id);
  if (!threat) return LW_STALE;
  alarm_all(world, threat, id);
  for (int i = 0; i < world->agent_count; i++) {
    lwi_agent *agent = world->agents[i];
    int learnt = find_learnt(agent, id);
    if (learnt < 0) continue;
    agent->learnt_count -= 1;
    memmove(&agent->learnt[learnt], &agent->learnt[learnt + 1],
            (size_t)(agent->learnt_count - learnt) * sizeof *agent->learnt);
  }
  *threat = (lwi_threat){0};
  world->threats.used -= 1;
  return LW_OK;
}

void lwi_world_drop_eyes(lw_world *world, lw_agent_id agent) {
  for (int i = 0; i < world->threats.count; i++)
    if (world->threats.slots[i].used && world->threats.slots[i].agent == agent)
      lw_threat_remove(world, id_of(world, i));
}

lw_status lw_threat_get_state(const lw_world *world, lw_threat_id id, lw_threat_state *state) {
  const lwi_threat *threat = threat_of(world, id);
  if (!threat) return LW_STALE;
  *state = (lw_threat_state){.threat = threat->now,
                             .agent = threat->agent,
                             .known_to = threat->public ? threat->team : NULL,
                             .tolerance = threat->tolerance};
  return LW_OK;
}

lw_threat_id lw_threat_next(const lw_world *world, lw_threat_id id) {
  for (int64_t i = (uint32_t)id; i < world->threats.count; i++)
    if (world->threats.slots[i].used) return id_of(world, (int)i);
  return 0;
}

int lw_threat_count(const lw_world *world) {
  return world->threats.used;
}

uint32_t lw_threat_version(const lw_world *world) {
  return world->threats.version;
}

/* --- agents ------------------------------------------------------------------------------------------------------- */

lw_status lw_agent_learn_threat(lw_world *world, lw_agent_id agent_id, lw_threat_id id) {
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  const lwi_threat *threat = threat_of(world, id);
  if (!agent || !threat) return LW_STALE;
  if (find_learnt(agent, id) >= 0) return LW_OK;
  if (!lwi_reserve(&world->memory, &agent->learnt, &agent->learnt_capacity, agent->learnt_count + 1,
                   sizeof *agent->learnt))
    return LW_OUT_OF_MEMORY;
  bool is_new = !knows(agent, threat, id);
  agent->learnt[agent->learnt_count++] = id;
  if (is_new) alarm(world, agent);
  return LW_OK;
}

lw_status lw_agent_forget_threat(lw_world *world, lw_agent_id agent_id, lw_threat_id id) {
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  const lwi_threat *threat = threat_of(world, id);
  if (!agent || !threat) return LW_STALE;
  int learnt = find_learnt(agent, id);
  if (learnt < 0) return LW_OK;
  agent->learnt_count -= 1;
  memmove(&agent->learnt[learnt], &agent->learnt[learnt + 1],
          (size_t)(agent->learnt_count - learnt) * sizeof *agent->learnt);
  if (!knows(agent, threat, id)) alarm(world, agent);
  return LW_OK;
}

bool lw_agent_knows_threat(const lw_world *world, lw_agent_id agent_id, lw_threat_id id) {
  const lwi_agent *agent = lwi_world_agent(world, agent_id);
  const lwi_threat *threat = threat_of(world, id);
  return agent && threat && knows(agent, threat, id);
}

bool lwi_beliefs_set(lwi_memory *memory, lwi_beliefs *beliefs, const lw_threat *threats, int count) {
  if (!lwi_reserve(memory, &beliefs->threats, &beliefs->capacity, count, sizeof *threats)) return false;
  if (count > 0) memcpy(beliefs->threats, threats, (size_t)count * sizeof *threats);
  beliefs->count = count;
  return true;
}

lw_status lw_agent_set_threats(lw_world *world, lw_agent_id id, const lw_threat *threats, int count) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (count < 0 || (count > 0 && !threats)) return LW_INVALID;
  for (int i = 0; i < count; i++)
    if (!lwi_threat_check(&threats[i], false)) return LW_INVALID;
  lwi_beliefs *told = &agent->told; /* with room for what a search will put there */
  if (!lwi_reserve(&world->memory, &told->threats, &told->capacity, count, sizeof *threats) ||
      !lwi_beliefs_set(&world->memory, &agent->own, threats, count))
    return LW_OUT_OF_MEMORY;
  bool other = count != told->count;
  for (int i = 0; i < count && !other; i++) other = is_another(&told->threats[i], &threats[i], 0);
  if (other) alarm(world, agent);
  return LW_OK;
}

void lwi_agent_note_beliefs(lwi_agent *agent) {
  agent->told.count = agent->own.count;
  if (agent->own.count > 0)
    memcpy(agent->told.threats, agent->own.threats, (size_t)agent->own.count * sizeof *agent->own.threats);
}

static int count_known(const lw_world *world, const lwi_agent *agent, lw_threat *threats, int capacity) {
  int count = 0;
  for (int i = 0; i < agent->own.count; i++, count++)
    if (count < capacity) threats[count] = agent->own.threats[i];
  for (int i = 0; i < world->threats.count; i++) {
    const lwi_threat *threat = &world->threats.slots[i];
    if (!threat->used || threat->agent == agent->id || !knows(agent, threat, id_of(world, i))) continue;
    if (count < capacity) threats[count] = threat->now;
    count += 1;
  }
  return count;
}

int lw_agent_get_threats(const lw_world *world, lw_agent_id id, lw_threat *threats, int capacity) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? count_known(world, agent, threats, threats ? capacity : 0) : 0;
}

/* Room for all that the agent knows of, filled. @return false: no memory. */
static bool gather(lw_world *world, const lwi_agent *agent, int *count) {
  lwi_threats *all = &world->threats;
  int needed = agent->own.count + all->used;
  if (!lwi_reserve(&world->memory, &all->room, &all->room_capacity, needed, sizeof *all->room)) return false;
  *count = count_known(world, agent, all->room, all->room_capacity);
  return true;
}

lw_status lw_agent_is_seen(lw_world *world, lw_agent_id id, const lw_threat *threats, int threat_count,
                           bool *seen) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  *seen = false;
  if (!agent) return LW_STALE;
  const lw_stance *stance = lw_profile_get_stance(agent->profile, agent->stance);
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure exposure;
  query.accuracy = LW_ACCURACY_EXACT;
  query.from = query.to = agent->at.point;
  query.heights[0] = stance->body[0];
  query.heights[1] = stance->body[1];
  query.threat_count = threat_count;
  if (!threats && !gather(world, agent, &query.threat_count)) return LW_OUT_OF_MEMORY;
  query.threats = threats ? threats : world->threats.room;
  lw_status status = lw_exposure_find(world, &query, &exposure);
  *seen = status == LW_OK && exposure.fraction > 0;
  return status;
}

bool lwi_world_fill_threats(lw_world *world, const lwi_agent *agent, lw_path_query *query) {
  if (!(agent->profile->def.cover_bias > 1)) return true; /* the shortest way, seen or not */
  if (!gather(world, agent, &query->threat_count)) return false;
  query->threats = world->threats.room;
  return true;
}

void lwi_world_alarm(lw_world *world, lwi_agent *agent) {
  if (count_known(world, agent, NULL, 0) > 0) alarm(world, agent);
}

/* --- saved -------------------------------------------------------------------------------------------------------- */

bool lwi_world_threats_put_back(lw_world *world, const lwi_threat *slots, int count, uint32_t made) {
  lwi_threats *all = &world->threats;
  all->count = all->used = 0;
  all->version += 1;
  if (all->made < made) all->made = made;
  if (!lwi_reserve(&world->memory, &all->slots, &all->capacity, count, sizeof *slots)) return false;
  for (int i = 0; i < count; i++) all->used += slots[i].used;
  if (count > 0) memcpy(all->slots, slots, (size_t)count * sizeof *slots);
  all->count = count;
  return true;
}

void lwi_world_return_eyes(lw_world *world, lw_agent_id agent, int index) {
  for (int i = 0; i < world->threats.count; i++) {
    lwi_threat *threat = &world->threats.slots[i];
    if (threat->awaits != index + 1) continue;
    threat->awaits = 0;
    threat->agent = agent;
  }
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

void lwi_world_threats_free(lw_world *world) {
  lwi_threats *all = &world->threats;
  lwi_free(&world->memory, all->slots, (size_t)all->capacity * sizeof *all->slots);
  lwi_free(&world->memory, all->room, (size_t)all->room_capacity * sizeof *all->room);
}

void lwi_agent_threats_free(lw_world *world, lwi_agent *agent) {
  lwi_free(&world->memory, agent->learnt, (size_t)agent->learnt_capacity * sizeof *agent->learnt);
  lwi_free(&world->memory, agent->own.threats, (size_t)agent->own.capacity * sizeof(lw_threat));
  lwi_free(&world->memory, agent->told.threats, (size_t)agent->told.capacity * sizeof(lw_threat));
}

static uint64_t hash_threat(uint64_t hash, const lw_threat *threat) {
  const float numbers[] = {threat->at.x,       threat->at.y,     threat->at.z,
                           threat->facing.x,   threat->facing.y, threat->facing.z,
                           threat->half_angle, threat->range,    threat->weight};
  return lwi_hash(hash, numbers, sizeof numbers);
}

uint64_t lwi_agent_threats_hash(uint64_t hash, const lwi_agent *agent) {
  for (int i = 0; i < agent->learnt_count; i++) {
    uint32_t slot = (uint32_t)agent->learnt[i];
    hash = lwi_hash(hash, &slot, sizeof slot);
  }
  for (int i = 0; i < agent->own.count; i++) hash = hash_threat(hash, &agent->own.threats[i]);
  for (int i = 0; i < agent->told.count; i++) hash = hash_threat(hash, &agent->told.threats[i]);
  return hash;
}

/* Its place among the agents, from 1; 0: none. Ids are but names. */
static uint64_t place_of(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  uint64_t place = 0;
  while (agent && world->agents[place++] != agent) continue;
  return place;
}

uint64_t lwi_world_threats_hash(uint64_t hash, const lw_world *world) {
  for (int i = 0; i < world->threats.count; i++) {
    const lwi_threat *threat = &world->threats.slots[i];
    if (!threat->used) continue;
    const uint64_t words[] = {(uint64_t)i, place_of(world, threat->agent), threat->public};
    hash = lwi_hash(hash, words, sizeof words);
    hash = lwi_hash(hash, threat->team, strlen(threat->team));
    hash = lwi_hash(hash, &threat->tolerance, sizeof threat->tolerance);
    hash = hash_threat(hash_threat(hash, &threat->now), &threat->told);
  }
  return hash;
}
