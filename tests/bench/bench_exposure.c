/* Exposure, exact, beside lines of sight every 0.25 m through the same occluders: what one would cast without it. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/clock.h"
#include "core/random.h"
#include "core/vec3.h"

#include "leeward/cover.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SEGMENTS 1000
#define ROUNDS 5
#define SPACING 0.25f
#define LENGTH 12.0f
#define EYE_HEIGHT 1.6f

typedef struct exposure_run {
  lw_world *world;
  lw_threat eyes[SEGMENTS];
  lw_vec3 from[SEGMENTS], to[SEGMENTS];
} exposure_run;

typedef struct exposure_sums {
  double logs, worst;
  int count;
} exposure_sums;

/* Straight ways of up to 12 m over open ground, each seen from somewhere on the level. */
static void prepare(bench_place *place, exposure_run *run) {
  lwi_random random = lwi_random_make(1, 7);
  run->world = place->same.world;
  for (int i = 0; i < SEGMENTS; i++) {
    lw_location start = bench_draw(&place->same), eye = bench_draw(&place->same);
    float turn = 6.2831853f * lwi_random_unit(&random);
    lw_vec3 to = {start.point.x + LENGTH * cosf(turn), start.point.y, start.point.z + LENGTH * sinf(turn)};
    lw_raycast ray;
    if (lw_navmesh_raycast(place->same.mesh, start, to, NULL, &ray) != LW_OK) abort();
    run->from[i] = start.point;
    run->to[i] = ray.at.point;
    run->eyes[i] = lw_threat_default();
    run->eyes[i].at = lwi_add(eye.point, lwi_vec3(0, EYE_HEIGHT, 0));
  }
}

/* @return Exposed metres of all. */
static double ask_exactly(const exposure_run *run) {
  double sum = 0;
  for (int i = 0; i < SEGMENTS; i++) {
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure seen;
    query.from = run->from[i];
    query.to = run->to[i];
    query.threats = &run->eyes[i];
    query.threat_count = 1;
    if (lw_exposure_find(run->world, &query, &seen) != LW_OK) abort();
    sum += (double)seen.exposed;
  }
  return sum;
}

static double cast_rays(const exposure_run *run) {
  static const float heights[] = {0.9f, 1.6f};
  double sum = 0;
  for (int i = 0; i < SEGMENTS; i++) {
    float length = lwi_distance(run->from[i], run->to[i]);
    int steps = 1 + (int)(length / SPACING), seen = 0;
    for (int k = 0; k < steps; k++) {
      lw_vec3 at = lwi_lerp(run->from[i], run->to[i], ((float)k + 0.5f) / (float)steps);
      bool sees = false;
      for (int h = 0; h < 2 && !sees; h++)
        sees = lw_sees(run->world, run->eyes[i].at, lwi_add(at, lwi_vec3(0, heights[h], 0)), false);
      seen += sees;
    }
    sum += (double)length * seen / steps;
  }
  return sum;
}

static void measure(bench_place *place, void *user) {
  static exposure_run run;
  exposure_sums *sums = user;
  double exact[ROUNDS], cast[ROUNDS], metres = 0, by_rays = 0, length = 0;
  if (lw_navmesh_get_stats(place->same.mesh).occluders == 0) return;
  prepare(place, &run);
  for (int i = 0; i < SEGMENTS; i++) length += (double)lwi_distance(run.from[i], run.to[i]);
  for (int round = -1; round < ROUNDS; round++) {
    double begin = lwi_clock();
    metres = ask_exactly(&run);
    double middle = lwi_clock();
    by_rays = cast_rays(&run);
    double end = lwi_clock();
    if (round < 0) continue;
    exact[round] = (middle - begin) / SEGMENTS;
    cast[round] = (end - middle) / SEGMENTS;
  }
  double ours = bench_quantile(exact, ROUNDS, 0.5), theirs = bench_quantile(cast, ROUNDS, 0.5);
  printf("%-18s %9d %8.1f %10.2f %10.2f %6.3f %11.3f %9.1f %9.1f\n", place->name,
         lw_navmesh_get_stats(place->same.mesh).occluders, length / SEGMENTS, ours * 1e6, theirs * 1e6,
         ours / theirs, ours / (length / SEGMENTS) * 1e6, 100 * metres / length, 100 * by_rays / length);
  fflush(stdout);
  sums->logs += log(ours / theirs);
  sums->worst = fmax(sums->worst, ours / theirs);
  sums->count++;
}

int main(void) {
  exposure_sums sums = {0};
  bench_head("exposure");
  printf("microseconds a segment, one eye, two body heights; rays: every %g m through the same occluders\n",
         (double)SPACING);
  printf("%-18s %9s %8s %10s %10s %6s %11s %9s %9s\n", "level", "occluders", "m each", "exact", "rays", "ratio",
         "exact, us/m", "seen, %", "by rays");
  int places = bench_places(measure, &sums);
  if (sums.count > 0)
    printf("exposure: %.3f of the rays' time (geometric mean), at worst %.3f\n\n", exp(sums.logs / sums.count),
           sums.worst);
  return places == 0;
}
