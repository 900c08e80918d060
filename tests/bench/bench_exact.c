/* Exact paths beside Detour's on the same polygons and the same questions, which take turns; of each question the minimum of
   several rounds counts. Both programs take points and give points: Detour by two findNearestPoly, findPath and
   findStraightPath. And by how much good paths are longer. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/platform.h"

#include "leeward/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIRS 300
#define ROUNDS 7

typedef struct bench_pair {
  lw_vec3 from, to;   /* connected */
  double exact, good; /* lengths [m] */
} bench_pair;

enum { EXACT, WHOLE, DETOUR, KINDS };

/* Over all places. */
typedef struct bench_totals {
  double log_mean, log_p99; /* sums of ratios' logarithms */
  double ours, theirs;      /* sums of mean times [s] */
  int places;
} bench_totals;

static void draw_pairs(const bench_mesh *on, bench_pair *pairs) {
  const lw_navmesh *mesh = on->mesh;
  for (int i = 0; i < PAIRS;) {
    const lw_location from = bench_draw(on), to = bench_draw(on);
    const uint32_t *islands = mesh->graph.islands;
    if (islands[lwi_poly_index(mesh, from.poly)] == islands[lwi_poly_index(mesh, to.poly)])
      pairs[i++] = (bench_pair){.from = from.point, .to = to.point};
  }
}

static double time_ours(const bench_mesh *on, const bench_pair *pair, lw_quality quality, double *length) {
  lw_path_query query = lw_path_query_default();
  query.from = pair->from;
  query.to = pair->to;
  query.quality = quality;
  lw_path *path;
  double begin = lwi_clock();
  if (lw_path_find(on->world, NULL, &query, &path) != LW_OK) abort();
  double took = lwi_clock() - begin;
  *length = (double)lw_path_length(path);
  lw_path_destroy(path);
  return took;
}

static double time_theirs(peer *detour, const bench_pair *pair) {
  peer_path path;
  double begin = lwi_clock();
  if (!peer_find_between(detour, pair->from, pair->to, &path)) abort();
  return lwi_clock() - begin;
}

static void time_pair(const bench_place *place, bench_pair *pair, double times[KINDS], bool ours_first) {
  double whole;
  if (!ours_first) times[DETOUR] = time_theirs(place->detour, pair);
  times[EXACT] = time_ours(&place->same, pair, LW_QUALITY_EXACT, &pair->exact);
  if (ours_first) times[DETOUR] = time_theirs(place->detour, pair);
  times[WHOLE] = place->whole.world ? time_ours(&place->whole, pair, LW_QUALITY_EXACT, &whole) : 0;
}

typedef struct exact_figures {
  double mean[KINDS], p99[KINDS]; /* [s] */
  double excess, max, min;        /* of good paths over exact ones, as a part: the mean, and both ends */
} exact_figures;

static exact_figures measure(const bench_place *place) {
  static bench_pair pairs[PAIRS];
  static double minimum[KINDS][PAIRS];
  exact_figures figures = {0};
  draw_pairs(&place->same, pairs);
  for (int i = 0; i < PAIRS; i++) time_ours(&place->same, &pairs[i], LW_QUALITY_GOOD, &pairs[i].good);
  for (int round = -1; round < ROUNDS; round++)
    for (int i = 0; i < PAIRS; i++) {
      double times[KINDS];
      time_pair(place, &pairs[i], times, (i + round) % 2 == 0);
      for (int kind = 0; kind < KINDS; kind++)
        minimum[kind][i] = round < 0 ? times[kind] : fmin(minimum[kind][i], times[kind]);
    }
  for (int kind = 0; kind < KINDS; kind++) {
    figures.mean[kind] = bench_mean(minimum[kind], PAIRS);
    figures.p99[kind] = bench_quantile(minimum[kind], PAIRS, 0.99);
  }
  for (int i = 0; i < PAIRS; i++) {
    const double excess = pairs[i].exact > 0 ? pairs[i].good / pairs[i].exact - 1 : 0;
    figures.excess += excess / PAIRS;
    figures.max = fmax(figures.max, excess);
    figures.min = fmin(figures.min, excess);
  }
  return figures;
}

static void bench(bench_place *place, void *user) {
  bench_totals *totals = user;
  const exact_figures of = measure(place);
  printf("%-18s %5u %7.1f %7.1f %5.2f %7.1f %7.1f %5.2f %8.3f %6.2f %6.2f\n", place->name,
         (unsigned)place->same.mesh->polygons.count, of.mean[EXACT] * 1e6, of.mean[DETOUR] * 1e6,
         of.mean[EXACT] / of.mean[DETOUR], of.p99[EXACT] * 1e6, of.p99[DETOUR] * 1e6,
         of.p99[EXACT] / of.p99[DETOUR], 100 * of.excess, 100 * of.max, 100 * of.min);
  if (place->whole.mesh)
    printf("  %-16s %5u %7.1f %21s %7.1f\n", "unsplit", (unsigned)place->whole.mesh->polygons.count,
           of.mean[WHOLE] * 1e6, "", of.p99[WHOLE] * 1e6);
  fflush(stdout);
  totals->log_mean += log(of.mean[EXACT] / of.mean[DETOUR]);
  totals->log_p99 += log(of.p99[EXACT] / of.p99[DETOUR]);
  totals->ours += of.mean[EXACT];
  totals->theirs += of.mean[DETOUR];
  totals->places++;
}

int main(void) {
  bench_totals totals = {0};
  bench_head("exact");
  printf("microseconds; grids are split to 6 corners for both, unsplit: ours on the polygons of the file;\n"
         "excess: by how much good paths are longer than exact ones, in percent\n");
  printf("%-24s %21s %21s %22s\n", "", "mean", "p99", "excess");
  printf("%-18s %5s %7s %7s %5s %7s %7s %5s %8s %6s %6s\n", "level", "polys", "exact", "Detour", "ratio",
         "exact", "Detour", "ratio", "mean", "max", "min");
  const int places = bench_places(bench, &totals);
  if (totals.places > 0)
    printf("of Detour's time: geometric mean %.2f, p99 %.2f; all times together %.2f\n",
           exp(totals.log_mean / totals.places), exp(totals.log_p99 / totals.places),
           totals.ours / totals.theirs);
  printf("\n");
  return places == 0;
}
