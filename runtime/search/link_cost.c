#include "search/link_cost.h"

#include <float.h>

/* --- exposure --------------------------------------------------------------------------------------------- */

static float visible_on(const lw_area_table *areas, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(areas, area);
  return def ? 1 - def->concealment : 1;
}

float lwi_edge_visible(const lwi_edge *edge) {
  if (edge->area != LW_AREA_NONE) return visible_on(edge->from_mesh->areas, edge->area);
  return (visible_on(edge->from_mesh->areas, edge->from_mesh->polygons.areas[edge->from]) +
          visible_on(edge->to_mesh->areas, edge->to_mesh->polygons.areas[edge->to])) /
         2;
}

/* Add what threats see of a piece. @param scale  Metres that count for each of the piece. @return false: no memory. */
static bool add_seen(const lwi_cost_model *cost_model, lw_vec3 from, lw_vec3 to, float scale, float *exposed_to,
                     lwi_piece_cost *cost) {
  const lwi_watch *watch = cost_model->watch;
  lwi_sight sight = watch->sight;
  lw_exposure_query query = watch->query;
  lw_exposure exposure;
  sight.polygon = LWI_NONE; /* it is over none */
  sight.over = NULL;
  query.from = from;
  query.to = to;
  query.exposed_to = exposed_to ? cost_model->exposed_to : NULL;
  if (lwi_exposure_find(&sight, &query, watch->memory, watch->scratch, &exposure) != LW_OK) return false;
  cost->exposed += scale * exposure.exposed;
  cost->seen += scale * watch->factor * exposure.weighted;
  if (exposed_to)
    for (int k = 0; k < query.threat_count; k++) exposed_to[k] += scale * cost_model->exposed_to[k];
  return true;
}

/* --- dangers and lanes ------------------------------------------------------------------------------------ */

bool lwi_link_enters(const lwi_timed_shape *disc, const lwi_link_line *line) {
  if (lwi_disc_holds(disc, line->start)) return false;
  if (lwi_disc_holds(disc, line->end)) return true;
  for (int i = 0; i < line->pieces; i++)
    if (lwi_disc_enters(disc, line->points[i], line->points[i + 1])) return true;
  return false;
}

/* Iterate over the regions that the line may meet. */
static lwi_rectangle_walk walk_of(const lwi_timed_costs *costs, const lwi_link_line *line) {
  lwi_rectangle_walk walk =
      lwi_rectangle_walk_line(costs->tree, line->pieces > 0 ? line->start : line->end, line->end);
  walk.limit = FLT_MAX;
  return walk;
}

static float cost_of_dangers(const lwi_timed_costs *dangers, const lwi_link_line *line) {
  if (!dangers) return 0;
  float sum = 0;
  lwi_rectangle_walk walk = walk_of(dangers, line);
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE;) {
    const lwi_timed_shape *disc = &dangers->regions[i];
    if (disc->strength > 0 && lwi_link_enters(disc, line)) sum += dangers->factor * disc->strength;
  }
  dangers->scratch->steps += (uint64_t)walk.nodes;
  return sum;
}

static float cost_of_lanes(const lwi_timed_costs *lanes, const lwi_link_line *line) {
  if (!lanes || line->pieces == 0) return 0;
  float sum = 0;
  lwi_rectangle_walk walk = walk_of(lanes, line);
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE;) {
    const lwi_timed_shape *lane = &lanes->regions[i];
    for (int k = 0; k < line->pieces && lane->strength > 0; k++)
      sum += lane->strength * lwi_lane_metres(lane, line->points[k], line->points[k + 1]);
  }
  lanes->scratch->steps += (uint64_t)walk.nodes;
  return sum * lanes->factor;
}

/* --- all -------------------------------------------------------------------------------------------------- */

bool lwi_cost_on_link(const lwi_cost_model *cost_model, const lwi_link_crossing *link, float *exposed_to,
                      lwi_piece_cost *cost) {
  *cost = (lwi_piece_cost){0};
  if (!cost_model->watch && !cost_model->link_dangers && !cost_model->link_lanes) return true;
  const lwi_link_line line = lwi_link_line_of(link->kind, link->start, link->end);
  const float scale = line.length > 0 ? link->length / line.length : 0;
  cost->danger = cost_of_dangers(cost_model->link_dangers, &line);
  cost->lanes = scale * cost_of_lanes(cost_model->link_lanes, &line);
  for (int i = 0; i < line.pieces && cost_model->watch; i++)
    if (!add_seen(cost_model, line.points[i], line.points[i + 1], scale, exposed_to, cost)) return false;
  cost->seen *= link->visible;
  return true;
}

bool lwi_cost_of_link_terms(const lwi_cost_model *cost_model, const lwi_link *link, float *exposed_to,
                            lwi_piece_cost *cost) {
  const lwi_edge edge = lwi_edge_of(cost_model->mesh, link);
  const lwi_link_crossing crossing = {(lw_link_kind)link->kind, link->start, link->end, link->length,
                                      lwi_edge_visible(&edge)};
  if (!lwi_cost_on_link(cost_model, &crossing, exposed_to, cost)) return false;
  cost->ground = lwi_cost_of_link_bound(cost_model, link);
  return true;
}

float lwi_cost_of_link(const lwi_cost_model *cost_model, const lwi_link *link) {
  lwi_cost_model asked = *cost_model;
  lwi_piece_cost cost;
  if (!asked.watch && !asked.link_dangers && !asked.link_lanes) return lwi_cost_of_link_bound(cost_model, link);
  if (asked.watch && !(asked.watch->factor > 0)) asked.watch = NULL;
  return lwi_cost_of_link_terms(&asked, link, NULL, &cost) ? lwi_piece_cost_sum(&cost) : -1;
}
