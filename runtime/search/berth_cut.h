/// Cutting a convex polygon between the gate that it is entered by and the one that it is left by.
#ifndef LW_SEARCH_BERTH_CUT_H
#define LW_SEARCH_BERTH_CUT_H

#include "search/berth_path.h"

/// From outline to outline, as one who walks through sees it.
typedef struct lwi_chord {
  lwi_spot left, right;
  double clear0, clear1; ///< What of it is clear of walls, from right to left. [0..1]
} lwi_chord;

/// A polygon on the way.
typedef struct lwi_crossing {
  const lwi_berth *berth;
  uint32_t polygon;
  lwi_chord entry, exit;
  lwi_spot from, to; ///< The piece of the string...
  lwi_spot at, wall; ///< ...and where it comes nearest to a wall.
} lwi_crossing;

/// The line through a point within the polygon along `across` (from right to left), with the clear part about the point.
/// @return LW_OK; LW_NO_POINT: the point is not clear of walls; LW_OUT_OF_MEMORY.
lw_status lwi_berth_line(const lwi_berth *berth, lwi_berth_room *room, uint32_t polygon, lwi_spot point,
                         lwi_spot across, lwi_chord *chord);
/// Cut the polygon between entry and exit, as nearly as can be from `wall` through `at`, and in any case so that some of the
/// outline on either side is before the cut and some behind it. Of several clear parts of the cut it takes one that can be
/// reached from both, the nearest to `at`.
/// @return LW_OK; LW_NO_PATH: none can; LW_OUT_OF_MEMORY.
lw_status lwi_berth_cut(const lwi_crossing *crossing, lwi_berth_room *room, lwi_chord *cut);

#endif
