/* The threats in a world, and which agents know of them. */
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

/* --- ids and teams ---------------------------------------------------------------------------------------- */

static uint32_t slot_of(const lw_world *world, lw_threat_id id) {
  return LWI_FIND(&world->threats.ids, id);
}

static lwi_threat *threat_of(const lw_world *world, lw_threat_id id) {
  uint32_t slot = slot_of(world, id);
  return slot == LWI_NO_SLOT ? NULL : lwi_threat_at(world, slot);
}

static lw_threat_id id_of(const lw_world *world, uint32_t slot) {
  return (lw_threat_id)LWI_ID(&world->threats.ids, slot);
}

bool lwi_team_number(lw_world *world, const char *text, uint32_t *number) {
  lwi_threats *all = &world->threats;
  *number = 0;
  if (!text[0]) return true;
  uint64_t hash = lwi_hash(LWI_HASH_SEED, text, strlen(text));
  uint32_t item = lwi_hash_index_first(&all->team_index, hash);
  while (item != LWI_NO_ITEM && strcmp(all->teams[item]->text, text) != 0)
    item = lwi_hash_index_next(&all->team_index, item);
  if (item != LWI_NO_ITEM) return *number = item + 1, true;
  if (!lwi_reserve(&world->memory, &all->teams, &all->team_capacity, all->team_count + 1, sizeof *all->teams))
    return false;
  lwi_team_name *team = lwi_alloc_zero(&world->memory, sizeof *team);
  if (!team || !lwi_hash_index_add(&all->team_index, &world->memory, hash, (uint32_t)all->team_count)) {
    lwi_free(&world->memory, team, sizeof *team);
    return false;
  }
  strcpy(team->text, text);
  all->teams[all->team_count++] = team;
  *number = (uint32_t)all->team_count;
  return true;
}

const char *lwi_threat_team(const lw_world *world, const lwi_threat *threat) {
  return threat->team ? world->threats.teams[threat->team - 1]->text : "";
}

/* --- learning of threats ---------------------------------------------------------------------------------- */

static uint64_t hash_of_learning(uint32_t agent, uint32_t threat) {
  const uint32_t key[] = {agent, threat};
  return lwi_hash(LWI_HASH_SEED, key, sizeof key);
}

/* @return The lwi_learning's slot, or LWI_NO_SLOT. */
static uint32_t find_learning(const lw_world *world, const lwi_agent *agent, uint32_t threat) {
  const lwi_threats *all = &world->threats;
  if (agent->knowledge.first_learning == LWI_NO_SLOT || all->items[threat].first_learner == LWI_NO_SLOT)
    return LWI_NO_SLOT;
  uint32_t item = lwi_hash_index_first(&all->learning_index, hash_of_learning(agent->id.slot, threat));
  for (; item != LWI_NO_ITEM; item = lwi_hash_index_next(&all->learning_index, item))
    if (all->learnings[item].agent == agent->id.slot && all->learnings[item].threat == threat) return item;
  return LWI_NO_SLOT;
}

bool lwi_world_learn(lw_world *world, lwi_agent *agent, uint32_t threat) {
  lwi_threats *all = &world->threats;
  if (find_learning(world, agent, threat) != LWI_NO_SLOT) return true;
  if (!lwi_reserve(&world->memory, &all->learnings, &all->learning_capacity, all->learning_ids.slot_count + 1,
                   sizeof *all->learnings))
    return false;
  uint32_t slot = lwi_id_pool_add(&all->learning_ids, &world->memory);
  if (slot == LWI_NO_SLOT) return false;
  if (!lwi_hash_index_add(&all->learning_index, &world->memory, hash_of_learning(agent->id.slot, threat),
                          slot)) {
    lwi_id_pool_remove(&all->learning_ids, slot);
    return false;
  }
  lwi_threat *of = &all->items[threat];
  all->learnings[slot] = (lwi_learning){.agent = agent->id.slot,
                                        .threat = threat,
                                        .next_of_agent = LWI_NO_SLOT,
                                        .previous_of_agent = agent->knowledge.last_learning,
                                        .next_learner = of->first_learner,
                                        .previous_learner = LWI_NO_SLOT};
  if (agent->knowledge.last_learning != LWI_NO_SLOT)
    all->learnings[agent->knowledge.last_learning].next_of_agent = slot;
  if (agent->knowledge.first_learning == LWI_NO_SLOT) agent->knowledge.first_learning = slot;
  agent->knowledge.last_learning = slot;
  if (of->first_learner != LWI_NO_SLOT) all->learnings[of->first_learner].previous_learner = slot;
  of->first_learner = slot;
  return true;
}

