/// Off-mesh links from one of a world's navmeshes to another.
#ifndef LW_LINKS_INTER_LINKS_H
#define LW_LINKS_INTER_LINKS_H

#include "leeward/navmesh.h"
#include "core/memory.h"

/// A joined link, in one direction.
typedef struct lwi_inter_link {
  int from, to;           ///< Indices of navmeshes.
  lw_location start, end; ///< On them.
  float length;           ///< What it counts for. [m, >= 0]
  lw_link_kind kind;
  lw_area_id area; ///< LW_AREA_NONE: priced as the average of both ends.
} lwi_inter_link;

typedef struct lwi_inter_links {
  lw_world_link *links; ///< [link_count] As lw_world_get_link() reports them.
  int link_count, link_capacity;
  /// [count] Those that have joined, by the navmesh that they leave, then as they were added.
  lwi_inter_link *items;
  int count, capacity;
  int *first;     ///< [mesh_count + 1] Of the items that leave each navmesh.
  int mesh_count; ///< Of the world; 0 where nothing was allocated.
} lwi_inter_links;

/// The navmeshes, and the links that were asked for. All is borrowed for the call.
typedef struct lwi_inter_links_def {
  const lw_navmesh *const *meshes; ///< [mesh_count]
  int mesh_count;
  const lw_link_def *links; ///< [link_count]
  int link_count;
} lwi_inter_links_def;

/// Move each link's ends onto the nearest navmeshes, or refuse it with a reason. Begin with zeros.
/// @return false: no memory; free the links all the same.
bool lwi_inter_links_init(lwi_inter_links *links, const lwi_inter_links_def *def, lwi_memory *memory);
void lwi_inter_links_free(lwi_inter_links *links, lwi_memory *memory);

#endif
