/* Exact distances over the points of portals, from the landmarks of all connected parts at once, by label correcting: each
   point that became nearer is left again (Dijkstra 1959, with buckets for a heap). Links count in both directions: that
   makes distances shorter only, so that bounds stay bounds, and equal both ways. */
#include "search/price_tables.h"

#include "core/bucket_queue.h"
#include "core/simd.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

typedef struct table_build {
  const lwi_price_table *table;
  const lwi_point_graph *graph;
  lwi_memory *memory;
  float *prices;     /* [polygons] Of a metre. */
  float *link_costs; /* [links] INFINITY: it cannot be taken. */
  float *rows;       /* [LWI_PRICE_LANDMARKS][points] */
  float *nearest;    /* [points] To the nearest landmark so far. */
  uint32_t *parts;   /* [points] The connected part, LWI_NONE: none. */
  uint32_t *entered; /* [points] The polygon that it was reached through. */
  uint32_t *seeds;   /* [part_count] The next landmark of each part. */
  uint32_t part_count;
  /* Distances of one round. Each point has its own in all its polygons, so that those of a polygon's points are read
     together. */
  float *distances; /* [memberships + READ_BEYOND, in the order of of_polygon] INFINITY: not reached. */
  uint32_t *places; /* [memberships, in the order of polygons] Where the point's distances lie. */
  /* Lengths between the points of each polygon that has at most SPANNED_POINTS, in rows of multiples of 4. */
  float *spans;       /* [span_count] [m] INFINITY: there is no such point. */
  size_t *first_span; /* [polygons] */
  size_t span_count;
  float width; /* of buckets */
  lwi_bucket_queue open;
  bool failed; /* out of memory */
} table_build;

/* Between the points of a polygon with more, lengths are computed whenever they are needed. */
#define SPANNED_POINTS 40
/* Four are read at a time. */
#define READ_BEYOND 3
/* Distances across the navmesh fall into about as many buckets. */
#define BUCKETS 4096

static inline uint32_t points_in(const lwi_point_graph *graph, uint32_t polygon) {
  return graph->first_of[polygon + 1] - graph->first_of[polygon];
}

static inline size_t row_size(uint32_t count) {
  return (count + 3) & ~(size_t)3;
}

/* --- distances of a round --------------------------------------------------------------------------------- */

static float distance_of(const table_build *build, uint32_t point) {
  return build->distances[build->places[build->graph->first_polygon[point]]];
}

/* A point is nearer than was known. */
static void reach(table_build *build, uint32_t point, float distance, uint32_t through) {
  const lwi_point_graph *graph = build->graph;
  for (uint32_t i = graph->first_polygon[point]; i < graph->first_polygon[point + 1]; i++)
    build->distances[build->places[i]] = distance;
  build->entered[point] = through;
  if (!lwi_bucket_queue_push(&build->open, build->memory, distance, point)) build->failed = true;
}

static void leave_large(table_build *build, uint32_t point, uint32_t polygon, float distance) {
  const lwi_point_graph *graph = build->graph;
  const float price = build->prices[polygon];
  const lw_vec3 at = graph->places[point];
  for (uint32_t i = graph->first_of[polygon]; i < graph->first_of[polygon + 1]; i++) {
    const uint32_t other = graph->of_polygon[i];
    const float there = distance + lwi_distance(at, graph->places[other]) * price;
    if (there < build->distances[i]) reach(build, other, there, polygon);
  }
}

/* @param row  Which of the polygon's points is left. */
static void leave_through(table_build *build, uint32_t row, uint32_t polygon, float distance) {
  const uint32_t first = build->graph->first_of[polygon], count = points_in(build->graph, polygon);
  const float *spans = build->spans + build->first_span[polygon] + row * row_size(count);
  const float price = build->prices[polygon];
  const lwi_float4 before = lwi_splat4(distance), by = lwi_splat4(price);
  for (uint32_t i = 0; i < count; i += 4) {
    const lwi_float4 there = lwi_mul_add4(lwi_load4(spans + i), by, before);
    unsigned nearer = lwi_mask_bits4(lwi_less4(there, lwi_load4(build->distances + first + i)));
    for (uint32_t k = i; nearer != 0; nearer >>= 1, k++)
      if (nearer & 1) reach(build, build->graph->of_polygon[first + k], spans[k] * price + distance, polygon);
  }
}

