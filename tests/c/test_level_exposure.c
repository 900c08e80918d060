/* What is seen on the shared levels, beside rays that somebody else cast against every triangle
   (levels/visibility, see its README). */
#include "cover/occluder.h"
#include "core/clock.h"
#include "core/vec3.h"
#include "levels.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EYES 5
#define LINE_MAX_LENGTH 65536
#define PATH_POINTS_MAX 2048
/* Of the exposed fraction of a path, for one eye. */
#define MEAN_ERROR 0.0005
#define WORST_LEVEL 0.001

typedef struct level_sight {
  const char *name;
  lw_area_table *areas;
  lw_geometry *geometry;
  lwi_memory memory;
  lwi_occluders occluders;
  double took; /* to build them [s] */
} level_sight;

static bool open_sight(const char *name, level_sight *level) {
  char file[1024];
  lw_error error = {0};
  if (!level_file(name, file, sizeof file)) return false;
  *level = (level_sight){.name = name, .memory = lwi_memory_make(NULL)};
  if (level_areas(&level->areas, &error) || level_geometry(name, level->areas, &level->geometry, &error))
    fail_msg("%s: %s", name, error.text);
  lwi_occluder_source source = {lw_geometry_vertices(level->geometry), lw_geometry_indices(level->geometry),
                                lw_geometry_triangle_count(level->geometry),
                                lw_geometry_covers(level->geometry)};
  double begin = lwi_clock();
  assert_int_equal(lwi_occluders_build(&source, &level->memory, &level->occluders), LW_OK);
  level->took = lwi_clock() - begin;
  return true;
}

static void close_sight(level_sight *level) {
  lwi_occluders_free(&level->occluders, &level->memory);
  assert_int_equal(level->memory.bytes, 0);
  lw_geometry_destroy(level->geometry);
  lw_area_table_destroy(level->areas);
}

static FILE *open_truth(const char *name, const char *ending) {
  const char *folder = getenv("LEEWARD_SHARED");
  char file[1024];
  snprintf(file, sizeof file, "%s/levels/visibility/%s%s", folder && *folder ? folder : "../shared", name,
           ending);
  FILE *stream = fopen(file, "r");
  if (!stream) fail_msg("cannot read %s", file);
  return stream;
}

static int read_numbers(FILE *stream, float *numbers, int capacity) {
  static char line[LINE_MAX_LENGTH];
  int count = 0;
  do
    if (!fgets(line, sizeof line, stream)) return 0;
  while (line[0] == '#');
  for (char *at = line, *end; count < capacity; at = end) {
    float value = strtof(at, &end);
    if (end == at) break;
    numbers[count++] = value;
  }
  return count;
}

static double exposed_part(const level_sight *level, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                           const float heights[2]) {
  static lwi_intervals all, one, room;
  static lwi_memory memory;
  memory = lwi_memory_make(NULL);
  all.memory = one.memory = room.memory = &memory;
  for (int h = 0; h < 2; h++) {
    lw_vec3 up = {0, heights[h], 0};
    one.count = 0;
    assert_true(lwi_occluders_clip(&level->occluders, eye, lwi_add(from, up), lwi_add(to, up), true, &one));
    if (h == 0) {
      lwi_intervals swap = all;
      all = one;
      one = swap;
    } else
      assert_true(lwi_intervals_intersect(&all, &one, &room));
  }
  double hidden = (double)lwi_intervals_sum(&all);
  assert_true(hidden >= 0 && hidden <= 1 + 1e-5);
  return 1 - hidden;
}

