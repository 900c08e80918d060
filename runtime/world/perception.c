/* What agents know of others that they have seen, and of noises, and how trees and paths are notified of that. */
#include "world/senses.h"

#include "core/status.h"
#include "core/vec3.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Paths are searched again once an enemy was seen so far from where it was. [m] */
#define TOLERANCE 1.0f

static const char key_enemy[] = "sense.enemy", key_at[] = "sense.enemy_at", key_seen[] = "sense.enemy_seen",
                  key_noise[] = "sense.noise_at";

/* --- an agent's senses ------------------------------------------------------------------------------------ */

const lw_senses *lwi_agent_senses(const lwi_agent *agent) {
  return agent->knowledge.senses && agent->knowledge.senses->has_own ? &agent->knowledge.senses->own
                                                                     : &agent->profile->def.senses;
}

bool lwi_agent_has_senses(const lwi_agent *agent) {
  const lw_senses *senses = lwi_agent_senses(agent);
  return senses->sight.range > 0 || senses->hearing.range > 0;
}

lwi_senses *lwi_agent_make_senses(lw_world *world, lwi_agent *agent) {
  if (!agent->knowledge.senses)
    agent->knowledge.senses = lwi_alloc_zero(&world->memory, sizeof *agent->knowledge.senses);
  return agent->knowledge.senses;
}

void lwi_agent_free_senses(lw_world *world, lwi_agent *agent) {
  if (agent->knowledge.senses) lwi_senses_free(agent->knowledge.senses, &world->memory);
  agent->knowledge.senses = NULL;
}

