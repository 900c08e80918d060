#include "search/link_cost.h"
#include "search/point_search.h"

#include "search/search.h"

#include <math.h>
#include <string.h>

/* Another path to a point must be cheaper by more than rounding. */
#define BETTER 0.99999f
/* Of the lower bound by tables (weighted A*, Pohl 1970). */
#define WEIGHT 1.02f

#define GOAL 0

typedef struct lwi_point_run {
  lwi_search *search;
  lwi_point_scratch *scratch;
  const lwi_search_query *query;
  const lwi_graph *graph;
  const lwi_prices *prices;
  const lwi_price_table *table;
  const lwi_point_graph *points; /* of portals that are as they were baked; NULL: of none */
  lwi_price_row goal;
  float cost_limit; /* paths that cost as much are dropped */
  bool failed;      /* out of memory */
} point_run;

/* A region that is being left. */
typedef struct departure {
  uint32_t region, point; /* LWI_NONE: the start */
  lw_vec3 at;
  float g, price;
} departure;

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_point_scratch_free(lwi_point_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->arcs, scratch->arc_count * sizeof *scratch->arcs);
  lwi_free(memory, scratch->crossings, (size_t)scratch->crossing_capacity * sizeof *scratch->crossings);
  lwi_free(memory, scratch->points, (size_t)scratch->point_capacity * sizeof *scratch->points);
  lwi_heap_free(&scratch->open, memory);
  lwi_free(memory, scratch->run, sizeof *scratch->run);
  *scratch = (lwi_point_scratch){0};
}

