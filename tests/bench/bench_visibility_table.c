/* The visibility table: what it costs, how many queries it answers, and what that saves. */
#include "bench_support.h"
#include "core/platform.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sight/exposure.h"
#include "bake/visibility_table_make.h"
#include "levels.h"

#include "leeward/cover_points.h"
#include "leeward/query.h"
#include "leeward/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RANGE 60
#define EYES 20
#define PIECES 100
#define ROUNDS 5
#define EYE_HEIGHT 1.6f
#define THREATS 4
#define PATHS 30

/* A straight segment within one polygon. */
typedef struct piece {
  lw_vec3 from, to;
  uint32_t polygon;
} piece;

/* Without the table; with it, the polygons being known; with it, the polygons being looked for again each
   time. */
enum { PLAIN, PAIRED, LOOKED_FOR, KINDS };

typedef struct run {
  lw_navmesh *mesh;
  lw_world *world; /* to draw places */
  lwi_memory memory;
  lwi_exposure_scratch scratch;
  lw_vec3 eyes[EYES];
  piece pieces[PIECES];
  double seconds[KINDS]; /* a question */
  double sure;           /* of them */
  double off;            /* of a piece at most [m] */
} run;

static lw_location draw(const run *of) {
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(of->world);
  lw_location at = {0};
  query.anywhere = true;
  if (lw_random_point_find(of->world, NULL, &query, &at) != LW_OK) abort();
  return at;
}

/* From a place to the middle of its polygon: as long as what a search asks about. */
static void draw_all(run *of) {
  for (int i = 0; i < EYES; i++) of->eyes[i] = lwi_add(draw(of).point, lwi_vec3(0, EYE_HEIGHT, 0));
  for (int i = 0; i < PIECES; i++) {
    lw_location at = draw(of);
    piece *created = &of->pieces[i];
    created->polygon = lwi_poly_index(of->mesh, at.poly);
    lwi_polygon polygon = lwi_polygon_get(of->mesh, created->polygon);
    lw_vec3 a = lwi_corner(&polygon, 0), b = lwi_corner(&polygon, polygon.count / 2);
    created->from = at.point;
    created->to = lwi_lerp(a, b, 0.5f);
    created->to.y = lwi_polygon_height(of->mesh, created->polygon, created->to.x, created->to.z);
  }
}

static uint32_t look_for(const run *of, const piece *asked) {
  const lw_vec3 up = {0, 1, 0};
  uint32_t over = lwi_visibility_table_over(of->mesh, lwi_add(asked->from, up));
  return over != LWI_NONE && lwi_visibility_table_hold(of->mesh, over, asked->from, asked->to, 1, 1) ? over
                                                                                                     : LWI_NONE;
}

/* @param[out] exposed  Of all. [m] @return How long a question took. [s] */
static double ask(run *of, int kind, float *exposed) {
  const lwi_occluders *sets[] = {lwi_occluders_of(of->mesh)};
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = LW_ACCURACY_EXACT;
  double begin = bench_clock();
  for (int e = 0; e < EYES; e++) {
    uint32_t over = kind == PAIRED ? lwi_visibility_table_over(of->mesh, of->eyes[e]) : LWI_NONE;
    threat.at = of->eyes[e];
    for (int i = 0; i < PIECES; i++) {
      const piece *asked = &of->pieces[i];
      lwi_sight sight = {.sets = sets, .count = 1, .ground = of->mesh};
      lw_exposure exposure;
      if (kind == LOOKED_FOR) over = lwi_visibility_table_over(of->mesh, of->eyes[e]);
      if (kind != PLAIN) sight.over = &over;
      sight.polygon = kind == LOOKED_FOR ? look_for(of, asked) : asked->polygon;
      if (sight.polygon == LWI_NONE) sight.over = NULL;
      query.from = asked->from;
      query.to = asked->to;
      if (lwi_exposure_find(&sight, &query, &of->memory, &of->scratch, &exposure) != LW_OK) abort();
      exposed[e * PIECES + i] = exposure.exposed;
    }
  }
  return (bench_clock() - begin) / (EYES * PIECES);
}

