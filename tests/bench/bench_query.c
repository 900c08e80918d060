/* What is asked of the mesh beside Detour on the same polygons and the same questions. Too quick to be timed one by one:
   a round asks all of them, ours and Detour's take turns, and the median over the rounds counts. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/platform.h"
#include "core/random.h"

#include "leeward/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS 1000
#define ROUNDS 7
#define WALL_RADIUS 10
#define PLACES (LEVEL_COUNT + GRID_COUNT)

/* What both are asked about; `at` has polygons of the mesh that is asked. */
typedef struct bench_run {
  const bench_mesh *on;
  peer *detour;
  lw_location at[POINTS];   /* on the mesh */
  uint32_t polygon[POINTS]; /* there, for Detour */
  lw_vec3 beside[POINTS];   /* within 1.5 m of it on each axis, 1 m in height */
  lw_vec3 far_end[POINTS];  /* within 20 m on each axis: rays */
  lw_vec3 step[POINTS];     /* within 2 m on each axis: moves */
} bench_run;

static double sink; /* so that no answer is thrown away unmade */

/* --- questions: each says whether it was answered ------------------------------------------------------------------ */

static bool our_nearest(const bench_run *run, int i) {
  lw_location at;
  if (lw_navmesh_nearest(run->on->mesh, run->beside[i], (lw_vec3){2, 4, 2}, NULL, &at) != LW_OK) return false;
  sink += at.point.x;
  return true;
}
static bool their_nearest(const bench_run *run, int i) {
  uint32_t polygon;
  lw_vec3 at;
  if (!peer_nearest(run->detour, run->beside[i], (lw_vec3){2, 4, 2}, &polygon, &at)) return false;
  sink += at.x;
  return true;
}

static bool our_raycast(const bench_run *run, int i) {
  lw_raycast ray;
  if (lw_navmesh_raycast(run->on->mesh, run->at[i], run->far_end[i], NULL, &ray) != LW_OK) return false;
  sink += ray.t;
  return true;
}
static bool their_raycast(const bench_run *run, int i) {
  bool hit;
  float t;
  if (!peer_raycast(run->detour, run->polygon[i], run->at[i].point, run->far_end[i], &hit, &t)) return false;
  sink += t;
  return true;
}

static bool our_move(const bench_run *run, int i) {
  lw_location end;
  if (lw_navmesh_move(run->on->mesh, run->at[i], run->step[i], NULL, &end) != LW_OK) return false;
  sink += end.point.x;
  return true;
}
static bool their_move(const bench_run *run, int i) {
  lw_vec3 end;
  if (!peer_move(run->detour, run->polygon[i], run->at[i].point, run->step[i], &end)) return false;
  sink += end.x;
  return true;
}

static bool their_raycast_to(const bench_run *run, int i) {
  lw_vec3 end;
  if (!peer_raycast_to(run->detour, run->polygon[i], run->at[i].point, run->far_end[i], &end)) return false;
  sink += end.x;
  return true;
}
static bool their_move_to(const bench_run *run, int i) {
  lw_vec3 end;
  if (!peer_move_to(run->detour, run->polygon[i], run->at[i].point, run->step[i], &end)) return false;
  sink += end.x;
  return true;
}

static bool our_wall(const bench_run *run, int i) {
  lw_wall wall;
  if (lw_navmesh_distance_to_wall(run->on->mesh, run->at[i], WALL_RADIUS, NULL, &wall) != LW_OK) return false;
  sink += wall.distance;
  return true;
}
static bool their_wall(const bench_run *run, int i) {
  float distance;
  if (!peer_wall(run->detour, run->polygon[i], run->at[i].point, WALL_RADIUS, &distance)) return false;
  sink += distance;
  return true;
}

static bool our_height(const bench_run *run, int i) {
  float height;
  if (lw_navmesh_height(run->on->mesh, run->at[i].point, NULL, &height) != LW_OK) return false;
  sink += height;
  return true;
}
static bool their_height(const bench_run *run, int i) {
  uint32_t polygon;
  lw_vec3 at;
  float height;
  if (!peer_nearest(run->detour, run->at[i].point, (lw_vec3){0.1f, 4, 0.1f}, &polygon, &at)) return false;
  if (!peer_height(run->detour, polygon, at, &height)) return false;
  sink += height;
  return true;
}

static bool our_height_in(const bench_run *run, int i) {
  uint32_t polygon = lwi_poly_index(run->on->mesh, run->at[i].poly);
  sink += lwi_polygon_height(run->on->mesh, polygon, run->at[i].point.x, run->at[i].point.z);
  return true;
}
static bool their_height_in(const bench_run *run, int i) {
  float height;
  if (!peer_height(run->detour, run->polygon[i], run->at[i].point, &height)) return false;
  sink += height;
  return true;
}