static void unlearn(lw_world *world, uint32_t slot) {
  lwi_threats *all = &world->threats;
  const lwi_learning gone = all->learnings[slot];
  lwi_agent *agent = world->agents.items[gone.agent];
  if (gone.next_of_agent != LWI_NO_SLOT)
    all->learnings[gone.next_of_agent].previous_of_agent = gone.previous_of_agent;
  else
    agent->knowledge.last_learning = gone.previous_of_agent;
  if (gone.previous_of_agent != LWI_NO_SLOT)
    all->learnings[gone.previous_of_agent].next_of_agent = gone.next_of_agent;
  else
    agent->knowledge.first_learning = gone.next_of_agent;
  if (gone.next_learner != LWI_NO_SLOT)
    all->learnings[gone.next_learner].previous_learner = gone.previous_learner;
  if (gone.previous_learner != LWI_NO_SLOT)
    all->learnings[gone.previous_learner].next_learner = gone.next_learner;
  else
    all->items[gone.threat].first_learner = gone.next_learner;
  lwi_hash_index_remove(&all->learning_index, hash_of_learning(gone.agent, gone.threat), slot);
  lwi_id_pool_remove(&all->learning_ids, slot);
}

/* Does the agent know of the threat from its team? */
static bool is_public_to(const lwi_threat *threat, const lwi_agent *agent) {
  return threat->public && (threat->team == 0 || threat->team == agent->knowledge.team_number);
}

bool lwi_agent_knows(const lw_world *world, const lwi_agent *agent, uint32_t slot) {
  return is_public_to(lwi_threat_at(world, slot), agent) || find_learning(world, agent, slot) != LWI_NO_SLOT;
}

/* --- alarms ----------------------------------------------------------------------------------------------- */

/* What changed is worth another search if the agent walks and minds threats. */
static void alarm(lw_world *world, lwi_agent *agent) {
  if (agent->move != LW_MOVE_WALKING || agent->route.staleness != LWI_FRESH ||
      !(lwi_agent_payer(agent)->def.cover_bias > 1))
    return;
  lwi_agent_doubt_path(agent, LWI_ALARMED);
  world->planner.any_stale = true;
}

/* What it knows of does not count on a journey with threats of its own. */
void lwi_agent_alarm(lw_world *world, lwi_agent *agent) {
  if (!agent->route.journey.has_threats) alarm(world, agent);
}

/* Note that a threat has changed, for all that know of it: agents find out in lwi_world_is_alarmed(). */
static void alarm_all(lw_world *world, lwi_threat *threat) {
  lwi_threats *all = &world->threats;
  all->version += 1;
  if (threat->public || threat->first_learner != LWI_NO_SLOT) world->news += 1;
  if (threat->public && threat->team == 0) all->all_alarmed = world->news;
  if (threat->public && threat->team > 0) all->teams[threat->team - 1]->alarmed = world->news;
  if (threat->first_learner != LWI_NO_SLOT) threat->alarmed = all->learners_alarmed = world->news;
}

