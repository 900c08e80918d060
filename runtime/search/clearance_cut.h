/// Cutting a convex polygon between the portal that it is entered by and the one that it is left by.
#ifndef LW_SEARCH_CLEARANCE_CUT_H
#define LW_SEARCH_CLEARANCE_CUT_H

#include "mesh/clearance.h"

/// A line across a polygon from outline to outline, as seen on crossing it.
typedef struct lwi_cut {
  lwi_point2 left, right;
  double clear0, clear1; ///< Its part that is clear of walls, from right to left. [0..1]
} lwi_cut;

/// A polygon that a path crosses.
typedef struct lwi_crossing {
  const lwi_clearance *clearance;
  uint32_t polygon;
  lwi_cut entry, exit;
  lwi_point2 from, to; ///< The piece of the path.
  lwi_point2 at, wall; ///< Where it comes nearest to a wall, and the nearest point of that wall.
} lwi_crossing;

/// Scratch, kept from cut to cut. Begin with zeros and `memory`.
typedef struct lwi_cut_scratch {
  lwi_memory *memory;
  lwi_point2 *corners, *slab;
  uint32_t *labels;
  lwi_edge_interval *intervals; ///< Clear parts of both ends of the slab.
  lwi_edge_interval *clear;     ///< Clear parts of the cut.
  int corner_capacity, slab_capacity, label_capacity, interval_capacity, clear_capacity;
  lwi_region_scratch region;
} lwi_cut_scratch;
void lwi_cut_scratch_free(lwi_cut_scratch *scratch);

/// The line through a point within the polygon along `across` (from right to left), with the clear part about
/// the point.
/// @return LW_OK; LW_NO_POINT: the point is not clear of walls; LW_OUT_OF_MEMORY.
lw_status lwi_cut_line(const lwi_clearance *clearance, lwi_cut_scratch *scratch, uint32_t polygon,
                       lwi_point2 point, lwi_point2 across, lwi_cut *line);
/// Cut the polygon between entry and exit, from near `wall` through `at`. Of several clear parts it takes the
/// nearest to `at` that can be reached from both entry and exit. @return LW_OK; LW_NO_PATH: there is none;
/// LW_OUT_OF_MEMORY.
lw_status lwi_cut_polygon(const lwi_crossing *crossing, lwi_cut_scratch *scratch, lwi_cut *cut);

#endif
