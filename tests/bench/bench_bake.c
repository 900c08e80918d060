/* Bake time beside Recast alone (the same steps with the same settings and tiles, nothing converted, put back
   on the ground or linked), and what each part of a bake costs that Recast has not. */
#include "bench_support.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "recast_peer.h"

#include <math.h>
#include <stdio.h>

#define ROUNDS 5

/* The ground alone, as Recast bakes it; all that a bake computes by default; the same on all processors; with a
   cover map. */
typedef enum bake_kind { GROUND, WHOLE, SHARED, MAPPED, BAKE_KINDS } bake_kind;
/* Parts of MAPPED. */
enum { OCCLUDERS, OPENNESS, COVER, MAP, PARTS };

typedef struct timing {
  double recast[ROUNDS], seconds[BAKE_KINDS][ROUNDS], parts[PARTS][ROUNDS];
  int polygons, recast_polygons;
  double loss;
} timing;

static lw_bake_settings settings_of(bake_kind by) {
  lw_bake_settings settings = level_settings();
  settings.threads = by == SHARED ? 0 : 1; /* else as Recast */
  if (by == GROUND) {
    settings.occluders = settings.cover.segments = false;
    settings.openness_range = 0;
  }
  settings.cover.map = by == MAPPED;
  return settings;
}

static bool bake(const bench_level *level, bake_kind by, int round, timing *times, lw_bake_settings *used) {
  lw_bake_settings settings = settings_of(by);
  lw_navmesh *mesh = NULL;
  lw_bake_report report;
  lw_error error = {0};
  double begin = by == SHARED ? lwi_clock() : bench_clock();
  if (lw_navmesh_bake(level->geometry, &settings, &mesh, &report, &error)) {
    printf("%s: %s\n", level->name, error.text);
    return false;
  }
  if (round >= 0) {
    times->seconds[by][round] = (by == SHARED ? lwi_clock() : bench_clock()) - begin;
    if (by == MAPPED) {
      times->parts[OCCLUDERS][round] = report.occluder_seconds;
      times->parts[OPENNESS][round] = report.openness_seconds;
      times->parts[COVER][round] = report.cover_seconds;
      times->parts[MAP][round] = report.cover_map_seconds;
    }
  }
  const lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  times->polygons = stats.polygons;
  if (by == MAPPED) times->loss = (double)stats.cover_map_loss;
  *used = report.used;
  lw_navmesh_destroy(mesh);
  return true;
}

static bool run_round(const bench_level *level, int round, timing *times) {
  lw_bake_settings used;
  for (int by = 0; by < BAKE_KINDS; by++)
    if (!bake(level, (bake_kind)by, round, times, &used)) return false;
  recast_job job = bench_recast_job(level->geometry, &used);
  double begin = bench_clock();
  if (!recast_bake(&job, &times->recast_polygons)) {
    printf("%s: Recast failed\n", level->name);
    return false;
  }
  if (round >= 0) times->recast[round] = bench_clock() - begin;
  return true;
}

static bool measure(const bench_level *level, double log_ratios[BAKE_KINDS]) {
  timing times = {0};
  double medians[BAKE_KINDS], parts[PARTS];
  /* Once unmeasured: the library is loaded, memory is warm. Then in turns. */
  for (int round = -1; round < ROUNDS; round++)
    if (!run_round(level, round, &times)) return false;
  double recast = bench_quantile(times.recast, ROUNDS, 0.5);
  for (int by = 0; by < BAKE_KINDS; by++) {
    medians[by] = bench_quantile(times.seconds[by], ROUNDS, 0.5);
    log_ratios[by] += log(medians[by] / recast);
  }
  for (int i = 0; i < PARTS; i++) parts[i] = bench_quantile(times.parts[i], ROUNDS, 0.5) * 1e3;
  printf("%-18s %6d %6d %7.1f %7.1f %5.2f %7.1f %5.2f %7.1f %6.1f %6.1f %6.1f %7.1f %6.4f\n", level->name,
         times.polygons, times.recast_polygons, recast * 1e3, medians[GROUND] * 1e3, medians[GROUND] / recast,
         medians[WHOLE] * 1e3, medians[WHOLE] / recast, medians[SHARED] * 1e3, parts[OCCLUDERS],
         parts[OPENNESS], parts[COVER], parts[MAP], times.loss);
  fflush(stdout);
  return true;
}

int main(void) {
  lw_area_table *areas;
  lw_error error = {0};
  bench_level levels[LEVEL_COUNT];
  bench_head("bake");
  if (level_areas(&areas, &error)) return 1;
  int count = bench_levels(areas, levels), failed = count == 0, measured = 0;
  double log_ratios[BAKE_KINDS] = {0};
  printf(
      "by one thread, in ms; ratios to Recast. ground: as Recast, without occluders, cover and openness; "
      "whole: "
      "with them; shared: the same by %d threads; parts of the whole, and of a cover map, with what it loses\n",
      lwi_processor_count());
  printf("%-18s %13s %7s %13s %13s %7s %6s %6s %6s %7s\n", "", "polygons", "", "ground", "whole", "",
         "parts:", "", "", "");
  printf("%-18s %6s %6s %7s %7s %5s %7s %5s %7s %6s %6s %6s %7s %6s\n", "level", "ours", "Recast", "Recast",
         "ours", "ratio", "ours", "ratio", "shared", "occl.", "open.", "cover", "map", "loss");
  for (int i = 0; i < count; i++) {
    bool done = measure(&levels[i], log_ratios);
    measured += done;
    failed += !done;
  }
  if (measured > 0)
    printf("bake time, of Recast's (geometric mean): %.2f the ground alone, %.2f with occluders, cover and "
           "openness\n\n",
           exp(log_ratios[GROUND] / measured), exp(log_ratios[WHOLE] / measured));
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return failed > 0;
}
