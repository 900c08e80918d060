/// What a straight piece within one polygon costs, and the record of it that a path keeps. The search, the
/// smoothing and the path's cost breakdown all ask here, so that a new term of the cost is added in this one
/// place.
#ifndef LW_SEARCH_COST_MODEL_H
#define LW_SEARCH_COST_MODEL_H

#include "cost/profile.h"
#include "mesh/mesh.h"
#include "search/timed_costs.h"
#include "sight/visibility_samples.h"

/* --- exposure to threats ---------------------------------------------------------------------------------- */

/// The threats that see a path, and what exposure to them costs. Borrowed.
typedef struct lwi_watch {
  const lw_navmesh *mesh;
  lwi_sight sight;
  /// Samples of what the threats that count most see: the search estimates exposure by them, and the path that
  /// it finds is costed by `sight`, for all threats. NULL: the search too asks `sight`.
  lwi_visibility_samples *visibility;
  lw_exposure_query query; ///< Threats and heights; the ends are set for each piece.
  float factor;            ///< Cost of a weighted exposed metre: cover_bias - 1. [metre-equivalents, >= 0]
  float worst;             ///< Upper bound on what any metre costs for exposure. [metre-equivalents]
  lwi_memory *memory;      ///< Of the scratch.
  lwi_exposure_scratch *scratch;
} lwi_watch;

/// How much of a straight piece threats see.
typedef struct lwi_seen {
  float exposed;     ///< Seen by any threat. [m]
  float *exposed_to; ///< [threat_count] Filled with what each threat sees; NULL: not wanted. [m]
} lwi_seen;

/// Cost of exposure on a straight piece over one polygon. [metre-equivalents]
/// @param approximate  By lwi_watch_estimate(): then `seen` does not say which threat sees how much.
/// @param[out] seen  May be NULL. @return Negative: no memory.
float lwi_watch_cost(const lwi_watch *watch, bool approximate, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                     lwi_seen *seen);
/// Estimated weighted exposure of a metre at a point of a polygon, by the visibility samples. [m/m]
float lwi_watch_seen_at(const lwi_watch *watch, uint32_t polygon, lw_vec3 at);
/// Estimated weighted exposure of a straight piece, by visibility samples along it. [m]
float lwi_watch_seen(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to);
/// What such a metre costs. [metre-equivalents]
float lwi_watch_cost_at(const lwi_watch *watch, uint32_t polygon, lw_vec3 at);
/// An estimate of lwi_watch_cost() by visibility samples along the piece. [metre-equivalents]
float lwi_watch_estimate(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to);

/* --- a piece ---------------------------------------------------------------------------------------------- */

/// All that the cost of a path may depend on. Borrowed.
typedef struct lwi_cost_model {
  const lw_navmesh *mesh;
  const lwi_prices *prices;
  const lwi_watch *watch;                 ///< NULL: exposure costs nothing.
  const lwi_timed_costs *dangers, *lanes; ///< NULL: none.
  /// Those that off-mesh links may meet, also where there is no ground. NULL: none, or there are no links.
  const lwi_timed_costs *link_dangers, *link_lanes;
  float *exposed_to; ///< [threat_count] Filled for each piece: what each threat sees. [m] NULL: not wanted.
  bool approximate;  ///< Exposure is estimated, but on links.
} lwi_cost_model;

/// The cost of a piece by its terms.
typedef struct lwi_piece_cost {
  float length;  ///< [m]
  float exposed; ///< Seen by any threat. [m]
  float ground;  ///< Length times the polygon's price. [metre-equivalents]
  float seen;    ///< For exposure to threats. [metre-equivalents]
  float danger;  ///< For the dangers that it enters. [metre-equivalents]
  float lanes;   ///< For its metres in fire lanes. [metre-equivalents]
} lwi_piece_cost;
static inline float lwi_piece_cost_sum(const lwi_piece_cost *piece_cost) {
  return piece_cost->ground + piece_cost->seen + piece_cost->danger + piece_cost->lanes;
}

