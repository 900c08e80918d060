/// Search where metres cost differently but nothing else does: A* over points of portals, their ends and
/// points between them (Steiner points: Lanthier, Maheshwari and Sack 1997). Where exactly a path crosses
/// each portal is settled later by the taut path; the points need only be dense enough to choose the right
/// portals. Ends of portals that meet are one point, from which all polygons round it are entered.
#ifndef LW_SEARCH_POINT_SEARCH_H
#define LW_SEARCH_POINT_SEARCH_H

#include "core/heap.h"
#include "core/vec3.h"
#include "mesh/mesh.h"
#include "search/point_sweep.h"

struct lwi_search;
struct lwi_search_query;

typedef struct lwi_point {
  lw_vec3 at;
  float g;         ///< Cost from the start. [metre-equivalents]
  float rest;      ///< Lower bound on the cost from here to the goal. [metre-equivalents]
  uint32_t parent; ///< Point before it; LWI_NONE: the start.
  uint32_t region; ///< That a straight line leads through from the point before it.
  uint32_t arc;    ///< By which paths leave that region: a portal, or portal_count plus a link's number.
  uint32_t place;  ///< Of the graph of points; LWI_NONE: it is of one portal alone.
  /// Point at the same place that was closed before: this one is for the other regions round the place.
  /// LWI_NONE: it is the first.
  uint32_t before;
  uint32_t first_region; ///< Of `regions`: those round it, noted when another point follows at the place.
  uint32_t region_count;
  bool is_closed;
} lwi_point;

/// The newest point at a place.
typedef struct lwi_point_entry {
  uint32_t stamp; ///< Of the search that wrote it; others are old.
  uint32_t point;
} lwi_point_entry;

/// The points of a portal that is not as it was baked, or of a link.
typedef struct lwi_point_arc {
  uint32_t stamp; ///< Of the search that wrote it; others are old.
  uint32_t first; ///< Point. Where there are none: the portal back, which is as baked and has the same ones.
  uint32_t count; ///< Points.
} lwi_point_arc;

/// What a search has found out about a region.
typedef struct lwi_point_ground {
  uint32_t stamp;   ///< Of the search that wrote it; others are old.
  float price;      ///< INFINITY: closed. [metre-equivalents per metre]
  uint32_t members; ///< Points that it has in the graph of points; 0: its portals are not as they were baked.
} lwi_point_ground;

/// Memory to search in, kept from search to search: a warm one allocates nothing.
typedef struct lwi_point_scratch {
  uint32_t stamp;
  lwi_point_entry *places; ///< [place_count] Of the graph of points.
  uint32_t place_count;
  lwi_point_arc *arcs; ///< [arc_count] Portals that are not as they were baked, and links.
  uint32_t arc_count;
  lwi_point_ground *grounds; ///< [ground_count] By region.
  uint32_t ground_count;
  /// [limit_capacity] By points of polygons, in the order of the graph of points: what the cost of another
  /// path to the point through the polygon must be below, or more. [metre-equivalents]
  float *limits;
  int limit_capacity;
  lwi_point *points; ///< [point_count] The first is the goal.
  int point_count, point_capacity;
  uint32_t *regions; ///< [region_count]
  int region_count, region_capacity;
  lwi_heap open;
  lwi_point_sweep sweep;     ///< From the goal, where there is no table.
  struct lwi_point_run *run; ///< Of lwi_point_search_run(), which may have paused. Owned.
} lwi_point_scratch;

void lwi_point_scratch_free(lwi_point_scratch *scratch, lwi_memory *memory);

/// Leave the steps of a cheap path in search->corridor, as lwi_search_run() does. Its cost must not vary within
/// polygons. It is bounded by a table of its prices, or else by costs from the goal backwards over the points.
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
  const int pieces = (int)(length / LWI_POINT_SPACING) + (length < LWI_POINT_SPACING / 2 ? 1 : 2);
  return pieces < LWI_PIECES_MAX ? pieces : LWI_PIECES_MAX;
}

/// The portal that leads back, nearest to the same ends; LWI_NONE: none does.
/// @param left, right  The ends of portal `k` of the region.
uint32_t lwi_graph_twin(const lwi_graph *graph, uint32_t region, uint32_t k, lw_vec3 left, lw_vec3 right);

#endif
