/// A path search that goes on in slices: between them the world may change.
#ifndef LW_QUERY_SLICED_SEARCH_H
#define LW_QUERY_SLICED_SEARCH_H

#include "leeward/planner.h"
#include "query/crowd_fields.h"
#include "query/drive_query.h"
#include "query/path_query.h"

/// What a search begins with, in the units of lw_search_step().
#define LWI_WORK_A_SEARCH 20
/// A search that begins so often is not interrupted again, and goes on from fewer poses for a drive.
#define LWI_SEARCH_BEGINS 4
#define LWI_POSES_AT_ONCE 1000

/// From where to search, and for which agent, beside the query. Zeros: for none, from the query's start.
typedef struct lwi_sliced_from {
  const lwi_nav *nav; ///< That `at` lies on. NULL: the query's start counts.
  lw_location at;
  const lw_filter *limits;          ///< As of lwi_path_run_of(). Copied.
  uint32_t spared;                  ///< As in lwi_path_run.
  float goal_reach;                 ///< As in lwi_path_run. [m]
  const lwi_blocker_list *blockers; ///< As in lwi_path_run. Copied.
  /// Of a vehicle: the drive to find along the path. Copied, without its workspace. NULL: of none.
  const lwi_drive_job *drive;
  bool is_cold;        ///< As in lwi_path_run.
  lwi_crowd_use crowd; ///< The distance fields that the path may be led along.
} lwi_sliced_from;

/// The search for the drive of a vehicle, once its path is found.
typedef struct lwi_sliced_drive {
  bool is_asked;
  bool is_begun;
  lwi_drive_job job;
  lw_drive *found; ///< Owned.
} lwi_sliced_drive;

/// The distance field of a crowd that may lead the path.
typedef struct lwi_sliced_field {
  bool is_asked;        ///< It is not known yet whether there is one.
  bool is_alone;        ///< The search is to be run with no other beside it.
  uint64_t work;        ///< By which it grew.
  lwi_crowd_field *led; ///< That the path was led along. NULL: none.
} lwi_sliced_field;

/// What the ground was when a search began last.
typedef struct lwi_sliced_ground {
  uint64_t changes;   ///< lwi_scene.changes
  uint64_t forgotten; ///< lw_workspace.forgotten
} lwi_sliced_ground;

struct lw_search {
  lwi_memory memory;
  const lwi_scene *scene;
  lw_workspace *workspace;
  bool owns_workspace;
  lw_path_query query; ///< `team`, `threats` and `goals` are the ones here.
  char team[LW_TEAM_NAME_MAX + 1];
  lw_threat *threats; ///< [threat_capacity]
  int threat_capacity;
  lw_vec3 *goals; ///< [goal_capacity]
  int goal_capacity;
  lwi_sliced_from from;
  lw_filter limits;
  lwi_blocker_list blockers;
  lwi_path_run run;
  lwi_path_start start;
  lwi_nav_search nav_search; ///< Where `is_searching`.
  bool is_begun, is_searching;
  lwi_sliced_field field;
  lwi_sliced_drive drive;
  lwi_sliced_ground ground;
  int begins;
  uint64_t work;
  uint64_t pausable; ///< Of it, in its last slice, where it could have paused.
  lw_status status;  ///< LW_UNFINISHED: it has not ended.
  lw_path *path;     ///< That was found. Owned.
};

/// What a search from there asks. @param query  Borrowed, as `from->limits`.
lwi_path_run lwi_sliced_run(const lwi_scene *scene, lw_workspace *workspace, const lw_path_query *query,
                            const lwi_sliced_from *from);
/// A search with a workspace and memory, kept from search to search: a warm one allocates nothing but paths.
/// @return false: no memory; free it all the same.
bool lwi_sliced_search_init(lw_search *search, const lwi_scene *scene, lw_workspace *workspace);
void lwi_sliced_search_free(lw_search *search);
/// Begin another search. @param query  Checked. @return false: no memory.
bool lwi_sliced_search_begin(lw_search *search, const lw_path_query *query, const lwi_sliced_from *from);
/// Search on. `status` and `path` of the search tell the result.
/// @return false: the ground has changed meanwhile, so that a search from a place on a navmesh (`from.nav`)
///   must be begun again.
bool lwi_sliced_search_step(lw_search *search, uint64_t work);
/// Has the ground changed since it began, so that it begins again with its next slice?
bool lwi_sliced_search_is_outdated(const lw_search *search);
/// The path so far of a search that has paused: lwi_path_search_so_far().
lw_status lwi_sliced_search_so_far(lw_search *search, lw_path **path);
/// Drop what was begun or found.
void lwi_sliced_search_drop(lw_search *search);

#endif
