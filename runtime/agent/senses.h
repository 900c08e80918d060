/// What an agent perceives: the agents that it sees, or remembers, and the noise that it heard last.
#ifndef LW_AGENT_SENSES_H
#define LW_AGENT_SENSES_H

#include "core/memory.h"
#include "leeward/senses.h"

/// Another agent that is in an agent's sight, or that it remembers.
typedef struct lwi_percept {
  lw_agent_id agent; ///< None: it is of a file, and was not looked up yet.
  uint64_t serial;   ///< Of that agent.
  bool is_noticed;   ///< false: it has come into sight, and was not noticed yet.
  bool is_seen;      ///< In the last look.
  bool is_enemy;
  bool is_in_view;   ///< Scratch of a look.
  double since;      ///< When it came into sight. [s]
  double noticed;    ///< When it was noticed. [s]
  double seen;       ///< When it was seen last. [s]
  lw_vec3 at;        ///< Its position then. [m]
  float eye;         ///< How high above that its eye was. [m]
  lw_vec3 velocity;  ///< [m/s]
  lw_vec3 announced; ///< Its position when the agent's path last took it as a threat. [m]
} lwi_percept;

typedef struct lwi_senses {
  bool has_own;
  lw_senses own;         ///< In place of those of the profile.
  lwi_percept *percepts; ///< [count] In the order in which they came into sight.
  int count, capacity;
  int unresolved; ///< How many percepts have no id.
  uint64_t focus; ///< Serial number of the enemy that counts most; 0: there is none.
  bool sees_focus;
  lw_vec3 focus_at; ///< As trees were last notified. [m]
  bool has_heard;
  lw_heard heard;  ///< The noise that it heard last; its `age` is 0.
  double heard_at; ///< When. [s]
} lwi_senses;

void lwi_senses_free(lwi_senses *senses, lwi_memory *memory);
/// @return The percept of the agent with that serial number; NULL: there is none.
lwi_percept *lwi_senses_find(const lwi_senses *senses, uint64_t serial);
/// Add an agent that has come into sight. @return NULL: no memory.
lwi_percept *lwi_senses_add(lwi_senses *senses, lwi_memory *memory, lw_agent_id agent, uint64_t serial);
/// Choose the enemy that counts most: the nearest enemy in sight, or else the enemy that was seen last. The
/// enemy that counted before stays unless another is much nearer. @return NULL: it knows of none.
const lwi_percept *lwi_senses_choose(const lwi_senses *senses, lw_vec3 from);
/// Continue a hash with all that counts for what the agent perceives later.
uint64_t lwi_senses_hash(const lwi_senses *senses, uint64_t hash);

#endif
