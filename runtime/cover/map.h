/// Cover map: for each polygon the leaves of occluders that matter to an eye above it.
#ifndef LW_COVER_MAP_H
#define LW_COVER_MAP_H

#include "cover/lines.h"
#include "cover/occluder.h"
#include "mesh/mesh.h"

/// Leaves of a polygon at most.
#define LWI_MAP_LEAVES 64

typedef struct lwi_map_bytes {
  uint8_t *items; ///< [count]
  int count, capacity;
} lwi_map_bytes;

/// As it is made. Begin with zeros and `memory`.
typedef struct lwi_map_list {
  lwi_memory *memory;
  uint32_t *first; ///< [polygon_count + 1]
  lwi_map_bytes bytes;
} lwi_map_list;

/// Choose leaves for each polygon: those that hide most of what is hidden from there, until little is left. The same by any
/// number of threads. @return false: no memory. Free it either way.
bool lwi_map_make(lwi_map_list *map, const lwi_lines *lines, const lw_navmesh *mesh, int threads);
void lwi_map_free(lwi_map_list *map, const lw_navmesh *mesh);
/// Write its leaves by other numbers. @param numbers  [leaf_count] They rise. @return false: no memory.
bool lwi_map_renumber(lwi_map_list *map, const lw_navmesh *mesh, const uint32_t *numbers);
/// What a map loses: the mean difference of the exposed part of segments, from what is exact.
/// @param[out] loss  [0..1] @return false: no memory.
bool lwi_map_measure(const lwi_map_list *map, const lwi_occluders *occluders, const lw_navmesh *mesh,
                     int threads, float *loss);

static inline lwi_leaf_list lwi_map_list_of(const uint32_t *first, const uint8_t *bytes, uint32_t polygon) {
  if (first[polygon] == first[polygon + 1]) return (lwi_leaf_list){NULL, NULL};
  return (lwi_leaf_list){bytes + first[polygon], bytes + first[polygon + 1]};
}

/// What the mesh's own map names for an eye. @return false: it has none, or the eye is nowhere above the mesh.
bool lwi_map_leaves(const lw_navmesh *mesh, lw_vec3 eye, lwi_leaf_list *leaves);
/// The polygon that an eye stands above. @return LWI_NONE: none near enough.
uint32_t lwi_map_polygon(const lw_navmesh *mesh, lw_vec3 eye);

#endif
