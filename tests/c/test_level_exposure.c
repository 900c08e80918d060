/* What is seen on the shared levels, compared with rays cast by another program against every triangle
   (levels/visibility, see its README). */
#include "sight/depth_cache.h"
#include "core/platform.h"
#include "core/vec3.h"
#include "sight/exposure.h"
#include "level_walks.h"
#include "levels.h"
#include "bake/occluder_tree.h"
#include "sight_peer.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Of the exposed fraction of a path, for one eye. */
#define MEAN_ERROR 0.0005
#define WORST_LEVEL 0.001
#define SINGLE_99 0.005 /* of single segments */
#define FAST_MEAN_ERROR 0.005
#define FAST_WORST_LEVEL 0.012
#define APART_MAX 2e-5 /* two heights at once, and one by one */
#define SEGMENTS_MAX 100000

typedef struct level_sight {
  const char *name;
  lw_area_table *areas;
  lw_geometry *geometry;
  lwi_memory memory;
  lwi_occluders occluders;
  double took; /* to build them [s] */
  const lwi_occluders *sets[1];
  lwi_depth_cache cache;
  lwi_depth_asks asks;
} level_sight;

static bool open_sight(const char *name, level_sight *level) {
  char file[1024];
  lw_error error = {0};
  if (!level_file(name, file, sizeof file)) return false;
  *level = (level_sight){.name = name, .memory = lwi_memory_make(NULL)};
  if (level_areas(&level->areas, &error) || level_geometry(name, level->areas, &level->geometry, &error))
    fail_msg("%s: %s", name, error.text);
  lwi_occluder_source source = {.vertices = lw_geometry_vertices(level->geometry),
                                .indices = lw_geometry_indices(level->geometry),
                                .triangle_count = lw_geometry_triangle_count(level->geometry),
                                .covers = lw_geometry_covers(level->geometry)};
  double begin = lwi_clock();
  assert_int_equal(lwi_occluders_build(&source, &level->memory, &level->occluders), LW_OK);
  level->took = lwi_clock() - begin;
  level->sets[0] = &level->occluders;
  const lwi_depth_scene drawn = {.sets = level->sets, .count = 1};
  lwi_depth_cache_init(&level->cache, LEVEL_EYES, &drawn, &level->memory);
  lwi_depth_asks_init(&level->asks, &level->cache, &level->memory);
  return true;
}

static void close_sight(level_sight *level) {
  lwi_depth_asks_free(&level->asks);
  lwi_depth_cache_free(&level->cache);
  lwi_occluders_free(&level->occluders, &level->memory);
  assert_int_equal(level->memory.bytes, 0);
  lw_geometry_destroy(level->geometry);
  lw_area_table_destroy(level->areas);
}

static FILE *open_truth(const char *name, const char *ending) {
  FILE *stream = level_truth(name, ending);
  if (!stream) fail_msg("cannot read what rays say of %s, %s", name, ending);
  return stream;
}

/* @param by  Without a map: exactly. */
static double exposed_part(const level_sight *level, const lwi_depth_answer *by, lw_vec3 eye, lw_vec3 from,
                           lw_vec3 to, const float heights[2]) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_intervals hidden[2] = {{.memory = &memory}, {.memory = &memory}}, scratch = {.memory = &memory};
  for (int h = 0; h < 2 && by->map; h++) {
    lw_vec3 up = {0, heights[h], 0};
    assert_true(lwi_depth_map_hide(by->map, by->scene, lwi_add(from, up), lwi_add(to, up), &hidden[h]));
  }
  if (!by->map)
    assert_true(lwi_occluders_clip_two(&(lwi_clip_query){&level->occluders, NULL, eye, from, to, true}, heights,
                                       NULL, hidden));
  assert_true(lwi_intervals_intersect(&hidden[0], &hidden[1], &scratch));
  double all = (double)lwi_intervals_sum(&hidden[0]);
  assert_true(all >= 0 && all <= 1 + 1e-5);
  lwi_intervals_free(&hidden[0]);
  lwi_intervals_free(&hidden[1]);
  lwi_intervals_free(&scratch);
  return 1 - all;
}

