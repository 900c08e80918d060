/// Rounding: every corner of a taut path becomes an arc of the circle that the agent can turn in. The circle
/// holds the corner and touches it from within, so that the arc leads round it on the outer side, and straight
/// lines touch one circle and the next. Corners that are close together share a circle. Where the rounded path
/// does not pass through the portals of the taut one, comes too near to a wall, or leaves cheap ground for
/// expensive ground, the circles beside that place shrink, down to the corners themselves.
#ifndef LW_SEARCH_ROUNDING_H
#define LW_SEARCH_ROUNDING_H

#include "mesh/clearance.h"
#include "search/taut_path.h"

/// A section of a taut path, without links. Borrowed.
typedef struct lwi_round_query {
  const lw_navmesh *mesh;
  const struct lwi_clearance *clearance; ///< Pieces must keep it from walls; NULL: not checked.
  const lwi_prices *prices;              ///< NULL: all ground costs the same.
  const lwi_cost_model *avoids;          ///< No piece may enter its dangers and lanes; NULL: not checked.
  float radius;                          ///< That the agent turns in. [m, > 0]
  int portal_count;
  const lw_vec3 *points;          ///< [portal_count + 2] The start, one on each portal, the end.
  const lwi_portal_ends *portals; ///< [portal_count]
  const uint32_t *polygons;       ///< [portal_count + 1] Of the pieces.
  const bool *keep;               ///< [portal_count + 2] Points that are more than crossings of portals.
  bool turns_anywhere;            ///< It may turn at other points, too.
} lwi_round_query;

/// A point of the rounded section.
typedef struct lwi_round_point {
  lw_vec3 at;           ///< Its height is not the surface's.
  lwi_portal_ends ends; ///< Of its portal; both are `at`: inside a polygon.
  uint32_t polygon;     ///< Behind it.
  bool is_kept;         ///< It is no mere crossing of a portal.
} lwi_round_point;

/// An arc of it, or a corner that stays.
typedef struct lwi_round_arc {
  lwi_point2 begin, end; ///< On the circle, in the order of the path.
  lwi_point2 centre;
  float radius; ///< [m] 0: it turns in place.
  /// The direction from the centre to `begin`, counter-clockwise from +x as seen from above. Not filled in,
  /// nor is `turn`, where it turns in place. [rad]
  float from;
  float turn;      ///< How far it turns; > 0: to the left. [rad]
  bool is_reduced; ///< There was no space for the whole radius.
} lwi_round_arc;

/// A circle that the path turns along.
typedef struct lwi_round_turn {
  int first, last; ///< Corners that it holds.
  int before, next;
  int side;       ///< 1: to the left; -1: to the right.
  bool is_alone;  ///< It shares no circle with others any more.
  bool is_needed; ///< It was left aside before, and there was no space.
  double radius;  ///< 0: the corner itself. [m]
  lwi_point2 centre;
  lwi_point2 enter, leave; ///< Where the straight lines touch it.
  lwi_point2 direction;    ///< Direction of the line behind it.
  int portal;              ///< The next portal where it is entered.
} lwi_round_turn;

/// What a path is long and costs up to a point.
typedef struct lwi_round_sum {
  double length, cost; ///< [m, metre-equivalents]
} lwi_round_sum;

/// Memory to round in, kept from path to path, with the results.
typedef struct lwi_round_scratch {
  lwi_memory *memory;
  int *corners; ///< The start, where it turns, and the end, as points of the query.
  lwi_round_turn *turns;
  lwi_round_sum *sums; ///< Of the taut path, by its points; where prices count.
  int corner_count, corner_capacity, turn_capacity, sum_capacity;
  lwi_round_point *points; ///< Behind the start.
  int point_count, point_capacity;
  lwi_round_arc *arcs; ///< Of all sections since `arc_count` was set to 0.
  int arc_count, arc_capacity;
} lwi_round_scratch;

void lwi_round_scratch_free(lwi_round_scratch *rounding);
/// Smaller turns are no arcs: one degree. [rad]
#define LWI_ARC_TURN_MIN 0.0175F
/// Add a corner that stays as it is. @return false: no memory.
bool lwi_round_add_corner(lwi_round_scratch *rounding, lwi_point2 at);
/// Round a section: fill `points`, and add its arcs. @return false: no memory.
bool lwi_round(lwi_round_scratch *rounding, const lwi_round_query *query);

#endif
