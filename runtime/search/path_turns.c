/* Where a way turns beside dangers and lanes: the search found places, and the string that is held at them is settled. */
#include "search/path_trace.h"

#include <string.h>

/* Moves of a place beside a lane, each shorter than the one before, and how often all are tried. */
#define SLIDES 10
#define SLIDE_ROUNDS 2
/* A move must save so much. [metre-equivalents] */
#define SLIDE_WORTH 1e-3

/* What the way costs from one hold to another, as the string is pulled between them. */
static double cost_from(path_trace *trace, const path_hold *from, int end, lw_vec3 to) {
  path_trace before = *trace;
  lwi_trace_from(trace, from, end, to);
  double cost = trace->cost - before.cost;
  bool failed = trace->failed;
  *trace = before;
  trace->failed = failed;
  return cost;
}

/* Take out step `i`: a place within a polygon is forgotten, one on a portal becomes an ordinary crossing of it. */
static void release_place(lwi_search *search, int i) {
  const lwi_portal *portal = lwi_search_portal(search, i);
  if (portal) {
    uint32_t node = 1 + search->graph.mesh->link_count + (uint32_t)(portal - search->graph.portals);
    search->corridor[i].node = node;
    return;
  }
  search->corridor_count -= 1;
  memmove(search->corridor + i, search->corridor + i + 1,
          (size_t)(search->corridor_count - i) * sizeof *search->corridor);
}

/* The search turns at places round dangers where it happened to meet them. Pulled past one of them the string may be
   cheaper. */
static void release_places(path_trace *trace, lwi_search *search) {
  path_hold last = lwi_trace_start(trace), held = last, next = last;
  lw_vec3 to;
  int held_step = -1; /* none is held */
  double cost_held = 0;
  for (int i = 0; i <= search->corridor_count; i++) {
    if (!lwi_trace_is_held(trace, i, &to, &next)) continue;
    double cost = cost_from(trace, held_step >= 0 ? &held : &last, i, to);
    if (held_step >= 0) {
      double straight = cost_from(trace, &last, i, to);
      if (straight <= cost_held + cost) {
        int count = search->corridor_count;
        release_place(search, held_step);
        i -= count - search->corridor_count;
        next.first_gate = i + 1;
        cost = straight;
      } else {
        last = held;
      }
    }
    if (i == search->corridor_count) return;
    held_step = -1;
    cost_held = cost;
    if (!lwi_search_place(search, i)) {
      last = next;
      continue;
    }
    held = next;
    held_step = i;
  }
}

/* Try a place beside a lane moved along it by so much. @return Whether it is cheaper there. */
static bool slide(path_trace *trace, lwi_search *search, const path_hold *last, int i, lw_vec3 step,
                  double *cost) {
  const lwi_ring_place *place = lwi_search_place(search, i);
  const lw_navmesh *mesh = search->graph.mesh;
  const lwi_polygon polygon = lwi_polygon_get(mesh, place->polygon);
  lw_vec3 *point = &search->corridor[i].point, before = *point, to;
  path_hold here, next;
  *point = lwi_add(before, step);
  if (lwi_polygon_holds(&polygon, *point, 0)) {
    point->y = lwi_polygon_height(mesh, place->polygon, point->x, point->z);
    lwi_trace_is_held(trace, i, &to, &here);
    double moved = cost_from(trace, last, i, to);
    int end = i + 1;
    while (!lwi_trace_is_held(trace, end, &to, &next)) end += 1;
    moved += cost_from(trace, &here, end, to);
    if (moved < *cost - SLIDE_WORTH) {
      *cost = moved;
      return true;
    }
  }
  *point = before;
  return false;
}

/* Places beside lanes are some metres apart; between them it may be cheaper to turn. */
static void slide_places(path_trace *trace, lwi_search *search) {
  path_hold last = lwi_trace_start(trace), next = last;
  lw_vec3 to;
  for (int i = 0; i < search->corridor_count; i++) {
    if (!lwi_trace_is_held(trace, i, &to, &next)) continue;
    const lwi_ring_place *place = lwi_search_place(search, i);
    if (place && place->portal == LWI_NONE && search->corridor[i].node >= search->lane_base) {
      const lwi_lane *lane = &trace->query->lanes->lanes[place->danger];
      lw_vec3 step = lwi_scale(lwi_sub(lane->to, lane->from), 0.5f / LWI_LANE_SIDE);
      step.y = 0;
      double cost = INFINITY;
      slide(trace, search, &last, i, lwi_vec3(0, 0, 0), &cost);
      for (int k = 0; k < SLIDES; k++) {
        if (!slide(trace, search, &last, i, step, &cost))
          slide(trace, search, &last, i, lwi_scale(step, -1), &cost);
        step = lwi_scale(step, 0.6f);
      }
      lwi_trace_is_held(trace, i, &to, &next);
    }
    last = next;
  }
}

void lwi_trace_settle(path_trace *trace, lwi_search *search) {
  if (search->place_base == LWI_NONE) return;
  release_places(trace, search);
  if (!trace->query->lanes) return;
  for (int i = 0; i < SLIDE_ROUNDS; i++) slide_places(trace, search);
}