static void measure_questions(run *of) {
  static float exposed[KINDS][EYES * PIECES];
  double times[KINDS][ROUNDS];
  for (int round = 0; round < ROUNDS; round++)
    for (int kind = 0; kind < KINDS; kind++) times[kind][round] = ask(of, kind, exposed[kind]);
  for (int kind = 0; kind < KINDS; kind++) of->seconds[kind] = bench_quantile(times[kind], ROUNDS, 0.5);
  of->sure = (double)of->scratch.sure / (2.0 * ROUNDS * EYES * PIECES); /* asked for by two kinds */
  for (int kind = 1; kind < KINDS; kind++)
    for (int i = 0; i < EYES * PIECES; i++)
      of->off = fmax(of->off, (double)fabsf(exposed[kind][i] - exposed[PLAIN][i]));
}

/* --- paths --------------------------------------------------------------------------------------------------------- */

typedef struct path_times {
  double plain, paired; /* the fastest of a few runs, over all paths [s] */
  double costs[2];
  double cover[2]; /* finding cover, the same two ways [s] */
} path_times;

static double time_cover(lw_world *world, const lw_cover_query *query) {
  double best = INFINITY;
  for (int i = 0; i < 3; i++) {
    lw_cover_point points[8];
    int found;
    double begin = bench_clock();
    if (lw_cover_find(world, NULL, query, points, 8, &found) == LW_INVALID) abort();
    best = fmin(best, bench_clock() - begin);
  }
  return best;
}

static double time_path(lw_world *world, const lw_path_query *query, double *cost) {
  double best = INFINITY;
  for (int i = 0; i < 3; i++) {
    lw_path *path;
    double begin = bench_clock();
    lw_status status = lw_path_find(world, NULL, query, &path);
    best = fmin(best, bench_clock() - begin);
    if (status == LW_OK && i == 0) *cost += (double)lw_path_cost(path);
    lw_path_destroy(path);
  }
  return best;
}

/* Paths that four threats watch, and cover from them. The table is put aside for every other one. */
static path_times measure_paths(run *of, const lw_area_table *areas) {
  path_times times = {0};
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  lw_threat threats[THREATS];
  def.cover_bias = 3;
  if (lw_profile_create(&def, areas, &profile, NULL) != LW_OK) abort();
  for (int i = 0; i < PATHS; i++) {
    lw_path_query query = lw_path_query_default();
    for (int k = 0; k < THREATS; k++) {
      threats[k] = lw_threat_default();
      threats[k].at = lwi_add(draw(of).point, lwi_vec3(0, EYE_HEIGHT, 0));
      threats[k].range = 60;
    }
    query.from = draw(of).point;
    query.to = draw(of).point;
    query.profile = profile;
    query.threats = threats;
    query.threat_count = THREATS;
    query.accuracy = LW_ACCURACY_EXACT;
    lw_cover_query cover = lw_cover_query_default();
    cover.around = query.from;
    cover.profile = profile;
    cover.threats = threats;
    cover.threat_count = THREATS;
    lwi_visibility_table *table = lwi_visibility_edit(of->mesh), whole = *table;
    times.paired += time_path(of->world, &query, &times.costs[1]);
    times.cover[1] += time_cover(of->world, &cover);
    table->has = 0;
    table->hidden = table->visible = 0;
    times.plain += time_path(of->world, &query, &times.costs[0]);
    times.cover[0] += time_cover(of->world, &cover);
    *table = whole;
  }
  lw_profile_destroy(profile);
  return times;
}

/* --- levels -------------------------------------------------------------------------------------------------------- */

typedef struct sums {
  double sure, ratio, looked_for, path, cover;
  int count;
} sums;

