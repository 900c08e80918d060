/// Occluders: what blocks sight. Triangles merged into convex polygons (facets), in a BVH of four children a
/// node.
///
/// Corners lie on one lattice, so facets that share corners meet without a crack however far out they lie. A
/// corner up to a millimetre off the line between its neighbours is left out: there a crack may be that wide.
#ifndef LW_SIGHT_OCCLUDER_H
#define LW_SIGHT_OCCLUDER_H

#include "leeward/cover.h"
#include "mesh/mesh.h"

#define LWI_OCCLUDER_CORNERS 8
/// Facets of a leaf, at most.
#define LWI_BVH_LEAF_FACETS 4
/// Bit of a child that is a leaf; the other bits are its index.
#define LWI_OCCLUDER_BVH_LEAF 0x80000000u
#define LWI_OCCLUDER_NONE UINT32_MAX
/// Nodes from the root to a leaf, at most: a bake and the check of a file see to it.
#define LWI_OCCLUDER_LEVELS 42
/// What a descent has still to look at, at most: of each level three, and one.
#define LWI_OCCLUDER_STACK (3 * LWI_OCCLUDER_LEVELS + 1)

/// A node of the BVH: four children and their boxes, in steps from the node's own corner, rounded outwards.
typedef struct lwi_occluder_node {
  int32_t origin[3]; ///< In quanta from the occluders' origin.
  uint16_t step[3];  ///< In quanta.
  uint16_t zero;
  uint8_t min[3][4], max[3][4]; ///< Steps; 255 and 0 for missing children.
  uint32_t children[4];
} lwi_occluder_node;

/// A block of vertices: its origin, and its first vertex.
typedef struct lwi_occluder_block {
  int32_t origin[3]; ///< In quanta from the occluders' origin.
  uint32_t first;
} lwi_occluder_block;

/// The head of a leaf's numbers: its block, and its first vertex within the block, two bytes each, low byte
/// first.
#define LWI_BVH_LEAF_BLOCK(numbers) ((uint32_t)(numbers)[0] | (uint32_t)(numbers)[1] << 8)
#define LWI_BVH_LEAF_FIRST(numbers) ((uint32_t)(numbers)[2] | (uint32_t)(numbers)[3] << 8)
#define LWI_BVH_LEAF_HEAD 4
/// A facet's first number: its corner count, its kind (lw_cover_kind), and whether it is the last of its leaf.
#define LWI_FACET_COUNT 0xfu
#define LWI_FACET_KIND(number) ((number) >> 4 & 3)
#define LWI_FACET_LAST 0x80u

/// A navmesh's occluders. A leaf's numbers are its head, then for each facet its first number and its corners,
/// as offsets from the leaf's first vertex.
typedef struct lwi_occluders {
  lw_vec3 origin; ///< [m]
  float quantum;  ///< [m]
  uint32_t facet_count, node_count, leaf_count, block_count, number_count, vertex_count;
  lwi_occluder_node *nodes;   ///< [node_count] The first is the root. None: only the cover map names leaves.
  uint32_t *leaves;           ///< [leaf_count] Where each leaf's numbers begin, in order.
  lwi_occluder_block *blocks; ///< [block_count]
  uint8_t *numbers;           ///< [number_count]
  uint16_t *vertices;         ///< [3 * vertex_count + 1, so that four numbers can be read at once] In quanta.
} lwi_occluders;

/// @return The length of lwi_occluders.vertices.
static inline uint64_t lwi_occluder_vertex_numbers(uint32_t vertex_count) {
  return vertex_count > 0 ? 3 * (uint64_t)vertex_count + 1 : 0;
}

/// Leaf indices in rising order: of each the number of leaves skipped before it, 7 bits a byte, low bits first,
/// with the high bit set in all bytes but the last.
typedef struct lwi_bvh_leaf_list {
  const uint8_t *at, *end;
} lwi_bvh_leaf_list;
/// @param[in,out] leaf  The previous one; begin with UINT32_MAX. @return false: there are no more.
static inline bool lwi_bvh_leaf_list_next(lwi_bvh_leaf_list *list, uint32_t *leaf) {
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

/// The navmesh's occluders; sight_sections.c describes their sections.
#define LWI_OCCLUDERS_SLOT 0
static inline const lwi_occluders *lwi_occluders_of(const lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_OCCLUDERS_SLOT];
}
static inline lwi_occluders *lwi_occluders_edit(lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_OCCLUDERS_SLOT];
}

