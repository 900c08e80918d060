/// @file planner.h
/// Searches spread over time: one at a time by hand, or many that share a fixed amount of work in each step.
///
/// Work is counted, never timed, so that a run repeats: a node that a search expands is 1, where prices differ
/// 3, past threats 3, and 1 more for each four threats; a look of a threat at a piece of a path is 4;
/// beginning a search is 20.
///
/// By hand: lw_search_begin(), lw_search_step() until it no longer returns LW_UNFINISHED, lw_search_finish().
/// Sliced and whole searches find the same path. Where the ground or a link changes between two slices the
/// search begins again, and ends within the slice in which it does so for the fourth time. Threats are looked
/// at as they hide and see in each slice; prices are those of when the search began. Some searches are not
/// interrupted, and end in their first slice: those that dangers or fire lanes concern, those that may lead
/// over several navmeshes, and those to one of several goals.
///
/// Past threats, what the planner finds in a step may differ a little from what is asked for between steps: the
/// maps that answer for busy threats are kept apart for both (LW_ACCURACY_AUTO).
///
/// The planner of a world: paths that are asked for by lw_path_request(), and those of agents that are sent
/// (lw_agent_move_with()), share `search_work` of lw_world_def in each step. As long as it lasts and nobody
/// waits, a path is searched at once; else the request waits. Of those that wait the highest priority is first,
/// of equal ones the oldest; whatever has waited for LW_PLANNER_AGING steps counts as one priority higher, so
/// that all get their turn. A search that the work does not suffice for goes on in the next step. An agent that
/// waits goes on along an earlier path; without one it stands.
///
/// Once its search has begun, an agent walks the path that this has come to so far: to the place with the least
/// left to its goal, by lower bound, or a path to the goal that another may still improve
/// (lw_world_def.walk_ahead). Where the path that is found in the end passes where the agent is by then, it
/// goes on along that; else it stands, and is searched for once more. Agents that mind threats or are larger
/// than the navmesh was baked for stand from the beginning of their search until its end; where prices differ,
/// others stand until it has come to a first path to the goal: how near a place is says little there.
///
/// Where prices differ, bounds at the prices of their profile make searches short. They take long to compute:
/// for each profile, each of nine steps of visibility where openness counts, and each navmesh, once and again
/// when tiles of the navmesh are replaced. For agents that are spawned up to the end of the first step, and for
/// paths that are found between steps, they are computed at once. Later up to half of the work of each step
/// goes into those that agents, requests, or leaves by lw_path_find() have asked for, one after the other;
/// meanwhile paths are searched without them, which takes several times the work.
///
/// The search for a vehicle (lw_vehicle) also finds its drive (drive.h), which counts for the same work. A
/// vehicle that stands waits for that; one on its way drives on to where it can stand, and from there on along
/// the drive that is found. It may fail with LW_OUT_OF_NODES, or LW_STUCK where others block every route.
///
/// Crowds: 30 or more (and one for each 500 polygons of the navmesh) that go to one goal at the same prices
/// share a distance field (distance_field.h): requests that wait; agents that wait or walk. It is a search
/// backwards from the goal, which grows as far as they need; 8 of its nodes are 1. Those that come later use
/// it, too, until the ground or a link changes, or it was not used for 600 steps. There are 8 for agents and 8
/// for requests at most, over navmeshes of 200,000 polygons together. A path along a field that costs a
/// hundredth more than a lower bound is searched, too; after 16 paths a field of which that concerns more than
/// a quarter is given up. Searched alone are paths where prices differ, of agents that dangers, fire lanes or
/// exposure cost something, that are larger than the navmesh was baked for, or vehicles; of LW_QUALITY_EXACT;
/// over several navmeshes or to several goals; of groups; past agents that block a path; and paths that are
/// searched again after a change.
///
/// The threads of lw_world_def.threads search what waits, but for vehicles, beside each other, ahead of the
/// turns: each takes its turn as if it had been searched then, and what was searched with work that is not left
/// is dropped.
///
/// Threads: lw_search_begin() may run on any number of threads between steps; a search is used by one thread at
/// a time, and not during steps.
#ifndef LEEWARD_PLANNER_H
#define LEEWARD_PLANNER_H

#include "leeward/id.h"
#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What waits gets one priority higher after this number of steps.
#define LW_PLANNER_AGING 60
/// Priorities, to either side of 0.
#define LW_PRIORITY_MAX 100

