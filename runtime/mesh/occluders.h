/// The arrays of a navmesh's occluders. cover/occluder.h says what they are for, cover/leaf.h reads them.
#ifndef LW_MESH_OCCLUDERS_H
#define LW_MESH_OCCLUDERS_H

#include "core/memory.h"

#define LWI_OCCLUDER_CORNERS 8
/// Facets of a leaf.
#define LWI_LEAF_FACETS 4
/// A child that is a leaf has this bit; the others are its index.
#define LWI_OCCLUDER_LEAF 0x80000000u
#define LWI_OCCLUDER_NONE UINT32_MAX

/// Four children with their boxes, in steps from a corner of its own, rounded outwards.
typedef struct lwi_occluder_node {
  int32_t origin[3]; ///< In quanta from the occluders' origin.
  uint16_t step[3];  ///< In quanta.
  uint16_t zero;
  uint8_t min[3][4], max[3][4]; ///< Of missing children 255 and 0.
  uint32_t children[4];
} lwi_occluder_node;

/// Where facets' corners count from, and the first of the vertices that they name.
typedef struct lwi_occluder_block {
  int32_t origin[3]; ///< In quanta from the occluders' origin.
  uint32_t first;
} lwi_occluder_block;

/// In a leaf's numbers: its block, and the vertex of the block that its corners count from, two bytes each, the low one first.
#define LWI_LEAF_BLOCK(numbers) ((uint32_t)(numbers)[0] | (uint32_t)(numbers)[1] << 8)
#define LWI_LEAF_FIRST(numbers) ((uint32_t)(numbers)[2] | (uint32_t)(numbers)[3] << 8)
#define LWI_LEAF_HEAD 4
/// In a facet's first number: how many corners, its kind (lw_cover_kind), and whether it is its leaf's last.
#define LWI_FACET_COUNT 0xfu
#define LWI_FACET_KIND(number) ((number) >> 4 & 3)
#define LWI_FACET_LAST 0x80u

/// Numbers of a leaf: its head, then for each facet its first number and its corners, counted from the leaf's first vertex.
typedef struct lwi_occluders {
  lw_vec3 origin; ///< [m]
  float quantum;  ///< [m]
  uint32_t facet_count, node_count, leaf_count, block_count, number_count, vertex_count;
  lwi_occluder_node *nodes;   ///< [node_count] The first is the root. None: only leaves that a map names.
  uint32_t *leaves;           ///< [leaf_count] Where the numbers of each begin; they lie one behind the other.
  lwi_occluder_block *blocks; ///< [block_count]
  uint8_t *numbers;           ///< [number_count]
  uint16_t *vertices;         ///< [3 * vertex_count + 1, so that four numbers can be read at once] In quanta.
} lwi_occluders;

/// How many numbers the vertices take.
static inline uint64_t lwi_occluder_vertex_numbers(uint32_t vertex_count) {
  return vertex_count > 0 ? 3 * (uint64_t)vertex_count + 1 : 0;
}

/// Numbers of leaves, rising: how many are left out before each, 7 bits a byte, the low ones first; all bytes of a number but
/// the last have their high bit set.
typedef struct lwi_leaf_list {
  const uint8_t *at, *end;
} lwi_leaf_list;
/// @param[in,out] leaf  The one before; begin with UINT32_MAX. @return false: there are no more.
static inline bool lwi_leaf_list_next(lwi_leaf_list *list, uint32_t *leaf) {
  uint32_t skip = 0;
  if (list->at == list->end) return false;
  for (int shift = 0; shift < 32; shift += 7) {
    uint8_t byte = *list->at++;
    skip |= (uint32_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80) || list->at == list->end) break;
  }
  *leaf += 1 + skip;
  return true;
}

#endif
