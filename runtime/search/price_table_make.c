/* Exact distances over the points of portals, from the landmarks of all connected parts at once, by sweeps (point_sweep.h).
   All of it may pause between any two polygons. */
#include "search/price_tables.h"

#include "core/vec3.h"
#include "search/point_sweep.h"

#include <math.h>
#include <string.h>

/* What is measured: where the connected parts are, then one round for each of the landmarks. */
#define ROUND_OF_PARTS (-1)

typedef struct lwi_table_build {
  lwi_price_table *table;
  const lwi_point_graph *graph;
  lwi_point_sweep sweep;
  float *rows;     /* [LWI_PRICE_LANDMARKS][points] */
  float *nearest;  /* [points] To the nearest landmark so far. */
  uint32_t *parts; /* [points] The connected part, LWI_NONE: none. */
  uint32_t *seeds; /* [part_count] The next landmark of each part. */
  uint32_t part_count;
  float width;         /* of buckets */
  int round;           /* ROUND_OF_PARTS; then 0 to LWI_PRICE_LANDMARKS - 1 */
  bool is_round_begun; /* Some of its points may be left to be passed on. */
  uint32_t next_start; /* Of ROUND_OF_PARTS: the point from which the next part may be found. */
} table_build;

/* Distances across the navmesh fall into about as many buckets. */
#define BUCKETS 4096
/* Points of polygons that are listed in the time in which one point is passed on. */
#define MEMBERS_A_POINT 4

static float distance_of(const table_build *build, uint32_t point) {
  return lwi_point_sweep_cost(&build->sweep, point);
}

/* @return false: it has paused, or failed. */
static bool run(table_build *build, uint64_t until) {
  build->sweep.work = build->table->work;
  const bool has_ended = lwi_point_sweep_run(&build->sweep, until);
  build->table->work = build->sweep.work;
  return has_ended;
}

static void begin_round(table_build *build) {
  lwi_point_sweep_begin(&build->sweep, (lw_vec3){0}, build->width);
}

/* --- landmarks -------------------------------------------------------------------------------------------- */

static bool is_open(const table_build *build, uint32_t point) {
  const lwi_point_graph *graph = build->graph;
  for (uint32_t i = graph->first_polygon[point]; i < graph->first_polygon[point + 1]; i++)
    if (lwi_price_of_ground(&build->table->prices, graph->base, graph->polygons[i]) < INFINITY) return true;
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
  build->seeds[build->part_count++] = *next;
  lwi_bucket_queue_begin(&build->sweep.open, build->width);
  lwi_point_sweep_from_point(&build->sweep, *next);
  return true;
}

/* All points that were reached, and belong to no part before it, are of the newest one. */
static void end_part(table_build *build) {
  const lwi_point_graph *graph = build->graph;
  const lwi_bucket_queue *swept = &build->sweep.open;
  for (int i = 0; i < swept->count; i++) {
    const uint32_t polygon = swept->entries[i].item;
    for (uint32_t k = graph->first_of[polygon]; k < graph->first_of[polygon + 1]; k++) {
      uint32_t *part = &build->parts[graph->of_polygon[k]];
      if (build->sweep.costs[k] < INFINITY && *part == LWI_NONE) *part = build->part_count - 1;
    }
  }
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
  while (build->part_count == 0 || run(build, until)) {
    if (build->part_count > 0) end_part(build);
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
    for (uint32_t part = 0; part < build->part_count; part++)
      lwi_point_sweep_from_point(&build->sweep, build->seeds[part]);
  }
  build->is_round_begun = true;
  if (!run(build, until)) return false;
  for (uint32_t i = 0; i < build->graph->point_count; i++) {
    row[i] = distance_of(build, i);
    if (build->parts[i] == LWI_NONE) continue;
    build->nearest[i] = fminf(build->nearest[i], row[i]);
    uint32_t *seed = &build->seeds[build->parts[i]];
    if (build->nearest[i] > build->nearest[*seed]) *seed = i;
  }
  return true;
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

#define ARRAYS 4

/* @param[out] arrays  [ARRAYS] */
static void list_arrays(table_build *build, build_array *arrays) {
  const lwi_point_graph *graph = build->graph;
  const size_t points = graph->point_count, floats = sizeof(float), numbers = sizeof(uint32_t);
  const build_array all[ARRAYS] = {
      {(void **)&build->rows, LWI_PRICE_LANDMARKS * points * floats},
      {(void **)&build->nearest, points * floats},
      {(void **)&build->parts, points * numbers},
      {(void **)&build->seeds, points * numbers},
  };
  memcpy(arrays, all, sizeof all);
}

static void free_build(lwi_price_table *table, lwi_memory *memory) {
  table_build *build = table->build;
  build_array arrays[ARRAYS];
  if (!build) return;
  list_arrays(build, arrays);
  lwi_point_sweep_free(&build->sweep, memory);
  for (int i = 0; i < ARRAYS; i++) lwi_free(memory, *arrays[i].at, arrays[i].size + 1);
  lwi_free(memory, build, sizeof *build);
  table->build = NULL;
}

/* @return false: no memory. */
static bool make_build(lwi_price_table *table, lwi_memory *memory) {
  build_array arrays[ARRAYS];
  table_build *build = table->build = lwi_alloc_zero(memory, sizeof *build);
  if (!build) return false;
  *build = (table_build){.table = table, .graph = table->graph, .round = ROUND_OF_PARTS};
  build->sweep = (lwi_point_sweep){.memory = memory,
                                   .points = table->graph,
                                   .mesh = table->graph->base,
                                   .prices = &table->prices,
                                   .target = LWI_NONE,
                                   .keeps_prices = true};
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
  build->width = fmaxf(lwi_distance(bounds->min, bounds->max) * table->prices.lowest / BUCKETS, 1e-6f);
  table->work = table->graph->membership_count / MEMBERS_A_POINT;
  return true;
}

bool lwi_price_table_measure(lwi_price_table *table, lwi_memory *memory, uint64_t until) {
  table_build *build = table->build;
  if (!build) return true;
  const bool has_ended = measure(build, until);
  if (build->sweep.failed) return false;
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