/* --- one search ------------------------------------------------------------------------------------------- */

/// A path search that goes on in slices.
typedef struct lw_search lw_search;

/// Begin to search for a path, as lw_path_find() would. Nothing is searched yet.
/// @param world  Not NULL. Outlives the search.
/// @param workspace  Serves this search alone until it has ended. NULL: one of its own.
/// @param query  Copied, with its threats and its team; `profile` is borrowed until the search has ended.
/// @param[out] search  The caller ends it with lw_search_finish() or lw_search_cancel().
/// @return LW_OK; LW_INVALID: as lw_path_find(), or another search has the workspace;
///   LW_NOT_FOUND: as there; LW_OUT_OF_MEMORY.
LW_API lw_status lw_search_begin(const lw_world *world, lw_workspace *workspace, const lw_path_query *query,
                                 lw_search **search);
/// Search on.
/// @param work  After which it pauses, at the next node. [>= 1]
/// @return LW_UNFINISHED: there is more to do; LW_OK: it has ended, with whatever result; LW_INVALID.
LW_API lw_status lw_search_step(lw_search *search, int work);
/// @return The work that it took so far.
LW_API uint64_t lw_search_work(const lw_search *search);
/// Search to the end, give the result, and free the search.
/// @param[out] path  As of lw_path_find().
/// @return As lw_path_find().
LW_API lw_status lw_search_finish(lw_search *search, lw_path **path);
/// Free a search before its end, or its result. @param search  NULL: nothing happens.
LW_API void lw_search_cancel(lw_search *search);

/* --- the planner of a world ------------------------------------------------------------------------------- */

/// Ask for a path, which the planner searches when it is its turn, in the next step at the earliest. Then it
/// says so by lw_world_def.answered.
/// @param query  Copied, with its threats and its team; `profile` is borrowed until there is an answer.
/// @param priority  Higher ones are first. [-LW_PRIORITY_MAX..LW_PRIORITY_MAX]
/// @param[out] request  None on an error. Requests are not part of a saved game.
/// @return LW_OK; LW_INVALID: as lw_path_find(), or `priority` is out of range;
///   LW_NOT_FOUND: as there; LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_request(lw_world *world, const lw_path_query *query, int priority,
                                 lw_request_id *request);
/// @return LW_UNFINISHED: it waits; LW_STALE: the request; else what lw_path_request_take() will return.
LW_API lw_status lw_path_request_status(const lw_world *world, lw_request_id request);
/// Take what came of a request, which is then gone.
/// @param[out] path  The caller frees it with lw_path_destroy(). NULL unless LW_OK or LW_PARTIAL.
/// @return LW_UNFINISHED: there is no answer yet, and the request stays; LW_STALE: the request; else as
///   lw_path_find().
LW_API lw_status lw_path_request_take(lw_world *world, lw_request_id request, lw_path **path);
/// Forget a request, answered or not. @return LW_OK; LW_STALE: the request.
LW_API lw_status lw_path_request_cancel(lw_world *world, lw_request_id request);

/// What a planner did. Since the world was created, unless it says otherwise.
typedef struct lw_planner_stats {
  int budget;             ///< lw_world_def.search_work, or as it was set. [work a step]
  int used;               ///< Of it since the last step began. [work]
  int used_max;           ///< In any step. [work]
  int threads;            ///< lw_world_def.threads.
  int waiting_agents;     ///< Now.
  int waiting_requests;   ///< Now.
  uint64_t at_once;       ///< Paths of agents searched when they were sent.
  uint64_t answered;      ///< Paths searched for those that waited.
  uint64_t shared;        ///< Requests that got the answer of an equal one.
  uint64_t waited;        ///< Steps that those waited, in sum.
  int waited_max;         ///< Steps.
  int fields;             ///< Distance fields that are kept for crowds now.
  uint64_t fields_opened; ///< Those that were begun.
  uint64_t field_paths;   ///< Paths that were led along one.
} lw_planner_stats;
/// @param[out] stats  All zero on an error. @return LW_OK, LW_INVALID.
LW_API lw_status lw_world_get_planner_stats(const lw_world *world, lw_planner_stats *stats);
/// Set the work for paths in a step, from the next one on. [>= 1] @return LW_OK, LW_INVALID.
LW_API lw_status lw_world_set_search_work(lw_world *world, int work);

#ifdef __cplusplus
}
#endif
#endif
