/// Inside a world.
#ifndef LW_WORLD_WORLD_H
#define LW_WORLD_WORLD_H

#include "agent/agent.h"
#include "core/hash_index.h"
#include "core/id_pool.h"
#include "leeward/threat.h"
#include "leeward/world.h"
#include "query/path_query.h"
#include "query/workspace.h"
#include "world/timed_regions.h"

/// The agents of a world.
typedef struct lwi_agents {
  lwi_id_pool ids;   ///< In the order they were spawned.
  lwi_agent **items; ///< By slot.
  int capacity;
  lwi_agent *removed; ///< Those that are pending removal: a heap, the newest on top.
  int removed_count;
  bool flushing; ///< They are being freed, and their leaves stopped.
} lwi_agents;

/// The places behind cover that agents have reserved.
typedef struct lwi_reserved {
  lwi_hash_index index; ///< Slots of agents, by the cell that their place is in.
  float widest;         ///< No agent that has reserved one has a larger radius. [m]
} lwi_reserved;

/// A threat of the world.
typedef struct lwi_threat {
  lw_threat now;
  lw_threat announced;             ///< As it was when the agents that know of it were last alarmed.
  uint64_t serial;                 ///< How many there were before, and 1.
  lw_agent_id agent;               ///< Whose eye it is; none: nobody's.
  uint32_t next_eye, previous_eye; ///< Threats that are eyes of the same agent; LWI_NO_SLOT: none.
  int awaits;             ///< Not 0: it is the eye of this agent of a file, from 1, that is not restored yet.
  uint32_t first_learner; ///< The newest lwi_learning of it, or LWI_NO_SLOT.
  uint64_t alarmed;       ///< When those that learned of it were last alarmed (lw_world.news).
  float tolerance;        ///< How far apart `now` and `announced` may be. [m]
  bool public;            ///< A team knows of it,
  uint32_t team;          ///< this one (lwi_team_number()); 0: all.
} lwi_threat;

/// That an agent learned of a threat.
typedef struct lwi_learning {
  uint32_t agent, threat;                    ///< Slots.
  uint32_t next_of_agent, previous_of_agent; ///< Older to newer; LWI_NO_SLOT: none.
  uint32_t next_learner, previous_learner;   ///< Of the same threat, newer to older.
} lwi_learning;

/// A name that agents have as team, or that threats are known to.
typedef struct lwi_team_name {
  char text[32];
  uint64_t alarmed; ///< When agents of the team were last alarmed (lw_world.news).
} lwi_team_name;

typedef struct lwi_threats {
  lwi_id_pool ids;
  lwi_threat *items; ///< By slot.
  int capacity;
  uint64_t created;          ///< How many there ever were: the last serial number.
  uint32_t version;          ///< Grows with every alarm.
  int eye_count;             ///< Threats that are eyes, or await their agent.
  uint64_t all_alarmed;      ///< When all agents were last alarmed (lw_world.news),
  uint64_t learners_alarmed; ///< and when some that learned of a threat were.
  lwi_id_pool learning_ids;
  lwi_learning *learnings; ///< By slot of learning_ids.
  int learning_capacity;
  lwi_hash_index learning_index; ///< By agent and threat.
  lwi_team_name **teams;         ///< [team_count] By number - 1. Owned.
  int team_count, team_capacity;
  lwi_hash_index team_index; ///< By text.
} lwi_threats;

struct lw_world {
  lwi_scene scene; ///< What asking reads. First, so that lwi_scene_of() finds it.
  lwi_memory memory;
  lw_world_def def;
  double time;
  uint64_t steps, spawned;
  lw_random random;
  lwi_timed_regions regions;
  lwi_agents agents;
  lwi_reserved reserved;
  lwi_threats threats;
  uint64_t news;          ///< Grows with each change after which paths may be stale.
  uint64_t dimmed;        ///< The news that a visibility was set last.
  uint64_t settled;       ///< The news that all agents have heard.
  bool any_stale;         ///< Some agent's path may be stale.
  lw_agent_id stale_turn; ///< The agent that comes first in the next search for such; none: the first.
  uint64_t stale_until;   ///< Up to this step no path is searched again because of threats.
  int calls;              ///< In progress that run leaves: see lwi_world_leave().
  bool closing;           ///< lw_world_destroy() was called, perhaps by a leaf.
};

/// Does a leaf run, in a step or because its agent is removed? Until it returns, the world does not step and is
/// not saved.
static inline bool lwi_world_is_busy(const lw_world *world) {
  return world->scene.stepping || world->agents.flushing;
}

/* --- world.c ---------------------------------------------------------------------------------------------- */

/// Begin a call that may run leaves: the world stays until lwi_world_leave(), also if a leaf destroys it.
static inline void lwi_world_enter(lw_world *world) {
  world->calls += 1;
}
/// End the call. @return false: it was the outermost one, a leaf had destroyed the world, and now it is gone.
bool lwi_world_leave(lw_world *world);

/* --- agents.c --------------------------------------------------------------------------------------------- */

/// @return The agent, or NULL for a stale id.
lwi_agent *lwi_world_agent(const lw_world *world, lw_agent_id id);
/// Agents in the order they were spawned, with those that are pending removal. @param agent  NULL: begin.
/// @return NULL behind the last one.
lwi_agent *lwi_next_agent(const lw_world *world, const lwi_agent *agent);
/// The agent that was spawned last, or NULL.
static inline lwi_agent *lwi_last_agent(const lw_world *world) {
  return world->agents.ids.count > 0 ? world->agents.items[world->agents.ids.last] : NULL;
}
/// Stop the leaves of the agents that are pending removal, and free them.
void lwi_world_flush_removed(lw_world *world);
void lwi_world_agents_free(lw_world *world);
/// What a tree of this agent runs in.
typedef struct lwi_tree_user {
  lw_world *world;
  lwi_agent *agent;
} lwi_tree_user;
lw_tree_host lwi_tree_host_of(lwi_tree_user *user);

