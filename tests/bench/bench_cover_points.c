/* Finding cover: within 20 m, from two threats that stand somewhere on the level. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/clock.h"
#include "core/vec3.h"

#include "leeward/cover_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERIES 100
#define PLACES 8
#define REPEATS 3
#define EYE_HEIGHT 1.6f

typedef struct cover_sums {
  double medians, worst;
  int count;
} cover_sums;

/* Drawn in turn, so that a query's threats do not depend on how others were answered. */
static lw_cover_point_query draw_query(const bench_place *place, lw_threat threats[2]) {
  lw_cover_point_query query = lw_cover_point_query_default();
  query.around = bench_draw(&place->same).point;
  for (int i = 0; i < 2; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = lwi_add(bench_draw(&place->same).point, lwi_vec3(0, EYE_HEIGHT, 0));
  }
  query.threats = threats;
  query.threat_count = 2;
  return query;
}

/* The best of a few, so that what else the machine does does not count. @param[out] found  Places. [ms] */
static double ask(const bench_place *place, const lw_cover_point_query *query, int *found) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    lw_cover_point points[PLACES];
    double begin = lwi_clock();
    lw_status status = lw_cover_point_find(place->same.world, query, points, PLACES, found);
    double took = lwi_clock() - begin;
    if (status != LW_OK && status != LW_NO_POINT) abort();
    best = fmin(best, took * 1e3);
  }
  return best;
}

static void measure(bench_place *place, void *user) {
  cover_sums *sums = user;
  double took[QUERIES];
  int all = 0;
  lw_navmesh_stats stats = lw_navmesh_get_stats(place->same.mesh);
  if (stats.cover_segments == 0) return;
  for (int i = 0; i < QUERIES; i++) {
    lw_threat threats[2];
    int found = 0;
    lw_cover_point_query query = draw_query(place, threats);
    took[i] = ask(place, &query, &found);
    all += found;
  }
  double median = bench_quantile(took, QUERIES, 0.5), high = bench_quantile(took, QUERIES, 0.95);
  printf("%-18s %9d %8.2f %8.2f %8.2f %7.1f\n", place->name, stats.cover_segments, median, high,
         took[QUERIES - 1], (double)all / QUERIES);
  fflush(stdout);
  sums->medians += median;
  sums->worst = fmax(sums->worst, took[QUERIES - 1]);
  sums->count++;
}

int main(void) {
  cover_sums sums = {0};
  bench_head("cover_points");
  printf("milliseconds to find the best %d places behind cover within 20 m, from two threats\n", PLACES);
  printf("%-18s %9s %8s %8s %8s %7s\n", "level", "segments", "median", "95 %", "worst", "found");
  int places = bench_places(measure, &sums);
  if (sums.count > 0)
    printf("cover_points: %.2f ms (mean of the medians), at worst %.2f\n\n", sums.medians / sums.count,
           sums.worst);
  return places == 0;
}
