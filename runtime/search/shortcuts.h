/// The off-mesh links of one search: lower bounds on the length of what is left, although links may be shorter
/// than the straight line, and where the path to the goal is likely to lead first.
#ifndef LW_SEARCH_SHORTCUTS_H
#define LW_SEARCH_SHORTCUTS_H

#include "cost/profile.h"
#include "mesh/mesh.h"

/// A link that the profile may take, for one goal. It is short when it counts for less than its straight
/// length.
typedef struct lwi_shortcut {
  lw_vec3 start;
  float tail; ///< Lower bound from its start over the link to the goal, at the lowest price. [m]
  /// Lower bound on any path that takes it first of all short links; infinity: it is not short. [m]
  float floor;
  uint32_t island; ///< That it leaves.
  uint32_t link;   ///< Of the navmesh.
} lwi_shortcut;

/// A node of the tree over the links.
typedef struct lwi_shortcut_part {
  lw_box starts, short_starts; ///< Of all links, and of the short ones.
  float tail, floor;           ///< The least of theirs. [m]
} lwi_shortcut_part;

/// Kept from search to search: a warm one allocates nothing.
typedef struct lwi_shortcuts {
  const lw_navmesh *mesh; ///< That `order` is of.
  uint32_t link_count;
  uint64_t version; ///< Of the navmesh.
  /// [link_count] By island, and within one along a space-filling curve, so that neighbours in the level are
  /// neighbours here.
  uint32_t *order;
  int count, capacity;
  lwi_shortcut *list; ///< [count] In that order.
  int leaves, part_capacity;
  /// [2 * leaves] A binary tree: part 1 is the root, 2i and 2i + 1 halve i, and each of the last `leaves` holds
  /// LWI_SHORTCUT_LEAF neighbours of the list.
  lwi_shortcut_part *parts;
  bool any_short;
  lw_vec3 goal;
  uint32_t goal_island;
} lwi_shortcuts;
#define LWI_SHORTCUT_LEAF 8

/// Prepare a search towards `goal` on polygon `to`. @return false: no memory.
bool lwi_shortcuts_begin(lwi_shortcuts *shortcuts, lwi_memory *memory, const lw_navmesh *mesh,
                         const lwi_prices *prices, lw_vec3 goal, uint32_t to);
void lwi_shortcuts_free(lwi_shortcuts *shortcuts, lwi_memory *memory);

float lwi_shortcuts_bound_over_links(const lwi_shortcuts *shortcuts, lw_vec3 point);
lw_vec3 lwi_shortcuts_aim_at_links(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island);

/// Lower bound on the length of any path from `point` to the goal, whatever links it takes. [m]
static inline float lwi_shortcuts_bound(const lwi_shortcuts *shortcuts, lw_vec3 point) {
  if (!shortcuts->any_short) return lwi_distance(point, shortcuts->goal);
  return lwi_shortcuts_bound_over_links(shortcuts, point);
}
/// Where the path from `point` on that island is likely to lead first: the goal, or a link's start.
static inline lw_vec3 lwi_shortcuts_aim(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island) {
  /* On the goal's own island only short links may help; from any other island a link must be taken. */
  if (island == shortcuts->goal_island && !shortcuts->any_short) return shortcuts->goal;
  return lwi_shortcuts_aim_at_links(shortcuts, point, island);
}

#endif
