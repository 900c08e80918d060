/// Inside a distance field.
#ifndef LW_QUERY_DISTANCE_FIELD_H
#define LW_QUERY_DISTANCE_FIELD_H

#include "leeward/distance_field.h"
#include "query/field.h"
#include "query/scene.h"

struct lw_distance_field {
  lwi_memory memory;
  const lwi_scene *scene;
  lw_distance_field_def def; ///< `goals` are `wanted`.
  lw_vec3 *wanted;           ///< [def.goal_count]
  lwi_prices prices;         ///< It was computed by.
  int navmesh;               ///< World index; -1: no goal has a place.
  lwi_field field;
  lwi_field_goal *goals; ///< [def.goal_count] Those that have a place.

  /* The world as it was. */
  const lw_navmesh *base;
  uint64_t version;                         ///< Of the live navmesh.
  uint64_t timed_versions[LWI_TIMED_KINDS]; ///< Of the outlines of timed regions.
  bool pays[LWI_TIMED_KINDS];               ///< Some of them cost these agents something.
};

/// @return Whether a definition is valid.
bool lwi_distance_field_check(const lwi_scene *scene, const lw_distance_field_def *def);
/// A field that is not computed yet. @return Freed by lw_distance_field_destroy(); NULL: no memory.
lw_distance_field *lwi_distance_field_make(const lwi_scene *scene, const lw_distance_field_def *def);
/// Replace the first goal, before it is computed again.
void lwi_distance_field_set_goal(lw_distance_field *field, lw_vec3 goal);
/// Free what was computed, but not what it knows of the world as it was.
void lwi_distance_field_forget(lw_distance_field *field);
/// Have timed regions that cost its agents something come or gone, or has their visibility changed?
bool lwi_distance_field_pays_otherwise(const lw_distance_field *field);
/// Compute it again, stale or not. @return As lw_distance_field_refresh().
lw_status lwi_distance_field_compute(lw_distance_field *field, lw_workspace *workspace);

#endif
