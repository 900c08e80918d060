/// The planner of a world: which paths are searched in a step, in which order.
#ifndef LW_WORLD_PLANNER_H
#define LW_WORLD_PLANNER_H

#include "agent/agent.h"
#include "core/hash_index.h"
#include "core/id_pool.h"
#include "core/jobs.h"
#include "query/sliced_search.h"

/// A path that was asked for.
typedef struct lwi_path_request {
  lw_path_query query; ///< `team`, `threats`, `goals` are the ones here: lwi_path_request_query().
  char team[LW_TEAM_NAME_MAX + 1];
  lw_threat *threats;      ///< [query.threat_count] Owned.
  lw_vec3 *goals;          ///< [query.goal_count] Owned.
  uint64_t hash;           ///< Of the query.
  bool is_follower;        ///< It waits for the answer to an equal one, which is the first of a list:
  uint32_t next, previous; ///< slots; LWI_NO_SLOT: none.
  int priority;
  uint64_t since;   ///< The step before which it was asked for.
  lw_status status; ///< LW_UNFINISHED: it waits.
  lw_path *path;    ///< Owned.
} lwi_path_request;

/// What waits for its turn.
typedef struct lwi_plan_entry {
  int64_t key;      ///< The lowest is first,
  uint64_t order;   ///< then the lowest of these: agents by their age, then requests by theirs.
  lwi_agent *agent; ///< NULL: a request.
  uint32_t request; ///< Slot.
} lwi_plan_entry;

/// All that waited as the step began. Nothing of it stays for the next step.
typedef struct lwi_plan_queue {
  lwi_plan_entry *entries; ///< [count] The first `ordered` are in the order of their turns.
  int count, ordered, capacity;
} lwi_plan_queue;

/// Whose path is being searched.
typedef struct lwi_plan_client {
  lw_agent_id agent;
  uint32_t version;    ///< lwi_agent_route.version when it began.
  uint32_t request;    ///< Slot; LWI_NO_SLOT: an agent's.
  uint64_t heard;      ///< lw_world.news when it began.
  bool is_doubtful;    ///< What came since may concern its path: that is searched again when it is found.
  lw_location footing; ///< Where the agent stood when it began,
  int navmesh;         ///< on this one (world index).
  bool is_steady;      ///< Of that search.
} lwi_plan_client;

/// With what one thread searches.
typedef struct lwi_plan_lane {
  lw_search search;
  bool is_ready;       ///< It has its memory.
  lwi_depth_ask *asks; ///< [ask_count] Of the searches that it ran beside others, one after the other.
  int ask_count, ask_capacity;
} lwi_plan_lane;

/// An agent as it was sent.
typedef struct lwi_plan_mark {
  lw_agent_id agent; ///< None: no one.
  uint32_t version;  ///< lwi_agent_route.version then.
} lwi_plan_mark;

/// The search that the last change of the ground ended, until it begins again.
typedef struct lwi_plan_outdated {
  lwi_plan_mark of;
  int begins; ///< How often it has begun.
} lwi_plan_outdated;

/// How far the search of a saved game was.
typedef struct lwi_plan_resume {
  uint64_t work;                            ///< That it took; 0: none is in progress.
  int begins;                               ///< How often it had begun.
  lw_location footing;                      ///< Where its agent stood when it began,
  int navmesh;                              ///< on this one.
  lwi_drive_block blocks[LWI_DRIVE_BLOCKS]; ///< [block_count] That its drive keeps away from.
  int block_count;
  float heading, trailer_angle; ///< From which that drive is searched. [rad]
  lwi_blocker_list blockers;    ///< That its path is searched past.
  lwi_beliefs threats;          ///< That it searches with. Owned.
  bool is_cold;                 ///< As in lwi_path_run.
  bool is_doubtful;             ///< As in lwi_plan_client,
  uint64_t heard;               ///< and this, of this world.
} lwi_plan_resume;

/// Those that have one goal and pay the same for paths there.
typedef struct lwi_goal_crowd {
  lw_vec3 goal;
  uint64_t prices, limits; ///< lwi_prices.content
  int navmesh;             ///< Of agents; -1: of requests.
  int members;
} lwi_goal_crowd;

/// Crowds, and what they share.
typedef struct lwi_plan_crowds {
  lwi_crowd_fields fields;
  lwi_goal_crowd *items; ///< [count] Those that were counted last.
  int count, capacity;
  lwi_hash_index index; ///< Of items.
  uint32_t sent;        ///< Agents that were sent since the last step began.
} lwi_plan_crowds;

/// The requests that were answered in this step. There is space for all.
typedef struct lwi_plan_answers {
  lw_request_id *items; ///< [count]
  int count, capacity;
} lwi_plan_answers;

