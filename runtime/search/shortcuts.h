/// The off-mesh links that one search may take: what they cost, how much nearer they may bring the goal, and which of them
/// the way to the goal is likely to lead through.
#ifndef LW_SEARCH_SHORTCUTS_H
#define LW_SEARCH_SHORTCUTS_H

#include "cost/profile.h"
#include "mesh/mesh.h"

/// One usable link, as the goal makes it.
typedef struct lwi_shortcut {
  lw_vec3 start;
  float tail;      ///< From its start over the link and on to the goal, at the lowest price. [m]
  float floor;     ///< No such way is shorter; infinity: the link is no shorter than the straight way. [m]
  uint32_t island; ///< That it leaves.
  uint32_t link;   ///< Of the navmesh.
} lwi_shortcut;

/// What is true of a part of the list.
typedef struct lwi_shortcut_part {
  lw_box starts, short_starts; ///< Of all, and of those with a floor.
  float tail, floor;           ///< The least of theirs. [m]
} lwi_shortcut_part;

/// Kept from search to search: no allocation once warm.
typedef struct lwi_shortcuts {
  uint32_t link_count; ///< That `order` is for.
  uint32_t *order;     ///< [link_count] Neighbours in the level are neighbours here.
  int count, capacity;
  lwi_shortcut *list; ///< [count] In that order.
  int leaves, part_capacity;
  lwi_shortcut_part
      *parts; ///< [2 * leaves] A binary tree: 1 is the root, 2i and 2i + 1 halve i, the last `leaves` are
              ///< LWI_SHORTCUT_LEAF neighbours in the list each.
  bool any_short;
  lw_vec3 goal;
  uint32_t goal_island;
} lwi_shortcuts;
#define LWI_SHORTCUT_LEAF 8

/// For a search towards `goal` on polygon `to`. @return false: no memory.
bool lwi_shortcuts_begin(lwi_shortcuts *shortcuts, lwi_memory *memory, const lw_navmesh *mesh,
                         const lwi_prices *prices, lw_vec3 goal, uint32_t to);
void lwi_shortcuts_free(lwi_shortcuts *shortcuts, lwi_memory *memory);

float lwi_shortcuts_bound_over_links(const lwi_shortcuts *shortcuts, lw_vec3 point);
lw_vec3 lwi_shortcuts_aim_at_links(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island);

/// No way from `point` to the goal is shorter, whatever links it takes. [m]
static inline float lwi_shortcuts_bound(const lwi_shortcuts *shortcuts, lw_vec3 point) {
  if (!shortcuts->any_short) return lwi_distance(point, shortcuts->goal);
  return lwi_shortcuts_bound_over_links(shortcuts, point);
}
/// Where the way to the goal is likely to lead first, from `point` on that island: the goal itself or a link's start.
static inline lw_vec3 lwi_shortcuts_aim(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island) {
  /* On the goal's own island links must bring something, on others one of them must be taken. */
  if (island == shortcuts->goal_island && !shortcuts->any_short) return shortcuts->goal;
  return lwi_shortcuts_aim_at_links(shortcuts, point, island);
}

#endif