bool lwi_world_is_alarmed(const lw_world *world, const lwi_agent *agent) {
  const lwi_threats *all = &world->threats;
  if (!(lwi_agent_payer(agent)->def.cover_bias > 1) || agent->route.journey.has_threats) return false;
  if (all->all_alarmed > agent->knowledge.heard) return true;
  if (agent->knowledge.team_number > 0 &&
      all->teams[agent->knowledge.team_number - 1]->alarmed > agent->knowledge.heard)
    return true;
  if (all->learners_alarmed <= agent->knowledge.heard) return false;
  for (uint32_t i = agent->knowledge.first_learning; i != LWI_NO_SLOT; i = all->learnings[i].next_of_agent)
    if (all->items[all->learnings[i].threat].alarmed > agent->knowledge.heard) return true;
  return false;
}

/* --- what they are ---------------------------------------------------------------------------------------- */

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
  threat->announced = threat->now;
  alarm_all(world, threat);
}

static void notice(lw_world *world, lwi_threat *threat) {
  if (is_another(&threat->announced, &threat->now, threat->tolerance)) announce(world, threat);
}

/* --- eyes ------------------------------------------------------------------------------------------------- */

static void look_from(const lw_world *world, lwi_threat *threat, const lwi_agent *agent) {
  threat->now.at = agent->at.point;
  threat->now.at.y += lwi_world_body(world, agent)->eye;
  threat->now.facing = lwi_vec3(cosf(agent->heading), 0, -sinf(agent->heading));
}

static void link_eye(lw_world *world, lwi_agent *agent, uint32_t slot) {
  lwi_threat *threat = lwi_threat_at(world, slot);
  threat->agent = agent->id;
  threat->previous_eye = LWI_NO_SLOT;
  threat->next_eye = agent->knowledge.first_eye;
  if (agent->knowledge.first_eye != LWI_NO_SLOT)
    lwi_threat_at(world, agent->knowledge.first_eye)->previous_eye = slot;
  agent->knowledge.first_eye = slot;
}

static void unlink_eye(lw_world *world, const lwi_threat *threat) {
  lwi_agent *agent = lwi_world_agent(world, threat->agent);
  if (!agent) return;
  if (threat->next_eye != LWI_NO_SLOT)
    lwi_threat_at(world, threat->next_eye)->previous_eye = threat->previous_eye;
  if (threat->previous_eye != LWI_NO_SLOT)
    lwi_threat_at(world, threat->previous_eye)->next_eye = threat->next_eye;
  else
    agent->knowledge.first_eye = threat->next_eye;
}

void lwi_world_move_eye_threats(lw_world *world) {
  if (world->threats.eye_count == 0) return;
  for (uint32_t slot = world->threats.ids.first, next; slot != LWI_NO_SLOT; slot = next) {
    lwi_threat *threat = lwi_threat_at(world, slot);
    next = lwi_id_pool_next(&world->threats.ids, slot);
    const lwi_agent *agent = lwi_world_agent(world, threat->agent);
    if (threat->awaits) {
      lw_threat_remove(world, id_of(world, slot)); /* its agent was not restored */
    } else if (agent) {
      look_from(world, threat, agent);
      notice(world, threat);
    }
  }
}

/* --- adding and changing ---------------------------------------------------------------------------------- */

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
  const bool is_eye = !lw_agent_id_is_none(def->agent);
  if (is_eye && !lwi_world_agent(world, def->agent))
    return lwi_fail(error, LW_STALE, "agent is gone, expected one that lives in this world");
  status = check_numbers(&def->threat, is_eye, error);
  if (status != LW_OK) return status;
  if (!(def->tolerance >= 0 && isfinite(def->tolerance)))
    return lwi_fail(error, LW_INVALID, "tolerance is %g, expected a number of at least 0",
                    (double)def->tolerance);
  return lwi_check_team("known_to", def->known_to, error);
}

static bool has_agent(const lwi_threat *threat) {
  return !lw_agent_id_is_none(threat->agent);
}