lw_status lw_agent_set_senses(lw_world *world, lw_agent_id id, const lw_senses *senses, lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return lwi_fail(error, LW_STALE, "agent is gone, expected one that lives in this world");
  const lw_status status = senses ? lw_senses_check(senses, error) : LW_OK;
  if (status != LW_OK) return status;
  if (!senses && !agent->knowledge.senses) return LW_OK;
  if (!lwi_agent_make_senses(world, agent)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  agent->knowledge.senses->has_own = senses != NULL;
  if (senses) agent->knowledge.senses->own = *senses;
  world->agents.senses.is_stale = true;
  return LW_OK;
}

lw_status lw_agent_get_senses(const lw_world *world, lw_agent_id id, lw_senses *senses) {
  if (senses) *senses = lw_senses_default();
  if (!world || !senses) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  *senses = *lwi_agent_senses(agent);
  return LW_OK;
}

/* --- notifying trees and paths ------------------------------------------------------------------------ */

static void send(lw_world *world, lwi_agent *agent, const char *name, const lw_value *value) {
  if (agent->run) lw_agent_send(world, agent->id, name, value); /* without memory nobody hears of it */
}

static lw_value agent_value(lw_agent_id id) {
  return (lw_value){.kind = LW_VALUE_AGENT, .as.agent = id};
}

void lwi_percept_notice(lw_world *world, lwi_agent *agent, lwi_percept *percept) {
  const lw_value value = agent_value(percept->agent);
  const bool is_new = !percept->is_noticed;
  percept->is_noticed = percept->is_seen = true;
  if (is_new) {
    percept->noticed = world->time;
    percept->announced = percept->at;
    if (percept->is_enemy) lwi_agent_alarm(world, agent);
  } else {
    lwi_percept_moved(world, agent, percept);
  }
  lwi_history_note_other(world, agent, LW_HISTORY_SEEN, percept->agent, percept->at);
  send(world, agent, "seen", &value);
}

void lwi_percept_lose(lw_world *world, lwi_agent *agent, lwi_percept *percept) {
  const lw_value value = agent_value(percept->agent);
  percept->is_seen = false;
  lwi_history_note_other(world, agent, LW_HISTORY_LOST, percept->agent, percept->at);
  send(world, agent, "lost", &value);
}

void lwi_percept_moved(lw_world *world, lwi_agent *agent, lwi_percept *percept) {
  if (!percept->is_enemy || lwi_distance(percept->at, percept->announced) <= TOLERANCE) return;
  percept->announced = percept->at;
  lwi_agent_alarm(world, agent);
}

bool lwi_senses_keep(lw_world *world, lwi_agent *agent, lwi_percept_keeps keeps) {
  lwi_senses *senses = agent->knowledge.senses;
  int kept = 0;
  for (int i = 0; i < senses->count; i++) {
    const lwi_percept *percept = &senses->percepts[i];
    if (keeps(world, agent, percept)) {
      if (kept < i) senses->percepts[kept] = *percept;
      kept += 1;
    } else if (percept->is_enemy && percept->is_noticed) {
      lwi_agent_alarm(world, agent);
    }
  }
  const bool any = kept < senses->count;
  senses->count = kept;
  return any;
}

void lwi_senses_refocus(lw_world *world, lwi_agent *agent) {
  lwi_senses *senses = agent->knowledge.senses;
  const lwi_percept *chosen = lwi_senses_choose(senses, agent->at.point);
  const uint64_t focus = chosen ? chosen->serial : 0;
  const bool sees = chosen && chosen->is_seen, is_other = focus != senses->focus;
  const lw_vec3 at = chosen ? chosen->at : lwi_vec3(0, 0, 0);
  const bool has_moved = is_other || !lwi_equal(at, senses->focus_at), has_turned = sees != senses->sees_focus;
  senses->focus = focus;
  senses->focus_at = at;
  senses->sees_focus = sees;
  if (is_other) lwi_agent_notify(world, agent, key_enemy);
  if (has_moved) lwi_agent_notify(world, agent, key_at);
  if (has_turned) lwi_agent_notify(world, agent, key_seen);
}

static bool remembers_noise(const lw_world *world, const lwi_agent *agent) {
  const lwi_senses *senses = agent->knowledge.senses;
  return senses && senses->has_heard &&
         world->time - senses->heard_at <= (double)lwi_agent_senses(agent)->memory;
}

void lwi_senses_age(lw_world *world, lwi_agent *agent) {
  if (!agent->knowledge.senses->has_heard || remembers_noise(world, agent)) return;
  agent->knowledge.senses->has_heard = false;
  lwi_agent_notify(world, agent, key_noise);
}

void lwi_agent_hear(lw_world *world, lwi_agent *agent, const lw_heard *heard) {
  const lw_value place = {.kind = LW_VALUE_VEC3, .as.vec3 = heard->at};
  agent->knowledge.senses->has_heard = true;
  agent->knowledge.senses->heard = *heard;
  agent->knowledge.senses->heard_at = world->time;
  lwi_agent_notify(world, agent, key_noise);
  lwi_history_note_place(world, agent, LW_HISTORY_HEARD, heard->at);
  send(world, agent, "heard", &place);
}

/* --- keys of trees ---------------------------------------------------------------------------------------- */

/* The enemy that counts most. @return NULL: there is none, or it is gone. */
static const lwi_percept *focus_of(const lw_world *world, const lwi_agent *agent) {
  const lwi_senses *senses = agent->knowledge.senses;
  const lwi_percept *percept = senses && senses->focus ? lwi_senses_find(senses, senses->focus) : NULL;
  return percept && lwi_world_agent(world, percept->agent) ? percept : NULL;
}

lw_value lwi_agent_sense(const lw_world *world, const lwi_agent *agent, const char *name) {
  const lw_value none = {.kind = LW_VALUE_NONE};
  if (strcmp(name, key_noise + 6) == 0) {
    if (!remembers_noise(world, agent)) return none;
    return (lw_value){.kind = LW_VALUE_VEC3, .as.vec3 = agent->knowledge.senses->heard.at};
  }
  const lwi_percept *focus = focus_of(world, agent);
  if (!focus) return none;
  if (strcmp(name, key_enemy + 6) == 0) return agent_value(focus->agent);
  if (strcmp(name, key_at + 6) == 0) return (lw_value){.kind = LW_VALUE_VEC3, .as.vec3 = focus->at};
  if (strcmp(name, key_seen + 6) == 0)
    return (lw_value){.kind = focus->is_seen ? LW_VALUE_BOOLEAN : LW_VALUE_NONE, .as.boolean = focus->is_seen};
  return none;
}

/* --- threats ---------------------------------------------------------------------------------------------- */

/* Does the agent know of a threat of the world that is the enemy's eye? */
static bool knows_eye(const lw_world *world, const lwi_agent *agent, const lwi_agent *enemy) {
  for (uint32_t i = enemy->knowledge.first_eye; i != LWI_NO_SLOT; i = lwi_threat_at(world, i)->next_eye)
    if (lwi_agent_knows(world, agent, i)) return true;
  return false;
}

int lwi_agent_add_enemies(const lw_world *world, const lwi_agent *agent, lw_threat *threats, int count,
                          int capacity) {
  for (int i = 0; agent->knowledge.senses && i < agent->knowledge.senses->count; i++) {
    const lwi_percept *percept = &agent->knowledge.senses->percepts[i];
    const lwi_agent *enemy = lwi_world_agent(world, percept->agent);
    if (!enemy || !percept->is_enemy || !percept->is_noticed || knows_eye(world, agent, enemy)) continue;
    if (count < capacity) {
      threats[count] = lw_threat_default();
      threats[count].at = lwi_vec3(percept->at.x, percept->at.y + percept->eye, percept->at.z);
    }
    count += 1;
  }
  return count;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

static lw_perceived perceived_of(const lw_world *world, const lwi_percept *percept) {
  return (lw_perceived){.agent = percept->agent,
                        .is_seen = percept->is_seen,
                        .is_enemy = percept->is_enemy,
                        .at = percept->at,
                        .velocity = percept->velocity,
                        .age = world->time - percept->seen,
                        .noticed = percept->noticed};
}

static bool counts(const lw_world *world, const lwi_percept *percept) {
  return percept->is_noticed && lwi_world_agent(world, percept->agent);
}

int lw_agent_get_perceived(const lw_world *world, lw_agent_id id, lw_perceived *list, int capacity) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  int count = 0;
  for (int i = 0; agent && agent->knowledge.senses && i < agent->knowledge.senses->count; i++) {
    const lwi_percept *percept = &agent->knowledge.senses->percepts[i];
    if (!counts(world, percept)) continue;
    if (list && count < capacity) list[count] = perceived_of(world, percept);
    count += 1;
  }
  return count;
}

lw_status lw_agent_find_perceived(const lw_world *world, lw_agent_id id, lw_agent_id other_id,
                                  lw_perceived *perceived) {
  if (perceived) *perceived = (lw_perceived){.is_seen = false};
  if (!world || !perceived) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id), *other = lwi_world_agent(world, other_id);
  if (!agent || !other) return LW_STALE;
  const lwi_percept *percept =
      agent->knowledge.senses ? lwi_senses_find(agent->knowledge.senses, other->serial) : NULL;
  if (!percept || !counts(world, percept)) return LW_NOT_FOUND;
  *perceived = perceived_of(world, percept);
  return LW_OK;
}

