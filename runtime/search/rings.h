/// Dangers on one navmesh, and in the same way fire lanes: which reach into a polygon, and places round them that a way may
/// turn at.
///
/// Round each danger lies a ring: a regular polygon whose sides just miss the danger's disc. Its corners are places to turn
/// at, and so are the points where it crosses portals, so that a way may follow the ring from polygon to polygon.
#ifndef LW_SEARCH_RINGS_H
#define LW_SEARCH_RINGS_H

#include "cost/danger.h"
#include "cost/fire_lane.h"
#include "mesh/mesh.h"

/// Corners of a danger's ring. It is longer than the circle by 1.3 %.
#define LWI_RING_CORNERS 16
/// A lane's: so many on each side, and three at each end.
#define LWI_LANE_SIDE 9

/// A convex polygon to lead ways along.
typedef struct lwi_outline {
  int count;
  lw_vec3 corners[2 * LWI_LANE_SIDE + 6]; ///< In order round it; heights do not matter.
  lw_box box;                             ///< What it is about lies in there.
} lwi_outline;
lwi_outline lwi_disc_outline(const lwi_disc *disc);
lwi_outline lwi_lane_outline(const lwi_lane *lane);

typedef struct lwi_ring_place {
  lw_vec3 point; ///< On the surface of `polygon`, or on its edge.
  uint32_t polygon;
  uint32_t portal; ///< Of the polygon, by which the place is left; LWI_NONE: within it.
  uint32_t danger;
} lwi_ring_place;

/// A danger that reaches into a polygon.
typedef struct lwi_ring {
  uint32_t danger, polygon;
  uint32_t next; ///< Of the same polygon; LWI_NONE: the last.
  uint32_t first_place, place_count;
} lwi_ring;

typedef struct lwi_rings {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  uint32_t
      *heads; ///< [mesh->polygon_count] The polygon's first ring, or LWI_NONE. NULL: there never was a danger.
  lwi_ring *rings;        ///< [ring_count] By danger.
  lwi_ring_place *places; ///< [place_count] By ring.
  int ring_count, ring_capacity, place_count, place_capacity;
} lwi_rings;

/// Add the one with the highest number. @return false: no memory, nothing was added.
bool lwi_rings_add(lwi_rings *rings, uint32_t danger, const lwi_outline *outline);
/// Take one out; those above it move down by one.
void lwi_rings_remove(lwi_rings *rings, uint32_t danger);
void lwi_rings_free(lwi_rings *rings);

/// The dangers as one profile minds them. Borrowed.
typedef struct lwi_dangers {
  const lwi_rings *rings;
  const lwi_disc *discs; ///< [count] By number.
  int count;
  float cost; ///< Of a unit of value. [metre-equivalents, > 0]
} lwi_dangers;

static inline uint32_t lwi_rings_first(const lwi_dangers *dangers, uint32_t polygon) {
  return dangers ? dangers->rings->heads[polygon] : LWI_NONE;
}
/// What entering danger `number` costs. [metre-equivalents]
static inline float lwi_danger_price(const lwi_dangers *dangers, uint32_t number) {
  return dangers->cost * dangers->discs[number].value;
}
/// What a straight piece within a polygon enters, and no such piece enters more. [metre-equivalents] @param dangers  NULL: none.
float lwi_dangers_entered(const lwi_dangers *dangers, uint32_t polygon, lw_vec3 from, lw_vec3 to);
float lwi_dangers_worst(const lwi_dangers *dangers, uint32_t polygon);

/// What a link enters that ends on that polygon: dangers that it ends in and does not begin in. [metre-equivalents]
/// @param dangers  NULL: none.
float lwi_dangers_landed(const lwi_dangers *dangers, uint32_t polygon, lw_vec3 start, lw_vec3 end);
/// Is there a danger on the straight way? @param[out] past  Then: where to aim at to pass the first one on its left and on
/// its right.
bool lwi_dangers_pass(const lwi_dangers *dangers, lw_vec3 from, lw_vec3 to, lw_vec3 past[2]);
/// The places of a ring to turn at for one who stands outside it in the ring's polygon: the outermost to either side that it
/// reaches without entering. LWI_NONE: there is none.
void lwi_ring_turns(const lwi_dangers *dangers, uint32_t ring, lw_vec3 from, uint32_t turns[2]);

/// The fire lanes as one profile minds them. Borrowed.
typedef struct lwi_lanes {
  const lwi_rings *rings;
  const lwi_lane *lanes; ///< [count] By number.
  int count;
  float factor; ///< Of a metre in a lane of weight 1. [metre-equivalents, > 0]
  /// Those that pieces within one polygon may lead through: no others are charged for. NULL: all in the polygon.
  const uint32_t *only; ///< [only_count]
  int only_count;
} lwi_lanes;

static inline uint32_t lwi_lanes_first(const lwi_lanes *lanes, uint32_t polygon) {
  return lanes ? lanes->rings->heads[polygon] : LWI_NONE;
}
/// What a straight piece within a polygon costs for the lanes that it leads through. [metre-equivalents]
float lwi_lanes_price(const lwi_lanes *lanes, uint32_t polygon, lw_vec3 from, lw_vec3 to);
/// No metre in the polygon costs more. [metre-equivalents]
float lwi_lanes_worst(const lwi_lanes *lanes, uint32_t polygon);

#endif
