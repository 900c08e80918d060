/// Reading the occluders' BVH: the nodes' boxes and the facets of BVH leaves, relative to an eye.
#ifndef LW_SIGHT_BVH_H
#define LW_SIGHT_BVH_H

#include "core/simd.h"
#include "leeward/geometry.h"
#include "sight/occluder.h"

/// Four points.
typedef struct lwi_vec3x4 {
  lwi_float4 x, y, z;
} lwi_vec3x4;

/// A lattice point, relative to an eye. @param eye  Relative to the occluders' origin, as in all functions
/// below.
static inline lw_vec3 lwi_place_of_quanta(const lwi_occluders *occluders, const int32_t at[3], lw_vec3 eye) {
  const double quantum = (double)occluders->quantum;
  return (lw_vec3){(float)(at[0] * quantum - eye.x), (float)(at[1] * quantum - eye.y),
                   (float)(at[2] * quantum - eye.z)};
}

/// The boxes of a node's children.
static inline void lwi_node_boxes(const lwi_occluders *occluders, const lwi_occluder_node *node, lw_vec3 eye,
                                  lwi_vec3x4 *low, lwi_vec3x4 *high) {
  const lw_vec3 base = lwi_place_of_quanta(occluders, node->origin, eye);
  const lwi_float4 x = lwi_splat4((float)node->step[0] * occluders->quantum),
                   y = lwi_splat4((float)node->step[1] * occluders->quantum),
                   z = lwi_splat4((float)node->step[2] * occluders->quantum);
  low->x = lwi_mul_add4(lwi_load_bytes4(node->min[0]), x, lwi_splat4(base.x));
  low->y = lwi_mul_add4(lwi_load_bytes4(node->min[1]), y, lwi_splat4(base.y));
  low->z = lwi_mul_add4(lwi_load_bytes4(node->min[2]), z, lwi_splat4(base.z));
  high->x = lwi_mul_add4(lwi_load_bytes4(node->max[0]), x, lwi_splat4(base.x));
  high->y = lwi_mul_add4(lwi_load_bytes4(node->max[1]), y, lwi_splat4(base.y));
  high->z = lwi_mul_add4(lwi_load_bytes4(node->max[2]), z, lwi_splat4(base.z));
}

/// A BVH leaf being read. Corners count from one of its vertices, because floats are exact for small numbers.
typedef struct lwi_bvh_leaf {
  const uint8_t *at;        ///< The next facet's numbers.
  const uint16_t *vertices; ///< The leaf's vertices.
  const uint16_t *middle;   ///< The vertex that corners count from.
  lw_vec3 base;             ///< Where `middle` is, relative to the eye. [m]
  double place[3];          ///< The same in doubles. [m]
  bool done;
} lwi_bvh_leaf;

typedef struct lwi_bvh_leaf_facet {
  const uint8_t *corners; ///< [count] Vertices of the leaf.
  uint32_t count;
  uint8_t kind; ///< lw_cover_kind
} lwi_bvh_leaf_facet;

/// @param number  The BVH leaf's number: a node's child without LWI_OCCLUDER_BVH_LEAF.
static inline lwi_bvh_leaf lwi_bvh_leaf_open(const lwi_occluders *occluders, uint32_t number, lw_vec3 eye) {
  const uint8_t *at = occluders->numbers + occluders->leaves[number];
  const lwi_occluder_block *block = &occluders->blocks[LWI_BVH_LEAF_BLOCK(at)];
  const uint16_t *vertices = occluders->vertices + 3 * ((size_t)block->first + LWI_BVH_LEAF_FIRST(at)),
                 *middle = vertices + 3 * (size_t)at[LWI_BVH_LEAF_HEAD + 1];
  const double quantum = (double)occluders->quantum;
  lwi_bvh_leaf leaf = {.at = at + LWI_BVH_LEAF_HEAD,
                       .vertices = vertices,
                       .middle = middle,
                       .place = {(block->origin[0] + middle[0]) * quantum - eye.x,
                                 (block->origin[1] + middle[1]) * quantum - eye.y,
                                 (block->origin[2] + middle[2]) * quantum - eye.z}};
  leaf.base = (lw_vec3){(float)leaf.place[0], (float)leaf.place[1], (float)leaf.place[2]};
  return leaf;
}

/// @return false: there are no more facets.
static inline bool lwi_bvh_leaf_next(lwi_bvh_leaf *leaf, lwi_bvh_leaf_facet *facet) {
  if (leaf->done) return false;
  const uint32_t first = *leaf->at;
  *facet = (lwi_bvh_leaf_facet){leaf->at + 1, first & LWI_FACET_COUNT, (uint8_t)LWI_FACET_KIND(first)};
  leaf->at += 1 + facet->count;
  leaf->done = (first & LWI_FACET_LAST) != 0;
  return true;
}

/// Corners `first` to `first` + 3 relative to the leaf's base. Behind the last corner the first is repeated.
static inline void lwi_bvh_leaf_offsets(const lwi_bvh_leaf *leaf, const lwi_bvh_leaf_facet *facet,
                                        float quantum, uint32_t first, lwi_vec3x4 *offsets) {
  const uint16_t *vertices[4], *middle = leaf->middle;
  lwi_int4 at[3];
  for (uint32_t i = 0; i < 4; i++)
    vertices[i] = leaf->vertices + 3 * (size_t)facet->corners[first + i < facet->count ? first + i : 0];
  lwi_int_load_columns4(vertices, at);
  const lwi_float4 q = lwi_splat4(quantum);
  offsets->x = lwi_mul4(lwi_float_of_int4(lwi_int_sub4(at[0], lwi_int_splat4(middle[0]))), q);
  offsets->y = lwi_mul4(lwi_float_of_int4(lwi_int_sub4(at[1], lwi_int_splat4(middle[1]))), q);
  offsets->z = lwi_mul4(lwi_float_of_int4(lwi_int_sub4(at[2], lwi_int_splat4(middle[2]))), q);
}

/// Corners relative to the eye.
static inline void lwi_bvh_leaf_corners(const lwi_bvh_leaf *leaf, const lwi_bvh_leaf_facet *facet,
                                        float quantum, uint32_t first, lwi_vec3x4 *corners) {
  lwi_bvh_leaf_offsets(leaf, facet, quantum, first, corners);
  corners->x = lwi_add4(corners->x, lwi_splat4(leaf->base.x));
  corners->y = lwi_add4(corners->y, lwi_splat4(leaf->base.y));
  corners->z = lwi_add4(corners->z, lwi_splat4(leaf->base.z));
}

#endif