lw_status lw_threat_add(lw_world *world, const lw_threat_def *def, lw_threat_id *id, lw_error *error) {
  if (!id) return lwi_fail_null(error, "threat");
  *id = lw_threat_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  lwi_threats *all = &world->threats;
  lw_status status = check_def(world, def, error);
  if (status != LW_OK) return status;
  uint32_t team;
  if (!lwi_reserve(&world->memory, &all->items, &all->capacity, all->ids.slot_count + 1, sizeof *all->items) ||
      !lwi_team_number(world, def->known_to ? def->known_to : "", &team))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  uint32_t slot = lwi_id_pool_add(&all->ids, &world->memory);
  if (slot == LWI_NO_SLOT) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_threat *threat = &all->items[slot];
  *threat = (lwi_threat){.now = def->threat,
                         .serial = ++all->created,
                         .first_learner = LWI_NO_SLOT,
                         .tolerance = def->tolerance,
                         .public = def->known_to != NULL,
                         .team = team};
  lwi_agent *agent = lwi_world_agent(world, def->agent);
  if (agent) {
    link_eye(world, agent, slot);
    look_from(world, threat, agent);
    all->eye_count += 1;
  }
  announce(world, threat);
  *id = id_of(world, slot);
  return LW_OK;
}

lw_status lw_threat_set(lw_world *world, lw_threat_id id, const lw_threat *numbers) {
  if (!world || !numbers) return LW_INVALID;
  lwi_threat *threat = threat_of(world, id);
  if (!threat) return LW_STALE;
  if (!lwi_threat_check(numbers, has_agent(threat))) return LW_INVALID;
  threat->now = *numbers;
  if (has_agent(threat)) look_from(world, threat, lwi_world_agent(world, threat->agent));
  notice(world, threat);
  return LW_OK;
}

lw_status lw_threat_remove(lw_world *world, lw_threat_id id) {
  if (!world) return LW_INVALID;
  uint32_t slot = slot_of(world, id);
  if (slot == LWI_NO_SLOT) return LW_STALE;
  lwi_threat *threat = lwi_threat_at(world, slot);
  alarm_all(world, threat);
  while (threat->first_learner != LWI_NO_SLOT) {
    lwi_agent_alarm(world, world->agents.items[world->threats.learnings[threat->first_learner].agent]);
    unlearn(world, threat->first_learner);
  }
  unlink_eye(world, threat);
  world->threats.eye_count -= has_agent(threat) || threat->awaits;
  lwi_id_pool_remove(&world->threats.ids, slot);
  return LW_OK;
}

lw_status lw_threat_get_state(const lw_world *world, lw_threat_id id, lw_threat_state *state) {
  if (state) *state = (lw_threat_state){0};
  if (!world || !state) return LW_INVALID;
  const lwi_threat *threat = threat_of(world, id);
  if (!threat) return LW_STALE;
  *state = (lw_threat_state){.threat = threat->now,
                             .agent = threat->agent,
                             .known_to = threat->public ? lwi_threat_team(world, threat) : NULL,
                             .tolerance = threat->tolerance};
  return LW_OK;
}

lw_threat_id lw_threat_next(const lw_world *world, lw_threat_id id) {
  if (!world) return lw_threat_id_none();
  const lwi_id_pool *ids = &world->threats.ids;
  uint32_t slot = slot_of(world, id);
  if (slot == LWI_NO_SLOT && !lw_threat_id_is_none(id)) return lw_threat_id_none();
  slot = slot == LWI_NO_SLOT ? ids->first : lwi_id_pool_next(ids, slot);
  return slot == LWI_NO_SLOT ? lw_threat_id_none() : id_of(world, slot);
}

int lw_threat_count(const lw_world *world) {
  return world ? world->threats.ids.count : 0;
}

uint32_t lw_threat_version(const lw_world *world) {
  return world ? world->threats.version : 0;
}

/* --- agents ----------------------------------------------------------------------------------------------- */

lw_status lw_agent_learn_threat(lw_world *world, lw_agent_id agent_id, lw_threat_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  uint32_t slot = slot_of(world, id);
  if (!agent || slot == LWI_NO_SLOT) return LW_STALE;
  if (find_learning(world, agent, slot) != LWI_NO_SLOT) return LW_OK;
  if (!lwi_world_learn(world, agent, slot)) return LW_OUT_OF_MEMORY;
  if (!is_public_to(lwi_threat_at(world, slot), agent)) lwi_agent_alarm(world, agent);
  return LW_OK;
}

