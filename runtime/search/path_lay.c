/* The way along a stretch of the corridor: as a string pulled taut between portals, or as it was searched; bent to where it is
   cheapest, laid over the ground, and thinned. */
#include "search/path_trace.h"

#include <string.h>

/* Points between corners are left out while the line stays this near the surface. [m] */
#define SURFACE_SLACK 0.01f

static uint32_t polygon_of(const path_trace *trace, int piece) {
  return trace->room->polygons[piece];
}

static lw_area_id area_of(const path_trace *trace, int piece) {
  return trace->search->graph.mesh->poly_areas[polygon_of(trace, piece)];
}

static float price_of(const path_trace *trace, int piece) {
  return lwi_price_on(trace->query->prices, trace->search->graph.mesh, polygon_of(trace, piece));
}

static lw_vec3 crossed_at(const path_trace *trace, int step) {
  if (step < trace->first_gate) return trace->from;
  return step < trace->end_gate ? lwi_search_crossing(trace->search, step) : trace->to;
}

/* --- gates ------------------------------------------------------------------------------------------------------- */

static lwi_gate gate_at(const path_trace *trace, int step, uint32_t polygon, lw_vec3 at) {
  const lwi_graph *graph = &trace->search->graph;
  const lwi_portal *portal = lwi_search_portal(trace->search, step);
  lwi_gate gate;
  if (!portal)
    return lwi_spot_gate(graph->mesh, polygon, crossed_at(trace, step - 1), at, crossed_at(trace, step + 1));
  lwi_graph_points(graph, polygon, portal, &gate.left, &gate.right);
  return gate;
}

/* What the search found: the gates, where it crossed them, and the polygons between them. */
static void find_crossings(path_trace *trace) {
  const lwi_path_room *room = trace->room;
  int count = 0;
  for (int step = trace->first_gate; step < trace->end_gate; step++) {
    const lwi_portal *portal = lwi_search_portal(trace->search, step);
    if (!portal && !lwi_search_is_spot(trace->search, step))
      continue; /* a place to turn at that is not needed */
    uint32_t polygon = room->polygons[count];
    room->crossings[count] = lwi_search_crossing(trace->search, step);
    room->gates[count] = gate_at(trace, step, polygon, room->crossings[count]);
    room->polygons[++count] = portal ? lwi_room_polygon(&trace->search->graph, portal->to) : polygon;
  }
  trace->gate_count = count;
}

/* The same once it was made clear of walls. */
static void find_cuts(path_trace *trace) {
  const lwi_path_room *room = trace->room;
  trace->gate_count = room->berth->counts[trace->stretch];
  for (int i = 0; i < trace->gate_count; i++) {
    room->gates[i] = trace->cuts[i].clear;
    room->crossings[i] = trace->cuts[i].crossing;
    room->polygons[i + 1] = trace->cuts[i].polygon;
  }
}

static void find_gates(path_trace *trace) {
  trace->room->polygons[0] = trace->from_poly;
  if (trace->cuts)
    find_cuts(trace);
  else
    find_crossings(trace);
}

/* --- the string -------------------------------------------------------------------------------------------------- */

lw_vec3 lwi_gate_crossing(lw_vec3 from, lw_vec3 to, lw_vec3 last, const lwi_gate *gate) {
  double left = lwi_turn(from, to, gate->left), right = lwi_turn(from, to, gate->right);
  double dx = (double)gate->left.x - gate->right.x, dz = (double)gate->left.z - gate->right.z;
  double gate2 = dx * dx + dz * dz, way = (double)lwi_distance_xz(from, to);
  double t = right / (right - left);
  if (fabs(right - left) <= 1e-5 * way * sqrt(gate2))
    t = gate2 > 0 ? (((double)last.x - gate->right.x) * dx + ((double)last.z - gate->right.z) * dz) / gate2 : 0;
  return lwi_lerp(gate->right, gate->left, (float)fmin(1, fmax(0, t)));
}

