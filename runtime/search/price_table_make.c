/* Exact distances over the points of portals, from the landmarks of all connected parts at once, by label correcting: each
   point that became nearer is left again (Dijkstra 1959, with buckets for a heap). Links count in both directions: that
   makes distances shorter only, so that bounds stay bounds, and equal both ways. All of it may pause at any point. */
#include "search/price_tables.h"

#include "core/bucket_queue.h"
#include "core/simd.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* What is measured: where the connected parts are, then one round for each of the landmarks. */
#define ROUND_OF_PARTS (-1)

typedef struct lwi_table_build {
  lwi_price_table *table;
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
  float width;      /* of buckets */
  lwi_bucket_queue open;
  int round;           /* ROUND_OF_PARTS; then 0 to LWI_PRICE_LANDMARKS - 1 */
  bool is_round_begun; /* Some of its points may be left to be left. */
  uint32_t next_start; /* Of ROUND_OF_PARTS: the point from which the next part may be found. */
  bool failed;         /* out of memory */
} table_build;

/* Four are read at a time. */
#define READ_BEYOND LWI_POINTS_READ_BEYOND
/* Distances across the navmesh fall into about as many buckets. */
#define BUCKETS 4096
/* Points of polygons that are listed in the time in which one point is left. */
#define MEMBERS_A_POINT 4

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

static void leave_through(table_build *build, uint32_t point, uint32_t polygon, float distance) {
  const lwi_point_graph *graph = build->graph;
  const uint32_t first = graph->first_of[polygon], end = graph->first_of[polygon + 1];
  const lw_vec3 at = graph->places[point];
  const lwi_float4 x = lwi_splat4(at.x), y = lwi_splat4(at.y), z = lwi_splat4(at.z),
                   price = lwi_splat4(build->prices[polygon]), before = lwi_splat4(distance);
  for (uint32_t i = first; i < end; i += 4) {
    const lwi_float4 dx = lwi_sub4(lwi_load4(graph->x + i), x), dy = lwi_sub4(lwi_load4(graph->y + i), y),
                     dz = lwi_sub4(lwi_load4(graph->z + i), z);
    const lwi_float4 apart = lwi_sqrt4(lwi_mul_add4(dx, dx, lwi_mul_add4(dy, dy, lwi_mul4(dz, dz)))),
                     there = lwi_mul_add4(apart, price, before);
    unsigned nearer = lwi_mask_bits4(lwi_less4(there, lwi_load4(build->distances + i)));
    if (end - i < 4) nearer &= (1u << (end - i)) - 1;
    if (nearer == 0) continue;
    float distances[4];
    lwi_store4(distances, there);
    for (uint32_t k = 0; nearer != 0; nearer >>= 1, k++)
      if (nearer & 1) reach(build, graph->of_polygon[i + k], distances[k], polygon);
  }
}

static void leave(table_build *build, uint32_t point, float distance) {
  const lwi_point_graph *graph = build->graph;
  const uint32_t through = build->entered[point];
  for (uint32_t i = graph->first_polygon[point]; i < graph->first_polygon[point + 1]; i++) {
    const uint32_t polygon = graph->polygons[i];
    if (polygon == through || build->prices[polygon] == INFINITY) continue;
    leave_through(build, point, polygon, distance);
  }
  if (point < graph->link_points) return;
  const uint32_t end = point - graph->link_points, other = graph->link_points + (end ^ 1);
  const float there = distance + build->link_costs[end / 2];
  if (there < distance_of(build, other)) reach(build, other, there, LWI_NONE);
}

/* @param part  What the points that are reached belong to; LWI_NONE: that is known.
   @return false: it has paused. */
