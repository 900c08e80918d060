/* Paths over ground of many prices: what they cost above the best there is, where each polygon is crossed in a straight
   line, and how long they take, beside Detour's on the same polygons and prices: points in, points out, so that Detour snaps
   them by two findNearestPoly. Kinds take turns; times are medians over the rounds. */
#include "bench_support.h"
#include "core/platform.h"
#include "mixed_ground.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED 20261121u
#define QUERIES 125 /* of each level and each kind of patches: 1,000 in all */
#define TRIES 4000
#define ROUNDS 5

enum { GOOD, FAST, COLD, DETOUR, KINDS };
enum { TIME_GOOD, TIME_FAST, TIME_COLD, TIME_PLAIN, TIME_DETOUR, TIMES };

typedef struct weighted_query {
  const lw_profile *profile;
  lw_location from, to;
} weighted_query;

typedef struct figures {
  int count;
  double above[KINDS][2 * MIXED_LEVELS * QUERIES]; /* the best, as a part of it */
  double times[TIMES];                             /* in all [s] */
} figures;

static double find(mixed_ground *ground, const weighted_query *ask, lw_quality quality, bool plain,
                   double *cost) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = ask->from.point;
  query.to = ask->to.point;
  query.profile = plain ? NULL : ask->profile;
  query.quality = quality;
  double begin = lwi_clock();
  if (lw_path_find(ground->world, NULL, &query, &path) != LW_OK) abort();
  double took = lwi_clock() - begin;
  *cost = mixed_chord_cost(path, ask->profile);
  lw_path_destroy(path);
  return took;
}

/* As the planner does while bounds at the profile's prices are being computed. */
static double find_cold(mixed_ground *ground, const weighted_query *ask, double *cost) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = ask->from.point;
  query.to = ask->to.point;
  query.profile = ask->profile;
  double begin = lwi_clock();
  lwi_path_run run = lwi_path_run_of(&ground->world->scene, ground->world->scene.own, &query, NULL);
  run.is_cold = true;
  if (lwi_path_run_find(&run, &path) != LW_OK) abort();
  double took = lwi_clock() - begin;
  *cost = mixed_chord_cost(path, ask->profile);
  lw_path_destroy(path);
  return took;
}

static double find_theirs(mixed_ground *ground, const weighted_query *ask, double *cost) {
  const lw_vec3 half = {2, 4, 2};
  uint32_t from, to;
  lw_vec3 start, goal;
  mixed_set_prices(ground, ask->profile);
  double begin = lwi_clock();
  if (!peer_nearest(ground->detour, ask->from.point, half, &from, &start) ||
      !peer_nearest(ground->detour, ask->to.point, half, &to, &goal))
    abort();
  *cost = peer_price(ground->detour, lwi_poly_index(ground->mesh, ask->from.poly), ask->from.point,
                     lwi_poly_index(ground->mesh, ask->to.poly), ask->to.point);
  return lwi_clock() - begin;
}

static int draw(mixed_ground *ground, weighted_query *queries) {
  int count = 0;
  for (int i = 0; i < TRIES && count < QUERIES; i++) {
    weighted_query *query = &queries[count];
    query->profile = ground->profiles[i % MIXED_PROFILES];
    count += mixed_draw(ground, query->profile, &query->from, &query->to);
  }
  return count;
}

/* @param costs  [KINDS] @param times  [TIMES] */
static void ask(mixed_ground *ground, const weighted_query *query, double *costs, double *times) {
  double rounds[TIMES][ROUNDS], ignored;
  for (int round = -1; round < ROUNDS; round++) {
    int i = round < 0 ? 0 : round;
    rounds[TIME_GOOD][i] = find(ground, query, LW_QUALITY_GOOD, false, &costs[GOOD]);
    rounds[TIME_PLAIN][i] = find(ground, query, LW_QUALITY_FAST, true, &ignored);
    rounds[TIME_FAST][i] = find(ground, query, LW_QUALITY_FAST, false, &costs[FAST]);
    rounds[TIME_COLD][i] = find_cold(ground, query, &costs[COLD]);
    rounds[TIME_DETOUR][i] = find_theirs(ground, query, &costs[DETOUR]);
  }
  for (int kind = 0; kind < TIMES; kind++) times[kind] += bench_quantile(rounds[kind], ROUNDS, 0.5);
}

