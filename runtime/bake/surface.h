/// Surfaces: the occluders' facets joined along their edges, to prove that one region is hidden from another.
///
/// Let S be a set of facets between two convex regions such that every part of their edges that a line between
/// the regions can touch belongs to an even number of facets of S, and such that no facet touches a region.
/// When a line's ends move within the regions, the number of facets of S that it passes through changes only
/// where it crosses an edge, and by an even number. So if one line passes through an odd number of facets,
/// every line passes through at least one: nothing of one region is visible from the other. No tolerance is
/// needed: facets share lattice points, so edges are compared as whole numbers.
#ifndef LW_BAKE_SURFACE_H
#define LW_BAKE_SURFACE_H

#include "bake/sight_lines.h"
#include "sight/occluder.h"
#include "bake/shaft.h"

/// A part of an edge between two points where corners of facets lie on it.
typedef struct lwi_surface_edge {
  lwi_dvec3 a, b;
  uint32_t
      /// Its facets begin here in `beside`. The first and second continue each other, the third and fourth, ...
      first;
  uint32_t count; ///< Their number. If it is odd, the surface of the last facet ends here.
} lwi_surface_edge;

typedef struct lwi_surface_facet {
  lwi_dvec3 corners[LWI_OCCLUDER_CORNERS];
  lwi_dvec3 min, max;
  uint8_t count;
  uint8_t kind;                    ///< lw_cover_kind
  bool bent;                       ///< Not quite flat or convex: a line may pass through it twice.
  uint32_t first_edge, edge_count; ///< Range in `edges_of`. Soft facets have none.
} lwi_surface_facet;

/// The normal, of twice the area's length.
static inline lwi_dvec3 lwi_surface_normal(const lwi_surface_facet *facet) {
  lwi_dvec3 sum = {0, 0, 0};
  for (int i = 2; i < facet->count; i++) {
    lwi_dvec3 n = lwi_dvec3_cross(lwi_dvec3_sub(facet->corners[i - 1], facet->corners[0]),
                                  lwi_dvec3_sub(facet->corners[i], facet->corners[0]));
    sum = (lwi_dvec3){sum.x + n.x, sum.y + n.y, sum.z + n.z};
  }
  return sum;
}
/// The normal at the middle of three corners, of which `i` is the first. Not of unit length.
static inline lwi_dvec3 lwi_surface_normal_at(const lwi_surface_facet *facet, int i) {
  lwi_dvec3 a = facet->corners[i], b = facet->corners[(i + 1) % facet->count],
            c = facet->corners[(i + 2) % facet->count];
  return lwi_dvec3_cross(lwi_dvec3_sub(b, a), lwi_dvec3_sub(c, b));
}

typedef struct lwi_surface {
  lwi_memory *memory;
  const lwi_occluders *occluders;
  const lwi_sight_lines *lines; ///< Of the occluders.
  uint32_t count;
  int edge_count, edge_capacity, beside_count, beside_capacity;
  lwi_surface_facet *facets; ///< [count] BVH leaf by BVH leaf.
  uint32_t *first_facet;     ///< [leaf_count + 1] Where each leaf's facets begin.
  lwi_surface_edge *edges;   ///< [edge_count]
  uint32_t *beside;          ///< [beside_count] Edges, facet by facet.
  uint32_t *edges_of;        ///< [beside_count]
} lwi_surface;

/// @param occluders, lines  Borrowed. @return false: out of memory. Free it either way.
bool lwi_surface_make(lwi_surface *surface, const lwi_occluders *occluders, const lwi_sight_lines *lines,
                      lwi_memory *memory);
void lwi_surface_free(lwi_surface *surface);

/// Scratch memory of one thread.
typedef struct lwi_surface_scratch {
  uint32_t *seen;  ///< [count] The last attempt in which the facet was visited.
  uint32_t *queue; ///< [LWI_SURFACE_MAX]
  uint32_t tries;
} lwi_surface_scratch;
#define LWI_SURFACE_MAX 512 ///< Proofs that need more facets are given up.
bool lwi_surface_scratch_make(lwi_surface_scratch *scratch, const lwi_surface *surface, lwi_memory *memory);
void lwi_surface_scratch_free(lwi_surface_scratch *scratch, const lwi_surface *surface, lwi_memory *memory);

typedef enum lwi_sure { LWI_SURE_UNSURE, LWI_SURE_HIDDEN, LWI_SURE_SEEN } lwi_sure;
/// What one line between two regions proves: SEEN: the line is free of hard cover. HIDDEN: every line is
/// blocked.
lwi_sure lwi_surface_view(const lwi_surface *surface, const lwi_hull *a, const lwi_hull *b,
                          lwi_surface_scratch *scratch);
/// Does any facet, hard or soft, touch a line between the regions? Never false if one does.
bool lwi_surface_touches(const lwi_surface *surface, const lwi_hull *a, const lwi_hull *b);

#endif
