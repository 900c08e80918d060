#include "search/path_trace.h"

#include "core/status.h"
#include "search/berth_path.h"

#include <string.h>

/* Points between corners are left out while the line stays this near the surface. [m] */
#define SURFACE_SLACK 0.01f

/* --- building -------------------------------------------------------------------------------------------------- */

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

/* What the search found: the gates, where it crossed them, and the polygons between them. */
static void find_gates(path_trace *trace) {
  const lwi_path_room *room = trace->room;
  const lwi_graph *graph = &trace->search->graph;
  room->polygons[0] = trace->from_poly;
  for (int i = 0; i < trace->gate_count && trace->cuts; i++) {
    room->gates[i] = trace->cuts[i].clear;
    room->crossings[i] = trace->cuts[i].crossing;
    room->polygons[i + 1] = trace->cuts[i].polygon;
  }
  if (trace->cuts) return;
  int count = 0;
  for (int step = trace->first_gate; step < trace->end_gate; step++) {
    const lwi_portal *portal = lwi_search_portal(trace->search, step);
    bool is_spot = lwi_search_is_spot(trace->search, step);
    if (!portal && !is_spot) continue; /* a place to turn at that is not needed */
    lwi_gate *gate = &room->gates[count];
    uint32_t polygon = room->polygons[count];
    room->crossings[count] = lwi_search_crossing(trace->search, step);
    if (is_spot)
      *gate = lwi_spot_gate(graph->mesh, polygon, crossed_at(trace, step - 1), room->crossings[count],
                            crossed_at(trace, step + 1));
    else
      lwi_graph_points(graph, polygon, portal, &gate->left, &gate->right);
    room->polygons[++count] = is_spot ? polygon : lwi_room_polygon(graph, portal->to);
  }
  trace->gate_count = count;
}

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

static float off_line(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  lw_vec3 ab = lwi_sub(b, a), ap = lwi_sub(p, a);
  float length2 = lwi_dot(ab, ab);
  float t = length2 > 0 ? fminf(1, fmaxf(0, lwi_dot(ap, ab) / length2)) : 0;
  return lwi_length(lwi_sub(ap, lwi_scale(ab, t)));
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

/* How far along the straight way from a to b a point is, as a part of it. */
static float part_along(lw_vec3 a, lw_vec3 b, lw_vec3 point) {
  float x = b.x - a.x, z = b.z - a.z, length2 = x * x + z * z;
  return length2 > 0 ? ((point.x - a.x) * x + (point.z - a.z) * z) / length2 : 0;
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
      t = fminf(1, fmaxf(t, part_along(a, b, crossing)));
      trace->points[i] = lwi_lerp(a, b, t);
      lay_on_surface(trace, i - 1);
    }
  }
}

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

/* The taut string is a first guess, and where the search crossed the gates is another: take the cheaper. */
static bool take_cheaper(path_trace *trace, const lwi_bent_way *way) {
  const lwi_path_room *room = trace->room;
  size_t gates = (size_t)trace->gate_count;
  double pulled = lwi_bend_cost(way);
  memcpy(room->best, trace->points + 1, gates * sizeof *room->best);
  memcpy(trace->points + 1, room->searched, gates * sizeof *room->best);
  double searched = lwi_bend_cost(way);
  if (pulled < 0 || searched < 0) return false;
  if (pulled > searched) return true;
  memcpy(trace->points + 1, room->best, gates * sizeof *room->best);
  return lwi_bend_cost(way) >= 0;
}

/* Where it matters where it runs, the way is bent towards where it is cheaper: by depth maps if there are any, and where these
   see less than there is to see once more. That of who keeps off walls was chosen when it was made clear of them. */
static void take_cover(path_trace *trace) {
  const lwi_charges exact = lwi_query_charges(trace->query);
  lwi_charges charges = exact;
  const lwi_path_room *room = trace->room;
  if (!lwi_charges_by_place(&charges)) return;
  charges.rough = lwi_charges_by_guess(&charges);
  lwi_bent_way way = {&charges,      trace->gate_count, room->gates,   room->polygons,
                      trace->points, room->costs,       room->stirred, trace->query->berth};
  if (!trace->query->watch && is_free_of_danger(trace)) return; /* then nothing is cheaper */
  bool done = trace->cuts ? lwi_bend_cost(&way) >= 0 : take_cheaper(trace, &way);
  if (!done || !lwi_bend(&way) || (charges.rough && !lwi_bend_again(&way, &exact))) trace->failed = true;
  for (int i = 0; i < trace->gate_count; i++) {
    trace->keep[i + 1] = area_of(trace, i) != area_of(trace, i + 1);
    lay_on_surface(trace, i);
  }
}

