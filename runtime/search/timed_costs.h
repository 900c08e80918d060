/// What timed regions cost on straight pieces within a polygon, and where to turn to lead round them.
#ifndef LW_SEARCH_TIMED_COSTS_H
#define LW_SEARCH_TIMED_COSTS_H

#include "core/id_pool.h"
#include "search/timed_lists.h"

/// The timed regions of one kind in a world.
typedef struct lwi_timed_set {
  lwi_id_pool ids; ///< In the order they were added.
  /// By slot. Until the end of the step in which a region was added, its strength is 0.
  lwi_timed_shape *shapes;
  int shape_capacity;
  lwi_rectangle_tree tree; ///< Of all regions, by slot.
  float largest;           ///< No region has a larger radius. [m]
} lwi_timed_set;

/// The regions of one kind as one profile minds them. Borrowed.
typedef struct lwi_timed_costs {
  lwi_timed_kind kind;
  const lwi_outline_index *outlines;
  const lwi_timed_shape *regions; ///< By number.
  const lwi_rectangle_tree *tree; ///< Of all regions.
  lwi_timed_scratch *scratch;     ///< Of the workspace.
  /// What a danger of value 1 costs, or a metre in a lane of weight 1. [metre-equivalents, > 0]
  float factor;
  /// The only regions that pieces within one polygon can meet. NULL: all in the polygon.
  const uint32_t *only; ///< [only_count]
  int only_count;
} lwi_timed_costs;

/// The first part in the polygon, or LWI_NONE. @param costs  NULL: no regions.
static inline uint32_t lwi_timed_first(const lwi_timed_costs *costs, uint32_t polygon) {
  if (!costs) return LWI_NONE;
  const lwi_outline_index *outlines = costs->outlines;
  return lwi_outline_in(outlines, outlines->heads[lwi_origin_of(outlines->mesh, polygon)], polygon);
}
static inline uint32_t lwi_timed_next(const lwi_timed_costs *costs, uint32_t part) {
  const lwi_outline_part *parts = costs->outlines->parts;
  return lwi_outline_in(costs->outlines, parts[part].next, parts[part].polygon);
}
/// The region that a part is of.
static inline const lwi_timed_shape *lwi_timed_of(const lwi_timed_costs *costs, uint32_t part) {
  return &costs->regions[costs->outlines->parts[part].region];
}
/// The price of the dangers that a straight piece within a polygon enters. [metre-equivalents] @param dangers
/// NULL: none.
float lwi_dangers_entered(const lwi_timed_costs *dangers, uint32_t polygon, lw_vec3 from, lw_vec3 to);
/// Upper bound on the price of the dangers that a piece within the polygon enters; infinity: more than
/// LWI_TIMED_LIST_MAX reach into it. [metre-equivalents] @param dangers  NULL: none.
float lwi_dangers_worst(const lwi_timed_costs *dangers, uint32_t polygon);
/// Whether the straight line from the first to the last point enters just those dangers that the pieces between
/// them enter, each of which once.
/// @param polygons  [count] Of the pieces. @param points  [count + 1]
bool lwi_dangers_entered_alike(const lwi_timed_costs *dangers, const uint32_t *polygons, const lw_vec3 *points,
                               int count);
/// Is there a danger on the straight line? @param[out] past  If so: where to aim at to pass the first one on
/// its left and on its right.
bool lwi_dangers_pass(const lwi_timed_costs *dangers, lw_vec3 from, lw_vec3 to, lw_vec3 past[2]);
/// The places of an outline to turn at for somebody outside of the region in the part's polygon: the outermost
/// on either side that is reached without entering the region. LWI_NONE: there is none.
void lwi_danger_turns(const lwi_timed_costs *dangers, uint32_t part, lw_vec3 from, uint32_t turns[2]);

/// The price of the lanes that a straight piece within a polygon leads through. [metre-equivalents] @param
/// lanes  NULL: none.
float lwi_lanes_price(const lwi_timed_costs *lanes, uint32_t polygon, lw_vec3 from, lw_vec3 to);

/// No metre in the polygon costs more for lanes. [metre-equivalents] @param lanes  NULL: none.
float lwi_lanes_worst(const lwi_timed_costs *lanes, uint32_t polygon);

/// Outlines of lanes to turn at, at most.
#define LWI_NEAR_LANES 8
/// Lanes that pieces to them can lead through, at most.
#define LWI_CROSSED_LANES 256

/// Of many lanes in one polygon those that matter at one place: asking for the price in all of them takes long,
/// and a path that turns at a lane far away passes a nearer one first.
typedef struct lwi_near_lanes {
  int count;
  uint32_t parts[LWI_NEAR_LANES];  ///< [count] The nearest first.
  float distances[LWI_NEAR_LANES]; ///< [count] From the place. [m]
  lwi_timed_costs crossed; ///< Of all lanes just those that straight pieces to the parts' places can meet.
  uint32_t numbers[LWI_CROSSED_LANES]; ///< Of these.
} lwi_near_lanes;
/// Find the nearest of all lanes in the polygon. @return How many there are in it, LWI_TIMED_LIST_MAX at most.
int lwi_near_lanes_find(lwi_near_lanes *near, const lwi_timed_costs *lanes, uint32_t polygon, lw_vec3 from);
/// @return What pieces from the place to the parts' places pay for: `crossed`, or `lanes` where there are
/// too many.
const lwi_timed_costs *lwi_near_lanes_crossed(lwi_near_lanes *near, const lwi_timed_costs *lanes,
                                              uint32_t polygon, lw_vec3 from);

#endif