static bool run(table_build *build, uint32_t part, uint64_t until) {
  lwi_price_table *table = build->table;
  lwi_bucket_entry entry;
  while (!build->failed && table->work < until) { /* where it ends with `until`, it is seen to end only later */
    if (!lwi_bucket_queue_pop(&build->open, &entry)) return true;
    if (entry.key > distance_of(build, entry.item)) continue;
    if (part != LWI_NONE) build->parts[entry.item] = part;
    table->work += 1;
    leave(build, entry.item, entry.key);
  }
  return false;
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

static void begin_parts(table_build *build) {
  for (uint32_t i = 0; i < build->graph->point_count; i++) {
    build->nearest[i] = INFINITY;
    build->parts[i] = LWI_NONE;
  }
  begin_round(build);
}

/* Begin to reach the next part from any one of its points. @return false: there is none. */
static bool begin_part(table_build *build) {
  const uint32_t count = build->graph->point_count;
  uint32_t *next = &build->next_start;
  while (*next < count && (build->parts[*next] != LWI_NONE || !is_open(build, *next))) *next += 1;
  if (*next == count) return false;
  lwi_bucket_queue_begin(&build->open, build->width);
  build->seeds[build->part_count++] = *next;
  reach(build, *next, 0, LWI_NONE);
  return true;
}

/* The first landmark of each part is the point furthest off from the one it was found from. */
static void end_parts(table_build *build) {
  for (uint32_t i = 0; i < build->graph->point_count; i++) {
    if (build->parts[i] == LWI_NONE) continue;
    uint32_t *seed = &build->seeds[build->parts[i]];
    if (distance_of(build, i) > distance_of(build, *seed)) *seed = i;
  }
}

/* Find the connected parts. @return false: it has paused. */
static bool find_parts(table_build *build, uint64_t until) {
  if (!build->is_round_begun) begin_parts(build);
  build->is_round_begun = true;
  while (build->part_count == 0 || run(build, build->part_count - 1, until)) {
    if (begin_part(build)) continue;
    end_parts(build);
    return true;
  }
  return false;
}

/* One landmark of each part: distances from them, and the points furthest off from all so far.
   @return false: it has paused. */
static bool measure_round(table_build *build, float *row, uint64_t until) {
  if (!build->is_round_begun) {
    begin_round(build);
    for (uint32_t part = 0; part < build->part_count; part++) reach(build, build->seeds[part], 0, LWI_NONE);
  }
  build->is_round_begun = true;
  if (!run(build, LWI_NONE, until)) return false;
  for (uint32_t i = 0; i < build->graph->point_count; i++) {
    row[i] = distance_of(build, i);
    if (build->parts[i] == LWI_NONE) continue;
    build->nearest[i] = fminf(build->nearest[i], row[i]);
    uint32_t *seed = &build->seeds[build->parts[i]];
    if (build->nearest[i] > build->nearest[*seed]) *seed = i;
  }
  return true;
}

static void find_prices(table_build *build) {
  const lw_navmesh *base = build->graph->base;
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

/* @return false: it has paused. */
static bool measure(table_build *build, uint64_t until) {
  const size_t count = build->graph->point_count;
  for (; build->round < LWI_PRICE_LANDMARKS; build->round++) {
    const bool has_ended = build->round == ROUND_OF_PARTS
                               ? find_parts(build, until)
                               : measure_round(build, build->rows + (size_t)build->round * count, until);
    if (!has_ended) return false;
    build->is_round_begun = false;
  }
  return true;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

static size_t distances_size(const lwi_point_graph *graph) {
  return ((size_t)graph->point_count + 1) * LWI_PRICE_LANDMARKS * sizeof *((lwi_price_table *)0)->distances;
}

/* An array of a build, and its size. [bytes] */
typedef struct build_array {
  void **at;
  size_t size;
} build_array;

#define ARRAYS 9

/* @param[out] arrays  [ARRAYS] */
static void list_arrays(table_build *build, build_array *arrays) {
  const lwi_point_graph *graph = build->graph;
  const size_t points = graph->point_count, polygons = graph->polygon_count, links = graph->base->links.count,
               members = graph->membership_count, floats = sizeof(float), numbers = sizeof(uint32_t);
  const build_array all[ARRAYS] = {
      {(void **)&build->prices, polygons * floats},
      {(void **)&build->link_costs, links * floats},
      {(void **)&build->rows, LWI_PRICE_LANDMARKS * points * floats},
      {(void **)&build->nearest, points * floats},
      {(void **)&build->parts, points * numbers},
      {(void **)&build->entered, points * numbers},
      {(void **)&build->seeds, points * numbers},
      {(void **)&build->distances, (members + READ_BEYOND) * floats},
      {(void **)&build->places, members * numbers},
  };
  memcpy(arrays, all, sizeof all);
}

static void free_build(lwi_price_table *table, lwi_memory *memory) {
  table_build *build = table->build;
  build_array arrays[ARRAYS];
  if (!build) return;
  list_arrays(build, arrays);
  lwi_bucket_queue_free(&build->open, memory);
  for (int i = 0; i < ARRAYS; i++) lwi_free(memory, *arrays[i].at, arrays[i].size + 1);
  lwi_free(memory, build, sizeof *build);
  table->build = NULL;
}

/* @return false: no memory. */
static bool make_build(lwi_price_table *table, lwi_memory *memory) {
  build_array arrays[ARRAYS];
  table_build *build = table->build = lwi_alloc_zero(memory, sizeof *build);
  if (!build) return false;
  *build = (table_build){.table = table, .graph = table->graph, .memory = memory, .round = ROUND_OF_PARTS};
  list_arrays(build, arrays);
  bool good = true;
  for (int i = 0; i < ARRAYS; i++) {
    *arrays[i].at = lwi_alloc(memory, arrays[i].size + 1);
    good = good && *arrays[i].at;
  }
  return good;
}

bool lwi_price_table_begin(lwi_price_table *table, lwi_memory *memory) {
  const lw_box *bounds = &table->graph->base->bounds;
  table->distances = lwi_alloc(memory, distances_size(table->graph));
  if (!table->distances || !make_build(table, memory)) {
    lwi_price_table_free(table, memory);
    return false;
  }
  table_build *build = table->build;
  find_prices(build);
  find_places(build);
  build->width = fmaxf(lwi_distance(bounds->min, bounds->max) * table->prices.lowest / BUCKETS, 1e-6f);
  table->work = table->graph->membership_count / MEMBERS_A_POINT;
  return true;
}

bool lwi_price_table_measure(lwi_price_table *table, lwi_memory *memory, uint64_t until) {
  table_build *build = table->build;
  if (!build) return true;
  const bool has_ended = measure(build, until);
  if (build->failed) return false;
  if (!has_ended) return true;
  table->unit =
      lwi_landmark_round(build->rows, table->graph->point_count, LWI_PRICE_LANDMARKS, table->distances);
  free_build(table, memory);
  return true;
}

void lwi_price_table_free(lwi_price_table *table, lwi_memory *memory) {
  free_build(table, memory);
  lwi_free(memory, table->distances, distances_size(table->graph));
  table->distances = NULL;
}
