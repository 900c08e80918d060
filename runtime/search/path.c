#include "search/path_trace.h"

#include "core/status.h"
#include "search/berth_path.h"

#include <string.h>

/* --- what it costs ----------------------------------------------------------------------------------------------- */

static uint32_t polygon_of(const path_trace *trace, int piece) {
  return trace->room->polygons[piece];
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

bool lwi_trace_grow(path_trace *trace, int points) {
  lwi_path_room *room = trace->room;
  bool grown = lwi_path_room_reserve(room, points, lwi_query_threats(trace->query));
  trace->points = room->points + trace->point_count;
  trace->tallies = room->tallies + trace->point_count;
  trace->pieces = room->pieces + trace->point_count;
  trace->keep = room->keep + trace->point_count;
  return grown;
}

static void trace_stretch(path_trace *trace) {
  int gates = trace->cuts ? trace->room->berth->counts[trace->stretch] : trace->end_gate - trace->first_gate;
  trace->failed = trace->failed || !lwi_trace_grow(trace, trace->point_count + gates + 2);
  if (trace->failed) return;
  lwi_trace_lay(trace);
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
    trace->stretch = links;
    lwi_trace_from(trace, &from, i, to);
    if (trace->cuts) trace->cuts += trace->room->berth->counts[links];
    if (i == search->corridor_count || trace->failed) break;
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
  int links = trace_corridor(trace);
  if (trace->failed || !make_arrays(path, trace, links)) return false;
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
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *path = lwi_alloc_zero(&memory, sizeof *path);
  if (!path) return LW_OUT_OF_MEMORY;
  path->memory = memory;
  path->nodes = search->expanded;
  path_trace trace = {.search = search, .query = query, .room = room};
  if (query->berth) trace.cuts = room->berth->gates;
  if (!query->berth) lwi_trace_settle(&trace, search);
  if (!fill(&trace, path)) {
    lw_path_destroy(path);
    return LW_OUT_OF_MEMORY;
  }
  *out = path;
  return LW_OK;
}
