/* What it brings, and takes, to cut ground near cover smaller: costs of watched paths, each measured exactly, and what
   accuracy "map" is off. */
#include "bench_support.h"
#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERIES 12
#define THREATS 2
#define EYE_HEIGHT 1.6f
#define BIAS 10
#define NEAR_COVER 3

/* Greatest edges near cover. [m] 0: nothing is cut. */
static const float edges[] = {0, 2, 1};
enum { KINDS = sizeof edges / sizeof *edges };

typedef struct detail_run {
  lw_navmesh *navmesh[KINDS];
  lw_world *world[KINDS];
  lw_profile *profile;
  double bake[KINDS], cost[KINDS], exposed[KINDS], off[KINDS], seconds[KINDS];
  int found, asked;
  lw_random random;
} detail_run;

static bool open_kind(detail_run *run, const bench_level *level, int kind) {
  lw_bake_settings settings = level_settings();
  lw_world_def def = lw_world_def_default();
  lw_error error = {0};
  settings.threads = 1;
  settings.cover.map = true;
  settings.cover.detail_near = edges[kind] > 0 ? NEAR_COVER : 0;
  if (edges[kind] > 0) settings.cover.detail_edge = edges[kind];
  lw_bake_report report;
  if (lw_navmesh_bake(level->geometry, &settings, &run->navmesh[kind], &report, &error) != LW_OK) {
    printf("%s: %s\n", level->name, error.text);
    return false;
  }
  run->bake[kind] = report.tile_seconds;
  def.navmesh = run->navmesh[kind];
  def.depth_maps = 0; /* every piece is measured exactly */
  return lw_world_create(&def, &run->world[kind], NULL) == LW_OK;
}

static lw_vec3 draw(detail_run *run) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.random = &run->random;
  query.anywhere = true;
  if (lw_random_point_find(run->world[0], NULL, &query, &at) != LW_OK) abort();
  return at.point;
}

static double exposure(detail_run *run, int kind, const lw_path_query *path, lw_accuracy accuracy) {
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.from = path->from;
  query.to = path->to;
  query.threats = path->threats;
  query.threat_count = path->threat_count;
  query.accuracy = accuracy;
  if (lw_exposure_find(run->world[kind], NULL, &query, &seen) != LW_OK) abort();
  return (double)seen.fraction;
}

static void ask(detail_run *run) {
  lw_threat threats[THREATS];
  lw_path *paths[KINDS];
  double seconds[KINDS];
  lw_path_query query = lw_path_query_default();
  bool found = true;
  for (int i = 0; i < THREATS; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = lwi_add(draw(run), lwi_vec3(0, EYE_HEIGHT, 0));
  }
  query.from = draw(run);
  query.to = draw(run);
  query.profile = run->profile;
  query.threats = threats;
  query.threat_count = THREATS;
  query.accuracy = LW_ACCURACY_EXACT;
  const double exact = exposure(run, 0, &query, LW_ACCURACY_EXACT);
  for (int kind = 0; kind < KINDS; kind++) {
    const double begin = bench_clock();
    found &= lw_path_find(run->world[kind], NULL, &query, &paths[kind]) == LW_OK;
    seconds[kind] = bench_clock() - begin;
    run->off[kind] += fabs(exposure(run, kind, &query, LW_ACCURACY_MAP) - exact);
  }
  run->asked++;
  run->found += found;
  for (int kind = 0; kind < KINDS; kind++) {
    if (found) run->cost[kind] += (double)lw_path_cost(paths[kind]);
    if (found) run->exposed[kind] += (double)lw_path_exposed(paths[kind]);
    if (found) run->seconds[kind] += seconds[kind];
    lw_path_destroy(paths[kind]);
  }
}

static void close_run(detail_run *run) {
  for (int kind = 0; kind < KINDS; kind++) {
    lw_world_destroy(run->world[kind]);
    lw_navmesh_destroy(run->navmesh[kind]);
  }
  lw_profile_destroy(run->profile);
}

static void print(const bench_level *level, const detail_run *run) {
  for (int kind = 0; kind < KINDS; kind++) {
    const lw_navmesh_stats stats = lw_navmesh_get_stats(run->navmesh[kind]);
    printf("%-18s %6g %8d %8zu %8.0f %8.2f %8.2f %8.4f %8.2f\n", kind == 0 ? level->name : "",
           (double)edges[kind], stats.polygons, stats.bytes / 1024, run->bake[kind] * 1e3,
           run->cost[kind] / run->found, run->exposed[kind] / run->found, run->off[kind] / run->asked,
           run->seconds[kind] / run->found * 1e3);
  }
  fflush(stdout);
}

static bool measure(const bench_level *level, double log_costs[KINDS]) {
  detail_run run = {.random = lwi_random_make(31, 0)};
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = BIAS;
  bool done = lw_profile_create(&profile, lw_geometry_area_table(level->geometry), &run.profile, NULL) == LW_OK;
  for (int kind = 0; kind < KINDS && done; kind++) done = open_kind(&run, level, kind);
  for (int i = 0; i < QUERIES && done; i++) ask(&run);
  done = done && run.found > 0;
  if (done) print(level, &run);
  for (int kind = 0; kind < KINDS && done; kind++) log_costs[kind] += log(run.cost[kind] / run.cost[0]);
  close_run(&run);
  return done;
}

int main(void) {
  lw_area_table *areas;
  lw_error error = {0};
  bench_level levels[LEVEL_COUNT];
  double log_costs[KINDS] = {0};
  bench_head("detail");
  if (level_areas(&areas, &error)) return 1;
  const int count = bench_levels(areas, levels);
  int measured = 0;
  printf("ground within %d m of cover cut to edges of 2 m and of 1 m. Tiles by one thread; paths watched by %d "
         "threats, at\n"
         "cover_bias %d, all measured exactly; by how much of a segment accuracy 'map' is off\n",
         NEAR_COVER, THREATS, BIAS);
  printf("%-18s %6s %8s %8s %8s %8s %8s %8s %8s\n", "level", "edge m", "polygons", "KiB", "tiles ms", "cost",
         "seen m", "map off", "path ms");
  for (int i = 0; i < count; i++) measured += measure(&levels[i], log_costs);
  for (int kind = 1; kind < KINDS && measured > 0; kind++)
    printf("detail: edges of %g m near cover: costs of watched paths %.3f of those without (geometric mean)\n",
           (double)edges[kind], exp(log_costs[kind] / measured));
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return measured == 0;
}