/* --- replan.c --------------------------------------------------------------------------------------------- */

/// What an agent asks for a path by.
lw_path_query lwi_agent_query(const lwi_agent *agent, lw_vec3 from, lw_vec3 goal);
/// Search a path to the agent's goal and let it follow that. @return As lw_agent_move_to(); it then goes on as
/// it did.
lw_status lwi_world_search_path(lw_world *world, lwi_agent *agent);
/// Where its profile no longer lets it stand, put it on the nearest ground near by that it may enter.
/// @return false: there is none, or it is on a link that ends where it may not stand.
bool lwi_world_find_footing(const lw_world *world, lwi_agent *agent);
/// Is the agent's path stale? Takes in news that it has not heard yet.
lwi_staleness lwi_world_staleness(const lw_world *world, const lwi_agent *agent);
/// Is any agent's path stale, with the same news?
bool lwi_world_any_stale(const lw_world *world);
/// Let all agents hear the news, so that `stale` takes in all of it.
void lwi_world_settle(lw_world *world);
/// Search again for agents whose paths are stale, as many as fit into a step.
void lwi_world_search_stale(lw_world *world);
#define LWI_REST_MAX 30 ///< Steps in which none is, after searches that took long.

/* --- threats.c -------------------------------------------------------------------------------------------- */

/// The number of a team, which it keeps. @param[out] number  0: no team, text "". @return false: no memory.
bool lwi_team_number(lw_world *world, const char *text, uint32_t *number);
/// The team that a threat is known to.
const char *lwi_threat_team(const lw_world *world, const lwi_threat *threat);
/// The threat that is in the slot. @return Valid until one is added.
static inline lwi_threat *lwi_threat_at(const lw_world *world, uint32_t slot) {
  return &world->threats.items[slot];
}
/// Have the threats that the agent knows of changed since it last heard the news?
bool lwi_world_is_alarmed(const lw_world *world, const lwi_agent *agent);
/// Move the threats that are the eyes of agents along with these.
void lwi_world_move_eye_threats(lw_world *world);
/// Let the query have the threats that the agent knows of, if they cost it anything. Valid until the
/// workspace's next use. @return false: no memory.
bool lwi_world_fill_threats(const lw_world *world, lw_workspace *workspace, const lwi_agent *agent,
                            lw_path_query *query);
/// Threats now see more or less of the agent: let it search again if it knows of any.
void lwi_world_alarm(lw_world *world, lwi_agent *agent);
void lwi_world_threats_free(lw_world *world);
/// Finite numbers that make sense? Of an eye, the place and where it looks do not count.
bool lwi_threat_check(const lw_threat *threat, bool is_eye);
/// A threat of a file.
typedef struct lwi_saved_threat {
  lwi_threat as; ///< All but what says slots and numbers of a world.
  char team[32];
} lwi_saved_threat;
/// Threats as they are put in place of those of a world.
typedef struct lwi_threats_state {
  const lwi_id_state *states;      ///< [slot_count]
  const lwi_saved_threat *threats; ///< [slot_count] Where `states` has a generation.
  int slot_count;
  const uint32_t *order; ///< [count] Slots.
  int count;
  uint64_t created;
} lwi_threats_state;
/// Put threats in place of those of the world. @return false: no memory, and no threats.
bool lwi_world_threats_restore(lw_world *world, const lwi_threats_state *from);
/// An agent is restored that was number `index` of its file: its eyes are its again. @param slots  [count]
/// Theirs.
void lwi_world_restore_eye_threats(lw_world *world, lwi_agent *agent, int index, const uint32_t *slots,
                                   int count);
/// Tell the agent of the threat in a slot, without alarming it. @return false: no memory.
bool lwi_world_learn(lw_world *world, lwi_agent *agent, uint32_t slot);
/// Drop all that the agent knows and its eyes.
void lwi_agent_threats_free(lw_world *world, lwi_agent *agent);
/// Its path is searched with what it believes now.
void lwi_agent_note_beliefs(lwi_agent *agent);
/// @return false: no memory, and nothing is changed.
bool lwi_beliefs_set(lwi_memory *memory, lwi_beliefs *beliefs, const lw_threat *threats, int count);
uint64_t lwi_world_threats_hash(uint64_t hash, const lw_world *world);
uint64_t lwi_agent_threats_hash(uint64_t hash, const lw_world *world, const lwi_agent *agent);

/// Is the agent seen much better or worse than when its path was searched, and did it not hear of that yet?
bool lwi_world_has_dimmed(const lw_world *world, const lwi_agent *agent);

/* --- reservations.c --------------------------------------------------------------------------------------- */

/// Let the agent have a place, in place of an earlier one; it did not reach it yet.
/// @return false: no memory, nothing changed.
bool lwi_agent_hold_cover(lw_world *world, lwi_agent *agent, lw_vec3 at, float leash);
/// Let go of it, if it has one.
void lwi_agent_drop_cover(lw_world *world, lwi_agent *agent);
/// Let go of the place that the agent has reserved if it has left it.
void lwi_agent_keep_cover(lw_world *world, lwi_agent *agent);
/// The same if it is sent away from it.
void lwi_agent_leave_cover(lw_world *world, lwi_agent *agent, lw_vec3 goal);
/// The agent's radius may have changed.
void lwi_agent_widen_cover(lw_world *world, const lwi_agent *agent);

#endif
