/// What of the ground an obstacle takes up: its convex outline, grown by what agents keep from it.
///
/// Sides move outwards by that distance and meet in mitres, which are at most 0.42 of it too far out. Where two
/// sides turn by more than a right angle the corner is cut off square at that distance instead.
#ifndef LW_MESH_FOOTPRINT_H
#define LW_MESH_FOOTPRINT_H

#include "leeward/area.h"
#include "mesh/cut.h"

/// Corners of an obstacle's outline at most: each may become two.
#define LWI_OUTLINE_CORNERS (LWI_CUT_SIDES / 2)
/// Sides by which a circle is taken.
#define LWI_CIRCLE_SIDES 12

/// What is cut out, or has another area or cost, and the heights that it takes up.
typedef struct lwi_footprint {
  lwi_cut_side sides[LWI_CUT_SIDES]; ///< [count] Counter-clockwise.
  int count;
  float low, high;   ///< [m]
  lwi_cut_mark mark; ///< What becomes of the ground there; none: it is cut out.
  /// Where several mark the same ground, the area of that with the greatest order counts, then number.
  uint64_t order;
} lwi_footprint;
/// Its shape, for as long as it is used.
static inline lwi_cut_shape lwi_footprint_shape(const lwi_footprint *footprint) {
  return lwi_cut_shape_of(footprint->sides, footprint->count);
}

/// The part of a line that is further inside of a shape than 5 mm. @param[out] t0, t1  [0..1]
/// @return false: there is none.
bool lwi_shape_crosses(const lwi_cut_shape *shape, lwi_point2 from, lwi_point2 to, double *t0, double *t1);

/// @param outline  [count] Convex, either way round, 3 to LWI_OUTLINE_CORNERS; corners that make no turn do not
///   count. @param grow  [m, >= 0] @return false: it is not convex, or has no area.
bool lwi_footprint_of_outline(lwi_footprint *footprint, const lwi_point2 *outline, int count, double grow);
/// @param at  The middle of its bottom. @param size  Whole. [m, > 0]
/// @param yaw  About y, counter-clockwise seen from above. [rad]
lwi_footprint lwi_footprint_of_box(lw_vec3 at, lw_vec3 size, float yaw, double grow);
/// @param at  The middle of its bottom. @param radius  [m, > 0]
lwi_footprint lwi_footprint_of_cylinder(lw_vec3 at, float radius, float height, double grow);

#endif
