/// Search where metres cost differently but nothing else does: A* over points of portals, their ends and
/// points between them (Steiner points: Lanthier, Maheshwari and Sack 1997). Where exactly a path crosses
/// each portal is settled later by the taut path; the points need only be dense enough to choose the right
/// portals.
#ifndef LW_SEARCH_POINT_SEARCH_H
#define LW_SEARCH_POINT_SEARCH_H

#include "core/heap.h"
#include "core/vec3.h"
#include "mesh/mesh.h"

struct lwi_search;
struct lwi_search_query;

/// A portal in both directions; or a link; or, in a refinement, the lattice of a region: then both regions are
/// that one, and both nodes LWI_NODE_INNER.
typedef struct lwi_transition {
  uint32_t regions[2];   ///< Of a link: that it leaves, that it enters.
  uint32_t nodes[2];     ///< Of the search: from regions[0] into regions[1], and back. LWI_NONE: not that way.
  uint32_t first, count; ///< Of its points.
} lwi_transition;

typedef struct lwi_point {
  lw_vec3 at;
  float g;           ///< Cost from the start. [metre-equivalents]
  float rest;        ///< Lower bound on the cost from here to the goal. [metre-equivalents]
  uint32_t parent;   ///< Point before it; LWI_NONE: the start.
  uint32_t crossing; ///< That it lies on.
  bool is_back;      ///< It was reached through regions[1], and leads into regions[0].
  bool is_closed;
} lwi_point;

/// An arc is a portal or a link: arc i is portal i, then the links follow.
typedef struct lwi_point_arc {
  uint32_t stamp;    ///< Of the search that wrote it; others are old.
  uint32_t crossing; ///< LWI_NONE: it cannot be taken.
} lwi_point_arc;

/// Memory to search in, kept from search to search: a warm one allocates nothing.
typedef struct lwi_point_scratch {
  uint32_t stamp;
  lwi_point_arc *arcs; ///< [arc_count]
  uint32_t arc_count;
  lwi_transition *crossings; ///< [crossing_count]
  int crossing_count, crossing_capacity;
  lwi_point *points; ///< [point_count] The first is the goal.
  int point_count, point_capacity;
  lwi_heap open;
  struct lwi_point_run *run; ///< Of lwi_point_search_run(), which may have paused. Owned.
} lwi_point_scratch;

void lwi_point_scratch_free(lwi_point_scratch *scratch, lwi_memory *memory);

/// Leave the steps of a cheap path in search->corridor, as lwi_search_run() does. Its cost must not vary within
/// polygons, and there must be a table of its prices.
/// @return As lwi_search_run().
lw_status lwi_point_search_run(struct lwi_search *search, const struct lwi_search_query *query);
/// Go on with what has paused.
lw_status lwi_point_search_go_on(struct lwi_search *search);

/// From point to point of a portal [m], and the limit on the pieces of one.
#define LWI_POINT_SPACING 2.0f
#define LWI_PIECES_MAX 10
/// How many pieces the points divide a portal into.
static inline int lwi_portal_pieces(lw_vec3 left, lw_vec3 right) {
  const float length = lwi_distance(left, right);
  const int pieces = (int)(length / LWI_POINT_SPACING) + (length < LWI_POINT_SPACING / 4 ? 1 : 2);
  return pieces < LWI_PIECES_MAX ? pieces : LWI_PIECES_MAX;
}

/// The portal that leads back, nearest to the same ends; LWI_NONE: none does.
/// @param left, right  The ends of portal `k` of the region.
uint32_t lwi_graph_twin(const lwi_graph *graph, uint32_t region, uint32_t k, lw_vec3 left, lw_vec3 right);

#endif