/// Bounds at prices that searches of the planner use, or are to.
typedef struct lwi_plan_table {
  int navmesh;      ///< World index.
  uint64_t prices;  ///< lwi_prices.identity
  float visibility; ///< Of lwi_price_table_prices(). [0..1]
  uint64_t work;    ///< That was granted for it so far. [points left]
  uint64_t user;    ///< lwi_agent.serial of the agent that asked for it last; 0: none did.
  bool is_enough;   ///< That work was enough.
  bool is_ready;    ///< It was enough before this step began, so that searches use the table.
} lwi_plan_table;

/// Past that number the oldest is forgotten.
#define LWI_PLAN_TABLES_MAX 64
typedef struct lwi_plan_tables {
  lwi_plan_table items[LWI_PLAN_TABLES_MAX]; ///< [count] The oldest first.
  int count;
  uint64_t granted; ///< The step that last granted work, plus 1; 0: none did.
} lwi_plan_tables;

typedef struct lwi_planner {
  int64_t granted; ///< The work of this step,
  int64_t left;    ///< and what is left of it. Below 0: it took more.
  lwi_jobs jobs;
  lwi_plan_lane *lanes; ///< [lane_count] Owned.
  int lane_count;
  int lane;          ///< Of the search in progress, or the next one.
  bool is_searching; ///< That goes on in the next step.
  bool any_waiting;  ///< Some may wait.
  lwi_plan_client client;
  lwi_plan_outdated outdated;
  lwi_id_pool ids;            ///< Of requests.
  lwi_path_request *requests; ///< By slot.
  int request_capacity;
  lwi_plan_answers answered;
  lwi_hash_index leaders; ///< Slots of those that wait and are no followers, by the hash of the query.
  lwi_plan_queue queue;
  lwi_plan_crowds crowds;
  lwi_plan_tables tables;
  lwi_plan_mark resumed;  ///< Whose search goes on as in the game that was saved.
  lwi_plan_resume resume; ///< Of that.
  bool any_stale;         ///< Some agent's path may be stale.
  lw_agent_id stale_turn; ///< The agent that comes first in the next search for such; none: the first.
  uint64_t stale_until;   ///< Up to this step no path is searched again because of threats.
  lw_planner_stats stats;
} lwi_planner;

/// Does an agent that was sent wait for its path?
static inline bool lwi_agent_waits(const lwi_agent *agent) {
  return agent->move == LW_MOVE_WALKING && agent->route.staleness == LWI_WAITING && !agent->removal.pending;
}

/// Have threats, regions or visibility changed for the agent since its search began, with that news?
bool lwi_planner_has_news(const lw_world *world, const lwi_agent *agent, uint64_t heard);
/// All agents hear the news: note whether it may concern the path that is being searched, or goes on to be.
void lwi_planner_hear(lw_world *world);
/// Send an agent to its goal: search its path now, or let it wait. @return As lw_agent_move_to().
lw_status lwi_world_send(lw_world *world, lwi_agent *agent);
/// What is asked from here on counts as in a step, also between two. @return For lwi_world_end_as_step().
bool lwi_world_begin_as_step(lw_world *world);
/// @return false: no memory to count it.
bool lwi_world_end_as_step(lw_world *world, bool was_stepping);
/// As a step begins: search paths for those that wait.
void lwi_world_plan(lw_world *world);
/// Search as far as the search of a saved game was, on the ground that it searched on: once all agents are
/// restored, or before changes are applied.
void lwi_planner_take_up(lw_world *world);
/// @return false: no memory; it is to be freed all the same.
bool lwi_world_planner_init(lw_world *world);
void lwi_world_planner_free(lw_world *world);
/// @return Bytes that it holds beside the world's memory and its workspaces.
size_t lwi_planner_memory(const lw_world *world);
/// The agent that the search in progress is for, if it still waits for that.
lwi_agent *lwi_planner_agent(const lw_world *world);
void lwi_planner_drop_search(lwi_planner *planner);
/// The search in progress. Only where there is one.
static inline lw_search *lwi_planner_search(const lwi_planner *planner) {
  return &planner->lanes[planner->lane].search;
}
/// Give the agent what came of its search.
void lwi_planner_answer_agent(lw_world *world, lwi_agent *agent, lw_status status);
/// Let the agent wait; it goes on along an earlier path, or halts. @return false: no memory.
bool lwi_planner_let_wait(lw_world *world, lwi_agent *agent, bool is_to_halt);
/* --- plan_queue.c --- */

/// List all that wait. @return false: no memory; some may be missing, and they are in no order.
bool lwi_plan_queue_fill(lw_world *world);
/// Let the first `count` of them, or all, be in the order of their turns.
void lwi_plan_queue_order(lwi_plan_queue *queue, int count);

