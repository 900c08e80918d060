/* The planner: a thousand paths asked for in one step, plain and over mixed ground; and what pausing costs a search. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/hash.h"
#include "mixed_ground.h"

#include "leeward/leeward.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUESTS 1000
#define STEPS_MAX 2000
#define PAIRS 300
#define ROUNDS 5
#define DT (1.0f / 60)

static void need(lw_status status) {
  if (status == LW_OK) return;
  printf("failed: %s\n", lw_status_text(status));
  exit(1);
}

/* What is asked on. */
typedef struct ground {
  const char *name, *kind;
  bench_mesh mesh;
  const lw_profile *profile; /* NULL: length only */
} ground;

static lw_path_query draw_query(const ground *on) {
  lw_path_query query = lw_path_query_default();
  query.from = bench_draw(&on->mesh).point;
  query.to = bench_draw(&on->mesh).point;
  query.profile = on->profile;
  return query;
}

/* --- a thousand requests ---------------------------------------------------------------------------------------- */

static void plan_many(const ground *on) {
  static lw_request_id ids[REQUESTS];
  lw_world *world = on->mesh.world;
  static double seconds[STEPS_MAX];
  lw_planner_stats before, after;
  int steps = 0;
  need(lw_world_step(world, DT)); /* in the first one bounds at prices are computed at once */
  need(lw_world_get_planner_stats(world, &before));
  for (int i = 0; i < REQUESTS; i++) {
    const lw_path_query query = draw_query(on);
    need(lw_path_request(world, &query, 0, &ids[i]));
  }
  do {
    const double began = bench_clock();
    need(lw_world_step(world, DT));
    seconds[steps++] = bench_clock() - began;
    need(lw_world_get_planner_stats(world, &after));
  } while (after.waiting_requests > 0 && steps < STEPS_MAX);
  double sum = 0, worst = 0;
  for (int i = 0; i < steps; i++) {
    sum += seconds[i];
    worst = seconds[i] > worst ? seconds[i] : worst;
  }
  for (int i = 0; i < REQUESTS; i++) need(lw_path_request_cancel(world, ids[i]));
  printf("%-22s %-8s %6d %9.2f %9.2f %9.1f\n", on->name, on->kind, steps, 1e3 * sum / steps, 1e3 * worst,
         1e6 * sum / REQUESTS);
}

/* --- on several threads ------------------------------------------------------------------------------------------- */

/* What the requests of one round came to. */
typedef struct thread_round {
  int steps;
  double seconds, worst; /* that passed in steps; in one */
  double processor;      /* time of all threads in steps */
  uint64_t hash;         /* of all paths */
} thread_round;

static thread_round ask_all(lw_world *world, const lw_path_query *queries) {
  static lw_request_id ids[REQUESTS];
  thread_round round = {.hash = LWI_HASH_SEED};
  lw_planner_stats stats;
  for (int i = 0; i < REQUESTS; i++) need(lw_path_request(world, &queries[i], 0, &ids[i]));
  do {
    const double began = bench_time(), processor = bench_clock();
    need(lw_world_step(world, DT));
    const double took = bench_time() - began;
    round.processor += bench_clock() - processor;
    round.seconds += took;
    round.worst = took > round.worst ? took : round.worst;
    need(lw_world_get_planner_stats(world, &stats));
  } while (++round.steps < STEPS_MAX && stats.waiting_requests > 0);
  for (int i = 0; i < REQUESTS; i++) {
    lw_path *path;
    int count;
    lw_path_request_take(world, ids[i], &path);
    const lw_vec3 *points = lw_path_points(path, &count);
    round.hash = lwi_hash(round.hash, points, (size_t)count * sizeof *points);
    lw_path_destroy(path);
  }
  return round;
}