static double compare_paths(const level_sight *level, const char *truth, const float heights[2], double *metres,
                            int *segments) {
  static float points[3 * PATH_POINTS_MAX];
  float row[2 + EYES], eyes[3 * EYES];
  FILE *paths = open_truth(level->name, ".paths"), *exposed = open_truth(level->name, truth);
  FILE *eye_file = open_truth(level->name, ".eyes");
  for (int e = 0; e < EYES; e++) assert_int_equal(read_numbers(eye_file, eyes + 3 * e, 3), 3);
  double sum = 0;
  int rows = 0;
  for (int numbers; (numbers = read_numbers(paths, points, 3 * PATH_POINTS_MAX)) >= 6;) {
    assert_int_equal(read_numbers(exposed, row, 2 + EYES), 2 + EYES);
    for (int e = 0; e < EYES; e++) {
      lw_vec3 eye = {eyes[3 * e], eyes[3 * e + 1], eyes[3 * e + 2]};
      double seen = 0, length = 0;
      for (int i = 3; i + 2 < numbers; i += 3) {
        lw_vec3 a = {points[i - 3], points[i - 2], points[i - 1]},
                b = {points[i], points[i + 1], points[i + 2]};
        double piece = (double)lwi_distance(a, b);
        if (piece == 0) continue;
        seen += piece * exposed_part(level, eye, a, b, heights);
        length += piece;
        *metres += piece;
        *segments += 1;
      }
      sum += fabs(seen - (double)row[2 + e]) / length;
      rows++;
    }
  }
  fclose(paths);
  fclose(exposed);
  fclose(eye_file);
  assert_true(rows >= 100);
  return sum / rows;
}

static void exposure_of_paths_is_what_rays_say(void **state) {
  static const float stand[2] = {0.9f, 1.6f}, crouch[2] = {0.5f, 0.9f};
  double sum = 0, worst = 0;
  int levels = 0;
  (void)state;
  for (int i = 0; i < LEVEL_COUNT; i++) {
    level_sight level;
    if (!open_sight(level_names[i], &level)) skip();
    const lwi_occluders *of = &level.occluders;
    double metres = 0, begin = lwi_clock();
    int segments = 0;
    double standing = compare_paths(&level, ".exposure_stand.tsv", stand, &metres, &segments);
    double crouching = compare_paths(&level, ".exposure_crouch.tsv", crouch, &metres, &segments);
    double took = lwi_clock() - begin;
    size_t bytes = of->node_count * sizeof *of->nodes + of->leaf_count * sizeof *of->leaves +
                   of->number_count * sizeof *of->numbers;
    printf("note: %-17s %5d triangles, %5u facets, %4.0f kB, built in %3.0f ms; standing off by %.5f, "
           "crouching by "
           "%.5f; %.2f us a segment, %.3f us a metre\n",
           level.name, lw_geometry_triangle_count(level.geometry), (unsigned)of->facet_count,
           (double)bytes / 1e3, level.took * 1e3, standing, crouching, took / segments * 1e6,
           took / metres * 1e6);
    sum += standing + crouching;
    worst = fmax(worst, fmax(standing, crouching));
    levels++;
    close_sight(&level);
  }
  printf("note: off by %.5f in the mean, %.5f on the worst level\n", sum / levels / 2, worst);
  assert_true(sum / levels / 2 <= MEAN_ERROR);
  assert_true(worst <= WORST_LEVEL);
}

static void eyes_see_what_rays_say(void **state) {
  (void)state;
  for (int i = 0; i < LEVEL_COUNT; i++) {
    level_sight level;
    if (!open_sight(level_names[i], &level)) skip();
    FILE *pairs = open_truth(level.name, ".vis.pairs"), *truth = open_truth(level.name, ".vis.tsv");
    char line[256], material[64];
    float pair[6], t;
    int rows = 0, wrong = 0, index, visible, near;
    while (read_numbers(pairs, pair, 6) == 6) {
      do assert_non_null(fgets(line, sizeof line, truth));
      while (line[0] == '#');
      assert_true(sscanf(line, "%d %d %f %63s %d", &index, &visible, &t, material, &near) == 5 ||
                  sscanf(line, "%d\t%d\t%f\t\t%d", &index, &visible, &t, &near) == 4);
      if (near) continue;
      bool sees = lwi_occluders_ray(&level.occluders, (lw_vec3){pair[0], pair[1], pair[2]},
                                    (lw_vec3){pair[3], pair[4], pair[5]}, true) >= 1;
      wrong += sees != (visible != 0);
      rows++;
    }
    printf("note: %-17s %d of %d lines of sight are not what rays say\n", level.name, wrong, rows);
    assert_true(rows > 500 && wrong * 1000 <= rows);
    fclose(pairs);
    fclose(truth);
    close_sight(&level);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(exposure_of_paths_is_what_rays_say),
                                     cmocka_unit_test(eyes_see_what_rays_say)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
