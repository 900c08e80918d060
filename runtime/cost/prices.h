/// Prices: what a profile makes of each area, and of each polygon and link. What A* and the path's account read.
#ifndef LW_COST_PRICES_H
#define LW_COST_PRICES_H

#include "cost/terms.h"
#include "mesh/mesh.h"

/// By area, and what comes on top by place. Nothing here is ever negative, so that `lowest` is a lower bound.
typedef struct lwi_prices {
  float per_metre[LW_AREA_MAX +
                  1];     ///< Unseen, and swum as far as the area says. [>= 1] INFINITY: not to be entered.
  const lwi_terms *terms; ///< [LW_AREA_MAX + 1] That per_metre is the sum of; NULL: of the length alone.
  lw_filter filter;       ///< Where per_metre is finite.
  float lowest;           ///< Of all that may be entered or taken. [>= 1]

  bool by_place;                     ///< Whether any of the following may cost something.
  float exposure[LW_AREA_MAX + 1];   ///< More of a metre that lies open: of the area's exposure. [>= 0]
  float visibility;                  ///< How much of that counts, by night or in fog. [0..1]
  float swim;                        ///< More of a metre that is swum. [>= 0]
  float deep_water[LW_AREA_MAX + 1]; ///< What of that per_metre has already. [0..1]

  lw_area_id waypoint_area;        ///< That is named "waypoint", or LW_AREA_NONE.
  float waypoint[LW_AREA_MAX + 1]; ///< per_metre of a waypoint edge that has the area itself.
  float between[LW_AREA_MAX + 1];  ///< The same of one that has none, for its end on that area.
} lwi_prices;

/// Prices of one who cares for length alone and may go anywhere.
void lwi_prices_plain(lwi_prices *prices);
/// @param[out] terms  [LW_AREA_MAX + 1] Zeroed. Borrowed by the prices.  @param def  Checked.
void lwi_prices_compile(lwi_prices *prices, lwi_terms *terms, const lw_profile_def *def,
                        const lw_area_table *areas);

/// How much more a metre on that area costs where it lies open, in such a part.
static inline float lwi_price_of_open(const lwi_prices *prices, lw_area_id area, float open) {
  return prices->exposure[area] * prices->visibility * open;
}
/// How much more it costs where such a part is deep.
static inline float lwi_price_of_deep(const lwi_prices *prices, lw_area_id area, float deep) {
  float more = deep - prices->deep_water[area];
  return more > 0 ? prices->swim * more : 0;
}
/// @return What a metre on that polygon costs; infinity: not to be entered. [metre-equivalents]
static inline float lwi_price_on(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  lw_area_id area = mesh->poly_areas[polygon];
  if (!prices->by_place) return prices->per_metre[area];
  return prices->per_metre[area] + lwi_price_of_open(prices, area, lwi_byte_part(mesh->exposures[polygon])) +
         lwi_price_of_deep(prices, area, lwi_byte_part(mesh->deep_waters[polygon]));
}
/// The same of a room.
static inline float lwi_price_in(const lwi_prices *prices, const lwi_graph *graph, uint32_t room) {
  return lwi_price_on(prices, graph->mesh, lwi_room_polygon(graph, room));
}

/// An off-mesh link between two polygons, which may be of two navmeshes.
typedef struct lwi_edge {
  lw_link_kind kind;
  lw_area_id area; ///< LW_AREA_NONE: it has none of its own.
  const lw_navmesh *from_mesh, *to_mesh;
  uint32_t from, to;
} lwi_edge;
static inline lwi_edge lwi_edge_of(const lw_navmesh *mesh, const lwi_link *link) {
  return (lwi_edge){(lw_link_kind)link->kind, link->area, mesh, mesh, link->from, link->to};
}
/// How open and how deep it lies: the average of its ends.
static inline float lwi_edge_open(const lwi_edge *edge) {
  return (lwi_byte_part(edge->from_mesh->exposures[edge->from]) +
          lwi_byte_part(edge->to_mesh->exposures[edge->to])) /
         2;
}
static inline float lwi_edge_deep(const lwi_edge *edge) {
  return (lwi_byte_part(edge->from_mesh->deep_waters[edge->from]) +
          lwi_byte_part(edge->to_mesh->deep_waters[edge->to])) /
         2;
}
/// @return What a metre of it costs: by its own area, or else the average of its ends, and of a waypoint edge with the
///   resistance of the area "waypoint" in place of theirs; how open and how deep it lies is always the average of its ends.
///   Infinity: these agents cannot take it. [metre-equivalents]
float lwi_edge_price(const lwi_prices *prices, const lwi_edge *edge);
/// The same of a navmesh's own link.
float lwi_link_price(const lw_navmesh *mesh, const lwi_link *link, const lwi_prices *prices);

#endif
