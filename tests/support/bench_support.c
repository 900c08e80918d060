#include "bench_support.h"

#include "core/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void first_line(FILE *stream, const char *begin, char *line, size_t size) {
  while (stream && fgets(line, (int)size, stream)) {
    if (strncmp(line, begin, strlen(begin)) != 0) continue;
    char *value = *begin ? strchr(line, ':') : line;
    if (!value) break;
    value += *value == ':';
    value += strspn(value, " \t");
    value[strcspn(value, "\n")] = 0;
    memmove(line, value, strlen(value) + 1);
    return;
  }
  snprintf(line, size, "unknown");
}

void bench_need(lw_status status, const char *what) {
  if (status == LW_OK) return;
  printf("failed: %s: %s\n", what, lw_status_text(status));
  exit(1);
}

void bench_head(const char *name) {
  char processor[256], commit[256];
  FILE *info = fopen("/proc/cpuinfo", "r");
  first_line(info, "model name", processor, sizeof processor);
  if (info) fclose(info);
  FILE *git = popen("git describe --always --dirty 2>/dev/null", "r");
  first_line(git, "", commit, sizeof commit);
  if (git) pclose(git);
  printf("%s: %s, commit %s\n", name, processor, commit);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double bench_quantile(double *values, int count, double part) {
  qsort(values, (size_t)count, sizeof *values, compare);
  int i = (int)(part * count);
  return values[i < count ? i : count - 1];
}

double bench_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_mean(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

/* A plain with 600 crates, 120 m square. */
static lw_status make_synthetic(const lw_area_table *areas, lw_geometry **geometry, lw_error *error) {
  lw_area_id ground = lw_area_table_find(areas, "ground");
  lw_random random = lwi_random_make(7, 0);
  lw_status status = lw_geometry_create(areas, NULL, geometry);
  if (status != LW_OK) return status;
  lw_geometry_box floor = {.at = {0, -1, 0}, .size = {120, 1, 120}, .area = ground};
  status = lw_geometry_add_box(*geometry, &floor, error);
  for (int i = 0; i < 600 && status == LW_OK; i++) {
    lw_geometry_box crate = {.size = {1 + 3 * lwi_random_unit(&random), 3, 1 + 3 * lwi_random_unit(&random)},
                             .yaw = 3 * lwi_random_unit(&random),
                             .area = LW_AREA_NONE};
    crate.at.x = 116 * lwi_random_unit(&random) - 58;
    crate.at.z = 116 * lwi_random_unit(&random) - 58;
    status = lw_geometry_add_box(*geometry, &crate, error);
  }
  if (status == LW_OK) return LW_OK;
  lw_geometry_destroy(*geometry);
  return status;
}

int bench_levels(const lw_area_table *areas, bench_level levels[LEVEL_COUNT]) {
  int count = 0;
  char text[512];
  lw_error error = {0};
  for (int i = 0; i < LEVEL_COUNT; i++) {
    if (!level_file(level_names[i], text, sizeof text)) {
      level_missing(level_names[i], text, sizeof text);
      printf("%s\n", text);
      continue;
    }
    levels[count].name = level_names[i];
    if (level_geometry(level_names[i], areas, &levels[count].geometry, &error) == LW_OK)
      count++;
    else
      printf("%s: %s\n", level_names[i], error.text);
  }
  if (count > 0) return count;
  levels[0].name = "synthetic";
  if (make_synthetic(areas, &levels[0].geometry, &error) == LW_OK) return 1;
  printf("synthetic level: %s\n", error.text);
  return 0;
}

void bench_levels_free(bench_level *levels, int count) {
  for (int i = 0; i < count; i++) lw_geometry_destroy(levels[i].geometry);
}

recast_job bench_recast_job(const lw_geometry *geometry, const lw_bake_settings *used) {
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