/* The same requests three times: the second and third time the world is warm. */
static void plan_on_threads(const ground *on, int threads) {
  static lw_path_query queries[REQUESTS];
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = on->mesh.mesh;
  def.threads = threads;
  need(lw_world_create(&def, &world, NULL));
  const ground here = {on->name, on->kind, {on->mesh.mesh, world}, on->profile};
  for (int i = 0; i < REQUESTS; i++) queries[i] = draw_query(&here);
  thread_round first = ask_all(world, queries), second = ask_all(world, queries);
  const size_t bytes = lw_world_memory(world);
  const thread_round third = ask_all(world, queries);
  const thread_round *faster = second.seconds < third.seconds ? &second : &third;
  const bool is_same = first.hash == second.hash && first.hash == third.hash;
  printf("%-22s %-8s %7d %6d %9.1f %9.2f %9.1f  %016llx%s %+lld\n", on->name, on->kind, threads, third.steps,
         1e3 * faster->seconds, 1e3 * faster->worst, 1e3 * faster->processor, (unsigned long long)third.hash,
         is_same ? "" : " differs", (long long)lw_world_memory(world) - (long long)bytes);
  lw_world_destroy(world);
}

static void compare_threads(const ground *on) {
  for (int threads = 1; threads <= 4; threads *= 2) plan_on_threads(on, threads);
}

/* --- pausing ------------------------------------------------------------------------------------------------------ */

static double time_whole(const lw_world *world, lw_workspace *workspace, const lw_path_query *query) {
  lw_path *path;
  const double began = bench_time();
  lw_path_find(world, workspace, query, &path);
  const double took = bench_time() - began;
  lw_path_destroy(path);
  return took;
}

static double time_sliced(const lw_world *world, lw_workspace *workspace, const lw_path_query *query,
                          int work) {
  lw_search *search;
  lw_path *path;
  const double began = bench_time();
  need(lw_search_begin(world, workspace, query, &search));
  while (lw_search_step(search, work) == LW_UNFINISHED) continue;
  lw_search_finish(search, &path);
  const double took = bench_time() - began;
  lw_path_destroy(path);
  return took;
}

/* The least of several, so that what else runs on the machine counts little. */
static void compare_slices(const ground *on) {
  const lw_world *world = on->mesh.world;
  lw_workspace *workspace = lw_workspace_create(world);
  double whole = 0, by_50 = 0, by_5 = 0;
  for (int i = 0; i < PAIRS; i++) {
    const lw_path_query query = draw_query(on);
    double least[3] = {1, 1, 1};
    for (int round = 0; round < ROUNDS; round++) {
      const double took[3] = {time_whole(world, workspace, &query), time_sliced(world, workspace, &query, 50),
                              time_sliced(world, workspace, &query, 5)};
      for (int k = 0; k < 3; k++) least[k] = took[k] < least[k] ? took[k] : least[k];
    }
    whole += least[0], by_50 += least[1], by_5 += least[2];
  }
  lw_workspace_destroy(workspace);
  printf("%-22s %-8s %9.2f %8.2f %8.2f\n", on->name, on->kind, 1e6 * whole / PAIRS, by_50 / whole,
         by_5 / whole);
}

/* --- to one goal -------------------------------------------------------------------------------------------------- */

#define CROWD 500
#define CROWD_GOALS 5

/* Requests of a crowd with one goal: on one distance field, and each searched for alone. */
typedef struct crowd_sum {
  double shared, alone; /* [s] */
  double above, worst;  /* of costs, beside those of paths searched alone */
  int paths, steps;
  uint64_t led, work;
  long nodes; /* of those searched alone */
} crowd_sum;

static void compare_paths(lw_world *world, const lw_path_query *query, lw_request_id id, crowd_sum *sum) {
  lw_path *shared, *alone;
  const double began = bench_time();
  const lw_status status = lw_path_find(world, NULL, query, &alone);
  sum->alone += bench_time() - began;
  need(lw_path_request_take(world, id, &shared) == status ? LW_OK : LW_INVALID);
  if (status == LW_OK) {
    const double part = (double)lw_path_cost(shared) / (double)lw_path_cost(alone) - 1;
    sum->above += part;
    sum->worst = part > sum->worst ? part : sum->worst;
    sum->nodes += lw_path_nodes(alone);
    sum->paths += 1;
  }
  lw_path_destroy(shared);
  lw_path_destroy(alone);
}

