/* Path search, nearest point, ray cast and random point beside Detour's on the same polygons and the same questions.
   Ours and Detour's take turns; each round gives a mean and a 99th percentile, and the median over the rounds counts.
   Our find_path takes points and snaps them to the mesh; Detour's is given the polygons (`search`: findPath and
   findStraightPath); `+snap` adds the two findNearestPoly that it takes to find them. */
#include "bench_support.h"
#include "core/clock.h"
#include "core/random.h"
#include "peer_mesh.h"

#include "leeward/path.h"
#include "leeward/query.h"
#include "leeward/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIRS 300
#define POINTS 2000
#define ROUNDS 7
#define RANDOM_RADIUS 10

typedef struct bench_pair {
  lw_location from, to;
  uint32_t from_polygon, to_polygon;
} bench_pair;

typedef struct bench_run {
  const char *name;
  lw_navmesh *mesh;
  lw_world *world;
  peer *detour;
  bench_pair pairs[PAIRS];    /* connected */
  lw_location points[POINTS]; /* on the mesh */
  lw_vec3 beside[POINTS];     /* near it */
  lw_vec3 ray_ends[POINTS];
} bench_run;

enum { OURS, SEARCH, SNAP, KINDS };

static lw_location draw(bench_run *run) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.anywhere = true;
  if (lw_random_point_find(run->world, &query, &at) != LW_OK) abort();
  return at;
}

static void prepare(bench_run *run) {
  for (int i = 0; i < PAIRS;) {
    bench_pair pair = {.from = draw(run), .to = draw(run)};
    pair.from_polygon = lwi_poly_index(run->mesh, pair.from.poly);
    pair.to_polygon = lwi_poly_index(run->mesh, pair.to.poly);
    if (run->mesh->islands[pair.from_polygon] == run->mesh->islands[pair.to_polygon]) run->pairs[i++] = pair;
  }
  lwi_random random = lwi_random_make(1, 1);
  for (int i = 0; i < POINTS; i++) {
    run->points[i] = draw(run);
    run->beside[i] = run->ray_ends[i] = run->points[i].point;
    run->beside[i].x += 3 * lwi_random_unit(&random) - 1.5f;
    run->beside[i].y += 2 * lwi_random_unit(&random) - 1;
    run->beside[i].z += 3 * lwi_random_unit(&random) - 1.5f;
    run->ray_ends[i].x += 40 * lwi_random_unit(&random) - 20;
    run->ray_ends[i].z += 40 * lwi_random_unit(&random) - 20;
  }
}

static double time_ours(bench_run *run, const bench_pair *pair) {
  lw_path_query query = lw_path_query_default();
  query.from = pair->from.point;
  query.to = pair->to.point;
  lw_path *path;
  double begin = lwi_clock();
  if (lw_path_find(run->world, &query, &path) != LW_OK) abort();
  double took = lwi_clock() - begin;
  lw_path_destroy(path);
  return took;
}

static void time_theirs(bench_run *run, const bench_pair *pair, double *search, double *with_snap) {
  const lw_vec3 half = {2, 4, 2};
  uint32_t from, to;
  lw_vec3 start, goal;
  peer_path path;
  double begin = lwi_clock();
  if (!peer_nearest(run->detour, pair->from.point, half, &from, &start) ||
      !peer_nearest(run->detour, pair->to.point, half, &to, &goal))
    abort();
  double middle = lwi_clock();
  if (!peer_find_path(run->detour, pair->from_polygon, pair->from.point, pair->to_polygon, pair->to.point,
                      &path))
    abort();
  double end = lwi_clock();
  *search = end - middle;
  *with_snap = end - begin;
}

typedef struct path_figures {
  double mean[KINDS], p99[KINDS]; /* [s] */
} path_figures;

static path_figures measure_paths(bench_run *run) {
  static double times[KINDS][PAIRS];
  double means[KINDS][ROUNDS], p99s[KINDS][ROUNDS];
  for (int round = -1; round < ROUNDS; round++) {
    for (int i = 0; i < PAIRS; i++) {
      bool ours_first = (i + round) % 2 == 0; /* who goes first finds a colder cache */
      if (ours_first) times[OURS][i] = time_ours(run, &run->pairs[i]);
      time_theirs(run, &run->pairs[i], &times[SEARCH][i], &times[SNAP][i]);
      if (!ours_first) times[OURS][i] = time_ours(run, &run->pairs[i]);
    }
    for (int kind = 0; kind < KINDS && round >= 0; kind++) {
      means[kind][round] = bench_mean(times[kind], PAIRS);
      p99s[kind][round] = bench_quantile(times[kind], PAIRS, 0.99);
    }
  }
  path_figures figures;
  for (int kind = 0; kind < KINDS; kind++) {
    figures.mean[kind] = bench_quantile(means[kind], ROUNDS, 0.5);
    figures.p99[kind] = bench_quantile(p99s[kind], ROUNDS, 0.5);
  }
  return figures;
}

/* --- queries: too quick to be timed one by one ----------------------------------------------------------------- */

static double sink; /* so that no answer is thrown away unmade */