/// What a piece costs by its length alone.
static inline lwi_piece_cost lwi_cost_of_ground(const lwi_cost_model *cost_model, uint32_t polygon,
                                                lw_vec3 from, lw_vec3 to) {
  const float length = lwi_distance(from, to);
  return (lwi_piece_cost){.length = length,
                          .ground = length * lwi_price_on(cost_model->prices, cost_model->mesh, polygon)};
}
/// @return false: no memory.
bool lwi_cost_of_piece(const lwi_cost_model *cost_model, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                       lwi_piece_cost *piece_cost);

/// The work for dangers and lanes up to now, see lwi_timed_scratch.
static inline uint64_t lwi_cost_looks(const lwi_cost_model *cost_model) {
  return (cost_model->dangers ? cost_model->dangers->scratch->looks : 0) +
         (cost_model->lanes ? cost_model->lanes->scratch->looks : 0);
}
static inline uint64_t lwi_cost_pieces(const lwi_cost_model *cost_model) {
  return (cost_model->dangers ? cost_model->dangers->scratch->pieces : 0) +
         (cost_model->lanes ? cost_model->lanes->scratch->pieces : 0);
}

/// Whether the cost of a piece may depend on where in a polygon it lies, and not on its length alone.
static inline bool lwi_cost_varies(const lwi_cost_model *cost_model) {
  return (cost_model->watch && cost_model->watch->factor > 0) || cost_model->dangers || cost_model->lanes;
}
/// Whether it does so within this polygon.
static inline bool lwi_cost_varies_in(const lwi_cost_model *cost_model, uint32_t polygon) {
  return (cost_model->watch && cost_model->watch->factor > 0) ||
         lwi_timed_first(cost_model->dangers, polygon) != LWI_NONE ||
         lwi_timed_first(cost_model->lanes, polygon) != LWI_NONE;
}
/// Whether a search can estimate exposure by visibility samples.
static inline bool lwi_cost_has_estimate(const lwi_cost_model *cost_model) {
  return cost_model->watch && cost_model->watch->factor > 0 && cost_model->watch->visibility;
}
/// Estimated cost of a piece. Requires lwi_cost_has_estimate(). [metre-equivalents]
static inline float lwi_cost_estimate(const lwi_cost_model *cost_model, uint32_t polygon, lw_vec3 from,
                                      lw_vec3 to) {
  lwi_cost_model others = *cost_model;
  others.watch = NULL;
  lwi_piece_cost piece_cost;
  lwi_cost_of_piece(&others, polygon, from, to, &piece_cost);
  return lwi_piece_cost_sum(&piece_cost) + lwi_watch_estimate(cost_model->watch, polygon, from, to);
}
/// Cost of a piece. [metre-equivalents] @return Negative: no memory.
static inline float lwi_cost_of_piece_sum(const lwi_cost_model *cost_model, uint32_t polygon, lw_vec3 from,
                                          lw_vec3 to) {
  if (!lwi_cost_varies_in(cost_model, polygon))
    return lwi_distance(from, to) * lwi_price_on(cost_model->prices, cost_model->mesh, polygon);
  lwi_piece_cost piece_cost;
  return lwi_cost_of_piece(cost_model, polygon, from, to, &piece_cost) ? lwi_piece_cost_sum(&piece_cost) : -1;
}
/// Cost of a piece of a path: with threats it is cut at the creases of the ground. @return Negative: no
/// memory.
float lwi_cost_over_ground(const lwi_cost_model *cost_model, uint32_t polygon, lw_vec3 from, lw_vec3 to);
/// Bounds on the cost of any straight piece of that length within a polygon. [metre-equivalents]
static inline float lwi_cost_lower_bound(const lwi_cost_model *cost_model, uint32_t polygon, float length) {
  return length * lwi_price_on(cost_model->prices, cost_model->mesh, polygon);
}
static inline float lwi_cost_upper_bound(const lwi_cost_model *cost_model, uint32_t polygon, float length) {
  float worst = cost_model->watch ? cost_model->watch->worst : 0;
  float bound = length * (lwi_price_on(cost_model->prices, cost_model->mesh, polygon) + worst);
  if (cost_model->lanes) bound += length * lwi_lanes_worst(cost_model->lanes, polygon);
  return cost_model->dangers ? bound + lwi_dangers_worst(cost_model->dangers, polygon) : bound;
}

