#include "dense_path.h"

#include "core/heap.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>

typedef struct dense_point {
  lw_vec3 at;
  uint32_t polygons[2]; /* that meet there */
  float cost;
  bool done;
} dense_point;

struct dense_graph {
  const lw_navmesh *mesh;
  lwi_memory memory;
  uint32_t point_count;
  dense_point *points;      /* [point_count] */
  uint32_t *first, *listed; /* by polygon: the points on its portals */
  lwi_heap open;
};

static int steps_of(lw_vec3 left, lw_vec3 right, float spacing) {
  return (int)ceilf(fmaxf(1, lwi_distance(left, right) / spacing));
}

static void *must(void *memory) {
  if (!memory) abort();
  return memory;
}

/* Add the points of one portal, or only count them. */
static void add_portal(dense_graph *graph, uint32_t polygon, const lwi_portal *portal, float spacing) {
  lw_vec3 left, right;
  lwi_portal_points(graph->mesh, polygon, portal, &left, &right);
  int steps = steps_of(left, right, spacing);
  for (int i = 0; i <= steps; i++, graph->point_count++) {
    if (!graph->points) continue;
    lw_vec3 at = lwi_lerp(left, right, (float)i / (float)steps);
    at.y = lwi_polygon_height(graph->mesh, polygon, at.x, at.z);
    graph->points[graph->point_count] = (dense_point){.at = at, .polygons = {polygon, portal->to}};
  }
}

static void add_portals(dense_graph *graph, float spacing) {
  const lw_navmesh *mesh = graph->mesh;
  graph->point_count = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++)
      if (mesh->graph.portals[k].to > p) add_portal(graph, p, &mesh->graph.portals[k], spacing);
}

static void list_points(dense_graph *graph) {
  size_t polygons = graph->mesh->polygons.count;
  graph->first = must(calloc(polygons + 2, sizeof *graph->first));
  graph->listed = must(calloc(2 * (size_t)graph->point_count + 1, sizeof *graph->listed));
  for (uint32_t i = 0; i < graph->point_count; i++)
    for (int side = 0; side < 2; side++) graph->first[graph->points[i].polygons[side] + 2]++;
  for (size_t p = 2; p < polygons + 2; p++) graph->first[p] += graph->first[p - 1];
  for (uint32_t i = 0; i < graph->point_count; i++)
    for (int side = 0; side < 2; side++) graph->listed[graph->first[graph->points[i].polygons[side] + 1]++] = i;
}

dense_graph *dense_make(const lw_navmesh *mesh, float spacing) {
  dense_graph *graph = must(calloc(1, sizeof *graph));
  graph->mesh = mesh;
  graph->memory = lwi_memory_make(NULL);
  add_portals(graph, spacing);
  graph->points = must(calloc((size_t)graph->point_count + 1, sizeof *graph->points));
  add_portals(graph, spacing);
  list_points(graph);
  return graph;
}

void dense_free(dense_graph *graph) {
  if (!graph) return;
  lwi_heap_free(&graph->open, &graph->memory);
  free(graph->first);
  free(graph->listed);
  free(graph->points);
  free(graph);
}

typedef struct dense_query {
  dense_graph *graph;
  const lwi_prices *prices;
  lw_location to;
  uint32_t goal; /* polygon */
  float best;    /* to the goal, so far, or what does not matter any more */
  bool found;
} dense_query;

/* Go on from a place to all points of one polygon, and to the goal. */
static void relax(dense_query *query, uint32_t polygon, lw_vec3 at, float cost) {
  dense_graph *graph = query->graph;
  float price = lwi_price_on(query->prices, graph->mesh, polygon);
  if (price == INFINITY) return;
  float whole = cost + lwi_distance(at, query->to.point) * price;
  if (polygon == query->goal && whole < query->best) {
    query->best = whole;
    query->found = true;
  }
  for (uint32_t i = graph->first[polygon]; i < graph->first[polygon + 1]; i++) {
    dense_point *point = &graph->points[graph->listed[i]];
    if (point->done) continue;
    float there = cost + lwi_distance(at, point->at) * price;
    if (there >= point->cost) continue;
    float min = there + lwi_distance(point->at, query->to.point) * query->prices->lowest;
    if (min >= query->best) continue;
    point->cost = there;
    if (!lwi_heap_push(&graph->open, &graph->memory, min, graph->listed[i])) abort();
  }
}

double dense_cost(dense_graph *graph, const lwi_prices *prices, lw_location from, lw_location to,
                  double at_most) {
  dense_query query = {graph, prices, to, lwi_poly_index(graph->mesh, to.poly), (float)at_most, false};
  lwi_heap_entry entry;
  for (uint32_t i = 0; i < graph->point_count; i++) {
    graph->points[i].cost = INFINITY;
    graph->points[i].done = false;
  }
  graph->open.count = 0;
  relax(&query, lwi_poly_index(graph->mesh, from.poly), from.point, 0);
  while (lwi_heap_pop(&graph->open, &entry) && entry.key < query.best) {
    dense_point *point = &graph->points[entry.item];
    if (point->done) continue;
    point->done = true;
    for (int side = 0; side < 2; side++) relax(&query, point->polygons[side], point->at, point->cost);
  }
  return query.found ? (double)query.best : INFINITY;
}
