/// Prices: what a profile makes of each area, polygon and link. A* and a path's cost breakdown read them.
#ifndef LW_COST_PRICES_H
#define LW_COST_PRICES_H

#include "leeward/profile.h"
#include "mesh/depths.h"

/* --- terms ------------------------------------------------------------------------------------------------ */

/// A price by its terms, which add up to it.
typedef struct lwi_terms {
  float of[LW_COST_TERM_COUNT]; ///< [metre-equivalents]
} lwi_terms;

/// The terms of a metre that depend on profile and area alone (DESIGN, the cost model). Compiled prices are
/// their sums, so that each term is defined here and nowhere else.
lwi_terms lwi_terms_on_area(const lw_profile_def *def, const lw_area_def *area, lw_area_id id);

static inline float lwi_terms_sum(const lwi_terms *terms) {
  float sum = 0;
  for (int i = 0; i < LW_COST_TERM_COUNT; i++) sum += terms->of[i];
  return sum;
}

/// to += factor * terms
static inline void lwi_terms_add(lwi_terms *to, const lwi_terms *terms, float factor) {
  for (int i = 0; i < LW_COST_TERM_COUNT; i++) to->of[i] += factor * terms->of[i];
}

/* --- stances ---------------------------------------------------------------------------------------------- */

/// A stance that may fit under a ceiling that is too low to stand.
typedef struct lwi_low_stance {
  int stance;   ///< Of the profile.
  float height; ///< [m]
  float more;   ///< What a metre costs more, as it takes longer. [>= 0]
} lwi_low_stance;

/// lw_profile_stance_height().
float lwi_stance_height(const lw_profile_def *def, int stance);

/* --- prices ----------------------------------------------------------------------------------------------- */

/// Prices by area, and what polygons add to them. Nothing here is negative, so that `lowest` is a lower bound.
typedef struct lwi_prices {
  /// Of a metre out of sight where the navmesh knows no water, swum as far as the area says. INFINITY: not to
  /// be entered. [>= 1]
  float per_metre[LW_AREA_MAX + 1];
  /// Of a metre under water whose depth the navmesh knows, without what is swum. INFINITY: not to be entered.
  /// [>= 1]
  float in_water[LW_AREA_MAX + 1];
  const lwi_terms *terms; ///< [LW_AREA_MAX + 1] Their sums are per_metre; NULL: length alone.
  lw_filter filter;       ///< Passes where prices are finite.
  float lowest;           ///< Of all areas and links that may be taken. [>= 1]

  bool by_polygon; ///< Whether polygons of one area may differ in price: any of the following counts.
  float exposure[LW_AREA_MAX +
                 1]; ///< Of the openness of a metre: exposure_factor times the area's exposure. [>= 0]
  float visibility;  ///< Factor on `exposure`, by night or in fog. [0..1]
  float swim;        ///< Of a metre that is swum. [>= 0]
  float wade_depth;  ///< Deeper water is swum. [m]
  float deep_water[LW_AREA_MAX + 1]; ///< The part of a metre that per_metre already counts as swum. [0..1]

  float height;     ///< Under lower ceilings it crouches. [m]
  uint8_t headroom; ///< From this headroom on it does not, in any navmesh, as polygons have it.
  int low_count;
  lwi_low_stance low[LW_STANCES_MAX]; ///< [low_count] The fastest first.

  uint64_t identity; ///< `content`. 0: they are for one request, or plain.
  uint64_t content;  ///< Equal for equal prices, whatever `visibility`.

  bool by_length; ///< Links do not cost what was set on them (lw_link_set_cost()).

  lw_area_id waypoint_area;        ///< The area named "waypoint", or LW_AREA_NONE.
  float waypoint[LW_AREA_MAX + 1]; ///< Of a metre of a waypoint edge that has the area itself.
  float between[LW_AREA_MAX + 1];  ///< Of a metre of a waypoint edge without an area, for its end on that area.
  /// What that metre costs more than one of the ground there, by the resistance of the waypoint. Finite.
  float more_between[LW_AREA_MAX + 1];
} lwi_prices;

