/// Is there a short walk over the ground from one place of a navmesh to another? A search over portals that
/// ends at a length, so its work does not depend on the size of the navmesh.
#ifndef LW_BAKE_SHORT_WALK_H
#define LW_BAKE_SHORT_WALK_H

#include "bake/near_ground.h"
#include "core/heap.h"

/// A polygon that the search has reached.
typedef struct lwi_walk_node {
  uint32_t polygon;
  lw_vec3 at;   ///< Where it is entered. [m]
  float length; ///< Up to there. [m]
} lwi_walk_node;

/// Scratch memory of one thread. Begin with zeros and `memory`.
typedef struct lwi_short_walk {
  lwi_memory *memory;
  lwi_walk_node *nodes;
  int count, capacity;
  uint32_t *slots; ///< [slot_count] 1 + a node, by a hash of its polygon; 0: free.
  uint32_t slot_count;
  lwi_heap open;
} lwi_short_walk;

/// @param limit  The greatest length. [m] @param[out] found  Whether there is a walk of at most that length.
/// Portals are crossed at places that shorten each step, not the walk as a whole, so a walk that is little
/// shorter than the limit may be missed.
/// @return false: no memory.
bool lwi_short_walk_find(lwi_short_walk *walk, const lw_navmesh *mesh, const lwi_near_ground ends[2],
                         float limit, bool *found);
void lwi_short_walk_free(lwi_short_walk *walk);

#endif