lw_status lw_agent_forget_threat(lw_world *world, lw_agent_id agent_id, lw_threat_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  uint32_t slot = slot_of(world, id);
  if (!agent || slot == LWI_NO_SLOT) return LW_STALE;
  uint32_t learning = find_learning(world, agent, slot);
  if (learning == LWI_NO_SLOT) return LW_OK;
  unlearn(world, learning);
  if (!is_public_to(lwi_threat_at(world, slot), agent)) lwi_agent_alarm(world, agent);
  return LW_OK;
}

bool lw_agent_knows_threat(const lw_world *world, lw_agent_id agent_id, lw_threat_id id) {
  if (!world) return false;
  const lwi_agent *agent = lwi_world_agent(world, agent_id);
  uint32_t slot = slot_of(world, id);
  return agent && slot != LWI_NO_SLOT && lwi_agent_knows(world, agent, slot);
}

bool lwi_beliefs_set(lwi_memory *memory, lwi_beliefs *beliefs, const lw_threat *threats, int count) {
  if (!lwi_reserve(memory, &beliefs->threats, &beliefs->capacity, count, sizeof *threats)) return false;
  if (count > 0) memcpy(beliefs->threats, threats, (size_t)count * sizeof *threats);
  beliefs->count = count;
  return true;
}

lw_status lw_agent_set_threats(lw_world *world, lw_agent_id id, const lw_threat *threats, int count) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (count < 0 || (count > 0 && !threats)) return LW_INVALID;
  for (int i = 0; i < count; i++)
    if (!lwi_threat_check(&threats[i], false)) return LW_INVALID;
  lwi_beliefs *searched =
      &agent->knowledge.searched_beliefs; /* a search copies them there, and must not fail */
  if (!lwi_reserve(&world->memory, &searched->threats, &searched->capacity, count, sizeof *threats) ||
      !lwi_beliefs_set(&world->memory, &agent->knowledge.beliefs, threats, count))
    return LW_OUT_OF_MEMORY;
  bool other = count != searched->count;
  for (int i = 0; i < count && !other; i++) other = is_another(&searched->threats[i], &threats[i], 0);
  if (other) lwi_agent_alarm(world, agent);
  return LW_OK;
}

void lwi_agent_note_beliefs(lwi_agent *agent) {
  agent->knowledge.searched_beliefs.count = agent->knowledge.beliefs.count;
  if (agent->knowledge.beliefs.count > 0)
    memcpy(agent->knowledge.searched_beliefs.threats, agent->knowledge.beliefs.threats,
           (size_t)agent->knowledge.beliefs.count * sizeof *agent->knowledge.beliefs.threats);
}

static int count_known(const lw_world *world, const lwi_agent *agent, lw_threat *threats, int capacity) {
  int count = 0;
  for (int i = 0; i < agent->knowledge.beliefs.count; i++, count++)
    if (count < capacity) threats[count] = agent->knowledge.beliefs.threats[i];
  count = lwi_agent_add_enemies(world, agent, threats, count, capacity);
  const lwi_id_pool *ids = &world->threats.ids;
  for (uint32_t slot = ids->first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(ids, slot)) {
    const lwi_threat *threat = lwi_threat_at(world, slot);
    if (lw_agent_id_equal(threat->agent, agent->id) || !lwi_agent_knows(world, agent, slot)) continue;
    if (count < capacity) threats[count] = threat->now;
    count += 1;
  }
  return count;
}

int lw_agent_get_threats(const lw_world *world, lw_agent_id id, lw_threat *threats, int capacity) {
  if (!world) return 0;
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? count_known(world, agent, threats, threats ? capacity : 0) : 0;
}

