/// Inside a workspace: the scratch memory of every kind of query.
#ifndef LW_QUERY_WORKSPACE_H
#define LW_QUERY_WORKSPACE_H

#include "leeward/workspace.h"
#include "core/hash_index.h"
#include "mesh/outwards.h"
#include "query/blockers.h"
#include "query/cover_points.h"
#include "query/reach_field.h"
#include "query/path_goals.h"
#include "query/random_point.h"
#include "query/scene.h"
#include "search/drive_search.h"
#include "search/path_search.h"
#include "search/price_links.h"
#include "sight/visibility_samples.h"

/// Islands of the navmesh as it was baked on which agents of a profile have no ground left, within one step and
/// while the navmesh does not change.
#define LWI_BARE_ISLANDS_MAX 32
typedef struct lwi_bare_islands {
  uint64_t changes; ///< lwi_scene.changes when they were found,
  uint64_t steps;   ///< and the world's steps: later, another profile may lie at the same address.
  int count;
  struct {
    uint32_t island;
    const void *profile;
  } items[LWI_BARE_ISLANDS_MAX];
} lwi_bare_islands;

/// For questions about one navmesh.
typedef struct lwi_nav_scratch {
  bool ready; ///< The search is initialised.
  lwi_search search;
  lwi_random_scratch random;
  lwi_reach_field field;
  lwi_region_scratch region;
  lwi_outwards outwards;
  lwi_bare_islands bare;
  lw_filter reach_filter; ///< Of `reach`,
  uint64_t reach_version; ///< and the navmesh's.
  /// The last one that lwi_workspace_reach() returned, which stays acquired; NULL: none.
  const lwi_reach *reach;
  /// The last one that lwi_workspace_price_table() returned, which stays acquired; NULL: none.
  const lwi_price_table *price_table;
  lwi_price_links price_links;  ///< Beside that table.
  uint64_t price_links_version; ///< Of the navmesh then, plus 1; 0: they are to be listed.
  lwi_sweep_links added_links;  ///< Of a search without a table.
  lwi_visibility_samples visibility;
  lwi_timed_scratch timed[LWI_TIMED_KINDS];
  lwi_blocker_scratch blockers;
  uint32_t threats_over[LWI_SIGHT_OVER]; ///< The polygons that the threats of the query are over.
} lwi_nav_scratch;

/// What the query that runs knows of a link between navmeshes.
typedef struct lwi_inter_node {
  uint32_t stamp;                    ///< The query that wrote it; older nodes count as new.
  uint32_t start_region, end_region; ///< LWI_NONE: too near to a wall to stand.
  float cost;                        ///< Of taking it; infinity: these agents cannot.
  int leg;                           ///< By which it was first reached; -1: not yet.
  bool explored;                     ///< It is in the queue of what can be reached.
} lwi_inter_node;

/// A path over one navmesh, from the start or the end of a link between navmeshes to the start of another or
/// the goal.
typedef struct lwi_leg {
  int from, to;  ///< Links; `from` -1: the start; `to` the number of links: the goal.
  float g;       ///< Cost up to where it begins; once searched, behind the link that it leads to.
  lw_path *path; ///< Owned; NULL until it is searched.
} lwi_leg;

/// For paths over several navmeshes.
typedef struct lwi_inter_scratch {
  lwi_inter_node *nodes; ///< [node_count]
  int node_count;
  uint32_t stamp;
  /// [queue_count] Links whose end can be reached, each on a part of a navmesh that no other one's end is on.
  int *queue;
  int queue_count, queue_capacity;
  lwi_hash_index queued; ///< Places in `queue` by what of the navmeshes they can reach.
  float *rests; ///< [scene->short_count] From each short link's start over it to the goal at least. [m]
  int rest_capacity;
  lwi_leg *legs; ///< [leg_count]
  int leg_count, leg_capacity;
  lwi_path_part *parts;
  int part_capacity;
  float *seen; ///< What threats see of the links between parts: for each part one for each threat. [m]
  int seen_capacity;
  float *exposed; ///< [threats] Of one piece. [m]
  int exposed_capacity;
  lwi_heap open;
} lwi_inter_scratch;