/* On the surface of the polygon that is left there: the edge itself is a straight line over uneven ground. */
static void lay_on_surface(const path_trace *trace, int gate) {
  lw_vec3 *point = &trace->points[gate + 1];
  point->y = lwi_polygon_height(trace->search->graph.mesh, polygon_of(trace, gate), point->x, point->z);
}

/* Where the taut string crosses gate i between two corners. Where the price changes, that was settled by the pull: a gate
   that the way runs along may be crossed anywhere, but on which side of it the way runs is what it pays. */
static lw_vec3 crossing_between(const path_trace *trace, lw_vec3 a, lw_vec3 b, int i) {
  const lwi_path_room *room = trace->room;
  if (room->prices[i] != room->prices[i + 1]) return room->crossings[i];
  return lwi_gate_crossing(a, b, trace->points[i], &room->gates[i]);
}

static void find_points(path_trace *trace) {
  const lwi_path_room *room = trace->room;
  int last = trace->gate_count + 1;
  trace->points[0] = trace->from;
  trace->keep[0] = true;
  /* A start on a corner has merged with it: the gates up to there are crossed where it stands. */
  for (int i = 0; i <= room->corners[0].portal; i++) trace->points[i + 1] = trace->from;
  for (int c = 0; c + 1 < trace->corner_count; c++) {
    const lwi_corner_point *a = &room->corners[c], *b = &room->corners[c + 1];
    for (int i = a->portal + 1; i < b->portal; i++)
      trace->points[i + 1] = crossing_between(trace, a->point, b->point, i);
    trace->points[b->portal + 1] = b->point;
    trace->keep[b->portal + 1] = true;
  }
  trace->points[last] = trace->to;
  trace->keep[last] = true;
  for (int i = 0; i < trace->gate_count; i++) lay_on_surface(trace, i);
  for (int i = 1; i < last; i++)
    if (area_of(trace, i - 1) != area_of(trace, i)) trace->keep[i] = true;
}

static void pull(path_trace *trace) {
  const lwi_path_room *room = trace->room;
  for (int i = 0; i <= trace->gate_count; i++) room->prices[i] = price_of(trace, i);
  lwi_string string = {
      .from = trace->from,
      .to = trace->to,
      .gate_count = trace->gate_count,
      .gates = room->gates,
      .prices = room->prices,
      .crossings = room->crossings,
      .best = room->best,
      .rounds = lwi_pull_rounds(trace->query->quality),
  };
  trace->corner_count = lwi_pull(&string, room->corners);
}

static void lay_taut(path_trace *trace) {
  find_gates(trace);
  memset(trace->keep, 0, (size_t)trace->gate_count + 2);
  pull(trace);
  find_points(trace);
}

/* Keep the ends, and where the area changes. */
static void keep_areas(path_trace *trace) {
  trace->keep[0] = trace->keep[trace->gate_count + 1] = true;
  for (int i = 0; i < trace->gate_count; i++) trace->keep[i + 1] = area_of(trace, i) != area_of(trace, i + 1);
}

/* Where the search crossed the gates; once the way was made clear of walls, where it does. */
static void lay_searched(path_trace *trace) {
  find_gates(trace);
  trace->points[0] = trace->from;
  trace->points[trace->gate_count + 1] = trace->to;
  for (int i = 0; i < trace->gate_count; i++) {
    trace->points[i + 1] = trace->room->crossings[i];
    lay_on_surface(trace, i);
  }
  keep_areas(trace);
}

/* --- over the ground --------------------------------------------------------------------------------------------- */

static int bends_of(const path_trace *trace, int piece, lw_vec3 to, lw_vec3 *bends) {
  return lwi_ground_bends(trace->search->graph.mesh, polygon_of(trace, piece), trace->points[piece], to, bends);
}

static int count_bends(const path_trace *trace) {
  lw_vec3 bends[LWI_GROUND_BENDS];
  int count = 0;
  for (int i = 0; i <= trace->gate_count; i++) count += bends_of(trace, i, trace->points[i + 1], bends);
  return count;
}