/* Gather all that the agent knows of in the workspace. @return false: no memory. */
static bool gather(const lw_world *world, lw_workspace *workspace, const lwi_agent *agent, int *count) {
  const int sensed = agent->knowledge.senses ? agent->knowledge.senses->count : 0;
  const int needed = agent->knowledge.beliefs.count + sensed + world->threats.ids.count;
  if (!lwi_reserve(&workspace->memory, &workspace->threats, &workspace->threat_capacity, needed,
                   sizeof *workspace->threats))
    return false;
  *count = count_known(world, agent, workspace->threats, workspace->threat_capacity);
  return true;
}

lw_status lw_agent_is_seen(const lw_world *world, lw_workspace *workspace, lw_agent_id id,
                           const lw_threat *threats, int threat_count, bool *seen) {
  if (!seen) return LW_INVALID;
  *seen = false;
  if (!world) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  lw_workspace *own = lwi_workspace_of(&world->scene, workspace);
  if (!agent) return LW_STALE;
  if (!own) return LW_INVALID;
  const lw_stance *stance = lwi_world_body(world, agent);
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure exposure;
  query.accuracy = LW_ACCURACY_EXACT;
  query.from = query.to = agent->at.point;
  query.heights[0] = stance->body[0];
  query.heights[1] = stance->body[1];
  query.threat_count = threat_count;
  if (!threats && !gather(world, own, agent, &query.threat_count)) return LW_OUT_OF_MEMORY;
  query.threats = threats ? threats : own->threats;
  lw_status status = lwi_exposure_of(own, &query, id.slot + 1, &exposure);
  *seen = status == LW_OK && exposure.fraction > 0;
  return status;
}

bool lwi_world_fill_threats(const lw_world *world, lw_workspace *workspace, const lwi_agent *agent,
                            lw_path_query *query) {
  const lwi_journey *journey = &agent->route.journey;
  if (!(lwi_agent_payer(agent)->def.cover_bias > 1)) return true; /* being seen costs it nothing */
  if (journey->has_threats) {
    query->threats = journey->threats.threats;
    query->threat_count = journey->threats.count;
    return true;
  }
  if (!gather(world, workspace, agent, &query->threat_count)) return false;
  query->threats = workspace->threats;
  return true;
}

int lwi_agent_minded_threats(const lw_world *world, const lwi_agent *agent) {
  const lwi_journey *journey = &agent->route.journey;
  return journey->has_threats ? journey->threats.count : count_known(world, agent, NULL, 0);
}

void lwi_world_alarm(lw_world *world, lwi_agent *agent) {
  if (lwi_agent_minded_threats(world, agent) > 0) alarm(world, agent);
}

/* --- saved ------------------------------------------------------------------------------------------------ */

static void clear(lw_world *world) {
  while (world->threats.ids.count > 0) lw_threat_remove(world, id_of(world, world->threats.ids.first));
}

bool lwi_world_threats_restore(lw_world *world, const lwi_threats_state *from) {
  lwi_threats *all = &world->threats;
  clear(world);
  all->version += 1;
  all->created = from->created;
  if (!lwi_reserve(&world->memory, &all->items, &all->capacity, from->slot_count, sizeof *all->items))
    return false;
  for (int i = 0; i < from->count; i++) {
    const lwi_saved_threat *saved = &from->threats[from->order[i]];
    lwi_threat *threat = &all->items[from->order[i]];
    *threat = saved->as;
    threat->first_learner = LWI_NO_SLOT;
    if (!lwi_team_number(world, saved->team, &threat->team)) return false;
  }
  if (!lwi_id_pool_restore(&all->ids, &world->memory, from->states, from->slot_count, from->order, from->count))
    return false;
  for (int i = 0; i < from->count; i++) all->eye_count += all->items[from->order[i]].awaits != 0;
  return true;
}

void lwi_world_restore_eye_threats(lw_world *world, lwi_agent *agent, int index, const uint32_t *slots,
                                   int count) {
  const lwi_id_pool *ids = &world->threats.ids;
  for (int i = count - 1; i >= 0; i--) {
    if (slots[i] >= (uint32_t)ids->slot_count || ids->slots[slots[i]].generation == 0) continue;
    lwi_threat *threat = lwi_threat_at(world, slots[i]);
    if (threat->awaits != index + 1) continue;
    threat->awaits = 0;
    link_eye(world, agent, slots[i]);
  }
}

