/// The triangle of an eye and a segment: a fan of lines of sight. Two fans of segments one above the other are measured as
/// one: seen from above both have the same coordinates. All lengths are in quanta of the occluders' lattice.
///
/// Within a fan a place is E + u (A - E) + v (B - E): on the line of sight to parameter v / (u + v) of the segment, at
/// u + v of the way. u and v are read off a map, along whichever axis neither fan is steep to.
#ifndef LW_COVER_FAN_H
#define LW_COVER_FAN_H

#include "core/lanes.h"
#include "cover/occluder.h"

/// Nothing hides what is so near behind it or so near before the eye: surfaces that one stands at. [m]
#define LWI_FAN_NEAR 1e-3f

/// What a place is measured by, a lane each: along the map's axis over the first plane and over the second, u, v.
enum { LWI_OVER, LWI_OVER_TOO, LWI_U, LWI_V };

/// What rises linearly with the place.
typedef struct lwi_measures {
  lwi_double4 x, y, z; ///< A quantum.
  lwi_double4 eye;     ///< At the lattice's origin, less this: what is there, seen from the eye.
} lwi_measures;

/// One of them, on the map: the same in all lanes, for four boxes at a time.
typedef struct lwi_map_slope {
  lwi_float4 p, q;
} lwi_map_slope;

/// What four boxes can hide.
typedef struct lwi_boxes_met {
  unsigned first, second; ///< Bits of those that meet each fan.
  float least[4];         ///< No part of the box is nearer, as a part of the way.
  float t0[4], t1[4];     ///< Between these parameters.
} lwi_boxes_met;

typedef struct lwi_fan {
  unsigned planes;            ///< Bit 0: the first, bit 1: the second.
  float nearest, furthest[2]; ///< Parts of the way between which things hide.
  lwi_measures exact;
  lwi_float4 x, y, z; ///< The same, rounded.
  void (*meet)(const struct lwi_fan *fan, const lwi_occluder_node *node, lwi_boxes_met *met);
  /* For boxes. */
  lwi_int4 eye;
  lwi_float4 eye_rest;
  lwi_map_slope over[2], over_size, u, v, u_size, v_size, w_size;
  lwi_float4 over_slack, slack;   ///< What boxes are rounded by.
  lwi_float4 middle[3], reach[3]; ///< Of the box about the triangles: p, q, along the axis.
} lwi_fan;

/// @return false: there is no fan: the eye within a millimetre of the segment's line, or the segment a point.
bool lwi_fan_make(lwi_fan *fan, const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to);
/// Two, of a segment raised to either height. @return false: one is none, or too steep to be measured with the other.
bool lwi_fan_make_two(lwi_fan *fan, const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                      const float heights[2]);

#endif