static void our_nearest(bench_run *run, int i) {
  lw_location at;
  if (lw_navmesh_nearest(run->mesh, run->beside[i], (lw_vec3){2, 4, 2}, NULL, &at) == LW_OK) sink += at.point.x;
}
static void their_nearest(bench_run *run, int i) {
  uint32_t polygon;
  lw_vec3 at;
  if (peer_nearest(run->detour, run->beside[i], (lw_vec3){2, 4, 2}, &polygon, &at)) sink += at.x;
}
static void our_raycast(bench_run *run, int i) {
  lw_raycast ray;
  if (lw_navmesh_raycast(run->mesh, run->points[i], run->ray_ends[i], NULL, &ray) == LW_OK) sink += ray.t;
}
static void their_raycast(bench_run *run, int i) {
  bool hit;
  float t;
  if (peer_raycast(run->detour, lwi_poly_index(run->mesh, run->points[i].poly), run->points[i].point,
                   run->ray_ends[i], &hit, &t))
    sink += t;
}
static void our_random(bench_run *run, int i) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.around = run->points[i].point;
  query.radius = RANDOM_RADIUS;
  if (lw_random_point_find(run->world, &query, &at) == LW_OK) sink += at.point.x;
}
static void their_random(bench_run *run, int i) {
  uint32_t polygon;
  lw_vec3 at;
  if (peer_random_in_circle(run->detour, lwi_poly_index(run->mesh, run->points[i].poly), run->points[i].point,
                            RANDOM_RADIUS, &polygon, &at))
    sink += at.x;
}

typedef void (*question)(bench_run *run, int i);

static double time_all(bench_run *run, question ask) {
  double begin = lwi_clock();
  for (int i = 0; i < POINTS; i++) ask(run, i);
  return (lwi_clock() - begin) / POINTS;
}

/* Prints ours, Detour's and the ratio. @return The ratio. */
static double compare(bench_run *run, question ours, question theirs) {
  double us[ROUNDS], them[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) {
    double a = time_all(run, ours), b = time_all(run, theirs);
    if (round < 0) continue;
    us[round] = a;
    them[round] = b;
  }
  double a = bench_quantile(us, ROUNDS, 0.5), b = bench_quantile(them, ROUNDS, 0.5);
  printf(" %7.2f %7.2f %5.2f", a * 1e6, b * 1e6, a / b);
  return a / b;
}

/* --- levels --------------------------------------------------------------------------------------------------- */

enum { R_MEAN, R_P99, R_NEAREST, R_RAYCAST, R_RANDOM, RATIOS };

static void measure(bench_run *run, double log_ratios[RATIOS]) {
  prepare(run);
  path_figures paths = measure_paths(run);
  printf("%-18s %5u %7.1f %7.1f %7.1f %5.2f %7.1f %7.1f %5.2f", run->name, run->mesh->polygon_count,
         paths.mean[OURS] * 1e6, paths.mean[SEARCH] * 1e6, paths.mean[SNAP] * 1e6,
         paths.mean[OURS] / paths.mean[SEARCH], paths.p99[OURS] * 1e6, paths.p99[SEARCH] * 1e6,
         paths.p99[OURS] / paths.p99[SEARCH]);
  log_ratios[R_MEAN] += log(paths.mean[OURS] / paths.mean[SEARCH]);
  log_ratios[R_P99] += log(paths.p99[OURS] / paths.p99[SEARCH]);
  log_ratios[R_NEAREST] += log(compare(run, our_nearest, their_nearest));
  log_ratios[R_RAYCAST] += log(compare(run, our_raycast, their_raycast));
  log_ratios[R_RANDOM] += log(compare(run, our_random, their_random));
  printf("\n");
  fflush(stdout);
}

static bool open_run(bench_run *run, const bench_level *level) {
  lw_bake_settings settings = level_settings();
  lw_error error = {0};
  char message[256] = "";
  run->name = level->name;
  bool open = lw_bake(level->geometry, &settings, &run->mesh, NULL, &error) == LW_OK;
  if (open) {
    lw_world_def def = lw_world_def_default();
    def.navmesh = run->mesh;
    open = lw_world_create(&def, &run->world, &error) == LW_OK;
  }
  if (!open) printf("%s: %s\n", level->name, error.text);
  run->detour = open ? peer_create(run->mesh, settings.cell_size, message, sizeof message) : NULL;
  if (open && !run->detour) printf("%s: Detour: %s\n", level->name, message);
  return run->detour != NULL;
}

static bool bench(const bench_level *level, double log_ratios[RATIOS]) {
  static bench_run run;
  run = (bench_run){0};
  bool open = open_run(&run, level);
  if (open) measure(&run, log_ratios);
  peer_destroy(run.detour);
  lw_world_destroy(run.world);
  lw_navmesh_destroy(run.mesh);
  return open;
}

int main(void) {
  lw_area_table *areas;
  bench_level levels[LEVEL_COUNT];
  double log_ratios[RATIOS] = {0};
  lw_error error = {0};
  bench_head("path");
  if (level_areas(&areas, &error)) return 1;
  int count = bench_levels(areas, levels), done = 0;
  printf("microseconds; Detour: findPath + findStraightPath, +snap: and two findNearestPoly, which ours has in "
         "it; "
         "Detour's\nrandom points are neither uniform nor always in the circle\n");
  printf("%-24s %29s %21s %21s %21s %21s\n", "", "find_path, mean", "find_path, p99", "nearest", "raycast",
         "random point");
  printf("%-18s %5s %7s %7s %7s %5s", "level", "polys", "ours", "Detour", "+snap", "ratio");
  for (int i = 0; i < 4; i++) printf(" %7s %7s %5s", "ours", "Detour", "ratio");
  printf("\n");
  for (int i = 0; i < count; i++) done += bench(&levels[i], log_ratios);
  if (done > 0)
    printf("of Detour's time (geometric mean): find_path mean %.2f, p99 %.2f, nearest %.2f, raycast %.2f, "
           "random point "
           "%.2f\n",
           exp(log_ratios[R_MEAN] / done), exp(log_ratios[R_P99] / done), exp(log_ratios[R_NEAREST] / done),
           exp(log_ratios[R_RAYCAST] / done), exp(log_ratios[R_RANDOM] / done));
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return done < count || count == 0;
}
