/// The geometry of a path through a sequence of portals: the funnel, the taut path where metres differ in
/// price, and smoothing.
#ifndef LW_SEARCH_TAUT_PATH_H
#define LW_SEARCH_TAUT_PATH_H

#include "leeward/path.h"
#include "search/cost_model.h"

/// The ends of a portal as seen on crossing it.
typedef struct lwi_portal_ends {
  lw_vec3 left, right;
} lwi_portal_ends;

/// A corner of the taut path: a point, and the portal that it lies on.
typedef struct lwi_corner_point {
  lw_vec3 point;
  int portal; ///< -1: the start; the portal count: the goal.
} lwi_corner_point;

/// The shortest path through the portals. @param[out] corners  [portal_count + 2] @return Corners written.
int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_portal_ends *portals, int portal_count,
               lwi_corner_point *corners);

/// Where the straight line from one corner to the next crosses a portal between them. A portal that the line
/// runs along is crossed beside `last`, where the portal before it was crossed: nearly parallel lines may meet
/// anywhere.
lw_vec3 lwi_portal_crossing(lw_vec3 from, lw_vec3 to, lw_vec3 last, const lwi_portal_ends *portal);

/// A sequence of portals to lay the taut path through. Borrowed.
typedef struct lwi_taut_query {
  lw_vec3 from, to;
  int portal_count;
  const lwi_portal_ends *portals; ///< [portal_count]
  /// [portal_count + 1] Of a metre before each portal, and behind the last. NULL: they are all the same.
  const float *prices;
  lw_vec3 *crossings; ///< [portal_count] In: where the search crossed each portal. Overwritten.
  lw_vec3 *best;      ///< [portal_count] Scratch.
  int rounds;         ///< Limit on the rounds of descent.
} lwi_taut_query;
#define LWI_TAUT_ROUNDS 16
#define LWI_TAUT_ROUNDS_FAST 3
static inline int lwi_taut_rounds(lw_quality quality) {
  return quality == LW_QUALITY_FAST ? LWI_TAUT_ROUNDS_FAST : LWI_TAUT_ROUNDS;
}

/// The cheapest path through the portals. @param[out] corners  [portal_count + 2]
/// @return Corners written; each portal where the price changes is one.
int lwi_taut_path(const lwi_taut_query *query, lwi_corner_point *corners);
/// Where the taut path crosses each portal. Where the price changes it crosses at query->crossings.
/// @param[in, out] points  [portal_count + 2] points[0] is the start; points[i + 1] becomes the one on portal
///   i.
void lwi_taut_points(const lwi_taut_query *query, const lwi_corner_point *corners, int corner_count,
                     lw_vec3 *points);

/// A path that is smoothed: points[0] is the start, points[i + 1] lies on portal i, the last is the goal.
/// Borrowed.
typedef struct lwi_smooth_path {
  const lwi_cost_model *cost_model;
  int portal_count;
  const lwi_portal_ends *portals;        ///< [portal_count]
  const uint32_t *polygons;              ///< [portal_count + 1] Of the pieces.
  lw_vec3 *points;                       ///< [portal_count + 2]
  float *costs;                          ///< [portal_count + 1] Of the pieces; written by lwi_smooth_cost().
  bool *dirty;                           ///< [portal_count] Scratch: portals to try again.
  const struct lwi_clearance *clearance; ///< Pieces must keep it from walls; NULL: not checked.
  /// Smoothing ends when threats have been looked at so often, see lwi_exposure_scratch.looks.
  uint64_t looks_end;
} lwi_smooth_path;
/// Whether it has been smoothed as far as it may be.
static inline bool lwi_smooth_is_at_end(const lwi_smooth_path *path) {
  return path->cost_model->watch && path->cost_model->watch->scratch->looks >= path->looks_end;
}

/// The cost of the whole path. @return Negative: no memory.
double lwi_smooth_cost(const lwi_smooth_path *path);
/// Move the points along their portals, one after the other, while that lowers the cost. Requires
/// lwi_smooth_cost().
/// @return false: no memory.
bool lwi_smooth(const lwi_smooth_path *path);
/// Smooth again by another cost model, beside those pieces alone that cost more by it. @return false: no
/// memory.
bool lwi_smooth_again(lwi_smooth_path *path, const lwi_cost_model *cost_model);

#endif
