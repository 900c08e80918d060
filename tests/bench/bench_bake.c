/* Bake time beside Recast alone (the same steps with the same settings and tiles, nothing converted, put back on the
   ground or linked). */
#include "bench_support.h"
#include "core/clock.h"
#include "recast_peer.h"

#include <math.h>
#include <stdio.h>

#define ROUNDS 5

static recast_job job_of(const lw_geometry *geometry, const lw_bake_settings *used) {
  lw_box box = lw_geometry_bounds(geometry);
  float cell = used->cell_size, high = used->cell_height, square = cell * cell;
  return (recast_job){.vertices = &lw_geometry_vertices(geometry)->x,
                      .vertex_count = lw_geometry_vertex_count(geometry),
                      .triangles = lw_geometry_indices(geometry),
                      .areas = lw_geometry_areas(geometry),
                      .triangle_count = lw_geometry_triangle_count(geometry),
                      .min = {box.min.x, box.min.y, box.min.z},
                      .max = {box.max.x, box.max.y, box.max.z},
                      .cell = cell,
                      .cell_height = high,
                      .slope = used->agent_slope,
                      .height = (int)lroundf(used->agent_height / high),
                      .climb = (int)lroundf(used->agent_climb / high),
                      .radius = (int)lroundf(used->agent_radius / cell),
                      .tile_cells = (int)lroundf(used->tile_size / cell),
                      .min_region = (int)ceilf(used->min_region_area / square),
                      .merge_region = (int)ceilf(used->merge_region_area / square),
                      .max_edge_length = (int)ceilf(used->max_edge_length / cell),
                      .max_edge_error = used->max_edge_error / cell,
                      .detail_distance = used->detail_distance,
                      .detail_error = used->detail_error};
}

static bool measure(const bench_level *level, double *log_ratios) {
  double ours[ROUNDS], theirs[ROUNDS];
  lw_bake_settings settings = level_settings();
  settings.threads = 1;                                 /* as Recast */
  settings.occluders = settings.cover_segments = false; /* nor has it these */
  lw_navmesh *mesh = NULL;
  lw_bake_report report;
  lw_error error = {0};
  int polygons = 0;
  /* Once unmeasured: the library is loaded, memory is warm. Then in turns. */
  for (int round = -1; round < ROUNDS; round++) {
    lw_navmesh_destroy(mesh);
    double begin = lwi_clock();
    if (lw_bake(level->geometry, &settings, &mesh, &report, &error)) {
      printf("%s: %s\n", level->name, error.text);
      return false;
    }
    double middle = lwi_clock();
    recast_job job = job_of(level->geometry, &report.used);
    double start = lwi_clock();
    if (!recast_bake(&job, &polygons)) {
      printf("%s: Recast failed\n", level->name);
      lw_navmesh_destroy(mesh);
      return false;
    }
    if (round < 0) continue;
    ours[round] = middle - begin;
    theirs[round] = lwi_clock() - start;
  }
  double us = bench_quantile(ours, ROUNDS, 0.5), them = bench_quantile(theirs, ROUNDS, 0.5);
  *log_ratios += log(us / them);
  printf("%-18s %6d %6d %9.1f %9.1f %6.2f\n", level->name, lw_navmesh_get_stats(mesh).polygons, polygons,
         us * 1e3, them * 1e3, us / them);
  fflush(stdout);
  lw_navmesh_destroy(mesh);
  return true;
}

int main(void) {
  lw_area_table *areas;
  lw_error error = {0};
  bench_level levels[LEVEL_COUNT];
  bench_head("bake");
  if (level_areas(&areas, &error)) return 1;
  int count = bench_levels(areas, levels), failed = count == 0, measured = 0;
  double log_ratios = 0;
  printf("one thread, without occluders, which Recast does not make\n");
  printf("%-18s %13s %26s\n", "", "polygons", "bake, ms");
  printf("%-18s %6s %6s %9s %9s %6s\n", "level", "ours", "Recast", "ours", "Recast", "ratio");
  for (int i = 0; i < count; i++) {
    bool done = measure(&levels[i], &log_ratios);
    measured += done;
    failed += !done;
  }
  if (measured > 0) printf("bake time: %.2f of Recast's (geometric mean)\n\n", exp(log_ratios / measured));
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return failed > 0;
}