/* Results on one level by one accuracy. */
typedef struct findings {
  double off; /* in the mean of all paths and eyes, as a part of the path */
  double metres;
  int segments;
  float *differences; /* [SEGMENTS_MAX] of fast from exact, of single segments; NULL: not wanted */
} findings;

static double walk_path(level_sight *level, lw_accuracy accuracy, lw_vec3 eye, const level_path *path,
                        const float heights[2], findings *found, double *length) {
  double seen = 0;
  const lwi_depth_answer exactly = {NULL, NULL};
  lwi_depth_answer answer;
  assert_true(lwi_depth_ask_about(&level->cache, &level->asks, eye, true, accuracy, &answer));
  for (int i = 1; i < path->count; i++) {
    lw_vec3 a = path->points[i - 1], b = path->points[i];
    double piece = (double)lwi_distance(a, b);
    if (piece == 0) continue;
    double part = exposed_part(level, &answer, eye, a, b, heights);
    if (found->differences && found->segments < SEGMENTS_MAX)
      found->differences[found->segments] =
          (float)fabs(part - exposed_part(level, &exactly, eye, a, b, heights));
    seen += piece * part;
    *length += piece;
    found->metres += piece;
    found->segments += 1;
  }
  return seen;
}

static void compare_paths(level_sight *level, lw_accuracy accuracy, const char *truth, const float heights[2],
                          findings *found) {
  float row[2 + LEVEL_EYES];
  level_walks walks;
  FILE *exposed = open_truth(level->name, truth);
  assert_true(level_walks_read(level->name, &walks));
  double sum = 0;
  for (int i = 0; i < walks.path_count; i++) {
    assert_int_equal(level_numbers(exposed, row, 2 + LEVEL_EYES), 2 + LEVEL_EYES);
    for (int e = 0; e < LEVEL_EYES; e++) {
      double length = 0,
             seen = walk_path(level, accuracy, walks.eyes[e], &walks.paths[i], heights, found, &length);
      sum += fabs(seen - (double)row[2 + e]) / length;
    }
  }
  fclose(exposed);
  assert_true(walks.path_count * LEVEL_EYES >= 100);
  found->off = sum / (walks.path_count * LEVEL_EYES);
  level_walks_free(&walks);
}

static const float stand[2] = {0.9f, 1.6f}, crouch[2] = {0.5f, 0.9f};

static void exposure_of_paths_agrees_with_rays(void **state) {
  double sum = 0, worst = 0;
  int levels = 0;
  (void)state;
  for (int i = 0; i < LEVEL_COUNT; i++) {
    level_sight level;
    if (!open_sight(level_names[i], &level)) skip();
    findings standing = {0}, crouching = {0};
    double begin = lwi_clock();
    compare_paths(&level, LW_ACCURACY_EXACT, ".exposure_stand.tsv", stand, &standing);
    compare_paths(&level, LW_ACCURACY_EXACT, ".exposure_crouch.tsv", crouch, &crouching);
    double took = lwi_clock() - begin;
    printf("note: %-17s %5d triangles, %5u facets, %4.0f kB, built in %3.0f ms; standing off by %.5f, "
           "crouching by "
           "%.5f; %.2f us a segment, %.3f us a metre\n",
           level.name, lw_geometry_triangle_count(level.geometry), (unsigned)level.occluders.facet_count,
           (double)lwi_occluders_bytes(&level.occluders) / 1e3, level.took * 1e3, standing.off, crouching.off,
           took / (standing.segments + crouching.segments) * 1e6,
           took / (standing.metres + crouching.metres) * 1e6);
    sum += standing.off + crouching.off;
    worst = fmax(worst, fmax(standing.off, crouching.off));
    levels++;
    close_sight(&level);
  }
  printf("note: off by %.5f in the mean, %.5f on the worst level\n", sum / levels / 2, worst);
  assert_true(sum / levels / 2 <= MEAN_ERROR);
  assert_true(worst <= WORST_LEVEL);
}