static void forget_at(lw_world *world, lwi_agent *agent, int index) {
  lwi_senses *senses = agent->knowledge.senses;
  if (senses->percepts[index].is_enemy && senses->percepts[index].is_noticed) lwi_agent_alarm(world, agent);
  senses->count -= 1;
  memmove(&senses->percepts[index], &senses->percepts[index + 1],
          (size_t)(senses->count - index) * sizeof *senses->percepts);
}

lw_status lw_agent_forget(lw_world *world, lw_agent_id id, lw_agent_id other_id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  const lwi_agent *other = lwi_world_agent(world, other_id);
  if (!agent || (!other && !lw_agent_id_is_none(other_id))) return LW_STALE;
  if (!agent->knowledge.senses) return LW_OK;
  for (int i = agent->knowledge.senses->count - 1; i >= 0; i--)
    if (!other || agent->knowledge.senses->percepts[i].serial == other->serial) forget_at(world, agent, i);
  lwi_senses_refocus(world, agent);
  return LW_OK;
}

lw_status lw_agent_get_heard(const lw_world *world, lw_agent_id id, lw_heard *heard) {
  if (heard) *heard = (lw_heard){.loudness = 0};
  if (!world || !heard) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!remembers_noise(world, agent)) return LW_NOT_FOUND;
  *heard = agent->knowledge.senses->heard;
  heard->age = world->time - agent->knowledge.senses->heard_at;
  return LW_OK;
}

void lwi_agent_describe_senses(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  const lwi_percept *focus = focus_of(world, agent);
  int seen = 0, length = 0;
  text[0] = 0;
  if (!agent->knowledge.senses) return;
  for (int i = 0; i < agent->knowledge.senses->count; i++)
    seen +=
        agent->knowledge.senses->percepts[i].is_seen && counts(world, &agent->knowledge.senses->percepts[i]);
  if (seen > 0) length = snprintf(text, size, ", sees %d agent%s", seen, seen > 1 ? "s" : "");
  if (focus) {
    const lw_vec3 at = focus->at;
    if (focus->is_seen)
      length += snprintf(text + length, size - (size_t)length, ", an enemy at (%.1f, %.1f, %.1f)", (double)at.x,
                         (double)at.y, (double)at.z);
    else
      length +=
          snprintf(text + length, size - (size_t)length, ", lost an enemy %.1f s ago at (%.1f, %.1f, %.1f)",
                   world->time - focus->seen, (double)at.x, (double)at.y, (double)at.z);
  }
  if (!remembers_noise(world, agent)) return;
  const lw_vec3 at = agent->knowledge.senses->heard.at;
  snprintf(text + length, size - (size_t)length, ", heard a noise %.1f s ago at (%.1f, %.1f, %.1f)",
           world->time - agent->knowledge.senses->heard_at, (double)at.x, (double)at.y, (double)at.z);
}

/* --- after a file ----------------------------------------------------------------------------------------- */

static void resolve(const lw_world *world, lwi_senses *senses) {
  for (int i = 0; i < senses->count; i++) {
    lwi_percept *percept = &senses->percepts[i];
    const lwi_agent *other = lwi_world_agent_of_serial(world, percept->serial);
    if (lw_agent_id_is_none(percept->agent) && other) percept->agent = other->id;
  }
  senses->unresolved = 0;
}

void lwi_world_resolve_senses(lw_world *world) {
  if (world->agents.senses.unresolved == 0) return;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    if (agent->knowledge.senses && agent->knowledge.senses->unresolved > 0)
      resolve(world, agent->knowledge.senses);
  world->agents.senses.unresolved = 0;
  world->agents.senses.any_gone = true; /* some may not be there */
}
