/* Costs over the points of portals up to one place, against a search that looks at all pairs of points: with and without
   links that were added, in one go and in parts. */
#include "mixed_ground.h"
#include "search/point_sweep.h"

#include "core/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261127u
#define QUERIES 25
#define PART 50 /* work */

typedef struct oracle {
  const lwi_point_graph *points;
  const lwi_prices *prices;
  const lwi_sweep_links *links; /* NULL: none */
  double *costs;                /* [points] */
  double *ends;                 /* [2 * links] */
} oracle;

static bool lower(double *cost, double to) {
  if (!(to < *cost - 1e-9)) return false;
  *cost = to;
  return true;
}

/* From a place to all points of its polygon, and to ends of links. */
static bool leave(oracle *of, uint32_t polygon, lw_vec3 at, double cost) {
  const lwi_point_graph *points = of->points;
  const double price = (double)lwi_price_of_ground(of->prices, points->base, polygon);
  bool changed = false;
  if (price == INFINITY) return false;
  for (uint32_t i = points->first_of[polygon]; i < points->first_of[polygon + 1]; i++) {
    const uint32_t point = points->of_polygon[i];
    changed |= lower(&of->costs[point], cost + price * (double)lwi_distance(at, points->places[point]));
  }
  for (int i = 0; of->links && i < of->links->count; i++) {
    const lwi_link *link = of->links->items[i];
    const double over = (double)(link->length * of->prices->lowest);
    if (link->from == polygon)
      changed |= lower(&of->ends[2 * i + 1], cost + price * (double)lwi_distance(at, link->start) + over);
    if (link->to == polygon)
      changed |= lower(&of->ends[2 * i], cost + price * (double)lwi_distance(at, link->end) + over);
  }
  return changed;
}

/* As often as anything becomes cheaper (Bellman 1958, Ford 1956). */
static void measure(oracle *of, uint32_t polygon, lw_vec3 at) {
  const lwi_point_graph *points = of->points;
  for (uint32_t i = 0; i < points->point_count; i++) of->costs[i] = INFINITY;
  for (int i = 0; i < 2 * LWI_SWEEP_LINKS_MAX; i++) of->ends[i] = INFINITY;
  for (bool changed = leave(of, polygon, at, 0); changed;) {
    changed = false;
    for (uint32_t p = 0; p < points->polygon_count; p++)
      for (uint32_t i = points->first_of[p]; i < points->first_of[p + 1]; i++) {
        const uint32_t point = points->of_polygon[i];
        if (of->costs[point] < INFINITY) changed |= leave(of, p, points->places[point], of->costs[point]);
      }
    for (int i = 0; of->links && i < of->links->count; i++) {
      const lwi_link *link = of->links->items[i];
      if (of->ends[2 * i] < INFINITY) changed |= leave(of, link->from, link->start, of->ends[2 * i]);
      if (of->ends[2 * i + 1] < INFINITY) changed |= leave(of, link->to, link->end, of->ends[2 * i + 1]);
    }
  }
}

static void begin(lwi_point_sweep *sweep, const oracle *of, lwi_memory *memory, lw_location from,
                  lw_location to, const lw_navmesh *mesh) {
  sweep->memory = memory;
  sweep->points = of->points;
  sweep->mesh = mesh;
  sweep->prices = of->prices;
  sweep->links = of->links;
  sweep->target = lwi_poly_index(mesh, to.poly);
  sweep->toward = to.point;
  sweep->lowest = of->links ? 0 : of->prices->lowest; /* a link may be shorter than the straight line */
  sweep->work = 0;
  assert_true(lwi_point_sweep_begin(sweep, from.point, 0.5f));
  lwi_point_sweep_from(sweep, lwi_poly_index(mesh, from.poly), from.point);
}

/* Points over which paths to the target cost less than the limit cost what they do; no other one costs less.
   @return How many there are. */
static int compare(const lwi_point_sweep *sweep, const oracle *of) {
  int known = 0;
  for (uint32_t i = 0; i < of->points->point_count; i++) {
    const double before = (double)(lwi_distance(of->points->places[i], sweep->toward) * sweep->lowest),
                 limit = (double)sweep->limit, got = (double)lwi_point_sweep_cost(sweep, i),
                 cost = of->costs[i];
    if (cost == INFINITY) {
      assert_true(got == INFINITY);
    } else if (cost + before < limit * (1 - 1e-5)) {
      assert_true(fabs(got - cost) <= 1e-4 * cost + 1e-3);
      known += 1;
    } else {
      assert_true(got >= cost - 1e-4 * cost - 1e-3);
    }
  }
  return known;
}

static void check(const char *level, mixed_kind kind, bool adds_links) {
  mixed_ground ground;
  lw_error error;
  if (mixed_open(level, kind, SEED, &ground, &error) != LW_OK) skip();
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_point_graph points;
  lwi_point_sweep sweep = {0};
  assert_true(lwi_point_graph_make(&points, &memory, ground.mesh));
  lwi_link links[3] = {{0}};
  lwi_sweep_links added = {.count = 3, .items = {&links[0], &links[1], &links[2]}};
  double ends[2 * LWI_SWEEP_LINKS_MAX];
  oracle of = {.points = &points,
               .prices = &ground.profiles[0]->prices,
               .links = adds_links ? &added : NULL,
               .costs = malloc(points.point_count * sizeof(double)),
               .ends = ends};
  assert_non_null(of.costs);
  int known = 0, queries = 0;
  while (queries < QUERIES) {
    lw_location from, to;
    for (int i = 0; i < 3; i++) {
      while (!mixed_draw(&ground, ground.profiles[0], &from, &to)) continue;
      links[i] = (lwi_link){.from = lwi_poly_index(ground.mesh, from.poly),
                            .to = lwi_poly_index(ground.mesh, to.poly),
                            .start = from.point,
                            .end = to.point,
                            .length = 1};
    }
    if (!mixed_draw(&ground, ground.profiles[0], &from, &to)) continue;
    measure(&of, lwi_poly_index(ground.mesh, from.poly), from.point);
    begin(&sweep, &of, &memory, from, to, ground.mesh);
    const uint64_t part = queries % 2 == 0 ? UINT64_MAX : PART;
    for (uint64_t until = part; !lwi_point_sweep_run(&sweep, until); until += part)
      assert_true(sweep.work < until + 64 * PART);
    known += compare(&sweep, &of);
    queries += 1;
  }
  print_message("note: %s: %d of %d points are known\n", level, known, QUERIES * (int)points.point_count);
  assert_true(known > QUERIES);
  free(of.costs);
  lwi_point_sweep_free(&sweep, &memory);
  lwi_point_graph_free(&points, &memory);
  assert_true(memory.bytes == 0);
  mixed_close(&ground);
}

static void costs_up_to_a_place_equal_those_of_all_pairs(void **state) {
  (void)state;
  check("recast_nav_test", MIXED_POLYGONS, false);
}

static void costs_over_small_polygons_do(void **state) {
  (void)state;
  check("recast_nav_test", MIXED_MARKS, false);
}

static void costs_over_added_links_do(void **state) {
  (void)state;
  check("recast_nav_test", MIXED_POLYGONS, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_up_to_a_place_equal_those_of_all_pairs),
      cmocka_unit_test(costs_over_small_polygons_do),
      cmocka_unit_test(costs_over_added_links_do),
  };
  return cmocka_run_group_tests_name("point_sweep", tests, NULL, NULL);
}