static bool begin(lwi_point_scratch *scratch, lwi_memory *memory, const lwi_graph *graph) {
  void *arcs = scratch->arcs;
  const bool grown = lwi_grow_zeroed(memory, &arcs, &scratch->arc_count,
                                     graph->portal_count + graph->mesh->links.count, sizeof *scratch->arcs);
  scratch->arcs = arcs;
  if (!grown) return false;
  scratch->crossing_count = scratch->point_count = scratch->open.count = 0;
  scratch->stamp += 1;
  if (scratch->stamp > 0) return true;
  memset(scratch->arcs, 0, scratch->arc_count * sizeof *scratch->arcs);
  scratch->stamp = 1;
  return true;
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

/* Lower bound on the cost from a place to the goal, by length alone. [metre-equivalents] */
static float bound_by_length(const point_run *run, lw_vec3 at) {
  return lwi_shortcuts_bound(&run->search->shortcuts, at) * run->prices->lowest;
}

/* Lower bound on the cost from a place in a region to the goal. [metre-equivalents] */
static float bound_in(const point_run *run, uint32_t region, lw_vec3 at) {
  const float by_length = bound_by_length(run, at);
  const lwi_price_row row =
      lwi_price_row_at(run->table, lwi_origin_of(run->graph->mesh, lwi_region_polygon(run->graph, region)), at);
  return lwi_max(by_length, lwi_price_bound_between(run->table, row.from, &run->goal));
}

static void begin_bounds(point_run *run) {
  const lwi_search_query *query = run->query;
  const lw_navmesh *mesh = run->graph->mesh;
  const uint32_t polygon = lwi_origin_of(mesh, lwi_region_polygon(run->graph, query->to_region));
  run->goal = lwi_price_row_at(run->table, polygon, query->to);
  if (run->graph->portals == mesh->graph.portals) run->points = run->table->graph;
}

/* --- points ----------------------------------------------------------------------------------------------- */

static bool add_point(point_run *run, lw_vec3 at, float rest, uint32_t crossing) {
  lwi_point_scratch *scratch = run->scratch;
  if (!lwi_reserve(run->search->memory, &scratch->points, &scratch->point_capacity, scratch->point_count + 1,
                   sizeof *scratch->points)) {
    run->failed = true;
    return false;
  }
  scratch->points[scratch->point_count++] =
      (lwi_point){.at = at, .g = INFINITY, .rest = rest, .parent = LWI_NONE, .crossing = crossing};
  return true;
}

/* @return Its number; LWI_NONE: no memory. */
static uint32_t add_crossing(point_run *run, lwi_transition crossing) {
  lwi_point_scratch *scratch = run->scratch;
  if (!lwi_reserve(run->search->memory, &scratch->crossings, &scratch->crossing_capacity,
                   scratch->crossing_count + 1, sizeof *scratch->crossings)) {
    run->failed = true;
    return LWI_NONE;
  }
  crossing.first = (uint32_t)scratch->point_count;
  scratch->crossings[scratch->crossing_count] = crossing;
  return (uint32_t)scratch->crossing_count++;
}

uint32_t lwi_graph_twin(const lwi_graph *graph, uint32_t region, uint32_t k, lw_vec3 left, lw_vec3 right) {
  const uint32_t to = graph->portals[k].to;
  uint32_t found = LWI_NONE;
  float nearest = INFINITY;
  for (uint32_t i = graph->first_portal[to]; i < graph->end_portal[to]; i++) {
    if (graph->portals[i].to != region) continue;
    lw_vec3 back_left, back_right;
    lwi_graph_points(graph, to, &graph->portals[i], &back_left, &back_right);
    const float off = lwi_distance_xz(back_left, right) + lwi_distance_xz(back_right, left);
    if (off >= nearest) continue;
    nearest = off;
    found = i;
  }
  return found;
}

static void note_arc(point_run *run, uint32_t arc, uint32_t crossing) {
  run->scratch->arcs[arc] = (lwi_point_arc){run->scratch->stamp, crossing};
}

/* The points of a portal that is met for the first time. */
static void add_portal(point_run *run, uint32_t region, uint32_t k) {
  const lwi_graph *graph = run->graph;
  const uint32_t to = graph->portals[k].to, base = 1 + graph->mesh->links.count;
  lw_vec3 left, right;
  note_arc(run, k, LWI_NONE);
  if (lwi_price_behind(run->prices, graph, &graph->portals[k]) == INFINITY) return;
  lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
  const uint32_t back = lwi_graph_twin(graph, region, k, left, right);
  const bool is_baked = run->points && k < run->points->portal_count;
  const uint32_t *ids = is_baked ? run->points->ids + run->points->first_id[k] : NULL;
  const int pieces = is_baked ? (int)(run->points->first_id[k + 1] - run->points->first_id[k]) - 1
                              : lwi_portal_pieces(left, right);
  const uint32_t crossing =
      add_crossing(run, (lwi_transition){.regions = {region, to},
                                         .nodes = {base + k, back == LWI_NONE ? LWI_NONE : base + back},
                                         .count = (uint32_t)pieces + 1});
  for (int i = 0; i <= pieces && !run->failed; i++) {
    const lw_vec3 at = is_baked ? run->points->places[ids[i]] : lwi_lerp(left, right, (float)i / (float)pieces);
    const float rest = is_baked
                           ? lwi_max(bound_by_length(run, at), lwi_price_bound(run->table, ids[i], &run->goal))
                           : bound_in(run, region, at);
    add_point(run, at, rest, crossing);
  }
  if (run->failed) return;
  note_arc(run, k, crossing);
  if (back != LWI_NONE) note_arc(run, back, crossing);
}

static void add_link(point_run *run, uint32_t k) {
  const lwi_graph *graph = run->graph;
  const lwi_link *link = &graph->mesh->links.items[k];
  const lwi_link_regions regions = lwi_graph_link_regions(graph, k);
  note_arc(run, graph->portal_count + k, LWI_NONE);
  if (regions.to == LWI_NONE || lwi_link_price(graph->mesh, link, run->prices) == INFINITY) return;
  const uint32_t crossing = add_crossing(
      run, (lwi_transition){.regions = {regions.from, regions.to}, .nodes = {1 + k, LWI_NONE}, .count = 1});
  if (run->failed || !add_point(run, link->end, bound_in(run, regions.to, link->end), crossing)) return;
  note_arc(run, graph->portal_count + k, crossing);
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* To a point that is not closed. */
static inline void relax(point_run *run, const departure *from, uint32_t index, float g, bool is_back) {
  lwi_point *point = &run->scratch->points[index];
  if (!(g < point->g * BETTER) || !(g + point->rest < run->cost_limit)) return;
  point->g = g;
  point->parent = from->point;
  point->is_back = is_back;
  if (!lwi_heap_push(&run->scratch->open, run->search->memory, g + WEIGHT * point->rest, index))
    run->failed = true;
}

static void cross_portal(point_run *run, const departure *from, uint32_t k) {
  lwi_point_scratch *scratch = run->scratch;
  if (scratch->arcs[k].stamp != scratch->stamp) add_portal(run, from->region, k);
  if (run->failed || scratch->arcs[k].crossing == LWI_NONE) return;
  const lwi_transition *crossing = &scratch->crossings[scratch->arcs[k].crossing];
  const bool is_back = crossing->regions[1] == from->region;
  if (crossing->nodes[is_back] == LWI_NONE) return;
  const lw_vec3 at = from->at;
  const float g = from->g, price = from->price;
  const lwi_point *points = scratch->points;
  for (uint32_t i = crossing->first, end = i + crossing->count; i < end; i++)
    if (!points[i].is_closed) relax(run, from, i, g + lwi_distance(at, points[i].at) * price, is_back);
}

static void take_link(point_run *run, const departure *from, uint32_t k) {
  lwi_point_scratch *scratch = run->scratch;
  const lwi_link *link = &run->graph->mesh->links.items[k];
  const lwi_point_arc *arc = &scratch->arcs[run->graph->portal_count + k];
  if (lwi_graph_link_regions(run->graph, k).from != from->region) return;
  if (arc->stamp != scratch->stamp) add_link(run, k);
  if (run->failed || arc->crossing == LWI_NONE) return;
  const float cost = lwi_cost_of_link(&run->query->cost_model, link);
  if (cost < 0) {
    run->failed = true;
    return;
  }
  const uint32_t end = scratch->crossings[arc->crossing].first;
  if (!scratch->points[end].is_closed)
    relax(run, from, end, from->g + lwi_distance(from->at, link->start) * from->price + cost, false);
}

/* Every point of a convex region is reached in a straight line, so that a path that enters one leaves it at the next
   step. @return false: no memory. */
static bool leave(point_run *run, departure from) {
  const lwi_graph *graph = run->graph;
  const lwi_mesh_links *links = &graph->mesh->links;
  from.price = lwi_price_in(run->prices, graph, from.region);
  if (from.region == run->query->to_region)
    relax(run, &from, GOAL, from.g + lwi_distance(from.at, run->query->to) * from.price, false);
  for (uint32_t k = graph->first_portal[from.region]; k < graph->end_portal[from.region]; k++)
    cross_portal(run, &from, k);
  if (!links->first) return !run->failed;
  const uint32_t polygon = lwi_region_polygon(graph, from.region);
  for (uint32_t k = links->first[polygon]; k < links->end[polygon]; k++) take_link(run, &from, k);
  return !run->failed;
}

/* --- the search ------------------------------------------------------------------------------------------- */

static lw_status collect(point_run *run) {
  lwi_search *search = run->search;
  const lwi_point *points = run->scratch->points;
  int count = 0;
  for (uint32_t at = points[GOAL].parent; at != LWI_NONE; at = points[at].parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor.steps, &search->corridor.capacity, count,
                   sizeof *search->corridor.steps))
    return LW_OUT_OF_MEMORY;
  search->corridor.count = count;
  float price = lwi_price_in(run->prices, run->graph, run->query->to_region);
  for (uint32_t at = points[GOAL].parent; at != LWI_NONE; at = points[at].parent) {
    const lwi_transition *crossing = &run->scratch->crossings[points[at].crossing];
    const bool is_back = points[at].is_back;
    search->corridor.steps[--count] =
        (lwi_step){crossing->nodes[is_back], crossing->regions[!is_back], points[at].at};
    const float before = lwi_price_in(run->prices, run->graph, crossing->regions[is_back]);
    search->prices_differ = search->prices_differ || before != price;
    price = before;
  }
  return LW_OK;
}

/* What a node takes, in nodes of a search at one price. */
#define WORK_A_NODE 2

static lw_status search_on(point_run *run) {
  lwi_search *search = run->search;
  lwi_point_scratch *scratch = run->scratch;
  lwi_heap_entry entry;
  while (scratch->open.count > 0) {
    if (lwi_search_is_due(search)) return LW_UNFINISHED;
    lwi_heap_pop(&scratch->open, &entry);
    lwi_point *point = &scratch->points[entry.item];
    if (point->is_closed) continue; /* it had a lower key since this entry was pushed */
    if (entry.item == GOAL) return collect(run);
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    point->is_closed = true;
    search->expanded += 1;
    search->spent += WORK_A_NODE;
    const departure from = {.region = scratch->crossings[point->crossing].regions[!point->is_back],
                            .point = entry.item,
                            .at = point->at,
                            .g = point->g};
    if (!leave(run, from)) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}

lw_status lwi_point_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_point_scratch *scratch = &search->points;
  if (!scratch->run) scratch->run = lwi_alloc(search->memory, sizeof *scratch->run);
  point_run *run = scratch->run;
  if (!run) return LW_OUT_OF_MEMORY;
  *run = (point_run){.search = search,
                     .scratch = scratch,
                     .query = query,
                     .graph = query->graph,
                     .prices = query->cost_model.prices,
                     .table = query->price_table,
                     .cost_limit = query->cost_limit > 0 ? query->cost_limit : INFINITY};
  search->graph = *query->graph;
  search->corridor.count = 0;
  search->prices_differ = search->turned = false;
  search->place_base = search->lane_base = LWI_NONE;
  search->expanded = 1;
  if (!begin(scratch, search->memory, run->graph) ||
      !lwi_shortcuts_begin(&search->shortcuts, search->memory, run->graph->mesh, run->prices, query->to,
                           lwi_region_polygon(run->graph, query->to_region)) ||
      !add_point(run, query->to, 0, LWI_NONE))
    return LW_OUT_OF_MEMORY;
  begin_bounds(run);
  const departure start = {.region = query->from_region, .point = LWI_NONE, .at = query->from};
  return leave(run, start) ? search_on(run) : LW_OUT_OF_MEMORY;
}

lw_status lwi_point_search_go_on(lwi_search *search) {
  return search_on(search->points.run);
}
