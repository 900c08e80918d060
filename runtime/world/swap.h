/// Swapping one of a world's navmeshes for another.
#ifndef LW_WORLD_SWAP_H
#define LW_WORLD_SWAP_H

#include "links/inter_links.h"
#include "query/nav_swap.h"
#include "world/world.h"

/* --- links.c ---------------------------------------------------------------------------------------------- */

/// How many permutations bar links of that name.
uint32_t lwi_link_count_bars(const lw_world *world, const char *name);
/// A link that a navmesh was baked with.
typedef struct lwi_baked_link {
  uint32_t request;
  uint32_t numbers[2]; ///< In the live navmesh, there and back; LWI_NONE: it has none.
  uint32_t slot;       ///< LWI_NO_SLOT: it is not listed.
} lwi_baked_link;
uint32_t lwi_baked_links_count(const lw_navmesh *base);
/// @param[out] links  [lwi_baked_links_count()] The caller frees them. @return false: no memory.
bool lwi_baked_links_make(const lw_navmesh *base, lwi_memory *memory, lwi_baked_link **links);
/// Give them the ids of their slots in a live navmesh. @return false: no memory.
bool lwi_baked_links_name(lw_world *world, lwi_live *live, const lw_navmesh *base, const lwi_baked_link *links);
/// List one in a slot of its own. @return false: no memory.
bool lwi_link_list_baked(lw_world *world, const lw_navmesh *base, int navmesh, lwi_baked_link *baked);
/// List a link that was not added. @return false: no memory.
bool lwi_link_list_fixed(lw_world *world, lwi_link_entry entry, const lw_link_def *def);

/* --- swap.c and swap_links.c ------------------------------------------------------------------------------ */

/// Let navmeshes be swapped that were set. @return false: no memory, and the next call tries again.
bool lwi_world_swap(lw_world *world);

/// A link between navmeshes that has joined.
typedef struct lwi_between_link {
  uint32_t index; ///< In lwi_inter_links.links.
  uint32_t slot;
} lwi_between_link;

/// What becomes of links. Begin with lwi_links_swap_begin(), end with lwi_links_swap_free() in any case.
typedef struct lwi_links_swap {
  int navmesh;
  const lw_navmesh *to;
  const lw_navmesh *meshes[LW_NAVMESHES_MAX]; ///< As they are baked, with the new one,
  lwi_inter_links_def places;                 ///< which this names.
  lwi_hash_index known;                       ///< Slots of links that were not matched, by what was asked for.
  lwi_baked_link *baked;                      ///< [baked_count] Of the new navmesh.
  uint32_t baked_count;
  lwi_inter_links between;         ///< To be.
  lwi_between_link *between_links; ///< [between_count] By number.
  int between_count;
  uint32_t *listed; ///< [listed_count] Slots of new links.
  int listed_count;
  lwi_added_link *added; ///< [added_count] As they lie then, in the order of their slots.
  int added_count, added_capacity;
  uint32_t *by_rank; ///< [fixed] To be.
  int fixed;
  bool is_done;
  size_t listed_size, between_size, added_size;
} lwi_links_swap;

/// Give links to the new live navmesh. @return false: no memory.
bool lwi_links_swap_begin(lwi_links_swap *swap, lw_world *world, const lwi_nav_swap *nav);
/// After lwi_nav_swap_make().
void lwi_links_swap_make(lwi_links_swap *swap, lw_world *world);
void lwi_links_swap_free(lwi_links_swap *swap, lw_world *world);

/// Take agents along, before the swap: where they stand and what they follow. Paths over tiles that change
/// are searched again.
void lwi_agents_swap(lw_world *world, const lwi_nav_swap *swap);

#endif