static bool our_random(const bench_run *run, int i, float radius) {
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(run->on->world);
  lw_location at;
  query.anywhere = radius <= 0;
  query.around = run->at[i].point;
  query.radius = radius;
  if (lw_random_point_find(run->on->world, NULL, &query, &at) != LW_OK) return false;
  sink += at.point.x;
  return true;
}
static bool their_random(const bench_run *run, int i, float radius) {
  uint32_t polygon;
  lw_vec3 at;
  if (radius > 0 ? !peer_random_in_circle(run->detour, run->polygon[i], run->at[i].point, radius, &polygon, &at)
                 : !peer_random(run->detour, &polygon, &at))
    return false;
  sink += at.x;
  return true;
}
static bool our_random_5(const bench_run *run, int i) {
  return our_random(run, i, 5);
}
static bool their_random_5(const bench_run *run, int i) {
  return their_random(run, i, 5);
}
static bool our_random_20(const bench_run *run, int i) {
  return our_random(run, i, 20);
}
static bool their_random_20(const bench_run *run, int i) {
  return their_random(run, i, 20);
}
static bool our_random_any(const bench_run *run, int i) {
  return our_random(run, i, 0);
}
static bool their_random_any(const bench_run *run, int i) {
  return their_random(run, i, 0);
}

typedef bool (*asker)(const bench_run *run, int i);

typedef struct question {
  const char *name;
  asker ours, theirs;
  int count; /* a round; fewer where one takes long */
} question;

static const question questions[] = {
    {"nearest", our_nearest, their_nearest, POINTS},
    {"raycast", our_raycast, their_raycast, POINTS},
    {"move_along, 2 m", our_move, their_move, POINTS},
    {"raycast, height too", our_raycast, their_raycast_to, POINTS},
    {"move_along, height too", our_move, their_move_to, POINTS},
    {"distance_to_wall", our_wall, their_wall, POINTS},
    {"height_at", our_height, their_height, POINTS},
    {"height in a polygon", our_height_in, their_height_in, POINTS},
    {"random point, 5 m", our_random_5, their_random_5, POINTS / 2},
    {"random point, 20 m", our_random_20, their_random_20, POINTS / 4},
    {"random, anywhere", our_random_any, their_random_any, POINTS / 4},
};
#define QUESTIONS ((int)(sizeof questions / sizeof *questions))

/* --- measuring ----------------------------------------------------------------------------------------------------- */

enum { OURS, THEIRS, WHOLE, KINDS };

typedef struct figures {
  const char *name;
  int polygons, whole_polygons;     /* 0: there is no other */
  double seconds[QUESTIONS][KINDS]; /* a question */
  int unanswered[QUESTIONS][KINDS]; /* of a round */
} figures;

typedef struct results {
  figures of[PLACES];
  int count;
} results;

static void prepare(bench_run *run) {
  lw_random random = lwi_random_make(1, 1);
  for (int i = 0; i < POINTS; i++) {
    run->at[i] = bench_draw(run->on);
    run->polygon[i] = lwi_poly_index(run->on->mesh, run->at[i].poly);
    run->beside[i] = run->far_end[i] = run->step[i] = run->at[i].point;
    run->beside[i].x += 3 * lwi_random_unit(&random) - 1.5f;
    run->beside[i].y += 2 * lwi_random_unit(&random) - 1;
    run->beside[i].z += 3 * lwi_random_unit(&random) - 1.5f;
    run->far_end[i].x += 40 * lwi_random_unit(&random) - 20;
    run->far_end[i].z += 40 * lwi_random_unit(&random) - 20;
    run->step[i].x += 4 * lwi_random_unit(&random) - 2;
    run->step[i].z += 4 * lwi_random_unit(&random) - 2;
  }
}

/* The same points, on the polygons of another mesh over the same ground. */
static void prepare_whole(const bench_run *same, const bench_mesh *on, bench_run *whole) {
  *whole = *same;
  whole->on = on;
  for (int i = 0; i < POINTS; i++)
    if (lw_navmesh_nearest(on->mesh, same->at[i].point, (lw_vec3){0.1f, 1, 0.1f}, NULL, &whole->at[i]) != LW_OK)
      abort();
}

static double time_all(const bench_run *run, asker ask, int count, int *unanswered) {
  int answered = 0;
  double begin = lwi_clock();
  for (int i = 0; i < count; i++) answered += ask(run, i);
  double took = lwi_clock() - begin;
  *unanswered = count - answered;
  return took / count;
}

