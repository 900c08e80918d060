#include "search/path.h"

#include "core/status.h"
#include "search/berth_path.h"

#include <string.h>

/* Points between corners are left out while the line stays this near the surface. [m] */
#define SURFACE_SLACK 0.01f

lw_path_query lw_path_query_default(void) {
  return (lw_path_query){.snap = {2, 4, 2},
                         .navmesh = LW_NAVMESH_FITTING,
                         .max_nodes = INT32_MAX,
                         .heights = {0.9f, 1.6f},
                         .height_count = 2,
                         .cookie = LWI_COOKIE};
}

/* A slice of a block. Slices whose elements are larger come first. */
static void *carve(char **at, size_t count, size_t size) {
  void *slice = *at;
  *at += count * size;
  return slice;
}

bool lwi_path_alloc(lw_path *path, size_t points, int links, size_t polygons) {
  size_t each = sizeof *path->points + sizeof *path->areas + sizeof *path->remaining + sizeof *path->accounts +
                (size_t)path->threat_count * sizeof *path->seen;
  path->size = polygons * sizeof *path->corridor + (size_t)links * sizeof *path->links + points * each;
  path->block = lwi_alloc(&path->memory, path->size);
  if (!path->block) return false;
  char *at = path->block;
  path->corridor = carve(&at, polygons, sizeof *path->corridor);
  path->links = carve(&at, (size_t)links, sizeof *path->links);
  path->points = carve(&at, points, sizeof *path->points);
  path->remaining = carve(&at, points, sizeof *path->remaining);
  path->accounts = carve(&at, points, sizeof *path->accounts);
  path->seen = carve(&at, points * (size_t)path->threat_count, sizeof *path->seen);
  path->areas = carve(&at, points, sizeof *path->areas);
  path->link_count = links;
  path->corridor_count = (int)polygons;
  return true;
}

void lw_path_destroy(lw_path *path) {
  if (!path) return;
  lwi_memory memory = path->memory;
  lwi_free(&memory, path->block, path->size);
  lwi_free(&memory, path, sizeof *path);
}

const lw_vec3 *lw_path_points(const lw_path *path, int *count) {
  *count = path->point_count;
  return path->points;
}
const lw_poly_id *lw_path_corridor(const lw_path *path, int *count) {
  *count = path->corridor_count;
  return path->corridor;
}
lw_area_id lw_path_area(const lw_path *path, int index) {
  return index >= 0 && index < path->point_count ? path->areas[index] : LW_AREA_NONE;
}
const lwi_path_link *lwi_path_link_at(const lw_path *path, int index) {
  for (int i = 0; i < path->link_count; i++)
    if (path->links[i].point == index) return &path->links[i];
  return NULL;
}
lw_link_kind lw_path_link(const lw_path *path, int index) {
  const lwi_path_link *link = lwi_path_link_at(path, index);
  return link ? link->kind : LW_LINK_NONE;
}
float lw_path_remaining(const lw_path *path, int index) {
  return index >= 0 && index < path->point_count ? path->remaining[index] : 0;
}
float lw_path_length(const lw_path *path) {
  return path->length;
}
float lw_path_cost(const lw_path *path) {
  return path->cost;
}
bool lw_path_is_partial(const lw_path *path) {
  return path->partial;
}
int lw_path_navmesh(const lw_path *path) {
  return path->navmesh;
}
float lw_path_exposed(const lw_path *path) {
  return path->exposed;
}
int lw_path_nodes(const lw_path *path) {
  return path->nodes;
}

/* --- building -------------------------------------------------------------------------------------------------- */

/* The path before it is thinned: a point at every portal, so that each piece lies in one polygon. The string is pulled in
   stretches from link to link, whose ends are fixed. */
typedef struct path_trace {
  const lwi_search *search;
  const lwi_search_query *query;
  const lwi_path_room *room;
  const lwi_berth_gate
      *cuts;       /* gates of the stretches from this one on, with cuts between them; NULL: as searched */
  int point_count; /* of the stretches before this one */
  double length, cost, exposed;
  bool failed; /* no memory to see by */

  /* This stretch. */
  lw_vec3 from, to;
  uint32_t from_poly;
  int first_gate; /* in the corridor */
  int gate_count, corner_count;
  lw_vec3 *points; /* [gate_count + 2] of the room's, and so are the others */
  lwi_piece *pieces;
  lwi_account *accounts;
  bool *keep;
} path_trace;

static uint32_t polygon_of(const path_trace *trace, int piece) {
  return trace->room->polygons[piece];
}

static lw_area_id area_of(const path_trace *trace, int piece) {
  return trace->search->graph.mesh->poly_areas[polygon_of(trace, piece)];
}

