/// Occluders: what blocks sight. Triangles merged into convex polygons, in a tree of boxes, four to a node.
///
/// Corners lie on a lattice that all polygons share, so that neighbours that share corners meet without a crack however far out
/// they are. A corner up to a millimetre off the line between its neighbours is left out: there a crack may be that wide.
#ifndef LW_COVER_OCCLUDER_H
#define LW_COVER_OCCLUDER_H

#include "leeward/cover.h"
#include "mesh/occluders.h"

/// Triangles to see by. All arrays are borrowed for the call.
typedef struct lwi_occluder_source {
  const lw_vec3 *vertices;
  const int *indices; ///< [3 * triangle_count]
  int triangle_count;
  const uint8_t *covers; ///< [triangle_count] lw_cover_kind; LW_COVER_NONE is left out. NULL: all are hard.
  /// Where polygons may be. What is far away may be left out (cover/facet_cut.h). NULL: anywhere, and nothing is left out.
  const lw_box *place;
} lwi_occluder_source;

/// A convex polygon on the lattice.
typedef struct lwi_facet {
  uint32_t corners[LWI_OCCLUDER_CORNERS]; ///< Lattice points' numbers.
  uint8_t count;
  uint8_t kind; ///< lw_cover_kind
} lwi_facet;

/// Facets, and the lattice points that they name.
typedef struct lwi_facets {
  lwi_memory *memory;
  lw_vec3 origin;
  float quantum; ///< From one lattice point to the next. [m]
  int point_count, point_capacity;
  int32_t (*points)[3]; ///< [point_count] In quanta from the origin.
  int count, capacity;
  lwi_facet *facets; ///< [count]
} lwi_facets;

/// Weld the triangles' corners onto the lattice, and merge triangles into convex polygons while these stay flat within a
/// centimetre and have no more than eight corners. @return false: no memory.
bool lwi_facets_make(lwi_facets *facets, const lwi_occluder_source *source, lwi_memory *memory);
void lwi_facets_free(lwi_facets *facets);

/// Build the tree. @return LW_OK, LW_OUT_OF_MEMORY, LW_LIMIT. The caller frees it with lwi_occluders_free().
lw_status lwi_occluders_build(const lwi_occluder_source *source, lwi_memory *memory, lwi_occluders *occluders);
size_t lwi_occluders_bytes(const lwi_occluders *occluders);
void lwi_occluders_free(lwi_occluders *occluders, lwi_memory *memory);
/// Copies of the leaves that are used, without a tree: what is asked of them looks at each.
/// @param numbers  [leaf_count] The copy's number of each leaf, or UINT32_MAX: it is not used. They rise. @return false: no memory.
bool lwi_occluders_thin(const lwi_occluders *occluders, const uint32_t *numbers, lwi_memory *memory,
                        lwi_occluders *thin);

/// A polygon that blocks sight, as the tree holds it.
typedef struct lwi_occluder_facet {
  lw_vec3 corners[LWI_OCCLUDER_CORNERS]; ///< Relative to the occluders' origin. [m]
  uint8_t count;
  uint8_t kind; ///< lw_cover_kind
} lwi_occluder_facet;
/// Where reading them has come to. Begin with zeros.
typedef struct lwi_occluder_cursor {
  uint32_t leaf;
  uint32_t at; ///< Among the numbers; 0: at the leaf's beginning.
} lwi_occluder_cursor;
/// Read them one by one. @return false: there are no more.
bool lwi_occluders_next(const lwi_occluders *occluders, lwi_occluder_cursor *cursor, lwi_occluder_facet *facet);

/// What hides a segment from an eye: a part of it, in parameters 0..1.
typedef struct lwi_interval {
  float t0, t1;
} lwi_interval;

/// Disjoint intervals in order. Begin with zeros and `memory`; they grow as they must.
typedef struct lwi_intervals {
  lwi_memory *memory;
  lwi_interval *items;
  int count, capacity;
} lwi_intervals;

void lwi_intervals_free(lwi_intervals *intervals);
/// Unite with one more. @return false: no memory.
bool lwi_intervals_add(lwi_intervals *intervals, lwi_interval interval);
/// What `of` has not, in place of what was there. @return false: no memory.
bool lwi_intervals_complement(lwi_intervals *intervals, const lwi_intervals *of);
/// Keep what both have. @return false: no memory.
bool lwi_intervals_intersect(lwi_intervals *intervals, const lwi_intervals *with, lwi_intervals *room);
/// How much of 0..1 they cover.
float lwi_intervals_sum(const lwi_intervals *intervals);

/// Which parts of the segment `from`..`to` the occluders hide from `eye`: united with what `hidden` has already.
/// @param soft  Whether mere concealment hides. @return false: no memory.
bool lwi_occluders_clip(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool soft,
                        lwi_intervals *hidden);
/// The same as lwi_occluders_clip(), as if there were no other leaves. @param some  NULL: all.
bool lwi_occluders_clip_some(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                             lw_vec3 from, lw_vec3 to, bool soft, lwi_intervals *hidden);
/// Leaves that hid all of a way lately, 1 more than their numbers; 0: none.
#define LWI_HINT_LEAVES 4
typedef struct lwi_clip_hint {
  uint32_t leaves[LWI_HINT_LEAVES];
} lwi_clip_hint;

/// The same for two heights over the segment at once: for each what it has hidden.
/// @param hint  Looked at first: it makes the answer quicker, never another one. Is changed. NULL: none.
bool lwi_occluders_clip_two(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                            lw_vec3 from, lw_vec3 to, const float heights[2], bool soft, lwi_clip_hint *hint,
                            lwi_intervals hidden[2]);
/// How far one sees from `eye` towards `target`, as a part of the way: 1: as far as that.
float lwi_occluders_ray(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft);
/// The same, as if there were no other leaves. @param some  NULL: all.
float lwi_occluders_ray_some(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                             lw_vec3 target, bool soft);
/// Is there nothing in between? Quicker, for anything will do.
bool lwi_occluders_see(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft);
/// The same past several. @param sets  [count]
bool lwi_sets_see(const lwi_occluders *const *sets, int count, lw_vec3 eye, lw_vec3 target, bool soft);

#endif