/* Add what is seen of a piece to what is noted at the kept point that it belongs to. */
static void account_seen(path_trace *trace, const lwi_charges *charges, const lwi_bill *bill, int at,
                         bool first) {
  int threats = charges->watch->query.threat_count;
  lwi_tally *sum = &trace->tallies[at];
  float *seen = trace->room->seen + (trace->point_count + at) * threats;
  sum->exposed += bill->exposed;
  sum->seen += bill->seen;
  trace->exposed += (double)bill->exposed;
  for (int k = 0; k < threats; k++) seen[k] = (first ? 0 : seen[k]) + charges->exposed_to[k];
}

/* What every piece of a stretch costs, and what there is to know of it. */
static void account(path_trace *trace) {
  lwi_charges charges = lwi_query_account(trace->query);
  int at = 0; /* the kept point that the piece belongs to */
  double began = trace->length;
  charges.exposed_to = trace->room->seen_now;
  for (int i = 0; i <= trace->gate_count; i++) {
    lwi_bill bill;
    if (!lwi_charge(&charges, polygon_of(trace, i), trace->points[i], trace->points[i + 1], &bill))
      trace->failed = true;
    if (trace->keep[i]) {
      trace->tallies[at].length = (float)(trace->length - began);
      trace->tallies[at = i] = (lwi_tally){0};
      began = trace->length;
    }
    if (charges.watch) account_seen(trace, &charges, &bill, at, at == i);
    trace->tallies[at].danger += bill.danger;
    trace->tallies[at].lanes += bill.lanes;
    if (charges.prices->by_place || charges.mesh->deep_waters[polygon_of(trace, i)] > 0)
      lwi_tally_place(&trace->tallies[at], charges.prices, charges.mesh, polygon_of(trace, i), bill.length);
    trace->length += (double)bill.length;
    trace->cost += (double)lwi_bill_sum(&bill);
    trace->pieces[i] = (lwi_piece){polygon_of(trace, i), LWI_NONE};
  }
  trace->tallies[at].length = (float)(trace->length - began);
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

/* The way that was made clear of walls leads through its gates where that is cheapest. */
static void find_clear_points(path_trace *trace) {
  trace->points[0] = trace->from;
  trace->points[trace->gate_count + 1] = trace->to;
  trace->keep[0] = trace->keep[trace->gate_count + 1] = true;
  for (int i = 0; i < trace->gate_count; i++) {
    trace->points[i + 1] = trace->room->crossings[i];
    trace->keep[i + 1] = area_of(trace, i) != area_of(trace, i + 1);
    lay_on_surface(trace, i);
  }
}

static void trace_stretch(path_trace *trace) {
  const lwi_charges charges = lwi_query_charges(trace->query);
  trace->points = trace->room->points + trace->point_count;
  trace->tallies = trace->room->tallies + trace->point_count;
  trace->pieces = trace->room->pieces + trace->point_count;
  trace->keep = trace->room->keep + trace->point_count;
  find_gates(trace);
  memset(trace->keep, 0, (size_t)trace->gate_count + 2);
  const bool by_place = lwi_charges_by_place(&charges);
  if (by_place && trace->cuts) {
    find_clear_points(trace);
  } else {
    if (by_place)
      memcpy(trace->room->searched, trace->room->crossings, (size_t)trace->gate_count * sizeof(lw_vec3));
    pull(trace);
    find_points(trace);
  }
  take_cover(trace);
  keep_surface(trace);
  keep_dangers(trace);
  if (by_place) straighten(trace);
  account(trace);
  trace->point_count += trace->gate_count + 2;
}

/* The piece from the last point of this stretch to the first of the next. */
static void trace_link(path_trace *trace, const lwi_link *link) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  trace->length += (double)link->length;
  const lwi_charges charges = lwi_query_account(trace->query);
  trace->cost += (double)lwi_charge_link(&charges, link);
  trace->pieces[trace->gate_count + 1] = (lwi_piece){link->from, (uint32_t)(link - mesh->links)};
}

/* The same where there is no link between them: the string turns there. */
static void trace_turn(path_trace *trace, uint32_t polygon) {
  int last = trace->gate_count + 1, threats = lwi_query_threats(trace->query);
  float *seen = trace->room->seen + (trace->point_count - 1) * threats;
  trace->pieces[last] = (lwi_piece){polygon, LWI_NONE};
  trace->tallies[last] = (lwi_tally){0};
  for (int k = 0; k < threats; k++) seen[k] = 0;
}