static float price_of(const path_trace *trace, int piece) {
  return lwi_price_on(trace->query->prices, trace->search->graph.mesh, polygon_of(trace, piece));
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
  for (int i = 0; i < trace->gate_count && !trace->cuts; i++) {
    const lwi_portal *portal = lwi_search_portal(trace->search, trace->first_gate + i);
    lwi_graph_points(graph, room->polygons[i], portal, &room->gates[i].left, &room->gates[i].right);
    room->crossings[i] = lwi_search_crossing(trace->search, trace->first_gate + i);
    room->polygons[i + 1] = lwi_room_polygon(graph, portal->to);
  }
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

/* Seen, the taut string is a first guess, and where the search crossed the gates is another: the cheaper of them is bent
   towards cover. Who keeps off walls keeps to the string, which is known to be clear of them. */
static void take_cover(path_trace *trace) {
  lwi_charges charges = lwi_query_charges(trace->query);
  const lwi_path_room *room = trace->room;
  if (!lwi_charges_by_place(&charges) || trace->cuts) return;
  size_t gates = (size_t)trace->gate_count;
  lwi_bent_way way = {&charges, trace->gate_count, room->gates, room->polygons, trace->points};
  double pulled = lwi_bend_cost(&way);
  memcpy(room->best, trace->points + 1, gates * sizeof *room->best);
  memcpy(trace->points + 1, room->searched, gates * sizeof *room->best);
  double searched = lwi_bend_cost(&way);
  trace->failed = trace->failed || pulled < 0 || searched < 0;
  if (pulled <= searched) memcpy(trace->points + 1, room->best, gates * sizeof *room->best);
  if (!lwi_bend(&way)) trace->failed = true;
  for (int i = 0; i < trace->gate_count; i++) {
    trace->keep[i + 1] = area_of(trace, i) != area_of(trace, i + 1);
    lay_on_surface(trace, i);
  }
}

static void account(path_trace *trace) {
  lwi_charges charges = lwi_query_account(trace->query);
  int threats = lwi_query_threats(trace->query);
  lwi_account *sum = NULL; /* of the kept point that the piece belongs to */
  float *seen = NULL;
  charges.exposed_to = threats > 0 ? trace->room->seen_now : NULL;
  for (int i = 0; i <= trace->gate_count; i++) {
    lwi_bill bill;
    if (!lwi_charge(&charges, polygon_of(trace, i), trace->points[i], trace->points[i + 1], &bill))
      trace->failed = true;
    if (trace->keep[i]) {
      sum = &trace->accounts[i];
      *sum = (lwi_account){0};
      seen = trace->room->seen + (trace->point_count + i) * threats;
      for (int k = 0; k < threats; k++) seen[k] = 0;
    }
    lwi_account_piece(sum, &bill);
    for (int k = 0; k < threats; k++) seen[k] += charges.exposed_to[k];
    trace->length += (double)bill.length;
    trace->cost += (double)bill.ground + (double)bill.seen;
    trace->exposed += (double)bill.exposed;
    trace->pieces[i] = (lwi_piece){polygon_of(trace, i), LWI_NONE};
  }
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
  };
  trace->corner_count = lwi_pull(&string, room->corners);
}

static void trace_stretch(path_trace *trace) {
  trace->points = trace->room->points + trace->point_count;
  trace->accounts = trace->room->accounts + trace->point_count;
  trace->pieces = trace->room->pieces + trace->point_count;
  trace->keep = trace->room->keep + trace->point_count;
  find_gates(trace);
  if (trace->query->watch)
    memcpy(trace->room->searched, trace->room->crossings, (size_t)trace->gate_count * sizeof(lw_vec3));
  pull(trace);
  find_points(trace);
  take_cover(trace);
  keep_surface(trace);
  account(trace);
  trace->point_count += trace->gate_count + 2;
}

/* The piece from the last point of this stretch to the first of the next. */
static void trace_link(path_trace *trace, const lwi_link *link) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  trace->length += (double)link->length;
  trace->cost +=
      (double)link->length * (double)lwi_link_price(mesh, link, lwi_query_account(trace->query).prices);
  trace->pieces[trace->gate_count + 1] = (lwi_piece){link->from, (uint32_t)(link - mesh->links)};
}

/* @return Links on the way. */
static int trace_corridor(path_trace *trace) {
  const lwi_search *search = trace->search;
  int links = 0, first = 0;
  lw_vec3 from = trace->query->from;
  uint32_t from_poly = lwi_room_polygon(&search->graph, trace->query->from_room);
  for (int i = 0; i <= search->corridor_count; i++) {
    const lwi_link *link = i < search->corridor_count ? lwi_search_link(search, i) : NULL;
    if (i < search->corridor_count && !link) continue;
    trace->from = from;
    trace->from_poly = from_poly;
    trace->to = link ? link->start : trace->query->to;
    trace->first_gate = first;
    trace->gate_count = trace->cuts ? trace->room->berth->counts[links] : i - first;
    trace_stretch(trace);
    if (trace->cuts) trace->cuts += trace->gate_count;
    if (!link) break;
    trace_link(trace, link);
    from = link->end;
    from_poly = link->to;
    first = i + 1;
    links += 1;
  }
  return links;
}