static int compare_floats(const void *left, const void *right) {
  const float *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static void exposure_from_depth_maps_agrees_nearly_with_rays(void **state) {
  static float differences[SEGMENTS_MAX];
  double sum = 0, worst = 0;
  int levels = 0;
  (void)state;
  for (int i = 0; i < LEVEL_COUNT; i++) {
    level_sight level;
    if (!open_sight(level_names[i], &level)) skip();
    findings standing = {.differences = differences}, crouching = {0};
    compare_paths(&level, LW_ACCURACY_FAST, ".exposure_stand.tsv", stand, &standing);
    compare_paths(&level, LW_ACCURACY_FAST, ".exposure_crouch.tsv", crouch, &crouching);
    int count = standing.segments < SEGMENTS_MAX ? standing.segments : SEGMENTS_MAX;
    qsort(differences, (size_t)count, sizeof *differences, compare_floats);
    printf("note: %-17s fast standing off by %.5f, crouching by %.5f; single segments from exact: 99 %% within "
           "%.4f\n",
           level.name, standing.off, crouching.off, (double)differences[(int)(0.99 * (count - 1))]);
    sum += standing.off + crouching.off;
    worst = fmax(worst, fmax(standing.off, crouching.off));
    levels++;
    close_sight(&level);
  }
  printf("note: fast is off by %.5f in the mean, %.5f on the worst level\n", sum / levels / 2, worst);
  assert_true(sum / levels / 2 <= FAST_MEAN_ERROR);
  assert_true(worst <= FAST_WORST_LEVEL);
}

/* What each height hides alone, beside what it hides when both are asked for at once. */
static void compare_heights(const level_sight *level, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                            const float heights[2]) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_intervals hidden[2] = {{.memory = &memory}, {.memory = &memory}};
  assert_true(lwi_occluders_clip_two(&(lwi_clip_query){&level->occluders, NULL, eye, from, to, true}, heights,
                                     NULL, hidden));
  for (int h = 0; h < 2; h++) {
    lw_vec3 up = {0, heights[h], 0};
    lwi_intervals alone = {.memory = &memory};
    const lwi_clip_query query = {&level->occluders, NULL, eye, lwi_add(from, up), lwi_add(to, up), true};
    assert_true(lwi_occluders_clip(&query, &alone));
    const double off = fabs((double)lwi_intervals_sum(&alone) - (double)lwi_intervals_sum(&hidden[h]));
    if (off > APART_MAX)
      fail_msg("%s: from %g %g %g the segment %g %g %g to %g %g %g, %g up, is hidden otherwise alone: by %g",
               level->name, (double)eye.x, (double)eye.y, (double)eye.z, (double)from.x, (double)from.y,
               (double)from.z, (double)to.x, (double)to.y, (double)to.z, (double)heights[h], off);
    lwi_intervals_free(&alone);
    lwi_intervals_free(&hidden[h]);
  }
}

/* By what the questions before left behind, some of an eye that was a bit further, and by nothing. */
static void earlier_questions_change_no_answer(void **state) {
  static lwi_exposure_scratch used, fresh;
  (void)state;
  for (int l = 0; l < LEVEL_COUNT; l++) {
    level_sight level;
    level_walks walks;
    int whole = 0;
    if (!open_sight(level_names[l], &level)) skip();
    const lwi_sight sight = {.sets = level.sets, .count = 1};
    assert_true(level_walks_read(level.name, &walks));
    for (int i = 0; i < walks.path_count; i++)
      for (int k = 1; k < walks.paths[i].count; k++)
        for (int e = 0; e < 2 * LEVEL_EYES; e++) {
          lw_threat threat = lw_threat_default();
          lw_exposure_query query = lw_exposure_query_default();
          lw_interval hidden[2][64] = {0};
          lw_exposure seen[2] = {0};
          threat.at = walks.eyes[e / 2];
          threat.at.x += 0.03f * (float)(e % 2);
          query.from = walks.paths[i].points[k - 1];
          query.to = walks.paths[i].points[k];
          query.threats = &threat;
          query.threat_count = 1;
          query.accuracy = LW_ACCURACY_EXACT;
          query.hidden_capacity = 64;
          query.hidden = hidden[0];
          assert_int_equal(lwi_exposure_find(&sight, &query, &level.memory, &used, &seen[0]), LW_OK);
          query.hidden = hidden[1];
          lwi_exposure_forget(&fresh);
          assert_int_equal(lwi_exposure_find(&sight, &query, &level.memory, &fresh, &seen[1]), LW_OK);
          assert_memory_equal(&seen[0], &seen[1], sizeof seen[0]);
          assert_memory_equal(hidden[0], hidden[1], sizeof hidden[0]);
          whole += seen[0].fraction == 0;
        }
    assert_true(whole > 0); /* what the hints are for */
    level_walks_free(&walks);
    lwi_exposure_scratch_free(&used);
    lwi_exposure_scratch_free(&fresh);
    close_sight(&level);
  }
}

