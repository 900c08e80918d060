/// Another navmesh in the place of one of a world's: all that does not depend on agents. It is prepared beside
/// the old one, so that without memory nothing has changed.
#ifndef LW_QUERY_NAV_SWAP_H
#define LW_QUERY_NAV_SWAP_H

#include "query/scene.h"

/// Begin with lwi_nav_swap_begin(), end with lwi_nav_swap_free() in any case.
typedef struct lwi_nav_swap {
  lwi_nav *nav;
  const lw_navmesh *to; ///< Borrowed.
  lwi_tile_map map;     ///< From the old navmesh to this one.
  lwi_live *live;       ///< Of the new one; after the swap of the old one.
  uint64_t *changed;    ///< [polygons of `to`] lwi_nav.changed to be.
  lwi_outline_index outlines[LWI_TIMED_KINDS];
  bool is_as_seen; ///< What blocks sight is the same.
} lwi_nav_swap;

/// @return false: no memory.
bool lwi_nav_swap_begin(lwi_nav_swap *swap, const lwi_scene *scene, lwi_nav *nav, const lw_navmesh *to,
                        lwi_memory *memory);
/// The new live navmesh has its footprints and links: cut it. @return false: no memory.
bool lwi_nav_swap_cut(lwi_nav_swap *swap, const lwi_scene *scene);
/// Let the world have the new navmesh. Nothing may ask meanwhile. Links are noted as they were baked.
void lwi_nav_swap_make(lwi_nav_swap *swap, lwi_scene *scene, lwi_memory *memory);
void lwi_nav_swap_free(lwi_nav_swap *swap, lwi_memory *memory);

/// The id in the new navmesh of what has that id in the old one. Before the swap. @return 0: nothing has.
lw_poly_id lwi_nav_swap_poly(const lwi_nav_swap *swap, lw_poly_id id);

#endif
