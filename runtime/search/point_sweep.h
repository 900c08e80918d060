/// Costs over the points of a navmesh as it was baked (price_tables.h), from some of them on: by label
/// correcting (Dijkstra 1959, with buckets for a heap) over polygons. A polygon whose points became cheaper to
/// reach passes that on to all its other points at once. Links count in both directions, and no portal is too
/// high: that makes costs lower only, and equal both ways. It may pause between any two polygons.
#ifndef LW_SEARCH_POINT_SWEEP_H
#define LW_SEARCH_POINT_SWEEP_H

#include "core/bucket_queue.h"
#include "cost/prices.h"
#include "search/point_graph.h"

/// What is known of a polygon.
typedef struct lwi_sweep_ground {
  uint32_t stamp; ///< Of the sweep that wrote it; others are old.
  float price;    ///< Of the cheapest of its pieces. 0: not asked for yet. [metre-equivalents per metre]
  float key;      ///< For which it waits in `open`; INFINITY: it does not.
} lwi_sweep_ground;

/// Links that a world has added, as it has added them: the points know of none of them.
#define LWI_SWEEP_LINKS_MAX 16
typedef struct lwi_sweep_links {
  int count;
  const lwi_link *items[LWI_SWEEP_LINKS_MAX];
} lwi_sweep_links;

/// Start from {0}.
typedef struct lwi_point_sweep {
  /* Set by the caller: */
  lwi_memory *memory;
  const lwi_point_graph *points;
  const lw_navmesh *mesh; ///< The base of the points, or a live one over it.
  const lwi_prices *prices;
  const lwi_sweep_links *links; ///< NULL: there are none.
  /// The polygon of the one place up to which costs are asked for: others need not be known (A*, Hart, Nilsson
  /// and Raphael 1968). LWI_NONE: all are asked for.
  uint32_t target;
  lw_vec3 toward;    ///< That place.
  float lowest;      ///< Every metre up to there costs at least that; 0: that is not known. [metre-equivalents]
  bool keeps_prices; ///< Sweeps that follow are of the same mesh and prices.

  uint32_t stamp;
  bool has_links;            ///< Of the base.
  lwi_sweep_ground *grounds; ///< [ground_count] By polygon.
  uint32_t ground_count;
  /// [cost_capacity] In the order of `of_polygon`, of polygons that are known: what each point costs.
  /// INFINITY: not reached. [metre-equivalents]
  float *costs;
  uint8_t *waits; ///< [wait_capacity] In that order, 1: the polygon is to pass on what the point costs.
  int cost_capacity, wait_capacity;
  float link_costs[2 * LWI_SWEEP_LINKS_MAX]; ///< Of the starts and the ends of `links`. [metre-equivalents]
  lwi_bucket_queue open; ///< Polygons that wait, by what paths over their points cost more than `min_cost`.
  float min_cost;        ///< What paths up to that place cost, as far as it is known. [metre-equivalents]
  float limit;           ///< Points over which such paths cost as much are left out. [metre-equivalents]
  uint64_t work;         ///< Points that polygons have passed on, in all sweeps.
  bool failed;           ///< Out of memory.
} lwi_point_sweep;

/// Forget what was reached. @param from  Where paths begin; where all costs are asked for, it has no meaning.
/// @param width  Costs that differ by less may come in any order. [metre-equivalents, > 0]
/// @return false: no memory.
bool lwi_point_sweep_begin(lwi_point_sweep *sweep, lw_vec3 from, float width);
/// Begin at a point, or at a place in a polygon.
void lwi_point_sweep_from_point(lwi_point_sweep *sweep, uint32_t point);
void lwi_point_sweep_from(lwi_point_sweep *sweep, uint32_t polygon, lw_vec3 at);
/// Go on until all costs that are asked for are known, or `work` is that much.
/// @return false: it has paused, or failed.
bool lwi_point_sweep_run(lwi_point_sweep *sweep, uint64_t until);
void lwi_point_sweep_free(lwi_point_sweep *sweep, lwi_memory *memory);

/// @return INFINITY: it was not reached. [metre-equivalents]
static inline float lwi_point_sweep_cost(const lwi_point_sweep *sweep, uint32_t point) {
  const uint32_t member = sweep->points->member_of[point];
  return sweep->grounds[sweep->points->pairs[member].polygon].stamp == sweep->stamp ? sweep->costs[member]
                                                                                    : INFINITY;
}
/// Of a place in a polygon where the sweep did not begin.
float lwi_point_sweep_cost_in(const lwi_point_sweep *sweep, uint32_t polygon, lw_vec3 at);

#endif
