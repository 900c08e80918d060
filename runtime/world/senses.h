/// The senses of a world's agents: when each looks, and what it is notified of.
#ifndef LW_WORLD_SENSES_H
#define LW_WORLD_SENSES_H

#include "agent/agent.h"
#include "agent/senses.h"
#include "leeward/blackboard.h"

/// An agent with senses.
typedef struct lwi_perceiver {
  lwi_agent *agent;
  uint64_t serial;
  double due; ///< When the next one that it has in sight is to be noticed; infinity: none is. [s]
} lwi_perceiver;

/// An agent as those that look find it.
typedef struct lwi_sight_target {
  lw_vec3 at;
  float body[2];    ///< Heights above that of what is seen of it. [m]
  float visibility; ///< [0..1]
  uint32_t team;    ///< Its number.
  uint32_t slot;
} lwi_sight_target;

/// What hid an agent from another one when that last looked, or some other one: it saves time alone.
typedef struct lwi_sight_hint {
  uint32_t leaves[2]; ///< By height of the body, as of lwi_sets_see_again().
} lwi_sight_hint;
#define LWI_SIGHT_HINTS 128 ///< Of an agent that looks; a power of two.

/// Agents in square cells, row by row.
typedef struct lwi_sight_map {
  lwi_sight_target *unsorted, *targets; ///< [count]
  int count, unsorted_capacity, target_capacity;
  int *starts; ///< [rows * columns + 1] The first target of each cell.
  int start_capacity;
  float x, z, cell; ///< Where the first cell begins, and how wide each is. [m]
  int rows, columns;
} lwi_sight_map;

/// The agents of a world that have senses.
typedef struct lwi_world_senses {
  lwi_perceiver *list; ///< [count] In the order in which they were spawned.
  int count, capacity;
  bool is_stale;  ///< `list` is to be collected again.
  bool any_gone;  ///< An agent was removed that another one may know of.
  int unresolved; ///< Agents with percepts that have no ids yet.
  uint64_t turn;  ///< Serial number of the agent that looked last.
  double credit;  ///< How many looks are due.
  lwi_sight_map map;
  uint32_t *marks; ///< [mark_capacity] By slot: 1 + the index of what the agent that looks knows of it.
  int mark_capacity;
  lwi_sight_hint *hints; ///< [hint_capacity, LWI_SIGHT_HINTS for each in `list`]
  int hint_capacity;
} lwi_world_senses;

/* --- senses.c --------------------------------------------------------------------------------------------- */

/// Make the list again, and have memory for the looks of a step. @return false: no memory.
bool lwi_world_list_senses(lw_world *world);
/// Let agents look, in turn, as many as fit into a step. @return false: there was no memory for some of what
/// they see.
bool lwi_world_look(lw_world *world, float dt);
void lwi_world_senses_free(lw_world *world);
uint64_t lwi_world_senses_hash(const lw_world *world, uint64_t hash);

/* --- perception.c ----------------------------------------------------------------------------------------- */

typedef bool (*lwi_percept_keeps)(const lw_world *world, const lwi_agent *agent, const lwi_percept *percept);

/// What it perceives with.
const lw_senses *lwi_agent_senses(const lwi_agent *agent);
/// Has it any?
bool lwi_agent_has_senses(const lwi_agent *agent);
/// Memory for what it perceives. @return NULL: no memory.
lwi_senses *lwi_agent_make_senses(lw_world *world, lwi_agent *agent);
void lwi_agent_free_senses(lw_world *world, lwi_agent *agent);
/// What of a percept has changed; tell the agent's tree and its path.
void lwi_percept_notice(lw_world *world, lwi_agent *agent, lwi_percept *percept);
void lwi_percept_lose(lw_world *world, lwi_agent *agent, lwi_percept *percept);
/// Its enemy was seen at another place.
void lwi_percept_moved(lw_world *world, lwi_agent *agent, lwi_percept *percept);
/// Forget those that are not kept, in one pass.
/// @return Whether there was any.
bool lwi_senses_keep(lw_world *world, lwi_agent *agent, lwi_percept_keeps keeps);
/// Find out which enemy counts most now, and tell the tree.
void lwi_senses_refocus(lw_world *world, lwi_agent *agent);
/// It hears a noise. It has memory for that.
void lwi_agent_hear(lw_world *world, lwi_agent *agent, const lw_heard *heard);
/// Forget a noise that is too long ago.
void lwi_senses_age(lw_world *world, lwi_agent *agent);
/// Look up agents of a file that percepts are of, and drop those that are not there.
void lwi_world_resolve_senses(lw_world *world);
/// The value of a key "sense.NAME".
lw_value lwi_agent_sense(const lw_world *world, const lwi_agent *agent, const char *name);
/// Append the enemies that it knows of by itself to those threats. @return The count with them.
int lwi_agent_add_enemies(const lw_world *world, const lwi_agent *agent, lw_threat *threats, int count,
                          int capacity);
/// Write what it perceives, as a part of lw_agent_why().
void lwi_agent_describe_senses(const lw_world *world, const lwi_agent *agent, char *text, size_t size);

#endif
