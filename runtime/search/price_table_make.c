/* Exact distances over the points of portals (Dijkstra 1959), from the landmarks of all connected parts at once. Links count
   in both directions: that makes distances shorter only, so that bounds stay bounds, and equal both ways. */
#include "search/price_tables.h"

#include "core/heap.h"
#include "core/vec3.h"

#include <math.h>

typedef struct table_build {
  const lwi_price_table *table;
  const lwi_point_graph *graph;
  lwi_memory *memory;
  float *prices;     /* [polygons] Of a metre. */
  float *link_costs; /* [links] INFINITY: it cannot be taken. */
  float *distances;  /* [points] Of the landmarks of one round. */
  float *rows;       /* [LWI_PRICE_LANDMARKS][points] */
  float *nearest;    /* [points] To the nearest landmark so far. */
  uint32_t *parts;   /* [points] The connected part, LWI_NONE: none. */
  uint32_t *entered; /* [points] The polygon that it was reached through. */
  uint32_t *seeds;   /* [part_count] The next landmark of each part. */
  uint32_t part_count;
  lwi_heap open;
  bool failed; /* out of memory */
} table_build;

static void reach(table_build *build, uint32_t point, float distance, uint32_t through) {
  if (!(distance < build->distances[point])) return;
  build->distances[point] = distance;
  build->entered[point] = through;
  if (!lwi_heap_push(&build->open, build->memory, distance, point)) build->failed = true;
}

static void leave_through(table_build *build, uint32_t point, uint32_t polygon, float distance) {
  const lwi_point_graph *graph = build->graph;
  const float price = build->prices[polygon];
  const lw_vec3 at = graph->places[point];
  if (price == INFINITY) return;
  for (uint32_t i = graph->first_of[polygon]; i < graph->first_of[polygon + 1]; i++) {
    const uint32_t other = graph->of_polygon[i];
    reach(build, other, distance + lwi_distance(at, graph->places[other]) * price, polygon);
  }
}

static void leave(table_build *build, uint32_t point, float distance) {
  const lwi_point_graph *graph = build->graph;
  for (uint32_t i = graph->first_polygon[point]; i < graph->first_polygon[point + 1]; i++)
    if (graph->polygons[i] != build->entered[point]) leave_through(build, point, graph->polygons[i], distance);
  if (point < graph->link_points) return;
  const uint32_t end = point - graph->link_points;
  const float cost = build->link_costs[end / 2];
  if (cost < INFINITY) reach(build, graph->link_points + (end ^ 1), distance + cost, LWI_NONE);
}

/* @param part  What the points that are reached belong to; LWI_NONE: that is known.
   @return The point that lies furthest off. */
static uint32_t run(table_build *build, uint32_t part) {
  lwi_heap_entry entry;
  uint32_t last = LWI_NONE;
  while (!build->failed && lwi_heap_pop(&build->open, &entry)) {
    if (entry.key > build->distances[entry.item]) continue;
    last = entry.item;
    if (part != LWI_NONE) build->parts[last] = part;
    leave(build, last, entry.key);
  }
  return last;
}

static bool is_open(const table_build *build, uint32_t point) {
  const lwi_point_graph *graph = build->graph;
  for (uint32_t i = graph->first_polygon[point]; i < graph->first_polygon[point + 1]; i++)
    if (build->prices[graph->polygons[i]] < INFINITY) return true;
  return false;
}

/* The connected parts. Their first landmarks are the points furthest off from any one. */
static void find_parts(table_build *build) {
  const uint32_t count = build->graph->point_count;
  for (uint32_t i = 0; i < count; i++) {
    build->distances[i] = build->nearest[i] = INFINITY;
    build->parts[i] = LWI_NONE;
  }
  for (uint32_t i = 0; i < count && !build->failed; i++) {
    if (build->parts[i] != LWI_NONE || !is_open(build, i)) continue;
    reach(build, i, 0, LWI_NONE);
    build->seeds[build->part_count] = run(build, build->part_count);
    build->part_count += 1;
  }
}

