/// The arrays of a navmesh's cover. cover/segments.h says how they are found.
#ifndef LW_MESH_COVER_H
#define LW_MESH_COVER_H

#include "core/memory.h"

/// A stretch of wall that someone can stand at. Seen by one who stands there and faces it, `a` is its left end.
typedef struct lwi_cover_segment {
  lw_vec3 a, b;      ///< On the wall's face, at the height of the ground beside it. [m]
  float bottom, top; ///< Of the wall at `a`; along the wall they rise with the ground. [m]
  uint8_t kind;      ///< lw_cover_kind
  uint8_t asked;     ///< Of one that designers asked for (lwi_cover.added): LWI_ASKED_*, or-ed together.
  uint8_t reserved[2];
} lwi_cover_segment;

#define LWI_ASKED_LEFT 1u    ///< For who stands on the left of the way: `a` is where that ends.
#define LWI_ASKED_TOO 2u     ///< The other side of the one before.
#define LWI_ASKED_NOWHERE 4u ///< There is no ground beside it, so it is no segment.

/// Segments that share a box.
#define LWI_COVER_BLOCK 16

/// Where no cover is to be found: a simple polygon between two heights.
typedef struct lwi_cover_veto {
  float bottom, top;                 ///< [m] May be infinite.
  uint32_t first_point, point_count; ///< The vetoes' points lie one behind the other.
} lwi_cover_veto;

typedef struct lwi_cover {
  uint32_t segment_count, veto_count, veto_point_count, added_count;
  uint32_t has_map, map_size;  ///< 1: there is a cover map (cover/map.h); its bytes.
  float map_loss;              ///< What the map loses, as far as was measured. [0..1]
  lwi_cover_segment *segments; ///< [segment_count] Those near each other stand together.
  lw_box *blocks;              ///< [blocks of segment_count] About LWI_COVER_BLOCK segments each. [m]
  lwi_cover_veto *vetoes;      ///< [veto_count] What designers asked for, kept for who joins parts of a bake.
  lw_vec3 *veto_points;        ///< [veto_point_count]
  lwi_cover_segment *added;    ///< [added_count]
  uint32_t *map_first;         ///< [polygon_count + 1] Each polygon's leaves of occluders, as a lwi_leaf_list.
  uint8_t *map_leaves;         ///< [map_size]
} lwi_cover;

static inline uint32_t lwi_cover_blocks(uint32_t segments) {
  return (segments + LWI_COVER_BLOCK - 1) / LWI_COVER_BLOCK;
}

#endif