/// Are they the same, to the bit?
bool lwi_occluders_are_same(const lwi_occluders *a, const lwi_occluders *b);
/// @return Bytes held.
size_t lwi_occluders_bytes(const lwi_occluders *occluders);
void lwi_occluders_free(lwi_occluders *occluders, lwi_memory *memory);
/// Copy some BVH leaves, without the nodes above them: queries of the copy visit every leaf.
/// @param numbers  [leaf_count] The number of each leaf in the copy, rising, or UINT32_MAX to leave it out.
/// @param[out] thin  Free it with lwi_occluders_free(). @return false: out of memory.
bool lwi_occluders_thin(const lwi_occluders *occluders, const uint32_t *numbers, lwi_memory *memory,
                        lwi_occluders *thin);

typedef struct lwi_occluder_facet {
  lw_vec3 corners[LWI_OCCLUDER_CORNERS]; ///< Relative to the occluders' origin. [m]
  uint8_t count;
  uint8_t kind; ///< lw_cover_kind
} lwi_occluder_facet;
/// A position in the facets. Begin with zeros.
typedef struct lwi_occluder_cursor {
  uint32_t leaf;
  uint32_t at; ///< Offset in the leaf's numbers; 0: the leaf's beginning.
} lwi_occluder_cursor;
/// Read one facet and advance. @return false: there are no more.
bool lwi_occluders_next(const lwi_occluders *occluders, lwi_occluder_cursor *cursor, lwi_occluder_facet *facet);

/* --- intervals -------------------------------------------------------------------------------------------- */

/// Part of a segment, in parameters 0..1.
typedef struct lwi_interval {
  float t0, t1;
} lwi_interval;

/// Disjoint intervals in order. Begin with zeros and `memory`.
typedef struct lwi_intervals {
  lwi_memory *memory;
  lwi_interval *items; ///< [count]
  int count, capacity;
} lwi_intervals;

void lwi_intervals_free(lwi_intervals *intervals);
/// Unite with one interval. @return false: out of memory.
bool lwi_intervals_add(lwi_intervals *intervals, lwi_interval interval);
/// Set to the parts of 0..1 that `of` does not cover. @return false: out of memory.
bool lwi_intervals_complement(lwi_intervals *intervals, const lwi_intervals *of);
/// Keep what `with` covers, too. @return false: out of memory.
bool lwi_intervals_intersect(lwi_intervals *intervals, const lwi_intervals *with, lwi_intervals *scratch);
/// @return The summed lengths. [0..1]
float lwi_intervals_sum(const lwi_intervals *intervals);

/* --- segments --------------------------------------------------------------------------------------------- */

/// A segment seen from an eye.
typedef struct lwi_clip_query {
  const lwi_occluders *occluders;
  const lwi_bvh_leaf_list *some; ///< Only these BVH leaves count. NULL: all.
  lw_vec3 eye, from, to;
  bool soft; ///< Soft cover hides, too.
} lwi_clip_query;

/// Unite `hidden` with the parts of the segment that the occluders hide. @return false: out of memory.
bool lwi_occluders_clip(const lwi_clip_query *query, lwi_intervals *hidden);

/// The BVH leaves that last hid all of a segment, each 1 + its number; 0: none.
#define LWI_HINT_LEAVES 4
typedef struct lwi_clip_hint {
  uint32_t leaves[LWI_HINT_LEAVES];
} lwi_clip_hint;

/// The same for the segment raised to two heights at once.
/// @param hint  Leaves to try first. They make the answer faster and never change it. Updated. NULL: none.
bool lwi_occluders_clip_two(const lwi_clip_query *query, const float heights[2], lwi_clip_hint *hint,
                            lwi_intervals hidden[2]);

/* --- rays ------------------------------------------------------------------------------------------------- */

/// How far the view from `eye` towards `target` reaches. @param soft  Soft cover hides, too.
/// @return As a part of the distance between the two; 1: nothing hides the target.
float lwi_occluders_ray(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft);
/// The same, counting only the BVH leaves `some`. NULL: all.
float lwi_occluders_ray_some(const lwi_occluders *occluders, const lwi_bvh_leaf_list *some, lw_vec3 eye,
                             lw_vec3 target, bool soft);
/// Does nothing hide the target? Faster than lwi_occluders_ray(): any occluder ends the search.
bool lwi_occluders_see(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft);
/// The same through several sets of occluders. @param sets  [count]
bool lwi_sets_see(const lwi_occluders *const *sets, int count, lw_vec3 eye, lw_vec3 target, bool soft);
/// The same, faster where the BVH leaf still hides the target that hid it the last time.
/// @param[in,out] hint  0: none is known. Any value gives the same answer.
bool lwi_sets_see_again(const lwi_occluders *const *sets, int count, lw_vec3 eye, lw_vec3 target, bool soft,
                        uint32_t *hint);

#endif
