/// Making the cover map of a navmesh (sight/cover_map.h).
#ifndef LW_BAKE_COVER_MAP_MAKE_H
#define LW_BAKE_COVER_MAP_MAKE_H

#include "bake/sight_lines.h"
#include "sight/cover_map.h"

typedef struct lwi_map_bytes {
  uint8_t *items; ///< [count]
  int count, capacity;
} lwi_map_bytes;

/// A cover map under construction. Begin with zeros and `memory`.
typedef struct lwi_map_list {
  lwi_memory *memory;
  uint32_t *first; ///< [polygon_count + 1]
  lwi_map_bytes bytes;
} lwi_map_list;

/// Choose BVH leaves for each polygon: those that hide most of what is hidden from there, until little is left.
/// The same for any number of threads. @return false: out of memory. Free it either way.
bool lwi_map_make(lwi_map_list *map, const lwi_sight_lines *lines, const lw_navmesh *mesh, int threads);
void lwi_map_free(lwi_map_list *map, const lw_navmesh *mesh);
/// Renumber its leaves. @param numbers  [leaf_count] Rising. @return false: out of memory.
bool lwi_map_renumber(lwi_map_list *map, const lw_navmesh *mesh, const uint32_t *numbers);
/// Measure the map's loss: the mean difference of the exposed part of segments from the exact one.
/// @param[out] loss  [0..1] @return false: out of memory.
bool lwi_map_measure(const lwi_map_list *map, const lwi_occluders *occluders, const lw_navmesh *mesh,
                     int threads, float *loss);

#endif
