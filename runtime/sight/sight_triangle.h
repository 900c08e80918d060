/// Sight triangles: the triangle of an eye and a segment. Two segments of which one lies above the other are
/// measured together: seen from above, both triangles have the same coordinates. Lengths are in quanta of the
/// occluders' lattice.
///
/// A point of the triangle E, A, B is E + u (A - E) + v (B - E): it lies on the line of sight to parameter v /
/// (u + v) of the segment, at u + v of that line's length. u and v are read off a projection along an axis to
/// which neither triangle is steep (the map).
#ifndef LW_SIGHT_SIGHT_TRIANGLE_H
#define LW_SIGHT_SIGHT_TRIANGLE_H

#include "core/simd.h"
#include "sight/occluder.h"

/// Occluders within this distance of the eye or of the segment do not hide it: surfaces that an agent stands
/// at. [m]
#define LWI_SIGHT_TRIANGLE_NEAR 1e-3f
/// Nor do they hide it within this part of the distance, if that is less.
#define LWI_SIGHT_TRIANGLE_BEFORE 1e-3f

/// The measures of a point, by element: height along the map's axis over the first plane, over the second, u,
/// v.
enum { LWI_OVER, LWI_OVER_TOO, LWI_U, LWI_V };

/// The measures as linear functions of a point.
typedef struct lwi_measures {
  lwi_double4 axes[3]; ///< For one quantum along x, y, z.
  lwi_double4 eye;     ///< For the eye: what to subtract from a lattice point's.
} lwi_measures;

/// A linear function on the map. The same in all elements, for four boxes at a time.
typedef struct lwi_map_slope {
  lwi_float4 p, q;
} lwi_map_slope;

/// What four boxes can hide at most.
typedef struct lwi_boxes_met {
  unsigned first, second; ///< Bits of the boxes that meet the first triangle and the second.
  float nearest[4];       ///< The least distance from the eye, as a part of the line of sight.
  float t0[4], t1[4];     ///< The parameters of the segment between which the box can hide.
} lwi_boxes_met;

typedef struct lwi_sight_triangle {
  unsigned planes;            ///< Bit 0: the first triangle, bit 1: the second.
  float nearest, furthest[2]; ///< Occluders hide between these parts of a line of sight.
  lwi_measures exact;
  lwi_float4 axes[3]; ///< `exact.axes`, rounded to floats.
  void (*meet)(const struct lwi_sight_triangle *sight, const lwi_occluder_node *node, lwi_boxes_met *met);
  /* Measures of boxes. */
  lwi_int4 eye;
  lwi_float4 eye_rest;
  lwi_map_slope over[2], over_size, u, v, u_size, v_size, w_size;
  lwi_float4 over_slack, slack; ///< How far boxes are grown against rounding.
  lwi_float4 middle[3],
      reach
          /// Centre and half size of the bounding box of the triangles, along the map's two axes and the third.
          [3];
} lwi_sight_triangle;

/// @return false: the triangle is too slender to be measured in floats, or the segment is a point: see
/// end_on.h.
bool lwi_sight_triangle_make(lwi_sight_triangle *sight, const lwi_occluders *occluders, lw_vec3 eye,
                             lw_vec3 from, lw_vec3 to);
/// Two triangles, of the segment raised to either height. @return false: one does not exist, or is too steep to
/// be measured with the other.
bool lwi_sight_triangle_make_two(lwi_sight_triangle *sight, const lwi_occluders *occluders, lw_vec3 eye,
                                 lw_vec3 from, lw_vec3 to, const float heights[2]);

#endif
