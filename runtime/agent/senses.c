#include "agent/senses.h"

#include "core/hash.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Another enemy takes the place of the one that counts most where its distance is less than this part. */
#define NEARER 0.7f

void lwi_senses_free(lwi_senses *senses, lwi_memory *memory) {
  lwi_free(memory, senses->percepts, (size_t)senses->capacity * sizeof *senses->percepts);
  lwi_free(memory, senses, sizeof *senses);
}

lwi_percept *lwi_senses_find(const lwi_senses *senses, uint64_t serial) {
  for (int i = 0; i < senses->count; i++)
    if (senses->percepts[i].serial == serial) return &senses->percepts[i];
  return NULL;
}

lwi_percept *lwi_senses_add(lwi_senses *senses, lwi_memory *memory, lw_agent_id agent, uint64_t serial) {
  if (!lwi_reserve(memory, &senses->percepts, &senses->capacity, senses->count + 1, sizeof *senses->percepts))
    return NULL;
  lwi_percept *added = &senses->percepts[senses->count++];
  *added = (lwi_percept){.agent = agent, .serial = serial};
  return added;
}

/* Does `a` count for more than `b`? @param from  Where the agent is. */
static bool counts_for_more(const lwi_senses *senses, const lwi_percept *a, const lwi_percept *b,
                            lw_vec3 from) {
  if (a->is_seen != b->is_seen) return a->is_seen;
  if (!a->is_seen) return a->seen > b->seen;
  const float to_a = lwi_distance(from, a->at), to_b = lwi_distance(from, b->at);
  if (b->serial == senses->focus) return to_a < NEARER * to_b;
  if (a->serial == senses->focus) return !(to_b < NEARER * to_a);
  return to_a < to_b;
}

const lwi_percept *lwi_senses_choose(const lwi_senses *senses, lw_vec3 from) {
  const lwi_percept *best = NULL;
  for (int i = 0; i < senses->count; i++) {
    const lwi_percept *percept = &senses->percepts[i];
    if (!percept->is_enemy || !percept->is_noticed) continue;
    if (!best || counts_for_more(senses, percept, best, from)) best = percept;
  }
  return best;
}

static uint64_t hash_percept(uint64_t hash, const lwi_percept *percept) {
  const uint64_t words[] = {percept->serial, percept->is_noticed, percept->is_seen, percept->is_enemy};
  const double times[] = {percept->since, percept->noticed, percept->seen};
  const float numbers[] = {percept->at.x,        percept->at.y,       percept->at.z,       percept->eye,
                           percept->velocity.x,  percept->velocity.y, percept->velocity.z, percept->announced.x,
                           percept->announced.y, percept->announced.z};
  hash = lwi_hash(hash, words, sizeof words);
  hash = lwi_hash(hash, times, sizeof times);
  return lwi_hash(hash, numbers, sizeof numbers);
}

uint64_t lwi_senses_hash(const lwi_senses *senses, uint64_t hash) {
  if (senses->has_own) {
    const float numbers[] = {senses->own.sight.range,   senses->own.sight.half_angle,
                             senses->own.sight.notice,  (float)senses->own.sight.friends,
                             senses->own.hearing.range, senses->own.memory};
    hash = lwi_hash(hash, numbers, sizeof numbers);
  }
  for (int i = 0; i < senses->count; i++) hash = hash_percept(hash, &senses->percepts[i]);
  const float at[] = {senses->focus_at.x, senses->focus_at.y, senses->focus_at.z, (float)senses->sees_focus};
  if (senses->focus) {
    hash = lwi_hash(hash, &senses->focus, sizeof senses->focus);
    hash = lwi_hash(hash, at, sizeof at);
  }
  if (!senses->has_heard) return hash;
  const lw_heard *heard = &senses->heard;
  const float noise[] = {heard->at.x, heard->at.y, heard->at.z, heard->loudness, heard->distance};
  hash = lwi_hash(hash, noise, sizeof noise);
  return lwi_hash(hash, &senses->heard_at, sizeof senses->heard_at);
}