static void leave(table_build *build, uint32_t point, float distance) {
  const lwi_point_graph *graph = build->graph;
  const uint32_t through = build->entered[point];
  for (uint32_t i = graph->first_polygon[point]; i < graph->first_polygon[point + 1]; i++) {
    const uint32_t polygon = graph->polygons[i];
    if (polygon == through || build->prices[polygon] == INFINITY) continue;
    if (points_in(graph, polygon) > SPANNED_POINTS)
      leave_large(build, point, polygon, distance);
    else
      leave_through(build, build->places[i] - graph->first_of[polygon], polygon, distance);
  }
  if (point < graph->link_points) return;
  const uint32_t end = point - graph->link_points, other = graph->link_points + (end ^ 1);
  const float there = distance + build->link_costs[end / 2];
  if (there < distance_of(build, other)) reach(build, other, there, LWI_NONE);
}

/* @param part  What the points that are reached belong to; LWI_NONE: that is known. */
static void run(table_build *build, uint32_t part) {
  lwi_bucket_entry entry;
  while (!build->failed && lwi_bucket_queue_pop(&build->open, &entry)) {
    if (entry.key > distance_of(build, entry.item)) continue;
    if (part != LWI_NONE) build->parts[entry.item] = part;
    leave(build, entry.item, entry.key);
  }
}

static void begin_round(table_build *build) {
  const lwi_point_graph *graph = build->graph;
  for (uint32_t i = 0; i < graph->membership_count + READ_BEYOND; i++) build->distances[i] = INFINITY;
  lwi_bucket_queue_begin(&build->open, build->width);
}

/* --- landmarks -------------------------------------------------------------------------------------------- */

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
    build->nearest[i] = INFINITY;
    build->parts[i] = LWI_NONE;
  }
  begin_round(build);
  for (uint32_t i = 0; i < count && !build->failed; i++) {
    if (build->parts[i] != LWI_NONE || !is_open(build, i)) continue;
    lwi_bucket_queue_begin(&build->open, build->width);
    build->seeds[build->part_count] = i;
    reach(build, i, 0, LWI_NONE);
    run(build, build->part_count);
    build->part_count += 1;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (build->parts[i] == LWI_NONE) continue;
    uint32_t *seed = &build->seeds[build->parts[i]];
    if (distance_of(build, i) > distance_of(build, *seed)) *seed = i;
  }
}