/// The prices of length alone; everything may be entered.
void lwi_prices_plain(lwi_prices *prices);
/// @param[out] terms  [LW_AREA_MAX + 1] Zeroed. Borrowed by the prices. @param def  Checked.
void lwi_prices_compile(lwi_prices *prices, lwi_terms *terms, const lw_profile_def *def,
                        const lw_area_table *areas);

/// Let these prices hold for an agent that may enter and take no more than `limits`, and is at least as wide.
void lwi_prices_limit(lwi_prices *prices, const lw_filter *limits);

/// What a metre on that area costs for its openness. @param open  [0..1]
static inline float lwi_price_of_open(const lwi_prices *prices, lw_area_id area, float open) {
  return prices->exposure[area] * prices->visibility * open;
}
/// What a metre costs for the part of it that is deep, beyond what its area counts already. @param deep  [0..1]
static inline float lwi_price_of_deep(const lwi_prices *prices, lw_area_id area, float deep) {
  float more = deep - prices->deep_water[area];
  return more > 0 ? prices->swim * more : 0;
}
/// The price of a metre under water of a known depth, without openness; infinity: it is too deep, or not to be
/// entered.
static inline float lwi_price_of_water(const lwi_prices *prices, lw_area_id area, lwi_depth depth) {
  if (!lwi_can_wade(prices->filter.wade_depth, depth.max)) return INFINITY;
  return prices->in_water[area] + prices->swim * lwi_deep_part(depth, prices->wade_depth);
}
/// The stance in which it goes under a ceiling that may be too low to stand.
/// @param kept  As lwi_has_headroom() has it. @return NULL: it may stand, or fits in no stance.
const lwi_low_stance *lwi_prices_stance(const lwi_prices *prices, uint8_t headroom, float kept);
/// The stance in which it goes over that polygon: LW_STAND, or a lower one.
static inline int lwi_prices_stance_on(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  const uint8_t headroom = mesh->polygons.headrooms[polygon];
  const lwi_low_stance *low =
      headroom >= prices->headroom ? NULL : lwi_prices_stance(prices, headroom, mesh->agent.height);
  return low ? low->stance : LW_STAND;
}
/// Are two polygons of one area, and does it go over both in one stance?
static inline bool lwi_prices_walk_alike(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t a,
                                         uint32_t b) {
  const uint8_t *headrooms = mesh->polygons.headrooms;
  if (mesh->polygons.areas[a] != mesh->polygons.areas[b]) return false;
  return (headrooms[a] >= prices->headroom && headrooms[b] >= prices->headroom) ||
         lwi_prices_stance_on(prices, mesh, a) == lwi_prices_stance_on(prices, mesh, b);
}
/// What a metre costs under such a ceiling, as it goes slower there. INFINITY: it does not fit.
float lwi_price_of_low(const lwi_prices *prices, uint8_t headroom, float kept);
/// What a metre on that polygon costs for its headroom.
static inline float lwi_price_of_headroom(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  const uint8_t headroom = mesh->polygons.headrooms[polygon];
  return headroom >= prices->headroom ? 0 : lwi_price_of_low(prices, headroom, mesh->agent.height);
}
/// What a metre on that polygon costs for obstacles that do not block.
static inline float lwi_price_of_obstacles(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  return mesh->live.costs && prices->terms ? mesh->live.costs[polygon] : 0;
}
/// What a metre on that polygon costs more than elsewhere on ground of its kind.
static inline float lwi_price_added(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  return lwi_price_of_headroom(prices, mesh, polygon) + lwi_price_of_obstacles(prices, mesh, polygon);
}
/// @return The price of a metre on that polygon without obstacles; infinity: not to be entered.
/// [metre-equivalents]
static inline float lwi_price_of_ground(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  lw_area_id area = mesh->polygons.areas[polygon];
  const lwi_depth depth = lwi_depth_of(mesh, polygon);
  if (!lwi_can_climb(prices->filter.climb, mesh->polygons.steps[polygon])) return INFINITY;
  const float price = (depth.max > 0 ? lwi_price_of_water(prices, area, depth) : prices->per_metre[area]) +
                      lwi_price_of_headroom(prices, mesh, polygon);
  if (!prices->by_polygon) return price;
  return price + lwi_price_of_open(prices, area, lwi_byte_part(mesh->polygons.openness[polygon]));
}
/// @return The price of a metre on that polygon; infinity: not to be entered. [metre-equivalents]
static inline float lwi_price_on(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  return lwi_price_of_ground(prices, mesh, polygon) + lwi_price_of_obstacles(prices, mesh, polygon);
}
/// @return The price of a metre in that region; infinity: not to be entered. [metre-equivalents]
static inline float lwi_price_in(const lwi_prices *prices, const lwi_graph *graph, uint32_t region) {
  return lwi_price_on(prices, graph->mesh, lwi_region_polygon(graph, region));
}

