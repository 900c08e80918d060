/// Reading the occluders' tree: nodes' boxes and leaves' facets, relative to an eye.
#ifndef LW_COVER_LEAF_H
#define LW_COVER_LEAF_H

#include "core/lanes.h"
#include "leeward/geometry.h"
#include "mesh/occluders.h"

/// Four numbers for each of three axes.
typedef struct lwi_lane_vec3 {
  lwi_float4 x, y, z;
} lwi_lane_vec3;

/// @param eye  Relative to the occluders' origin, as below.
static inline lw_vec3 lwi_place_of_quanta(const lwi_occluders *occluders, const int32_t at[3], lw_vec3 eye) {
  const double quantum = (double)occluders->quantum;
  return (lw_vec3){(float)(at[0] * quantum - eye.x), (float)(at[1] * quantum - eye.y),
                   (float)(at[2] * quantum - eye.z)};
}

/// The boxes of a node's children.
static inline void lwi_node_boxes(const lwi_occluders *occluders, const lwi_occluder_node *node, lw_vec3 eye,
                                  lwi_lane_vec3 *low, lwi_lane_vec3 *high) {
  const lw_vec3 base = lwi_place_of_quanta(occluders, node->origin, eye);
  const lwi_float4 x = lwi_all4((float)node->step[0] * occluders->quantum),
                   y = lwi_all4((float)node->step[1] * occluders->quantum),
                   z = lwi_all4((float)node->step[2] * occluders->quantum);
  low->x = lwi_all4(base.x) + lwi_bytes4(node->min[0]) * x;
  low->y = lwi_all4(base.y) + lwi_bytes4(node->min[1]) * y;
  low->z = lwi_all4(base.z) + lwi_bytes4(node->min[2]) * z;
  high->x = lwi_all4(base.x) + lwi_bytes4(node->max[0]) * x;
  high->y = lwi_all4(base.y) + lwi_bytes4(node->max[1]) * y;
  high->z = lwi_all4(base.z) + lwi_bytes4(node->max[2]) * z;
}

/// A leaf that is being read. Its corners count from one of them, for numbers that are small are exact.
typedef struct lwi_leaf {
  const uint8_t *at;        ///< The next facet's numbers.
  const uint16_t *vertices; ///< From its first.
  const uint16_t *middle;   ///< The vertex that its corners count from,
  lw_vec3 base;             ///< and where that is, relative to the eye,
  double place[3];          ///< the same to the last digit.
  bool done;
} lwi_leaf;

typedef struct lwi_leaf_facet {
  const uint8_t *corners; ///< [count] Vertices, from the leaf's first.
  uint32_t count;
  uint8_t kind; ///< lw_cover_kind
} lwi_leaf_facet;

/// @param number  Of the leaf; of a node's child without LWI_OCCLUDER_LEAF.
static inline lwi_leaf lwi_leaf_open(const lwi_occluders *occluders, uint32_t number, lw_vec3 eye) {
  const uint8_t *at = occluders->numbers + occluders->leaves[number];
  const lwi_occluder_block *block = &occluders->blocks[LWI_LEAF_BLOCK(at)];
  const uint16_t *vertices = occluders->vertices + 3 * ((size_t)block->first + LWI_LEAF_FIRST(at)),
                 *middle = vertices + 3 * (size_t)at[LWI_LEAF_HEAD + 1];
  const double quantum = (double)occluders->quantum;
  lwi_leaf leaf = {.at = at + LWI_LEAF_HEAD,
                   .vertices = vertices,
                   .middle = middle,
                   .place = {(block->origin[0] + middle[0]) * quantum - eye.x,
                             (block->origin[1] + middle[1]) * quantum - eye.y,
                             (block->origin[2] + middle[2]) * quantum - eye.z}};
  leaf.base = (lw_vec3){(float)leaf.place[0], (float)leaf.place[1], (float)leaf.place[2]};
  return leaf;
}

/// @return false: there is no more.
static inline bool lwi_leaf_next(lwi_leaf *leaf, lwi_leaf_facet *facet) {
  if (leaf->done) return false;
  const uint32_t first = *leaf->at;
  *facet = (lwi_leaf_facet){leaf->at + 1, first & LWI_FACET_COUNT, (uint8_t)LWI_FACET_KIND(first)};
  leaf->at += 1 + facet->count;
  leaf->done = (first & LWI_FACET_LAST) != 0;
  return true;
}

/// Corners `first` to `first` + 3 relative to the leaf's base; past the last comes the first again.
static inline void lwi_leaf_offsets(const lwi_leaf *leaf, const lwi_leaf_facet *facet, float quantum,
                                    uint32_t first, lwi_lane_vec3 *offsets) {
  lwi_short4 at[4];
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t k = first + i < facet->count ? first + i : 0;
    memcpy(&at[i], leaf->vertices + 3 * (size_t)facet->corners[k], sizeof at[i]); /* and one number more */
  }
  lwi_short8 left = __builtin_shufflevector(at[0], at[1], 0, 4, 1, 5, 2, 6, 3, 7);
  lwi_short8 right = __builtin_shufflevector(at[2], at[3], 0, 4, 1, 5, 2, 6, 3, 7);
  lwi_short4 x = __builtin_shufflevector(left, right, 0, 1, 8, 9),
             y = __builtin_shufflevector(left, right, 2, 3, 10, 11),
             z = __builtin_shufflevector(left, right, 4, 5, 12, 13);
  const uint16_t *middle = leaf->middle;
  const lwi_float4 q = lwi_all4(quantum);
  offsets->x = lwi_float_of_int4(lwi_int_of_short4(x) - (int32_t)middle[0]) * q;
  offsets->y = lwi_float_of_int4(lwi_int_of_short4(y) - (int32_t)middle[1]) * q;
  offsets->z = lwi_float_of_int4(lwi_int_of_short4(z) - (int32_t)middle[2]) * q;
}

/// The same relative to the eye.
static inline void lwi_leaf_corners(const lwi_leaf *leaf, const lwi_leaf_facet *facet, float quantum,
                                    uint32_t first, lwi_lane_vec3 *corners) {
  lwi_leaf_offsets(leaf, facet, quantum, first, corners);
  corners->x += lwi_all4(leaf->base.x);
  corners->y += lwi_all4(leaf->base.y);
  corners->z += lwi_all4(leaf->base.z);
}

#endif