/* --- the path from it ------------------------------------------------------------------------------------------- */

static bool make_arrays(lw_path *path, const path_trace *trace, int links) {
  size_t kept = 0;
  for (int i = 0; i < trace->point_count; i++) kept += trace->room->keep[i];
  path->table = trace->search->graph.mesh->areas;
  path->threat_count = lwi_query_threats(trace->query);
  return lwi_path_alloc(path, kept, links, (size_t)trace->search->corridor_count + 1);
}

static lw_area_id area_of_piece(const lw_navmesh *mesh, lwi_piece piece) {
  lw_area_id area = piece.link == LWI_NONE ? LW_AREA_NONE : mesh->links[piece.link].area;
  return area != LW_AREA_NONE ? area : mesh->poly_areas[piece.polygon];
}

static lwi_path_link path_link(const lw_navmesh *mesh, uint32_t index, int point) {
  const lwi_link *link = &mesh->links[index];
  return (lwi_path_link){point, (lw_link_kind)link->kind, link->length, lwi_poly_id(mesh, link->to), -1, 0};
}

static lwi_account account_of_link(const path_trace *trace, const lwi_link *link) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const lwi_accounted_link taken = {(lw_link_kind)link->kind, link->length, link->area,
                                    mesh->poly_areas[link->from], mesh->poly_areas[link->to]};
  return lwi_account_link(lwi_query_account(trace->query).prices, mesh->areas, &taken);
}

/* What the piece that begins at point `i` of the trace was charged goes to the path's piece `at`, on top of what one without
   length before it was. */
static void account_piece(const path_trace *trace, lw_path *path, int i, int at, bool on_top) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const lwi_piece *piece = &trace->room->pieces[i];
  lwi_account before = on_top ? path->accounts[at] : (lwi_account){0}, *sum = &path->accounts[at];
  float *seen = path->seen + at * path->threat_count;
  const float *sums = trace->room->seen + i * path->threat_count;
  bool is_last = i + 1 == trace->point_count, is_link = !is_last && piece->link != LWI_NONE;
  *sum = is_last   ? (lwi_account){0}
         : is_link ? account_of_link(trace, &mesh->links[piece->link])
                   : trace->room->accounts[i];
  if (!is_last && !is_link)
    lwi_account_ground(sum, lwi_query_account(trace->query).prices, mesh->areas,
                       mesh->poly_areas[piece->polygon]);
  lwi_account_add(sum, &before);
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
  for (int i = 1; i < path->corridor_count; i++)
    path->corridor[i] = lwi_poly_id(mesh, lwi_search_polygon(trace->search, i - 1));
  return true;
}

/* --- room to work in -------------------------------------------------------------------------------------------- */

static void free_block(lwi_path_room *room) {
  lwi_free(room->memory, room->block, room->size);
  *room = (lwi_path_room){
      .memory = room->memory, .berth = room->berth, .seen = room->seen, .seen_capacity = room->seen_capacity};
}

static bool make_room(lwi_path_room *room, int points) {
  if (points <= room->capacity) return true;
  int capacity = points + points / 2 + 64;
  size_t each = sizeof *room->gates + sizeof *room->prices + 4 * sizeof(lw_vec3) + sizeof *room->pieces +
                sizeof *room->accounts + sizeof *room->corners + sizeof *room->polygons + sizeof *room->keep;
  char *block = lwi_alloc(room->memory, (size_t)capacity * each);
  if (!block) return false;
  free_block(room);
  room->block = block;
  room->size = (size_t)capacity * each;
  room->capacity = capacity;
  room->gates = carve(&block, (size_t)capacity, sizeof *room->gates);
  room->prices = carve(&block, (size_t)capacity, sizeof *room->prices);
  room->crossings = carve(&block, (size_t)capacity, sizeof *room->crossings);
  room->best = carve(&block, (size_t)capacity, sizeof *room->best);
  room->searched = carve(&block, (size_t)capacity, sizeof *room->searched);
  room->points = carve(&block, (size_t)capacity, sizeof *room->points);
  room->pieces = carve(&block, (size_t)capacity, sizeof *room->pieces);
  room->accounts = carve(&block, (size_t)capacity, sizeof *room->accounts);
  room->corners = carve(&block, (size_t)capacity, sizeof *room->corners);
  room->polygons = carve(&block, (size_t)capacity, sizeof *room->polygons);
  room->keep = carve(&block, (size_t)capacity, sizeof *room->keep);
  return true;
}

