/* Finding cover: within 20 m, from two threats that stand somewhere on the level; and the same, and with four
   threats, with paths priced by what the threats see of them. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/vec3.h"

#include "leeward/cover_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERIES 100
#define PLACES 8
#define REPEATS 3
#define EYE_HEIGHT 1.6f
#define BIAS 4
#define KINDS 3
#define THREATS_MAX 4

static const char *const kinds[KINDS] = {"", ", watched paths", ", watched paths, four threats"};

typedef struct cover_sums {
  double medians[KINDS], worst[KINDS];
  int count;
} cover_sums;

/* Drawn in turn, so that a query's threats do not depend on how others were answered. */
static lw_cover_query draw_query(const bench_place *place, lw_threat threats[THREATS_MAX]) {
  lw_cover_query query = lw_cover_query_default();
  query.around = bench_draw(&place->same).point;
  for (int i = 0; i < THREATS_MAX; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = lwi_add(bench_draw(&place->same).point, lwi_vec3(0, EYE_HEIGHT, 0));
  }
  query.threats = threats;
  return query;
}

/* The best of a few, so that what else the machine does does not count. @param[out] found  Places. [ms] */
static double ask(const bench_place *place, const lw_cover_query *query, int *found) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    lw_cover_point points[PLACES];
    double begin = bench_clock();
    lw_status status = lw_cover_find(place->same.world, NULL, query, points, PLACES, found);
    double took = bench_clock() - begin;
    if (status != LW_OK && status != LW_NO_POINT) abort();
    best = fmin(best, took * 1e3);
  }
  return best;
}

static lw_profile *make_profile(const bench_place *place) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.cover_bias = BIAS;
  def.radius = lw_navmesh_get_agent(place->same.mesh).radius;
  if (lw_profile_create(&def, place->same.mesh->areas, &profile, NULL) != LW_OK) abort();
  return profile;
}

static void print_quantiles(double *took, cover_sums *sums, int which) {
  double median = bench_quantile(took, QUERIES, 0.5), high = bench_quantile(took, QUERIES, 0.95);
  printf(" %8.2f %8.2f %8.2f", median, high, took[QUERIES - 1]);
  sums->medians[which] += median;
  sums->worst[which] = fmax(sums->worst[which], took[QUERIES - 1]);
}

static void measure(bench_place *place, void *user) {
  cover_sums *sums = user;
  double took[KINDS][QUERIES];
  int all = 0;
  lw_navmesh_stats stats = lw_navmesh_get_stats(place->same.mesh);
  if (stats.cover_segments == 0) return;
  lw_profile *profile = make_profile(place);
  for (int i = 0; i < QUERIES; i++) {
    lw_threat threats[THREATS_MAX];
    int found = 0, again;
    lw_cover_query query = draw_query(place, threats);
    query.profile = profile;
    query.threat_count = 2;
    took[0][i] = ask(place, &query, &found);
    all += found;
    query.watched = true;
    took[1][i] = ask(place, &query, &again);
    query.threat_count = THREATS_MAX;
    took[2][i] = ask(place, &query, &again);
  }
  printf("%-18s %9d %7.1f", place->name, stats.cover_segments, (double)all / QUERIES);
  for (int k = 0; k < KINDS; k++) print_quantiles(took[k], sums, k);
  printf("\n");
  fflush(stdout);
  sums->count++;
  lw_profile_destroy(profile);
}

int main(void) {
  cover_sums sums = {0};
  bench_head("cover_points");
  printf("milliseconds to find the best %d places behind cover within 20 m, from two threats\n", PLACES);
  printf("%-18s %9s %7s %26s %26s %26s\n", "level", "segments", "found", "paths unwatched: 50, 95, 100",
         "watched", "watched by four");
  int places = bench_places(measure, &sums);
  for (int k = 0; k < KINDS && sums.count > 0; k++)
    printf("cover_points%s: %.2f ms (mean of the medians), at worst %.2f\n", kinds[k],
           sums.medians[k] / sums.count, sums.worst[k]);
  printf("\n");
  return places == 0;
}
