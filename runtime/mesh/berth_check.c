/* What was found to be passable for large agents, checked the slow and obvious way. */
#include "core/status.h"
#include "mesh/berth.h"

/* Ends of passages as their two polygons have them, and where they end at walls. [m] */
#define MEET_SLACK 0.01
/* Along a portal that runs past a wall at a small angle, its end may be found so much too soon or too late. [m] */
#define END_SLACK 0.02

static lwi_spot spot_on(lwi_spot a, lwi_spot b, double along) {
  double length = lwi_spot_distance(a, b);
  return lwi_spot_between(a, b, length > 0 ? along / length : 0);
}

/* Every 10 cm of a passage is clear of the walls near the polygon. */
static lw_status check_clear(const lwi_berth *berth, uint32_t polygon, lwi_spot a, lwi_spot b,
                             lw_error *error) {
  lwi_barriers near = lwi_berth_near(berth, polygon);
  double length = lwi_spot_distance(a, b);
  for (double along = 0; along <= length; along += 0.1) {
    lwi_spot spot = spot_on(a, b, along);
    for (uint32_t i = 0; i < near.count; i++) {
      double clearance = lwi_barrier_distance(&near.all[near.near[i]], spot, spot);
      if (clearance < berth->keep - END_SLACK)
        return lwi_fail(error, LW_INVALID,
                        "a passage of polygon %u has a clearance of %g m where %g are to be kept",
                        (unsigned)polygon, clearance, berth->keep);
    }
  }
  return LW_OK;
}

/* The other polygon has the same passage, into this room. */
static bool is_mutual(const lwi_graph *graph, uint32_t room, const lwi_portal *passage) {
  lw_vec3 left, right, back_left, back_right;
  lwi_graph_points(graph, room, passage, &left, &right);
  for (uint32_t k = graph->first_portal[passage->to]; k < graph->first_portal[passage->to + 1]; k++) {
    if (graph->portals[k].to != room) continue;
    lwi_graph_points(graph, passage->to, &graph->portals[k], &back_left, &back_right);
    if ((double)lwi_distance_xz(left, back_right) <= MEET_SLACK &&
        (double)lwi_distance_xz(right, back_left) <= MEET_SLACK)
      return true;
  }
  return false;
}

static lw_status check_room(const lwi_berth *berth, uint32_t room, lw_error *error) {
  const lwi_graph *graph = &berth->graph;
  uint32_t polygon = lwi_room_polygon(graph, room);
  for (uint32_t k = graph->first_portal[room]; k < graph->first_portal[room + 1]; k++) {
    const lwi_portal *passage = &graph->portals[k];
    if (passage->to >= graph->room_count)
      return lwi_fail(error, LW_INVALID, "a passage of polygon %u leads nowhere", (unsigned)polygon);
    if (!is_mutual(graph, room, passage))
      return lwi_fail(error, LW_INVALID, "polygon %u has a passage to polygon %u, but not the other way round",
                      (unsigned)polygon, (unsigned)lwi_room_polygon(graph, passage->to));
    lw_vec3 left, right;
    lwi_graph_points(graph, room, passage, &left, &right);
    lw_status status = check_clear(berth, polygon, lwi_spot_of(right), lwi_spot_of(left), error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* Two passages of which one can be seen from the other, clear of walls, are of one room. */
static lw_status check_ways(const lwi_berth *berth, uint32_t polygon, lw_error *error) {
  const lwi_graph *graph = &berth->graph;
  lwi_barriers near = lwi_berth_near(berth, polygon);
  for (uint32_t a = polygon; a != LWI_NONE; a = lwi_next_room(graph, polygon, a))
    for (uint32_t b = lwi_next_room(graph, polygon, a); b != LWI_NONE; b = lwi_next_room(graph, polygon, b))
      for (uint32_t i = graph->first_portal[a]; i < graph->first_portal[a + 1]; i++)
        for (uint32_t k = graph->first_portal[b]; k < graph->first_portal[b + 1]; k++) {
          lw_vec3 left, right, other_left, other_right;
          lwi_graph_points(graph, a, &graph->portals[i], &left, &right);
          lwi_graph_points(graph, b, &graph->portals[k], &other_left, &other_right);
          lwi_spot from = lwi_spot_between(lwi_spot_of(left), lwi_spot_of(right), 0.5);
          lwi_spot to = lwi_spot_between(lwi_spot_of(other_left), lwi_spot_of(other_right), 0.5);
          if (lwi_region_clear(&near, from, to, -MEET_SLACK))
            return lwi_fail(error, LW_INVALID, "a way through polygon %u is clear, but not known to be",
                            (unsigned)polygon);
        }
  return LW_OK;
}

lw_status lwi_berth_check(const lwi_berth *berth, lw_error *error) {
  lw_status status = LW_OK;
  for (uint32_t room = 0; room < berth->graph.room_count && status == LW_OK; room++)
    status = check_room(berth, room, error);
  for (uint32_t p = 0; p < berth->graph.mesh->polygon_count && status == LW_OK; p++)
    status = check_ways(berth, p, error);
  return status;
}