/* One landmark of each part: distances from them, and the points furthest off from all so far. */
static void measure_round(table_build *build, float *row) {
  const uint32_t count = build->graph->point_count;
  for (uint32_t i = 0; i < count; i++) build->distances[i] = INFINITY;
  for (uint32_t part = 0; part < build->part_count; part++) reach(build, build->seeds[part], 0, LWI_NONE);
  run(build, LWI_NONE);
  for (uint32_t i = 0; i < count; i++) {
    row[i] = build->distances[i];
    if (build->parts[i] == LWI_NONE) continue;
    build->nearest[i] = fminf(build->nearest[i], row[i]);
    uint32_t *seed = &build->seeds[build->parts[i]];
    if (build->nearest[i] > build->nearest[*seed]) *seed = i;
  }
}

static void round_down(const table_build *build, lwi_price_table *table) {
  const uint32_t count = build->graph->point_count;
  float longest = 0;
  for (size_t i = 0; i < (size_t)LWI_PRICE_LANDMARKS * count; i++)
    if (build->rows[i] < INFINITY) longest = fmaxf(longest, build->rows[i]);
  table->unit = fmaxf(longest / 65000, 1e-6f);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < LWI_PRICE_LANDMARKS; k++) {
      const float row = build->rows[(size_t)k * count + i];
      table->distances[(size_t)i * LWI_PRICE_LANDMARKS + k] =
          row < INFINITY ? (uint16_t)(row / table->unit) : UINT16_MAX;
    }
}

static void find_prices(table_build *build) {
  const lw_navmesh *base = build->table->base;
  const lwi_prices *prices = &build->table->prices;
  for (uint32_t i = 0; i < base->polygons.count; i++) build->prices[i] = lwi_price_of_ground(prices, base, i);
  for (uint32_t i = 0; i < base->links.count; i++) {
    const lwi_link *link = &base->links.items[i];
    build->link_costs[i] = link->length * lwi_link_price(base, link, prices);
  }
}

static bool measure(table_build *build, lwi_price_table *table) {
  const uint32_t count = build->graph->point_count;
  if (!build->prices || !build->link_costs || !build->rows || !build->distances || !build->nearest ||
      !build->parts || !build->entered || !build->seeds)
    return false;
  find_prices(build);
  find_parts(build);
  for (size_t k = 0; k < LWI_PRICE_LANDMARKS && !build->failed; k++)
    measure_round(build, build->rows + k * count);
  if (!build->failed) round_down(build, table);
  return !build->failed;
}

static size_t distances_size(const lwi_point_graph *graph) {
  return ((size_t)graph->point_count + 1) * LWI_PRICE_LANDMARKS * sizeof(uint16_t);
}

bool lwi_price_table_measure(lwi_price_table *table, lwi_memory *memory) {
  const lwi_point_graph *graph = table->graph;
  const size_t points = (size_t)graph->point_count + 1, polygons = (size_t)graph->polygon_count + 1,
               links = (size_t)table->base->links.count + 1, floats = sizeof(float), numbers = sizeof(uint32_t);
  table_build build = {.table = table, .graph = graph, .memory = memory};
  table->distances = lwi_alloc(memory, distances_size(graph));
  build.prices = lwi_alloc(memory, polygons * floats);
  build.link_costs = lwi_alloc(memory, links * floats);
  build.rows = lwi_alloc(memory, LWI_PRICE_LANDMARKS * points * floats);
  build.distances = lwi_alloc(memory, points * floats);
  build.nearest = lwi_alloc(memory, points * floats);
  build.parts = lwi_alloc(memory, points * numbers);
  build.entered = lwi_alloc(memory, points * numbers);
  build.seeds = lwi_alloc(memory, points * numbers);
  const bool done = table->distances && measure(&build, table);
  lwi_heap_free(&build.open, memory);
  lwi_free(memory, build.seeds, points * numbers);
  lwi_free(memory, build.entered, points * numbers);
  lwi_free(memory, build.parts, points * numbers);
  lwi_free(memory, build.nearest, points * floats);
  lwi_free(memory, build.distances, points * floats);
  lwi_free(memory, build.rows, LWI_PRICE_LANDMARKS * points * floats);
  lwi_free(memory, build.link_costs, links * floats);
  lwi_free(memory, build.prices, polygons * floats);
  if (!done) lwi_price_table_free(table, memory);
  return done;
}

void lwi_price_table_free(lwi_price_table *table, lwi_memory *memory) {
  lwi_free(memory, table->distances, distances_size(table->graph));
  table->distances = NULL;
}
