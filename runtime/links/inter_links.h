/// Off-mesh links from one of a world's navmeshes to another.
#ifndef LW_LINKS_INTER_LINKS_H
#define LW_LINKS_INTER_LINKS_H

#include "leeward/navmesh.h"
#include "core/memory.h"

/// A joined link, in one direction.
typedef struct lwi_inter_link {
  int from, to;                        ///< Indices of navmeshes.
  lw_location start, end;              ///< On them. `poly` is 0 where the ground is cut away.
  uint32_t start_polygon, end_polygon; ///< Of the baked navmeshes.
  float length;                        ///< What it counts for. [m, >= 0]
  lw_link_kind kind;
  lw_area_id area; ///< LW_AREA_NONE: priced as the average of both ends.
  float cost;      ///< Beside its length. [metre-equivalents]
  lw_link_id id;   ///< None: it was given none.
} lwi_inter_link;

/// A joined link, whether it can be taken or not.
typedef struct lwi_joined_link {
  bool is_there, is_bidirectional, is_off;
  lwi_inter_link there, back; ///< In both directions.
} lwi_joined_link;

typedef struct lwi_inter_links {
  lw_world_link *links; ///< [link_count] As lw_world_get_link() reports them.
  int link_count, link_capacity;
  char (*names)[LW_LINK_NAME_MAX + 1]; ///< [name_count] Of lw_world_def.links.
  int name_count;
  /// [count] Those that have joined, by the navmesh that they leave, then as they were added.
  lwi_inter_link *items;
  int count, capacity;
  /// [joined_count] By number: first those of `links` in their order, then those that were added.
  lwi_joined_link *joined;
  int joined_count, joined_capacity;
  bool is_changed; ///< `items` are not those of `joined`.
  int *first;      ///< [mesh_count + 1] Of the items that leave each navmesh.
  int mesh_count;  ///< Of the world; 0 where nothing was allocated.
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
/// Where a link's ends come to lie: on the nearest navmeshes, LW_LINK_ONE_NAVMESH if that is one, or why it has
/// none.
lw_world_link lwi_inter_link_place(const lwi_inter_links_def *in, const lw_link_def *def);
/// Put a link in the place of the one with that number. What is changed takes effect with
/// lwi_inter_links_apply().
/// @param link  LW_LINK_JOINED. @return false: no memory, and nothing has changed.
bool lwi_inter_links_add(lwi_inter_links *links, const lwi_inter_links_def *in, uint32_t number,
                         const lw_world_link *link, lwi_memory *memory);
void lwi_inter_links_remove(lwi_inter_links *links, uint32_t number);
void lwi_inter_links_name(lwi_inter_links *links, uint32_t number, lw_link_id id);
void lwi_inter_links_change(lwi_inter_links *links, uint32_t number, bool is_off, float cost);
/// Make `items` again if links have changed. @return false: no memory, and they are as they were.
bool lwi_inter_links_apply(lwi_inter_links *links, int mesh_count, lwi_memory *memory);
/// Find the polygons at the ends again after navmeshes have changed. @param meshes  [mesh_count] The world's.
void lwi_inter_links_renew(lwi_inter_links *links, const lw_navmesh *const *meshes);
void lwi_inter_links_free(lwi_inter_links *links, lwi_memory *memory);

#endif
