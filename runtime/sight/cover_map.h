/// Cover maps: for each polygon, the BVH leaves whose occluders matter to an eye above it.
#ifndef LW_SIGHT_COVER_MAP_H
#define LW_SIGHT_COVER_MAP_H

#include "sight/occluder.h"
#include "mesh/mesh.h"

/// Leaves per polygon, at most.
#define LWI_MAP_LEAVES LW_COVER_MAP_CAP

/// A navmesh's cover map.
typedef struct lwi_cover_map {
  uint32_t has, size;             ///< 1: there is a map; bytes of its leaves.
  float loss;                     ///< Mean error of the map's answers, as a part of the segment. [0..1]
  lw_cover_map_criteria criteria; ///< By which leaves are chosen, also without a map.
  uint32_t *first; ///< [polygons.count + 1] Each polygon's leaves of occluders, as a lwi_bvh_leaf_list.
  uint8_t *leaves; ///< [size]
} lwi_cover_map;
#define LWI_COVER_MAP_SLOT 1
static inline const lwi_cover_map *lwi_cover_map_of(const lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_COVER_MAP_SLOT];
}
static inline lwi_cover_map *lwi_cover_map_edit(lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_COVER_MAP_SLOT];
}

/// What a bake takes by itself.
#define LWI_COVER_MAP_CRITERIA                                                                                 \
  { .occlusion = 1, .target = 0.99f, .cap = LW_COVER_MAP_CAP }

static inline lwi_bvh_leaf_list lwi_map_list_of(const uint32_t *first, const uint8_t *bytes, uint32_t polygon) {
  if (first[polygon] == first[polygon + 1]) return (lwi_bvh_leaf_list){NULL, NULL};
  return (lwi_bvh_leaf_list){bytes + first[polygon], bytes + first[polygon + 1]};
}

/// Directions of equal width that count as different.
#define LWI_MAP_DIRECTIONS 16
/// Where the occluders of a leaf are, in xz, seen from a place.
typedef struct lwi_map_place {
  float distance;      ///< Of the nearest point. [m]
  uint32_t directions; ///< In which they lie, a bit each.
} lwi_map_place;
lwi_map_place lwi_map_place_of(const lwi_occluders *occluders, uint32_t leaf, lw_vec3 from);

/// The leaves that the mesh's cover map lists for an eye. @return false: no cover map, or the eye is not above
/// the mesh.
bool lwi_map_leaves(const lw_navmesh *mesh, lw_vec3 eye, lwi_bvh_leaf_list *leaves);
/// The polygon below an eye. @return LWI_NONE: none is near enough.
uint32_t lwi_map_polygon(const lw_navmesh *mesh, lw_vec3 eye);

#endif
