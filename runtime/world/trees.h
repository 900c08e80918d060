/// The trees of a world's agents: which are ticked when, and the blackboards that they read.
#ifndef LW_WORLD_TREES_H
#define LW_WORLD_TREES_H

#include "agent/agent.h"
#include "behavior/values.h"

struct lwi_leaf_store; /* behavior/run.h */

/// The queues that agents with trees wait in: heaps by `turn.key`, then in the order in which they were
/// spawned.
typedef enum lwi_turn_queue_kind {
  LWI_TURN_NONE,
  LWI_TURN_ASLEEP, ///< Until the world time that is the key.
  LWI_TURN_NOW,    ///< Ticked in the step that runs.
  LWI_TURN_NEXT,   ///< Ticked in the next one.
  LWI_TURN_REACTS, ///< It had its turn in the step that runs, and its conditions are to react.
  LWI_TURN_QUEUES
} lwi_turn_queue_kind;

typedef struct lwi_turn_queue {
  lwi_agent **items; ///< [first..first + count - 1]
  int count, capacity;
  bool is_sorted; ///< They are in order, as they mostly come: the first one goes without reordering the others.
  int first;      ///< 0 unless they are.
} lwi_turn_queue;

/// A key of a team or the world that changed, or an event of the world.
typedef struct lwi_changed_key {
  lwi_values *values;
  int entry;
  uint32_t team;      ///< UINT32_MAX: all.
  const char *prefix; ///< "team.", "world." or "event.".
} lwi_changed_key;

/// The trees of a world's agents, and what they read.
typedef struct lwi_world_trees {
  lwi_turn_queue queues[LWI_TURN_QUEUES];
  lwi_agent *readers; ///< Of shared keys and events, in no order that matters.
  bool is_ticking;    ///< Trees are being ticked,
  uint64_t turn;      ///< up to the agent with this serial number,
  uint64_t last;      ///< of those up to this one.
  uint64_t round;     ///< How often they were, that which runs included.
  uint64_t reactions; ///< How often conditions of agents have reacted after their turns.
  lwi_values values, events;
  lwi_values **teams; ///< [team_capacity] By number of the team. NULL: nothing was ever set.
  int team_capacity;
  lwi_changed_key *changed; ///< [changed_count] Since readers were last notified.
  int changed_count, changed_capacity;
} lwi_world_trees;

/* --- trees.c ---------------------------------------------------------------------------------------------- */

/// Give a new agent a place for its turns. @return false: no memory.
bool lwi_agent_begin_turns(lw_world *world, lwi_agent *agent);
/// The agent goes: it has no turn.
void lwi_agent_end_turns(lw_world *world, lwi_agent *agent);
/// Abort its tree.
void lwi_agent_abort_tree(lw_world *world, lwi_agent *agent);
/// Free its runs, values and events.
void lwi_agent_free_tree(lw_world *world, lwi_agent *agent);
/// Let the reason of its last failure name the leaf, which it may do later than the leaf fails.
void lwi_agent_settle_reason(lwi_agent *agent);
/// Put it into the queue that its tree belongs to now.
void lwi_agent_queue(lw_world *world, lwi_agent *agent);
/// Let the leaf that it runs be ticked.
void lwi_agent_wake(lw_world *world, lwi_agent *agent);
/// Let the leaves that its tree runs save what they need.
void lwi_agent_save_leaves(lw_world *world, lwi_agent *agent, const struct lwi_leaf_store *store);
/// Give its tree the state of a run of a saved world, at its root where what runs is not there any more.
/// @param nodes  Of lw_tree_match(). @param[out] goes_on  Whether it goes on where it was.
/// @return false: no memory; its tree is as it was.
bool lwi_agent_take_run(lw_world *world, lwi_agent *agent, const lw_tree_run *from, const int *nodes,
                        bool *goes_on);
/// Then let the leaves that it runs go on with what they have saved.
void lwi_agent_load_leaves(lw_world *world, lwi_agent *agent, const struct lwi_leaf_store *store);
/// Tick the trees that are awake, of agents up to the last one now, and let conditions react.
void lwi_world_tick_trees(lw_world *world);
void lwi_world_trees_free(lw_world *world);

/* --- blackboards.c ---------------------------------------------------------------------------------------- */

/// Notify the trees that read them of keys of teams and the world that changed, and of events of the world.
void lwi_world_notify_changes(lw_world *world);
/// A key of the agent's own has changed: let its conditions react.
void lwi_agent_notify(lw_world *world, lwi_agent *agent, const char *key);
/// Has the agent a turn to come in the ticks that run?
bool lwi_agent_has_turn(const lw_world *world, const lwi_agent *agent);
/// What an agent's tree reads.
lw_value lwi_agent_value(const lw_world *world, const lwi_agent *agent, const lw_key *key);
void lwi_agent_free_values(lw_world *world, lwi_agent *agent);
void lwi_world_free_values(lw_world *world);
/// The values of a team. @return NULL: no memory.
lwi_values *lwi_world_team_values(lw_world *world, const char *team);
/// List again an entry of shared keys that had changed, so that its readers are notified. @param team  NULL: of
/// the world. @return false: no memory.
bool lwi_world_list_change(lw_world *world, lwi_values *values, int entry, const char *team);
/// May some agent still read the event?
bool lwi_event_is_alive(const lw_world *world, const lwi_value_entry *entry);
/// Continue a hash with the keys of agents, teams and the world, and with events.
uint64_t lwi_world_values_hash(const lw_world *world, uint64_t hash);
uint64_t lwi_agent_values_hash(const lw_world *world, const lwi_agent *agent, uint64_t hash);

#endif