path_hold lwi_trace_start(const path_trace *trace) {
  const lwi_search_query *query = trace->query;
  return (path_hold){query->from, lwi_room_polygon(&trace->search->graph, query->from_room), 0};
}

bool lwi_trace_is_held(const path_trace *trace, int i, lw_vec3 *point, path_hold *next) {
  const lwi_search *search = trace->search;
  *point = trace->query->to;
  if (i == search->corridor_count) return true;
  const lwi_link *link = lwi_search_link(search, i);
  if (!link && !lwi_search_place(search, i)) return false;
  *point = link ? link->start : lwi_search_crossing(search, i);
  *next = (path_hold){link ? link->end : *point, link ? link->to : lwi_search_polygon(search, i), i + 1};
  return true;
}

void lwi_trace_from(path_trace *trace, const path_hold *from, int end, lw_vec3 to) {
  trace->from = from->point;
  trace->from_poly = from->polygon;
  trace->to = to;
  trace->first_gate = from->first_gate;
  trace->end_gate = end;
  trace_stretch(trace);
}

/* @return Links on the way. */
static int trace_corridor(path_trace *trace) {
  const lwi_search *search = trace->search;
  int links = 0;
  path_hold from = lwi_trace_start(trace), next = from;
  lw_vec3 to;
  for (int i = 0; i <= search->corridor_count; i++) {
    if (!lwi_trace_is_held(trace, i, &to, &next)) continue;
    if (trace->cuts) trace->gate_count = trace->room->berth->counts[links];
    lwi_trace_from(trace, &from, i, to);
    if (trace->cuts) trace->cuts += trace->gate_count;
    if (i == search->corridor_count) break;
    const lwi_link *link = lwi_search_link(search, i);
    if (link)
      trace_link(trace, link);
    else
      trace_turn(trace, next.polygon);
    links += link != NULL;
    from = next;
  }
  return links;
}

/* --- the path from it ------------------------------------------------------------------------------------------- */

/* Does step `i` of the corridor lead to no other polygon? */
static bool is_within(const lwi_search *search, int i) {
  const lwi_ring_place *place = lwi_search_place(search, i);
  return lwi_search_is_spot(search, i) || (place && place->portal == LWI_NONE);
}

static lw_area_id area_of_piece(const lw_navmesh *mesh, lwi_piece piece) {
  lw_area_id area = piece.link == LWI_NONE ? LW_AREA_NONE : mesh->links[piece.link].area;
  return area != LW_AREA_NONE ? area : mesh->poly_areas[piece.polygon];
}

static bool make_arrays(lw_path *path, const path_trace *trace, int links) {
  const lwi_search *search = trace->search;
  size_t kept = 0, runs = 0, polygons = 1;
  int area = -1; /* of the run; -1: none, or a link */
  for (int i = 0; i < search->corridor_count; i++) polygons += !is_within(search, i);
  for (int i = 0; i < trace->point_count; i++) {
    if (!trace->room->keep[i]) continue;
    const lwi_piece *piece = &trace->room->pieces[i];
    kept += 1;
    if (i + 1 == trace->point_count) break;
    int next = piece->link == LWI_NONE ? area_of_piece(search->graph.mesh, *piece) : -1;
    runs += next < 0 || next != area;
    area = next;
  }
  path->table = search->graph.mesh->areas;
  path->threat_count = lwi_query_threats(trace->query);
  return lwi_path_alloc(path, kept, runs, links, polygons);
}

static lwi_path_link path_link(const lw_navmesh *mesh, uint32_t index, int point) {
  const lwi_link *link = &mesh->links[index];
  return (lwi_path_link){point, (lw_link_kind)link->kind, link->length, lwi_poly_id(mesh, link->to), -1, 0};
}

/* Note what a metre of the piece at point `i` of the trace is, for the path's piece `at`. */
static void add_run(const path_trace *trace, lw_path *path, int i, int at) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const lwi_piece *piece = &trace->room->pieces[i];
  lwi_run *last = path->run_count > 0 ? &path->runs[path->run_count - 1] : NULL;
  if (last && last->first == at) path->run_count -= 1; /* of a piece without length */
  last = path->run_count > 0 ? &path->runs[path->run_count - 1] : NULL;
  lw_area_id area = mesh->poly_areas[piece->polygon];
  if (piece->link == LWI_NONE) {
    if (last && last->link == LW_LINK_NONE && last->area == area) return;
    const lwi_prices *prices = lwi_query_account(trace->query).prices;
    path->runs[path->run_count] = lwi_run_ground(prices, area);
  } else {
    const lwi_edge edge = lwi_edge_of(mesh, &mesh->links[piece->link]);
    path->runs[path->run_count] = lwi_run_link(lwi_query_account(trace->query).prices, &edge);
  }
  path->runs[path->run_count++].first = at;
}