/// What the workspaces of a world have in common.
typedef struct lwi_workspace_list {
  lwi_mutex lock; ///< For all that follows, and for `next` and `previous` of the workspaces.
  lwi_memory memory;
  lwi_depth_asks asks; ///< Queries of destroyed workspaces outside of steps, since the last step began.
  bool incomplete;     ///< There was no memory for some of `asks`.
} lwi_workspace_list;

struct lw_workspace {
  const lwi_scene *scene;
  bool is_held;       ///< By a search in slices: it answers nothing else.
  uint64_t forgotten; ///< How often lwi_workspaces_forget_navs() was called.
  lwi_memory memory;
  lwi_nav_scratch *navs; ///< [scene->nav_count]
  lwi_path_scratch path;
  lwi_drive_scratch drive;
  lwi_inter_scratch inter;
  lwi_goals_scratch goals;
  lwi_exposure_scratch exposure;
  lwi_cover_scratch cover;
  lwi_prices prices;                     ///< Of the query that runs, where they depend on the place.
  lwi_depth_asks asks[2];                ///< Outside of steps, and inside.
  uint32_t threats_over[LWI_SIGHT_OVER]; ///< The polygons that the threats of an exposure query are over.
  lw_threat *threats;                    ///< For gathering those that one agent knows of.
  int threat_capacity;
  lw_workspace *next, *previous; ///< Of the same world. The list begins with the world's own.
  lwi_workspace_list *list;      ///< Only of a world's own, which owns it.
};

/// @return A world's own workspace, the first in its list. NULL: no memory.
lw_workspace *lwi_workspace_make_own(const lwi_scene *scene);
/// Free a world's own. All others have been destroyed.
void lwi_workspace_free_own(lw_workspace *own);
/// lw_workspace_create().
lw_workspace *lwi_workspace_make(const lwi_scene *scene);
/// @return Bytes that all workspaces of a world hold.
size_t lwi_workspaces_memory(const lwi_scene *scene);

/// @return `workspace`, or the world's own for NULL; NULL: it is of another world, or a search holds it.
lw_workspace *lwi_workspace_of(const lwi_scene *scene, lw_workspace *workspace);
/// @return The scratch for a navmesh; NULL: no memory.
lwi_nav_scratch *lwi_workspace_nav(lw_workspace *workspace, const lwi_nav *nav);
/// Which regions agents with a filter can reach on a navmesh, without a lock where the last call asked the
/// same.
/// @return Valid until the next call for this navmesh, lwi_components_acquire() keeps it for longer. NULL: no
///   memory.
const lwi_reach *lwi_workspace_reach(lw_workspace *workspace, const lwi_nav *nav, const lw_filter *filter);
/// What bounds paths at these prices, which lwi_scene_has_price_table() are for; without a lock where the
/// last call asked the same. @return Valid until the next call for this navmesh; NULL: no memory.
const lwi_price_table *lwi_workspace_price_table(lw_workspace *workspace, const lwi_nav *nav,
                                                 const lwi_prices *prices);
/// The links that were added to the navmesh, beside the table that was returned last.
/// @return Valid until the next such call; NULL: none was added.
const lwi_price_links *lwi_workspace_price_links(lw_workspace *workspace, const lwi_nav *nav);
/// With what to answer what is seen.
lwi_sight lwi_workspace_sight(lw_workspace *workspace);

/// Move what was asked outside of steps, or inside, into the scene's depth cache: at the beginning and the end
/// of a step. No other thread may ask meanwhile.
/// @return false: no memory.
bool lwi_workspaces_count(const lwi_scene *scene, bool inside);
/// Add what was asked outside of steps since the last one began. No other thread may ask meanwhile.
/// @return false: no memory.
bool lwi_workspaces_add_asks(const lwi_scene *scene, lwi_depth_asks *to);
/// Forget what was asked since the last step began.
void lwi_workspaces_forget(const lwi_scene *scene);
/// A navmesh is about to change: forget what is kept about all of them. No other thread may ask meanwhile.
void lwi_workspaces_forget_navs(const lwi_scene *scene);
/// What blocks sight has changed: draw maps again unless it looks the same.
void lwi_workspaces_renew_sight(const lwi_scene *scene, bool is_same);

#endif