/// How many creases the ground may have under one piece.
#define LWI_GROUND_CREASES 32
/// The creases of the ground under a straight piece within one polygon, in order.
/// @param[out] creases  [LWI_GROUND_CREASES] @return Their count.
int lwi_ground_creases(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *creases);

/* --- the record ------------------------------------------------------------------------------------------- */

/// What a path notes of a piece, from one of its points to the next, so that its cost can still be broken down
/// when world and profile are gone.
typedef struct lwi_cost_record {
  float length;    ///< [m]
  float exposed;   ///< Seen by any threat. [m]
  float seen;      ///< For exposure to threats. [metre-equivalents]
  float danger;    ///< For the dangers that it enters. [metre-equivalents]
  float lanes;     ///< For its metres in fire lanes. [metre-equivalents]
  float open;      ///< For its openness. [metre-equivalents]
  float deep;      ///< For water deeper than the area's `deep_water`. [metre-equivalents]
  float water;     ///< Metres of such water. [m]
  float obstacles; ///< For obstacles that do not block. [metre-equivalents]
  float link;      ///< The price of an off-mesh link. [metre-equivalents]
} lwi_cost_record;
static inline void lwi_cost_record_add(lwi_cost_record *to, const lwi_cost_record *more) {
  to->length += more->length;
  to->exposed += more->exposed;
  to->seen += more->seen;
  to->danger += more->danger;
  to->lanes += more->lanes;
  to->open += more->open;
  to->deep += more->deep;
  to->water += more->water;
  to->obstacles += more->obstacles;
  to->link += more->link;
}
/// Add what `length` metres on a polygon cost for its openness, its depth of water and its obstacles.
void lwi_cost_record_place(lwi_cost_record *record, const lwi_prices *prices, const lw_navmesh *mesh,
                           uint32_t polygon, float length);

/// A run of consecutive pieces on one area, walked in one stance, or a single link, with the terms of each of
/// its metres.
typedef struct lwi_run {
  int first;         ///< Its first piece; it ends where the next run begins.
  lw_link_kind link; ///< LW_LINK_NONE: over the surface.
  lw_area_id area;
  int stance;      ///< Of the profile: LW_STAND, or a lower one under a ceiling.
  float water;     ///< Of a link: the part of each metre that is swum. [m/m]
  lwi_terms terms; ///< Of a metre.
} lwi_run;
/// Over the surface of a polygon.
lwi_run lwi_run_ground(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon);
/// Is a polygon walked as the run is?
static inline bool lwi_run_holds(const lwi_run *run, const lwi_prices *prices, const lw_navmesh *mesh,
                                 uint32_t polygon) {
  return run->link == LW_LINK_NONE && run->area == mesh->polygons.areas[polygon] &&
         run->stance == lwi_prices_stance_on(prices, mesh, polygon);
}
/// Of an off-mesh link within a navmesh or between two: its terms add up to lwi_edge_price().
lwi_run lwi_run_link(const lwi_prices *prices, const lwi_edge *edge);
lw_link_type lwi_run_type(const lwi_run *run, const lw_area_table *areas);

/// The cost of a piece term by term: its run and its record together.
typedef struct lwi_cost_breakdown {
  float length, water, low, exposed; ///< `low`: in a lower stance, under low ceilings. [m]
  lwi_terms terms;                   ///< [metre-equivalents]
} lwi_cost_breakdown;
lwi_cost_breakdown lwi_cost_breakdown_of(const lwi_run *run, const lwi_cost_record *record,
                                         const lw_area_table *areas);

#endif