static void two_heights_at_once_are_hidden_as_each_alone(void **state) {
  static const float heights[2] = {0.5f, 1.6f};
  (void)state;
  for (int l = 0; l < LEVEL_COUNT; l++) {
    level_sight level;
    level_walks walks;
    if (!open_sight(level_names[l], &level)) skip();
    assert_true(level_walks_read(level.name, &walks));
    for (int i = 0; i < walks.path_count; i++)
      for (int k = 1; k < walks.paths[i].count; k++)
        for (int e = 0; e < LEVEL_EYES; e++)
          compare_heights(&level, walks.eyes[e], walks.paths[i].points[k - 1], walks.paths[i].points[k],
                          heights);
    level_walks_free(&walks);
    close_sight(&level);
  }
}

/* Single segments, beside rays every 5 cm through all triangles, bisected where the answer changes. */
static void exposure_of_single_segments_agrees_with_rays(void **state) {
  static float off[SEGMENTS_MAX];
  const lwi_depth_answer exactly = {NULL, NULL};
  (void)state;
  for (int i = 0; i < LEVEL_COUNT; i++) {
    level_sight level;
    level_walks walks;
    if (!open_sight(level_names[i], &level)) skip();
    assert_true(level_walks_read(level.name, &walks));
    sight_peer *rays = sight_peer_create(level.geometry);
    double mean = 0;
    int count = 0, number = 0;
    for (int p = 0; p < walks.path_count; p++)
      for (int k = 1; k < walks.paths[p].count; k++, number++) {
        lw_vec3 a = walks.paths[p].points[k - 1], b = walks.paths[p].points[k],
                eye = walks.eyes[number % LEVEL_EYES];
        const sight_question asked = {eye, a, b, stand, 2};
        if (number % 3 != 0 || lwi_distance(a, b) < 0.01f) continue;
        off[count] = (float)fabs(exposed_part(&level, &exactly, eye, a, b, stand) -
                                 sight_peer_exposed_truly(rays, &asked, 0.05f));
        mean += (double)off[count++];
      }
    qsort(off, (size_t)count, sizeof *off, compare_floats);
    printf("note: %-17s %d single segments off by %.5f in the mean, 99 %% within %.5f\n", level.name, count,
           mean / count, (double)off[(int)(0.99 * (count - 1))]);
    assert_true(count >= 80 && (double)off[(int)(0.99 * (count - 1))] <= SINGLE_99);
    sight_peer_destroy(rays);
    level_walks_free(&walks);
    close_sight(&level);
  }
}

static void visibility_of_points_agrees_with_rays(void **state) {
  (void)state;
  for (int i = 0; i < LEVEL_COUNT; i++) {
    level_sight level;
    if (!open_sight(level_names[i], &level)) skip();
    FILE *pairs = open_truth(level.name, ".vis.pairs"), *truth = open_truth(level.name, ".vis.tsv");
    char line[256], material[64];
    float pair[6], t;
    int rows = 0, wrong = 0, index, visible, near;
    while (level_numbers(pairs, pair, 6) == 6) {
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(exposure_of_paths_agrees_with_rays),
                                     cmocka_unit_test(exposure_from_depth_maps_agrees_nearly_with_rays),
                                     cmocka_unit_test(earlier_questions_change_no_answer),
                                     cmocka_unit_test(two_heights_at_once_are_hidden_as_each_alone),
                                     cmocka_unit_test(exposure_of_single_segments_agrees_with_rays),
                                     cmocka_unit_test(visibility_of_points_agrees_with_rays)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