static lwi_tally tally_link(const path_trace *trace, const lwi_link *link) {
  const lwi_charges charges = lwi_query_account(trace->query);
  return (lwi_tally){.length = link->length,
                     .danger = lwi_dangers_landed(charges.dangers, link->to, link->start, link->end)};
}

/* What the piece that begins at point `i` of the trace was charged goes to the path's piece `at`, on top of what one without
   length before it was. */
static void account_piece(const path_trace *trace, lw_path *path, int i, int at, bool on_top) {
  const lwi_piece *piece = &trace->room->pieces[i];
  const lwi_tally before = on_top ? path->tallies[at] : (lwi_tally){0};
  float *seen = path->seen + at * path->threat_count;
  const float *sums = trace->room->seen + i * path->threat_count;
  bool is_last = i + 1 == trace->point_count, is_link = !is_last && piece->link != LWI_NONE;
  if (!is_last) add_run(trace, path, i, at);
  path->tallies[at] = is_last || is_link ? (lwi_tally){0} : trace->room->tallies[i];
  if (is_link) path->tallies[at] = tally_link(trace, &trace->search->graph.mesh->links[piece->link]);
  if (on_top) lwi_tally_add(&path->tallies[at], &before);
  for (int k = 0; k < path->threat_count; k++)
    seen[k] = (on_top ? seen[k] : 0) + (is_last || is_link ? 0 : sums[k]);
}

/* Copy the kept points, leaving out pieces without length, but for links. */
static void copy_points(const path_trace *trace, lw_path *path) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const lwi_path_room *room = trace->room;
  int count = 0, links = 0;
  bool after_link = false;
  for (int i = 0; i < trace->point_count; i++) {
    if (!room->keep[i]) continue;
    bool is_last = i + 1 == trace->point_count, is_link = !is_last && room->pieces[i].link != LWI_NONE;
    bool again = count > 0 && !after_link && lwi_equal(path->points[count - 1], room->points[i]);
    if (again) count -= 1;
    if (is_link) path->links[links++] = path_link(mesh, room->pieces[i].link, count);
    account_piece(trace, path, i, count, again);
    path->points[count] = room->points[i];
    path->areas[count++] = is_last ? LW_AREA_NONE : area_of_piece(mesh, room->pieces[i]);
    after_link = is_link;
  }
  path->point_count = count;
}

void lwi_path_sum_up(lw_path *path) {
  double rest = 0;
  int link = path->link_count - 1;
  for (int i = path->point_count - 1; i >= 0; i--) {
    if (link >= 0 && path->links[link].point == i)
      rest += (double)path->links[link--].length;
    else if (i + 1 < path->point_count)
      rest += (double)lwi_distance(path->points[i], path->points[i + 1]);
    path->remaining[i] = (float)rest;
  }
}

static bool fill(path_trace *trace, lw_path *path) {
  if (!make_arrays(path, trace, trace_corridor(trace)) || trace->failed) return false;
  path->length = (float)trace->length;
  path->cost = (float)trace->cost;
  path->exposed = (float)trace->exposed;
  copy_points(trace, path);
  lwi_path_sum_up(path);
  const lw_navmesh *mesh = trace->search->graph.mesh;
  path->corridor[0] = lwi_poly_id(mesh, lwi_room_polygon(&trace->search->graph, trace->query->from_room));
  int count = 1;
  for (int i = 0; i < trace->search->corridor_count; i++)
    if (!is_within(trace->search, i))
      path->corridor[count++] = lwi_poly_id(mesh, lwi_search_polygon(trace->search, i));
  return true;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

lw_status lwi_path_build(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                         const lw_allocator *allocator, lw_path **out) {
  int points = search->corridor_count + 2; /* links have two */
  for (int i = 0; i < search->corridor_count; i++)
    points += lwi_search_link(search, i) || lwi_search_place(search, i);
  if (query->berth) points += room->berth->gate_count;
  if (!lwi_path_room_reserve(room, points, lwi_query_threats(query))) return LW_OUT_OF_MEMORY;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *path = lwi_alloc_zero(&memory, sizeof *path);
  if (!path) return LW_OUT_OF_MEMORY;
  path->memory = memory;
  path->nodes = search->expanded;
  path_trace trace = {.search = search, .query = query, .room = room};
  if (query->berth) trace.cuts = room->berth->gates;
  lwi_trace_settle(&trace, search);
  if (!fill(&trace, path)) {
    lw_path_destroy(path);
    return LW_OUT_OF_MEMORY;
  }
  *out = path;
  return LW_OK;
}