/* --- the rest --------------------------------------------------------------------------------------------- */

void lwi_world_threats_free(lw_world *world) {
  lwi_threats *all = &world->threats;
  lwi_memory *memory = &world->memory;
  lwi_id_pool_free(&all->ids, memory);
  lwi_free(memory, all->items, (size_t)all->capacity * sizeof *all->items);
  lwi_id_pool_free(&all->learning_ids, memory);
  lwi_free(memory, all->learnings, (size_t)all->learning_capacity * sizeof *all->learnings);
  lwi_hash_index_free(&all->learning_index, memory);
  for (int i = 0; i < all->team_count; i++) lwi_free(memory, all->teams[i], sizeof *all->teams[i]);
  lwi_free(memory, all->teams, (size_t)all->team_capacity * sizeof *all->teams);
  lwi_hash_index_free(&all->team_index, memory);
}

void lwi_agent_threats_free(lw_world *world, lwi_agent *agent) {
  while (agent->knowledge.first_eye != LWI_NO_SLOT)
    lw_threat_remove(world, id_of(world, agent->knowledge.first_eye));
  while (agent->knowledge.first_learning != LWI_NO_SLOT) unlearn(world, agent->knowledge.first_learning);
  lwi_free(&world->memory, agent->knowledge.beliefs.threats,
           (size_t)agent->knowledge.beliefs.capacity * sizeof(lw_threat));
  lwi_free(&world->memory, agent->knowledge.searched_beliefs.threats,
           (size_t)agent->knowledge.searched_beliefs.capacity * sizeof(lw_threat));
}

uint64_t lwi_threat_hash(uint64_t hash, const lw_threat *threat) {
  const float numbers[] = {threat->at.x,       threat->at.y,     threat->at.z,
                           threat->facing.x,   threat->facing.y, threat->facing.z,
                           threat->half_angle, threat->range,    threat->weight};
  return lwi_hash(hash, numbers, sizeof numbers);
}

uint64_t lwi_agent_threats_hash(uint64_t hash, const lw_world *world, const lwi_agent *agent) {
  const lwi_learning *learnings = world->threats.learnings;
  for (uint32_t i = agent->knowledge.first_learning; i != LWI_NO_SLOT; i = learnings[i].next_of_agent) {
    uint32_t serial = (uint32_t)lwi_threat_at(world, learnings[i].threat)->serial;
    hash = lwi_hash(hash, &serial, sizeof serial);
  }
  for (int i = 0; i < agent->knowledge.beliefs.count; i++)
    hash = lwi_threat_hash(hash, &agent->knowledge.beliefs.threats[i]);
  for (int i = 0; i < agent->knowledge.searched_beliefs.count; i++)
    hash = lwi_threat_hash(hash, &agent->knowledge.searched_beliefs.threats[i]);
  return hash;
}

/* Ids are only names: agents and threats stand in the hash by their serial numbers. */
uint64_t lwi_world_threats_hash(uint64_t hash, const lw_world *world) {
  const lwi_id_pool *ids = &world->threats.ids;
  for (uint32_t slot = ids->first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(ids, slot)) {
    const lwi_threat *threat = lwi_threat_at(world, slot);
    const lwi_agent *agent = lwi_world_agent(world, threat->agent);
    const char *team = lwi_threat_team(world, threat);
    const uint64_t words[] = {threat->serial - 1, agent ? agent->serial : 0, threat->public};
    hash = lwi_hash(hash, words, sizeof words);
    hash = lwi_hash(hash, team, strlen(team));
    hash = lwi_hash(hash, &threat->tolerance, sizeof threat->tolerance);
    hash = lwi_threat_hash(lwi_threat_hash(hash, &threat->now), &threat->announced);
  }
  return hash;
}
