/* Exposure from cover maps on the shared levels, compared with rays cast by another program against every
   triangle. */
#include "core/platform.h"
#include "core/vec3.h"
#include "bake/cover_map_make.h"
#include "level_walks.h"
#include "levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Of the exposed fraction of a path, for one eye, in the mean: indoors, and where a hill has more facets than a
   polygon's list takes. */
#define INDOORS 0.03
#define TERRAIN 0.1

typedef struct map_level {
  const char *name;
  lw_area_table *areas;
  lw_navmesh *mesh;
  lwi_memory memory;
  lwi_map_list map;
  double took;
} map_level;

static double exposed_part(const map_level *level, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                           const float heights[2]) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_intervals all = {.memory = &memory}, one = {.memory = &memory}, scratch = {.memory = &memory};
  uint32_t p = lwi_map_polygon(level->mesh, eye);
  for (int h = 0; h < 2; h++) {
    lw_vec3 up = {0, heights[h], 0};
    lwi_intervals *hidden = h == 0 ? &all : &one;
    lwi_clip_query query = {lwi_occluders_of(level->mesh), NULL, eye, lwi_add(from, up), lwi_add(to, up), true};
    lwi_bvh_leaf_list list;
    if (p != LWI_NONE) {
      list = (lwi_bvh_leaf_list){level->map.bytes.items + level->map.first[p],
                                 level->map.bytes.items + level->map.first[p + 1]};
      query.some = &list;
    }
    lwi_occluders_clip(&query, hidden);
    if (h == 1) lwi_intervals_intersect(&all, &one, &scratch);
  }
  double hidden = (double)lwi_intervals_sum(&all);
  lwi_intervals_free(&all);
  lwi_intervals_free(&one);
  lwi_intervals_free(&scratch);
  return 1 - hidden;
}

static double compare(const map_level *level, const char *truth, const float heights[2], double *us) {
  float row[2 + LEVEL_EYES];
  level_walks walks;
  if (!level_walks_read(level->name, &walks)) fail_msg("cannot read the paths of %s", level->name);
  FILE *exposed = level_truth(level->name, truth);
  assert_non_null(exposed);
  double sum = 0, begin = lwi_clock();
  int rows = 0, segments = 0;
  for (int p = 0; p < walks.path_count; p++) {
    const level_path *path = &walks.paths[p];
    assert_int_equal(level_numbers(exposed, row, 2 + LEVEL_EYES), 2 + LEVEL_EYES);
    for (int e = 0; e < LEVEL_EYES; e++) {
      double length = 0, seen = 0;
      for (int i = 1; i < path->count; i++) {
        lw_vec3 a = path->points[i - 1], b = path->points[i];
        double piece = (double)lwi_distance(a, b);
        if (piece == 0) continue;
        seen += piece * exposed_part(level, walks.eyes[e], a, b, heights);
        length += piece;
        segments++;
      }
      sum += fabs(seen - (double)row[2 + e]) / length;
      rows++;
    }
  }
  *us = (lwi_clock() - begin) / segments * 1e6;
  fclose(exposed);
  level_walks_free(&walks);
  return sum / rows;
}

static bool is_terrain(const char *name) {
  return strcmp(name, "recast_undulating") == 0 || strcmp(name, "wz_highground") == 0;
}

static void check_level(void **state) {
  static const float stand[2] = {0.9f, 1.6f}, crouch[2] = {0.5f, 0.9f};
  map_level level = {.name = *state, .memory = lwi_memory_make(NULL)};
  lw_error error = {0};
  char file[1024];
  if (!level_file(level.name, file, sizeof file)) skip();
  if (level_areas(&level.areas, &error) || level_navmesh(level.name, level.areas, &level.mesh, &error))
    fail_msg("%s", error.text);
  level.map.memory = &level.memory;
  double begin = lwi_clock();
  lwi_sight_lines lines;
  assert_true(lwi_lines_make(&lines, lwi_occluders_of(level.mesh), &level.memory));
  assert_true(lwi_map_make(&level.map, &lines, level.mesh, 1));
  lwi_lines_free(&lines);
  level.took = lwi_clock() - begin;
  double us, standing = compare(&level, ".exposure_stand.tsv", stand, &us),
             crouching = compare(&level, ".exposure_crouch.tsv", crouch, &us);
  printf("note: %-17s map of %u polygons, %.1f kB, built in %.0f ms; standing off by %.4f, crouching by %.4f; "
         "%.2f us a segment\n",
         level.name, (unsigned)level.mesh->polygons.count, level.map.bytes.count / 1e3, level.took * 1e3,
         standing, crouching, us);
  double max = is_terrain(level.name) ? TERRAIN : INDOORS;
  assert_true(standing <= max && crouching <= max);
  lwi_map_free(&level.map, level.mesh);
  assert_int_equal(level.memory.bytes, 0);
  lw_navmesh_destroy(level.mesh);
  lw_area_table_destroy(level.areas);
}

int main(void) {
  struct CMUnitTest tests[LEVEL_COUNT];
  for (int i = 0; i < LEVEL_COUNT; i++)
    tests[i] = (struct CMUnitTest){
        .name = level_names[i], .test_func = check_level, .initial_state = (void *)level_names[i]};
  return cmocka_run_group_tests_name("cover maps on levels", tests, NULL, NULL);
}
