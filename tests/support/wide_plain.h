/// A plain of few wide polygons, as nobody bakes but some make by hand: wide ones are split while they are cut.
#ifndef LW_TESTS_WIDE_PLAIN_H
#define LW_TESTS_WIDE_PLAIN_H

#include "leeward/navmesh.h"

/// A polygon of 6 corners, 130 m wide, in a ring of 12 polygons whose edges are half as long as its own, and
/// outside of these long triangles. All is on one slope. The caller frees it; a test fails on an error.
lw_navmesh *support_wide_plain(const lw_area_table *areas);

#endif
