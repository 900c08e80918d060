/// Costs to the nearest of some goals from everywhere on a navmesh: Dijkstra backwards from the goals, so that
/// one-way links count in their direction. Where every metre costs the same (field_taut.c), funnels are led
/// through portals, and costs are those of taut paths. Else (field_points.c) paths turn at points of portals.
#ifndef LW_QUERY_FIELD_H
#define LW_QUERY_FIELD_H

#include "core/heap.h"
#include "mesh/mesh.h"
#include "search/cost_model.h"
#include "search/taut_search.h"

/// How paths leave a region towards a goal: by a portal, to a goal within it, or at the start of a link. Its
/// corners are where paths go on: of a taut field those of a funnel, as seen by an agent that comes from the
/// goal; of another field points of the portal, `left` of them from `apex` on.
typedef struct lwi_field_exit {
  uint32_t before; ///< The region's exit before it; LWI_NONE: its first.
  uint32_t apex, left, right;
  uint32_t region; ///< That it leads out of.
  uint32_t behind; ///< The region that it leads to; of a link the exit behind it; of a goal LWI_NONE.
  uint32_t portal; ///< Of the region behind, into this one; of a link its number; of a goal LWI_NONE.
  uint32_t forth;  ///< That of this region back, by which agents go; LWI_NONE: it leads to a goal or a link.
  uint32_t parent; ///< The exit that follows towards the goal; LWI_NONE: it is a place within the region.
  uint32_t goal;   ///< Index of the goal that funnels lead to.
} lwi_field_exit;

/// How the path goes on from a corner that is a point of a portal, or a place of a goal or link.
typedef struct lwi_field_line {
  lw_vec3 left, right; ///< The straight line to the next corner passes between these.
  bool is_bounded;     ///< false: it passes anywhere.
  bool is_back;        ///< It was reached through the second region of its portal, and leads into the first.
  bool is_closed;
  float price;       ///< Of a metre of that line; 0: it is not to be extended. [metre-equivalents]
  float climb;       ///< What slopes add to it. [m]
  uint32_t crossing; ///< That it lies on; LWI_NONE: on none.
  uint32_t link;     ///< That starts here; LWI_NONE: none.
  uint32_t goal;
} lwi_field_line;

/// A portal in both directions.
typedef struct lwi_field_crossing {
  uint32_t regions[2];
  uint32_t portals[2];   ///< From regions[0], and back.
  uint32_t first, count; ///< Of its corners, from left to right as regions[0] is left.
} lwi_field_crossing;

typedef struct lwi_field_goal {
  lw_vec3 at;
  uint32_t region;
  uint32_t index;
} lwi_field_goal;

/// What to compute. Borrowed.
typedef struct lwi_field_query {
  const lwi_graph *graph;
  const lwi_cost_model *cost_model;
  const lwi_field_goal *goals; ///< [goal_count]
  int goal_count;
  float max_cost;  ///< Places that cost more are left out. [metre-equivalents]
  bool is_uniform; ///< Every metre that agents may walk costs the same, and nothing else does.
  bool is_close;   ///< Of such a field: as many corridors count, and by the same lengths, as in a search.
} lwi_field_query;

/// What is known of a portal, as seen through it, or of a link.
typedef struct lwi_field_mark {
  float left, right; ///< Lowest costs from its ends so far. [m]
} lwi_field_mark;

/// What is needed while a field is computed, and kept for the next time.
typedef struct lwi_field_scratch {
  lwi_heap open;
  lwi_field_mark *marks; ///< [portals + links] Of a taut field; where it is close, [portals] more.
  size_t mark_capacity;
  uint32_t *numbers; ///< [portals + links] Of another: crossings of portals, first corners of links.
  size_t number_capacity;
  uint32_t *links; ///< [links] By the region that they enter.
  size_t link_capacity;
  uint32_t *links_into; ///< [regions + 1] The first of each region.
  size_t into_capacity;
  bool has_links;
} lwi_field_scratch;

typedef struct lwi_field {
  lwi_memory *memory;
  bool is_taut;
  bool ignores_slopes; ///< Lengths are straight from corner to corner: all ground is level, or it is close.
  float unit;          ///< Of lengths of corners. [metre-equivalents]
  float max_cost;
  lwi_taut_corner *corners; ///< [corner_count] `before`: the corner that follows towards the goal.
  float *climbs;            ///< [corner_count] What slopes add to `g` of a corner of a taut field. [m]
  uint32_t corner_count;
  int corner_capacity, climb_capacity;
  lwi_field_exit *exits; ///< [exit_count]
  int exit_count, exit_capacity;
  uint32_t *last; ///< [region_count] The last exit of each region, or LWI_NONE.
  uint32_t region_count, region_capacity;
  lwi_field_line *lines; ///< [corner_count] Unless it is taut.
  int line_capacity;
  lwi_field_crossing *crossings; ///< [crossing_count] The same.
  int crossing_count, crossing_capacity;

  lwi_field_scratch scratch;
  int expanded; ///< Exits, or points, that were left in the last run.
} lwi_field;