/* --- plan_ahead.c --- */

/// The search in progress, for that agent, has paused: let it walk the path that this has come to, or halt.
/// @param has_begun  It began in this turn, where the agent is. @return false: no memory.
bool lwi_planner_wait_in_search(lw_world *world, lwi_agent *agent, bool has_begun);
/// Has the agent of the search in progress walked ahead?
bool lwi_planner_is_ahead(const lw_world *world, const lwi_agent *agent);
/// Let an agent that has walked ahead go on along the path that was found.
/// @return LW_OK; LW_UNFINISHED: it leads elsewhere, and the agent waits for another search; LW_OUT_OF_MEMORY.
lw_status lwi_planner_join(lw_world *world, lwi_agent *agent, const lw_path *path);

/// Count the answer to what has waited since that step.
void lwi_planner_note_answer(lw_world *world, uint64_t since);
/// The agent whose search of a saved game is still to be taken up, if it still waits for that.
lwi_agent *lwi_planner_resumed(const lw_world *world);
/// Does an agent that is sent now wait, also where work is left?
static inline bool lwi_planner_is_busy(const lwi_planner *planner) {
  return planner->is_searching || planner->any_waiting;
}
/// A saved game is restored: nothing is searched. @param left  Of the work of the step.
/// @param is_busy  lwi_planner_is_busy() of that game.
void lwi_planner_reset(lw_world *world, int64_t left, bool is_busy);
/// An agent is restored whose search was in progress: that goes on, or begins again.
/// @param from  How far it was. Copied.
void lwi_planner_resume(lw_world *world, const lwi_agent *agent, const lwi_plan_resume *from);
/// The search for an agent that waits was ended by a change of the ground.
/// @param begins  How often it had begun.
void lwi_planner_note_outdated(lw_world *world, const lwi_agent *agent, int begins);
/// The agent whose search such a change ended, if it still waits for that.
lwi_agent *lwi_planner_outdated(const lw_world *world);
/// The search for an agent begins. @return How often it had begun before.
int lwi_planner_begin_outdated(lw_world *world, const lwi_agent *agent);
/// The agents that wait, and since when.
uint64_t lwi_world_planner_hash(const lw_world *world, uint64_t hash);

/* --- plan_lanes.c -------------------------------------------------------------------------------------- */

/// Have memory to search in a lane. @return false: no memory.
bool lwi_plan_lane_open(lw_world *world, lwi_plan_lane *lane);
/// Entries that are searched beside each other at most.
#define LWI_PLAN_BESIDE_MAX 64
/// Turns that were taken.
typedef struct lwi_plan_turns {
  int count;     ///< Of the entries, from the first on.
  bool is_alone; ///< The next entry is to be searched with no other beside it.
} lwi_plan_turns;
/// Let several that wait take their turns, searched beside each other, with the results and the work that they
/// have one after the other. No search is in progress; one may be then, of the entry behind the turns taken.
/// @param entries  [count] In the order of their turns. The first LWI_PLAN_BESIDE_MAX are searched.
lwi_plan_turns lwi_plan_beside(lw_world *world, const lwi_plan_entry *entries, int count);

/* --- plan_crowds.c -------------------------------------------------------------------------------------- */

/// Count those that wait, and walk, by their goals. Without memory there are no crowds.
void lwi_plan_count_crowds(lw_world *world);
/// Is there a crowd with the goal of what waits, as was counted last? Any number of threads may ask.
bool lwi_plan_entry_is_of_crowd(const lw_world *world, const lwi_plan_entry *entry);
/// The same for an agent that is sent. Only where the number sent has doubled does it look for others: else
/// sending many would take long.
bool lwi_plan_is_of_crowd(lw_world *world, const lwi_agent *agent);
/// How a search may use the distance fields. @param agent  NULL: for a request.
lwi_crowd_use lwi_plan_crowd_use(const lw_world *world, const lwi_agent *agent, bool is_of_crowd);
void lwi_plan_crowds_free(lw_world *world);

/* --- plan_tables.c -------------------------------------------------------------------------------------- */

/// By what a search is bounded.
typedef struct lwi_plan_need {
  const lw_profile *profile; ///< NULL: none.
  const lw_filter *limits;   ///< NULL: none but the profile's.
  float visibility;
  int navmesh;    ///< World index, or LW_NAVMESH_FITTING.
  bool may_cross; ///< All navmeshes that fit the profile count, too.
} lwi_plan_need;
lwi_plan_need lwi_agent_plan_need(const lw_world *world, const lwi_agent *agent);
lwi_plan_need lwi_request_plan_need(const lw_world *world, const lwi_path_request *request);

