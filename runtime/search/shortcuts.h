/// The off-mesh links that one search may take: what they cost, how much nearer they may bring the goal, and which of them
/// the way to the goal is likely to lead through.
#ifndef LW_SEARCH_SHORTCUTS_H
#define LW_SEARCH_SHORTCUTS_H

#include "cost/profile.h"
#include "mesh/mesh.h"

/// @return What a metre of the link costs, in metre-equivalents; infinity: these agents cannot take it.
static inline float lwi_link_price(const lw_navmesh *mesh, const lwi_link *link, const lwi_prices *prices) {
  float from = prices->per_metre[mesh->poly_areas[link->from]],
        to = prices->per_metre[mesh->poly_areas[link->to]];
  if (!(prices->filter.links >> link->kind & 1) || from == INFINITY || to == INFINITY) return INFINITY;
  return link->area != LW_AREA_NONE ? prices->per_metre[link->area] : (from + to) / 2;
}

/// One usable link, as the goal makes it.
typedef struct lwi_shortcut {
  lw_vec3 start;
  float tail;      ///< From its start over the link, then straight to the goal, at the lowest price. [m]
  uint32_t island; ///< That it leaves.
  bool is_short;   ///< It costs less than the straight way would at the lowest price.
} lwi_shortcut;

#define LWI_SHORTCUT_BLOCK 16
/// Neighbours in the list, of which mostly all or none are of interest.
typedef struct lwi_shortcut_block {
  lw_box starts, short_starts;
  float tail; ///< The least of theirs. [m]
} lwi_shortcut_block;

/// Kept from search to search: no allocation once warm.
typedef struct lwi_shortcuts {
  int count, capacity, block_capacity;
  lwi_shortcut *list;         ///< [count]
  lwi_shortcut_block *blocks; ///< One for each LWI_SHORTCUT_BLOCK of the list.
  float short_tail;           ///< The least of the short ones'; infinity: none is short. [m]
  lw_vec3 goal;
  uint32_t goal_island;
} lwi_shortcuts;

/// For a search towards `goal` on polygon `to`. @return false: no memory.
bool lwi_shortcuts_begin(lwi_shortcuts *shortcuts, lwi_memory *memory, const lw_navmesh *mesh,
                         const lwi_prices *prices, lw_vec3 goal, uint32_t to);
void lwi_shortcuts_free(lwi_shortcuts *shortcuts, lwi_memory *memory);

float lwi_shortcuts_bound_over_links(const lwi_shortcuts *shortcuts, lw_vec3 point);
lw_vec3 lwi_shortcuts_aim_at_links(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island);

/// No way from `point` to the goal is shorter, whatever links it takes. [m]
static inline float lwi_shortcuts_bound(const lwi_shortcuts *shortcuts, lw_vec3 point) {
  if (shortcuts->short_tail == INFINITY) return lwi_distance(point, shortcuts->goal);
  return lwi_shortcuts_bound_over_links(shortcuts, point);
}
/// Where the way to the goal is likely to lead first, from `point` on that island: the goal itself or a link's start.
static inline lw_vec3 lwi_shortcuts_aim(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island) {
  /* On the goal's own island links must bring something, on others one of them must be taken. */
  if (island == shortcuts->goal_island && shortcuts->short_tail == INFINITY) return shortcuts->goal;
  return lwi_shortcuts_aim_at_links(shortcuts, point, island);
}

#endif