static void compare(const bench_run *same, const bench_run *whole, int which, figures *out) {
  const question *q = &questions[which];
  double times[KINDS][ROUNDS];
  int *unanswered = out->unanswered[which];
  for (int round = -1; round < ROUNDS; round++) {
    double took[KINDS] = {time_all(same, q->ours, q->count, &unanswered[OURS]),
                          time_all(same, q->theirs, q->count, &unanswered[THEIRS]),
                          whole ? time_all(whole, q->ours, q->count, &unanswered[WHOLE]) : 0};
    for (int kind = 0; kind < KINDS && round >= 0; kind++) times[kind][round] = took[kind];
  }
  for (int kind = 0; kind < KINDS; kind++) out->seconds[which][kind] = bench_quantile(times[kind], ROUNDS, 0.5);
}

static void measure(bench_place *place, void *user) {
  static bench_run same, whole;
  results *all = user;
  figures *out = &all->of[all->count++];
  bool other = place->whole.mesh != NULL;
  *out = (figures){.name = place->name, .polygons = (int)place->same.mesh->polygons.count};
  same = (bench_run){.on = &place->same, .detour = place->detour};
  prepare(&same);
  if (other) prepare_whole(&same, &place->whole, &whole);
  if (other) out->whole_polygons = (int)place->whole.mesh->polygons.count;
  for (int i = 0; i < QUESTIONS; i++) compare(&same, other ? &whole : NULL, i, out);
}

/* --- tables -------------------------------------------------------------------------------------------------------- */

static void print_place(const figures *of, int first, int last) {
  printf("%-18s %5d", of->name, of->polygons);
  for (int q = first; q < last; q++)
    printf(" %7.0f %7.0f %5.2f", of->seconds[q][OURS] * 1e9, of->seconds[q][THEIRS] * 1e9,
           of->seconds[q][OURS] / of->seconds[q][THEIRS]);
  printf("\n");
  if (of->whole_polygons == 0) return;
  printf("  %-16s %5d", "unsplit", of->whole_polygons);
  for (int q = first; q < last; q++)
    printf(" %7.0f%*s", of->seconds[q][WHOLE] * 1e9, q + 1 < last ? 14 : 0, "");
  printf("\n");
}

static void print_table(const results *all, int first, int last) {
  printf("%-24s", "");
  for (int q = first; q < last; q++) printf(" %21s", questions[q].name);
  printf("\n%-18s %5s", "level", "polys");
  for (int q = first; q < last; q++) printf(" %7s %7s %5s", "ours", "Detour", "ratio");
  printf("\n");
  for (int i = 0; i < all->count; i++) print_place(&all->of[i], first, last);
  printf("\n");
}

/* Means, and the worst place of each: a mean may hide it. */
static void print_summary(const results *all) {
  for (int q = 0; q < QUESTIONS; q++) {
    double logs = 0, worst = 0;
    int missed[KINDS] = {0}, worst_place = 0;
    for (int i = 0; i < all->count; i++) {
      const figures *of = &all->of[i];
      double ratio = of->seconds[q][OURS] / of->seconds[q][THEIRS];
      logs += log(ratio);
      if (ratio > worst) worst_place = i;
      worst = fmax(worst, ratio);
      for (int kind = 0; kind < KINDS; kind++) missed[kind] += of->unanswered[q][kind];
    }
    printf("%-22s %.2f of Detour's time (geometric mean), at worst %.2f (%s)", questions[q].name,
           exp(logs / all->count), worst, all->of[worst_place].name);
    if (missed[OURS] + missed[THEIRS] + missed[WHOLE] > 0)
      printf("; of %d not answered: ours %d, Detour %d, unsplit %d", all->count * questions[q].count,
             missed[OURS], missed[THEIRS], missed[WHOLE]);
    printf("\n");
  }
  printf("\n");
}

int main(void) {
  static results all;
  bench_head("query");
  printf(
      "nanoseconds; grids are split to 6 corners for both, unsplit: ours on the polygons of the file;\n"
      "Detour's height_at: findNearestPoly + getPolyHeight; both are given the polygon of raycast, "
      "move_along and\n"
      "distance_to_wall (up to %d m), Detour also that of random points, which are neither uniform nor "
      "always in\n"
      "the circle; our raycast and move_along say the polygon and the height where they end, Detour's do not "
      "unless\n"
      "asked: height too\n",
      WALL_RADIUS);
  int places = bench_places(measure, &all);
  print_table(&all, 0, 5);
  print_table(&all, 5, QUESTIONS);
  if (all.count > 0) print_summary(&all);
  return places == 0 || isnan(sink);
}
