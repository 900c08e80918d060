/// Agents that stand in the way of another one: a path that is searched for that one pays for each that it
/// leads past so closely that both would touch.
#ifndef LW_QUERY_BLOCKERS_H
#define LW_QUERY_BLOCKERS_H

#include "query/scene.h"
#include "search/path.h"

/// Agents that one search pays for, at most.
#define LWI_BLOCKERS_MAX 16

typedef struct lwi_blocker {
  lw_vec3 at;
  float radius; ///< So near to it a path pays. [m, > 0]
  float price;  ///< [metre-equivalents, > 0]
} lwi_blocker;

typedef struct lwi_blocker_list {
  int count;
  lwi_blocker items[LWI_BLOCKERS_MAX]; ///< [count]
} lwi_blocker_list;

/// Memory of one workspace for them, on one navmesh. Begin with zeros.
typedef struct lwi_blocker_scratch {
  lwi_outline_index outlines;
  lwi_rectangle_tree tree;
  lwi_timed_scratch timed;
  lwi_timed_shape shapes[LWI_BLOCKERS_MAX]; ///< [count]
  int count;
  lwi_timed_costs costs;
} lwi_blocker_scratch;

/// List them as timed regions, which the search then pays for as for any.
/// @param mesh  The live one. @param kind  Of which the search has no others: dangers or fire lanes.
/// @return false: no memory, and none is listed.
bool lwi_blockers_begin(lwi_blocker_scratch *scratch, lwi_memory *memory, const lw_navmesh *mesh,
                        lwi_timed_kind kind, const lwi_blocker_list *list);
void lwi_blockers_free(lwi_blocker_scratch *scratch, lwi_memory *memory);
/// Take out of a path that was found what they cost.
void lwi_blockers_settle(lw_path *path, lwi_timed_kind kind);

#endif