/* One landmark of each part: distances from them, and the points furthest off from all so far. */
static void measure_round(table_build *build, float *row) {
  const uint32_t count = build->graph->point_count;
  begin_round(build);
  for (uint32_t part = 0; part < build->part_count; part++) reach(build, build->seeds[part], 0, LWI_NONE);
  run(build, LWI_NONE);
  for (uint32_t i = 0; i < count; i++) {
    row[i] = distance_of(build, i);
    if (build->parts[i] == LWI_NONE) continue;
    build->nearest[i] = fminf(build->nearest[i], row[i]);
    uint32_t *seed = &build->seeds[build->parts[i]];
    if (build->nearest[i] > build->nearest[*seed]) *seed = i;
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

/* Where the distances of each point lie: both lists are in the order of polygons. */
static void find_places(table_build *build) {
  const lwi_point_graph *graph = build->graph;
  uint32_t *next = build->entered; /* not needed yet */
  memcpy(next, graph->first_polygon, graph->point_count * sizeof *next);
  for (uint32_t k = 0; k < graph->membership_count; k++) build->places[next[graph->of_polygon[k]]++] = k;
}

static void measure_spans(table_build *build, uint32_t polygon) {
  const lwi_point_graph *graph = build->graph;
  const uint32_t *points = graph->of_polygon + graph->first_of[polygon], count = points_in(graph, polygon);
  const uint32_t size = (uint32_t)row_size(count);
  float *to = build->spans + build->first_span[polygon];
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = 0; b < size; b++)
      *to++ = b < count ? lwi_distance(graph->places[points[a]], graph->places[points[b]]) : INFINITY;
}

/* @return false: no memory. */
static bool find_spans(table_build *build) {
  const lwi_point_graph *graph = build->graph;
  for (uint32_t polygon = 0; polygon < graph->polygon_count; polygon++) {
    const uint32_t count = points_in(graph, polygon);
    build->first_span[polygon] = build->span_count;
    if (count <= SPANNED_POINTS) build->span_count += count * row_size(count);
  }
  build->spans = lwi_alloc(build->memory, (build->span_count + 1) * sizeof *build->spans);
  for (uint32_t polygon = 0; polygon < graph->polygon_count && build->spans; polygon++)
    if (points_in(graph, polygon) <= SPANNED_POINTS) measure_spans(build, polygon);
  return build->spans != NULL;
}

static bool measure(table_build *build, lwi_price_table *table) {
  const uint32_t count = build->graph->point_count;
  const lw_box *bounds = &build->table->base->bounds;
  find_prices(build);
  find_places(build);
  if (!find_spans(build)) return false;
  build->width = fmaxf(lwi_distance(bounds->min, bounds->max) * build->table->prices.lowest / BUCKETS, 1e-6f);
  find_parts(build);
  for (size_t k = 0; k < LWI_PRICE_LANDMARKS && !build->failed; k++)
    measure_round(build, build->rows + k * count);
  if (!build->failed)
    table->unit = lwi_landmark_round(build->rows, count, LWI_PRICE_LANDMARKS, table->distances);
  return !build->failed;
}

static size_t distances_size(const lwi_point_graph *graph) {
  return ((size_t)graph->point_count + 1) * LWI_PRICE_LANDMARKS * sizeof *((lwi_price_table *)0)->distances;
}

/* An array of a build, and its size. [bytes] */
typedef struct build_array {
  void **at;
  size_t size;
} build_array;

bool lwi_price_table_measure(lwi_price_table *table, lwi_memory *memory) {
  const lwi_point_graph *graph = table->graph;
  const size_t points = graph->point_count, polygons = graph->polygon_count, links = table->base->links.count,
               members = graph->membership_count, floats = sizeof(float), numbers = sizeof(uint32_t);
  table_build build = {.table = table, .graph = graph, .memory = memory};
  const build_array arrays[] = {
      {(void **)&build.prices, polygons * floats},
      {(void **)&build.link_costs, links * floats},
      {(void **)&build.rows, LWI_PRICE_LANDMARKS * points * floats},
      {(void **)&build.nearest, points * floats},
      {(void **)&build.parts, points * numbers},
      {(void **)&build.entered, points * numbers},
      {(void **)&build.seeds, points * numbers},
      {(void **)&build.distances, (members + READ_BEYOND) * floats},
      {(void **)&build.places, members * numbers},
      {(void **)&build.first_span, polygons * sizeof(size_t)},
  };
  const int count = (int)(sizeof arrays / sizeof *arrays);
  table->distances = lwi_alloc(memory, distances_size(graph));
  bool done = table->distances != NULL;
  for (int i = 0; i < count; i++) {
    *arrays[i].at = lwi_alloc(memory, arrays[i].size + 1);
    done = done && *arrays[i].at;
  }
  done = done && measure(&build, table);
  lwi_bucket_queue_free(&build.open, memory);
  lwi_free(memory, build.spans, build.spans ? (build.span_count + 1) * floats : 0);
  for (int i = 0; i < count; i++) lwi_free(memory, *arrays[i].at, arrays[i].size + 1);
  if (!done) lwi_price_table_free(table, memory);
  return done;
}

void lwi_price_table_free(lwi_price_table *table, lwi_memory *memory) {
  lwi_free(memory, table->distances, distances_size(table->graph));
  table->distances = NULL;
}