/* Room for what each threat sees: of every point, and one more to work in. */
static bool make_seen(lwi_path_room *room, int points, int threats) {
  if (!lwi_reserve(room->memory, &room->seen, &room->seen_capacity, (points + 1) * threats, sizeof *room->seen))
    return false;
  room->seen_now = room->seen + points * threats;
  return true;
}

void lwi_path_room_free(lwi_path_room *room) {
  free_block(room);
  lwi_free(room->memory, room->seen, (size_t)room->seen_capacity * sizeof *room->seen);
  room->seen = NULL;
  room->seen_capacity = 0;
  if (!room->berth) return;
  lwi_berth_room_free(room->berth);
  lwi_free(room->memory, room->berth, sizeof *room->berth);
  room->berth = NULL;
}

/* Build the path along search->corridor, which may be empty. */
static lw_status build(const lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                       const lw_allocator *allocator, lw_path **out) {
  int points = search->corridor_count + 2; /* links have two */
  for (int i = 0; i < search->corridor_count; i++) points += lwi_search_link(search, i) != NULL;
  if (query->berth) points += room->berth->gate_count;
  if (!make_room(room, points)) return LW_OUT_OF_MEMORY;
  if (!make_seen(room, points, lwi_query_threats(query))) return LW_OUT_OF_MEMORY;
  memset(room->keep, 0, (size_t)points * sizeof *room->keep);
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *path = lwi_alloc_zero(&memory, sizeof *path);
  if (!path) return LW_OUT_OF_MEMORY;
  path->memory = memory;
  path->nodes = search->expanded;
  path_trace trace = {.search = search, .query = query, .room = room};
  if (query->berth) trace.cuts = room->berth->gates;
  if (!fill(&trace, path)) {
    lw_path_destroy(path);
    return LW_OUT_OF_MEMORY;
  }
  *out = path;
  return LW_OK;
}

/* Searches for one path: each of the others found a way that was too narrow after all. */
#define MAX_SEARCHES 16

static bool make_berth_room(lwi_path_room *room) {
  if (room->berth) return true;
  room->berth = lwi_alloc_zero(room->memory, sizeof *room->berth);
  if (room->berth) room->berth->memory = room->memory;
  return room->berth != NULL;
}

static lw_status search_wide(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                             const lw_allocator *allocator, lw_path **path) {
  lwi_ban bans[MAX_SEARCHES];
  lwi_search_query next = *query;
  next.bans = bans;
  if (!make_berth_room(room)) return LW_OUT_OF_MEMORY;
  lw_status status = LW_NO_PATH;
  for (next.ban_count = 0; next.ban_count < MAX_SEARCHES; next.ban_count++) {
    status = lwi_search_run(search, &next);
    if (status != LW_OK) return status;
    status = lwi_berth_widen(query->berth, search, &next, room->berth);
    if (status == LW_OK) return build(search, &next, room, allocator, path);
    if (status != LW_NO_PATH) return status;
    bans[next.ban_count] = room->berth->rejected;
  }
  return status;
}

lw_status lwi_path_search(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                          const lw_allocator *allocator, lw_path **path) {
  *path = NULL;
  if (query->berth) return search_wide(search, query, room, allocator, path);
  lw_status status = lwi_search_run(search, query);
  return status == LW_OK ? build(search, query, room, allocator, path) : status;
}

bool lwi_path_lead_in(lw_path *path, lw_location from, const lw_navmesh *mesh, const lwi_prices *prices) {
  if (lwi_distance_xz(path->points[0], from.point) < 1e-3f) return true;
  lw_path longer = *path;
  uint32_t polygon = lwi_poly_index(mesh, from.poly);
  if (!lwi_path_alloc(&longer, (size_t)path->point_count + 1, path->link_count, (size_t)path->corridor_count))
    return false;
  longer.points[0] = from.point;
  longer.areas[0] = mesh->poly_areas[polygon];
  longer.accounts[0] = (lwi_account){.length = lwi_distance(from.point, path->points[0])};
  lwi_account_ground(&longer.accounts[0], prices, mesh->areas, longer.areas[0]);
  memset(longer.seen, 0, (size_t)path->threat_count * sizeof *longer.seen);
  lwi_path_filled at = {.points = 1};
  lwi_path_append(&longer, path, &at);
  longer.length = longer.remaining[0] = path->length + longer.accounts[0].length;
  longer.cost += longer.accounts[0].length * lwi_price_on(prices, mesh, polygon);
  memcpy(longer.remaining + 1, path->remaining, (size_t)path->point_count * sizeof *path->remaining);
  longer.point_count = at.points;
  lwi_free(&longer.memory, path->block, path->size);
  *path = longer;
  return true;
}
