/* The columns of a wall, against each facet asked in each column. */
#include "bake/wall_columns.h"
#include "core/random.h"
#include "core/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261123u
#define FACETS 400
#define GAP 0.03f /* what lies closer is solid [m] */

static const lwi_wall_plane plane = {.hx = 0, .hz = 1, .end = FACETS}; /* so that x is the way along it */
static lwi_wall_facet facets[FACETS];
static int order[FACETS];

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* A triangle about (x, y), or one that begins at an upright edge. */
static void make_facet(lw_random *random, int i, float size, bool at_edge) {
  lwi_wall_facet *facet = &facets[i];
  const float x = between(random, 0, 10), y = between(random, 0, 3);
  *facet = (lwi_wall_facet){.count = 3};
  for (int k = 0; k < 3; k++)
    facet->corners[k] = lwi_vec3(x + between(random, -size, size), y + between(random, -size, size), 0);
  if (at_edge) {
    facet->corners[0] = lwi_vec3(0, 0, 0);
    facet->corners[1] = lwi_vec3(0, 3, 0);
    facet->corners[2] = lwi_vec3(x, y, 0);
  }
  order[i] = i;
}

static bool span_of(const lwi_wall_facet *facet, double at, lwi_wall_span *span) {
  *span = (lwi_wall_span){0, INFINITY, -INFINITY};
  for (int i = 0; i < facet->count; i++) {
    const lw_vec3 a = facet->corners[i], b = facet->corners[(i + 1) % facet->count];
    const double from = lwi_wall_along(&plane, a), to = lwi_wall_along(&plane, b);
    if ((from < at) == (to < at)) continue;
    const float y = (float)((double)a.y + ((double)b.y - (double)a.y) * (at - from) / (to - from));
    span->low = fminf(span->low, y);
    span->high = fmaxf(span->high, y);
  }
  return span->high > span->low;
}

static int compare_lows(const void *left, const void *right) {
  const lwi_wall_span *a = left, *b = right;
  return (a->low > b->low) - (a->low < b->low);
}

/* @return How many spans a column has: `spans`, from below. */
static int spans_of_all(double at, lwi_wall_span *spans) {
  int count = 0, united = 0;
  for (int i = 0; i < FACETS; i++) count += span_of(&facets[i], at, &spans[count]);
  qsort(spans, (size_t)count, sizeof *spans, compare_lows);
  for (int i = 0; i < count; i++) {
    if (united > 0 && spans[i].low <= spans[united - 1].high + GAP)
      spans[united - 1].high = fmaxf(spans[united - 1].high, spans[i].high);
    else
      spans[united++] = spans[i];
  }
  return united;
}

/* @return How many spans there are. */
static int check_columns(const lwi_wall_columns *columns) {
  static lwi_wall_span expected[FACETS];
  int at = 0;
  for (int c = 0; c + 1 < columns->cut_count; c++) {
    const int count = spans_of_all(lwi_wall_middle(columns, c), expected);
    for (int i = 0; i < count; i++, at++) {
      assert_true(at < columns->span_count);
      assert_int_equal(columns->spans[at].column, c);
      assert_true(columns->spans[at].low == expected[i].low && columns->spans[at].high == expected[i].high);
    }
  }
  assert_int_equal(at, columns->span_count);
  return at;
}

static void a_column_is_solid_where_any_facet_is(void **state) {
  (void)state;
  static const float sizes[] = {0.1f, 0.5f, 2, 10};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_wall_columns columns = {.memory = &memory};
  const lwi_walls walls = {.facets = facets, .order = order, .facet_count = FACETS};
  lw_random random = lwi_random_make(SEED, 1);
  for (int round = 0; round < 20; round++) {
    const float size = sizes[round % 4];
    for (int i = 0; i < FACETS; i++) make_facet(&random, i, size, round % 5 == 4);
    assert_true(lwi_wall_columns_make(&columns, &walls, &plane));
    const int spans = check_columns(&columns);
    if (round < 5) printf("note: %d columns, %d spans of %d facets\n", columns.cut_count - 1, spans, FACETS);
  }
  lwi_wall_columns_free(&columns);
  assert_int_equal(memory.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_column_is_solid_where_any_facet_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