static void ask_crowd(const ground *on, crowd_sum *sum) {
  static lw_path_query queries[CROWD];
  static lw_request_id ids[CROWD];
  lw_world *world = on->mesh.world;
  const lw_vec3 goal = bench_draw(&on->mesh).point;
  lw_planner_stats stats;
  for (int i = 0; i < CROWD; i++) {
    queries[i] = draw_query(on);
    queries[i].to = goal;
    need(lw_path_request(world, &queries[i], 0, &ids[i]));
  }
  do {
    const double began = bench_time();
    need(lw_world_step(world, DT));
    sum->shared += bench_time() - began;
    sum->steps += 1;
    need(lw_world_get_planner_stats(world, &stats));
    sum->work += (uint64_t)stats.used;
  } while (stats.waiting_requests > 0);
  for (int i = 0; i < CROWD; i++) compare_paths(world, &queries[i], ids[i], sum);
}

static void compare_crowds(const ground *on) {
  crowd_sum sum = {.paths = 0};
  lw_planner_stats before, after;
  lw_path_query query = draw_query(on);
  lw_path *warm;
  lw_path_find(on->mesh.world, NULL, &query, &warm);
  lw_path_destroy(warm);
  need(lw_world_get_planner_stats(on->mesh.world, &before));
  for (int i = 0; i < CROWD_GOALS; i++) ask_crowd(on, &sum);
  need(lw_world_get_planner_stats(on->mesh.world, &after));
  const double all = CROWD * CROWD_GOALS;
  printf("%-22s %-8s %6llu %9.1f %9.1f %9.1f %9.1f %6.1f %8.3f %8.2f\n", on->name, on->kind,
         (unsigned long long)(after.field_paths - before.field_paths), 1e6 * sum.shared / all,
         1e6 * sum.alone / all, (double)sum.work / all, 20 + (double)sum.nodes / all,
         (double)sum.steps / CROWD_GOALS, 100 * sum.above / sum.paths, 100 * sum.worst);
}

/* --- all places --------------------------------------------------------------------------------------------------- */

typedef void bench_run(const ground *on);

static void visit(bench_place *place, void *user) {
  const ground on = {place->name, "plain", place->same, NULL};
  (*(bench_run **)user)(&on);
}

static void visit_mixed(const char *level, bench_run *run) {
  mixed_ground mixed;
  lw_error error = {.text = ""};
  if (mixed_open(level, MIXED_MARKS, 777, &mixed, &error) != LW_OK) {
    printf("%s: %s\n", level, error.text);
    return;
  }
  const ground on = {level, "mixed", {mixed.mesh, mixed.world}, mixed.profiles[1]};
  run(&on);
  mixed_close(&mixed);
}

static void run_all(bench_run *run) {
  if (bench_places(visit, &run) == 0) printf("nothing to measure on\n");
  for (int i = 0; i < MIXED_LEVELS; i++) visit_mixed(mixed_levels[i], run);
}

int main(void) {
  bench_head("planner");
  printf("%d paths asked for in one step, at the default search_work\n", REQUESTS);
  printf("%-22s %-8s %6s %9s %9s %9s\n", "", "", "steps", "ms/step", "worst", "us/path");
  run_all(plan_many);
  printf("\nthe same on threads: time that passes, of the faster of two warm rounds, and of processors; paths "
         "as a hash; bytes that the last round has added\n");
  printf("%-22s %-8s %7s %6s %9s %9s %9s\n", "", "", "threads", "steps", "ms", "worst", "processor");
  run_all(compare_threads);
  printf("\n%d crowds of %d to one goal each: paths along distance fields; us a path, all of a step, beside "
         "find_path; work of both; steps a crowd; costs above those of find_path, mean and worst [%%]\n",
         CROWD_GOALS, CROWD);
  printf("%-22s %-8s %6s %9s %9s %9s %9s %6s %8s %8s\n", "", "", "led", "us", "alone", "work", "alone", "steps",
         "mean", "worst");
  run_all(compare_crowds);
  printf("\nfind_path, and its time in slices of 50 and of 5 nodes (begin and end included), as ratios\n");
  printf("%-22s %-8s %9s %8s %8s\n", "", "", "us", "50", "5");
  run_all(compare_slices);
  return 0;
}