static void measure(const char *name, const lw_area_table *areas, sums *all) {
  static run of;
  lw_world_def world = lw_world_def_default();
  of = (run){.memory = lwi_memory_make(NULL)};
  if (level_navmesh(name, areas, &of.mesh, NULL) != LW_OK) return;
  lwi_sight_lines lines;
  if (!lwi_lines_make(&lines, lwi_occluders_of(of.mesh), &of.memory)) abort();
  const lwi_visibility_table_def def = {&lines, RANGE, 1};
  double begin = bench_clock();
  if (!lwi_visibility_table_make(of.mesh, &def, &of.memory)) abort();
  double took = bench_clock() - begin;
  lwi_lines_free(&lines);
  world.navmesh = of.mesh;
  if (lw_world_create(&world, &of.world, NULL) != LW_OK) abort();
  draw_all(&of);
  measure_questions(&of);
  path_times paths = measure_paths(&of, areas);
  lw_navmesh_stats stats = lw_navmesh_get_stats(of.mesh);
  printf("%-18s %6d %7.2f %6.1f %7.1f %7.1f %6.1f  %6.2f %6.2f %6.2f %8.5f  %8.0f %8.0f %8.5f  %6.0f %6.0f\n",
         name, stats.polygons, took, (double)stats.visibility_table_bytes / 1e3,
         100 * (double)stats.pairs_hidden, 100 * (double)stats.pairs_visible, 100 * of.sure,
         of.seconds[PLAIN] * 1e6, of.seconds[PAIRED] * 1e6, of.seconds[LOOKED_FOR] * 1e6, of.off,
         paths.plain / PATHS * 1e6, paths.paired / PATHS * 1e6, paths.costs[1] / paths.costs[0],
         paths.cover[0] / PATHS * 1e6, paths.cover[1] / PATHS * 1e6);
  fflush(stdout);
  all->sure += of.sure;
  all->ratio += log(of.seconds[PLAIN] / of.seconds[PAIRED]);
  all->looked_for += log(of.seconds[PLAIN] / of.seconds[LOOKED_FOR]);
  all->path += log(paths.plain / paths.paired);
  all->cover += log(paths.cover[0] / paths.cover[1]);
  all->count++;
  lwi_exposure_scratch_free(&of.scratch);
  lw_world_destroy(of.world);
  lw_navmesh_destroy(of.mesh);
}

int main(void) {
  lw_area_table *areas = NULL;
  sums all = {0};
  bench_head("pairs");
  if (level_areas(&areas, NULL)) return 1;
  printf("a visibility table for pairs up to %d m apart: seconds by one thread, kB, %% of places' pairs hidden "
         "and "
         "visible, %% "
         "of questions that it answers;\n",
         RANGE);
  printf("microseconds of exact exposure of a piece within one polygon without it, with it, and with the "
         "polygons looked for each time, largest error in metres;\n");
  printf("microseconds of a path that %d threats watch without it and with it, and its cost over that without; "
         "of the best 8 places behind cover without it and with it\n",
         THREATS);
  printf("%-18s %6s %7s %6s %7s %7s %6s  %6s %6s %6s %8s  %8s %8s %8s  %6s %6s\n", "level", "polys", "s", "kB",
         "hidden", "visible", "sure", "plain", "paired", "sought", "off", "path", "paired", "cost", "cover",
         "paired");
  for (int i = 0; i < LEVEL_COUNT; i++) measure(level_names[i], areas, &all);
  if (all.count > 0)
    printf(
        "pairs: %.0f %% of questions are sure (mean); times as fast (geometric means): pieces %.2f, with the "
        "polygons looked for %.2f, watched paths %.2f, finding cover %.2f\n\n",
        100 * all.sure / all.count, exp(all.ratio / all.count), exp(all.looked_for / all.count),
        exp(all.path / all.count), exp(all.cover / all.count));
  lw_area_table_destroy(areas);
  return 0;
}