/* A point within a piece, with a gate across the way there. */
static void put_bend(path_trace *trace, int gate, uint32_t polygon, lw_vec3 before, lw_vec3 at,
                     lw_vec3 behind) {
  const lwi_path_room *room = trace->room;
  room->gates[gate] = lwi_spot_gate(trace->search->graph.mesh, polygon, before, at, behind);
  room->polygons[gate + 1] = polygon;
  trace->points[gate + 1] = at;
  trace->keep[gate + 1] = true;
}

static void move_gate(path_trace *trace, int from, int to) {
  const lwi_path_room *room = trace->room;
  room->gates[to] = room->gates[from];
  room->polygons[to + 1] = room->polygons[from + 1];
  trace->points[to + 1] = trace->points[from + 1];
  trace->keep[to + 1] = trace->keep[from + 1];
}

/* More points where the ground bends under the way: who walks on it is seen there. */
static void follow_ground(path_trace *trace) {
  int more = count_bends(trace), to = trace->gate_count + more;
  if (more == 0) return;
  if (!lwi_trace_grow(trace, trace->point_count + to + 2)) {
    trace->failed = true;
    return;
  }
  lw_vec3 end = trace->points[trace->gate_count + 1];
  trace->points[to + 1] = end;
  trace->keep[to + 1] = trace->keep[trace->gate_count + 1];
  for (int i = trace->gate_count; i >= 0; i--) {
    lw_vec3 bends[LWI_GROUND_BENDS], from = trace->points[i];
    uint32_t polygon = polygon_of(trace, i);
    for (int k = bends_of(trace, i, end, bends) - 1; k >= 0; k--)
      put_bend(trace, --to, polygon, from, bends[k], end);
    if (i > 0) move_gate(trace, i - 1, --to);
    end = from;
  }
  trace->gate_count += more;
}

/* --- thinning ---------------------------------------------------------------------------------------------------- */

static float off_line(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  float t = fminf(1, fmaxf(0, lwi_part_along(a, b, p)));
  return lwi_length(lwi_sub(lwi_sub(p, a), lwi_scale(lwi_sub(b, a), t)));
}

/* Keep what the straight line between two kept points would miss (Ramer 1972, Douglas and Peucker 1973). */
static void keep_surface(path_trace *trace) {
  int last = trace->gate_count + 1;
  for (int from = 0; from < last;) {
    int to = from + 1;
    while (!trace->keep[to]) to += 1;
    int worst = -1;
    float distance = SURFACE_SLACK;
    for (int i = from + 1; i < to; i++) {
      float off = off_line(trace->points[from], trace->points[to], trace->points[i]);
      if (off <= distance) continue;
      distance = off;
      worst = i;
    }
    if (worst < 0)
      from = to;
    else
      trace->keep[worst] = true; /* and look at the same stretch again, now shorter */
  }
}

/* Does the straight way from one point to another enter a danger as often as the way over the points between them? */
static bool enters_alike(const path_trace *trace, uint32_t danger, int from, int to) {
  const lwi_disc *disc = &trace->query->dangers->discs[danger];
  int times = 0;
  for (int i = from; i < to; i++) times += lwi_disc_enters(disc, trace->points[i], trace->points[i + 1]);
  return times == lwi_disc_enters(disc, trace->points[from], trace->points[to]);
}

static bool enters_all_alike(const path_trace *trace, int from, int to) {
  const lwi_dangers *dangers = trace->query->dangers;
  for (int i = from; i < to; i++)
    for (uint32_t k = lwi_rings_first(dangers, polygon_of(trace, i)); k != LWI_NONE;
         k = dangers->rings->rings[k].next)
      if (!enters_alike(trace, dangers->rings->rings[k].danger, from, to)) return false;
  return true;
}

