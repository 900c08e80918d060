/* Path search beside Detour's on the same polygons and the same questions. Ours and Detour's take turns; of each
   question the minimum over the rounds counts, which other programs on the machine disturb little. Our find_path
   takes points and snaps them to the mesh, and so does Detour with two findNearestPoly before findPath and
   findStraightPath: the ratio is to that. `Detour` is without them, given the polygons. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/platform.h"
#include "mesh/landmarks.h"
#include "mesh/reduction.h"

#include "leeward/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIRS 300
#define ROUNDS 7

typedef struct bench_pair {
  lw_location from, to; /* connected */
  uint32_t from_polygon, to_polygon;
} bench_pair;

enum { OURS, WHOLE, SEARCH, SNAP, KINDS };

/* Over all places. */
typedef struct bench_totals {
  double log_mean, log_p99; /* sums of ratios' logarithms */
  int places, incomplete;   /* paths that Detour gave up */
} bench_totals;

static void draw_pairs(const bench_mesh *on, bench_pair *pairs) {
  for (int i = 0; i < PAIRS;) {
    bench_pair pair = {.from = bench_draw(on), .to = bench_draw(on)};
    pair.from_polygon = lwi_poly_index(on->mesh, pair.from.poly);
    pair.to_polygon = lwi_poly_index(on->mesh, pair.to.poly);
    if (on->mesh->graph.islands[pair.from_polygon] == on->mesh->graph.islands[pair.to_polygon])
      pairs[i++] = pair;
  }
}

static double time_ours(const bench_mesh *on, const bench_pair *pair) {
  lw_path_query query = lw_path_query_default();
  query.from = pair->from.point;
  query.to = pair->to.point;
  lw_path *path;
  double begin = lwi_clock();
  if (lw_path_find(on->world, NULL, &query, &path) != LW_OK) abort();
  double took = lwi_clock() - begin;
  lw_path_destroy(path);
  return took;
}

/* @return Whether Detour found the whole path. */
static bool time_theirs(peer *detour, const bench_pair *pair, double *search, double *with_snap) {
  const lw_vec3 half = {2, 4, 2};
  uint32_t from, to;
  lw_vec3 start, goal;
  peer_path path;
  double begin = lwi_clock();
  if (!peer_nearest(detour, pair->from.point, half, &from, &start) ||
      !peer_nearest(detour, pair->to.point, half, &to, &goal))
    abort();
  double middle = lwi_clock();
  if (!peer_find_path(detour, pair->from_polygon, pair->from.point, pair->to_polygon, pair->to.point, &path))
    abort();
  double end = lwi_clock();
  *search = end - middle;
  *with_snap = end - begin;
  return path.complete;
}

typedef struct path_figures {
  double mean[KINDS], p99[KINDS]; /* [s] */
  int incomplete;
} path_figures;

static path_figures measure(const bench_place *place) {
  static bench_pair pairs[PAIRS];
  static double times[KINDS][PAIRS];
  static double minimum[KINDS][PAIRS];
  path_figures figures = {0};
  draw_pairs(&place->same, pairs);
  for (int round = -1; round < ROUNDS; round++) {
    figures.incomplete = 0;
    for (int i = 0; i < PAIRS; i++) {
      bool ours_first = (i + round) % 2 == 0; /* the first of the two has a colder cache */
      if (ours_first) times[OURS][i] = time_ours(&place->same, &pairs[i]);
      figures.incomplete += !time_theirs(place->detour, &pairs[i], &times[SEARCH][i], &times[SNAP][i]);
      if (!ours_first) times[OURS][i] = time_ours(&place->same, &pairs[i]);
      times[WHOLE][i] = place->whole.world ? time_ours(&place->whole, &pairs[i]) : 0;
      for (int kind = 0; kind < KINDS; kind++)
        minimum[kind][i] = round < 0 ? times[kind][i] : fmin(minimum[kind][i], times[kind][i]);
    }
  }
  for (int kind = 0; kind < KINDS; kind++) {
    figures.mean[kind] = bench_mean(minimum[kind], PAIRS);
    figures.p99[kind] = bench_quantile(minimum[kind], PAIRS, 0.99);
  }
  return figures;
}

static void bench(bench_place *place, void *user) {
  bench_totals *totals = user;
  path_figures of = measure(place);
  const lw_navmesh *mesh = place->same.mesh;
  printf("%-18s %5u %7.1f %7.1f %7.1f %5.2f %7.1f %7.1f %5.2f %6.1f\n", place->name,
         (unsigned)mesh->polygons.count, of.mean[OURS] * 1e6, of.mean[SEARCH] * 1e6, of.mean[SNAP] * 1e6,
         of.mean[OURS] / of.mean[SNAP], of.p99[OURS] * 1e6, of.p99[SNAP] * 1e6, of.p99[OURS] / of.p99[SNAP],
         (double)(lwi_attachment_bytes(mesh, LWI_REDUCTION_SLOT) +
                  lwi_attachment_bytes(mesh, LWI_LANDMARKS_SLOT)) /
             (double)mesh->polygons.count);
  if (place->whole.mesh)
    printf("  %-16s %5u %7.1f %21s %7.1f\n", "unsplit", (unsigned)place->whole.mesh->polygons.count,
           of.mean[WHOLE] * 1e6, "", of.p99[WHOLE] * 1e6);
  fflush(stdout);
  totals->log_mean += log(of.mean[OURS] / of.mean[SNAP]);
  totals->log_p99 += log(of.p99[OURS] / of.p99[SNAP]);
  totals->places++;
  totals->incomplete += of.incomplete;
}

int main(void) {
  bench_totals totals = {0};
  bench_head("path");
  printf("microseconds; Detour: findPath + findStraightPath, +snap: and two findNearestPoly, which ours has in "
         "it and\nthe ratio is to; table: bytes a polygon of dead ends, corners of walls and landmarks;\n"
         "grids are split to 6 corners for both, unsplit: ours on the polygons of the file\n");
  printf("%-24s %29s %21s\n", "", "find_path, mean", "find_path, p99");
  printf("%-18s %5s %7s %7s %7s %5s %7s %7s %5s %6s\n", "level", "polys", "ours", "Detour", "+snap", "ratio",
         "ours", "+snap", "ratio", "table");
  int places = bench_places(bench, &totals);
  if (totals.places > 0)
    printf("of Detour's time (geometric mean): mean %.2f, p99 %.2f\n", exp(totals.log_mean / totals.places),
           exp(totals.log_p99 / totals.places));
  if (totals.incomplete > 0)
    printf("of %d paths that ours finds Detour gives %d up before the goal\n", totals.places * PAIRS,
           totals.incomplete);
  printf("\n");
  return places == 0;
}