static void print_above(figures *of, int first, int count) {
  for (int kind = 0; kind < KINDS; kind++) {
    double part[2 * MIXED_LEVELS * QUERIES];
    for (int i = 0; i < count; i++) part[i] = of->above[kind][first + i];
    double mean = bench_mean(part, count);
    printf(" %6.2f %6.1f", 100 * mean, 100 * bench_quantile(part, count, 0.99));
  }
}

/* @param times  [TIMES] */
static void print_times(const double *times, int count) {
  const double theirs = times[TIME_DETOUR];
  printf(" | %7.1f | %7.1f %5.2f | %7.1f %5.2f %5.2f | %7.1f %5.2f\n", 1e6 * theirs / count,
         1e6 * times[TIME_GOOD] / count, times[TIME_GOOD] / theirs, 1e6 * times[TIME_FAST] / count,
         times[TIME_FAST] / theirs, times[TIME_FAST] / times[TIME_PLAIN], 1e6 * times[TIME_COLD] / count,
         times[TIME_COLD] / theirs);
}

static void print_worst(figures *of) {
  static const char *const names[KINDS] = {"good", "fast", "cold", "Detour"};
  printf("worst single query [%%]:");
  for (int kind = 0; kind < KINDS; kind++)
    printf(" %s %.1f", names[kind], 100 * bench_quantile(of->above[kind], of->count, 1));
  printf("\n\n");
}

static bool measure(const char *level, mixed_kind kind, figures *of) {
  static weighted_query queries[QUERIES];
  mixed_ground ground;
  lw_error error = {0};
  double times[TIMES] = {0};
  int first = of->count;
  if (mixed_open(level, kind, SEED, &ground, &error) != LW_OK) {
    printf("%s is left out: %s\n", level, error.text);
    return false;
  }
  int count = draw(&ground, queries);
  for (int i = 0; i < count; i++) {
    double costs[KINDS];
    ask(&ground, &queries[i], costs, times);
    double best = dense_cost(ground.dense, &queries[i].profile->prices, queries[i].from, queries[i].to,
                             1.02 * costs[GOOD] + 1);
    for (int k = 0; k < KINDS; k++)
      of->above[k][of->count] = costs[k] < INFINITY ? fmax(0, costs[k] / best - 1) : 0;
    of->count++;
  }
  printf("%-18s %-8s %5u", level, kind == MIXED_MARKS ? "marks" : "polygons",
         (unsigned)ground.mesh->polygons.count);
  print_above(of, first, count);
  print_times(times, count);
  for (int k = 0; k < TIMES; k++) of->times[k] += times[k];
  fflush(stdout);
  mixed_close(&ground);
  return true;
}

int main(void) {
  static figures of;
  bool all = true;
  bench_head("weighted");
  printf("cost above the best over points every %g m of every portal, mean and 99th percentile [%%]; "
         "microseconds; "
         "ratios:\ngood, fast, and good without bounds at prices (cold) to Detour's two findNearestPoly + "
         "findPath + findStraightPath, fast also to "
         "fast by "
         "length alone\n",
         (double)MIXED_SPACING);
  printf("%-18s %-8s %5s %13s %13s %13s %13s | %7s | %13s | %19s | %13s\n", "level", "patches", "polys", "good",
         "fast", "cold", "Detour", "Detour", "good", "fast", "cold");
  for (int i = 0; i < MIXED_LEVELS; i++)
    for (int kind = 0; kind < MIXED_KIND_COUNT; kind++)
      all = measure(mixed_levels[i], (mixed_kind)kind, &of) && all;
  if (of.count > 0) {
    printf("%-27s %5d", "all", of.count);
    print_above(&of, 0, of.count);
    print_times(of.times, of.count);
    print_worst(&of);
  }
  return !all;
}
