/// The arrays of a navmesh's occluders. cover/occluder.h says what they are for.
#ifndef LW_MESH_OCCLUDERS_H
#define LW_MESH_OCCLUDERS_H

#include "core/memory.h"

#define LWI_OCCLUDER_CORNERS 8
/// Facets of a leaf.
#define LWI_LEAF_FACETS 4
/// A child that is a leaf has this bit; the others are its index.
#define LWI_OCCLUDER_LEAF 0x80000000u
#define LWI_OCCLUDER_NONE UINT32_MAX

/// Four children with their boxes, relative to the origin. [m] Boxes of missing children are empty.
typedef struct lwi_occluder_node {
  float min[3][4], max[3][4];
  uint32_t children[4];
} lwi_occluder_node;

typedef struct lwi_occluder_leaf {
  int32_t origin[3]; ///< In quanta from the origin; numbers of the facets count from here.
  uint32_t first;    ///< Of its numbers.
} lwi_occluder_leaf;

/// Numbers of a leaf: how many facets, then for each its corner count and kind (count | kind << 8) and x of all corners,
/// y of all, z of all, in quanta.
typedef struct lwi_occluders {
  lw_vec3 origin; ///< [m]
  float quantum;  ///< [m]
  uint32_t facet_count, node_count, leaf_count, number_count;
  lwi_occluder_node *nodes;  ///< [node_count] The first is the root. None: only leaves that a map names.
  lwi_occluder_leaf *leaves; ///< [leaf_count]
  uint16_t *numbers;         ///< [number_count]
} lwi_occluders;

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