void lwi_field_free(lwi_field *field);
/// Compute it again. @return LW_OK, LW_OUT_OF_MEMORY: the field is empty.
lw_status lwi_field_run(lwi_field *field, const lwi_field_query *query);

/// Begin a field that grows with what is asked. @param query  With one goal, and `is_uniform`.
/// @return As lwi_field_run().
lw_status lwi_field_begin(lwi_field *field, const lwi_field_query *query);

/// The route from a place.
typedef struct lwi_field_route {
  float cost;      ///< [metre-equivalents] INFINITY: there is none.
  uint32_t corner; ///< The first one.
  uint32_t goal;   ///< Index of the goal that it leads to.
  uint32_t exit;   ///< By which it leaves the region, of a taut field.
} lwi_field_route;
/// A place to go from.
typedef struct lwi_field_place {
  const lwi_graph *graph; ///< That the field was computed on; NULL: it has changed.
  uint32_t region, polygon;
  lw_vec3 at;
  float price;                      ///< Of a metre there.
  const lwi_cost_model *cost_model; ///< That the field was computed by, as it is now; with the navmesh.
} lwi_field_place;
lwi_field_route lwi_field_from(const lwi_field *field, const lwi_field_place *place);
/// Let it grow to that number of expanded exits. @return As lwi_field_run().
lw_status lwi_field_grow_to(lwi_field *field, const lwi_field_query *query, int until);
/// Does a field that was begun know that no other route from there is cheaper?
static inline bool lwi_field_knows(const lwi_field *field, const lwi_field_route *route) {
  const lwi_heap *open = &field->scratch.open;
  return open->count == 0 || route->cost <= open->entries[0].key * field->unit;
}
/// Let a field that was begun grow until it knows the cheapest route from a place. However far it has grown
/// before, that route costs the same but for rounding.
/// @param query  Equal to that it was begun with. @param until  field->expanded beyond which it does not grow.
/// @return LW_OK; LW_UNFINISHED: the route may be a detour yet; LW_OUT_OF_MEMORY: the field is empty.
lw_status lwi_field_grow(lwi_field *field, const lwi_field_query *query, const lwi_field_place *place,
                         int until, lwi_field_route *route);

/* --- between field.c, field_taut.c and field_points.c ----------------------------------------------------- */

/// What slopes add to the distance in xz of the route from a place in an exit's region to the goal. [m]
/// @param corner  Of the exit's funnel: the place goes straight there.
float lwi_field_climb(const lwi_field *field, const lw_navmesh *mesh, uint32_t polygon,
                      const lwi_field_exit *exit, lw_vec3 at, uint32_t corner);
/// Of a straight piece, without what slopes add apart. [m]
static inline float lwi_field_length(const lwi_field *field, lw_vec3 from, lw_vec3 to) {
  return field->ignores_slopes ? lwi_distance(from, to) : lwi_distance_xz(from, to);
}
/// @return false: no memory.
static inline bool lwi_field_add_exit(lwi_field *field, const lwi_field_exit *exit) {
  if (field->exit_count >= field->exit_capacity &&
      !lwi_reserve(field->memory, &field->exits, &field->exit_capacity, field->exit_count + 1,
                   sizeof *field->exits))
    return false;
  lwi_field_exit *added = &field->exits[field->exit_count];
  *added = *exit;
  added->before = field->last[exit->region];
  field->last[exit->region] = (uint32_t)field->exit_count++;
  return true;
}
/// The portal that leads back through portal `k` of a region; LWI_NONE: there is none.
uint32_t lwi_field_back(const lwi_graph *graph, uint32_t region, uint32_t k);
/// May an agent cross that portal of a region into another that it may enter?
static inline bool lwi_field_crosses(const lwi_field_query *query, uint32_t portal) {
  const float climb = query->cost_model->prices->filter.climb;
  return lwi_climbs_over(query->graph, climb, &query->graph->portals[portal]);
}
lw_status lwi_field_run_taut(lwi_field *field, const lwi_field_query *query);
lw_status lwi_field_begin_taut(lwi_field *field, const lwi_field_query *query);
lw_status lwi_field_grow_taut_to(lwi_field *field, const lwi_field_query *query, int until);
lw_status lwi_field_grow_taut(lwi_field *field, const lwi_field_query *query, const lwi_field_place *place,
                              int until, lwi_field_route *route);
lw_status lwi_field_run_points(lwi_field *field, const lwi_field_query *query);
lwi_field_route lwi_field_from_points(const lwi_field *field, const lwi_field_place *place);

#endif