/// Do searches for it use all tables there are to be? Else they do without (lwi_path_run.is_cold). Any number
/// of threads may ask.
bool lwi_plan_tables_are_ready(const lw_world *world, const lwi_plan_need *need);
/// A path is searched for: note which tables are missing. Those that are asked for before the first step are
/// ready at once.
/// @param user  lwi_agent.serial of the agent that it is for, for which steps to come go on with them; 0: none.
/// @param may_grant  In a step: they get a part of its work, unless others had that.
void lwi_plan_tables_want(lw_world *world, const lwi_plan_need *need, uint64_t user, bool may_grant);
/// A leaf asks for a path, in a step: the same, and whether the search may use them.
bool lwi_plan_tables_may_be_used(lw_world *world, const lw_path_query *query);
/// As a step begins: tables that got enough work are ready, and one that did not gets more.
void lwi_plan_tables_begin_step(lw_world *world);
/// The same for an entry that takes its turn.
void lwi_plan_entry_want_tables(lw_world *world, const lwi_plan_entry *entry);
/// The bounds that are being computed.
uint64_t lwi_plan_tables_hash(const lw_world *world, uint64_t hash);
/// Another navmesh has taken the place of that one.
void lwi_plan_tables_forget(lw_world *world, int navmesh);
/// Between steps: compute what bounds paths at its profile's prices, if it may count already, so that no step
/// has to.
void lwi_agent_prepare_prices(lw_world *world, const lwi_agent *agent);

/* --- path_requests.c ----------------------------------------------------------------------------------- */

/// The query, which points into the request where that lies now.
lw_path_query lwi_path_request_query(const lwi_path_request *request);
/// Give the result to the request in a slot, and to those equal to it. @param path  Owned by the request then.
void lwi_path_request_answer(lw_world *world, uint32_t slot, lw_status status, lw_path *path);
/// As a step ends: tell the program of those that were answered in it.
void lwi_path_requests_tell(lw_world *world);
void lwi_path_requests_free(lw_world *world);

/* --- replan.c ------------------------------------------------------------------------------------------ */

/// The query for an agent's path: its profile, and how its journey is to lead.
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

typedef struct lwi_agent_search {
  lw_path_query query; ///< `threats` may be those of the workspace.
  lwi_sliced_from from;
  lwi_blocker_list blockers; ///< That `from` points to.
  lw_location footing;       ///< From where the agent goes on.
  lwi_path_run run;
  bool is_steady; ///< lwi_path_run_is_steady()
} lwi_agent_search;

/// Does it stand where it may, so that lwi_agent_search_begin() does not move it?
bool lwi_agent_has_footing(const lw_world *world, const lwi_agent *agent);
/// What to search for, from where it stands. It stays where it is. @return LW_OK; LW_OUT_OF_MEMORY.
lw_status lwi_agent_search_ask(const lw_world *world, lw_workspace *workspace, const lwi_agent *agent,
                               lwi_agent_search *search);
/// Note what it is searched with.
void lwi_agent_search_note(const lw_world *world, lwi_agent *agent);
/// Find where it stands, and what to search for, in the world's own workspace. It stays where it is.
/// @return LW_OK; LW_TRAPPED, LW_NO_START: it stands nowhere; LW_OUT_OF_MEMORY.
lw_status lwi_agent_search_begin(lw_world *world, lwi_agent *agent, lwi_agent_search *search);
/// The same for a search of a saved game, without noting what it is searched with.
lw_status lwi_agent_search_resume(lw_world *world, lwi_agent *agent, lwi_agent_search *search);
/// Let the path begin where the agent's journey may enter. @return LW_OK, LW_NO_START.
lw_status lwi_agent_search_from(lwi_agent_search *search);
/// Lead the agent to the start of the path. @param prices  Of the search. @return The status of its move.
lw_status lwi_agent_search_end(const lw_world *world, const lwi_agent *agent, const lwi_prices *prices,
                               lw_status status, lw_path **path);
/// Count a search. @param seconds  That it took.
void lwi_agent_note_search(lwi_agent *agent, double seconds);
/// Let it follow a path. @param drive  Of a vehicle, along it; taken over, too.
/// @param excess  As in lwi_agent_route.
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_agent_take_path(lw_world *world, lwi_agent *agent, lw_path *path, lw_drive *drive, float excess);

/* --- plan_resume.c ---------------------------------------------------------------------------------------- */

/// Let a search begin as that of a saved game did: where its agent stood, with the threats that it knew of.
void lwi_plan_resume_search(const lw_world *world, const lwi_agent *agent, const lwi_plan_resume *from,
                            lwi_agent_search *search);
/// Likewise the search for its drive.
void lwi_plan_resume_drive(const lwi_plan_resume *from, lwi_drive_job *job);

#endif
