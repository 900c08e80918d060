/// What can be reached from where by agents with one filter: ground that portals join, and off-mesh links between, most
/// of them one-way. Places from which each can reach the other bear one label; which label reaches which is a bitset.
#ifndef LW_SEARCH_REACH_H
#define LW_SEARCH_REACH_H

#include "mesh/berth.h"

typedef struct lwi_reach {
  lwi_berth *berth;      ///< Owned. NULL: the agents are no larger than the mesh was made for.
  lwi_graph graph;       ///< Of the berth, or of the mesh.
  uint32_t *labels;      ///< [graph.room_count] LWI_NONE where the filter does not pass.
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

/// Can one get from a room labelled `from` into some room of a polygon?
static inline bool lwi_reaches_polygon(const lwi_reach *reach, uint32_t from, uint32_t polygon) {
  for (uint32_t room = polygon; room != LWI_NONE; room = lwi_next_room(&reach->graph, polygon, room))
    if (lwi_reaches(reach, from, reach->labels[room])) return true;
  return false;
}

/// @return false: no memory, and nothing is held.
bool lwi_reach_make(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter);
void lwi_reach_free(lwi_reach *reach, lwi_memory *memory);

#endif