/* The hair that the straight line between two kept points may be off could lead it into a danger, or past one. */
static void keep_dangers(path_trace *trace) {
  if (!trace->query->dangers) return;
  for (int from = 0, to; from <= trace->gate_count; from = to) {
    for (to = from + 1; !trace->keep[to];) to += 1;
    if (to == from + 1 || enters_all_alike(trace, from, to)) continue;
    for (int i = from + 1; i < to; i++) trace->keep[i] = true;
  }
}

/* A bent way is charged as it is handed out: what was left out moves onto the straight line between what was kept, and never
   back along it. */
static void straighten(path_trace *trace) {
  for (int from = 0, to; from <= trace->gate_count; from = to) {
    for (to = from + 1; !trace->keep[to];) to += 1;
    lw_vec3 a = trace->points[from], b = trace->points[to];
    float t = 0;
    for (int i = from + 1; i < to; i++) {
      lw_vec3 crossing = lwi_gate_crossing(a, b, trace->points[i], &trace->room->gates[i - 1]);
      t = fminf(1, fmaxf(t, lwi_part_along_xz(a, b, crossing)));
      trace->points[i] = lwi_lerp(a, b, t);
      lay_on_surface(trace, i - 1);
    }
  }
}

/* --- bending ----------------------------------------------------------------------------------------------------- */

/* Does the way enter none of the dangers, and none of the lanes? */
static bool is_free_of_danger(const path_trace *trace) {
  for (int i = 0; i <= trace->gate_count; i++)
    if (lwi_dangers_entered(trace->query->dangers, polygon_of(trace, i), trace->points[i],
                            trace->points[i + 1]) +
            lwi_lanes_price(trace->query->lanes, polygon_of(trace, i), trace->points[i], trace->points[i + 1]) >
        0)
      return false;
  return true;
}

static lwi_bent_way way_of(const path_trace *trace, const lwi_charges *charges) {
  const lwi_path_room *room = trace->room;
  return (lwi_bent_way){charges,       trace->gate_count, room->gates,   room->polygons,
                        trace->points, room->costs,       room->stirred, trace->query->berth};
}

/* Who is watched walks on the ground. @return What the way costs; negative: no memory. */
static double price_laid(path_trace *trace, const lwi_charges *charges) {
  if (trace->query->watch) follow_ground(trace);
  const lwi_bent_way way = way_of(trace, charges);
  return trace->failed ? -1 : lwi_bend_cost(&way);
}

/* Where it matters where it runs, the taut string is a first guess, and the way as it was searched another: the cheaper of them
   is bent towards where it is cheaper still, by depth maps if there are any, and where these see less than there is to see once
   more. The way of who keeps off walls was chosen when it was made clear of them. */
static void bend(path_trace *trace, const lwi_charges *exact) {
  lwi_charges charges = *exact;
  charges.rough = lwi_charges_by_guess(&charges);
  if (!trace->query->watch && is_free_of_danger(trace)) return; /* then nothing is cheaper */
  double laid = price_laid(trace, &charges);
  if (!trace->cuts && !trace->failed) {
    lay_searched(trace);
    double searched = price_laid(trace, &charges);
    if (searched >= 0 && laid <= searched) {
      lay_taut(trace);
      laid = price_laid(trace, &charges);
    }
  }
  lwi_bent_way way = way_of(trace, &charges);
  if (laid < 0 || trace->failed || !lwi_bend(&way) || (charges.rough && !lwi_bend_again(&way, exact))) {
    trace->failed = true;
    return;
  }
  keep_areas(trace);
  for (int i = 0; i < trace->gate_count; i++) lay_on_surface(trace, i);
}

void lwi_trace_lay(path_trace *trace) {
  const lwi_charges charges = lwi_query_charges(trace->query);
  const bool by_place = lwi_charges_by_place(&charges);
  if (by_place && trace->cuts)
    lay_searched(trace);
  else
    lay_taut(trace);
  if (by_place) bend(trace, &charges);
  keep_surface(trace);
  keep_dangers(trace);
  if (by_place) straighten(trace);
  if (lwi_query_threats(trace->query) > 0) follow_ground(trace);
}
