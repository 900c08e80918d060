/// The occluders' facets joined along their edges to surfaces, to prove what they hide.
///
/// Let S be facets between two convex regions such that every stretch of their edges that a line from one region to the
/// other can touch belongs to an even number of them, and such that none touches a region. Move a line's ends about in the
/// regions: how often it passes through S changes only where it passes over an edge, by an even number. So when one line
/// passes through S an odd number of times, every line does, at least once: nothing is seen of one region from the other.
/// No tolerance is needed: facets share lattice points, so edges are compared as whole numbers.
#ifndef LW_COVER_SURFACE_H
#define LW_COVER_SURFACE_H

#include "cover/lines.h"
#include "cover/occluder.h"
#include "cover/shaft.h"

/// A stretch of an edge, between two places where facets' corners lie on it.
typedef struct lwi_surface_edge {
  lwi_dvec3 a, b;
  uint32_t first; ///< Of the surface's `beside`: the facets that have it. Two and two are one surface;
  uint32_t count; ///< where it is odd, that of the last ends here.
} lwi_surface_edge;

typedef struct lwi_surface_facet {
  lwi_dvec3 corners[LWI_OCCLUDER_CORNERS];
  lwi_dvec3 min, max;
  uint8_t count;
  uint8_t kind;                    ///< lw_cover_kind
  bool bent;                       ///< Not quite flat or convex: from somewhere it looks like two.
  uint32_t first_edge, edge_count; ///< Of the surface's `edges_of`. Soft ones have none.
} lwi_surface_facet;

/// Twice the area, along the normal.
static inline lwi_dvec3 lwi_surface_normal(const lwi_surface_facet *facet) {
  lwi_dvec3 sum = {0, 0, 0};
  for (int i = 2; i < facet->count; i++) {
    lwi_dvec3 n = lwi_dvec3_cross(lwi_dvec3_sub(facet->corners[i - 1], facet->corners[0]),
                                  lwi_dvec3_sub(facet->corners[i], facet->corners[0]));
    sum = (lwi_dvec3){sum.x + n.x, sum.y + n.y, sum.z + n.z};
  }
  return sum;
}
/// The normal at the middle one of three corners, `i` the first. Not of unit length.
static inline lwi_dvec3 lwi_surface_normal_at(const lwi_surface_facet *facet, int i) {
  lwi_dvec3 a = facet->corners[i], b = facet->corners[(i + 1) % facet->count],
            c = facet->corners[(i + 2) % facet->count];
  return lwi_dvec3_cross(lwi_dvec3_sub(b, a), lwi_dvec3_sub(c, b));
}

typedef struct lwi_surface {
  lwi_memory *memory;
  const lwi_occluders *occluders;
  const lwi_lines *lines; ///< Of them.
  uint32_t count;
  int edge_count, edge_capacity, beside_count, beside_capacity;
  lwi_surface_facet *facets; ///< [count] Leaf by leaf.
  uint32_t *first_facet;     ///< [leaf_count + 1] Of each leaf.
  lwi_surface_edge *edges;   ///< [edge_count]
  uint32_t *beside;          ///< [beside_count] Facets.
  uint32_t *edges_of;        ///< [beside_count]
} lwi_surface;

/// @param occluders, lines  Borrowed. @return false: no memory. Free it either way.
bool lwi_surface_make(lwi_surface *surface, const lwi_occluders *occluders, const lwi_lines *lines,
                      lwi_memory *memory);
void lwi_surface_free(lwi_surface *surface);

/// Room for one thread to work in.
typedef struct lwi_surface_room {
  uint32_t *seen;  ///< [count] The try that a facet was last looked at in.
  uint32_t *queue; ///< [LWI_SURFACE_MOST]
  uint32_t tries;
} lwi_surface_room;
#define LWI_SURFACE_MOST 512 ///< A proof by more facets is given up.
bool lwi_surface_room_make(lwi_surface_room *room, const lwi_surface *surface, lwi_memory *memory);
void lwi_surface_room_free(lwi_surface_room *room, const lwi_surface *surface, lwi_memory *memory);

typedef enum lwi_sure { LWI_SURE_UNSURE, LWI_SURE_HIDDEN, LWI_SURE_SEEN } lwi_sure;
/// What is sure of two regions by one line between them: that the line is free of hard cover, or that every one is blocked.
lwi_sure lwi_surface_view(const lwi_surface *surface, const lwi_region *a, const lwi_region *b,
                          lwi_surface_room *room);
/// Does any facet, hard or soft, touch a line between them? Never no where one does.
bool lwi_surface_touches(const lwi_surface *surface, const lwi_region *a, const lwi_region *b);

#endif
