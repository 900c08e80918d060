/* Paths over ground of many prices on real levels, against the cheapest path over points every 0.1 m of every
   portal. The benchmark runs more queries (bench_weighted). */
#include "mixed_ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261121u
#define QUERIES 25 /* a level */
#define TRIES 200

typedef struct totals {
  int count;
  double ours[MIXED_LEVELS * QUERIES], detour[MIXED_LEVELS * QUERIES]; /* above the best, as a part of it */
} totals;

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double mean(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += values[i] / count;
  return sum;
}

static double quantile(double *values, int count, double part) {
  qsort(values, (size_t)count, sizeof *values, order);
  return values[(int)(part * (count - 1))];
}

static void check(const char *level, int query, const mixed_result *result, totals *sums) {
  if (!(fabs(result->along - result->ours) <= 0.01 * result->ours + 0.05))
    fail_msg("%s, query %d: the path says it costs %g, its points %g", level, query, result->ours,
             result->along);
  if (!(result->best <= 1.02 * result->chords))
    fail_msg("%s, query %d: it costs %g, and the slow search finds nothing below %g", level, query,
             result->chords, result->best);
  if (!(result->chords >= 0.99 * result->best - 0.05))
    fail_msg("%s, query %d: %g is cheaper than the best there is, %g", level, query, result->chords,
             result->best);
  sums->ours[sums->count] = fmax(0, result->chords / result->best - 1);
  sums->detour[sums->count++] = result->detour < INFINITY ? fmax(0, result->detour / result->best - 1) : 0;
}

static void ask(const char *level, totals *sums) {
  mixed_ground ground;
  lw_error error = {0};
  mixed_kind kind = sums->count > 0 ? MIXED_POLYGONS : MIXED_MARKS;
  if (mixed_open(level, kind, SEED, &ground, &error) != LW_OK) fail_msg("%s: %s", level, error.text);
  int asked = 0;
  for (int i = 0; i < TRIES && asked < QUERIES; i++) {
    mixed_result result;
    if (!mixed_ask(&ground, ground.profiles[i % MIXED_PROFILES], &result)) continue;
    check(level, i, &result, sums);
    asked++;
  }
  assert_true(asked >= QUERIES / 2);
  mixed_close(&ground);
}

static void paths_cost_little_more_than_the_best_on_mixed_ground(void **state) {
  static totals sums;
  (void)state;
  for (int i = 0; i < MIXED_LEVELS; i++) {
    char text[512];
    if (!level_file(mixed_levels[i], text, sizeof text)) {
      level_missing(mixed_levels[i], text, sizeof text);
      printf("skipped: %s\n", text);
      skip();
    }
    ask(mixed_levels[i], &sums);
  }
  double ours = quantile(sums.ours, sums.count, 0.99), detour = quantile(sums.detour, sums.count, 0.99);
  printf("note: %d paths on %d levels of mixed ground (seed %u): cost above the dense optimum %.2f %% in the "
         "mean, %.1f %% in the worst hundredth; Detour's on the same prices %.1f %% and %.0f %%\n",
         sums.count, MIXED_LEVELS, SEED, 100 * mean(sums.ours, sums.count), 100 * ours,
         100 * mean(sums.detour, sums.count), 100 * detour);
  assert_true(mean(sums.ours, sums.count) <= 0.008);
  assert_true(ours <= 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths_cost_little_more_than_the_best_on_mixed_ground)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
