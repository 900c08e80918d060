/* Distance fields: how long one takes, what an answer takes, and how far costs are from those of paths that are searched one
   by one. Beside it: what single searches of ours and of Detour take on the same polygons. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/platform.h"
#include "mixed_ground.h"
#include "query/distance_field.h"
#include "query/workspace.h"

#include "leeward/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED 20261126u
#define GOALS 10
#define STARTS 100 /* of each goal: 1,000 in all */
#define ROUNDS 7

typedef struct figures {
  double build;                 /* the median of each goal's min [s] */
  double ask, single, theirs;   /* [s] */
  double mean, p99, worst, min; /* deviation of costs, as a part of the path's */
  int count;
} figures;

static double sink;

static lw_distance_field *make_field(const lw_world *world, lw_vec3 goal, const lw_profile *profile,
                                     double *took) {
  lw_distance_field_def def = lw_distance_field_def_default();
  lw_distance_field *field;
  def.goals = &goal;
  def.goal_count = 1;
  def.profile = profile;
  if (lw_distance_field_create(world, NULL, &def, &field) != LW_OK) abort();
  *took = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = lwi_clock();
    if (lwi_distance_field_compute(field, lwi_scene_of(world)->own) != LW_OK) abort();
    *took = fmin(*took, lwi_clock() - begin);
  }
  return field;
}

static double cost_of_path(const lw_world *world, lw_vec3 from, lw_vec3 to, const lw_profile *profile,
                           double *took) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.to = to;
  query.profile = profile;
  const double begin = lwi_clock();
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  *took += lwi_clock() - begin;
  const double cost = status == LW_OK ? (double)lw_path_cost(path) : INFINITY;
  lw_path_destroy(path);
  return cost;
}

static double time_detour(peer *detour, const lw_navmesh *mesh, lw_location from, lw_location to) {
  peer_path path;
  const uint32_t a = lwi_poly_index(mesh, from.poly), b = lwi_poly_index(mesh, to.poly);
  const double begin = lwi_clock();
  peer_find_path(detour, a, from.point, b, to.point, &path);
  return lwi_clock() - begin;
}

static void ask(const bench_mesh *on, peer *detour, const lw_profile *profile, figures *of, double *deviations,
                double *builds, int goal_number) {
  const lw_location goal = bench_draw(on);
  lw_distance_field *field = make_field(on->world, goal.point, profile, &builds[goal_number]);
  for (int i = 0; i < STARTS; i++) {
    const lw_location start = bench_draw(on);
    lw_field_route route;
    const double begin = lwi_clock();
    const lw_status status = lw_distance_field_get(field, on->world, NULL, start.point, &route);
    of->ask += lwi_clock() - begin;
    const double cost = cost_of_path(on->world, start.point, goal.point, profile, &of->single);
    if (detour) of->theirs += time_detour(detour, on->mesh, start, goal);
    sink += (double)route.next.x;
    if (status != LW_OK || cost == INFINITY) {
      if ((status == LW_OK) != (cost < INFINITY)) printf("one of both found no route\n");
      continue;
    }
    if (cost < 1) continue;
    of->min = fmin(of->min, (double)route.cost / cost - 1);
    deviations[of->count++] = fabs((double)route.cost / cost - 1);
  }
  lw_distance_field_destroy(field);
}

static figures measure(const bench_mesh *on, peer *detour, const lw_profile *const *profiles,
                       int profile_count) {
  static double deviations[GOALS * STARTS], builds[GOALS];
  figures of = {0};
  for (int i = 0; i < GOALS; i++)
    ask(on, detour, profile_count ? profiles[i % profile_count] : NULL, &of, deviations, builds, i);
  of.build = bench_quantile(builds, GOALS, 0.5);
  of.mean = bench_mean(deviations, of.count);
  of.p99 = bench_quantile(deviations, of.count, 0.99);
  of.worst = bench_quantile(deviations, of.count, 1);
  return of;
}

static void print(const char *name, uint32_t polygons, const figures *of) {
  const double all = GOALS * STARTS;
  printf("%-26s %6u %8.3f %8.0f %7.2f %9.2f %9.2f | %6.2f %6.2f %7.2f %7.2f\n", name, (unsigned)polygons,
         1e3 * of->build, 1e9 * of->build / polygons, 1e6 * of->ask / all, 1e6 * of->single / all,
         1e6 * of->theirs / all, 100 * of->mean, 100 * of->p99, 100 * of->worst, 100 * of->min);
  fflush(stdout);
}

static void visit(bench_place *place, void *user) {
  (void)user;
  figures of = measure(&place->same, place->detour, NULL, 0);
  print(place->name, place->same.mesh->polygons.count, &of);
}

static bool measure_mixed(const char *level) {
  mixed_ground ground;
  lw_error error = {0};
  if (mixed_open(level, MIXED_MARKS, SEED, &ground, &error) != LW_OK) {
    printf("%s is left out: %s\n", level, error.text);
    return false;
  }
  const bench_mesh on = {ground.mesh, ground.world};
  const lw_profile *profiles[MIXED_PROFILES];
  char name[64];
  for (int i = 0; i < MIXED_PROFILES; i++) profiles[i] = ground.profiles[i];
  snprintf(name, sizeof name, "%s, mixed", level);
  figures of = measure(&on, NULL, profiles, MIXED_PROFILES);
  print(name, on.mesh->polygons.count, &of);
  mixed_close(&ground);
  return true;
}

int main(void) {
  bench_head("distance_field");
  printf("a field, and a polygon of it; one answer; a path by find_path, and by Detour's findPath + "
         "findStraightPath without\n"
         "snapping; deviation of costs from find_path's: mean, 99th percentile, worst, and the lowest with its "
         "sign [%%]\n");
  printf("%-26s %6s %8s %8s %7s %9s %9s | %6s %6s %7s %7s\n", "place", "polys", "ms", "ns/poly", "us",
         "ours us", "Detour us", "mean", "p99", "worst", "lowest");
  bool all = bench_places(visit, NULL) > 0;
  for (int i = 0; i < MIXED_LEVELS; i++) all = measure_mixed(mixed_levels[i]) && all;
  printf("%s\n", sink < INFINITY ? "" : "!");
  return !all;
}