/// @return The same in the region behind a portal; infinity also where the portal's step is too high for it.
static inline float lwi_price_behind(const lwi_prices *prices, const lwi_graph *graph,
                                     const lwi_portal *portal) {
  if (!lwi_climbs_over(graph, prices->filter.climb, portal)) return INFINITY;
  return lwi_price_in(prices, graph, portal->to);
}

/* --- of links --------------------------------------------------------------------------------------------- */

/// An off-mesh link between two polygons, which may belong to two navmeshes.
typedef struct lwi_edge {
  lw_link_kind kind;
  lw_area_id area; ///< LW_AREA_NONE: it has none of its own.
  const lw_navmesh *from_mesh, *to_mesh;
  uint32_t from, to;
  /// false: it is as open as its ends. true: a bake looked along it, or it is a teleport, which is not open at
  /// all: an agent is nowhere between its ends.
  bool has_openness;
  uint8_t openness; ///< [255ths]
} lwi_edge;
static inline lwi_edge lwi_edge_of(const lw_navmesh *mesh, const lwi_link *link) {
  const lw_link_kind kind = (lw_link_kind)link->kind;
  const bool has_openness = link->has_openness || kind == LW_LINK_TELEPORT;
  return (lwi_edge){kind, link->area, mesh, mesh, link->from, link->to, has_openness, link->openness};
}
/// Its openness, its own or else the average of its ends; its depth of water, that of its ends.
/// [0..1]
static inline float lwi_edge_open(const lwi_edge *edge) {
  if (edge->has_openness) return lwi_byte_part(edge->openness);
  return (lwi_byte_part(edge->from_mesh->polygons.openness[edge->from]) +
          lwi_byte_part(edge->to_mesh->polygons.openness[edge->to])) /
         2;
}
static inline float lwi_edge_deep(const lwi_prices *prices, const lwi_edge *edge) {
  return (lwi_deep_part(lwi_depth_of(edge->from_mesh, edge->from), prices->wade_depth) +
          lwi_deep_part(lwi_depth_of(edge->to_mesh, edge->to), prices->wade_depth)) /
         2;
}
/// The price of a metre by its own area, or else the average of its ends, where a waypoint edge has the
/// resistance of the area "waypoint" instead of theirs. Depth of water always averages the ends.
/// @return Infinity: these agents cannot take it. [metre-equivalents]
float lwi_edge_price(const lwi_prices *prices, const lwi_edge *edge);
/// The price of a metre of a navmesh's own link. @return Infinity: these agents cannot take it.
/// [metre-equivalents]
float lwi_link_price(const lw_navmesh *mesh, const lwi_link *link, const lwi_prices *prices);
/// The region that link `k` leads to from that one.
/// @return LWI_NONE: it does not begin there, or these agents cannot take it.
static inline uint32_t lwi_region_over_link(const lwi_prices *prices, const lwi_graph *graph, uint32_t region,
                                            uint32_t k) {
  const lwi_link_regions regions = lwi_graph_link_regions(graph, k);
  if (regions.from != region || regions.to == LWI_NONE) return LWI_NONE;
  return lwi_link_price(graph->mesh, &graph->mesh->links.items[k], prices) < INFINITY ? regions.to : LWI_NONE;
}

#endif
