/// What can be reached from where by agents with one filter: ground that portals join, and off-mesh links between, most
/// of them one-way. Places from which each can reach the other bear one label; which label reaches which is a bitset.
#ifndef LW_SEARCH_REACH_H
#define LW_SEARCH_REACH_H

#include "mesh/mesh.h"

typedef struct lwi_reach {
  uint32_t *labels;      ///< [polygon_count] LWI_NONE where the filter does not pass.
  uint32_t linked_count; ///< Labels below it are left or entered by links; the others reach themselves alone.
  uint32_t row_words;    ///< Of the closure.
  uint64_t *closure;     ///< [linked_count * row_words] Row `from`: a bit for each label that it reaches.
} lwi_reach;

/// Can one get from polygons labelled `from` to those labelled `to`?
static inline bool lwi_reaches(const lwi_reach *reach, uint32_t from, uint32_t to) {
  if (from == to) return from != LWI_NONE;
  if (from >= reach->linked_count || to >= reach->linked_count) return false;
  return reach->closure[(size_t)from * reach->row_words + (to >> 6)] >> (to & 63) & 1;
}

/// @return false: no memory, and nothing is held.
bool lwi_reach_make(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter);
void lwi_reach_free(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh);

#endif
