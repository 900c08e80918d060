/* Distances from landmarks at a profile's prices, against a search that looks at all pairs of points. */
#include "mixed_ground.h"
#include "search/price_tables.h"

#include "core/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261127u

/* From the landmarks of a column, one on each island: the points that are no distance from them. All other points without a
   heap: as often as anything becomes nearer (Bellman 1958, Ford 1956). */
static void measure(const lw_navmesh *mesh, const lwi_prices *prices, const lwi_price_table *table, int column,
                    double *distances) {
  const lwi_point_graph *graph = table->graph;
  for (uint32_t i = 0; i < graph->point_count; i++)
    distances[i] = table->distances[i * LWI_PRICE_LANDMARKS + (uint32_t)column] == 0 ? 0 : INFINITY;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t polygon = 0; polygon < graph->polygon_count; polygon++) {
      const double price = (double)lwi_price_of_ground(prices, mesh, polygon);
      if (price == INFINITY) continue;
      for (uint32_t i = graph->first_of[polygon]; i < graph->first_of[polygon + 1]; i++)
        for (uint32_t k = graph->first_of[polygon]; k < graph->first_of[polygon + 1]; k++) {
          const uint32_t a = graph->of_polygon[i], b = graph->of_polygon[k];
          const double there = distances[a] + price * (double)lwi_distance(graph->places[a], graph->places[b]);
          if (!(there < distances[b] - 1e-9)) continue;
          distances[b] = there;
          changed = true;
        }
    }
  }
}

static void check(const char *level, mixed_kind kind) {
  mixed_ground ground;
  lw_error error;
  if (mixed_open(level, kind, SEED, &ground, &error) != LW_OK) skip();
  lwi_price_tables tables;
  assert_true(lwi_price_tables_init(&tables, 1 << 28, NULL));
  const lwi_prices *prices = &ground.profiles[0]->prices;
  const lwi_price_table *table = lwi_price_tables_acquire(&tables, ground.mesh, prices);
  assert_non_null(table);
  const uint32_t count = table->graph->point_count;
  double *distances = malloc(count * sizeof *distances);
  assert_non_null(distances);
  int compared = 0;
  for (int column = 0; column < LWI_PRICE_LANDMARKS; column += 5) {
    measure(ground.mesh, prices, table, column, distances);
    for (uint32_t i = 0; i < count; i++) {
      if (distances[i] == INFINITY) continue; /* agents may not go there */
      const double got =
          (double)table->distances[i * LWI_PRICE_LANDMARKS + (uint32_t)column] * (double)table->unit;
      assert_true(fabs(got - distances[i]) <= 2.01 * (double)table->unit + 1e-4 * distances[i]);
      compared += 1;
    }
  }
  print_message("note: %s: %d distances of %u points\n", level, compared, count);
  assert_true(compared > (int)count);
  free(distances);
  lwi_price_tables_release(&tables, table);
  lwi_price_tables_free(&tables);
  mixed_close(&ground);
}

static void distances_equal_those_of_all_pairs(void **state) {
  (void)state;
  check("recast_nav_test", MIXED_POLYGONS);
}

static void distances_over_large_polygons_do(void **state) {
  (void)state;
  check("recast_undulating", MIXED_POLYGONS);
}

static void distances_over_small_polygons_do(void **state) {
  (void)state;
  check("fd1_e1m1", MIXED_MARKS);
}

/* Computed in parts of that much work, they are the same and take as much. */
static void compare_parts(const mixed_ground *ground, const lwi_price_table *whole, uint64_t part) {
  lwi_price_tables tables;
  uint64_t granted = 0, work = 0;
  assert_true(lwi_price_tables_init(&tables, 1 << 28, NULL));
  do {
    assert_true(granted <= whole->work);
    work = granted += part;
  } while (!lwi_price_tables_prepare(&tables, ground->mesh, &whole->prices, &work));
  assert_true(work == whole->work);
  work = whole->work; /* it is known to be enough only with one more */
  assert_false(lwi_price_tables_prepare(&tables, ground->mesh, &whole->prices, &work));
  const lwi_price_table *table = lwi_price_tables_acquire(&tables, ground->mesh, &whole->prices);
  const size_t size = table->graph->point_count * LWI_PRICE_LANDMARKS * sizeof *table->distances;
  assert_true(table->unit == whole->unit);
  assert_memory_equal(table->distances, whole->distances, size);
  lwi_price_tables_release(&tables, table);
  lwi_price_tables_free(&tables);
}

static void parts_make_the_same_tables(void **state) {
  mixed_ground ground;
  lwi_price_tables tables;
  lw_error error;
  (void)state;
  if (mixed_open("recast_nav_test", MIXED_POLYGONS, SEED, &ground, &error) != LW_OK) skip();
  assert_true(lwi_price_tables_init(&tables, 1 << 28, NULL));
  const lwi_price_table *whole = lwi_price_tables_acquire(&tables, ground.mesh, &ground.profiles[0]->prices);
  assert_non_null(whole);
  compare_parts(&ground, whole, 1);
  compare_parts(&ground, whole, 777);
  compare_parts(&ground, whole, 10000);
  lwi_price_tables_release(&tables, whole);
  lwi_price_tables_free(&tables);
  mixed_close(&ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_equal_those_of_all_pairs),
      cmocka_unit_test(distances_over_large_polygons_do),
      cmocka_unit_test(distances_over_small_polygons_do),
      cmocka_unit_test(parts_make_the_same_tables),
  };
  return cmocka_run_group_tests_name("price_tables", tests, NULL, NULL);
}
