/* Paths that four threats watch, beside the same agent's when nobody does, and beside a search that measures every piece of
   every way instead of guessing by depth maps. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/clock.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERIES 40
#define THREATS 4
#define REPEATS 3
#define EYE_HEIGHT 1.6f
#define RANGE 60
#define BIAS 3

enum { PLAIN, GOOD, FAST, MEASURED, KINDS };

typedef struct watched_sums {
  double logs[KINDS];
  int count;
} watched_sums;

typedef struct watched_run {
  lw_world *guessing, *measuring;
  lw_profile *profile;
  lw_threat threats[THREATS];
} watched_run;

static bool open_run(const bench_place *place, watched_run *run) {
  lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  profile.cover_bias = BIAS;
  profile.radius = lw_navmesh_get_agent(place->same.mesh).radius;
  def.navmesh = place->same.mesh;
  if (lw_world_create(&def, &run->guessing, NULL) != LW_OK) return false;
  def.depth_maps = 0;
  if (lw_world_create(&def, &run->measuring, NULL) != LW_OK) return false;
  for (int i = 0; i < THREATS; i++) {
    run->threats[i] = lw_threat_default();
    run->threats[i].at = lwi_add(bench_draw(&place->same).point, lwi_vec3(0, EYE_HEIGHT, 0));
    run->threats[i].range = RANGE;
  }
  return lw_profile_create(&profile, place->same.mesh->areas, &run->profile, NULL) == LW_OK;
}

static void close_run(watched_run *run) {
  lw_world_destroy(run->guessing);
  lw_world_destroy(run->measuring);
  lw_profile_destroy(run->profile);
}

/* The best of a few. @param[out] cost  Of the path; NAN: there is none. [s] */
static double ask(const watched_run *run, lw_path_query query, int kind, double *cost) {
  double best = INFINITY;
  query.profile = run->profile;
  query.accuracy = LW_ACCURACY_EXACT;
  query.quality = kind == FAST ? LW_QUALITY_FAST : LW_QUALITY_GOOD;
  query.threats = run->threats;
  query.threat_count = kind == PLAIN ? 0 : THREATS;
  *cost = NAN;
  for (int i = 0; i < (kind == MEASURED ? 1 : REPEATS); i++) {
    lw_path *path;
    double begin = lwi_clock();
    lw_status status = lw_path_find(kind == MEASURED ? run->measuring : run->guessing, &query, &path);
    best = fmin(best, lwi_clock() - begin);
    if (status == LW_OK) *cost = (double)lw_path_cost(path);
    lw_path_destroy(path);
  }
  return best;
}

static void measure(bench_place *place, void *user) {
  watched_sums *sums = user;
  watched_run run = {0};
  double took[KINDS] = {0}, costs[KINDS] = {0};
  int found = 0;
  if (lw_navmesh_get_stats(place->same.mesh).cover_segments == 0) return; /* a grid: nothing stands on it */
  if (!open_run(place, &run)) abort();
  for (int i = 0; i < QUERIES; i++) {
    lw_path_query query = lw_path_query_default();
    double seconds[KINDS], cost[KINDS];
    query.from = bench_draw(&place->same).point;
    query.to = bench_draw(&place->same).point;
    for (int kind = 0; kind < KINDS; kind++) seconds[kind] = ask(&run, query, kind, &cost[kind]);
    if (isnan(cost[MEASURED])) continue;
    for (int kind = 0; kind < KINDS; kind++) took[kind] += seconds[kind], costs[kind] += cost[kind];
    found++;
  }
  close_run(&run);
  if (found == 0) return;
  printf("%-18s", place->name);
  for (int kind = 0; kind < KINDS; kind++) {
    printf(" %8.0f", took[kind] / found * 1e6);
    sums->logs[kind] += log(took[kind] / took[PLAIN]);
  }
  printf(" %8.3f %8.3f %8.3f\n", took[GOOD] / took[MEASURED], costs[GOOD] / costs[MEASURED],
         costs[FAST] / costs[MEASURED]);
  fflush(stdout);
  sums->count++;
}

int main(void) {
  watched_sums sums = {0};
  bench_head("watched");
  printf("microseconds a path, which is always charged exactly: watched by nobody; by %d threats; the same "
         "with quality "
         "fast;\nand with every piece of every way measured (no depth maps); then time and costs over those of "
         "the "
         "last\n",
         THREATS);
  printf("%-18s %8s %8s %8s %8s %8s %8s %8s\n", "level", "plain", "good", "fast", "measured", "time", "good",
         "fast");
  int places = bench_places(measure, &sums);
  if (sums.count > 0)
    printf("watched: good takes %.0f times as long as plain (geometric mean), fast %.0f, measured %.0f\n\n",
           exp(sums.logs[GOOD] / sums.count), exp(sums.logs[FAST] / sums.count),
           exp(sums.logs[MEASURED] / sums.count));
  return places == 0;
}
